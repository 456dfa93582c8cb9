// Prints the longest task of the browser's main thread in every view and dialog of the page, and what it consists of.
// Usage: tasks.mjs PAGE [WIDTHxHEIGHT], with the environment of browser.mjs
//
// Of several runs, the one with the shortest such task counts. Times are those of the processor, so that other programs
// disturb little. A task is long if it takes 50 ms; on a phone that is 4 times as slow, one that takes 12.5 ms here.
// Playwright's locators run scripts in the page, so this finds what it clicks on by itself.

import { pathToFileURL } from 'node:url';

import { everywhere, launch } from './browser.mjs';

const RUNS = 3;
const SHOWN = 2; // milliseconds: shorter tasks are not printed
const IDLE = 500; // milliseconds in which all that an action causes is done
const CATEGORIES = ['toplevel', 'devtools.timeline', 'blink.user_timing', 'v8'];

const [path, size = '390x844'] = process.argv.slice(2);
const [width, height] = size.split('x').map(Number);
const url = pathToFileURL(path).href;
const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** Walks through the page and returns the trace events of its main thread. */
async function trace(browser) {
  const context = await browser.newContext({ viewport: { width, height }, locale: 'en-US' });
  const opened = await context.newPage();
  await opened.addInitScript(() => (localStorage.neutreeko ??= '{"met": true}'));
  const protocol = await context.newCDPSession(opened);
  const evaluate = async (expression) => {
    const { result } = await protocol.send('Runtime.evaluate', { expression, returnByValue: true });
    return result.value;
  };
  let what = 'the start';
  /** Names what has been done since the last call. */
  const mark = async (next) => {
    await sleep(IDLE);
    await evaluate(`void performance.mark(${JSON.stringify(`done: ${what}`)})`);
    what = next;
  };
  const locator = (selector) => {
    const find = `document.querySelector(${JSON.stringify(selector)})`;
    const point = async (how, act) => {
      await evaluate(`${find}.scrollIntoView({ block: 'nearest' })`);
      const { x, y, width, height } = await evaluate(`${find}.getBoundingClientRect().toJSON()`);
      await mark(`${how} ${selector}`);
      await act(x + width / 2, y + height / 2);
    };
    return {
      first: () => locator(selector),
      hover: () => point('pointing at', (x, y) => opened.mouse.move(x, y)),
      click: () => point('click on', (x, y) => opened.mouse.click(x, y)),
    };
  };
  const press = async (key) => {
    await mark(`the key ${key}`);
    await opened.keyboard.press(key);
  };
  const goto = async (address) => {
    await mark(address.split('#')[1] ?? 'play');
    await evaluate(`location.href = ${JSON.stringify(address)}`);
  };

  const events = [];
  protocol.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await protocol.send('Tracing.start', { traceConfig: { includedCategories: CATEGORIES, excludedCategories: ['*'] } });
  await opened.goto(url);
  await opened.waitForFunction(() => performance.getEntriesByName('ready').length);
  await sleep(4 * IDLE); // the distances of the wins are computed
  await press('Escape');
  await everywhere({ url: () => url, goto, locator, keyboard: { press } }, () => sleep(IDLE));
  await locator('#tab-laboratory').click();
  await goto(`${url}#view=laboratory&board=5x5/3/orthogonal`);
  await locator('#lab-solve').click();
  await opened.waitForFunction(() => document.querySelector('#lab-longest'));
  await locator('#lab-longest').click();
  await goto(`${url}#moves=b1a1.d5e5.a1c1.e5c5.c1a1.c5e5.a1c1.e5c5.c1a1.c5e5`);
  for (const tab of ['review', 'explore']) await locator(`#tab-${tab}`).click();
  await goto(`${url}#moves=b1a1.d5e5`);
  await locator('#undo').click();
  for (const square of ['b5', 'a4']) await locator(`[data-square=${square}]`).click();
  await mark('');
  const done = new Promise((resolve) => protocol.once('Tracing.tracingComplete', resolve));
  await protocol.send('Tracing.end');
  await done;
  await context.close();
  const { pid, tid } = events.find(({ name }) => name.startsWith('done: '));
  return events.filter((event) => event.pid === pid && event.tid === tid);
}

/** What takes the time of a task: milliseconds by the name of the event, without what is inside it. */
function parts(task, events) {
  const times = {};
  const around = [];
  for (const event of events) {
    if (event.ts < task.ts || event.ts + event.dur > task.ts + task.dur) continue;
    while (around.length && around.at(-1).ts + around.at(-1).dur <= event.ts) around.pop();
    times[event.name] = (times[event.name] ?? 0) + event.tdur / 1000;
    if (around.length) times[around.at(-1).name] -= event.tdur / 1000;
    around.push(event);
  }
  return Object.entries(times)
    .filter(([, time]) => time >= 0.5)
    .sort(([, a], [, b]) => b - a)
    .map(([name, time]) => `${name} ${time.toFixed(1)}`)
    .slice(0, 5);
}

/** The longest task of each action: {time, parts} by its name. */
function longest(events) {
  const marks = events.filter(({ name }) => name.startsWith('done: ')).sort((a, b) => a.ts - b.ts);
  const spans = events.filter(({ ph, tdur }) => ph === 'X' && tdur !== undefined).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const found = new Map();
  for (const task of spans.filter(({ name }) => name.endsWith('RunTask'))) {
    const what = marks.find(({ ts }) => ts >= task.ts)?.name.slice(6);
    const time = task.tdur / 1000;
    if (what && time >= SHOWN && time > (found.get(what)?.time ?? 0)) found.set(what, { time, task });
  }
  return new Map([...found].map(([what, { time, task }]) => [what, { time, parts: parts(task, spans) }]));
}

const browser = await launch();
const least = new Map();
for (let run = 0; run < RUNS; run++)
  for (const [what, task] of longest(await trace(browser)))
    if (task.time < (least.get(what)?.time ?? Infinity)) least.set(what, task);
await browser.close();
console.log(`${'the longest task'.padEnd(48)}     ms  of that`);
for (const [what, task] of least)
  console.log(what.slice(0, 48).padEnd(48), task.time.toFixed(1).padStart(6), ` ${task.parts.join(', ')}`);
