// Tests of the page as a file: what it has, what keeps it from starting, and what is shown until it has started. From
// the environment: as in pages.mjs.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';

import { bytesOf, lettersOf } from '../../web/page/letters.js';
import { boxOf, click, NEUTREEKO_HTML, onPage, openLink, play, press, shows, withPage } from './pages.mjs';
import { folder } from './programs.mjs';

const MOST_BYTES = 260000;

test('the page has the licences of what it contains', () => {
  const page = readFileSync(NEUTREEKO_HTML, 'utf8');
  for (const owner of ['David Evans', 'Google LLC', 'Rich Felker', 'Vitaly Puzrin', 'Yann Collet'])
    assert.match(page, new RegExp(`Copyright \\(C\\) [\\d-]+ .*${owner}`, 'i'));
});

test('the page is a file of at most 260 kB', () => {
  const { size } = statSync(NEUTREEKO_HTML);
  assert.ok(size <= MOST_BYTES, `${size} bytes`);
});

test('the policy of the page allows only its four scripts and its two styles', () => {
  const page = readFileSync(NEUTREEKO_HTML, 'utf8');
  const checksum = (bytes) => `'sha256-${createHash('sha256').update(bytes).digest('base64')}'`;
  const hashOf = (pattern) => checksum(page.match(pattern)[1]);
  const [, packed] = /id="neutreeko-page">([^<]*)/.exec(page);
  const [style, ...scripts] = inflateSync(bytesOf(packed)).toString().split('\0').map(checksum);
  const [, policy] = page.match(/<meta http-equiv="Content-Security-Policy" content="([^"]*)">/);
  const allowed = [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    'img-src data:',
    'worker-src blob:',
    "script-src 'wasm-unsafe-eval' " +
      `${scripts.join(' ')} ` +
      `${hashOf(/<script type="module">([\s\S]*?)<\/script>/)} ${hashOf(/<script>([\s\S]*?)<\/script>/)}`,
    `style-src ${hashOf(/<style>([\s\S]*?)<\/style>/)} ${style}`,
  ];
  assert.deepEqual(policy.split('; ').sort(), allowed.sort());
});

test('the page refers to no script and no style in another file', () => {
  const page = readFileSync(NEUTREEKO_HTML, 'utf8');
  assert.doesNotMatch(page, /<(script|link)[^>]*(src|rel="stylesheet")/);
});

/** Opens the page, which must show a message and nothing else. */
const showsOnlyMessage = (setup, message) =>
  withPage(setup, async (page) => {
    await shows(page, { '.failure.now': message, '[role=gridcell], [role=tab]': 0 });
  });

test('the page has the module, and shows a message if a bit of it is flipped', async () => {
  const html = readFileSync(NEUTREEKO_HTML, 'utf8');
  const [element, begin, text] = /(id="neutreeko-wasm">)([^<]*)/.exec(html);
  const packed = bytesOf(text);
  assert.ok(readFileSync(process.env.NEUTREEKO_WASM).equals(inflateSync(packed)));
  packed[packed.length >> 1] ^= 1;
  writeFileSync(join(folder, 'damaged.html'), html.replace(element, () => begin + lettersOf(packed)));
  await showsOnlyMessage({ url: 'damaged.html' }, /This file is damaged\. Please download it again\./);
});

test('a browser is too old without some features: a message names them in both languages', () =>
  showsOnlyMessage({ prepare: 'delete globalThis.DecompressionStream; delete Array.prototype.toSpliced' },
    new RegExp('^Neutreeko\\s+This browser is too old .* it lacks DecompressionStream, toSpliced\\. ' +
      '.*\\s+お使いの.*（DecompressionStream、toSpliced）')));

test('a browser without WebAssembly is told how that is switched on, in both languages', () =>
  showsOnlyMessage({ prepare: 'delete globalThis.WebAssembly' },
    /^Neutreeko\s+WebAssembly is switched off .* Lockdown Mode.*\s+.*WebAssembly が無効.*ロックダウンモード/));

/** Nothing can be drawn. Runs in the page. */
function drawNothing() {
  const create = Document.prototype.createElement;
  Document.prototype.createElement = function make(name, ...options) {
    if (name === 'template') throw new Error('nothing is drawn');
    return create.call(this, name, ...options);
  };
}

test('a page that cannot draw shows a message', () =>
  showsOnlyMessage({ prepare: drawNothing, warning: /nothing is drawn/ },
    /^Neutreeko cannot start\s+Neutreeko could not start\. Please reload the page\.$/));

/** The page up to a place in its text, or with another text there, as a file next to the site. */
function writePage(name, make) {
  writeFileSync(join(folder, name), make(readFileSync(NEUTREEKO_HTML, 'utf8')));
  return { url: name };
}

test('a file that ends too early is called incomplete, not the browser too old', () =>
  showsOnlyMessage(writePage('cut.html', (html) => html.slice(0, html.length / 2)),
    /^Neutreeko\s+This file is incomplete or was changed\. /));

/** Nothing tells the page that the file is complete. Runs in the page. */
function waitOn() {
  addEventListener('load', (event) => event.stopImmediatePropagation(), true);
  globalThis.setInterval = () => 0;
}

test('the board and a sentence are there with the first tenth of the file, without any message', async () => {
  const { url } = writePage('begun.html', (html) => html.slice(0, html.length / 10));
  await withPage({ url, prepare: waitOn, drawn: true, isLoading: true }, async (page) => {
    const box = await boxOf(page, '#board svg');
    assert.ok(Math.min(box.width, box.height) > 300, `${box.width} x ${box.height}`);
    await shows(page, { '#board use': 6, '.status': /^Slide your pieces\. Three in a row wins\./, '.failure.now': 0 });
    // As the user has chosen; and of what is stored or linked, nothing else is shown before.
    const opening = async (texts, hash = '') => {
      await page.evaluate(([values, address]) => {
        localStorage.clear();
        Object.assign(localStorage, values);
        location.hash = address;
      }, [texts, hash]);
      await page.reload();
    };
    const seen = () => page.evaluate(() => ['.piece', '.first-words', '.logo'].filter((one) =>
      document.querySelector(`#app ${one}`).checkVisibility({ visibilityProperty: true })));
    await opening({ neutreeko: '{"language": "ja", "theme": "dark"}' });
    await shows(page, { '.status': /^駒を滑らせて/, 'html[data-theme=dark]': 1 });
    assert.deepEqual(await seen(), ['.piece', '.first-words', '.logo']);
    await opening({ neutreeko: '{"language": "en"}' });
    await page.goto(new URL('?lang=ja', page.url()).href);
    await shows(page, { '.status': /^駒を滑らせて/ });
    await opening({ 'neutreeko-game': '{}' });
    assert.deepEqual(await seen(), ['.logo']);
    await opening({}, '#moves=b1c1');
    assert.deepEqual(await seen(), ['.logo']);
    await opening({}, '#view=board');
    assert.deepEqual(await seen(), []);
  });
});

test('it is said that nothing more of the file arrives, only as long as that is so', async () => {
  const { url } = writePage('stalled.html', (html) => html.slice(0, html.length / 10));
  const prepare = () => {
    addEventListener('load', (event) => event.stopImmediatePropagation(), true);
    globalThis.setInterval = (task) => {
      globalThis.pass = task;
    };
    globalThis.clearInterval = () => {
      globalThis.isOver = true;
    };
    Object.defineProperty(document, 'readyState', { get: () => globalThis.stage ?? 'loading' });
  };
  const waiting = { url, hash: '#moves=b1c1', prepare, drawn: true, isLoading: true };
  await withPage(waiting, async (page) => {
    const after = (seconds, stage = 'loading') => page.evaluate(([count, name]) => {
      globalThis.stage = name;
      for (let n = 0; n < count; n++) globalThis.pass();
      const loading = document.querySelector('.loading:lang(en)');
      return [loading.checkVisibility({ visibilityProperty: true }), loading.textContent,
        document.querySelectorAll('.failure.now').length];
    }, [seconds, stage]);
    assert.deepEqual(await after(15), [false, 'Loading \u2026', 0]);
    assert.deepEqual(await after(3), [true, 'Nothing has arrived for 15 seconds. Please reload the page.', 0]);
    await page.evaluate(() => [...document.scripts].at(-1).append('more'));
    assert.deepEqual(await after(1), [false, 'Loading \u2026', 0]);
    // A browser may end the document without more.
    assert.deepEqual(await after(2, 'interactive'), [false, 'Loading \u2026', 0]);
    assert.deepEqual(await after(1, 'interactive'), [false, 'Loading \u2026', 1]);
    assert.equal(await page.evaluate(() => globalThis.isOver), true);
    // What has begun is watched no more.
    await page.evaluate(() => Object.assign(globalThis, { hasBegun: true, isOver: false }));
    await after(1);
    assert.equal(await page.evaluate(() => globalThis.isOver), true);
  });
});

test('before the page starts, the board is where it is afterwards', async () => {
  const { url } = writePage('still.html', (html) => html.slice(0, html.indexOf('<script type="module">')));
  const boxesIn = async (page) => {
    const boxes = {};
    for (const size of ['390x844', '360x640', '844x390', '768x1024', '1280x720', '1920x1080']) {
      const [width, height] = size.split('x').map(Number);
      await page.setViewportSize({ width, height });
      boxes[size] = await boxOf(page, '#board svg');
    }
    return boxes;
  };
  let before;
  await withPage({ url, prepare: waitOn, drawn: true, isLoading: true },
    async (page) => (before = await boxesIn(page)));
  await withPage({ drawn: true }, async (page) => assert.deepEqual(await boxesIn(page), before));
});

const tall = { size: [1000, 640], locale: 'ja', drawn: true, hash: '#view=lessons&at=4' };
onPage('a headline of two lines leaves the board where it is', tall, async (page) => {
  const [headline, board] = [await boxOf(page, '#headline'), await boxOf(page, '#board')];
  assert.ok(headline.height > 50, `the headline has ${headline.height} pixels`);
  await openLink(page, '#view=explore');
  await shows(page, { '.values': 1 });
  assert.ok((await boxOf(page, '#headline')).height < 40);
  assert.deepEqual(await boxOf(page, '#board'), board);
});

/** How far tiles are inside the squares to click, and their shades beyond them, in percent. Runs in the page. */
function marginsOf() {
  const boxesOf = (selector) => [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
  const [tiles, squares] = [boxesOf('.tile').sort((a, b) => a.y - b.y || a.x - b.x), boxesOf('[role=gridcell]')];
  const percent = (one, other) => ['left', 'top', 'right', 'bottom'].map((side) =>
    Math.round(100 * Math.abs(one[side] - other[side]) / squares[0].width));
  const [{ left, top }, { right, bottom }] = [tiles[0], tiles.at(-1)];
  const shades = percent(boxesOf('.inset')[0], { left, top, right, bottom });
  const margins = tiles.flatMap((tile, n) => percent(tile, squares[n]));
  return { tiles: [...new Set(margins)], shades: [...new Set(shades)] };
}

onPage('the squares are where they are drawn, and in the order of reading, also when the board is turned', {},
  async (page) => {
    const margins = { tiles: [3], shades: [0] };
    assert.deepEqual(await page.evaluate(marginsOf), margins);
    await press(page, 'f');
    assert.deepEqual(await page.evaluate(marginsOf), margins);
  });

test('a page that was saved while it was used starts again', async () => {
  let saved;
  await withPage({ apart: true, settings: { theme: 'dark' }, hash: '#moves=b1c1' }, async (page) => {
    await click(page, '#menu-button');
    saved = await page.content();
  });
  writeFileSync(join(folder, 'saved.html'), saved);
  // The policy forbids the style attributes, with which pieces are placed.
  const warning = /Applying inline style/;
  await withPage({ url: 'saved.html', apart: true, warning }, async (page) => {
    await shows(page, { '#headline': 'Black to move', '#app > main': 1, dialog: 1, 'dialog[open]': 0, style: 2 });
    await play(page, 'b1-c1');
    await shows(page, { '#headline': 'White to move', moves: 'b1-c1' });
  });
});

test('a browser without JavaScript gets a message in both languages', () =>
  showsOnlyMessage({ javaScriptEnabled: false }, /^Neutreeko\s+Please turn .*\s+JavaScript を/));
