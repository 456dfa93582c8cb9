// The state when the page opens, before any address.

import { dateOf } from '../format.js';
import { STANDARD, startOf } from './boards.js';
import { NO_LABORATORY } from './laboratory.js';
import { BLANK_NEW_GAME } from './new_game.js';
import { NO_NOTES } from './notes.js';
import { useTable } from './open.js';
import { NO_REVIEW } from './reviewer.js';
import { BLANK_SHARE, SILENCE } from './shown.js';
import { loadBoard } from './storage.js';

/** @import { Settings, State } from './types.js' */

/**
 * @param {import('../../engine/engine.js').Engine} engine of the page
 * @param {number} bytes of its table
 * @param {Settings} settings
 */
export function initialState(engine, bytes, settings) {
  const standard = { engine, file: null, start: startOf(engine), bytes, byPlies: null };
  const blank = {
    standard, settings, stores: { [STANDARD]: loadBoard(STANDARD) }, isFull: false, today: dateOf(),
    view: 'play', dialog: null, notice: null, confirming: null, isTurned: false, preview: null, line: null,
    heard: SILENCE, share: BLANK_SHARE, newGame: BLANK_NEW_GAME, review: NO_REVIEW, notes: NO_NOTES,
    laboratory: { ...NO_LABORATORY, draft: engine.board },
  };
  return useTable(/** @type {State} */ (/** @type {unknown} */ (blank)), standard); // which has the rest
}
