// The review of a game: its mistakes, better moves to find, the refutations, and who was winning after each move.

import { html, nothing, svg } from 'lit-html';

import { button, disc } from '../dom.js';
import { distanceText, moveText, sentencesText } from '../format.js';
import { moveList } from './moves.js';
import { gameScene, gameStatus, playerNames } from './play.js';
import { keptGames, leftGames, lineLength } from '../state/game.js';
import { userOf } from '../state/players.js';
import { moveNumber, other, parseMove, SIDES } from '../state/position.js';
import { discussed, mistakesOf, reviewOf, sentencesOf, verdict } from '../state/review.js';
import { isAnswered } from '../state/study.js';
import { gameList } from './statistics.js';
import { t } from '../texts.js';

import type { Dispatch, Reviewed, Side, State, Value, View } from '../state/types.js';
import type { On } from '../dom.js';

type Winner = { side: Side | null; plies: number };

const WIDTH = 400;
const HEIGHT = 96;
const SIGN = 8; // the width of a mark, for which the columns of a long game have no room

// ---- the graph ----

const winner = (side: Side, { result, plies }: Value): Winner => ({
  side: result === 'draw' ? null : result === 'win' ? side : other(side),
  plies: plies ?? 0,
});

/** Who wins after each ply, from 0. */
function winners(moves: Reviewed[]) {
  const last = moves[moves.length - 1];
  const end = winner(last.side, last.after);
  return [...moves.map(({ side, before }) => winner(side, before)), { ...end, plies: end.plies - 1 }];
}

function bar(state: State, dispatch: Dispatch, { side, plies }: Winner, ply: number, step: number) {
  const middle = HEIGHT / 2;
  const { longest } = state.engine.summary;
  const high = side ? (0.25 + 0.75 * (1 - Math.sqrt(Math.max(plies, 0) / longest))) * (middle - 14) : 2;
  const mark = reviewOf(state)[ply - 1]?.mark;
  const x = ply * step;
  const wide = Math.min(step * 0.7, 24);
  return svg`<g class="column ${ply === state.game.gameState.plies ? 'now' : ''}" data-ply=${ply}
    @click=${() => dispatch({ type: 'goto', ply })}>
    <rect class="hit" x=${x} y="0" width=${step} height=${HEIGHT} />
    <rect class="bar ${side ?? 'none'}" x=${x + (step - wide) / 2} width=${wide} height=${high}
      rx=${Math.min(3, wide / 3)}
      y=${side === 'white' ? middle : side ? middle - high : middle - 1} />
    ${mark && step >= SIGN
      ? svg`<text x=${x + step / 2} y=${side === 'white' ? HEIGHT - 2 : 12}>${mark}</text>` : nothing}
  </g>`;
}

function spoken(state: State, points: Winner[], ply: number) {
  const { side, plies } = points[ply];
  const outcome = side ? t(plies > 0 ? 'winOutcome' : 'sideWon', t(side), distanceText(plies)) : t('drawOutcome');
  if (!ply) return outcome;
  const { side: mover, move } = reviewOf(state)[ply - 1];
  const number = moveNumber(state.game.tree.start, ply - 1);
  return `${number}${t('comma')}${t(mover)} ${moveText(move)}${t('colon')}${outcome}`;
}

function graph(state: State, dispatch: Dispatch) {
  const { length } = reviewOf(state);
  const { plies } = state.game.gameState;
  const points = winners(reviewOf(state));
  const step = WIDTH / points.length;
  return html`<figure class="graph">
    <div>
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
        <line x1="0" x2=${WIDTH} y1=${HEIGHT / 2} y2=${HEIGHT / 2} />
        ${points.map((point, ply) => bar(state, dispatch, point, ply, step))}
      </svg>
      <input
        type="range"
        min="0"
        max=${length}
        .value=${String(plies)}
        aria-label=${t('graph')}
        aria-valuetext=${spoken(state, points, Math.min(plies, length))}
        @input=${({ target }: On<HTMLInputElement>) => dispatch({ type: 'goto', ply: Number(target.value) })}
      />
    </div>
    <figcaption>
      <span>${disc('black')} \u2191 ${t('graphUp')}</span><span>${disc('white')} \u2193 ${t('graphDown')}</span
      ><span>${t('graphKey')}</span>
    </figcaption>
  </figure>`;
}

// ---- the rest ----

function summary(moves: Reviewed[]) {
  const count = (side: Side, mark: string) => moves.filter((move) => move.side === side && move.mark === mark).length;
  const all = moves.filter(({ mark }) => mark).length;
  if (!all) return html`<p class="note">${t('reviewClean')}</p>`;
  return html`<p class="note">${t('reviewChanged', all, moves.length)}</p>
    <p class="counts">
      ${SIDES.map(
        (side) => html`<span>${disc(side)} ${t('reviewCount', t(side), count(side, '?'), count(side, '??'))}</span>`,
      )}
    </p>
    <p class="note">${t('reviewKey')}</p>`;
}

function explanation(state: State, index: number) {
  const { before } = reviewOf(state)[index];
  const { attempt } = state.review;
  const found = attempt === 'none' ? t(`reviewTry_${before.result}`) : attempt && verdict(state, index, attempt);
  const text = found ?? sentencesText(sentencesOf(state, index).slice(1)); // the first one is in the status
  return text ? html`<p class="why">${text}</p>` : nothing;
}

/** What can be done about a mistake. */
function aboutMistake(
  { review: { attempt }, line }: State, dispatch: Dispatch, index: number, { move, better }: Reviewed,
) {
  const show = (name: string, shown: string) => () =>
    dispatch({ type: 'refute', name, index, move: shown });
  return [
    attempt ? nothing : button('refute', t('showMe'), show('refutation', move)),
    button('try-again', t('tryAgain'), () => dispatch({ type: 'tryAgain', index }), { main: !attempt && !line }),
    button('show-best', t('showBest'), show('best', better ?? '')),
  ];
}

function actions(state: State, dispatch: Dispatch, index: number) {
  const mistakes = mistakesOf(state);
  const entry = reviewOf(state)[index];
  const previous = mistakes.findLast((i) => i < index);
  const next = mistakes.find((i) => i > index);
  const look = (at: number) => () => dispatch({ type: 'look', index: at });
  return html`<div class="actions">
    ${state.line ? button('review-stop', t('backToGame'), () => dispatch({ type: 'stopLine' }), { main: true })
      : nothing}
    ${entry?.mark ? aboutMistake(state, dispatch, index, entry) : nothing}
    ${previous === undefined ? nothing : button('previous-mistake', t('previousMistake'), look(previous))}
    ${next === undefined ? nothing : button('next-mistake', t('nextMistake'), look(next))}
  </div>`;
}

export const review: View = {
  name: () => t('review'),
  hasContent: (state) =>
    isAnswered(state) && (lineLength(state.game) > 0 || keptGames(state).length + leftGames(state).length > 0),
  status(state) {
    const index = discussed(state);
    const reviewed = reviewOf(state)[index];
    if (!reviewed) return gameStatus(state);
    const { side, move, mark } = reviewed;
    const who = userOf(state.game) === side ? t('you') : t(side);
    return {
      side,
      headline: t('youPlayed', who, moveText(move)),
      mark: mark ?? '',
      subline: state.review.attempt ? '' : sentencesOf(state, index)[0],
    };
  },
  scene(state) {
    const { focus, attempt } = state.review;
    const base = gameScene(state);
    if (focus === null) return base;
    const { move, after } = reviewOf(state)[focus];
    return { ...base, preview: state.preview ?? (attempt ? null : { move, ...parseMove(move), value: after }) };
  },
  panel(state, dispatch) {
    const moves = reviewOf(state);
    if (!lineLength(state.game)) return html`<p class="note">${t('reviewEmpty')}</p>${gameList(state, dispatch)}`;
    if (!moves.length) return html`<section>${summary(moves)}</section>`;
    const index = discussed(state);
    return html`${playerNames(state)}<section>
        ${actions(state, dispatch, index)}
        ${index >= 0 && index < moves.length ? explanation(state, index) : nothing}
      </section>
      <section>${graph(state, dispatch)} ${summary(moves)}</section>
      <section><h3>${t('moves')}</h3>${moveList(state, dispatch, moves)}</section>
      ${gameList(state, dispatch)}`;
  },
};
