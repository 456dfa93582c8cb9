// Tests of the lesson on how White holds the draw. From the environment: as in pages.mjs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { STRATEGY } from '../../web/page/state/aims.js';
import { click, nativeMoves, onPage, play, read, shows } from './pages.mjs';

const MOVES = Object.fromEntries(STRATEGY.map(({ position, move }) => [position.slice(0, -2), move]));

test('the lesson asks for the moves of the smallest strategy', () => {
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

onPage('who knows the positions plays a game, and holds the draw by repetition', atLesson, async (page) => {
  let last = '';
  for (let moves = 0; moves < 200; moves++) {
    await shows(page, { '#headline': /holds? the draw|held the draw/i });
    if (/held/.test(await read(page, '#headline'))) break;
    last = MOVES[await read(page, 'board')] ?? await drawingMove(page, last);
    await play(page, last);
    await shows(page, { '#headline': /^(?!Correct|Black)/ });
  }
  await shows(page, { '#headline': 'You\u2019ve held the draw!', '#hold-show': 0 });
  await click(page, '#to-lessons');
  await shows(page, { '#lesson-hold .done': 1 });
});
