// Solves a board in a worker, or verifies a table: drives the module of web/engine/wasm_solve.c, and makes the bytes
// of a table from what it computes.

import { compressor, uncompressor } from './codec.js';
import { copyTable, EngineError, instantiate, join } from './engine.js';
import { callWithBoard, textAt } from './solve_module.js';

/** @import * as Api from './index.js' */

/**
 * @typedef {{
 *   progress_ply(ply: number, decided: number): void,
 *   progress_traps(done: number): void,
 *   progress_writing(done: number): void,
 *   progress_verifying(done: number): void,
 *   append(address: number, length: number): void,
 *   replace_first(address: number, length: number): void,
 * }} Imports of web/engine/wasm_solve.c
 *
 * @param {Uint8Array<ArrayBuffer>} wasm
 * @param {Partial<Imports>} imports
 * @returns {Promise<import('./solve_module.js').SolveModule>}
 */
async function start(wasm, imports) {
  /** @type {WebAssembly.Memory} */
  let memory;
  const current = () => memory;
  const solver = (await instantiate(wasm, { ...imports, ...compressor(current), ...uncompressor(current) })).exports;
  memory = /** @type {WebAssembly.Memory} */ (solver.memory);
  return { solver, memory };
}

/**
 * Throws the error of an export unless its status is 0.
 * @param {import('./solve_module.js').SolveModule} module
 * @param {number} status
 */
function check(module, status) {
  if (!status) return;
  const code = /** @type {EngineError['code']} */ (textAt(module, module.solver.solve_error_name()));
  throw new EngineError(code, textAt(module, module.solver.solve_error()));
}

/**
 * The bytes of the table of a board.
 * @param {{wasm: Uint8Array<ArrayBuffer>, board: Api.Board, traps: boolean}} job
 * @param {(message: object, transfer?: Transferable[]) => void} post
 */
async function makeTable({ wasm, board, traps }, post) {
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
    by_plies: byPlies.slice(),
  });
  /** @type {Uint8Array[]} */
  const pieces = []; // of the table
  /** @type {Partial<Imports>} */
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
  const module = await start(wasm, imports);
  const { solver, memory } = module;
  /**
   * @param {number} address
   * @param {number} length
   */
  const bytes = (address, length) => new Uint8Array(memory.buffer, address >>> 0, length);

  check(module, callWithBoard(module, 'solve_board', board));
  legal = solver.solve_legal();
  report(state('solving', 0));
  check(module, solver.solve_run(traps));
  check(module, solver.solve_table());
  return join(pieces);
}

/**
 * Verifies a table. Throws if it is wrong, with the reason.
 * @param {{wasm: Uint8Array<ArrayBuffer>, table: Blob | Uint8Array}} job
 * @param {(message: object) => void} post
 */
async function verifyTable({ wasm, table }, post) {
  const module = await start(wasm, { progress_verifying: (done) => post({ progress: done }) });
  const { solver, memory } = module;
  const size = await copyTable(table, memory, solver.verify_input);
  check(module, solver.verify_run(size));
}

/**
 * Does a job and posts its {progress}, and then {table}, {verified} or {failure: {code, message}}.
 * @param {any} job
 * @param {(message: object, transfer?: Transferable[]) => void} post
 */
export async function work(job, post) {
  try {
    if (job.table) {
      await verifyTable(job, post);
      return post({ verified: true });
    }
    const table = await makeTable(job, post);
    post({ table }, [table.buffer]);
  } catch (error) {
    const { code, message } = /** @type {EngineError} */ (error);
    // Too large an array.
    post({ failure: { code: error instanceof RangeError ? 'memory' : (code ?? 'module'), message } });
  }
}
