// The store: the state, which changes only when an action is dispatched, and what this device has stored of it, which
// is read before each action and written after it.

import { boardName } from './boards.js';
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
import { BLANK_SHARE, NOTHING_SHOWN, shownReducers, SILENCE } from './shown.js';
import {
  hasChanged, loadAnswers, loadOwnGame, loadGames, loadRecent, loadResults, loadStudies, MOST_RECENT, NO_RESULTS, save,
  settingsToStore, sharedSettings, withUnsaved,
} from './storage.js';
import { meetOthers, NO_STUDY, settleStudy, studyReducers, validStudies } from './study.js';
import { typingReducers } from './typing.js';

import type { Engine } from '../../engine/engine.js';
import type { Action, ActionType, Answers, Device, Follower, Reducers, Settings, State, UserActions } from './types.js';

const reducers: Reducers = {
  ...shownReducers, ...openReducers, ...textReducers, ...gameReducers, ...newGameReducers, ...reviewReducers,
  ...notesReducers, ...listReducers, ...puzzleReducers, ...editorReducers, ...studyReducers, ...typingReducers,
};

/**
 * What is special about an action. One that is pointing does nothing but show something for a while: all else remains,
 * and nothing is looked up or stored. One on top of a view changes only what is there: a notice remains, too. An answer
 * may arrive at any time: a notice remains, and a button that has asked whether its action is meant.
 */
type Kind = 'pointing' | 'on top' | 'answer';
const KINDS: { [Type in keyof UserActions]?: Kind } & Record<keyof Answers, Kind> = {
  preview: 'pointing', picked: 'pointing', refused: 'pointing',
  open: 'on top', close: 'on top', flip: 'on top', hint: 'on top', changeSetting: 'on top', openNotes: 'on top',
  leaveField: 'on top', changeNewGame: 'on top', changePicture: 'on top',
  warn: 'answer', storageChanged: 'answer', typingEnded: 'answer', copied: 'answer', copyFailed: 'answer',
  fileRead: 'answer', lineStep: 'answer', reply: 'answer', friendMoved: 'answer', whyFound: 'answer',
  fairFound: 'answer', exerciseStep: 'answer', exerciseFound: 'answer', dailyFound: 'answer', studyPacked: 'answer',
  studyRead: 'answer', studyLinked: 'answer', solvingIsSlow: 'answer', solvingProgress: 'answer', solved: 'answer',
  unsolved: 'answer',
};

// ---- what is stored ----

/** How what is stored of a board is read, by its part of the state. */
const READ: { [Part in keyof Device]: (state: State) => Device[Part] } = {
  settings: sharedSettings,
  results: ({ boardName }) => loadResults(boardName),
  games: ({ boardName }) => loadGames(boardName),
  recent: ({ boardName, today }) => loadRecent(boardName, daysBefore(today, MOST_RECENT)),
  ownStudies: (state) => validStudies(state, loadStudies(state.boardName)),
  answers: ({ boardName }) => loadAnswers(boardName),
  ownGame: ({ boardName }) => loadOwnGame(boardName),
};
const PARTS = namesOf(READ);

/** The state with a part as another window has stored it, and with what could not be stored of it here. */
function withTheirs<Part extends keyof Device>(state: State, part: Part): State {
  const [before, mine]: Device[] = [state.saved, state];
  const theirs = READ[part]({ ...state, [part]: before[part] });
  const saved = { ...state.saved, [part]: theirs };
  return { ...state, [part]: withUnsaved(part, before[part], theirs, mine[part]), saved };
}

/** The state before an action, with the date, and what other windows have stored meanwhile. */
export function catchUp(state: State): State {
  const { boardName: board } = state;
  const next = PARTS.filter((part) => hasChanged(part, board))
    .reduce((read: State, part) => withTheirs(read, part), { ...state, today: dateOf() });
  return next.ownStudies === state.ownStudies ? next : meetOthers(next);
}

/** A part as it is to be stored; null: nothing of it. */
function storedValue(part: keyof Device, state: State) {
  if (part === 'settings') return settingsToStore(state);
  const value = state[part];
  return value === NO_RESULTS || (Array.isArray(value) && !value.length) ? null : value;
}

/** Stores what is not stored yet after an action. Returns the state with what is known of that. */
function storeChanges(made: State, before: State): State {
  const { game } = made;
  const isOwn = !game.isForeign && (game.isStarted || !game.tree.isBlank());
  const state = isOwn && game !== before.game ? { ...made, ownGame: asStored(made) } : made;
  const changed = PARTS.filter((part) => state[part] !== state.saved[part]);
  const failures = changed.map((part) => save(part, state.boardName, storedValue(part, state)));
  const done = changed.filter((_, n) => !failures[n]).map((part) => [part, state[part]]);
  const saved = { ...state.saved, ...Object.fromEntries(done) };
  return { ...state, saved, unsaved: failures.filter(Boolean).sort()[0] ?? null };
}

// ---- the state ----

/** The state when the page opens, before any address. The engine has the rules of the board. */
export function initialState(engine: Engine, settings: Settings): State {
  const saved = { settings, results: NO_RESULTS, games: [], ownGame: null, recent: [], ownStudies: {}, answers: {} };
  return catchUp({
    engine, boardName: boardName(engine.board),
    solving: { progress: null, isSlow: false, target: null, move: null }, byPlies: [],
    leaving: null, typing: null, ...saved, saved, unsaved: null, today: '',
    view: 'play', dialog: null, notice: null, confirming: null, ...NOTHING_SHOWN, areNotesOpen: false,
    heard: SILENCE, share: BLANK_SHARE, newGame: BLANK_NEW_GAME, game: UNOPENED, fairStarts: null,
    review: NO_REVIEW, exercises: NO_EXERCISES, editor: NO_EDITOR, study: NO_STUDY, draft: engine.board,
  });
}

/** The state after an action. */
export function reduce<Type extends ActionType>(state: State, action: Action<Type>): State {
  const { type } = action;
  const kind: Kind | undefined = KINDS[type];
  const { typing } = state;
  // What the last action has let the user hear is over, and what was typed before is in the address.
  const silent = { ...state, heard: SILENCE, typing: typing && { ...typing, isPending: false } };
  if (kind === 'pointing') return reducers[type](silent, action);
  const before = kind ? silent : { ...silent, notice: null };
  const next = settleStudy(reducers[type](before, action), before);
  const isTakenBack = kind !== 'answer' && next.confirming === state.confirming; // a question that was asked before
  return isTakenBack ? { ...next, confirming: null } : next;
}

/** A store, whose `state` is the latest one. */
export function createStore(first: State) {
  /** The action that is being done, and those that were dispatched meanwhile. */
  const waiting: Action[] = [];
  const store = {
    state: first,
    followers: ([] as Follower[]),
    /** Does an action, stores what it has changed, and has the followers show that. */
    dispatch(dispatched: Action) {
      if (waiting.push(dispatched) > 1) return;
      try {
        for (; waiting.length; waiting.shift()) {
          const [action] = waiting;
          const isPointing = KINDS[action.type] === 'pointing';
          const before = isPointing ? store.state : catchUp(store.state);
          const next = reduce(before, action);
          store.state = isPointing ? next : storeChanges(next, before);
          for (const follow of store.followers) follow(store.state, action.type);
        }
      } finally {
        waiting.length = 0;
      }
    },
  };
  return store;
}
