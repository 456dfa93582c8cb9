// Solves other boards on this device, and verifies tables, in a worker.

import { bytesIn, startWorker, uncompressed } from './elements.js';
import { boardArguments, EngineError, instantiate, requireArgument, tableForWorker } from './engine.js';
import { callWithBoard, textAt } from './solve_module.js';

/**
 * @import * as Api from './index.js'
 * @typedef {Api.Progress} Progress
 *
 * @typedef {{post(job: object, transfer?: Transferable[]): void, terminate(): unknown}} Started
 *
 * Where workers come from: the bytes of the module, and a worker that runs web/engine/solver.js.
 * @typedef {{
 *   wasm(): Promise<Uint8Array>,
 *   start(onMessage: (message: any) => void, onError: (reason: string) => void): Started | Promise<Started>,
 * }} Host
 */

/** The page that web/page/bundle.mjs makes. @type {Host} */
const page = {
  wasm: async () => uncompressed(bytesIn('neutreeko-wasm')),
  start(onMessage, onError) {
    return useWorker(startWorker(), onMessage, onError);
  },
};

/**
 * What `start` of a Host returns, for a worker of a browser.
 * @param {Worker} worker
 * @param {(message: any) => void} onMessage
 * @param {(reason: string) => void} onError
 */
export function useWorker(worker, onMessage, onError) {
  worker.addEventListener('message', ({ data }) => onMessage(data));
  worker.addEventListener('error', (event) => onError(event.message || 'the worker could not be started'));
  worker.addEventListener('messageerror', () => onError('a message was lost'));
  return {
    post: (/** @type {object} */ job, /** @type {Transferable[]} */ transfer = []) => worker.postMessage(job, transfer),
    terminate: () => worker.terminate(),
  };
}

/**
 * @param {unknown} onProgress
 * @param {AbortSignal | undefined} signal
 */
function requireWatching(onProgress, signal) {
  requireArgument(onProgress === undefined || typeof onProgress === 'function', 'onProgress', 'a function', onProgress);
  requireArgument(signal === undefined || typeof signal?.addEventListener === 'function',
    'signal', 'an AbortSignal', signal);
}

/**
 * @param {Partial<Api.Board>} [board]
 * @param {Api.SolveOptions & {host?: Host}} [options]
 * @returns {ReturnType<typeof Api.solve>}
 */
export async function solve(board, options) {
  const { onProgress, signal, traps = true, host = page } = options ?? {};
  requireWatching(onProgress, signal);
  requireArgument(typeof traps === 'boolean', 'traps', 'true or false', traps);
  const { numbers, win } = boardArguments(board);
  const [width, height, pieces, row_length] = numbers;
  const job = { board: { width, height, pieces, row_length, win: /** @type {Api.Board['win']} */ (win) }, traps };
  return (await run(job, host, onProgress, signal)).table;
}

/**
 * Does a job in a worker.
 * @param {{board: Api.Board, traps: boolean} | {table: Blob | Uint8Array}} job
 * @param {Host} host
 * @param {(progress: any) => void} [onProgress]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>} the last message of the worker
 */
async function run(job, host, onProgress, signal) {
  const aborted = new EngineError('aborted', 'the work was aborted');
  const wasm = await host.wasm();
  if (signal?.aborted) throw aborted;
  const end = new AbortController(); // of waiting for the signal
  /** @type {Promise<Started> | undefined} */
  let starting;
  try {
    return await new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(aborted), { signal: end.signal });
      const stop = (/** @type {string} */ reason) => reject(new EngineError('module', `the solver stopped: ${reason}`));
      const onMessage = (/** @type {any} */ message) => {
        if (message.progress) onProgress?.(message.progress);
        else if (message.failure) reject(new EngineError(message.failure.code, message.failure.message));
        else resolve(message);
      };
      starting = Promise.resolve(host.start(onMessage, stop));
      starting.then((worker) => worker.post({ ...job, wasm }), reject);
    });
  } finally {
    end.abort();
    await (await starting?.catch(() => undefined))?.terminate();
  }
}

/**
 * @param {Exclude<Api.TableSource, Api.SynchronousSource>} table
 * @param {Api.VerifyOptions & {host?: Host}} [options]
 * @returns {ReturnType<typeof Api.verify>}
 */
export async function verify(table, options) {
  const { onProgress, signal, host = page } = options ?? {};
  requireWatching(onProgress, signal);
  await run({ table: await tableForWorker(table) }, host, onProgress, signal);
}

/** Whether a value is a number from 0, or infinity. @param {unknown} value */
const isAmount = (value) => typeof value === 'number' && value >= 0;

/**
 * The modules that estimate, by the hosts that they come from.
 * @type {WeakMap<Host, import('./solve_module.js').SolveModule>}
 */
const estimators = new WeakMap();

/** @param {Host} host */
async function estimatorOf(host) {
  const known = estimators.get(host);
  if (known) return known;
  const wasm = /** @type {Uint8Array<ArrayBuffer>} */ (await host.wasm());
  const { exports: solver } = await instantiate(wasm, {}); // an estimate calls no imports
  const estimator = { solver, memory: /** @type {WebAssembly.Memory} */ (solver.memory) };
  estimators.set(host, estimator);
  return estimator;
}

/**
 * @param {Partial<Api.Board>} [board]
 * @param {{memory?: number} | null} [device]
 * @param {Host} [host]
 * @returns {ReturnType<typeof Api.estimate>}
 */
export async function estimate(board, device, host = page) {
  const { memory = Number.POSITIVE_INFINITY } = device ?? {};
  requireArgument(isAmount(memory), 'memory', 'a number of bytes', memory);
  const module = await estimatorOf(host);
  return JSON.parse(textAt(module, callWithBoard(module, 'solve_estimate', board, memory)));
}
