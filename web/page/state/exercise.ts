// An exercise: a move is tried in a position, is right or wrong, is replied to, and leads to the next exercise. What
// the exercises of a view are, its list states as data and a few functions: lists.ts.

import { isRight, MOST_MISSES, passed, userSide, wayTo } from './aims.js';
import { moveText } from '../format.js';
import { choicesAt, hintSentences, nextHint, NO_PUZZLE_HINTS, stateAt } from './game.js';
import { NO_GAME } from './position.js';
import { announce, signal, STATUS, update } from './shown.js';
import { t } from '../texts.js';

import type { Candidate, Choice, Exercise, Exercises, Item, ListName, MoveValue, Sentence, State } from './types.js';

/** Nothing has been done. */
export const NO_EXERCISE: Exercise = {
  item: null, gameState: NO_GAME, progress: 'unsolved', tried: null, misses: 0, slid: null, hints: NO_PUZZLE_HINTS,
  search: null,
};

/** The exercises of a view. */
export interface ExerciseList {
  name: ListName;
  /** What is heard when one is solved; null: nothing is heard at all. */
  sound: 'won' | 'move' | null;
  /** What is spoken when one is solved, and after a right move that does not solve it. */
  right: Sentence[];
  goOn?: Sentence[];
  /** What is spoken after a wrong move, and with the answer. */
  wrong: Sentence[];
  /** The milliseconds before a reply, and before the next exercise if that follows by itself. */
  pause: number;
  goesOn?: boolean;
  /** The next exercise, or one from somewhere. null: there is none. */
  next(state: State, from?: string): State | null;
  /** What a right solution changes. */
  solved?(state: State): State;
  /** What a wrong move changes. */
  missed?(state: State, choice: Choice): State;
  /** The answer, if it is not only marked on the board. */
  show?(state: State): State;
  /** What a hint changes. */
  hinted?(state: State): State;
  /** The reply of the opponent. */
  reply?(state: State, seed: number): string;
  found?(state: State, found: Candidate[] | null): State;
}

// ---- what can be asked ----

/** Whether the user may move. */
export const isUsersTurn = ({ item, gameState: { start, end, to_move: toMove }, progress, search }: Exercise) =>
  item !== null && !search && start !== '' && !end && (progress === 'unsolved' || progress === 'wrong')
    && toMove === userSide(item);

/** Whether the answer is shown. */
export const isAnswerShown = (exercise: Exercise) =>
  isUsersTurn(exercise) && exercise.misses >= MOST_MISSES;

/** A move that is right; null if there is nothing to find. */
export function answerOf({ engine }: State, { item, gameState }: Exercise): MoveValue | null {
  if (!item) return null;
  const choices = choicesAt(engine, gameState);
  const [first] = (item.goal && wayTo(engine, gameState.position, item.goal)) || [];
  const isAnswer = (one: Choice) => (item.goal ? one.move === first : isRight(engine, item, one, choices[0]));
  return choices.find(isAnswer) ?? null;
}

/** The answer, if it is shown. */
export const shownAnswer = (state: State, exercise: Exercise) =>
  (isAnswerShown(exercise) ? answerOf(state, exercise) : null);

/** Whether the opponent replies, or the next exercise follows. */
export function isPending({ item, gameState, progress }: Exercise, { goesOn }: ExerciseList) {
  if (!item || !gameState.start) return false;
  if (progress === 'solved') return goesOn === true && !item.until;
  return progress === 'unsolved' && !gameState.end && gameState.to_move !== userSide(item);
}

/** Whether nothing is left to find. */
function isSafe(state: State, { item, gameState }: Exercise) {
  if (gameState.end || item?.until !== 'safe') return Boolean(gameState.end);
  return choicesAt(state.engine, gameState).filter(({ value }) => value.result !== 'loss').length !== 1;
}

// ---- changes ----

export const changeExercise = <Name extends ListName>(
  state: State, name: Name, changes: Partial<Exercises[Name]> | Partial<Exercise>,
): State => ({ ...state, exercises: { ...state.exercises, [name]: { ...state.exercises[name], ...changes } } });

/** Asks an exercise. */
export function ask<Name extends ListName>(
  state: State, name: Name, item: Item, changes: Partial<Exercises[Name]> = {},
) {
  const gameState = stateAt(state.engine, item.start ?? item.position, item.moves);
  return changeExercise(changeExercise(state, name, { ...NO_EXERCISE, item, gameState }), name, changes);
}

function play(state: State, { name }: ExerciseList, move: string) {
  const { start, moves } = state.exercises[name].gameState;
  return changeExercise(state, name, { gameState: stateAt(state.engine, start, [...moves, move]), slid: null });
}

const letHear = (state: State, { sound }: ExerciseList, made: 'move' | 'won' | 'lost', sentences: Sentence[]) =>
  announce(sound ? signal(state, made) : state, ...sentences);

/** What follows a move that was played: the exercise may be solved. */
function conclude(state: State, list: ExerciseList, isSolved: boolean, sentences: Sentence[]) {
  if (!isSolved) return letHear(state, list, 'move', sentences);
  const solved = changeExercise(state, list.name, { progress: 'solved' });
  const isWon = list.sound === 'won' || state.exercises[list.name].gameState.end !== null;
  return letHear(list.solved?.(solved) ?? solved, list, isWon ? 'won' : 'move', sentences);
}

function right(state: State, list: ExerciseList, item: Item, choice: Choice) {
  const { misses } = state.exercises[list.name];
  const played = changeExercise(play(state, list, choice.move), list.name, {
    progress: 'unsolved', tried: { choice }, misses: item.until ? 0 : misses,
  });
  const isSolved = !item.until || played.exercises[list.name].gameState.end !== null;
  return conclude(played, list, isSolved, isSolved ? list.right : list.goOn ?? [STATUS]);
}

function wrong(state: State, list: ExerciseList, choice: Choice) {
  const { misses } = state.exercises[list.name];
  const missed = changeExercise(state, list.name, { progress: 'wrong', tried: { choice }, misses: misses + 1 });
  return letHear(list.missed?.(missed, choice) ?? missed, list, 'lost', list.wrong);
}

/** Slides a piece, while the opponent does not move. A line would end the game: the exercise begins again. */
function slide(state: State, list: ExerciseList, item: Item, { move, next }: Choice) {
  const position = passed(next);
  const isLine = !state.engine.checkPosition(position).ok;
  const gameState = stateAt(state.engine, isLine ? item.position : position);
  const slid = changeExercise(state, list.name, { gameState, slid: isLine ? null : move });
  return letHear(slid, list, 'move', [t('spokenMove', t(userSide(item)), moveText(move)), ...list.wrong]);
}

/** A move of the user. */
export function moveInExercise(state: State, list: ExerciseList, move: string) {
  const exercise = state.exercises[list.name];
  const { item, gameState } = exercise;
  if (!item || !isUsersTurn(exercise)) return state;
  if (state.solving) return update(state, 'solving', { move }); // what is right is not known
  const choices = choicesAt(state.engine, gameState);
  const choice = choices.find((one) => one.move === move);
  if (!choice) return state;
  const ready = { ...changeExercise(state, list.name, { hints: NO_PUZZLE_HINTS }), preview: null };
  if (isRight(state.engine, item, choice, choices[0])) return right(ready, list, item, choice);
  return item.goal ? slide(ready, list, item, choice) : wrong(ready, list, choice);
}

/** The next exercise or, in one that goes on, the reply of the opponent. */
export function stepExercise(state: State, list: ExerciseList, seed: number) {
  const { gameState, progress } = state.exercises[list.name];
  if (progress === 'solved') return announce(list.next(state) ?? state, STATUS);
  const move = list.reply?.(state, seed) ?? '';
  const played = play(state, list, move);
  const spoken = t('spokenMove', t(gameState.to_move), moveText(move));
  return conclude(played, list, isSafe(played, played.exercises[list.name]), [spoken, STATUS]);
}

/** Gives the next hint. */
export function giveHint(state: State, list: ExerciseList) {
  const { item, gameState, hints: before } = state.exercises[list.name];
  if (!item) return state;
  const hints = nextHint(state, before, gameState);
  const hinted = changeExercise(state, list.name, { hints });
  return announce(list.hinted?.(hinted) ?? hinted, ...hintSentences(hints));
}

/** Shows the answer. */
export const showAnswer = (state: State, list: ExerciseList) =>
  list.show?.(state) ?? announce(changeExercise(state, list.name, { misses: MOST_MISSES }), ...list.wrong);
