// The game of an address: which one it is, among the game that is open and the one that is stored.

import { readAddress, writeAddress } from './address.js';
import { finish, hasGame, openStored, openTree, refresh, storedGame } from './game.js';
import { beginsWith, friendName, friendNumber, gameOf, isAgainstEngine, sideOf } from './players.js';
import { treeOf } from './record.js';
import { badLink } from './shown.js';

import type { Tree } from './tree.js';
import type { Address, Players, State, StoredGame, ViewName } from './types.js';

/** A stored game that a link has covered. */
export const otherGame = (state: State) => (state.game.isForeign ? storedGame(state) : null);

/**
 * The game as it was left; against the engine at its end, if it was left where a variation was tried, or if it is over.
 */
function returned(state: State) {
  const { tree } = state.game;
  const atEnd = refresh(state, { tree: tree.gotoEnd() });
  const isToEnd = isAgainstEngine(state.game) && (!tree.isInGame() || atEnd.game.gameState.end !== null);
  return isToEnd ? atEnd : refresh(state, { tree });
}

/** The game of those that were left which has all of a tree, if that has moves. */
function leftGame(state: State, tree: Tree): StoredGame | null {
  if (!tree.root.chosen) return null;
  const games = state.recent.flatMap((one) => ('game' in one && one.game.start === tree.start ? [one.game] : []));
  return games.find((game) => treeOf(state, game).tree.includes(tree)) ?? null;
}

/** Whether an address says nothing, or nothing but its board. */
const saysNothing = (target: Address) =>
  target.empty || writeAddress(target) === writeAddress({ board: target.board, view: 'play' });

/** Opens the game of this device, as it was left, or its first one, of which this is the tree. */
function openOwn(state: State, tree: Tree, view: ViewName) {
  const { game } = state;
  if (game.tree.includes(tree) && !game.isForeign) return refresh({ ...state, view });
  const stored = storedGame(state);
  return stored ? returned(openStored(state, stored, view)) : openTree(state, tree, { view });
}

/** Opens the game of which a tree is a part: the one that is open, the stored one, one that was left, or another. */
function openPart(state: State, tree: Tree, view: ViewName) {
  const moves = tree.moves();
  const at = (own: State) => refresh(own, { tree: own.game.tree.follow(moves) ?? own.game.tree });
  if (state.game.tree.includes(tree)) return at({ ...state, view });
  const stored = storedGame(state);
  // To compare starts spares reading it.
  if (stored?.start === tree.start && treeOf(state, stored).tree.includes(tree))
    return at(openStored(state, stored, view));
  const left = leftGame(state, tree);
  if (left) return at(openStored(state, left, view, true));
  // The game of this device from now on, or another one, which does not take its place before the user moves.
  const isUsual = !(tree.root.chosen ?? tree.root.note) && tree.start === state.start;
  return openTree(state, tree, { view, isForeign: !isUsual || stored !== null });
}

/** Opens the game of an address. What another page embeds has nothing to do with what is stored on the device. */
export function openGame(state: State, target: Address, view: ViewName) {
  const { tree, valid } = treeOf(state, target);
  const opened = view === 'board' ? openTree(state, tree, { view, isForeign: true })
    : saysNothing(target) ? openOwn(state, tree, view) : openPart(state, tree, view);
  return valid ? opened : badLink(opened);
}

/** A game, if none is open. */
export const withGame = (state: State) => (hasGame(state) ? state : openGame(state, readAddress(''), 'play'));

/** Shows the position before the last move of a friend, whose move is shown in a moment. */
function comingMove(state: State) {
  const { tree } = state.game;
  const last = tree.end();
  const before = tree.parentOf(last);
  return refresh(state, { tree: tree.goto(before ?? last), coming: before ? last : null });
}

/** Adds the moves of a link to the game of this device, which they must continue. */
function continueFriend(state: State, sentTree: Tree): State {
  const { tree } = state.game;
  const mine = gameOf(tree);
  const sent = gameOf(sentTree);
  const isSame = tree.start === sentTree.start && (beginsWith(sent, mine) || beginsWith(mine, sent));
  if (!isSame) return { ...refresh(state, { tree: tree.gotoEnd() }), notice: ['friendDiffers'] };
  const moved = sent.slice(mine.length).reduce((made, move) => made.play(move, { first: true }), tree.gotoEnd());
  const ended = moved.stating(moved.current, moved.current.stated ?? sentTree.end().stated);
  const continued = refresh(state, { tree: ended });
  return sent.length > mine.length ? comingMove(continued) : finish(continued);
}

/** The game against a friend, which another window has continued; null if it is another game, or not longer. */
export function followFriend(state: State, game: StoredGame): State | null {
  const number = friendNumber(state.game.players);
  if (!number || number !== friendNumber(game)) return null;
  const { tree } = treeOf(state, game);
  const [sent, mine] = [gameOf(tree), gameOf(state.game.tree)];
  const isLonger = sent.length > mine.length || (tree.end().stated && !state.game.tree.end().stated);
  return isLonger && beginsWith(sent, mine) ? continueFriend(state, tree) : null;
}

/**
 * Opens the game against a friend that a link holds: that of this device, if there is one. It does not take the place
 * of another game before the user moves.
 */
export function openFriend(state: State, target: Address): State {
  const name = friendName(target.friend ?? '');
  const isOf = ({ black, white }: Players) => black === name || white === name;
  const { tree, valid } = treeOf(state, target);
  const stored = storedGame(state);
  const shown: State = { ...state, view: 'play' };
  const own = hasGame(state) && isOf(state.game.players) ? shown
    : stored && isOf(stored) ? openStored(state, stored, 'play') : null;
  if (!valid || !target.valid) {
    const opened = own ?? openTree(state, tree, { isForeign: true });
    return { ...refresh(opened, { tree: opened.game.tree.gotoEnd() }), notice: ['friendDamaged'] };
  }
  if (own) return continueFriend(own, tree);
  const players = sideOf(tree) === 'black' ? { black: 'human', white: name } : { black: name, white: 'human' };
  return comingMove(openTree(state, tree, { players, isForeign: stored !== null, isStarted: true }));
}
