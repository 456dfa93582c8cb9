// The laboratory: choose a board and a rule, have it solved on this device, look at the result, and play it. This
// file has its state and what changes it; laboratory_view.js shows it. A table is in memory until another board is
// solved or opened, and on the device only when the user saves it.

import { boardName, readBoard, startOf, STANDARD, usualRow } from './state/boards.js';
import { byId, download, pause } from './views/dom.js';
import { embedded, EngineError, openTable } from '../engine/engine.js';
import { boardTitle, outcomeText } from './views/format.js';
import { laboratoryPanel } from './laboratory_view.js';
import { writePosition } from './state/position.js';
import { isTooLarge } from './searcher.js';
import { estimate, solve, verify } from '../engine/solve.js';
import { hasText, t } from './texts.js';

/** @import { App, Board, LaboratoryState, Opened, Solved, Status } from './types.js' */

const REDRAW = 150; // milliseconds, while something makes progress
const STANDARD_BYTES = 0.75; // of each letter of the table in the page, which is in base64

/**
 * `standard` is what the page comes with; `playOn` makes the page work with another engine and shows the game on its
 * board.
 * @param {App} app
 * @param {{standard: Opened, playOn(opened: Opened): void}} page
 */
export function createLaboratory(app, { standard, playOn }) {
  /** @type {LaboratoryState} */
  const state = { draft: standard.engine.board, other: null, job: null, plan: null, message: '', isCalm: false };
  let drawn = 0; // when progress was shown last
  /** @type {Promise<Uint8Array<ArrayBuffer>> | undefined} */
  let wasm; // of the engine

  const name = () => boardName(state.draft);
  const opened = (board = name()) =>
    board === STANDARD ? standard : state.other && boardName(state.other.engine.board) === board ? state.other : null;

  /** Not in a view to which the user has gone meanwhile. @param {string} text */
  const tell = (text) => app.view === 'laboratory' && app.announce(text);

  /** @param {string} text */
  function say(text, isCalm = false) {
    Object.assign(state, { message: text, isCalm });
    app.render();
    if (text) tell(text);
  }

  /** @param {unknown} error */
  function reason(error) {
    if (!(error instanceof EngineError)) throw error;
    if (error.code === 'aborted') return t('labCancelled');
    const key = hasText(`labFailed_${error.code}`) ? error.code : 'failed';
    return t(`labFailed_${key}`, error.code === 'corrupt' ? error.message : error.code);
  }

  /**
   * Does work that takes long, in place of what is being done. Resolves to null if it fails, is cancelled or replaced.
   * @template Result
   * @param {string | null} board that is solved; null while a file is verified
   * @param {(job: NonNullable<LaboratoryState['job']>) => Promise<Result>} task
   */
  async function work(board, task) {
    state.job?.control.abort();
    /** @type {NonNullable<LaboratoryState['job']>} */
    const job = { board, control: new AbortController(), progress: null };
    Object.assign(state, { job, message: '' });
    app.render();
    try {
      return await task(job);
    } catch (error) {
      if (state.job === job) say(reason(error), error instanceof EngineError && error.code === 'aborted');
      return null;
    } finally {
      if (state.job === job) state.job = null;
      app.render();
    }
  }

  /** @param {NonNullable<LaboratoryState['job']>} job */
  const watching = (job) => ({
    signal: job.control.signal,
    onProgress(/** @type {any} */ progress) {
      job.progress = progress;
      if (state.job !== job || app.view !== 'laboratory' || performance.now() - drawn < REDRAW) return;
      drawn = performance.now();
      app.render();
    },
  });

  /**
   * Opens a table, which is right, in place of the one that was opened last. `byPlies` is known of a board that has
   * been solved.
   * @param {Blob} file
   * @param {number[] | null} byPlies
   */
  async function open(file, byPlies) {
    const engine = await openTable(await (wasm ??= embedded(document, 'neutreeko-wasm')), file);
    // To find the proposal in a large table takes longer than all else.
    const proposal = engine.start ?? (isTooLarge(engine) ? engine.firstStart() : engine.startProposal());
    engine.finish().catch(() => {}); // values are looked up before, too
    state.other = resultOf({ engine, source: { file }, start: startOf(engine, proposal) }, file.size, byPlies);
    return state.other;
  }

  /**
   * Adds what the page shows of the board.
   * @param {Omit<Opened, 'result'>} table
   * @param {number} bytes
   * @param {number[] | null} byPlies
   * @returns {Opened}
   */
  function resultOf(table, bytes, byPlies) {
    const { engine, start } = table;
    const moves = engine.moves(start);
    /** @type {Solved} */
    const result = {
      board: engine.board,
      bytes,
      summary: engine.summary,
      value: engine.value(start),
      kept: moves.filter(({ value }) => value.result === moves[0].value.result).length,
      first: moves.length,
      byPlies,
    };
    return { ...table, result };
  }

  /**
   * Makes the engine of a board available, solving it if necessary. Resolves to null if that failed; the page shows
   * how it goes.
   * @param {string} board
   */
  const obtain = async (board) =>
    opened(board) ??
    work(board, async (job) => {
      const table = await solve(/** @type {Board} */ (readBoard(board)), watching(job));
      const byPlies = job.progress && typeof job.progress === 'object' ? job.progress.by_plies : null;
      return open(new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (table)]), byPlies);
    });

  /**
   * Opens the table of a file once it has been verified.
   * @param {File} file
   */
  const openFile = (file) =>
    work(null, async (job) => {
      await verify(file, watching(job));
      const { engine } = await open(file, null);
      state.draft = engine.board;
      app.update({ replace: true });
      tell(headline());
    });

  async function start() {
    if (await obtain(name())) tell(headline());
  }

  /** @param {Partial<Board>} changes */
  function change(changes) {
    state.draft = { ...state.draft, ...changes };
    if (!('row_length' in changes)) state.draft.row_length = usualRow(state.draft.pieces, state.draft.win);
    state.message = '';
    app.update({ replace: true });
    tell(headline());
  }

  /** Plays the board, from the proposed position or the one that the user has chosen. */
  async function play({ fromProposed = false } = {}) {
    await pause(); // a click and what the browser draws after it may be one task
    const found = opened();
    if (!found || app.view !== 'laboratory') return;
    playOn(found);
    if (fromProposed) app.chooseStart(null);
    app.openStart();
  }

  async function save() {
    const file = opened()?.source?.file ?? new Blob([await embedded(document, 'neutreeko-table', false)]);
    download(file, `${name().replaceAll('/', '-')}.dat`);
  }

  // Of the memory, which the browser rounds down, half is for this.
  const { deviceMemory } = /** @type {{deviceMemory?: number}} */ (navigator);

  /** Finds out what solving the shown board takes, unless that is known, and shows it then. */
  function plan() {
    const board = name();
    if (state.plan?.board === board) return;
    const asked = (state.plan = { board, estimate: null });
    estimate(state.draft, { memory: deviceMemory && deviceMemory * 2 ** 29 }).then((found) => {
      if (state.plan !== asked) return; // another board is shown by now
      state.plan = { board, estimate: found };
      app.render();
    }, (error) => say(reason(error)));
  }

  const headline = () => {
    const result = opened()?.result;
    return result ? `${boardTitle(state.draft)}: ${outcomeText(result.value, 'black')}` : boardTitle(state.draft);
  };

  return {
    enter() {
      standard.result ??= resultOf(
        standard,
        (byId('neutreeko-table').textContent ?? '').length * STANDARD_BYTES,
        null,
      ).result;
    },
    /**
     * Shows a board. Returns false if there is none with this name.
     * @param {string} board
     */
    choose(board) {
      const found = readBoard(board);
      if (found) state.draft = found;
      return Boolean(found);
    },
    open: obtain,
    board: name,
    shape: () => state.draft,
    /** @returns {Status} */
    status() {
      const result = opened()?.result;
      const isSolving = state.job?.board === name();
      const subline = isSolving ? t('labWorking') : result ? outcomeText(result.value, 'black') : t('labUnsolved');
      return { side: null, headline: boardTitle(state.draft), subline };
    },
    scene: () => ({
      position: opened()?.start ?? writePosition(new Map(), 'black', state.draft),
      legal: [],
      last: null,
    }),
    panel() {
      const result = opened()?.result ?? null;
      if (!result) plan();
      const hasOwnStart = Boolean(app.settings.starts[name()]);
      return laboratoryPanel(state, result, { change, start, play, save, openFile, hasOwnStart });
    },
  };
}
