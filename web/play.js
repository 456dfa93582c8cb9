// A game on the board: who plays whom, moves and replies, taking back.

import { button, fill, h } from './dom.js';
import { moveList } from './moves.js';
import { t } from './texts.js';
import { disc, opponentWords } from './words.js';

const PAUSE = 500; // milliseconds before an opponent answers

/**
 * Adds to app what there is to do with a game: play, playBest, playLine, undo, redo, goto, resign, begin, resume.
 * After each, app.state and app.options are those of the position on the board.
 */
export function createPlay(app, panel, explore) {
  let running = false; // opponents answer; not after taking back or opening a game, until asked
  let timer = 0;

  const isHuman = (side) => app.settings[side] === 'human';
  const waiting = () => !app.state.over && !isHuman(app.state.toMove);

  function refresh() {
    app.state = app.game.state();
    app.preview = null;
    app.valued = null;
  }

  function stop() {
    running = false;
    clearTimeout(timer);
  }

  function start() {
    running = true;
    clearTimeout(timer);
    if (!waiting() || app.view !== 'play') return;
    timer = setTimeout(reply, app.calm() ? 0 : PAUSE);
  }

  function reply() {
    if (!running || !waiting()) return;
    move(app.game.opponentMove(app.settings[app.state.toMove], app.chance()));
    app.update({ replace: true });
    start();
  }

  function move(text) {
    const { toMove } = app.state;
    const played = app.game.play(text);
    if (!played.ok) return false;
    refresh();
    app.say(t('spokenMove', t(toMove), text), app.statusWords());
    return true;
  }

  Object.assign(app, {
    /** The person at the page moves; whoever is next answers. */
    play(text) {
      if (app.view === 'play' && !app.canMove()) return;
      if (!move(text)) return;
      const answered = app.view === 'play' && (isHuman('black') || isHuman('white'));
      running = answered;
      app.update();
      if (answered) start();
    },
    playBest() {
      if (app.settings.explore && app.canMove() && app.options.length) app.play(app.options[0].move);
    },
    playLine(moves) {
      stop();
      moves.every(move);
      app.update();
    },
    /** Back to the person's own turn where there is one opponent, otherwise one ply. */
    undo: () => step('undo', 'canUndo'),
    redo: () => step('redo', 'canRedo'),
    goto(ply) {
      stop();
      app.game.goto(ply);
      refresh();
      app.say(app.statusWords());
      app.update({ replace: true });
    },
    resign() {
      stop();
      app.game.resign();
      refresh();
      app.say(app.statusWords());
      app.update();
    },
    /** Goes on with another game, which then belongs to the page. */
    begin(game, { run = true } = {}) {
      stop();
      app.view = 'play';
      app.game.free();
      app.game = game;
      refresh();
      running = run;
      app.update();
      app.say(app.statusWords());
      if (run) start();
    },
    resume: start,
    refresh,
    stop,
    /** Whether the person at the page may move now. */
    canMove: () => !app.state.over && !(running && waiting()),
    thinking: () => running && waiting(),
  });

  function step(way, possible) {
    stop();
    const alone = app.view === 'play' && isHuman('black') !== isHuman('white');
    do {
      if (!app.game[way]()) break;
      refresh();
    } while (alone && app.state[possible] && !isHuman(app.state.toMove));
    app.say(app.statusWords());
    app.update({ replace: true });
  }

  const player = (side) => {
    const names = [
      ...app.opponents.map(({ name }) => [name, opponentWords(name)]),
      ['human', { name: t('human'), about: t('humanAbout') }],
    ].reverse();
    const chosen = names.find(([name]) => name === app.settings[side]);
    return h(
      'div',
      { class: `player${!app.state.over && app.state.toMove === side ? ' on' : ''}` },
      disc(side),
      h(
        'div',
        {},
        h('label', { for: `player-${side}` }, t(side)),
        h(
          'select',
          {
            id: `player-${side}`,
            'data-key': `player-${side}`,
            onchange: (event) => {
              stop();
              app.set(side, event.target.value);
              app.update({ replace: true });
              start();
            },
          },
          names.map(([name, words]) => h('option', { value: name, selected: name === app.settings[side] }, words.name)),
        ),
        h('p', {}, chosen[1].about),
      ),
    );
  };

  function actions() {
    const { over, plies, toMove } = app.state;
    const set = (action) => () => {
      action();
      app.update({ replace: true });
    };
    const alone = !isHuman('black') && !isHuman('white');
    return [
      waiting() && !running && button('go', t('go', t(toMove)), set(start), { main: true }),
      waiting() && running && alone && button('pause', t('pause'), set(stop), { key: 'go' }),
      button('new', t('newGame'), () => app.newGame(), { main: over }),
      over && plies > 0 && button('to-review', t('review'), () => app.show('review'), { key: 'resign' }),
      !over && button('resign', t('resign'), () => app.resign(), { disabled: !app.canMove() }),
    ];
  }

  function render() {
    const sides = app.settings.flip ? ['black', 'white'] : ['white', 'black'];
    fill(
      panel,
      explore.element,
      h('section', { 'aria-label': t('players') }, sides.map(player), h('div', { class: 'actions' }, actions())),
      h('section', {}, h('h3', {}, t('moves')), moveList(app)),
    );
    explore.render();
  }

  return { render, looked: () => explore.look() };
}
