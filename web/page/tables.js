// The solved tables that are kept on this device, in IndexedDB, where a table appears whole or not at all. They are
// kept as bytes, since private windows of WebKit keep no blobs. All functions reject if the browser denies storage, as
// it may for a page that is opened from a file, or does not answer.

import { boardName, readBoard } from './boards.js';
import { flag, integer, list as listOf, object, oneOf, orNull } from './input.js';
import { readPosition } from './position.js';

/** @import { Board, Kept, Result, Solved } from './types.js' */

/** @type {Result[]} */
const RESULTS = ['win', 'draw', 'loss'];

/** The entries, by name, and apart from them the bytes of the tables. */
const STORES = ['entries', 'tables'];
const LIMIT = 20000; // milliseconds that the browser has for an answer: some never come

/** @type {Promise<IDBDatabase> | undefined} */
let database;

const count = integer(0);
const MOST_PLIES = 10000; // above all limits of the solver

/**
 * A position on a board, though perhaps not a legal one.
 * @param {Board} board
 * @returns {import('./input.js').Check<string>}
 */
const positionOn = (board) => (value) => {
  try {
    const sides = [...readPosition(String(value), board).pieces.values()];
    const isWhole = sides.length === 2 * board.pieces
      && sides.filter((side) => side === 'black').length === board.pieces;
    return isWhole ? String(value) : undefined;
  } catch {
    return undefined;
  }
};

/**
 * The entry of a table, or undefined if it has another shape.
 * @param {IDBValidKey} key
 * @param {unknown} value
 * @returns {Kept | undefined}
 */
function readKept(key, value) {
  const name = String(key);
  const board = readBoard(name);
  if (!board || boardName(board) !== key) return undefined;
  const position = positionOn(board);
  /** @type {import('./input.js').Checks<Solved>} */
  const solved = {
    board: () => board,
    bytes: count,
    summary: object({ placements: count, legal: count, wins: count, losses: count, draws: count, stalemates: count,
      longest: integer(0, MOST_PLIES) }),
    byPlies: orNull(listOf(count, 0, MOST_PLIES)),
    start: position,
    value: object({ result: oneOf(RESULTS), plies: integer(0, MOST_PLIES) }),
    kept: count,
    first: count,
    longest: orNull(position),
    verified: flag,
  };
  return object({ name: oneOf([name]), bytes: count, result: object(solved), used: count })(value);
}

/**
 * @template Result
 * @param {IDBRequest<Result>} request
 * @returns {Promise<Result>}
 */
const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/**
 * What a promise resolves to, or a rejection when that takes too long.
 * @template Result
 * @param {Promise<Result>} promise
 * @returns {Promise<Result>}
 */
const inTime = (promise) =>
  new Promise((resolve, reject) => {
    const late = AbortSignal.timeout(LIMIT);
    late.addEventListener('abort', () => reject(late.reason));
    promise.then(resolve, reject);
  });

async function open() {
  const request = indexedDB.open('neutreeko', 1);
  request.onupgradeneeded = () => STORES.map((name) => request.result.createObjectStore(name));
  return inTime(settled(request));
}

/**
 * Calls `use` with the stores and resolves, to the results of the requests that it returns, when what they have done is
 * on the disk. Rejects when one of them fails: after that, WebKit may neither complete nor abort the transaction.
 * @template {IDBRequest[]} Requests
 * @param {IDBTransactionMode} mode
 * @param {(entries: IDBObjectStore, tables: IDBObjectStore) => [...Requests]} use
 * @returns {Promise<{[N in keyof Requests]: Requests[N] extends IDBRequest<infer Result> ? Result : never}>}
 */
async function transaction(mode, use) {
  database ??= open();
  database.catch(() => (database = undefined)); // it may be allowed later
  const begun = (await database).transaction(STORES, mode);
  const done = new Promise((resolve, reject) => {
    begun.oncomplete = resolve;
    begun.onabort = () => reject(begun.error ?? new DOMException('aborted', 'AbortError'));
  });
  const [entries, tables] = STORES.map((name) => begun.objectStore(name));
  const results = Promise.all(use(entries, tables).map(settled));
  const [found] = await inTime(Promise.all([results, done]));
  return /** @type {any} */ (found);
}

/** All entries, the one that was used last first. */
export async function list() {
  const [names, values] = await transaction('readonly', (entries) => [entries.getAllKeys(), entries.getAll()]);
  const entries = names.map((name, n) => readKept(name, values[n]));
  const damaged = names.filter((_, n) => !entries[n]);
  if (damaged.length) await remove(damaged); // or their tables would take up room that nothing counts
  return entries.filter((entry) => entry !== undefined).sort((a, b) => b.used - a.used);
}

/**
 * The table of a board, which is then the one that was used last.
 * @param {string} name
 * @returns {Promise<Blob | undefined>}
 */
export async function get(name) {
  const entry = (await list()).find((one) => one.name === name);
  if (!entry) return undefined;
  await update(entry);
  const [table] = await transaction('readonly', (_, tables) => [tables.get(name)]);
  return table instanceof Uint8Array ? new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (table)]) : undefined;
}

/**
 * Replaces an entry, but not its table. One that has been removed since it was read stays removed.
 * @param {Omit<Kept, 'used'>} entry
 */
export const update = (entry) =>
  transaction('readwrite', (entries) => {
    const found = entries.openCursor(entry.name);
    found.addEventListener('success', () => found.result?.update({ ...entry, used: Date.now() }));
    return [found];
  });

/** @param {IDBValidKey[]} names */
export const remove = (names) =>
  transaction('readwrite', (...stores) => stores.flatMap((store) => names.map((name) => store.delete(name))));

/**
 * Removes the tables used longest ago until all are within the budget, in bytes.
 * @param {number} budget
 */
export async function trim(budget) {
  let room = budget;
  await remove((await list()).filter(({ bytes }) => (room -= bytes) < 0).map(({ name }) => name));
}

/**
 * Keeps a table; those used longest ago make room for it in the budget, in bytes.
 * @param {Omit<Kept, 'used'>} entry
 * @param {Blob} table
 * @param {number} budget
 */
export async function put(entry, table, budget) {
  if (budget < entry.bytes) throw new DOMException('larger than the budget', 'QuotaExceededError');
  await remove([entry.name]);
  await trim(budget - entry.bytes);
  const bytes = new Uint8Array(await table.arrayBuffer());
  await transaction('readwrite', (entries, tables) => [
    entries.put({ ...entry, used: Date.now() }, entry.name),
    tables.put(bytes, entry.name),
  ]);
}
