// The instance of the WebAssembly module: how texts, boards and tables get into it, how answers and errors come out.

import { compressor, uncompressor } from './codec.js';

import type { Board, Estimate, SynchronousSource, TableSource } from './api.js';

export type Bytes = Uint8Array<ArrayBuffer>;
/** Tables that are read from the beginning to the end. */
export type WholeSource = Exclude<TableSource, SynchronousSource>;
type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
/** What an export of the module takes besides texts. */
export type Numbers = (number | bigint | boolean)[];

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
export type ErrorCode =
  | 'syntax' | 'position' | 'move' | 'rules' | 'limit' | 'read' | 'not_table' | 'corrupt' | 'memory'
  | 'unsupported' | 'over' | 'human' | 'argument' | 'aborted' | 'module';

export type Reason = 'black-count' | 'white-count' | 'won';

/**
 * Thrown for all errors, also for an argument of a wrong type or outside of its range. The message names a position or
 * a move that is invalid.
 */
export class EngineError extends Error {
  code: ErrorCode;
  /** The character of the text, from 1; 0 if there is none. */
  at: number;
  /**
   * Of a text that is an illegal position: the number of a side's pieces, or the side to move has already won; it is
   * undefined where a record begins at one.
   */
  reason: Reason | undefined;

  constructor(code: ErrorCode, message: string, { at = 0, reason }: { at?: number; reason?: Reason | undefined } = {}) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
    this.at = at;
    this.reason = reason;
  }

  /** With the message, which JSON leaves out of other errors. */
  toJSON(): Pick<EngineError, 'name' | 'code' | 'message' | 'at' | 'reason'> {
    const { name, code, message, at, reason } = this;
    return { name, code, message, at, reason };
  }
}

/**
 * Throws unless an argument is what it has to be.
 * @param what it has to be
 */
export function requireArgument(isValid: boolean, name: string, what: string, value: unknown): asserts isValid {
  if (!isValid) throw new EngineError('argument', `${name}: expected ${what}, not ${shown(value)}`);
}

/** A value for a message: of what may be long only the type. */
function shown(value: unknown) {
  if (typeof value === 'string') return `'${quoted(value)}'`;
  if (Array.isArray(value)) return 'array';
  return value !== null && ['object', 'function'].includes(typeof value) ? typeof value : String(value);
}

/** What was thrown, as text: a caller may throw anything, also what has no text. */
export function messageOf(error: unknown) {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return typeof error;
  }
}

/** An instance of the module. Imports that are not given do nothing: what is called here does not need them. */
export async function instantiate(wasm: Bytes, env: WebAssembly.ModuleImports): Promise<Exports> {
  const get = (given: typeof env, name: string) => given[name] ?? (() => {});
  const { instance } = await WebAssembly.instantiate(wasm, { env: new Proxy(env, { get }) });
  return instance.exports as Exports;
}

/** An export: it takes numbers and returns one, such as an address, or nothing. */
type Export = (...numbers: Numbers) => number;
export type Exports = { memory: WebAssembly.Memory } & Record<Exclude<string, 'memory'>, Export>;

// ---- tables ----

const BUFFER = 1 << 22; // bytes that are read at a time

export function isSource(value: TableSource): value is SynchronousSource {
  const { read, size } = asObject<{ read: unknown; size: unknown }>(value);
  return typeof read === 'function' && typeof size === 'number' && Number.isSafeInteger(size) && size >= 0;
}

/** What is given as an object of such a type: in JavaScript a caller may give anything. */
export function asObject<Given extends object>(value: unknown): Partial<Given> {
  return Object(value);
}

/** Also of another window, whose Uint8Array is not this one. */
const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]';

/** The bytes of a table and, first, their number, which may be unknown. */
async function piecesOf(table: WholeSource): Promise<{ size: number | undefined; pieces: Pieces }> {
  if (isBytes(table)) return { size: table.length, pieces: [table] };
  if (table instanceof Blob) {
    const failed = (reason: string) => new EngineError('read', `cannot read the table: ${reason}`);
    return { size: table.size, pieces: piecesOfStream(table.stream(), failed) };
  }
  requireArgument(typeof table === 'string' || table instanceof URL, 'table', 'its bytes, file or address', table);
  const response = await fetch(table).catch((error) => {
    throw failure(table, messageOf(error));
  });
  if (!response.ok || !response.body) throw failure(table, `status ${response.status}`);
  const isPlain = !response.headers.get('content-encoding'); // or the length would be that of what is sent
  const size = isPlain && Number(response.headers.get('content-length'));
  return { size: size || undefined, pieces: piecesOfStream(response.body, (reason) => failure(table, reason)) };
}

async function collect(pieces: Pieces) {
  const all: Bytes[] = [];
  for await (const piece of pieces) all.push(piece.slice());
  return all;
}

const failure = (url: string | URL, reason: string) => new EngineError('read', `cannot fetch ${url}: ${reason}`);

/** Pieces, each of which is valid until the next one. */
async function* piecesOfStream(stream: ReadableStream<Uint8Array>, failed: (reason: string) => EngineError) {
  const { reader, read } = readerOf(stream);
  try {
    for (;;) {
      const { value, done } = await read().catch((error) => {
        throw failed(messageOf(error));
      });
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {}); // unless all has been read
  }
}

/** A reader that uses one buffer, if the browser has such: one for each piece would take much memory. */
function readerOf(stream: ReadableStream<Uint8Array>) {
  try {
    const reader = stream.getReader({ mode: 'byob' });
    let buffer = new ArrayBuffer(BUFFER);
    const read = async () => {
      const { value = new Uint8Array(), done } = await reader.read(new Uint8Array(buffer));
      buffer = value.buffer;
      return { value, done };
    };
    return { reader, read };
  } catch {
    const reader = stream.getReader();
    return { reader, read: async () => reader.read() };
  }
}

const MOST_BYTES = 2e9; // of a table in memory

/**
 * Copies a table into the memory of a module, where `reserve` makes room for so many bytes. Resolves to their number.
 * @param reserve returns an address, which is 0 if memory runs out
 */
export async function copyTable(
  table: WholeSource,
  memory: WebAssembly.Memory,
  reserve: (size: number) => number,
  onProgress?: (share: number) => void,
): Promise<number> {
  let { size, pieces } = await piecesOf(table);
  if (size === undefined) {
    const all = await collect(pieces);
    size = all.reduce((sum, { length }) => sum + length, 0);
    pieces = all;
  }
  if (size > MOST_BYTES)
    throw new EngineError(
      'memory',
      `a table of ${size} bytes, more than ${MOST_BYTES}: use neutreeko query --table FILE for its positions`,
    );
  const at = reserve(size) >>> 0; // from 2 GiB on, it is negative
  if (!at) throw new EngineError('memory', `out of memory for ${size} bytes`);
  let end = 0;
  for await (const piece of pieces) {
    if (end + piece.length > size) break;
    new Uint8Array(memory.buffer, at + end, piece.length).set(piece);
    end += piece.length;
    onProgress?.(end / size);
  }
  if (end !== size) throw new EngineError('corrupt', `the table has changed: expected ${size} bytes`);
  return size;
}

// ---- the instance ----

/**
 * An instance of the module, and the exports of web/engine/wasm_*.c. They read texts from one input buffer, separated
 * by zeros, and answer in JSON.
 */
export class Module {
  #exports: Exports;
  #source: SynchronousSource | undefined;
  /** why the source could not be read */
  #reason: unknown;

  private constructor(exports: Exports) {
    this.#exports = exports;
  }

  /** `imports` are the functions that writing a table calls. */
  static async instantiate(wasmBytes: Bytes, imports: WebAssembly.ModuleImports = {}): Promise<Module> {
    let module: Module;
    const env = {
      ...imports,
      read: (offset: number, address: number, length: number) => module.#read(offset, address, length),
      ...compressor(() => module.#exports.memory),
      ...uncompressor(() => module.#exports.memory),
    };
    try {
      module = new Module(await instantiate(wasmBytes, env));
    } catch (error) {
      throw new EngineError('module', `cannot instantiate the module: ${messageOf(error)}`);
    }
    return module;
  }

  /** Called by the module for a source. Returns whether that succeeded. */
  #read(offset: number, address: number, length: number) {
    try {
      const bytes = this.#source?.read(offset, length);
      if (bytes?.length !== length) throw new Error('the table has changed');
      new Uint8Array(this.#exports.memory.buffer).set(bytes, address >>> 0);
      return true;
    } catch (error) {
      this.#reason = error;
      return false;
    }
  }

  /**
   * Opens a table whose bytes stay where they are.
   * @returns how many entries it has
   */
  openSource(source: SynchronousSource): number {
    this.#source = source;
    return this.call('web_open_source', [], BigInt(source.size));
  }

  /**
   * Reads a table into the memory of the module and opens it.
   * @returns how many entries it has
   */
  async open(table: WholeSource, onProgress?: (share: number) => void): Promise<number> {
    const { memory, web_input } = this.#exports;
    return this.call('web_open', [], await copyTable(table, memory, web_input, onProgress));
  }

  /** Sets the board of this instance, which has no table yet. */
  useBoard(board?: Partial<Board>): void {
    const { numbers, win } = boardArguments(board);
    this.call('web_rules', [win], ...numbers);
  }

  /** Copies of bytes in the memory. */
  copyOf(address: number, length: number): Bytes {
    return new Uint8Array(this.#exports.memory.buffer, address >>> 0, length).slice();
  }

  /** Puts bytes into the memory, where they stay. Returns their address. */
  place(bytes: Bytes): number {
    const at = this.#exports.web_room(bytes.length);
    if (!at) throw new EngineError('memory', `out of memory for ${bytes.length} bytes`);
    new Uint8Array(this.#exports.memory.buffer).set(bytes, at >>> 0);
    return at;
  }

  /** Calls an export that reads a position or a move. Its error names the text, and the place in it. */
  read<Answer>(what: 'position' | 'move', text: string, name: string, ...numbers: Numbers): Answer {
    try {
      return this.call(name, [asText(text, what)], ...numbers);
    } catch (error) {
      if (!(error instanceof EngineError) || !['syntax', 'position', 'move'].includes(error.code)) throw error;
      const fault = error.code === 'move' ? 'illegal' : 'invalid';
      const place = error.at ? `character ${error.at}: ` : '';
      throw new EngineError(error.code, `${fault} ${what} '${quoted(text)}': ${place}${error.message}`, error);
    }
  }

  /** Calls an export and returns its answer, or throws its error, which is {error, code, at, reason}. */
  call<Answer>(name: string, texts: string[] = [], ...numbers: Numbers): Answer {
    if (texts.length) {
      const bytes = new TextEncoder().encode(texts.map((t) => `${t}\0`).join(''));
      const at = this.#exports.web_input(bytes.length) >>> 0;
      if (!at) throw new EngineError('memory', `out of memory for ${bytes.length} bytes`);
      new Uint8Array(this.#exports.memory.buffer).set(bytes, at);
    }
    try {
      this.#exports[name](...numbers);
    } catch (error) {
      this.#exports.web_answer_length(); // what may have been written of an answer goes
      throw new EngineError('module', `${name}: ${messageOf(error)}`);
    }
    const { memory, web_answer, web_answer_length } = this.#exports;
    const [address, length] = [web_answer(), web_answer_length()];
    const bytes = new Uint8Array(memory.buffer, address >>> 0, length);
    const answer = JSON.parse(new TextDecoder().decode(bytes));
    if (answer?.error === undefined) return answer;
    const { error, code, ...where } = answer;
    throw new EngineError(code, code === 'read' ? `cannot read the table: ${messageOf(this.#reason)}` : error, where);
  }
}

/** A text for a message, cut if it is long. */
const quoted = (text: string) => (text.length > 60 ? `${text.slice(0, 57)}...` : text);

/**
 * A zero would end a text.
 * @param name of the argument, for the error
 */
export function asText(text: unknown, name: string) {
  requireArgument(typeof text === 'string', name, 'a string', text);
  return text.replaceAll('\0', '\ufffd');
}

// ---- boards ----

const MOST_INTEGER = 2 ** 31 - 1;

/** Whether a value is an integer that the module takes. */
export const isInteger = (value: unknown, least = 0): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= MOST_INTEGER;

/**
 * A board as the modules take it: numbers, and the name of what wins. What is undefined is that of the standard board.
 */
export function boardArguments(board: Partial<Board> = {}) {
  requireArgument(typeof board === 'object' && board !== null, 'board', '{width, height, pieces, row_length, win}',
    board);
  const { width = 5, height = 5, pieces = 3, win = 'line' } = board;
  const hasLines = !['equidistant', 'centre'].includes(win);
  const { row_length = hasLines ? Math.min(3, pieces) : pieces } = board;
  const numbers = Object.entries({ width, height, pieces, row_length }).map(([name, value]) => {
    requireArgument(typeof value === 'number', name, 'a number', value);
    return isInteger(value) ? value : -1; // which is in no range
  });
  return { numbers, win: asText(win, 'win') };
}

/**
 * What solving a board takes, about; it is refused if it takes more than `memory` bytes or than WebAssembly can have.
 */
export function estimateIn(module: Module, board: Partial<Board> | undefined, memory: number): Estimate {
  const { numbers, win } = boardArguments(board);
  return module.call('web_estimate', [win], ...numbers, memory);
}

/** A board with what is left out of it. A worker is told, and reports, what is wrong with it. */
export function completeBoard(board?: Partial<Board>): Board {
  const { numbers: [width, height, pieces, row_length] } = boardArguments(board);
  return { width, height, pieces, row_length, win: board?.win ?? 'line' };
}

/** The data of the page or of its worker is not what bundle.mjs has put there. */
export const damaged = () => new EngineError('corrupt', 'the data in this page is damaged');

/** What bundle.mjs has compressed. */
export async function uncompressed(bytes: Bytes): Promise<Bytes> {
  const { writable, readable } = new DecompressionStream('deflate');
  const writer = writable.getWriter();
  // Errors arrive at the reader, too.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const pieces: Bytes[] = [];
  const reader = readable.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) pieces.push(piece.value);
  } catch {
    throw damaged();
  }
  return join(pieces);
}

export function join(pieces: Uint8Array[]) {
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  pieces.reduce((at, piece) => (joined.set(piece, at), at + piece.length), 0);
  return joined;
}
