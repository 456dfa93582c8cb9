// The address of what the page shows: the part of the link after #.

import { other, SIDES } from '../format.js';
import { STANDARD, usualName } from './boards.js';
import { digits, readObject, readQuery, text } from './input.js';
import { isOnBoard, readPosition } from './position.js';
import { Tree } from './tree.js';

import type { Game } from '../../engine/engine.js';
import type { Address, State, Target } from './types.js';
import type { Checks } from './input.js';

const FIELDS = (['board', 'view', 'friend', 'start', 'moves', 'at', 'end', 'notes', 'study'] as const);

/** Notes as a link has them, without characters at which chats and Markdown end a link. */
const encodeNotes = (notes: string) =>
  encodeURIComponent(notes)
    .replaceAll('%20', '+')
    .replace(/[!'()*]|\.$/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The most characters of notes in a link: Firefox takes addresses of at most 2 ** 20, of which moves need some. What is
 * read is not measured: it may have been written before moves were added.
 */
const MOST_NOTES = 9e5;

/** Whether a link has room for the notes of a tree. */
export function fitsLink(tree: Tree) {
  const { notes } = tree.write();
  const most = 9; // characters that one may become
  return most * notes.length <= MOST_NOTES || encodeNotes(notes).length <= MOST_NOTES;
}

/** A link without the characters after it that chats, Markdown and sentences take for a part of it. */
function withoutRest(text: string) {
  const depth = text.split('(').length - text.split(')').length;
  if (/[.,;:>"'\]*]$/.test(text) || (text.endsWith(')') && depth < 0)) return withoutRest(text.slice(0, -1));
  return text;
}

/** The headers and comments of records, which may have links, too. */
const OF_RECORDS = /\[\w+\s+"[^"\n]*"\]|\{[^}]*(?:\}|$)|(?:^|\s)(?:;|#\s).*/g;

/**
 * The part after # of the link that a text is or contains, maybe in brackets or Markdown, and not in the headers or
 * comments of a record; '' if there is none.
 */
export const linkIn = (text: string) =>
  /(?:^|(?:https?|file):[^\s#<>]*)(#[^\s<>"]*)/.exec(text.replace(OF_RECORDS, ''))?.[1] ?? '';

/** Writes an address; empty fields are left out, as is the standard board. */
export function writeAddress(target: Partial<Target> & { board: string; view: string; study?: string }) {
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

/** How a game has ended, if not by its moves. */
export function endOf(tree: Tree) {
  const { resigned } = tree.end();
  return resigned ? `resigned-${resigned}` : '';
}

/** The fields of an address. */
type Written = Required<
  Pick<Address, 'board' | 'view' | 'start' | 'moves' | 'at' | 'end' | 'notes' | 'study' | 'friend'>
>;
const CHECKS: Checks<Written> = {
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
const BLANK: Written = {
  board: STANDARD,
  view: 'play',
  start: null,
  moves: '',
  at: null,
  end: '',
  notes: '',
  study: '',
  friend: '',
};

const isField = (name: string): name is keyof Written => FIELDS.some((known) => known === name);

/** Reads an address. The caller checks the values: whether there are such a board and view, and what is legal. */
export function readAddress(hash: string): Address {
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

/** Whether a move is legal in a game; it is played then. */
function isPlayed(game: Game, move: string) {
  try {
    game.play(move);
    return true;
  } catch {
    return false;
  }
}

/** Without moves that are illegal. */
function legalIn(engine: State['engine'], tree: Tree) {
  const game = engine.newGame(tree.start);
  const legal = tree.prune((move, ply) => game.goto(ply) && isPlayed(game, move));
  game.free();
  return legal;
}

/** With a resignation at the end of a game if `end` is one; null if it is invalid. */
function resign(engine: State['engine'], tree: Tree, end: string) {
  const [resigned, side] = /^(?:resigned(?:-(black|white))?)?$/.exec(end) ?? [];
  if (!resigned) return resigned === undefined ? null : tree;
  const { toMove } = readPosition(tree.start, engine.board);
  const last = tree.end();
  return tree.resigned(last,
    SIDES.find((one) => one === side) ?? (tree.path(last).length % 2 ? other(toMove) : toMove));
}

/** The tree of an address, and whether all of the address was valid. */
export function treeOf({ engine, start }: Pick<State, 'engine' | 'start'>, target: Target) {
  const check = engine.checkPosition(target.start ?? start);
  const position = check.ok ? check.position : start;
  const moves = check.ok ? target.moves : ''; // of another position
  const { tree: read, fault } = Tree.read(position, moves, target.at, target.last);
  const isSquare = (name: string) => isOnBoard(name, engine.board);
  const { tree: noted, valid } = read.annotate(check.ok ? target.notes : '', isSquare);
  const legal = legalIn(engine, noted);
  const tree = resign(engine, legal, target.end);
  return { tree: tree ?? legal, valid: check.ok && !fault && valid && legal === noted && tree !== null };
}
