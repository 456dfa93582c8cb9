// The entry for browsers that any bundler can use without configuration: it contains the modules, the table and the
// program of the worker. check.mjs lists which files the imports without a path are.

import engine from 'engine.wasm';
import solver from 'solve.wasm';
import solverThreads from 'threads.wasm';
import table from 'table.dat';
import program from 'worker.txt';
import { createInterface } from './interface.js';

export { EngineError, loadEngine, openTable } from '../../web/engine/engine.js';

const FILES = {
  'neutreeko.wasm': engine,
  'neutreeko-solve.wasm': solver,
  'neutreeko-solve-threads.wasm': solverThreads,
  'perfect_move.dat': table,
};

function startWorker() {
  const url = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  return worker;
}

export const { load, solve, verify, estimate, measure } = createInterface({
  read: async (name) => FILES[name],
  startWorker,
});
