// The program of the page's workers, for what takes longer than a moment. The first message says what a worker does:
// solve a board or verify a table (solver.js), or answer questions about a table. That one has the compressed module of
// the engine, the table, as bytes or a file, and whether all of it is read. Each other one is a question
// {id, what, ...}, whose answer is {id, answer} or {id, error}.

import { uncompressed } from './elements.js';
import { openTable } from './engine.js';
import { work } from './solver.js';

const SAMPLES = 16; // of a table that is not complete, at most

/** @type {Promise<import('./engine.js').Engine> | null} */
let opened = null;

/** @type {Record<string, (engine: import('./engine.js').Engine, question: any) => unknown>} */
const answers = {
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

/**
 * A puzzle near some random positions.
 * @param {import('./engine.js').Engine} engine
 * @param {{seed: number, from: number, to: number}} question
 */
function sample(engine, { seed, from, to }) {
  for (let n = 0; n < SAMPLES; n++) {
    const position = engine.samplePuzzle(from, to, seed * SAMPLES + n);
    if (position) return position;
  }
  return null;
}

/**
 * The parts of a file, when they are needed: that of a large table is in the memory of the page already.
 * @param {Blob} file
 */
const partsOf = (file) => ({
  size: file.size,
  /**
   * @param {number} offset
   * @param {number} length
   */
  // @ts-expect-error: only workers have it, and the types are those of pages
  read: (offset, length) => new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.slice(offset, offset + length))),
});

/** @param {{wasm: Uint8Array<ArrayBuffer>, table: Uint8Array | Blob, complete: boolean}} first */
async function open({ wasm, table, complete }) {
  const isWhole = complete || !(table instanceof Blob);
  return openTable(await uncompressed(wasm), isWhole ? table : partsOf(table), { complete });
}

/** @param {{id: number, what: string}} question */
async function answer({ id, what, ...question }) {
  try {
    const engine = /** @type {import('./engine.js').Engine} */ (await opened);
    await engine.finish();
    postMessage({ id, answer: await answers[what](engine, question) });
  } catch (error) {
    postMessage({ id, error: /** @type {Error} */ (error).message });
  }
}

/** Makes this worker answer the messages of the page. */
export function answerMessages() {
  addEventListener('message', ({ data }) => {
    if ('complete' in data) opened = open(data);
    else if (opened) answer(data);
    else work(data, (message, transfer) => postMessage(message, { transfer }));
  });
}
