// The interface to the WebAssembly module: rules, table, choice of move, opponents, review, puzzles.
//
// Positions are texts in the project's notation ("1w1w1/2b2/5/2w2/1b1b1 b"), moves are texts ("b1-c1"), squares are
// "a1" to "e5", sides are 'black' | 'white'. A value is {result: 'win' | 'draw' | 'loss', plies} from the view of the
// side to move (of a move: from the view of the side that makes it, counted from before it); plies of a draw is 0.
// After loading, every call is synchronous. The functions that take input of the user (checkPosition, readGame, play)
// return {ok: false, error} if it is invalid; any other invalid argument throws an EngineError of kind 'failed'.

export class EngineError extends Error {
  // kind: 'unsupported' (by this browser), 'damaged' (the table or the page), 'failed' (any other error).
  constructor(kind, message) {
    super(message);
    this.name = 'EngineError';
    this.kind = kind;
  }
}

// Creates the engine. Rejects a table unless the checksums of its header, of each block and of all codes match.
// Both arguments are Uint8Array; they are not modified.
export async function loadEngine(wasmBytes, tableBytes) {
  requireBrowser();
  const module = new Module(await instantiate(wasmBytes));
  await openTable(module, tableBytes);
  return new Engine(module);
}

// Creates the engine from the elements that web/bundle.mjs puts into the page: <script type="text/plain"
// id="neutreeko-wasm"> and id="neutreeko-table">, in base64, the module compressed.
export async function loadEngineFromPage(document) {
  requireBrowser();
  const embedded = (id) => Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0));
  let wasm, table;
  try {
    wasm = await inflate(embedded('neutreeko-wasm'));
    table = embedded('neutreeko-table');
  } catch {
    throw new EngineError('damaged', 'the data in this page is damaged');
  }
  return loadEngine(wasm, table);
}

export class Engine {
  #module;

  constructor(module) {
    this.#module = module;
    const about = module.call('web_about');
    this.board = about.board; // {width, height, pieces, row}
    this.start = about.start; // the start position
    this.summary = about.summary; // {legal, wins, losses, draws, longest} of the whole game
  }

  // The opponents, strongest first: [{name: 'perfect' | 'level:15' | ..., about}]; `about` describes it in English.
  opponents() {
    return this.#module.call('web_opponents');
  }

  // {ok: true, text} with the text in the project's notation, or {ok: false, code, error, at}: `error` is a message
  // in English; `code` is 'syntax' (`at` is the character, from 1), 'black-count' or 'white-count' (a side has the
  // wrong number of pieces) or 'won' (the side to move already has its row).
  checkPosition(text) {
    return asResult(this.#module.tryCall('web_check_position', [text]));
  }

  newGame(positionText = this.start) {
    return new Game(this.#module, this.#module.call('web_game_new', [positionText]));
  }

  // Reads a record, as game.record() and `neutreeko play` write it: {ok: true, game} or {ok: false, code, error, at}.
  readGame(recordText) {
    const read = this.#module.tryCall('web_game_read', [recordText]);
    return read.error === undefined ? { ok: true, game: new Game(this.#module, read) } : asResult(read);
  }

  // Every move with its value in the table, best first (losses: longest first): [{move, from, to, value, next}];
  // `next` is the position after it. Empty if the game is over.
  moves(positionText) {
    return this.#module.call('web_moves', [positionText]);
  }

  value(positionText) {
    return this.#module.call('web_value', [positionText]);
  }

  // The first call of this or the next function looks at the whole table, which takes a moment.
  // The difficulties that exist: [{plies: 1, total}, {plies: 3, total}, ..., {save: true, total}]; total counts
  // positions that differ only by colours and symmetry once.
  puzzleKinds() {
    return this.#module.call('web_puzzle_kinds');
  }

  // `count` different puzzles (fewer if there are fewer) of a kind, {plies: 5} (exactly one move wins, in 5 plies) or
  // {save: true} (exactly one move keeps the draw): [{position, answer}]. The same seed (an integer from 0) gives the
  // same puzzles as `neutreeko puzzle --seed`.
  puzzles(kind, seed, count) {
    return this.#module.call('web_puzzles', [], kind.save ? 0 : kind.plies, asSeed(seed), count);
  }
}

// A game. The caller frees it with free().
export class Game {
  #module;
  #game;

  constructor(module, game) {
    this.#module = module;
    this.#game = game;
  }

  // {start, position, toMove, plies, moves, undone, over, repetitions, legal}
  //   start        the position in which the game began
  //   moves        the `plies` moves played so far; undone: the undone ones, in the order of redo
  //   over         null | {end: 'row' | 'repetition' | 'stuck' | 'resigned', winner: 'black' | 'white' | null}
  //   repetitions  how often the position has occurred, including now
  //   legal        [{move, from, to}]; empty if the game is over
  state() {
    return this.#call('web_game_state');
  }

  // Plays a move: {ok: true} or {ok: false, code, error}. Discards the undone moves.
  play(move) {
    return asResult(this.#module.tryCall('web_game_play', [move], this.#handle()));
  }

  // Goes to the position after `ply` moves, 0 to plies + undone.length; false for any other number. Going back
  // undoes a resignation.
  goto(ply) {
    return this.#call('web_game_goto', ply);
  }

  // The side to move resigns. Without effect if the game is over.
  resign() {
    this.#call('web_game_resign');
  }

  // As engine.moves() of the current position, but with values that take repetition into account. Each move also
  // has `repeats`, how often the position after it has occurred so far (2: the move ends the game as a draw), and
  // `trap`, for a draw the probability in 256ths that an imperfect opponent makes a mistake after it.
  options() {
    return this.#call('web_game_options');
  }

  // Chooses the move of an opponent, without playing it. The game must not be over. The same game, name and seed (an
  // integer from 0) give the same move.
  opponentMove(name, seed) {
    return this.#module.call('web_game_opponent_move', [name], this.#handle(), asSeed(seed));
  }

  // The moves played: [{move, side, position, before, after, mark, better, pliesLost}]
  //   position   in which it was played; before: its value; after: the value of the move
  //   mark       '' | '?' (a mistake: throws away a win or a draw) | '??' (a blunder: turns a win into a loss)
  //   better     a best move; the move itself if it keeps the result
  //   pliesLost  if the result is kept, by how many plies the win is delayed or the loss hastened
  review() {
    return this.#call('web_game_review');
  }

  // Explains a legal move at a ply of the game, 0 to plies + undone.length, with values that take repetition into
  // account:
  //   value    of the move; before: of the position before it (both to the side that moves)
  //   next     the position after it
  //   gives    the result that the move throws away: 'nothing', 'draw' or 'win'
  //   best     a best move; the move itself if it is as good as any
  //   only     true if the move keeps a win or a draw and every other move, of at least one, throws it away
  //   repeats  true if the move ends the game by threefold repetition
  //   threat   null | {move, plies, line}: the win of the same side if the opponent could pass; `line` begins with
  //            `move`, which wins in `plies`. null if the move ends the game.
  //   stops    null | {move, plies, line}: the win that the opponent would have if the side to move passed, if the
  //            move prevents or delays it
  //   line     the best line after the move; in a drawn game its first 8 moves
  //   replies  {total, losing, holding, winning}: the number of replies, by their result for the opponent
  //   onlyReply  null, or the only reply (of several) that keeps the opponent's result, a win or a draw
  why(ply, move) {
    const facts = this.#module.call('web_game_why', [move], this.#handle(), ply);
    for (const win of [facts.threat, facts.stops]) if (win) win.move = win.line[0];
    return facts;
  }

  // The best line from here to the end of the game, or the first plies of a drawn line: ['b1-c1', ...]. In a new game
  // the same as `neutreeko line --seed 0`.
  bestLine() {
    return this.#call('web_game_best_line');
  }

  // The game as a record, which readGame and `neutreeko review` read.
  record() {
    return this.#call('web_game_record');
  }

  free() {
    this.#call('web_game_free');
    this.#game = 0;
  }

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
  #exports;

  constructor(exports) {
    this.#exports = exports;
  }

  // Copies bytes to the input buffer.
  put(bytes) {
    const at = this.#exports.web_input(bytes.length + 1);
    if (!at) throw new EngineError('failed', 'out of memory');
    const input = new Uint8Array(this.#exports.memory.buffer, at, bytes.length + 1);
    input.set(bytes);
    input[bytes.length] = 0;
  }

  // Calls an export and returns its answer, which may be {error, code, at}.
  tryCall(name, texts = [], ...numbers) {
    if (texts.length)
      this.put(new TextEncoder().encode(texts.map((t) => String(t).replaceAll('\0', '\ufffd')).join('\0')));
    try {
      this.#exports[name](...numbers);
    } catch (error) {
      throw new EngineError('failed', `${name}: ${/** @type {Error} */ (error).message}`);
    }
    const { memory, web_answer, web_answer_length } = this.#exports;
    const bytes = new Uint8Array(memory.buffer, web_answer(), web_answer_length());
    return JSON.parse(new TextDecoder().decode(bytes));
  }

  // Calls an export and throws its error.
  call(name, texts, ...numbers) {
    const answer = this.tryCall(name, texts, ...numbers);
    if (answer?.error !== undefined) throw new EngineError('failed', answer.error);
    return answer;
  }
}

function asResult(answer) {
  return { ok: answer.error === undefined, ...answer };
}

function asSeed(seed) {
  return BigInt.asUintN(64, BigInt(seed));
}

function requireBrowser() {
  const missing = ['WebAssembly', 'DecompressionStream', 'BigInt', 'TextDecoder'].filter(
    (name) => !(name in globalThis),
  );
  if (missing.length) throw new EngineError('unsupported', `this browser is too old: it lacks ${missing.join(', ')}`);
}

async function instantiate(bytes) {
  try {
    return (await WebAssembly.instantiate(bytes, {})).instance.exports;
  } catch (error) {
    throw new EngineError('failed', `cannot instantiate the module: ${/** @type {Error} */ (error).message}`);
  }
}

// Passes the table to the module, which lists the blocks, then passes it the inflated blocks. The module checks all.
async function openTable(module, bytes) {
  const checked = (answer) => {
    if (answer?.error !== undefined)
      throw new EngineError(answer.code === 'memory' ? 'failed' : 'damaged', answer.error);
    return answer;
  };
  module.put(bytes);
  const blocks = checked(module.tryCall('web_open', [], bytes.length));
  const inflated = blocks.map(([begin, length]) =>
    length ? inflate(bytes.subarray(begin, begin + length)) : undefined,
  );
  for (const [number, result] of (await Promise.allSettled(inflated)).entries()) {
    if (result.status === 'rejected') throw new EngineError('damaged', `damaged table: cannot inflate block ${number}`);
    module.put(result.value ?? new Uint8Array());
    checked(module.tryCall('web_take', [], number, result.value?.length ?? 0));
  }
  checked(module.tryCall('web_finish'));
}

// Inflates a zlib stream and rejects bytes after its end. The standard has a DecompressionStream do so, but that of
// Node.js ignores them: there, a stream that also inflates without its last byte has such bytes.
async function inflate(bytes) {
  const content = await decompress(bytes);
  if ((await ignoresRest) && (await inflates(bytes.subarray(0, -1)))) throw new Error('bytes after a zlib stream');
  return content;
}

const inflates = (bytes) =>
  decompress(bytes).then(
    () => true,
    () => false,
  );

// Tested with the stream of no bytes, followed by one byte.
const ignoresRest = inflates(Uint8Array.of(0x78, 0x9c, 3, 0, 0, 0, 0, 1, 0));

async function decompress(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  const reader = stream.getReader();
  const pieces = [];
  for (let piece; !(piece = await reader.read()).done;) pieces.push(piece.value);
  const content = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  pieces.reduce((at, piece) => (content.set(piece, at), at + piece.length), 0);
  return content;
}
