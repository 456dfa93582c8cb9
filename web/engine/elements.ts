// What the page contains in elements, as web/page/bundle.mjs puts it there: the data, which load.ts can read, and the
// program of the workers, which it adds.

import { EngineError, openTable, transform } from './engine.js';

const damaged = () => new EngineError('corrupt', 'the data in this page is damaged');

/** the bytes of an element */
export type Read = (id: string) => Uint8Array<ArrayBuffer>;

let read: Read;
let opening: ReturnType<typeof open>;

export function bytesIn(id: string) {
  try {
    return read(id);
  } catch {
    throw damaged();
  }
}

/** What bundle.mjs has compressed. */
export async function uncompressed(bytes: Uint8Array<ArrayBuffer>) {
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

/** Begins to open the engine with the table of the page, before the page asks for it. */
export function load(reader: Read) {
  read = reader;
  opening = open();
  opening.catch(() => {}); // the page reports what fails
}

/** The engine with the table of the page, and the size of that. */
export const loaded = () => opening;

/** Starts a worker (worker.ts) with the script of the engine. */
export function startWorker() {
  const script = (document.getElementById('engine') as HTMLElement).textContent;
  const url = URL.createObjectURL(new Blob([script, 'neutreekoEngine.answerMessages()'], { type: 'text/javascript' }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  return worker;
}
