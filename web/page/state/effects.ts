// What answers later: timers, workers, files. Each effect looks at the state after every action: what it `wants` is the
// key under which its answer is dispatched. It begins when that changes, and stops then what it did for another one.

import { writeAddress } from './address.js';
import { GRADES, isExercise, randomPosition } from './aims.js';
import { isTooLarge, STANDARD } from './boards.js';
import { EngineError, openSolved, solveHere, startSolver, WorkerLost } from '../../engine/page.js';
import { isThinking, shownMove, whyKey } from './game.js';
import { listOf, pendingOf, searchOf } from './lists.js';
import { userOf } from './players.js';
import { readMoves } from './position.js';
import { dailySearch, recentDays } from './puzzle.js';
import { shownStudy } from './study.js';
import { pack, unpack } from './study_text.js';

import type { Solver } from '../../engine/page.js';
import type { Action, Candidate, Dispatch, KeptGame, Puzzle, Reviewed, Search, State, Study } from './types.js';

/** What is outside of the state: the worker of the board, and what ends the page. */
interface Outside {
  solver: Solver;
  fail(error: unknown): void;
}

type Stop = (() => void) | undefined | ReturnType<() => void>;
/** An effect. `begin` may return what stops it. */
interface Effect<Key> {
  wants(state: State): Key | null;
  begin(key: Key, dispatch: Dispatch, state: State, outside: Outside): Stop;
}

/** Makes a follower of the store, which begins, and stops, what an effect wants. */
type Start = (dispatch: Dispatch, outside: Outside) => (state: State) => void;

function effect<Key>({ wants, begin }: Effect<Key>): Start {
  return (dispatch, outside) => {
    let running: { key: Key | null; stop: Stop } = { key: null, stop: undefined };
    return (state) => {
      const key = wants(state);
      if (key === running.key) return;
      running.stop?.();
      running = { key, stop: undefined };
      if (key !== null) running.stop = begin(key, dispatch, state, outside);
    };
  };
}

/** Lets the browser do other things, such as drawing, between parts of long work. */
export const pause = () => new Promise((resolve) => setTimeout(resolve));

export const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

// ---- timers ----

/** Dispatches an action after some milliseconds. */
const after = <Key>(
  time: number | ((state: State) => number), wants: (state: State) => Key | null, action: (of: Key) => Action,
): Start => effect({
  wants,
  begin(key, dispatch, state) {
    const timer = setTimeout(() => dispatch(action(key)), typeof time === 'number' ? time : time(state));
    return () => clearTimeout(timer);
  },
});

/** Long enough to see one's own move arrive, with and without motion. */
const beforeReply = () => 450 + 350 * Math.random();

const timers = [
  after(300, ({ typing }) => (typing?.isPending ? typing : null), () => ({ type: 'typingEnded' })),
  after(500, ({ solving }) => (solving && !solving.isSlow ? true : null),
    () => ({ type: 'solvingIsSlow' })),
  after(beforeReply, (state) => (isThinking(state) ? state.game.gameState : null),
    (request) => ({ type: 'reply', request, seed: randomSeed() })),
  after(1000, ({ line }) => (line?.isPlaying ? line : null), (request) => ({ type: 'lineStep', request })),
  after(700, ({ view, game }) => (view === 'play' ? game.coming : null),
    (request) => ({ type: 'friendMoved', request })),
  after((state) => listOf(state)?.pause ?? 0, pendingOf,
    (request) => ({ type: 'exerciseStep', request, seed: randomSeed() })),
];

// ---- questions to a worker, which searches the table ----

/** The worker of the board. One that has failed is started again. */
function liveSolver({ engine }: State, outside: Outside) {
  if (outside.solver.isLost()) outside.solver = startSolver(engine.board);
  return outside.solver;
}

/** A puzzle of a grade, if there is one. */
async function findPuzzle(
  solver: Solver, { grade, seed, date }: Extract<Search, { grade: string }>,
): Promise<Candidate[]> {
  const { draw = false, from = 0, to = 0 } = GRADES[grade];
  const position = await solver.ask({ what: 'puzzle', seed: seed ?? randomSeed(), draw, from, to });
  return position ? [{ position, date }] : [];
}

/** The positions of a game in which the user made a mistake; of two people, either. */
async function mistakesIn(solver: Solver, game: KeptGame): Promise<Candidate[]> {
  const moves = readMoves(game.moves);
  const asked = solver.ask({ what: 'review', start: game.start, moves });
  const reviewed = await asked.catch((error): Reviewed[] => {
    if (error instanceof WorkerLost) throw error;
    return []; // an illegal game
  });
  const user = userOf({ players: game });
  return reviewed
    .filter(({ mark, side }) => mark && side === (user ?? side))
    .map(({ position, ply }) => ({ position, game, moves: moves.slice(0, ply - 1) }));
}

/** The mistakes in games, beginning with number `at`, unless the search is given up. */
async function findMistakes(
  solver: Solver, { games, at }: Extract<Search, { games: KeptGame[] }>, signal: AbortSignal,
) {
  const found = [];
  for (const game of games) {
    signal.throwIfAborted();
    found.push(...(await mistakesIn(solver, game)));
  }
  const first = at % Math.max(found.length, 1);
  return [...found.slice(first), ...found.slice(0, first)];
}

const SLICE = 10; // milliseconds of looking for an exercise

/** Looks for a further exercise of a theme, until the search is given up. */
async function findOfTheme(engine: State['engine'], theme: string, signal: AbortSignal): Promise<Candidate[]> {
  for (let end = 0; ;) {
    const position = randomPosition((count) => Math.floor(count * Math.random()));
    if (isExercise(engine, theme, position)) return [{ position }];
    if (performance.now() < end) continue;
    await pause();
    signal.throwIfAborted();
    end = performance.now() + SLICE;
  }
}

const exercises = effect<Search>({
  wants: searchOf,
  begin(request, dispatch, state, outside) {
    const control = new AbortController();
    const { signal } = control;
    const find = async () => {
      if ('theme' in request) return findOfTheme(state.engine, request.theme, signal);
      const solver = liveSolver(state, outside);
      return 'games' in request ? findMistakes(solver, request, signal) : findPuzzle(solver, request);
    };
    find().catch(() => null).then((found) => signal.aborted || dispatch({ type: 'exerciseFound', request, found }));
    return () => control.abort();
  },
});

/** Finds out whether the puzzle of an address is that of today or of yesterday, when it may have been opened. */
const recognizing = effect<Puzzle>({
  wants: ({ exercises: { puzzle: { item } } }) => (item?.date === null ? item : null),
  begin(request, dispatch, state, outside) {
    const solver = liveSolver(state, outside);
    const find = (today: string) => findPuzzle(solver, dailySearch({ today })).catch((): Candidate[] => []);
    Promise.all(recentDays(state).map(find)).then((answers) => {
      const found = answers.flat().find(({ position }) => position === request.position);
      dispatch({ type: 'dailyFound', request, date: found?.date ?? '' });
    });
  },
});

/** The last question about a move is answered. */
let answered = Promise.resolve();

/** What a move does, in a large table: one at a time. */
const reasons = effect<string>({
  wants: whyKey,
  begin(request, dispatch, state, outside) {
    let isWanted = true;
    const { start, moves } = state.game.gameState;
    const { move } = shownMove(state);
    answered = answered.then(async () => {
      if (!isWanted) return;
      const asked = liveSolver(state, outside).ask({ what: 'why', start, moves, move });
      const facts = await asked.catch(() => null); // a worker that has failed says nothing of it
      dispatch({ type: 'whyFound', request, facts });
    });
    return () => (isWanted = false);
  },
});

/** The fair starts of the board, for which the worker looks at the whole table. */
const fairStarts = effect<true>({
  wants: ({ dialog, newGame, fairStarts: found, engine, solving }) =>
    (dialog === 'start' && newGame.isFairShown && !found && !solving && !isTooLarge(engine) ? true : null),
  begin(_, dispatch, state, outside) {
    liveSolver(state, outside).ask({ what: 'fairStarts' }).catch((): string[] => [])
      .then((positions) => dispatch({ type: 'fairFound', positions }));
  },
});

// ---- studies ----

/** The study that is shown, as the text for the address. */
const packing = effect<Study>({
  wants(state) {
    const { view, typing, study: { reading, packed } } = state;
    if (view !== 'study' || reading || typing?.isPending) return null;
    const shown = shownStudy(state);
    return packed.study === shown ? null : shown;
  },
  begin(request, dispatch, state) {
    const text = request.positions.length ? pack(request, state.boardName) : Promise.resolve('');
    text.then((packed) => dispatch({ type: 'studyPacked', request, text: packed }));
  },
});

const reading = effect<string>({
  wants: ({ study }) => study.reading,
  begin: (request, dispatch) =>
    void unpack(request).then((study) => dispatch({ type: 'studyRead', request, study })),
});

/** A file that is opened in the dialog for sharing. */
const files = effect<File>({
  wants: ({ dialog, share }) => (dialog === 'share' ? share.file : null),
  begin: (request, dispatch) =>
    void request.text().catch(() => null).then((text) => dispatch({ type: 'fileRead', request, text })),
});

/** A study of a file, which opens at its address. */
const linking = effect<NonNullable<State['share']['opening']>>({
  wants: ({ dialog, share }) => (dialog === 'share' ? share.opening : null),
  begin: (request, dispatch) => {
    const { board } = request.study;
    pack(request.study, board).then((study) => {
      const hash = `#${writeAddress({ board, view: 'study', study })}`;
      dispatch({ type: 'studyLinked', request, hash });
    });
  },
});

// ---- solving the board ----

const [REDRAW, SPEAK] = [150, 5000]; // milliseconds, while something makes progress

/** The values of the board, which its worker finds; where none can be started, the page itself, of the standard one. */
async function values({ boardName }: State, { solver }: Outside) {
  try {
    const { solved, byPlies } = await solver.solved;
    return { engine: await openSolved(solved), byPlies };
  } catch (error) {
    if (boardName === STANDARD && error instanceof WorkerLost) return solveHere();
    throw error;
  }
}

const solving = effect<true>({
  wants: (state) => (state.solving && !state.leaving ? true : null),
  begin(_, dispatch, state, outside) {
    let [drawn, spoken] = [performance.now(), performance.now()]; // when progress was shown and spoken last
    outside.solver.onProgress = (progress) => {
      const now = performance.now();
      if (now - drawn < REDRAW) return;
      const isSpoken = now - spoken >= SPEAK;
      drawn = now;
      if (isSpoken) spoken = now;
      dispatch({ type: 'solvingProgress', progress, isSpoken });
    };
    values(state, outside).then(
      ({ engine, byPlies }) => {
        dispatch({ type: 'solved', engine, byPlies });
        performance.mark('solved');
      },
    ).catch((error) => {
      if (!(error instanceof EngineError || error instanceof WorkerLost)) console.error(error);
      if (state.boardName === STANDARD) outside.fail(error);
      else dispatch({ type: 'unsolved', error });
    });
  },
});

const EFFECTS = [
  ...timers, exercises, recognizing, reasons, fairStarts, packing, reading, files, linking, solving,
];

/** Followers of the store, which begin, and stop, what the state wants. */
export const createEffects = (dispatch: Dispatch, outside: Outside) =>
  EFFECTS.map((start) => start(dispatch, outside));
