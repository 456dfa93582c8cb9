// Tests of what the page has a screen reader speak, after each kind of action and in both languages, in Chromium. From
// the environment: as in pages.mjs.

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

/** Actions at an address, and what is spoken then, in English and in Japanese. */
const ACTIONS = {
  'a piece is picked up': ['#', (page) => clickSquares(page, 'b1'), 'b1, selected.', 'b1、選択中。'],
  'a piece is deselected': ['#', (page) => clickSquares(page, 'b1', 'b1'), 'Deselected.', '選択を解除しました。'],
  'a piece cannot move to a square': ['#', (page) => clickSquares(page, 'b1', 'e4'),
    'b1 can\u2019t move to e4.', 'b1の駒はe4へ動かせません。'],
  'no piece can move on a square': ['#', (page) => point(page, '[data-square=e3]'),
    'No piece to move on e3.', 'e3に動かせる駒はありません。'],
  'a move is made': ['#', (page) => play(page, 'b1-c1'), 'Black: b1 to c1. White to move.', '黒、b1からc1へ。白の番です。'],
  'a move is taken back': ['#', async (page) => {
    await play(page, 'b1-c1');
    await click(page, '#undo');
  }, 'Start position. Black to move.', '初期局面。黒の番です。'],
  'a move is made again': ['#moves=b1c1&at=0', (page) => press(page, 'ArrowRight'),
    'Black: b1 to c1. White to move.', '黒、b1からc1へ。白の番です。'],
  'the board is flipped': ['#', (page) => click(page, '#flip'), 'White at the bottom.', '手前は白です。'],
  'values are shown': ['#', (page) => press(page, 'x'), 'Black to move. Draw with best play.', '黒の番です。双方最善で引き分け。'],
  'a view is opened': ['#', (page) => click(page, '#tab-explore'),
    'Draw with best play. Black to move.', '双方最善で引き分け。黒の番です。'],
  'a text is opened': ['#', (page) => openText(page, '1w1w1/2b2/5/2w2/1b1b1 w'),
    'Draw with best play. White to move.', '双方最善で引き分け。白の番です。'],
  'a position that was set up is explored': ['#view=editor', async (page) => {
    await fill(page, '#notation', '1w1w1/2b2/5/2w2/1b1b1 w');
    await click(page, '#explore-it');
  }, 'Draw with best play. White to move.', '双方最善で引き分け。白の番です。'],
  'the own game is gone back to': ['#moves=b1c1', (page) => click(page, '#resume'), 'Black to move.', '黒の番です。'],
  'a move of a review is gone to': [REVIEW, (page) => click(page, '[data-ply="3"].ply'),
    'Black played c4 to a2, blunder. Turns a win into a loss: White wins in 2 moves. White to move.',
    '黒：c4からa2、大悪手。勝ちから一転、白の3手勝ちになります。白の番です。'],
  'the next mistake is gone to': [REVIEW, (page) => click(page, '#next-mistake'),
    'Black played c4 to a2, blunder. Turns a win into a loss: White wins in 2 moves. Black to move.',
    '黒：c4からa2、大悪手。勝ちから一転、白の3手勝ちになります。黒の番です。'],
  'a move of a line is shown': [EXPLORE, (page) => page.locator('.steps button').nth(1).dispatchEvent('click'),
    'White: c2 to e4.', '白、c2からe4へ。'],
  'a hint says what is going on': [TWO_MOVES, hint(1),
    'You can win in 2 moves. White threatens c2 to e4.', '3手で勝てます。白はc2からe4を狙っています。'],
  'a second hint names the piece': [TWO_MOVES, hint(2), 'Hint: the piece on c4.', 'ヒント：c4の駒です。'],
  'a third hint names the move and what it does': [TWO_MOVES, hint(3),
    'Hint: c4 to e2. Black wins in 2 moves. It threatens to win with e2 to e1. ' +
      'It stops White\u2019s c2 to e4, which would win in 2 moves.',
    'ヒント：c4からe2です。黒の3手勝ちです。次にe2からe1で勝つ狙いがあります。白のc2からe4からの3手勝ちを防いでいます。'],
  'a hint of a puzzle names the piece': [linkTo('puzzle', PUZZLE), hint(1),
    `Hint: the piece on ${piece}.`, `ヒント：${piece}の駒です。`],
  'a second hint of a puzzle names the move': [linkTo('puzzle', PUZZLE), hint(2),
    new RegExp(`^Hint: ${SOLUTION.replace('-', ' to ')}\\.`), new RegExp(`^ヒント：${SOLUTION.replace('-', 'から')}です。`)],
  'a wrong move is made in a lesson': ['#view=lessons&at=6', (page) => play(page, 'd5-a5'),
    'Not d5 to a5. Try again. Turns a win into a loss: White wins in 2 moves. Hint: the piece on e5.',
    'd5からa5は違います。もう一度。勝ちから一転、白の3手勝ちになります。ヒント：e5の駒です。'],
  'an exercise of a lesson is solved': ['#view=lessons&at=6', (page) => play(page, 'e5-e3'),
    'Correct! No other move wins. Only move: exercise 1 of 4.', '正解です！ほかの手では勝てません。唯一の手：4題中の1題目。'],
  'the move of an exercise is shown': ['#view=lessons&at=7', (page) => click(page, '#lesson-show'),
    'Leave White only losing moves. Zugzwang: exercise 1 of 4. Hint: c5 to b4.',
    '白がどう指しても負けになる手を指してください。ツークツワンク：4題中の1題目。ヒント：c5からb4です。'],
  'a piece slides in the first lesson': ['#view=lessons&at=1', (page) => play(page, 'a3-a5'),
    'Black: a3 to a5. Bring a piece to d1. Slide: exercise 1 of 4.', '黒、a3からa5へ。d1に駒を運んでください。滑らせる：4題中の1題目。'],
  'a square is edited': [linkTo('editor', START), (page) => clickSquares(page, 'b1'),
    'b1, empty. Black must have 3 pieces but has 2.', 'b1、空き。黒の駒は3個必要です（現在2個）。'],
};

for (const [language, locale, column] of [['English', 'en-US', 2], ['Japanese', 'ja-JP', 3]])
  for (const [name, action] of Object.entries(ACTIONS))
    onPage(`${name}: ${language}`, { locale, hash: action[0] }, async (page) => {
      await action[1](page);
      await shows(page, { '#spoken': action[column] });
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
