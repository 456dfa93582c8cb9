// Exercises: what the board shows of any, and the views of the introduction, of the lessons with the list of all, and
// of how White holds the draw.

import { html, nothing } from 'lit-html';

import { illustratedRules } from '../board/diagram.js';
import { button, hasMouse } from '../dom.js';
import { distanceText, moveText, whySentences } from '../format.js';
import { arrow, lineTemplate } from './moves.js';
import { EXERCISES, goodReplies, STRATEGY, threatsOf } from '../state/aims.js';
import { startOf } from '../state/boards.js';
import { randomSeed } from '../state/effects.js';
import { answerOf, isAnswerShown, isUsersTurn, shownAnswer } from '../state/exercise.js';
import {
  countKnown, exercisesDone, isLastExercise, LESSONS, lessonsDone, nextLessonName,
} from '../state/lists.js';
import { namedOpponents, weakestNamed } from '../state/players.js';
import { t } from '../texts.js';

import type { Dispatch, Exercise, MoveValue, Scene, State, View } from '../state/types.js';

const textOf = (move: string | undefined) => moveText(move ?? '');

/** The answer for a user who does not find it, or what the opponent threatens. */
function preview(state: State, exercise: Exercise) {
  const answer = shownAnswer(state, exercise);
  if (answer) return arrow(answer.move, 'win');
  const { item, progress } = exercise;
  return item?.threat && progress !== 'solved' ? arrow(item.threat, 'loss') : null;
}

export function exerciseScene(state: State, exercise: Exercise): Partial<Scene> {
  const { item, gameState, progress, slid } = exercise;
  if (!gameState.start) return { position: item?.position ?? startOf(state) };
  return {
    position: gameState.position,
    legal: isUsersTurn(exercise) ? gameState.legal : [],
    last: slid ?? gameState.moves.at(-1) ?? null,
    marks: item?.goal ? [item.goal] : [],
    picked: progress === 'wrong' ? undefined : item?.picked,
    preview: preview(state, exercise),
    winner: gameState.end?.winner ?? null,
  };
}

const showButton = (dispatch: Dispatch, id: string, exercise: Exercise) =>
  button(id, t('courseShow'), () => dispatch({ type: 'showAnswer' }),
    { disabled: !isUsersTurn(exercise) || isAnswerShown(exercise) });

// ---- the introduction ----

/** What is asked in each step, and after a wrong move. */
const STEPS: ((exercise: State['exercises']['introduction']) => string)[] = [
  ({ isPicked, progress }) => t(isPicked || progress === 'solved' ? 'introductionSlide'
    : hasMouse() ? 'introductionClick' : 'introductionTap'),
  ({ progress }) => t(progress === 'wrong' ? 'introductionWinMissed' : 'introductionWin'),
  ({ progress, item }) =>
    t(progress === 'wrong' ? 'introductionBlockMissed' : 'introductionBlock', textOf(item?.threat)),
  () => t('introductionDone'),
];

export const introduction: View = {
  status(state) {
    const exercise = state.exercises.introduction;
    const answer = shownAnswer(state, exercise);
    const subline = answer ? t('hintMove', moveText(answer.move)) : '';
    return { side: null, headline: STEPS[exercise.number](exercise), subline };
  },
  scene(state) {
    const exercise = state.exercises.introduction;
    const { item, progress, isPicked, gameState } = exercise;
    const isBegun = item?.aim !== 'any' || progress === 'solved' || isPicked;
    return { ...exerciseScene(state, exercise), glow: isBegun ? null : gameState.legal.map(({ from }) => from) };
  },
  panel(state, dispatch) {
    if (state.exercises.introduction.item) return illustratedRules(state.engine.board);
    const position = startOf(state);
    const players = { black: 'human', white: weakestNamed() };
    const begin = () => dispatch({ type: 'begin', players, position, seed: randomSeed() });
    return html`<section class="actions">
        ${button('play-beginner', t('playNext', t(namedOpponents()[weakestNamed()])), begin, { main: true })}
        ${button('choose', t('chooseOpponent'), () => dispatch({ type: 'openNewGame' }))}
      </section>`;
  },
};

// ---- the lessons ----

const titleOf = (name: string) => t(`course_${name}`);

/** What the right move has achieved, as the text has it. */
function achieved({ engine, exercises: { lessons: { name } } }: State, choice: MoveValue) {
  const texts = (moves: MoveValue[]) => moves.map(({ move }) => moveText(move));
  if (name === 'threat' || name === 'double') return texts(threatsOf(engine, choice));
  if (name === 'trap') return texts(goodReplies(engine, choice));
  return name === 'delay' ? [distanceText((choice.value.plies ?? 0) - 1)] : [];
}

function headline(state: State) {
  const { name, item, progress, tried } = state.exercises.lessons;
  if (tried && progress === 'solved') return t(`courseRight_${name}`, ...achieved(state, tried.choice));
  if (progress === 'wrong') return t('courseMissed', textOf(tried?.choice.move));
  return t(`courseTask_${name}`, item?.threat ? moveText(item.threat) : item?.goal);
}

export const ticked = () => html`<span aria-hidden="true">\u2713</span><span class="unseen">${t('courseDone')}</span>`;

const list = (state: State, dispatch: Dispatch) =>
  html`<ol class="lessons">
    ${LESSONS.map((name, index) => {
      const done = exercisesDone(state, name);
      const total = EXERCISES[name].length;
      return html`<li>
        <button type="button" id="lesson-${name}" aria-current=${name === state.exercises.lessons.name}
          @click=${() => dispatch({ type: 'nextExercise', from: name })}>
          <span class="number">${index + 1}</span><span>${titleOf(name)}</span><span class="done">${
            done === total ? ticked() : done ? `${done}/${total}` : nothing
          }</span>
        </button>
      </li>`;
    })}
    <li>
      <button type="button" id="lesson-hold" @click=${() => dispatch({ type: 'show', view: 'hold' })}>
        <span class="number">${LESSONS.length + 1}</span><span>${t('course_hold')}</span>${state.settings.held
          ? html`<span class="done">${ticked()}</span>` : nothing}
      </button>
    </li>
  </ol>`;

function lesson(state: State, dispatch: Dispatch) {
  const { lessons: exercise } = state.exercises;
  const { name, number, item, search, progress, tried } = exercise;
  const isSolved = progress === 'solved';
  const isFurther = number === null && (item !== null || !search);
  const following = nextLessonName(exercise);
  const toLesson = following ? t('courseNextTitle', titleOf(following)) : t('puzzles');
  const toNext = isFurther ? t('puzzleNext') : isLastExercise(exercise) ? toLesson : t('courseNext');
  const next = () => dispatch({ type: 'nextExercise' });
  const line = isSolved && tried && !item?.goal ? [tried.choice.move, ...(tried.line ?? [])] : [];
  return html`<section>
    <p class="why">${t(`courseAbout_${name}`)}</p>
    <div class="actions">
      ${isSolved ? button('lesson-next', toNext, next, { main: true }) : showButton(dispatch, 'lesson-show', exercise)}
      ${isFurther && !isSolved ? button('lesson-next', t('puzzleSkip'), next) : nothing}
    </div>
    ${item && line.length > 1
      ? lineTemplate(state, dispatch, { name: `${name} ${number}`, position: item.position, moves: line })
      : nothing}
  </section>`;
}

export const lessons: View = {
  name: () => t('lessonsTitle'),
  status(state) {
    const { name, number, item, search, progress, tried } = state.exercises.lessons;
    if (search) return { side: null, headline: t('puzzleLoading'), subline: titleOf(name) };
    if (!item) return { side: null, headline: t('puzzleNone'), subline: t('puzzleUnread') };
    const place = number === null ? titleOf(name)
      : t('coursePlace', titleOf(name), number + 1, EXERCISES[name].length);
    const reason = progress === 'wrong' && tried?.reason;
    const subline = reason ? whySentences(reason, 'black', { hidesBest: true })[0] : place;
    return { side: null, headline: headline(state), subline };
  },
  scene(state) {
    const { lessons: exercise } = state.exercises;
    const isHinted = exercise.progress === 'wrong' && !isAnswerShown(exercise);
    const answer = isHinted ? answerOf(state, exercise) : null;
    return { ...exerciseScene(state, exercise), glow: answer && [answer.from] };
  },
  panel: (state, dispatch) => html`${lesson(state, dispatch)}
    <section>
      <h3>${t('lessons', lessonsDone(state) + Number(state.settings.held), LESSONS.length + 1)}</h3>
      ${list(state, dispatch)}
    </section>`,
};

// ---- how White holds the draw ----

function holdHeadline(state: State) {
  const { hold: exercise } = state.exercises;
  const { item, gameState, progress, tried } = exercise;
  if (gameState.end) return t('holdDone');
  if (progress === 'solved') return t('puzzleRight');
  const answer = shownAnswer(state, exercise);
  if (answer) return t('holdShown', moveText(answer.move));
  if (progress === 'wrong') return t(item?.move ? 'courseMissed' : 'puzzleWrong_loss', textOf(tried?.choice.move));
  return t(item?.move ? 'holdAsk' : isUsersTurn(exercise) ? 'holdPlay' : 'holdReply');
}

export const hold: View = {
  name: () => t('course_hold'),
  hasContent: () => false, // the lessons lead there
  status(state) {
    const { item, gameState, queue } = state.exercises.hold;
    return {
      side: gameState.end ? null : gameState.to_move,
      headline: holdHeadline(state),
      subline: item?.move ? t('holdKnown', countKnown(queue), STRATEGY.length) : t('holdGame'),
    };
  },
  scene: (state) => exerciseScene(state, state.exercises.hold),
  panel({ exercises: { hold: exercise } }, dispatch) {
    const isOver = exercise.gameState.end !== null;
    return html`<section>
      <p class="why">${t('courseAbout_hold', STRATEGY.length)}</p>
      <div class="actions">
        ${isOver ? nothing : showButton(dispatch, 'hold-show', exercise)}
        ${button('hold-again', t('holdAgain'), () => dispatch({ type: 'nextExercise', from: 'start' }),
          { main: isOver })}
      </div>
    </section>`;
  },
};
