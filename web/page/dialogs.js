// The menu, the help and sharing.

import { html, nothing } from 'lit-html';

import { STANDARD } from './state/boards.js';
import { illustratedRules } from './board/diagram.js';
import { button, byId, copy, dialogContent, download, hasMouse, switchButton } from './views/dom.js';
import { pngOf, svgOf } from './board/image.js';
import { BLANK } from './board/picture.js';
import { THEMES } from './state/storage.js';
import { otherLanguage, t } from './texts.js';

/** @import { App, DialogName, Scene, Shape } from './types.js' */

const MOST_BYTES = 1e6; // of a file with a game or a study

/** @param {App} app */
export const createHelp = (app) => ({
  content: () =>
    dialogContent(
      t('rulesTitle'),
      () => app.close(),
      html`${illustratedRules(app.engine.board)}
        ${
          app.boardName === STANDARD
            ? button('show-introduction', t('showIntroduction'), () => {
                app.close();
                app.startLesson();
              })
            : nothing
        }
        <details ?open=${hasMouse()}>
          <summary>${t('keysTitle')}</summary>
        <dl class="keys">
          ${t('keys').map(
            ([key, about]) =>
              html`<dt>${key.split(' ').map((one) => html`<kbd>${one}</kbd>`)}</dt>
                <dd>${about}</dd>`,
          )}
        </dl>
        ${switchButton('keys', t('keysOn'), app.settings.keys, () => {
          app.set('keys', !app.settings.keys);
          app.render();
        })}
        </details>`,
    ),
});

/** The views that have no tabs. */
const OTHER_VIEWS = /** @type {const} */ (['editor', 'study', 'laboratory']);

/** @param {App} app */
export function createMenu(app) {
  /** @param {'sound' | 'warnings'} name */
  const toggle = (name, on = app.settings[name] ?? false) =>
    switchButton(name, t(name), on, () => {
      app.set(name, !on);
      app.render();
    });
  /**
   * @param {DialogName} name
   * @param {string} text
   */
  const entry = (name, text) => button(`menu-${name}`, text, () => app.open(name));
  const content = () => {
    const language = otherLanguage();
    return dialogContent(
      t('title'),
      () => app.close(),
      html`<div class="menu">
        ${button('menu-start', t('newGame'), () => app.openStart())} ${entry('share', t('share'))} ${
          entry('help', t('help'))}
        ${entry('statistics', t('statistics'))}
        ${OTHER_VIEWS.map((view) =>
          button(`menu-${view}`, t(view), () => {
            app.close();
            app.show(view);
          }))}
        <button type="button" id="language-button" lang=${language.code} @click=${() => app.setLanguage(language.code)}>
          ${language.name}
        </button>
        ${button('theme-button', t(`theme_${app.settings.theme}`), () =>
          app.setTheme(THEMES[(THEMES.indexOf(app.settings.theme) + 1) % THEMES.length]),
        )}
        ${toggle('warnings', app.warns())} ${toggle('sound')}
      </div>`,
    );
  };
  return { content };
}

/**
 * `openText(text)` opens a link, a position, a game or a study and returns null or an error message; `isGame`: the game
 * is shown; `embedded` is the address of what is shown, for a frame.
 * @param {App} app
 * @param {{scene(): Scene, shape(): Shape, openText(text: string): Promise<string | null>, isGame(): boolean,
 *   embedded(): string}} parts
 */
export function createShare(app, { scene, shape, openText, isGame, embedded }) {
  let copied = '';
  let pictureError = '';
  let withValues = false; // the picture also shows the last move and the values of moves
  let error = '';
  let text = '';

  /** @typedef {'link' | 'position' | 'record' | 'embed'} FieldName */

  const picture = () => {
    const { position, flip, marks } = scene();
    return svgOf(withValues ? scene() : { ...BLANK, position, flip, marks }, shape());
  };
  /** @param {string} ending */
  const fileName = (ending) => `${scene().position.replace(/[ /]/g, '-')}.${ending}`;

  async function copyPicture() {
    // The browser waits for the picture: after a pause, it would no longer see the click that asks for it.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(picture()) })]).then(
      () => {
        copied = 'picture';
        app.render();
        app.announce(t('copied'));
      },
      () => {
        pictureError = t('copyFailed');
        app.render();
      },
    );
  }

  const pictures = () =>
    html`<section class="field" aria-labelledby="picture-title">
      <h3 id="picture-title">${t('picture')}</h3>
      <div class="row">
        ${button('picture-svg', t('savePicture', 'SVG'), () =>
          download(new Blob([picture().text], { type: 'image/svg+xml' }), fileName('svg')))}
        ${button('picture-png', t('savePicture', 'PNG'), async () => download(await pngOf(picture()), fileName('png')))}
        ${
          globalThis.ClipboardItem && navigator.clipboard
            ? button('picture-copy', t(copied === 'picture' ? 'copied' : 'copyPicture'), copyPicture)
            : nothing
        }
      </div>
      <p class="wrong" role="alert" ?hidden=${!pictureError}>${pictureError}</p>
      ${
        scene().values || scene().last
          ? switchButton('picture-values', t('pictureValues'), withValues, () => {
              withValues = !withValues;
              app.render();
            })
          : nothing
      }
    </section>`;

  /** @param {FieldName} name */
  async function copyField(name) {
    await copy(/** @type {HTMLInputElement} */ (byId(`share-${name}`)));
    copied = name;
    app.render();
    app.announce(t('copied'));
  }

  /**
   * @param {FieldName} name
   * @param {string} value
   * @param {number} [rows]
   */
  const field = (name, value, rows) =>
    html`<div class="field">
      <label for="share-${name}">${t(name)}</label>
      <div class="row">
        ${
          rows
            ? html`<textarea id="share-${name}" readonly rows=${rows} .value=${value}></textarea>`
            : html`<input id="share-${name}" readonly .value=${value} />`
        }
        <button type="button" aria-label=${t('copyField', t(name))} @click=${() => copyField(name)}>
          ${t(copied === name ? 'copied' : 'copy')}
        </button>
      </div>
    </div>`;

  /** What another page includes to show this position or game. */
  const frame = () => {
    const link = new URL(`#${embedded()}`, location.href).href.replaceAll('&', '&amp;');
    return `<iframe src="${link}" title="${t('title')}" width="400" height="600" style="border: 0"></iframe>`;
  };

  async function open() {
    error = (await openText(text.trim())) ?? '';
    if (error) app.render();
    else app.close();
  }

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    open();
  }

  /** @param {File} [file] */
  async function openFile(file) {
    if (!file) return;
    if (file.size <= MOST_BYTES) {
      text = await file.text();
      open();
    } else {
      error = t('fileTooLarge');
      app.render();
    }
  }

  return {
    reset() {
      copied = error = pictureError = text = '';
    },
    content: () =>
      dialogContent(
        t('shareTitle'),
        () => app.close(),
        html`${field('link', location.href)}
          ${location.protocol === 'file:' ? html`<p class="note" id="local-hint">${t('localLink')}</p>` : nothing}
          ${
            'share' in navigator && location.protocol !== 'file:'
              ? button('native-share', t('shareNative'), () =>
                  navigator.share({ title: t('title'), url: location.href }).catch(() => {}),
                )
              : nothing
          }
          ${field('position', scene().position)} ${isGame() ? field('record', app.game.record(), 4) : nothing}
          ${location.protocol === 'file:' ? nothing : field('embed', frame(), 3)} ${pictures()}
          <form @submit=${submit}>
            <div class="field">
              <label for="open-text">${t('openLabel')}</label>
              <textarea
                id="open-text"
                rows="3"
                spellcheck="false"
                aria-describedby="open-error"
                .value=${text}
                @input=${(/** @type {any} */ { target }) => (text = target.value)}
              ></textarea>
              <label for="open-file">${t('openFile')}</label>
              <input
                type="file"
                id="open-file"
                accept=".json,.txt"
                @change=${(/** @type {any} */ { target }) => openFile(target.files[0])}
              />
              <p id="open-error" class="wrong" role="alert">${error}</p>
            </div>
            <button id="open" class="main">${t('open')}</button>
          </form>`,
      ),
  };
}
