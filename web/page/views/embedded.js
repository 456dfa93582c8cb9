// A position or a game inside another page, such as a blog: the board, its moves, and a link to the whole page.

import { html } from 'lit-html';

import { moveList } from '../moves.js';
import { t } from '../texts.js';

/**
 * @param {import('../types.js').App} app
 * @param {() => string} link leads to the same position in Explore
 * @returns {import('../types.js').View}
 */
export const createEmbedded = (app, link) => ({
  status: () => null, // as in Play
  scene: (base) => ({ ...base, legal: [], marks: app.tree.current.note?.marks ?? [] }),
  panel: () => {
    const { comment } = app.tree.current.note ?? {};
    return html`<p><a id="whole-page" href=${link()} target="_blank">${t('wholePage')}</a></p>
      ${comment ? html`<p class="comment">${comment}</p>` : ''} ${app.tree.root.chosen ? moveList(app) : ''}`;
  },
});
