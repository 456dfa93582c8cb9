// Keys that work everywhere on the page.

import { byId } from './dom.js';
import { canMove, choicesOf, lineLength } from './state/game.js';
import { isOfGame, TABS } from './state/shown.js';
import { firstView } from './views/page.js';

import type { Action, State, Store, TabName } from './state/types.js';

/** The keys that type no character, so that they always work. */
const ARROWS: Record<string, (state: State) => Action | false> = {
  ArrowLeft: (state) => isOfGame(state) && { type: 'goto', ply: state.game.gameState.plies - 1 },
  ArrowRight: (state) => isOfGame(state) && { type: 'goto', ply: state.game.gameState.plies + 1 },
  Home: (state) => isOfGame(state) && { type: 'goto', ply: 0 },
  End: (state) => isOfGame(state) && { type: 'goto', ply: lineLength(state.game) },
};

const ACTIONS: Record<string, (state: State) => Action | false> = {
  u: (state) => isOfGame(state) && { type: 'step', way: -1 },
  r: (state) => isOfGame(state) && { type: 'step', way: 1 },
  n: ({ view }) =>
    ({ type: view === 'puzzle' || view === 'lessons' ? 'nextExercise' : 'openNewGame' }),
  f: () => ({ type: 'flip' }),
  x: ({ view, settings }) =>
    view === 'play' && { type: 'changeSetting', name: 'values', value: !settings.values },
  b: (state) => isOfGame(state) && canMove(state) && !state.solving
    && (state.view === 'explore' || state.settings.values) && { type: 'move', move: choicesOf(state)[0].move },
  d: ({ view }) => view === 'explore' && { type: 'togglePen' },
  s: () => ({ type: 'open', dialog: 'share' }),
  '?': () => ({ type: 'open', dialog: 'help' }),
};

/** What another page embeds is only looked at. */
const hasActions = ({ settings, view }: State) => settings.keys && view !== 'board';

export function connectKeys(store: Store, focusBoard: () => void) {
  const { dispatch } = store;
  const show = (tab: TabName) => dispatch({ type: 'show', view: firstView(store.state, tab) });
  const goTo = (tab: TabName) => {
    show(tab);
    byId(`tab-${tab}`).focus();
  };

  /** Returns whether the key has a function here: if not, the page scrolls, say. */
  function press(key: string, target: Element) {
    const { state } = store;
    const tab = TABS.findIndex((view) => target.closest(`#tab-${view}`));
    const name = key.toLowerCase();
    const hasArrow = Object.hasOwn(ARROWS, key);
    const action = hasArrow ? ARROWS[key](state) : Object.hasOwn(ACTIONS, name) && ACTIONS[name](state);
    if (tab >= 0 && (key === 'ArrowRight' || key === 'ArrowLeft'))
      goTo(TABS[(tab + (key === 'ArrowRight' ? 1 : TABS.length - 1)) % TABS.length]);
    else if (!hasArrow && !hasActions(state)) return false;
    else if (TABS[Number(key) - 1]) show(TABS[Number(key) - 1]);
    else if (name === 'g') focusBoard();
    else if (action) dispatch(action);
    else return false;
    return true;
  }

  document.addEventListener('keydown', (event) => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target.closest('input:not([type=radio]), textarea, select, dialog, summary')) return;
    const answer = document.getElementById('play-anyway'); // to the question that the board has led to
    if (event.key === 'Tab' && !event.shiftKey && answer && target.closest('#board')) {
      answer.focus();
      event.preventDefault();
    } else if (press(event.key, target)) event.preventDefault();
  });
}
