// What the browser has of the page: elements, focus, dialogs, theme and language, and what is heard. No sound is
// stored: each is computed.

import { nothing, render as renderInto } from 'lit-html';
import { generate } from 'lean-qr/nano';

import { Board } from '../board/board.js';
import { BLANK } from '../board/picture.js';
import { byId, fill, isPointing, newTask, s } from './dom.js';
import { gameText } from './moves.js';
import { DASH } from '../format.js';
import { hasResult, page, sceneOf, statusText } from './page.js';
import { linkOf } from '../state/address.js';
import { SILENCE, STATUS } from '../state/shown.js';
import { lookAt, shownStudy } from '../state/study.js';
import { setLanguage, t } from '../texts.js';

import type { Dispatch, Sentence, State } from '../state/types.js';

/** Gives the page, and the browser's own bar around it, the colours of the theme. */
export function applyTheme(theme: string) {
  document.documentElement.dataset.theme = theme;
  const { backgroundColor } = getComputedStyle(document.body);
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', backgroundColor);
}
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
  applyTheme(document.documentElement.dataset.theme ?? ''));

const dialog = () => document.querySelector('dialog');

/** The dialog that is open follows the state: the focus goes into each, also into one that takes another's place. */
function showDialog(state: State, before: State | null) {
  const isOther = state.dialog !== (before?.dialog ?? null);
  if (dialog()?.open && isOther) dialog()?.close();
  if (state.dialog && isOther) dialog()?.showModal();
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
function speak(state: State) {
  const { sentences, sound } = state.heard;
  if (sound && state.settings.sound) SOUNDS[sound]();
  if (!sentences.length) return;
  const spoken = (sentence: Sentence) =>
    sentence === STATUS ? statusText(state) : typeof sentence === 'function' ? sentence(state) : sentence;
  const text = sentences.map(spoken).filter(Boolean).join(t('between')).replaceAll(DASH, t('spokenDash'));
  const region = byId('spoken');
  region.textContent = text === region.textContent ? `${text}\u00a0` : text; // what is the same is not spoken again
}

declare global {
  interface Window {
    /** Of an installed page: the files with which the system opens it. */
    launchQueue?: { setConsumer(use: (launch: { files: FileSystemFileHandle[] }) => void): void };
  }
}

/** Has paper show the link of a study as a QR code, as far as one has room for it. Files have no link for others. */
function drawCode({ view }: State, link: string) {
  const place = byId('qr');
  fill(place);
  if (view !== 'study' || location.protocol === 'file:') return;
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
    const tree = at ? lookAt(state, positions[Number(at)])?.tree : state.game.tree;
    // The list of a review has the moves of the line, with their marks.
    const isTold = state.view === 'review' && !tree?.inTextOrder().some(({ children }) => children.length > 1);
    renderInto(tree && !isTold ? gameText(tree) : nothing, place);
  }
}

/** Opens files that are dropped on the page, or with which the system opens it. What is embedded is only looked at. */
function takeFiles(latest: () => State, dispatch: Dispatch) {
  const open = (file: File) => {
    if (latest().view === 'board') return;
    dispatch({ type: 'open', dialog: 'share' });
    dispatch({ type: 'openFile', file });
  };
  window.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  window.addEventListener('drop', (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    open(file);
  });
  window.launchQueue?.setConsumer(({ files: [handle] }) => handle?.getFile().then(open));
}

/** The page takes the place of what is seen first: see index.html. */
function showFirst() {
  byId('app').className = '';
  byId('app').replaceChildren();
  byId('spoken').textContent = '';
}

export function createScreen(latest: () => State, dispatch: Dispatch) {
  const board = new Board(latest().engine.board, dispatch);
  /** What is on the screen. */
  let drawn: State | null = null;
  /** The latest state with something that is heard. */
  let heard: State | null = null;

  function render(state: State) {
    applySettings(state, drawn);
    const { activeElement, body } = document;
    const focused = activeElement instanceof HTMLElement && activeElement !== body ? activeElement : null;
    const hasKeyboard = focused?.matches(':focus-visible') && !isPointing();
    const scene = sceneOf(state);
    const content = page(state, dispatch, board.element, scene);
    // Before the changes: when the focus is lost in between, with a removed element, the browser computes all styles,
    // and the layout when the panel scrolls.
    if (drawn?.view !== state.view && focused?.closest('#view')) focused.blur();
    if (drawn && (drawn.view !== state.view || hasResult(drawn) !== hasResult(state)))
      document.querySelector('.panel')?.scrollTo(0, 0);
    board.draw(scene);
    if (!drawn) showFirst();
    renderInto(content, byId('app'));
    showDialog(state, drawn);
    drawn = state;
    const isLost = focused && (!focused.isConnected || focused.matches(':disabled'));
    if (isLost && hasKeyboard && !state.dialog) keepFocus(focused);
  }

  takeFiles(latest, dispatch);
  window.addEventListener('beforeprint', () => {
    drawCode(latest(), linkOf(latest()));
    writeGames(latest());
  });
  return {
    /** What the first drawing takes is done in several tasks. */
    async prepare() {
      board.draw({ ...BLANK, position: latest().start }); // most of what the first drawing takes; not yet in the page
      await newTask();
    },
    /** Shows the state after an action. */
    show(state: State, isDrawnLater = false) {
      if (state.heard !== SILENCE) heard = state;
      const draw = () => {
        render(latest());
        if (state === heard) speak(state); // otherwise something later has been heard in between
      };
      if (isDrawnLater) newTask().then(draw);
      else draw();
    },
    focusBoard: () => board.focus(),
  };
}
