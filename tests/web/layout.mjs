// Tests that every view of the page fits screens of many sizes, whatever the only font of the machine is, and is
// accessible. From the environment: as in pages.mjs; THOROUGH is for every size with every font. The fonts are found by
// fc-list; scripts/setup names their packages.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { everywhere, launch, require, resize } from './browser.mjs';
import { THOROUGH, withPage } from './pages.mjs';
import { folder } from './programs.mjs';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
// 720x450 and 360x225 are 1440x900 at 200 % and at 400 %; 320x256 is 1280x1024 at 400 %.
const SIZES = [
  ...'320x568 360x740 568x320 720x450 768x1024 1024x768 2560x1440 360x225 320x256'.split(' '),
  ...(THOROUGH ? '390x844 667x375 844x390 1440x900'.split(' ') : []),
];
const FONTS = ['DejaVu Sans', 'IPAexGothic', 'DejaVu Serif', 'Roboto Condensed'];
const LANGUAGES = ['en', 'ja'];
// The quick test has one language with text of the usual size in light colours, and the other one with the largest text
// in dark colours.
const LOOKS = THOROUGH ? FONTS.flatMap((font) => LANGUAGES.map((language) => [font, language])) : [[FONTS[0], 'en']];
const LARGE_SIZES = '320x568 568x320 390x844 768x1024 844x390 1024x768 1366x768'.split(' ');
const LARGE = [[32, 'ja'], ...(THOROUGH ? [[24, 'en'], [24, 'ja'], [32, 'en']] : [])]; // pixels
// Where no text may be smaller than 24 pixels, a low page scrolls.
const LEAST_SIZES = '360x640 390x844 844x390 768x1024 1280x720'.split(' ');

/** Returns a fontconfig file of a machine that has only the fonts of one family. */
function onlyFont(family) {
  const directory = join(folder, family);
  mkdirSync(directory, { recursive: true });
  execFileSync('sh', ['-c', 'fc-list "$0" --format="%{file}\\n" | xargs -d "\\n" cp -t "$1"', family, directory]);
  const configuration = join(directory, 'fonts.conf');
  writeFileSync(configuration, `<fontconfig><dir>${directory}</dir><cachedir>${directory}</cachedir></fontconfig>`);
  return configuration;
}

/** Describes what exceeds the screen, is cut off, or covers something else. Runs in the page. */
function misplaced(mayScroll) {
  const TOLERANCE = 1; // pixels
  const root = document.querySelector('dialog[open]') ?? document.body;
  const describe = (element) => `${element.closest('[id]')?.id ?? ''}: ${element.outerHTML.slice(0, 120)}`;
  const isBeyond = (inner, outer, side) => {
    const distance = inner[side] - outer[side];
    return side === 'left' || side === 'top' ? distance < -TOLERANCE : distance > TOLERANCE;
  };
  const isInside = (inner, outer, sides) => !sides.some((side) => isBeyond(inner, outer, side));
  /** A function that computes the answer for an element once. */
  const once = (compute) => {
    const known = new Map();
    return (element) => known.get(element) ?? known.set(element, compute(element)).get(element);
  };
  const boxOf = once((element) => element.getBoundingClientRect());
  const overflowOf = once((element) => {
    const { overflowX, overflowY } = getComputedStyle(element);
    return [overflowX, overflowY];
  });
  const isShown = (element) => {
    const isVisible = element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
    return isVisible && !/50%/.test(getComputedStyle(element).clipPath);
  };
  // Letters rarely fill the height of their line, which a font may choose to be large.
  const inked = ({ left, right, top, bottom }) => {
    const margin = (bottom - top) * 0.15;
    return { left, right, top: top + margin, bottom: bottom - margin };
  };

  const items = [];
  /** Adds the part of an element that is not scrolled away. */
  const add = (element, box, isText) => {
    const { left, right } = box;
    let { top, bottom } = box;
    for (let outer = element.parentElement; outer && outer !== document.body; outer = outer.parentElement) {
      const [, down] = overflowOf(outer);
      if (!/auto|scroll/.test(down)) continue;
      const window = boxOf(outer);
      top = Math.max(top, window.top);
      bottom = Math.min(bottom, window.bottom);
    }
    if (top < bottom) items.push({ element, box: { left, right, top, bottom }, isText });
  };
  for (const element of root.querySelectorAll('button, select, input:not([type=radio]), .choice, textarea, .board')) {
    if (isShown(element)) add(element, element.getBoundingClientRect());
  }
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    if (!node.data.trim() || !isShown(element) || element.closest('select, textarea, svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    add(element, inked(range.getBoundingClientRect()), true);
  }

  const found = [];
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth) found.push(`${scrollWidth} pixels are more than the screen has`);
  // So low that the page scrolls; the board then fills the screen.
  const scrolls = mayScroll || matchMedia('(max-height: 29.99em) and (max-width: 31.99em)').matches;
  // The browser of the tests hides scroll bars, which are permanent on desktops.
  if (!scrolls && scrollHeight > innerHeight)
    found.push(`${scrollHeight} pixels are more than the height of the screen`);
  const screen = { left: 0, right: innerWidth };
  for (const { element, box, isText } of items) {
    if (!isInside(box, screen, ['left', 'right'])) found.push(`beyond the screen: ${describe(element)}`);
    const around = isText && element.closest('button, .choice, dialog, .panel, .name');
    if (around && !isInside(box, boxOf(around), ['left', 'right']))
      found.push(`wider than what is around it: ${describe(element)}`);
    for (let outer = element.parentElement; outer; outer = outer.parentElement) {
      const [across, down] = overflowOf(outer).map((overflow) => /hidden|clip/.test(overflow));
      if (across && !isInside(box, boxOf(outer), ['left', 'right'])) found.push(`cut off across: ${describe(element)}`);
      if (down && !isInside(box, boxOf(outer), ['top', 'bottom'])) found.push(`cut off down: ${describe(element)}`);
    }
  }
  for (const [i, a] of items.entries()) {
    for (const b of items.slice(i + 1)) {
      if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
      const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (width > TOLERANCE && height > TOLERANCE) found.push(`${describe(a.element)} covers ${describe(b.element)}`);
    }
  }
  for (const pill of root.querySelectorAll('.pill')) {
    const [outside, sign, text] = [...pill.children].map((part) => part.getBoundingClientRect());
    if (!isInside(text, { left: sign.right, right: outside.right }, ['left', 'right']))
      found.push(`wider than its pill: ${describe(pill)}`);
  }
  for (const label of root.querySelectorAll('.menu .switch')) {
    const range = document.createRange();
    range.selectNodeContents(label.firstElementChild);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
    if (lines.size > 2) found.push(`on ${lines.size} lines: ${describe(label)}`);
  }
  for (const text of root.querySelectorAll('.rules p')) {
    const ems = text.getBoundingClientRect().width / Number.parseFloat(getComputedStyle(text).fontSize);
    if (ems && ems < 7) found.push(`too narrow for its words: ${describe(text)}`);
  }
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  for (const { clientHeight } of root.querySelectorAll('#start .rest')) {
    if (clientHeight < 3.9 * rem) found.push(`of what is chosen for a game, only ${clientHeight} pixels are seen`);
  }
  const start = root.querySelector('#start .main')?.getBoundingClientRect();
  if (start?.bottom > innerHeight) found.push(`the button to start ends at ${start.bottom}, below the screen`);
  const status = document.querySelector('.status');
  if (status.scrollHeight > status.clientHeight + TOLERANCE)
    found.push(`of the status, ${status.scrollHeight - status.clientHeight} pixels are scrolled away`);
  const board = document.querySelector('.board').getBoundingClientRect();
  const panel = document.querySelector('.panel').getBoundingClientRect();
  for (const button of scrolls ? [] : root.querySelectorAll('.sheet .actions button')) {
    const box = button.getBoundingClientRect();
    if (!isInside(box, panel, ['top', 'bottom'])) found.push(`scrolled away: ${describe(button)}`);
  }
  if (board.width < (scrolls ? 200 : 260)) found.push(`the board has ${board.width} pixels only`);
  if (board.height > innerHeight) found.push(`the board has ${board.height} pixels, more than the screen`);
  if (!scrolls && board.top < 0) found.push(`the board begins at ${board.top}, above the screen`);
  if (!scrolls && board.bottom > innerHeight + TOLERANCE)
    found.push(`the board ends at ${board.bottom}, below the screen`);
  return found;
}

/**
 * What is wrong with what is shown: texts or punctuation of the other language, controls too small for a finger, and
 * what axe finds. Runs in the page.
 */
async function unusable([lang, axeToo]) {
  const found = [];
  const names = /Neutreeko|SVG|PNG|Delete|Chrome|Edge|Firefox|Safari/g;
  const other = lang === 'ja' ? /[A-Za-z]{3}|[,:] / : /[\u3040-\u30ff\u4e00-\u9fff]/;
  const texts = [...document.querySelectorAll('[aria-label]')].map((element) => element.ariaLabel);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const skipped = 'script, noscript, style, [lang]:not(html), #notation, .printed, kbd, textarea, input';
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.closest(skipped)) texts.push(node.data);
  }
  for (const text of texts) {
    if (other.test(text.replace(names, ''))) found.push(`another language: ${text}`);
  }
  for (const control of document.querySelectorAll('button, select, summary, .choice, [type=range]')) {
    const { width, height } = control.getBoundingClientRect();
    if (width && Math.min(width, height) < 44) found.push(`too small: ${control.outerHTML.slice(0, 60)}`);
  }
  const { violations } = axeToo ? await globalThis.axe.run({ resultTypes: ['violations'] }) : { violations: [] };
  for (const { id, nodes } of violations) {
    for (const { html, failureSummary } of nodes) found.push(`${id}: ${html.slice(0, 200)} ${failureSummary}`);
  }
  return found;
}

/** Looks at all views, and returns what is wrong, by view and size. */
async function lookAround(page, context, number, language, sizes = SIZES, mayScroll = false) {
  const found = {};
  const session = await context.newCDPSession(page);
  await page.keyboard.press('Escape');
  await page.evaluate(axe);
  let looks = number;
  // Of the quick looks, some see a view in each size, and some by axe.
  await everywhere(page, async (what) => {
    looks++;
    for (const size of sizes.filter((_, i) => THOROUGH || (i + looks) % 3 === 0)) {
      await resize(session, size);
      const findings = await page.evaluate(misplaced, mayScroll);
      if (findings.length) found[`${what}, ${size}`] = findings;
    }
    const findings = await page.evaluate(unusable, [language, THOROUGH || looks % 3 === 0]);
    if (findings.length) found[what] = findings;
  });
  return found;
}

for (const [number, [font, language]] of LOOKS.entries())
  test(`every view fits every screen and is accessible with ${font}: ${language}`, async () => {
    const browser = await launch({ env: { ...process.env, FONTCONFIG_FILE: onlyFont(font) } });
    const colorScheme = number % 2 ? 'dark' : 'light';
    const looks = { drawn: true, locale: language, media: { colorScheme } };
    const setup = { browser, ...looks, settings: { values: true }, players: null };
    const use = async (page, context) => assert.deepEqual(await lookAround(page, context, number, language), {});
    await withPage(setup, use).finally(() => browser.close());
  });

for (const [number, [pixels, language]] of LARGE.entries())
  test(`every view fits every screen with text of ${pixels} pixels: ${language}`, async () => {
    const env = { ...process.env, FONTCONFIG_FILE: onlyFont(FONTS[(number + 1) % 2]) };
    const colorScheme = number % 2 ? 'light' : 'dark';
    const browser = await launch({ env, args: [`--blink-settings=defaultFontSize=${pixels}`] });
    const looks = { drawn: true, locale: language, media: { colorScheme } };
    const setup = { browser, ...looks, settings: { values: true }, players: null };
    const use = async (page, context) =>
      assert.deepEqual(await lookAround(page, context, number + 1, language, LARGE_SIZES), {});
    await withPage(setup, use).finally(() => browser.close());
  });

test('every view fits every screen where no text is smaller than 24 pixels', async () => {
  const browser = await launch({ args: ['--blink-settings=minimumFontSize=24'] });
  const setup = { browser, drawn: true, settings: { values: true }, players: null };
  const use = async (page, context) =>
    assert.deepEqual(await lookAround(page, context, 0, 'en', LEAST_SIZES, true), {});
  await withPage(setup, use).finally(() => browser.close());
});
