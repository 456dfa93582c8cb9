// A game on the board: the players, moves and replies, undo and redo, the result.

import { html, nothing } from 'lit-html';

import { button, iconButton } from './views/dom.js';
import { asSentence, disc, moveText, other, outcomeText, playerText } from './views/format.js';
import { friendNumber, isFriend, newFriend } from './friend.js';
import { createHints } from './hint.js';
import { moveList } from './moves.js';
import { newestRecord, save } from './state/storage.js';
import { signal } from './sound.js';
import { t } from './texts.js';
import { Tree } from './state/tree.js';

/** @import { App, Side, Status } from './types.js' */

/** Milliseconds before an opponent replies: long enough to see one's own move arrive, with and without motion. */
const PAUSE = () => 450 + 350 * Math.random();

const RANK = { win: 1, draw: 0, loss: -1 };

/**
 * Adds the game, its players and the actions on it to app.
 * @param {App} app
 * @param {ReturnType<typeof import('./friend.js').createFriend>} friend
 */
export function createPlay(app, friend) {
  let timer = 0;
  let paused = false; // two engines play each other
  let closed = false; // the sheet with the result
  /** What app.game has: where it begins, and its moves with those that are undone. */
  let followed = { start: '', moves: /** @type {string[]} */ ([]) };
  let moved = false; // the position was reached by a move, not by looking around
  /** @type {{move: string, reply: import('./types.js').MoveShown} | null} */
  let warning = null; // of a move that the user is about to make: what the opponent wins with then
  const hints = createHints(app, () => app.game);

  /** @param {Side} side */
  const isHuman = (side) => app.players[side] === 'human';
  /** @param {Side} side */
  const nameOf = (side) => playerText({ name: app.players[side] }).short;
  /** @param {number} ply */
  const sideAt = (ply) => (ply % 2 ? other(app.first) : app.first);

  /**
   * Has the engine's game follow the line of the tree, from where they part.
   * @param {string[]} moves
   */
  function follow(moves) {
    const { start } = app.tree;
    const parting = followed.moves.findIndex((move, ply) => move !== moves[ply]);
    const same = parting < 0 ? followed.moves.length : parting;
    if (same === moves.length && same === followed.moves.length && app.game && start === followed.start) return;
    // Only a move discards those that are undone.
    let kept = same < moves.length ? same : moves.length - 1;
    if (app.game && start === followed.start && kept >= 0) app.game.goto(kept);
    else {
      app.game?.free();
      app.game = app.engine.newGame(start);
      kept = 0;
    }
    for (const move of moves.slice(kept)) app.game.play(move);
    followed = { start, moves };
  }

  /** Makes the engine's game and app.state agree with the tree. */
  function refresh() {
    follow(app.tree.line().map(({ move }) => move));
    closed = false;
    moved = false;
    warning = null;
    hints.reset();
    app.first = app.board.read(app.tree.start).toMove;
    app.game.goto(app.tree.path().length);
    app.state = app.game.state();
    const { resigned } = app.tree.current;
    if (resigned && !app.state.end)
      Object.assign(app.state, { end: { reason: 'resigned', winner: other(resigned) }, legal: [] });
    app.dispatch({ type: 'position' });
    app.cachedChoices = null;
    app.moved();
  }

  const atLeaf = () => !app.tree.current.children.length;
  const atEnd = () => app.tree.current === app.tree.end();

  /** Whether an opponent replies now. Not while the user looks around in the past of a game. */
  const thinking = () =>
    app.view === 'play' &&
    !app.introduction &&
    !app.state.end &&
    !isHuman(app.state.to_move) &&
    !isFriend(app.players[app.state.to_move]) &&
    (moved || atLeaf() || atEnd()) &&
    !(paused && !isHuman(other(app.state.to_move)));

  function schedule() {
    clearTimeout(timer);
    if (thinking()) timer = setTimeout(reply, PAUSE());
  }

  function reply() {
    if (!thinking()) return;
    move(app.game.opponentMove(app.players[app.state.to_move], app.randomSeed()));
    app.update({ replace: true });
  }

  /** @param {string} text */
  function move(text) {
    const { to_move: toMove, legal } = app.state;
    if (!legal.some((one) => one.move === text)) return false;
    app.tree.play(text, { first: app.view === 'play' });
    if (app.view === 'play') app.foreign = false; // what is tried elsewhere does not take the place of the user's game
    refresh();
    moved = true;
    if (app.view === 'play') finish();
    const { end: over } = app.state;
    const you = app.you();
    const lost = you && over?.winner === other(you);
    signal(!over?.winner ? 'move' : lost ? 'lost' : 'won', app.settings);
    app.announce(t('spokenMove', t(toMove), moveText(text)), app.statusText);
    return true;
  }

  /**
   * What the opponent wins with at once after a move of the user, if the page warns of that: not if all moves lose so.
   * @param {string} move
   */
  function refutationOf(move) {
    if (app.view !== 'play' || !app.you() || !app.warns()) return null;
    const losesAtOnce = (/** @type {import('./types.js').Choice} */ { value: { result, plies } }) =>
      result === 'loss' && plies === 2;
    const choice = app.choices.find((one) => one.move === move);
    if (!choice || !losesAtOnce(choice) || app.choices.every(losesAtOnce)) return null;
    const [reply] = app.engine.moves(choice.next);
    return { ...reply, value: choice.value };
  }

  /** @param {typeof warning} next */
  function warn(next) {
    warning = next;
    app.render();
    app.announce(app.statusText);
  }

  /** Keeps and counts a finished game once. */
  function finish() {
    const you = app.you();
    if (!app.state.end || app.counted || (!isHuman('black') && !isHuman('white'))) return;
    app.counted = true;
    app.keepGame();
    if (!you || isFriend(app.players[other(you)])) return;
    const { winner } = app.state.end;
    app.record = newestRecord(app.record);
    const games = (app.record.games[app.players[other(you)]] ??= [0, 0, 0]);
    games[winner === you ? 0 : winner ? 2 : 1]++;
    save('record', app.record);
    if (winner === you && app.settings.warnings === null) app.set('warnings', false);
  }

  /**
   * The ply that undo (-1) or redo (+1) goes to: against an opponent the user's next turn. null if there is none.
   * @param {number} way
   */
  function target(way) {
    const { plies, undone } = app.state;
    if (way < 0 && app.view === 'play' && app.tree.current.resigned) return plies;
    const you = app.view === 'play' ? app.you() : null;
    const last = plies + undone.length;
    for (let ply = plies + way; ply >= 0 && ply <= last; ply += way)
      if (!you || sideAt(ply) === you || (way > 0 && ply === last)) return ply;
    return null;
  }

  /** @param {number} ply */
  function goto(ply) {
    if (app.view === 'play') delete app.tree.current.resigned; // elsewhere the user only looks around
    app.gotoNode(ply ? app.tree.line()[ply - 1] : app.tree.root);
  }

  /** Has a screen reader speak the move that led to the position, and who is to move. In Review, the status has it. */
  function announcePosition() {
    const { plies, moves, end: over, to_move: toMove } = app.state;
    const inReview = app.view === 'review' && plies > 0;
    const last = moves.at(-1);
    app.announce(
      !inReview && (last ? t('spokenMove', t(sideAt(plies - 1)), moveText(last)) : asSentence(t('startPosition'))),
      app.statusText,
      inReview && !over && asSentence(t('toMove', t(toMove))),
    );
  }

  /** @type {Partial<App>} */
  const offered = {
    players: { black: 'human', white: 'human' },
    first: 'black',
    counted: false,
    started: false,
    foreign: false,
    you: () => (isHuman('black') === isHuman('white') ? null : isHuman('black') ? 'black' : 'white'),
    isHuman,
    isKnown: (name) => name === 'human' || isFriend(name) || app.opponents.some((one) => one.name === name),
    nameOf,
    thinking,
    schedule,
    refresh,
    target,
    sideAt,
    moveNumber: (ply) => ((ply + (app.first === 'white' ? 1 : 0)) >> 1) + 1,
    canMove: () => !app.state.end && (app.view !== 'play' || (isHuman(app.state.to_move) && friend.isOpen())),
    warns: () => app.settings.warnings ?? true,
    play(text) {
      if (!app.canMove()) return;
      const reply = warning?.move === text ? null : refutationOf(text); // who makes the move again is sure
      if (reply) warn({ move: text, reply });
      else if (move(text)) app.update({ replace: true });
    },
    step(way) {
      const ply = target(way);
      if (ply !== null) goto(ply);
    },
    goto,
    gotoNode(node) {
      app.tree.goto(node);
      refresh();
      if (app.view === 'play' && friendNumber(app.players) && atEnd()) finish(); // by a move of the friend
      announcePosition();
      app.update({ replace: true });
    },
    announcePosition,
    resign() {
      if (!app.isMeant('resign')) {
        app.render();
        app.announce(t('resignSure'));
        return;
      }
      app.tree.current.resigned = app.you() ?? app.state.to_move;
      app.tree.endHere();
      refresh();
      finish();
      app.announce(app.statusText);
      app.update({ replace: true });
    },
    openTree(tree, { players = { black: 'human', white: 'human' }, view = 'play', counted = false } = {}) {
      Object.assign(app, { tree, players, view, counted, introduction: null, foreign: false });
      app.dispatch({ type: 'subject' });
      paused = false;
      refresh();
    },
    newGame(players = app.players, start = app.start) {
      const next = friendNumber(players) ? newFriend(app.randomSeed()) : '';
      const { black, white } = players;
      const renamed = { black: isFriend(black) ? next : black, white: isFriend(white) ? next : white };
      app.openTree(new Tree(start), { players: renamed });
      app.started = true;
      app.update();
      app.announce(app.statusText);
    },
  };
  Object.assign(app, offered);

  /**
   * The user's last mistake that the opponent did not repair: its index, and what it threw away, "You had a draw until
   * move 4."
   * @param {Side | null} you
   */
  function missed(you) {
    const { start, moves, undone } = app.state;
    const review = app.reviewer.review(start, [...moves, ...undone]);
    const reviewed = review.moves.slice(0, moves.length);
    const last = reviewed.at(-1);
    const end = last ? RANK[last.after.result] * (last.side === you ? 1 : -1) : 0; // of the game, for the user
    const ply = reviewed.findLastIndex(({ side, mark, before }) => side === you && mark && RANK[before.result] > end);
    return ply < 0 ? null : { ply, text: t(`had_${reviewed[ply].before.result}`, app.moveNumber(ply)) };
  }

  /**
   * The result of a game that is over: the headline and sentences, which may be empty.
   * @param {NonNullable<App['state']['end']>} over
   * @returns {[string, (string | null)[]]}
   */
  function result({ reason, winner }) {
    const you = app.you();
    const { plies, to_move: toMove } = app.state;
    const { board } = app.engine;
    const detail = t(`endDetail_${reason}`, board, t(winner ? other(winner) : toMove));
    if (winner && winner === you) return [t('youWon', reason === 'won' ? plies : 0), [reason === 'won' ? '' : detail]];
    const had = missed(you)?.text ?? null;
    if (!winner) return [t('draw'), [detail, had]];
    if (you) return [t('opponentWon', nameOf(winner)),
      [reason === 'won' ? detail : t('youResigned'), had]];
    return [t('sideWon', t(winner)), [detail]];
  }

  /** @returns {Status} */
  function status() {
    const { end: over, to_move: toMove, repetitions } = app.state;
    /** @param {(string | false | null)[]} list */
    const sentences = (list) => list.filter(Boolean).join(t('between'));
    if (over) {
      const [headline, list] = result(over);
      return { side: over.winner, headline, subline: sentences(list) };
    }
    if (warning) {
      const headline = t('warning', t(other(toMove)), moveText(warning.reply.move));
      return { side: toMove, headline, subline: t('warningAsk') };
    }
    const headline =
      app.view !== 'play' || !app.you()
        ? t(thinking() ? 'thinking' : 'toMove', isHuman(toMove) || app.view !== 'play' ? t(toMove)
          : `${t(toMove)}: ${nameOf(toMove)}`)
        : isHuman(toMove)
          ? t('yourMove')
          : t(thinking() ? 'thinking' : 'toMove', nameOf(toMove));
    const value = app.settings.values && app.view === 'play' && app.canMove();
    return {
      side: toMove,
      headline,
      subline: sentences([
        value && outcomeText(app.choices[0].value, toMove) + t('stop'),
        repetitions === 2 && t('repeated'),
      ]),
    };
  }

  function scene() {
    const { position, legal, moves, end: over } = app.state;
    const free = app.canMove();
    const hinted = app.view === 'play' ? hints : null;
    return {
      position,
      legal: free ? legal : [],
      last: moves.at(-1) ?? null,
      values: app.settings.values && free ? app.choices : null,
      preview: warning?.reply ?? app.preview ?? hinted?.preview() ?? null,
      glow: hinted?.glow() ?? null,
      winners: over?.reason === 'won' ? over.winner : null,
      celebrates: app.view === 'play' && over?.winner === app.you(),
    };
  }

  /** @param {() => void} action */
  const change = (action) => () => {
    action();
    app.update({ replace: true });
  };

  function actions() {
    const { end: over } = app.state;
    const engines = !isHuman('black') && !isHuman('white');
    if (over) return [...afterGame(), button('new', t('newGame'), () => app.openStart())];
    if (warning) {
      const { move } = warning;
      return [
        button('play-anyway', t('playAnyway'), () => app.play(move)),
        button('other-move', t('otherMove'), () => warn(null), { main: true }),
      ];
    }
    return [
      thinking() && engines && button('pause', t('pause'), change(() => (paused = true))),
      engines && paused && button('pause', t('go'), change(() => (paused = false)), { main: true }),
      !engines && hints.button({ disabled: !app.canMove() }),
      !atEnd() && button('latest', t('latest'), () => app.gotoNode(app.tree.end())),
      resume(),
      button('new', t('newGame'), () => app.openStart()),
      !engines && app.tree.root.chosen
        && button('resign', t(app.asked === 'resign' ? 'resignSure' : 'resign'), () => app.resign()),
    ];
  }

  const resume = () => app.otherGame() && button('resume', t('resume'), () => app.resumeGame(), { main: true });

  const afterGame = () => [
    resume(),
    button('rematch', t('rematch'), () => app.newGame(), { main: !app.otherGame() }),
    app.you() && button('swap', t('swap'), () => app.newGame({ black: app.players.white, white: app.players.black })),
    button('to-review', t('review'), () => app.show('review')),
  ];

  /** @param {Side} side */
  const playerName = (side) =>
    html`<span class="name ${!app.state.end && app.state.to_move === side ? 'on' : ''}"
      >${disc(side)} ${isHuman(side) ? t(app.you() ? 'you' : side) : nameOf(side)}</span
    >`;

  const matchup = () => {
    const lower = app.flipped() ? 'white' : 'black';
    return html`<p class="matchup">
      ${playerName(lower)} <span class="versus">${t('versus')}</span> ${playerName(other(lower))}
    </p>`;
  };

  const moveSection = () => html`<section><h3>${t('moves')}</h3>${moveList(app)}</section>`;

  /** The end of the game, unless the user has closed the sheet with the result. */
  const ended = () => (closed ? null : app.state.end);

  /**
   * The result and what to do next.
   * @param {NonNullable<App['state']['end']>} over
   */
  function sheet({ reason, winner }) {
    const { headline, subline } = status();
    const you = app.you();
    const opponent = you && app.players[other(you)];
    // The opponents are in the order of their strength, strongest first; the levels are evenly spaced.
    const above = app.opponents.slice(0, Math.max(0, app.opponents.findIndex(({ name }) => name === opponent)));
    const stronger = you && winner === you && above.findLast(({ name }) => /^(level:|perfect)/.test(name))?.name;
    const mistake = winner === you || friendNumber(app.players) ? null : missed(you);
    const games = opponent ? app.record.games[opponent] : null;
    return html`<section class="sheet" aria-labelledby="headline">
        <div class="heading">
          <h2 id="headline">${winner ? disc(winner) : nothing}${headline}</h2>
          ${iconButton('close-result', 'close', t('close'), change(() => (closed = true)))}
        </div>
        <p id="subline">${subline}</p>
        ${friend.panel()}
        <div class="actions">${afterGame().map((one) => one || nothing)}</div>
        ${stronger ? button('stronger', t('playNext', playerText({ name: stronger }).short),
          () => app.newGame({ ...app.players, [other(you)]: stronger })) : nothing}
        ${reason === 'resigned' ? button('go-on', t('goOn'), () => app.goto(app.state.plies)) : nothing}
        ${mistake ? button('take-back', t('takeBack', app.moveNumber(mistake.ply)), () => app.goto(mistake.ply))
          : nothing}
        ${you && games ? html`<p class="note">${t('against', nameOf(other(you)), ...games)}</p>` : nothing}
      </section>
      ${moveSection()}`;
  }

  const panel = () => {
    const over = ended();
    if (over) return sheet(over);
    const you = app.you();
    const opponent = you && app.players[other(you)];
    return html`<section class="actions">${actions().map((one) => one || nothing)}${hints.content()}</section>
      <section aria-label=${t('players')} class="players">
        ${matchup()} ${friend.panel()}
        ${
          opponent && !app.tree.root.chosen
            ? html`<p class="note">
                ${playerText(app.opponents.find(({ name }) => name === opponent) ?? { name: opponent }).about}
              </p>`
            : nothing
        }
      </section>
      ${app.settings.values ? app.valueList() : nothing} ${moveSection()}`;
  };

  return {
    status,
    scene,
    panel,
    move: app.play,
    /** What is above the board while the sheet has the status; null otherwise. */
    title: () => (ended() ? matchup() : null),
  };
}
