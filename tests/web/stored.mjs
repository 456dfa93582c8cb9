// Tests of what an action stores on the device (web/page/state/storage.ts), and of what this window and others have
// stored, without a browser. From the environment: what state.mjs names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';

import {
  AGAINST, ANOTHER, COMMENT, DELETE, DRAW, FAIR, MOVED, RESIGN, STUDY, TWO, after, inStudy, kept, move, open, page,
  remove, show, spokenAfter, withStored,
} from './state.mjs';

/** Stored games that are not as the page stores them, and their moves as it reads them. */
const STORED_GAMES = {
  'with an illegal move keeps those before it': [{ moves: 'b1c1.zzz', at: 2 }, ['b1-c1']],
  'with a missing parenthesis keeps its moves': [{ moves: 'b1c1(d1c1', at: 1 }, ['b1-c1']],
  'from an invalid start has no moves': [{ start: 'zzz', moves: 'b1c1', at: 1 }, []],
  'against an unknown opponent is not continued': [{ moves: 'b1c1', at: 1, white: 'constructor' }, []],
  'against a friend is continued': [{ moves: 'b1c1', at: 1, white: 'friend:17' }, ['b1-c1']],
  'against a level that does not exist is not continued': [{ moves: 'b1c1', at: 1, black: 'level:99' }, []],
  'at half a move is shown at its start': [{ moves: 'b1c1', at: 1.5, last: 'length' }, ['b1-c1'], 0],
};
for (const [name, [changes, moves, at = moves.length]] of Object.entries(STORED_GAMES))
  test(`a stored game ${name}`, () => {
    const stored = { start: page.engine.start, at: 0, end: '', ...TWO.players, counted: false, ...changes };
    const found = withStored({ 'neutreeko-game': stored }, () => page.catchUp(page.blank(), open('#')));
    const { gameState } = page.reduce(found, open('#')).game;
    assert.deepEqual([gameState.moves.concat(gameState.undone), gameState.plies], [moves, at]);
  });

/** What a browser does that has no room left, or does not permit to store anything. */
function full() {
  throw new DOMException('full', 'QuotaExceededError');
}
function refused() {
  throw new DOMException('no access', 'SecurityError');
}

test('what cannot be stored is known', () => {
  const stored = (setItem, value, ...actions) => withStored({}, () => {
    localStorage.setItem = setItem;
    const all = [after(), { type: 'changeSetting', name: 'language', value }, ...actions];
    return { ...kept(...all), spoken: spokenAfter(...all) };
  });
  assert.equal(stored(full, 'ja').unsaved, 'full');
  assert.match(stored(full, 'ja').spoken.join(), /^This browser has no room left/);
  assert.deepEqual(stored(full, 'ja', { type: 'flip' }).spoken, ['White at the bottom.']); // it is said once
  assert.equal(stored(() => {}, 'ja').unsaved, null);
  assert.equal(stored(refused, 'xx').unsaved, 'refused');
  globalThis.localStorage = null;
  assert.equal(kept(after(), { type: 'changeSetting', name: 'language', value: 'ja' }).unsaved, 'refused');
  assert.equal(stored((key) => (key === 'neutreeko' ? refused() : full()), 'ja', TWO).unsaved, 'full');
  assert.equal(stored(() => {}, 'xx', TWO).unsaved, null);
});

/** Fills the storage. Returns a function that makes room, and what is stored from then on, by key. */
function fill() {
  const written = {};
  localStorage.setItem = full;
  return { written, makeRoom: () => (localStorage.setItem = (key, text) => (written[key] = text)) };
}

test('what could not be stored is stored as soon as there is room, whatever is done then', () => withStored({}, () => {
  const { written, makeRoom } = fill();
  const state = kept(after(TWO), move('b1-c1'), { type: 'addToStudy' });
  makeRoom();
  assert.deepEqual([state.unsaved, kept(state, { type: 'flip' }).unsaved], ['full', null]);
  assert.deepEqual(Object.keys(written), ['neutreeko-studies', 'neutreeko-game']);
}));

test('the own game that could not be stored is stored while that of a link is shown', () => withStored({}, () => {
  const { written, makeRoom } = fill();
  const state = kept(after(TWO), move('b1-c1'), open('#moves=d1c1'));
  makeRoom();
  kept(state, { type: 'flip' });
  assert.equal(JSON.parse(written['neutreeko-game']).moves, 'b1c1');
}));

/**
 * What is stored, by key, when this window does something while there is room, more while there is none, and something
 * else after another window has changed what is stored by functions, by key, in several steps, of which only the last
 * one makes room; and the state of this window then.
 */
const twoWindows = (first, actions, whileFull, ...steps) => withStored({}, () => {
  const written = {};
  let isFull = false;
  Object.assign(localStorage, {
    getItem: (key) => written[key] ?? null,
    setItem(key, text) {
      if (isFull) full();
      written[key] = text;
    },
  });
  const store = page.createStore(first);
  actions.forEach(store.dispatch);
  isFull = true;
  whileFull.forEach(store.dispatch);
  for (const [n, changes] of steps.entries()) {
    for (const [key, change] of Object.entries(changes))
      written[key] = JSON.stringify(change(JSON.parse(written[key] ?? 'null')));
    isFull = n + 1 < steps.length;
    store.dispatch({ type: 'flip' });
  }
  return { state: store.state, stored: (key) => JSON.parse(written[key]) };
});

test('what could not be stored of studies and settings is stored with what another window has stored', () => {
  const comment = (id, text) => ({ type: 'type', field: { ...COMMENT, id, moves: '' }, before: '', text });
  const setGrade = (value) => ({ type: 'changeSetting', name: 'grade', value });
  const setTheme = (value) => ({ type: 'changeSetting', name: 'theme', value });
  const { state, stored } = twoWindows(inStudy('b1c1', 'd1c1', 'b1b4', 'd1e2', 'd1d4', 'c4a4'),
    [{ type: 'newStudy' }, setGrade('hard'), { type: 'chooseStart', position: FAIR }],
    [{ type: 'chooseStudy', own: '1' }, comment(1, 'Mine'), comment(2, 'Mine'), comment(6, 'Mine'), remove(4),
      { type: 'addToStudy' }, { ...DELETE, own: '2' }, setGrade('expert'), setTheme('light'),
      { type: 'chooseStart', position: null }],
    { 'neutreeko-studies': ({ 1: one, 2: empty }) => ({ 1: one, 2: empty, 3: empty, 4: empty }) },
    {
      'neutreeko-studies': ({ 1: { positions: [first, second, third, fourth, fifth, last], ...one }, 2: empty }) => ({
        1: { ...one, title: 'Theirs',
          positions: [first, { ...second, notes: '0  Theirs' }, fourth, { ...fifth, notes: '0  Fifth' },
            { ...last, notes: '0  Last' }] },
        2: empty, 3: { ...one, positions: [third] },
      }),
      neutreeko: ({ starts: chosen, ...settings }) =>
        ({ ...settings, theme: 'dark', sound: true, starts: { ...chosen, '4x4/3': 'x' } }),
    });
  const { 1: mine, ...others } = stored('neutreeko-studies');
  assert.deepEqual([mine.title, ...mine.positions.map(({ id, moves, notes }) => [id, moves, notes])], ['Theirs',
    [1, 'b1c1', '0  Mine'], [2, 'd1c1', '0  Theirs'], [5, 'd1d4', '0  Fifth'], [6, 'c4a4', '0  Last'],
    [7, 'b1c1', '0  Mine'], [8, 'd1c1', '0  Mine'], [9, 'c4a4', '0  Mine']]);
  assert.deepEqual(Object.entries(others).map(([own, { positions }]) => [own, positions.length]), [['3', 1]]);
  const { grade, theme, sound, starts } = stored('neutreeko');
  assert.deepEqual([grade, theme, sound, starts], ['expert', 'light', true, { '4x4/3': 'x' }]);
  assert.deepEqual([page.startOf(state), state.unsaved], [page.engine.start, null]);
});

test('what could not be stored of games and results is stored with what another window has stored', () => {
  const lose = (first) => [AGAINST, move(first), ...RESIGN];
  const theirs = { start: FAIR, moves: 'a4a5', end: '', ...TWO.players, date: '2000-01-01', winner: null };
  const { ownGame: game } = kept(after(), ...MOVED);
  const { state, stored } = twoWindows(after(), lose('b1-c1'), [...lose('b1-b4'), open('#moves=d1c1')], {
    'neutreeko-games': (games) => [...Array.from({ length: 29 }, (_, n) => ({ ...theirs, date: `20${40 - n}-01-01` })),
      ...games],
    'neutreeko-record': (record) => ({ ...record, rating: 2300, games: { ...record.games, random: [1, 0, 0] } }),
    'neutreeko-game': () => game,
  });
  assert.equal(state.ownGame.moves, 'b1b4');
  const dates = stored('neutreeko-games').map(({ date }) => date);
  assert.deepEqual(dates, [...dates].sort().reverse());
  assert.equal(dates.length, 30);
  const { rating, games } = stored('neutreeko-record');
  assert.deepEqual([rating, games], [2300, { 'level:1': [0, 0, 2], 'random': [1, 0, 0] }]);
});

test('what could not be stored of a removal is stored besides games that another window has stored', () => {
  const { ownGame: game } = kept(after(), ...MOVED);
  const games = Array.from({ length: 30 }, (_, n) => ({ date: `20${70 - n}-01-01`, game }));
  const mine = [remove(1), show('play'), ...MOVED, ...ANOTHER]; // the game that is left is the oldest
  const { stored } = twoWindows(inStudy('b1c1', 'd1c1'), [], mine, { 'neutreeko-recent': () => games });
  assert.deepEqual(stored('neutreeko-recent').map((one) => 'removed' in one), [...Array(30).fill(false), true]);
});

test('each board has stores of its own, but for the settings', () => {
  const load = [page.loadResults, page.loadGames, page.loadStudies, page.loadAnswers, page.loadOwnGame,
    (board) => page.loadRecent(board, '')];
  const keys = (board) => {
    const asked = [];
    withStored({}, () => {
      Object.assign(globalThis, { sessionStorage: null });
      localStorage.getItem = (key) => {
        asked.push(key);
        return null;
      };
      for (const one of load) one(board);
    });
    return asked;
  };
  const standard = keys('5x5/3');
  assert.equal(new Set(standard).size, 7);
  assert.deepEqual(keys('4x4/3'), standard.map((key) => `${key}-4x4/3`));
});

test('the study that was chosen is known, whatever its number', () => {
  const studies = { '5x5/3': '12' };
  assert.deepEqual(withStored({ neutreeko: { studies } }, () => page.loadSettings().studies), studies);
});

test('what was left more than thirty days ago is forgotten', () => {
  const [{ game }] = after(...MOVED, ...ANOTHER).recent;
  const items = ['2026-11-30', '2026-10-31', '2026-10-30'].map((date) => ({ date, game }));
  const removed = { own: '1', study: STUDY, at: null };
  const stored = { 'neutreeko-recent': [...items, { date: '2026-11-01', removed }] };
  const found = withStored(stored, () => page.loadRecent('5x5/3', '2026-10-31'));
  assert.deepEqual(found.map((one) => [one.date, 'game' in one]),
    [['2026-11-30', true], ['2026-10-31', true], ['2026-11-01', false]]);
});

/** What windows share, and the actions of one of them. */
const KEYS = {
  'the results': ['neutreeko-record', { rating: 2300 }, ({ results }) => results.rating, 2300],
  'games': ['neutreeko-games',
    [{ start: FAIR, moves: 'a4a5', end: '', ...TWO.players, date: '2026-11-27', winner: null }],
    ({ games }) => games.map(({ moves }) => moves), ['a4a5']],
  'studies': ['neutreeko-studies', { 7: { title: 'Theirs', positions: [], exercise: false } },
    ({ ownStudies }) => ownStudies[7]?.title, 'Theirs'],
  'lessons': ['neutreeko', { lessons: { line: 3 } }, ({ settings }) => settings.lessons.line, 3],
  'the last lesson': ['neutreeko', { held: true }, ({ settings }) => settings.held, true],
  'where games begin': ['neutreeko', { starts: { '5x5/3': FAIR } }, (state) => page.startOf(state), FAIR],
};
for (const [what, [key, value, find, expected]] of Object.entries(KEYS))
  test(`what another window stores is known before the next action: ${what}`, () => {
    const state = after();
    const next = withStored({ [key]: value }, () => page.catchUp(state, show('explore')));
    assert.notDeepEqual(find(state), expected);
    assert.deepEqual(find(next), expected);
    assert.deepEqual(find(withStored({}, () => page.catchUp(next, show('play')))), find(state));
  });

test('games of a wrong shape are as if they were not kept, and one that is too long is not', () => {
  const game = { start: FAIR, moves: 'a4a5', end: '', ...TWO.players, date: '2026-11-27', winner: null };
  const count = (games) => withStored({ 'neutreeko-games': games }, () => page.loadGames('5x5/3').length);
  const WRONG = [{ moves: '' }, { moves: 'b1c1.'.repeat(801) }, { date: '<b>' }, { winner: 'human' }, { white: 7 }];
  for (const games of [{}, Array(31).fill(game), ...WRONG.map((one) => [{ ...game, ...one }])])
    assert.equal(count(games), 0, inspect(games));
  assert.equal(count(Array(30).fill(game)), 30);
  assert.equal(count([game, { ...game, date: '' }, game]), 2);
  const { game: { gameState, ...over }, ...state } = after(TWO, move('b1-c1'), ...DRAW);
  const long = { ...over, gameState: { ...gameState, moves: Array(801).fill('b1-c1') } };
  assert.equal(page.keepGame({ ...state, game: long }).games, state.games);
});

test('a game of another window is another one when it has been resigned, or something noted, there', () => {
  const { ownGame } = kept(after(), TWO, move('b1-c1'));
  const key = 'neutreeko-game';
  const found = (changes) =>
    withStored({ [key]: { ...ownGame, ...changes } }, () => page.otherGameSaved(key, '5x5/3', ownGame));
  assert.equal(found({}), null);
  for (const [name, value] of Object.entries({ end: 'resigned-black', notes: '0  Here', moves: 'd1c1', start: FAIR }))
    assert.equal(found({ [name]: value })?.[name], value);
  const other = `${key}-4x4/3`; // of another board
  assert.equal(withStored({ [other]: ownGame }, () => page.otherGameSaved(other, '5x5/3', null)), null);
});

test('a window that could not store its settings knows what another one has stored of the lessons', () => {
  const { state, stored } = twoWindows(after(), [], [{ type: 'chooseStart', position: FAIR }],
    { neutreeko: () => ({ lessons: { line: 3 }, theme: 'dark' }) }, {});
  assert.deepEqual([state.settings.lessons, state.settings.theme, page.startOf(state)], [{ line: 3 }, 'auto', FAIR]);
  const { lessons, theme, starts } = stored('neutreeko');
  assert.deepEqual([lessons, theme, starts], [{ line: 3 }, 'dark', { '5x5/3': FAIR }]);
});
