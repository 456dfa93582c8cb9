// Tests of the WebAssembly module and web/engine/engine.ts, compared with the programs.
// From the environment: NEUTREEKO, NEUTREEKO_SOLVE (programs), NEUTREEKO_WASM, NEUTREEKO_TABLE (files), THOROUGH (not
// empty to try more).

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deflateSync } from 'node:zlib';

import { load, openRules, openSolved } from '../../web/engine/elements.js';
import { loadEngine, openTable } from '../../web/engine/engine.js';
import { bytesOf, lettersOf } from '../../web/page/letters.js';
import { randomOf } from './browser.mjs';
import { folder, native, puzzles, query, solveNatively } from './programs.mjs';

const { NEUTREEKO, NEUTREEKO_WASM, NEUTREEKO_TABLE, THOROUGH } = process.env;
const wasm = readFileSync(NEUTREEKO_WASM);
const table = readFileSync(NEUTREEKO_TABLE);
const engine = await loadEngine(wasm, table);

/** A game of random moves; it may be over. */
function randomGame(seed, plies) {
  const game = engine.newGame();
  for (let ply = 0; ply < plies && !game.state().end; ply++)
    game.play(game.opponentMove('random', 100 * seed + ply));
  return game;
}

test('what is not a module is rejected', async () => {
  await assert.rejects(loadEngine(new Uint8Array(100), table), { name: 'EngineError', code: 'module' });
});

/** Another engine, and the memory of its module. */
async function withMemory(context) {
  const instantiate = context.mock.method(WebAssembly, 'instantiate');
  const other = await loadEngine(wasm, table);
  return { other, memory: (await instantiate.mock.calls[0].result).instance.exports.memory };
}

test('games to which nothing refers leave no memory in use', async (context) => {
  const { other, memory } = await withMemory(context);
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  /** The bytes of the module after it has had some more games. */
  const afterGames = async () => {
    for (let count = 0; count < 1000; count++) {
      other.newGame();
      for (let freed = 0; freed < 4; freed++) other.newGame().free();
    }
    collectGarbage();
    await setImmediate();
    return memory.buffer.byteLength;
  };
  const few = await afterGames();
  for (let round = 0; round < 4; round++) await afterGames();
  const many = await afterGames();
  assert.ok(many < 1.5 * few, `${few} bytes after 1,000 games, ${many} after 6,000`);
});

test('the module imports what it has no functions of its own for', () => {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(wasm));
  const names = imports.map(({ name }) => name);
  assert.deepEqual(names.sort(), [
    'append', 'compress', 'progress_traps', 'progress_writing', 'read', 'replace_first', 'uncompress',
  ]);
});

test('the engine reports the board and its start position', () => {
  assert.deepEqual(engine.board, { width: 5, height: 5, pieces: 3, row_length: 3, win: 'line' });
  assert.equal(engine.start, JSON.parse(native('', 'query', '--json')).position);
});

test('the engine reports the names and limits of the program', () => {
  const printed = JSON.parse(execFileSync(NEUTREEKO, ['names'], { encoding: 'utf8' }));
  const { version, ...names } = printed; // of the format, of each line of JSON
  assert.deepEqual(engine.names(), names);
});

test('of four pieces, the three in a row are those with which a side has won', async () => {
  const other = await loadEngine(wasm, readFileSync(solveNatively('4x4/4')));
  assert.deepEqual(other.winningSquares('bbb1/b3/ww2/1w1w w', 'black'), ['a4', 'b4', 'c4']);
  assert.deepEqual(other.winningSquares('bbb1/b3/ww2/1w1w w', 'white'), []);
});

test('the engine reports why a board does not exist, or that it does', () => {
  assert.equal(engine.faultOf({ pieces: 4, win: 'equidistant' }), 'equidistant');
  assert.equal(engine.faultOf({ width: 7, height: 5, pieces: 4, win: 'centre' }), null);
});

test('the engine reports the totals of the game', () => {
  assert.deepEqual(engine.summary, {
    placements: 3542000, legal: 3468080, wins: 2473028, losses: 890392, draws: 104660, stalemates: 0, longest: 51,
  });
});

test('an opponent has what it does and the name that people know', () => {
  const easy = { name: 'level:5', about: 'sees 3 plies ahead', offered_as: 'easy' };
  assert.deepEqual(engine.opponents().filter(({ name }) => name === easy.name), [easy]);
});

test('the numbers of positions by plies add up to the losses and the wins', () => {
  const { by_plies: byPlies } = engine.countByPlies();
  const sumOf = (parity) => byPlies.reduce((sum, count, plies) => sum + (plies % 2 === parity ? count : 0), 0);
  const { losses, wins, longest } = engine.summary;
  assert.deepEqual([sumOf(0), sumOf(1), byPlies.length], [losses, wins, longest + 1]);
});

const GAMES = THOROUGH ? 100 : 30; // of random moves

if (THOROUGH)
  test('positions have the values that neutreeko export writes', () => {
    const path = join(folder, 'positions.csv');
    native('', 'export', '--output', path);
    const rows = readFileSync(path, 'utf8').trim().split('\n').slice(1); // without the names of the columns
    for (const row of rows) {
      const [position, , result, plies] = row.split(',');
      const value = engine.value(position);
      if (value.result !== result) assert.fail(`${row}, not ${value.result}`);
      if (String(value.plies ?? '') !== plies) assert.fail(`${row}, not in ${value.plies}`);
    }
    assert.equal(rows.length, engine.summary.legal);
  });

/** A position of pieces on random squares; it may be illegal. */
function randomPosition(random) {
  const squares = Array(25).fill('1');
  for (const piece of 'bbbwww') {
    const empty = [...squares.keys()].filter((at) => squares[at] === '1');
    squares[empty[random(empty.length)]] = piece;
  }
  const ranks = squares.join('').match(/.{5}/g).join('/');
  return `${ranks.replace(/1+/g, (ones) => ones.length)} ${'bw'[random(2)]}`;
}

test('moves and their values are those of neutreeko query', () => {
  const positions = Array.from({ length: 300 }, (_, seed) => randomGame(seed, seed % 13).state().position);
  positions.push('bbb2/5/5/5/ww1w1 w');
  const random = randomOf(1);
  for (let count = 0; count < 3000; count++) positions.push(randomPosition(random));
  const legal = positions.filter((position) => engine.checkPosition(position).ok);
  assert.ok(legal.length > 3000, `${legal.length} legal positions`);
  for (const { position, moves, result, plies } of query(legal)) {
    const found = engine.moves(position).map(({ move, value }) => ({ move, ...value }));
    assert.deepEqual(engine.value(position), { result, plies }, position);
    assert.deepEqual(found, moves, position);
  }
});

test('a move has its squares and the position to which it leads', () => {
  for (let seed = 0; seed < 300; seed++) {
    const { position } = randomGame(seed, seed % 13).state();
    for (const { move, from, to, next } of engine.moves(position)) {
      const game = engine.newGame(position);
      game.play(move);
      assert.equal(`${from}-${to}`, move);
      assert.equal(game.state().position, next, `${position} ${move}`);
      game.free();
    }
  }
});

test('a position is returned in the notation of the project', () => {
  assert.deepEqual(engine.checkPosition('b:.B.B...W.........B...W.W.'), { ok: true, position: engine.start });
});

test('an invalid position is refused with the reason and the place', () => {
  for (const [text, reason, at] of [
    ['', undefined, 1],
    ['1w1w1/2b2/5/2w2/1b1b1 b\0 ', undefined, 24],
    ['1w1w1/2b2/\n/2w2/1b1b"', undefined, 12],
    ['1w1w1/2b2/5/2w2/1b3 b', 'black-count', 0],
    ['1w1w1/2b2/5/5/1b1b1 w', 'white-count', 0],
    ['bbb2/5/5/5/ww1w1 b', 'won', 0],
  ]) {
    const { ok, error } = engine.checkPosition(text);
    assert.equal(ok, false);
    assert.deepEqual({ ...error }, { name: 'EngineError', code: reason ? 'position' : 'syntax', at, reason });
    assert.throws(() => engine.moves(text), error);
  }
});

/** A game of which moves have been played. */
function gameOf(...moves) {
  const game = engine.newGame();
  for (const move of moves) assert.equal(game.play(move).move, move);
  return game;
}

test('a new game is at the start position, with 14 moves', () => {
  const { legal, ...state } = engine.newGame().state();
  assert.deepEqual(state, {
    start: engine.start,
    position: engine.start,
    to_move: 'black',
    plies: 0,
    moves: [],
    undone: [],
    end: null,
    repetitions: 1,
  });
  assert.equal(legal.length, 14);
});

test('playing a move returns what it did', () => {
  const game = engine.newGame('5/5/2w2/1w2w/bb1b1 b');
  assert.deepEqual(game.play('d1-c1'), {
    move: 'd1-c1',
    from: 'd1',
    to: 'c1',
    side: 'black',
    position: '5/5/2w2/1w2w/bbb2 w',
    end: { reason: 'won', winner: 'black' },
  });
});

test('undo and redo return whether there was a move', () => {
  const game = gameOf('b1-c1');
  assert.equal(game.redo(), false);
  assert.equal(game.undo(), true);
  assert.equal(game.undo(), false);
  assert.equal(game.redo(), true);
  assert.deepEqual(game.state().moves, ['b1-c1']);
});

test('the board as text is the one that neutreeko query prints', () => {
  const games = Array.from(randomGames(), (game) => [game.state().position, game.ascii()]);
  const printed = native(games.map(([position]) => position).join('\n'), 'query', '-');
  const boards = printed.match(/^ 5 [\s\S]*?^ {4}a b c d e\n/gm);
  assert.deepEqual(games.map(([, text]) => text), boards);
  assert.deepEqual(games.map(([position]) => engine.ascii(position)), boards);
});

test('moves are undone and redone', () => {
  const moves = ['b1-c1', 'c2-c3', 'c4-e2'];
  const game = gameOf(...moves);
  const played = game.state();
  assert.equal(game.goto(0), true);
  assert.deepEqual(game.state(), { ...engine.newGame().state(), undone: moves });
  assert.equal(game.goto(3), true);
  assert.deepEqual(game.state(), played);
  assert.equal(game.goto(4), false);
});

test('a game that is resigned is won by the other side and has no moves', () => {
  const game = gameOf('b1-c1', 'c2-c3', 'c4-e2');
  game.resign();
  assert.deepEqual(game.state().end, { reason: 'resigned', winner: 'black' });
  assert.deepEqual(game.state().legal, []);
  assert.deepEqual(game.choices(), []);
  const over = { name: 'EngineError', code: 'over', message: 'the game is over. White resigns: Black wins.' };
  assert.throws(() => game.play('c1-b1'), over);
  assert.throws(() => game.opponentMove('perfect', 0), over);
});

test('a move that repeats a position for the third time draws', () => {
  const cycle = ['d1-d4', 'b5-b2', 'd4-d1', 'b2-b5'];
  const game = gameOf(...cycle, ...cycle.slice(0, 3));
  assert.equal(game.state().repetitions, 2);
  const last = game.choices().find(({ move }) => move === cycle[3]);
  assert.equal(last.repeats, 2);
  assert.deepEqual(last.value, { result: 'draw', plies: null });
  game.play(cycle[3]);
  assert.equal(game.state().repetitions, 3);
  assert.deepEqual(game.state().end, { reason: 'repetition', winner: null });
});

/** Games of random moves; of three, the first is resigned. */
function* randomGames() {
  for (let seed = 0; seed < GAMES; seed++) {
    const game = randomGame(seed, 2 * seed);
    if (seed % 3 === 0) game.resign();
    yield game;
    game.free();
  }
}

test('a record is read back as the same game', () => {
  for (const game of randomGames()) {
    const read = engine.readGame(game.record());
    assert.deepEqual(read.state(), game.state());
    read.free();
  }
});

test('reviews are those of neutreeko review', () => {
  const games = Array.from(randomGames(), (game) => [game.record(), game.review()]);
  const printed = native(games.map(([record]) => record).join('\n'), 'review', '--json', '-');
  const found = games.map(([, moves]) => moves.map(({ position, ...reviewed }) => reviewed));
  assert.deepEqual(found, JSON.parse(printed).games.map(({ moves }) => moves));
});

test('a move that is judged has the position before it', () => {
  const game = gameOf('b1-c1', 'c2-c3');
  game.undo();
  const { position } = game.state();
  game.redo();
  assert.deepEqual(game.review().map((move) => move.position), [engine.start, position]);
});

test('headers of a record belong to its game and to copies of that', () => {
  const game = engine.readGame('[White "\\"a\\" \u00e9"]\n[Round "2"]\n1. b1-c1 resign');
  assert.deepEqual(game.headers, { white: '"a" \u00e9', round: '2', result: '0-1' });
  assert.deepEqual(game.clone().headers, game.headers);
  assert.deepEqual(engine.newGame().headers, {});
});

test('the headers of a copy are its own', () => {
  const game = engine.readGame('[White "a"]\n1. b1-c1');
  game.clone().headers.white = 'b';
  assert.equal(game.headers.white, 'a');
});

test('a copy of a game has its moves, also those that are undone, and its own future', () => {
  const game = gameOf('b1-c1', 'c2-c3', 'c1-a3');
  game.undo();
  const copy = game.clone();
  assert.deepEqual(copy.state(), game.state());
  copy.play('c1-a1');
  copy.resign();
  assert.deepEqual(copy.clone().state(), copy.state());
  assert.deepEqual(game.state().undone, ['c1-a3']);
});

test('the legal moves are those of all squares or of one', () => {
  const game = engine.newGame();
  assert.deepEqual(game.moves(), game.state().legal);
  assert.deepEqual(game.moves({ square: 'b1' }).map(({ move }) => move), ['b1-b4', 'b1-c1', 'b1-a1', 'b1-a2']);
  assert.deepEqual(game.moves({ square: 'b5' }), []);
  assert.deepEqual(game.moves({ square: 'c1' }), []);
  for (const square of ['z9', 'f1', 'a6', 'a0', 'b', 'b11', '', null, 3])
    assert.throws(() => game.moves({ square }), { name: 'EngineError', code: 'argument' }, String(square));
});

const ANNOTATED = '[White "a"]\n{x} b1-c1!? {y } (d1-c1 b5-c5 (d5-c5?! $14 {z}) c1-a3) c2-c3 resign (c1-a3) 1-0';

test('a record is read and written with variations, comments and marks', () => {
  const record = engine.readRecord(ANNOTATED);
  const printed = JSON.parse(native(ANNOTATED, 'review', '--json')).games[0];
  const end = { reason: 'resigned', winner: 'white' };
  const headers = { white: 'a', result: '1-0' };
  assert.deepEqual(record, { headers, start: engine.start, tree: printed.tree, end, warning: null });
  const text = engine.writeRecord(record);
  assert.deepEqual(engine.readRecord(text), record);
  assert.match(text, /^\[White "a"\]\n\[Result "1-0"\]\n/);
  assert.match(engine.writeRecord({ ...record, headers: undefined }), /^\[Result "1-0"\]\n\[Board ".*"\]\n\n\{x\}\n/);
});

test('answers leave no memory in use', async (context) => {
  const { other, memory } = await withMemory(context);
  const record = other.readRecord(ANNOTATED);
  const game = other.readGame('b1-c1 b5-c5');
  /** The bytes of the module after some more answers. */
  const afterAnswers = () => {
    for (let count = 0; count < 500; count++) {
      other.writeRecord(other.readRecord(game.record()));
      if (count % 10 === 0) { // they take longer, and more memory
        game.bestLine();
        game.review();
        game.why(2, 'c4-e2');
      }
      assert.throws(() => game.why(2, 'c4-e3'));
      assert.throws(() => other.writeRecord({ ...record, tree: [record.tree[0], { parent: 0, move: 'b1-b2' }] }));
    }
    return memory.buffer.byteLength;
  };
  const few = afterAnswers();
  for (let round = 0; round < 3; round++) assert.equal(afterAnswers(), few);
});

test('a record keeps an end that its moves do not show, and reports what contradicts them', () => {
  const record = engine.readRecord('[Result "1-0"]\n\n1. b1-c1 b5-c5 {Black wins on time} 0-1');
  assert.deepEqual(record.end, { reason: 'time', winner: 'black' });
  assert.match(record.warning, /^line 3, .*: the result differs from the one before/);
  assert.match(engine.writeRecord(record), /^\[Result "0-1"\][\s\S]*\{Black wins on time\.\}\n0-1\n$/);
  const open = { ...record, end: { reason: 'won', winner: 'white' }, headers: {} };
  assert.match(engine.writeRecord(open), /^\[Result "\*"\]/);
  assert.match(engine.writeRecord({ ...open, end: { reason: 'agreed', winner: null } }), /^\[Result "1\/2-1\/2"\]/);
  assert.match(engine.writeRecord({ ...open, end: { reason: 'stated', winner: 'white' } }), /^\[Result "1-0"\]/);
});

test('a record that goes on after threefold repetition is read with a warning, written and explained', () => {
  const text = 'b1-a1 d5-e5 a1-c1 e5-c5 c1-a1 c5-e5 a1-c1 e5-c5 c1-a1 c5-e5 a1-c1';
  const record = engine.readRecord(text);
  const game = engine.readGame(text);
  assert.deepEqual([record.tree.length, game.state().plies], [12, 11]);
  for (const { warning } of [record, game]) assert.match(warning, /third occurrence/);
  assert.equal(engine.writeRecord(record), game.record());
  const reviewed = game.review();
  game.goto(2);
  for (const { ply, move, after } of reviewed) assert.deepEqual(game.why(ply - 1, move).value, after);
  assert.deepEqual([game.clone().warning, engine.readGame('b1-c1').warning], [null, null]);
});

test('a record of a game has the headers with which it was read, and the result', () => {
  const headers = '[White "a"]\n[Result "1/2-1/2"]\n[Board "5x5, 3 pieces, row 3, line"]\n';
  const record = `${headers}\n1. b1-c1 c2-c3\n1/2-1/2\n`;
  assert.equal(engine.readGame(record).record(), record);
  assert.equal(String(engine.readGame(record)), record);
  assert.equal(engine.readGame(record).clone().record(), record);
});

test('the record of a game that was won and is stepped back in can be read', () => {
  for (const end of ['c2-e4 3. e2-e1 0-1', 'resign 0-1', 'c2-e4 1/2-1/2']) {
    const game = engine.readGame(`1. b1-c1 b5-c5 2. c4-e2 ${end}`);
    game.goto(2);
    const read = engine.readGame(game.record());
    assert.deepEqual([read.state().moves, read.state().end], [['b1-c1', 'b5-c5'], null]);
    assert.deepEqual(read.headers, { result: '*' });
  }
});

test('a result that the board does not show is taken back by a step, and only then', () => {
  const agreed = () => engine.readGame('1. b1-c1 b5-c5 1/2-1/2');
  const steps = {
    play: [(game) => assert.throws(() => game.play('c4-e2'), { code: 'over' }), '1/2-1/2'],
    undo: [(game) => game.undo(), '*'],
    redo: [(game) => game.redo(), '1/2-1/2'],
    back: [(game) => game.goto(1), '*'],
    stay: [(game) => game.goto(2), '1/2-1/2'],
    nowhere: [(game) => game.goto(3), '1/2-1/2'],
    illegal: [(game) => assert.throws(() => game.play('b1-c1')), '1/2-1/2'],
  };
  for (const [name, [step, result]] of Object.entries(steps)) {
    const game = agreed();
    step(game);
    assert.equal(game.headers.result, result, name);
  }
});

test('a result that the user states ends with a move or a step', () => {
  const game = engine.newGame();
  for (const change of [() => game.play('b1-c1'), () => game.undo(), () => game.redo(), () => game.goto(0)]) {
    game.headers.result = '1/2-1/2';
    change();
    assert.equal(game.headers.result, '*', String(change));
  }
});

test('messages name the text and the place', () => {
  const thrown = (code, message) => ({ name: 'EngineError', code, message });
  assert.throws(() => engine.value('1w1w1/x'),
    thrown('syntax', "invalid position '1w1w1/x': character 7: found 'x', expected b, w or a number of empty squares"));
  assert.throws(() => engine.newGame().play('b1-b2'), thrown('move', /^illegal move 'b1-b2': the piece slides until/));
  assert.throws(() => engine.newGame().play('b1-z9'),
    thrown('syntax', "invalid move 'b1-z9': character 4: found 'z', expected a file, a-e"));
});

test('a message names the argument, what it may be, and what it is', () => {
  const root = { parent: null, move: null };
  const write = (changed) => engine.writeRecord({ start: engine.start, tree: [root], ...changed });
  const game = engine.newGame();
  for (const [call, message] of [
    [() => engine.value(3), 'position: expected a string, not 3'],
    [() => engine.value(Symbol('x')), 'position: expected a string, not Symbol(x)'],
    [() => engine.value(Object.create(null)), 'position: expected a string, not object'],
    [() => engine.moves(), 'position: expected a string, not undefined'],
    [() => engine.checkPosition(null), 'position: expected a string, not null'],
    [() => engine.newGame(true), 'position: expected a string, not true'],
    [() => engine.winningSquares(engine.start, 'x'), "side: expected 'black' or 'white', not 'x'"],
    [() => engine.faultOf({ win: 7 }), 'win: expected a string, not 7'],
    [() => engine.puzzles({ plies: 4 }), 'kind: expected {draw: true} or {plies: an odd number}, not 4'],
    [() => engine.puzzles({ draw: 1 }), 'kind: expected {draw: true} or {plies: an odd number}, not 1'],
    [() => engine.puzzles({ plies: 5, draw: true }), /^kind: .* not 'both'$/],
    [() => engine.puzzles({ plies: 3 }, -1, 1), 'count: expected an integer from 0, not -1'],
    [() => engine.puzzles({ plies: 3 }, 1, 'x'), "seed: expected a number from 0 to 2**64 - 1, not 'x'"],
    [() => engine.puzzles({ plies: 3 }, 1, `${'x'.repeat(57)}1234`), /^seed: .*, not 'x{57}\.\.\.'$/],
    [() => engine.samplePuzzle(-1, 3, 1), 'plies: expected an integer from 0, not -1'],
    [() => engine.samplePuzzle(3, '3', 1), "plies: expected an integer from 0, not '3'"],
    [() => engine.samplePuzzle(3, 3, -1), 'seed: expected a number from 0 to 2**64 - 1, not -1'],
    [() => engine.readRecord(7), 'record: expected a string, not 7'],
    [() => engine.readGame(['b1-c1']), 'record: expected a string, not array'],
    [() => game.play(null), 'move: expected a string, not null'],
    [() => game.opponentMove(1), 'opponent: expected a string, not 1'],
    [() => game.opponentMove('perfect', null), 'seed: expected a number from 0 to 2**64 - 1, not null'],
    [() => game.why(0.5, 'b1-c1'), 'ply: expected an integer, not 0.5'],
    [() => game.why(1, 'b1-c1'), 'the game has no ply 1'],
    [() => game.why(-1, 'b1-c1'), 'the game has no ply -1'],
    [() => game.why(2 ** 40, 'b1-c1'), `the game has no ply ${2 ** 40}`],
    [() => game.why(0), 'move: expected a string, not undefined'],
    [() => game.goto('1'), "ply: expected an integer, not '1'"],
    [() => game.moves('b1'), "options: expected {square}, not 'b1'"],
    [() => game.moves({ square: 'z9' }), "square: expected one of the board, such as 'b1', not 'z9'"],
    [() => write({ start: 7 }), 'start: expected a string, not 7'],
    [() => write({ headers: { white: 7 } }), 'headers.white: expected a string, not 7'],
    [() => write({ end: { reason: 'agreed', winner: 'x' } }), "end.winner: expected 'black', 'white' or null, not 'x'"],
    [() => write({ headers: { result: '2-0' } }), "headers.result: expected *, 0-1, 1-0 or 1/2-1/2, not '2-0'"],
    [() => write({ headers: { colour: 'x' } }), /^headers: expected the keys .*, not 'colour'$/],
    [() => write({ tree: [{ ...root, comment: 0 }] }), 'tree[0].comment: expected a string, not 0'],
    [() => write({ tree: [root, { parent: 0, move: 7 }] }), 'tree[1].move: expected a string, not 7'],
    [() => write({ tree: [root, { parent: 1, move: 'b1-c1' }] }),
      'tree[1].parent: expected the number of an earlier node, not 1'],
  ])
    assert.throws(call, { name: 'EngineError', code: 'argument', message });
});

test('a count is an integer from 0 that the module can take', () => {
  for (const count of [Number.NaN, Infinity, 1.5, 2 ** 32, 2n, '1', null, [], true])
    assert.throws(() => engine.puzzles({ plies: 3 }, count, 1), { code: 'argument' }, inspect(count));
});

test('a seed is an integer from 0 below 2 ** 64', () => {
  const game = engine.newGame();
  assert.match(game.opponentMove('random', 2n ** 64n - 1n), /^\w\d-\w\d$/);
  for (const seed of [-1n, 2n ** 64n, 2 ** 64, Infinity, Number.NaN, 1.5, '', [], true])
    assert.throws(() => game.opponentMove('random', seed), { code: 'argument' }, inspect(seed));
});

test('an illegal or unreadable move has its place', () => {
  const tree = [{ parent: null, move: null }, { parent: 0, move: 'b1-b2' }];
  assert.throws(() => engine.writeRecord({ start: engine.start, tree }),
    { code: 'move', message: /^tree\[1\]: illegal move 'b1-b2': the piece slides/ });
  assert.throws(() => engine.newGame().why(0, 'b1-c9'), { code: 'syntax', at: 5 });
});

test('the engine has the version of the program', () => {
  assert.equal(engine.version, native('', '--version').match(/\d[\d.]*/)[0]);
});

test('only draws have trap values', () => {
  for (const { trap, value } of engine.newGame().choices()) assert.equal(trap !== null, value.result === 'draw');
});

test('the reasons for a move have the first moves of what it threatens and prevents', () => {
  const game = gameOf('b1-c1', 'b5-c5', 'c4-e2');
  const { threat, prevented, next } = game.why(2, 'c4-e2');
  assert.equal(next, game.state().position);
  assert.deepEqual([threat.move, threat.plies, prevented.move, prevented.plies], ['e2-e1', 1, 'c2-e4', 3]);
  const quiet = engine.newGame().why(0, 'b1-a1');
  assert.deepEqual([quiet.threat, quiet.prevented], [null, null]);
});

test('the reasons for a move have what it gives away, a better one, and what becomes of the replies', () => {
  const reasonsFor = (start, played) => {
    const { gives, best, only, replies, only_reply: reply } = engine.newGame(start).why(0, played);
    return { gives, best, only, replies, reply };
  };
  assert.deepEqual(reasonsFor('5/5/2w2/1w2w/bb1b1 b', 'd1-e1'), {
    gives: 'win', best: 'd1-c1', only: false, reply: null, replies: { total: 16, losing: 13, holding: 0, winning: 3 },
  });
  assert.deepEqual(reasonsFor('5/1bw2/w4/2b1b/3w1 w', 'c4-a2'), {
    gives: null, best: 'c4-a2', only: true, reply: 'b4-b1', replies: { total: 18, losing: 17, holding: 1, winning: 0 },
  });
});

test('the best line goes to the end of a lost game, and is the beginning of a drawn one', () => {
  const game = gameOf('b1-b4', 'd5-c5');
  assert.equal(game.bestLine().length, 20);
  game.undo();
  assert.equal(game.bestLine().length, 21);
  assert.equal(engine.newGame().bestLine().length, 8);
});

test('without a seed chance decides', () => {
  for (const choose of [() => engine.newGame().opponentMove('random'), () => engine.puzzles()[0].position,
    () => engine.samplePuzzle(5, 5)])
    assert.ok(new Set(Array.from({ length: 20 }, choose)).size > 1, String(choose));
});

test('a call that the module does not survive leaves nothing of its answer', async (context) => {
  const { instantiate } = WebAssembly;
  context.mock.method(WebAssembly, 'instantiate', async (...given) => {
    const { instance } = await instantiate.apply(WebAssembly, given);
    const web_moves = (...numbers) => {
      instance.exports.web_moves(...numbers);
      throw new RangeError('stack overflow');
    };
    return { instance: { exports: { ...instance.exports, web_moves } } };
  });
  const other = await loadEngine(wasm, table);
  assert.throws(() => other.moves(engine.start), { code: 'module', message: 'web_moves: stack overflow' });
  assert.deepEqual(other.value(engine.start), { result: 'draw', plies: null });
});

test('a fair start is a position by its number', () => {
  const position = engine.fairStarts()[16];
  assert.deepEqual(engine.checkPosition('fair:17'), { ok: true, position });
  assert.equal(engine.newGame('fair:17').state().start, position);
});

test('the opening that the program prints is read and written', () => {
  const text = native('', 'query', '--tree', '4');
  const record = engine.readRecord(text);
  assert.ok(record.tree.length > 100);
  assert.equal(engine.writeRecord(record), text);
});

test('a record that is not one is not written', () => {
  const root = { parent: null, move: null };
  for (const [tree, code] of [
    [[], 'argument'],
    [[root, { parent: -1, move: 'b1-c1' }], 'argument'],
    [[root, root], 'argument'],
    [[root, { parent: 0, move: 'b1' }], 'syntax'],
    [[root, { parent: 0, move: 'b1-c1', marks: '?! x' }], 'syntax'],
    [[root, { parent: 0, move: 'b1-c1', marks: `$${'1'.repeat(1e5)}` }], 'syntax'],
  ])
    assert.throws(() => engine.writeRecord({ start: engine.start, tree }), { name: 'EngineError', code });
});

test('what is invalid in a record is reported with its place', () => {
  for (const [text, code, at] of [
    ['[Board "4x4"]', 'rules', 9],
    ['1. b1-c1\nb5-y', 'syntax', 13],
    ['b1-b2', 'move', 1],
    ['b1-c1 \0', 'syntax', 7],
  ])
    assert.throws(() => engine.readGame(text), { name: 'EngineError', code, at }, text);
});

test('an opponent makes the same move from the same seed', () => {
  const moves = () => Array.from({ length: 20 }, (_, seed) => engine.newGame().opponentMove('random', seed));
  assert.deepEqual(moves(), moves());
});

test('an unknown opponent is refused', () => {
  assert.throws(() => engine.newGame().opponentMove('level:99', 0), { name: 'EngineError', code: 'syntax' });
  assert.throws(() => engine.newGame().opponentMove('human', 0), { name: 'EngineError', code: 'human' });
});

const kindsTried = engine.puzzleKinds().filter(({ plies }) => THOROUGH || [undefined, 5, 51].includes(plies));

test('puzzles of every kind are those of neutreeko puzzle', () => {
  const seed = '18446744073709551615'; // the greatest
  for (const { total, ...kind } of kindsTried) {
    const options = kind.draw ? ['--draw'] : ['--plies', String(kind.plies)];
    const printed = puzzles(Math.min(total, 20), seed, '--answer', ...options);
    const expected = printed.map(({ position, answer }) => ({ position, answer }));
    assert.deepEqual(engine.puzzles(kind, expected.length, BigInt(seed)), expected);
  }
});

test('a puzzle near random positions has plies between the bounds', () => {
  const { result, plies } = engine.value(engine.samplePuzzle(5, 9, 1));
  assert.deepEqual([result, [5, 7, 9].includes(plies)], ['win', true]);
});

test('there are as many puzzles of a kind as the engine counts', () => {
  for (const { total, ...kind } of kindsTried) assert.equal(engine.puzzles(kind, 2 ** 31 - 1, 1).length, total);
});

test('there are puzzles of 27 kinds, and none of another', () => {
  assert.equal(engine.puzzleKinds().length, 27);
  assert.deepEqual(engine.puzzles({ plies: 53 }, 1, 1), []);
});

const isDamaged = { name: 'EngineError', code: /^(corrupt|not_table)$/ };

test('a table with a changed byte is rejected', async () => {
  const damaged = Uint8Array.from(table);
  for (let at = 0; at < table.length; at += THOROUGH ? 97 : 9973) {
    damaged[at] ^= 1 << (at % 8);
    await assert.rejects(loadEngine(wasm, damaged), isDamaged, `byte ${at}`);
    damaged[at] = table[at];
  }
});

test('a table that is too short is rejected', async () => {
  for (const length of [0, 7, 111, 112, 1500, table.length - 1]) // the header has 112 bytes
    await assert.rejects(loadEngine(wasm, table.subarray(0, length)), isDamaged, `${length} bytes`);
});

/** Bytes whose length is one more than there are. */
class Short extends Blob {
  get size() {
    return super.size + 1;
  }
}

test('a table that ends before its announced end is rejected, before anything is looked up in it', async () => {
  const rejected = { code: 'corrupt', message: /^the table has changed: expected \d+ bytes$/ };
  await assert.rejects(openTable(wasm, new Short([table]), { complete: false }), rejected);
});

test('goto() of a ply that the game does not have has no effect', () => {
  const game = engine.newGame();
  game.play('b1-c1');
  for (const ply of [-1, 2, 2 ** 31, 2 ** 32, -(2 ** 32) + 1, 1e300]) assert.equal(game.goto(ply), false, `${ply}`);
  assert.equal(game.state().plies, 1);
  game.free();
  const freed = { code: 'argument', message: 'this game has been freed' };
  for (const use of ['goto', 'why']) assert.throws(() => game[use](-1, 'b1-c1'), freed, use);
});

test('a question about all positions is not answered with those of a damaged block', async () => {
  const damaged = Uint8Array.from(table);
  damaged[table.length >> 2] ^= 1; // in a block of codes
  const opened = await openTable(wasm, damaged, { complete: false });
  assert.throws(() => opened.countByPlies(), { code: 'corrupt', message: /checksum of block/ });
});

test('a block that is not a compressed stream is rejected', async (context) => {
  const { instantiate } = WebAssembly;
  context.mock.method(WebAssembly, 'instantiate', (code, { env }) =>
    instantiate.call(WebAssembly, code, { env: Object.assign(env, { uncompress: () => -1 }) }));
  await assert.rejects(loadEngine(wasm, table), { code: 'corrupt' });
});

const inPage = { 'neutreeko-wasm': lettersOf(deflateSync(wasm)) };

/** Opens the rules of a page, which has these texts in elements, by their ids. Its address names a board: no worker. */
function openPage(texts) {
  load((id) => bytesOf(texts[id]), '', '#board=5x5/3');
  return openRules({});
}

test('the engine loads from a page, and gets the values of its board', async () => {
  const opened = await openPage(inPage);
  assert.equal(opened.start, engine.start);
  assert.equal(opened.summary.legal, 0);
  const solved = await openSolved({ table: new Blob([table]) });
  assert.deepEqual(solved.moves(engine.start), engine.moves(engine.start));
});

test('a page whose module is missing, has another letter or is cut off is damaged', async () => {
  const { 'neutreeko-wasm': text } = inPage;
  for (const wrong of ['', `<${text}`, text.slice(0, -8)])
    await assert.rejects(openPage({ 'neutreeko-wasm': wrong }), isDamaged, wrong.slice(0, 9));
});

test('bytes of any number remain the same as letters in a page', () => {
  const bytes = Uint8Array.from({ length: 40 }, (_, n) => (n * 151) ^ 255);
  for (let length = 0; length <= bytes.length; length++) {
    const some = bytes.subarray(0, length);
    assert.deepEqual(bytesOf(lettersOf(some)), some);
  }
});

test('letters in a page end no element', () => {
  const letters = lettersOf(table);
  assert.doesNotMatch(letters, /[^!-~]|</);
});
