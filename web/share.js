// The address of what the page shows: the part of the link after #.

import { STANDARD, usualName } from './boards.js';

/** @import { Target } from './types.js' */

const FIELDS = /** @type {const} */ (['board', 'view', 'start', 'moves', 'at', 'end']);

/**
 * Writes an address; empty fields are left out, as is the standard board.
 * @param {Partial<Target> & {board: string, view: string}} target
 */
export function writeAddress({ board, view, start, moves = '', at = null, end = '' }) {
  const fields = {
    board: board !== STANDARD && board,
    view: view !== 'play' && view,
    start: start?.replace(' ', '_'),
    moves,
    at: at !== null && String(at),
    end,
  };
  return FIELDS.filter((name) => fields[name])
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
}

/**
 * Reads an address. The caller checks the values.
 * @param {string} hash
 * @returns {Target & {board: string, view: string, valid: boolean, empty: boolean}}
 */
export function readAddress(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const known = FIELDS.some((name) => fields.has(name));
  return {
    board: usualName(fields.get('board') ?? STANDARD),
    view: fields.get('view') ?? 'play',
    start: fields.get('start')?.replaceAll('_', ' ') ?? null,
    moves: fields.get('moves') ?? '',
    at: fields.has('at') ? Number(fields.get('at')) : null,
    end: fields.get('end') ?? '',
    valid: [...fields.keys()].every((name) => FIELDS.some((known) => known === name)),
    empty: !known,
  };
}
