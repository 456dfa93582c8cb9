// Puzzles: positions from the table in which exactly one move keeps the win or the draw.

import { button, fill, h } from './dom.js';
import { lineText, moveText, other, outcomeText, whySentences } from './format.js';
import { t } from './texts.js';

const FIRST = '3'; // the first difficulty: a win in so many plies

export function createPuzzle(app, panel) {
  let kinds = [];
  let puzzle = null; // {position, toMove, answer, value}
  let game = null;
  let progress = 'unsolved'; // 'wrong' | 'solved' | 'shown'
  let failed = false; // after a wrong move or the answer; solving the puzzle no longer counts
  let attempt = null; // game.why() of the last move, and the move

  const nameOf = (kind) => (kind.save ? 'save' : String(kind.plies));
  const labelOf = (kind) => (kind.save ? t('puzzleSave') : t('puzzleWin', kind.plies));

  function chosenKind() {
    kinds = kinds.length ? kinds : app.engine.puzzleKinds();
    return (
      kinds.find((kind) => nameOf(kind) === app.settings.puzzle) ??
      kinds.find((kind) => nameOf(kind) === FIRST) ??
      kinds[0]
    );
  }

  const randomPosition = () => app.engine.puzzles(chosenKind(), app.randomSeed(), 1)[0].position;

  /** Shows a position. Returns false if it is not a puzzle: not exactly one move keeps a win or a draw. */
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
    failed = false;
    retry();
    return true;
  }

  function retry() {
    game?.free();
    game = app.engine.newGame(puzzle.position);
    progress = 'unsolved';
  }

  function next() {
    open(randomPosition());
    app.update();
    app.announce(app.statusText());
  }

  function setStreak(streak) {
    app.set('streak', streak);
    app.set('bestStreak', Math.max(streak, app.settings.bestStreak));
  }

  function play(move, shown = false) {
    attempt = { ...game.why(0, move), move };
    game.play(move);
    progress = move !== puzzle.answer ? 'wrong' : shown ? 'shown' : 'solved';
    if (progress === 'solved' && !failed) setStreak(app.settings.streak + 1);
    if (progress !== 'solved') {
      failed = true;
      setStreak(0);
    }
    app.update({ replace: true });
    app.announce(verdict().join(t('between')));
  }

  function again() {
    retry();
    app.update({ replace: true });
  }

  function show() {
    retry();
    play(puzzle.answer, true);
  }

  const promptText = () => (puzzle.value.result === 'win' ? t('puzzleAskWin', puzzle.value.plies) : t('puzzleAskSave'));

  function verdict() {
    if (progress === 'unsolved') return [];
    if (progress === 'wrong')
      return [
        t(`puzzleWrong_${attempt.value.result}`, moveText(attempt.move)),
        attempt.value.result === 'loss' &&
          outcomeText(app.engine.value(attempt.next), other(puzzle.toMove), 'inMoves') + t('stop'),
        lineText(attempt.line),
      ].filter(Boolean);
    return [
      progress === 'solved' ? t('puzzleRight') : t('puzzleShown', moveText(puzzle.answer)),
      ...whySentences(attempt, puzzle.toMove, 'inMoves'),
    ];
  }

  return {
    play,
    next,
    open,
    /** Shows a random puzzle unless there is one already. */
    enter() {
      if (!puzzle) open(randomPosition());
    },
    position: () => puzzle?.position,
    scene() {
      const { position, legal, moves } = game.state();
      return { position, legal: progress === 'unsolved' ? legal : [], last: moves.at(-1) ?? null };
    },
    status() {
      const [headline, subline] = progress === 'unsolved' ? [t('toMove', t(puzzle.toMove)), promptText()] : verdict();
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
              kinds.map((one) => h('option', { value: nameOf(one), selected: one === kind }, labelOf(one))),
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
