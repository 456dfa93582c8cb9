// Tests of the WebAssembly module and web/engine.js, compared with the programs.
// From the environment: NEUTREEKO, NEUTREEKO_SOLVE, NEUTREEKO_VALUES (programs), NEUTREEKO_WASM, NEUTREEKO_TABLE (files),
// THOROUGH (not empty to try more).

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync, inflateSync } from 'node:zlib';

import { EngineError, loadEngine, loadEngineFromPage } from '../../web/engine.js';

const { NEUTREEKO, NEUTREEKO_SOLVE, NEUTREEKO_VALUES, NEUTREEKO_WASM, NEUTREEKO_TABLE, THOROUGH } = process.env;
const wasm = readFileSync(NEUTREEKO_WASM);
const table = readFileSync(NEUTREEKO_TABLE);
const engine = await loadEngine(wasm, table);

function native(input, ...args) {
  const options = { input, encoding: 'utf8', maxBuffer: 1 << 28 };
  return execFileSync(NEUTREEKO, args.concat(`--table=${NEUTREEKO_TABLE}`), options);
}

const nativeLines = (input, ...args) => native(input, ...args).trimEnd().split('\n').map((line) => JSON.parse(line));
const asValue = ({ result, distance }) => ({ result, plies: distance ?? 0 });

// Random numbers that are the same in every run.
function randomNumbers(seed) {
  return (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
}

// A game of random moves; it may be over.
function randomGame(random, plies) {
  const game = engine.newGame();
  for (let legal; plies-- && ({ legal } = game.state()).legal.length;)
    assert.equal(game.play(legal[random(legal.length)].move).ok, true);
  return game;
}

function randomPositions(count, seed) {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, () => randomGame(random, 1 + random(12)).state().position);
}

test('the module imports nothing; the engine reports the board and the totals of the game', () => {
  assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(wasm)), []);
  assert.deepEqual(engine.board, { width: 5, height: 5, pieces: 3, row: 3, win: 'line' });
  assert.equal(engine.start, nativeLines('', 'query', '--json')[0].position);
  const { legal, wins, losses, draws } = engine.summary;
  assert.deepEqual([legal, wins + losses + draws, engine.summary.longest], [3468080, 3468080, 51]);
});

// The module without engine.js, which is slower: texts in, JSON out.
async function rawModule() {
  const { instance } = await WebAssembly.instantiate(wasm, {});
  const { web_input, web_answer, web_answer_length, memory, ...rest } = instance.exports;
  const put = (bytes) => {
    const at = web_input(bytes.length + 1);
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    return at;
  };
  const answer = () => Buffer.from(memory.buffer, web_answer(), web_answer_length());
  const inflateBlock = (bytes) => (bytes.length ? inflateSync(bytes) : bytes);
  const inflateBlocks = (bytes) =>
    JSON.parse(answer()).map(([, begin, length]) => inflateBlock(bytes.subarray(begin, begin + length)));
  const open = (bytes) => {
    put(bytes);
    rest.web_open(BigInt(bytes.length), bytes.length, true);
    assert.deepEqual(Object.keys(JSON.parse(answer())), ['entries']);
    rest.web_blocks();
    return inflateBlocks(bytes);
  };
  const take = (block, bytes) => (put(bytes), rest.web_take(block, bytes.length), JSON.parse(answer()));
  const finish = () => (rest.web_finish(-1), JSON.parse(answer()));
  return { ...rest, memory, put, answer, open, take, finish };
}

const STEP = THOROUGH ? 1 : 16; // of the positions that are looked at
const GAMES = THOROUGH ? 100 : 30;

test('every position has the value that the library gives it', { timeout: 600000 }, async () => {
  const module = await rawModule();
  module.open(table).forEach((bytes, block) => module.take(block, bytes));
  assert.equal(module.finish(), true);
  const at = module.put(Buffer.alloc(100));
  module.web_value();
  module.answer();
  const memory = Buffer.from(module.memory.buffer);
  let rest = Buffer.alloc(0);
  let positions = 0;
  const { stdout } = spawn(NEUTREEKO_VALUES, [NEUTREEKO_TABLE, String(STEP)], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const chunk of stdout) {
    const lines = Buffer.concat([rest, chunk]);
    let begin = 0;
    for (let tab, end; (end = lines.indexOf(10, begin)) >= 0; begin = end + 1, positions++) {
      tab = lines.indexOf(9, begin);
      lines.copy(memory, at, begin, tab);
      memory[at + tab - begin] = 0;
      module.web_value();
      const answer = module.answer();
      if (lines.compare(answer, 0, answer.length, tab + 1, end))
        assert.fail(`${lines.subarray(begin, end)}, not ${answer}`);
    }
    rest = lines.subarray(begin);
  }
  assert.equal(positions, Math.ceil(engine.summary.legal / STEP));
  assert.equal(memory.buffer, module.memory.buffer);
});

test('moves and their values are those of neutreeko query', () => {
  const positions = randomPositions(1000, 1).concat(engine.start, 'bbb2/5/5/5/ww1w1 w');
  const answers = nativeLines(positions.join('\n'), 'query', '--json', '-');
  for (const [i, { position, moves, ...value }] of answers.entries()) {
    assert.equal(position, positions[i]);
    assert.deepEqual(engine.value(position), asValue(value), position);
    const found = engine.moves(position);
    assert.deepEqual(found.map(({ move, value }) => [move, value]), moves.map((m) => [m.move, asValue(m)]), position);
    for (const { move, from, to, next } of found) {
      const game = engine.newGame(position);
      game.play(move);
      assert.deepEqual([`${from}-${to}`, game.state().position], [move, next]);
      game.free();
    }
  }
});

test('a position is checked and returned in the notation of the project', () => {
  for (const text of ['1W1W1/2B2/5/2W2/1B1B1_B', 'b:.B.B...W.........B...W.W.']) {
    assert.deepEqual(engine.checkPosition(text), { ok: true, text: engine.start });
  }
  const invalid = {
    '': 'syntax',
    '1w1w1/2b2/5/2w2/1b1b1': 'syntax',
    '1w1w1/2b2/5/2w2/1b1b1 b ': 'syntax',
    '1w1w1/2b2/5/2w2/1b1b1 b\0 ': 'syntax',
    '1w1w1/2b2/5/2w2/1b1b"': 'syntax',
    '1w1w1/2b2/\n/2w2/1b1b1 b': 'syntax',
    '1w1w1/2b2/5/2w2/1b3 b': 'black-count',
    '1w1w1/2b2/5/2w2/1b3 w': 'black-count',
    '1w1w1/2b2/5/5/1b1b1 w': 'white-count',
    '1w1w1/2b2/5/2w2/wb1b1 b': 'white-count',
    'bbb2/5/5/5/ww1w1 b': 'won',
  };
  for (const [text, code] of Object.entries(invalid)) {
    const answer = engine.checkPosition(text);
    assert.deepEqual([answer.ok, answer.code, typeof answer.error], [false, code, 'string'], text);
    assert.equal(answer.at > 0, code === 'syntax', text);
    for (const name of ['value', 'moves', 'newGame'])
      assert.throws(() => engine[name](text), { name: 'EngineError', kind: 'failed', message: answer.error });
  }
});

test('play, go to a ply and resign', () => {
  const game = engine.newGame();
  const first = game.state();
  const { start } = engine;
  const blank = { start, position: start, toMove: 'black', plies: 0, moves: [], undone: [], over: null, repetitions: 1 };
  assert.deepEqual({ ...first, legal: first.legal.length }, { ...blank, legal: 14 });
  assert.deepEqual([game.goto(1), game.goto(-1), game.goto(0)], [false, false, true]);
  for (const bad of ['b1-b2', 'b5-c5', 'a1-b1', '', 'x']) {
    const answer = game.play(bad);
    assert.deepEqual([answer.ok, typeof answer.error], [false, 'string'], bad);
  }
  assert.deepEqual(game.state(), first);
  const moves = ['b1-c1', 'c2-c3', 'c4-e2'];
  for (const move of moves) assert.deepEqual(game.play(move), { ok: true });
  assert.equal(game.goto(2), true);
  const { moves: played, undone, toMove, plies } = game.state();
  assert.deepEqual([played, undone, toMove, plies], [moves.slice(0, 2), moves.slice(2), 'black', 2]);
  assert.deepEqual([game.goto(0), game.state(), game.goto(3), game.goto(4)], [true, { ...first, undone: moves }, true, false]);
  assert.deepEqual(game.state().moves, moves);
  game.resign();
  const resigned = game.state();
  assert.deepEqual([resigned.over, resigned.legal], [{ end: 'resigned', winner: 'black' }, []]);
  assert.equal(game.play('c1-b1').ok, false);
  assert.deepEqual([game.goto(2), game.goto(3), game.state().over], [true, true, null]);
  game.goto(1);
  game.play('c2-e2');
  assert.deepEqual([game.state().moves, game.state().undone], [['b1-c1', 'c2-e2'], []]);
});

test('a game ends with a row and with threefold repetition', () => {
  const won = engine.newGame('bb3/2b2/5/w4/2w1w b');
  assert.deepEqual(won.play('c4-c5'), { ok: true });
  const { over, legal } = won.state();
  assert.deepEqual([over, legal, won.options()], [{ end: 'row', winner: 'black' }, [], []]);
  assert.throws(() => won.opponentMove('perfect', 0), EngineError);
  const game = engine.newGame();
  const cycle = ['d1-d4', 'b5-b2', 'd4-d1', 'b2-b5'];
  for (const move of [...cycle, ...cycle.slice(0, 3)]) assert.deepEqual(game.play(move), { ok: true }, move);
  const last = game.options().find(({ move }) => move === cycle[3]);
  assert.deepEqual([game.state().repetitions, last.repeats, last.value], [2, 2, { result: 'draw', plies: 0 }]);
  game.play(cycle[3]);
  assert.deepEqual([game.state().repetitions, game.state().over], [3, { end: 'repetition', winner: null }]);
  game.goto(6);
  assert.equal(game.options().find(({ move }) => move === cycle[2]).repeats, 1);
});

test('records, reviews and ends of games are those of neutreeko', () => {
  const random = randomNumbers(4);
  const marks = new Set();
  for (let n = 0; n < GAMES; n++) {
    const game = randomGame(random, random(80));
    if (n % 3 === 0) game.resign();
    const record = game.record();
    const read = engine.readGame(record);
    assert.equal(read.ok, true);
    assert.deepEqual(read.game.state(), game.state());
    const { start, moves, end } = JSON.parse(native(record, 'review', '--json', '-'));
    const { over, ...state } = game.state();
    assert.deepEqual([start, end.position, end.reason], [state.start, state.position, over?.end ?? 'none']);
    assert.equal(end.winner, over?.winner ?? null);
    const review = game.review();
    assert.deepEqual(
      review.map((m) => [m.side, m.move, m.before, m.after, m.mark, m.better, m.pliesLost]),
      moves.map(({ side, move, before, after, mark, better, plies_wasted }) =>
        [side, move, asValue(before), asValue(after), mark ?? '', better ?? move, plies_wasted]),
    );
    for (const [ply, { position, mark }] of review.entries()) {
      game.goto(ply);
      assert.equal(game.state().position, position);
      marks.add(mark);
    }
    game.free();
    read.game.free();
  }
  assert.deepEqual([...marks].sort(), ['', '?', '??']);
  const printed = native('', 'line', '--record', '--seed', '7', '3w1/wb1w1/5/3b1/2b2 w');
  assert.equal(engine.readGame(printed).game.record(), printed);
  // With headers, as neutreeko play saves it.
  const saved = '[Event "Neutreeko game"]\n[White "human"]\n[Result "*"]\n[Board "5x5, 3 pieces, row 3, line"]\n\n1. b1-c1\n*\n';
  assert.deepEqual(engine.readGame(saved).game?.state().moves, ['b1-c1']);
});

test('an invalid record is rejected with the place of the error', () => {
  const invalid = { '[White "a]': 11, '[Board "4x4"]': 9, '1. b1-c1\nb5-x': 13, 'b1-b2': 1, 'start 5 b': 8, 'b1-c1 "': 7, 'b1-c1 \0': 7 };
  for (const [text, at] of Object.entries(invalid)) {
    const answer = engine.readGame(text);
    assert.deepEqual([answer.ok, typeof answer.error, answer.at], [false, 'string', at], text);
  }
});

test('every opponent plays legal moves, the same from the same seed', () => {
  const names = engine.opponents().map(({ name }) => name);
  assert.equal(names[0], 'perfect');
  for (let level = 1; level <= 15; level++) assert.ok(names.includes(`level:${level}`));
  for (const name of names) {
    const games = [1, 1, 2 ** 32 + 1].map((seed) => {
      const game = engine.newGame();
      for (let ply = 0; ply < 40 && !game.state().over; ply++)
        assert.deepEqual(game.play(game.opponentMove(ply % 2 ? 'random' : name, seed + ply)), { ok: true });
      return game.record();
    });
    assert.equal(games[0], games[1], name);
  }
  const game = engine.newGame();
  for (const name of ['human', 'nobody', 'level:99', 'level', ''])
    assert.throws(() => game.opponentMove(name, 0), { name: 'EngineError', kind: 'failed' }, name);
});

test('puzzles of every kind are those of neutreeko puzzle', async () => {
  const kinds = engine.puzzleKinds();
  assert.deepEqual(kinds.slice(0, -1).map(({ plies }) => plies), kinds.slice(0, -1).map((_, n) => 2 * n + 1));
  assert.deepEqual(kinds.at(-1), { save: true, total: kinds.at(-1).total });
  for (const { total, ...kind } of kinds.filter(({ plies, save }) => save || [1, 5, 27, 51].includes(plies))) {
    const option = kind.save ? ['--save'] : ['--plies', String(kind.plies)];
    const number = Math.min(total, 20);
    for (const seed of kind.plies === 5 ? ['0', '18446744073709551615'] : ['3']) {
      const printed = nativeLines('', 'puzzle', '--json', '--answer', `--count=${number}`, `--seed=${seed}`, ...option)
        .map(({ position, answer }) => ({ position, answer }));
      assert.deepEqual(engine.puzzles(kind, BigInt(seed), number), printed);
    }
    assert.equal(engine.puzzles(kind, 1, total + 5).length, total);
  }
  assert.deepEqual(engine.puzzles({ plies: 53 }, 1, 1), []);
});

// ---- damage ----

const expectDamaged = (bytes, what) => assert.rejects(loadEngine(wasm, bytes), { name: 'EngineError', kind: 'damaged' }, what);

test('a table with a changed byte, a truncated, empty or too long one and other data are rejected', async () => {
  const damaged = Uint8Array.from(table);
  for (let at = 0; at < table.length; at += THOROUGH ? 97 : 997) {
    damaged[at] ^= 1 << (at % 8);
    await expectDamaged(damaged, `byte ${at}`);
    damaged[at] = table[at];
  }
  await loadEngine(wasm, damaged);
  for (const length of [0, 1, 7, 8, 100, 111, 112, 1000, 1500, table.length >> 1, table.length - 1])
    await expectDamaged(table.subarray(0, length), `${length} bytes`);
  await expectDamaged(Buffer.concat([table, Buffer.alloc(1)]), 'one byte more');
  await expectDamaged(Buffer.from('a text of some length, but no table '.repeat(10)), 'a text');
});

/** The tables are those of a board that has blocks of codes without a draw. */
test('invalid tables are rejected for the reasons of neutreeko-solve --check', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'neutreeko-'));
  const path = join(folder, 'table.dat');
  execFileSync(NEUTREEKO_SOLVE, ['--board', '5x5', '--win', 'centre', '-o', path, '--quiet']);
  const whole = readFileSync(path);
  const blocks = 2 * whole.readUInt32LE(92);
  const ends = Array.from({ length: blocks }, (_, b) => Number(whole.readBigUInt64LE(112 + 16 * b)));
  const list = 112 + 16 * blocks;
  const parts = ends.map((end, b) => whole.subarray(b ? ends[b - 1] : list, end));
  const none = Buffer.alloc(0);
  /** The table with changed blocks, {number: bytes}, and a changed header, with correct checksums. */
  function table({ header = () => {}, ...changed }) {
    const start = Buffer.from(whole.subarray(0, list));
    const contents = parts.map((bytes, b) => changed[b] ?? bytes);
    header(start);
    let end = list;
    contents.forEach(({ length }, b) => start.writeBigUInt64LE(BigInt((end += length)), 112 + 16 * b));
    return execFileSync(NEUTREEKO_VALUES, ['--seal'], { input: Buffer.concat([start, ...contents]) });
  }
  const codes = blocks / 2; // then come as many blocks of traps, empty where no position is drawn
  const drawless = parts.findIndex((bytes, b) => b >= codes && !bytes.length);
  const trapless = Object.fromEntries(parts.slice(codes).map((_, b) => [codes + b, none]));
  assert.ok(drawless > codes);
  const cases = [
    [{}, null],
    [trapless, null],
    ...[17, 18, 19].map((at) => [{ header: (bytes) => bytes.writeUInt8(1, at) }, /bytes 17 to 19 .* not zero/]),
    [{ header: (bytes) => bytes.writeBigUInt64LE(1n, 24) }, /placements/],
    [{ header: (bytes) => bytes.writeBigUInt64LE(1n << 40n, 72) }, /entries/],
    ...[0, codes - 1, codes].flatMap((b) =>
      [[parts[b], Buffer.alloc(1)], [parts[b], parts[b].subarray(-4)], [parts[b], parts[b]], [parts[b].subarray(0, -1)]].map(
        (pieces) => [{ [b]: Buffer.concat(pieces) }, new RegExp(`block ${b}`)])),
    [{ [drawless]: deflateSync('') }, new RegExp(`block ${drawless} holds traps`)],
    [{ [codes]: none }, new RegExp(`block ${codes} holds no traps`)],
    [{ ...trapless, [blocks - 1]: deflateSync('') }, /block/],
  ];
  for (const [number, [changes, complaint]] of cases.entries()) {
    const bytes = table(changes);
    writeFileSync(path, bytes);
    const { status, stderr } = spawnSync(NEUTREEKO_SOLVE, ['--check', path, '--quiet'], { encoding: 'utf8' });
    const error = await loadEngine(wasm, bytes).then(() => null, (found) => found);
    assert.deepEqual([status, error?.kind], complaint ? [1, 'damaged'] : [0, undefined], `case ${number}: ${stderr}`);
    if (complaint) for (const text of [stderr, error.message]) assert.match(text, complaint, `case ${number}`);
  }
  rmSync(folder, { recursive: true });
});

// The module also checks the inflated blocks, which may be wrong although the file is right (see tests/common/table.c).
test('wrong inflated blocks are rejected', async () => {
  const { open, take, finish } = await rawModule();
  for (const [block, bytes] of open(table).entries()) {
    const changed = Buffer.from(bytes);
    if (block === 3) changed[100] ^= 8;
    if (bytes.length) assert.equal(take(block, bytes.subarray(1)).code, 'damaged');
    assert.equal(take(block, changed), true);
  }
  assert.equal(finish().code, 'damaged');
});

test('the engine loads from a page or reports that it is damaged', async () => {
  const whole = { 'neutreeko-wasm': deflateSync(wasm).toString('base64'), 'neutreeko-table': table.toString('base64') };
  const page = (texts) => ({ getElementById: (id) => (texts[id] === undefined ? null : { textContent: texts[id] }) });
  assert.equal((await loadEngineFromPage(page(whole))).start, engine.start);
  for (const id of Object.keys(whole)) {
    const text = whole[id];
    const changed = `${text.slice(0, 5000)}${text[5000] === 'A' ? 'B' : 'A'}${text.slice(5001)}`;
    for (const bad of [undefined, '', '!', text.slice(0, -8), changed]) {
      const loading = loadEngineFromPage(page({ ...whole, [id]: bad }));
      await assert.rejects(loading, { name: 'EngineError', kind: 'damaged' }, `${id}: ${bad?.length}`);
    }
  }
});
