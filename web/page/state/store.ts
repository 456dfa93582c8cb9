// The store: the state, which changes only when an action is dispatched, and what this device has stored of it, which
// is read before each action and written after it.

import { boardName, startOf } from './boards.js';
import { editorReducers, NO_EDITOR } from './editor.js';
import { dateOf, daysBefore } from '../format.js';
import { asStored, gameReducers, NO_REVIEW, UNOPENED } from './game.js';
import { namesOf } from './input.js';
import { listReducers, NO_EXERCISES } from './lists.js';
import { BLANK_NEW_GAME, newGameReducers } from './new_game.js';
import { notesReducers } from './notes.js';
import { openReducers } from './open.js';
import { textReducers } from './open_text.js';
import { puzzleReducers } from './puzzle.js';
import { reviewReducers } from './review.js';
import { BLANK_SHARE, NOTHING_SHOWN, shownReducers, SILENCE, speakNotice } from './shown.js';
import {
  hasChanged, isUnsaved, loadAnswers, loadGame, loadGames, loadRecent, loadResults, loadStudies, MOST_RECENT,
  NO_RESULTS, save, settingsToStore, sharedSettings, whyUnstored, withUnsaved,
} from './storage.js';
import { meetOthers, NO_STUDY, settleStudy, studyReducers, validStudies } from './study.js';
import { typingReducers } from './typing.js';

import type { Engine } from '../../engine/engine.js';
import type { Shared } from './storage.js';
import type { Action, ActionType, Follower, Reducers, Settings, State } from './types.js';

const reducers: Reducers = {
  ...shownReducers, ...openReducers, ...textReducers, ...gameReducers, ...newGameReducers, ...reviewReducers,
  ...notesReducers, ...listReducers, ...puzzleReducers, ...editorReducers, ...studyReducers, ...typingReducers,
};

/** What is special about an action. */
interface Kind {
  /** It does nothing but show something for a while: all else remains, and nothing is looked up or stored. */
  isPointing?: true;
  /** It changes only what is on top of a view: a notice remains, too. */
  isOnTop?: true;
}
const POINTING: Kind = { isPointing: true };
const ON_TOP: Kind = { isOnTop: true };
const KINDS: { [Type in ActionType]?: Kind } = {
  preview: POINTING, picked: POINTING, refused: POINTING,
  open: ON_TOP, close: ON_TOP, flip: ON_TOP, hint: ON_TOP, changeSetting: ON_TOP, openNotes: ON_TOP, leaveField: ON_TOP,
  changeNewGame: ON_TOP, changePicture: ON_TOP,
};
const kindOf = (type: ActionType): Kind => KINDS[type] ?? {};

// ---- what is stored ----

/** How what is stored of a board is read, by its part of the state; the game is apart, since a window has its own. */
const READ: { [Part in Shared]: (state: State) => State[Part] } = {
  settings: sharedSettings,
  results: ({ boardName }) => loadResults(boardName),
  games: ({ boardName }) => loadGames(boardName),
  recent: ({ boardName, today }) => loadRecent(boardName, daysBefore(today, MOST_RECENT)),
  ownStudies: (state) => validStudies(state, loadStudies(state.boardName)),
  answers: ({ boardName }) => loadAnswers(boardName),
};
const PARTS = namesOf(READ);

/** The state before an action, with the date, and what other windows have stored meanwhile. */
export function catchUp(state: State): State {
  const { boardName: board } = state;
  const next = { ...state, today: dateOf() };
  for (const part of PARTS)
    if (hasChanged(part, board)) Object.assign(next, { [part]: withUnsaved(part, next, READ[part]) });
  if (hasChanged('game', board) && !isUnsaved('game', board)) next.stored = loadGame(board);
  if (next.settings.starts[board] !== state.settings.starts[board]) next.start = startOf(next.engine, next.settings);
  return next.ownStudies === state.ownStudies ? next : meetOthers(next, state);
}

/** A part as it is to be stored; null: nothing of it. */
function storedValue(part: Shared, state: State, before: State) {
  if (part === 'settings') return settingsToStore(state.settings, before);
  const value = state[part];
  return value === NO_RESULTS || (Array.isArray(value) && !value.length) ? null : value;
}

/** Stores what an action has changed, or could not be stored before. Returns the state with what is known of that. */
function storeChanges(state: State, before: State): State {
  const { boardName: board, game } = state;
  for (const part of PARTS)
    if (state[part] !== before[part] || isUnsaved(part, board))
      save(part, board, storedValue(part, state, before), before);
  const isNew = game !== before.game || isUnsaved('game', board);
  const isOwn = isNew && !game.isForeign && (game.isStarted || !game.tree.isBlank());
  const stored = isOwn ? asStored(state) : state.stored;
  if (isOwn) save('game', board, stored, before);
  return { ...state, stored, unstored: whyUnstored() };
}

// ---- the state ----

/** The state when the page opens, before any address. The engine has the rules of the board. */
export function initialState(engine: Engine, settings: Settings): State {
  return catchUp({
    engine, boardName: boardName(engine.board), start: startOf(engine, settings),
    solving: { progress: null, isSlow: false, target: null, move: null }, byPlies: [],
    leaving: null, typing: null, settings,
    results: NO_RESULTS, games: [], stored: null, recent: [], ownStudies: {}, answers: {}, unstored: null, today: '',
    view: 'play', dialog: null, notice: null, confirming: null, ...NOTHING_SHOWN, areNotesOpen: false,
    heard: SILENCE, share: BLANK_SHARE, newGame: BLANK_NEW_GAME, game: UNOPENED, fairStarts: null,
    review: NO_REVIEW, exercises: NO_EXERCISES, editor: NO_EDITOR, study: NO_STUDY, draft: engine.board,
  });
}

/** The state after an action. */
export function reduce<Type extends ActionType>(state: State, action: Action<Type>): State {
  const { type } = action;
  const { isPointing, isOnTop } = kindOf(type);
  const { typing } = state;
  // What the last action has let the user hear is over, and what was typed before is in the address.
  const silent = { ...state, heard: SILENCE, typing: typing && { ...typing, isPending: false } };
  if (isPointing) return reducers[type](silent, action);
  const isAnswer = 'request' in action;
  const before = isAnswer || isOnTop ? silent : { ...silent, notice: null };
  const next = settleStudy(reducers[type](before, action), before);
  const isTakenBack = !isAnswer && next.confirming === state.confirming; // a question that was asked before
  return isTakenBack ? { ...next, confirming: null } : next;
}

/** A store, whose `state` is the latest one. Each action is followed by calling the followers. */
export function createStore(first: State) {
  /** The action that is being done, and those that were dispatched meanwhile. */
  const waiting: Action[] = [];
  const store = {
    state: first,
    followers: ([] as Follower[]),
    dispatch(action: Action) {
      if (waiting.push(action) > 1) return;
      try {
        for (; waiting.length; waiting.shift()) act(waiting[0]);
      } finally {
        waiting.length = 0;
      }
    },
  };

  /** Does an action, stores what it has changed, and has the followers show that. */
  function act(action: Action) {
    if (kindOf(action.type).isPointing) store.state = reduce(store.state, action);
    else {
      const before = catchUp(store.state);
      store.state = speakNotice(storeChanges(reduce(before, action), before), before);
    }
    for (const follow of store.followers) follow(store.state, action.type);
  }

  return store;
}
