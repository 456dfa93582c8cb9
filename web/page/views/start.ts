// The sheet on which a game is begun.

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';

import { button, choices, copyField, dialogContent, disc, disclosure, labelled } from '../dom.js';
import { linkTo, writeAddress } from '../state/address.js';
import { isTooLarge, startOf } from '../state/boards.js';
import { randomSeed } from '../state/effects.js';
import { shownPlayers, withPlayer } from '../state/new_game.js';
import { namedOpponents, opponents, playerNamed, playerText, weakestNamed } from '../state/players.js';
import { sideAt } from '../state/position.js';
import { t } from '../texts.js';

import type { Dispatch, NewGame, Side, State } from '../state/types.js';
import type { On } from '../dom.js';

// ---- the players ----

/** @param name of a player */
const isLevel = (name: string) => name.startsWith('level:');

/** The levels that there are, weakest first. */
const levels = () =>
  opponents().flatMap(({ name }) => (isLevel(name) ? [Number(name.slice(6))] : [])).reverse();

/** A player by name, as an option of a list. */
const option = (value: string, text: string, selected: boolean) =>
  html`<option value=${value} .selected=${selected}>${text}</option>`;

/** The choice of a player: a person, a level, which a slider sets, or another opponent. */
function playerField(state: State, dispatch: Dispatch, side: Side) {
  const chosen = shownPlayers(state.newGame)[side];
  const others = [...opponents()].reverse().filter(({ name }) => !isLevel(name) && !namedOpponents()[name]);
  const player = playerNamed(chosen);
  const [weakest, strongest] = [levels()[0], levels().at(-1)];
  const level = isLevel(chosen) ? Number(chosen.slice(6)) : null;
  const choose = (name: string) =>
    dispatch({ type: 'changeNewGame', changes: withPlayer(state.newGame, side, name) });
  return labelled(`player-${side}`, html`${disc(side)} ${t(side)}`, html`
    <select id="player-${side}" @change=${({ target }: On<HTMLSelectElement>) => choose(target.value)}>
      ${option('human', playerText({ name: 'human' }).name, chosen === 'human')}
      ${option(level ? chosen : `level:${weakest}`, t('level'), level !== null)}
      ${option('perfect', t('named_perfect'), chosen === 'perfect')}
      <optgroup label=${t('otherOpponents')}>
        ${others.map((one) => option(one.name, playerText(one).name, one.name === chosen))}
      </optgroup>
    </select>
    ${level === null ? nothing
      : html`<input type="range" id="level-${side}" min=${weakest} max=${strongest} .value=${String(level)}
          aria-label=${t('level')} aria-valuetext=${playerText(player).name}
          @input=${({ target }: On<HTMLInputElement>) => choose(`level:${target.value}`)} />
          <p>${playerText(player).name}</p>`}
    <p class="note">${playerText(player).about || nothing}</p>`);
}

/** Changes the players. */
type Change = (changes: Partial<NewGame>) => void;

const opponentChoice = ({ custom, opponent }: NewGame, change: Change) =>
  choices(
    'opponent',
    t('playAgainst'),
    Object.entries({ ...namedOpponents(), human: 'twoPlayers' }).map(([name, key]) => [name, t(key)]),
    custom ? '' : opponent,
    (chosen) => change({ opponent: chosen, isByLink: false }),
  );

const placeChoice = ({ isByLink }: NewGame, change: Change) =>
  choices('place', t('friendWhere'), [['', t('friendHere')], ['link', t('friendLink')]], isByLink ? 'link' : '',
    (place) => change({ isByLink: place === 'link' }));

function colourChoice({ custom, opponent, isByLink, colour, position }: NewGame, change: Change) {
  const label = (side: Side) => html`${disc(side)} ${sideAt(position) === side ? t('first', t(side)) : t(side)}`;
  const rival = opponent === 'human' && !isByLink ? weakestNamed() : opponent;
  return choices(
    'colour',
    t('yourColour'),
    [
      ['black', label('black')],
      ['white', label('white')],
      ['random', t('randomColour')],
    ],
    custom ? '' : colour,
    (chosen) => change({ colour: chosen, opponent: rival }),
  );
}

// ---- the start position ----

/** The link to a game that begins at the chosen start. */
const fairLink = ({ boardName: board, newGame: { position } }: State) =>
  linkTo(writeAddress({ board, view: 'play', start: position }));

/** The choice of a fair start by its number, and the link to it. */
function fairStart(state: State, dispatch: Dispatch) {
  const { fairStarts, newGame: { fair, position } } = state;
  const { length } = fairStarts ?? [];
  if (!fairStarts) return html`<p class="note">${t('fairLoading')}</p>`;
  /** Without such a number, the game begins at the usual start. */
  const choose = (text: string) => dispatch({
    type: 'changeNewGame', changes: { fair: text, position: fairStarts[Number(text) - 1] ?? startOf(state) },
  });
  return html`<p class="note">${t('fairNote')}</p>
    ${labelled('fair-number', t('fairNumber', length), html`<div class="row">
      <input id="fair-number" type="number" min="1" max=${length} .value=${live(fair)}
        @input=${({ target }: On<HTMLInputElement>) => choose(target.value)} />
      ${button('fair-random', t('fairRandom'), () => choose(String(1 + (randomSeed() % length))),
        { disabled: !length })}
    </div>`)}
    ${fairStarts[Number(fair) - 1] === position
      ? labelled('fair-link', t('fairLink'), copyField(state, dispatch, 'fair-link', fairLink(state))) : nothing}`;
}

export function start(state: State, dispatch: Dispatch) {
  const { newGame, engine } = state;
  const isOfTwo = newGame.opponent === 'human' && !newGame.custom;
  const isNumberShown = newGame.isMoreShown && newGame.isFairShown; // a wrong one that is hidden would begin no game
  /** @param changes of what is shown, which leave the players as they are */
  const show = (changes: Partial<NewGame>) => dispatch({ type: 'changeNewGame', changes });
  const change: Change = (changes) => show({ custom: null, ...changes });
  const submit = (event: Event) => {
    event.preventDefault();
    dispatch({ type: 'beginNewGame', seed: randomSeed() });
  };
  return dialogContent(
    t(newGame.position === startOf(state) || newGame.fair ? 'newGame' : 'playFromHere'),
    dispatch,
    html`<form @submit=${submit}>
      <div class="rest">${opponentChoice(newGame, change)}
        ${isOfTwo ? placeChoice(newGame, change) : nothing}
        ${isOfTwo && !newGame.isByLink ? nothing : colourChoice(newGame, change)}
        ${disclosure('more', t('moreOpponents'), newGame.isMoreShown, (isMoreShown) => show({ isMoreShown }),
          html`${playerField(state, dispatch, 'black')} ${playerField(state, dispatch, 'white')}
            ${isTooLarge(engine)
              ? nothing
              : disclosure('fair', t('fairStart'), newGame.isFairShown, (isFairShown) => show({ isFairShown }),
                isNumberShown ? html`<div class="line">${fairStart(state, dispatch)}</div>` : nothing)}`)}</div>
      <button class="main" id="start-game" autofocus>${t('start')}</button>
    </form>`,
  );
}
