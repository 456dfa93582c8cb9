// What is shown of moves: those of a game, in a list where a click goes to one; those that can be made, with their
// values; arrows; a line, whose moves can be stepped through and played on the board; comments and hints.

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';

import { button, chip, hovers, labelled, sureButton, typedField } from '../dom.js';
import { moveText, sameValue, sentencesText, valueText } from '../format.js';
import { choicesOf, hintSentences, isMoveGiven, isMoveNext } from '../state/game.js';
import { fieldOf, isDeletable } from '../state/notes.js';
import { moveNumber, parseMove, sideAt } from '../state/position.js';
import { commentOf } from '../state/typing.js';
import { t } from '../texts.js';

import type { Node, Tree } from '../state/tree.js';
import type {
  Choice, Content, Dispatch, Hints, MoveShown, Reviewed, Scene, ShownLine, State, UserActions,
} from '../state/types.js';
import type { On } from '../dom.js';

/** The field for the comment of what is on the board. */
export function commentField(state: State, dispatch: Dispatch, id: string) {
  const { comment } = state.game.tree.current;
  const { value, onInput, onBlur } = typedField(state, dispatch, fieldOf(state), comment);
  return labelled(id, t('comment'),
    html`<textarea id=${id} rows="3" .value=${live(value)} @input=${onInput} @blur=${onBlur}></textarea>`);
}

const commentSpan = (comment: string) => (comment ? html`<span class="comment">${comment}</span>` : nothing);

/** A move of the line. */
function entry(state: State, dispatch: Dispatch, node: Node, ply: number, { mark, better }: Partial<Reviewed>) {
  const { plies } = state.game.gameState;
  const comment = commentOf(state, node);
  const { tree } = state.game;
  const parent = tree.parentOf(node);
  const others = parent ? tree.childrenOf(parent).filter(({ id }) => id !== node.id) : [];
  const toMove = (one: Node, text: string) =>
    html`<button type="button" @click=${() => dispatch({ type: 'gotoNode', moves: tree.moves(one) })}>${text}</button>`;
  /** @param other that has been tried in the same position */
  const variation = (other: Node) =>
    html`<span class="variation" role="group" aria-label=${t('variation')}>${
      lineText(tree, [other], ply, toMove)}</span>`;
  return html`<span class="entry"
    ><button
      type="button"
      class="ply ${ply >= plies ? 'undone' : ''}"
      data-ply=${ply + 1}
      aria-current=${ply + 1 === plies ? 'step' : nothing}
      @click=${() => dispatch({ type: 'goto', ply: ply + 1 })}
    >
      ${moveText(node.move)}${mark ? html`<b class="mark">${mark}</b>` : nothing}</button
    >${mark ? html`<span class="better">${t('best', moveText(better ?? ''))}</span>`
      : nothing}${commentSpan(comment)}${others.map(variation)}</span
  >`;
}

/** @param reviewed adds the marks */
export function moveList(state: State, dispatch: Dispatch, reviewed: Reviewed[] | null = null) {
  const { tree, gameState } = state.game;
  const line = tree.line();
  const first = commentOf(state, tree.root);
  if (!line.length) return html`<p class="note">${t('noMoves')}</p>${commentSpan(first)}`;
  const rows: Content[][] = [];
  line.forEach((node, ply) => {
    const isSecond = sideAt(tree.start, ply) === 'white';
    if (!isSecond || !rows.length) rows.push(isSecond ? [html`<span class="entry">\u2026</span>`] : []);
    rows[rows.length - 1].push(entry(state, dispatch, node, ply, reviewed?.[ply] ?? {}));
  });
  return html`<ol class="moves">
    <li class="first">
      <button
        type="button"
        class="ply"
        data-ply="0"
        aria-current=${gameState.plies === 0 ? 'step' : nothing}
        @click=${() => dispatch({ type: 'goto', ply: 0 })}
      >
        ${t('startPosition')}
      </button>${commentSpan(first)}
    </li>
    ${rows.map((row, i) => html`<li><span class="number" aria-hidden="true">${i + 1}</span>${row}</li>`)}
  </ol>`;
}

const MOST_NESTED = 20; // variations in each other

/**
 * Moves, of which the first one is played and the others are tried in its place, and all that follows.
 * @param show makes what is shown of a move, given its text with its number
 */
function lineText(
  tree: Tree, [first, ...others]: Node[], before: number, show: (node: Node, text: string) => Content, depth = 0,
): Content[] {
  const parts: Content[] = [];
  let [node, siblings, isNumbered] = [first, others, true];
  for (let ply = before; node; ply++) {
    const isSecond = sideAt(tree.start, ply) === 'white';
    const number = isSecond && !isNumbered ? '' : `${moveNumber(tree.start, ply)}${isSecond ? '\u2026' : '.'} `;
    if (parts.length) parts.push(' ');
    const { comment } = node;
    parts.push(show(node, number + moveText(node.move)), comment && [' ', commentSpan(comment)]);
    if (depth === MOST_NESTED) return [...parts, '\u2026'];
    const variation = (other: Node) => lineText(tree, [other], ply, show, depth + 1);
    parts.push(siblings.map((other) => html` <span class="variation">(${variation(other)})</span>`));
    isNumbered = siblings.length > 0 || comment !== '';
    [node, ...siblings] = tree.childrenOf(node);
  }
  return parts;
}

/** All of a game, as paper has it. */
export const gameText = (tree: Tree) =>
  html`${commentSpan(tree.root.comment)}${lineText(tree, tree.childrenOf(tree.root), 0,
    (node, text) => (node === tree.current ? html`<b>${text}</b>` : text))}`;

/** What the user does on a board that can be marked. */
export const markMode = ({ pen }: State): Scene['mode'] => (pen ? 'mark' : 'move or mark');

export const eraseButton = (marks: readonly string[], dispatch: Dispatch) =>
  (marks.length ? button('erase', t('eraseMarks'), () => dispatch({ type: 'eraseMarks' })) : nothing);

/** What can be done with the variation that is shown. */
export function lineButtons(state: State, dispatch: Dispatch) {
  const { game: { tree } } = state;
  return html`${tree.isFirst() ? nothing : button('promote', t('makeFirst'), () => dispatch({ type: 'promote' }))}
    ${isDeletable(state)
      ? sureButton(state, 'delete-line', t('deleteFrom', moveText(tree.current.move)),
        () => dispatch({ type: 'deleteLine' }))
      : nothing}`;
}

/** What a touch or the keyboard previews lasts until another move is, so that the line below can be reached. */
function row(state: State, dispatch: Dispatch, choice: Choice) {
  const { preview } = state;
  const { move, value, repeats } = choice;
  const show = () => preview !== choice && dispatch({ type: 'preview', move: choice });
  const hide = () => preview && dispatch({ type: 'preview', move: null });
  // Touch cannot hover: the first touch previews the move, the second plays it.
  const choose = (event: PointerEvent) => {
    if (event.pointerType !== 'touch' || preview?.move === move) return dispatch({ type: 'move', move });
    dispatch({ type: 'stopLine' }); // the board shows the preview in its place
    return show();
  };
  return html`<li>
    <button
      type="button"
      class="value"
      data-move=${move}
      @click=${choose}
      @pointermove=${(event: PointerEvent) => hovers(event) && show()}
      @pointerleave=${(event: PointerEvent) => event.pointerType !== 'touch' && hide()}
      @focus=${({ target }: On<Element>) => target.matches(':focus-visible') && show()}
    >
      ${chip(value, sameValue(value, choicesOf(state)[0].value))} ${moveText(move)}<span class="unseen"
        >${t('comma')}${valueText(value)}</span
      >${repeats ? html`<small>${t(repeats === 2 ? 'repeats' : 'seenBefore')}</small>` : nothing}
    </button>
  </li>`;
}

export const valueList = (state: State, dispatch: Dispatch) =>
  state.game.gameState.end
    ? html`<p class="note">${t('gameOver')}</p>`
    : html`<section>
        <h3>${t('allMoves')}</h3>
        <ul class="values">
          ${choicesOf(state).map((choice) => row(state, dispatch, choice))}
        </ul>
        <details class="numbers" ?open=${!Object.keys(state.results.games).length}>
          <summary>${t('numbersTitle')}</summary>
          <p class="note">${t('numbers')}</p>
        </details>
      </section>`;

/** An arrow for a move that is an answer or a threat, in the colour of a result. */
export const arrow = (move: string, result: 'win' | 'loss'): MoveShown =>
  ({ move, ...parseMove(move), value: { result, plies: 1 } });

export const lineScene = ({ positions, moves, at, end }: ShownLine): Partial<Scene> => ({
  position: positions[at],
  legal: [],
  last: at ? moves[at - 1] : null,
  winner: end?.winner ?? null,
});

/** @param line named so that it is known which line is shown */
export function lineTemplate(
  { line }: State, dispatch: Dispatch, { name, position, moves }: UserActions['showLine'],
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
      ${button('line-play', t(shown?.isPlaying ? 'pause' : 'playLine'), () => {
        if (shown?.isPlaying) dispatch({ type: 'pauseLine' });
        else start(shown?.at);
      })}
      ${shown ? button('line-stop', t('backToGame'), () => dispatch({ type: 'stopLine' })) : nothing}
    </div>
  </div>`;
}

export const hintButton = (dispatch: Dispatch, hints: Hints, isPossible: boolean) =>
  button('hint', t('hint'), () => dispatch({ type: 'hint' }), { disabled: !isPossible || isMoveGiven(hints) });

/** @param cost what the hint that is the move costs, which is shown before it is given */
export function hintContent(hints: Hints, cost: string = '') {
  if (!hints.best) return nothing;
  const text = sentencesText([...hintSentences(hints), isMoveNext(hints) && cost]);
  return html`<p class="why" id="hint-text">${text}</p>`;
}
