// Tests of what the page's state has done outside of it (web/page/state/effects.ts), as questions to workers, without
// a browser. From the environment: what state.mjs names.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load, solverOf, startSolver } from '../../web/engine/elements.js';
import { EngineError } from '../../web/engine/module.js';
import { failureOf } from '../../web/engine/solve.js';
import { MOVED, after, move, open, page, searching, show, unsolved } from './state.mjs';

const WAIT = 20; // milliseconds

test('an action that is dispatched while another one is being finished follows it', () => {
  const finished = [];
  const store = page.createStore(after());
  store.followers.push(({ game: { hints } }) => {
    if (!hints.given) store.dispatch({ type: 'hint' });
    finished.push(hints.given);
  });
  store.dispatch({ type: 'flip' });
  assert.deepEqual(finished, [0, 1]);
});

/** The function to which each state is given. */
function following(dispatch, outside) {
  const effects = page.createEffects(dispatch, outside);
  return (state) => effects.forEach((follow) => follow(state));
}

test('an effect begins when the state wants it, and stops when it does not any more', async () => {
  const answers = [];
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = (task) => wait(task, WAIT);
  const follow = following((action) => answers.push(action.type), {});
  const demo = after({ type: 'showLine', name: 'best', position: after().start, moves: ['b1-c1'] });
  follow(demo);
  follow(page.reduce(demo, { type: 'stopLine' }));
  await new Promise((resolve) => wait(resolve, 3 * WAIT));
  assert.deepEqual(answers, []);
  follow(demo);
  await new Promise((resolve) => wait(resolve, 3 * WAIT));
  globalThis.setTimeout = wait;
  assert.deepEqual(answers, ['lineStep']);
});

/** Workers that answer only when a test has them do so. */
const workers = [];
class SilentWorker extends EventTarget {
  constructor() {
    super();
    this.received = [];
    workers.push(this);
  }
  postMessage(message) {
    this.received.push(message);
  }
  fail() {
    this.dispatchEvent(Object.assign(new Event('error'), { message: 'out of memory' }));
  }
  terminate() {
    this.isTerminated = true;
  }
}

Object.assign(globalThis.document, { getElementById: () => ({ textContent: '' }) });
globalThis.Worker = SilentWorker;

const GAMES = Array(3).fill({ start: '1w1w1/2b2/5/2w2/1b1b1 b', moves: 'b1c1', black: 'human', white: 'human' });
const settled = () => new Promise((resolve) => setTimeout(resolve, WAIT));

/** The actions that effects dispatch, the function to which each state is given, and what is outside of the state. */
function observe() {
  const actions = [];
  const outside = { solver: startSolver({}) };
  return { actions, outside, follow: following((action) => actions.push(action), outside) };
}

test('fair starts are looked for when the values are there', () => {
  const { follow } = observe();
  const asked = () => workers.at(-1).received.filter(({ what }) => what === 'fairStarts').length;
  const sheet = [{ type: 'openNewGame' }, { type: 'changeNewGame', changes: { isFairShown: true } }];
  follow(unsolved(...sheet));
  assert.equal(asked(), 0);
  follow(after(...sheet));
  assert.equal(asked(), 1);
});

test('the progress of solving is shown several times a second, and spoken every few seconds', (context) => {
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  const { actions, outside, follow } = observe();
  follow(unsolved());
  for (; now < 10000; now += 50)
    outside.solver.onProgress({ phase: 'solving', done: now / 1e5, ply: 1, decided: now, total: 1e5, by_plies: [now] });
  const spoken = (state) => actions.flatMap((action) => page.reduce(state, action).heard.sentences);
  assert.ok(actions.length > 60, actions.length);
  assert.deepEqual(spoken(unsolved(show('explore'))), ['Ply 1: 5,100 of 100,000 positions are decided.']);
  assert.deepEqual(spoken(unsolved()), []); // what has just been announced, as a move, is spoken
});

const TO_DRAW = '5/5/w4/5/bbwbw_b';
/** What the page waits for, and the milliseconds, with what chance adds. */
const WAITS = {
  'the reply of an opponent': [() => after(...MOVED), 450, 350],
  'the next move of a line': [() => after({ type: 'showLine', name: 'x', position: page.engine.start,
    moves: ['b1-c1'] }), 1000, 0],
  'the last move of a friend': [() => after(open('#moves=b1c1.b5c5&friend=17')), 700, 0],
  'the end of typing': [() => after(show('explore'), ...['a', 'b'].map((text) => ({ game: { tree: { origin } } }) =>
    ({ type: 'type', field: { kind: 'comment', origin, node: 0 }, text }))), 300, 0],
  'the next step of the introduction': [() => after({ type: 'introduce' }, move('b1-b4')), 900, 0],
  'the next position on the draw': [() => after(show('hold'), move('c4-c3')), 800, 0],
  'the reply in a puzzle': [() => after(open(`#view=puzzle&start=${TO_DRAW}`), move('a1-a2')), 600, 0],
};
for (const [what, [state, least, more]] of Object.entries(WAITS))
  test(`the page waits for ${what} as long as a user should`, (context) => {
    const { follow } = observe();
    const waits = [];
    context.mock.method(globalThis, 'setTimeout', (_, time) => waits.push(time));
    follow(state());
    assert.deepEqual(waits.map((time) => time >= least && time <= least + more), [true], `${waits}`);
  });

test('a puzzle of an address is that of yesterday if it is the one of that day', async () => {
  const { actions, follow } = observe();
  follow({ ...after(open(`#view=puzzle&start=${TO_DRAW}`)), today: '2026-12-01' });
  const worker = workers.at(-1);
  for (const { id, seed } of worker.received.filter(({ what }) => what === 'puzzle')) {
    const data = { id, answer: seed === 20261130 ? TO_DRAW.replace('_', ' ') : null };
    worker.dispatchEvent(Object.assign(new Event('message'), { data }));
  }
  await settled();
  assert.deepEqual(actions.map(({ type, date }) => [type, date]), [['dailyFound', '2026-11-30']]);
});

test('half a second after it has begun, the solving is slow, however often progress arrives', (context) => {
  const waits = [];
  context.mock.method(globalThis, 'setTimeout', (_, time) => waits.push(time));
  const { follow } = observe();
  const solving = unsolved();
  follow(solving);
  const progress = { phase: 'solving', done: 0, ply: 1, decided: 1, total: 9, by_plies: [0, 1] };
  follow(page.reduce(solving, { type: 'solvingProgress', progress, isSpoken: false }));
  assert.deepEqual(waits, [500]);
});

test('mistakes are shown in turn, after the last one the first one, each after the moves before it', async () => {
  const { actions, follow } = observe();
  follow(searching({ games: GAMES, at: GAMES.length + 1 }));
  for (const game of GAMES.keys()) {
    const { id } = workers.at(-1).received.at(-1);
    const answer = [{ mark: '?', side: 'white', position: `in ${game}`, ply: 2 }];
    workers.at(-1).dispatchEvent(Object.assign(new Event('message'), { data: { id, answer } }));
    await settled();
  }
  const shown = actions[0].found.map(({ position, moves }) => [position, ...moves]);
  assert.deepEqual(shown, [['in 1', 'b1-c1'], ['in 2', 'b1-c1'], ['in 0', 'b1-c1']]);
});

test('mistakes that a failed worker cannot find are not taken for none', async () => {
  const { actions, follow } = observe();
  const search = { games: GAMES, at: 0 };
  follow(searching(search));
  workers.at(-1).fail();
  await settled();
  assert.deepEqual(actions, [{ type: 'exerciseFound', request: search, found: null }]);
});

test('a search that cannot begin has failed', async () => {
  const { actions, outside, follow } = observe();
  outside.solver.isLost = () => {
    throw new EngineError('memory', '');
  };
  const search = { games: GAMES, at: 0 };
  follow(searching(search));
  await settled();
  assert.deepEqual(actions, [{ type: 'exerciseFound', request: search, found: null }]);
});

test('another worker answers what is asked after one has failed', async () => {
  const { follow } = observe();
  follow(searching({ games: GAMES, at: 0 }));
  const first = workers.at(-1);
  first.fail();
  await settled();
  follow(searching({ grade: 'easy', seed: 1, date: '' }));
  assert.notEqual(workers.at(-1), first);
  assert.ok(first.isTerminated); // it might go on
  const [job, question] = workers.at(-1).received;
  assert.deepEqual(job.board, page.engine.board);
  assert.equal(question.what, 'puzzle');
  const { length } = workers;
  follow(searching({ grade: 'easy', seed: 2, date: '' }));
  assert.equal(workers.length, length); // which has the values already
});

test('an answer of a worker that has failed is ignored', async () => {
  const { actions, follow } = observe();
  follow(searching({ games: GAMES, at: 0 }));
  const worker = workers.at(-1);
  worker.fail();
  worker.dispatchEvent(Object.assign(new Event('message'), { data: { id: 0, answer: [] } }));
  await settled();
  assert.equal(actions[0].found, null);
});

test('a worker that cannot be started or loses a message has failed, and says so', async () => {
  for (const [event, why] of [['error', 'the worker could not be started'], ['messageerror', 'a message was lost']]) {
    const solver = startSolver({});
    workers.at(-1).dispatchEvent(new Event(event));
    await assert.rejects(solver.solved, { message: why });
    assert.ok(solver.isLost());
  }
});

test('the page knows why its worker could not solve the board, such as a lack of memory', async () => {
  const { solved } = startSolver({});
  const data = { failure: failureOf(new RangeError('Invalid typed array length: 9')) };
  workers.at(-1).dispatchEvent(Object.assign(new Event('message'), { data }));
  await assert.rejects(solved, { code: 'memory' });
});

test('what the worker that starts before the page has done is reported to the page', () => {
  const { board } = page.engine;
  load(() => new Uint8Array(), '');
  const reported = [];
  solverOf(board, true).onProgress = (progress) => reported.push(progress);
  const progress = { done: 0.25 };
  workers.at(-1).dispatchEvent(Object.assign(new Event('message'), { data: { progress } }));
  assert.deepEqual(reported, [progress]);
});
