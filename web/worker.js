// Searches a whole table in a worker, since that takes a moment. The first message has the contents of the elements that the
// engine is loaded from and the source of another table, if that is used. Each other one is a question {id, what, ...}, whose
// answer is {id, answer} or {id, error}.

import { embedded, fileSource, loadEngineFromPage, openTable, urlSource } from './engine.js';

/** @type {Promise<import('./engine.js').Engine>} */
let opened;

/** @type {Record<string, (engine: import('./engine.js').Engine, question: any) => unknown>} */
const answers = {
  /** A puzzle that saves the draw, or one that wins in so many plies; null if there is none. */
  puzzle(engine, { seed, save, from, to }) {
    const kinds = engine
      .puzzleKinds()
      .filter(({ plies = 0, total }) => total && (save ? !plies : plies >= from && plies <= to));
    return kinds.length ? engine.puzzles(kinds[seed % kinds.length], seed, 1)[0].position : null;
  },
  distances: (engine) => engine.distances(),
};

addEventListener('message', async ({ data }) => {
  if (data.elements) {
    /** @type {{getElementById(id: string): {textContent: string | null}}} */
    const page = { getElementById: (id) => ({ textContent: data.elements[id] }) };
    const { file, url } = data.source ?? {};
    opened = data.source
      ? embedded(page, 'neutreeko-wasm').then((wasm) => openTable(wasm, file ? fileSource(file) : urlSource(url), { complete: true }))
      : loadEngineFromPage(page);
    return;
  }
  const { id, what } = data;
  try {
    const engine = await opened;
    await engine.finish();
    postMessage({ id, answer: answers[what](engine, data) });
  } catch (error) {
    postMessage({ id, error: /** @type {Error} */ (error).message });
  }
});
