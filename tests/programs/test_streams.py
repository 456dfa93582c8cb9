"""Standard input in the place of a file, and odd files: for each command that reads or writes one."""

import os
import re

import pytest

from conftest import START
from table_reader import SIZE

LARGE = 3 << 25  # more than a game may have
NOT_TABLE = 'zeros: not a table: expected a file made by neutreeko-solve'
INPUT_NOT_TABLE = NOT_TABLE.replace('zeros', 'standard input')
TOO_LONG = 'line 1: more than 64 MiB, too long for a game'


@pytest.fixture(autouse=True)
def small_table(t, request):
    """Of which all positions are looked at in no time."""
    if re.search('neutreeko export|puzzle|check_of', request.node.name):
        t.load('--board 4x3')


def zeros(t, size=LARGE):
    """A file of zeros, which takes up no space."""
    os.truncate(t.write('zeros', ''), size)


def limit(t, kibibytes=97000):
    """The start of a command that gets this much memory, by default less than LARGE takes up.

    AddressSanitizer reserves more addresses than that before a program begins, so there is no limit with it.
    """
    return '' if 'ASAN_OPTIONS' in t.environment else f'ulimit -v {kibibytes}; '


@pytest.mark.parametrize('command', [
    'neutreeko-solve --board 8x8 --pieces 2 --verify --quiet -o t.dat',
    'neutreeko export -o positions.csv',
    'neutreeko match level:3 perfect --count 2 --seed 1'])
def test_small_stack(t, command):
    """A stack of 64 KiB is enough, for each thread as well."""
    small = '' if 'ASAN_OPTIONS' in t.environment else 'ulimit -s 64; '  # AddressSanitizer takes more of the stack
    t.run(f'{small}exec {command}').expect(0)


# ---- standard input in the place of a file ----

@pytest.mark.parametrize('command, source', [
    ('neutreeko query --table -', '{} <"$TABLE"'),
    *((command, 'cat "$TABLE" | {}') for command in (
        'neutreeko query --table -',
        'neutreeko query --line --seed 1 --table -',
        'neutreeko review --table - game.txt',
        'neutreeko puzzle --draw --seed 1 --table -',
        'neutreeko match --seed 1 --count 2 --record --table - rules perfect',
        'neutreeko export -o - --table -',
    )),
])
def test_table_from_standard_input(t, command, source):
    """From a file or a pipe, it gives the same answers."""
    t.write('game.txt', 'b1-c1')
    expected = t.run(command.replace(' --table -', '')).expect(0, err='').out
    assert t.run(source.format(command)).expect(0, err='').out == expected


@pytest.mark.parametrize('source', ['{} <"$TABLE"', 'cat "$TABLE" | {}'])
def test_check_of_standard_input(t, source):
    found, = t.run(source.format('neutreeko-solve --check - --json')).expect(0, err='').json()
    expected, = t.run('neutreeko-solve --check "$TABLE" --json').expect(0, err='').json()
    assert (found['table'], found['verified']) == ('-', True)
    for key in 'wins', 'bytes', 'xxh3', 'codes_xxh3':
        assert found[key] == expected[key]


def test_check_finds_damage_in_standard_input(t):
    content = bytearray(t.table.read_bytes())
    content[-1] ^= 1
    t.run('neutreeko-solve --check -', bytes(content)).expect(1, '', 'standard input: damaged: ')


def test_table_from_a_pipe_that_has_no_table(t):
    """The header decides how much is read; one that claims the most possible ends with the pipe."""
    t.run('cat | neutreeko query --table -', b'Neutreeko').expect(1, '', 'standard input')
    content = bytearray(t.table.read_bytes())
    content[SIZE] = b'\xff' * 8
    t.run('cat | neutreeko query --table -', bytes(content)).expect(1, '', 'standard input: damaged: ')


@pytest.mark.parametrize('cut', [-1, 1])
def test_table_from_a_pipe_of_another_length(t, cut):
    """What is cut, or followed by something else, is damaged; nothing endless is read."""
    content = t.table.read_bytes()[:cut] if cut < 0 else t.table.read_bytes()
    t.write('t.dat', content)
    more = '; cat /dev/zero' if cut > 0 else ''
    t.run(f'(cat t.dat{more}) | neutreeko query --table -').expect(1, '', 'standard input: damaged: ')


def test_one_byte_behind_a_table_as_long_as_what_is_read_at_once(t):
    content = bytearray(t.table.read_bytes()[:1 << 14])
    content[SIZE] = (1 << 14).to_bytes(8, 'little')
    t.run('cat | neutreeko query --table -', bytes(content) + b'x').expect(
        1, '', 'standard input: damaged: 16385 bytes, but its header says 16384')


@pytest.mark.parametrize('command', [
    'query -', 'review', 'review -', 'play', 'play --load -', 'engine'])
def test_table_and_other_input_from_standard_input(t, command):
    t.run(f'neutreeko {command} --table -', t.table.read_bytes()).expect(
        2, '', '--table - cannot be combined with other input from standard input')


def test_game_from_standard_input(t):
    t.run('neutreeko play --load -', 'b1-c1 c2-c3').expect(0, ' 3  . .[w]. .\n', '')


# ---- odd files ----

@pytest.mark.parametrize('command, reason', [
    ('neutreeko query --table .', '.: not a regular file; standard input, -, may be a pipe\n'),
    ('neutreeko query --table - <.', 'standard input: Is a directory'),
    ('neutreeko-solve --check .', '.: not a regular file'),
    ('neutreeko-solve --check - <.', 'standard input: Is a directory'),
    ('neutreeko query - <.', 'cannot read standard input: Is a directory'),
    ('neutreeko review .', '.: Is a directory'),
    ('neutreeko review - <.', 'standard input: Is a directory'),
    ('neutreeko play --load .', '.: Is a directory'),
    ('neutreeko play <.', 'cannot read standard input: Is a directory'),
    ('neutreeko engine <.', 'cannot read standard input: Is a directory'),
])
def test_directory_instead_of_a_file(t, command, reason):
    t.run(command).expect(1, err=reason)


@pytest.mark.parametrize('command', ['neutreeko query --table', 'neutreeko-solve --check'])
def test_pipe_with_a_name_instead_of_a_table(t, command):
    """Nobody writes to it, and it is not waited for."""
    os.mkfifo(t.dir / 'pipe')
    t.run(f'{command} pipe', patience=60).expect(1, err='pipe: not a regular file')


@pytest.mark.parametrize('command', ['neutreeko review pipe', 'neutreeko play --load pipe'])
def test_game_from_a_pipe_with_a_name(t, command):
    os.mkfifo(t.dir / 'pipe')
    t.run(f'echo b1-c1 c2-c3 >pipe & {command}').expect(0, 'c2-c3' if 'review' in command else '[w]', '')


@pytest.mark.parametrize('command, reason', [
    ('neutreeko query --table zeros', NOT_TABLE),
    ('neutreeko query --table - <zeros', INPUT_NOT_TABLE),
    ('cat zeros | neutreeko query --table -', INPUT_NOT_TABLE),
    ('neutreeko-solve --check zeros', NOT_TABLE),
    ('neutreeko-solve --check - <zeros', INPUT_NOT_TABLE),
    ('neutreeko review zeros', f'zeros: {TOO_LONG}'),
    ('neutreeko query - <zeros', 'line 1: invalid position'),
])
def test_large_file_of_zeros(t, command, reason):
    """It is refused, without being read into memory, and stays."""
    zeros(t)
    t.run(limit(t) + command).expect(1, err=reason)
    assert (t.dir / 'zeros').stat().st_size == LARGE


def test_large_line_of_zeros_in_the_engine(t):
    zeros(t)
    t.run(f'{limit(t)}neutreeko engine <zeros').expect(0, 'error message="line too long', '')


def test_large_line_of_zeros_instead_of_a_move(t):
    zeros(t, 1 << 26)  # what is not a move is read to its end
    t.run(f'{limit(t, 60000)}neutreeko play <zeros').expect(1)


def test_memory_for_a_record_does_not_depend_on_the_number_of_games(t):
    """Only the games that wait for an earlier one are kept; the first that are written end this match."""
    t.run(f'{limit(t)}ulimit -f 1; neutreeko match random random --count 100000000 --record -o game.txt').expect(
        1, '', 'cannot write game.txt: File too large')


# ---- files that exist ----

WRITERS = [
    'neutreeko-solve --board 3x3 --quiet -o x',
    'neutreeko query --svg -o x',
    'neutreeko export --format csv -o x',
    'neutreeko match rules random --seed 1 --count 1 --record -o x',
    'echo b1-c1 | neutreeko review -o x',
]


@pytest.mark.parametrize('command', WRITERS)
def test_file_that_exists_is_replaced_only_with_force(t, command):
    t.run(command).expect(0)
    written = t.read('x')
    t.write('x', 'letter')
    t.run(command).expect(1, '', ': x exists: choose another file, or replace it with --force')
    assert t.read('x') == b'letter'
    t.run(f'{command} --force').expect(0, err='')
    assert t.read('x') == written


# ---- a closed pipe ----

@pytest.mark.parametrize('command', [
    'neutreeko query --svg',
    'neutreeko export -o -',
    'neutreeko match --count 200 --record rules random',
    'neutreeko query --line',
    f'neutreeko query --json {" ".join(repr(START) for _ in range(200))}',
    'neutreeko-solve -o -',
])
def test_closed_pipe(t, command):
    """A reader that closes the pipe early causes no error message."""
    t.run(f'{command} | head -c 1').expect(0, err='')


def test_closed_pipe_while_reading(t):
    """The same of commands that have not read all of their input."""
    for command, line in (('query -', START), ('query --json -', START), ('engine', 'ping')):
        shown = t.run(f"yes '{line}' | neutreeko {command} | head -n 1").expect(0, err='')
        assert shown.out.count('\n') == 1
