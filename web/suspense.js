// Engines of large tables read what they need from the disk: until it is in memory, a call throws NotLoaded, whose load()
// reads it. What calls such an engine does so before it changes anything, so that it can be repeated.

import { NotLoaded } from './engine.js';

/** @type {(error: unknown) => void} */
let lost = (error) => {
  throw error;
};

/**
 * Has this function called if something that an attempted action needs cannot be read.
 * @param {(error: unknown) => void} report
 */
export const onLost = (report) => (lost = report);

/**
 * Does an action: at once, if all that it needs is in memory, or else later.
 * @param {() => void} action
 */
export function attempt(action) {
  try {
    action();
  } catch (error) {
    if (!(error instanceof NotLoaded)) throw error;
    error.load().then(() => attempt(action)).catch(lost);
  }
}

/** @type {Promise<void> | null} */
let reading = null; // for `later`

/**
 * What a call returns; or null while something that it needs is read, after which `again` is called.
 * @template T
 * @param {() => T} call
 * @param {() => void} again
 */
export function later(call, again) {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof NotLoaded)) throw error;
    reading ??= error
      .load()
      .finally(() => (reading = null))
      .then(again)
      .catch(lost);
    return null;
  }
}
