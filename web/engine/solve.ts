// Solving a board in a module, in steps between which a page or a worker can do other things; what moves a solved board
// from one module to another; and solving in a worker, which makes the bytes of a table.

import {
  type Bytes, completeBoard, EngineError, type ErrorCode, join, messageOf, Module, requireArgument,
} from './module.js';

import type { Board, Progress, SolveOptions } from './api.js';

// ---- steps ----

/** Decides all positions of the board of a module, a ply a step. */
function* decide(module: Module): Generator<Progress, Progress> {
  const total = module.call<number>('web_legal');
  const counts: number[] = [];
  let decided = 0;
  const reached = (): Progress => ({
    phase: 'solving', done: decided / total, ply: counts.length - 1, decided, undecided: total - decided, total,
    by_plies: counts.slice(),
  });
  for (;;) {
    yield reached();
    const count = module.call<number | null>('web_solve_pass');
    if (count === null) return reached();
    counts.push(count);
    decided += count;
  }
}

/** Solves the board of a module, which then has its table, uncompressed. */
export function* solveInMemory(module: Module): Generator<Progress> {
  const decided = yield* decide(module);
  yield { ...decided, phase: 'writing', done: 0 };
  module.call('web_solve_codes');
  yield { ...decided, phase: 'traps', done: 0 };
  module.call('web_solve_traps');
}

// ---- from one module to another ----

/** The counts, the codes and the trap values of a board that has been solved in memory, to be moved. */
export type Contents = [counts: Bytes, codes: Bytes, traps: Bytes];

export const contentsOf = (module: Module): Contents => {
  const [counts, codes, traps] = module.call<[address: number, length: number][]>('web_contents');
  return [module.copyOf(...counts), module.copyOf(...codes), module.copyOf(...traps)];
};

/** Has a module use the table of its board that another one has solved. */
export function openContents(module: Module, [counts, codes, traps]: Contents): void {
  const places = [module.place(counts), module.place(codes), traps.length ? module.place(traps) : 0];
  module.call('web_open_codes', [], ...places);
}

// ---- the bytes of a table ----

/**
 * Solves a board, in a module of its own, and makes the bytes of its table. Boards whose codes are too many to stay in
 * memory can be solved so, too.
 */
export async function makeTable(
  wasm: Bytes, board: Partial<Board>, traps: boolean, onProgress: (progress: Progress) => void,
): Promise<Bytes> {
  const pieces: Bytes[] = [];
  let progress: Progress | undefined;
  const report = (phase: Progress['phase']) => (done: number) => progress && onProgress({ ...progress, phase, done });
  const module = await Module.instantiate(wasm, {
    progress_writing: report('writing'),
    progress_traps: report('traps'),
    append: (address: number, length: number) => void pieces.push(module.copyOf(address, length)),
    // The whole header is one piece.
    replace_first: (address: number, length: number) => void (pieces[0] = module.copyOf(address, length)),
  });
  module.useBoard(board);
  for (progress of decide(module)) onProgress(progress);
  module.call('web_solve_write', [], traps);
  return join(pieces);
}

// ---- in a worker ----

/** What a worker is to solve. */
export interface Job {
  wasm: Bytes;
  board: Partial<Board>;
  traps: boolean;
}
/** What it posts: how far it is, and at last what it has done. */
export type Posted =
  | { progress: Progress }
  | { table: Bytes }
  | { failure: { code: ErrorCode; message: string } };
/** Posts a message, and moves what it transfers. */
export type Post<Message> = (message: Message, transfer?: Transferable[]) => void;

/** An error as a message. Too large an array is a lack of memory. */
export function failureOf(error: unknown): { code: ErrorCode; message: string } {
  const code = error instanceof EngineError ? error.code : error instanceof RangeError ? 'memory' : 'module';
  return { code, message: messageOf(error) };
}

/** Does a job: the program of a worker. */
export async function work({ wasm, board, traps }: Job, post: Post<Posted>) {
  try {
    const table = await makeTable(wasm, board, traps, (progress) => post({ progress }));
    post({ table }, [table.buffer]);
  } catch (error) {
    post({ failure: failureOf(error) });
  }
}

export interface Started {
  post(job: object, transfer?: Transferable[]): void;
  terminate(): unknown;
}

/** Where workers come from: the bytes of the module, and a worker that runs work(). */
export interface Host {
  wasm(): Promise<Bytes>;
  start(onMessage: (message: Posted) => void, onError: (reason: string) => void): Started | Promise<Started>;
}

/** What `start` of a Host returns, for a worker of a browser. */
export function useWorker<Message>(
  worker: Worker, onMessage: (message: Message) => void, onError: (reason: string) => void,
): Started {
  worker.addEventListener('message', ({ data }) => onMessage(data));
  worker.addEventListener('error', (event) => onError(event.message || 'the worker could not be started'));
  worker.addEventListener('messageerror', () => onError('a message was lost'));
  return {
    post: (job: object, transfer: Transferable[] = []) => worker.postMessage(job, transfer),
    terminate: () => worker.terminate(),
  };
}

/** Solves a board in a worker of a host, and resolves to the bytes of its table. */
export async function solve(host: Host, board?: Partial<Board>, options?: SolveOptions): Promise<Bytes> {
  const { onProgress, signal, traps = true } = options ?? {};
  requireArgument(onProgress === undefined || typeof onProgress === 'function', 'onProgress', 'a function', onProgress);
  requireArgument(signal === undefined || typeof signal?.addEventListener === 'function',
    'signal', 'an AbortSignal', signal);
  requireArgument(typeof traps === 'boolean', 'traps', 'true or false', traps);
  const job: Job = { board: completeBoard(board), traps, wasm: await host.wasm() };
  const aborted = new EngineError('aborted', 'the work was aborted');
  if (signal?.aborted) throw aborted;
  const end = new AbortController(); // of waiting for the signal
  let starting: Promise<Started> | undefined;
  try {
    return await new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(aborted), { signal: end.signal });
      const stop = (reason: string) => reject(new EngineError('module', `the solver stopped: ${reason}`));
      const onMessage = (message: Posted) => {
        if ('failure' in message) return reject(new EngineError(message.failure.code, message.failure.message));
        if ('table' in message) return resolve(message.table);
        try {
          return onProgress?.(message.progress);
        } catch (error) {
          return reject(error);
        }
      };
      starting = Promise.resolve(host.start(onMessage, stop));
      starting.then((worker) => worker.post(job), reject);
    });
  } finally {
    end.abort();
    await (await starting?.catch(() => undefined))?.terminate();
  }
}
