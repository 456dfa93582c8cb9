// The lessons: exercises for one idea at a time, the right move in each, and what has been learnt so far; and further
// exercises of a lesson, which are puzzles of its theme.

import { moveText, whySentences } from '../format.js';
import { bestLineAt, stateAfter, stateAt, whyAt } from './engine_games.js';
import { EXERCISES, GOALS, MOST_MISSES, passed, solutions } from './exercises.js';
import { withSetting } from './settings.js';
import { announce, update, signal, STATUS } from './shown.js';
import { isExercise } from './themes.js';
import { t } from '../texts.js';
import { NO_GAME } from './position.js';

import type { Lesson, MoveValue, Reducers, State } from './types.js';

export const NAMES = Object.keys(EXERCISES);

/** An exercise in which nothing has been done. */
const UNTRIED = { solved: null, line: [], missed: null, misses: 0, looking: null };
export const NO_LESSON: Lesson = {
  ...UNTRIED,
  name: NAMES[0],
  number: 0,
  gameState: NO_GAME,
  last: null,
  further: null,
};

// ---- what can be asked ----

export const startOfExercise = ({ further, name, number }: Lesson) => further ?? EXERCISES[name][number];
/** In the first lesson a square is to be reached, while the opponent does not move. */
export const goalOf = ({ name, number }: Lesson) => (name === 'slide' ? GOALS[number] : undefined);
export const isLastExercise = ({ name, number }: Lesson) => number + 1 === EXERCISES[name].length;
export const nextLessonName = ({ name }: Lesson): string | undefined => NAMES[NAMES.indexOf(name) + 1];
/** Whether the answer is shown. */
export const isAnswerShown = ({ solved, misses }: Lesson) => !solved && misses >= MOST_MISSES;
export const exercisesDone = ({ settings }: State, name: string) => settings.lessons[name] ?? 0;
export const answerOf = ({ engine, lesson }: State) =>
  solutions(engine, lesson.name, lesson.gameState.position, goalOf(lesson))[0];

// ---- changes ----

/** Shows a position of an exercise. */
function show(state: State, position: string, changes: Partial<Lesson> = {}) {
  const gameState = stateAt(state.engine, position);
  return update(state, 'lesson', { gameState, last: null, ...changes });
}

/** Opens an exercise of a lesson, or a further one in a position. */
const open = (state: State, name: string, number: number, further = (null as string | null)) =>
  show({ ...state, line: null }, further ?? EXERCISES[name][number],
    { ...UNTRIED, name, number, further });

/** Opens a lesson where the user has stopped, or at its beginning when it is done. */
const openLesson = (state: State, name: string) =>
  open(state, name, exercisesDone(state, name) % EXERCISES[name].length);

/**
 * Opens the lesson with this number or, with null, the first that is not done; or a further exercise of it, in a
 * position; and whether there is one. What is open already goes on.
 */
export function enterLesson(
  state: State, at: number | null = null, position: string | null = null,
): { state: State; valid: boolean } {
  const { gameState, name: shown, further } = state.lesson;
  const isOpen = at === null || (NAMES[at - 1] === shown && position === further);
  if (gameState.start && isOpen) return { state, valid: true };
  const first = NAMES.find((name) => exercisesDone(state, name) < EXERCISES[name].length) ?? NAMES[0];
  const name = at === null ? first : NAMES[at - 1];
  const opened = openLesson(state, name ?? first);
  if (name === undefined || position === null) return { state: opened, valid: name !== undefined };
  const valid = isExercise(state.engine, name, position);
  return { state: valid ? open(opened, name, 0, position) : opened, valid };
}

/** Looks for a further exercise of a theme. */
export function practise(state: State, theme: string) {
  const { name, further } = state.lesson;
  return update({ ...state, line: null }, 'lesson', {
    ...UNTRIED, name: theme, number: 0, further: theme === name ? further : null, looking: { theme },
  });
}

/** The hint for a user who has not found the answer, as the board marks it. */
function hint(state: State) {
  const { lesson } = state;
  if (isAnswerShown(lesson)) return t('hintMove', moveText(answerOf(state).move));
  return lesson.missed ? t('hintPiece', answerOf(state).from) : '';
}

const announceExercise = (state: State, spoken = '') => announce(state, spoken, STATUS, hint);

function solve(state: State, choice: MoveValue) {
  const { engine, lesson } = state;
  const gameState = stateAfter(engine, lesson.gameState, choice.move);
  const solved = update(state, 'lesson', {
    solved: choice, missed: null, last: choice.move, gameState,
    line: [choice.move, ...bestLineAt(engine, gameState)],
  });
  if (lesson.further) return signal(solved, 'won');
  const done = Math.max(lesson.number + 1, exercisesDone(state, lesson.name));
  return signal(withSetting(solved, 'lessons', { ...state.settings.lessons, [lesson.name]: done }), 'won');
}

function miss(state: State, { move }: MoveValue) {
  const { name, misses, gameState } = state.lesson;
  const facts = whyAt(state.engine, gameState, move);
  const isReason = facts.gives !== null || name === 'delay';
  const reason = isReason ? whySentences(facts, 'black', { hidesBest: true })[0] : '';
  return signal(update(state, 'lesson', { missed: { move, reason }, misses: misses + 1 }), 'lost');
}

/** Slides a piece, in the first lesson. A line would end the game there: the exercise begins again. */
function slide(state: State, { move, next }: MoveValue) {
  const position = passed(next);
  const isLine = !state.engine.checkPosition(position).ok;
  return signal(show(state, isLine ? startOfExercise(state.lesson) : position, { last: isLine ? null : move }), 'move');
}

export function moveInLesson(state: State, move: string) {
  const { lesson, engine } = state;
  const choice = engine.moves(lesson.gameState.position).find((one) => one.move === move);
  if (!choice || lesson.solved || lesson.looking) return state;
  const goal = goalOf(lesson);
  const isSolution = goal ? choice.to === goal
    : solutions(engine, lesson.name, startOfExercise(lesson)).some((one) => one.move === move);
  if (isSolution) return announceExercise(solve(state, choice));
  if (!goal) return announceExercise(miss(state, choice));
  return announceExercise(slide(state, choice), t('spokenMove', t('black'), moveText(move)));
}

/** The next exercise of the lesson, or the first one of the next lesson; null after the last one of all. */
export function nextExercise(state: State) {
  const { lesson } = state;
  if (lesson.further) return practise(state, lesson.name);
  if (!lesson.solved) return state;
  if (!isLastExercise(lesson)) return announceExercise(open(state, lesson.name, lesson.number + 1));
  const name = nextLessonName(lesson);
  return name ? announceExercise(openLesson(state, name)) : null;
}

export const lessonReducers = {
  openLesson: (state, { name }) => announceExercise(openLesson(state, name)),
  showExercise: (state) => announceExercise(update(state, 'lesson', { misses: MOST_MISSES })),
  exerciseFound(state, { request, position }) {
    if (!request || state.lesson.looking !== request) return state;
    return announceExercise(open(state, request.theme, 0, position));
  },
} satisfies Partial<Reducers>;
