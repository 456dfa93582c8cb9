// Tests of the games that are kept and of the puzzles that they give, in Chromium. From the environment: as in
// pages.mjs.

import assert from 'node:assert/strict';

import { appears, click, onPage, openLink, play, read, reload, shows, START } from './pages.mjs';
import { query, review } from './programs.mjs';

const DATE = '2026-11-30';
const WON = ['b1-c1', 'b5-c5', 'c4-e2', 'c2-e4', 'e2-e1'];
const FIRST = ['b1-c1', 'd5-c5'];
const BLUNDER = 'd1-e2'; // after these, where several moves win
const short = (moves) => moves.map((move) => move.replace('-', '')).join('.');
const LOST = { start: START, moves: short([...FIRST, BLUNDER]), end: 'resigned-black', date: DATE };
const KEPT = { ...LOST, black: 'human', white: 'level:5', winner: 'white' };
const AGAINST = { black: 'human', white: 'level:1' };

/** The setup of a page on which these games are kept. */
const keeping = (games, hash = '#view=review') => ({ games, hash });

const date = new Date(2026, 10, 30, 12);

onPage('a game of two people is kept, with its result, date and length', { date }, async (page) => {
  await play(page, ...WON);
  await click(page, '#to-review');
  await shows(page, { '.games button': [`Two players, Black wins\n${DATE} \u00b7 3 moves`] });
});

/** Resigns a game against an opponent after a move. */
async function resign(page) {
  await play(page, 'b1-c1');
  await shows(page, { '#headline': 'Your move' });
  await click(page, '#resign', '#resign');
}

onPage('a game against an opponent is kept, with the opponent', { players: AGAINST, date }, async (page) => {
  await resign(page);
  await click(page, '#to-review');
  await shows(page, { '.games button': [`Beginner, Lost\n${DATE} \u00b7 1 move`] });
  await click(page, '.games button', '#tab-play');
  await shows(page, { '#subline': /^You resigned\./ });
});

const ended = `#moves=${short(WON)}&friend=17`;
onPage('a game that ends by a move of a friend is kept once', { hash: ended }, async (page) => {
  await shows(page, { '#headline': 'Friend wins' });
  await click(page, '#rematch');
  await shows(page, { '#headline': /to move$|^Your move$/ });
  await openLink(page, ended);
  await shows(page, { '#headline': 'Friend wins' });
  await click(page, '#to-review');
  await shows(page, { '.games b': ['Friend'], '.games button': 1 });
});

const played = [...FIRST, BLUNDER];
const [{ move: reply }] = query(review(played.join(' ')).end.position)[0].moves;
const answered = keeping([{ ...KEPT, moves: short([...played, reply]) }]);
onPage('a kept game opens at the first mistake of the user', answered, async (page) => {
  await click(page, '.games button');
  await shows(page, { '#headline': `You played ${BLUNDER}??`, moves: [...played, reply].join(' ') });
  await click(page, '#tab-play');
  await shows(page, { '#headline': 'Easy wins', '#subline': /^You resigned\./ });
});

const current = { players: AGAINST };
onPage('the game that is played is not lost to one that is reviewed', current, async (page) => {
  await play(page, 'b1-c1');
  await shows(page, { '#headline': 'Your move' });
  const moves = await read(page, 'moves');
  await page.evaluate((games) => localStorage.setItem('neutreeko-games', games), JSON.stringify([KEPT]));
  await reload(page);
  await click(page, '#tab-explore', '#to-review', '.games button', '#tab-play', '#resume');
  await shows(page, { '#headline': 'Your move', moves });
});

const illegal = { ...KEPT, moves: 'b1c1.zzz.b5c5', end: '' };
onPage('of a kept game with an illegal move, those before it open', keeping([illegal]), async (page) => {
  await click(page, '.games button');
  await shows(page, { moves: 'b1-c1' });
});

const asWhite = { ...KEPT, black: 'level:5', white: 'human' };
onPage('a game against an opponent that does not exist is left out, and one is won by the side of the user',
  keeping([{ ...KEPT, white: 'level:99' }, asWhite]), (page) =>
    shows(page, { '.games button': [`Easy, Won\n${DATE} \u00b7 2 moves`] }));

onPage('the games are deleted, which is asked once', keeping([KEPT]), async (page) => {
  await click(page, '#games-delete');
  await shows(page, { '#games-delete': 'Delete: are you sure?', '.games button': 1 });
  await click(page, '#games-delete');
  await shows(page, { '.games button': 0, '#spoken': 'Games deleted.' });
  assert.equal(await page.evaluate(() => localStorage.getItem('neutreeko-games')), null);
});

onPage('a game that ends in another window is kept, too', {}, async (page, context) => {
  const other = await context.newPage();
  await other.goto(`${page.url().split('#')[0]}#moves=${short(WON.slice(0, 4))}`);
  await appears(other, '#headline');
  await play(other, WON[4]);
  await shows(other, { '#headline': 'Black wins' });
  await click(page, '#tab-explore', '#to-review');
  await shows(page, { '.games button': 1 });
  await click(page, '#tab-play');
  await play(page, ...WON);
  await click(page, '#to-review');
  await shows(page, { '.games button': 2 });
});

// ---- my mistakes ----

const before = review(FIRST.join(' ')).end.position;
const kept = query(before)[0].moves.filter(({ result }) => result === 'win');

onPage('without games, there are no mistakes to learn from', {}, async (page) => {
  await click(page, '#tab-learn', '#to-puzzle');
  await shows(page, { '#to-lessons': 1, '#my-mistakes': 0 });
});

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
