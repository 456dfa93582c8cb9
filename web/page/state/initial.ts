// The state when the page opens, before any address and before the board is solved.

import { dateOf } from '../format.js';
import { boardName, startOf } from './boards.js';
import { NO_EDITOR } from './editor.js';
import { noGame } from './game.js';
import { NO_EXERCISES } from './lists.js';
import { BLANK_NEW_GAME } from './new_game.js';
import { NO_NOTES } from './notes.js';
import { NO_REVIEW } from './engine_games.js';
import { BLANK_SHARE, SILENCE } from './shown.js';
import { loadGame, loadGames, loadRecord, loadStudies } from './storage.js';
import { NO_STUDY, validStudies } from './study.js';

import type { Settings, State } from './types.js';
import type { Engine } from '../../engine/engine.js';

/** @param engine with the rules of the board */
export function initialState(engine: Engine, settings: Settings): State {
  const name = boardName(engine.board);
  const start = startOf(engine, settings);
  return {
    engine, boardName: name, start, solving: { progress: null, isSlow: false, target: null, move: null }, byPlies: [],
    leaving: null, typing: null, settings,
    record: loadRecord(name), games: loadGames(name), stored: loadGame(name),
    ownStudies: validStudies({ engine, start }, loadStudies(name)), isFull: false, today: dateOf(),
    view: 'play', dialog: null, notice: null, confirming: null, isTurned: false, preview: null, line: null,
    heard: SILENCE, share: BLANK_SHARE, newGame: BLANK_NEW_GAME, game: noGame(), fairStarts: null,
    review: NO_REVIEW, notes: NO_NOTES, exercises: NO_EXERCISES,
    editor: NO_EDITOR, study: NO_STUDY, draft: engine.board,
  };
}
