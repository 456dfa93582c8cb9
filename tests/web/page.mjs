// Tests of the page in Chromium, compared with the programs of the command line. From the environment: as in pages.mjs.

import assert from 'node:assert/strict';

import { hover, point, randomOf } from './browser.mjs';
import {
  appears, asValues, click, clickSquares, dragMove, FILE, fill, focus, holdOver, linkTo, myTurn, nativeMoves, onPage,
  openLink, openText, openWindow, PAGE, play, position, press, read, reload, saveFile, select, settle, shows, squareOf,
  START, stored, tap, tapSquares,
} from './pages.mjs';
import { loadStandard, native, puzzles, query, review } from './programs.mjs';

const BOARD = START.slice(0, -2);

/** The pieces of a position, without the side to move. */
const boardOf = (text) => text.slice(0, -2);
/** Sets `globalThis.patient` in the page: see withPage(). */
const setPatience = (page, patient) => page.evaluate((value) => Object.assign(globalThis, { patient: value }), patient);

// Playwright's own functions for elements first send a page 300 kB of program.

const attributeOf = (page, selector, name) =>
  page.evaluate(([one, attribute]) => document.querySelector(one).getAttribute(attribute), [selector, name]);

/** Moves the handle of a slider. */
async function slide(page, selector, value) {
  await appears(page, `${selector}:enabled`);
  await page.evaluate(([one, to]) => {
    const slider = Object.assign(document.querySelector(one), { value: to });
    for (const type of ['input', 'change']) slider.dispatchEvent(new Event(type, { bubbles: true }));
  }, [selector, value]);
}

// ---- the first games, and warnings ----

const newcomer = { settings: null, players: null, size: [390, 844], hasTouch: true };
onPage('a beginner gets from the first visit to the end of a game by touch', newcomer, async (page) => {
  await shows(page, { '#headline': 'Tap a piece.', '.glow': 3 });
  await tapSquares(page, 'b1');
  await shows(page, { '#headline': /^Slide it\./ });
  await tapSquares(page, 'b4');
  await shows(page, { '#headline': /^Three in a row wins/ });
  await tapSquares(page, 'd4');
  await shows(page, { '#headline': 'White threatens b4-a3. Stop it!', '.preview.loss': 1 });
  await tapSquares(page, 'a2', 'a3');
  await shows(page, { '#headline': /^You\u2019ve got it/, '#skip': 0 });
  await tap(page, '#play-beginner');
  await shows(page, { '#headline': 'Your move' });
  while (await myTurn(page)) {
    const [best] = await nativeMoves(page, 'b');
    await tapSquares(page, ...best.move.split('-'));
  }
  await shows(page, {
    '#headline': /^You won in \d+ moves?$/,
    '.winning line': 1,
    '.sheet': /Rematch.*Against Beginner: 1 won, 0 drawn, 0 lost\./s,
  });
  await tap(page, '#close-result');
  await shows(page, { '.sheet': 0, '#rematch': 1, '#undo': 1 });
  // One tap leads to the next game, as White, which Beginner begins.
  await tap(page, '#swap');
  await shows(page, { '#headline': 'Your move', moves: /^\S+$/ });

  // A finger cannot point: the first touch explains the move, the second plays it.
  await tap(page, '#tab-explore');
  await appears(page, '.value');
  const move = await page.evaluate(() => [...document.querySelectorAll('.value')].at(-1).dataset.move);
  const hash = await read(page, 'hash');
  await click(page, '#line-play');
  await shows(page, { '.movable': 0 });
  await tap(page, `.value[data-move=${move}]`);
  await shows(page, { '.why': new RegExp(`^${move}`), hash, '.preview': 1 });
  await tap(page, `.value[data-move=${move}]`);
  await shows(page, { hash: new RegExp(`\\.${move.replace('-', '')}$`) });
});

const losing = { settings: { warnings: null }, players: { black: 'human', white: 'level:1' } };
const lets = 'That lets White win with c2-c5.';
onPage('the reply to a move that the page warns of is not shown in other views', losing, async (page) => {
  await play(page, 'c4-a4');
  await shows(page, { '.preview.loss': 1 });
  await click(page, '#tab-explore'); // where its arrow would be in place of those that are looked at
  await shows(page, { '#board .preview': 0 });
});

onPage('after a warning, the same move is played', losing, async (page) => {
  await play(page, 'c4-a4');
  await shows(page, { '#headline': lets });
  await play(page, 'c4-a4');
  await shows(page, { moves: /^c4-a4/ });
});

onPage('after a warning, the next stop of the Tab key is the answer', losing, async (page) => {
  await play(page, 'c4-a4');
  await shows(page, { '#headline': lets });
  await press(page, 'g', 'Shift+Tab');
  await shows(page, { 'nav :focus': 1 });
  await press(page, 'Tab');
  await shows(page, { '[data-square]:focus': 1 });
  await press(page, 'Tab');
  await shows(page, { '#play-anyway:focus': 1 });
  await press(page, 'Tab');
  await shows(page, { '#other-move:focus': 1 });
});

onPage('after the first win, the page does not warn; the menu has a switch', losing, async (page) => {
  while (await myTurn(page)) {
    const [best] = await nativeMoves(page, 'b');
    await play(page, best.move);
  }
  await shows(page, { '#headline': /^You won/ });
  assert.equal((await stored(page, 'neutreeko')).warnings, false);
  await click(page, '#menu-button');
  await shows(page, { '#warnings[aria-checked=false]': 1 });
  await click(page, '#warnings');
  assert.equal((await stored(page, 'neutreeko')).warnings, true);
});

/** Whether someone who plays Black, at random but for the warnings of the page, wins a game against an opponent. */
function winsAtRandom(engine, opponent, random) {
  const game = engine.newGame();
  while (!game.state().end) {
    const choices = game.state().to_move === 'black' ? game.choices() : [];
    const safe = choices.filter(({ value }) => value.result !== 'loss' || value.plies > 2);
    const open = safe.length ? safe : choices;
    game.play(open.length ? open[random(open.length)].move : game.opponentMove(opponent, random(1e9)));
  }
  const { winner } = game.state().end;
  game.free();
  return winner === 'black';
}

onPage('who moves at random but heeds the warnings wins a game of the first five', { players: null }, async (page) => {
  const opponent = await read(page, '[name=opponent]');
  const engine = await loadStandard();
  const random = randomOf(1);
  const tries = Array.from({ length: 10 }, () => [1, 2, 3, 4, 5].find(() => winsAtRandom(engine, opponent, random)));
  assert.ok(tries.filter(Boolean).length >= 9, `${tries}`);
});

// ---- the start sheet ----

onPage('one slider has all levels; the opponent that it chooses is named', { players: null }, async (page) => {
  await click(page, 'summary');
  await slide(page, '#level-white', '5');
  await shows(page, { '#more[open]': 1, '#level-white + p': 'Easy (level 5)', '#level-white[min="1"][max="15"]': 1 });
  await slide(page, '#level-white', '7');
  await shows(page, { '#start': /Level 7\s+Always sees 3 moves ahead/ });
  await click(page, '#start-game');
  await shows(page, { '.players': /^You\s+against\s+Level 7/ });
});

const onSheet = { players: null };
/** Types with keys, of which each may change what is shown, and checks that the field has what was typed. */
async function typeKeys(page, selector, keys) {
  await focus(page, selector);
  for (const key of keys) await press(page, key);
  assert.equal(await read(page, selector), keys);
}

for (const part of ['#fair', '#more'])
  onPage(`a number that no fair start has is refused, or forgotten with ${part}`, onSheet, async (page) => {
    await click(page, '#more summary', '#fair summary');
    await typeKeys(page, '#fair-number', '999');
    await click(page, '#start-game');
    await shows(page, { '#start[open]': 1, '#fair-number:invalid': 1 });
    await click(page, `${part} summary`, '#start-game');
    await shows(page, { 'dialog[open]': 0, board: BOARD });
  });

onPage('what begins no number of a fair start stays as it was typed, and has no link', onSheet, async (page) => {
  await click(page, '#more summary', '#fair summary');
  for (const keys of ['0', '1e', '-1', '181']) {
    await focus(page, '#fair-number');
    await press(page, ...keys);
    await settle(page);
    await shows(page, { '#fair-link': 0, '#fair-number:invalid': 1 });
    await press(page, ...Array(keys.length).fill('Backspace'));
  }
  await press(page, '1', '8', '0');
  await click(page, '#fair-link + button'); // which begins no game
  await shows(page, { '#fair-link': 1, '#fair-number:valid': 1, '#dialog-title': 'New game' });
});

onPage('a random fair start has a number, also the least one', { ...onSheet, fresh: true }, async (page) => {
  const chance = (number) =>
    page.evaluate((value) => { crypto.getRandomValues = (numbers) => numbers.fill(value); }, number);
  await click(page, '#more summary', '#fair summary');
  for (const [drawn, number] of [[0, 1], [179, 180], [180, 1]]) {
    await chance(drawn);
    await click(page, '#fair-random');
    assert.equal(await read(page, '#fair-number'), String(number));
    await shows(page, { '#fair-link': 1 });
  }
});

onPage('White is chosen on the start sheet: the board turns to the user', { players: null }, async (page) => {
  await click(page, '[name=opponent][value=human]', '[name=place][value=link]'); // which another opponent takes back
  await click(page, '[name=opponent][value="level:12"]');
  await click(page, '[name=colour][value=white]');
  await click(page, '#start-game');
  await shows(page, { '.players': /^You\s+against\s+Hard/, '#headline': 'Your move', '#undo:enabled': 0,
    '.name.on': /You/ });
  assert.equal(await attributeOf(page, '[role=gridcell]', 'data-square'), 'e1');
  await press(page, 'ArrowLeft');
  await shows(page, { '.movable': 0 }); // nothing of the user's can be undone; the opponent's pieces do not move
});

// ---- games and how they end ----

onPage('two opponents play each other; the game can be paused', { players: null }, async (page) => {
  await click(page, 'summary');
  await shows(page, { '#player-white optgroup option': ['Reverse', 'Random', 'Heuristic', 'Search, 4 plies'] });
  const level = await page.evaluate(() =>
    [...document.querySelectorAll('#player-white option')].find(({ label }) => label === 'Level').value);
  await select(page, '#player-white', level);
  await select(page, '#player-black', level);
  await click(page, '[name=opponent][value="level:12"]'); // instead of both
  await shows(page, { '#level-black': 0, '#level-white': 1 });
  await slide(page, '#level-white', '15');
  await select(page, '#player-black', level);
  await setPatience(page, 1000);
  await click(page, '#start-game', '#pause');
  await shows(page, { '#headline': /^(Black: Beginner|White: Level 15) to move$/ });
  await setPatience(page, false);
  await click(page, '#pause');
  await shows(page, { '#headline': /wins|Draw/ });
});

/** Games that are over: the opponent, who has won, the moves, where a step back leads, who is offered next. */
const OVER = [
  ['level:1', 'Beginner', 'c4c5.c2c1.c5e3.c1c5', 2, 0],
  ['level:1', 'You', 'b1c1.b5c5.c4e2.c2e4.e2e1', 4, 'Play a stronger opponent (level 2)'],
  ['level:4', 'You', 'b1c1.b5c5.c4e2.c2e4.e2e1', 4, 'Play Easy'],
];
for (const [white, winner, moves, before, next] of OVER)
  onPage(`redo leads to the end of a game against ${white} again, which is celebrated no more: ${winner} won`,
    { players: { black: 'human', white, moves, at: moves.split('.').length, counted: true },
      record: { games: { [white]: [4, 5, 6] } } }, async (page) => {
      const over = { '#headline': new RegExp(`^${winner} w[io]n`), '.ply.undone': 0, '#stronger': next,
        '#take-back': winner === 'You' ? 0 : 'Try again from move 2' };
      const score = /: 4 won, 5 drawn, 6 lost\.$/;
      await shows(page, { ...over, '.spark': 0, '.sheet > .note': score });
      await click(page, '#undo');
      await shows(page, { '#headline': 'Your move', '.ply.undone': moves.split('.').length - before });
      await click(page, '#redo');
      await shows(page, { ...over, '.spark': 0 });
      if (!next) return;
      await click(page, '#stronger');
      await shows(page, { '#headline': 'Your move', '.matchup': /^You\s+against/ });
    });

const winning = { black: 'human', white: 'level:1', moves: 'b1c1.b5c5.c4e2.c2e4', at: 4 };
onPage('the win of a user is celebrated', { players: winning }, async (page) => {
  await page.evaluate(() => {
    const panel = document.querySelector('.panel');
    panel.style.height = '60px';
    panel.scrollTop = 40;
  });
  await play(page, 'e2-e1');
  await shows(page, { '#headline': /^You won/, '.spark': 14 });
  assert.equal(await page.evaluate(() => document.querySelector('.panel').scrollTop), 0); // the result is seen
});

const perfectGame = { players: { black: 'human', white: 'perfect' }, patient: true };
onPage('the perfect player wins a game, perfectly, in which the user moves by mouse', perfectGame, async (page) => {
  for (let turn = 0; await myTurn(page); turn++) {
    const worst = (await nativeMoves(page, 'b')).at(-1).move;
    const begin = performance.now();
    await (turn % 2 ? play : dragMove)(page, worst);
    if (turn > 0) continue;
    await shows(page, { moves: /^\S+ \S+$/ });
    assert.ok(performance.now() - begin > 350, 'the reply comes too early to be noticed');
    await setPatience(page, false);
  }
  const { end, moves } = review(await read(page, 'moves'));
  assert.equal(end.winner, 'white');
  for (const { mark, move, plies_lost } of moves.filter(({ side }) => side === 'white')) {
    assert.equal(mark, null, move);
    assert.equal(plies_lost, 0, move);
  }
  await shows(page, { '#headline': 'Perfect wins', '#subline': 'Three in a row. Your move 1 did not keep the draw.' });
  await click(page, '#take-back');
  await shows(page, { board: BOARD }); // the user may try again from the mistake
  await play(page, moves[0].move);
  await shows(page, { '.moves [data-ply="2"][aria-current]': 1 }); // the opponent replies to the same move, too
});

/** Moves the focus on the board by keys. */
async function focusSquare(page, name) {
  const at = await page.evaluate(() => document.activeElement.dataset.square);
  const across = name.charCodeAt(0) - at.charCodeAt(0);
  const up = name[1] - at[1];
  await press(page, ...Array(Math.abs(across)).fill(across > 0 ? 'ArrowRight' : 'ArrowLeft'));
  await press(page, ...Array(Math.abs(up)).fill(up > 0 ? 'ArrowUp' : 'ArrowDown'));
  assert.equal(await page.evaluate(() => document.activeElement.dataset.square), name);
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.equal(outline, 'solid', 'the focus is visible');
}

onPage('a game by keyboard alone', { players: null, fresh: true }, async (page) => {
  await shows(page, { '#start-game:focus': 1 });
  await press(page, 'Enter', 'g');
  await shows(page, { '.cells :focus': 1 });
  for (let turn = 0; turn < 2; turn++) {
    assert.ok(await myTurn(page));
    const [{ move }] = await nativeMoves(page, 'b');
    const [from, to] = move.split('-');
    await focusSquare(page, from);
    await press(page, 'Enter');
    await press(page, 'Escape'); // deselects the piece
    await press(page, 'Space');
    await focusSquare(page, to);
    await press(page, 'Enter');
    await shows(page, { moves: new RegExp(move) });
  }
  await focus(page, '#menu-button');
  await press(page, 'n', 'Escape', '3', 'ArrowLeft');
  await shows(page, { '#tab-explore[aria-selected=true]': 1, '.undone': 1 });
  await focus(page, '#tab-explore');
  await press(page, 'ArrowRight', 'ArrowLeft', 'ArrowLeft');
  await shows(page, { '#tab-learn:focus': 1, '[role=tab][tabindex="0"]': 1 });
  await press(page, '3', 'x', '4', 'b', '1', 'u', 'x', 'Alt+x', 'Meta+x', 'g', 'f'); // one "x" shows the values
  await shows(page, { '.cells :focus': 1, '.values': 1 }); // of the board that has been turned
  await press(page, '2', 'n');
  await shows(page, { '.lessons': 1, 'dialog[open]': 0 }); // for the next exercise, this one is to be solved
  await press(page, '2', '3', '1', '?');
  await shows(page, { '#help': 1 });
  await press(page, 'Escape');
  await shows(page, { '#help': 0 });
  await press(page, 's');
  await shows(page, { '#share': 1 });
});

const unfinished = { players: { black: 'human', white: 'level:1' } };
onPage('a game goes on after a reload, in a new window, after other views', unfinished, async (page, context) => {
  // What is tried elsewhere does not become a part of it.
  await click(page, '#tab-explore', '.value', '.value', '#tab-play');
  await shows(page, { '#headline': 'Your move', '.ply.undone': 2 });
  await play(page, 'b1-c1');
  await reload(page); // while the opponent thinks
  assert.ok(await myTurn(page));
  const played = await read(page, 'moves');
  assert.match(played, /^b1-c1 \S+$/);
  // Undo and redo go to the user's turn.
  await click(page, '#undo');
  await shows(page, { board: BOARD });
  await click(page, '#redo');
  await shows(page, { '.ply.undone': 0, '#headline': 'Your move' });
  await click(page, '#tab-explore', '#to-review');
  await press(page, 'End');
  await shows(page, { moves: played });
  await click(page, '#tab-learn', '#to-puzzle');
  await shows(page, { hash: /^#view=puzzle&start=/ });
  await click(page, '#tab-play');
  await shows(page, { moves: new RegExp(`^${played}`) });

  // Another game in another window leaves it alone, and so does what is tried there.
  const other = await openWindow(context, `${PAGE}#moves=d1c1`);
  await shows(other, { moves: 'd1-c1' });
  await click(other, '#tab-explore', '.value', '#tab-play', '#resume');
  await shows(other, { moves: new RegExp(`^${played}`) });
});

// ---- values, explanations and lines ----

/** A test at an address of the page. */
const atAddress = (name, hash, use) => onPage(name, { hash }, use);

atAddress('the values of positions are those of neutreeko query', '#view=explore', async (page) => {
  const several = { position: '1ww2/2b2/5/2w2/2bb1 b' }; // of which two moves win soonest
  const chosen = [{ position: START }, several, ...puzzles(1, 7, '--draw'), ...puzzles(1, 7, '--plies=9')];
  for (const { position, moves } of query(chosen.map(({ position }) => position))) {
    await openLink(page, linkTo('explore', position));
    const best = moves.filter(({ plies }) => plies === moves[0].plies).length;
    await shows(page, { values: asValues(moves), '.pill.best': best, '.chip.best': best });
  }
  await shows(page, { '#headline': /wins in 5 moves$/, '.value': /^W\s*5\s/ });
});

atAddress('the values on a square are around its middle, in order of the pieces', '#view=explore', async (page) => {
  await shows(page, { '.pill': 14 });
  const distances = await page.evaluate(() => [...document.querySelectorAll('[role=gridcell]')].map((cell) => {
    const middleOf = (one) => one.getBoundingClientRect().top + one.getBoundingClientRect().height / 2;
    const pills = [...document.querySelectorAll(`.pill[data-move$=${cell.dataset.square}]`)];
    const pieces = pills.map(({ dataset: { move } }) =>
      middleOf(document.querySelector(`[data-square=${move.slice(0, 2)}]`)));
    if (pieces.some((middle, n) => middle < pieces[n - 1])) return `${cell.dataset.square}: ${pieces}`;
    return Math.round(pills.reduce((sum, pill) => sum + middleOf(pill.querySelector('rect')) - middleOf(cell), 0));
  }));
  assert.deepEqual(new Set(distances), new Set([0]));
});

const MISTAKE = '#view=explore&moves=b1c1.b5c5';

/** Another move in the list, in the row ('y') or the column ('x') of one. Runs in the page. */
function moveBeside([move, axis]) {
  const all = [...document.querySelectorAll('.value')];
  const place = (one) => Math.round(one.getBoundingClientRect()[axis]);
  const shown = all.find(({ dataset }) => dataset.move === move);
  return all.find((one) => one !== shown && place(one) === place(shown)).dataset.move;
}

atAddress('a move in the list that is pointed at is drawn and explained', MISTAKE, async (page) => {
  await hover(page, '.value[data-move=c4-a2]');
  const sentences = [
    /Turns a win into a loss: White wins in 2 moves\./,
    /c4-e2 would have won\./,
    /It threatens to win with a2-b1\./,
    /White\u2019s only good reply is c2-b1\./,
    /Best continuation: c2-b1 /,
  ];
  await shows(page, {
    '.preview.loss': 1,
    '.why': new RegExp(sentences.map(({ source }) => source).join(' ')),
    '.share + .note': '13 losing, 1 winning',
  });
  const places = () => [...document.querySelectorAll('.share svg')].map((one) => one.getAttribute('x'));
  assert.deepEqual(await page.evaluate(places), ['0', '13']);
  let move = 'c4-a2';
  for (const axis of ['y', 'x']) { // straight to another one: sideways, then up or down
    move = await page.evaluate(moveBeside, [move, axis]);
    await hover(page, `.value[data-move=${move}]`);
    await shows(page, { '.preview': 1, '.why': new RegExp(`^${move} `) });
  }
});

atAddress('the symbol of a win points up, that of a loss down', MISTAKE, async (page) => {
  const tops = await page.evaluate(() => ['.pill.win', '.chip.win', '.pill.loss', '.chip.loss'].map((value) =>
    document.querySelector(`${value} path`).getBBox().y));
  assert.deepEqual(tops, [-6, -6, -4, -4]);
});

atAddress('a move is pointed at when the pointer moves, not when the list appears under it', MISTAKE, async (page) => {
  const previews = await page.evaluate(() => [[1, 'body'], [1, '.value'], [2, '.value']].map(([screenX, selector]) => {
    const event = new PointerEvent('pointermove', { screenX, bubbles: true });
    document.querySelector(selector).dispatchEvent(event);
    return document.querySelectorAll('.preview').length;
  }));
  assert.deepEqual(previews, [0, 0, 1]);
});

atAddress('pointing at a move reads nothing that is stored', MISTAKE, async (page) => {
  await page.evaluate(() => {
    const { getItem } = Storage.prototype;
    globalThis.reads = 0;
    Storage.prototype.getItem = function count(key) {
      globalThis.reads++;
      return getItem.call(this, key);
    };
  });
  await hover(page, '.value[data-move=c4-a2]');
  await shows(page, { '.preview.loss': 1 });
  await page.mouse.move(0, 0);
  await shows(page, { '.preview': 0 });
  assert.equal(await page.evaluate(() => globalThis.reads), 0);
  await page.keyboard.press('f');
  assert.ok(await page.evaluate(() => globalThis.reads) > 0);
});

atAddress('the best move is explained when none is pointed at', MISTAKE, async (page) => {
  const best = JSON.parse(native('', 'query', '--line', '--json', '--seed', '0', await position(page, 'b')));
  await hover(page, '.value[data-move=c4-a2]');
  await shows(page, { '.preview': 1 });
  await page.mouse.move(0, 0);
  await shows(page, { '.preview': 0, '.why': /^c4-e2 /, '.steps button': best.moves.map(({ move }) => move) });
});

atAddress('a target that is pointed at is explained', MISTAKE, async (page) => {
  await press(page, 'g');
  await clickSquares(page, 'c4');
  await hover(page, squareOf('c3'));
  await shows(page, { '.why': /^c4-c3 Black wins in 12 moves/, '.picked': 2 }); // the piece and its square
  await clickSquares(page, 'c4');
  await shows(page, { '.picked': 0 });
  await clickSquares(page, 'c4');
  await press(page, 'g', 'ArrowRight', 'ArrowRight'); // to a target, by the keyboard
  await shows(page, { '.why': /^c4-e4 / });
  await press(page, 'd', 'd'); // to draw, and to move pieces again
  await shows(page, { '.picked': 0 });
});

atAddress('the best line is played through', MISTAKE, async (page) => {
  await appears(page, '.steps button');
  await page.evaluate(() => document.querySelectorAll('.steps button')[1].click());
  await shows(page, { board: '2ww1/4w/5/4b/2bb1', '#line-play': 'Play line' }); // it goes no further
  await page.evaluate(() => {
    for (let n = 0; n < 2; n++) document.getElementById('line-play').click(); // it goes on, and is paused
  });
  await shows(page, { board: '2ww1/4w/5/4b/2bb1', '#line-play': 'Play line', '#line-stop': 1, '.winning line': 0 });
  await click(page, '#line-play');
  await shows(page, { '.winning line': 1 });
  await click(page, '#line-stop');
  await shows(page, { board: '2ww1/2b2/5/2w2/2bb1' });
});

/** The line through the winning pieces ends on the outer two of these. */
async function crossesRow(page) {
  const [first, , last, ...ends] = await page.evaluate(() => {
    const { x1, y1, x2, y2 } = document.querySelector('.winning line');
    const places = [...document.querySelectorAll('.piece.winner')].map(({ style }) => style.transform.match(/[\d.]+/g));
    const ends = [[x1, y1], [x2, y2]].map((end) => end.map((length) => length.baseVal.value));
    return [places.map((place) => place.map(Number)), ends].flatMap((all) =>
      all.sort(([a, b], [c, d]) => a - c || b - d));
  });
  assert.deepEqual(ends, [first, last]);
}

atAddress('the line through the winning pieces turns with the board', '#view=explore&start=1b3/w2b1/1b3/5/1w2w_b',
  async (page) => {
    await play(page, 'd4-b4'); // between the other two
    await crossesRow(page);
    await press(page, 'f');
    await shows(page, { '.winning line': 1 });
    await crossesRow(page);
  });

const WON_TWICE = '#view=explore&start=3w1/1bb2/5/5/ww1b1_b&moves=d1d4(d1a4)';
atAddress('the line through the winning pieces is that of the variation that is shown', WON_TWICE, async (page) => {
  await shows(page, { '.winning line': 1 });
  await crossesRow(page);
  await click(page, '.variation button');
  await shows(page, { board: '3w1/bbb2/5/5/ww3', '.winning line': 1 });
  await crossesRow(page);
});

const shuffle = '#view=explore&moves=b1b4.c2a2.b4b1.a2e2.b1b4.e2a2.b4b1.a2e2.b1b4';
atAddress('the third occurrence is a draw: in the values, and in the game', shuffle, async (page) => {
  await shows(page, { values: /^e2-a2, draws, repetition$/m });
  await hover(page, '.value[data-move=e2-a2]');
  await shows(page, { '.why': /Draw by threefold repetition\./ });
  await play(page, 'e2-a2');
  await shows(page, { '#headline': 'Draw', '#subline': 'Draw by threefold repetition.', '.movable': 0 });
  await click(page, '[data-ply="5"]');
  await shows(page, { values: /^e2-a2, loses in 1 move, seen before$/m });
  await click(page, '[data-ply="9"]');
  await play(page, 'e2-e1');
  await shows(page, { '#subline': /^Black to move/ });
});

// ---- reviews ----

const mistaken = 'b1-c1 b5-c5 c4-a2 c5-a3 a2-b1';
const toReview = `#view=review&moves=${mistaken.replaceAll('-', '').replaceAll(' ', '.')}`;

const LONGEST = '5/b4/1w3/w1b2/b3w b'; // the win
onPage('a game begins from the position that is explored', { hash: linkTo('explore', LONGEST) }, async (page) => {
  await click(page, '#from-here');
  await shows(page, { '#dialog-title': 'Play from here' });
});

atAddress('the graph is a slider for keyboards and screen readers', toReview, async (page) => {
  await click(page, '[data-ply="3"].ply', '#show-best');
  await focus(page, '.graph input');
  await press(page, 'ArrowLeft');
  await shows(page, { moves: mistaken, '.column.now': 1, '.column.now[data-ply="2"]': 1 });
  assert.match(await attributeOf(page, '.graph input', 'aria-valuetext'), /^1, White b5.*c5: Black wins in 2 moves$/);
  await press(page, 'End');
  await shows(page, { '.graph input[aria-valuetext$=": Black wins"]': 1 });
  await press(page, 'ArrowLeft');
  await shows(page, { '.graph input[aria-valuetext$=": Black wins in 1 move"]': 1 });
});

/** The moves of a game of random moves, as an address has them. */
async function randomMoves(plies) {
  const game = (await loadStandard()).newGame();
  for (let ply = 0; ply < plies; ply++) game.play(game.opponentMove('random', 3000 + ply));
  return game.state().moves.map((move) => move.replace('-', '')).join('.');
}

onPage('in the graph of a long game, the signs of the mistakes do not run together', {}, async (page) => {
  const moves = await randomMoves(100);
  await openLink(page, `#view=review&moves=${moves}`);
  await shows(page, { '.graph .bar': 101, '.graph text': 0 });
});

const repeated = '#view=review&moves=b1a1.d5e5.a1c1.e5c5.c1a1.c5e5.a1c1.e5c5.c1a1.c5e5';
atAddress('in a review, the third occurrence of a won position is a draw', repeated, async (page) => {
  await click(page, '[data-ply="6"].ply'); // the same move
  await press(page, 'End');
  await shows(page, { '#headline': 'White played c5-e5?', '#subline': 'Throws away the win: the game is now a draw.' });
});

// ---- the introduction and the editor ----

atAddress('the introduction is the same each time, also while a line is played', '#view=explore', async (page) => {
  await click(page, '#line-play');
  for (let time = 0; time < 2; time++) {
    await click(page, '#help-button', '#show-introduction');
    await shows(page, { '#headline': 'Click a piece.', '.glow': 3 });
    await play(page, 'b1-b4');
    await shows(page, { '#headline': /^Three in a row wins/ });
    await clickSquares(page, 'e1');
    await shows(page, { '#headline': /^Not that one/, '.preview': 0 });
    await play(page, 'd1-a4');
    await shows(page, { '.preview.win': 1 }); // the answer, after two other moves
    await play(page, 'd1-d4');
    await shows(page, { '#headline': /^White threatens/ });
    await play(page, 'a2-a1');
    await shows(page, { '#headline': 'White still wins with b4-a3. Stop it!' });
    await play(page, 'a2-a3');
    await shows(page, { '#headline': /^You\u2019ve got it/ });
  }
});

const showsIllegal = (page, verdict) =>
  shows(page, { '#editor-verdict': verdict, '#notation[aria-invalid=true]': 1, '#use:enabled': 0 });

/** Checks what the editor shows of a legal position. */
async function showsLegal(page, text, verdict = 'Legal position.') {
  await shows(page, { '#editor-verdict': verdict, '#notation[aria-invalid=false]': 1, '#use:enabled': 1,
    board: boardOf(text) });
  assert.equal(await read(page, '#notation'), text);
}

atAddress('the editor says that the side to move has already won', linkTo('editor', START), async (page) => {
  await click(page, '#clear');
  await clickSquares(page, 'a1', 'b1', 'c1');
  await focus(page, squareOf('a5'));
  await press(page, 'w', 'ArrowRight', 'w', 'ArrowDown', 'w');
  await showsIllegal(page, 'Black has already won, so it can\u2019t be Black\u2019s turn.');
  await shows(page, { board: 'ww3/1w3/5/5/bbb2' });
  await click(page, '[name=side][value=white]');
  await showsLegal(page, 'ww3/1w3/5/5/bbb2 w', 'Legal position; the game is already over.');
  await shows(page, { '#headline': 'Black wins' });
});

atAddress('the editor says which character of a text is wrong', linkTo('editor', START), async (page) => {
  await fill(page, '#notation', 'ww3/1x3/5/5/bb1b1 w');
  await showsIllegal(page, 'Invalid position: check character 6.');
  await fill(page, '#notation', 'ww3/1w3/5/5/bb1b1');
  await showsIllegal(page, 'Invalid position: add a space and b or w, the side to move.');
});

atAddress('what is typed in a text field is not a shortcut', linkTo('editor', START), async (page) => {
  await focus(page, '#notation');
  await press(page, 'End', '1', 'n');
  await shows(page, { '#notation': 1 });
  assert.equal(await read(page, '#notation'), `${START}1n`);
});

atAddress('in the editor, arrow keys go on from a square that was clicked', linkTo('editor', START), async (page) => {
  await point(page, squareOf('c3'));
  await press(page, 'ArrowUp', 'Delete');
  await shows(page, { hash: '#view=editor&start=1w1w1/5/2b2/2w2/1b1b1_b' });
});

atAddress('a position of the editor is played', linkTo('editor', START), async (page) => {
  await fill(page, '#notation', '5/bb1b1/5/5/ww1w1 w');
  await showsLegal(page, '5/bb1b1/5/5/ww1w1 w');
  await click(page, '#use');
  await shows(page, { '[name=colour] + span': ['Black', 'White (first)', 'Random'] });
  await click(page, '#start-game');
  await shows(page, { hash: /start=5\/bb1b1\/5\/5\/ww1w1_w/ });
});

// ---- moves, pieces and keys ----

atAddress('undo and redo go through a game; trying another move loses nothing', '#', async (page) => {
  await play(page, 'b1-c1', 'b5-c5', 'c4-e2');
  await click(page, '#undo');
  await shows(page, { '#headline': 'Black to move', '.ply.undone': 1, '[data-square=c5][aria-label*="last move"]': 1 });
  await click(page, '#redo');
  await shows(page, { '#headline': 'White to move' });
  await press(page, 'ArrowLeft', 'u', 'u', 'r');
  await shows(page, { board: '1w1w1/2b2/5/2w2/2bb1' });
  await play(page, 'c2-c3');
  await shows(page, { moves: 'b1-c1 c2-c3', '.variation': '1… b5-c5 2. c4-e2', hash: '#moves=b1c1.c2c3vb5c5.c4e2z' });
  await click(page, '.variation button');
  await press(page, 'End');
  await shows(page, { moves: 'b1-c1 b5-c5 c4-e2' });
  await click(page, '[data-ply="0"]');
  await shows(page, { board: BOARD });
  await click(page, '#latest');
  await shows(page, { '.ply.undone': 0 });
});

atAddress('a position that occurs for the second time is named', '#moves=c4c5.c2c1.b1b4.c1e3.b4b1.e3c1', (page) =>
  shows(page, { '#subline': /^This position has occurred twice/ }));

atAddress('a visit to the review and a reload take nothing back', '#', async (page) => {
  await play(page, 'b1-c1', 'b5-c5', 'c4-e2');
  await click(page, '#resign', '#resign');
  await shows(page, { '#headline': 'Black wins' });
  await click(page, '#tab-explore', '#to-review');
  await press(page, 'End', 'Home');
  await shows(page, { board: BOARD });
  await reload(page);
  await shows(page, { board: BOARD });
  await click(page, '#tab-play');
  await press(page, 'End');
  await shows(page, { '#headline': 'Black wins' });
  await click(page, '#undo');
  await shows(page, { '#headline': 'White to move' });
});

atAddress('a piece that is put back at once remains picked up, and nothing is said of it', '#', async (page) => {
  const [x, y] = await holdOver(page, 'b1-b4');
  await page.mouse.move(x + 3, y);
  await page.mouse.up();
  await shows(page, { '.lifted .piece': 0, 'board': BOARD, '.target': 4, '#spoken': 'b1, selected.' });
});

atAddress('a piece is deselected by Escape, by a second click, but not by an illegal drag', '#', async (page) => {
  await dragMove(page, 'b1-e5');
  await shows(page, { board: BOARD, '.target': 4 });
  await press(page, 'g', 'Escape');
  await shows(page, { '.target': 0 });
  await point(page, '[data-square=b1]', '[data-square=b1]');
  await shows(page, { '.target': 0 });
});

atAddress('arrow keys move on the board that keys lead to, also after a click on it', '#', async (page) => {
  await point(page, '[data-square=b2]');
  await press(page, 'g', 'ArrowRight');
  await shows(page, { '[data-square=c2]:focus': 1 });
  await point(page, '[data-square=c2]');
  await press(page, 'Shift+Tab', 'Tab', 'ArrowUp');
  await shows(page, { '[data-square=c3]:focus': 1 });
});

atAddress('a piece that is dragged while the game is undone returns to its square', '#', async (page) => {
  await play(page, 'b1-b4', 'b5-c5', 'b4-b1');
  const [x, y] = await holdOver(page, 'c5-c3');
  await press(page, 'ArrowLeft', 'ArrowLeft', 'ArrowLeft');
  await page.mouse.move(x, y);
  await page.mouse.up();
  await shows(page, { board: BOARD, '.lifted .piece': 0 });
});

atAddress('another view begins at its top', '#view=explore', async (page) => {
  const scrolled = (to) => page.evaluate((top) => {
    const panel = document.querySelector('.panel');
    panel.scrollTop = top ?? panel.scrollTop;
    return panel.scrollTop;
  }, to);
  assert.equal(await scrolled(99), 99);
  await click(page, '#tab-learn');
  await shows(page, { '.lessons': 1 });
  assert.equal(await scrolled(), 0);
});

/** The keys, of those that a page scrolls with, that it does not do that with. */
const keptKeys = (page) => page.evaluate(() => ['Home', 'End', 'ArrowLeft', 'ArrowRight'].filter((key) =>
  !document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))));

for (const [view, kept] of [['study', 0], ['lessons', 0], ['puzzle', 0], ['explore', 4]])
  atAddress(`${kept} keys that scroll have another function in the view ${view}`, `#view=${view}`, async (page) => {
    assert.equal((await keptKeys(page)).length, kept);
  });

atAddress('a piece that is dragged stays with the pointer while the page renders', '#', async (page) => {
  await holdOver(page, 'b1-b4');
  const place = () => document.querySelector('.lifted .dragged').style.transform;
  const held = await page.evaluate(place);
  await press(page, 'x'); // shows the values
  await shows(page, { '.lifted .dragged': 1, '.values': 1 });
  assert.equal(await page.evaluate(place), held);
  await page.mouse.up();
  await shows(page, { moves: 'b1-b4' });
});

/** Lists the calls of functions of the WebAssembly module that play moves. Runs in the page. */
const countingCalls = `
  localStorage.neutreeko ??= '{"met":true}';
  globalThis.played = 0;
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...given) => {
    const { instance } = await instantiate.apply(WebAssembly, given);
    const exports = { ...instance.exports };
    exports.web_game_play = (...values) => {
      globalThis.played++;
      return instance.exports.web_game_play(...values);
    };
    return { instance: { exports } };
  };`;
const countedGame = { prepare: { content: countingCalls }, hash: '#view=explore&moves=b1c1.b5c5.c4e2' };
onPage('a move is one call of the engine, undo and redo none', countedGame, async (page) => {
  const playedBy = async (action, moves) => {
    await page.evaluate(() => { globalThis.played = 0; });
    await action();
    await shows(page, { moves });
    return page.evaluate(() => globalThis.played);
  };
  assert.equal(await playedBy(() => play(page, 'd5-e5'), 'b1-c1 b5-c5 c4-e2 d5-e5'), 1);
  assert.equal(await playedBy(() => click(page, '#undo', '#undo'), 'b1-c1 b5-c5 c4-e2 d5-e5'), 0);
  assert.equal(await playedBy(() => click(page, '#redo'), 'b1-c1 b5-c5 c4-e2 d5-e5'), 0);
  assert.equal(await playedBy(() => play(page, 'c5-a5'), 'b1-c1 b5-c5 c4-e2 c5-a5'), 1);
  await shows(page, { hash: '#view=explore&moves=b1c1.b5c5.c4e2.d5e5vc5a5z&at=5' });
});

// ---- the history, dialogs and the focus ----

atAddress('back and forward go through views, but not beneath a dialog', '#', async (page) => {
  await play(page, 'b1-c1', 'b5-c5');
  await click(page, '#tab-explore', '#to-editor');
  await shows(page, { '#editor-verdict': 1 });
  await page.goBack();
  await shows(page, { '#tab-explore[aria-selected=true]': 1 });
  await page.goBack();
  await shows(page, { '#tab-play[aria-selected=true]': 1 });
  await page.goForward();
  await shows(page, { '#tab-explore[aria-selected=true]': 1 });
  await click(page, '#help-button');
  await shows(page, { '#help': 1 });
  await press(page, '2'); // which goes to another tab
  await shows(page, { '#help': 1 });
  await page.goBack();
  await shows(page, { '#help': 0, '#tab-explore[aria-selected=true]': 1, moves: 'b1-c1 b5-c5', '.undone': 0 });
  await page.goBack();
  await shows(page, { '#tab-play[aria-selected=true]': 1 });
});

atAddress('moves add nothing to the history: going back leaves a game at once', '#', async (page) => {
  const before = await page.evaluate(() => history.length);
  await play(page, 'b1-c1', 'b5-c5', 'c4-e2');
  await click(page, '#undo', '#redo');
  assert.equal(await page.evaluate(() => history.length), before);
});

atAddress('a link to another board is opened while a line is played', '#view=explore', async (page) => {
  await click(page, '#line-play');
  await openLink(page, '#board=3x3/2&view=explore');
  await shows(page, { '[role=gridcell]': 9, '.value': /\S/ });
  await click(page, '#standard-button');
  await shows(page, { '[role=gridcell]': 25 });
});

atAddress('the page works when the browser refuses to change the history', '#', async (page) => {
  await play(page, 'b1-c1', 'b5-c5');
  // Firefox and Safari refuse too many changes in a short time.
  await page.evaluate(() => {
    history.replaceState = () => {
      throw new DOMException('', 'SecurityError');
    };
  });
  await click(page, '#undo');
  await shows(page, { '.undone': 1 });
  await page.evaluate(() => delete history.replaceState);
  await click(page, '#redo');
  await shows(page, { '.undone': 0 });
});

atAddress('a dialog that takes the place of another has the focus, until an address is opened', '#', async (page) => {
  await click(page, '#menu-button');
  await focus(page, '#menu-help'); // which goes with the menu, unlike the button that has had the focus until then
  await press(page, 'Enter');
  await shows(page, { '#close:focus': 1, '[aria-haspopup=dialog]': 3 });
  const names = () => [...document.querySelectorAll('.icon')].map(({ title, ariaLabel }) => `${title}, ${ariaLabel}`);
  const found = ['Share', 'Rules and keys', 'Menu', 'Undo', 'Redo', 'Flip board', 'Close'];
  assert.deepEqual(await page.evaluate(names), found.map((name) => `${name}, ${name}`));
  await openLink(page, '#moves=d1c1');
  await shows(page, { 'dialog[open]': 0, moves: 'd1-c1' });
});

const SLOW_THREAT = linkTo('explore', '1bwb1/4b/5/4w/3w1 b');
atAddress('a threat that is slower than the end of the game is left out', SLOW_THREAT, async (page) => {
  await hover(page, '.value[data-move=b5-d3]');
  await shows(page, { '.why': /^b5-d3 Black still loses, in 2 moves\.(?!.*threatens)/ });
});

const DISAPPEARING = {
  'that resigns': ['#moves=b1c1.b5c5', '#resign', 2, '.sheet'],
  'that shows the answer': ['#view=lessons&at=4', '#lesson-show', 1, '.preview'],
  'that plays the last move': ['#view=explore&start=5/bb1b1/5/5/ww1w1_b', '.value', 1, '.winning'],
};
for (const [name, [hash, selector, times, result]] of Object.entries(DISAPPEARING))
  atAddress(`a button ${name} leaves the focus to the panel, where Enter does nothing`, hash, async (page) => {
    await focus(page, selector);
    await press(page, ...Array(times).fill('Enter'));
    await shows(page, { [result]: 1, '#view:focus': 1 });
  });

const byTouch = { hasTouch: true, fresh: true };
onPage('who begins a game by touch does not get the focus in the panel', byTouch, async (page) => {
  await page.keyboard.press('n');
  await shows(page, { '#start-game:focus-visible': 1 });
  await tap(page, '#start-game');
  await shows(page, { 'dialog[open]': 0 });
  await settle(page);
  await shows(page, { '#view:focus': 0 });
});

// ---- hints and puzzles ----

const HINTED = '#moves=b1c1.b5c5';
atAddress('a hint of Play is not shown in other views', HINTED, async (page) => {
  await click(page, '#hint', '#hint', '#hint', '#tab-explore');
  await shows(page, { '.piece.glow': 0, '.preview': 0 });
});

onPage('while an opponent thinks, there is no hint', { players: { black: 'perfect', white: 'human' }, patient: 100 },
  (page) => shows(page, { '#hint:disabled': 1 }));

const [puzzle, failed] = puzzles(2, 3, '--plies=5').map(({ position }) => position);

atAddress('a puzzle is solved move by move, against the longest defence', linkTo('puzzle', puzzle), async (page) => {
  await shows(page, { '#subline': 'Win in 3. Only one move does it.' });
  const opponent = puzzle.endsWith('b') ? 'white' : 'black';
  for (const left of [5, 3, 1]) {
    await appears(page, '.movable');
    await shows(page, { [`[aria-label*="${opponent} piece, last move"]`]: Number(left < 5) });
    const [{ move, plies }] = await nativeMoves(page, puzzle.at(-1));
    assert.equal(plies, left);
    await play(page, move);
    if (left > 1) await shows(page, { '#headline': 'Correct! Go on.', '#subline': `Win in ${(left - 1) / 2}.` });
  }
  await shows(page, { '#headline': 'Correct!', '#streak': '1', '#bestStreak': '1', '#rating': '1018' });
  await click(page, '#puzzle-explore');
  await shows(page, { hash: linkTo('explore', puzzle) });
});

atAddress('the second hint of a puzzle shows the move, until it is played', linkTo('puzzle', failed), async (page) => {
  await click(page, '#hint');
  await shows(page, { '#hint-text': /^Hint: the piece on ..\./, '.glow': 1, '.preview': 0 });
  await focus(page, '#hint');
  await press(page, 'Enter');
  await shows(page, { '#hint-text': /It\u2019s the only move that wins\./, '.preview': 1 });
  await shows(page, { '#hint:disabled': 1, '#view:focus': 1 }); // Enter does nothing there
  await click(page, '#tab-explore', '#tab-learn', '#to-puzzle');
  await shows(page, { '.preview': 1 });
  await play(page, query(failed)[0].moves[0].move);
  await shows(page, { '.preview': 0 });
});

atAddress('an easy puzzle is a win in two; the answer of one of a draw does not lose', '', async (page) => {
  await page.evaluate(() => { // before the puzzle of the day is found
    for (const selector of ['#tab-learn', '#to-puzzle', '[name=grade][value=easy]'])
      document.querySelector(selector).click();
  });
  await shows(page, { '#subline': /^Win in 2\. Only one move does it\./ });
  await click(page, '[name=grade][value=draw]');
  await shows(page, { '#subline': /^Only one move doesn\u2019t lose\./, '#view': /^(?!.*Only one move)/s });
  const [saving, losing] = await nativeMoves(page);
  assert.deepEqual([saving.result, losing.result], ['draw', 'loss']);
  await click(page, '#puzzle-show');
  await shows(page, { '#headline': `The answer is ${saving.move}.` });
  assert.deepEqual((await stored(page, 'neutreeko-record')).puzzles, { draw: [0, 1] });
});

const anyGrade = { hash: '#view=puzzle', fresh: true };
onPage('a hard puzzle is a win in four or five, whatever is drawn at random', anyGrade, async (page) => {
  for (const [drawn, next, moves] of [[2, '[name=grade][value=hard]', 4], [1, '#puzzle-next', 5]]) {
    await page.evaluate((value) => { crypto.getRandomValues = (numbers) => numbers.fill(value); }, drawn);
    await click(page, next);
    await shows(page, { '#subline': `Win in ${moves}. Only one move does it.` });
  }
});

const counted = { record: { puzzles: { medium: [1, 1], draw: [0, 1] }, bestStreak: 1 } };
onPage('what is counted is shown, saved as a file, and deleted after a question', counted, async (page) => {
  await click(page, '#menu-button', '#menu-statistics');
  await shows(page, { '#statistics': /Medium\s+1\s+1\s+Save the draw\s+0\s+1/ });
  const { name, bytes } = await saveFile(page, '#export');
  assert.deepEqual([name, JSON.parse(bytes).bestStreak], ['neutreeko.json', 1]);
  await click(page, '#delete', '#delete');
  assert.equal(await stored(page, 'neutreeko-record'), null);
});

// ---- sounds and sharing ----

onPage('a move has a tone, a won game four', { settings: { sound: true }, fresh: true }, async (page) => {
  await page.evaluate(() => {
    globalThis.tones = [];
    globalThis.AudioContext = class {
      currentTime = 10 + globalThis.tones.length; // of one that is made later
      createGain = () => ({ gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} });
      createOscillator() {
        const tone = [];
        const frequency = { setValueAtTime: (value) => tone.push(value), exponentialRampToValueAtTime() {} };
        const start = (at) => globalThis.tones.push([...tone, at]);
        return { frequency, connect: (next) => next, start, stop() {} };
      }
    };
  });
  await play(page, 'b1-c1');
  assert.deepEqual(await page.evaluate(() => globalThis.tones), [[220, 10]]);
  await openLink(page, '#start=5/5/2w2/1w2w/bb1b1_b');
  await play(page, 'd1-c1');
  const [, first, ...others] = await page.evaluate(() => globalThis.tones);
  assert.deepEqual([first, others.map(([frequency]) => frequency)], [[392, 10], [494, 587, 784]]);
});

onPage('what is shared leads back to the same game', { url: FILE }, async (page, context) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => { navigator.share = () => {}; });
  await play(page, 'b1-c1', 'b5-c5', 'c4-e2');
  await click(page, '#undo', '#share-button');
  await shows(page, { '#native-share': 0, '#local-hint': /^This link works on this device only/ });
  const link = await read(page, '#share-link');
  const record = await read(page, '#share-record');
  const shared = await read(page, '#share-position');
  assert.equal(shared, '2ww1/2b2/5/2w2/2bb1 b');
  await click(page, '[aria-label="Copy: Game"]');
  await shows(page, { '#spoken[aria-live=polite]': 'Copied' });
  assert.equal((await page.evaluate(() => navigator.clipboard.readText())).trim(), record);
  native(record, 'review', '-'); // fails if it cannot read the record

  const other = await openWindow(context, link);
  await shows(other, { moves: 'b1-c1 b5-c5 c4-e2', board: boardOf(shared), '.ply.undone': 1 });
  await openText(other, '5/bb1b1/5/5/ww1w1 w');
  await shows(other, { board: '5/bb1b1/5/5/ww1w1' });
  await openText(other, record);
  await shows(other, { moves: 'b1-c1 b5-c5' });
  await openText(other, '1. b1-c1 (d1-c1 {Look}) b5-c5');
  await shows(other, { moves: 'b1-c1 b5-c5', '.variation': 1, '#tab-explore': 1 });
  await click(other, '.variation button');
  await shows(other, { '#view > .comment': 'Look' });
  await openText(other, `${PAGE}#moves=d1c1`);
  await shows(other, { moves: 'd1-c1' });
  await openText(other, '1. b1-c1 b1-c1');
  await shows(other, { '#open-error': /^Couldn\u2019t read that as a link, position or game\..*move 1 \(White\)/ });
  await press(other, 'Escape');
  await shows(other, { moves: 'd1-c1' }); // an invalid text changes nothing
});
