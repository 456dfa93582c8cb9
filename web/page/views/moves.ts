// The list of moves; a click goes to that move.

import { html, nothing } from 'lit-html';

import { moveText } from '../format.js';
import { sideAt } from '../state/game.js';
import { commentOf } from '../state/notes.js';
import { t } from '../texts.js';

import type { Content, Dispatch, Reviewed, State } from '../state/types.js';
import type { Node } from '../state/tree.js';

/** A move of the line. */
function entry(state: State, dispatch: Dispatch, node: Node, ply: number, { mark, better }: Partial<Reviewed>) {
  const { plies } = state.game.gameState;
  const comment = commentOf(state, node);
  const { tree } = state.game;
  const parent = tree.parentOf(node);
  const others = parent ? tree.childrenOf(parent).filter(({ id }) => id !== node.id) : [];
  /** @param other that has been tried in the same position */
  const variation = (other: Node) =>
    html`<button type="button" class="variation" title=${t('variation')}
      @click=${() => dispatch({ type: 'gotoNode', node: other })}>
      ${moveText(other.move)}
    </button>`;
  return html`<span class="entry"
    ><button
      type="button"
      class="ply ${ply >= plies ? 'undone' : ''}"
      data-ply=${ply + 1}
      aria-current=${ply + 1 === plies ? 'step' : nothing}
      @click=${() => dispatch({ type: 'goto', ply: ply + 1 })}
    >
      ${moveText(node.move)}${mark ? html`<b class="mark">${mark}</b>` : nothing}</button
    >${mark ? html`<span class="better">${t('best', moveText(better ?? ''))}</span>`
      : nothing}${comment ? html`<span class="comment">${comment}</span>` : nothing}${others.map(variation)}</span
  >`;
}

/** @param reviewed adds the marks */
export function moveList(state: State, dispatch: Dispatch, reviewed: Reviewed[] | null = null) {
  const { tree, gameState } = state.game;
  const line = tree.line();
  if (!line.length) return html`<p class="note">${t('noMoves')}</p>`;
  const rows: Content[][] = [];
  const offset = sideAt(state.game, 0) === 'white' ? 1 : 0;
  line.forEach((node, ply) => {
    if ((ply + offset) % 2 === 0 || !rows.length)
      rows.push(offset && !rows.length ? [html`<span class="entry">\u2026</span>`] : []);
    rows[rows.length - 1].push(entry(state, dispatch, node, ply, reviewed?.[ply] ?? {}));
  });
  return html`<ol class="moves">
    <li class="first">
      <button
        type="button"
        class="ply"
        data-ply="0"
        aria-current=${gameState.plies === 0 ? 'step' : nothing}
        @click=${() => dispatch({ type: 'goto', ply: 0 })}
      >
        ${t('startPosition')}
      </button>
    </li>
    ${rows.map((row, i) => html`<li><span class="number" aria-hidden="true">${i + 1}</span>${row}</li>`)}
  </ol>`;
}
