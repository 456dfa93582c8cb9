// What the entries for browsers export, from where their files are.

import { openTable } from '../../web/engine/engine.js';
import { estimate, measure, solve, useWorker, verify } from '../../web/engine/solve.js';

/** `read` returns the bytes of a file of the package, `startWorker` a worker that runs solve_worker.js. */
export function createInterface({ read, startWorker }) {
  const host = {
    wasm: () => read('neutreeko-solve.wasm'),
    threadsWasm: () => read('neutreeko-solve-threads.wasm'),
    processors: () => (globalThis.crossOriginIsolated ? navigator.hardwareConcurrency : 1),
    start: (onMessage, onError) => useWorker(startWorker(), onMessage, onError),
  };
  return {
    async load(table, options) {
      const [wasm, found] = await Promise.all([read('neutreeko.wasm'), table ?? read('perfect_move.dat')]);
      const engine = await openTable(wasm, found, options);
      await engine.finish();
      return engine;
    },
    solve: (board, options) => solve(board, { ...options, host }),
    verify: async (table, options) => verify(table ?? (await read('perfect_move.dat')), { ...options, host }),
    estimate: (board, device) => estimate(board, device, host),
    measure: () => measure({ host }),
  };
}
