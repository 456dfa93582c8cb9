// The game looked at again: where something was given away, what was better, who was winning when.

import { button, fill, h, s } from './dom.js';
import { moveList } from './moves.js';
import { t } from './texts.js';
import { disc, moveText, other, whyWords } from './words.js';

const WIDTH = 400;
const HEIGHT = 112;

export function createReview(app, panel, explore) {
  let known = { key: '', reviewed: [] };

  /** The review of the whole game, also of the moves that are taken back at the moment. */
  function reviewed() {
    const { start, moves, undone } = app.state;
    const all = [...moves, ...undone];
    const key = [start, ...all].join(' ');
    if (key !== known.key) {
      const game = app.engine.newGame(start);
      for (const move of all) game.play(move);
      known = { key, reviewed: game.review() };
      game.free();
    }
    return known.reviewed;
  }

  /** After each ply, who wins: {side: 'black' | 'white' | null, plies}. */
  function course(moves) {
    const winner = (side, { result, plies }) => ({
      side: result === 'draw' ? null : result === 'win' ? side : other(side),
      plies,
    });
    const last = moves.at(-1);
    const end = winner(last.side, last.after);
    return [...moves.map(({ side, before }) => winner(side, before)), { ...end, plies: end.plies - 1 }];
  }

  function graph(moves) {
    const points = course(moves);
    const step = WIDTH / points.length;
    const middle = HEIGHT / 2;
    const longest = app.engine.summary.longest;
    const bar = ({ side, plies }, ply) => {
      const high = side ? (0.25 + 0.75 * (1 - Math.sqrt(Math.max(plies, 0) / longest))) * (middle - 16) : 2;
      const mark = moves[ply - 1]?.mark;
      const x = ply * step;
      const wide = Math.min(step * 0.7, 24);
      return s(
        'g',
        { class: `column${ply === app.state.plies ? ' now' : ''}`, 'data-ply': ply, onclick: () => app.goto(ply) },
        s('rect', { class: 'hit', x, y: 0, width: step, height: HEIGHT }),
        s('rect', {
          class: `bar ${side ?? 'none'}`,
          x: x + (step - wide) / 2,
          y: side === 'white' ? middle : side ? middle - high : middle - 1,
          width: wide,
          height: high,
          rx: Math.min(3, wide / 3),
        }),
        mark &&
          s(
            'text',
            { class: mark === '??' ? 'blunder' : '', x: x + step / 2, y: side === 'white' ? HEIGHT - 2 : 12 },
            mark,
          ),
      );
    };
    return h(
      'figure',
      { class: 'graph' },
      s(
        'svg',
        {
          viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
          role: 'img',
          'aria-label': `${t('graph')}. ${t('graphWords', moves.length)}`,
        },
        s('line', { x1: 0, x2: WIDTH, y1: middle, y2: middle }),
        points.map(bar),
      ),
      h(
        'figcaption',
        {},
        h('span', {}, disc('black'), ` \u2191 ${t('graphUp')}`),
        h('span', {}, disc('white'), ` \u2193 ${t('graphDown')}`),
        h('span', {}, t('graphNear')),
      ),
    );
  }

  /** Goes to where a better move was and draws it. */
  function showBetter({ better, before }) {
    app.goto(app.state.plies - 1);
    const [from, to] = better.split('-');
    app.look({ move: better, from, to, value: before });
  }

  function about(moves) {
    const found = moves[app.state.plies - 1];
    if (!found) return null;
    const why = app.game.why(app.state.plies - 1, found.move);
    return h(
      'div',
      { class: 'why' },
      h(
        'p',
        {},
        h(
          'b',
          {},
          moveText(found.move),
          found.mark && h('span', { class: `mark${found.mark === '??' ? ' blunder' : ''}` }, found.mark),
        ),
        ' ',
        whyWords(why, found.side).join(t('between')),
      ),
      found.mark && button('show-better', t('showBetter'), () => showBetter(found)),
    );
  }

  function summary(moves) {
    const count = (side, mark) => moves.filter((move) => move.side === side && move.mark === mark).length;
    if (!moves.some(({ mark }) => mark)) return h('p', { class: 'note' }, t('reviewClean'));
    return [
      h(
        'p',
        { class: 'counts' },
        ['black', 'white'].map((side) =>
          h('span', {}, disc(side), ' ', t('reviewCount', t(side), count(side, '?'), count(side, '??'))),
        ),
      ),
      h('p', { class: 'note' }, t('reviewKey')),
    ];
  }

  return {
    looked: () => explore.look(),
    render() {
      const moves = reviewed();
      fill(
        panel,
        moves.length
          ? [
              h('section', {}, graph(moves), summary(moves), about(moves)),
              h('section', {}, moveList(app, moves)),
              explore.element,
            ]
          : [h('p', { class: 'note' }, t('reviewEmpty')), explore.element],
      );
      explore.render();
    },
  };
}
