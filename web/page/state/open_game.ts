// The game of an address: which one it is, among the game that is open and the one that is stored.

import { readAddress, treeOf } from './address.js';
import { beginsWith, friendName, gameOf, sideOf } from './friend.js';
import { finish, hasGame, isAgainstEngine, openTree, refresh } from './game.js';
import { readPosition } from './position.js';
import { isKnown } from './settings.js';
import { Tree } from './tree.js';

import type { Address, Players, State, StoredGame, ViewName } from './types.js';
/** whether the address was valid */
export type OpenedAddress = { state: State; valid: boolean };

/** The stored game, if its players exist. */
export function storedGame(state: State) {
  const { stored } = state;
  return stored && isKnown(stored.black) && isKnown(stored.white) ? stored : null;
}

/** A stored game that a link has covered. */
export const otherGame = (state: State) => (state.game.isForeign ? storedGame(state) : null);

export function openStored(state: State, game: StoredGame, view: ViewName, isForeign = false) {
  const { black, white, counted: isCounted } = game;
  const { tree } = treeOf(state, game);
  return openTree(state, tree, { players: { black, white }, isCounted, view, isForeign, isStarted: true });
}

/**
 * Opens the game of an address, which may be another move of the game that is open, or of the stored game, to which the
 * empty address belongs, as it was left. Another game does not take the place of that one before the user moves.
 */
export function openGame(state: State, target: Address, view: ViewName): OpenedAddress {
  const { tree, valid } = treeOf(state, target);
  // What another page embeds has nothing to do with what is stored on the device.
  if (view === 'board') return { state: openTree(state, tree, { view, isForeign: true }), valid };
  const moves = tree.path().map(({ move }) => move);
  if (state.game.tree.includes(tree) && !(target.empty && state.game.isForeign)) {
    const shown = target.empty ? state.game.tree : state.game.tree.follow(moves);
    return { state: refresh({ ...state, view }, { tree: shown ?? state.game.tree }), valid };
  }
  const stored = storedGame(state);
  if (stored && (target.empty || (stored.start === tree.start && treeOf(state, stored).tree.includes(tree)))) {
    const opened = openStored(state, stored, view);
    const { tree: own } = opened.game;
    const isAstray = isAgainstEngine(opened.game) && !own.isInGame();
    const shown = target.empty ? (isAstray ? own.gotoEnd() : own) : own.follow(moves) ?? own;
    return { state: refresh(opened, { tree: shown }), valid };
  }
  const isForeign = Boolean(stored ?? tree.root.chosen ?? tree.root.note) || tree.start !== state.start;
  return { state: openTree(state, tree, { view, isForeign }), valid };
}

/** A game, if none is open. */
export const withGame = (state: State) => (hasGame(state) ? state : openGame(state, readAddress(''), 'play').state);

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
  const ended = moved.resigned(moved.current, moved.current.resigned ?? sentTree.end().resigned);
  const continued = refresh(state, { tree: ended });
  return sent.length > mine.length ? comingMove(continued) : finish(continued);
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
  const own = hasGame(state) && isOf(state.game.players) ? { ...state, view: ('play' as ViewName) }
    : stored && isOf(stored) ? openStored(state, stored, 'play') : null;
  if (!valid || !target.valid) {
    const opened = own ?? openTree(state, tree, { isForeign: true });
    return { ...refresh(opened, { tree: opened.game.tree.gotoEnd() }), notice: ['friendDamaged'] };
  }
  if (own) return continueFriend(own, tree);
  const side = sideOf(tree, readPosition(tree.start, state.engine.board).toMove);
  const players = side === 'black' ? { black: 'human', white: name } : { black: name, white: 'human' };
  return comingMove(openTree(state, tree, { players, isForeign: stored !== null, isStarted: true }));
}
