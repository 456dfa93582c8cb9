// Tests of what the page has a screen reader speak, after each kind of action, in Chromium. From the environment: as in
// pages.mjs.

import {
  click, clickSquares, fill, linkTo, onPage, openText, play, point, press, read, settle, shows, START,
} from './pages.mjs';
import { puzzles, query } from './programs.mjs';

const REVIEW = '#view=review&moves=b1c1.b5c5.c4a2.c5a3.a2b1';
const EXPLORE = '#view=explore&moves=b1c1.b5c5';
const TWO_MOVES = '#moves=b1c1.b5c5';
const [{ position: PUZZLE }] = puzzles(1, 3, '--plies=5');
const [{ move: SOLUTION }] = query(PUZZLE)[0].moves;
const piece = SOLUTION.slice(0, 2);

/** Presses the button for a hint so many times. */
const hint = (times) => (page) => click(page, ...Array(times).fill('#hint'));

/** Actions at an address, and what is spoken then in Japanese: the tours have that in English. */
const ACTIONS = {
  'a piece is picked up': ['#', (page) => clickSquares(page, 'b1'), 'b1、選択中。'],
  'a piece is deselected': ['#', (page) => clickSquares(page, 'b1', 'b1'), '選択を解除しました。'],
  'a piece cannot move to a square': ['#', (page) => clickSquares(page, 'b1', 'e4'), 'b1の駒はe4へ動かせません。'],
  'no piece can move on a square': ['#', (page) => point(page, '[data-square=e3]'), 'e3に動かせる駒はありません。'],
  'a move is made': ['#', (page) => play(page, 'b1-c1'), '黒、b1からc1へ。白の番です。'],
  'a move is taken back': ['#', async (page) => {
    await play(page, 'b1-c1');
    await click(page, '#undo');
  }, '初期局面。黒の番です。'],
  'a move is made again': ['#moves=b1c1&at=0', (page) => press(page, 'ArrowRight'), '黒、b1からc1へ。白の番です。'],
  'the board is flipped': ['#', (page) => click(page, '#flip'), '手前は白です。'],
  'values are shown': ['#', (page) => press(page, 'x'), '黒の番です。双方最善で引き分け。'],
  'a view is opened': ['#', (page) => click(page, '#tab-explore'), '双方最善で引き分け。黒の番です。'],
  'a text is opened': ['#', (page) => openText(page, '1w1w1/2b2/5/2w2/1b1b1 w'), '双方最善で引き分け。白の番です。'],
  'a position that was set up is explored': ['#view=editor', async (page) => {
    await fill(page, '#notation', '1w1w1/2b2/5/2w2/1b1b1 w');
    await click(page, '#explore-it');
  }, '双方最善で引き分け。白の番です。'],
  'the own game is gone back to': ['#moves=b1c1', (page) => click(page, '#resume'), '黒の番です。'],
  'a move of a review is gone to': [REVIEW, (page) => click(page, '[data-ply="3"].ply'),
    '黒：c4からa2、大悪手。勝ちから一転、白の3手勝ちになります。白の番です。'],
  'the next mistake is gone to': [REVIEW, (page) => click(page, '#next-mistake'),
    '黒：c4からa2、大悪手。勝ちから一転、白の3手勝ちになります。黒の番です。'],
  'a move of a line is shown': [EXPLORE, (page) => page.locator('.steps button').nth(1).dispatchEvent('click'),
    '白、c2からe4へ。'],
  'a hint says what is going on': [TWO_MOVES, hint(1), '3手で勝てます。白はc2からe4を狙っています。'],
  'a second hint names the piece': [TWO_MOVES, hint(2), 'ヒント：c4の駒です。'],
  'a third hint names the move and what it does': [TWO_MOVES, hint(3),
    'ヒント：c4からe2です。黒の3手勝ちです。次にe2からe1で勝つ狙いがあります。白のc2からe4からの3手勝ちを防いでいます。'],
  'a hint of a puzzle names the piece': [linkTo('puzzle', PUZZLE), hint(1), `ヒント：${piece}の駒です。`],
  'a second hint of a puzzle names the move': [linkTo('puzzle', PUZZLE), hint(2),
    new RegExp(`^ヒント：${SOLUTION.replace('-', 'から')}です。`)],
  'a wrong move is made in a lesson': ['#view=lessons&at=6', (page) => play(page, 'd5-a5'),
    'd5からa5は違います。もう一度。勝ちから一転、白の3手勝ちになります。ヒント：e5の駒です。'],
  'an exercise of a lesson is solved': ['#view=lessons&at=6', (page) => play(page, 'e5-e3'),
    '正解です！ほかの手では勝てません。唯一の手：4題中の1題目。'],
  'the move of an exercise is shown': ['#view=lessons&at=7', (page) => click(page, '#lesson-show'),
    '白がどう指しても負けになる手を指してください。ツークツワンク：4題中の1題目。ヒント：c5からb4です。'],
  'a piece slides in the first lesson': ['#view=lessons&at=1', (page) => play(page, 'a3-a5'),
    '黒、a3からa5へ。d1に駒を運んでください。滑らせる：4題中の1題目。'],
  'a square is edited': [linkTo('editor', START), (page) => clickSquares(page, 'b1'),
    'b1、空き。黒の駒は3個必要です（現在2個）。'],
};

for (const [name, [hash, act, spoken]] of Object.entries(ACTIONS))
  onPage(`${name}: Japanese`, { locale: 'ja-JP', hash }, async (page) => {
    await act(page);
    await shows(page, { '#spoken': spoken });
  });

onPage('what a view announces when it opens does not follow what is announced later', {}, async (page) => {
  await page.evaluate(() => {
    for (const id of ['tab-explore', 'flip']) document.getElementById(id).click(); // in one task
  });
  await shows(page, { '#view[data-view=explore]': 1, '#spoken': 'White at the bottom.' });
  await settle(page); // for what is drawn in a task of its own
  await shows(page, { '#spoken': 'White at the bottom.' });
});

onPage('what is spoken twice changes the live region twice', {}, async (page) => {
  await clickSquares(page, 'e3');
  const first = await read(page, '#spoken');
  await clickSquares(page, 'e3');
  await page.waitForFunction((text) => document.querySelector('#spoken').textContent !== text, first);
});
