// Packs the npm package and tests it as installed from the tarball in an empty project.
// Usage: check.mjs WASM TABLE VERSION DIRECTORY; the tarball stays in the directory.
// From the environment: NODE_MODULES (a directory with typescript and playwright-core), PROJECT_URL (where the project
// is published, for package.json).

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';

const { buildSync } = createRequire(join(process.env.NODE_MODULES, 'x'))('esbuild');
const [wasm, table] = process.argv.slice(2, 4).map((path) => resolve(path));
const [version, directory] = process.argv.slice(4);
const here = fileURLToPath(new URL('.', import.meta.url));
const tsc = join(process.env.NODE_MODULES, 'typescript/bin/tsc');
const DECLARATIONS = ['api.d.ts', 'engine.d.ts', 'index.d.ts', 'module.d.ts'];
const project = mkdtempSync(join(tmpdir(), 'neutreeko-npm-'));
after(() => rmSync(project, { recursive: true }));

function run(command, args, cwd = project) {
  const env = { ...process.env, npm_config_update_notifier: 'false' };
  return execFileSync(command, args, { cwd, encoding: 'utf8', env });
}

/** As it can be read in stack traces, but without the comments, which name the files and so the directories. Returns
 * the packages that it contains. */
function bundle({ outfile, ...options }) {
  const { outputFiles: [{ text }], metafile } = buildSync({
    write: false,
    metafile: true,
    bundle: true,
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    loader: { '.wasm': 'binary', '.dat': 'binary', '.txt': 'text' },
    nodePaths: [process.env.NODE_MODULES],
    logLevel: 'error',
    ...options,
  });
  writeFileSync(outfile, text.replace(/^\s*\/\/ .*\n/gm, ''));
  return Object.keys(metafile.inputs).flatMap((path) => /.*\bnode_modules\/([^/]+)/.exec(path)?.slice(1) ?? []);
}

/** Writes the declarations, all in one directory. */
function declare(source) {
  const written = join(directory, 'declarations');
  rmSync(written, { recursive: true, force: true });
  run('node', [tsc, '--project', join(here, '../../web'), '--noEmit', 'false', '--emitDeclarationOnly',
    '--stripInternal', '--outDir', written]);
  for (const name of DECLARATIONS) {
    const path = name === 'index.d.ts' ? 'bindings/npm' : 'web/engine';
    const text = readFileSync(join(written, path, name), 'utf8').replaceAll('../../web/engine/', './');
    writeFileSync(join(source, name), text);
  }
}

function pack() {
  const source = join(directory, 'package');
  rmSync(source, { recursive: true, force: true });
  mkdirSync(source, { recursive: true });
  copyFileSync(join(here, 'README.md'), join(source, 'README.md'));
  copyFileSync(join(here, '../../LICENSE'), join(source, 'LICENSE'));
  const notices = run(process.env.PYTHON ?? 'python3', [join(here, '../../packaging/notices.py'), 'npm'], here);
  writeFileSync(join(source, 'THIRD-PARTY.txt'), notices);
  declare(source);
  // What the package contains besides its own program.
  const worker = join(directory, 'worker.txt');
  const contained = bundle({ entryPoints: [join(here, 'solve_worker.ts')], outfile: worker, format: 'iife' });
  const alias = { 'engine.wasm': wasm, 'worker.txt': worker };
  contained.push(
    ...bundle({ entryPoints: [join(here, 'index.ts')], outfile: join(source, 'index.js'), format: 'esm', alias }),
  );
  const about = { ...JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')), version };
  // The registry compares it with the repository that publishes the package.
  const { PROJECT_URL: url } = process.env;
  if (url) about.repository = { type: 'git', url: `git+${url}.git` };
  writeFileSync(join(source, 'package.json'), `${JSON.stringify(about, null, 2)}\n`);
  // Not those of the build directory, which may be executable, nor what the umask leaves.
  for (const name of readdirSync(source)) chmodSync(join(source, name), 0o644);
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', directory], source));
  return { ...packed, path: join(directory, packed.filename), contained };
}

const packed = pack();
writeFileSync(join(project, 'package.json'), '{"name": "empty", "private": true, "type": "module"}\n');
run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed.path]);
const installed = join(project, 'node_modules/neutreeko');
cpSync(join(here, 'use.ts'), join(project, 'use.ts'));
// This file is outside of the project, so it imports the package by the name of the file that the name stands for.
const printEntry = "console.log(import.meta.resolve?.('neutreeko') ?? '')";
const entry = run('node', ['--input-type=module', '-e', printEntry]).trim();
const neutreeko = await import(entry || join(installed, 'index.js'));
const { estimate, load, solve } = neutreeko;
const engine = await load();

test('the package has its files', () => {
  const files = packed.files.map(({ path }) => path).sort();
  const programs = ['index.js', 'package.json'];
  assert.deepEqual(files, ['LICENSE', 'README.md', 'THIRD-PARTY.txt', ...DECLARATIONS, ...programs].sort());
});

test('the package has the licences of what it contains', () => {
  const notices = readFileSync(join(installed, 'THIRD-PARTY.txt'), 'utf8');
  assert.ok(packed.contained.includes('pako'));
  for (const name of [...packed.contained, 'cloudlibc', 'musl', 'xxHash'])
    assert.ok(`\n${notices}`.includes(`\n${name}, `), name);
});

test('no file of the package is executable', () => {
  const modes = packed.files.map(({ mode }) => mode & 0o777);
  assert.deepEqual(new Set(modes), new Set([0o644]));
});

test('the package does not name the directories in which it was built', () => {
  for (const name of readdirSync(installed).filter((file) => file.endsWith('.js')))
    assert.doesNotMatch(readFileSync(join(installed, name), 'utf8'), /node_modules|package\/neutreeko/, name);
});

test('a stack trace has names and short lines', () => {
  try {
    engine.value('x');
  } catch (error) {
    const [, place] = error.stack.split('\n').filter((line) => line.includes('index.js'));
    const [, name, number] = /at (\S+) .*index\.js:(\d+):\d+/.exec(place);
    assert.equal(name, 'Engine.value');
    assert.equal(readFileSync(join(installed, 'index.js'), 'utf8').split('\n')[number - 1].trim(),
      'return this.#module.read("position", position, "web_value");');
    return;
  }
  assert.fail();
});

test('a bundle for browsers needs no other file', () => {
  const use = "import { load } from 'neutreeko'; const e = await load(); console.log(e.value(e.start).result);";
  writeFileSync(join(project, 'use-bundled.js'), use);
  const outfile = join(project, 'alone', 'bundle.mjs');
  buildSync({
    entryPoints: [join(project, 'use-bundled.js')],
    outfile,
    bundle: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
  });
  assert.deepEqual(readdirSync(join(project, 'alone')), ['bundle.mjs']);
  assert.equal(run('node', [outfile]), 'draw\n');
});

test('the package has its version and no dependencies', () => {
  const about = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  assert.equal(about.version, version);
  assert.equal(about.dependencies, undefined);
  assert.deepEqual({ types: about.types, default: about.main }, about.exports['.']); // for tools that know no exports
});

/** Runs the example of the README that contains the text, as a file of an empty project, and returns what it prints. */
function runExample(text) {
  const examples = readFileSync(join(installed, 'README.md'), 'utf8').matchAll(/```js\n(.*?)```/gs);
  const [example, ...others] = Array.from(examples, ([, code]) => code).filter((code) => code.includes(text));
  assert.deepEqual(others, []);
  writeFileSync(join(project, 'example.mjs'), example);
  return run('node', ['example.mjs']);
}

test('the example of the README plays a game', () => {
  const printed = runExample('newGame');
  assert.ok(printed.startsWith("{ result: 'draw', plies: null }\nb1-c1\n"), printed);
  assert.match(printed, /threefold repetition/);
});

test('the example of the README solves another board', () => {
  const printed = runExample('await solve(');
  assert.match(printed, /positions: 38955840/);
  assert.match(printed, / [bw]\n$/);
});

test('the example of the README reads parts of a table', () => {
  copyFileSync(table, join(project, '8x8-4.dat'));
  assert.equal(runExample('readSync'), '');
});

const small = { width: 4, height: 4, pieces: 3, row_length: 3, win: 'orthogonal' };

test('an estimate reports what solving a small board takes', async () => {
  const { positions, bytes, refused } = await estimate(small);
  assert.equal(positions, 160160);
  assert.equal(refused, null);
  assert.ok(bytes < 1e8, `${bytes} bytes`);
  for (const memory of [1e5, 0])
    assert.deepEqual((await estimate(small, { memory })).refused, { reason: 'memory', limit: memory });
  const { refused: largest } = await estimate({ width: 8, height: 8, pieces: 5 });
  assert.deepEqual(largest, { reason: 'memory', limit: 2 ** 32 });
});

test('solving fails if its worker ends', async () => {
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function end() {
    this.terminate();
  };
  try {
    await assert.rejects(solve(small), /it ended/);
  } finally {
    Worker.prototype.postMessage = postMessage;
  }
});

test('a table is loaded by its path', async () => {
  const path = join(project, 'small.dat');
  writeFileSync(path, await solve(small));
  assert.deepEqual((await load(path)).board, small);
  assert.deepEqual((await load(pathToFileURL(path))).board, small);
});

test('a table is loaded from an address that holds it', async () => {
  const solved = await solve(small);
  const blob = URL.createObjectURL(new Blob([solved]));
  assert.deepEqual((await load(blob)).board, small);
  URL.revokeObjectURL(blob);
  const data = `data:application/octet-stream;base64,${Buffer.from(solved).toString('base64')}`;
  assert.deepEqual((await load(data)).board, small);
  const server = createServer((_, response) => response.setHeader('connection', 'close').end(solved));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  assert.deepEqual((await load(`http://127.0.0.1:${server.address().port}/`)).board, small);
  server.close();
});

test('a table is loaded by the text of the address of its file', async () => {
  const path = join(project, 'a b%.dat');
  writeFileSync(path, await solve(small));
  const address = String(pathToFileURL(path));
  assert.deepEqual((await load(address)).board, small);
  for (const none of ['file:///none.dat', '/none.dat'])
    await assert.rejects(load(none), { name: 'EngineError', code: 'read', message: /ENOENT.*'\/none\.dat'/ });
});

test('what onProgress throws is what the promise is rejected with', async () => {
  const thrown = new RangeError('of the user');
  const onProgress = () => { throw thrown; };
  const isIt = (error) => error === thrown;
  const solved = await solve({ width: 5, height: 5 });
  await assert.rejects(solve(small, { onProgress }), isIt);
  await assert.rejects(load(new Blob([solved]), { onProgress }), isIt);
});

test('a file that is not a table, or a damaged one, is named', async () => {
  const path = join(project, 'other.dat');
  writeFileSync(path, 'something else');
  const unlike = { name: 'EngineError', code: 'not_table', message: new RegExp(`^${path}: not a table`) };
  await assert.rejects(load(path), unlike);
  await assert.rejects(load('data:,something'), { ...unlike, message: /^not a table/ });
  const damaged = await solve(small);
  damaged[damaged.length - 1] ^= 1;
  writeFileSync(path, damaged);
  await assert.rejects(load(path), { code: 'corrupt', message: new RegExp(`^${path}: `) });
});

test('a module on the command line solves a board', () => {
  const program = `import { solve } from 'neutreeko'; console.log((await solve(${JSON.stringify(small)})).length > 0);`;
  assert.equal(run('node', ['--input-type=module', '-e', program]), 'true\n');
});

test('load() solves the standard game, without a table in the package', async () => {
  const solved = await load();
  assert.deepEqual(solved.board, { width: 5, height: 5, pieces: 3, row_length: 3, win: 'line' });
  const read = await load(readFileSync(table));
  assert.deepEqual(solved.summary, read.summary);
  for (const position of ['5/b4/1w3/w1b2/b3w b', '1w1w1/2b2/5/2w2/1b1b1 w', ...read.fairStarts().slice(0, 20)]) {
    assert.deepEqual(solved.moves(position), read.moves(position));
    assert.deepEqual(solved.newGame(position).choices(), read.newGame(position).choices());
  }
});

test('another board is solved and played', async () => {
  const solved = await load(await solve(small));
  assert.deepEqual(solved.board, small);
  assert.equal(solved.start, null);
  assert.throws(() => solved.newGame(), {
    name: 'EngineError',
    code: 'position',
    message: 'this board has no start position: specify a position',
  });
  const game = solved.newGame(solved.suggestedStart());
  while (!game.state().end) game.play(game.opponentMove('perfect', 1));
  assert.ok(game.state().plies > 0);
});

const misused = { name: 'EngineError', code: 'argument' };

test('a game that has been freed is rejected', () => {
  const game = engine.newGame();
  game.free();
  game.free(); // which is allowed
  const freed = { ...misused, message: 'this game has been freed' };
  for (const use of ['state', 'undo', 'redo', 'resign', 'moves', 'ascii', 'choices', 'opponentMove', 'review',
    'bestLine', 'record', 'clone'])
    assert.throws(() => game[use](), freed, use);
  assert.throws(() => game.play('b1-c1'), freed);
  assert.throws(() => game.goto(0), freed);
  assert.throws(() => game.why(0, 'b1-c1'), freed);
});

/** What is neither a text, a number, a function nor an object with the properties that something needs. */
const WRONG = [undefined, null, Number.NaN, 1.5, 'x', true, {}, [], Symbol('x'), 1n, Object.create(null)];
const isGiven = (value) => value !== undefined;

test('the error of a position has its message in JSON', () => {
  const { error } = engine.checkPosition('5/5/5/5/5 b');
  const { message, ...others } = JSON.parse(JSON.stringify(error));
  assert.deepEqual(others, { name: 'EngineError', code: 'position', at: 0, reason: 'black-count' });
  assert.match(message, /5\/5\/5\/5\/5 b.*black/i);
});

test('what a source throws is in the error, whatever it is', async () => {
  const cases = [[new Error('gone'), 'gone'], ['lost', 'lost'], [null, 'null'], [Object.create(null), 'object']];
  for (const [thrown, reason] of cases) {
    const read = () => {
      throw thrown;
    };
    await assert.rejects(load({ size: 1e6, read }), { code: 'read', message: `cannot read the table: ${reason}` });
  }
});

test('as many puzzles of a kind are returned as are requested', () => {
  assert.equal(engine.puzzles({ plies: 3 }, 0).length, 0);
  assert.equal(engine.puzzles({ draw: true }).length, 1);
  const [{ position }] = engine.puzzles();
  assert.deepEqual(engine.value(position), { result: 'win', plies: 5 });
});

const tableBytes = readFileSync(table);
const NOT_TABLES = [...WRONG.filter(isGiven), new Uint16Array(2), new ArrayBuffer(2)];
const notOptions = [null, 1, 'x', {}];
const notBoards = WRONG.filter((value) => value === null || !/object|undefined/.test(typeof value));
const solving = (name) => (value) => solve(small, { [name]: value });

/** What rejects which values later, and the code of the documented error. */
const REJECTING = [
  ['load() of a table', load, NOT_TABLES, /^(argument|read)$/],
  ['load() of onProgress', (value) => load(tableBytes, { onProgress: value }), notOptions],
  [
    'load() of a choice',
    (value) => load(tableBytes, { complete: value }),
    WRONG.filter((value) => value !== undefined && value !== true),
  ],
  ['solve() of onProgress', solving('onProgress'), notOptions],
  ['solve() of a signal', solving('signal'), notOptions],
  ['solve() of traps', solving('traps'), notOptions],
  ['solve() of a board', solve, notBoards],
  ['estimate() of a board', estimate, notBoards],
  ['estimate() of memory', (memory) => estimate(small, { memory }), [null, Number.NaN, '1', {}, -1, 1n]],
];
const named = (code) => (code === 'argument' ? { message: /^[\w.]+: expected / } : {});
for (const [name, call, values, code = 'argument'] of REJECTING)
  test(`${name} rejects invalid values`, async () => {
    for (const value of values)
      await assert.rejects(async () => call(value), { name: 'EngineError', code, ...named(code) }, inspect(value));
  });

test('options that are null are the defaults', async () => {
  assert.equal((await load(tableBytes, null)).complete, true);
  assert.equal((await estimate(small, null)).refused, null);
  assert.ok((await solve(small, null)).length > 100);
});

test('what a board lacks is that of the standard board, with the usual row length', async () => {
  const { positions } = await estimate();
  assert.equal((await estimate({ width: 5, height: 5, pieces: 3, row_length: 3, win: 'line' })).positions, positions);
  assert.deepEqual((await load(await solve({ width: 4, height: 4, pieces: 2 }))).board,
    { width: 4, height: 4, pieces: 2, row_length: 2, win: 'line' });
});

const REASONS = { width: 'size', height: 'size', pieces: 'pieces', row_length: 'row', win: 'win' };
for (const [name, reason] of Object.entries(REASONS))
  test(`a board with an invalid ${name} is refused`, async () => {
    for (const value of [-1, 99, 'x'])
      if (typeof value === typeof small[name]) {
        const { refused } = await estimate({ ...small, [name]: value });
        assert.deepEqual(refused, { reason }, inspect(value));
        assert.equal(engine.faultOf({ ...small, [name]: value }), reason, inspect(value));
      } else {
        await assert.rejects(estimate({ ...small, [name]: value }), { name: 'EngineError', code: 'argument' });
      }
  });

test('what a board has besides its properties is ignored', async () => {
  assert.ok((await solve({ ...small, more() {} })).length > 100);
});

test('the package works in Chromium', { timeout: 120_000 }, async () => {
  const { launch } = await import('../../tests/web/browser.mjs');
  const files = {
    '/': ['text/html', '<!doctype html>'],
    '/index.js': ['text/javascript', readFileSync(join(installed, 'index.js'))],
    '/perfect_move.dat': ['application/octet-stream', readFileSync(table)],
  };
  const server = createServer(({ url }, response) => {
    const [type, content] = files[url] ?? ['text/plain', ''];
    response.setHeader('content-type', type).end(content);
  }).listen(0, '127.0.0.1');
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const ended = page.waitForEvent('worker').then((worker) => once(worker, 'close'));
    const answer = await page.evaluate(async () => {
      const { load, solve } = await import('/index.js');
      const engine = await load();
      const solved = await solve({ width: 4, height: 4, pieces: 3, row_length: 3, win: 'line' });
      await load(solved);
      await load('perfect_move.dat');
      const same = await load(new URL('/perfect_move.dat', location.href));
      const move = same.newGame().opponentMove('perfect', 1);
      return { value: engine.value(engine.start), move, tableBytes: solved.length };
    });
    assert.deepEqual(answer.value, { result: 'draw', plies: null });
    assert.equal(answer.move, engine.newGame().opponentMove('perfect', 1));
    assert.ok(answer.tableBytes > 5000, `${answer.tableBytes} bytes`);
    await ended;
    const ofWorker = await page.evaluate(() => new Promise((resolve, reject) => {
      const program = `import { load, solve } from '${location.origin}/index.js';
postMessage((await load(await solve({ width: 4, height: 4 }))).summary.legal);`;
      const url = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
      const worker = new Worker(url, { type: 'module' });
      worker.addEventListener('message', ({ data }) => resolve(data));
      worker.addEventListener('error', ({ message }) => reject(new Error(message)));
    }));
    assert.equal(ofWorker, 153296); // a worker solves in one of its own
  } finally {
    await browser.close();
    server.close();
  }
});

test('a typed program can use the declarations', () => {
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022'];
  run('node', [tsc, ...options, 'use.ts']);
  writeFileSync(join(project, 'internal.ts'), "import { load } from 'neutreeko';\n(await load()).loadValues();\n");
  const compile = () => run('node', [tsc, ...options, 'internal.ts']);
  assert.throws(compile, { stdout: /'loadValues' does not exist/ }); // load() has called it
});
