// Asks the worker for puzzles.

import { byId } from './dom.js';

/** @type {Worker | undefined} */
let worker;
const waiting = new Map(); // by the number of the question

function begin() {
  const text = byId('neutreeko-worker').textContent;
  const begun = new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
  begun.addEventListener('message', ({ data }) => {
    waiting.get(data.id)(data.position);
    waiting.delete(data.id);
  });
  /** @type {Record<string, string | null>} */
  const elements = {};
  for (const id of ['neutreeko-wasm', 'neutreeko-table']) elements[id] = byId(id).textContent;
  begun.postMessage({ elements });
  return begun;
}

/** Ends the worker, whose table is no longer that of the page. */
export function forgetPuzzles() {
  worker?.terminate();
  worker = undefined;
}

let questions = 0;

/**
 * A puzzle of a grade, see worker.js. The same seed gives the same puzzle.
 * @param {{save?: boolean, from?: number, to?: number}} grade
 * @param {number} seed
 * @returns {Promise<string>}
 */
export function findPuzzle({ save = false, from = 0, to = 0 }, seed) {
  worker ??= begin();
  const id = questions++;
  worker.postMessage({ id, seed, save, from, to });
  return new Promise((resolve) => waiting.set(id, resolve));
}
