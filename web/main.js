// The page as a whole: loads the engine, knows which view is open, keeps board, words and address together.

import { createBoard } from './board.js';
import { createControls, VIEWS } from './controls.js';
import { byId, fill } from './dom.js';
import { createEditor } from './editor.js';
import { EngineError, loadEngineFromPage } from './engine.js';
import { createExplore } from './explore.js';
import { createPlay } from './play.js';
import { readPosition, writePosition } from './position.js';
import { createPuzzle } from './puzzle.js';
import { createReview } from './review.js';
import { loadSettings, saveSettings } from './settings.js';
import { openShare, readAddress, writeAddress } from './share.js';
import { setLanguage, t } from './texts.js';
import { disc, other, outcomeWords } from './words.js';

const app = {
  engine: null,
  settings: loadSettings(),
  view: 'play',
  game: null,
  state: null, // of the game
  valued: null, // what its moves are worth, once somebody has asked
  get options() {
    return (app.valued ??= app.state.over ? [] : app.game.options());
  },
  preview: null, // a move that is being looked at: {move, from, to, value}
  chance: () => crypto.getRandomValues(new Uint32Array(1))[0],
  calm: () => matchMedia('(prefers-reduced-motion: reduce)').matches,
};

function begin(engine) {
  app.engine = engine;
  app.opponents = engine.opponents();
  app.board = {
    read: (text) => readPosition(text, engine.board),
    write: (pieces, toMove) => writePosition(pieces, toMove, engine.board),
  };
  for (const side of ['black', 'white'])
    if (app.settings[side] !== 'human' && !app.opponents.some(({ name }) => name === app.settings[side]))
      app.settings[side] = 'human';

  const board = createBoard(engine.board, {
    onMove: (move) => (app.view === 'puzzle' ? puzzle.play(move) : app.play(move)),
    onSquare: (square, key) => editor.square(square, key),
    onPick: (square) => square && app.say(`${square}, ${t('picked')}`),
    onLook: (option) => app.look(option),
  });
  byId('board').append(board.element);
  const explore = createExplore(app);
  const play = createPlay(app, byId('view-play'), explore);
  const review = createReview(app, byId('view-review'), explore);
  const puzzle = createPuzzle(app, byId('view-puzzle'));
  const editor = createEditor(app, byId('view-editor'));
  const views = { play, review, puzzle, editor };

  /** The scene of Play and Review. */
  function gameScene() {
    const { position, legal, moves, over } = app.state;
    const exploring = app.settings.explore && !over;
    const free = app.view === 'review' || app.canMove();
    return {
      position,
      legal: free ? legal : [],
      last: moves.at(-1) ?? null,
      values: exploring && free ? app.options : null,
      preview: app.preview,
      winners: over?.end === 'row' ? over.winner : null,
    };
  }

  function gameStatus() {
    const { over, toMove, plies, repetitions } = app.state;
    if (over)
      return {
        side: over.winner,
        headline: t(`wins_${over.end}`, over.winner && t(over.winner)),
        subline: t(`sub_${over.end}`, plies, t(over.winner ? other(over.winner) : toMove)),
      };
    const turn = t(app.thinking() ? 'thinking' : 'toMove', t(toMove));
    const repeated = repetitions === 2 ? t('repeated') : '';
    if (!app.settings.explore) return { side: toMove, headline: turn, subline: repeated };
    return {
      side: toMove,
      headline: outcomeWords(app.options[0].value, toMove),
      subline: [turn, repeated].filter(Boolean).join(t('stop') + t('between')),
    };
  }

  const status = () => (views[app.view].status ?? gameStatus)();

  function drawBoard() {
    board.draw({
      values: null,
      preview: null,
      winners: null,
      editing: false,
      flip: app.settings.flip,
      ...(views[app.view].scene ?? gameScene)(),
    });
  }

  function drawStatus() {
    const { side, headline, subline, wrong } = status();
    fill(byId('headline'), side && disc(side), headline);
    byId('subline').textContent = subline;
    byId('subline').classList.toggle('wrong', Boolean(wrong));
  }

  function render(keep) {
    const { view, settings, state } = app;
    for (const name of VIEWS) {
      byId(`view-${name}`).hidden = name !== view;
      byId(`tab-${name}`).setAttribute('aria-selected', name === view);
      byId(`tab-${name}`).tabIndex = name === view ? 0 : -1;
    }
    const game = view === 'play' || view === 'review';
    byId('steps').hidden = !game;
    byId('undo').disabled = !state.canUndo;
    byId('redo').disabled = !state.canRedo;
    byId('explore').hidden = view === 'puzzle';
    byId('explore').setAttribute('aria-checked', settings.explore);
    drawBoard();
    drawStatus();
    views[view].render(keep);
  }

  // ---- the address ----

  function address() {
    const { view, state } = app;
    if (view === 'puzzle') return writeAddress({ view, start: puzzle.position() });
    if (view === 'editor') return writeAddress({ view, start: editor.text() });
    return writeAddress({
      view,
      ...state,
      start: state.start === app.engine.start ? null : state.start,
      resigned: state.over?.end === 'resigned',
    });
  }

  /** The game of an address, and whether all of it could be played. */
  function gameOf({ start, moves, at, resigned }) {
    const check = app.engine.checkPosition(start ?? app.engine.start);
    const game = app.engine.newGame(check.ok ? check.text : app.engine.start);
    let whole = check.ok && moves.every((move) => game.play(move).ok);
    if (whole && resigned) game.resign();
    if (at !== null) whole = Number.isInteger(at) && game.goto(at) && whole;
    return { game, whole };
  }

  /** Shows what the address says. */
  function follow(hash, { run = false } = {}) {
    const wanted = readAddress(hash);
    let whole = VIEWS.includes(wanted.view);
    app.stop();
    app.view = whole ? wanted.view : 'play';
    const isGame = app.view === 'play' || app.view === 'review';
    if (isGame || !app.game) {
      const found = gameOf(isGame ? wanted : readAddress(''));
      if (isGame) whole &&= found.whole;
      app.game?.free();
      app.game = found.game;
      app.refresh();
    }
    if (app.view === 'puzzle') {
      if (wanted.start === null) puzzle.enter();
      else if (!puzzle.open(wanted.start)) {
        whole = false;
        puzzle.enter();
      }
    }
    if (app.view === 'editor') {
      try {
        editor.load(wanted.start ?? app.state.position);
      } catch {
        whole = false;
        editor.load(app.engine.start);
      }
    }
    app.update({ replace: true });
    byId('notice').hidden = whole;
    byId('notice').textContent = whole ? '' : t('badLink');
    if (run) app.resume();
  }

  Object.assign(app, {
    say: (...words) => {
      byId('spoken').textContent = words.filter(Boolean).join(' ');
    },
    statusWords() {
      const { headline, subline } = status();
      return [headline, subline].filter(Boolean).join(t('stop') + t('between'));
    },
    set(name, value) {
      app.settings[name] = value;
      saveSettings(app.settings);
    },
    /** Draws everything and writes the address: as a new entry of the history, or in place of the last one. */
    update({ replace = false, keep } = {}) {
      byId('notice').hidden = true;
      render(keep);
      const hash = `#${address()}`;
      if (hash === (location.hash || '#')) return;
      history[replace ? 'replaceState' : 'pushState'](null, '', hash);
    },
    show(view) {
      if (view === app.view) return;
      app.stop();
      app.view = view;
      app.preview = null;
      if (view === 'puzzle') puzzle.enter();
      if (view === 'editor') editor.load(app.state.position);
      app.update();
      app.say(app.statusWords());
    },
    look(option) {
      app.preview = option;
      drawBoard();
      views[app.view].looked?.();
    },
    newGame: (position = app.engine.start, options) => app.begin(app.engine.newGame(position), options),
    explorePosition(position) {
      app.set('explore', true);
      app.newGame(position, { run: false });
    },
    /** Another puzzle, or another game. */
    next: () => (app.view === 'puzzle' ? puzzle.next() : app.newGame()),
    share: () =>
      openShare(byId('share'), {
        position: (views[app.view].scene ?? gameScene)().position,
        record: app.game.record(),
        open,
      }),
    render,
  });

  /** Opens a link, a position or a game; null, or what is wrong with it. */
  function open(text) {
    const [, hash] = /^(?:(?:https?|file):[^#]*)?(#\w+=.*)$/.exec(text) ?? [];
    if (hash) {
      history.pushState(null, '', hash);
      follow(hash);
      return null;
    }
    if (app.engine.checkPosition(text).ok) {
      app.newGame(text, { run: false });
      return null;
    }
    const read = text ? app.engine.readGame(text) : { ok: false, error: '' };
    if (!read.ok) return t('openFailed', read.error);
    app.begin(read.game, { run: false });
    return null;
  }

  window.addEventListener('popstate', () => follow(location.hash));

  createControls(app);
  byId('app').hidden = false; // before the first picture: what is hidden has no size to measure
  follow(location.hash, { run: !readAddress(location.hash).moves.length });
  byId('failure').remove();
  performance.mark('ready');
  setTimeout(() => engine.preparePuzzles(), 1000);
}

async function load() {
  // Without light-dark() the page has no colours.
  if (!CSS.supports('color', 'light-dark(#000, #fff)')) throw new EngineError('unsupported', 'no light-dark() in CSS');
  begin(await loadEngineFromPage(document));
}

function fail(error) {
  const kind = error instanceof EngineError ? error.kind : 'failed';
  setLanguage(app.settings.language);
  byId('failure').classList.add('now');
  byId('failure').querySelector('h2').textContent = t('failure');
  byId('failure').querySelector('p').textContent = t(`failed_${kind}`);
  byId('app').remove();
  if (kind === 'failed') console.error(error);
}

document.documentElement.dataset.theme = app.settings.theme;
load().catch(fail);
