// Tests of the page as a site: inside other pages, and what its worker serves. From the environment: as in pages.mjs.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { serve, until } from './browser.mjs';
import { appears, click, makeSite, onPage, openLink, PAGE, press, read, ready, shows, withPage } from './pages.mjs';
import { folder } from './programs.mjs';

// ---- frames ----

/** Shows an address of the site in a frame that may run scripts, and nothing else. Returns the frame. */
async function embed(page, hash, sandbox = 'allow-scripts') {
  makeSite();
  const host = await page.context().newPage();
  const frame = `<iframe sandbox="${sandbox}" src="site/index.html${hash}" width="800" height="600"></iframe>`;
  writeFileSync(join(folder, 'host.html'), `<!doctype html><title>Host</title>${frame}`);
  await host.goto(new URL('host.html', PAGE).href);
  const [, shown] = host.frames();
  await appears(shown, '#app:not([hidden]) #headline');
  return shown;
}

const framed = { allowed: /^(data|blob):|\/site\// };

onPage('a frame that may only run scripts has a game, and puzzles, which a worker finds', framed, async (page) => {
  const frame = await embed(page, '#moves=b1c1.b5c5');
  await click(frame, '[data-square=c4].movable', '[data-square=a2].movable');
  await shows(frame, { moves: 'b1-c1 b5-c5 c4-a2' });
  await click(frame, '#tab-learn', '#to-puzzle');
  await shows(frame, { '#headline': /to move$/, '#puzzle-show': 1 });
});

const GAME = 'moves=b1c1.b5c5.c4a2';
onPage('a game in a frame has its moves, steps and a link to the whole page, no more', framed, async (page) => {
  const frame = await embed(page, `#view=board&${GAME}&at=2`);
  await shows(frame, { moves: 'b1-c1 b5-c5 c4-a2', '.tools': 0, nav: 0, '.movable': 0 });
  await shows(frame, { [`#whole-page[href="#view=explore&${GAME}&at=2"]`]: 1 });
  await click(frame, '#redo');
  await shows(frame, { '.moves [aria-current]': 'c4-a2' });
});

onPage('what a frame shows does not take the place of the own game', { hash: `#${GAME}` }, async (page) => {
  const before = await page.evaluate(() => localStorage['neutreeko-game']);
  await openLink(page, '#view=board&start=5/b4/1w3/w1b2/b3w_b&notes=0+c3+Here');
  await shows(page, { board: '5/b4/1w3/w1b2/b3w', '.tools': 0, '.comment': 'Here', 'circle.drawn': 1 });
  await press(page, 'n', '3', 's');
  await shows(page, { '#view': 1, 'dialog[open]': 0, nav: 0 });
  assert.equal(await page.evaluate(() => localStorage['neutreeko-game']), before);
});

onPage('a link for a frame that is invalid is reported', { hash: '#view=board&moves=b1c1.a1a2' }, async (page) => {
  await shows(page, { '#notice': /^Part of this link is invalid/, moves: 'b1-c1', '.tools': 0 });
});

const EMBEDDED = {
  'a game': [`#${GAME}&at=2`, `#view=board&amp;${GAME}&amp;at=2`],
  'a puzzle': ['#view=puzzle&start=b4/1w1wb/1wb2/5/5_b', '#view=board&amp;start=b4/1w1wb/1wb2/5/5_b'],
  'another board': ['#board=4x4/3&view=editor&start=w2w/3w/b3/b2b_w',
    '#board=4x4/3&amp;view=board&amp;start=w2w/3w/b3/b2b_w'],
};
for (const [name, [hash, address]] of Object.entries(EMBEDDED))
  onPage(`sharing offers the HTML that shows ${name}`, { hash }, async (page) => {
    await click(page, '#share-button');
    const text = await read(page, '#share-embed');
    assert.equal(text.split('"')[1], new URL(address, PAGE).href);
  });

onPage('sharing offers no game where none is shown', { hash: EMBEDDED['a puzzle'][0] }, async (page) => {
  await click(page, '#share-button');
  await shows(page, { '#share-position': 1, '#share-record': 0, '#share-embed': 1 });
  await openLink(page, '#view=editor&start=5/5/5/5/5_b');
  await click(page, '#share-button');
  await shows(page, { '#share-position': 1, '#share-embed': 0 });
});

const bare = { ...framed, allowed: /^(data|blob):|\/bare\//, warning: /^console: A bad HTTP response code/ };
onPage('a server that has only the page of the site causes no error', bare, async (page) => {
  makeSite();
  mkdirSync(join(folder, 'bare'));
  copyFileSync(join(folder, 'site', 'index.html'), join(folder, 'bare', 'index.html'));
  await page.goto(new URL('bare/index.html', PAGE).href);
  await page.waitForFunction(() => performance.getEntriesByName('ready').length);
  await page.waitForTimeout(200); // for the answer of the server
});

// ---- the worker of the site ----

const NEW = '0123456789abcdef'; // the version of the site after a change
const site = { sent: [], isChanged: false }; // and {server, origin}; sent: the paths of the requests

/** The file that the server sends for a path: it has the site twice, and a page that the site does not know. */
function fileOf(path) {
  site.sent.push(path);
  const name = path.replace(/^\/(?:site|other)\//, '');
  if (name === 'notes.html') return join(folder, name);
  return site.isChanged && name === 'sw.js' ? join(folder, 'changed.js') : join(folder, 'site', name);
}

before(async () => {
  [site.server, site.origin] = await serve(fileOf);
  writeFileSync(join(folder, 'notes.html'), 'notes of the server');
});

after(() => {
  site.server.closeAllConnections();
  site.server.close();
});

/** Has the server send a new version of the site. */
function changeSite() {
  const worker = readFileSync(join(folder, 'site', 'sw.js'), 'utf8');
  writeFileSync(join(folder, 'changed.js'), worker.replace(/'[0-9a-f]{16}'/, `'${NEW}'`));
  site.isChanged = true;
}

/** The names of all caches. Runs in the page. */
const cacheNames = () => caches.keys();
/** Waits until the caches are as `isDone(their names)` expects. */
const waitForCaches = (page, isDone) => until(page, cacheNames, null, isDone, (names) => `caches: ${names}`);

/** Waits for the worker of a copy of the site, which the page has opened. */
async function waitForWorker(page) {
  const isOwn = (name) => name.startsWith(`neutreeko ${new URL('.', page.url()).href} `);
  await waitForCaches(page, (names) => names.some(isOwn));
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

/** A test on a page of the site whose worker runs. A test that changes caches needs one apart. */
const onSite = (name, use, apart = false) =>
  test(name, async () => {
    makeSite();
    site.isChanged = false;
    await withPage({ url: `${site.origin}site/`, allowed: /./, warning: /./, apart }, async (page) => {
      await waitForWorker(page);
      site.sent.length = 0;
      await use(page);
    });
  });

/** Opens an address of the server in another window. Returns the answer. */
async function answerOf(page, address) {
  const other = await page.context().newPage();
  return other.goto(new URL(address, site.origin).href, { waitUntil: 'commit' });
}

for (const address of ['/site/', '/site/?lang=ja', '/site/index.html'])
  onSite(`the worker answers for the page at ${address}`, async (page) => {
    const response = await answerOf(page, address);
    assert.equal(await response.text(), readFileSync(join(folder, 'site', 'index.html'), 'utf8'));
    assert.ok(!site.sent.includes('/site/index.html'), `${site.sent}`);
  });

for (const name of ['preview.png', 'icon-192.png'])
  onSite(`the address of ${name} is that file`, async (page) => {
    const response = await answerOf(page, `/site/${name}`);
    assert.equal(response.headers()['content-type'], 'image/png');
    assert.deepEqual(await response.body(), readFileSync(join(folder, 'site', name)));
  });

onSite('a file that is not of the site comes from the server', async (page) => {
  const response = await answerOf(page, '/site/notes.html');
  assert.equal(await response.text(), 'notes of the server');
});

onSite('a file that is missing is missing', async (page) => {
  const response = await answerOf(page, '/site/missing.html');
  assert.equal(response.status(), 404);
});

/** Makes caches with an answer for the page of the site. Runs in the page. */
async function makeCaches(names) {
  for (const name of names) {
    const cache = await caches.open(name);
    const response = new Response('of another page', { headers: { 'content-type': 'text/html' } });
    await cache.put(new URL('../site/', location.href), response);
  }
}
const foreignCaches = () => [
  'neutreeko-0123456789abcdef', 'neutreeko-settings', 'other', `neutreeko ${site.origin} ${NEW}`, 'neutreeko',
];

onSite('the caches of others are not used', async (page) => {
  await page.evaluate(makeCaches, foreignCaches());
  await page.goto(`${site.origin}site/`);
  await ready(page);
}, true);

onSite('a new version is announced in the window of the old one', async (page) => {
  await page.goto(`${site.origin}site/`);
  await ready(page);
  changeSite();
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await shows(page, { '#notice': 'There is a new version of this page: reload it.' });
}, true);

onSite('a new version deletes the cache of the old one and no other', async (page) => {
  await page.goto(`${site.origin}other/`);
  await waitForWorker(page);
  await page.evaluate(makeCaches, foreignCaches());
  const own = `neutreeko ${site.origin}site/ `;
  const names = await page.evaluate(cacheNames);
  const others = names.filter((name) => !name.startsWith(own));
  assert.equal(others.length, names.length - 1);
  assert.equal(others.length, foreignCaches().length + 1);

  changeSite();
  await page.goto(`${site.origin}site/`);
  await ready(page);
  await page.evaluate(async () => {
    const worker = await navigator.serviceWorker.ready;
    await worker.update();
  });
  const left = await waitForCaches(page, (now) => now.includes(own + NEW) && now.length <= names.length);
  assert.deepEqual(left.sort(), [...others, own + NEW].sort());
}, true);
