// Tests of the laboratory, in which the page solves other boards, in Chromium: compared with data/boards.json and the
// programs.
// From the environment: as in pages.mjs.

import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { launch, PATIENCE, require, until } from './browser.mjs';
import {
  asValues, click, FILE, makeSite, myTurn, nativeMoves, onPage, openLink, play, read, ready,
  shows, THOROUGH, withPage,
} from './pages.mjs';
import { folder, native, query, solveNatively } from './programs.mjs';
import { contentsOf, seal, withOtherCode } from './table.mjs';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const known = JSON.parse(readFileSync(new URL('../../data/boards.json', import.meta.url), 'utf8'));

/** Checks that a text shows the totals of a board. */
function hasTotals(text, name) {
  const [board, pieces, win = 'line'] = name.split('/');
  const isIt = (one) => one.board === board && one.pieces === Number(pieces) && one.row_length === 3 && one.win === win;
  const totals = known.find(isIt);
  for (const key of ['legal', 'wins', 'losses', 'draws'])
    assert.ok(text.includes(totals[key].toLocaleString('en')), `${name}: ${key}\n${text}`);
}

const setup = { url: FILE };
const fresh = { ...setup, fresh: true };
const solved = { '#lab-play': 1 };
const textSeen = (page, text) => page.getByText(text).first().waitFor();
const valuesSeen = (page) => page.locator('.value').first().waitFor();
const select = (page, selector, option) => page.locator(selector).selectOption(option);

async function openFile(page, path) {
  if (!(await page.locator('#lab-file').isVisible())) await page.getByText('Open a table').dispatchEvent('click');
  await page.locator('#lab-file').setInputFiles(path);
}

/** Saves the table: its bytes, and the name that is suggested for the file. */
async function savedTable(page) {
  const [download] = await Promise.all([page.waitForEvent('download'), click(page, '#lab-save')]);
  return { bytes: readFileSync(await download.path()), name: download.suggestedFilename() };
}

/** The address of a position of a board. */
const linkTo = (board, text, view = 'explore') => `#board=${board}&view=${view}&start=${text.replace(' ', '_')}`;

const inLaboratoryView = { ...setup, hash: '#view=laboratory' };
/** A test at an address. */
const inLab = (name, hash, use) => onPage(name, { ...setup, hash }, use);

inLab('a damaged table is refused and changes nothing', '#view=laboratory&board=3x3/3', async (page) => {
  const bytes = readFileSync(solveNatively('4x4/3'));
  bytes[bytes.length >> 1] ^= 1;
  const damaged = join(folder, 'damaged.dat');
  writeFileSync(damaged, bytes);
  await openFile(page, damaged);
  await textSeen(page, 'This table cannot be used (damaged: the checksum of block');
  assert.equal(await page.inputValue('#lab-file'), ''); // so that it can be chosen again when it is repaired
  await shows(page, { '#headline': '3\u00d73, 3 pieces' });
});

inLab('a table is opened, once it is verified, and saved', '#view=laboratory&board=3x3/3', async (page) => {
  const table = solveNatively('4x4/3');
  await openFile(page, table);
  await shows(page, { '#headline': /^4/ });
  const { bytes, name } = await savedTable(page);
  assert.deepEqual(bytes, readFileSync(table));
  assert.equal(name, '4x4-3.dat');
});

inLab('solving goes on in other views until it is cancelled', '#board=7x7/3&view=explore', async (page) => {
  await shows(page, { '#subline': 'Solving' });
  await openLink(page, '#view=laboratory&board=3x3/2');
  await shows(page, { '#subline': 'Not solved yet', 'label[for=lab-progress]': /^7\u00d77, 3 pieces: / });
  await click(page, '#lab-cancel');
  await textSeen(page, 'Cancelled.');
  await shows(page, { '#lab-message.wrong': 0 });
  await click(page, '#tab-play');
  await shows(page, { '[role=gridcell]': 25 });
});

const PREPARED = '#view=laboratory&board=6x6/3';
inLab('until the first ply is decided, the page says that it prepares', PREPARED, async (page) => {
  await page.evaluate(() => {
    const seen = (globalThis.seen = new Set());
    const look = () => seen.add(document.querySelector('label[for=lab-progress]')?.textContent.trim());
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  await click(page, '#lab-solve');
  await shows(page, solved);
  const texts = await page.evaluate(() => [...globalThis.seen]);
  assert.ok(texts.some((text) => /^Preparing the board/.test(text)), `${texts}`);
  assert.ok(!texts.some((text) => /-1|: 0 of/.test(text)), `${texts}`);
});

inLab('a board that needs too much memory is refused', '#view=laboratory&board=8x8/5', (page) =>
  shows(page, { '#lab-refused': /of memory; this browser can use at most/ }));

const WITHOUT_START = '#view=laboratory&board=3x3/4/row2/orthogonal';
inLab('a board for which no start is proposed is solved', WITHOUT_START, async (page) => {
  await click(page, '#lab-solve');
  await shows(page, solved);
});

inLab('a board without a position to begin with is refused', '#view=laboratory&board=3x4/5/row2', async (page) => {
  await click(page, '#lab-solve');
  await shows(page, { '#lab-message': /no position was found to begin with/ });
});

inLab('a link to an impossible board is reported', '#board=9x9/3&view=explore', (page) =>
  shows(page, { '#notice': /^Part of this link is invalid/ }));

const game = THOROUGH ? '6x6/3' : '4x5/3';
const linkToGame = `#board=${game}&view=explore`;
inLab('a link solves its board; a game on it is played, reviewed and opened again', linkToGame, async (page) => {
  const table = solveNatively(game);
  await valuesSeen(page);
  await click(page, '#tab-play', '#new');
  await page.getByLabel('Perfect').check();
  await click(page, '#start-game');
  while (await myTurn(page)) {
    const moves = await nativeMoves(page, undefined, `--table=${table}`);
    await play(page, moves.at(-1).move);
  }
  await shows(page, { '#headline': 'Perfect wins' });
  await click(page, '#to-review');
  await shows(page, { hash: new RegExp(`^#board=${game}&view=review&start=[^&]*&moves=`) });
  const hash = await read(page, 'hash');
  await page.reload();
  await shows(page, { '.graph input': 1, hash });
  await click(page, '#standard-button');
  await shows(page, { '[role=gridcell]': 25, hash: /^(?!.*board=)/ });
});

onPage('boards are solved, with the totals of the program', { ...inLaboratoryView, drawn: true }, async (page) => {
  await shows(page, solved); // the standard board
  await select(page, '#lab-width', '4');
  await select(page, '#lab-height', '4');
  await click(page, '#lab-solve');
  await shows(page, { ...solved, '.graph': 1 });
  const facts = () => page.locator('.facts').innerText();
  hasTotals(await facts(), '4x4/3');
  assert.match(await facts(), /Draw with best play/);
  await select(page, '#lab-width', '5');
  await select(page, '#lab-height', '5');
  await page.locator('[name=win][value=orthogonal]').check();
  await click(page, '#lab-solve');
  await shows(page, solved);
  hasTotals(await facts(), '5x5/3/orthogonal');
  assert.match(await facts(), /Black wins in 22 moves/);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const describe = ({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))];
  assert.deepEqual(violations.map(describe), []);
});

inLab('of the first moves, those are good that keep the result', '#view=laboratory&board=5x3/3', async (page) => {
  await click(page, '#lab-solve');
  await shows(page, { '.facts': /Good first moves\s+2 of 10/ }); // of which only one wins fastest
});

const STARTS = { '4x4/3/diagonal': 'w2w/3w/b3/b2b w', '4x4/4/row4': 'wb2/w2b/2bw/bw2 b', '5x4/3': 'w4/1bw2/2bw1/4b b' };
for (const [board, start] of Object.entries(STARTS))
  onPage(`the start that was chosen for a board is kept: ${board}`,
    { ...setup, settings: { starts: STARTS }, hash: `#board=${board}` }, async (page) => {
      await shows(page, { board: start.slice(0, -2), '#headline': /to move|Your move/ });
    });

onPage('a worker that dies leaves a message and the board that was opened before', fresh, async (page) => {
  await openLink(page, '#board=4x4/3&view=explore');
  await valuesSeen(page);
  await page.evaluate(() => {
    const Living = Worker;
    globalThis.Worker = class extends Living {
      constructor(url) {
        super(url);
        queueMicrotask(() => this.dispatchEvent(new ErrorEvent('error', { message: 'killed' })));
      }
    };
  });
  await openLink(page, '#board=3x4/3');
  await textSeen(page, 'That failed (module). Please try again.');
  await click(page, '#tab-play');
  await shows(page, { '[role=gridcell]': 16 });
});

// A board of whose table only some blocks are uncompressed; that of a larger one than the tests solve can be given.
const { LARGE: large = THOROUGH ? '7x7/3' : '5x5/4', LARGE_TABLE } = process.env;

const [largeBoard, largePieces] = large.split('/');

/** Opens a table of the large board, until the page shows it. */
async function openLarge(page, path) {
  await openFile(page, path);
  await shows(page, { '#headline': new RegExp(`^${largeBoard.replace('x', '\u00d7')}, ${largePieces} `) });
}

/** Positions of a board from random games, with their values as neutreeko query prints them. */
function randomPositions(table) {
  const games = join(folder, 'games.txt');
  const count = `--games=${THOROUGH ? 1000 : 10}`;
  const options = [count, '--start=random', '--max-plies=1', `--save=${games}`, `--table=${table}`];
  native('', 'match', 'random', 'random', ...options);
  const starts = readFileSync(games, 'utf8').match(/(?<=\[Start ")[^"]*/g);
  return query(starts, `--table=${table}`);
}

onPage('a large table has values, reviews and puzzles', inLaboratoryView, async (page) => {
  const table = LARGE_TABLE ?? solveNatively(large);
  await openLarge(page, table);
  const found = randomPositions(table);
  const { position: start, moves } = found.find((one) => one.result === 'win' && one.moves.at(-1).result === 'loss');
  const { move: blunder } = moves.at(-1);
  await openLink(page, `${linkTo(large, start, 'play')}&moves=${blunder.replace('-', '')}`);
  await shows(page, { moves: blunder });
  await click(page, '#tab-explore', '#to-review');
  // When that has been read:
  await shows(page, { '.entry .ply': [`${blunder}??`], '#headline': `Black played ${blunder}??` });

  for (const { position, moves } of found) {
    await openLink(page, linkTo(large, position));
    await shows(page, { values: asValues(moves) });
  }

  await click(page, '#tab-learn');
  await shows(page, { '#hint': 1 });
  await page.locator('[name=grade][value=draw]').check();
  await shows(page, { '#subline': /^Only one move doesn/ });
  const [saving, ...others] = await nativeMoves(page, undefined, `--table=${table}`);
  assert.equal(saving.result, 'draw');
  assert.equal(others[0].result, 'loss');
});

const freshView = { ...inLaboratoryView, fresh: true };
onPage('verifying a file shows its progress, and can be cancelled', freshView, async (page) => {
  // As soon as that is possible: verifying this table may take less time than a click.
  await page.evaluate(() => {
    const cancel = () => {
      globalThis.seen ??= document.querySelector('label[for=lab-progress]')?.textContent.trim();
      document.querySelector('#lab-cancel')?.click();
    };
    new MutationObserver(cancel).observe(document.body, { childList: true, subtree: true });
  });
  await openFile(page, solveNatively(large));
  await shows(page, { '#lab-message': 'Cancelled. Nothing has changed.', '#headline': /^5\u00d75, 3 pieces/ });
  assert.equal(await page.evaluate(() => globalThis.seen), 'Verifying the table');
});

onPage('a table with a wrong code is refused, with the position', inLaboratoryView, async (page) => {
  const path = join(folder, 'wrong.dat');
  writeFileSync(path, withOtherCode(readFileSync(solveNatively(large))));
  seal(path);
  await openFile(page, path);
  const message = /^This table cannot be used \(the table is wrong: \S+ [bw]: \w.*\)\. Nothing/;
  await shows(page, { '#lab-message.wrong': message });
});

onPage('a search whose worker dies ends with a message', { ...fresh, hash: '#view=puzzle' }, async (page) => {
  await shows(page, { '#hint': 1 });
  await page.evaluate(() => {
    const Living = Worker;
    globalThis.Worker = class extends Living {
      postMessage(...message) {
        if ('id' in message[0]) this.dispatchEvent(new ErrorEvent('error', { message: 'killed' }));
        else super.postMessage(...message);
      }
    };
  });
  await openLink(page, '#board=4x4/3&view=puzzle');
  await shows(page, { '#subline': 'The table could not be read.' });
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
    assert.equal(await page.locator('html').getAttribute('lang'), 'ja');
    await openLink(page, '#view=laboratory&board=4x6/3');
    await click(page, '#lab-solve');
    await shows(page, solved);
    const { bytes } = await savedTable(page);
    assert.deepEqual(contentsOf(bytes), contentsOf(readFileSync(solveNatively('4x6/3'))));
  });
});

onPage('a table that is open does not need its file', inLaboratoryView, async (page) => {
  const table = join(folder, 'gone.dat');
  copyFileSync(solveNatively('6x6/3'), table);
  await openFile(page, table);
  await shows(page, { ...solved, '#headline': /^6/ });
  rmSync(table);
  await openLink(page, linkTo('6x6/3', 'b4w/1w4/6/6/4b1/w4b b'));
  await shows(page, { '.value': /\S/, '[role=gridcell]': 36 });
});

// Through the browser's own protocol: Playwright has every page of its own count as visible, and a visible one is not
// frozen.
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
    const evaluate = async (expression) => {
      const { result } = await send('Runtime.evaluate', { expression, returnByValue: true });
      return result.value;
    };
    const appears = async (selector) => {
      while (!(await evaluate(`document.querySelectorAll('${selector}').length`))) await setTimeout(20);
    };
    await appears('#lab-solve');
    // What the worker reports arrives only after that: it may be done before the page is frozen.
    await evaluate(`globalThis.events = [];
      const resumed = new Promise((resolve) => document.addEventListener('resume', resolve));
      const listen = EventTarget.prototype.addEventListener;
      Worker.prototype.addEventListener = function (type, task) {
        listen.call(this, type, (event) => resumed.then(() => task(event)));
      };
      for (const name of ['freeze', 'resume', 'visibilitychange'])
        document.addEventListener(name, () => globalThis.events.push(name + ' ' + document.visibilityState));
      document.querySelector('#lab-solve').click()`);
    await appears('#lab-progress');
    await send('Page.setWebLifecycleState', { state: 'frozen' });
    assert.equal(await evaluate(`document.querySelectorAll('#lab-progress').length`), 1);
    await send('Page.setWebLifecycleState', { state: 'active' });
    await appears('.facts');
    hasTotals(await evaluate(`document.querySelector('.facts').innerText`), '6x6/3');
    const events = await evaluate('globalThis.events');
    assert.deepEqual(events, ['visibilitychange hidden', 'freeze hidden', 'resume hidden']);
  } finally {
    await browser.close();
  }
});
