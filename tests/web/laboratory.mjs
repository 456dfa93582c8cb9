// Tests of the laboratory, in which the page solves other boards, in Chromium: compared with data/boards.json and the programs.
// From the environment: as in pages.mjs.

import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { launch, require } from './browser.mjs';
import { contentsOf } from './contents.mjs';
import {
  act, asValues, clickMove, FILE, headline, makeSite, myTurn, onPage as onAnyPage, position, read, ready, reload, shows, steps,
  THOROUGH, withPage,
} from './pages.mjs';
import { folder, native, query, solveNatively } from './programs.mjs';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const known = JSON.parse(readFileSync(new URL('../../data/boards.json', import.meta.url), 'utf8'));
const totals = (name) => {
  const [board, pieces, win = 'line'] = name.split('/');
  return known.find((one) => one.board === board && one.pieces === Number(pieces) && one.row === 3 && one.win === win);
};

const onPage = (name, setup, use) =>
  onAnyPage(name, { url: FILE, hash: '#view=laboratory&board=3x3/3', settings: { plies: true }, players: null, ...setup }, use);
const solved = { '#lab-play': 1 };

onPage('boards are solved, with the totals of the program, and compared', { hash: '#view=explore' }, async (page) => {
  const choose = (selector, option) => page.locator(selector).selectOption(option);
  await steps(page, [['#tab-laboratory', { '#lab-longest': 1 }]]); // of the standard board
  await choose('#lab-width', '4');
  await choose('#lab-height', '4');
  await steps(page, [['', { '#lab-estimate': 1 }], ['#lab-solve', solved]]);
  await choose('#lab-width', '5');
  await choose('#lab-height', '5');
  await page.locator('[name=win][value=orthogonal]').check();
  await steps(page, [['#lab-solve', solved]]);
  await choose('#lab-compare', '4x4/3');
  const shown = await page.locator('.facts').innerText();
  for (const name of ['4x4/3', '5x5/3/orthogonal'])
    for (const key of ['legal', 'wins', 'losses', 'draws'])
      assert.ok(shown.includes(totals(name)[key].toLocaleString('en')), `${name}: ${key}\n${shown}`);
  assert.match(shown, /Black wins in 43 plies\s+Draw with best play/);
  await shows(page, { '.compared svg[role=img]': 2 });
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]), []);
  await choose('#lab-compare', '');
  await page.getByText('All numbers').click();
  const numbers = await page.locator('details tbody td').allInnerTexts();
  assert.deepEqual(numbers.map((text) => Number(text.replaceAll(',', ''))), totals('5x5/3/orthogonal').by_distance);
  await choose('#lab-pieces', '4');
  await page.locator('[name=win][value=equidistant]').check();
  await shows(page, { '#lab-refused': /needs three pieces/ });
});

const game = THOROUGH ? '6x6/3' : '4x4/3';
onPage('a link solves its board; a game on it against the perfect player; a reload and the way back', { hash: `#board=${game}&view=explore` },
  async (page) => {
    const table = `--table=${solveNatively(game)}`;
    await page.locator('.value').first().waitFor();
    await act(page, '#tab-play #new');
    await page.getByLabel('Perfect').check();
    await act(page, '#start-game');
    while (await myTurn(page)) {
      const [{ moves }] = query(await position(page, 'b'), table);
      await clickMove(page, moves.at(-1).move);
    }
    await steps(page, [
      ['', { '#headline': 'Perfect wins' }],
      ['#to-review', { hash: new RegExp(`^#board=${game}&view=review&start=[^&]*&moves=`) }],
    ]);
    const hash = await read(page, 'hash');
    await page.reload();
    await steps(page, [
      ['', { '.graph input': 1, hash }],
      ['#tab-puzzle', { '#hint': 1 }],
    ]);
    const side = (await headline(page)).startsWith('Black') ? 'b' : 'w';
    const [{ moves: [best, next] }] = query(await position(page, side), table);
    assert.deepEqual([best.distance, next.distance === 3], [3, false]);
    await steps(page, [['#standard-button', { '[role=gridcell]': 25, hash: /^(?!.*board=)/ }]]);
  });

onPage('solving can be cancelled; what cannot be solved is refused', { hash: '#board=7x7/3&view=explore' }, async (page) => {
  await act(page, '#lab-cancel');
  await page.getByText('Cancelled.').first().waitFor();
  await steps(page, [
    ['', { '#lab-solve': 1 }],
    ['#tab-play', { '[role=gridcell]': 25 }],
  ]);
  // Another board is solved, but its link is left at once.
  await page.evaluate(() => {
    location.hash = '#board=4x5/3&view=explore';
    return new Promise((resolve) => setTimeout(() => resolve(document.querySelector('#tab-play').click())));
  });
  await steps(page, [
    ['#tab-laboratory', solved],
    ['#tab-play', { '[role=gridcell]': 25 }],
    [() => page.goto(`${FILE}#view=laboratory&board=8x8/5`), { '#lab-refused': /of memory; this browser can use at most/ }],
    [() => page.goto(`${FILE}#board=9x9/3&view=explore`), { '#notice': /^Part of this link is invalid/ }],
  ]);
});

// A board of whose table parts are read; that of a larger one than the tests solve can be given.
const { LARGE: large = THOROUGH ? '7x7/3' : '4x7/3', LARGE_TABLE } = process.env;
onPage('a large table is opened from a file, and its values are those of neutreeko query', {}, async (page) => {
  const table = LARGE_TABLE ?? solveNatively(large);
  const games = join(folder, 'games.txt');
  native('', 'match', 'random', 'random', '--start=random', `--games=${THOROUGH ? 1000 : 10}`, '--max-plies=1', `--record=${games}`, `--table=${table}`);
  const positions = readFileSync(games, 'utf8').match(/(?<=\[Start ")[^"]*/g);
  await page.getByText('Open a table').click();
  await page.locator('#lab-file').setInputFiles(table);
  await shows(page, { ...solved, '#headline': new RegExp(`^${large.slice(0, 3).replace('x', '\u00d7')}`) });
  const open = (text) => () => page.goto(`${FILE}#board=${large}&view=explore&start=${text.replace(' ', '_')}`);
  const found = query(positions, `--table=${table}`);
  await steps(page, found.map(({ moves }, n) => [open(positions[n]), { values: asValues(moves) }]));
});

onPage('a game on a large table is reviewed when what that needs has been read', {}, async (page) => {
  const table = LARGE_TABLE ?? solveNatively(large);
  const start = native('', 'puzzle', '--plies=5', `--table=${table}`).split('\n')[0];
  const [{ moves }] = query([start], `--table=${table}`);
  const { move } = moves.at(-1);
  await page.getByText('Open a table').click();
  await page.locator('#lab-file').setInputFiles(table);
  await steps(page, [
    ['', solved],
    [() => page.goto(`${FILE}#board=${large}&view=play&start=${start.replace(' ', '_')}&moves=${move.replace('-', '')}`), { moves: move }],
    ['#tab-review', { '.entry .ply': [`${move}??`] }],
  ]);
});

onPage('a table with more than 50 million positions has puzzles', {}, async (page) => {
  const table = solveNatively('5x5/4');
  await page.getByText('Open a table').click();
  await page.locator('#lab-file').setInputFiles(table);
  await page.getByText('Not shown, because all of the table would have to be read').waitFor();
  await steps(page, [['#lab-play', { '#start-game': 1 }], ['Escape #tab-puzzle', { '#hint': 1 }]]);
  for (const [grade, prompt] of [['easy', /^Win in 2/], ['save', /^Only one move doesn/]]) {
    await page.locator(`[name=grade][value=${grade}]`).check();
    await shows(page, { '#subline': prompt });
    const side = (await headline(page)).startsWith('Black') ? 'b' : 'w';
    const [{ moves }] = query(await position(page, side), `--table=${table}`);
    const [best, next] = moves.map(({ result, distance }) => `${result} ${distance}`);
    if (grade === 'easy') assert.ok(best === 'win 3' && !next.startsWith('win'), `${best}, ${next}`);
    else assert.ok(best.startsWith('draw') && next.startsWith('loss'), `${best}, ${next}`);
  }
});

// Through the browser's own protocol: Playwright has every page of its own count as visible, and a visible one is not frozen.
test('a solve goes on after its page has been frozen in the background', async () => {
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
    const evaluate = async (expression) => (await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })).result.value;
    const appears = async (selector) =>
      assert.ok(
        await evaluate(`new Promise((resolve) => {
          const end = performance.now() + 30000; // only a page that hangs takes so long
          const look = () => {
            const found = Boolean(document.querySelector('${selector}'));
            if (found || performance.now() > end) resolve(found);
            else setTimeout(look, 20);
          };
          look();
        })`),
        selector,
      );
    await appears('#lab-solve');
    await evaluate(`globalThis.events = [];
      for (const name of ['freeze', 'resume', 'visibilitychange'])
        document.addEventListener(name, () => globalThis.events.push(name + ' ' + document.visibilityState));
      document.querySelector('#lab-solve').click()`);
    await appears('#lab-progress');
    await send('Page.setWebLifecycleState', { state: 'frozen' });
    assert.equal(await evaluate(`document.querySelectorAll('#lab-progress').length`), 1);
    await send('Page.setWebLifecycleState', { state: 'active' });
    await appears('.facts');
    const shown = await evaluate(`document.querySelector('.facts').innerText`);
    for (const key of ['legal', 'wins', 'losses', 'draws']) assert.ok(shown.includes(totals('6x6/3')[key].toLocaleString('en')), `${key}\n${shown}`);
    assert.deepEqual(await evaluate('globalThis.events'), ['visibilitychange hidden', 'freeze hidden', 'resume hidden']);
  } finally {
    await browser.close();
  }
});

onPage('full storage and a worker that dies leave a message and a page that works', {}, async (page) => {
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
  await steps(page, [['#tab-play', { '[role=gridcell]': 16 }]]); // the board that was opened before
});

test('the site opens tables by their address, if the server sends parts of files, and works offline after a visit', async () => {
  makeSite();
  for (const name of ['part.dat', 'whole.dat']) copyFileSync(solveNatively('4x4/3'), join(folder, 'site', name));
  await withPage({ url: 'site/#view=laboratory&board=3x3/3', players: null, allowed: /./ }, async (page, context) => {
    await page.getByText('Open a table').click();
    for (const [address, message] of [
      ['whole.dat', 'this server sends only complete files'],
      ['https://example.org/part.dat', 'Only tables of this site can be opened by address.'],
      ['part.dat', '4\u00d74'],
    ]) {
      await page.locator('#lab-url').fill(address);
      await page.locator('#lab-fetch').click();
      await page.getByText(message).first().waitFor();
    }
    await steps(page, [
      ['', { '#headline': /^4\u00d74/ }],
      ['#lab-play', { '#start-game': 1 }],
      ['Escape #tab-explore', { '.value': /\S/ }],
    ]);
    await page.waitForFunction(async () => (await navigator.serviceWorker.ready) && (await caches.keys()).length === 1);
    await context.setOffline(true);
    await page.goto(new URL('?lang=ja', page.url()).href);
    await ready(page);
    assert.equal(await page.locator('html').getAttribute('lang'), 'ja');
    const { icons } = JSON.parse(readFileSync(join(folder, 'site/manifest.webmanifest'), 'utf8'));
    const width = async (name) => (await createImageBitmap(await (await caches.match(name)).blob())).width;
    for (const { src } of icons) assert.equal(await page.evaluate(width, src), Number(src.match(/\d+/)[0]));
  });
});

const threads = () => {
  localStorage.neutreeko ??= JSON.stringify({ met: true });
  Object.defineProperty(navigator, 'hardwareConcurrency', { value: 3 });
  const [Working, nothing] = [Worker, URL.createObjectURL(new Blob())];
  Object.assign(globalThis, { broken: 0, helpers: 0, running: 0 }); // workers
  globalThis.Worker = class extends Working {
    constructor(script) {
      const isBroken = globalThis.broken-- > 0;
      super(isBroken ? nothing : script);
      globalThis.running++;
      this.addEventListener('message', ({ data }) => (globalThis.helpers += data.ready ? 1 : 0));
      if (isBroken) queueMicrotask(() => this.dispatchEvent(new ErrorEvent('error', { message: 'killed' })));
    }
    terminate() {
      globalThis.running--;
      super.terminate();
    }
  };
};
test('the site solves boards in several threads from the second visit on, and in one if they fail', async () => {
  makeSite();
  await withPage({ url: 'site/', prepare: threads, allowed: /^(data|blob):|\/site\// }, async (page) => {
    const isIsolated = () => page.evaluate(() => crossOriginIsolated);
    const begin = async (board) => {
      await page.evaluate((address) => (location.hash = address), `#view=laboratory&board=${board}`);
      await act(page, '#lab-solve');
    };
    /** Solves a board, and returns how many workers helped. */
    const helpersFor = async (board) => {
      const before = await page.evaluate(() => globalThis.helpers);
      await begin(board);
      await page.locator('#lab-play').waitFor();
      const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#lab-save').click()]);
      assert.deepEqual(contentsOf(readFileSync(await download.path())), contentsOf(readFileSync(solveNatively(board))));
      return (await page.evaluate(() => globalThis.helpers)) - before;
    };
    assert.equal(await isIsolated(), false);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await reload(page);
    assert.equal(await isIsolated(), true);
    assert.equal(await helpersFor('5x6/3'), 2);
    await page.evaluate(() => (globalThis.broken = 2));
    assert.equal(await helpersFor('6x5/3'), 0);
    await begin('7x7/3');
    await page.waitForFunction(() => globalThis.helpers === 4);
    await act(page, '#lab-cancel');
    await page.getByText('Cancelled.').first().waitFor();
    await page.waitForFunction(() => !globalThis.running);
    await page.evaluate(() => {
      const script = document.querySelector('#neutreeko-solver');
      script.textContent = `WebAssembly.Memory = function () { throw new RangeError('refused'); };${script.textContent}`;
    });
    assert.equal(await helpersFor('5x6/3/diagonal'), 0);
  });
});

const denied = () => {
  IDBFactory.prototype.open = () => {
    throw new DOMException('no', 'SecurityError');
  };
};
onPage('a table whose file is gone leaves a message and the standard game', { prepare: denied, warning: /cannot read the table/ }, async (page) => {
  const table = join(folder, 'gone.dat');
  copyFileSync(solveNatively('6x6/3'), table);
  await page.getByText('Open a table').click();
  await page.locator('#lab-file').setInputFiles(table);
  await shows(page, { ...solved, '#headline': /^6/ });
  rmSync(table);
  await page.goto(`${FILE}#board=6x6/3&view=explore&start=b4w/1w4/6/6/4b1/w4b_b`);
  await shows(page, { '#notice': 'The table can no longer be read. This is the standard game.', '[role=gridcell]': 25 });
  await page.goto(`${FILE}#view=laboratory&board=6x6/3`);
  await shows(page, { '#lab-solve': 1 });
});

onPage('without storage a board is played all the same', { hash: '#board=4x4/3/diagonal&view=explore', prepare: denied }, async (page) => {
  await page.locator('.value').first().waitFor();
  await act(page, '#tab-laboratory');
  await page.getByText('Solved boards on this device').click();
  await shows(page, { '#lab-denied': /^This browser keeps no tables/ });
});

onPage('tables are saved, opened, kept within a limit and deleted; a damaged one changes nothing', {}, async (page) => {
  const table = solveNatively('4x4/3');
  const damaged = join(folder, 'damaged.dat');
  const bytes = readFileSync(table);
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(damaged, bytes);
  await page.getByText('Open a table').click();
  await page.locator('#lab-file').setInputFiles(damaged);
  await page.getByText('This file is not a table of Neutreeko, or it is damaged.').first().waitFor();
  await shows(page, { '#headline': '3\u00d73, 3 pieces' });
  await page.locator('#lab-file').setInputFiles(table);
  await shows(page, { '#headline': /^4/ });
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#lab-save').click()]);
  assert.equal(download.suggestedFilename(), '4x4-3.dat');
  assert.ok(readFileSync(await download.path()).equals(readFileSync(table)));
  await page.getByText('Solved boards on this device').click();
  await steps(page, [
    ['', { '#lab-used': '6 kB of 200 MB used' }],
    ['#lab-empty', { '#lab-empty': 0, '#lab-used': '0 kB of 200 MB used' }],
  ]);
});
