// What the tests in Chromium share: a browser, a server, pages that must cause no error, actions and what a page shows.
// From the environment: NEUTREEKO_HTML (the page), THOROUGH (not empty to try more), what browser.mjs needs, and what
// programs.mjs needs.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inspect, isDeepStrictEqual } from 'node:util';

import {
  appears, click, fill, focus, illustrate, launch, newPage, point, select, serve, tap, until,
} from './browser.mjs';
import { folder, query } from './programs.mjs';

export { appears, click, fill, focus, point, select, tap };
export const { NEUTREEKO_HTML, THOROUGH } = process.env;
export const FILE = pathToFileURL(NEUTREEKO_HTML).href;
export const START = '1w1w1/2b2/5/2w2/1b1b1 b';
const TWO = { black: 'human', white: 'human' };
/**
 * All settings but the language, which is that of the browser, with the introduction seen and without warnings, after
 * a game against the first opponent and a look at the first study: most tests then leave the settings as they are.
 */
const USUAL = {
  met: true, warnings: false, theme: 'auto', values: false, keys: true, sound: false, opponent: 'level:1',
  colour: 'black', grade: 'easy', held: false, studies: { '5x5/3': '1' }, starts: {}, lessons: {},
};

export let PAGE; // served: of a private window's pages from files, Chromium can lose the storage in a reload
let server;
let launched;

/** Makes the site of the page, which the server sends as site/. */
export function makeSite() {
  const script = fileURLToPath(new URL('../../web/page/site.mjs', import.meta.url));
  const site = join(folder, 'site');
  if (!existsSync(site)) execFileSync(process.execPath, [script, NEUTREEKO_HTML, site]);
}

/** The browser that tests share. No page is used so long that compiling its module once more, for speed, would pay. */
async function launchOnce() {
  launched ??= await launch({ args: ['--js-flags=--no-wasm-tier-up'] });
  return launched;
}

before(async () => {
  [server, PAGE] = await serve((path) => (path === '/neutreeko.html' ? NEUTREEKO_HTML : join(folder, path)));
  PAGE += 'neutreeko.html';
});

after(async () => {
  await launched?.close();
  server?.close();
});

/**
 * Has the storage hold these texts and nothing else, unless there are some: then those, and the patience, that the name
 * of the window has once. Runs in the page.
 */
function store(texts) {
  if (localStorage.prepared && !window.name) return;
  if (window.name) [texts, globalThis.patient] = JSON.parse(window.name);
  window.name = '';
  for (const storage of [localStorage, sessionStorage]) storage.clear();
  for (const [name, text] of Object.entries(texts)) localStorage.setItem(name, text);
  localStorage.prepared = true;
}

/**
 * Shortens what the page waits for once it has its values, unless `globalThis.patient`, or multiplies it by that
 * number. Runs in the page.
 */
function hurry(patient) {
  const wait = globalThis.setTimeout;
  globalThis.patient = patient;
  const isSolved = () => document.querySelector('#app:not([hidden]) main:not([aria-busy])'); // before, none seems slow
  globalThis.setTimeout = (task, time) =>
    wait(task, globalThis.patient ? time * globalThis.patient : isSolved() ? Math.min(time, 40) : time);
}

/** Has the browser draw nothing, which takes a quarter of the time that steps take. Runs in the page. */
function hide() {
  const style = new CSSStyleSheet();
  style.replaceSync('body { opacity: 0 }');
  document.adoptedStyleSheets = [style];
}

/** The texts that the setup of a page has in the storage. */
function storesOf({ settings = {}, players = TWO, record, games, studies, texts }) {
  const values = {
    neutreeko: settings && { ...USUAL, ...settings },
    'neutreeko-game': players && { start: START, moves: '', at: 0, end: '', counted: false, ...players },
    'neutreeko-record': record,
    'neutreeko-games': games,
    'neutreeko-studies': studies,
  };
  const kept = Object.entries(values).filter(([, value]) => value);
  return texts ?? Object.fromEntries(kept.map(([name, value]) => [name, JSON.stringify(value)]));
}

const USUAL_MEDIA = { media: null, reducedMotion: 'reduce', colorScheme: 'light', forcedColors: 'none' };

const emulated = new WeakMap();

/** Gives a page the usual media but for some, if it has others: that takes as long as opening an address. */
export async function emulate(page, media) {
  const wanted = { ...USUAL_MEDIA, ...media };
  if (isDeepStrictEqual(emulated.get(page), wanted)) return;
  emulated.set(page, wanted);
  await page.emulateMedia(wanted);
}

/** Gives a page the screen of a setup. */
async function adapt(page, { size: [width, height] = [1000, 700], media }) {
  await emulate(page, media);
  if (!isDeepStrictEqual(page.viewportSize(), { width, height })) await page.setViewportSize({ width, height });
}

const isShown = '#app:not([hidden]) #headline, .failure.now';
/** The values are there, too. */
const isReady = '#app:not([hidden]) main:not([aria-busy]) #headline, .failure.now';
export const ready = (page) => appears(page, isReady);

/** Opens a page. Its errors, warnings but `warning` and requests that are not `allowed` are added to `noise`. */
async function openPage(setup) {
  const { settings, players, record, games, studies, texts, size, media, fresh, ...others } = setup;
  const { url = PAGE, hash = '', prepare, patient = false, date, apart, drawn, early, isLoading, ...more } = others;
  const { browser = await launchOnce(), allowed = /^(data|blob):/, warning, ...options } = more;
  const page = await newPage(browser, { viewport: { width: 1000, height: 700 }, ...options });
  await adapt(page, setup);
  if (date) await page.clock.setFixedTime(date);
  const context = page.context();
  const noise = [];
  const add = (text) => warning?.test(text) || noise.push(text);
  context.on('console', (message) => add(`console: ${message.text()}`));
  context.on('weberror', (error) => add(`error: ${error.error().stack}`));
  context.on('request', (request) => {
    if (!request.isNavigationRequest() && !allowed.test(request.url())) add(`request: ${request.url()}`);
  });
  await page.addInitScript(hurry, patient);
  if (!drawn) await page.addInitScript(hide);
  if (prepare) await page.addInitScript(prepare);
  else await page.addInitScript(store, storesOf(setup));
  await page.goto(new URL(url + hash, PAGE).href);
  await appears(page, isLoading ? '#app' : early ? isShown : isReady);
  const language = await page.evaluate(() => document.documentElement.lang);
  return { page, context, noise, language };
}

/** Pages that have been used and can be used again, by what they were opened with. */
const left = new Map();

/**
 * Has the page store and open what another setup has, and forget what it shows. Returns false if that is impossible
 * since something else is open, or a setting has been changed, which other windows do not follow. Runs in the page.
 */
function begin([stores, hash, language, patient]) {
  globalThis.patient = patient;
  const isStandard = document.getElementById('app') && !document.getElementById('board-name');
  const isSame = isStandard && document.documentElement.lang === language;
  const { lessons, starts, ...settings } = JSON.parse(stores.neutreeko);
  const stored = JSON.parse(localStorage.neutreeko ?? '{}');
  const isChanged = ([name, value]) => JSON.stringify(stored[name]) !== JSON.stringify(value);
  if (!isSame || Object.entries(settings).some(isChanged)) return false;
  const open = (address) => {
    history.replaceState(null, '', address);
    window.dispatchEvent(new PopStateEvent('popstate'));
  };
  const close = () => {
    for (const summary of document.querySelectorAll('details[open] > summary')) summary.click();
  };
  close();
  open('#view=explore');
  close(); // the notes there, which the page knows to be open whatever it shows
  open('#start=5/bb1b1/5/5/ww1w1_w'); // no piece remains picked up
  for (const storage of [localStorage, sessionStorage]) storage.clear();
  for (const [name, text] of Object.entries(stores)) localStorage.setItem(name, text);
  localStorage.prepared = true;
  window.dispatchEvent(new StorageEvent('storage')); // as if another window had done that
  open('#board=9x9/9'); // the board does not exist: the page goes to the standard one and what is stored there,
  open('#board=9x9/9'); // and discards what was being done on it
  document.activeElement.blur();
  document.getElementById('spoken').textContent = '';
  if (hash) open(hash);
  else document.getElementById(stores['neutreeko-game'] ? 'tab-play' : 'new').click(); // the notice is gone
  return true;
}

/** Loads a page again with what another setup has. Runs in the page, which does not answer then. */
function restart([stores, patient, address]) {
  window.name = JSON.stringify([stores, patient]);
  history.replaceState(null, '', address);
}

/** Brings a page that a test has used to another address, if possible without loading it again. */
async function comeBack({ page, context, language }, setup) {
  for (const other of context.pages()) if (other !== page) await other.close();
  await adapt(page, setup);
  await page.mouse.move(0, 0);
  const { url = PAGE, hash = '', patient = false } = setup;
  const stores = storesOf(setup);
  // Another board is loaded in any case, maybe before the browser has written what has just been stored.
  const isLoaded = setup.fresh || hash.includes('board=');
  if (!isLoaded && (await page.evaluate(begin, [stores, hash, language, patient]))) return;
  await page.evaluate(restart, [stores, patient, new URL(url + hash, PAGE).href]);
  await page.reload();
  await ready(page);
}

/** A page as openPage() opens it, which need not be opened if one has been left. */
async function takePage(setup, pages) {
  const opened = pages.pop();
  if (!opened) return openPage(setup);
  await comeBack(opened, setup);
  return opened;
}

/**
 * Passes a page to `use`, and checks that it caused no error, no warning but `warning` and only `allowed` requests.
 * `url` may be relative to that of the page. `settings` null is a first visit. `players` and more make up the stored
 * game, which has just begun; null for no stored game. `record`, `games` and `studies` are stored, too. `texts` are
 * all that is stored, by name. Unless it is `patient`, the page does not wait long for anything: not before an
 * opponent's reply, nor between the moves of a line.
 * `date` is the time for it, `size` that of its window, and `media` what page.emulateMedia() takes. Only a `drawn`
 * page can be seen; nothing else depends on that, but what tests of its looks find. One that is used `early` may not
 * have its values yet, and one that `isLoading` may not have started.
 *
 * The page may be one that a test has used: it opens an address in the same way whatever it shows. A `fresh` one has
 * been loaded: for what only that does or resets, and for tests that change its program. One `apart` has a context of
 * its own, for tests that change what survives that, as has one with a script to `prepare` it.
 */
export async function withPage(setup, use) {
  const { hash, players, record, games, studies, texts, patient, size, media, ...others } = setup;
  const isApart = others.apart || others.prepare || others.early || others.isLoading;
  const { lessons, starts, ...settings } = others.settings ?? {};
  const fresh = others.fresh || others.settings === null;
  const key = inspect({ locale: 'en-US', ...others, settings: fresh ? {} : settings, fresh }, { sorted: true });
  const pages = left.get(key) ?? [];
  left.set(key, pages);
  const opened = isApart ? await openPage(setup) : await takePage({ ...setup, fresh }, pages);
  const { page, context, noise } = opened;
  try {
    await use(page, context);
    assert.deepEqual(noise, []);
  } catch (error) {
    await illustrate(page, error);
    await context.close();
    throw error;
  }
  if (isApart) await context.close();
  else pages.push(opened);
}

/** A test on one page. */
export const onPage = (name, setup, use) => test(name, () => withPage(setup, use));

/**
 * Waits until what the page has begun to wait for is over, however slow the machine is: see hurry(). In a page that is
 * `patient` it is not.
 */
export const settle = (page) => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 40)));

/** Prints the page as far as it can be tested. */
export async function print(page) {
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await emulate(page, { media: 'print' });
}

/** Opens the page again in another window. */
export async function openWindow(context, address) {
  const page = await context.newPage();
  await page.goto(address);
  await ready(page);
  return page;
}

/** Reloads the page as late as a person would: browsers write to the storage a moment later. */
export async function reload(page) {
  await page.waitForTimeout(200);
  await page.reload();
  await ready(page);
}

/**
 * Reads what is shown, by name, or by a selector: the text of an element, a list of texts, or the number of elements.
 * Runs in the page.
 */
function look(wanted) {
  const plain = (text) => text?.replace(/\u2060/g, '').replace(/\u2013/g, '-').trim();
  const all = (selector) => [...document.querySelectorAll(selector)];
  const words = (element) => element?.textContent.replace(/\s+/g, ' ').trim();
  const readers = {
    hash: () => location.hash,
    moves: () => all('.moves .ply:not([data-ply="0"])').map((ply) => plain(ply.textContent).slice(0, 5)).join(' '),
    /** The moves and their values in the list, and those on the board. */
    values() {
      const listed = all('.value').map((one) => {
        const value = one.dataset.move + words(one.querySelector('.unseen'));
        const note = words(one.querySelector('small'));
        return note ? `${value}, ${note}` : value;
      });
      const drawn = all('.pill').map((pill) => `${pill.dataset.move} ${pill.textContent}`).sort();
      return [...listed, ...drawn].join('\n');
    },
    /** From the labels for screen readers, in the order of the notation: the board may be turned. */
    board() {
      const labels = all('[role=gridcell]').map((cell) => cell.ariaLabel);
      labels.sort((a, b) => b[1] - a[1] || (a < b ? -1 : 1));
      const pieces = labels.map((label) => {
        const separator = label[0] === 'a' ? '/' : '';
        const [, colour = '1'] = /(black|white) piece/.exec(label) ?? [];
        return separator + colour[0];
      });
      return pieces.join('').slice(1).replace(/1+/g, (ones) => ones.length);
    },
  };
  const textOf = (element) =>
    plain(element?.matches('textarea, input') ? element.value : element?.innerText ?? element?.textContent);
  const read = (name, kind) => {
    if (readers[name]) return readers[name]();
    if (kind === 'list') return all(name).map(textOf);
    return kind === 'number' ? all(name).length : textOf(all(name)[0]);
  };
  return Object.fromEntries(wanted.map(([name, kind]) => [name, read(name, kind)]));
}
export const read = async (page, name) => (await page.evaluate(look, [[name]]))[name];
const headline = (page) => read(page, '#headline');
/** The position on the board. The side to move is that of the headline, if none is named. */
export async function position(page, side) {
  return `${await read(page, 'board')} ${side ?? ((await headline(page)).startsWith('White') ? 'w' : 'b')}`;
}
/** The moves, best first, that `neutreeko query` prints for the position on the board. */
export const nativeMoves = async (page, side, ...args) => query(await position(page, side), ...args)[0].moves;

/** Waits until the page shows what is expected: see look(). A text may be a pattern. The failure names what differs. */
export async function shows(page, expected) {
  const wanted = Object.entries(expected).map(([name, value]) => [name, Array.isArray(value) ? 'list' : typeof value]);
  const agrees = (value, found) => (value instanceof RegExp ? value.test(found) : isDeepStrictEqual(value, found));
  const differing = (found) => Object.keys(expected).filter((name) => !agrees(expected[name], found[name]));
  const describe = (found) => {
    const compare = (name) => `${name}: expected ${inspect(expected[name])}, found ${inspect(found[name])}`;
    return differing(found).map(compare).join('\n');
  };
  await until(page, look, wanted, (found) => differing(found).length === 0, describe);
}

export const squareOf = (name) => `[data-square=${name}]`;

/** Clicks on squares. */
export const clickSquares = (page, ...names) => click(page, ...names.map(squareOf));

/** Plays moves such as b1-c1 by clicks: on the piece, then on the square where it stops. */
export async function play(page, ...moves) {
  for (const move of moves) await clickSquares(page, ...move.split('-'));
}

/** Where an element is, in pixels. */
export const boxOf = (page, selector) => page.evaluate((one) => {
  const { x, y, width, height } = document.querySelector(one).getBoundingClientRect();
  return { x, y, width, height };
}, selector);

/** Picks a piece up with the mouse and moves it: `part` of the way to where it should stop. Returns where it was. */
export async function beginDrag(page, move, part) {
  const [from, to] = await Promise.all(move.split('-').map((name) => boxOf(page, squareOf(name))));
  const [x, y] = [from.x + from.width / 2, from.y + from.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + part * (to.x - from.x), y + part * (to.y - from.y), { steps: 2 });
  return [x, y];
}

/** Picks a piece up and holds it over another square, above the targets. */
export async function holdOver(page, move) {
  const origin = await beginDrag(page, move, 1);
  await appears(page, '.lifted .dragged');
  return origin;
}

/** Drags a piece to a square. */
export async function dragMove(page, move) {
  await holdOver(page, move);
  await page.mouse.up();
}

export const tapSquares = (page, ...names) => tap(page, ...names.map(squareOf));

/** What is stored on the device under a name. */
export const stored = (page, name) => page.evaluate((key) => JSON.parse(localStorage[key] ?? 'null'), name);

/** Presses keys one after another; each has a name such as ArrowLeft or b. */
export async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

/** Opens another address of the page, #view=editor or the like, without loading the page again. */
export const openLink = (page, hash) => page.goto(new URL(hash, page.url()).href);

/** Opens a text by the dialog for sharing. */
export async function openText(page, text) {
  await click(page, '#share-button');
  await fill(page, '#open-text', text);
  await click(page, '#open');
}

/** Clicks on a button that saves a file. Returns its name and its bytes. */
export async function saveFile(page, selector) {
  const [download] = await Promise.all([page.waitForEvent('download'), click(page, selector)]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** The address of a position in a view. */
export const linkTo = (view, text) => `#view=${view}&start=${text.replace(' ', '_')}`;

/** What look() reads of the values of moves, if they are as `neutreeko query` prints them. */
export function asValues(list) {
  const WORDS = { win: 'wins in ', draw: 'draws', loss: 'loses in ' };
  const LETTERS = { win: 'W ', draw: 'D', loss: 'L ' };
  const moves = (plies) => Math.ceil(plies / 2);
  const inMoves = (plies) => `${moves(plies)} ${moves(plies) === 1 ? 'move' : 'moves'}`;
  const listed = list.map(({ move, result, plies }) => {
    const value = WORDS[result] + (plies ? inMoves(plies) : '');
    return `${move}, ${value}`;
  });
  const drawn = list.map(({ move, result, plies }) => `${move} ${LETTERS[result]}${plies ? moves(plies) : ''}`);
  return [...listed, ...drawn.sort()].join('\n');
}

/** Waits until it is the user's turn or the game is over. Returns false if it is over. */
export async function myTurn(page) {
  await shows(page, { '#headline': /^Your move|wins|won|^Draw/ });
  return (await headline(page)) === 'Your move';
}

// ---- random actions ----

const KEYS = ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'Escape', 'Enter', 'Tab', ...'urnfxbgd123'];
const ADDRESSES = [
  '#', '#moves=b1c1.b5c5.c4a2', '#view=explore&moves=b1c1vd1c1z.b5c5&notes=1+c3+Here', '#view=lessons', '#view=hold',
  '#view=puzzle', '#view=review&moves=b1c1.b5c5.c4a2.c5a3.a2b1', '#view=editor', '#view=study', '#moves=b1c1)',
  '#view=explore&start=5/b4/1w3/w1b2/b3w_b', '#view=board&moves=b1c1',
];
const TEXTS = ['', 'a', 'b1-c1', '1. b1-c1 b5-c5', '5/b4/1w3/w1b2/b3w b', 'x'.repeat(300), '\u52dd\u3061 <b>&'];
/** What leads out of the page, or the language. */
const LEAVING = '#whole-page, #study-print, #native-share, #friend-share, #language-button, [type=file]';

/** Marks one of the controls that can be used, and returns what it is. Runs in the page. */
function choose([number, others]) {
  document.querySelector('[data-chosen]')?.removeAttribute('data-chosen');
  const root = document.querySelector('dialog[open]') ?? document.body;
  const controls = [...root.querySelectorAll('button, summary, input, select, textarea, [role=gridcell].movable')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(`:disabled, ${others}`));
  const one = controls[number % controls.length];
  one?.setAttribute('data-chosen', '');
  return one ? `${one.tagName} ${one.id || one.className || one.dataset.square || one.textContent.trim()}` : null;
}

/** Uses the marked control. Runs in the page. */
function use(text) {
  const one = document.querySelector('[data-chosen]');
  if (one instanceof HTMLTextAreaElement || (one instanceof HTMLInputElement && !one.matches('[type=radio]'))) {
    if (one.readOnly) return;
    one.value = one.matches('[type=range], [type=number]') ? String(text.length % 5) : text;
    one.dispatchEvent(new InputEvent('input', { bubbles: true }));
    one.dispatchEvent(new Event('change', { bubbles: true }));
  } else if (one instanceof HTMLSelectElement) {
    one.selectedIndex = text.length % one.length;
    one.dispatchEvent(new Event('change', { bubbles: true }));
  } else one?.click();
}

/** Does something on a page, but with no control that leads away or is one of `others`. Returns what. */
export async function act(page, random, others = LEAVING) {
  const kind = random(20);
  if (kind === 0) {
    const hash = ADDRESSES[random(ADDRESSES.length)];
    await page.evaluate((next) => { location.hash = next; }, hash);
    return hash;
  }
  if (kind === 1) {
    await page.evaluate(() => globalThis.navigation?.canGoBack && history.back()); // not out of the page
    return 'back';
  }
  if (kind < 5) {
    const key = KEYS[random(KEYS.length)];
    await page.keyboard.press(key);
    return key;
  }
  const chosen = await page.evaluate(choose, [random(1000), `${LEAVING}, ${others}`]);
  await page.evaluate(use, TEXTS[random(TEXTS.length)]);
  return chosen;
}
