// Boards with their rules, and their names, which are those of docs/BOARDS.md: "4x4/3", "4x4/4/row4", "5x5/3/diagonal".

import { MOST_IN_MEMORY } from '../../engine/page.js';
import { useOpponents } from './players.js';
import { squareName, writePosition } from './position.js';

import type { Engine } from '../../engine/engine.js';
import type { Board, Pieces, State } from './types.js';

export const STANDARD = '5x5/3';

let names: ReturnType<Engine['names']>;
let faultOf: (board: Board) => string | null;

/** The rules and the opponents are those of an engine, of any board. To be called before all else here. */
export function useRules(engine: Engine) {
  useOpponents(engine.opponents());
  names = engine.names();
  faultOf = (board) => engine.faultOf(board);
}

/** The least and the most of the numbers of a board. */
export const limits = () => names.board;

/** The winning conditions. */
export const wins = () => names.wins.map(({ name }) => name);

/** Whether a rule has lines, so that the number of pieces in one can be chosen. */
export const hasLines = (win: string) => names.wins.some(({ name, lines }) => name === win && lines);

/** The row length of a board whose name has none. */
export const usualRow = (pieces: number, win: string) =>
  (hasLines(win) ? Math.min(names.board.usual_row_length, pieces) : pieces);

export function boardName({ width, height, pieces, row_length: row, win }: Board) {
  const parts = [`${width}x${height}`, pieces];
  if (row !== usualRow(pieces, win)) parts.push(`row${row}`);
  if (win !== 'line') parts.push(win);
  return parts.join('/');
}

/** Whether searching all positions would take too long. */
export const isTooLarge = ({ summary }: Pick<Engine, 'summary'>) => summary.legal > MOST_IN_MEMORY;

declare global {
  interface Navigator {
    readonly deviceMemory?: number; // in Chromium, in GiB, rounded down
  }
}
/** The bytes that may be used: half of what the device has. */
export const deviceMemory = (globalThis.navigator?.deviceMemory ?? Number.POSITIVE_INFINITY) * 2 ** 29;

const NAME = /^(\d)x(\d)\/(\d)(?:\/row(\d))?(?:\/([a-z]+))?$/;

/** The board with this name, or null. */
export function readBoard(name: string): Board | null {
  const [, width, height, pieces, row, of = 'line'] = NAME.exec(name) ?? [];
  const win = wins().find((one) => one === of);
  if (!width || !win) return null;
  const board = {
    width: Number(width),
    height: Number(height),
    pieces: Number(pieces),
    row_length: Number(row ?? usualRow(Number(pieces), win)),
    win,
  };
  return faultOf(board) === null ? board : null;
}

/** The name as boardName() writes it, if there is such a board: "3x3/2/row2" is "3x3/2". */
export function usualName(name: string) {
  const board = readBoard(name);
  return board ? boardName(board) : name;
}

/** A position to begin with: what the engine proposes, as far as it knows values, or any that is legal; '' without. */
function proposal(engine: Engine): string {
  // To find it in a large table takes longer than all else.
  const hasValues = engine.summary.legal && !isTooLarge(engine);
  const proposed = engine.start ?? (hasValues ? engine.suggestedStart() : engine.firstStart());
  if (proposed) return proposed;
  const { width, height, pieces } = engine.board;
  const squares = Array.from({ length: width * height }, (_, n) => squareName(n % width, Math.floor(n / width)));
  for (let step = 1; step < squares.length; step++) {
    const order = squares.map((_, n) => squares[(n * step) % squares.length]);
    const placed: Pieces = new Map(order.slice(0, 2 * pieces).map((square, n) => [square, n % 2 ? 'white' : 'black']));
    const text = writePosition(placed, 'black', engine.board);
    if (placed.size === 2 * pieces && engine.checkPosition(text).ok) return text;
  }
  return '';
}

/** By engine, where games begin, with what the user has chosen then. */
const starts = new WeakMap<Engine, { chosen: string; start: string }>();

/** Where games on the board begin: where the user wants it, or else where the engine proposes; '' if nowhere. */
export function startOf({ engine, settings }: Pick<State, 'engine' | 'settings'>): string {
  const chosen = settings.starts[boardName(engine.board)] ?? '';
  const before = starts.get(engine);
  if (before?.chosen === chosen) return before.start;
  const check = engine.checkPosition(chosen);
  const start = check.ok ? check.position : proposal(engine);
  starts.set(engine, { chosen, start });
  return start;
}
