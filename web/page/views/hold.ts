// The lesson on how White holds the draw.

import { html, nothing } from 'lit-html';

import { button } from './dom.js';
import { arrow } from './line.js';
import { moveText } from '../format.js';
import { STRATEGY } from '../state/exercises.js';
import { askedOf, countKnown, isMoveShown, isRight, isUsersTurn, rightMove } from '../state/hold.js';
import { t } from '../texts.js';

import type { State, View } from '../state/types.js';

function headline(state: State) {
  const { hold } = state;
  const { gameState, missed } = hold;
  if (gameState.end) return t('holdDone');
  if (isRight(hold)) return t('puzzleRight');
  if (isMoveShown(hold)) return t('holdShown', moveText(rightMove(state)));
  if (missed) return t(askedOf(hold) ? 'courseMissed' : 'puzzleWrong_loss', moveText(missed));
  return t(askedOf(hold) ? 'holdAsk' : isUsersTurn(hold) ? 'holdPlay' : 'holdReply');
}

export const hold: View = {
  status: (state) => ({
    side: state.hold.gameState.end ? null : state.hold.gameState.to_move,
    headline: headline(state),
    subline: askedOf(state.hold) ? t('holdKnown', countKnown(state.hold), STRATEGY.length) : t('holdGame'),
  }),
  scene(state) {
    const { hold: shown } = state;
    const { gameState } = shown;
    const move = isMoveShown(shown) ? rightMove(state) : '';
    return {
      position: gameState.position,
      legal: isRight(shown) || !isUsersTurn(shown) ? [] : gameState.legal,
      last: gameState.moves.at(-1) ?? null,
      preview: move ? arrow(move, 'win') : null,
    };
  },
  panel({ hold: shown }, dispatch) {
    return html`<section>
      <p class="why">${t('courseAbout_hold', STRATEGY.length)}</p>
      <div class="actions">
        ${shown.gameState.end ? nothing
          : button('hold-show', t('courseShow'), () => dispatch({ type: 'showHold' }),
            { disabled: isMoveShown(shown) || isRight(shown) || !isUsersTurn(shown) })}
        ${button('hold-again', t('holdAgain'), () => dispatch({ type: 'beginHold' }),
          { main: shown.gameState.end !== null })}
      </div>
    </section>`;
  },
};
