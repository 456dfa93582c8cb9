// The tabs and their views. The laboratory is in the menu, and what other pages embed has no tabs.

import { STANDARD } from './boards.js';
import { countDone, EXERCISES } from './exercises.js';
import { lineLength } from './game.js';
import { keptGames } from './settings.js';
import { shownStudy } from './study.js';

/** @import { State, TabName, ViewName } from './types.js' */

/** @type {Record<TabName, ViewName[]>} */
const OF_TAB = {
  play: ['play'],
  learn: ['lessons', 'hold', 'puzzle'],
  explore: ['explore', 'review', 'editor', 'study'],
};
export const TABS = /** @type {TabName[]} */ (Object.keys(OF_TAB));
/** @type {ViewName[]} */
export const VIEWS = [...Object.values(OF_TAB).flat(), 'laboratory', 'board'];

/** The tab that a view belongs to. @param {ViewName} view */
export const tabOf = (view) => TABS.find((tab) => OF_TAB[tab].includes(view)) ?? null;

/** Whether a view has anything to show. @type {Partial<Record<ViewName, (state: State) => boolean>>} */
const hasContent = {
  lessons: ({ boardName }) => boardName === STANDARD,
  hold: () => false, // the lessons lead there
  review: (state) => lineLength(state.game) > 0 || keptGames(state).length > 0,
  study: (state) => shownStudy(state).positions.length > 0,
};

/**
 * The views of a tab: that which is open, and those that have anything to show.
 * @param {State} state
 * @param {TabName} tab
 */
export const viewsOf = (state, tab) =>
  OF_TAB[tab].filter((view) => view === state.view || (hasContent[view]?.(state) ?? true));

/** The view that a tab opens: puzzles, once all lessons are done. @param {State} state @param {TabName} tab */
export function firstView(state, tab) {
  const isLearned = countDone(state.settings.lessons) === Object.keys(EXERCISES).length;
  return tab === 'learn' && isLearned ? 'puzzle' : viewsOf(state, tab)[0];
}
