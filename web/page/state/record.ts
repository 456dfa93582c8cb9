// The moves of a game as a record, which the engine reads and writes: with variations, comments and marks. Circles and
// arrows are in comments as other programs have them there: "[%csl Gb1][%cal Gb1c1]", with a letter for the colour.

import { other } from '../format.js';
import { isOnBoard, readPosition, withoutHyphen } from './position.js';
import { asComment, MOST_COMMENT, MOST_MARKS, Tree } from './tree.js';

import type { GameRecord, RecordNode } from '../../engine/api.js';
import type { Shape } from './types.js';
import type { Note } from './tree.js';

const DRAWINGS = /\[%c[as]l ([^\]]*)\]/g;
const MARKS = /^([!?]{1,2})(?: |$)/; // at the beginning of a comment

/** The comment of a node with its marks. */
const writtenIn = ({ marks, comment }: RecordNode) => `${marks ?? ''} ${(comment ?? '').replace(DRAWINGS, '')}`;

/** Whether the comment of a node is longer than one of the page. */
export const isCut = (node: RecordNode) => writtenIn(node).replace(/\s+/g, ' ').trim().length > MOST_COMMENT;

/** The note of a node, if it has one. */
function noteOf(node: RecordNode, shape: Shape): Note | undefined {
  const text = node.comment ?? '';
  const ends = [...text.matchAll(DRAWINGS)].flatMap(([, list]) => list.split(',')).map((mark) =>
    mark.trim().slice(1).match(/[a-z]\d/g) ?? []);
  const valid = ends.filter((squares) => squares.length && squares.length < 3
    && squares.every((square) => isOnBoard(square, shape)));
  const drawn = [...new Set(valid.map((squares) => squares.join('-')))].slice(0, MOST_MARKS);
  const written = asComment(writtenIn(node));
  return written || drawn.length ? { marks: drawn, comment: written } : undefined;
}

/** What belongs to a note in a record. */
function partsOf({ marks: drawn, comment }: Note | undefined = { marks: [], comment: '' }) {
  const [, marks = ''] = MARKS.exec(comment) ?? [];
  const list = (isArrow: boolean) =>
    drawn.filter((mark) => mark.includes('-') === isArrow).map((mark) => `G${withoutHyphen(mark)}`).join(',');
  const drawings = [list(false) && `[%csl ${list(false)}]`, list(true) && `[%cal ${list(true)}]`].join('');
  return { marks, comment: `${drawings} ${comment.slice(marks.length)}`.trim() };
}

/**
 * The tree of a record, at the end of the game.
 * @param shape of the board
 */
export function treeOfRecord({ start, tree: nodes }: GameRecord, shape: Shape) {
  const { toMove } = readPosition(start, shape);
  const plies: number[] = []; // by node
  const made = nodes.map((node, number) => {
    plies[number] = node.parent === null ? 0 : plies[node.parent] + 1;
    const resigned = node.resigned ? (plies[number] % 2 ? other(toMove) : toMove) : undefined;
    return { parent: node.parent, move: node.move ?? '', note: noteOf(node, shape), resigned };
  });
  const tree = Tree.of(start, made);
  let last = tree.root;
  while (!last.resigned && last.children.length) last = tree.node(last.children[0]);
  return (last.resigned && last.children.length ? tree.ended(last) : tree).goto(last);
}

/** The record of a tree. `isWhole`: also what follows the current node. */
export function recordOf(tree: Tree, isWhole: boolean): GameRecord {
  const numbers: Map<number, number> = new Map(); // of nodes, by their identity
  const nodes: RecordNode[] = [];
  for (const node of tree.inTextOrder()) {
    const parent = node.parent === null ? null : numbers.get(node.parent);
    if (parent === undefined || (node.parent === tree.current.id && !isWhole)) continue;
    numbers.set(node.id, nodes.length);
    nodes.push({ parent, move: node.move || null, resigned: Boolean(node.resigned), ...partsOf(node.note) });
  }
  return { start: tree.start, tree: nodes };
}
