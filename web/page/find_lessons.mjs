// Finds the exercises of the lessons in the table and prints them as lessons.js has them.
//
// Usage: node find_lessons.mjs WASM TABLE
//
// Looks at random positions, the same in each run, and takes the first ones in which a lesson has a single solution and
// that fit the lesson otherwise.

import { readFileSync } from 'node:fs';

import { loadEngine } from '../engine/engine.js';
import { passed, solutions, threatsOf, wayTo, winsAtOnce } from './lessons.js';
import { squareName } from './position.js';

/** How many slides the exercises of the first lesson take. */
const SLIDES = [1, 2, 3, 4];
/** The plies of the losses that are delayed. */
const DELAYS = [4, 6, 8, 10];
/** Of the win in zugzwang: later ones are hard to see. */
const MOST_PLIES = 10;
const EACH = 4; // exercises

/** What a position with these moves must be to be the exercise of this number, if it has a single solution. */
const SUITS = {
  line: () => true,
  threat: (position, moves) =>
    moves[0].value.result === 'draw' && solutions(engine, 'threat', position)[0]?.value.result === 'draw',
  block: (position, [best]) =>
    best.value.plies !== 1 && best.value.result !== 'loss' && winsAtOnce(engine, passed(position)).length === 1,
  double: (position, [best]) => best.value.plies === 3 && !winsAtOnce(engine, passed(position)).length,
  only: (position, [best]) => best.value.plies === 5 && !winsAtOnce(engine, passed(position)).length,
  zugzwang: (_, [best, second]) => best.value.plies < MOST_PLIES && second?.value.result !== 'win',
  delay: (_, [best], number) => best.value.result === 'loss' && best.value.plies === DELAYS[number],
  save: (position, [best]) => best.value.result === 'draw' && !winsAtOnce(engine, passed(position)).length,
  trap: (position, moves) =>
    moves[0].value.result === 'draw' &&
    moves.filter(({ value }) => value.result === 'draw').length > 2 &&
    solutions(engine, 'trap', position).every((choice) => !threatsOf(engine, choice).length),
};

/** A function that returns a number from 0 to count - 1, the same ones in each run for the same text. */
function createRandom(text) {
  let state = Buffer.from(text).readUInt32BE() % 2147483647;
  return (count) => {
    state = (state * 48271) % 2147483647;
    return state % count;
  };
}

/** A random position with Black to move, legal or not. */
function randomPosition(random) {
  const squares = Array(25).fill('1');
  for (const piece of 'bbbwww') {
    let at = random(25);
    while (squares[at] !== '1') at = random(25);
    squares[at] = piece;
  }
  const ranks = squares.join('').match(/.{5}/g);
  return `${ranks.map((rank) => rank.replace(/1+/g, (ones) => ones.length)).join('/')} b`;
}

/** Random positions of a game that is not over. */
function* positions(random) {
  for (;;) {
    const position = randomPosition(random);
    if (engine.checkPosition(position).ok && engine.moves(position).length) yield position;
  }
}

/** The exercises of a lesson but the first. */
function find(lesson) {
  const found = [];
  for (const position of positions(createRandom(lesson))) {
    if (!SUITS[lesson](position, engine.moves(position), found.length)) continue;
    if (solutions(engine, lesson, position).length === 1) found.push(position);
    if (found.length === EACH) break;
  }
  return found;
}

/** The exercises of the first lesson and the squares to reach in them. */
function findSlides() {
  const found = [];
  const random = createRandom('slide');
  for (const position of positions(random)) {
    const goal = squareName(random(5), random(5));
    if (wayTo(engine, position, goal)?.length === SLIDES[found.length]) found.push([position, goal]);
    if (found.length === EACH) break;
  }
  return found;
}

const [wasm, table] = process.argv.slice(2);
const engine = await loadEngine(readFileSync(wasm), readFileSync(table));
const slides = findSlides();
const rest = Object.keys(SUITS).map((lesson) => [lesson, find(lesson)]);
const EXERCISES = Object.fromEntries([['slide', slides.map(([position]) => position)], ...rest]);
console.log(JSON.stringify({ GOALS: slides.map(([, goal]) => goal), EXERCISES }, null, 2));
