// Reads what comes from outside the page: what is stored on this device, and addresses. Other versions of the page,
// other pages of the same site, and people can have written anything there. Whatever has the wrong shape is as if it
// were missing; nothing here throws. Only own properties count, so that no name reaches a prototype.

/**
 * A check returns a value that has its shape, and undefined for any other.
 * @template T
 * @typedef {(value: unknown) => T | undefined} Check
 */

/**
 * A check for each property of an object.
 * @template {object} T
 * @typedef {{[Name in keyof T]: Check<T[Name]>}} Checks
 */

const MOST_TEXT = 1e5; // characters, more than any game has

/** @type {Check<boolean>} */
export const flag = (value) => (typeof value === 'boolean' ? value : undefined);

/**
 * An integer from `least` to `most`.
 * @param {number} least
 * @param {number} most
 * @returns {Check<number>}
 */
export const integer =
  (least, most = Number.MAX_SAFE_INTEGER) =>
  (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most ? value : undefined;

/**
 * A text that fits the pattern.
 * @param {RegExp} pattern
 * @returns {Check<string>}
 */
export const text =
  (pattern = /(?:)/) =>
  (value) =>
    typeof value === 'string' && value.length <= MOST_TEXT && pattern.test(value) ? value : undefined;

/**
 * One of these values.
 * @template T
 * @param {readonly T[]} values
 * @returns {Check<T>}
 */
export const oneOf = (values) => (value) => values.find((one) => one === value);

/**
 * Null, or what another check accepts.
 * @template T
 * @param {Check<T>} check
 * @returns {Check<T | null>}
 */
export const orNull = (check) => (value) => (value === null ? null : check(value));

/**
 * A list of `least` to `most` items.
 * @template T
 * @param {Check<T>} item
 * @param {number} least
 * @param {number} most
 * @returns {Check<T[]>}
 */
export const list = (item, least, most = least) => (value) =>
  Array.isArray(value) && value.length >= least && value.length <= most && value.every((one) => item(one) !== undefined)
    ? value
    : undefined;

/** @param {unknown} value */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * @param {unknown} value
 * @param {PropertyKey} name
 * @returns {unknown}
 */
const own = (value, name) =>
  isObject(value) && Object.hasOwn(/** @type {object} */ (value), name) ? /** @type {any} */ (value)[name] : undefined;

/**
 * The entries of an object whose names and values have the right shape; the others are left out.
 * @template T
 * @param {Check<string>} name
 * @param {Check<T>} item
 * @returns {Check<Record<string, T>>}
 */
export const entriesOf = (name, item) => (value) =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(/** @type {object} */ (value)).filter(
          ([key, one]) => name(key) !== undefined && item(one) !== undefined,
        ),
      )
    : undefined;

/**
 * An object whose properties all have the right shape.
 * @template {object} T
 * @param {Checks<T>} checks
 * @returns {Check<T>}
 */
export const object = (checks) => (value) => {
  const names = /** @type {(keyof T)[]} */ (Object.keys(checks));
  const found = names.map((name) => [name, checks[name](own(value, name))]);
  return found.every(([, one]) => one !== undefined) ? Object.fromEntries(found) : undefined;
};

/**
 * The properties of a value that have the right shape, and those of `blank` for the others.
 * @template {object} T
 * @param {unknown} value
 * @param {Checks<T>} checks
 * @param {T} blank
 * @returns {T}
 */
export function readObject(value, checks, blank) {
  const found = { ...blank };
  for (const name of /** @type {(keyof T)[]} */ (Object.keys(checks)))
    found[name] = checks[name](own(value, name)) ?? blank[name];
  return found;
}

/**
 * What is stored under a key. Without access to storage nothing is.
 * @param {string} key
 * @param {'localStorage' | 'sessionStorage'} storage for all windows, or for this one
 * @returns {unknown}
 */
export function readStored(key, storage = 'localStorage') {
  try {
    return JSON.parse(globalThis[storage].getItem(key) ?? 'null');
  } catch {
    return undefined;
  }
}

/**
 * The fields of a query such as "view=review&at=3": the last value of each name.
 * @param {string} query
 * @returns {Record<string, string>}
 */
export const readQuery = (query) => Object.fromEntries(new URLSearchParams(query));

/**
 * A number in decimal digits, as an address has it.
 * @type {Check<number>}
 */
export const digits = (value) => (text(/^\d{1,9}$/)(value) === undefined ? undefined : Number(value));
