// What every move is worth, why, and the best line: everything comes from the engine.

import { button, fill, h } from './dom.js';
import { t } from './texts.js';
import { chip, moveText, sameValue, valueWords, whyWords } from './words.js';

const DRAWN_LINE = 8; // plies shown of a line that has no end

export function createExplore(app) {
  const why = h('div', { class: 'why' });
  const line = h('div', { class: 'line' });
  const element = h('section', { class: 'explore' });

  function row(option) {
    const { move, value, repeats } = option;
    const show = () => app.look(option);
    const hide = () => app.look(null);
    const unlessTouch = (action) => (event) => event.pointerType !== 'touch' && action();
    // A finger cannot point: its first touch shows the move, its second plays it.
    const choose = (event) => (event.pointerType === 'touch' && app.preview?.move !== move ? show() : app.play(move));
    return h(
      'li',
      {},
      h(
        'button',
        {
          type: 'button',
          'data-key': `move ${move}`,
          'data-move': move,
          class: 'value',
          onclick: choose,
          onpointerenter: unlessTouch(show),
          onpointerleave: unlessTouch(hide),
          onblur: hide,
          onfocus: (event) => event.target.matches(':focus-visible') && show(),
        },
        chip(value, sameValue(value, app.options[0].value)),
        moveText(move),
        h('span', { class: 'unseen' }, `, ${valueWords(value)}`),
        repeats === 2 && h('small', {}, t('repeats')),
      ),
    );
  }

  function drawWhy() {
    const { move } = app.preview ?? app.options[0];
    const { plies, toMove } = app.state;
    fill(
      why,
      h('p', {}, h('b', {}, moveText(move)), ' ', whyWords(app.game.why(plies, move), toMove).join(t('between'))),
    );
  }

  function drawLine() {
    const { value } = app.options[0];
    const moves = app.game.bestLine(value.result === 'draw' ? DRAWN_LINE : value.plies);
    fill(
      line,
      h(
        'ol',
        { class: 'steps' },
        moves.map((move, i) =>
          h(
            'li',
            {},
            h(
              'button',
              {
                type: 'button',
                'data-key': `line${i}`,
                onclick: () => app.playLine(moves.slice(0, i + 1)),
              },
              moveText(move),
            ),
          ),
        ),
      ),
      h('p', { class: 'note' }, value.result === 'draw' ? t('lineDrawn') : t('lineFollow', value.plies)),
    );
  }

  return {
    element,
    look: drawWhy,
    render() {
      element.hidden = !app.settings.explore;
      if (element.hidden) return;
      if (app.state.over) return fill(element, h('p', { class: 'note' }, t('gameOver')));
      fill(
        element,
        h('h3', {}, t('allMoves')),
        h('ul', { class: 'values' }, app.options.map(row)),
        button('best', t('bestMove'), () => app.playBest()),
        h('h3', {}, t('why')),
        why,
        h('h3', {}, t('bestLine')),
        line,
      );
      drawWhy();
      drawLine();
    },
  };
}
