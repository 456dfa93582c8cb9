// Tests of the moves of a game as a tree (web/page/tree.js), and of addresses (web/page/share.js), without a browser.

// From the environment: NEUTREEKO_WASM, NEUTREEKO_TABLE (files).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { loadEngine } from '../../web/engine/engine.js';
import { useRules } from '../../web/page/boards.js';
import { readAddress, writeAddress } from '../../web/page/share.js';
import { MOST_MOVES, Tree } from '../../web/page/tree.js';

const { NEUTREEKO_WASM, NEUTREEKO_TABLE } = process.env;
useRules(await loadEngine(readFileSync(NEUTREEKO_WASM), readFileSync(NEUTREEKO_TABLE)));

const START = '1w1w1/2b2/5/2w2/1b1b1 b';
const movesOf = (nodes) => nodes.map(({ move }) => move);
const isLegalBut = (illegal) => (move) => move !== illegal;

test('what follows the start after its chosen move was removed is the next alternative', () => {
  const tree = Tree.read(START, 'b1c1.b5c5(c2c3)', 0);
  assert.equal(tree.prune(isLegalBut('b5-c5')), false);
  assert.deepEqual(movesOf(tree.line()), ['b1-c1', 'c2-c3']);
});

test('nothing follows a move whose only continuation was removed', () => {
  const tree = Tree.read(START, 'b1c1.b5c5', 1);
  tree.prune(isLegalBut('b5-c5'));
  assert.deepEqual(movesOf(tree.line()), ['b1-c1']);
});

test('a tree of legal moves stays as it is', () => {
  const tree = Tree.read(START, 'b1c1.b5c5(c2c3.d1e1).c4e2', null);
  assert.equal(tree.prune(() => true), true);
  assert.equal(tree.write().text, 'b1c1.b5c5(c2c3.d1e1).c4e2');
});

test('a move that is removed takes with it what follows, and no other', () => {
  const tree = Tree.read(START, 'b1c1(d1c1.b5c5.c1a3)(d1d4).b5c5(c2c3)', null);
  assert.equal(tree.prune(isLegalBut('d1-c1')), false);
  assert.equal(tree.write().text, 'b1c1(d1d4).b5c5(c2c3)');
});

test('each move is checked once, after those that lead to it', () => {
  const tree = Tree.read(START, 'b1c1(d1c1.b5c5).b5c5(c2c3).c4e2', null);
  const played = [];
  const checked = [];
  tree.prune((move, ply) => {
    played.splice(ply, played.length, move);
    checked.push(played.join(' '));
    return true;
  });
  assert.deepEqual(checked, [
    'b1-c1', 'b1-c1 b5-c5', 'b1-c1 b5-c5 c4-e2', 'b1-c1 c2-c3', 'd1-c1', 'd1-c1 b5-c5',
  ]);
});

const LONGEST = {
  'in a line': Array(MOST_MOVES).fill('b1c1').join('.'),
  'in nested variations': `b1c1${'(d1c1.b5c5'.repeat(MOST_MOVES / 2 - 1)}${')'.repeat(MOST_MOVES / 2 - 1)}`,
  'instead of the same one': `b1c1${'(d1c1)'.repeat(MOST_MOVES - 1)}`,
};
for (const [name, text] of Object.entries(LONGEST))
  test(`the most moves, ${name}, are read, each checked once, and written`, () => {
    const tree = Tree.read(START, text, null);
    let checks = 0;
    tree.prune(() => ++checks);
    assert.ok(checks <= MOST_MOVES, `${checks} checks`);
    assert.equal(tree.write().text, text);
  });

test('one move more than the most is rejected', () => {
  const text = Array(MOST_MOVES + 1).fill('b1c1').join('.');
  assert.throws(() => Tree.read(START, text, null), RangeError);
});

test('an address keeps the start of a game as what is shown', () => {
  const address = writeAddress({ board: '5x5/3', view: 'review', start: START, moves: 'b1c1.b5c5', at: 0 });
  assert.equal(readAddress(address).at, 0);
});

test('an address that names no move has none', () => {
  const address = writeAddress({ board: '5x5/3', view: 'review', start: START, moves: 'b1c1.b5c5' });
  assert.equal(readAddress(address).at, null);
});
