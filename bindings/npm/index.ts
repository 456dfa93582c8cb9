// The package: it contains the module and the program of the worker, so that Node.js, browsers and bundlers need no
// configuration. check.mjs lists which files the imports without a path are.

import engine from 'engine.wasm';
import program from 'worker.txt';
import { type Engine, openTable, solveStandard } from '../../web/engine/engine.js';
import { EngineError, estimateIn, messageOf, Module, requireArgument } from '../../web/engine/module.js';
import { type Host, type Posted, solve as solveWith, useWorker } from '../../web/engine/solve.js';

import type { Board, Estimate, PositionText, SolveOptions, TableSource } from '../../web/engine/api.js';

export type * from '../../web/engine/api.js';
export type { Engine, Game } from '../../web/engine/engine.js';
export { EngineError, type ErrorCode, type Reason } from '../../web/engine/module.js';

/** An engine with the values of all positions in memory. */
export type CompleteEngine = Engine & { readonly complete: true };

// Node.js has other workers than browsers: the program finds there what it uses.
const PRELUDE = `const { parentPort } = require('node:worker_threads');
globalThis.postMessage = (message, { transfer } = {}) => parentPort.postMessage(message, transfer);
globalThis.addEventListener = (_, listen) => parentPort.on('message', (data) => listen({ data }));
`;
// In variables, which bundlers do not look for.
const NODE_WORKERS = 'node:worker_threads';
const NODE_FILES = 'node:fs/promises';

/** What this uses of the workers of Node.js. */
interface NodeWorker {
  on(event: 'message', listen: (message: Posted) => void): this;
  on(event: 'error', listen: (error: Error) => void): this;
  on(event: 'exit', listen: () => void): this;
  postMessage(message: object, transfer?: Transferable[]): void;
  terminate(): Promise<unknown>;
}

const startInNode: Host['start'] = async (onMessage, onError) => {
  const workers: { Worker: new (program: string, options: object) => NodeWorker } =
    await import(/* @vite-ignore */ /* webpackIgnore: true */ NODE_WORKERS);
  const worker = new workers.Worker(PRELUDE + program, { eval: true, execArgv: [] }); // not --input-type=module
  worker.on('message', onMessage).on('error', (error) => onError(error.message));
  worker.on('exit', () => onError('it ended'));
  return { post: (job, transfer) => worker.postMessage(job, transfer), terminate: () => worker.terminate() };
};

const startInBrowser: Host['start'] = (onMessage, onError) => {
  const url = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  return useWorker(worker, onMessage, onError);
};

const hasBrowserWorkers = 'Worker' in globalThis;
const host: Host = { wasm: async () => engine, start: hasBrowserWorkers ? startInBrowser : startInNode };

const isAddress = (source: unknown): source is string | URL => typeof source === 'string' || source instanceof URL;

/** Reads a file of Node.js, which has a path where browsers have an address. */
async function contentOf<Source extends TableSource>(source: Source): Promise<Source | Uint8Array> {
  if (!isAddress(source) || hasBrowserWorkers || /^(https?|data|blob):/.test(String(source))) return source;
  const { readFile }: { readFile(path: string | URL): Promise<Uint8Array> } =
    await import(/* @vite-ignore */ /* webpackIgnore: true */ NODE_FILES);
  try {
    return await readFile(/^file:/.test(String(source)) ? new URL(source) : source);
  } catch (error) {
    throw new EngineError('read', `cannot read the table: ${messageOf(error)}`);
  }
}

/** Names the table in the error of what is not a table or damaged. */
function naming(source: TableSource) {
  return (error: unknown) => {
    const isNamed = error instanceof EngineError && ['not_table', 'corrupt'].includes(error.code)
      && isAddress(source) && !/^(data|blob):/.test(String(source));
    throw isNamed ? new EngineError(error.code, `${source}: ${error.message}`, error) : error;
  };
}

/**
 * Loads the engine: solves the standard game, which takes a tenth of a second, or opens a table, of up to 2 GB unless
 * it is a source. If it is `complete`, by default a small one, all of it is checked, and the values of all positions
 * are in memory; otherwise each call uncompresses, and checks, the blocks that it needs. `onProgress` is called with
 * the share of the table that has been read.
 */
export function load(): Promise<CompleteEngine & { readonly start: PositionText }>;
export function load(
  table: TableSource,
  options?: { complete?: boolean; onProgress?: (share: number) => void },
): Promise<Engine>;
export async function load(source?: TableSource, options?: Parameters<typeof openTable>[2]) {
  return source === undefined
    ? solveStandard(engine)
    : openTable(engine, await contentOf(source), options).catch(naming(source));
}

/**
 * Solves a board in a worker, and resolves to its table: the bytes of a perfect_move.dat with the codes and the
 * checksum of the one that neutreeko-solve writes. Rejects with an `EngineError` with the code 'rules' (there is no
 * such board), 'limit' (a game on it lasts too long), 'memory', 'aborted', 'read' or 'module'.
 */
export const solve = (board?: Partial<Board>, options?: SolveOptions): Promise<Uint8Array<ArrayBuffer>> =>
  solveWith(host, board, options);

let estimator: Promise<Module> | undefined;

/** What solving a board takes, about, on a device with so much memory, in bytes. */
export async function estimate(board?: Partial<Board>, device?: { memory?: number }): Promise<Estimate> {
  const { memory = Number.POSITIVE_INFINITY } = device ?? {};
  requireArgument(typeof memory === 'number' && memory >= 0, 'memory', 'a number of bytes', memory);
  return estimateIn(await (estimator ??= Module.instantiate(engine)), board, memory);
}
