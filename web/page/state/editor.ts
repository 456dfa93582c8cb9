// The editor sets up any placement. The engine checks whether it is legal.

import { asSentence, messageText } from '../format.js';
import { stateAt } from './game.js';
import { positionFault, readPosition, writePosition } from './position.js';
import { announce, update } from './shown.js';
import { t } from '../texts.js';

import type { Editor, Reducers, State } from './types.js';

export const NO_EDITOR: Editor = {
  of: '',
  pieces: new Map(),
  toMove: 'black',
  brush: 'black',
  typed: null,
  verdict: { ok: true, position: '' },
};

/** The position that is on the board. */
export const editedText = ({ editor, engine }: State) => writePosition(editor.pieces, editor.toMove, engine.board);

export function verdictText({ editor, engine }: State) {
  const { verdict, typed, pieces, toMove } = editor;
  if (!verdict.ok) {
    const input = typed?.trim() ?? writePosition(pieces, toMove, engine.board);
    return messageText(positionFault(input, verdict.error, engine.board.pieces));
  }
  return t(stateAt(engine, verdict.position).end ? 'editorOver' : 'editorReady');
}

/** @param changes of what is on the board */
function changeBoard(state: State, changes: Partial<Editor>) {
  const changed = update(state, 'editor', { ...changes, typed: null });
  return update(changed, 'editor', { verdict: state.engine.checkPosition(editedText(changed)) });
}

/** Puts a position on the board, legal or not. Throws a RangeError if it cannot be parsed. */
export const loadEditor = (state: State, position: string) =>
  changeBoard(state, readPosition(position, state.engine.board));

/** What was set up remains as long as the game is where it was then. */
export function enterEditor(state: State) {
  const { position: of } = state.game.gameState;
  return state.editor.of === of ? state : update(loadEditor(state, of), 'editor', { of });
}

/** Checks typed or pasted text, and shows it on the board if it can be parsed. */
export function typePosition(state: State, text: string) {
  const verdict = state.engine.checkPosition(text.trim());
  let next = state;
  try {
    next = loadEditor(state, verdict.ok ? verdict.position : text.trim());
  } catch {
    /* the board keeps its position */
  }
  return update(next, 'editor', { verdict, typed: text });
}

const announceVerdict = (state: State, done = '') => announce(state, done, verdictText);

export const editorReducers = {
  place(state, { square, piece: given }) {
    const { brush } = state.editor;
    const pieces = new Map(state.editor.pieces);
    const painted = brush === 'empty' || pieces.get(square) === brush ? null : brush;
    const piece = given === undefined ? painted : given;
    if (piece) pieces.set(square, piece);
    else pieces.delete(square);
    const done = asSentence(`${square}${t('comma')}${t(piece ? `${piece}Piece` : 'empty')}`);
    return announceVerdict(changeBoard(state, { pieces }), done);
  },
  chooseBrush: (state, { brush }) => update(state, 'editor', { brush }),
  chooseSide: (state, { side }) => announceVerdict(changeBoard(state, { toMove: side })),
  clearBoard: (state) => announceVerdict(changeBoard(state, { pieces: new Map() })),
  loadStart: (state) => announceVerdict(loadEditor(state, state.start)),
} satisfies Partial<Reducers>;
