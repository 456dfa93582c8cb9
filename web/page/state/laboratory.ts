// The laboratory: choose a board and a rule, have it solved on this device, look at the result, and play it. A table is
// in memory until another board is solved or opened, and on the device only when the user saves it.

import { EngineError } from '../../engine/page.js';
import { boardName, readBoard, STANDARD, usualRow } from './boards.js';
import { boardTitle, messageText, outcomeText } from '../format.js';
import { announce, update } from './shown.js';
import { hasText } from '../texts.js';

import type { Board, Laboratory, LaboratoryJob, Message, Opened, Reducers, State } from './types.js';

export const NO_LABORATORY: Omit<Laboratory, 'draft'> = {
  other: null,
  job: null,
  progress: null,
  plan: null,
  message: null,
  isCalm: false,
  waiting: null,
};

/** The name of the board that is chosen. */
export const chosenName = ({ laboratory }: State) => boardName(laboratory.draft);

/**
 * What has been opened of a board, or null.
 * @param name of the board
 */
export function openedBoard({ standard, laboratory: { other } }: State, name: string): Opened | null {
  if (name === STANDARD) return standard;
  return other && boardName(other.engine.board) === name ? other : null;
}

/** What has been opened of the chosen board. */
export const openedChoice = (state: State) => openedBoard(state, chosenName(state));

function chosenHeadline(state: State) {
  const opened = openedChoice(state);
  const title = boardTitle(state.laboratory.draft);
  return opened ? `${title}: ${outcomeText(opened.engine.value(opened.start), 'black')}` : title;
}

/** Nothing is heard in a view to which the user has gone meanwhile. */
const announceResult = (state: State, text: string) => (state.view === 'laboratory' ? announce(state, text) : state);

function reasonOf(error: unknown): Message {
  if (!(error instanceof EngineError)) return ['labFailed_failed', (error as Error).name];
  if (error.code === 'aborted') return ['labCancelled'];
  const key = hasText(`labFailed_${error.code}`) ? error.code : 'failed';
  return [`labFailed_${key}`, error.code === 'corrupt' ? error.message : error.code];
}

const report = (state: State, message: Message, isCalm = false) =>
  announceResult(update(state, 'laboratory', { message, isCalm }), messageText(message));

/** Begins work that takes long, in place of what is being done. */
const begin = (state: State, job: LaboratoryJob) =>
  update(state, 'laboratory', { job, progress: null, message: null, waiting: null });

/** Shows a board; null if there is none with this name. */
export function chooseBoard(state: State, name: string) {
  const draft = readBoard(name);
  return draft && update(state, 'laboratory', { draft });
}

/** Has the chosen board solved, unless that has been done. */
export const solve = (state: State) =>
  openedChoice(state) ? announceResult(state, chosenHeadline(state)) : begin(state, { board: chosenName(state) });

/** A table has been opened, in place of the one that was opened last. */
export function finishJob(state: State, opened: Opened) {
  const { job, draft } = state.laboratory;
  const next = update(state, 'laboratory', {
    other: opened, job: null, progress: null, draft: job?.file ? opened.engine.board : draft,
  });
  return announceResult(next, chosenHeadline(next));
}

export const laboratoryReducers = {
  chooseBoard(state, { changes }) {
    const draft: Board = { ...state.laboratory.draft, ...changes };
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
} satisfies Partial<Reducers>;
