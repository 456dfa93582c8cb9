// The engine's review of a game.

/** @import { Review, Reviewed, State, Why } from './types.js' */

/** Nothing is discussed but the last move. @type {Review} */
export const NO_REVIEW = { focus: null, attempt: null };

/** The last review, which is found once for a line. @type {{key: string, moves: Reviewed[], why: Map<string, Why>}} */
let last = { key: '', moves: [], why: new Map() };

/** @param {State} state */
function lastOf({ engine, boardName, game: { gameState: { start, moves, undone } } }) {
  const line = [...moves, ...undone];
  const key = [boardName, start, ...line].join(' ');
  if (key !== last.key) {
    const game = engine.newGame(start);
    for (const move of line) game.play(move);
    last = { key, moves: game.review(), why: new Map() };
    game.free();
  }
  return last;
}

/** The moves of the line, judged: the same list as long as the line is the same. @param {State} state */
export const reviewOf = (state) => lastOf(state).moves;

/**
 * What the move with this index does.
 * @param {State} state
 * @param {number} index
 */
export function whyOf(state, index, move = reviewOf(state)[index].move) {
  const { why } = lastOf(state);
  const key = `${index} ${move}`;
  const found = why.get(key) ?? state.game.engineGame.why(index, move);
  why.set(key, found);
  return found;
}
