// Tests of what actions make of games, also against a friend (web/page/state/game.ts), without a browser. From the
// environment: what state.mjs names.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  AGAINST, ANOTHER, DRAW, FAIR, FRIEND, FROM_FAIR, MOVED, RESIGN, RESUME, STUDY, TO_DRAW, TWO, after, arrived, engine,
  from, goto, kept, move, note, open, page, reply, replyInPuzzle, show, step, withStored,
} from './state.mjs';

/** A game that the user wins against a friend. */
const WON_BY_LINK = [open('#moves=b1c1.b5c5.c4e2.c2e4&friend=17'), arrived, move('e2-e1')];

// ---- games ----

test('an illegal move changes nothing', () => {
  const state = after(move('a1-a2'));
  assert.deepEqual(state.game.gameState.moves, []);
});

const MOVED_ON = {
  'a move was taken back': step(-1),
  'another game was begun': AGAINST,
  'the view was left': show('explore'),
};
for (const [name, action] of Object.entries(MOVED_ON))
  test(`a reply is dropped when ${name} meanwhile`, () => {
    const asked = after(...MOVED);
    const state = page.reduce(asked, action);
    const { plies } = state.game.gameState;
    const late = page.reduce(state, reply(asked));
    assert.equal(late.game.gameState.plies, plies);
  });

test('nobody moves for an opponent who is about to reply', () => {
  const { tree } = after(...MOVED, move('b5-c5')).game; // as a click in the list of values asks for
  assert.equal(tree.write().moves, 'b1c1');
  const { gameState, progress } = after(TO_DRAW, move('a1-a2'), move('c1-c5')).exercises.puzzle;
  assert.deepEqual([gameState.moves, progress], [['a1-a2'], 'unsolved']);
});

test('an opponent replies where something else was tried, and not to a move that it has answered', () => {
  assert.equal(page.isThinking(after(...MOVED, show('explore'), move('b5-c5'), show('play'))), true);
  assert.equal(page.isThinking(after(...MOVED, reply, goto(1))), false);
});

test('what belongs to a position is gone at another one', () => {
  const { game, ...state } = after(TWO, move('b1-c1'), { type: 'hint' }, ({ game: { tree } }) =>
    ({ type: 'preview', move: page.engine.moves(tree.start)[0] }));
  const shown = { ...game, isClosed: true, warning: { move: 'b5-c5', reply: state.preview }, coming: game.tree.end() };
  const { game: next, preview } = page.reduce({ ...state, game: shown }, goto(0));
  const { isClosed, warning, coming, hasMoved, hints } = next;
  assert.deepEqual([isClosed, warning, coming, hasMoved, hints.given, preview], [false, null, null, false, 0, null]);
});

test('a move that is pointed at is not shown any more when values are not', () => {
  const looked = [{ type: 'preview', move: page.engine.moves(page.engine.start)[0] }];
  const hidden = [...looked, { type: 'changeSetting', name: 'values', value: false }];
  assert.deepEqual([looked, hidden].map((actions) => after(...actions).preview === null), [false, true]);
});

test('a question remains while the user points at a move or something is copied, not at another action', () => {
  const { confirming } = after(move('b1-c1'), { type: 'resign' }, { type: 'preview', move: null });
  assert.equal(confirming.id, 'resign');
  assert.equal(after(move('b1-c1'), { type: 'resign' }, { type: 'copied', what: '' }).confirming.id, 'resign');
  assert.equal(after(move('b1-c1'), { type: 'resign' }, { type: 'flip' }).confirming, null);
  assert.equal(after({ type: 'deleteResults' }, { type: 'close' }).confirming, null);
});

test('another game with the same players begins where the last one began', () => {
  const { game } = after(...FROM_FAIR, move('a4-a5'), TWO);
  assert.equal(game.tree.start, FAIR);
});

test('a game of two opponents that follows a paused one is not paused', () => {
  const begin = { type: 'begin', players: { black: 'level:1', white: 'random' }, seed: 1 };
  assert.equal(after(begin, { type: 'pauseGame', isPaused: true }, begin).game.isPaused, false);
});

test('a line that is played is paused, and at its end played again', () => {
  const playing = { type: 'showLine', name: 'x', position: page.engine.start, moves: ['b1-c1', 'b5-c5'], at: 1 };
  const { line } = after(playing, { type: 'pauseLine' });
  assert.deepEqual([line.at, line.isPlaying], [1, false]);
  assert.equal(after({ ...playing, at: 2 }).line.at, 0);
});

const WINNING = ['b1-c1', 'b5-c5', 'c4-e2', 'c2-e4', 'e2-e1'];
const WON = WINNING.map(move);

test('who wins a line is told at its end, not before', () => {
  const shown = { type: 'showLine', name: 'x', position: page.engine.start, moves: WINNING, isPlaying: false };
  const isTold = (at) => after({ ...shown, at }).heard.sentences.includes('Black wins.');
  assert.deepEqual([4, 5].map(isTold), [false, true]);
});

test('a game that is continued after its end is kept once', () => {
  assert.equal(after(TWO, ...WON, step(-1), WON.at(-1)).games.length, 1);
});

test('a game that is won in Explore is neither kept nor counted', () => {
  const { games, results } = after(...MOVED, show('explore'), ...WON.slice(1), show('play'));
  assert.deepEqual([games, results.games], [[], {}]);
});

test('a game against a friend is kept besides one against another opponent', () => {
  const lost = [AGAINST, move('b1-c1'), ...RESIGN];
  assert.deepEqual(after(...lost, ...WON_BY_LINK).games.map(({ white }) => white), ['friend:17', 'level:1']);
});

test('of more than thirty games, the latest are kept', () => {
  const [older] = after(TWO, ...WON).games;
  const full = { ...after(TWO), games: Array(30).fill({ ...older, white: 'level:5' }) };
  const { games } = from(full, ...WON);
  assert.deepEqual([games.length, games[0].white, games[1].white], [30, 'human', 'level:5']);
});

const WON_BY_BLACK = {
  ...AGAINST.players, start: engine.start, moves: 'b1c1.b5c5.c4e2.c2e4.e2e1', end: '', date: '2026-11-30',
  winner: 'black',
};

test('the game that is played is not lost to one that is reviewed', () => {
  const { ownGame, game } = kept(after(), TWO, move('b1-b4'), { type: 'reviewGame', game: WON_BY_BLACK });
  assert.deepEqual([ownGame.moves, game.players], ['b1b4', AGAINST.players]);
});

test('a kept game that is reviewed counts no second time', () => {
  const { games, results } = after({ type: 'reviewGame', game: WON_BY_BLACK }, show('play'));
  assert.deepEqual([games, results.games], [[], {}]);
});

test('the players of a game that is not that of the device are there when the page is loaded again', () => {
  const again = (...actions) => {
    const { ownGame, games, recent } = kept(after(), TWO, move('b1-b4'), ...actions);
    return page.reduce({ ...page.blank(), ownGame, games, recent }, page.openingOfHistory());
  };
  const review = { type: 'reviewGame', game: { ...WON_BY_BLACK, white: 'level:5' } };
  const reviewed = again(review, goto(2));
  assert.deepEqual([reviewed.view, reviewed.game.players.white], ['review', 'level:5']);
  assert.equal(again({ ...review, game: { ...review.game, white: 'level:99' } }).game.players.white, 'human');
  assert.deepEqual(from(reviewed, show('play')).results.games, {}); // it is counted already
  const friend = again(open('#moves=b1c1.b5c5&friend=17'), show('explore'), move('c4-a2'));
  assert.deepEqual(from(friend, show('play')).game.players, { black: 'human', white: 'friend:17' });
  assert.deepEqual(again(review, open('#view=review&moves=b1c1.d5c5')).game.players, TWO.players);
});

test('a game by link becomes one against an opponent who is chosen for a side', () => {
  const byLink = { type: 'changeNewGame', changes: { opponent: 'human', isByLink: true } };
  const choose = ({ newGame }) => ({ type: 'changeNewGame', changes: page.withPlayer(newGame, 'white', 'perfect') });
  const { game } = after({ type: 'openNewGame' }, byLink, choose, { type: 'beginNewGame', seed: 1 });
  assert.deepEqual(game.players, { black: 'human', white: 'perfect' });
});

test('a rematch against a friend is another game, of either colour', () => {
  // A link has nine digits of a number.
  const rematch = (players) => after({ type: 'begin', players, seed: 4000012345 }).game.players;
  assert.deepEqual(rematch({ black: 'friend:17', white: 'human' }), { black: 'friend:12345', white: 'human' });
  assert.deepEqual(rematch({ black: 'human', white: 'friend:17' }), { black: 'human', white: 'friend:12345' });
});

test('there is no warning where every move loses at once', () => {
  const begin = [{ type: 'openNewGame', position: '5/5/5/4w/bbwbw b' }, { type: 'beginNewGame', seed: 1 }];
  const { warning, gameState } = after(...begin, move('a1-a5')).game;
  assert.deepEqual([warning, gameState.plies], [null, 1]);
});

test('warnings go on after a lost game', () => {
  const begin = { type: 'begin', players: { black: 'human', white: 'level:5' }, seed: 1 };
  const lost = after(begin, move('c4-a2'), move('c4-a2'), reply);
  const { warning } = from(lost, begin, move('c4-a2')).game;
  assert.deepEqual([lost.game.gameState.end?.winner, warning?.reply.move], ['white', 'c2-c5']);
});

test('the wins of the user and of the opponent have different sounds', () => {
  const begin = [{ type: 'openNewGame', position: '5/5/5/4w/bbwbw b' },
    { type: 'changeNewGame', changes: { opponent: 'perfect' } }, { type: 'beginNewGame', seed: 1 }];
  assert.equal(after(...begin, move('a1-a5'), reply).heard.sound, 'lost');
  assert.equal(after(...WON_BY_LINK).heard.sound, 'won');
});

/** An unfinished game against an opponent, which goes on with an action. */
const resumed = (moves, players) => ({ type: 'resumeRecent', game: {
  ...players, start: engine.start, moves, at: null, last: -1, notes: '', names: '', counted: false, helped: false,
} });
const AS_WHITE = { black: 'level:1', white: 'human' };
const COUNTED = {
  won: [[resumed('b1c1.b5c5.c4e2.c2e4', AGAINST.players), move('e2-e1')], [1, 0, 0], false],
  drawn: [[resumed('b1a1.d5e5.a1c1.e5c5.c1a1.c5e5.a1c1.e5c5.c1a1', AS_WHITE), move('c5-e5')], [0, 1, 0], null],
  lost: [[resumed('b1a1', AS_WHITE), ...RESIGN], [0, 0, 1], null],
};
for (const [result, [actions, counts, warnings]] of Object.entries(COUNTED))
  test(`a game that is ${result} is counted as that, and the first one that is won ends the warnings`, () => {
    const { results, settings } = after(...actions);
    assert.deepEqual([results.games, settings.warnings], [{ 'level:1': counts }, warnings]);
  });

test('undo and redo go to the turns of the user, and redo to a last move without a reply', () => {
  const game = [resumed('b1a1.d5e5.a1c1', AGAINST.players), step(-1)];
  const plies = [[], [step(-1)], [step(-1), step(1)], [step(1)]].map((actions) =>
    after(...game, ...actions).game.gameState.plies);
  assert.deepEqual(plies, [2, 0, 2, 3]);
});

const REPEATED = 'b1-a1 d5-e5 a1-c1 e5-c5 c1-a1 c5-e5 a1-c1 e5-c5 c1-a1 c5-e5'.split(' ').map(move);
const SOUNDS = {
  'a solved exercise of a lesson': [[open('#view=lessons&at=1'), move('c2-d1')], 'won'],
  'a wrong move there': [[open('#view=lessons&at=6'), move('d5-a5')], 'lost'],
  'a slide to another square': [[open('#view=lessons&at=1'), move('a3-a5')], 'move'],
  'a draw that is saved in a puzzle': [[TO_DRAW, move('a1-a2'), replyInPuzzle], 'won'],
  'a right move on the draw': [[show('hold'), move('c4-c3')], 'move'],
  'a move in the introduction': [[{ type: 'introduce' }, move('b1-b4')], null],
  'threefold repetition': [[TWO, ...REPEATED], 'move'],
};
for (const [what, [actions, sound]] of Object.entries(SOUNDS))
  test(`${what} has its sound: ${sound}`, () => assert.equal(after(...actions).heard.sound, sound));

test('a random colour is that of the seed; it is proposed again, as is the opponent', () => {
  const opponent = { type: 'changeNewGame', changes: { colour: 'random', opponent: 'level:2' } };
  const chosen = [{ type: 'openNewGame' }, opponent, { type: 'beginNewGame', seed: 1 }, { type: 'openNewGame' }];
  const blackOf = (seed) => after(...chosen, { type: 'beginNewGame', seed }).game.players.black;
  assert.deepEqual([1, 2].map(blackOf), ['human', 'level:2']);
});

test('all opponents are shown for a new game if the last one is among the others', () => {
  const isMoreShown = (opponent) => after({ type: 'openNewGame' }, { type: 'changeNewGame', changes: { opponent } },
    { type: 'beginNewGame', seed: 1 }, { type: 'openNewGame' }).newGame.isMoreShown;
  assert.deepEqual(['level:1', 'level:2', 'human'].map(isMoreShown), [false, true, false]);
});

test('fair starts are looked for again if none were found', () => {
  const known = (positions) =>
    after({ type: 'fairFound', positions }, { type: 'openNewGame' }).fairStarts;
  assert.deepEqual([[], [FAIR]].map(known), [null, [FAIR]]);
});

test('moves have the number of their pair, of which White may have the first half', () => {
  assert.deepEqual([0, 1, 2].map((ply) => page.moveNumber(FAIR.replace(' b', ' w'), ply)), [1, 2, 2]);
});

test('to show the view that is open closes the menu', () => {
  assert.equal(after({ type: 'open', dialog: 'menu' }, show('play')).dialog, null);
});

test('two people agree to a draw after a question, and play on after that', () => {
  const asked = after(TWO, move('b1-c1'), { type: 'agreeDraw' });
  assert.equal(asked.game.gameState.end, null);
  const { game, games } = page.reduce(asked, { type: 'agreeDraw' });
  assert.deepEqual(game.gameState.end, { reason: 'agreed', winner: null });
  assert.deepEqual([games[0].end, games[0].winner, games[0].moves], ['agreed', null, 'b1c1']);
  assert.equal(page.reduce({ ...asked, game }, step(-1)).game.gameState.end, null);
  const endsOf = (...actions) => after(...actions, step(-1), ...RESIGN).games.map(({ end }) => end);
  assert.deepEqual(endsOf(TWO, move('b1-c1'), ...DRAW), ['resigned-white', 'agreed']);
  assert.deepEqual(endsOf(...MOVED, ...RESIGN), ['resigned-black']); // the first result counts
});

test('a game that is over, has no moves or was left before is not added to those that were left', () => {
  assert.deepEqual(after(AGAINST, ...ANOTHER).recent, []);
  assert.deepEqual(after(...MOVED, ...RESIGN, goto(0), ...ANOTHER).recent, []);
  const drawn = [show('explore'), { type: 'mark', from: 'b1', to: 'b1' }];
  const noted = after(...MOVED, ...RESIGN, ...drawn, ...ANOTHER).recent.map(({ game }) => [game.end, game.notes]);
  assert.deepEqual(noted, [['resigned-black', '1 b1 ']]); // of which what is kept has nothing
  assert.equal(after(...MOVED, ...ANOTHER, ...MOVED, ...ANOTHER).recent.length, 1);
  assert.deepEqual(after(...MOVED, ...ANOTHER, move('d1-c1'), RESUME).recent.map(({ game }) => game.moves), ['d1c1']);
});

test('of too many games that were left, or deletions, the oldest goes', () => {
  const [{ game }] = after(...MOVED, ...ANOTHER).recent;
  const kinds = [{ game }, { removed: { own: '1', study: STUDY, at: null } }];
  const items = Array.from({ length: 60 }, (_, n) => ({ date: `2000-01-${70 - n}`, ...kinds[n % 2] }));
  const full = { ...after(AGAINST, move('d1-c1')), ownStudies: { 1: STUDY }, recent: items };
  assert.deepEqual(from(full, ...ANOTHER).recent.slice(1), items.toSpliced(58, 1));
  assert.deepEqual(from(full, { type: 'deleteStudy', own: '1' }).recent.slice(1), items.slice(0, -1));
  assert.deepEqual(withStored({ 'neutreeko-recent': items }, () => page.loadRecent('5x5/3', '')), items);
});

test('a review begins before the first mistake, of either side if the user made none', () => {
  const { game, ...state } = after(open('#view=review&moves=b1b4')); // which is one
  const mistakes = ['black', 'white'].map((user) =>
    page.mistakesOf({ ...state, game: { ...game, players: { black: 'random', white: 'random', [user]: 'human' } } }));
  assert.deepEqual([game.gameState.plies, mistakes], [0, [[0], [0]]]);
});

test('the review of the same moves from another position is another one', () => {
  const starts = [page.engine.start, '1w1w1/5/2b2/2w2/1b1b1 b'];
  const reviewed = (start) => page.reviewOf(after(open(`#view=review&start=${start.replace(' ', '_')}&moves=b1c1`)));
  assert.deepEqual(starts.map((start) => reviewed(start)[0].position), starts);
});

test('the last mistake of a side that was not repaired has the number of its move', () => {
  const missed = (moves, user = 'black') => page.missedBy(after(open(`#moves=${moves}`)), user);
  assert.deepEqual(missed('c4c5.c2c1.b1a1'), { ply: 2, text: 'Your move 2 did not keep the draw.' });
  assert.equal(missed('c4c5.c2c1.b1b4'), null);
  assert.deepEqual(missed('c4c5.c2c1.b1b4', 'white'), { ply: 1, text: 'Your move 1 did not keep the win.' });
});

test('a try in the review is answered by one move, which does not show what follows', () => {
  const tried = [open('#view=review&moves=b1c1.b5c5.c4a2'), { type: 'tryAgain', index: 2 }, move('c4-e2')];
  assert.deepEqual(after(...tried).line.moves, ['c4-e2', 'c2-e4']);
});

test('the history leads back to a game that was left with its opponent', () => {
  const { game } = kept(after(), AGAINST, move('b1-c1'), ...ANOTHER, open('#moves=b1c1'));
  assert.deepEqual([game.players, game.gameState.moves, game.isForeign], [AGAINST.players, ['b1-c1'], true]);
});

/** How many of two games against the first opponent were lost, and how many of them were played with help. */
const countHelped = (...actions) => {
  const one = [AGAINST, ...actions, ...RESIGN];
  const { games, helped } = after(...one, ...one).results;
  return [games['level:1'][2], helped['level:1'] ?? 0];
};
const HELPS = {
  'none': [[move('b1-c1')], 0],
  'a hint': [[{ type: 'hint' }, move('b1-c1')], 2],
  'the values': [[{ type: 'changeSetting', name: 'values', value: true }, move('b1-c1')], 2],
  'a move that is taken back': [[move('b1-c1'), step(-1), move('d1-c1')], 2],
  'none in Play': [[move('b1-c1'), show('explore'), step(-1), move('d1-c1'), show('play')], 0],
};
for (const [name, [actions, helped]] of Object.entries(HELPS))
  test(`games with help are counted apart: ${name}`, () => assert.deepEqual(countHelped(...actions), [2, helped]));

test('the mark of help stays with a game that is stored', () => {
  const { ownGame } = kept(after(), AGAINST, { type: 'hint' }, move('b1-c1'));
  assert.equal(ownGame.helped, true);
  assert.equal(page.reduce({ ...page.blank(), ownGame }, open('#')).game.isHelped, true);
});

// ---- games against a friend ----

test('an invitation is kept before its first move', () =>
  assert.equal(kept(after(), open('#friend=17'), show('puzzle')).ownGame?.white, 'friend:17'));

test('a damaged link of a friend is reported', () => {
  for (const part of ['moves=b1c1.b5a1', 'moves=b1c1.b5', 'moves=b1c1&end=lost', 'start=xyz', 'moves=b1c1&x=1'])
    assert.deepEqual(after(open(`#${part}&friend=17`)).notice, ['friendDamaged'], part);
});

test('a link of a friend leaves the own game as it is, if it is older, damaged or differs', () => {
  const LINKS_OF_FRIENDS = {
    'b1c1.b5c5': null, 'b1c1.b5c5.c4a2.c5c9': ['friendDamaged'], 'b1c1.c2c3.c1a3.c3e1': ['friendDiffers'],
  };
  for (const [moves, notice] of Object.entries(LINKS_OF_FRIENDS)) {
    const { game, notice: found } = after(...FRIEND, move('c4-a2'), open(`#moves=${moves}&friend=17`));
    assert.deepEqual([game.gameState.moves, found], [['b1-c1', 'b5-c5', 'c4-a2'], notice], moves);
  }
});

test('a move is replaced until the friend has answered it, and what was tried in Explore is not sent', () => {
  const back = step(-1);
  assert.equal(page.canMove(after(...FRIEND, back)), false);
  for (const tried of [[move('c4-a2'), back], [show('explore'), move('c4-a2'), show('play')]])
    assert.equal(page.addressOf(after(...FRIEND, ...tried, move('c4-e2'))), 'friend=17&moves=b1c1.b5c5.c4e2');
});

test('a game against a friend that was left is that of its links, and is left once, until it is over', () => {
  const left = [...FRIEND, move('c4-a2'), AGAINST, move('b1-b4')];
  const link = (moves) => open(`#friend=17&moves=b1c1.b5c5.c4a2${moves}`);
  const found = (moves, ...actions) => kept(after(), ...left, link(moves), ...actions);
  const own = found('').game;
  assert.deepEqual([own.players, own.isForeign], [{ black: 'human', white: 'friend:17' }, true]);
  const leftIn = ({ recent }) => recent.map(({ game }) => `${game.white} ${game.moves}`);
  assert.deepEqual(leftIn(found('.c5a3', arrived, move('c1-a1'))), ['level:1 b1b4']);
  assert.deepEqual(leftIn(found('.c5a3', arrived, move('c1-a1'), AGAINST)),
    ['friend:17 b1c1.b5c5.c4a2.c5a3.c1a1', 'level:1 b1b4']);
  assert.deepEqual(leftIn(found('&end=resigned-white')), []);
});

test('the comments on a game against a friend that was left are there when a link has ended it', () => {
  const noted = [...FRIEND, move('c4-a2'), show('explore'), note, show('play'), AGAINST, move('b1-b4')];
  const link = open('#friend=17&moves=b1c1.b5c5.c4a2&end=resigned-white');
  const { recent, games, ownGame } = kept(after(), ...noted, link);
  assert.deepEqual([games.length, ownGame.moves], [1, 'b1b4']);
  const left = recent.map(({ game: { notes, end, counted } }) => [notes, end, counted]);
  assert.deepEqual(left, [['3  Mine', 'resigned-white', true]]);
  const again = kept({ ...page.blank(), recent, games, ownGame }, link, AGAINST, move('b1-a1'), link);
  assert.deepEqual([again.game.tree.current.comment, again.games.length], ['Mine', 1]);
});

test('a link of a friend does not take the place of another game before a move', () => {
  const linked = kept(after(), TWO, move('b1-c1'), ...FRIEND);
  assert.equal(linked.ownGame.moves, 'b1c1');
  const { gameState, players } = page.reduce(linked, { type: 'resumeGame' }).game;
  assert.deepEqual([gameState.moves, players], [['b1-c1'], TWO.players]);
});

test('the own game is left when one that a link has opened takes its place', () => {
  for (const actions of [[move('d5-d1')], RESIGN, DRAW]) {
    const { recent, ownGame } = kept(after(), ...MOVED, open('#moves=d1c1'), ...actions);
    assert.deepEqual([recent.map(({ game }) => game.moves), ownGame.moves.slice(0, 4)], [['b1c1'], 'd1c1']);
  }
});

test('a game that was left with notes is not lost to one with the same moves', () => {
  const noted = [TWO, move('b1-c1'), show('explore'), note];
  const notesLeft = (...actions) => kept(after(), ...actions).recent.map(({ game }) => game.notes);
  const link = [open('#moves=b1c1&notes=1+c3+'), move('b5-a4')];
  assert.deepEqual(notesLeft(...noted, ...link), ['1  Mine']);
  assert.deepEqual(notesLeft(TWO, move('b1-c1'), ...link), []);
  assert.deepEqual(notesLeft(...MOVED, ...ANOTHER, ...MOVED, show('explore'), note, show('play'), ...RESIGN), []);
  assert.deepEqual(notesLeft(...noted, TWO, move('b1-c1'), TWO), ['', '1  Mine']);
  assert.deepEqual(notesLeft(TWO, move('b1-c1'), TWO, move('b1-c1'), TWO), ['']);
});

test('a resignation in a game against a friend, which a link has opened, is stored', () => {
  const { ownGame } = kept(after(), TWO, move('b1-c1'), ...FRIEND, ...RESIGN);
  assert.deepEqual([ownGame.end, ownGame.white], ['resigned-black', 'friend:17']);
});

test('who resigns while looking back at a game against a friend resigns at its end', () => {
  const { gameState } = after(...FRIEND, goto(0), ...RESIGN).game;
  assert.deepEqual([gameState.plies, gameState.end.reason], [2, 'resigned']);
});

test('who resigns while a friend is to move loses', () => {
  const { gameState } = after(...FRIEND, move('c4-a2'), ...RESIGN).game;
  assert.deepEqual(gameState.end, { reason: 'resigned', winner: 'white' });
});

test('nobody ends a game against a friend that is over', () => {
  const over = [open('#moves=b1c1.b5c5.c4e2.c2e4.e2e1&friend=17'), arrived];
  for (const ending of [RESIGN, DRAW]) {
    const { tree, gameState } = after(...over, goto(3), ...ending).game;
    assert.equal(tree.end().stated, undefined);
    assert.equal(gameState.end.reason, 'won');
  }
  const resigned = after(...FRIEND, ...RESIGN, goto(1), ...DRAW).game;
  assert.equal(resigned.gameState.end.reason, 'resigned');
});

test('a draw that is offered to a friend ends the game at its end, unless one of them plays on', () => {
  assert.equal(after(...FRIEND, { type: 'agreeDraw' }).heard.sentences[0], 'Offer a draw: are you sure?');
  const offered = after(...FRIEND, move('c4-a2'), goto(1), ...DRAW);
  assert.deepEqual([offered.game.gameState.plies, offered.game.gameState.end?.reason], [3, 'agreed']);
  assert.equal(from(offered, open('#moves=b1c1.b5c5.c4a2.c2c4&friend=17'), arrived).game.gameState.end, null);
  const received = after(...FRIEND, open('#moves=b1c1.b5c5&end=agreed&friend=17'));
  assert.equal(received.game.gameState.end?.reason, 'agreed');
  const goesOn = from(received, step(-1), move('c4-a2'));
  assert.deepEqual([goesOn.game.gameState.plies, goesOn.game.gameState.end, goesOn.game.tree.end().stated],
    [3, null, undefined]);
  const endsOf = (state, ...actions) => from(state, ...actions).games.map(({ end }) => end);
  assert.deepEqual(endsOf(received), ['agreed']);
  assert.deepEqual(endsOf(goesOn, ...RESIGN), ['resigned-black']); // in place of the draw
  const resigned = from(offered, open('#moves=b1c1.b5c5.c4a2.c2c4&friend=17'), arrived, ...RESIGN);
  assert.deepEqual(endsOf(resigned), ['resigned-black']);
  const again = [AGAINST, open('#moves=b1c1.b5c5&end=agreed&friend=17'), arrived];
  assert.deepEqual(endsOf(resigned, ...again), ['resigned-black']); // not an old link
});

test('the resignation of a friend who has not seen the last move ends the game, which is kept', () => {
  const resignation = open('#moves=b1c1.b5c5&end=resigned-white&friend=17');
  const { game: { gameState, isCounted }, games } = after(...FRIEND, move('c4-a2'), resignation);
  assert.deepEqual([gameState.plies, gameState.end?.winner, isCounted, games.length], [3, 'black', true, 1]);
});

test('a move of a friend is the last one of the game, after a move of the user', () => {
  const { game } = after(...FRIEND, move('c4-a2'), open('#moves=b1c1.b5c5.c4a2.c2c4&friend=17'), arrived);
  assert.deepEqual([game.gameState.moves.at(-1), game.tree.end().move], ['c2-c4', 'c2-c4']);
});

test('a link of a friend to a game with another start leaves the own game as it is', () => {
  const { game, notice } = after(open('#friend=17'), open(`#start=${FAIR.replace(' ', '_')}&moves=a4a5&friend=17`));
  assert.deepEqual([game.gameState.plies, notice], [0, ['friendDiffers']]);
});

test('a game that the last move of a friend ends is kept when the user looks elsewhere first', () => {
  const { games } = after(open('#moves=b1c1.b5c5.c4e2.c2e4.e2e1&friend=17'), show('explore'), show('play'));
  assert.equal(games.length, 1);
});

test('in a game of a friend, the user is to move, also where White begins', () => {
  const { players } = after(open(`#start=${FAIR.replace(/ b$/, '_w')}&friend=17`)).game;
  assert.deepEqual(players, { black: 'friend:17', white: 'human' });
});

test('a move of a friend does not arrive in the introduction', () => {
  const asked = after(open('#moves=b1c1.b5c5&friend=17'), { type: 'introduce' });
  assert.equal(page.reduce(asked, arrived(asked)).game.gameState.plies, 1);
});

test('a game against a friend follows one that another window has ended', () => {
  const { ownGame, ...state } = kept(after(), ...FRIEND);
  assert.equal(page.followFriend(state, ownGame), null);
  assert.equal(page.followFriend(state, { ...ownGame, end: 'resigned-white' }).game.gameState.end.winner, 'black');
});
