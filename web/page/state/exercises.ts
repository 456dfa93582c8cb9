// The exercises of the lessons, and which moves solve them. The table decides all of it: find_lessons.mjs found the
// positions in it.

import type { Engine } from '../../engine/engine.js';
import type { MoveValue } from './types.js';

/** After so many wrong moves in an exercise, the answer is shown. */
export const MOST_MISSES = 2;

/** The squares to reach in the first lesson. */
export const GOALS = ['d1', 'e1', 'c3', 'c3'];

/** Positions by lesson, in the order in which they are taught; Black is to move in all. */
export const EXERCISES: Record<string, string[]> = {
  slide: [
    '1b1w1/5/b4/wwb2/5 b',
    '1bb2/2w2/bw2w/5/5 b',
    '2b1b/1b3/5/4w/1w1w1 b',
    '5/3b1/5/4w/wb1bw b',
  ],
  line: [
    '4b/2b2/w3b/4w/3w1 b',
    '4w/1ww2/2b2/1b3/1b3 b',
    '1bb2/5/5/w3w/w3b b',
    'w4/1w3/3w1/3b1/1bb2 b',
  ],
  threat: [
    'wbw1w/5/5/b4/b4 b',
    'b4/w1w2/2b2/2b2/w4 b',
    '3b1/4w/4b/w4/2w1b b',
    '5/2w1b/b1w2/5/bw3 b',
  ],
  block: [
    'w1ww1/b2b1/2b2/5/5 b',
    '5/3w1/1bb2/4w/b3w b',
    'wb3/w4/2b2/w4/4b b',
    '3b1/bw3/5/w4/wb3 b',
  ],
  double: [
    '2b2/wb3/w4/3b1/2w2 b',
    '1b2w/w1b2/5/b4/3w1 b',
    '2bww/w4/5/4b/1b3 b',
    '1w3/1b3/1b3/3w1/2bw1 b',
  ],
  only: [
    '3bb/5/5/w1w1b/2w2 b',
    '4b/1wb2/2w1w/5/1b3 b',
    'b3w/b2b1/ww3/5/5 b',
    'w4/5/4w/w1b2/b2b1 b',
  ],
  zugzwang: [
    '2b2/2w2/wbb2/w4/5 b',
    '3bw/1b3/1bw2/3w1/5 b',
    '1ww1b/4w/3b1/2b2/5 b',
    '5/2b2/1w1w1/b1b2/2w2 b',
  ],
  delay: [
    '2b2/4b/w4/3w1/b1w2 b',
    '3b1/1w1b1/bw3/5/2w2 b',
    '5/3w1/w1w1b/5/b1b2 b',
    '2b2/1b3/w4/3w1/1w2b b',
  ],
  save: [
    '5/1b3/5/1ww1b/w2b1 b',
    'b3w/4b/w3w/5/1b3 b',
    '2w1w/b4/1b3/2w1b/5 b',
    '1w3/1b2b/5/5/b1w1w b',
  ],
  trap: [
    '3b1/5/1w3/5/bw1bw b',
    'w4/b4/wwb2/5/b4 b',
    '1wbw1/b4/1w1b1/5/5 b',
    '2wb1/5/5/1bw2/1wb2 b',
  ],
};

/**
 * What White has to know to hold the draw: the smallest strategy, as in data/openings.json, with the move that White
 * makes in each position. In the order in which they are taught.
 */
export const STRATEGY = Object.entries({
  '1bb2/2w2/5/2b2/1w1w1 w': 'c4-c3',
  '1b3/5/2w1b/2b2/1w1w1 w': 'd1-c1',
  '1w3/5/2w1b/2b2/3wb w': 'c3-d2',
  '1w3/5/2w2/2bw1/2b1b w': 'd2-d1',
  '1wb2/2bw1/2w1b/5/5 w': 'b5-b1',
  '1ww2/1bb2/2w1b/5/5 w': 'c5-d4',
  '1b1wb/3ww/4b/5/5 w': 'e4-b1',
  '1bb1b/3ww/5/w4/5 w': 'a2-d5',
}).map(([position, move]) => ({ position, move }));

/**
 * The number of lessons of which all exercises are solved.
 * @param solved the numbers of solved exercises by lesson
 */
export const countDone = (solved: Record<string, number>) =>
  Object.entries(EXERCISES).filter(([name, { length }]) => solved[name] === length).length;

/** The same placement with the other side to move. */
export const passed = (position: string) => position.replace(/[bw]$/, (side) => (side === 'b' ? 'w' : 'b'));

/** The moves with which the side to move wins at once; none if the game is over. */
export const winsAtOnce = (engine: Engine, position: string) =>
  engine.checkPosition(position).ok ? engine.moves(position).filter(({ value }) => value.plies === 1) : [];

/** What the side that has just moved could win with if the opponent passed. */
export const threatsOf = (engine: Engine, { next }: MoveValue) => winsAtOnce(engine, passed(next));

/** The replies that do not lose. */
export const goodReplies = (engine: Engine, { next }: MoveValue) =>
  engine.moves(next).filter(({ value }) => value.result !== 'loss');

/** Whether a move solves an exercise of a lesson, given a best move of its position. */
const SOLVES: Record<string, (engine: Engine, choice: MoveValue, best: MoveValue) => boolean> = {
  line: (_, { value }) => value.plies === 1,
  threat: (engine, choice) => threatsOf(engine, choice).length > 0,
  block: (_, { value }) => value.result !== 'loss' || value.plies > 2,
  double: (engine, choice) => threatsOf(engine, choice).length > 1,
  only: (_, { value }) => value.result === 'win',
  zugzwang: (engine, { value, next }) =>
    value.result === 'win' && value.plies > 1 && engine.value(passed(next)).result !== 'win',
  delay: (_, { value }, best) => value.plies === best.value.plies,
  save: (_, { value }) => value.result === 'draw',
  trap: (engine, choice) => choice.value.result === 'draw' && goodReplies(engine, choice).length === 1,
};

/** The shortest way of slides of one piece to a square, while no other piece moves: the moves, or null. */
export function wayTo(engine: Engine, position: string, goal: string): string[] | null {
  const ways: { position: string; piece: string | null; moves: string[] }[] = [{ position, piece: null, moves: [] }];
  const seen = new Set();
  for (const { position: reached, piece, moves } of ways) {
    if (piece === goal) return moves;
    for (const { move, from, to, next } of engine.moves(reached)) {
      const after = passed(next);
      if ((piece && from !== piece) || seen.has(after) || !engine.checkPosition(after).ok) continue;
      seen.add(after);
      ways.push({ position: after, piece: to, moves: [...moves, move] });
    }
  }
  return null;
}

/**
 * The moves that solve an exercise. In the first lesson, the first one of the shortest way.
 * @param goal in the first lesson
 */
export function solutions(engine: Engine, lesson: string, position: string, goal?: string): MoveValue[] {
  const moves = engine.moves(position);
  if (!goal) return moves.filter((choice) => SOLVES[lesson](engine, choice, moves[0]));
  const way = wayTo(engine, position, goal);
  return moves.filter(({ move }) => move === way?.[0]);
}
