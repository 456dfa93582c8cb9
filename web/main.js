// The page as a whole: loads the engine, knows which view is open, and updates the board, the texts and the address.

import { createBoard } from './board.js';
import { createControls, VIEWS } from './controls.js';
import { byId, fill } from './dom.js';
import { createEditor } from './editor.js';
import { EngineError, loadEngineFromPage } from './engine.js';
import { createExplore } from './explore.js';
import { disc, other, outcomeText } from './format.js';
import { createPlay } from './play.js';
import { readPosition, writePosition } from './position.js';
import { createPuzzle } from './puzzle.js';
import { createReview } from './review.js';
import { loadSettings, saveSettings } from './settings.js';
import { openShare, readAddress, writeAddress } from './share.js';
import { setLanguage, t } from './texts.js';

const app = {
  engine: null,
  settings: loadSettings(),
  view: 'play',
  game: null,
  state: null, // of the game
  cachedOptions: null, // of the state, once they are needed
  /** The moves with their values, best first, as game.options() returns them. */
  get options() {
    return (app.cachedOptions ??= app.state.over ? [] : app.game.options());
  },
  preview: null, // the move that is pointed at or has the focus: {move, from, to, value}
  randomSeed: () => crypto.getRandomValues(new Uint32Array(1))[0],
  reducedMotion: () => matchMedia('(prefers-reduced-motion: reduce)').matches,
};

function start(engine) {
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
    onPick: (square) => square && app.announce(`${square}, ${t('picked')}`),
    onPreview: (option) => app.setPreview(option),
  });
  byId('board').append(board.element);
  const explore = createExplore(app);
  const play = createPlay(app, byId('view-play'), explore);
  const review = createReview(app, byId('view-review'), explore);
  const puzzle = createPuzzle(app, byId('view-puzzle'));
  const editor = createEditor(app, byId('view-editor'));
  const views = { play, review, puzzle, editor };

  /** What the board shows in Play and Review. */
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
        headline: t(`end_${over.end}`, over.winner && t(over.winner)),
        subline: t(`endDetail_${over.end}`, plies, t(over.winner ? other(over.winner) : toMove)),
      };
    const turn = t(app.thinking() ? 'thinking' : 'toMove', t(toMove));
    const repeated = repetitions === 2 ? t('repeated') : '';
    if (!app.settings.explore) return { side: toMove, headline: turn, subline: repeated };
    return {
      side: toMove,
      headline: outcomeText(app.options[0].value, toMove, 'inPlies'),
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

  /** The game of an address, and whether all of the address was valid. */
  function gameFromAddress({ start, moves, at, resigned }) {
    const check = app.engine.checkPosition(start ?? app.engine.start);
    const game = app.engine.newGame(check.ok ? check.text : app.engine.start);
    let valid = check.ok && moves.every((move) => game.play(move).ok);
    if (valid && resigned) game.resign();
    if (at !== null) valid = Number.isInteger(at) && game.goto(at) && valid;
    return { game, valid };
  }

  /** Shows the view and the position or game of an address. */
  function openAddress(hash, { run = false } = {}) {
    const target = readAddress(hash);
    let valid = VIEWS.includes(target.view);
    app.stop();
    app.view = valid ? target.view : 'play';
    const isGame = app.view === 'play' || app.view === 'review';
    if (isGame || !app.game) {
      const opened = gameFromAddress(isGame ? target : readAddress(''));
      if (isGame) valid &&= opened.valid;
      app.game?.free();
      app.game = opened.game;
      app.refresh();
    }
    if (app.view === 'puzzle' && (target.start === null || !puzzle.open(target.start))) {
      valid &&= target.start === null;
      puzzle.enter();
    }
    if (app.view === 'editor') {
      try {
        editor.load(target.start ?? app.state.position);
      } catch {
        valid = false;
        editor.load(app.engine.start);
      }
    }
    app.update({ replace: true });
    byId('notice').hidden = valid;
    byId('notice').textContent = valid ? '' : t('badLink');
    if (run) app.resume();
  }

  Object.assign(app, {
    /** Has a screen reader speak the sentences. */
    announce: (...sentences) => {
      byId('spoken').textContent = sentences.filter(Boolean).join(' ');
    },
    statusText() {
      const { headline, subline } = status();
      return [headline, subline].filter(Boolean).join(t('stop') + t('between'));
    },
    set(name, value) {
      app.settings[name] = value;
      saveSettings(app.settings);
    },
    /** Draws everything and adds the address to the history, or replaces its last entry. `keep` is for render(). */
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
      app.announce(app.statusText());
    },
    setPreview(option) {
      app.preview = option;
      drawBoard();
      views[app.view].previewChanged?.();
    },
    newGame: (position = app.engine.start, options) => app.openGame(app.engine.newGame(position), options),
    explorePosition(position) {
      app.set('explore', true);
      app.newGame(position, { run: false });
    },
    /** Shows the next puzzle, or starts a new game. */
    next: () => (app.view === 'puzzle' ? puzzle.next() : app.newGame()),
    share: () =>
      openShare(byId('share'), {
        position: (views[app.view].scene ?? gameScene)().position,
        record: app.game.record(),
        open,
      }),
    render,
  });

  /** Opens a link, a position or a game. Returns null or an error message. */
  function open(text) {
    const [, hash] = /^(?:(?:https?|file):[^#]*)?(#\w+=.*)$/.exec(text) ?? [];
    if (hash) {
      history.pushState(null, '', hash);
      openAddress(hash);
      return null;
    }
    if (app.engine.checkPosition(text).ok) {
      app.newGame(text, { run: false });
      return null;
    }
    const read = text ? app.engine.readGame(text) : { ok: false, error: '' };
    if (!read.ok) return t('openFailed', read.error);
    app.openGame(read.game, { run: false });
    return null;
  }

  window.addEventListener('popstate', () => openAddress(location.hash));

  createControls(app);
  byId('app').hidden = false; // before the board is drawn: a hidden element has no size to measure
  openAddress(location.hash, { run: !readAddress(location.hash).moves.length });
  byId('failure').remove();
  performance.mark('ready');
  setTimeout(() => engine.preparePuzzles(), 1000);
}

async function load() {
  // Without light-dark() the page has no colours.
  if (!CSS.supports('color', 'light-dark(#000, #fff)')) throw new EngineError('unsupported', 'no light-dark() in CSS');
  start(await loadEngineFromPage(document));
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
