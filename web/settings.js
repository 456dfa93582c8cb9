// What is stored on this device. Without access to storage it lasts as long as the page.

import { BEGINNER } from './format.js';

const STORES = { settings: 'neutreeko', game: 'neutreeko-game', record: 'neutreeko-record' };

/** The language that the address asks for, as "?lang=ja". */
const asked = new URLSearchParams(location.search).get('lang');

const defaults = {
  language: navigator.language.startsWith('ja') ? 'ja' : 'en',
  theme: 'auto',
  met: false, // has seen or skipped the introduction
  values: false, // shown while playing
  plies: false, // distances in plies instead of moves
  keys: true,
  sound: false,
  vibration: false,
  opponent: BEGINNER,
  colour: 'black', // 'black' | 'white' | 'random' | 'two' | 'watch'
  grade: 'easy', // of puzzles
};

const blankRecord = {
  games: {}, // by opponent: [won, drawn, lost]
  puzzles: {}, // by grade: [solved, failed]
  rating: 1000,
  streak: 0,
  bestStreak: 0,
  daily: '', // the date of the last daily puzzle that was solved
  days: 0, // solved on so many days in a row until then
};

function load(store, blank) {
  try {
    const stored = JSON.parse(localStorage.getItem(STORES[store]) ?? '{}');
    const loaded = { ...blank };
    for (const name of Object.keys(blank))
      if (typeof stored[name] === typeof blank[name] && stored[name] !== null) loaded[name] = stored[name];
    return loaded;
  } catch {
    return { ...blank }; // storage is unavailable or invalid
  }
}

export function save(store, value) {
  try {
    if (value === null) localStorage.removeItem(STORES[store]);
    else localStorage.setItem(STORES[store], JSON.stringify(value));
  } catch {
    /* storage is unavailable */
  }
}

/** The settings. A missing or invalid one has its default. */
export const loadSettings = () => ({ ...load('settings', defaults), ...(asked && { language: asked }) });

/** The results of games and puzzles. */
export const loadRecord = () => load('record', structuredClone(blankRecord));

/** The stored game, as address() describes one, with its players; or null. */
export function loadGame() {
  const game = load('game', { start: '', moves: '', at: 0, end: '', black: 'human', white: 'human', counted: false });
  return game.start ? game : null;
}
