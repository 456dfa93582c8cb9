// Tests of what the page keeps on the device, in Chromium: games and the puzzles that they give, what is counted, and
// settings. From the environment: as in pages.mjs.

import assert from 'node:assert/strict';

import {
  boxOf, click, fill, linkTo, nativeMoves, onPage, openLink, openWindow, PAGE, play, read, reload, shows,
  START, stored,
} from './pages.mjs';
import { puzzles, query, review } from './programs.mjs';

// ---- games ----

const DATE = '2026-11-30';
const WON = ['b1-c1', 'b5-c5', 'c4-e2', 'c2-e4', 'e2-e1'];
const FIRST = ['b1-c1', 'd5-c5'];
const BLUNDER = 'd1-e2'; // after these, where several moves win
const short = (moves) => moves.map((move) => move.replace('-', '')).join('.');
const LOST = { start: START, moves: short([...FIRST, BLUNDER]), end: 'resigned-black', date: DATE };
const KEPT = { ...LOST, black: 'human', white: 'level:5', winner: 'white' };

/** The setup of a page on which these games are kept. */
const keeping = (games, hash = '#view=review') => ({ games, hash });

const illegal = { ...KEPT, moves: 'b1c1.zzz.b5c5', end: '' };
onPage('of a kept game with an illegal move, those before it open', keeping([illegal]), async (page) => {
  await click(page, '.games button');
  await shows(page, { moves: 'b1-c1' });
});

const asWhite = { ...KEPT, black: 'level:5', white: 'human', moves: Array(9).fill('b1c1').join('.') };
onPage('a game against an opponent that does not exist is left out, and one is won by the side of the user',
  keeping([{ ...KEPT, white: 'level:99' }, asWhite]), (page) =>
    shows(page, { '.games button': [`Easy, Won\n${DATE} \u00b7 5 moves`] }));

onPage('nothing remains of games that are deleted', keeping([KEPT]), async (page) => {
  await click(page, '#games-delete', '#games-delete');
  assert.equal(await page.evaluate(() => localStorage.getItem('neutreeko-games')), null);
});

// ---- my mistakes ----

const before = review(FIRST.join(' ')).end.position;
const kept = query(before)[0].moves.filter(({ result }) => result === 'win');

const asPuzzle = keeping([KEPT], '#view=puzzle');
onPage('a mistake of the user is a puzzle, in which every good move is right', asPuzzle, async (page) => {
  await click(page, '#my-mistakes');
  await shows(page, {
    '#mistake-of': `From a game on ${DATE} (Easy).`,
    '#headline': 'Black to move',
    '#subline': 'Find a move that keeps the win.',
    board: before.split(' ')[0],
    hash: '#view=puzzle',
  });
  await play(page, BLUNDER);
  await shows(page, { '#headline': `Not quite: ${BLUNDER} loses.` });
  await click(page, '#puzzle-again');
  await play(page, kept.at(-1).move);
  await shows(page, { '#headline': /^Correct!/, '#rating': 0 });
});

// Black is winning, and repeats the position for the third time with a move that otherwise keeps the win.
const CYCLE = ['b1-b4', 'b5-a4', 'b4-b1', 'a4-b5'];
const repeating = {
  ...KEPT, start: '1w1w1/2b2/2b2/5/wb3 b', moves: short([...CYCLE, ...CYCLE]), end: '', winner: null,
};
const repeatingAsPuzzle = keeping([repeating], '#view=puzzle');
onPage('a mistake that is one only because of the moves before is asked as one', repeatingAsPuzzle, async (page) => {
  await click(page, '#my-mistakes');
  await shows(page, { '#subline': 'Find a move that keeps the win.' });
  await play(page, 'b4-b1');
  await shows(page, { '#headline': 'Not quite: b4-b1 only draws.' });
});

const clean = { ...KEPT, moves: short(WON), end: '', winner: 'black' };
onPage('the mistakes of an opponent are none of the user', keeping([clean], '#view=puzzle'), async (page) => {
  await click(page, '#my-mistakes');
  await shows(page, { '#subline': 'The games that are kept on this device have no mistakes.' });
});

const two = keeping([{ ...KEPT, white: 'human' }], '#view=puzzle');
onPage('after one mistake comes the next, of either of two people', two, async (page) => {
  await click(page, '#my-mistakes');
  await shows(page, { '#mistake-of': 1 });
  const first = await read(page, 'board');
  await click(page, '#puzzle-next');
  await shows(page, { '#mistake-of': 1, board: new RegExp(`^(?!${first}$)`) });
});

// ---- what is counted, and several windows ----

const noon = (year, month, day) => new Date(year, month - 1, day, 12);
const MONDAY = noon(2026, 11, 30); // which has an easy puzzle
const [{ position: daily }] = puzzles(1, 20261130, '--plies=3');

/** Opens the puzzle of the day. */
async function openDaily(page) {
  await click(page, '#tab-learn', '#to-puzzle');
  await shows(page, { board: daily.slice(0, -2), hash: /^#view=puzzle&start=/ });
}

/** Solves the puzzle of the day, of two moves. */
async function solveDaily(page) {
  const playBest = async () => {
    const [{ move }] = await nativeMoves(page, daily.at(-1));
    await play(page, move);
  };
  await playBest();
  await shows(page, { '#headline': 'Correct! Go on.', '.movable': 3 });
  await playBest();
  await shows(page, { '#headline': 'Correct!' });
}

onPage('each of two windows keeps its game, and shows a notice when the other saves one', {}, async (page, context) => {
  await play(page, 'b1-c1');
  const other = await openWindow(context, PAGE);
  await shows(other, { moves: 'b1-c1' });
  await shows(page, { '#notice:not([hidden])': 0 });
  await click(page, '#tab-explore', '#notes summary', '#study-add');
  await shows(page, { '#notice:not(.wrong)': /^Added/ });
  await click(other, '#new', '#start-game');
  await play(other, 'd1-c1');
  await shows(page, { moves: 'b1-c1', '#notice.wrong:not([role])': /^Another window has saved its game\./,
    '#spoken': /^Another window has saved its game\./ });
  await openLink(page, '#view=lessons'); // or the address would have the game
  await reload(page);
  await click(page, '#tab-play');
  await shows(page, { moves: 'b1-c1' });
  await reload(other);
  await shows(other, { moves: /^d1-c1/ });
});

onPage('a window that plays the moves of another one keeps them when the other goes on', { players: null },
  async (page, context) => {
    const other = await openWindow(context, PAGE);
    for (const one of [page, other]) await openLink(one, '#moves=b1c1.b5c5');
    await play(page, 'c4-a2');
    await play(other, 'c4-a2');
    await play(page, 'c5-a3');
    await shows(page, { moves: 'b1-c1 b5-c5 c4-a2 c5-a3' });
    await openLink(other, '#view=lessons'); // or the address would have the game
    await reload(other);
    await click(other, '#tab-play');
    await shows(other, { moves: 'b1-c1 b5-c5 c4-a2' });
  });

const toWin = { hash: linkTo('puzzle', puzzles(1, 2, '--plies=3')[0].position), patient: 1 };
onPage('the reply in a puzzle is not announced in another view', toWin, async (page) => {
  const [best] = await nativeMoves(page);
  await play(page, best.move);
  await click(page, '#tab-explore');
  await shows(page, { '#tab-explore[aria-selected=true]': 1, '#spoken': /./ });
  await page.waitForTimeout(100);
  const spoken = await read(page, '#spoken');
  await page.waitForTimeout(800); // the reply comes after 600
  assert.equal(await read(page, '#spoken'), spoken);
  await click(page, '#tab-learn', '#to-puzzle');
  await shows(page, { '#headline': 'Correct! Go on.', '.movable': 3 });
});

const yesterday = { record: { daily: '2026-11-29', days: 4 }, date: MONDAY };
onPage('the date alone chooses the daily puzzle; days in a row are counted', yesterday, async (page, context) => {
  await openDaily(page);
  await shows(page, { '#days': '4' });
  await reload(page);
  await shows(page, { '#view': /Today\u2019s puzzle · Easy · 2026-11-30/ });

  const other = await openWindow(context, page.url());
  await shows(other, { '#days': '4' });
  await solveDaily(page);
  await shows(page, { '#days': '5' });
  await shows(other, { '#days': '5' }); // or the next puzzle there would be counted without this one
  await page.clock.setFixedTime(noon(2026, 12, 13)); // a Sunday, which has a hard puzzle
  await click(page, '#tab-explore', '#tab-learn', '#to-puzzle');
  await shows(page, { '#view': /Today\u2019s puzzle\s*$/m, '#daily': 1 });
  await click(page, '#daily');
  const [{ position: hard }] = puzzles(1, 20261213, '--plies=9'); // of 7 or 9
  await shows(page, { board: hard.slice(0, -2) });
  await page.clock.setFixedTime(MONDAY); // for the next test
});

onPage('a puzzle of the day that is loaded again after midnight counts for its day', yesterday, async (page) => {
  await openDaily(page);
  await page.clock.setFixedTime(noon(2026, 12, 1));
  await reload(page);
  await shows(page, { '#days': 0, '#daily': 1 });
  await solveDaily(page);
  await shows(page, { '#days': '5' });
  const { daily: day, days } = await stored(page, 'neutreeko-record');
  assert.deepEqual([day, days], ['2026-11-30', 5]);
  await page.clock.setFixedTime(MONDAY); // for the next test
});

const player = {
  record: { games: { 'level:1': [1, 0, 0] }, daily: '2026-11-29', days: 4 }, date: MONDAY,
  settings: { lessons: { slide: 4, line: 3 } }, hash: '#view=lessons&at=1',
};
onPage('who has finished a game sees the puzzle of the day with its row, and the next lesson', player, async (page) => {
  await click(page, '#tab-play');
  await shows(page, { '#home button': ['Today\u2019s puzzle · 4 days in a row', 'Next lesson: Line'] });
  await click(page, '#home-lesson');
  await shows(page, { hash: /^#view=lessons&at=2/ });
  await click(page, '#tab-play', '#home-daily');
  await shows(page, { board: daily.slice(0, -2), '#view': /Today\u2019s puzzle · Easy · 2026-11-30/ });
});

const winner = { record: { games: { 'level:9': [1, 0, 0] } } };
onPage('who has won against Medium is offered a fair start, with the reason', winner, async (page) => {
  await shows(page, { '#home': /can be learnt by heart/ });
  await click(page, '#home-fair');
  await shows(page, { '#fair[open]': 1, 'dialog[open] #fair .line': 1 });
  const { x, y, width, height } = await boxOf(page, 'dialog');
  await page.mouse.click(x + 3, y + 3); // between its edge and what it has
  await shows(page, { 'dialog[open]': 1 });
  for (const at of [[x - 3, y + 3], [x + width + 3, y + 3], [x + 3, y - 3], [x + 3, y + height + 3]]) {
    await page.mouse.click(...at);
    await shows(page, { 'dialog[open]': 0 });
    await click(page, '#home-fair');
  }
  await openLink(page, '#start=5/b4/1w3/w1b2/b3w_b');
  await shows(page, { 'dialog[open]': 0, '#home': 1, '#home-fair': 0 }); // the reason is that of the usual start
});

onPage('the game that was left last is offered, all are listed, each with its opponent', {}, async (page) => {
  await click(page, '#new', '[name=opponent][value="level:5"]', '#start-game');
  await play(page, 'b1-c1');
  await click(page, '#new', '[name=opponent][value="level:1"]', '#start-game');
  await play(page, 'b1-c1');
  await shows(page, { '#headline': 'Your move', moves: /^b1-c1 \S+$/ });
  const moves = await read(page, 'moves');
  await click(page, '#new', '#start-game');
  await shows(page, { '#unfinished': 'Go on: Beginner', moves: '' });
  await reload(page);
  await click(page, '#tab-explore', '#to-review');
  await shows(page, { '#left-games b': ['Beginner', 'Easy'] });
  await click(page, '#tab-play', '#unfinished');
  await shows(page, { moves, '.matchup': /Beginner/, '#unfinished': 0 });
  await click(page, '#resign', '#resign', '#tab-explore', '#notes summary');
  await fill(page, '#comment', 'Why?');
  await click(page, '#tab-play', '#rematch');
  await shows(page, { '#unfinished': 'Go on: Easy' }); // the other one, which is left with its comment, is over
});
