"""neutreeko puzzle: positions in which a single move is right."""

import re

import pytest

import oracle
from test_terminal import Terminal


def puzzles(t, *arguments, count=1):
    found = t.run(['neutreeko', 'puzzle', '--json', '--answer', *arguments, '--count', str(count)]).expect(0, err='').json()
    assert len(found) == count
    return found


def expect_single_moves(t, found, result, distance):
    """Exactly one move keeps the result, as query prints it."""
    for puzzle, answer in zip(found, t.ask(puzzle['position'] for puzzle in found)):
        side = {'b': 'black', 'w': 'white'}[puzzle['position'][-1]]
        assert list(puzzle.items()) == [('position', answer['position']), ('side', side), ('result', result),
                                        ('distance', distance), ('answer', answer['moves'][0]['move'])]
        assert (answer['result'], answer['distance']) == (result, distance) and len(answer['moves']) > 1
        assert [move['result'] for move in answer['moves']].count(result) == 1


def pieces(puzzle):
    """The squares of the mover and of the other side, as sets of (file, rank)."""
    rows = re.sub('[1-5]', lambda empty: '.' * int(empty[0]), puzzle['position'][:-2]).split('/')[::-1]
    sides = {side: frozenset((file, rank) for rank, row in enumerate(rows) for file, letter in enumerate(row) if letter == side)
             for side in 'bw'}
    mover = puzzle['position'][-1]
    return sides[mover], sides['w' if mover == 'b' else 'b']


def expect_different(found):
    """No two are equal, colours apart, under the symmetries of the board."""
    seen = set()
    for puzzle in found:
        sides = pieces(puzzle)
        assert sides not in seen, puzzle
        for _ in range(4):
            sides = tuple(frozenset((4 - rank, file) for file, rank in side) for side in sides)
            seen |= {sides, tuple(frozenset((rank, file) for file, rank in side) for side in sides)}


@pytest.mark.parametrize('arguments, result, distance, count', [
    ('--plies 39', 'win', 39, 20), ('--save', 'draw', None, 20), ('--plies 5', 'win', 5, 1000)])
def test_single_moves(t, arguments, result, distance, count):
    """Exactly one move wins, in as many plies as asked for, or does not lose; many are of both colours and in every orientation."""
    found = puzzles(t, *arguments.split(), '--seed', '5', count=count)
    expect_single_moves(t, found, result, distance)
    expect_different(found)
    if count == 1000:
        assert 400 < sum(puzzle['side'] == 'black' for puzzle in found) < 600
        times = {square: sum(square in pieces(puzzle)[1] for puzzle in found) for square in oracle.SQUARES}
        for file, rank in oracle.SQUARES:
            near, far = times[file, rank], times[4 - file, 4 - rank]
            assert abs(near - far) < 6 * (near + far + 1) ** 0.5, times


@pytest.mark.parametrize('arguments, question', [
    ('--plies 1', 'wins in 1 ply: find the only winning move.'), ('--save', "only one move doesn't lose. Find it.")])
def test_text(t, arguments, question):
    """A puzzle as text: position, board, who moves and what is asked; the answer only with --answer."""
    command = f'neutreeko puzzle --seed 9 {arguments}'
    asked, = t.run(f'{command} --json').expect(0, err='').json()
    shown = t.run(command).expect(0, err='').out
    rows = shown.splitlines()
    assert rows[0] == asked['position'] and rows[2].startswith(' 5  ') and rows[7] == '    a b c d e'
    assert re.sub(' to move:? ', ' to move ', rows[-1]) == f'{asked["side"].title()} to move {question}'
    assert 'answer' not in asked and 'nswer' not in shown
    answered = t.run(f'{command} --answer').expect(0, err='').out
    best = t.ask([asked['position']])[0]['moves'][0]['move']
    assert answered == f'{shown}\nAnswer: {best}\n'


def test_several(t):
    """Several are numbered; the same seed prints the same puzzles; other seeds, and none, print others."""
    t.solve('t.dat', '--board 4x4')
    several = t.run('neutreeko puzzle --table t.dat --count 3 --plies 3 --answer').expect(
        0, ['Puzzle 1: ', '\n\nPuzzle 2: ', '\n\nPuzzle 3: ', '\n\nAnswer 1: '], '')
    assert [row[:9] for row in several.out.splitlines()[-3:]] == ['Answer 1:', 'Answer 2:', 'Answer 3:']
    first, again, other, *unseeded = (t.run(f'neutreeko puzzle --table t.dat --count 7 --plies 3 {seed}').out for seed in (
        '--seed 11', '--seed 11', '--seed 12', '', ''))
    assert first == again != other and unseeded[0] != unseeded[1]


@pytest.mark.parametrize('board, arguments, code, message', [
    ('', '--plies 53', 1, 'no position has a single winning move, in 53 plies; the longest such wins take 51 plies'),
    ('', '--plies 51 --count 3', 0, 'only 1 position, up to symmetry, has a single winning move, in 51 plies'),
    ('--board 3x3 --pieces 3 --row 3', '--save --count 1000', 0,
     'only 22 positions, up to symmetry, have a single move that does not lose'),
    ('--board 3x3 --pieces 2 --row 2', '--save', 1, 'no position has a single move that does not lose'),
    ('--board 3x3 --pieces 2 --row 2', '--plies 1 --count 2', 0,
     'only 1 position, up to symmetry, has a single winning move, in 1 ply'),
    ('--board 3x3 --pieces 2 --row 2', '--plies 3', 1,
     'no position has a single winning move, in 3 plies; the longest such wins take 1 ply'),
    ('--board 3x3 --pieces 4 --row 4', '--plies 1', 1, 'no position has a single winning move, in 1 ply')])
def test_too_few(t, board, arguments, code, message):
    """What there is not is reported: no such distance, fewer than asked for."""
    t.solve('t.dat', board)
    ended = t.run(f'neutreeko puzzle --table t.dat --json {arguments}').expect(code)
    assert ended.err == f'neutreeko puzzle: {message}\n'
    assert len(ended.json()) == (0 if code else int(message.split()[1]))


def test_at_a_terminal(t):
    """A person tries moves, gets hints, goes on to the next puzzle and sees the score; a pipe at either end prints one puzzle."""
    at = Terminal(t, ['neutreeko', 'puzzle', '--plies', '3', '--seed', '1'])
    try:
        def ask(line, *answers):
            at.type(line + '\r')
            shown = [at.wait_for(answer) for answer in answers]
            return shown[-1] + at.wait_for('> ')

        def read(shown):
            position = re.search(r'^([1-5bw/]+ [bw])$', shown, re.M)[1]
            answer, = t.ask([position])
            return [move['move'] for move in answer['moves']]
        shown = at.wait_for('wins in 3 plies: find the only winning move.')
        best, *others = read(shown)
        at.wait_for('> ')
        ask('', '')
        ask('score', 'Solved 0 of 0, 0 at the first')
        ask('b9', "Unknown move or command 'b9': type a move such as a1-b2")
        ask('a1-a1', "Unknown move or command 'a1-a1'")
        ask('a1-h8', "Unknown move or command 'a1-h8'")
        ask(best[3:] + '-' + best[:2], f'{best[3:]}-{best[:2]}: ')
        ask(others[0].replace('-', ''), f'Not quite: {others[0]} ', "Try again, or type 'hint'.")
        ask('hint', f'Move the piece on {best[:2]}.')
        ask('h\t', f'Play {best}.')
        ask(best, f'Correct! {best} wins in 3 plies. Press Enter for the next puzzle.')
        ask(best, 'This puzzle is solved.')
        second, *_ = read(ask('', 'find the only'))
        third, *_ = read(ask(second.upper(), f'Correct! {second} wins in 3 plies.') and ask('next', 'find the only'))
        fourth, *_ = read(ask('next', f'The answer was {third}.', 'find the only'))
        ask(fourth, 'Correct!')
        at.end(0, 'quit\r')
        assert 'Solved 3 of 4, 2 at the first try without a hint.' in at.shown
    finally:
        at.close()
        at.process.kill()
        at.process.wait()
    shown = t.run_at_terminal(['neutreeko', 'puzzle', '--seed', '1'], 'stdout').expect(0, 'find the only winning move.').out
    assert '> ' not in shown
    at = Terminal(t, ['neutreeko', 'puzzle', '--plies', '101'])
    at.until(lambda: at.process.poll() is not None, 'it does not end')
    at.read(1)
    assert at.process.returncode == 1 and 'the longest such wins take ' in at.shown
    at.close()
