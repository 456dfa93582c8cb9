// Games. What the engine knows of any, and the hints that follow from it; the game that is played, reviewed and
// explored: its moves as a tree, the players, replies, undo and redo, the result; and games that are kept or left.

import { isTooLarge, startOf } from './boards.js';
import { asSentence, distanceText, moveText, whySentences } from '../format.js';
import {
  areKnown, friendNumber, isFriend, isHuman, isOfEngines, isOpenToUser, newFriend, TWO_PEOPLE, userOf,
} from './players.js';
import { NO_GAME, other, sideAt, writeMoves } from './position.js';
import { endOf, resignation, textOfEnd, treeOf } from './record.js';
import { announce, endIntroduction, ifSure, notify, signal, STATUS, update, warns } from './shown.js';
import { MOST_GAMES, MOST_MOVES_TEXT, NO_RESULTS, withoutOldest } from './storage.js';
import { t } from '../texts.js';
import { MOST_MOVES, Tree } from './tree.js';

import type { Engine, Game } from '../../engine/engine.js';
import type { Node } from './tree.js';
import type {
  Choice, End, GameState, Hints, KeptGame, MoveShown, PlayedGame, Players, Reducers, Removed, Review, State,
  StoredGame, ViewName, Why,
} from './types.js';

// ---- what the engine knows ----

// The engine's games are outside of the state, which has only values: where a game begins, its moves, and what follows
// from them (GameState).

/** A place in a game: after `moves`, with those that are undone after it. */
type Place = Pick<GameState, 'start' | 'moves' | 'undone'>;

/** By engine, its only game, with where that begins and the moves that it has, played and undone. */
const games = new WeakMap<Engine, { game: Game; start: string; line: string[] }>();

/**
 * The engine's game at a place, to be asked at once. It is moved there from where it was, or begun again: only a move
 * discards those that are undone.
 */
export function gameAt(engine: Engine, { start, moves, undone }: Place): Game {
  const line = [...moves, ...undone];
  const before = games.get(engine);
  const isShorter = before && line.length < before.line.length && line.every((move, ply) => move === before.line[ply]);
  const isUsed = before?.start === start && !isShorter;
  const next = isUsed ? before : { game: engine.newGame(start), start, line: [] };
  if (!isUsed) before?.game.free();
  games.set(engine, next);
  const { game, line: played } = next;
  let same = 0;
  while (same < line.length && line[same] === played[same]) same++;
  if (same < line.length) game.goto(same);
  for (let ply = same; ply < line.length; ply++) {
    game.play(line[ply]);
    played.splice(ply, Infinity, line[ply]); // after each move: the next one may be illegal
  }
  game.goto(moves.length);
  return game;
}

/** Where a game is after some moves. */
export const stateAt = (engine: Engine, start: string, moves: string[] = []): GameState =>
  gameAt(engine, { start, moves, undone: [] }).state();

/** The moves that an engine has listed for a place. */
const listed = new WeakMap<GameState, { engine: Engine; choices: Choice[] }>();

/** The moves with their values, best first; looked up once for each place. */
export function choicesAt(engine: Engine, place: GameState): Choice[] {
  if (place.end) return [];
  const before = listed.get(place);
  if (before?.engine === engine) return before.choices;
  const choices = gameAt(engine, place).choices();
  listed.set(place, { engine, choices });
  return choices;
}

export const whyAt = (engine: Engine, place: GameState, move: string): Why =>
  gameAt(engine, place).why(place.plies, move);

// ---- hints ----

// What is going on, then the piece that makes the best move, then the move and what it does. A puzzle asks for the move
// in a situation that is known, so there the piece is first.

type Best = NonNullable<Hints['best']>;

const NO_HINTS: Hints = { steps: ['situation', 'piece', 'move'], given: 0, best: null };
export const NO_PUZZLE_HINTS: Hints = { ...NO_HINTS, steps: ['piece', 'move'] };

/** The last hint that was given, if any. */
const lastStep = ({ steps, given }: Hints) => steps[given - 1];
export const isMoveGiven = (hints: Hints) => lastStep(hints) === 'move';
export const isMoveNext = ({ steps, given }: Hints) => steps[given] === 'move';

/** What a hint is about. In a large table, the facts would take too long to find. */
function bestAt(engine: Engine, place: GameState): Best {
  const [choice] = choicesAt(engine, place);
  return { choice, side: place.to_move, facts: isTooLarge(engine) ? null : whyAt(engine, place, choice.move) };
}

/** The hints with the next one, for a place in a game. */
export const nextHint = ({ engine }: State, hints: Hints, place: GameState): Hints =>
  ({ ...hints, given: hints.given + 1, best: hints.best ?? bestAt(engine, place) });

function situation({ choice: { value }, side, facts }: Best) {
  const threat = facts?.prevented;
  return [
    t(`hint_${value.result}`, distanceText(value.plies ?? 0)),
    threat ? t('hintThreat', t(other(side)), moveText(threat.move)) : '',
  ];
}

/** The sentences of the last hint; none before the first one. */
export function hintSentences(hints: Hints) {
  if (!hints.best) return [];
  const { choice, facts, side } = hints.best;
  if (lastStep(hints) === 'situation') return situation(hints.best);
  if (lastStep(hints) === 'piece') return [t('hintPiece', choice.from)];
  return [t('hintMove', moveText(choice.move)), ...(facts ? whySentences(facts, side, { isHint: true }) : [])];
}

/** What the board shows of the hints. */
export const hintScene = ({ preview }: State, hints: Hints) => ({
  preview: preview ?? (hints.best && isMoveGiven(hints) ? hints.best.choice : null),
  glow: hints.best && lastStep(hints) !== 'situation' ? [hints.best.choice.from] : null,
});

// ---- what can be asked about the game that is shown ----

export const lineLength = ({ gameState }: PlayedGame) => gameState.moves.length + gameState.undone.length;

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

// ---- changes ----

/** Nothing is discussed but the last move. */
export const NO_REVIEW: Review = { focus: null, attempt: null };

/** What does not outlast a change of the position. */
const AT_POSITION = {
  hasMoved: false, isClosed: false, warning: null, coming: null, hints: NO_HINTS,
} satisfies Partial<PlayedGame>;
/** What another game has, unless it is opened with something else. */
const ANOTHER: Omit<PlayedGame, 'tree' | 'gameState' | 'why' | keyof typeof AT_POSITION> = {
  players: TWO_PEOPLE, isCounted: false, isHelped: false, isForeign: false, isStarted: false, tie: null,
  isPaused: false,
};

/** The game before one is opened: no address has it. */
export const UNOPENED: PlayedGame =
  { tree: new Tree(''), gameState: NO_GAME, ...ANOTHER, ...AT_POSITION, why: null };

export const hasGame = ({ game }: State) => game.tree.start !== '';

/** The position that a tree shows, with what the engine knows about it. */
export function gameStateOf({ engine }: State, tree: Tree): GameState {
  const line = tree.line().map(({ move }) => move);
  const moves = line.splice(0, tree.path().length);
  const found = gameAt(engine, { start: tree.start, moves, undone: line }).state();
  const { stated } = tree.current;
  return stated && !found.end ? { ...found, end: stated, legal: [] } : found;
}

/** The state with a tree on the board, at another position: what belonged to the one before is gone. */
export function withTree(state: State, tree: Tree, changes: Partial<PlayedGame> = {}): State {
  const game = { ...state.game, ...AT_POSITION, ...changes, tree, gameState: gameStateOf(state, tree) };
  return { ...state, game, review: NO_REVIEW, preview: null, line: null, confirming: null };
}

/** What waits for the values is given up. */
export const withoutWaiting = (state: State): State =>
  (state.solving ? { ...state, solving: { ...state.solving, target: null, move: null } } : state);

/** Opens another game. */
export const openTree = (
  state: State, tree: Tree, { view = 'play', ...game }: Partial<typeof ANOTHER> & { view?: ViewName } = {},
) => withTree({ ...withoutWaiting(state), view, isTurned: false }, tree, { ...ANOTHER, ...game });

// ---- games that are stored, kept and left ----

// The own game, that of this device, is stored whenever it changes. A foreign one, as from a link, only covers it until
// the user moves there. A game that has ended is kept, without notes. One in whose place another one comes is left if
// it has notes or has not ended.

/** The game as it is stored. */
export function asStored({ game: { tree, players, isCounted, isHelped } }: Pick<State, 'game'>): StoredGame {
  const { moves, at, last, notes } = tree.write();
  const end = endOf(tree);
  const { start, names } = tree;
  return { start, moves, at, last, end, notes, names, ...players, counted: isCounted, helped: isHelped };
}

/** The game of this device, if its players exist. */
export const ownGameOf = ({ ownGame: own }: State) => (own && areKnown(own) ? own : null);

/** The game of this device, if another one covers it. */
export const coveredGame = (state: State) => (state.game.isForeign ? ownGameOf(state) : null);

/** Opens a game that is stored or kept. */
export function openStored(state: State, game: StoredGame, view: ViewName, isForeign = false) {
  const { black, white, counted: isCounted, helped: isHelped } = game;
  const { tree } = treeOf(state, game);
  return openTree(state, tree, { players: { black, white }, isCounted, isHelped, view, isForeign, isStarted: true });
}

/** Opens the game of this device, or its first one. */
export function openOwnGame(state: State) {
  const { view } = state;
  const own = ownGameOf(state);
  return own ? openStored(state, own, view) : openTree(state, new Tree(startOf(state)), { view });
}

/** The games that are kept and whose players exist; the engine checks the moves when a game is opened. */
export const keptGames = (state: State) => state.games.filter(areKnown);

/** The games that were left before their end, latest first. */
export const leftGames = (state: State) =>
  state.recent.flatMap((one) => ('game' in one && areKnown(one.game) ? [one] : []));

/** Keeps the game, which has ended. */
export function keepGame(state: State): State {
  const { gameState: { start, moves, end }, players } = state.game;
  const text = writeMoves(moves);
  if (!end || !text || text.length > MOST_MOVES_TEXT) return state;
  const { winner } = end;
  const game: KeptGame = { start, moves: text, end: textOfEnd(end), ...players, date: state.today, winner };
  const { black, white } = game;
  // That of a friend may have gone on after a draw that was offered.
  const before = friendNumber(players) && state.games.find((one) => one.black === black && one.white === white);
  if (before && before.moves.length > text.length) return state; // its link is an old one
  return { ...state, games: [game, ...state.games.filter((one) => one !== before)].slice(0, MOST_GAMES) };
}

/** Counts the result of a game that is over, and keeps the game: once. */
export function countResult(state: State) {
  const { game } = state;
  const { end } = game.gameState;
  const user = userOf(game);
  if (!end || game.isCounted || isOfEngines(game)) return state;
  const counted = update(withoutRecent(state, asStored(state)), 'game', { isCounted: true });
  // Nothing else has the notes of a game that was left.
  const isLeft = game.isForeign && counted.recent.length < state.recent.length && game.tree.hasNotes();
  const kept = keepGame(isLeft ? withRecent(counted, { game: asStored(counted) }) : counted);
  const opponent = user && game.players[other(user)];
  if (!opponent || isFriend(opponent)) return kept;
  const counts = [...(kept.results.games[opponent] ?? [0, 0, 0])];
  counts[end.winner === user ? 0 : end.winner ? 2 : 1]++;
  const { helped } = kept.results;
  const next = update(kept, 'results', {
    games: { ...kept.results.games, [opponent]: counts },
    ...(game.isHelped && { helped: { ...helped, [opponent]: (helped[opponent] ?? 0) + 1 } }),
  });
  const isFirstWin = end.winner === user && state.settings.warnings === null;
  return isFirstWin ? update(next, 'settings', { warnings: false }) : next;
}

/**
 * Whether a game that was left is another one, which lacks nothing of it. One against a friend, of which links bring
 * moves, is known by its number.
 */
const isSameGame = (left: StoredGame, game: StoredGame) =>
  left.black === game.black && left.white === game.white && (friendNumber(left) !== ''
    || (left.start === game.start && left.moves === game.moves && (!left.notes || left.notes === game.notes)));

/** The state without a game among those that were left. */
export const withoutRecent = (state: State, game: StoredGame): State =>
  ({ ...state, recent: state.recent.filter((one) => !('game' in one && isSameGame(one.game, game))) });

/** Keeps what was left or deleted. */
export const withRecent = (state: State, what: { game: StoredGame } | { removed: Removed }): State =>
  ({ ...state, recent: withoutOldest([{ date: state.today, ...what }, ...state.recent]) });

/** Keeps the own game, in whose place another one comes, unless it has not begun or is over and nothing was noted. */
export function leaveGame(state: State) {
  const own = state.game.isForeign || !hasGame(state) ? state.ownGame : asStored(state);
  if (!own || !areKnown(own) || isOfEngines({ players: own })) return state;
  const { tree } = treeOf(state, own);
  const isUnfinished = tree.hasMoves() && !gameStateOf(state, tree.gotoEnd()).end;
  return isUnfinished || tree.hasNotes() ? withRecent(withoutRecent(state, own), { game: own }) : state;
}

/** Begins a game. */
export function begin(
  before: State, { players, position, seed }: { players: Players; position: string; seed: number },
) {
  const state = leaveGame(before);
  const { black, white } = players;
  const next = friendNumber(players) ? newFriend(seed) : '';
  const renamed = { black: isFriend(black) ? next : black, white: isFriend(white) ? next : white };
  return announce(openTree(state, new Tree(position), { players: renamed, isStarted: true }), STATUS);
}

// ---- moves ----

/** The state in which the game of a link becomes the one of this device, which is left then. */
function makeOwn(state: State) {
  if (!state.game.isForeign) return state;
  return update(withoutRecent(leaveGame(state), asStored(state)), 'game', { isForeign: false });
}

/** Plays a legal move. In Play, the game goes on with it; what is tried elsewhere does not take the place of that. */
function play(state: State, move: string) {
  const { game, view, settings } = state;
  const { gameState, tree } = game;
  if (!gameState.legal.some((one) => one.move === move)) return state;
  if (!tree.hasRoom(move)) return notify(state, ['tooManyMoves', MOST_MOVES]);
  const isInPlay = view === 'play';
  const isTakenBack = !isAtEnd(game);
  const isShown = settings.values && isHuman(game, gameState.to_move);
  const isHelped = game.isHelped || (isInPlay && (isTakenBack || isShown));
  const played = tree.play(move, { first: isInPlay });
  const moved = withTree(isInPlay ? makeOwn(state) : state, played, { hasMoved: true, isHelped });
  const { end } = moved.game.gameState;
  const next = isInPlay && end ? countResult(moved) : moved;
  const user = userOf(game);
  const isLost = user && end?.winner === other(user);
  const spoken = announce(next, t('spokenMove', t(gameState.to_move), moveText(move)), STATUS);
  return signal(spoken, !end?.winner ? 'move' : isLost ? 'lost' : 'won');
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
export function moveInGame(state: State, move: string) {
  if (!canMove(state)) return state;
  const isSure = state.game.warning?.move === move; // a user who makes the move again is
  const reply = isSure ? null : refutationOf(state, move);
  return reply ? announce(update(state, 'game', { warning: { move, reply } }), STATUS) : play(state, move);
}

/** Announces the position: the move that led to it, and who is to move. In Review, the status has the move. */
export function announcePosition(state: State) {
  const { start, plies, moves, end, to_move: toMove } = state.game.gameState;
  const isInReview = state.view === 'review' && plies > 0;
  const last = moves.at(-1);
  const move = last ? t('spokenMove', t(sideAt(start, plies - 1)), moveText(last))
    : asSentence(t('startPosition'));
  return announce(state, !isInReview && move, STATUS, isInReview && !end && asSentence(t('toMove', t(toMove))));
}

/** Shows a position of the tree, and announces it. Where a friend has ended the game, the result counts. */
function gotoNode(state: State, node: Node) {
  const next = withTree(state, state.game.tree.goto(node));
  const isByFriend = next.view === 'play' && friendNumber(next.game.players) && isAtEnd(next.game);
  return announcePosition(isByFriend ? countResult(next) : next);
}

/** Shows the position after so many moves of the line. */
export function gotoPly(state: State, ply: number) {
  const { tree } = state.game;
  return gotoNode(state, ply ? tree.line()[ply - 1] : tree.root);
}

/** Ends the game where a tree is, in a way that the moves do not show. Moves that were taken back are none of it. */
function endGame(state: State, shown: Tree, end: End) {
  const tree = shown.childrenOf(shown.current).reduce((left, child) => left.goto(child).remove(), shown);
  const ended = tree.withStated(tree.current, end).withLast(tree.current);
  return announce(countResult(withTree(makeOwn(state), ended.makeFirst())), STATUS);
}

/**
 * Ends a game as one states who resigns, or two who agree, unless it is over: against a friend, who has all moves,
 * after the last one.
 */
function endAsStated(state: State, endOf: (game: PlayedGame) => End) {
  const { tree: shown, players } = state.game;
  const tree = friendNumber(players) ? shown.gotoEnd() : shown;
  const { game } = withTree(state, tree);
  return game.gameState.end ? announcePosition({ ...state, game }) : endGame(state, tree, endOf(game));
}

/** Gives the next hint. */
export function hintGame(state: State) {
  const { game } = state;
  if (state.solving) return state;
  const hints = nextHint(state, game.hints, game.gameState);
  return announce(update(state, 'game', { hints, isHelped: true }), ...hintSentences(hints));
}

// ---- actions ----

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
    if (!isTakenBack) return gotoPly(state, ply);
    // Against an opponent of the page, the first result counts; of people, the game that goes on is kept as well.
    const { players } = state.game;
    const isCounted = state.game.isCounted && userOf({ players }) !== null && !friendNumber(players);
    return gotoPly(update(state, 'game', { tree: tree.withStated(tree.current, undefined), isCounted }), ply);
  },
  reply(state, { request, seed }) {
    const { gameState, players } = state.game;
    if (gameState !== request || !isThinking(state)) return state;
    return play(state, gameAt(state.engine, gameState).opponentMove(players[gameState.to_move], seed));
  },
  friendMoved: (state, { request }) =>
    (state.game.coming === request && state.view === 'play' ? gotoNode(state, request) : state),
  resign: (state) => ifSure(state, 'resign', t('resignSure'), () =>
    endAsStated(state, (game) => resignation(userOf(game) ?? game.gameState.to_move))),
  agreeDraw(state) {
    const question = t(friendNumber(state.game.players) ? 'drawOfferSure' : 'agreeSure'); // to a friend, it is offered
    return ifSure(state, 'agree', question, () => endAsStated(state, () => ({ reason: 'agreed', winner: null })));
  },
  pauseGame: (state, { isPaused }) => update(state, 'game', { isPaused }),
  closeResult: (state) => update(state, 'game', { isClosed: true }),
  forgetWarning: (state) => announce(update(state, 'game', { warning: null }), STATUS),
  begin: (state, { players, position = state.game.tree.start, seed }) =>
    begin(endIntroduction(state), { players, position, seed }),
  whyFound: (state, { request, facts }) =>
    (whyKey(state) === request ? update(state, 'game', { why: { key: request, facts } }) : state),
  deleteResults: (state) => ifSure(state, 'delete', t('deleteSure'), () =>
    announce({ ...state, results: NO_RESULTS }, t('deleted'))),
  deleteGames: (state) => ifSure(state, 'games-delete', t('deleteSure'), () =>
    announce({ ...state, games: [] }, t('gamesDeleted'))),
} satisfies Partial<Reducers>;
