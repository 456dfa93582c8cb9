// The laboratory: choose a board and a rule, have it solved on this device, look at the result, and play it.

import { html, nothing } from 'lit-html';

import { boardName, hasLines, limits, readBoard, startOf, STANDARD, usualRow, wins } from './boards.js';
import { winDiagram } from './diagram.js';
import { button, byId, choices, disclosure, download, pause } from './dom.js';
import { embedded, EngineError, openTable } from '../engine/engine.js';
import { isDamage, kindOf } from './failure.js';
import { boardTitle, outcomeText } from './format.js';
import { writePosition } from './position.js';
import { isTooLarge, startSearcher } from './searcher.js';
import { BUDGETS } from './settings.js';
import { estimate, measure, processors, solve, verify } from '../engine/solve.js';
import * as tables from './tables.js';
import { t } from './texts.js';

/** @import { App, Board, Kept, Opened, Solved, Source, Status } from './types.js' */

const REDRAW = 150; // milliseconds, while something makes progress

/**
 * `standard` is what the page comes with; `use` makes it work with another engine, and `playOn` also shows the game on
 * its board.
 * @param {App} app
 * @param {{standard: Opened, use(opened: Opened): void, playOn(opened: Opened): void}} page
 */
export function createLaboratory(app, { standard, use, playOn }) {
  /** @type {Board} */
  let draft = standard.engine.board;
  /** @type {Record<string, Solved>} */
  const results = {};
  /**
   * The engines in memory: that of the page and the last other one.
   * @type {Record<string, Opened>}
   */
  const engines = { [STANDARD]: standard };
  /** @type {Kept[] | null} */
  let kept = []; // null if the browser denies storage
  /** @type {number | undefined} */
  let speed; // of this device, once measured
  /**
   * @type {{board: string, control: AbortController, progress: import('../engine/solve.js').Progress | null} | null}
   */
  let job = null; // a board is being solved
  let wanted = ''; // the board that was asked for last
  let isLooking = false; // for a table on this device
  /** @type {Promise<Uint8Array<ArrayBuffer>> | undefined} */
  let wasm; // of the engine
  /** @type {WeakSet<Solved>} */
  const completed = new WeakSet(); // those to which a worker adds something, or has
  let stored = Promise.resolve(''); // once the last table is kept; a message if it is not
  let message = '';
  let isCalm = false; // the message is not an error
  /** @type {number | null} */
  let reading = null; // the share of a table that has been read, while one is opened
  let compared = '';
  let isAdvanced = false; // whether the user has opened what is for advanced users

  const name = () => boardName(draft);
  /** @param {string} text */
  const say = (text, calm = false) => {
    message = text;
    isCalm = calm;
    app.render();
    if (text) app.announce(text);
  };

  let drawn = 0;
  /** Shows progress, but not each time. */
  function showProgress() {
    if (performance.now() - drawn < REDRAW) return;
    drawn = performance.now();
    if (app.view === 'laboratory') app.render();
  }

  // ---- tables ----

  async function refresh() {
    try {
      const entries = await tables.list();
      kept = entries;
      for (const entry of entries) results[entry.name] ??= entry.result;
    } catch {
      kept = null;
    }
    app.render();
  }

  /**
   * Keeps a table on this device, if the browser and the budget allow it. Returns a message if not.
   * @param {string} board
   * @param {Blob} table
   */
  async function keep(board, table) {
    try {
      await engines[board]?.settled;
      await tables.put({ name: board, bytes: table.size, result: results[board] }, table, app.settings.budget);
      return '';
    } catch (error) {
      return t(/** @type {DOMException} */ (error).name === 'QuotaExceededError' ? 'labFull' : 'labDenied');
    } finally {
      await refresh();
    }
  }

  /**
   * Keeps what has been found out about a table since it was kept; if that fails, it is found out again.
   * @param {string} board
   * @param {Solved} result
   */
  async function keepResult(board, result) {
    await stored;
    if (results[board] !== result || !kept?.some((entry) => entry.name === board)) return;
    await tables.update({ name: board, bytes: result.bytes, result }).catch(() => {});
  }

  /**
   * Opens a table and finds out what there is to know about its board, of which `byPlies` may be known, or all that was
   * found out when the table was kept.
   * @param {Source} source
   * @param {number} bytes
   * @param {{byPlies?: number[] | null, wasKept?: boolean}} [known]
   */
  async function read(source, bytes, { byPlies = null, wasKept = false } = {}) {
    const engine = await openTable(await (wasm ??= embedded(document, 'neutreeko-wasm')), source.file, { onProgress });
    const board = boardName(engine.board);
    // To find the proposal in a large table takes longer than all else: the page shows another start until then.
    const isQuick = engine.start || !isTooLarge(engine);
    const proposal = engine.start ?? (isQuick ? engine.startProposal() : engine.firstStart());
    /** @type {Opened} */
    const opened = { engine, source, start: startOf(engine, proposal) };
    const finished = engine.finish();
    if (byPlies) finished.catch(() => {}); // it is not damaged, and values are looked up before, too
    else await finished;
    if (!wasKept || !results[board]) results[board] = resultOf(opened, bytes, byPlies);
    for (const other of Object.keys(engines)) if (other !== STANDARD || other === board) drop(other);
    engines[board] = opened;
    if (!isQuick) opened.settled = settle(opened);
    complete(board);
    return board;
  }

  /**
   * Replaces the start of a large table by the one that the engine proposes.
   * @param {Opened} opened
   */
  async function settle(opened) {
    const { engine, source } = opened;
    const searcher = startSearcher(source, false);
    try {
      const proposal = await searcher.ask({ what: 'start' });
      const { start, value, kept: good, first } = resultOf({ ...opened, start: startOf(engine, proposal) }, 0, null);
      opened.start = start;
      Object.assign(results[boardName(engine.board)], { start, value, kept: good, first });
      app.render();
    } catch {
      /* the file has gone, or is damaged, which what needs it next reports */
    } finally {
      searcher.end();
    }
  }

  /**
   * Verifies a table and adds what follows from the whole of it. It takes a moment, and too long for large tables.
   * @param {string} board
   */
  async function complete(board) {
    const result = results[board];
    if (isTooLarge(result) || completed.has(result)) return;
    completed.add(result);
    const opened = engines[board];
    // If one of these fails, the page shows what it has.
    if (!result.verified) await verifyTable(board, opened, result).catch(() => {});
    await pause();
    if (!result.longest) await search(board, opened, result).catch(() => {});
  }

  /**
   * @param {string} board
   * @param {Opened} opened
   * @param {Solved} result
   */
  async function search(board, { source }, result) {
    const searcher = startSearcher(source);
    try {
      /** @type {{byPlies: number[], longest: string | null}} */
      const { byPlies, longest } = await searcher.ask({ what: 'countByPlies' });
      Object.assign(result, { byPlies, longest });
      await keepResult(board, result);
    } finally {
      searcher.end();
      app.render();
    }
  }

  /** @param {Opened} opened */
  const fileOf = async ({ source }) =>
    source?.file ?? new Blob([await embedded(document, 'neutreeko-table', false)]);

  /**
   * Verifies a table in a worker, unless that is being done. Rejects if that is not possible, or cancelled.
   * @param {string} board
   * @param {Opened} opened
   * @param {Solved} result
   */
  async function verifyTable(board, opened, result) {
    if (opened.verification) return;
    const control = new AbortController();
    const verification = { done: 0, control };
    opened.verification = verification;
    app.render();
    try {
      const { threads } = await estimate(result.board, device());
      const onProgress = (/** @type {number} */ done) => {
        verification.done = done;
        showProgress();
      };
      await verify(await fileOf(opened), { threads, signal: control.signal, onProgress });
      result.verified = true;
      await keepResult(board, result);
    } catch (error) {
      if (!isDamage(error)) throw error;
      opened.fault = /** @type {EngineError} */ (error).message;
    } finally {
      opened.verification = undefined;
      app.render();
    }
  }

  /** Forgets an engine. @param {string} board */
  function drop(board) {
    engines[board]?.verification?.control.abort();
    delete engines[board];
  }

  /**
   * @param {Opened} opened
   * @param {number} bytes
   * @param {number[] | null} byPlies
   * @returns {Solved}
   */
  function resultOf({ engine, start }, bytes, byPlies) {
    const moves = engine.moves(start);
    return {
      board: engine.board,
      bytes,
      summary: engine.summary,
      start,
      value: engine.value(start),
      kept: moves.filter(({ value }) => value.result === moves[0].value.result).length,
      first: moves.length,
      byPlies,
      longest: null,
      verified: false,
    };
  }

  /**
   * Opens the table that is kept on this device. Returns false if there is none or it is damaged.
   * @param {string} board
   */
  async function openKept(board) {
    isLooking = true;
    const shown = setTimeout(app.render, REDRAW); // unless the browser answers before
    const table = await tables.get(board).catch(() => undefined);
    isLooking = false;
    clearTimeout(shown);
    if (!table) return false;
    try {
      await read({ file: table }, table.size, { wasKept: true });
      return true;
    } catch {
      await tables.remove([board]).catch(() => {});
      return false;
    }
  }

  /**
   * Solves a board with progress on the page. Rejects if it is cancelled. The table is kept after that.
   * @param {string} board
   */
  async function solveHere(board) {
    const control = new AbortController();
    /** @type {NonNullable<typeof job>} */
    const mine = { board, control, progress: null };
    job = mine;
    app.render();
    try {
      const rules = /** @type {Board} */ (readBoard(board));
      const { threads } = await estimate(rules, device());
      const table = await solve(rules, {
        threads,
        signal: control.signal,
        onProgress(progress) {
          if (job !== mine) return;
          mine.progress = progress;
          showProgress();
        },
      });
      const file = new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (table)]);
      await read({ file }, file.size, { byPlies: mine.progress?.byPlies ?? null });
      stored = keep(board, file);
      stored.then((problem) => problem && wanted === board && say(problem));
    } finally {
      if (job === mine) job = null;
    }
  }

  /** @param {unknown} error */
  const reason = (error) => {
    if (!(error instanceof EngineError)) throw error;
    return error.code === 'aborted' ? t('labCancelled') : t(`labFailed_${kindOf(error)}`, error.message);
  };

  /**
   * Makes the engine of a board available. Returns whether that succeeded; the page shows how it goes.
   * @param {string} board
   */
  async function obtain(board) {
    message = '';
    wanted = board;
    if (engines[board]) return true;
    job?.control.abort();
    try {
      if (!(await openKept(board))) await solveHere(board);
      say('');
      return true;
    } catch (error) {
      if (wanted === board) say(reason(error), error instanceof EngineError && error.code === 'aborted');
      return false;
    }
  }

  async function start() {
    const board = name();
    if (await obtain(board)) app.announce(headline());
  }

  /**
   * Makes the engine of a board available. False if that failed, or if the user has gone on meanwhile.
   * @param {string} board
   */
  async function prepare(board) {
    await pause(); // a click and what the browser draws after it may be one task
    if (!(await obtain(board))) return false;
    await engines[board].settled;
    return app.view === 'laboratory' && name() === board;
  }

  async function play() {
    const board = name();
    if (!(await prepare(board))) return;
    playOn(engines[board]);
    app.openStart();
  }

  /** @param {number} share of a table, once more for what has been fetched before */
  function onProgress(share) {
    if (reading === null) return;
    reading = share;
    showProgress();
  }

  /** @param {() => Promise<Blob>} get */
  async function openTableOf(get) {
    message = '';
    reading = 0;
    app.render();
    try {
      const file = await get();
      const board = await read({ file }, file.size);
      draft = results[board].board;
      app.update({ replace: true });
      stored = keep(board, file);
      say(await stored);
    } catch (error) {
      say(reason(error));
    } finally {
      reading = null;
      app.render();
    }
  }

  /**
   * A table of this site.
   * @param {string | URL} url
   */
  async function fetchTable(url) {
    const failed = (/** @type {string} */ why) => new EngineError('read', `cannot fetch ${url}: ${why}`);
    try {
      const response = await fetch(url);
      if (!response.ok || !response.body) throw failed(`status ${response.status}`);
      const size = Number(response.headers.get('content-length'));
      let done = 0;
      const counting = new TransformStream({
        transform(piece, controller) {
          done += piece.length;
          if (size) onProgress(done / size);
          controller.enqueue(piece);
        },
      });
      return await new Response(response.body.pipeThrough(counting)).blob(); // not in the memory of the page
    } catch (error) {
      throw error instanceof EngineError ? error : failed(/** @type {Error} */ (error).message);
    }
  }

  // ---- numbers ----

  // Without Intl, whose formats take milliseconds each: these are the same in all languages.

  /** @param {number} number */
  const format = (number, digits = 0) => String(Number(number.toFixed(digits))).replace(/\B(?=(\d{3})+$)/g, ',');
  /**
   * @param {number} part
   * @param {number} whole
   */
  const share = (part, whole) => `${format((100 * part) / whole, 2)}%`;
  /** @param {number} bytes */
  const size = (bytes) =>
    bytes < 1e6
      ? `${format(Math.ceil(bytes / 1e3))} kB`
      : bytes < 1e9
        ? `${format(bytes / 1e6, bytes < 1e7 ? 1 : 0)} MB`
        : `${format(bytes / 1e9, 1)} GB`;
  /** @param {number} seconds */
  const duration = (seconds) =>
    seconds < 90 ? t('seconds', format(Math.max(seconds, 0.1), seconds < 5 ? 1 : 0))
      : t('minutes', format(seconds / 60));

  // ---- templates ----

  /** @param {(value: string) => void} use */
  const onValue = (use) => (/** @type {Event} */ { target }) => use(/** @type {HTMLSelectElement} */ (target).value);

  /**
   * The curve of positions by distance: wins upwards, losses downwards, on a logarithmic scale up to `most`.
   * @param {number[]} byPlies
   */
  function chart(byPlies, plies = byPlies.length, most = Math.max(...byPlies)) {
    const [width, half] = [400, 56];
    const step = width / Math.max(plies, 8);
    /** @param {number} count */
    const high = (count) => (count ? 2 + ((half - 4) * Math.log(count)) / Math.log(most + 1) : 0);
    const peak = byPlies.indexOf(Math.max(...byPlies));
    /** @param {number} parity of the plies */
    const bars = (parity) =>
      byPlies
        .map((count, ply) =>
          ply % 2 === parity
            ? `M${(ply + 0.1) * step} ${half}v${parity ? -high(count) : high(count)}h${0.8 * step}V${half}z`
            : '',
        )
        .join('');
    return html`<figure class="graph">
      <svg viewBox="0 0 ${width} ${2 * half}" role="img"
        aria-label=${t('labCurve', format(byPlies[peak]), peak, byPlies.length - 1)}>
        <line x1="0" x2=${width} y1=${half} y2=${half} />
        <path class="bar loss" d=${bars(0)} />
        <path class="bar win" d=${bars(1)} />
      </svg>
      <figcaption><span>\u2191 ${t('labWins')}</span><span>\u2193 ${t('labLosses')}</span><span>${
        t('labCurveKey', byPlies.length - 1)}</span></figcaption>
    </figure>`;
  }

  /** @param {number[]} byPlies */
  const numbers = (byPlies) =>
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

  /**
   * What is known about one or two boards, a column for each.
   * @param {Solved[]} list
   */
  function facts(list) {
    /**
     * @param {string} label
     * @param {(result: Solved) => unknown} of
     */
    const row = (label, of) =>
      html`<tr>
        <th scope="row">${label}</th>
        ${list.map((result) => html`<td>${of(result)}</td>`)}
      </tr>`;
    /** @param {'wins' | 'losses' | 'draws'} key */
    const part = (key) => (/** @type {Solved} */ { summary }) => 
      html`${share(summary[key], summary.legal)}<br /><small>${format(summary[key])}</small>`;
    return html`<table class="facts">
      <thead ?hidden=${list.length < 2}>
        <tr>
          <td></td>
          ${list.map(({ board }) => html`<th scope="col">${boardTitle(board)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${row(t('labPositions'), ({ summary }) => format(summary.legal))}
        ${row(t('labWins'), part('wins'))} ${row(t('labLosses'), part('losses'))} ${row(t('labDraws'), part('draws'))}
        ${row(t('startPosition'), ({ value }) => outcomeText(value, 'black'))}
        ${row(t('labFirst'), ({ kept: good, first }) => t('labFirstOf', good, first))}
        ${row(t('labLongest'), ({ summary }) => t('inPlies', summary.longest))}
      </tbody>
    </table>`;
  }

  /** @param {Partial<Board>} changes */
  function change(changes) {
    draft = { ...draft, ...changes };
    if (!('rowLength' in changes)) draft.rowLength = usualRow(draft.pieces, draft.win);
    message = '';
    app.update({ replace: true });
    app.announce(headline());
  }

  /**
   * @param {'width' | 'height' | 'pieces' | 'rowLength'} field
   * @param {{min: number, max: number}} range
   */
  const select = (field, { min, max }) =>
    html`<div class="field">
      <label for="lab-${field}">${t(`lab_${field}`)}</label>
      <select id="lab-${field}" @change=${onValue((value) => change({ [field]: Number(value) }))}>
        ${Array.from({ length: max - min + 1 }, (_, i) => min + i).map(
          (number) => html`<option value=${number} .selected=${number === draft[field]}>${number}</option>`,
        )}
      </select>
    </div>`;

  const form = () => html`<section>
    <div class="fields">
      ${select('width', limits().side)} ${select('height', limits().side)} ${select('pieces', limits().pieces)}
      ${hasLines(draft.win) ? select('rowLength', { ...limits().row_length, max: draft.pieces }) : nothing}
    </div>
    <div class="wins">
      ${choices(
        'win',
        t('lab_win'),
        wins().map((win) => [win, html`${winDiagram({ ...draft, win })} ${t(`win_${win}`)}`]),
        draft.win,
        (win) => change({ win }),
      )}
    </div>
    <p class="note">${t('rules', draft)[1]}</p>
  </section>`;

  // Of the memory, which the browser rounds down, half is for this.
  const { deviceMemory } = /** @type {{deviceMemory?: number}} */ (navigator);
  const device = () => ({ speed, memory: deviceMemory && deviceMemory * 2 ** 29, threads: processors() });

  /** @type {Awaited<ReturnType<typeof estimate>> & {board: string} | undefined} */
  let estimated; // what solving the shown board takes on this device
  let estimatedFor = '';

  /**
   * Estimates what solving the shown board takes, unless that is known, and shows it then. Of the same board, the last
   * estimate remains until then: without it there is no button to solve the board.
   */
  function keepEstimate() {
    const board = name();
    const asked = JSON.stringify([draft, device()]);
    if (asked === estimatedFor) return;
    estimatedFor = asked;
    if (estimated?.board !== board) estimated = undefined;
    estimate(draft, device()).then((found) => {
      if (asked !== estimatedFor) return; // another board is shown by now
      estimated = { ...found, board };
      app.render();
    }, (error) => say(reason(error)));
  }

  /** What solving takes, and the button that starts it. */
  function plan() {
    keepEstimate();
    if (!estimated) return nothing;
    const { positions, bytes, seconds, refused } = estimated;
    if (refused) {
      const why = t(`refused_${refused.reason}`, size(bytes), size(refused.limit ?? 0));
      return html`<section><p class="wrong" id="lab-refused">${why}</p></section>`;
    }
    return html`<section class="actions">${button('lab-solve', t('labSolve'), start, { main: true })}</section>
      <p class="note" id="lab-estimate">
        ${t('labEstimate', format(positions), size(bytes), seconds === null ? '' : duration(seconds))}
      </p>
`;
  }

  /** @param {NonNullable<typeof job>} shown */
  function progress({ board, progress: state, control }) {
    const { phase = 'solving', done = 0, ply = 0, decided = 0, total = 0, byPlies = [] } = state ?? {};
    const rules = readBoard(board);
    return html`<section>
      <label class="note" for="lab-progress">
        ${rules && board !== name() ? `${boardTitle(rules)}: ` : nothing}${phase === 'solving'
          ? byPlies.length ? t('labSolving', ply, format(decided), format(total)) : t('labPreparing')
          : t(`lab_${phase}`)}
      </label>
      <progress id="lab-progress" max="1" .value=${done}></progress>
      <div class="actions">${button('lab-cancel', t('labCancel'), () => control.abort())}</div>
      ${byPlies.length > 1 ? chart(byPlies) : nothing}
    </section>`;
  }

  /** @param {number} share */
  const openingProgress = (share) => html`<section>
      <label class="note" for="lab-reading">${t('labReading')}</label>
      <progress id="lab-reading" max="1" .value=${share}></progress>
    </section>`;

  const otherResults = () => Object.keys(results).filter((other) => other !== name());

  /** @param {Solved} result */
  function comparison(result) {
    const other = otherResults().includes(compared) ? results[compared] : null;
    const curves = [result, other].flatMap((one) => one?.byPlies ?? []);
    const plies = Math.max(result.byPlies?.length ?? 0, other?.byPlies?.length ?? 0);
    return html`<section>
      ${facts(other ? [result, other] : [result])}
      ${
        other
          ? html`<div class="compared">
              ${[result, other].map((one) => html`<div><p class="note">${boardTitle(one.board)}</p>${one.byPlies?.length
                ? chart(one.byPlies, plies, Math.max(...curves)) : nothing}</div>`)}
            </div>`
          : result.byPlies?.length
            ? html`<h3>${t('labByDistance')}</h3>${chart(result.byPlies)}${numbers(result.byPlies)}`
            : nothing
      }
    </section>`;
  }

  /** The choice of a board to compare with. */
  function comparing() {
    const others = otherResults();
    return others.length
      ? html`<div class="field">
          <label for="lab-compare">${t('labCompare')}</label>
          <select id="lab-compare" @change=${onValue((value) => { compared = value; app.render(); })}>
            <option value="">${t('labNothing')}</option>
            ${others.map((one) => html`<option value=${one} .selected=${one === compared}
              >${boardTitle(results[one].board)}</option>`)}
          </select>
        </div>`
      : html`<p class="note">${t('labCompareHint')}</p>`;
  }

  /** Has games begin in the proposed position again. */
  async function restart() {
    const board = name();
    if (!(await prepare(board))) return;
    playOn(engines[board]);
    app.chooseStart(null);
    app.openStart();
  }

  async function save() {
    const board = name();
    if (!(await obtain(board))) return;
    download(await fileOf(engines[board]), `${board.replaceAll('/', '-')}.dat`);
  }

  async function showLongest() {
    const board = name();
    if (!(await prepare(board))) return;
    use(engines[board]);
    const { longest, start } = results[board];
    const isLegal = longest && engines[board].engine.checkPosition(longest).ok; // it may be what was stored
    app.openPosition(isLegal ? longest : start);
  }

  /** Verifies the table of the shown board, which may have to be opened first. */
  async function startVerification() {
    const board = name();
    if (!(await obtain(board))) return;
    try {
      await verifyTable(board, engines[board], results[board]);
      if (name() === board) app.announce(verdict(results[board], engines[board]));
    } catch (error) {
      if (name() === board) say(reason(error), kindOf(error) === 'aborted');
    }
  }

  /**
   * What the verification has found, or ''.
   * @param {Solved} result
   * @param {Opened | undefined} opened
   */
  const verdict = ({ summary, verified }, opened) =>
    opened?.fault ? t('labWrong', opened.fault) : verified ? t('labVerified', format(summary.legal)) : '';

  /** @param {Solved} result */
  function verification(result) {
    const opened = engines[name()];
    const found = verdict(result, opened);
    if (found) return html`<p class=${opened?.fault ? 'wrong' : 'note'} id="lab-verdict">${found}</p>`;
    if (opened?.verification) {
      const { done, control } = opened.verification;
      return html`<section>
        <label class="note" for="lab-verifying">${t('labVerifying')}</label>
        <progress id="lab-verifying" max="1" .value=${done}></progress>
        <div class="actions">${button('lab-verify-cancel', t('labCancel'), () => control.abort())}</div>
      </section>`;
    }
    keepEstimate(); // of solving, which takes about as long
    const { seconds = null } = estimated ?? {};
    return html`<section class="actions">
        ${button('lab-verify', t('labVerify', seconds === null ? '' : duration(seconds)), startVerification)}
      </section>
      <p class="note">${t('labNotVerified')}</p>`;
  }

  /** @param {Solved} result */
  const outcome = (result) => html`<section class="actions">
      ${button('lab-play', t('labPlay'), play, { main: true })}
      ${result.longest ? button('lab-longest', t('labShowLongest'), showLongest) : nothing}
      ${app.settings.starts[name()] ? button('lab-proposed', t('labProposed'), restart) : nothing}
      ${button('lab-save', t('labSave', size(result.bytes)), save)}
    </section>
    ${verification(result)}
    ${isTooLarge(result) ? html`<p class="note">${t('labTooLarge')}</p>` : nothing}
    ${comparison(result)}`;

  /** @param {string} value */
  async function limit(value) {
    app.set('budget', Number(value));
    await tables.trim(app.settings.budget).catch(() => {});
    refresh();
  }

  /** @param {string[]} names */
  async function forget(names) {
    await tables.remove(names).catch(() => {});
    for (const one of names) if (!engines[one]) delete results[one];
    refresh();
  }

  /** @param {Kept[]} all */
  function storage(all) {
    const used = all.reduce((sum, { bytes }) => sum + bytes, 0);
    return html`<p class="note" id="lab-used">${t('labUsed', size(used), size(app.settings.budget))}</p>
      <ul class="kept">
        ${all.map(
          ({ name: one, bytes, result }) =>
            html`<li>
              ${button(`lab-open-${one}`, `${boardTitle(result.board)} (${size(bytes)})`, () => change(result.board))}
              ${button(`lab-delete-${one}`,
                html`${t('delete')}<span class="unseen"> ${boardTitle(result.board)}</span>`, () => forget([one]))}
            </li>`,
        )}
      </ul>
      ${all.length ? button('lab-empty', t('labEmpty'), () => forget(all.map((entry) => entry.name))) : nothing}`;
  }

  const budget = () => html`<div class="field">
      <label for="lab-budget">${t('labBudget')}</label>
      <select id="lab-budget" @change=${onValue(limit)}>
        ${BUDGETS.map((bytes) => html`<option value=${bytes} .selected=${bytes === app.settings.budget}
          >${size(bytes)}</option>`)}
      </select>
    </div>`;

  const opening = () => html`<div class="field">
      <label for="lab-file">${t('labFile')}</label>
      <input
        type="file"
        id="lab-file"
        accept=".dat"
        @change=${(/** @type {Event} */ { target }) => {
          const [file] = /** @type {HTMLInputElement} */ (target).files ?? [];
          if (file) openTableOf(async () => file);
        }}
      />
    </div>
    ${
      // The policy of the single page forbids it.
      location.protocol === 'file:' || !document.querySelector('link[rel=manifest]')
        ? nothing
        : html`<form class="field" @submit=${openUrl}>
            <label for="lab-url">${t('labUrl')}</label>
            <input id="lab-url" spellcheck="false" autocapitalize="off" />
            <button id="lab-fetch">${t('open')}</button>
          </form>`
    }`;

  /** @param {Event} event */
  function openUrl(event) {
    event.preventDefault();
    /** @type {URL | undefined} */
    let url;
    try {
      url = new URL(/** @type {HTMLInputElement} */ (byId('lab-url')).value, location.href);
    } catch {
      /* not an address: older browsers have no URL.canParse() */
    }
    if (url?.origin !== location.origin) return say(t('labForeign'));
    const { href } = url;
    return openTableOf(() => fetchTable(href));
  }

  const headline = () =>
    results[name()] ? `${boardTitle(draft)}: ${outcomeText(results[name()].value, 'black')}` : boardTitle(draft);

  return {
    enter() {
      results[STANDARD] ??= resultOf(standard, (byId('neutreeko-table').textContent ?? '').length * 0.75, null);
      complete(STANDARD);
      pause().then(refresh);
      if (speed === undefined && !job)
        pause()
          .then(() => measure())
          .then(
            (measured) => {
              speed = measured;
              app.render();
            },
            () => {}, // without an estimate of the time
          );
    },
    /**
     * Shows a board. Returns false if there is none with this name.
     * @param {string} board
     */
    choose(board) {
      const found = readBoard(board);
      if (found) draft = found;
      return Boolean(found);
    },
    /**
     * Opens or solves a board. Returns null if that failed; the page then shows why.
     * @param {string} board
     */
    async open(board) {
      if (!(await obtain(board))) return null;
      const opened = engines[board];
      await opened.settled;
      return opened;
    },
    /**
     * The table of a board is damaged: it has to be opened, or the board solved, again.
     * @param {string} board
     */
    lose(board) {
      drop(board);
      if (!kept?.some((entry) => entry.name === board)) delete results[board];
    },
    board: name,
    shape: () => draft,
    /** @returns {Status} */
    status() {
      const result = results[name()];
      return {
        side: null,
        headline: boardTitle(draft),
        subline:
          job?.board === name()
            ? t('labWorking')
            : result ? outcomeText(result.value, 'black') : t('labUnsolved'),
      };
    },
    scene: () => ({
      position: results[name()]?.start ?? writePosition(new Map(), 'black', draft),
      legal: [],
      last: null,
    }),
    panel() {
      const result = results[name()];
      return html`<p class=${isCalm ? 'note' : 'wrong'} role="alert" id="lab-message" ?hidden=${!message}>${message}</p>
        ${isLooking ? html`<p class="note" role="status">${t('labLooking')}</p>` : nothing}
        ${reading === null ? nothing : openingProgress(reading)} ${job ? progress(job) : nothing}${job?.board === name()
          ? nothing : html`${form()}${result ? outcome(result) : plan()}`}
        ${kept
          ? html`<details>
              <summary>${t('labKept')}</summary>
              <div class="line">${storage(kept)}</div>
            </details>`
          : html`<p class="note" id="lab-denied">${t('labDenied')}</p>`}
        <details>
          <summary>${t('labOpen')}</summary>
          <div class="line">${opening()}</div>
        </details>
        ${disclosure('lab-advanced', t('labAdvanced'), isAdvanced, (open) => {
          isAdvanced = open;
          app.render();
        }, html`<div class="line">${result ? comparing() : nothing} ${kept ? budget() : nothing}</div>`)}`;
    },
  };
}
