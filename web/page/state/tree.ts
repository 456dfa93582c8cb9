// The moves of a game as a tree: playing another move never loses one. Knows no rules.
//
// A tree is written as text like "b1c1.b5c5vc2c3.d1e1z.c4e2": after a move, the alternatives to it, each between v and
// z, then what follows it. Brackets, at which chats and Markdown cut links, are read in their place, too. A node is
// identified by the number of moves in the text up to and including its own, from 1; the root is 0. Without variations
// that is the number of moves played.
//
// Notes are written as lines like "3 c3.b1c1 Look here": the number of the node, circles and arrows on the board, and a
// comment.

import { withHyphen, withoutHyphen } from './position.js';

import type { Side } from './types.js';

/** The most moves that read() accepts. */
export const MOST_MOVES = 10000;
/** The most marks of a position, and characters of a comment. */
export const MOST_MARKS = 50;
export const MOST_COMMENT = 1000;

/** A mark is a square, which has a circle, or an arrow as "b1-c1". A comment has no line breaks. */
export type Note = { marks: string[]; comment: string };

/** The root has neither a move nor a parent. */
export interface Node {
  move: string;
  parent: Node | null;
  children: Node[];
  chosen: Node | null;
  resigned?: Side;
  note?: Note;
}

/** A text as a comment can have it: on one line, not too long, and whole characters. */
export const asComment = (text: string) =>
  text.replace(/\p{Surrogate}/gu, '').replace(/\s+/g, ' ').trim().slice(0, MOST_COMMENT)
    .replace(/\p{Surrogate}/gu, '').trim();

const newNode = (move: string, parent: Node | null): Node => ({ move, parent, children: [], chosen: null });

/** The nodes after the given one, along the chosen children. */
function continuation(node: Node) {
  const nodes = [];
  for (let next = node.chosen; next; next = next.chosen) nodes.push(next);
  return nodes;
}

export class Tree {
  start: string;
  root: Node;
  current: Node;
  last: Node | null;
  /** @param start the position */
  constructor(start: string) {
    this.start = start;
    this.root = newNode('', null);
    this.current = this.root;
    /** The end of the game; null: that of the first line. */
    this.last = null;
  }

  /** The nodes from the first move to the current one, or to another. */
  path(end = this.current) {
    const nodes: Node[] = [];
    for (let node = end; node.parent; node = node.parent) nodes.push(node);
    return nodes.reverse();
  }

  /** The path and what was last seen after it. */
  line() {
    return [...this.path(), ...continuation(this.current)];
  }

  /**
   * Goes to a move after the current position, which is added unless it exists. `first`: it is a move of the game,
   * before all alternatives, and not one that is tried.
   */
  play(move: string, { first = false } = {}) {
    this.last ??= this.end();
    let next = this.current.children.find((child) => child.move === move);
    const { children } = this.current;
    if (next && first) children.splice(children.indexOf(next), 1);
    if (!next || first) {
      next ??= newNode(move, this.current);
      if (first) children.unshift(next);
      else children.push(next);
    }
    this.current.chosen = next;
    this.current = next;
    if (first) this.last = next;
  }

  /** Whether a move after the current position is there or can be added, and read again. */
  hasRoom(move: string) {
    return this.current.children.some((child) => child.move === move) || this.inTextOrder().length <= MOST_MOVES;
  }

  /** Adds a move after a node, behind its alternatives. */
  add(node: Node, move: string) {
    const child = newNode(move, node);
    node.children.push(child);
    node.chosen ??= child;
    return child;
  }

  /** Goes to a node and chooses the way to it. */
  goto(node: Node) {
    this.current = node;
    for (let child = node; child.parent; child = child.parent) child.parent.chosen = child;
  }

  /** The end of the first line. */
  firstEnd() {
    let node = this.root;
    while (node.children.length) [node] = node.children;
    return node;
  }

  /** The end of the game. */
  end() {
    return this.last ?? this.firstEnd();
  }

  gotoEnd() {
    this.goto(this.end());
  }

  /** Whether the current position is one of the game. */
  isInGame() {
    return this.current === this.root || this.path(this.end()).includes(this.current);
  }

  /** Ends the game at the current position, with the first line leading to it. */
  endHere() {
    this.last = this.current;
    this.makeFirst();
  }

  /** Has the first line lead to the current position. */
  makeFirst() {
    for (const node of this.path()) {
      const { children } = (node.parent as Node);
      children.unshift(...children.splice(children.indexOf(node), 1));
    }
  }

  /** Whether the first line leads to the current position. */
  isFirst() {
    return this.path().every((node) => node.parent?.children[0] === node);
  }

  /** Removes the current move and what follows it, and goes to the position before. */
  remove() {
    const { current } = this;
    const { parent } = current;
    if (!parent) return;
    if (this.last && this.path(this.last).includes(current)) this.last = parent;
    parent.children = parent.children.filter((child) => child !== current);
    parent.chosen = parent.children[0] ?? null;
    this.current = parent;
  }

  /** All nodes, in the order of the text. */
  inTextOrder() {
    const nodes = [this.root];
    const waiting = [{ node: this.root, isListed: true }]; // its children have to be listed
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (!next.isListed) nodes.push(next.node);
      const [first, ...others] = next.node.children;
      if (!first) continue;
      nodes.push(first);
      waiting.push({ node: first, isListed: true });
      for (const node of others.reverse()) waiting.push({ node, isListed: false });
    }
    return nodes;
  }

  /** Whether this has all moves and notes of another tree. */
  includes(other: Tree) {
    const waiting = [{ mine: this.root, its: other.root }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { mine, its } = next;
      if (its.note && JSON.stringify(its.note) !== JSON.stringify(mine.note)) return false;
      for (const child of its.children) {
        const same = mine.children.find(({ move }) => move === child.move);
        if (!same) return false;
        waiting.push({ mine: same, its: child });
      }
    }
    return this.start === other.start;
  }

  /** Follows moves from the start; false, without effect, if one of them is not in the tree. */
  follow(moves: string[]) {
    let node = this.root;
    for (const move of moves) {
      const next = node.children.find((child) => child.move === move);
      if (!next) return false;
      node = next;
    }
    this.goto(node);
    return true;
  }

  /**
   * {text, at, atEnd, last, notes}: the whole tree, the number of the current node, whether the first line ends there,
   * the number of the last node of the game, or -1, and the notes.
   */
  write() {
    const nodes = this.inTextOrder();
    const notes = nodes.flatMap(({ note }, number) => {
      if (!note) return [];
      const marks = note.marks.map(withoutHyphen);
      return [`${number} ${marks.join('.')} ${note.comment}`];
    });
    const parts: string[] = [];
    const tasks: (() => void)[] = []; // in reverse order: recursion would need too much of the stack for a long line
    const visit = (node: Node) => parts.push(withoutHyphen(node.move));
    const writeVariation = (node: Node) => {
      parts.push('v');
      visit(node);
      tasks.push(() => parts.push('z'));
      tasks.push(() => writeAfter(node));
    };
    const writeAfter = (parent: Node) => {
      const [first, ...others] = parent.children;
      if (!first) return;
      if (parent.parent) parts.push('.');
      visit(first);
      tasks.push(() => writeAfter(first));
      for (const other of others.reverse()) tasks.push(() => writeVariation(other));
    };
    writeAfter(this.root);
    for (let task = tasks.pop(); task; task = tasks.pop()) task();
    return {
      text: parts.join(''),
      at: nodes.indexOf(this.current),
      atEnd: this.current === this.firstEnd(),
      last: this.last ? nodes.indexOf(this.last) : -1,
      notes: notes.join('\n'),
    };
  }

  /**
   * Adds the notes that write() returns, and of other notes what is valid: one costs no other. Returns false if
   * something is left out.
   * @param isSquare of the board
   */
  annotate(text: string, isSquare: (square: string) => boolean) {
    const nodes = this.inTextOrder();
    let isValid = true;
    for (const line of text ? text.split('\n') : []) {
      const [, number, list, comment = ''] = /^(\d{1,5}) ([a-z\d.]*) (.*)$/.exec(line) ?? [];
      const node = number && nodes[Number(number)];
      const squares = list?.split('.').filter(Boolean).map((mark) => mark.match(/[a-z]\d/g) ?? []) ?? [];
      const marks = squares.map((ends) => ends.join('-'));
      const areMarks = squares.every((ends) => ends.length && ends.length < 3 && ends.every(isSquare))
        && marks.length <= MOST_MARKS && marks.join('.').replaceAll('-', '') === list;
      const note = { marks, comment: asComment(comment) };
      const isNote = node && areMarks && !node.note && (note.comment || marks.length);
      if (isNote) node.note = note;
      isValid &&= Boolean(isNote) && comment.length <= MOST_COMMENT;
    }
    return isValid;
  }

  /**
   * Reads as much as can be read of what write() returns: {tree, fault}, where `fault` is what is wrong with the rest,
   * as more than MOST_MOVES moves are, or ''. `at` may be null, the end of the first line.
   */
  static read(start: string, text: string, at: number | null, last: number = -1) {
    const tree = new Tree(start);
    const { nodes, fault } = tree.#addMoves(text);
    const current = at === null ? undefined : nodes[at];
    tree.goto(current ?? continuation(tree.root).at(-1) ?? tree.root);
    tree.last = nodes[last] ?? null;
    return { tree, fault: fault || (at === null || current ? '' : `no move ${at}`) };
  }

  /** Adds the moves of a text, as far as it can be read: {nodes, fault}. */
  #addMoves(text: string) {
    const nodes = [this.root];
    const open: Node[] = [];
    let node = this.root;
    for (const [token] of text.matchAll(/[()vz]|[^()vz.]+|\.\.+/g)) {
      if (token === '(' || token === 'v') {
        if (!node.parent) return { nodes, fault: 'a variation without a move' };
        open.push(node);
        node = node.parent;
      } else if (token === ')' || token === 'z') {
        const before = open.pop();
        if (!before) return { nodes, fault: `unexpected ${token}` };
        node = before;
      } else {
        if (nodes.length > MOST_MOVES) return { nodes, fault: `more than ${MOST_MOVES} moves` };
        node = this.add(node, withHyphen(token));
        nodes.push(node);
      }
    }
    return { nodes, fault: open.length ? 'a variation that does not end' : '' };
  }

  /**
   * Removes every move that `isLegal(move, ply)` rejects, with what follows it: a move after `ply` moves, which are the
   * last ones accepted for the plies before. Each is asked for once, a line from its beginning to its end, then the
   * variations. Returns whether there was none.
   */
  prune(isLegal: (move: string, ply: number) => boolean) {
    const illegal: Set<Node> = new Set();
    const waiting: { node: Node; ply: number }[] = [{ node: this.root, ply: -1 }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { node, ply } = next;
      if (node === this.root || isLegal(node.move, ply))
        for (let i = node.children.length; i--; ) waiting.push({ node: node.children[i], ply: ply + 1 });
      else illegal.add(node);
    }
    for (const parent of new Set([...illegal].map(({ parent }) => (parent as Node)))) {
      parent.children = parent.children.filter((child) => !illegal.has(child));
      if (parent.chosen && illegal.has(parent.chosen)) parent.chosen = parent.children[0] ?? null;
    }
    return illegal.size === 0;
  }
}
