// Solves a board in a worker, or verifies a table: drives the module of web/engine/wasm_solve.c, and makes the bytes
// of a table from what it computes.

import { compressor, uncompressor } from './codec.js';
import { copyTable, EngineError, type ErrorCode, instantiate, join, messageOf } from './engine.js';
import { callWithBoard, type SolveModule, textAt } from './solve_module.js';

import type { Progress } from './api.js';
import type { Job, Posted } from './solve.js';

/** Posts a message, and moves what it transfers. */
export type Post = (message: Posted, transfer?: Transferable[]) => void;

/** What web/engine/wasm_solve.c imports. */
type Imports = {
  progress_ply(ply: number, decided: number): void;
  progress_traps(done: number): void;
  progress_writing(done: number): void;
  progress_verifying(done: number): void;
  append(address: number, length: number): void;
  replace_first(address: number, length: number): void;
};

async function start(wasm: Uint8Array<ArrayBuffer>, imports: Partial<Imports>): Promise<SolveModule> {
  let memory: WebAssembly.Memory;
  const current = () => memory;
  const solver = await instantiate(wasm, { ...imports, ...compressor(current), ...uncompressor(current) });
  memory = solver.memory;
  return { solver, memory };
}

/** Throws the error of an export unless its status is 0. */
function check(module: SolveModule, status: number) {
  if (!status) return;
  const code = textAt(module, module.solver.solve_error_name()) as ErrorCode;
  throw new EngineError(code, textAt(module, module.solver.solve_error()));
}

/** The bytes of the table of a board. */
async function makeTable({ wasm, board, traps }: Extract<Job, { board: unknown }>, post: Post) {
  const report = (progress: Progress) => post({ progress });
  const byPlies: number[] = [];
  let [decided, legal] = [0, 0];
  const state = (phase: Progress['phase'], done: number): Progress => ({
    phase,
    done,
    ply: byPlies.length - 1,
    decided,
    undecided: legal - decided,
    total: legal,
    by_plies: byPlies.slice(),
  });
  const pieces: Uint8Array[] = []; // of the table
  const imports: Partial<Imports> = {
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
  const bytes = (address: number, length: number) => new Uint8Array(memory.buffer, address >>> 0, length);

  check(module, callWithBoard(module, 'solve_board', board));
  legal = solver.solve_legal();
  report(state('solving', 0));
  check(module, solver.solve_run(traps));
  check(module, solver.solve_table());
  return join(pieces);
}

/** Verifies a table. Throws if it is wrong, with the reason. */
async function verifyTable({ wasm, table }: Extract<Job, { table: unknown }>, post: Post) {
  const module = await start(wasm, { progress_verifying: (done) => post({ progress: done }) });
  const { solver, memory } = module;
  const size = await copyTable(table, memory, solver.verify_input);
  check(module, solver.verify_run(size));
}

/** Does a job and posts its {progress}, and then {table}, {verified} or {failure: {code, message}}. */
export async function work(job: Job, post: Post) {
  try {
    if ('table' in job) {
      await verifyTable(job, post);
      return post({ verified: true });
    }
    const table = await makeTable(job, post);
    post({ table }, [table.buffer]);
  } catch (error) {
    const code = error instanceof EngineError ? error.code : 'module';
    // Too large an array.
    post({ failure: { code: error instanceof RangeError ? 'memory' : code, message: messageOf(error) } });
  }
}
