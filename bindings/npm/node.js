// The entry for Node.js: reads the modules and the table from this package's files.

import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { Worker } from 'node:worker_threads';
import { openTable } from '../../web/engine/engine.js';
import {
  estimate as estimateWith,
  measure as measureWith,
  solve as solveWith,
  verify as verifyWith,
} from '../../web/engine/solve.js';
import { newLock, terminate } from '../../web/engine/zlib_node.js';

export { EngineError, loadEngine, openTable } from '../../web/engine/engine.js';

const read = (name) => readFile(new URL(name, import.meta.url));

export async function load(table, options) {
  const [wasm, found] = await Promise.all([read('neutreeko.wasm'), table ?? read('perfect_move.dat')]);
  const engine = await openTable(wasm, found, options);
  await engine.finish();
  return engine;
}

const host = {
  wasm: () => read('neutreeko-solve.wasm'),
  threadsWasm: () => read('neutreeko-solve-threads.wasm'),
  processors: () => cpus().length,
  start(onMessage, onError) {
    const zlibLock = newLock();
    const worker = new Worker(new URL('node_worker.js', import.meta.url), { workerData: { zlibLock } });
    worker.on('message', onMessage).on('error', (error) => onError(error.message));
    worker.on('exit', () => onError('it ended'));
    return { post: (job, transfer) => worker.postMessage(job, transfer), terminate: () => terminate(worker, zlibLock) };
  },
};

export const solve = (board, options) => solveWith(board, { ...options, host });
export const verify = async (table, options) =>
  verifyWith(table ?? (await read('perfect_move.dat')), { ...options, host });
export const estimate = (board, device) => estimateWith(board, device, host);
export const measure = () => measureWith({ host });
