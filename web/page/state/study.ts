// A study: positions with comments, drawings and variations, which a teacher hands out as a link, a file or on paper.
// The link has the text of the file, compressed. Each board has studies of its own on this device, whose names are
// their titles; one from a link or a file is shown in their place, and becomes one of them when the user keeps it.

import { ask, changeExercise, NO_EXERCISE } from './exercise.js';
import { treeOf } from './record.js';
import { withSetting } from './settings.js';
import { announce, STATUS, update } from './shown.js';
import { asTitle, BLANK_STUDY, MOST_POSITIONS } from './storage.js';
import { asText, MOST_LENGTH } from './study_text.js';
import { t } from '../texts.js';
import { asComment } from './tree.js';

import type { List } from './exercise.js';
import type { Note, Tree } from './tree.js';
import type { Field, Message, Reducers, State, StoredStudy, Study, StudyPosition, StudyShown } from './types.js';

export const NO_STUDY: StudyShown = {
  opened: null, at: 0, reading: null, packed: { study: null, text: '' }, removed: null,
};

// ---- what can be asked ----

/** The number of the own study: another window may have deleted the one that was shown. */
export function ownNumber({ settings, boardName, ownStudies }: State) {
  const own = settings.studies[boardName];
  return ownStudies[own] ? own : Object.keys(ownStudies)[0] ?? '1';
}

/** The own study, which may have no positions. */
export const ownStudy = (state: State) => state.ownStudies[ownNumber(state)] ?? BLANK_STUDY;

/** The study that is shown: nothing while one is being read. */
export const shownStudy = (state: State) => (state.study.reading ? BLANK_STUDY : state.study.opened ?? ownStudy(state));

/** The study with its board. */
export const wholeStudy = ({ boardName }: State, { title, positions, exercise }: StoredStudy): Study =>
  ({ board: boardName, title, positions, exercise });

export const asTarget = (entry: StudyPosition) => ({ ...entry, end: '' });

/** What is known about a position of a study. */
export type Known = { tree: Tree; position: string; note: Note };
/** By position; null: it is invalid. */
const known: WeakMap<StudyPosition, Known | null> = new WeakMap();

/** What is known about a position; null if it is invalid. */
export function lookAt(state: Pick<State, 'engine' | 'start'>, entry: StudyPosition) {
  let found = known.get(entry);
  if (found === undefined) known.set(entry, (found = findOut(state, entry)));
  return found;
}

function findOut(state: Pick<State, 'engine' | 'start'>, entry: StudyPosition) {
  const { tree, valid } = treeOf(state, asTarget(entry));
  if (!valid) return null;
  const game = state.engine.newGame(tree.start);
  for (const { move } of tree.path()) game.play(move);
  const { position } = game.state();
  game.free();
  return { tree, position, note: tree.current.note ?? { marks: [], comment: '' } };
}

/** The position that is selected. */
export const selectedPosition = (state: State) => shownStudy(state).positions[state.study.at];

/** What is known about it. */
export function selectedKnown(state: State) {
  const entry = selectedPosition(state);
  return entry ? lookAt(state, entry) : null;
}

/** Whether the best move of the position is looked for. */
export const isStudyExercise = ({ study }: State) => study.opened?.exercise ?? false;

/** Whether it is still to be found. */
export const isUnsolved = (state: State) => isStudyExercise(state) && state.exercises.study.progress !== 'solved';

// ---- changes ----

/** In an exercise, the user looks for a move that keeps the result of the position that is selected. */
export const studyList: List = {
  name: 'study', sound: null, right: [STATUS], wrong: [STATUS], pause: 0,
  begin(state) {
    const found = isUnsolved(state) ? selectedKnown(state) : null;
    return found ? ask(state, 'study', { position: found.position, aim: 'keep' }) : state;
  },
  next: (state) => state,
};

/** The studies of this device without the positions that are invalid. */
export const validStudies = (state: Pick<State, 'engine' | 'start'>, studies: State['ownStudies']) =>
  Object.fromEntries(Object.entries(studies).map(([own, study]) =>
    [own, { ...study, positions: study.positions.filter((entry) => lookAt(state, entry)) }]));

export function select(state: State, at: number) {
  const last = Math.max(0, shownStudy(state).positions.length - 1);
  return changeExercise(update(state, 'study', { at: Math.max(0, Math.min(at, last)) }), 'study', NO_EXERCISE);
}

/** Changes an own study; null if it would be too large. */
function changeStudy(state: State, changes: Partial<StoredStudy>, own = ownNumber(state)) {
  const study = { ...(state.ownStudies[own] ?? BLANK_STUDY), ...changes };
  const isTooLarge = asText(wholeStudy(state, study)).length > MOST_LENGTH;
  if (isTooLarge || study.positions.length > MOST_POSITIONS) return null;
  return select({ ...state, ownStudies: { ...state.ownStudies, [own]: study } }, state.study.at);
}

/** Shows an own study. */
function choose(state: State, own: string, at = 0) {
  const studies = { ...state.settings.studies, [state.boardName]: own };
  const chosen = update({ ...withSetting(state, 'studies', studies), typing: null }, 'study', { opened: null });
  return select(chosen, at);
}

/** Shows an own study as it is now in place of the link that is about to be read, which was made from it before. */
export function showOwn(state: State, own?: string | null) {
  if (!own || state.view !== 'study' || !state.ownStudies[own]) return state;
  if (shownStudy(state) === state.ownStudies[own]) return state;
  return announce(choose(update(state, 'study', { reading: null }), own), STATUS);
}

/** Adds a study to those of this device and shows it. */
function add(state: State, { title, positions, exercise }: StoredStudy) {
  const own = String(1 + Math.max(0, ...Object.keys(state.ownStudies).map(Number)));
  const ownStudies = { ...state.ownStudies, [own]: { title, positions, exercise } };
  return choose({ ...state, ownStudies }, own);
}

/** Undoes the last removal. */
function restore(state: State, { own, study, at }: NonNullable<StudyShown['removed']>) {
  if (at === null) return add(state, study);
  const { positions } = state.ownStudies[own] ?? BLANK_STUDY;
  const back = { ...study.positions[at], id: newId(positions) };
  const restored = changeStudy(state, { positions: positions.toSpliced(at, 0, back) }, own);
  return restored && choose(restored, own, at);
}

const FULL: Message = ['studyFull'];
const refuse = (state: State) => announce({ ...state, notice: FULL }, t('studyFull'));

/** The announcement of what was done, unless it could not be stored. */
const unlessFull = (done: string) => ({ isFull }: State) => (isFull ? t('storageFull') : done);

/** The position of a tree as a study has it. */
function entryOf(tree: Tree, id: number): StudyPosition {
  const { text: moves, at, notes } = tree.write();
  return { id, start: tree.start, moves, at, notes };
}

/** An identity that no position of a study has. */
const newId = (positions: StudyPosition[]) => 1 + Math.max(0, ...positions.map(({ id }) => id));

/** The position with another comment. */
function withComment(state: State, entry: StudyPosition, comment: string) {
  const { tree } = treeOf(state, asTarget(entry));
  const marks = tree.current.note?.marks ?? [];
  return entryOf(tree.annotated(tree.current, { marks, comment }), entry.id);
}

/** A title that is typed for an own study. */
export function typeStudyTitle(state: State, { own }: Extract<Field, { kind: 'studyTitle' }>, text: string) {
  const title = asTitle(text);
  return state.ownStudies[own]?.title === title ? state : changeStudy(state, { title }, own) ?? FULL;
}

/** A comment that is typed for a position of an own study; nothing if it is not there any more. */
export function typeStudyComment(state: State, { own, id }: Extract<Field, { kind: 'studyComment' }>, text: string) {
  const { positions } = state.ownStudies[own] ?? BLANK_STUDY;
  const number = positions.findIndex((one) => one.id === id);
  if (number < 0) return state;
  const next = withComment(state, positions[number], asComment(text));
  if (next.notes === positions[number].notes) return state;
  return changeStudy(state, { positions: positions.with(number, next) }, own) ?? FULL;
}

export const studyReducers = {
  addToStudy(state) {
    const own = update(state, 'study', { opened: null });
    const before = ownStudy(state).positions;
    const positions = [...before, entryOf(state.game.tree, newId(before))];
    const added = changeStudy(own, { positions });
    if (!added) return refuse(state);
    return announce(select(added, positions.length - 1), unlessFull(t('studyAdded', positions.length)));
  },
  selectPosition(state, { at }) {
    const next = select(state, at);
    const { length } = shownStudy(state).positions;
    return announce(next, t('studyPosition', at + 1, length), selectedKnown(next)?.note.comment);
  },
  movePosition(state, { to }) {
    const { positions } = ownStudy(state);
    const { at } = state.study;
    const others = positions.toSpliced(at, 1).toSpliced(to, 0, positions[at]);
    const moved = changeStudy(state, { positions: others }) ?? state;
    return announce(select(moved, to), t('studyPosition', to + 1, positions.length));
  },
  removePosition(state) {
    const study = ownStudy(state);
    const { at } = state.study;
    const removed = { own: ownNumber(state), study, at };
    const left = changeStudy(state, { positions: study.positions.toSpliced(at, 1) }) ?? state;
    return announce(update(left, 'study', { removed }), t('studyRemoved'));
  },
  newStudy: (state) => announce(add(state, BLANK_STUDY), STATUS),
  chooseStudy: (state, { own }) => announce(choose(state, own), STATUS),
  deleteStudy(state) {
    const removed = { own: ownNumber(state), study: ownStudy(state), at: null };
    const { [removed.own]: _, ...ownStudies } = state.ownStudies;
    const left = choose({ ...state, ownStudies }, Object.keys(ownStudies)[0] ?? '1');
    return announce(update(left, 'study', { removed }), t('studyDeleted'));
  },
  restoreRemoved(state) {
    const { removed } = state.study;
    if (!removed) return state;
    const restored = restore(state, removed);
    return restored ? announce(update(restored, 'study', { removed: null }), STATUS) : refuse(state);
  },
  switchExercise: (state) => changeStudy(state, { exercise: !ownStudy(state).exercise }) ?? refuse(state),
  keepStudy: (state) => announce(add(state, shownStudy(state)), unlessFull(t('studyKept'))),
  showOwnStudy: (state) => choose(state, ownNumber(state)),
  studyPacked: (state, { request, text }) =>
    shownStudy(state) === request ? update(state, 'study', { packed: { study: request, text } }) : state,
  studyRead(state, { request, study }) {
    if (!request || state.study.reading !== request) return state;
    const read = update(state, 'study', { reading: null });
    if (state.view !== 'study') return read;
    const invalid = study?.board === state.boardName ? study.positions.findIndex((one) => !lookAt(state, one)) : 0;
    if (!study || study.board !== state.boardName || invalid >= 0) {
      const isOfBoard = study?.board === state.boardName;
      return { ...read, notice: isOfBoard ? ['studyInvalid', invalid + 1] : ['studyDamaged'] };
    }
    const written = asText(study);
    const own = Object.keys(state.ownStudies).find((one) =>
      asText(wholeStudy(state, state.ownStudies[one])) === written);
    return announce(own ? choose(read, own) : select(update(read, 'study', { opened: study }), 0), STATUS);
  },
} satisfies Partial<Reducers>;
