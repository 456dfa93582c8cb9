// What is stored on this device. Without access to storage it lasts as long as the page.

import { STANDARD } from '../boards.js';
import { GRADES } from '../grades.js';
import {
  entriesOf, flag, integer, list, object, oneOf, orNull, readObject, readQuery, readStored, text,
} from '../input.js';
import { EXERCISES } from '../lessons.js';
import { languages } from '../texts.js';

/** @import { PlayRecord, Settings, StoredGame } from '../types.js' */

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

/** @type {import('../input.js').Checks<Settings>} */
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
};

/** @type {import('../input.js').Checks<PlayRecord>} */
const recordChecks = {
  games: entriesOf(player, list(count, 3)),
  puzzles: entriesOf(grade, list(count, 2)),
  rating: integer(-1e6, 1e6),
  streak: count,
  bestStreak: count,
  daily: text(new RegExp(`^$|${date.source}`)),
  days: count,
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

/** @type {import('../input.js').Checks<StoredGame>} */
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

/**
 * @param {keyof typeof STORES} store
 * @param {object | null} value null: nothing remains
 */
export function save(store, value) {
  try {
    if (store === 'game') sessionStorage.setItem(keyOf(store), JSON.stringify(value));
    if (value === null) localStorage.removeItem(keyOf(store));
    else localStorage.setItem(keyOf(store), JSON.stringify(value));
  } catch {
    /* storage is unavailable */
  }
}

/** The settings. A missing or invalid one has its default. */
export const loadSettings = () => ({ ...storedSettings(), ...(asked && { language: asked }) });

/**
 * Saves one setting: the others may have been changed in another window.
 * @template {keyof Settings} Name
 * @param {Name} name
 * @param {Settings[Name]} value
 */
export const saveSetting = (name, value) => save('settings', { ...storedSettings(), [name]: value });

export const MOST_POSITIONS = 64; // of a study
export const MOST_TITLE = 100; // characters

/** A check of a position of a study. Whether it is legal, the engine knows. */
export const positionCheck = object({ start: text(), moves: text(), at: integer(0), notes: text() });

/** The study of the board on this device, which may have no positions. */
export const loadStudy = () =>
  readObject(
    readStored(keyOf('study')),
    { title: text(new RegExp(`^.{0,${MOST_TITLE}}$`)), positions: list(positionCheck, 0, MOST_POSITIONS) },
    /** @type {Pick<import('../types.js').Study, 'title' | 'positions'>} */ ({ title: '', positions: [] }),
  );

export const MOST_GAMES = 30; // that are kept
export const MOST_MOVES_TEXT = 4000; // characters of the moves of a game that is kept

/** @type {import('../input.js').Check<import('../types.js').KeptGame>} */
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

/** The results of games and puzzles. */
export const loadRecord = () => readObject(readStored(keyOf('record')), recordChecks, structuredClone(blankRecord));

/**
 * The game that was stored last, by any window, or null. The caller checks its position, moves and players.
 * @param {'localStorage' | 'sessionStorage'} storage
 * @returns {StoredGame | null}
 */
export function loadGame(storage) {
  const game = readObject(readStored(keyOf('game'), storage), gameChecks, blankGame);
  return game.start ? game : null;
}
