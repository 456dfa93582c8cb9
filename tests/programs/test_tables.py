"""Which table neutreeko takes, and that a damaged one never leads to a wrong answer."""

import os
import pathlib
import re
import shutil

import pytest

import oracle
import table_format
from conftest import damaged
from seal import seal
from table_format import with_byte, with_flipped_bit

DRAW = '"result": "draw"'
FOREIGN = b'a letter to a friend\n' * 100
PLACE = 'neutreeko/perfect_move.dat'


@pytest.fixture
def named(t):
    """A good table and a file that is not a table, and one more of those where the table is looked for."""
    t.write('good.dat', t.table.read_bytes())
    t.write('foreign.dat', FOREIGN)
    t.write(f'.local/share/{PLACE}', FOREIGN)
    return t


def test_environment_wins_over_places(named):
    named.run('neutreeko query --json', env={'NEUTREEKO_TABLE': 'good.dat'}).expect(0, DRAW, '')


def test_option_wins_over_environment(named):
    named.run('neutreeko query --json --table=good.dat', env={'NEUTREEKO_TABLE': 'foreign.dat'}).expect(0, DRAW, '')


def test_named_table_is_not_replaced_by_that_of_the_environment(named):
    named.run('neutreeko query --json --table foreign.dat', env={'NEUTREEKO_TABLE': 'good.dat'}).expect(
        1, '', 'foreign.dat')


def test_empty_name_is_none(named):
    named.write(f'.local/share/{PLACE}', named.table.read_bytes())
    named.run('neutreeko query', env={'NEUTREEKO_TABLE': ''}).expect(0, err='')


@pytest.mark.parametrize('command', [
    'query', 'query --line', 'play', 'match rules rules', 'review', 'puzzle', 'engine'])
def test_named_table_is_not_replaced_by_that_of_a_place(named, command):
    named.write(f'.local/share/{PLACE}', named.table.read_bytes())
    named.run(f'neutreeko {command}', env={'NEUTREEKO_TABLE': 'missing.dat'}).expect(
        1, '', ['missing.dat: No such file', 'The environment variable NEUTREEKO_TABLE names this table.'])
    other = named.run(f'neutreeko {command} --table missing.dat', env={'NEUTREEKO_TABLE': 'good.dat'}).expect(1, '')
    assert 'NEUTREEKO_TABLE' not in other.err


@pytest.mark.parametrize('program, places, env', [
    ('neutreeko', [f'{name}/{PLACE}' for name in ('own', 'first', 'second')],
     {'XDG_DATA_HOME': '{0}/own', 'XDG_DATA_DIRS': '{0}/first:{0}/second'}),
    ('unpacked/bin/neutreeko', [f'{name}/{PLACE}' for name in ('.local/share', 'unpacked/share', 'first')],
     {'XDG_DATA_HOME': '', 'XDG_DATA_DIRS': '{0}/first'}),
    ('checkout/build/player/neutreeko', ['checkout/data/perfect_move.dat', f'.local/share/{PLACE}'], {})])
def test_places(t, program, places, env):
    """The table is taken from the first of these places where there is a file, whether it is good or not."""
    shutil.copy(shutil.which('neutreeko', path=t.environment['PATH']), t.write(program, b''))
    env = {'NEUTREEKO_TABLE': None, **{name: value.format(t.dir) for name, value in env.items()}}
    for place in reversed(places):
        t.write(place, FOREIGN)
        t.run([t.dir / program, '--version'], env=env).expect(0, f'\ntable: {t.dir / place}\n')
        t.run([t.dir / program, 'query'], env=env).expect(1, '', f'{place}: not a table')


def test_nowhere(t):
    """Without a table the places are listed, each once, with the command that makes one."""
    home, usual = f'{t.dir}/.local/share/{PLACE}', [f'/usr/local/share/{PLACE}', f'/usr/share/{PLACE}']
    own = str(
        pathlib.Path(shutil.which('neutreeko', path=t.environment['PATH'])).resolve().with_name('perfect_move.dat')
    )
    if any(map(os.path.exists, usual)):
        pytest.skip('a table is installed on this machine')
    for env, places in (
        ({'HOME': ''}, [own, *usual]),
        ({'XDG_DATA_HOME': '', 'XDG_DATA_DIRS': ''}, [home, own, *usual]),
        ({'XDG_DATA_HOME': '/nowhere', 'NEUTREEKO_TABLE': ''}, [f'/nowhere/{PLACE}', own, *usual]),
        ({'XDG_DATA_DIRS': 'relative:./relative:/usr/share:..'}, [home, own, *usual[::-1]]),
        ({'XDG_DATA_DIRS': '/nowhere::/nowhere:/usr/share:'}, [home, own, f'/nowhere/{PLACE}', *usual[::-1]]),
        (
            {'XDG_DATA_DIRS': ':'.join(f'/nowhere/{n}' for n in range(30))},
            [home, own, *(f'/nowhere/{n}/{PLACE}' for n in range(14))],
        ),
    ):
        lost = t.run('neutreeko query', env={'NEUTREEKO_TABLE': None, **env}).expect(
            1, '', ['no table of the solved game', 'with: neutreeko-solve\n', '--table', 'NEUTREEKO_TABLE'])
        assert re.findall('^  (.*)$', lost.err, re.M) == places


# ---- damage ----

def advised_command(failed):
    """The command in the advice of an error message, or None."""
    command = re.search('with: (neutreeko-solve .*)', failed.err)
    return command and command[1]


@pytest.mark.parametrize(
    'name, board',
    [
        ("it's broken.dat", '--board 4x4'),
        ('d.dat', '--win diagonal'),
        ('-broken.dat', '--board 4x3 --pieces 4 --row 3'),
    ],
)
def test_advice_works(t, name, board):
    """The command that is advised for a damaged table rebuilds it, whatever its name and its board are."""
    t.run(['neutreeko-solve', '--quiet', *board.split(), f'--output={name}']).expect(0, '', '')
    good = t.read(name)
    if '4x4' in board:
        broken_tables = good[:-1], good[:table_format.HEADER + 1], good + b'x'
    else:
        broken_tables = (with_flipped_bit(good, table_format.HEADER + table_format.AT_ITEM_CHECKSUM),)
    for content in broken_tables:
        t.write(name, content)
        broken = t.run(['neutreeko', 'query', '--json', f'--table={name}'])
        t.run(advised_command(broken.expect(1, '', 'Rebuild the table with: '))).expect(0, err='')
        assert t.read(name) == good


def with_other_height(good):
    """A table whose board does not fit the number of placements."""
    return with_byte(good, table_format.AT_HEIGHT, 4)


def with_other_version(good):
    return with_byte(good, table_format.AT_VERSION, 1)


UNUSABLE = {
    'a letter': lambda good: FOREIGN,
    'empty': lambda good: b'',
    'a text': lambda good: b'# Neutreeko',
    'cut': lambda good: good[:table_format.AT_LONGEST],
    'another height': with_other_height,
    'another version': with_other_version,
}


@pytest.fixture(name='unusable', params=UNUSABLE.values(), ids=UNUSABLE)
def unusable_file(t, request):
    """A file that is not a table of a known board, and what is printed when it is used as a table."""
    content = request.param(t.table.read_bytes())
    t.write('file', content)
    return content, t.run('neutreeko query --table file').expect(1, '', 'file')


def test_advice_does_not_name_a_file_that_may_be_another(unusable):
    _, failed = unusable
    assert advised_command(failed) in ('neutreeko-solve -o FILE', None)


def test_advice_is_one_line(unusable):
    _, failed = unusable
    assert failed.err.count('\n') == 2


@pytest.mark.usefixtures('unusable')
def test_advice_never_destroys_another_file(t):
    """What is advised is run with the name of the file all the same."""
    t.run('neutreeko-solve -o file').expect(1)


def test_no_advice_where_no_table_can_be(t):
    t.write('file', b'')
    below = t.run('neutreeko query --table file/below').expect(1, '', 'file/below: Not a directory\n')
    assert advised_command(below) is None
    assert below.err.count('\n') == 1


def test_advice_writes_a_missing_table(t):
    missing = t.run("neutreeko query --table 'not here.dat'").expect(1, '', 'not here.dat: No such file')
    t.run(advised_command(missing)).expect(0)
    assert t.read('not here.dat') == t.table.read_bytes()


@pytest.fixture(name='broken')
def damaged_table(t):
    """t.dat has damaged blocks, which are found when they are needed."""
    t.write('t.dat', damaged(t.table.read_bytes()))
    return t


REBUILD = "Rebuild the table with: neutreeko-solve --force -o 't.dat'\n"


@pytest.mark.parametrize('command', [
    'query', 'query --line', 'puzzle', 'match --games 2 perfect random', 'match --games 2 --start drawn rules rules',
    'match --games 2 --start random --threads 2 rules rules', 'review game.txt', 'play --black perfect --white perfect',
    'play --hints'])
def test_damaged_block_leads_to_advice(broken, command):
    broken.write('game.txt', '1. b1-c1 b5-c5')
    name = command.split()[0]
    broken.run(f'neutreeko {command} --table t.dat').expect(
        1, None, [f'neutreeko {name}: ', 't.dat: damaged', REBUILD])


def test_damaged_block_while_the_start_position_is_searched_for(t):
    t.write('3x8.dat', damaged(t.solve('3x8.dat', '--board 3x8')))
    t.run('neutreeko query --table 3x8.dat').expect(1, '', '3x8.dat: damaged')


def test_damaged_block_in_the_engine(broken):
    broken.run('neutreeko engine --table t.dat', 'go\n').expect(0, 'error message="t.dat: damaged', '')


def test_damaged_block_at_a_hint(broken):
    hint = broken.run('neutreeko play --table t.dat', input='hint\n').expect(1, None, REBUILD)
    assert hint.err.count('\n') == 2


def test_changed_meanwhile(t):
    """A table that is replaced and removed serves those who have opened it; one that is cut short leads to an error
    only."""
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
                t.solve('t.dat')
                assert [unnumbered(talk.ask(question)) for question in questions[:20]] == right[:20]
                table.unlink()
            ended = talk.end('\n'.join(questions).encode()).expect(cut, None, 't.dat' if cut else '')
            answers = unnumbered(ended.out).splitlines()
            assert answers == right[:len(answers) if cut else None]
