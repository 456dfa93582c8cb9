// Workers that search whole tables, which takes a moment: see worker.ts.

import { bytesIn, startWorker, useWorker } from '../../engine/page.js';

import type { Asked, Questions } from '../../engine/worker.js';

/** The worker has ended, for a reason of its own or because it was ended, and answers no question. */
export class WorkerLost extends Error {}

/**
 * Starts a worker for the table of a file; null is the table of the page. `ask(question)` resolves to the
 * answer; it throws the error of a question that has none, or WorkerLost. Of a table that is not `complete` the worker
 * reads only parts.
 */
export function startSearcher(file: Blob | null, complete = true) {
  // By the number of the question.
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  let questions = 0;
  let fault = ''; // why the worker has ended
  /** A worker that dies answers nothing any more. */
  function lose(why: string) {
    fault = why;
    for (const { reject } of waiting.values()) reject(new WorkerLost(why));
    waiting.clear();
  }
  function settle({ id, answer, error }: { id: number; answer?: unknown; error?: string }) {
    const question = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) question?.resolve(answer);
    else question?.reject(new Error(error));
  }
  const worker = useWorker(startWorker(), settle, lose);
  worker.post({ wasm: bytesIn('neutreeko-wasm'), table: file ?? bytesIn('neutreeko-table'), complete });
  return {
    ask<What extends keyof Questions>(question: Asked<What>): Promise<ReturnType<Questions[What]>> {
      const id = questions++;
      worker.post({ ...question, id });
      return new Promise((resolve, reject) => {
        if (fault) reject(new WorkerLost(fault));
        else waiting.set(id, { resolve: (answer) => resolve(answer as ReturnType<Questions[What]>), reject });
      });
    },
    isLost: () => Boolean(fault),
    end() {
      worker.terminate();
      lose('the worker has been ended');
    },
  };
}
