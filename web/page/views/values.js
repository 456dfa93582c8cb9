// The list of all moves with their values, which Explore and Play show.

import { html, nothing } from 'lit-html';

import { hovers } from './dom.js';
import { chip } from './symbols.js';
import { moveText, sameValue, valueText } from '../format.js';
import { choicesOf } from '../state/game.js';
import { t } from '../texts.js';

/** @import { Choice, Dispatch, State } from '../state/types.js' */

/**
 * What a touch or the keyboard previews lasts until another move is, so that the line below can be reached.
 * @param {State} state
 * @param {Dispatch} dispatch
 * @param {Choice} choice
 */
function row({ preview, game }, dispatch, choice) {
  const { move, value, repeats } = choice;
  const show = () => preview !== choice && dispatch({ type: 'preview', move: choice });
  const hide = () => preview && dispatch({ type: 'preview', move: null });
  // Touch cannot hover: the first touch previews the move, the second plays it.
  /** @param {PointerEvent} event */
  const choose = (event) => {
    if (event.pointerType !== 'touch' || preview?.move === move) return dispatch({ type: 'move', move });
    dispatch({ type: 'stopLine' }); // the board shows the preview in its place
    return show();
  };
  return html`<li>
    <button
      type="button"
      class="value"
      data-move=${move}
      @click=${choose}
      @pointermove=${(/** @type {PointerEvent} */ event) => hovers(event) && show()}
      @pointerleave=${(/** @type {PointerEvent} */ event) => event.pointerType !== 'touch' && hide()}
      @focus=${(/** @type {any} */ { target }) => target.matches(':focus-visible') && show()}
    >
      ${chip(value, sameValue(value, choicesOf(game)[0].value))} ${moveText(move)}<span class="unseen"
        >, ${valueText(value)}</span
      >${repeats ? html`<small>${t(repeats === 2 ? 'repeats' : 'seenBefore')}</small>` : nothing}
    </button>
  </li>`;
}

/** @param {State} state @param {Dispatch} dispatch */
export const valueList = (state, dispatch) =>
  state.game.gameState.end
    ? html`<p class="note">${t('gameOver')}</p>`
    : html`<section>
        <h3>${t('allMoves')}</h3>
        <ul class="values">
          ${choicesOf(state.game).map((choice) => row(state, dispatch, choice))}
        </ul>
        <p class="note">${t('numbers')}</p>
      </section>`;
