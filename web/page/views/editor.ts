// The editor: any placement of pieces, and whether the engine finds it legal.

import { html, nothing } from 'lit-html';

import { button, choices, disc, hasMouse } from '../dom.js';
import { outcomeText, sentencesText } from '../format.js';
import { STANDARD } from '../state/boards.js';
import { editedText, verdictOf, verdictText } from '../state/editor.js';
import { SIDES } from '../state/position.js';
import { isAnswered } from '../state/study.js';
import { t } from '../texts.js';

import type { Content, Dispatch, Side, State, View } from '../state/types.js';
import type { On } from '../dom.js';

function actions(state: State, dispatch: Dispatch) {
  const position = editedText(state);
  const disabled = !verdictOf(state).ok;
  return html`<section class="actions">
    ${button('use', t('play'), () => dispatch({ type: 'openNewGame', position }), { main: true, disabled })}
    ${button('explore-it', t('explore'), () => dispatch({ type: 'explore', position }), { disabled })}
    ${button('study-add', t('studyAdd'), () => dispatch({ type: 'addToStudy', position }), { disabled })}
    ${button('clear', t('clear'), () => dispatch({ type: 'clearBoard' }))}
    ${state.boardName === STANDARD
      ? nothing
      : button('as-start', t('useAsStart'), () => dispatch({ type: 'chooseStart', position }), { disabled })}
    ${button('standard', t('startPosition'), () => dispatch({ type: 'loadStart' }))}
  </section>`;
}

function field(state: State, dispatch: Dispatch) {
  const { typed } = state.editor;
  return html`<section class="field">
    <label for="notation">${t('notation')}</label>
    <input
      id="notation"
      .value=${typed ?? editedText(state)}
      spellcheck="false"
      autocomplete="off"
      autocapitalize="off"
      aria-invalid=${!verdictOf(state).ok}
      aria-describedby="editor-verdict"
      @input=${({ target: { value: text } }: On<HTMLInputElement>) =>
        dispatch({ type: 'type', field: { kind: 'notation' }, text })}
    />
    <p id="editor-verdict" class="note">${verdictText(state)}</p>
  </section>`;
}

const sideChoices = (): [Side, Content][] => SIDES.map((side) => [side, html`${disc(side)} ${t(side)}`]);

export const editor: View = {
  name: () => t('setUp'),
  hasContent: isAnswered,
  status(state) {
    const { toMove } = state.editor;
    const verdict = verdictOf(state);
    return {
      side: toMove,
      headline: verdict.ok ? outcomeText(state.engine.value(verdict.position), toMove) : t('toMove', t(toMove)),
      subline: verdictText(state),
      wrong: !verdict.ok,
    };
  },
  scene: (state) => ({ position: editedText(state), mode: 'place' }),
  panel(state, dispatch) {
    const { brush, toMove } = state.editor;
    const brushes: [typeof brush, Content][] = [...sideChoices(), ['empty', html`${disc('none')} ${t('erase')}`]];
    return html`<section>
        ${choices('brush', t('brush'), brushes, brush, (chosen) => dispatch({ type: 'chooseBrush', brush: chosen }))}
        ${choices('side', t('sideToMove'), sideChoices(), toMove, (side) => dispatch({ type: 'chooseSide', side }))}
        <p class="note">${sentencesText([t('editorHint'), hasMouse() && t('editorKeys')])}</p>
      </section>
      ${actions(state, dispatch)}
      ${field(state, dispatch)}`;
  },
};
