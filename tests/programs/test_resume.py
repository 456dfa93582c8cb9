"""neutreeko-solve --checkpoint: killed and resumed, and rejected if it cannot be resumed.

Environment, for the thorough tests: KILLS is the number of kills (default: 5), BOARD the board (default: 6x5)."""

import ctypes
import os
import signal
import struct
import time

import pytest

BOARD = '--board 8x3'  # two slices
LARGER, KILLS = f'--board {os.environ.get("BOARD", "6x5")}', int(os.environ.get('KILLS', '5'))
SAVING = '--checkpoint saved'


def solve(t, more='', board=BOARD):
    return t.run(f'neutreeko-solve {board} --force -o t.dat {more}', patience=600)


@pytest.mark.parametrize('board, kills', [
    (BOARD + ' --verify', 2), pytest.param(LARGER, KILLS, marks=pytest.mark.thorough)])
def test_killed(t, board, kills):
    """A run killed at any moment resumes, as fast as it then may, and writes the same bytes; of the checkpoint only the
    directory is left, and what was just being written."""
    begin = time.monotonic()
    solve(t, SAVING, board).expect(0, err='')
    duration = time.monotonic() - begin
    table = t.read('t.dat')
    killed = 0
    while killed < kills:
        (t.dir / 't.dat').unlink()
        for _ in range(t.random.choice([1, 1, 2])):  # now and then more than once
            process = t.start(f'exec neutreeko-solve --quiet {board} {SAVING} -o t.dat')
            time.sleep(t.random.uniform(0, duration))
            process.kill()
            killed += process.wait() == -signal.SIGKILL
        solve(t, f'{SAVING} --threads 1 --memory 1G --quiet', board).expect(0, '', '')
        assert t.read('t.dat') == table
        for path in t.dir.rglob('.new-*'):
            path.unlink()
        if 'saved' in t.files():
            (t.dir / 'saved').rmdir()
        assert t.files() == ['t.dat']


@pytest.mark.parametrize('files', range(6, 11))
def test_few_open_files(t, files):
    """Where a process can open few files a run ends well or with an error message; in both cases nothing is left."""
    ended = t.run(f'ulimit -n {files}; exec neutreeko-solve --quiet --board 3x4 --row 2 {SAVING} -o t.dat')
    assert ended.code in (0, 1)
    assert ended.code == 0 or 'Too many open files' in ended.err
    assert t.files() == ['t.dat'][ended.code:]


def test_full_disk(t):
    """If the disk is full, the run ends with an error message, and resumes when there is space again."""
    table = t.solve('t.dat', '--board 5x5')
    (t.dir / 't.dat').unlink()
    t.run(f'ulimit -f 16; neutreeko-solve --quiet --board 5x5 {SAVING} --force -o t.dat').expect(
        1, '', ['cannot write saved/', 'File too large', 'saved contains everything up to ply '])
    assert t.files() == ['saved']
    t.run(f'neutreeko-solve --board 5x5 {SAVING} -o t.dat').expect(0, 'file ', 'neutreeko-solve: resuming after ply ')
    (t.dir / 'saved').rmdir()  # an earlier run created it
    none = t.run('ulimit -f 8; neutreeko-solve --quiet --checkpoint none --force -o t.dat').expect(
        1, '', 'cannot write none/state: '
    )
    assert 'everything up to ply' not in none.err, 'no state has been saved'
    assert t.files() == ['t.dat']
    assert t.read('t.dat') == table


def test_full_disk_while_verifying(t):
    """The verification fails with an error message, leaves nothing; with space it succeeds."""
    t.solve('t.dat', '--board 5x5 --no-traps')
    check = 'neutreeko-solve --check t.dat --threads 1 --memory 512K'
    t.run(f'ulimit -f 100; {check}').expect(
        1, '', 'cannot write the temporary file of the verification: File too large'
    )
    assert t.files() == ['t.dat']
    t.run(check).expect(0, 'verified', '')
    assert t.files() == ['t.dat']


@pytest.mark.parametrize('name', ['state', 'log.0'])
def test_table_among_saved_files(t, name):
    """A table with the name of a file that --checkpoint removes is not written."""
    t.run(f'mkdir saved; neutreeko-solve --board 3x3 {SAVING} -o saved/{name}').expect(
        1, '', 'has the name of a file of the'
    )
    assert not (t.dir / 'saved' / name).exists()


def test_directory_of_the_user_stays(t):
    t.run(f'mkdir saved; neutreeko-solve --board 3x3 {SAVING} -o t.dat').expect(0)
    assert t.files() == ['saved', 't.dat']


@pytest.mark.parametrize('output', ['saved/.made', 'saved/log.0.dat'])
def test_table_among_saved_files_stays(t, output):
    t.run(f'mkdir saved; neutreeko-solve --board 3x3 {SAVING} -o state').expect(0)  # in another directory
    t.run(f'neutreeko-solve --board 3x3 {SAVING} -o {output}').expect(0)
    assert t.read(output) == t.read('state')


def test_verified_counts(t):
    """With --verify, the numbers printed are those of the verification, also if another program has changed the log."""
    right, = solve(t, '--verify --json', '--board 5x5').expect(0).json()
    t.run(f'ulimit -f 128; neutreeko-solve --quiet --board 5x5 {SAVING} --force -o t.dat').expect(
        1, err='everything up to ply 5'
    )
    state = bytearray(t.read('saved/state'))
    xxh3 = ctypes.CDLL('libxxhash.so.0').XXH3_64bits
    xxh3.restype = ctypes.c_uint64
    in_0, in_1, in_2, in_3 = struct.unpack_from('<4Q', state, 64)
    struct.pack_into('<4Q', state, 64, in_0, in_1 + 1, in_2, in_3 - 1)
    struct.pack_into('<Q', state, len(state) - 8, xxh3(bytes(state[:-8]), ctypes.c_size_t(len(state) - 8)))
    t.write('saved/state', bytes(state))
    found, = solve(t, f'--verify --json {SAVING}', '--board 5x5').expect(0, err='resuming after ply 5').json()
    assert found['by_plies'] == right['by_plies']


def test_sets_in_files(t):
    """With little memory the sets are in files without a name in the directory, and the table is the same."""
    board, little = '--board 5x7 --no-traps --threads 1', '--memory 6200K'
    table = t.solve('t.dat', board)
    for memory, needed in [(little, (6, 8)), ('--memory 7M', (7, 6))]:  # both sets, or one
        solve(t, f'{SAVING} {memory}', board).expect(
            0, err='neutreeko-solve: needs up to %d MiB of memory and %d MiB in saved' % needed)
        assert t.files() == ['t.dat']
        assert t.read('t.dat') == table
    solve(t, f'{SAVING} --memory 1M', board).expect(1, '', 'MiB of memory, but 1 MiB is what --memory allows')
    solve(t, '--memory 1M', board).expect(1, '', '; with --checkpoint it needs 6 MiB and 8 MiB on disk')
    t.run(f'ulimit -f 1000; neutreeko-solve {board} {SAVING} {little} --force -o t.dat').expect(
        1, '', 'cannot write a file in saved: File too large')
    assert not list((t.dir / 'saved').glob('.new*'))
