// Finds puzzles in a worker, since looking at the whole table takes a moment. Answers {id, position} to a question
// {id, seed, save, from, to}: a puzzle that saves the draw, or one that wins in so many plies. The first message has the
// contents of the elements that the engine is loaded from.

import { loadEngineFromPage } from './engine.js';

/** @type {ReturnType<typeof loadEngineFromPage>} */
let engine;

addEventListener('message', async ({ data }) => {
  if (data.elements) {
    engine = loadEngineFromPage({ getElementById: (id) => ({ textContent: data.elements[id] }) });
    return;
  }
  const { id, seed, save, from, to } = data;
  const loaded = await engine;
  await loaded.finish();
  const kinds = loaded.puzzleKinds().filter(({ plies = 0 }) => (save ? !plies : plies >= from && plies <= to));
  const [{ position }] = loaded.puzzles(kinds[seed % kinds.length], seed, 1);
  postMessage({ id, position });
});
