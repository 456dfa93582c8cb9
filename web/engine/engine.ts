// The interface to the WebAssembly module: rules, table, choice of move, opponents, review, puzzles.
//
// What the answers are: web/engine/api.ts. Its declarations and those of this file are in the npm package. A value is
// from the view of the side to move (of a move: from the view of the side that makes it, counted from before it). After
// loading, every call is synchronous. Every function throws an EngineError if it fails.

import {
  asObject, asText, boardArguments, type Bytes, EngineError, estimateIn, isInteger, isSource, Module, requireArgument,
} from './module.js';
import { solveInMemory } from './solve.js';

import type {
  Board, Choice, End, Estimate, Fault, GameRecord, GameState, Headers, LegalMove, MoveText, MoveValue, Names, Played,
  PositionText, PuzzleKind, RecordNode, Reviewed, Side, TableSource, Value, Why,
} from './api.js';

/**
 * Creates the engine. Rejects a table unless the checksums of its header, of each block and of all codes match.
 * @param tableBytes neither is modified
 */
export const loadEngine = (wasmBytes: Bytes, tableBytes: Bytes) =>
  openTable(wasmBytes, tableBytes, { complete: true });

/** Creates the engine with the standard game, which the module solves. */
export async function solveStandard(wasmBytes: Bytes) {
  requireBrowser();
  const module = await Module.instantiate(wasmBytes);
  module.useBoard();
  for (const _ of solveInMemory(module));
  const engine = new Engine(module, true);
  engine.loadValues();
  return engine;
}

const SMALL_TABLE = 1 << 20; // entries

/**
 * Opens a table, of up to 2 GB unless it is a source. If it is `complete`, by default a small one, all of it is
 * checked, and the values of all positions are in memory; otherwise each call uncompresses, and checks, the blocks that
 * it needs. `onProgress` is called with the share of the table that has been read.
 */
export async function openTable(
  wasmBytes: Bytes,
  table: TableSource,
  options?: { complete?: boolean | undefined; onProgress?: (share: number) => void },
) {
  requireBrowser();
  const { complete, onProgress } = options ?? {};
  requireArgument(complete === undefined || typeof complete === 'boolean', 'complete', 'true or false', complete);
  requireArgument(onProgress === undefined || typeof onProgress === 'function', 'onProgress', 'a function', onProgress);
  const module = await Module.instantiate(wasmBytes);
  const entries = isSource(table) ? module.openSource(table) : await module.open(table, onProgress);
  const engine = new Engine(module, complete ?? entries <= SMALL_TABLE);
  if (engine.complete) engine.loadValues();
  return engine;
}

/**
 * The rules, the table, the perfect player and other opponents.
 */
export class Engine {
  /** The version of the engine. */
  readonly version: string;
  readonly board: Board;
  /** Whether the values of all positions are in memory. */
  readonly complete: boolean;
  /** The start position; null if the board has none, see `suggestedStart`. */
  readonly start: PositionText | null;
  /** Numbers of positions, and the longest distance in plies. */
  readonly summary: Record<'placements' | 'legal' | 'wins' | 'losses' | 'draws' | 'stalemates' | 'longest', number>;
  #module: Module;

  /** @internal */
  constructor(module: Module, complete: boolean) {
    this.#module = module;
    this.complete = complete;
    const { board, start, summary } = module.call<Pick<Engine, 'board' | 'start' | 'summary'>>('web_about');
    this.version = this.names().engine;
    this.board = board;
    this.start = start;
    this.summary = summary;
  }

  /**
   * Checks all of the table, and makes lookups in it faster.
   * @internal
   */
  loadValues() {
    this.#module.call('web_load');
  }

  /**
   * The start position or, where none is known, a proposal: symmetric, and drawn or with a late end; null without any.
   */
  suggestedStart(): PositionText | null {
    return this.#module.call('web_start');
  }

  /** A symmetric position to begin with, whatever its value, which does not need the table; null if there is none. */
  firstStart(): PositionText | null {
    return this.#module.call('web_start_first');
  }

  /**
   * All fair starts: positions that are drawn with either side to move, with the same prospects for both. Number n, as
   * in `neutreeko query fair:n`, is item n - 1, and always means the same position. This looks at the whole table.
   */
  fairStarts(): PositionText[] {
    return this.#module.call('web_fair_starts');
  }

  /**
   * The positions by the plies to their end, losses and wins in turn, and an example of those that take most. This
   * looks at the whole table, as puzzles may, which takes long if that is not complete.
   */
  countByPlies(): { by_plies: number[]; longest: PositionText | null } {
    return this.#module.call('web_count_by_plies');
  }

  /** What this engine calls things, and its limits. */
  names(): Names {
    return this.#module.call('web_names');
  }

  /** Why there is no such board; null if there is one, though perhaps not of this engine. */
  faultOf(board?: Partial<Board>): Fault | null {
    const { numbers, win } = boardArguments(board);
    return this.#module.call('web_board_fault', [win], ...numbers);
  }

  /**
   * What solving a board takes, about. It is refused if it takes more than `memory` bytes or than WebAssembly can have.
   */
  estimate(board?: Partial<Board>, memory = Number.POSITIVE_INFINITY): Estimate {
    return estimateIn(this.#module, board, memory);
  }

  /** Strongest first. A few of all strengths are offered to people under other names, as 'level:1' as 'beginner'. */
  opponents(): { name: string; about: string; offered_as: string | null }[] {
    return this.#module.call('web_opponents');
  }

  /**
   * Whether a text is a legal position: the position as the project writes it or, with the code 'syntax' or 'position',
   * what other functions throw.
   */
  checkPosition(text: string): { ok: true; position: PositionText } | { ok: false; error: EngineError } {
    try {
      return { ok: true, position: this.#module.read('position', text, 'web_check_position') };
    } catch (error) {
      if (error instanceof EngineError && ['syntax', 'position'].includes(error.code)) return { ok: false, error };
      throw error;
    }
  }

  /** The board of a position, to be printed. */
  ascii(position: PositionText): string {
    return drawn(this.#module.read('position', position, 'web_check_position'));
  }

  /** Begins a game, at the start position by default; an error with the code 'position' if the board has none. */
  newGame(position?: PositionText): Game {
    const game = position === undefined
      ? this.#module.call<number>('web_game_new', ['standard'])
      : this.#module.read<number>('position', position, 'web_game_new');
    return new Game(this.#module, game);
  }

  /** Reads a game from its record, without variations, comments and marks. What was skipped is in its `warning`. */
  readGame(record: string): Game {
    const text = asText(record, 'record');
    type Read = { game: number; headers: Headers; warning: string | null };
    const { game, headers, warning } = this.#module.call<Read>('web_game_read', [text]);
    return new Game(this.#module, game, headers, warning);
  }

  /**
   * Reads a record with its variations, comments and marks, as `neutreeko review --json` prints them. What was
   * skipped, and what the moves contradict, is in `warning`.
   */
  readRecord(record: string): GameRecord & { headers: Headers; end: End | null; warning: string | null } {
    return this.#module.call('web_record_read', [asText(record, 'record')]);
  }

  /**
   * Writes a record. Every move has to be legal; white space in comments becomes single spaces. The result is that of
   * the game or, if it is not over, that of `end`, which its moves do not show, or of the headers.
   */
  writeRecord(record: GameRecord): string {
    const { start, tree, headers, end } = asObject<GameRecord>(record);
    requireArgument(Array.isArray(tree) && tree.length > 0, 'tree', 'an array of nodes', tree);
    const nodes = tree.flatMap((node, number) => {
      const { parent = undefined, resigned, ...texts } = asObject<RecordNode>(node);
      const where = `tree[${number}]`;
      requireArgument(number ? isInteger(parent) && parent < number : parent === null,
        `${where}.parent`, number ? 'the number of an earlier node' : 'null', parent);
      const [move, marks, comment] = textsOf(texts, ['move', 'marks', 'comment'], where);
      return [String(parent ?? ''), move, marks, comment, resigned ? '1' : ''];
    });
    const texts = [asText(start, 'start'), ...headerTexts(withResult(headers, end)), endText(end), ...nodes];
    return this.#module.call('web_record_write', texts, tree.length);
  }

  /** All moves, best first; none if the game is over. */
  moves(position: PositionText): MoveValue[] {
    return this.#module.read('position', position, 'web_moves');
  }

  /** The value of a position. */
  value(position: PositionText): Value {
    return this.#module.read('position', position, 'web_value');
  }

  /** The squares, such as 'a1', with which a side has won: the fewest of its pieces that win without the others. */
  winningSquares(position: PositionText, side: Side): string[] {
    requireArgument(side === 'black' || side === 'white', 'side', "'black' or 'white'", side);
    return this.#module.read('position', position, 'web_winning', side === 'white');
  }

  /**
   * The difficulties that exist; `total` counts positions that differ only by colours and symmetry once. The first call
   * looks at the whole table, which takes a moment.
   */
  puzzleKinds(): (PuzzleKind & { total: number })[] {
    return this.#module.call('web_puzzle_kinds');
  }

  /**
   * Positions in which a single move wins in so many plies, by default 5, or keeps the draw; fewer than `count` if
   * there are fewer, and an empty array if there are none, where `neutreeko puzzle` fails because it has nothing to
   * print. The same seed, an integer from 0 below 2 ** 64, gives the same puzzles as `neutreeko puzzle --seed`, the
   * first of them for a smaller `count`.
   */
  puzzles(
    kind: PuzzleKind = { plies: 5 }, count = 1, seed: number | bigint = randomSeed(),
  ): { position: PositionText; answer: MoveText }[] {
    const { draw, plies } = asObject<{ draw: unknown; plies: unknown }>(kind);
    const isDraw = draw === true && plies === undefined;
    const isWin = draw === undefined && isInteger(plies, 1) && plies % 2 === 1;
    const isBoth = draw !== undefined && plies !== undefined;
    requireArgument(isDraw || isWin, 'kind', '{draw: true} or {plies: an odd number}',
      isBoth ? 'both' : draw ?? plies ?? kind);
    requireArgument(isInteger(count), 'count', 'an integer from 0', count);
    return this.#module.call('web_puzzles', [], isWin ? plies : 0, asSeed(seed), count);
  }

  /**
   * For a table of any size: a position near some random ones in which a single move wins in `from` to `to` plies, or
   * keeps the draw if both are 0; null if there is none near these. The seed is an integer from 0.
   */
  samplePuzzle(from: number, to: number, seed: number | bigint = randomSeed()): PositionText | null {
    for (const plies of [from, to]) requireArgument(isInteger(plies), 'plies', 'an integer from 0', plies);
    return this.#module.call('web_puzzle_sample', [], from, to, asSeed(seed));
  }
}

/** Frees the memory of games to which nothing refers any more. */
const forgotten = new FinalizationRegistry<() => void>((free) => free());

/** A game. Its memory is free after `free()`, or some time after nothing refers to the game any more. */
export class Game {
  /**
   * Those of the record from which it was read; none in a new game. `record()` writes them, but the result of its moves
   * if the game is over. A move or a step sets `result` to '*'.
   */
  headers: Headers;
  /** What was skipped in the record from which it was read, and what its moves contradict; null if there is nothing. */
  readonly warning: string | null;
  #module: Module;
  /** an address in the module; 0 after free() */
  #game: number;

  /** @internal */
  constructor(module: Module, game: number, headers: Headers = {}, warning: string | null = null) {
    this.#module = module;
    this.#game = game;
    this.headers = headers;
    this.warning = warning;
    forgotten.register(this, () => module.call('web_game_free', [], game), this);
  }

  /** Another game with the same moves, played and undone, and headers. */
  clone(): Game {
    return new Game(this.#module, this.#call<number>('web_game_clone'), { ...this.headers });
  }

  /** Describes the current position and the moves so far. */
  state(): GameState {
    return this.#call('web_game_state');
  }

  /**
   * Plays a move and discards the undone ones. Throws an EngineError with the code 'move' if it is illegal, or 'over'
   * if the game is over, also by a resignation.
   */
  play(move: MoveText): Played {
    const played: Played = this.#module.read('move', move, 'web_game_play', this.#handle());
    this.#moved();
    return played;
  }

  /** Undoes the last move, or only a resignation; false if there is none. */
  undo(): boolean {
    return this.#call<boolean>('web_game_undo') && this.#moved();
  }

  /** Plays the last undone move again; false if there is none. */
  redo(): boolean {
    return this.#call<boolean>('web_game_redo') && this.#moved();
  }

  /** A result that was read holds where the game was read. */
  #moved(): true {
    if (this.headers.result !== undefined) this.headers.result = '*';
    return true;
  }

  /** The board, to be printed. */
  ascii(): string {
    return drawn(this.state().position);
  }

  /** Goes to the position after `ply` moves, an integer; false if there is none. Going back undoes a resignation. */
  goto(ply: number): boolean {
    this.#handle();
    requireArgument(Number.isInteger(ply), 'ply', 'an integer', ply);
    const stays = this.headers.result === undefined || this.state().plies === ply;
    return isInteger(ply) && this.#call<boolean>('web_game_goto', ply) && (stays || this.#moved());
  }

  /** The side to move resigns. */
  resign(): void {
    this.#call('web_game_resign');
  }

  /** The legal moves, or those of the piece on a square of the board; none if the game is over. */
  moves(options?: { square?: string }): LegalMove[] {
    requireArgument(typeof (options ?? {}) === 'object', 'options', '{square}', options);
    const { square } = options ?? {};
    requireArgument(square === undefined || this.#hasSquare(square), 'square', "one of the board, such as 'b1'",
      square);
    return this.state().legal.filter(({ from }) => square === undefined || from === square);
  }

  /** All moves, best first; none if the game is over. */
  choices(): Choice[] {
    return this.#call('web_game_choices');
  }

  /**
   * The move of an opponent, by default the perfect player. The same seed, an integer from 0, gives the same move.
   * Throws an EngineError with the code 'human' for that name, 'syntax' for an unknown one, or 'over'.
   */
  opponentMove(name: string = 'perfect', seed: number | bigint = randomSeed()): MoveText {
    return this.#module.call('web_game_opponent_move', [asText(name, 'opponent')], this.#handle(), asSeed(seed));
  }

  /** Judges the moves played. */
  review(): Reviewed[] {
    return this.#call('web_game_review');
  }

  /** Explains a legal move after the first `ply` moves, as for `goto`: for a `Reviewed`, after `ply - 1`. */
  why(ply: number, move: MoveText): Why {
    const game = this.#handle();
    requireArgument(Number.isInteger(ply), 'ply', 'an integer', ply);
    if (!isInteger(ply)) throw new EngineError('argument', `the game has no ply ${ply}`);
    const facts = this.#module.read<Why>('move', move, 'web_game_why', game, ply);
    for (const win of [facts.threat, facts.prevented]) if (win) win.move = win.line[0];
    return facts;
  }

  /**
   * The best line to the end of the game; the first moves of a drawn one. In a new game as
   * `neutreeko query --line --seed 0`.
   */
  bestLine(): MoveText[] {
    return this.#call('web_game_best_line');
  }

  /** The game as text, which `Engine.readGame` and `neutreeko review` read. */
  record(): string {
    return this.#module.call('web_game_record', headerTexts(this.headers), this.#handle());
  }

  /** The same as `record()`. */
  toString(): string {
    return this.record();
  }

  /** Frees the memory of the game at once; it cannot be used afterwards. Freeing it again has no effect. */
  free(): void {
    if (!this.#game) return;
    this.#call('web_game_free');
    this.#game = 0;
    forgotten.unregister(this);
  }

  #call<Answer>(name: string, ...numbers: number[]): Answer {
    return this.#module.call(name, [], this.#handle(), ...numbers);
  }

  #hasSquare(square: unknown) {
    const { board: { width, height } } = this.#module.call<Pick<Engine, 'board'>>('web_about');
    if (typeof square !== 'string' || !/^[a-h][1-8]$/.test(square)) return false;
    return square.charCodeAt(0) - 'a'.charCodeAt(0) < width && Number(square[1]) <= height;
  }

  #handle() {
    if (!this.#game) throw new EngineError('argument', 'this game has been freed');
    return this.#game;
  }
}

/**
 * The board of a position as text, as `neutreeko query` prints it.
 * @param position as the module writes it
 */
function drawn(position: PositionText) {
  const ranks = position.split(' ')[0].split('/');
  const squares = ranks.map((rank) => [...rank.replace(/\d/g, (empty) => '.'.repeat(Number(empty)))]);
  const files = squares[0].map((_, file) => String.fromCharCode(97 + file));
  const lines = squares.map((rank, n) => ` ${ranks.length - n}  ${rank.join(' ')}\n`);
  return `${lines.join('')}    ${files.join(' ')}\n`;
}

/**
 * Some members of an object, which may be absent.
 * @param name of the object, for the error
 */
const textsOf = (object: Record<string, unknown>, keys: string[], name: string) =>
  keys.map((key) => asText(object[key] ?? '', `${name}.${key}`));

const STATED = ['resigned', 'time', 'agreed', 'stated'];

/** Why a game ended whose moves do not show it, as the module takes it; '' for all others. */
function endText(end: End | null | undefined) {
  if (!end) return '';
  const { reason, winner } = asObject<End>(end);
  const isWinner = winner === 'black' || winner === 'white' || winner === null;
  requireArgument(isWinner, 'end.winner', "'black', 'white' or null", winner);
  return STATED.find((one) => one === reason) ?? '';
}

/** The headers with the result of such a game. */
const withResult = (headers: Headers | undefined, end: End | null | undefined): Headers | undefined =>
  (end && endText(end)
    ? { ...headers, result: end.winner === 'white' ? '1-0' : end.winner === 'black' ? '0-1' : '1/2-1/2' } : headers);

const HEADERS = ['event', 'date', 'round', 'black', 'white', 'result'];

/** The headers of a record as the module takes them. */
function headerTexts(headers: Headers | undefined) {
  const given = asObject<Record<string, string>>(headers);
  for (const name of Object.keys(given))
    requireArgument(HEADERS.includes(name), 'headers', `the keys ${HEADERS.join(', ')}`, name);
  const texts = textsOf(given, HEADERS, 'headers');
  const result = given.result ?? '*';
  requireArgument(['*', '0-1', '1-0', '1/2-1/2'].includes(result), 'headers.result', '*, 0-1, 1-0 or 1/2-1/2', result);
  return texts;
}

const randomSeed = () => Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);

function asSeed(seed: number | bigint) {
  const isNumber = typeof seed === 'number' && Number.isInteger(seed);
  const isSeed = (isNumber || typeof seed === 'bigint') && seed >= 0 && seed < 2n ** 64n;
  requireArgument(isSeed, 'seed', 'a number from 0 to 2**64 - 1', seed);
  return BigInt(seed);
}

function requireBrowser() {
  const missing = ['WebAssembly', 'DecompressionStream', 'BigInt', 'TextDecoder'].filter(
    (name) => !(name in globalThis),
  );
  if (missing.length) throw new EngineError('unsupported', `this browser is too old: it lacks ${missing.join(', ')}`);
}
