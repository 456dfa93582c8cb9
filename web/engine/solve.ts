// Solves other boards on this device, and verifies tables, in a worker.

import { bytesIn, startWorker, uncompressed } from './elements.js';
import { completeBoard, EngineError, instantiate, requireArgument, tableForWorker } from './engine.js';
import { callWithBoard, textAt } from './solve_module.js';

import type * as Api from './api.js';
import type { ErrorCode } from './engine.js';
import type { SolveModule } from './solve_module.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** What a worker does: it solves a board, or verifies a table. */
export type Job = { wasm: Bytes } & ({ board: Api.Board; traps: boolean } | { table: Blob | Uint8Array });
/** What it posts: how far it is, and at last what it has done. */
export type Posted =
  | { progress: Api.Progress | number }
  | { table: Bytes }
  | { verified: true }
  | { failure: { code: ErrorCode; message: string } };

export interface Started {
  post(job: object, transfer?: Transferable[]): void;
  terminate(): unknown;
}

/** Where workers come from: the bytes of the module, and a worker that runs web/engine/solver.ts. */
export interface Host {
  wasm(): Promise<Bytes>;
  start(onMessage: (message: Posted) => void, onError: (reason: string) => void): Started | Promise<Started>;
}

/** The page that web/page/bundle.mjs makes. */
const page: Host = {
  wasm: async () => uncompressed(bytesIn('neutreeko-wasm')),
  start(onMessage, onError) {
    return useWorker(startWorker(), onMessage, onError);
  },
};

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

function requireWatching(onProgress: unknown, signal: AbortSignal | undefined) {
  requireArgument(onProgress === undefined || typeof onProgress === 'function', 'onProgress', 'a function', onProgress);
  requireArgument(signal === undefined || typeof signal?.addEventListener === 'function',
    'signal', 'an AbortSignal', signal);
}

export async function solve(
  board?: Partial<Api.Board>, options?: Api.SolveOptions & { host?: Host },
): Promise<Uint8Array<ArrayBuffer>> {
  const { onProgress, signal, traps = true, host = page } = options ?? {};
  requireWatching(onProgress, signal);
  requireArgument(typeof traps === 'boolean', 'traps', 'true or false', traps);
  const report = (progress: Api.Progress | number) => typeof progress === 'object' && onProgress?.(progress);
  const done = await run({ board: completeBoard(board), traps, wasm: await host.wasm() }, host, report, signal);
  if (!('table' in done)) throw new EngineError('module', 'the solver made no table');
  return done.table;
}

/**
 * Does a job in a worker.
 * @returns the last message of the worker
 */
async function run(
  job: Job, host: Host, onProgress: (progress: Api.Progress | number) => void, signal?: AbortSignal,
): Promise<Posted> {
  const aborted = new EngineError('aborted', 'the work was aborted');
  if (signal?.aborted) throw aborted;
  const end = new AbortController(); // of waiting for the signal
  let starting: Promise<Started> | undefined;
  try {
    return await new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(aborted), { signal: end.signal });
      const report = (progress: Api.Progress | number) => {
        try {
          onProgress(progress);
        } catch (error) {
          reject(error);
        }
      };
      const stop = (reason: string) => reject(new EngineError('module', `the solver stopped: ${reason}`));
      const onMessage = (message: Posted) => {
        if ('progress' in message) report(message.progress);
        else if ('failure' in message) reject(new EngineError(message.failure.code, message.failure.message));
        else resolve(message);
      };
      starting = Promise.resolve(host.start(onMessage, stop));
      starting.then((worker) => worker.post(job), reject);
    });
  } finally {
    end.abort();
    await (await starting?.catch(() => undefined))?.terminate();
  }
}

export async function verify(
  table: Exclude<Api.TableSource, Api.SynchronousSource>, options?: Api.VerifyOptions & { host?: Host },
): Promise<void> {
  const { onProgress, signal, host = page } = options ?? {};
  requireWatching(onProgress, signal);
  const report = (progress: Api.Progress | number) => typeof progress === 'number' && onProgress?.(progress);
  await run({ table: await tableForWorker(table), wasm: await host.wasm() }, host, report, signal);
}

/** Whether a value is a number from 0, or infinity. */
const isAmount = (value: unknown) => typeof value === 'number' && value >= 0;

/** The modules that estimate, by the hosts that they come from. */
const estimators: WeakMap<Host, SolveModule> = new WeakMap();

async function estimatorOf(host: Host) {
  const known = estimators.get(host);
  if (known) return known;
  const solver = await instantiate(await host.wasm(), {}); // an estimate calls no imports
  const estimator = { solver, memory: solver.memory };
  estimators.set(host, estimator);
  return estimator;
}

export async function estimate(
  board?: Partial<Api.Board>, device?: { memory?: number } | null, host: Host = page,
): Promise<Api.Estimate> {
  const { memory = Number.POSITIVE_INFINITY } = device ?? {};
  requireArgument(isAmount(memory), 'memory', 'a number of bytes', memory);
  const module = await estimatorOf(host);
  return JSON.parse(textAt(module, callWithBoard(module, 'solve_estimate', board, memory)));
}
