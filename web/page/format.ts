// Values, sides, moves and players as text.

import { usualRow } from './state/boards.js';
import { other } from './state/position.js';
import { t } from './texts.js';

import type { Progress } from '../engine/api.js';
import type { Board, Message, Side, Value, Why } from './state/types.js';

/** A message in the language of the page, or ''. */
export function messageText(message: Message | null): string {
  if (!message) return '';
  const [name, ...values] = message;
  const isSide = (value: unknown): value is Side => value === 'black' || value === 'white';
  return t(name, ...values.map((value) =>
    (Array.isArray(value) ? messageText(value) : isSide(value) ? t(value) : value)));
}

export const sameValue = (a: Value, b: Value) => a.result === b.result && a.plies === b.plies;

export const letterOf = ({ result }: Pick<Value, 'result'>) => t(`${result}Letter`);

/** How people count a distance: in moves, or in plies where the language does. */
export const countOf = (plies: number) => t('count', plies);
export const distanceText = (plies: number) => t('inMoves', plies);

/** A value to the side to move: "wins in 7 moves". */
export const valueText = ({ result, plies }: Value) => t(`${result}Value`, plies === null ? '' : distanceText(plies));

/** Which side wins a position and when. */
export function outcomeText({ result, plies }: Value, toMove: Side) {
  if (result === 'draw') return t('drawOutcome');
  return t(plies ? 'winOutcome' : 'sideWon', t(result === 'win' ? toMove : other(toMove)), distanceText(plies));
}

/** A date where the user is, as "2026-11-30": today by default. */
export function dateOf(date = new Date()) {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The day so many days before a day, as "2026-11-30". */
export function daysBefore(date: string, days: number) {
  const day = noonOf(date);
  day.setDate(day.getDate() - days);
  return dateOf(day);
}

/** Noon of a day: no change of the clock comes near it. */
export const noonOf = (date: string) => new Date(`${date}T12:00`);

/** Between the squares of a move: an en dash, at which no line may break. */
export const DASH = '\u2060\u2013\u2060';
export const moveText = (move: string) => move.replace('-', DASH);

/** A text with a full stop, unless it ends a sentence already. */
export const asSentence = (text: string) => (/[.!?。！？…]$/.test(text) ? text : text + t('stop'));

/** Sentences, one after the other; what is empty is left out. */
export const sentencesText = (sentences: (string | false | null | undefined)[]) =>
  sentences.filter(Boolean).join(t('between'));

/** "4×4, 3 pieces, diagonal row": the row length only if it is not the usual one. */
export const boardTitle = ({ width, height, pieces, row_length: row, win }: Board) =>
  [
    `${width}×${height}`,
    t('boardPieces', pieces),
    row !== usualRow(pieces, win) && t('boardRow', row),
    win !== 'line' && t(`win_${win}`).toLowerCase(),
  ]
    .filter(Boolean)
    .join(t('comma'));

const LINE_MOVES = 6; // in a sentence

export const bestLineText = (line: string[]) =>
  t(line.length > LINE_MOVES ? 'whyLineCut' : 'whyLine', line.slice(0, LINE_MOVES).map(moveText).join(' '));

/** What a move threatens and prevents, what is nearer first. */
function threatSentences({ value, threat, prevented }: Why, opponent: string, isHint: boolean) {
  const found = [];
  if (prevented)
    found.push({
      plies: prevented.plies,
      text:
        prevented.plies === 1
          ? t('whyStopsNow', opponent, moveText(prevented.move))
          : t('whyStops', opponent, moveText(prevented.move), distanceText(prevented.plies)),
    });
  // A threat is worth mentioning if it wins before the game ends anyway, or is how the move wins in two moves.
  const isSooner = value.result === 'draw' || (threat?.plies ?? 0) < value.plies - 2;
  if (threat && (isSooner || (isHint && threat.plies === 1)))
    found.push({
      plies: threat.plies,
      text:
        threat.plies === 1
          ? t('whyThreatNow', moveText(threat.move))
          : t('whyThreat', moveText(threat.move), distanceText(threat.plies)),
    });
  return found.sort((a, b) => a.plies - b.plies).map(({ text }) => text);
}

/**
 * Sentences on why a move of `side` is good or bad. `hidesBest`: without the better move. `isHint`: only what the move
 * gains, threatens and prevents.
 */
export function whySentences(facts: Why, side: Side, { hidesBest = false, isHint = false } = {}) {
  const { value, before, gives, best, only, repeats, line, replies, only_reply: onlyReply } = facts;
  const opponent = t(other(side));
  const winsNow = gives === null && value.plies === 1;
  const sentences = [];
  if (winsNow) sentences.push(t('why_winNow', t(side)));
  else if (gives === null) sentences.push(t(`why_${value.result}`, t(side), distanceText(value.plies ?? 0)));
  // The loss is counted from before this move, the win of the opponent from after it.
  else {
    sentences.push(t(`why_${before.result}_to_${value.result}`, opponent, distanceText((value.plies ?? 0) - 1)));
    if (!hidesBest) sentences.push(t(`whyBest_${before.result}`, moveText(best)));
  }
  if (repeats) sentences.push(t('whyRepeats'));
  if (only) sentences.push(t(before.result === 'win' ? 'whyOnlyWin' : 'whyOnlyDraw'));
  if (winsNow) return sentences;
  sentences.push(...threatSentences(facts, opponent, isHint));
  if (isHint) return sentences;
  if (onlyReply) sentences.push(t('whyOnlyReply', opponent, moveText(onlyReply)));
  else if (gives === null && replies.losing && replies.losing < replies.total)
    sentences.push(t('whyReplies', opponent, replies.losing, replies.total));
  if (line.length && !hidesBest) sentences.push(bestLineText(line));
  return sentences;
}

// Without Intl, whose formats take milliseconds each: these are the same in all languages.

export const numberText = (number: number, digits = 0) =>
  String(Number(number.toFixed(digits))).replace(/\B(?=(\d{3})+$)/g, ',');

/** The size of a file or of memory. */
export function sizeText(bytes: number) {
  if (bytes < 1e6) return `${numberText(Math.ceil(bytes / 1e3))} kB`;
  return bytes < 1e9 ? `${numberText(bytes / 1e6, bytes < 1e7 ? 1 : 0)} MB` : `${numberText(bytes / 1e9, 1)} GB`;
}

/** How far the solving of a board is. */
export function solvingText(progress: Progress | null) {
  if (!progress?.by_plies.length) return t('labPreparing');
  const { phase, ply, decided, total } = progress;
  return phase === 'solving' ? t('labSolving', ply, numberText(decided), numberText(total)) : t(`lab_${phase}`);
}
