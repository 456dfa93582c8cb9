"""neutreeko-solve-mpi: any number of processes writes the same table."""

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import time

import pytest

from conftest import PATIENCE

# Allow more processes than processors, which leave them to each other, and running as root.
MPI = {
    'OMPI_ALLOW_RUN_AS_ROOT': '1',
    'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1',
    'OMPI_MCA_rmaps_base_oversubscribe': '1',  # for Open MPI 4
    'PRTE_MCA_rmaps_default_mapping_policy': ':oversubscribe',  # for Open MPI 5
    'OMPI_MCA_mpi_yield_when_idle': '1',
    'OMPI_MCA_btl_vader_single_copy_mechanism': 'none',
    'OMPI_MCA_btl_tcp_if_include': 'lo',  # Open MPI 5 complains about a machine that has nothing else
    'HWLOC_HIDE_ERRORS': '2',
}  # that /sys is missing, as in a chroot
SLICES = '--board 5x4 --pieces 4 --no-traps'  # three of them
SAVING = f'{SLICES} --checkpoint saved -o t.dat'
pytestmark = pytest.mark.thorough  # Open MPI need not be installed for the quick tests


@pytest.fixture
def t(t):
    if not (t.table.parent / 'neutreeko-solve-mpi').exists():
        pytest.skip('the build has no neutreeko-solve-mpi')
    t.environment.update(MPI)
    return t


def mpirun(t, *commands):
    """Runs commands as one program. Each is given as the number of its processes and the command.

    A shell chooses the command of each process: the mpirun of Open MPI 5.0.7 crashes when it is given several.
    """
    cases = []
    processes = 0
    for command in commands:
        count, words = command.split(' ', 1)
        cases += [f'{"|".join(str(processes + n) for n in range(int(count)))}) exec {words};;']
        processes += int(count)
    choice = shlex.quote('case $OMPI_COMM_WORLD_RANK in ' + ' '.join(cases) + ' esac')
    return t.run(f'exec mpirun -n {processes} sh -c {choice}')


@pytest.mark.parametrize('board, processes', [
    ('', 1),
    ('', 2),
    ('--board 3x3 --pieces 4', 4),
    (SLICES, 2),
    (SLICES, 3),
    (SLICES, 4),
    ('--board 8x3', 3),
    ('--board 6x6 --row 2 --win diagonal --no-traps', 2),  # more squares than 32 bits
])
def test_same_bytes(t, board, processes):
    """Processes write the same bytes as one process and print the same summary."""
    alone, = t.run(f'neutreeko-solve {board} -o alone.dat --json').expect(0).json()
    (shared,) = (
        mpirun(t, f'{processes} neutreeko-solve-mpi {board} -o shared.dat --json --threads {1 + processes % 2}')
        .expect(0, err='')
        .json()
    )
    assert t.read('shared.dat') == t.read('alone.dat')
    assert shared.get('processes') == (processes if processes > 1 else None)
    assert ('bytes_sent' in shared) == (processes > 1)
    assert shared.get('bytes_sent', 0) > 0 or processes == 1 or board != SLICES
    same = 'wins', 'by_plies', 'longest_example', 'xxh3'
    assert [shared[key] for key in same] == [alone[key] for key in same]


def test_longest_example_is_of_any_process(t):
    """The example in the summary is that of one process, whichever of the processes has found it."""
    board = '--board 6x5 --no-traps --json -o t.dat'  # the first of two processes has none
    alone, = t.run(f'neutreeko-solve {board}').expect(0, err='').json()
    shared, = mpirun(t, f'2 neutreeko-solve-mpi --force {board}').expect(0, err='').json()
    assert shared['longest_example'] == alone['longest_example']


def test_memory_is_divided(t):
    """The processes of a machine divide its available memory, of which the message states a share."""
    board = '--board 8x7 --pieces 5 --quiet -o t.dat'  # 2 TB

    def available(ended):
        return int(re.search(r'but ([\d,]+) MiB are available', ended.err)[1].replace(',', ''))

    alone = available(t.run(f'neutreeko-solve {board}').expect(1))
    assert available(mpirun(t, f'4 neutreeko-solve-mpi {board}')) < alone / 2


def test_own_rows_are_not_sent(t):
    """On a board of one slice one process owns everything, so processes send each other only what sparse passes decide:
    8 bytes for each position, of which those that are symmetric count once."""
    found, = mpirun(t, '2 neutreeko-solve-mpi --board 3x3 --json -o t.dat').expect(0, err='').json()
    assert 0 < found['bytes_sent'] < 8 * sum(found['by_plies']) / 4


def test_rows_of_others_are_sent(t):
    found, = mpirun(t, f'2 neutreeko-solve-mpi {SLICES} --json -o t.dat').expect(0, err='').json()
    assert found['bytes_sent'] > 0


@pytest.mark.parametrize('before, after', [(4, 1), (3, 2)])
def test_saves_together(t, before, after):
    """If the disk is full for one process, it reports that, and all end; any number of them continues from all files,
    and writes the same bytes."""
    alone = t.solve('alone.dat', SLICES)
    command = f'neutreeko-solve-mpi {SAVING}'
    full = f"1 sh -c 'ulimit -f {400 // before}; exec {command}'"
    ended = mpirun(t, f'{before - 1} {command}', full).expect(1)
    assert ended.err.count('neutreeko-solve: cannot write saved/') == 1
    assert ended.err.count('neutreeko-solve: saved contains everything up to ply ') == 1
    assert t.files() == ['alone.dat', 'saved']
    resumed = mpirun(t, f'{after} {command}').expect(0)
    assert int(re.search(r'resuming after ply (\d+)', resumed.err)[1]) > 1, 'each file has losses'
    assert (f'processes    {after}, which sent each other ' in resumed.out) == (after > 1)
    assert t.read('t.dat') == alone
    assert t.files() == ['alone.dat', 'saved', 't.dat'], 'the interrupted run created it'


def test_each_process_appends_to_its_own_file(t):
    """A process continues at the end of what it has saved itself, also if others have saved more."""
    alone = t.solve('alone.dat', SLICES)
    command = f'neutreeko-solve-mpi {SAVING}'
    assert mpirun(t, f"1 sh -c 'ulimit -f 160; exec {command}'", f'1 {command}').code
    first, second = ((t.dir / 'saved' / name).stat().st_size for name in ('log.0', 'log.1'))
    assert first < second
    t.run(f'neutreeko-solve {SAVING}').expect(0, err='resuming after ply 3 from saved')
    assert t.read('t.dat') == alone


@pytest.mark.parametrize('arguments, message', [
    (f'{SLICES} -o missing/t.dat', 'neutreeko-solve: cannot create missing/t.dat'),
    ('--board 7x7 --pieces 4 --memory 100M -o t.dat', 'of memory in each process, but 100 MiB is what --memory')])
def test_fails_together(t, arguments, message):
    """If one process cannot continue, all end, with one error message."""
    ended = mpirun(t, f'2 neutreeko-solve-mpi {arguments}').expect(1)
    assert ended.err.count('neutreeko-solve: ') == 1
    assert message in ended.err
    assert t.files() == []


@pytest.mark.parametrize('more, named', [
    ('--board 7x6', '--board'),
    ('--nonsense', 'arguments'),
    ('--checkpoint saved', '--checkpoint'),
    ('--memory 1G', '--memory'),
    ('--check t.dat', '--check'),
])
def test_different_arguments(t, more, named):
    """Processes with different arguments end at once, with one error message."""
    board = '1 neutreeko-solve-mpi --board 6x6 --quiet -o t.dat'
    other = f'1 neutreeko-solve-mpi --quiet {more}' if named == '--check' else f'{board} {more}'
    ended = mpirun(t, *t.random.sample([board, other], 2)).expect(2)
    assert ended.err.count(f'neutreeko-solve: the processes were started with different {named}: ') == 1
    assert t.files() == []


def test_arguments_that_may_differ(t):
    """Threads, verification and the form of the summary are each process's own; processes check a table together."""
    board = f'1 neutreeko-solve-mpi {SLICES} --quiet -o t.dat'  # two of the slices are the second one's
    mpirun(t, board, f"1 sh -c 'trap \"\" TERM; exec {board[2:]} --threads 2 --json --verify'").expect(0, '', '')
    assert len(mpirun(t, '2 neutreeko-solve-mpi --check t.dat --json').expect(0, err='').json()) == 1


def test_different_checkpoints(t):
    """Processes that do not share the directory of the checkpoint report which file is missing."""
    command = f'neutreeko-solve-mpi {SAVING}'
    t.run(f'mkdir a b; cd a; neutreeko-solve --quiet {SLICES} --checkpoint saved -o /dev/full').expect(
        1, '', 'cannot write'
    )
    ended = mpirun(t, *(f"1 sh -c 'cd {directory} && exec {command}'" for directory in 'ab'))
    ended.expect(1, err='neutreeko-solve: cannot write saved/log.1: No such file')


@pytest.mark.parametrize('processes, victim', [(2, 1), (3, 0)])
def test_loses_a_process(t, processes, victim):
    """If one process is killed all end, and a run resumes from what they have saved."""
    board = '--board 6x5 --no-traps'
    alone = t.solve('alone.dat', board)
    state = t.dir / 'saved/state'
    killed = False
    while not killed:  # before its end
        shutil.rmtree(t.dir / 'saved', ignore_errors=True)
        process = t.start(
            f"exec mpirun -n {processes} sh -c 'echo $$ >pid-$OMPI_COMM_WORLD_RANK; exec neutreeko-solve-mpi "
            f"--quiet {board} --checkpoint saved -o t.dat'",
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        while process.poll() is None and not state.exists():
            time.sleep(0.01)
        time.sleep(t.random.uniform(0, 0.2))
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(t.read(f'pid-{victim}')), signal.SIGKILL)
        _, err = process.communicate(timeout=PATIENCE)
        killed = process.returncode and state.exists()
    assert f'process rank {victim} ' in err.decode()
    assert 'signal 9' in err.decode()
    mpirun(t, f'2 neutreeko-solve-mpi {board} --checkpoint saved -o t.dat').expect(0, err='resuming after ply ')
    # A killed process cannot remove what it was writing, and only process 0 writes such files.
    assert victim == 0 or not list(t.dir.rglob('.new-*'))
    assert t.read('t.dat') == alone
