// Comments, circles and arrows on the positions that are explored, and what can be done with variations.

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';

import { button, disclosure, hasMouse, switchButton, whenReleased } from './views/dom.js';
import { DASH, moveText } from './views/format.js';
import { moveList } from './moves.js';
import { t } from './texts.js';
import { asComment, MOST_COMMENT, MOST_MARKS } from './state/tree.js';

/** @import { App } from './types.js' */
/** @import { Node, Note } from './state/tree.js' */

/** @type {Note} */
const BLANK_NOTE = { marks: [], comment: '' };

/**
 * Adds togglePen() to app.
 * @param {App} app
 * @param {{add(): void}} study
 */
export function createNotes(app, study) {
  let pen = false;
  let isOpen = false; // what edits the comment and the drawings

  /** @type {{node: Node, text: string} | null} */
  let typed = null; // the text of the field as long as it is edited, with its spaces

  const note = () => app.tree.current.note ?? BLANK_NOTE;

  /**
   * @param {Node} node
   * @param {Partial<Note>} changes
   */
  function set(node, changes) {
    const next = { ...BLANK_NOTE, ...node.note, ...changes };
    node.note = next.comment || next.marks.length ? next : undefined;
  }

  /** @param {Partial<Note>} changes */
  function change(changes) {
    set(app.tree.current, changes);
    app.update({ replace: true });
  }

  /**
   * The comment of the position for which the field was drawn: the page may show another one meanwhile.
   * @param {Node} node
   * @param {string} text
   */
  function type(node, text) {
    typed = { node, text };
    set(node, { comment: asComment(text) });
    app.storeSoon();
  }

  const show = () => app.update({ replace: true });
  function leaveField() {
    if (!typed) return;
    typed = null;
    whenReleased(show);
  }

  app.togglePen = () => {
    pen = !pen;
    isOpen ||= pen;
    app.render();
    app.announce(t(pen ? 'penOn' : 'penOff'));
  };

  /** Moves of the user's own game stay: only what has been tried can be deleted. */
  const isDeletable = () => app.tree.current.parent && (app.foreign || !app.tree.isInGame());

  function remove() {
    const isMeant = app.isMeant('delete-line');
    if (isMeant) {
      app.tree.remove();
      app.refresh();
    }
    app.update({ replace: true });
    app.announce(t(isMeant ? 'lineDeleted' : 'deleteSure'), isMeant && app.statusText);
  }

  function promote() {
    app.tree.makeFirst();
    app.update({ replace: true });
    app.announce(t('lineFirst'));
  }

  const editor = (node = app.tree.current) =>
    disclosure('notes', t('notes'), isOpen, (open) => {
      isOpen = open;
      app.render();
    }, html`<div class="line">
        <div class="field">
          <label for="comment">${t('comment')}</label>
          <textarea
            id="comment"
            rows="3"
            maxlength=${MOST_COMMENT}
            .value=${live(typed?.node === node ? typed.text : note().comment)}
            @input=${(/** @type {any} */ { target }) => type(node, target.value)}
            @blur=${leaveField}
          ></textarea>
        </div>
        ${switchButton('pen', t('pen'), pen, app.togglePen)}
        <p class="note">${t(hasMouse() ? 'penMouse' : 'penTouch')}</p>
        ${note().marks.length
          ? button('erase', t('eraseMarks'), () => {
              change({ marks: [] });
              app.announce(t('marksErased'));
            })
          : nothing}
        ${button('study-add', t('studyAdd'), study.add)}
      </div>`);

  return {
    /** The view is left. */
    leave() {
      pen = false;
    },
    scene: () => ({ marks: note().marks, drawing: true, pen, ...(pen && { legal: [] }) }),
    /**
     * Draws a circle, if both squares are the same, or an arrow; one that exists is erased.
     * @param {string} from
     * @param {string} to
     */
    draw(from, to) {
      const mark = from === to ? from : `${from}-${to}`;
      const { marks } = note();
      const others = marks.filter((one) => one !== mark);
      const isNew = others.length === marks.length;
      if (isNew && marks.length >= MOST_MARKS) return app.announce(t('marksFull', MOST_MARKS));
      change({ marks: isNew ? [...marks, mark] : others });
      const what = from === to ? t('circleOn', from) : t('arrowOn', from + DASH + to);
      return app.announce(t(isNew ? 'markDrawn' : 'markErased', what));
    },
    comment: () => (note().comment ? html`<p class="comment">${note().comment}</p>` : nothing),
    panel: () => {
      const move = moveText(app.tree.current.move);
      return html`<section>
          <h3>${t('moves')}</h3>
          ${moveList(app)}
          <div class="actions">
            ${app.tree.isFirst() ? nothing : button('promote', t('makeFirst'), promote)}
            ${isDeletable()
              ? button('delete-line', app.asked === 'delete-line' ? t('deleteSure') : t('deleteFrom', move), remove)
              : nothing}
          </div>
        </section>
        ${editor()}`;
    },
  };
}
