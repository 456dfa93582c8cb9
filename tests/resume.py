"""neutreeko-solve --checkpoint: killed and resumed, and rejected if it cannot be resumed.

usage: resume.py NEUTREEKO-SOLVE NEUTREEKO [PART OF A TEST'S NAME...]

Environment: KILLS is the number of kills at random moments (default: 5), BOARD the board (default: 6x6)."""

import os
import shutil
import signal
import subprocess
import sys
import time

import cli_harness
from cli_harness import check, equal

SIZE = os.environ.get('BOARD', '6x6')
BOARD = f'--board {SIZE} --checkpoint saved --checkpoint-every {{}} -o t.dat'


def solve(t, every=1000, more=''):
    return t.run(f'neutreeko-solve {BOARD.format(every)} {more}', patience=600)


def kill(t, seconds, every):
    """Starts a run and kills it after this many seconds. Returns whether it was still running."""
    process = t.start(f'exec neutreeko-solve --quiet {BOARD.format(every)}')
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return True
    return False


def interrupt(t):
    """Leaves a checkpoint and no table."""
    process = t.start(f'exec neutreeko-solve --quiet {BOARD.format(0)}')
    until = time.monotonic() + cli_harness.PATIENCE
    while not (t.dir / 'saved/state').exists():
        check(process.poll() is None, 'the run ended before it saved a checkpoint')
        check(time.monotonic() < until, 'no checkpoint has been saved')
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    equal(t.files(), ['saved'], 'files of an interrupted run')


def contents(t):
    """The files of the checkpoint, without unfinished files of a killed run."""
    return {path.name: path.read_bytes() for path in (t.dir / 'saved').glob('[!.]*')}


def test_resume_after_kills(t):
    """A run killed at any moment resumes from its checkpoint and writes the same bytes"""
    begin = time.monotonic()
    solve(t, 0).expect(0, err='')
    whole = time.monotonic() - begin
    expected = (t.dir / 't.dat').read_bytes()
    kills = 0
    while kills < int(os.environ.get('KILLS', '5')):
        (t.dir / 't.dat').unlink()
        # Now and then a run is killed more than once.
        killed = kill(t, t.random.uniform(0, whole), t.random.choice([0, 0, 1]))
        kills += killed
        if killed and t.random.random() < 0.3:
            kills += kill(t, t.random.uniform(0, whole), 0)
        solve(t).expect(0)
        check((t.dir / 't.dat').read_bytes() == expected, 'the table differs from that of an uninterrupted run')
        check(not (t.dir / 'saved').exists(), 'the checkpoint has not been removed')
        for left in t.dir.glob('.new-*'):  # the table, if the run was killed while it was written
            left.unlink()
        equal(t.files(), ['t.dat'], 'files')


def test_resume_reports_the_ply(t):
    """It prints the ply from which it resumes, except with --quiet"""
    interrupt(t)
    solve(t).expect(0, 'file ', 'neutreeko-solve: resuming after ply ')
    (t.dir / 't.dat').unlink()
    interrupt(t)
    solve(t, more='--quiet').expect(0, '', '')


def test_resume_rejects_another_game(t):
    """A checkpoint of another game is rejected, and nothing is written"""
    interrupt(t)
    before = contents(t)
    for game in '--board 7x5', f'--board {SIZE} --pieces 2', f'--board {SIZE} --row 2', f'--board {SIZE} --win diagonal':
        t.run(f'neutreeko-solve {game} --checkpoint saved -o other.dat').expect(
            1, '', 'neutreeko-solve: saved: a checkpoint of another game: '
                   f'--board {SIZE} --pieces 3 --row 3 --win line: finish that analysis, or name another directory')
    equal(t.files(), ['saved'], 'files')
    check(contents(t) == before, 'the checkpoint has changed')


def test_resume_rejects_damage(t):
    """A damaged checkpoint is rejected, and nothing is written"""
    interrupt(t)
    saved = contents(t)
    for name, good in saved.items():
        for place in 0, len(good) // 2, len(good) - 1:
            bad = bytearray(good)
            bad[place] ^= 0x10
            t.write(f'saved/{name}', bytes(bad))
            solve(t).expect(1, '', f'neutreeko-solve: saved/{name}: damaged')
        t.write(f'saved/{name}', good[:-1])
        solve(t).expect(1, '', f'neutreeko-solve: saved/{name}: damaged')
        t.write(f'saved/{name}', good)
    equal(t.files(), ['saved'], 'files')
    check(contents(t) == saved, 'the checkpoint has changed')
    solve(t).expect(0)


def test_resume_continues_without_checkpoints(t):
    """If no checkpoint can be saved, the run prints a warning and continues"""
    process = t.start(f'exec neutreeko-solve {BOARD.format(0)}', stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until = time.monotonic() + cli_harness.PATIENCE
    saved = t.dir / 'saved'
    while not any(saved.glob('*')) and time.monotonic() < until:
        time.sleep(0.001)
    while saved.exists() and time.monotonic() < until:  # the run can create files there meanwhile
        shutil.rmtree(saved, ignore_errors=True)
    out, err = process.communicate(timeout=600)
    equal(process.returncode, 0, f'exit status; stderr: {err}')
    check(b'neutreeko-solve: no checkpoint saved: cannot ' in err and b'; continuing\n' in err, f'stderr: {err}')
    equal(t.files(), ['t.dat'], 'files')
    solve(t).expect(0)


def test_resume_continues_at_the_file_size_limit(t):
    """A checkpoint above the file size limit is not saved, and the run continues"""
    t.run('ulimit -f 4; neutreeko-solve --quiet --board 5x5 --pieces 2 --checkpoint saved --checkpoint-every 0 '
          '-o t.dat').expect(0, '', ['no checkpoint saved: cannot write saved/', 'File too large; continuing'])
    equal(t.files(), ['t.dat'], 'files')


def test_resume_keeps_the_directory(t):
    """An empty directory that existed before stays, also after a kill"""
    saved = t.dir / 'saved'
    saved.mkdir()
    solve(t, 0).expect(0)
    equal(list(saved.iterdir()), [], 'files of the checkpoint')
    (t.dir / 't.dat').unlink()
    interrupt(t)
    solve(t).expect(0)
    equal(list(saved.iterdir()), [], 'files of the checkpoint')


def test_resume_during_writes(t):
    """Another process that writes into the directory keeps its table"""
    (t.dir / 'saved').mkdir()
    for _ in range(4):
        other = t.start('exec neutreeko-solve --quiet --board 7x5 -o saved/other.dat')
        while other.poll() is None:
            t.run('neutreeko-solve --quiet --board 5x5 --checkpoint saved --checkpoint-every 0 -o t.dat').expect(0)
        equal(other.returncode, 0, 'exit status of the other process')
        equal(os.listdir(t.dir / 'saved'), ['other.dat'], 'files in the directory')
        (t.dir / 'saved/other.dat').unlink()


def test_resume_after_signals(t):
    """A run that a signal ends while several threads save leaves no unfinished files"""
    saved = t.dir / 'saved'
    command = 'exec neutreeko-solve --quiet --board 7x5 --threads 4 --checkpoint saved --checkpoint-every 0 -o t.dat'
    caught = 0
    for _ in range(2 * int(os.environ.get('KILLS', '5'))):
        process = t.start(command)
        while process.poll() is None and not any(saved.glob('.new-*')):
            pass
        number = t.random.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
        process.send_signal(number)
        code = process.wait()
        check(code in (0, -number), f'exit status {code} after signal {number}')
        caught += code != 0
        equal([str(path) for path in t.dir.rglob('.new-*')], [], 'unfinished files')
    check(caught, 'no signal came before the end')
    t.run(command).expect(0)
    equal(t.files(), ['t.dat'], 'files')


def test_resume_usage(t):
    """A path that cannot be a checkpoint is rejected with an error message"""
    t.write('file', b'')
    t.run('neutreeko-solve --checkpoint file -o t.dat').expect(1, '', 'file: Not a directory')
    t.run('neutreeko-solve --checkpoint a/b -o t.dat').expect(1, '', 'cannot create the directory a/b: No such file')
    t.run('neutreeko-solve --checkpoint-every -1 --checkpoint c').expect(2, '', 'expected a number from 0 to 1000000')
    t.run('neutreeko-solve --check "$TABLE" --checkpoint c').expect(2, '', '--check cannot be combined with --checkpoint')
    equal(t.files(), ['file'], 'files')


if __name__ == '__main__':
    sys.exit(0 if cli_harness.main([sys.modules[__name__]], __doc__) else 1)
