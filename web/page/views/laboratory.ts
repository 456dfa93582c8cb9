// The laboratory: the choice of a board, how its solving progresses, and the result.

import { html, nothing } from 'lit-html';

import { winDiagram } from '../board/diagram.js';
import { button, choices, download, type On, onFile } from './dom.js';
import { boardTitle, messageText, outcomeText } from '../format.js';
import { bytesIn } from '../../engine/page.js';
import { boardName, hasLines, limits, readBoard, wins } from '../state/boards.js';
import { chosenName, openedChoice } from '../state/laboratory.js';
import { writePosition } from '../state/position.js';
import { t } from '../texts.js';

import type { Board, Dispatch, Laboratory, LaboratoryJob, Opened, Progress, State, View } from '../state/types.js';

// ---- numbers ----

// Without Intl, whose formats take milliseconds each: these are the same in all languages.

const format = (number: number, digits = 0) => String(Number(number.toFixed(digits))).replace(/\B(?=(\d{3})+$)/g, ',');

const share = (part: number, whole: number) => `${format((100 * part) / whole, 2)}%`;

function size(bytes: number) {
  if (bytes < 1e6) return `${format(Math.ceil(bytes / 1e3))} kB`;
  return bytes < 1e9 ? `${format(bytes / 1e6, bytes < 1e7 ? 1 : 0)} MB` : `${format(bytes / 1e9, 1)} GB`;
}

// ---- the choice of a board ----

function select(
  draft: Board,
  field: 'width' | 'height' | 'pieces' | 'row_length',
  { min, max }: { min: number; max: number },
  dispatch: Dispatch,
) {
  const onChange = ({ target }: On<HTMLSelectElement>) =>
    dispatch({ type: 'chooseBoard', changes: { [field]: Number(target.value) } });
  return html`<div class="field">
    <label for="lab-${field}">${t(`lab_${field}`)}</label>
    <select id="lab-${field}" @change=${onChange}>
      ${Array.from({ length: max - min + 1 }, (_, i) => min + i).map(
        (number) => html`<option value=${number} .selected=${number === draft[field]}>${number}</option>`,
      )}
    </select>
  </div>`;
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

/**
 * What solving takes, and the button that starts it.
 * @param planned null until it is known
 */
function plan(planned: Laboratory['plan'], dispatch: Dispatch) {
  const estimate = planned?.estimate;
  if (!estimate) return nothing;
  const { positions, bytes, refused } = estimate;
  if (refused) {
    const why = t(`refused_${refused.reason}`, size(bytes), size(refused.limit ?? 0));
    return html`<section><p class="wrong" id="lab-refused">${why}</p></section>`;
  }
  const begin = () => dispatch({ type: 'solve' });
  return html`<section class="actions">${button('lab-solve', t('labSolve'), begin, { main: true })}</section>
    <p class="note" id="lab-estimate">${t('labEstimate', format(positions), size(bytes))}</p>`;
}

// ---- progress ----

/** @param progress of solving */
function solvingText(progress: Progress | null) {
  if (!progress?.by_plies.length) return t('labPreparing');
  const { phase, ply, decided, total } = progress;
  return phase === 'solving' ? t('labSolving', ply, format(decided), format(total)) : t(`lab_${phase}`);
}

function progress({ progress: found, draft }: Laboratory, { board }: LaboratoryJob, dispatch: Dispatch) {
  const solving = typeof found === 'object' ? found : null;
  const rules = board && board !== boardName(draft) ? readBoard(board) : null;
  return html`<section>
    <label class="note" for="lab-progress">
      ${rules ? `${boardTitle(rules)}: ` : nothing}${board ? solvingText(solving) : t('labVerifying')}
    </label>
    <progress id="lab-progress" max="1" .value=${solving?.done ?? Number(found ?? 0)}></progress>
    <div class="actions">${button('lab-cancel', t('labCancel'), () => dispatch({ type: 'cancelJob' }))}</div>
    ${solving && solving.by_plies.length > 1 ? chart(solving.by_plies) : nothing}
  </section>`;
}

// ---- the result ----

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

function facts({ engine, start }: Opened) {
  const { summary } = engine;
  const moves = engine.moves(start);
  const kept = moves.filter(({ value }) => value.result === moves[0].value.result).length; // which keep the value
  const row = (label: string, content: unknown) => html`<tr><th scope="row">${label}</th><td>${content}</td></tr>`;
  const part = (key: 'wins' | 'losses' | 'draws') =>
    html`${share(summary[key], summary.legal)}<br /><small>${format(summary[key])}</small>`;
  return html`<table class="facts">
    <tbody>
      ${row(t('labPositions'), format(summary.legal))}
      ${row(t('labWins'), part('wins'))} ${row(t('labLosses'), part('losses'))} ${row(t('labDraws'), part('draws'))}
      ${row(t('startPosition'), outcomeText(engine.value(start), 'black'))}
      ${row(t('labFirst'), t('labFirstOf', kept, moves.length))}
      ${row(t('labLongest'), t('inPlies', summary.longest))}
    </tbody>
  </table>`;
}

function save({ file, engine }: Opened) {
  const table = file ?? new Blob([bytesIn('neutreeko-table')]);
  download(table, `${boardName(engine.board).replaceAll('/', '-')}.dat`);
}

function outcome(state: State, dispatch: Dispatch, opened: Opened) {
  const play = (isFromProposed = false) => () => dispatch({ type: 'playTable', isFromProposed });
  const hasOwnStart = Boolean(state.settings.starts[chosenName(state)]);
  return html`<section class="actions">
      ${button('lab-play', t('labPlay'), play(), { main: true })}
      ${hasOwnStart ? button('lab-proposed', t('labProposed'), play(true)) : nothing}
      ${button('lab-save', t('labSave', size(opened.bytes)), () => save(opened))}
    </section>
    <section>
      ${facts(opened)}
      ${opened.byPlies?.length
        ? html`<h3>${t('labByDistance')}</h3>${chart(opened.byPlies)}${numbers(opened.byPlies)}` : nothing}
    </section>`;
}

function opening(dispatch: Dispatch) {
  const onChange = onFile((file) => dispatch({ type: 'openTable', file }));
  return html`<details>
    <summary>${t('labOpen')}</summary>
    <div class="line">
      <div class="field">
        <label for="lab-file">${t('labFile')}</label>
        <input type="file" id="lab-file" accept=".dat" @change=${onChange} />
      </div>
    </div>
  </details>`;
}

export const laboratory: View = {
  status(state) {
    const { draft, job } = state.laboratory;
    const opened = openedChoice(state);
    const value = opened && outcomeText(opened.engine.value(opened.start), 'black');
    const isSolving = job?.board === chosenName(state);
    const subline = isSolving ? t('labWorking') : value ?? t('labUnsolved');
    return { side: null, headline: boardTitle(draft), subline };
  },
  scene: (state) => ({
    position: openedChoice(state)?.start ?? writePosition(new Map(), 'black', state.laboratory.draft),
    legal: [],
    last: null,
  }),
  shape: (state) => state.laboratory.draft,
  panel(state, dispatch) {
    const { draft, job, plan: planned, message, isCalm } = state.laboratory;
    const opened = openedChoice(state);
    const known = planned?.board === chosenName(state) ? planned : null;
    return html`<p class=${isCalm ? 'note' : 'wrong'} role="alert" id="lab-message" ?hidden=${!message}>
        ${messageText(message)}</p>
      ${job ? progress(state.laboratory, job, dispatch) : nothing}
      ${job?.board === chosenName(state) ? nothing
        : html`${form(draft, dispatch)}${opened ? outcome(state, dispatch, opened) : plan(known, dispatch)}`}
      ${opening(dispatch)}`;
  },
};
