// Tests of the WebAssembly module and web/engine.js, compared with the programs.
// From the environment: NEUTREEKO, NEUTREEKO_SOLVE (programs), NEUTREEKO_WASM, NEUTREEKO_TABLE (files), THOROUGH (not
// empty to try more).

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync, inflateSync } from 'node:zlib';

import { EngineError, loadEngine, loadEngineFromPage } from '../../web/engine.js';
import { folder, native, puzzles, query, review, solveNatively } from './programs.mjs';

const { NEUTREEKO_SOLVE, NEUTREEKO_WASM, NEUTREEKO_TABLE, THOROUGH } = process.env;
const wasm = readFileSync(NEUTREEKO_WASM);
const table = readFileSync(NEUTREEKO_TABLE);
const engine = await loadEngine(wasm, table);

const asValue = ({ result, distance }) => ({ result, plies: distance ?? 0 });

/** A game of random moves; it may be over. */
function randomGame(seed, plies) {
  const game = engine.newGame();
  for (let ply = 0; ply < plies && !game.state().over; ply++)
    assert.equal(game.play(game.opponentMove('random', 100 * seed + ply)).ok, true);
  return game;
}

test('the module imports nothing; the engine reports the board and the totals of the game', () => {
  assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(wasm)), []);
  assert.deepEqual(engine.board, { width: 5, height: 5, pieces: 3, row: 3, win: 'line' });
  assert.equal(engine.start, JSON.parse(native('', 'query', '--json')).position);
  const { legal, wins, losses, draws } = engine.summary;
  assert.deepEqual([legal, wins + losses + draws, engine.summary.longest], [3468080, 3468080, 51]);
});

const GAMES = THOROUGH ? 100 : 30; // of random moves

test('positions have the values that neutreeko export writes', () => {
  const path = join(folder, 'positions.csv');
  native('', 'export', THOROUGH ? '--all' : '--symmetric', '--output', path);
  const rows = readFileSync(path, 'utf8').trim().split('\n').slice(1); // without the names of the columns
  for (let row = 0; row < rows.length; row += THOROUGH ? 1 : 8) {
    const [position, , result, distance] = rows[row].split(',');
    const value = engine.value(position);
    if (value.result !== result || value.plies !== Number(distance)) assert.fail(`${rows[row]}, not ${value.result} in ${value.plies}`);
  }
  assert.equal(rows.length, THOROUGH ? engine.summary.legal : 434500);
});

test('moves and their values are those of neutreeko query', () => {
  const positions = Array.from({ length: 300 }, (_, seed) => randomGame(seed, seed % 13).state().position);
  positions.push('bbb2/5/5/5/ww1w1 w');
  for (const { position, moves, ...value } of query(positions)) {
    const found = engine.moves(position);
    assert.deepEqual([engine.value(position), ...found.map(({ move, value }) => [move, value])],
      [asValue(value), ...moves.map((one) => [one.move, asValue(one)])], position);
    for (const { move, from, to, next } of found) {
      const game = engine.newGame(position);
      game.play(move);
      assert.deepEqual([`${from}-${to}`, game.state().position], [move, next]);
      game.free();
    }
  }
});

test('a position is checked and returned in the notation of the project', () => {
  assert.deepEqual(engine.checkPosition('b:.B.B...W.........B...W.W.'), { ok: true, text: engine.start });
  for (const [text, code, at] of [
    ['', 'syntax', 1],
    ['1w1w1/2b2/5/2w2/1b1b1 b\0 ', 'syntax', 24],
    ['1w1w1/2b2/\n/2w2/1b1b"', 'syntax', 11],
    ['1w1w1/2b2/5/2w2/1b3 b', 'black-count', 0],
    ['1w1w1/2b2/5/5/1b1b1 w', 'white-count', 0],
    ['bbb2/5/5/5/ww1w1 b', 'won', 0],
  ]) {
    const { error, ...answer } = engine.checkPosition(text);
    assert.deepEqual(answer, { ok: false, code, at });
    assert.throws(() => engine.moves(text), { name: 'EngineError', kind: 'failed', message: error });
  }
});

test('a game is played, undone, resigned, won and repeated', () => {
  const { start } = engine;
  const game = engine.newGame();
  const state = () => ({ ...game.state(), legal: game.state().legal.length });
  const first = { start, position: start, toMove: 'black', plies: 0, moves: [], undone: [], over: null, repetitions: 1, legal: 14 };
  for (const bad of ['b1-b2', 'b5-c5', '', 'x']) assert.equal(typeof game.play(bad).error, 'string', bad);
  assert.deepEqual(state(), first);
  const moves = ['b1-c1', 'c2-c3', 'c4-e2'];
  for (const move of moves) assert.deepEqual(game.play(move), { ok: true });
  assert.deepEqual([game.goto(0), state(), game.goto(3), game.goto(4)], [true, { ...first, undone: moves }, true, false]);
  game.resign();
  const { over, legal } = game.state();
  assert.deepEqual([over, legal, game.options(), game.play('c1-b1').ok], [{ end: 'resigned', winner: 'black' }, [], [], false]);
  assert.throws(() => game.opponentMove('perfect', 0), EngineError);
  assert.deepEqual([game.goto(1), game.play('c2-e2'), game.state().moves, game.state().over], [true, { ok: true }, ['b1-c1', 'c2-e2'], null]);

  const repeated = engine.newGame();
  const cycle = ['d1-d4', 'b5-b2', 'd4-d1', 'b2-b5'];
  for (const move of [...cycle, ...cycle.slice(0, 3)]) repeated.play(move);
  const last = repeated.options().find(({ move }) => move === cycle[3]);
  assert.deepEqual([repeated.state().repetitions, last.repeats, last.value], [2, 2, { result: 'draw', plies: 0 }]);
  repeated.play(cycle[3]);
  assert.deepEqual([repeated.state().repetitions, repeated.state().over], [3, { end: 'repetition', winner: null }]);
});

test('records, reviews and ends of games are those of neutreeko', () => {
  for (let n = 0; n < GAMES; n++) {
    const game = randomGame(n, 2 * n);
    if (n % 3 === 0) game.resign();
    const record = game.record();
    const { over, ...state } = game.state();
    const read = engine.readGame(record).game;
    assert.deepEqual(read.state(), { over, ...state });
    const { start, moves, end } = review(record);
    assert.deepEqual([state.start, state.position, over?.end ?? 'none', over?.winner ?? null], [start, end.position, end.reason, end.winner]);
    assert.deepEqual(
      game.review().map((m) => [m.side, m.move, m.before, m.after, m.mark, m.better, m.pliesLost]),
      moves.map(({ side, move, before, after, mark, better, plies_wasted }) =>
        [side, move, asValue(before), asValue(after), mark ?? '', better ?? move, plies_wasted]),
    );
    for (const one of [game, read]) one.free();
  }
  const headers = '[White "human"]\n[Result "*"]\n[Board "5x5, 3 pieces, row 3, line"]\n\n';
  assert.deepEqual(engine.readGame(`${headers}1. b1-c1\n*\n`).game?.state().moves, ['b1-c1']);
  for (const [text, at] of [['[Board "4x4"]', 9], ['1. b1-c1\nb5-x', 13], ['b1-b2', 1], ['b1-c1 \0', 7]]) {
    const { error, ...answer } = engine.readGame(text);
    assert.deepEqual([answer, typeof error], [{ ok: false, code: answer.code, at }, 'string'], text);
  }
});

test('every opponent plays legal moves, the same from the same seed', () => {
  for (const { name } of engine.opponents()) {
    const [one, same] = [1, 1].map((seed) => {
      const game = engine.newGame();
      for (let ply = 0; ply < 40 && !game.state().over; ply++)
        assert.deepEqual(game.play(game.opponentMove(ply % 2 ? 'random' : name, seed + ply)), { ok: true });
      return game.record();
    });
    assert.equal(one, same, name);
  }
  assert.throws(() => engine.newGame().opponentMove('level:99', 0), { name: 'EngineError', kind: 'failed' });
});

test('puzzles of every kind are those of neutreeko puzzle', () => {
  const kinds = engine.puzzleKinds();
  for (const { total, ...kind } of kinds.filter(({ plies }) => THOROUGH || [undefined, 5, 51].includes(plies))) {
    const seed = '18446744073709551615';
    const printed = puzzles(Math.min(total, 20), seed, '--answer', ...(kind.save ? ['--save'] : ['--plies', String(kind.plies)]));
    assert.deepEqual(engine.puzzles(kind, BigInt(seed), printed.length), printed.map(({ position, answer }) => ({ position, answer })));
    assert.equal(engine.puzzles(kind, 1, total + 5).length, total);
  }
  assert.deepEqual([kinds.length, engine.puzzles({ plies: 53 }, 1, 1)], [27, []]);
});

const isDamaged = { name: 'EngineError', kind: 'damaged' };

test('a table with a changed byte, a truncated, empty or too long one and other data are rejected', async () => {
  const damaged = Uint8Array.from(table);
  for (let at = 0; at < table.length; at += THOROUGH ? 97 : 9973) {
    damaged[at] ^= 1 << (at % 8);
    await assert.rejects(loadEngine(wasm, damaged), isDamaged, `byte ${at}`);
    damaged[at] = table[at];
  }
  const others = [0, 7, 111, 112, 1500, table.length - 1].map((length) => table.subarray(0, length));
  for (const bytes of [...others, Buffer.concat([table, Buffer.alloc(1)]), Buffer.from('a text, but no table '.repeat(10))])
    await assert.rejects(loadEngine(wasm, bytes), isDamaged, `${bytes.length} bytes`);
});

/** The tables are those of a board that has blocks of codes without a draw. */
test('invalid tables are rejected for the reasons of neutreeko-solve --check', async () => {
  const path = solveNatively('5x5/3/centre');
  const whole = readFileSync(path);
  const blocks = 2 * whole.readUInt32LE(92);
  const ends = Array.from({ length: blocks }, (_, b) => Number(whole.readBigUInt64LE(112 + 16 * b)));
  const list = 112 + 16 * blocks;
  const parts = ends.map((end, b) => whole.subarray(b ? ends[b - 1] : list, end));
  const none = Buffer.alloc(0);
  /** The table with changed blocks, {number: bytes}, and a changed header. */
  function table({ header = () => {}, ...changed }) {
    const start = Buffer.from(whole.subarray(0, list));
    const contents = parts.map((bytes, b) => changed[b] ?? bytes);
    header(start);
    let end = list;
    contents.forEach(({ length }, b) => start.writeBigUInt64LE(BigInt((end += length)), 112 + 16 * b));
    return Buffer.concat([start, ...contents]);
  }
  const codes = blocks / 2; // then come as many blocks of traps, empty where no position is drawn
  const drawless = parts.findIndex((bytes, b) => b >= codes && !bytes.length);
  const trapless = Object.fromEntries(parts.slice(codes).map((_, b) => [codes + b, none]));
  assert.ok(drawless > codes);
  const otherCode = inflateSync(parts[0]);
  otherCode[100] ^= 8;
  const cases = [
    [{}, null],
    [trapless, null],
    ...[17, 18, 19].map((at) => [{ header: (bytes) => bytes.writeUInt8(1, at) }, /bytes 17 to 19 .* not zero/]),
    [{ header: (bytes) => bytes.writeBigUInt64LE(1n, 24) }, /placements/],
    [{ header: (bytes) => bytes.writeBigUInt64LE(1n << 40n, 72) }, /entries/],
    ...[codes - 1, codes].flatMap((b) =>
      [[parts[b], Buffer.alloc(1)], [parts[b], parts[b].subarray(-4)], [parts[b], parts[b]], [parts[b].subarray(0, -1)]].map(
        (pieces) => [{ [b]: Buffer.concat(pieces) }, new RegExp(`block ${b}`)])),
    [{ [drawless]: deflateSync('') }, new RegExp(`block ${drawless} holds traps`)],
    [{ [codes]: none }, new RegExp(`block ${codes} holds no traps`)],
    [{ 0: deflateSync(otherCode) }, /checksum of the codes|the table is wrong/],
    [{ ...trapless, [blocks - 1]: deflateSync('') }, /block/],
  ];
  const paths = cases.map((_, number) => `${path}.${number}`);
  for (const [number, [changes]] of cases.entries()) writeFileSync(paths[number], table(changes));
  execFileSync('python3', [new URL('seal.py', import.meta.url).pathname, ...paths]);
  for (const [number, [, complaint]] of cases.entries()) {
    const { status, stderr } = spawnSync(NEUTREEKO_SOLVE, ['--check', paths[number], '--quiet'], { encoding: 'utf8' });
    const error = await loadEngine(wasm, readFileSync(paths[number])).then(() => null, (found) => found);
    assert.deepEqual([status, error?.kind], complaint ? [1, 'damaged'] : [0, undefined], `case ${number}: ${stderr}`);
    if (complaint) for (const text of [stderr, error.message]) assert.match(text, complaint);
  }
});

test('the engine loads from a page or reports that it is damaged', async () => {
  const whole = { 'neutreeko-wasm': deflateSync(wasm).toString('base64'), 'neutreeko-table': table.toString('base64') };
  const page = (texts) => ({ getElementById: (id) => (texts[id] === undefined ? null : { textContent: texts[id] }) });
  assert.equal((await loadEngineFromPage(page(whole))).start, engine.start);
  for (const [id, text] of Object.entries(whole))
    for (const bad of [undefined, '!', text.slice(0, -8)])
      await assert.rejects(loadEngineFromPage(page({ ...whole, [id]: bad })), isDamaged, `${id}: ${bad?.length}`);
});
