// Tests of other boards, which the page solves, in Chromium: compared with data/boards.json and the programs.
// From the environment: as in pages.mjs.

import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { launch, PATIENCE, until } from './browser.mjs';
import {
  appears, asValues, click, FILE, focus, makeSite, myTurn, nativeMoves, onPage, openLink, play, press, read, ready,
  select, shows, THOROUGH, withPage,
} from './pages.mjs';
import { folder, native, query, solveNatively } from './programs.mjs';

const known = JSON.parse(readFileSync(new URL('../../data/boards.json', import.meta.url), 'utf8'));

/** Checks that a text shows the totals of a board. */
function hasTotals(text, name) {
  const [board, pieces, win = 'line'] = name.split('/');
  const isIt = (one) => one.board === board && one.pieces === Number(pieces) && one.row_length === 3 && one.win === win;
  const totals = known.find(isIt);
  for (const key of ['legal', 'wins', 'losses', 'draws'])
    assert.ok(text.includes(totals[key].toLocaleString('en')), `${name}: ${key}\n${text}`);
  for (const key of ['wins', 'losses', 'draws'])
    assert.ok(text.includes(`${Number((100 * totals[key] / totals.legal).toFixed(2))}%`), `${name}: ${key}\n${text}`);
}

const setup = { url: FILE };
const valuesSeen = (page) => appears(page, '.value');

/** The address of a position of a board. */
const linkOn = (board, text, view = 'explore') => `#board=${board}&view=${view}&start=${text.replace(' ', '_')}`;

/** A test at an address. */
const inLab = (name, hash, use) => onPage(name, { ...setup, hash }, use);

/** A test at an address whose board is still being solved. */
const inSolving = (name, hash, use) => onPage(name, { ...setup, hash, early: true }, use);

inSolving('what takes long shows how far it is, and can be stopped', '#board=7x7/3&view=explore', async (page) => {
  await shows(page, { '#headline': /^7\u00d77, 3 pieces/, '[role=gridcell]': 49 });
  const progress = /^Ply \d+: [\d,]+ of 277,854,720 positions are decided\.$/;
  await shows(page, { 'label[for=lab-progress]': progress, '[role=status] label': 0, '#spoken': /^Preparing|^Ply/ });
  await click(page, '#lab-cancel');
  await shows(page, { '[role=gridcell]': 25, hash: /^(?!.*board=)/ });
});

inSolving('two people can play while their board is being solved', '#board=7x7/3', async (page) => {
  await shows(page, { '#lab-progress': 1, '#hint:disabled': 1 });
  await play(page, 'c1-c6');
  await shows(page, { moves: 'c1-c6', '#headline': 'White to move' });
});

inSolving('a view that needs values is entered when they are there', '#board=6x6/3&view=puzzle', async (page) => {
  await shows(page, { '#headline': /^6\u00d76, 3 pieces/ });
  await shows(page, { '#headline': /to move$/, '#puzzle-next': 1, '#daily': 0, '#themes': 0 });
});

const TOO_LARGE = /takes \d{4}\.\d GB of memory; this browser can use at most \d\.\d GB/;
inLab('a board that needs too much memory is refused, with the reason', '#board=8x8/5&view=explore', async (page) => {
  await shows(page, { '#notice': TOO_LARGE, '[role=gridcell]': 25 });
});

const OTHERS = '#view=laboratory';
/** The device has 2 GiB, of which the page takes half. Runs in the page. */
const haveLittle = () => Object.defineProperty(Navigator.prototype, 'deviceMemory', { get: () => 2 });
const onSmallDevice = { ...setup, hash: OTHERS, prepare: haveLittle };
onPage('a board that needs too much memory cannot be chosen', onSmallDevice, async (page) => {
  await shows(page, { '#lab-width option': ['3', '4', '5', '6', '7', '8'] });
  await select(page, '#lab-width', '8');
  await select(page, '#lab-height', '8');
  await select(page, '#lab-pieces', '5');
  await shows(page, { '#lab-refused': /takes \d{4}\.\d GB of memory; this browser can use at most 1\.1 GB/ });
  await shows(page, { '#lab-solve': 0 });
});

inLab('a board for which no start is proposed is solved', '#board=3x3/4/row2/orthogonal&view=explore', valuesSeen);

const game = THOROUGH ? '6x6/3' : '4x5/3';
const linkToGame = `#board=${game}&view=explore`;
inLab('a link solves its board; a game on it is played, reviewed and opened again', linkToGame, async (page) => {
  const table = solveNatively(game);
  await valuesSeen(page);
  await focus(page, '[data-square=a1]');
  const focused = () => page.evaluate(() => document.activeElement.dataset.square);
  await press(page, 'End');
  assert.equal(await focused(), `${'abcdef'[game[0] - 1]}1`);
  await press(page, 'f', 'End'); // the board is turned: that square is in the upper left corner
  assert.equal(await focused(), 'a1');
  await click(page, '#tab-play', '#new');
  await click(page, '[name=opponent][value=perfect]');
  await click(page, '#start-game');
  while (await myTurn(page)) {
    const moves = await nativeMoves(page, undefined, `--table=${table}`);
    await play(page, moves.at(-1).move);
  }
  await shows(page, { '#headline': 'Perfect wins', '#home': 0 });
  await click(page, '#to-review');
  await shows(page, { hash: new RegExp(`^#board=${game}&view=review&start=[^&]*&moves=`) });
  const hash = await read(page, 'hash');
  await page.reload();
  await shows(page, { '.graph input': 1, hash });
  await click(page, '#standard-button');
  await shows(page, { '[role=gridcell]': 25, hash: /^(?!.*board=)/ });
});

onPage('boards are chosen and solved, with the totals of the program', { ...setup, hash: OTHERS, drawn: true },
  async (page) => {
    const facts = () => read(page, '.facts');
    await shows(page, { '.facts': /Draw with best play/ }); // the standard board
    hasTotals(await facts(), '5x5/3');
    await select(page, '#lab-width', '4');
    await select(page, '#lab-height', '4');
    await shows(page, { '.facts': 0, '#lab-estimate': /^160,160 positions/, '#lab-row_length option:last-child': '3' });
    await click(page, '#lab-solve');
    await shows(page, { '[role=gridcell]': 16, hash: /^#board=4x4\/3&start=/ });
    await click(page, '#menu-button', '#menu-laboratory');
    await shows(page, { '.graph': 1 });
    const [wins, losses] = await Promise.all(['win', 'loss'].map((one) => page.getAttribute(`.bar.${one}`, 'd')));
    assert.equal(wins.match(/v-/g).length, 17); // of 34 distances
    assert.equal(losses.match(/v\d/g).length, 17);
    const counts = await page.locator('#laboratory td').evaluateAll((all) =>
      all.filter((one) => one.closest('details')).map((one) => Number(one.textContent.replaceAll(',', ''))));
    const label = await page.getAttribute('.graph svg', 'aria-label');
    const [peak, last] = [counts.indexOf(Math.max(...counts)), counts.length - 1];
    assert.match(label, new RegExp(`: ${peak} pl.* most frequent .* ${last} plies the longest`));
    hasTotals(await facts(), '4x4/3');
    await select(page, '#lab-width', '5');
    await select(page, '#lab-height', '5');
    await click(page, '[name=win][value=orthogonal]');
    await click(page, '#lab-solve');
    await shows(page, { hash: /^#board=5x5\/3\/orthogonal&/ });
    await click(page, '#menu-button', '#menu-laboratory');
    await shows(page, { '.facts': /Black wins in 22 moves/ });
    hasTotals(await facts(), '5x5/3/orthogonal');
    await page.goBack();
    await shows(page, { '[role=gridcell]': 25 });
  });

onPage('at a start that the user has chosen, White may move, and moves are good that keep the result',
  { ...setup, settings: { starts: { '5x3/3': '2w2/1b1wb/w3b w' } }, hash: `${OTHERS}&board=5x3/3` }, (page) =>
    shows(page, { '.facts': /White wins in 7 moves\s+Good first moves\s+2 of 10/ })); // of which only one wins fastest

/** The squares in the picture of each rule: black pieces, white pieces, the ends of lines, marked ones. */
const PICTURES = {
  line: 'a1 b2 c3, c5 d5 e5, a1 c3 c5 e5, ',
  orthogonal: 'b1 b2 b3, c5 d5 e5, b1 b3 c5 e5, ',
  diagonal: 'a1 b2 c3, e3 d4 c5, a1 c3 e3 c5, ',
  equidistant: 'a1 c2 e3, , a1 e3, ',
  centre: 'a2 c3 d5, , , c3',
};
inLab('each rule has a picture of what wins', OTHERS, async (page) => {
  const picturesOf = (...names) => page.evaluate((rules) => rules.map((rule) => {
    const picture = document.querySelector(`label:has([name=win][value=${rule}]) svg`);
    const square = (x, y) => 'abcde'[(x - 10) / 20] + (110 - y) / 20;
    const pieces = (side) => [...picture.querySelector(`.${side} .body`).getAttribute('d').matchAll(/M(\d+) (\d+)a7/g)]
      .map(([, x, y]) => square(Number(x) + 7, y));
    const lines = [...picture.querySelectorAll('.won')].flatMap(({ x1, x2, y1, y2 }) =>
      [[x1, y1], [x2, y2]].map((at) => square(...at.map(({ baseVal }) => baseVal.value))));
    const marked = [...picture.querySelectorAll('.marked')].map(({ x, y, width, height }) =>
      square(x.baseVal.value + width.baseVal.value / 2, y.baseVal.value + height.baseVal.value / 2));
    return [pieces('black'), pieces('white'), lines, marked].map((squares) => squares.join(' ')).join(', ');
  }), names);
  assert.deepEqual(await picturesOf(...Object.keys(PICTURES)), Object.values(PICTURES));
  await select(page, '#lab-pieces', '4');
  await select(page, '#lab-row_length', '4');
  assert.deepEqual(await picturesOf('line'), ['a1 b2 c3 d4, b5 c5 d5 e5, a1 d4 b5 e5, ']);
  const tiles = await page.evaluate(() => {
    const { x, y, width, height } = document.querySelector('.diagram .tile').getBBox();
    return [x, y, width, height].map(Math.round);
  });
  assert.deepEqual(tiles, [1, 1, 98, 98]);
});

const CHOSEN = 'w2w/3w/b3/b2b';
onPage('on another board, games begin where the user has chosen, at the usual start or at a fair one',
  { ...setup, hash: `#board=4x4/3/diagonal&view=editor&start=${CHOSEN}_w` }, async (page) => {
    await click(page, '#as-start', '#start-game');
    await shows(page, { board: CHOSEN });
    await click(page, '#menu-button', '#menu-laboratory', '#lab-proposed', '#start-game');
    await shows(page, { '[role=gridcell]': 16, hash: new RegExp(`&start=(?!${CHOSEN})`) });
    await click(page, '#new', '#more summary', '#fair summary', '#fair-random');
    await shows(page, { '#fair-link': /#board=4x4\/3\/diagonal&start=/ });
  });

/** Has every worker end as soon as it gets a message. Runs in the page. */
function killWorkers() {
  globalThis.Worker = class extends Worker {
    postMessage() {
      queueMicrotask(() => this.dispatchEvent(new ErrorEvent('error', { message: 'killed' })));
    }
  };
}

/** The worker cannot even be started. Runs in the page. */
function refuseWorkers() {
  globalThis.Worker = class {
    constructor() {
      throw new DOMException('refused', 'SecurityError');
    }
  };
}

for (const [what, prepare] of Object.entries({ 'dies': killWorkers, 'cannot be started': refuseWorkers }))
  onPage(`where the worker ${what}, the page solves the standard board itself, and a search ends with a message`,
    { ...setup, hash: '#view=explore', prepare }, async (page) => {
      await shows(page, { '#headline': 'Draw with best play', values: asValues(await nativeMoves(page, 'b')) });
      await openLink(page, '#view=puzzle');
      await shows(page, { '#subline': 'The table could not be read.' });
    });

onPage('where the worker dies, another board cannot be solved, and the page says so',
  { ...setup, hash: '#board=4x4/3&view=explore', prepare: killWorkers }, (page) =>
    shows(page, { '#notice': 'The board could not be solved. Please try again.', '[role=gridcell]': 25 }));

// A board of whose table only some blocks are uncompressed; that of a larger one than the tests solve can be given.
const { LARGE: large = THOROUGH ? '7x7/3' : '5x5/4' } = process.env;

/** Positions of a board from random games, with their values as neutreeko query prints them. */
function randomPositions(table) {
  const games = join(folder, 'games.txt');
  const count = `--count=${THOROUGH ? 1000 : 10}`;
  const options = [count, '--start=random', '--record', `--output=${games}`, `--table=${table}`];
  native('', 'match', 'random', 'random', ...options);
  const starts = readFileSync(games, 'utf8').match(/(?<=\[Start ")[^"]*/g);
  return query(starts, `--table=${table}`);
}

inLab('a large board has values, reviews and puzzles', `#board=${large}`, async (page) => {
  const table = solveNatively(large);
  const found = randomPositions(table);
  const { position: start, moves } = found.find((one) => one.result === 'win' && one.moves.at(-1).result === 'loss');
  const { move: blunder } = moves.at(-1);
  await openLink(page, `${linkOn(large, start, 'play')}&moves=${blunder.replace('-', '')}`);
  await shows(page, { moves: blunder });
  await click(page, '#tab-explore', '#to-review');
  // When that has been read:
  await shows(page, { '.entry .ply': [`${blunder}??`], '#headline': `Black played ${blunder}??` });

  for (const { position, moves } of found) {
    await openLink(page, linkOn(large, position));
    await shows(page, { values: asValues(moves), '.why': new RegExp(`^${moves[0].move} `) });
  }

  await click(page, '#tab-learn');
  await shows(page, { '#hint': 1 });
  await click(page, '[name=grade][value=draw]');
  await shows(page, { '#subline': /^Only one move doesn/ });
  const [saving, ...others] = await nativeMoves(page, undefined, `--table=${table}`);
  assert.equal(saving.result, 'draw');
  assert.equal(others[0].result, 'loss');
  await click(page, '[name=grade][value=hard]');
  await shows(page, { '#subline': /^Win in [45]\. Only one move does it\./ });
});

const SITE = { allowed: /^(data|blob):|\/site\// };
/** The number of caches once the worker of the site runs. Runs in the page. */
async function countCaches() {
  await navigator.serviceWorker.ready;
  const names = await caches.keys();
  return names.length;
}

test('the site works offline, and solves boards there', async () => {
  makeSite();
  await withPage({ ...SITE, url: 'site/#board=4x4/3&view=explore' }, async (page) => {
    await shows(page, { '.value': /\S/ });
    await until(page, countCaches, null, (count) => count === 1, (count) => `${count} caches`);
    rmSync(join(folder, 'site'), { recursive: true }); // being offline is not for service workers
    await page.goto(new URL('?lang=ja', page.url()).href);
    await ready(page);
    await shows(page, { 'html[lang=ja]': 1 });
    await openLink(page, '?lang=ja#board=4x6/3&view=explore');
    await shows(page, { '.value': /\S/, '[role=gridcell]': 24 });
  });
});

// Through the browser's own protocol: Playwright has every page of its own count as visible, and a visible one is not
// frozen.
test('a solve goes on after its page has been frozen in the background', { timeout: 2 * PATIENCE }, async () => {
  const browser = await launch();
  const protocol = await browser.newBrowserCDPSession();
  try {
    const { targetId } = await protocol.send('Target.createTarget', { url: 'about:blank' });
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
    const evaluate = async (expression) => {
      const { result } = await send('Runtime.evaluate', { expression, returnByValue: true });
      return result.value;
    };
    const isThere = async (selector) => {
      while (!(await evaluate(`document.querySelectorAll('${selector}').length`))) await setTimeout(20);
    };
    // What the worker reports arrives only after that: it may be done before the page is frozen.
    await send('Page.enable');
    await send('Page.addScriptToEvaluateOnNewDocument', { source: `globalThis.events = [];
      const resumed = new Promise((resolve) => document.addEventListener('resume', resolve));
      const listen = EventTarget.prototype.addEventListener;
      Worker.prototype.addEventListener = function (type, task) {
        listen.call(this, type, (event) => resumed.then(() => task(event)));
      };
      for (const name of ['freeze', 'resume', 'visibilitychange'])
        document.addEventListener(name, () => globalThis.events.push(name + ' ' + document.visibilityState));` });
    await send('Page.navigate', { url: `${FILE}#view=laboratory&board=6x6/3` });
    await isThere('#lab-progress');
    await send('Page.setWebLifecycleState', { state: 'frozen' });
    assert.equal(await evaluate(`document.querySelectorAll('#lab-progress').length`), 1);
    await send('Page.setWebLifecycleState', { state: 'active' });
    await isThere('.facts');
    hasTotals(await evaluate(`document.querySelector('.facts').innerText`), '6x6/3');
    const events = await evaluate('globalThis.events');
    assert.deepEqual(events, ['visibilitychange hidden', 'freeze hidden', 'resume hidden']);
  } finally {
    await browser.close();
  }
});
