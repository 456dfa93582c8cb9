// The panel of Explore: the value of every move, the reasons, and the best line, all from the engine.

import { button, fill, h } from './dom.js';
import { chip, moveText, sameValue, valueText, whySentences } from './format.js';
import { t } from './texts.js';

export function createExplore(app) {
  const why = h('div', { class: 'why' });
  const line = h('div', { class: 'line' });
  const element = h('section', { class: 'explore' });

  function row(option) {
    const { move, value, repeats } = option;
    const show = () => app.setPreview(option);
    const hide = () => app.setPreview(null);
    const unlessTouch = (action) => (event) => event.pointerType !== 'touch' && action();
    // Touch cannot hover: the first touch previews the move, the second plays it.
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
        h('span', { class: 'unseen' }, `, ${valueText(value)}`),
        repeats === 2 && h('small', {}, t('repeats')),
      ),
    );
  }

  function drawWhy() {
    const { move } = app.preview ?? app.options[0];
    const { plies, toMove } = app.state;
    const sentences = whySentences(app.game.why(plies, move), toMove, 'inPlies');
    fill(why, h('p', {}, h('b', {}, moveText(move)), ' ', sentences.join(t('between'))));
  }

  function drawLine() {
    const { value } = app.options[0];
    const moves = app.game.bestLine();
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
              { type: 'button', 'data-key': `line${i}`, onclick: () => app.playLine(moves.slice(0, i + 1)) },
              moveText(move),
            ),
          ),
        ),
      ),
      h('p', { class: 'note' }, value.result === 'draw' ? t('lineDrawn') : t('lineWon', value.plies)),
    );
  }

  return {
    element,
    previewChanged: drawWhy,
    render() {
      element.hidden = !app.settings.explore;
      if (element.hidden) return;
      if (app.state.over) return fill(element, h('p', { class: 'note' }, t('gameOver')));
      fill(
        element,
        h('h3', {}, t('allMoves')),
        h('ul', { class: 'values' }, app.options.map(row)),
        button('best', t('playBest'), () => app.playBest()),
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
