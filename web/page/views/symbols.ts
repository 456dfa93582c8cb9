// Values and sides as symbols.

import { html, nothing } from 'lit-html';

import { s } from './dom.js';
import { countOf, letterOf } from '../format.js';

import type { Result, Side, Value } from '../state/types.js';

const SYMBOLS = {
  win: 'M-6 4h12l-6-10z',
  draw: 'M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0',
  loss: 'M-6-4h12l-6 10z',
};

/** The symbol of a result, an SVG path of 12 by 12 units around the origin. */
export const symbol = (result: Result, properties: Record<string, string>) =>
  s('path', { d: SYMBOLS[result], ...properties });

/** A value as symbol, letter and number. Screen readers skip it: the caller adds valueText. */
export const chip = (value: Value, best: boolean) =>
  html`<span class="chip ${value.result} ${best ? 'best' : ''}" aria-hidden="true"
    ><svg viewBox="-6 -6 12 12"><path d=${SYMBOLS[value.result]} /></svg><b>${letterOf(value)}</b>${
      value.result === 'draw' ? nothing : html`<span>${countOf(value.plies)}</span>`
    }</span
  >`;

/** A side's piece as a small symbol. */
export const disc = (side: Side | 'none') => html`<span class="disc ${side}" aria-hidden="true"></span>`;
