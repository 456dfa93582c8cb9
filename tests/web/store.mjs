// Tests of what links, the history, the values of a board, and any action, make of the page's state
// (web/page/state/store.ts), without a browser. From the environment: what state.mjs names.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EngineError } from '../../web/engine/module.js';
import { randomOf } from './browser.mjs';
import {
  AGAINST, ANOTHER, CHOOSE_FILE, DRAW, EXERCISES, FAIR, FRIEND, FROM_FAIR, MOVED, OTHER_STUDY, RESIGN, RESUME, SMALL,
  TO_DRAW, TWO, after, done, engineOf, from, goto, kept, move, note, open, opening, page, readFile, reply, select,
  show, solved, step, unsolved,
} from './state.mjs';

// ---- links, the history and the own game ----

const GOES = {
  'going back to the empty address': [open('#')],
  'a look at the analysis of the start position': [open('#view=explore'), move('b1-c1')],
  'a comment on a link': [open('#notes=0++Here')],
};
for (const [name, actions] of Object.entries(GOES))
  test(`${name} leaves a game from a fair start stored`, () => {
    const { ownGame } = kept(after(), ...FROM_FAIR, move('a4-a5'), ...actions);
    assert.deepEqual([ownGame.start, ownGame.moves], [FAIR, 'a4a5']);
  });

const OTHER = [open('#moves=b1c1'), move('b5-c5')]; // a game of two people
/** What is open and stored, and which game an address shows then, with all its moves, and after how many of them. */
const CASES = {
  'no game yet': [null, { '': 'own 0', 'view=explore': 'own 0', 'moves=b1c1': 'foreign b1c1 1' }],
  'nothing': [[], { '': 'own 0', 'moves=b1c1': 'foreign b1c1 1', 'notes=0++Here': 'foreign 0',
    [`start=${FAIR}`]: 'foreign 0', 'view=board&moves=b1c1': 'foreign b1c1 1' }],
  'a game': [[...FROM_FAIR, move('a4-a5')], { '': 'own a4a5 1', [`start=${FAIR}`]: 'own a4a5 0',
    [`start=${FAIR}&moves=a4a5`]: 'own a4a5 1', [`start=${FAIR}&moves=a4e4`]: 'foreign a4e4 1',
    'moves=b1c1': 'foreign b1c1 1', [`view=board&start=${FAIR}`]: 'foreign 0' }],
  'a game and a link': [[...FROM_FAIR, move('a4-a5'), open('#moves=b1c1')], { '': 'own a4a5 1',
    [`start=${FAIR}&moves=a4a5`]: 'own a4a5 1', 'moves=b1c1': 'foreign b1c1 1',
    'moves=b1c1.b5c5': 'foreign b1c1.b5c5 2' }],
  'a game from the usual start': [OTHER, { '': 'own b1c1.b5c5 2', 'view=explore': 'own b1c1.b5c5 0',
    'view=explore&moves=b1c1.b5c5': 'own b1c1.b5c5 2', 'moves=b1c1': 'own b1c1.b5c5 1',
    'moves=b1c1.b5c5&at=1': 'own b1c1.b5c5 1', 'moves=d1c1': 'foreign d1c1 1',
    'moves=b1c1.b5c5&notes=1++Here': 'foreign b1c1.b5c5 2' }],
  'that game and a link': [[...OTHER, open('#moves=d1c1')], { '': 'own b1c1.b5c5 2', 'moves=b1c1': 'own b1c1.b5c5 1',
    'moves=d1c1': 'foreign d1c1 1' }],
};
for (const [what, [actions, cases]] of Object.entries(CASES))
  test(`where there is ${what}, links open the games that they should`, () => {
    const state = actions ? kept(after(), ...actions) : page.blank();
    for (const [hash, expected] of Object.entries(cases)) {
      const { isForeign, tree } = page.reduce(state, open(`#${hash}`)).game;
      const { moves, at } = tree.write();
      assert.equal([isForeign ? 'foreign' : 'own', moves, at].filter((part) => part !== '').join(' '), expected, hash);
    }
  });

const INVALID = [
  'garbage', 'view=nothing', 'moves=d1c1.d1c1', 'moves=zz', 'moves=b1c1&at=7', 'moves=b1c1&end=x', 'moves=b1c1(',
  'moves=(b1c1)', 'at=x', 'start=5/5', 'moves=b1c1(zz.b5c5).zz&at=2', 'view=puzzle&start=x', '%00%ff&&==',
  'view=puzzle&start=1w1w1/2b2/5/2w2/1b1b1_b', 'view=editor&start=bbbbbbbb/1', 'view=editor&start=5/5/5/5/5/5/bbbww_b',
  'start=bbb2/5/5/5/ww1w1_b', 'board=8x8/9', 'moves=%E0%A4%A',
  ...['1e0', '-1', '1e999'].map((at) => `moves=b1c1&at=${at}`),
  // What each object has.
  'view=__proto__', 'view=constructor', 'board=constructor', 'start=hasOwnProperty', 'moves=toString', 'end=valueOf',
  'at=__proto__', '__proto__=1', 'view=puzzle&start=constructor', 'view=editor&start=__proto__',
  'view=laboratory&board=__proto__', 'moves=b1c1&notes=1+z9+', 'view=lessons&at=0', 'view=lessons&at=11',
  // What is far too long.
  `moves=${'('.repeat(3000)}`, `moves=b1c1${'(d1c1'.repeat(3000)}`, `moves=${'x'.repeat(200000)}`,
];
test('what is invalid in a link is reported, and leads nowhere', () => {
  for (const hash of INVALID) {
    const state = after(open(`#${hash}`));
    assert.notEqual(state.notice, null, hash.slice(0, 60));
    assert.equal(page.reduce(state, open('#')).game.gameState.position, page.engine.start, hash.slice(0, 60));
  }
});

test('the address of another board shows the game that is stored there, and keeps it', async () => {
  const { rules, solve } = await engineOf(SMALL);
  const played = kept(page.reduce(page.initial(rules), open('#board=4x4/3')), TWO, move('a1-a3'));
  assert.equal(played.ownGame.moves, 'a1a3');
  const again = kept({ ...page.initial(rules), ownGame: played.ownGame }, open('#board=4x4/3'));
  assert.deepEqual([again.game.gameState.moves, again.game.isForeign], [['a1-a3'], false]);
  const engine = solve();
  const { ownGame } = kept(page.blank(engine), open('#board=4x4/3'), TWO, move('b1-b2'));
  const linked = kept({ ...page.initial(rules), ownGame }, open('#board=4x4/3&view=explore'));
  assert.notEqual(linked.game.tree.start, ownGame.start);
  assert.equal(solved(linked, engine).game.isForeign, true);
});

test('a resignation belongs to a game', () => {
  const resigned = kept(after(), TWO, move('b1-c1'), ...RESIGN);
  const { game } = kept(resigned, open('#moves=b1c1'));
  assert.equal(game.isForeign, false);
  assert.equal(kept(resigned, open('#moves=b1c1&end=resigned-white')).game.isForeign, false);
  assert.equal(kept(after(), TWO, move('b1-c1'), open('#moves=b1c1&end=resigned-white')).game.isForeign, true);
  const promoted = after(TWO, move('b1-c1'), ...RESIGN, show('explore'), goto(0), move('d1-c1'), { type: 'promote' });
  assert.equal(page.addressOf(promoted), 'view=explore&moves=d1c1vb1c1z'); // where nobody has resigned after d1-c1
  assert.match(page.engine.writeRecord(page.recordOf(promoted.game.tree, true)), /\n1\. d1-c1\n .*resign\)\n\*\n$/);
});

test('the names of the players remain in a game that goes on and is resigned', () => {
  const { tree } = after(open('#moves=b1c1&names=A%0AB'), move('b5-c5'), ...RESIGN).game;
  assert.equal(tree.names, 'A\nB');
});

test('in older links, the side to move at the end resigns', () => {
  assert.equal(after(open('#moves=b1c1&at=0&end=resigned')).game.tree.end().stated.winner, 'black');
});

test('a stored game is shown as it was left, against an opponent not where something else was tried', () => {
  const played = (begin) => kept(after(), begin, ...(begin === TWO ? [move('c4-a4'), move('b5-c5')] : [move('b1-c1')]));
  const again = (...actions) => kept(...actions, open('#moves=d1c1'), open('#')).game.gameState.moves;
  const tried = [show('explore'), goto(0)];
  assert.deepEqual(again(played(TWO), step(-1)), ['c4-a4']); // without a warning
  assert.deepEqual(again(played(TWO), ...tried, move('b1-a1')), ['b1-a1']);
  assert.deepEqual(again(played(AGAINST), ...tried), []);
  assert.deepEqual(again(played(AGAINST), ...tried, move('b1-a1')), ['b1-c1']);
});

test('a game against an opponent that is over is shown at its end, wherever it was left', () => {
  const looked = [show('review'), goto(0)];
  const left = [AGAINST, move('b1-c1'), ...RESIGN, ...looked];
  const { gameState } = kept(after(), ...left, open('#moves=d1c1'), open('#')).game;
  assert.deepEqual([gameState.moves, gameState.end.reason], [['b1-c1'], 'resigned']);
});

test('the button leads back to the last move against an opponent, of two people to where the game was left', () => {
  const resumed = (begin) => kept(after(), begin, move('b1-c1'), show('review'), goto(0), open('#moves=d1c1'),
    { type: 'resumeGame' }).game.gameState.moves;
  assert.deepEqual([AGAINST, TWO].map(resumed), [['b1-c1'], []]);
});

test('going back from a link leads to the stored game with its players', () => {
  const { game } = kept(after(), AGAINST, move('b1-c1'), open('#moves=d1c1'), open('#moves=b1c1'));
  assert.deepEqual([game.players, game.isForeign], [AGAINST.players, false]);
});

test('going back leads to the own game, also where it had other notes then', () => {
  const draw = { type: 'mark', from: 'c3', to: 'c3' };
  const noted = kept(after(), ...MOVED, show('explore'), draw, show('play'));
  const back = { ...page.openingOfHistory(), hash: globalThis.location.hash };
  const erased = kept(noted, show('explore'), draw, move('b5-a5'));
  const { game, view } = page.reduce(erased, back);
  assert.deepEqual([view, game.players, game.isForeign, game.gameState.moves, game.tree.current.marks],
    ['play', AGAINST.players, false, ['b1-c1'], []]);
  assert.equal(page.reduce(erased, open(back.hash)).game.isForeign, true); // of somebody else
});

test('going back leads to the game from before, also where the own one begins with what was shown of it', () => {
  const goBack = (before, ...next) => {
    let back = null;
    const remember = () => {
      back = page.openingOfHistory();
      return { type: 'flip' };
    };
    return page.reduce(kept(after(), ...before, remember, ...next), back).game;
  };
  for (const end of [[], DRAW]) {
    const { gameState } = goBack([TWO, move('b1-c1'), move('b5-c5'), ...end, goto(0)], TWO, move('d1-e1'));
    assert.deepEqual(gameState.undone, ['b1-c1', 'b5-c5']);
  }
  const { players, tree } = goBack([...MOVED, show('explore'), note, show('play')], TWO, move('b1-c1'), move('b5-c5'));
  assert.deepEqual([players, tree.current.comment], [AGAINST.players, 'Mine']);
  const review = ({ games: [game] }) => ({ type: 'reviewGame', game });
  assert.equal(goBack([...MOVED, ...RESIGN], review).isForeign, false); // it is the same one
  const over = goBack([...MOVED, ...RESIGN], TWO, move('d1-e1'));
  assert.deepEqual([over.players, over.isCounted, over.isForeign], [AGAINST.players, true, true]);
});

test('a link opens a game that was left if there is such an opponent', () => {
  const left = after(...MOVED, ...ANOTHER);
  const opened = (white) => {
    const recent = left.recent.map(({ date, game }) => ({ date, game: { ...game, white } }));
    return page.reduce({ ...left, recent }, open('#moves=b1c1')).game.players.white;
  };
  assert.deepEqual(['level:2', 'level:99'].map(opened), ['level:2', 'human']);
});

const LEADS_BACK = {
  'the game of a file': [[...CHOOSE_FILE, readFile('1. b1-c1')], '#view=review&moves=b1c1'],
  'the position of a puzzle': [[{ type: 'explore', position: '2b2/5/1w3/w1w2/b1b2 b' }],
    '#view=explore&start=2b2/5/1w3/w1w2/b1b2_b'],
  'a game that was left': [[...MOVED, goto(0), ...ANOTHER, RESUME], '#moves=b1c1'],
  'the own game': [[TWO, move('b1-c1'), open('#moves=d1c1'), { type: 'resumeGame' }], '#moves=b1c1'],
  'a rematch': [[TWO, move('b1-c1'), ...DRAW, TWO], '#'],
  'another game': [[...MOVED, ...ANOTHER], '#'],
  'the introduction': [[move('b1-c1'), show('explore'), { type: 'introduce' }], '#moves=b1c1'],
  'the first game': [[open('#moves=b1c1'), { type: 'introduce' }, AGAINST], '#'],
  'another view': [[show('hold')], '#view=hold'],
  'a link': [opening('https://example.org/#moves=d1c1'), '#moves=d1c1'],
  'a game that is kept': [[TWO, move('b1-c1'), ...DRAW, ...ANOTHER,
    ({ games: [game] }) => ({ type: 'reviewGame', game })], '#view=review&moves=b1c1&end=agreed'],
  'a study of a file': [[...opening(OTHER_STUDY),
    ({ share }) => ({ type: 'studyLinked', request: share.opening, hash: '#view=study&study=x' })],
  '#view=study&study=x'],
};
for (const [what, [actions, address]] of Object.entries(LEADS_BACK))
  test(`going back leads from ${what} to what was shown before`, () => {
    kept(after(), ...actions);
    assert.equal(done.findLast(([how]) => how === 'push')[1], address);
  });

test('from another board, the address of one that does not exist leads to the standard board', async () => {
  const { rules } = await engineOf(SMALL);
  const { leaving } = page.reduce(page.initial(rules), open('#board=9x9/9'));
  assert.deepEqual(leaving, { hash: '', notice: 'badLink' });
});

test('going back to another board adds nothing to the history', () => {
  globalThis.location.hash = '#board=4x4/3';
  kept(after(), open('#board=4x4/3'));
  assert.deepEqual(done, [['replace', '#board=4x4/3'], ['reload']]);
});

test('what leads to the address that is shown adds nothing to the history', () => {
  kept(after(), AGAINST, show('hold'), show('hold'));
  assert.deepEqual(done.filter(([how]) => how === 'push'), [['push', '#view=hold']]);
});

test('an address that a person has written is replaced by the usual one, also if it changes nothing', () => {
  globalThis.location.hash = '#VIEW=hold';
  kept(after(show('hold')), open('#VIEW=hold'));
  assert.deepEqual(done, [['replace', '#view=hold']]);
});

test('the reason why a board was left is shown after the page has been loaded again', () => {
  const entry = { own: null, notation: null, notice: 'labFailed_memory', text: '' };
  assert.deepEqual(after({ ...open('#'), entry }).notice, ['labFailed_memory']);
  assert.equal(after({ ...open('#'), entry: { ...entry, notice: 'x' } }).notice, null);
});

// ---- the values of a board ----

test('the laboratory opens with the board of the page, whatever was chosen there before', () => {
  const dialog = { type: 'open', dialog: 'laboratory' };
  const { draft } = after(dialog, { type: 'chooseBoard', changes: { width: 4 } }, { type: 'close' }, dialog);
  assert.deepEqual(draft, page.engine.board);
});

test('the laboratory proposes rows of three pieces, or of all where the rule needs them', () => {
  const choose = (changes) => ({ type: 'chooseBoard', changes });
  const rows = [{ pieces: 4 }, { win: 'centre' }, { win: 'line' }].map((_, i, all) =>
    after({ type: 'open', dialog: 'laboratory' }, ...all.slice(0, i + 1).map(choose)).draft.row_length);
  assert.deepEqual(rows, [3, 4, 3]);
});

test('an opponent replies when the values are there', () => {
  const state = unsolved(...MOVED);
  assert.equal(page.isThinking(state), false);
  assert.equal(page.isThinking(solved(state)), true);
});

test('the editor has the position of the game, also if it was opened before the values are there', () => {
  const state = solved(unsolved(show('editor')));
  assert.deepEqual(page.verdictOf(state), { ok: true, position: page.engine.start });
});

const LINKS = {
  'a puzzle': [TO_DRAW.hash, ({ exercises: { puzzle } }) => puzzle.item?.position],
  'a lesson': ['#view=lessons&at=4', ({ exercises: { lessons } }) => [lessons.name, lessons.gameState.position]],
  'a review': ['#view=review&moves=b1c1.b5c5', ({ review, game }) => [review.focus, game.gameState.plies]],
  'the lesson on holding the draw': ['#view=hold', ({ exercises: { hold } }) => [hold.queue, hold.gameState.position]],
};
for (const [what, [hash, look]] of Object.entries(LINKS))
  test(`${what} of a link opens when the values are there`, () => {
    const state = unsolved(open(hash));
    assert.equal(state.view, after(open(hash)).view);
    assert.deepEqual(look(solved(state)), look(after(open(hash))));
    assert.equal(solved(state).notice, null);
  });

test('a view that the user goes to opens when the values are there', () => {
  assert.equal(solved(unsolved(show('lessons'))).exercises.lessons.name, after(show('lessons')).exercises.lessons.name);
  assert.equal(solved(unsolved(open('#view=lessons&at=4'), show('play'))).view, 'play');
});

test('what is set up before the values are there remains', () => {
  const set = unsolved(show('editor'), { type: 'clearBoard' });
  assert.equal(solved(set).editor.pieces.size, 0);
});

test('a game on a board without a start begins where the engine proposes it, unless it has begun', async () => {
  const { rules, solve } = await engineOf(SMALL);
  const first = page.reduce(page.initial(rules), open('#board=4x4/3'));
  const moved = page.reduce(first, move(first.game.gameState.legal[0].move));
  const engine = solve();
  assert.equal(solved(first, engine).game.tree.start, engine.suggestedStart());
  assert.equal(solved(moved, engine).game.tree.start, page.startOf(first));
  assert.equal(page.startOf(solved(moved, engine)), engine.suggestedStart());
});

test('a board that cannot be solved is left for the standard one, with the reason', async () => {
  const { rules } = await engineOf(SMALL);
  const state = page.reduce(page.initial(rules), open('#board=4x4/3'));
  const { leaving } = page.reduce(state, { type: 'unsolved', error: new EngineError('memory', '') });
  assert.deepEqual(leaving, { hash: '', notice: 'labFailed_memory' });
});

const GIVEN_UP = {
  'another view': show('explore'), 'another address': open('#view=study'), 'another game': TWO,
  'a position': { type: 'explore', position: FAIR },
};
for (const [what, action] of Object.entries(GIVEN_UP))
  test(`${what} is shown instead of what has waited for the values`, () => {
    const waiting = unsolved(TO_DRAW);
    assert.equal(waiting.solving.target.view, 'puzzle');
    const state = page.reduce(waiting, action);
    assert.equal(state.solving.target, null);
    assert.equal(solved(state).view, state.view);
  });

test('a move in the introduction waits for the values', () => {
  const introduced = page.reduce(page.initial(), { ...open('#'), isIntroduced: false });
  const moved = page.reduce(introduced, move('b1-b4'));
  assert.deepEqual(moved.exercises.introduction.gameState.moves, []);
  const { progress, gameState } = solved(moved).exercises.introduction;
  assert.deepEqual([progress, gameState.moves], ['solved', ['b1-b4']]);
  const left = from(introduced, move('b1-b4'), show('explore'));
  assert.deepEqual(solved(left).game.gameState.moves, []);
});

test('what a user sees remains when the values arrive', () => {
  const linked = unsolved(FRIEND[0]);
  const { coming } = solved(linked).game;
  assert.deepEqual([coming.move, coming], ['b5-c5', linked.game.coming]);
});

// ---- every action ----

const VIEWS = ['play', 'explore', 'review', 'lessons', 'hold', 'puzzle', 'editor', 'study'];
const LINKS_OF_ALL = [
  '#', '#moves=b1c1.b5c5vc2c3z.c4a2&at=2', '#view=lessons&at=3', TO_DRAW.hash,
  '#view=explore&moves=b1c1&notes=1+c3+Here', '#moves=b1c1.b5c5&friend=17',
  '#board=9x9/9',
];
const NAMES_OF_ALL = [
  'deleteLine', 'promote', 'eraseMarks', 'resign', 'agreeDraw', 'flip', 'addToStudy', 'newStudy', 'keepStudy',
  'setPicture', 'leaveField', 'openNewGame', 'resumeGame',
];
const NAMES_OF_VIEWS = {
  play: ['hint'], puzzle: ['hint', 'showAnswer', 'tryPuzzleAgain'], lessons: ['showAnswer', 'nextExercise'],
  hold: ['showAnswer'], editor: ['clearBoard', 'loadStart'], study: ['hint', 'showAnswer', 'nextExercise'],
};
/** Actions that users do, each made of the state and of a function whose result is below its argument. */
const DONE = [
  ({ game }, random) => ({ type: 'move', move: game.gameState.legal[random(game.gameState.legal.length)]?.move ?? '' }),
  ({ exercises }, random) => {
    const { legal } = Object.values(exercises)[random(5)].gameState;
    return { type: 'move', move: legal[random(legal.length)]?.move ?? '' };
  },
  (_, random) => show(VIEWS[random(VIEWS.length)]),
  (_, random) => open(LINKS_OF_ALL[random(LINKS_OF_ALL.length)]),
  (state) => ({ type: 'chooseStudy', own: page.ownNumber(state) }),
  (_, random) => step(2 * random(2) - 1),
  (_, random) => goto(random(6)),
  ({ game: { tree } }, random) => {
    const nodes = tree.inTextOrder();
    return { type: 'gotoNode', moves: tree.moves(nodes[random(nodes.length)]) };
  },
  (_, random) => ({ type: 'mark', from: 'c3', to: ['c3', 'c4'][random(2)] }),
  ({ game: { tree: { origin, current } } }, random) =>
    ({ type: 'type', field: { kind: 'comment', origin, node: current.id }, text: 'x'.repeat(random(4)) }),
  ({ view, exercises }, random) => {
    const isAsked = view !== 'study' || exercises.study.item;
    const names = [...NAMES_OF_ALL, ...(isAsked && NAMES_OF_VIEWS[view] || [])];
    return { type: names[random(names.length)] };
  },
  (_, random) =>
    ({ type: 'place', square: 'abcde'[random(5)] + (1 + random(5)), piece: ['black', 'white', null][random(3)] }),
  (_, random) => ({ type: 'begin', players: [AGAINST, TWO][random(2)].players, seed: random(9) }),
  reply,
  ({ view, exercises }) =>
    (exercises[view] ? { type: 'exerciseStep', request: exercises[view].gameState, seed: 1 } : { type: 'flip' }),
  ({ study }, random) => (study.reading ? { type: 'studyRead', request: study.reading, study: EXERCISES }
    : select(1 + random(3))),
  () => open('#view=study&study=x'),
  ({ recent }, random) => {
    const one = recent[random(recent.length)] ?? {};
    if (one.game) return { type: 'resumeRecent', game: one.game };
    return one.removed ? { type: 'restoreRemoved', removed: one.removed } : { type: 'flip' };
  },
  ({ game, ownStudies }, random) => {
    const own = Object.keys(ownStudies)[0] ?? '1';
    const field = { kind: 'studyComment', own, id: game.tie?.id ?? 1, moves: '' };
    return { type: 'type', field, text: 'y'.repeat(random(4)) };
  },
  (_, random) => {
    const type = ['removePosition', 'raisePosition', 'deleteStudy', 'switchExercise'][random(4)];
    return { type, own: '1', id: 1 + random(3), exercise: random(2) > 0 };
  },
  () => ({ type: 'introduce' }),
  ({ game }) => (game.coming ? { type: 'friendMoved', request: game.coming } : { type: 'flip' }),
];

/** All that a state says. */
const said = ({ engine, ...rest }) => JSON.stringify([rest, rest.game.tree.inTextOrder()],
  (_, value) => (value instanceof Map ? [...value] : value));

test('no action changes a state that was there before', () => {
  const below = randomOf(1);
  const states = [];
  let state = after();
  for (let n = 0; n < 700; n++) {
    state = page.reduce(state, DONE[below(DONE.length)](state, below));
    states.push([state, said(state)]);
  }
  for (const [before, text] of states) assert.equal(said(before), text);
});
