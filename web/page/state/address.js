// The address of what the page shows: the part of the link after #.

import { STANDARD, usualName } from './boards.js';
import { digits, readObject, readQuery, text } from './input.js';

/** @import { Tree } from './tree.js' */
/** @import { Target } from '../types.js' */

const FIELDS = /** @type {const} */ (['board', 'view', 'friend', 'start', 'moves', 'at', 'end', 'notes', 'study']);

/**
 * Writes an address; empty fields are left out, as is the standard board.
 * @param {Partial<Target> & {board: string, view: string, study?: string}} target
 */
export function writeAddress(target) {
  const { board, view, start, moves = '', at = null, end = '', notes = '', study = '', friend = '' } = target;
  const fields = {
    board: board !== STANDARD && board,
    view: view !== 'play' && view,
    start: start?.replace(' ', '_'),
    moves,
    at: at !== null && String(at),
    end,
    notes: encodeURIComponent(notes).replaceAll('%20', '+'),
    study,
    friend,
  };
  return FIELDS.filter((name) => fields[name])
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
}

/**
 * How a game has ended, if not by its moves.
 * @param {Tree} tree
 */
export function endOf(tree) {
  const { resigned } = tree.end();
  return resigned ? `resigned-${resigned}` : '';
}

/**
 * Writes the address of a game in a view.
 * @param {{board: string, view: string, start: string, tree: Tree}} game `start` is where games on the board begin
 */
export function writeGame({ board, view, start, tree }) {
  const { text, at, atEnd, notes } = tree.write();
  return writeAddress({
    board,
    view,
    start: tree.start === start && board === STANDARD ? null : tree.start,
    moves: text,
    at: atEnd ? null : at,
    end: endOf(tree),
    notes,
  });
}

/** @type {import('./input.js').Checks<typeof BLANK>} */
const CHECKS = {
  board: text(),
  view: text(),
  start: text(),
  moves: text(),
  at: digits,
  end: text(),
  notes: text(),
  study: text(),
  friend: text(/^\d{0,9}$/),
};
const BLANK = {
  board: STANDARD,
  view: 'play',
  start: /** @type {string | null} */ (null),
  moves: '',
  at: /** @type {number | null} */ (null),
  end: '',
  notes: '',
  study: '',
  friend: '',
};

/**
 * @param {string} name
 * @returns {name is keyof typeof BLANK}
 */
const isField = (name) => FIELDS.some((known) => known === name);

/**
 * Reads an address. The caller checks the values: whether there are such a board and view, and what is legal.
 * @param {string} hash
 * @returns {Target & {board: string, view: string, study: string, valid: boolean, empty: boolean}}
 */
export function readAddress(hash) {
  const fields = readQuery(hash.replace(/^#/, ''));
  const names = Object.keys(fields);
  const { board, view, start, moves, at, end, notes, study, friend } = readObject(fields, CHECKS, BLANK);
  return {
    board: usualName(board),
    view,
    start: start?.replaceAll('_', ' ') ?? null,
    moves,
    at,
    end,
    notes,
    study,
    friend,
    valid: names.every((name) => isField(name) && CHECKS[name](fields[name]) !== undefined),
    empty: !names.some(isField),
  };
}
