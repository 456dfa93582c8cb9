// The modules of web/engine/wasm_solve.c: how boards get into them, and texts out.

import { boardArguments } from './engine.js';

/** @import * as Api from './index.js' */

/**
 * Its exports and its memory.
 * @typedef {{solver: any, memory: WebAssembly.Memory}} SolveModule
 */

/**
 * The text at an address, which ends with a zero.
 * @param {SolveModule} module
 * @param {number} address
 */
export function textAt({ memory }, address) {
  const bytes = new Uint8Array(memory.buffer, address);
  return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
}

/**
 * Calls an export that takes a board and then, perhaps, other numbers.
 * @param {SolveModule} module
 * @param {string} name
 * @param {Partial<Api.Board> | undefined} board
 * @param {number[]} more
 * @returns {number}
 */
export function callWithBoard({ solver, memory }, name, board, ...more) {
  const { numbers, win } = boardArguments(board);
  const room = new Uint8Array(memory.buffer, solver.solve_win(), solver.solve_win_size());
  room.fill(0);
  room.set(new TextEncoder().encode(win).subarray(0, room.length - 1));
  return solver[name](...numbers, ...more);
}
