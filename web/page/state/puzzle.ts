// Puzzles: positions from the table in which exactly one move keeps the win or the draw, and the user's own mistakes,
// played until the result is safe.

import { GRADES } from './aims.js';
import { isTooLarge, STANDARD } from './boards.js';
import { ask, changeExercise, NO_EXERCISE } from './exercise.js';
import { daysBefore, moveText, noonOf } from '../format.js';
import { choicesAt, isMoveGiven, keptGames, stateAt, whyAt } from './game.js';
import { announce, badLink, NOTHING_SHOWN, showLine, STATUS, update } from './shown.js';
import { t } from '../texts.js';

import type { ExerciseList } from './exercise.js';
import type { Candidate, Choice, Exercises, Puzzle, Reducers, Search, State, Value } from './types.js';

const OF_THE_DAY = ['hard', 'easy', 'medium', 'easy', 'medium', 'hard', 'draw']; // from Sunday

export const NO_PUZZLE: Exercises['puzzle'] = { ...NO_EXERCISE, item: null, isCounted: false, none: '', mistakes: 0 };

// ---- what can be asked ----

/** The daily puzzle is the same for everyone: it is of the standard board. */
export const hasDaily = ({ boardName }: State) => boardName === STANDARD;

/** In a time zone to the east, the day after today may have begun. */
const daysOfToday = (today: string) => [today, daysBefore(today, -1)];

export const isDailySolved = ({ results, today }: State) => daysOfToday(today).includes(results.daily);

/** The search for the puzzle of today. */
export const dailySearch = ({ today: date }: Pick<State, 'today'>) =>
  ({ grade: OF_THE_DAY[noonOf(date).getDay()], seed: Number(date.replaceAll('-', '')), date });

/** Today and yesterday: the puzzle of an address may have been opened before midnight. */
export const recentDays = ({ today }: Pick<State, 'today'>) => [today, daysBefore(today, 1)];

/** On how many days in a row, until today or a day next to it, the daily puzzle was solved. */
export const daysInRow = ({ results: { daily, days }, today }: Pick<State, 'results' | 'today'>) =>
  ([-1, 0, 1].some((before) => daily === daysBefore(today, before)) ? days : 0);

const gradeOf = ({ result, plies }: Value) =>
  (result === 'draw' ? null : Object.keys(GRADES).find((name) => plies <= (GRADES[name].to ?? 0))) ?? 'draw';

// ---- which puzzle is shown ----

/**
 * Shows a position. Returns null if it is not a puzzle: not exactly one move keeps a win or a draw, or, where the user
 * made a mistake, all moves do.
 */
function askPuzzle(state: State, { position, date = '', game = null, moves = [] }: Candidate): State | null {
  const { engine } = state;
  const check = engine.checkPosition(position);
  if (!check.ok) return null;
  const start = game?.start ?? check.position;
  const choices = choicesAt(engine, stateAt(engine, start, moves));
  const [first, second] = choices;
  const wrong = game ? choices.at(-1) : second;
  if (!wrong || first.value.result === 'loss' || wrong.value.result === first.value.result)
    return null;
  const { value: { result } } = first;
  const item: Puzzle = {
    position: check.position, start, moves, aim: 'keep', until: result === 'win' ? 'end' : 'safe', result,
    grade: gradeOf(first.value), date, game,
  };
  return { ...ask(state, 'puzzle', item, { isCounted: false, none: '' }), ...NOTHING_SHOWN };
}

/** Looks for another puzzle. */
const look = (state: State, search: Search) => changeExercise(state, 'puzzle', { search, none: '' });

/** A random puzzle of the grade that the user has chosen. */
const random = (state: State) => look(state, { grade: state.settings.grade, seed: null, date: '' });

function lookForMistake(state: State) {
  const { mistakes } = state.exercises.puzzle;
  return changeExercise(look(state, { games: keptGames(state), at: mistakes }), 'puzzle', { mistakes: mistakes + 1 });
}

/** @param from a grade, 'daily' or 'mistakes'; otherwise it is of the kind of the last one */
function next(state: State, from?: string) {
  if (from === 'daily') return look(state, dailySearch(state));
  if (from === 'mistakes' || (!from && state.exercises.puzzle.item?.game)) return lookForMistake(state);
  return random(from ? update(state, 'settings', { grade: from }) : state);
}

/**
 * Shows the puzzle of an address, which after a reload still counts as that of the day. Without one, what is shown
 * remains; otherwise it is the puzzle of the day, or a random one if that is solved.
 */
export function enterPuzzle(state: State, start: string | null): State {
  const { item } = state.exercises.puzzle;
  const isDaily = hasDaily(state) && !isDailySolved(state);
  if (start === null || start === item?.position)
    return item ? state : isDaily ? look(state, dailySearch(state)) : random(state);
  return askPuzzle(state, { position: start, date: isDaily ? null : '' }) ?? badLink(enterPuzzle(state, null));
}

function showFound(state: State, found: Candidate[] | null) {
  const { search } = state.exercises.puzzle;
  const missing = search && 'games' in search ? 'mistakesNone'
    : isTooLarge(state.engine) ? 'puzzleTooLarge' : 'puzzleNoneNote';
  const ready = changeExercise(state, 'puzzle', { search: null });
  for (const one of found ?? []) {
    const opened = askPuzzle(ready, one);
    if (opened) return opened;
  }
  return changeExercise(ready, 'puzzle', { ...NO_EXERCISE, none: found ? missing : 'puzzleUnread' });
}

// ---- how it is solved ----

/** Whether nothing counts any more: the first try is over, or it is a mistake of the user. */
export const isOver = ({ isCounted, item }: Exercises['puzzle']) => isCounted || !item || Boolean(item.game);

/**
 * Counts a daily puzzle that is solved, by its date: midnight may have passed, and another window may have solved a
 * later one. A date long after today is one of a wrong clock.
 */
function countDay(state: State, date: string | null) {
  const { results } = state;
  if (!date || !(date > results.daily || results.daily > daysBefore(state.today, -1))) return state;
  return update(state, 'results', { days: daysInRow({ results, today: date }) + 1, daily: date });
}

/** Counts the puzzle once, as solved or failed: not again what was counted before the page was loaded again. */
function count(state: State, isSolved: boolean) {
  const { item } = state.exercises.puzzle;
  if (!item || isOver(state.exercises.puzzle)) return state;
  const { results } = state;
  const counted = changeExercise(state, 'puzzle', { isCounted: true });
  if (results.last === item.position) return counted;
  const expected = 1 / (1 + 10 ** ((GRADES[item.grade].rating - results.rating) / 400));
  const streak = isSolved ? results.streak + 1 : 0;
  const [solved, failed] = results.puzzles[item.grade] ?? [0, 0];
  const next = update(counted, 'results', {
    rating: Math.round(results.rating + 32 * (Number(isSolved) - expected)),
    last: item.position,
    streak,
    bestStreak: Math.max(streak, results.bestStreak),
    puzzles: { ...results.puzzles, [item.grade]: [solved + Number(isSolved), failed + Number(!isSolved)] },
  });
  return isSolved ? countDay(next, item.date) : next;
}

export const wrongText = ({ exercises: { puzzle: { tried } } }: State) =>
  t(`puzzleWrong_${tried?.choice.value.result}`, moveText(tried?.choice.move ?? ''));

/** A wrong move is shown with what follows it. */
function missed(state: State, choice: Choice) {
  const { move } = choice;
  const { gameState } = state.exercises.puzzle;
  const { line } = whyAt(state.engine, gameState, move);
  const wrong = changeExercise(state, 'puzzle', { progress: 'refuted', tried: { choice, line } });
  return showLine(count(wrong, false), {
    name: 'wrong', position: gameState.position, moves: [move, ...line], at: 1, isPlaying: false,
  });
}

function show(state: State) {
  const { item, gameState } = state.exercises.puzzle;
  if (!item) return state;
  const [{ move }] = choicesAt(state.engine, gameState);
  const shown = count(changeExercise(state, 'puzzle', { progress: 'shown', hints: NO_EXERCISE.hints }), false);
  const moves = [move, ...whyAt(state.engine, gameState, move).line];
  const played = showLine(shown, { name: 'answer', position: gameState.position, moves });
  return announce(played, t('puzzleShown', moveText(move)));
}

export const puzzleList: ExerciseList = {
  name: 'puzzle', sound: 'won', right: [STATUS], goOn: [() => t('puzzleGoOn')], wrong: [wrongText], pause: 600,
  next, missed, show,
  found: showFound,
  solved: (state) => count(state, true),
  hinted: (state) => (isMoveGiven(state.exercises.puzzle.hints) ? count(state, false) : state),
  /** A loss as late as possible. */
  reply: ({ engine, exercises: { puzzle: { gameState } } }) => choicesAt(engine, gameState)[0].move,
};

export const puzzleReducers = {
  tryPuzzleAgain: (state) =>
    announce({ ...changeExercise(state, 'puzzle', { progress: 'unsolved' }), line: null }, STATUS),
  dailyFound(state, { request, date }) {
    const { item, isCounted } = state.exercises.puzzle;
    if (item !== request) return state;
    const found = changeExercise(state, 'puzzle', { item: { ...request, date } });
    const { last, streak } = state.results;
    const isSolved = isCounted && last === item.position && streak > 0; // before it was known to be that of a day
    return isSolved ? countDay(found, date) : found;
  },
} satisfies Partial<Reducers>;
