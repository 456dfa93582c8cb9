// The page as a whole: loads the engine, knows which view is open, and updates the board, the texts and the address.

import { html, nothing, render as renderInto } from 'lit-html';
import { live } from 'lit-html/directives/live.js';

import { createBoard } from './board/board.js';
import { boardName, startOf, STANDARD, useRules } from './state/boards.js';
import { createCourse } from './course.js';
import { createDemo } from './demo.js';
import { createHelp, createMenu, createShare } from './dialogs.js';
import { button, byId, fill, h, icon, iconButton, newTask, pause, switchButton } from './views/dom.js';
import { createEditor } from './editor.js';
import { createEmbedded } from './views/embedded.js';
import { EngineError, loadEngineFromPage } from '../engine/engine.js';
import { isMeantAsPosition, positionFault, recordFault } from './state/errors.js';
import { createExplore } from './explore.js';
import { kindOf } from './failure.js';
import {
  asSentence, boardTitle, DASH, disc, faultText, nameOpponents, other, SIDES, unreadText,
} from './views/format.js';
import { createFriend, friendNumber } from './friend.js';
import { createGames } from './games.js';
import { connectKeys } from './board/keys.js';
import { createLaboratory } from './laboratory.js';
import { BLANK } from './board/picture.js';
import { createPlay } from './play.js';
import { parseSquare, readPosition, writePosition } from './state/position.js';
import { createPuzzle } from './puzzle.js';
import { createReview } from './review.js';
import { createReviewer } from './reviewer.js';
import {
  isFull, keyOf, loadGame, loadGames, loadRecord, loadSettings, newestGames, newestRecord, newestSetting, save,
  saveSetting, useStoresOf,
} from './state/storage.js';
import { endOf, readAddress, writeAddress, writeGame } from './state/address.js';
import { createIntroduction, createStart } from './start.js';
import { createStore } from './state/store.js';
import { createStatistics } from './statistics.js';
import { createStudy, pack, readStudy } from './study.js';
import { setLanguage, t } from './texts.js';
import { MOST_MOVES, Tree } from './state/tree.js';

/**
 * @import {
 *   App, Dialog, DialogName, Opened, Scene, Shape, StoredGame, TabName, Target, View, ViewName
 * } from './types.js'
 */

/** @type {TabName[]} */
const TABS = ['play', 'review', 'puzzle', 'explore'];
/** @type {ViewName[]} */
const VIEWS = [...TABS, 'editor', 'study', 'lessons', 'laboratory', 'board'];
/** The tab of a view that is not one itself. @type {Partial<Record<ViewName, TabName>>} */
const TAB_OF = { editor: 'explore', study: 'explore', laboratory: 'explore', lessons: 'puzzle' };
/** The tab that a view belongs to. @type {(view: ViewName) => TabName} */
const tabOf = (view) => TAB_OF[view] ?? /** @type {TabName} */ (view);
/** The state of the entries that this page adds to the history: others are addresses that the user has entered. */
const OURS = 'neutreeko';
const TYPING = 300; // milliseconds between the times when what is typed is stored
/** @param {ViewName} view */
const ofGame = (view) => ['play', 'review', 'explore', 'board'].includes(view);

const store = createStore();

/** @type {App} */
const app = /** @type {any} */ ({
  settings: loadSettings(),
  record: loadRecord(),
  view: 'play',
  introduction: null,
  get dialog() {
    return store.state.dialog;
  },
  get notice() {
    return store.state.notice;
  },
  get asked() {
    return store.state.asked;
  },
  get turned() {
    return store.state.turned;
  },
  get preview() {
    return store.state.preview;
  },
  get demo() {
    return store.state.demo;
  },
  /** @param {import('./state/types.js').Action} action */
  dispatch: (action) => store.dispatch(action),
  /** @param {string} id */
  isMeant(id) {
    const isMeant = app.asked === id;
    app.dispatch({ type: 'ask', id: isMeant ? null : id });
    return isMeant;
  },
  cachedChoices: null,
  get choices() {
    return (app.cachedChoices ??= app.state.end ? [] : app.game.choices());
  },
  randomSeed: () => crypto.getRandomValues(new Uint32Array(1))[0],
});

/** @param {import('../engine/engine.js').Engine} engine */
async function start(engine) {
  useRules(engine);
  const standard = { engine, source: null, start: startOf(engine) };

  app.board = {
    read: (text) => readPosition(text, app.engine.board),
    write: (pieces, toMove) => writePosition(pieces, toMove, app.engine.board),
  };
  app.flipped = () => {
    const side = app.view === 'puzzle' ? puzzle.side() : app.introduction || !ofGame(app.view) ? 'black' : app.you();
    return (side === 'white') !== app.turned;
  };

  /** @type {import('./board/board.js').Handlers} */
  const handlers = {
    onMove: (move) => current().move?.(move),
    onSquare: (square, key) => editor.square(square, key),
    onPick: (square) => {
      if (app.introduction) introduction.pick(square);
      app.announce(square ? `${square}${t('comma')}${t('picked')}` : t('deselected'));
    },
    onDraw: (from, to) => current().draw?.(from, to),
    onRefuse: (from, to) => app.announce(t(from ? 'refusedTarget' : 'refusedSquare', to, from)),
    onPreview: (choice) => app.setPreview(choice),
  };
  /** @type {Record<string, ReturnType<typeof createBoard>>} */
  const boards = {};
  /**
   * The board of a shape on the page.
   * @param {Shape} shape
   */
  const boardOf = ({ width, height }) => (boards[`${width}x${height}`] ??= createBoard({ width, height }, handlers));
  const shape = () => current().shape?.() ?? app.engine.board;
  /** Whether the game is shown. */
  const isGame = () => ofGame(app.view) && !app.introduction;
  const board = () => boardOf(shape());

  /**
   * Works with another engine from now on.
   * @param {Opened} opened
   */
  function use(opened) {
    const { source } = opened;
    app.engine = opened.engine;
    app.source = source;
    app.opponents = app.engine.opponents();
    nameOpponents(app.opponents);
    app.boardName = boardName(app.engine.board);
    app.proposed = opened.start;
    const chosen = app.engine.checkPosition(app.settings.starts[app.boardName] ?? '');
    app.start = chosen.ok ? chosen.position : app.proposed;
    useStoresOf(app.boardName);
    app.record = loadRecord();
    app.games = loadGames();
    Object.assign(app, { game: null, tree: null, introduction: null });
    app.stopDemo();
    puzzle.forget(source);
    explore.forget(source);
    study.forget();
  }

  createDemo(app);
  app.reviewer = createReviewer(app);
  createGames(app);
  const friend = createFriend(app);
  const play = createPlay(app, friend);
  const introduction = createIntroduction(app);
  const puzzle = createPuzzle(app);
  const review = createReview(app);
  const study = createStudy(app, {
    treeOf: (entry) => treeFromAddress({ ...entry, end: '' }),
    explore(entry) {
      app.openTree(treeFromAddress({ ...entry, end: '' }).tree, { view: 'explore' });
      app.foreign = true;
      app.update();
    },
  });
  const explore = createExplore(app, study);
  const course = createCourse(app);
  const editor = createEditor(app);
  const laboratory = createLaboratory(app, {
    standard,
    playOn(opened) {
      use(opened);
      openGame(readAddress(''), 'play');
      app.update();
    },
  });
  /** @type {Record<ViewName, View>} */
  const views = {
    play, review, puzzle, explore: { ...explore, move: app.play }, editor, laboratory, study, lessons: course,
    board: createEmbedded(app, () => `#${gameAddress('explore')}`),
  };
  /** @type {Record<DialogName, Dialog>} */
  const dialogs = {
    start: createStart(app),
    menu: createMenu(app),
    help: createHelp(app),
    statistics: createStatistics(app),
    share: createShare(app, { scene, shape, openText, isGame, embedded }),
  };

  /** @returns {View} */
  const current = () => (app.introduction ? introduction : views[app.view]);
  const status = () => current().status() ?? play.status();

  /** @param {Scene} scene */
  function winningOf({ position, winners }) {
    return winners && app.engine.winningSquares(position, winners);
  }

  function scene() {
    const game = isGame() ? play.scene() : {};
    const shown = app.demo ? app.demoScene() : current().scene(game);
    const whole = { ...BLANK, flip: app.flipped(), ...shown };
    return { ...whole, winning: winningOf(whole) };
  }

  // ---- the page ----

  /**
   * The focused tab can be reached by Tab before it is selected: in the middle of other changes, setting that would
   * have the browser compute all styles.
   * @param {TabName} name
   */
  const tab = (name) => {
    const selected = name === tabOf(app.view);
    return html`<button
      type="button"
      role="tab"
      id="tab-${name}"
      aria-selected=${selected}
      aria-controls=${selected ? 'view' : nothing}
      tabindex=${live(selected ? '0' : '-1')}
      @focus=${(/** @type {any} */ { target }) => (target.tabIndex = 0)}
      @click=${() => app.show(name)}
    >
      ${icon(name)}<span>${t(name === 'puzzle' ? 'puzzles' : name)}</span>
    </button>`;
  };

  function bar() {
    return html`${
        isGame()
          ? html`<div class="bar-group" role="group" aria-label=${t('steps')}>
              ${iconButton('undo', 'back', t('undo'), () => app.step(-1), { disabled: app.target(-1) === null })}
              ${iconButton('redo', 'forward', t('redo'), () => app.step(1), { disabled: app.target(1) === null })}
            </div>`
          : nothing
      }
      ${app.introduction ? nothing : iconButton('flip', 'flip', t('flip'), () => app.flip())}
      ${app.introduction && app.introduction !== 'done' ? button('skip', t('skip'), introduction.skip) : nothing}
      ${app.view === 'play' && !app.introduction
        ? switchButton('values', t('showValues'), app.settings.values, () => app.toggleValues()) : nothing}`;
  }

  /** The name of the page, what is on all views, and the tabs. */
  const header = () =>
    html`<header class="top">
        <h1>
          <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
            <circle cx="6" cy="26" r="5" /><circle cx="16" cy="16" r="5" /><circle cx="26" cy="6" r="5" /></svg
          ><span>${t('title')}</span>
        </h1>
        <div class="tools">
          ${app.boardName === STANDARD ? nothing
            : iconButton('standard-button', 'home', t('standardGame'), () => app.standardGame())}
          ${iconButton('share-button', 'share', t('share'), () => app.open('share'), { dialog: true })}
          ${iconButton('help-button', 'help', t('help'), () => app.open('help'), { dialog: true })}
          ${iconButton('menu-button', 'menu', t('menu'), () => app.open('menu'), { dialog: true })}
        </div>
      </header>
      <nav aria-label=${t('views')}>
        <div class="tabs" role="tablist" aria-label=${t('views')}>${TABS.map(tab)}</div>
      </nav>`;

  const page = () => {
    const { side, headline, mark, subline, wrong } = status();
    const title = current().title?.();
    const view = tabOf(app.view);
    const isEmbedded = app.view === 'board';
    return html`${isEmbedded ? nothing : header()}
      <main class=${title ? 'ended' : ''}>
        <div class="status">
          <div>${
            title ??
            html`<h2 id="headline">${side ? disc(side) : nothing}${headline}${mark
              ? html`<span class="mark">${mark}</span>` : nothing}</h2>
              <p id="subline" class=${wrong ? 'wrong' : ''}>${subline}</p>`
          }</div>
        </div>
        <div id="board">${board().element}</div>
        <div class="bar">${bar()}</div>
        <section class="panel" aria-label=${t(view === 'puzzle' ? 'puzzles' : view)}>
          ${
            app.boardName === STANDARD || app.view === 'laboratory'
              ? nothing
              : html`<p id="board-name" class="note">${boardTitle(app.engine.board)}</p>`
          }
          <p id="notice" class="wrong" role="alert" ?hidden=${!app.notice}>${app.notice}</p>
          <div id="view" tabindex="0" data-view=${app.view}
            role=${isEmbedded ? nothing : 'tabpanel'} aria-labelledby=${isEmbedded ? nothing : `tab-${view}`}>
            ${current().panel()}
          </div>
          <p class="printed">${location.href.split('#')[0]}<br />${t('position')}: ${scene().position}</p>
        </section>
      </main>
      <dialog id=${app.dialog ?? 'dialog'} aria-labelledby="dialog-title" @close=${closed}
        @click=${(/** @type {any} */ { target }) => target.matches('dialog') && app.close()}>
        ${app.dialog ? dialogs[app.dialog].content() : nothing}
      </dialog>`;
  };

  const dialog = () => /** @type {HTMLDialogElement} */ (document.querySelector('dialog'));

  /** @type {DialogName | null} */
  let shown = null; // the dialog that was opened last
  let panelShown = ''; // what the panel shows: a view, or the result of a game

  /** The user has closed the dialog, with Escape for example. */
  const closed = () => dialog().open || app.close();

  function render() {
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    const keyboard = focused !== document.body && focused?.matches(':focus-visible');
    // Closed by the user; its event comes later.
    if (shown && shown === app.dialog && !dialog().open) app.dispatch({ type: 'dialog', name: null });
    const [content, seen] = [page(), scene()];
    // Before the changes: when the focus is lost in between, with a removed element, the browser computes all styles,
    // and the layout when the panel scrolls.
    if (byId('view')?.dataset.view !== app.view && focused?.closest('#view')) focused.blur();
    const inPanel = current().title?.() ? 'result' : app.view;
    if (inPanel !== panelShown) document.querySelector('.panel')?.scrollTo(0, 0);
    panelShown = inPanel;
    board().draw(seen);
    renderInto(content, byId('app'));
    // The focus goes into each dialog, also into one that takes the place of another.
    if (dialog().open && shown !== app.dialog) dialog().close();
    if (app.dialog && !dialog().open) dialog().showModal();
    shown = app.dialog;
    // A control that disappears or is disabled leaves the focus to the panel, where pressing the key again does
    // nothing. Later, because the browser then lays out the page.
    if (keyboard && (!focused.isConnected || focused.matches(':disabled')) && !app.dialog)
      setTimeout(() => {
        const { activeElement } = document;
        if (activeElement === document.body || activeElement === focused) byId('view').focus();
      });
  }

  // ---- the address and the stored game ----

  /** @param {ViewName} view */
  const gameAddress = (view) =>
    view === 'play' && friendNumber(app.players)
      ? friend.address()
      : writeGame({ board: app.boardName, view, start: app.start, tree: app.tree });

  function address() {
    const { view } = app;
    if (view === 'laboratory') return waiting ?? writeAddress({ board: laboratory.board(), view });
    if (view === 'puzzle') return writeAddress({ board: app.boardName, view, start: puzzle.position() });
    if (view === 'lessons') return writeAddress({ ...course.place(), board: app.boardName, view });
    if (view === 'editor') return writeAddress({ board: app.boardName, view, start: editor.text() });
    if (view === 'study') return writeAddress({ board: app.boardName, view, study: study.packed() });
    return gameAddress(view);
  }

  /** The address of what is shown, for a frame in another page. */
  function embedded() {
    if (isGame()) return gameAddress('board');
    const board = app.view === 'laboratory' ? laboratory.board() : app.boardName;
    return writeAddress({ board, view: 'board', start: scene().position });
  }

  /** @param {string} name */
  const isSquare = (name) => {
    const { file, rank } = parseSquare(name);
    return file >= 0 && file < app.engine.board.width && rank >= 0 && rank < app.engine.board.height;
  };

  /**
   * The tree of an address, and whether all of the address was valid.
   * @param {Target} target
   */
  function treeFromAddress({ start: from, moves, at, end, last, notes }) {
    const check = app.engine.checkPosition(from ?? app.start);
    const position = check.ok ? check.position : app.start;
    const line = check.ok ? moves : ''; // of another position
    let valid = check.ok;
    let tree;
    try {
      tree = Tree.read(position, line, at, last);
    } catch {
      valid = false;
      try {
        tree = Tree.read(position, line, null);
      } catch {
        tree = new Tree(position);
      }
    }
    valid = tree.annotate(check.ok ? notes : '', isSquare) && valid;
    const path = tree.path();
    const game = app.engine.newGame(position);
    if (!tree.prune((move, ply) => game.goto(ply) && isPlayed(game, move))) {
      valid = false;
      tree.last = null;
      const gone = path.findIndex((node) => !node.parent?.children.includes(node));
      tree.goto((gone < 0 ? path : path.slice(0, gone)).at(-1) ?? tree.root);
    }
    game.free();
    const [resigned, side] = /^(?:resigned(?:-(black|white))?)?$/.exec(end) ?? [];
    if (resigned) {
      const { toMove } = app.board.read(position);
      const last = tree.end();
      last.resigned = SIDES.find((one) => one === side) ?? (tree.path(last).length % 2 ? other(toMove) : toMove);
    }
    return { tree, valid: valid && resigned !== undefined };
  }

  const against = () => !app.isHuman('black') || !app.isHuman('white');

  /** The game of this window or, if that has none, the one that was stored last. */
  const stored = () => {
    const game = loadGame('sessionStorage') ?? loadGame('localStorage');
    return game && app.isKnown(game.black) && app.isKnown(game.white) ? game : null;
  };

  /**
   * @param {StoredGame} game
   * @param {ViewName} view
   */
  function openStored(game, view) {
    const { tree } = treeFromAddress(game);
    const { black, white, counted } = game;
    app.openTree(tree, { players: { black, white }, counted, view });
  }

  function store() {
    if (app.foreign || !app.tree.root.chosen && !app.started) return;
    const { text, at, last, notes } = app.tree.write();
    save('game', {
      start: app.tree.start,
      moves: text,
      at,
      last,
      end: endOf(app.tree),
      notes,
      ...app.players,
      counted: app.counted,
    });
  }

  /**
   * Adds an address to the history, or replaces its last entry.
   * @param {string} address
   */
  function remember(address, { replace = false } = {}) {
    try {
      history[replace ? 'replaceState' : 'pushState'](OURS, '', address);
    } catch {
      /* Too many changes in a short time, for some browsers: the address follows with the next one. Or a frame whose
         address cannot change. */
    }
  }

  /** Adds the address to the history, or replaces its last entry, and stores the game. */
  function record({ replace = false, notice = '' } = {}) {
    store();
    app.dispatch({ type: 'notice', text: notice || (isFull() ? t('storageFull') : '') });
    const hash = `#${address()}`;
    const isNew = hash !== (location.hash || '#');
    if (isNew || history.state !== OURS) remember(hash, { replace: replace || !isNew });
  }

  let storing = 0; // the timer after which what has been typed meanwhile is stored
  let isTyped = false;
  const storeTyped = () => {
    clearTimeout(storing);
    storing = 0;
    if (isTyped) record({ replace: true, notice: app.notice });
    isTyped = false;
  };

  /** Stores what is typed: at once, then at most every so many milliseconds, and when the page is left. */
  function storeSoon() {
    isTyped = true;
    if (storing) return;
    storeTyped();
    storing = setTimeout(storeTyped, TYPING);
  }

  /**
   * Opens the game of an address, unless it is the one that is open already, in which it may be another move.
   * @param {Target & {empty: boolean}} target
   * @param {ViewName} view
   */
  function openGame(target, view) {
    const { tree, valid } = treeFromAddress(target);
    const moves = tree.path().map(({ move }) => move);
    const game = app.tree ? null : stored();
    if (game && (target.empty || (game.start === tree.start && treeFromAddress(game).tree.includes(tree)))) {
      openStored(game, view);
      if (target.at !== null) app.tree.follow(moves);
      if (target.empty && against() && !app.tree.isInGame()) app.tree.gotoEnd();
      app.refresh();
    } else if (app.tree?.includes(tree)) {
      app.tree.follow(moves);
      app.refresh();
    } else {
      app.openTree(tree, { view });
      app.foreign = Boolean(tree.root.chosen) || tree.start !== app.start;
    }
    return valid;
  }

  /**
   * Opens the game of an address without what is stored on the device.
   * @param {Target} target
   */
  function openEmbedded(target) {
    const { tree, valid } = treeFromAddress(target);
    app.openTree(tree, { view: 'board' });
    app.foreign = true;
    return valid;
  }

  /**
   * Opens the game against a friend that a link holds. Returns a message, or ''.
   * @param {Target & {valid: boolean}} target
   */
  function openFriend(target) {
    const openOwn = (/** @type {string} */ name) => {
      const isOf = (/** @type {import('./types.js').Players} */ { black, white }) => black === name || white === name;
      if (app.tree && isOf(app.players)) return true;
      const game = stored();
      if (!game || !isOf(game)) return false;
      openStored(game, 'play');
      return true;
    };
    const { tree, valid } = treeFromAddress(target);
    return friend.open(target, { tree, valid: valid && target.valid }, openOwn, stored() !== null);
  }

  /** @type {string | null} */
  let waiting = null; // an address whose board is being opened or solved

  /**
   * Opens an address on another board, which is opened or solved first, in the laboratory.
   * @param {string} hash
   * @param {string} name
   */
  async function openElsewhere(hash, name) {
    app.stopDemo(); // of a line on the board before
    const known = name !== STANDARD && laboratory.choose(name);
    if (!known) {
      use(standard);
      openAddress(name === STANDARD ? hash : '');
      if (name !== STANDARD) app.update({ replace: true, notice: t('badLink') });
      return;
    }
    if (!app.tree) openGame(readAddress(''), 'play');
    const mine = (waiting = hash.replace(/^#/, ''));
    Object.assign(app, { view: 'laboratory', introduction: null });
    app.update({ replace: true });
    const opened = await laboratory.open(name);
    if (waiting !== mine) return; // the user has gone on
    waiting = null;
    if (opened) {
      use(opened);
      return openAddress(hash);
    }
    laboratory.enter();
    app.update({ replace: true });
  }

  /**
   * Shows the view and the position or game of an address, or the introduction in its place.
   * @param {string} hash
   */
  function openAddress(hash, { introduced = true } = {}) {
    waiting = null;
    const target = readAddress(hash);
    if (target.view !== 'laboratory' && target.board !== app.boardName) {
      openElsewhere(hash, target.board);
      return;
    }
    // The lessons are those of the standard board.
    const known = VIEWS.find((name) => name === target.view && (name !== 'lessons' || app.boardName === STANDARD));
    let valid = known !== undefined && target.valid;
    const view = known ?? 'play';
    app.introduction = null;
    app.stopDemo();
    let notice = '';
    if (target.friend && view === 'play') notice = openFriend(target);
    else if (view === 'board') valid = openEmbedded(target) && valid;
    else if (ofGame(view)) valid = openGame(target, view) && valid;
    else if (!app.tree) openGame(readAddress(''), 'play');
    app.view = view;
    if (view === 'review' && target.at === null) review.enter();
    if (view === 'laboratory') {
      valid = laboratory.choose(target.board) && valid;
      laboratory.enter();
    }
    if (view === 'puzzle' && (target.start === null || !puzzle.open(target.start))) {
      valid &&= target.start === null;
      puzzle.enter();
    }
    if (view === 'lessons') valid = course.enter(target.at, target.start) && valid;
    if (view === 'editor') {
      try {
        editor.load(target.start ?? app.state.position);
      } catch {
        valid = false;
        editor.load(app.start);
      }
    }
    if (view === 'study') {
      if (target.study) study.open(target.study);
      else study.enter();
    }
    if (!introduced) introduction.begin();
    app.update({ replace: true, notice: notice || (valid ? '' : t('badLink')) });
  }

  /**
   * Opens a link, a position, a game or a study. Returns null or an error message.
   * @param {string} text
   */
  async function openText(text) {
    const [, hash] = /^(?:(?:https?|file):[^#]*)?(#.*)$/.exec(text) ?? [];
    const target = hash ? readAddress(hash) : null;
    if (target?.valid && !target.empty) {
      remember(hash);
      openAddress(hash);
      return null;
    }
    if (text.startsWith('{')) {
      const found = readStudy(text);
      if (!found) return t('studyDamaged');
      const link = `#${writeAddress({ board: found.board, view: 'study', study: await pack(found) })}`;
      remember(link);
      openAddress(link);
      return null;
    }
    const check = app.engine.checkPosition(text);
    if (check.ok) {
      app.openPosition(check.position);
      return null;
    }
    if (!text || hash) return t('openFailed');
    if (isMeantAsPosition(text, check.error)) {
      const fault = positionFault(text, check.error, app.engine.board.pieces);
      return [t('openFailed'), faultText(fault)].join(t('between'));
    }
    let game;
    try {
      game = app.engine.readGame(text);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return [t('openFailed'), unreadText(recordFault(app.engine, text, error, app.board.read))].join(t('between'));
    }
    const { start: from, moves, undone, end } = game.state();
    game.free();
    const all = [...moves, ...undone];
    if (all.length > MOST_MOVES) return t('tooManyMoves', MOST_MOVES);
    const line = all.map((move) => move.replace('-', '')).join('.');
    app.openTree(Tree.read(from, line, moves.length), { view: 'review' });
    if (end?.reason === 'resigned') app.tree.current.resigned = end.winner === 'black' ? 'white' : 'black';
    app.foreign = true;
    app.refresh();
    app.update();
    return null;
  }

  /** @type {Partial<App>} */
  const offered = {
    render,
    /** Has a screen reader speak the sentences. */
    announce: (...sentences) => {
      /** @param {string | false | null | undefined | (() => string)} sentence */
      const spoken = (sentence) => (typeof sentence === 'function' ? sentence() : sentence);
      const text = sentences.map(spoken).filter(Boolean).join(t('between')).replaceAll(DASH, t('spokenDash'));
      const region = byId('spoken');
      region.textContent = text === region.textContent ? `${text}\u00a0` : text; // what is the same is not spoken again
    },
    statusText() {
      const { headline, mark, subline } = status();
      const marked = mark ? `${headline}${t('comma')}${t(mark === '?' ? 'mistake' : 'blunder')}` : headline;
      return [asSentence(marked), subline && asSentence(subline)].filter(Boolean).join(t('between'));
    },
    set(name, value) {
      app.settings[name] = value;
      saveSetting(name, value);
    },
    update(options) {
      record(options);
      render();
      app.schedule();
    },
    storeSoon,
    moved: review.reset,
    async show(view, theme) {
      if (view === app.view && !app.introduction) return;
      waiting = null;
      if (app.introduction) app.set('met', true);
      Object.assign(app, { view, introduction: null });
      app.dispatch({ type: 'subject' });
      explore.leave();
      app.stopDemo();
      if (view === 'play' && against()) {
        app.tree.gotoEnd(); // what was tried elsewhere is a variation
        app.refresh();
      }
      if (view === 'review') review.enter();
      if (view === 'puzzle') puzzle.enter();
      if (view === 'lessons') theme ? course.practise(theme) : course.enter();
      if (view === 'laboratory') laboratory.enter();
      if (view === 'study') study.enter();
      if (view === 'editor') editor.load(app.state.position);
      record();
      await newTask();
      render();
      app.schedule();
      app.announce(app.statusText);
    },
    setPreview(choice) {
      app.dispatch({ type: 'preview', move: choice });
      render();
    },
    async openPosition(position) {
      app.openTree(new Tree(position), { view: 'explore' });
      app.foreign = true;
      record();
      await newTask();
      render();
      app.schedule();
    },
    open(name) {
      dialogs[name].reset?.();
      if (!dialog().open) shown = null;
      app.dispatch({ type: 'dialog', name });
      render();
    },
    close() {
      if (!app.dialog) return;
      app.dispatch({ type: 'dialog', name: null });
      render();
      app.schedule();
    },
    next() {
      if (app.view === 'puzzle') puzzle.next();
      else if (app.view === 'lessons') course.next();
      else app.openStart();
    },
    flip() {
      app.dispatch({ type: 'flip' });
      render();
      app.announce(t('flipped', t(app.flipped() ? 'white' : 'black')));
    },
    toggleValues() {
      app.set('values', !app.settings.values);
      app.dispatch({ type: 'preview', move: null });
      render();
      app.announce(app.statusText);
    },
    setLanguage(code) {
      app.set('language', code);
      // Which may ask for another.
      if (location.search) remember(location.pathname + location.hash, { replace: true });
      setLanguage(code);
      document.title = t('title');
      render();
    },
    setTheme(theme) {
      app.set('theme', theme);
      applyTheme();
      render();
    },
    otherGame: () => (app.foreign ? stored() : null),
    resumeGame() {
      const game = app.otherGame();
      if (game) openStored(game, 'play');
      if (against()) app.tree.gotoEnd(); // it may have been left at a move that was reviewed
      app.refresh();
      app.update();
    },
    reviewGame(game) {
      openStored({ ...game, at: null, last: -1, notes: '', counted: true }, 'review');
      app.foreign = true;
      review.enter();
      app.update();
      app.announce(app.statusText);
    },
    /** Has games on this board of the laboratory begin here; with null, in the position that the engine proposes. */
    chooseStart(position) {
      const { [app.boardName]: _, ...others } = newestSetting('starts', app.settings);
      app.set('starts', position ? { ...others, [app.boardName]: position } : others);
      app.start = position ?? app.proposed;
    },
    /** Leaves the board of the laboratory. */
    standardGame() {
      remember('#');
      openAddress('');
    },
    startLesson() {
      app.view = 'play';
      introduction.begin();
      app.update({ notice: app.notice });
      app.announce(app.statusText);
    },
  };
  Object.assign(app, offered);

  window.addEventListener('popstate', (event) => {
    const beneath = dialog().open && event.state;
    app.close();
    if (!beneath) return openAddress(location.hash);
    remember(`#${address()}`); // closing the dialog was all that going back has done
  });
  window.addEventListener('pagehide', () => {
    storeTyped();
    study.storeTyped();
  });
  window.addEventListener('storage', ({ key }) => {
    if (key === keyOf('record')) app.record = newestRecord(app.record); // another window has counted something
    else if (key === keyOf('games')) app.games = newestGames(app.games);
    else if (key === keyOf('study')) return study.changedElsewhere();
    else if (key === keyOf('settings')) app.settings.lessons = newestSetting('lessons', app.settings);
    else if (key === keyOf('game') && app.tree?.root.chosen && !app.foreign) {
      const saved = loadGame('localStorage');
      if (saved?.start === app.tree.start && saved.moves === app.tree.write().text) return;
      app.dispatch({ type: 'notice', text: t('otherWindow') });
    } else return;
    render();
  });
  /** Another action than the one that is asked about takes the question back. @param {Event} event */
  const takeBack = (event) => {
    const { target } = event;
    if (!app.asked || (target instanceof Element && target.closest(`#${app.asked}`) && event.type === 'click')) return;
    if (event instanceof KeyboardEvent && ['Enter', ' ', 'Tab', 'Shift'].includes(event.key)) return; // a click follows
    app.dispatch({ type: 'ask', id: null });
    setTimeout(render); // after the action
  };
  for (const type of ['click', 'keydown']) window.addEventListener(type, takeBack, true);
  connectKeys(app, { focusBoard: () => board().focus(), ofGame, tabs: TABS });
  setLanguage(app.settings.language);
  document.title = t('title');
  use(standard);
  await newTask();
  board(); // takes so long that it is done in a task of its own
  byId('app').hidden = false; // nothing hidden can have the focus
  await newTask();
  board().draw({ ...BLANK, position: app.start }); // most of what the first drawing takes; not yet in the page
  await newTask();
  const isNew = readAddress(location.hash).empty && !stored();
  openAddress(location.hash, { introduced: !isNew || app.settings.met });
  byId('failure').remove();
  await pause();
  if (isNew && app.settings.met) app.openStart();
  performance.mark('ready');
  // Only the site has a manifest, see site.mjs.
  if (document.querySelector('link[rel=manifest]'))
    registerWorker(() => {
      app.dispatch({ type: 'notice', text: t('newVersion') });
      render();
    });
}

/**
 * Has the site work offline, if possible: a frame may have no access, and a server may lack the file.
 * @param {() => void} onNewVersion called when the next visit will show another version
 */
async function registerWorker(onNewVersion) {
  try {
    const { serviceWorker } = navigator;
    if (serviceWorker.controller) serviceWorker.addEventListener('controllerchange', onNewVersion);
    await serviceWorker.register('sw.js');
  } catch {
    /* The page works without. */
  }
}

/**
 * Whether a move is legal in a game; it is played then.
 * @param {import('../engine/engine.js').Game} game
 * @param {string} move
 */
function isPlayed(game, move) {
  try {
    game.play(move);
    return true;
  } catch {
    return false;
  }
}

/** Gives the page, and the browser's own bar around it, the colours of the theme. */
function applyTheme() {
  document.documentElement.dataset.theme = app.settings.theme;
  const { backgroundColor } = getComputedStyle(document.body);
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', backgroundColor);
}

async function load() {
  const engine = await loadEngineFromPage(document);
  await start(engine);
  await engine.finish();
}

/** @param {unknown} error */
function fail(error) {
  const kind = kindOf(error);
  setLanguage(app.settings.language);
  // There is no place for the message any more if only the check of the table has found that it is damaged.
  const message = document.getElementById('failure') ?? h('div', { id: 'failure', role: 'alert' });
  message.className = 'failure now';
  // What it says in the page is for a browser that is too old, see load.js.
  if (kind !== 'unsupported') fill(message, h('h2', {}, t('failure')), h('p', {}, t(`failed_${kind}`)));
  byId('app').replaceWith(message);
  if (kind === 'failed') console.error(error);
}

applyTheme();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
load().catch(fail);
