// The entry for Node.js: reads the module and the table from this package's files.

import { readFile } from 'node:fs/promises';
import { loadEngine } from './engine.js';

export { EngineError, loadEngine } from './engine.js';

const read = (name) => readFile(new URL(name, import.meta.url));

export async function load() {
  const [wasm, table] = await Promise.all([read('neutreeko.wasm'), read('perfect_move.dat')]);
  return loadEngine(wasm, table);
}
