// The interface to the WebAssembly module: rules, table, choice of move, opponents, review, puzzles.
//
// The types and what the answers mean: bindings/npm/index.d.ts, which is the declaration of this module in the npm package.
// A value is from the view of the side to move (of a move: from the view of the side that makes it, counted from before
// it). After loading, every call is synchronous. The functions that take input of the user (checkPosition, readGame, play)
// return {ok: false, error} if it is invalid; any other invalid argument throws an EngineError of kind 'failed'.

/** @import * as Api from '../bindings/npm/index.js' */

const TURN = 8; // milliseconds before a pause
const ORBITS = 4; // whose wins are computed in one call: a few milliseconds on a slow device

export class EngineError extends Error {
  /**
   * @param {Api.EngineError['kind']} kind
   * @param {string} message
   */
  constructor(kind, message) {
    super(message);
    this.name = 'EngineError';
    this.kind = kind;
  }
}

/** @implements {Api.NotLoaded} */
export class NotLoaded extends EngineError {
  /** @type {() => Promise<void>} */
  #load;
  /** @type {Promise<void> | undefined} */
  #loaded;

  /** @param {() => Promise<void>} load */
  constructor(load) {
    super('missing', 'parts of the table are not in memory');
    this.name = 'NotLoaded';
    this.#load = load;
  }

  load() {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }
}

/** @param {unknown} error */
const messageOf = (error) => /** @type {Error} */ (error).message;

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Api.TableSource}
 */
export const bytesSource = (bytes) => ({
  size: bytes.length,
  read: async (offset, length) => bytes.subarray(offset, offset + length),
});

/**
 * @param {Blob} file
 * @returns {Api.TableSource}
 */
export const fileSource = (file) => ({
  size: file.size,
  async read(offset, length) {
    try {
      return new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
    } catch (error) {
      throw new EngineError('failed', `cannot read the table: ${messageOf(error)}`);
    }
  },
});

/**
 * @param {string | URL} url
 * @returns {Promise<Api.TableSource>}
 */
export async function urlSource(url) {
  /** @param {string} reason */
  const failure = (reason) => new EngineError('failed', `cannot fetch ${url}: ${reason}`);
  /**
   * @param {number} offset
   * @param {number} length
   */
  const request = async (offset, length) => {
    const headers = { range: `bytes=${offset}-${offset + length - 1}` };
    const response = await fetch(url, { headers }).catch((error) => {
      throw failure(messageOf(error));
    });
    if (response.status === 206) return response;
    await response.body?.cancel();
    throw failure(response.ok ? 'this server sends only complete files' : `status ${response.status}`);
  };
  const size = Number((await request(0, 1)).headers.get('content-range')?.match(/^bytes 0-0\/(\d+)$/)?.[1]);
  if (!size) throw failure('this server does not send the size of the file');
  return {
    size,
    async read(offset, length) {
      const response = await request(offset, length);
      return new Uint8Array(
        await response.arrayBuffer().catch((error) => {
          throw failure(messageOf(error));
        }),
      );
    },
  };
}

/**
 * Creates the engine. Rejects a table unless the checksums of its header, of each block and of all codes match.
 * @param {Uint8Array<ArrayBuffer>} wasmBytes
 * @param {Uint8Array<ArrayBuffer>} tableBytes neither is modified
 */
export async function loadEngine(wasmBytes, tableBytes) {
  const engine = await openTable(wasmBytes, bytesSource(tableBytes), { complete: true });
  await engine.finish();
  return engine;
}

const SMALL_TABLE = 1 << 20; // entries
const FIRST_BYTES = 1 << 16;
const GAP = 1 << 13; // bytes between two blocks that take less time to read than a read of their own
const MOST_BYTES = 1 << 20; // in one read

/** @typedef {[number: number, begin: number, length: number]} Block in the file */

/**
 * Groups blocks that are near each other, so that one read gets them.
 * @param {Block[]} blocks in the order of the file
 */
function groups(blocks) {
  /** @type {Block[][]} */
  const found = [];
  let [first, end] = [0, -Infinity];
  for (const block of blocks) {
    const [, begin, length] = block;
    if (begin > end + GAP || begin + length > first + MOST_BYTES) {
      found.push([]);
      first = begin;
    }
    found[found.length - 1].push(block);
    end = begin + length;
  }
  return found;
}

/**
 * @param {Uint8Array<ArrayBuffer>} wasmBytes
 * @param {Api.TableSource | Promise<Api.TableSource>} source
 * @param {{complete?: boolean | undefined}} [options]
 */
export async function openTable(wasmBytes, source, { complete } = {}) {
  requireBrowser();
  const module = new Module(await instantiate(wasmBytes), await source);
  return new Engine(module, await module.open(complete));
}

/**
 * Creates the engine from the elements that web/bundle.mjs puts into the page: <script type="text/plain"
 * id="neutreeko-wasm"> and id="neutreeko-table">, in base64, the module compressed. The caller calls finish().
 * @param {{getElementById(id: string): {textContent: string | null} | null}} document
 */
export async function loadEngineFromPage(document) {
  requireBrowser();
  const table = await embedded(document, 'neutreeko-table', false);
  return openTable(await embedded(document, 'neutreeko-wasm'), bytesSource(table), { complete: true });
}

/**
 * The bytes of an element that web/bundle.mjs puts into the page.
 * @param {{getElementById(id: string): {textContent: string | null} | null}} document
 * @param {string} id
 */
export async function embedded(document, id, compressed = true) {
  try {
    const text = atob(document.getElementById(id)?.textContent ?? '');
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i); // much faster than Uint8Array.from
    return compressed ? await inflate(bytes) : bytes;
  } catch {
    throw new EngineError('damaged', 'the data in this page is damaged');
  }
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
    this.board = board;
    /** @type {Api.Engine['start']} */
    this.start = start ?? (complete ? this.startProposal() : null);
    this.summary = summary;
  }

  /** Makes looking up values in a complete table, which is possible before, faster: needed for many of them. */
  async finish() {
    const rest = createPauses();
    do await rest();
    while (this.complete && !this.#module.checked('web_finish', ORBITS));
  }

  /**
   * @template T
   * @param {() => T | Promise<T>} call
   * @returns {Promise<T>}
   */
  async whenLoaded(call) {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof NotLoaded)) throw error;
        await error.load();
      }
    }
  }

  /** @returns {string} */
  startProposal() {
    return this.#module.call('web_start');
  }

  /** @returns {string | null} */
  firstStart() {
    return this.#module.call('web_start_first');
  }

  #requireComplete() {
    if (!this.complete) throw new EngineError('failed', 'this needs a table that has been opened completely');
  }

  /** Looks at the whole table. @returns {ReturnType<Api.Engine['distances']>} */
  distances() {
    this.#requireComplete();
    return this.#module.call('web_distances');
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
    return asResult(this.#module.tryCall('web_check_position', [text]));
  }

  /** @param {string} [position] the start position if there is none */
  newGame(position = this.start ?? this.startProposal()) {
    return new Game(this.#module, this.#module.call('web_game_new', [position ?? '']));
  }

  /**
   * @param {string} record
   * @returns {{ok: true, game: Game} | Api.Rejected}
   */
  readGame(record) {
    const read = this.#module.tryCall('web_game_read', [record]);
    return read.error === undefined ? { ok: true, game: new Game(this.#module, read) } : asResult(read);
  }

  /**
   * @param {string} position
   * @returns {Api.MoveValue[]}
   */
  moves(position) {
    return this.#module.call('web_moves', [position]);
  }

  /**
   * @param {string} position
   * @returns {Api.Value}
   */
  value(position) {
    return this.#module.call('web_value', [position]);
  }

  /** @returns {ReturnType<Api.Engine['puzzleKinds']>} */
  puzzleKinds() {
    this.#requireComplete();
    return this.#module.call('web_puzzle_kinds');
  }

  /**
   * @param {Api.PuzzleKind} kind
   * @param {number | bigint} seed
   * @param {number} count
   * @returns {ReturnType<Api.Engine['puzzles']>}
   */
  puzzles(kind, seed, count) {
    this.#requireComplete();
    return this.#module.call('web_puzzles', [], kind.save ? 0 : kind.plies, asSeed(seed), count);
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {number | bigint} seed
   * @returns {string | null}
   */
  samplePuzzle(from, to, seed) {
    return this.#module.call('web_puzzle_sample', [], from, to, asSeed(seed));
  }
}

/** @implements {Api.Game} */
export class Game {
  /** @type {Module} */
  #module;
  /** @type {number} an address in the module; 0 after free() */
  #game;

  /**
   * @param {Module} module
   * @param {number} game
   */
  constructor(module, game) {
    this.#module = module;
    this.#game = game;
  }

  /** @returns {Api.GameState} */
  state() {
    return this.#call('web_game_state');
  }

  /**
   * @param {string} move
   * @returns {ReturnType<Api.Game['play']>}
   */
  play(move) {
    return asResult(this.#module.tryCall('web_game_play', [move], this.#handle()));
  }

  /**
   * @param {number} ply
   * @returns {boolean}
   */
  goto(ply) {
    return this.#call('web_game_goto', ply);
  }

  resign() {
    this.#call('web_game_resign');
  }

  /** @returns {Api.Option[]} */
  options() {
    return this.#call('web_game_options');
  }

  /**
   * @param {string} name
   * @param {number | bigint} seed
   * @returns {string}
   */
  opponentMove(name, seed) {
    return this.#module.call('web_game_opponent_move', [name], this.#handle(), asSeed(seed));
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
    const facts = this.#module.call('web_game_why', [move], this.#handle(), ply);
    for (const win of [facts.threat, facts.stops]) if (win) win.move = win.line[0];
    return facts;
  }

  /** @returns {string[]} */
  bestLine() {
    return this.#call('web_game_best_line');
  }

  /** @returns {string} */
  record() {
    return this.#call('web_game_record');
  }

  free() {
    this.#call('web_game_free');
    this.#game = 0;
  }

  /**
   * @param {string} name
   * @param {number[]} numbers
   */
  #call(name, ...numbers) {
    return this.#module.call(name, [], this.#handle(), ...numbers);
  }

  #handle() {
    if (!this.#game) throw new EngineError('failed', 'this game has been freed');
    return this.#game;
  }
}

// The exports of web/exports.c. They read texts from one input buffer, separated by zeros, and return JSON.
class Module {
  /** @type {any} functions, and the memory */
  #exports;
  /** @type {Api.TableSource} */
  #source;

  /**
   * @param {WebAssembly.Exports} exports
   * @param {Api.TableSource} source
   */
  constructor(exports, source) {
    this.#exports = exports;
    this.#source = source;
  }

  /**
   * Opens the table: reads its header and the list of its blocks, and all blocks if it is to be complete.
   * @param {boolean | undefined} complete
   * @returns {Promise<boolean>} whether it is
   */
  async open(complete) {
    const { size } = this.#source;
    let first = new Uint8Array(); // the beginning of the file
    for (let needed = Math.min(FIRST_BYTES, size); ; ) {
      if (needed > first.length) first = join([first, await this.#read(first.length, needed - first.length)]);
      this.put(first);
      const answer = this.checked('web_open', BigInt(size), first.length, complete === true);
      if (answer.entries === undefined) {
        needed = answer.needed;
      } else if (complete === undefined && answer.entries <= SMALL_TABLE) {
        complete = true;
      } else {
        break;
      }
    }
    if (!complete) return false;
    const rest = createPauses();
    /** @type {Block[]} */
    const blocks = this.checked('web_blocks');
    const filled = blocks.filter(([, , length]) => length); // draws without trap values have an empty block
    for (const group of groups(filled)) {
      for (const [number, bytes] of await this.#fetch(group)) {
        this.#take(number, bytes);
        await rest();
      }
    }
    this.checked('web_finish', 0);
    return true;
  }

  /**
   * Reads blocks and supplies them.
   * @param {Block[]} blocks in the order of the file
   */
  async #load(blocks) {
    for (const result of await Promise.allSettled(groups(blocks).map((group) => this.#fetch(group)))) {
      if (result.status === 'rejected') throw result.reason;
      for (const [number, bytes] of result.value) {
        try {
          this.#take(number, bytes);
        } catch (error) {
          if (!(error instanceof NotLoaded)) throw error; // trap values whose codes have left the memory; they come again
        }
      }
    }
  }

  /**
   * Reads the blocks of a group. Resolves to their numbers and uncompressed bytes.
   * @param {Block[]} group
   */
  async #fetch(group) {
    const [, begin] = group[0];
    const [, last, length] = group[group.length - 1];
    const bytes = await this.#read(begin, last + length - begin);
    // All are checked first: blocks that are being uncompressed go on when another one is damaged.
    const checked = group.map(([number, at, size]) => {
      const packed = bytes.subarray(at - begin, at - begin + size);
      this.put(packed);
      this.checked('web_check', number);
      return /** @type {const} */ ([number, packed]);
    });
    return Promise.all(
      checked.map(async ([number, packed]) => {
        const content = await inflate(packed).catch(() => {
          throw new EngineError('damaged', `damaged table: cannot inflate block ${number}`);
        });
        return /** @type {const} */ ([number, content]);
      }),
    );
  }

  /**
   * @param {number} number of a block
   * @param {Uint8Array} bytes
   */
  #take(number, bytes) {
    this.put(bytes);
    this.checked('web_take', number, bytes.length);
  }

  /**
   * @param {number} offset
   * @param {number} length
   */
  async #read(offset, length) {
    const bytes = await this.#source.read(offset, length);
    if (bytes.length !== length)
      throw new EngineError('damaged', `the table ends early: ${bytes.length} of ${length} bytes at byte ${offset}`);
    return bytes;
  }

  /**
   * Calls an export that reads the table. An error is the fault of the table.
   * @param {string} name
   * @param {(number | bigint | boolean)[]} numbers
   */
  checked(name, ...numbers) {
    const answer = this.tryCall(name, [], ...numbers);
    if (answer?.error !== undefined) throw new EngineError(answer.code === 'memory' ? 'memory' : 'damaged', answer.error);
    return answer;
  }

  /**
   * Copies bytes to the input buffer.
   * @param {Uint8Array} bytes
   */
  put(bytes) {
    const at = this.#exports.web_input(bytes.length + 1);
    if (!at) throw new EngineError('failed', 'out of memory');
    const input = new Uint8Array(this.#exports.memory.buffer, at, bytes.length + 1);
    input.set(bytes);
    input[bytes.length] = 0;
  }

  /**
   * Calls an export and returns its answer, which may be {error, code, at}.
   * @param {string} name
   * @param {string[]} texts
   * @param {(number | bigint | boolean)[]} numbers
   * @returns {any}
   */
  tryCall(name, texts = [], ...numbers) {
    if (texts.length)
      this.put(new TextEncoder().encode(texts.map((t) => String(t).replaceAll('\0', '\ufffd')).join('\0')));
    try {
      this.#exports[name](...numbers);
    } catch (error) {
      throw new EngineError('failed', `${name}: ${/** @type {Error} */ (error).message}`);
    }
    const { memory, web_answer, web_answer_length } = this.#exports;
    const [address, length] = [web_answer(), web_answer_length()]; // which may enlarge the memory
    const bytes = new Uint8Array(memory.buffer, address, length);
    const answer = JSON.parse(new TextDecoder().decode(bytes));
    if (answer?.code !== 'missing') return answer;
    /** @type {Block[]} */
    const blocks = answer.blocks;
    const different = [...new Map(blocks.map((block) => [block[0], block])).values()];
    different.sort(([a], [b]) => a - b); // codes before their trap values
    throw new NotLoaded(() => this.#load(different));
  }

  /**
   * Calls an export and throws its error.
   * @param {string} name
   * @param {string[]} [texts]
   * @param {(number | bigint | boolean)[]} numbers
   */
  call(name, texts, ...numbers) {
    const answer = this.tryCall(name, texts, ...numbers);
    if (answer?.error !== undefined) throw new EngineError('failed', answer.error);
    return answer;
  }
}

/** @param {any} answer */
function asResult(answer) {
  return { ok: answer.error === undefined, ...answer };
}

/** @param {number | bigint} seed */
function asSeed(seed) {
  try {
    return BigInt.asUintN(64, BigInt(seed));
  } catch (error) {
    throw new EngineError('failed', `a seed must be an integer: ${messageOf(error)}`);
  }
}

function requireBrowser() {
  const missing = ['WebAssembly', 'DecompressionStream', 'BigInt', 'TextDecoder'].filter(
    (name) => !(name in globalThis),
  );
  if (missing.length) throw new EngineError('unsupported', `this browser is too old: it lacks ${missing.join(', ')}`);
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function instantiate(bytes) {
  try {
    return (await WebAssembly.instantiate(bytes, {})).instance.exports;
  } catch (error) {
    throw new EngineError('failed', `cannot instantiate the module: ${/** @type {Error} */ (error).message}`);
  }
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
 * Inflates a zlib stream and rejects bytes after its end. The standard has a DecompressionStream do so, but that of
 * Node.js ignores them: there, a stream that also inflates without its last byte has such bytes.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function inflate(bytes) {
  const content = await decompress(bytes);
  if ((await ignoresRest) && (await inflates(bytes.subarray(0, -1)))) throw new Error('bytes after a zlib stream');
  return content;
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
const inflates = (bytes) =>
  decompress(bytes).then(
    () => true,
    () => false,
  );

// Tested with the stream of no bytes, followed by one byte.
const ignoresRest = inflates(Uint8Array.of(0x78, 0x9c, 3, 0, 0, 0, 0, 1, 0));

// Asynchronous, so that a browser without the stream makes it reject.
/** @param {Uint8Array<ArrayBuffer>} bytes */
async function decompress(bytes) {
  return transform(bytes, new DecompressionStream('deflate'));
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
