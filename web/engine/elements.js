// What the page contains in elements, as web/page/bundle.mjs puts it there: the data, which load.js can read, and the
// program of the workers, which it adds.

import { EngineError, openTable, transform } from './engine.js';

const damaged = () => new EngineError('corrupt', 'the data in this page is damaged');

/** @typedef {(id: string) => Uint8Array<ArrayBuffer>} Read the bytes of an element */

/** @type {Read} */
let read;
/** @type {ReturnType<typeof open>} */
let opening;

/** @type {Read} */
export function bytesIn(id) {
  try {
    return read(id);
  } catch {
    throw damaged();
  }
}

/**
 * What bundle.mjs has compressed.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export async function uncompressed(bytes) {
  try {
    return await transform(bytes, new DecompressionStream('deflate'));
  } catch {
    throw damaged();
  }
}

async function open() {
  const table = bytesIn('neutreeko-table');
  const engine = await openTable(await uncompressed(bytesIn('neutreeko-wasm')), table, { complete: true });
  return { engine, bytes: table.length };
}

/**
 * Begins to open the engine with the table of the page, before the page asks for it.
 * @param {Read} reader
 */
export function load(reader) {
  read = reader;
  opening = open();
  opening.catch(() => {}); // the page reports what fails
}

/** The engine with the table of the page, and the size of that. */
export const loaded = () => opening;

/** Starts a worker (worker.js) with the script of the engine. */
export function startWorker() {
  const script = /** @type {HTMLElement} */ (document.getElementById('engine')).textContent;
  const url = URL.createObjectURL(new Blob([script, 'neutreekoEngine.answerMessages()'], { type: 'text/javascript' }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  return worker;
}
