// The moves of a game as text, with variations, comments and marks: as a record, which the engine reads and writes, and
// as the parameters of a link. In a record, circles and arrows are in comments as other programs have them there:
// "[%csl Gb1][%cal Gb1c1]", with a letter for the colour.

import { startOf } from './boards.js';
import { isOnBoard, other, sideAt, SIDES, withoutHyphen } from './position.js';
import { asComment, isTooLong, MOST_MARKS, Tree } from './tree.js';

import type { GameRecord, RecordNode } from '../../engine/api.js';
import type { Game } from '../../engine/engine.js';
import type { Node, Note } from './tree.js';
import type { End, Shape, Side, State, StoredGame, WrittenGame } from './types.js';

export const resignation = (loser: Side): End => ({ reason: 'resigned', winner: other(loser) });

/**
 * How a game has ended as links and what is stored have it: 'resigned-black' and 'time-black' name who has lost,
 * 'won-black' who has won; 'agreed' and 'drawn' are draws. '' if the moves show it.
 */
export function textOfEnd({ reason, winner }: End) {
  if (reason === 'agreed') return 'agreed';
  if (reason === 'stated') return winner ? `won-${winner}` : 'drawn';
  return winner && (reason === 'resigned' || reason === 'time') ? `${reason}-${other(winner)}` : '';
}

/** The end that textOfEnd() has written; null for any other text. */
function readEnd(text: string): End | null {
  if (text === 'agreed' || text === 'drawn') return { reason: text === 'agreed' ? 'agreed' : 'stated', winner: null };
  const [, reason, name] = /^(resigned|time|won)-(black|white)$/.exec(text) ?? [];
  const side = SIDES.find((one) => one === name);
  if (!side) return null;
  if (reason === 'won') return { reason: 'stated', winner: side };
  return { reason: reason === 'time' ? 'time' : 'resigned', winner: other(side) };
}

// ---- records ----

const DRAWINGS = /\[%c[as]l ([^[\]]*)\] ?/g;
const BREAK = ' [%br] '; // a line break: what is in such brackets is shown by no program
const INDENTS = /(?<=^|[\n ]) /g; // spaces that no-break spaces keep in a record
const MARKS = /^([!?]{1,2})(?: |$)/; // at the beginning of a comment

/** The records in a text: each begins with headers, which follow moves of the one before. */
export function recordsIn(text: string) {
  const records: string[][] = [[]];
  let hasMoves = false;
  for (const line of text.split('\n')) {
    const isHeader = /^\s*\[\w+\s+"/.test(line);
    if (isHeader && hasMoves) records.push([]);
    hasMoves = isHeader ? false : hasMoves || line.trim() !== '';
    records.at(-1)?.push(line);
  }
  return records.map((lines) => lines.join('\n'));
}

/** Whether a text begins like a record: with a header, the start position or a move, which may have a number. */
export const isMeantAsRecord = (text: string) =>
  /^\s*(?:\[\w+\s+"|start\s|(?:\d+\s*[.)]+\s*)?[a-h]\d\s*-?\s*[a-h]\d\b)/i.test(text);

/** A text without links in parentheses: at their #, a comment would begin that ends after the parenthesis. */
export const withoutLinks = (text: string) =>
  text.replace(/\([^#()\n]*#[^()\n]*\)/g, (link) => ' '.repeat(link.length));

/** With marks at the empty lines of comments, which the engine reads as a space. There are as many lines. */
export const withParagraphs = (text: string) =>
  text.replace(/\{[^}]*(?:\}|$)/g, (comment) => comment.replace(/\n[ \t\r]*\n\s*/g, `${BREAK}${BREAK}$&`));

/** The comment of a node with its marks. */
const writtenIn = ({ marks, comment }: RecordNode) =>
  [marks, comment?.replace(DRAWINGS, '')].filter(Boolean).join(' ').replace(/ ?\[%br\] ?/g, '\n');

const MOST_NAME = 100; // characters

/** The names of players as a tree has them, of as many lines as there are; '' if there are none. */
function asNames(lines: (string | undefined)[]) {
  const [black = '', white = ''] = lines.map((name = '') =>
    (name === '?' ? '' : asComment(asComment(name.replace(/\s+/g, ' ')).slice(0, MOST_NAME))));
  return black || white ? `${black}\n${white}` : '';
}

/** Whether the comment of a node is longer than one of the page. */
export const isCut = (node: RecordNode) => isTooLong(writtenIn(node));

function readNote(node: RecordNode, shape: Shape): Note {
  const text = node.comment ?? '';
  const ends = [...text.matchAll(DRAWINGS)].flatMap(([, list]) => list.split(',')).map((mark) =>
    mark.trim().slice(1).match(/[a-z]\d/g) ?? []);
  const valid = ends.filter((squares) => squares.length && squares.length < 3
    && squares.every((square) => isOnBoard(square, shape)));
  const drawn = [...new Set(valid.map((squares) => squares.join('-')))].slice(0, MOST_MARKS);
  return { marks: drawn, comment: asComment(writtenIn(node)) };
}

/** What belongs to a note in a record: marks follow a move, which the root has not. */
function partsOf({ marks: drawn, comment, move }: Node) {
  const [, marks = ''] = (move && MARKS.exec(comment)) || [];
  const list = (isArrow: boolean) =>
    drawn.filter((mark) => mark.includes('-') === isArrow).map((mark) => `G${withoutHyphen(mark)}`).join(',');
  const drawings = [list(false) && `[%csl ${list(false)}]`, list(true) && `[%cal ${list(true)}]`].join('');
  const written = (marks ? comment.replace(MARKS, '') : comment).replace(INDENTS, '\u00a0').replaceAll('\n', BREAK);
  return { marks, comment: drawings && written ? `${drawings} ${written}` : drawings || written };
}

/**
 * The tree of a record, at the end of the game.
 * @param shape of the board
 */
export function treeOfRecord({ start, tree: nodes, end, headers = {} }: GameRecord, shape: Shape) {
  const plies: number[] = []; // by node
  const made = nodes.map((node, number) => {
    plies[number] = node.parent === null ? 0 : plies[node.parent] + 1;
    const stated = node.resigned ? resignation(sideAt(start, plies[number])) : undefined;
    return { parent: node.parent, move: node.move ?? '', ...readNote(node, shape), stated };
  });
  const tree = Tree.of(start, made).withNames(asNames([headers.black, headers.white]));
  let last = tree.root;
  while (!last.stated && last.children.length) last = tree.node(last.children[0]);
  if (end && textOfEnd(end) && !last.stated) return tree.withStated(last, end).goto(last);
  return (last.stated && last.children.length ? tree.withLast(last) : tree).goto(last);
}

/** Whether the side to move has resigned at a node. */
function isResigned(tree: Tree, node: Node) {
  const toMove = sideAt(tree.start, tree.path(node).length);
  return node.stated?.reason === 'resigned' && node.stated.winner === other(toMove);
}

const resultOf = ({ winner }: End) => (winner === 'white' ? '1-0' : winner === 'black' ? '0-1' : '1/2-1/2');

/** The record of a tree. `isWhole`: also what follows the current node. */
export function recordOf(tree: Tree, isWhole: boolean): GameRecord {
  const numbers: Map<number, number> = new Map(); // of nodes, by their identity
  const nodes: RecordNode[] = [];
  for (const node of tree.inTextOrder()) {
    const parent = node.parent === null ? null : numbers.get(node.parent);
    if (parent === undefined || (node.parent === tree.current.id && !isWhole)) continue;
    numbers.set(node.id, nodes.length);
    nodes.push({ parent, move: node.move || null, resigned: isResigned(tree, node), ...partsOf(node) });
  }
  const last = tree.end();
  const end = numbers.has(last.id) && tree.goto(last).isFirst() ? last.stated : undefined; // of the first line
  const isLast = end !== undefined && !tree.childrenOf(last).some(({ id }) => numbers.has(id));
  const [black, white] = tree.names.split('\n');
  const headers = { ...(end && { result: resultOf(end) }), ...(tree.names && { black, white }) };
  return { start: tree.start, tree: nodes, headers, ...(isLast && { end }) };
}

// ---- links ----

/** Notes as a link has them, without characters at which chats and Markdown end a link. */
export const encodeNotes = (notes: string) =>
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

/** How a game has ended, if not by its moves, as text: see textOfEnd(). */
export function endOf(tree: Tree) {
  const { stated } = tree.end();
  return stated ? textOfEnd(stated) : '';
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

/** Without moves that are illegal, as those after threefold repetition. */
export function legalIn(engine: State['engine'], tree: Tree) {
  const game = engine.newGame(tree.start);
  const legal = tree.prune((move, ply) => game.goto(ply) && isPlayed(game, move));
  game.free();
  return legal;
}

/** With the end of a game that a text states; null if it is invalid. */
function withEnd(tree: Tree, text: string) {
  if (!text) return tree;
  const last = tree.end();
  const end = readEnd(text === 'resigned' ? `resigned-${sideAt(tree.start, tree.path(last).length)}` : text);
  return end && tree.withStated(last, end);
}

/** The tree of a game as text, and whether all of that was valid. */
export function treeOf(
  { engine, settings }: Pick<State, 'engine' | 'settings'>,
  target: WrittenGame & Partial<Pick<StoredGame, 'last'>>,
) {
  const start = startOf({ engine, settings });
  const check = engine.checkPosition(target.start ?? start);
  const position = check.ok ? check.position : start;
  const moves = check.ok ? target.moves : ''; // of another position
  const { tree: read, fault } = Tree.read(position, moves, target.at, target.last);
  const isSquare = (name: string) => isOnBoard(name, engine.board);
  const { tree: noted, valid } = read.withNotes(check.ok ? target.notes : '', isSquare);
  const named = noted.withNames(asNames(target.names.split('\n')));
  const legal = legalIn(engine, named);
  const tree = withEnd(legal, target.end);
  return { tree: tree ?? legal, valid: check.ok && !fault && valid && legal === named && tree !== null };
}
