// Launches Chromium for the tests, the measurements and the screenshots of the page, and what else they share.
// From the environment: NODE_MODULES (a directory with playwright-core), CHROMIUM (the browser; optional). The browser
// without windows takes half as much time. PATIENCE: how many milliseconds a step waits at most (optional).

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';

const { NODE_MODULES, CHROMIUM } = process.env;
export const PATIENCE = Number(process.env.PATIENCE ?? 20000); // only a page that hangs takes so long

export const require = createRequire(NODE_MODULES ? join(NODE_MODULES, 'x') : import.meta.url);

/** Random numbers from 0 to count - 1, the same for the same seed: the generator of Lehmer by Park and Miller. */
export function randomOf(seed) {
  let state = seed;
  return (count) => (state = (state * 48271) % 2147483647) % count;
}

const find = () =>
  execFileSync('sh', ['-c', 'command -v chromium-headless-shell || command -v chromium'], { encoding: 'utf8' }).trim();

export function launch({ args = [], ...options } = {}) {
  return require('playwright-core').chromium.launch({
    ...options,
    executablePath: CHROMIUM || find(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  });
}

/** A new page in a context of its own, which waits patiently. */
export async function newPage(browser, options) {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  context.setDefaultTimeout(PATIENCE);
  return context.newPage();
}

const TYPES = { html: 'text/html', js: 'text/javascript', png: 'image/png', webmanifest: 'application/manifest+json' };

/** Starts a server, which sends the file that `fileOf` names for a path. Returns it and its address. */
export async function serve(fileOf) {
  const server = createServer(({ url }, response) => {
    const path = fileOf(new URL(url, 'http://x').pathname.replace(/\/$/, '/index.html'));
    if (!existsSync(path)) return response.writeHead(404).end();
    response.setHeader('content-type', TYPES[path.split('.').at(-1)] ?? 'application/octet-stream');
    response.setHeader('content-length', statSync(path).size);
    return createReadStream(path).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return [server, `http://127.0.0.1:${server.address().port}/`];
}

/**
 * Calls a function in the page until its answer is the one waited for, and returns it. `describe(answer)` says what is
 * wrong with one that is not.
 */
export async function until(page, task, argument, isDone, describe) {
  for (const end = Date.now() + PATIENCE; ; await sleep(20)) {
    const found = await page.evaluate(task, argument).catch((error) => {
      if (!/context was destroyed|navigat/.test(error.message)) throw error; // the page loads another board
    });
    if (found !== undefined && isDone(found)) return found;
    if (Date.now() > end) assert.fail(describe(found));
  }
}

/** Waits for an element. Playwright's own functions first send the page 300 kB of program each time it is loaded. */
export const appears = (page, selector) =>
  until(page, (wanted) => document.querySelector(wanted) !== null, selector, Boolean, () => `${selector} is missing`);

/** Where to click on an element, if it is enabled, does not move and nothing covers it. Runs in the page. */
function target(selector) {
  const element = document.querySelector(selector);
  if (!element || element.matches(':disabled')) return null;
  const isMoving = ({ effect, playState }) => playState === 'running' && effect.target.contains(element);
  if (document.getAnimations().some(isMoving)) return null;
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const { x, y, width, height } = element.getBoundingClientRect();
  const [across, down] = [x + width / 2, y + height / 2];
  return element.contains(document.elementFromPoint(across, down)) ? [across, down] : null;
}

/** Waits for an element that the mouse can reach. Returns where. */
const targetOf = (page, selector) =>
  until(page, target, selector, (at) => at !== null, () => `${selector} is missing, disabled, covered or moving`);

/** Points at an element with the mouse. */
export async function hover(page, selector) {
  const at = await targetOf(page, selector);
  await page.mouse.move(...at);
}

/** Clicks on elements with the mouse, for tests of pointing. */
export async function point(page, ...selectors) {
  for (const selector of selectors) {
    const at = await targetOf(page, selector);
    await page.mouse.click(...at);
  }
}

/** Touches elements. */
export async function tap(page, ...selectors) {
  for (const selector of selectors) {
    const at = await targetOf(page, selector);
    await page.touchscreen.tap(...at);
  }
}

/** Clicks on an element, if it is shown, enabled and not behind a dialog. Runs in the page. */
function clickOn(selector) {
  const element = document.querySelector(selector);
  const dialog = document.querySelector('dialog:modal');
  if (!element?.checkVisibility({ visibilityProperty: true }) || element.matches(':disabled')) return false;
  if (dialog && !dialog.contains(element)) return false;
  if (element instanceof HTMLElement) element.click();
  else element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  return true;
}

/** Clicks on elements, each as soon as that is possible. Unlike a pointer, this cannot miss what moves. */
export async function click(page, ...selectors) {
  for (const selector of selectors)
    await until(page, clickOn, selector, Boolean, () => `${selector} is missing, disabled, hidden or behind a dialog`);
}

/** Focuses an element, if possible, and selects all that a field has. Runs in the page. */
function focusOn(selector) {
  const element = document.querySelector(selector);
  element?.focus();
  if (!element || element !== document.activeElement) return false;
  element.select?.();
  return true;
}

export const focus = (page, selector) =>
  until(page, focusOn, selector, Boolean, () => `${selector} is missing or disabled`);

/** Types a text in place of what a field has. */
export async function fill(page, selector, text) {
  await focus(page, selector);
  await page.keyboard.insertText(text);
}

/** Chooses in a list. Runs in the page. */
function chooseIn([selector, value]) {
  const list = document.querySelector(`${selector}:enabled`);
  if (![...list?.options ?? []].some((option) => option.value === value)) return false;
  list.value = value;
  list.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
}

/** Chooses the option of a list that has a value. */
export const select = (page, selector, value) =>
  until(page, chooseIn, [selector, value], Boolean, () => `${selector} is missing, disabled, or lacks ${value}`);

let pictures = 0;

/** Adds to an error what a page shows, and a picture of it in the folder of the page, to see why a step has failed. */
export async function illustrate(page, error) {
  const shown = () => document.querySelector('dialog[open]')?.innerText ?? document.body.innerText;
  const folder = join(dirname(process.env.NEUTREEKO_HTML), 'failures');
  const path = join(folder, `${basename(process.argv[1], '.mjs')}-${++pictures}.png`);
  try {
    mkdirSync(folder, { recursive: true });
    const text = await page.evaluate(shown);
    await page.evaluate(() => { document.adoptedStyleSheets = []; }); // what hides the page
    await page.screenshot({ path });
    error.message += `\nThe page ${page.url()} shows, as in ${path}:\n${text.slice(0, 1000)}`;
  } catch (reason) {
    error.message += `\nThe page does not answer: ${reason.message}`;
  }
}

/** Sets the size of the page; page.setViewportSize takes several frames. */
export async function resize(session, size) {
  const [width, height] = size.split('x').map(Number);
  await session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
}

const GAME = '#moves=b1c1.b5c5.c4a2';
const STUDY = {
  'neutreeko-study': 1,
  board: '5x5/3',
  title: '',
  positions: [
    { start: '1w1w1/2b2/5/2w2/1b1b1 b', moves: 'b1c1', at: 1, notes: '1 c3.c1e3 12345' },
    { start: '5/b4/1w3/w1b2/b3w b', moves: '', at: 0, notes: '' },
  ],
};
const KEPT = { start: '1w1w1/2b2/5/2w2/1b1b1 b', moves: 'b1c1.b5c5.c4e2.c2e4.e2e1', end: '', date: '2026-11-30' };
const PLAYERS = { black: 'level:5', white: 'human', winner: 'black' };
/** Keeps a game, as another window of the page does. Runs in the page. */
function keepGame(game) {
  localStorage.setItem('neutreeko-games', JSON.stringify([game]));
  window.dispatchEvent(new StorageEvent('storage', { key: 'neutreeko-games' }));
}
const VIEWS = {
  play: GAME,
  review: `${GAME}.c5a3.a2b1&view=review`,
  puzzle: '#view=puzzle&start=b4/1w1wb/1wb2/5/5_b',
  lessons: '#view=lessons&at=4',
  'the lesson on the draw': '#view=hold',
  explore: `${GAME}&view=explore`,
  'the longest win': '#view=explore&start=5/b4/1w3/w1b2/b3w_b',
  'other boards': '#view=laboratory',
  'comments, variations and names':
    `#view=explore&moves=b1c1(d1c1.c2c3).b5c5&at=3&notes=3+c3.c1e3+12345&names=${'12345'.repeat(8)}`,
  study: `#view=study&study=${deflateRawSync(JSON.stringify(STUDY)).toString('base64url')}`,
  editor: '#view=editor',
};

/** Opens every view and dialog of a page, which has been opened, and calls `look(what)` in each. */
export async function everywhere(page, look) {
  const [url] = page.url().split('#');
  for (const [view, hash] of Object.entries(VIEWS)) {
    await page.goto(url + hash);
    if (view === 'puzzle') await click(page, '#themes summary');
    if (view === 'study') await appears(page, '.study li'); // once the link is uncompressed
    await look(view);
  }
  await click(page, '#clear');
  await look('editor with an error');
  await page.keyboard.press('n');
  await look('start');
  await page.keyboard.press('Escape');
  for (const name of ['share', 'statistics', 'menu', 'help']) {
    await click(page, '#menu-button');
    if (name !== 'menu') await click(page, `#menu-${name}`);
    await look(name);
    if (name !== 'help') await page.keyboard.press('Escape');
  }
  await click(page, '#show-introduction');
  await look('introduction');
  await page.goto(url + VIEWS.review);
  await page.evaluate(keepGame, { ...KEPT, ...PLAYERS });
  await look('review with games');
  await click(page, '.games button', '#tab-play');
  await look('a finished game');
  await page.goto(url + VIEWS.play);
  await click(page, '#hint', '#hint', '#hint');
  await look('a hint');
  await page.goto(url + VIEWS.explore);
  await click(page, '[data-square=c2]');
  await hover(page, '.value');
  await look('a piece picked up');
  await page.goto(`${url}#friend=17&moves=b1c1.b5c5`);
  await click(page, '[data-square=c4].movable', '[data-square=a2].movable'); // once the friend's move has been shown
  await look('a move to send');
  await page.goto(url + VIEWS.study);
  await click(page, '#study-keep', '#study-new'); // once the link is uncompressed
  await look('a new study');
  await click(page, '#study-delete');
  await look('an own study');
}
