// A study: its positions with comments and pictures, to be edited, saved and printed.

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';

import { stillPicture } from '../board/image.js';
import { BLANK } from '../board/picture.js';
import { button, canShare, copyField, disc, download, labelled, shareLink, switchButton, typedField } from '../dom.js';
import { exerciseScene, ticked } from './exercise.js';
import { moveText } from '../format.js';
import { commentField, eraseButton, hintButton, hintContent, lineButtons, markMode, moveList } from './moves.js';
import { gameScene } from './play.js';
import { linkOf } from '../state/address.js';
import { startOf } from '../state/boards.js';
import { isAnswerShown, isUsersTurn, shownAnswer } from '../state/exercise.js';
import { hintScene } from '../state/game.js';
import { sideAt, SIDES } from '../state/position.js';
import {
  answersOf, isStudyExercise, isUnsolved, type Known, knownOf, ownNumber, ownStudy, selectedKnown, selectedPlace,
  selectedPosition, shownStudy,
} from '../state/study.js';
import { asText } from '../state/study_text.js';
import { t } from '../texts.js';

import type { Tree } from '../state/tree.js';
import type { Dispatch, Field, Removed, State, StudyPosition, View } from '../state/types.js';
import type { On } from '../dom.js';

/** Drawn once, with its marks and without. A position that is in a study twice has pictures of its own. */
const [marked, unmarked]: WeakMap<Known, SVGElement>[] = [new WeakMap(), new WeakMap()];

function pictureOf({ engine }: State, found: Known, isHidden = false) {
  const { position, tree } = found;
  const drawn = isHidden ? unmarked : marked;
  const marks = isHidden ? [] : tree.current.marks;
  const picture = drawn.get(found) ?? stillPicture({ ...BLANK, position, marks }, engine.board);
  drawn.set(found, picture);
  return picture;
}

export function saveStudy(state: State) {
  const shown = shownStudy(state);
  const text = asText(shown, state.boardName);
  download(text, 'application/json', `${shown.title || 'neutreeko-study'}.json`);
}

/** The own studies, of which one is chosen, if there are several. */
export function studyChoice(state: State, dispatch: Dispatch) {
  const studies = Object.entries(state.ownStudies);
  if (studies.length < 2) return nothing;
  const chosen = ownNumber(state);
  const onChange = ({ target }: On<HTMLSelectElement>) => dispatch({ type: 'chooseStudy', own: target.value });
  return labelled('study-choice', t('study'), html`<select id="study-choice" @change=${onChange}>
    ${studies.map(([own, { title: name, positions }]) => html`<option value=${own}
      .selected=${live(own === chosen)}>${t('studyNamed', name, positions.length)}</option>`)}
  </select>`);
}

/** What can be done with an own study, besides sending it: most users need little of it. */
function ownActions(state: State, dispatch: Dispatch) {
  const { title: name, positions, exercise } = ownStudy(state);
  const own = ownNumber(state);
  const isUsed = name || positions.length;
  return html`${isUsed ? button('study-new', t('studyNew'), () => dispatch({ type: 'newStudy' })) : nothing}
    ${state.ownStudies[own]
      ? button('study-delete', t('studyDelete'), () => dispatch({ type: 'deleteStudy', own })) : nothing}
    ${positions.length ? switchButton('study-exercise', t('studyExercise'), exercise,
      () => dispatch({ type: 'switchExercise', own, exercise: !exercise })) : nothing}`;
}

function openedActions(state: State, dispatch: Dispatch) {
  return html`${button('study-keep', t('studyKeep'), () => dispatch({ type: 'keepStudy' }))}
    ${ownStudy(state).positions.length
      ? button('study-own', t('studyOwn'), () => dispatch({ type: 'chooseStudy', own: ownNumber(state) })) : nothing}`;
}

const actions = (state: State, dispatch: Dispatch) => html`<section class="actions">
  ${shownStudy(state).positions.length
    ? html`${button('study-file', t('export'), () => saveStudy(state))}
        ${button('study-print', t('print'), () => window.print())}`
    : nothing}
  ${(state.study.opened ? openedActions : ownActions)(state, dispatch)}
</section>`;

/** The link of the study, in the way of the device or by the dialog for sharing. */
const send = (state: State, dispatch: Dispatch) =>
  button('study-send', t('studySend'), () => {
    if (canShare()) shareLink(linkOf(state), shownStudy(state).title || t('title'));
    else dispatch({ type: 'open', dialog: 'share' });
  }, { main: true });

/** What was removed in the last days. */
function removedList(state: State, dispatch: Dispatch) {
  const removed = state.recent.flatMap((one) => ('removed' in one ? [one] : []));
  if (!removed.length) return nothing;
  const nameOf = ({ study: { title: name, positions }, at }: Removed) =>
    (at === null ? t('studyNamed', name, positions.length) : t('positionOf', at + 1, name));
  const restore = ({ date, removed: one }: (typeof removed)[number], n: number) =>
    button(n ? `restore-${n}` : 'study-restore',
      html`${t('studyRestore')}${t('colon')}${nameOf(one)} <small>${date}</small>`,
      () => dispatch({ type: 'restoreRemoved', removed: one }));
  const [last, ...others] = removed.map(restore);
  return html`<section class="actions">${last}</section>
    ${others.length
      ? html`<details id="removed"><summary>${t('recentlyDeleted')}</summary>
          <div class="actions">${others}</div></details>` : nothing}`;
}

/** Whether the board shows the position that is the picture of the one that is selected. */
function isPictured(state: State) {
  const moves = (tree: Tree) => tree.moves().join(' ');
  const found = selectedKnown(state);
  return found !== null && moves(found.tree) === moves(state.game.tree);
}

/** What the owner does with drawings, moves and the position. */
function editor(state: State, dispatch: Dispatch) {
  const { game: { tree }, pen } = state;
  const { marks } = tree.current;
  const shown = { own: ownNumber(state), id: selectedPosition(state).id };
  return html`${switchButton('pen', t('pen'), pen, () => dispatch({ type: 'togglePen' }))}
    <div class="actions">
      ${eraseButton(marks, dispatch)}
      ${isPictured(state) ? nothing
        : button('study-picture', t('studyPicture'), () => dispatch({ type: 'setPicture' }))}
      ${lineButtons(state, dispatch)}
      ${selectedPlace(state)
        ? button('study-up', t('studyUp'), () => dispatch({ type: 'raisePosition', ...shown })) : nothing}
      ${button('study-remove', t('studyRemove'), () => dispatch({ type: 'removePosition', ...shown }))}
    </div>`;
}

/** What belongs to the position that is on the board. */
function onBoard(state: State, dispatch: Dispatch) {
  const { game: { tree }, study: { opened } } = state;
  const { comment } = tree.current;
  const written = comment ? html`<p class="comment">${comment}</p>` : nothing;
  return html`${opened ? written : commentField(state, dispatch, 'study-comment')}
    ${tree.hasMoves() ? moveList(state, dispatch) : nothing}
    ${opened ? nothing : editor(state, dispatch)}
    <div class="actions">
      ${button('study-explore', t('explore'), () => dispatch({ type: 'show', view: 'explore' }))}
    </div>`;
}

const solvedSign = (how: 'alone' | 'helped' | undefined) =>
  (how
    ? html`<span class="solved">${ticked()}${how === 'helped' ? html` <small>${t('helped')}</small>` : nothing}</span>`
    : nothing);

const namesText = ({ names }: Tree) => names.split('\n').map((name, n) => name || t(SIDES[n])).join(' \u2013 ');

function item(state: State, dispatch: Dispatch, position: StudyPosition, number: number) {
  const found = knownOf(state, position);
  if (!found) return nothing;
  const toMove = sideAt(found.position);
  const { comment } = found.tree.current;
  const isCurrent = number === selectedPlace(state);
  const { solved } = answersOf(state);
  const isAsked = shownStudy(state).exercise && !solved[position.id]; // also on the paper of the owner
  const isHidden = isAsked && isStudyExercise(state);
  return html`<li class=${isCurrent ? 'on' : ''}>
    <div class="board still">${pictureOf(state, found, isAsked)}</div>
    <div class="line">
      <button type="button" class="select" aria-current=${isCurrent}
        @click=${() => dispatch({ type: 'selectPosition', id: position.id })}>
        <span>${disc(toMove)} ${number + 1}. ${t('toMove', t(toMove))}</span>${
          isStudyExercise(state) ? solvedSign(solved[position.id]) : nothing}
      </button>
      ${found.tree.names ? html`<p class="note">${namesText(found.tree)}</p>` : nothing}
      <p class="printed">${found.position}</p>
      ${isAsked ? nothing : html`<p class="text" data-at=${number}></p>`}
      ${isCurrent && state.game.tie ? onBoard(state, dispatch)
        : comment && !isHidden ? html`<p class="comment">${comment}</p>` : nothing}
    </div>
  </li>`;
}

/** What has been solved, to be copied. */
const resultField = (state: State, dispatch: Dispatch, text: string) =>
  labelled('study-result', t('studyResult'),
    copyField(state, dispatch, 'study-result', text, { rows: 3, label: t('copyField', t('studyResult')) }));

/** What a student does: hints, the answer, the next position, and how many are solved. */
function student(state: State, dispatch: Dispatch) {
  const { title: name, positions } = shownStudy(state);
  const { solved, misses, hinted } = answersOf(state);
  const exercise = state.exercises.study;
  const [alone, helped] = (['alone', 'helped'] as const).map((how) =>
    positions.filter(({ id }) => solved[id] === how).length);
  const isSolved = exercise.progress === 'solved';
  const result = t('studySolved', alone, helped, positions.length);
  const tries = positions.map(({ id }, n) =>
    t('studyTry', n + 1, (misses[id] ?? 0) + Number(id in solved), id in solved, hinted.includes(id)));
  return html`<section>
    <div class="actions">
      ${isSolved ? nothing : hintButton(dispatch, exercise.hints, isUsersTurn(exercise) && !state.solving)}
      ${isSolved ? nothing : button('show-answer', t('puzzleShow'), () => dispatch({ type: 'showAnswer' }),
        { disabled: isAnswerShown(exercise) || !isUsersTurn(exercise) })}
      ${alone + helped < positions.length && positions.length > 1
        ? button('study-next', t('studyNext'), () => dispatch({ type: 'nextExercise' }), { main: isSolved }) : nothing}
      ${alone + helped
        ? button('study-again', t('holdAgain'), () => dispatch({ type: 'nextExercise', from: 'start' })) : nothing}
    </div>
    ${hintContent(exercise.hints)}
    <p class="note" id="study-solved">${result}</p>
    ${alone + helped
      ? resultField(state, dispatch, [(name || t('study')) + t('colon') + result, ...tries].join('\n')) : nothing}
  </section>`;
}

function title(state: State, dispatch: Dispatch) {
  if (state.study.opened || !state.ownStudies[ownNumber(state)]) return nothing;
  const field: Field = { kind: 'studyTitle', own: ownNumber(state) };
  const { value, onInput, onBlur } = typedField(state, dispatch, field, ownStudy(state).title);
  return labelled('study-title', t('studyTitle'), html`<div class="row">
    <input id="study-title" .value=${live(value)} @input=${onInput} @blur=${onBlur} />
    ${ownStudy(state).positions.length ? send(state, dispatch) : nothing}
  </div>`);
}

export const study: View = {
  name(state) {
    const { length } = shownStudy(state).positions;
    return length ? t('studyOpen', length) : t('study');
  },
  hasContent: (state) => shownStudy(state).positions.length > 0 || Object.keys(state.ownStudies).length > 0
    || state.recent.some((one) => 'removed' in one),
  status(state) {
    const found = selectedKnown(state);
    const { title: name, positions } = shownStudy(state);
    const shown = state.game.tie ? state.game.gameState.position : found?.position;
    const toMove = shown && t('toMove', t(sideAt(shown)));
    const { tried, progress } = state.exercises.study;
    const answer = shownAnswer(state, state.exercises.study);
    if (answer) return { side: null, headline: t('puzzleShown', moveText(answer.move)), subline: t('studyPlay') };
    const isAtAnswer = !state.game.tie || isPictured(state);
    if (tried && isAtAnswer && (progress === 'wrong' || progress === 'solved')) {
      const move = moveText(tried.choice.move);
      return progress === 'solved' ? { side: null, headline: t('puzzleRight'), subline: move }
        : { side: null, headline: t(`puzzleWrong_${tried.choice.value.result}`, move), subline: t('studyFind') };
    }
    const place = found ? [t('studyPosition', selectedPlace(state) + 1, positions.length), toMove] : [];
    const sentences = isStudyExercise(state) ? [...place, t('studyFind')] : place;
    return { side: null, headline: name || t('study'), subline: sentences.join(t('stop') + t('between')) };
  },
  scene(state) {
    const { game, exercises: { study: exercise }, study: { opened } } = state;
    if (game.tie) {
      const { marks } = game.tree.current;
      const { tried } = exercise;
      const base = gameScene(state);
      const answer = isStudyExercise(state) && isPictured(state) ? tried?.choice : null;
      return { ...base, marks, ...(!opened && { mode: markMode(state) }), preview: answer ?? base.preview };
    }
    const found = selectedKnown(state);
    if (!found) return { position: startOf(state) };
    if (!isUnsolved(state)) return { position: found.position, marks: found.tree.current.marks };
    return { ...exerciseScene(state, exercise), ...hintScene(state, exercise.hints),
      ...(isAnswerShown(exercise) && { preview: exerciseScene(state, exercise).preview }) };
  },
  panel(state, dispatch) {
    if (state.study.reading) return nothing;
    const { positions, unread } = shownStudy(state);
    const { opened } = state.study;
    return html`${positions.length ? nothing : html`<p class="note">${t('studyEmpty')}</p>`}
      ${unread ? html`<p class="wrong" id="study-unread">${t('studyUnread', unread.length)}</p>` : nothing}
      ${opened ? nothing : studyChoice(state, dispatch)}
      ${isStudyExercise(state) && positions.length ? student(state, dispatch) : nothing}
      ${title(state, dispatch)}
      ${opened && positions.length && !isStudyExercise(state)
        ? html`<section class="actions">${send(state, dispatch)}</section>` : nothing}
      <ol class="study">
        ${positions.map((position, number) => item(state, dispatch, position, number))}
      </ol>
      ${actions(state, dispatch)}
      ${opened ? nothing : removedList(state, dispatch)}`;
  },
};
