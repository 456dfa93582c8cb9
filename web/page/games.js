// The games that have ended on this device: with whom, when and how; each can be reviewed.

import { html } from 'lit-html';

import { button } from './views/dom.js';
import { dateOf, distanceText, other, playerText } from './views/format.js';
import { friendNumber } from './friend.js';
import { MOST_GAMES, MOST_MOVES_TEXT, newestGames, save } from './state/storage.js';
import { t } from './texts.js';

/** @import { App, KeptGame, Side } from './types.js' */

/**
 * The side of the user against an opponent; null for two people.
 * @param {KeptGame} game
 * @returns {Side | null}
 */
export const userOf = ({ black, white }) =>
  black === 'human' && white === 'human' ? null : black === 'human' ? 'black' : 'white';

/**
 * With whom a game was played.
 * @param {KeptGame} game
 */
export function opponentOf(game) {
  const user = userOf(game);
  return user ? playerText({ name: game[other(user)] }).short : t('twoPlayers');
}

/**
 * Adds the games that are kept to app.
 * @param {App} app
 */
export function createGames(app) {
  /** @param {KeptGame} game */
  function resultOf(game) {
    const user = userOf(game);
    if (!game.winner) return t('drawn');
    return user ? t(game.winner === user ? 'won' : 'lost') : t('sideWon', t(game.winner));
  }

  function remove() {
    const isMeant = app.isMeant('games-delete');
    if (isMeant) {
      app.games = [];
      save('games', null);
    }
    app.render();
    app.announce(t(isMeant ? 'gamesDeleted' : 'deleteSure'));
  }

  /** @type {Partial<App>} */
  const offered = {
    keepGame() {
      const { start, moves, end } = app.state;
      const text = moves.map((move) => move.replace('-', '')).join('.');
      if (!end || !text || text.length > MOST_MOVES_TEXT) return;
      const resigned = end.reason === 'resigned' && end.winner ? `resigned-${other(end.winner)}` : '';
      const game = { start, moves: text, end: resigned, ...app.players, date: dateOf(), winner: end.winner };
      const kept = newestGames(app.games);
      if (friendNumber(game) && kept.some(({ black, white }) => black === game.black && white === game.white)) return;
      app.games = [game, ...kept].slice(0, MOST_GAMES);
      save('games', app.games);
    },
    /** Those whose players exist; the engine checks the moves when a game is opened. */
    keptGames: () => app.games.filter(({ black, white }) => app.isKnown(black) && app.isKnown(white)),
    gameList() {
      const games = app.keptGames();
      if (!games.length) return html`<p class="note">${t('noGames')}</p>`;
      return html`<section>
        <h3>${t('gamesPlayed')}</h3>
        <ol class="games">
          ${games.map((game) => html`<li>
            <button type="button" @click=${() => app.reviewGame(game)}>
              <b>${opponentOf(game)}</b>${t('comma')}${resultOf(game)}
              <small>${game.date} · ${distanceText(game.moves.split('.').length)}</small>
            </button>
          </li>`)}
        </ol>
        <p class="note">${t('keptHere')}</p>
        <div class="actions">
          ${button('games-delete', t(app.asked === 'games-delete' ? 'deleteSure' : 'gamesDelete'), remove)}
        </div>
      </section>`;
    },
  };
  Object.assign(app, offered);
}
