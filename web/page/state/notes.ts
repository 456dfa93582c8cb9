// Comments, circles and arrows on the positions that are explored, and what can be done with variations.

import { DASH } from '../format.js';
import { withTree } from './game.js';
import { writeMoves } from './position.js';
import { fitsLink } from './record.js';
import { announce, ifSure, notify, STATUS, update } from './shown.js';
import { t } from '../texts.js';
import { asComment, isTooLong, MOST_COMMENT, MOST_MARKS } from './tree.js';

import type { Node, Note } from './tree.js';
import type { Field, Message, Reducers, State } from './types.js';

/** The field for the comment of what is on the board. */
export function fieldOf({ game: { tie, tree } }: State): Field {
  if (tie === null || tie.own === null) return { kind: 'comment', origin: tree.origin, node: tree.current.id };
  return { kind: 'studyComment', own: tie.own, id: tie.id, moves: writeMoves(tree.moves()) };
}

/** Changes a note, unless a link would have no room for it. */
function changeNote(state: State, node: Node, changes: Partial<Note>) {
  const tree = state.game.tree.withNote(node, changes);
  return fitsLink(tree) ? update(state, 'game', { tree }) : null;
}

const FULL: Message = ['commentsFull'];

/** A comment that is typed for a position of a game; nothing if another game is shown. */
export function typeNote(
  state: State, { origin, node }: Extract<Field, { kind: 'comment' }>, text: string,
): State | Message {
  const { tree } = state.game;
  if (isTooLong(text)) return ['commentTooLong', MOST_COMMENT, text.length];
  return tree.origin === origin ? changeNote(state, tree.node(node), { comment: asComment(text) }) ?? FULL : state;
}

/** Moves of the user's own game stay: only what has been tried can be deleted. */
export const isDeletable = ({ game: { tree, isForeign } }: State) =>
  tree.current.parent !== null && (isForeign || !tree.isInGame());

export const notesReducers = {
  togglePen(state) {
    const pen = !state.pen;
    return announce({ ...state, pen, areNotesOpen: state.areNotesOpen || pen }, t(pen ? 'penOn' : 'penOff'));
  },
  openNotes: (state, { isOpen }) => ({ ...state, areNotesOpen: isOpen }),
  /** Draws a circle, if both squares are the same, or an arrow; one that exists is erased. */
  mark(state, { from, to }) {
    const { current } = state.game.tree;
    const mark = from === to ? from : `${from}-${to}`;
    const { marks } = current;
    const others = marks.filter((one) => one !== mark);
    const isNew = others.length === marks.length;
    if (isNew && marks.length >= MOST_MARKS) return announce(state, t('marksFull', MOST_MARKS));
    const drawn = changeNote(state, current, { marks: isNew ? [...marks, mark] : others });
    const what = from === to ? t('circleOn', from) : t('arrowOn', from + DASH + to);
    return drawn ? announce(drawn, t(isNew ? 'markDrawn' : 'markErased', what)) : notify(state, FULL);
  },
  eraseMarks: (state) => announce(changeNote(state, state.game.tree.current, { marks: [] }) ?? state, t('marksErased')),
  deleteLine: (state) => ifSure(state, 'delete-line', t('deleteSure'), () =>
    announce(withTree(state, state.game.tree.remove()), t('deleted'), STATUS)),
  promote: (state) =>
    announce(update(state, 'game', { tree: state.game.tree.makeFirst() }), t('lineFirst')),
} satisfies Partial<Reducers>;
