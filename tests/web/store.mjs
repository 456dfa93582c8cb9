// Tests of what an action makes of the page's state (web/page/state/store.ts), without a browser. From the environment:
// what state.mjs names.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Engine } from '../../web/engine/engine.js';
import { EngineError, Module } from '../../web/engine/module.js';
import { solveInMemory } from '../../web/engine/solve.js';
import { EXERCISES as LESSONS } from '../../web/page/state/aims.js';
import { MOST_COMMENT, MOST_MARKS, MOST_MOVES } from '../../web/page/state/tree.js';
import { randomOf } from './browser.mjs';
import {
  AGAINST, ANOTHER, DRAW, EXERCISES, FAIR, MOVED, NEUTREEKO_WASM, OTHER_STUDY, RESIGN, STUDY, TWO, after, done,
  engine, from, goto, kept, move, note, open, page, searching, select, show, solved, spokenAfter, step, unsolved,
  withStored,
} from './state.mjs';

const SMALL = { width: 4, height: 4 };

/** The engine of a board, with its rules and, later, its values. */
async function engineOf(board) {
  const module = await Module.instantiate(readFileSync(NEUTREEKO_WASM));
  module.useBoard(board);
  const solve = () => {
    for (const _ of solveInMemory(module));
    return new Engine(module, true);
  };
  return { rules: new Engine(module, false), solve };
}

const SHARE = { type: 'open', dialog: 'share' };
/** The actions that open a text. */
const opening = (text) => [SHARE, { type: 'openText', text }];
const FILE = { size: 9 };
const CHOOSE_FILE = [SHARE, { type: 'openFile', file: FILE }];
const readFile = (text) => ({ type: 'fileRead', request: FILE, text });
/** The reply of an opponent, and that in a puzzle. */
const reply = ({ game: { gameState: request } }) => ({ type: 'reply', request, seed: 1 });
const replyInPuzzle = ({ exercises: { puzzle } }) => ({ type: 'exerciseStep', request: puzzle.gameState, seed: 1 });
/** A puzzle in which a draw is to be kept. */
const TO_DRAW = open('#view=puzzle&start=5/5/w4/5/bbwbw_b');
/** The last move of a friend arrives. */
const arrived = (state) => ({ type: 'friendMoved', request: state.game.coming });
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

// ---- records, files and what is typed ----

test('a notice remains when something is done that leaves the view as it is, also in a dialog', () => {
  const { notice } = after(open('#moves=zz'), { type: 'flip' }, { type: 'hint' }, { type: 'openNotes', isOpen: true },
    { type: 'leaveField' }, { type: 'changeNewGame', changes: { fair: '7' } }, { type: 'open', dialog: 'menu' },
    { type: 'changePicture', changes: { isMoreShown: true } }, { type: 'changeSetting', name: 'sound', value: true },
    { type: 'close' });
  assert.deepEqual(notice, ['badLink']);
});

test('what is typed in the dialog for sharing remains when it is closed', () => {
  const typed = { type: 'type', field: { kind: 'open' }, text: '1. b1-c1' };
  const copied = { type: 'copied', what: 'picture' }; // which is said once
  const { share } = after(SHARE, typed, copied, { type: 'close' }, SHARE);
  assert.deepEqual([share.text, share.copied], ['1. b1-c1', '']);
});

test('a file that is read after its dialog was closed opens nothing', () => {
  const { game } = after(...CHOOSE_FILE, { type: 'close' }, readFile('1. b1-c1'));
  assert.deepEqual(game.gameState.moves, []);
});

test('a file that cannot be read or is too large is reported', () => {
  assert.deepEqual(after(SHARE, { type: 'openFile', file: { size: 1e6 + 1 } }).share.error, ['fileTooLarge']);
  assert.deepEqual(after(...CHOOSE_FILE, readFile(null)).share.error, ['fileUnreadable']);
  assert.equal(after(...CHOOSE_FILE, readFile(null), ...CHOOSE_FILE.slice(1)).share.error, null); // not of another one
});

test('of the name of a player, as much is shown as has room', () => {
  const { game } = after(open(`#moves=b1c1&names=%0A${'x'.repeat(101)}`));
  assert.equal(game.tree.names, `\n${'x'.repeat(100)}`);
  const { tree } = after(open(`#moves=b1c1&names=${'x'.repeat(99)}${encodeURIComponent('\u{1f600}')}`)).game;
  assert.equal(tree.names, `${'x'.repeat(99)}\n`); // an address could not have half of the last one
});

test('a record keeps the longest names that the page has', () => {
  const name = '\u52dd'.repeat(100);
  const { tree } = after(...CHOOSE_FILE, readFile(`[White "${name}"]\n1. b1-c1`)).game;
  assert.equal(tree.names, `\n${name}`);
  assert.match(page.engine.writeRecord(page.recordOf(tree, true)), new RegExp(`\\[White "${name}"\\]`));
});

test('the games of a file are a study, with what they have in common as its title', () => {
  const games = '[Event "Club: One"]\nb1-c1 {Black resigns} 1-0\n\n[Event "Club: Two"]\nd1-c1 *\n';
  const { study } = after(...opening(games)).share.opening;
  assert.deepEqual([study.title, study.positions.map(({ moves, notes }) => [moves, notes])], [
    'Club', [['b1c1', '0  One\v(1-0)'], ['d1c1', '0  Two']]]);
});

test('games with more text than a study may have are refused', () => {
  const { share } = after(...CHOOSE_FILE, readFile(`[Event "x"]\nb1-c1 {${'x'.repeat(9999)}}\n`.repeat(10)));
  assert.deepEqual([share.error, share.opening], [['fileTooLarge'], null]);
});

test('a record of more moves than a tree may have is refused', () => {
  const { game, share } = after(...CHOOSE_FILE, readFile(`b1-c1${' (b1-b4)'.repeat(MOST_MOVES)}`));
  assert.deepEqual(share.error, ['tooManyMoves', MOST_MOVES]);
  assert.deepEqual(game.gameState.moves, []);
  const second = pasted(`[Event "x"]\nb1-c1\n[Event "y"]\nb1-c1${' (b1-b4)'.repeat(MOST_MOVES)}`).share.error;
  assert.deepEqual(second, ['openFailed', ['unreadGame', 2, ['tooManyMoves', MOST_MOVES]]]);
});

/** The state with as many moves as a tree may have: made once. */
let most;
const filled = () =>
  (most ??= after(...opening(`b1-c1${' (b1-b4)'.repeat(MOST_MOVES - 2)}`), move('b5-c5')));

test('a move of which the tree would have too many is refused', () => {
  const full = filled();
  assert.deepEqual([full.view, full.game.gameState.moves, full.notice], ['explore', ['b1-c1', 'b5-c5'], null]);
  const refused = page.reduce(full, move('c4-e2'));
  assert.deepEqual([refused.game.gameState.moves, refused.notice],
    [['b1-c1', 'b5-c5'], ['tooManyMoves', MOST_MOVES]]);
  const back = from(full, step(-1), move('b5-c5'));
  assert.deepEqual([back.game.gameState.moves, back.notice], [['b1-c1', 'b5-c5'], null]);
});

test('a notice remains when something is copied', () => {
  const { notice } = after({ type: 'openAddress', hash: '#moves=zz' }, { type: 'copied', what: 'link' });
  assert.deepEqual(notice, ['badLink']);
});

test('that another window stores its game is spoken once, however long that goes on', () => {
  const { ownGame } = kept(after(TWO, move('d1-c1')));
  const saved = (moves) => ({ type: 'storageChanged', game: { ...ownGame, moves } });
  const spoken = (...actions) => spokenAfter(after(TWO, move('b1-c1')), ...actions);
  assert.match(spoken(saved('d1c1'))[0], /^Another window has saved its game/);
  assert.deepEqual(spoken(saved('d1c1'), saved('d1c1.d5c5')), []);
  assert.deepEqual(spoken(open('#moves=c4c5'), saved('d1c1.d5c5')), []); // a link is only looked at
  assert.deepEqual(spokenAfter(after(), saved('d1c1')), []); // no move could be lost
});

const BAD_LINK = 'Part of this link is invalid. The page shows the rest.';
test('a notice is spoken once, after all else, and again when it is given again', () => {
  const spoken = (...actions) => spokenAfter(after(), ...actions);
  assert.deepEqual(spoken(open('#moves=zz')), [BAD_LINK]);
  assert.deepEqual(spoken(open('#moves=zz'), { type: 'flip' }), ['White at the bottom.']);
  assert.deepEqual(spoken(...opening('1. b1-c1 resign 1-0')),
    [page.STATUS, 'The record gives another result than its moves, which count.']);
  const refused = spokenAfter(filled(), move('c4-e2'), move('c4-e2'));
  assert.deepEqual(refused, [`This page can keep at most ${MOST_MOVES} moves of a game.`]);
});

test('a picture that is copied is not reported as refused any more', () => {
  const refused = { type: 'copyFailed' };
  const copied = { type: 'copied', what: 'picture' };
  assert.deepEqual(after(SHARE, refused, copied).share, after(SHARE, copied).share);
});

test('what was set up remains when another view has been looked at, until the game has another position', () => {
  const placed = [show('editor'), { type: 'place', square: 'a1', piece: 'black' }, show('explore')];
  const pieces = (...actions) => after(...placed, ...actions, show('editor')).editor.pieces;
  assert.equal(pieces().get('a1'), 'black');
  assert.equal(pieces(move('b1-c1')).get('a1'), undefined);
  const linked = after(open('#view=editor&start=b4/5/5/5/5_b'), show('explore'), show('editor'));
  assert.deepEqual([...linked.editor.pieces], [['a5', 'black']]);
});

const TYPED = {
  'in the editor': [show('editor'), 'notation', ({ editor }) => editor.typed],
  'in the dialog for sharing': [SHARE, 'open', ({ share }) => share.text],
};
test('what is typed in the dialog for sharing is not replaced by what the history has from before', () => {
  const typed = { type: 'type', field: { kind: 'open' }, text: 'new' };
  const entry = { own: null, opened: null, id: null, notation: null, notice: null, text: 'old' };
  const textAfter = (...actions) => after(...actions, { ...open('#'), entry }).share.text;
  assert.deepEqual([textAfter(), textAfter(SHARE, typed)], ['old', 'new']);
});

for (const [where, [enter, kind, typedIn]] of Object.entries(TYPED))
  test(`what is typed ${where} is there again when the page is loaded again`, () => {
    kept(after(), enter, { type: 'type', field: { kind }, text: 'b1' });
    assert.equal(typedIn(page.reduce(page.blank(), page.openingOfHistory())), 'b1');
  });

test('in the editor, a piece takes the place of one of the other side, and goes when it is placed again', () => {
  const placed = Array(2).fill({ type: 'place', square: 'b1' }); // where a black one is
  const found = [1, 2].map((count) =>
    after(show('editor'), { type: 'chooseBrush', brush: 'white' }, ...placed.slice(0, count)).editor.pieces.get('b1'));
  assert.deepEqual(found, ['white', undefined]);
  const { pieces } = after(show('editor'), { type: 'place', square: 'a1', piece: null }).editor; // by a key
  assert.equal(pieces.has('a1'), false);
});

test('in the editor, a colour is chosen, and the start position comes back', () => {
  const state = after({ type: 'chooseStart', position: FAIR }, show('editor'), { type: 'clearBoard' },
    { type: 'chooseBrush', brush: 'white' }, { type: 'loadStart' });
  assert.deepEqual([state.editor.brush, page.verdictOf(state)], ['white', { ok: true, position: FAIR }]);
});

test('a start that is chosen for one board leaves those of others', () => {
  const state = after();
  const settings = { ...state.settings, starts: { '4x4/3': 'x' } };
  const { starts } = page.reduce({ ...state, settings }, { type: 'chooseStart', position: FAIR }).settings;
  assert.deepEqual(starts, { '4x4/3': 'x', '5x5/3': FAIR });
});

/** What is opened when a text is pasted. */
const pasted = (text) => after(...opening(text));

test('an illegal position, or a fair start that does not exist, is reported without a place', async () => {
  const { rules } = await engineOf({ ...SMALL, pieces: 4 });
  const state = page.reduce(page.initial(rules), open('#board=4x4/4&view=editor&start=bb2/4/4/wwww_b'));
  const { share } = page.reduce(state, { type: 'openText', text: 'bb2/4/4/wwww b' });
  assert.deepEqual(share.error, ['openFailed', ['error_black-count', 4, 2]]);
  const { heard, ...placed } = page.reduce(state, { type: 'place', square: 'c4', piece: 'black' });
  assert.equal(heard.sentences.at(-1)(placed), 'Black must have 4 pieces but has 3.');
  assert.deepEqual(pasted('fair:999').share.error, ['openFailed', ['error_fair']]);
});

/** What a pasted record shows: how the game ended, the end in the address, and the notice. */
const RESULTS = {
  '1. b1-c1 b5-c5 1-0': ['stated', 'white', 'won-white', null],
  '[Termination "time forfeit"]\n\n1. b1-c1 b5-c5 0-1': ['time', 'black', 'time-white', null],
  '1. b1-c1 b5-c5 {White resigns} 0-1': ['resigned', 'black', 'resigned-white', null],
  '1. b1-c1 b5-c5 2. resign': ['resigned', 'white', 'resigned-black', null],
  '1. b1-c1 b5-c5 {Draw agreed} 1/2-1/2': ['agreed', null, 'agreed', null],
  '1. b1-c1 b5-c5 1/2-1/2': ['stated', null, 'drawn', null],
  '[Result "1-0"]\n\n1. b1-c1 b5-c5 0-1': ['stated', 'black', 'won-black', ['warnResults']],
  '1. b1-c1 resign 1-0': ['resigned', 'black', 'resigned-white', ['warnResult']],
  '1. b1-c1 {One.\n\nTwo.} b5-c5 \u00b1\nBlack wins': ['stated', 'black', 'won-black', ['warnSkipped', 3]],
  '[Result "2-0"]\n1. b1/c1 b5/c5 draw agreed': ['agreed', null, 'agreed', ['warnSkipped', 1]],
};
for (const [text, [reason, winner, end, notice]] of Object.entries(RESULTS))
  test(`a record with an end is shown, linked and written with it: ${JSON.stringify(text)}`, () => {
    const state = pasted(text);
    assert.deepEqual([state.game.gameState.end, state.notice], [{ reason, winner }, notice]);
    const address = page.gameAddress(state, 'explore');
    assert.equal(new URLSearchParams(address).get('end'), end);
    assert.deepEqual(after(open(`#${address}`)).game.gameState.end, { reason, winner });
    const again = page.engine.readRecord(page.engine.writeRecord(page.recordOf(state.game.tree, true)));
    assert.deepEqual(again.end, { reason, winner });
  });

test('a game that goes on after threefold repetition is shown up to there, and that is said', () => {
  const { game, notice } = pasted('b1-a1 d5-e5 a1-c1 e5-c5 c1-a1 c5-e5 a1-c1 e5-c5 c1-a1 c5-e5 a1-c1');
  assert.equal(game.gameState.end.reason, 'repetition');
  assert.deepEqual([game.tree.path().length, notice], [10, ['warnRepetition']]);
});

for (const text of ['hello/world/xxxxx/abcde/fghij b', '1w1w1/2b2/5/2w2/1b0b1 b', '1w1w1/2b2/5/2?2/1b1b1 b'])
  test(`${text}, typed or pasted in the editor, leaves the board as it is`, () => {
    const state = after(show('editor'), { type: 'type', field: { kind: 'notation' }, text });
    assert.equal(state.editor.pieces.size, 6);
    assert.equal(state.editor.pieces.get('c2'), 'white');
    assert.equal(page.verdictOf(state).ok, false);
  });

const PAGE_LINK = 'https://example.org/neutreeko.html#view=explore&moves=d1c1';
const COMMENTED = {
  'with another address': '1. b1-c1 {see https://example.org/#games} b5-c5',
  'that is a link of a page': '1. b1-c1 b5-c5 {https://example.org/#moves=b1a1}',
  'behind # that is such a link': '1. b1-c1 b5-c5\n# (https://example.org/#moves=b1a1)',
  'with the end of a link in parentheses': '1. b1-c1 b5-c5 (see #moves=b1a1)',
  'with a link of a page': `1. b1-c1 {see ${PAGE_LINK} for more} b5-c5`,
  'at its start': '{A good game} 1. b1-c1 b5-c5',
  'in quotation marks at its start': '{"A good game"} 1. b1-c1 b5-c5',
  'of a line at its start': '#good\n1. b1-c1 b5-c5',
};
for (const [name, text] of Object.entries(COMMENTED))
  test(`a record that has a comment ${name} is opened`, () => {
    const { game, share } = pasted(text);
    assert.deepEqual([game.gameState.moves.concat(game.gameState.undone), share.error], [['b1-c1', 'b5-c5'], null]);
  });

test('a record with a link in a comment is not replaced by that of the link if it is wrong', () => {
  const { game, share } = pasted(`1. b1-c1 b5-b2 {see ${PAGE_LINK}}`);
  assert.deepEqual([game.gameState.moves, share.error[0]], [[], 'openFailed']);
});

/** Long texts that are soon read, and why they are not opened or, if they are, what is said of them. */
const long = (text) => text.repeat(3e5 / text.length);
const LONG_TEXTS = {
  'beginnings of links': [long('http://'), ['openFailed', ['unread_address']]],
  'beginnings of comments': [long('{'), ['openFailed', ['unreadPlace', 1, ['unread_comment']]]],
  'beginnings of circles': [`b1-c1 {${long('[%csl ')}}`, ['commentsCut', MOST_COMMENT]],
  'signs of links in parentheses': [`b1-c1 (${long('#')}`, ['openFailed', ['unreadPlace', 7, ['unread_other']]]],
  'blanks in a comment': [`b1-c1 {a${long('\u00a0')}a}`, ['commentsCut', MOST_COMMENT]],
  'line breaks in a comment': [`b1-c1 {a${long('[%br]')}a}`, ['commentsCut', MOST_COMMENT]],
  'blanks in a position': [`b1/b${long(' ')}x`, ['openFailed', ['error_syntax', 3]]],
  'full stops in a link': [`#moves=b1c1${long('.')}a`, ['badLink']],
  'letters before an error': [`b1-c1 {${long('x')}\n} (`, ['openFailed', ['unreadPlace', 300011, ['unread_other']]]],
  'letters of a word before an error': [`b1-c1 {${long('x')}} (`,
    ['openFailed', ['unreadPlace', 300010, ['unread_other']]]],
  'signs of mail before words': [`${long('>')}${long('1. ')}`, ['openFailed', ['unread_none']]],
  'signs of lists before a word': [`${long('* ')}(`, ['openFailed', ['unreadPlace', 300001, ['unread_other']]]],
};
for (const [name, [text, said]] of Object.entries(LONG_TEXTS))
  test(`a text with very many ${name} is soon read`, () => {
    const { share: { error }, notice } = pasted(text);
    assert.deepEqual(error ?? notice, said);
  });

test('a study that was cut off is reported as damaged', () => {
  assert.deepEqual(pasted('{\n "neutreeko-study": 1,\n "board": "5x5').share.error, ['studyDamaged']);
});

test('after an illegal move in a line the engine answers of the positions that it is asked for', () => {
  const { engine, start } = after();
  const { position } = page.stateAt(engine, start, ['b1-c1', 'b5-c5']);
  assert.throws(() => page.stateAt(engine, start, ['b1-b4', 'b5-c5', 'c4-c4']));
  assert.equal(page.stateAt(engine, start, ['b1-c1', 'b5-c5']).position, position);
});

// ---- comments and drawings ----

test('a comment belongs to the position that it was typed for', () => {
  const before = after(show('explore'), move('b1-c1'));
  const { origin, current: { id: node } } = before.game.tree;
  const gone = page.reduce(before, step(-1));
  const { game } = page.reduce(gone, { type: 'type', field: { kind: 'comment', origin, node }, text: 'Here' });
  assert.equal(game.tree.node(node).comment, 'Here');
  assert.equal(game.tree.current.comment, '');
});

test('while a comment is typed, the page shows the one before, and the field all spaces', () => {
  const state = after(show('explore'), open('#view=explore&moves=b1c1&notes=1++Old'));
  const field = page.fieldOf(state);
  const typed = ['Old n', 'Old  news'].reduce((last, text) => page.reduce(last, { type: 'type', field, text }), state);
  assert.deepEqual([page.commentOf(typed, typed.game.tree.current), page.typedIn(typed, field)], ['Old', 'Old  news']);
  assert.equal(page.commentOf(typed, typed.game.tree.root), '');
  assert.equal(typed.typing.isPending, true);
  const left = page.reduce(typed, { type: 'leaveField' });
  assert.deepEqual([page.commentOf(left, left.game.tree.current), page.typedIn(left, field)], ['Old  news', null]);
  const { before, isPending } = page.reduce(typed, { type: 'type', field: { kind: 'open' }, text: 'b' }).typing;
  assert.deepEqual([before, isPending], ['', false]); // of another field
});

const LONG = 1000; // characters of a comment
/** A record of so many comments. */
const commented = (count) => `b1-c1${` (b1-b4 {${'x'.repeat(LONG)}})`.repeat(count)}`;

const MANY = 140; // comments, 140,000 characters together
const notesOf = ({ game }) => game.tree.write().notes;

test('all comments of a record that was opened are there again when the page is loaded again', () => {
  const opened = kept(after(), ...opening(commented(MANY)));
  const { notice, ...again } = page.reduce(page.blank(), page.openingOfHistory());
  assert.equal(notesOf(again).length > MANY * LONG, true);
  assert.equal(notesOf(again), notesOf(opened));
  assert.equal(notice, null);
});

test('all comments of the own game are there again when the page is loaded again', () => {
  const { game } = after(...opening(commented(MANY)));
  const { moves, notes } = game.tree.write();
  const stored = { start: game.tree.start, moves, at: 0, last: -1, end: '', notes, ...TWO.players, counted: false };
  const found = withStored({ 'neutreeko-game': stored }, () => page.catchUp(page.blank(), open('#')));
  assert.equal(notesOf(page.reduce(found, open('#'))), notes);
});

const LENGTHS = {
  'as long as they may be': [MOST_COMMENT, null],
  'longer': [MOST_COMMENT + 1, ['commentsCut', MOST_COMMENT]],
};
for (const [name, [length, notice]] of Object.entries(LENGTHS))
  test(`it is said if comments of a record are cut: ${name}`, () => {
    const state = after(...opening(`1. b1-c1 {[%csl Gc3] ${'x'.repeat(length)}}`));
    assert.deepEqual(state.notice, notice);
    assert.equal(state.game.tree.current.comment.length, MOST_COMMENT);
  });

const FULL = 892; // comments in a link that has room for one more, which is short
test('a record whose comments are too long for a link is refused', () => {
  const { share, game } = after(...opening(commented(FULL + 1)));
  assert.deepEqual(share.error, ['commentsFull']);
  assert.equal(notesOf({ game }), '');
});

test('a comment that is too long is refused, and not cut', () => {
  const state = after(show('explore'));
  const field = { kind: 'comment', origin: state.game.tree.origin, node: 0 };
  const typed = page.reduce(state, { type: 'type', field, text: 'Short' });
  const pasted = page.reduce(typed, { type: 'type', field, text: `Short${'x'.repeat(MOST_COMMENT)}` });
  assert.equal(pasted.game.tree.root.comment, 'Short');
  assert.deepEqual([pasted.typing.text, pasted.notice], ['Short', ['commentTooLong', MOST_COMMENT, MOST_COMMENT + 5]]);
});

test('what makes the comments too long for a link is refused where it is typed or drawn', () => {
  const full = after(...opening(commented(FULL)), goto(0));
  const { origin } = full.game.tree;
  const field = { kind: 'comment', origin, node: 0 };
  const type = (length) => ({ type: 'type', field, text: 'y'.repeat(length) });
  const noteIn = ({ game: { tree } }) => tree.root;
  const refused = page.reduce(full, type(MOST_COMMENT));
  assert.deepEqual([noteIn(refused).comment, refused.notice], ['', ['commentsFull']]);
  const accepted = page.reduce(refused, type(300));
  assert.deepEqual([noteIn(accepted).comment.length, accepted.notice], [300, null]);
  const room = 9e5 - encodeURIComponent(notesOf(accepted)).replaceAll('%20', '+').length;
  const filled = page.reduce(accepted, type(300 + room));
  assert.equal(noteIn(filled).comment.length, 300 + room);
  const drawn = page.reduce(filled, { type: 'mark', from: 'c3', to: 'c3' });
  assert.deepEqual([noteIn(drawn).marks, drawn.notice], [[], ['commentsFull']]);
  assert.equal(noteIn(page.reduce(filled, type(0))).comment, '');
});

test('what belongs to a comment opens when drawing begins, and remains when that ends', () => {
  const toggle = { type: 'togglePen' };
  const shown = (...actions) => {
    const { pen, areNotesOpen } = after(show('explore'), ...actions);
    return [pen, areNotesOpen];
  };
  assert.deepEqual(shown(toggle), [true, true]);
  assert.deepEqual(shown({ type: 'openNotes', isOpen: true }, toggle, toggle), [false, true]);
});

test('the most drawings are drawn on a position, and no more', () => {
  const squares = ['a', 'b', 'c', 'd', 'e'].flatMap((file) => [1, 2, 3, 4, 5].map((rank) => file + rank));
  const draw = squares.flatMap((to) => ['c3', 'd5', 'e1'].map((from) => ({ type: 'mark', from, to })));
  const full = after(show('explore'), ...draw.slice(0, MOST_MARKS));
  assert.equal(full.game.tree.current.marks.length, MOST_MARKS);
  const refused = page.reduce(full, draw[MOST_MARKS]);
  assert.equal(refused.game.tree.current.marks.length, MOST_MARKS);
  assert.match(refused.heard.sentences[0], /50/);
  assert.equal(page.reduce(full, draw[0]).game.tree.current.marks.length, MOST_MARKS - 1); // it is erased
  const { tree } = pasted(`{[%cal ${draw.map(({ from, to }) => `G${from}${to}`)}]} b1-c1`).game;
  assert.equal(tree.root.marks.length, MOST_MARKS);
});

test('a comment on the start position is stored', () => {
  const comment = ({ game: { tree: { origin } } }) =>
    ({ type: 'type', field: { kind: 'comment', origin, node: 0 }, text: 'Here' });
  const { ownGame } = kept(after(), show('explore'), comment);
  assert.equal(ownGame.notes, '0  Here');
});

// ---- links, the history and the own game ----

const FROM_FAIR = [
  { type: 'openNewGame', position: FAIR }, { type: 'changeNewGame', changes: { opponent: 'human' } },
  { type: 'beginNewGame', seed: 1 },
];
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

const RESUME = ({ recent: [{ game }] }) => ({ type: 'resumeRecent', game });
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

// ---- games against a friend ----

const FRIEND = [open('#moves=b1c1.b5c5&friend=17'), arrived];

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

// ---- puzzles, lessons and the introduction ----

test('the deletion of the results is spoken', () => {
  const { results, heard } = after({ type: 'deleteResults' }, { type: 'deleteResults' });
  assert.deepEqual([results.puzzles, heard.sentences], [{}, ['Deleted.']]);
});

test('that there is no puzzle is said until another one is looked for', () => {
  const found = ({ exercises: { puzzle } }) => ({ type: 'exerciseFound', request: puzzle.search, found: [] });
  const none = (...actions) => after(show('puzzle'), found, ...actions).exercises.puzzle.none;
  assert.deepEqual([none(), none({ type: 'nextExercise', from: 'hard' })], ['puzzleNoneNote', '']);
  const reasons = [[[], { games: [], at: 0 }], [null, { games: [], at: 0 }]].map(([answer, request]) =>
    from(searching(request), { type: 'exerciseFound', request, found: answer }).exercises.puzzle.none);
  assert.deepEqual(reasons, ['mistakesNone', 'puzzleUnread']);
});

test('after a mistake, the next one is asked for', () => {
  const mistakes = { type: 'nextExercise', from: 'mistakes' };
  const asked = [[mistakes], [mistakes, mistakes]].map((actions) =>
    after(show('puzzle'), ...actions).exercises.puzzle.search.at);
  assert.deepEqual(asked, [0, 1]);
});

test('a puzzle that is found late is not shown in place of the one that was asked for later', () => {
  const asked = after(show('puzzle'));
  const later = page.reduce(asked, { type: 'nextExercise', from: 'hard' });
  const found = [{ position: 'b4/1w1wb/1wb2/5/5 b' }];
  const state = page.reduce(later, { type: 'exerciseFound', request: asked.exercises.puzzle.search, found });
  assert.deepEqual([state.exercises.puzzle.item, state.settings.grade], [null, 'hard']);
});

const FOUND = [show('puzzle'), { type: 'flip' }, ({ exercises: { puzzle: { search: request } } }) =>
  ({ type: 'exerciseFound', request, found: [{ position: 'b4/1w1wb/1wb2/5/5 b' }] })];
const NEXT = {
  'a puzzle': FOUND, 'another view': [{ type: 'flip' }, show('explore')], 'a game': [{ type: 'flip' }, AGAINST],
  'the introduction': [{ type: 'flip' }, { type: 'introduce' }],
  'the view of an address': [show('explore'), { type: 'togglePen' }, { type: 'flip' }, open('#view=study')],
};
for (const [what, actions] of Object.entries(NEXT))
  test(`${what} that follows is neither turned nor drawn on as what was shown before`, () => {
    const { isTurned, pen } = after(...actions);
    assert.deepEqual([isTurned, pen], [false, false]);
  });

test('a puzzle counts once, also when the page is loaded again', () => {
  const first = kept(after(), TO_DRAW, { type: 'showAnswer' });
  const again = from({ ...page.blank(), results: first.results }, page.openingOfHistory(), { type: 'showAnswer' });
  assert.deepEqual([first, again].map(({ results }) => results.puzzles), Array(2).fill({ draw: [0, 1] }));
});

test('a puzzle goes on when the history leads back to it', () => {
  const { gameState } = after(TO_DRAW, move('a1-a2'), show('explore'), TO_DRAW).exercises.puzzle;
  assert.equal(gameState.plies, 1);
});

test('without a number, the first lesson that is not done opens', () => {
  const { settings, ...state } = after();
  const done = { ...state, settings: { ...settings, lessons: { slide: 4, line: 4, threat: 1 } } };
  const { name, number } = page.reduce(done, show('lessons')).exercises.lessons;
  assert.deepEqual([name, number], ['threat', 1]);
});

test('a lesson that is done stays done when it is repeated', () => {
  const { settings, ...state } = after();
  const done = { ...state, settings: { ...settings, lessons: { line: 4 } } };
  const [{ move: solution }] = page.engine.moves(LESSONS.line[0]);
  const { exercises, settings: { lessons } } = from(done, open('#view=lessons&at=2'), move(solution));
  assert.deepEqual([exercises.lessons.progress, lessons.line], ['solved', 4]);
});

const further = LESSONS.block[1];
const NOT_OF_THEME = {
  'a position that does not exercise the idea': [4, FAIR],
  'a position with White to move': [4, further.replace(/[bw]/g, (side) => (side === 'b' ? 'w' : 'b'))],
  'what cannot be read': [4, 'x'],
  'the theme of the first lesson': [1, LESSONS.slide[1]],
};
for (const [what, [at, position]] of Object.entries(NOT_OF_THEME))
  test(`${what} is not a puzzle of a theme: its lesson opens`, () => {
    const state = after(open(`#view=lessons&start=${position.replace(' ', '_')}&at=${at}`));
    assert.deepEqual([state.notice, page.addressOf(state)], [['badLink'], `view=lessons&at=${at}`]);
  });

test('while a puzzle of a theme is looked for, the one before is shown if it has the same theme', () => {
  const [position] = LESSONS.block;
  const practise = (theme) => ({ type: 'show', view: 'lessons', theme });
  const find = ({ exercises: { lessons } }) =>
    ({ type: 'exerciseFound', request: lessons.search, found: [{ position }] });
  const shown = (theme) => after(practise('block'), find, show('puzzle'), practise(theme)).exercises.lessons.item;
  assert.deepEqual(['block', 'line'].map((theme) => shown(theme)?.position), [position, undefined]);
});

test('an exercise of a lesson goes on when another view has been looked at', () => {
  const lesson = open('#view=lessons&at=4');
  const missed = { type: 'showAnswer' };
  const { name, misses } = after(lesson, missed, show('play'), show('lessons')).exercises.lessons;
  assert.equal(name, after(lesson).exercises.lessons.name);
  assert.ok(misses > 0);
  assert.equal(after(lesson, missed, show('play'), lesson).exercises.lessons.misses, misses);
  assert.equal(after(lesson, open('#view=lessons&at=2')).exercises.lessons.name, 'line');
  const { item } = after(lesson, open(`#view=lessons&start=${further.replace(' ', '_')}&at=4`)).exercises.lessons;
  assert.equal(item.position, further);
});

test('in the first lesson, the last slide is marked, until a line would end the game and all begins again', () => {
  const shown = (...moves) => {
    const { slid, gameState } = after(open('#view=lessons&at=1'), ...moves.map(move)).exercises.lessons;
    return [slid, gameState.position];
  };
  assert.deepEqual(shown('c2-c5'), ['c2-c5', '1bbw1/5/b4/ww3/5 b']);
  assert.deepEqual(shown('c2-c5', 'a3-a5'), [null, LESSONS.slide[0]]);
  assert.equal(shown('a3-a5', 'c2-d1')[0], null); // which is a move of the game
});

test('a wrong move in the lesson on delaying has its reason', () => {
  const asked = after(open('#view=lessons&at=8'));
  const wrong = page.engine.moves(asked.exercises.lessons.gameState.position).at(-1);
  const { reason } = page.reduce(asked, move(wrong.move)).exercises.lessons.tried;
  assert.match(page.whySentences(reason, 'black', { hidesBest: true })[0], /^Black still loses/);
});

test('who does not find what the introduction asks, by moves or squares, gets the answer', () => {
  const shown = ({ exercises: { introduction } }) => page.isAnswerShown(introduction);
  const refused = { type: 'refused', from: 'b1', to: 'e4' };
  const one = after({ type: 'introduce' }, refused);
  assert.deepEqual([shown(one), one.heard.sentences[1]], [false, false]);
  const two = page.reduce(one, { ...refused, from: null });
  assert.deepEqual([shown(two), two.heard.sentences], [true, ['No piece to move on e4.', page.STATUS]]);
  const early = from(page.initial(), { ...open('#'), isIntroduced: false }, refused);
  assert.deepEqual([early.view, early.exercises.introduction.misses], ['introduction', 0]);
  const played = after(refused, refused);
  assert.deepEqual([played.exercises.introduction.misses, played.heard.sentences], [0, ['b1 can\u2019t move to e4.']]);
});

/** What follows in the lesson on the draw: the next position, or Black's move in the game. */
const goOnHolding = (state) => page.reduce(state, { type: 'exerciseStep', request: page.pendingOf(state), seed: 1 });

/** The positions on the draw in the order in which they are asked, at most so many; one of them is missed at first. */
function askedPositions(most, missed) {
  const asked = [];
  let state = after(show('hold'));
  for (let { hold } = state.exercises; hold.item.move && asked.length < most; { hold } = state.exercises) {
    if (asked.length === missed) state = page.reduce(state, move('b1-a1'));
    asked.push(hold.queue[0]);
    state = goOnHolding(page.reduce(state, move(hold.item.move)));
  }
  return { asked, state };
}

test('a position on the draw is asked again, the later the better it is known', () => {
  const { asked } = askedPositions(Infinity);
  assert.deepEqual(asked, [0, 1, 2, 0, 1, 2, 3, 4, 0, 3, 4, 1, 2, 5, 3, 4, 5, 6, 7, 5, 6, 7, 6, 7]);
});

test('a position on the draw that was answered wrong is asked again sooner', () => {
  const { asked } = askedPositions(7, 3);
  assert.deepEqual(asked, [0, 1, 2, 0, 1, 2, 0]);
});

test('who knows the positions on the draw plays a game, in which the right move takes wrong ones back', () => {
  const asking = goOnHolding(askedPositions(Infinity).state); // after Black's move
  const moves = page.engine.moves(asking.exercises.hold.gameState.position);
  const missesAfter = (...made) =>
    made.reduce((before, one) => page.reduce(before, move(one.move)), asking).exercises.hold.misses;
  assert.equal(missesAfter(moves.at(-1), moves.at(-1)), 2); // the answer is shown
  assert.equal(missesAfter(moves.at(-1), moves.at(-1), moves[0]), 0);
});

test('a puzzle that is skipped accepts no move', () => {
  const skipped = after(TO_DRAW, { type: 'nextExercise' });
  const { gameState, progress } = page.reduce(skipped, move('a1-a2')).exercises.puzzle;
  assert.deepEqual([gameState.moves, progress], [[], 'unsolved']);
});

test('the reply in a puzzle waits while another view is shown', () => {
  const asked = after(TO_DRAW, move('a1-a2'));
  const left = from(asked, show('explore'), replyInPuzzle(asked));
  assert.equal(left.exercises.puzzle.gameState.plies, 1);
  assert.equal(from(left, show('puzzle'), replyInPuzzle(asked)).exercises.puzzle.gameState.plies, 2);
});

test('who asks for another game in the introduction has seen it', () => {
  const { view, settings, dialog } = after({ type: 'introduce' }, { type: 'openNewGame' });
  assert.deepEqual([view, settings.met, dialog], ['play', true, 'start']);
});

test('each day of the week, from Sunday, has a daily puzzle of its grade', () => {
  const days = ['11-29', '11-30', '12-01', '12-02', '12-03', '12-04', '12-05'];
  const grades = days.map((day) => page.dailySearch({ today: `2026-${day}` }).grade);
  assert.deepEqual(grades, ['hard', 'easy', 'medium', 'easy', 'medium', 'hard', 'draw']);
});

const WINS_AT_ONCE = '5/5/2w2/1w2w/bb1b1 b'; // with d1-c1

/** What is stored of the puzzle of a day that is solved on another day, when that has been stored. */
function dailyAfter(today, date, [daily, days]) {
  const search = { grade: 'easy', seed: 1, date };
  const shown = searching(search);
  const asked = { ...shown, today, results: { ...shown.results, daily, days } };
  const found = { type: 'exerciseFound', request: search, found: [{ position: WINS_AT_ONCE, date }] };
  const { results, exercises } = from(asked, found, move('d1-c1'));
  assert.equal(exercises.puzzle.progress, 'solved');
  return [results.daily, results.days];
}

const SOLVED = {
  'for the first time': ['2026-11-30', '2026-11-30', ['', 0], ['2026-11-30', 1]],
  'on its day': ['2026-11-30', '2026-11-30', ['2026-11-29', 9], ['2026-11-30', 10]],
  'after midnight': ['2026-11-30', '2026-11-29', ['2026-11-28', 9], ['2026-11-29', 10]],
  'after a day without one': ['2026-11-30', '2026-11-30', ['2026-11-28', 9], ['2026-11-30', 1]],
  'a second time': ['2026-11-30', '2026-11-30', ['2026-11-30', 9], ['2026-11-30', 9]],
  'when another window has solved a later one': ['2026-11-30', '2026-11-29', ['2026-11-30', 9], ['2026-11-30', 9]],
  'in a time zone where its day begins later': ['2026-11-30', '2026-11-30', ['2026-12-01', 9], ['2026-12-01', 9]],
  'when the clock was wrong before': ['2026-11-30', '2026-11-30', ['2031-01-01', 9], ['2026-11-30', 1]],
};
for (const [name, [today, date, before, expected]] of Object.entries(SOLVED))
  test(`the days in a row are counted by the puzzle of the day: solved ${name}`, () => {
    assert.deepEqual(dailyAfter(today, date, before), expected);
  });

test('days in a row last until the day after the last one, and in a time zone where that has not begun', () => {
  const results = { daily: '2026-02-28', days: 3 };
  const days = ['02-26', '02-27', '02-28', '03-01', '03-02'].map((day) => ({ results, today: `2026-${day}` }));
  assert.deepEqual(days.map(page.daysInRow), [0, 3, 3, 3, 0]);
  assert.deepEqual(days.map(page.isDailySolved), [false, true, true, false, false]);
});

test('a day is that of the place where the user is, west and east of Greenwich', () => {
  const { TZ = 'UTC' } = process.env;
  const found = [['America/Los_Angeles', 23], ['Pacific/Kiritimati', 1]].map(([zone, hour]) => {
    process.env.TZ = zone;
    const { grade } = page.dailySearch({ today: '2026-11-29' });
    return [page.dateOf(new Date(2026, 10, 30, hour)), page.daysBefore('2026-03-01', 1), grade];
  });
  process.env.TZ = TZ;
  assert.deepEqual(found, Array(2).fill(['2026-11-30', '2026-02-28', 'hard']));
});

test('a puzzle that is solved before it is known to be that of the day counts for the day', () => {
  const search = { grade: 'easy', seed: 1, date: null };
  const state = searching(search);
  const asked = { ...state, today: '2026-11-30', results: { ...state.results, puzzles: { easy: [2, 3] } } };
  const found = { type: 'exerciseFound', request: search, found: [{ position: WINS_AT_ONCE, date: null }] };
  const known = ({ exercises }) => ({ type: 'dailyFound', request: exercises.puzzle.item, date: '2026-11-30' });
  const shown = page.reduce(asked, found);
  const solved = page.reduce(shown, move('d1-c1'));
  assert.equal(solved.results.daily, '');
  const { results } = page.reduce(solved, known(solved));
  assert.deepEqual([results.daily, results.days, results.puzzles.easy], ['2026-11-30', 1, [3, 3]]);
  const others = [shown, page.reduce(shown, { type: 'showAnswer' })].map((one) => page.reduce(one, known(one)).results);
  assert.deepEqual(others.map(({ days, puzzles }) => [days, puzzles.easy]), [[0, [2, 3]], [0, [2, 4]]]);
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
