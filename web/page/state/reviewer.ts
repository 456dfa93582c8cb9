// The engine's review of a game.

import type { Review, Reviewed, State, Why } from './types.js';

/** Nothing is discussed but the last move. */
export const NO_REVIEW: Review = { focus: null, attempt: null };

/** The last review, which is found once for a line. */
let last: { key: string; moves: Reviewed[]; why: Map<string, Why> } = { key: '', moves: [], why: new Map() };

function lastOf({ engine, boardName, game: { gameState: { start, moves, undone } } }: State) {
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

/** The moves of the line, judged: the same list as long as the line is the same. */
export const reviewOf = (state: State) => lastOf(state).moves;

/** What the move with this index does. */
export function whyOf(state: State, index: number, move = reviewOf(state)[index].move) {
  const { why } = lastOf(state);
  const key = `${index} ${move}`;
  const found = why.get(key) ?? state.game.engineGame.why(index, move);
  why.set(key, found);
  return found;
}
