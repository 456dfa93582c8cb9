"""neutreeko-solve built with MPI: any number of processes writes the same table.

usage: mpi.py NEUTREEKO-SOLVE NEUTREEKO [PART OF A TEST'S NAME...]"""

import json
import os
import re
import signal
import subprocess
import sys
import time

import cli_harness
from cli_harness import check, equal

# Allow more ranks than processors, and running as root.
MPI = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1',
       'OMPI_MCA_rmaps_base_oversubscribe': '1', 'OMPI_MCA_mpi_yield_when_idle': '1',
       'OMPI_MCA_btl_vader_single_copy_mechanism': 'none'}
PATIENCE = 300  # waiting ranks keep the processors busy

# One slice, stalemates, several slices with traps and without.
GAMES = '', '--board 3x3 --pieces 4', '--board 7x5 --win diagonal', '--board 7x7 --no-traps'


def solve(t, ranks, arguments):
    return t.run(f'exec mpirun -n {ranks} neutreeko-solve {arguments}', env=MPI, patience=PATIENCE)


def wait_for_checkpoint(t, process):
    until = time.monotonic() + PATIENCE
    while not (t.dir / 'saved/state').exists():
        check(process.poll() is None and time.monotonic() < until, 'no checkpoint was saved')
        time.sleep(0.01)


def test_mpi_same_bytes(t):
    """One to four ranks write the same bytes and print the same summary"""
    for game in GAMES:
        t.run(f'neutreeko-solve {game} -o alone.dat --json', env=MPI, patience=PATIENCE).expect(0)
        alone = (t.dir / 'alone.dat').read_bytes()
        summaries = {}
        for ranks in 1, 2, 3, 4:
            run = solve(t, ranks, f'{game} -o shared.dat --json --threads {1 + ranks % 2}').expect(0, err='')
            check((t.dir / 'shared.dat').read_bytes() == alone, f'{ranks} ranks, {game}: other bytes')
            summary = json.loads(run.out)
            equal(summary['ranks'], ranks, 'ranks')
            check((summary['bytes_sent'] > 0) >= (ranks > 1 and '7x7' in game), f'sent {summary["bytes_sent"]}')
            for key in 'solve_seconds', 'total_seconds', 'ranks', 'bytes_sent':
                del summary[key]
            equal(summary, summaries.setdefault(game, summary), f'{ranks} ranks, {game}: summary')
    solve(t, 2, '-o shared.dat').expect(0, 'ranks        2, which sent each other ', '')


def test_mpi_resumes(t):
    """Another number of ranks resumes from a checkpoint"""
    arguments = '--board 7x7 --no-traps --checkpoint saved --quiet'
    t.run('neutreeko-solve --board 7x7 --no-traps -o alone.dat --quiet', env=MPI, patience=PATIENCE).expect(0)
    alone = (t.dir / 'alone.dat').read_bytes()
    for before, after in (3, 2), (2, 4), (4, 1):
        process = t.start(f'exec mpirun -n {before} neutreeko-solve {arguments} --checkpoint-every 0 -o shared.dat', MPI)
        wait_for_checkpoint(t, process)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        until = time.monotonic() + PATIENCE
        while True:  # the ranks end when they find that mpirun has
            run = solve(t, after, arguments + ' -o shared.dat')
            if 'another run uses' not in run.err or time.monotonic() > until:
                break
            time.sleep(0.1)
        run.expect(0, '', '')
        check((t.dir / 'shared.dat').read_bytes() == alone, f'{before} ranks, then {after}: other bytes')
        check(not (t.dir / 'saved').exists(), 'the checkpoint has not been removed')


def test_mpi_saves_together(t):
    """If one rank cannot save its part, all print a warning, keep the last checkpoint and continue"""
    t.run('neutreeko-solve --board 6x5 -o alone.dat --quiet', env=MPI, patience=PATIENCE).expect(0)
    arguments = '--board 6x5 --checkpoint saved --checkpoint-every 0'
    for ply in range(0, 100, 4):  # the last of 3 slices belongs to the last rank
        (t.dir / f'saved/slice-00002.ply-{ply:03}').mkdir(parents=True)
    in_the_way = sorted((t.dir / 'saved').iterdir())
    run = solve(t, 2, f'{arguments} -o t.dat').expect(0)
    for message in 'saved/slice-00002.ply-000 is a directory', 'another process could not save its part':
        run.check(f'neutreeko-solve: no checkpoint saved: {message}' in run.err, f'missing message: {message}')
    check((t.dir / 't.dat').read_bytes() == (t.dir / 'alone.dat').read_bytes(), 'other bytes')
    equal(sorted((t.dir / 'saved').iterdir()), in_the_way, 'what is left of the checkpoint')
    (t.dir / 't.dat').unlink()
    run = solve(t, 2, f'{arguments} -o missing/t.dat')  # this leaves the last checkpoint
    run.check(run.code != 0, 'wrote into a missing directory')
    slices = {path.name: path.read_bytes() for path in (t.dir / 'saved').glob('slice-*') if path.is_file()}
    equal(len(slices), 3, f'slices of one checkpoint: {sorted(slices)}')
    last = max(slices)
    check(int(last[-3:]) % 4 == 2, f'{last} cannot have been saved')
    t.write(f'saved/{last}', slices[last][:-1])
    run = solve(t, 2, f'{arguments} -o t.dat')
    for message in f'saved/{last}: damaged', 'another process could not load its part':
        run.check(run.code != 0 and f'neutreeko-solve: {message}' in run.err, f'missing message: {message}')
    equal(t.files(), ['alone.dat', 'saved'], 'files')
    t.write(f'saved/{last}', slices[last])
    run = solve(t, 2, f'{arguments} -o t.dat').expect(0, err=f'resuming after ply {int(last[-3:])} from saved')
    check((t.dir / 't.dat').read_bytes() == (t.dir / 'alone.dat').read_bytes(), 'other bytes')


def test_mpi_fails_together(t):
    """If one rank cannot continue, all end with an error message"""
    run = solve(t, 3, '--board 7x5 --no-traps -o missing/t.dat')
    run.check(run.code != 0 and 'neutreeko-solve: cannot create missing/t.dat' in run.err, 'no message')
    run = solve(t, 2, '--board 7x7 --pieces 4 --memory 100M -o t.dat')
    run.check(run.code != 0 and 'MiB of memory in each rank, but 100 MiB is what --memory' in run.err, 'no message')
    run = solve(t, 2, '--board 7x7 --pieces 5 -o t.dat')  # each rank reports its own free memory
    run.check(run.code != 0 and 'MiB of memory in each rank, but ' in run.err, 'no message')
    equal(t.files(), [], 'files')


def test_mpi_rejects_different_arguments(t):
    """Ranks with different arguments end at once, with one error message"""
    def start(first, second):
        line = f'exec mpirun -n 1 neutreeko-solve {first} : -n 1 neutreeko-solve {second}'
        return t.run(line, env=MPI, patience=PATIENCE)
    board = '--board 6x6 --quiet -o t.dat'
    cases = (('--board 7x6', '--board'), ('--pieces 4', '--pieces'), ('--row 2', '--row'),
             ('--win diagonal', '--win'), ('--no-traps', '--no-traps'), ('--memory 1G', '--memory'),
             ('--checkpoint saved', '--checkpoint'), ('--checkpoint-every 7', '--checkpoint-every'),
             ('--help', 'arguments'), ('--nonsense', 'arguments'), ('--row 9', 'arguments'))
    for number, (more, named) in enumerate(cases):
        arguments = [board, f'{board} {more}']
        run = start(*(arguments if number % 2 else reversed(arguments))).expect(2)
        message = f'neutreeko-solve: the ranks were started with different {named}: '
        run.check(run.err.count(message) == 1, f'not exactly once: {message}')
    start(board, '--check "$TABLE"').expect(2, '', 'started with different --check: ')
    equal(t.files(), [], 'files')
    start(board, f'{board} --threads 2 --json --verify').expect(0, '', '')


def rank_of(t, rank):
    """The process of a rank that start_ranks has started."""
    return int((t.dir / f'pid-{rank}').read_text())


def start_ranks(t, ranks, arguments, **options):
    """Starts ranks that leave their process numbers in files."""
    return t.start(f"exec mpirun -n {ranks} sh -c 'echo $$ >pid-$OMPI_COMM_WORLD_RANK; exec neutreeko-solve "
                   f"{arguments}'", MPI, **options)


def test_mpi_rejects_different_checkpoints(t):
    """Ranks that find different checkpoints under one name do not start"""
    for directory in 'a', 'b':
        (t.dir / directory).mkdir()
    arguments = '--board 7x7 --no-traps --quiet --checkpoint saved --checkpoint-every 0 -o t.dat'
    process = start_ranks(t, 1, arguments)
    wait_for_checkpoint(t, process)
    os.kill(rank_of(t, 0), signal.SIGKILL)
    process.wait()
    (t.dir / 'saved').rename(t.dir / 'b/saved')
    for first, second in ('a', 'b'), ('b', 'a'):
        run = t.run(f'exec mpirun -n 1 -wdir {first} neutreeko-solve {arguments} '
                    f': -n 1 -wdir {second} neutreeko-solve {arguments}', env=MPI, patience=PATIENCE)
        run.expect(1, '', 'neutreeko-solve: the ranks find different checkpoints in saved: ')
    check((t.dir / 'b/saved/state').exists(), 'the checkpoint is gone')


def test_mpi_loses_a_rank(t):
    """If one rank is killed the others end and print what was saved, and a run resumes from there"""
    game = '--board 7x7 --no-traps --quiet -o t.dat'
    arguments = f'{game} --checkpoint saved --checkpoint-every 0'
    t.run(f'neutreeko-solve {game}', env=MPI, patience=PATIENCE).expect(0)
    alone = (t.dir / 't.dat').read_bytes()
    for victim in 0, 2:
        (t.dir / 't.dat').unlink(missing_ok=True)
        process = start_ranks(t, 3, arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_for_checkpoint(t, process)
        time.sleep(0.1)  # until the ranks agree that it has been saved
        os.kill(rank_of(t, victim), signal.SIGKILL)
        _, err = process.communicate(timeout=PATIENCE)
        check(process.returncode != 0, 'exit status 0')
        lines = re.findall(r'neutreeko-solve: rank (\d) was terminated, as all ranks are when one has died; '
                          r'saved contains a checkpoint up to ply (\d+): the same command resumes there\n', err.decode())
        equal(sorted(rank for rank, _ in lines), [str(rank) for rank in range(3) if rank != victim],
              f'ranks that printed it: {err}')
        run = solve(t, 2, arguments.replace('--quiet', '').replace('-every 0', '-every 1000')).expect(0)
        ply = int(re.search(r'resuming after ply (\d+) from saved', run.err)[1])
        check(all(ply - int(last) in (0, 2) for _, last in lines), f'{lines}, but it resumed after {ply}')
        check((t.dir / 't.dat').read_bytes() == alone, 'other bytes')


if __name__ == '__main__':
    sys.exit(0 if cli_harness.main([sys.modules[__name__]], __doc__) else 1)
