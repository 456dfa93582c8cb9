// Measures the size of the page, the time until it shows the board and has its values, the time of calls, that of
// solving boards, and the longest task of the browser's main thread in every view and dialog.
// Usage: bench.mjs PAGE WASM TABLE, with the environment of browser.mjs.
//
// Times are the minimum, median and maximum. Each run is in a new context, without any cache of the browser.

import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { loadEngine } from '../../web/engine/engine.js';
import { solve } from '../../web/engine/solve.js';
import { click, everywhere, launch, newPage, randomOf } from './browser.mjs';
import { solveHost } from './solve_host.mjs';

const [path, wasm, table] = process.argv.slice(2);
const url = pathToFileURL(path).href;
const browser = await launch();

/** The minimum, median and maximum of numbers. */
function spread(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return [sorted[0], sorted[sorted.length >> 1], sorted[sorted.length - 1]];
}

const print = (what, times, digits = 3, more = '') =>
  console.log(what.padEnd(46), ...spread(times).map((time) => time.toFixed(digits).padStart(10)), `ms${more}`);

/** What `measure` finds in a page in so many runs. The introduction has been seen. */
async function inPages(runs, address, measure, options) {
  const found = [];
  while (found.length < runs) {
    const page = await newPage(browser, options);
    await page.addInitScript(() => (localStorage.neutreeko ??= '{"met": true}'));
    await page.goto(address);
    found.push(await measure(page));
    await page.context().close();
  }
  return found;
}

/** Positions of random games. */
function randomPositions(engine, count) {
  const game = engine.newGame(engine.start ?? engine.firstStart());
  const positions = [];
  const random = randomOf(1);
  while (positions.length < count) {
    const { legal, position } = game.state();
    if (legal.length) positions.push(position);
    if (legal.length) game.play(legal[random(legal.length)].move);
    else game.goto(0);
  }
  return positions;
}

// ---- the page and the modules ----

async function measureCalls() {
  const engine = await loadEngine(readFileSync(wasm), readFileSync(table));
  const positions = randomPositions(engine, 1000);
  const calls = (what, task) => print(what, positions.map((position) => {
    const game = engine.newGame(position);
    const [{ move }] = game.choices();
    const begin = performance.now();
    task({ game, move, position });
    return performance.now() - begin;
  }));
  calls('a position, all its moves', ({ position }) => engine.moves(position));
  calls('why a move', ({ game, move }) => game.why(0, move));
  for (const name of ['perfect', 'level:9', 'alphabeta:4'])
    calls(`a move of ${name}`, ({ game }) => game.opponentMove(name, 1));
  const host = solveHost(wasm);
  /** Measures a task in so many runs. Returns the answer of the last one. */
  const measureWork = async (what, runs, task) => {
    const times = [];
    let answer;
    let least = Number.POSITIVE_INFINITY; // milliseconds of all processors
    while (times.length < runs) {
      const [begin, before] = [performance.now(), process.cpuUsage()];
      answer = await task();
      times.push(performance.now() - begin);
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, (user + system) / 1000);
    }
    print(what, times, 3, `, ${least.toFixed()} of the processors`);
    return answer;
  };
  for (const [side, pieces, runs] of [[6, 3, 3], [7, 3, 3], [8, 3, 1], [6, 4, 1]]) {
    const board = { width: side, height: side, pieces, row_length: 3, win: 'line' };
    const what = `${side}x${side} with ${pieces} pieces`;
    await measureWork(`solving ${what}`, runs, () => solve(host, board));
  }
  const most = process.resourceUsage().maxRSS / 1000; // from kB
  console.log('maximum memory of the process'.padEnd(46), most.toFixed().padStart(21), 'MB');
}

// ---- tasks ----

const IDLE = 500; // milliseconds in which all that an action causes is done

/**
 * The longest task of each action, [what, milliseconds], of the processor, so that other programs disturb little. A
 * task is long if it takes 50 ms; on a phone that is 4 times as slow, one that takes 12.5 ms here.
 */
async function longestTasks(page) {
  const longest = [];
  const trace = () => browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  const done = async (what) => {
    await sleep(IDLE);
    const { traceEvents } = JSON.parse(await browser.stopTracing());
    const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
    const isMain = (event) => threads.some(({ pid, tid }) => pid === event.pid && tid === event.tid);
    // What goes on when a promise is resolved at the end of a task of scheduler.postTask does not belong to that task.
    const isTask = ({ name }) => /RunTask$|PerformMicrotaskCheckpoint$/.test(name);
    const tasks = traceEvents.filter((event) => isTask(event) && isMain(event));
    longest.push([what, Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000))]);
    await trace();
  };
  await trace();
  await page.goto(url);
  await page.waitForFunction(() => performance.getEntriesByName('ready').length);
  await sleep(4 * IDLE); // the values are there
  await done('the start');
  await page.keyboard.press('Escape');
  await everywhere(page, done);
  for (const [hash, ...selectors] of [
    ['#view=laboratory', '#close'],
    ['#moves=b1a1.d5e5.a1c1.e5c5.c1a1.c5e5.a1c1.e5c5.c1a1.c5e5', '#tab-explore', '#to-review', '#tab-explore'],
    ['#moves=b1a1.d5e5', '#undo', '[data-square=b5]', '[data-square=a4]'],
  ]) {
    await page.goto(url + hash);
    await done(hash);
    for (const selector of selectors) {
      await click(page, selector);
      await done(`click on ${selector}`);
    }
  }
  await browser.stopTracing();
  return longest;
}

console.log(' '.repeat(46), ...['minimum', 'median', 'maximum'].map((title) => title.padStart(10)));
/** When a page has set a mark, in milliseconds from the navigation. */
const markOf = (name) => async (page) => {
  const time = await page.waitForFunction((mark) => performance.getEntriesByName(mark)[0]?.startTime, name);
  return time.jsonValue();
};
print('the page, from file:// to a board', await inPages(25, url, markOf('first-contentful-paint')));
print('to moves on it', await inPages(25, url, markOf('ready')));
for (const board of ['5x5/3', '5x5/3/orthogonal', '6x6/3'])
  print(`${board}, to its values`, await (board === '5x5/3' ? inPages(25, url, markOf('solved'))
    : inPages(7, `${url}#board=${board}`, markOf('solved'))));
await measureCalls();
console.log('size of the page'.padEnd(46), String(statSync(path).size).padStart(21), 'bytes');
console.log('of it, the module'.padEnd(46), String(statSync(wasm).size).padStart(21), 'bytes, before deflating');
console.log('\nThe longest task:');
const tasks = await inPages(3, 'about:blank', longestTasks, { viewport: { width: 390, height: 844 } });
for (const [n, [what]] of tasks[0].entries()) print(what.slice(0, 46), tasks.map((run) => run[n][1]), 1);
await browser.close();
