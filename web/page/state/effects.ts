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

import type {
  Action, Board, Dispatch, KeptGame, LaboratoryJob, Opened, Progress, Puzzle, PuzzleFound, Reviewed, State,
  StoredStudy,
} from './types.js';

type Stop = (() => void) | undefined | ReturnType<() => void>;
/** An effect. `begin` may return what stops it. */
interface Effect<Key> {
  wants(state: State): Key | null;
  begin(key: Key, dispatch: Dispatch, state: State): Stop;
}

/** Follows the states: begins, and stops, what an effect wants. */
type Follow = (dispatch: Dispatch) => (state: State) => void;

function effect<Key>({ wants, begin }: Effect<Key>): Follow {
  return (dispatch) => {
    let running: { key: Key | null; stop: Stop } = { key: null, stop: undefined };
    return (state) => {
      const key = wants(state);
      if (key === running.key) return;
      running.stop?.();
      running = { key, stop: undefined };
      if (key !== null) running.stop = begin(key, dispatch, state);
    };
  };
}

/** Lets the browser do other things, such as drawing, between parts of long work. */
export const pause = () => new Promise((resolve) => setTimeout(resolve));

export const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

// ---- timers ----

/** Dispatches an action after some milliseconds. */
const after = <Key>(
  time: number | (() => number), wants: (state: State) => Key | null, action: (of: Key) => Action,
): Follow => effect({
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

let working: { file: State['file']; isComplete: boolean; searcher: ReturnType<typeof startSearcher> } | null = null;

/** The worker for a table, which is kept until another table is played on or it fails. */
function searcherOf({ file, engine }: State) {
  const isComplete = !isTooLarge(engine);
  if (working?.file !== file || working.isComplete !== isComplete || working.searcher.isLost()) {
    working?.searcher.end();
    working = { file, isComplete, searcher: startSearcher(file, isComplete) };
  }
  return working.searcher;
}

/** A puzzle of a grade, if there is one. */
async function findPuzzle(
  state: State, { grade, seed, date }: { grade: string; seed: number | null; date: string },
): Promise<PuzzleFound[]> {
  const { draw = false, from = 0, to = 0 } = GRADES[grade];
  const position = await searcherOf(state).ask({ what: 'puzzle', seed: seed ?? randomSeed(), draw, from, to });
  return position ? [{ position, date }] : [];
}

/** The positions of a game in which the user made a mistake; of two people, either. */
async function mistakesOf(state: State, game: KeptGame): Promise<PuzzleFound[]> {
  const moves = game.moves.split('.').map(withHyphen);
  const asked = searcherOf(state).ask({ what: 'review', start: game.start, moves });
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
async function findMistakes(state: State, { games, at }: { games: KeptGame[]; at: number }, signal: AbortSignal) {
  const found = [];
  for (const game of games) {
    signal.throwIfAborted();
    found.push(...(await mistakesOf(state, game)));
  }
  const first = at % Math.max(found.length, 1);
  return [...found.slice(first), ...found.slice(0, first)];
}

const puzzles = effect<NonNullable<State['puzzle']['search']>>({
  wants: ({ puzzle }) => puzzle.search,
  begin(request, dispatch, state) {
    const control = new AbortController();
    const found = 'games' in request ? findMistakes(state, request, control.signal) : findPuzzle(state, request);
    found.catch(() => null).then((list) => dispatch({ type: 'puzzleFound', request, found: list }));
    return () => control.abort();
  },
});

/** Finds out whether the puzzle of an address is that of the day. */
const recognizing = effect<Puzzle>({
  wants: ({ puzzle: { current } }) => (current?.date === null ? current : null),
  begin(request, dispatch, state) {
    const search = dailySearch(state);
    findPuzzle(state, search).catch(() => []).then(([found]) =>
      dispatch({ type: 'dailyFound', request, date: found?.position === request.position ? search.date : '' }));
  },
});

let answered: Promise<void> = Promise.resolve(); // the last question about a move

/** What a move does, in a large table: one at a time. */
const reasons = effect<string>({
  wants: whyKey,
  begin(request, dispatch, state) {
    let isWanted = true;
    const { start, moves } = state.game.gameState;
    const move = request.slice(request.lastIndexOf(' ') + 1);
    answered = answered.then(async () => {
      if (!isWanted) return;
      const asked = searcherOf(state).ask({ what: 'why', start, moves, move });
      const facts = await asked.catch(() => null); // its file has gone
      dispatch({ type: 'whyFound', request, facts });
    });
    return () => (isWanted = false);
  },
});

/** The fair starts of the board, for which the worker looks at the whole table. */
const fairStarts = effect<string>({
  wants: ({ dialog, newGame, fairStarts: found, boardName }) =>
    (dialog === 'start' && newGame.isFairShown && !found ? boardName : null),
  begin(request, dispatch, state) {
    searcherOf(state).ask({ what: 'fairStarts' }).catch((): string[] => [])
      .then((positions) => dispatch({ type: 'fairFound', request, positions }));
  },
});

// ---- further exercises ----

const SLICE = 10; // milliseconds of looking for an exercise

const exercises = effect<NonNullable<State['lesson']['looking']>>({
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
});

// ---- studies ----

/** The study that is shown, as the text for the address. */
const packing = effect<StoredStudy>({
  wants(state) {
    const { reading, packed } = state.study;
    const shown = shownStudy(state);
    return state.view === 'study' && !reading && packed.study !== shown ? shown : null;
  },
  begin(request, dispatch, state) {
    const text = request.positions.length ? pack(wholeStudy(state, request)) : Promise.resolve('');
    text.then((packed) => dispatch({ type: 'studyPacked', request, text: packed }));
  },
});

const reading = effect<NonNullable<State['study']['reading']>>({
  wants: ({ study }) => study.reading,
  begin: (request, dispatch) =>
    void unpack(request.link).then((study) => dispatch({ type: 'studyRead', request, study })),
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
  begin: (request, dispatch) => void pack(request.study).then((study) => {
    const hash = `#${writeAddress({ board: request.study.board, view: 'study', study })}`;
    dispatch({ type: 'studyLinked', request, hash });
  }),
});

// ---- the laboratory ----

const REDRAW = 150; // milliseconds, while something makes progress

let wasm: Promise<Uint8Array<ArrayBuffer>> | undefined; // of the engine

/**
 * Opens a table, which is right.
 * @param byPlies what is known of a board that has been solved
 */
async function open(file: Blob, byPlies: number[] | null): Promise<Opened> {
  const engine = await openTable(await (wasm ??= uncompressed(bytesIn('neutreeko-wasm'))), file);
  // To find the proposal in a large table takes longer than all else.
  const proposal = engine.start ?? (isTooLarge(engine) ? engine.firstStart() : engine.suggestedStart());
  engine.finish().catch(() => {}); // values are looked up before, too
  return { engine, file, start: startOf(engine, proposal), bytes: file.size, byPlies };
}

/** Leaves an error of the page itself, for which the user gets no reason, in the console. */
function logged(error: unknown) {
  if (!(error instanceof EngineError)) console.error(error);
  return error;
}

async function work(
  job: LaboratoryJob, { signal, onProgress }: { signal: AbortSignal; onProgress(progress: Progress | number): void },
) {
  if (job.file) {
    await verify(job.file, { signal, onProgress });
    return open(job.file, null);
  }
  let byPlies: number[] | null = null;
  const table = await solve((readBoard(job.board) as Board), {
    signal,
    onProgress(progress) {
      byPlies = progress.by_plies;
      onProgress(progress);
    },
  });
  return open(new Blob([(table as Uint8Array<ArrayBuffer>)]), byPlies);
}

const jobs = effect<LaboratoryJob>({
  wants: ({ laboratory }) => laboratory.job,
  begin(request, dispatch) {
    const control = new AbortController();
    let drawn = 0; // when progress was shown last
    const onProgress = (progress: Progress | number) => {
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
});

// Of the memory, which the browser rounds down, half is for this.
declare global {
  interface Navigator {
    readonly deviceMemory?: number; // in Chromium
  }
}
const deviceMemory = globalThis.navigator?.deviceMemory;

/** What solving the chosen board takes. */
const plans = effect<string>({
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
});

const EFFECTS = [
  ...timers, puzzles, recognizing, reasons, fairStarts, exercises, packing, reading, files, linking, jobs, plans,
];

/** Returns a function that begins, and stops, what the state wants. */
export function createEffects(dispatch: Dispatch) {
  const running = EFFECTS.map((start) => start(dispatch));
  return (state: State) => {
    for (const follow of running) follow(state);
  };
}
