// Solves a board in a worker: drives the module of web/engine/solve_exports.c and makes the bytes of a table from what
// it computes.

import { compressor } from './codec.js';
import { EngineError, join } from './engine.js';
import { callWithBoard, textAt } from './solve_module.js';

/** @import * as Api from './index.js' */

// Of 64 KiB: what the module has at first, and the most of a module.
const PAGES = { initial: 2 ** 7, maximum: 2 ** 16 };

/**
 * What solves a board, the module in wasm or, with helpers, the one in threadsWasm.
 * @typedef {{wasm: Uint8Array<ArrayBuffer>, threadsWasm: Uint8Array<ArrayBuffer> | null, ports: MessagePort[]}} Modules
 */

/**
 * @typedef {{
 *   progress_ply(ply: number, decided: number): void,
 *   progress_traps(done: number): void,
 *   progress_writing(done: number): void,
 *   append(address: number, length: number): void,
 *   replace_first(address: number, length: number): void,
 * }} Imports of web/engine/solve_exports.c
 *
 * @param {Uint8Array<ArrayBuffer>} wasm
 * @param {Imports} imports
 * @param {WebAssembly.Memory} [shared]
 * @returns {Promise<import('./solve_module.js').SolveModule>}
 */
async function instantiate(wasm, imports, shared) {
  /** @type {WebAssembly.Memory} */
  let memory;
  const env = { ...imports, ...compressor(() => memory), ...(shared && { memory: shared }) };
  const solver = (await WebAssembly.instantiate(wasm, { env })).instance.exports;
  memory = shared ?? /** @type {WebAssembly.Memory} */ (solver.memory);
  return { solver, memory };
}

/**
 * The memory that is shared with the helpers is created here, so that it is freed when this worker ends: the garbage
 * collector of the page would not know its size.
 * @param {Modules} modules
 * @param {Imports} imports
 */
async function start({ wasm, threadsWasm, ports }, imports) {
  try {
    if (threadsWasm) {
      const memory = new WebAssembly.Memory({ ...PAGES, shared: true });
      const { solver } = await instantiate(threadsWasm, imports, memory);
      for (const [number, port] of ports.entries()) port.postMessage({ wasm: threadsWasm, memory, number });
      return { solver, memory, threads: 1 + ports.length };
    }
  } catch {
    /* this device does not have such memory: a single thread solves the board */
  }
  return { ...(await instantiate(wasm, imports)), threads: 1 };
}

/**
 * The bytes of the table of a board.
 * @param {Modules & {board: Api.Board, traps: boolean}} job
 * @param {(message: object, transfer?: Transferable[]) => void} post
 */
async function makeTable({ board, traps, ...modules }, post) {
  const report = (/** @type {Api.Progress} */ progress) => post({ progress });
  /** @type {number[]} */
  const byPlies = [];
  let [decided, legal] = [0, 0];
  /**
   * @param {Api.Progress['phase']} phase
   * @param {number} done
   * @returns {Api.Progress}
   */
  const state = (phase, done) => ({
    phase,
    done,
    ply: byPlies.length - 1,
    decided,
    undecided: legal - decided,
    total: legal,
    byPlies: byPlies.slice(),
  });
  /** @type {Uint8Array[]} */
  const pieces = []; // of the table
  /** @type {Imports} */
  const imports = {
    progress_ply(ply, number) {
      byPlies[ply] = number;
      decided += number;
      report(state('solving', decided / legal));
    },
    progress_traps: (done) => report(state('traps', done)),
    progress_writing: (done) => report(state('writing', done)),
    append(address, length) {
      pieces.push(bytes(address, length).slice());
    },
    replace_first(address, length) {
      pieces[0] = bytes(address, length).slice(); // the whole header is one piece
    },
  };
  const module = await start(modules, imports);
  const { solver, memory, threads } = module;
  /**
   * @param {number} address
   * @param {number} length
   */
  const bytes = (address, length) => new Uint8Array(memory.buffer, address >>> 0, length);
  /** @param {number} status */
  const check = (status) => {
    if (!status) return;
    const code = /** @type {EngineError['code']} */ (textAt(module, solver.solve_error_name()));
    throw new EngineError(code, textAt(module, solver.solve_error()));
  };

  check(callWithBoard(module, 'solve_board', board));
  legal = solver.solve_legal();
  report(state('solving', 0));
  check(solver.solve_run(traps, threads));
  check(solver.solve_table());
  return join(pieces);
}

const none = () => {};
/** @type {Imports} */
const nothing = {
  progress_ply: none,
  progress_traps: none,
  progress_writing: none,
  append: none,
  replace_first: none,
};

/**
 * Helps another worker, which sends the module and its memory, until this one is terminated. Posts {ready}, or {lost},
 * the reason why it cannot help any more.
 * @param {MessagePort} port
 * @param {(message: object) => void} post
 */
function help(port, post) {
  port.onmessage = async ({ data: { wasm, memory, number } }) => {
    try {
      const { solver } = await instantiate(wasm, nothing, memory);
      solver.__stack_pointer.value = solver.helper_stack(number);
      post({ ready: true });
      solver.help();
    } catch (error) {
      post({ lost: String(error) });
    }
  };
}

/**
 * Does a job and posts its {progress}, and then {table} or {failure: {code, message}}.
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
    const { code, message } = /** @type {EngineError} */ (error);
    // Too large an array.
    post({ failure: { code: error instanceof RangeError ? 'memory' : (code ?? 'module'), message } });
  }
}
