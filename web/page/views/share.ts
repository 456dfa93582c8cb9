// Sharing: links, positions, games and pictures that leave the page, and texts and files that it opens; and what only
// paper shows.

import { generate } from 'lean-qr/nano';
import { html, nothing, render } from 'lit-html';

import { pngOf, svgOf } from '../board/image.js';
import { BLANK } from '../board/picture.js';
import {
  button, byId, copyField, dialogContent, disclosure, download, fill, isFile, labelled, nativeShare, onFile, s,
  switchButton,
} from '../dom.js';
import { messageText } from '../format.js';
import { gameText } from './moves.js';
import { gameAddress, linkOf, linkTo, writeAddress } from '../state/address.js';
import { recordOf } from '../state/record.js';
import { isOfGame } from '../state/shown.js';
import { knownOf, shownStudy } from '../state/study.js';
import { saveStudy } from './study.js';
import { t } from '../texts.js';

import type { Action, Dispatch, Scene, State } from '../state/types.js';
import type { On } from '../dom.js';

type FieldName = 'link' | 'position' | 'record' | 'embed';

// ---- pictures ----

function pictures(state: State, dispatch: Dispatch, scene: Scene) {
  const { copied, failed, hasValues, isMoreShown } = state.share;
  const { position, values, last, flip, marks } = scene;
  const draw = () => svgOf(hasValues ? scene : { ...BLANK, position, flip, marks }, state.engine.board);
  // The browser waits for the picture: after a pause, it would no longer see the click that asks for it.
  const copy = () => navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(draw()) })]).then(
    () => dispatch({ type: 'copied', what: 'picture' }),
    () => dispatch({ type: 'copyFailed' }),
  );
  const change = (changes: Extract<Action, { type: 'changePicture' }>['changes']) =>
    dispatch({ type: 'changePicture', changes });
  const fileName = (ending: string) => `${position.replace(/[ /]/g, '-')}.${ending}`;
  const saveSvg = () => download(draw().text, 'image/svg+xml', fileName('svg'));
  const savePng = () => pngOf(draw()).then(
    (png) => {
      download(png, png.type, fileName('png'));
      if (failed) change({ failed: null });
    },
    () => change({ copied: '', failed: 'save' }),
  );
  return html`<section class="field" aria-labelledby="picture-title">
    <h3 id="picture-title">${t('picture')}</h3>
    <div class="row">
      ${button('picture-png', t('savePicture', 'PNG'), savePng)}
      ${globalThis.ClipboardItem && navigator.clipboard
        ? button('picture-copy', t(copied === 'picture' ? 'copied' : 'copyPicture'), copy)
        : nothing}
    </div>
    <p class="wrong" role="alert" ?hidden=${!failed}>${failed ? t(`${failed}Failed`) : ''}</p>
    ${disclosure('picture-more', t('pictureMore'), isMoreShown, (isShown) => change({ isMoreShown: isShown }),
      html`<div class="row">
        ${button('picture-svg', t('savePicture', 'SVG'), saveSvg)}
        ${values || last
          ? switchButton('picture-values', t('pictureValues'), hasValues, () => change({ hasValues: !hasValues }))
          : nothing}
      </div>`)}
  </section>`;
}

// ---- texts ----

const field = (state: State, dispatch: Dispatch, name: FieldName, value: string, rows?: number) =>
  labelled(`share-${name}`, t(name),
    copyField(state, dispatch, `share-${name}`, value, { rows, label: t('copyField', t(name)) }));

/** The game; where it is played, without the moves that are taken back. */
const recordText = ({ engine, game: { tree }, view }: State) => engine.writeRecord(recordOf(tree, view !== 'play'));

const saveRecord = (state: State) =>
  download(recordText(state), 'application/x-chess-pgn', 'neutreeko.pgn');

/** What another page includes to show this position or game. */
function frame(state: State, position: string) {
  const address = isOfGame(state) ? gameAddress(state, 'board')
    : writeAddress({ board: state.boardName, view: 'board', start: position });
  const link = linkTo(address).replaceAll('&', '&amp;');
  return `<iframe src="${link}" title="${t('title')}" width="400" height="600" style="border: 0"></iframe>`;
}

function opening({ share: { text, error } }: State, dispatch: Dispatch) {
  const submit = (event: Event) => {
    event.preventDefault();
    dispatch({ type: 'openText', text: text.trim() });
  };
  return html`<form @submit=${submit}>
    <div class="field">
      <label for="open-text">${t('openLabel')}</label>
      <textarea
        id="open-text"
        rows="3"
        spellcheck="false"
        aria-describedby="open-error"
        .value=${text}
        @input=${({ target: { value } }: On<HTMLTextAreaElement>) =>
          dispatch({ type: 'type', field: { kind: 'open' }, text: value })}
      ></textarea>
      <label for="open-file">${t('openFile')}</label>
      <input
        type="file"
        id="open-file"
        accept=".pgn,.txt,.json,.neutreeko"
        @change=${onFile((file) => dispatch({ type: 'openFile', file }))}
      />
      <p id="open-error" class="wrong" role="alert">${messageText(error)}</p>
    </div>
    <button id="open" class="main">${t('open')}</button>
  </form>`;
}

/** The file to send in place of the link of a study. */
const files = (state: State) =>
  html`${isFile()
      ? html`<p class="note" id="local-hint">${t(state.view === 'study' ? 'localStudy' : 'localLink')}</p>` : nothing}
    ${state.view === 'study'
      ? html`<div class="actions">${button('share-study', t('studyFile'), () => saveStudy(state))}</div>` : nothing}`;

export const share = (state: State, dispatch: Dispatch, scene: Scene) =>
  dialogContent(
    t('shareTitle'),
    dispatch,
    html`${field(state, dispatch, 'link', linkOf(state))}
      ${files(state)}
      ${nativeShare('native-share', linkOf(state))}
      ${field(state, dispatch, 'position', scene.position)}
      ${isOfGame(state)
        ? html`${field(state, dispatch, 'record', recordText(state), 4)}
            <div class="actions">${button('save-record', t('export'), () => saveRecord(state))}</div>`
        : nothing}
      ${isFile() || !state.engine.checkPosition(scene.position).ok ? nothing
        : field(state, dispatch, 'embed', frame(state, scene.position), 3)}
      ${pictures(state, dispatch, scene)}
      ${opening(state, dispatch)}`,
  );

// ---- paper ----

/** Has paper show the link of a study as a QR code, as far as one has room for it. Files have no link for others. */
function drawCode({ view }: State, link: string) {
  const place = byId('qr');
  fill(place);
  if (view !== 'study' || isFile()) return;
  try {
    const code = generate(link);
    const squares = Array.from({ length: code.size ** 2 }, (_, n) => [n % code.size, Math.floor(n / code.size)]);
    const dark = squares.filter(([x, y]) => code.get(x, y)).map(([x, y]) => `M${x} ${y}h1v1h-1z`);
    fill(place, s('svg', { viewBox: `-4 -4 ${code.size + 8} ${code.size + 8}` }, s('path', { d: dark.join('') })));
  } catch {
    // It is too long.
  }
}

/** Has paper show all comments and variations of each position of a study, or of the game. */
function writeGames(state: State) {
  const { positions } = shownStudy(state);
  for (const place of document.querySelectorAll<HTMLElement>('.text')) {
    const { at } = place.dataset;
    const tree = at ? knownOf(state, positions[Number(at)])?.tree : state.game.tree;
    // The list of a review has the moves of the line, with their marks.
    const isTold = state.view === 'review' && !tree?.inTextOrder().some(({ children }) => children.length > 1);
    render(tree && !isTold ? gameText(tree) : nothing, place);
  }
}

export function preparePaper(state: State) {
  drawCode(state, linkOf(state));
  writeGames(state);
}
