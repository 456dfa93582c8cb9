// Workers that search whole tables, which takes a moment: see worker.js.

import { bytesIn, startWorker, useWorker } from '../../engine/page.js';

/** The worker has ended, for a reason of its own or because it was ended, and answers no question. */
export class WorkerLost extends Error {}

/**
 * Starts a worker for the table of a file; null is the table of the page. `ask(question)` resolves to the
 * answer; it throws the error of a question that has none, or WorkerLost. Of a table that is not `complete` the worker
 * reads only parts.
 * @param {Blob | null} file
 */
export function startSearcher(file, complete = true) {
  const waiting = new Map(); // by the number of the question
  let questions = 0;
  let fault = ''; // why the worker has ended
  /** A worker that dies answers nothing any more. @param {string} why */
  function lose(why) {
    fault = why;
    for (const { reject } of waiting.values()) reject(new WorkerLost(why));
    waiting.clear();
  }
  /** @param {{id: number, answer?: any, error?: string}} message */
  function settle({ id, answer, error }) {
    const question = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) question?.resolve(answer);
    else question?.reject(new Error(error));
  }
  const worker = useWorker(startWorker(), settle, lose);
  worker.post({ wasm: bytesIn('neutreeko-wasm'), table: file ?? bytesIn('neutreeko-table'), complete });
  return {
    /** @param {Record<string, unknown> & {what: string}} question */
    ask(question) {
      const id = questions++;
      worker.post({ ...question, id });
      return new Promise((resolve, reject) => {
        if (fault) reject(new WorkerLost(fault));
        else waiting.set(id, { resolve, reject });
      });
    },
    isLost: () => Boolean(fault),
    end() {
      worker.terminate();
      lose('the worker has been ended');
    },
  };
}
