// Tests what bundlers make of the packed npm package: an empty project installs and imports it, and Chromium runs what
// a bundler has built without configuration.
// Usage: bundlers.mjs TARBALL BUNDLERS; BUNDLERS is a directory with node_modules, where the bundlers are installed.
// From the environment: NODE_MODULES (a directory with playwright-core).

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { launch, newPage, serve } from '../../tests/web/browser.mjs';

const [tarball, bundlers] = process.argv.slice(2).map((path) => resolve(path));
const require = createRequire(join(bundlers, 'x'));
const importBundler = (name) => import(pathToFileURL(require.resolve(name)));
const projects = mkdtempSync(join(tmpdir(), 'neutreeko-bundlers-'));
const browser = await launch();
after(() => browser.close());
after(() => rmSync(projects, { recursive: true }));

// Without an await outside of functions, which some of the bundlers' usual targets lack.
const PROGRAM = `import { load, solve } from 'neutreeko';
async function main() {
  const engine = await load();
  const table = await solve({ width: 4, height: 4, pieces: 3, row_length: 3, win: 'line' });
  const other = await load(table);
  return { ...engine.value(engine.start), width: other.board.width };
}
main().then((answer) => { globalThis.answer = answer; }, (error) => { globalThis.answer = String(error); });
`;
const HTML = '<!doctype html>\n<title>x</title>\n<script type="module" src="./main.js"></script>\n';

/** A project that has installed the package and imports it. */
function newProject() {
  const project = mkdtempSync(join(projects, 'project-'));
  writeFileSync(join(project, 'package.json'), '{"name": "project", "private": true, "type": "module"}\n');
  writeFileSync(join(project, 'main.js'), PROGRAM);
  writeFileSync(join(project, 'index.html'), HTML);
  const options = ['--offline', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...options, tarball], { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
  mkdirSync(join(project, 'dist'));
  return project;
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

async function vite(project) {
  const { build } = await importBundler('vite');
  await build({ root: project, configFile: false, logLevel: 'error' });
}

async function esbuild(project) {
  const { build } = require('esbuild');
  const options = { bundle: true, format: 'esm', logLevel: 'error', absWorkingDir: project };
  await build({ ...options, entryPoints: ['main.js'], outfile: 'dist/main.js' });
  cpSync(join(project, 'index.html'), join(project, 'dist/index.html'));
}

const EXPECTED = { result: 'draw', plies: null, width: 4 };

for (const bundle of [vite, esbuild])
  test(`${bundle.name} bundles the package without configuration`, async () => {
    const project = newProject();
    await bundle(project);
    assert.deepEqual(await answerOfBuild(project), EXPECTED);
  });

test('the development server of vite serves the package without configuration', async () => {
  const { createServer } = await importBundler('vite');
  const server = await createServer({
    root: newProject(),
    configFile: false,
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0 },
  });
  try {
    await server.listen();
    assert.deepEqual(await answerAt(`http://127.0.0.1:${server.httpServer.address().port}/`), EXPECTED);
  } finally {
    await server.close();
  }
});
