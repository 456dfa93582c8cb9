// Reviews games: at once if that takes but a moment, or else in a worker, while the page shows what has been found.

import { isTooLarge, startSearcher } from './searcher.js';

/** @import { App, Reviewed, Source } from './types.js' */
/** @typedef {{key: string, moves: Reviewed[], done: boolean}} Review */

const MOMENT = 20; // milliseconds: enough for most games
const LATE = Symbol('late');

/**
 * @param {App} app
 * @param {() => void} changed called when more has been found, later than by `review`
 */
export function createReviewer(app, changed) {
  /** @type {Source | null} */
  let source = null;
  /** @type {ReturnType<typeof startSearcher> | undefined} */
  let searcher;
  /** @type {Review} */
  let current = { key: '', moves: [], done: true };

  function stop() {
    searcher?.end();
    searcher = undefined;
  }

  /**
   * Reviews as much as takes but a moment.
   * @param {string} start
   * @param {string[]} moves
   * @param {Review} review
   */
  function begin(start, moves, review) {
    const end = performance.now() + MOMENT;
    const game = app.engine.newGame(start);
    for (const move of moves) game.play(move);
    const isLate = () => performance.now() > end || review.moves.at(-1)?.exact === false; // the worker has time
    try {
      review.moves = game.review((count, _, found) => {
        review.moves = found.slice(0, count);
        if (isLate()) throw LATE;
      });
      review.done = review.moves.at(-1)?.exact !== false;
    } catch (error) {
      if (error !== LATE) throw error;
    } finally {
      game.free();
    }
  }

  /**
   * @param {string} start
   * @param {string[]} moves
   * @param {Review} review
   */
  async function finish(start, moves, review) {
    /** @type {Reviewed[]} */
    const found = [];
    /** @param {Reviewed[]} part */
    const add = (part) => {
      found.push(...part);
      if (review !== current || found.length < review.moves.length) return;
      review.moves = [...found];
      review.done = found.length === moves.length;
      changed();
    };
    searcher = startSearcher(source, !isTooLarge(app.engine));
    try {
      add(await searcher.ask({ what: 'review', start, moves }, add));
    } catch (error) {
      if (review !== current) return;
      console.warn(error);
      review.done = true; // what is missing cannot be found: the file of a large table has gone
      changed();
    }
    if (review === current) stop();
  }

  return {
    /**
     * The review of a game, as far as it is known.
     * @param {string} start
     * @param {string[]} moves
     */
    review(start, moves) {
      const key = [app.boardName, start, ...moves].join(' ');
      if (key === current.key) return current;
      stop();
      current = { key, moves: [], done: false };
      begin(start, moves, current);
      if (!current.done) finish(start, moves, current);
      return current;
    },
    /**
     * Works with the table of another source from now on.
     * @param {Source | null} next
     */
    forget(next) {
      stop();
      source = next;
      current = { key: '', moves: [], done: true };
    },
  };
}
