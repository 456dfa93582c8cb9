// The editor sets up any placement. The engine checks whether it is legal.

import { button, fill, h } from './dom.js';
import { disc, outcomeText } from './format.js';
import { t } from './texts.js';

const KEYS = { b: 'black', w: 'white', Delete: null, Backspace: null };

export function createEditor(app, panel) {
  let pieces = new Map();
  let toMove = 'black';
  let brush = 'black';
  let verdict = null; // of checkPosition, for what is on the board or in the text field

  const text = () => app.board.write(pieces, toMove);

  function load(position) {
    ({ pieces, toMove } = app.board.read(position));
    verdict = app.engine.checkPosition(text());
  }

  function change(action, options = { replace: true }) {
    action();
    verdict = app.engine.checkPosition(text());
    app.update(options);
    app.announce(verdictText());
  }

  function verdictText() {
    if (!verdict.ok) {
      const count = (side) => [...pieces.values()].filter((piece) => piece === side).length;
      const side = verdict.code.startsWith('white') ? 'white' : 'black';
      if (verdict.code === 'syntax') return t('error_syntax', verdict.at);
      return verdict.code === 'won'
        ? t('error_won', t(toMove))
        : t(`error_${verdict.code}`, app.engine.board.pieces, count(side));
    }
    const game = app.engine.newGame(verdict.text);
    const { over } = game.state();
    game.free();
    return t(over ? 'editorOver' : 'editorReady');
  }

  /** Checks typed or pasted text, and shows it on the board if it can be parsed. */
  function read(input) {
    const found = app.engine.checkPosition(input.trim());
    try {
      load(found.ok ? found.text : input.trim());
    } catch {
      /* the board keeps its position */
    }
    verdict = found;
    app.update({ replace: true, keep: 'notation' });
  }

  const choice = (name, value, chosen, label, sign, action) =>
    h(
      'label',
      { class: 'choice' },
      h('input', {
        type: 'radio',
        name,
        value,
        checked: value === chosen,
        'data-key': `${name} ${value}`,
        onchange: () => change(action),
      }),
      h('span', {}, sign, label),
    );

  return {
    load,
    text,
    /** Handles a click or a key on a square. Returns false if the key has no function. */
    square(square, key) {
      if (key !== undefined && !(key in KEYS)) return false;
      const piece = key !== undefined ? KEYS[key] : brush === 'empty' || pieces.get(square) === brush ? null : brush;
      change(() => (piece ? pieces.set(square, piece) : pieces.delete(square)));
      return true;
    },
    scene: () => ({ position: text(), legal: [], last: null, editing: true }),
    status() {
      const known = verdict.ok && app.settings.explore;
      return {
        side: toMove,
        headline: known ? outcomeText(app.engine.value(verdict.text), toMove, 'inPlies') : t('toMove', t(toMove)),
        subline: verdictText(),
        wrong: !verdict.ok,
      };
    },
    render(keep) {
      const field = panel.querySelector('#notation');
      if (keep === 'notation' && field) {
        panel.querySelector('#use').disabled = !verdict.ok;
        panel.querySelector('#editor-verdict').textContent = verdictText();
        field.setAttribute('aria-invalid', !verdict.ok);
        return;
      }
      const sides = (name, chosen, action) =>
        ['black', 'white'].map((side) => choice(name, side, chosen, t(side), disc(side), () => action(side)));
      fill(
        panel,
        h(
          'section',
          {},
          h(
            'fieldset',
            {},
            h('legend', {}, t('brush')),
            h(
              'div',
              { class: 'choices' },
              sides('brush', brush, (side) => (brush = side)),
              choice('brush', 'empty', brush, t('erase'), disc('none'), () => (brush = 'empty')),
            ),
          ),
          h(
            'fieldset',
            {},
            h('legend', {}, t('sideToMove')),
            h(
              'div',
              { class: 'choices' },
              sides('side', toMove, (side) => (toMove = side)),
            ),
          ),
          h('p', { class: 'note' }, t('editorHint')),
        ),
        h(
          'section',
          {},
          h(
            'div',
            { class: 'field' },
            h('label', { for: 'notation' }, t('notation')),
            h('input', {
              id: 'notation',
              'data-key': 'notation',
              value: text(),
              spellcheck: 'false',
              autocomplete: 'off',
              autocapitalize: 'off',
              'aria-invalid': !verdict.ok && 'true',
              'aria-describedby': 'editor-verdict',
              oninput: (event) => read(event.target.value),
            }),
          ),
          h('p', { id: 'editor-verdict', class: 'note' }, verdictText()),
          h(
            'div',
            { class: 'actions' },
            button('use', t('usePosition'), () => app.newGame(verdict.text), { main: true, disabled: !verdict.ok }),
            button('clear', t('clear'), () => change(() => pieces.clear())),
            button('standard', t('startPosition'), () => change(() => load(app.engine.start))),
          ),
        ),
      );
    },
  };
}
