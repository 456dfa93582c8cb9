// A study: positions with comments, drawings and variations, which a teacher hands out as a link, a file or on paper.
// The link has the text of the file, compressed. Each board has a study of its own on this device; one from a link or
// a file is shown in its place, and replaces it only when the user confirms this.

import { treeOf } from './address.js';
import { announce, set, ask, STATUS } from './shown.js';
import { MOST_POSITIONS } from './storage.js';
import { asText, MOST_LENGTH } from './study_text.js';
import { t } from '../texts.js';
import { asComment } from './tree.js';

/** @import { Reducers, State, StoredStudy, Study, StudyPosition, StudyShown } from './types.js' */
/** @import { Tree } from './tree.js' */

/** @type {StudyShown} */
export const NO_STUDY = {
  opened: null, at: 0, asked: null, packed: { of: null, text: '' }, tried: null, removed: null, typed: null,
};

// ---- what can be asked ----

/** The study that is shown. @param {State} state @returns {StoredStudy} */
export const shownStudy = ({ study, ownStudy }) => study.opened ?? ownStudy;

/** The study with its board. @param {State} state @param {StoredStudy} study @returns {Study} */
export const wholeStudy = ({ boardName }, { title, positions, exercise }) =>
  ({ board: boardName, title, positions, exercise });

/** @param {StudyPosition | undefined} entry */
export const keyOf = (entry) => (entry ? JSON.stringify(entry) : '');

/** @param {StudyPosition} entry */
export const asTarget = (entry) => ({ ...entry, end: '' });

/**
 * What is known about a position of a study.
 * @typedef {{tree: Tree, position: string, note: {marks: string[], comment: string}}} Known
 */
/** By position; null: it is invalid. @type {WeakMap<StudyPosition, Known | null>} */
const known = new WeakMap();

/**
 * What is known about a position; null if it is invalid.
 * @param {Pick<State, 'engine' | 'start'>} state
 * @param {StudyPosition} entry
 */
export function lookAt(state, entry) {
  let found = known.get(entry);
  if (found === undefined) known.set(entry, (found = findOut(state, entry)));
  return found;
}

/**
 * @param {Pick<State, 'engine' | 'start'>} state
 * @param {StudyPosition} entry
 */
function findOut(state, entry) {
  const { tree, valid } = treeOf(state, asTarget(entry));
  if (!valid) return null;
  const game = state.engine.newGame(tree.start);
  for (const { move } of tree.path()) game.play(move);
  const { position } = game.state();
  game.free();
  return { tree, position, note: tree.current.note ?? { marks: [], comment: '' } };
}

/** The position that is selected. @param {State} state */
export const selectedPosition = (state) => shownStudy(state).positions[state.study.at];

/** What is known about it. @param {State} state */
export function selectedKnown(state) {
  const entry = selectedPosition(state);
  return entry ? lookAt(state, entry) : null;
}

/** Whether the best move of the position is looked for. @param {State} state */
export const isExercise = ({ study }) => study.opened?.exercise ?? false;

/** Whether it is still to be found. @param {State} state */
export const isUnsolved = (state) => isExercise(state) && !state.study.tried?.isRight;

// ---- changes ----

/**
 * A move of a user who looks for the best one: it is right if it keeps the result.
 * @param {State} state
 * @param {string} move
 */
export function moveInStudy(state, move) {
  const found = selectedKnown(state);
  const choices = found && isUnsolved(state) ? state.engine.moves(found.position) : [];
  const choice = choices.find((one) => one.move === move);
  if (!choice) return state;
  const isRight = choice.value.result === choices[0].value.result;
  return announce(set(state, 'study', { tried: { choice, isRight } }), STATUS);
}

/**
 * The study of this device without the positions that are invalid.
 * @param {Pick<State, 'engine' | 'start'>} state
 * @param {StoredStudy} study
 * @returns {StoredStudy}
 */
export const validStudy = (state, study) =>
  ({ ...study, positions: study.positions.filter((entry) => lookAt(state, entry)) });

/** @param {State} state @param {number} at */
const select = (state, at) =>
  set(state, 'study', { at: Math.max(0, Math.min(at, shownStudy(state).positions.length - 1)), tried: null });

/**
 * Changes the study of this device; null if it would be too large.
 * @param {State} state
 * @param {Partial<StoredStudy>} changes
 */
function change(state, changes) {
  const ownStudy = { ...state.ownStudy, ...changes };
  const isTooLarge = asText(wholeStudy(state, ownStudy)).length > MOST_LENGTH;
  if (isTooLarge || ownStudy.positions.length > MOST_POSITIONS) return null;
  return select({ ...state, ownStudy }, state.study.at);
}

/** @param {State} state */
const refuse = (state) => announce({ ...state, notice: t('studyFull') }, t('studyFull'));

/** The announcement of what was done, unless it could not be stored. @param {string} done */
const unlessFull = (done) => (/** @type {State} */ { isFull }) => (isFull ? t('storageFull') : done);

/**
 * The position of a tree as a study has it.
 * @param {Tree} tree
 * @returns {StudyPosition}
 */
function entryOf(tree) {
  const { text: moves, at, notes } = tree.write();
  return { start: tree.start, moves, at, notes };
}

/**
 * The position with another comment.
 * @param {State} state
 * @param {StudyPosition} entry
 * @param {string} comment
 */
function withComment(state, entry, comment) {
  const { tree } = treeOf(state, asTarget(entry));
  const marks = tree.current.note?.marks ?? [];
  tree.current.note = comment || marks.length ? { marks, comment } : undefined;
  return entryOf(tree);
}

/**
 * What is typed changes the study at once, whatever is shown: the comment of the position for which the field was
 * drawn, or the title.
 * @param {State} state
 * @param {{key: string | null, text: string}} typed
 */
function type(state, { key, text }) {
  const { title, positions } = state.ownStudy;
  const typing = set(state, 'study', { typed: { key, text } });
  if (key === null) return title === asComment(text) ? typing : change(typing, { title: asComment(text) });
  const number = positions.findIndex((entry) => keyOf(entry) === key);
  if (number < 0) return typing;
  const next = withComment(state, positions[number], asComment(text));
  const changed = keyOf(next) === key ? typing : change(typing, { positions: positions.with(number, next) });
  return changed && set(changed, 'study', { typed: { key: keyOf(next), text } });
}

/** @satisfies {Partial<Reducers>} */
export const studyReducers = {
  addToStudy(state) {
    const own = set(state, 'study', { opened: null });
    const positions = [...state.ownStudy.positions, entryOf(state.game.tree)];
    const added = change(own, { positions });
    if (!added) return refuse(state);
    return announce(select(added, positions.length - 1), unlessFull(t('studyAdded', positions.length)));
  },
  selectPosition(state, { at }) {
    const next = select(state, at);
    const { length } = shownStudy(state).positions;
    return announce(next, t('studyPosition', at + 1, length), selectedKnown(next)?.note.comment);
  },
  movePosition(state, { to }) {
    const { positions } = state.ownStudy;
    const { at } = state.study;
    const others = positions.toSpliced(at, 1).toSpliced(to, 0, positions[at]);
    const moved = change(state, { positions: others }) ?? state;
    return announce(select(moved, to), t('studyPosition', to + 1, positions.length));
  },
  removePosition(state) {
    const { positions } = state.ownStudy;
    const { at } = state.study;
    const removed = { position: positions[at], at };
    const left = change(state, { positions: positions.toSpliced(at, 1) }) ?? state;
    return announce(set(left, 'study', { removed }), t('studyRemoved'));
  },
  restorePosition(state) {
    const { removed } = state.study;
    if (!removed) return state;
    const restored = change(state, { positions: state.ownStudy.positions.toSpliced(removed.at, 0, removed.position) });
    return restored ? set(select(restored, removed.at), 'study', { removed: null }) : refuse(state);
  },
  switchExercise: (state) => change(state, { exercise: !state.ownStudy.exercise }) ?? refuse(state),
  keepStudy(state) {
    if (state.ownStudy.positions.length && state.asked !== 'study-keep')
      return ask(state, 'study-keep', t('studyReplaceSure'));
    return announce(set({ ...state, ownStudy: shownStudy(state) }, 'study', { opened: null }), t('studyKept'));
  },
  showOwnStudy: (state) => set(state, 'study', { opened: null, at: 0, tried: null }),
  typeStudy: (state, typed) => type(state, typed) ?? refuse(state),
  leaveStudyField: (state) => set(state, 'study', { typed: null }),
  studyPacked: (state, { of, text }) =>
    shownStudy(state) === of ? set(state, 'study', { packed: { of, text } }) : state,
  studyRead(state, { of, study }) {
    if (!of || state.study.asked !== of || state.view !== 'study') return state;
    const read = set(state, 'study', { asked: null });
    const invalid = study?.board === state.boardName ? study.positions.findIndex((one) => !lookAt(state, one)) : 0;
    if (!study || study.board !== state.boardName || invalid >= 0) {
      const isOfBoard = study?.board === state.boardName;
      return { ...read, notice: isOfBoard ? t('studyInvalid', invalid + 1) : t('studyDamaged') };
    }
    const isOwn = asText(study) === asText(wholeStudy(state, state.ownStudy));
    return announce(set(read, 'study', { opened: isOwn ? null : study, at: 0, tried: null }), STATUS);
  },
};
