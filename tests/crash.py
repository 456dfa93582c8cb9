"""neutreeko-solve killed at any moment, twice at once, and while others read: a table is whole, old or new.

usage: kills.py NEUTREEKO-SOLVE NEUTREEKO [PART OF A TEST'S NAME...]

KILLS in the environment says how many kills at random moments are tried (default 20)."""

import hashlib
import os
import signal
import subprocess
import sys
import time

import cli_harness
from cli_harness import check, equal

KILLS = int(os.environ.get('KILLS', '20'))
WRITE = 'neutreeko-solve --quiet --board {} -o t.dat'
# Two games whose tables differ; each takes long enough to be killed at any of its steps.
BOARDS = '5x5', '5x5 --row 2'


def digest(content):
    return hashlib.sha256(content).hexdigest()


def tables(t):
    """The whole tables, by board, and the seconds that the slowest takes."""
    found, slowest = {}, 0
    for board in BOARDS:
        begin = time.monotonic()
        t.run(WRITE.format(board)).expect(0, '', '')
        slowest = max(slowest, time.monotonic() - begin)
        found[board] = digest((t.dir / 't.dat').read_bytes())
    equal(len(set(found.values())), len(BOARDS), 'different tables')
    return found, slowest


def await_end(process, seconds):
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        pass


def test_killed(t):
    """A run killed at any moment leaves the old table whole or the new one"""
    whole, slowest = tables(t)
    kills = {'old': 0, 'new': 0}
    names = {digest: board for board, digest in whole.items()}
    old = BOARDS[-1]
    tries = 0
    while sum(kills.values()) < KILLS:
        tries += 1
        check(tries < 20 * KILLS + 100, f'the runs end too soon to be killed: {kills}')
        new = next(board for board in BOARDS if board != old)
        file = (t.dir / 't.dat').stat().st_ino
        process = t.start('exec ' + WRITE.format(new))
        # Most of the time goes into solving; of three kills one aims at any moment, one at the end, where the file is
        # written, and one at what comes after the file has got its name.
        if tries % 3:
            await_end(process, t.random.uniform(0 if tries % 3 == 1 else 0.7 * slowest, 1.1 * slowest))
        else:
            while (t.dir / 't.dat').stat().st_ino == file and process.poll() is None:
                pass
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        code = process.wait()
        check(code in (0, -signal.SIGKILL), f'exit status {code} of a run that was not killed')
        ended = code == 0
        now = names.get(digest((t.dir / 't.dat').read_bytes()))
        check(now in (old, new), f'after a kill the table is neither that of {old} nor that of {new}')
        check(not ended or now == new, 'a run that ended has not put its table in its place')
        if not ended:
            kills['new' if now == new else 'old'] += 1
        for left in t.dir.glob('.new-*'):
            left.unlink()
        equal(t.files(), ['t.dat'], 'files')
        old = now
    print(f'# {sum(kills.values())} kills: {kills["old"]} left the old table, {kills["new"]} the new one')
    check(all(kills.values()), 'no kill came before the new table had got its name, or none after')


def test_two_writers(t):
    """Two runs that write to one name leave one of their tables whole"""
    whole, _ = tables(t)
    for _ in range(max(3, KILLS // 4)):
        processes = [t.start('exec ' + WRITE.format(board)) for board in BOARDS]
        equal([process.wait(cli_harness.PATIENCE) for process in processes], [0, 0], 'exit status')
        check(digest((t.dir / 't.dat').read_bytes()) in whole.values(), 'the table is neither')
        equal(t.files(), ['t.dat'], 'files')


def test_readers(t):
    """Those who read while the table is being replaced get whole answers, old or new"""
    question = ['neutreeko', 'query', '--json', '--table', 't.dat', '1w1w1/2b2/5/2w2/1b1b1 b']
    answers = {}
    for board in BOARDS:
        t.run(WRITE.format(board)).expect(0)
        answers[t.run(question).expect(0, err='').out] = 0
    equal(len(answers), 2, 'different answers')
    # One reader that opens the table once goes on asking the one that it opened.
    opened = t.run(question).expect(0).out
    with t.converse(question[:-1] + ['-']) as reader:
        reader.ask(question[-1])
        writes = 0
        while writes < max(8, KILLS // 2):
            writer = t.start('exec ' + WRITE.format(BOARDS[writes % 2]))
            while writer.poll() is None:
                answer = t.run(question).expect(0, err='').out
                check(answer in answers, f'neither the old answer nor the new one: {answer}')
                answers[answer] += 1
                equal(reader.ask(question[-1]), opened, 'answer from the table that was opened')
            equal(writer.returncode, 0, 'exit status of the writer')
            writes += 1
    print(f'# {writes} tables written, {sorted(answers.values())} answers of each')
    check(all(answers.values()), 'the readers have seen one table only')


if __name__ == '__main__':
    sys.exit(0 if cli_harness.main([sys.modules[__name__]], __doc__) else 1)
