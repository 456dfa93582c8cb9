"""Which table neutreeko takes, and that a damaged one never leads to a wrong answer."""

import os
import pathlib
import re
import shutil

import pytest

import oracle
import table_format
from conftest import damaged
from table_format import with_byte, with_flipped_bit

DRAW = '"result": "draw"'
FOREIGN = b'a letter to a friend\n' * 100
PLACE = 'neutreeko/perfect_move.dat'


def test_named(t):
    """--table wins over NEUTREEKO_TABLE, which wins over the places; a table that is named is never replaced by
    another."""
    t.write('good.dat', t.table.read_bytes())
    t.write('foreign.dat', FOREIGN)
    t.write(f'.local/share/{PLACE}', FOREIGN)
    foreign, named, missing, unset = (
        {'NEUTREEKO_TABLE': name} for name in ('foreign.dat', 'good.dat', 'missing.dat', '')
    )
    t.run('neutreeko query --json', env=named).expect(0, DRAW, '')
    t.run('neutreeko query --json --table=good.dat', env=foreign).expect(0, DRAW, '')
    t.run('neutreeko query --json --table foreign.dat', env=named).expect(1, '', 'foreign.dat')
    t.write(f'.local/share/{PLACE}', t.table.read_bytes())
    t.run('neutreeko query', env=unset).expect(0, err='')
    for command in (
        'query',
        'line',
        'play',
        'match rules rules',
        'tournament rules random',
        'review',
        'puzzle',
        'engine',
    ):
        t.run(f'neutreeko {command}', env=missing).expect(1, '', 'missing.dat: No such file')


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
        found, = t.run([t.dir / program, 'doctor', '--json'], env=env).expect(1).json()
        assert found['table'] == str(t.dir / place)
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
        ({'XDG_DATA_DIRS': '/nowhere::/nowhere:/usr/share:'}, [home, own, f'/nowhere/{PLACE}', *usual[::-1]]),
        (
            {'XDG_DATA_DIRS': ':'.join(f'/nowhere/{n}' for n in range(30))},
            [home, own, *(f'/nowhere/{n}/{PLACE}' for n in range(14))],
        ),
    ):
        lost = t.run('neutreeko query', env={'NEUTREEKO_TABLE': None, **env}).expect(
            1, '', ['no table of the solved game', 'with: neutreeko-solve\n', '--table', 'NEUTREEKO_TABLE'])
        assert re.findall('^  (.*)$', lost.err, re.M) == places


@pytest.mark.parametrize(
    'name, problem, advice',
    [
        ('diagonal.dat', None, ''),
        ('block.dat', 'damaged: ', "Rebuild the table with: neutreeko-solve -o 'block.dat'"),
        ('letter.txt', 'not a table', 'Specify a table with --table FILE'),
        (None, 'no table was found', 'no table of the solved game was found'),
    ],
)
def test_doctor(t, name, problem, advice):
    """doctor prints which table is used and why, and whether it is whole; otherwise what to do, with status 1."""
    good, code = t.table.read_bytes(), 1 if problem else 0
    t.write('block.dat', with_flipped_bit(good, len(good) - 1))  # of the traps, which no other check here reads
    t.write('letter.txt', FOREIGN)
    t.solve('diagonal.dat', '--board 4x4 --win diagonal --no-traps')
    t.environment.update(NEUTREEKO_TABLE='', XDG_DATA_DIRS='/nowhere')
    found, = t.run(f'neutreeko doctor --json {f"--table {name}" if name else ""}').expect(code, None, advice).json()
    assert (found['table'], found['source'], found['whole']) == (name, name and '--table', not problem)
    assert problem in found['problem'] if problem else found['problem'] is None
    assert (found['game'] is None) == (name not in ('block.dat', 'diagonal.dat'))
    text = (
        t.run('neutreeko doctor', env={'NEUTREEKO_TABLE': name})
        .expect(code, f'table          {name or "none"}\n', advice)
        .out
    )
    assert f'NEUTREEKO_TABLE: {name or "not set"}\n' in text
    assert ('whole          yes' in text) == (not problem)
    assert ('win: diagonal' in text) == (name == 'diagonal.dat')


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


def test_advice_is_safe(t):
    """No advice leads to the loss of a file that is not a table, nor to a table of another board."""
    good = t.table.read_bytes()
    other_height = with_byte(good, table_format.AT_HEIGHT, 4)  # which does not fit the number of placements
    other_version = with_byte(good, table_format.AT_VERSION, 1)
    for content in FOREIGN, b'', b'# Neutreeko', good[:table_format.AT_LONGEST], other_height, other_version:
        t.write('file', content)
        failed = t.run('neutreeko query --table file').expect(1, '', 'file')
        assert advised_command(failed) in ('neutreeko-solve -o FILE', None)
        assert failed.err.count('\n') == 2
        if advised_command(failed):
            may_be_replaced = not content or content.startswith(table_format.SIGNATURE)
            t.run('neutreeko-solve -o file').expect(0 if may_be_replaced else 1)
    below = t.run('neutreeko query --table file/below').expect(1, '', 'file/below: Not a directory\n')
    assert advised_command(below) is None
    assert below.err.count('\n') == 1
    missing = t.run("neutreeko query --table 'not here.dat'").expect(1, '', 'not here.dat: No such file')
    t.run(advised_command(missing)).expect(0)
    assert t.read('not here.dat') == good


@pytest.mark.parametrize('command', [
    'query', 'line', 'puzzle', 'match --games 2 perfect random', 'match --games 2 --start drawn rules rules',
    'match --games 2 --start random --threads 2 rules rules', 'review game.txt', 'play --black perfect --white perfect',
    'play --hints', 'play --four-character first'])
def test_damaged_blocks(t, command):
    """Every command that meets a damaged block after opening the table prints how to rebuild it."""
    t.write('game.txt', '1. b1-c1 b5-c5')
    t.write('t.dat', damaged(t.table.read_bytes()))
    advice = "Rebuild the table with: neutreeko-solve -o 't.dat'\n"
    name = command.split()[0]
    t.run(f'neutreeko {command} --table t.dat').expect(1, None, [f'neutreeko {name}: ', 't.dat: damaged', advice])
    if name == 'query':
        t.write('3x8.dat', damaged(t.solve('3x8.dat', '--board 3x8')))  # in which the start position is searched for
        t.run('neutreeko query --table 3x8.dat').expect(1, '', '3x8.dat: damaged')
        t.run('neutreeko engine --table t.dat', 'go\n').expect(0, 'error message="t.dat: damaged', '')
    if name == 'play':
        hint = t.run('neutreeko play --table t.dat', input='hint\n').expect(1, None, advice)
        assert hint.err.count('\n') == 2


def test_changed_meanwhile(t):
    """A table that is replaced and removed serves those who have opened it; one that is cut short leads to an error
    only."""
    questions = [oracle.fen(oracle.random_position(t.random)) for _ in range(60)]
    right = t.query('--json', *questions).expect(0, err='').out.splitlines()
    for cut in False, True:
        table = t.write('t.dat', t.table.read_bytes())
        with t.talk(['neutreeko', 'query', '--table', table, '--json', '-']) as talk:
            assert talk.ask(questions[0]) == right[0]
            if cut:
                os.truncate(table, 3000)
            else:
                t.solve('t.dat')
                assert [talk.ask(question) for question in questions[:20]] == right[:20]
                table.unlink()
            answers = talk.end('\n'.join(questions).encode()).expect(cut, None, 't.dat' if cut else '').out.splitlines()
            assert answers == right[:len(answers) if cut else None]
