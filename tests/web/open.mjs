// Measures how long a table of any size takes to open in the page, from a file and by its address, and to answer then: times,
// and the reads and bytes of the table that they take.
// Usage: open.mjs PAGE TABLE, with the environment of browser.mjs
//
// Each run is in a new context, without any cache of the browser; the file is in the memory of the system.

import { execFileSync } from 'node:child_process';
import { closeSync, createReadStream, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { boardName, winningSquares } from '../../web/boards.js';
import { squareName, writePosition } from '../../web/position.js';
import { launch } from './browser.mjs';

const RUNS = 10;
const POSITIONS = 4; // in each run
const [path, table] = process.argv.slice(2);
const header = Buffer.alloc(17);
const file = openSync(table);
readSync(file, header);
closeSync(file);
const [width, height, pieces, row, win] = header.subarray(12);
const board = { width, height, pieces, row, win: ['line', 'orthogonal', 'diagonal', 'equidistant', 'centre'][win] };

/** Counts what is read of the table, and notes when the page shows what is waited for. */
function observe() {
  const io = (globalThis.io = { reads: 0, bytes: 0, begin: 0, shows: () => false });
  const count = (bytes) => (io.reads++, (io.bytes += bytes));
  const { arrayBuffer } = Blob.prototype;
  Blob.prototype.arrayBuffer = function () {
    count(this.size);
    return arrayBuffer.call(this);
  };
  const { fetch } = globalThis;
  globalThis.fetch = (url, options) => {
    const [, from, to] = /(\d+)-(\d+)/.exec(options.headers.range);
    count(to - from + 1);
    return fetch(url, options);
  };
  io.start = (shows) => Object.assign(io, { reads: 0, bytes: 0, begin: performance.now(), found: undefined, shows });
  const opened = () => Boolean(document.querySelector('.facts')) && !document.querySelector('#headline').textContent.startsWith(io.before);
  const choose = () => {
    io.before = document.querySelector('#headline').textContent.slice(0, 9);
    io.start(opened);
  };
  addEventListener('change', ({ target }) => target.id === 'lab-file' && choose(), true);
  addEventListener('submit', choose, true);
  const look = () => {
    if (io.begin && !io.found && io.shows()) io.found = { time: performance.now() - io.begin, reads: io.reads, bytes: io.bytes };
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}

const found = async (page) => (await page.waitForFunction(() => globalThis.io.found)).jsonValue();

/** Positions with the pieces at random in which no side has won. */
function* positions() {
  let random = 1;
  const next = (n) => (random = (random * 48271) % 2147483647) % n;
  const squares = Array.from({ length: width * height }, (_, n) => squareName(n % width, Math.floor(n / width)));
  for (;;) {
    const placed = new Map();
    while (placed.size < 2 * pieces) placed.set(squares[next(squares.length)], placed.size % 2 ? 'white' : 'black');
    const of = (side) => [...placed].flatMap(([square, one]) => (one === side ? [square] : []));
    if (['black', 'white'].every((side) => of(side).length === pieces && !winningSquares(board, of(side)).length)) yield writePosition(placed, 'black', board);
  }
}

const results = new Map();
function note(what, one) {
  if (!results.has(what)) results.set(what, []);
  results.get(what).push(one);
}

async function run(browser, url, open, from) {
  const context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(120000);
  const page = await context.newPage();
  await page.addInitScript(observe);
  await page.addInitScript(() => (localStorage.neutreeko ??= '{"met": true}'));
  await page.goto(`${url}#view=laboratory`);
  await page.locator('#lab-longest').waitFor(); // nothing else is computed any more
  await page.getByText('Open a table').click();
  await open(page);
  note(`${from}: opened`, await found(page));
  const some = positions();
  for (let n = 0; n < POSITIONS; n++) {
    const position = some.next().value;
    await page.evaluate(
      ([hash, wanted]) => {
        const text = (rows) => rows.map((one) => [...one.children].map((cell) => /(black|white) piece/.exec(cell.ariaLabel)?.[1][0] ?? '1').join(''));
        globalThis.io.start(
          () => document.querySelector('.value') && text([...document.querySelectorAll('[role=row]')]).join('/').replace(/1+/g, (ones) => ones.length) === wanted,
        );
        location.hash = hash;
      },
      [`#board=${boardName(board)}&view=explore&start=${position.replace(' ', '_')}`, position.split(' ')[0]],
    );
    const shown = await found(page);
    if (n) note(`${from}: the moves of a position`, shown); // at the first one, the proposal of a start may still be computed
  }
  await context.close();
}

const folder = mkdtempSync(join(tmpdir(), 'neutreeko-open-'));
const server = createServer(({ url, headers }, response) => {
  const [, from, to] = /bytes=(\d+)-(\d+)/.exec(headers.range) ?? [];
  if (url === '/table.dat')
    return createReadStream(table, { start: Number(from), end: Number(to) }).pipe(
      response.writeHead(206, { 'content-range': `bytes ${from}-${to}/${statSync(table).size}` }),
    );
  if (url !== '/') return response.writeHead(404).end();
  response.setHeader('content-type', 'text/html');
  return createReadStream(join(folder, 'index.html')).pipe(response);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const browser = await launch();
try {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../web/site.mjs', import.meta.url)), path, folder]);
  for (let n = 0; n < RUNS; n++) {
    await run(browser, pathToFileURL(path).href, (page) => page.locator('#lab-file').setInputFiles(table), 'file');
    await run(
      browser,
      `http://127.0.0.1:${server.address().port}/`,
      async (page) => {
        await page.locator('#lab-url').fill('table.dat');
        await page.locator('#lab-fetch').click();
      },
      'address',
    );
  }
} finally {
  await browser.close();
  server.close();
  rmSync(folder, { recursive: true });
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];
console.log(`${''.padEnd(34)}     least  median greatest      reads      bytes (medians)`);
for (const [what, all] of results) {
  const times = all.map(({ time }) => time).sort((a, b) => a - b);
  const figures = [times[0], times[times.length >> 1], times[times.length - 1]].map((time) => time.toFixed(0).padStart(8));
  const [reads, bytes] = ['reads', 'bytes'].map((key) => String(median(all.map((one) => one[key]))).padStart(11));
  console.log(what.padEnd(34), ...figures, 'ms', reads, bytes);
}
