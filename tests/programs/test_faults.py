"""Every allocation and every operation on files fails once: a clean error, no crash, no leak, no damaged file.

A command is run with its first allocation (or write, read, ...) made to fail, then with its second, and so on; of those
to which the same calls lead, three are enough, and the quick run leaves out most of the later ones. Whenever it ends
with exit status 0, what it printed and wrote must be the same as without the fault; otherwise the status must be 1,
with a message on standard error, and what was there before must be there still. Of what the C library does within
itself only the allocations can be made to fail; see faults.c."""

import errno
import json
import os
import re
import shlex
import shutil
import signal
import time
from typing import NamedTuple

import pytest

from conftest import given
from table_reader import damaged

LIBRARY = given('FAULTS', 'build/tests/programs/libfaults.so')
pytestmark = pytest.mark.skipif(not LIBRARY.exists(), reason=f'there is no {LIBRARY}')
ONCE, ON, EVERY_OTHER = 10 ** 9, 1, 2
OLD = b'\x89NKT\r\n\x1a\nwhat was there before\n'  # a damaged table: what is not a table is not replaced
# How each kind of operation fails: with an error once, with one from then on, by doing half of it, or for a moment.
ERRORS = {
    'alloc': [errno.ENOMEM],
    'open': [errno.EIO, errno.EMFILE],
    'read': [errno.EIO],
    'write': [errno.ENOSPC],
    'fsync': [errno.EIO],
    'rename': [errno.EIO],
    'close': [errno.EIO],
}


def faulty(t, kind, number, every=ONCE, code=errno.EIO, number_of_signal=0):
    """The environment for a fault, see faults.c."""
    return {'LD_PRELOAD': str(LIBRARY), 'FAULT': f'{kind} {number} {every} {code} {int(number_of_signal)} {t.dir}.mark'}


def reported(t):
    """The numbers of the operations that failed, or are worth a fault, and how many blocks are left. Of the operations
    to which the same chain of calls within the program leads, as in a loop or in a library, the first two and the last
    are."""
    mark = t.dir.with_name(f'{t.dir.name}.mark')
    found = {'blocks': []}
    for what, number, chain in map(str.split, mark.read_text().splitlines() if mark.exists() else ()):
        found.setdefault(chain if what == 'fault' else what, []).append(int(number))
    mark.unlink(missing_ok=True)
    blocks = found.pop('blocks')
    return sorted({number for numbers in found.values() for number in (*numbers[:2], numbers[-1])}), blocks


class Command(NamedTuple):
    """A command line, what fails while it runs, and what is special about it."""
    line: str
    kinds: dict | list = ()  # of operations
    input: bytes = b''
    files: dict = {}  # that are there before
    table: str = ''  # a board: small.dat is its table, and bad.dat has damaged blocks
    reads_table: bool = False  # as its input
    kept: tuple = ()  # what may stay when it fails, and must not keep it from succeeding afterwards
    success: int = 0  # its exit status without a failure
    goes_on: tuple = ()  # what a program that continues prints instead of an answer
    threads: int = 0  # how many it starts only after a failure, for each of which the C library keeps a block


class Way(NamedTuple):
    """How operations fail: of this kind, one of them and each EVERYth after it, with this error or, for 0, by half."""
    kind: str
    every: int
    code: int


def run_faulty(t, command, fault):
    """Runs the command among fresh files; returns how it ended, and what is reported."""
    shutil.rmtree(t.dir)
    t.dir.mkdir()
    for name, content in command.files.items():
        t.write(name, content)
    return t.run(shlex.split(command.line), command.input, fault), *reported(t)


def without_times(text):
    return re.sub(rb'(in  +|in all +|seconds": )[0-9.]+(e-[0-9]+)?', b'', text)


def contents(t, kept=()):
    return {str(path.relative_to(t.dir)): path.read_bytes() for path in t.dir.rglob('*')
            if path.is_file() and path.relative_to(t.dir).parts[0] not in kept}


def expect_no_damage(t, command, after):
    """What was there before is there still, whole, or what a good run leaves; and nothing else."""
    now = contents(t, command.kept)
    for name, content in now.items():
        assert content in (command.files.get(name), after.get(name)), name
    assert not [name for name in command.files if name.split('/')[0] not in command.kept and name not in now]


ALL = 10 ** 9


def fewer(numbers, density):
    """The first `density` of them, then fewer and fewer; or all."""
    at = 0
    while at < len(numbers):
        yield numbers[at]
        at += 1 + at // density


def fail_in_turn(t, command, way, density):
    """Has the operations fail one after the other. Returns how many failed, and how many of them the command cannot do
    without."""
    good, numbers, (blocks,) = run_faulty(t, command, faulty(t, way.kind, 0))
    good.expect(command.success)
    after = contents(t, command.kept)
    is_harmless = way.every == EVERY_OTHER or way.code == 0
    # From then on: at some of the points; the first failure hides the others.
    numbers = numbers[:1] if is_harmless else list(fewer(numbers, density if way.every == ONCE else 1))
    failures = 0
    for number in numbers:
        outcome, _, left = run_faulty(t, command, faulty(t, way.kind, number, way.every, way.code))
        where = f'{way}, number {number}: {outcome}'
        assert left <= [blocks + command.threads], f'{left[0] - blocks} blocks are kept: {where}'
        is_usual = outcome.code == command.success
        if is_usual and (outcome.out == good.out or command.success == 0 and not command.goes_on):
            assert without_times(outcome.out_bytes) == without_times(good.out_bytes), where
            assert contents(t, command.kept) == after, where
        else:
            failures += 1
            continued = is_usual and any(text in outcome.out + outcome.err for text in command.goes_on)
            assert continued or (outcome.code == 1 and outcome.err.strip() and not is_harmless), where
            expect_no_damage(t, command, after)
        if any((t.dir / name).exists() for name in command.kept):
            spares_the_disk = {'LD_PRELOAD': str(LIBRARY)}
            t.run(shlex.split(command.line), command.input, spares_the_disk).expect(command.success)
            assert contents(t) == after, where
    return len(numbers), failures


SOLVE = 'neutreeko-solve --board 3x4 --row 2 --threads 2 --force -o t.dat'
SAVING = '--checkpoint saved --force -o t.dat'
CHECKPOINT = SOLVE + ' --checkpoint saved'
MATCH = 'neutreeko match perfect'
REPEATED = [  # positions occur twice, which changes values
    ('1bbw1/b4/3w1/5/w4 w', 'a1-e1 c5-e3 d5-e5 e3-c5 e5-d5 c5-e3'),
    ('1b1w1/5/4w/1b1b1/1w3 b', 'd2-c2 e3-e5 c2-e4 d5-c5 e4-c2 c5-d5 c2-e4 d5-c5')]
TALK = ('hub\ninit\ngo think\npos moves="b1-c1 b5-c5"\ngo analyze\n'
        + ''.join(f'pos pos="{position}" moves="{moves}"\ngo\n' for position, moves in REPEATED) + 'quit\n').encode()
ASKED = b'1w1w1/2b2/5/2w2/1b1b1 b\nnonsense\n\xff\n1w1w1/2b2/5/2w2/1b1b1 w\n'
LINE = "neutreeko query --line --seed 1 '5/b4/1w3/w1b2/b3w b'"
OLD_TABLE, GAME_TEXT = {'t.dat': OLD}, 'start {}\n{} resign\n'.format(*REPEATED[0]).encode()
SAVED = {'files': OLD_TABLE, 'kept': ('saved',)}
GAME, OLD_GAME = {'game.txt': GAME_TEXT}, {'game.txt': b'# Neutreeko\n'}
STUDY = {'game.txt': b'[White "Ada"]\n{a} 1. b1-c1! {b} (c4-a2 {c} b5-c5 (b5-a5?!)) b5-c5 $3 $9 c4-e2 *\n'}
TYPED = b'b1-c1\nundo\nredo\nreview\nmoves\nhistory\nsave --force game.txt\nload game.txt\nquit\n'
PICTURE = {'x.svg': b'<?xml version="1.0" encoding="UTF-8"?>\n'}
CSV = {'x.csv': b'position,to_move,result,plies,best_moves,trap,symmetric\n'}
SMALL, SQUARE = '--board 3x3', '--board 4x4'
FILES = ['alloc', 'open', 'read', 'write', 'close']
COMMANDS = {
    'solve': Command(f'{SOLVE} --verify', ERRORS, files=OLD_TABLE),
    'solve-json': Command(f'{SOLVE} --no-traps --json', ['alloc']),
    'solve-checkpoint': Command(CHECKPOINT, ERRORS, **SAVED),
    'resume': Command(f'{CHECKPOINT} --quiet', ERRORS, kept=('saved',)),
    'solve-pipe': Command(SOLVE.replace('t.dat', '/proc/self/fd/1') + ' --quiet', ['open', 'read', 'write', 'close']),
    'check': Command('neutreeko-solve --check small.dat --json', ERRORS, table=SMALL),
    'check-file': Command('neutreeko-solve --check small.dat --threads 1 --memory 300K', ERRORS,
                          table='--board 5x4 --no-traps'),
    'query': Command('neutreeko query', ERRORS),
    'query-input': Command('neutreeko query --table -', ERRORS, table=SMALL, reads_table=True),
    'query-lines': Command('neutreeko query -', ['read', 'write', 'close'], ASKED, success=1),
    'query-json': Command('neutreeko query --json -', ['alloc'], ASKED, success=1),
    'query-moves': Command('neutreeko query --table small.dat -', FILES, b'a1-b2\n', table=SMALL),
    'query-fair': Command('neutreeko query --table small.dat --seed 1 fair', FILES, table=SQUARE),
    'query-tree': Command('neutreeko query --table small.dat --tree 2', ['alloc', 'read'], table=SMALL),
    'query-damaged': Command('neutreeko query --table bad.dat', ['open', 'read'], table=SMALL, success=1),
    'picture': Command('neutreeko query --table small.dat --force --svg -o x.svg', ERRORS, files=PICTURE, table=SMALL),
    'match': Command(f'{MATCH} level:2 --count 2 --threads 2 --seed 3 --json --force --record -o game.txt',
                     ['alloc', 'write', 'fsync', 'rename'], files=OLD_GAME),
    'match-fair': Command(f'{MATCH} rules --table small.dat --start fair --count 2 --threads 1 --seed 1 --json', FILES,
                          table=SQUARE),
    'review': Command('neutreeko review game.txt', FILES, files=GAME),
    'review-record': Command('neutreeko review --record game.txt', ['alloc', 'read'], files=STUDY),
    'review-json': Command('neutreeko review --json game.txt game.txt', ['alloc', 'read'], files=GAME),
    'puzzle': Command('neutreeko puzzle --table small.dat --plies 3 --count 2 --seed 1', FILES, table=SQUARE),
    'puzzle-json': Command('neutreeko puzzle --table small.dat --plies 3 --seed 1 --json', ['alloc'], table=SQUARE),
    'engine': Command('neutreeko engine --seed 1', ['alloc', 'open', 'read', 'write'], TALK,
                      goes_on=('error message=',)),
    'export': Command('neutreeko export --table small.dat -o x.csv --force', ERRORS, files=CSV, table=SMALL),
    'export-damaged': Command('neutreeko export --table bad.dat -o x.csv', ['alloc'], table=SMALL, success=1,
                              threads=256),
    'line': Command(LINE, FILES),
    'line-json': Command(f'{LINE} --json', ['alloc']),
    'line-moves': Command('neutreeko query --line --table small.dat --seed 1 a1-b2', ['read'], table=SMALL),
    'play': Command('neutreeko play --against level:3 --hints --seed 1', ERRORS, TYPED, files=OLD_GAME,
                    goes_on=('Not saved', 'out of memory', 'cannot', 'Cannot')),
    'play-load': Command('neutreeko play --load game.txt --seed 1', FILES, b'moves\nhint\nquit\n', files=STUDY),
    'solve-draws': Command(f'neutreeko-solve --board 3x3 --threads 2 --verify {SAVING}', FILES, **SAVED),
    'solve-sets': Command(f'neutreeko-solve --board 8x3 --row 2 --threads 1 --memory 1400K --no-traps {SAVING}', FILES,
                          **SAVED),
}
QUICK = 'solve-checkpoint', 'query', 'match', 'review', 'engine', 'export', 'play'


def prepare(t, name):
    """A command with the files and the input that are made first."""
    command = COMMANDS[name]
    if command.table:
        table = t.solve('small.dat', command.table)
        files = {**command.files, 'small.dat': table, 'bad.dat': damaged(table)}
        command = command._replace(files=files, input=table if command.reads_table else command.input)
    if name == 'resume':
        # A run that cannot write its table leaves its checkpoint.
        t.run(command.line.replace('t.dat', '/dev/full')).expect(1)
        assert (t.dir / 'saved/state').exists()
        command = command._replace(files=contents(t))
    return command


@pytest.mark.parametrize('name, density', [*((name, 3) for name in QUICK),
                                           *(pytest.param(name, ALL, marks=pytest.mark.thorough) for name in COMMANDS)])
def test_everything_fails(t, name, density):
    command = prepare(t, name)
    counts = {}
    for kind in command.kinds:
        ways = [
            *(Way(kind, ONCE, code) for code in ERRORS[kind]),
            Way(kind, ON, ERRORS[kind][0]),
            *([Way(kind, ON, 0), Way(kind, EVERY_OTHER, errno.EINTR)] if kind in ('read', 'write') else []),
        ]
        for way in ways if density == ALL or name == 'query' else ways[:1]:
            counts[way] = fail_in_turn(t, command, way, density)
    print(counts)
    # None of these may be passed over in silence.
    silent = [way.kind for way, (count, failures) in counts.items()
              if way.every == ONCE and way.kind in ('alloc', 'write', 'fsync', 'rename') and count and not failures]
    assert not silent or 'bad.dat' in command.line
    # A table that does not fit into memory is exported block by block.
    count, failures = counts.get(Way('alloc', ONCE, errno.ENOMEM), (0, 0))
    assert name != 'export' or failures < count


def test_a_run_that_runs_out_of_memory_says_that_it_can_be_resumed(t):
    _, numbers, _ = run_faulty(t, Command(CHECKPOINT), faulty(t, 'alloc', 0))
    resumed = (run_faulty(t, Command(CHECKPOINT), faulty(t, 'alloc', at, code=errno.ENOMEM))[0] for at in numbers)
    assert any('out of memory' in one.err and 'saved contains everything up to ply' in one.err for one in resumed)


def test_no_memory_for_the_default_path(t):
    """This is not taken for a missing HOME."""
    fault = faulty(t, 'alloc', 1, code=errno.ENOMEM)
    t.run(['neutreeko-solve'], env=fault).expect(1, '', 'out of memory')


@pytest.mark.parametrize('name, kind', [('query-input', 'read'), ('solve-pipe', 'write')])
def test_interrupted_operations_are_repeated(t, name, kind):
    """Of files, of standard input and of a pipe."""
    fail_in_turn(t, prepare(t, name), Way(kind, EVERY_OTHER, errno.EINTR), 3)


# ---- signals ----

@pytest.mark.parametrize('number', [signal.SIGTERM, *(
    pytest.param(number, marks=pytest.mark.thorough) for number in (signal.SIGINT, signal.SIGHUP))])
@pytest.mark.parametrize('name', ['solve-checkpoint', 'play', *(
    pytest.param(name, marks=pytest.mark.thorough) for name in ('solve', 'export', 'picture'))])
def test_signals(t, name, number):
    """A signal before any operation on files ends the process by that signal and leaves the old files or the new
    ones."""
    command = prepare(t, name)._replace(kept=('saved',))
    count = 0
    for kind in list(ERRORS)[1:]:
        _, numbers, _ = run_faulty(t, command, faulty(t, kind, 0))
        after = contents(t)
        for at in numbers:
            outcome, happened, _ = run_faulty(t, command, faulty(t, kind, at, number_of_signal=number))
            # Threads that want the same block at the same moment may read it twice, so the last read may be missing.
            assert outcome.code == (-number if happened else 0), f'before {kind} number {at}: {outcome}'
            expect_no_damage(t, command, after)
            assert not list(t.dir.rglob('.new-*'))
            count += len(happened)
    assert count > 5


@pytest.mark.parametrize('number, kind, command', [
    (signal.SIGHUP, 'write', SOLVE),
    (signal.SIGINT, 'alloc', 'neutreeko match --json --count 9 --seed 1 --threads 1 rules random'),
])
def test_ignored_signal(t, number, kind, command):
    """A process that ignores the signal goes on."""
    good, numbers, _ = run_faulty(t, Command(command), faulty(t, kind, 0))
    fault = faulty(t, kind, numbers[-1], number_of_signal=number)
    preload = fault.pop('LD_PRELOAD')
    ignoring = Command(f"sh -c 'trap \"\" {number}; LD_PRELOAD={preload} exec {command}'", files=OLD_TABLE)
    outcome, happened, _ = run_faulty(t, ignoring, fault)
    assert happened
    assert without_times(outcome.expect(0).out_bytes) == without_times(good.out_bytes)


def test_second_interrupt_leaves_nothing(t):
    """The first interrupt ends a match early, the next one, at the next allocation, ends the program."""
    command = Command('neutreeko match --count 4 --seed 1 --threads 1 --record -o x rules random')
    _, numbers, _ = run_faulty(t, command, faulty(t, 'alloc', 0))
    ended = 0
    for at in numbers:
        fault = faulty(t, 'alloc', at, every=1, number_of_signal=signal.SIGINT)
        outcome, *_ = run_faulty(t, command, fault)
        assert not list(t.dir.glob('.new-*')), f'before allocation {at}'
        ended += outcome.code == -signal.SIGINT
    assert ended > 5


def test_clock(t):
    """Times are right while the time of day goes backwards."""
    begin = time.monotonic()
    outcome, *_ = run_faulty(t, Command(SOLVE + ' --json'), faulty(t, 'clock', 1))
    duration = time.monotonic() - begin
    found = json.loads(outcome.expect(0).out)
    assert 0 < found['solve_seconds'] <= found['total_seconds'] <= duration


# ---- memory ----

def test_unknown_memory_is_no_limit(t):
    """A system that does not report its memory is not one without memory."""
    run_faulty(t, Command(SOLVE), faulty(t, 'memory', -1))[0].expect(0, err='')


def test_half_of_the_memory_is_available(t):
    """Where the system reports only how much there is."""
    ended, *_ = run_faulty(t, Command('neutreeko-solve --board 7x7 --pieces 5 -o t.dat'), faulty(t, 'memory', 512))
    ended.expect(1, '', 'MiB of memory, but 1 MiB are available')


# ---- space on the disk ----

SETS = 'neutreeko-solve --board 6x5 --no-traps --threads 1 --memory 3200K --checkpoint saved'


def stated_space(message):
    """The bytes that a run with --checkpoint needs in the directory, as it states them."""
    return int(re.search(r'([\d,]+) MiB in saved', message)[1].replace(',', '')) << 20


def test_disk_with_almost_enough_space(t):
    """What is needed and what is free are different numbers."""
    ended, *_ = run_faulty(t, Command(CHECKPOINT), faulty(t, 'space', 4096))
    ended.expect(1, '', 'this board needs 1 MiB in saved, but 4 KiB are free there')


def test_disk_with_less_than_the_stated_space(t):
    """Such a run does not begin."""
    def run(space):
        return run_faulty(t, Command(f'{SETS} -o t.dat'), faulty(t, 'space', space))[0]
    refused = run(1 << 20).expect(1, '', ['this board needs ', ' MiB in saved, but 1 MiB are free there'])
    needed = stated_space(refused.err.splitlines()[-1])
    run(needed * 3 // 4).expect(1, '', ['this board needs ', ' are free there'])
    assert 't.dat' not in t.files()
    run(needed).expect(0)


def test_stated_space_is_sufficient(t):
    """The sets and the log, which stays when there is no place for the table, take no more than the message states."""
    trace = t.dir.with_name(f'{t.dir.name}.order')
    ended = t.run(f'{SETS} -o /dev/full', env={'LD_PRELOAD': str(LIBRARY), 'FAULT': f'order 0 1 0 0 {trace}'})
    ended.expect(1, err='cannot write /dev/full')
    reserved = [int(line.split('\t')[2]) for line in trace.read_text().splitlines() if line.startswith('reserve\t')]
    trace.unlink()
    assert len(reserved) == 2
    logged, stated = len(t.read('saved/log.0')), stated_space(ended.err)
    assert sum(reserved) + logged <= stated
    # What is resumed needs space for the rest only.
    t.run(f'{SETS} -o t.dat', env=faulty(t, 'space', stated - logged)).expect(0)


# ---- a failed verification ----

def test_what_cannot_be_read_is_not_verified(t):
    """Neither the table nor the file that the verification needs where memory is short."""
    files = {'t.dat': t.solve('t.dat', '--board 5x5 --no-traps')}
    # With one thread, as how often several read the same block depends on which of them is faster.
    for line in f'{SOLVE} --verify --threads 1', 'neutreeko-solve --check t.dat --threads 1 --memory 512K':
        command = Command(line, files=files)
        _, reads, _ = run_faulty(t, command, faulty(t, 'read', 0))
        for number in reads[1:]:
            ended, *_ = run_faulty(t, command, faulty(t, 'read', number))
            ended.expect(1, '', 'cannot read the t')


# ---- the order of operations, by which a file is whole also after a loss of power ----

WRITING = ['solve', 'solve-checkpoint', 'resume', 'solve-draws', 'solve-sets', 'picture', 'match',
           'export', 'play']


def operations(t, name):
    """What a command does with files, in order: the kind of operation, and the path, or both of a rename."""
    command = prepare(t, name)
    for file, content in command.files.items():
        t.write(file, content)
    trace = t.dir.with_name(f'{t.dir.name}.order')
    fault = {'LD_PRELOAD': str(LIBRARY), 'FAULT': f'order 0 1 0 0 {trace}'}
    t.run(shlex.split(command.line), command.input, fault).expect(command.success)
    lines = trace.read_text().splitlines()
    trace.unlink()
    found = [[fields[0], *(os.path.normpath(t.dir / path) for path in fields[1:])]
             for fields in (line.split('\t') for line in lines if '\t' in line)
             if fields[0] != 'reserve']
    assert any(operation[0] == 'rename' for operation in found), 'the command has written no file'
    return found


def written_since(found, end):
    """The files with bytes that no fsync has followed, before the operation with this number."""
    unflushed = set()
    for what, path, *_ in found[:end]:
        if what == 'write':
            unflushed.add(path)
        elif what == 'fsync':
            unflushed.discard(path)
    return unflushed


@pytest.mark.parametrize('name', WRITING)
def test_file_is_flushed_before_it_gets_its_name(t, name):
    found = operations(t, name)
    for number, (what, path, *_) in enumerate(found):
        assert what != 'rename' or path not in written_since(found, number), found[number]


@pytest.mark.parametrize('name', WRITING)
def test_directory_is_flushed_after_a_file_got_its_name(t, name):
    """Before anything else is written, which may depend on the file."""
    found = operations(t, name)
    for number, (what, *paths) in enumerate(found):
        if what == 'rename' and not os.path.basename(paths[1]).startswith('.new-'):
            next_ones = [operation for operation in found[number + 1:] if operation[0] != 'read']
            assert next_ones[:1] == [['fsync', os.path.dirname(paths[1])]], paths


@pytest.mark.parametrize('name, state, log', [('solve-checkpoint', 'state', 'log.0'), ('solve-sets', 'state', 'log.0')])
def test_log_is_flushed_before_the_state(t, name, state, log):
    """A state describes the bytes of a log, so these must be on the disk before it is."""
    found = operations(t, name)
    log = str(t.dir / 'saved' / log)
    states = [number for number, (what, *paths) in enumerate(found)
              if what == 'rename' and paths[1] == str(t.dir / 'saved' / state)]
    assert ['write', log] in found[:states[-1]]
    for number in states:
        assert log not in written_since(found, number), f'state {states.index(number)}'


def test_new_directory_is_flushed_before_the_state(t):
    """The entry of the directory in the one that it is in."""
    found = operations(t, 'solve-checkpoint')
    state = next(number for number, (what, *paths) in enumerate(found)
                 if what == 'rename' and paths[1] == str(t.dir / 'saved/state'))
    assert ['fsync', str(t.dir)] in found[:state]
