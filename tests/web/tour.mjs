// Tours of the page. tour.txt has, after each thing that is done (">"), what that changes on the page as it is seen or
// heard: lines that go ("-") and lines that come ("+"). Where none or many go, the line before says where. Nothing else
// may change. "#" begins a tour, with what withPage() is given; no opponent is to move there.
//
// To add to a tour, write what is done and run the test. It fails, and names a file with what the page has shown: read
// that, and if it is right, have it replace tour.txt. From the environment: as in pages.mjs.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { inflateRawSync } from 'node:zlib';

import { PATIENCE } from './browser.mjs';
import { click, fill, NEUTREEKO_HTML, openLink, play, press, print, reload, select, withPage } from './pages.mjs';

const RECORDED = fileURLToPath(new URL('tour.txt', import.meta.url));
const FOUND = join(dirname(NEUTREEKO_HTML), 'failures', 'tour.txt');
const MOST_REMOVED = 2; // lines in one place; of more, only the number is written, after the line before them

/** What can be done, by its first word. */
const ACTIONS = {
  open: openLink,
  back: (page) => page.evaluate(() => history.back()),
  async reload(page) {
    await reload(page);
    await page.evaluate(foresee);
  },
  click,
  play: (page, moves) => play(page, ...moves.split(' ')),
  press: (page, keys) => press(page, ...keys.split(' ')),
  choose: (page, rest) => select(page, ...rest.split(' ')),
  type(page, rest) {
    const [selector] = rest.split(' ', 1);
    return fill(page, selector, rest.slice(selector.length + 1));
  },
  print,
};

/**
 * Has the page choose the same at random in each run, and forget what was spoken if its values came late. Runs in the
 * page, which has just been loaded.
 */
function foresee() {
  document.getElementById('spoken').textContent = '';
  let state = 1;
  const next = () => (state = (state * 48271) % 2147483647);
  Math.random = () => next() / 2147483647;
  crypto.getRandomValues = (numbers) => numbers.fill(next());
}

/**
 * What is shown, a line for each element that says anything: its name, states and text. A row of the board is a line,
 * in which "*" is a piece that can move and "!" one that is selected, and which has what is drawn on each square. Runs
 * in the page.
 */
function describe() {
  const INLINE = '.pill text, span:not([id], :has(button)), b, small, kbd, em, strong, bdi, br, wbr';
  const DRAWN = ['transform', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'width', 'height', 'd', 'data-move',
    'aria-label'];
  const ALIKE = '.top, button svg, summary svg, .pieces, .pill path, .pill rect, defs, .frame, .rim, .inset, ' +
    '.coordinate, .tile ~ .tile, #qr';
  const ONE_LINE = '.tabs, .views, .bar-group, .lines, .pills, .drawn, .preview, .winning, fieldset, tr, dl, ' +
    '.values, .lessons, .steps, .moves li, .diagram, .share, .column';
  const SILENT = ['class', 'id', 'type', 'for', 'role', 'tabindex', 'rows', 'min', 'max', 'name', 'style',
    'aria-live', 'aria-hidden', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-haspopup'];
  const plain = (text) => text.replaceAll(location.origin, 'SITE').replace(/\u2060/g, '').replace(/\u2013/g, '-')
    .replace(/\s+/g, ' ').trim();
  const lines = [`title ${document.title}`, `address ${location.hash || 'without anything'}`];

  const isIn = (cell) => (piece) => {
    const [box, { left, right, top, bottom }] = [cell.getBoundingClientRect(), piece.getBoundingClientRect()];
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return box.left < x && x < box.right && box.top < y && y < box.bottom;
  };
  const cellText = (cell, drawn) => {
    const mark = cell.ariaSelected === 'true' ? '!' : cell.matches('.movable') ? '*' : '';
    const said = cell.ariaLabel.replace(/, empty| piece/g, '').replace(',', '');
    const [pieces, tiles] = ['.piece', '.tile'].map((kind) =>
      drawn.filter((one) => one.matches(kind)).filter(isIn(cell)).flatMap(({ classList }) => [...classList].slice(1)));
    const unsaid = pieces.filter((name) => !said.includes(name));
    return [mark + said, ...unsaid, ...tiles.map((name) => `(${name})`)].join(' ');
  };
  const isSaid = (element, { name, value }) => {
    if (element instanceof SVGElement) return DRAWN.includes(name);
    return !SILENT.includes(name) && value !== 'false' && !(name === 'title' && value === element.ariaLabel);
  };
  const statesOf = (element) => {
    const attributes = [...element.attributes].filter((one) => isSaid(element, one));
    const states = attributes.map(({ name, value }) => (value ? `${name}=${value}` : name));
    if (element.checked) states.push('checked');
    if (element.matches('input:not([type=radio], [type=checkbox]), textarea, select'))
      states.push(`value=${element.value.replaceAll('\n', '\\n')}`);
    if (element.matches('button:focus, input:focus, select:focus, textarea:focus')) states.push('focused');
    return states;
  };
  const isInline = (node) => node.nodeType === Node.TEXT_NODE || (node instanceof Element && node.matches(INLINE));
  const walk = (element) => {
    const isShown = element.checkVisibility({ visibilityProperty: true });
    if (element.matches(ALIKE) || (!isShown && getComputedStyle(element).display !== 'contents')) return;
    if (element.matches('[role=row]')) {
      const drawn = [...document.querySelectorAll('#board .piece, #board .tile')];
      lines.push(`row ${[...element.children].map((cell) => cellText(cell, drawn)).join(' | ')}`);
      return;
    }
    const first = lines.length;
    const text = plain([...element.childNodes].filter(isInline).map((node) => node.textContent).join(''));
    const states = statesOf(element);
    if (text || states.length > 0 || element.matches('button')) {
      const classes = [...element.classList].map((one) => `.${one}`).join('');
      const name = element.localName + (element.id && `#${element.id}`) + classes;
      lines.push(plain([name, ...states.map((state) => `[${state}]`), text].join(' ')));
    }
    for (const child of element.children) if (!child.matches(INLINE)) walk(child);
    if (element.matches(ONE_LINE) && lines.length > first) lines.push(lines.splice(first).join(' | '));
  };
  for (const child of document.body.children) walk(child);
  return lines;
}

/** A line with what the link of a study has: browsers need not compress it in the same way. */
const unpack = (line) => line.replace(/study=([\w-]{20,})/, (_, packed) =>
  `study=${JSON.stringify(JSON.parse(inflateRawSync(Buffer.from(packed, 'base64url'))))}`);

/** How a list of lines became another one: what goes and what comes, and if needed the line before it. */
function changes(a, b) {
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  const written = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; i++, j++) {
    const [first, other] = [i, j];
    while (a[i] !== b[j])
      if (j === b.length || (i < a.length && common[i + 1][j] >= common[i][j + 1])) i++;
      else j++;
    const [goes, comes] = [a.slice(first, i), b.slice(other, j)];
    const isPlaced = goes.length > 0 && goes.length <= MOST_REMOVED;
    if (first && !isPlaced && (goes.length || comes.length)) written.push(`  ${a[first - 1]}`);
    if (goes.length > MOST_REMOVED) written.push(`- ${goes.length} lines`);
    else written.push(...goes.map((line) => `- ${line}`));
    written.push(...comes.map((line) => `+ ${line}`));
  }
  return written;
}

/** The tours: their titles, which are a name and a setup, and their steps: what is done, and what that changes. */
function readTours(text) {
  const tours = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('# ')) {
      const [, name, setup] = /^# ([^{]*)(.*)$/.exec(line);
      tours.push({ title: line, name: name.trim(), setup: JSON.parse(setup || '{}'), steps: [] });
    } else if (line.startsWith('> ')) tours.at(-1).steps.push({ action: line.slice(2), expected: [] });
    else if (line) tours.at(-1).steps.at(-1).expected.push(line);
  }
  return tours;
}

/**
 * Waits until a page has changed as expected, or shows the same for a while, which is short if anything has differed
 * before. Returns what it shows, and how it has changed.
 */
async function shownAfter(page, before, expected, hasDiffered) {
  for (let now, since; ; await sleep(20)) {
    const shown = (await page.evaluate(describe)).map(unpack);
    const found = changes(before, shown);
    if (!isDeepStrictEqual(shown, now)) [now, since] = [shown, Date.now()];
    const isOver = Date.now() - since > (hasDiffered ? 1000 : PATIENCE / 4);
    if (isOver || isDeepStrictEqual(found, expected)) return { shown, found };
  }
}

/** Does what the steps of a tour say, and sets what they were found to change. */
async function take(page, steps) {
  let before = [];
  let hasDiffered = false;
  for (const step of steps) {
    const { action, expected } = step;
    const [verb] = action.split(' ', 1);
    await ACTIONS[verb](page, action.slice(verb.length + 1));
    const { shown, found } = await shownAfter(page, before, expected, hasDiffered);
    step.found = found;
    hasDiffered ||= !isAsExpected(step);
    before = shown;
  }
}

const isAsExpected = ({ expected, found = expected }) => isDeepStrictEqual(found, expected);

const tours = readTours(readFileSync(RECORDED, 'utf8'));

for (const { name, setup, steps } of tours)
  test(`a tour: ${name}`, () => withPage({ date: '2026-11-30', ...setup }, async (page) => {
    await page.evaluate(foresee);
    await take(page, steps);
    const differing = steps.filter((step) => !isAsExpected(step));
    const described = differing.flatMap(({ action, expected, found }) => [action, ...changes(expected, found)]);
    assert.ok(!differing.length, `${FOUND} has what the page shows:\n${described.join('\n')}`);
  }));

after(() => {
  if (tours.every(({ steps }) => steps.every(isAsExpected))) return;
  const written = ({ action, expected, found }) => [`> ${action}`, ...(found ?? expected)];
  const lines = tours.flatMap(({ title, steps }) => [title, ...steps.flatMap(written)]);
  mkdirSync(dirname(FOUND), { recursive: true });
  writeFileSync(FOUND, `${lines.join('\n')}\n`);
});
