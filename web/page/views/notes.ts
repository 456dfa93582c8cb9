// The moves that are explored, what can be done with variations, and the fields for comments and drawings.

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';

import { button, disclosure, hasMouse, switchButton, typing } from './dom.js';
import { moveList } from './moves.js';
import { studyChoice } from './study.js';
import { moveText } from '../format.js';
import { fieldOf, isDeletable, noteOf } from '../state/notes.js';
import { t } from '../texts.js';
import { MOST_COMMENT } from '../state/tree.js';

import type { Dispatch, State } from '../state/types.js';

function fields(state: State, dispatch: Dispatch) {
  const { game: { tree }, notes: { pen } } = state;
  const node = tree.current;
  const { comment, marks } = noteOf(node);
  const { value, onInput, onBlur } = typing(state, dispatch, fieldOf(tree, node), comment);
  return html`<div class="line">
    <div class="field">
      <label for="comment">${t('comment')}</label>
      <textarea
        id="comment"
        rows="3"
        maxlength=${MOST_COMMENT}
        .value=${live(value)}
        @input=${onInput}
        @blur=${onBlur}
      ></textarea>
    </div>
    ${switchButton('pen', t('pen'), pen, () => dispatch({ type: 'togglePen' }))}
    <p class="note">${t(hasMouse() ? 'penMouse' : 'penTouch')}</p>
    ${marks.length ? button('erase', t('eraseMarks'), () => dispatch({ type: 'eraseMarks' })) : nothing}
    ${studyChoice(state, dispatch)}
    ${button('study-add', t('studyAdd'), () => dispatch({ type: 'addToStudy' }))}
  </div>`;
}

export function notesPanel(state: State, dispatch: Dispatch) {
  const { game: { tree }, confirming, notes } = state;
  const move = moveText(tree.current.move);
  return html`<section>
      <h3>${t('moves')}</h3>
      ${moveList(state, dispatch)}
      <div class="actions">
        ${tree.isFirst() ? nothing : button('promote', t('makeFirst'), () => dispatch({ type: 'promote' }))}
        ${isDeletable(state)
          ? button('delete-line', confirming === 'delete-line' ? t('deleteSure') : t('deleteFrom', move),
            () => dispatch({ type: 'deleteLine' }))
          : nothing}
      </div>
    </section>
    ${disclosure('notes', t('notes'), notes.isOpen, (isOpen) => dispatch({ type: 'openNotes', isOpen }),
      fields(state, dispatch))}`;
}
