// Tests of games against a friend, whose moves are exchanged as links. From the environment: as in pages.mjs.

import assert from 'node:assert/strict';

import { boxOf, click, onPage, openLink, openWindow, play, read, shows, withPage } from './pages.mjs';

const linkOf = (page) => read(page, '#friend-link');
/** The address in a link, which opens on the server of any page. */
const hashOf = (link) => new URL(link).hash;

/** Begins a game against a friend, as Black or White. */
async function begin(page, colour) {
  await click(page, '#new');
  await click(page, '[name=opponent][value=human]');
  await click(page, '[name=place][value=link]');
  await click(page, `[name=colour][value=${colour}]`);
  await click(page, '#start-game');
}

/** A game of two moves, in which it is the user's turn as Black, after a link has been opened. */
const SECOND = '#moves=b1c1.b5c5&friend=17';

onPage('two people play by exchanging links', {}, async (page) => {
  await begin(page, 'black');
  await shows(page, { '#headline': 'Your move', '#friend-link': 0 });
  await play(page, 'b1-c1');
  await shows(page, { '#headline': 'Friend to move', '.movable': 0 });
  const sent = await linkOf(page);
  await withPage({ hash: hashOf(sent) }, async (other) => {
    await shows(other, { moves: 'b1-c1', '#headline': 'Your move', '#spoken': 'Black: b1 to c1. Your move.' });
    await play(other, 'b5-c5');
    await openLink(page, hashOf(await linkOf(other)));
  });
  await shows(page, { moves: 'b1-c1 b5-c5', '#headline': 'Your move', '#friend-link': 0 });
});

onPage('the device is given the link for the friend', { hash: SECOND, fresh: true }, async (page) => {
  await page.evaluate(() => {
    navigator.share = async (data) => { globalThis.shared = data; };
  });
  await shows(page, { '#headline': 'Your move' });
  await play(page, 'c4-a2');
  await click(page, '#friend-share');
  const { url } = await page.evaluate(() => globalThis.shared);
  assert.equal(hashOf(url), '#friend=17&moves=b1c1.b5c5.c4a2');
  assert.equal(url, await linkOf(page));
});

onPage('a small phone shows the button that copies the link for the friend', { hash: SECOND, size: [360, 640] },
  async (page) => {
    await shows(page, { '#headline': 'Your move' });
    await play(page, 'c4-a2');
    await shows(page, { '#friend-link': 1 });
    const [button, tabs] = await Promise.all(['#friend-link + button', 'nav'].map((name) => boxOf(page, name)));
    assert.ok(button.y + button.height <= tabs.y);
  });

onPage('the friend begins the game of an invitation', {}, async (page) => {
  await begin(page, 'white');
  await shows(page, { '#headline': 'Friend to move', '.field label': 'Send this link to your friend, who begins' });
  await withPage({ hash: hashOf(await linkOf(page)) }, async (other) => {
    await shows(other, { '#headline': 'Your move', '.movable': 3 });
  });
});

onPage('a window follows the game against a friend that another one goes on with', { players: null, hash: SECOND },
  async (page, context) => {
    await shows(page, { '#headline': 'Your move' });
    await play(page, 'c4-a2');
    await shows(page, { '#headline': 'Friend to move' });
    const other = await openWindow(context, page.url().replace(/#.*/, '#moves=b1c1.b5c5.c4a2.c5a3&friend=17'));
    await shows(other, { '#headline': 'Your move', moves: 'b1-c1 b5-c5 c4-a2 c5-a3' });
    const followed = { moves: 'b1-c1 b5-c5 c4-a2 c5-a3', '#headline': 'Your move', '#notice:not([hidden])': 0 };
    await shows(page, followed);
    await play(page, 'a2-b1');
    await shows(other, { moves: 'b1-c1 b5-c5 c4-a2 c5-a3 a2-b1', '#headline': 'You won in 3 moves' });
  });

const RESIGNED = '#moves=b1c1.b5c5.c4a2&end=resigned-black&friend=17';
onPage('a resignation is sent', { hash: RESIGNED }, (page) =>
  shows(page, { '#headline': 'You won', '#subline': 'Black resigned.' }));

onPage('a draw is offered to a friend by a link, who plays on or not', { hash: SECOND, fresh: true }, async (page) => {
  // The move of the friend, shown a moment later, would take the question back.
  await shows(page, { '#agree': 'Offer a draw', '#spoken': /b5 to c5/ });
  await click(page, '#agree');
  await shows(page, { '#agree': 'Offer a draw: are you sure?', '#spoken': 'Offer a draw: are you sure?' });
  await click(page, '#agree');
  const offered = { '#headline': 'Draw offered', '#subline': /^If both of you agree/, '#friend-link': 1 };
  await shows(page, offered);
  await withPage({ hash: hashOf(await linkOf(page)), fresh: true }, async (other) => {
    await shows(other, { ...offered, moves: 'b1-c1 b5-c5' });
    await click(other, '#go-on');
    await shows(other, { '#headline': /to move$|^Your move$/, '#agree': 1 });
  });
});
