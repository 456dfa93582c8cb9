// The list of moves; a click goes to that move.

import { html, nothing } from 'lit-html';

import { moveText } from './views/format.js';
import { t } from './texts.js';

/** @import { Node } from './state/tree.js' */

/**
 * The list; `reviewed`, if given, adds the marks.
 * @param {import('./types.js').App} app
 * @param {import('./types.js').Reviewed[] | null} reviewed
 */
export function moveList(app, reviewed = null) {
  const { state, tree } = app;
  const line = tree.line();
  if (!line.length) return html`<p class="note">${t('noMoves')}</p>`;

  /**
   * Other moves that have been tried in the same position.
   * @param {Node} node
   */
  const others = (node) => node.parent?.children.filter((child) => child !== node) ?? [];
  /** @param {Node} node */
  const variation = (node) =>
    html`<button type="button" class="variation" title=${t('variation')} @click=${() => app.gotoNode(node)}>
      ${moveText(node.move)}
    </button>`;

  /**
   * @param {Node} node
   * @param {number} ply
   */
  const entry = (node, ply) => {
    const { mark = null, better = null } = reviewed?.[ply] ?? {};
    return html`<span class="entry"
      ><button
        type="button"
        class="ply ${ply >= state.plies ? 'undone' : ''}"
        data-ply=${ply + 1}
        aria-current=${ply + 1 === state.plies ? 'step' : nothing}
        @click=${() => app.goto(ply + 1)}
      >
        ${moveText(node.move)}${mark ? html`<b class="mark">${mark}</b>` : nothing}</button
      >${mark ? html`<span class="better">${t('best', moveText(better ?? ''))}</span>`
        : nothing}${node.note?.comment ? html`<span class="comment">${node.note.comment}</span>` : nothing}${
        others(node).map(variation)}</span
    >`;
  };

  /** @type {import('./types.js').Content[][]} */
  const rows = [];
  const offset = app.first === 'white' ? 1 : 0;
  line.forEach((node, ply) => {
    if ((ply + offset) % 2 === 0 || !rows.length)
      rows.push(offset && !rows.length ? [html`<span class="entry">\u2026</span>`] : []);
    rows[rows.length - 1].push(entry(node, ply));
  });
  return html`<ol class="moves">
    <li class="first">
      <button
        type="button"
        class="ply"
        data-ply="0"
        aria-current=${state.plies === 0 ? 'step' : nothing}
        @click=${() => app.goto(0)}
      >
        ${t('startPosition')}
      </button>
    </li>
    ${rows.map((row, i) => html`<li><span class="number" aria-hidden="true">${i + 1}</span>${row}</li>`)}
  </ol>`;
}
