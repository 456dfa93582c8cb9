// The lists of exercises: the introduction on the first visit; the lessons, with further exercises of each, which are
// puzzles of its theme; the lesson on how White holds the draw; puzzles; studies. And what users do in any of them.

import { EXERCISES, INTRODUCTION, isExercise, lessonItem, MOST_MISSES, STRATEGY } from './aims.js';
import { startOf } from './boards.js';
import {
  answerOf, ask, changeExercise, giveHint, isAnswerShown, isPending, moveInExercise, NO_EXERCISE, showAnswer,
  stepExercise,
} from './exercise.js';
import { asSentence, moveText } from '../format.js';
import { gameAt, hintGame, moveInGame, whyAt, withoutWaiting } from './game.js';
import { NO_PUZZLE, puzzleList } from './puzzle.js';
import { moveInReview } from './review.js';
import { announce, badLink, isOfGame, NOTHING_SHOWN, STATUS, update } from './shown.js';
import { leaveTied, studyList } from './study.js';
import { t } from '../texts.js';

import type { ExerciseList } from './exercise.js';
import type { Candidate, Choice, Exercises, Item, ListName, Reducers, State, ViewName } from './types.js';

/** The names of the lessons, in the order in which they are taught. */
export const LESSONS = Object.keys(EXERCISES);
const KNOWN = 3; // times right, the first time with the answer

export const NO_EXERCISES: Exercises = {
  introduction: { ...NO_EXERCISE, number: 0, isPicked: false },
  lessons: { ...NO_EXERCISE, name: LESSONS[0], number: 0 },
  hold: { ...NO_EXERCISE, queue: [], right: [] },
  puzzle: NO_PUZZLE,
  study: NO_EXERCISE,
};

// ---- the introduction ----

const STEPS = INTRODUCTION.length + 1; // after any slide in the start position

function introduceAt(state: State, number: number): State {
  // At the end, the last position remains.
  if (number === STEPS) return changeExercise(state, 'introduction', { item: null, number });
  const item: Item = number ? INTRODUCTION[number - 1] : { position: startOf(state), aim: 'any' };
  return ask(state, 'introduction', item, { number, isPicked: false });
}

export const introduce = (state: State): State =>
  introduceAt({ ...withoutWaiting(leaveTied(state)), view: 'introduction', ...NOTHING_SHOWN }, 0);

const introductionList: ExerciseList = {
  name: 'introduction', sound: null, right: [], wrong: [STATUS], pause: 900, goesOn: true,
  next: (state) => introduceAt(state, state.exercises.introduction.number + 1),
};

// ---- the lessons ----

type Lesson = Exercises['lessons'];

export const exercisesDone = ({ settings }: State, name: string) => settings.lessons[name] ?? 0;
const isDone = (state: State, name: string) => exercisesDone(state, name) === EXERCISES[name].length;
export const lessonsDone = (state: State) => LESSONS.filter((name) => isDone(state, name)).length;
/** The first lesson that is not done. */
export const unfinishedLesson = (state: State) => LESSONS.find((name) => !isDone(state, name));
export const isLastExercise = ({ name, number }: Lesson) => number !== null && number + 1 === EXERCISES[name].length;
export const nextLessonName = ({ name }: Lesson): string | undefined => LESSONS[LESSONS.indexOf(name) + 1];
/** The position of a further exercise that is shown. */
export const furtherOf = ({ item, number, search }: Lesson) =>
  (number === null && !search ? item?.position ?? null : null);

/** Opens an exercise of a lesson, or a further one in a position. */
const openExercise = (state: State, name: string, number: number | null, position: string) =>
  ask({ ...state, line: null }, 'lessons', lessonItem(state.engine, name, position), { name, number });

const openNumber = (state: State, name: string, number: number) =>
  openExercise(state, name, number, EXERCISES[name][number]);

/** Opens a lesson where the user has stopped, or at its beginning when it is done. */
const openLesson = (state: State, name: string) =>
  openNumber(state, name, exercisesDone(state, name) % EXERCISES[name].length);

/**
 * Opens the lesson with this number or, with null, the first that is not done; or a further exercise of it, in a
 * position. What is open already goes on.
 */
export function enterLesson(state: State, at: number | null, position: string | null) {
  const { lessons } = state.exercises;
  const isOpen = at === null || (LESSONS[at - 1] === lessons.name && position === furtherOf(lessons));
  if (isOpen && (lessons.item ?? lessons.search)) return state;
  const first = unfinishedLesson(state) ?? LESSONS[0];
  const name = at === null ? first : LESSONS[at - 1];
  const opened = openLesson(state, name ?? first);
  if (name === undefined) return badLink(opened);
  if (position === null) return opened;
  return isExercise(state.engine, name, position) ? openExercise(opened, name, null, position) : badLink(opened);
}

/** Looks for a further exercise of a theme, in place of what is shown. */
export function practise(state: State, theme: string) {
  const { name, number, item } = state.exercises.lessons;
  const shown = theme === name && number === null ? item : null;
  const looking = { ...NO_EXERCISE, item: shown, name: theme, number: null, search: { theme } };
  return changeExercise({ ...state, line: null }, 'lessons', looking);
}

/** The hint for a user who has not found the answer, as the board marks it. */
function hint(state: State) {
  const { lessons } = state.exercises;
  const answer = answerOf(state, lessons);
  if (isAnswerShown(lessons)) return t('hintMove', moveText(answer?.move ?? ''));
  return lessons.progress === 'wrong' ? t('hintPiece', answer?.from) : '';
}

/** The next exercise of the lesson, or the first one of the next lesson; null after the last one of all. */
function nextInLesson(state: State, from?: string) {
  const { lessons } = state.exercises;
  if (from) return openLesson(state, from);
  if (lessons.number === null) return practise(state, lessons.name);
  if (lessons.progress !== 'solved') return state;
  if (!isLastExercise(lessons)) return openNumber(state, lessons.name, lessons.number + 1);
  const name = nextLessonName(lessons);
  return name ? openLesson(state, name) : null;
}

const lessonList: ExerciseList = {
  name: 'lessons', sound: 'won', right: [STATUS, hint], wrong: [STATUS, hint], pause: 0,
  next: nextInLesson,
  missed(state, choice: Choice) {
    const { name, gameState } = state.exercises.lessons;
    const facts = whyAt(state.engine, gameState, choice.move);
    const isReason = facts.gives !== null || name === 'delay';
    return changeExercise(state, 'lessons', { tried: { choice, ...(isReason && { reason: facts }) } });
  },
  solved(state) {
    const { name, number, gameState, tried } = state.exercises.lessons;
    const line = gameAt(state.engine, gameState).bestLine();
    const solved = changeExercise(state, 'lessons', { tried: tried && { ...tried, line } });
    if (number === null) return solved;
    const done = Math.max(number + 1, exercisesDone(state, name));
    return update(solved, 'settings', { lessons: { ...state.settings.lessons, [name]: done } });
  },
  found: (state, found: Candidate[] | null) =>
    (found?.length ? openExercise(state, state.exercises.lessons.name, null, found[0].position)
      : changeExercise(state, 'lessons', NO_EXERCISE)),
};

// ---- how White holds the draw ----

/** How many of the positions are known. */
export const countKnown = (queue: number[]) => STRATEGY.length - new Set(queue).size;

/** Asks the next position, at first with the answer, or begins the game against an opponent who makes no mistake. */
function askNext(state: State, queue: number[], right: number[]) {
  const [at] = queue;
  const item: Item = STRATEGY[at] ? { ...STRATEGY[at], aim: 'move' }
    : { position: startOf(state), aim: 'keep', side: 'white', until: 'end' };
  return ask(state, 'hold', item, { queue, right, misses: right[at] === 0 ? MOST_MISSES : 0 });
}

const beginHold = (state: State) =>
  askNext({ ...state, line: null }, STRATEGY.map((_, i) => i), STRATEGY.map(() => 0));

/** The lesson from its beginning, unless it has begun. */
export const enterHold = (state: State) => (state.exercises.hold.item ? state : beginHold(state));

const holdList: ExerciseList = {
  name: 'hold', sound: 'move', right: [STATUS], wrong: [STATUS], pause: 800, goesOn: true,
  reply: ({ engine, exercises: { hold: { gameState } } }, seed) =>
    gameAt(engine, gameState).opponentMove('perfect', seed),
  /** After a right answer, the position is asked again later, the later the better it is known. */
  next(state, from) {
    const { queue: [at, ...others], right, misses } = state.exercises.hold;
    if (from) return beginHold(state);
    const times = misses && right[at] ? 1 : right[at] + 1;
    return askNext(state, times < KNOWN ? others.toSpliced(2 ** times, 0, at) : others, right.with(at, times));
  },
  solved: (state) => (state.exercises.hold.item?.until ? update(state, 'settings', { held: true }) : state),
};

// ---- what users do in any of them ----

const LISTS: Record<ListName, ExerciseList> =
  { introduction: introductionList, lessons: lessonList, hold: holdList, puzzle: puzzleList, study: studyList };

const isList = (view: ViewName): view is ListName => Object.hasOwn(LISTS, view);

/** The list of the view that is shown. */
export const listOf = ({ view }: State) => (isList(view) ? LISTS[view] : null);

/** What waits for a reply or for the next exercise. */
export function pendingOf(state: State) {
  const list = listOf(state);
  const exercise = list && state.exercises[list.name];
  return exercise && isPending(exercise, list) ? exercise.gameState : null;
}

/** What is being looked for. */
export function searchOf(state: State) {
  const list = listOf(state);
  return list && state.exercises[list.name].search;
}

/** The state with a change of the exercise that is shown, if there is one. */
function withList(state: State, make: (list: ExerciseList) => State) {
  const list = listOf(state);
  return list ? make(list) : state;
}

/** A move in the exercise that is shown. */
export const moveInList = (state: State, move: string) => withList(state, (list) => moveInExercise(state, list, move));

/** The next exercise of the list that is shown, or one from somewhere; null if there is none. */
export function nextExercise(state: State, from?: string) {
  const list = listOf(state);
  const next = list ? list.next(state, from) : state;
  return next && next !== state && !searchOf(next) ? announce(next, STATUS) : next;
}

export const listReducers = {
  /** A move on the board, or in a list of moves: in the game that is shown, or in an exercise. */
  move(state, { move }) {
    if (state.view === 'review') return moveInReview(state, move);
    return isOfGame(state) ? moveInGame(state, move) : moveInList(state, move);
  },
  introduce: (state) => announce(introduce({ ...state, dialog: null }), STATUS),
  /** The introduction asks for something else then. */
  picked(state, { square }) {
    const text = square ? asSentence(`${square}${t('comma')}${t('picked')}`) : t('deselected');
    if (state.view !== 'introduction') return announce(state, text);
    return announce(changeExercise(state, 'introduction', { isPicked: square !== null }), text, square && STATUS);
  },
  /** In the introduction, a user who does not find what to do gets the answer. */
  refused(state, { from, to }) {
    const text = t(from ? 'refusedTarget' : 'refusedSquare', to, from);
    if (state.view !== 'introduction' || state.solving) return announce(state, text);
    const missed = changeExercise(state, 'introduction', { misses: state.exercises.introduction.misses + 1 });
    return announce(missed, text, isAnswerShown(missed.exercises.introduction) && STATUS);
  },
  hint(state) {
    const list = listOf(state);
    return list ? giveHint(state, list) : hintGame(state);
  },
  showAnswer: (state) => withList(state, (list) => showAnswer(state, list)),
  exerciseStep: (state, { request, seed }) =>
    withList(state, (list) => (pendingOf(state) === request ? stepExercise(state, list, seed) : state)),
  exerciseFound: (state, { request, found }) =>
    withList(state, ({ found: show }) =>
      (searchOf(state) === request ? announce(show?.(state, found) ?? state, STATUS) : state)),
} satisfies Partial<Reducers>;
