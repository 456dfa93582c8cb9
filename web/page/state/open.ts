// What is opened: the game of an address, among the one that is open and those that are stored; views, with what an
// address and an entry of the history say; and what waits for the values of the board.

import { readAddress, writeAddress } from './address.js';
import { readBoard, STANDARD, startOf } from './boards.js';
import { enterEditor, NO_EDITOR, typePosition } from './editor.js';
import { EngineError } from '../../engine/page.js';
import { solvingText } from '../format.js';
import {
  countResult, coveredGame, gameStateOf, hasGame, leaveGame, leftGames, openOwnGame, openStored, openTree,
  ownGameOf, UNOPENED, withoutRecent, withoutWaiting, withTree,
} from './game.js';
import { enterHold, enterLesson, introduce, moveInList, nextExercise, NO_EXERCISES, practise } from './lists.js';
import { areKnown, friendName, friendNumber, isAgainstEngine, sideOf } from './players.js';
import { enterPuzzle } from './puzzle.js';
import { treeOf } from './record.js';
import { enterReview } from './review.js';
import {
  ADDRESSED, announce, badLink, endIntroduction, isOfBoard, isWaiting, NOTHING_SHOWN, STATUS, update, VIEWS,
} from './shown.js';
import { enterStudy, leaveTied, NO_STUDY, restoreStudy } from './study.js';
import { hasText } from '../texts.js';
import { Tree } from './tree.js';

import type {
  Address, HistoryEntry, Message, Players, Reducers, Sentence, State, StoredGame, ViewName,
} from './types.js';

// ---- the game of an address ----

/**
 * The game as it was left; against the engine at its end, if it was left where a variation was tried, or if it is over.
 */
function returned(state: State) {
  const { tree } = state.game;
  const atEnd = withTree(state, tree.gotoEnd());
  const isToEnd = isAgainstEngine(state.game) && (!tree.isInGame() || atEnd.game.gameState.end !== null);
  return isToEnd ? atEnd : withTree(state, tree);
}

/** The game of those that were left which has all of a tree, if that has moves. */
function leftGame(state: State, tree: Tree): StoredGame | null {
  if (!tree.hasMoves()) return null;
  const games = leftGames(state).map(({ game }) => game).filter(({ start }) => start === tree.start);
  return games.find((game) => treeOf(state, game).tree.includes(tree)) ?? null;
}

/** Whether an address says nothing, or nothing but its board. */
const saysNothing = (target: Address) =>
  writeAddress(target) === writeAddress({ board: target.board, view: 'play' });

/** Opens the game of this device as it was left. One that begins where games do, and is open, remains as it is. */
function openOwn(state: State) {
  const { tree, isForeign } = state.game;
  const isOpen = tree.start === startOf(state) && !isForeign;
  return isOpen ? withTree(state, tree) : returned(openOwnGame(state));
}

/** Opens the game of which a tree is a part: that which is open, that of this device, one that was left, or another. */
function openPart(state: State, tree: Tree, view: ViewName) {
  const moves = tree.moves();
  const at = (opened: State) => withTree(opened, opened.game.tree.follow(moves) ?? opened.game.tree);
  const isOfStudy = state.game.tie !== null && view === 'play'; // where no game of a study is played
  if (state.game.tree.includes(tree) && !isOfStudy) return at({ ...state, view });
  const own = ownGameOf(state);
  // To compare starts spares reading it.
  if (own?.start === tree.start && treeOf(state, own).tree.includes(tree)) return at(openStored(state, own, view));
  const left = leftGame(state, tree);
  if (left) return at(openStored(state, left, view, true));
  // The game of this device from now on, or another one, which does not take its place before the user moves.
  const isUsual = tree.isBlank() && tree.start === startOf(state);
  return openTree(state, tree, { view, isForeign: !isUsual || own !== null });
}

/** Opens the game of an address. What another page embeds has nothing to do with what is stored on the device. */
function openGame(state: State, target: Address, view: ViewName) {
  const { tree, valid } = treeOf(state, target);
  const opened = view === 'board' ? openTree(state, tree, { view, isForeign: true })
    : saysNothing(target) ? openOwn(state) : openPart(state, tree, view);
  return valid ? opened : badLink(opened);
}

/** A game, if none is open. */
const withGame = (state: State) => (hasGame(state) ? state : openGame(state, readAddress(''), 'play'));

/** Shows the position before the last move of a friend, whose move is shown in a moment. */
function comingMove(state: State) {
  const { tree } = state.game;
  const last = tree.end();
  const before = tree.parentOf(last);
  return withTree(state, tree.goto(before ?? last), { coming: before ? last : null });
}

/** Whether a list begins with another one. */
const beginsWith = (list: string[], beginning: string[]) => beginning.every((move, ply) => list[ply] === move);

/** Adds the moves of a link to the game of this device, which they must continue. */
function continueFriend(state: State, sentTree: Tree): State {
  const { tree } = state.game;
  const mine = tree.gameMoves();
  const sent = sentTree.gameMoves();
  const isSame = tree.start === sentTree.start && (beginsWith(sent, mine) || beginsWith(mine, sent));
  if (!isSame) return { ...withTree(state, tree.gotoEnd()), notice: ['friendDiffers'] };
  const moved = sent.slice(mine.length).reduce((made, move) => made.play(move, { first: true }), tree.gotoEnd());
  const ended = moved.withStated(moved.current, moved.current.stated ?? sentTree.end().stated);
  if (sent.length <= mine.length) return countResult(withTree(state, ended));
  return comingMove(withTree(state, ended, { isCounted: false })); // also after a draw that was offered
}

/** The game against a friend, which another window has continued; null if it is another game, or not longer. */
export function followFriend(state: State, game: StoredGame): State | null {
  const number = friendNumber(state.game.players);
  if (!number || number !== friendNumber(game)) return null;
  const { tree } = treeOf(state, game);
  const [sent, mine] = [tree.gameMoves(), state.game.tree.gameMoves()];
  const isLonger = sent.length > mine.length || (tree.end().stated && !state.game.tree.end().stated);
  return isLonger && beginsWith(sent, mine) ? continueFriend(state, tree) : null;
}

/** One value, so that it is spoken once, however often the other window stores its game. */
const OTHER_WINDOW: Message = ['otherWindow'];

/** Another window has stored a game. */
function meetGame(state: State, game: StoredGame) {
  const { tree, isForeign } = state.game;
  const warned: State = tree.hasMoves() && !isForeign ? { ...state, notice: OTHER_WINDOW } : state;
  return followFriend(state, game) ?? warned;
}

/**
 * Opens, in Play, the game against a friend that a link holds: that of this device, if there is one, or if one was
 * left. It does not take the place of another game before the user moves.
 */
function openFriend(state: State, target: Address): State {
  const name = friendName(target.friend);
  const isOf = ({ black, white }: Players) => black === name || white === name;
  const { tree, valid } = treeOf(state, target);
  const own = ownGameOf(state);
  const left = leftGames(state).map(({ game }) => game).find(isOf);
  const found = hasGame(state) && isOf(state.game.players) ? state
    : own && isOf(own) ? openStored(state, own, 'play')
      : left ? openStored(state, left, 'play', true) : null;
  if (!valid || !target.valid) {
    const opened = found ?? openTree(state, tree, { isForeign: true });
    return { ...withTree(opened, opened.game.tree.gotoEnd()), notice: ['friendDamaged'] };
  }
  if (found) return continueFriend(found, tree);
  const players = sideOf(tree) === 'black' ? { black: 'human', white: name } : { black: name, white: 'human' };
  return comingMove(openTree(state, tree, { players, isForeign: own !== null, isStarted: true }));
}

// ---- addresses ----

/** Goes to an address on another board, which the page loads. `notice` is the name of a text to show there. */
const leave = (state: State, hash: string, notice: string | null = null): State =>
  ({ ...state, leaving: { hash, notice } });

/** Opens an address on another board. A board that does not exist: the page begins again. */
function goElsewhere(state: State, hash: string, name: string): State {
  if (readBoard(name)) return leave(state, hash.replace(/^#/, ''));
  if (state.boardName !== STANDARD) return leave(state, '', 'badLink');
  const blank = { ...state, game: UNOPENED, exercises: NO_EXERCISES, editor: NO_EDITOR, study: NO_STUDY };
  return { ...openAddress(blank, ''), notice: ['badLink'] };
}

/** Another view, without what was shown of the one before. */
const toView = (state: State, view: ViewName): State => ({ ...state, view, ...NOTHING_SHOWN });

/** What going to a view does; with a target, an address leads there. */
const ENTER: { [View in ViewName]?: (state: State, target: Address | null) => State } = {
  play(state, target) {
    if (target) return state; // whose game is shown
    const own = leaveTied(state);
    if (!isAgainstEngine(own.game)) return own;
    // What was tried elsewhere is a variation; a friend may have ended the game.
    return countResult(withTree(own, own.game.tree.gotoEnd()));
  },
  review: (state, target) => (target && target.at !== null ? state : enterReview(state)),
  puzzle: (state, target) => enterPuzzle(state, target?.start ?? null),
  lessons: (state, target) => enterLesson(state, target?.at ?? null, target?.start ?? null),
  hold: enterHold,
  editor: (state, target) => enterEditor(state, target?.start ?? null),
  study: (state, target) => enterStudy(state, target?.study ?? null),
};

/** Whether a view cannot be entered without values. */
const mustWait = (view: ViewName) => VIEWS[view].needs === 'values to enter';

/** Enters the view that is shown, with what an address says, if one has led there; when the values are there. */
function enterView(state: State, target: Address | null = null): State {
  if (state.solving && mustWait(state.view)) return update(state, 'solving', { target });
  return ENTER[state.view]?.(state, target) ?? state;
}

/**
 * Shows the view and the position or game of an address, or the introduction in its place. What needs values is entered
 * when these are there.
 */
export function openAddress(state: State, hash: string, isIntroduced = true): State {
  const target = readAddress(hash);
  const ready = { ...withoutWaiting(state), line: null, dialog: null, preview: null, notice: null, typing: null };
  if (target.board !== state.boardName) return goElsewhere(ready, hash, target.board);
  const known = ADDRESSED.find((name) => name === target.view && isOfBoard(state, name));
  const isLaboratory = target.view === 'laboratory'; // which was a view
  const view = known ?? 'play';
  const isFriend = target.friend && view === 'play';
  const before = view === state.view ? ready : toView(ready, view);
  const opened = isFriend ? openFriend(before, target)
    : VIEWS[view].isOfGame ? openGame(before, target, view) : withGame(before);
  const isValid = (known !== undefined || isLaboratory) && (target.valid || isFriend);
  const shown: State = { ...(isValid ? opened : badLink(opened)), view, dialog: isLaboratory ? 'laboratory' : null };
  const entered = enterView(shown, target);
  return isIntroduced ? entered : introduce(entered);
}

// ---- what an entry of the history states ----

/**
 * The game of this device where an address leads, whatever notes it had then, unless one that was left has them; null
 * if it does not have the moves.
 */
function ownAt(state: State, address: Address): State | null {
  const { view, solving, game: { isStarted: isFound } } = state;
  const own = ownGameOf(state);
  const { tree } = treeOf(state, address);
  if (!own || own.start !== tree.start) return null;
  const opened = openStored(state, own, view);
  if (isFound && !opened.game.tree.includes(tree)) return null;
  const found = opened.game.tree.follow(tree.line().map(({ move }) => move))?.follow(tree.moves());
  return found ? { ...withTree(opened, found), solving } : null;
}

/** The game of an address is that of this device, or has the players, as its entry of the history states. */
function restoreGame(state: State, { isOwn, players }: HistoryEntry, address: Address) {
  if (!state.game.isForeign) return state;
  const own = isOwn ? ownAt(state, address) : null;
  if (own) return own;
  if (!players || !areKnown(players)) return state;
  const { counted: isCounted, ...others } = players;
  return update(state, 'game', { players: others, isCounted });
}

/** Shows what an entry of the history states, when its address has been opened. */
function restore(state: State, entry: HistoryEntry, address: Address): State {
  const { view, share } = state;
  const { notation, text: shared, notice } = entry;
  const typed = view === 'editor' && notation !== null ? typePosition(state, notation)
    : restoreGame(state, entry, address);
  const shown = restoreStudy(update(typed, 'share', { text: share.text || shared }), entry, address);
  return notice && hasText(notice) ? { ...shown, notice: [notice] } : shown;
}

// ---- views ----

/** Explores a position. */
export const explorePosition = (state: State, position: string) =>
  openTree(state, new Tree(position), { view: 'explore', isForeign: true });

function show(state: State, view: ViewName, theme = '') {
  if (view === state.view) return { ...state, dialog: null };
  const left = update(endIntroduction(withoutWaiting(state)), 'study', { reading: null });
  const ready = { ...toView(left, view), dialog: null };
  return announce(theme ? practise(ready, theme) : enterView(ready), STATUS);
}

// ---- the values of the board ----

/** Why the board cannot be solved, as the name of a text. */
function reasonOf(error: unknown) {
  if (!(error instanceof EngineError)) return 'labFailed_failed';
  return hasText(`labFailed_${error.code}`) ? `labFailed_${error.code}` : 'labFailed_failed';
}

/** Uses the values of the board, and enters the view that has waited for them. */
function useValues(state: State, engine: State['engine'], byPlies: number[]) {
  const { view, solving, game: { tree, players, isForeign, isStarted } } = state;
  const ready = { ...state, engine, byPlies, solving: null };
  // The engine may propose another start now: a game that has not begun begins there.
  const [before, start] = [startOf(state), startOf(ready)];
  const isBlank = tree.start === before && tree.isBlank() && !isStarted;
  const next = isBlank && start !== before ? openTree(ready, new Tree(start), { view, players, isForeign })
    : update(ready, 'game', { gameState: gameStateOf(ready, tree) }); // all else is as the user has left it
  if (solving?.move) return moveInList(next, solving.move);
  return mustWait(view) ? enterView(next, solving?.target) : next;
}

/** Speaks of the solving where that is waited for: elsewhere, something else may just have been announced. */
const announceSolving = (state: State, sentence: Sentence) =>
  (isWaiting(state) || state.dialog === 'laboratory' ? announce(state, sentence) : state);

// ---- actions ----

export const openReducers = {
  openAddress: (state, { hash, entry, isIntroduced }) => {
    const opened = openAddress(state, hash, isIntroduced);
    return entry ? restore(opened, entry, readAddress(hash)) : opened;
  },
  show(state, { view, theme, from }) {
    const shown = show(state, view, theme);
    return from ? nextExercise(shown, from) ?? shown : shown;
  },
  explore: (state, { position }) => announce(explorePosition(state, position), STATUS),
  resumeGame(state) {
    const own = coveredGame(state);
    const opened = own ? openStored(state, own, 'play') : state;
    const { tree } = opened.game; // it may have been left at a move that was reviewed
    const resumed = withTree(opened, isAgainstEngine(opened.game) ? tree.gotoEnd() : tree);
    return announce(resumed, STATUS);
  },
  resumeRecent(state, { game }) {
    const opened = openStored(withoutRecent(leaveGame(state), game), game, 'play');
    return announce(withTree(opened, opened.game.tree.gotoEnd()), STATUS);
  },
  reviewGame(state, { game }) {
    const whole: StoredGame = { ...game, at: null, last: -1, notes: '', names: '', counted: true, helped: false };
    return announce(enterReview(openStored(state, whole, 'review', true)), STATUS);
  },
  storageChanged: (state, { game }) => (game ? meetGame(state, game) : state),
  solvingIsSlow: (state) =>
    (state.solving
      ? announceSolving(update(state, 'solving', { isSlow: true }), solvingText(state.solving.progress)) : state),
  solvingProgress(state, { progress, isSpoken }) {
    if (!state.solving) return state;
    const next = update(state, 'solving', { progress });
    return isSpoken ? announceSolving(next, solvingText(progress)) : next;
  },
  solved: (state, { engine, byPlies }) =>
    useValues(state.solving?.isSlow ? announceSolving(state, STATUS) : state, engine, byPlies),
  unsolved: (state, { error }) => leave(state, '', reasonOf(error)),
  nextExercise: (state, { from }) => nextExercise(state, from) ?? show(state, 'puzzle'),
} satisfies Partial<Reducers>;
