// Where web/engine/solve.js gets its workers from in Node.js, for tests and measurements.

import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';

import { newLock, terminate } from '../../web/engine/zlib_node.js';

const solver = JSON.stringify(new URL('../../web/engine/solver.js', import.meta.url));
const script = `const { parentPort } = require('node:worker_threads');
parentPort.once('message', async (job) => {
  const { work } = await import(${solver});
  work(job, (...args) => parentPort.postMessage(...args));
});`;

/** The arguments are the paths of the modules. `start` also takes what a worker does first, and its data. */
export const solveHost = (wasm, threadsWasm) => ({
  wasm: () => readFile(wasm),
  threadsWasm: () => readFile(threadsWasm),
  processors: () => 1,
  start(onMessage, onError, first = '', data = null) {
    const zlibLock = newLock();
    const worker = new Worker(first + script, { eval: true, workerData: { data, zlibLock } });
    worker.on('message', onMessage).on('error', onError);
    return { post: (...args) => worker.postMessage(...args), terminate: () => terminate(worker, zlibLock) };
  },
});
