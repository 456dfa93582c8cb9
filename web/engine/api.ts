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
  reason: 'won' | 'repetition' | 'stalemate' | 'resigned' | 'time' | 'agreed' | 'stated';
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
  /** How the game ended; to be written, it must be given where the moves and `resigned` do not show it. */
  end?: End | null;
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
 * A table: its bytes, a File or another Blob, its address or, for `load` in Node.js, its path, all of
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
  /** Called now and then. What it throws ends the work, and is what the promise is rejected with. */
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
  /** Whether to compute trap values, as the program does by default; without them perfect play sets no traps. */
  traps?: boolean;
}

/** What solving a board takes, about. */
export interface Estimate {
  /** To look at. */
  positions: number;
  /** Of memory. */
  bytes: number;
  /**
   * Why the board cannot be solved: a rule of the board, then all else is 0, or 'memory' if it takes more than there is
   * or than WebAssembly can have.
   */
  refused: null | { reason: Fault | 'memory'; limit?: number };
}
