// The lessons: an exercise, what the right move has achieved, and the list of all lessons.

import { html, nothing } from 'lit-html';

import { button } from './dom.js';
import { arrow, lineTemplate } from './line.js';
import { distanceText, moveText } from '../format.js';
import { countDone, EXERCISES, goodReplies, passed, threatsOf, winsAtOnce } from '../state/exercises.js';
import {
  answerOf, exercisesDone, goalOf, isAnswerShown, isLastExercise, NAMES, nextLessonName, startOfExercise,
} from '../state/lesson.js';
import { t } from '../texts.js';

import type { Dispatch, MoveValue, State, View } from '../state/types.js';

const titleOf = (name: string) => t(`course_${name}`);

/** What White threatens in a lesson on that. */
const threat = ({ engine, lesson }: State) => winsAtOnce(engine, passed(startOfExercise(lesson)))[0];

/** The answer for a user who does not find it, or what White threatens. */
function preview(state: State) {
  const { lesson } = state;
  if (isAnswerShown(lesson)) return arrow(answerOf(state).move, 'win');
  return lesson.name === 'block' && !lesson.solved ? arrow(threat(state).move, 'loss') : null;
}

/** What the right move has achieved, as the text has it. */
function achieved({ engine, lesson: { name } }: State, choice: MoveValue) {
  const texts = (moves: MoveValue[]) => moves.map(({ move }) => moveText(move));
  if (name === 'threat' || name === 'double') return texts(threatsOf(engine, choice));
  if (name === 'trap') return texts(goodReplies(engine, choice));
  return name === 'delay' ? [distanceText((choice.value.plies ?? 0) - 1)] : [];
}

function headline(state: State) {
  const { name, solved, missed } = state.lesson;
  if (solved) return t(`courseRight_${name}`, ...achieved(state, solved));
  if (missed) return t('courseMissed', moveText(missed.move));
  return name === 'block' ? t('courseTask_block', moveText(threat(state).move))
    : t(`courseTask_${name}`, goalOf(state.lesson));
}

const ticked = () => html`<span aria-hidden="true">\u2713</span><span class="unseen">${t('courseDone')}</span>`;

const list = (state: State, dispatch: Dispatch) =>
  html`<ol class="lessons">
    ${NAMES.map((name, index) => {
      const done = exercisesDone(state, name);
      const total = EXERCISES[name].length;
      return html`<li>
        <button type="button" id="lesson-${name}" aria-current=${name === state.lesson.name}
          @click=${() => dispatch({ type: 'openLesson', name })}>
          <span class="number">${index + 1}</span><span>${titleOf(name)}</span><span class="done">${
            done === total ? ticked() : done ? `${done}/${total}` : nothing
          }</span>
        </button>
      </li>`;
    })}
    <li>
      <button type="button" id="lesson-hold" @click=${() => dispatch({ type: 'show', view: 'hold' })}>
        <span class="number">${NAMES.length + 1}</span><span>${t('course_hold')}</span>${state.settings.held
          ? html`<span class="done">${ticked()}</span>` : nothing}
      </button>
    </li>
  </ol>`;

function exercise(state: State, dispatch: Dispatch) {
  const { lesson } = state;
  const { name, number, further, solved, looking, line } = lesson;
  const following = nextLessonName(lesson);
  const toLesson = following ? t('courseNextTitle', titleOf(following)) : t('puzzles');
  const toNext = further ? t('puzzleNext') : isLastExercise(lesson) ? toLesson : t('courseNext');
  const next = () => dispatch({ type: 'nextExercise' });
  return html`<section>
    <p class="why">${t(`courseAbout_${name}`)}</p>
    <div class="actions">
      ${solved ? button('lesson-next', toNext, next, { main: true })
        : button('lesson-show', t('courseShow'), () => dispatch({ type: 'showExercise' }),
          { disabled: isAnswerShown(lesson) || looking !== null })}
      ${further && !solved ? button('lesson-next', t('puzzleSkip'), next) : nothing}
    </div>
    ${solved && line.length > 1 && !goalOf(lesson)
      ? lineTemplate(state, dispatch, { name: `${name} ${number}`, position: startOfExercise(lesson), moves: line })
      : nothing}
  </section>`;
}

export const lesson: View = {
  status(state) {
    const { name, number, further, looking, missed } = state.lesson;
    if (looking) return { side: null, headline: t('puzzleLoading'), subline: titleOf(name) };
    const place = further ? titleOf(name) : t('coursePlace', titleOf(name), number + 1, EXERCISES[name].length);
    return { side: null, headline: headline(state), subline: missed?.reason || place };
  },
  scene(state) {
    const { gameState, looking, further, solved, missed, last } = state.lesson;
    if (looking) return { position: further ?? state.start };
    const square = goalOf(state.lesson);
    return {
      position: gameState.position,
      legal: solved ? [] : gameState.legal,
      last,
      marks: square ? [square] : [],
      glow: missed && !isAnswerShown(state.lesson) ? [answerOf(state).from] : null,
      preview: state.preview ?? preview(state),
      winners: gameState.end?.winner ?? null,
    };
  },
  panel: (state, dispatch) => html`${exercise(state, dispatch)}
    <section>
      <h3>${t('lessons', countDone(state.settings.lessons) + Number(state.settings.held), NAMES.length + 1)}</h3>
      ${list(state, dispatch)}
    </section>`,
};
