// Hints: first the piece that makes the best move, then what the move does, then the move itself.

import { html, nothing } from 'lit-html';

import { button } from './views/dom.js';
import { moveText, whySentences } from './views/format.js';
import { isTooLarge } from './searcher.js';
import { t } from './texts.js';

/** @import { App, Choice, Side, Why } from './types.js' */

/**
 * The hints for the positions of a game, one for each press of the button.
 * @param {App} app
 * @param {() => import('../engine/engine.js').Game} game
 */
export function createHints(app, game) {
  let given = 0;
  /** @type {{choice: Choice, side: Side, facts: Why | null} | null} */
  let best = null; // once the first hint is given

  /** In a large table, the facts would take too long to find. */
  const most = () => (isTooLarge(app.engine) ? 2 : 3);
  const isMove = () => given === most();

  function find() {
    const { plies, to_move: toMove } = game().state();
    const [choice] = game().choices();
    return { choice, side: toMove, facts: most() < 3 ? null : game().why(plies, choice.move) };
  }

  /** @param {NonNullable<typeof best>} found */
  const named = ({ choice }) =>
    isMove() ? t('hintMove', moveText(choice.move)) : t('hintPiece', choice.from);

  /** @param {NonNullable<typeof best>} found */
  function text(found) {
    const { facts, side } = found;
    const reasons = facts && given > 1 ? whySentences(facts, side, { isHint: true }) : [];
    return [named(found), ...reasons].join(t('between'));
  }

  /** @param {() => void} onMove called when the move is given, before that is shown */
  function next(onMove) {
    best ??= find();
    given++;
    if (isMove()) onMove();
    app.render();
    app.announce(isMove() ? named(best) : text(best));
  }

  return {
    reset() {
      given = 0;
      best = null;
    },
    /** What has been given, if anything. */
    content: () => (best ? html`<p class="why" id="hint-text">${text(best)}</p>` : nothing),
    /** The square of the piece. */
    glow: () => best && [best.choice.from],
    /** The move, when it has been given. */
    preview: () => (isMove() && best ? best.choice : null),
    /** @param {{disabled?: boolean, onMove?: () => void}} options */
    button: ({ disabled = false, onMove = () => {} } = {}) =>
      button('hint', t('hint'), () => next(onMove), { disabled: disabled || isMove() }),
  };
}
