// The lessons: exercises for one idea at a time, the right move in each, and what has been learnt so far; and further
// exercises of a lesson, which are puzzles of its theme.

import { html, nothing } from 'lit-html';

import { button, pause } from './views/dom.js';
import { isExercise, randomPosition } from './state/exercises.js';
import { distanceText, moveText, whySentences } from './views/format.js';
import { countDone, EXERCISES, GOALS, goodReplies, passed, solutions, threatsOf, winsAtOnce } from './state/lessons.js';
import { newestSetting } from './state/storage.js';
import { signal } from './sound.js';
import { t } from './texts.js';

/** @import { App, MoveShown, MoveValue, Scene, Status } from './types.js' */

const NAMES = Object.keys(EXERCISES);
const MISSES = 2; // before the answer is shown
const SLICE = 10; // milliseconds of looking for an exercise

/** @param {App} app */
export function createCourse(app) {
  let name = NAMES[0];
  let number = 0; // of the exercise
  /** @type {import('../engine/engine.js').Game} */
  let game; // from the position that is shown
  /** @type {string | null} */
  let last = null; // the last move
  /** @type {MoveValue | null} */
  let solved = null; // the move that solved the exercise
  /** @type {string[]} */
  let line = []; // with what follows it with best play
  /** @type {{move: string, reason: string} | null} */
  let missed = null; // the last move that did not
  let misses = 0;
  /** @type {string | null} */
  let further = null; // the position of the further exercise that is shown
  /** @type {symbol | null} */
  let looking = null; // identifies the search for a further exercise that is running

  const start = () => further ?? EXERCISES[name][number];
  /** In the first lesson a square is to be reached, while the opponent does not move. */
  const goal = () => (name === 'slide' ? GOALS[number] : undefined);
  const title = (lesson = name) => t(`course_${lesson}`);
  /** @param {string} lesson */
  const doneOf = (lesson) => app.settings.lessons[lesson] ?? 0;
  const isLast = () => number + 1 === EXERCISES[name].length;
  const nextName = () => NAMES[NAMES.indexOf(name) + 1];

  /** @param {string} position */
  function show(position, move = /** @type {string | null} */ (null)) {
    game?.free();
    game = app.engine.newGame(position);
    last = move;
  }

  /**
   * Opens an exercise of a lesson, or a further one in this position.
   * @param {string} lesson
   * @param {number} exercise
   */
  function open(lesson, exercise, position = /** @type {string | null} */ (null)) {
    [name, number, solved, missed, misses] = [lesson, exercise, null, null, 0];
    [further, looking] = [position, null];
    app.stopDemo();
    show(start());
  }

  /** Opens a lesson where the user has stopped, or at its beginning when it is done. */
  const openLesson = (lesson = name) => open(lesson, doneOf(lesson) % EXERCISES[lesson].length);

  const answer = () => solutions(app.engine, name, game.state().position, goal())[0];
  const isShown = () => !solved && misses >= MISSES;

  /** What the board marks for who does not find the answer. */
  function hint() {
    if (isShown()) return t('hintMove', moveText(answer().move));
    return missed ? t('hintPiece', answer().from) : '';
  }

  /** @param {() => void} action */
  const change = (action, spoken = '') => {
    action();
    app.update({ replace: true });
    app.announce(spoken, app.statusText, hint);
  };

  /**
   * A random position that exercises the idea of a theme, or null if it is not wanted any more.
   * @param {string} theme
   * @param {() => boolean} isWanted
   */
  async function find(theme, isWanted) {
    for (let end = 0; isWanted();) {
      const position = randomPosition((count) => Math.floor(count * Math.random()));
      if (isExercise(app.engine, theme, position)) return position;
      if (performance.now() < end) continue;
      await pause();
      end = performance.now() + SLICE;
    }
    return null;
  }

  /** Shows a further exercise when it is found, unless the user has gone on meanwhile. @param {string} theme */
  async function practise(theme) {
    if (theme !== name) further = null;
    [name, number, solved, missed, misses] = [theme, 0, null, null, 0];
    app.stopDemo();
    const mine = (looking = Symbol());
    const isWanted = () => looking === mine && app.view === 'lessons';
    const position = await find(theme, isWanted);
    if (position && isWanted()) change(() => open(theme, 0, position));
  }

  /** Shows a further exercise that an address names. Returns false if it is none. @param {string} position */
  function openFurther(position) {
    const isValid = isExercise(app.engine, name, position);
    if (isValid) open(name, 0, position);
    return isValid;
  }

  function next() {
    if (further) {
      practise(name);
      app.render();
    } else if (!solved) return;
    else if (isLast() && !nextName()) app.show('puzzle');
    else change(() => (isLast() ? openLesson(nextName()) : open(name, number + 1)));
  }

  /** Counts the exercise as solved, unless the lesson is farther, maybe in another window. */
  function countSolved() {
    const { lessons } = app.settings;
    const stored = newestSetting('lessons', app.settings);
    app.set('lessons', { ...lessons, ...stored, [name]: Math.max(number + 1, stored[name] ?? 0, lessons[name] ?? 0) });
  }

  /** @param {MoveValue} choice */
  function solve(choice) {
    solved = choice;
    missed = null;
    last = choice.move;
    game.play(choice.move);
    line = [choice.move, ...game.bestLine()];
    if (!further) countSolved();
    signal('won', app.settings);
  }

  /** @param {MoveValue} choice */
  function miss({ move }) {
    const facts = game.why(0, move);
    const isReason = facts.gives !== null || name === 'delay';
    missed = { move, reason: isReason ? whySentences(facts, 'black', { hidesBest: true })[0] : '' };
    misses++;
    signal('lost', app.settings);
  }

  /**
   * Slides a piece, in the first lesson. A line would end the game there: the exercise begins again.
   * @param {MoveValue} choice
   */
  function slide({ move, next: after }) {
    const position = passed(after);
    if (app.engine.checkPosition(position).ok) show(position, move);
    else show(start());
    signal('move', app.settings);
  }

  /** @param {string} move */
  function play(move) {
    const choice = app.engine.moves(game.state().position).find((one) => one.move === move);
    if (!choice || solved) return;
    const isSolution = goal() ? choice.to === goal()
      : solutions(app.engine, name, start()).some((one) => one.move === move);
    if (isSolution) solve(choice);
    else if (goal()) slide(choice);
    else miss(choice);
    change(() => {}, goal() && !solved ? t('spokenMove', t('black'), moveText(move)) : '');
  }

  /** @param {MoveShown} shown */
  const arrow = (shown, result = /** @type {'win' | 'loss'} */ ('win')) => ({ ...shown, value: { result, plies: 1 } });

  /** The answer for who does not find it, or what White threatens. */
  function preview() {
    if (isShown()) return arrow(answer());
    return name === 'block' && !solved ? arrow(winsAtOnce(app.engine, passed(start()))[0], 'loss') : null;
  }

  /** What the right move has achieved, as the text has it. @param {MoveValue} choice */
  function achieved(choice) {
    /** @param {MoveValue[]} moves */
    const texts = (moves) => moves.map(({ move }) => moveText(move));
    if (name === 'threat' || name === 'double') return texts(threatsOf(app.engine, choice));
    if (name === 'trap') return texts(goodReplies(app.engine, choice));
    return name === 'delay' ? [distanceText((choice.value.plies ?? 0) - 1)] : [];
  }

  function headline() {
    if (solved) return t(`courseRight_${name}`, ...achieved(solved));
    if (missed) return t('courseMissed', moveText(missed.move));
    if (name !== 'block') return t(`courseTask_${name}`, goal());
    return t('courseTask_block', moveText(winsAtOnce(app.engine, passed(start()))[0].move));
  }

  const list = () =>
    html`<ol class="lessons">
      ${NAMES.map((lesson, index) => {
        const done = doneOf(lesson);
        const total = EXERCISES[lesson].length;
        const ticked = html`<span aria-hidden="true">\u2713</span><span class="unseen">${t('courseDone')}</span>`;
        return html`<li>
          <button type="button" id="lesson-${lesson}" aria-current=${lesson === name}
            @click=${() => change(() => openLesson(lesson))}>
            <span class="number">${index + 1}</span><span>${title(lesson)}</span><span class="done">${
              done === total ? ticked : done ? `${done}/${total}` : nothing
            }</span>
          </button>
        </li>`;
      })}
    </ol>`;

  return {
    move: play,
    next,
    /**
     * Opens the lesson with this number or, with null, the first that is not done; or a further exercise of it, in this
     * position. Returns false if there is none.
     * @param {number | null} at
     * @param {string | null} position
     */
    enter(at = null, position = null) {
      const first = NAMES.find((lesson) => doneOf(lesson) < EXERCISES[lesson].length) ?? NAMES[0];
      const asked = at === null ? first : NAMES[at - 1];
      openLesson(asked ?? first);
      return asked !== undefined && (position === null || openFurther(position));
    },
    practise,
    /** The lesson and the position of a further exercise, for the address. */
    place: () => ({ at: NAMES.indexOf(name) + 1, start: looking ? null : further }),
    /** @returns {Partial<Scene>} */
    scene() {
      if (looking) return { position: further ?? app.start };
      const { position, legal, end: over } = game.state();
      const square = goal();
      return {
        position,
        legal: solved ? [] : legal,
        last,
        marks: square ? [square] : [],
        glow: missed && !isShown() ? [answer().from] : null,
        preview: app.preview ?? preview(),
        winners: over?.winner ?? null,
      };
    },
    /** @returns {Status} */
    status() {
      const place = further ? title() : t('coursePlace', title(), number + 1, EXERCISES[name].length);
      return looking ? { side: null, headline: t('puzzleLoading'), subline: title() }
        : { side: null, headline: headline(), subline: missed?.reason || place };
    },
    panel() {
      const toLesson = nextName() ? t('courseNextTitle', title(nextName())) : t('puzzles');
      const toNext = further ? t('puzzleNext') : isLast() ? toLesson : t('courseNext');
      return html`<section>
          <p class="why">${t(`courseAbout_${name}`)}</p>
          <div class="actions">
            ${solved ? button('lesson-next', toNext, next, { main: true })
              : button('lesson-show', t('courseShow'), () => change(() => (misses = MISSES)),
                { disabled: isShown() || looking !== null })}
            ${further && !solved ? button('lesson-next', t('puzzleSkip'), next) : nothing}
          </div>
          ${solved && line.length > 1 && !goal() ? app.lineTemplate(`${name} ${number}`, start(), line) : nothing}
        </section>
        <section>
          <h3>${t('lessons', countDone(app.settings.lessons), NAMES.length)}</h3>
          ${list()}
        </section>`;
    },
  };
}
