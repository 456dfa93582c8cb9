// @ts-nocheck: there are no types of Node.js here
// zlib for Node.js, with the functions of zlib_pako.js.

import { setImmediate } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { constants, deflateSync, inflateSync } from 'node:zlib';

// Node.js aborts if a worker is terminated while it creates a zlib stream, which each function below does. A worker
// therefore shares a lock with the thread that terminates it: it is terminated only while the lock is free.
const [FREE, IN_ZLIB, TERMINATED] = [0, 1, 2];

/** A lock for a new worker, the value of `zlibLock` in its data. */
export const newLock = () => new Int32Array(new SharedArrayBuffer(4));

/**
 * Terminates a worker as soon as it is outside zlib. A worker that has ended by itself may never free the lock.
 * @param {import('node:worker_threads').Worker} worker
 * @param {Int32Array} lock
 */
export async function terminate(worker, lock) {
  const isEnded = () => worker.threadId === -1;
  while (!isEnded() && Atomics.compareExchange(lock, 0, FREE, TERMINATED) === IN_ZLIB) await setImmediate();
  return worker.terminate();
}

/** That of this thread, if it is a worker with one. */
const ownLock = workerData?.zlibLock instanceof Int32Array ? workerData.zlibLock : null;

/** Calls a function of zlib. */
function locked(call) {
  if (!ownLock) return call();
  if (Atomics.compareExchange(ownLock, 0, FREE, IN_ZLIB) === TERMINATED) Atomics.wait(ownLock, 0, TERMINATED);
  try {
    return call();
  } finally {
    Atomics.store(ownLock, 0, FREE);
  }
}

// As in common/table/codec_zlib.c.
const SETTINGS = { level: 1, windowBits: 14, memLevel: 6, strategy: constants.Z_RLE };

export function deflate(bytes, output) {
  const packed = locked(() => deflateSync(bytes, { ...SETTINGS, chunkSize: 2 * bytes.length + 64 }));
  output.set(packed);
  return packed.length;
}

export function inflate(packed, output) {
  try {
    const options = { info: true, chunkSize: output.length + 64, maxOutputLength: output.length };
    const { buffer, engine } = locked(() => inflateSync(packed, options));
    output.set(buffer);
    return engine.bytesWritten === packed.length ? buffer.length : -1;
  } catch (error) {
    if (error.code === 'Z_MEM_ERROR') throw error;
    return -1;
  }
}
