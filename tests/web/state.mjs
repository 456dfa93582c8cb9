// What the unit tests of the page's state share: the engine, a browser without a page, the state after actions, and
// actions. From the environment: NEUTREEKO_WASM, NEUTREEKO_TABLE (files).

import { readFileSync } from 'node:fs';
import { before, beforeEach } from 'node:test';

import { load } from '../../web/engine/elements.js';
import { Engine, loadEngine } from '../../web/engine/engine.js';
import { Module } from '../../web/engine/module.js';
import { solveInMemory } from '../../web/engine/solve.js';
import { useRules } from '../../web/page/state/boards.js';

export const { NEUTREEKO_WASM, NEUTREEKO_TABLE } = process.env;
export const engine = await loadEngine(readFileSync(NEUTREEKO_WASM), readFileSync(NEUTREEKO_TABLE));
useRules(engine);

export const FAIR = '5/b4/1w3/w1b2/b3w b'; // where a4-a5 is legal

// The page needs functions of arrays that Node.js 18 lacks.
Array.prototype.with ??= function withItem(at, item) {
  return Object.assign([...this], { [at]: item });
};
Array.prototype.toSpliced ??= function toSpliced(...changes) {
  const items = [...this];
  items.splice(...changes);
  return items;
};

/** A storage that takes everything and has these values. */
const storageOf = (getItem) => ({ getItem, setItem() {}, removeItem() {} });
/** A storage that remembers what another one takes. */
function remembering(storage) {
  const written = {};
  const setItem = (key, text) => {
    storage.setItem(key, text);
    written[key] = text;
  };
  const removeItem = (key) => setItem(key, null);
  return { getItem: (key) => (key in written ? written[key] : storage.getItem(key)), setItem, removeItem };
}
/** A browser that has forgotten what it has stored. */
const EMPTY = { localStorage: storageOf(() => null), sessionStorage: storageOf(() => null) };
globalThis.navigator ??= { language: 'en' };
globalThis.document = { documentElement: {} };
/** What a test has done to the history: pairs of what was done and the address. */
export const done = [];
function openBrowser() {
  done.length = 0;
  const write = (how) => (state, _, hash) => {
    globalThis.history.state = state;
    globalThis.location.hash = hash;
    done.push([how, hash]);
  };
  Object.assign(globalThis, EMPTY, {
    location: { search: '', hash: '', href: 'https://example.org/', protocol: 'https:',
      reload: () => done.push(['reload']) },
    history: { state: null, pushState: write('push'), replaceState: write('replace') },
  });
}
openBrowser();
beforeEach(openBrowser);

/** Modules that need this browser, and the state after opening the page. */
export const page = {};
before(async () => {
  Object.assign(page, ...await Promise.all([
    import('../../web/page/state/address.js'),
    import('../../web/page/state/boards.js'),
    import('../../web/page/state/editor.js'),
    import('../../web/page/state/effects.js'),
    import('../../web/page/state/exercise.js'),
    import('../../web/page/state/game.js'),
    import('../../web/page/state/lists.js'),
    import('../../web/page/state/new_game.js'),
    import('../../web/page/state/notes.js'),
    import('../../web/page/state/open.js'),
    import('../../web/page/state/open_text.js'),
    import('../../web/page/state/position.js'),
    import('../../web/page/state/puzzle.js'),
    import('../../web/page/state/record.js'),
    import('../../web/page/state/review.js'),
    import('../../web/page/state/shown.js'),
    import('../../web/page/state/storage.js'),
    import('../../web/page/state/store.js'),
    import('../../web/page/state/study.js'),
    import('../../web/page/state/typing.js'),
    import('../../web/page/format.js'),
    import('../../web/page/texts.js'),
  ]));
  load(() => new Uint8Array(), '', '#board=');
  const { reduce } = page;
  page.reduce = (state, action) => frozen(reduce(frozen(state), action)); // what would change a state, throws
  page.engine = engine;
  page.initial = (of = engine) => page.initialState(of, { ...page.loadSettings(), met: true });
  page.blank = (of) => ({ ...page.initial(of), solving: null });
});

/** Freezes all that a state has but the engine. */
function frozen(value) {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || value instanceof Engine) return value;
  Object.freeze(value);
  for (const part of value instanceof Map ? value.values() : Object.values(value)) frozen(part);
  return value;
}

/** The state that follows one by actions, of which each may be a function of the state before it. */
export const from = (first, ...actions) =>
  actions.reduce((state, action) => page.reduce(state, typeof action === 'function' ? action(state) : action), first);

/** The state when the values of the board are there. */
export const solved = (state, engine = page.engine) =>
  page.reduce(state, { type: 'solved', engine, byPlies: [] });

/** The state after the page has been opened, and actions. */
export const after = (...actions) => from(page.blank(), open('#'), ...actions);

/** The same before the values of the board are there. */
export const unsolved = (...actions) => from(page.initial(), open('#'), ...actions);

/** A store with the history. */
export function storeOf(first) {
  const store = page.createStore(first);
  store.followers.push(page.createHistory(first));
  return store;
}

/** The state after actions, of which each is followed by storing what it has changed, and what the last one speaks. */
function run(first, actions) {
  const { localStorage, sessionStorage } = globalThis;
  Object.assign(globalThis, { localStorage: remembering(localStorage), sessionStorage: remembering(sessionStorage) });
  const store = storeOf(first);
  let [before, spoken] = [first, []];
  store.followers.push((state) => ([before, spoken] = [state, page.spokenOf(state, before)]));
  for (const one of actions) store.dispatch(typeof one === 'function' ? one(store.state) : one);
  Object.assign(globalThis, { localStorage, sessionStorage });
  return { state: store.state, spoken };
}
export const kept = (first, ...actions) => run(first, actions).state;
export const spokenAfter = (first, ...actions) => run(first, actions).spoken;

/** What a function returns while these values are stored on the device, by key. */
export function withStored(values, use) {
  const getItem = (key) => (key in values ? JSON.stringify(values[key]) : null);
  globalThis.localStorage = storageOf(getItem);
  try {
    return use();
  } finally {
    Object.assign(globalThis, EMPTY);
  }
}

export const remove = (id) => ({ type: 'removePosition', own: '1', id });
export const DELETE = { type: 'deleteStudy', own: '1' };
export const open = (hash) => ({ type: 'openAddress', hash });
export const move = (text) => ({ type: 'move', move: text });
export const show = (view) => ({ type: 'show', view });
export const step = (way) => ({ type: 'step', way });
export const goto = (ply) => ({ type: 'goto', ply });
export const note = (state) => ({ type: 'type', field: page.fieldOf(state), text: 'Mine' });
export const select = (id) => ({ type: 'selectPosition', id });
export const TWO = { type: 'begin', players: { black: 'human', white: 'human' }, seed: 1 };
export const AGAINST = { type: 'begin', players: { black: 'human', white: 'level:1' }, seed: 1 };
export const MOVED = [AGAINST, move('b1-c1')];
/** Another game, of the same kind. */
export const ANOTHER = [{ type: 'openNewGame' }, { type: 'beginNewGame', seed: 1 }];
export const RESIGN = [{ type: 'resign' }, { type: 'resign' }];
export const DRAW = [{ type: 'agreeDraw' }, { type: 'agreeDraw' }];

export const COMMENT = { kind: 'studyComment', own: '1', id: 2, moves: 'd1c1' };
export const POSITION = { id: 1, start: FAIR, moves: '', at: 0, notes: '', names: '' };
export const OTHER_STUDY = JSON.stringify(
  { 'neutreeko-study': 1, board: '5x5/3', title: 'Other', positions: [POSITION] },
);
export const STUDY = { title: 'Mine', positions: [POSITION], exercise: false };
export const EXERCISES = { board: '5x5/3', title: 'Two', exercise: true, positions: [
  { ...POSITION, moves: 'a4a5', notes: '0 c3 Here' }, { ...POSITION, id: 2 },
] };

/** The own study in its view, of positions with these moves. */
export function inStudy(...moves) {
  const positions = moves.map((one, n) => ({ id: n + 1, start: page.engine.start, moves: one, at: 0, notes: '',
    names: '' }));
  return page.reduce({ ...after(), settings: { ...after().settings, studies: {} },
    ownStudies: { 1: { title: 'Mine', positions, exercise: false } } }, show('study'));
}

/** A state that searches for a puzzle. */
export const searching = (search) => {
  const state = after(show('puzzle'));
  return { ...state, exercises: { ...state.exercises, puzzle: { ...state.exercises.puzzle, search } } };
};

export const SMALL = { width: 4, height: 4 };
/** The engine of a board, with its rules and, later, its values. */
export async function engineOf(board) {
  const module = await Module.instantiate(readFileSync(NEUTREEKO_WASM));
  module.useBoard(board);
  const solve = () => {
    for (const _ of solveInMemory(module));
    return new Engine(module, true);
  };
  return { rules: new Engine(module, false), solve };
}

export const SHARE = { type: 'open', dialog: 'share' };
/** The actions that open a text. */
export const opening = (text) => [SHARE, { type: 'openText', text }];
const FILE = { size: 9 };
export const CHOOSE_FILE = [SHARE, { type: 'openFile', file: FILE }];
export const readFile = (text) => ({ type: 'fileRead', request: FILE, text });
/** The reply of an opponent, and that in a puzzle. */
export const reply = ({ game: { gameState: request } }) => ({ type: 'reply', request, seed: 1 });
export const replyInPuzzle = ({ exercises: { puzzle } }) =>
  ({ type: 'exerciseStep', request: puzzle.gameState, seed: 1 });
/** A puzzle in which a draw is to be kept. */
export const TO_DRAW = open('#view=puzzle&start=5/5/w4/5/bbwbw_b');
/** The last move of a friend arrives. */
export const arrived = (state) => ({ type: 'friendMoved', request: state.game.coming });

/** A game of two people that begins there. */
export const FROM_FAIR = [
  { type: 'openNewGame', position: FAIR }, { type: 'changeNewGame', changes: { opponent: 'human' } },
  { type: 'beginNewGame', seed: 1 },
];
/** The game that was left last is gone on with. */
export const RESUME = ({ recent: [{ game }] }) => ({ type: 'resumeRecent', game });
/** A game of a friend, who has made the last move. */
export const FRIEND = [open('#moves=b1c1.b5c5&friend=17'), arrived];
