// Games against a friend, who has the page on another device: each move is sent as a link, which holds the whole game
// and its number; the side to move is that of the user who opens it. The friend is a player named "friend:123", after
// that number.

import { other, SIDES } from '../format.js';

/** @import { PlayedGame, Players, Side } from './types.js' */
/** @import { Tree } from './tree.js' */

const MOST_NUMBER = 1e9;

const PREFIX = 'friend:';

/** @param {string} name of a player */
export const isFriend = (name) => name.startsWith(PREFIX);

/** The name of the friend in a game. @param {number | string} number of the game */
export const friendName = (number) => PREFIX + number;

/** @param {number} seed */
export const newFriend = (seed) => friendName(seed % MOST_NUMBER);

/**
 * The number of a game against a friend, as text; '' for any other game.
 * @param {Players} players
 */
export const friendNumber = (players) =>
  SIDES.map((side) => players[side]).find(isFriend)?.slice(PREFIX.length) ?? '';

/**
 * The moves of a game, without what has been tried elsewhere.
 * @param {Tree} tree
 */
export const gameOf = (tree) => tree.path(tree.end()).map(({ move }) => move);

/**
 * Whether a list begins with another one.
 * @param {string[]} list
 * @param {string[]} beginning
 */
export const beginsWith = (list, beginning) => beginning.every((move, ply) => list[ply] === move);

/**
 * Whether the user may move in the position that is shown: not before a move that the friend has answered.
 * @param {Pick<PlayedGame, 'tree' | 'players'>} game
 */
export function isOpenToUser({ tree, players }) {
  if (!friendNumber(players)) return true;
  const rest = tree.path(tree.end()).length - tree.path().length;
  return tree.isInGame() && rest <= 1;
}

/**
 * The side of the user who opens a link: to move, or the one that has not resigned.
 * @param {Tree} tree
 * @param {Side} first to move in its start position
 * @returns {Side}
 */
export function sideOf(tree, first) {
  const { resigned } = tree.end();
  if (resigned) return other(resigned);
  return gameOf(tree).length % 2 ? other(first) : first;
}
