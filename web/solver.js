// Solves a board in a worker: drives the module of web/solve_exports.c and makes the bytes of a table from what it computes.

import { EngineError, join, transform } from './engine.js';

/** @import * as Api from '../bindings/npm/index.js' */

export const WINS = ['line', 'orthogonal', 'diagonal', 'equidistant', 'centre']; // in the order of enum nk_win
const [MEMORY, RULES, LIMIT] = [1, 2, 10]; // of enum nk_status
const GROUP = 64; // blocks that are compressed at a time
const MOST_KEPT = 2048; // blocks of a table that is posted before it is compressed: 32 MiB

/** @param {Uint8Array<ArrayBuffer>} bytes */
const deflate = (bytes) => transform(bytes, new CompressionStream('deflate'));

const PAGES = { initial: 2 ** 7, maximum: 2 ** 16 }; // of 64 KiB: what the module has at first, and the most of a module

/**
 * What solves a board, the module in wasm or, with helpers, the one in threadsWasm.
 * @typedef {{wasm: Uint8Array<ArrayBuffer>, threadsWasm: Uint8Array<ArrayBuffer> | null, ports: MessagePort[]}} Modules
 */

/**
 * @param {Uint8Array<ArrayBuffer>} wasm
 * @param {Record<string, any>} env
 * @returns {Promise<any>}
 */
const instantiate = async (wasm, env) => (await WebAssembly.instantiate(wasm, { env })).instance.exports;

/**
 * The memory that is shared with the helpers is created here, so that it is freed when this worker ends: the garbage collector
 * of the page would not know its size.
 * @param {Modules} modules
 * @param {(ply: number, number: number) => void} progress
 */
async function start({ wasm, threadsWasm, ports }, progress) {
  try {
    if (threadsWasm) {
      const memory = new WebAssembly.Memory({ ...PAGES, shared: true });
      const solver = await instantiate(threadsWasm, { progress, memory });
      for (const [number, port] of ports.entries()) port.postMessage({ wasm: threadsWasm, memory, number });
      return { solver, memory, threads: 1 + ports.length };
    }
  } catch {
    /* this device does not have such memory: a single thread solves the board */
  }
  const solver = await instantiate(wasm, { progress });
  return { solver, memory: /** @type {WebAssembly.Memory} */ (solver.memory), threads: 1 };
}

/**
 * A zlib stream of a block that is not compressed, which takes little time.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
function store(bytes) {
  const { length } = bytes;
  let [low, high] = [1, 0]; // of the checksum; numbers are exact for much longer blocks
  for (const byte of bytes) {
    low += byte;
    high += low;
  }
  low %= 65521;
  high %= 65521;
  const stored = new Uint8Array(length + 11);
  stored.set([0x78, 1, 1, length, length >> 8, ~length, ~length >> 8]);
  stored.set(bytes, 7);
  stored.set([high >> 8, high, low >> 8, low], length + 7);
  return stored;
}

/**
 * The bytes of the table of a board. If `early` is set, those of the same table before it is compressed are posted first, unless
 * it is large.
 * @param {Modules & {board: Api.Board, traps: boolean, early: boolean}} job
 * @param {(message: object, transfer?: Transferable[]) => void} post
 */
async function makeTable({ board, traps, early, ...modules }, post) {
  const report = (/** @type {Api.Progress} */ progress) => post({ progress });
  /** @type {number[]} */
  const distances = [];
  let [decided, legal] = [0, 0];
  /**
   * @param {Api.Progress['phase']} phase
   * @param {number} done
   * @returns {Api.Progress}
   */
  const state = (phase, done) => ({
    phase,
    done,
    ply: distances.length - 1,
    decided,
    undecided: legal - decided,
    total: legal,
    distances: distances.slice(),
  });
  /**
   * @param {number} ply negative for trap values
   * @param {number} number of positions, or the share of the trap values
   */
  const progress = (ply, number) => {
    if (ply < 0) return report(state('traps', number));
    distances[ply] = number;
    decided += number;
    report(state('solving', decided / legal));
  };
  const { solver, memory, threads } = await start(modules, progress);
  /**
   * @param {number} address
   * @param {number} length
   */
  const bytes = (address, length) => new Uint8Array(memory.buffer, address, length);
  /** @param {number} status */
  const check = (status) => {
    if (!status) return;
    const text = bytes(solver.solve_error(), 240);
    const message = new TextDecoder().decode(text.slice(0, text.indexOf(0))); // a copy, as memory may be shared
    throw new EngineError(status === MEMORY ? 'memory' : status === RULES || status === LIMIT ? 'refused' : 'failed', message);
  };

  check(solver.solve_board(board.width, board.height, board.pieces, board.row, WINS.indexOf(board.win)));
  legal = solver.solve_legal();
  report(state('solving', 0));
  check(solver.solve_run(traps, threads));

  const count = 2 * solver.solve_block_count();
  /** @param {number} block */
  const fill = (block) => {
    check(solver.solve_block(block));
    return bytes(solver.solve_block_bytes(), solver.solve_block_length()).slice();
  };
  /**
   * @param {(block: number) => Uint8Array<ArrayBuffer>} contents
   * @param {(bytes: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>} pack
   */
  const tableOf = async (contents, pack) => {
    const pieces = [];
    for (let first = 0; first < count; first += GROUP) {
      const group = [];
      for (let block = first; block < Math.min(first + GROUP, count); block++) {
        const content = contents(block);
        group.push(content.length ? pack(content) : content);
      }
      for (const [number, packed] of (await Promise.all(group)).entries()) {
        bytes(solver.solve_packed_bytes(), packed.length).set(packed);
        solver.solve_packed(first + number, packed.length);
        pieces.push(packed);
      }
      report(state('writing', Math.min(first + GROUP, count) / count));
    }
    const header = solver.solve_header();
    return join([bytes(header, solver.solve_header_length()), ...pieces]);
  };
  if (!early || count > MOST_KEPT) return tableOf(fill, deflate);
  const blocks = Array.from({ length: count }, (_, block) => fill(block));
  const table = await tableOf((block) => blocks[block], store);
  post({ early: table }, [table.buffer]);
  return tableOf((block) => blocks[block], deflate);
}

/**
 * Helps another worker, which sends the module and its memory, until this one is terminated. Posts {ready}, or {lost}, the
 * reason why it cannot help any more.
 * @param {MessagePort} port
 * @param {(message: object) => void} post
 */
function help(port, post) {
  port.onmessage = async ({ data: { wasm, memory, number } }) => {
    try {
      const solver = await instantiate(wasm, { progress() {}, memory });
      solver.__stack_pointer.value = solver.helper_stack(number);
      post({ ready: true });
      solver.help();
    } catch (error) {
      post({ lost: String(error) });
    }
  };
}

/**
 * Does a job and posts its {progress}, the {early} table if it makes one, and then {table} or {failure: {kind, message}}.
 * @param {any} job
 * @param {(message: object, transfer?: Transferable[]) => void} post
 */
export async function work(job, post) {
  if (job.port) return help(job.port, post);
  try {
    const begin = performance.now();
    const table = await makeTable(job, post);
    post({ table, seconds: (performance.now() - begin) / 1000 }, [table.buffer]);
  } catch (error) {
    const { kind, message } = /** @type {EngineError} */ (error);
    post({ failure: { kind: error instanceof RangeError ? 'memory' : (kind ?? 'failed'), message } }); // too large an array
  }
}
