// Workers that search whole tables, which takes a moment: see worker.js.

import { byId } from './dom.js';
import { startWorker } from '../engine/programs.js';

const MOST = 5e7; // legal positions that a worker searches

/** @param {Pick<import('./types.js').Solved, 'summary'>} board */
export const isTooLarge = ({ summary }) => summary.legal > MOST;

/**
 * Starts a worker for the table of a source; null is the table of the page. `ask(question)` resolves to the
 * answer. Of a table that is not `complete` the worker reads only parts.
 * @param {import('./types.js').Source | null} source
 */
export function startSearcher(source, complete = true) {
  const worker = startWorker();
  const waiting = new Map(); // by the number of the question
  let questions = 0;
  worker.addEventListener('message', ({ data: { id, answer, error } }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(answer);
    else reject(new Error(error));
  });
  /** @type {Record<string, string | null>} */
  const elements = {};
  for (const id of ['neutreeko-wasm', ...(source ? [] : ['neutreeko-table'])]) elements[id] = byId(id).textContent;
  worker.postMessage({ elements, source, complete });
  return {
    /** @param {Record<string, unknown> & {what: string}} question */
    ask(question) {
      const id = questions++;
      worker.postMessage({ ...question, id });
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    end: () => worker.terminate(),
  };
}
