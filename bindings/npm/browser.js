// The entry for browsers: fetches the module and the table from next to this file.

import { EngineError, loadEngine } from './engine.js';

export { EngineError, loadEngine };

async function read(url) {
  const response = await fetch(url);
  if (!response.ok) throw new EngineError('failed', `cannot fetch ${url}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

export async function load() {
  // Bundlers look for this form of a URL.
  const [wasm, table] = await Promise.all([
    read(new URL('./neutreeko.wasm', import.meta.url)),
    read(new URL('./perfect_move.dat', import.meta.url)),
  ]);
  return loadEngine(wasm, table);
}
