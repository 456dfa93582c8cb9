// The review of a game: its moves, judged, the mistakes to learn from, better moves to find, and the refutations.

import { distanceText, moveText, sentencesText, whySentences } from '../format.js';
import { announcePosition, choicesOf, gameAt, gotoPly, lineLength, moveInGame, NO_REVIEW, withTree } from './game.js';
import { userOf } from './players.js';
import { moveNumber } from './position.js';
import { announce, showLine, update } from './shown.js';
import { t } from '../texts.js';

import type { Engine } from '../../engine/engine.js';
import type { Reducers, Reviewed, Side, State, Value, Why } from './types.js';

const RANK = { win: 1, draw: 0, loss: -1 };

// ---- what the engine finds ----

/** The review of an engine that was found last, and what its moves do. */
const reviews = new WeakMap<Engine, { key: string; moves: Reviewed[]; why: Map<string, Why> }>();

/** The review of the line that is shown. */
function lastReview({ engine, game: { gameState: { start, moves, undone } } }: State) {
  const line = [...moves, ...undone];
  const key = [start, ...line].join(' ');
  const before = reviews.get(engine);
  if (before?.key === key) return before;
  const found = { key, moves: gameAt(engine, { start, moves: line, undone: [] }).review(), why: new Map() };
  reviews.set(engine, found);
  return found;
}

/** The moves of the line, judged: the same list as long as the line is the same. */
export const reviewOf = (state: State) => lastReview(state).moves;

/** What the move with this index does. */
function whyOf(state: State, index: number, move = reviewOf(state)[index].move) {
  const { why } = lastReview(state);
  const key = `${index} ${move}`;
  const found = why.get(key) ?? gameAt(state.engine, state.game.gameState).why(index, move);
  why.set(key, found);
  return found;
}

// ---- what can be asked ----

/**
 * The last mistake of a side that the opponent did not repair: its index, and what it threw away, "Your move 4 did not
 * keep the draw."
 */
export function missedBy(state: State, user: Side | null) {
  if (state.solving) return null;
  const { start, moves } = state.game.gameState;
  const reviewed = reviewOf(state).slice(0, moves.length);
  const last = reviewed.at(-1);
  const end = last ? RANK[last.after.result] * (last.side === user ? 1 : -1) : 0; // of the game, for the user
  const ply = reviewed.findLastIndex(({ side, mark, before }) => side === user && mark && RANK[before.result] > end);
  return ply < 0 ? null : { ply, text: t(`had_${reviewed[ply].before.result}`, moveNumber(start, ply)) };
}

/** The indices of the mistakes to learn from: those of the user, or of both sides. */
export function mistakesOf(state: State) {
  const reviewed = reviewOf(state);
  const user = userOf(state.game);
  const all = reviewed.flatMap(({ mark }, i) => (mark ? [i] : []));
  const own = all.filter((i) => reviewed[i].side === user);
  return own.length ? own : all;
}

/** The index of the move that is discussed. */
export const discussed = ({ review, game }: State) => review.focus ?? game.gameState.plies - 1;

export function verdict(state: State, index: number, { move, value }: { move: string; value: Value }) {
  const { before } = reviewOf(state)[index];
  if (value.result !== before.result) return t(`puzzleWrong_${value.result}`, moveText(move));
  const kept = t(`reviewKept_${value.result}`, moveText(move), distanceText(value.plies ?? 0));
  return sentencesText([t('puzzleRight'), kept]);
}

/** The sentences about a move, without the better one of a mistake: the user is to find it. */
export function sentencesOf(state: State, index: number) {
  const { mark, side } = reviewOf(state)[index];
  return whySentences(whyOf(state, index), side, { hidesBest: Boolean(mark) });
}

// ---- changes ----

/** The state when the view opens: at the first mistake, if any, on the board before it. */
export function enterReview(state: State) {
  const closed = { ...state, review: NO_REVIEW, line: null };
  const [first] = lineLength(state.game) ? mistakesOf(closed) : [];
  if (first === undefined) return closed;
  const { tree } = state.game;
  const shown = tree.goto(first ? tree.line()[first - 1] : tree.root);
  return update(withTree(closed, shown), 'review', { focus: first });
}

/** A move on the board: an attempt to find a better one, or a variation. */
export function moveInReview(state: State, move: string) {
  const { review: { attempt, focus }, game } = state;
  const choice = choicesOf(state).find((one) => one.move === move);
  if (!attempt || focus === null || !choice) return moveInGame(state, move);
  const line = [move, ...whyOf(state, focus, move).line.slice(0, 1)];
  const shown = showLine(state, { name: `attempt ${focus}`, position: game.gameState.position, moves: line });
  return announce(update(shown, 'review', { attempt: choice }), verdict(state, focus, choice));
}

/** Shows the board before a mistake. */
const look = (state: State, index: number) =>
  announcePosition(update(gotoPly(state, index), 'review', { focus: index }));

export const reviewReducers = {
  look: (state, { index }) => look(state, index),
  tryAgain(state, { index }) {
    const looked = state.review.focus === index ? state : look(state, index);
    const next = update({ ...looked, line: null }, 'review', { attempt: 'none' });
    return announce(next, t(`reviewTry_${reviewOf(state)[index].before.result}`));
  },
  refute(state, { name, index, move }) {
    const line = { name: `${name} ${index}`, position: reviewOf(state)[index].position };
    const shown = showLine(state, { ...line, moves: [move, ...whyOf(state, index, move).line] });
    return update(shown, 'review', { attempt: null });
  },
} satisfies Partial<Reducers>;
