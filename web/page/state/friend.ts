// Games against a friend, who has the page on another device: each move is sent as a link, which holds the whole game
// and its number; the side to move is that of the user who opens it. The friend is a player named "friend:123", after
// that number.

import { other, SIDES } from '../format.js';

import type { PlayedGame, Players, Side } from './types.js';
import type { Tree } from './tree.js';

const MOST_NUMBER = 1e9;

const PREFIX = 'friend:';

/** @param name of a player */
export const isFriend = (name: string) => name.startsWith(PREFIX);

/**
 * The name of the friend in a game.
 * @param number of the game
 */
export const friendName = (number: number | string) => PREFIX + number;

export const newFriend = (seed: number) => friendName(seed % MOST_NUMBER);

/** The number of a game against a friend, as text; '' for any other game. */
export const friendNumber = (players: Players) =>
  SIDES.map((side) => players[side]).find(isFriend)?.slice(PREFIX.length) ?? '';

/** The moves of a game, without what has been tried elsewhere. */
export const gameOf = (tree: Tree) => tree.path(tree.end()).map(({ move }) => move);

/** Whether a list begins with another one. */
export const beginsWith = (list: string[], beginning: string[]) => beginning.every((move, ply) => list[ply] === move);

/** Whether the user may move in the position that is shown: not before a move that the friend has answered. */
export function isOpenToUser({ tree, players }: Pick<PlayedGame, 'tree' | 'players'>) {
  if (!friendNumber(players)) return true;
  const rest = tree.path(tree.end()).length - tree.path().length;
  return tree.isInGame() && rest <= 1;
}

/**
 * The side of the user who opens a link: to move, or the one that has not resigned.
 * @param first to move in its start position
 */
export function sideOf(tree: Tree, first: Side): Side {
  const { resigned } = tree.end();
  if (resigned) return other(resigned);
  return gameOf(tree).length % 2 ? other(first) : first;
}
