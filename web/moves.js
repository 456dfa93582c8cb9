// The list of moves; a click goes to that move.

import { h } from './dom.js';
import { moveText } from './format.js';
import { t } from './texts.js';

/** `reviewed` (of game.review(), or null) adds the marks. */
export function moveList(app, reviewed = null) {
  const { state } = app;
  const moves = [...state.moves, ...state.undone];
  if (!moves.length) return h('p', { class: 'note' }, t('noMoves'));
  const { toMove } = app.board.read(state.start);
  const button = (ply, kind, ...content) =>
    h(
      'button',
      {
        type: 'button',
        class: `ply${kind}`,
        'data-key': `ply${ply}`,
        'aria-current': ply === state.plies && 'step',
        onclick: () => app.goto(ply),
      },
      ...content,
    );
  const entry = (move, ply) => {
    const { mark, better } = reviewed?.[ply] ?? {};
    const marked = mark && h('b', { class: mark === '??' ? 'mark blunder' : 'mark' }, mark);
    return h(
      'span',
      { class: 'entry' },
      button(ply + 1, ply >= state.plies ? ' undone' : '', moveText(move), marked),
      mark && h('span', { class: 'better' }, t('best', moveText(better))),
    );
  };
  const rows = [];
  const offset = toMove === 'white' ? 1 : 0;
  moves.forEach((move, ply) => {
    if ((ply + offset) % 2 === 0 || !rows.length)
      rows.push(offset && !rows.length ? [h('span', { class: 'entry' }, '\u2026')] : []);
    rows.at(-1).push(entry(move, ply));
  });
  return h(
    'ol',
    { class: reviewed ? 'moves wide' : 'moves' },
    h('li', { class: 'first' }, button(0, '', t('startPosition'))),
    rows.map((row, i) => h('li', {}, h('span', { class: 'number', 'aria-hidden': 'true' }, i + 1), row)),
  );
}
