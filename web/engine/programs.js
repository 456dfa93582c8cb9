// The workers of the page.

/** Starts a worker (worker.js) with the script of the engine, which load.js has put into the page. */
export function startWorker() {
  const script = /** @type {HTMLElement} */ (document.getElementById('engine')).textContent;
  const url = URL.createObjectURL(new Blob([script, 'neutreekoEngine.answerMessages()'], { type: 'text/javascript' }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  return worker;
}
