"""neutreeko export: every format has every position, with what query prints about it."""

import ast
import csv
import hashlib
import io
import itertools
import json
import re
import struct

import pytest

from conftest import ROOT

COLUMNS = ['position', 'to_move', 'result', 'plies', 'best_moves', 'trap', 'symmetric']


@pytest.fixture
def small(t):
    t.load('--board 3x3')
    return t


def export(t, name, options=''):
    """The content of a new file."""
    (t.dir / name).unlink(missing_ok=True)
    t.run(f'neutreeko export -o {name} {options}').expect(0, '', '')
    return t.read(name)


def csv_positions(content):
    """The positions of a CSV file, with the types that they have in the other formats."""
    header, *positions = csv.reader(io.StringIO(content.decode('ascii'), newline=''))
    assert header == COLUMNS
    assert content.endswith(b'\n')
    assert b'\r' not in content
    number = lambda text: int(text) if text else None
    return [(p, s, r, number(d), b, number(t), int(n)) for p, s, r, d, b, t, n in positions]


def test_csv(small):
    """Each legal position occurs once, with the result, distance and best moves that query prints."""
    positions = csv_positions(export(small, 'x.csv'))
    asked = small.ask(position[0] for position in positions)
    legal = small.run('neutreeko-solve --check "$TABLE" --json').json()[0]
    assert len({position[0] for position in positions}) == len(positions)
    assert [sum(position[2] == result for position in positions) for result in ('win', 'loss', 'draw')] == [
        legal[result] for result in ('wins', 'losses', 'draws')]
    for position, answer in zip(positions, asked):
        value = lambda about: (about['result'], about['plies'])
        best = [move['move'] for move in answer['moves'] if value(move) == value(answer['moves'][0])]
        assert position[:2] == (answer['position'], 'black')
        assert position[2:4] == value(answer)
        assert sorted(position[4].split()) == sorted(best)
        assert (position[5] is None) == (position[2] != 'draw')
        assert 1 <= position[6] <= 8


def test_formats_agree(small):
    """JSON lines, the database and the array have the positions of the CSV file."""
    positions = csv_positions(export(small, 'x.csv'))
    lines = [json.loads(line) for line in export(small, 'x.jsonl').splitlines()]
    assert [tuple(line) for line in lines[:1]] == [tuple(COLUMNS)]
    assert [
        (*list(line.values())[:4], ' '.join(line['best_moves']), *list(line.values())[5:]) for line in lines
    ] == positions
    npy = export(small, 'x.npy')
    header = ast.literal_eval(npy[10:256].decode())
    assert npy[:10] == b'\x93NUMPY\1\0' + struct.pack('<H', 246)
    assert header['shape'] == (len(positions),)
    assert [name for name, _ in header['descr']] == ['mover', 'other', 'best', 'symmetric', 'plies', 'result', 'trap']
    for position, (mover, other, best, symmetric, plies, result, trap) in zip(
            positions, struct.iter_unpack('<QQQIHbB', npy[256:]), strict=True):
        board = ['b' if mover >> n & 1 else 'w' if other >> n & 1 else '.' for n in range(9)]
        ranks = [''.join(str(len(list(run))) if square == '.' else ''.join(run) for square, run in
                         itertools.groupby(board[3 * rank:3 * rank + 3])) for rank in (2, 1, 0)]
        assert position == ('/'.join(ranks) + ' b', 'black', ('loss', 'draw', 'win')[result + 1],
                            plies if result else None, position[4], None if result else trap, symmetric)
        assert trap == (position[5] or 0)
        assert bin(best).count('1') == len(position[4].split())


def test_selection(small):
    """A result can be selected; --unique has each set of symmetric positions once."""
    positions = csv_positions(export(small, 'all.csv'))
    for result in 'win', 'loss', 'draw':
        selected = csv_positions(export(small, 'x.csv', f'--result {result}'))
        assert selected == [position for position in positions if position[2] == result]
        assert selected
    unique = csv_positions(export(small, 'x.csv', '--unique'))
    assert unique == sorted(set(unique), key=positions.index)
    assert sum(position[6] for position in unique) == len(positions)


@pytest.mark.parametrize('name, beginning', [
    ('x.csv', b'position,to_move'),
    ('x.jsonl', b'{"position": '),
    ('x.json', b'{"position": '),
    ('x.npy', b'\x93NUMPY'),
    ('X.NPY', b'\x93NUMPY'),
    ('x.npy/x', b'position,to_move'),
    ('x', b'position,to_move'),
])
def test_name_sets_the_format(small, name, beginning):
    """The end of the name of a file sets the format; without an end it is CSV."""
    small.write(name, b'')
    assert export(small, name, '--result draw').startswith(beginning)


@pytest.mark.parametrize('result, name', [('win', 'won'), ('loss', 'lost')])
def test_no_position_with_a_result(t, result, name):
    t.solve('t.dat', '--board 3x3 --pieces 4 --row 4')
    t.run(f'neutreeko export --table t.dat --result {result} -o x.csv').expect(
        1, '', f'no position of this board is {name}\n')


def test_format_without_a_name(small):
    """--format sets the format of a name without a known end."""
    assert export(small, 'x', '--result draw --format npy').startswith(b'\x93NUMPY')
    assert export(small, 'x.npy', '--result draw --format npy') == small.read('x')


@pytest.mark.thorough
def test_checksums(t):
    """docs/FORMATS.md has the numbers, the sizes and the checksums of the standard game, whose files get the same bytes
    as standard output."""
    text = (ROOT / 'docs/FORMATS.md').read_text(encoding='utf-8')
    listed = re.findall(r'^\| `neutreeko export(.*) -o -` \| ([\d,]+) \| ([\d,]+) \| `(\w{64})` \|$', text, re.M)
    assert len(listed) == 4
    for options, number, size, checksum in listed:
        content = export(t, 'x', options)
        assert f'{len(content):,}' == size
        assert hashlib.sha256(content).hexdigest() == checksum
        if 'npy' not in options:
            assert f'{len(content.splitlines()) - content.startswith(b"position"):,}' == number
