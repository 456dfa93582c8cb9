// The button for a hint, and what has been given.

import { html, nothing } from 'lit-html';

import { button } from './dom.js';
import { hintSentences, isMoveGiven, isMoveNext } from '../state/hints.js';
import { t } from '../texts.js';

import type { Dispatch, Hints } from '../state/types.js';

export const hintButton = (dispatch: Dispatch, hints: Hints, isPossible: boolean) =>
  button('hint', t('hint'), () => dispatch({ type: 'hint' }), { disabled: !isPossible || isMoveGiven(hints) });

/** @param cost what the hint that is the move costs, which is shown before it is given */
export function hintContent(hints: Hints, cost: string = '') {
  if (!hints.best) return nothing;
  const texts = [...hintSentences(hints), isMoveNext(hints) && cost].filter(Boolean);
  return html`<p class="why" id="hint-text">${texts.join(t('between'))}</p>`;
}
