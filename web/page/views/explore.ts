// Explore: the value of every move, the reasons, what the opponent can do wrong, and the best line, all from the
// engine.

import { html, nothing } from 'lit-html';

import { button, disclosure, hasMouse, switchButton } from '../dom.js';
import { distanceText, moveText, outcomeText, sentencesText, whySentences } from '../format.js';
import { commentField, eraseButton, lineButtons, lineTemplate, markMode, moveList, valueList } from './moves.js';
import { isTooLarge } from '../state/boards.js';
import { choicesOf, shownMove, whyAt, whyKey } from '../state/game.js';
import { other } from '../state/position.js';
import { isAnswered } from '../state/study.js';
import { commentOf } from '../state/typing.js';
import { gameScene, gameStatus, playerNames } from './play.js';
import { studyChoice } from './study.js';
import { t } from '../texts.js';

import type { Dispatch, State, View, Why } from '../state/types.js';

/** The facts about it; null until a worker has found them in a large table. */
function factsOf(state: State) {
  const { game, engine } = state;
  if (!isTooLarge(engine)) return whyAt(engine, game.gameState, shownMove(state).move);
  return whyKey(state) === null ? game.why?.facts ?? null : null;
}

const why = (state: State, facts: Why) =>
  html`<section>
    <h3>${t('why')}</h3>
    <p class="why"><b>${moveText(shownMove(state).move)}</b> ${
      sentencesText(whySentences(facts, state.game.gameState.to_move))}</p>
  </section>`;

/** The results of the opponent's replies: how many lose, draw and win. */
function replies(state: State, { replies: found }: Why) {
  if (!found.total) return nothing;
  const all: ['loss' | 'draw' | 'win', number][] = [
    ['loss', found.losing],
    ['draw', found.holding],
    ['win', found.winning],
  ];
  const parts = all.filter(([, count]) => count);
  let x = 0;
  return html`<section>
    <h3>${t('replies', t(other(state.game.gameState.to_move)))}</h3>
    <svg class="share" viewBox="0 0 ${found.total} 8" preserveAspectRatio="none" aria-hidden="true">
      ${parts.map(([result, count]) => {
        x += count;
        return html`<svg x=${x - count} width=${count} height="8" class=${result}
          ><rect width="100%" height="8" /></svg>`;
      })}
    </svg>
    <p class="note">${parts.map(([result, count]) => t(`replies_${result}`, count)).join(t('comma'))}</p>
  </section>`;
}

function line(state: State, dispatch: Dispatch, { line: rest }: Why) {
  const { move, value } = shownMove(state);
  const { position } = state.game.gameState;
  return html`<section>
    <h3>${t('bestLine')}</h3>
    ${lineTemplate(state, dispatch, { name: `best ${position} ${move}`, position, moves: [move, ...rest] })}
    <p class="note">${value.result === 'draw' ? t('lineDrawn') : t('lineWon', distanceText(value.plies))}</p>
  </section>`;
}

function actions(state: State, dispatch: Dispatch) {
  const { end, position } = state.game.gameState;
  const back = () => dispatch({ type: 'show', view: 'study' });
  return html`<section class="actions">
    ${state.game.tie ? button('study-back', t('studyBack'), back, { main: true }) : nothing}
    ${end ? nothing : button('from-here', t('playFromHere'), () => dispatch({ type: 'openNewGame', position }))}
  </section>`;
}

function fields(state: State, dispatch: Dispatch) {
  const { game: { tree }, pen } = state;
  const { marks } = tree.current;
  return html`<div class="line">
    ${commentField(state, dispatch, 'comment')}
    ${switchButton('pen', t('pen'), pen, () => dispatch({ type: 'togglePen' }))}
    <p class="note">${t(hasMouse() ? 'penMouse' : 'penTouch')}</p>
    ${eraseButton(marks, dispatch)}
    ${state.game.tie ? nothing
      : html`${studyChoice(state, dispatch)}
        ${button('study-add', t('studyAdd'), () => dispatch({ type: 'addToStudy' }))}`}
  </div>`;
}

/** The moves that are explored, what can be done with variations, and the fields for comments and drawings. */
const notesPanel = (state: State, dispatch: Dispatch) =>
  html`<section>
      <h3>${t('moves')}</h3>
      ${moveList(state, dispatch)}
      <div class="actions">
        ${lineButtons(state, dispatch)}
      </div>
    </section>
    ${disclosure('notes', t('notes'), state.areNotesOpen, (isOpen) => dispatch({ type: 'openNotes', isOpen }),
      fields(state, dispatch))}`;

export const explore: View = {
  name: () => t('analysis'),
  hasContent: isAnswered,
  status(state) {
    const { end, to_move: side } = state.game.gameState;
    const shown = gameStatus(state);
    if (end) return shown;
    const { headline, subline } = shown;
    return {
      side,
      headline: outcomeText(choicesOf(state)[0].value, side),
      subline: subline ? sentencesText([headline + t('stop'), subline]) : headline,
    };
  },
  scene(state) {
    const { game } = state;
    const { marks } = game.tree.current;
    return { ...gameScene(state), values: game.gameState.end ? null : choicesOf(state), marks, mode: markMode(state) };
  },
  panel(state, dispatch) {
    const facts = state.game.gameState.end ? null : factsOf(state);
    const comment = commentOf(state, state.game.tree.current);
    return html`${playerNames(state)}${comment ? html`<p class="comment">${comment}</p>` : nothing}
      ${actions(state, dispatch)} ${valueList(state, dispatch)}
      ${facts ? [why(state, facts), replies(state, facts), line(state, dispatch, facts)] : nothing}
      ${notesPanel(state, dispatch)}`;
  },
};
