// A game on the board: the players, moves and replies, undo and redo.

import { button, fill, h } from './dom.js';
import { disc, playerText } from './format.js';
import { moveList } from './moves.js';
import { t } from './texts.js';

const PAUSE = 500; // milliseconds before an opponent replies

/**
 * Adds the actions of a game to app: play, playBest, playLine, undo, redo, goto, resign, openGame, resume. After
 * each, app.state and app.options describe the position on the board.
 */
export function createPlay(app, panel, explore) {
  let running = false; // opponents reply; not after an undo or after opening a game, until the user continues
  let timer = 0;

  const isHuman = (side) => app.settings[side] === 'human';
  const opponentToMove = () => !app.state.over && !isHuman(app.state.toMove);

  function refresh() {
    app.state = app.game.state();
    app.preview = null;
    app.cachedOptions = null;
  }

  function stop() {
    running = false;
    clearTimeout(timer);
  }

  function start() {
    running = true;
    clearTimeout(timer);
    if (!opponentToMove() || app.view !== 'play') return;
    timer = setTimeout(reply, app.reducedMotion() ? 0 : PAUSE);
  }

  function reply() {
    if (!running || !opponentToMove()) return;
    move(app.game.opponentMove(app.settings[app.state.toMove], app.randomSeed()));
    app.update({ replace: true });
    start();
  }

  function move(text) {
    const { toMove } = app.state;
    const played = app.game.play(text);
    if (!played.ok) return false;
    refresh();
    app.announce(t('spokenMove', t(toMove), text), app.statusText());
    return true;
  }

  Object.assign(app, {
    /** Plays a move of the user; an opponent then replies. */
    play(text) {
      if (app.view === 'play' && !app.canMove()) return;
      if (!move(text)) return;
      const hasReply = app.view === 'play' && (isHuman('black') || isHuman('white'));
      running = hasReply;
      app.update();
      if (hasReply) start();
    },
    playBest() {
      if (app.settings.explore && app.canMove() && app.options.length) app.play(app.options[0].move);
    },
    playLine(moves) {
      stop();
      moves.every(move);
      app.update();
    },
    /** Undo and redo go to the user's next turn against an opponent, otherwise one ply. */
    undo: () => step('undo', 'canUndo'),
    redo: () => step('redo', 'canRedo'),
    goto(ply) {
      stop();
      app.game.goto(ply);
      refresh();
      app.announce(app.statusText());
      app.update({ replace: true });
    },
    resign() {
      stop();
      app.game.resign();
      refresh();
      app.announce(app.statusText());
      app.update();
    },
    /** Replaces the game by another one, which the page then owns. */
    openGame(game, { run = true } = {}) {
      stop();
      app.view = 'play';
      app.game.free();
      app.game = game;
      refresh();
      running = run;
      app.update();
      app.announce(app.statusText());
      if (run) start();
    },
    resume: start,
    refresh,
    stop,
    /** Whether the user may move now. */
    canMove: () => !app.state.over && !(running && opponentToMove()),
    thinking: () => running && opponentToMove(),
  });

  function step(way, possible) {
    stop();
    const oneOpponent = app.view === 'play' && isHuman('black') !== isHuman('white');
    do {
      if (!app.game[way]()) break;
      refresh();
    } while (oneOpponent && app.state[possible] && !isHuman(app.state.toMove));
    app.announce(app.statusText());
    app.update({ replace: true });
  }

  const player = (side) => {
    const players = [{ name: 'human' }, ...[...app.opponents].reverse()];
    const { about } = playerText(players.find(({ name }) => name === app.settings[side]));
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
          players.map((one) =>
            h('option', { value: one.name, selected: one.name === app.settings[side] }, playerText(one).name),
          ),
        ),
        about && h('p', {}, about),
      ),
    );
  };

  function actions() {
    const { over, plies } = app.state;
    const set = (action) => () => {
      action();
      app.update({ replace: true });
    };
    const noHuman = !isHuman('black') && !isHuman('white');
    return [
      opponentToMove() && !running && button('go', t('go'), set(start), { main: true }),
      opponentToMove() && running && noHuman && button('pause', t('pause'), set(stop), { key: 'go' }),
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

  return { render, previewChanged: () => explore.previewChanged() };
}
