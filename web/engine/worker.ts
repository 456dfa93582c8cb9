// The program of the page's worker: it solves a board, hands it to the page, and answers questions that take longer
// than a moment. The first message has the module, compressed, and the board. Then it posts {progress}, and {solved} or
// {failure}. Each other message is a question {id, what, ...}, whose answer is {id, answer} or {id, error}.

import { Engine, openTable } from './engine.js';
import { type Bytes, type ErrorCode, messageOf, Module, uncompressed } from './module.js';
import { type Contents, contentsOf, failureOf, makeTable, type Post, solveInMemory } from './solve.js';

import type { Board, Progress, PuzzleKind, Reviewed, Why } from './api.js';

/** The most legal positions of a board whose codes stay in memory; the values of more are in a compressed table. */
export const MOST_IN_MEMORY = 5e7;
const MOST_SEARCHED = 5e6; // legal positions of a board all of which are searched at once
const SAMPLES = 16; // of a larger board, at most

/** What this worker is asked, by the name of the question, and what it answers. */
export interface Questions {
  puzzle(question: { seed: number; draw: boolean; from: number; to: number }): string | null;
  fairStarts(question: object): string[];
  why(question: { start: string; moves: string[]; move: string }): Why;
  review(question: { start: string; moves: string[] }): Reviewed[];
}
/** A question with its name. */
export type Asked<What extends keyof Questions> = { what: What } & Parameters<Questions[What]>[0];

/** A solved board: what a module in memory has or, of a large board, its table. */
export type Solved = { contents: Contents } | { table: Blob };
export type Posted =
  | { progress: Progress }
  | { solved: Solved; byPlies: number[] }
  | { failure: { code: ErrorCode; message: string } }
  | { id: number; answer?: unknown; error?: string };

const answers: {
  [What in keyof Questions]:
    (engine: Engine, question: Parameters<Questions[What]>[0]) => ReturnType<Questions[What]>;
} = {
  /**
   * A puzzle that keeps a draw, or one that wins in so many plies; null if there is none, or of a board of which not
   * all is searched, none near some positions.
   */
  puzzle(engine, { seed, draw, from, to }) {
    const near = engine.summary.legal > MOST_SEARCHED ? sample(engine, { seed, from, to }) : null;
    if (near || !engine.complete) return near;
    const all = () => engine.puzzleKinds().filter(({ plies = 0, total }) => total && plies >= from && plies <= to);
    const kinds: PuzzleKind[] = draw ? [{ draw }] : from === to ? [{ plies: from }] : all(); // which takes longer
    const [puzzle] = kinds.length ? engine.puzzles(kinds[seed % kinds.length], 1, seed) : [];
    return puzzle?.position ?? null;
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

/** The parts of a file, when they are needed: the large table is in the memory of the page already. */
const partsOf = (file: Blob) => ({
  size: file.size,
  read(offset: number, length: number) {
    return new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.slice(offset, offset + length)));
  },
});

/** Solves a board, and posts what it finds: the codes are moved to the page. */
async function solve(packed: Bytes, board: Board, post: Post<Posted>): Promise<Engine> {
  const wasm = await uncompressed(packed);
  const module = await Module.instantiate(wasm);
  module.useBoard(board);
  let byPlies: number[] = [];
  const report = (progress: Progress) => {
    byPlies = progress.by_plies;
    post({ progress });
  };
  if (module.call<number>('web_legal') > MOST_IN_MEMORY) {
    const table = new Blob([await makeTable(wasm, board, true, report)]);
    post({ solved: { table }, byPlies });
    return openTable(wasm, partsOf(table), { complete: false });
  }
  for (const progress of solveInMemory(module)) report(progress);
  const contents = contentsOf(module);
  post({ solved: { contents }, byPlies }, contents.map(({ buffer }) => buffer));
  return new Engine(module, true);
}

async function answer<What extends keyof Questions>(
  solving: Promise<Engine>, { id, ...question }: { id: number } & Asked<What>, post: Post<Posted>,
) {
  try {
    const engine = await solving;
    post({ id, answer: answers[question.what](engine, question) });
  } catch (error) {
    post({ id, error: messageOf(error) });
  }
}

/** Makes this worker answer the messages of the page. */
export function answerMessages() {
  const post: Post<Posted> = (message, transfer = []) => postMessage(message, { transfer });
  let solving: Promise<Engine> | null = null;
  addEventListener('message', ({ data }) => {
    if (solving) return void answer(solving, data, post);
    solving = solve(data.wasm, data.board, post);
    solving.catch((error) => post({ failure: failureOf(error) }));
  });
}
