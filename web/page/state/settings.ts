// The settings and the records of games and puzzles, which are stored on this device.

import { areKnown, friendNumber } from './players.js';
import { withoutHyphen } from './position.js';
import { textOfEnd } from './record.js';
import { announce, ifSure, STATUS } from './shown.js';
import { MOST_GAMES, MOST_MOVES_TEXT, NO_RECORD } from './storage.js';
import { t } from '../texts.js';

import type { KeptGame, Reducers, Settings, State } from './types.js';

export const withSetting = <Name extends keyof Settings>(state: State, name: Name, value: Settings[Name]): State =>
  ({ ...state, settings: { ...state.settings, [name]: value } });

/** A user who leaves the introduction has seen it. */
export const endIntroduction = (state: State) =>
  state.view === 'introduction' ? withSetting({ ...state, view: 'play' }, 'met', true) : state;

/** Whether the page warns of a move that loses at once. */
export const warns = ({ settings }: State) => settings.warnings ?? true;

/** The games that are kept and whose players exist; the engine checks the moves when a game is opened. */
export const keptGames = (state: State) => state.games.filter(areKnown);

/** The games that were left before their end, latest first. */
export const leftGames = (state: State) =>
  state.recent.flatMap((one) => ('game' in one && areKnown(one.game) ? [one] : []));

/** Keeps the game, which has ended. */
export function keepGame(state: State): State {
  const { gameState: { start, moves, end }, players } = state.game;
  const text = moves.map(withoutHyphen).join('.');
  if (!end || !text || text.length > MOST_MOVES_TEXT) return state;
  const { winner } = end;
  const game: KeptGame = { start, moves: text, end: textOfEnd(end), ...players, date: state.today, winner };
  const { black, white } = game;
  if (friendNumber(players) && state.games.some((one) => one.black === black && one.white === white)) return state;
  return { ...state, games: [game, ...state.games].slice(0, MOST_GAMES) };
}

export const settingsReducers = {
  changeSetting(state, { name, value }) {
    const next = { ...state, settings: { ...state.settings, [name]: value } };
    return name === 'values' ? announce({ ...next, preview: null }, STATUS) : next;
  },
  deleteRecord: (state) => ifSure(state, 'delete', t('deleteSure'), () =>
    announce({ ...state, record: NO_RECORD }, t('deleted'))),
  deleteGames: (state) => ifSure(state, 'games-delete', t('deleteSure'), () =>
    announce({ ...state, games: [] }, t('gamesDeleted'))),
} satisfies Partial<Reducers>;
