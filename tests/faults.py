"""Every allocation and every operation on files fails once: a clean error, no crash, no hang, no damaged file.

usage: faults.py NEUTREEKO-SOLVE NEUTREEKO FAULTS-LIBRARY LIBRARY-PROGRAM [PART OF A TEST'S NAME...]

A command is run with its first allocation (or write, read, ...) made to fail, then with its second, and so on until it
asks for fewer. Whenever it ends with exit status 0, what it printed and wrote must be the same as without the fault;
otherwise the status must be 1, with words on standard error, and what was there before must be there still. Of what
the C library does within itself only the allocations can be made to fail; see faults/faults.c."""

import errno
import json
import os
import re
import shlex
import shutil
import signal
import sys

import cli_harness
from cli_harness import check, equal

LIBRARY, PROGRAM = map(os.path.abspath, (sys.argv.pop(3), sys.argv.pop(3))) if len(sys.argv) > 4 else ('', '')
OLD = b'what was there before\n'
MOST = 20000  # allocations of one command; more must be a fault of this test
# How each kind of operation fails: with an error once, with one from then on, or by doing half of it.
EVERY_ERROR = {'open': [errno.EIO, errno.EMFILE], 'read': [errno.EIO], 'write': [errno.EIO, errno.ENOSPC],
               'fsync': [errno.EIO], 'rename': [errno.EIO, errno.ENOSPC], 'close': [errno.EIO]}


def environment(t, kind, number, how):
    code = errno.ENOSPC if kind == 'write' else errno.EIO
    return {'LD_PRELOAD': LIBRARY, 'FAULT': kind, 'FAULT_NUMBER': str(number), 'FAULT_HOW': str(how),
            'FAULT_ERRNO': str(code), 'FAULT_MARK': str(t.dir.parent / f'{t.dir.name}.mark')}


def without_times(text):
    return re.sub(rb'(in  +|in all +|seconds": )[0-9.]+', b'', text)


def contents(t):
    return {str(path.relative_to(t.dir)): path.read_bytes() for path in t.dir.rglob('*') if path.is_file()}


def fresh(t, files):
    shutil.rmtree(t.dir)
    t.dir.mkdir()
    for name, content in files.items():
        t.write(name, content)


def each(t, kind, how, command, input=b'', files=None, kept=(), success=0, confession=None):
    """Has the operations of the kind fail one after the other. `kept`: what may stay when the command fails, and must
    not keep the command from succeeding afterwards. `confession`: what a program that goes on prints instead of an
    answer. Returns how many operations there were, and how many of them the command cannot do without."""
    command = shlex.split(command.replace('TABLE', str(t.table)))  # no shell, which would fail as well
    mark = t.dir.parent / f'{t.dir.name}.mark'
    files = files or {}
    fresh(t, files)
    good = t.run(command, input=input).expect(success)
    after = contents(t)
    failures = 0
    for number in range(1, MOST):
        fresh(t, files)
        mark.unlink(missing_ok=True)
        outcome = t.run(command, input=input, env=environment(t, kind, number, how))
        if not mark.exists():
            outcome.expect(success)
            return number - 1, failures
        where = f'{kind} number {number} ({how}): '
        outcome.check(outcome.code in (success, 1), where + 'neither success nor failure')
        if how in ('short', errno.EINTR):
            outcome.check(outcome.code == success, where + 'must be borne')
        same = without_times(outcome.out_bytes) == without_times(good.out_bytes)
        if confession and confession in outcome.out_bytes and outcome.code == success:
            failures += 1
        elif outcome.code == success and (success == 0 or same):
            outcome.check(same, where + 'other output than without')
            left = {name: content for name, content in contents(t).items() if name.split('/')[0] not in kept}
            check(left == after, f'{where}other files than without: {sorted(left)}')
        else:
            failures += 1
            outcome.check(outcome.err.strip() != '', where + 'no word of what is wrong')
            left = contents(t)
            wrong = [name for name in left if name.split('/')[0] not in kept and
                     left[name] not in (files.get(name), after.get(name))]
            outcome.check(not wrong, f'{where}left behind or damaged: {wrong}')
            gone = [name for name in files if name.split('/')[0] not in kept and name not in left]
            outcome.check(not gone, f'{where}gone: {gone}')
        if kept and any(name in os.listdir(t.dir) for name in kept):
            t.run(command, input=input).expect(success)
            equal(contents(t), after, where + 'files after doing it again')
    raise AssertionError(f'more than {MOST} operations')


def each_signal(t, number, command, input=b'', files=None, ignored=False):
    """Has the process get a signal before each operation on files. It ends by that signal and leaves nothing next to
    the old files or the new ones; where it ignores the signal nothing comes of it."""
    mark = t.dir.parent / f'{t.dir.name}.mark'
    files = files or {}
    command = shlex.split(command.replace('TABLE', str(t.table)))
    prefix = ['sh', '-c', f'trap "" {number}; exec "$@"', 'sh'] if ignored else []
    fresh(t, files)
    t.run(command, input=input).expect(0)
    after = contents(t)
    count = 0
    for kind in EVERY_ERROR:
        for at in range(1, MOST):
            fresh(t, files)
            mark.unlink(missing_ok=True)
            # Not the shell, which reads and writes as well.
            preload = [f'{name}={value}' for name, value in environment(t, kind, at, 'signal').items()]
            outcome = t.run(prefix + ['env', *preload, f'FAULT_SIGNAL={number}'] + command, input=input)
            if not mark.exists():
                break
            count += 1
            where = f'signal {number} before {kind} number {at}: '
            outcome.check(outcome.code == (0 if ignored else -number), where + 'another end')
            left = contents(t)
            outcome.check(not ignored or left == after, where + f'other files than without: {sorted(left)}')
            wrong = [name for name in left if '/.new-' in f'/{name}' or
                     (not name.startswith('saved/') and left[name] not in (files.get(name), after.get(name)))]
            outcome.check(not wrong, where + f'left behind or damaged: {wrong}')
            outcome.check(set(files) <= set(left), where + f'gone: {set(files) - set(left)}')
    check(count, 'no operation at all')
    print(f'# {command}: {count} signals {number}')


def every_allocation(t, command, **more):
    counts = [each(t, 'alloc', how, command, **more) for how in (errno.ENOMEM, 'on')]
    check(all(failures for _, failures in counts), 'no allocation was needed')
    print(f'# {command}: {counts[0][0]} allocations, {counts[0][1]} of them needed')


def every_operation(t, command, kinds=tuple(EVERY_ERROR), **more):
    counts = {}
    for kind in kinds:
        hows = EVERY_ERROR[kind] + ['on'] + (['short', errno.EINTR] if kind in ('read', 'write') else [])
        for how in hows:
            counts[kind] = each(t, kind, how, command, **more)[0]
    print(f'# {command}: {counts}')


SOLVE = 'neutreeko-solve --board 3x4 --row 2 --threads 2 -o t.dat'
GAME = b'start 1w1w1/2b2/5/2w2/1b1b1 b\n1. b1-c1 b5-c5\n2. c4-a2 resign\n'
STANDARD = '--table TABLE'


def test_library(t):
    """The library's calls: each allocation fails, none is kept"""
    t.run([PROGRAM, str(t.dir), '--interrupt']).expect(0)
    # Thousands of calls in one program, which take minutes where coverage is counted.
    outcome = t.run([PROGRAM, str(t.dir)], patience=600).expect(0)
    for line in outcome.out.splitlines():
        print(f'# {line}')
    left = sorted(name for name in contents(t) if name.split('/')[0] != 'saved')
    equal(left, ['large.dat', 'library.dat', 'link', 'long.dat', 'written.dat'], 'files')


def test_library_notices(t):
    """A block that is kept after a failure is noticed"""
    t.run([PROGRAM, str(t.dir), '--plant']).expect(1, 'not ok 1 - a leak')


def test_solve_allocations(t):
    """neutreeko-solve --verify: each allocation fails"""
    every_allocation(t, SOLVE + ' --verify', files={'t.dat': OLD})


def test_solve_json_allocations(t):
    """neutreeko-solve --json --no-traps: each allocation fails"""
    every_allocation(t, SOLVE + ' --no-traps --json')


def test_solve_checkpoint_allocations(t):
    """neutreeko-solve --checkpoint: each allocation fails"""
    every_allocation(t, SOLVE + ' --checkpoint saved --checkpoint-every 0', files={'t.dat': OLD}, kept=['saved'])


def test_solve_files(t):
    """neutreeko-solve --verify: each operation on files fails"""
    every_operation(t, SOLVE + ' --verify', files={'t.dat': OLD})
    for kind in 'fsync', 'rename', 'write':
        fresh(t, {'t.dat': OLD})
        t.run(shlex.split(SOLVE), env=environment(t, kind, 1, errno.EIO)).expect(1, '', 'neutreeko-solve: ')
        equal(contents(t), {'t.dat': OLD}, f'files after the first {kind} has failed')


def test_solve_checkpoint_files(t):
    """neutreeko-solve --checkpoint: each operation on files fails"""
    every_operation(t, SOLVE + ' --checkpoint saved --checkpoint-every 0', files={'t.dat': OLD}, kept=['saved'])


def test_solve_signals(t):
    """neutreeko-solve: a signal before each operation on files leaves nothing behind"""
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        each_signal(t, int(number), SOLVE, files={'t.dat': OLD})
    each_signal(t, int(signal.SIGHUP), SOLVE, files={'t.dat': OLD}, ignored=True)
    each_signal(t, int(signal.SIGTERM), SOLVE + ' --checkpoint saved --checkpoint-every 0', files={'t.dat': OLD})


def test_play_signals(t):
    """neutreeko play: a signal before each operation on files leaves nothing behind"""
    talk = b'save game.txt\nquit\n'
    command = f'neutreeko play --seed 1 {STANDARD}'
    fresh(t, {})
    t.run(command.replace('TABLE', str(t.table)), input=talk).expect(0)
    old = contents(t)['game.txt'] + b'# before\n'
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        each_signal(t, int(number), command, input=talk, files={'game.txt': old})


def test_play_signals_at_a_terminal(t):
    """neutreeko play at a terminal: a signal while a game is saved leaves nothing behind"""
    for number, code in (signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 130):
        fresh(t, {})
        master, slave = os.openpty()
        signalled = {**environment(t, 'fsync', 1, 'signal'), 'FAULT_SIGNAL': str(int(number)), 'TERM': 'dumb'}
        process = t.start(['neutreeko', 'play', '--table', str(t.table)], signalled, stdin=slave, stdout=slave,
                          stderr=slave)
        os.close(slave)
        os.write(master, b'save game.txt\n')
        cli_harness.read_terminal(master, cli_harness.PATIENCE)
        equal(process.wait(), code, 'exit status')
        os.close(master)
        equal(t.files(), [], 'files')


def test_solve_into_a_pipe(t):
    """neutreeko-solve writing into a pipe: each operation on files fails"""
    every_operation(t, SOLVE.replace('t.dat', '/proc/self/fd/1') + ' --quiet')


def test_resume(t):
    """neutreeko-solve going on from a checkpoint: everything fails in turn"""
    command = SOLVE + ' --checkpoint saved --checkpoint-every 0 --quiet'
    # A run that cannot write its table leaves its checkpoint.
    t.run(command.replace('t.dat', 'nowhere/t.dat')).expect(1)
    saved = contents(t)
    check('saved/state' in saved, 'no checkpoint')
    every_allocation(t, command, files=saved, kept=['saved'])
    every_operation(t, command, files=saved, kept=['saved'])


def test_clock(t):
    """Times are right while the time of day goes backwards"""
    for command in SOLVE + ' --json', 'neutreeko-solve --check t.dat --json', \
            f'neutreeko match perfect random --games 2 --json {STANDARD}':
        run = t.run(shlex.split(command.replace('TABLE', str(t.table))), env=environment(t, 'clock', 1, 0)).expect(0)
        seconds = {key: value for key, value in json.loads(run.out).items() if 'seconds' in key and value is not None}
        run.check(seconds and all(0 <= value < 60 for value in seconds.values()), f'impossible times {seconds}')


def test_check(t):
    """neutreeko-solve --check: everything fails in turn"""
    t.run('neutreeko-solve --quiet --board 3x4 --row 2 -o small.dat').expect(0)
    files = contents(t)
    every_allocation(t, 'neutreeko-solve --check small.dat --json', files=files)
    every_operation(t, 'neutreeko-solve --check small.dat', files=files)


def test_query(t):
    """neutreeko query: everything fails in turn"""
    text = b'1w1w1/2b2/5/2w2/1b1b1 b\nnonsense\n\xff\n1w1w1/2b2/5/2w2/1b1b1 w\n'
    every_allocation(t, f'neutreeko query {STANDARD}')
    every_allocation(t, f'neutreeko query --json {STANDARD} -', input=text, success=1)
    every_operation(t, f'neutreeko query {STANDARD}')
    every_operation(t, f'neutreeko query {STANDARD} -', input=text, success=2)


def test_query_looks_for_a_table(t):
    """neutreeko query looking for its table: each allocation fails"""
    place = t.write('.local/share/neutreeko/perfect_move.dat', t.table.read_bytes())
    every_allocation(t, 'neutreeko query', files={str(place.relative_to(t.dir)): t.table.read_bytes()})


def test_play(t):
    """neutreeko play: everything fails in turn, a saved game stays whole"""
    talk = b'hint\nb1-c1\nundo\nredo\nhelp\nmoves\nsave game.txt\nquit\n'
    command = ['neutreeko', 'play', '--white', 'level:3', '--seed', '1', '--table', str(t.table)]
    fresh(t, {})
    t.run(command, input=talk).expect(0)
    old = contents(t)['game.txt'][:-1] + b' before\n'
    # A game that cannot be saved is said to be so, and the person goes on playing: success with other output.
    for kind, how in [('alloc', errno.ENOMEM), ('alloc', 'on'), ('write', errno.ENOSPC), ('fsync', errno.EIO),
                      ('rename', errno.EIO), ('open', errno.EIO), ('read', errno.EIO), ('read', 'short')]:
        mark = t.dir.parent / f'{t.dir.name}.mark'
        for number in range(1, MOST):
            fresh(t, {'game.txt': old})
            mark.unlink(missing_ok=True)
            outcome = t.run(command, input=talk, env=environment(t, kind, number, how))
            if not mark.exists():
                break
            where = f'{kind} number {number} ({how}): '
            left = contents(t)
            equal(sorted(left), ['game.txt'], where + 'files')
            outcome.check(outcome.code in (0, 1), where + 'neither success nor failure')
            outcome.check(outcome.code == 0 or outcome.err.strip() != '', where + 'no word of what is wrong')
            saved = 'Saved as game.txt' in outcome.out
            whole = b'before' not in left['game.txt'] and left['game.txt'].endswith(b'\n')
            outcome.check(whole if saved else left['game.txt'] == old or whole, where + 'a damaged game')
            outcome.check(outcome.code or saved or 'Not saved' in outcome.out + outcome.err, where + 'no word of saving')
        print(f'# play: {kind} ({how}): {number - 1}')


def test_match(t):
    """neutreeko match: everything fails in turn"""
    command = f'neutreeko match perfect level:2 --games 4 --threads 2 --seed 3 --json {STANDARD}'
    every_allocation(t, command)
    every_operation(t, command, kinds=['open', 'read', 'write', 'close'])


def test_review(t):
    """neutreeko review: everything fails in turn"""
    for form in '', '--json':
        every_allocation(t, f'neutreeko review {form} {STANDARD} game.txt', files={'game.txt': GAME})
    every_operation(t, f'neutreeko review {STANDARD} game.txt', kinds=['open', 'read', 'write', 'close'],
                    files={'game.txt': GAME})


def test_puzzle(t):
    """neutreeko puzzle: everything fails in turn"""
    t.run('neutreeko-solve --quiet --board 4x4 -o small.dat').expect(0)
    command = 'neutreeko puzzle --table small.dat --plies 5 --count 2 --seed 1'
    files = contents(t)
    every_allocation(t, command + ' --json', files=files)
    every_allocation(t, command, files=files)
    every_operation(t, command, kinds=['open', 'read', 'write', 'close'], files=files)


def test_engine(t):
    """neutreeko engine: everything fails in turn"""
    talk = b'hub\ninit\ngo think\npos moves="b1-c1 b5-c5"\ngo analyze\nquit\n'
    command, more = f'neutreeko engine --seed 1 {STANDARD}', {'input': talk, 'confession': b'error message='}
    every_allocation(t, command, **more)
    every_operation(t, command, kinds=['open', 'read', 'write'], **more)


def test_line(t):
    """neutreeko line: everything fails in turn"""
    position = "'1b3/5/b2bw/5/w2w1 b'"
    for form in '--seed 1', '--seed 1 --json':
        every_allocation(t, f'neutreeko line {form} {STANDARD} {position}')
    every_operation(t, f'neutreeko line --seed 1 {STANDARD} {position}', kinds=['open', 'read', 'write', 'close'])


if __name__ == '__main__':
    sys.exit(0 if cli_harness.main([sys.modules[__name__]], __doc__) else 1)
