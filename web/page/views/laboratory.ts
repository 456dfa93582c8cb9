// Other boards: the dialog in which one is chosen, and what is known about the one that has been solved; and the view
// that waits while a board is being solved.

import { html, nothing } from 'lit-html';

import { winDiagram } from '../board/diagram.js';
import { button, choices, dialogContent, labelled, type On } from '../dom.js';
import { boardTitle, numberText as format, outcomeText, sizeText as size, solvingText } from '../format.js';
import { writeAddress } from '../state/address.js';
import { boardName, deviceMemory, hasLines, limits, STANDARD, startOf, wins } from '../state/boards.js';
import { sideAt } from '../state/position.js';
import { t } from '../texts.js';

import type { Board, Content, Dispatch, State, View } from '../state/types.js';

// ---- the choice of a board ----

function select(
  draft: Board,
  field: 'width' | 'height' | 'pieces' | 'row_length',
  { min, max }: { min: number; max: number },
  dispatch: Dispatch,
) {
  const onChange = ({ target }: On<HTMLSelectElement>) =>
    dispatch({ type: 'chooseBoard', changes: { [field]: Number(target.value) } });
  const counts = Array.from({ length: max - min + 1 }, (_, i) => min + i);
  return labelled(`lab-${field}`, t(`lab_${field}`), html`<select id="lab-${field}" @change=${onChange}>
    ${counts.map((number) => html`<option value=${number} .selected=${number === draft[field]}>${number}</option>`)}
  </select>`);
}

function form(draft: Board, dispatch: Dispatch) {
  const { side, pieces, row_length } = limits();
  return html`<section>
    <div class="fields">
      ${select(draft, 'width', side, dispatch)} ${select(draft, 'height', side, dispatch)}
      ${select(draft, 'pieces', pieces, dispatch)}
      ${hasLines(draft.win) ? select(draft, 'row_length', { ...row_length, max: draft.pieces }, dispatch) : nothing}
    </div>
    <div class="wins">
      ${choices(
        'win',
        t('lab_win'),
        wins().map((win) => [win, html`${winDiagram({ ...draft, win })} ${t(`win_${win}`)}`]),
        draft.win,
        (win) => dispatch({ type: 'chooseBoard', changes: { win } }),
      )}
    </div>
    <p class="note">${t('rules', draft)[1]}</p>
  </section>`;
}

/** What solving the board that is chosen takes, and the button that goes there. */
function plan({ engine, draft }: State, dispatch: Dispatch) {
  const { positions, bytes, refused } = engine.estimate(draft, deviceMemory);
  if (refused) {
    const why = t(`refused_${refused.reason}`, size(bytes), size(refused.limit ?? 0));
    return html`<section><p class="wrong" id="lab-refused">${why}</p></section>`;
  }
  const hash = writeAddress({ board: boardName(draft), view: 'play' });
  const open = () => dispatch({ type: 'openAddress', hash });
  return html`<section class="actions">${button('lab-solve', t('labSolve'), open, { main: true })}</section>
    <p class="note" id="lab-estimate">${t('labEstimate', format(positions), size(bytes))}</p>`;
}

// ---- progress ----

/** How far the solving is, if it takes long. The dialog shows it in place of the panel. */
export function solvingProgress(state: State, dispatch: Dispatch, isInDialog = false): Content {
  const { solving, dialog, boardName: name } = state;
  if (!solving?.isSlow || isInDialog !== (dialog === 'laboratory')) return nothing;
  const { done = 0, by_plies: byPlies = [] } = solving.progress ?? {};
  return html`<section class="solving">
    <label class="note" for="lab-progress">${solvingText(solving.progress)}</label>
    <progress id="lab-progress" max="1" .value=${done}></progress>
    ${name === STANDARD ? nothing : html`<div class="actions">
      ${button('lab-cancel', t('labCancel'), () => dispatch({ type: 'openAddress', hash: '' }))}
    </div>`}
    ${byPlies.length > 1 ? chart(byPlies) : nothing}
  </section>`;
}

// ---- the result ----

const percent = (part: number, whole: number) => `${format((100 * part) / whole, 2)}%`;

/** The curve of positions by distance: wins upwards, losses downwards, on a logarithmic scale. */
function chart(byPlies: number[]) {
  const [width, half] = [400, 56];
  const step = width / Math.max(byPlies.length, 8);
  const most = Math.max(...byPlies);
  const peak = byPlies.indexOf(most);
  const high = (count: number) => (count ? 2 + ((half - 4) * Math.log(count)) / Math.log(most + 1) : 0);
  /** @param parity of the plies */
  const bars = (parity: number) =>
    byPlies
      .map((count, ply) =>
        ply % 2 === parity
          ? `M${(ply + 0.1) * step} ${half}v${parity ? -high(count) : high(count)}h${0.8 * step}V${half}z`
          : '',
      )
      .join('');
  return html`<figure class="graph">
    <svg viewBox="0 0 ${width} ${2 * half}" role="img"
      aria-label=${t('labCurve', format(most), peak, byPlies.length - 1)}>
      <line x1="0" x2=${width} y1=${half} y2=${half} />
      <path class="bar loss" d=${bars(0)} />
      <path class="bar win" d=${bars(1)} />
    </svg>
    <figcaption><span>\u2191 ${t('labWins')}</span><span>\u2193 ${t('labLosses')}</span><span>${
      t('labCurveKey', byPlies.length - 1)}</span></figcaption>
  </figure>`;
}

const numbers = (byPlies: number[]) =>
  html`<details>
    <summary>${t('labNumbers')}</summary>
    <table>
      <thead>
        <tr>
          <th scope="col">${t('labPlies')}</th>
          <th scope="col">${t('labPositions')}</th>
        </tr>
      </thead>
      <tbody>
        ${byPlies.map((count, ply) => html`<tr><th scope="row">${ply}</th><td>${format(count)}</td></tr>`)}
      </tbody>
    </table>
  </details>`;

function facts(state: State) {
  const { engine, engine: { summary } } = state;
  const start = startOf(state);
  const moves = engine.moves(start);
  const kept = moves.filter(({ value }) => value.result === moves[0].value.result).length; // which keep the value
  const row = (label: string, content: unknown) => html`<tr><th scope="row">${label}</th><td>${content}</td></tr>`;
  const part = (key: 'wins' | 'losses' | 'draws') =>
    html`${percent(summary[key], summary.legal)}<br /><small>${format(summary[key])}</small>`;
  return html`<table class="facts">
    <tbody>
      ${row(t('labPositions'), format(summary.legal))}
      ${row(t('labWins'), part('wins'))} ${row(t('labLosses'), part('losses'))} ${row(t('labDraws'), part('draws'))}
      ${row(t('startPosition'), outcomeText(engine.value(start), sideAt(start)))}
      ${row(t('labFirst'), t('labFirstOf', kept, moves.length))}
      ${row(t('labLongest'), t('inPlies', summary.longest))}
    </tbody>
  </table>`;
}

/** What is known about the board of the page. */
function about(state: State, dispatch: Dispatch) {
  const { byPlies, settings, boardName: board } = state;
  const proposed = () => dispatch({ type: 'chooseStart', position: null });
  return html`${settings.starts[board]
      ? html`<section class="actions">${button('lab-proposed', t('labProposed'), proposed)}</section>` : nothing}
    <section>
      <h3>${boardTitle(state.engine.board)}</h3>
      ${facts(state)}
      ${byPlies.length ? html`<h3>${t('labByDistance')}</h3>${chart(byPlies)}${numbers(byPlies)}` : nothing}
    </section>`;
}

export function laboratory(state: State, dispatch: Dispatch): Content {
  const isOther = boardName(state.draft) !== state.boardName;
  return dialogContent(
    t('laboratory'),
    dispatch,
    html`${form(state.draft, dispatch)}
      ${isOther ? plan(state, dispatch)
        : state.solving ? solvingProgress(state, dispatch, true) : about(state, dispatch)}`,
  );
}

/** What is shown in place of a view that needs values. */
export const waiting: View = {
  status: ({ engine }) => ({ side: null, headline: boardTitle(engine.board), subline: t('labWorking') }),
  scene: (state) => ({ position: state.game.gameState.position || startOf(state), legal: [], last: null }),
  panel: (state, dispatch) => solvingProgress(state, dispatch),
};
