// What the engine knows of games, and the hints that follow from it. The engine's games are outside of the state, which
// has only values: where a game begins, its moves, and what follows from them (GameState). The engine has one game,
// which moves from one place to the next.

import { isTooLarge } from './boards.js';
import { distanceText, moveText, whySentences } from '../format.js';
import { other } from './position.js';
import { t } from '../texts.js';

import type { Engine, Game } from '../../engine/engine.js';
import type { Choice, GameState, Hints, Review, Reviewed, State, Why } from './types.js';

/** Nothing is discussed but the last move. */
export const NO_REVIEW: Review = { focus: null, attempt: null };

/** A place in a game: after `moves`, with those that are undone after it. */
type Place = Pick<GameState, 'start' | 'moves' | 'undone'>;

/** What is known outside of the state, of an engine: always the same for the same game. */
interface Known {
  game: Game;
  start: string;
  line: string[];
  choices: WeakMap<GameState, Choice[]>;
  /** The review that was found last. */
  review: { key: string; moves: Reviewed[]; why: Map<string, Why> };
}
const known = new WeakMap<Engine, Known>();

function knownOf(engine: Engine, start: string): Known {
  const found = known.get(engine);
  if (found?.start === start) return found;
  const blank = { choices: new WeakMap(), review: { key: '', moves: [], why: new Map() } };
  const next: Known = { ...(found ?? blank), game: engine.newGame(start), start, line: [] };
  found?.game.free();
  known.set(engine, next);
  return next;
}

/** The engine's game at a place, to be used at once: it is moved from where it was, not begun again. */
function gameAt(engine: Engine, { start, moves, undone }: Place): Game {
  const found = knownOf(engine, start);
  const line = [...moves, ...undone];
  const parting = found.line.findIndex((move, ply) => move !== line[ply]);
  let same = parting < 0 ? found.line.length : parting;
  // Only a move discards those that are undone: a line that has only become shorter begins again.
  if (same === line.length && found.line.length > same) {
    found.game.free();
    Object.assign(found, { game: engine.newGame(start), line: [] });
    same = 0;
  }
  if (same < line.length) found.game.goto(same);
  line.slice(same).forEach((move, n) => {
    found.game.play(move);
    found.line.splice(same + n, Infinity, move); // after each move: the next one may be illegal
  });
  found.game.goto(moves.length);
  return found.game;
}

/** Where a game is after some moves of a line. */
export const stateAt = (engine: Engine, start: string, line: string[] = [], ply = line.length): GameState =>
  gameAt(engine, { start, moves: line.slice(0, ply), undone: line.slice(ply) }).state();

/** The moves with their values, best first; looked up once for each place. */
export function choicesAt(engine: Engine, place: GameState): Choice[] {
  if (place.end) return [];
  const { choices } = knownOf(engine, place.start);
  const found = choices.get(place) ?? gameAt(engine, place).choices();
  choices.set(place, found);
  return found;
}

export const whyAt = (engine: Engine, place: GameState, move: string): Why =>
  gameAt(engine, place).why(place.plies, move);

export const bestLineAt = (engine: Engine, place: GameState) => gameAt(engine, place).bestLine();

export const opponentMoveAt = (engine: Engine, place: GameState, name: string, seed: number) =>
  gameAt(engine, place).opponentMove(name, seed);

/** What a hint is about. In a large table, the facts would take too long to find. */
function bestAt(engine: Engine, place: GameState): NonNullable<Hints['best']> {
  const [choice] = choicesAt(engine, place);
  return { choice, side: place.to_move, facts: isTooLarge(engine) ? null : whyAt(engine, place, choice.move) };
}

// ---- the review of the game that is shown ----

function lastOf({ engine, game: { gameState: { start, moves, undone } } }: State) {
  const found = knownOf(engine, start);
  const line = [...moves, ...undone];
  const key = [start, ...line].join(' ');
  if (key !== found.review.key)
    found.review = { key, moves: gameAt(engine, { start, moves: line, undone: [] }).review(), why: new Map() };
  return found.review;
}

/** The moves of the line, judged: the same list as long as the line is the same. */
export const reviewOf = (state: State) => lastOf(state).moves;

/** What the move with this index does. */
export function whyOf(state: State, index: number, move = reviewOf(state)[index].move) {
  const { why } = lastOf(state);
  const key = `${index} ${move}`;
  const found = why.get(key) ?? gameAt(state.engine, state.game.gameState).why(index, move);
  why.set(key, found);
  return found;
}

// ---- hints ----

// What is going on, then the piece that makes the best move, then the move and what it does. A puzzle asks for the move
// in a situation that is known, so there the piece is first.

export type Best = NonNullable<Hints['best']>;

export const NO_HINTS: Hints = { steps: ['situation', 'piece', 'move'], given: 0, best: null };
export const NO_PUZZLE_HINTS: Hints = { ...NO_HINTS, steps: ['piece', 'move'] };

/** The last hint that was given, if any. */
const step = ({ steps, given }: Hints) => steps[given - 1];
export const isMoveGiven = (hints: Hints) => step(hints) === 'move';
export const isMoveNext = ({ steps, given }: Hints) => steps[given] === 'move';

/** With the next hint for a place in a game. */
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
  if (step(hints) === 'situation') return situation(hints.best);
  if (step(hints) === 'piece') return [t('hintPiece', choice.from)];
  return [t('hintMove', moveText(choice.move)), ...(facts ? whySentences(facts, side, { isHint: true }) : [])];
}

/** What the board shows of the hints. */
export const hintScene = ({ preview }: State, hints: Hints) => ({
  preview: preview ?? (hints.best && isMoveGiven(hints) ? hints.best.choice : null),
  glow: hints.best && step(hints) !== 'situation' ? [hints.best.choice.from] : null,
});
