// Tests of the moves of a game as a tree (web/page/state/tree.ts), and of addresses (web/page/state/address.ts),
// without a browser. From the environment: what state.mjs names.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { gameAddress, linkIn, readAddress, writeAddress } from '../../web/page/state/address.js';
import { isOnBoard } from '../../web/page/state/position.js';
import { recordOf, treeOf, treeOfRecord } from '../../web/page/state/record.js';
import { asComment, MOST_COMMENT, MOST_MARKS, MOST_MOVES, Tree } from '../../web/page/state/tree.js';
import { randomOf } from './browser.mjs';
import { engine } from './state.mjs';

const START = '1w1w1/2b2/5/2w2/1b1b1 b';
const movesOf = (nodes) => nodes.map(({ move }) => move);
/** The tree of a text that can be read completely. */
function readAll(...args) {
  const { tree, fault } = Tree.read(...args);
  if (fault) throw new RangeError(fault);
  return tree;
}
const TWO = { black: 'human', white: 'human' };
/** As much of the page's state as where games begin and the address of a game depend on. */
const RULES = { engine, settings: { starts: {} } };
const stateOf = (boardName, tree) => ({ ...RULES, boardName, game: { tree, players: TWO } });
const isLegalBut = (illegal) => (move) => move !== illegal;

test('what follows the start after its chosen move was removed is the next alternative', () => {
  const tree = readAll(START, 'b1c1.b5c5(c2c3)', 0).prune(isLegalBut('b5-c5'));
  assert.deepEqual(movesOf(tree.line()), ['b1-c1', 'c2-c3']);
});

test('nothing follows a move whose only continuation was removed', () => {
  const tree = readAll(START, 'b1c1.b5c5', 1).prune(isLegalBut('b5-c5'));
  assert.deepEqual(movesOf(tree.line()), ['b1-c1']);
});

test('a tree of legal moves stays as it is', () => {
  const tree = readAll(START, 'b1c1.b5c5(c2c3.d1e1).c4e2', null);
  assert.equal(tree.prune(() => true), tree);
  assert.equal(tree.write().moves, 'b1c1.b5c5vc2c3.d1e1z.c4e2');
});

test('a tree is written once', () => {
  const tree = readAll(START, 'b1c1', null);
  assert.equal(tree.write(), tree.write());
});

test('a move that is removed takes with it what follows, and no other', () => {
  const tree = readAll(START, 'b1c1(d1c1.b5c5.c1a3)(d1d4).b5c5(c2c3)', null);
  assert.equal(tree.prune(isLegalBut('d1-c1')).write().moves, 'b1c1vd1d4z.b5c5vc2c3z');
  assert.equal(tree.write().moves, 'b1c1vd1c1.b5c5.c1a3zvd1d4z.b5c5vc2c3z');
});

test('each move is checked once, after those that lead to it', () => {
  const tree = readAll(START, 'b1c1(d1c1.b5c5).b5c5(c2c3).c4e2', null);
  const played = [];
  const checked = [];
  tree.prune((move, ply) => {
    played.splice(ply, played.length, move);
    checked.push(played.join(' '));
    return true;
  });
  assert.deepEqual(checked, ['b1-c1', 'b1-c1 b5-c5', 'b1-c1 b5-c5 c4-e2', 'b1-c1 c2-c3', 'd1-c1', 'd1-c1 b5-c5']);
});

const LONGEST = {
  'in a line': Array(MOST_MOVES).fill('b1c1').join('.'),
  'in nested variations': `b1c1${'vd1c1.b5c5'.repeat(MOST_MOVES / 2 - 1)}${'z'.repeat(MOST_MOVES / 2 - 1)}`,
  'instead of the same one': `b1c1${'vd1c1z'.repeat(MOST_MOVES - 1)}`,
};
for (const [name, text] of Object.entries(LONGEST))
  test(`the most moves, ${name}, are read, each checked once, and written`, () => {
    const tree = readAll(START, text, null);
    let checks = 0;
    tree.prune(() => ++checks);
    assert.ok(checks <= MOST_MOVES, `${checks} checks`);
    assert.equal(tree.write().moves, text);
  });

test('notes are read and written with the moves that they belong to', () => {
  const notes = '0  First\n3 c3.d1e1 A variation; a 100 % good one\n5  Another\n6 e2 ';
  const { tree, valid } = readAll(START, 'b1c1.b5c5(c2c3.d1e1)(d5e4).c4e2', null).withNotes(notes, () => true);
  assert.equal(valid, true);
  const [, , reply] = tree.inTextOrder();
  const { marks, comment } = tree.childrenOf(tree.parentOf(reply))[1];
  assert.deepEqual([marks, comment], [['c3', 'd1-e1'], 'A variation; a 100 % good one']);
  assert.equal(tree.write().notes, notes);
});

const RECORD = `{x [%csl Gc3,Rz9][%cal Gb1c1]}
1. b1-c1!? {good}
  (1. d1-c1 b5-c5
    (1... d5-c5 {?? no}))
1... c2-c3
2. c1-a1 resign
  (2... c3-a3)
`;

// What follows the headers of a record.
const textOf = (record) => record.slice(record.indexOf('\n\n') + 2);

test('a record becomes a tree with variations, notes and the resignation, and a record again', () => {
  const tree = treeOfRecord(engine.readRecord(RECORD), engine.board);
  assert.equal(tree.write().moves, 'b1c1vd1c1.b5c5vd5c5zz.c2c3.c1a1.c3a3');
  assert.equal(tree.write().notes, '0 c3.b1c1 x\n1  !? good\n4  ?? no');
  assert.deepEqual([tree.end().move, tree.end().stated, tree.current.move],
    ['c1-a1', { reason: 'resigned', winner: 'black' }, 'c1-a1']);
  const begunByWhite = engine.readRecord('[Start "1w1w1/2b2/5/2w2/1b1b1 w"]\n1. b5-c5 resign');
  const ofWhite = treeOfRecord(begunByWhite, engine.board);
  assert.equal(ofWhite.end().stated.winner, 'white');
  assert.match(textOf(engine.writeRecord(recordOf(ofWhite, true))), /b5-c5\n2\. resign\n/);
  const expected = RECORD.replace('x [%csl Gc3,Rz9][%cal Gb1c1]', '[%csl Gc3][%cal Gb1c1] x')
    .replace('d5-c5 {?? no}', 'd5-c5?? {no}');
  assert.equal(textOf(engine.writeRecord(recordOf(tree, true))), `${expected}{White resigns: Black wins.}\n0-1\n`);
});

test('a record has only circles, or only arrows, where there are no others', () => {
  const commentOf = (notes) => recordOf(readAll(START, 'b1c1', 1).withNotes(notes, () => true).tree, true)
    .tree[1].comment;
  assert.deepEqual([commentOf('1 c3 x'), commentOf('1 d1e1 y')], ['[%csl Gc3] x', '[%cal Gd1e1] y']);
});

test('a record is that of the game up to the current move, or of everything', () => {
  const tree = readAll(START, 'b1c1(d1c1.b5c5).b5c5.c4e2', 1);
  assert.equal(textOf(engine.writeRecord(recordOf(tree, false))), '1. b1-c1\n  (1. d1-c1 b5-c5)\n*\n');
  assert.equal(textOf(engine.writeRecord(recordOf(tree, true))),
    '1. b1-c1\n  (1. d1-c1 b5-c5)\n1... b5-c5\n2. c4-e2\n*\n');
});

const CUT_COMMENT = `1  ${'x'.repeat(MOST_COMMENT)}`;
/** Invalid notes, and what remains of them. */
const INVALID = {
  'a move that does not exist': '9  Here',
  'a square that is not on the board': '1 z9 Here',
  'an arrow over three squares': '1 a1b1c1 Here',
  'a piece of a square': '1 a1b Here',
  'two notes for one move': ['1  Here\n1  There', '1  Here'],
  'neither a mark nor a comment': '1  ',
  'more marks than the most': `1 ${Array(MOST_MARKS + 1).fill('a1').join('.')} `,
  'a comment that is too long': [`${CUT_COMMENT}x`, CUT_COMMENT],
  'half a character': '1  \ud800',
  'something else': 'nonsense',
};
for (const [name, given] of Object.entries(INVALID))
  test(`of notes with ${name}, the others are kept`, () => {
    const [notes, left = ''] = [given].flat();
    const isSquare = (square) => /^[a-e][1-5]$/.test(square);
    const read = readAll(START, 'b1c1.b5c5', null);
    const { tree, valid } = read.withNotes(`0  Good\n${notes}\n2 c3 Fine`, isSquare);
    assert.equal(valid, false);
    assert.equal(tree.write().notes, ['0  Good', left, '2 c3 Fine'].filter(Boolean).join('\n'));
  });

const UNUSUAL = {
  '  a  b ': '  a  b',
  'a\ud800b': 'ab',
  'a\t\u00a0\u3000b': 'a     \u3000b',
  '! b': '! b',
  '!  b': '!  b',
  ' \n a \r\n  b\n\n\n\t c\u2028d \n': ' a\n  b\n\n\n     c\nd',
  '\ude00\ud83d\ude00\ud83d': '\u{1f600}',
  [`${'x'.repeat(MOST_COMMENT - 1)}\u{1f600}`]: 'x'.repeat(MOST_COMMENT - 1),
  [`${'x'.repeat(MOST_COMMENT - 2)} \u{1f600}`]: 'x'.repeat(MOST_COMMENT - 2),
};
for (const [text, comment] of Object.entries(UNUSUAL))
  test(`a comment is the same when it is read again: ${JSON.stringify(text.slice(-12))}`, () => {
    assert.equal(asComment(text), comment);
    assert.equal(asComment(comment), comment);
    for (const at of [0, 1]) {
      const noted = readAll(START, 'b1c1', at);
      const { notes } = noted.withNote(noted.current, { marks: [], comment }).write();
      const { tree, valid } = noted.withNotes(notes, () => true);
      assert.equal(valid, true);
      assert.equal(tree.current.comment, comment);
      const { tree: nodes } = engine.readRecord(engine.writeRecord(recordOf(tree, true)));
      const { root, current } = treeOfRecord({ start: START, tree: nodes }, engine.board);
      assert.equal((at ? current : root).comment, comment);
    }
  });

test('notes are read with the white space that older versions kept', () => {
  const { tree, valid } = readAll(START, 'b1c1', null).withNotes('0  Good\n1  a \u00a0b ', () => true);
  assert.equal(valid, true);
  assert.equal(tree.write().notes, '0  Good\n1  a  b');
});

test('an address keeps notes, whatever characters they have', () => {
  const notes = '0  100 % & more; \u300c\u7d42\u300d \u{1f600} + "x" \'y\' #\n1 c3 ';
  const address = writeAddress({ board: '5x5/3', view: 'explore', start: START, moves: 'b1c1', notes });
  assert.equal(readAddress(address).notes, notes);
  assert.equal(new URL(`#${address}`, 'http://x').hash, `#${address}`);
});

test('a move that is played first comes before the only other one', () => {
  const tree = readAll(START, 'b1c1', 0);
  assert.equal(tree.play('d1-c1', { first: true }).write().moves, 'd1c1vb1c1z');
  assert.equal(tree.write().moves, 'b1c1');
});

test('a variation becomes the first line', () => {
  const tree = readAll(START, 'b1c1.b5c5(c2c3.d1e1).c4e2', 4).makeFirst();
  assert.equal(tree.write().moves, 'b1c1.c2c3vb5c5.c4e2z.d1e1');
});

test('a move is removed with what follows it, and the move before is shown', () => {
  const tree = readAll(START, 'b1c1.b5c5(c2c3.d1e1).c4e2', 3).remove();
  const { moves, at } = tree.write();
  assert.deepEqual([moves, at, movesOf(tree.line())], ['b1c1.b5c5.c4e2', 1, ['b1-c1', 'b5-c5', 'c4-e2']]);
});

test('a game whose last moves are removed ends before them', () => {
  assert.equal(readAll(START, 'b1c1.b5c5.c4e2', 2, 3).remove().write().last, 1);
});

test('a tree includes one with fewer moves, and none with another move or note', () => {
  const { tree } = readAll(START, 'b1c1(d1c1).b5c5', null).withNotes('1  Here', () => true);
  const includes = (text, notes = '') =>
    tree.includes(readAll(START, text, null).withNotes(notes, () => true).tree);
  const found = [includes('d1c1'), includes('b1c1', '1  Here'), includes('b1c1.c2c3'), includes('b1c1', '1  There')];
  assert.deepEqual(found, [true, true, false, false]);
  assert.ok(tree.withNames('Ada\n').includes(tree));
});

test('one move more than the most is rejected', () => {
  const text = Array(MOST_MOVES + 1).fill('b1c1').join('.');
  assert.throws(() => readAll(START, text, null), RangeError);
});

const CUT = {
  'an unexpected bracket': ['b1c1.b5c5).c4e2', ['b1-c1', 'b5-c5']],
  'a variation that does not end': ['b1c1(d1c1.b5c5', ['b1-c1']],
  'a move that does not exist': ['b1c1.b5c5', ['b1-c1', 'b5-c5'], 9],
};
for (const [name, [text, moves, at = null]] of Object.entries(CUT))
  test(`what comes before ${name} is kept`, () => {
    const { tree, fault } = Tree.read(START, text, at);
    assert.notEqual(fault, '');
    assert.deepEqual(movesOf(tree.path()), moves);
  });

test('an address has no characters that end a link, and none after which it is cut', () => {
  const read = readAll(START, 'b1c1(d1c1).b5c5', 2);
  const tree = read.withNote(read.current, { marks: ['c3'], comment: "What's (really) *here*!." });
  const address = gameAddress(stateOf('5x5/3', tree), 'explore');
  assert.doesNotMatch(address, /[()<>"'!*\]]|[.,;:]$/);
  assert.equal(readAddress(address).notes, tree.write().notes);
});

const AFTER = [
  ')', ').', ',', ';', ':', '>', '"', "'", ')**', '))', ']', '!', '?', '`', '&', '#', '/', '\u3002', '\u300d', '\u2026',
  '\uff01', '\uff09', '\u201c', '%E2%80%A6', '~~', '_', '&amp;', ':~:text=of%20the%20page', '%20', '\u2026)',
  '?fbclid=x', '</a>', '%3C/a%3E', '">game',
];
for (const rest of AFTER)
  test(`an address is read without ${rest} after it`, () => {
    const { moves, valid } = readAddress(`#view=review&moves=b1c1(d1c1)${rest}`);
    assert.deepEqual({ moves, valid }, { moves: 'b1c1(d1c1)', valid: true });
  });

test('what is after an address may be long', () => {
  assert.equal(readAddress(`#view=review&moves=b1c1${'.'.repeat(1e5)}`).moves, 'b1c1');
});

const LINK = 'https://example.org/neutreeko.html#view=review&moves=b1c1';
const AROUND = {
  'alone': LINK,
  'in angle brackets': `<${LINK}>`,
  'in brackets': `(${LINK})`,
  'in Markdown': `See [this game](${LINK}).`,
  'in Markdown with a title': `[this game](${LINK} "A game")`,
  'in a sentence': `Look at ${LINK}, which I lost.`,
  'without the page': '#view=review&moves=b1c1',
  'in Markdown as its own title': `[${LINK}](${LINK})`,
  'in quotation marks of other languages': `\u201e${LINK}\u201c \u00ab${LINK}\u00bb`,
  'without https:': LINK.replace('https://', ''),
  'in a sentence, without https:': `See ${LINK.replace('https://', '')} please`,
  'with entities of HTML': LINK.replace('&', '&amp;amp;'),
  'with its sign encoded': LINK.replace('#', '%23'),
  'with everything encoded': LINK.replace(/#.*/, (hash) => `#${encodeURIComponent(hash.slice(1))}`),
  'in capitals': LINK.toUpperCase(),
  'with the names of its fields in capitals': LINK.replace('view', 'View').replace('moves', 'MOVES'),
  'in full-width letters': '\uff03view=review\uff06moves=b1\uff43\uff11',
  'with joiners': LINK.replace('b1c1', 'b1\u200bc\u00ad1'),
  'with hyphens in its moves': LINK.replace('b1c1', 'b1-c1'),
};
for (const [name, text] of Object.entries(AROUND))
  test(`a link is found ${name}`, () => assert.equal(readAddress(linkIn(text)).moves, 'b1c1'));

test('moves of a link may have blanks or commas between them', () => {
  for (const between of ['.', '+', '%20', ',', ', ', '.%20', ',.+'])
    assert.equal(readAddress(`#view=review&moves=b1-c1${between}B5C5`).moves, 'b1c1.b5c5');
});

test('moves of a link may be in several lines', () => {
  for (const broken of [
    '\nb1c1.c2c3.c1a3', 'b1c1.\nc2c3\n.c1a3\n', 'b1c1.c2\nc3.c1a3', 'b1c1.c\r\n2c3.\nc1a3\nb1-c4 d',
  ]) {
    const text = `> ${LINK.replace('b1c1', broken.replaceAll('\n', '\n> '))}`;
    assert.equal(readAddress(linkIn(text)).moves, 'b1c1.c2c3.c1a3');
  }
});

test('what follows a link in another line does not belong to it', () => {
  for (const after of ['gg', '1. b1-c1', '2026', '\nc2c3'])
    assert.equal(readAddress(linkIn(`${LINK}\n${after}`)).moves, 'b1c1');
});

test('what other programs add to count who opens a link is left out', () => {
  const { moves, valid } = readAddress('#moves=b1c1&utm_source=mail&fbclid=x');
  assert.deepEqual({ moves, valid }, { moves: 'b1c1', valid: true });
});

test('the letters of a study and of notes are kept as they are', () => {
  assert.equal(readAddress('#view=study&study=aB-_C_?fbclid=x.').study, 'aB-_C_');
  assert.equal(readAddress('#moves=b1c1&notes=1+A,+B%20-C').notes, '1 A, B -C');
});

test('a record has no link in its headers', () => {
  assert.equal(linkIn(`[Start "${LINK}"]\n\n1. b1-c1`), '');
});

test('a record with the address of a site has no link', () => {
  assert.equal(linkIn(`1. b1-c1 b5-c5 (${LINK})`), '');
  assert.equal(linkIn(`#(${LINK})\n1. b1-c1`), '');
  assert.equal(readAddress(linkIn(`1. ${LINK}`)).moves, 'b1c1');
  assert.equal(linkIn('[Site "https://www.neutreeko.net/"]\n\n1. b1-c1 b5-c5'), '');
});

/** The position that the page shows for the fragment of a link. */
function positionOf(hash) {
  const address = readAddress(hash);
  const { tree, valid } = treeOf(RULES, address);
  if (!address.valid || !valid || address.board !== '5x5/3' || address.view !== 'explore') return null;
  const game = engine.newGame(tree.start);
  for (const { move } of tree.path()) game.play(move);
  const { position } = game.state();
  game.free();
  return position;
}

/** A tree of moves to which `count` moves are added, each somewhere; `random(n)` is below n. */
function grow(count, random) {
  let tree = new Tree(START);
  for (let i = 0; i < count; i++) {
    const nodes = tree.inTextOrder();
    tree = tree.goto([tree.root, ...nodes][random(nodes.length + 1)]);
    const game = engine.newGame(START);
    for (const { move } of tree.path()) game.play(move);
    const { legal } = game.state();
    if (legal.length) tree = tree.play(legal[random(legal.length)].move);
    game.free();
  }
  return tree;
}

test('an address shows the same position with parentheses around its variations', () => {
  const random = randomOf(1);
  for (let i = 0; i < 100; i++) {
    const address = gameAddress(stateOf('5x5/3', grow(20, random)), 'explore');
    const [before, moves, after] = address.split(/(?<=moves=)|(?=&at=)/);
    const position = positionOf(`#${address}`);
    assert.ok(position, address);
    const written = moves.replaceAll('v', '(').replaceAll('z', ')');
    assert.equal(positionOf(`#${before}${written}${after ?? ''}`), position, address);
  }
});

test('an address that a person has changed is read if it names a position', () => {
  const links = {
    '&&moves=b1c1&': true, 'm%6Fves=b1c1': true, 'moves=a1a2&moves=b1c1': true, 'Moves=b1c1': true, '=b1c1': false,
    b1c1: false, 'board=5x5/3/row3&moves=b1c1': true, 'board=5x5/3/line': true, 'board=5x5/3/row3/line': true,
    'board=5x5/3/line/row3': false, 'board=5x5/3/row2': false, 'board=05x5/3': false, 'board=': false, 'view=': false,
    'moves=': true, 'moves=b1-c1': true, 'moves=B1C1': true, 'moves=1b1c': true, 'moves=b1%E2%80%93c1': true,
    'moves=b1c1+': true, 'moves=b1c1b5c5': false, 'moves=.b1c1.': true, 'moves=b1c1..b5c5': false,
    'moves=b1c1vzb5c5': true, 'moves=b1c1z': false, 'moves=b1c1v': false, 'moves=b1c1.(d1c1)': true,
    'moves=b1c1&at=': false, 'moves=b1c1&at=01': true, 'moves=b1c1&at=0000000001': false, 'moves=b1c1&at=+1': false,
    'moves=b1c1&at=2': false, 'start=': false, 'start=1w1w1/2b2/5/2w2/1b1b1__b_': true, 'start=standard': true,
    'start=https://example.org/%23moves=b1c1': false, 'start=+https://example.org/%23moves=b1c1': false,
  };
  for (const [fields, isRead] of Object.entries(links)) {
    const hash = fields.includes('view=') ? `#${fields}` : `#${fields}&view=explore`;
    assert.equal(positionOf(hash) !== null, isRead, hash);
  }
});

test('an address keeps the start of a game as what is shown', () => {
  const address = writeAddress({ board: '5x5/3', view: 'review', start: START, moves: 'b1c1.b5c5', at: 0 });
  assert.equal(readAddress(address).at, 0);
});

test('an address that names no move has none', () => {
  const address = writeAddress({ board: '5x5/3', view: 'review', start: START, moves: 'b1c1.b5c5' });
  assert.equal(readAddress(address).at, null);
});

test('the address of a game has its variations, the move that is shown, the notes and the resignation', () => {
  const read = readAll(START, 'b1c1(d1c1).b5c5', 2);
  const end = { reason: 'resigned', winner: 'white' };
  const tree = read.withNote(read.current, { marks: ['c3'], comment: 'Here' }).withStated(read.end(), end);
  assert.equal(
    gameAddress(stateOf('5x5/3', tree), 'explore'),
    'view=explore&moves=b1c1vd1c1z.b5c5&at=2&end=resigned-black&notes=2+c3+Here',
  );
});

test('a board that is higher than wide has squares up to its height', () => {
  const found = ['d5', 'd6', 'e4'].map((square) => isOnBoard(square, { width: 4, height: 5 }));
  assert.deepEqual(found, [true, false, false]);
});

test('the address of a game on another board names where it begins', () => {
  const start = 'bb1b/4/4/ww1w b';
  const address = gameAddress(stateOf('4x4/3', new Tree(start)), 'play');
  assert.equal(address, 'board=4x4/3&start=bb1b/4/4/ww1w_b');
});
