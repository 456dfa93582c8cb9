// Finds positions in the table that exercise the idea of a lesson, its theme: for find_lessons.mjs the exercises of the
// lessons, for the page any number of further ones.

import { passed, solutions, threatsOf, winsAtOnce } from './exercises.js';

import type { Engine } from '../../engine/engine.js';
import type { MoveValue } from './types.js';

/** The plies of the losses that are delayed. */
export const DELAYS = [4, 6, 8, 10];
/** Of the win in zugzwang: later ones are hard to see. */
const MOST_PLIES = 10;

/**
 * What a position with these moves, best first, must be to exercise the idea of a lesson, if it has a single solution.
 */
const SUITS: Record<string, (engine: Engine, position: string, moves: MoveValue[]) => boolean> = {
  line: () => true,
  threat: (engine, position, [best]) =>
    best.value.result === 'draw' && solutions(engine, 'threat', position)[0]?.value.result === 'draw',
  block: (engine, position, [best]) =>
    best.value.plies !== 1 && best.value.result !== 'loss' && winsAtOnce(engine, passed(position)).length === 1,
  double: (engine, position, [best]) =>
    best.value.plies === 3 &&
    !winsAtOnce(engine, passed(position)).length &&
    solutions(engine, 'double', position)[0]?.value.plies === 3,
  only: (engine, position, [best]) => best.value.plies === 5 && !winsAtOnce(engine, passed(position)).length,
  zugzwang: (_engine, _position, [{ value }, second]) =>
    value.result === 'win' && value.plies < MOST_PLIES && second?.value.result !== 'win',
  delay: (_engine, _position, [best]) => best.value.result === 'loss' && DELAYS.includes(best.value.plies),
  save: (engine, position, [best]) => best.value.result === 'draw' && !winsAtOnce(engine, passed(position)).length,
  trap: (engine, position, moves) =>
    moves[0].value.result === 'draw' &&
    moves.filter(({ value }) => value.result === 'draw').length > 2 &&
    solutions(engine, 'trap', position).every((choice) => !threatsOf(engine, choice).length),
};

/** The lessons that have further exercises: all but the first. */
export const THEMES = Object.keys(SUITS);

/**
 * Whether a position is a legal one with Black to move that exercises the idea of a lesson and has a single solution.
 */
export function isExercise(engine: Engine, lesson: string, position: string) {
  if (!THEMES.includes(lesson) || !position.endsWith('b') || !engine.checkPosition(position).ok) return false;
  const moves = engine.moves(position);
  return moves.length > 0 && SUITS[lesson](engine, position, moves) && solutions(engine, lesson, position).length === 1;
}

/**
 * A random position of the standard board with Black to move, legal or not.
 * @param random a number from 0 to count - 1
 */
export function randomPosition(random: (count: number) => number) {
  const squares = Array(25).fill('1');
  for (const piece of 'bbbwww') {
    let at = random(25);
    while (squares[at] !== '1') at = random(25);
    squares[at] = piece;
  }
  const ranks = (squares.join('').match(/.{5}/g) as string[]);
  return `${ranks.map((rank) => rank.replace(/1+/g, (ones) => String(ones.length))).join('/')} b`;
}
