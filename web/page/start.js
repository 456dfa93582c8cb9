// The start of a game: the introduction on the first visit, and the choice of opponent and colour.

import { html, nothing } from 'lit-html';

import { illustratedRules } from './board/diagram.js';
import { button, byId, choices, copy, dialogContent, disclosure, hasMouse } from './views/dom.js';
import { disc, moveText, NAMED, other, playerText, SIDES, weakestNamed } from './views/format.js';
import { newFriend } from './friend.js';
import { parseMove } from './state/position.js';
import { isTooLarge, startSearcher } from './searcher.js';
import { writeAddress } from './state/address.js';
import { t } from './texts.js';

/** @import { App, MoveShown, Players, Scene, Side, Status, Value } from './types.js' */

/**
 * The exercises after the first slide: the position, Black to move; which values solve it; the piece that is picked up
 * first, or the move that White threatens; what follows.
 * @typedef {{position: string, isSolved(value: Value): boolean, picked?: string, threat?: string,
 *   next: NonNullable<App['introduction']>}} Exercise
 */

/** @type {Record<'win' | 'block', Exercise>} */
const EXERCISES = {
  win: {
    position: 'w2w1/5/2b1w/1b3/3b1 b',
    isSolved: ({ result, plies }) => result === 'win' && plies === 1,
    picked: 'd1',
    next: 'block',
  },
  block: {
    position: 'w2b1/ww3/5/b3b/5 b',
    isSolved: (value) => value.result !== 'loss' || value.plies > 2,
    threat: 'b4-a3',
    next: 'done',
  },
};
const LOOK = 900; // milliseconds to see a move before the next exercise
const MISSES = 2; // before the answer is shown

/**
 * Moves that teach the game: any slide, a win in one, and a threat that is stopped. Returns a view.
 * @param {App} app
 */
export function createIntroduction(app) {
  /** @type {import('../engine/engine.js').Game} */
  let game;
  let picked = false;
  let misses = 0; // in this exercise
  let moved = false; // the exercise is solved, and its last move is looked at

  const exercise = () => {
    const { introduction } = app;
    return introduction === 'win' || introduction === 'block' ? EXERCISES[introduction] : null;
  };

  /**
   * @param {App['introduction']} step
   * @param {string} position
   */
  function begin(step, position) {
    game?.free();
    game = app.engine.newGame(position);
    app.introduction = step;
    moved = false;
  }

  function end() {
    app.set('met', true);
    app.introduction = null;
  }

  /**
   * Goes on to another step after a moment, unless the user has left the introduction.
   * @param {'win' | 'block' | 'done'} next
   */
  function goOn(next) {
    const { introduction } = app;
    moved = true;
    misses = 0;
    setTimeout(() => {
      if (app.introduction !== introduction || !moved) return;
      if (next === 'done') app.introduction = next;
      else begin(next, EXERCISES[next].position);
      app.render();
      app.announce(app.statusText);
    }, LOOK);
  }

  /** @param {string} move @returns {MoveShown} */
  const arrow = (move, result = /** @type {'win' | 'loss'} */ ('loss')) =>
    ({ move, ...parseMove(move), value: { result, plies: 1 } });

  /** What White threatens, or the answer for who does not find it. */
  function preview() {
    const { threat } = exercise() ?? {};
    if (moved || !exercise()) return null;
    if (misses >= MISSES) return arrow(game.choices()[0].move, 'win');
    return threat ? arrow(threat) : null;
  }

  return {
    begin() {
      app.stopDemo();
      picked = false;
      misses = 0;
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
      const current = exercise();
      const value = game.choices().find((choice) => choice.move === move)?.value;
      if (app.introduction === 'done' || !value) return;
      if (!current || current.isSolved(value)) {
        game.play(move);
        goOn(/** @type {'win' | 'block' | 'done'} */ (current?.next ?? 'win'));
        app.render();
        return;
      }
      misses++;
      app.render();
      app.announce(app.statusText);
    },
    /** @returns {Partial<Scene>} */
    scene() {
      const { position, legal, moves, end: over } = game.state();
      return {
        position,
        legal: moved ? [] : legal,
        last: moves.at(-1) ?? null,
        glow: !moved && app.introduction === 'slide' && !picked ? legal.map(({ from }) => from) : null,
        picked: misses ? undefined : exercise()?.picked,
        preview: preview(),
        winners: over?.winner ?? null,
      };
    },
    /** @returns {Status} */
    status() {
      const { introduction } = app;
      const threat = moveText(exercise()?.threat ?? '');
      const tap = hasMouse() ? 'introductionClick' : 'introductionTap';
      const headline =
        introduction === 'slide' ? t(picked || moved ? 'introductionSlide' : tap)
          : introduction === 'win' ? t(misses ? 'introductionWinMissed' : 'introductionWin')
            : introduction === 'block' ? t(misses ? 'introductionBlockMissed' : 'introductionBlock', threat)
              : t('introductionDone');
      return { side: null, headline, subline: '' };
    },
    panel: () =>
      app.introduction === 'done'
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

/** @param {string} name of a player */
const isLevel = (name) => name.startsWith('level:');

/**
 * Adds openStart(position) to app and returns the dialog.
 * @param {App} app
 */
export function createStart(app) {
  /**
   * `fair` is the number of a fair start, or 0; `byLink`: two people play on two devices; `more` and `fairShown`: what
   * is shown of the rest.
   * @type {{
   *   opponent: string, colour: string, position: string, fair: number, custom: Players | null, byLink: boolean,
   *   more: boolean, fairShown: boolean,
   * }}
   */
  let draft;

  app.openStart = (position = app.start) => {
    const { colour } = app.settings;
    const opponent = app.isKnown(app.settings.opponent) ? app.settings.opponent : weakestNamed();
    const more = opponent !== 'human' && !NAMED[opponent];
    draft = { opponent, colour, position, fair: 0, custom: null, byLink: false, more, fairShown: false };
    app.open('start');
  };

  /**
   * @param {string} you
   * @returns {Players}
   */
  const sides = (you, opponent = draft.opponent) =>
    you === 'white' ? { black: opponent, white: 'human' } : { black: 'human', white: opponent };

  function players() {
    const { opponent, colour, custom } = draft;
    if (custom) return custom;
    if (opponent === 'human' && !draft.byLink) return { black: 'human', white: 'human' };
    const name = draft.byLink ? newFriend(app.randomSeed()) : opponent;
    return sides(colour === 'random' ? (app.randomSeed() % 2 ? 'black' : 'white') : colour, name);
  }

  /** @param {Partial<typeof draft>} changes */
  const change = (changes) => {
    Object.assign(draft, { custom: null }, changes);
    app.render();
  };

  /** @param {Partial<typeof draft>} changes of what is shown, which leave the choices as they are */
  const show = (changes) => {
    Object.assign(draft, changes);
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

  const shownPlayers = () =>
    draft.custom ?? (draft.byLink ? { black: 'human', white: 'human' }
      : draft.colour === 'random' ? sides('black') : players());

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

  /** The levels that there are, weakest first. */
  const levels = () => app.opponents.flatMap(({ name }) => (isLevel(name) ? [Number(name.slice(6))] : [])).reverse();

  /**
   * A player by name, as an option of a list.
   * @param {string} value
   * @param {string} text
   * @param {boolean} selected
   */
  const option = (value, text, selected) => html`<option value=${value} .selected=${selected}>${text}</option>`;

  /**
   * The choice of a player: a person, a level, which a slider sets, or another opponent.
   * @param {Side} side
   */
  const select = (side) => {
    const chosen = shownPlayers()[side];
    const others = [...app.opponents].reverse().filter(({ name }) => !isLevel(name) && !NAMED[name]);
    const player = app.opponents.find(({ name }) => name === chosen) ?? { name: chosen };
    const [least, most] = [levels()[0], levels().at(-1)];
    const level = isLevel(chosen) ? Number(chosen.slice(6)) : null;
    const onChoice = (/** @type {any} */ { target }) => choose(side, target.value);
    const onLevel = (/** @type {any} */ { target }) => choose(side, `level:${target.value}`);
    return html`<div class="field">
      <label for="player-${side}">${disc(side)} ${t(side)}</label>
      <select id="player-${side}" @change=${onChoice}>
        ${option('human', playerText({ name: 'human' }).name, chosen === 'human')}
        ${option(level ? chosen : `level:${least}`, t('level'), level !== null)}
        ${option('perfect', t('named_perfect'), chosen === 'perfect')}
        <optgroup label=${t('otherOpponents')}>
          ${others.map((one) => option(one.name, playerText(one).name, one.name === chosen))}
        </optgroup>
      </select>
      ${level === null ? nothing
        : html`<input type="range" id="level-${side}" min=${least} max=${most} .value=${String(level)}
            aria-label=${t('level')} aria-valuetext=${playerText(player).name} @input=${onLevel} />
            <p>${playerText(player).name}</p>`}
      <p class="note">${playerText(player).about || nothing}</p>
    </div>`;
  };

  /** @type {{board: string, positions: string[] | null}} */
  let fair = { board: '', positions: null }; // the fair starts of a board, once they are known

  /** Finds the fair starts of the board, in a worker, since that looks at the whole table. */
  async function findFair() {
    const board = app.boardName;
    if (fair.board === board) return;
    fair = { board, positions: null };
    const searcher = startSearcher(app.source);
    const positions = await searcher.ask({ what: 'fairStarts' }).catch(() => []);
    searcher.end();
    if (fair.board !== board) return;
    fair.positions = positions;
    app.render();
  }

  /** @param {number} number of a fair start, from 1; another one means the usual start */
  const chooseFair = (number) => {
    const position = fair.positions?.[number - 1] ?? app.start;
    Object.assign(draft, { position, fair: position === app.start ? 0 : number });
    app.render();
  };

  /** The choice of a fair start by its number, and the link to it. */
  const fairStart = () => {
    const { positions } = fair.board === app.boardName ? fair : { positions: null };
    if (!positions) return html`<p class="note">${t('fairLoading')}</p>`;
    const hash = writeAddress({ board: app.boardName, view: 'play', start: draft.position });
    const link = `${location.href.split('#')[0]}#${hash}`;
    const copyLink = async () => {
      await copy(/** @type {HTMLInputElement} */ (byId('fair-link')));
      app.announce(t('copied'));
    };
    return html`<p class="note">${t('fairNote')}</p>
      <div class="field">
        <label for="fair-number">${t('fairNumber', positions.length)}</label>
        <div class="row">
          <input id="fair-number" type="number" min="1" max=${positions.length} .value=${draft.fair || ''}
            @input=${(/** @type {any} */ { target }) => chooseFair(Number(target.value))} />
          ${button('fair-random', t('fairRandom'), () => chooseFair(1 + (app.randomSeed() % positions.length)),
            { disabled: !positions.length })}
        </div>
      </div>
      ${draft.fair
        ? html`<div class="field">
            <label for="fair-link">${t('fairLink')}</label>
            <div class="row">
              <input id="fair-link" readonly .value=${link} />${button('fair-copy', t('copy'), copyLink)}
            </div>
          </div>`
        : nothing}`;
  };

  const content = () => {
    const rival = draft.opponent === 'human' && !draft.byLink ? weakestNamed() : draft.opponent;
    return dialogContent(
      t(draft.position === app.start || draft.fair ? 'newGame' : 'playFromHere'),
      () => app.close(),
      html`<form @submit=${start}>
        <div class="rest">${choices(
          'opponent',
          t('playAgainst'),
          Object.entries({ ...NAMED, human: 'twoPlayers' }).map(([name, key]) => [name, t(key)]),
          draft.custom ? '' : draft.opponent,
          (opponent) => change({ opponent, byLink: false }),
        )}
        ${
          draft.opponent === 'human' && !draft.custom
            ? choices('place', t('friendWhere'), [['', t('friendHere')], ['link', t('friendLink')]],
              draft.byLink ? 'link' : '', (place) => change({ byLink: place === 'link' }))
            : nothing
        }
        ${
          draft.opponent === 'human' && !draft.custom && !draft.byLink
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
                (colour) => change({ colour, opponent: rival }),
              )
        }
        ${disclosure('more', t('more'), draft.more, (more) => show({ more }),
          html`${select('black')} ${select('white')}`)}
        ${
          isTooLarge(app.engine)
            ? nothing
            : disclosure('fair', t('fairStart'), draft.fairShown, (fairShown) => {
                show({ fairShown });
                if (fairShown) findFair();
              }, draft.fairShown ? html`<div class="line">${fairStart()}</div>` : nothing)
        }</div>
        <button class="main" id="start-game" autofocus>${t('start')}</button>
      </form>`,
    );
  };

  return { content };
}
