// Tests of web/engine/solve.ts: boards solved by the WebAssembly module, compared with
// data/boards.json and the programs.
// From the environment: NEUTREEKO, NEUTREEKO_SOLVE (programs), NEUTREEKO_WASM,
// NEUTREEKO_TABLE (files), THOROUGH (not empty to solve larger boards).

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test as testWithin } from 'node:test';
import { deflateSync, gzipSync, inflateSync } from 'node:zlib';

import { compressor, deflate, inflate, uncompressor } from '../../web/engine/codec.js';
import { Engine, loadEngine, openTable } from '../../web/engine/engine.js';
import { copyTable, estimateIn, Module } from '../../web/engine/module.js';
import { contentsOf as contentsIn, openContents, solve as solveIn, solveInMemory } from '../../web/engine/solve.js';
import { folder, solveNatively } from './programs.mjs';
import { solveHost } from './solve_host.mjs';

const { NEUTREEKO_SOLVE, NEUTREEKO_WASM, THOROUGH } = process.env;
const wasm = readFileSync(NEUTREEKO_WASM);

const host = solveHost(NEUTREEKO_WASM);
const solve = (board, { host: from = host, ...options } = {}) => solveIn(from, board, options);

const LONGEST = 5 * 60 * 1000; // milliseconds of a test; most take less than a second

/** A test that fails, under its name, if something that it waits for does not come. */
const test = (name, use) => testWithin(name, { timeout: LONGEST }, use);

/**
 * What a table has, however it is compressed (docs/FORMATS.md): the header up to the size of the file, the checksum of
 * all codes, and the blocks, those of codes and then as many of traps.
 */
function contentsOf(table) {
  const count = 2 * table.readUInt32LE(92);
  const blocks = [];
  let from = 112 + 16 * count; // the header, and an item of the list for each block
  for (let number = 0; number < count; number++) {
    const end = Number(table.readBigUInt64LE(112 + 16 * number));
    blocks.push(end > from ? inflateSync(table.subarray(from, end)) : null);
    from = end;
  }
  return { header: table.subarray(0, 80), checksum: table.subarray(96, 104), blocks };
}

const BOARD = { width: 7, height: 7, pieces: 3, row_length: 3, win: 'line' };
const known = JSON.parse(readFileSync(new URL('../../data/boards.json', import.meta.url), 'utf8'));
const isQuick = ({ legal, win }) => legal < (win === 'line' ? 1e6 : 4e6); // every condition, and small boards
for (const expected of known.filter((board) => isQuick(board) || (THOROUGH && board.legal < 8e7))) {
  const { board: size, pieces, row_length: row, win } = expected;
  test(`the totals, codes and trap values of ${size}, ${pieces} pieces, ${row} in a row, ${win}`, async () => {
    let last;
    const reached = {};
    const onProgress = (progress) => {
      const { phase, done } = progress;
      assert.ok(done >= (reached[phase] ?? 0), `${phase}: ${done}`);
      reached[phase] = done;
      if (phase === 'solving') last = progress;
    };
    const board = { width: Number(size[0]), height: Number(size[2]), pieces, row_length: row, win };
    const table = await solve(board, { host, onProgress });
    assert.deepEqual(Object.keys(reached), ['solving', 'writing', 'traps']);
    assert.deepEqual([reached.solving, reached.writing], [(expected.legal - expected.draws) / expected.legal, 1]);
    assert.ok(reached.traps > 0 || !expected.draws, `${reached.traps}`);
    assert.deepEqual(last.by_plies, expected.by_plies);
    assert.equal(last.ply, expected.by_plies.length - 1);
    assert.equal(last.total, expected.legal);
    assert.equal(last.undecided, expected.draws);
    const path = solveNatively(`${size}/${pieces}/${win}`, `--row=${row}`);
    assert.deepEqual(contentsOf(Buffer.from(table)), contentsOf(readFileSync(path)));
    const engine = await loadEngine(wasm, table);
    assert.equal(engine.countByPlies().longest, expected.longest_example);
  });
}

for (const [what, change] of [
  ['too wide', { width: 9 }],
  ['of too many pieces', { pieces: 6 }],
  ['with too long rows', { row_length: 4 }],
  ['with an unknown winning condition', { win: 'x' }],
  ['whose winning condition does not fit the pieces', { win: 'equidistant', pieces: 4, row_length: 4 }],
])
  test(`a board ${what} is refused`, async () => {
    await assert.rejects(solve({ ...BOARD, ...change }, { host }), { code: 'rules' });
  });

test('an unknown winning condition is named', async () => {
  await assert.rejects(solve({ ...BOARD, win: 'x' }, { host }),
    { message: "a winning condition of 'x': expected line, orthogonal, diagonal, equidistant or centre" });
});

/** The estimate of a board that differs from BOARD in some way. */
const estimateOf = async (changes) =>
  estimateIn(await Module.instantiate(wasm), { ...BOARD, ...changes }, Number.POSITIVE_INFINITY);

test('an estimate says why a board is refused', async () => {
  assert.deepEqual((await estimateOf({ row_length: 4 })).refused, { reason: 'row' });
  assert.deepEqual((await estimateOf({ pieces: 5 })).refused, { reason: 'memory', limit: 2 ** 32 });
});

test('an estimate has the placements of a board', async () => {
  assert.equal((await estimateOf({ width: 5, height: 5 })).positions, 3542000); // C(25, 3) * C(22, 3)
});

test('an estimate has the memory for trap values', async () => {
  const { bytes } = await estimateOf({});
  assert.ok(bytes > 2 ** 26, `${bytes} bytes`); // without them 2 ** 26 would do
});

test('solving that is aborted ends, and so do its worker and its wait for the signal', async () => {
  const controller = new AbortController();
  const onProgress = () => controller.abort();
  const stopped = [];
  const start = (...args) => {
    const worker = host.start(...args);
    return { ...worker, terminate: () => stopped.push(worker.terminate()) };
  };
  const done = solve(BOARD, { host: { ...host, start }, signal: controller.signal, onProgress });
  await assert.rejects(done, { code: 'aborted' });
  assert.equal(stopped.length, 1);
  assert.deepEqual(getEventListeners(controller.signal, 'abort'), []);
  const unused = { ...host, start: () => assert.fail('nothing is started for a signal that is aborted already') };
  await assert.rejects(solve(BOARD, { host: unused, signal: controller.signal }), { code: 'aborted' });
});

const [small, large] = ['4x6/3', '6x6/3'].map((board) => readFileSync(solveNatively(board)));

test('a worker that cannot be started is reported', async () => {
  const failing = (onMessage, onError) => host.start(onMessage, onError, 'throw new Error("it cannot be started");');
  await assert.rejects(solve(BOARD, { host: { ...host, start: failing } }), {
    code: 'module',
    message: /^the solver stopped: .*it cannot be started/,
  });
});

test('a worker that dies is reported', async () => {
  const dying = (onMessage, onError) => {
    const die = (message) => (message.progress ? onError('killed') : onMessage(message));
    return host.start(die, onError);
  };
  await assert.rejects(solve(BOARD, { host: { ...host, start: dying } }), {
    code: 'module',
    message: 'the solver stopped: killed',
  });
});

/** What neutreeko-solve --check prints about the table in a file, and its exit status. */
function checkFile(path) {
  const { status, stderr } = spawnSync(NEUTREEKO_SOLVE, ['--check', path, '--quiet'], { encoding: 'utf8' });
  return { status, stderr };
}

function check(table) {
  const path = join(folder, 'solved.dat');
  writeFileSync(path, table);
  return checkFile(path);
}

test('neutreeko-solve verifies the table', async () => {
  const board = { ...BOARD, width: 4, height: 5, win: 'diagonal' };
  const table = await solve(board, { host });
  assert.deepEqual(check(table), { status: 0, stderr: '' });
  assert.deepEqual(contentsOf(Buffer.from(table)), contentsOf(readFileSync(solveNatively('4x5/3/diagonal'))));
  const withoutTraps = await solve(board, { host, traps: false });
  assert.deepEqual(check(withoutTraps), { status: 0, stderr: '' });
  assert.ok(withoutTraps.length < table.length);
});

test('a board that is not square is printed, and has the squares of its own', async () => {
  const engine = await loadEngine(wasm, await solve({ ...BOARD, width: 3, height: 4 }, { host }));
  const position = 'b2/w2/2b/bww b';
  assert.equal(engine.ascii(position), ' 4  b . .\n 3  w . .\n 2  . . b\n 1  b w w\n    a b c\n');
  const moves = engine.newGame(position).moves({ square: 'a4' });
  assert.deepEqual(moves.map(({ move }) => move), ['a4-c4', 'a4-b3']);
});

test('a board without a start position has no proposal', async () => {
  const table = await solve({ ...BOARD, width: 3, height: 3, pieces: 4, row_length: 2 }, { host });
  const engine = await loadEngine(wasm, table);
  assert.equal(engine.suggestedStart(), null);
});

test('a board that is solved in memory goes through three phases', async () => {
  const module = await Module.instantiate(wasm);
  module.useBoard({ width: 4, height: 4 });
  const phases = new Set(Array.from(solveInMemory(module), ({ phase }) => phase));
  assert.deepEqual([...phases], ['solving', 'writing', 'traps']);
});

/** The engine of a board that a module has solved in memory. */
async function solveHere(board) {
  const module = await Module.instantiate(wasm);
  module.useBoard(board);
  const counts = [];
  for (const { by_plies: byPlies } of solveInMemory(module)) counts.push(byPlies.length);
  return { module, engine: new Engine(module, true), counts };
}

/** Checks that an engine has the values, the trap values and the counts of a table. */
async function hasValuesOf(engine, table) {
  const whole = await loadEngine(wasm, table);
  engine.loadValues();
  assert.deepEqual(engine.board, whole.board);
  assert.deepEqual(engine.summary, whole.summary);
  assert.deepEqual(engine.countByPlies(), whole.countByPlies());
  assert.deepEqual(engine.fairStarts(), whole.fairStarts());
  const [game, other] = [engine, whole].map((one) => one.newGame(one.suggestedStart()));
  for (let ply = 0; ply < 30 && !game.state().end; ply++) {
    assert.deepEqual(game.choices(), other.choices());
    const { move } = game.choices().at(-1);
    for (const one of [game, other]) one.play(move);
  }
}

test('a board that is solved in memory has the values of its table, which move to another module', async () => {
  const board = { ...BOARD, width: 4, height: 6 };
  const { module, engine, counts } = await solveHere(board);
  await hasValuesOf(engine, small);
  assert.deepEqual(counts.slice(0, 4), [0, 1, 2, 3]); // after each ply
  const other = await Module.instantiate(wasm);
  other.useBoard(board);
  openContents(other, contentsIn(module));
  await hasValuesOf(new Engine(other, true), small);
});

test('a board without draws moves to another module', async () => {
  const board = { ...BOARD, width: 3, height: 3, pieces: 2, row_length: 2 };
  const { module, engine } = await solveHere(board);
  const other = await Module.instantiate(wasm);
  other.useBoard(board);
  openContents(other, contentsIn(module));
  assert.deepEqual(new Engine(other, true).summary, engine.summary);
});

test('before its board is solved, an engine has the rules and says that it has no values', async () => {
  const module = await Module.instantiate(wasm);
  module.useBoard({ width: 4, height: 4 });
  const engine = new Engine(module, false);
  const game = engine.newGame('w2w/4/b2b/1wb1 b');
  assert.equal(game.moves().length, (await solveHere({ width: 4, height: 4 })).engine.moves('w2w/4/b2b/1wb1 b').length);
  game.play(game.moves()[0].move);
  const error = { code: 'unsupported', message: 'the board has not been solved' };
  for (const ask of [() => engine.value('w2w/4/b2b/1wb1 b'), () => game.choices(), () => game.opponentMove('perfect'),
    () => game.review(), () => engine.puzzleKinds(), () => engine.suggestedStart(), () => engine.countByPlies()])
    assert.throws(ask, error);
  module.useBoard({ width: 5, height: 4 });
  assert.equal(new Engine(module, false).board.width, 5);
});

test('every function works with a table whose values are not in memory', async () => {
  const whole = await loadEngine(wasm, small);
  const parts = await openTable(wasm, small, { complete: false });
  assert.equal(parts.complete, false);
  const start = parts.suggestedStart();
  assert.equal(start, whole.suggestedStart());
  const expected = { engine: whole, game: whole.newGame(start) };
  const found = { engine: parts, game: parts.newGame(start) };
  /** Checks that a call has the same answer in both engines, and returns it. */
  const same = (call) => {
    const answer = call(expected);
    assert.deepEqual(call(found), answer);
    return answer;
  };
  const opponents = ['random', 'perfect', 'level:3', 'level:9', 'rules', 'weakest'];
  for (let ply = 0; ply < (THOROUGH ? 500 : 100); ply++) {
    const { end, position, plies } = expected.game.state();
    if (end) {
      same(({ game }) => game.goto(plies >> 1));
      continue;
    }
    const opponent = opponents[ply % opponents.length];
    const move = same(({ game }) => game.opponentMove(opponent, ply));
    same(({ engine }) => engine.value(position));
    same(({ engine }) => engine.moves(position));
    same(({ game }) => game.why(plies, move));
    same(({ game }) => game.choices());
    same(({ game }) => game.play(move));
  }
  same(({ game }) => game.state());
  same(({ game }) => game.review());
  same(({ game }) => game.bestLine());
  same(({ game }) => game.record());
  assert.notEqual(same(({ engine }) => engine.samplePuzzle(3, 3, 1)), null);
  assert.equal(same(({ engine }) => engine.samplePuzzle(99, 99, 1)), null);
});

/** Serves the large table: /table.dat with its length, /chunked.dat without, /packed.dat compressed; nothing else. */
async function serveTable() {
  const packed = gzipSync(large);
  const answers = {
    '/table.dat': [{ 'content-length': large.length }, large],
    '/chunked.dat': [{}, large],
    '/packed.dat': [{ 'content-length': packed.length, 'content-encoding': 'gzip' }, packed],
  };
  const server = createServer(({ url }, response) => {
    const [headers, content] = answers[url] ?? [];
    return content ? response.writeHead(200, headers).end(content) : response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, address: `http://127.0.0.1:${server.address().port}` };
}

/** Checks that the large table can be opened, with progress to the end. */
async function checkOpening(table) {
  const shares = [];
  const engine = await openTable(wasm, table, { onProgress: (share) => shares.push(share) });
  assert.deepEqual(engine.board, { width: 6, height: 6, pieces: 3, row_length: 3, win: 'line' });
  assert.equal(engine.complete, false);
  assert.equal(shares.at(-1), 1);
}

test('a table comes from bytes or from a file', async () => {
  await checkOpening(large);
  await checkOpening(new Blob([large]));
});

test('a table comes from an address', async (context) => {
  const { server, address } = await serveTable();
  context.after(() => server.close()); // also if a check fails: the process would not end
  await checkOpening(`${address}/table.dat`);
  await checkOpening(new URL(`${address}/chunked.dat`));
  await checkOpening(`${address}/packed.dat`);
  const missing = { code: 'read', message: /missing.dat: status 404/ };
  await assert.rejects(openTable(wasm, `${address}/missing.dat`), missing);
  server.close();
  server.closeAllConnections(); // Node.js 18 leaves idle ones open, which would still be answered
  await assert.rejects(openTable(wasm, `${address}/table.dat`), { code: 'read', message: /cannot fetch/ });
});

/** A file of the large table's size or another one, that has the table or what a stream is made of. */
function fileOf(source, size = large.length) {
  const stream = () => (source ? new ReadableStream(source) : new Blob([large]).stream());
  return Object.defineProperties(new Blob(), { size: { value: size }, stream: { value: stream } });
}

test('a table that is read in parts gives its first values after few reads', async () => {
  const reads = [];
  const read = (offset, length) => {
    reads.push(length);
    return large.subarray(offset, offset + length);
  };
  const engine = await openTable(wasm, { size: large.length, read });
  const whole = await openTable(wasm, large);
  const position = '2ww2/2b3/6/6/3b2/1bw3 b';
  assert.deepEqual(engine.moves(position), whole.moves(position));
  const bytes = reads.reduce((sum, length) => sum + length);
  assert.ok(reads.length < 200, `${reads.length} reads`);
  assert.ok(bytes < 200_000, `${bytes} bytes`);
});

test('a source that fails is reported, and can be read later', async () => {
  let isGone = false;
  const read = (offset, length) => {
    if (isGone) throw new Error('gone');
    return large.subarray(offset, offset + length);
  };
  const engine = await openTable(wasm, { size: large.length, read });
  const position = '2ww2/2b3/6/6/3b2/1bw3 b';
  const game = engine.newGame(position);
  game.play(game.moves()[0].move);
  isGone = true;
  const gone = { code: 'read', message: 'cannot read the table: gone' };
  assert.throws(() => engine.moves(position), gone);
  assert.throws(() => game.review(), gone);
  isGone = false;
  assert.equal(engine.moves(position).length, 17);
});

test('a source that gives other bytes than it was asked for is reported', async () => {
  for (const more of [-1, 1]) {
    const read = (offset, length) => new Uint8Array(length + more).fill(offset);
    const rejected = { code: 'read', message: 'cannot read the table: the table has changed' };
    await assert.rejects(openTable(wasm, { size: large.length, read }), rejected);
  }
});

test('of a file that becomes longer, nothing is copied beyond the room for it', async () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const rejected = copyTable(fileOf({ start: (to) => [60, 60].map((n) => to.enqueue(new Uint8Array(n).fill(1))) }, 100),
    memory, () => 8);
  await assert.rejects(rejected, { code: 'corrupt' });
  const { buffer } = memory;
  assert.deepEqual(new Uint8Array(buffer, 108, 20), new Uint8Array(20));
});

test('a file that cannot be read is reported', async () => {
  const fail = {
    pull() {
      throw new Error('gone');
    },
  };
  await assert.rejects(openTable(wasm, fileOf(fail)), { code: 'read', message: 'cannot read the table: gone' });
});

test('a file that becomes longer or shorter is reported', async () => {
  await assert.rejects(openTable(wasm, fileOf(null, large.length - 1)), { code: 'corrupt' });
  await assert.rejects(openTable(wasm, fileOf(null, large.length + 1)), { code: 'corrupt' });
});

test('a file that is too large is refused, with the command that answers instead', async () => {
  const message = /a table of 10000000000 bytes, more than 2000000000: use neutreeko query --table/;
  await assert.rejects(openTable(wasm, fileOf(null, 1e10)), { code: 'memory', message });
});

test('a file that is not a table is reported', async () => {
  await assert.rejects(openTable(wasm, wasm), { code: 'not_table', message: /not a table/ });
});

test('damaged blocks are reported when they are needed', async () => {
  const damaged = Uint8Array.from(large, (byte, at) => byte ^ (at > 1e5 ? 1 : 0));
  const engine = await openTable(wasm, damaged);
  assert.throws(() => engine.suggestedStart(), { code: 'corrupt', message: /checksum of block/ });
});

// ---- compression ----

const content = Uint8Array.from({ length: 16384 }, (_, at) => ((at * at) >> 9) % 6); // few values, as packed codes

test('blocks anywhere in 4 GiB of memory are compressed and uncompressed', () => {
  const memory = { buffer: new ArrayBuffer(2 ** 31 + 2 ** 17) };
  const [compress, uncompress] = [compressor(() => memory).compress, uncompressor(() => memory).uncompress];
  const [from, packed, to] = [0, 1, 3].map((n) => (2 ** 31 + n * 2 ** 15) | 0); // as a module passes them
  new Uint8Array(memory.buffer).set(content, from >>> 0);
  const length = compress(from, content.length, packed);
  assert.equal(uncompress(packed, length, to, content.length), content.length);
  assert.deepEqual(new Uint8Array(memory.buffer, to >>> 0, content.length), content);
});

/** The stream of the content, in a buffer with other bytes after it. */
function compress() {
  const buffer = new Uint8Array(30000);
  const length = deflate(content, buffer);
  return { buffer, length };
}

test('blocks are compressed as zlib streams', () => {
  const { buffer, length } = compress();
  assert.deepEqual(inflateSync(buffer.subarray(0, length)), Buffer.from(content));
  assert.ok(length < content.length, `${length} bytes`);
});

test('blocks that another zlib has compressed are uncompressed', () => {
  const output = new Uint8Array(content.length);
  assert.equal(inflate(deflateSync(content), output), content.length);
  assert.deepEqual(output, content);
});

test('what is not one stream for which there is room is refused', () => {
  const { buffer, length } = compress();
  const stream = buffer.subarray(0, length);
  const output = new Uint8Array(content.length);
  assert.equal(inflate(stream.subarray(0, -1), output), -1);
  assert.equal(inflate(stream.subarray(1), output), -1);
  assert.equal(inflate(stream.subarray(0, 0), output), -1);
  assert.equal(inflate(buffer.subarray(0, length + 1), output), -1);
  assert.equal(inflate(stream, output.subarray(1)), -1);
  assert.equal(inflate(stream, new Uint8Array(content.length + 1)), content.length);
});
