// The store: the state, which changes only when an action is dispatched.

import { editorReducers } from './editor.js';
import { gameReducers } from './game.js';
import { holdReducers } from './hold.js';
import { introductionReducers } from './introduction.js';
import { laboratoryReducers } from './laboratory.js';
import { lessonReducers } from './lesson.js';
import { newGameReducers } from './new_game.js';
import { notesReducers } from './notes.js';
import { openReducers } from './open.js';
import { puzzleReducers } from './puzzle.js';
import { reviewReducers } from './review.js';
import { settingsReducers } from './settings.js';
import { shownReducers, SILENCE } from './shown.js';
import { studyReducers } from './study.js';

/** @import { Action, Dispatch, Reducers, State } from './types.js' */

/** @type {Reducers} */
const reducers = {
  ...shownReducers, ...settingsReducers, ...openReducers, ...gameReducers, ...newGameReducers,
  ...introductionReducers, ...reviewReducers, ...notesReducers, ...puzzleReducers, ...lessonReducers, ...holdReducers,
  ...editorReducers, ...studyReducers, ...laboratoryReducers,
  newVersion: (state) => ({ ...state, notice: ['newVersion'] }),
  typingEnded: (state) => state,
  storageChanged(state, { isOtherGame }) {
    const { tree, isForeign } = state.game;
    return isOtherGame && tree.root.chosen && !isForeign ? { ...state, notice: ['otherWindow'] } : state;
  },
};

/** Actions that do nothing but show something for a while: a question remains as it was. */
const POINTING = new Set(['preview', 'picked', 'refused']);
/** Actions that change only what is on top of a view: a notice remains, too. */
const ON_TOP = new Set([...POINTING, 'open', 'close', 'flip', 'hint', 'changeSetting', 'typeText', 'openNotes',
  'changeNewGame', 'changePicture']);

/**
 * The state after an action.
 * @param {State} state
 * @param {Action} action
 * @returns {State}
 */
export function reduce(state, action) {
  const isAnswer = 'request' in action;
  const before = {
    ...state,
    heard: SILENCE,
    notice: isAnswer || ON_TOP.has(action.type) ? state.notice : null,
  };
  const next = /** @type {any} */ (reducers[action.type])(before, action);
  const isTakenBack = !isAnswer && !POINTING.has(action.type) && next.confirming === state.confirming;
  return isTakenBack ? { ...next, confirming: null } : next;
}

/**
 * A store, whose `state` is the latest one.
 * @param {State} state
 * @param {(action: Action) => State} prepare the state that is known before an action
 * @param {(action: Action, before: State) => void} finish follows an action, and may change the state
 */
export function createStore(state, prepare, finish) {
  /** Those that are dispatched while another one is being finished wait. @type {Action[]} */
  const waiting = [];
  const store = {
    state,
    /** @type {Dispatch} */
    dispatch(action) {
      if (waiting.push(action) > 1) return;
      try {
        for (; waiting.length; waiting.shift()) {
          const before = prepare(waiting[0]);
          store.state = reduce(before, waiting[0]);
          finish(waiting[0], before);
        }
      } finally {
        waiting.length = 0;
      }
    },
  };
  return store;
}
