// The solved tables that are kept on this device, in IndexedDB, where a table appears whole or not at all. All functions
// reject if the browser denies storage, as it may for a page that is opened from a file.

/** @import { Kept } from './types.js' */

const STORE = 'tables';

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

function open() {
  const request = indexedDB.open('neutreeko', 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'name' });
  return settled(request);
}

/**
 * Calls `use` with the store and resolves when what it has done is on the disk, with its result.
 * @template Result
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<Result> | undefined} use
 */
async function transaction(mode, use) {
  database ??= open();
  const begun = (await database.catch((error) => ((database = undefined), Promise.reject(error)))).transaction(STORE, mode);
  const done = new Promise((resolve, reject) => {
    begun.oncomplete = resolve;
    begun.onabort = () => reject(begun.error ?? new DOMException('aborted', 'AbortError'));
  });
  const result = use(begun.objectStore(STORE));
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
 * The entry of a board.
 * @param {string} name
 * @returns {Promise<Kept | undefined>}
 */
export const get = (name) => transaction('readonly', (store) => store.get(name));

/** @param {string[]} names */
export const remove = (names) =>
  transaction('readwrite', (store) => void names.forEach((name) => store.delete(name)));

/**
 * Keeps an entry, which has just been used; those used longest ago make room for it in the budget, in bytes.
 * @param {Omit<Kept, 'used'>} entry
 * @param {number} budget
 */
export async function put(entry, budget) {
  const others = (await list()).filter(({ name }) => name !== entry.name);
  let room = budget - entry.table.size;
  if (room < 0) throw new DOMException('larger than the budget', 'QuotaExceededError');
  const dropped = others.filter(({ table }) => (room -= table.size) < 0).map(({ name }) => name);
  if (dropped.length) await remove(dropped);
  await transaction('readwrite', (store) => store.put({ ...entry, used: Date.now() }));
}
