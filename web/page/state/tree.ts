// The moves of a game as a tree: playing another move never loses one. Knows no rules. A tree is a value: what changes
// it returns another one.
//
// A tree is written as text like "b1c1.b5c5vc2c3.d1e1z.c4e2": after a move, the alternatives to it, each between v and
// z, then what follows it. Brackets, at which chats and Markdown cut links, are read in their place, too. The number of
// a node in a text is that of the moves up to and including its own, from 1; the root is 0. Without variations that is
// the number of moves played.
//
// Notes are written as lines like "3 c3.b1c1 Look here": the number of the node, circles and arrows on the board, and a
// comment, in which line breaks are vertical tabs.

import { withHyphen, withoutHyphen } from './position.js';

import type { End } from './types.js';

/** The most moves that read() accepts. */
export const MOST_MOVES = 10000;
/** The most marks of a position, and characters of a comment. */
export const MOST_MARKS = 50;
export const MOST_COMMENT = 10000;

/** A position of a tree. The root has neither a move nor a parent. */
export interface Node {
  /** Identifies the node in its tree, also after that has been changed. */
  readonly id: number;
  readonly move: string;
  readonly parent: number | null;
  /** The first one continues the line. */
  readonly children: readonly number[];
  /** The child that was seen last. */
  readonly chosen: number | null;
  /** How the game has ended here, if the moves do not show it. */
  readonly stated?: End;
  /** Of each square that has a circle, as "b1", and of each arrow, as "b1-c1". */
  readonly marks: readonly string[];
  /** It may have line breaks. */
  readonly comment: string;
}

/** What has been noted on a position. */
export type Note = Pick<Node, 'marks' | 'comment'>;

const ROOT: Node = { id: 0, move: '', parent: null, children: [], chosen: null, marks: [], comment: '' };

export const hasNote = ({ marks, comment }: Note) => marks.length > 0 || comment !== '';

const hasSameNote = (one: Note, other: Note) => one.comment === other.comment && `${one.marks}` === `${other.marks}`;

/** A text of whole characters and lines, as they are indented, without blanks at their ends or empty lines around. */
const tidied = (text: string) =>
  text.replace(/\p{Surrogate}/gu, '').replace(/\r\n?|[\v\f\u2028\u2029]/g, '\n').replace(/\t/g, '    ')
    .replace(/[^\S\n\u3000]/g, ' ').replace(/(?<![^\S\n])[^\S\n]+$/gm, '').replace(/^\n+|(?<!\n)\n+$/g, '');

/** A text as a comment can have it. */
export const asComment = (text: string) => tidied(tidied(text).slice(0, MOST_COMMENT));

/** Whether a text is longer than a comment can be. */
export const isTooLong = (text: string) => tidied(text).length > MOST_COMMENT;

/** A tree as text: its moves, the number of the current node, that of the last node of the game, or -1, and notes. */
type Written = { moves: string; at: number; last: number; notes: string };

/** What a tree is made of, while it is changed. */
class Draft {
  /** The nodes by their identities; those that are removed leave gaps. */
  readonly nodes: (Node | undefined)[];

  constructor(nodes: readonly (Node | undefined)[]) {
    this.nodes = [...nodes];
  }

  change(id: number, changes: Partial<Node>) {
    const node = this.nodes[id];
    if (node) this.nodes[id] = { ...node, ...changes };
  }

  /** Adds a move after a node, behind its alternatives. */
  add(parent: number, move: string) {
    const id = this.nodes.length;
    this.nodes.push({ ...ROOT, id, move, parent });
    const { children = [], chosen = null } = this.nodes[parent] ?? {};
    this.change(parent, { children: [...children, id], chosen: chosen ?? id });
    return id;
  }

  /** Chooses the way to a node. */
  choose(id: number) {
    for (let child = this.nodes[id]; child && child.parent !== null; child = this.nodes[child.parent])
      if (this.nodes[child.parent]?.chosen !== child.id) this.change(child.parent, { chosen: child.id });
  }
}

export class Tree {
  /** The position in which it begins. */
  readonly start: string;
  /** What all trees have in common that changes have made of one. */
  readonly origin: symbol;
  readonly #nodes: readonly (Node | undefined)[];
  /** The identity of the current node. */
  readonly #at: number;
  /** That of the last node of the game; null: of the first line. */
  readonly #last: number | null;
  /** The names of the players in a record, Black's in the first line and White's in the second one; or ''. */
  readonly names: string;
  /** What write() has returned. */
  #written: Written | null = null;

  constructor(
    start: string, origin = Symbol(start), nodes: readonly (Node | undefined)[] = [ROOT], at = 0,
    last: number | null = null, names = '',
  ) {
    this.start = start;
    this.origin = origin;
    this.names = names;
    this.#nodes = nodes;
    this.#at = at;
    this.#last = last;
  }

  get root() {
    return this.node(0);
  }

  get current() {
    return this.node(this.#at);
  }

  node(id: number): Node {
    return this.#nodes[id] ?? ROOT;
  }

  parentOf({ parent }: Node): Node | null {
    return parent === null ? null : this.node(parent);
  }

  childrenOf({ children }: Node): Node[] {
    return children.map((id) => this.node(id));
  }

  #with(draft: Draft, at = this.#at, last = this.#last) {
    return new Tree(this.start, this.origin, draft.nodes, at, last, this.names);
  }

  // ---- what can be asked ----

  hasMoves() {
    return this.root.children.length > 0;
  }

  /** Whether it has neither moves nor a note. */
  isBlank() {
    return !this.hasMoves() && !hasNote(this.root);
  }

  hasNotes() {
    return this.inTextOrder().some(hasNote);
  }

  /** The nodes from the first move to the current one, or to another. */
  path(end = this.current): Node[] {
    const nodes: Node[] = [];
    for (let node = end; node.parent !== null; node = this.node(node.parent)) nodes.push(node);
    return nodes.reverse();
  }

  /** The moves to the current position, or to another. */
  moves(end = this.current): string[] {
    return this.path(end).map(({ move }) => move);
  }

  /** The moves of the game, without what has been tried elsewhere. */
  gameMoves(): string[] {
    return this.moves(this.end());
  }

  /** The path and what was last seen after it. */
  line(): Node[] {
    const nodes = this.path();
    for (let next = this.current.chosen; next !== null; next = this.node(next).chosen) nodes.push(this.node(next));
    return nodes;
  }

  /** The end of the first line. */
  firstEnd(): Node {
    let node = this.root;
    while (node.children.length) node = this.node(node.children[0]);
    return node;
  }

  /** The end of the game. */
  end(): Node {
    return this.#last === null ? this.firstEnd() : this.node(this.#last);
  }

  /** Whether the current position is one of the game. */
  isInGame() {
    return this.#at === 0 || this.path(this.end()).some(({ id }) => id === this.#at);
  }

  /** Whether the first line leads to the current position. */
  isFirst() {
    return this.path().every((node) => this.parentOf(node)?.children[0] === node.id);
  }

  /** Whether a move after the current position is there or can be added, and read again. */
  hasRoom(move: string) {
    return this.childrenOf(this.current).some((child) => child.move === move)
      || this.inTextOrder().length <= MOST_MOVES;
  }

  /** All nodes, in the order of the text. */
  inTextOrder(): Node[] {
    const nodes = [this.root];
    const waiting = [{ node: this.root, isListed: true }]; // its children have to be listed
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (!next.isListed) nodes.push(next.node);
      const [first, ...others] = this.childrenOf(next.node);
      if (!first) continue;
      nodes.push(first);
      waiting.push({ node: first, isListed: true });
      for (const node of others.reverse()) waiting.push({ node, isListed: false });
    }
    return nodes;
  }

  /** Whether this has all moves, notes, the names and the end of another tree. */
  includes(other: Tree): boolean {
    const waiting = [{ mine: this.root, its: other.root }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { mine, its } = next;
      if (its.stated && JSON.stringify(its.stated) !== JSON.stringify(mine.stated)) return false;
      if (hasNote(its) && !hasSameNote(its, mine)) return false;
      for (const child of other.childrenOf(its)) {
        const same = this.childrenOf(mine).find(({ move }) => move === child.move);
        if (!same) return false;
        waiting.push({ mine: same, its: child });
      }
    }
    return this.start === other.start && (!other.names || other.names === this.names);
  }

  /** The tree as text, which is made once. */
  write(): Written {
    if (this.#written) return this.#written;
    const nodes = this.inTextOrder();
    const notes = nodes.flatMap((node, number) => {
      if (!hasNote(node)) return [];
      const marks = node.marks.map(withoutHyphen);
      return [`${number} ${marks.join('.')} ${node.comment.replaceAll('\n', '\v')}`];
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
      const [first, ...others] = this.childrenOf(parent);
      if (!first) return;
      if (parent.parent !== null) parts.push('.');
      visit(first);
      tasks.push(() => writeAfter(first));
      for (const other of others.reverse()) tasks.push(() => writeVariation(other));
    };
    writeAfter(this.root);
    for (let task = tasks.pop(); task; task = tasks.pop()) task();
    return (this.#written = {
      moves: parts.join(''),
      at: nodes.indexOf(this.current),
      last: this.#last === null ? -1 : nodes.indexOf(this.end()),
      notes: notes.join('\n'),
    });
  }

  // ---- going to a node ----

  /** The tree at a node, with the way to it chosen. */
  goto({ id }: Pick<Node, 'id'>): Tree {
    const draft = new Draft(this.#nodes);
    draft.choose(id);
    return this.#with(draft, id);
  }

  gotoEnd(): Tree {
    return this.goto(this.end());
  }

  /** Where moves from the start lead to; null if one of them is not in the tree. */
  follow(moves: readonly string[]): Tree | null {
    let node = this.root;
    for (const move of moves) {
      const next = this.childrenOf(node).find((child) => child.move === move);
      if (!next) return null;
      node = next;
    }
    return this.goto(node);
  }

  // ---- changes ----

  /**
   * Goes to a move after the current position, which is added unless it exists. `first`: it is a move of the game,
   * before all alternatives, and not one that is tried.
   */
  play(move: string, { first = false } = {}): Tree {
    const draft = new Draft(this.#nodes);
    const { id: at, children } = this.current;
    const id = children.find((child) => this.node(child).move === move) ?? draft.add(at, move);
    if (first) draft.change(at, { children: [id, ...children.filter((child) => child !== id)] });
    draft.change(at, { chosen: id });
    return this.#with(draft, id, first ? id : this.end().id);
  }

  /** With the end of the game at a node. */
  withLast({ id }: Pick<Node, 'id'>): Tree {
    return this.#with(new Draft(this.#nodes), this.#at, id);
  }

  /** With the names of the players. */
  withNames(names: string): Tree {
    return new Tree(this.start, this.origin, this.#nodes, this.#at, this.#last, names);
  }

  /** Has the first line lead to the current position. */
  makeFirst(): Tree {
    const draft = new Draft(this.#nodes);
    for (const { id, parent } of this.path()) {
      if (parent === null) continue;
      const { children } = this.node(parent);
      draft.change(parent, { children: [id, ...children.filter((child) => child !== id)] });
    }
    return this.#with(draft);
  }

  /** Removes the current move and what follows it, and goes to the position before. */
  remove(): Tree {
    const { id, parent } = this.current;
    if (parent === null) return this;
    const draft = new Draft(this.#nodes);
    const isOfGame = this.#last !== null && this.path(this.end()).some((node) => node.id === id);
    const waiting = [id];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      waiting.push(...this.node(next).children);
      draft.nodes[next] = undefined;
    }
    const children = this.node(parent).children.filter((child) => child !== id);
    draft.change(parent, { children, chosen: children[0] ?? null });
    return this.#with(draft, parent, isOfGame ? parent : this.#last);
  }

  /** With another note of a node, or a part of one. */
  withNote({ id }: Pick<Node, 'id'>, changes: Partial<Note>): Tree {
    const draft = new Draft(this.#nodes);
    draft.change(id, changes);
    return this.#with(draft);
  }

  /** With an end of the game at a node that the moves do not show, as a resignation; without one for undefined. */
  withStated({ id }: Pick<Node, 'id'>, stated: End | undefined): Tree {
    const draft = new Draft(this.#nodes);
    draft.change(id, { stated });
    return this.#with(draft);
  }

  /**
   * Without the moves that `isLegal(move, ply)` rejects, and what follows these: a move after `ply` moves, which are
   * the last ones accepted for the plies before. Each is asked for once, a line from its beginning to its end, then the
   * variations. Where a move of the path is rejected, the current position is the one before it, and the game ends with
   * the first line. The tree itself if all are legal.
   */
  prune(isLegal: (move: string, ply: number) => boolean): Tree {
    const draft = new Draft(this.#nodes);
    const waiting: { node: Node; ply: number }[] = [{ node: this.root, ply: -1 }];
    let isChanged = false;
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { node, ply } = next;
      if (node.parent === null || isLegal(node.move, ply)) {
        for (const child of this.childrenOf(node).reverse()) waiting.push({ node: child, ply: ply + 1 });
        continue;
      }
      isChanged = true;
      const { children = [], chosen = null } = draft.nodes[node.parent] ?? {};
      const others = children.filter((id) => id !== node.id);
      draft.change(node.parent, { children: others, chosen: chosen === node.id ? others[0] ?? null : chosen });
      draft.nodes[node.id] = undefined;
    }
    if (!isChanged) return this;
    const path = this.path();
    const gone = path.findIndex(({ id }) => !draft.nodes[id]);
    const shown = (gone < 0 ? path : path.slice(0, gone)).at(-1) ?? ROOT;
    return this.#with(draft, shown.id, null).goto(shown);
  }

  // ---- texts ----

  /** With the notes that write() returns; of others with what is valid: one costs no other. `valid`: all were. */
  withNotes(text: string, isSquare: (square: string) => boolean): { tree: Tree; valid: boolean } {
    const nodes = this.inTextOrder();
    const draft = new Draft(this.#nodes);
    let valid = true;
    for (const line of text ? text.split('\n') : []) {
      const [, number, list, comment = ''] = /^(\d{1,5}) ([a-z\d.]*) (.*)$/.exec(line) ?? [];
      const node = number ? nodes[Number(number)] : undefined;
      const squares = list?.split('.').filter(Boolean).map((mark) => mark.match(/[a-z]\d/g) ?? []) ?? [];
      const marks = squares.map((ends) => ends.join('-'));
      const areMarks = squares.every((ends) => ends.length && ends.length < 3 && ends.every(isSquare))
        && marks.length <= MOST_MARKS && marks.join('.').replaceAll('-', '') === list;
      const note = { marks, comment: asComment(comment) };
      const isFirst = node && !hasNote(draft.nodes[node.id] ?? node);
      const isNote = isFirst && areMarks && hasNote(note);
      if (isNote) draft.change(node.id, note);
      valid &&= Boolean(isNote) && comment.length <= MOST_COMMENT;
    }
    return { tree: this.#with(draft), valid };
  }

  /**
   * Reads as much as can be read of what write() returns: {tree, fault}, where `fault` is what is wrong with the rest,
   * as more than MOST_MOVES moves are, or ''. `at` may be null, the end of the first line.
   */
  static read(start: string, text: string, at: number | null, last = -1): { tree: Tree; fault: string } {
    const draft = new Draft([ROOT]);
    const fault = addMoves(draft, text);
    // The nodes have been made in the order of the text.
    const isThere = (number: number) => draft.nodes[number] !== undefined;
    const tree = new Tree(start).#with(draft, 0, isThere(last) ? last : null);
    const isKnown = at !== null && isThere(at);
    const shown = isKnown ? tree.node(at) : tree.line().at(-1) ?? ROOT;
    return { tree: tree.goto(shown), fault: fault || (at === null || isKnown ? '' : `no move ${at}`) };
  }

  /** The tree of nodes, each after its parent, a place in the list; the first one is the root. */
  static of(
    start: string, nodes: readonly (Note & { parent: number | null; move: string; stated?: End })[],
  ): Tree {
    const draft = new Draft([ROOT]);
    for (const { parent, move, marks, comment, stated } of nodes) {
      const id = parent === null ? 0 : draft.add(parent, move);
      draft.change(id, { marks, comment, stated });
    }
    return new Tree(start).#with(draft);
  }
}

/** Adds the moves of a text, as far as it can be read. Returns what is wrong with the rest, or ''. */
function addMoves(draft: Draft, text: string) {
  const open: number[] = [];
  let at = 0;
  for (const [token] of text.matchAll(/[()vz]|[^()vz.]+|\.\.+/g)) {
    if (token === '(' || token === 'v') {
      const parent = draft.nodes[at]?.parent ?? null;
      if (parent === null) return 'a variation without a move';
      open.push(at);
      at = parent;
    } else if (token === ')' || token === 'z') {
      const before = open.pop();
      if (before === undefined) return `unexpected ${token}`;
      at = before;
    } else {
      if (draft.nodes.length > MOST_MOVES) return `more than ${MOST_MOVES} moves`;
      at = draft.add(at, withHyphen(token));
    }
  }
  return open.length ? 'a variation that does not end' : '';
}
