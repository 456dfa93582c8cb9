// Finds the exercises of the lessons in the table and prints them as aims.ts has them.
//
// Usage: node find_lessons.mjs WASM TABLE
//
// Looks at random positions, the same in each run, and takes the first ones in which a lesson has a single solution and
// that fit the lesson otherwise.

import { readFileSync } from 'node:fs';

import { loadEngine } from '../engine/engine.js';
import { DELAYS, isExercise, randomPosition, THEMES, wayTo } from './state/aims.js';
import { squareName } from './state/position.js';

/** How many slides the exercises of the first lesson take. */
const SLIDES = [1, 2, 3, 4];
const EACH = 4; // exercises

/** A function that returns a number from 0 to count - 1, the same ones in each run for the same text. */
function createRandom(text) {
  let state = Buffer.from(text).readUInt32BE() % 2147483647;
  return (count) => {
    state = (state * 48271) % 2147483647;
    return state % count;
  };
}

/** The exercises of a theme. Losses are delayed for longer and longer. */
function find(theme) {
  const found = [];
  const random = createRandom(theme);
  while (found.length < EACH) {
    const position = randomPosition(random);
    if (!isExercise(engine, theme, position)) continue;
    if (theme !== 'delay' || engine.value(position).plies === DELAYS[found.length]) found.push(position);
  }
  return found;
}

/** The exercises of the first lesson and the squares to reach in them. */
function findSlides() {
  const found = [];
  const random = createRandom('slide');
  while (found.length < EACH) {
    const position = randomPosition(random);
    if (!engine.checkPosition(position).ok || !engine.moves(position).length) continue; // the game is over
    const goal = squareName(random(5), random(5));
    if (wayTo(engine, position, goal)?.length === SLIDES[found.length]) found.push([position, goal]);
  }
  return found;
}

const [wasm, table] = process.argv.slice(2);
const engine = await loadEngine(readFileSync(wasm), readFileSync(table));
const slides = findSlides();
const rest = THEMES.map((theme) => [theme, find(theme)]);
const EXERCISES = Object.fromEntries([['slide', slides.map(([position]) => position)], ...rest]);
console.log(JSON.stringify({ GOALS: slides.map(([, goal]) => goal), EXERCISES }, null, 2));
