// Keys that work everywhere on the page.

import { byId } from '../views/dom.js';

/**
 * @param {import('../types.js').App} app
 * @param {{focusBoard(): void, ofGame(view: import('../types.js').ViewName): boolean,
 *   tabs: import('../types.js').TabName[]}} parts
 */
export function connectKeys(app, { focusBoard, ofGame, tabs }) {
  const inGame = () => !app.introduction && ofGame(app.view);
  /** @param {number} way */
  const stepBy = (way) => () => {
    const ply = app.state.plies + way;
    if (inGame() && ply >= 0 && ply <= app.state.plies + app.state.undone.length) app.goto(ply);
  };
  /**
   * Not characters, so that they always work.
   * @type {Record<string, () => void>}
   */
  const arrows = {
    ArrowLeft: stepBy(-1),
    ArrowRight: stepBy(1),
    Home: () => inGame() && app.goto(0),
    End: () => inGame() && app.goto(app.state.plies + app.state.undone.length),
  };
  /** @type {Record<string, () => void>} */
  const actions = {
    u: () => inGame() && app.step(-1),
    r: () => inGame() && app.step(1),
    n: () => app.next(),
    f: () => app.flip(),
    x: () => app.view === 'play' && !app.introduction && app.toggleValues(),
    b: () => inGame() && app.canMove() && (app.view === 'explore' || app.settings.values)
      && app.play(app.choices[0].move),
    g: focusBoard,
    d: () => app.view === 'explore' && app.togglePen(),
    s: () => app.open('share'),
    '?': () => app.open('help'),
  };
  tabs.forEach((view, i) => {
    actions[i + 1] = () => {
      app.show(view);
      byId(`tab-${view}`).focus();
    };
  });

  /** What another page embeds is only looked at. */
  const hasActions = () => app.settings.keys && app.view !== 'board';

  document.addEventListener('keydown', (event) => {
    const { key } = event;
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target.closest('input:not([type=radio]), textarea, select, dialog, summary')) return;
    const tab = tabs.find((view) => target.closest(`#tab-${view}`));
    if (tab && (key === 'ArrowRight' || key === 'ArrowLeft')) {
      const next = tabs[(tabs.indexOf(tab) + (key === 'ArrowRight' ? 1 : tabs.length - 1)) % tabs.length];
      app.show(next);
      byId(`tab-${next}`).focus();
    } else if (Object.hasOwn(arrows, key) && !target.closest('input')) arrows[key]();
    else if (hasActions() && Object.hasOwn(actions, key.toLowerCase())) actions[key.toLowerCase()]();
    else return;
    event.preventDefault();
  });
}
