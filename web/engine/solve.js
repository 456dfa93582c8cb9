// Solves other boards on this device, and verifies tables, in a worker.

import { EngineError, embedded, requireArgument, tableForWorker } from './engine.js';
import { startWorker } from './programs.js';
import { callWithBoard, textAt } from './solve_module.js';

/**
 * @import * as Api from './index.js'
 * @typedef {Api.Progress} Progress
 *
 * @typedef {{post(job: object, transfer?: Transferable[]): void, terminate(): void}} Started
 *
 * Where workers come from: the bytes of the module, and a worker that runs web/engine/solver.js. `processors` is how
 * many threads can share memory; if they are several, `threadsWasm` gives the module for them.
 * @typedef {{
 *   wasm(): Promise<Uint8Array>,
 *   threadsWasm(): Promise<Uint8Array>,
 *   processors(): number,
 *   start(onMessage: (message: any) => void, onError: (reason: string) => void): Started,
 * }} Host
 */

/** @param {string | URL} url */
export async function read(url) {
  const response = await fetch(url);
  if (!response.ok) throw new EngineError('read', `cannot fetch ${url}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Of the page: only the site has a manifest and the module for several threads, see site.mjs. */
export const processors = () =>
  globalThis.crossOriginIsolated && document.querySelector('link[rel=manifest]') ? navigator.hardwareConcurrency : 1;

/** The page that web/page/bundle.mjs makes. @type {Host} */
const page = {
  wasm: () => embedded(document, 'neutreeko-solve-wasm'),
  threadsWasm: () => read('neutreeko-solve-threads.wasm'),
  processors,
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
  requireArgument(onProgress === undefined || typeof onProgress === 'function', 'a function for "onProgress"');
  requireArgument(signal === undefined || typeof signal?.addEventListener === 'function',
    'an AbortSignal for "signal"');
}

/**
 * @param {Api.Board} board
 * @param {Api.SolveOptions & {host?: Host}} [options]
 * @returns {ReturnType<typeof Api.solve>}
 */
export async function solve(board, options) {
  const { onProgress, signal, traps = true, threads, host = page } = options ?? {};
  requireWatching(onProgress, signal);
  requireArgument(typeof traps === 'boolean', 'true or false for "traps"');
  const most = (await estimate(board, { threads: threads ?? host.processors() }, host)).threads;
  const { width, height, pieces, rowLength, win } = Object(board);
  const job = { board: { width, height, pieces, rowLength, win }, traps };
  return (await run(job, most, host, onProgress, signal)).table;
}

/**
 * Does a job with a worker and, for each further thread, a worker that helps it. Those that cannot be started are not
 * needed.
 * @param {{board: Api.Board, traps: boolean} | {table: Blob | Uint8Array}} job
 * @param {number} threads
 * @param {Host} host
 * @param {(progress: any) => void} [onProgress]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>} the last message of the worker
 */
async function run(job, threads, host, onProgress, signal) {
  const aborted = new EngineError('aborted', 'the work was aborted');
  const wasm = await host.wasm();
  const threadsWasm = threads > 1 ? await host.threadsWasm().catch(() => null) : null;
  if (signal?.aborted) throw aborted;
  const end = new AbortController(); // of waiting for the signal
  /** @type {Started[]} */
  const workers = [];
  try {
    return await new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(aborted), { signal: end.signal });
      const stop = (/** @type {string} */ reason) => reject(new EngineError('module', `the solver stopped: ${reason}`));
      /** @type {MessagePort[]} */
      const ports = []; // to the helpers
      const helpers = threadsWasm ? threads - 1 : 0;
      while (ports.length < helpers) {
        const { port1, port2 } = new MessageChannel();
        let isHelping = false;
        const onError = (/** @type {string} */ reason) => isHelping && stop(reason);
        const helper = host.start(({ lost }) => (lost ? onError(lost) : (isHelping = true)), onError);
        helper.post({ port: port2 }, [port2]);
        workers.push(helper);
        ports.push(port1);
      }
      const worker = host.start((message) => {
        if (message.progress) onProgress?.(message.progress);
        else if (message.failure) reject(new EngineError(message.failure.code, message.failure.message));
        else resolve(message);
      }, stop);
      worker.post({ ...job, wasm, threadsWasm, ports }, ports);
      workers.push(worker);
    });
  } finally {
    end.abort();
    for (const worker of workers) worker.terminate();
  }
}

/**
 * @param {Exclude<Api.TableSource, Api.SynchronousSource>} table
 * @param {Api.VerifyOptions & {host?: Host}} [options]
 * @returns {ReturnType<typeof Api.verify>}
 */
export async function verify(table, options) {
  const { onProgress, signal, threads, host = page } = options ?? {};
  requireWatching(onProgress, signal);
  const most = threads ?? host.processors();
  requireThreads(most);
  const { solver } = await estimatorOf(host);
  await run({ table: await tableForWorker(table) }, solver.solve_threads(most), host, onProgress, signal);
}

/** @type {Api.Board} */
const SAMPLE = { width: 5, height: 5, pieces: 3, rowLength: 3, win: 'line' };

export async function measure({ host = page } = {}) {
  const { seconds } = await run({ board: SAMPLE, traps: true }, 1, host);
  return (await estimate(SAMPLE, {}, host)).positions / seconds;
}

/** Whether a value is a number from 0, or infinity. @param {unknown} value */
const isAmount = (value) => typeof value === 'number' && value >= 0;

/** @param {unknown} threads */
const requireThreads = (threads) => requireArgument(isAmount(threads), 'a number for "threads"');

/**
 * The modules that estimate, by the hosts that they come from.
 * @type {WeakMap<Host, import('./solve_module.js').SolveModule>}
 */
const estimators = new WeakMap();

/** @param {Host} host */
async function estimatorOf(host) {
  const known = estimators.get(host);
  if (known) return known;
  const module = await WebAssembly.compile(/** @type {Uint8Array<ArrayBuffer>} */ (await host.wasm()));
  const imports = WebAssembly.Module.imports(module).map(({ name }) => [name, () => {}]); // an estimate calls none
  const { exports: solver } = await WebAssembly.instantiate(module, { env: Object.fromEntries(imports) });
  const estimator = { solver, memory: /** @type {WebAssembly.Memory} */ (solver.memory) };
  estimators.set(host, estimator);
  return estimator;
}

/**
 * @param {Api.Board} board
 * @param {{memory?: number, speed?: number, threads?: number} | null} [device]
 * @param {Host} [host]
 * @returns {ReturnType<typeof Api.estimate>}
 */
export async function estimate(board, device, host = page) {
  const { memory = Number.POSITIVE_INFINITY, speed, threads = 1 } = device ?? {};
  requireArgument(isAmount(memory), 'a number of bytes for "memory"');
  requireArgument(speed === undefined || isAmount(speed), 'a number of positions for "speed"');
  requireThreads(threads);
  const module = await estimatorOf(host);
  const ask = (/** @type {Api.Board} */ one) =>
    JSON.parse(textAt(module, callWithBoard(module, 'solve_estimate', one, memory, threads)));
  const found = ask(board);
  if (!found.positions) return { ...found, seconds: 0 };
  if (!speed) return { ...found, seconds: null };
  // As measured on boards of 3 and 4 pieces. A part of the time is spent before the browser has optimized the solver.
  // The more pieces, the more bits are in a word, and the fewer positions are drawn, whose trap values take time.
  const begin = 0.6 * ask(SAMPLE).positions;
  const rest = (0.39 / board.pieces) * found.positions;
  return { ...found, seconds: (begin + rest) / speed };
}
