// The list of all moves with their values, which Explore and Play show.

import { html, nothing } from 'lit-html';

import { hovers, type On } from './dom.js';
import { chip } from './symbols.js';
import { moveText, sameValue, valueText } from '../format.js';
import { choicesOf } from '../state/game.js';
import { t } from '../texts.js';

import type { Choice, Dispatch, State } from '../state/types.js';

/** What a touch or the keyboard previews lasts until another move is, so that the line below can be reached. */
function row(state: State, dispatch: Dispatch, choice: Choice) {
  const { preview } = state;
  const { move, value, repeats } = choice;
  const show = () => preview !== choice && dispatch({ type: 'preview', move: choice });
  const hide = () => preview && dispatch({ type: 'preview', move: null });
  // Touch cannot hover: the first touch previews the move, the second plays it.
  const choose = (event: PointerEvent) => {
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
      @pointermove=${(event: PointerEvent) => hovers(event) && show()}
      @pointerleave=${(event: PointerEvent) => event.pointerType !== 'touch' && hide()}
      @focus=${({ target }: On<Element>) => target.matches(':focus-visible') && show()}
    >
      ${chip(value, sameValue(value, choicesOf(state)[0].value))} ${moveText(move)}<span class="unseen"
        >, ${valueText(value)}</span
      >${repeats ? html`<small>${t(repeats === 2 ? 'repeats' : 'seenBefore')}</small>` : nothing}
    </button>
  </li>`;
}

export const valueList = (state: State, dispatch: Dispatch) =>
  state.game.gameState.end
    ? html`<p class="note">${t('gameOver')}</p>`
    : html`<section>
        <h3>${t('allMoves')}</h3>
        <ul class="values">
          ${choicesOf(state).map((choice) => row(state, dispatch, choice))}
        </ul>
        <p class="note">${t('numbers')}</p>
      </section>`;
