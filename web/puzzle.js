// Positions in which exactly one move is right, from the table.

import { button, fill, h } from './dom.js';
import { t } from './texts.js';
import { lineWords, moveText, other, outcomeWords, whyWords } from './words.js';

const FIRST = '3'; // the difficulty to begin with: a win in so many plies

export function createPuzzle(app, panel) {
  let kinds = [];
  let puzzle = null; // {position, toMove, answer, value}
  let game = null;
  let progress = 'open'; // 'wrong' | 'solved' | 'shown'
  let blemished = false; // a wrong move or the answer shown: solving it no longer counts
  let tried = null;

  const nameOf = (kind) => (kind.save ? 'save' : String(kind.plies));
  const words = (kind) => (kind.save ? t('puzzleSave') : t('puzzleWin', kind.plies));

  function chosenKind() {
    kinds = kinds.length ? kinds : app.engine.puzzleKinds();
    return (
      kinds.find((kind) => nameOf(kind) === app.settings.puzzle) ??
      kinds.find((kind) => nameOf(kind) === FIRST) ??
      kinds[0]
    );
  }

  const take = () => app.engine.puzzles(chosenKind(), app.chance(), 1)[0].position;

  /** Takes up a position; false when it is no puzzle: not exactly one move keeps a win or a draw. */
  function open(position) {
    const check = app.engine.checkPosition(position);
    if (!check.ok) return false;
    const [first, second] = app.engine.moves(check.text);
    if (!second || first.value.result === 'loss' || second.value.result === first.value.result) return false;
    puzzle = {
      position: check.text,
      toMove: app.board.read(check.text).toMove,
      answer: first.move,
      value: first.value,
    };
    blemished = false;
    retry();
    return true;
  }

  function retry() {
    game?.free();
    game = app.engine.newGame(puzzle.position);
    progress = 'open';
  }

  function next() {
    open(take());
    app.update();
    app.say(app.statusWords());
  }

  function setStreak(streak) {
    app.set('streak', streak);
    app.set('bestStreak', Math.max(streak, app.settings.bestStreak));
  }

  function play(move, shown = false) {
    tried = { ...game.why(0, move), move };
    game.play(move);
    progress = move !== puzzle.answer ? 'wrong' : shown ? 'shown' : 'solved';
    if (progress === 'solved' && !blemished) setStreak(app.settings.streak + 1);
    if (progress !== 'solved') {
      blemished = true;
      setStreak(0);
    }
    app.update({ replace: true });
    app.say(verdict().join(t('between')));
  }

  function again() {
    retry();
    app.update({ replace: true });
  }

  function show() {
    retry();
    play(puzzle.answer, true);
  }

  const askWords = () => (puzzle.value.result === 'win' ? t('puzzleAskWin', puzzle.value.plies) : t('puzzleAskSave'));

  function verdict() {
    if (progress === 'open') return [];
    if (progress === 'wrong')
      return [
        t('puzzleWrong', moveText(tried.move)),
        outcomeWords(app.engine.value(tried.next), other(puzzle.toMove)) + t('stop'),
        lineWords(tried.line),
      ];
    return [
      progress === 'solved' ? t('puzzleRight') : t('puzzleShown', moveText(puzzle.answer)),
      ...whyWords(tried, puzzle.toMove),
    ];
  }

  return {
    play,
    next,
    open,
    /** Makes sure that there is a puzzle. */
    enter() {
      if (!puzzle) open(take());
    },
    position: () => puzzle?.position,
    scene() {
      const { position, legal, moves } = game.state();
      return { position, legal: progress === 'open' ? legal : [], last: moves.at(-1) ?? null };
    },
    status() {
      const [headline, subline] = progress === 'open' ? [t('toMove', t(puzzle.toMove)), askWords()] : verdict();
      return { side: puzzle.toMove, headline, subline };
    },
    render() {
      const kind = chosenKind();
      const [, ...rest] = verdict();
      const done = progress === 'solved' || progress === 'shown';
      fill(
        panel,
        rest.length > 0 && h('p', { class: `verdict ${progress}` }, rest.join(t('between'))),
        h(
          'div',
          { class: 'actions' },
          progress === 'wrong' && button('puzzle-again', t('puzzleAgain'), again, { main: true }),
          button('puzzle-next', t('puzzleNext'), next, { main: done }),
          !done && button('puzzle-show', t('puzzleShow'), show),
          done && button('puzzle-explore', t('puzzleExplore'), () => app.explorePosition(puzzle.position)),
        ),
        h(
          'section',
          {},
          h(
            'div',
            { class: 'field' },
            h('label', { for: 'puzzle-kind' }, t('puzzleKind')),
            h(
              'select',
              {
                id: 'puzzle-kind',
                'data-key': 'kind',
                onchange: (event) => {
                  app.set('puzzle', event.target.value);
                  next();
                },
              },
              kinds.map((one) => h('option', { value: nameOf(one), selected: one === kind }, words(one))),
            ),
            h('p', { class: 'note' }, t('puzzleTotal', kind.total)),
          ),
          h(
            'dl',
            { class: 'scores' },
            h('div', {}, h('dt', {}, t('streak')), h('dd', { id: 'streak' }, app.settings.streak)),
            h('div', {}, h('dt', {}, t('bestStreak')), h('dd', {}, app.settings.bestStreak)),
          ),
        ),
      );
    },
  };
}
