// The review of a game: its mistakes, better moves to find, the refutations, and who was winning after each move.

import { distanceText, moveText, sentencesText, whySentences } from '../format.js';
import {
  announcePosition, choicesOf, gotoPly, lineLength, moveInGame, NO_REVIEW, reviewOf, whyOf, withTree,
} from './game.js';
import { userOf } from './players.js';
import { announce, showLine, update } from './shown.js';
import { t } from '../texts.js';

import type { Reducers, State, Value } from './types.js';

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
