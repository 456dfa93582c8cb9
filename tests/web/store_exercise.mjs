// Tests of what actions make of puzzles, lessons and the introduction (web/page/state/exercise.ts), without a browser.
// From the environment: what state.mjs names.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EXERCISES as LESSONS } from '../../web/page/state/aims.js';
import {
  AGAINST, FAIR, TO_DRAW, after, from, kept, move, open, page, replyInPuzzle, searching, show,
} from './state.mjs';

test('the deletion of the results is spoken', () => {
  const { results, heard } = after({ type: 'deleteResults' }, { type: 'deleteResults' });
  assert.deepEqual([results.puzzles, heard.sentences], [{}, ['Deleted.']]);
});

test('that there is no puzzle is said until another one is looked for', () => {
  const found = ({ exercises: { puzzle } }) => ({ type: 'exerciseFound', request: puzzle.search, found: [] });
  const none = (...actions) => after(show('puzzle'), found, ...actions).exercises.puzzle.none;
  assert.deepEqual([none(), none({ type: 'nextExercise', from: 'hard' })], ['puzzleNoneNote', '']);
  const reasons = [[[], { games: [], at: 0 }], [null, { games: [], at: 0 }]].map(([answer, request]) =>
    from(searching(request), { type: 'exerciseFound', request, found: answer }).exercises.puzzle.none);
  assert.deepEqual(reasons, ['mistakesNone', 'puzzleUnread']);
});

test('after a mistake, the next one is asked for', () => {
  const mistakes = { type: 'nextExercise', from: 'mistakes' };
  const asked = [[mistakes], [mistakes, mistakes]].map((actions) =>
    after(show('puzzle'), ...actions).exercises.puzzle.search.at);
  assert.deepEqual(asked, [0, 1]);
});

test('a puzzle that is found late is not shown in place of the one that was asked for later', () => {
  const asked = after(show('puzzle'));
  const later = page.reduce(asked, { type: 'nextExercise', from: 'hard' });
  const found = [{ position: 'b4/1w1wb/1wb2/5/5 b' }];
  const state = page.reduce(later, { type: 'exerciseFound', request: asked.exercises.puzzle.search, found });
  assert.deepEqual([state.exercises.puzzle.item, state.settings.grade], [null, 'hard']);
});

const FOUND = [show('puzzle'), { type: 'flip' }, ({ exercises: { puzzle: { search: request } } }) =>
  ({ type: 'exerciseFound', request, found: [{ position: 'b4/1w1wb/1wb2/5/5 b' }] })];
const NEXT = {
  'a puzzle': FOUND, 'another view': [{ type: 'flip' }, show('explore')], 'a game': [{ type: 'flip' }, AGAINST],
  'the introduction': [{ type: 'flip' }, { type: 'introduce' }],
  'the view of an address': [show('explore'), { type: 'togglePen' }, { type: 'flip' }, open('#view=study')],
};
for (const [what, actions] of Object.entries(NEXT))
  test(`${what} that follows is neither turned nor drawn on as what was shown before`, () => {
    const { isTurned, pen } = after(...actions);
    assert.deepEqual([isTurned, pen], [false, false]);
  });

test('a puzzle counts once, also when the page is loaded again', () => {
  const first = kept(after(), TO_DRAW, { type: 'showAnswer' });
  const again = from({ ...page.blank(), results: first.results }, page.openingOfHistory(), { type: 'showAnswer' });
  assert.deepEqual([first, again].map(({ results }) => results.puzzles), Array(2).fill({ draw: [0, 1] }));
});

test('a puzzle goes on when the history leads back to it', () => {
  const { gameState } = after(TO_DRAW, move('a1-a2'), show('explore'), TO_DRAW).exercises.puzzle;
  assert.equal(gameState.plies, 1);
});

test('without a number, the first lesson that is not done opens', () => {
  const { settings, ...state } = after();
  const done = { ...state, settings: { ...settings, lessons: { slide: 4, line: 4, threat: 1 } } };
  const { name, number } = page.reduce(done, show('lessons')).exercises.lessons;
  assert.deepEqual([name, number], ['threat', 1]);
});

test('a lesson that is done stays done when it is repeated', () => {
  const { settings, ...state } = after();
  const done = { ...state, settings: { ...settings, lessons: { line: 4 } } };
  const [{ move: solution }] = page.engine.moves(LESSONS.line[0]);
  const { exercises, settings: { lessons } } = from(done, open('#view=lessons&at=2'), move(solution));
  assert.deepEqual([exercises.lessons.progress, lessons.line], ['solved', 4]);
});

const further = LESSONS.block[1];
const NOT_OF_THEME = {
  'a position that does not exercise the idea': [4, FAIR],
  'a position with White to move': [4, further.replace(/[bw]/g, (side) => (side === 'b' ? 'w' : 'b'))],
  'what cannot be read': [4, 'x'],
  'the theme of the first lesson': [1, LESSONS.slide[1]],
};
for (const [what, [at, position]] of Object.entries(NOT_OF_THEME))
  test(`${what} is not a puzzle of a theme: its lesson opens`, () => {
    const state = after(open(`#view=lessons&start=${position.replace(' ', '_')}&at=${at}`));
    assert.deepEqual([state.notice, page.addressOf(state)], [['badLink'], `view=lessons&at=${at}`]);
  });

test('while a puzzle of a theme is looked for, the one before is shown if it has the same theme', () => {
  const [position] = LESSONS.block;
  const practise = (theme) => ({ type: 'show', view: 'lessons', theme });
  const find = ({ exercises: { lessons } }) =>
    ({ type: 'exerciseFound', request: lessons.search, found: [{ position }] });
  const shown = (theme) => after(practise('block'), find, show('puzzle'), practise(theme)).exercises.lessons.item;
  assert.deepEqual(['block', 'line'].map((theme) => shown(theme)?.position), [position, undefined]);
});

test('an exercise of a lesson goes on when another view has been looked at', () => {
  const lesson = open('#view=lessons&at=4');
  const missed = { type: 'showAnswer' };
  const { name, misses } = after(lesson, missed, show('play'), show('lessons')).exercises.lessons;
  assert.equal(name, after(lesson).exercises.lessons.name);
  assert.ok(misses > 0);
  assert.equal(after(lesson, missed, show('play'), lesson).exercises.lessons.misses, misses);
  assert.equal(after(lesson, open('#view=lessons&at=2')).exercises.lessons.name, 'line');
  const { item } = after(lesson, open(`#view=lessons&start=${further.replace(' ', '_')}&at=4`)).exercises.lessons;
  assert.equal(item.position, further);
});

test('in the first lesson, the last slide is marked, until a line would end the game and all begins again', () => {
  const shown = (...moves) => {
    const { slid, gameState } = after(open('#view=lessons&at=1'), ...moves.map(move)).exercises.lessons;
    return [slid, gameState.position];
  };
  assert.deepEqual(shown('c2-c5'), ['c2-c5', '1bbw1/5/b4/ww3/5 b']);
  assert.deepEqual(shown('c2-c5', 'a3-a5'), [null, LESSONS.slide[0]]);
  assert.equal(shown('a3-a5', 'c2-d1')[0], null); // which is a move of the game
});

test('a wrong move in the lesson on delaying has its reason', () => {
  const asked = after(open('#view=lessons&at=8'));
  const wrong = page.engine.moves(asked.exercises.lessons.gameState.position).at(-1);
  const { reason } = page.reduce(asked, move(wrong.move)).exercises.lessons.tried;
  assert.match(page.whySentences(reason, 'black', { hidesBest: true })[0], /^Black still loses/);
});

test('who does not find what the introduction asks, by moves or squares, gets the answer', () => {
  const shown = ({ exercises: { introduction } }) => page.isAnswerShown(introduction);
  const refused = { type: 'refused', from: 'b1', to: 'e4' };
  const one = after({ type: 'introduce' }, refused);
  assert.deepEqual([shown(one), one.heard.sentences[1]], [false, false]);
  const two = page.reduce(one, { ...refused, from: null });
  assert.deepEqual([shown(two), two.heard.sentences], [true, ['No piece to move on e4.', page.STATUS]]);
  const early = from(page.initial(), { ...open('#'), isIntroduced: false }, refused);
  assert.deepEqual([early.view, early.exercises.introduction.misses], ['introduction', 0]);
  const played = after(refused, refused);
  assert.deepEqual([played.exercises.introduction.misses, played.heard.sentences], [0, ['b1 can\u2019t move to e4.']]);
});

/** What follows in the lesson on the draw: the next position, or Black's move in the game. */
const goOnHolding = (state) => page.reduce(state, { type: 'exerciseStep', request: page.pendingOf(state), seed: 1 });

/** The positions on the draw in the order in which they are asked, at most so many; one of them is missed at first. */
function askedPositions(most, missed) {
  const asked = [];
  let state = after(show('hold'));
  for (let { hold } = state.exercises; hold.item.move && asked.length < most; { hold } = state.exercises) {
    if (asked.length === missed) state = page.reduce(state, move('b1-a1'));
    asked.push(hold.queue[0]);
    state = goOnHolding(page.reduce(state, move(hold.item.move)));
  }
  return { asked, state };
}

test('a position on the draw is asked again, the later the better it is known', () => {
  const { asked } = askedPositions(Infinity);
  assert.deepEqual(asked, [0, 1, 2, 0, 1, 2, 3, 4, 0, 3, 4, 1, 2, 5, 3, 4, 5, 6, 7, 5, 6, 7, 6, 7]);
});

test('a position on the draw that was answered wrong is asked again sooner', () => {
  const { asked } = askedPositions(7, 3);
  assert.deepEqual(asked, [0, 1, 2, 0, 1, 2, 0]);
});

test('who knows the positions on the draw plays a game, in which the right move takes wrong ones back', () => {
  const asking = goOnHolding(askedPositions(Infinity).state); // after Black's move
  const moves = page.engine.moves(asking.exercises.hold.gameState.position);
  const missesAfter = (...made) =>
    made.reduce((before, one) => page.reduce(before, move(one.move)), asking).exercises.hold.misses;
  assert.equal(missesAfter(moves.at(-1), moves.at(-1)), 2); // the answer is shown
  assert.equal(missesAfter(moves.at(-1), moves.at(-1), moves[0]), 0);
});

test('a puzzle that is skipped accepts no move', () => {
  const skipped = after(TO_DRAW, { type: 'nextExercise' });
  const { gameState, progress } = page.reduce(skipped, move('a1-a2')).exercises.puzzle;
  assert.deepEqual([gameState.moves, progress], [[], 'unsolved']);
});

test('the reply in a puzzle waits while another view is shown', () => {
  const asked = after(TO_DRAW, move('a1-a2'));
  const left = from(asked, show('explore'), replyInPuzzle(asked));
  assert.equal(left.exercises.puzzle.gameState.plies, 1);
  assert.equal(from(left, show('puzzle'), replyInPuzzle(asked)).exercises.puzzle.gameState.plies, 2);
});

test('who asks for another game in the introduction has seen it', () => {
  const { view, settings, dialog } = after({ type: 'introduce' }, { type: 'openNewGame' });
  assert.deepEqual([view, settings.met, dialog], ['play', true, 'start']);
});

test('each day of the week, from Sunday, has a daily puzzle of its grade', () => {
  const days = ['11-29', '11-30', '12-01', '12-02', '12-03', '12-04', '12-05'];
  const grades = days.map((day) => page.dailySearch({ today: `2026-${day}` }).grade);
  assert.deepEqual(grades, ['hard', 'easy', 'medium', 'easy', 'medium', 'hard', 'draw']);
});

const WINS_AT_ONCE = '5/5/2w2/1w2w/bb1b1 b'; // with d1-c1

/** What is stored of the puzzle of a day that is solved on another day, when that has been stored. */
function dailyAfter(today, date, [daily, days]) {
  const search = { grade: 'easy', seed: 1, date };
  const shown = searching(search);
  const asked = { ...shown, today, results: { ...shown.results, daily, days } };
  const found = { type: 'exerciseFound', request: search, found: [{ position: WINS_AT_ONCE, date }] };
  const { results, exercises } = from(asked, found, move('d1-c1'));
  assert.equal(exercises.puzzle.progress, 'solved');
  return [results.daily, results.days];
}

const SOLVED = {
  'for the first time': ['2026-11-30', '2026-11-30', ['', 0], ['2026-11-30', 1]],
  'on its day': ['2026-11-30', '2026-11-30', ['2026-11-29', 9], ['2026-11-30', 10]],
  'after midnight': ['2026-11-30', '2026-11-29', ['2026-11-28', 9], ['2026-11-29', 10]],
  'after a day without one': ['2026-11-30', '2026-11-30', ['2026-11-28', 9], ['2026-11-30', 1]],
  'a second time': ['2026-11-30', '2026-11-30', ['2026-11-30', 9], ['2026-11-30', 9]],
  'when another window has solved a later one': ['2026-11-30', '2026-11-29', ['2026-11-30', 9], ['2026-11-30', 9]],
  'in a time zone where its day begins later': ['2026-11-30', '2026-11-30', ['2026-12-01', 9], ['2026-12-01', 9]],
  'when the clock was wrong before': ['2026-11-30', '2026-11-30', ['2031-01-01', 9], ['2026-11-30', 1]],
};
for (const [name, [today, date, before, expected]] of Object.entries(SOLVED))
  test(`the days in a row are counted by the puzzle of the day: solved ${name}`, () => {
    assert.deepEqual(dailyAfter(today, date, before), expected);
  });

test('days in a row last until the day after the last one, and in a time zone where that has not begun', () => {
  const results = { daily: '2026-02-28', days: 3 };
  const days = ['02-26', '02-27', '02-28', '03-01', '03-02'].map((day) => ({ results, today: `2026-${day}` }));
  assert.deepEqual(days.map(page.daysInRow), [0, 3, 3, 3, 0]);
  assert.deepEqual(days.map(page.isDailySolved), [false, true, true, false, false]);
});

test('a day is that of the place where the user is, west and east of Greenwich', () => {
  const { TZ = 'UTC' } = process.env;
  const found = [['America/Los_Angeles', 23], ['Pacific/Kiritimati', 1]].map(([zone, hour]) => {
    process.env.TZ = zone;
    const { grade } = page.dailySearch({ today: '2026-11-29' });
    return [page.dateOf(new Date(2026, 10, 30, hour)), page.daysBefore('2026-03-01', 1), grade];
  });
  process.env.TZ = TZ;
  assert.deepEqual(found, Array(2).fill(['2026-11-30', '2026-02-28', 'hard']));
});

test('a puzzle that is solved before it is known to be that of the day counts for the day', () => {
  const search = { grade: 'easy', seed: 1, date: null };
  const state = searching(search);
  const asked = { ...state, today: '2026-11-30', results: { ...state.results, puzzles: { easy: [2, 3] } } };
  const found = { type: 'exerciseFound', request: search, found: [{ position: WINS_AT_ONCE, date: null }] };
  const known = ({ exercises }) => ({ type: 'dailyFound', request: exercises.puzzle.item, date: '2026-11-30' });
  const shown = page.reduce(asked, found);
  const solved = page.reduce(shown, move('d1-c1'));
  assert.equal(solved.results.daily, '');
  const { results } = page.reduce(solved, known(solved));
  assert.deepEqual([results.daily, results.days, results.puzzles.easy], ['2026-11-30', 1, [3, 3]]);
  const others = [shown, page.reduce(shown, { type: 'showAnswer' })].map((one) => page.reduce(one, known(one)).results);
  assert.deepEqual(others.map(({ days, puzzles }) => [days, puzzles.easy]), [[0, [2, 3]], [0, [2, 4]]]);
});
