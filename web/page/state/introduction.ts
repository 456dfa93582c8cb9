// The introduction on the first visit: moves that teach the game, any slide, a win in one, and a threat that is
// stopped.

import { choicesAt, stateAfter, stateAt } from './engine_games.js';
import { begin } from './game.js';
import { openNewGame } from './new_game.js';
import { weakestNamed } from './opponents.js';
import { announce, update, STATUS } from './shown.js';
import { withSetting } from './settings.js';

import type { Introduction, Reducers, State, Value } from './types.js';

/**
 * The exercises after the first slide: the position, Black to move; which values solve it; the piece that is picked up
 * first, or the move that White threatens; what follows.
 */
export type Exercise = {position: string, isSolved(value: Value): boolean, picked?: string, threat?: string,
  next: Introduction['step']};

const EXERCISES: Record<'win' | 'block', Exercise> = {
  win: {
    position: 'w2w1/5/2b1w/1b3/3b1 b',
    isSolved: ({ result, plies }) => result === 'win' && plies === 1,
    picked: 'd1',
    next: 'block',
  },
  block: {
    position: 'w2b1/ww3/5/b3b/5 b',
    isSolved: (value) => value.result !== 'loss' || value.plies > 2,
    threat: 'b4-a3',
    next: 'done',
  },
};

export const exerciseOf = ({ step }: Introduction) => (step === 'win' || step === 'block' ? EXERCISES[step] : null);

function beginStep(state: State, step: 'slide' | 'win' | 'block') {
  const gameState = stateAt(state.engine, step === 'slide' ? state.start : EXERCISES[step].position);
  const introduction: Introduction = { step, gameState, isPicked: false, misses: 0, next: null };
  return { ...state, introduction };
}

export const introduce = (state: State): State =>
  beginStep({ ...state, view: 'play', line: null, isTurned: false, preview: null }, 'slide');

export const endIntroduction = (state: State) =>
  state.introduction ? withSetting({ ...state, introduction: null }, 'met', true) : state;

export function moveInIntroduction(state: State, move: string) {
  const { introduction } = state;
  if (!introduction || introduction.step === 'done' || introduction.next) return state;
  const { gameState, misses } = introduction;
  const choices = state.solving ? [] : choicesAt(state.engine, gameState);
  const value = choices.find((choice) => choice.move === move)?.value;
  const exercise = exerciseOf(introduction);
  if (!value) return state;
  if (exercise && !exercise.isSolved(value))
    return announce(update(state, 'introduction', { misses: misses + 1 }), STATUS);
  const moved = stateAfter(state.engine, gameState, move);
  return update(state, 'introduction', { gameState: moved, misses: 0, next: exercise?.next ?? 'win' });
}

export const introductionReducers = {
  introduce: (state) => announce(introduce({ ...state, dialog: null }), STATUS),
  introductionStep(state, { request }) {
    if (state.introduction !== request || !request.next) return state;
    const { next } = request;
    if (next !== 'done') return announce(beginStep(state, next), STATUS);
    return announce(update(state, 'introduction', { step: 'done', next: null }), STATUS);
  },
  skipIntroduction: (state) => openNewGame(endIntroduction(state)),
  playBeginner: (state, { seed }) =>
    begin(endIntroduction(state), { players: { black: 'human', white: weakestNamed() }, seed }),
} satisfies Partial<Reducers>;
