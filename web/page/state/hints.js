// Hints: what is going on, then the piece that makes the best move, then the move and what it does. A puzzle asks for
// the move in a situation that is known, so there the piece is first.

import { distanceText, moveText, other, whySentences } from '../format.js';
import { isTooLarge } from './boards.js';
import { t } from '../texts.js';

/** @import { Hints, State } from './types.js' */
/** @typedef {NonNullable<Hints['best']>} Best */

/** @type {Hints} */
export const NO_HINTS = { steps: ['situation', 'piece', 'move'], given: 0, best: null };
/** @type {Hints} */
export const NO_PUZZLE_HINTS = { ...NO_HINTS, steps: ['piece', 'move'] };

/** The last hint that was given, if any. @param {Hints} hints */
const step = ({ steps, given }) => steps[given - 1];
/** @param {Hints} hints */
export const isMoveGiven = (hints) => step(hints) === 'move';
/** @param {Hints} hints */
export const isMoveNext = ({ steps, given }) => steps[given] === 'move';

/**
 * @param {State} state
 * @param {import('../../engine/engine.js').Game} game
 */
function find({ engine }, game) {
  const { plies, to_move: side } = game.state();
  const [choice] = game.choices();
  // In a large table, the facts would take too long to find.
  return { choice, side, facts: isTooLarge(engine) ? null : game.why(plies, choice.move) };
}

/**
 * With the next hint for the position of a game.
 * @param {State} state
 * @param {Hints} hints
 * @param {import('../../engine/engine.js').Game} game
 * @returns {Hints}
 */
export const nextHint = (state, hints, game) =>
  ({ ...hints, given: hints.given + 1, best: hints.best ?? find(state, game) });

/** @param {Best} best */
function situation({ choice: { value }, side, facts }) {
  const threat = facts?.prevented;
  return [
    t(`hint_${value.result}`, distanceText(value.plies ?? 0)),
    threat ? t('hintThreat', t(other(side)), moveText(threat.move)) : '',
  ];
}

/**
 * The sentences of the last hint; none before the first one.
 * @param {Hints} hints
 */
export function hintSentences(hints) {
  if (!hints.best) return [];
  const { choice, facts, side } = hints.best;
  if (step(hints) === 'situation') return situation(hints.best);
  if (step(hints) === 'piece') return [t('hintPiece', choice.from)];
  return [t('hintMove', moveText(choice.move)), ...(facts ? whySentences(facts, side, { isHint: true }) : [])];
}

/**
 * What the board shows of the hints.
 * @param {State} state
 * @param {Hints} hints
 */
export const hintScene = ({ preview }, hints) => ({
  preview: preview ?? (hints.best && isMoveGiven(hints) ? hints.best.choice : null),
  glow: hints.best && step(hints) !== 'situation' ? [hints.best.choice.from] : null,
});
