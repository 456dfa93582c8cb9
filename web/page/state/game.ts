// The game that is played, reviewed and explored: its moves as a tree, the engine's game that follows it, the players,
// replies, undo and redo, the result.

import { isTooLarge } from './boards.js';
import {
  choicesAt, hintSentences, nextHint, NO_HINTS, NO_REVIEW, opponentMoveAt, reviewOf, stateAt,
} from './engine_games.js';
import { asSentence, moveText } from '../format.js';
import {
  areKnown, friendNumber, isFriend, isHuman, isOfEngines, isOpenToUser, newFriend, TWO_PEOPLE, userOf,
} from './players.js';
import { moveNumber, NO_GAME, other, sideAt } from './position.js';
import { endOf, resignation, treeOf } from './record.js';
import { keepGame, warns, withSetting } from './settings.js';
import { announce, ifSure, notify, signal, STATUS, update } from './shown.js';
import { MOST_RECENT } from './storage.js';
import { t } from '../texts.js';
import { MOST_MOVES, Tree } from './tree.js';

import type { Node } from './tree.js';
import type {
  Choice, End, GameState, MoveShown, PlayedGame, Players, Reducers, Removed, Side, State, StoredGame, ViewName,
} from './types.js';

const RANK = { win: 1, draw: 0, loss: -1 };

// ---- what can be asked about a game ----

export const lineLength = ({ gameState }: PlayedGame) => gameState.moves.length + gameState.undone.length;

/** The question before a draw is agreed to or, in a game against a friend, offered. */
export const agreementSure = ({ players }: PlayedGame) => (friendNumber(players) ? 'drawOfferSure' : 'agreeSure');

export const isAtEnd = ({ tree }: PlayedGame) => tree.current === tree.end();

/** The moves with their values, best first. */
export const choicesOf = ({ engine, game }: Pick<State, 'engine' | 'game'>) => choicesAt(engine, game.gameState);

/** The move that is looked at: by default the best one. */
export const shownMove = (state: State): MoveShown => state.preview ?? choicesOf(state)[0];

/**
 * What a worker is to find out in a large table: the board, the game, and the move that is looked at; null if nothing.
 */
export function whyKey(state: State) {
  const { view, engine, boardName, game, solving } = state;
  if (view !== 'explore' || solving || game.gameState.end || !isTooLarge(engine)) return null;
  const key = [boardName, game.gameState.start, ...game.gameState.moves, shownMove(state).move].join(' ');
  return game.why?.key === key ? null : key;
}

/** Whether an opponent replies now. Not while the user looks around in the past of a game. */
export function isThinking({ view, game, solving }: State) {
  const { gameState: { end, to_move: toMove }, players, tree, hasMoved, isPaused } = game;
  if (solving || view !== 'play' || end) return false;
  if (isHuman(game, toMove) || isFriend(players[toMove])) return false;
  if (isPaused) return false;
  return hasMoved || !tree.current.children.length || isAtEnd(game);
}

/** Whether the user may move now. */
export const canMove = ({ view, game }: State) =>
  !game.gameState.end && (view !== 'play' || (isHuman(game, game.gameState.to_move) && isOpenToUser(game)));

/** The ply that undo (-1) or redo (+1) goes to: against an opponent the user's next turn. null if there is none. */
export function stepTarget({ view, game }: State, way: number) {
  const { plies, start } = game.gameState;
  if (way < 0 && view === 'play' && game.tree.current.stated) return plies;
  const user = view === 'play' ? userOf(game) : null;
  const last = lineLength(game);
  for (let ply = plies + way; ply >= 0 && ply <= last; ply += way)
    if (!user || sideAt(start, ply) === user || (way > 0 && ply === last)) return ply;
  return null;
}

/**
 * The last mistake of a side that the opponent did not repair: its index, and what it threw away, "Your move 4 did not
 * keep the draw."
 */
export function missedBy(state: State, user: Side | null) {
  if (state.solving) return null;
  const { start, moves } = state.game.gameState;
  const reviewed = reviewOf(state).slice(0, moves.length);
  const last = reviewed.at(-1);
  const end = last ? RANK[last.after.result] * (last.side === user ? 1 : -1) : 0; // of the game, for the user
  const ply = reviewed.findLastIndex(({ side, mark, before }) => side === user && mark && RANK[before.result] > end);
  return ply < 0 ? null : { ply, text: t(`had_${reviewed[ply].before.result}`, moveNumber(start, ply)) };
}

// ---- changes ----

/** What does not outlast a change of the position. */
const AT_POSITION = {
  hasMoved: false, isClosed: false, warning: null, coming: null, hints: NO_HINTS,
} satisfies Partial<PlayedGame>;
/** What another game has, unless it is opened with something else. */
const ANOTHER: Omit<PlayedGame, 'tree' | 'gameState' | 'why' | keyof typeof AT_POSITION> = {
  players: TWO_PEOPLE, isCounted: false, isHelped: false, isForeign: false, isStarted: false, entry: null,
  isPaused: false,
};

/** Before a game is opened: one that no address has. */
export const UNOPENED: PlayedGame =
  { tree: new Tree(''), gameState: NO_GAME, ...ANOTHER, ...AT_POSITION, why: null };

export const hasGame = ({ game }: State) => game.tree.start !== '';

/** The position that a tree shows, with what the engine knows about it. */
export function shownState({ engine }: State, tree: Tree): GameState {
  const moves = tree.line().map(({ move }) => move);
  const found = stateAt(engine, tree.start, moves, tree.path().length);
  const { stated } = tree.current;
  return stated && !found.end ? { ...found, end: stated, legal: [] } : found;
}

/** Makes all that follows from the tree agree with it; `changes` are those of the game. */
export function refresh(state: State, changes: Partial<PlayedGame> = {}): State {
  const game = { ...state.game, ...AT_POSITION, ...changes };
  const gameState = shownState(state, game.tree);
  return { ...state, game: { ...game, gameState }, review: NO_REVIEW, preview: null, line: null, confirming: null };
}

/** What waits for the values is given up. */
export const withoutWaiting = (state: State): State =>
  (state.solving ? { ...state, solving: { ...state.solving, target: null, move: null } } : state);

/** Opens another game. */
export const openTree = (
  state: State, tree: Tree, { view = 'play', ...game }: Partial<typeof ANOTHER> & { view?: ViewName } = {},
) => refresh({ ...withoutWaiting(state), view, isTurned: false }, { ...ANOTHER, ...game, tree });

/** The game as it is stored. */
export function asStored({ game: { tree, players, isCounted, isHelped } }: Pick<State, 'game'>): StoredGame {
  const { text: moves, at, last, notes } = tree.write();
  const end = endOf(tree);
  const { start, names } = tree;
  return { start, moves, at, last, end, notes, names, ...players, counted: isCounted, helped: isHelped };
}

/** The stored game, if its players exist. */
export const storedGame = ({ stored }: State) => (stored && areKnown(stored) ? stored : null);

/** Opens a game that is stored or kept. */
export function openStored(state: State, game: StoredGame, view: ViewName, isForeign = false) {
  const { black, white, counted: isCounted, helped: isHelped } = game;
  const { tree } = treeOf(state, game);
  return openTree(state, tree, { players: { black, white }, isCounted, isHelped, view, isForeign, isStarted: true });
}

/** The game of this device, in place of that of a study. */
export function ownGame(state: State) {
  const { view, start } = state;
  const stored = storedGame(state);
  return stored ? openStored(state, stored, view) : openTree(state, new Tree(start), { view });
}

const isSameGame = (one: StoredGame, two: StoredGame) =>
  one.start === two.start && one.moves === two.moves && one.black === two.black && one.white === two.white;

/** Without a game among those that were left. */
export const withoutRecent = (state: State, game: StoredGame): State =>
  ({ ...state, recent: state.recent.filter((one) => !('game' in one && isSameGame(one.game, game))) });

/** Keeps what was left or deleted. */
export const withRecent = (state: State, what: { game: StoredGame } | { removed: Removed }): State =>
  ({ ...state, recent: [{ date: state.today, ...what }, ...state.recent].slice(0, MOST_RECENT) });

/** Keeps the own game, in whose place another one comes, unless it has not begun or is over. */
export function leaveGame(state: State) {
  const own = state.game.isForeign || !hasGame(state) ? state.stored : asStored(state);
  if (!own || !areKnown(own) || isOfEngines({ players: own })) return state;
  const { tree } = treeOf(state, own);
  const isUnfinished = tree.root.chosen !== null && !shownState(state, tree.gotoEnd()).end;
  return isUnfinished ? withRecent(withoutRecent(state, own), { game: own }) : state;
}

/** Begins a game. */
export function begin(
  before: State, { players, position = before.start, seed }: { players: Players; position?: string; seed: number },
) {
  const state = leaveGame(before);
  const { black, white } = players;
  const next = friendNumber(players) ? newFriend(seed) : '';
  const renamed = { black: isFriend(black) ? next : black, white: isFriend(white) ? next : white };
  return announce(openTree(state, new Tree(position), { players: renamed, isStarted: true }), STATUS);
}

/** Keeps and counts a finished game once. */
export function finish(state: State) {
  const { game } = state;
  const { end: over } = game.gameState;
  const user = userOf(game);
  if (!over || game.isCounted || isOfEngines(game)) return state;
  const kept = keepGame(update(state, 'game', { isCounted: true }));
  const opponent = user && game.players[other(user)];
  if (!opponent || isFriend(opponent)) return kept;
  const counts = [...(kept.record.games[opponent] ?? [0, 0, 0])];
  counts[over.winner === user ? 0 : over.winner ? 2 : 1]++;
  const { helped } = kept.record;
  const next = update(kept, 'record', {
    games: { ...kept.record.games, [opponent]: counts },
    ...(game.isHelped && { helped: { ...helped, [opponent]: (helped[opponent] ?? 0) + 1 } }),
  });
  return over.winner === user && state.settings.warnings === null ? withSetting(next, 'warnings', false) : next;
}

/** Whether the game goes on from a position before its end. */
const isTakenBack = ({ view, game: { tree } }: State) => view === 'play' && tree.current.id !== tree.end().id;

/** Plays a legal move in the game. */
function play(state: State, move: string) {
  const { game: { gameState, tree }, view } = state;
  if (!gameState.legal.some((one) => one.move === move)) return state;
  if (!tree.hasRoom(move)) return notify(state, ['tooManyMoves', MOST_MOVES]);
  const isPlay = view === 'play'; // what is tried elsewhere does not take the place of the user's game
  const played = tree.play(move, { first: isPlay });
  // The game of a link becomes that of this device.
  const ready = isPlay && state.game.isForeign ? withoutRecent(leaveGame(state), asStored(state)) : state;
  const isShown = isPlay && state.settings.values && isHuman(state.game, gameState.to_move);
  const isHelped = state.game.isHelped || isShown || isTakenBack(state);
  const moved = refresh(ready, { tree: played, hasMoved: true, isHelped, ...(isPlay && { isForeign: false }) });
  const next = isPlay ? finish(moved) : moved;
  const { end: over } = next.game.gameState;
  const user = userOf(next.game);
  const isLost = user && over?.winner === other(user);
  const spoken = announce(next, t('spokenMove', t(gameState.to_move), moveText(move)), STATUS);
  return signal(spoken, !over?.winner ? 'move' : isLost ? 'lost' : 'won');
}

/**
 * What the opponent wins with at once after a move of the user, if the page warns of that: not if all moves lose so.
 */
function refutationOf(state: State, move: string) {
  if (state.solving || state.view !== 'play' || !userOf(state.game) || !warns(state)) return null;
  const losesAtOnce = ({ value: { result, plies } }: Choice) => result === 'loss' && plies === 2;
  const all = choicesOf(state);
  const choice = all.find((one) => one.move === move);
  if (!choice || !losesAtOnce(choice) || all.every(losesAtOnce)) return null;
  const [reply] = state.engine.moves(choice.next);
  return { ...reply, value: choice.value };
}

/** A move of the user in the game, of which the page may warn first. */
export function userMoves(state: State, move: string) {
  if (!canMove(state)) return state;
  const isSure = state.game.warning?.move === move; // a user who makes the move again is
  const reply = isSure ? null : refutationOf(state, move);
  return reply ? announce(update(state, 'game', { warning: { move, reply } }), STATUS) : play(state, move);
}

/**
 * Announces the position: the move that led to it, and who is to move. In Review, the status has
 * the move.
 */
export function announcePosition(state: State) {
  const { start, plies, moves, end: over, to_move: toMove } = state.game.gameState;
  const isInReview = state.view === 'review' && plies > 0;
  const last = moves.at(-1);
  const move = last ? t('spokenMove', t(sideAt(start, plies - 1)), moveText(last))
    : asSentence(t('startPosition'));
  return announce(state, !isInReview && move, STATUS, isInReview && !over && asSentence(t('toMove', t(toMove))));
}

/** @param node of the tree */
function gotoNode(state: State, node: Node) {
  const next = refresh(state, { tree: state.game.tree.goto(node) });
  const isByFriend = next.view === 'play' && friendNumber(next.game.players) && isAtEnd(next.game);
  return announcePosition(isByFriend ? finish(next) : next);
}

/** @param ply of the line */
export function gotoPly(state: State, ply: number) {
  const { tree } = state.game;
  return gotoNode(state, ply ? tree.line()[ply - 1] : tree.root);
}

/** Ends the game where a tree is, in a way that the moves do not show. Moves that were taken back are none of it. */
function endGame(state: State, shown: Tree, end: End) {
  const tree = shown.childrenOf(shown.current).reduce((left, child) => left.goto(child).remove(), shown);
  const ended = tree.stating(tree.current, end).ended(tree.current);
  return announce(finish(refresh(state, { tree: ended.makeFirst(), isForeign: false })), STATUS);
}

/** Ends a game as people agree, unless it is over: against a friend, who has all moves, after the last one. */
function endAsAgreed(state: State, endOf: (game: PlayedGame) => End) {
  const { tree: shown, players } = state.game;
  const tree = friendNumber(players) ? shown.gotoEnd() : shown;
  const { game } = refresh(state, { tree });
  return game.gameState.end ? announcePosition({ ...state, game }) : endGame(state, tree, endOf(game));
}

/** Gives the next hint. */
export function hintGame(state: State) {
  const { game } = state;
  if (state.solving) return state;
  const hints = nextHint(state, game.hints, game.gameState);
  return announce(update(state, 'game', { hints, isHelped: true }), ...hintSentences(hints));
}

export const gameReducers = {
  goto: (state, { ply }) => (ply >= 0 && ply <= lineLength(state.game) ? gotoPly(state, ply) : state),
  gotoNode(state, { moves }) {
    const found = state.game.tree.follow(moves);
    return found ? gotoNode(state, found.current) : state;
  },
  step(state, { way }) {
    const ply = stepTarget(state, way);
    const { tree, gameState } = state.game;
    if (ply === null) return state;
    const isTakenBack = ply === gameState.plies; // the end that was stated, and nothing else
    return gotoPly(isTakenBack ? update(state, 'game', { tree: tree.stating(tree.current, undefined) }) : state, ply);
  },
  reply(state, { request, seed }) {
    const { gameState, players } = state.game;
    if (gameState !== request || !isThinking(state)) return state;
    return play(state, opponentMoveAt(state.engine, gameState, players[gameState.to_move], seed));
  },
  friendMoved: (state, { request }) =>
    (state.game.coming === request && state.view === 'play' ? gotoNode(state, request) : state),
  resign: (state) => ifSure(state, 'resign', t('resignSure'), () =>
    endAsAgreed(state, (game) => resignation(userOf(game) ?? game.gameState.to_move))),
  agreeDraw: (state) => ifSure(state, 'agree', t(agreementSure(state.game)), () =>
    endAsAgreed(state, () => ({ reason: 'agreed', winner: null }))),
  pauseGame: (state, { isPaused }) => update(state, 'game', { isPaused }),
  closeResult: (state) => update(state, 'game', { isClosed: true }),
  forgetWarning: (state) => announce(update(state, 'game', { warning: null }), STATUS),
  begin: (state, { players, seed }) => begin(state, { players, position: state.game.tree.start, seed }),
  whyFound: (state, { request, facts }) =>
    (whyKey(state) === request ? update(state, 'game', { why: { key: request, facts } }) : state),
} satisfies Partial<Reducers>;
