// The store: the state, which changes only when an action is dispatched.

import { editorReducers } from './editor.js';
import { gameReducers } from './game.js';
import { listReducers } from './lists.js';
import { newGameReducers } from './new_game.js';
import { notesReducers } from './notes.js';
import { openReducers } from './open.js';
import { puzzleReducers } from './puzzle.js';
import { reviewReducers } from './review.js';
import { settingsReducers } from './settings.js';
import { shownReducers, SILENCE } from './shown.js';
import { studyReducers } from './study.js';
import { typingReducers } from './typing.js';

import type { Action, ActionType, Reducers, State } from './types.js';

const reducers: Reducers = {
  ...shownReducers, ...settingsReducers, ...openReducers, ...gameReducers, ...newGameReducers,
  ...reviewReducers, ...notesReducers, ...listReducers, ...puzzleReducers, ...editorReducers, ...studyReducers,
  ...typingReducers,
  newVersion: (state) => ({ ...state, notice: ['newVersion'] }),
  warn: (state, { notice }) => ({ ...state, notice }),
  storageChanged(state, { isOtherGame }) {
    const { tree, isForeign } = state.game;
    return isOtherGame && tree.root.chosen && !isForeign ? { ...state, notice: ['otherWindow'] } : state;
  },
};

/** Actions that do nothing but show something for a while: a question remains, and nothing stored is looked up. */
export const POINTING = new Set(['preview', 'picked', 'refused']);
/** Actions that change only what is on top of a view: a notice remains, too. */
const ON_TOP = new Set([...POINTING, 'open', 'close', 'flip', 'hint', 'changeSetting', 'openNotes', 'type',
  'changeNewGame', 'changePicture']);

/** The state after an action. */
export function reduce<Type extends ActionType>(state: State, action: Action<Type>): State {
  const isAnswer = 'request' in action;
  const before = {
    ...state,
    heard: SILENCE,
    notice: isAnswer || ON_TOP.has(action.type) ? state.notice : null,
  };
  const next = reducers[action.type](before, action);
  const isTakenBack = !isAnswer && !POINTING.has(action.type) && next.confirming === state.confirming;
  return isTakenBack ? { ...next, confirming: null } : next;
}

/**
 * A store, whose `state` is the latest one.
 * @param prepare the state that is known before an action
 * @param finish follows an action, and may change the state
 */
export function createStore(
  state: State, prepare: (action: Action) => State, finish: (action: Action, before: State) => void,
) {
  /** Those that are dispatched while another one is being finished wait. */
  const waiting: Action[] = [];
  const store = {
    state,
    dispatch(action: Action) {
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
