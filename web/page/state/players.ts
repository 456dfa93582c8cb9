// Who plays: people, the opponents that the engine has, and friends. A friend has the page on another device: each move
// is sent as a link, which holds the whole game and its number; the side to move is that of the user who opens it. The
// friend is a player named "friend:123", after that number.

import { other, sideAt, SIDES } from './position.js';
import { hasText, t } from '../texts.js';

import type { Tree } from './tree.js';
import type { Opponent, PlayedGame, Players, Side, State } from './types.js';

// ---- the opponents of the engine ----

let all: Opponent[] = [];
let texts: Record<string, string> = {};

/**
 * To be called before all else here.
 * @param opponents as the engine lists them
 */
export function useOpponents(opponents: Opponent[]) {
  all = opponents;
  const named = [...opponents].reverse().filter((one) => one.offered_as);
  texts = Object.fromEntries(named.map((one) => [one.name, `named_${one.offered_as}`]));
}

/** Strongest first. */
export const opponents = () => all;

/** A player of whom only an opponent has more than a name. */
export const playerNamed = (name: string): Opponent => all.find((one) => one.name === name) ?? { name };

/** The opponents that are offered first, weakest first, and the texts with the names under which they are. */
export const namedOpponents = () => texts;

export const weakestNamed = () => Object.keys(texts)[0];

/**
 * The names and the description of a player as `neutreeko match` names it, or of 'human'. An opponent without texts of
 * its own has the engine's English description.
 */
export function playerText({ name, about = '' }: Opponent) {
  const [kind, number] = name.split(':');
  const key = (`${kind}Player` as 'levelPlayer');
  const text = hasText(key) ? t(key, Number(number)) : { name, about };
  const named = namedOpponents()[name];
  const short = named ? t(named) : text.name;
  return { ...text, short, name: short === text.name ? short : t('alsoCalled', short, text.name) };
}

// ---- the players of a game ----

export const TWO_PEOPLE: Players = { black: 'human', white: 'human' };

export const isHuman = ({ players }: Pick<PlayedGame, 'players'>, side: Side) => players[side] === 'human';

export const isAgainstEngine = (game: Pick<PlayedGame, 'players'>) =>
  !isHuman(game, 'black') || !isHuman(game, 'white');

export const isOfEngines = (game: Pick<PlayedGame, 'players'>) => !isHuman(game, 'black') && !isHuman(game, 'white');

/** Whether this is 'human' or the name of an opponent that the page offers. */
export const isKnown = (name: string) =>
  name === 'human' || isFriend(name) || opponents().some((one) => one.name === name);

/** Whether this holds of both players. */
export const areKnown = ({ black, white }: Players) => isKnown(black) && isKnown(white);

/** The side of the user against an opponent; null for two people or two engines. */
export const userOf = ({ players: { black, white } }: Pick<State['game'], 'players'>) =>
  (black === 'human') === (white === 'human') ? null : black === 'human' ? 'black' : 'white';

/** The name of the one with whom the user plays or has played. */
export function opponentOf(players: Players) {
  const user = userOf({ players });
  return user ? playerText({ name: players[other(user)] }).short : t('twoPlayers');
}

// ---- friends ----

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

/** Whether the user may move in the position that is shown: not before a move that the friend has answered. */
export function isOpenToUser({ tree, players }: Pick<PlayedGame, 'tree' | 'players'>) {
  if (!friendNumber(players)) return true;
  const rest = tree.path(tree.end()).length - tree.path().length;
  return tree.isInGame() && rest <= 1;
}

/** The side of the user who opens a link: to move, or the one that has not resigned. */
export const sideOf = (tree: Tree): Side =>
  tree.end().stated?.winner ?? sideAt(tree.start, tree.gameMoves().length);
