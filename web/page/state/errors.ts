// Why a text that the user opens is not a position or a game: from the code and the place that the engine reports, a
// message of the page.

import { moveNumber, readPosition } from './position.js';

import type { Engine, EngineError } from '../../engine/page.js';
import type { GameState, Message, Side } from './types.js';

/** What begins like the ranks of a position, and not with a move such as b1/c1: no game does. */
const RANKS = /^(?![a-h]\d\/[a-h]\d(?![\w/]))[bw\d]+\//i;

/**
 * Why a position is illegal.
 * @param error that checkPosition has reported
 * @param needed pieces of a side
 */
export function positionFault(text: string, { reason, at }: EngineError, needed: number): Message {
  const [placement, last] = [text.replace(/^[bw]:|[\s_]+[bw]$/gi, ''), text.match(/^[bw](?=:)|[bw]$/i)?.[0]];
  const count = (letter: RegExp) => placement.match(letter)?.length ?? 0;
  if (reason === 'won') return ['error_won', last?.toLowerCase() === 'w' ? 'white' : 'black'];
  if (reason === 'black-count') return ['error_black-count', needed, count(/b/gi)];
  if (reason === 'white-count') return ['error_white-count', needed, count(/w/gi)];
  if (!at) return ['error_fair']; // all other faults have a place
  return !/\s/.test(text) && at > text.length ? ['error_side'] : ['error_syntax', at];
}

/** Why a move is illegal, if it is; `piece` is the one on the square from which it begins. */
function moveFault(
  { legal, to_move: toMove, end }: GameState, from: string, to: string, piece: Side | undefined,
): Message {
  if (end) return ['unread_over'];
  if (!piece) return ['unread_noPiece', from];
  if (piece !== toMove) return ['unread_otherPiece', from, toMove];
  const way = (square: string) => [...square].map((c, axis) => c.charCodeAt(0) - from.charCodeAt(axis));
  const [x, y] = way(to);
  if (x && y && Math.abs(x) !== Math.abs(y)) return ['unread_noLine', from, to];
  const stop = legal.find((one) => one.from === from && `${way(one.to).map(Math.sign)}` === `${[x, y].map(Math.sign)}`);
  return stop ? ['unread_stops', stop.to, to] : ['unread_blocked', from];
}

/** Reads the game that a text begins with; null if it begins with something else. */
function beginning(engine: Engine, text: string) {
  try {
    const game = engine.readGame(`[Event ""]\n${text}`); // without moves it is a game as well
    const state = game.state();
    game.free();
    return state;
  } catch {
    return null;
  }
}

/**
 * Why a text is not the record of a game.
 * @param error that readGame has thrown
 */
export function recordFault(engine: Engine, text: string, { code, at }: EngineError): Message {
  if (code === 'syntax' && !at) return ['unread_none'];
  const before = new TextDecoder().decode(new TextEncoder().encode(text).slice(0, at - 1)); // the engine counts bytes
  const place = before.length + 1;
  const here = (...why: Message): Message => ['unreadPlace', place, why];
  const line = before.slice(before.search(/[^\n\r]*$/));
  const next = text.slice(before.length);
  if (next[0] === '{') return here('unread_comment');
  if (code === 'rules') return here('unread_board', /^[^"]*/.exec(next)?.[0] ?? '');
  if (/^\[(?:start|fen)|^start/i.test(line)) {
    const { ok } = engine.checkPosition(/^[^"\n]*/.exec(next)?.[0] ?? '');
    return here(ok ? 'unread_starts' : 'unread_start');
  }
  if (/^\s*\[/.test(line)) return here('unread_header');
  if (next[0] === '[' && before.trim()) return here('unread_second');
  const [word] = /[^\s()]*$/.exec(before) ?? [''];
  const state = beginning(engine, before.slice(0, before.length - word.length));
  const [, move = ''] = /^(?:\d+\.*)?([^\s(){}!?;,]*)/.exec(word + next) ?? [];
  if (!state && code === 'move') return here('unread_illegal', move); // in a variation
  if (!state || !move) return here('unread_other');
  const inMove = (...why: Message): Message =>
    ['unreadMove', place, moveNumber(state.start, state.plies), state.to_move, why, state.plies + 1];
  const [, from, to] = /^([a-z]\d)-?([a-z]\d)$/i.exec(move.toLowerCase()) ?? [];
  if (code === 'move' && from) {
    const { pieces } = readPosition(state.position, engine.board);
    return inMove(...moveFault(state, from, to, pieces.get(from)));
  }
  if (code === 'move') return inMove('unread_over');
  return next && !/\s/.test(next[0]) ? inMove('unread_noMove', next[0]) : inMove('unread_other');
}

/**
 * Whether a text that is not a legal position was meant to be one.
 * @param error that checkPosition has reported
 */
export const isMeantAsPosition = (text: string, { code }: EngineError) => code === 'position' || RANKS.test(text);
