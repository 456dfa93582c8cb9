// Tests what bundlers make of the packed npm package: an empty project installs and imports it, and Chromium runs what
// a bundler has built without configuration.
// Usage: bundlers.mjs TARBALL BUNDLERS; BUNDLERS is a directory with node_modules, where the bundlers are installed.
// From the environment: NODE_MODULES (a directory with playwright-core).

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { launch, newPage, serve } from '../../tests/web/browser.mjs';

const [tarball, bundlers] = process.argv.slice(2).map((path) => resolve(path));
const require = createRequire(join(bundlers, 'x'));
const importBundler = (name) => import(pathToFileURL(require.resolve(name)));
const projects = mkdtempSync(join(tmpdir(), 'neutreeko-bundlers-'));
const browser = await launch();
after(() => browser.close());
after(() => rmSync(projects, { recursive: true }));

// Without an await outside of functions, which some of the bundlers' usual targets lack.
const PROGRAM = (entry) => `import { load, solve, verify } from '${entry}';
async function main() {
  const engine = await load();
  const table = await solve({ width: 4, height: 4, pieces: 3, rowLength: 3, win: 'line' });
  await verify(table);
  const other = await load(table);
  return { ...engine.value(engine.start), width: other.board.width };
}
main().then((answer) => { globalThis.answer = answer; }, (error) => { globalThis.answer = String(error); });
`;
const HTML = '<!doctype html>\n<title>x</title>\n<script type="module" src="./main.js"></script>\n';

/** A project that has installed the package and imports the entry. */
function newProject(entry) {
  const project = mkdtempSync(join(projects, 'project-'));
  writeFileSync(join(project, 'package.json'), '{"name": "project", "private": true, "type": "module"}\n');
  writeFileSync(join(project, 'main.js'), PROGRAM(entry));
  writeFileSync(join(project, 'index.html'), HTML);
  const options = ['--offline', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...options, tarball], { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
  mkdirSync(join(project, 'dist'));
  return project;
}

/** For the bundlers that make no page. */
function addPage(project) {
  cpSync(join(project, 'index.html'), join(project, 'dist/index.html'));
}

/** What the program at the address answers in Chromium. */
async function answerAt(address) {
  const page = await newPage(browser);
  const failed = page.waitForEvent('pageerror', { timeout: 0 }).then((error) => {
    throw error;
  });
  failed.catch(() => {}); // as it does when the page is closed
  try {
    await page.goto(address);
    await Promise.race([page.waitForFunction(() => globalThis.answer), failed]);
    return await page.evaluate(() => globalThis.answer);
  } finally {
    await page.context().close();
  }
}

async function answerOfBuild(project) {
  const [server, address] = await serve((path) => join(project, 'dist', path));
  try {
    return await answerAt(address);
  } finally {
    server.close();
  }
}

const vite = (name) => async (project) => {
  const { build } = await importBundler(name);
  await build({ root: project, configFile: false, logLevel: 'error' });
};

async function webpack(project) {
  const { default: start } = await importBundler('webpack');
  const options = { context: project, mode: 'production', entry: './main.js' };
  const compiler = start({ ...options, output: { path: join(project, 'dist'), filename: 'main.js' } });
  const stats = await promisify(compiler.run.bind(compiler))();
  assert.deepEqual(stats.toJson({ all: false, errors: true }).errors, []);
  addPage(project);
}

async function rollup(project) {
  const [{ rollup: start }, { default: nodeResolve }] = [
    await importBundler('rollup'),
    await importBundler('@rollup/plugin-node-resolve'),
  ];
  const bundle = await start({ input: join(project, 'main.js'), plugins: [nodeResolve({ browser: true })] });
  await bundle.write({ file: join(project, 'dist/main.js'), format: 'es' });
  await bundle.close();
  addPage(project);
}

async function esbuild(project) {
  const { build } = require('esbuild');
  const options = { bundle: true, format: 'esm', logLevel: 'error', absWorkingDir: project };
  await build({ ...options, entryPoints: ['main.js'], outfile: 'dist/main.js' });
  addPage(project);
}

function parcel(project) {
  const options = ['build', 'index.html', '--no-cache', '--log-level', 'error'];
  const env = { ...process.env, NODE_ENV: 'production' };
  execFileSync('node', [require.resolve('parcel/lib/bin.js'), ...options], { cwd: project, env });
}

/** What bundlers that do not copy files need, according to the README. */
function copyFiles(project) {
  const installed = join(project, 'node_modules/neutreeko');
  for (const name of readdirSync(installed).filter((file) => /\.wasm$|\.dat$|^solve_worker\.js$/.test(file)))
    cpSync(join(installed, name), join(project, 'dist', name));
}

const BUNDLERS = { vite8: vite('vite'), vite7: vite('vite7'), vite6: vite('vite6'), webpack, rollup, esbuild, parcel };
const COPYING_NOTHING = ['rollup', 'esbuild'];
const EXPECTED = { result: 'draw', plies: 0, width: 4 };

for (const [name, bundle] of Object.entries(BUNDLERS))
  for (const entry of ['neutreeko', 'neutreeko/fetch'])
    test(`${name} bundles ${entry}`, async () => {
      const project = newProject(entry);
      await bundle(project);
      if (entry === 'neutreeko/fetch' && COPYING_NOTHING.includes(name)) copyFiles(project);
      assert.deepEqual(await answerOfBuild(project), EXPECTED);
    });

for (const name of ['vite', 'vite7', 'vite6'])
  for (const entry of ['neutreeko', 'neutreeko/fetch'])
    test(`the development server of ${name} serves ${entry}`, async () => {
      const { createServer } = await importBundler(name);
      const optimizeDeps = entry === 'neutreeko' ? {} : { exclude: ['neutreeko'] }; // see the README
      const server = await createServer({
        root: newProject(entry),
        configFile: false,
        logLevel: 'error',
        server: { host: '127.0.0.1', port: 0 },
        optimizeDeps,
      });
      try {
        await server.listen();
        assert.deepEqual(await answerAt(`http://127.0.0.1:${server.httpServer.address().port}/`), EXPECTED);
      } finally {
        await server.close();
      }
    });
