// Tests of the tables that are kept on the device (web/page/tables.js), in Chromium. From the environment: as in
// pages.mjs, and NEUTREEKO_WASM and NEUTREEKO_TABLE (files).

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { launch, newPage, serve } from './browser.mjs';
import { folder } from './programs.mjs';

const web = fileURLToPath(new URL('../../web', import.meta.url));
let browser;
let server;
let address;

before(async () => {
  const imports = { '#zlib': 'data:text/javascript,export const [inflate, deflate] = [];' }; // nothing is compressed
  const importMap = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
  writeFileSync(join(folder, 'index.html'), `<!doctype html><title>empty</title>${importMap}`);
  const { NEUTREEKO_WASM, NEUTREEKO_TABLE } = process.env;
  const paths = { '/neutreeko.wasm': NEUTREEKO_WASM, '/perfect_move.dat': NEUTREEKO_TABLE };
  [server, address] = await serve((path) => paths[path] ?? join(path.endsWith('.js') ? web : folder, path));
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** An entry of a board such as 3x4/2. */
function entryOf(name, bytes) {
  const [width, height] = name.match(/\d/g).map(Number);
  const rows = [`bb${width - 2}`, ...Array(height - 2).fill(width), `ww${width - 2}`];
  const start = `${rows.join('/')} b`;
  const summary = { placements: 1, legal: 1, wins: 0, losses: 0, draws: 1, stalemates: 0, longest: 0 };
  const value = { result: 'draw', plies: 0 };
  const known = { byPlies: null, longest: null, verified: false };
  const result = { board: {}, bytes, summary, start, value, kept: 1, first: 1, ...known };
  return { name, bytes, result, used: 1 };
}

/** Loads an empty page of a new browser, where the rules are those of the engine, and calls a function there. */
async function inBrowser(task, argument) {
  const page = await newPage(browser);
  try {
    await page.goto(address);
    await page.evaluate(async () => {
      const bytes = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
      const [{ useRules }, { openTable }] = [await import('/page/boards.js'), await import('/engine/engine.js')];
      const [wasm, table] = [await bytes('/neutreeko.wasm'), await bytes('/perfect_move.dat')];
      useRules(await openTable(wasm, table, { complete: false }));
    });
    return await page.evaluate(task, argument);
  } finally {
    await page.context().close();
  }
}

const A = '3x3/2';
const B = '3x4/2';
const C = '3x5/2';

/**
 * Keeps tables, [name, bytes], one after the other, in a new browser. Returns the names of those that are then kept,
 * the one that was used last first, and the names of the errors.
 */
function keep(budget, sizes) {
  const entries = sizes.map(([name, bytes]) => entryOf(name, bytes));
  const keepAll = async ([most, tables]) => {
    const { list, put } = await import('/page/tables.js');
    let time = 0;
    Date.now = () => time++;
    const failures = [];
    for (const entry of tables) {
      const table = new Blob([new Uint8Array(entry.bytes)]);
      await put(entry, table, most).catch((error) => failures.push(error.name));
    }
    const kept = await list();
    return { kept: kept.map(({ name }) => name), failures };
  };
  return inBrowser(keepAll, [budget, entries]);
}

test('a table as large as the budget is kept', async () => {
  assert.deepEqual(await keep(100, [[A, 100]]), { kept: [A], failures: [] });
});

test('a table that is a byte larger than the budget is not kept, and removes no other', async () => {
  assert.deepEqual(await keep(100, [[A, 60], [B, 101]]), { kept: [A], failures: ['QuotaExceededError'] });
});

test('tables that fill the budget are kept', async () => {
  assert.deepEqual(await keep(100, [[A, 30], [B, 30], [C, 40]]), { kept: [C, B, A], failures: [] });
});

test('a table for which a byte is missing takes the place of the one used longest ago', async () => {
  assert.deepEqual(await keep(100, [[A, 30], [B, 30], [C, 41]]), { kept: [C, B], failures: [] });
});

test('a table that is kept again takes its own place', async () => {
  assert.deepEqual(await keep(100, [[A, 60], [B, 40], [A, 60]]), { kept: [A, B], failures: [] });
});

test('a table is kept as bytes, and read as a file', async () => {
  const found = await inBrowser(async (entry) => {
    const { get, put } = await import('/page/tables.js');
    await put(entry, new Blob([new Uint8Array([1, 2, 3])]), 100);
    const file = await get(entry.name);
    const database = await new Promise((resolve) => {
      indexedDB.open('neutreeko').onsuccess = ({ target }) => resolve(target.result);
    });
    const stored = await new Promise((resolve) => {
      const request = database.transaction('tables').objectStore('tables').get(entry.name);
      request.onsuccess = () => resolve(request.result);
    });
    return { kind: stored.constructor.name, read: [...new Uint8Array(await file.arrayBuffer())] };
  }, entryOf(A, 3));
  assert.deepEqual(found, { kind: 'Uint8Array', read: [1, 2, 3] });
});

test('an entry that has been removed is not updated', async () => {
  const kept = await inBrowser(async (entries) => {
    const { list, put, remove, update } = await import('/page/tables.js');
    for (const entry of entries) await put(entry, new Blob(['x']), 100);
    const [removed, other] = entries;
    await remove([removed.name]);
    for (const entry of [removed, other]) await update({ ...entry, bytes: 2 });
    return (await list()).map(({ name, bytes }) => [name, bytes]);
  }, [entryOf(A, 1), entryOf(B, 1)]);
  assert.deepEqual(kept, [[B, 2]]);
});

test('a request that fails is an error, although its transaction never ends', async () => {
  const error = await inBrowser(async (entry) => {
    const { put } = await import('/page/tables.js');
    IDBObjectStore.prototype.put = function () {
      Object.assign(this.transaction, { oncomplete: null, onabort: null });
      const request = { error: new DOMException('full', 'QuotaExceededError') };
      setTimeout(() => request.onerror());
      return request;
    };
    return put(entry, new Blob(['x']), 100).catch(({ name }) => name);
  }, entryOf(A, 1));
  assert.equal(error, 'QuotaExceededError');
});

for (const [what, prepare] of [
  ['opened', () => (IDBFactory.prototype.open = () => ({}))],
  ['read', () => (IDBObjectStore.prototype.getAll = () => ({}))],
])
  test(`storage that cannot be ${what} is given up after some time`, async () => {
    const error = await inBrowser(async (script) => {
      const { list } = await import('/page/tables.js');
      const { timeout } = AbortSignal;
      AbortSignal.timeout = () => timeout.call(AbortSignal, 100);
      new Function(`(${script})()`)();
      return list().catch(({ name }) => name);
    }, `${prepare}`);
    assert.equal(error, 'TimeoutError');
  });

const good = entryOf(A, 9);
const withResult = (changes) => ({ ...good, result: { ...good.result, ...changes } });
const DAMAGED = {
  'null': null,
  'a number': 7,
  'a text': 'x',
  'a list': [],
  'an empty object': {},
  'a negative size': { ...good, bytes: -1 },
  'a size that is not a number': { ...good, used: Number.NaN },
  'the name of another board': { ...good, name: B },
  'no result': { ...good, result: null },
  'a size as text in its result': withResult({ bytes: '1' }),
  'the start __proto__': withResult({ start: '__proto__' }),
  'a number as its start': withResult({ start: 7 }),
  'the start of another board': withResult({ start: '8/8/8/8/8/8/8/8 b' }),
  'an invalid longest win': withResult({ longest: 'x' }),
  'a text as whether it is verified': withResult({ verified: 'x' }),
  'no value': withResult({ value: null }),
  'the result constructor': withResult({ value: { result: 'constructor', plies: 1 } }),
  'a negative distance': withResult({ value: { result: 'win', plies: -1 } }),
  'an empty summary': withResult({ summary: {} }),
  'a number as its summary': withResult({ summary: 7 }),
  'a text as its numbers by plies': withResult({ byPlies: 'x' }),
  'a text among its numbers by plies': withResult({ byPlies: [1, 'x'] }),
  'too many numbers by plies': withResult({ byPlies: new Array(20000).fill(1) }),
  'half a first move': withResult({ kept: 1.5 }),
  'infinitely many first moves': withResult({ first: Number.POSITIVE_INFINITY }),
};

/** Stores entries, [key, value], as they are. Returns the names that list() then has, and the keys that are left. */
const listOf = (entries) =>
  inBrowser(async (pairs) => {
    const { list } = await import('/page/tables.js');
    await list(); // makes the stores
    const settled = (request) =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = reject;
      });
    const database = await settled(indexedDB.open('neutreeko', 1));
    const open = () => database.transaction('entries', 'readwrite').objectStore('entries');
    for (const [key, value] of pairs) await settled(open().put(value, key));
    const listed = await list();
    return { names: listed.map(({ name }) => name), keys: await settled(open().getAllKeys()) };
  }, entries);

test('an entry of the right shape is listed', async () => {
  assert.deepEqual(await listOf([[A, good]]), { names: [A], keys: [A] });
});

for (const [name, entry] of Object.entries(DAMAGED))
  test(`an entry that is or has ${name} is removed, and no other`, async () => {
    const other = entryOf(C, 9);
    assert.deepEqual(await listOf([[A, entry], [C, other]]), { names: [C], keys: [C] });
  });

for (const key of ['__proto__', 'constructor', '3x3/2/row2', 7])
  test(`an entry with the key ${key}, which is not the name of a board, is removed`, async () => {
    assert.deepEqual(await listOf([[key, { ...good, name: key }]]), { names: [], keys: [] });
  });
