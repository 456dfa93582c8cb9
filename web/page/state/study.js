// A study: positions with comments, drawings and variations, which a teacher hands out as a link, a file or on paper.
// The link has the text of the file, compressed. Each board has studies of its own on this device, whose names are
// their titles; one from a link or a file is shown in their place, and becomes one of them when the user keeps it.

import { treeOf } from './address.js';
import { withSetting } from './settings.js';
import { announce, update, STATUS } from './shown.js';
import { BLANK_STUDY, MOST_POSITIONS } from './storage.js';
import { asText, MOST_LENGTH } from './study_text.js';
import { t } from '../texts.js';
import { asComment } from './tree.js';

/** @import { Reducers, State, StoredStudy, Study, StudyPosition, StudyShown, TypedInStudy } from './types.js' */
/** @import { Tree } from './tree.js' */

/** @type {StudyShown} */
export const NO_STUDY = {
  opened: null, at: 0, reading: null, packed: { study: null, text: '' }, tried: null, removed: null, typed: null,
};

// ---- what can be asked ----

/** The number of the own study: another window may have deleted the one that was shown. @param {State} state */
export function ownNumber({ settings, boardName, ownStudies }) {
  const own = settings.studies[boardName];
  return ownStudies[own] ? own : Object.keys(ownStudies)[0] ?? '1';
}

/** The own study, which may have no positions. @param {State} state */
export const ownStudy = (state) => state.ownStudies[ownNumber(state)] ?? BLANK_STUDY;

/** The study that is shown: nothing while one is being read. @param {State} state */
export const shownStudy = (state) => (state.study.reading ? BLANK_STUDY : state.study.opened ?? ownStudy(state));

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
export const isStudyExercise = ({ study }) => study.opened?.exercise ?? false;

/** Whether it is still to be found. @param {State} state */
export const isUnsolved = (state) => isStudyExercise(state) && !state.study.tried?.isRight;

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
  return announce(update(state, 'study', { tried: { choice, isRight } }), STATUS);
}

/**
 * The studies of this device without the positions that are invalid.
 * @param {Pick<State, 'engine' | 'start'>} state
 * @param {State['ownStudies']} studies
 */
export const validStudies = (state, studies) =>
  Object.fromEntries(Object.entries(studies).map(([own, study]) =>
    [own, { ...study, positions: study.positions.filter((entry) => lookAt(state, entry)) }]));

/** @param {State} state @param {number} at */
const select = (state, at) =>
  update(state, 'study', { at: Math.max(0, Math.min(at, shownStudy(state).positions.length - 1)), tried: null });

/**
 * Changes an own study; null if it would be too large.
 * @param {State} state
 * @param {Partial<StoredStudy>} changes
 */
function change(state, changes, own = ownNumber(state)) {
  const study = { ...(state.ownStudies[own] ?? BLANK_STUDY), ...changes };
  const isTooLarge = asText(wholeStudy(state, study)).length > MOST_LENGTH;
  if (isTooLarge || study.positions.length > MOST_POSITIONS) return null;
  return select({ ...state, ownStudies: { ...state.ownStudies, [own]: study } }, state.study.at);
}

/**
 * Shows an own study.
 * @param {State} state
 * @param {string} own
 */
function choose(state, own, at = 0) {
  const studies = { ...state.settings.studies, [state.boardName]: own };
  return select(update(withSetting(state, 'studies', studies), 'study', { opened: null, typed: null }), at);
}

/**
 * Shows an own study as it is now in place of the link that is about to be read, which was made from it before.
 * @param {State} state
 * @param {string | null} [own]
 */
export function showOwn(state, own) {
  if (!own || state.view !== 'study' || !state.ownStudies[own]) return state;
  if (shownStudy(state) === state.ownStudies[own]) return state;
  return announce(choose(update(state, 'study', { reading: null }), own), STATUS);
}

/**
 * Adds a study to those of this device and shows it.
 * @param {State} state
 * @param {StoredStudy} study
 */
function add(state, { title, positions, exercise }) {
  const own = String(1 + Math.max(0, ...Object.keys(state.ownStudies).map(Number)));
  const ownStudies = { ...state.ownStudies, [own]: { title, positions, exercise } };
  return choose({ ...state, ownStudies }, own);
}

/**
 * Undoes the last removal.
 * @param {State} state
 * @param {NonNullable<StudyShown['removed']>} removed
 */
function restore(state, { own, study, at }) {
  if (at === null) return add(state, study);
  const { positions } = state.ownStudies[own] ?? BLANK_STUDY;
  const restored = change(state, { positions: positions.toSpliced(at, 0, study.positions[at]) }, own);
  return restored && choose(restored, own, at);
}

/** @param {State} state */
const refuse = (state) => announce({ ...state, notice: ['studyFull'] }, t('studyFull'));

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
 * @param {TypedInStudy} typed
 */
function type(state, { own, key, text }) {
  const { title, positions } = state.ownStudies[own] ?? BLANK_STUDY;
  const typing = update(state, 'study', { typed: { own, key, text } });
  if (key === null) return title === asComment(text) ? typing : change(typing, { title: asComment(text) }, own);
  const number = positions.findIndex((entry) => keyOf(entry) === key);
  if (number < 0) return typing;
  const next = withComment(state, positions[number], asComment(text));
  const changed = keyOf(next) === key ? typing : change(typing, { positions: positions.with(number, next) }, own);
  return changed && update(changed, 'study', { typed: { own, key: keyOf(next), text } });
}

/** @satisfies {Partial<Reducers>} */
export const studyReducers = {
  addToStudy(state) {
    const own = update(state, 'study', { opened: null });
    const positions = [...ownStudy(state).positions, entryOf(state.game.tree)];
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
    const { positions } = ownStudy(state);
    const { at } = state.study;
    const others = positions.toSpliced(at, 1).toSpliced(to, 0, positions[at]);
    const moved = change(state, { positions: others }) ?? state;
    return announce(select(moved, to), t('studyPosition', to + 1, positions.length));
  },
  removePosition(state) {
    const study = ownStudy(state);
    const { at } = state.study;
    const removed = { own: ownNumber(state), study, at };
    const left = change(state, { positions: study.positions.toSpliced(at, 1) }) ?? state;
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
  switchExercise: (state) => change(state, { exercise: !ownStudy(state).exercise }) ?? refuse(state),
  keepStudy: (state) => announce(add(state, shownStudy(state)), unlessFull(t('studyKept'))),
  showOwnStudy: (state) => choose(state, ownNumber(state)),
  typeStudy: (state, typed) => type(state, typed) ?? refuse(state),
  leaveStudyField: (state) => update(state, 'study', { typed: null }),
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
    return announce(own ? choose(read, own) : update(read, 'study', { opened: study, at: 0, tried: null }), STATUS);
  },
};
