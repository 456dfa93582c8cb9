// Puzzles: positions from the table in which exactly one move keeps the win or the draw, and the user's own mistakes,
// played until the result is safe.

import { dateOf, moveText } from '../format.js';
import { isTooLarge, STANDARD } from './boards.js';
import { choicesAt, stateAfter, stateAt, whyAt } from './engine_games.js';
import { GRADES } from './grades.js';
import { hintSentences, isMoveGiven, nextHint, NO_PUZZLE_HINTS } from './hints.js';
import { NO_GAME, readPosition } from './position.js';
import { keptGames, withSetting } from './settings.js';
import { announce, update, showLine, signal, STATUS } from './shown.js';
import { t } from '../texts.js';

import type { Puzzle, PuzzleFound, PuzzleSearch, PuzzleState, Reducers, State, Value } from './types.js';

const OF_THE_DAY = ['hard', 'easy', 'medium', 'easy', 'medium', 'hard', 'draw']; // from Sunday

export const NO_PUZZLE: PuzzleState = {
  current: null,
  gameState: NO_GAME,
  begun: 0,
  progress: 'unsolved',
  isCounted: false,
  wrong: null,
  hints: NO_PUZZLE_HINTS,
  search: null,
  none: '',
  mistakes: 0,
};

// ---- what can be asked ----

/** The daily puzzle is the same for everyone: it is of the standard board. */
export const hasDaily = ({ boardName }: State) => boardName === STANDARD;

export const isDailySolved = ({ record, today }: State) => record.daily === today;

/** Noon of a day, as "2026-11-30": no change of the clock comes near it. */
const noonOf = (date: string) => new Date(`${date}T12:00`);

/** The search for the puzzle of today. */
export const dailySearch = ({ today: date }: State) =>
  ({ grade: OF_THE_DAY[noonOf(date).getDay()], seed: Number(date.replaceAll('-', '')), date });

/** On how many days in a row, until today or yesterday, the daily puzzle was solved. */
export function daysInRow({ record: { daily, days }, today }: Pick<State, 'record' | 'today'>) {
  const yesterday = noonOf(today);
  yesterday.setDate(yesterday.getDate() - 1);
  return [today, dateOf(yesterday)].includes(daily) ? days : 0;
}

/** Whether it is the user's turn. */
export const isMyTurn = ({ puzzle: { progress, gameState, current } }: State) =>
  progress === 'unsolved' && gameState.to_move === current?.toMove;

const gradeOf = ({ result, plies }: Value) =>
  (result === 'draw' ? null : Object.keys(GRADES).find((name) => plies <= (GRADES[name].to ?? 0))) ?? 'draw';

// ---- which puzzle is shown ----

/**
 * Shows a position. Returns null if it is not a puzzle: not exactly one move keeps a win or a draw, or, where the user
 * made a mistake, all moves do.
 */
function open(state: State, { position, date = '', game = null, moves = [] }: PuzzleFound): State | null {
  const { engine } = state;
  const check = engine.checkPosition(position);
  if (!check.ok) return null;
  const gameState = stateAt(engine, game?.start ?? check.position, moves);
  const choices = choicesAt(engine, gameState);
  const [first, second] = choices;
  const wrong = game ? choices.at(-1) : second;
  if (!wrong || first.value.result === 'loss' || wrong.value.result === first.value.result)
    return null;
  const { value } = first;
  const current: Puzzle = {
    position: check.position, toMove: readPosition(check.position, engine.board).toMove, result: value.result,
    plies: value.plies ?? 0, grade: gradeOf(value), date, game,
  };
  const puzzle = { ...NO_PUZZLE, current, gameState, begun: moves.length };
  const opened = { ...state, puzzle: { ...puzzle, mistakes: state.puzzle.mistakes } };
  // Not what belongs to the view to which the user has gone on meanwhile.
  return state.view === 'puzzle' ? { ...opened, line: null, isTurned: false, preview: null } : opened;
}

/** Looks for another puzzle. */
const look = (state: State, search: PuzzleSearch) => update(state, 'puzzle', { search, none: '' });

/** A random puzzle of the grade that the user has chosen. */
const random = (state: State) => look(state, { grade: state.settings.grade, seed: null, date: '' });

function lookForMistake(state: State) {
  const { mistakes } = state.puzzle;
  return update(look(state, { games: keptGames(state), at: mistakes }), 'puzzle', { mistakes: mistakes + 1 });
}

export const nextPuzzle = (state: State) => (state.puzzle.current?.game ? lookForMistake(state) : random(state));

/** Shows the puzzle of the day, or a random one if that is solved, unless there is a puzzle. */
export function enterPuzzle(state: State) {
  if (state.puzzle.current) return state;
  return hasDaily(state) && !isDailySolved(state) ? look(state, dailySearch(state)) : random(state);
}

/** Shows the puzzle of an address, which after a reload still counts as that of the day; null if it is none. */
export const openPuzzle = (state: State, position: string) =>
  open(state, { position, date: hasDaily(state) && !isDailySolved(state) ? null : '' });

/** @param found null: the search has failed */
function showFound(state: State, found: PuzzleFound[] | null) {
  const { search } = state.puzzle;
  const missing = search && 'games' in search ? 'mistakesNone'
    : isTooLarge(state.engine) ? 'puzzleTooLarge' : 'puzzleNoneNote';
  const ready = update(state, 'puzzle', { search: null });
  for (const one of found ?? []) {
    const opened = open(ready, one);
    if (opened) return opened;
  }
  return update(ready, 'puzzle', { current: null, none: found ? missing : 'puzzleUnread' });
}

// ---- how it is solved ----

/** Whether nothing counts any more: the first try is over, or it is a mistake of the user. */
export const isOver = ({ isCounted, current }: PuzzleState) => isCounted || !current || Boolean(current.game);

/** Counts the puzzle once, as solved or failed: not again what was counted before the page was loaded again. */
function count(state: State, isSolved: boolean) {
  const { current } = state.puzzle;
  if (!current || isOver(state.puzzle)) return state;
  const { record } = state;
  const counted = update(state, 'puzzle', { isCounted: true });
  if (record.last === current.position) return counted;
  const expected = 1 / (1 + 10 ** ((GRADES[current.grade].rating - record.rating) / 400));
  const streak = isSolved ? record.streak + 1 : 0;
  const [solved, failed] = record.puzzles[current.grade] ?? [0, 0];
  // By the date of the puzzle: midnight may have passed, and another window may have solved a later one. A date after
  // today is one of a wrong clock.
  const daily = isSolved && current.date ? current.date : '';
  const isLater = daily > record.daily || (daily && record.daily > state.today);
  return update(counted, 'record', {
    rating: Math.round(record.rating + 32 * (Number(isSolved) - expected)),
    last: current.position,
    streak,
    bestStreak: Math.max(streak, record.bestStreak),
    puzzles: { ...record.puzzles, [current.grade]: [solved + Number(isSolved), failed + Number(!isSolved)] },
    ...(isLater && { days: daysInRow({ record, today: daily }) + 1, daily }),
  });
}

/** Whether nothing is left to find: the game is over, or several moves keep the draw. */
function isSafe({ engine, puzzle: { gameState, current } }: State) {
  if (gameState.end || current?.result === 'win') return Boolean(gameState.end);
  return choicesAt(engine, gameState).filter(({ value }) => value.result !== 'loss').length !== 1;
}

/** Plays a move in the puzzle's game. */
const play = (state: State, move: string) =>
  update(state, 'puzzle', { gameState: stateAfter(state.engine, state.puzzle.gameState, move) });

/** Nothing is heard in another view. */
const announceReply = (state: State, spoken: string, sound: 'move' | 'won') =>
  state.view === 'puzzle' ? signal(announce(state, spoken, STATUS), sound) : state;

const solve = (state: State, spoken = '') =>
  announceReply(count(update(state, 'puzzle', { progress: 'solved' }), true), spoken, 'won');

/** A move of the user. */
export function moveInPuzzle(state: State, move: string) {
  const { current, gameState } = state.puzzle;
  const value = current && choicesAt(state.engine, gameState).find((choice) => choice.move === move)?.value;
  if (!value || !isMyTurn(state)) return state;
  const ready = { ...update(state, 'puzzle', { hints: NO_PUZZLE_HINTS }), preview: null };
  if (value.result === current?.result) {
    const played = signal(play(ready, move), 'move');
    return played.puzzle.gameState.end ? solve(played) : announce(played, t('puzzleGoOn'));
  }
  const { line } = whyAt(state.engine, gameState, move);
  const missed = count(update(ready, 'puzzle', { progress: 'wrong', wrong: { move, value, line } }), false);
  const shown = showLine(missed, {
    name: 'wrong', position: gameState.position, moves: [move, ...line], at: 1, isPlaying: false,
  });
  return signal(announce(shown, t(`puzzleWrong_${value.result}`, moveText(move))), 'lost');
}

export function hintPuzzle(state: State) {
  const { current, gameState, hints: before } = state.puzzle;
  if (!current) return state;
  const hints = nextHint(state, before, gameState);
  const hinted = update(state, 'puzzle', { hints });
  return announce(isMoveGiven(hints) ? count(hinted, false) : hinted, ...hintSentences(hints));
}

export const puzzleReducers = {
  nextPuzzle,
  daily: (state) => look(state, dailySearch(state)),
  mistake: lookForMistake,
  chooseGrade: (state, { grade }) => random(withSetting(state, 'grade', grade)),
  puzzleFound(state, { request, found }) {
    if (state.puzzle.search !== request) return state;
    const next = showFound(state, found);
    return state.view === 'puzzle' ? announce(next, STATUS) : next;
  },
  dailyFound(state, { request, date }) {
    if (state.puzzle.current !== request) return state;
    return update(state, 'puzzle', { current: { ...request, date } });
  },
  puzzleReply(state, { request }) {
    const { gameState, current, progress } = state.puzzle;
    if (gameState !== request || !current || progress !== 'unsolved') return state;
    if (gameState.to_move === current.toMove) return state;
    const [{ move }] = choicesAt(state.engine, gameState); // a loss as late as possible
    const played = play(state, move);
    const spoken = t('spokenMove', t(gameState.to_move), moveText(move));
    return isSafe(played) ? solve(played, spoken) : announceReply(played, spoken, 'move');
  },
  tryPuzzleAgain: (state) => announce({ ...update(state, 'puzzle', { progress: 'unsolved' }), line: null }, STATUS),
  showAnswer(state) {
    const { current, gameState } = state.puzzle;
    if (!current) return state;
    const [{ move }] = choicesAt(state.engine, gameState);
    const shown = count(update(state, 'puzzle', { progress: 'shown', hints: NO_PUZZLE_HINTS }), false);
    const moves = [move, ...whyAt(state.engine, gameState, move).line];
    const played = showLine(shown, { name: 'answer', position: gameState.position, moves });
    return announce(played, t('puzzleShown', moveText(move)));
  },
} satisfies Partial<Reducers>;
