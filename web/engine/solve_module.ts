// The modules of web/engine/wasm_solve.c: how boards get into them, and texts out.

import { boardArguments, type Exports } from './engine.js';

import type * as Api from './api.js';

/** Its exports and its memory. */
export type SolveModule = { solver: Exports; memory: WebAssembly.Memory };

/** The text at an address, which ends with a zero. */
export function textAt({ memory }: SolveModule, address: number) {
  const bytes = new Uint8Array(memory.buffer, address);
  return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
}

/** Calls an export that takes a board and then, perhaps, other numbers. */
export function callWithBoard(
  { solver, memory }: SolveModule, name: string, board: Partial<Api.Board> | undefined, ...more: number[]
): number {
  const { numbers, win } = boardArguments(board);
  const room = new Uint8Array(memory.buffer, solver.solve_win(), solver.solve_win_size());
  room.fill(0);
  room.set(new TextEncoder().encode(win).subarray(0, room.length - 1));
  return solver[name](...numbers, ...more);
}
