// Tests of web/solve.js: boards solved by the WebAssembly module, compared with data/boards.json and the programs.
// From the environment: NEUTREEKO, NEUTREEKO_SOLVE (programs), NEUTREEKO_WASM, NEUTREEKO_SOLVE_WASM,
// NEUTREEKO_SOLVE_THREADS_WASM, NEUTREEKO_TABLE (files), THOROUGH (not empty to solve larger boards).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { bytesSource, EngineError, loadEngine, openTable } from '../../web/engine.js';
import { estimate, solve } from '../../web/solve.js';
import { contentsOf, solveNatively } from './programs.mjs';
import { solveHost } from './solve_host.mjs';

const { NEUTREEKO_WASM, NEUTREEKO_SOLVE_WASM, NEUTREEKO_SOLVE_THREADS_WASM, THOROUGH } = process.env;
const wasm = readFileSync(NEUTREEKO_WASM);

const host = solveHost(NEUTREEKO_SOLVE_WASM, NEUTREEKO_SOLVE_THREADS_WASM);

const BOARD = { width: 7, height: 7, pieces: 3, row: 3, win: 'line' };
const known = JSON.parse(readFileSync(new URL('../../data/boards.json', import.meta.url), 'utf8'));
const isQuick = ({ legal, draws }) => legal < 4e6 && draws < 3e5; // many draws have many trap values
for (const expected of known.filter((board) => isQuick(board) || (THOROUGH && board.legal < 8e7))) {
  const { board: size, pieces, row, win } = expected;
  test(`the totals, codes and trap values of ${size}, ${pieces} pieces, ${row} in a row, ${win}`, async () => {
    let last;
    const onProgress = (progress) => {
      if (progress.phase === 'solving') last = progress;
    };
    const table = await solve({ width: +size[0], height: +size[2], pieces, row, win }, { host, onProgress });
    assert.deepEqual(last.distances, expected.by_distance);
    assert.deepEqual([last.total, last.undecided], [expected.legal, expected.draws]);
    const path = solveNatively(`${size}/${pieces}/${win}`, `--row=${row}`);
    assert.deepEqual(contentsOf(Buffer.from(table)), contentsOf(readFileSync(path)));
  });
}

test('a table comes early, before its blocks are compressed', async () => {
  let early;
  const table = await solve({ ...BOARD, width: 4, height: 4 }, { host, onEarly: (bytes) => (early = bytes) });
  assert.deepEqual(contentsOf(Buffer.from(early)), contentsOf(Buffer.from(table)));
  assert.equal((await loadEngine(wasm, early)).summary.draws, 7972);
});

test('an invalid board is refused, and solving ends when it is aborted', async () => {
  for (const change of [{ width: 9 }, { pieces: 6 }, { row: 4 }, { win: 'x' }, { win: 'equidistant', pieces: 4, row: 4 }])
    await assert.rejects(solve({ ...BOARD, ...change }, { host }), { kind: 'refused' });
  assert.deepEqual(estimate({ ...BOARD, row: 4 }).refused, { reason: 'row' });
  const controller = new AbortController();
  const stopped = [];
  const start = (...args) => {
    const worker = host.start(...args);
    return { ...worker, terminate: () => stopped.push(worker.terminate()) };
  };
  const solved = solve(BOARD, { host: { ...host, start }, threads: 2, signal: controller.signal, onProgress: () => controller.abort() });
  await assert.rejects(solved, { kind: 'aborted' });
  assert.equal(stopped.length, 2);
});

const [small, medium, bytes] = ['4x6/3', '5x6/3', '6x6/3'].map((board) => readFileSync(solveNatively(board)));

/** What a worker does first so that it waits for its helpers: without them it might be done before they are ready. */
const patient = `const { postMessage } = MessagePort.prototype;
MessagePort.prototype.postMessage = function (message, ...more) {
  postMessage.call(this, message, ...more);
  if (message.memory) Atomics.wait(require('node:worker_threads').workerData, 0, message.number);
};`;

/** Solves the board of a table. `start` replaces that of the host. Returns what its table has, and how many workers helped. */
async function solveInThreads(table, threads, start = host.start) {
  const helpers = new Int32Array(new SharedArrayBuffer(4));
  const counting = (onMessage, onError) =>
    start((message) => {
      if (message.ready) Atomics.add(helpers, 0, 1);
      Atomics.notify(helpers, 0);
      onMessage(message);
    }, onError, patient, helpers);
  const solved = await solve({ ...BOARD, width: table[12], height: table[13] }, { host: { ...host, start: counting }, threads });
  return [contentsOf(Buffer.from(solved)), helpers[0]];
}

test('several threads compute what a single one does', async () => {
  for (const [table, threads, helpers] of [[medium, 2, 1], [medium, 100, 2], ...(THOROUGH ? [[bytes, 100, 1]] : [])])
    assert.deepEqual(await solveInThreads(table, threads), [contentsOf(table), helpers]);
});

test('without shared memory, or without workers that help, a single thread solves the board', async () => {
  const refusing = (onMessage, onError) => host.start(onMessage, onError, 'WebAssembly.Memory = function () { throw new RangeError("refused"); };');
  assert.deepEqual(await solveInThreads(small, 2, refusing), [contentsOf(small), 0]);
  let started = 0;
  const failing = (onMessage, onError) => host.start(onMessage, onError, started++ ? '' : 'throw new Error("it cannot be started");');
  assert.deepEqual(await solveInThreads(small, 2, failing), [contentsOf(small), 0]);
});

test('a worker that dies while it helps is reported', async () => {
  const dying = (onMessage, onError, ...more) =>
    host.start((message) => {
      onMessage(message);
      if (message.ready) onError('killed');
    }, onError, ...more);
  await assert.rejects(solveInThreads(medium, 2, dying), { kind: 'failed', message: 'the solver stopped: killed' });
});

test('a table that is read in parts gives its first values after few reads', async () => {
  const reads = [];
  const { size, read } = bytesSource(bytes);
  const engine = await openTable(wasm, { size, read: (offset, length) => (reads.push(length), read(offset, length)) });
  assert.deepEqual([engine.complete, engine.board], [false, { width: 6, height: 6, pieces: 3, row: 3, win: 'line' }]);
  assert.throws(() => engine.distances(), { kind: 'failed' });
  await engine.whenLoaded(() => engine.moves('2ww2/2b3/6/6/3b2/1bw3 b'));
  assert.ok(reads.length < 30 && reads.reduce((sum, length) => sum + length) < 200_000, `reads of ${reads} bytes`);
});

test('every function works with a table that is read in parts', async () => {
  const [whole, parts] = [await loadEngine(wasm, small), await openTable(wasm, bytesSource(small), { complete: false })];
  const start = await parts.whenLoaded(() => parts.startProposal());
  assert.equal(start, whole.start);
  const [one, other] = [{ engine: whole, game: whole.newGame() }, { engine: parts, game: parts.newGame(start) }];
  const same = async (call) => {
    const expected = call(one);
    assert.deepEqual(await parts.whenLoaded(() => call(other)), expected);
    return expected;
  };
  for (let ply = 0; ply < (THOROUGH ? 500 : 100); ply++) {
    const { over, position, plies } = one.game.state();
    if (over) {
      await same(({ game }) => game.goto(plies >> 1));
      continue;
    }
    const opponent = ['random', 'perfect', 'level:3', 'level:9', 'rules', 'weakest'][ply % 6];
    const move = await same(({ game }) => game.opponentMove(opponent, ply));
    await same(({ engine, game }) => [engine.value(position), engine.moves(position), game.why(plies, move), game.options()]);
    await same(({ game }) => game.play(move));
  }
  for (const call of ['state', 'review', 'bestLine', 'record']) await same(({ game }) => game[call]());
  for (const plies of [3, 99]) assert.equal((await same(({ engine }) => engine.samplePuzzle(plies, plies, 1))) === null, plies === 99);
});

test('a source that fails, is short, or has another file is reported', async () => {
  const reading = (read, size = bytes.length) => openTable(wasm, { size, read });
  const part = async (offset, length) => bytes.subarray(offset, offset + length);
  await assert.rejects(reading(async () => { throw new EngineError('failed', 'gone'); }), { message: 'gone' });
  await assert.rejects(reading(async (offset, length) => part(offset, length - 1)), { kind: 'damaged' });
  await assert.rejects(openTable(wasm, bytesSource(Uint8Array.from(wasm))), { kind: 'damaged', message: /not a table/ });
  const later = async (offset, length) => Uint8Array.from(await part(offset, length), (byte) => byte ^ (offset > 1e5 ? 1 : 0));
  const engine = await reading(later);
  await assert.rejects(engine.whenLoaded(() => engine.startProposal()), { kind: 'damaged', message: /checksum of block/ });
});
