// Hints: what is going on, then the piece that makes the best move, then the move and what it does. A puzzle asks for
// the move in a situation that is known, so there the piece is first.

import { html, nothing } from 'lit-html';

import { button } from './views/dom.js';
import { distanceText, moveText, other, whySentences } from './views/format.js';
import { isTooLarge } from './searcher.js';
import { t } from './texts.js';

/** @import { App, Choice, Side, Why } from './types.js' */

const STEPS = /** @type {const} */ (['situation', 'piece', 'move']);

/**
 * The hints for the positions of a game, one for each press of the button.
 * @param {App} app
 * @param {() => import('../engine/engine.js').Game} game
 */
export function createHints(app, game, { isPuzzle = false } = {}) {
  const steps = isPuzzle ? STEPS.slice(1) : STEPS;
  let given = 0;
  /** @type {{choice: Choice, side: Side, facts: Why | null} | null} */
  let best = null; // once the first hint is given

  /** The last hint that was given, if any. */
  const step = () => steps[given - 1] ?? null;
  const isMove = () => step() === 'move';

  function find() {
    const { plies, to_move: toMove } = game().state();
    const [choice] = game().choices();
    // In a large table, the facts would take too long to find.
    return { choice, side: toMove, facts: isTooLarge(app.engine) ? null : game().why(plies, choice.move) };
  }

  /** @param {NonNullable<typeof best>} found */
  function situation({ choice: { value }, side, facts }) {
    const threat = facts?.prevented ?? null;
    return [
      t(`hint_${value.result}`, distanceText(value.plies ?? 0)),
      threat && t('hintThreat', t(other(side)), moveText(threat.move)),
    ];
  }

  /**
   * What a hint says.
   * @param {NonNullable<typeof best>} found
   */
  function textsOf(found) {
    const { choice, facts, side } = found;
    if (step() === 'situation') return situation(found);
    if (step() === 'piece') return [t('hintPiece', choice.from)];
    return [t('hintMove', moveText(choice.move)), ...(facts ? whySentences(facts, side, { isHint: true }) : [])];
  }

  /** @param {() => void} onMove called when the move is given, before that is shown */
  function next(onMove) {
    best ??= find();
    given++;
    if (isMove()) onMove();
    app.render();
    app.announce(...textsOf(best));
  }

  /** @param {string} cost what the hint that is the move costs, which is said before it is given */
  function content(cost) {
    if (!best) return nothing;
    const texts = [...textsOf(best), steps[given] === 'move' && cost].filter(Boolean);
    return html`<p class="why" id="hint-text">${texts.join(t('between'))}</p>`;
  }

  return {
    reset() {
      given = 0;
      best = null;
    },
    /** What has been given, if anything. */
    content: (cost = '') => content(cost),
    /** The square of the piece. */
    glow: () => (best && step() !== 'situation' ? [best.choice.from] : null),
    /** The move, when it has been given. */
    preview: () => (isMove() && best ? best.choice : null),
    /** @param {{disabled?: boolean, onMove?: () => void}} options */
    button: ({ disabled = false, onMove = () => {} } = {}) =>
      button('hint', t('hint'), () => next(onMove), { disabled: disabled || isMove() }),
  };
}
