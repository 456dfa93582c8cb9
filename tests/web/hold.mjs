// Tests of the lesson on how White holds the draw. From the environment: as in pages.mjs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { STRATEGY } from '../../web/page/state/aims.js';
import { click, onPage, play, read, shows } from './pages.mjs';

const MOVES = Object.fromEntries(STRATEGY.map(({ position, move }) => [position.slice(0, -2), move]));

test('the lesson asks for the moves of the smallest strategy', () => {
  const { white } = JSON.parse(readFileSync(new URL('../../data/openings.json', import.meta.url)));
  assert.deepEqual(Object.fromEntries(STRATEGY.map(({ position, move }) => [position, move])), white);
});

/** The symmetries of the board, as functions of a column and a row from 0 to 4. */
const SYMMETRIES = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => ([x, y]) => {
  const [a, b] = n & 4 ? [y, x] : [x, y];
  return [n & 1 ? 4 - a : a, n & 2 ? 4 - b : b];
});
const placeOf = (square) => ['abcde'.indexOf(square[0]), square[1] - 1];
const squareOf = ([x, y]) => 'abcde'[x] + (y + 1);

/** The pieces of a board by square. */
const piecesOf = (board) =>
  board.split('/').flatMap((rank, row) =>
    [...rank.replace(/\d/g, (n) => '1'.repeat(n))].map((piece, x) => [squareOf([x, 4 - row]), piece]))
    .filter(([, piece]) => piece !== '1');
const textOf = (pieces) => pieces.map((one) => one.join('')).sort().join(' ');

/** The move of the strategy in each position that is symmetric to one of it. */
const KNOWN = new Map(Object.entries(MOVES).flatMap(([board, move]) =>
  SYMMETRIES.map((turn) => {
    const moved = (square) => squareOf(turn(placeOf(square)));
    const pieces = piecesOf(board).map(([square, piece]) => [moved(square), piece]);
    return [textOf(pieces), move.split('-').map(moved).join('-')];
  })));

const atLesson = { hash: '#view=hold' };

onPage('the lessons lead to it', { hash: '#view=lessons' }, async (page) => {
  await click(page, '#lesson-hold');
  await shows(page, { hash: '#view=hold', '#headline': 'c4-c3 holds the draw: play it.', '#flip': 1 });
  await shows(page, { '[role=row]:first-child > [data-square=e1]:first-child': 1 });
});

onPage('a position is shown once and asked later; a wrong move is named, and two show the answer', atLesson,
  async (page) => {
    const answer = async () => {
      const board = await read(page, 'board');
      await play(page, MOVES[board]);
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

onPage('what was answered wrong is asked again sooner', atLesson, async (page) => {
  const boards = Object.keys(MOVES);
  const asked = [];
  while (asked.length < 7) {
    const board = await read(page, 'board');
    asked.push(boards.indexOf(board));
    if (asked.length === 4) {
      await shows(page, { '.preview': 0 });
      await play(page, 'b1-a1');
      await shows(page, { '#headline': 'Not b1-a1. Try again.' });
    }
    await play(page, MOVES[board]);
    await shows(page, { '#headline': /^(?!Correct!$)/ });
  }
  assert.deepEqual(asked, [0, 1, 2, 0, 1, 2, 0]);
});

onPage('who knows the positions plays a game, and holds the draw by repetition', atLesson, async (page) => {
  for (let moves = 0; moves < 200; moves++) {
    await shows(page, { '#headline': /holds? the draw|held the draw/i });
    if (/held/.test(await read(page, '#headline'))) break;
    await play(page, KNOWN.get(textOf(piecesOf(await read(page, 'board')))));
    await shows(page, { '#headline': /^(?!Correct|Black)/ });
  }
  await shows(page, { '#headline': 'You\u2019ve held the draw!', '#hold-show': 0 });
  await click(page, '#to-lessons');
  await shows(page, { '#lesson-hold .done': 1 });
});
