// What the page and its workers share: a script of its own, which web/page/bundle.mjs puts into the page.

export { embedded, EngineError, loadEngineFromPage, openTable } from './engine.js';
export { sizeOf } from './letters.js';
export { estimate, solve, verify } from './solve.js';
export { startWorker } from './programs.js';
export { answerMessages } from './worker.js';
