// Searches a table in a worker, since that takes a moment. The first message has the contents of the elements that the engine
// is loaded from, the source of another table, if that is used, and whether all of it is read. Each other one is a question
// {id, what, ...}, whose answer is {id, answer} or {id, error}.

import { embedded, fileSource, loadEngineFromPage, openTable, urlSource } from './engine.js';

const SAMPLES = 16; // of a table that is not complete, at most

/** @type {Promise<import('./engine.js').Engine>} */
let opened;

/** @type {Record<string, (engine: import('./engine.js').Engine, question: any) => unknown>} */
const answers = {
  /** A puzzle that saves the draw, or one that wins in so many plies; null if there is none, or none is found in a part. */
  async puzzle(engine, { seed, save, from, to }) {
    if (!engine.complete) return sample(engine, { seed, from, to });
    const kinds = engine
      .puzzleKinds()
      .filter(({ plies = 0, total }) => total && (save ? !plies : plies >= from && plies <= to));
    return kinds.length ? engine.puzzles(kinds[seed % kinds.length], seed, 1)[0].position : null;
  },
  distances: (engine) => engine.distances(),
};

/**
 * A puzzle near some random positions.
 * @param {import('./engine.js').Engine} engine
 * @param {{seed: number, from: number, to: number}} question
 */
async function sample(engine, { seed, from, to }) {
  for (let n = 0; n < SAMPLES; n++) {
    const position = await engine.whenLoaded(() => engine.samplePuzzle(from, to, seed * SAMPLES + n));
    if (position) return position;
  }
  return null;
}

addEventListener('message', async ({ data }) => {
  if (data.elements) {
    /** @type {{getElementById(id: string): {textContent: string | null}}} */
    const page = { getElementById: (id) => ({ textContent: data.elements[id] }) };
    const { file, url } = data.source ?? {};
    opened = data.source
      ? embedded(page, 'neutreeko-wasm').then((wasm) => openTable(wasm, file ? fileSource(file) : urlSource(url), { complete: data.complete }))
      : loadEngineFromPage(page);
    return;
  }
  const { id, what } = data;
  try {
    const engine = await opened;
    await engine.finish();
    postMessage({ id, answer: await answers[what](engine, data) });
  } catch (error) {
    postMessage({ id, error: /** @type {Error} */ (error).message });
  }
});
