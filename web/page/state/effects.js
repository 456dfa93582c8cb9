// What answers later: timers, workers, files. Each effect looks at the state after every action: what it `wants` is the
// key under which its answer is dispatched. It begins when that changes, and stops then what it did for another one.

import { bytesIn, EngineError, estimate, openTable, solve, uncompressed, verify } from '../../engine/page.js';
import { writeAddress } from './address.js';
import { isTooLarge, readBoard, startOf } from './boards.js';
import { isThinking, whyKey } from './game.js';
import { isRight } from './hold.js';
import { chosenName, openedChoice } from './laboratory.js';
import { GRADES } from './grades.js';
import { withHyphen } from './position.js';
import { dailySearch } from './puzzle.js';
import { startSearcher, WorkerLost } from './searcher.js';
import { userOf } from './shown.js';
import { shownStudy, wholeStudy } from './study.js';
import { pack, unpack } from './study_text.js';
import { isExercise, randomPosition } from './themes.js';

/**
 * @import {
 *   Board, Dispatch, KeptGame, LaboratoryJob, Opened, Progress, PuzzleFound, Reviewed, State
 * } from './types.js'
 */

/**
 * An effect. `begin` may return what stops it.
 * @template Key
 * @typedef {{wants(state: State): Key | null, begin(key: Key, dispatch: Dispatch, state: State): (() => void) | void}}
 *   Effect
 */

/** Lets the browser do other things, such as drawing, between parts of long work. */
export const pause = () => new Promise((resolve) => setTimeout(resolve));

export const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

// ---- timers ----

/**
 * Dispatches an action after some milliseconds.
 * @template Key
 * @param {number | (() => number)} time
 * @param {(state: State) => Key | null} wants
 * @param {(of: Key) => import('./types.js').Action} action
 * @returns {Effect<Key>}
 */
const after = (time, wants, action) => ({
  wants,
  begin(key, dispatch) {
    const timer = setTimeout(() => dispatch(action(key)), typeof time === 'number' ? time : time());
    return () => clearTimeout(timer);
  },
});

/** Long enough to see one's own move arrive, with and without motion. */
const beforeReply = () => 450 + 350 * Math.random();

const timers = [
  after(beforeReply, (state) => (isThinking(state) ? state.game.gameState : null),
    (request) => ({ type: 'reply', request, seed: randomSeed() })),
  after(1000, ({ line }) => (line?.isPlaying ? line : null), (request) => ({ type: 'lineStep', request })),
  after(700, ({ view, introduction, game }) => (view === 'play' && !introduction ? game.coming : null),
    (request) => ({ type: 'friendMoved', request })),
  after(900, ({ introduction }) => (introduction?.next ? introduction : null),
    (request) => ({ type: 'introductionStep', request })),
  after(600, ({ puzzle: { current, gameState, progress } }) =>
    (current && progress === 'unsolved' && gameState.to_move !== current.toMove ? gameState : null),
    (request) => ({ type: 'puzzleReply', request })),
  after(800, ({ view, hold }) =>
    (view === 'hold' && (isRight(hold) || (hold.gameState.to_move === 'black' && !hold.gameState.end)) ? hold : null),
    (request) => ({ type: 'holdStep', request, seed: randomSeed() })),
];

// ---- questions to a worker, which searches the table ----

/** @type {{file: State['file'], isComplete: boolean, searcher: ReturnType<typeof startSearcher>} | null} */
let working = null;

/**
 * The worker for a table, which is kept until another table is played on or it fails.
 * @param {State} state
 */
function searcherOf({ file, engine }) {
  const isComplete = !isTooLarge(engine);
  if (working?.file !== file || working.isComplete !== isComplete || working.searcher.isLost()) {
    working?.searcher.end();
    working = { file, isComplete, searcher: startSearcher(file, isComplete) };
  }
  return working.searcher;
}

/**
 * A puzzle of a grade, if there is one.
 * @param {State} state
 * @param {{grade: string, seed: number | null, date: string}} search
 * @returns {Promise<PuzzleFound[]>}
 */
async function findPuzzle(state, { grade, seed, date }) {
  const { draw = false, from = 0, to = 0 } = GRADES[grade];
  const question = { what: 'puzzle', seed: seed ?? randomSeed(), draw, from, to };
  const position = await searcherOf(state).ask(question);
  return position ? [{ position, date }] : [];
}

/**
 * The positions of a game in which the user made a mistake; of two people, either.
 * @param {State} state
 * @param {KeptGame} game
 * @returns {Promise<PuzzleFound[]>}
 */
async function mistakesOf(state, game) {
  const moves = game.moves.split('.').map(withHyphen);
  const question = { what: 'review', start: game.start, moves };
  /** @type {Reviewed[]} */
  const reviewed = await searcherOf(state).ask(question).catch((error) => {
    if (error instanceof WorkerLost) throw error;
    return []; // an illegal game
  });
  const user = userOf({ players: game });
  return reviewed
    .filter(({ mark, side }) => mark && side === (user ?? side))
    .map(({ position, ply }) => ({ position, game, moves: moves.slice(0, ply - 1) }));
}

/**
 * The mistakes in games, beginning with number `at`, unless the search is given up.
 * @param {State} state
 * @param {{games: KeptGame[], at: number}} search
 * @param {AbortSignal} signal
 */
async function findMistakes(state, { games, at }, signal) {
  const found = [];
  for (const game of games) {
    signal.throwIfAborted();
    found.push(...(await mistakesOf(state, game)));
  }
  const first = at % Math.max(found.length, 1);
  return [...found.slice(first), ...found.slice(0, first)];
}

/** @type {Effect<NonNullable<State['puzzle']['search']>>} */
const puzzles = {
  wants: ({ puzzle }) => puzzle.search,
  begin(request, dispatch, state) {
    const control = new AbortController();
    const found = 'games' in request ? findMistakes(state, request, control.signal) : findPuzzle(state, request);
    found.catch(() => null).then((list) => dispatch({ type: 'puzzleFound', request, found: list }));
    return () => control.abort();
  },
};

/** Finds out whether the puzzle of an address is that of the day. @type {Effect<import('./types.js').Puzzle>} */
const recognizing = {
  wants: ({ puzzle: { current } }) => (current?.date === null ? current : null),
  begin(request, dispatch, state) {
    const search = dailySearch(state);
    findPuzzle(state, search).catch(() => []).then(([found]) =>
      dispatch({ type: 'dailyFound', request, date: found?.position === request.position ? search.date : '' }));
  },
};

/** @type {Promise<void>} */
let answered = Promise.resolve(); // the last question about a move

/** What a move does, in a large table: one at a time. @type {Effect<string>} */
const reasons = {
  wants: whyKey,
  begin(request, dispatch, state) {
    let isWanted = true;
    const { start, moves } = state.game.gameState;
    const move = request.slice(request.lastIndexOf(' ') + 1);
    answered = answered.then(async () => {
      if (!isWanted) return;
      const question = { what: 'why', start, moves, move };
      const facts = await searcherOf(state).ask(question).catch(() => null); // its file has gone
      dispatch({ type: 'whyFound', request, facts });
    });
    return () => (isWanted = false);
  },
};

/** The fair starts of the board, for which the worker looks at the whole table. @type {Effect<string>} */
const fairStarts = {
  wants: ({ dialog, newGame, fairStarts: found, boardName }) =>
    (dialog === 'start' && newGame.isFairShown && !found ? boardName : null),
  begin(request, dispatch, state) {
    searcherOf(state).ask({ what: 'fairStarts' }).catch(() => [])
      .then((positions) => dispatch({ type: 'fairFound', request, positions }));
  },
};

// ---- further exercises ----

const SLICE = 10; // milliseconds of looking for an exercise

/** @type {Effect<NonNullable<State['lesson']['looking']>>} */
const exercises = {
  wants: ({ lesson, view }) => (view === 'lessons' ? lesson.looking : null),
  begin(request, dispatch, { engine }) {
    let isWanted = true;
    const look = async () => {
      for (let end = 0; isWanted;) {
        const position = randomPosition((count) => Math.floor(count * Math.random()));
        if (isExercise(engine, request.theme, position)) return dispatch({ type: 'exerciseFound', request, position });
        if (performance.now() < end) continue;
        await pause();
        end = performance.now() + SLICE;
      }
    };
    look();
    return () => (isWanted = false);
  },
};

// ---- studies ----

/** The study that is shown, as the text for the address. @type {Effect<import('./types.js').StoredStudy>} */
const packing = {
  wants(state) {
    const { reading, packed } = state.study;
    const shown = shownStudy(state);
    return state.view === 'study' && !reading && packed.study !== shown ? shown : null;
  },
  begin(request, dispatch, state) {
    const text = request.positions.length ? pack(wholeStudy(state, request)) : Promise.resolve('');
    text.then((packed) => dispatch({ type: 'studyPacked', request, text: packed }));
  },
};

/** @type {Effect<NonNullable<State['study']['reading']>>} */
const reading = {
  wants: ({ study }) => study.reading,
  begin: (request, dispatch) =>
    void unpack(request.link).then((study) => dispatch({ type: 'studyRead', request, study })),
};

/** A file that is opened in the dialog for sharing. @type {Effect<File>} */
const files = {
  wants: ({ dialog, share }) => (dialog === 'share' ? share.file : null),
  begin: (request, dispatch) =>
    void request.text().catch(() => null).then((text) => dispatch({ type: 'fileRead', request, text })),
};

/** A study of a file, which opens at its address. @type {Effect<NonNullable<State['share']['opening']>>} */
const linking = {
  wants: ({ dialog, share }) => (dialog === 'share' ? share.opening : null),
  begin: (request, dispatch) => void pack(request.study).then((study) => {
    const hash = `#${writeAddress({ board: request.study.board, view: 'study', study })}`;
    dispatch({ type: 'studyLinked', request, hash });
  }),
};

// ---- the laboratory ----

const REDRAW = 150; // milliseconds, while something makes progress

/** @type {Promise<Uint8Array<ArrayBuffer>> | undefined} */
let wasm; // of the engine

/**
 * Opens a table, which is right.
 * @param {Blob} file
 * @param {number[] | null} byPlies what is known of a board that has been solved
 * @returns {Promise<Opened>}
 */
async function open(file, byPlies) {
  const engine = await openTable(await (wasm ??= uncompressed(bytesIn('neutreeko-wasm'))), file);
  // To find the proposal in a large table takes longer than all else.
  const proposal = engine.start ?? (isTooLarge(engine) ? engine.firstStart() : engine.suggestedStart());
  engine.finish().catch(() => {}); // values are looked up before, too
  return { engine, file, start: startOf(engine, proposal), bytes: file.size, byPlies };
}

/** Leaves an error of the page itself, for which the user gets no reason, in the console. @param {unknown} error */
function logged(error) {
  if (!(error instanceof EngineError)) console.error(error);
  return error;
}

/**
 * @param {LaboratoryJob} job
 * @param {{signal: AbortSignal, onProgress(progress: Progress | number): void}} options
 */
async function work(job, { signal, onProgress }) {
  if (job.file) {
    await verify(job.file, { signal, onProgress });
    return open(job.file, null);
  }
  /** @type {number[] | null} */
  let byPlies = null;
  const table = await solve(/** @type {Board} */ (readBoard(job.board)), {
    signal,
    onProgress(progress) {
      byPlies = progress.by_plies;
      onProgress(progress);
    },
  });
  return open(new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (table)]), byPlies);
}

/** @type {Effect<LaboratoryJob>} */
const jobs = {
  wants: ({ laboratory }) => laboratory.job,
  begin(request, dispatch) {
    const control = new AbortController();
    let drawn = 0; // when progress was shown last
    const onProgress = (/** @type {Progress | number} */ progress) => {
      if (performance.now() - drawn < REDRAW || control.signal.aborted) return;
      drawn = performance.now();
      dispatch({ type: 'jobProgress', request, progress });
    };
    work(request, { signal: control.signal, onProgress }).then(
      (opened) => dispatch({ type: 'jobDone', request, opened }),
      (error) => dispatch({ type: 'jobFailed', request, error: logged(error) }),
    );
    return () => control.abort();
  },
};

// Of the memory, which the browser rounds down, half is for this.
const { deviceMemory } = /** @type {{deviceMemory?: number}} */ (globalThis.navigator ?? {});

/** What solving the chosen board takes. @type {Effect<string>} */
const plans = {
  wants(state) {
    const name = chosenName(state);
    const isKnown = state.laboratory.plan?.board === name || openedChoice(state);
    return state.view === 'laboratory' && !isKnown ? name : null;
  },
  begin(request, dispatch, state) {
    estimate(state.laboratory.draft, { memory: deviceMemory && deviceMemory * 2 ** 29 }).then(
      (found) => dispatch({ type: 'estimated', request, estimate: found }),
      (error) => dispatch({ type: 'estimateFailed', request, error: logged(error) }),
    );
  },
};

/** @type {Effect<any>[]} */
const EFFECTS = [
  ...timers, puzzles, recognizing, reasons, fairStarts, exercises, packing, reading, files, linking, jobs, plans,
];

/**
 * Returns a function that begins, and stops, what the state wants.
 * @param {Dispatch} dispatch
 */
export function createEffects(dispatch) {
  /** @type {{key: unknown, stop: (() => void) | void}[]} */
  const running = EFFECTS.map(() => ({ key: null, stop: undefined }));
  return (/** @type {State} */ state) => {
    EFFECTS.forEach((effect, i) => {
      const key = effect.wants(state);
      if (key === running[i].key) return;
      running[i].stop?.();
      running[i] = { key, stop: undefined };
      if (key !== null) running[i].stop = effect.begin(key, dispatch, state);
    });
  };
}
