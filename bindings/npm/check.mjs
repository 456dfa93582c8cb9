// Packs the npm package and tests it as installed from the tarball in an empty project.
// Usage: check.mjs WASM SOLVE_WASM THREADS_WASM TABLE VERSION DIRECTORY; the tarball stays in the directory.
// From the environment: NODE_MODULES, a directory with typescript and playwright-core; THOROUGH, to test in Chromium too.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const [wasm, solveWasm, threadsWasm, table, version, directory] = process.argv.slice(2);
const here = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
const project = mkdtempSync(join(tmpdir(), 'neutreeko-npm-'));
after(() => rmSync(project, { recursive: true }));

function run(command, args, cwd = project) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', env: { ...process.env, npm_config_update_notifier: 'false' } });
}

function pack() {
  const source = join(directory, 'package');
  rmSync(source, { recursive: true, force: true });
  mkdirSync(source, { recursive: true });
  const own = ['README.md', 'browser.js', 'index.d.ts', 'node.js', 'node_worker.js'];
  for (const name of own) copyFileSync(join(here, name), join(source, name));
  for (const name of ['engine.js', 'solve.js', 'solve_worker.js', 'solver.js'])
    copyFileSync(join(here, '../../web', name), join(source, name));
  copyFileSync(join(here, '../../LICENSE'), join(source, 'LICENSE'));
  copyFileSync(wasm, join(source, 'neutreeko.wasm'));
  copyFileSync(solveWasm, join(source, 'neutreeko-solve.wasm'));
  copyFileSync(threadsWasm, join(source, 'neutreeko-solve-threads.wasm'));
  copyFileSync(table, join(source, 'perfect_move.dat'));
  const about = { ...JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')), version };
  writeFileSync(join(source, 'package.json'), `${JSON.stringify(about, null, 2)}\n`);
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', directory], source));
  return { ...packed, path: join(directory, packed.filename) };
}

const packed = pack();
writeFileSync(join(project, 'package.json'), '{"name": "empty", "private": true, "type": "module"}\n');
run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed.path]);
const installed = join(project, 'node_modules/neutreeko');
cpSync(join(here, 'use.ts'), join(project, 'use.ts'));
// This file is outside of the project, so it imports the package by the name of the file that the name stands for.
const entry = run('node', ['--input-type=module', '-e', "console.log(import.meta.resolve?.('neutreeko') ?? '')"]).trim();
const { bytesSource, EngineError, estimate, load, loadEngine, measure, solve } = await import(entry || join(installed, 'node.js'));
const engine = await load();

test('the package has its files, its version and no dependencies', () => {
  const files = packed.files.map(({ path }) => path).sort();
  assert.deepEqual(files, [
    'LICENSE',
    'README.md',
    'browser.js',
    'engine.js',
    'index.d.ts',
    'neutreeko-solve-threads.wasm',
    'neutreeko-solve.wasm',
    'neutreeko.wasm',
    'node.js',
    'node_worker.js',
    'package.json',
    'perfect_move.dat',
    'solve.js',
    'solve_worker.js',
    'solver.js',
  ]);
  const about = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  assert.deepEqual([about.version, about.dependencies], [version, undefined]);
});

test('the example of the README works', () => {
  const example = readFileSync(join(installed, 'README.md'), 'utf8').match(/```js\n(.*?)```/s)[1];
  writeFileSync(join(project, 'example.js'), example);
  const printed = run('node', ['example.js']);
  assert.ok(printed.startsWith("{ result: 'draw', plies: 0 }\nb1-c1\n"), printed);
  assert.match(printed, /threefold repetition/);
});

test('positions, values, games and reviews', () => {
  assert.deepEqual(engine.summary, { legal: 3468080, wins: 2473028, losses: 890392, draws: 104660, longest: 51 });
  assert.deepEqual(engine.value('5/b4/1w3/w1b2/b3w b'), { result: 'win', plies: 51 });
  const { game } = engine.readGame('1. b1-c1 c2-c3 2. c1-a1');
  assert.deepEqual(
    game.review().map(({ mark, better }) => [mark, better]),
    [
      ['', 'b1-c1'],
      ['', 'c2-c3'],
      ['?', 'c1-a3'],
    ],
  );
  assert.equal(game.opponentMove('perfect', 7), game.opponentMove('perfect', 7));
  game.free();
});

test('another board is solved and played', async () => {
  const board = { width: 4, height: 4, pieces: 3, row: 3, win: 'orthogonal' };
  const { positions, bytes, seconds, refused } = estimate(board, { speed: await measure() });
  assert.deepEqual([positions, refused], [160160, null]);
  assert.ok(bytes < 1e8 && seconds < 10);
  const solved = await load(bytesSource(await solve(board)));
  assert.deepEqual(solved.board, board);
  const game = solved.newGame();
  while (!game.state().over) game.play(game.opponentMove('perfect', 1));
  const larger = { ...board, width: 5, height: 6 };
  assert.equal(estimate(larger, { threads: 2 }).threads, 2);
  assert.deepEqual(await solve(larger, { threads: 2 }), await solve(larger, { threads: 1 }));
  await assert.rejects(solve({ ...board, row: 4 }), { name: 'EngineError', kind: 'refused' });
});

test('invalid input is rejected, and the engine works afterwards', () => {
  const invalid = ['', 'x', null, undefined, 5, {}, '\0', '\ud800', new Uint8Array(8), '1'.repeat(1 << 20)];
  for (const thing of invalid) {
    for (const call of [engine.value, engine.moves]) {
      assert.throws(() => call.call(engine, thing), { name: 'EngineError', kind: 'failed' });
    }
    const { ok, error, at } = engine.checkPosition(thing);
    assert.deepEqual([ok, typeof error, at > 0], [false, 'string', true]);
    assert.equal(engine.newGame().play(thing).ok, false);
    if (thing !== '') assert.equal(engine.readGame(thing).ok, false);
  }
  const game = engine.newGame();
  for (const seed of [1.5, undefined, null, 'x']) assert.throws(() => game.opponentMove('perfect', seed), EngineError);
  assert.throws(() => game.opponentMove(null, 1), EngineError);
  game.free();
  for (const call of [() => game.state(), () => game.play('b1-c1'), () => game.free(), () => game.why(0, 'b1-c1')]) {
    assert.throws(call, { name: 'EngineError', message: 'this game has been freed' });
  }
  assert.equal(engine.value(engine.start).result, 'draw');
});

test('the package works in Chromium', { skip: !process.env.THOROUGH }, async () => {
  const { launch } = await import('../../tests/web/browser.mjs');
  const types = { html: 'text/html', js: 'text/javascript', wasm: 'application/wasm', dat: 'application/octet-stream' };
  const server = createServer(({ url }, response) => {
    const name = url.slice(1);
    response.setHeader('content-type', types[name.split('.').at(-1)] ?? 'text/plain');
    if (name === 'index.html') response.end('<!doctype html>');
    else if (/^[\w.-]+$/.test(name) && packed.files.some(({ path }) => path === name))
      response.end(readFileSync(join(installed, name)));
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/index.html`);
    const answer = await page.evaluate(async () => {
      const { load, solve, urlSource } = await import('/browser.js');
      const engine = await load();
      const table = await solve({ width: 4, height: 4, pieces: 3, row: 3, win: 'line' });
      const reason = await urlSource('/perfect_move.dat').catch((error) => error.message);
      return [engine.value(engine.start), engine.newGame().opponentMove('perfect', 1), table.length > 5000, reason];
    });
    const move = engine.newGame().opponentMove('perfect', 1);
    const reason = 'cannot fetch /perfect_move.dat: this server sends only complete files';
    assert.deepEqual(answer, [{ result: 'draw', plies: 0 }, move, true, reason]);
  } finally {
    await browser.close();
    server.close();
  }
});

test('a damaged module or table is rejected', async () => {
  const bytes = [readFileSync(wasm), readFileSync(table)];
  const changed = Uint8Array.from(bytes[1]);
  changed[5000] ^= 1;
  for (const bad of [changed, bytes[1].subarray(1), new Uint8Array()]) {
    await assert.rejects(loadEngine(bytes[0], bad), { name: 'EngineError', kind: 'damaged' });
  }
  await assert.rejects(loadEngine(new Uint8Array(100), bytes[1]), { name: 'EngineError', kind: 'failed' });
  rmSync(join(installed, 'perfect_move.dat'));
  await assert.rejects(load(), { code: 'ENOENT' });
});

test('the declarations are those of the engine, and a typed program can use them', () => {
  const declared = readFileSync(join(installed, 'index.d.ts'), 'utf8');
  const members = (name) => {
    const body = declared.match(new RegExp(`interface ${name}(?: extends \\w+)? \\{(.*?)\n\\}`, 's'))[1];
    return Array.from(body.matchAll(/^ {2}(?:readonly )?(\w+)[?(<:]/gm), ([, member]) => member);
  };
  const own = (object) => [...Object.keys(object), ...Object.getOwnPropertyNames(Object.getPrototypeOf(object))];
  const game = engine.newGame();
  const sample = { Engine: own(engine), Game: own(game), GameState: Object.keys(game.state()) };
  sample.Option = Object.keys(game.options()[0]);
  sample.Why = Object.keys(game.why(0, 'b1-c1'));
  game.play('b1-c1');
  sample.Reviewed = Object.keys(game.review()[0]);
  for (const [name, found] of Object.entries(sample)) {
    const parents = { Option: ['LegalMove', 'MoveValue'], Why: ['LegalMove'] };
    const inherited = (parents[name] ?? []).flatMap(members);
    assert.deepEqual(found.filter((member) => member !== 'constructor').sort(), [...members(name), ...inherited].sort(), name);
  }
  const tsc = createRequire(join(process.env.NODE_MODULES, 'x')).resolve('typescript/package.json');
  run('node', [join(tsc, '../bin/tsc'), '--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', 'use.ts']);
});
