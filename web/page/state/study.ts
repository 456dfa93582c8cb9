// A study: positions with comments, drawings and variations, which a teacher hands out as a link, a file or on paper.
// The link has the text of the file, compressed. Each board has studies of its own on this device, whose names are
// their titles; one from a link or a file is shown in their place, and becomes one of them when the user keeps it.
//
// A study is a board: the game that is shown is that of the position that is selected. What is played, drawn or deleted
// there, also in Explore, is a change of an own study.
//
// Four members of the state name what is shown: `settings.studies` the own study that is chosen, by board;
// `study.opened` the one in its place; `study.id` the position that is selected, by its identity; and `game.tie` the
// position that the game is of, by its study and its identity.

import { MOST_MISSES } from './aims.js';
import { ask, changeExercise, isAnswerShown, NO_EXERCISE } from './exercise.js';
import { openOwnGame, openTree, stateAt, withRecent, withTree } from './game.js';
import { readMoves } from './position.js';
import { treeOf } from './record.js';
import { announce, isOfGame, notify, STATUS, update } from './shown.js';
import { MOST_ANSWERS } from './storage.js';
import { asText, asTitle, BLANK_STUDY, checksum, MOST_LENGTH, MOST_POSITIONS, MOST_TITLE } from './study_text.js';
import { t } from '../texts.js';
import { asComment, isTooLong, MOST_COMMENT, Tree } from './tree.js';

import type { ExerciseList } from './exercise.js';
import type {
  Address, Field, HistoryEntry, Message, Reducers, Removed, State, Study, StudyAnswers, StudyPosition, StudyShown,
} from './types.js';

const NO_ANSWERS: StudyAnswers = { at: 0, solved: {}, hinted: [], misses: {} };
export const NO_STUDY: StudyShown = { id: null, opened: null, reading: null, packed: { study: null, text: '' } };

// ---- numbers: what was removed keeps its own, since its fields may still be open in another window ----

const removedOf = ({ recent }: State) => recent.flatMap((one) => ('removed' in one ? [one.removed] : []));

/** The number of another own study. */
function newNumber(state: State) {
  const numbers = [...Object.keys(state.ownStudies), ...removedOf(state).map(({ own }) => own)];
  return String(1 + Math.max(0, ...numbers.map(Number)));
}

/** The identity of another position of an own study. */
function newId(state: State, number: string) {
  const removed = removedOf(state).flatMap(({ own, study }) => (own === number ? study.positions : []));
  const positions = [...state.ownStudies[number]?.positions ?? [], ...removed];
  return 1 + Math.max(0, ...positions.map(({ id }) => id));
}

// ---- what can be asked ----

/** The number of the own study, or of the first one: another window may have deleted the one that was shown. */
export function ownNumber(state: State) {
  const { settings, boardName, ownStudies } = state;
  const own = settings.studies[boardName];
  return ownStudies[own] ? own : Object.keys(ownStudies)[0] ?? newNumber(state);
}

/** A position of an own study, by its identity. */
export const ownPosition = ({ ownStudies }: State, own: string, id: number | null) =>
  ownStudies[own]?.positions.find((one) => one.id === id);

/** The own study, which may have no positions. */
export const ownStudy = (state: State) => state.ownStudies[ownNumber(state)] ?? BLANK_STUDY;

/** The study that is shown: nothing while one is being read. */
export const shownStudy = (state: State) => (state.study.reading ? BLANK_STUDY : state.study.opened ?? ownStudy(state));

type Rules = Pick<State, 'engine' | 'settings'>;

/** What is known about a position of a study. */
export type Known = { tree: Tree; position: string };
/** What knownOf() has found, by position; null: it is invalid. */
const known: WeakMap<StudyPosition, Known | null> = new WeakMap();

/** What is known about a position; null if it is invalid. */
export function knownOf(state: Rules, one: StudyPosition): Known | null {
  const before = known.get(one);
  if (before !== undefined) return before;
  const { tree, valid } = treeOf(state, { ...one, end: '' });
  const found = valid ? { tree, position: stateAt(state.engine, tree.start, tree.moves()).position } : null;
  known.set(one, found);
  return found;
}

/** What a position of an own study was, if it was removed. */
const removalOf = (state: State, own: string, id: number | null) =>
  removedOf(state).find((one) => one.own === own && one.at !== null && one.study.positions[one.at]?.id === id);

/** The place of a position in the study that is shown: the one that it had if it was removed, or the first one. */
function placeOf(state: State, id: number | null) {
  const { positions } = shownStudy(state);
  const at = positions.findIndex((one) => one.id === id);
  if (at >= 0) return at;
  const removed = state.study.opened ? undefined : removalOf(state, ownNumber(state), id);
  return Math.max(0, Math.min(removed?.at ?? 0, positions.length - 1));
}

/** The place of the position that is selected. */
export const selectedPlace = (state: State) => placeOf(state, state.study.id);

/** The position that is selected. */
export const selectedPosition = (state: State) => shownStudy(state).positions[selectedPlace(state)];

/** What is known about it. */
export function selectedKnown(state: State) {
  const one = selectedPosition(state);
  return one ? knownOf(state, one) : null;
}

/** Whether the best move of the position is looked for. */
export const isStudyExercise = ({ study }: State) => study.opened?.exercise ?? false;

/** By study, what the answers to its questions are stored under. */
const answersKeys: WeakMap<Study, string> = new WeakMap();

function answersKey({ boardName }: State, study: Study) {
  const key = answersKeys.get(study) ?? `s${checksum(asText(study, boardName))}`;
  answersKeys.set(study, key);
  return key;
}

/** What has been done in the study that is shown, if it is an exercise. */
export function answersOf(state: State) {
  const { opened } = state.study;
  return (opened?.exercise && state.answers[answersKey(state, opened)]) || NO_ANSWERS;
}

/** Whether it is still to be found. */
export const isUnsolved = (state: State) => isStudyExercise(state) && state.exercises.study.progress !== 'solved';

/** Whether values may be looked at: who looks for the move of an exercise is not led to them. */
export const isAnswered = (state: State) => state.view !== 'study' || !isUnsolved(state);

/** A study in which positions that are invalid are unread. */
function validStudy(state: Rules, { unread = [], ...study }: Study): Study {
  const positions = study.positions.filter((one) => knownOf(state, one));
  const kept = [...unread, ...study.positions.filter((one) => !positions.includes(one))];
  return { ...study, positions, ...(kept.length && { unread: kept }) };
}

export const validStudies = (state: Rules, studies: State['ownStudies']) =>
  Object.fromEntries(Object.entries(studies).map(([own, study]) => [own, validStudy(state, study)]));

/** The position of a tree as a study has it. */
export function studyPositionOf(tree: Tree, id: number): StudyPosition {
  const { moves, at, notes } = tree.write();
  return { id, start: tree.start, moves, at, notes, names: tree.names };
}

// ---- what is on the board ----

/**
 * The own game, in place of that of a position: Play has no other one, and before a move is found, Explore must not
 * show what follows.
 */
export const leaveTied = (state: State) => (state.game.tie ? openOwnGame(state) : state);

/** The game remains on the board, but is not that of a position any more. */
export const untied = (state: State) => update(state, 'game', { tie: null });

/** The position that is selected with its moves, or with a tree of some of them, is the game that is shown. */
function tieSelected(state: State, tree?: Tree) {
  const found = selectedKnown(state);
  if (!found) return state;
  const tie = { own: state.study.opened ? null : ownNumber(state), id: selectedPosition(state).id };
  return openTree(state, tree ?? found.tree, { view: state.view, isForeign: true, tie });
}

/** The state with what has been done in the study that is shown, if it is an exercise, and with the place there. */
function withAnswers(state: State, changes: Partial<StudyAnswers> = {}): State {
  const { opened } = state.study;
  if (!opened?.exercise) return state;
  const at = selectedPlace(state);
  const key = answersKey(state, opened);
  const others = Object.entries(state.answers).filter(([name]) => name !== key).slice(0, MOST_ANSWERS - 1);
  return { ...state, answers: Object.fromEntries([[key, { ...answersOf(state), at, ...changes }], ...others]) };
}

/** The position that is selected is on the board, or asked. */
export function select(state: State, id = state.study.id) {
  const position = shownStudy(state).positions[placeOf(state, id)];
  const shown = update(state, 'study', { id: position?.id ?? id });
  const selected = position === selectedPosition(state) ? shown : withAnswers(shown);
  // What is shown of it remains while it is changed.
  const isSame = state.game.tie && state.game.tie.id === selectedPosition(selected)?.id;
  if (isSame && state.view === 'study') return selected;
  const cleared = changeExercise(selected, 'study', NO_EXERCISE);
  const found = selectedKnown(cleared);
  if (state.view !== 'study' || !found) return cleared;
  if (!isStudyExercise(cleared)) return tieSelected(cleared);
  return ask(leaveTied(cleared), 'study', { position: found.position, aim: 'keep' });
}

/** The position that was selected is on the board again; an exercise that has been begun goes on. */
const selectAgain = (state: State, id = selectedPosition(state)?.id) =>
  (id === selectedPosition(state)?.id && isUnsolved(state) ? state : select(state, id));

/** Shows the study of a link, which is read unless it is that of the study that is shown, or else what was shown. */
export function enterStudy(state: State, link: string | null) {
  if (link === null) return select(state);
  const { packed } = state.study;
  if (link && link === packed.text && packed.study === shownStudy(state)) return selectAgain(state);
  const study = { ...NO_STUDY, reading: link || null, packed: { study: null, text: link } };
  return select(untied({ ...state, study }));
}

/** The state with an own study as the one that is shown and that positions are added to. */
const withChosen = (state: State, own: string) =>
  update(state, 'settings', { studies: { ...state.settings.studies, [state.boardName]: own } });

/** Whether another window has deleted that study. */
function isChosenDeleted(state: State) {
  const chosen = state.settings.studies[state.boardName];
  return !state.ownStudies[chosen] && removedOf(state).some(({ own }) => own === chosen);
}

/** Shows an own study, which is the chosen one from now on. */
function chooseOwn(state: State, own: string, id: number | null = null) {
  const chosen = { ...withChosen(state, own), typing: null };
  return select(untied(update(chosen, 'study', { opened: null })), id);
}

// ---- changes of own studies ----

/** Changes an own study; null if it would be too large. */
function changeStudy(state: State, changes: Partial<Study>, own = ownNumber(state)) {
  const study = { ...(state.ownStudies[own] ?? BLANK_STUDY), ...changes };
  const isTooLarge = asText(study, state.boardName).length > MOST_LENGTH;
  if (isTooLarge || study.positions.length > MOST_POSITIONS) return null;
  return select({ ...state, ownStudies: { ...state.ownStudies, [own]: study } });
}

/** An own study with another position in the place of that with the same identity; null if it would be too large. */
function storePosition(state: State, own: string, position: StudyPosition) {
  const { positions } = state.ownStudies[own] ?? BLANK_STUDY;
  return changeStudy(state, { positions: positions.map((one) => (one.id === position.id ? position : one)) }, own);
}

/** Adds a study to those of this device and shows it. */
function addOwn(state: State, { title, positions, exercise }: Study, id: number | null = null) {
  const own = newNumber(state);
  const ownStudies = { ...state.ownStudies, [own]: { title, positions, exercise } };
  return chooseOwn({ ...state, ownStudies }, own, id);
}

/** The state with what was removed in the own study with a number again; null if there is no room. */
function undoRemoval(state: State, removed: Removed, own: string) {
  const { study, at } = removed;
  const left = { ...state, recent: state.recent.filter((one) => !('removed' in one && one.removed === removed)) };
  if (at === null) return changeStudy(left, validStudy(left, study), own);
  const { positions } = state.ownStudies[own] ?? BLANK_STUDY;
  const back = study.positions[at];
  const isTaken = positions.some(({ id }) => id === back.id);
  const placed = isTaken ? { ...back, id: newId(state, own) } : back; // by a window with an older version
  return changeStudy(left, { positions: positions.toSpliced(at, 0, placed) }, own);
}

const FULL: Message = ['studyFull'];

// ---- the board and the study agree ----

/** The tree of a position where another tree is, and with the moves seen last, as far as it has the same moves. */
function sameIn(tree: Tree, shown: Tree) {
  const line = shown.line().map(({ move }) => move);
  while (line.length && !tree.follow(line)) line.pop();
  return tree.follow(line)?.follow(line.slice(0, shown.moves().length)) ?? tree;
}

const hasSameMoves = (one: Tree, other: Tree) =>
  one.start === other.start && one.write().moves === other.write().moves;
const hasSameNotes = (one: Tree, other: Tree) => one.write().notes === other.write().notes;

/** The board shows a position as its study has it. */
function showPosition(state: State, position: StudyPosition): State {
  const { tree } = state.game;
  const found = knownOf(state, position);
  if (!found) return untied(state);
  if (!hasSameMoves(found.tree, tree)) return withTree(state, sameIn(found.tree, tree));
  return hasSameNotes(found.tree, tree) ? state : update(state, 'game', { tree: sameIn(found.tree, tree) });
}

/**
 * What other windows have changed in studies is shown. The board stays where it is, also after moves that they have
 * deleted: what follows may be a change there.
 */
export function meetOthers(state: State): State {
  const { tie, tree } = state.game;
  if (!tie?.own) return state;
  const removed = removedOf(state).filter(({ own }) => own === tie.own).flatMap(({ study }) => study.positions);
  const position = ownPosition(state, tie.own, tie.id) ?? removed.find(({ id }) => id === tie.id);
  if (!position) return state;
  const shown = showPosition(state, position);
  const { tree: next } = shown.game;
  const gone = next.start === tree.start ? tree.moves().slice(next.moves().length) : [];
  return gone.length ? withTree(shown, gone.reduce((made, move) => made.play(move), next)) : shown;
}

/** A position with the moves and notes of the game that is shown; the picture remains. */
function withTreeOf(state: State, position: StudyPosition) {
  const { tree } = state.game;
  const picture = knownOf(state, position)?.tree.moves() ?? [];
  return studyPositionOf(tree.follow(picture) ?? tree, position.id);
}

/**
 * The game of a position of an own study and the study agree: what an action has changed on the board is in the study,
 * also if another window has removed the position, and what it has changed in the study is on the board.
 */
function keepTied(state: State, before: State): State {
  const { tie, tree } = state.game;
  const { tree: shown } = before.game;
  if (!tie?.own) return state;
  const { own, id } = tie;
  const isChanged = tree.origin === shown.origin && !(hasSameMoves(tree, shown) && hasSameNotes(tree, shown));
  const back = isChanged ? bringBack(state, own, id) : state;
  const position = ownPosition(back, own, id);
  if (!position) return { ...untied(state), notice: state.notice ?? ['studyRemoved'] };
  if (!isChanged) return showPosition(state, position);
  return storePosition(back, own, withTreeOf(state, position)) ?? notify(before, FULL);
}

// ---- what is typed ----

/** The state with a study, and a position of it unless that is null, which another window may have removed. */
export function bringBack(state: State, own: string, id: number | null): State {
  const study = state.ownStudies[own];
  if (study && (id === null || ownPosition(state, own, id))) return state;
  const removed = study ? removalOf(state, own, id)
    : removedOf(state).find((one) => one.own === own && one.at === null);
  const back = removed && undoRemoval(state, removed, own);
  return back ? bringBack(back, own, id) : state;
}

/** A title that is typed for an own study. */
export function typeStudyTitle(
  state: State, { own }: Extract<Field, { kind: 'studyTitle' }>, text: string,
): State | Message {
  const { length } = text.trim();
  if (length > MOST_TITLE) return ['titleTooLong', MOST_TITLE, length];
  if (!state.ownStudies[own]) return ['studyDeleted'];
  const title = asTitle(text);
  return state.ownStudies[own].title === title ? state : changeStudy(state, { title }, own) ?? FULL;
}

/** A comment that is typed for a position of an own study, after moves, of which those that were deleted come back. */
export function typeStudyComment(
  state: State, { own, id, moves }: Extract<Field, { kind: 'studyComment' }>, text: string,
): State | Message {
  const position = ownPosition(state, own, id);
  const found = position ? knownOf(state, position) : null;
  if (!position || !found) return ['studyRemoved'];
  if (isTooLong(text)) return ['commentTooLong', MOST_COMMENT, text.length];
  const { tree } = found;
  const reached = readMoves(moves).reduce((before, move) => before.play(move), tree.goto(tree.root));
  const noted = reached.withNote(reached.current, { comment: asComment(text) });
  const next = studyPositionOf(noted.goto(tree.current), id);
  if (next.notes === position.notes) return state;
  return knownOf(state, next) ? storePosition(state, own, next) ?? FULL : ['studyRemoved'];
}

// ---- studies that are exercises ----

/** Shows a study from a link or a file, as far as it has been solved, at a position or where the user has stopped. */
function openLinked(state: State, opened: Study, id: number | null) {
  const shown = update(untied(state), 'study', { opened, reading: null });
  const left = opened.positions[answersOf(shown).at]?.id ?? null;
  return select(update(shown, 'study', { id: left }), id ?? left);
}

/**
 * What follows from every action: the study that the user sees is the chosen one, also where another window has deleted
 * that, and the board and the study agree.
 */
export function settleStudy(state: State, before: State) {
  const isReplaced = state.view === 'study' && !state.study.opened && isChosenDeleted(state);
  const chosen = isReplaced ? withChosen(state, ownNumber(state)) : state;
  return keepTied(chosen, before);
}

/** The position that is selected was not solved alone. */
const withHelp = (state: State) =>
  withAnswers(state, { hinted: [...new Set([...answersOf(state).hinted, selectedPosition(state).id])] });

/** In an exercise, the user looks for a move that keeps the result of the position that is selected. */
export const studyList: ExerciseList = {
  name: 'study', sound: null, right: [STATUS], wrong: [STATUS], pause: 0,
  /** The next position that is not solved, or all of it again. */
  next(state, from) {
    if (from) return select(withAnswers(leaveTied(state), NO_ANSWERS), null);
    const { positions } = shownStudy(state);
    const { solved } = answersOf(state);
    const after = selectedPlace(state) + 1;
    const following = [...positions.slice(after), ...positions.slice(0, after)];
    return select(state, following.find(({ id }) => !solved[id])?.id);
  },
  solved(state) {
    const { id } = selectedPosition(state);
    const { solved, hinted } = answersOf(state);
    const how = solved[id] ?? (hinted.includes(id) ? 'helped' : 'alone');
    return tieSelected(withAnswers(state, { solved: { ...solved, [id]: how } }));
  },
  missed(state) {
    const { id } = selectedPosition(state);
    const { misses, solved } = answersOf(state);
    const missed = solved[id] ? state : withAnswers(state, { misses: { ...misses, [id]: (misses[id] ?? 0) + 1 } });
    return isAnswerShown(state.exercises.study) ? withHelp(missed) : missed;
  },
  hinted: withHelp,
  show: (state) =>
    announce(changeExercise(withHelp(state), 'study', { misses: MOST_MISSES }), STATUS),
};

// ---- the history ----

/** Shows an own study as it is now in place of the link that is about to be read, which was made from it before. */
function showOwn(state: State, own: string, id: number | null) {
  const study = state.ownStudies[own];
  if (shownStudy(state) === study) return select(state, id);
  return announce(chooseOwn(update(state, 'study', { reading: null }), own, id), STATUS);
}

/** Selects a position of a study from a link, once that is read. */
function selectLinked(state: State, id: number | null) {
  if (state.study.reading) return update(state, 'study', { id });
  return id === null ? state : selectAgain(state, id);
}

/** The game that is explored is again that of a position of a study, of which this is the tree as it was shown. */
function tieAgain(state: State, { own, opened, id }: HistoryEntry, tree: Tree) {
  const shown = opened ? openLinked(state, opened, id) : own ? chooseOwn(state, own, id) : state;
  const found = selectedKnown(shown);
  if (!found || selectedPosition(shown)?.id !== id) return state;
  // The study of a link lacks what was tried and noted there. Of an exercise, what is explored has been solved.
  const isWhole = opened && tree.start === found.tree.start;
  const selected = changeExercise(shown, 'study', { progress: 'solved' });
  return tieSelected(selected, isWhole ? tree : sameIn(found.tree, tree));
}

/**
 * Shows of a study what an entry of the history states. What waits for the values still does.
 * @param address of the entry
 */
export function restoreStudy(state: State, entry: HistoryEntry, address: Address) {
  const { own, opened, id } = entry;
  if (own && !state.ownStudies[own]) return state;
  if (state.view === 'study') return own ? showOwn(state, own, id) : selectLinked(state, id);
  if (!isOfGame(state) || !(own || opened)) return state;
  const { notice, solving } = state;
  return { ...tieAgain(state, entry, treeOf(state, address).tree), notice, solving };
}

// ---- actions ----

export const studyReducers = {
  addToStudy(state, { position }) {
    if (isChosenDeleted(state)) return notify(chooseOwn(state, ownNumber(state)), ['studyDeleted']);
    const id = newId(state, ownNumber(state));
    const own = untied(update(state, 'study', { opened: null, id }));
    const tree = position ? new Tree(position) : state.game.tree;
    const positions = [...ownStudy(state).positions, studyPositionOf(tree, id)];
    const added = changeStudy(own, { positions });
    return added ? notify(added, ['studyAdded', positions.length]) : notify(state, FULL);
  },
  selectPosition(state, { id }) {
    const { positions: { length }, positions } = shownStudy(state);
    const at = positions.findIndex((one) => one.id === id);
    if (at < 0) return state;
    const next = select(state, id);
    const comment = isUnsolved(next) ? '' : selectedKnown(next)?.tree.current.comment; // which may give the answer
    return announce(next, t('studyPosition', at + 1, length), comment);
  },
  raisePosition(state, { own, id }) {
    const { positions } = state.ownStudies[own] ?? BLANK_STUDY;
    const at = positions.findIndex((one) => one.id === id);
    if (at < 1) return state;
    const others = positions.toSpliced(at, 1).toSpliced(at - 1, 0, positions[at]);
    const moved = changeStudy(state, { positions: others }, own) ?? state;
    return announce(select(moved, id), t('studyPosition', at, positions.length));
  },
  removePosition(state, { own, id }) {
    const study = state.ownStudies[own] ?? BLANK_STUDY;
    const at = study.positions.findIndex((one) => one.id === id);
    if (at < 0) return state;
    const { unread: _, ...removed } = study; // the study keeps what is unread
    const kept = withRecent(state, { removed: { own, study: removed, at } });
    const left = changeStudy(untied(kept), { positions: study.positions.toSpliced(at, 1) }, own) ?? kept;
    return announce(left, t('studyRemoved'));
  },
  setPicture(state) {
    const { tie, tree } = state.game;
    const own = tie?.own;
    const changed = own ? storePosition(state, own, studyPositionOf(tree, tie.id)) : null;
    return changed ? announce(changed, t('studyPictured')) : state;
  },
  newStudy: (state) => announce(addOwn(state, BLANK_STUDY), STATUS),
  chooseStudy: (state, { own }) => announce(chooseOwn(state, own), STATUS),
  deleteStudy(state, { own }) {
    const { [own]: study, ...ownStudies } = state.ownStudies;
    if (!study) return state;
    const left = withRecent({ ...state, ownStudies }, { removed: { own, study, at: null } });
    return announce(chooseOwn(left, ownNumber(left)), t('studyDeleted'));
  },
  restoreRemoved(state, { removed }) {
    const { own: before, at } = removed;
    const text = (one: Removed) => [one.own, one.at, asText(one.study, state.boardName)].join(' ');
    const found = removedOf(state).find((one) => text(one) === text(removed)); // unless another window has restored it
    if (!found) return state;
    const own = at === null && state.ownStudies[before] ? newNumber(state) : before;
    const restored = undoRemoval(state, found, own);
    const id = restored?.ownStudies[own].positions[at ?? 0]?.id;
    return restored ? announce(chooseOwn(restored, own, id), STATUS) : notify(state, FULL);
  },
  switchExercise: (state, { own, exercise }) =>
    (state.ownStudies[own] ? changeStudy(state, { exercise }, own) ?? notify(state, FULL) : state),
  /** With what was tried and noted in the position that is on the board. */
  keepStudy(state) {
    const { game: { tie }, study: { id } } = state;
    const shown = shownStudy(state);
    const isOnBoard = (one: StudyPosition) => tie?.own === null && tie.id === one.id;
    const positions = shown.positions.map((one) => (isOnBoard(one) ? withTreeOf(state, one) : one));
    const study = { ...shown, positions };
    if (asText(study, state.boardName).length > MOST_LENGTH) return notify(state, FULL);
    return notify(addOwn(state, study, id), ['studyKept']);
  },
  studyPacked: (state, { request, text }) =>
    shownStudy(state) === request ? update(state, 'study', { packed: { study: request, text } }) : state,
  studyRead(state, { request, study }) {
    if (state.study.reading !== request) return state;
    const read = update(state, 'study', { reading: null });
    if (state.view !== 'study') return read;
    const invalid = study?.board === state.boardName ? study.positions.findIndex((one) => !knownOf(state, one)) : 0;
    if (!study || study.board !== state.boardName || invalid >= 0) {
      const isOfBoard = study?.board === state.boardName;
      return { ...read, notice: isOfBoard ? ['studyInvalid', invalid + 1] : ['studyDamaged'] };
    }
    const written = asText(study, study.board);
    const own = Object.keys(state.ownStudies).find((one) =>
      asText(state.ownStudies[one], state.boardName) === written);
    const { id } = state.study;
    return announce(own ? chooseOwn(read, own, id) : openLinked(read, study, id), STATUS);
  },
} satisfies Partial<Reducers>;
