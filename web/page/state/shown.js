// What is shown on top of a view: dialogs, a notice, the flipped board, a preview, a line that is played; and what is
// heard.

import { asSentence, moveText } from '../format.js';
import { readPosition } from './position.js';
import { t } from '../texts.js';

/** @import { ShownLine, Heard, Reducers, Sentence, Share, State } from './types.js' */

/** Among the sentences that are announced: those of the status. */
export const STATUS = Symbol('status');

/** @type {Heard} */
export const SILENCE = { sentences: [], sound: null };

/** @type {Share} */
export const BLANK_SHARE = {
  copied: '',
  hasValues: false,
  isMoreShown: false,
  error: null,
  text: '',
  file: null,
  opening: null,
};

/**
 * The state with changes of a topic.
 * @template {keyof State} Topic
 * @param {State} state
 * @param {Topic} topic
 * @param {Partial<State[Topic]>} changes
 * @returns {State}
 */
export const update = (state, topic, changes) =>
  ({ ...state, [topic]: { .../** @type {object} */ (state[topic]), ...changes } });

/**
 * Has a screen reader speak sentences.
 * @param {State} state
 * @param {Sentence[]} sentences
 */
export const announce = (state, ...sentences) => update(state, 'heard', { sentences });

/**
 * @param {State} state
 * @param {Heard['sound']} sound
 */
export const signal = (state, sound) => update(state, 'heard', { sound });

/**
 * Asks whether the action of a button is meant.
 * @param {State} state
 * @param {string} id of the button
 * @param {string} question
 */
export const ask = (state, id, question) => announce({ ...state, confirming: id }, question);

/** The views of a game: with undo and redo. */
export const OF_GAME = ['play', 'review', 'explore', 'board'];
/** Whether the game is shown. @param {State} state */
export const isOfGame = ({ view, introduction }) => OF_GAME.includes(view) && !introduction;

/**
 * The side of the user against an opponent; null for two people or two engines.
 * @param {Pick<State['game'], 'players'>} game
 */
export const userOf = ({ players: { black, white } }) =>
  (black === 'human') === (white === 'human') ? null : black === 'human' ? 'black' : 'white';

/**
 * Whether White is at the bottom.
 * @param {State} state
 */
export function isFlipped(state) {
  const side = state.view === 'puzzle' && !state.introduction ? state.puzzle.current?.toMove
    : isOfGame(state) ? userOf(state.game) : state.view === 'hold' ? 'white' : 'black';
  return (side === 'white') !== state.isTurned;
}

/**
 * Shows a position of a line, and has a screen reader speak the move that led to it, and the end of the game.
 * @param {State} state
 * @param {ShownLine} line
 * @param {number} at
 */
function lineAt(state, line, at, isPlaying = false) {
  const next = { ...line, at: Math.max(0, Math.min(at, line.moves.length)), isPlaying };
  const shown = { ...state, line: next };
  if (!next.at) return shown;
  const { toMove } = readPosition(line.positions[next.at - 1], state.engine.board);
  const winner = next.at === line.moves.length && line.over?.winner;
  return announce(shown, t('spokenMove', t(toMove), moveText(line.moves[next.at - 1])),
    winner && asSentence(t('sideWon', t(winner))));
}

/**
 * Plays a line on the board.
 * @param {State} state
 * @param {{name: string, position: string, moves: string[], at?: number, isPlaying?: boolean}} line
 */
export function showLine(state, { name, position, moves, at = 0, isPlaying = true }) {
  const game = state.engine.newGame(position);
  const positions = [position, ...moves.map((move) => game.play(move).position)];
  const { end: over } = game.state();
  game.free();
  return lineAt(state, { name, moves, positions, over, at, isPlaying }, at, isPlaying);
}

/** @satisfies {Partial<Reducers>} */
export const shownReducers = {
  open: (state, { dialog }) => ({ ...state, dialog, share: { ...BLANK_SHARE, text: state.share.text } }),
  close: (state) => ({ ...state, dialog: null }),
  flip(state) {
    const next = { ...state, isTurned: !state.isTurned };
    return announce(next, t('flipped', t(isFlipped(next) ? 'white' : 'black')));
  },
  preview: (state, { move }) => ({ ...state, preview: move }),
  showLine,
  pauseLine: (state) => (state.line ? lineAt(state, state.line, state.line.at) : state),
  stopLine: (state) => ({ ...state, line: null }),
  lineStep(state, { request: line }) {
    const at = line.at + 1;
    return state.line === line ? lineAt(state, line, at, at < line.moves.length) : state;
  },
  refused: (state, { from, to }) => announce(state, t(from ? 'refusedTarget' : 'refusedSquare', to, from)),
  picked(state, { square }) {
    const next = state.introduction ? update(state, 'introduction', { isPicked: square !== null }) : state;
    return announce(next, square ? `${square}${t('comma')}${t('picked')}` : t('deselected'));
  },
};
