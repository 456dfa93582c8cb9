// Reviews games, each once.

/** @import { App, Reviewed } from './types.js' */

/** @param {App} app */
export function createReviewer(app) {
  /** @type {{key: string, moves: Reviewed[]}} */
  let current = { key: '', moves: [] };

  return {
    /**
     * The review of a game, the same object as long as the game is the same.
     * @param {string} start
     * @param {string[]} moves
     */
    review(start, moves) {
      const key = [app.boardName, start, ...moves].join(' ');
      if (key !== current.key) {
        const game = app.engine.newGame(start);
        for (const move of moves) game.play(move);
        current = { key, moves: game.review() };
        game.free();
      }
      return current;
    },
  };
}
