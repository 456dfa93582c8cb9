// Tests of why a text cannot be opened (web/page/state/errors.ts), without a browser.
// From the environment: NEUTREEKO_WASM, NEUTREEKO_TABLE (files).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { loadEngine } from '../../web/engine/engine.js';
import { isMeantAsPosition, positionFault, recordFault } from '../../web/page/state/errors.js';

const { NEUTREEKO_WASM, NEUTREEKO_TABLE } = process.env;
const engine = await loadEngine(readFileSync(NEUTREEKO_WASM), readFileSync(NEUTREEKO_TABLE));

/** Why a text is not a game: the error of the engine, explained. */
function faultOf(text) {
  try {
    engine.readGame(text).free();
  } catch (error) {
    return recordFault(engine, text, error);
  }
  return null;
}

const RECORDS = {
  'hello': [1, 1, 'unread_noMove', 'h'],
  '[1] b1-c1': [1, 1, 'unread_noMove', '['],
  '1. b1-c1 a1-a2': [10, 2, 'unread_noPiece', 'a1'],
  '1. b1-c1 c1-a3': [10, 2, 'unread_otherPiece', 'c1', 'white'],
  '1. b1-c3': [4, 1, 'unread_noLine', 'b1', 'c3'],
  '[Start "1w1w1/2b2/5/2w2/1b1b1 w"]\nb5-c5 a1-a2': [41, 2, 'unread_noPiece', 'a1'], // in the second move
  '1. B1b2': [4, 1, 'unread_stops', 'b4', 'b2'],
  '1.b1-b2': [3, 1, 'unread_stops', 'b4', 'b2'],
  '1. b1-c1 b5-c0': [14, 2, 'unread_noMove', '0'],
  '1. b1-c1 b5-c5 c1-e1': [16, 3, 'unread_blocked', 'c1'],
  '{\u65e5\u672c\u8a9e} b1-b2': [7, 1, 'unread_stops', 'b4', 'b2'],
  'resign b1-c1': [8, 1, 'unread_over'],
  'b1': [3, 1, 'unread_other'],
  '1. b1-c1 {unclosed': [10, null, 'unread_comment'],
  '[Start "5/5"]': [12, null, 'unread_start'],
  '[FEN "5/5"]': [10, null, 'unread_start'],
  '[FEN "5/b4/1w3/w1b2/b3w b"]\n[Start "1w1w1/2b2/5/2w2/1b1b1 b"]': [37, null, 'unread_starts'],
  '1. b1-c1 (b5-c5)': [11, null, 'unread_illegal', 'b5-c5'],
  '[Board "4x4/3"]': [9, null, 'unread_board', '4x4/3'],
  '[Foo': [5, null, 'unread_header'],
  'b1-c1\n[White "y"]\nb1-c1': [7, null, 'unread_second'],
};
for (const [text, [at, ply, ...why]] of Object.entries(RECORDS))
  test(`the reason is found why this is not a game: ${text}`, () => {
    const found = faultOf(text);
    const [name, place, move] = found;
    const isOfMove = name === 'unreadMove';
    const numbers = isOfMove ? [found[5], move] : [null, null];
    const half = ply + Number(text.includes(' w"'));
    assert.deepEqual([place, ...numbers, ...found[isOfMove ? 4 : 2]], [at, ply, ply && Math.ceil(half / 2), ...why]);
  });

test('there is no game in a text with only comments', () => {
  assert.deepEqual(faultOf('{a comment}'), ['unread_none']);
});

const POSITIONS = {
  'bbb2/5/5/5/2www b': ['error_won', 'black'],
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
