// What the board shows besides the game: arrows, and a line whose moves can be stepped through and played on it.

import { html } from 'lit-html';

import { button } from './dom.js';
import { moveText } from '../format.js';
import { parseMove } from '../state/position.js';
import { t } from '../texts.js';

import type { ShownLine, Dispatch, MoveShown, Scene, State } from '../state/types.js';

/** An arrow for a move that is an answer or a threat, in the colour of a result. */
export const arrow = (move: string, result: 'win' | 'loss'): MoveShown =>
  ({ move, ...parseMove(move), value: { result, plies: 1 } });

export const lineScene = ({ positions, moves, at, over }: ShownLine): Partial<Scene> => ({
  position: positions[at],
  legal: [],
  last: at ? moves[at - 1] : null,
  winners: at === moves.length && over?.reason === 'won' ? over.winner : null,
});

/** @param line named so that it is known which line is shown */
export function lineTemplate(
  { line }: State, dispatch: Dispatch, { name, position, moves }: { name: string; position: string; moves: string[] },
) {
  const shown = line?.name === name ? line : null;
  const start = (at = 0, isPlaying = true) => dispatch({ type: 'showLine', name, position, moves, at, isPlaying });
  return html`<div class="line">
    <ol class="steps">
      ${moves.map((move, i) => html`<li>
        <button type="button" aria-current=${shown?.at === i + 1} @click=${() => start(i + 1, false)}>
          ${moveText(move)}
        </button>
      </li>`)}
    </ol>
    <div class="actions">
      ${shown?.isPlaying
        ? button('line-play', t('pause'), () => dispatch({ type: 'pauseLine' }))
        : button('line-play', t('playLine'), () => start(shown && shown.at < moves.length ? shown.at : 0))}
      ${shown ? button('line-stop', t('backToGame'), () => dispatch({ type: 'stopLine' })) : ''}
    </div>
  </div>`;
}
