// The views and what is common to them: which one is shown, what the board and the status above it show.

import { BLANK } from '../board/picture.js';
import { asSentence } from '../format.js';
import { isFlipped, isOfGame } from '../state/shown.js';
import { t } from '../texts.js';
import { lesson } from './lesson.js';
import { editor } from './editor.js';
import { embedded } from './embedded.js';
import { explore } from './explore.js';
import { hold } from './hold.js';
import { introduction } from './introduction.js';
import { laboratory } from './laboratory.js';
import { lineScene } from './line.js';
import { play } from './play.js';
import { puzzle } from './puzzle.js';
import { review } from './review.js';
import { study } from './study.js';

/** @import { Scene, State, Status, View, ViewName } from '../state/types.js' */

/** @type {Record<ViewName, View>} */
const views = { play, review, puzzle, explore, editor, study, lessons: lesson, hold, laboratory, board: embedded };

/** @param {State} state @returns {View} */
export const viewOf = (state) => (state.introduction ? introduction : views[state.view]);

/** @param {State} state @returns {Status} */
export const statusOf = (state) =>
  viewOf(state).status(state) ?? /** @type {Status} */ (play.status(state));

/** The status as a screen reader speaks it. @param {State} state */
export function statusText(state) {
  const { headline, mark, subline } = statusOf(state);
  const marked = mark ? `${headline}${t('comma')}${t(mark === '?' ? 'mistake' : 'blunder')}` : headline;
  return [asSentence(marked), subline && asSentence(subline)].filter(Boolean).join(t('between'));
}

/** The size of the board. @param {State} state */
export const shapeOf = (state) => viewOf(state).shape?.(state) ?? state.engine.board;

/** What the board shows. @param {State} state @returns {Scene} */
export function sceneOf(state) {
  const base = isOfGame(state) ? play.scene(state, {}) : {};
  const shown = state.line ? lineScene(state.line) : viewOf(state).scene(state, base);
  const whole = { ...BLANK, flip: isFlipped(state), ...shown };
  return { ...whole, winning: whole.winners && state.engine.winningSquares(whole.position, whole.winners) };
}
