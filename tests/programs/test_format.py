"""docs/FORMATS.md describes the table completely: a reader that was written from it finds the same values."""

import random

import pytest
from table_reader import Table, squares_of

SAMPLE = 500


def random_position(rng, table):
    squares = rng.sample(range(table.squares), 2 * table.pieces)
    return tuple(sum(1 << square for square in side) for side in (squares[:table.pieces], squares[table.pieces:]))


def text(table, mover, other):
    """With Black to move."""
    ranks = []
    for rank in reversed(range(table.height)):
        squares = range(rank * table.width, (rank + 1) * table.width)
        ranks.append(''.join('b' if mover >> s & 1 else 'w' if other >> s & 1 else '1' for s in squares))
    return f'{"/".join(ranks)} b'


def answers_of(t, table, path):
    """What neutreeko query says of random legal positions: (position, result, distance)."""
    rng = random.Random(1)
    positions = [random_position(rng, table) for _ in range(SAMPLE)]
    answers = t.query('--table', path, '--json', '-', input='\n'.join(text(table, *p) for p in positions)).json()
    return [(p, a['result'], a['plies']) for p, a in zip(positions, answers, strict=True) if 'result' in a]


@pytest.mark.parametrize('board', ['5x5', '3x5', '5x3', '4x3 --pieces 4'])
def test_a_reader_written_from_the_document_finds_the_same_values(t, board):
    t.run(f'neutreeko-solve --board {board} --quiet -o t.dat').expect(0)
    table = Table(t.dir / 't.dat')
    answers = answers_of(t, table, 't.dat')
    assert len(answers) > SAMPLE / 2
    for position, result, distance in answers:
        assert table.value(*position) == (result, distance), [squares_of(side) for side in position]
