// Games against a friend, who has the page on another device: each move is sent as a link, which holds the whole game
// and its number; the side to move is that of the user who opens it. The friend is a player named "friend:123", after
// that number.

import { html, nothing } from 'lit-html';

import { STANDARD } from './state/boards.js';
import { button, byId, copy } from './views/dom.js';
import { other, SIDES } from './views/format.js';
import { endOf, writeAddress } from './state/address.js';
import { t } from './texts.js';

/** @import { App, Players, Side, Target } from './types.js' */
/** @import { Tree } from './state/tree.js' */

const LOOK = 700; // milliseconds before the last move of a link is shown
const MOST_NUMBER = 1e9;

/** @param {string} name of a player */
export const isFriend = (name) => name.startsWith('friend:');

/** @param {number} seed */
export const newFriend = (seed) => `friend:${seed % MOST_NUMBER}`;

/**
 * The number of a game against a friend, as text; '' for any other game.
 * @param {Players} players
 */
export const friendNumber = (players) =>
  SIDES.map((side) => players[side]).find(isFriend)?.slice('friend:'.length) ?? '';

/** @param {Tree} tree */
const gameOf = (tree) => tree.path(tree.end()).map(({ move }) => move);

/**
 * Whether a list begins with another one.
 * @param {string[]} list
 * @param {string[]} beginning
 */
const beginsWith = (list, beginning) => beginning.every((move, ply) => list[ply] === move);

/** @param {App} app */
export function createFriend(app) {
  let isCopied = false;

  /**
   * Whether the user may move in the position that is shown: not before a move that the friend has answered.
   */
  function isOpen() {
    const { tree, players } = app;
    if (!friendNumber(players)) return true;
    const rest = tree.path(tree.end()).length - tree.path().length;
    return tree.isInGame() && rest <= 1;
  }

  /**
   * The side of the user who opens a link: to move, or the one that has not resigned.
   * @param {Tree} tree
   * @returns {Side}
   */
  function sideOf(tree) {
    const { resigned } = tree.end();
    const { toMove } = app.board.read(tree.start);
    if (resigned) return other(resigned);
    return gameOf(tree).length % 2 ? other(toMove) : toMove;
  }

  /** Shows the position before the last move, and then that move. */
  function showLastMove() {
    const { tree } = app;
    const last = tree.end();
    tree.goto(last.parent ?? last);
    app.refresh();
    setTimeout(() => {
      if (app.tree === tree && app.view === 'play' && tree.current === last.parent) app.gotoNode(last);
    }, LOOK);
  }

  /**
   * Adds the moves of a link to the game of this device, which they must continue. Returns a message if they do not.
   * @param {Tree} tree
   */
  function goOn(tree) {
    const mine = gameOf(app.tree);
    const sent = gameOf(tree);
    app.tree.gotoEnd();
    if (!beginsWith(sent, mine)) {
      app.refresh();
      return beginsWith(mine, sent) && app.tree.start === tree.start ? '' : t('friendDiffers');
    }
    for (const move of sent.slice(mine.length)) app.tree.play(move, { first: true });
    app.tree.current.resigned ??= tree.end().resigned;
    if (sent.length > mine.length) showLastMove();
    else app.refresh();
    return '';
  }

  async function copyLink() {
    await copy(/** @type {HTMLInputElement} */ (byId('friend-link')));
    isCopied = true;
    app.render();
    app.announce(t('copied'));
  }

  return {
    isOpen,
    /** The address of the game: without what has been tried elsewhere. */
    address() {
      const { tree, boardName: board, players } = app;
      const moves = gameOf(tree).map((move) => move.replace('-', ''));
      const start = tree.start === app.start && board === STANDARD ? null : tree.start;
      const friend = friendNumber(players);
      return writeAddress({ board, view: 'play', start, moves: moves.join('.'), end: endOf(tree), friend });
    },
    /**
     * Opens the game of a link. `openOwn(name)` opens the game against this friend on this device, if there is one, and
     * returns whether it has. The game of a link does not take the place of another game before the user moves. Returns
     * a message, or ''.
     * @param {Target} target
     * @param {{tree: Tree, valid: boolean}} game
     * @param {(name: string) => boolean} openOwn
     * @param {boolean} hasOther
     */
    open({ friend }, { tree, valid }, openOwn, hasOther) {
      const name = `friend:${friend}`;
      const isOwn = openOwn(name);
      isCopied = false;
      if (!valid) {
        if (!isOwn) app.openTree(tree);
        app.foreign ||= !isOwn;
        app.tree.gotoEnd();
        app.refresh();
        return t('friendDamaged');
      }
      if (isOwn) return goOn(tree);
      const side = sideOf(tree);
      const players = side === 'black' ? { black: 'human', white: name } : { black: name, white: 'human' };
      app.openTree(tree, { players });
      app.started = true;
      app.foreign = hasOther;
      showLastMove();
      return '';
    },
    /** What to do next in a game against a friend: send the link, or move. */
    panel() {
      if (!friendNumber(app.players) || !isOpen()) return nothing;
      const you = app.you();
      const { end: over, to_move: toMove } = app.state;
      const { resigned } = app.tree.current;
      const isSent = resigned ? resigned !== you : toMove === you; // by the friend
      if (isSent) {
        isCopied = false;
        return over ? nothing : html`<p class="note">${t('friendMoveFirst')}</p>`;
      }
      return html`<section class="field">
        <label for="friend-link">${t(app.tree.root.chosen ? 'friendSend' : 'friendInvite')}</label>
        <div class="row">
          <input id="friend-link" readonly .value=${location.href} />
          ${button('friend-copy', t(isCopied ? 'copied' : 'copy'), copyLink, { main: true })}
          ${
            'share' in navigator && location.protocol !== 'file:'
              ? button('friend-share', t('shareNative'), () =>
                  navigator.share({ title: t('title'), url: location.href }).catch(() => {}))
              : nothing
          }
        </div>
        ${location.protocol === 'file:' ? html`<p class="note">${t('friendFile')}</p>` : nothing}
        ${over ? nothing : html`<p class="note">${t('friendThen')}</p>`}
      </section>`;
    },
  };
}
