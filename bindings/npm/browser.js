// The entry for browsers: fetches the module and the table from next to this file.

import { openTable } from '../../web/engine/engine.js';
import {
  estimate as estimateWith,
  measure as measureWith,
  read,
  solve as solveWith,
  useWorker,
} from '../../web/engine/solve.js';

export { EngineError, loadEngine, openTable } from '../../web/engine/engine.js';

// Bundlers look for this form of a URL, and of a worker.

export async function load(table, options) {
  const [wasm, found] = await Promise.all([
    read(new URL('./neutreeko.wasm', import.meta.url)),
    table ?? read(new URL('./perfect_move.dat', import.meta.url)),
  ]);
  const engine = await openTable(wasm, found, options);
  await engine.finish();
  return engine;
}

const host = {
  wasm: () => read(new URL('./neutreeko-solve.wasm', import.meta.url)),
  threadsWasm: () => read(new URL('./neutreeko-solve-threads.wasm', import.meta.url)),
  processors: () => (globalThis.crossOriginIsolated ? navigator.hardwareConcurrency : 1),
  start: (onMessage, onError) =>
    useWorker(new Worker(new URL('./solve_worker.js', import.meta.url), { type: 'module' }), onMessage, onError),
};

export const solve = (board, options) => solveWith(board, { ...options, host });
export const estimate = (board, device) => estimateWith(board, device, host);
export const measure = () => measureWith({ host });
