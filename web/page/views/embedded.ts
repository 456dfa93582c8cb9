// A position or a game inside another page, such as a blog: the board, its moves, and a link to the whole page.

import { html } from 'lit-html';

import { moveList } from './moves.js';
import { noteOf } from '../state/notes.js';
import { gameAddress } from '../state/sync.js';
import { t } from '../texts.js';

import type { View } from '../state/types.js';

export const embedded: View = {
  status: () => null, // as in Play
  scene: ({ game }, base) => ({ ...base, legal: [], marks: noteOf(game.tree.current).marks }),
  panel(state, dispatch) {
    const { tree } = state.game;
    const { comment } = noteOf(tree.current);
    const link = `#${gameAddress(state, 'explore')}`;
    return html`<p><a id="whole-page" href=${link} target="_blank">${t('wholePage')}</a></p>
      ${comment ? html`<p class="comment">${comment}</p>` : ''} ${tree.root.chosen ? moveList(state, dispatch) : ''}`;
  },
};
