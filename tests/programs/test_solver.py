"""neutreeko-solve: the published totals, a table that is whole or not there, boards, --check."""

import json
import os
import re
import shutil
import signal
import stat
import time

import pytest

from conftest import HEADER

# J. K. Haugland's analysis of the game, and the number of positions per distance that belongs to it.
TOTALS = {'board': '5x5', 'pieces': 3, 'row': 3, 'placements': 3542000, 'legal': 3468080, 'wins': 2473028,
          'losses': 890392, 'draws': 104660, 'longest': 51}
LONGEST_POSITIONS = 8


def expect_summary(text, path):
    summary = json.loads(text)
    assert {key: summary[key] for key in TOTALS} == TOTALS
    distances = summary['by_distance']
    assert (len(distances), distances[0], distances[-1]) == (52, 72436, LONGEST_POSITIONS)
    assert (sum(distances[1::2]), sum(distances[::2])) == (TOTALS['wins'], TOTALS['losses'])
    assert summary['file_bytes'] == path.stat().st_size
    assert re.fullmatch('[0-9a-f]{16}', summary['xxh3']) and summary['total_seconds'] >= 0
    return summary


def test_json_summary(t):
    """--json prints one object with the published totals, also with --verify, and --check prints the same."""
    run = t.run('neutreeko-solve --json --verify -o t.dat').expect(0, err='')
    summary = expect_summary(run.out, t.dir / 't.dat')
    assert run.out.count('\n') == 1 and 0 < summary['solve_seconds'] <= summary['total_seconds']
    assert t.read('t.dat') == t.table.read_bytes()
    before = t.table.stat()
    checked = expect_summary(t.run(f'neutreeko-solve --check {t.table} --json').expect(0, err='').out, t.table)
    assert (checked['xxh3'], checked['solve_seconds']) == (summary['xxh3'], None)
    assert t.table.stat().st_mtime_ns == before.st_mtime_ns and t.files() == ['t.dat']


def test_text_summary(t):
    """The summary as text has the published totals; without options the table goes to data/."""
    t.run('neutreeko-solve').expect(1, '', ['data/perfect_move.dat', 'No such file or directory'])
    assert t.files() == []
    (t.dir / 'data').mkdir()
    summary = t.run('neutreeko-solve').expect(0, err='').out
    assert os.listdir(t.dir / 'data') == ['perfect_move.dat']
    for line in ('board +5x5, 3 pieces a side, 3 in a row', *(rf'{name} +{TOTALS[name]:,}' for name in (
            'placements', 'legal', 'wins', 'losses', 'draws')), 'longest win +51 plies, 8 positions', r' +0 loss +72,436',
            ' +51 win +8', r'solved in +\d+\.\d+ s', r'in all +\d+\.\d+ s',
            rf'file +{t.table.stat().st_size:,} bytes, xxh3 [0-9a-f]{{16}}'):
        assert re.search(f'^{line}$', summary, re.M), line
    counts = re.findall(r'^ +\d+ (?:win|loss) +([\d,]+)$', summary, re.M)
    assert sum(int(count.replace(',', '')) for count in counts) == TOTALS['wins'] + TOTALS['losses']
    checked = t.run(f'neutreeko-solve --check {t.table}').expect(0, f'{TOTALS["draws"]:,}', '').out
    assert 'solved in' not in checked


def test_other_boards(t):
    """The summary names what wins, how many positions have no move, and nothing that there is not."""
    for game, lines, missing in (
            ('--win centre', [r'board +5x5, 3 pieces a side, win: centre'], 'no move'),
            ('--board 3x3 --pieces 4', [r'  no move +[1-9]\d*', r'  such as +[1-9bw/]+ b'], 'win:'),
            ('--board 3x3 --pieces 4 --row 4', ['wins +0', 'losses +0', 'longest loss +0 plies, 0 positions'], 'such as')):
        summary = t.run(f'neutreeko-solve {game} -o t.dat').expect(0, err='').out
        assert all(re.search(f'^{line}$', summary, re.M) for line in lines) and missing not in summary, summary
    found = json.loads(t.run('neutreeko-solve --board 3x3 --pieces 4 --row 4 --json -o t.dat').expect(0, err='').out)
    assert [found[key] for key in ('start', 'longest_example', 'wins', 'by_distance')] == [None, None, 0, [0]]
    rules = re.search(r'--win (\S+)', t.run('neutreeko-solve --help').out)[1].split('|')
    assert len(rules) == 5
    for rule in rules:
        found, = t.run(f'neutreeko-solve --json --win {rule} -o t.dat').expect(0, err='').json()
        assert found['win'] == rule
    t.run('neutreeko-solve --board 8x8 --pieces 5 -o large.dat').expect(1, '', 'this board needs')
    assert t.files() == ['t.dat']


@pytest.mark.thorough
def test_too_many_draws_for_traps(t):
    """A board with too many draws for traps gets a table without, as with --no-traps."""
    board = '--board 5x5 --pieces 4 --row 4'
    assert t.solve('a.dat', board) == t.solve('b.dat', board + ' --no-traps')


def test_boards_without_start(t):
    """Where the board has no start position the commands ask for one, and continue from the one that is given."""
    t.solve('t.dat', '--board 4x4')
    for command, option in ('query', ''), ('line', ''), ('play', '--start '), ('match random random', '--start '):
        refused = t.run(f'neutreeko {command} --table t.dat')
        assert refused.code in (1, 2) and not refused.out
        assert 'the board of this table has no start position: specify a position' in refused.err
        t.run(f"neutreeko {command} --table t.dat {option}'w1w1/1b2/2w1/b1b1 b'").expect(0)


def test_tables_of_boards(t):
    """A table contains its board; a position of another one is rejected."""
    t.solve('centre.dat', '--win centre')
    start, = t.run('neutreeko query --json --table centre.dat').expect(0).json()
    assert (start['position'], start['result']) == ('2w2/b3b/5/w3w/2b2 b', 'draw')
    t.solve('t.dat', '--board 7x7 --pieces 2')
    found, = t.run("neutreeko query --json --table t.dat '7/6b/7/7/7/1w2w2/b6 b'").expect(0).json()
    assert any('g' in move['move'] for move in found['moves'])
    for command in 'query', 'line', 'play --start':
        t.run(f"neutreeko {command} '1w1w1/2b2/5/2w2/1b1b1 b' --table t.dat").expect(
            2, '', ' for a 7x7 board with 2 pieces per side: character 6')


@pytest.mark.parametrize('name', ['-o t.dat', '-ot.dat', '--output t.dat', '--output=t.dat', '-o ' + 't' * 255,
                                  '--threads 1 -o t.dat', '--threads 64 -o t.dat'])
def test_same_bytes(t, name):
    """The same bytes come out under every name, with every number of threads and on one processor."""
    one = f'taskset -c {min(os.sched_getaffinity(0))}' if name == '-o t.dat' else ''
    t.run(f'{one} neutreeko-solve --quiet {name}').expect(0, '', '')
    file, = t.files()
    assert t.read(file) == t.table.read_bytes()


def test_progress(t):
    """Progress is shown on a terminal only, and never in standard output or with --quiet."""
    shown = t.run_at_terminal('neutreeko-solve --json -o t.dat', 'stderr').expect(0, err='ply')
    expect_summary(shown.out, t.dir / 't.dat')
    t.run_at_terminal('neutreeko-solve --quiet --verify -o t.dat', 'stderr').expect(0, '', '')
    t.run(f'neutreeko-solve --quiet --check {t.table}').expect(0, '', '')


def test_permissions(t):
    """The umask decides who may read a new table; one that is replaced keeps its permissions."""
    def mode():
        return stat.S_IMODE((t.dir / 't.dat').stat().st_mode)
    t.run('umask 027; neutreeko-solve --quiet -o t.dat').expect(0, '', '')
    assert mode() == 0o640
    for wanted in 0o600, 0o444:
        (t.dir / 't.dat').chmod(wanted)
        t.run('neutreeko-solve --quiet -o t.dat').expect(0, '', '')
        assert mode() == wanted and t.read('t.dat') == t.table.read_bytes()


def test_check_what_is_not_a_table(t):
    """--check rejects what is missing, not a table or damaged anywhere, with a message that names the file."""
    good = t.table.read_bytes()
    for name, content in {'empty': b'', 'foreign': b'a letter to a friend\n' * 9000, 'header': good[:20],
                          'short': good[:len(good) // 2], 'long': good + b'\0', 'twice': good + good}.items():
        t.write(name, content)
    (t.dir / 'directory').mkdir()
    os.mkfifo(t.dir / 'pipe')
    for name in t.files() + ['missing', 'missing/missing', 'empty/below']:
        t.run(['neutreeko-solve', '--check', name], patience=10).expect(1, '', name)
    for place in [*range(0, HEADER, 3), *t.random.sample(range(len(good)), 40)]:
        bad = bytearray(good)
        bad[place] ^= 1 << t.random.randrange(8)
        t.write('flipped', bad)
        assert t.run(['neutreeko-solve', '--check', 'flipped', '--json']).expect(1, '', 'flipped'), place


# ---- when it cannot write ----

def full_device(t):
    """A device like /dev/full: not the real one, if root runs a program that wrongly replaces its output."""
    own = t.dir / 'full'
    try:
        os.mknod(own, stat.S_IFCHR | 0o666, os.makedev(1, 7))
        own.open('wb').close()
        return own
    except OSError:
        own.unlink(missing_ok=True)
        return '/dev/full'


def test_impossible_outputs(t):
    """Where no file can be it prints the reason, however long the path, and leaves what is there."""
    t.write('file', b'old')
    (t.dir / 'directory').mkdir()
    (t.dir / 'loop').symlink_to('loop')
    device = full_device(t)
    before = t.files()
    deep = '/'.join(['deep' * 20] * 5) + '/t.dat'
    for output, reason in (('directory', 'is a directory'), ('.', 'is a directory'), ('missing/t.dat', 'No such file'),
                           ('missing/', 'missing/'), ('file/t.dat', 'Not a directory'), ('loop', 'loop'), ('', 'empty'),
                           (deep, 'No such file or directory'), (str(device), 'No space left')):
        t.run(['neutreeko-solve', '-o', output]).expect(1, '', [reason, output[-40:]])
    assert t.files() == before and os.listdir(t.dir / 'directory') == [] and t.read('file') == b'old'
    assert stat.S_ISCHR(os.stat(device).st_mode)
    t.run(['neutreeko-solve', '--check', deep]).expect(1, '', ['/t.dat', 'No such file or directory'])


def test_unwritable_directory(t):
    """In a directory that may not be written it fails and leaves the old table."""
    t.write('closed/t.dat', b'old')
    (t.dir / 'closed').chmod(0o555)
    nobody = {} if os.geteuid() else {'user': 65534, 'group': 65534, 'extra_groups': []}
    t.run('neutreeko-solve -o closed/t.dat', **nobody).expect(1, '', ['closed/t.dat', 'Permission denied'])
    (t.dir / 'closed').chmod(0o755)
    assert os.listdir(t.dir / 'closed') == ['t.dat'] and t.read('closed/t.dat') == b'old'


def test_failing_write(t):
    """When the write fails half way the old table stays as it was and no other file is left."""
    old = b'an old table\n' * 1000
    t.write('t.dat', old)
    (t.dir / 'link').symlink_to('t.dat')
    # Of several parts: in the codes, and in the traps, which come after them.
    whole, codes = len(t.solve('new.dat', '--board 6x4')) // 512, len(t.solve('new.dat', '--board 6x4 --no-traps')) // 512
    (t.dir / 'new.dat').unlink()
    for output, named, blocks, board in (
            ('t.dat', 't.dat', 20, ''), ('link', 't.dat', 20, ''), ('new.dat', 'new.dat', 20, ''),
            *(('t.dat', 't.dat', blocks, '--board 6x4') for blocks in (20, codes + 20, whole - 20))):
        t.run(f'ulimit -f {blocks}; neutreeko-solve {board} -o {output}').expect(1, '', [named, 'File too large'])
    assert t.files() == ['link', 't.dat'] and t.read('t.dat') == old


def test_special_outputs(t):
    """A named pipe gets the table and remains a pipe; a symbolic link is followed and stays one."""
    os.mkfifo(t.dir / 'pipe')
    t.run('cat pipe >got & neutreeko-solve --quiet -o pipe && wait', patience=15).expect(0, '', '')
    assert stat.S_ISFIFO(os.stat(t.dir / 'pipe').st_mode)
    t.write('elsewhere/t.dat', b'old')
    (t.dir / 'link').symlink_to('elsewhere/t.dat')
    (t.dir / 'link-to-link').symlink_to('link')
    t.run('neutreeko-solve --quiet -o link-to-link').expect(0, '', '')
    assert (t.dir / 'link').is_symlink() and (t.dir / 'link-to-link').is_symlink()
    assert t.read('got') == t.read('elsewhere/t.dat') == t.table.read_bytes()
    assert os.listdir(t.dir / 'elsewhere') == ['t.dat']


def test_closed_streams(t):
    """Closed standard streams do no harm to the table."""
    for closed in '2>&-', '<&- >&- 2>&-':
        for options in '--quiet', '--verify':
            (t.dir / 't.dat').unlink(missing_ok=True)
            ended = t.run(f'neutreeko-solve {options} -o t.dat {closed}')
            assert t.read('t.dat') == t.table.read_bytes() and (options == '--verify' or ended.code == 0)


# ---- killed, and others at the same time ----

BOARDS = '--win centre', '--win diagonal'


@pytest.mark.parametrize('kills', [8, pytest.param(int(os.environ.get('KILLS', '20')), marks=pytest.mark.thorough)])
def test_killed(t, kills):
    """A run killed at any moment leaves the old table whole or the new one."""
    begin = time.monotonic()
    whole = [t.solve('t.dat', board) for board in BOARDS]
    duration = (time.monotonic() - begin) / 2
    left = [0, 0]  # old tables, new ones
    new = tries = 0
    while sum(left) < kills or not all(left):
        assert (tries := tries + 1) < 20 * kills + 100, left
        shutil.copy(t.dir / 't.dat', t.dir / 'before.dat')
        inode = (t.dir / 't.dat').stat().st_ino
        process = t.start(f'exec neutreeko-solve --quiet -o t.dat {BOARDS[new]}')
        # Of three kills one is at any moment, one near the end, and one just after the file has got its name.
        if tries % 3:
            time.sleep(t.random.uniform(0 if tries % 3 == 1 else 0.7 * duration, 1.1 * duration))
        else:
            while (t.dir / 't.dat').stat().st_ino == inode and process.poll() is None:
                pass
        process.kill()
        code = process.wait()
        now = t.read('t.dat')
        assert code in (0, -signal.SIGKILL) and now in (whole[new], t.read('before.dat'))
        if code:
            left[now == whole[new]] += 1
        assert code or now == whole[new]
        for name in t.files():
            if name != 't.dat':
                assert name == 'before.dat' or name.startswith('.new-')
                (t.dir / name).unlink()
        new = 1 - whole.index(now)


def test_several_writers(t):
    """Several that write to one name leave one of their tables whole."""
    whole = [t.solve('t.dat', board) for board in BOARDS]
    processes = [t.start(f'exec neutreeko-solve --quiet -o t.dat {board}') for board in BOARDS * 3]
    assert [process.wait() for process in processes] == [0] * 6
    assert t.files() == ['t.dat'] and t.read('t.dat') in whole


def test_readers(t):
    """Those who read while the table is being replaced get whole answers, old or new."""
    question = '1w1w1/2b2/5/2w2/1b1b1 b'
    command = ['neutreeko', 'query', '--json', '--table', 't.dat']
    answers = {}
    for board in BOARDS:
        t.solve('t.dat', board)
        answers[t.run([*command, question]).expect(0, err='').out] = 0
    assert len(answers) == 2
    with t.talk([*command, '-']) as reader:  # which opens the table once
        opened = reader.ask(question)
        for number in range(6):
            writer = t.start(f'exec neutreeko-solve --quiet -o t.dat {BOARDS[number % 2]}')
            while writer.poll() is None:
                answers[t.run([*command, question]).expect(0, err='').out] += 1
                assert reader.ask(question) == opened
            assert writer.returncode == 0
    assert len(answers) == 2 and all(answers.values())
