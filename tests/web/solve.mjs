// Tests of web/solve.js: boards solved by the WebAssembly module, compared with data/boards.json and the programs.
// From the environment: NEUTREEKO_SOLVE (program), NEUTREEKO_WASM, NEUTREEKO_SOLVE_WASM (files), THOROUGH (not empty to
// solve larger boards).

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';

import { loadEngine } from '../../web/engine.js';
import { estimate, solve } from '../../web/solve.js';

const { NEUTREEKO_SOLVE, NEUTREEKO_WASM, NEUTREEKO_SOLVE_WASM, THOROUGH } = process.env;
const wasm = readFileSync(NEUTREEKO_WASM);
const directory = mkdtempSync(join(tmpdir(), 'neutreeko-solve-'));
after(() => rmSync(directory, { recursive: true }));

const script = `const { parentPort } = require('node:worker_threads');
parentPort.once('message', async (job) =>
  (await import(${JSON.stringify(new URL('../../web/solver.js', import.meta.url))})).work(job, (...args) => parentPort.postMessage(...args)));`;
const host = {
  wasm: async () => readFileSync(NEUTREEKO_SOLVE_WASM),
  start(onMessage, onError) {
    const worker = new Worker(script, { eval: true }).on('message', onMessage).on('error', onError);
    return { post: (job) => worker.postMessage(job), terminate: () => worker.terminate() };
  },
};

const known = JSON.parse(readFileSync(new URL('../../data/boards.json', import.meta.url), 'utf8'));
const asBoard = ({ board, pieces, row, win }) => ({ width: +board[0], height: +board[2], pieces, row, win });
const nameOf = ({ width, height, pieces, row, win }) => `${width}x${height}, ${pieces} pieces, ${row} in a row, ${win}`;

for (const expected of known.filter(({ legal }) => legal < (THOROUGH ? 8e7 : 4e6))) {
  const board = asBoard(expected);
  test(`the totals of ${nameOf(board)}`, async () => {
    let last;
    const table = await solve(board, {
      host,
      onProgress(progress) {
        if (progress.phase === 'solving') last = progress;
      },
    });
    assert.deepEqual(last.distances, expected.by_distance);
    assert.deepEqual([last.total, last.undecided], [expected.legal, expected.draws]);
    const { legal, wins, losses, draws, longest } = expected;
    if (legal < 4e6) assert.deepEqual((await loadEngine(wasm, table)).summary, { legal, wins, losses, draws, longest });
    const path = join(directory, 'table.dat');
    writeFileSync(path, table);
    execFileSync(NEUTREEKO_SOLVE, ['--quiet', '--check', path]);
  });
}

test('invalid boards are refused', async () => {
  const board = { width: 5, height: 5, pieces: 3, row: 3, win: 'line' };
  for (const change of [{ width: 9 }, { pieces: 6 }, { row: 4 }, { win: 'x' }, { win: 'equidistant', pieces: 4, row: 4 }]) {
    await assert.rejects(solve({ ...board, ...change }, { host }), { kind: 'refused' });
  }
  assert.deepEqual(estimate({ ...board, row: 4 }).refused, { reason: 'row' });
});

test('solving ends when it is aborted', async () => {
  const controller = new AbortController();
  const board = { width: 7, height: 7, pieces: 3, row: 3, win: 'line' };
  const solved = solve(board, { host, signal: controller.signal, onProgress: () => controller.abort() });
  await assert.rejects(solved, { kind: 'aborted' });
  await assert.rejects(solve(board, { host, signal: controller.signal }), { kind: 'aborted' });
});
