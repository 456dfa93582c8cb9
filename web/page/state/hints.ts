// Hints: what is going on, then the piece that makes the best move, then the move and what it does. A puzzle asks for
// the move in a situation that is known, so there the piece is first.

import { distanceText, moveText, other, whySentences } from '../format.js';
import { bestAt } from './engine_games.js';
import { t } from '../texts.js';

import type { GameState, Hints, State } from './types.js';
export type Best = NonNullable<Hints['best']>;

export const NO_HINTS: Hints = { steps: ['situation', 'piece', 'move'], given: 0, best: null };
export const NO_PUZZLE_HINTS: Hints = { ...NO_HINTS, steps: ['piece', 'move'] };

/** The last hint that was given, if any. */
const step = ({ steps, given }: Hints) => steps[given - 1];
export const isMoveGiven = (hints: Hints) => step(hints) === 'move';
export const isMoveNext = ({ steps, given }: Hints) => steps[given] === 'move';

/** With the next hint for a place in a game. */
export const nextHint = ({ engine }: State, hints: Hints, place: GameState): Hints =>
  ({ ...hints, given: hints.given + 1, best: hints.best ?? bestAt(engine, place) });

function situation({ choice: { value }, side, facts }: Best) {
  const threat = facts?.prevented;
  return [
    t(`hint_${value.result}`, distanceText(value.plies ?? 0)),
    threat ? t('hintThreat', t(other(side)), moveText(threat.move)) : '',
  ];
}

/** The sentences of the last hint; none before the first one. */
export function hintSentences(hints: Hints) {
  if (!hints.best) return [];
  const { choice, facts, side } = hints.best;
  if (step(hints) === 'situation') return situation(hints.best);
  if (step(hints) === 'piece') return [t('hintPiece', choice.from)];
  return [t('hintMove', moveText(choice.move)), ...(facts ? whySentences(facts, side, { isHint: true }) : [])];
}

/** What the board shows of the hints. */
export const hintScene = ({ preview }: State, hints: Hints) => ({
  preview: preview ?? (hints.best && isMoveGiven(hints) ? hints.best.choice : null),
  glow: hints.best && step(hints) !== 'situation' ? [hints.best.choice.from] : null,
});
