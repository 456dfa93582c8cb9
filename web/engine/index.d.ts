/**
 * A position, as in '1w1w1/2b2/5/2w2/1b1b1 b': the ranks from 5 to 1, then the side to move. Where one is read, it may
 * also be 'standard', the start position, or 'fair:17', a fair start by its number, which looks at a part of the table.
 */
export type PositionText = string;
/** A move, as in 'b1-c1'. */
export type MoveText = string;
/** Black moves first. */
export type Side = 'black' | 'white';
/** For the side to move, or for the side that makes a move. */
export type Result = 'win' | 'draw' | 'loss';

/**
 * A value for the side to move, or for the side that makes a move: `plies` are moves by one side to the end of the game
 * with optimal play.
 */
export type Value = { result: 'win' | 'loss'; plies: number } | { result: 'draw'; plies: null };

/** A legal move. */
export interface LegalMove {
  move: MoveText;
  /** Squares, 'a1' to 'e5'. */
  from: string;
  to: string;
}

/** A legal move with its value in the table. */
export interface MoveValue extends LegalMove {
  value: Value;
  /** The position after the move. */
  next: PositionText;
}

/** A move in a game, with a value that takes threefold repetition into account. */
export interface Choice extends MoveValue {
  /** How often the position after the move has occurred; 2: the move ends the game as a draw. */
  repeats: number;
  /** For a draw, the probability in 256ths that an imperfect opponent loses after the move; otherwise null. */
  trap: number | null;
}

/** A move of a game, judged. */
export interface Reviewed {
  /** The number of the move, from 1. */
  ply: number;
  move: MoveText;
  side: Side;
  /** In which the move was played. */
  position: PositionText;
  before: Value;
  after: Value;
  /** '?': a mistake, which lowers the result by one step; '??': a blunder, from a win to a loss. */
  mark: null | '?' | '??';
  /** A best move; null if the move is as good. */
  better: MoveText | null;
  /** If the result is kept, by how many plies the win is delayed or the loss hastened. */
  plies_lost: number;
}

/** How a game has ended; the winner is null for a draw. */
export interface End {
  reason: 'won' | 'repetition' | 'stalemate' | 'resigned';
  winner: Side | null;
}

/** What a move did that was played. */
export interface Played extends LegalMove {
  /** That made the move. */
  side: Side;
  /** After the move. */
  position: PositionText;
  /** Null while the game is not over. */
  end: End | null;
}

/** Where a game is. */
export interface GameState {
  start: PositionText;
  position: PositionText;
  to_move: Side;
  /** The number of moves played. */
  plies: number;
  moves: MoveText[];
  /** Undone moves, in the order of redo. */
  undone: MoveText[];
  /** How often the position has occurred, this time included. */
  repetitions: number;
  /** Null while the game is not over. */
  end: End | null;
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
  /** The result that the move loses. */
  gives: null | 'draw' | 'win';
  best: MoveText;
  /** Every other move loses the win or the draw that this one keeps. */
  only: boolean;
  /** The move ends the game by threefold repetition. */
  repeats: boolean;
  /** The win of the same side if the opponent could pass; null also if the move ends the game. */
  threat: Win | null;
  /** The win of the opponent that the move prevents or delays. */
  prevented: Win | null;
  /** The best line after the move; in a drawn game its first moves. */
  line: MoveText[];
  replies: { total: number; losing: number; holding: number; winning: number };
  /** The only reply of several that keeps the opponent's result. */
  only_reply: MoveText | null;
}

/** What a record has before the moves; `result` is '1-0' if White has won, '0-1', '1/2-1/2' or '*'. */
export type Headers = Partial<Record<'event' | 'date' | 'round' | 'black' | 'white' | 'result', string>>;

/** A move of a game or of a variation; the first node is the start. */
export interface RecordNode {
  /** The number of the node before, from 0; null for the start. The first of several nodes with the same parent
   * continues the line, the others begin variations. */
  parent: number | null;
  /** Null for the start. */
  move: MoveText | null;
  /** Such as '?! $14', or null. */
  marks?: string | null;
  comment?: string | null;
  /** The side to move then resigned; the moves after it are alternatives to that. */
  resigned?: boolean;
}

/** A game with variations, comments and marks. */
export interface GameRecord {
  start: PositionText;
  /** In the order of the text: a node follows its parent. */
  tree: RecordNode[];
  headers?: Headers;
}

/** A game. Its memory is free after `free()`, or some time after nothing refers to the game any more. */
export interface Game {
  /** Those of the record from which it was read; none in a new game. `record()` writes them. */
  headers: Headers;
  /** Describes the current position and the moves so far. */
  state(): GameState;
  /** The board, to be printed. */
  ascii(): string;
  /** Another game with the same moves, played and undone, and headers. */
  clone(): Game;
  /** The legal moves, or those of the piece on a square of the board; none if the game is over. */
  moves(options?: { square?: string }): LegalMove[];
  /**
   * Plays a move and discards the undone ones. Throws an EngineError with the code 'move' if it is illegal, or 'over'
   * if the game is over, also by a resignation.
   */
  play(move: MoveText): Played;
  /** Undoes the last move, or only a resignation; false if there is none. */
  undo(): boolean;
  /** Plays the last undone move again; false if there is none. */
  redo(): boolean;
  /** Goes to the position after `ply` moves, an integer; false if there is none. Going back undoes a resignation. */
  goto(ply: number): boolean;
  /** The side to move resigns. */
  resign(): void;
  /** All moves, best first; none if the game is over. */
  choices(): Choice[];
  /**
   * The move of an opponent, by default the perfect player. The same seed, an integer from 0, gives the same move.
   * Throws an EngineError with the code 'human' for that name, 'syntax' for an unknown one, or 'over'.
   */
  opponentMove(name?: string, seed?: number | bigint): MoveText;
  /** Judges the moves played. */
  review(): Reviewed[];
  /** Explains a legal move after the first `ply` moves, as for `goto`: for a `Reviewed`, after `ply - 1`. */
  why(ply: number, move: MoveText): Why;
  /**
   * The best line to the end of the game; the first moves of a drawn one. In a new game as
   * `neutreeko query --line --seed 0`.
   */
  bestLine(): MoveText[];
  /** The game as text, which `Engine.readGame` and `neutreeko review` read. */
  record(): string;
  /** The same as `record()`. */
  toString(): string;
  /** Frees the memory of the game at once; it cannot be used afterwards. */
  free(): void;
}

/** A win in so many plies, an odd number, or a draw to be kept. */
export type PuzzleKind = { plies: number; draw?: undefined } | { draw: true; plies?: undefined };

/** A variant of the game. Where one is read, what is left out is that of the standard game. */
export interface Board {
  /** Squares, 3 to 8. */
  width: number;
  height: number;
  /** Of each side, 2 to 5. */
  pieces: number;
  /** Pieces in a winning line, 2 to `pieces`; equal to `pieces` if no line wins. */
  row_length: number;
  /**
   * What wins: a line, an orthogonal or a diagonal one only, one piece halfway between two others, the centre square.
   */
  win: 'line' | 'orthogonal' | 'diagonal' | 'equidistant' | 'centre';
}

/**
 * Why there is no board: its size, the number of pieces, pieces that fill it, the row length, or a winning condition
 * that does not exist or does not fit the board.
 */
export type Fault = 'size' | 'pieces' | 'full' | 'row' | 'win' | 'equidistant' | 'centre';

/** The names and limits of the engine. */
export interface Names {
  /** Its version. */
  engine: string;
  /**
   * Squares of a side, pieces of a side and in a winning line; `usual_row_length` by default, or fewer if
   * there are fewer pieces.
   */
  board: Record<'side' | 'pieces' | 'row_length', { min: number; max: number }> & { usual_row_length: number };
  /** The winning conditions, and whether they are lines. */
  wins: { name: Board['win']; lines: boolean }[];
  statuses: string[];
  sides: Side[];
  ends: string[];
  marks: string[];
}

/**
 * The rules, the table, the perfect player and other opponents. All functions but `finish` are synchronous.
 */
export interface Engine {
  /** The version of the engine. */
  readonly version: string;
  readonly board: Board;
  /** Whether `finish` puts the values of all positions into memory, see `openTable`. */
  readonly complete: boolean;
  /** The start position; null if the board has none, see `suggestedStart`. */
  start: PositionText | null;
  /** Numbers of positions, and the longest distance in plies. */
  readonly summary: Record<
    'placements' | 'legal' | 'wins' | 'losses' | 'draws' | 'stalemates' | 'longest',
    number
  >;
  /** Checks a complete table and makes lookups in it faster, with pauses, so that a page reacts meanwhile. */
  finish(): Promise<void>;
  /**
   * The start position or, where none is known, a proposal: symmetric, and drawn or with a late end; null without any.
   */
  suggestedStart(): PositionText | null;
  /** A symmetric position to begin with, whatever its value, which does not need the table; null if there is none. */
  firstStart(): PositionText | null;
  /**
   * All fair starts: positions that are drawn with either side to move, with the same prospects for both. Number n, as
   * in `neutreeko query fair:n`, is item n - 1, and always means the same position. This looks at the whole table.
   */
  fairStarts(): PositionText[];
  /**
   * The positions by the plies to their end, losses and wins in turn, and an example of those that take most. This and
   * the puzzles look at the whole table, which takes long if that is not complete.
   */
  countByPlies(): { by_plies: number[]; longest: PositionText | null };
  /** What this engine calls things, and its limits. */
  names(): Names;
  /** Why there is no such board; null if there is one, though perhaps not of this engine. */
  faultOf(board?: Partial<Board>): Fault | null;
  /** Strongest first. A few of all strengths are offered to people under other names, as 'level:1' as 'beginner'. */
  opponents(): { name: string; about: string; offered_as: string | null }[];
  /**
   * Whether a text is a legal position: the position as the project writes it or, with the code 'syntax' or 'position',
   * what other functions throw.
   */
  checkPosition(text: string): { ok: true; position: PositionText } | { ok: false; error: EngineError };
  /** The board of a position, to be printed. */
  ascii(position: PositionText): string;
  /** The squares, such as 'a1', with which a side has won: the fewest of its pieces that win without the others. */
  winningSquares(position: PositionText, side: Side): string[];
  /** Begins a game, at the start position by default; an error with the code 'position' if the board has none. */
  newGame(position?: PositionText): Game;
  /** Reads a game from its record, without variations, comments and marks. */
  readGame(record: string): Game;
  /** Reads a record with its variations, comments and marks, as `neutreeko review --json` prints them. */
  readRecord(record: string): GameRecord & { headers: Headers };
  /**
   * Writes a record. Every move has to be legal; white space in comments becomes single spaces. The result is that of
   * the game or, if it is not over, of the headers.
   */
  writeRecord(record: GameRecord): string;
  /** The value of a position. */
  value(position: PositionText): Value;
  /** All moves, best first; none if the game is over. */
  moves(position: PositionText): MoveValue[];
  /**
   * The difficulties that exist; `total` counts positions that differ only by colours and symmetry once. The first call
   * of this or the next function looks at the whole table, which takes a moment.
   */
  puzzleKinds(): (PuzzleKind & { total: number })[];
  /**
   * Positions in which a single move wins in so many plies, or keeps the draw; fewer than `count` if there are fewer,
   * and an empty array if there are none, where `neutreeko puzzle` fails because it has nothing to print. The same
   * seed, an integer from 0 below 2 ** 64, gives the same puzzles as `neutreeko puzzle --seed`, the first of them for a
   * smaller `count`.
   */
  puzzles(kind: PuzzleKind, count?: number, seed?: number | bigint): { position: PositionText; answer: MoveText }[];
  /**
   * For a table of any size: a position near some random ones in which a single move wins in `from` to `to` plies, or
   * keeps the draw if both are 0; null if there is none near these. The seed is an integer from 0.
   */
  samplePuzzle(from: number, to: number, seed?: number | bigint): PositionText | null;
}

/** An engine with the values of all positions in memory. */
export interface CompleteEngine extends Engine {
  readonly complete: true;
}

/**
 * Thrown for all errors, also for an argument of a wrong type or outside of its range. The message names a position or
 * a move that is invalid.
 */
export class EngineError extends Error {
  /** Made by the engine. */
  constructor(code: EngineError['code'], message: string, where?: { at?: number; reason?: EngineError['reason'] });
  /**
   * What is wrong, by the names of C's `nk_status`:
   *
   * - 'syntax': the text is not a position, a move, a game or an opponent; `at` has the place
   * - 'position': the position is illegal, for a `reason`, or there is no such start position
   * - 'move': the move is illegal
   * - 'rules': there is no such board, or it is not that of the table
   * - 'limit': a game on the board lasts too long to be solved
   * - 'read': a file cannot be read or fetched
   * - 'not_table': the file is not a table; 'corrupt': the table or the page is damaged
   * - 'memory': there is not enough
   * - 'unsupported': this browser or this table cannot do it
   *
   * and of JavaScript only:
   *
   * - 'over': there is no move because the game is over; the message has the end
   * - 'human': this opponent is a person, who chooses the moves
   * - 'argument': an argument of a wrong type or outside of its range, or a game that has been freed
   * - 'aborted': by the caller
   * - 'module': a module of WebAssembly, or a worker, cannot be started or has stopped
   */
  code:
    | 'syntax'
    | 'position'
    | 'move'
    | 'rules'
    | 'limit'
    | 'read'
    | 'not_table'
    | 'corrupt'
    | 'memory'
    | 'unsupported'
    | 'over'
    | 'human'
    | 'argument'
    | 'aborted'
    | 'module';
  /** The character of the text, from 1; 0 if there is none. */
  at: number;
  /**
   * Of a text that is an illegal position: the number of a side's pieces, or the side to move has already won; it is
   * undefined where a record begins at one.
   */
  reason: 'black-count' | 'white-count' | 'won' | undefined;
}

/**
 * A table: its bytes, a File or another Blob, its address or, for `load` and `verify` in Node.js, its path, all of
 * which are read into memory; or a source, of which parts are read when they are needed.
 */
export type TableSource = Uint8Array | Blob | string | URL | SynchronousSource;

/** For a table of any size: as from fs.readSync in Node.js, or from a FileReaderSync in a worker of a browser. */
export interface SynchronousSource {
  /** Of the table, in bytes. */
  size: number;
  /** Returns `length` bytes, or throws. */
  read(offset: number, length: number): Uint8Array;
}

/**
 * How far solving is. In the phase 'solving' `ply` is the last one that is complete: `decided` positions of `total`,
 * the legal ones, end after at most so many plies, and `by_plies` has their numbers by plies, losses and wins in turn.
 * What is `undecided` at the end is drawn. The phases 'writing' and 'traps' (the trap values) may alternate.
 */
export interface Progress {
  phase: 'solving' | 'traps' | 'writing';
  /** The share of the phase, 0 to 1. */
  done: number;
  ply: number;
  decided: number;
  undecided: number;
  total: number;
  by_plies: number[];
}

/** How to solve a board. */
export interface SolveOptions {
  /** Called now and then. */
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
  /** Whether to compute trap values, as the program does by default; without them perfect play sets no traps. */
  traps?: boolean;
}

/**
 * Solves a board in a worker, and resolves to its table: the bytes of a perfect_move.dat with the codes and the
 * checksum of the one that neutreeko-solve writes. Rejects with an `EngineError` with the code 'rules' (there is no
 * such board), 'limit' (a game on it lasts too long), 'memory', 'aborted', 'read' or 'module'.
 */
export function solve(board?: Partial<Board>, options?: SolveOptions): Promise<Uint8Array<ArrayBuffer>>;

/** How to verify a table. */
export interface VerifyOptions {
  /** Called now and then with the share that is done, 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

/**
 * Verifies a table in a worker: the value of every position against those that its
 * moves lead to, all counts and checksums, and the trap values. A table may have up to 2 GB. Rejects with an
 * `EngineError` with the code 'corrupt' and the first thing that is wrong, such as "the table is wrong: 4/4/bbb1/www1
 * b: ..." with a position, 'not_table', 'argument', 'memory', 'aborted', 'read' or 'module'.
 */
export function verify(table: Exclude<TableSource, SynchronousSource>, options?: VerifyOptions): Promise<void>;

/**
 * What solving a board takes, about: `positions` to look at and `bytes` of memory. `refused` is the reason if it
 * cannot be solved: a rule of the board, then all else is 0, or 'memory' if it takes more than `memory` bytes or than
 * WebAssembly can have.
 */
export function estimate(
  board?: Partial<Board>,
  device?: { memory?: number },
): Promise<{
  positions: number;
  bytes: number;
  refused: null | {
    reason: Fault | 'memory';
    limit?: number;
  };
}>;

/**
 * Loads the engine: solves the standard game, which takes a tenth of a second, or opens a table as `openTable` does.
 */
export function load(): Promise<CompleteEngine & { start: PositionText }>;
export function load(
  table: TableSource,
  options?: { complete?: boolean; onProgress?: (share: number) => void },
): Promise<Engine>;

/**
 * Opens a table, of up to 2 GB unless it is a source. Each call uncompresses, and checks, the blocks that it needs. If
 * the table is `complete`, by default a small one, `Engine.finish` checks all of it and puts the values of all
 * positions into memory. `onProgress` is called with the share of the table that has been read.
 */
export function openTable(
  wasm: Uint8Array,
  table: TableSource,
  options?: { complete?: boolean; onProgress?: (share: number) => void },
): Promise<Engine>;

/** Loads the engine from the bytes of neutreeko.wasm and of a table, which is checked completely. */
export function loadEngine(wasm: Uint8Array, table: Uint8Array): Promise<CompleteEngine>;
