"""Names and texts from outside cannot control the terminal at which a program prints them."""

import os
import unicodedata

import pytest

from conftest import START

EVIL = b'\x1b[2J\n\x7f\xc2\x9b\x9b\xff'
SHOWN = r'\x1B[2J\x0A\x7F\xC2\x9B\x9B\xFF'
PLAIN = 'Zo\u00eb \u5c06\u68cb'


def safe(ended):
    """Asserts that nothing in the output is a control character, except the ends of lines, and that all of it is
    UTF-8."""
    for printed in ended.out_bytes, ended.err_bytes:
        for line in printed.decode('utf-8').split('\n'):
            assert not [c for c in line if unicodedata.category(c) == 'Cc'], ended
    return ended


COMMANDS = [
    ['neutreeko', '*'],
    ['neutreeko', '--*'],
    ['neutreeko', 'query', '--line', '*'],
    ['neutreeko', 'query', '*'],
    ['neutreeko', 'query', START, '*'],
    ['neutreeko', 'query', '--table', '*'],
    ['neutreeko', 'query', '--svg', '-o', '*/x', START],
    ['neutreeko', 'play', '--against', '*'],
    ['neutreeko', 'play', '--load', '*'],
    ['neutreeko', 'review', '*'],
    ['neutreeko', 'match', '*', 'random'],
    ['neutreeko', 'match', '--count', '2', '--record', '-o', '*/x', 'random', 'random'],
    ['neutreeko', 'match', '--count', '*', 'random', 'random'],
    ['neutreeko', 'export', '-o', '*/x'],
    ['neutreeko', 'help', '*'],
    ['neutreeko', 'puzzle', '--plies', '*'],
    ['neutreeko-solve', '--board', '*'],
    ['neutreeko-solve', '--check', '*'],
    ['neutreeko-solve', '-o', '*/x'],
    ['neutreeko-solve', '--*'],
    ['neutreeko-solve', '*'],
    ['neutreeko-solve', '--board', '4x4', '--checkpoint', '*/x', '-o', 'x'],
]


@pytest.mark.parametrize('command', COMMANDS, ids=' '.join)
def test_messages(t, command):
    """An argument or variable with control characters and invalid UTF-8 is escaped wherever it is quoted."""
    filled = [word.encode().replace(b'*', EVIL) for word in command]
    ended = safe(t.run(filled))
    assert ended.code in (1, 2)
    assert SHOWN in ended.out + ended.err


def test_default_place(t):
    """Where the table is comes from a variable of the environment."""
    home = t.dir / os.fsdecode(EVIL)
    (home / 'neutreeko').mkdir(parents=True)
    (home / 'neutreeko/perfect_move.dat').write_bytes(b'no table')
    ended = safe(t.run(['neutreeko', 'query'], env={'XDG_DATA_HOME': home}).expect(1))
    assert f'/{SHOWN}/neutreeko/perfect_move.dat' in ended.err


@pytest.mark.parametrize('name, shown', [(EVIL, SHOWN), (PLAIN.encode(), PLAIN)])
def test_success(t, name, shown):
    """What went well names files too; those in valid UTF-8 are printed as they are."""
    solved = safe(t.run([b'neutreeko-solve', b'--board', b'4x4', b'-o', name]).expect(0, err=''))
    assert f'             {shown}\n' in solved.out
    found = safe(t.run([b'neutreeko', b'query', b'--table', name, b'--version']).expect(0, err=''))
    assert f'table: {shown}\n' in found.out


@pytest.mark.parametrize('name, shown', [(b'\x9b\xc2\x9b', r'\x9B\xC2\x9B'), (PLAIN.encode(), PLAIN)])
def test_play(t, name, shown):
    """A game names the files that it is told to write and read, and repeats what it does not understand."""
    told = b'save %s\nload %s\nsave %s/x\nload %s/x\n%s\nquit\n' % (*4 * (name,), name.partition(b' ')[0])
    ended = safe(t.run(['neutreeko', 'play', '--against', 'human'], input=told))
    assert f'Saved as {shown}.' in ended.out
    assert f'Loaded {shown}.' in ended.out
    assert f'Not saved: cannot create {shown}/x: ' in ended.err
    assert f'Not loaded: {shown}/x: ' in ended.err
    assert f"'{shown.partition(' ')[0]}'" in ended.err


def test_record_in_a_file(t):
    """A message about an invalid game quotes both the name of the file and what is in it."""
    t.write('game', b'b1-c1 ' + EVIL)
    (t.dir / 'game').rename(t.dir / 'a\x1b[2J')
    ended = safe(t.run(['neutreeko', 'review', 'a\x1b[2J']).expect(1))
    assert r'neutreeko review: a\x1B[2J: line 1' in ended.err
