// The last lesson, how White holds the draw: the positions that White has to know, each shown once and then asked at
// growing intervals until it is known, and a game against an opponent who makes no mistake.

import { moveText } from '../format.js';
import { choicesAt, opponentMoveAt, stateAfter, stateAt } from './engine_games.js';
import { MOST_MISSES, STRATEGY } from './exercises.js';
import { withSetting } from './settings.js';
import { announce, update, signal, STATUS } from './shown.js';
import { t } from '../texts.js';
import { NO_GAME } from './position.js';

import type { Hold, Reducers, State } from './types.js';

const KNOWN = 3; // times right, the first time with the answer

export const NO_HOLD: Hold = {
  queue: [], right: [], gameState: NO_GAME, missed: null, misses: 0,
};

/** The position that is asked; null in the game. */
export const askedOf = ({ queue }: Hold) => STRATEGY[queue[0]] ?? null;
/** Whether the answer was right, and is looked at. */
export const isRight = (hold: Hold) => askedOf(hold) !== null && hold.gameState.plies > 0;
/** How many of the positions are known. */
export const countKnown = ({ queue }: Hold) => STRATEGY.length - new Set(queue).size;
/** The move that is right, as far as it is known. */
export const rightMove = ({ engine, hold }: State) =>
  askedOf(hold)?.move ?? choicesAt(engine, hold.gameState)[0]?.move ?? '';
/** Whether the move is shown: the first time, and to a user who does not find it. */
export function isMoveShown(hold: Hold) {
  const isNew = askedOf(hold) !== null && !hold.right[hold.queue[0]];
  return !isRight(hold) && isUsersTurn(hold) && (isNew || hold.misses >= MOST_MISSES);
}
export const isUsersTurn = ({ gameState }: Hold) => gameState.to_move === 'white' && !gameState.end;

/** Asks the next position, or begins the game. */
function ask(state: State, changes: Partial<Hold>) {
  const next = update(state, 'hold', { ...changes, missed: null, misses: 0 });
  return update(next, 'hold', { gameState: stateAt(state.engine, askedOf(next.hold)?.position ?? state.start) });
}

/** The lesson from its beginning, unless it has begun. */
export const enterHold = (state: State) => (state.hold.gameState.start ? state : beginHold(state));

const beginHold = (state: State) =>
  ask({ ...state, line: null }, { queue: STRATEGY.map((_, i) => i), right: STRATEGY.map(() => 0) });

/** What comes after a right answer: the position is asked again later, the later the better it is known. */
function nextQueue({ queue: [at, ...others], right, misses }: Hold) {
  const times = misses && right[at] ? 1 : right[at] + 1;
  const queue = times < KNOWN ? others.toSpliced(2 ** times, 0, at) : others;
  return { queue, right: right.with(at, times) };
}

/** What a move has led to: at the end of the game, the lesson is done. */
function announceMove(state: State, spoken = '') {
  const { end } = state.hold.gameState;
  const done = end && !askedOf(state.hold) ? withSetting(state, 'held', true) : state;
  return announce(signal(done, end ? 'won' : 'move'), spoken, STATUS);
}

export function moveInHold(state: State, move: string) {
  const { hold } = state;
  const choice = choicesAt(state.engine, hold.gameState).find((one) => one.move === move);
  if (!choice || isRight(hold) || !isUsersTurn(hold)) return state;
  const asked = askedOf(hold);
  if (asked ? move !== asked.move : choice.value.result === 'loss')
    return announce(signal(update(state, 'hold', { missed: move, misses: hold.misses + 1 }), 'lost'), STATUS);
  const misses = asked ? hold.misses : 0;
  const gameState = stateAfter(state.engine, hold.gameState, move);
  return announceMove(update(state, 'hold', { gameState, missed: null, misses }));
}

export const holdReducers = {
  beginHold: (state) => announce(beginHold(state), STATUS),
  showHold: (state) => announce(update(state, 'hold', { misses: MOST_MISSES }), STATUS),
  /** After a right answer, the next question; in the game, the reply of the opponent, who makes no mistake. */
  holdStep(state, { request, seed }) {
    const { hold } = state;
    if (hold !== request) return state;
    if (isRight(hold)) return announce(ask(state, nextQueue(hold)), STATUS);
    const move = opponentMoveAt(state.engine, hold.gameState, 'perfect', seed);
    const spoken = t('spokenMove', t('black'), moveText(move));
    return announceMove(update(state, 'hold', { gameState: stateAfter(state.engine, hold.gameState, move) }), spoken);
  },
} satisfies Partial<Reducers>;
