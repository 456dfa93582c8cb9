// Puzzles: positions from the table in which exactly one move keeps the win or the draw, and the user's own mistakes,
// played until the result is safe.

import { html, nothing } from 'lit-html';

import { STANDARD } from './state/boards.js';
import { button, choices } from './views/dom.js';
import { THEMES } from './state/exercises.js';
import { dateOf, lineText, moveText } from './views/format.js';
import { opponentOf, userOf } from './games.js';
import { GRADES } from './state/grades.js';
import { createHints } from './hint.js';
import { countDone, EXERCISES } from './state/lessons.js';
import { isTooLarge, startSearcher } from './searcher.js';
import { newestRecord, save } from './state/storage.js';
import { signal } from './sound.js';
import { t } from './texts.js';

/** @import { App, KeptGame, Reviewed, Scene, Side, Status, Value } from './types.js' */

/**
 * @typedef {{result: Value['result'], plies: number, grade: string, position: string, toMove: Side,
 *   date: string, game: KeptGame | null}} Puzzle
 */
/**
 * `moves` are those of the game before the position: a move that repeats a position is a mistake only because of them.
 * @typedef {{position: string, date?: string, game?: KeptGame, moves?: string[]}} Found
 */

const OF_THE_DAY = ['hard', 'easy', 'medium', 'easy', 'medium', 'hard', 'draw']; // from Sunday
const REPLY = 600; // milliseconds

/** @param {App} app */
export function createPuzzle(app) {
  /** @type {Puzzle | null} */
  let puzzle = null; // date: of the daily puzzle, or ''; game: in which the user made a mistake there
  /** @type {import('../engine/engine.js').Game} */
  let game;
  /** @type {'unsolved' | 'wrong' | 'solved' | 'shown'} */
  let progress = 'unsolved';
  const hints = createHints(app, () => game, { isPuzzle: true });
  let begun = 0; // plies of the game before the puzzle
  let counted = false; // solved or failed; only the first try counts
  /** @type {{move: string, value: Value, line: string[]}} */
  let wrong; // the last wrong move
  /** @type {symbol} */
  let loading; // stands for the puzzle that is being looked for
  let none = ''; // the text that explains why there is no puzzle
  /** @type {import('./types.js').Source | null} */
  let source = null; // of the table
  /** @type {ReturnType<typeof startSearcher> | undefined} */
  let searcher;

  /** @param {Value} value */
  const gradeOf = ({ result, plies }) =>
    (result === 'draw' ? null : Object.keys(GRADES).find((name) => plies <= (GRADES[name].to ?? 0))) ?? 'draw';

  /**
   * Shows a position. Returns false if it is not a puzzle: not exactly one move keeps a win or a draw, or, where the
   * user made a mistake, all moves do.
   * @param {Found} found
   */
  function open({ position, date = '', game: played, moves = [] }) {
    const check = app.engine.checkPosition(position);
    if (!check.ok) return false;
    const next = app.engine.newGame(played?.start ?? check.position);
    for (const move of moves) next.play(move);
    const choices = next.choices();
    const [first, second] = choices;
    const wrong = played ? choices.at(-1) : second;
    if (!wrong || first.value.result === 'loss' || wrong.value.result === first.value.result) {
      next.free();
      return false;
    }
    const { result, plies } = first.value;
    puzzle = { position: check.position, toMove: app.board.read(check.position).toMove, result, plies: plies ?? 0,
      grade: gradeOf(first.value), date, game: played ?? null };
    game?.free();
    game = next;
    begun = moves.length;
    if (app.view === 'puzzle') {
      app.stopDemo();
      // Not those of the view to which the user has gone on meanwhile.
      app.dispatch({ type: 'subject' });
    }
    progress = 'unsolved';
    hints.reset();
    counted = false;
    return true;
  }

  /**
   * @param {string} grade
   * @param {number} seed
   * @returns {Promise<string | null>} a position
   */
  async function find(grade, seed) {
    searcher ??= startSearcher(source, !isTooLarge(app.engine));
    const { draw = false, from = 0, to = 0 } = GRADES[grade];
    return searcher.ask({ what: 'puzzle', seed, draw, from, to });
  }

  /**
   * Shows the first puzzle that is found, unless the user has asked for another one meanwhile.
   * @param {() => Promise<Found[]>} search
   * @param {string} missing the text that explains why there is none
   */
  async function load(search, missing = isTooLarge(app.engine) ? 'puzzleTooLarge' : 'puzzleNoneNote') {
    const mine = (loading = Symbol());
    none = '';
    try {
      const found = await search();
      if (loading !== mine) return;
      if (!found.some(open)) none = missing;
    } catch {
      if (loading !== mine) return;
      none = 'puzzleUnread';
      searcher?.end();
      searcher = undefined;
    }
    if (loading !== mine) return;
    if (none) puzzle = null;
    if (app.view !== 'puzzle') return;
    app.update({ replace: true, notice: app.notice });
    app.announce(app.statusText);
  }

  /**
   * A puzzle of a grade, if there is one.
   * @param {string} grade
   * @param {number} seed
   */
  async function search(grade, seed, date = '') {
    const position = await find(grade, seed);
    return position ? [{ position, date }] : [];
  }

  const random = (grade = app.settings.grade) => load(() => search(grade, app.randomSeed()));

  /** @type {Map<string, Found[]>} */
  const mistakes = new Map(); // by game
  let shown = 0; // mistakes

  /**
   * The positions of a game in which the user made a mistake; of two people, either.
   * @param {KeptGame} played
   */
  async function mistakesOf(played) {
    const key = [app.boardName, played.start, played.moves].join(' ');
    const known = mistakes.get(key);
    if (known) return known;
    searcher ??= startSearcher(source, !isTooLarge(app.engine));
    const moves = played.moves.split('.').map((move) => move.replace(/^([a-z]\d+)([a-z]\d+)$/, '$1-$2'));
    /** @type {Reviewed[]} */
    const reviewed = await searcher.ask({ what: 'review', start: played.start, moves }).catch(() => []); // illegal
    const own = reviewed.filter(({ mark, side }) => mark && side === (userOf(played) ?? side));
    const found = own.map(({ position, ply }) => ({ position, game: played, moves: moves.slice(0, ply - 1) }));
    mistakes.set(key, found);
    return found;
  }

  /** The mistakes in the games that are kept, beginning with the next one to be shown. */
  async function searchMistakes() {
    const found = [];
    for (const played of app.keptGames()) found.push(...(await mistakesOf(played)));
    const at = shown++ % Math.max(found.length, 1);
    return [...found.slice(at), ...found.slice(0, at)];
  }

  const mistake = () => load(searchMistakes, 'mistakesNone');

  const next = () => (puzzle?.game ? mistake() : random());

  /**
   * The grade and the seed of the puzzle of today, which is this date.
   * @param {string} date
   * @returns {[string, number]}
   */
  const today = (date) => [OF_THE_DAY[new Date().getDay()], Number(date.replaceAll('-', ''))];

  function daily() {
    const date = dateOf();
    return load(() => search(...today(date), date));
  }

  /** The daily puzzle is the same for everyone: it is of the standard board. */
  const hasDaily = () => app.boardName === STANDARD;

  /**
   * Finds out whether the puzzle, whose position was in the address, is that of the day: after a reload it still counts
   * as that.
   */
  async function recognize() {
    const date = dateOf();
    const opened = puzzle;
    if (!opened || !hasDaily() || app.record.daily === date) return;
    const position = await find(...today(date)).catch(() => null);
    if (position !== opened.position || puzzle !== opened) return;
    opened.date = date;
    app.render();
  }

  /** On how many days in a row, until today or yesterday, the daily puzzle was solved. */
  const daysInRow = () => ([dateOf(), dateOf(1)].includes(app.record.daily) ? app.record.days : 0);

  /** Whether nothing counts any more: the first try is over, or it is a mistake of the user. */
  const isCounted = () => counted || !puzzle || Boolean(puzzle.game);

  /**
   * Counts the puzzle once, as solved or failed.
   * @param {boolean} solved
   */
  function count(solved) {
    if (isCounted() || !puzzle) return;
    counted = true;
    if (newestRecord(app.record).last === puzzle.position) return; // before the page was loaded again
    const record = (app.record = newestRecord(app.record));
    const expected = 1 / (1 + 10 ** ((GRADES[puzzle.grade].rating - record.rating) / 400));
    record.rating = Math.round(record.rating + 32 * (Number(solved) - expected));
    record.last = puzzle.position;
    record.streak = solved ? record.streak + 1 : 0;
    record.bestStreak = Math.max(record.streak, record.bestStreak);
    (record.puzzles[puzzle.grade] ??= [0, 0])[solved ? 0 : 1]++;
    if (solved && puzzle.date && puzzle.date !== record.daily)
      Object.assign(record, { days: daysInRow() + 1, daily: puzzle.date });
    save('record', record);
  }

  /**
   * Shows and says what has happened, unless the user is in another view meanwhile.
   * @param {'move' | 'won'} sound
   * @param {string} spoken
   */
  function tell(sound, spoken) {
    if (app.view !== 'puzzle') return;
    signal(sound, app.settings);
    app.update({ replace: true });
    app.announce(spoken, app.statusText);
  }

  /** Whether nothing is left to find: the game is over, or several moves keep the draw. */
  function isSafe() {
    const { end } = game.state();
    if (end || puzzle?.result === 'win') return Boolean(end);
    return game.choices().filter(({ value }) => value.result !== 'loss').length !== 1;
  }

  function solve(spoken = '') {
    progress = 'solved';
    count(true);
    tell('won', spoken);
  }

  /** @param {Puzzle | null} asked the puzzle in which the user has moved */
  function reply(asked) {
    if (puzzle !== asked || game.state().to_move === asked?.toMove || progress !== 'unsolved') return;
    const [{ move }] = game.choices(); // a loss as late as possible
    const spoken = t('spokenMove', t(game.state().to_move), moveText(move));
    game.play(move);
    if (isSafe()) solve(spoken);
    else tell('move', spoken);
  }

  /** @param {string} move */
  function play(move) {
    const value = game.choices().find((choice) => choice.move === move)?.value;
    if (!value) return;
    const { plies, position } = game.state();
    const isWrong = value.result !== puzzle?.result;
    const line = isWrong ? game.why(plies, move).line : [];
    hints.reset();
    app.dispatch({ type: 'preview', move: null });
    if (isWrong) {
      progress = 'wrong';
      count(false);
      wrong = { move, value, line };
      signal('lost', app.settings);
      app.showLine('wrong', position, [move, ...line], { at: 1, playing: false });
    } else {
      game.play(move);
      signal('move', app.settings);
      if (game.state().end) return solve();
      const asked = puzzle;
      setTimeout(() => reply(asked), REPLY);
    }
    app.update({ replace: true });
    app.announce(status().headline);
  }

  function again() {
    app.stopDemo();
    progress = 'unsolved';
    app.update({ replace: true });
    app.announce(app.statusText);
  }

  function show() {
    const [{ move }] = game.choices();
    const { plies, position } = game.state();
    const { line } = game.why(plies, move);
    progress = 'shown';
    hints.reset();
    count(false);
    app.showLine('answer', position, [move, ...line]);
    app.announce(status().headline);
  }

  const myTurn = () => progress === 'unsolved' && game.state().to_move === puzzle?.toMove;

  /** @returns {Status} */
  function status() {
    if (!puzzle) return { side: null, headline: t(none ? 'puzzleNone' : 'puzzleLoading'), subline: none && t(none) };
    const plies = game.state().plies - begun;
    const { toMove, result, game: played } = puzzle;
    const left = game.choices()[0]?.value.plies ?? 0;
    const asked = result === 'draw' ? t('puzzleAskSave') : plies ? t('puzzleAskRest', left) : t('puzzleAskWin', left);
    const prompt = played && !plies ? t(`reviewTry_${result}`) : asked;
    /** @type {Record<typeof progress, () => [string, string]>} */
    const texts = {
      unsolved: () => [plies ? t('puzzleGoOn') : t('toMove', t(toMove)), prompt],
      solved: () => [t('puzzleRight'), result === 'win' ? t('puzzleWon') : t('puzzleSaved')],
      shown: () => [t('puzzleShown', moveText(game.choices()[0]?.move ?? '')), ''],
      wrong: () => [t(`puzzleWrong_${wrong.value.result}`, moveText(wrong.move)), prompt],
    };
    const [headline, subline] = texts[progress]();
    return { side: toMove, headline, subline };
  }

  const themes = () =>
    html`<details id="themes">
      <summary>${t('puzzleThemes')}</summary>
      <div class="actions">
        ${THEMES.map((theme) => button(`theme-${theme}`, t(`course_${theme}`), () => app.show('lessons', theme)))}
      </div>
    </details>`;

  return {
    move: play,
    /**
     * Shows the puzzle of an address. Returns false if it is none.
     * @param {string} position
     */
    open(position) {
      const isPuzzle = open({ position });
      if (isPuzzle) recognize();
      return isPuzzle;
    },
    /**
     * The board has changed, and with it the table.
     * @param {import('./types.js').Source | null} next
     */
    forget(next) {
      puzzle = null;
      none = '';
      loading = Symbol();
      source = next;
      searcher?.end();
      searcher = undefined;
    },
    next,
    /** Shows the puzzle of the day, or a random one if that is solved, unless there is a puzzle already. */
    enter() {
      if (!puzzle) (hasDaily() && app.record.daily !== dateOf() ? daily() : random());
    },
    /** For the address, which does not name a game. */
    position: () => (puzzle?.game ? null : (puzzle?.position ?? null)),
    side: () => puzzle?.toMove,
    /** @returns {Partial<Scene>} */
    scene() {
      if (!puzzle) return { position: app.start, legal: [], last: null };
      const { position, legal, moves, end: over } = game.state();
      return {
        position,
        legal: myTurn() ? legal : [],
        last: moves.at(-1) ?? null,
        preview: app.preview ?? hints.preview(),
        glow: hints.glow(),
        winners: over?.reason === 'won' ? over.winner : null,
      };
    },
    status,
    panel() {
      const { record } = app;
      const done = progress === 'solved' || progress === 'shown';
      const open = puzzle && !done;
      /**
       * @param {string} label
       * @param {number} value
       * @param {string} [id]
       */
      const score = (label, value, id) => html`<div><dt>${label}</dt><dd id=${id ?? nothing}>${value}</dd></div>`;
      return html`<section class="actions">
          ${progress === 'wrong' ? button('puzzle-again', t('puzzleAgain'), again, { main: true }) : nothing}
          ${done ? button('puzzle-next', t('puzzleNext'), () => next(), { main: true }) : nothing}
          ${open && progress !== 'wrong'
            ? hints.button({ disabled: !myTurn(), onMove: () => count(false) }) : nothing}
          ${open ? button('puzzle-show', t('puzzleShow'), show, { disabled: progress !== 'wrong' && !myTurn() })
            : nothing}
          ${open ? button('puzzle-next', t('puzzleSkip'), () => next()) : nothing}
          ${open && progress !== 'wrong' ? hints.content(isCounted() ? '' : t('hintCost')) : nothing}
          ${progress === 'wrong' && wrong.line.length ? html`<p class="why">${lineText(wrong.line)}</p>` : nothing}
          ${done ? button('puzzle-explore', t('puzzleExplore'), () => puzzle && app.openPosition(puzzle.position))
            : nothing}
        </section>
        <section>
          ${hasDaily()
            ? button('to-lessons', t('lessons', countDone(app.settings.lessons), Object.keys(EXERCISES).length),
              () => app.show('lessons'))
            : nothing}
          ${app.keptGames().length ? button('my-mistakes', t('myMistakes'), mistake) : nothing}
          ${puzzle?.game
            ? html`<p class="note" id="mistake-of">${t('mistakeOf', puzzle.game.date, opponentOf(puzzle.game))}</p>`
            : nothing}
          ${
            puzzle && puzzle.date === dateOf()
              ? html`<p><b>${t('puzzleDaily')}</b> · ${
                t(/** @type {string} */ (`grade_${puzzle.grade}`))} · ${puzzle.date}</p>`
              : !hasDaily() ? nothing
                : button('daily', record.daily === dateOf() ? t('puzzleDailyDone') : t('puzzleDaily'), daily)
          }
          ${choices(
            'grade',
            t('puzzleKind'),
            Object.keys(GRADES).map((name) => [name, t(/** @type {string} */ (`grade_${name}`))]),
            app.settings.grade,
            (grade) => {
              app.set('grade', grade);
              random();
            },
          )}
          ${hasDaily() ? themes() : nothing}
        </section>
        <dl class="scores">
          ${score(t('rating'), record.rating, 'rating')} ${score(t('streak'), record.streak, 'streak')}
          ${score(t('bestStreak'), record.bestStreak)} ${score(t('days'), daysInRow(), 'days')}
        </dl>`;
    },
  };
}
