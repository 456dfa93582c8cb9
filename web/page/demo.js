// Plays a line on the board without changing the game.

import { html } from 'lit-html';

import { button } from './views/dom.js';
import { asSentence, moveText } from './views/format.js';
import { t } from './texts.js';

/** @import { App, Demo } from './types.js' */

const STEP = 1000; // milliseconds

/**
 * Adds lines that are played to app.
 * @param {App} app
 */
export function createDemo(app) {
  let timer = 0;

  /**
   * Every position of the line, and the end of the game in the last one.
   * @param {string} start
   * @param {string[]} moves
   */
  function positionsOf(start, moves) {
    const game = app.engine.newGame(start);
    const positions = [start];
    for (const move of moves) {
      game.play(move);
      positions.push(game.state().position);
    }
    const { end: over } = game.state();
    game.free();
    return { positions, over };
  }

  function run() {
    clearTimeout(timer);
    if (!app.demo?.playing) return;
    timer = setTimeout(() => {
      const { demo } = app;
      if (demo) go(demo, demo.at + 1, demo.at + 1 < demo.moves.length);
    }, STEP);
  }

  /**
   * Has a screen reader speak the move that was shown last, and the end of the game.
   * @param {Demo} demo
   */
  function announce({ at, moves, positions, over }) {
    if (!at) return;
    const { toMove } = app.board.read(positions[at - 1]);
    const winner = at === moves.length && over?.winner;
    app.announce(t('spokenMove', t(toMove), moveText(moves[at - 1])), winner && asSentence(t('sideWon', t(winner))));
  }

  /**
   * @param {Demo} demo
   * @param {number} at
   */
  function go(demo, at, playing = false) {
    const next = { ...demo, at: Math.max(0, Math.min(at, demo.moves.length)), playing };
    app.dispatch({ type: 'demo', demo: next });
    app.render();
    announce(next);
    run();
  }

  /** @type {Partial<App>} */
  const offered = {
    showLine(name, position, moves, { at = 0, playing = true } = {}) {
      go({ name, moves, ...positionsOf(position, moves), at, playing }, at, playing);
    },
    stopDemo() {
      clearTimeout(timer);
      app.dispatch({ type: 'demo', demo: null });
    },
    demoScene() {
      if (!app.demo) return {};
      const { positions, moves, at, over } = app.demo;
      return {
        position: positions[at],
        legal: [],
        last: at ? moves[at - 1] : null,
        winners: at === moves.length && over?.reason === 'won' ? over.winner : null,
      };
    },
    lineTemplate(name, position, moves) {
      const shown = app.demo?.name === name ? app.demo : null;
      /** @param {{at: number, playing?: boolean}} options */
      const start = (options) => app.showLine(name, position, moves, options);
      return html`<div class="line">
        <ol class="steps">
          ${moves.map(
            (move, i) =>
              html`<li>
                <button
                  type="button"
                  aria-current=${shown?.at === i + 1}
                  @click=${() => start({ at: i + 1, playing: false })}
                >
                  ${moveText(move)}
                </button>
              </li>`,
          )}
        </ol>
        <div class="actions">
          ${
            shown?.playing
              ? button('line-play', t('pause'), () => go(shown, shown.at))
              : button('line-play', t('playLine'), () => start({ at: shown && shown.at < moves.length ? shown.at : 0 }))
          }
          ${shown ? button('line-stop', t('backToGame'), () => { app.stopDemo(); app.render(); }) : ''}
        </div>
      </div>`;
    },
  };
  Object.assign(app, offered);
}
