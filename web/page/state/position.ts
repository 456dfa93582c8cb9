// Positions as text and as a map of pieces, and what is wrong with a text that is none. Only the engine decides what is
// legal.

import type { EngineError } from '../../engine/page.js';
import type { GameState, Message, Pieces, Shape, Side } from './types.js';

/** Reads a position; `pieces` maps "b1" to its side. Throws a RangeError. */
export function readPosition(text: string, { width, height }: Shape): { pieces: Pieces; toMove: Side } {
  const [ranks, side] = text.split(' ');
  const pieces: Pieces = new Map();
  const rows = ranks.split('/');
  if (rows.length !== height) throw new RangeError(`expected ${height} ranks: ${ranks}`);
  rows.forEach((rank, row) => {
    let file = 0;
    if (/[^bw1-9]/.test(rank)) throw new RangeError(`expected b, w or a number of empty squares: ${rank}`);
    for (const c of rank) {
      if (c === 'b' || c === 'w') pieces.set(squareName(file, height - 1 - row), c === 'b' ? 'black' : 'white');
      file += Number(c) || 1;
    }
    if (file !== width) throw new RangeError(`expected ${width} squares in a rank: ${rank}`);
  });
  return { pieces, toMove: side === 'w' ? 'white' : 'black' };
}

/** The text of any placement, legal or not. */
export function writePosition(pieces: Pieces, toMove: Side, { width, height }: Shape) {
  const ranks = [];
  for (let rank = height - 1; rank >= 0; rank--) {
    let text = '';
    for (let file = 0; file < width; file++) text += pieces.get(squareName(file, rank))?.[0] ?? '1';
    ranks.push(text.replace(/1+/g, (ones) => String(ones.length)));
  }
  return `${ranks.join('/')} ${toMove[0]}`;
}

/** @param rank both from 0 */
export function squareName(file: number, rank: number) {
  return String.fromCharCode(97 + file) + (rank + 1);
}

/** The squares of a move: {from, to} of "b1-c1". */
export function parseMove(move: string) {
  const [from, to] = move.split('-');
  return { from, to };
}

/** A move as addresses and what is stored have it: "b1c1" for "b1-c1". */
export const withoutHyphen = (move: string) => move.replace('-', '');

/** A move with the hyphen, whether it is written with one or as withoutHyphen() does; any other text as it is. */
export const withHyphen = (text: string) => text.replace(/^([a-z]\d+)-?([a-z]\d+)$/, '$1-$2');

/** Moves, one after the other, as addresses and what is stored have them. */
export const writeMoves = (moves: readonly string[]) => moves.map(withoutHyphen).join('.');
export const readMoves = (text: string) => text.split('.').filter(Boolean).map(withHyphen);

export function parseSquare(name: string) {
  return { file: name.charCodeAt(0) - 97, rank: Number(name.slice(1)) - 1 };
}

export function isOnBoard(name: string, { width, height }: Shape) {
  const { file, rank } = parseSquare(name);
  return file >= 0 && file < width && rank >= 0 && rank < height;
}

/** Where a game would be that has not been begun. */
export const NO_GAME: GameState = {
  start: '', position: '', to_move: 'black', plies: 0, moves: [], undone: [], repetitions: 0, end: null, legal: [],
};

/** The side to move after so many moves from a position. */
export const sideAt = (start: string, plies = 0): Side =>
  (start.endsWith('w') === (plies % 2 === 0) ? 'white' : 'black');

/** The number of the move after so many from a position; White's move has that of Black's before it. */
export const moveNumber = (start: string, plies: number) => ((plies + (start.endsWith('w') ? 1 : 0)) >> 1) + 1;

export const SIDES: Side[] = ['black', 'white'];

export const other = (side: Side): Side => (side === 'black' ? 'white' : 'black');

// ---- what is wrong with a text ----

/** What begins like the ranks of a position, and not with a move such as b1/c1: no game does. */
const RANKS = /^(?![a-h]\d\/[a-h]\d(?![\w/]))[bw\d]+\//i;

/**
 * Why a position is illegal.
 * @param error that checkPosition has reported
 * @param needed pieces of a side
 */
export function positionFault(text: string, { reason, at }: EngineError, needed: number): Message {
  const [placement, last] = [text.replace(/^[bw]:|(?<![\s_])[\s_]+[bw]$/gi, ''), text.match(/^[bw](?=:)|[bw]$/i)?.[0]];
  const count = (letter: RegExp) => placement.match(letter)?.length ?? 0;
  if (reason === 'won') return ['error_won', last?.toLowerCase() === 'w' ? 'white' : 'black'];
  if (reason === 'black-count') return ['error_black-count', needed, count(/b/gi)];
  if (reason === 'white-count') return ['error_white-count', needed, count(/w/gi)];
  if (!at) return ['error_fair']; // all other faults have a place
  return !/\s/.test(text) && at > text.length ? ['error_side'] : ['error_syntax', at];
}

/**
 * Whether a text that is not a legal position was meant to be one.
 * @param error that checkPosition has reported
 */
export const isMeantAsPosition = (text: string, { code }: EngineError) => code === 'position' || RANKS.test(text);
