// Tests of what depends on the device: its screen, what points at it, its colours, its language, and paper. From the
// environment: as in pages.mjs.

import assert from 'node:assert/strict';

import {
  appears, beginDrag, boxOf, click, dragMove, emulate, onPage, openLink, PAGE, press, reload, shows, squareOf,
  tapSquares,
} from './pages.mjs';

/** The setup of a touch screen, whose user is new. */
const newcomer = { settings: null, players: null, size: [390, 844], hasTouch: true };
const toReview = '#view=review&moves=b1c1.b5c5.c4a2.c5a3.a2b1';

/** A property of the computed style of the first element. */
const styleOf = (page, selector, property) =>
  page.locator(selector).first().evaluate((element, name) => getComputedStyle(element)[name], property);

/** Releases a piece on the way. */
async function flickMove(page, move) {
  await beginDrag(page, move, 0.3);
  await page.mouse.up();
}

const fresh = { fresh: true };
onPage('a tap on the piece that the introduction has picked up does not put it down', newcomer, async (page) => {
  await tapSquares(page, 'b1', 'b4');
  await shows(page, { '#headline': /^Three in a row wins/ });
  await tapSquares(page, 'd1', 'd4');
  await shows(page, { '#headline': 'White threatens b4-a3. Stop it!' });
  await openLink(page, '#view=editor');
  await shows(page, { '#view .note': 'Choose a piece, then select squares.' });
});

onPage('on a low screen, the start sheet opens at its top', { players: null, size: [844, 390] }, async (page) => {
  const { top, bottom } = await page.evaluate(() => {
    const boxOf = (selector) => document.querySelector(selector).getBoundingClientRect();
    return { top: boxOf('#dialog-title').top, bottom: boxOf('#start-game').bottom };
  });
  assert.ok(top >= 0, `the title begins at ${top}`);
  assert.ok(bottom <= 390, `the button ends at ${bottom}`);
});

onPage('on a wide screen, the start sheet covers the panel', { players: null, size: [1366, 768] }, async (page) => {
  const [sheet, panel] = await page.evaluate(() =>
    ['#start', '.panel'].map((selector) => {
      const { left, right } = document.querySelector(selector).getBoundingClientRect();
      return [left, right].map(Math.round);
    }));
  assert.deepEqual(sheet, panel);
});

onPage('on a tablet, the board has most of the width, and the panel a fifth of the height', { size: [768, 1024] },
  async (page) => {
    const [board, panel] = await Promise.all(['.board', '.panel'].map((name) => boxOf(page, name)));
    assert.ok(board.width >= 0.8 * 768, `the board has ${board.width} pixels`);
    assert.ok(panel.height >= 1024 / 5, `the panel has ${panel.height} pixels`);
  });

onPage('where only text is enlarged, a headline has room for its words', { size: [360, 640] },
  async (page) => {
    await page.evaluate(() => { document.documentElement.style.fontSize = '200%'; });
    const { width } = await boxOf(page, '#headline');
    assert.ok(width > 100, `the headline has ${width} pixels`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.evaluate(() => { document.documentElement.style.fontSize = ''; }); // for the next test
  });

onPage('a second finger leaves a piece to the first one', { size: [390, 844], hasTouch: true }, async (page) => {
  const session = await page.context().newCDPSession(page);
  const on = async (name, id) => {
    const { x, y, width, height } = await boxOf(page, squareOf(name));
    return { x: x + width / 2, y: y + height / 2, id };
  };
  const touch = async (type, ...points) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: await Promise.all(points) });
  await touch('touchStart', on('b1', 0));
  await touch('touchMove', on('c2', 0));
  await shows(page, { '.lifted .piece': 1 });
  await touch('touchStart', on('c2', 0), on('d1', 1));
  await touch('touchMove', on('c1', 0), on('d1', 1));
  await touch('touchEnd');
  await shows(page, { moves: 'b1-c1', '.lifted .piece': 0 });
  await touch('touchStart', on('b5', 0));
  await touch('touchMove', on('c4', 0));
  await shows(page, { '.lifted .piece': 1 });
  await touch('touchCancel');
  await shows(page, { moves: 'b1-c1', '.lifted .piece': 0 });
});

/** Checks the language, and whether the page and the browser's own parts around it are light or dark. */
async function looks(page, language, theme) {
  const [lang, title, ...colours] = await page.evaluate(() => [
    document.documentElement.lang,
    document.title,
    getComputedStyle(document.body).backgroundColor,
    document.querySelector('[name=theme-color]').content,
  ]);
  const themeOf = (colour) => (Number(colour.match(/\d+/)[0]) > 128 ? 'light' : 'dark');
  assert.deepEqual([lang, title], [language, language === 'ja' ? 'ニュートリーコ' : 'Neutreeko']);
  assert.deepEqual(colours.map(themeOf), [theme, theme], `${colours}`);
}

const japanese = { media: { colorScheme: 'dark' }, locale: 'ja-JP', fresh: true };
onPage('language and theme are those of the device until the user chooses', japanese, async (page) => {
  await looks(page, 'ja', 'dark');
  await shows(page, { '[aria-label=盤]': 1 });
  await click(page, '#menu-button', '#theme-button', '#language-button');
  await looks(page, 'en', 'light');
  await shows(page, { '[aria-label=Board]': 1 });
  await reload(page);
  for (const colorScheme of ['light', 'dark']) {
    await emulate(page, { colorScheme });
    await page.evaluate(() => new Promise((report) => requestAnimationFrame(report))); // after listeners
  }
  await looks(page, 'en', 'light');
  await click(page, '#menu-button', '#theme-button', '#theme-button'); // dark, and that of the device again
  await looks(page, 'en', 'dark');
  await shows(page, { '#theme-button': 'Theme: system' });
  await emulate(page, { colorScheme: 'light' });
  const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await appears(page, `[name=theme-color][content="${colour}"]`);
  await looks(page, 'en', 'light');
});

for (const colorScheme of ['light', 'dark']) {
  const forced = { media: { forcedColors: 'active', colorScheme } };
  onPage(`pieces are black and white in forced ${colorScheme} colours`, forced, async (page) => {
    assert.equal(await styleOf(page, '.black .body', 'fill'), 'rgb(0, 0, 0)');
    assert.equal(await styleOf(page, '.white .body', 'fill'), 'rgb(255, 255, 255)');
  });
}

onPage('the board, the marked moves, the graph and the address are printed', { hash: toReview }, async (page) => {
  await shows(page, { '.entry': 5 });
  await emulate(page, { media: 'print' });
  const seen = (selector) => page.locator(selector).first().isVisible();
  for (const selector of ['.board', '.moves .mark', '.graph .bar', '.printed'])
    assert.ok(await seen(selector), selector);
  for (const selector of ['.tabs', '.bar', '#menu-button', '#next-mistake', '.kept .note'])
    assert.equal(await seen(selector), false, selector);
  await shows(page, { '.printed': `${PAGE}\nPosition: 1w1w1/2b2/5/2w2/2bb1 w` }); // where the review opens
  assert.equal(await styleOf(page, '.graph .disc', 'printColorAdjust'), 'exact');
  const [panel, moves] = await page.evaluate(() =>
    ['.panel', '.moves'].map((selector) => document.querySelector(selector).getBoundingClientRect().bottom));
  assert.ok(moves <= panel, `the moves end at ${moves}, the panel at ${panel}`);
  await openLink(page, '#view=explore');
  await shows(page, { '.chip.best': 2 });
  assert.equal(await styleOf(page, '.chip.best', 'printColorAdjust'), 'exact'); // its letters are white
});

const toResult = { hash: toReview.replace('view=review', 'view=play') };
onPage('the sheet that starts a game and the buttons of a result are not printed', toResult, async (page) => {
  await emulate(page, { media: 'print' });
  assert.ok(await page.isVisible('.sheet'));
  assert.equal(await page.locator('.sheet button').filter({ visible: true }).count(), 0);
  await emulate(page, {});
  await click(page, '#close-result', '#new');
  await emulate(page, { media: 'print' });
  assert.equal(await page.isVisible('#start'), false);
});

onPage('a piece that is dragged off the board stays in sight', {}, async (page) => {
  await beginDrag(page, 'b1-b4', 0.5);
  await page.mouse.move(5, 690, { steps: 3 });
  const [board, piece] = [await boxOf(page, '.board'), await boxOf(page, '.dragged .body')];
  const middle = piece.y + piece.height / 2;
  assert.ok(middle <= board.y + board.height + 1, `${middle} is below ${board.y + board.height}`);
  await page.mouse.up();
});

onPage('values have a legend, and keys, which can be off, are listed where there is a keyboard', {}, async (page) => {
  await press(page, 'b'); // plays the best move only where values are shown
  await click(page, '#menu-button', '#values', '#close');
  await shows(page, { moves: '', '#view': /W 7 means that the side to move wins in 7 moves/ });
  await press(page, 'b', '?');
  await shows(page, { moves: 'b1-c1', 'details[open] .keys': 1 });
  await click(page, '#keys');
  await press(page, 'Escape', '?');
  await shows(page, { '#help': 0 });
});

onPage('forced colours hide nothing', { hash: '#view=editor', media: { forcedColors: 'active' } }, async (page) => {
  for (const [style, one, other] of [
    ['fill', '.tile', '.black .body'],
    ['backgroundImage', '#headline .disc', '.disc.white'],
    ['outlineStyle', '.choice input:checked + span', '.choice input:not(:checked) + span'],
  ]) {
    assert.notEqual(await styleOf(page, one, style), await styleOf(page, other, style), style);
  }
  await shows(page, { '#view .note': 'Choose a piece, then select squares. Or press B, W or Delete on a square.' });
  await click(page, '#menu-button');
  assert.notEqual(await styleOf(page, 'dialog[open]', 'borderTopWidth'), '0px');
});

onPage('pieces are dragged and flicked, and slide unless the user prefers reduced motion', fresh, async (page) => {
  await page.evaluate(() => {
    globalThis.slides = 0;
    document.addEventListener('transitionrun', ({ target }) => {
      globalThis.slides += target.matches('.piece');
    });
  });
  await click(page, '#flip');
  // A busy machine may be too slow for a flick, which is measured by the times of events.
  const setTime = (time) => page.evaluate((now) =>
    void Object.defineProperty(Event.prototype, 'timeStamp', { get: () => now, configurable: true }), time);
  await setTime(1000);
  await beginDrag(page, 'b1-c1', 3);
  await page.mouse.up(); // too far for a flick
  await shows(page, { moves: '', '#spoken': 'b1 can\u2019t move to e1.' });
  await flickMove(page, 'b1-b4');
  await dragMove(page, 'b5-c5');
  await shows(page, { moves: 'b1-b4 b5-c5', '#spoken': /^White: b5 to c5\. Black to move/ });
  await beginDrag(page, 'b4-b1', 0.1);
  await setTime(1301);
  await page.mouse.up(); // it is put back
  await shows(page, { '#spoken': /selected/ });
  await beginDrag(page, 'b4-b1', 0.3);
  await setTime(1602);
  await page.mouse.up(); // too late for a flick: the piece remains picked up
  await shows(page, { moves: 'b1-b4 b5-c5', '#spoken': 'b4 can\u2019t move to b3.' });
  assert.equal(await page.evaluate(() => globalThis.slides), 0);
  await emulate(page, { reducedMotion: 'no-preference' });
  await click(page, squareOf('b1'));
  await page.waitForFunction(() => globalThis.slides);
  await emulate(page, {});
});
