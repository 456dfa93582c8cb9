// What is shown on top of a view: dialogs, a notice, the flipped board, a preview, a line that is played; what is
// heard; settings; and which views there are.

import { userSide } from './aims.js';
import { STANDARD, usualRow } from './boards.js';
import { asSentence, boardTitle, messageText, moveText } from '../format.js';
import { namesOf } from './input.js';
import { userOf } from './players.js';
import { sideAt } from './position.js';
import { t } from '../texts.js';

import type {
  Heard, Message, Reducers, Sentence, Share, ShownLine, State, TabName, UserActions, ViewName,
} from './types.js';

/** Among the sentences that are announced: those of the status. */
export const STATUS = Symbol('status');

export const SILENCE: Heard = { sentences: [], sound: null };

export const BLANK_SHARE: Share = {
  copied: '',
  failed: null,
  hasValues: false,
  isMoreShown: false,
  error: null,
  text: '',
  file: null,
  opening: null,
};

/** The state with changes of a part. */
export const update = <Part extends keyof State>(state: State, part: Part, changes: Partial<State[Part]>): State =>
  ({ ...state, [part]: Object.assign({}, state[part], changes) });

/** Whether the page warns of a move that loses at once. */
export const warns = ({ settings }: State) => settings.warnings ?? true;

/** A user who leaves the introduction has seen it. */
export const endIntroduction = (state: State) =>
  state.view === 'introduction' ? update({ ...state, view: 'play' }, 'settings', { met: true }) : state;

/** What is shown of a view until another one, or another puzzle, is. */
export const NOTHING_SHOWN = { isTurned: false, preview: null, line: null, pen: false } satisfies Partial<State>;

/** An address cannot be shown as it is written: that is said, unless the reason is. */
export const badLink = (state: State): State => ({ ...state, notice: state.notice ?? ['badLink'] });

/** Has a screen reader speak sentences. */
export const announce = (state: State, ...sentences: Sentence[]) => update(state, 'heard', { sentences });

/** Shows a message above the view. A copy, since a notice is spoken that is another value than the last one. */
export const notify = (state: State, [...notice]: Message): State => ({ ...state, notice });

/** Whether a notice is of what has been done, and of nothing that is wrong. */
export const isDone = (notice: Message | null) => notice !== null && ['studyAdded', 'studyKept'].includes(notice[0]);

const LOST: Record<NonNullable<State['unsaved']>, Message> = { full: ['storage_full'], refused: ['storage_refused'] };

/** What is above the view: a notice or, in its place, that something is not stored. */
export function noticeOf({ unsaved, view, notice }: State) {
  // Where nothing is stored at all, that matters where something is written.
  const isWritten = view === 'study' || view === 'explore' || isDone(notice);
  return unsaved === 'full' || (unsaved && isWritten) ? LOST[unsaved] : notice;
}

/** What is spoken after an action: also the notice, after all else, if it is another one than before. */
export function spokenOf(state: State, before: State | null) {
  const { heard: { sentences } } = state;
  const notice = noticeOf(state);
  return notice && notice !== (before && noticeOf(before)) ? [...sentences, messageText(notice)] : sentences;
}

export const signal = (state: State, sound: Heard['sound']) => update(state, 'heard', { sound });

/**
 * Acts if the button is pressed again that asks whether that is meant.
 * @param id of the button
 */
export const ifSure = (state: State, id: string, question: string, act: () => State) =>
  (state.confirming?.id === id ? act() : announce({ ...state, confirming: { id, question } }, question));

// ---- the views ----

interface ViewFacts {
  /** The tab that has the view; null: none has. */
  tab: TabName | null;
  /** The view takes the place of another one: neither an address nor a button leads to it. */
  isInPlace?: true;
  /** It shows the game, with undo and redo. */
  isOfGame?: true;
  /** Without the values of the board, it is not shown, or not even entered. */
  needs?: 'values to show' | 'values to enter';
  /** Its exercises are those of the standard board. */
  isOfStandard?: true;
}
/** The views, in the order in which tabs have them. */
export const VIEWS: Record<ViewName, ViewFacts> = {
  play: { tab: 'play', isOfGame: true },
  introduction: { tab: 'play', isInPlace: true },
  lessons: { tab: 'learn', needs: 'values to enter', isOfStandard: true },
  hold: { tab: 'learn', needs: 'values to enter', isOfStandard: true },
  puzzle: { tab: 'learn', needs: 'values to enter' },
  explore: { tab: 'explore', isOfGame: true, needs: 'values to show' },
  review: { tab: 'explore', isOfGame: true, needs: 'values to enter' },
  editor: { tab: 'explore', needs: 'values to show' },
  study: { tab: 'explore', needs: 'values to show' },
  board: { tab: null, isOfGame: true },
};
export const TABS: TabName[] = ['play', 'learn', 'explore'];

/** The views to which an address or, on a tab, a button can lead. */
export const ADDRESSED = namesOf(VIEWS).filter((view) => !VIEWS[view].isInPlace);

/** Whether the board of the page has a view. */
export const isOfBoard = ({ boardName }: State, view: ViewName) =>
  !VIEWS[view].isOfStandard || boardName === STANDARD;

/** Whether the game is shown. */
export const isOfGame = ({ view, game }: State) =>
  VIEWS[view].isOfGame ?? (view === 'study' && game.tie !== null);

/** Whether the view waits for the values of the board. */
export const isWaiting = ({ solving, view }: State) => solving !== null && VIEWS[view].needs !== undefined;

/** Whether White is at the bottom. */
export function isFlipped(state: State) {
  const { view, exercises } = state;
  const item = view === 'puzzle' || view === 'hold' ? exercises[view].item : null;
  const side = isOfGame(state) ? userOf(state.game) : item && userSide(item);
  return (side === 'white') !== state.isTurned;
}

/** Shows a position of a line, and has a screen reader speak the move that led to it, and the end of the game. */
function lineAt(state: State, line: ShownLine, at: number, isPlaying = false) {
  const next = { ...line, at: Math.max(0, Math.min(at, line.moves.length)), isPlaying };
  const shown = { ...state, line: next };
  if (!next.at) return shown;
  const winner = next.at === line.moves.length && line.end?.winner;
  const side = sideAt(line.positions[next.at - 1]);
  return announce(shown, t('spokenMove', t(side), moveText(line.moves[next.at - 1])),
    winner && asSentence(t('sideWon', t(winner))));
}

/** Plays a line on the board, from its beginning if that is asked for at its end. */
export function showLine(
  state: State, { name, position, moves, at = 0, isPlaying = true }: UserActions['showLine'],
) {
  const game = state.engine.newGame(position);
  const positions = [position, ...moves.map((move) => game.play(move).position)];
  const { end } = game.state();
  game.free();
  const from = isPlaying && at === moves.length ? 0 : at;
  return lineAt(state, { name, moves, positions, end, at, isPlaying }, from, isPlaying);
}

export const shownReducers = {
  open: (state, { dialog }) =>
    ({ ...state, dialog, draft: state.engine.board, share: { ...BLANK_SHARE, text: state.share.text } }),
  close: (state) => ({ ...state, dialog: null }),
  chooseBoard(state, { changes }) {
    const draft = { ...state.draft, ...changes };
    if (!('row_length' in changes)) draft.row_length = usualRow(draft.pieces, draft.win);
    return announce({ ...state, draft }, boardTitle(draft));
  },
  flip(state) {
    const next = { ...state, isTurned: !state.isTurned };
    return announce(next, t('flipped', t(isFlipped(next) ? 'white' : 'black')));
  },
  changeSetting(state, { name, value }) {
    const next = { ...state, settings: { ...state.settings, [name]: value } };
    return name === 'values' ? announce({ ...next, preview: null }, STATUS) : next;
  },
  warn: (state, { notice }) => ({ ...state, notice }),
  preview: (state, { move }) => ({ ...state, preview: move }),
  showLine,
  pauseLine: (state) => (state.line ? lineAt(state, state.line, state.line.at) : state),
  stopLine: (state) => ({ ...state, line: null }),
  lineStep(state, { request: line }) {
    const at = line.at + 1;
    return state.line === line ? lineAt(state, line, at, at < line.moves.length) : state;
  },
} satisfies Partial<Reducers>;
