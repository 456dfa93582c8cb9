// The results of games and puzzles on this device, and what can be done with them.

import { html, nothing } from 'lit-html';

import { button, dialogContent, download } from './views/dom.js';
import { playerText } from './views/format.js';
import { loadRecord, save } from './state/storage.js';
import { t } from './texts.js';

/** @param {import('./types.js').App} app */
export function createStatistics(app) {
  /**
   * @param {string} caption
   * @param {string[]} heads
   * @param {[string, number[]][]} rows
   */
  const table = (caption, heads, rows) =>
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

  const exportAll = () =>
    download(new Blob([JSON.stringify(app.record, null, 1)], { type: 'application/json' }), 'neutreeko.json');

  function remove() {
    if (app.isMeant('delete')) {
      save('record', null);
      app.record = loadRecord();
    }
    app.render();
  }

  function content() {
    const { games, puzzles, rating, bestStreak } = app.record;
    const played = app.opponents.filter(({ name }) => games[name]).reverse();
    const grades = Object.keys(puzzles);
    return dialogContent(
      t('statistics'),
      () => app.close(),
      html`${
        played.length
          ? table(
              t('gamesPlayed'),
              [t('won'), t('drawn'), t('lost')],
              played.map((one) => [playerText(one).short, games[one.name]]),
            )
          : html`<p class="note">${t('noGames')}</p>`
      }
      ${
        grades.length
          ? table(
              t('puzzles'),
              [t('solved'), t('failed')],
              grades.map((grade) => [t(`grade_${grade}`), puzzles[grade]]),
            )
          : nothing
      }
      <p class="note">${t('rating')}: ${rating} · ${t('bestStreak')}: ${bestStreak}</p>
      <div class="actions">
        ${button('export', t('export'), exportAll)}
        ${button('delete', t(app.asked === 'delete' ? 'deleteSure' : 'delete'), remove)}
      </div>
      <p class="note">${t('keptHere')}</p>`,
    );
  }

  return { content };
}
