// A game on the board: the players, the result, what can be done next, also in a game against a friend; and what other
// pages embed.

import { html, nothing } from 'lit-html';

import { button, copyField, disc, iconButton, isFile, nativeShare, sureButton } from '../dom.js';
import { moveText, outcomeText, sentencesText } from '../format.js';
import { solvingProgress } from './laboratory.js';
import { hintButton, hintContent, moveList, valueList } from './moves.js';
import { gameAddress, linkOf } from '../state/address.js';
import { STANDARD, startOf } from '../state/boards.js';
import { randomSeed } from '../state/effects.js';
import { canMove, choicesOf, coveredGame, hintScene, isAtEnd, isThinking, leftGames } from '../state/game.js';
import { unfinishedLesson } from '../state/lists.js';
import {
  friendNumber, isAgainstEngine, isHuman, isOfEngines, isOpenToUser, namedOpponents, opponentOf, opponents,
  playerNamed, playerText, userOf,
} from '../state/players.js';
import { moveNumber, other } from '../state/position.js';
import { daysInRow, isDailySolved } from '../state/puzzle.js';
import { missedBy } from '../state/review.js';
import { isFlipped } from '../state/shown.js';
import { t } from '../texts.js';

import type { Content, Dispatch, End, PlayedGame, Players, Scene, Side, State, Status, View } from '../state/types.js';

const nameOf = ({ players }: PlayedGame, side: Side) => playerText({ name: players[side] }).short;

// ---- the status and the board ----

/** The result of a game that is over: the headline and sentences, which may be empty. */
function resultOf(state: State, { reason, winner }: End): [string, (string | null)[]] {
  const { game, engine } = state;
  const user = userOf(game);
  const detail = t(`endDetail_${reason}`, engine.board, t(winner ? other(winner) : game.gameState.to_move));
  if (winner && winner === user)
    return [t('youWon', reason === 'won' ? game.gameState.plies : 0), [reason === 'won' ? '' : detail]];
  const had = missedBy(state, user)?.text ?? null;
  if (reason === 'agreed' && friendNumber(game.players)) return [t('drawOffered'), [t('drawIfBoth')]];
  if (!winner) return [t('draw'), [detail, had]];
  if (user)
    return [t('opponentWon', nameOf(game, winner)), [reason === 'resigned' ? t('youResigned') : detail, had]];
  return [t('sideWon', t(winner)), [detail]];
}

/** The status of the game in any view. */
export function gameStatus(state: State): Status {
  const { end, to_move: toMove, repetitions } = state.game.gameState;
  if (end) {
    const [headline, list] = resultOf(state, end);
    return { side: end.winner, headline, subline: sentencesText(list) };
  }
  return { side: toMove, headline: t('toMove', t(toMove)), subline: repetitions === 2 ? t('repeated') : '' };
}

/** What the board shows of the game in any view. */
export function gameScene(state: State): Partial<Scene> {
  const { game, settings, preview } = state;
  const { position, legal, moves, end } = game.gameState;
  const isFree = canMove(state);
  return {
    position,
    legal: isFree ? legal : [],
    last: moves.at(-1) ?? null,
    values: settings.values && isFree && !state.solving ? choicesOf(state) : null,
    preview,
    winner: end?.winner ?? null,
  };
}

/** Who is to move, or thinks. */
function turnText(state: State) {
  const { game } = state;
  const { to_move: toMove } = game.gameState;
  const key = isThinking(state) ? 'thinking' : 'toMove';
  if (!userOf(game)) return t(key, isHuman(game, toMove) ? t(toMove) : t(toMove) + t('colon') + nameOf(game, toMove));
  return isHuman(game, toMove) ? t('yourMove') : t(key, nameOf(game, toMove));
}

function status(state: State): Status {
  const { game: { gameState, warning }, settings, solving } = state;
  const shown = gameStatus(state);
  if (gameState.end) return shown;
  const side = gameState.to_move;
  if (warning)
    return { side, headline: t('warning', t(other(side)), moveText(warning.reply.move)), subline: t('warningAsk') };
  const isValued = settings.values && canMove(state) && !solving;
  const value = isValued && outcomeText(choicesOf(state)[0].value, side) + t('stop');
  return { side, headline: turnText(state), subline: sentencesText([value, shown.subline]) };
}

function scene(state: State): Partial<Scene> {
  const { game } = state;
  const { warning, hints, hasMoved } = game;
  const shown = gameScene(state);
  return {
    ...shown,
    ...hintScene(state, hints),
    ...(warning && { preview: warning.reply, marks: [warning.move] }), // what the user was about to play
    celebrates: hasMoved && Boolean(shown.winner) && shown.winner === userOf(game), // not when it is looked at again
  };
}

// ---- what can be done ----

const beginWith = (dispatch: Dispatch, players: Players) =>
  () => dispatch({ type: 'begin', players, seed: randomSeed() });

const newButton = (dispatch: Dispatch) => button('new', t('newGame'), () => dispatch({ type: 'openNewGame' }));

const resume = (state: State, dispatch: Dispatch) =>
  coveredGame(state) && button('resume', t('resume'), () => dispatch({ type: 'resumeGame' }), { main: true });

/** The game that was left last of those that are not over. */
function goOnWithLast(state: State, dispatch: Dispatch) {
  const last = leftGames(state).find(({ game }) => !game.counted);
  return last && button('unfinished', t('goOnAgainst', opponentOf(last.game)),
    () => dispatch({ type: 'resumeRecent', game: last.game }));
}

function afterGame(state: State, dispatch: Dispatch) {
  const { players } = state.game;
  const swapped = { black: players.white, white: players.black };
  return [
    resume(state, dispatch),
    button('rematch', t('rematch'), beginWith(dispatch, players), { main: !coveredGame(state) }),
    userOf(state.game) && button('swap', t('swap'), beginWith(dispatch, swapped)),
    button('to-review', t('review'), () => dispatch({ type: 'show', view: 'review' })),
  ];
}

const afterWarning = ({ move }: NonNullable<PlayedGame['warning']>, dispatch: Dispatch) => [
  button('play-anyway', t('playAnyway'), () => dispatch({ type: 'move', move })),
  button('other-move', t('otherMove'), () => dispatch({ type: 'forgetWarning' }), { main: true }),
];

function actions(state: State, dispatch: Dispatch) {
  const { game } = state;
  if (game.gameState.end) return [...afterGame(state, dispatch), newButton(dispatch)];
  if (game.warning) return afterWarning(game.warning, dispatch);
  const isPausable = isOfEngines(game);
  const isByLink = friendNumber(game.players) !== '';
  const pause = (isPaused: boolean) => () => dispatch({ type: 'pauseGame', isPaused });
  return [
    isThinking(state) && isPausable && button('pause', t('pause'), pause(true)),
    isPausable && game.isPaused && button('pause', t('go'), pause(false), { main: true }),
    !isPausable && !isByLink && hintButton(dispatch, game.hints, canMove(state) && !state.solving),
    !isAtEnd(game)
      && button('latest', t('latest'), () => dispatch({ type: 'gotoNode', moves: game.tree.gameMoves() })),
    resume(state, dispatch),
    !game.tree.hasMoves() && goOnWithLast(state, dispatch),
    newButton(dispatch),
    !isPausable && game.tree.hasMoves()
      && sureButton(state, 'resign', t('resign'), () => dispatch({ type: 'resign' })),
    (isByLink || !isAgainstEngine(game)) && game.tree.hasMoves()
      && sureButton(state, 'agree', t(isByLink ? 'drawOffer' : 'agree'), () => dispatch({ type: 'agreeDraw' })),
  ];
}

/** What is missing keeps its place in the list, so that all other buttons keep their elements. */
const slots = (list: Content[]) => list.map((one) => one || nothing);

// ---- the panel ----

export function matchup(state: State) {
  const { game } = state;
  const [black, white] = game.tree.names.split('\n');
  const names = { black, white };
  const lower = isFlipped(state) ? 'white' : 'black';
  const player = (side: Side) =>
    html`<span class="name ${!game.gameState.end && game.gameState.to_move === side ? 'on' : ''}"
      >${disc(side)} ${names[side] || (isHuman(game, side) ? t(userOf(game) ? 'you' : side) : nameOf(game, side))}</span
    >`;
  return html`<p class="matchup">
    ${player(lower)} <span class="versus">${t('versus')}</span> ${player(other(lower))}
  </p>`;
}

/** The names of the players, if a record has any. */
export const playerNames = (state: State) => (state.game.tree.names ? matchup(state) : nothing);

/** The end of the game, unless the user has closed the sheet with the result. */
const shownEnd = ({ game }: State) => (game.isClosed ? null : game.gameState.end);

/**
 * A stronger opponent after a win. The opponents are in the order of their strength, strongest first; the levels are
 * evenly spaced.
 */
function strongerThan(opponent: string) {
  const above = opponents().slice(0, Math.max(0, opponents().findIndex(({ name }) => name === opponent)));
  return above.findLast(({ name }) => /^(level:|perfect)/.test(name))?.name;
}

/** What the user can do about the result. */
function consequences(state: State, dispatch: Dispatch, { winner }: End) {
  const { game, results } = state;
  const user = userOf(game);
  const opponent = user && game.players[other(user)];
  const stronger = opponent && winner === user && strongerThan(opponent);
  const mistake = winner === user || friendNumber(game.players) ? null : missedBy(state, user);
  const games = opponent ? results.games[opponent] : null;
  const level = stronger && !namedOpponents()[stronger] ? /^level:(\d+)$/.exec(stronger)?.[1] : null;
  return html`${stronger
      ? button('stronger', level ? t('playStronger', level) : t('playNext', playerText({ name: stronger }).short),
        beginWith(dispatch, { ...game.players, [other(user)]: stronger }))
      : nothing}
    ${game.tree.current.stated ? button('go-on', t('goOn'), () => dispatch({ type: 'step', way: -1 })) : nothing}
    ${mistake ? button('take-back', t('takeBack', moveNumber(game.tree.start, mistake.ply)),
      () => dispatch({ type: 'goto', ply: mistake.ply })) : nothing}
    ${user && games ? html`<p class="note">${t('against', nameOf(game, other(user)), ...games)}</p>` : nothing}`;
}

/** What else those who have finished a game may want. */
function home(state: State, dispatch: Dispatch) {
  const { results, game } = state;
  if (!Object.keys(results.games).length || state.boardName !== STANDARD || state.solving) return nothing;
  const days = daysInRow(state);
  const lesson = unfinishedLesson(state);
  const medium = Object.entries(namedOpponents()).find(([, name]) => name === 'named_medium')?.[0] ?? '';
  const [hasWon = 0] = results.games[medium] ?? [];
  const isFair = hasWon > 0 && game.tree.start === startOf(state);
  return html`<section id="home">
    <div class="actions">
      ${isDailySolved(state) ? nothing
        : button('home-daily', days ? t('dailyRow', days) : t('puzzleDaily'),
          () => dispatch({ type: 'show', view: 'puzzle', from: 'daily' }))}
      ${lesson ? button('home-lesson', t('courseNextTitle', t(`course_${lesson}`)),
        () => dispatch({ type: 'show', view: 'lessons', from: lesson })) : nothing}
      ${isFair ? button('home-fair', t('fairOffer'), () => dispatch({ type: 'openNewGame', isFairShown: true }))
        : nothing}
    </div>
    ${isFair ? html`<p class="note">${t('fairWhy')}</p>` : nothing}
  </section>`;
}

const moveSection = (state: State, dispatch: Dispatch) =>
  html`<section><h3>${t('moves')}</h3>${moveList(state, dispatch)}</section>`;

/** What to do next in a game against a friend: send the link, or move. */
function friendPanel(state: State, dispatch: Dispatch) {
  const { game } = state;
  if (!friendNumber(game.players) || !isOpenToUser(game)) return nothing;
  const user = userOf(game);
  const { end, to_move: toMove } = game.gameState;
  const { stated } = game.tree.current;
  const link = linkOf(state);
  const isSent = stated ? stated.winner === user : toMove === user; // by the friend
  if (isSent) return end ? nothing : html`<p class="note">${t('friendMoveFirst')}</p>`;
  return html`<section class="field">
    <label for="friend-link">${t(game.tree.hasMoves() ? 'friendSend' : 'friendInvite')}</label>
    ${copyField(state, dispatch, 'friend-link', link, { main: true, more: nativeShare('friend-share', link) })}
    ${isFile() ? html`<p class="note">${t('friendFile')}</p>` : nothing}
    ${end ? nothing : html`<p class="note">${t('friendThen')}</p>`}
  </section>`;
}

/** The result and what to do next. */
function sheet(state: State, dispatch: Dispatch, end: End) {
  const { headline, subline } = status(state);
  return html`<section class="sheet" aria-labelledby="headline">
      <div class="heading">
        <h2 id="headline">${end.winner ? disc(end.winner) : nothing}${headline}</h2>
        ${iconButton('close-result', 'close', t('close'), () => dispatch({ type: 'closeResult' }))}
      </div>
      <p id="subline">${subline}</p>
      ${friendPanel(state, dispatch)}
      <div class="actions">${slots(afterGame(state, dispatch))}</div>
      ${consequences(state, dispatch, end)}
    </section>
    ${home(state, dispatch)}
    ${moveSection(state, dispatch)}`;
}

function panel(state: State, dispatch: Dispatch) {
  const end = shownEnd(state);
  if (end) return sheet(state, dispatch, end);
  const { game, settings } = state;
  const user = userOf(game);
  const opponent = user && game.players[other(user)];
  const about = opponent && playerNamed(opponent);
  return html`${solvingProgress(state, dispatch)} ${friendPanel(state, dispatch)}
    <section class="actions">${slots(actions(state, dispatch))}${hintContent(game.hints)}</section>
    <section aria-label=${t('players')} class="players">
      ${matchup(state)}
      ${about && !game.tree.hasMoves() ? html`<p class="note">${playerText(about).about}</p>` : nothing}
    </section>
    ${game.tree.hasMoves() ? nothing : home(state, dispatch)}
    ${settings.values && !state.solving ? valueList(state, dispatch) : nothing} ${moveSection(state, dispatch)}`;
}

export const play: View = {
  status,
  scene,
  panel,
  hasResult: (state) => shownEnd(state) !== null,
};

// ---- what other pages embed ----

/** The board, its moves, and a link to the whole page. */
export const embedded: View = {
  status: gameStatus,
  scene: (state) => ({ ...gameScene(state), legal: [], marks: state.game.tree.current.marks }),
  panel(state, dispatch) {
    const { tree } = state.game;
    const { comment } = tree.current;
    const link = `#${gameAddress(state, 'explore')}`;
    return html`<p><a id="whole-page" href=${link} target="_blank">${t('wholePage')}</a></p>
      ${playerNames(state)}
      ${comment ? html`<p class="comment">${comment}</p>` : nothing}
      ${tree.hasMoves() ? moveList(state, dispatch) : nothing}`;
  },
};
