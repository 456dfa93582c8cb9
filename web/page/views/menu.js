// The menu, and the help.

import { html, nothing } from 'lit-html';

import { illustratedRules } from '../board/diagram.js';
import { button, dialogContent, hasMouse, switchButton } from './dom.js';
import { STANDARD } from '../state/boards.js';
import { warns } from '../state/settings.js';
import { THEMES } from '../state/storage.js';
import { otherLanguage, t } from '../texts.js';

/** @import { Dispatch, DialogName, Settings, State } from '../state/types.js' */

/** @param {State} state @param {Dispatch} dispatch */
export const help = ({ engine, boardName, settings }, dispatch) =>
  dialogContent(
    t('rulesTitle'),
    () => dispatch({ type: 'close' }),
    html`${illustratedRules(engine.board)}
      ${boardName === STANDARD
        ? button('show-introduction', t('showIntroduction'), () => dispatch({ type: 'introduce' }))
        : nothing}
      <details ?open=${hasMouse()}>
        <summary>${t('keysTitle')}</summary>
        <dl class="keys">
          ${t('keys').map(([key, about]) =>
            html`<dt>${key.split(' ').map((one) => html`<kbd>${one}</kbd>`)}</dt>
              <dd>${about}</dd>`)}
        </dl>
        ${switchButton('keys', t('keysOn'), settings.keys,
          () => dispatch({ type: 'changeSetting', name: 'keys', value: !settings.keys }))}
      </details>`,
  );

/** The views that are opened here: some have no tab, or it shows them only with content. */
const OTHER_VIEWS = /** @type {const} */ (['editor', 'study', 'laboratory']);

/** @param {State} state @param {Dispatch} dispatch */
export function menu(state, dispatch) {
  const { settings } = state;
  const language = otherLanguage();
  const nextTheme = THEMES[(THEMES.indexOf(settings.theme) + 1) % THEMES.length];
  const change = (/** @type {keyof Settings} */ name, /** @type {unknown} */ value) => () =>
    dispatch({ type: 'changeSetting', name, value });
  /** @param {DialogName} name @param {string} text */
  const entry = (name, text) => button(`menu-${name}`, text, () => dispatch({ type: 'open', dialog: name }));
  /** @param {'sound' | 'values' | 'warnings'} name @param {boolean} isOn */
  const toggle = (name, isOn) => switchButton(name, t(`switch_${name}`), isOn, change(name, !isOn));
  return dialogContent(
    t('title'),
    () => dispatch({ type: 'close' }),
    html`<div class="menu">
      ${button('menu-start', t('newGame'), () => dispatch({ type: 'openNewGame' }))} ${entry('share', t('share'))} ${
        entry('help', t('help'))}
      ${entry('statistics', t('statistics'))}
      ${OTHER_VIEWS.map((view) => button(`menu-${view}`, t(view), () => dispatch({ type: 'show', view })))}
      <button type="button" id="language-button" lang=${language.code} @click=${change('language', language.code)}>
        ${language.name}
      </button>
      ${button('theme-button', t(`theme_${settings.theme}`), change('theme', nextTheme))}
      ${toggle('values', settings.values)} ${toggle('warnings', warns(state))} ${toggle('sound', settings.sound)}
    </div>`,
  );
}
