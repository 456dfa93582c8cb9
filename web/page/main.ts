// Starts the page: finds the board of the address, makes the store, and connects it with the screen, the address, what
// is stored and what answers later.

import { byId, fill, h, newTask } from './dom.js';
import { EngineError, openRules, solverOf } from '../engine/page.js';
import { sizeText } from './format.js';
import { connectKeys } from './keys.js';
import { connectHistory, createHistory, leaveBoard, openingOfHistory, readAddress } from './state/address.js';
import { boardName, deviceMemory, readBoard, STANDARD, startOf, useRules } from './state/boards.js';
import { createEffects, pause } from './state/effects.js';
import { ownGameOf } from './state/game.js';
import { readQuery } from './state/input.js';
import { loadSettings, otherGameSaved } from './state/storage.js';
import { createStore, initialState } from './state/store.js';
import { setLanguage, t } from './texts.js';
import { applyTheme, createScreen } from './views/page.js';
import { preparePaper } from './views/share.js';

import type { Engine } from '../engine/engine.js';
import type { Dispatch, Message, Store } from './state/types.js';

/** Shows a message in place of a page that cannot start. */
function showFailure(error: unknown) {
  const kind = error instanceof EngineError && error.code === 'corrupt' ? 'damaged' : 'failed';
  const message = byId('failure');
  message.className = 'failure now';
  fill(message, h('h2', {}, t('failure')), h('p', {}, t(`failed_${kind}`)));
  byId('app').hidden = true;
  if (kind === 'failed') console.error(error);
}

/**
 * Registers what keeps the page, if possible: a frame may have no access, and a server may lack the file. Only the site
 * has a manifest, see site.mjs.
 * @param onNewVersion called when the next visit will show another version
 */
async function workOffline(onNewVersion: () => void) {
  if (!document.querySelector('link[rel=manifest]')) return;
  try {
    const { serviceWorker } = navigator;
    if (serviceWorker.controller) serviceWorker.addEventListener('controllerchange', onNewVersion);
    await serviceWorker.register('sw.js');
  } catch {
    /* The page works without. */
  }
}

/** Opens what another program has shared with the installed page: see the manifest in site.mjs. */
function openShared(dispatch: Dispatch) {
  const { text, url } = readQuery(location.search);
  const shared = [text, url].filter(Boolean).join('\n').trim();
  if (!shared) return;
  history.replaceState(history.state, '', location.pathname + location.hash);
  dispatch({ type: 'open', dialog: 'share' });
  dispatch({ type: 'openText', text: shared });
}

declare global {
  interface Window {
    /** Of an installed page: the files with which the system opens it. */
    launchQueue?: { setConsumer(use: (launch: { files: FileSystemFileHandle[] }) => void): void };
  }
}

/** Opens files that are dropped on the page, or with which the system opens it. What is embedded is only looked at. */
function takeFiles(store: Store) {
  const { dispatch } = store;
  const open = (file: File) => {
    if (store.state.view === 'board') return;
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

async function start(engine: Engine, notice: Message | null) {
  const store = createStore(initialState(engine, settings));
  const { dispatch } = store;
  const screen = createScreen(store.state, dispatch);
  const solver = solverOf(engine.board, boardName(engine.board) === STANDARD);
  const effects = createEffects(dispatch, { solver, fail: showFailure });
  store.followers.push(screen.draw, ...effects, createHistory(store.state));

  await newTask();
  await screen.prepare();
  const isNew = readAddress(location.hash).empty && !ownGameOf(store.state);
  const isIntroduced = !isNew || settings.met;
  dispatch({ ...openingOfHistory(), isIntroduced });
  if (notice) dispatch({ type: 'warn', notice });
  openShared(dispatch);
  connectKeys(store, screen.focusBoard);
  connectHistory(store);
  takeFiles(store);
  window.addEventListener('beforeprint', () => preparePaper(store.state));
  window.addEventListener('storage', ({ key }) => { // other windows store something
    const { boardName: board, ownGame } = store.state;
    dispatch({ type: 'storageChanged', game: otherGameSaved(key, board, ownGame) });
  });
  window.addEventListener('pagehide', () => dispatch({ type: 'typingEnded' }));
  await pause();
  if (isNew && settings.met && !notice) dispatch({ type: 'openNewGame' });
  performance.mark('ready');
  workOffline(() => dispatch({ type: 'warn', notice: ['newVersion'] }));
}

/**
 * Starts on the standard board, as the one that the address names cannot be solved. Its rules are opened again: those
 * of another board have taken their place.
 */
async function startInstead(reason: Message) {
  leaveBoard();
  return start(await openRules({}), reason);
}

/** Starts on the board that the address names, if it can be solved. */
async function load() {
  const standard = await openRules({});
  useRules(standard);
  const { board: name } = readAddress(location.hash);
  const board = name === STANDARD ? null : readBoard(name);
  if (!board) return start(standard, null);
  const { refused, bytes } = standard.estimate(board, deviceMemory);
  // Before its rules are made, which takes seconds on the largest boards.
  if (refused) return startInstead([`refused_${refused.reason}`, sizeText(bytes), sizeText(refused.limit ?? 0)]);
  const rules = await openRules(board);
  return startOf({ engine: rules, settings }) ? start(rules, null) : startInstead(['labFailed_position']);
}

const settings = loadSettings();
setLanguage(settings.language);
applyTheme(settings.theme);
load().catch(showFailure);
