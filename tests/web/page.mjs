// Tests of the page in Chromium, compared with the programs of the command line.
// From the environment: NEUTREEKO_HTML (the page), NEUTREEKO, NEUTREEKO_SEAL (programs), NEUTREEKO_TABLE
// (perfect_move.dat), NODE_MODULES (a directory with playwright-core and axe-core) and CHROMIUM as in browser.mjs.
//
// Every page that a test opens must cause no error, no warning and no request except for itself.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { launch, require } from './browser.mjs';

const { NEUTREEKO, NEUTREEKO_SEAL, NEUTREEKO_HTML, NEUTREEKO_TABLE } = process.env;
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const PATIENCE = 60000; // milliseconds; only a page that hangs takes so long
const MOST_BYTES = 350000;
const START = '1w1w1/2b2/5/2w2/1b1b1 b';
const PAGE = pathToFileURL(NEUTREEKO_HTML).href;
const VIEWS = ['play', 'review', 'puzzle', 'editor'];
const PEOPLE = { black: 'human', white: 'human' };

let browser;
let server;
let folder;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'neutreeko-'));
  browser = await launch();
  server = createServer((request, response) => {
    const found = request.url === '/neutreeko.html';
    response
      .writeHead(found ? 200 : 404, { 'content-type': 'text/html' })
      .end(found ? readFileSync(NEUTREEKO_HTML) : '');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
});

after(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

// ---- the programs ----

function native(input, ...args) {
  return execFileSync(NEUTREEKO, [...args, `--table=${NEUTREEKO_TABLE}`], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
}

const jsonLines = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** What `neutreeko query` prints about positions. */
const query = (...positions) => jsonLines(native(positions.join('\n'), 'query', '--json', '-'));

/** The same for positions that may be illegal: these have an error, and the program fails in the end. */
function answers(positions) {
  try {
    return query(...positions);
  } catch (error) {
    return jsonLines(error.stdout);
  }
}

/** Random numbers that are the same in every run. */
function randomNumbers(seed) {
  return (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
}

// ---- a page ----

/** Opens the page, passes it to `use`, and checks that it caused no error, warning or request. */
async function withPage(
  {
    url = PAGE,
    hash = '',
    settings,
    width = 1280,
    height = 900,
    colorScheme = 'light',
    locale = 'en-US',
    touch = false,
    motion = 'reduce',
    prepare,
    loads = true,
  } = {},
  use,
) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    locale,
    hasTouch: touch,
    reducedMotion: motion,
  });
  context.setDefaultTimeout(PATIENCE);
  const noise = [];
  context.on('console', (message) => noise.push(`console: ${message.text()}`));
  context.on('weberror', (error) => noise.push(`error: ${error.error().stack}`));
  context.on('request', (request) => {
    if (!request.isNavigationRequest() && !request.url().startsWith('data:')) noise.push(`request: ${request.url()}`);
  });
  try {
    const page = await context.newPage();
    if (settings)
      await page.addInitScript((stored) => {
        localStorage.neutreeko ??= JSON.stringify(stored);
      }, settings);
    if (prepare) await page.addInitScript(prepare);
    await page.goto(url + hash);
    if (loads) await ready(page);
    await use(page, context);
    assert.deepEqual(noise, []);
  } finally {
    await context.close();
  }
}

const ready = (page) => page.waitForSelector('#app:not([hidden])');
const square = (page, name) => page.locator(`[data-square=${name}]`);
const headline = (page) => page.locator('#headline').innerText();
const plain = (text) => text.replace(/\u2060/g, '').replace(/\u2013/g, '-');
const moves = async (page) =>
  (await page.locator('.panel [role=tabpanel]:not([hidden]) .moves .ply:not([data-key=ply0])').allInnerTexts()).map(
    (text) => plain(text).slice(0, 5),
  );

/** The position on the board, read from the labels for screen readers. */
async function position(page, side) {
  const labels = await page.$$eval('[role=gridcell]', (cells) => cells.map((cell) => cell.getAttribute('aria-label')));
  const pieces = new Map(
    labels.map((label) => [label.slice(0, 2), /black piece/.test(label) ? 'b' : /white piece/.test(label) ? 'w' : '1']),
  );
  assert.equal(pieces.size, 25);
  const ranks = [5, 4, 3, 2, 1].map((rank) =>
    [...'abcde']
      .map((file) => pieces.get(file + rank))
      .join('')
      .replace(/1+/g, (ones) => ones.length),
  );
  return `${ranks.join('/')} ${side}`;
}

async function clickMove(page, move) {
  const [from, to] = move.split('-');
  await square(page, from).click();
  await square(page, to).click();
}

async function dragMove(page, move) {
  const [from, to] = await Promise.all(
    move.split('-').map(async (name) => {
      const box = await square(page, name).boundingBox();
      return [box.x + box.width / 2, box.y + box.height / 2];
    }),
  );
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
  await page.mouse.move(...to, { steps: 3 });
  await page.mouse.up();
}

async function playAll(page, list) {
  for (const [ply, move] of list.entries()) {
    await clickMove(page, move);
    await page.waitForFunction(
      (count) => document.querySelectorAll('#view-play .moves .ply:not(.undone)').length === count + 2,
      ply,
    );
  }
}

/** Waits until it is the user's turn or the game is over. Returns false if it is over. */
async function myTurn(page, side) {
  const text = await page.waitForFunction((turn) => {
    const shown = document.querySelector('#headline').textContent;
    return (shown === turn || /wins|Draw/.test(shown)) && shown;
  }, `${side} to move`);
  return (await text.jsonValue()) === `${side} to move`;
}

async function useKeys(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

// ---- loading ----

test('the page is one file of at most 350 kB', () => {
  assert.ok(statSync(NEUTREEKO_HTML).size <= MOST_BYTES, `${statSync(NEUTREEKO_HTML).size} bytes`);
});

test('it plays from http:// as well', async () => {
  await withPage(
    { url: `http://127.0.0.1:${server.address().port}/neutreeko.html`, settings: PEOPLE },
    async (page) => {
      await playAll(page, ['b1-c1', 'b5-c5']);
      assert.match(page.url(), /#moves=b1c1\.b5c5$/);
      await page.reload();
      await ready(page);
      assert.deepEqual(await moves(page), ['b1-c1', 'b5-c5']);
    },
  );
});

test('a table with one flipped bit, or a byte after a stream, is rejected with a message', async () => {
  const page = readFileSync(NEUTREEKO_HTML, 'utf8');
  const [whole, before64, table64] = /(id="neutreeko-table">)([^<]*)/.exec(page);
  const table = Buffer.from(table64, 'base64');
  const flipped = [9, table.length >> 1, table.length - 1].map((at) => {
    const damaged = Buffer.from(table);
    damaged[at] ^= 1;
    return damaged;
  });
  const longer = Buffer.concat([table, Buffer.alloc(1)]);
  const last = 112 + 32 * table.readUInt32LE(92) - 16;
  longer.writeBigUInt64LE(longer.readBigUInt64LE(last) + 1n, last);
  const sealed = execFileSync(NEUTREEKO_SEAL, { input: longer });
  for (const [number, damaged] of [...flipped, sealed].entries()) {
    const path = join(folder, `damaged-${number}.html`);
    writeFileSync(
      path,
      page.replace(whole, () => before64 + damaged.toString('base64')),
    );
    await withPage({ url: pathToFileURL(path).href, loads: false }, async (opened) => {
      await opened.getByText('This file is damaged. Please download it again.').waitFor();
      assert.equal(await opened.locator('[role=gridcell], [role=tab]').count(), 0);
    });
  }
});

test('a browser that is too old gets a message', async () => {
  const lacks = [() => delete globalThis.DecompressionStream, () => (CSS.supports = () => false)];
  for (const prepare of lacks) {
    await withPage({ loads: false, locale: 'ja-JP', prepare }, async (page) => {
      await page.getByText('お使いのブラウザーは古いため').waitFor();
      assert.equal(await page.locator('#app').count(), 0);
    });
  }
});

test('it works without storage', async () => {
  const prepare = () =>
    Object.defineProperty(globalThis, 'localStorage', {
      get() {
        throw new DOMException('no', 'SecurityError');
      },
    });
  await withPage({ prepare }, async (page) => {
    await page.locator('#explore').click();
    assert.equal(await headline(page), 'Draw with best play');
  });
});

// ---- playing ----

test('a whole game against the perfect player by mouse', async () => {
  await withPage({}, async (page) => {
    await page.locator('#player-white').selectOption('perfect');
    let turn = 0;
    for (; await myTurn(page, 'Black'); turn++) {
      const [before] = query(await position(page, 'b'));
      const move = before.moves.at(-1).move;
      await (turn % 2 ? clickMove : dragMove)(page, move);
      if (!(await myTurn(page, 'Black'))) break;
    }
    assert.equal(await headline(page), 'White wins');
    const [, count] = (await page.locator('#subline').innerText()).match(/^Three in a row, in (\d+) moves?\.$/);
    // Every reply was as good as the best.
    const reviewed = JSON.parse(native((await moves(page)).join(' '), 'review', '--json', '-'));
    assert.equal(reviewed.end.winner, 'white');
    assert.equal(Number(count), reviewed.moves.filter(({ side }) => side === 'white').length);
    for (const { side, mark, plies_wasted } of reviewed.moves)
      if (side === 'white') assert.deepEqual([mark, plies_wasted], [null, 0]);
  });
});

test('a whole game by keyboard alone', async () => {
  await withPage({}, async (page) => {
    const tabTo = async (id) => {
      for (let i = 0; i < 40; i++) {
        if (await page.evaluate((wanted) => document.activeElement.id === wanted, id)) return;
        await page.keyboard.press('Tab');
      }
      assert.fail(`no way to ${id} with Tab`);
    };
    await tabTo('player-white');
    await useKeys(page, 'Home', 'ArrowDown', 'ArrowDown');
    assert.equal(await page.locator('#player-white').inputValue(), 'random');
    await tabTo('new');
    await useKeys(page, 'g');
    const go = async (to) => {
      const at = await page.evaluate(() => document.activeElement.dataset.square);
      const [across, up] = [to.charCodeAt(0) - at.charCodeAt(0), to[1] - at[1]];
      for (let i = 0; i < Math.abs(across); i++) await useKeys(page, across > 0 ? 'ArrowRight' : 'ArrowLeft');
      for (let i = 0; i < Math.abs(up); i++) await useKeys(page, up > 0 ? 'ArrowUp' : 'ArrowDown');
      assert.equal(await page.evaluate(() => document.activeElement.dataset.square), to);
      const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
      assert.equal(outline, 'solid', 'the focus is not visible');
      await useKeys(page, 'Enter');
    };
    while (await myTurn(page, 'Black')) {
      const [
        {
          moves: [{ move }],
        },
      ] = query(await position(page, 'b'));
      await go(move.slice(0, 2));
      await useKeys(page, 'Escape', 'Enter'); // deselects the piece and picks it up again
      await go(move.slice(3));
    }
    assert.equal(await headline(page), 'Black wins');
    await useKeys(page, 'n');
    assert.ok(await myTurn(page, 'Black'));
    await useKeys(page, 'x', 'b');
    await page.waitForFunction(() => document.querySelectorAll('.moves .ply').length === 3);
    await useKeys(page, 'u', 'x', 'f', '2', '4', '3', '1', '?');
    assert.ok(await page.locator('#help').isVisible());
    await useKeys(page, 'Escape', 's');
    assert.ok(await page.locator('#share').isVisible());
  });
});

test('two engines play against each other to the end', async () => {
  await withPage({ settings: { black: 'level:9', white: 'level:1' } }, async (page) => {
    await page.waitForFunction(() => /wins|Draw/.test(document.querySelector('#headline').textContent));
    const reviewed = JSON.parse(native((await moves(page)).join(' '), 'review', '--json', '-'));
    assert.notEqual(reviewed.end.reason, 'none');
  });
});

test('every opponent can be chosen, is described, and replies', async () => {
  await withPage({}, async (page) => {
    const names = await page
      .locator('#player-white option')
      .evaluateAll((options) => options.map(({ value }) => value));
    assert.ok(
      ['human', 'perfect', 'random', ...Array.from({ length: 9 }, (_, i) => `level:${i + 1}`)].every((name) =>
        names.includes(name),
      ),
    );
    for (const name of names.filter((one) => one !== 'human')) {
      await page.locator('#player-white').selectOption(name);
      assert.ok((await page.locator('.player p').first().innerText()).length > 10);
      await page.locator('#new').click();
      await clickMove(page, 'b1-c1');
      assert.ok(await myTurn(page, 'Black'));
      assert.equal((await moves(page)).length, 2);
    }
  });
});

test('threefold repetition is a draw, and can be undone', async () => {
  const shuffle = 'b1-b4 c2-a2 b4-b1 a2-e2 b1-b4 e2-a2 b4-b1 a2-e2 b1-b4 e2-a2'.split(' ');
  await withPage({ settings: PEOPLE }, async (page) => {
    await playAll(page, shuffle.slice(0, -1));
    // Explore takes repetition into account: in the table this move is not a draw.
    await page.locator('#explore').click();
    assert.equal(
      (await shownValues(page)).list.find((text) => text.startsWith('e2-a2')),
      'e2-a2, draws, repetition',
    );
    await page.locator('#explore').click();
    await playAll(page, []);
    await clickMove(page, shuffle.at(-1));
    assert.equal(await headline(page), 'Draw');
    assert.equal(await page.locator('#subline').innerText(), 'Draw by threefold repetition.');
    assert.equal(await page.locator('.movable').count(), 0);
    await page.locator('#undo').click();
    assert.equal(await headline(page), 'White to move');
    await clickMove(page, 'e2-e1');
    assert.equal(await headline(page), 'Black to move');
  });
});

test('undo and redo; against an opponent they go to the user\'s turn', async () => {
  await withPage({ settings: PEOPLE }, async (page) => {
    await playAll(page, ['b1-c1', 'b5-c5', 'c4-e2']);
    await page.locator('#undo').click();
    assert.equal(await headline(page), 'Black to move');
    assert.equal(await page.locator('.ply.undone').count(), 1);
    await page.locator('#redo').click();
    assert.equal(await headline(page), 'White to move');
    await page.locator('[data-key=ply1]').click();
    assert.equal(await position(page, 'w'), '1w1w1/2b2/5/2w2/2bb1 w');
    await clickMove(page, 'c2-c3');
    assert.deepEqual(await moves(page), ['b1-c1', 'c2-c3']);
    await page.locator('#resign').click();
    assert.equal(await headline(page), 'White wins');
    await page.locator('#undo').click();
    assert.equal(await headline(page), 'Black to move');
  });
  await withPage({ settings: { black: 'human', white: 'level:1' } }, async (page) => {
    await clickMove(page, 'b1-c1');
    await myTurn(page, 'Black');
    await page.locator('#undo').click();
    assert.equal(await position(page, 'b'), START);
    await page.locator('#redo').click();
    assert.equal(await page.locator('.ply.undone').count(), 0);
    assert.equal(await headline(page), 'Black to move');
  });
});

test('a dragged piece that is dropped elsewhere goes back; Escape deselects', async () => {
  await withPage({ settings: PEOPLE }, async (page) => {
    await dragMove(page, 'b1-e5');
    assert.equal(await position(page, 'b'), START);
    assert.equal(await page.locator('.target').count(), 4);
    await useKeys(page, 'g', 'Escape');
    assert.equal(await page.locator('.target').count(), 0);
    await square(page, 'b1').click();
    await square(page, 'b1').click();
    assert.equal(await page.locator('.target').count(), 0);
    await page.locator('#flip').click();
    await clickMove(page, 'b1-c1');
    await dragMove(page, 'b5-c5');
    assert.deepEqual(await moves(page), ['b1-c1', 'b5-c5']);
    assert.match(await page.locator('#spoken').innerText(), /^White b5 to c5\. Black to move/);
  });
});

test('a move slides, unless the user prefers reduced motion', async () => {
  for (const motion of ['no-preference', 'reduce']) {
    await withPage({ motion, settings: PEOPLE }, async (page) => {
      await clickMove(page, 'b1-c1');
      const sliding = await page.evaluate(
        () => document.getAnimations().filter(({ effect }) => effect.target.matches('.piece')).length,
      );
      assert.equal(sliding, motion === 'reduce' ? 0 : 1);
      // A dragged piece does not slide to its square, but slides again later.
      await dragMove(page, 'b5-c5');
      await page.waitForFunction(() => !document.querySelector('.piece.dragged'));
    });
  }
});

// ---- exploring ----

const nativeValue = ({ result, distance }) =>
  result === 'win'
    ? `wins in ${distance} ${distance === 1 ? 'ply' : 'plies'}`
    : result === 'draw'
      ? 'draws'
      : `loses in ${distance} plies`;
const nativePill = ({ result, distance }) => (result === 'draw' ? 'D' : `${result === 'win' ? 'W' : 'L'} ${distance}`);

function outcome({ position: text, result, distance }) {
  if (result === 'draw') return 'Draw with best play';
  const black = text.endsWith('b') === (result === 'win');
  return `${black ? 'Black' : 'White'} wins in ${distance} ${distance === 1 ? 'ply' : 'plies'}`;
}

/** The moves in the list and on the board: of the current position, or of each given position. */
const shownValues = (page, positions) =>
  page.evaluate(async (list) => {
    const shown = () => ({
      headline: document.querySelector('#headline').textContent,
      list: [...document.querySelectorAll('.value')].map((row) =>
        [
          row.dataset.move,
          row.querySelector('.unseen').textContent,
          row.querySelector('small') && `, ${row.querySelector('small').textContent}`,
        ]
          .filter(Boolean)
          .join(''),
      ),
      chips: [...document.querySelectorAll('.value .chip')].map((chip) =>
        [...chip.children]
          .map((part) => part.textContent)
          .filter(Boolean)
          .join(' '),
      ),
      pills: [...document.querySelectorAll('.pill')].map((pill) => `${pill.dataset.move} ${pill.textContent}`).sort(),
    });
    if (!list) return shown();
    const all = [];
    for (const position of list) {
      const followed = new Promise((resolve) => {
        addEventListener('popstate', resolve, { once: true });
      });
      location.hash = `start=${position.replace(' ', '_')}`;
      await followed;
      all.push(shown());
    }
    return all;
  }, positions);

function expectedValues(found) {
  return {
    headline: outcome(found),
    list: found.moves.map((move) => `${move.move}, ${nativeValue(move)}`),
    chips: found.moves.map(nativePill),
    pills: found.moves.map((move) => `${move.move} ${nativePill(move)}`).sort(),
  };
}

test('exploring shows the values of the fourteen first moves', async () => {
  await withPage({}, async (page) => {
    await page.locator('#explore').click();
    const [found] = query(START);
    assert.equal(found.moves.length, 14);
    assert.deepEqual(await shownValues(page), expectedValues(found));
    // The setting is kept.
    await page.reload();
    await ready(page);
    assert.deepEqual(await shownValues(page), expectedValues(found));
  });
});

test('the values of 40 random positions are those of neutreeko query', async () => {
  const random = randomNumbers(7);
  const candidates = Array.from({ length: 60 }, () => {
    const squares = Array(25).fill('1');
    for (const piece of 'bbbwww') {
      let at;
      do at = random(25);
      while (squares[at] !== '1');
      squares[at] = piece;
    }
    const ranks = [0, 5, 10, 15, 20].map((from) =>
      squares
        .slice(from, from + 5)
        .join('')
        .replace(/1+/g, (ones) => ones.length),
    );
    return `${ranks.join('/')} ${random(2) ? 'b' : 'w'}`;
  });
  const found = answers(candidates)
    .filter(({ moves: list }) => list?.length)
    .slice(0, 40);
  assert.equal(found.length, 40);
  await withPage({ settings: { ...PEOPLE, explore: true } }, async (page) => {
    const shown = await shownValues(
      page,
      found.map((one) => one.position),
    );
    found.forEach((one, i) => assert.deepEqual(shown[i], expectedValues(one), one.position));
  });
});

test('a move that is pointed at is drawn and explained; the best line is stepped through', async () => {
  await withPage({ hash: '#moves=b1c1.b5c5', settings: { ...PEOPLE, explore: true } }, async (page) => {
    const row = page.locator('.value[data-move=c4-a2]');
    await row.hover();
    assert.equal(await page.locator('.preview.loss').count(), 1);
    assert.match(
      plain(await page.locator('.why').innerText()),
      /Turns a win into a loss: White wins in 3 plies\. c4-e2 would have won\. It threatens to win with a2-b1\. White\u2019s only good reply is c2-b1\. Best continuation: c2-b1 /,
    );
    await page.mouse.move(0, 0);
    assert.equal(await page.locator('.preview').count(), 0);
    assert.match(plain(await page.locator('.why').innerText()), /^c4-e2 /, 'of the best move, when none is pointed at');
    await page.locator('.value').first().focus();
    assert.match(plain(await page.locator('.why').innerText()), /^c4-e2 Black wins in 3 plies/);
    await page.keyboard.press('g');
    await square(page, 'c4').click();
    await square(page, 'c3').hover();
    assert.match(plain(await page.locator('.why').innerText()), /^c4-c3 Black wins in 23 plies/);
    await page.mouse.move(0, 0);
    await square(page, 'c4').click();
    const line = (await page.locator('.steps button').allInnerTexts()).map(plain);
    assert.deepEqual(
      line,
      JSON.parse(native('', 'line', '--json', '--seed', '0', await position(page, 'b'))).moves.map(({ move }) => move),
    );
    await page.locator('.steps button').nth(1).click();
    assert.equal(await headline(page), 'Black wins in 1 ply');
    await page.locator('#best').click();
    assert.equal(await headline(page), 'Black wins');
    await page.mouse.move(0, 0);
    await page.goto(`${PAGE}#moves=b1c1.b5c5.c4a2`);
    assert.match(
      plain(await page.locator('.why').innerText()),
      /^c2-b1 White wins in 3 plies\. It\u2019s the only move that wins\. It stops Black from winning with a2-b1\./,
    );
  });
});

// ---- review ----

test('the review marks what neutreeko review marks', async () => {
  const game = 'b1-c1 b5-c5 c4-a2 c5-a3 a2-b1'.split(' ');
  await withPage({ hash: `#view=review&moves=${game.join('.').replaceAll('-', '')}` }, async (page) => {
    const shown = await page.$$eval('#view-review .entry', (entries) =>
      entries.map((entry) => [
        entry.querySelector('.ply').textContent,
        entry.querySelector('.better')?.textContent ?? null,
      ]),
    );
    const { moves: reviewed } = JSON.parse(native(game.join(' '), 'review', '--json', '-'));
    assert.deepEqual(
      shown.map((pair) => pair.map((text) => text && plain(text))),
      reviewed.map(({ move, mark, better }) => [move + (mark ?? ''), better && `best: ${better}`]),
    );
    assert.deepEqual(await page.locator('.graph text').allTextContents(), ['?', '??', '??']);
    assert.deepEqual(await page.$$eval('.graph .bar', (bars) => bars.map((bar) => bar.classList[1])), [
      'none',
      'none',
      'black',
      'white',
      'black',
      'black',
    ]);
    await page.locator('.graph [data-ply="3"]').click();
    assert.equal(await headline(page), 'White to move');
    assert.match(
      plain(await page.locator('#view-review .why').innerText()),
      /^c4-a2\?\? Turns a win into a loss: White wins in 2 moves\./,
    );
    await page.locator('#show-best').click();
    assert.equal(await page.locator('.preview').count(), 1);
    assert.match(page.url(), /at=2$/);
  });
});

test('the review counts moves: a win in 2n-1 plies and a loss in 2n plies are n moves', async () => {
  const printed = JSON.parse(native('', 'line', '--json', '--seed', '0', '5/b4/1w3/w1b2/b3w b'));
  const line = printed.moves.map(({ move }) => move);
  const address = `#view=review&start=5/b4/1w3/w1b2/b3w_b&moves=${line.join('.').replaceAll('-', '')}`;
  await withPage({ hash: address }, async (page) => {
    for (let ply = 1; ply < 51; ply++) {
      await page.locator(`[data-key=ply${ply}]`).click();
      // Of the 51 plies, Black plays the odd ones. The distance of a move includes the move.
      const left = ply % 2 ? (53 - ply) / 2 : (52 - ply) / 2;
      const count = `${left} move${left > 1 ? 's' : ''}`;
      const result = ply % 2 ? `Black wins in ${count}.` : `White still loses, in ${count}.`;
      const shown = plain(await page.locator('#view-review .why').innerText());
      assert.ok(shown.startsWith(`${line[ply - 1]} ${result}`), `ply ${ply}: ${shown}`);
    }
  });
});

// ---- puzzles ----

test('a puzzle is solved and one is failed; the streak is kept', async () => {
  const [one, two] = jsonLines(native('', 'puzzle', '--json', '--plies', '5', '--count', '2', '--seed', '3')).map(
    (puzzle) => puzzle.position,
  );
  const at = (text) => `#view=puzzle&start=${text.replace(' ', '_')}`;
  const streak = (page) => page.locator('#streak').innerText();
  await withPage({ hash: at(one) }, async (page) => {
    assert.match(await page.locator('#subline').innerText(), /^Find the move that wins in 3\.$/);
    assert.equal(await page.locator('.value, .pill').count(), 0);
    await clickMove(page, query(one)[0].moves[0].move);
    assert.equal(await headline(page), 'Correct!');
    assert.equal(await streak(page), '1');
    await page.reload();
    await ready(page);
    assert.equal(await streak(page), '1');

    await page.goto(PAGE + at(two));
    const [{ moves: list }] = query(two);
    await clickMove(page, list[1].move);
    const wrong = list[1].result === 'draw' ? 'only draws' : 'loses';
    assert.equal(plain(await headline(page)), `Not quite: ${list[1].move} ${wrong}.`);
    assert.equal(await streak(page), '0');
    await page.locator('#puzzle-again').click();
    await clickMove(page, list[0].move);
    assert.equal(await headline(page), 'Correct!');
    assert.equal(await streak(page), '0', 'solved only at the second try');

    await page.locator('#puzzle-kind').selectOption('save');
    assert.match(await page.locator('#subline').innerText(), /^Only one move doesn\u2019t lose\./);
    const side = (await headline(page)).startsWith('Black') ? 'b' : 'w';
    const [save] = query(await position(page, side));
    assert.deepEqual(
      save.moves.slice(0, 2).map(({ result }) => result),
      ['draw', 'loss'],
    );
    await page.locator('#puzzle-show').click();
    assert.equal(plain(await headline(page)), `The answer is ${save.moves[0].move}.`);
    assert.equal(await streak(page), '0');
    await page.goBack();
    await page.waitForFunction((hash) => location.hash === hash, at(two));
    assert.equal(await position(page, two.at(-1)), two);
  });
});

// ---- editor ----

test('the editor explains why a position is illegal', async () => {
  await withPage({ hash: '#view=editor' }, async (page) => {
    const verdict = () => page.locator('#editor-verdict').innerText();
    const enter = (text) => page.locator('#notation').fill(text);
    assert.equal(await verdict(), 'Legal position.');
    await page.locator('#clear').click();
    assert.equal(await verdict(), 'Black must have 3 pieces but has 0.');
    for (const name of ['a1', 'b1', 'c1']) await square(page, name).click();
    assert.equal(await verdict(), 'White must have 3 pieces but has 0.');
    await square(page, 'a5').focus();
    await useKeys(page, 'w', 'ArrowRight', 'w', 'ArrowDown', 'w');
    assert.equal(await verdict(), 'Black already has three in a row, so it can\u2019t be Black\u2019s turn.');
    assert.ok(await page.locator('#use').isDisabled());
    await page.locator('input[name=side][value=white]').check();
    assert.equal(await verdict(), 'Legal position; the game is already over.');
    await square(page, 'c1').focus();
    await useKeys(page, 'Delete', 'ArrowRight', 'b');
    assert.equal(await page.locator('#notation').inputValue(), 'ww3/1w3/5/5/bb1b1 w');
    await enter('ww3/1x3/5/5/bb1b1 w');
    assert.equal(await verdict(), 'Invalid position: check character 6.');
    await enter('www2/5/5/5/bb1b1 b');
    assert.equal(await position(page, 'b'), 'www2/5/5/5/bb1b1 b');
    await enter('W:WW....................BBB.W'.slice(0, 27));
    assert.notEqual(await verdict(), 'Legal position.');
    await enter('5/bb1b1/5/5/ww1w1 w');
    assert.equal(await verdict(), 'Legal position.');
    await page.locator('#use').click();
    assert.equal(await page.locator('#tab-play').getAttribute('aria-selected'), 'true');
    assert.match(page.url(), /#start=5\/bb1b1\/5\/5\/ww1w1_w/);
  });
});

// ---- sharing ----

test('what is shared leads back to the same game', async () => {
  await withPage({ settings: PEOPLE }, async (page, context) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await playAll(page, ['b1-c1', 'b5-c5', 'c4-e2']);
    await page.locator('#undo').click();
    await page.locator('#share-button').click();
    const texts = await Promise.all(
      ['link', 'position', 'record'].map((name) => page.locator(`#share-${name}`).inputValue()),
    );
    assert.equal(texts[1], '2ww1/2b2/5/2w2/2bb1 b');
    await page.getByRole('button', { name: 'Copy: Game' }).click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), texts[2]);
    native(texts[2], 'review', '-');
    await page.keyboard.press('Escape');

    const other = await context.newPage();
    await other.goto(texts[0]);
    await ready(other);
    assert.equal(await position(other, 'b'), texts[1]);
    assert.deepEqual(await moves(other), ['b1-c1', 'b5-c5', 'c4-e2']);
    assert.equal(await other.locator('.ply.undone').count(), 1);
    const open = async (text) => {
      await other.locator('#share-button').click();
      await other.locator('#open-text').fill(text);
      await other.locator('#open').click();
    };
    await open('5/bb1b1/5/5/ww1w1 w');
    assert.equal(await position(other, 'w'), '5/bb1b1/5/5/ww1w1 w');
    await open(texts[2]);
    assert.equal(await position(other, 'b'), texts[1]);
    await open(`${PAGE}#moves=d1c1`);
    assert.deepEqual(await moves(other), ['d1-c1']);
    await open('# a comment first\n1. d1-c1 d5-c5');
    assert.deepEqual(await moves(other), ['d1-c1', 'd5-c5']);
    await open('1. b1-c1 b1-c1');
    assert.match(
      await other.locator('#open-error').innerText(),
      /^Couldn\u2019t read that as a link, position or game\. .*move 2/,
    );
    await other.keyboard.press('Escape');
    await other.goto(`${PAGE}#moves=d1c1.d1c1`);
    await other.locator('#notice').waitFor();
    assert.deepEqual(await moves(other), ['d1-c1']);
  });
});

test('back and forward go through moves and views', async () => {
  await withPage({ settings: PEOPLE }, async (page) => {
    await playAll(page, ['b1-c1', 'b5-c5']);
    await page.locator('#tab-editor').click();
    await page.goBack();
    assert.equal(await page.locator('#tab-play').getAttribute('aria-selected'), 'true');
    await page.goBack();
    assert.deepEqual(await moves(page), ['b1-c1']);
    await page.goBack();
    assert.equal(await position(page, 'b'), START);
    await page.goForward();
    await page.goForward();
    assert.deepEqual(await moves(page), ['b1-c1', 'b5-c5']);
  });
});

test('no address breaks the page', async () => {
  const odd = [
    '#view=nothing',
    '#moves=zz',
    '#moves=b1c1&at=7',
    '#at=x',
    '#start=5/5',
    '#view=puzzle&start=x',
    `#view=puzzle&start=${START.replace(' ', '_')}`,
    '#view=editor&start=bbbbbbbb/1',
    '#start=bbb2/5/5/5/ww1w1_b',
    '#%00%ff&&==',
  ];
  await withPage({}, async (page) => {
    for (const hash of odd) {
      await page.goto(PAGE + hash);
      await page.waitForFunction(
        () =>
          document.querySelectorAll('[role=gridcell]').length === 25 && document.querySelector('#headline').textContent,
      );
    }
  });
});

// ---- languages, themes, sizes, accessibility ----

const game = '#moves=b1c1.b5c5.c4a2';
const addresses = { play: game, review: `${game}&view=review`, puzzle: '#view=puzzle', editor: '#view=editor' };

test('the language is English or Japanese, as the user or the browser prefers', async () => {
  const visible = (page) =>
    page.evaluate(() => {
      const out = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node; (node = walker.nextNode());) {
        const element = node.parentElement;
        if (element.closest('script, style, [lang]:not(html), #notation, kbd, textarea, input') || !node.data.trim())
          continue;
        out.push(node.data);
      }
      for (const element of document.querySelectorAll('[aria-label]')) out.push(element.getAttribute('aria-label'));
      return out;
    });
  const allowed = /Neutreeko|Delete|Chrome|Edge|Firefox|Safari/g;
  await withPage({ locale: 'ja-JP', settings: { explore: true } }, async (page) => {
    for (const view of VIEWS) {
      await page.goto(PAGE + addresses[view]);
      await page.locator('#help-button').click();
      const latin = (await visible(page))
        .map((text) => text.replace(allowed, ''))
        .filter((text) => /[A-Za-z]{3}/.test(text));
      assert.deepEqual(latin, [], view);
      await page.keyboard.press('Escape');
    }
    await page.locator('#language-button').click();
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    await page.reload();
    await ready(page);
    for (const view of VIEWS) {
      await page.goto(PAGE + addresses[view]);
      await page.locator('#share-button').click();
      assert.deepEqual(
        (await visible(page)).filter((text) => /[\u3040-\u30ff\u4e00-\u9fff]/.test(text)),
        [],
        view,
      );
      await page.keyboard.press('Escape');
    }
  });
});

test('the theme is dark or light, as the user or the device prefers', async () => {
  const brightness = (page) =>
    page.evaluate(() => Number(getComputedStyle(document.body).backgroundColor.match(/\d+/)[0]));
  await withPage({ colorScheme: 'dark' }, async (page) => {
    assert.ok((await brightness(page)) < 60);
    await page.locator('#theme-button').click();
    assert.ok((await brightness(page)) > 200);
    await page.reload();
    await ready(page);
    assert.ok((await brightness(page)) > 200);
  });
  await withPage({}, async (page) => assert.ok((await brightness(page)) > 200));
});

test('touch works on a screen of 360 pixels', async () => {
  await withPage({ width: 360, height: 740, touch: true, settings: { ...PEOPLE, explore: true } }, async (page) => {
    await page.goto(PAGE + game);
    await square(page, 'c2').tap();
    await square(page, 'b1').tap();
    assert.equal((await moves(page)).length, 4);
    const value = page.locator('.value').last();
    const move = await value.getAttribute('data-move');
    await value.tap(); // a finger cannot point: the first touch shows the move
    assert.ok(plain(await page.locator('#view-play .why').innerText()).startsWith(move));
    assert.equal((await moves(page)).length, 4);
    await value.tap();
    assert.equal((await moves(page)).at(-1), move);
    const small = await page.$$eval('.stage button, .top button, .tabs button', (buttons) =>
      buttons.filter((button) => button.offsetParent && button.getBoundingClientRect().height < 40).map(({ id }) => id),
    );
    assert.deepEqual(small, []);
  });
});

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing in any view (${colorScheme})`, async () => {
    await withPage({ colorScheme, settings: { explore: true } }, async (page) => {
      const check = async (what) => {
        if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
        // The themes differ in colours only.
        const rules = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {};
        const { violations } = await page.evaluate((options) => globalThis.axe.run(options), rules);
        assert.deepEqual(
          violations.map(({ id, nodes }) => [
            id,
            nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`),
          ]),
          [],
          what,
        );
      };
      for (const view of VIEWS) {
        await page.goto(PAGE + addresses[view]);
        await check(view);
      }
      await page.locator('#clear').click();
      await check('editor with an error');
      await page.goto(PAGE + addresses.play);
      await square(page, 'c2').click();
      await page.locator('.value').first().hover();
      await check('a piece picked up');
      await page.setViewportSize({ width: 360, height: 740 });
      await check('a small screen');
      for (const name of ['share', 'help']) {
        await page.locator(`#${name}-button`).click();
        await check(name);
        await page.keyboard.press('Escape');
      }
    });
  });
}
