// A program that check.mjs compiles, but does not run: it uses the declarations of the package.

import {
  type CompleteEngine,
  type Engine,
  EngineError,
  type ErrorCode,
  type Game,
  load,
  type Played,
  type Reason,
  solve,
  type Value,
} from 'neutreeko';
import about from 'neutreeko/package.json' with { type: 'json' };

const engine = await load();
const whole: CompleteEngine = engine;
const value: Value = engine.value(engine.start);
const plies: number = value.result === 'draw' ? 0 : value.plies;
const game: Game = engine.newGame();
const played: Played = game.play(engine.moves(engine.start)[0].move);
if (played.end) throw new EngineError('argument', `${played.end.reason} ${played.side} ${plies}`);
engine.readGame(game.record()).free();
const { headers, start: first, tree } = engine.readRecord(game.clone().record());
const record: string = engine.writeRecord({ start: first, headers: { ...headers, white: 'a' }, tree });
console.log(record, game.headers.white, game.moves({ square: 'b1' })[0]?.to, tree[0].comment);
const move: string = game.opponentMove('level:3', 1n);
const threat: string | undefined = game.why(1, move).threat?.move;
for (const { position, answer } of engine.puzzles({ draw: true }, 3)) console.log(position, answer, threat);
const other: Engine = await load(await solve({ ...engine.board, win: 'diagonal' }));
const start: string | null = other.suggestedStart();
const fair: string | undefined = other.fairStarts()[16];
console.log(start, fair, other.start?.length);
const address = new URL('https://example.org/perfect_move.dat');
const fetched: Engine = await load(address);
console.log(fetched.start, about.version, whole.complete);
const { code, reason } = new EngineError('over', '');
const fault: [ErrorCode, Reason | undefined] = [code, reason];
console.log(fault);
// @ts-expect-error: a seed is a number
game.opponentMove('perfect', 'x');
// @ts-expect-error: a table has an address, not a number
await load(5);
