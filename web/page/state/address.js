// The address of what the page shows: the part of the link after #.

import { other, SIDES } from '../format.js';
import { STANDARD, usualName } from './boards.js';
import { digits, readObject, readQuery, text } from './input.js';
import { isOnBoard, readPosition } from './position.js';
import { Tree } from './tree.js';

/** @import { Game } from '../../engine/engine.js' */
/** @import { State, Target } from './types.js' */

const FIELDS = /** @type {const} */ (['board', 'view', 'friend', 'start', 'moves', 'at', 'end', 'notes', 'study']);

/**
 * Notes as a link has them, without characters at which chats and Markdown end a link.
 * @param {string} notes
 */
const encodeNotes = (notes) =>
  encodeURIComponent(notes)
    .replaceAll('%20', '+')
    .replace(/[!'()*]|\.$/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * A link without the characters after it that chats, Markdown and sentences take for a part of it.
 * @param {string} text
 */
function withoutRest(text) {
  const depth = text.split('(').length - text.split(')').length;
  if (/[.,;:>"'\]*]$/.test(text) || (text.endsWith(')') && depth < 0)) return withoutRest(text.slice(0, -1));
  return text;
}

/** The headers of records, which may have links, too. */
const HEADERS = /\[\w+\s+"[^"\n]*"\]/g;

/**
 * The part after # of the link that a text is or contains, maybe in brackets or Markdown; '' if there is none.
 * @param {string} text
 */
export const linkIn = (text) =>
  /(?:^|(?:https?|file):[^\s#<>]*)(#[^\s<>"]*)/.exec(text.replace(HEADERS, ''))?.[1] ?? '';

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
    notes: encodeNotes(notes),
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

/** @type {import('./input.js').Checks<typeof BLANK>} */
const CHECKS = {
  board: text(),
  view: text(),
  start: text(/^[^#]*$/),
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
  const fields = readQuery(withoutRest(hash.replace(/^#/, '')));
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

/**
 * Whether a move is legal in a game; it is played then.
 * @param {Game} game
 * @param {string} move
 */
function isPlayed(game, move) {
  try {
    game.play(move);
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes moves that are illegal. Returns whether there were none.
 * @param {State['engine']} engine
 * @param {Tree} tree
 */
function prune(engine, tree) {
  const path = tree.path();
  const game = engine.newGame(tree.start);
  const isLegal = tree.prune((move, ply) => game.goto(ply) && isPlayed(game, move));
  game.free();
  if (isLegal) return true;
  tree.last = null;
  const gone = path.findIndex((node) => !node.parent?.children.includes(node));
  tree.goto((gone < 0 ? path : path.slice(0, gone)).at(-1) ?? tree.root);
  return false;
}

/**
 * Resigns at the end of a game if `end` is a resignation. Returns false if it is invalid.
 * @param {State['engine']} engine
 * @param {Tree} tree
 * @param {string} end
 */
function resign(engine, tree, end) {
  const [resigned, side] = /^(?:resigned(?:-(black|white))?)?$/.exec(end) ?? [];
  if (!resigned) return resigned !== undefined;
  const { toMove } = readPosition(tree.start, engine.board);
  const last = tree.end();
  last.resigned = SIDES.find((one) => one === side) ?? (tree.path(last).length % 2 ? other(toMove) : toMove);
  return true;
}

/**
 * The tree of an address, and whether all of the address was valid.
 * @param {Pick<State, 'engine' | 'start'>} state
 * @param {Target} target
 */
export function treeOf({ engine, start }, target) {
  const check = engine.checkPosition(target.start ?? start);
  const position = check.ok ? check.position : start;
  const moves = check.ok ? target.moves : ''; // of another position
  const { tree, fault } = Tree.read(position, moves, target.at, target.last);
  const isSquare = (/** @type {string} */ name) => isOnBoard(name, engine.board);
  const parts = [tree.annotate(check.ok ? target.notes : '', isSquare), prune(engine, tree),
    resign(engine, tree, target.end)];
  return { tree, valid: check.ok && !fault && parts.every(Boolean) };
}
