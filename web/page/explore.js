// Explore: the value of every move, the reasons, what the opponent can do wrong, and the best line, all from the
// engine.

import { html, nothing } from 'lit-html';

import { button, hovers } from './views/dom.js';
import {
  chip, distanceText, moveText, other, outcomeText, sameValue, valueText, whySentences,
} from './views/format.js';
import { createNotes } from './notes.js';
import { isTooLarge, startSearcher } from './searcher.js';
import { t } from './texts.js';

/** @import { App, Choice, Scene, Source, Status, Why } from './types.js' */

/** @typedef {{move: string, facts: Why}} Found */

/**
 * Adds valueList() to app: the list that Explore and Play show.
 * @param {App} app
 * @param {{add(): void, size(): number}} study
 */
export function createExplore(app, study) {
  const notes = createNotes(app, study);

  /** @param {Choice} choice */
  function row(choice) {
    const { move, value, repeats } = choice;
    const show = () => app.preview !== choice && app.setPreview(choice);
    const hide = () => app.preview && app.setPreview(null);
    // What a touch or the keyboard previews lasts until another move is, so that the line below can be reached.
    // Touch cannot hover: the first touch previews the move, the second plays it.
    /** @param {PointerEvent} event */
    const choose = (event) => {
      if (event.pointerType !== 'touch' || app.preview?.move === move) return app.play(move);
      app.stopDemo(); // the board shows the preview in its place
      return show();
    };
    return html`<li>
      <button
        type="button"
        class="value"
        data-move=${move}
        @click=${choose}
        @pointermove=${(/** @type {PointerEvent} */ event) => hovers(event) && show()}
        @pointerleave=${(/** @type {PointerEvent} */ event) => event.pointerType !== 'touch' && hide()}
        @focus=${(/** @type {any} */ { target }) => target.matches(':focus-visible') && show()}
      >
        ${chip(value, sameValue(value, app.choices[0].value))} ${moveText(move)}<span class="unseen"
          >, ${valueText(value)}</span
        >${repeats ? html`<small>${t(repeats === 2 ? 'repeats' : 'seenBefore')}</small>` : nothing}
      </button>
    </li>`;
  }

  /** @param {Found} found */
  const why = ({ facts, move }) =>
    html`<section>
      <h3>${t('why')}</h3>
      <p class="why"><b>${moveText(move)}</b> ${whySentences(facts, app.state.to_move).join(t('between'))}</p>
    </section>`;

  /**
   * The results of the opponent's replies: how many lose, draw and win.
   * @param {Found} found
   */
  function replies({ facts: { replies: found } }) {
    if (!found.total) return nothing;
    /** @type {['loss' | 'draw' | 'win', number][]} */
    const all = [
      ['loss', found.losing],
      ['draw', found.holding],
      ['win', found.winning],
    ];
    const parts = all.filter(([, count]) => count);
    let x = 0;
    return html`<section>
      <h3>${t('replies', t(other(app.state.to_move)))}</h3>
      <svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        ${parts.map(([result, count]) => {
          const width = (100 * count) / found.total;
          x += width;
          return html`<svg x=${x - width} width=${width} height="8" class=${result}
            ><rect width="100%" height="8" /></svg>`;
        })}
      </svg>
      <p class="note">${parts.map(([result, count]) => t(`replies_${result}`, count)).join(t('comma'))}</p>
    </section>`;
  }

  app.valueList = () =>
    app.state.end
      ? html`<p class="note">${t('gameOver')}</p>`
      : html`<section>
          <h3>${t('allMoves')}</h3>
          <ul class="values">
            ${app.choices.map(row)}
          </ul>
          <p class="note">${t('numbers')}</p>
        </section>`;

  /** @type {Source | null} */
  let source = null;
  /** @type {ReturnType<typeof startSearcher> | undefined} */
  let searcher; // of a large table
  let isAsked = false; // for facts, one at a time
  /** @type {{key: string, found: Found | null}} the last answer */
  let last = { key: '', found: null };

  /** @param {Source | null} next */
  function forget(next) {
    searcher?.end();
    searcher = undefined;
    isAsked = false;
    source = next;
  }

  /**
   * Asks the worker for the facts about a move, and draws the page again when they are there.
   * @param {string} key
   * @param {string} move
   */
  async function ask(key, move) {
    const { start, moves } = app.state;
    searcher ??= startSearcher(source, false);
    const mine = searcher;
    isAsked = true;
    /** @type {Why | null} */
    const answer = await mine.ask({ what: 'why', start, moves, move }).catch(() => null); // its file has gone
    if (mine !== searcher) return;
    isAsked = false;
    last = { key, found: answer && { move, facts: answer } };
    app.render();
  }

  /**
   * The facts about the move that is looked at; null until a worker has found them in a large table.
   * @returns {Found | null}
   */
  function facts() {
    const { move } = app.preview ?? app.choices[0];
    if (!isTooLarge(app.engine)) return { move, facts: app.game.why(app.state.plies, move) };
    const key = [app.boardName, app.state.start, ...app.state.moves, move].join(' ');
    if (key === last.key) return last.found;
    if (!isAsked) ask(key, move);
    return null;
  }

  /** @param {Found} found */
  function line({ move, facts: { line: rest } }) {
    const moves = [move, ...rest];
    const { value } = app.preview ?? app.choices[0];
    return html`<section>
      <h3>${t('bestLine')}</h3>
      ${app.lineTemplate(`best ${app.state.position} ${move}`, app.state.position, moves)}
      <p class="note">${value.result === 'draw' ? t('lineDrawn') : t('lineWon', distanceText(value.plies))}</p>
    </section>`;
  }

  return {
    /** Works with the table of another source from now on. */
    forget,
    /** @returns {Status | null} */
    status() {
      const { end: over, to_move: toMove } = app.state;
      if (over) return null; // as in Play
      return {
        side: toMove,
        headline: outcomeText(app.choices[0].value, toMove),
        subline: [t('toMove', t(toMove)), app.state.repetitions === 2 && t('repeated')]
          .filter(Boolean)
          .join(t('stop') + t('between')),
      };
    },
    /**
     * @param {Partial<Scene>} base
     * @returns {Partial<Scene>}
     */
    scene(base) {
      return { ...base, values: app.state.end ? null : app.choices, ...notes.scene() };
    },
    draw: notes.draw,
    leave: notes.leave,
    panel() {
      const { end: over, position } = app.state;
      const found = over ? null : facts();
      return html`${notes.comment()}
        <section class="actions">
          ${over ? nothing : button('best', t('playBest'), () => app.play(app.choices[0].move))}
          ${over ? nothing : button('from-here', t('playFromHere'), () => app.openStart(position))}
          ${button('edit', t('editor'), () => app.show('editor'))}
          ${study.size() ? button('to-study', t('studyOpen', study.size()), () => app.show('study')) : nothing}
        </section>
        ${app.valueList()} ${found ? [why(found), replies(found), line(found)] : nothing} ${notes.panel()}`;
    },
  };
}
