"""neutreeko-solve --check --checkpoint: killed and resumed, and rejected if it cannot be resumed."""

import json
import os
import signal
import subprocess
import time

BOARD = '--board 6x6'
CHECK = 'neutreeko-solve --check t.dat --memory 8M --checkpoint saved --json'


def totals(run):
    return {key: value for key, value in json.loads(run.out).items() if 'seconds' not in key}


def interrupt(t):
    """Leaves the state of a verification, because its file must not grow."""
    t.run('ulimit -f 1800; ' + CHECK + ' --threads 1').expect(1, '', 'neutreeko-solve: cannot write saved/verify.0: File too large')
    assert 'verify-state' in os.listdir(t.dir / 'saved')


def test_killed(t):
    """A run killed at any moment resumes and finds the same totals."""
    t.solve('t.dat', BOARD)
    begin = time.monotonic()
    expected = totals(t.run(CHECK).expect(0, err=''))
    duration = time.monotonic() - begin
    killed = 0
    while killed < 4:
        for _ in range(t.random.choice([1, 1, 2])):
            process = t.start(f'exec {CHECK} --quiet', stdout=subprocess.DEVNULL)
            time.sleep(t.random.uniform(0, duration))
            process.kill()
            killed += process.wait() == -signal.SIGKILL
        assert totals(t.run(CHECK).expect(0, err='')) == expected
        assert t.files() == ['t.dat']


def test_full_disk(t):
    """A run that cannot write ends with a message and can be resumed."""
    t.solve('t.dat', BOARD)
    interrupt(t)
    t.run(CHECK).expect(0, err='')
    assert t.files() == ['t.dat']


def test_another_table(t):
    """The state of another table, or of one that has changed, is rejected and stays."""
    good = t.solve('t.dat', BOARD)
    interrupt(t)
    before = (t.dir / 'saved/verify-state').read_bytes()
    t.solve('t.dat', BOARD + ' --no-traps')
    t.run(CHECK).expect(1, '', 'saved/verify-state: the verification of another table')
    t.run(f'neutreeko-solve --check {t.table} --checkpoint saved').expect(1, '', 'the verification of another table')
    assert (t.dir / 'saved/verify-state').read_bytes() == before
    t.write('t.dat', good)
    t.run(CHECK).expect(0, err='')


def test_little_memory(t):
    """A message states how much memory is needed at least."""
    t.solve('t.dat', BOARD)
    t.run('neutreeko-solve --check t.dat --memory 1M').expect(1, '', 'MiB of memory, but 1 MiB are allowed')
