"""What neutreeko-solve promises: the published totals, a table that is whole or not there, an exit status."""

import json
import os
import re
import stat
import time

from cli_harness import Skip, check, equal

# J. K. Haugland's analysis of the game, and the number of positions per distance that belongs to it.
PLACEMENTS, LEGAL = 3542000, 3468080
WINS, LOSSES, DRAWS = 2473028, 890392, 104660
LONGEST = 51
OVER, LONGEST_POSITIONS = 72436, 8

HEADER = 112  # bytes at the beginning of a table, each of them worth a look

KEYS = ['board', 'pieces', 'row', 'placements', 'legal', 'wins', 'losses', 'draws', 'longest', 'by_distance',
        'solve_seconds', 'total_seconds', 'file_bytes', 'xxh3']


def expect_same_bytes(path, table):
    """Compares without printing 100 kB."""
    check(path.exists(), f'{path.name} has not been written')
    check(path.read_bytes() == table.read_bytes(), f'{path.name} differs from the table of another run')


def expect_summary(text, path):
    """Checks a summary in JSON; returns it."""
    summary = json.loads(text)
    for key in KEYS:
        check(key in summary, f'the summary has no "{key}": {text}')
    equal([summary[key] for key in KEYS[:9]],
          ['5x5', 3, 3, PLACEMENTS, LEGAL, WINS, LOSSES, DRAWS, LONGEST], ', '.join(KEYS[:9]))
    distances = summary['by_distance']
    equal(len(distances), LONGEST + 1, 'length of by_distance')
    equal((distances[0], distances[-1]), (OVER, LONGEST_POSITIONS), 'both ends of by_distance')
    equal((sum(distances[1::2]), sum(distances[::2])), (WINS, LOSSES), 'sums of the odd and even distances')
    equal(summary['file_bytes'], path.stat().st_size, 'file_bytes')
    check(re.fullmatch('[0-9a-f]{16}', summary['xxh3']), f'xxh3 is {summary["xxh3"]!r}')
    return summary


# ---- usage ----

def test_solve_help_and_version(t):
    """neutreeko-solve --help and --version print to standard output"""
    for option in '--help', '-h':
        t.run(f'neutreeko-solve {option}').expect(0, ['Usage: neutreeko-solve', '--output', '--check'], '')
    version = t.run('neutreeko-solve --version').expect(0, err='')
    version.check(re.fullmatch(r'neutreeko-solve .*\d+\.\d+\.\d+\n', version.out), 'not a version')
    equal(t.files(), [], 'files that --help and --version have made')


def test_solve_usage_errors(t):
    """neutreeko-solve refuses what it does not know with exit status 2, and solves nothing"""
    for arguments, complaint in (
            ('--nonsense', '--nonsense'),
            ('-z', "'z'"),
            ('stray.dat', "'stray.dat'"),
            ('-o a.dat stray.dat', "'stray.dat'"),
            ('--output', '--output'),
            ('--check', '--check'),
            ('--quiet=3', '--quiet'),
            ('--check "$TABLE" -o a.dat', '--check'),
            ('--check "$TABLE" --verify', '--check'),
            ('--check "$TABLE" --no-traps', '--check'),
            ('--check "$TABLE" --board 5x5', '--check cannot be combined with --board'),
            ('--check "$TABLE" --win line', '--check cannot be combined with --win'),
            ('--check "$TABLE" --checkpoint c', '--check cannot be combined with --checkpoint')):
        t.run(f'neutreeko-solve {arguments}').expect(2, '', [complaint, 'neutreeko-solve --help'])
    equal(t.files(), [], 'files made')


def test_solve_numbers(t):
    """An invalid number, size or word is rejected with an error message"""
    for option, wrong in (
            ('--board', ('', '5', 'x5', '5x', '5y5', '5x5x5', '-x5', '5x-', ':x5', '5x:', 'axb', '10x5')),
            ('--pieces', ('', '3x', ' ', '-1', ' 3', '1', '6', '100', '9' * 30)),
            ('--row', ('', '0', '3.5', '99999999999', 'three')),
            ('--threads', ('', '0', '257', '2 ', '1e2', '-' + '9' * 30)),
            ('--memory', ('', '0', '0G', 'G', '-1', ' -1', ' 1', '+1', '-1G', '1GB', '1k', '12 G', '9' * 30, '18014398509481984K',
                          '16777216T')),
            ('--checkpoint-every', ('', '-1', '1000001', 'often')),
            ('--win', ('', 'lines', 'Line'))):
        for argument in wrong:
            complaint = f"neutreeko-solve: {option} '{argument[:40]}': expected "
            t.run(['neutreeko-solve', '-o', 't.dat', option, argument]).expect(2, '', [complaint, '--help'])
    equal(t.files(), [], 'files made')
    for option, right in (('--board', '5X5'), ('--memory', '16777215T'), ('--memory', '4096M'), ('--threads', '256'),
                          ('--memory', '900000000')):
        t.run(['neutreeko-solve', '-o', 't.dat', '--quiet', option, right]).expect(0, '', '')
        expect_same_bytes(t.dir / 't.dat', t.table)


# ---- a good run ----

def test_solve_default_output(t):
    """Without options the table goes to data/perfect_move.dat below the current directory"""
    (t.dir / 'data').mkdir()
    t.run('neutreeko-solve').expect(0, 'placements', '')
    expect_same_bytes(t.dir / 'data/perfect_move.dat', t.table)
    equal(os.listdir(t.dir / 'data'), ['perfect_move.dat'], 'files in data')


def test_solve_output_spellings(t):
    """-o FILE, -oFILE, --output FILE and --output=FILE all write the same bytes to FILE"""
    t.run('neutreeko-solve -o a.dat && neutreeko-solve -ob.dat && '
          'neutreeko-solve --output c.dat && neutreeko-solve --output=d.dat').expect(0, err='')
    equal(t.files(), ['a.dat', 'b.dat', 'c.dat', 'd.dat'], 'files made')
    for name in t.files():
        expect_same_bytes(t.dir / name, t.table)


def test_solve_long_name(t):
    """A table may have as long a name as the file system allows"""
    name = 'n' * os.pathconf(t.dir, 'PC_NAME_MAX')
    t.run(['neutreeko-solve', '--quiet', '-o', name]).expect(0, '', '')
    expect_same_bytes(t.dir / name, t.table)
    equal(t.files(), [name], 'files made')


def test_solve_umask(t):
    """The umask decides who may read a new table"""
    t.run('umask 027; neutreeko-solve --quiet -o t.dat').expect(0, '', '')
    equal(f'{stat.S_IMODE((t.dir / "t.dat").stat().st_mode):o}', '640', 'mode of the table')


def test_solve_keeps_permissions(t):
    """A table that is replaced keeps its permissions"""
    for mode in 0o640, 0o600, 0o444:
        t.write('t.dat', b'old').chmod(mode)
        t.run('neutreeko-solve --quiet -o t.dat').expect(0, '', '')
        expect_same_bytes(t.dir / 't.dat', t.table)
        equal(f'{stat.S_IMODE((t.dir / "t.dat").stat().st_mode):o}', f'{mode:o}', 'mode of the table')
        (t.dir / 't.dat').unlink()


def test_solve_text_summary(t):
    """The summary as text has the published totals"""
    summary = t.run('neutreeko-solve -o t.dat').expect(0, err='')
    for line in (r'board +5x5, 3 pieces a side, 3 in a row',
                 rf'placements +{PLACEMENTS:,}', rf'legal +{LEGAL:,}',
                 rf'wins +{WINS:,}', rf'losses +{LOSSES:,}', rf'draws +{DRAWS:,}',
                 rf'longest win +{LONGEST} plies, {LONGEST_POSITIONS} positions',
                 rf' +0 loss +{OVER:,}', rf' +{LONGEST} win +{LONGEST_POSITIONS}',
                 r'solved in +\d+\.\d+ s', r'in all +\d+\.\d+ s',
                 rf'file +{t.table.stat().st_size:,} bytes, xxh3 [0-9a-f]{{16}}'):
        summary.check(re.search(f'^{line}$', summary.out, re.MULTILINE), f'no line {line!r}')
    counts = re.findall(r'^ +\d+ (?:win|loss) +([\d,]+)$', summary.out, re.MULTILINE)
    equal(sum(int(count.replace(',', '')) for count in counts), WINS + LOSSES, 'sum over all distances')


def test_solve_text_summary_of_other_boards(t):
    """The summary tells what wins, how many positions have no move, and nothing that there is not"""
    for game, lines, missing in (
            ('--win centre', [r'board +5x5, 3 pieces a side, win: centre'], 'no move'),
            ('--board 3x3 --pieces 4', [r'  no move +[1-9]\d*', r'  such as +[1-9bw/]+ b'], 'win:'),
            ('--board 3x3 --pieces 4 --row 4', [r'wins +0', r'losses +0', r'longest loss +0 plies, 0 positions'],
             'such as')):
        summary = t.run(f'neutreeko-solve {game} -o t.dat').expect(0, err='')
        for line in lines:
            summary.check(re.search(f'^{line}$', summary.out, re.MULTILINE), f'no line {line!r}')
        summary.check(missing not in summary.out, f'there is no {missing!r}')
    told = json.loads(t.run('neutreeko-solve --board 3x3 --pieces 4 --row 4 --json -o t.dat').expect(0, err='').out)
    equal([told[key] for key in ('start', 'longest_example', 'wins', 'by_distance')], [None, None, 0, [0]], 'summary')


def test_solve_json_summary(t):
    """--json prints one object with the published totals"""
    run = t.run('neutreeko-solve --json -o t.dat').expect(0, err='')
    equal(run.out.count('\n'), 1, 'lines')
    summary = expect_summary(run.out, t.dir / 't.dat')
    check(0 < summary['solve_seconds'] <= summary['total_seconds'], f'seconds do not fit: {run.out}')
    run = t.run('neutreeko-solve --check t.dat --json').expect(0, err='')
    checked = expect_summary(run.out, t.dir / 't.dat')
    equal(checked['xxh3'], summary['xxh3'], 'xxh3 of the same file')
    equal(checked['solve_seconds'], None, 'solve_seconds when nothing was solved')


def test_solve_verify(t):
    """--verify writes the same table and the same summary"""
    run = t.run('neutreeko-solve --verify --json -o t.dat').expect(0, err='')
    expect_summary(run.out, t.dir / 't.dat')
    expect_same_bytes(t.dir / 't.dat', t.table)


def test_solve_quiet(t):
    """--quiet prints nothing, not even on a terminal"""
    for arguments in '--quiet -o t.dat', '--quiet --verify -o t.dat', '--quiet --check "$TABLE"':
        t.run(f'neutreeko-solve {arguments}').expect(0, '', '')
        t.run(f'neutreeko-solve {arguments}', terminal='err').expect(0, '', '')


def test_solve_progress(t):
    """Progress is shown on a terminal only, and never in standard output"""
    shown = t.run('neutreeko-solve --json -o t.dat', terminal='err').expect(0, err='ply')
    expect_summary(shown.out, t.dir / 't.dat')
    t.run('neutreeko-solve --json -o t.dat').expect(0, err='')


# ---- checking a table ----

def test_check_good(t):
    """--check accepts a good table, sums it up and leaves it alone"""
    before = t.table.stat()
    totals = [f'{WINS:,}', f'{LOSSES:,}', f'{DRAWS:,}']
    checked = t.run('neutreeko-solve --check "$TABLE"').expect(0, totals, '')
    checked.check('solved in' not in checked.out, 'says that it solved something')
    equal(t.table.stat().st_mtime_ns, before.st_mtime_ns, 'time of the last change')
    equal(t.files(), [], 'files made')


def test_check_no_table(t):
    """--check tells what is missing, no file or no table; the message names it"""
    good = t.table.read_bytes()
    t.write('empty.dat', b'')
    t.write('foreign.dat', b'a letter to a friend\n' * 9000)
    t.write('short.dat', good[:len(good) // 2])
    t.write('header.dat', good[:20])
    t.write('long.dat', good + b'\0')
    t.write('twice.dat', good + good)
    (t.dir / 'directory.dat').mkdir()
    os.mkfifo(t.dir / 'pipe.dat')
    for name in t.files() + ['missing.dat', 'missing/missing.dat', 'empty.dat/below.dat']:
        for option in '', '--json', '--quiet':
            t.run(f'neutreeko-solve --check {name} {option}', patience=10).expect(1, '', name)


def test_check_damage(t):
    """--check finds every single flipped bit; the message names the file"""
    good = t.table.read_bytes()
    for place in [*range(HEADER), *t.random.sample(range(len(good)), 80)]:
        bad = bytearray(good)
        bad[place] ^= 1 << t.random.randrange(8)
        t.write('flipped.dat', bad)
        checked = t.run(['neutreeko-solve', '--check', 'flipped.dat', '--json'])
        checked.check(checked.code == 1, f'byte {place} was changed, but the table passes')
        checked.expect(1, '', 'flipped.dat')


# ---- when it cannot write ----

def full_device(t):
    """A device like /dev/full: not the real one, if root runs a program that wrongly replaces its output."""
    own = t.dir / 'full'
    try:
        os.mknod(own, stat.S_IFCHR | 0o666, os.makedev(1, 7))
        own.open('wb').close()
        return own
    except OSError:
        if own.exists():
            own.unlink()
        return '/dev/full'


def test_solve_no_data_directory(t):
    """Without a directory data/ it fails with an error message and creates nothing"""
    t.run('neutreeko-solve').expect(1, '', ['data/perfect_move.dat', 'No such file or directory'])
    equal(t.files(), [], 'files made')


def test_solve_impossible_outputs(t):
    """Where no file can be it says why, and leaves what is there"""
    t.write('file', b'old')
    (t.dir / 'directory').mkdir()
    (t.dir / 'loop').symlink_to('loop')
    before = t.files()
    for output, complaint in (('directory', 'is a directory'), ('.', 'is a directory'),
                              ('missing/t.dat', 'No such file'), ('missing/', 'missing/'),
                              ('file/t.dat', 'Not a directory'), ('loop', 'loop'), ('', 'empty')):
        t.run(['neutreeko-solve', '-o', output]).expect(1, '', [complaint, output])
    equal(t.files(), before, 'files afterwards')
    equal(os.listdir(t.dir / 'directory'), [], 'files in the directory')
    equal((t.dir / 'file').read_bytes(), b'old', 'the file')


def test_solve_reason_after_long_path(t):
    """The reason of a failure is told however long the path is"""
    path = '/'.join(['deep' * 20] * 5) + '/t.dat'
    for option in '-o', '--check':
        t.run(['neutreeko-solve', option, path]).expect(1, '', ['/t.dat', 'No such file or directory'])


def test_solve_unwritable_directory(t):
    """In a directory that may not be written it fails and leaves the old table"""
    if os.geteuid() == 0:
        raise Skip('root may write everywhere')
    old = t.write('closed/t.dat', b'old')
    (t.dir / 'closed').chmod(0o555)
    try:
        t.run('neutreeko-solve -o closed/t.dat').expect(1, '', ['closed/t.dat', 'Permission denied'])
    finally:
        (t.dir / 'closed').chmod(0o755)
    equal(os.listdir(t.dir / 'closed'), ['t.dat'], 'files afterwards')
    equal(old.read_bytes(), b'old', 'the old table')


def test_solve_full_device(t):
    """A full device is reported, and remains a device"""
    device = full_device(t)
    before = t.files()
    t.run(['neutreeko-solve', '-o', device]).expect(1, '', [str(device), 'No space left'])
    check(stat.S_ISCHR(os.stat(device).st_mode), f'{device} is no character device any more')
    equal(t.files(), before, 'files afterwards')


def test_solve_pipe(t):
    """A named pipe as output gets the table, and remains a pipe"""
    os.mkfifo(t.dir / 'pipe')
    t.run('cat pipe >got & neutreeko-solve --quiet -o pipe && wait', patience=15).expect(0, '', '')
    check(stat.S_ISFIFO(os.stat(t.dir / 'pipe').st_mode), 'the pipe has been replaced')
    expect_same_bytes(t.dir / 'got', t.table)


def test_solve_failing_write(t):
    """When the write fails half way the old table stays as it was and no other file is left"""
    old = t.write('t.dat', b'an old table\n' * 1000)
    (t.dir / 'link').symlink_to('t.dat')
    for output in 't.dat', 'link', 'new.dat':
        failed = t.run(f'ulimit -f 20; neutreeko-solve -o {output}')
        failed.expect(1, '', ['t.dat' if output == 'link' else output, 'File too large'])
    # A table of several parts: in the midst of the codes, and of the traps, which come after them.
    t.run('neutreeko-solve --quiet --board 7x5 -o all.dat').expect(0)
    t.run('neutreeko-solve --quiet --board 7x5 --no-traps -o codes.dat').expect(0)
    codes, everything = ((t.dir / name).stat().st_size // 512 for name in ('codes.dat', 'all.dat'))
    check(50 < codes < codes + 50 < everything, f'{codes} blocks of codes, {everything} in all')
    for blocks, more in (50, '--no-traps'), (50, ''), (codes + 20, ''), (everything - 20, ''):
        t.run(f'ulimit -f {blocks}; neutreeko-solve --board 7x5 {more} -o t.dat').expect(
            1, '', ['t.dat', 'File too large'])
    for name in 'all.dat', 'codes.dat':
        (t.dir / name).unlink()
    equal(t.files(), ['link', 't.dat'], 'files afterwards')
    check(old.read_bytes() == b'an old table\n' * 1000, 'the old table has changed')


def test_solve_symlink(t):
    """A symbolic link as output is followed and stays one"""
    t.write('elsewhere/t.dat', b'old')
    (t.dir / 'link').symlink_to('elsewhere/t.dat')
    (t.dir / 'link-to-link').symlink_to('link')
    for link in 'link', 'link-to-link':
        t.write('elsewhere/t.dat', b'old')
        t.run(f'neutreeko-solve --quiet -o {link}').expect(0, '', '')
        check((t.dir / link).is_symlink(), f'{link} is no symbolic link any more')
        expect_same_bytes(t.dir / 'elsewhere/t.dat', t.table)
    equal(t.files(), ['elsewhere', 'link', 'link-to-link'], 'files afterwards')
    equal(os.listdir(t.dir / 'elsewhere'), ['t.dat'], 'files afterwards')


def test_solve_stdout_fails(t):
    """A summary, help or version that cannot be printed is a failure, told on standard error"""
    for arguments in ('-o t.dat', '-o t.dat --json', '--check "$TABLE"', '--check "$TABLE" --json',
                      '--help', '--version'):
        for closed in '>/dev/full', '>&-':
            t.run(f'neutreeko-solve {arguments} {closed}').expect(1, '', 'neutreeko-solve: ')


def test_solve_closed_streams(t):
    """Closed standard streams do no harm to the table"""
    for closed in '>&-', '2>&-', '<&- >&-', '<&- >&- 2>&-':
        (t.dir / 't.dat').unlink(missing_ok=True)
        t.run(f'neutreeko-solve --quiet -o t.dat {closed}').expect(0, '', '')
        expect_same_bytes(t.dir / 't.dat', t.table)
        t.run(f'neutreeko-solve --verify -o t.dat {closed}')
        expect_same_bytes(t.dir / 't.dat', t.table)


# ---- rough treatment ----

def test_solve_killed(t):
    """Killed at any moment, it leaves either the old table or the new one, whole"""
    old, new = b'an old table\n' * 1000, t.table.read_bytes()
    command = ['neutreeko-solve', '--quiet', '-o', 't.dat']
    begin = time.monotonic()
    t.run(command).expect(0)
    duration = time.monotonic() - begin
    killed = 0
    for attempt in range(40):
        for name in t.files():
            (t.dir / name).unlink()
        t.write('t.dat', old)
        process = t.start(command)
        if attempt < 30:
            time.sleep(duration * t.random.random())
        else:  # just when it is writing, as the temporary file next to the table shows
            while len(t.files()) == 1 and process.poll() is None:
                pass
        process.kill()
        killed += process.wait() != 0
        check((t.dir / 't.dat').read_bytes() in (old, new), 'the table is neither the old nor the new one')
    check(killed, 'it always was done before it could be killed: nothing has been tested')


def test_solve_together(t):
    """Several at once with the same output do not get into each other's way"""
    processes = [t.start(['neutreeko-solve', '--quiet', '-o', 't.dat']) for _ in range(6)]
    equal([process.wait() for process in processes], [0] * 6, 'exit statuses')
    equal(t.files(), ['t.dat'], 'files afterwards')
    expect_same_bytes(t.dir / 't.dat', t.table)
