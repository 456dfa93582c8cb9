// Tests of what leaves the page and comes back to it: pictures of positions. From the environment: as in pages.mjs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { click, linkTo, onPage, shows, START } from './pages.mjs';

const SIDE = 528; // of the picture of a board of 5x5: its squares, 100 wide, and an edge of 14
const SQUARES = { black: ['b1', 'c4', 'd1'], white: ['b5', 'c2', 'd5'] };

/** Clicks on a button that saves a file. Returns its name and its bytes. */
async function saved(page, selector) {
  const [download] = await Promise.all([page.waitForEvent('download'), click(page, selector)]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

async function savedPicture(page, kind) {
  await click(page, '#share-button');
  return saved(page, `#picture-${kind}`);
}

/** The squares of the discs with a colour, in a picture with White at the top. */
function squaresOf(svg, colour) {
  const pieces = svg.matchAll(/<g transform="translate\((\d+) (\d+)\)">(.*?)<\/g>/g);
  const found = [...pieces].filter(([, , , shapes]) => shapes.includes(`r="35" fill="${colour}"`));
  return found.map(([, x, y]) => `${'abcde'[(x - 64) / 100]}${5 - (y - 64) / 100}`).sort();
}

onPage('a saved SVG has the pieces of both sides on their squares', {}, async (page) => {
  const { name, bytes } = await savedPicture(page, 'svg');
  const svg = bytes.toString();
  assert.equal(name, '1w1w1-2b2-5-2w2-1b1b1-b.svg');
  assert.deepEqual({ black: squaresOf(svg, '#2b2d33'), white: squaresOf(svg, '#fffdf7') }, SQUARES);
});

onPage('a saved SVG needs no style of the page', { colorScheme: 'dark' }, async (page) => {
  const { bytes } = await savedPicture(page, 'svg');
  assert.doesNotMatch(bytes.toString(), /class=|style=|var\(|light-dark|color\(/);
});

onPage('a saved SVG has the values only if that is switched on', { hash: linkTo('explore', START) }, async (page) => {
  await click(page, '#share-button', '#picture-values');
  const { bytes } = await saved(page, '#picture-svg');
  await click(page, '#picture-values');
  const { bytes: bare } = await saved(page, '#picture-svg');
  const labels = (svg) => svg.toString().match(/>[WDL]( \d+)?</g)?.length ?? 0;
  assert.deepEqual([labels(bytes), labels(bare)], [14, 0]);
});

onPage('a saved SVG has the circles and arrows', { hash: '#view=explore&notes=0+c3.a1b2+' }, async (page) => {
  const { bytes } = await savedPicture(page, 'svg');
  const drawn = bytes.toString().match(/<(circle|path) [^>]*stroke="#8b2f97"/g).map((tag) => tag.slice(1, 5));
  assert.deepEqual(drawn, ['circ', 'path', 'path']);
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

onPage('a saved PNG has twice the size of the SVG, and its pieces', {}, async (page) => {
  const { bytes } = await savedPicture(page, 'png');
  const middle = (square) => [2 * (64 + 100 * 'abcde'.indexOf(square[0])), 2 * (64 + 100 * (5 - square[1]))];
  const points = ['c4', 'c2', 'a3'].map(middle);
  const { size, blue } = await page.evaluate(measure, [bytes.toString('base64'), points]);
  assert.deepEqual(size, [2 * SIDE, 2 * SIDE]);
  const [black, white, empty] = blue;
  assert.equal(black < 80 && white > 230 && empty > 200 && empty < 225, true, `blue: ${blue}`);
});

onPage('the picture is copied as a PNG', {}, async (page, context) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await click(page, '#share-button', '#picture-copy');
  await shows(page, { '#spoken': 'Copied' });
  const types = await page.evaluate(async () => (await navigator.clipboard.read()).map((item) => item.types));
  assert.deepEqual(types, [['image/png']]);
});

onPage('a picture that cannot be copied is reported', {}, async (page) => {
  await page.evaluate(() => {
    navigator.clipboard.write = () => Promise.reject(new DOMException('denied', 'NotAllowedError'));
  });
  await click(page, '#share-button', '#picture-copy');
  await shows(page, { '#share .wrong:not([hidden])': 'The browser does not allow copying.' });
});

onPage('a picture of another board has its size', { hash: '#board=4x4/3' }, async (page) => {
  await shows(page, { '#board-name': /^4×4/ });
  const { bytes } = await savedPicture(page, 'svg');
  assert.match(bytes.toString(), /^<svg [^>]*viewBox="0 0 428 428"/);
});
