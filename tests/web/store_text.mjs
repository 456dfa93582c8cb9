// Tests of what records, files and texts that are typed make of the page's state, without a browser. From the
// environment: what state.mjs names.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MOST_COMMENT, MOST_MARKS, MOST_MOVES } from '../../web/page/state/tree.js';
import {
  CHOOSE_FILE, FAIR, SHARE, SMALL, TWO, after, engineOf, from, goto, kept, move, open, opening, page, readFile, show,
  spokenAfter, step, withStored,
} from './state.mjs';

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

const UNREADABLE = [
  'hello/world/xxxxx/abcde/fghij b', '1w1w1/2b2/5/5/1b0b1 b', '1w1w1/2b2/5/2?2/1b1b1 b',
  '1w1w1/2b2/5/4/1b1b1 b', '1w1w1/2b2/5/6/1b1b1 b', '1w1w1/2b2/5/1b1b1 b', '5/1w1w1/2b2/5/5/1b1b1 b', // of another size
];
for (const text of UNREADABLE)
  test(`${text}, typed or pasted in the editor, leaves the board as it is`, () => {
    const state = after(show('editor'), { type: 'type', field: { kind: 'notation' }, text });
    assert.equal(state.editor.pieces.size, 6);
    assert.equal(state.editor.pieces.get('c2'), 'white');
    assert.equal(page.verdictOf(state).ok, false);
  });

test('in a position that is typed without the side to move, it is Black', () => {
  const typed = { type: 'type', field: { kind: 'notation' }, text: '1w1w1/2b2/5/5/1b1b1' };
  const { toMove, pieces } = after(show('editor'), { type: 'chooseSide', side: 'white' }, typed).editor;
  assert.deepEqual([toMove, pieces.size], ['black', 5]);
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
  'of a line that is a link without its page': '#moves=b1a1\n1. b1-c1 b5-c5',
};
for (const [name, text] of Object.entries(COMMENTED))
  test(`a record that has a comment ${name} is opened`, () => {
    const { game, share } = pasted(text);
    assert.deepEqual([game.gameState.moves.concat(game.gameState.undone), share.error], [['b1-c1', 'b5-c5'], null]);
  });

test('a record without moves that begins with a comment is opened', () => {
  const { game, share } = pasted(`{"Try it"}\n[Start "${FAIR}"]\n`);
  assert.deepEqual([game.tree.start, share.error], [FAIR, null]);
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
