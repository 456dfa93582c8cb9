// What is stored on this device. Without access to storage it lasts as long as the page. Other windows change it, too:
// what is to change is read before it is written.

import { EXERCISES, GRADES } from './aims.js';
import { STANDARD } from './boards.js';
import {
  checksOf, entriesOf, flag, integer, isObject, itemsOf, list, object, oneOf, optionalText, orNull, readObject,
  readQuery, readStored, text,
} from './input.js';
import { BLANK_STUDY, MOST_POSITIONS, studyCheck, studyNumber } from './study_text.js';
import { languages, preferredLanguage } from '../texts.js';

import type { Check, Schema } from './input.js';
import type {
  Device, KeptGame, PlayResults, Recent, Removed, Settings, State, StoredGame, Study, StudyAnswers,
  StudyPosition,
} from './types.js';

const STORES = {
  settings: 'neutreeko',
  ownGame: 'neutreeko-game',
  results: 'neutreeko-record',
  games: 'neutreeko-games',
  recent: 'neutreeko-recent',
  study: 'neutreeko-study', // of versions that had one for each board
  ownStudies: 'neutreeko-studies',
  answers: 'neutreeko-answers',
};

/**
 * The key of a store. Each board has a game and results of its own; those of the standard board have no suffix.
 * @param board its name
 */
const keyOf = (store: keyof typeof STORES, board: string) =>
  STORES[store] + (store === 'settings' || board === STANDARD ? '' : `-${board}`);

export const COLOUR_THEMES = ['auto', 'light', 'dark'];
const COLOURS = ['black', 'white', 'random'];

/** A player as `neutreeko match` names it; whether there is one, the engine knows. */
export const player = text(/^[a-z]+(?::\d{1,9})?$/);
const language = oneOf(Object.keys(languages));
const date = /^\d{4}-\d\d-\d\d$/;
const grade = oneOf(Object.keys(GRADES));
const count = integer(0);

/** The language that the address asks for, as "?lang=ja". */
const askedLanguage = () => language(readQuery(location.search).lang);

const settingsSchema = (): Schema<Settings> => ({
  language: [language, preferredLanguage(navigator.languages ?? [navigator.language])],
  theme: [oneOf(COLOUR_THEMES), 'auto'],
  met: [flag, false],
  values: [flag, false],
  keys: [flag, true],
  warnings: [orNull(flag), null],
  sound: [flag, false],
  opponent: [player, ''], // the weakest that has a name
  colour: [oneOf(COLOURS), 'black'],
  grade: [grade, 'easy'],
  starts: [entriesOf(text(), text()), {}], // whether there is such a board and position, the engine knows
  studies: [entriesOf(text(), studyNumber), {}],
  lessons: [entriesOf(oneOf(Object.keys(EXERCISES)), integer(0, 4)), {}],
  held: [flag, false],
});

const resultsSchema: Schema<PlayResults> = {
  games: [entriesOf(player, list(count, 3)), {}],
  helped: [entriesOf(player, count), {}],
  puzzles: [entriesOf(grade, list(count, 2)), {}],
  rating: [integer(-1e6, 1e6), 1000],
  streak: [count, 0],
  bestStreak: [count, 0],
  daily: [text(new RegExp(`^$|${date.source}`)), ''],
  days: [count, 0],
  last: [text(), ''],
};
export const NO_RESULTS = readObject(null, resultsSchema);

const gameSchema: Schema<StoredGame> = {
  start: [text(), ''],
  moves: [text(), ''],
  at: [integer(0), 0],
  last: [integer(-1), -1],
  end: [text(), ''],
  notes: [text(), ''],
  names: [optionalText, ''],
  black: [player, 'human'],
  white: [player, 'human'],
  counted: [flag, false],
  helped: [(value) => value === true, false], // may be missing
};

/** By key, the text that was read or written last. */
const seen: Map<string, string | null> = new Map();
/** The keys of what could not be stored. */
const failed: Set<string> = new Set();

/** What a store has: of the game, that of this window rather than that of another. */
const readText = (store: keyof typeof STORES, key: string) =>
  (store === 'ownGame' ? sessionStorage.getItem(key) : null) ?? localStorage.getItem(key);

/** Whether another window has changed a store since it was read or written here. Without access to storage none has. */
export function hasChanged(store: keyof typeof STORES, board: string) {
  const key = keyOf(store, board);
  try {
    const found = readText(store, key);
    const before = seen.get(key);
    seen.set(key, found);
    return found !== before;
  } catch {
    return false;
  }
}

/**
 * Stores a value, if the storage takes it; otherwise returns why not. What has just been read is not written again:
 * another window may have written something else meanwhile.
 * @param value null: nothing remains
 */
export function save(store: keyof typeof STORES, board: string, value: object | null): State['unsaved'] {
  const key = keyOf(store, board);
  const written = value && JSON.stringify(value);
  try {
    // Another window may have the same game: this one stores its own.
    const isThere = written === (store === 'ownGame' ? sessionStorage.getItem(key) : seen.get(key));
    if (!failed.delete(key) && isThere) return null;
    if (store === 'ownGame') sessionStorage.setItem(key, written ?? '');
    if (written === null) localStorage.removeItem(key);
    else localStorage.setItem(key, written);
    seen.set(key, written);
    return null;
  } catch (error) {
    failed.add(key);
    return /quota/i.test(String(error)) ? 'full' : 'refused'; // some browsers have null in place of a storage
  }
}

const storedSettings = () => readObject(readStored(keyOf('settings', '')), settingsSchema());

/** The settings. A missing or invalid one has its default. */
export function loadSettings(): Settings {
  const asked = askedLanguage();
  return { ...storedSettings(), ...(asked && { language: asked }) };
}

/** The settings with those that windows share as they are stored now. */
export function sharedSettings({ settings }: State): Settings {
  const { lessons, held, starts } = storedSettings();
  return { ...settings, lessons, held, starts };
}

/** The settings to be stored: with those that have not changed here since, but maybe in another window. */
export const settingsToStore = ({ settings, saved }: State) =>
  mergedObjects(saved.settings, storedSettings(), settings);

export const MOST_ANSWERS = 30; // studies
const answersCheck: Check<StudyAnswers> = object({
  at: count,
  solved: entriesOf(text(/^[1-9]\d*$/), oneOf((['alone', 'helped'] as const))),
  hinted: list(integer(1), 0, MOST_POSITIONS),
  misses: (value) => entriesOf(text(), count)(value) ?? {}, // may be missing
});

/** What has been done in studies that are exercises, by their keys. */
export const loadAnswers = (board: string) =>
  entriesOf(text(/^s-?\d{1,10}$/), answersCheck)(readStored(keyOf('answers', board))) ?? {};

/** The studies of a board on this device, by number. */
export function loadStudies(board: string): Record<string, Study> {
  const studies = entriesOf(studyNumber, studyCheck)(readStored(keyOf('ownStudies', board)));
  if (studies) return studies;
  const only = studyCheck(readStored(keyOf('study', board)));
  return only?.positions.length ? { 1: only } : {};
}

export const MOST_GAMES = 30; // that are kept
export const MOST_MOVES_TEXT = 4000; // characters of the moves of a game that is kept

const keptCheck: Check<KeptGame> = object({
  start: text(),
  moves: text(new RegExp(`^.{1,${MOST_MOVES_TEXT}}$`)),
  end: text(),
  black: player,
  white: player,
  date: text(date),
  winner: orNull(oneOf((['black', 'white'] as const))),
});

/** The games that are kept, latest first. The caller checks their positions, moves and players. */
export const loadGames = (board: string) => itemsOf(keptCheck, MOST_GAMES)(readStored(keyOf('games', board))) ?? [];

export const MOST_RECENT = 30; // games, deletions, and days

const removedCheck: Check<Removed> = (value) => {
  const found = object<Removed>({ own: studyNumber, study: studyCheck, at: orNull(integer(0)) })(value);
  if (!found || found.at === null) return found;
  const { study: { positions, unread } } = found;
  return found.at < positions.length && !unread ? found : undefined; // otherwise it may be the place of another one
};

const recentCheck: Check<Recent> = (value) =>
  object<{ date: string; game: StoredGame }>({ date: text(date), game: object(checksOf(gameSchema)) })(value)
  ?? object<{ date: string; removed: Removed }>({ date: text(date), removed: removedCheck })(value);

/** What was left or deleted, latest first, since a date. The caller checks positions, moves and players. */
export const loadRecent = (board: string, since: string) =>
  (itemsOf(recentCheck, 2 * MOST_RECENT)(readStored(keyOf('recent', board))) ?? []).filter((one) => one.date >= since);

/** What was left or deleted, latest first, without the oldest: neither games nor deletions push out the others. */
export function withoutOldest(recent: Recent[]) {
  const counts = { game: 0, removed: 0 };
  return recent.filter((one) => ++counts['game' in one ? 'game' : 'removed'] <= MOST_RECENT);
}

/** The results of games and puzzles. */
export const loadResults = (board: string) => readObject(readStored(keyOf('results', board)), resultsSchema);

/**
 * The game of this window or, if that has none, the one that was stored last, by any window, or null. The caller checks
 * its position, moves and players.
 */
export function loadOwnGame(board: string): StoredGame | null {
  const key = keyOf('ownGame', board);
  const games = (['sessionStorage', 'localStorage'] as const)
    .map((storage) => readObject(readStored(key, storage), gameSchema));
  return games.find(({ start }) => start) ?? null;
}

/** The game that another window has saved, if an event of the storage means that and it is another one. */
export function otherGameSaved(key: string | null, board: string, own: StoredGame | null) {
  if (key !== keyOf('ownGame', board)) return null;
  const game = readObject(readStored(key), gameSchema);
  const { start, moves, notes, end } = game;
  const isOther = start !== own?.start || moves !== own.moves || notes !== own.notes || end !== own.end;
  return start !== '' && isOther ? game : null;
}

// ---- what another window has stored while this one could not store its own ----

/** A value as text, which does not depend on the order of names. */
const textOf = (value: unknown) => JSON.stringify(value, (_, one: unknown) =>
  (isObject(one) ? Object.fromEntries(Object.entries(one).sort()) : one));

const isSame = (one: unknown, other: unknown) => textOf(one) === textOf(other);

/** Items by what identifies them, as two windows have changed them; `both` decides about one that both have. */
function mergedItems<Key, Item>(
  before: Map<Key, Item>, theirs: Map<Key, Item>, mine: Map<Key, Item>,
  both: (theirs: Item, mine: Item, before: Item | undefined) => Item,
) {
  const merged = [...new Set([...mine.keys(), ...theirs.keys()])].flatMap((key): [Key, Item][] => {
    const [was, its, own] = [before, theirs, mine].map((items) => items.get(key));
    if (its !== undefined && own !== undefined)
      return [[key, isSame(own, was) ? its : isSame(its, was) ? own : both(its, own, was)]];
    const left = its ?? own; // only one window has it: it is new, or the other one has removed it
    return left !== undefined && !isSame(left, was) ? [[key, left]] : [];
  });
  return new Map(merged);
}

const byName = (items: object): Map<string, unknown> => new Map(Object.entries(items));

/** Objects; of a part that is none, and that both windows have changed, this one decides. */
function mergedObjects<T extends object>(before: T, theirs: T, mine: T): T {
  const both = (its: unknown, own: unknown, was: unknown) =>
    (isObject(its) && isObject(own) ? mergedObjects(isObject(was) ? was : {}, its, own) : own);
  const entries: unknown[][] = [...mergedItems(byName(before), byName(theirs), byName(mine), both)];
  return Object.fromEntries(entries);
}

/** Lists, latest first. */
function mergedLists<Item extends { date: string }>(before: Item[], theirs: Item[], mine: Item[]) {
  const [was, its, own] = [before, theirs, mine].map((items) => new Map(items.map((one) => [textOf(one), one])));
  const merged = [...mergedItems(was, its, own, (one) => one).values()];
  return merged.sort((one, two) => two.date.localeCompare(one.date));
}

/** A study of two windows. Of a position that both have changed there are two. */
function mergedStudy(theirs: Study, mine: Study, before = BLANK_STUDY): Study {
  const [was, its, own] = [before, theirs, mine].map(({ positions }) => new Map(positions.map((one) => [one.id, one])));
  const others: StudyPosition[] = [];
  const merged = mergedItems(was, its, own, (one, other) => {
    others.push(other);
    return one;
  });
  const last = Math.max(0, ...merged.keys());
  const positions = [...merged.values(), ...others.map((one, n) => ({ ...one, id: last + 1 + n }))];
  return { ...mergedObjects(before, theirs, mine), positions };
}

/** Parts of the state as this window has changed them, and as others have, since they were as before. */
const MERGED: {
  [Part in keyof Device]: (before: Device[Part], theirs: Device[Part], mine: Device[Part]) => Device[Part]
} = {
  settings: mergedObjects,
  results: mergedObjects,
  answers: mergedObjects,
  ownGame: (_before, _theirs, mine) => mine,
  games: (...lists) => mergedLists(...lists).slice(0, MOST_GAMES),
  recent: (...lists) => withoutOldest(mergedLists(...lists)),
  ownStudies(before, theirs, mine) {
    const [was, its, own] = [before, theirs, mine].map((studies) => new Map(Object.entries(studies)));
    return Object.fromEntries(mergedItems(was, its, own, mergedStudy));
  },
};

/** A part as another window has stored it, with what this one could not store of it since it was as before. */
export const withUnsaved = <Part extends keyof Device>(
  part: Part, before: Device[Part], theirs: Device[Part], mine: Device[Part],
) => (mine === before ? theirs : MERGED[part](before, theirs, mine));
