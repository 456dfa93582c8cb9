// Tests of the page in Chromium, compared with the programs of the command line.
// From the environment: NEUTREEKO_HTML (the page), NEUTREEKO (program), NEUTREEKO_TABLE (perfect_move.dat), THOROUGH (not
// empty for both languages in both themes), NODE_MODULES (with playwright-core and axe-core) and CHROMIUM as in browser.mjs.
//
// Every page that a test opens must cause no error, no warning and no request except for itself.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { everywhere, launch, require } from './browser.mjs';

const { NEUTREEKO, NEUTREEKO_HTML, NEUTREEKO_TABLE, THOROUGH } = process.env;
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const PATIENCE = 20000; // milliseconds; only a page that hangs takes so long
const MOST_BYTES = 450000;
const START = '1w1w1/2b2/5/2w2/1b1b1 b';
const FILE = pathToFileURL(NEUTREEKO_HTML).href;
const TWO = { black: 'human', white: 'human' };
const REPEATED = 'b1a1.d5e5.a1c1.e5c5.c1a1.c5e5.a1c1.e5c5.c1a1.c5e5';

let browser;
let server;
let folder;
let PAGE; // served: of a private window's pages from files, Chromium can lose the storage in a reload

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'neutreeko-'));
  browser = await launch();
  const makeSite = fileURLToPath(new URL('../../web/site.mjs', import.meta.url));
  execFileSync(process.execPath, [makeSite, NEUTREEKO_HTML, join(folder, 'site')]);
  const types = { html: 'text/html', js: 'text/javascript', png: 'image/png', webmanifest: 'application/manifest+json' };
  server = createServer((request, response) => {
    const path = new URL(request.url, 'http://x').pathname.replace(/\/$/, '/index.html');
    const file = path === '/neutreeko.html' ? NEUTREEKO_HTML : join(folder, path);
    if (!existsSync(file)) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': types[file.split('.').at(-1)] }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  PAGE = `http://127.0.0.1:${server.address().port}/neutreeko.html`;
});

after(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const native = (input, ...args) =>
  execFileSync(NEUTREEKO, [...args, `--table=${NEUTREEKO_TABLE}`], { input, encoding: 'utf8', maxBuffer: 1 << 26 });
const jsonLines = (text) => text.trim().split('\n').map((line) => JSON.parse(line));

/** What `neutreeko query` prints about positions, and `neutreeko review` about a game. */
const query = (...positions) => jsonLines(native(positions.join('\n'), 'query', '--json', '-'));
const review = (list) => JSON.parse(native(list.join(' '), 'review', '--json', '-'));
const puzzles = (count, seed, ...kind) =>
  jsonLines(native('', 'puzzle', '--json', `--count=${count}`, `--seed=${seed}`, ...kind)).map((puzzle) => puzzle.position);

/**
 * Opens the page, passes it to `use`, and checks that it caused no error, warning or request. `players` are those of a
 * stored game that has just begun; null for no stored game. `settings` null is a first visit. Unless the test is
 * `patient`, the page does not wait long for anything: not before an opponent's reply, nor between the moves of a line.
 */
async function withPage(setup, use) {
  const { url = PAGE, hash = '', settings = {}, players = TWO, record, size = [1000, 700], patient, prepare, ...more } = setup;
  const [width, height] = size;
  const options = { viewport: { width, height }, locale: 'en-US', reducedMotion: 'reduce', ...more };
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE);
  const noise = [];
  context.on('console', (message) => noise.push(`console: ${message.text()}`));
  context.on('weberror', (error) => noise.push(`error: ${error.error().stack}`));
  context.on('request', (request) => {
    if (!request.isNavigationRequest() && !/^(data|blob):/.test(request.url())) noise.push(`request: ${request.url()}`);
  });
  try {
    const page = await context.newPage();
    const stores = {
      neutreeko: settings && { met: true, ...settings },
      'neutreeko-record': record,
      'neutreeko-game': players && { start: START, moves: '', at: 0, end: '', counted: false, ...players },
    };
    const store = (stored) => {
      for (const [name, value] of Object.entries(stored))
        if (value && !localStorage.prepared) localStorage[name] = JSON.stringify(value);
      localStorage.prepared = true;
    };
    const hurry = () => {
      const wait = globalThis.setTimeout;
      globalThis.setTimeout = (task, time) => wait(task, globalThis.patient ? time : Math.min(time, 40));
    };
    if (!patient) await page.addInitScript(hurry);
    await page.addInitScript(prepare ?? store, prepare ? undefined : stores);
    await page.goto(url + hash);
    await page.waitForSelector('#app:not([hidden]) #headline, .failure.now');
    await use(page, context);
    assert.deepEqual(noise, []);
  } finally {
    await context.close();
  }
}

/** A test on one page. */
const onPage = (name, setup, use) => test(name, () => withPage(setup, use));

const ready = (page) => page.waitForSelector('#app:not([hidden]) #headline');
/** Reloads the page as late as a person would: browsers write to the storage a moment later. */
async function reload(page) {
  await page.waitForTimeout(200);
  await page.reload();
  await ready(page);
}
const square = (page, name) => page.locator(`[data-square=${name}]`);
const headline = (page) => page.locator('#headline').innerText();
const subline = (page) => page.locator('#subline').innerText();
const status = async (page) => [await headline(page), await subline(page)];
const plain = (text) => text.replace(/\u2060/g, '').replace(/\u2013/g, '-');
const moves = async (page) =>
  (await page.locator('.moves .ply:not([data-ply="0"])').allInnerTexts()).map((text) => plain(text).slice(0, 5));
const headlineIs = (page, { source }) =>
  page.waitForFunction((wanted) => new RegExp(wanted).test(document.querySelector('#headline').textContent), source);

/** The position on the board, read from the labels for screen readers. */
async function position(page, side) {
  const labels = await page.$$eval('[role=gridcell]', (cells) => cells.map((cell) => cell.getAttribute('aria-label')));
  const pieces = labels.map((label) => [label.slice(0, 2), /(black|white) piece/.exec(label)?.[1][0] ?? '1']);
  const rank = (name) => [...'abcde'].map((file) => Object.fromEntries(pieces)[file + name]).join('');
  assert.equal(pieces.length, 25);
  return `${[5, 4, 3, 2, 1].map(rank).join('/').replace(/1+/g, (ones) => ones.length)} ${side}`;
}

const clickMove = (page, move) => click(page, ...move.split('-').map((name) => `[data-square=${name}]`));

/** Drags to a square, or as a flick only a part of the way. */
async function dragMove(page, move, part = 1) {
  const [from, to] = await Promise.all(move.split('-').map((name) => square(page, name).boundingBox()));
  const [x, y] = [from.x + from.width / 2, from.y + from.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + part * (to.x - from.x), y + part * (to.y - from.y), { steps: 2 });
  if (part === 1) await page.waitForSelector('.lifted .dragged', { state: 'attached' }); // above the targets
  await page.mouse.up();
}

async function playAll(page, list) {
  for (const move of list) {
    await clickMove(page, move);
    await page.waitForFunction((text) => document.querySelector('.moves [aria-current]')?.textContent.includes(text), move[4]);
  }
}

/** Waits until it is the user's turn or the game is over. Returns false if it is over. */
async function myTurn(page) {
  await headlineIs(page, /^Your move|wins|won|^Draw/);
  return (await headline(page)) === 'Your move';
}

async function useKeys(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

async function click(page, ...selectors) {
  for (const selector of selectors) await page.locator(selector).click();
}

const stored = (page, name) => page.evaluate((key) => JSON.parse(localStorage[key] ?? 'null'), name);

test('the page is one file of at most 450 kB, whose policy allows only its script and its style', () => {
  assert.ok(statSync(NEUTREEKO_HTML).size <= MOST_BYTES, `${statSync(NEUTREEKO_HTML).size} bytes`);
  const page = readFileSync(NEUTREEKO_HTML, 'utf8');
  const hash = (pattern) => `'sha256-${createHash('sha256').update(page.match(pattern)[1]).digest('base64')}'`;
  const [, policy] = page.match(/<meta http-equiv="Content-Security-Policy" content="([^"]*)">/);
  const script = `script-src 'wasm-unsafe-eval' ${hash(/<script type="module">([\s\S]*?)<\/script>/)}`;
  const others = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", 'img-src data:', 'worker-src blob:'];
  assert.deepEqual(policy.split('; ').sort(), [...others, script, `style-src ${hash(/<style>([\s\S]*?)<\/style>/)}`].sort());
  assert.doesNotMatch(page, /<(script|link)[^>]*(src|rel="stylesheet")/);
});

test('a message appears if a bit of the table is flipped, the browser is too old or has no JavaScript', async () => {
  const html = readFileSync(NEUTREEKO_HTML, 'utf8');
  const [whole, before64, table64] = /(id="neutreeko-table">)([^<]*)/.exec(html);
  const damaged = Buffer.from(table64, 'base64');
  assert.ok(damaged.equals(readFileSync(NEUTREEKO_TABLE)));
  damaged[damaged.length >> 1] ^= 1;
  const path = join(folder, 'damaged.html');
  writeFileSync(path, html.replace(whole, () => before64 + damaged.toString('base64')));
  await withPage({ url: pathToFileURL(path).href }, async (opened) => {
    await opened.getByText('This file is damaged. Please download it again.').waitFor();
    assert.equal(await opened.locator('[role=gridcell], [role=tab]').count(), 0);
  });
  await withPage({ locale: 'ja-JP', prepare: () => delete globalThis.DecompressionStream }, async (page) => {
    await page.getByText('お使いのブラウザーは古いため').waitFor();
    assert.equal(await page.locator('#app').count(), 0);
  });
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(PAGE);
  const texts = (await page.locator('.failure.now').innerText()).split('\n').filter(Boolean);
  assert.deepEqual(texts.map((text) => text.slice(0, 12)), ['Neutreeko', 'Please turn ', 'JavaScript を']);
  await context.close();
});

const get = 'get() { throw new DOMException("no", "SecurityError"); }';
const noStorage = { prepare: `Object.defineProperty(globalThis, 'localStorage', { ${get} })` };
onPage('the page works without storage', noStorage, async (page) => {
  await click(page, '#skip', '#start-game', '#values');
  assert.equal(await subline(page), 'Draw with best play.');
});

const newcomer = { settings: null, players: null, size: [390, 844], hasTouch: true };
onPage('a beginner gets from the first visit to the end of a game', newcomer, async (page) => {
  assert.equal(await headline(page), 'Tap a piece.');
  assert.equal(await page.locator('.glow').count(), 3);
  // Four taps lead to a game.
  await square(page, 'b1').tap();
  assert.match(await headline(page), /^Slide it\./);
  await square(page, 'b4').tap();
  await headlineIs(page, /^Three in a row wins/);
  await square(page, 'd4').tap();
  await headlineIs(page, /^You\u2019ve got it/);
  await page.locator('#play-beginner').tap();
  for (;;) {
    assert.ok(await myTurn(page));
    const [{ move, result, distance }] = query(await position(page, 'b'))[0].moves;
    await square(page, move.slice(0, 2)).tap();
    await square(page, move.slice(3)).tap();
    if (result === 'win' && distance === 1) break;
  }
  const count = Math.ceil((await moves(page)).length / 2);
  assert.equal(await headline(page), `You won in ${count} move${count > 1 ? 's' : ''}`);
  assert.equal(await page.locator('.row line').count(), 1);
  const sheet = await page.locator('.sheet').innerText();
  for (const text of ['Rematch', 'Review', 'Swap sides', 'Play Level 3', 'Against Beginner: 1 won, 0 drawn, 0 lost.'])
    assert.ok(sheet.includes(text), text);
  assert.deepEqual((await stored(page, 'neutreeko-record')).games, { 'level:2': [1, 0, 0] });
  await page.locator('#close-result').tap();
  assert.ok(await page.locator('#rematch').isVisible() && await page.locator('#undo').isVisible());
  assert.equal(await page.locator('.sheet').count(), 0);
  // One tap leads to the next game, as White, which Beginner begins.
  await page.locator('#swap').tap();
  await headlineIs(page, /^Your move/);
  assert.equal((await moves(page)).length, 1);
});

onPage('the start sheet offers opponents and colours; the board turns to the user\'s side', { players: null }, async (page) => {
  await page.getByLabel('Hard').check();
  await page.locator('[name=colour][value=white]').check();
  await page.locator('#start-game').click();
  assert.match(await page.locator('.players').innerText(), /You\s+against\s+Hard/);
  await headlineIs(page, /^Your move/);
  const [e5, a1] = await Promise.all(['e5', 'a1'].map((name) => square(page, name).boundingBox()));
  assert.ok(e5.y > a1.y && e5.x < a1.x);
  // At ply 1, nothing of the user's can be undone; the opponent's pieces do not move, and who resigns loses.
  assert.ok(await page.locator('#undo').isDisabled());
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.locator('.movable').count(), 0);
  await page.locator('#resign').click();
  assert.deepEqual(await status(page), ['Hard wins', 'You resigned.']);
  await useKeys(page, 'n');
  await page.locator('summary').click();
  const names = await page.locator('#player-white option').evaluateAll((list) => list.map(({ value }) => value));
  const expected = ['human', 'perfect', 'random', ...Array.from({ length: 15 }, (_, i) => `level:${i + 1}`)];
  assert.ok(expected.every((name) => names.includes(name)));
  for (const name of names.slice(1)) {
    await page.locator('#player-white').selectOption(name);
    assert.ok((await page.locator('.field:has(#player-white) .note').innerText()).length > 10, name);
  }
  await page.locator('#player-white').selectOption('level:15');
  await page.locator('#player-black').selectOption('level:1');
  await page.evaluate(() => Object.assign(globalThis, { patient: true }));
  await click(page, '#start-game', '#pause');
  assert.match(await headline(page), /to move$/);
  await page.evaluate(() => Object.assign(globalThis, { patient: false }));
  await page.locator('#pause').click();
  await headlineIs(page, /wins|Draw/);
  assert.notEqual(review(await moves(page)).end.reason, 'none');
});

onPage('a whole game against the perfect player by mouse, which every reply plays perfectly',
  { players: { black: 'human', white: 'perfect' }, patient: true }, async (page) => {
  for (let turn = 0; await myTurn(page); turn++) {
    const [before] = query(await position(page, 'b'));
    const { move } = before.moves.at(-1);
    const begin = performance.now();
    await (turn % 2 ? clickMove : dragMove)(page, move);
    if (turn) continue;
    await page.waitForFunction(() => document.querySelectorAll('.moves .ply').length === 3);
    assert.ok(performance.now() - begin > 350, 'the reply comes too early to be noticed');
  }
  assert.equal(await headline(page), 'Perfect wins');
  const [, count] = (await subline(page)).match(/^Three in a row, in (\d+) moves?\. You had a draw until move 1\.$/);
  const reviewed = review(await moves(page));
  assert.equal(reviewed.end.winner, 'white');
  assert.equal(Number(count), reviewed.moves.filter(({ side }) => side === 'white').length);
  for (const { side, mark, plies_wasted } of reviewed.moves)
    if (side === 'white') assert.deepEqual([mark, plies_wasted], [null, 0]);
  // The user may try again from the mistake. The opponent replies to the same move, too.
  await page.locator('#take-back').click();
  assert.equal(await position(page, 'b'), START);
  await clickMove(page, reviewed.moves[0].move);
  await page.waitForSelector('.moves [data-ply="2"][aria-current]');
});

onPage('a whole game by keyboard alone', { players: null }, async (page) => {
  await useKeys(page, 'Enter', 'g'); // the button that starts has the focus
  const go = async (to) => {
    const at = await page.evaluate(() => document.activeElement.dataset.square);
    const [across, up] = [to.charCodeAt(0) - at.charCodeAt(0), to[1] - at[1]];
    for (let i = 0; i < Math.abs(across); i++) await useKeys(page, across > 0 ? 'ArrowRight' : 'ArrowLeft');
    for (let i = 0; i < Math.abs(up); i++) await useKeys(page, up > 0 ? 'ArrowUp' : 'ArrowDown');
    assert.equal(await page.evaluate(() => document.activeElement.dataset.square), to);
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.equal(outline, 'solid', 'the focus is not visible');
    await useKeys(page, 'Enter');
  };
  while (await myTurn(page)) {
    const [{ move }] = query(await position(page, 'b'))[0].moves;
    await go(move.slice(0, 2));
    await useKeys(page, 'Escape', 'Enter'); // deselects the piece and picks it up again
    await go(move.slice(3));
  }
  assert.match(await headline(page), /^You won in/);
  await useKeys(page, 'n', 'Escape', '4', 'b', '1', 'u', 'x', 'f', '2', '3', '1', '?');
  await page.locator('#help').waitFor();
  await useKeys(page, 'Escape');
  await page.locator('#help').waitFor({ state: 'hidden' });
  await useKeys(page, 's');
  await page.locator('#share').waitFor();
});

onPage('undo and redo go through a game; trying another move loses nothing', {}, async (page) => {
  await playAll(page, ['b1-c1', 'b5-c5', 'c4-e2']);
  await page.locator('#undo').click();
  assert.equal(await headline(page), 'Black to move');
  assert.equal(await page.locator('.ply.undone').count(), 1);
  await page.locator('#redo').click();
  assert.equal(await headline(page), 'White to move');
  await useKeys(page, 'ArrowLeft', 'ArrowLeft');
  assert.equal(await position(page, 'w'), '1w1w1/2b2/5/2w2/2bb1 w');
  await clickMove(page, 'c2-c3');
  assert.deepEqual(await moves(page), ['b1-c1', 'c2-c3']);
  assert.deepEqual((await page.locator('.variation').allInnerTexts()).map((text) => plain(text).trim()), ['b5-c5']);
  assert.match(page.url(), /#moves=b1c1\.c2c3\(b5c5\.c4e2\)$/);
  await page.locator('.variation').click();
  await page.keyboard.press('End');
  assert.deepEqual(await moves(page), ['b1-c1', 'b5-c5', 'c4-e2']);
  await page.keyboard.press('Home');
  assert.equal(await position(page, 'b'), START);
  await page.keyboard.press('End');
  await page.locator('#resign').click();
  assert.equal(await headline(page), 'Black wins');
  await page.locator('#undo').click();
  assert.equal(await headline(page), 'White to move');
});

onPage('a game goes on after a reload, in a new window, and after a visit to other views',
  { players: { black: 'human', white: 'level:1' } }, async (page, context) => {
  await clickMove(page, 'b1-c1');
  await reload(page); // while the opponent thinks
  assert.ok(await myTurn(page));
  const played = await moves(page);
  assert.equal(played.length, 2);
  // Undo and redo go to the user's turn.
  await page.locator('#undo').click();
  assert.equal(await position(page, 'b'), START);
  await page.locator('#redo').click();
  assert.equal(await page.locator('.ply.undone').count(), 0);
  assert.equal(await headline(page), 'Your move');
  await page.locator('#tab-review').click();
  await page.keyboard.press('End');
  const [{ moves: options }] = query(await position(page, 'b'));
  await clickMove(page, options[0].move);
  await page.locator('#tab-puzzle').click();
  await page.waitForFunction(() => location.hash.startsWith('#view=puzzle&start='));
  await page.locator('#tab-play').click();
  assert.deepEqual((await moves(page)).slice(0, 2), played);
  // A link to another game, in another window, leaves it alone.
  const other = await context.newPage();
  await other.goto(`${PAGE}#moves=d1c1`);
  await ready(other);
  assert.deepEqual(await moves(other), ['d1-c1']);
  await other.locator('#resume').click();
  assert.deepEqual((await moves(other)).slice(0, 2), played);
});

onPage('pieces are dragged, flicked and deselected, and slide unless the user prefers reduced motion', {}, async (page) => {
  await page.evaluate(() => {
    globalThis.slides = 0;
    document.addEventListener('transitionrun', ({ target }) => (globalThis.slides += target.matches('.piece')));
  });
  await dragMove(page, 'b1-e5');
  assert.equal(await position(page, 'b'), START);
  assert.equal(await page.locator('.target').count(), 4);
  await useKeys(page, 'g', 'Escape');
  assert.equal(await page.locator('.target').count(), 0);
  await click(page, '[data-square=b1]', '[data-square=b1]');
  assert.equal(await page.locator('.target').count(), 0);
  await page.locator('#flip').click();
  // A busy machine may be too slow for a flick.
  for (let tries = 0; tries < 20 && !(await moves(page)).length; tries++) await dragMove(page, 'b1-b4', 0.3);
  await dragMove(page, 'b5-c5');
  assert.deepEqual(await moves(page), ['b1-b4', 'b5-c5']);
  assert.match(await page.locator('#spoken').innerText(), /^White b5 to c5\. Black to move/);
  assert.equal(await page.evaluate(() => globalThis.slides), 0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await clickMove(page, 'b4-b1');
  await page.waitForFunction(() => globalThis.slides);
});

/** The moves in the list and on the board, with their values, and what `neutreeko query` has for them, in plies. */
const shownValues = (page) =>
  page.evaluate(() => {
    const text = (element) => element?.textContent.replace(/\s+/g, ' ').trim() ?? '';
    const row = (one) => [one.dataset.move + text(one.querySelector('.unseen')), text(one.querySelector('small'))];
    const list = [...document.querySelectorAll('.value')].map((one) => row(one).filter(Boolean).join(', '));
    return [list, [...document.querySelectorAll('.pill')].map((pill) => `${pill.dataset.move} ${pill.textContent}`).sort()];
  });
function nativeValues(list) {
  const inPlies = (distance) => `${distance} ${distance === 1 ? 'ply' : 'plies'}`;
  const words = { win: ['wins in ', 'W '], draw: ['draws', 'D'], loss: ['loses in ', 'L '] };
  const value = ({ move, result, distance }) => `${move}, ${words[result][0]}${distance ? inPlies(distance) : ''}`;
  const pill = ({ move, result, distance }) => `${move} ${words[result][1]}${distance ?? ''}`;
  return [list.map(value), list.map(pill).sort()];
}

onPage('the values of positions are those of neutreeko query', { settings: { plies: true } }, async (page) => {
  const found = query(START, ...puzzles(5, 7, '--plies=9'), ...puzzles(5, 7, '--save'));
  for (const one of [...found, found[1]]) {
    await page.goto(`${PAGE}#view=explore&start=${one.position.replace(' ', '_')}`);
    assert.deepEqual(await shownValues(page), nativeValues(one.moves), one.position);
  }
  // In moves, unless the user counts plies.
  await page.locator('#plies').click();
  assert.match(await headline(page), /wins in 5 moves$/);
  assert.match(await page.locator('.value').first().innerText(), /^W\s*5\s/);
});

onPage('a move that is pointed at is drawn and explained; the best line is played through',
  { hash: '#view=explore&moves=b1c1.b5c5', settings: { vibration: true } }, async (page) => {
  const why = async () => plain(await page.locator('.why').innerText());
  const row = page.locator('.value[data-move=c4-a2]');
  await row.hover();
  assert.equal(await page.locator('.preview.loss').count(), 1);
  assert.match(
    await why(),
    /Turns a win into a loss: White wins in 2 moves\. c4-e2 would have won\. It threatens to win with a2-b1\. White\u2019s only good reply is c2-b1\. Best continuation: c2-b1 /,
  );
  await page.mouse.move(0, 0);
  assert.equal(await page.locator('.preview').count(), 0);
  assert.match(await why(), /^c4-e2 /, 'of the best move, when none is pointed at');
  await page.keyboard.press('g');
  await square(page, 'c4').click();
  await square(page, 'c3').hover();
  assert.match(await why(), /^c4-c3 Black wins in 12 moves/);
  await page.mouse.move(0, 0);
  await square(page, 'c4').click();
  const line = (await page.locator('.steps button').allInnerTexts()).map(plain);
  const printed = JSON.parse(native('', 'line', '--json', '--seed', '0', await position(page, 'b')));
  assert.deepEqual(line, printed.moves.map(({ move }) => move));
  await page.locator('.steps button').nth(1).click();
  assert.equal(await position(page, 'b'), '2ww1/4w/5/4b/2bb1 b');
  await page.locator('#line-play').click();
  await page.waitForSelector('.row line', { state: 'attached' });
  await page.locator('#line-stop').click();
  assert.equal(await position(page, 'b'), '2ww1/2b2/5/2w2/2bb1 b');
  await page.evaluate(() => (navigator.vibrate = (pulse) => Boolean((globalThis.pulse = pulse))));
  await click(page, '#best', '#best', '#best');
  assert.equal(await headline(page), 'Black wins');
  assert.equal(await page.evaluate(() => globalThis.pulse.length), 5, 'the winner of two people hears a win');
  // The list and the best line begin with the same move. A list that appears under a resting pointer draws nothing.
  await page.goto(`${PAGE}#view=explore`);
  const first = plain(await page.locator('.steps button').first().innerText());
  assert.equal(first, await page.locator('.value').first().getAttribute('data-move'));
  const box = await page.locator('.value').nth(2).boundingBox();
  await page.keyboard.press('1');
  await page.mouse.move(box.x + 9, box.y + 9);
  await page.keyboard.press('4');
  await page.waitForSelector('.value');
  await page.waitForTimeout(200);
  assert.equal(await page.locator('.preview').count(), 0);
  await page.mouse.move(box.x + 12, box.y + 12);
  assert.equal(await page.locator('.preview').count(), 1);
});

test('values take repetition into account, and the third time is a draw that can be undone', async () => {
  const shuffle = 'b1-b4 c2-a2 b4-b1 a2-e2 b1-b4 e2-a2 b4-b1 a2-e2 b1-b4 e2-a2'.split(' ');
  await withPage({ hash: `#view=explore&moves=${shuffle.slice(0, -1).join('.').replaceAll('-', '')}` }, async (page) => {
    const [list] = await shownValues(page);
    assert.equal(list.find((text) => text.startsWith('e2-a2')), 'e2-a2, draws, repetition');
    await page.locator('.value[data-move=e2-a2]').hover();
    assert.match(await page.locator('.why').innerText(), /Draw by threefold repetition\./);
    await clickMove(page, shuffle.at(-1));
    assert.deepEqual(await status(page), ['Draw', 'Draw by threefold repetition.']);
    assert.equal(await page.locator('.movable').count(), 0);
    await page.locator('#undo').click();
    await clickMove(page, 'e2-e1');
    assert.match(await subline(page), /^Black to move/);
  });
});

test('the review marks what neutreeko review marks, and explains it', async () => {
  const game = 'b1-c1 b5-c5 c4-a2 c5-a3 a2-b1'.split(' ');
  const options = { hash: `#view=review&moves=${game.join('.').replaceAll('-', '')}`, size: [390, 844] };
  await withPage(options, async (page) => {
    const why = async () => plain(await page.locator('.why').innerText());
    const shown = await page.$$eval('.entry', (entries) =>
      entries.map((entry) => ['.ply', '.better'].map((part) => entry.querySelector(part)?.textContent.trim() ?? null)));
    assert.deepEqual(
      shown.map((pair) => pair.map((text) => text && plain(text))),
      review(game).moves.map(({ move, mark, better }) => [move + (mark ?? ''), better && `best: ${better}`]),
    );
    assert.deepEqual(await page.locator('.graph text').allTextContents(), ['?', '??', '??']);
    const bars = await page.$$eval('.graph .bar', (list) => list.map((bar) => bar.classList[1]).join(' '));
    assert.equal(bars, 'none none black white black black');
    // It opens at the first mistake, before the move; the answer is hidden.
    assert.equal(await position(page, 'w'), '1w1w1/2b2/5/2w2/2bb1 w');
    assert.equal(plain(await headline(page)), 'White played b5-c5?');
    assert.equal(await subline(page), 'Throws away the draw: Black wins in 2 moves.');
    assert.doesNotMatch(await why(), /would have/);
    await page.locator('#refute').click();
    assert.equal(await page.locator('#review-stop').count(), 1);
    await click(page, '#review-stop', '#next-mistake');
    assert.equal(plain(await headline(page)), 'Black played c4-a2??');
    await page.locator('#try-again').click();
    assert.equal(await why(), 'Find a move that keeps the win.');
    await clickMove(page, 'c4-a4');
    assert.equal(await why(), 'Not quite: c4-a4 loses.');
    await page.locator('#try-again').click();
    await clickMove(page, 'c4-e2');
    assert.equal(await why(), 'Correct! c4-e2 wins in 2 moves.');
    await page.locator('#review-stop').click();
    // While the best move is shown, the explanation stays.
    await page.locator('[data-ply="3"].ply').click();
    const text = await why();
    assert.match(text, /^c4-a2\?\? Turns a win into a loss: White wins in 2 moves\./);
    await page.locator('#show-best').click();
    assert.equal(await why(), text);
    // The graph is a slider for keyboards and screen readers.
    await page.locator('.graph input').focus();
    await page.keyboard.press('ArrowLeft');
    const value = await page.locator('.graph input').getAttribute('aria-valuetext');
    assert.equal(plain(value), '1, White b5-c5: Black wins in 2 moves');
    assert.deepEqual(await moves(page), shown.map(([move]) => plain(move).slice(0, 5)), 'nothing is lost');
    await page.goto(`${PAGE}#view=review&moves=${REPEATED}`);
    await page.locator('#headline').click(); // leaves the slider
    await page.keyboard.press('End');
    assert.equal(await headline(page), 'Draw');
    assert.match(await why(), /^c5-e5\? Throws away the win: the game is now a draw\./);
  });
});

test('a puzzle is played to the end, one is failed; rating and streak are kept', async () => {
  const [one, two] = puzzles(2, 3, '--plies=5');
  const at = (text) => `#view=puzzle&start=${text.replace(' ', '_')}`;
  const score = async (page) => [await page.locator('#streak').innerText(), await page.locator('#rating').innerText()];
  await withPage({ hash: at(one), players: null, settings: null }, async (page) => {
    const side = one.at(-1);
    assert.equal(await subline(page), 'Win in 3. Only one move does it.');
    for (let left = 5; left > 0; left -= 2) {
      await page.waitForSelector('.movable');
      const [{ move, distance }] = query(await position(page, side))[0].moves;
      assert.equal(distance, left, 'the defence resists longest');
      await clickMove(page, move);
      if (left > 1) assert.deepEqual(await status(page), ['Correct! Go on.', `Win in ${(left - 1) / 2}.`]);
    }
    assert.equal(await headline(page), 'Correct!');
    assert.deepEqual(await score(page), ['1', '1018']);

    await page.goto(PAGE + at(two));
    const [{ moves: list }] = query(two);
    await page.locator('#hint').click();
    assert.equal(await page.locator('.glow').count(), 1);
    await clickMove(page, list[1].move);
    const wrong = list[1].result === 'draw' ? 'only draws' : 'loses';
    assert.equal(plain(await headline(page)), `Not quite: ${list[1].move} ${wrong}.`);
    await page.locator('#puzzle-again').click();
    await clickMove(page, list[0].move);
    assert.equal((await score(page))[0], '0', 'solved only at the second try');
    await reload(page);
    assert.equal((await score(page))[0], '0');
    assert.ok((await score(page))[1] < 1018);
    await page.locator('[name=grade][value=save]').check();
    await page.locator('#subline', { hasText: 'Only one move doesn\u2019t lose.' }).waitFor();
    const turn = (await headline(page)).startsWith('Black') ? 'b' : 'w';
    const [save] = query(await position(page, turn));
    assert.deepEqual(save.moves.slice(0, 2).map(({ result }) => result), ['draw', 'loss']);
    await page.locator('#puzzle-show').click();
    assert.equal(plain(await headline(page)), `The answer is ${save.moves[0].move}.`);
    await click(page, '#menu-button', '#menu-statistics');
    assert.match(await page.locator('#statistics table').innerText(), /Medium\s+1\s+1\s+Save the draw\s+0\s+1/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#export').click()]);
    assert.equal(JSON.parse(readFileSync(await download.path(), 'utf8')).bestStreak, 1);
    await click(page, '#delete', '#delete');
    assert.equal(await stored(page, 'neutreeko-record'), null);
  });
});

const yesterday = { daily: '2026-11-29', days: 4 };
onPage('the puzzle of the day depends on the date alone; looking for puzzles does not block the page', { record: yesterday }, async (page) => {
  await page.clock.setFixedTime(new Date(2026, 10, 30, 12)); // a Monday, which has an easy puzzle
  await page.evaluate(() => {
    globalThis.long = [];
    const note = (list) => globalThis.long.push(...list.getEntries().map(({ duration }) => duration));
    new PerformanceObserver(note).observe({ type: 'longtask' });
  });
  const begin = performance.now();
  await page.locator('#tab-puzzle').click();
  await page.waitForFunction(() => location.hash.startsWith('#view=puzzle&start='));
  const taken = performance.now() - begin;
  const longest = await page.evaluate(() => Math.max(0, ...globalThis.long));
  assert.ok(longest < taken / 2, `a task of ${longest} ms in ${taken} ms`);
  const [puzzle] = puzzles(1, 20261130, '--plies=3');
  const side = puzzle.at(-1);
  assert.equal(await position(page, side), puzzle);
  assert.equal(await page.locator('#days').innerText(), '4');
  while ((await headline(page)) !== 'Correct!') {
    await clickMove(page, query(await position(page, side))[0].moves[0].move);
    await page.locator('.movable').or(page.locator('#puzzle-explore')).first().waitFor();
  }
  assert.equal(await page.locator('#days').innerText(), '5');
});

onPage('the editor explains why a position is illegal', { hash: '#view=editor' }, async (page) => {
  const verdict = () => page.locator('#editor-verdict').innerText();
  const enter = (text) => page.locator('#notation').fill(text);
  assert.equal(await verdict(), 'Legal position.');
  await page.locator('#clear').click();
  assert.equal(await verdict(), 'Black must have 3 pieces but has 0.');
  for (const name of ['a1', 'b1', 'c1']) await square(page, name).click();
  assert.equal(await verdict(), 'White must have 3 pieces but has 0.');
  await square(page, 'a5').focus();
  await useKeys(page, 'w', 'ArrowRight', 'w', 'ArrowDown', 'w');
  assert.equal(await verdict(), 'Black has already won, so it can\u2019t be Black\u2019s turn.');
  assert.ok(await page.locator('#use').isDisabled());
  await page.locator('input[name=side][value=white]').check();
  assert.equal(await verdict(), 'Legal position; the game is already over.');
  await square(page, 'c1').focus();
  await useKeys(page, 'Delete', 'ArrowRight', 'b');
  assert.equal(await page.locator('#notation').inputValue(), 'ww3/1w3/5/5/bb1b1 w');
  await enter('ww3/1x3/5/5/bb1b1 w');
  assert.equal(await verdict(), 'Invalid position: check character 6.');
  await enter('www2/5/5/5/bb1b1 b');
  assert.equal(await position(page, 'b'), 'www2/5/5/5/bb1b1 b');
  await enter('5/bb1b1/5/5/ww1w1 w');
  assert.equal(await verdict(), 'Legal position.');
  await click(page, '#use', '#start-game');
  assert.match(page.url(), /#start=5\/bb1b1\/5\/5\/ww1w1_w/);
});

async function openText(page, text) {
  await page.locator('#share-button').click();
  await page.locator('#open-text').fill(text);
  await page.locator('#open').click();
}

test('what is shared leads back to the same game', async () => {
  await withPage({ url: FILE }, async (page, context) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await playAll(page, ['b1-c1', 'b5-c5', 'c4-e2']);
    await click(page, '#undo', '#share-button');
    assert.ok(await page.locator('#local-hint').isVisible(), 'the link of a file works on this device only');
    const fields = ['link', 'position', 'record'].map((name) => page.locator(`#share-${name}`).inputValue());
    const texts = await Promise.all(fields);
    assert.equal(texts[1], '2ww1/2b2/5/2w2/2bb1 b');
    await page.getByRole('button', { name: 'Copy: Game' }).click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), texts[2]);
    native(texts[2], 'review', '-');
    await page.keyboard.press('Escape');

    const other = await context.newPage();
    await other.goto(texts[0]);
    await ready(other);
    assert.equal(await position(other, 'b'), texts[1]);
    assert.deepEqual(await moves(other), ['b1-c1', 'b5-c5', 'c4-e2']);
    assert.equal(await other.locator('.ply.undone').count(), 1);
    const open = (text) => openText(other, text);
    await open('5/bb1b1/5/5/ww1w1 w');
    assert.equal(await position(other, 'w'), '5/bb1b1/5/5/ww1w1 w');
    await open(texts[2]);
    await open(`${PAGE}#moves=d1c1`);
    assert.deepEqual(await moves(other), ['d1-c1']);
    await open('# a comment first\n1. d1-c1 d5-c5');
    assert.deepEqual(await moves(other), ['d1-c1', 'd5-c5']);
    for (const [text, error] of [
      ['1. b1-c1 b1-c1', /^Couldn\u2019t read that as a link, position or game\. .*move 2/],
      ['#garbage=1', /^Couldn\u2019t read that as a link, position or game\.\s*$/],
    ]) {
      await open(text);
      assert.match(await other.locator('#open-error').innerText(), error);
      await other.keyboard.press('Escape');
      await other.locator('#share').waitFor({ state: 'hidden' });
    }
    assert.deepEqual(await moves(other), ['d1-c1', 'd5-c5'], 'an invalid text changes nothing');
    const invalid = `garbage view=nothing moves=d1c1.d1c1 moves=zz moves=b1c1&at=7 moves=b1c1&end=x moves=b1c1(
      moves=(b1c1) at=x start=5/5 moves=b1c1(zz.b5c5).zz&at=2 view=puzzle&start=x view=puzzle&start=1w1w1/2b2/5/2w2/1b1b1_b %00%ff&&==
      view=editor&start=bbbbbbbb/1 start=bbb2/5/5/5/ww1w1_b`;
    const silent = await other.evaluate(async (hashes) => {
      const open = async (hash, isDone) => {
        location.hash = hash;
        for (let frames = 0; frames < 200 && !isDone(); frames++) await new Promise(requestAnimationFrame);
      };
      const isNoticed = () => document.querySelector('#notice:not([hidden])') && document.querySelectorAll('[role=gridcell]').length === 25;
      const found = [];
      for (const hash of hashes) {
        await open('moves=d1c1', () => !isNoticed());
        await open(hash, isNoticed);
        if (!isNoticed()) found.push(hash);
      }
      return found;
    }, invalid.split(/\s+/));
    assert.deepEqual(silent, []);
  });
});

onPage('back and forward go through moves and views, but not beneath a dialog', {}, async (page) => {
  await playAll(page, ['b1-c1', 'b5-c5']);
  await click(page, '#tab-explore', '#edit');
  await page.goBack();
  assert.equal(await page.locator('#tab-explore').getAttribute('aria-selected'), 'true');
  await page.goBack();
  assert.equal(await page.locator('#tab-play').getAttribute('aria-selected'), 'true');
  await page.locator('#help-button').click();
  await page.goBack();
  assert.equal(await page.locator('#help').count(), 0);
  assert.deepEqual([await moves(page), await page.locator('.undone').count()], [['b1-c1', 'b5-c5'], 0]);
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll('.undone').length === 1);
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll('.undone').length === 2);
  await page.goForward();
  await page.goForward();
  await page.waitForFunction(() => document.querySelectorAll('.undone').length === 0);
  // Another address, which the user enters, is opened. A dialog that takes the place of another has the focus.
  await click(page, '#menu-button', '#menu-help');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'close');
  await page.goto(`${PAGE}#moves=d1c1`);
  assert.deepEqual([await page.locator('dialog[open]').count(), await moves(page)], [0, ['d1-c1']]);
});

test('the site works offline after the first visit, in the language of its address', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const errors = [];
  page.on('console', (message) => errors.push(message.text()));
  await page.goto(`http://127.0.0.1:${server.address().port}/site/?lang=ja`);
  await ready(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await caches.keys()).length === 1);
  await context.setOffline(true);
  await reload(page);
  assert.equal(await page.locator('html').getAttribute('lang'), 'ja');
  const manifest = JSON.parse(readFileSync(join(folder, 'site/manifest.webmanifest'), 'utf8'));
  for (const { src } of manifest.icons)
    assert.equal(await page.evaluate(async (name) => (await createImageBitmap(await (await caches.match(name)).blob())).width, src), Number(src.match(/\d+/)[0]));
  assert.deepEqual(errors, []);
  await context.close();
});

/** What is wrong with what is shown: texts in the other language, controls too small for a finger, and what axe finds. */
async function faults(page, language, withAxe) {
  if (withAxe && !(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  return page.evaluate(async ([lang, axeToo]) => {
    const names = /Neutreeko|Delete|Chrome|Edge|Firefox|Safari/g;
    const other = lang === 'ja' ? /[A-Za-z]{3}/ : /[\u3040-\u30ff\u4e00-\u9fff]/;
    const texts = [...document.querySelectorAll('[aria-label]')].map((element) => element.getAttribute('aria-label'));
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const skipped = 'script, noscript, style, [lang]:not(html), #notation, kbd, textarea, input';
    for (let node; (node = walker.nextNode()); ) if (!node.parentElement.closest(skipped)) texts.push(node.data);
    const isSmall = ({ width, height }) => width && (height < 44 || width < 44);
    const controls = [...document.querySelectorAll('button, select, summary, .choice, [type=range]')];
    const { violations } = axeToo ? await globalThis.axe.run({ resultTypes: ['violations'] }) : { violations: [] };
    return {
      foreign: texts.filter((text) => other.test(text.replace(names, ''))),
      small: controls.filter((one) => isSmall(one.getBoundingClientRect())).map((one) => one.outerHTML.slice(0, 60)),
      axe: violations.map(({ id, nodes }) => [id, ...nodes.map((node) => `${node.html.slice(0, 200)} ${node.failureSummary}`)]),
    };
  }, [language, withAxe]);
}

const looks = [
  { colorScheme: 'light', language: 'en', size: [360, 740], hasTouch: true },
  { colorScheme: 'dark', language: 'ja', size: [1000, 700] },
  { colorScheme: 'dark', language: 'en', size: [667, 375], hasTouch: true },
  { colorScheme: 'light', language: 'ja', size: [360, 740], hasTouch: true },
];
for (const [number, { language, ...options }] of (THOROUGH ? looks : looks.slice(0, 2)).entries())
  test(`every view and dialog is accessible: ${options.colorScheme}, ${language}`, async () => {
    await withPage({ locale: language, settings: { values: true }, ...options }, async (page) => {
      let views = number; // axe looks at every view in one of two looks: it takes longer than all the rest
      const look = async (what) =>
        assert.deepEqual(await faults(page, language, THOROUGH || views++ % 2), { foreign: [], small: [], axe: [] }, what);
      await everywhere(page, look);
      if (!options.hasTouch) return;
      const value = page.locator('.value').last();
      const move = await value.getAttribute('data-move');
      const before = page.url();
      await value.tap(); // a finger cannot point: the first touch explains the move, the second plays it
      assert.ok(plain(await page.locator('.why').innerText()).startsWith(move));
      assert.equal(page.url(), before);
      await value.tap();
      assert.ok(page.url().endsWith(move.replace('-', '')));
    });
  });

test('language and theme are those of the device until the user chooses; forced colours hide nothing', async () => {
  await withPage({ colorScheme: 'dark', locale: 'ja-JP' }, async (page) => {
    const look = () =>
      page.evaluate(() => {
        const colours = [getComputedStyle(document.body).backgroundColor, document.querySelector('[name=theme-color]').content];
        return [document.documentElement.lang, ...colours.map((colour) => Number(colour.match(/\d+/)[0]) > 128)];
      });
    assert.deepEqual(await look(), ['ja', false, false]);
    await openText(page, 'hello');
    assert.doesNotMatch(await page.locator('#open-error').innerText(), /[a-z]/i);
    await page.keyboard.press('Escape');
    await click(page, '#menu-button', '#theme-button', '#language-button');
    assert.deepEqual(await look(), ['en', true, true]);
    await reload(page);
    assert.deepEqual(await look(), ['en', true, true]);
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto(`${PAGE}#view=editor`);
    const styles = (name, ...list) =>
      page.evaluate(([what, all]) => all.map((one) => getComputedStyle(document.querySelector(one))[what]), [name, list]);
    const differ = async (...all) => assert.equal(new Set(all.flat()).size, all.flat().length, all.join(', '));
    const [tile, black] = await styles('fill', '.tile', '.black .body');
    await differ(tile, black);
    await differ(tile, await styles('stroke', '.white .body'));
    await differ(await styles('backgroundImage', '#headline .disc', '.disc.white'));
    await differ(await styles('outlineStyle', '.choice input:checked + span', '.choice input:not(:checked) + span'));
    assert.deepEqual(await styles('forcedColorAdjust', 'button.main'), ['none'], 'the text has a plate of its own colour');
    await page.locator('#tab-play').click();
    assert.deepEqual(await styles('borderStyle', '.track'), ['solid']);
  });
});
