// The interface to the WebAssembly module: rules, table, choice of move, opponents, review, puzzles.
//
// The types and what the answers mean: web/engine/index.d.ts, which is the declaration of this module in the npm
// package. A value is from the view of the side to move (of a move: from the view of the side that makes it, counted
// from before it). After loading, every call is synchronous. Every function throws an EngineError if it fails.

import { uncompressor } from './codec.js';

/** @import * as Api from './index.js' */

const TURN = 8; // milliseconds before a pause
const STEPS = 4; // of finish() in one call: a few milliseconds on a slow device

export class EngineError extends Error {
  /**
   * @param {Api.EngineError['code']} code
   * @param {string} message
   * @param {{at?: number, reason?: Api.EngineError['reason']}} [where]
   */
  constructor(code, message, { at = 0, reason } = {}) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
    this.at = at;
    this.reason = reason;
  }
}

/**
 * Throws unless an argument is what it has to be.
 * @param {boolean} isValid
 * @param {string} name
 * @param {string} what it has to be
 * @param {unknown} value
 */
export function requireArgument(isValid, name, what, value) {
  if (!isValid) throw new EngineError('argument', `${name}: expected ${what}, not ${shown(value)}`);
}

/** A value for a message: of what may be long only the type. @param {unknown} value */
function shown(value) {
  if (typeof value === 'string') return `'${quoted(value)}'`;
  return value !== null && ['object', 'function'].includes(typeof value) ? typeof value : String(value);
}

/** @param {unknown} error */
const messageOf = (error) => /** @type {Error} */ (error).message;

/**
 * An instance of the module. Imports that are not given do nothing: what is called here does not need them.
 * @param {Uint8Array<ArrayBuffer>} wasm
 * @param {Record<string, Function>} env
 */
export async function instantiate(wasm, env) {
  const get = (/** @type {typeof env} */ given, /** @type {string} */ name) => given[name] ?? (() => {});
  return (await WebAssembly.instantiate(wasm, { env: new Proxy(env, { get }) })).instance;
}

const BUFFER = 1 << 22; // bytes that are read at a time

/**
 * @param {any} value
 * @returns {value is Api.SynchronousSource}
 */
const isSource = (value) => typeof value?.read === 'function' && Number.isSafeInteger(value.size) && value.size >= 0;

/**
 * Also of another window, whose Uint8Array is not this one.
 * @param {unknown} value
 * @returns {value is Uint8Array}
 */
const isBytes = (value) => ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]';

/**
 * The bytes of a table and, first, their number, which may be unknown.
 * @param {Exclude<Api.TableSource, Api.SynchronousSource>} table
 * @returns {Promise<{size: number | undefined, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>}>}
 */
async function piecesOf(table) {
  if (isBytes(table)) return { size: table.length, pieces: [table] };
  if (table instanceof Blob) {
    const failed = (/** @type {string} */ reason) => new EngineError('read', `cannot read the table: ${reason}`);
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

/** @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} pieces */
async function collect(pieces) {
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const all = [];
  for await (const piece of pieces) all.push(piece.slice());
  return all;
}

/**
 * A table that a worker can read. Its address may be relative to that of the page, which a worker does not know.
 * @param {Exclude<Api.TableSource, Api.SynchronousSource>} table
 * @returns {Promise<Uint8Array | Blob>}
 */
export async function tableForWorker(table) {
  if (isBytes(table) || table instanceof Blob) return table;
  const { pieces } = await piecesOf(table);
  return new Blob(await collect(pieces));
}

/**
 * @param {string | URL} url
 * @param {string} reason
 */
const failure = (url, reason) => new EngineError('read', `cannot fetch ${url}: ${reason}`);

/**
 * Pieces, each of which is valid until the next one.
 * @param {ReadableStream<Uint8Array>} stream
 * @param {(reason: string) => EngineError} failed
 */
async function* piecesOfStream(stream, failed) {
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

/**
 * A reader that uses one buffer, if the browser has such: one for each piece would take much memory.
 * @param {ReadableStream<Uint8Array>} stream
 */
function readerOf(stream) {
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

/**
 * Creates the engine. Rejects a table unless the checksums of its header, of each block and of all codes match.
 * @param {Uint8Array<ArrayBuffer>} wasmBytes
 * @param {Uint8Array<ArrayBuffer>} tableBytes neither is modified
 */
export async function loadEngine(wasmBytes, tableBytes) {
  const engine = await openTable(wasmBytes, tableBytes, { complete: true });
  await engine.finish();
  return engine;
}

/**
 * Creates the engine with the standard game, which the module solves.
 * @param {Uint8Array<ArrayBuffer>} wasmBytes
 */
export async function solveStandard(wasmBytes) {
  requireBrowser();
  const module = await Module.instantiate(wasmBytes);
  module.call('web_solve');
  const engine = new Engine(module, true);
  await engine.finish();
  return engine;
}

const SMALL_TABLE = 1 << 20; // entries
const MOST_BYTES = 2e9; // of a table in memory

/**
 * Copies a table into the memory of a module, where `reserve` makes room for so many bytes. Resolves to their number.
 * @param {Exclude<Api.TableSource, Api.SynchronousSource>} table
 * @param {WebAssembly.Memory} memory
 * @param {(size: number) => number} reserve returns an address, which is 0 if memory runs out
 * @param {(share: number) => void} [onProgress]
 * @returns {Promise<number>}
 */
export async function copyTable(table, memory, reserve, onProgress) {
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

/**
 * @param {Uint8Array<ArrayBuffer>} wasmBytes
 * @param {Api.TableSource} table
 * @param {{complete?: boolean | undefined, onProgress?: (share: number) => void}} [options]
 */
export async function openTable(wasmBytes, table, options) {
  requireBrowser();
  const { complete, onProgress } = options ?? {};
  requireArgument(complete === undefined || typeof complete === 'boolean', 'complete', 'true or false', complete);
  requireArgument(onProgress === undefined || typeof onProgress === 'function', 'onProgress', 'a function', onProgress);
  const module = await Module.instantiate(wasmBytes);
  const entries = isSource(table) ? module.openSource(table) : await module.open(table, onProgress);
  return new Engine(module, complete ?? entries <= SMALL_TABLE);
}

/** @implements {Api.Engine} */
export class Engine {
  /** @type {Module} */
  #module;

  /**
   * @param {Module} module
   * @param {boolean} complete
   */
  constructor(module, complete) {
    this.#module = module;
    this.complete = complete;
    /** @type {Pick<Api.Engine, 'board' | 'start' | 'summary'>} */
    const { board, start, summary } = module.call('web_about');
    this.version = this.names().engine;
    this.board = board;
    this.start = start;
    this.summary = summary;
  }

  /**
   * Checks a complete table, and makes looking up values, which is possible before, faster: needed for many of them.
   */
  async finish() {
    const rest = createPauses();
    do await rest();
    while (this.complete && !this.#module.call('web_finish', [], STEPS));
  }

  /** @returns {string | null} */
  suggestedStart() {
    return this.#module.call('web_start');
  }

  /** @returns {string | null} */
  firstStart() {
    return this.#module.call('web_start_first');
  }

  /** Looks at the whole table. @returns {string[]} */
  fairStarts() {
    return this.#module.call('web_fair_starts');
  }

  /** Looks at the whole table. @returns {ReturnType<Api.Engine['countByPlies']>} */
  countByPlies() {
    return this.#module.call('web_count_by_plies');
  }

  /** @returns {Api.Names} */
  names() {
    return this.#module.call('web_names');
  }

  /**
   * @param {Partial<Api.Board>} [board]
   * @returns {Api.Fault | null}
   */
  faultOf(board) {
    const { numbers, win } = boardArguments(board);
    return this.#module.call('web_board_fault', [win], ...numbers);
  }

  /** @returns {ReturnType<Api.Engine['opponents']>} */
  opponents() {
    return this.#module.call('web_opponents');
  }

  /**
   * @param {string} text
   * @returns {ReturnType<Api.Engine['checkPosition']>}
   */
  checkPosition(text) {
    try {
      return { ok: true, position: this.#module.read('position', text, 'web_check_position') };
    } catch (error) {
      if (error instanceof EngineError && ['syntax', 'position'].includes(error.code)) return { ok: false, error };
      throw error;
    }
  }

  /** @param {string} position */
  ascii(position) {
    return drawn(this.#module.read('position', position, 'web_check_position'));
  }

  /** @param {string} [position] the start position if there is none */
  newGame(position) {
    const game = position === undefined
      ? this.#module.call('web_game_new', ['standard'])
      : this.#module.read('position', position, 'web_game_new');
    return new Game(this.#module, game);
  }

  /**
   * @param {string} record
   */
  readGame(record) {
    const { game, headers } = this.#module.call('web_game_read', [asText(record, 'record')]);
    return new Game(this.#module, game, headers);
  }

  /**
   * @param {string} record
   * @returns {Api.GameRecord & {headers: Api.Headers}}
   */
  readRecord(record) {
    return this.#module.call('web_record_read', [asText(record, 'record')]);
  }

  /**
   * @param {Api.GameRecord} record
   * @returns {string}
   */
  writeRecord(record) {
    /** @type {Api.GameRecord} */
    const { start, tree, headers } = Object(record);
    requireArgument(Array.isArray(tree) && tree.length > 0, 'tree', 'an array of nodes', tree);
    const nodes = tree.flatMap((node, number) => {
      const { parent, resigned, ...texts } = Object(node);
      const where = `tree[${number}]`;
      requireArgument(number ? isInteger(parent) && parent < number : parent === null,
        `${where}.parent`, number ? 'the number of an earlier node' : 'null', parent);
      const [move, marks, comment] = textsOf(texts, ['move', 'marks', 'comment'], where);
      return [String(parent ?? ''), move, marks, comment, resigned ? '1' : ''];
    });
    const texts = [asText(start, 'start'), ...headerTexts(headers), ...nodes];
    return this.#module.call('web_record_write', texts, tree.length);
  }

  /**
   * @param {string} position
   * @returns {Api.MoveValue[]}
   */
  moves(position) {
    return this.#module.read('position', position, 'web_moves');
  }

  /**
   * @param {string} position
   * @returns {Api.Value}
   */
  value(position) {
    return this.#module.read('position', position, 'web_value');
  }

  /**
   * The squares with which a side has won a position.
   * @param {string} position
   * @param {Api.Side} side
   * @returns {string[]}
   */
  winningSquares(position, side) {
    requireArgument(side === 'black' || side === 'white', 'side', "'black' or 'white'", side);
    return this.#module.read('position', position, 'web_winning', side === 'white');
  }

  /** @returns {ReturnType<Api.Engine['puzzleKinds']>} */
  puzzleKinds() {
    return this.#module.call('web_puzzle_kinds');
  }

  /**
   * @param {Api.PuzzleKind} kind
   * @param {number} [count]
   * @param {number | bigint} [seed]
   * @returns {ReturnType<Api.Engine['puzzles']>}
   */
  puzzles(kind, count = 1, seed = randomSeed()) {
    /** @type {{draw?: unknown, plies?: any}} */
    const { draw, plies } = Object(kind);
    const isDraw = draw === true && plies === undefined;
    const isWin = draw === undefined && isInteger(plies, 1) && plies % 2 === 1;
    requireArgument(isDraw || isWin, 'kind', '{draw: true} or {plies: an odd number}',
      isWin || isDraw || draw === undefined || plies === undefined ? draw ?? plies : 'both');
    requireArgument(isInteger(count), 'count', 'an integer from 0', count);
    return this.#module.call('web_puzzles', [], isDraw ? 0 : plies, asSeed(seed), count);
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {number | bigint} [seed]
   * @returns {string | null}
   */
  samplePuzzle(from, to, seed = randomSeed()) {
    for (const plies of [from, to]) requireArgument(isInteger(plies), 'plies', 'an integer from 0', plies);
    return this.#module.call('web_puzzle_sample', [], from, to, asSeed(seed));
  }
}

/** Frees the memory of games to which nothing refers any more. @type {FinalizationRegistry<() => void>} */
const forgotten = new FinalizationRegistry((free) => free());

/** @implements {Api.Game} */
export class Game {
  /** @type {Module} */
  #module;
  /** @type {number} an address in the module; 0 after free() */
  #game;

  /**
   * @param {Module} module
   * @param {number} game
   * @param {Api.Headers} [headers]
   */
  constructor(module, game, headers = {}) {
    this.#module = module;
    this.#game = game;
    this.headers = headers;
    forgotten.register(this, () => module.call('web_game_free', [], game), this);
  }

  clone() {
    return new Game(this.#module, this.#call('web_game_clone'), { ...this.headers });
  }

  /** @returns {Api.GameState} */
  state() {
    return this.#call('web_game_state');
  }

  /**
   * @param {string} move
   * @returns {Api.Played}
   */
  play(move) {
    return this.#module.read('move', move, 'web_game_play', this.#handle());
  }

  /** @returns {boolean} */
  undo() {
    return this.#call('web_game_undo');
  }

  /** @returns {boolean} */
  redo() {
    return this.#call('web_game_redo');
  }

  ascii() {
    return drawn(this.state().position);
  }

  /**
   * @param {number} ply
   * @returns {boolean}
   */
  goto(ply) {
    this.#handle();
    requireArgument(Number.isInteger(ply), 'ply', 'an integer', ply);
    return isInteger(ply) && this.#call('web_game_goto', ply);
  }

  resign() {
    this.#call('web_game_resign');
  }

  /**
   * @param {{square?: string}} [options]
   * @returns {Api.LegalMove[]}
   */
  moves(options) {
    requireArgument(typeof (options ?? {}) === 'object', 'options', '{square}', options);
    const { square } = options ?? {};
    requireArgument(square === undefined || this.#hasSquare(square), 'square', "one of the board, such as 'b1'",
      square);
    return this.state().legal.filter(({ from }) => square === undefined || from === square);
  }

  /** @returns {Api.Choice[]} */
  choices() {
    return this.#call('web_game_choices');
  }

  /**
   * @param {string} [name]
   * @param {number | bigint} [seed]
   * @returns {string}
   */
  opponentMove(name = 'perfect', seed = randomSeed()) {
    return this.#module.call('web_game_opponent_move', [asText(name, 'opponent')], this.#handle(), asSeed(seed));
  }

  /** @returns {Api.Reviewed[]} */
  review() {
    return this.#call('web_game_review');
  }

  /**
   * @param {number} ply
   * @param {string} move
   * @returns {Api.Why}
   */
  why(ply, move) {
    const game = this.#handle();
    requireArgument(Number.isInteger(ply), 'ply', 'an integer', ply);
    if (!isInteger(ply)) throw new EngineError('argument', `the game has no ply ${ply}`);
    const facts = this.#module.read('move', move, 'web_game_why', game, ply);
    for (const win of [facts.threat, facts.prevented]) if (win) win.move = win.line[0];
    return facts;
  }

  /** @returns {string[]} */
  bestLine() {
    return this.#call('web_game_best_line');
  }

  /** @returns {string} */
  record() {
    return this.#module.call('web_game_record', headerTexts(this.headers), this.#handle());
  }

  toString() {
    return this.record();
  }

  free() {
    this.#call('web_game_free');
    this.#game = 0;
    forgotten.unregister(this);
  }

  /**
   * @param {string} name
   * @param {number[]} numbers
   */
  #call(name, ...numbers) {
    return this.#module.call(name, [], this.#handle(), ...numbers);
  }

  /** @param {unknown} square */
  #hasSquare(square) {
    /** @type {Api.Board} */
    const { width, height } = this.#module.call('web_about').board;
    if (typeof square !== 'string' || !/^[a-h][1-8]$/.test(square)) return false;
    return square.charCodeAt(0) - 'a'.charCodeAt(0) < width && Number(square[1]) <= height;
  }

  #handle() {
    if (!this.#game) throw new EngineError('argument', 'this game has been freed');
    return this.#game;
  }
}

// The exports of web/engine/wasm_api.c. They read texts from one input buffer, separated by zeros, and return JSON.
class Module {
  /** @type {any} functions, and the memory */
  #exports;
  /** @type {Api.SynchronousSource | undefined} */
  #source;
  /** @type {unknown} why the source could not be read */
  #reason;

  /** @param {Uint8Array<ArrayBuffer>} wasmBytes */
  static async instantiate(wasmBytes) {
    const module = new Module();
    const env = { read: module.#read.bind(module), ...uncompressor(() => module.#exports.memory) };
    try {
      module.#exports = (await instantiate(wasmBytes, env)).exports;
    } catch (error) {
      throw new EngineError('module', `cannot instantiate the module: ${messageOf(error)}`);
    }
    return module;
  }

  /**
   * Called by the module for a source. Returns whether that succeeded.
   * @param {number} offset
   * @param {number} address
   * @param {number} length
   */
  #read(offset, address, length) {
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
   * @param {Api.SynchronousSource} source
   * @returns {number} how many entries it has
   */
  openSource(source) {
    this.#source = source;
    return this.call('web_open_source', [], BigInt(source.size));
  }

  /**
   * Reads a table into the memory of the module and opens it.
   * @param {Exclude<Api.TableSource, Api.SynchronousSource>} table
   * @param {(share: number) => void} [onProgress]
   * @returns {Promise<number>} how many entries it has
   */
  async open(table, onProgress) {
    const { memory, web_input } = this.#exports;
    return this.call('web_open', [], await copyTable(table, memory, web_input, onProgress));
  }

  /**
   * Calls an export that reads a position or a move. Its error names the text, and the place in it.
   * @param {'position' | 'move'} what
   * @param {string} text
   * @param {string} name
   * @param {(number | bigint | boolean)[]} numbers
   * @returns {any}
   */
  read(what, text, name, ...numbers) {
    try {
      return this.call(name, [asText(text, what)], ...numbers);
    } catch (error) {
      if (!(error instanceof EngineError) || !['syntax', 'position', 'move'].includes(error.code)) throw error;
      const fault = error.code === 'move' ? 'illegal' : 'invalid';
      const place = error.at ? `character ${error.at}: ` : '';
      throw new EngineError(error.code, `${fault} ${what} '${quoted(text)}': ${place}${error.message}`, error);
    }
  }

  /**
   * Calls an export and returns its answer, or throws its error, which is {error, code, at, reason}.
   * @param {string} name
   * @param {string[]} [texts]
   * @param {(number | bigint | boolean)[]} numbers
   * @returns {any}
   */
  call(name, texts = [], ...numbers) {
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

/**
 * The board of a position as text, as `neutreeko query` prints it.
 * @param {string} position as the module writes it
 */
function drawn(position) {
  const ranks = position.split(' ')[0].split('/');
  const squares = ranks.map((rank) => [...rank.replace(/\d/g, (empty) => '.'.repeat(Number(empty)))]);
  const files = squares[0].map((_, file) => String.fromCharCode(97 + file));
  const lines = squares.map((rank, n) => ` ${ranks.length - n}  ${rank.join(' ')}\n`);
  return `${lines.join('')}    ${files.join(' ')}\n`;
}

/** A text for a message, cut if it is long. @param {string} text */
const quoted = (text) => (text.length > 60 ? `${text.slice(0, 57)}...` : text);

/**
 * A zero would end a text.
 * @param {unknown} text
 * @param {string} name of the argument, for the error
 */
function asText(text, name) {
  requireArgument(typeof text === 'string', name, 'a string', text);
  return /** @type {string} */ (text).replaceAll('\0', '\ufffd');
}

/**
 * Some members of an object, which may be absent.
 * @param {any} object
 * @param {string[]} keys
 * @param {string} name of the object, for the error
 */
const textsOf = (object, keys, name) => keys.map((key) => asText(object[key] ?? '', `${name}.${key}`));

const HEADERS = ['event', 'date', 'round', 'black', 'white', 'result'];

/**
 * The headers of a record as the module takes them.
 * @param {Api.Headers | undefined} headers
 */
function headerTexts(headers) {
  const given = Object(headers);
  for (const name of Object.keys(given))
    requireArgument(HEADERS.includes(name), 'headers', `the keys ${HEADERS.join(', ')}`, name);
  const texts = textsOf(given, HEADERS, 'headers');
  const result = given.result ?? '*';
  requireArgument(['*', '0-1', '1-0', '1/2-1/2'].includes(result), 'headers.result', '*, 0-1, 1-0 or 1/2-1/2', result);
  return texts;
}

const MOST_INTEGER = 2 ** 31 - 1;

/** Whether a value is an integer that the module takes. @param {unknown} value */
const isInteger = (value, least = 0) =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= MOST_INTEGER;

/**
 * A board as the modules take it: numbers, and the name of what wins. What is undefined is that of the standard board.
 * @param {Partial<Api.Board>} [board]
 */
export function boardArguments(board = {}) {
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

const randomSeed = () => Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);

/** @param {number | bigint} seed */
function asSeed(seed) {
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

/** A function to call at once and again and again in long work, so that a page reacts to its user meanwhile. */
function createPauses() {
  let begin = -TURN;
  return async () => {
    if (performance.now() - begin < TURN) return;
    await new Promise((resolve) => setTimeout(resolve));
    begin = performance.now();
  };
}

/**
 * What a stream makes of bytes.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {CompressionStream | DecompressionStream} stream
 */
export async function transform(bytes, { writable, readable }) {
  const writer = writable.getWriter();
  // Errors arrive at the reader, too.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const reader = readable.getReader();
  const pieces = [];
  for (let piece; !(piece = await reader.read()).done;) pieces.push(piece.value);
  return join(pieces);
}

/** @param {Uint8Array[]} pieces */
export function join(pieces) {
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  pieces.reduce((at, piece) => (joined.set(piece, at), at + piece.length), 0);
  return joined;
}
