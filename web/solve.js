// Solves other boards on this device, in a worker.

import { EngineError, embedded } from './engine.js';

/**
 * @typedef {{width: number, height: number, pieces: number, row: number,
 *   win: 'line' | 'orthogonal' | 'diagonal' | 'equidistant' | 'centre'}} Board
 *
 * What is done: in the phase 'solving', `ply` is the last one that is complete, `decided` the positions up to there,
 * `distances` how many of them end after each number of plies, and `total` all legal positions; those that are undecided at
 * the end are draws. `done`, 0 to 1, is the share of the phase. 'writing' and 'traps' may alternate.
 * @typedef {{phase: 'solving' | 'traps' | 'writing', done: number, ply: number, decided: number, undecided: number,
 *   total: number, distances: number[]}} Progress
 *
 * A worker that has been started.
 * @typedef {{post: (job: object) => void, terminate: () => unknown}} Started
 *
 * Where workers come from: the module's bytes, and a worker that runs web/solver.js.
 * @typedef {{wasm: () => Promise<Uint8Array>, start: (onMessage: (message: any) => void,
 *   onError: (reason: string) => void) => Started}} Host
 */

/** The page that web/bundle.mjs makes. @type {Host} */
const page = {
  wasm: () => embedded(document, 'neutreeko-solve-wasm'),
  start(onMessage, onError) {
    const text = /** @type {HTMLElement} */ (document.getElementById('neutreeko-solver')).textContent ?? '';
    return startWorker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })), onMessage, onError);
  },
};

/**
 * A worker of a browser, as a Host starts it.
 * @param {string | URL} url
 * @param {(message: any) => void} onMessage
 * @param {(reason: string) => void} onError
 * @param {WorkerOptions} options
 * @returns {Started}
 */
export function startWorker(url, onMessage, onError, options = {}) {
  const worker = new Worker(url, options);
  worker.addEventListener('message', ({ data }) => onMessage(data));
  worker.addEventListener('error', (event) => onError(event.message || 'the worker could not be started'));
  worker.addEventListener('messageerror', () => onError('a message was lost'));
  return { post: (job) => worker.postMessage(job), terminate: () => worker.terminate() };
}

/**
 * Solves a board. Resolves to the bytes of its table, a complete perfect_move.dat; without `traps` it has no trap values.
 * Rejects with an EngineError of kind 'refused' (the board does not exist, or a game on it lasts too long), 'memory' (there
 * is not enough), 'aborted' (by the signal) or 'failed'.
 * @param {Board} board
 * @param {{onProgress?: (progress: Progress) => void, signal?: AbortSignal, traps?: boolean, host?: Host}} [options]
 * @returns {Promise<Uint8Array>}
 */
export async function solve(board, { onProgress, signal, traps = true, host = page } = {}) {
  return (await run({ board, traps }, host, onProgress, signal)).table;
}

/**
 * @param {object} job
 * @param {Host} host
 * @param {(progress: Progress) => void} [onProgress]
 * @param {AbortSignal} [signal]
 */
async function run(job, host, onProgress, signal) {
  const aborted = new EngineError('aborted', 'solving was aborted');
  const wasm = await host.wasm();
  if (signal?.aborted) throw aborted;
  const stopping = new AbortController();
  /** @type {Started | undefined} */
  let worker;
  try {
    return await new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(aborted), { signal: stopping.signal });
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
    stopping.abort();
    /** @type {Started | undefined} */ (worker)?.terminate();
  }
}

const SAMPLE = /** @type {Board} */ ({ width: 5, height: 5, pieces: 3, row: 3, win: 'line' });

/** The positions that this device solves in a second, for `estimate`: it solves a small board. */
export async function measure({ host = page } = {}) {
  const { seconds } = await run({ board: SAMPLE, traps: true }, host);
  return placements(SAMPLE) / seconds;
}

/**
 * @param {number} n
 * @param {number} k
 * @returns {number}
 */
const choose = (n, k) => (k ? (choose(n - 1, k - 1) * n) / k : 1);

/** @param {Board} board */
const placements = ({ width, height, pieces }) =>
  choose(width * height, pieces) * choose(width * height - pieces, pieces);

/**
 * Why a board does not exist: the conditions of nk_rules_init.
 * @param {Board} board
 */
function faultOf({ width, height, pieces, row, win }) {
  /**
   * @param {number} value
   * @param {number} from
   * @param {number} to
   */
  const isInside = (value, from, to) => Number.isInteger(value) && value >= from && value <= to;
  if (!isInside(width, 3, 8) || !isInside(height, 3, 8)) return 'size';
  if (!isInside(pieces, 2, 5)) return 'pieces';
  if (2 * pieces >= width * height) return 'full';
  if (!isInside(row, 2, pieces)) return 'row';
  if (win === 'equidistant' && pieces !== 3) return 'equidistant';
  if (win === 'centre' && (width % 2 === 0 || height % 2 === 0 || width < 5 || height < 5)) return 'centre';
  if ((win === 'equidistant' || win === 'centre') && row !== pieces) return 'row';
  return null;
}

const WASM_BYTES = 2 ** 32; // the most memory of a module

/**
 * What a board takes: `positions` with all pieces on the board, `bytes` of memory, `seconds` (null without a `speed` from
 * `measure`). `refused` is null or {reason: 'size' | 'pieces' | 'full' | 'row' | 'equidistant' | 'centre'} for a board that
 * does not exist; then all else is 0; or {reason: 'memory', limit} for one that needs more than `memory` bytes or than a
 * module can have.
 * @param {Board} board
 * @param {{memory?: number, speed?: number}} [device]
 */
export function estimate(board, { memory = WASM_BYTES, speed } = {}) {
  const fault = faultOf(board);
  if (fault) return { positions: 0, bytes: 0, seconds: 0, refused: { reason: fault } };
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
    seconds: speed ? positions / speed : null,
    refused: bytes > limit ? { reason: 'memory', limit } : null,
  };
}
