// Tests of the page in Chromium, compared with the programs of the command line. From the environment: as in pages.mjs.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import {
  act, asValues, click, clickMove, FILE, myTurn, nativeMoves, NEUTREEKO_HTML, onOnePage, onPage, PAGE, position, read, ready,
  reload, shows, START, steps, withPage,
} from './pages.mjs';
import { folder, native, puzzles, query, review } from './programs.mjs';

const MOST_BYTES = 450000;
const BOARD = START.slice(0, -2);

const square = (page, name) => page.locator(`[data-square=${name}]`);
const stored = (page, name) => page.evaluate((key) => JSON.parse(localStorage[key] ?? 'null'), name);

/** Drags to a square, or as a flick only a part of the way. */
async function dragMove(page, move, part = 1, keys = '') {
  const [from, to] = await Promise.all(move.split('-').map((name) => square(page, name).boundingBox()));
  const [x, y] = [from.x + from.width / 2, from.y + from.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + part * (to.x - from.x), y + part * (to.y - from.y), { steps: 2 });
  if (part === 1) await page.waitForSelector('.lifted .dragged', { state: 'attached' }); // above the targets
  await act(page, keys);
  if (keys) await page.mouse.move(x, y);
  await page.mouse.up();
}

test('the page is one file of at most 450 kB, whose policy allows only its script and its style', () => {
  assert.ok(statSync(NEUTREEKO_HTML).size <= MOST_BYTES, `${statSync(NEUTREEKO_HTML).size} bytes`);
  const page = readFileSync(NEUTREEKO_HTML, 'utf8');
  const hash = (pattern) => `'sha256-${createHash('sha256').update(page.match(pattern)[1]).digest('base64')}'`;
  const [, policy] = page.match(/<meta http-equiv="Content-Security-Policy" content="([^"]*)">/);
  const script = `script-src 'wasm-unsafe-eval' ${hash(/<script type="module">([\s\S]*?)<\/script>/)}`;
  const others = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", 'img-src data:', 'worker-src blob:'];
  assert.deepEqual(policy.split('; ').sort(), [...others, script, `style-src ${hash(/<style>([\s\S]*?)<\/style>/)}`].sort());
  assert.doesNotMatch(page, /<(script|link)[^>]*(src|rel="stylesheet")/);
});

test('a message appears if a bit of the table is flipped, the browser is too old or has no JavaScript', async () => {
  const html = readFileSync(NEUTREEKO_HTML, 'utf8');
  const [whole, before64, table64] = /(id="neutreeko-table">)([^<]*)/.exec(html);
  const damaged = Buffer.from(table64, 'base64');
  assert.ok(damaged.equals(readFileSync(process.env.NEUTREEKO_TABLE)));
  damaged[damaged.length >> 1] ^= 1;
  writeFileSync(join(folder, 'damaged.html'), html.replace(whole, () => before64 + damaged.toString('base64')));
  const old = () => delete globalThis.DecompressionStream;
  for (const [setup, message] of [
    [{ url: 'damaged.html' }, /This file is damaged\. Please download it again\./],
    [{ locale: 'ja-JP', prepare: old }, /お使いのブラウザーは古いため/],
    [{ javaScriptEnabled: false }, /^Neutreeko\s+Please turn .*\s+JavaScript を/],
  ])
    await withPage(setup, async (page) => {
      assert.match(await page.locator('.failure.now').innerText(), message);
      assert.equal(await page.locator('[role=gridcell], [role=tab]').count(), 0);
    });
});

const get = 'get() { throw new DOMException("no", "SecurityError"); }';
const noStorage = { prepare: `Object.defineProperty(globalThis, 'localStorage', { ${get} })` };
onPage('the page works without storage', noStorage, (page) =>
  steps(page, [['#skip #start-game #values', { '#subline': 'Draw with best play.' }]]));

const newcomer = { settings: null, players: null, size: [390, 844], hasTouch: true };
onPage('a beginner gets from the first visit to the end of a game by touch', newcomer, async (page) => {
  const tap = async (...selectors) => {
    for (const selector of selectors) await page.locator(selector).tap();
  };
  await steps(page, [
    ['', { '#headline': 'Tap a piece.', '.glow': 3 }],
    [() => tap('[data-square=b1]'), { '#headline': /^Slide it\./ }],
    [() => tap('[data-square=b4]'), { '#headline': /^Three in a row wins/ }],
    [() => tap('[data-square=d4]'), { '#headline': /^You\u2019ve got it/ }],
    [() => tap('#play-beginner'), { '#headline': 'Your move' }],
  ]);
  while (await myTurn(page)) {
    const [{ move }] = await nativeMoves(page, 'b');
    await tap(...move.split('-').map((name) => `[data-square=${name}]`));
  }
  await shows(page, { '#headline': /^You won in \d+ moves?$/, '.row line': 1, '.sheet': /Rematch.*Against Beginner: 1 won, 0 drawn, 0 lost\./s });
  await steps(page, [
    [() => tap('#close-result'), { '.sheet': 0, '#rematch': 1, '#undo': 1 }],
    // One tap leads to the next game, as White, which Beginner begins.
    [() => tap('#swap'), { '#headline': 'Your move', moves: /^\S+$/ }],
  ]);
  // A finger cannot point: the first touch explains the move, the second plays it.
  await tap('#tab-explore');
  const value = page.locator('.value').last();
  const move = await value.getAttribute('data-move');
  const hash = await read(page, 'hash');
  await steps(page, [
    ['#line-play', { '.movable': 0 }],
    [() => value.tap(), { '.why': new RegExp(`^${move}`), hash, '.preview': 1 }],
    [() => value.tap(), { hash: new RegExp(`\\.${move.replace('-', '')}$`) }],
  ]);
});

onPage('the start sheet offers opponents and colours; the board turns to the user\'s side', { players: null }, async (page) => {
  await page.getByLabel('Hard').check();
  await page.locator('[name=colour][value=white]').check();
  await steps(page, [['#start-game', { '.players': /^You\s+against\s+Hard/, '#headline': 'Your move', '#undo:enabled': 0 }]]);
  const [e5, a1] = await Promise.all(['e5', 'a1'].map((name) => square(page, name).boundingBox()));
  assert.ok(e5.y > a1.y && e5.x < a1.x);
  await steps(page, [
    ['ArrowLeft', { '.movable': 0 }], // nothing of the user's can be undone; the opponent's pieces do not move
    ['#resign', { '#headline': 'Hard wins', '#subline': 'You resigned.' }],
  ]);
  await act(page, 'n');
  await click(page, 'summary');
  // Two opponents play each other.
  await page.locator('#player-white').selectOption('level:15');
  await page.locator('#player-black').selectOption('level:1');
  const patience = (patient) => page.evaluate((value) => Object.assign(globalThis, { patient: value }), patient);
  await patience(1000);
  await steps(page, [['#start-game #pause', { '#headline': /to move$/ }]]);
  await patience(false);
  await steps(page, [['#pause', { '#headline': /wins|Draw/ }]]);
});

onPage('a whole game against the perfect player by mouse, which every reply plays perfectly',
  { players: { black: 'human', white: 'perfect' }, patient: true }, async (page) => {
  for (let turn = 0; await myTurn(page); turn++) {
    const worst = (await nativeMoves(page, 'b')).at(-1).move;
    const begin = performance.now();
    await (turn % 2 ? clickMove : dragMove)(page, worst);
    if (turn) continue;
    await shows(page, { moves: /^\S+ \S+$/ });
    assert.ok(performance.now() - begin > 350, 'the reply comes too early to be noticed');
    await page.evaluate(() => Object.assign(globalThis, { patient: false }));
  }
  const { end, moves } = review(await read(page, 'moves'));
  const replies = moves.filter(({ side }) => side === 'white');
  assert.equal(end.winner, 'white');
  for (const { mark, plies_wasted } of replies) assert.deepEqual([mark, plies_wasted], [null, 0]);
  await steps(page, [
    ['', { '#headline': 'Perfect wins', '#subline': /^Three in a row, in \d+ moves?\. You had a draw until move 1\.$/ }],
    ['#take-back', { board: BOARD }], // the user may try again from the mistake
    [moves[0].move, { '.moves [data-ply="2"][aria-current]': 1 }], // the opponent replies to the same move, too
  ]);
});

const regained = { black: 'human', white: 'level:5', moves: 'c4c5.c2c1.b1b4.c1e3.b4b1.e3c1.b1b4.c1e3.b4b1.e3c1', at: 10 };
onPage('of a draw, nothing is said about a draw that was lost and regained', { players: regained }, (page) =>
  steps(page, [
    ['', { '#headline': 'Draw', '#subline': 'Draw by threefold repetition.', '#take-back': 0 }],
    ['#undo #resign', { '#subline': 'You resigned.' }],
  ]));

onPage('a game by keyboard alone', { players: null }, async (page) => {
  await steps(page, [['', { '#start-game:focus': 1 }], ['Enter g', { '.cells :focus': 1 }]]);
  const go = async (to) => {
    const at = await page.evaluate(() => document.activeElement.dataset.square);
    const [across, up] = [to.charCodeAt(0) - at.charCodeAt(0), to[1] - at[1]];
    await act(page, (across > 0 ? 'ArrowRight ' : 'ArrowLeft ').repeat(Math.abs(across)));
    await act(page, (up > 0 ? 'ArrowUp ' : 'ArrowDown ').repeat(Math.abs(up)));
    const focus = () => [document.activeElement.dataset.square, getComputedStyle(document.activeElement).outlineStyle];
    assert.deepEqual(await page.evaluate(focus), [to, 'solid'], 'the focus is where it is moved, and visible');
    await act(page, 'Enter');
  };
  for (let turn = 0; turn < 2; turn++) {
    assert.ok(await myTurn(page));
    const [{ move }] = await nativeMoves(page, 'b');
    await go(move.slice(0, 2));
    await act(page, 'Escape Enter'); // deselects the piece and picks it up again
    await go(move.slice(3));
    await shows(page, { moves: new RegExp(move) });
  }
  await steps(page, [
    ['n Escape 4 b 1 u x f 2 3 1 ?', { '#help': 1 }],
    ['Escape', { '#help': 0 }],
    ['s', { '#share': 1 }],
  ]);
});

onPage('a game goes on after a reload, in a new window, and after a visit to other views',
  { players: { black: 'human', white: 'level:1' } }, async (page, context) => {
  // What is tried elsewhere does not become a part of it.
  await steps(page, [['#tab-explore #best #best #tab-play', { '#headline': 'Your move', '.ply.undone': 2 }]]);
  await clickMove(page, 'b1-c1');
  await reload(page); // while the opponent thinks
  assert.ok(await myTurn(page));
  const played = await read(page, 'moves');
  assert.match(played, /^b1-c1 \S+$/);
  const begins = { moves: new RegExp(`^${played}`) };
  await steps(page, [
    ['#undo', { board: BOARD }], // undo and redo go to the user's turn
    ['#redo', { '.ply.undone': 0, '#headline': 'Your move' }],
    ['#tab-review End', { moves: played }],
    ['#tab-puzzle', { hash: /^#view=puzzle&start=/ }],
    ['#tab-play', begins],
  ]);
  const other = await context.newPage(); // in which another game leaves it alone
  await other.goto(`${PAGE}#moves=d1c1`);
  await ready(other);
  await steps(other, [['', { moves: 'd1-c1' }], ['#tab-explore #best #tab-play #resume', begins]]); // nor does what is tried in it
});

const atAddresses = [];
const atAddress = (name, hash, use) => atAddresses.push([name, hash, use]);

atAddress('the values of positions are those of neutreeko query', '#view=explore', async (page) => {
  const found = query([{ position: START }, ...puzzles(1, 7, '--save'), ...puzzles(1, 7, '--plies=9')].map(({ position }) => position));
  await act(page, '#plies');
  await steps(page, found.map(({ position, moves }) => [`#view=explore&start=${position.replace(' ', '_')}`, { values: asValues(moves) }]));
  await steps(page, [['#plies', { '#headline': /wins in 5 moves$/, '.value': /^W\s*5\s/ }]]); // in moves, unless the user counts plies
});

atAddress('a move that is pointed at is drawn and explained; the best line is played through', '#view=explore&moves=b1c1.b5c5', async (page) => {
  const printed = JSON.parse(native('', 'line', '--json', '--seed', '0', await position(page, 'b')));
  await steps(page, [
    [() => page.locator('.value[data-move=c4-a2]').hover(), {
      '.preview.loss': 1,
      '.why': /Turns a win into a loss: White wins in 2 moves\. c4-e2 would have won\. It threatens to win with a2-b1\. White\u2019s only good reply is c2-b1\. Best continuation: c2-b1 /,
    }],
    // Of the best move, when none is pointed at.
    [() => page.mouse.move(0, 0), { '.preview': 0, '.why': /^c4-e2 /, '.steps button': printed.moves.map(({ move }) => move) }],
    ['g [data-square=c4]', {}],
    [() => square(page, 'c3').hover(), { '.why': /^c4-c3 Black wins in 12 moves/ }],
    ['[data-square=c4]', { '.target': 0 }],
    [() => page.locator('.steps button').nth(1).click(), { board: '2ww1/4w/5/4b/2bb1' }],
    ['#line-play', { '.row line': 1 }],
    ['#line-stop', { board: '2ww1/2b2/5/2w2/2bb1' }],
  ]);
});

const shuffle = 'b1b4.c2a2.b4b1.a2e2.b1b4.e2a2.b4b1.a2e2.b1b4';
atAddress('values take repetition into account, and the third time is a draw that can be undone', `#view=explore&moves=${shuffle}`, async (page) => {
  await steps(page, [
    ['', { values: /^e2-a2, draws, repetition$/m }],
    [() => page.locator('.value[data-move=e2-a2]').hover(), { '.why': /Draw by threefold repetition\./ }],
    ['e2-a2', { '#headline': 'Draw', '#subline': 'Draw by threefold repetition.', '.movable': 0 }],
    ['#undo e2-e1', { '#subline': /^Black to move/ }],
  ]);
});

const mistaken = 'b1-c1 b5-c5 c4-a2 c5-a3 a2-b1';
const toReview = `#view=review&moves=${mistaken.replaceAll('-', '').replaceAll(' ', '.')}`;
atAddress('the review marks what neutreeko review marks, and explains it', toReview, async (page) => {
  const reviewed = review(mistaken).moves;
  const explained = { '.why': /^c4-a2\?\? Turns a win into a loss: White wins in 2 moves\./ };
  await steps(page, [
    // It opens at the first mistake, before the move; the answer is hidden.
    ['', {
      '.entry .ply': reviewed.map(({ move, mark }) => move + (mark ?? '')),
      '.entry .better': reviewed.flatMap(({ better }) => (better ? `best: ${better}` : [])),
      '.graph text': ['?', '??', '??'],
      board: '1w1w1/2b2/5/2w2/2bb1',
      '#headline': 'White played b5-c5?',
      '#subline': 'Throws away the draw: Black wins in 2 moves.',
      '.why': /^(?!.*would have)/s,
    }],
    ['#refute #review-stop #next-mistake', { '#headline': 'Black played c4-a2??' }],
    ['#try-again', { '.why': 'Find a move that keeps the win.' }],
    ['c4-a4', { '.why': 'Not quite: c4-a4 loses.' }],
    ['#try-again c4-e2', { '.why': 'Correct! c4-e2 wins in 2 moves.' }],
    ['#review-stop [data-ply="3"].ply', explained],
    ['#show-best', explained], // while the best move is shown, the explanation stays
    // The graph is a slider for keyboards and screen readers.
    [() => page.locator('.graph input').focus(), {}],
    ['ArrowLeft', { moves: mistaken }],
    // The third occurrence of a position is a draw, whatever it is worth elsewhere.
    ['#view=review&moves=b1a1.d5e5.a1c1.e5c5.c1a1.c5e5.a1c1.e5c5.c1a1.c5e5', { '.graph input': 1 }],
    ['#headline End', { '#headline': 'Draw', '.why': /^c5-e5\? Throws away the win: the game is now a draw\./ }],
  ]);
});

atAddress('the introduction is the same each time, also while a line is played', '#view=explore', async (page) => {
  await act(page, '#line-play');
  for (let time = 0; time < 2; time++)
    await steps(page, [
      ['#help-button #show-lesson', { '#headline': 'Tap a piece.', '.glow': 3 }],
      ['b1-b4', { '#headline': /^Three in a row wins/ }],
      ['[data-square=e1]', { '#headline': /^Not that one/ }],
      ['d1-d4', { '#headline': /^You\u2019ve got it/ }],
    ]);
});

atAddress('the editor explains why a position is illegal', `#view=editor&start=${START.replace(' ', '_')}`, async (page) => {
  const enter = (text) => () => page.locator('#notation').fill(text);
  const put = (name, keys) => () => square(page, name).focus().then(() => act(page, keys));
  for (const [actions, verdict, text] of [
    ['', 'Legal position.', START],
    ['#clear', 'Black must have 3 pieces but has 0.', '5/5/5/5/5 b'],
    ['[data-square=a1] [data-square=b1] [data-square=c1]', 'White must have 3 pieces but has 0.', '5/5/5/5/bbb2 b'],
    [put('a5', 'w ArrowRight w ArrowDown w'), 'Black has already won, so it can\u2019t be Black\u2019s turn.', 'ww3/1w3/5/5/bbb2 b'],
    [() => page.locator('[name=side][value=white]').check(), 'Legal position; the game is already over.', 'ww3/1w3/5/5/bbb2 w'],
    [enter('ww3/1x3/5/5/bb1b1 w'), 'Invalid position: check character 6.'],
    [enter('5/bb1b1/5/5/ww1w1 w'), 'Legal position.', '5/bb1b1/5/5/ww1w1 w'],
  ]) {
    const isLegal = verdict.startsWith('Legal');
    const shown = { '#editor-verdict': verdict, '#use:enabled': Number(isLegal) };
    await steps(page, [[actions, text ? { ...shown, board: text.slice(0, -2) } : shown]]);
    if (verdict.endsWith('over.')) await shows(page, { '#headline': 'Black wins' });
    if (isLegal) assert.equal(await page.locator('#notation').inputValue(), text);
  }
  await steps(page, [['#use #start-game', { hash: /start=5\/bb1b1\/5\/5\/ww1w1_w/ }]]);
});

atAddress('what is invalid in a link is reported', '#', async (page) => {
  const invalid = `garbage view=nothing moves=d1c1.d1c1 moves=zz moves=b1c1&at=7 moves=b1c1&end=x moves=b1c1(
    moves=(b1c1) at=x start=5/5 moves=b1c1(zz.b5c5).zz&at=2 view=puzzle&start=x view=puzzle&start=1w1w1/2b2/5/2w2/1b1b1_b %00%ff&&==
    view=editor&start=bbbbbbbb/1 view=editor&start=5/5/5/5/5/5/bbbww_b start=bbb2/5/5/5/ww1w1_b`;
  for (const hash of invalid.split(/\s+/))
    await steps(page, [
      ['#start=5/bb1b1/5/5/ww1w1_w', { '#notice:not([hidden])': 0, board: '5/bb1b1/5/5/ww1w1' }],
      [() => page.goto(`${PAGE}#${hash}`), { '#notice:not([hidden])': 1, '[role=gridcell]': 25 }],
    ]);
});

atAddress('undo and redo go through a game; trying another move loses nothing', '#', (page) => steps(page, [
  ['b1-c1 b5-c5 c4-e2 #undo', { '#headline': 'Black to move', '.ply.undone': 1 }],
  ['#redo', { '#headline': 'White to move' }],
  ['ArrowLeft ArrowLeft', { board: '1w1w1/2b2/5/2w2/2bb1' }],
  ['c2-c3', { moves: 'b1-c1 c2-c3', '.variation': 'b5-c5', hash: '#moves=b1c1.c2c3(b5c5.c4e2)' }],
  ['.variation End', { moves: 'b1-c1 b5-c5 c4-e2' }],
  ['Home', { board: BOARD }],
  ['End #resign', { '#headline': 'Black wins' }],
  ['#tab-review End Home', { board: BOARD }], // which takes nothing back
  [() => reload(page), { board: BOARD }],
  ['#tab-play End', { '#headline': 'Black wins' }],
  ['#undo', { '#headline': 'White to move' }],
]));

atAddress('pieces are dragged, flicked and deselected, and slide unless the user prefers reduced motion', '#', async (page) => {
  await page.evaluate(() => {
    globalThis.slides = 0;
    document.addEventListener('transitionrun', ({ target }) => (globalThis.slides += target.matches('.piece')));
  });
  await steps(page, [
    [() => dragMove(page, 'b1-e5'), { board: BOARD, '.target': 4 }],
    ['g Escape', { '.target': 0 }],
    ['[data-square=b1] [data-square=b1]', { '.target': 0 }],
  ]);
  await act(page, '#flip');
  // A busy machine may be too slow for a flick, which is measured by the times of events.
  await page.evaluate(() => void Object.defineProperty(Event.prototype, 'timeStamp', { get: () => 0 }));
  await dragMove(page, 'b1-b4', 0.3);
  await dragMove(page, 'b5-c5');
  await shows(page, { moves: 'b1-b4 b5-c5', '#spoken': /^White b5 to c5\. Black to move/ });
  assert.equal(await page.evaluate(() => globalThis.slides), 0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await clickMove(page, 'b4-b1');
  await page.waitForFunction(() => globalThis.slides);
  await dragMove(page, 'c5-c3', 1, 'ArrowLeft ArrowLeft ArrowLeft'); // the piece is where it was before
  await shows(page, { board: BOARD, '.lifted .piece': 0 });
});

atAddress('back and forward go through moves and views, but not beneath a dialog', '#', async (page) => {
  const back = () => page.goBack();
  await steps(page, [
    ['b1-c1 b5-c5 #tab-explore #edit', { '#editor-verdict': 1 }],
    [back, { '#tab-explore[aria-selected=true]': 1 }],
    [back, { '#tab-play[aria-selected=true]': 1 }],
    ['#help-button', { '#help': 1 }],
    [back, { '#help': 0, moves: 'b1-c1 b5-c5', '.undone': 0 }],
    [back, { '.undone': 1 }],
    [() => page.goForward(), { '.undone': 0 }],
    // Firefox and Safari refuse too many changes in a short time.
    [() => page.evaluate(() => (history.replaceState = () => { throw new DOMException('', 'SecurityError'); })), {}],
    ['#undo', { '.undone': 1 }],
    [() => page.evaluate(() => delete history.replaceState), {}],
    ['#redo', { '.undone': 0 }],
    ['#menu-button #menu-help', { '#close:focus': 1 }], // a dialog that takes the place of another has the focus
    ['#moves=d1c1', { 'dialog[open]': 0, moves: 'd1-c1' }], // another address, which the user enters, is opened
  ]);
});

const [puzzle, failed] = puzzles(2, 3, '--plies=5').map(({ position }) => position);
const linkTo = (text) => `#view=puzzle&start=${text.replace(' ', '_')}`;
atAddress('a puzzle is played to the end, one is failed; rating and streak are kept', linkTo(puzzle), async (page) => {
  await shows(page, { '#subline': 'Win in 3. Only one move does it.' });
  for (let left = 5; left > 0; left -= 2) {
    await page.waitForSelector('.movable');
    const [{ move, distance }] = await nativeMoves(page, puzzle.at(-1));
    assert.equal(distance, left, 'the defence resists longest');
    const goOn = { '#headline': 'Correct! Go on.', '#subline': `Win in ${(left - 1) / 2}.` };
    await steps(page, [[move, left > 1 ? goOn : { '#headline': 'Correct!', '#streak': '1', '#rating': '1018' }]]);
  }
  const [{ moves: [best, next] }] = query(failed);
  await steps(page, [
    [`${linkTo(failed)} #hint`, { '.glow': 1 }],
    [next.move, { '#headline': `Not quite: ${next.move} ${next.result === 'draw' ? 'only draws' : 'loses'}.` }],
    ['#puzzle-again #hint', { '.preview': 0 }],
    [() => page.locator('#hint').press('Enter'), { '.preview': 1, '#hint:disabled': 1, '#view :focus:enabled': 1 }],
    ['#tab-explore #tab-puzzle #hint', { '.preview': 1 }], // which is shown again
    [best.move, { '#streak': '0', '#rating': /^(9|100)/ }], // solved only at the second try
    [() => reload(page), { '#streak': '0', '#rating': /^(9|100)/ }],
    [() => page.locator('[name=grade][value=save]').check(), { '#subline': /^Only one move doesn\u2019t lose\./ }],
  ]);
  const [saving, losing] = await nativeMoves(page);
  assert.deepEqual([saving.result, losing.result], ['draw', 'loss']);
  await steps(page, [
    ['#puzzle-show', { '#headline': `The answer is ${saving.move}.` }],
    ['#menu-button #menu-statistics', { '#statistics': /Medium\s+1\s+1\s+Save the draw\s+0\s+1/ }],
  ]);
  const [download] = await Promise.all([page.waitForEvent('download'), click(page, '#export')]);
  assert.equal(JSON.parse(readFileSync(await download.path(), 'utf8')).bestStreak, 1);
  await act(page, '#delete #delete');
  assert.equal(await stored(page, 'neutreeko-record'), null);
});

onOnePage('the page that opened these addresses reported nothing', {}, atAddresses);

const yesterday = { daily: '2026-11-29', days: 4 };
onPage('the puzzle of the day depends on the date alone, and days in a row are counted', { record: yesterday }, async (page, context) => {
  await page.clock.setFixedTime(new Date(2026, 10, 30, 12)); // a Monday, which has an easy puzzle
  await steps(page, [['#tab-puzzle', { hash: /^#view=puzzle&start=/ }]]);
  const [{ position: daily }] = puzzles(1, 20261130, '--plies=3');
  await shows(page, { board: daily.slice(0, -2), '#days': '4' });
  await steps(page, [[() => reload(page), { '#view': /Today\u2019s puzzle · Easy · 2026-11-30/ }]]);
  const other = await context.newPage();
  await other.goto(page.url());
  await shows(other, { '#days': '4' });
  for (const after of [{ '.movable': 3 }, { '#headline': 'Correct!', '#days': '5' }])
    await steps(page, [[(await nativeMoves(page, daily.at(-1)))[0].move, after]]);
  await page.clock.setFixedTime(new Date(2026, 11, 1, 12));
  await steps(page, [['#tab-explore #tab-puzzle', { '#view': /Today\u2019s puzzle\s*$/m, '#daily': 1 }]]);
  await shows(other, { '#days': '5' }); // or the next puzzle there would be counted without this one
  await act(page, '#menu-button #sound');
  await act(other, '#menu-button #theme-button');
  const { sound, theme } = await stored(page, 'neutreeko');
  assert.deepEqual([sound, theme], [true, 'light']);
});

onPage('what is shared leads back to the same game', { url: FILE }, async (page, context) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const game = { moves: 'b1-c1 b5-c5 c4-e2' };
  await act(page, `${game.moves} #undo #share-button`);
  assert.ok(await page.locator('#local-hint').isVisible(), 'the link of a file works on this device only');
  const fields = ['link', 'position', 'record'].map((name) => page.locator(`#share-${name}`).inputValue());
  const [link, shared, record] = await Promise.all(fields);
  assert.equal(shared, '2ww1/2b2/5/2w2/2bb1 b');
  await page.getByRole('button', { name: 'Copy: Game' }).click();
  await shows(page, { '#spoken': 'Copied' });
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), record);
  native(record, 'review', '-');

  const other = await context.newPage();
  await other.goto(link);
  await ready(other);
  const open = (text) => () => act(other, '#share-button').then(() => other.locator('#open-text').fill(text)).then(() => act(other, '#open'));
  await steps(other, [
    ['', { ...game, board: shared.slice(0, -2), '.ply.undone': 1 }],
    [open('5/bb1b1/5/5/ww1w1 w'), { board: '5/bb1b1/5/5/ww1w1' }],
    [open(record), { moves: 'b1-c1 b5-c5' }],
    [open(`${PAGE}#moves=d1c1`), { moves: 'd1-c1' }],
    [open('1. b1-c1 b1-c1'), { '#open-error': /^Couldn\u2019t read that as a link, position or game\..*move 2/ }],
    ['Escape', { moves: 'd1-c1' }], // an invalid text changes nothing
  ]);
});

const japanese = { colorScheme: 'dark', locale: 'ja-JP' };
onPage('language and theme are those of the device until the user chooses; forced colours hide nothing', japanese, async (page) => {
  const look = () =>
    page.evaluate(() => {
      const colours = [getComputedStyle(document.body).backgroundColor, document.querySelector('[name=theme-color]').content];
      return [document.documentElement.lang, ...colours.map((colour) => Number(colour.match(/\d+/)[0]) > 128)];
    });
  assert.deepEqual(await look(), ['ja', false, false]);
  await act(page, '#menu-button #theme-button #language-button');
  assert.deepEqual(await look(), ['en', true, true]);
  await reload(page);
  assert.deepEqual(await look(), ['en', true, true]);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`${PAGE}#view=editor`);
  for (const [style, one, other] of [
    ['fill', '.tile', '.black .body'],
    ['backgroundImage', '#headline .disc', '.disc.white'],
    ['outlineStyle', '.choice input:checked + span', '.choice input:not(:checked) + span'],
  ]) {
    const styles = [one, other].map((selector) => page.locator(selector).first().evaluate((element, name) => getComputedStyle(element)[name], style));
    assert.notEqual(...(await Promise.all(styles)), style);
  }
});
