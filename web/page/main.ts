// Starts the page: finds the board of the address, makes the store, and connects it with the screen, the address, what
// is stored and what answers later.

import { connectKeys } from './board/keys.js';
import { EngineError, openRules, solverOf } from '../engine/page.js';
import { sizeText } from './format.js';
import { workOffline } from './offline.js';
import { boardName, deviceMemory, readBoard, STANDARD, startOf, useRules } from './state/boards.js';
import { createEffects, type Outside, pause } from './state/effects.js';
import { readAddress } from './state/address.js';
import { storedGame } from './state/open_game.js';
import { loadSettings } from './state/storage.js';
import { createStore, initialState, POINTING } from './state/store.js';
import { catchUp, connectWindow, createWriter, leaveBoard, openHistory } from './state/sync.js';
import { endTyping } from './state/typing.js';
import { setLanguage, t } from './texts.js';
import { applyTheme, createScreen } from './views/screen.js';
import { byId, fill, h, newTask } from './views/dom.js';

import type { Action, Message } from './state/types.js';
import type { Engine } from '../engine/engine.js';

/** Shows a message in place of a page that cannot start. */
function showFailure(error: unknown) {
  const kind = error instanceof EngineError && error.code === 'corrupt' ? 'damaged' : 'failed';
  // The message that is in the page is gone if the page has already started.
  const message = document.getElementById('failure') ?? h('div', { id: 'failure', role: 'alert' });
  message.className = 'failure now';
  // That message is for a browser that is too old, see load.ts.
  fill(message, h('h2', {}, t('failure')), h('p', {}, t(`failed_${kind}`)));
  byId('app').replaceWith(message);
  if (kind === 'failed') console.error(error);
}

async function start(engine: Engine, notice: Message | null) {
  const store = createStore(initialState(engine, settings), prepare, finish);
  const { dispatch } = store;
  const latest = () => store.state;
  const screen = createScreen(latest, dispatch);
  const outside: Outside = {
    solver: solverOf(engine.board, boardName(engine.board) === STANDARD, (progress) => outside.onProgress(progress)),
    onProgress: () => {},
    fail: showFailure,
  };
  const effects = createEffects(dispatch, outside);
  const write = createWriter(store.state);

  /** What is known before an action, which may leave what was being typed. */
  function prepare({ type }: Action) {
    if (store.state.typing?.isPending && type !== 'type') store.state = write(endTyping(store.state), 'typingEnded');
    return POINTING.has(type) ? store.state : catchUp(store.state);
  }
  /** What follows an action. */
  function finish({ type }: Action) {
    store.state = write(store.state, type);
    screen.show(type);
    effects(store.state);
  }

  await newTask();
  await screen.prepare();
  const isNew = readAddress(location.hash).empty && !storedGame(latest());
  const isIntroduced = !isNew || settings.met;
  dispatch({ ...openHistory(), isIntroduced });
  if (notice) dispatch({ type: 'warn', request: null, notice });
  byId('failure').remove();
  connectKeys(latest, dispatch, screen.focusBoard);
  connectWindow(latest, dispatch);
  window.addEventListener('pagehide', () => dispatch({ type: 'typingEnded', request: null }));
  await pause();
  if (isNew && settings.met && !notice) dispatch({ type: 'openNewGame' });
  performance.mark('ready');
  workOffline(() => dispatch({ type: 'newVersion', request: null }));
}

/** Starts on the board that the address names; on the standard one, with the reason, if that cannot be solved. */
async function load() {
  const standard = await openRules({});
  useRules(standard);
  const { board: name } = readAddress(location.hash);
  const board = name === STANDARD ? null : readBoard(name);
  if (!board) return start(standard, null);
  const { refused, bytes } = standard.estimate(board, deviceMemory);
  const rules = await openRules(board);
  const reason: Message | null = refused
    ? [`refused_${refused.reason}`, sizeText(bytes), sizeText(refused.limit ?? 0)]
    : startOf(rules, settings) ? null : ['labFailed_position'];
  if (!reason) return start(rules, null);
  leaveBoard();
  return start(await openRules({}), reason);
}

const settings = loadSettings();
setLanguage(settings.language);
applyTheme(settings.theme);
load().catch(showFailure);
