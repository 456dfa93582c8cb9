// Solves other boards on this device, in a worker.

import { EngineError, embedded } from './engine.js';
import { WINS } from './solver.js';

/**
 * @import * as Api from '../bindings/npm/index.js'
 * @typedef {Api.Progress} Progress
 *
 * Where workers come from: the bytes of the module, and a worker that runs web/solver.js.
 * @typedef {{
 *   wasm(): Promise<Uint8Array>,
 *   start(onMessage: (message: any) => void, onError: (reason: string) => void): {post(job: object): void, terminate(): void},
 * }} Host
 */

/** The page that web/bundle.mjs makes. @type {Host} */
const page = {
  wasm: () => embedded(document, 'neutreeko-solve-wasm'),
  start(onMessage, onError) {
    const text = /** @type {HTMLElement} */ (document.getElementById('neutreeko-solver')).textContent ?? '';
    return useWorker(new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))), onMessage, onError);
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
  return { post: (/** @type {object} */ job) => worker.postMessage(job), terminate: () => worker.terminate() };
}

/**
 * @param {Api.Board} board
 * @param {Api.SolveOptions & {host?: Host}} [options]
 * @returns {ReturnType<typeof Api.solve>}
 */
export async function solve(board, { onProgress, signal, traps = true, host = page } = {}) {
  return (await run({ board, traps }, host, onProgress, signal)).table;
}

/**
 * @param {{board: Api.Board, traps: boolean}} job
 * @param {Host} host
 * @param {(progress: Api.Progress) => void} [onProgress]
 * @param {AbortSignal} [signal]
 * @returns {Promise<{table: Uint8Array<ArrayBuffer>, seconds: number}>}
 */
async function run(job, host, onProgress, signal) {
  const aborted = new EngineError('aborted', 'solving was aborted');
  const wasm = await host.wasm();
  if (signal?.aborted) throw aborted;
  const end = new AbortController(); // of waiting for the signal
  /** @type {ReturnType<Host['start']> | undefined} */
  let worker;
  try {
    return await new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(aborted), { signal: end.signal });
      worker = host.start(
        (message) => {
          if (message.progress) onProgress?.(message.progress);
          else if (message.failure) reject(new EngineError(message.failure.kind, message.failure.message));
          else resolve(message);
        },
        (reason) => reject(new EngineError('failed', `the solver stopped: ${reason}`)),
      );
      worker.post({ ...job, wasm });
    });
  } finally {
    end.abort();
    worker?.terminate();
  }
}

/** @type {Api.Board} */
const SAMPLE = { width: 5, height: 5, pieces: 3, row: 3, win: 'line' };

export async function measure({ host = page } = {}) {
  const { seconds } = await run({ board: SAMPLE, traps: true }, host);
  return placements(SAMPLE) / seconds;
}

/**
 * The number of sets of k out of n things.
 * @param {number} n
 * @param {number} k
 * @returns {number}
 */
const choose = (n, k) => (k ? (choose(n - 1, k - 1) * n) / k : 1);

/** @param {Api.Board} board */
const placements = ({ width, height, pieces }) =>
  choose(width * height, pieces) * choose(width * height - pieces, pieces);

/**
 * Why a board does not exist: the conditions of nk_rules_init.
 * @param {Api.Board} board
 */
function faultOf({ width, height, pieces, row, win }) {
  const isOutside = (/** @type {number} */ value, /** @type {number} */ from, /** @type {number} */ to) =>
    !Number.isInteger(value) || value < from || value > to;
  if (isOutside(width, 3, 8) || isOutside(height, 3, 8)) return 'size';
  if (isOutside(pieces, 2, 5)) return 'pieces';
  if (2 * pieces >= width * height) return 'full';
  if (isOutside(row, 2, pieces)) return 'row';
  if (!WINS.includes(win)) return 'win';
  if (win === 'equidistant' && pieces !== 3) return 'equidistant';
  if (win === 'centre' && (width % 2 === 0 || height % 2 === 0 || width < 5 || height < 5)) return 'centre';
  if ((win === 'equidistant' || win === 'centre') && row !== pieces) return 'row';
  return null;
}

const WASM_BYTES = 2 ** 32; // the most memory of a module

/**
 * @param {Api.Board} board
 * @param {{memory?: number, speed?: number}} [device]
 * @returns {ReturnType<typeof Api.estimate>}
 */
export function estimate(board, { memory = WASM_BYTES, speed } = {}) {
  const reason = faultOf(board);
  if (reason) return { positions: 0, bytes: 0, seconds: 0, refused: { reason } };
  const { width, height, pieces } = board;
  const positions = placements(board);
  const rows = choose(width * height, pieces);
  const symmetries = width === height ? 8 : 4;
  // The bit sets of solver/analysis.h, whose columns are orbits, most of them with as many configurations as there are
  // symmetries; the log; the table.
  const columns = Math.ceil((rows * 1.1) / symmetries / 512) * 512;
  const analysis = columns * rows * 0.54 + rows * 600;
  const log = (columns * (positions / rows)) / 2 ** (pieces - 2) / 2;
  const bytes = Math.round(analysis + log + 2 ** 22);
  const limit = Math.min(memory, WASM_BYTES);
  return {
    positions,
    bytes,
    // The more pieces, the fewer positions are drawn, whose trap values take much of the time.
    seconds: speed ? (2 * positions) / (pieces * speed) : null,
    refused: bytes > limit ? { reason: 'memory', limit } : null,
  };
}
