// The results of games and puzzles on this device, and the games that have ended: with whom, when and how; each can be
// reviewed.

import { html, nothing } from 'lit-html';

import { button, dialogContent, download, sureButton } from '../dom.js';
import { distanceText } from '../format.js';
import { keptGames, leftGames } from '../state/game.js';
import { opponentOf, opponents, playerText, userOf } from '../state/players.js';
import { MOST_RECENT } from '../state/storage.js';
import { t } from '../texts.js';

import type { Dispatch, KeptGame, PlayResults, State } from '../state/types.js';

const table = (caption: string, heads: string[], rows: [string, number[]][]) =>
  html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <td></td>
        ${heads.map((head) => html`<th scope="col">${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name, numbers]) =>
          html`<tr>
            <th scope="row">${name}</th>
            ${numbers.map((number) => html`<td>${number}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;

const exportAll = (results: PlayResults) =>
  download(JSON.stringify(results, null, 1), 'application/json', 'neutreeko.json');

export function statistics(state: State, dispatch: Dispatch) {
  const { results } = state;
  const { games, helped, puzzles, rating, bestStreak } = results;
  const played = opponents().filter(({ name }) => games[name]).reverse();
  const grades = Object.keys(puzzles);
  return dialogContent(
    t('statistics'),
    dispatch,
    html`${played.length
        ? table(t('gamesPlayed'), [t('won'), t('drawn'), t('lost'), t('withHelp')],
          played.map((one) => [playerText(one).short, [...games[one.name], helped[one.name] ?? 0]]))
        : html`<p class="note">${t('noGames')}</p>`}
      ${grades.length
        ? html`${table(t('puzzles'), [t('solved'), t('failed')],
            grades.map((grade) => [t(`grade_${grade}`), puzzles[grade]]))}
          <p class="note">${t('rating')}${t('colon')}${rating} · ${t('bestStreak')}${t('colon')}${bestStreak}</p>`
        : nothing}
      ${!played.length && !grades.length ? nothing
        : html`<div class="actions">
          ${button('export', t('export'), () => exportAll(results))}
          ${sureButton(state, 'delete', t('delete'), () => dispatch({ type: 'deleteResults' }))}
        </div>`}
      <p class="note">${t('keptHere')}</p>`,
  );
}

function resultOf(game: KeptGame) {
  const user = userOf({ players: game });
  if (!game.winner) return t('drawn');
  return user ? t(game.winner === user ? 'won' : 'lost') : t('sideWon', t(game.winner));
}

/** The games that were left, to go on with. */
function leftList(state: State, dispatch: Dispatch) {
  const left = leftGames(state);
  if (!left.length) return nothing;
  return html`<section>
    <h3>${t('unfinished')}</h3>
    <ol class="games" id="left-games">
      ${left.map(({ date, game }) => html`<li>
        <button type="button" @click=${() => dispatch({ type: 'resumeRecent', game })}>
          <b>${opponentOf(game)}</b> <small>${date}</small>
        </button>
      </li>`)}
    </ol>
    <p class="note">${t('unfinishedDays', MOST_RECENT)}</p>
  </section>`;
}

export const gameList = (state: State, dispatch: Dispatch) =>
  html`<div class="kept">${leftList(state, dispatch)} ${finishedList(state, dispatch)}</div>`;

function finishedList(state: State, dispatch: Dispatch) {
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
      ${sureButton(state, 'games-delete', t('gamesDelete'), () => dispatch({ type: 'deleteGames' }))}
    </div>
  </section>`;
}
