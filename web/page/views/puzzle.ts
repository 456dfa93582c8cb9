// Puzzles: what is asked, what can be done, and how many have been solved.

import { html, nothing } from 'lit-html';

import { button, choices } from '../dom.js';
import { exerciseScene } from './exercise.js';
import { bestLineText, moveText } from '../format.js';
import { hintButton, hintContent } from './moves.js';
import { GRADES, THEMES, userSide } from '../state/aims.js';
import { isUsersTurn } from '../state/exercise.js';
import { choicesAt, hintScene, keptGames } from '../state/game.js';
import { opponentOf } from '../state/players.js';
import { daysInRow, hasDaily, isDailySolved, isOver, wrongText } from '../state/puzzle.js';
import { NO_RESULTS } from '../state/storage.js';
import { t } from '../texts.js';

import type { Dispatch, State, Status, View } from '../state/types.js';

function status(state: State): Status {
  const { item, none, gameState, progress } = state.exercises.puzzle;
  if (!item) return { side: null, headline: t(none ? 'puzzleNone' : 'puzzleLoading'), subline: none && t(none) };
  const plies = gameState.plies - (item.moves?.length ?? 0);
  const side = userSide(item);
  const { result, game } = item;
  const [best] = choicesAt(state.engine, gameState);
  const left = best?.value.plies ?? 0;
  const asked = result === 'draw' ? t('puzzleAskSave') : plies ? t('puzzleAskRest', left) : t('puzzleAskWin', left);
  const prompt = game && !plies ? t(`reviewTry_${result}`) : asked;
  const texts: Record<string, () => [string, string]> = {
    unsolved: () => [plies ? t('puzzleGoOn') : t('toMove', t(side)), prompt],
    solved: () => [t('puzzleRight'), result === 'win' ? t('puzzleWon') : t('puzzleSaved')],
    shown: () => [t('puzzleShown', moveText(best?.move ?? '')), ''],
    refuted: () => [wrongText(state), prompt],
  };
  const [headline, subline] = texts[progress]();
  return { side, headline, subline };
}

function actions(state: State, dispatch: Dispatch) {
  const { puzzle: exercise } = state.exercises;
  const { item, progress, hints, tried } = exercise;
  const isAsked = isUsersTurn(exercise);
  const isDone = progress === 'solved' || progress === 'shown';
  const isOpen = item && !isDone;
  const isWrong = progress === 'refuted';
  const next = () => dispatch({ type: 'nextExercise' });
  const explore = () => item && dispatch({ type: 'explore', position: item.position });
  return html`<section class="actions">
    ${isWrong ? button('puzzle-again', t('puzzleAgain'), () => dispatch({ type: 'tryPuzzleAgain' }), { main: true })
      : nothing}
    ${isDone ? button('puzzle-next', t('puzzleNext'), next, { main: true }) : nothing}
    ${isOpen && !isWrong ? hintButton(dispatch, hints, isAsked) : nothing}
    ${isOpen ? button('puzzle-show', t('puzzleShow'), () => dispatch({ type: 'showAnswer' }),
      { disabled: !isWrong && !isAsked }) : nothing}
    ${isOpen ? button('puzzle-next', t('puzzleSkip'), next) : nothing}
    ${isOpen && !isWrong ? hintContent(hints, isOver(exercise) ? '' : t('hintCost')) : nothing}
    ${isWrong && tried?.line?.length ? html`<p class="why">${bestLineText(tried.line)}</p>` : nothing}
    ${isDone ? button('puzzle-explore', t('puzzleExplore'), explore) : nothing}
  </section>`;
}

const themes = (dispatch: Dispatch) =>
  html`<details id="themes">
    <summary>${t('puzzleThemes')}</summary>
    <div class="actions">
      ${THEMES.map((theme) =>
        button(`theme-${theme}`, t(`course_${theme}`), () => dispatch({ type: 'show', view: 'lessons', theme })))}
    </div>
  </details>`;

/** The puzzle of the day, or the way to it. */
function daily(state: State, dispatch: Dispatch) {
  const { item } = state.exercises.puzzle;
  if (item?.date && item.date === state.today) {
    const grade = t(`grade_${item.grade}`);
    return html`<p><b>${t('puzzleDaily')}</b> · ${grade} · <span class="whole">${item.date}</span></p>`;
  }
  if (!hasDaily(state)) return nothing;
  return button('daily', t(isDailySolved(state) ? 'puzzleDailyDone' : 'puzzleDaily'),
    () => dispatch({ type: 'nextExercise', from: 'daily' }));
}

/** The grade of the puzzle that is shown or looked for, unless it is that of the day; otherwise the one chosen last. */
function gradeShown({ settings, exercises: { puzzle: { item, search } } }: State) {
  const isDaily = item ? item.date !== '' : search && 'date' in search && search.date;
  if (isDaily) return '';
  return item && !item.game ? item.grade : settings.grade;
}

/** Which puzzle comes next. */
function selection(state: State, dispatch: Dispatch) {
  const { exercises: { puzzle: { item } } } = state;
  return html`<section>
    ${keptGames(state).length
      ? button('my-mistakes', t('myMistakes'), () => dispatch({ type: 'nextExercise', from: 'mistakes' })) : nothing}
    ${item?.game
      ? html`<p class="note" id="mistake-of">${t('mistakeOf', item.game.date, opponentOf(item.game))}</p>`
      : nothing}
    ${daily(state, dispatch)}
    ${choices(
      'grade',
      t('puzzleKind'),
      Object.keys(GRADES).map((name) => [name, t(`grade_${name}`)]),
      gradeShown(state),
      (grade) => dispatch({ type: 'nextExercise', from: grade }),
    )}
    ${hasDaily(state) ? themes(dispatch) : nothing}
  </section>`;
}

/** The rating and rows, once there are any. */
function scores(state: State) {
  const { results } = state;
  const { rating, streak, bestStreak } = results;
  const isNew = !results.days && rating === NO_RESULTS.rating && !Object.keys(results.puzzles).length;
  if (isNew) return nothing;
  const score = (name: string, number: number) =>
    (number ? html`<div><dt>${t(name)}</dt><dd id=${name}>${number}</dd></div>` : nothing);
  return html`<dl class="scores">
    ${score('rating', rating)} ${score('streak', streak)} ${score('bestStreak', bestStreak)}
    ${score('days', daysInRow(state))}
  </dl>`;
}

export const puzzle: View = {
  name: () => t('puzzles'),
  status,
  scene(state) {
    const { puzzle: exercise } = state.exercises;
    return { ...exerciseScene(state, exercise), ...hintScene(state, exercise.hints) };
  },
  panel: (state, dispatch) => html`${actions(state, dispatch)} ${selection(state, dispatch)} ${scores(state)}`,
};
