// What the page and its workers share: a script of its own, which web/page/bundle.mjs puts into the page.

export { bytesIn, load, loaded, startWorker, uncompressed } from './elements.js';
export { EngineError, openTable } from './engine.js';
export { estimate, solve, useWorker, verify } from './solve.js';
export { answerMessages } from './worker.js';
