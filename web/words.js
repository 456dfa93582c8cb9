// Values, sides, moves and opponents in words and signs.

import { h, s } from './dom.js';
import { t } from './texts.js';

export const other = (side) => (side === 'black' ? 'white' : 'black');

export const sameValue = (a, b) => a.result === b.result && a.plies === b.plies;

export const letterOf = ({ result }) => t(`${result}Letter`);

/** What a move or a position is worth to the side that moves: "wins in 13 plies". */
export const valueWords = ({ result, plies }) => t(`${result}Words`, plies);

/** Who wins a position and when, in a sentence. */
export function outcomeWords({ result, plies }, toMove) {
  if (result === 'draw') return t('drawOutcome');
  return t('winOutcome', t(result === 'win' ? toMove : other(toMove)), plies);
}

/** A value as sign, letter and number, for eyes only: whoever uses it says the value in words as well. */
export function chip(value, best) {
  const sign = { win: 'M1 10h10L6 1z', draw: 'M1 6a5 5 0 1 0 10 0A5 5 0 1 0 1 6', loss: 'M1 2h10L6 11z' }[value.result];
  return h(
    'span',
    { class: `chip ${value.result}${best ? ' best' : ''}`, 'aria-hidden': 'true' },
    s('svg', { viewBox: '0 0 12 12' }, s('path', { d: sign })),
    h('b', {}, letterOf(value)),
    value.result !== 'draw' && h('span', {}, value.plies),
  );
}

/** A side's piece as a small sign. */
export const disc = (side) => h('span', { class: `disc ${side}`, 'aria-hidden': 'true' });

/** A move for readers: with a dash between its squares, where no line breaks. */
export const moveText = (move) => move.replace('-', '\u2060\u2013\u2060');

/** An opponent's name and the line about it. */
export function opponentWords(name) {
  const [kind, number] = name.split(':');
  return t(kind === 'level' ? 'levelOpponent' : `${kind}Opponent`, Number(number));
}

const SHOWN = 6; // moves of a line in a sentence

export const lineWords = (line) =>
  t(line.length > SHOWN ? 'whyLineCut' : 'whyLine', line.slice(0, SHOWN).map(moveText).join(' '));

/** Some sentences on why a move is good or bad, from what the engine has found out about it. */
export function whyWords({ value, before, gives, best, move, only, repeats, threat, stops, line, replies, onlyReply }, side) {
  const [me, you] = [t(side), t(other(side))];
  const sentences = [];
  if (gives === 'nothing') sentences.push(t(`why_${value.result}`, me, you, value.plies));
  else sentences.push(t(`why_${before.result}_to_${value.result}`, me, you, value.plies, moveText(best)));
  if (repeats) sentences.push(t('whyRepeats'));
  if (only) sentences.push(t(before.result === 'win' ? 'whyOnlyWin' : 'whyOnlyDraw'));
  if (gives === 'nothing' && value.plies === 1) return sentences;
  if (stops) sentences.push(t('whyStops', you, moveText(stops.move), stops.plies));
  // A threat worth a word wins sooner than the move does by itself.
  if (threat && !(value.result === 'win' && threat.plies >= value.plies - 2))
    sentences.push(t('whyThreat', me, moveText(threat.move), threat.plies));
  if (onlyReply) sentences.push(t('whyOnlyReply', you, moveText(onlyReply)));
  else if (replies.losing && replies.losing < replies.total)
    sentences.push(t('whyReplies', you, replies.losing, replies.total));
  if (line.length) sentences.push(lineWords(line));
  return sentences;
}
