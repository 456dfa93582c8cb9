// The store: the state, which changes only when an action is dispatched, and what is done before and after that.

import { boardName, startOf } from './boards.js';
import { editorReducers, NO_EDITOR } from './editor.js';
import { NO_REVIEW } from './engine_games.js';
import { gameReducers, UNOPENED, userMoves } from './game.js';
import { listReducers, moveInList, NO_EXERCISES } from './lists.js';
import { BLANK_NEW_GAME, newGameReducers } from './new_game.js';
import { NO_NOTES, notesReducers } from './notes.js';
import { openReducers } from './open.js';
import { followFriend } from './open_game.js';
import { puzzleReducers } from './puzzle.js';
import { moveInReview, reviewReducers } from './review.js';
import { settingsReducers } from './settings.js';
import { BLANK_SHARE, isOfGame, shownReducers, SILENCE } from './shown.js';
import { NO_RECORD } from './storage.js';
import { keepAnswers, NO_STUDY, studyReducers, tieEntry } from './study.js';
import { catchUp, createWriter } from './sync.js';
import { endTyping, typingReducers } from './typing.js';

import type { Engine } from '../../engine/engine.js';
import type { Action, ActionType, Reducers, Settings, State } from './types.js';

const reducers: Reducers = {
  ...shownReducers, ...settingsReducers, ...openReducers, ...gameReducers, ...newGameReducers,
  ...reviewReducers, ...notesReducers, ...listReducers, ...puzzleReducers, ...editorReducers, ...studyReducers,
  ...typingReducers,
  move(state, { move }) {
    if (state.view === 'review') return moveInReview(state, move);
    return isOfGame(state) ? userMoves(state, move) : moveInList(state, move);
  },
  warn: (state, { notice }) => ({ ...state, notice }),
  storageChanged(state, { game }) {
    const { tree, isForeign } = state.game;
    const followed = game && followFriend(state, game);
    if (followed) return followed;
    return game && tree.root.chosen && !isForeign ? { ...state, notice: ['otherWindow'] } : state;
  },
};

/** Actions that do nothing but show something for a while: a question remains, and nothing stored is looked up. */
const POINTING = new Set(['preview', 'picked', 'refused']);
/** Actions that change only what is on top of a view: a notice remains, too. */
const ON_TOP = new Set([...POINTING, 'open', 'close', 'flip', 'hint', 'changeSetting', 'openNotes', 'leaveField',
  'changeNewGame', 'changePicture']);

/** The state when the page opens, before any address. The engine has the rules of the board. */
export function initialState(engine: Engine, settings: Settings): State {
  return catchUp({
    engine, boardName: boardName(engine.board), start: startOf(engine, settings),
    solving: { progress: null, isSlow: false, target: null, move: null }, byPlies: [],
    leaving: null, typing: null, settings,
    record: NO_RECORD, games: [], stored: null, recent: [], ownStudies: {}, answers: {}, unstored: null, today: '',
    view: 'play', dialog: null, notice: null, confirming: null, isTurned: false, preview: null,
    line: null,
    heard: SILENCE, share: BLANK_SHARE, newGame: BLANK_NEW_GAME, game: UNOPENED, fairStarts: null,
    review: NO_REVIEW, notes: NO_NOTES, exercises: NO_EXERCISES,
    editor: NO_EDITOR, study: NO_STUDY, draft: engine.board,
  });
}

/** The state after an action. */
export function reduce<Type extends ActionType>(state: State, action: Action<Type>): State {
  const isAnswer = 'request' in action;
  const before = {
    ...state,
    heard: SILENCE,
    ...(!isAnswer && !ON_TOP.has(action.type) && { notice: null }),
  };
  const next = keepAnswers(tieEntry(reducers[action.type](before, action), before), before);
  const isTakenBack = !isAnswer && !POINTING.has(action.type) && next.confirming === state.confirming;
  return isTakenBack ? { ...next, confirming: null } : next;
}

/**
 * A store, whose `state` is the latest one. Each action is followed by storing what it has changed, and by calling the
 * followers.
 */
export function createStore(first: State) {
  const write = createWriter(first);
  /** Those that are dispatched while another one is being finished wait. */
  const waiting: Action[] = [];
  const store = {
    state: first,
    followers: ([] as ((state: State, type: ActionType) => void)[]),
    dispatch(action: Action) {
      if (waiting.push(action) > 1) return;
      try {
        for (; waiting.length; waiting.shift()) act(waiting[0]);
      } finally {
        waiting.length = 0;
      }
    },
  };

  function act(action: Action) {
    const { type } = action;
    const isLeft = store.state.typing?.isPending && type !== 'type'; // what was being typed
    if (isLeft) store.state = write(endTyping(store.state), 'typingEnded');
    const before = POINTING.has(type) ? store.state : catchUp(store.state);
    store.state = write(reduce(before, action), type);
    for (const follow of store.followers) follow(store.state, type);
  }

  return store;
}
