// The start of a game: the introduction on the first visit, and the choice of opponent and colour.

import { html, nothing } from 'lit-html';

import { illustratedRules } from './diagram.js';
import { button, choices, dialogContent } from './dom.js';
import { disc, NAMED, other, playerText, SIDES, weakestNamed } from './format.js';
import { t } from './texts.js';

/** @import { App, Players, Scene, Side, Status } from './types.js' */

const WIN_IN_ONE = 'w2w1/5/2b1w/1b3/3b1 b'; // d1-d4 wins
const PICKED = 'd1';

/**
 * Two moves that teach the game: any slide, then a win in one. Returns a view.
 * @param {App} app
 */
export function createLesson(app) {
  /** @type {import('../engine/engine.js').Game} */
  let game;
  let picked = false;
  let missed = false;

  /**
   * @param {App['lesson']} step
   * @param {string} position
   */
  function begin(step, position) {
    game?.free();
    game = app.engine.newGame(position);
    app.lesson = step;
  }

  function end() {
    app.set('met', true);
    app.lesson = null;
  }

  return {
    begin() {
      app.stopDemo();
      picked = false;
      missed = false;
      begin('slide', app.start);
    },
    /** @param {string | null} square */
    pick(square) {
      picked = square !== null;
      app.render();
    },
    skip() {
      end();
      app.openStart();
    },
    /** @param {string} move */
    move(move) {
      if (app.lesson === 'done') return;
      game.play(move);
      const { over } = game.state();
      if (app.lesson === 'slide') {
        app.render();
        setTimeout(() => {
          if (app.lesson !== 'slide') return;
          begin('win', WIN_IN_ONE);
          app.render();
          app.announce(app.statusText);
        }, 900);
      } else if (over) app.lesson = 'done';
      else {
        missed = true;
        begin('win', WIN_IN_ONE);
      }
      app.render();
      app.announce(app.statusText);
    },
    /** @returns {Partial<Scene>} */
    scene() {
      const { position, legal, moves, over } = game.state();
      const moved = app.lesson === 'slide' && moves.length;
      return {
        position,
        legal: moved ? [] : legal,
        last: moves.at(-1) ?? null,
        glow: !moves.length && !picked ? legal.map(({ from }) => from) : null,
        picked: app.lesson === 'win' && !missed ? PICKED : undefined,
        winners: over?.winner ?? null,
      };
    },
    /** @returns {Status} */
    status() {
      const text = app.lesson === 'slide' ? (picked || game.state().moves.length ? 'lessonSlide' : 'lessonTap') : null;
      return {
        side: null,
        headline: t(text ?? (app.lesson === 'done' ? 'lessonDone' : missed ? 'lessonMissed' : 'lessonWin')),
        subline: '',
      };
    },
    panel: () =>
      app.lesson === 'done'
        ? html`<section class="actions">
            ${button('play-beginner', t('playNext', t(NAMED[weakestNamed()])), () => {
              end();
              app.newGame({ black: 'human', white: weakestNamed() });
            }, { main: true })}
            ${button('choose', t('chooseOpponent'), () => {
              end();
              app.openStart();
            })}
          </section>`
        : illustratedRules(app.engine.board),
  };
}

/**
 * Adds openStart(position) to app and returns the dialog.
 * @param {App} app
 */
export function createStart(app) {
  /** @type {{opponent: string, colour: string, position: string, custom: Players | null}} */
  let draft;

  app.openStart = (position = app.start) => {
    const { colour } = app.settings;
    const opponent = app.isKnown(app.settings.opponent) ? app.settings.opponent : weakestNamed();
    draft = { opponent, colour, position, custom: null };
    app.open('start');
  };

  /**
   * @param {string} you
   * @returns {Players}
   */
  const sides = (you) =>
    you === 'white' ? { black: draft.opponent, white: 'human' } : { black: 'human', white: draft.opponent };

  function players() {
    const { opponent, colour, custom } = draft;
    if (custom) return custom;
    if (opponent === 'human') return { black: 'human', white: 'human' };
    return sides(colour === 'random' ? (app.randomSeed() % 2 ? 'black' : 'white') : colour);
  }

  /** @param {Partial<typeof draft>} changes */
  const change = (changes) => {
    Object.assign(draft, { custom: null }, changes);
    app.render();
  };

  /** @param {Event} event */
  function start(event) {
    event.preventDefault();
    const { opponent, colour, position } = draft;
    app.set('opponent', opponent);
    app.set('colour', colour);
    const chosen = players();
    app.close();
    app.newGame(chosen, position);
  }

  const shownPlayers = () => draft.custom ?? (draft.colour === 'random' ? sides('black') : players());

  /**
   * @param {Side} side
   * @param {string} name
   */
  function choose(side, name) {
    const custom = { ...shownPlayers(), [side]: name };
    const human = SIDES.filter((one) => custom[one] === 'human');
    if (human.length === 1) change({ opponent: custom[other(human[0])], colour: human[0] });
    else change(human.length ? { opponent: 'human' } : { custom });
  }

  /** @param {Side} side */
  const select = (side) => {
    const shown = shownPlayers();
    const all = [{ name: 'human' }, ...[...app.opponents].reverse()];
    return html`<div class="field">
      <label for="player-${side}">${disc(side)} ${t(side)}</label>
      <select id="player-${side}" @change=${(/** @type {any} */ { target }) => choose(side, target.value)}>
        ${all.map(
          (one) => html`<option value=${one.name} .selected=${one.name === shown[side]}
            >${playerText(one).name}</option>`,
        )}
      </select>
      <p class="note">${playerText(all.find(({ name }) => name === shown[side]) ?? { name: shown[side] }).about
        || nothing}</p>
    </div>`;
  };

  const content = () =>
    dialogContent(
      t(draft.position === app.start ? 'newGame' : 'playFromHere'),
      () => app.close(),
      html`<form @submit=${start}>
        ${choices(
          'opponent',
          t('playAgainst'),
          Object.entries({ ...NAMED, human: 'twoPlayers' }).map(([name, key]) => [name, t(key)]),
          draft.custom ? '' : draft.opponent,
          (opponent) => change({ opponent }),
        )}
        ${
          draft.opponent === 'human' && !draft.custom
            ? nothing
            : choices(
                'colour',
                t('yourColour'),
                [
                  ['black', html`${disc('black')} ${t('blackFirst')}`],
                  ['white', html`${disc('white')} ${t('white')}`],
                  ['random', t('randomColour')],
                ],
                draft.custom ? '' : draft.colour,
                (colour) => change({ colour, opponent: draft.opponent === 'human' ? weakestNamed() : draft.opponent }),
              )
        }
        <details ?open=${draft.custom || (draft.opponent !== 'human' && !NAMED[draft.opponent])}>
          <summary>${t('more')}</summary>
          ${select('black')} ${select('white')}
        </details>
        <button class="main" id="start-game" autofocus>${t('start')}</button>
      </form>`,
    );

  return { content };
}
