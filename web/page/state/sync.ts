// The state in the address of the page and in what is stored on this device.

import { addressOf } from './address.js';
import { startOf } from './boards.js';
import { dateOf, daysBefore } from '../format.js';
import { asStored } from './game.js';
import { integer, namesOf, orNull, readObject, text } from './input.js';
import {
  hasChanged, otherGameSaved, loadAnswers, loadGame, loadGames, loadRecent, loadRecord, loadSettings, loadStudies,
  MOST_RECENT, NO_RECORD, save, saveSetting, studyCheck, whyUnstored,
} from './storage.js';
import { ownNumber, selectedPosition, validStudies } from './study.js';

import type { Fields } from './input.js';
import type { Action, Dispatch, HistoryEntry, Leaving, State } from './types.js';

/** Actions after which going back leads to what was shown before. */
const NEW_ENTRY = new Set([
  'show', 'begin', 'beginNewGame', 'playBeginner', 'explore', 'resumeGame', 'resumeRecent', 'reviewGame', 'introduce',
  'openText', 'fileRead', 'studyLinked',
]);
/** What the address and the stored game are made of. */
const WRITTEN: (keyof State)[] = [
  'view', 'game', 'exercises', 'editor', 'study', 'share', 'solving',
];

// ---- the address ----

/**
 * What the entry of the history for an address of this page states; an address that the user has entered has null. An
 * own study is shown as it is now, also if the page is loaded again before the link to its last change is packed; but
 * if it could not be stored, only the link has it. The address of a game does not have the study that it is of.
 */
function entryOf(state: State): HistoryEntry {
  const { view, editor, share, game, unstored, study: { opened, reading } } = state;
  const isTied = view !== 'study' && game.entry !== null;
  const isShown = isTied || (view === 'study' && !reading);
  return {
    own: isShown && !opened && !unstored ? ownNumber(state) : null,
    opened: isTied ? opened : null,
    id: isShown ? selectedPosition(state)?.id ?? null : null,
    notation: view === 'editor' ? editor.typed : null,
    notice: null,
    text: share.text,
  };
}

const entryFields: Fields<HistoryEntry> = {
  own: [orNull(text()), null],
  opened: [orNull(studyCheck), null],
  id: [orNull(integer(1)), null],
  notation: [orNull(text()), null],
  notice: [orNull(text()), null],
  text: [text(), ''],
};
const readEntry = (entry: unknown) => readObject(entry, entryFields);

/** The action that opens the address where the history is. */
export function openingOfHistory() {
  return { type: ('openAddress' as const), hash: location.hash, entry: readEntry(history.state) };
}

/** Adds an address to the history, or replaces its last entry. */
function remember(how: 'pushState' | 'replaceState', address: string, entry: HistoryEntry) {
  try {
    history[how](entry, '', address);
  } catch {
    /* Too many changes in a short time, for some browsers: the address follows with the next one. Or a frame whose
       address cannot change. */
  }
}

/** Writes the address of what is shown. */
function writeHistory(state: State, type: Action['type']) {
  const hash = `#${addressOf(state)}`;
  const isNew = hash !== (location.hash || '#');
  const entry = entryOf(state);
  if (isNew || JSON.stringify(history.state) !== JSON.stringify(entry))
    remember(isNew && NEW_ENTRY.has(type) ? 'pushState' : 'replaceState', hash, entry);
}

/** The address of this page becomes that of the standard board. */
export const leaveBoard = () => remember('replaceState', '#', readEntry(null));

/** Loads the page with another address, of another board. */
function loadBoard({ hash, notice }: Leaving) {
  const isThere = location.hash.replace(/^#/, '') === hash; // the history has led there
  const entry = readEntry(isThere ? history.state : null);
  remember(isThere ? 'replaceState' : 'pushState', `#${hash}`, { ...entry, notice });
  location.reload();
}

// ---- what is stored ----

/** How what is stored of a board is read, by its part of the state; the game is apart, since a window has its own. */
const READ: {
  [Part in 'record' | 'games' | 'recent' | 'ownStudies' | 'answers']: (state: State) => State[Part]
} = {
  record: ({ boardName }) => loadRecord(boardName),
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
  for (const part of PARTS) if (hasChanged(part, board)) Object.assign(next, { [part]: READ[part](next) });
  if (hasChanged('game', board)) next.stored = loadGame(board);
  if (hasChanged('settings', '')) {
    const { lessons, held, starts } = loadSettings();
    next.settings = { ...next.settings, lessons, held, starts };
    if (starts[board] !== state.settings.starts[board]) next.start = startOf(next.engine, next.settings);
  }
  return next;
}

/** Whether nothing has to be stored. */
const isNothing = (value: object) => value === NO_RECORD || (Array.isArray(value) && !value.length);

/** Stores what has changed, and returns the state with what is known of that. */
function store(state: State, before: State): State {
  const { boardName: board, settings, game } = state;
  for (const name of namesOf(settings))
    if (settings[name] !== before.settings[name]) saveSetting(name, settings[name]);
  for (const part of PARTS)
    if (state[part] !== before[part]) save(part, board, isNothing(state[part]) ? null : state[part]);
  const { chosen, note } = game.tree.root;
  const isOwn = game !== before.game && !game.isForeign && Boolean(chosen ?? note ?? game.isStarted);
  const stored = isOwn ? asStored(state) : state.stored;
  if (isOwn) save('game', board, stored);
  return { ...state, stored, unstored: whyUnstored() };
}

/**
 * Returns a function that writes what an action has changed into the storage and the address, and returns the state
 * with what is known of that. The address waits until the user stops typing.
 */
export function createWriter(first: State) {
  let stored = first;
  let addressed = first;
  return (state: State, type: Action['type']) => {
    stored = store(state, stored);
    if (state.typing?.isPending) return stored;
    const before = addressed;
    addressed = stored;
    if (state.leaving) {
      if (state.leaving !== before.leaving) loadBoard(state.leaving);
      return stored;
    }
    // The address may ask for another language.
    if (state.settings.language !== before.settings.language && location.search)
      remember('replaceState', location.pathname + location.hash, history.state);
    if (WRITTEN.some((part) => state[part] !== before[part]) || NEW_ENTRY.has(type) || type === 'openAddress')
      writeHistory(stored, type);
    return stored;
  };
}

/** Follows what the browser reports: going back and forward, and what other windows store. */
export function connectWindow(latest: () => State, dispatch: Dispatch) {
  window.addEventListener('popstate', ({ state }) => {
    const isBeneath = latest().dialog && state;
    if (!isBeneath) return dispatch(openingOfHistory());
    // Closing the dialog is all that going back does.
    remember('pushState', `#${addressOf(latest())}`, entryOf(latest()));
    return dispatch({ type: 'close' });
  });
  window.addEventListener('storage', ({ key }) => {
    const { boardName, stored } = latest();
    dispatch({ type: 'storageChanged', request: null, game: otherGameSaved(key, boardName, stored) });
  });
}
