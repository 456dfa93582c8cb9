// The editor sets up any placement. The engine checks whether it is legal.

import { startOf } from './boards.js';
import { asSentence, messageText } from '../format.js';
import { stateAt } from './game.js';
import { positionFault, readPosition, writePosition } from './position.js';
import { announce, badLink, update } from './shown.js';
import { t } from '../texts.js';

import type { Editor, Reducers, State } from './types.js';

export const NO_EDITOR: Editor = {
  of: '',
  pieces: new Map(),
  toMove: 'black',
  brush: 'black',
  typed: null,
};

/** The position that is on the board. */
export const editedText = ({ editor, engine }: State) => writePosition(editor.pieces, editor.toMove, engine.board);

/** The text in the field while it is edited, or the position that is on the board. */
const enteredText = (state: State) => state.editor.typed?.trim() ?? editedText(state);

/** Whether that is legal. */
export const verdictOf = (state: State) => state.engine.checkPosition(enteredText(state));

export function verdictText(state: State) {
  const { engine } = state;
  const verdict = verdictOf(state);
  return verdict.ok ? t(stateAt(engine, verdict.position).end ? 'editorOver' : 'editorReady')
    : messageText(positionFault(enteredText(state), verdict.error, engine.board.pieces));
}

/** @param changes of what is on the board */
const changeBoard = (state: State, changes: Partial<Editor>) => update(state, 'editor', { ...changes, typed: null });

/** Puts a position on the board, legal or not. Throws a RangeError if it cannot be parsed. */
const loadEditor = (state: State, position: string) =>
  changeBoard(state, readPosition(position, state.engine.board));

/** What was set up remains as long as the game is where it was then, unless an address has another position. */
export function enterEditor(state: State, start: string | null) {
  const { position: of } = state.game.gameState;
  const entered = state.editor.of === of ? state : update(loadEditor(state, of), 'editor', { of });
  try {
    return start === null ? entered : loadEditor(entered, start);
  } catch {
    return badLink(entered);
  }
}

/** Shows typed or pasted text on the board if it can be parsed. */
export function typePosition(state: State, text: string) {
  const check = state.engine.checkPosition(text.trim());
  let next = state;
  try {
    next = loadEditor(state, check.ok ? check.position : text.trim());
  } catch {
    /* the board keeps its position */
  }
  return update(next, 'editor', { typed: text });
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
  loadStart: (state) => announceVerdict(loadEditor(state, startOf(state))),
} satisfies Partial<Reducers>;
