// The laboratory: choose a board and a rule, have it solved on this device, look at the result, and play it. A table is
// in memory until another board is solved or opened, and on the device only when the user saves it.

import { EngineError } from '../../engine/page.js';
import { boardName, readBoard, STANDARD, usualRow } from './boards.js';
import { boardTitle, messageText, outcomeText } from '../format.js';
import { announce, update } from './shown.js';
import { hasText } from '../texts.js';

/** @import { Board, Laboratory, LaboratoryJob, Message, Opened, Reducers, State } from './types.js' */

/** @type {Omit<Laboratory, 'draft'>} */
export const NO_LABORATORY = {
  other: null,
  job: null,
  progress: null,
  plan: null,
  message: null,
  isCalm: false,
  waiting: null,
};

/** The name of the board that is chosen. @param {State} state */
export const chosenName = ({ laboratory }) => boardName(laboratory.draft);

/**
 * What has been opened of a board, or null.
 * @param {State} state
 * @param {string} name of the board
 * @returns {Opened | null}
 */
export function openedBoard({ standard, laboratory: { other } }, name) {
  if (name === STANDARD) return standard;
  return other && boardName(other.engine.board) === name ? other : null;
}

/** What has been opened of the chosen board. @param {State} state */
export const openedChoice = (state) => openedBoard(state, chosenName(state));

/** @param {State} state */
function chosenHeadline(state) {
  const opened = openedChoice(state);
  const title = boardTitle(state.laboratory.draft);
  return opened ? `${title}: ${outcomeText(opened.engine.value(opened.start), 'black')}` : title;
}

/** Nothing is heard in a view to which the user has gone meanwhile. @param {State} state @param {string} text */
const announceResult = (state, text) => (state.view === 'laboratory' ? announce(state, text) : state);

/** @param {unknown} error @returns {Message} */
function reasonOf(error) {
  if (!(error instanceof EngineError)) return ['labFailed_failed', /** @type {Error} */ (error).name];
  if (error.code === 'aborted') return ['labCancelled'];
  const key = hasText(`labFailed_${error.code}`) ? error.code : 'failed';
  return [`labFailed_${key}`, error.code === 'corrupt' ? error.message : error.code];
}

/** @param {State} state @param {Message} message */
const report = (state, message, isCalm = false) =>
  announceResult(update(state, 'laboratory', { message, isCalm }), messageText(message));

/**
 * Begins work that takes long, in place of what is being done.
 * @param {State} state
 * @param {LaboratoryJob} job
 */
const begin = (state, job) => update(state, 'laboratory', { job, progress: null, message: null, waiting: null });

/**
 * Shows a board; null if there is none with this name.
 * @param {State} state
 * @param {string} name
 */
export function chooseBoard(state, name) {
  const draft = readBoard(name);
  return draft && update(state, 'laboratory', { draft });
}

/** Has the chosen board solved, unless that has been done. @param {State} state */
export const solve = (state) =>
  openedChoice(state) ? announceResult(state, chosenHeadline(state)) : begin(state, { board: chosenName(state) });

/**
 * A table has been opened, in place of the one that was opened last.
 * @param {State} state
 * @param {Opened} opened
 */
export function finishJob(state, opened) {
  const { job, draft } = state.laboratory;
  const next = update(state, 'laboratory', {
    other: opened, job: null, progress: null, draft: job?.file ? opened.engine.board : draft,
  });
  return announceResult(next, chosenHeadline(next));
}

/** @satisfies {Partial<Reducers>} */
export const laboratoryReducers = {
  chooseBoard(state, { changes }) {
    /** @type {Board} */
    const draft = { ...state.laboratory.draft, ...changes };
    if (!('row_length' in changes)) draft.row_length = usualRow(draft.pieces, draft.win);
    const next = update(state, 'laboratory', { draft, message: null });
    return announceResult(next, chosenHeadline(next));
  },
  solve,
  openTable: (state, { file }) => begin(state, { board: null, file }),
  cancelJob: (state) =>
    report(update(state, 'laboratory', { job: null, waiting: null }), ['labCancelled'], true),
  jobProgress: (state, { request, progress }) =>
    state.laboratory.job === request ? update(state, 'laboratory', { progress }) : state,
  jobFailed(state, { request, error }) {
    if (state.laboratory.job !== request) return state;
    return report(update(state, 'laboratory', { job: null, waiting: null }), reasonOf(error));
  },
  estimated: (state, { request, estimate }) =>
    chosenName(state) === request ? update(state, 'laboratory', { plan: { board: request, estimate } }) : state,
  estimateFailed: (state, { request, error }) =>
    (chosenName(state) === request ? report(state, reasonOf(error)) : state),
};
