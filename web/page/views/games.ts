// The games that have ended on this device: with whom, when and how; each can be reviewed.

import { html } from 'lit-html';

import { button } from './dom.js';
import { distanceText, other, playerText } from '../format.js';
import { keptGames } from '../state/settings.js';
import { userOf } from '../state/shown.js';
import { t } from '../texts.js';

import type { Dispatch, KeptGame, State } from '../state/types.js';

/** With whom a game was played. */
export function opponentOf(game: KeptGame) {
  const user = userOf({ players: game });
  return user ? playerText({ name: game[other(user)] }).short : t('twoPlayers');
}

function resultOf(game: KeptGame) {
  const user = userOf({ players: game });
  if (!game.winner) return t('drawn');
  return user ? t(game.winner === user ? 'won' : 'lost') : t('sideWon', t(game.winner));
}

export function gameList(state: State, dispatch: Dispatch) {
  const games = keptGames(state);
  if (!games.length) return html`<p class="note">${t('noGames')}</p>`;
  return html`<section>
    <h3>${t('gamesPlayed')}</h3>
    <ol class="games">
      ${games.map((game) => html`<li>
        <button type="button" @click=${() => dispatch({ type: 'reviewGame', game })}>
          <b>${opponentOf(game)}</b>${t('comma')}${resultOf(game)}
          <small>${game.date} · ${distanceText(game.moves.split('.').length)}</small>
        </button>
      </li>`)}
    </ol>
    <p class="note">${t('keptHere')}</p>
    <div class="actions">
      ${button('games-delete', t(state.confirming === 'games-delete' ? 'deleteSure' : 'gamesDelete'),
        () => dispatch({ type: 'deleteGames' }))}
    </div>
  </section>`;
}
