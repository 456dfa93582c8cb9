// Tests of what actions, and other windows, make of studies (web/page/state/study.ts), without a browser. From the
// environment: what state.mjs names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';

import { asText, MOST_LENGTH, readStudy } from '../../web/page/state/study_text.js';
import { randomOf } from './browser.mjs';
import {
  COMMENT, DELETE, EXERCISES, FAIR, MOVED, OTHER_STUDY, POSITION, RESIGN, STUDY, TWO, after, from, goto, inStudy, kept,
  move, note, open, page, remove, select, show, solved, step, withStored,
} from './state.mjs';

const withStudy = () => ({ ...after(), ownStudies: { 1: STUDY } });

/** The state when the study of a link has been read. */
const received = (study = EXERCISES, before = after()) =>
  from(before, open('#view=study&study=x'), (state) => ({ type: 'studyRead', request: state.study.reading, study }));

test('a study of a file whose dialog was closed does not open', () => {
  const asked = after({ type: 'open', dialog: 'share' }, { type: 'openText', text: OTHER_STUDY });
  assert.ok(asked.share.opening);
  const closed = page.reduce(asked, { type: 'close' });
  const late = { type: 'studyLinked', request: asked.share.opening, hash: '#view=study&study=x' };
  assert.equal(page.reduce(closed, late).view, 'play');
});

test('while a study is read no other one is shown', () => {
  const reading = page.reduce(withStudy(), open('#view=study&study=x'));
  assert.deepEqual(page.shownStudy(reading).positions, []);
  assert.equal(page.shownStudy(page.reduce(reading, show('explore'))), STUDY);
  assert.equal(page.shownStudy(received(null, withStudy())), STUDY); // it was damaged
});

test('of two links of studies, the one that was opened last is shown', () => {
  const first = page.reduce(after(), open('#view=study&study=x'));
  const second = page.reduce(first, open('#view=study&study=y'));
  const late = page.reduce(second, { type: 'studyRead', request: first.study.reading, study: EXERCISES });
  assert.deepEqual([page.shownStudy(late).title, late.study.reading], ['', second.study.reading]);
});

const INVALID = {
  'of another board': [{ board: '4x4/3' }, ['studyDamaged']],
  'with an illegal move': [{ moves: 'a4a5.a1a2' }, ['studyInvalid', 2]],
  'with an illegal position': [{ start: '5/5/5/5/5 b' }, ['studyInvalid', 2]],
  'with a mark outside of the board': [{ notes: '0 f6 ' }, ['studyInvalid', 2]],
};
for (const [what, [changes, notice]] of Object.entries(INVALID))
  test(`a study ${what} is not shown, with the reason`, () => {
    const positions = [POSITION, { ...POSITION, ...changes, id: 2 }];
    const read = received({ ...STUDY, board: '5x5/3', ...changes, positions });
    assert.deepEqual([read.notice, page.shownStudy(read).positions], [notice, []]);
  });

test('the text of a study has its version, and a length that is not too great', () => {
  const read = (changes, more = '') => readStudy(JSON.stringify({ ...JSON.parse(OTHER_STUDY), ...changes }) + more);
  assert.equal(read({}).title, 'Other');
  assert.deepEqual([read({ 'neutreeko-study': 2 }), read({}, ' '.repeat(1e5))], [null, null]);
});

test('the address of the own study does not show one that a link has opened', () => {
  const other = { ...withStudy(), view: 'study' };
  const opened = { ...other, study: { ...other.study, opened: { ...STUDY, title: 'Other' } } };
  assert.equal(page.shownStudy(page.reduce(opened, open('#view=study'))), STUDY);
});

test('the history leads back to an own study without positions', () => {
  const empty = { ...STUDY, positions: [] };
  const state = { ...withStudy(), ownStudies: { 1: STUDY, 2: empty } };
  const back = { ...open('#view=study'), entry: { own: '2', notation: null, text: '' } };
  assert.equal(page.shownStudy(page.reduce(state, back)), empty);
});

test('a title that is too long is refused where it is typed, and cut where it is stored', () => {
  const long = 'Long '.repeat(30);
  const typed = page.reduce({ ...withStudy(), view: 'study' },
    { type: 'type', field: { kind: 'studyTitle', own: '1' }, text: long });
  assert.deepEqual([typed.ownStudies[1].title, typed.notice], ['Mine', ['titleTooLong', 100, 149]]);
  const stored = { 'neutreeko-studies': { 1: { ...STUDY, title: long } } };
  const [study] = Object.values(withStored(stored, () => page.loadStudies('5x5/3')));
  assert.deepEqual([study.title, study.positions], [long.slice(0, 99), STUDY.positions]);
});

test('a study that is full takes no other position', () => {
  const positions = Array.from({ length: 64 }, (_, n) => ({ ...POSITION, id: n + 1 }));
  const full = { ...withStudy(), view: 'study', ownStudies: { 1: { ...STUDY, positions } } };
  const { ownStudies, notice } = page.reduce(full, { type: 'addToStudy' });
  assert.deepEqual([ownStudies[1].positions.length, notice], [64, ['studyFull']]);
});

test('a drawing for which a study has no room is refused, with the reason', () => {
  const study = (last) => ({ ...STUDY, positions: [...Array(10).fill(9000), last].map((length, n) =>
    ({ ...POSITION, id: n + 1, notes: `0  ${'x'.repeat(length)}` })) });
  const room = MOST_LENGTH - asText(study(0), '5x5/3').length;
  const drawn = [room, room - 2].map((last) =>
    from({ ...after(), ownStudies: { 1: study(last) } }, show('study'), { type: 'mark', from: 'c3', to: 'c3' }));
  const shown = ({ game, ownStudies, notice }) =>
    [game.tree.current.marks, ownStudies[1].positions[0].notes.slice(0, 4), notice];
  assert.deepEqual(drawn.map(shown), [[[], '0  x', ['studyFull']], [['c3'], '0 c3', null]]);
  const ofLink = [room, room - 2].map((last) =>
    from(received({ ...study(last), board: '5x5/3' }), { type: 'mark', from: 'c3', to: 'c3' }, { type: 'keepStudy' }));
  assert.deepEqual(ofLink.map(({ ownStudies, notice }) => [Object.keys(ownStudies), notice]),
    [[[], ['studyFull']], [['1'], ['studyKept']]]);
});

test('where nothing is stored, that is said in place of what has been done', () => {
  const state = { ...after(show('editor')), unsaved: 'refused' };
  assert.equal(page.noticeOf(state), null);
  assert.deepEqual(page.noticeOf(page.reduce(state, { type: 'addToStudy' })), ['storage_refused']);
});

test('what was done stays in sight when a field is left for it', () => {
  const added = page.reduce(inStudy('b1c1'), { type: 'addToStudy' });
  assert.deepEqual(page.reduce(added, { type: 'leaveField' }).notice, ['studyAdded', 2]);
});

test('a comment in a study belongs to the position that it was typed for, wherever that is', () => {
  const positions = [POSITION, { ...POSITION, id: 2 }, { ...POSITION, id: 3 }];
  const typed = from({ ...withStudy(), view: 'study', ownStudies: { 1: { ...STUDY, positions } } }, remove(1),
    { type: 'type', field: { ...COMMENT, id: 3, moves: '' }, text: 'Here' });
  assert.deepEqual(typed.ownStudies[1].positions.map(({ id, notes }) => [id, notes]), [[2, ''], [3, '0  Here']]);
  const added = page.reduce(typed, { type: 'addToStudy' });
  const back = page.reduce(added, { type: 'restoreRemoved', removed: added.recent[0].removed });
  assert.deepEqual(back.ownStudies[1].positions.map(({ id }) => id), [1, 2, 3, 4]);
});

const positionOf = ({ ownStudies }, n = 0) => ownStudies[1].positions[n];

test('a study is a board: a move, a drawing and a comment there change the position that is selected', () => {
  const shown = page.reduce(inStudy('b1c1', 'd1c1'), select(2));
  assert.deepEqual(shown.game.gameState.undone, ['d1-c1']);
  const { game, ownStudies } = from(shown, step(1), move('b5-a5'), { type: 'mark', from: 'c3', to: 'c4' },
    { type: 'type', field: { ...COMMENT, moves: 'd1c1.b5a5' }, text: 'One\ntwo' });
  const [first, second] = ownStudies[1].positions;
  assert.deepEqual([first.moves, first.notes], ['b1c1', '']);
  assert.deepEqual([second.moves, second.notes, second.at], ['d1c1.b5a5', '2 c3c4 One\vtwo', 0]);
  assert.deepEqual(game.gameState.moves, ['d1-c1', 'b5-a5']); // the board stays where it was
  assert.equal(game.isForeign, true);
});

test('what is played in Explore is a variation of the study from which it was entered', () => {
  const state = from(inStudy('b1c1'), show('explore'), move('d1-e2'));
  assert.equal(positionOf(state).moves, 'b1c1vd1e2z');
  const back = page.reduce(state, show('study'));
  assert.deepEqual(back.game.gameState.moves, ['d1-e2']);
});

test('the picture of a position is the one that is chosen', () => {
  const moved = page.reduce(inStudy('b1c1.b5c5'), goto(2));
  assert.equal(positionOf(moved).at, 0);
  assert.equal(positionOf(page.reduce(moved, { type: 'setPicture' })).at, 2);
});

test('what another window changes in a position of a study is on the board, where that was', () => {
  const state = page.reduce(inStudy('b1c1.b5c5'), goto(1));
  const theirs = { ...positionOf(state), notes: '1  Theirs' };
  const other = { 1: { ...state.ownStudies[1], positions: [theirs] } };
  const { game } = page.reduce({ ...state, ownStudies: other }, { type: 'flip' });
  assert.deepEqual([game.gameState.moves, game.tree.current.comment], [['b1-c1'], 'Theirs']);
});

test('the own game comes back from a study, and moves in a study are none of its', () => {
  const own = kept(after(), TWO, move('d1-c1'));
  const study = kept({ ...inStudy('b1c1'), ownGame: own.ownGame }, move('b1-b4'));
  assert.equal(study.ownGame.moves, 'd1c1');
  const back = page.reduce(study, show('play'));
  assert.deepEqual([back.game.gameState.moves, back.game.isForeign, back.game.tie], [['d1-c1'], false, null]);
});

const TO_PLAY = {
  'a link to its first moves': [show('explore'), open('#moves=b1c1')],
  'the introduction': [{ type: 'introduce' }, { type: 'openNewGame' }, { type: 'close' }],
};
for (const [what, actions] of Object.entries(TO_PLAY))
  test(`no move in Play is in a study that ${what} leads from`, () => {
    const own = kept(after(), TWO, move('b1-c1'));
    const { game, ownStudies } = kept({ ...inStudy('b1c1.b5c5'), ownGame: own.ownGame }, ...actions, move('b5-b1'));
    assert.deepEqual([game.gameState.moves, game.tie], [['b1-c1', 'b5-b1'], null]);
    assert.equal(ownStudies[1].positions[0].moves, 'b1c1.b5c5');
  });

/** In both positions of the exercise. */
const [BEST, WRONG] = ['a1-d1', 'c2-c1'].map(move);

test('who solves an exercise sees the moves, and which positions are solved without help', () => {
  const state = received();
  assert.equal(state.game.tie, null);
  const helped = from(state, { type: 'nextExercise' }, { type: 'hint' }, BEST);
  assert.deepEqual(page.answersOf(helped).solved, { 2: 'helped' });
  const next = page.reduce(helped, { type: 'nextExercise' });
  assert.deepEqual([next.study.id, next.exercises.study.progress], [1, 'unsolved']);
  const alone = page.reduce(next, BEST);
  assert.deepEqual(page.answersOf(alone).solved, { 1: 'alone', 2: 'helped' });
  assert.deepEqual(alone.game.gameState.undone, ['a4-a5']);
  assert.deepEqual(page.answersOf(from(alone, select(2), BEST)).solved, { 1: 'alone', 2: 'helped' });
  const own = page.reduce(alone, { type: 'chooseStudy', own: '1' }); // whose answers paper hides
  assert.deepEqual(page.answersOf(own).solved, {});
});

for (const [what, actions, solved, misses] of [
  ['at the second try', [WRONG], 'alone', 1],
  ['after the answer was shown, also when it is asked again', [WRONG, WRONG, select(2), select(1)], 'helped', 2],
  ['after the answer was asked for', [{ type: 'showAnswer' }, select(2), select(1)], 'helped', undefined],
])
  test(`what a student has solved ${what} is told from what was solved at once`, () => {
    const state = from(received(), ...actions, BEST);
    const { solved: found, misses: missed } = page.answersOf(state);
    assert.deepEqual([found[1], missed[1]], [solved, misses]);
    const again = page.answersOf(from(state, select(2), select(1), WRONG));
    assert.equal(again.misses[1], misses); // after it is solved, nothing counts
  });

test('an exercise of a study has no sound', () =>
  assert.deepEqual([BEST, WRONG].map((one) => page.reduce(received(), one).heard.sound), [null, null]));

test('the comment of a position that is not solved is not spoken', () =>
  assert.deepEqual(page.reduce(received(), select(1)).heard.sentences, ['Position 1 of 2', '']));

test('what has been solved in an exercise is there when its link is opened again, until it is begun again', () => {
  const again = (answers, changes) => received({ ...EXERCISES, ...changes }, { ...after(), answers });
  const known = (state) => {
    const { solved, hinted, misses } = page.answersOf(state);
    return [page.selectedPlace(state), solved, hinted, misses];
  };
  const solved = from(received(), { type: 'hint' }, WRONG, select(2), { type: 'hint' }, BEST);
  assert.deepEqual(known(again(solved.answers)), [1, { 2: 'helped' }, [1, 2], { 1: 1 }]);
  assert.deepEqual(known(again(page.reduce(received(), WRONG).answers)), [0, {}, [], { 1: 1 }]);
  assert.deepEqual(known(again(solved.answers, { title: 'Other' })), [0, {}, [], {}]);
  const begun = page.reduce(solved, { type: 'nextExercise', from: 'start' });
  assert.deepEqual(known(begun), [0, {}, [], {}]);
  assert.deepEqual(known(again(begun.answers)), [0, {}, [], {}]);
});

test('only answers to the questions of exercises are kept, of the last thirty', () => {
  const opened = received();
  assert.deepEqual(opened.answers, {});
  const hinted = from(opened, { type: 'hint' }, { type: 'hint' });
  assert.deepEqual(Object.values(hinted.answers), [{ at: 0, solved: {}, hinted: [1], misses: {} }]);
  assert.equal(page.reduce(hinted, { type: 'flip' }).answers, hinted.answers);
  const plain = received({ ...EXERCISES, exercise: false });
  assert.deepEqual(page.reduce(plain, select(2)).answers, {});
  const one = { at: 0, solved: {}, hinted: [], misses: {} };
  const answers = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`s${n}`, one]));
  const many = page.reduce({ ...received(), answers }, select(2)).answers;
  assert.deepEqual([Object.keys(many).length, Object.values(many)[0].at, 's28' in many, 's29' in many],
    [30, 1, true, false]);
});

test('answers are read as far as they are valid', () => {
  const good = { at: 1, solved: { 2: 'alone' }, hinted: [1], misses: { 2: 1 } };
  const stored = { 's-5': good, s6: { ...good, at: -1 }, 7: good, s8: { ...good, solved: { 2: 'x', x: 'alone' } },
    s9: { ...good, misses: undefined } };
  assert.deepEqual(withStored({ 'neutreeko-answers': stored }, () => page.loadAnswers('5x5/3')),
    { 's-5': good, s8: { ...good, solved: {} }, s9: { ...good, misses: {} } });
});

test('answers are stored, and read when another window has stored some', () => {
  const written = {};
  withStored({}, () => {
    localStorage.setItem = (key, value) => {
      written[key] = JSON.parse(value);
    };
    kept(received(), { type: 'hint' });
  });
  const { 'neutreeko-answers': answers } = written;
  assert.deepEqual(Object.values(answers), [{ at: 0, solved: {}, hinted: [1], misses: {} }]);
  const other = { at: 1, solved: {}, hinted: [], misses: {} };
  const others = Object.fromEntries(Object.keys(answers).map((key) => [key, other]));
  const before = page.blank();
  const found = withStored({ 'neutreeko-answers': others }, () => page.catchUp(before));
  assert.deepEqual(found.answers, others);
});

/** The state when the page is loaded again after actions, with what is stored on the device. */
function loadedAgain(state, ...actions) {
  const { ownStudies, settings, view } = kept(state, ...actions);
  const opening = page.openingOfHistory();
  assert.ok(!opening.entry.opened || view !== 'study'); // whose address has the study
  return page.reduce({ ...page.blank(), ownStudies, settings }, opening);
}

test('a game in Explore is still that of its study when the page is loaded again', () => {
  const first = page.reduce(inStudy('b1c1', 'd1c1'), select(2));
  const own = loadedAgain(first, show('explore'), move('b1-b4'));
  assert.deepEqual([own.view, own.game.tie, own.study.id, own.game.gameState.moves],
    ['explore', { own: '1', id: 2 }, 2, ['b1-b4']]);
  assert.equal(positionOf(page.reduce(own, move('b5-a5')), 1).moves, 'd1c1vb1b4.b5a5z');
  const back = loadedAgain(own, show('study'));
  assert.deepEqual([back.view, back.study.id], ['study', 2]);
});

test('going back in Explore leads to an own study as it is now', () => {
  let back = null;
  const remember = () => {
    back = page.openingOfHistory();
    return { type: 'flip' };
  };
  const noted = kept(inStudy('b1c1'), show('explore'), remember, step(1), note, { type: 'leaveField' });
  for (const state of [noted, page.reduce(noted, show('play')), page.reduce(noted, show('study'))]) {
    const { ownStudies, game } = from(state, back, step(1));
    assert.deepEqual([ownStudies[1].positions[0].notes, game.tree.current.comment], ['1  Mine', 'Mine']);
  }
});

test('what is tried and noted in Explore on a study from a link is there when the page is loaded again', () => {
  const read = received({ ...EXERCISES, exercise: false });
  const again = loadedAgain(page.reduce(read, select(2)), show('explore'), move('a4-a5'), note, { type: 'leaveField' });
  assert.deepEqual([again.study.opened.title, again.study.id, again.game.tie?.id], ['Two', 2, 2]);
  const { moves, comment } = { moves: again.game.gameState.moves, ...again.game.tree.current };
  assert.deepEqual([moves, comment], [['a4-a5'], 'Mine']);
  assert.deepEqual(again.ownStudies, {});
  assert.deepEqual(loadedAgain(again, show('study')).study.opened, null); // it has to be read
});

test('an exercise of a study that is solved and explored remains so when the page is loaded again', () => {
  const again = loadedAgain(page.reduce(received(), BEST), show('explore'), note);
  const { game, exercises } = page.reduce(again, show('study'));
  assert.deepEqual([game.tie?.id, game.tree.current.comment, exercises.study.progress], [1, 'Mine', 'solved']);
});

test('a study from a link is kept with what was tried and noted on the board, and at its place', () => {
  const read = from(received({ ...EXERCISES, exercise: false }), select(2), show('explore'), move('a4-a5'), note);
  const { ownStudies, study, game } = from(read, show('study'), { type: 'keepStudy' });
  const [first, second] = ownStudies[1].positions;
  assert.deepEqual([first.notes, second.moves, second.at, second.notes], ['0 c3 Here', 'a4a5', 0, '1  Mine']);
  assert.deepEqual([study.id, game.tie], [2, { own: '1', id: 2 }]);
});

test('the own game does not take the place of that of a study from a link, where it has all of its moves', () => {
  const { ownGame } = kept(after(), open('#start=5/b4/1w3/w1b2/b3w_b'), move('a4-a5'), move('b3-b5'));
  kept(page.reduce(received({ ...EXERCISES, exercise: false }), select(2)), show('explore'), move('a4-a5'));
  const { game } = page.reduce({ ...page.blank(), ownGame }, page.openingOfHistory());
  assert.deepEqual([ownGame.moves, game.tie?.id, game.tree.write().moves], ['a4a5.b3b5', 2, 'a4a5']);
});

test('the move of a study that is reviewed is still shown when the page is loaded again', () => {
  const reviewed = kept(inStudy('b1c1.d5c5.c4a2.c5a3.a2b1'), show('review'), goto(3));
  const { ownStudies, settings } = reviewed;
  const again = page.reduce({ ...page.initial(), ownStudies, settings }, page.openingOfHistory());
  const { view, game } = solved(again);
  assert.deepEqual([view, game.tie?.id, game.gameState.plies], ['review', 1, 3]);
});

test('a study from a link is shown at the position that was selected when the page is loaded again', () => {
  const packed = ({ study }) => ({ type: 'studyPacked', request: study.opened, text: 'x' });
  kept(received({ ...EXERCISES, exercise: false }), packed, select(2));
  kept(page.blank(), page.openingOfHistory()); // and once more before the link has been read
  const opening = page.reduce(page.blank(), page.openingOfHistory());
  const { study, game } = page.reduce(opening, { type: 'studyRead', request: opening.study.reading, study: EXERCISES });
  assert.deepEqual([study.id, game.tie], [2, null]);
});

test('the position of a study from a link is on the board when the history leads back to it', () => {
  const packed = ({ study }) => ({ type: 'studyPacked', request: study.opened, text: 'x' });
  const read = from(received({ ...EXERCISES, exercise: false }), packed, select(2), show('play'));
  assert.equal(page.reduce(read, open('#view=study&study=x')).game.tie?.id, 2);
  const asked = from(received(), packed, { type: 'showAnswer' }, show('play'), open('#view=study&study=x'));
  assert.equal(page.isAnswerShown(asked.exercises.study), true); // an exercise goes on
});

test('a game that is resigned after moves were taken back is over at that place, also when it is loaded again', () => {
  const played = after(TWO, move('b1-c1'), move('b5-c5'), goto(1));
  const over = kept(played, ...RESIGN);
  assert.deepEqual([over.game.gameState.moves, over.game.gameState.end?.winner], [['b1-c1'], 'black']);
  const hash = `#moves=${over.ownGame.moves}&end=${over.ownGame.end}`;
  const { game } = page.reduce({ ...page.blank(), ownGame: over.ownGame }, open(hash));
  assert.deepEqual([game.isForeign, game.gameState.end?.winner, game.tree.root.children.length], [false, 'black', 1]);
});

test('from a study, Play leads to the end of a game against an opponent, as from other views', () => {
  const left = [...MOVED, goto(0), show('study'), show('play')];
  assert.deepEqual(kept(inStudy('d1c1'), ...left).game.gameState.moves, ['b1-c1']);
});

test('a game is tied to no position that its study does not have any more', () => {
  const state = page.reduce(inStudy('b1c1', 'd1c1'), show('explore'));
  const gone = (changes) => {
    const entry = { own: '1', opened: null, id: 1, notation: null, notice: null, text: '', ...changes };
    const untied = { ...state, game: { ...state.game, tie: null } };
    return page.reduce(untied, { ...open('#view=explore&moves=b1c1'), entry });
  };
  assert.equal(gone({}).game.tie.id, 1);
  for (const changes of [{ id: 9 }, { id: null }, { own: '2' }, { own: null }])
    assert.equal(gone(changes).game.tie, null, inspect(changes));
});

test('an own study is shown in place of its link, at the position that was selected', () => {
  const entry = { own: '1', opened: null, id: 2, notation: null, notice: null, text: '' };
  const { study } = page.reduce(inStudy('b1c1', 'd1c1'), { ...open('#view=study&study=x'), entry });
  assert.deepEqual([study.reading, study.id], [null, 2]);
});

test('what two windows type in one field of a study is all there', () => {
  const CASES_OF_MERGING = [
    ['one two', 'one two three', 'zero one two', 'zero one two three'],
    ['one two', 'zero one two', 'one two three', 'zero one two three'],
    ['one', 'one A', 'one B', 'one B A'],
    ['one\ntwo three', 'one\n2 three', 'one\nTWO three', 'one\n2TWO three'],
    ['一二', '一x二', '一二y', '一x二y'],
    ['one two three', 'one three', 'one two four three', 'one four three'],
    ['', 'A', 'B', 'BA'], ['aa', 'xaa', 'aaa', 'xaaa'], ['x b', 'x be', 'a x b', 'a x be'],
    ['x a', 'x a b', 'x al', 'x al b'],
    ['one two', 'one', 'one two three', 'one three'], ['abcd', 'aXcd', 'abYd', 'aXYd'],
  ];
  for (const [before, theirs, mine, both] of CASES_OF_MERGING)
    assert.equal(page.merged(before, theirs, mine), both, inspect([before, theirs, mine]));
  const state = inStudy('b1c1');
  const theirs = { 1: { ...state.ownStudies[1], title: 'Not Mine' } };
  const field = { kind: 'studyTitle', own: '1' };
  const typed = { type: 'type', field, before: 'Mine ', text: 'Mine 2' };
  const renamed = page.reduce({ ...state, ownStudies: theirs }, typed);
  assert.equal(renamed.ownStudies[1].title, 'Not Mine 2');
});

/** What another window, which has the same studies, does, as this one knows it before its next action. */
const changedBy = (state, ...actions) => {
  const { ownStudies, recent } = from(state, ...actions);
  return page.meetOthers({ ...state, ownStudies, recent }, state);
};
const REMOVALS = {
  'a position': [remove(2)],
  'a study': [DELETE],
  'a move': [goto(1), { type: 'deleteLine' }, { type: 'deleteLine' }],
};
for (const [what, actions] of Object.entries(REMOVALS))
  test(`what is typed where another window has removed ${what} brings that back`, () => {
    const state = from(inStudy('b1c1', 'd1c1.b5a5', 'b1b4'), select(2), goto(1));
    const typed = page.reduce(changedBy(state, ...actions),
      { type: 'type', field: COMMENT, before: '', text: 'Here' });
    const { title, positions } = typed.ownStudies[1];
    assert.equal(title, 'Mine');
    assert.deepEqual(positions.map(({ id, notes }) => [id, notes]), [[1, ''], [2, '1  Here'], [3, '']]);
    assert.deepEqual([typed.game.tie.id, typed.study.id, typed.game.gameState.moves], [2, 2, ['d1-c1']]);
    assert.deepEqual(typed.recent, []);
  });

test('what is typed for a position that was removed before its study brings back both', () => {
  const state = page.reduce(inStudy('b1c1', 'd1c1', 'b1b4'), select(2));
  const { ownStudies } = page.reduce(changedBy(state, remove(2), DELETE),
    { type: 'type', field: COMMENT, text: 'Here' });
  assert.deepEqual(ownStudies[1].positions.map(({ id, notes }) => [id, notes]), [[1, ''], [2, '1  Here'], [3, '']]);
});

test('a title that is typed for a study that another window has deleted brings its positions back', () => {
  const field = { kind: 'studyTitle', own: '1' };
  const typed = page.reduce(changedBy(inStudy('b1c1'), DELETE), { type: 'type', field, text: 'Ours' });
  const { title, positions } = typed.ownStudies[1];
  assert.deepEqual([title, positions.length], ['Ours', 1]);
});

test('what is typed where nothing can come back is refused', () => {
  const type = (field) => page.reduce({ ...inStudy('b1c1'), ownStudies: {} }, { type: 'type', field, text: 'Here' });
  for (const [field, notice] of [[COMMENT, 'studyRemoved'], [{ kind: 'studyTitle', own: '1' }, 'studyDeleted']]) {
    const { ownStudies, ...state } = type(field);
    assert.deepEqual([ownStudies, state.notice], [{}, [notice]]);
  }
});

test('a comment after moves that are illegal in its position is refused', () => {
  const state = inStudy('b1c1');
  const field = { ...COMMENT, id: 1, moves: 'a1a2' };
  const { ownStudies, notice } = page.reduce(state, { type: 'type', field, text: 'Here' });
  assert.deepEqual([ownStudies, notice], [state.ownStudies, ['studyRemoved']]);
});

test('the number of a study or position that was removed is not given again', () => {
  const state = inStudy('b1c1', 'd1c1');
  const added = from(state, remove(2), { type: 'addToStudy' });
  assert.deepEqual(added.ownStudies[1].positions.map(({ id }) => id), [1, 3]);
  for (const type of ['newStudy', 'addToStudy'])
    assert.deepEqual(Object.keys(from(added, DELETE, { type }).ownStudies), ['2']);
});

test('nothing is added to a study in place of one that another window has deleted, until it is seen', () => {
  const add = { type: 'addToStudy' };
  const state = from(inStudy('b1c1'), show('explore'), { type: 'newStudy' }, add);
  const gone = changedBy(state, { ...DELETE, own: '2' });
  const refused = page.reduce(gone, add);
  assert.deepEqual([refused.ownStudies, refused.notice], [gone.ownStudies, ['studyDeleted']]);
  for (const seen of [refused, from(gone, show('study'), show('explore'))])
    assert.equal(page.reduce(seen, add).ownStudies[1].positions.length, 2);
});

test('a study or position that comes back has another name if an older version has given its own again', () => {
  const state = inStudy('b1c1', 'd1c1');
  const again = (one) => page.reduce({ ...one, ownStudies: state.ownStudies },
    { type: 'restoreRemoved', removed: one.recent[0].removed }).ownStudies;
  assert.deepEqual(again(page.reduce(state, remove(2)))[1].positions.map(({ id, moves }) => [id, moves]),
    [[1, 'b1c1'], [3, 'd1c1'], [2, 'd1c1']]);
  const { 1: mine, 2: back } = again(page.reduce(state, DELETE));
  assert.deepEqual([mine.title, back.title], ['Mine', 'Mine']);
});

test('a position that is added or comes back is selected', () => {
  const added = page.reduce(inStudy('b1c1'), { type: 'addToStudy', position: FAIR });
  assert.deepEqual([added.study.id, added.game.tree.start], [2, FAIR]);
  const removed = page.reduce(inStudy('b1c1', 'd1c1', 'b1b4'), remove(2));
  const back = page.reduce(removed, { type: 'restoreRemoved', removed: removed.recent[0].removed });
  assert.deepEqual([back.study.id, back.game.tie.id], [2, 2]);
});

test('what another window has restored already does not come back twice', () => {
  const removed = page.reduce(inStudy('b1c1', 'd1c1'), remove(2));
  const restore = { type: 'restoreRemoved', removed: removed.recent[0].removed };
  const copy = ({ ...state }) => ({ ...state, recent: JSON.parse(JSON.stringify(state.recent)) }); // as it is stored
  const back = page.reduce(copy(removed), restore);
  assert.deepEqual([back.ownStudies[1].positions.length, back.recent], [2, []]);
  assert.equal(page.reduce(back, restore).ownStudies, back.ownStudies);
});

/** The second of three positions is shown after a move, and another window has removed the first one. */
const withoutFirst = () => changedBy(from(inStudy('b1c1', 'd1c1', 'b1b4'), select(2), goto(1)), remove(1));

const identities = ({ ownStudies }) => ownStudies[1].positions.map(({ id }) => id);

test('who removes, moves or selects a position means that which was shown, wherever another window has put it', () => {
  assert.deepEqual(identities(page.reduce(withoutFirst(), remove(2))), [3]);
  assert.deepEqual(identities(page.reduce(withoutFirst(), { type: 'raisePosition', own: '1', id: 3 })), [3, 2]);
  assert.equal(page.reduce(withoutFirst(), select(3)).study.id, 3);
});

const GONE = [remove(1), { type: 'raisePosition', own: '1', id: 1 }, select(1),
  { ...DELETE, own: '2' }, { type: 'switchExercise', own: '2', exercise: true }];
for (const action of GONE)
  test(`what another window has removed is not mistaken for something else: ${inspect(action)}`, () => {
    const state = page.reduce(withoutFirst(), select(3));
    const { ownStudies, study } = page.reduce(state, action);
    assert.deepEqual([ownStudies, study.id], [state.ownStudies, 3]);
  });

test('the first position of a study, as another window may have made one, moves no further', () =>
  assert.deepEqual(identities(page.reduce(inStudy('b1c1', 'd1c1', 'b1b4'), { type: 'raisePosition', own: '1', id: 1 })),
    [1, 2, 3]));

test('a position that is moved up is selected, and its place is spoken', () => {
  const raised = page.reduce(inStudy('b1c1', 'd1c1', 'b1b4'), { type: 'raisePosition', own: '1', id: 3 });
  assert.deepEqual([raised.study.id, raised.heard.sentences], [3, ['Position 2 of 3']]);
});

test('an exercise that another window has made one remains one when it is made one here', () => {
  const make = { type: 'switchExercise', own: '1', exercise: true };
  assert.equal(page.reduce(changedBy(inStudy('b1c1'), make), make).ownStudies[1].exercise, true);
});

test('who comes back to a study finds the position that was selected, wherever another window has put it', () => {
  const { game, ...left } = page.reduce(withoutFirst(), show('play'));
  assert.equal(game.tie, null);
  const moved = changedBy({ ...left, game }, { type: 'raisePosition', own: '1', id: 3 });
  assert.equal(page.reduce(moved, show('study')).game.tie.id, 2);
});

test('the board remains when another window deletes the study, whatever another one has', () => {
  const state = from(inStudy('b1c1'), { type: 'newStudy' }, { type: 'addToStudy' });
  const first = { ...state.ownStudies[1].positions[0], moves: 'd1c1' };
  const two = { ...state, ownStudies: { ...state.ownStudies, 1: { ...STUDY, positions: [first] } } };
  const gone = changedBy(page.reduce(two, show('explore')), { ...DELETE, own: '2' }, remove(1));
  const { game } = page.reduce(gone, { type: 'flip' });
  assert.deepEqual([game.tie, game.tree.start, game.tree.write().moves], [null, page.engine.start, 'b1c1']);
});

/** In Explore, at the first move of a position of a study. */
const explored = () => from(inStudy('b1c1', 'd1c1'), show('explore'), goto(1));
/** Another window has typed there. */
function typedElsewhere() {
  const field = { ...COMMENT, id: 1, moves: 'b1c1' };
  return changedBy(explored(), { type: 'type', field, before: '', text: 'Theirs' });
}
const MINE = {
  'letter': [(state) => ({ type: 'type', field: page.fieldOf(state), before: '', text: 'M' }), 'b1c1', '1  MTheirs'],
  'drawing': [() => ({ type: 'mark', from: 'c3', to: 'c3' }), 'b1c1', '1 c3 Theirs'],
  'move': [() => move('b5-c5'), 'b1c1.b5c5', '1  Theirs'],
};
for (const [what, [action, moves, notes]] of Object.entries(MINE))
  test(`the first ${what} in Explore is in the study, with what another window has typed there`, () => {
    const { game, ownStudies } = page.reduce(typedElsewhere(), action(explored()));
    const [position] = ownStudies[1].positions;
    assert.deepEqual([position.moves, position.notes, game.tie.id], [moves, notes, 1]);
    assert.equal(game.tree.write().notes, notes);
  });

for (const [what, [action, moves, notes]] of Object.entries(MINE))
  test(`the first ${what} in Explore brings back a position that another window has removed`, () => {
    const state = changedBy(typedElsewhere(), remove(1));
    const { game, ownStudies: { 1: { positions } }, recent } = page.reduce(state, action(explored()));
    assert.deepEqual([positions[0].moves, positions[0].notes, game.tie.id], [moves, notes, 1]);
    assert.deepEqual([positions.length, recent], [2, []]);
  });

for (const [what, action] of [['drawing', { type: 'mark', from: 'c3', to: 'c3' }], ['move', move('b5-c5')]])
  test(`the first ${what} after a move that another window has deleted brings that back`, () => {
    const state = page.reduce(inStudy('b1c1'), goto(1));
    const theirs = [{ type: 'deleteLine' }, { type: 'deleteLine' }, move('d1-e2')];
    const { ownStudies, game } = page.reduce(changedBy(state, ...theirs), action);
    const { moves, notes } = ownStudies[1].positions[0];
    assert.deepEqual([moves, notes], what === 'move' ? ['d1e2vb1c1.b5c5z', ''] : ['d1e2vb1c1z', '2 c3 ']);
    assert.deepEqual(game.gameState.moves[0], 'b1-c1');
  });

test('a position that another window has removed comes back by no looking around, and that is said', () => {
  const state = changedBy(typedElsewhere(), remove(1));
  const { game, ownStudies, notice } = page.reduce(state, goto(0));
  assert.deepEqual([game.tie, ownStudies[1].positions.map(({ id }) => id)], [null, [2]]);
  assert.deepEqual(notice, ['studyRemoved']);
});

for (const [what, first] of [['with moves', explored], ['without moves', () => inStudy('')]])
  test(`the board remains legal where an older version has given the identity of a position ${what} again`, () => {
    const state = first();
    const other = { ...positionOf(state), start: FAIR, moves: '' };
    const ownStudies = { 1: { ...state.ownStudies[1], positions: [other] } };
    const { tree, gameState } = page.meetOthers({ ...state, ownStudies }, state).game;
    assert.deepEqual([tree.start, gameState.position], [FAIR, FAIR]);
  });

for (const [what, notes] of [['something else', ''], ['a comment', '1  Theirs']])
  test(`the moves that were seen last are played again, also when another window has changed ${what}`, () => {
    const state = from(inStudy('b1c1.b5c5vb5a5z'),
      { type: 'gotoNode', moves: ['b1-c1', 'b5-a5'] }, { type: 'gotoNode', moves: ['b1-c1'] });
    const ownStudies = { 1: { ...state.ownStudies[1], title: 'Ours', positions: [{ ...positionOf(state), notes }] } };
    const { game } = page.reduce(page.meetOthers({ ...state, ownStudies }, state), step(1));
    assert.deepEqual(game.gameState.moves, ['b1-c1', 'b5-a5']);
  });

test('what another window has typed before it removed a position comes back with that', () => {
  const state = explored();
  const theirs = { type: 'type', field: { ...COMMENT, id: 1, moves: '' }, before: '', text: 'Theirs' };
  const { ownStudies } = page.reduce(changedBy(state, theirs, remove(1)), move('b5-c5'));
  assert.deepEqual(ownStudies[1].positions.map(({ moves, notes }) => [moves, notes]),
    [['b1c1.b5c5', '0  Theirs'], ['d1c1', '']]);
});

test('a drawing where nothing can come back remains on the board', () => {
  const gone = { ...typedElsewhere(), ownStudies: {}, recent: [] };
  const { game, ownStudies } = page.reduce(gone, { type: 'mark', from: 'c3', to: 'c3' });
  assert.deepEqual([game.tie, ownStudies, game.tree.current.marks], [null, {}, ['c3']]);
});

test('the move of a variation leads to its position, also where another window has deleted a variation', () => {
  const state = page.reduce(inStudy('b1c1(b1b4)(d1e2)'), goto(1));
  const met = changedBy(state, { type: 'gotoNode', moves: ['b1-b4'] }, { type: 'deleteLine' }, { type: 'deleteLine' });
  const at = (moves) => page.reduce(met, { type: 'gotoNode', moves }).game.gameState.moves;
  assert.deepEqual([at(['d1-e2']), at(['b1-b4'])], [['d1-e2'], ['b1-c1']]);
});

for (const action of [{ type: 'flip' }, { type: 'type', field: COMMENT, text: 'Here' }])
  test(`a position remains selected when another window removes one before it: ${action.type}`, () => {
    const { study, game } = page.reduce(withoutFirst(), action);
    assert.deepEqual([study.id, game.tie.id, game.gameState.moves], [2, 2, ['d1-c1']]);
  });

for (const [id, next] of [[1, 2], [2, 3], [3, 2]])
  test(`where position ${id} of three is removed, by whatever window, another one is selected in its place`, () => {
    const state = page.reduce(inStudy('b1c1', 'd1c1', 'b1b4'), select(id));
    const gone = page.reduce(changedBy(state, remove(id)), { type: 'flip' });
    assert.deepEqual([gone, page.reduce(state, remove(id))].map((one) => page.selectedPosition(one).id), [next, next]);
  });

test('the picture is that of the position on the board, where another window has removed one before it, too', () => {
  const { ownStudies } = page.reduce(withoutFirst(), { type: 'setPicture' });
  assert.deepEqual(ownStudies[1].positions.map(({ moves, at }) => [moves, at]), [['d1c1', 1], ['b1b4', 0]]);
});

/** What is done in a study, made of the state, a function whose result is below its argument, and a word. */
const WITH_STUDY = [
  (state, random, word) => {
    const field = page.fieldOf(state);
    const before = page.typedIn(state, field) ?? state.game.tree.current.comment;
    return { type: 'type', field, before, text: random(2) ? `${before} ${word}` : `${word} ${before}` };
  },
  (_, random) => ({ type: 'mark', from: 'c3', to: ['c3', 'c4'][random(2)] }),
  ({ game: { gameState: { legal } } }, random) => move(legal[random(legal.length)]?.move ?? ''),
  (_, random) => goto(random(3)),
  ({ view }) => show(view === 'study' ? 'explore' : 'study'),
  ({ game }) => remove(game.tie?.id),
  ({ game }) => ({ type: 'raisePosition', own: '1', id: game.tie?.id }),
  (_, random) => select(1 + random(3)),
  ({ recent }, random) =>
    (recent.length ? { type: 'restoreRemoved', removed: recent[random(recent.length)].removed } : { type: 'flip' }),
  () => ({ type: 'setPicture' }),
];

test('no word is lost of two windows that change a study in random order', () => {
  const below = randomOf(3);
  const first = inStudy('b1c1.b5c5', 'd1c1', 'b1c1(b1b4)');
  const windows = [first, first];
  const words = [];
  let [ownStudies, recent] = [first.ownStudies, first.recent];
  for (let n = 0; n < 400; n++) {
    const at = below(2);
    const action = WITH_STUDY[Math.max(0, below(14) - 4)](windows[at], below, `<${n}>`); // most of them type
    const met = page.meetOthers({ ...windows[at], ...JSON.parse(JSON.stringify({ ownStudies, recent })) }, windows[at]);
    windows[at] = page.reduce(met, action);
    ({ ownStudies, recent } = windows[at]);
    if (action.field?.kind === 'studyComment') words.push(`<${n}>`);
    const all = JSON.stringify([ownStudies, recent]);
    assert.deepEqual(words.filter((word) => !all.includes(word)), [], inspect([n, action]));
  }
  assert.ok(words.length > 50, `${words.length} words`);
});

test('what was removed has a place in its study, or is as if it were missing', () => {
  const places = (study, list) => {
    const items = list.map((at) => ({ date: '2026-11-30', removed: { own: '1', study, at } }));
    const found = withStored({ 'neutreeko-recent': items }, () => page.loadRecent('5x5/3', '2026-11-01'));
    return found.map(({ removed }) => removed.at);
  };
  assert.deepEqual(places(STUDY, [1, 0, null]), [0, null]);
  assert.deepEqual(places({ ...STUDY, positions: [7, POSITION] }, [1, 0, null]), [null]);
});

test('positions of a stored study have identities, and keep theirs', () => {
  const { id: _, ...older } = POSITION;
  const CASES_OF_IDS = [
    [[older, older, older], [1, 2, 3]], [[{ ...older, id: 7 }, { ...older, id: 3 }], [7, 3]],
    [[{ ...older, id: 2 }, { ...older, id: 2 }], [2, 3]], [[older, { ...older, id: 2 }], [3, 2]],
  ];
  for (const [positions, expected] of CASES_OF_IDS) {
    const stored = { 'neutreeko-studies': { 1: { ...STUDY, positions } } };
    const { 1: study } = withStored(stored, () => page.loadStudies('5x5/3'));
    assert.deepEqual(study.positions.map(({ id }) => id), expected);
  }
});

test('a position of a stored study that cannot be read costs no other, and stays stored as it is', () => {
  const unread = [{ ...POSITION, moves: 7, notes: '0  One' }, { ...POSITION, id: 3, start: 'x', notes: '0  Two' }, 4];
  const [first, second, third] = unread;
  const mine = { ...POSITION, id: 2, notes: '0  Mine' };
  const studies = { 1: { ...STUDY, exercise: 1, positions: [first, mine, second, third] } };
  const read = (stored) => withStored({ 'neutreeko-studies': stored }, () => page.catchUp(after())).ownStudies;
  const expected = { ...STUDY, positions: [mine], unread: [first, third, second] };
  assert.deepEqual(read(studies), { 1: expected });
  after(); // which reads that there is nothing
  assert.deepEqual(read({ 1: expected }), { 1: expected });
  const [{ removed }] = page.reduce({ ...after(), ownStudies: { 1: expected } }, remove(2)).recent;
  assert.deepEqual(removed.study, { ...STUDY, positions: [mine] }); // otherwise it could not be read
  const { recent } = page.reduce({ ...after(), ownStudies: { 1: expected } }, DELETE);
  const gone = withStored({ 'neutreeko-recent': recent }, () => page.catchUp(after()));
  const { ownStudies } = page.reduce(gone, { type: 'restoreRemoved', removed: gone.recent[0].removed });
  assert.deepEqual(ownStudies, { 1: expected });
  const [{ positions, unread: rest }] = Object.values(read({ 1: { ...STUDY, positions: Array(65).fill(mine) } }));
  assert.deepEqual([positions.length, rest], [64, [mine]]);
});

test('the history states the number of a study and a reason, and nothing else that a name may lead to', () => {
  const read = (state) => {
    Object.assign(globalThis.history, { state });
    return page.openingOfHistory().entry;
  };
  assert.deepEqual(['12', 'constructor', undefined].map((own) => read({ own }).own), ['12', null, null]);
  const notices = ['badLink', 'labFailed_memory', 'rules', undefined].map((notice) => read({ notice }).notice);
  assert.deepEqual(notices, ['badLink', 'labFailed_memory', null, null]);
});

test('the place in a study remains when the history leads back to it', () => {
  const positions = [POSITION, { ...POSITION, id: 2, notes: '0 c3 ' }];
  const state = { ...withStudy(), ownStudies: { 1: { ...STUDY, positions } } };
  const packed = (one) => ({ type: 'studyPacked', request: one.ownStudies[1], text: 'x' });
  const shown = [show('study'), packed, select(2), show('play'), open('#view=study&study=x')];
  const { id, reading } = kept(state, ...shown).study;
  assert.deepEqual([id, reading], [2, null]);
});
