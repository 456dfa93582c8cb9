// The results of games and puzzles on this device, and what can be done with them.

import { html, nothing } from 'lit-html';

import { button, dialogContent, download } from './dom.js';
import { playerText } from '../format.js';
import { opponents } from '../state/opponents.js';
import { t } from '../texts.js';

import type { Dispatch, PlayRecord, State } from '../state/types.js';

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

const exportAll = (record: PlayRecord) =>
  download(new Blob([JSON.stringify(record, null, 1)], { type: 'application/json' }), 'neutreeko.json');

export function statistics({ record, confirming }: State, dispatch: Dispatch) {
  const { games, puzzles, rating, bestStreak } = record;
  const played = opponents().filter(({ name }) => games[name]).reverse();
  const grades = Object.keys(puzzles);
  return dialogContent(
    t('statistics'),
    () => dispatch({ type: 'close' }),
    html`${played.length
        ? table(t('gamesPlayed'), [t('won'), t('drawn'), t('lost')],
          played.map((one) => [playerText(one).short, games[one.name]]))
        : html`<p class="note">${t('noGames')}</p>`}
      ${grades.length
        ? table(t('puzzles'), [t('solved'), t('failed')], grades.map((grade) => [t(`grade_${grade}`), puzzles[grade]]))
        : nothing}
      <p class="note">${t('rating')}: ${rating} · ${t('bestStreak')}: ${bestStreak}</p>
      <div class="actions">
        ${button('export', t('export'), () => exportAll(record))}
        ${button('delete', t(confirming === 'delete' ? 'deleteSure' : 'delete'),
          () => dispatch({ type: 'deleteRecord' }))}
      </div>
      <p class="note">${t('keptHere')}</p>`,
  );
}
