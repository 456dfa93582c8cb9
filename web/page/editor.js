// The editor sets up any placement. The engine checks whether it is legal.

import { html, nothing } from 'lit-html';

import { STANDARD } from './state/boards.js';
import { button, choices } from './views/dom.js';
import { positionFault } from './state/errors.js';
import { asSentence, disc, faultText, outcomeText, SIDES } from './views/format.js';
import { t } from './texts.js';

/** @import { App, Pieces, Side, Status } from './types.js' */

/** @type {Record<string, Side | null>} */
const KEYS = { b: 'black', w: 'white', Delete: null, Backspace: null };

/** @param {App} app */
export function createEditor(app) {
  /** @type {Pieces} */
  let pieces = new Map();
  /** @type {Side} */
  let toMove = 'black';
  /** @type {Side | 'empty'} */
  let brush = 'black';
  /** @type {ReturnType<App['engine']['checkPosition']>} */
  let verdict; // of checkPosition, for what is on the board or in the text field
  /** @type {string | null} */
  let typed = null; // the text in the field while it is edited

  const text = () => app.board.write(pieces, toMove);

  /** @param {string} position */
  function load(position) {
    ({ pieces, toMove } = app.board.read(position));
    typed = null;
    verdict = app.engine.checkPosition(text());
  }

  /**
   * @param {() => void} action
   * @param {string} [done] what it has done, for screen readers
   */
  function change(action, done) {
    action();
    typed = null;
    verdict = app.engine.checkPosition(text());
    app.update({ replace: true });
    app.announce(done, verdictText());
  }

  function verdictText() {
    if (!verdict.ok) {
      const input = typed?.trim() ?? text();
      return faultText(positionFault(input, verdict.error, app.engine.board.pieces));
    }
    const game = app.engine.newGame(verdict.position);
    const { end } = game.state();
    game.free();
    return t(end ? 'editorOver' : 'editorReady');
  }

  /**
   * Checks typed or pasted text, and shows it on the board if it can be parsed.
   * @param {string} input
   */
  function read(input) {
    const found = app.engine.checkPosition(input.trim());
    try {
      load(found.ok ? found.position : input.trim());
    } catch {
      /* the board keeps its position */
    }
    verdict = found;
    typed = input;
    app.update({ replace: true });
  }

  /** @returns {[Side, import('./types.js').Content][]} */
  const sideChoices = () => SIDES.map((side) => [side, html`${disc(side)} ${t(side)}`]);

  return {
    load,
    text,
    /**
     * Handles a click or a key on a square. Returns false if the key has no function.
     * @param {string} square
     * @param {string} [key]
     */
    square(square, key) {
      if (key !== undefined && !Object.hasOwn(KEYS, key)) return false;
      const piece = key !== undefined ? KEYS[key] : brush === 'empty' || pieces.get(square) === brush ? null : brush;
      change(
        () => (piece ? pieces.set(square, piece) : pieces.delete(square)),
        asSentence(`${square}${t('comma')}${t(piece ? `${piece}Piece` : 'empty')}`),
      );
      return true;
    },
    scene: () => ({ position: text(), editing: true }),
    /** @returns {Status} */
    status: () => ({
      side: toMove,
      headline: verdict.ok ? outcomeText(app.engine.value(verdict.position), toMove) : t('toMove', t(toMove)),
      subline: verdictText(),
      wrong: !verdict.ok,
    }),
    panel: () => html`<section class="actions">
        ${button('use', t('play'), () => app.openStart(text()), { main: true, disabled: !verdict.ok })}
        ${button('explore-it', t('explore'), () => app.openPosition(text()), { disabled: !verdict.ok })}
        ${button('clear', t('clear'), () => change(() => pieces.clear()))}
        ${
          app.boardName === STANDARD
            ? nothing
            : button('as-start', t('useAsStart'), () => { app.chooseStart(text()); app.openStart(); },
              { disabled: !verdict.ok })
        }
        ${button('standard', t('startPosition'), () => change(() => load(app.start)))}
      </section>
      <section>
        ${choices('brush', t('brush'), [...sideChoices(), ['empty', html`${disc('none')} ${t('erase')}`]], brush,
          (chosen) => {
          brush = chosen;
          app.render();
        })}
        ${choices('side', t('sideToMove'), sideChoices(), toMove, (chosen) => change(() => (toMove = chosen)))}
        <p class="note">${t('editorHint')}</p>
      </section>
      <section class="field">
        <label for="notation">${t('notation')}</label>
        <input
          id="notation"
          .value=${typed ?? text()}
          spellcheck="false"
          autocomplete="off"
          autocapitalize="off"
          aria-invalid=${!verdict.ok}
          aria-describedby="editor-verdict"
          @input=${(/** @type {any} */ { target }) => read(target.value)}
        />
        <p id="editor-verdict" class="note">${verdictText()}</p>
      </section>`,
  };
}
