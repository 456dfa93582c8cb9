// The sheet on which a game is begun: the choice of opponent, colour and start position.

import { startOf } from './boards.js';
import { begin } from './game.js';
import { isKnown, namedOpponents, newFriend, TWO_PEOPLE, weakestNamed } from './players.js';
import { other, SIDES } from './position.js';
import { endIntroduction, update } from './shown.js';

import type { NewGame, Players, Reducers, Side, State } from './types.js';

export const BLANK_NEW_GAME: NewGame = {
  opponent: '',
  colour: 'black',
  position: '',
  fair: '',
  custom: null,
  isByLink: false,
  isMoreShown: false,
  isFairShown: false,
};

export function openNewGame(state: State, position = startOf(state)): State {
  const { colour, opponent: last } = state.settings;
  const opponent = isKnown(last) ? last : weakestNamed();
  const isMoreShown = opponent !== 'human' && !namedOpponents()[opponent];
  // Where none were found, a worker may have failed: it is asked again.
  const fairStarts = state.fairStarts?.length ? state.fairStarts : null;
  const newGame = { ...BLANK_NEW_GAME, opponent, colour, position, isMoreShown };
  return { ...endIntroduction(state), dialog: 'start', newGame, fairStarts };
}

/** @param user the colour */
const sides = (user: string, opponent: string): Players =>
  user === 'white' ? { black: opponent, white: 'human' } : { black: 'human', white: opponent };

/** The players that are chosen; `seed` decides on a random colour. */
function playersOf({ opponent, colour, custom, isByLink }: NewGame, seed: number) {
  if (custom) return custom;
  if (opponent === 'human' && !isByLink) return TWO_PEOPLE;
  const name = isByLink ? newFriend(seed) : opponent;
  return sides(colour === 'random' ? (seed % 2 ? 'black' : 'white') : colour, name);
}

/** The players as the sheet shows them. */
export function shownPlayers(chosen: NewGame) {
  return chosen.custom || !chosen.isByLink ? playersOf(chosen, 1) : TWO_PEOPLE;
}

/** What changes when a player is chosen for a side. */
export function withPlayer(chosen: NewGame, side: Side, name: string): Partial<NewGame> {
  const custom = { ...shownPlayers(chosen), [side]: name };
  const human = SIDES.filter((one) => custom[one] === 'human');
  if (human.length === 1)
    return { custom: null, opponent: custom[other(human[0])], colour: human[0], isByLink: false };
  return human.length ? { custom: null, opponent: 'human' } : { custom };
}

export const newGameReducers = {
  openNewGame(state, { position, isFairShown = false }) {
    const opened = openNewGame(state, position);
    return isFairShown ? update(opened, 'newGame', { isFairShown, isMoreShown: true }) : opened;
  },
  changeNewGame: (state, { changes }) => update(state, 'newGame', changes),
  chooseStart(state, { position }) {
    const { [state.boardName]: _, ...others } = state.settings.starts;
    const starts = position ? { ...others, [state.boardName]: position } : others;
    return openNewGame(update(state, 'settings', { starts }));
  },
  fairFound: (state, { positions }) => ({ ...state, fairStarts: positions }),
  beginNewGame(state, { seed }) {
    const { opponent, colour, position } = state.newGame;
    const chosen = update({ ...state, dialog: null }, 'settings', { opponent, colour });
    return begin(chosen, { players: playersOf(state.newGame, seed), position, seed });
  },
} satisfies Partial<Reducers>;
