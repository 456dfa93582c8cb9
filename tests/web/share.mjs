// Tests of what leaves the page and comes back to it: pictures of positions, and texts that cannot be opened. From the
// environment: as in pages.mjs.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  boxOf, click, dragMove, emulate, holdOver, linkTo, onPage, openLink, openText, play, press, read, reload, saveFile,
  shows, START,
} from './pages.mjs';
import { folder } from './programs.mjs';

const SIDE = 528; // of the picture of a board of 5x5: its squares, 100 wide, and an edge of 14
const SQUARES = { black: ['b1', 'c4', 'd1'], white: ['b5', 'c2', 'd5'] };

async function savedPicture(page, kind) {
  await click(page, '#share-button', '#picture-more summary');
  return saveFile(page, `#picture-${kind}`);
}

/** The squares of the discs with a colour, in a picture with White at the top. */
function squaresOf(svg, colour) {
  const pieces = svg.matchAll(/<g transform="translate\((\d+) (\d+)\)">(.*?)<\/g>/g);
  const found = [...pieces].filter(([, , , shapes]) => shapes.includes(`r="35" fill="${colour}"`));
  return found.map(([, x, y]) => `${'abcde'[(x - 64) / 100]}${5 - (y - 64) / 100}`).sort();
}

const dark = { media: { colorScheme: 'dark' } };
onPage('a saved SVG has the pieces of both sides on their squares, in light colours', dark, async (page) => {
  const { name, bytes } = await savedPicture(page, 'svg');
  const svg = bytes.toString();
  await shows(page, { '#picture-more summary': 'More options' });
  assert.equal(name, '1w1w1-2b2-5-2w2-1b1b1-b.svg');
  assert.deepEqual({ black: squaresOf(svg, '#2b2d33'), white: squaresOf(svg, '#fffdf7') }, SQUARES);
});

onPage('a saved SVG is turned as the board', {}, async (page) => {
  await press(page, 'f');
  const { bytes } = await savedPicture(page, 'svg');
  await shows(page, { '#picture-values': 0 }); // there is no last move either
  assert.deepEqual(squaresOf(bytes.toString(), '#2b2d33'), SQUARES.white);
});

onPage('a saved SVG needs no style of the page', dark, async (page) => {
  const { bytes } = await savedPicture(page, 'svg');
  const svg = bytes.toString();
  assert.doesNotMatch(svg, /class=|style=|var\(|light-dark|color\(/);
  const translucent = svg.match(/(?:fill|stop)-opacity="[\d.]+"/g).map((one) => one.replace(/-opacity|"/g, ''));
  assert.deepEqual([...new Set(translucent)].sort(), ['fill=0.3', 'stop=0', 'stop=0.22', 'stop=0.32', 'stop=0.7']);
});

onPage('a saved SVG has the values only if that is switched on', { hash: linkTo('explore', START) }, async (page) => {
  await click(page, '#share-button', '#picture-more summary', '#picture-values');
  const { bytes } = await saveFile(page, '#picture-svg');
  await click(page, '#picture-values');
  const { bytes: bare } = await saveFile(page, '#picture-svg');
  const labels = (svg) => svg.toString().match(/>[WDL]( \d+)?</g)?.length ?? 0;
  assert.deepEqual([labels(bytes), labels(bare)], [14, 0]);
  const pills = [...bytes.toString().matchAll(/rx="14" fill="(#\w+)"/g)].map(([, colour]) => colour);
  assert.deepEqual([...new Set(pills)].sort(), ['#5d616b', '#e8d4c1']); // the best draw, and losses
});

onPage('a saved SVG has the circles and arrows', { hash: '#view=explore&notes=0+c3.a1b2+' }, async (page) => {
  const { bytes } = await savedPicture(page, 'svg');
  const drawn = bytes.toString().match(/<(circle|path) [^>]*stroke="#8b2f97"/g).map((tag) => tag.slice(1, 5));
  assert.deepEqual(drawn, ['circ', 'path', 'path']);
  assert.match(bytes.toString(), /"translate\(64 464\) rotate\(-45\)"/); // from a1 to b2
});

/** The size of a picture, and how blue it is at some points. Runs in the page. */
async function measure([data, points]) {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const blue = points.map(([x, y]) => context.getImageData(x, y, 1, 1).data[2]);
  return { size: [image.width, image.height], blue };
}

const high = { hash: '#board=4x5/3&start=1w1w/2b1/4/2w1/1b1b_b' };
onPage('a high board has its coordinates, and a saved PNG twice the size of the SVG', high, async (page) => {
  const { name, bytes } = await savedPicture(page, 'png');
  assert.equal(name, '1w1w-2b1-4-2w1-1b1b-b.png');
  const middle = (square) => [2 * (64 + 100 * 'abcde'.indexOf(square[0])), 2 * (64 + 100 * (5 - square[1]))];
  const points = ['c4', 'c2', 'a3'].map(middle);
  const { size, blue } = await page.evaluate(measure, [bytes.toString('base64'), points]);
  assert.deepEqual(size, [2 * (SIDE - 100), 2 * SIDE]);
  const [black, white, empty] = blue;
  assert.equal(black < 80 && white > 230 && empty > 200 && empty < 225, true, `blue: ${blue}`);
  const { bytes: svg } = await saveFile(page, '#picture-svg');
  assert.match(svg.toString(), new RegExp(`^<svg [^>]*width="${SIDE - 100}" height="${SIDE}"`));
  await press(page, 'Escape', 'f');
  const written = await page.evaluate(() => document.querySelector('#board .tiles').textContent);
  assert.equal(written, 'abc5d4321', 'on the squares from a5 on: seen by White, those of rank 5 have the files');
  await holdOver(page, 'b1-b4');
  const { x, y, width: across, height: down } = await boxOf(page, '.board');
  const { width: most } = await boxOf(page, '#board');
  assert.ok(Math.abs(down - most) < 10, `as high as a square one: ${down} of ${most} pixels`);
  await page.mouse.move(x + across + 5, y + down + 5);
  const held = await boxOf(page, '.dragged .body');
  const place = [(held.x + held.width / 2 - x) / across, (held.y + held.height / 2 - y) / down];
  assert.deepEqual(place.map((one) => one.toFixed(2)), ['1.00', '1.00'], 'at the corner of the board');
  await page.mouse.up();
  await dragMove(page, 'b1-b4');
  await shows(page, { moves: 'b1-b4' });
});

onPage('the device is given the link to share', { fresh: true, hash: '#moves=b1c1' }, async (page) => {
  await page.evaluate(() => {
    navigator.share = async (data) => { globalThis.shared = data; };
  });
  await click(page, '#share-button', '#native-share');
  const url = await read(page, '#share-link');
  assert.match(url, /#moves=b1c1$/);
  assert.deepEqual(await page.evaluate(() => globalThis.shared), { title: 'Neutreeko', url });
});

onPage('the picture is copied as a PNG', {}, async (page, context) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await click(page, '#share-button', '#picture-copy');
  await shows(page, { '#spoken': 'Copied' });
  const types = await page.evaluate(async () => (await navigator.clipboard.read()).map((item) => item.types));
  assert.deepEqual(types, [['image/png']]);
});

/** Has the browser refuse copying. Runs in the page. */
function refuseCopying() {
  Object.defineProperty(navigator, 'clipboard', {
    value: { writeText: () => Promise.reject(new DOMException('denied', 'NotAllowedError')) },
    configurable: true,
  });
  document.execCommand = () => false;
}

onPage('a text that cannot be copied is not said to be copied', { fresh: true }, async (page) => {
  await page.evaluate(refuseCopying);
  await click(page, '#share-button', '#share-position + button');
  const failed = 'The browser does not allow copying.';
  await shows(page, { '#share .wrong:not([hidden])': failed, '#share-position + button': 'Copy', '#spoken': '' });
  await shows(page, { '#share-position:focus': 1 }); // for the keys
});

onPage('the link for a friend that cannot be copied is reported', { hash: '#moves=b1c1&friend=17', fresh: true },
  async (page) => {
    await page.evaluate(refuseCopying);
    await shows(page, { '#headline': 'Your move' });
    await play(page, 'b5-c5');
    await click(page, '#friend-link + button');
    const failed = 'The browser does not allow copying.';
    await shows(page, { '#notice': failed, '#friend-link + button': 'Copy', '#spoken': failed });
  });

onPage('where only the old way of copying is allowed, it is taken', { fresh: true }, async (page) => {
  await page.evaluate(refuseCopying);
  await page.evaluate(() => {
    document.execCommand = (command) => {
      globalThis.copied = [command, getSelection().toString() || document.activeElement.value];
      return true;
    };
  });
  await click(page, '#share-button', '#share-position + button');
  await shows(page, { '#share-position + button:not([aria-label])': 'Copied', '#spoken': 'Copied' });
  assert.deepEqual(await page.evaluate(() => globalThis.copied), ['copy', START]);
});

const replies = { players: { black: 'human', white: 'level:1' }, fresh: true };
onPage('a link that has changed since it was copied is not said to be copied', replies, async (page, context) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => Object.assign(globalThis, { patient: 6 }));
  await play(page, 'b1-c1');
  await click(page, '#share-button', '#share-link + button');
  await shows(page, { '#share-link + button': 'Copied' });
  await page.waitForFunction(() => document.getElementById('share-link').value.includes('b1c1.'));
  await shows(page, { '#share-link + button': 'Copy' });
});

onPage('a file can be chosen again after it was repaired', {}, async (page) => {
  const path = join(folder, 'repaired.txt');
  await click(page, '#share-button');
  for (const [text, error] of [['1. b1-b2', /^Couldn/], ['1. b1-c1', undefined]]) {
    writeFileSync(path, text);
    await page.locator('#open-file').setInputFiles(path);
    await shows(page, error ? { '#open-error': error } : { moves: 'b1-c1' });
    // A browser reports no change from a file to the same one.
    if (error) assert.equal(await read(page, '#open-file'), '');
  }
});

onPage('a picture that cannot be copied is reported', { fresh: true }, async (page) => {
  await page.evaluate(() => {
    navigator.clipboard.write = () => Promise.reject(new DOMException('denied', 'NotAllowedError'));
  });
  await click(page, '#share-button', '#picture-copy');
  await shows(page, { '#share .wrong:not([hidden])': 'The browser does not allow copying.' });
});

onPage('a picture that cannot be saved is reported, until one is saved', { fresh: true }, async (page) => {
  await page.evaluate(() => {
    globalThis.toBlob = HTMLCanvasElement.prototype.toBlob;
    HTMLCanvasElement.prototype.toBlob = (done) => done(null);
  });
  await click(page, '#share-button', '#picture-png');
  await shows(page, { '#share .wrong:not([hidden])': 'The browser can\u2019t save the picture.' });
  await page.evaluate(() => Object.assign(HTMLCanvasElement.prototype, { toBlob: globalThis.toBlob }));
  await saveFile(page, '#picture-png');
  await shows(page, { '[aria-labelledby=picture-title] .wrong[hidden]': 1 });
});

onPage('a notice follows the language', { hash: '#moves=b1c9' }, async (page) => {
  await shows(page, { '#notice': /^Part of this link/ });
  await click(page, '#menu-button', '#language-button');
  await shows(page, { '#notice': /^リンクに/ });
});

const NOTATIONS = {
  '1w1w1/2b2/5/2w2/1b1b1_w': '1w1w1/2b2/5/2w2/1b1b1',
  'W:....W..........B....WBWB.': 'wbwb1/b4/5/5/4w',
};
for (const [text, board] of Object.entries(NOTATIONS))
  onPage(`a position in another notation is opened as it was checked: ${text}`, {}, async (page) => {
    await openText(page, text);
    await shows(page, { 'dialog[open]': 0, board, hash: /^#view=explore&start=.*_w$/ });
  });

onPage('a picture of another board has its size', { hash: '#board=4x4/3' }, async (page) => {
  await shows(page, { '#board-name': /^4×4/ });
  const { bytes } = await savedPicture(page, 'svg');
  assert.match(bytes.toString(), /^<svg [^>]*viewBox="0 0 428 428"/);
});

/** Drops the record of a game on the page. Returns whether the browser would open it itself. */
const dropGame = (page) =>
  page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['1. d1-c1 b5-c5 {Black wins on time} 0-1'], 'game.pgn'));
    const over = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true });
    return document.body.dispatchEvent(over)
      || document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  });

onPage('a file that is dropped on the page is opened', {}, async (page) => {
  assert.equal(await dropGame(page), false);
  await shows(page, { hash: /^#view=review&moves=d1c1\.b5c5&end=time-white/, 'dialog[open]': 0 });
});

onPage('a file that is dropped on what another page embeds has no effect', { hash: '#view=board' }, async (page) => {
  assert.equal(await dropGame(page), false);
  await shows(page, { hash: '#view=board', 'dialog[open]': 0 });
});

onPage('a game is saved as a file with its end', { hash: '#moves=b1c1.b5c5&end=agreed' }, async (page) => {
  await click(page, '#share-button', '#picture-more summary');
  await shows(page, { '#picture-values': 1 }); // for the last move: values are not shown
  const { name, bytes } = await saveFile(page, '#save-record');
  assert.equal(name, 'neutreeko.pgn');
  assert.match(bytes.toString(), /1\. b1-c1 b5-c5\n\{Draw by agreement\.\}\n1\/2-1\/2/);
});

const GAMES = '[Event "Club night"]\n[White "Ann"]\n[Black "Bo"]\n\n1. b1-c1 b5-c5 1-0\n\n' +
  '[Event "Club night"]\n[White "Bo"]\n[Black "Ann"]\n\n1. d1-c1 {Why not?} *\n';
onPage('several games in a text are a study with a position for each', {}, async (page) => {
  await openText(page, GAMES);
  await shows(page, { '#headline': 'Club night', '.study > li': 2, '#subline': /^Position 1 of 2/ });
  await shows(page, { '.study .note': ['Bo - Ann', 'Ann - Bo'], '.study li:nth-child(1) .line > .comment': '(1-0)' });
  await click(page, '.study > li:nth-child(2) .select', '#redo');
  await shows(page, { '.study .line > .comment': ['(1-0)', 'Why not?'] });
});

const CHAPTERS = '[Event "Course: One"]\n\n{First.\n\nSecond\nline.} 1. b1-c1 *\n\n' +
  '[Event "Course: Two"]\n[White "?"]\n[Result "0-1"]\n\n1. d1-c1 *\n';
onPage('chapters of a file have their names and paragraphs', {}, async (page) => {
  await openText(page, CHAPTERS);
  await shows(page, { '#headline': 'Course' });
  await shows(page, { '.study .line > .comment': ['One\nFirst.\n\nSecond line.', 'Two\n(0-1)'], '.study .note': 0 });
});

onPage('chapters with different names have no common one', {}, async (page) => {
  await openText(page, GAMES.replace('Club night', 'Club'));
  await shows(page, { '#headline': 'Study' });
  await shows(page, { '.study .line > .comment': ['Club\n(1-0)', 'Club night'] });
});

const SHARED = 'neutreeko.html?title=x&text=A%20game:&url=https://example.org/%23moves%3Db1c1';
onPage('what another program shares with the page is opened', { url: SHARED, apart: true }, async (page) => {
  await shows(page, { hash: '#moves=b1c1', 'dialog[open]': 0 });
  assert.equal(new URL(page.url()).search, '');
});

const NAMED = '[Black "Ada & Bob"]\n[White "李"]\n\n1. b1-c1 b5-c5';
onPage('the names of the players in a record are shown, sent, stored and written', {}, async (page) => {
  const shown = { '.panel .name': ['Ada & Bob', '李'] };
  await openText(page, NAMED);
  await shows(page, { ...shown, hash: '#view=review&moves=b1c1.b5c5&names=Ada+%26+Bob%0A%E6%9D%8E' });
  await reload(page);
  await click(page, '#tab-play', '#latest');
  await play(page, 'c4-a2');
  await reload(page);
  await shows(page, shown);
  await click(page, '#tab-explore');
  await shows(page, shown);
  await emulate(page, { media: 'print' });
  assert.equal(await page.locator('.panel .name').first().isVisible(), true);
  await emulate(page, {});
  await click(page, '#share-button');
  const record = await read(page, '#share-record');
  assert.match(record, /^\[White "李"\]\n\[Black "Ada & Bob"\]\n.*c4-a2/s);
  await page.keyboard.press('Escape');
  await click(page, '#notes summary', '#study-add', '#to-study');
  await shows(page, { '.study .note': 'Ada & Bob - 李' });
  await reload(page);
  await click(page, '#study-explore');
  await shows(page, shown);
  await openLink(page, '#view=explore&moves=b1c1&names=Ada');
  await click(page, '#notes summary', '#study-add', '#to-study');
  await shows(page, { '.study .note': ['Ada & Bob - 李', 'Ada - White'] });
  await openLink(page, '#view=board&moves=b1c1&names=Ada');
  await click(page, '#flip');
  await shows(page, { '.panel .name': ['White', 'Ada'] });
  await openLink(page, '#');
  await click(page, '#new', '#start-game');
  await shows(page, { '.panel .name': ['You', 'Beginner'] });
});
