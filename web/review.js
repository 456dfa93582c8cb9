// The review of a game: its mistakes, the best moves, and who was winning after each move.

import { button, fill, h, s } from './dom.js';
import { disc, moveText, other, whySentences } from './format.js';
import { moveList } from './moves.js';
import { parseMove } from './position.js';
import { t } from './texts.js';

const WIDTH = 400;
const HEIGHT = 112;

export function createReview(app, panel, explore) {
  let cache = { key: '', reviewed: [] };

  /** The review of all moves, including the undone ones. */
  function reviewed() {
    const { start, moves, undone } = app.state;
    const all = [...moves, ...undone];
    const key = [start, ...all].join(' ');
    if (key !== cache.key) {
      const game = app.engine.newGame(start);
      for (const move of all) game.play(move);
      cache = { key, reviewed: game.review() };
      game.free();
    }
    return cache.reviewed;
  }

  /** Who wins after each ply, from 0: {side: 'black' | 'white' | null, plies}. */
  function winners(moves) {
    const winner = (side, { result, plies }) => ({
      side: result === 'draw' ? null : result === 'win' ? side : other(side),
      plies,
    });
    const last = moves.at(-1);
    const end = winner(last.side, last.after);
    return [...moves.map(({ side, before }) => winner(side, before)), { ...end, plies: end.plies - 1 }];
  }

  function graph(moves) {
    const points = winners(moves);
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
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `${t('graph')}. ${t('graphLabel')}` },
        s('line', { x1: 0, x2: WIDTH, y1: middle, y2: middle }),
        points.map(bar),
      ),
      h(
        'figcaption',
        {},
        h('span', {}, disc('black'), ` \u2191 ${t('graphUp')}`),
        h('span', {}, disc('white'), ` \u2193 ${t('graphDown')}`),
        h('span', {}, t('graphKey')),
      ),
    );
  }

  /** Goes back one ply and draws the best move there. */
  function showBest({ better, before }) {
    app.goto(app.state.plies - 1);
    app.setPreview({ move: better, ...parseMove(better), value: before });
  }

  function explanation(moves) {
    const reviewedMove = moves[app.state.plies - 1];
    if (!reviewedMove) return null;
    const { move, mark, side } = reviewedMove;
    const why = app.game.why(app.state.plies - 1, move);
    return h(
      'div',
      { class: 'why' },
      h(
        'p',
        {},
        h(
          'b',
          {},
          moveText(move),
          mark && h('span', { class: `mark${mark === '??' ? ' blunder' : ''}` }, mark),
        ),
        ' ',
        whySentences(why, side, 'inMoves').join(t('between')),
      ),
      mark && button('show-best', t('showBest'), () => showBest(reviewedMove)),
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
    previewChanged: () => explore.previewChanged(),
    render() {
      const moves = reviewed();
      fill(
        panel,
        moves.length
          ? [
              h('section', {}, graph(moves), summary(moves), explanation(moves)),
              h('section', {}, moveList(app, moves)),
              explore.element,
            ]
          : [h('p', { class: 'note' }, t('reviewEmpty')), explore.element],
      );
      explore.render();
    },
  };
}
