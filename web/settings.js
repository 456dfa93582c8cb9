// What is stored on this device. Without access to storage it lasts as long as the page.

import { STANDARD } from './boards.js';
import { BEGINNER } from './format.js';

/** @import { PlayRecord, Settings, StoredGame } from './types.js' */

const STORES = { settings: 'neutreeko', game: 'neutreeko-game', record: 'neutreeko-record' };

/** Each board has a game and a record of its own; the names of those of the standard board have no suffix. */
let suffix = '';
/** @param {string} board */
export const useStoresOf = (board) => (suffix = board === STANDARD ? '' : `-${board}`);
/** @param {keyof typeof STORES} store */
const keyOf = (store) => STORES[store] + (store === 'settings' ? '' : suffix);

/** The language that the address asks for, as "?lang=ja". */
const asked = new URLSearchParams(location.search).get('lang');

/** @type {Settings} */
const defaults = {
  language: navigator.language.startsWith('ja') ? 'ja' : 'en',
  theme: 'auto',
  met: false,
  values: false,
  plies: false,
  keys: true,
  sound: false,
  vibration: false,
  opponent: BEGINNER,
  colour: 'black',
  grade: 'easy',
  starts: {},
  budget: 200e6,
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

/**
 * What is stored, with the types of `blank` and its values for what is missing.
 * @template {object} Stored
 * @param {keyof typeof STORES} store
 * @param {Stored} blank
 */
function load(store, blank) {
  try {
    const stored = JSON.parse(localStorage.getItem(keyOf(store)) ?? '{}');
    const loaded = { ...blank };
    for (const name of /** @type {(keyof Stored)[]} */ (Object.keys(blank)))
      if (typeof stored[name] === typeof blank[name] && stored[name] !== null) loaded[name] = stored[name];
    return loaded;
  } catch {
    return { ...blank }; // storage is unavailable or invalid
  }
}

/**
 * @param {keyof typeof STORES} store
 * @param {object | null} value null: nothing remains
 */
export function save(store, value) {
  try {
    if (value === null) localStorage.removeItem(keyOf(store));
    else localStorage.setItem(keyOf(store), JSON.stringify(value));
  } catch {
    /* storage is unavailable */
  }
}

/** The settings. A missing or invalid one has its default. */
export const loadSettings = () => ({ ...load('settings', defaults), ...(asked && { language: asked }) });

/**
 * Saves one setting: the others may have been changed in another window.
 * @template {keyof Settings} Name
 * @param {Name} name
 * @param {Settings[Name]} value
 */
export const saveSetting = (name, value) => save('settings', { ...load('settings', defaults), [name]: value });

/** The results of games and puzzles. */
export const loadRecord = () => load('record', structuredClone(blankRecord));

/** The stored game, or null. */
export function loadGame() {
  /** @type {StoredGame} */
  const game = load('game', { start: '', moves: '', at: 0, last: -1, end: '', black: 'human', white: 'human', counted: false });
  return game.start ? game : null;
}
