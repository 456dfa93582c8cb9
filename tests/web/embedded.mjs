// Tests of the page inside another page. From the environment: as in pages.mjs.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { appears, click, makeSite, onPage, openLink, PAGE, press, read, shows } from './pages.mjs';
import { folder } from './programs.mjs';

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

const site = { allowed: /^(data|blob):|\/site\// };

onPage('a frame that may only run scripts has a game, and puzzles, which a worker finds', site, async (page) => {
  const frame = await embed(page, '#moves=b1c1.b5c5');
  await click(frame, '[data-square=c4].movable', '[data-square=a2].movable');
  await shows(frame, { moves: 'b1-c1 b5-c5 c4-a2' });
  await click(frame, '#tab-learn', '#to-puzzle');
  await shows(frame, { '#headline': /to move$/, '#puzzle-show': 1 });
});

const GAME = 'moves=b1c1.b5c5.c4a2';
onPage('a game in a frame has its moves, steps and a link to the whole page, and nothing else', site, async (page) => {
  const frame = await embed(page, `#view=board&${GAME}&at=2`);
  await shows(frame, { moves: 'b1-c1 b5-c5 c4-a2', '.tools': 0, nav: 0, '.movable': 0 });
  await shows(frame, { [`#whole-page[href="#view=explore&${GAME}&at=2"]`]: 1 });
  await click(frame, '#redo');
  await shows(frame, { '.moves [aria-current]': 'c4-a2' });
});

onPage('what a frame shows does not take the place of the own game', { hash: `#${GAME}` }, async (page) => {
  const before = await page.evaluate(() => localStorage['neutreeko-game']);
  await openLink(page, '#view=board&start=5/b4/1w3/w1b2/b3w_b');
  await shows(page, { board: '5/b4/1w3/w1b2/b3w', '.tools': 0 });
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

const bare = { ...site, allowed: /^(data|blob):|\/bare\//, warning: /^console: A bad HTTP response code/ };
onPage('a server that has only the page of the site causes no error', bare, async (page) => {
  makeSite();
  mkdirSync(join(folder, 'bare'));
  copyFileSync(join(folder, 'site', 'index.html'), join(folder, 'bare', 'index.html'));
  await page.goto(new URL('bare/index.html', PAGE).href);
  await page.waitForFunction(() => performance.getEntriesByName('ready').length);
  await page.waitForTimeout(200); // for the answer of the server
});
