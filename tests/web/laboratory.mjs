// Tests of the laboratory, in which the page solves other boards, in Chromium: compared with data/boards.json and the programs.
// From the environment: as in pages.mjs.

import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { launch, PATIENCE, require } from './browser.mjs';
import {
  act, asValues, clickMove, FILE, makeSite, myTurn, nativeMoves, onOnePage, onPage, read, ready, reload, shows, steps, THOROUGH,
  withPage,
} from './pages.mjs';
import { contentsOf, folder, native, query, solveNatively } from './programs.mjs';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const known = JSON.parse(readFileSync(new URL('../../data/boards.json', import.meta.url), 'utf8'));

/** Whether a text shows the totals of a board. */
const hasTotals = (text, name) => {
  const [board, pieces, win = 'line'] = name.split('/');
  const totals = known.find((one) => one.board === board && one.pieces === Number(pieces) && one.row === 3 && one.win === win);
  for (const key of ['legal', 'wins', 'losses', 'draws'])
    assert.ok(text.includes(totals[key].toLocaleString('en')), `${name}: ${key}\n${text}`);
};

const setup = { url: FILE, settings: { plies: true }, players: null };
const solved = { '#lab-play': 1 };
const textSeen = (page, text) => page.getByText(text).first().waitFor();
/** Opens a table, that of a file or, if the site has it, of an address. */
async function openTable(page, { file, address }) {
  if (!(await page.locator('#lab-file').isVisible())) await page.getByText('Open a table').click();
  if (file) return page.locator('#lab-file').setInputFiles(file);
  await page.locator('#lab-url').fill(address);
  return page.locator('#lab-fetch').click();
}
async function savedTable(page) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#lab-save').click()]);
  return [readFileSync(await download.path()), download.suggestedFilename()];
}
const linkTo = (board, text) => `#board=${board}&view=explore&start=${text.replace(' ', '_')}`;

const inLaboratory = [];
const inLab = (name, hash, use) => inLaboratory.push([name, hash, use]);

inLab('tables are saved, opened, kept within a limit and deleted; a damaged one changes nothing', '#view=laboratory&board=3x3/3', async (page) => {
  const table = solveNatively('4x4/3');
  const damaged = join(folder, 'damaged.dat');
  const bytes = readFileSync(table);
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(damaged, bytes);
  await openTable(page, { file: damaged });
  await textSeen(page, 'This file is not a table of Neutreeko, or it is damaged.');
  await shows(page, { '#headline': '3\u00d73, 3 pieces' });
  await openTable(page, { file: table });
  await shows(page, { '#headline': /^4/ });
  assert.deepEqual(await savedTable(page), [readFileSync(table), '4x4-3.dat']);
  await page.getByText('Solved boards on this device').click();
  await steps(page, [
    ['', { '#lab-used': '6 kB of 200 MB used' }],
    ['#lab-empty', { '#lab-empty': 0, '#lab-used': '0 kB of 200 MB used' }],
  ]);
});

inLab('solving can be cancelled; what cannot be solved is refused', '#board=7x7/3&view=explore', async (page) => {
  await steps(page, [
    ['', { '#subline': 'Being solved' }],
    ['#view=laboratory&board=3x3/2', { '#subline': 'Not solved yet', 'label[for=lab-progress]': /^7\u00d77, 3 pieces: / }], // in the meantime
  ]);
  await act(page, '#lab-cancel');
  await textSeen(page, 'Cancelled.');
  await steps(page, [
    ['#tab-play', { '[role=gridcell]': 25 }],
    ['#view=laboratory&board=8x8/5', { '#lab-refused': /of memory; this browser can use at most/ }],
    ['#board=9x9/3&view=explore', { '#notice': /^Part of this link is invalid/ }],
  ]);
});

const game = THOROUGH ? '6x6/3' : '4x5/3';
inLab('a link solves its board; a game on it against the perfect player; a reload and the way back', `#board=${game}&view=explore`, async (page) => {
  const table = solveNatively(game);
  await page.locator('.value').first().waitFor();
  await act(page, '#tab-play #new');
  await page.getByLabel('Perfect').check();
  await act(page, '#start-game');
  while (await myTurn(page)) await clickMove(page, (await nativeMoves(page, undefined, `--table=${table}`)).at(-1).move);
  await steps(page, [
    ['', { '#headline': 'Perfect wins' }],
    ['#to-review', { hash: new RegExp(`^#board=${game}&view=review&start=[^&]*&moves=`) }],
  ]);
  const hash = await read(page, 'hash');
  await page.reload();
  await steps(page, [
    ['', { '.graph input': 1, hash }],
    ['#standard-button', { '[role=gridcell]': 25, hash: /^(?!.*board=)/ }],
  ]);
});

inLab('boards are solved, with the totals of the program, and compared', '#view=laboratory', async (page) => {
  const choose = (selector, option) => page.locator(selector).selectOption(option);
  await shows(page, { '#lab-longest': 1 }); // of the standard board
  await choose('#lab-width', '4');
  await choose('#lab-height', '4');
  await act(page, '#lab-solve');
  await shows(page, solved);
  await choose('#lab-width', '5');
  await choose('#lab-height', '5');
  await page.locator('[name=win][value=orthogonal]').check();
  await steps(page, [['#lab-solve', solved]]);
  await choose('#lab-compare', '4x4/3');
  const shown = await page.locator('.facts').innerText();
  hasTotals(shown, '4x4/3');
  hasTotals(shown, '5x5/3/orthogonal');
  assert.match(shown, /Black wins in 43 plies\s+Draw with best play/);
  await shows(page, { '.compared svg[role=img]': 2 });
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]), []);
});

inLab('full storage and a worker that dies leave a message and a page that works', '#', async (page) => {
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await page.goto(`${FILE}#board=4x4/3/diagonal&view=explore`);
  await page.locator('.value').first().waitFor();
  await act(page, '#tab-laboratory');
  await textSeen(page, 'The table is not kept: storage is full');
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
  await textSeen(page, 'That failed: the solver stopped: killed. Please try again.');
  await steps(page, [['#tab-play', { '[role=gridcell]': 16 }]]); // the board that was opened before
});

onOnePage('the page that solved these boards reported nothing', setup, inLaboratory);

// A board of whose table parts are read; that of a larger one than the tests solve can be given.
const { LARGE: large = THOROUGH ? '7x7/3' : '5x5/4', LARGE_TABLE } = process.env;
onPage('a large table is opened from a file: its values are those of neutreeko query; it has reviews and puzzles',
  { ...setup, hash: '#view=laboratory' }, async (page) => {
  const table = LARGE_TABLE ?? solveNatively(large);
  const games = join(folder, 'games.txt');
  native('', 'match', 'random', 'random', '--start=random', `--games=${THOROUGH ? 1000 : 10}`, '--max-plies=1', `--record=${games}`, `--table=${table}`);
  await openTable(page, { file: table });
  await textSeen(page, 'Not shown, because all of the table would have to be read');
  await shows(page, { ...solved, '#headline': new RegExp(`^${large.slice(0, 3).replace('x', '\u00d7')}`) });
  const found = query(readFileSync(games, 'utf8').match(/(?<=\[Start ")[^"]*/g), `--table=${table}`);
  const { position: start, moves } = found.find(({ result, moves }) => result === 'win' && moves.at(-1).result === 'loss');
  const { move } = moves.at(-1);
  await steps(page, [
    [`${linkTo(large, start).replace('explore', 'play')}&moves=${move.replace('-', '')}`, { moves: move }],
    ['#tab-review', { '.entry .ply': [`${move}??`], '#headline': `Black played ${move}??` }], // when that has been read
    ...found.map(({ position, moves }) => [linkTo(large, position), { values: asValues(moves) }]),
    ['#tab-puzzle', { '#hint': 1 }],
  ]);
  await page.locator('[name=grade][value=save]').check();
  await shows(page, { '#subline': /^Only one move doesn/ });
  const values = await nativeMoves(page, undefined, `--table=${table}`);
  assert.match(values.map(({ result }) => result).join(' '), /^draw loss/);
});

const twoProcessors = () => {
  localStorage.neutreeko ??= JSON.stringify({ met: true });
  Object.defineProperty(navigator, 'hardwareConcurrency', { value: 2 });
  const Working = Worker;
  Object.assign(globalThis, { helpers: 0, running: 0 }); // workers
  globalThis.Worker = class extends Working {
    constructor(script) {
      super(script);
      globalThis.running++;
      this.addEventListener('message', ({ data }) => (globalThis.helpers += data.ready ? 1 : 0));
    }
    terminate() {
      globalThis.running--;
      super.terminate();
    }
  };
};
test('the site opens tables by their address, solves in two threads from the second visit on, and works offline', async () => {
  makeSite();
  for (const name of ['part.dat', 'whole.dat']) copyFileSync(solveNatively('4x4/3'), join(folder, 'site', name));
  const setup = { url: 'site/#view=laboratory&board=3x3/3', prepare: twoProcessors, allowed: /^(data|blob):|\/site\// };
  await withPage(setup, async (page) => {
    // If the server sends parts of files.
    for (const [address, message] of [
      ['http://[', 'Only tables of this site can be opened by address.'],
      ['whole.dat', 'this server sends only complete files'],
      ['https://example.org/part.dat', 'Only tables of this site can be opened by address.'],
      ['part.dat', '4\u00d74'],
    ]) {
      await openTable(page, { address });
      await textSeen(page, message);
    }
    await steps(page, [
      ['#lab-play', { '#start-game': 1 }],
      ['Escape #tab-explore', { '.value': /\S/ }],
    ]);
    const isIsolated = () => page.evaluate(() => crossOriginIsolated);
    assert.equal(await isIsolated(), false);
    await page.waitForFunction(async () => (await navigator.serviceWorker.ready) && (await caches.keys()).length === 1);
    await reload(page);
    assert.equal(await isIsolated(), true);
    await shows(page, { '.value': /\S/ }); // or the board that is still being solved would move the button
    await act(page, '#view=laboratory&board=4x6/3 #lab-solve');
    await page.locator('#lab-play').waitFor();
    assert.deepEqual(contentsOf((await savedTable(page))[0]), contentsOf(readFileSync(solveNatively('4x6/3'))));
    const helped = await page.evaluate(() => globalThis.helpers);
    assert.ok(helped <= 1); // a small board may be solved before its helper is ready
    await act(page, '#view=laboratory&board=7x7/3 #lab-solve');
    await page.waitForFunction((before) => globalThis.helpers > before, helped);
    await act(page, '#lab-cancel');
    await textSeen(page, 'Cancelled.');
    await page.waitForFunction(() => !globalThis.running);
    rmSync(join(folder, 'site'), { recursive: true }); // being offline is not for service workers
    await page.goto(new URL('?lang=ja', page.url()).href);
    await ready(page);
    assert.equal(await page.locator('html').getAttribute('lang'), 'ja');
  });
});

const denied = () => {
  IDBFactory.prototype.open = () => {
    throw new DOMException('no', 'SecurityError');
  };
};
onPage('without storage a board is played all the same; when the file of a table is gone, the standard game',
  { ...setup, hash: '#board=4x4/3/diagonal&view=explore', prepare: denied, warning: /cannot read the table/ }, async (page) => {
  await page.locator('.value').first().waitFor();
  await act(page, '#tab-laboratory');
  await page.getByText('Solved boards on this device').click();
  await shows(page, { '#lab-denied': /^This browser keeps no tables/ });
  const table = join(folder, 'gone.dat');
  copyFileSync(solveNatively('6x6/3'), table);
  await openTable(page, { file: table });
  await shows(page, { ...solved, '#headline': /^6/ });
  rmSync(table);
  await steps(page, [
    [linkTo('6x6/3', 'b4w/1w4/6/6/4b1/w4b b'), { '#notice': /^The table can no longer be read/, '[role=gridcell]': 25 }],
    ['#view=laboratory&board=6x6/3', { '#lab-solve': 1 }],
  ]);
});

// Through the browser's own protocol: Playwright has every page of its own count as visible, and a visible one is not frozen.
test('a solve goes on after its page has been frozen in the background', { timeout: 2 * PATIENCE }, async () => {
  const browser = await launch();
  const protocol = await browser.newBrowserCDPSession();
  try {
    const { targetId } = await protocol.send('Target.createTarget', { url: `${FILE}#view=laboratory&board=6x6/3` });
    const { sessionId } = await protocol.send('Target.attachToTarget', { targetId, flatten: false });
    const answers = new Map();
    protocol.on('Target.receivedMessageFromTarget', ({ message }) => {
      const { id, result } = JSON.parse(message);
      answers.get(id)?.(result);
    });
    const send = (method, params) =>
      new Promise((resolve) => {
        const id = answers.size + 1;
        answers.set(id, resolve);
        protocol.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) });
      });
    const evaluate = async (expression) => (await send('Runtime.evaluate', { expression, returnByValue: true })).result.value;
    const appears = async (selector) => {
      while (!(await evaluate(`document.querySelectorAll('${selector}').length`))) await setTimeout(20);
    };
    await appears('#lab-solve');
    // What the worker reports arrives only after that: it may be done before the page is frozen.
    await evaluate(`globalThis.events = [];
      const resumed = new Promise((resolve) => document.addEventListener('resume', resolve));
      const listen = EventTarget.prototype.addEventListener;
      Worker.prototype.addEventListener = function (type, task) { listen.call(this, type, (event) => resumed.then(() => task(event))); };
      for (const name of ['freeze', 'resume', 'visibilitychange'])
        document.addEventListener(name, () => globalThis.events.push(name + ' ' + document.visibilityState));
      document.querySelector('#lab-solve').click()`);
    await appears('#lab-progress');
    await send('Page.setWebLifecycleState', { state: 'frozen' });
    assert.equal(await evaluate(`document.querySelectorAll('#lab-progress').length`), 1);
    await send('Page.setWebLifecycleState', { state: 'active' });
    await appears('.facts');
    hasTotals(await evaluate(`document.querySelector('.facts').innerText`), '6x6/3');
    assert.deepEqual(await evaluate('globalThis.events'), ['visibilitychange hidden', 'freeze hidden', 'resume hidden']);
  } finally {
    await browser.close();
  }
});
