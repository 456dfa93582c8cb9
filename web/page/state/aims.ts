// The positions of exercises, what is aimed at in them, and which moves reach that. The table decides all of it:
// find_lessons.mjs found the positions of the lessons in it, and the page finds any number of further ones.

import { sideAt } from './position.js';

import type { Engine } from '../../engine/engine.js';
import type { Item, MoveValue, Side } from './types.js';

/** After so many wrong moves in an exercise, the answer is shown. */
export const MOST_MISSES = 2;

/** The introduction on the first visit, after a slide in the start position: a win in one, and a threat. */
export const INTRODUCTION: Item[] = [
  { position: 'w2w1/5/2b1w/1b3/3b1 b', aim: 'line', picked: 'd1' },
  { position: 'w2b1/ww3/5/b3b/5 b', aim: 'block', threat: 'b4-a3' },
];

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
 * What the puzzles of a grade are: wins in so many plies, from and to, or draws that one move keeps; and how strong a
 * player solves half of them.
 */
export const GRADES: Record<string, { from?: number; to?: number; draw?: true; rating: number }> = {
  easy: { from: 3, to: 3, rating: 800 },
  medium: { from: 5, to: 5, rating: 1050 },
  hard: { from: 7, to: 9, rating: 1350 },
  expert: { from: 11, to: 99, rating: 1700 },
  draw: { draw: true, rating: 1150 },
};

/** The same placement with the other side to move. */
export const passed = (position: string) => position.replace(/[bw]$/, (side) => (side === 'b' ? 'w' : 'b'));

/** The moves with which the side to move wins at once; none if the game is over. */
const winsAtOnce = (engine: Engine, position: string) =>
  engine.checkPosition(position).ok ? engine.moves(position).filter(({ value }) => value.plies === 1) : [];

/** What the side that has just moved could win with if the opponent passed. */
export const threatsOf = (engine: Engine, { next }: MoveValue) => winsAtOnce(engine, passed(next));

/** The replies that do not lose. */
export const goodReplies = (engine: Engine, { next }: MoveValue) =>
  engine.moves(next).filter(({ value }) => value.result !== 'loss');

/** Whether a move does what is aimed at, given a best move: ideas of lessons, any move, and keeping the result. */
const AIMS: Record<string, (engine: Engine, choice: MoveValue, best: MoveValue) => boolean> = {
  any: () => true,
  keep: (_, { value }, best) => value.result === best.value.result,
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

/** The moves that solve an exercise of any lesson but the first. */
export function solutions(engine: Engine, lesson: string, position: string): MoveValue[] {
  const moves = engine.moves(position);
  return moves.filter((choice) => AIMS[lesson](engine, choice, moves[0]));
}

/** The side that the user has. */
export const userSide = ({ position, side }: Item): Side => side ?? sideAt(position);

/** Whether a move is right, given a best one. */
export const isRight = (engine: Engine, { aim, move, goal }: Item, choice: MoveValue, best: MoveValue) =>
  (move ? choice.move === move : goal ? choice.to === goal : AIMS[aim](engine, choice, best));

/** An exercise of a lesson. In the first one, a square is to be reached. */
export const lessonItem = (engine: Engine, name: string, position: string): Item => ({
  position,
  aim: name,
  goal: name === 'slide' ? GOALS[EXERCISES.slide.indexOf(position)] : undefined,
  threat: name === 'block' ? winsAtOnce(engine, passed(position))[0].move : undefined,
});

// ---- further exercises ----

/** The plies of the losses that are delayed. */
export const DELAYS = [4, 6, 8, 10];
/** The most plies of the win in zugzwang: later ones are hard to see. */
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
  const ranks = [0, 5, 10, 15, 20].map((at) => squares.slice(at, at + 5).join(''));
  return `${ranks.map((rank) => rank.replace(/1+/g, (ones) => String(ones.length))).join('/')} b`;
}
