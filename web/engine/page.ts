// What the page and its worker share: a script of its own, which web/page/bundle.mjs puts into the page.

export {
  load, openRules, openSolved, solveHere, type Solver, solverOf, startSolver, WorkerLost,
} from './elements.js';
export { Engine, Game } from './engine.js';
export { EngineError } from './module.js';
export { answerMessages, MOST_IN_MEMORY } from './worker.js';
