// The views, of which one is shown; the page around them: its title, tabs, status, board, the bar below that, and
// dialogs; and how the browser shows it: colours, language, focus, and what is heard. No sound is stored: each is
// computed.

import { html, nothing, render } from 'lit-html';
import { live } from 'lit-html/directives/live.js';

import { InteractiveBoard } from '../board/board.js';
import { BLANK } from '../board/picture.js';
import { button, byId, disc, icon, iconButton, isPressed, keptCaret, newTask } from '../dom.js';
import { editor } from './editor.js';
import { hold, introduction, lessons } from './exercise.js';
import { explore } from './explore.js';
import { asSentence, boardTitle, DASH, messageText, sentencesText } from '../format.js';
import { laboratory, waiting } from './laboratory.js';
import { help, menu } from './menu.js';
import { lineScene } from './moves.js';
import { embedded, matchup, play } from './play.js';
import { puzzle } from './puzzle.js';
import { review } from './review.js';
import { share } from './share.js';
import { start } from './start.js';
import { linkOf } from '../state/address.js';
import { STANDARD, startOf } from '../state/boards.js';
import { stepTarget } from '../state/game.js';
import { unfinishedLesson } from '../state/lists.js';
import {
  ADDRESSED, isDone, isFlipped, isOfBoard, isOfGame, isWaiting, noticeOf, spokenOf, STATUS, TABS, VIEWS,
} from '../state/shown.js';
import { statistics } from './statistics.js';
import { study } from './study.js';
import { setLanguage, t } from '../texts.js';

import type {
  Content, DialogName, Dispatch, Scene, Sentence, State, TabName, View, ViewName,
} from '../state/types.js';
import type { On } from '../dom.js';

// ---- the view that is shown ----

const views: Record<ViewName, View> =
  { play, introduction, review, puzzle, explore, editor, study, lessons, hold, board: embedded };

const viewOf = (state: State): View => (isWaiting(state) ? waiting : views[state.view]);

const hasResult = (state: State) => viewOf(state).hasResult?.(state) ?? false;

/** The status as a screen reader speaks it. */
function statusText(state: State) {
  const { headline, mark, subline } = viewOf(state).status(state);
  const marked = mark ? `${headline}${t('comma')}${t(mark === '?' ? 'mistake' : 'blunder')}` : headline;
  return sentencesText([asSentence(marked), subline && asSentence(subline)]);
}

/** What the board shows. */
function sceneOf(state: State): Scene {
  const shown = state.line ? lineScene(state.line) : viewOf(state).scene(state);
  const whole = { ...BLANK, flip: isFlipped(state), ...shown };
  const winning = whole.winner && state.engine.winningSquares(whole.position, whole.winner);
  return { ...whole, winning, ...(whole.mode === 'mark' && { legal: [] }) };
}

// ---- the page around it ----

const dialogs: Record<DialogName, (state: State, dispatch: Dispatch, scene: Scene) => Content> =
  { start, menu, help, statistics, share, laboratory };

/** The views of a tab: that which is open, and those that have anything to show. */
const viewsOf = (state: State, tab: TabName) =>
  ADDRESSED.filter((view) => VIEWS[view].tab === tab && isOfBoard(state, view)
    && (view === state.view || (views[view].hasContent?.(state) ?? true)));

/** The view that a tab opens: puzzles, once all lessons are done. */
export function firstView(state: State, tab: TabName) {
  return tab === 'learn' && !unfinishedLesson(state) ? 'puzzle' : viewsOf(state, tab)[0];
}

/**
 * The focused tab can be reached by Tab before it is selected: in the middle of other changes, setting that would have
 * the browser compute all styles.
 */
function tab(state: State, dispatch: Dispatch, name: TabName) {
  const selected = name === VIEWS[state.view].tab;
  return html`<button
    type="button"
    role="tab"
    id="tab-${name}"
    aria-selected=${selected}
    aria-controls=${selected ? 'view' : nothing}
    tabindex=${live(selected ? '0' : '-1')}
    @focus=${({ target }: On<HTMLElement>) => (target.tabIndex = 0)}
    @click=${() => dispatch({ type: 'show', view: firstView(state, name) })}
  >
    ${icon(name)}<span>${t(name)}</span>
  </button>`;
}

/** The views of the tab. */
function viewButtons(state: State, dispatch: Dispatch, name: TabName) {
  const list = viewsOf(state, name);
  if (list.length < 2) return nothing;
  return html`<div class="views" role="group" aria-label=${t(name)}>
    ${list.map((view) => html`<button type="button" id="to-${view}"
      aria-current=${view === state.view ? 'page' : nothing}
      @click=${() => dispatch({ type: 'show', view })}>${views[view].name?.(state)}</button>`)}
  </div>`;
}

/** The name of the page, what is on all views, and the tabs. */
function header(state: State, dispatch: Dispatch) {
  const open = (dialog: DialogName) => () => dispatch({ type: 'open', dialog });
  return html`<header class="top">
    <h1>
      <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
        <circle cx="6" cy="26" r="5" /><circle cx="16" cy="16" r="5" /><circle cx="26" cy="6" r="5" /></svg
      ><span>${t('title')}</span>
    </h1>
    <div class="tools">
      ${state.boardName === STANDARD ? nothing
        : iconButton('standard-button', 'home', t('standardGame'), () => dispatch({ type: 'openAddress', hash: '' }))}
      ${iconButton('share-button', 'share', t('share'), open('share'), { dialog: true })}
      ${iconButton('help-button', 'help', t('help'), open('help'), { dialog: true })}
      ${iconButton('menu-button', 'menu', t('menu'), open('menu'), { dialog: true })}
    </div>
    </header>
    <nav aria-label=${t('views')}>
      <div class="tabs" role="tablist" aria-label=${t('views')}>${TABS.map((name) => tab(state, dispatch, name))}</div>
    </nav>`;
}

const LONG = 48; // characters of a headline that needs smaller letters: the title of a study

function heading(state: State) {
  const { side, headline, mark, subline, wrong } = viewOf(state).status(state);
  const size = headline.length > LONG ? 'long' : '';
  return html`<h2 id="headline" class=${size}>${side ? disc(side) : nothing}${headline}${
      mark ? html`<span class="mark">${mark}</span>` : nothing}</h2>
    <p id="subline" class=${wrong ? 'wrong' : ''}>${subline}</p>`;
}

function bar(state: State, dispatch: Dispatch) {
  const step = (id: string, sign: 'back' | 'forward', way: number) =>
    iconButton(id, sign, t(id), () => dispatch({ type: 'step', way }), { disabled: stepTarget(state, way) === null });
  return html`${isOfGame(state)
      ? html`<div class="bar-group" role="group" aria-label=${t('steps')}>
          ${step('undo', 'back', -1)} ${step('redo', 'forward', 1)}
        </div>`
      : nothing}
    ${state.view !== 'introduction' ? iconButton('flip', 'flip', t('flip'), () => dispatch({ type: 'flip' }))
      : state.exercises.introduction.item
        ? button('skip', t('skip'), () => dispatch({ type: 'openNewGame' })) : nothing}`;
}

function panel(state: State, dispatch: Dispatch, { position }: Scene) {
  const name = VIEWS[state.view].tab;
  const notice = noticeOf(state);
  return html`<section class="panel" aria-label=${t(name ?? state.view)}>
    ${name ? viewButtons(state, dispatch, name) : nothing}
    ${state.boardName === STANDARD
      ? nothing
      : html`<p id="board-name" class="note">${boardTitle(state.engine.board)}</p>`}
    <p id="notice" class=${isDone(notice) ? '' : 'wrong'} ?hidden=${!notice}>${messageText(notice)}</p>
    <div id="view" tabindex="0" data-view=${state.view}
      role=${name ? 'tabpanel' : nothing} aria-labelledby=${name ? `tab-${name}` : nothing}>
      ${viewOf(state).panel(state, dispatch)}
    </div>
    ${state.view !== 'study' && isOfGame(state) ? html`<p class="text"></p>` : nothing}
    <footer>
      <div id="qr"></div>
      <p class="printed">${state.view === 'study' ? linkOf(state)
        : html`${location.href.split('#')[0]}<br />${t('position')}${t('colon')}${position}`}</p>
    </footer>
  </section>`;
}

function dialog(state: State, dispatch: Dispatch, scene: Scene) {
  const { dialog: name } = state;
  const close = () => name && dispatch({ type: 'close' });
  /** The state closes the dialog: the event `close` of the browser would come late. */
  const cancel = (event: Event) => {
    event.preventDefault();
    close();
  };
  /** A click next to it; the spaces between its fields are its own. */
  const leave = ({ target, clientX, clientY }: On<Element> & MouseEvent) => {
    const { left, right, top, bottom } = target.getBoundingClientRect();
    const isInside = clientX > left && clientX < right && clientY > top && clientY < bottom;
    if (target.matches('dialog') && !isInside) close();
  };
  return html`<dialog id=${name ?? 'dialog'} aria-labelledby="dialog-title"
    @cancel=${cancel} @close=${({ target }: On<HTMLDialogElement>) => !target.open && close()} @click=${leave}>
    ${name ? dialogs[name](state, dispatch, scene) : nothing}
  </dialog>`;
}

/** The whole page, with the element of the board, which shows a scene. */
function page(state: State, dispatch: Dispatch, board: Element, scene: Scene) {
  const isEnded = hasResult(state);
  return html`${state.view === 'board' ? nothing : header(state, dispatch)}
    <main class=${isEnded ? 'ended' : ''} aria-busy=${state.solving ? 'true' : nothing}>
      <div class="status"><div>${isEnded ? matchup(state) : heading(state)}</div></div>
      <div id="board">${board}</div>
      <div class="bar">${bar(state, dispatch)}</div>
      ${panel(state, dispatch, scene)}
    </main>
    ${dialog(state, dispatch, scene)}`;
}

// ---- how the browser shows it ----

/** Gives the page, and the browser's own bar around it, the colours of the theme. */
export function applyTheme(theme: string) {
  document.documentElement.dataset.theme = theme;
  const { backgroundColor } = getComputedStyle(document.body);
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', backgroundColor);
}
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
  applyTheme(document.documentElement.dataset.theme ?? ''));

/** The dialog that is open follows the state: the focus goes into each, also into one that takes another's place. */
function showDialog(state: State, before: State | null) {
  if (state.dialog === (before?.dialog ?? null)) return;
  const element = document.querySelector('dialog');
  if (element?.open) element.close();
  if (state.dialog) element?.showModal();
}

/** The page has the language and the colours of the settings. */
function applySettings({ settings: { language, theme } }: State, before: State | null) {
  if (theme !== before?.settings.theme) applyTheme(theme);
  if (language === before?.settings.language) return;
  setLanguage(language);
  document.title = t('title');
}

/**
 * A control that disappears or is disabled leaves the focus to the panel, where pressing the key again does nothing.
 * Later, because the browser then lays out the page.
 */
function keepFocus(focused: HTMLElement) {
  setTimeout(() => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement === focused) byId('view').focus();
  });
}

let context: AudioContext | undefined;

/** A short tone that fades; `when` in seconds from now. */
function tone(frequency: number, seconds: number, volume: number, when = 0) {
  context ??= new AudioContext();
  const begin = context.currentTime + when;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.frequency.setValueAtTime(frequency, begin);
  oscillator.frequency.exponentialRampToValueAtTime(frequency * 0.6, begin + seconds);
  gain.gain.setValueAtTime(volume, begin);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + seconds);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(begin);
  oscillator.stop(begin + seconds);
}

const SOUNDS = {
  move: () => tone(220, 0.09, 0.25),
  won: () => [392, 494, 587, 784].forEach((frequency, i) => tone(frequency, 0.35, 0.15, i * 0.11)),
  lost: () => [330, 262].forEach((frequency, i) => tone(frequency, 0.4, 0.12, i * 0.16)),
};

/** Lets the user hear what the last action says: sentences from a screen reader, and a sound if sounds are on. */
function speak(state: State, before: State | null) {
  const { sound } = state.heard;
  const sentences = spokenOf(state, before);
  if (sound && state.settings.sound) SOUNDS[sound]();
  if (!sentences.length) return;
  const spoken = (sentence: Sentence) =>
    sentence === STATUS ? statusText(state) : typeof sentence === 'function' ? sentence(state) : sentence;
  const text = sentencesText(sentences.map(spoken)).replaceAll(DASH, t('spokenDash'));
  const region = byId('spoken');
  region.textContent = text === region.textContent ? `${text}\u00a0` : text; // what is the same is not spoken again
}

/** The page takes the place of what is seen first: see index.html. */
function showFirst() {
  byId('app').className = '';
  byId('app').replaceChildren();
  byId('spoken').textContent = '';
}

export function createScreen(first: State, dispatch: Dispatch) {
  const board = new InteractiveBoard(first.engine.board, dispatch);
  /** What is on the screen. */
  let drawn: State | null = null;

  /** Draws the state after an action, and lets the user hear what that says. */
  function draw(state: State) {
    applySettings(state, drawn);
    const { activeElement, body } = document;
    const focused = activeElement instanceof HTMLElement && activeElement !== body ? activeElement : null;
    const hasKeyboard = focused?.matches(':focus-visible') && !isPressed();
    const scene = sceneOf(state);
    const content = page(state, dispatch, board.element, scene);
    // Before the changes: when the focus is lost in between, with a removed element, the browser computes all styles,
    // and the layout when the panel scrolls.
    if (drawn?.view !== state.view && focused?.closest('#view')) focused.blur();
    if (drawn && (drawn.view !== state.view || hasResult(drawn) !== hasResult(state)))
      document.querySelector('.panel')?.scrollTo(0, 0);
    board.draw(scene);
    if (!drawn) showFirst();
    const keepCaret = keptCaret(focused);
    render(content, byId('app'));
    keepCaret();
    showDialog(state, drawn);
    const isLost = focused && (!focused.isConnected || focused.matches(':disabled'));
    if (isLost && hasKeyboard && !state.dialog) keepFocus(focused);
    speak(state, drawn);
    drawn = state;
  }

  return {
    /** What the first drawing takes is done in several tasks. */
    async prepare() {
      board.draw({ ...BLANK, position: startOf(first) }); // most of what the first drawing takes; not yet in the page
      await newTask();
    },
    draw,
    focusBoard: () => board.focus(),
  };
}
