// The introduction on the first visit.

import { html } from 'lit-html';

import { illustratedRules } from '../board/diagram.js';
import { button, hasMouse } from './dom.js';
import { arrow } from './line.js';
import { moveText } from '../format.js';
import { randomSeed } from '../state/effects.js';
import { MOST_MISSES } from '../state/exercises.js';
import { choicesAt } from '../state/engine_games.js';
import { exerciseOf } from '../state/introduction.js';
import { namedOpponents, weakestNamed } from '../state/opponents.js';
import { t } from '../texts.js';

import type { Introduction, State, View } from '../state/types.js';

const shown = (state: State) => (state.introduction as Introduction);

/** What White threatens, or the answer for a user who does not find it. */
function preview(state: State) {
  const introduction = shown(state);
  const exercise = exerciseOf(introduction);
  if (introduction.next || !exercise) return null;
  if (introduction.misses >= MOST_MISSES)
    return arrow(choicesAt(state.engine, introduction.gameState)[0].move, 'win');
  return exercise.threat ? arrow(exercise.threat, 'loss') : null;
}

function headline(introduction: Introduction) {
  const { step, isPicked, next, misses } = introduction;
  const tap = hasMouse() ? 'introductionClick' : 'introductionTap';
  if (step === 'slide') return t(isPicked || next ? 'introductionSlide' : tap);
  if (step === 'win') return t(misses ? 'introductionWinMissed' : 'introductionWin');
  const threat = moveText(exerciseOf(introduction)?.threat ?? '');
  return step === 'block' ? t(misses ? 'introductionBlockMissed' : 'introductionBlock', threat) : t('introductionDone');
}

export const introduction: View = {
  status: (state) => ({ side: null, headline: headline(shown(state)), subline: '' }),
  scene(state) {
    const { gameState, step, next, isPicked, misses } = shown(state);
    return {
      position: gameState.position,
      legal: next ? [] : gameState.legal,
      last: gameState.moves.at(-1) ?? null,
      glow: !next && step === 'slide' && !isPicked ? gameState.legal.map(({ from }) => from) : null,
      picked: misses ? undefined : exerciseOf(shown(state))?.picked,
      preview: preview(state),
      winners: gameState.end?.winner ?? null,
    };
  },
  panel: (state, dispatch) =>
    shown(state).step === 'done'
      ? html`<section class="actions">
          ${button('play-beginner', t('playNext', t(namedOpponents()[weakestNamed()])),
            () => dispatch({ type: 'playBeginner', seed: randomSeed() }), { main: true })}
          ${button('choose', t('chooseOpponent'), () => dispatch({ type: 'skipIntroduction' }))}
        </section>`
      : illustratedRules(state.engine.board),
};
