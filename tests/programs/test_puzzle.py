"""neutreeko puzzle: positions in which a single move is right."""

import contextlib
import errno
import re

import pytest

from table_reader import damaged
from test_faults import faulty, reported
from test_terminal import faulty_terminal, needs_faults, terminal


@pytest.fixture(autouse=True)
def small_table(t):
    """In which puzzles are found at once."""
    t.load('--board 4x4')


@pytest.mark.parametrize(
    'arguments, result, plies, count',
    [('--plies 21', 'win', 21, 20), ('--draw', 'draw', None, 20), ('--plies 1', 'win', 1, 1000)],
)
def test_single_moves(t, arguments, result, plies, count):
    """Exactly one move wins, in as many plies as asked for, or does not lose; many are of both colours and in every
    orientation."""
    found = t.run(f'neutreeko puzzle --json --answer --seed 5 --count {count} {arguments}').expect(0, err='').json()
    for puzzle, answer in zip(found, t.ask(puzzle['position'] for puzzle in found)):
        side = {'b': 'black', 'w': 'white'}[puzzle['position'][-1]]
        assert list(puzzle.items()) == [
            ('position', answer['position']),
            ('to_move', side),
            ('result', result),
            ('plies', plies),
            ('answer', answer['moves'][0]['move']),
            ('seed', 5),
        ]
        assert (answer['result'], answer['plies']) == (result, plies)
        assert len(answer['moves']) > 1
        assert [move['result'] for move in answer['moves']].count(result) == 1
    assert len({puzzle['position'] for puzzle in found}) == count
    if count == 1000:
        assert 400 < sum(puzzle['to_move'] == 'black' for puzzle in found) < 600
        boards = [
            re.sub('[1-4]', lambda empty: '.' * int(empty[0]), puzzle['position'][:-2]).replace('/', '')
            for puzzle in found
        ]
        for square in range(16):
            near, far = (sum(board[place] == 'b' for board in boards) for place in (square, 15 - square))
            assert abs(near - far) < 6 * (near + far + 1) ** 0.5, square


def test_text(t):
    """Puzzles as text have the positions and questions of those in JSON, numbered if there are several, and the answers
    only with --answer. The same seed prints the same puzzles, the first of them for a smaller count; other seeds, and
    none, print others."""
    for arguments, count, question in (
        ('--plies 1', 1, 'wins in 1 move (1 ply): find the only winning move.'),
        ('--draw', 3, "only one move doesn't lose. Find it."),
    ):
        command = f'neutreeko puzzle --count {count} {arguments} --seed 9'
        asked = t.run(f'{command} --json').expect(0, err='').json()
        assert t.run(f'{command} --json --count {count + 10}').expect(0, err='').json()[:count] == asked
        shown = t.run(command).expect(0, err='').out
        assert re.findall(r'^(?:Puzzle (\d): )?([1-4bw/]+ [bw])$', shown, re.M) == [
            (str(n + 1) * (count > 1), puzzle['position']) for n, puzzle in enumerate(asked)]
        assert re.findall(r'^(\w+) to move:? (.*)$', shown, re.M) == [
            (puzzle['to_move'].title(), question) for puzzle in asked
        ]
        answered = t.run(f'{command} --answer').expect(0, err='').out
        assert re.fullmatch(re.escape(shown) + r'\n(Answer: .*\n|Answer 1: .*\nAnswer 2: .*\nAnswer 3: .*\n)', answered)
        others = {
            t.run(f'neutreeko puzzle --plies 3 --count 7 {seed}').out
            for seed in ('--seed 1', '--seed 1', '--seed 2', '', '')
        }
        assert len(others) == 4
        assert 'answer' not in asked[0]


@pytest.mark.parametrize('board, arguments, code, message', [
    ('--board 4x4', '--plies 33 --count 3', 0,
     'only 1 position, up to symmetry, is won in 17 moves (33 plies) by a single move'),
    ('--board 3x3 --pieces 3 --row 3', '--draw --count 1000', 0,
     'only 22 positions, up to symmetry, are drawn by a single move'),
    ('--board 3x3 --pieces 4 --row 4', '--draw', 1, 'no position is drawn by a single move'),  # among several
    ('--board 3x3 --pieces 2 --row 2', '--plies 3', 1,
     'no position is won in 2 moves (3 plies) by a single move; the longest such win takes 1 move (1 ply)'),
    ('--board 3x3 --pieces 4 --row 4', '--plies 1', 1, 'no position is won in 1 move (1 ply) by a single move'),
])
def test_too_few(t, board, arguments, code, message):
    """What there is not is reported: no such distance, fewer than asked for."""
    t.solve('t.dat', board)
    ended = t.run(f'neutreeko puzzle --table t.dat --json {arguments}').expect(code)
    assert ended.err == f'neutreeko puzzle: {message}\n'
    assert len(ended.json()) == (0 if code else int(message.split()[1]))


def test_help_shows_a_legal_move_that_is_not_the_answer(t):
    """With this seed, the first of all legal moves is the answer."""
    with terminal(t, '--plies', '3', '--seed', '1', command='puzzle', ready=None) as at:
        begun = at.wait_for('wins in 2 moves')
        position, = re.findall(r'^[1-5bw/]+ [bw]$', begun, re.M)
        at.type('help\r')
        shown = at.wait_for(', or one of these commands')
    example = re.search(r'Type a move from square to square, as (\S+) or \S+$', shown)[1]
    answer, *others = [move['move'] for move in t.ask([position])[0]['moves']]
    assert {example, re.search(r'Type a move such as (\S+),', begun)[1]} <= set(others)
    legal = t.run('neutreeko engine', f'pos pos="{position}"\nstate\n').expect(0).out
    assert f' moves="{answer} {example} ' in legal


class Quiz:
    """A person who is asked puzzles that are won in 2 moves."""

    def __init__(self, t, at):
        self.t, self.at = t, at
        self.first = self.moves(at.wait_for('wins in 2 moves (3 plies): find the only winning move.'))
        at.wait_for('> ')

    def moves(self, shown):
        """The moves of the position that is shown, best first: only the first one wins."""
        answer, = self.t.ask(re.findall(r'^[1-5bw/]+ [bw]$', shown, re.M))
        return [move['move'] for move in answer['moves']]

    def say(self, line, *answers):
        """Types a line and waits for the answers; returns what is shown up to the last of them and the prompt."""
        self.at.type(line + '\r')
        shown = [self.at.wait_for(answer) for answer in answers]
        return shown[-1] + self.at.wait_for('> ')

    def next(self, line=''):
        """Goes on to the next puzzle; returns its moves."""
        return self.moves(self.say(line, 'find the only'))


@contextlib.contextmanager
def quiz(t):
    with terminal(t, '--plies', '3', '--seed', '1', command='puzzle', ready=None) as at:
        yield Quiz(t, at)
        at.end(0, '\x04')


def test_tries_and_hints_at_a_terminal(t):
    """A wrong move is named; hints show the piece, the move and the reason."""
    with quiz(t) as q:
        best, wrong, *_ = q.first
        q.say(wrong.replace('-', ' '), f'Not quite: {wrong} ', "Try again, or type 'hint'.")
        q.say('HINT', f'Move the piece on {best[:2]}.')
        q.say('hi\t', f'Play {best}.')
        q.say('hint', f'{best} wins in 2 moves with optimal play. It is the only move that wins.')
        q.say(f'{best}\t', f'Correct! {best} wins in 2 moves. Press Enter for the next puzzle.')
        q.say(best, 'This puzzle is solved. Press Enter for the next one.')


def test_score_at_a_terminal(t):
    """Solved at the first try is what needed neither another try nor a hint; what is skipped is not solved."""
    with quiz(t) as q:
        q.say('score', 'Solved 0 of 0, 0 at the first')
        tried, wrong, *_ = q.first
        q.say(wrong, 'Not quite')
        q.say('score', 'Solved 0 of 1, 0 at the first')
        q.say(tried, 'Correct!')
        at_once, *_ = q.next()
        q.say(at_once.upper(), f'Correct! {at_once} wins in 2 moves.')
        skipped, *_ = q.next('next')
        assert 'The answer was' not in q.at.shown
        with_hint, *_ = q.moves(q.say('next', f'The answer was {skipped}.', 'find the only'))
        q.say('hint', 'Move the piece on ')
        q.say('score', 'Solved 2 of 4, 1 at the first')
        q.say(with_hint, 'Correct!')
    assert 'Solved 3 of 4, 1 at the first try without a hint.' in q.at.shown


def test_board_at_a_terminal(t):
    with quiz(t) as q:
        assert q.next('board') == q.first


def test_what_cannot_be_an_answer_at_a_terminal(t):
    with quiz(t) as q:
        best, *_ = q.first
        q.say('', '\n')
        q.say('b9', "Invalid move 'b9': character 2: ")
        q.say('b2-', "'b2-' is one square: type both squares, as ")
        q.say('x', "Unknown move or command 'x'. 'help' lists the commands.")
        q.say('h', "'h' is ambiguous: hint or help.")
        q.say('next now', "'next' takes no argument.")
        for typed in 'help', '?', 'HEL':
            q.say(typed, 'hint          help step by step: which piece, which move', 'help          show this list')
        q.say(best[3:] + '-' + best[:2], f"Illegal move '{best[3:]}-{best[:2]}': ")


@pytest.mark.parametrize('script', ['"$@" </dev/null', '"$@" | cat'])
def test_a_pipe_at_either_end_prints_one_puzzle(t, script):
    with terminal(t, command='puzzle', script=script, ready=None) as at:
        at.end(0)
    assert 'find the only winning move.' in at.shown
    assert '> ' not in at.shown


@pytest.mark.parametrize('arguments, message', [
    (['--plies', '101'], 'the longest such win takes '), (['--table', 'bad.dat'], 'damaged')])
def test_no_puzzle_at_a_terminal(t, arguments, message):
    t.write('bad.dat', damaged(t.table.read_bytes()))
    with terminal(t, *arguments, command='puzzle', ready=None, columns=200) as at:
        at.end(1)
    assert message in at.shown


@needs_faults
@pytest.mark.parametrize('kind, code', [('alloc', errno.ENOMEM), ('read', errno.EINVAL), ('write', errno.ENOSPC)])
def test_failures_at_a_terminal(t, kind, code):
    """Out of memory, or when the terminal or the table cannot be read or written, it ends with a message."""
    t.solve('t.dat', '--board 4x4')
    number, happened = 0, True
    while happened:
        number += 1 + number // 10
        with faulty_terminal(
            t, faulty(t, kind, number, code=code), '--table', 't.dat', '--plies', '3', command='puzzle', TERM='dumb'
        ) as at:
            at.end(None, 'hint\rquit\r')
        happened, _ = reported(t)
        # Some of the memory is not essential.
        assert (at.process.returncode, 'neutreeko puzzle: ' in at.shown) in (
            [(1, True)] * bool(happened) + [(0, False)] * (kind == 'alloc' or not happened)), at.shown
