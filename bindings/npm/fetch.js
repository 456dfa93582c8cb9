// The entry for browsers that load files when they are needed: fetches them from next to this file.

import { read } from '../../web/engine/solve.js';
import { createInterface } from './interface.js';

export { EngineError, loadEngine, openTable } from '../../web/engine/engine.js';

// Bundlers that copy files look for this form of a URL, and of a worker.
const URLS = {
  'neutreeko.wasm': () => new URL('./neutreeko.wasm', import.meta.url),
  'neutreeko-solve.wasm': () => new URL('./neutreeko-solve.wasm', import.meta.url),
  'neutreeko-solve-threads.wasm': () => new URL('./neutreeko-solve-threads.wasm', import.meta.url),
  'perfect_move.dat': () => new URL('./perfect_move.dat', import.meta.url),
};

export const { load, solve, verify, estimate, measure } = createInterface({
  read: (name) => read(URLS[name]()),
  startWorker: () => new Worker(new URL('./solve_worker.js', import.meta.url), { type: 'module' }),
});
