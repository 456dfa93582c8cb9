// What to do next in a game against a friend: send the link, or move.

import { html, nothing } from 'lit-html';

import { button, copyFailed, copyField } from './dom.js';
import { friendNumber, isOpenToUser } from '../state/friend.js';
import { userOf } from '../state/shown.js';
import { linkOf } from '../state/sync.js';
import { t } from '../texts.js';

import type { Dispatch, State } from '../state/types.js';

/** The button that shares an address in the way of the device, if it has one. */
export const nativeShare = (id: string, url: string) =>
  'share' in navigator && location.protocol !== 'file:'
    ? button(id, t('shareNative'), () => navigator.share({ title: t('title'), url }).catch(() => {}))
    : nothing;

export function friendPanel(state: State, dispatch: Dispatch) {
  const { game } = state;
  if (!friendNumber(game.players) || !isOpenToUser(game)) return nothing;
  const user = userOf(game);
  const { end: over, to_move: toMove } = game.gameState;
  const { resigned } = game.tree.current;
  const link = linkOf(state);
  const isSent = resigned ? resigned !== user : toMove === user; // by the friend
  if (isSent) return over ? nothing : html`<p class="note">${t('friendMoveFirst')}</p>`;
  return html`<section class="field">
    <label for="friend-link">${t(game.tree.root.chosen ? 'friendSend' : 'friendInvite')}</label>
    ${copyField('friend-link', link, game.isCopied, () => dispatch({ type: 'copiedLink', request: game.tree }),
      copyFailed(dispatch),
      { main: true, more: nativeShare('friend-share', link) })}
    ${location.protocol === 'file:' ? html`<p class="note">${t('friendFile')}</p>` : nothing}
    ${over ? nothing : html`<p class="note">${t('friendThen')}</p>`}
  </section>`;
}
