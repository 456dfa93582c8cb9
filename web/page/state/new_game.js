// The sheet on which a game is begun: the choice of opponent, colour and start position.

import { other, SIDES } from '../format.js';
import { newFriend } from './friend.js';
import { begin, TWO_PEOPLE } from './game.js';
import { namedOpponents, weakestNamed } from './opponents.js';
import { isKnown, withSetting } from './settings.js';

/** @import { NewGame, Players, Reducers, Side, State } from './types.js' */

/** @type {NewGame} */
export const BLANK_NEW_GAME = {
  opponent: '',
  colour: 'black',
  position: '',
  fair: 0,
  custom: null,
  isByLink: false,
  isMoreShown: false,
  isFairShown: false,
};

/**
 * @param {State} state
 * @returns {State}
 */
export function openNewGame(state, position = state.start) {
  const { colour, opponent: last } = state.settings;
  const opponent = isKnown(last) ? last : weakestNamed();
  const isMoreShown = opponent !== 'human' && !namedOpponents()[opponent];
  // Where none were found, a worker may have failed: it is asked again.
  const fairStarts = state.fairStarts?.length ? state.fairStarts : null;
  const newGame = { ...BLANK_NEW_GAME, opponent, colour, position, isMoreShown };
  return { ...state, dialog: 'start', newGame, fairStarts };
}

/**
 * @param {string} user the colour
 * @param {string} opponent
 * @returns {Players}
 */
const sides = (user, opponent) =>
  user === 'white' ? { black: opponent, white: 'human' } : { black: 'human', white: opponent };

/**
 * The players that are chosen; `seed` decides on a random colour.
 * @param {NewGame} chosen
 * @param {number} seed
 */
function playersOf({ opponent, colour, custom, isByLink }, seed) {
  if (custom) return custom;
  if (opponent === 'human' && !isByLink) return TWO_PEOPLE;
  const name = isByLink ? newFriend(seed) : opponent;
  return sides(colour === 'random' ? (seed % 2 ? 'black' : 'white') : colour, name);
}

/**
 * The players as the sheet shows them.
 * @param {NewGame} chosen
 */
export function shownPlayers(chosen) {
  return chosen.custom || !chosen.isByLink ? playersOf(chosen, 1) : TWO_PEOPLE;
}

/**
 * What changes when a player is chosen for a side.
 * @param {NewGame} chosen
 * @param {Side} side
 * @param {string} name
 * @returns {Partial<NewGame>}
 */
export function withPlayer(chosen, side, name) {
  const custom = { ...shownPlayers(chosen), [side]: name };
  const human = SIDES.filter((one) => custom[one] === 'human');
  if (human.length === 1)
    return { custom: null, opponent: custom[other(human[0])], colour: human[0], isByLink: false };
  return human.length ? { custom: null, opponent: 'human' } : { custom };
}

/**
 * What changes when a fair start is chosen.
 * @param {State} state
 * @param {number} number from 1; another one means the usual start
 * @returns {Partial<NewGame>}
 */
export function withFairStart({ fairStarts, start }, number) {
  const position = fairStarts?.[number - 1] ?? start;
  return { position, fair: position === start ? 0 : number };
}

/** @satisfies {Partial<Reducers>} */
export const newGameReducers = {
  openNewGame: (state, { position }) => openNewGame(state, position),
  changeNewGame: (state, { changes }) => ({ ...state, newGame: { ...state.newGame, ...changes } }),
  fairFound: (state, { request, positions }) =>
    state.boardName === request ? { ...state, fairStarts: positions } : state,
  beginNewGame(state, { seed }) {
    const { opponent, colour, position } = state.newGame;
    const chosen = withSetting(withSetting({ ...state, dialog: null }, 'opponent', opponent), 'colour', colour);
    return begin(chosen, { players: playersOf(state.newGame, seed), position, seed });
  },
};
