// All controls except the board: buttons, tabs and keys; language, theme and help.

import { byId, dialogHeader, fill, h } from './dom.js';
import { otherLanguage, setLanguage, t, translate } from './texts.js';

export const VIEWS = ['play', 'review', 'puzzle', 'editor'];

const THEMES = {
  auto: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  light:
    'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5V4m0 16v1.5M2.5 12H4m16 0h1.5M5.3 5.3l1 1m11.4 11.4 1 1m0-13.4-1 1M6.3 17.7l-1 1',
  dark: 'M19.5 14A8 8 0 0 1 10 4.5a8 8 0 1 0 9.5 9.5z',
};

/** Connects the controls with the actions of app, and sets the language and the theme. */
export function createControls(app) {
  function language(code) {
    app.set('language', code);
    setLanguage(code);
    document.title = t('title');
    translate(document.body);
    const next = otherLanguage();
    byId('language-button').textContent = next.name;
    byId('language-button').lang = next.code;
    theme(app.settings.theme);
  }

  function theme(name) {
    app.set('theme', name in THEMES ? name : 'auto');
    document.documentElement.dataset.theme = app.settings.theme;
    byId('theme-button').firstElementChild.firstElementChild.setAttribute('d', THEMES[app.settings.theme]);
    byId('theme-button').title = t(`theme_${app.settings.theme}`);
    byId('theme-button').setAttribute('aria-label', t(`theme_${app.settings.theme}`));
  }

  function openHelp() {
    const dialog = byId('help');
    fill(
      dialog,
      dialogHeader(dialog, t('title')),
      h('h3', {}, t('rulesTitle')),
      t('rules').map((rule) => h('p', {}, rule)),
      h('h3', {}, t('numbersTitle')),
      h('p', {}, t('numbers')),
      h('h3', {}, t('keysTitle')),
      h(
        'dl',
        { class: 'keys' },
        t('keys').map(([key, about]) => [
          h(
            'dt',
            {},
            key.split(' ').map((one) => h('kbd', {}, one)),
          ),
          h('dd', {}, about),
        ]),
      ),
      h(
        'label',
        { class: 'choice' },
        h('input', {
          type: 'checkbox',
          checked: app.settings.keys,
          onchange: (event) => app.set('keys', event.target.checked),
        }),
        h('span', {}, t('keysOn')),
      ),
    );
    translate(dialog);
    dialog.showModal();
  }

  function setFlip() {
    app.set('flip', !app.settings.flip);
    app.render();
  }

  function setExplore() {
    app.set('explore', !app.settings.explore);
    app.preview = null;
    app.render();
    app.announce(app.statusText());
  }

  const inGame = () => app.view === 'play' || app.view === 'review';
  const actions = {
    u: () => inGame() && app.state.canUndo && app.undo(),
    r: () => inGame() && app.state.canRedo && app.redo(),
    n: () => app.next(),
    f: setFlip,
    x: () => app.view !== 'puzzle' && setExplore(),
    b: () => inGame() && app.playBest(),
    g: () => byId('board').querySelector('[tabindex="0"]').focus(),
    s: () => app.share(),
    '?': openHelp,
  };
  VIEWS.forEach((view, i) => {
    actions[i + 1] = () => {
      app.show(view);
      byId(`tab-${view}`).focus();
    };
  });

  const onClick = (id, action) => byId(id).addEventListener('click', action);
  onClick('undo', () => app.undo());
  onClick('redo', () => app.redo());
  onClick('flip', setFlip);
  onClick('explore', setExplore);
  onClick('share-button', () => app.share());
  onClick('help-button', openHelp);
  onClick('language-button', () => {
    language(otherLanguage().code);
    app.render();
  });
  onClick('theme-button', () => {
    const names = Object.keys(THEMES);
    theme(names[(names.indexOf(app.settings.theme) + 1) % names.length]);
  });
  for (const view of VIEWS) {
    onClick(`tab-${view}`, () => app.show(view));
    byId(`tab-${view}`).addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = VIEWS[(VIEWS.indexOf(view) + step + VIEWS.length) % VIEWS.length];
      app.show(next);
      byId(`tab-${next}`).focus();
      event.preventDefault();
    });
  }
  for (const dialog of document.querySelectorAll('dialog'))
    dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.addEventListener('keydown', (event) => {
    const action = actions[event.key.toLowerCase()];
    const busy =
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.target.closest('input:not([type=radio]), textarea, select, dialog');
    if (!action || busy || !app.settings.keys) return;
    event.preventDefault();
    action();
  });
  language(app.settings.language);
}
