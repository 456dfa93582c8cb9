"""neutreeko-solve: the published totals, a table that is whole or not there, boards, --check."""

import os
import re
import shutil
import signal
import time

import pytest

import table_reader

# J. K. Haugland's analysis of the game, and the nearest distances as a search without a table finds them.
NEAREST = [72436, 701124, 200952, 969880, 148756, 293772]
TOTALS = {
    'board': '5x5',
    'pieces': 3,
    'row_length': 3,
    'placements': 3542000,
    'legal': 3468080,
    'wins': 2473028,
    'losses': 890392,
    'draws': 104660,
    'longest': 51,
}
CODES_CHECKSUM = '441299f29a5aa0f0'  # whatever zlib compressed the table


def test_json_summary(t):
    """--json prints one object with the published totals, also with --verify, and --check prints the same. The table is
    the recorded one, with the same codes however they are compressed."""
    checksums = set()
    for command, path in (('-o t.dat', t.dir / 't.dat'), ('-o t.dat --force --verify', t.dir / 't.dat'),
                          (f'--check {t.table}', t.table)):
        began = time.monotonic()
        found, = t.run(f'neutreeko-solve --json {command}').expect(0, err='').json()
        duration = time.monotonic() - began
        assert {key: found[key] for key in TOTALS} == TOTALS
        assert (found['by_plies'][:6], found['by_plies'][-1]) == (NEAREST, 8)
        assert found['bytes'] == path.stat().st_size
        assert re.fullmatch('[0-9a-f]{16}', found['xxh3'])
        checksums.add(found['xxh3'])
        assert (found['solve_seconds'] is None) == ('check' in command)
        assert (found['solve_seconds'] or 0) <= found['total_seconds'] <= duration
        assert found['codes_xxh3'] == CODES_CHECKSUM
    assert len(checksums) == 1
    assert t.files() == ['t.dat']
    assert t.read('t.dat') == t.table.read_bytes()
    assert t.read('t.dat')[table_reader.CODES_CHECKSUM] == bytes.fromhex(CODES_CHECKSUM)[::-1]


LINES = ['board', 'legal', 'wins', 'losses', 'draws', 'longest win', '  such as', 'solved in', 'file', '']


@pytest.mark.parametrize('options, labels', [
    ('', LINES),
    ('--verify', [*LINES, 'verified']),
    ('--verbose', ['board', 'placements', *LINES[1:7], 'plies',
                   *(f'{ply:5} {("loss", "win")[ply % 2]}' for ply in range(52)),
                   'solved in', 'in all', 'codes', 'file', '']),
])
def test_summary(t, options, labels):
    """The summary has ten lines, and --verbose more."""
    lines = t.run(f'neutreeko-solve -o t.dat {options}').expect(0, err='').out.splitlines()
    assert [line[:13].rstrip() for line in lines if line] == [label.rstrip() for label in labels]


def test_summary_has_the_numbers_of_the_json_object(t):
    """On a board where they all differ."""
    command = 'neutreeko-solve --board 3x3 --pieces 4 --win orthogonal --force -o t.dat'
    found, = t.run(f'{command} --json').expect(0, err='').json()
    shown = dict(re.findall(r'^ *(\w[\w ]*\w)  +(.*)$', t.run(f'{command} --verbose').expect(0, err='').out, re.M))
    for key in 'placements', 'legal', 'wins', 'losses', 'draws':
        assert shown[key] == str(found[key])
    assert shown['no move'] == str(found['stalemates'])
    assert shown['longest win'] == f'4 moves (7 plies), {found["by_plies"][7]} positions'
    assert shown['such as'] == found['longest_example']
    assert shown['codes'] == f'xxh3 {found["codes_xxh3"]}'
    assert shown['file'] == f'{found["bytes"]} bytes, xxh3 {found["xxh3"]}'


def test_summary_of_a_check(t):
    lines = t.run(f'neutreeko-solve --check {t.table}').expect(0, err='').out.splitlines()
    assert [line[:13].rstrip() for line in lines] == [*LINES[:6], 'in all', 'file', '', 'verified']


def test_default_output(t):
    """Without --output the table goes to where neutreeko finds it; its directories are made."""
    t.without_table()
    own = {'XDG_DATA_HOME': f'{t.dir}/own/data', 'HOME': None}
    relative = {'XDG_DATA_HOME': 'data'}  # which the XDG specification has programs ignore
    for env, place in ({}, '.local/share'), (own, 'own/data'), (relative, '.local/share'):
        path = t.dir / place / 'neutreeko/perfect_move.dat'
        t.run('neutreeko-solve', env=env).expect(0, f'\n             {path}\n', '')
        assert path.read_bytes() == t.table.read_bytes()
        assert not t.files()[1:]
        t.run('neutreeko --version', env=env).expect(0, f'\ntable: {path}\n', '')
        shutil.rmtree(t.dir / place.split('/')[0])
    t.run('neutreeko-solve', env={'HOME': ''}).expect(2, '', 'neither XDG_DATA_HOME nor HOME is set: specify a file')


def test_stated_memory_is_sufficient(t):
    """The memory that a message asks for is enough, and a MiB less is not."""
    board = '--board 5x5 --threads 2 --quiet -o t.dat'
    refused = t.run(f'neutreeko-solve {board} --memory 1M').expect(1, '', 'MiB of memory, but 1 MiB is what --memory')
    t.run(f'neutreeko-solve {board} --memory 3K').expect(1, '', 'MiB of memory, but 3 KiB is what --memory')
    t.run(f'neutreeko-solve {board} --memory 1023').expect(1, '', 'MiB of memory, but 1,023 bytes is what --memory')
    needed = int(re.search(r'needs ([\d,]+) MiB of memory', refused.err)[1].replace(',', ''))
    t.run(f'neutreeko-solve {board} --memory {needed - 1}M').expect(1)
    t.run(f'neutreeko-solve {board} --memory {needed}M').expect(0, '', '')


def test_other_boards(t):
    """The summary names what wins, and how many positions have no move if there are any."""
    centre = (
        t.run('neutreeko-solve --win centre --no-traps -o t.dat')
        .expect(0, 'board        5x5, 3 pieces, row 3, centre\n', '')
        .out
    )
    small = t.run('neutreeko-solve --board 3x3 --pieces 4 --force -o t.dat').expect(0, err='').out
    assert 'no move' not in centre
    assert re.search('^  no move +[1-9]', small, re.M)
    assert re.search('^  such as +[1-9bw/]+ b$', small, re.M)
    found, = t.run('neutreeko-solve --board 3x3 --pieces 4 --row 4 --json --force -o t.dat').expect(0, err='').json()
    keys = ('win', 'start', 'draws', 'stalemates', 'longest_example', 'by_plies', 'verified')
    assert [found[key] for key in keys] == ['line', None, 630, 20, None, [0], False]


@pytest.mark.parametrize('board, proposed', [
    ('--board 4x4', "using '4/bw1w/b1bw/4 b', in which Black draws"),
    ('--board 3x3 --pieces 3', "using 'wbw/3/bwb b', in which Black draws"),
    ('--pieces 2 --win orthogonal', "using '2w2/2b2/5/2w2/2b2 b', in which Black wins in 2 moves"),
    ('--board 3x4 --pieces 4', "using 'bww/2b/w2/bbw b', in which Black wins in 3 moves")])
def test_boards_without_start(t, board, proposed):
    """Where the board has no start position the commands propose one that is drawn or far from the end, if there is
    any."""
    t.solve('t.dat', board)
    for command in 'query', 'query --line', 'play', 'match random random --start standard':
        t.run(f'neutreeko {command} --table t.dat').expect(
            0, None, f'neutreeko {command.split()[0]}: this board has no standard start position; {proposed}\n')
    answer, = t.run('neutreeko query --json --table t.dat').expect(0).json()
    assert answer['position'] == proposed.split("'")[1]
    move = answer['moves'][0]['move']
    assert t.query('--table', 't.dat', '-', input=f'{move}\n{move}\n').err.count('\n') == 1
    t.run(f"neutreeko query '{answer['position']}' --table t.dat").expect(0, err='')
    t.solve('t.dat', '--board 3x3 --pieces 4 --row 2')
    t.run('neutreeko query --table t.dat').expect(1, '', 'this board has no start position: specify a position')
    t.run('neutreeko review --table t.dat', '[White "Ada"]\n\na1-b1\n').expect(
        1, '', "line 3, character 1: this board has no start position: expected a line 'start POSITION'\n")


def test_tables_of_boards(t):
    """A table contains its board; a position of another one is rejected."""
    t.solve('t.dat', '--board 7x7 --pieces 2')
    found, = t.run("neutreeko query --json --table t.dat '7/6b/7/7/7/1w2w2/b6 b'").expect(0).json()
    assert any('g' in move['move'] for move in found['moves'])
    t.run("neutreeko query '1w1w1/2b2/5/2w2/1b1b1 b' --table t.dat").expect(
        2, '', ' for a 7x7 board with 2 pieces per side: character 6')


def test_same_bytes(t):
    """The same bytes come out with every number of threads and of processors."""
    for arguments in '--threads 1', '--threads 64':
        for processors in '', f'taskset -c {min(os.sched_getaffinity(0))}':
            t.run(f'{processors} neutreeko-solve --quiet --force {arguments} -o t.dat').expect(0, '', '')
            assert t.read('t.dat') == t.table.read_bytes()


def test_progress(t):
    """Progress is shown on a terminal only, and never in standard output or with --quiet."""
    first = 'solving: ply 0, 72,436 positions decided'
    assert len(t.run_at_terminal('neutreeko-solve --json -o t.dat', 'stderr').expect(0, err=first).json()) == 1
    t.run_at_terminal('neutreeko-solve --checkpoint saved --force -o t.dat', 'stderr').expect(
        0, err=['needs up to ', ' in saved', first]
    )
    t.run_at_terminal('neutreeko-solve --quiet --verify --force -o t.dat', 'stderr').expect(0, '', '')
    t.run(f'neutreeko-solve --quiet --check {t.table}').expect(0, '', '')


def test_impossible_outputs(t):
    """Where no file can be it prints the reason, however long the path; a file that cannot be replaced stays."""
    long = '/'.join(['deep' * 20] * 5)
    t.run(['neutreeko-solve', '-o', long]).expect(1, '', ['No such file', long[-40:]])
    t.run(['neutreeko-solve', '-o', 'n' * 300]).expect(1, '', ['cannot create ', 'File name too long'])
    t.run('neutreeko-solve --verify -o /dev/null').expect(
        1, '', '/dev/null is not a regular file, so --verify cannot read'
    )
    t.write('file', t.table.read_bytes()[:200])
    t.run('ulimit -f 20; neutreeko-solve --force -o file').expect(1, '', ['file', 'File too large'])
    assert t.files() == ['file']
    assert t.read('file') == t.table.read_bytes()[:200]


def test_closed_streams(t):
    """Closed standard streams do no harm to the table."""
    for command in 'neutreeko-solve --verify -o t.dat 2>&-', 'neutreeko-solve --verify -o t.dat <&- >&- 2>&-':
        t.run(command)
        assert t.read('t.dat') == t.table.read_bytes()
        (t.dir / 't.dat').unlink()


# ---- killed ----

BOARDS = '--win centre', '--win diagonal'


@pytest.mark.parametrize('kills', [3, pytest.param(int(os.environ.get('KILLS', '10')), marks=pytest.mark.thorough)])
def test_killed(t, kills):
    """A run killed at any moment leaves the old table whole or the new one."""
    begin = time.monotonic()
    whole = [t.solve('t.dat', board) for board in BOARDS]
    duration = (time.monotonic() - begin) / 2
    left = [0, 0]  # old tables, new ones
    while sum(left) < kills or not all(left):
        old = whole.index(t.read('t.dat'))
        inode = (t.dir / 't.dat').stat().st_ino
        process = t.start(f'exec neutreeko-solve --quiet --force -o t.dat {BOARDS[1 - old]}')
        if t.random.random() < 0.6:
            time.sleep(t.random.uniform(0, 1.1 * duration))
        else:  # just after the file has got its name
            while (t.dir / 't.dat').stat().st_ino == inode and process.poll() is None:
                pass
        process.kill()
        code, now = process.wait(), whole.index(t.read('t.dat'))
        assert code == -signal.SIGKILL or (code == 0 and now != old)
        left[now != old] += code != 0
        for name in set(t.files()) - {'t.dat'}:
            assert name.startswith('.new-')
