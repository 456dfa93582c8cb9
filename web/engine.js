// The only door to the WebAssembly module: rules, table, choice of move, opponents, review, puzzles.
//
// Positions are texts in the project's notation ("1w1w1/2b2/5/2w2/1b1b1 b"), moves are texts ("b1-c1"), squares are
// "a1" to "e5", sides are 'black' | 'white'. A value is {result: 'win' | 'draw' | 'loss', plies} from the view of the
// side to move (of a move: from the view of the side that makes it, counted from before it); plies of a draw is 0.
// After loading every call is synchronous. What comes from people (checkPosition, readGame, play) answers with
// {ok: false, error}; any other wrong argument throws EngineError of kind 'failed'.

export class EngineError extends Error {
  // kind: 'unsupported' (the browser lacks something), 'damaged' (the table is not whole), 'failed' (anything else).
  constructor(kind, message) {
    super(message);
    this.name = 'EngineError';
    this.kind = kind;
  }
}

// Makes the engine. Refuses a table unless every checksum agrees: of its head, of each block, of all codes.
// Both arguments are ArrayBuffer or Uint8Array and are left as they are.
export async function loadEngine(wasmBytes, tableBytes) {
  requireBrowser();
  const module = new Module(await instantiate(wasmBytes));
  await openTable(module, asBytes(tableBytes));
  return new Engine(module);
}

// The same, from what web/bundle.py has put into the page: <script type="text/plain" id="neutreeko-wasm"> and
// id="neutreeko-table">, in base64, the module deflated.
export async function loadEngineFromPage(document) {
  requireBrowser();
  const embedded = (id) => Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0));
  let wasm, table;
  try {
    wasm = await inflate(embedded('neutreeko-wasm'));
    table = embedded('neutreeko-table');
  } catch {
    throw new EngineError('damaged', 'what this page holds is damaged');
  }
  return loadEngine(wasm, table);
}

class Engine {
  #module;

  constructor(module) {
    this.#module = module;
    const about = module.ask('web_about');
    this.board = about.board; // {width, height, pieces, row}
    this.start = about.start; // the start position
    this.summary = about.summary; // {legal, wins, losses, draws, longest} of the whole game
  }

  // Whom a person can play against, strongest first: [{name: 'perfect' | 'level:9' | ...}].
  opponents() {
    return this.#module.ask('web_opponents');
  }

  // {ok: true, text} with the text as the project prints it, or {ok: false, code, error, at}: `error` says in English
  // what is wrong; `code` is 'syntax' (no position at all; `at` is the character, from 1), 'black-count',
  // 'white-count' (a side has not its number of pieces) or 'won' (the side to move already has its row).
  checkPosition(text) {
    return verdict(this.#module.tell('web_check_position', [text]));
  }

  newGame(positionText = this.start) {
    return new Game(this.#module, this.#module.ask('web_game_new', [positionText]).game);
  }

  // Reads a record, as game.record() and `neutreeko play` write it: {ok: true, game} or {ok: false, code, error, at}.
  readGame(recordText) {
    const read = this.#module.tell('web_game_read', [recordText]);
    return 'error' in read ? verdict(read) : { ok: true, game: new Game(this.#module, read.game) };
  }

  // Every move by the table alone, best first (lost: longest first): [{move, from, to, value, next}]; `next` is the
  // position after it. Empty when the game is over.
  moves(positionText) {
    return this.#module.ask('web_moves', [positionText]);
  }

  value(positionText) {
    return this.#module.ask('web_value', [positionText]);
  }

  // Looks for all puzzles there are, with pauses in which the page lives on; the next two are quick then. Not needed:
  // the first call of either does it at once.
  async preparePuzzles() {
    while (!this.#module.ask('web_puzzle_survey', [], 20000)) await new Promise((resolve) => setTimeout(resolve));
  }

  // The difficulties that exist: [{plies: 1, total}, {plies: 3, total}, ..., {save: true, total}]; total counts
  // positions that are equal up to colours and symmetry once.
  puzzleKinds() {
    return this.#module.ask('web_puzzle_kinds');
  }

  // `count` different puzzles (fewer when there are fewer) of a kind, {plies: 5} (exactly one move wins, in 5 plies)
  // or {save: true} (a draw that exactly one move holds): [{position, answer}]. The same seed (a whole number from 0)
  // gives the same puzzles, those of `neutreeko puzzle --seed`.
  puzzles(kind, seed, count) {
    return this.#module.ask('web_puzzles', [], kind.save ? 0 : kind.plies, asSeed(seed), count);
  }
}

// A game. free() it when it is no longer needed.
class Game {
  #module;
  #game;

  constructor(module, game) {
    this.#module = module;
    this.#game = game;
  }

  // {start, position, toMove, plies, moves, undone, over, repetitions, legal, canUndo, canRedo}
  //   start        the position in which the game began
  //   moves        the `plies` moves played so far; undone: those taken back, in the order of redo
  //   over         null | {end: 'row' | 'repetition' | 'stuck' | 'resigned', winner: 'black' | 'white' | null}
  //   repetitions  how often the position has occurred, now included
  //   legal        [{move, from, to}]; empty when the game is over
  state() {
    return this.#ask('web_game_state');
  }

  // Plays a move: {ok: true} or {ok: false, code, error}. What had been taken back is forgotten.
  play(move) {
    return verdict(this.#module.tell('web_game_play', [move], this.#handle()));
  }

  // Takes back the last move (or a resignation, which leaves the moves as they are), or plays again the last one taken
  // back; false when there is none.
  undo() {
    return this.#ask('web_game_undo');
  }

  redo() {
    return this.#ask('web_game_redo');
  }

  // Goes to where `ply` moves have been played, 0 to plies + undone.length; false for any other number. Going back
  // from a resignation takes it back.
  goto(ply) {
    return this.#ask('web_game_goto', ply);
  }

  // The side to move gives up. Without effect when the game is over.
  resign() {
    this.#ask('web_game_resign');
  }

  // As engine.moves() of the position now, but with values that take repetition into account; and of each move `repeats`, how
  // often the position after it has occurred so far (2: the move ends the game as a draw), and `trap`, for a draw the
  // chance in 256ths that a fallible opponent errs after it.
  options() {
    return this.#ask('web_game_options');
  }

  // The move of an opponent, in a game that is not over. It is not played. The same game, name and seed (a whole
  // number from 0) give the same move.
  opponentMove(name, seed) {
    return this.#module.ask('web_game_opponent_move', [name], this.#handle(), asSeed(seed)).move;
  }

  // The moves played: [{move, side, position, before, after, mark, better, pliesLost}]: the
  // position in which it was played, what that was worth, what the move was; mark '' | '?' (a draw or a win given
  // away) | '??' (a win turned into a loss); `better` a best move (the move itself when nothing was given away);
  // pliesLost how much later a win, how much sooner a loss comes, the result being kept.
  review() {
    return this.#ask('web_game_review');
  }

  // What can be said about a legal move at a ply of the game, 0 to plies + undone.length, with values that take
  // repetition into account:
  //   value    of the move; before: of the position before it (both to the one who moves)
  //   next     the position after it
  //   gives    'nothing', 'draw' (a draw that was there is now lost) or 'win' (a won game is won no more)
  //   best     a best move; the move itself when it is as good as any
  //   only     true when this move keeps the result (a win or a draw) and every other one, of several, gives it away
  //   repeats  true when the move ends the game: its position has occurred twice
  //   threat   null | {move, plies, line}: the win that the same side would have, did the opponent do nothing;
  //            `line` begins with `move`, which wins in `plies`. null when the move ends the game.
  //   stops    null | {move, plies, line}: the win that the opponent would have had, had it been its turn before the
  //            move, and that it now has no longer (no win at all, or only a slower one)
  //   line     best play by both after the move; where the game is drawn, its first 8 moves
  //   replies  {total, losing, holding, winning}: the opponent's moves, by what they lead to for the opponent
  //   onlyReply  null, or the only reply (of several) that keeps the opponent's result, a win or a draw
  why(ply, move) {
    const facts = this.#module.ask('web_game_why', [move], this.#handle(), ply);
    for (const win of [facts.threat, facts.stops]) if (win) win.move = win.line[0];
    return facts;
  }

  // Best play by both sides from here, at most maxPlies moves, to the end of the game: ['b1-c1', ...]. In a new game
  // the same as `neutreeko line --seed 0`.
  bestLine(maxPlies) {
    return this.#ask('web_game_best_line', maxPlies);
  }

  // The game as a text that readGame and `neutreeko review` read.
  record() {
    return this.#ask('web_game_record');
  }

  free() {
    this.#ask('web_game_free');
    this.#game = 0;
  }

  #ask(name, ...numbers) {
    return this.#module.ask(name, [], this.#handle(), ...numbers);
  }

  #handle() {
    if (!this.#game) throw new EngineError('failed', 'this game has been freed');
    return this.#game;
  }
}

// The exports of web/exports.c: texts go in through one buffer, separated by zeros, and every answer comes out as JSON.
class Module {
  #exports;

  constructor(exports) {
    this.#exports = exports;
  }

  // Puts bytes where the module reads its input.
  put(bytes) {
    const at = this.#exports.web_input(bytes.length + 1);
    if (!at) throw new EngineError('failed', 'out of memory');
    const input = new Uint8Array(this.#exports.memory.buffer, at, bytes.length + 1);
    input.set(bytes);
    input[bytes.length] = 0;
  }

  // Calls an export and returns its answer, which may be {error, code, at}.
  tell(name, texts = [], ...numbers) {
    if (texts.length)
      this.put(new TextEncoder().encode(texts.map((t) => String(t).replaceAll('\0', '\ufffd')).join('\0')));
    try {
      this.#exports[name](...numbers);
    } catch (error) {
      throw new EngineError('failed', `${name}: ${error.message}`);
    }
    const { memory, web_answer, web_answer_length } = this.#exports;
    const bytes = new Uint8Array(memory.buffer, web_answer(), web_answer_length());
    return JSON.parse(new TextDecoder().decode(bytes));
  }

  // The same where an error is nobody's answer.
  ask(name, texts, ...numbers) {
    const answer = this.tell(name, texts, ...numbers);
    if (answer?.error !== undefined) throw new EngineError('failed', answer.error);
    return answer;
  }
}

function verdict(answer) {
  return { ok: !('error' in answer), ...answer };
}

function asSeed(seed) {
  return BigInt.asUintN(64, BigInt(seed));
}

function asBytes(bytes) {
  return bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
}

function requireBrowser() {
  const missing = ['WebAssembly', 'DecompressionStream', 'BigInt', 'TextDecoder'].filter(
    (name) => !(name in globalThis),
  );
  if (missing.length) throw new EngineError('unsupported', `this browser is too old: it has no ${missing.join(', ')}`);
}

async function instantiate(bytes) {
  try {
    return (await WebAssembly.instantiate(bytes, {})).instance.exports;
  } catch (error) {
    throw new EngineError('failed', `the program does not start: ${error.message}`);
  }
}

// Hands the module the table's bytes, inflates the blocks that it lists, and gives it those; it checks everything.
async function openTable(module, bytes) {
  const damaged = (answer) => {
    if (answer?.error !== undefined)
      throw new EngineError(answer.code === 'memory' ? 'failed' : 'damaged', answer.error);
    return answer;
  };
  module.put(bytes);
  const blocks = damaged(module.tell('web_open', [], bytes.length));
  const unpacked = blocks.map(([begin, length]) =>
    length ? inflate(bytes.subarray(begin, begin + length)) : undefined,
  );
  for (const [number, result] of (await Promise.allSettled(unpacked)).entries()) {
    if (result.status === 'rejected') throw new EngineError('damaged', `damaged: block ${number} does not unpack`);
    module.put(result.value ?? new Uint8Array());
    damaged(module.tell('web_take', [], number, result.value?.length ?? 0));
  }
  damaged(module.tell('web_finish'));
}

// The bytes that a zlib stream unpacks to. Bytes behind the stream are refused, as the standard has it for a
// DecompressionStream. That of Node.js ignores them: there, a stream that also unpacks without its last byte has some.
async function inflate(bytes) {
  const whole = await decompress(bytes);
  if ((await ignoresRest) && (await unpacks(bytes.subarray(0, -1)))) throw new Error('bytes behind a zlib stream');
  return whole;
}

const unpacks = (bytes) =>
  decompress(bytes).then(
    () => true,
    () => false,
  );

// Asked with the stream that unpacks to nothing, and a byte behind it.
const ignoresRest = unpacks(Uint8Array.of(0x78, 0x9c, 3, 0, 0, 0, 0, 1, 0));

async function decompress(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  const reader = stream.getReader();
  const pieces = [];
  for (let piece; !(piece = await reader.read()).done;) pieces.push(piece.value);
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  pieces.reduce((at, piece) => (whole.set(piece, at), at + piece.length), 0);
  return whole;
}
