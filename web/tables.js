// The solved tables that are kept on this device, in IndexedDB, where a table appears whole or not at all. All functions
// reject if the browser denies storage, as it may for a page that is opened from a file.

/** @import { Kept } from './types.js' */

/** The entries, by name, and apart from them the bytes of the tables. */
const STORES = ['entries', 'tables'];

/** @type {Promise<IDBDatabase> | undefined} */
let database;

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

async function open() {
  const request = indexedDB.open('neutreeko', 1);
  request.onupgradeneeded = () => STORES.map((name) => request.result.createObjectStore(name));
  return settled(request);
}

/**
 * Calls `use` with the stores and resolves, to its result, when what it has done is on the disk.
 * @template Result
 * @param {IDBTransactionMode} mode
 * @param {(entries: IDBObjectStore, tables: IDBObjectStore) => IDBRequest<Result> | undefined} use
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
  const result = use(entries, tables);
  const [value] = await Promise.all([result && settled(result), done]);
  return /** @type {Result} */ (value);
}

/** All entries, the one that was used last first. */
export async function list() {
  /** @type {Kept[]} */
  const entries = await transaction('readonly', (store) => store.getAll());
  return entries.sort((a, b) => b.used - a.used);
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
  return transaction('readonly', (_, tables) => tables.get(name));
}

/**
 * Replaces an entry, but not its table.
 * @param {Omit<Kept, 'used'>} entry
 */
export const update = (entry) =>
  transaction('readwrite', (entries) => entries.put({ ...entry, used: Date.now() }, entry.name));

/** @param {string[]} names */
export const remove = (names) =>
  transaction('readwrite', (...stores) => {
    for (const store of stores) for (const name of names) store.delete(name);
    return undefined;
  });

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
  await transaction('readwrite', (entries, tables) => {
    entries.put({ ...entry, used: Date.now() }, entry.name);
    tables.put(table, entry.name);
    return undefined;
  });
}
