// The review of a game: its mistakes, better moves to find, the refutations, and who was winning after each move.

import { html, nothing, svg } from 'lit-html';

import { button } from './views/dom.js';
import { disc, distanceText, moveText, other, SIDES, whySentences } from './views/format.js';
import { moveList } from './moves.js';
import { parseMove } from './state/position.js';
import { t } from './texts.js';

/** @import { App, Scene, Side, Value } from './types.js' */

const WIDTH = 400;
const HEIGHT = 96;
const SIGN = 8; // the width of a mark, for which the columns of a long game have no room

/** @param {App} app */
export function createReview(app) {
  /** @type {{review: ReturnType<App['reviewer']['review']> | null, why: Map<number, import('./types.js').Why>}} */
  let cache = { review: null, why: new Map() };
  /** @type {number | null} */
  let focus = null; // the index of the move that is discussed with the board before it; null: the last move played
  /** @type {{move: string, value: Value} | 'none' | null} */
  let attempt = null; // the user looks for a better move

  /** The review of the line, as far as it is known. */
  function whole() {
    const { start, moves, undone } = app.state;
    const review = app.reviewer.review(start, [...moves, ...undone]);
    if (review !== cache.review) cache = { review, why: new Map() };
    return review;
  }

  const reviewed = () => whole().moves;

  /**
   * What the move with this index does.
   * @param {number} index
   */
  function why(index) {
    const { move } = reviewed()[index];
    const found = cache.why.get(index) ?? app.game.why(index, move);
    cache.why.set(index, found);
    return found;
  }

  /** The indices of the mistakes to learn from: those of the user, or of both sides. */
  function mistakes() {
    const you = app.you();
    const all = reviewed().flatMap(({ mark }, i) => (mark ? [i] : []));
    const own = all.filter((i) => reviewed()[i].side === you);
    return own.length ? own : all;
  }

  const lineLength = () => app.state.moves.length + app.state.undone.length;

  const discussed = () => focus ?? app.state.plies - 1;

  /**
   * Shows the board before a mistake.
   * @param {number} index
   */
  function look(index) {
    app.goto(index); // resets the focus
    focus = index;
    app.update({ replace: true });
    app.announcePosition();
  }

  function reset() {
    focus = null;
    attempt = null;
    app.stopDemo();
  }

  /** Goes to the first mistake. */
  function lookAtFirst() {
    const [first] = mistakes();
    if (first === undefined) return;
    app.tree.goto(first ? app.tree.line()[first - 1] : app.tree.root);
    app.refresh();
    focus = first;
  }

  /** Who wins after each ply, from 0. */
  function winners() {
    const moves = reviewed();
    /**
     * @param {Side} side
     * @param {Value} value
     */
    const winner = (side, { result, plies }) => ({
      side: result === 'draw' ? null : result === 'win' ? side : other(side),
      plies: plies ?? 0,
    });
    const last = moves[moves.length - 1];
    const end = winner(last.side, last.after);
    return [...moves.map(({ side, before }) => winner(side, before)), { ...end, plies: end.plies - 1 }];
  }

  function graph() {
    const moves = reviewed();
    const points = winners();
    const step = WIDTH / points.length;
    const middle = HEIGHT / 2;
    const longest = app.engine.summary.longest;
    /**
     * @param {ReturnType<typeof winners>[number]} point
     * @param {number} ply
     */
    const bar = ({ side, plies }, ply) => {
      const high = side ? (0.25 + 0.75 * (1 - Math.sqrt(Math.max(plies, 0) / longest))) * (middle - 14) : 2;
      const mark = moves[ply - 1]?.mark;
      const x = ply * step;
      const wide = Math.min(step * 0.7, 24);
      return svg`<g class="column ${ply === app.state.plies ? 'now' : ''}" data-ply=${ply}
        @click=${() => app.goto(ply)}>
        <rect class="hit" x=${x} y="0" width=${step} height=${HEIGHT} />
        <rect class="bar ${side ?? 'none'}" x=${x + (step - wide) / 2} width=${wide} height=${high}
          rx=${Math.min(3, wide / 3)}
          y=${side === 'white' ? middle : side ? middle - high : middle - 1} />
        ${mark && step >= SIGN
          ? svg`<text x=${x + step / 2} y=${side === 'white' ? HEIGHT - 2 : 12}>${mark}</text>` : nothing}
      </g>`;
    };
    /** @param {number} ply */
    const spoken = (ply) => {
      const { side, plies } = points[ply];
      const before = ply
        ? `${app.moveNumber(ply - 1)}, ${t(moves[ply - 1].side)} ${moveText(moves[ply - 1].move)}: `
        : '';
      const who = side ? t(plies > 0 ? 'winOutcome' : 'sideWon', t(side), distanceText(plies)) : t('drawOutcome');
      return before + who;
    };
    return html`<figure class="graph">
      <div>
        <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
          <line x1="0" x2=${WIDTH} y1=${middle} y2=${middle} />
          ${points.map(bar)}
        </svg>
        <input
          type="range"
          min="0"
          max=${moves.length}
          .value=${String(app.state.plies)}
          aria-label=${t('graph')}
          aria-valuetext=${spoken(Math.min(app.state.plies, moves.length))}
          @input=${(/** @type {any} */ { target }) => app.goto(Number(target.value))}
        />
      </div>
      <figcaption>
        <span>${disc('black')} \u2191 ${t('graphUp')}</span><span>${disc('white')} \u2193 ${t('graphDown')}</span
        ><span>${t('graphKey')}</span>
      </figcaption>
    </figure>`;
  }

  function summary() {
    const moves = reviewed();
    /**
     * @param {Side} side
     * @param {string} mark
     */
    const count = (side, mark) => moves.filter((move) => move.side === side && move.mark === mark).length;
    const all = moves.filter(({ mark }) => mark).length;
    if (!all) return html`<p class="note">${t('reviewClean')}</p>`;
    return html`<p class="note">${t('reviewChanged', all, moves.length)}</p>
      <p class="counts">
        ${SIDES.map(
          (side) => html`<span>${disc(side)} ${t('reviewCount', t(side), count(side, '?'), count(side, '??'))}</span>`,
        )}
      </p>
      <p class="note">${t('reviewKey')}</p>`;
  }

  /**
   * Plays a move and what follows it with best play.
   * @param {string} name
   * @param {number} index
   * @param {string} move
   */
  function show(name, index, move) {
    attempt = null;
    const facts = app.game.why(index, move);
    app.showLine(`${name} ${index}`, reviewed()[index].position, [move, ...facts.line]);
  }

  /**
   * @param {number} index
   * @param {{move: string, value: Value}} attempt
   */
  function verdict(index, { move, value }) {
    const { before } = reviewed()[index];
    if (value.result !== before.result) return t(`puzzleWrong_${value.result}`, moveText(move));
    return `${t('puzzleRight')}${t('between')}${t(`reviewKept_${value.result}`, moveText(move),
      distanceText(value.plies ?? 0))}`;
  }

  /**
   * Without the better move: it is there to be found.
   * @param {number} index
   */
  const sentences = (index) => {
    const { mark, side } = reviewed()[index];
    return whySentences(why(index), side, { hidesBest: Boolean(mark) });
  };

  /** @param {number} index */
  function explanation(index) {
    const { before } = reviewed()[index];
    const found = attempt === 'none' ? t(`reviewTry_${before.result}`) : attempt && verdict(index, attempt);
    const text = found ?? sentences(index).slice(1).join(t('between')); // the first one is in the status
    return text ? html`<p class="why">${text}</p>` : nothing;
  }

  /** @param {number} index */
  function actions(index) {
    const list = mistakes();
    const entry = reviewed()[index];
    const previous = list.findLast((i) => i < index);
    const next = list.find((i) => i > index);
    const again = () => {
      app.stopDemo();
      if (focus !== index) look(index);
      attempt = 'none';
      app.render();
      app.announce(t(`reviewTry_${entry.before.result}`));
    };
    return html`<div class="actions">
      ${app.demo ? button('review-stop', t('backToGame'), () => { app.stopDemo(); app.render(); }, { main: true })
        : nothing}
      ${
        entry?.mark
          ? [
              attempt ? nothing : button('refute', t('showMe'), () => show('refutation', index, entry.move)),
              button('try-again', t('tryAgain'), again, { main: !attempt && !app.demo }),
              button('show-best', t('showBest'), () => show('best', index, entry.better ?? '')),
            ]
          : nothing
      }
      ${previous === undefined ? nothing : button('previous-mistake', t('previousMistake'), () => look(previous))}
      ${next === undefined ? nothing : button('next-mistake', t('nextMistake'), () => look(next))}
    </div>`;
  }

  return {
    reset,
    /** Opens at the first mistake, if any. */
    enter() {
      reset();
      if (lineLength()) lookAtFirst();
    },
    /** @returns {import('./types.js').Status | null} */
    status() {
      const index = discussed();
      if (!reviewed()[index]) return null; // as in Play
      const { side, move, mark } = reviewed()[index];
      const who = app.you() === side ? t('you') : t(side);
      return {
        side,
        headline: t('youPlayed', who, moveText(move)),
        mark: mark ?? '',
        subline: attempt ? '' : sentences(index)[0],
      };
    },
    /** @param {Partial<Scene>} base */
    scene(base) {
      if (focus === null) return base;
      const { move, after } = reviewed()[focus];
      return { ...base, preview: app.preview ?? (attempt ? null : { move, ...parseMove(move), value: after }) };
    },
    /**
     * A move on the board: an attempt to find a better one, or a variation.
     * @param {string} move
     */
    move(move) {
      const choice = app.choices.find((one) => one.move === move);
      if (!attempt || focus === null || !choice) return app.play(move);
      attempt = choice;
      app.announce(verdict(focus, choice));
      return app.showLine(`attempt ${focus}`, app.state.position,
        [move, ...app.game.why(focus, move).line.slice(0, 1)]);
    },
    panel() {
      const moves = reviewed();
      if (!lineLength()) return html`<p class="note">${t('reviewEmpty')}</p>${app.gameList()}`;
      if (!moves.length) return html`<section>${summary()}</section>`;
      const index = discussed();
      return html`<section>
          ${actions(index)} ${index >= 0 && index < moves.length ? explanation(index) : nothing}
        </section>
        <section>${graph()} ${summary()}</section>
        <section><h3>${t('moves')}</h3>${moveList(app, moves)}</section>
        ${app.gameList()}`;
    },
  };
}
