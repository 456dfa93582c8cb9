// The menu, and the help.

import { html, nothing } from 'lit-html';

import { illustratedRules } from '../board/diagram.js';
import { button, dialogContent, hasMouse, switchButton } from '../dom.js';
import { STANDARD } from '../state/boards.js';
import { warns } from '../state/shown.js';
import { COLOUR_THEMES } from '../state/storage.js';
import { otherLanguage, t } from '../texts.js';

import type { DialogName, Dispatch, State, UserActions } from '../state/types.js';

export const help = ({ engine, boardName, settings }: State, dispatch: Dispatch) =>
  dialogContent(
    t('rulesTitle'),
    dispatch,
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

export function menu(state: State, dispatch: Dispatch) {
  const { settings } = state;
  const language = otherLanguage();
  const nextTheme = COLOUR_THEMES[(COLOUR_THEMES.indexOf(settings.theme) + 1) % COLOUR_THEMES.length];
  const change = (setting: UserActions['changeSetting']) => () => dispatch({ type: 'changeSetting', ...setting });
  const entry = (name: DialogName, text: string) =>
    button(`menu-${name}`, text, () => dispatch({ type: 'open', dialog: name }));
  const toggle = (name: 'sound' | 'values' | 'warnings', isOn: boolean) =>
    switchButton(name, t(`switch_${name}`), isOn, change({ name, value: !isOn }));
  return dialogContent(
    t('title'),
    dispatch,
    html`<div class="menu">
      ${entry('share', t('share'))} ${entry('help', t('help'))} ${entry('statistics', t('statistics'))}
      ${entry('laboratory', t('laboratory'))}
      <button type="button" id="language-button" lang=${language.code}
        @click=${change({ name: 'language', value: language.code })}>
        ${language.name}
      </button>
      ${button('theme-button', t(`theme_${settings.theme}`), change({ name: 'theme', value: nextTheme }))}
      ${toggle('values', settings.values)} ${toggle('warnings', warns(state))} ${toggle('sound', settings.sound)}
    </div>`,
  );
}
