// Where web/engine/solve.ts gets its workers from in Node.js, for tests and measurements.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import { require } from './browser.mjs';

const { outputFiles: [{ text }] } = require('esbuild').buildSync({
  entryPoints: [fileURLToPath(new URL('../../web/engine/solve.ts', import.meta.url))],
  bundle: true,
  write: false,
  format: 'iife',
  globalName: 'solver',
  nodePaths: [process.env.NODE_MODULES],
});
const script = `${text}
const { parentPort } = require('node:worker_threads');
parentPort.once('message', (job) => solver.work(job, (...args) => parentPort.postMessage(...args)));`;

/** `wasm` is the path of the module. `start` also takes what a worker does first. */
export const solveHost = (wasm) => ({
  wasm: () => readFile(wasm),
  start(onMessage, onError, first = '') {
    const worker = new Worker(first + script, { eval: true });
    worker.on('message', onMessage).on('error', onError);
    return { post: (...args) => worker.postMessage(...args), terminate: () => worker.terminate() };
  },
});
