// Tests that nothing stored or in an address keeps the page from working. From the environment: as in pages.mjs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect, isDeepStrictEqual } from 'node:util';

import * as input from '../../web/page/state/input.js';
import { FILE, onPage, PAGE, point as click, press, ready, shows, withPage } from './pages.mjs';

const NAMES = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf'];
const DEEP = 10000;
const NESTED = `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`;
const short = (text) => text.slice(0, 40);

// ---- the reader ----

const { digits, entriesOf, flag, integer, list, object, oneOf, orNull, text } = input;
const { readObject, readQuery, readStored } = input;

/** Checks, values that they accept, and values that they reject in addition to those of another shape. */
const CHECKS = {
  'a flag': [flag, [false]],
  'an integer': [integer(-1, 3), [-1, 3], [-2, 4]],
  'a text': [text(/^a+$/), ['aa', 'a'.repeat(1e6)], ['b']], // where there is a limit, it is that of what may be typed
  'one of several values': [oneOf(['a', 'b']), ['b'], ['c']],
  'null or a value': [orNull(flag), [null, true]],
  'a list': [list(flag, 1, 2), [[true]], [[], [true, true, true], [true, 1], { 0: true, length: 1 }]],
  'the entries of an object': [entriesOf(oneOf(['a']), flag), [{}, { a: true }], [[true]]],
  'an object': [object({ a: flag }), [{ a: true }], [{ a: 1 }, Object.create({ a: true })]],
};
const SHAPES = [undefined, null, Number.NaN, Number.POSITIVE_INFINITY, 1.5, 2 ** 53, 1n, 'x', '1', [], {}, () => 0,
  Symbol('x')];
const isAmong = (values, value) => values.some((one) => isDeepStrictEqual(one, value));
for (const [name, [check, accepted, rejected = []]] of Object.entries(CHECKS))
  test(`what is not ${name} is rejected`, () => {
    for (const value of accepted) assert.deepEqual(check(value), value);
    for (const value of [...rejected, ...SHAPES.filter((shape) => !isAmong(accepted, shape))])
      assert.equal(check(value), undefined, inspect(value));
  });

test('of several texts, one in other letters or with more is rejected, and what each object has', () => {
  for (const value of [...NAMES, '', 'EN', 'en\0']) assert.equal(oneOf(['en', 'ja'])(value), undefined, value);
});

test('a number of an address has only digits, and at most nine', () => {
  assert.equal(digits('012'), 12);
  for (const value of ['', '-1', '1e3', '0x1', ' 1', '1.0', '1'.repeat(10), 1, null])
    assert.equal(digits(value), undefined, String(value));
});

test('a prototype of an object gives no property', () => {
  assert.deepEqual(readObject(Object.create({ a: true }), { a: [flag, false] }), { a: false });
  assert.deepEqual(readObject(JSON.parse('{"__proto__": {"a": true}}'), { a: [flag, false] }), { a: false });
});

test('entries with a name or a value of another shape are left out', () => {
  const found = entriesOf(text(/^[ac]$/), flag)(JSON.parse('{"__proto__": true, "a": true, "b": true, "c": 1}'));
  assert.deepEqual(Object.entries(found), [['a', true]]);
});

test('an entry named __proto__ is an own property', () => {
  const found = entriesOf(text(), flag)(JSON.parse('{"__proto__": true}'));
  assert.equal(Object.getPrototypeOf(found), Object.prototype);
  assert.deepEqual(Object.keys(found), ['__proto__']);
});

test('a query has the last value of each name', () => {
  assert.deepEqual(Object.entries(readQuery('__proto__=a&b=1&b=2')), [['__proto__', 'a'], ['b', '2']]);
});

const SHAPELESS = [...NAMES, '', null, -1, 1.5, Number.POSITIVE_INFINITY, [], {}, ['a'], '7', JSON.parse(NESTED)];
test('a property of a wrong shape has its default, and the others remain', () => {
  for (const b of SHAPELESS)
    assert.deepEqual(readObject({ a: true, b }, { a: [flag, false], b: [integer(0), 3] }), { a: true, b: 3 });
});

test('what is not an object has the default of each property', () => {
  for (const value of [undefined, null, 7, 'x', [], [true]])
    assert.deepEqual(readObject(value, { a: [flag, false] }), { a: false });
});

/** Reads what is stored from a storage that returns `value`. */
function readFrom(value) {
  globalThis.localStorage = { getItem: () => value };
  try {
    return readStored('x');
  } finally {
    delete globalThis.localStorage;
  }
}

test('what is stored is read', () => {
  assert.deepEqual(readFrom('{"a": 1}'), { a: 1 });
});

for (const value of ['', '{', '{"a": 1', 'undefined', "{'a': 1}", '\0', '['.repeat(1e5)])
  test(`the damaged JSON ${JSON.stringify(short(value))} is as if nothing were stored`, () => {
    assert.equal(readFrom(value), undefined);
  });

test('nothing is stored if there is no storage', () => {
  assert.equal(readStored('x'), undefined); // as in Node.js
});

// ---- the page ----

/** The setup of a page with these texts in its storage. */
const withStored = (texts) => ({ texts, fresh: true });

const SETTINGS = ['language', 'theme', 'opponent', 'colour', 'grade', 'starts', 'sound', 'warnings', 'values', 'keys'];
const RECORD = ['games', 'puzzles', 'rating', 'streak', 'bestStreak', 'daily', 'days'];
const GAME = ['start', 'moves', 'at', 'last', 'end', 'black', 'white', 'counted'];
/** JSON of an object with the same value for all of its properties. */
const each = (names, value) => `{${names.map((name) => `"${name}": ${value}`).join()}}`;

/** Opens whatever depends on the settings, which are the defaults, and on the record, which is empty. */
async function worksByDefault(page) {
  await shows(page, { 'html[lang=en]': 1 });
  await press(page, 'Escape');
  await click(page, '#menu-button');
  await shows(page, { '#theme-button': 'Theme: system', '#warnings[aria-checked=true]': 1 });
  await click(page, '#close');
  await press(page, 'n');
  await shows(page, {
    'input[name=opponent][value="level:1"]:checked': 1,
    'input[name=colour][value=black]:checked': 1,
  });
  await click(page, '#start-game');
  await shows(page, { '#headline': 'Your move' });
  await click(page, '#menu-button', '#menu-statistics');
  await shows(page, { '#statistics table': 0, '#statistics': /^(?!.*Rating).*No finished games/s, '#delete': 0 });
  await press(page, 'Escape');
  await click(page, '#tab-learn', '#to-puzzle');
  // The puzzle of the day is of no grade that was chosen.
  await shows(page, { 'input[name=grade]:checked': 0, '#rating': 0, '#puzzle-next': 1 });
  await click(page, '#puzzle-next');
  await shows(page, { 'input[name=grade][value=easy]:checked': 1, '#subline': /./ });
}

const INHERITED = '{"constructor": [0, 0, 0], "__proto__": {"a": 1}}';
for (const value of [INHERITED, NESTED])
  onPage(
    `the page works with ${short(value)} for each setting and each part of the record and the game`,
    withStored({
      neutreeko: each(['met', ...SETTINGS], value).replace(/"met": [^,]*/, '"met": true'),
      'neutreeko-record': each(RECORD, value),
      'neutreeko-game': each(GAME, value),
    }),
    worksByDefault,
  );

const INVALID = {
  neutreeko: '{"met": true, "language": "toString", "opponent": "level:99", "starts": null, "grade": "zzz"}',
  'neutreeko-record': '{"games": {"perfect": 7}, "puzzles": [[1]], "rating": "x"}',
  'neutreeko-game': each(GAME, '"__proto__"'),
};
onPage('the page works with settings, a record and a game of invalid texts', withStored(INVALID), worksByDefault);

for (const value of ['null', '{'])
  onPage(
    `the page works if '${value}' is all that is stored`,
    withStored({ neutreeko: value, 'neutreeko-record': value, 'neutreeko-game': value }),
    async (page) => {
      await click(page, '#skip');
      await click(page, '#start-game');
      await shows(page, { '#headline': 'Your move' });
    },
  );

const partly = withStored({
  neutreeko: '{"met": true, "grade": "zzz", "plies": true}',
  'neutreeko-record': `{
    "games": {
      "perfect": [1, 2, 3], "level:2": [1, 2], "constructor": [4, 5, 6], "__proto__": [7, 8, 9], "level:5": "x",
      "level:9": [6, 7, 8]
    },
    "helped": {"perfect": 4}, "puzzles": {"easy": [4, 5], "hard": null, "toString": [6, 7]},
    "rating": "high", "streak": -3, "bestStreak": 8, "daily": "<b>"
  }`,
});
onPage('the valid parts of a damaged record remain', partly, async (page) => {
  await press(page, 'Escape');
  await click(page, '#menu-button', '#menu-statistics');
  await shows(page, {
    '#statistics tbody tr': 3,
    '#statistics':
      /Medium\s+6\s+7\s+8\s+0\s+Perfect.*\s1\s+2\s+3\s+4\s[\s\S]*Easy.*\s4\s+5\s[\s\S]*Rating: 1000 · Best streak: 8/,
  });
});

test('the language of an address is one of those of the page, or that of the settings', async () => {
  await withPage({ settings: { language: 'ja' }, fresh: true }, async (page) => {
    for (const [name, language] of [['__proto__', 'ja'], ['EN', 'ja'], ['ja&lang=en', 'en']]) {
      await page.goto(`${PAGE}?lang=${name}#view=explore`);
      await ready(page);
      await shows(page, { [`html[lang=${language}]`]: 1 });
    }
    await click(page, '#menu-button', '#sound');
    assert.equal(await page.evaluate(() => JSON.parse(localStorage.neutreeko).language), 'ja');
    await click(page, '#language-button');
    await page.reload(); // the address asks for no language any more
    await ready(page);
    await shows(page, { 'html[lang=ja]': 1, '#tab-explore[aria-selected=true]': 1 });
  });
});

const DENIED = `Object.defineProperty(window, 'localStorage', {
  get() { throw new DOMException('no', 'SecurityError'); },
});`;
onPage('the page works if every access to storage throws', { url: FILE, prepare: DENIED }, async (page) => {
  await click(page, '#skip', '#start-game');
  await press(page, 'x');
  await shows(page, { '#subline': 'Draw with best play.' });
  await click(page, '#menu-button', '#menu-statistics');
  await shows(page, { '#statistics table': 0 });
  await press(page, 'Escape');
  await click(page, '#tab-learn', '#to-puzzle');
  await shows(page, { '#hint': 1, '#notice:not([hidden])': 0 });
  await click(page, '#tab-explore'); // where something is written
  await shows(page, { '#notice': /^This browser stores nothing/ });
});
