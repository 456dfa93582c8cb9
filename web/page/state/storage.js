// What is stored on this device. Without access to storage it lasts as long as the page. Other windows change it, too:
// what is to change is read before it is written.

import { STANDARD } from './boards.js';
import { GRADES } from './grades.js';
import {
  entriesOf, flag, integer, list, object, oneOf, orNull, readObject, readQuery, readStored, text,
} from './input.js';
import { EXERCISES } from './lessons.js';
import { languages } from '../texts.js';

/** @import { KeptGame, PlayRecord, Settings, StoredGame, Study } from '../types.js' */
/** @typedef {Pick<Study, 'title' | 'positions'>} StoredStudy */

const STORES = {
  settings: 'neutreeko',
  game: 'neutreeko-game',
  record: 'neutreeko-record',
  games: 'neutreeko-games',
  study: 'neutreeko-study',
};

/** Each board has a game and a record of its own; the names of those of the standard board have no suffix. */
let suffix = '';
/** @param {string} board */
export const useStoresOf = (board) => (suffix = board === STANDARD ? '' : `-${board}`);
/** @param {keyof typeof STORES} store */
export const keyOf = (store) => STORES[store] + (store === 'settings' ? '' : suffix);

export const THEMES = ['auto', 'light', 'dark'];
const COLOURS = ['black', 'white', 'random'];

/** A player as `neutreeko match` names it; whether there is one, the engine knows. */
const player = text(/^[a-z]+(?::\d{1,9})?$/);
const language = oneOf(Object.keys(languages));
const date = /^\d{4}-\d\d-\d\d$/;
const grade = oneOf(Object.keys(GRADES));
const count = integer(0);

/** The language that the address asks for, as "?lang=ja". */
const asked = language(readQuery(location.search).lang);

/** @type {import('./input.js').Checks<Settings>} */
const settingsChecks = {
  language,
  theme: oneOf(THEMES),
  met: flag,
  values: flag,
  keys: flag,
  warnings: orNull(flag),
  sound: flag,
  opponent: player,
  colour: oneOf(COLOURS),
  grade,
  starts: entriesOf(text(), text()), // whether there is such a board and position, the engine knows
  lessons: entriesOf(oneOf(Object.keys(EXERCISES)), integer(0, 4)),
};

/** @type {Settings} */
const defaults = {
  language: navigator.language.startsWith('ja') ? 'ja' : 'en',
  theme: 'auto',
  met: false,
  values: false,
  keys: true,
  warnings: null,
  sound: false,
  opponent: '', // the weakest that has a name
  colour: 'black',
  grade: 'easy',
  starts: {},
  lessons: {},
};

/** @type {PlayRecord} */
const blankRecord = {
  games: {},
  puzzles: {},
  rating: 1000,
  streak: 0,
  bestStreak: 0,
  daily: '',
  days: 0,
  last: '',
};

/** @type {import('./input.js').Checks<PlayRecord>} */
const recordChecks = {
  games: entriesOf(player, list(count, 3)),
  puzzles: entriesOf(grade, list(count, 2)),
  rating: integer(-1e6, 1e6),
  streak: count,
  bestStreak: count,
  daily: text(new RegExp(`^$|${date.source}`)),
  days: count,
  last: text(),
};

/** @type {StoredGame} */
const blankGame = {
  start: '',
  moves: '',
  at: 0,
  last: -1,
  end: '',
  notes: '',
  black: 'human',
  white: 'human',
  counted: false,
};

/** @type {import('./input.js').Checks<StoredGame>} */
const gameChecks = {
  start: text(),
  moves: text(),
  at: integer(0),
  last: integer(-1),
  end: text(),
  notes: text(),
  black: player,
  white: player,
  counted: flag,
};

const storedSettings = () => readObject(readStored(keyOf('settings')), settingsChecks, defaults);

/** The keys of what could not be stored because the storage is full. @type {Set<string>} */
const unsaved = new Set();

/** Whether something is not stored because the storage is full. */
export const isFull = () => unsaved.size > 0;

/**
 * Stores a value. Returns false if the storage is full; without access to storage, nobody expects anything to last.
 * @param {keyof typeof STORES} store
 * @param {object | null} value null: nothing remains
 */
export function save(store, value) {
  const key = keyOf(store);
  unsaved.delete(key);
  try {
    if (store === 'game') sessionStorage.setItem(key, JSON.stringify(value));
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch (error) {
    if (error instanceof DOMException && /quota/i.test(error.name)) unsaved.add(key);
  }
  return !unsaved.has(key);
}

/**
 * What is stored, which another window may have changed; `own` where nothing can be stored.
 * @template T
 * @param {keyof typeof STORES} store
 * @param {T} own
 * @param {() => T} load
 */
const newest = (store, own, load) =>
  unsaved.has(keyOf(store)) || readStored(keyOf(store)) === undefined ? own : load();

/** The settings. A missing or invalid one has its default. */
export const loadSettings = () => ({ ...storedSettings(), ...(asked && { language: asked }) });

/**
 * Saves one setting: the others may have been changed in another window.
 * @template {keyof Settings} Name
 * @param {Name} name
 * @param {Settings[Name]} value
 */
export const saveSetting = (name, value) => save('settings', { ...storedSettings(), [name]: value });

/**
 * A setting as it is stored, which another window may have changed.
 * @template {keyof Settings} Name
 * @param {Name} name
 * @param {Settings} own
 */
export const newestSetting = (name, own) => newest('settings', own, storedSettings)[name];

export const MOST_POSITIONS = 64; // of a study
export const MOST_TITLE = 100; // characters

/** A check of a position of a study. Whether it is legal, the engine knows. */
export const positionCheck = object({ start: text(), moves: text(), at: integer(0), notes: text() });

/** The study of the board on this device, which may have no positions. @returns {StoredStudy} */
export const loadStudy = () =>
  readObject(
    readStored(keyOf('study')),
    { title: text(new RegExp(`^.{0,${MOST_TITLE}}$`)), positions: list(positionCheck, 0, MOST_POSITIONS) },
    /** @type {StoredStudy} */ ({ title: '', positions: [] }),
  );
/** @param {StoredStudy} own */
export const newestStudy = (own) => newest('study', own, loadStudy);

export const MOST_GAMES = 30; // that are kept
export const MOST_MOVES_TEXT = 4000; // characters of the moves of a game that is kept

/** @type {import('./input.js').Check<KeptGame>} */
const keptCheck = object({
  start: text(),
  moves: text(new RegExp(`^.{1,${MOST_MOVES_TEXT}}$`)),
  end: text(),
  black: player,
  white: player,
  date: text(date),
  winner: orNull(oneOf(/** @type {const} */ (['black', 'white']))),
});

/** The games that are kept, latest first. The caller checks their positions, moves and players. */
export const loadGames = () => list(keptCheck, 0, MOST_GAMES)(readStored(keyOf('games'))) ?? [];
/** @param {KeptGame[]} own */
export const newestGames = (own) => newest('games', own, loadGames);

/** The results of games and puzzles. */
export const loadRecord = () => readObject(readStored(keyOf('record')), recordChecks, structuredClone(blankRecord));
/** @param {PlayRecord} own */
export const newestRecord = (own) => newest('record', own, loadRecord);

/**
 * The game that was stored last, by any window, or null. The caller checks its position, moves and players.
 * @param {'localStorage' | 'sessionStorage'} storage
 * @returns {StoredGame | null}
 */
export function loadGame(storage) {
  const game = readObject(readStored(keyOf('game'), storage), gameChecks, blankGame);
  return game.start ? game : null;
}
