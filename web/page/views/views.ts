// The views and what is common to them: which one is shown, what the board and the status above it show.

import { BLANK } from '../board/picture.js';
import { editor } from './editor.js';
import { hold, introduction, lessons } from './exercise.js';
import { explore } from './explore.js';
import { asSentence } from '../format.js';
import { waiting } from './laboratory.js';
import { lineScene } from './moves.js';
import { embedded, play, status as statusOfGame } from './play.js';
import { puzzle } from './puzzle.js';
import { review } from './review.js';
import { isFlipped, isOfGame, isWaiting } from '../state/shown.js';
import { study } from './study.js';
import { t } from '../texts.js';

import type { Scene, State, View, ViewName } from '../state/types.js';

const views: Record<ViewName, View> =
  { play, introduction, review, puzzle, explore, editor, study, lessons, hold, board: embedded };

export const viewOf = (state: State): View => (isWaiting(state) ? waiting : views[state.view]);

export const statusOf = (state: State) => viewOf(state).status(state) ?? statusOfGame(state);

/** The status as a screen reader speaks it. */
export function statusText(state: State) {
  const { headline, mark, subline } = statusOf(state);
  const marked = mark ? `${headline}${t('comma')}${t(mark === '?' ? 'mistake' : 'blunder')}` : headline;
  return [asSentence(marked), subline && asSentence(subline)].filter(Boolean).join(t('between'));
}

/** What the board shows. */
export function sceneOf(state: State): Scene {
  const base = isOfGame(state) ? play.scene(state, {}) : {};
  const shown = state.line ? lineScene(state.line) : viewOf(state).scene(state, base);
  const whole = { ...BLANK, flip: isFlipped(state), ...shown };
  const winning = whole.winners && state.engine.winningSquares(whole.position, whole.winners);
  return { ...whole, winning, ...(whole.pen && { legal: [] }) };
}
