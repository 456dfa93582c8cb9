// Puzzles: what is asked, what can be done, and how many have been solved.

import { html, nothing } from 'lit-html';

import { button, choices } from './dom.js';
import { opponentOf } from './games.js';
import { hintButton, hintContent } from './hint.js';
import { lineText, moveText } from '../format.js';
import { choicesAt } from '../state/engine_games.js';
import { GRADES } from '../state/grades.js';
import { hintScene } from '../state/hints.js';
import { daysInRow, hasDaily, isDailySolved, isMyTurn, isOver } from '../state/puzzle.js';
import { keptGames } from '../state/settings.js';
import { THEMES } from '../state/themes.js';
import { t } from '../texts.js';

import type { Dispatch, State, Status, View } from '../state/types.js';

function status({ engine, puzzle }: State): Status {
  const { current, none, gameState, begun, progress, wrong } = puzzle;
  if (!current) return { side: null, headline: t(none ? 'puzzleNone' : 'puzzleLoading'), subline: none && t(none) };
  const plies = gameState.plies - begun;
  const { toMove, result, game } = current;
  const [best] = choicesAt(engine, gameState);
  const left = best?.value.plies ?? 0;
  const asked = result === 'draw' ? t('puzzleAskSave') : plies ? t('puzzleAskRest', left) : t('puzzleAskWin', left);
  const prompt = game && !plies ? t(`reviewTry_${result}`) : asked;
  const texts: Record<typeof progress, () => [string, string]> = {
    unsolved: () => [plies ? t('puzzleGoOn') : t('toMove', t(toMove)), prompt],
    solved: () => [t('puzzleRight'), result === 'win' ? t('puzzleWon') : t('puzzleSaved')],
    shown: () => [t('puzzleShown', moveText(best?.move ?? '')), ''],
    wrong: () => [t(`puzzleWrong_${wrong?.value.result}`, moveText(wrong?.move ?? '')), prompt],
  };
  const [headline, subline] = texts[progress]();
  return { side: toMove, headline, subline };
}

function actions(state: State, dispatch: Dispatch) {
  const { puzzle } = state;
  const { current, progress, hints, wrong } = puzzle;
  const isDone = progress === 'solved' || progress === 'shown';
  const isOpen = current && !isDone;
  const isWrong = progress === 'wrong';
  const next = () => dispatch({ type: 'nextPuzzle' });
  const explore = () => current && dispatch({ type: 'explore', position: current.position });
  return html`<section class="actions">
    ${isWrong ? button('puzzle-again', t('puzzleAgain'), () => dispatch({ type: 'tryPuzzleAgain' }), { main: true })
      : nothing}
    ${isDone ? button('puzzle-next', t('puzzleNext'), next, { main: true }) : nothing}
    ${isOpen && !isWrong ? hintButton(dispatch, hints, isMyTurn(state)) : nothing}
    ${isOpen ? button('puzzle-show', t('puzzleShow'), () => dispatch({ type: 'showAnswer' }),
      { disabled: !isWrong && !isMyTurn(state) }) : nothing}
    ${isOpen ? button('puzzle-next', t('puzzleSkip'), next) : nothing}
    ${isOpen && !isWrong ? hintContent(hints, isOver(puzzle) ? '' : t('hintCost')) : nothing}
    ${isWrong && wrong?.line.length ? html`<p class="why">${lineText(wrong.line)}</p>` : nothing}
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
  const { current } = state.puzzle;
  if (current?.date && current.date === state.today) {
    const grade = t((`grade_${current.grade}` as string));
    return html`<p><b>${t('puzzleDaily')}</b> · ${grade} · ${current.date}</p>`;
  }
  if (!hasDaily(state)) return nothing;
  return button('daily', t(isDailySolved(state) ? 'puzzleDailyDone' : 'puzzleDaily'),
    () => dispatch({ type: 'daily' }));
}

/** Which puzzle comes next. */
function selection(state: State, dispatch: Dispatch) {
  const { settings, puzzle: { current } } = state;
  return html`<section>
    ${keptGames(state).length ? button('my-mistakes', t('myMistakes'), () => dispatch({ type: 'mistake' })) : nothing}
    ${current?.game
      ? html`<p class="note" id="mistake-of">${t('mistakeOf', current.game.date, opponentOf(current.game))}</p>`
      : nothing}
    ${daily(state, dispatch)}
    ${choices(
      'grade',
      t('puzzleKind'),
      Object.keys(GRADES).map((name) => [name, t((`grade_${name}` as string))]),
      settings.grade,
      (grade) => dispatch({ type: 'chooseGrade', grade }),
    )}
    ${hasDaily(state) ? themes(dispatch) : nothing}
  </section>`;
}

function scores(state: State) {
  const { record } = state;
  const score = (name: 'rating' | 'streak') => html`<div><dt>${t(name)}</dt><dd id=${name}>${record[name]}</dd></div>`;
  return html`<dl class="scores">
    ${score('rating')} ${score('streak')}
  </dl>
  <p class="note">
    ${t('bestStreak')}: ${record.bestStreak} · ${t('days')}: <span id="days">${daysInRow(state)}</span>
  </p>`;
}

export const puzzle: View = {
  status,
  scene(state) {
    const { current, gameState, hints } = state.puzzle;
    if (!current) return { position: state.start, legal: [], last: null };
    return {
      position: gameState.position,
      legal: isMyTurn(state) ? gameState.legal : [],
      last: gameState.moves.at(-1) ?? null,
      ...hintScene(state, hints),
      winners: gameState.end?.reason === 'won' ? gameState.end.winner : null,
    };
  },
  panel: (state, dispatch) => html`${actions(state, dispatch)} ${selection(state, dispatch)} ${scores(state)}`,
};
