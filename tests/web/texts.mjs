// Tests of the texts of the page, without a browser: why a text cannot be opened, and what is said in both languages.
// From the environment: what state.mjs names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';

import { messageText } from '../../web/page/format.js';
import { isMeantAsPosition, positionFault } from '../../web/page/state/position.js';
import { setLanguage } from '../../web/page/texts.js';
import { engine, page } from './state.mjs';

/** Why a text is not a game, as the page says it. */
function reasonOf(text, language) {
  setLanguage(language);
  try {
    engine.readGame(text).free();
    return null;
  } catch (error) {
    return messageText(page.recordFault(engine, text, error));
  } finally {
    setLanguage('en');
  }
}

/** Texts that are not games, with the reason in English and, of each kind of reason, in Japanese. */
const RECORDS = {
  'hello': ['Character 1, move 1 (Black): \u201ch\u201d is not expected in a move such as b1-c1.',
    '1文字目：1手目（黒）：「h」は手として読めません（例：b1-c1）。'],
  '[1] b1-c1': ['Character 1, move 1 (Black): \u201c[\u201d is not expected in a move such as b1-c1.'],
  '1. b1-c1 a1-a2': ['Character 10, move 1 (White): there is no piece on a1.',
    '10文字目：2手目（白）：a1に駒がありません。'],
  '1. b1-c1 c1-a3': ['Character 10, move 1 (White): the piece on c1 is not White\u2019s.',
    '10文字目：2手目（白）：c1の駒は白の駒ではありません。'],
  '1. b1-c3': ['Character 4, move 1 (Black): b1 and c3 are not on one line.',
    '4文字目：1手目（黒）：b1とc3は一直線上にありません。'],
  '[Start "1w1w1/2b2/5/2w2/1b1b1 w"]\nb5-c5 a1-a2': ['Character 41, move 2 (Black): there is no piece on a1.'],
  '1. B1b2': ['Character 4, move 1 (Black): the piece slides to b4, it does not stop on b2.',
    '4文字目：1手目（黒）：駒はb2では止まらず、b4まで滑ります。'],
  '1.b1-b2': ['Character 3, move 1 (Black): the piece slides to b4, it does not stop on b2.'],
  '1. b1-c1 b5-c0': ['Character 14, move 1 (White): \u201c0\u201d is not expected in a move such as b1-c1.'],
  '1. b1-c1 b5-c5 c1-e1': ['Character 16, move 2 (Black): the piece on c1 is blocked in that direction.'],
  '{\u65e5\u672c\u{1f3b2}} b1-b2': ['Character 7, move 1 (Black): the piece slides to b4, it does not stop on b2.'],
  'resign b1-c1': ['Character 8, move 1 (Black): the game is over.', '8文字目：1手目（黒）：終局後の手です。'],
  '1. b1-c1 b5-c5 2. c4-e2 c2-e4 3. e2-e1 resign': ['Character 40, move 3 (White): the game is over.'],
  'b1': ['Character 3, move 1 (Black): this is not part of a game.'],
  '1. b1-c1 {unclosed': ['Character 10: this comment has no } at its end.', '10文字目：コメントを閉じる } がありません。'],
  '[Start "5/5"]': ['Character 12: the start position is not valid.', '12文字目：初期局面が正しくありません。'],
  '[FEN "5/5"]': ['Character 10: the start position is not valid.'],
  '[FEN "5/b4/1w3/w1b2/b3w b"]\n[Start "1w1w1/2b2/5/2w2/1b1b1 b"]':
    ['Character 37: two headers have different start positions.'],
  '1. b1-c1 (b5-c5)': ['Character 11: the move b5-c5 is not legal here.'],
  '[Board "4x4/3"]': ['Character 9: the game is on another board (4x4/3).', '9文字目：別の盤（4x4/3）の棋譜です。'],
  '[Foo': ['Character 5: this is not a header such as [White "perfect"].',
    '5文字目：見出しが正しくありません（例：[White "perfect"]）。'],
  'b1-c1\n[White "y"]\nb1-c1': ['Character 7: another game begins; this page opens one game.'],
  '[White "x"]\nb1-c1\n[White "y"]\nb1-c1 b5-c0':
    ['Game 2. Character 23, move 1 (White): \u201c0\u201d is not expected in a move such as b1-c1.',
      '2局目の23文字目：2手目（白）：「0」は手として読めません（例：b1-c1）。'],
  [Array(65).fill('[White "x"]\nb1-c1').join('\n')]: ['There are more than 64 games in it.', '棋譜が64局を超えています。'],
  '{a comment}': ['There is no game in it.'],
};
for (const [text, [english, japanese]] of Object.entries(RECORDS))
  test(`the reason is given why this is not a game: ${text.slice(0, 80)}`, () => {
    assert.equal(reasonOf(text, 'en'), english);
    if (japanese) assert.equal(reasonOf(text, 'ja'), japanese);
  });

const POSITIONS = {
  'bbb2/5/5/5/2www b': ['error_won', 'black'],
  'WWW2/5/5/5/BB1B1 W': ['error_won', 'white'],
  'bb3/5/5/5/2www b': ['error_black-count', 3, 2],
  'bb2b/5/5/5/2ww1_b': ['error_white-count', 3, 2],
  'W:....W..........B....WBWW.': ['error_black-count', 3, 2],
  '1w1w1/2b2/5/2w2/1b1b1': ['error_side'],
  '1w1w1/2b2/5/2x2/1b1b1 b': ['error_syntax', 14],
};
for (const [text, fault] of Object.entries(POSITIONS))
  test(`the reason is found why this is not a legal position: ${text}`, () => {
    const { error } = engine.checkPosition(text);
    assert.equal(isMeantAsPosition(text, error), true);
    assert.deepEqual(positionFault(text, error, 3), fault);
  });

test('a game is not meant as a position', () => {
  for (const text of ['1. b1-c1', 'b1/c1', 'b1/c1 c2/c3'])
    assert.equal(isMeantAsPosition(text, engine.checkPosition(text).error), false, text);
});

// ---- both languages ----

test('both languages insert the same values, but for some in the same order', () => {
  const values = ['11', '22', '33', '44', '55'];
  const given = values.map((value) => Object.assign(new String(value), page.engine.board));
  const orderOf = (text) => {
    const found = JSON.stringify(text(...given)).match(new RegExp(values.join('|'), 'g')) ?? [];
    return found.map((value) => 1 + values.indexOf(value)).join(' ');
  };
  const { en, ja } = page.languages;
  const orders = Object.keys(en).filter((key) => typeof en[key] === 'function').map((key) =>
    [key, orderOf(en[key]), orderOf(ja[key])]);
  assert.deepEqual(orders.filter(([, one, other]) => one && one !== other), [
    ['holdKnown', '1 2', '2 1'], ['studySolved', '1 2 3 2', '3 1 2 2'], ['positionOf', '1 2', '2 1'],
    ['whyReplies', '2 1 3', '1 3 2'], ['against', '1 2 3 4', '1 2 4 3'], ['reviewChanged', '1 2', '2 1'],
    ['lessons', '1 2', '2 1'], ['coursePlace', '1 2 3', '1 3 2'], ['unreadMove', '1 2 3 4', '1 5 3 4'],
    ['unread_stops', '1 2', '2 1'], ['labSolving', '1 2 3', '1 3 2'], ['labFirstOf', '1 2', '2 1'],
  ]);
});

test('both languages have the same digits of their own, but where one of them spells a number or counts plies', () => {
  const value = Object.assign(new String('x'), page.engine.board);
  const digitsOf = (text) => JSON.stringify(typeof text === 'function' ? text(value, value, value, value) : text)
    .replace(/[\uff10-\uff19]/g, (digit) => digit.normalize('NFKC')).match(/\d+/g)?.sort().join(' ');
  const { en, ja } = page.languages;
  assert.deepEqual(Object.keys(en).filter((key) => digitsOf(en[key]) !== digitsOf(ja[key])), [
    'repeated', 'introductionWin', 'introductionWinMissed', 'endDetail_won', 'courseAbout_line', 'refused_equidistant',
    'rules', 'numbers',
  ]);
});

test('the language is the first that the browser prefers and the page has', () =>
  assert.equal(page.preferredLanguage(['fr-CA', 'ja-JP', 'en']), 'ja'));

test('Japanese names the directions in which a row wins, in the rules and when it has', () => {
  const { en, ja } = page.languages;
  const board = { width: 5, height: 5, pieces: 3, row_length: 3 };
  const textsOf = (one) => ['line', 'orthogonal', 'diagonal', 'equidistant', 'centre'].map((win) =>
    [one[`win_${win}`], one.endDetail_won({ ...board, win }), one.rules({ ...board, win })[1]]);
  const NAMES = [
    [/rank or file/i, /縦(横|または横)/],
    [/diagonal/i, /斜め/],
    [/even|half/i, /間/],
    [/centre/i, /中央/],
  ];
  const [english, japanese] = [en, ja].map((one) => textsOf(one).flat());
  for (const [n, text] of english.entries())
    for (const [one, other] of NAMES) if (one.test(text)) assert.match(japanese[n], other, text);
});

for (const win of ['line', 'orthogonal', 'diagonal'])
  test(`the rules name the number of pieces and the row length, as the end of a game does: ${win}`, () => {
    const board = { width: 6, height: 5, pieces: 4, row_length: 2, win };
    const found = ['en', 'ja'].map((name) => {
      const { rules, endDetail_won: won } = page.languages[name];
      return [...rules(board), won(board)].join(' ').match(/two|four|\d/gi);
    });
    assert.deepEqual(found, [['four', 'two', 'four', 'Two'], ['4', '8', '2', '3', '2']]);
  });

test('a level sees two plies less than its number, which English counts in moves', () => {
  const found = ['en', 'ja'].map((name) => page.languages[name].levelPlayer(7).about.match(/\d/)[0]);
  assert.deepEqual(found, ['3', '5']);
});

test('a line in a sentence is cut behind its sixth move', () => {
  const isCut = (length) => page.bestLineText(Array(length).fill('b1-c1')).endsWith('\u2026');
  assert.deepEqual([6, 7].map(isCut), [false, true]);
});

test('a hint names a threat that the win does not wait for only if that wins at once', () => {
  const sentences = (plies, threat) => page.whySentences({
    value: { result: 'win', plies }, before: { result: 'win', plies }, gives: null, best: 'b1-c1', only: false,
    repeats: 0, threat: { move: 'c1-a3', plies: threat }, prevented: null, line: [], only_reply: null,
  }, 'black', { isHint: true });
  assert.deepEqual(sentences(5, 3), ['Black wins in 3 moves.']);
  assert.match(sentences(3, 1)[1], /^It threatens to win with c1/);
});

test('the name of a board has its row length only if that is not the usual one', () => {
  const nameOf = (row, win) => page.boardTitle({ width: 6, height: 5, pieces: 4, row_length: row, win });
  assert.deepEqual([nameOf(3, 'line'), nameOf(4, 'diagonal')],
    ['6\u00d75, 4 pieces', '6\u00d75, 4 pieces, 4 in a row, diagonal']);
});

test('a size in megabytes has a digit after the point if it is small, one in gigabytes in any case', () =>
  assert.deepEqual([4.32e6, 12.3e6, 12.3e9].map(page.sizeText), ['4.3 MB', '12 MB', '12.3 GB']));

test('English counts one thing in the singular, three in the plural', () => {
  const { en } = page.languages;
  const nounsOf = (n) => [
    en.inPlies(n), en.inMoves(2 * n), en.youWon(2 * n), en.levelPlayer(2 * n + 2).about, en.alphabetaPlayer(n).name,
    en.studyAdded(n), en.studyUnread(n), en.studyTry(2, n, false), en.reviewCount('x', n, n), en.reviewChanged(0, n),
    en.labCurve(2, n, 2), en.boardPieces(n), en.dailyRow(n),
  ].join().match(/(?<=[13] )(?!of)[a-z]+/g);
  const one = ['ply', 'move', 'move', 'move', 'ply', 'position', 'position', 'try', 'mistake', 'blunder', 'move', 'ply',
    'piece', 'day'];
  assert.deepEqual(nounsOf(1), one);
  assert.deepEqual(nounsOf(3), one.map((noun) => `${noun.replace(/(?<=[lr])y$/, 'ie')}s`));
});

test('the three lowest levels have descriptions of their own', () => {
  for (const [name, usual] of Object.entries({ en: /Always sees/, ja: /\d手以内/ }))
    assert.deepEqual([3, 4].map((n) => usual.test(page.languages[name].levelPlayer(n).about)), [false, true], name);
});

test('Japanese texts name the results, sides and directions that the English ones name', () => {
  const { en, ja } = page.languages;
  const value = Object.assign(new String('x'), page.engine.board); // for whatever is inserted
  const shown = (text) => inspect(typeof text === 'function' ? text(value, value, value, value) : text);
  const RESULTS = { win: /w[io]n.*勝/i, draw: /dr[ae]w.*引き分け/i, loss: /los.*負/i };
  const OTHERS = [
    [/black/i, /黒/],
    [/white/i, /白|White/],
    [/previous/i, /前/],
    [/\bnext\b(?! square)/i, /次/],
    [/resign/i, /投了/],
    [/of time\b/i, /時間/],
    [/mistake/i, /悪手|間違/],
    [/blunder/i, /大悪手/],
    [/repetition/i, /千日手/],
    [/\bdelete/i, /削除|Delete/],
    [/cop(y|ied)/i, /コピー/],
    [/stud(y|ies)\b/i, /教材/],
    [/comment/i, /コメント/],
    [/lesson/i, /レッスン|課/],
    [/link/i, /リンク/],
    [/hint/i, /ヒント/],
    [/threat/i, /狙/],
    [/level/i, /レベル/],
    [/memory/i, /メモリー/],
    [/picture/i, /画像|図/],
    [/record/i, /棋譜/],
    [/circle/i, /丸/],
    [/arrow/i, /矢印/],
    [/\bundo\b/i, /戻|取り消|手順/],
    [/\bredo\b/i, /進|手順/],
    [/beginner/i, /入門/],
    [/'easy/i, /初級/],
    [/\bmedium/i, /中級/],
    [/\bhard/i, /上級/],
    [/expert/i, /達人/],
    [/width/i, /幅/],
    [/height/i, /高さ/],
    [/light/i, /ライト/],
    [/\bdark/i, /ダーク/],
    [/\bwon\b(?!\u2019)/i, /勝/],
    [/\blost\b/i, /負|敗/],
    [/\bdrawn\b|draws/i, /引き分け|分/],
    [/puzzles?\b(?! was)/i, /問/],
    [/\bnew\b/i, /新/],
    [/\bsave/i, /保存|守|持ち込/],
    [/print/i, /印刷/],
    [/flip/i, /反転|手前/],
    [/\bshare/i, /共有/],
    [/\bfair/i, /公平/],
    [/exercise/i, /練習|題/],
    [/random/i, /ランダム|無作為/],
    [/theme/i, /配色|テーマ/],
    [/colour/i, /色/],
    [/title/i, /題名/],
    [/pause/i, /一時停止/],
    [/continue/i, /続/],
    [/streak/i, /連続/],
    [/solved/i, /解|正/],
  ];
  const parts = Object.keys(en).flatMap((key) =>
    [en[key]].flat().map((text, n) => [key, shown(text), shown([ja[key]].flat()[n])]));
  for (const [key, english, japanese] of parts) {
    const [, result] = /^(?!.*_to_).*_(win|draw|loss)$/.exec(key) ?? [];
    if (result) assert.match(english + japanese, RESULTS[result], key);
    for (const [one, other] of OTHERS) if (one.test(english)) assert.match(japanese, other, key);
    if (/引き分け/.test(japanese)) assert.match(english, /draw|h[eo]ld/i, key);
    const [, same] = parts.find(([, , other]) => other === japanese);
    if (/。'$/.test(japanese)) assert.equal(same, english, key);
  }
});
