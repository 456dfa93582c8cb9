// Measures the size of the page, the time until it is ready, the time of calls, and that of solving boards in one and two threads.
// Prints the least, median and greatest times.
// Usage: bench.mjs PAGE WASM TABLE, with the environment of browser.mjs; the modules that solve boards are next to WASM.

import { readFileSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { loadEngine } from '../../web/engine.js';
import { solve } from '../../web/solve.js';
import { launch } from './browser.mjs';
import { solveHost } from './solve_host.mjs';

const RUNS = 25;
const SOLVES = 7;
const [page, wasm, table] = process.argv.slice(2);

function print(what, times) {
  const sorted = times.toSorted?.((a, b) => a - b) ?? [...times].sort((a, b) => a - b);
  const figures = [sorted[0], sorted[sorted.length >> 1], sorted[sorted.length - 1]];
  console.log(what.padEnd(46), ...figures.map((time) => time.toFixed(3).padStart(10)), 'ms');
}

function time(task) {
  const begin = performance.now();
  task();
  return performance.now() - begin;
}

console.log(' '.repeat(46), ...['least', 'median', 'greatest'].map((title) => title.padStart(10)));

/** Measures how long the laboratory solves a board after it has measured the device. */
async function solving(board) {
  const times = [];
  for (let run = 0; run < SOLVES; run++) {
    const context = await browser.newContext({ locale: 'en-US' });
    const opened = await context.newPage();
    await opened.goto(`${pathToFileURL(page).href}#view=laboratory&board=${board}`);
    await opened.waitForFunction(() => /about/.test(document.querySelector('#lab-estimate')?.textContent));
    times.push(await opened.evaluate(() => new Promise((resolve) => {
      const begin = performance.now();
      const look = () => document.querySelector('#lab-play') && resolve(performance.now() - begin);
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
      document.querySelector('#lab-solve').click();
    })));
    await context.close();
  }
  return times;
}

const browser = await launch();
const ready = [];
for (let run = 0; run < RUNS; run++) {
  const context = await browser.newContext(); // with an empty cache
  const opened = await context.newPage();
  await opened.goto(pathToFileURL(page).href);
  const time = await opened.waitForFunction(() => performance.getEntriesByName('ready')[0]?.startTime);
  ready.push(await time.jsonValue());
  await context.close();
}
print('the page, from file:// to ready to play', ready);
for (const board of ['5x5/3/orthogonal', '6x6/3']) print(`${board}, from Solve to its result`, await solving(board));
await browser.close();

const engine = await loadEngine(readFileSync(wasm), readFileSync(table));
const game = engine.newGame();
const positions = [];
for (let seed = 0; positions.length < 1000; seed++) {
  if (game.state().over || !game.play(game.opponentMove('random', seed)).ok) game.goto(0);
  if (!game.state().over) positions.push(game.state().position);
}
print('a position, all its moves', positions.map((position) => time(() => engine.moves(position))));
const inGame = (position, task) => time(task.bind(null, engine.newGame(position)));
print('why a move', positions.map((position) => {
  const [{ move }] = engine.moves(position);
  return inGame(position, (begun) => begun.why(0, move));
}));
for (const name of ['perfect', 'level:9', 'alphabeta:4'])
  print(`a move of ${name}`, positions.slice(0, 200).map((one) => inGame(one, (begun) => begun.opponentMove(name, 1))));
const host = solveHost(wasm.replace('.wasm', '-solve.wasm'), wasm.replace('.wasm', '-solve-threads.wasm'));
for (const side of [6, 7])
  for (const threads of [1, 2]) {
    const times = [];
    while (times.length < 3) {
      const begin = performance.now();
      await solve({ width: side, height: side, pieces: 3, row: 3, win: 'line' }, { host, threads });
      times.push(performance.now() - begin);
    }
    print(`solving ${side}x${side} with 3 pieces in ${threads === 1 ? 'one thread' : 'two threads'}`, times);
  }
console.log('size of the page'.padEnd(46), String(statSync(page).size).padStart(21), 'bytes');
console.log('of it, the module'.padEnd(46), String(statSync(wasm).size).padStart(21), 'bytes, before deflating');
