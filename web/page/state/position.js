// Positions as text and as a map of pieces. Only the engine decides what is legal.

/** @import { Pieces, Shape, Side } from './types.js' */

/**
 * Reads a position; `pieces` maps "b1" to its side. Throws a RangeError.
 * @param {string} text
 * @param {Shape} shape
 * @returns {{pieces: Pieces, toMove: Side}}
 */
export function readPosition(text, { width, height }) {
  const [ranks, side] = text.split(' ');
  /** @type {Pieces} */
  const pieces = new Map();
  const rows = ranks.split('/');
  if (rows.length !== height) throw new RangeError(`expected ${height} ranks: ${ranks}`);
  rows.forEach((rank, row) => {
    let file = 0;
    for (const c of rank) {
      if (c === 'b' || c === 'w') pieces.set(squareName(file, height - 1 - row), c === 'b' ? 'black' : 'white');
      file += Number(c) || 1;
    }
    if (file !== width) throw new RangeError(`expected ${width} squares in a rank: ${rank}`);
  });
  return { pieces, toMove: side === 'w' ? 'white' : 'black' };
}

/**
 * The text of any placement, legal or not.
 * @param {Pieces} pieces
 * @param {Side} toMove
 * @param {Shape} shape
 */
export function writePosition(pieces, toMove, { width, height }) {
  const ranks = [];
  for (let rank = height - 1; rank >= 0; rank--) {
    let text = '';
    for (let file = 0; file < width; file++) text += pieces.get(squareName(file, rank))?.[0] ?? '1';
    ranks.push(text.replace(/1+/g, (ones) => String(ones.length)));
  }
  return `${ranks.join('/')} ${toMove[0]}`;
}

/**
 * @param {number} file
 * @param {number} rank both from 0
 */
export function squareName(file, rank) {
  return String.fromCharCode(97 + file) + (rank + 1);
}

/**
 * The squares of a move: {from, to} of "b1-c1".
 * @param {string} move
 */
export function parseMove(move) {
  const [from, to] = move.split('-');
  return { from, to };
}

/**
 * A move as addresses and what is stored have it: "b1c1" for "b1-c1".
 * @param {string} move
 */
export const withoutHyphen = (move) => move.replace('-', '');

/**
 * A move with the hyphen, whether it is written with one or as withoutHyphen() does; any other text as it is.
 * @param {string} text
 */
export const withHyphen = (text) => text.replace(/^([a-z]\d+)-?([a-z]\d+)$/, '$1-$2');

/** @param {string} name */
export function parseSquare(name) {
  return { file: name.charCodeAt(0) - 97, rank: Number(name.slice(1)) - 1 };
}

/**
 * @param {string} name
 * @param {Shape} shape
 */
export function isOnBoard(name, { width, height }) {
  const { file, rank } = parseSquare(name);
  return file >= 0 && file < width && rank >= 0 && rank < height;
}
