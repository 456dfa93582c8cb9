// A study: its positions with comments and pictures, to be edited, saved and printed.

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';

import { stillPicture } from '../board/image.js';
import { BLANK } from '../board/picture.js';
import { button, disc, download, switchButton, typing } from './dom.js';
import { moveText } from '../format.js';
import { readPosition } from '../state/position.js';
import { MOST_TITLE } from '../state/storage.js';
import {
  isStudyExercise, isUnsolved, lookAt, ownNumber, ownStudy, selectedKnown, selectedPosition, shownStudy, wholeStudy,
} from '../state/study.js';
import { asText } from '../state/study_text.js';
import { MOST_COMMENT } from '../state/tree.js';
import { t } from '../texts.js';

import type { Dispatch, Field, State, StudyPosition, View } from '../state/types.js';
import type { On } from './dom.js';

export type Known = NonNullable<ReturnType<typeof lookAt>>;

/** Drawn once. A position that is in a study twice has a picture of its own. */
const pictures: WeakMap<Known, SVGElement> = new WeakMap();

function pictureOf({ engine }: State, found: Known, isHidden = false) {
  const { position, note } = found;
  if (isHidden) return stillPicture({ ...BLANK, position }, engine.board);
  const picture = pictures.get(found) ?? stillPicture({ ...BLANK, position, marks: note.marks }, engine.board);
  pictures.set(found, picture);
  return picture;
}

function saveFile(state: State) {
  const text = asText(wholeStudy(state, shownStudy(state)));
  download(new Blob([text], { type: 'application/json' }), 'neutreeko-study.json');
}

/** The own studies, of which one is chosen, if there are several. */
export function studyChoice(state: State, dispatch: Dispatch) {
  const studies = Object.entries(state.ownStudies);
  if (studies.length < 2) return nothing;
  const chosen = ownNumber(state);
  const onChange = ({ target }: On<HTMLSelectElement>) => dispatch({ type: 'chooseStudy', own: target.value });
  return html`<div class="field">
    <label for="study-choice">${t('study')}</label>
    <select id="study-choice" @change=${onChange}>
      ${studies.map(([own, { title: name, positions }]) => html`<option value=${own}
        .selected=${live(own === chosen)}>${t('studyNamed', name, positions.length)}</option>`)}
    </select>
  </div>`;
}

/** What can be done with the own studies. */
function ownActions(state: State, dispatch: Dispatch) {
  const { title: name, positions, exercise } = ownStudy(state);
  const isUsed = name || positions.length;
  return html`${isUsed ? button('study-new', t('studyNew'), () => dispatch({ type: 'newStudy' })) : nothing}
    ${state.ownStudies[ownNumber(state)]
      ? button('study-delete', t('studyDelete'), () => dispatch({ type: 'deleteStudy' })) : nothing}
    ${state.study.removed
      ? button('study-restore', t('studyRestore'), () => dispatch({ type: 'restoreRemoved' })) : nothing}
    ${positions.length ? switchButton('study-exercise', t('studyExercise'), exercise,
      () => dispatch({ type: 'switchExercise' })) : nothing}`;
}

function openedActions(state: State, dispatch: Dispatch) {
  return html`${button('study-keep', t('studyKeep'), () => dispatch({ type: 'keepStudy' }))}
    ${ownStudy(state).positions.length
      ? button('study-own', t('studyOwn'), () => dispatch({ type: 'showOwnStudy' })) : nothing}`;
}

const actions = (state: State, dispatch: Dispatch) => html`<section class="actions">
  ${shownStudy(state).positions.length
    ? html`${button('study-file', t('export'), () => saveFile(state))}
        ${button('study-print', t('print'), () => window.print())}`
    : nothing}
  ${(state.study.opened ? openedActions : ownActions)(state, dispatch)}
</section>`;

function editor(state: State, dispatch: Dispatch) {
  const { at } = state.study;
  const comment = selectedKnown(state)?.note.comment ?? '';
  const { id } = selectedPosition(state);
  const field: Field = { kind: 'studyComment', own: ownNumber(state), id };
  const { value, onInput, onBlur } = typing(state, dispatch, field, comment);
  return html`<div class="field">
      <label for="study-comment">${t('comment')}</label>
      <textarea id="study-comment" rows="3" maxlength=${MOST_COMMENT} .value=${live(value)}
        @input=${onInput} @blur=${onBlur}></textarea>
    </div>
    <div class="actions">
      ${at ? button('study-up', t('studyUp'), () => dispatch({ type: 'movePosition', to: at - 1 })) : nothing}
      ${button('study-remove', t('studyRemove'), () => dispatch({ type: 'removePosition' }))}
    </div>`;
}

function item(state: State, dispatch: Dispatch, entry: StudyPosition, number: number) {
  const found = lookAt(state, entry);
  if (!found) return nothing;
  const { toMove } = readPosition(found.position, state.engine.board);
  const isCurrent = number === state.study.at;
  const isHidden = isStudyExercise(state) && !(isCurrent && !isUnsolved(state));
  const explore = () => dispatch({ type: 'exploreStudy', position: entry });
  return html`<li class=${isCurrent ? 'on' : ''}>
    <div class="board still">${pictureOf(state, found, isHidden)}</div>
    <div class="line">
      <button type="button" class="select" aria-current=${isCurrent}
        @click=${() => dispatch({ type: 'selectPosition', at: number })}>
        <span>${disc(toMove)} ${number + 1}. ${t('toMove', t(toMove))}</span>
      </button>
      <p class="printed">${found.position}</p>
      ${found.note.comment && !isHidden ? html`<p class="comment">${found.note.comment}</p>` : nothing}
      ${isCurrent && !isHidden
        ? html`<div class="actions">${button('study-explore', t('explore'), explore)}</div>
            ${state.study.opened ? nothing : editor(state, dispatch)}`
        : nothing}
    </div>
  </li>`;
}

function title(state: State, dispatch: Dispatch) {
  if (state.study.opened || !state.ownStudies[ownNumber(state)]) return nothing;
  const field: Field = { kind: 'studyTitle', own: ownNumber(state) };
  const { value, onInput, onBlur } = typing(state, dispatch, field, ownStudy(state).title);
  return html`<div class="field">
    <label for="study-title">${t('studyTitle')}</label>
    <input id="study-title" maxlength=${MOST_TITLE} .value=${live(value)} @input=${onInput} @blur=${onBlur} />
  </div>`;
}

export const study: View = {
  status(state) {
    const found = selectedKnown(state);
    const { title: name, positions } = shownStudy(state);
    const toMove = found && t('toMove', t(readPosition(found.position, state.engine.board).toMove));
    const { tried, progress } = state.exercises.study;
    if (tried) {
      const move = moveText(tried.choice.move);
      return progress === 'solved' ? { side: null, headline: t('puzzleRight'), subline: move }
        : { side: null, headline: t(`puzzleWrong_${tried.choice.value.result}`, move), subline: t('studyFind') };
    }
    const place = found ? [t('studyPosition', state.study.at + 1, positions.length), toMove] : [];
    const sentences = isStudyExercise(state) ? [...place, t('studyFind')] : place;
    return { side: null, headline: name || t('study'), subline: sentences.join(t('stop') + t('between')) };
  },
  scene(state) {
    const found = selectedKnown(state);
    if (!found) return { position: state.start };
    const { position, note: { marks } } = found;
    if (!isStudyExercise(state)) return { position, marks };
    const { tried } = state.exercises.study;
    return isUnsolved(state) ? { position, legal: state.engine.moves(position) }
      : { position, marks, preview: tried?.choice ?? null };
  },
  panel(state, dispatch) {
    if (state.study.reading) return nothing;
    const { positions } = shownStudy(state);
    return html`${positions.length ? nothing : html`<p class="note">${t('studyEmpty')}</p>`}
      ${state.study.opened ? nothing : studyChoice(state, dispatch)}
      ${title(state, dispatch)} ${actions(state, dispatch)}
      <ol class="study">
        ${positions.map((entry, number) => item(state, dispatch, entry, number))}
      </ol>`;
  },
};
