// The program of the page's workers, for what takes longer than a moment. The first message says what a worker does:
// solve a board or verify a table (solver.ts), or answer questions about a table. That one has the compressed module of
// the engine, the table, as bytes or a file, and whether all of it is read. Each other one is a question
// {id, what, ...}, whose answer is {id, answer} or {id, error}.

import { uncompressed } from './elements.js';
import { type Engine, messageOf, openTable } from './engine.js';
import { work } from './solver.js';

import type { Reviewed, Why } from './api.js';

const SAMPLES = 16; // of a table that is not complete, at most

let opened: Promise<Engine> | null = null;

/** What this worker is asked, by the name of the question, and what it answers. */
export interface Questions {
  puzzle(question: { seed: number; draw: boolean; from: number; to: number }): string | null;
  fairStarts(question: object): string[];
  why(question: { start: string; moves: string[]; move: string }): Why;
  review(question: { start: string; moves: string[] }): Reviewed[];
}
/** A question with its name. */
export type Asked<What extends keyof Questions> = { what: What } & Parameters<Questions[What]>[0];

const answers: {
  [What in keyof Questions]:
    (engine: Engine, question: Parameters<Questions[What]>[0]) => ReturnType<Questions[What]>;
} = {
  /**
   * A puzzle that keeps a draw, or one that wins in so many plies; null if there is none, or none is found in a part.
   */
  puzzle(engine, { seed, draw, from, to }) {
    if (!engine.complete) return sample(engine, { seed, from, to });
    const kinds = engine
      .puzzleKinds()
      .filter(({ plies = 0, total }) => total && (draw ? !plies : plies >= from && plies <= to));
    return kinds.length ? engine.puzzles(kinds[seed % kinds.length], 1, seed)[0].position : null;
  },
  fairStarts: (engine) => engine.fairStarts(),
  /** What a move does after the moves of a game. */
  why(engine, { start, moves, move }) {
    const game = engine.newGame(start);
    for (const one of moves) game.play(one);
    const found = game.why(moves.length, move);
    game.free();
    return found;
  },
  review(engine, { start, moves }) {
    const game = engine.newGame(start);
    for (const move of moves) game.play(move);
    const found = game.review();
    game.free();
    return found;
  },
};

/** A puzzle near some random positions. */
function sample(engine: Engine, { seed, from, to }: { seed: number; from: number; to: number }) {
  for (let n = 0; n < SAMPLES; n++) {
    const position = engine.samplePuzzle(from, to, seed * SAMPLES + n);
    if (position) return position;
  }
  return null;
}

/** What only workers have, unlike pages, whose types these are. */
declare class FileReaderSync {
  readAsArrayBuffer(file: Blob): ArrayBuffer;
}

/** The parts of a file, when they are needed: that of a large table is in the memory of the page already. */
const partsOf = (file: Blob) => ({
  size: file.size,
  read(offset: number, length: number) {
    return new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.slice(offset, offset + length)));
  },
});

async function open(
  { wasm, table, complete }: { wasm: Uint8Array<ArrayBuffer>; table: Uint8Array | Blob; complete: boolean },
) {
  const isWhole = complete || !(table instanceof Blob);
  return openTable(await uncompressed(wasm), isWhole ? table : partsOf(table), { complete });
}

async function answer<What extends keyof Questions>(
  engine: Promise<Engine>, { id, ...question }: { id: number } & Asked<What>,
) {
  try {
    const opened = await engine;
    await opened.finish();
    postMessage({ id, answer: answers[question.what](opened, question) });
  } catch (error) {
    postMessage({ id, error: messageOf(error) });
  }
}

/** Makes this worker answer the messages of the page. */
export function answerMessages() {
  addEventListener('message', ({ data }) => {
    if ('complete' in data) opened = open(data);
    else if (opened) answer(opened, data);
    else work(data, (message, transfer = []) => postMessage(message, { transfer }));
  });
}
