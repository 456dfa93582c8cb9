// Tests of the page in Chromium, Firefox and WebKit: what each of them might do in another way, and random actions.
// From the environment: as in pages.mjs; FIREFOX (the browser; optional); BROWSERS (the names of some of them;
// optional); SEED and ACTIONS (of the random actions; optional).

import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { launch, newPage, randomOf, require, serve, until } from './browser.mjs';
import { act, click, clickSquares, makeSite, myTurn, nativeMoves, NEUTREEKO_HTML, play, shows } from './pages.mjs';
import { folder, puzzles, query } from './programs.mjs';
import { openWebKit } from './webdriver.mjs';

const { FIREFOX = '/usr/bin/firefox-esr', BROWSERS = 'chromium firefox webkit' } = process.env;
const { SEED = '1', ACTIONS = '1500' } = process.env;

const launchFirefox = (firefoxUserPrefs = {}) =>
  require('playwright-core')._bidiFirefox.launch({ executablePath: FIREFOX, firefoxUserPrefs });

const launched = [];
/** How to open a page in a browser of Playwright, which is launched once. */
function pagesOf(launchIt) {
  let browser;
  return async () => {
    if (!browser) launched.push((browser = launchIt()));
    const page = await newPage(await browser, { viewport: { width: 1000, height: 700 }, reducedMotion: 'reduce' });
    const reports = []; // of the browser, which the page does not see
    page.on('console', (message) => /error|warning/.test(message.type()) && reports.push(message.text()));
    page.on('pageerror', (error) => reports.push(String(error)));
    return Object.assign(page, {
      reports,
      close: () => page.context().close(),
      setFile: (selector, path) => page.locator(selector).setInputFiles(path),
    });
  };
}
after(async () => {
  for (const browser of launched) await (await browser).close();
});

/** How to open a page in each browser, and in a private window; the windows of Playwright's Chromium are like that. */
const OPEN = {
  chromium: { usual: pagesOf(launch) },
  firefox: {
    usual: pagesOf(launchFirefox),
    private: pagesOf(() => launchFirefox({ 'browser.privatebrowsing.autostart': true })),
  },
  webkit: { private: openWebKit },
};

// ---- the pages, which collect what they report; scripts before their policy are not restricted by it ----

/** Runs in the page before all else. */
function collect() {
  globalThis.noise = [];
  const add = (...texts) => globalThis.noise.push(texts.map((text) => String(text?.stack ?? text)).join(' '));
  addEventListener('error', ({ error, message }) => add('error:', error ?? message));
  addEventListener('unhandledrejection', ({ reason }) => add('rejection:', reason));
  for (const name of ['error', 'warn']) console[name] = (...texts) => add(`console.${name}:`, ...texts);
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = (task, time) => wait(task, Math.min(time, 40));
}

/** Denies all storage. Runs in the page. */
function refuse() {
  const get = () => {
    throw new DOMException('no', 'SecurityError');
  };
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(globalThis, name, { get });
}

/** Writes a page that calls functions first. */
function writePage(name, ...tasks) {
  const scripts = tasks.map((task) => `(${task})();`).join('');
  const html = readFileSync(NEUTREEKO_HTML, 'utf8');
  writeFileSync(join(folder, name), html.replace('<head>', () => `<head><script>${scripts}</script>`));
}

let server;
let address;
before(async () => {
  writePage('usual.html', collect);
  writePage('refused.html', collect, refuse);
  [server, address] = await serve((path) => join(folder, path));
});
after(() => server?.close());

/** Waits until the page is ready to play. */
const begun = (page) =>
  until(page, () => document.querySelectorAll('#app:not([hidden]) #headline').length, null, Boolean,
    () => 'no headline');

/** A test in a new window of a browser, which must report nothing. `use` is given a function that opens an address. */
function inBrowser(name, kind, what, use, file = 'usual.html') {
  test(`${name}, ${kind} window: ${what}`, async () => {
    const page = await OPEN[name][kind]();
    try {
      await page.goto(address + file);
      await begun(page);
      await use(page, async (hash) => page.evaluate((to) => void (location.hash = to), hash));
      assert.deepEqual(await page.evaluate(() => globalThis.noise), []);
      assert.deepEqual(page.reports ?? [], []);
    } finally {
      await page.close();
    }
  });
}

// ---- what is tried ----

async function introduce(page) {
  await play(page, 'b1-b4');
  await shows(page, { '#headline': /^Three in a row wins/ });
  await clickSquares(page, 'd4'); // d1 is picked up already
  await shows(page, { '#headline': /^White threatens/ });
  await play(page, 'a2-a3');
  await shows(page, { '#headline': /^You\u2019ve got it/ });
  await click(page, '#play-beginner');
}

async function playToTheEnd(page) {
  while (await myTurn(page)) {
    const [best] = await nativeMoves(page, 'b');
    await play(page, best.move);
  }
  await shows(page, { '#headline': /^You won/ });
}

async function solvePuzzle(page, open) {
  const [{ position }] = puzzles(1, 3, '--plies=3');
  await open(`#view=puzzle&start=${position.replace(' ', '_')}`);
  await shows(page, { '#headline': /to move$/, '#hint': 1 });
  const [{ move }] = query(position)[0].moves;
  await play(page, move);
  await shows(page, { '#subline': 'Win in 1.' });
  await until(page, () => document.querySelectorAll('.movable').length, null, Boolean, () => 'no reply');
  const [last] = await nativeMoves(page, position.at(-1));
  await play(page, last.move);
  await shows(page, { '#headline': 'Correct!' });
}

async function useOtherBoard(page, open) {
  await open('#board=4x4/3&view=explore');
  await shows(page, { '[role=gridcell]': 16, '.value': /\S/ });
  await open('#board=4x4/3&view=laboratory');
  await shows(page, { '.facts': /Positions/ });
}

/** Saves the page while it is used, and opens what was saved. */
async function useSaved(page) {
  await click(page, '#skip', '#start-game');
  await play(page, 'b1-c1');
  await click(page, '#share-button');
  const saved = await page.evaluate(() => document.documentElement.outerHTML);
  writeFileSync(join(folder, 'saved.html'), `<!doctype html>${saved}`);
  await page.goto(`${address}saved.html`);
  await begun(page);
  await shows(page, { moves: /^b1-c1 \S+$/, 'dialog[open]': 0, '#app > main': 1 });
  const [best] = await nativeMoves(page, 'b');
  await play(page, best.move);
  await shows(page, { moves: /^b1-c1 \S+ \S+/ });
  // The policy forbids the style attributes of what was saved, with which pieces are placed.
  if (page.reports) page.reports = page.reports.filter((report) => !/inline style/.test(report));
}

/** Opens a record with as many comments as a link has room for, and loads the page again. */
async function keepComments(page) {
  const count = 890;
  /** Waits until there are so many comments in the address. */
  const listed = () => until(page, () => location.hash.split('+xxx').length - 1, null,
    (found) => found === count, (found) => `${found} comments`);
  await click(page, '#skip', '#start-game', '#share-button');
  await page.evaluate((text) => {
    const field = document.getElementById('open-text');
    field.value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }, `b1-c1${` (b1-b4 {${'x'.repeat(1000)}})`.repeat(count)}`);
  await click(page, '#open');
  await listed();
  await page.reload();
  await begun(page);
  await listed();
  await shows(page, { '.moves .variation': count, '#notice:not([hidden])': 0 });
}

/** Downloads, and what takes long or loads the page again. */
const LEFT = '#export, #picture-svg, #picture-png, #picture-copy, #study-file, #save-record, #share-study, #lab-solve';

async function actAtRandom(page) {
  await click(page, '#skip', '#start-game');
  const random = randomOf(Number(SEED));
  const done = [];
  let noise = [];
  while (!noise.length && done.length < Number(ACTIONS)) {
    done.push(await act(page, random, LEFT));
    noise = await page.evaluate(() => globalThis.noise);
  }
  assert.deepEqual(noise, [], `after ${done.slice(-12).join(' | ')}`);
  await begun(page);
}

for (const name of BROWSERS.split(' ')) {
  for (const kind of Object.keys(OPEN[name])) {
    inBrowser(name, kind, 'the introduction, a game to its end, and its review', async (page) => {
      await introduce(page);
      await playToTheEnd(page);
      await click(page, '#to-review');
      await shows(page, { '.graph svg': 1, '.entry .ply': /\S/ });
    });
    inBrowser(name, kind, 'a puzzle', solvePuzzle);
    inBrowser(name, kind, 'another board', useOtherBoard);
    inBrowser(name, kind, 'another board without storage', useOtherBoard, 'refused.html');
    inBrowser(name, kind, 'a page that it has saved', useSaved);
    inBrowser(name, kind, 'all comments that a link has room for', keepComments);
    inBrowser(name, kind, `${ACTIONS} random actions`, actAtRandom);
    inBrowser(name, kind, 'no scroll bar of the page', async (page) => {
      const [scroll, window] = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement;
        return [[scrollWidth, scrollHeight], [innerWidth, innerHeight]];
      });
      assert.deepEqual(scroll, window);
    });
  }
  const [kind] = Object.keys(OPEN[name]);
  test(`${name}: the site works offline after the first visit`, async () => {
    makeSite();
    const page = await OPEN[name][kind]();
    try {
      await page.goto(`${address}site/`);
      await begun(page);
      const isKept = async () => {
        await navigator.serviceWorker.ready;
        return (await caches.keys()).length;
      };
      await until(page, isKept, null, (count) => count === 1, (count) => `${count} caches`);
      rmSync(join(folder, 'site'), { recursive: true });
      await page.goto(`${address}site/?lang=ja`);
      await begun(page);
      assert.equal(await page.evaluate(() => document.documentElement.lang), 'ja');
    } finally {
      await page.close();
    }
  });
}
