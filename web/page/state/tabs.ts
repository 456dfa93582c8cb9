// The tabs and their views. What other pages embed has no tabs.

import { STANDARD } from './boards.js';
import { countDone, EXERCISES } from './exercises.js';
import { lineLength } from './game.js';
import { keptGames } from './settings.js';
import { shownStudy } from './study.js';

import type { State, TabName, ViewName } from './types.js';

const OF_TAB: Record<TabName, ViewName[]> = {
  play: ['play'],
  learn: ['lessons', 'hold', 'puzzle'],
  explore: ['explore', 'review', 'editor', 'study'],
};
export const TABS: TabName[] = ['play', 'learn', 'explore'];
export const VIEWS: ViewName[] = [...Object.values(OF_TAB).flat(), 'board'];

/** The tab that a view belongs to. */
export const tabOf = (view: ViewName) =>
  TABS.find((tab) => OF_TAB[tab].includes(view === 'introduction' ? 'play' : view)) ?? null;

/** Whether a view has anything to show. */
const hasContent: Partial<Record<ViewName, (state: State) => boolean>> = {
  lessons: ({ boardName }) => boardName === STANDARD,
  hold: () => false, // the lessons lead there
  review: (state) => lineLength(state.game) > 0 || keptGames(state).length > 0,
  study: (state) => shownStudy(state).positions.length > 0,
};

/** The views of a tab: that which is open, and those that have anything to show. */
export const viewsOf = (state: State, tab: TabName) =>
  OF_TAB[tab].filter((view) => view === state.view || (hasContent[view]?.(state) ?? true));

/** The view that a tab opens: puzzles, once all lessons are done. */
export function firstView(state: State, tab: TabName) {
  const isLearned = countDone(state.settings.lessons) === Object.keys(EXERCISES).length;
  return tab === 'learn' && isLearned ? 'puzzle' : viewsOf(state, tab)[0];
}
