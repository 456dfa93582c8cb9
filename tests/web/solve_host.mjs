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

/** `wasm` is the path of the module. `start` also takes what a worker does first. */
export const solveHost = (wasm) => ({
  wasm: () => readFile(wasm),
  start(onMessage, onError, first = '') {
    const zlibLock = newLock();
    const worker = new Worker(first + script, { eval: true, workerData: { zlibLock } });
    worker.on('message', onMessage).on('error', onError);
    return { post: (...args) => worker.postMessage(...args), terminate: () => terminate(worker, zlibLock) };
  },
});
