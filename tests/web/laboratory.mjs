// Tests of the laboratory, in which the page solves other boards, in Chromium: compared with data/boards.json and the programs.
// From the environment: as in page.mjs, and NEUTREEKO_SOLVE (program); THOROUGH (not empty for larger boards).

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { readBoard, winningSquares } from '../../web/boards.js';
import { squareName, writePosition } from '../../web/position.js';
import { launch, require } from './browser.mjs';

const { NEUTREEKO, NEUTREEKO_HTML, NEUTREEKO_SOLVE, THOROUGH } = process.env;
const FILE = pathToFileURL(NEUTREEKO_HTML).href;
const PATIENCE = THOROUGH ? 300000 : 60000; // milliseconds; only a page that hangs takes so long
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const known = JSON.parse(readFileSync(new URL('../../data/boards.json', import.meta.url), 'utf8'));
const totals = (name) => {
  const [board, pieces, win = 'line'] = name.split('/');
  return known.find((one) => one.board === board && one.pieces === Number(pieces) && one.row === 3 && one.win === win);
};

let browser;
let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'neutreeko-laboratory-'));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Solves a board with the program. Returns the path of its table. */
function nativeTable(name) {
  const [board, pieces, win = 'line'] = name.split('/');
  const path = join(folder, `${name.replaceAll('/', '-')}.dat`);
  execFileSync(NEUTREEKO_SOLVE, ['--quiet', '--board', board, '--pieces', pieces, '--win', win, '-o', path]);
  return path;
}

const query = (path, positions) => {
  const options = { input: positions.join('\n'), encoding: 'utf8', maxBuffer: 1 << 28 };
  const printed = execFileSync(NEUTREEKO, ['query', '--json', '-', `--table=${path}`], options);
  return printed.trim().split('\n').map((line) => JSON.parse(line));
};

/** A test on a page, which must cause no error and no warning. */
function onPage(name, { hash = '#view=laboratory', url = FILE, prepare, ...more }, use) {
  test(name, async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-US', ...more });
    context.setDefaultTimeout(PATIENCE);
    const noise = [];
    context.on('console', (message) => noise.push(message.text()));
    context.on('weberror', (error) => noise.push(error.error().stack));
    try {
      const page = await context.newPage();
      await page.addInitScript(() => {
        localStorage.neutreeko ??= JSON.stringify({ met: true, plies: true });
        const wait = globalThis.setTimeout;
        globalThis.setTimeout = (task, time) => wait(task, Math.min(time, 40)); // not long before an opponent's reply
      });
      if (prepare) await page.addInitScript(prepare);
      await page.goto(url + hash);
      await use(page, context);
      assert.deepEqual(noise, []);
    } finally {
      await context.close();
    }
  });
}

const headline = (page) => page.locator('#headline').innerText();
const solved = (page) => page.locator('#lab-play').waitFor();
const facts = (page) => page.locator('.facts').innerText();
const press = async (page, ...selectors) => {
  for (const selector of selectors) await page.locator(selector).click();
};

/** The position on a board of this size, read from the labels for screen readers. */
async function position(page, side) {
  const rows = await page.$$eval('[role=row]', (list) =>
    list.map((row) => [...row.children].map((cell) => /(black|white) piece/.exec(cell.ariaLabel)?.[1][0] ?? '1').join('')));
  return `${rows.join('/').replace(/1+/g, (ones) => ones.length)} ${side}`;
}

onPage('boards are solved, with the totals of the program, and compared', { hash: '#view=explore' }, async (page) => {
  await page.locator('#tab-laboratory').click();
  await page.locator('#lab-longest').waitFor(); // of the standard board
  await page.locator('#lab-width').selectOption('4');
  await page.locator('#lab-height').selectOption('4');
  await page.locator('#lab-estimate').waitFor();
  await page.locator('#lab-solve').click();
  await solved(page);
  await page.locator('#lab-width').selectOption('5');
  await page.locator('#lab-height').selectOption('5');
  await page.locator('[name=win][value=orthogonal]').check();
  await page.locator('#lab-solve').click();
  await solved(page);
  await page.locator('#lab-compare').selectOption('4x4/3');
  const shown = await facts(page);
  for (const name of ['4x4/3', '5x5/3/orthogonal'])
    for (const key of ['legal', 'wins', 'losses', 'draws'])
      assert.ok(shown.includes(totals(name)[key].toLocaleString('en')), `${name}: ${key}\n${shown}`);
  assert.match(shown, /Black wins in 43 plies\s+Draw with best play/);
  assert.equal(await page.locator('.compared svg[role=img]').count(), 2);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]), []);
  await page.locator('#lab-compare').selectOption('');
  await page.getByText('All numbers').click();
  const numbers = await page.locator('details tbody td').allInnerTexts();
  assert.deepEqual(numbers.map((text) => Number(text.replaceAll(',', ''))), totals('5x5/3/orthogonal').by_distance);
  await page.locator('#lab-pieces').selectOption('4');
  await page.locator('[name=win][value=equidistant]').check();
  assert.match(await page.locator('#lab-refused').innerText(), /needs three pieces/);
});

const game = THOROUGH ? '6x6/3' : '4x4/3';
onPage('a link solves its board; a game on it against the perfect player; a reload and the way back', { hash: `#board=${game}&view=explore` },
  async (page) => {
    await page.locator('.value').first().waitFor();
    const table = nativeTable(game);
    await press(page, '#tab-play', '#new');
    await page.getByLabel('Perfect').check();
    await page.locator('#start-game').click();
    for (;;) {
      await page.waitForFunction(() => /^Your move|wins|won|^Draw/.test(document.querySelector('#headline').textContent));
      if ((await headline(page)) !== 'Your move') break;
      const [{ moves }] = query(table, [await position(page, 'b')]);
      const { move } = moves.at(-1);
      await press(page, ...move.split('-').map((name) => `[data-square=${name}]`));
    }
    assert.equal(await headline(page), 'Perfect wins');
    await page.locator('#to-review').click();
    const address = page.url();
    assert.match(address, new RegExp(`#board=${game}&view=review&start=[^&]*&moves=`));
    await page.reload();
    await page.locator('.graph input').waitFor();
    assert.equal(page.url(), address);
    await page.locator('#tab-puzzle').click();
    await page.locator('#hint').waitFor();
    const side = (await headline(page)).startsWith('Black') ? 'b' : 'w';
    const [{ moves: best }] = query(table, [await position(page, side)]);
    assert.deepEqual([best[0].distance, best[1].distance === 3], [3, false]);
    await page.locator('#standard-button').click();
    assert.equal(await page.locator('[role=gridcell]').count(), 25);
    assert.ok(!page.url().includes('board='));
  });

onPage('solving can be cancelled; what cannot be solved is refused', { hash: '#board=7x7/3&view=explore' }, async (page) => {
  await page.locator('#lab-cancel').click();
  await page.getByText('Cancelled.').first().waitFor();
  await page.locator('#lab-solve').waitFor();
  await page.locator('#tab-play').click();
  assert.equal(await page.locator('[role=gridcell]').count(), 25);
  // Another board is solved, but its link is left at once.
  await page.evaluate(() => {
    location.hash = '#board=4x5/3&view=explore';
    return new Promise((resolve) => setTimeout(() => resolve(document.querySelector('#tab-play').click())));
  });
  await page.locator('#tab-laboratory').click();
  await solved(page);
  await page.locator('#tab-play').click();
  assert.equal(await page.locator('[role=gridcell]').count(), 25);
  await page.goto(`${FILE}#view=laboratory&board=8x8/5`);
  assert.match(await page.locator('#lab-refused').innerText(), /of memory; this browser can use at most/);
  await page.goto(`${FILE}#board=9x9/3&view=explore`);
  assert.match(await page.locator('#notice').innerText(), /^Part of this link is invalid/);
});

const large = THOROUGH ? '7x7/3' : '5x6/3'; // of which parts are read
onPage('a large table is opened from a file, and its values are those of neutreeko query', {}, async (page) => {
  const board = readBoard(large);
  const table = nativeTable(large);
  let random = 1;
  const next = (n) => (random = (random * 48271) % 2147483647) % n;
  const squares = Array.from({ length: board.width * board.height }, (_, n) => squareName(n % board.width, Math.floor(n / board.width)));
  const positions = [];
  while (positions.length < (THOROUGH ? 1000 : 10)) {
    const pieces = new Map();
    while (pieces.size < 6) pieces.set(squares[next(squares.length)], pieces.size % 2 ? 'white' : 'black');
    const of = (side) => [...pieces].flatMap(([square, one]) => (one === side ? [square] : []));
    const isOpen = ['black', 'white'].every((side) => of(side).length === 3 && !winningSquares(board, of(side)).length);
    if (isOpen) positions.push(writePosition(pieces, 'black', board));
  }
  await page.getByText('Open a table').click();
  await page.locator('#lab-file').setInputFiles(table);
  await solved(page);
  await page.waitForFunction((title) => document.querySelector('#headline').textContent.startsWith(title), large.replace('x', '\u00d7').slice(0, 3));
  const values = { win: 'wins in', draw: 'draws', loss: 'loses in' };
  const expected = query(table, positions).map(({ moves }) =>
    moves.map(({ move, result, distance }) => `${move}, ${values[result]}${distance ? ` ${distance}` : ''}`));
  for (const [n, text] of positions.entries()) {
    await page.goto(`${FILE}#board=${large}&view=explore&start=${text.replace(' ', '_')}`);
    const moves = expected[n].map((value) => value.slice(0, 5)).join();
    await page.waitForFunction((list) => [...document.querySelectorAll('.value')].map((one) => one.dataset.move).join() === list, moves);
    const shown = await page.$$eval('.value', (list) =>
      list.map((one) => one.dataset.move + one.querySelector('.unseen').textContent.replace(/\s+/g, ' ').replace(/ pl(y|ies)$/, '')));
    assert.deepEqual(shown, expected[n], text);
  }
});

onPage('full storage and a worker that dies leave a message and a page that works', {}, async (page) => {
  await page.locator('#lab-longest').waitFor();
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await page.goto(`${FILE}#board=4x4/3&view=explore`);
  await page.locator('.value').first().waitFor();
  await page.goto(`${FILE}#view=laboratory&board=4x4/3`);
  await page.getByText('The table is not kept: storage is full').first().waitFor();
  await page.evaluate(() => {
    const Living = Worker;
    globalThis.Worker = class extends Living {
      constructor(url) {
        super(url);
        queueMicrotask(() => this.dispatchEvent(new ErrorEvent('error', { message: 'killed' })));
      }
    };
  });
  await page.goto(`${FILE}#board=3x4/3`);
  await page.getByText('That failed: the solver stopped: killed. Please try again.').first().waitFor();
  await page.locator('#tab-play').click();
  assert.equal(await page.locator('[role=gridcell]').count(), 16, 'the board that was opened before');
});

test('tables of the same site are opened by their address, if the server sends parts of files', async () => {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../web/site.mjs', import.meta.url)), NEUTREEKO_HTML, join(folder, 'site')]);
  const table = readFileSync(nativeTable('5x6/3'));
  const server = createServer(({ url, headers }, response) => {
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(headers.range) ?? [];
    if (url === '/part.dat')
      return response.writeHead(206, { 'content-range': `bytes ${from}-${to}/${table.length}` }).end(table.subarray(from, Number(to) + 1));
    if (url === '/whole.dat') return response.end(table);
    if (url !== '/') return response.writeHead(404).end();
    return response.setHeader('content-type', 'text/html').end(readFileSync(join(folder, 'site/index.html')));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = await browser.newPage({ locale: 'en-US' });
  try {
    await page.goto(`http://127.0.0.1:${server.address().port}/#view=laboratory`);
    await page.getByText('Open a table').click();
    const open = async (address) => {
      await page.locator('#lab-url').fill(address);
      await page.locator('#lab-fetch').click();
    };
    await open('whole.dat');
    await page.getByText('this server sends only complete files').first().waitFor();
    await open('https://example.org/part.dat');
    await page.getByText('Only tables of this site can be opened by address.').first().waitFor();
    await open('part.dat');
    await page.waitForFunction(() => document.querySelector('#headline').textContent.startsWith('5\u00d76'));
    await page.locator('#lab-play').click();
    await page.locator('#start-game').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#tab-explore').click();
    await page.locator('.value').first().waitFor();
  } finally {
    await page.close();
    server.close(); // or else a failed test would not end
  }
});

const denied = () => {
  IDBFactory.prototype.open = () => {
    throw new DOMException('no', 'SecurityError');
  };
};
onPage('without storage a board is played all the same', { hash: '#board=4x4/3/diagonal&view=explore', prepare: denied }, async (page) => {
  await page.locator('.value').first().waitFor();
  await page.locator('#tab-laboratory').click();
  await page.getByText('Solved boards on this device').click();
  assert.match(await page.locator('#lab-denied').innerText(), /^This browser keeps no tables/);
});

onPage('tables are saved, opened, kept within a limit and deleted; a damaged one changes nothing', {}, async (page) => {
  const table = nativeTable('4x4/3');
  const damaged = join(folder, 'damaged.dat');
  const bytes = readFileSync(table);
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(damaged, bytes);
  await page.getByText('Open a table').click();
  await page.locator('#lab-file').setInputFiles(damaged);
  await page.getByText('This file is not a table of Neutreeko, or it is damaged.').first().waitFor();
  assert.equal(await headline(page), '5\u00d75, 3 pieces');
  await page.locator('#lab-file').setInputFiles(table);
  await page.waitForFunction(() => document.querySelector('#headline').textContent.startsWith('4'));
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#lab-save').click()]);
  assert.equal(download.suggestedFilename(), '4x4-3.dat');
  assert.ok(readFileSync(await download.path()).equals(readFileSync(table)));
  await page.getByText('Solved boards on this device').click();
  assert.equal(await page.locator('#lab-used').innerText(), '6 kB of 200 MB used');
  await page.locator('#lab-empty').click();
  await page.waitForFunction(() => !document.querySelector('#lab-empty'));
  assert.equal(await page.locator('#lab-used').innerText(), '0 kB of 200 MB used');
});
