"""neutreeko-solve --check --checkpoint: interrupted and resumed, and rejected if it cannot be resumed."""

import json
import signal
import subprocess
import time

import pytest

BOARD = '--board 6x6'
CHECK = 'neutreeko-solve --check t.dat --memory 8M --checkpoint saved --json'


def totals(run):
    return {key: value for key, value in json.loads(run.out).items() if 'seconds' not in key}


@pytest.mark.thorough
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


def test_interrupted(t):
    """A run that cannot write ends with a message and can be resumed, but not for another table, or one that has changed."""
    good = t.solve('t.dat', BOARD)
    t.run('ulimit -f 1800; ' + CHECK + ' --threads 1').expect(1, '', 'neutreeko-solve: cannot write saved/verify.0: File too large')
    state = t.read('saved/verify-state')
    t.solve('t.dat', BOARD + ' --no-traps')
    for table in 't.dat', t.table:
        t.run(f'neutreeko-solve --check {table} --checkpoint saved').expect(
            1, '', 'saved/verify-state: the verification of another table')
    assert t.read('saved/verify-state') == state
    t.write('t.dat', good)
    assert totals(t.run(CHECK).expect(0, err=''))['board'] == '6x6' and t.files() == ['t.dat']


def test_little_memory(t):
    """A message states how much memory is needed at least."""
    t.run(f'neutreeko-solve --check {t.table} --memory 1M').expect(1, '', 'MiB of memory, but 1 MiB are allowed')
