/** A position, as in '1w1w1/2b2/5/2w2/1b1b1 b': the ranks from 5 to 1, then the side to move. */
export type PositionText = string;
/** A move, as in 'b1-c1'. */
export type MoveText = string;
export type Side = 'black' | 'white';
export type Result = 'win' | 'draw' | 'loss';

/** A value for the side to move, or for the side that makes a move. */
export interface Value {
  result: Result;
  /** Moves by one side to the end of the game with optimal play; 0 for a draw. */
  plies: number;
}

export interface LegalMove {
  move: MoveText;
  /** Squares, 'a1' to 'e5'. */
  from: string;
  to: string;
}

export interface MoveValue extends LegalMove {
  value: Value;
  /** The position after the move. */
  next: PositionText;
}

/** A move in a game, with a value that takes threefold repetition into account. */
export interface Option extends MoveValue {
  /** How often the position after the move has occurred; 2: the move ends the game as a draw. */
  repeats: number;
  /** For a draw, the probability in 256ths that an imperfect opponent loses after the move. */
  trap: number;
}

export interface Reviewed {
  move: MoveText;
  side: Side;
  /** In which the move was played. */
  position: PositionText;
  before: Value;
  after: Value;
  /** '?': throws away a win or a draw; '??': turns a win into a loss. */
  mark: '' | '?' | '??';
  /** A best move; the move itself if it keeps the result. */
  better: MoveText;
  /** If the result is kept: by how many plies the win is delayed or the loss hastened. */
  pliesLost: number;
}

/** Why a value may be rejected. */
export interface Rejected {
  ok: false;
  /** In English. */
  error: string;
  /** For a position: 'syntax', 'black-count' or 'white-count' (of its pieces), or 'won': the side to move has its row. */
  code: string;
  /** The character of the text, from 1; 0 if there is none. */
  at: number;
}

export interface GameState {
  start: PositionText;
  position: PositionText;
  toMove: Side;
  /** The number of moves played. */
  plies: number;
  moves: MoveText[];
  /** Undone moves, in the order of redo. */
  undone: MoveText[];
  /** How often the position has occurred, this time included. */
  repetitions: number;
  over: null | { end: 'row' | 'repetition' | 'stuck' | 'resigned'; winner: Side | null };
  /** Empty if the game is over. */
  legal: LegalMove[];
}

/** A forced win. */
export interface Win {
  move: MoveText;
  plies: number;
  line: MoveText[];
}

/** What a move does; see `Game.why`. */
export interface Why extends LegalMove {
  value: Value;
  before: Value;
  next: PositionText;
  /** The result that the move throws away. */
  gives: 'nothing' | 'draw' | 'win';
  best: MoveText;
  /** Every other move throws away the win or the draw that this one keeps. */
  only: boolean;
  /** The move ends the game by threefold repetition. */
  repeats: boolean;
  /** The win of the same side if the opponent could pass; null also if the move ends the game. */
  threat: Win | null;
  /** The win of the opponent that the move prevents or delays. */
  stops: Win | null;
  /** The best line after the move; in a drawn game its first moves. */
  line: MoveText[];
  replies: { total: number; losing: number; holding: number; winning: number };
  /** The only reply of several that keeps the opponent's result. */
  onlyReply: MoveText | null;
}

/** A game. Its memory is free after `free()`, or when nothing refers to the engine. */
export interface Game {
  state(): GameState;
  /** Plays a move and discards the undone ones. */
  play(move: MoveText): { ok: true } | Rejected;
  /** Goes to the position after `ply` moves; false if there is none. Going back undoes a resignation. */
  goto(ply: number): boolean;
  /** The side to move resigns. */
  resign(): void;
  /** All moves, best first; none if the game is over. */
  options(): Option[];
  /** The move of an opponent, 'perfect' for the perfect player. The same seed, an integer from 0, gives the same move. */
  opponentMove(name: string, seed: number | bigint): MoveText;
  review(): Reviewed[];
  /** Explains a legal move at a ply of the game. */
  why(ply: number, move: MoveText): Why;
  /** The best line to the end of the game; the first moves of a drawn one. In a new game as `neutreeko line --seed 0`. */
  bestLine(): MoveText[];
  /** The game as text, which `Engine.readGame` and `neutreeko review` read. */
  record(): string;
  free(): void;
}

export type PuzzleKind = { plies: number; save?: undefined } | { save: true; plies?: undefined };

export interface Board {
  /** Squares, 3 to 8. */
  width: number;
  height: number;
  /** Of each side, 2 to 5. */
  pieces: number;
  /** Pieces in a winning line, 2 to `pieces`; equal to `pieces` if no line wins. */
  row: number;
  /** What wins: a line, an orthogonal or a diagonal one only, one piece halfway between two others, the centre square. */
  win: 'line' | 'orthogonal' | 'diagonal' | 'equidistant' | 'centre';
}

/** The rules, the table, the perfect player and other opponents. All functions are synchronous. */
export interface Engine {
  readonly board: Board;
  /** The start position; on a board that has none, one that is proposed, or null. */
  readonly start: PositionText;
  readonly summary: { legal: number; wins: number; losses: number; draws: number; longest: number };
  /** The positions by the plies to their end, losses and wins in turn, and an example of those that take most. */
  distances(): { counts: number[]; longest: PositionText | null };
  /** Strongest first. */
  opponents(): { name: string; about: string }[];
  /** `text` is the position as the project writes it. */
  checkPosition(text: string): { ok: true; text: PositionText } | Rejected;
  newGame(position?: PositionText): Game;
  readGame(record: string): { ok: true; game: Game } | Rejected;
  value(position: PositionText): Value;
  /** All moves, best first; none if the game is over. */
  moves(position: PositionText): MoveValue[];
  /**
   * The difficulties that exist; `total` counts positions that differ only by colours and symmetry once. The first call of
   * this or the next function looks at the whole table, which takes a moment.
   */
  puzzleKinds(): (PuzzleKind & { total: number })[];
  /**
   * Positions in which a single move wins in so many plies, or keeps the draw; fewer than `count` if there are fewer. The
   * same seed, an integer from 0, gives the same puzzles as `neutreeko puzzle --seed`.
   */
  puzzles(kind: PuzzleKind, seed: number | bigint, count: number): { position: PositionText; answer: MoveText }[];
}

/** Thrown for all errors, except where a function returns `Rejected`. */
export class EngineError extends Error {
  constructor(kind: EngineError['kind'], message: string);
  /**
   * 'unsupported' by this browser, 'damaged': the table or the page, 'memory': there is not enough, 'refused': a board that
   * cannot be solved, 'aborted' by the caller, 'failed': any other error.
   */
  kind: 'unsupported' | 'damaged' | 'memory' | 'refused' | 'aborted' | 'failed';
}

/** Loads the engine with the table of this package. */
export function load(): Promise<Engine>;

/** Loads the engine from the bytes of neutreeko.wasm and of a table, which is checked completely. */
export function loadEngine(wasm: Uint8Array, table: Uint8Array): Promise<Engine>;
