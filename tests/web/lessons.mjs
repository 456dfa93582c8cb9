// Tests of the lessons: their positions against the table, and in Chromium. From the environment: as in pages.mjs, and
// NEUTREEKO_WASM. THOROUGH is for finding the positions again.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import {
  EXERCISES, GOALS, isExercise, passed, randomPosition, solutions, STRATEGY, THEMES, wayTo,
} from '../../web/page/state/aims.js';
import { readPosition, squareName } from '../../web/page/state/position.js';
import { randomOf } from './browser.mjs';
import {
  click, nativeMoves, onPage, play, press, read, reload, shows, THOROUGH, withPage,
} from './pages.mjs';
import { loadStandard } from './programs.mjs';

const { BUNDLES, NEUTREEKO_WASM, NEUTREEKO_TABLE } = process.env;
const engine = await loadStandard();

// ---- the positions ----

const flipped = (position) => (position.endsWith('b') ? position.replace(/b$/, 'w') : position.replace(/w$/, 'b'));
const isLegal = (position) => engine.checkPosition(position).ok;
/** The moves after which the opponent has lost. */
const wins = (position) => engine.moves(position).filter(({ next }) => !isLegal(flipped(next)));
const resultsOf = (position) => engine.moves(position).map(({ value }) => value.result);
const count = (list, item) => list.filter((one) => one === item).length;
/** With what Black would win after a move if White passed. */
const threats = ({ next }) => (isLegal(flipped(next)) ? wins(flipped(next)) : []);
/** With what White wins if Black passes. */
const dangers = (position) => wins(flipped(position));

const DIRECTIONS = [[0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1, 0], [-1, 1]];

/** The squares at which a piece on a square stops, by the rules. */
function stops(taken, square) {
  const isFree = (file, rank) => file >= 0 && file < 5 && rank >= 0 && rank < 5 && !taken.has(squareName(file, rank));
  const [file, rank] = [square.charCodeAt(0) - 97, square[1] - 1];
  return DIRECTIONS.map(([across, up]) => {
    let steps = 0;
    while (isFree(file + (steps + 1) * across, rank + (steps + 1) * up)) steps++;
    return squareName(file + steps * across, rank + steps * up);
  });
}

/** The fewest slides that take a black piece to a square while no other piece moves. */
function slidesTo(position, goal) {
  const { pieces } = readPosition(position, engine.board);
  const black = [...pieces].filter(([, side]) => side === 'black').map(([square]) => square);
  const counts = black.map((piece) => {
    const others = new Set([...pieces.keys()].filter((square) => square !== piece));
    let reached = new Set([piece]);
    for (let slides = 0; slides < 25; slides++) {
      if (reached.has(goal)) return slides;
      reached = new Set([...reached, ...[...reached].flatMap((square) => stops(others, square))]);
    }
    return Infinity;
  });
  return Math.min(...counts);
}

/** What the positions of each lesson have in common. */
const PROPERTIES = {
  slide: ['the square is one slide farther away in each exercise', (position, number) => {
    assert.equal(slidesTo(position, GOALS[number]), number + 1);
    assert.equal(wayTo(engine, position, GOALS[number]).length, number + 1);
  }],
  line: ['exactly one move wins at once', (position) => assert.equal(wins(position).length, 1)],
  threat: ['exactly one move threatens to win, and it keeps the draw', (position) => {
    const threatening = engine.moves(position).filter((choice) => threats(choice).length);
    assert.deepEqual(threatening.map(({ value }) => value.result), ['draw']);
    assert.equal(resultsOf(position)[0], 'draw');
  }],
  block: ['White threatens one move, and exactly one move stops it', (position) => {
    assert.equal(dangers(position).length, 1);
    assert.equal(wins(position).length, 0);
    assert.equal(engine.moves(position).filter(({ next }) => !wins(next).length).length, 1);
  }],
  double: ['exactly one move makes two threats, and wins whatever White does', (position) => {
    const double = engine.moves(position).filter((choice) => threats(choice).length > 1);
    assert.equal(double.length, 1);
    assert.equal(dangers(position).length, 0);
    for (const reply of engine.moves(double[0].next)) assert.ok(wins(reply.next).length, reply.move);
  }],
  only: ['exactly one move wins, in three moves', (position) => {
    assert.equal(count(resultsOf(position), 'win'), 1);
    assert.equal(engine.value(position).plies, 5);
  }],
  zugzwang: ['after the only winning move White loses, but not if Black had to move', (position) => {
    assert.equal(count(resultsOf(position), 'win'), 1);
    const [{ next }] = engine.moves(position);
    assert.ok(engine.moves(next).length > 1);
    assert.ok(resultsOf(next).every((result) => result === 'loss'));
    assert.equal(count(resultsOf(flipped(next)), 'win'), 0);
  }],
  delay: ['all moves lose, and one of them later than all others', (position) => {
    const [latest, second] = engine.moves(position);
    assert.ok(resultsOf(position).every((result) => result === 'loss'));
    assert.ok(latest.value.plies > second.value.plies);
  }],
  save: ['exactly one move draws and all others lose, though White threatens nothing', (position) => {
    assert.deepEqual([...new Set(resultsOf(position))], ['draw', 'loss']);
    assert.equal(count(resultsOf(position), 'draw'), 1);
    assert.equal(dangers(position).length, 0);
  }],
  trap: ['of three or more moves that draw, one leaves a single good reply, without a threat', (position) => {
    const draws = engine.moves(position).filter(({ value }) => value.result === 'draw');
    const traps = draws.filter(({ next }) => resultsOf(next).filter((result) => result !== 'loss').length === 1);
    assert.equal(resultsOf(position)[0], 'draw');
    assert.ok(draws.length >= 3);
    assert.equal(traps.length, 1);
    assert.equal(threats(traps[0]).length, 0);
  }],
};

for (const [lesson, [name, check]] of Object.entries(PROPERTIES))
  for (const [number, position] of EXERCISES[lesson].entries())
    test(`${lesson}, exercise ${number + 1}: ${name}`, () => check(position, number));

test('ten lessons have four exercises each, and no two of these are the same', () => {
  const all = Object.values(EXERCISES).flat();
  assert.deepEqual(Object.keys(EXERCISES), Object.keys(PROPERTIES));
  assert.deepEqual(Object.values(EXERCISES).map(({ length }) => length), Array(10).fill(4));
  assert.equal(new Set(all).size, 40);
});

test('every exercise but those of the first lesson has a single solution, for Black', () => {
  for (const [lesson, positions] of Object.entries(EXERCISES).slice(1)) {
    for (const position of positions) assert.equal(solutions(engine, lesson, position).length, 1, position);
  }
  for (const position of Object.values(EXERCISES).flat()) assert.match(position, / b$/);
});

test('the script finds the exercises', { skip: !THOROUGH && 'takes seconds' }, () => {
  const script = join(BUNDLES, 'find_lessons.mjs');
  const printed = execFileSync(process.execPath, [script, NEUTREEKO_WASM, NEUTREEKO_TABLE], { encoding: 'utf8' });
  assert.deepEqual(JSON.parse(printed), { GOALS, EXERCISES });
});

// ---- the page ----

const NAMES = Object.keys(EXERCISES);
const linkOf = (lesson) => `#view=lessons&at=${NAMES.indexOf(lesson) + 1}`;
const solutionOf = (lesson, number = 0) =>
  lesson === 'slide' ? wayTo(engine, EXERCISES.slide[number], GOALS[number])[0]
    : solutions(engine, lesson, EXERCISES[lesson][number])[0].move;
const MOVE = '[a-e][1-5]-[a-e][1-5]';

/** What is asked for in the first exercise of each lesson, and what is then right. */
const TEXTS = {
  slide: ['Bring a piece to d1.', /^Correct!$/],
  line: ['Win with one move.', /^Correct!$/],
  threat: ['Make a threat.', new RegExp(`^Correct! You threaten ${MOVE}\\.$`)],
  block: [new RegExp(`^White threatens ${MOVE}\\. Stop it!$`), /^Correct! White can\u2019t win at once\.$/],
  double: ['Make two threats at once.', new RegExp(`^Correct! You threaten ${MOVE} and ${MOVE}\\.$`)],
  only: ['Find the only winning move.', /^Correct! No other move wins\.$/],
  zugzwang: ['Leave White only losing moves.', /^Correct! White must move, and loses\.$/],
  delay: ['Delay the loss.', /^Correct! White still needs 2 moves\.$/],
  save: ['Find the only move that draws.', /^Correct! Every other move loses\.$/],
  trap: ['Leave White one good reply.', new RegExp(`^Correct! White\u2019s only good reply is ${MOVE}\\.$`)],
};
for (const [lesson, [task, right]] of Object.entries(TEXTS))
  onPage(`the right move solves an exercise: ${lesson}`, { hash: linkOf(lesson) }, async (page) => {
    await shows(page, { '#headline': task, '[aria-current=true]': 1, [`#lesson-${lesson}[aria-current=true]`]: 1 });
    await play(page, solutionOf(lesson));
    await shows(page, { '#headline': right, '#lesson-next': 'Next exercise', '.movable, .preview': 0 });
  });

const [farther] = engine.moves(EXERCISES.slide[0]).filter(({ to }) => to !== GOALS[0]);
onPage('in the first lesson, the last move that is shown is the one that has solved the exercise', {
  hash: linkOf('slide'),
}, async (page) => {
  await play(page, farther.move);
  const last = wayTo(engine, passed(farther.next), GOALS[0]);
  await play(page, ...last);
  await shows(page, { '#headline': TEXTS.slide[1], [`[data-square=${GOALS[0]}][aria-label*="last move"]`]: 1 });
});

const saving = { hash: linkOf('save'), fresh: true };
onPage('the reason why a move is wrong is in the language of the page', saving, async (page) => {
  await play(page, engine.moves(EXERCISES.save[0]).at(-1).move);
  await shows(page, { '#subline': /: White wins in / });
  await click(page, '#menu-button', '#language-button');
  await shows(page, { '#subline': /白/ });
});

onPage('what threatens is marked', { hash: linkOf('block') }, (page) => shows(page, { '.preview.loss': 1 }));

onPage('what follows the right move is played on demand', { hash: linkOf('double') }, async (page) => {
  await play(page, solutionOf('double'));
  await click(page, '#line-play');
  await shows(page, { '.winning line': 1 });
  await click(page, '#lesson-next');
  await shows(page, { board: EXERCISES.double[1].split(' ')[0] });
});

const almost = { settings: { lessons: { line: 3, trap: 3 } }, hash: linkOf('line') };
onPage('a lesson goes on where it ended, is ticked when done, and leads to the next', almost, async (page) => {
  await shows(page, { '#subline': 'Line: exercise 4 of 4', '#lesson-line': '2\nLine\n3/4', '#lesson-hold': /^11\n/ });
  await play(page, solutionOf('line', 3));
  await shows(page, { '#lesson-line': /\u2713/, '#view h3': 'Lessons: 1 of 11 done' });
  await shows(page, { '#lesson-next': 'Next lesson: Threat' });
  await press(page, 'n');
  await shows(page, { '#headline': TEXTS.threat[0], hash: linkOf('threat') });
  await reload(page);
  await click(page, '#lesson-line');
  await shows(page, { '#subline': 'Line: exercise 1 of 4', '#lesson-line': /\u2713/ });
  await click(page, '#lesson-trap');
  await play(page, solutionOf('trap', 3));
  await click(page, '#lesson-next', '#to-lessons');
  await shows(page, { '#view h3': 'Lessons: 2 of 11 done' });
});

const wrongShape = { settings: { lessons: { slide: 5, line: 2, toString: 1, x: 4 } }, hash: linkOf('line') };
onPage('progress of a wrong shape is as if it were missing', wrongShape, (page) =>
  shows(page, { '#view h3': 'Lessons: 0 of 11 done', '.lessons .done': ['', '2/4', ...Array(8).fill('')] }));

// ---- puzzles of the themes ----

test('every lesson but the first has puzzles of its theme', () =>
  assert.deepEqual(['slide', ...THEMES].sort(), [...NAMES].sort()));

test('what is found for a theme has the property of its lesson', () => {
  const random = randomOf(1910281797); // with which the rarest theme, zugzwang, is found early
  const missing = new Set(THEMES);
  while (missing.size) {
    const position = randomPosition(random);
    for (const theme of THEMES.filter((one) => isExercise(engine, one, position))) {
      PROPERTIES[theme][1](position);
      assert.equal(solutions(engine, theme, position).length, 1, position);
      missing.delete(theme);
    }
  }
});

/** Positions with a single solution that do not exercise the idea of a lesson, and why not. */
const UNSUITED = {
  'the threat loses': ['threat', '3b1/2bww/3w1/5/2b2 b'],
  'another move than the threat wins': ['threat', '4b/b3w/bw3/2w2/5 b'],
  'White threatens two moves': ['block', '2w2/b1b1w/1b2w/5/5 b'],
  'Black wins at once': ['block', '1bww1/1bbw1/5/5/5 b'],
  'Black has lost': ['block', '5/b1b2/2w2/1w3/1w2b b'],
  'the only double threat does not win, but another move does': ['double', 'bw3/5/w3w/3b1/3b1 b'],
  'White threatens something': ['double', '4w/3w1/1b1w1/5/3bb b'],
  'the win takes four moves': ['only', '2b1w/2w2/2b2/4w/2b2 b'],
  'White threatens to win first': ['only', '2b1b/2w2/5/1b3/1w1w1 b'],
  'another move wins as well': ['zugzwang', '5/w3b/4w/b3w/2b2 b'],
  'the win takes six moves': ['zugzwang', 'bw3/w4/1b2b/4w/5 b'],
  'the loss takes six moves': ['delay', '5/2wb1/3w1/5/1bwb1 b'],
  'a threat shows what to do': ['save', '1w3/b1wbb/5/2w2/5 b'],
  'only two moves draw': ['trap', '2wb1/5/3b1/b4/ww3 b'],
};
for (const [why, [theme, position]] of Object.entries(UNSUITED))
  test(`a position is none for the lesson if ${why}: ${theme}`, () => {
    assert.equal(solutions(engine, theme, position).length, 1);
    assert.equal(isExercise(engine, theme, position), false);
  });

onPage('a theme is chosen in the puzzles, and has one puzzle after the other', {}, async (page) => {
  await click(page, '#tab-learn', '#to-puzzle', '#themes summary', '#theme-block');
  await shows(page, { '#headline': TEXTS.block[0], '#subline': 'Block', '#tab-learn[aria-selected=true]': 1 });
  await shows(page, { hash: /^#view=lessons&start=.*_b&at=4$/ });
  const first = page.url();
  await click(page, '#lesson-next');
  await page.waitForURL((url) => url.href !== first && url.hash.includes('start='));
  const position = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('start').replace('_', ' ');
  await play(page, solutions(engine, 'block', position)[0].move);
  await shows(page, { '#headline': TEXTS.block[1], '#lesson-next': ['Next puzzle'] });
  await shows(page, { '.lessons .done': Array(10).fill('') });
  await page.goBack();
  await shows(page, { hash: /^#view=puzzle/ });
});

onPage('the search for a puzzle of a theme ends when its view is left', { fresh: true }, async (page) => {
  await page.evaluate(() => {
    // Always three black pieces in a row, which is not a puzzle, so the search does not end by itself.
    Math.random = () => {
      globalThis.numbers = (globalThis.numbers ?? 0) + 1;
      return ((globalThis.numbers % 6) + 0.5) / 25;
    };
  });
  const numbers = () => page.evaluate(() => globalThis.numbers);
  await click(page, '#tab-learn', '#to-puzzle', '#themes summary', '#theme-block');
  await page.waitForFunction(() => globalThis.numbers > 0);
  await click(page, '#tab-explore');
  const before = await numbers();
  await page.waitForTimeout(100);
  assert.equal(await numbers(), before);
});

onPage('the search for a puzzle of a theme that fails is reported, and made again', { fresh: true }, async (page) => {
  await page.evaluate(() => {
    globalThis.random = Math.random;
    Math.random = () => {
      throw new Error('out of memory');
    };
  });
  await click(page, '#tab-learn', '#to-puzzle', '#themes summary', '#theme-block');
  await shows(page, { '#headline': 'No puzzle found', '#subline': 'The table could not be read.' });
  await page.evaluate(() => { Math.random = globalThis.random; });
  await click(page, '#lesson-next');
  await shows(page, { '#headline': TEXTS.block[0], '#subline': 'Block' });
});

const elsewhere = '#view=lessons&board=3x3/3';
const learned = Object.fromEntries(Object.entries(EXERCISES).map(([name, { length }]) => [name, length]));
onPage('what is learnt begins with the lessons, and with puzzles when all are done', {}, async (page) => {
  await click(page, '#tab-learn');
  await shows(page, { hash: '#view=lessons&at=1' });
  await withPage({ settings: { lessons: learned } }, async (other) => {
    await click(other, '#tab-learn');
    await shows(other, { hash: /^#view=puzzle/ });
  });
});

onPage('the lessons are those of the standard board', { hash: elsewhere }, async (page) => {
  await shows(page, { '#notice:not([hidden])': 1, '#tab-play[aria-selected=true]': 1 });
  await click(page, '#tab-learn');
  await shows(page, { '#to-lessons': 0, 'input[name=grade]:checked': 1 });
});

// ---- the lesson on the draw ----

const HOLDING = Object.fromEntries(STRATEGY.map(({ position, move }) => [position.slice(0, -2), move]));

test('the lesson on the draw asks for the moves of the smallest strategy', () => {
  const { white } = JSON.parse(readFileSync(new URL('../../data/openings.json', import.meta.url)));
  assert.deepEqual(Object.fromEntries(STRATEGY.map(({ position, move }) => [position, move])), white);
});

/** A move of White that draws: back to where the last piece came from, if possible. */
async function drawingMove(page, last) {
  const moves = (await nativeMoves(page, 'w')).filter(({ result }) => result === 'draw').map(({ move }) => move);
  const back = last.split('-').reverse().join('-');
  return moves.includes(back) ? back : moves[0];
}

const atLesson = { hash: '#view=hold' };

onPage('a position is shown once and asked later; a wrong move is named, and two show the answer', atLesson,
  async (page) => {
    const answer = async () => {
      const board = await read(page, 'board');
      await play(page, HOLDING[board]);
      await shows(page, { '#headline': /^(?!Correct!$)/ });
    };
    await shows(page, { '#subline': 'Positions known: 0 of 8', '.preview': 1 });
    const first = await read(page, 'board');
    while (await read(page, '.preview') !== undefined) await answer();
    await shows(page, { board: first, '#headline': 'Which move holds the draw?' });
    await play(page, 'b1-a1');
    await shows(page, { '#headline': 'Not b1-a1. Try again.', '.preview': 0 });
    await play(page, 'c4-e4');
    await shows(page, { '#headline': 'c4-c3 holds the draw: play it.', '.preview': 1 });
  });

onPage('who knows the positions plays a game, and holds the draw by repetition', atLesson, async (page) => {
  let last = '';
  for (let moves = 0; moves < 200; moves++) {
    await shows(page, { '#headline': /holds? the draw|held the draw/i });
    if (/held/.test(await read(page, '#headline'))) break;
    last = HOLDING[await read(page, 'board')] ?? await drawingMove(page, last);
    await play(page, last);
    await shows(page, { '#headline': /^(?!Correct|Black)/ });
  }
  await shows(page, { '#headline': 'You\u2019ve held the draw!', '#hold-show': 0 });
  await click(page, '#to-lessons');
  await shows(page, { '#lesson-hold .done': 1, '#view h3': 'Lessons: 1 of 11 done' });
});
