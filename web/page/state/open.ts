// What is opened: boards, addresses, texts, views.

import { linkIn, readAddress, writeAddress } from './address.js';
import { boardName, readBoard, STANDARD, startOf, usualRow } from './boards.js';
import { enterEditor, loadEditor, NO_EDITOR, typePosition } from './editor.js';
import { EngineError } from '../../engine/page.js';
import { isMeantAsPosition, positionFault, recordFault } from './errors.js';
import { boardTitle, solvingText } from '../format.js';
import {
  finish, leaveGame, openStored, openTree, ownGame, refresh, shownState, UNOPENED, withoutRecent, withoutWaiting,
} from './game.js';
import { enterHold, enterLesson, introduce, moveInList, nextExercise, NO_EXERCISES, practise } from './lists.js';
import { openNewGame } from './new_game.js';
import { openFriend, openGame, otherGame, withGame } from './open_game.js';
import { isAgainstEngine } from './players.js';
import { enterPuzzle, puzzleAt } from './puzzle.js';
import {
  fitsLink, isCut, isMeantAsRecord, legalIn, recordsIn, treeOfRecord, withoutLinks, withParagraphs,
} from './record.js';
import { enterReview } from './review.js';
import {
  announce, badLink, BLANK_SHARE, endIntroduction, isWaiting, NOTHING_SHOWN, notify, OF_GAME, STATUS, update, VIEWS,
  withSetting,
} from './shown.js';
import { asTitle, MOST_POSITIONS } from './storage.js';
import { entryOf, NO_STUDY, restoreStudy, select, shownStudy, withoutEntry } from './study.js';
import { readStudy } from './study_text.js';
import { hasText, t } from '../texts.js';
import { asComment, MOST_COMMENT, MOST_MOVES, Tree } from './tree.js';

import type {
  Address, HistoryEntry, Message, Reducers, Sentence, State, StoredGame, Study, ViewName,
} from './types.js';

// ---- boards ----

const NOTHING_DONE = { exercises: NO_EXERCISES, editor: NO_EDITOR, study: NO_STUDY };

/** Goes to an address on another board, which the page loads. `notice` is the name of a text to show there. */
const leave = (state: State, hash: string, notice: string | null = null): State =>
  ({ ...state, leaving: { hash, notice } });

function chooseStart(state: State, position: string | null) {
  const { [state.boardName]: _, ...others } = state.settings.starts;
  const starts = position ? { ...others, [state.boardName]: position } : others;
  const next = withSetting(state, 'starts', starts);
  return { ...next, start: startOf(state.engine, next.settings) };
}

/** Why the board cannot be solved, as the name of a text. */
function reasonOf(error: unknown) {
  if (!(error instanceof EngineError)) return 'labFailed_failed';
  return hasText(`labFailed_${error.code}`) ? `labFailed_${error.code}` : 'labFailed_failed';
}

/** Uses the values of the board, and enters the view that has waited for them. */
function useValues(state: State, engine: State['engine'], byPlies: number[]) {
  const { view, solving, game: { tree, players, isForeign, isStarted } } = state;
  const start = startOf(engine, state.settings);
  // The engine may propose another start now: a game that has not begun begins there.
  const isBlank = tree.start === state.start && !(tree.root.chosen ?? tree.root.note ?? isStarted);
  const ready = { ...state, engine, byPlies, start, solving: null };
  const next = isBlank && start !== state.start ? openTree(ready, new Tree(start), { view, players, isForeign })
    : update(ready, 'game', { gameState: shownState(ready, tree) }); // all else is as the user has left it
  if (solving?.move) return moveInList(next, solving.move);
  return WAITING.includes(view) ? enterView(next, solving?.target) : next;
}

/** Speaks of the solving where that is waited for: elsewhere, something else may just have been announced. */
const announceSolving = (state: State, sentence: Sentence) =>
  (isWaiting(state) || state.dialog === 'laboratory' ? announce(state, sentence) : state);

// ---- addresses ----

/** Opens an address on another board. A board that does not exist: the page begins again. */
function goElsewhere(state: State, hash: string, name: string): State {
  if (readBoard(name)) return leave(state, hash.replace(/^#/, ''));
  if (state.boardName !== STANDARD) return leave(state, '', 'badLink');
  const blank = { ...state, ...NOTHING_DONE, game: UNOPENED };
  return { ...openAddress(blank, ''), notice: ['badLink'] };
}

/** Another view, without what was shown of the one before. */
const toView = (state: State, view: ViewName): State =>
  ({ ...update(state, 'notes', { pen: false }), view, ...NOTHING_SHOWN });

/** Views that cannot be entered without values. */
const WAITING: ViewName[] = ['review', 'puzzle', 'lessons', 'hold'];

/** Enters the view that is shown, with what an address says, if one has led there; when the values are there. */
function enterView(state: State, target: Address | null = null): State {
  if (state.solving && WAITING.includes(state.view)) return update(state, 'solving', { target });
  return enter[state.view]?.(state, target) ?? state;
}

/**
 * Shows the view and the position or game of an address, or the introduction in its place. What needs values is entered
 * when these are there.
 */
export function openAddress(state: State, hash: string, isIntroduced = true): State {
  const target = readAddress(hash);
  const ready = { ...withoutWaiting(state), line: null, dialog: null, preview: null, notice: null, typing: null };
  if (target.board !== state.boardName) return goElsewhere(ready, hash, target.board);
  // The lessons are those of the standard board.
  const isLesson = ['lessons', 'hold'].includes(target.view);
  const known = VIEWS.find((name) => name === target.view && (!isLesson || state.boardName === STANDARD));
  const isOfBoard = target.view === 'laboratory'; // which was a view
  const view = known ?? 'play';
  const isFriend = target.friend && view === 'play';
  const before = view === state.view ? ready : toView(ready, view);
  const opened = isFriend ? openFriend(before, target)
    : OF_GAME.includes(view) ? openGame(before, target, view) : withGame(before);
  const isValid = (known !== undefined || isOfBoard) && (target.valid || isFriend);
  const shown: State = { ...(isValid ? opened : badLink(opened)), view, dialog: isOfBoard ? 'laboratory' : null };
  const entered = enterView(shown, target);
  return isIntroduced ? entered : introduce(entered);
}

/** Shows what an address does not have: see the entry of the history. */
function restore(state: State, entry: HistoryEntry): State {
  const { view, share } = state;
  const { notation, text, notice } = entry;
  const typed = view === 'editor' && notation !== null ? typePosition(state, notation) : state;
  const shown = restoreStudy(update(typed, 'share', { text: share.text || text }), entry);
  return notice && hasText(notice) ? { ...shown, notice: [notice] } : shown;
}

// ---- texts ----

/** What a record says that its moves contradict, or what was skipped in it, in the words of the page. */
function warningOf({ warning }: { warning: string | null }): Message | null {
  if (!warning) return null;
  if (/third occurrence/.test(warning)) return ['warnRepetition'];
  if (/the result differs/.test(warning)) return ['warnResults'];
  if (/the result \S+ is ignored/.test(warning)) return ['warnResult'];
  return ['warnSkipped', Number(/\d+/.exec(warning)?.[0])];
}

/** Reads a record. An error is where it is in the text, to which paragraphs add characters. */
function readRecord(engine: State['engine'], text: string) {
  try {
    return engine.readRecord(withParagraphs(text));
  } catch {
    return engine.readRecord(text);
  }
}

/** Opens the record of a game. Returns a message if that is impossible. */
function openRecord(state: State, text: string): State | Message {
  const { engine } = state;
  let record: ReturnType<typeof readRecord>;
  try {
    record = readRecord(engine, text);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return ['openFailed', recordFault(engine, text, error)];
  }
  if (record.tree.length > MOST_MOVES) return ['tooManyMoves', MOST_MOVES];
  const tree = legalIn(engine, treeOfRecord(record, engine.board));
  if (!fitsLink(tree)) return ['commentsFull'];
  const isAnnotated = tree.inTextOrder().some(({ note, children }) => note || children.length > 1);
  const opened = openTree(state, tree, { view: isAnnotated ? 'explore' : 'review', isForeign: true });
  const notice: Message | null = record.tree.some(isCut) ? ['commentsCut', MOST_COMMENT] : warningOf(record);
  return { ...opened, notice };
}

/** Explores a position. */
const explore = (state: State, position: string) =>
  openTree(state, new Tree(position), { view: 'explore', isForeign: true });

function isRecord({ engine }: State, text: string) {
  try {
    engine.readRecord(text);
    return true;
  } catch {
    return false;
  }
}

/** Opens a link, a position or a game. Returns a message for any other text. Not a study: see openInput(). */
function openText(state: State, given: string): State | Message {
  const text = isMeantAsRecord(given) ? withoutLinks(given) : given;
  const link = linkIn(text);
  const hash = link && isRecord(state, text) ? '' : link; // a record may have a link in its comments
  const target = hash ? readAddress(hash) : null;
  if (target && !target.empty) return openAddress(state, hash);
  const check = state.engine.checkPosition(text);
  if (check.ok) return explore(state, check.position);
  if (!text || hash) return ['openFailed'];
  if (/^https?:/i.test(text)) return ['openFailed', ['unread_address']];
  if (!isMeantAsPosition(text, check.error)) return openRecord(state, text);
  return ['openFailed', positionFault(text, check.error, state.engine.board.pieces)];
}

// ---- views ----

const NO_TARGET = { at: null, start: null };

/** What going to a view does; with a target, an address leads there. */
const enter: Partial<Record<ViewName, (state: State, target: Address | null) => State>> = {
  play(state, target) {
    if (target) return state; // whose game is shown
    if (state.game.entry) return ownGame(state);
    if (!isAgainstEngine(state.game)) return state;
    // What was tried elsewhere is a variation; a friend may have ended the game.
    return finish(refresh(state, { tree: state.game.tree.gotoEnd() }));
  },
  review: (state, target) => (target && target.at !== null ? state : enterReview(state)),
  puzzle(state, target) {
    const { start } = target ?? NO_TARGET;
    if (start === null || start === state.exercises.puzzle.item?.position) return enterPuzzle(state);
    return puzzleAt(state, start) ?? badLink(enterPuzzle(state));
  },
  lessons: (state, target) => enterLesson(state, target ?? NO_TARGET),
  hold: enterHold,
  editor(state, target) {
    const { start } = target ?? NO_TARGET;
    const entered = enterEditor(state);
    try {
      return start === null ? entered : loadEditor(entered, start);
    } catch {
      return badLink(entered);
    }
  },
  study(state, target) {
    if (!target) return select(state, state.study.at);
    const { packed } = state.study;
    const { study: link } = target;
    if (link && link === packed.text && packed.study === shownStudy(state)) return state;
    const reading = link ? { link } : null;
    const study = { ...NO_STUDY, reading, packed: { study: null, text: link } };
    return select(withoutEntry({ ...state, study }), 0);
  },
};

export function show(state: State, view: ViewName, theme = '') {
  if (view === state.view) return { ...state, dialog: null };
  const left = update(endIntroduction(withoutWaiting(state)), 'study', { reading: null });
  const ready = { ...toView(left, view), dialog: null };
  return announce(theme ? practise(ready, theme) : enterView(ready), STATUS);
}

/** The study that has a position for each of several games in a text; null for all other texts. */
function studyOfGames(state: State, text: string): Study | null {
  const { engine } = state;
  const texts = recordsIn(text);
  if (texts.length < 2 || texts.length > MOST_POSITIONS) return null;
  try {
    const records = texts.map((one) => readRecord(engine, one));
    const events = records.map(({ headers: { event = '' } }) => event);
    // Other programs name a chapter "Study: Chapter".
    const [first] = events[0].split(': ');
    const title = events.every((event) => `${event}: `.startsWith(`${first}: `)) ? first : '';
    const positions = records.map((record, n) => {
      const { result = '*' } = record.headers;
      const tree = legalIn(engine, treeOfRecord(record, engine.board));
      const { marks = [], comment = '' } = tree.root.note ?? {};
      const event = events[n].slice(title.length).replace(/^: /, '');
      const lines = [event, result !== '*' && `(${result})`, comment].filter(Boolean);
      const named = tree.annotated(tree.root, { marks, comment: asComment(lines.join('\n')) });
      return entryOf(named.goto(named.root), n + 1);
    });
    return { board: state.boardName, title: asTitle(title), positions, exercise: false };
  } catch {
    return null;
  }
}

const MOST_BYTES = 1e6; // of a file with a game or a study

/** Opens what is in the dialog for sharing, or shows there why not. */
function openInput(state: State, text: string) {
  const study = text.startsWith('{') ? readStudy(text) : studyOfGames(state, text);
  // Not a record that begins with a comment: a study that was cut off.
  if (study || (/^\{\s*["}]/.test(text) && !isRecord(state, text)))
    return update(state, 'share', { text, error: study ? null : ['studyDamaged'], opening: study && { study } });
  const opened = openText({ ...state, dialog: null }, text);
  return Array.isArray(opened) ? update(state, 'share', { text, error: opened })
    : announce({ ...opened, share: BLANK_SHARE }, STATUS);
}

export const openReducers = {
  openAddress: (state, { hash, entry, isIntroduced }) => {
    const opened = openAddress(state, hash, isIntroduced);
    return entry ? restore(opened, entry) : opened;
  },
  openText: (state, { text }) => openInput(state, text),
  openFile: (state, { file }) =>
    update(state, 'share', file.size > MOST_BYTES ? { file: null, error: ['fileTooLarge'] } : { file, error: null }),
  fileRead(state, { request, text }) {
    if (state.dialog !== 'share' || state.share.file !== request) return state;
    const read = update(state, 'share', { file: null });
    return text === null ? update(read, 'share', { error: ['fileUnreadable'] }) : openInput(read, text.trim());
  },
  studyLinked: (state, { request, hash }) =>
    (request && state.dialog === 'share' && state.share.opening === request
      ? openAddress({ ...state, share: BLANK_SHARE }, hash) : state),
  changePicture: (state, { changes }) => update(state, 'share', changes),
  copied: (state, { what }) => announce(update(state, 'share', { copied: what }), t('copied')),
  copyFailed(state) {
    const failed = update(state, 'share', { copied: 'nothing' });
    if (state.dialog === 'share') return failed; // which shows it
    return state.dialog ? announce(failed, t('copyFailed')) : notify(failed, ['copyFailed']);
  },
  show(state, { view, theme, from }) {
    const shown = show(state, view, theme);
    return from ? nextExercise(shown, from) ?? shown : shown;
  },
  explore: (state, { position }) => announce(explore(state, position), STATUS),
  resumeGame(state) {
    const stored = otherGame(state);
    const opened = stored ? openStored(state, stored, 'play') : state;
    const { tree } = opened.game; // it may have been left at a move that was reviewed
    const resumed = refresh(opened, { tree: isAgainstEngine(opened.game) ? tree.gotoEnd() : tree });
    return announce(resumed, STATUS);
  },
  resumeRecent(state, { game }) {
    const opened = openStored(withoutRecent(leaveGame(state), game), game, 'play');
    return announce(refresh(opened, { tree: opened.game.tree.gotoEnd() }), STATUS);
  },
  reviewGame(state, { game }) {
    const stored: StoredGame = { ...game, at: null, last: -1, notes: '', counted: true, helped: false };
    return announce(enterReview(openStored(state, stored, 'review', true)), STATUS);
  },
  chooseBoard(state, { changes }) {
    const draft = { ...state.draft, ...changes };
    if (!('row_length' in changes)) draft.row_length = usualRow(draft.pieces, draft.win);
    return announce({ ...state, draft }, boardTitle(draft));
  },
  openChosen: (state) => leave(state, writeAddress({ board: boardName(state.draft), view: 'play' })),
  standardGame: (state) => (state.boardName === STANDARD ? state : leave(state, '')),
  chooseStart: (state, { position }) => openNewGame(chooseStart(state, position)),
  solvingIsSlow: (state, { request }) =>
    (state.solving && state.boardName === request
      ? announceSolving(update(state, 'solving', { isSlow: true }), solvingText(state.solving.progress)) : state),
  solvingProgress(state, { request, progress, isSpoken }) {
    if (!state.solving || state.boardName !== request) return state;
    const next = update(state, 'solving', { progress });
    return isSpoken ? announceSolving(next, solvingText(progress)) : next;
  },
  solved(state, { request, engine, byPlies }) {
    if (!state.solving || state.boardName !== request) return state;
    return useValues(state.solving.isSlow ? announceSolving(state, STATUS) : state, engine, byPlies);
  },
  unsolved: (state, { request, error }) =>
    (state.solving && state.boardName === request ? leave(state, '', reasonOf(error)) : state),
  nextExercise: (state, { from }) => nextExercise(state, from) ?? show(state, 'puzzle'),
} satisfies Partial<Reducers>;
