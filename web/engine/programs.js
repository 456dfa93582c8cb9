// The program of workers (worker.js), which web/page/bundle.mjs puts into the page.

import { bytesOfText } from './engine.js';
import { inflate } from '#zlib';

/** Starts a worker with the program, whose `data-length` bytes are compressed. */
export function startWorker() {
  const element = /** @type {HTMLElement} */ (document.getElementById('neutreeko-worker'));
  const program = new Uint8Array(Number(element.dataset.length));
  inflate(bytesOfText(element.textContent ?? ''), program);
  const url = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  return worker;
}
