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

import type { Settings, State } from './types.js';
import type { Engine } from '../../engine/engine.js';

/**
 * @param engine of the page
 * @param bytes of its table
 */
export function initialState(engine: Engine, bytes: number, settings: Settings) {
  const standard = { engine, file: null, start: startOf(engine), bytes, byPlies: null };
  const blank = {
    standard, settings, stores: { [STANDARD]: loadBoard(STANDARD) }, isFull: false, today: dateOf(),
    view: 'play', dialog: null, notice: null, confirming: null, isTurned: false, preview: null, line: null,
    heard: SILENCE, share: BLANK_SHARE, newGame: BLANK_NEW_GAME, review: NO_REVIEW, notes: NO_NOTES,
    laboratory: { ...NO_LABORATORY, draft: engine.board },
  };
  return useTable(((blank as unknown) as State), standard); // which has the rest
}
