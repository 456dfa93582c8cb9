"""Whether neutreeko loads a table or solves the game, and that a damaged table never leads to a wrong answer."""

import os
import pathlib
import re
import shutil

import pytest

import oracle
from conftest import SANITIZED
from table_reader import damaged

FOREIGN = b'a letter to a friend\n' * 100
PLACE = 'neutreeko/perfect_move.dat'


@pytest.fixture(autouse=True)
def default_place(t):
    t.without_table()


# ---- where the values come from ----

@pytest.fixture(name='other')
def other_table(t):
    """A table of another board than that which neutreeko solves itself."""
    return t.solve('other.dat', '--board 4x4')


def is_other(t, *options):
    return '    a b c d\n' in t.query(*options).expect(0).out


def test_file_in_the_default_place_is_loaded(t, other):
    t.write(f'.local/share/{PLACE}', other)
    assert is_other(t)


def test_option_wins_over_the_default_place(t, other):
    t.write(f'.local/share/{PLACE}', FOREIGN)
    t.write('named.dat', other)
    assert is_other(t, '--table', 'named.dat')


def test_default_place_depends_on_the_environment(t, other):
    t.write(f'data/{PLACE}', other)
    assert not is_other(t)
    t.environment['XDG_DATA_HOME'] = f'{t.dir}/data'
    assert is_other(t)


def test_table_is_solved_where_nothing_can_be_written(t):
    """The program alone, in a directory of its own that is read-only, without an environment."""
    program = pathlib.Path(t.write('alone/neutreeko', b''))
    shutil.copy(shutil.which('neutreeko', path=t.environment['PATH']), program)
    program.parent.chmod(0o555)
    alone = {name: None for name in t.environment if not name.endswith('SAN_OPTIONS')}
    for command in ('query', 'match --count 2 perfect random --seed 1',
                    'play --against perfect --side white'):
        t.run([program, *command.split()], env=alone).expect(0, err='')
    t.run([program, '--version'], env=alone).expect(0, '\ntable: solved at start\nvectors: ')


@pytest.mark.skipif(SANITIZED, reason='a sanitizer needs addresses without limit')
def test_a_table_that_is_loaded_is_not_solved(t):
    """With the least addresses in which a loaded table works, solving runs out of memory."""
    query = f'neutreeko query --table {t.table}'
    least = next(size for size in range(4096, 65536, 1024) if not t.run(f'ulimit -v {size}; {query}').code)
    t.run(f'ulimit -v {least}; neutreeko query').expect(1, '', 'out of memory')


@pytest.mark.parametrize('command', [
    'query', 'query --line', 'play', 'match rules rules', 'review', 'puzzle', 'engine'])
def test_a_missing_table_is_not_replaced_by_another(t, command):
    t.write(f'.local/share/{PLACE}', t.table.read_bytes())
    missing = t.run(f'neutreeko {command} --table missing.dat').expect(1, '', 'missing.dat: No such file')
    assert missing.err.count('\n') == 1


# ---- damage ----

DEFAULT = ('Write this file again with neutreeko-solve --force, or remove it: then neutreeko solves the game itself.\n')


UNUSABLE = {
    'a letter': lambda good: FOREIGN,
    'cut': lambda good: good[:20],
    'another version': lambda good: good[:8] + b'\1' + good[9:],
}


@pytest.mark.parametrize('content', UNUSABLE.values(), ids=UNUSABLE)
def test_unusable_file(t, content):
    """The advice for the default place is right: what it names makes the table usable. A file that was named, which may
    be anything, has none."""
    unusable = content(t.table.read_bytes())
    t.write('file', unusable)
    named = t.run('neutreeko query --table file').expect(1, '', 'file: ')
    assert named.err.count('\n') == 1
    t.write(f'.local/share/{PLACE}', unusable)
    t.run('neutreeko query').expect(1, '', [f'{PLACE}: ', DEFAULT])
    t.run('neutreeko-solve --force --quiet').expect(0, '', '')
    assert t.read(f'.local/share/{PLACE}') == t.table.read_bytes()


def test_unreadable_file_in_the_default_place(t):
    t.write(f'.local/share/{PLACE}/file', b'')
    t.run('neutreeko query').expect(1, '', [
        f'{PLACE}: not a regular file\n',
        'Make this file readable, or remove it: then neutreeko solves the game itself.\n'])


@pytest.fixture(name='broken')
def damaged_table(t):
    """The table in the default place has damaged blocks, which are found when they are needed."""
    t.write(f'.local/share/{PLACE}', damaged(t.table.read_bytes()))
    return t


@pytest.mark.parametrize('command', [
    'query', 'query --line', 'puzzle', 'puzzle --json', 'match --count 2 perfect random',
    'match --count 2 --start drawn rules rules', 'match --count 2 --start random --threads 2 rules rules',
    'review game.txt', 'play --against perfect --side white', 'play --hints'])
def test_damaged_block_leads_to_advice(broken, command):
    broken.write('game.txt', '1. b1-c1 b5-c5')
    name = command.split()[0]
    broken.run(f'neutreeko {command}').expect(1, None, [f'neutreeko {name}: ', f'{PLACE}: damaged', DEFAULT])


def test_damaged_block_while_the_start_position_is_searched_for(t):
    t.write('3x8.dat', damaged(t.solve('3x8.dat', '--board 3x8')))
    t.run('neutreeko query --table 3x8.dat').expect(1, '', '3x8.dat: damaged')


def test_damaged_block_in_the_engine(broken):
    broken.run('neutreeko engine', 'go\n').expect(0, f'{PLACE}: damaged', '')


def test_damaged_block_at_a_hint(broken):
    hint = broken.run('neutreeko play', input='hint\n').expect(1, None, DEFAULT)
    assert hint.err.count('\n') == 2


def test_changed_meanwhile(t):
    """A table that is replaced by another and removed serves those who have opened it; one that is cut short leads to
    an error only."""
    questions = [oracle.fen(oracle.random_position(t.random)) for _ in range(60)]
    right = t.query('--json', *questions).expect(0, err='').out.splitlines()
    unnumbered = lambda answer: re.sub(r'"line": \d+, ', '', answer)
    for cut in False, True:
        table = t.write('t.dat', t.table.read_bytes())
        with t.talk(['neutreeko', 'query', '--table', table, '--json', '-']) as talk:
            assert unnumbered(talk.ask(questions[0])) == right[0]
            if cut:
                os.truncate(table, 3000)
            else:
                t.solve('t.dat', '--board 4x4')
                assert [unnumbered(talk.ask(question)) for question in questions[:20]] == right[:20]
                table.unlink()
            ended = talk.end('\n'.join(questions).encode()).expect(cut, None, 't.dat' if cut else '')
            answers = unnumbered(ended.out).splitlines()
            assert answers == right[:len(answers) if cut else None]
