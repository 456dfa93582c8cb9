// Comments, circles and arrows on the positions that are explored, and what can be done with variations.

import { DASH } from '../format.js';
import { fitsLink } from './address.js';
import { refresh } from './game.js';
import { ask, announce, update, STATUS } from './shown.js';
import { t } from '../texts.js';
import { asComment, MOST_MARKS } from './tree.js';

import type { Notes, Reducers, State } from './types.js';
import type { Node, Note } from './tree.js';

export const NO_NOTES: Notes = { pen: false, isOpen: false, typed: null };
const BLANK: Note = { marks: [], comment: '' };

export const noteOf = (node: Node) => node.note ?? BLANK;

/** The comment of a position as the page shows it: while it is typed, as it was before. */
export const commentOf = ({ notes: { typed } }: State, node: Node) =>
  (typed?.node === node ? typed.before : noteOf(node).comment);

/** What is in the tree has changed, but not the position. */
const touched = (state: State) => update(state, 'game', {});

/** Changes a note, unless a link would have no room for it. */
function change(state: State, node: Node, changes: Partial<Note>) {
  const before = node.note;
  const note = { ...noteOf(node), ...changes };
  node.note = note.comment || note.marks.length ? note : undefined;
  if (fitsLink(state.game.tree)) return touched(state);
  node.note = before;
  return null;
}

const refuse = (state: State) => announce({ ...state, notice: ['commentsFull'] }, t('commentsFull'));

/** Moves of the user's own game stay: only what has been tried can be deleted. */
export const isDeletable = ({ game: { tree, isForeign } }: State) =>
  Boolean(tree.current.parent) && (isForeign || !tree.isInGame());

export const notesReducers = {
  togglePen(state) {
    const pen = !state.notes.pen;
    return announce(update(state, 'notes', { pen, isOpen: state.notes.isOpen || pen }), t(pen ? 'penOn' : 'penOff'));
  },
  openNotes: (state, { isOpen }) => update(state, 'notes', { isOpen }),
  /** The comment of the position for which the field was drawn: the page may show another one meanwhile. */
  typeComment(state, { node, text }) {
    const before = commentOf(state, node);
    const changed = change(state, node, { comment: asComment(text) });
    return changed ? update(changed, 'notes', { typed: { node, text, before } }) : refuse(state);
  },
  leaveComment: (state) => update(state, 'notes', { typed: null }),
  /** Draws a circle, if both squares are the same, or an arrow; one that exists is erased. */
  draw(state, { from, to }) {
    const { current } = state.game.tree;
    const mark = from === to ? from : `${from}-${to}`;
    const { marks } = noteOf(current);
    const others = marks.filter((one) => one !== mark);
    const isNew = others.length === marks.length;
    if (isNew && marks.length >= MOST_MARKS) return announce(state, t('marksFull', MOST_MARKS));
    const drawn = change(state, current, { marks: isNew ? [...marks, mark] : others });
    const what = from === to ? t('circleOn', from) : t('arrowOn', from + DASH + to);
    return drawn ? announce(drawn, t(isNew ? 'markDrawn' : 'markErased', what)) : refuse(state);
  },
  eraseMarks: (state) => announce(change(state, state.game.tree.current, { marks: [] }) ?? state, t('marksErased')),
  deleteLine(state) {
    if (state.confirming !== 'delete-line') return ask(state, 'delete-line', t('deleteSure'));
    state.game.tree.remove();
    return announce(refresh(state), t('lineDeleted'), STATUS);
  },
  promote(state) {
    state.game.tree.makeFirst();
    return announce(touched(state), t('lineFirst'));
  },
} satisfies Partial<Reducers>;
