"""Runs command-line programs as a user meets them, and tells a failure so that it can be understood.

A test is a function named test_* that takes a Case; the first line of its docstring is its name. It gets a
directory of its own, in which everything it runs starts, and an environment that holds nothing of the user's.
"""

import contextlib
import hashlib
import os
import pathlib
import random
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

PATIENCE = 60  # seconds; only a program that hangs takes so long


class Failure(Exception):
    """Something is not as expected; the text says what."""


class Skip(Exception):
    """A test cannot be made here; the text says why."""


def check(condition, message):
    if not condition:
        raise Failure(message)


def equal(actual, expected, what):
    if actual != expected:
        raise Failure(f'{what}\nexpected: {shorten(ascii(expected))}\nfound:    {shorten(ascii(actual))}')


def shorten(text, most=600):
    return text if len(text) <= most else f'{text[:most]}... ({len(text)} characters)'


def printable(text):
    return ''.join(character if character.isprintable() else '?' for character in text)


class Outcome:
    """How a program ended: exit status (negative: the signal that killed it) and what it printed."""

    def __init__(self, command, code, out, err):
        self.command = command if isinstance(command, str) else shlex.join(map(os.fsdecode, command))
        self.code = code
        self.out_bytes = out
        self.err_bytes = err
        self.out = out.decode('utf-8', 'backslashreplace')
        self.err = err.decode('utf-8', 'backslashreplace')

    def expect(self, code, out=None, err=None):
        """The empty string stands for no output at all; any other text, or each of several, must occur."""
        self.check(self.code == code, f'exit status {self.code}, expected {code}')
        for name, found, expected in (('output', self.out, out), ('error', self.err, err)):
            if expected == '':
                self.check(found == '', f'standard {name} is not empty')
            for text in [expected] if isinstance(expected, str) else expected or []:
                self.check(text in found, f'standard {name} does not contain {text!r}')
        return self

    def check(self, condition, message):
        if not condition:
            raise Failure(f'{message}\n$ {shorten(printable(self.command))}\n'
                          f'exit status:     {self.code}\n'
                          f'standard output: {shorten(ascii(self.out))}\n'
                          f'standard error:  {shorten(ascii(self.err))}')


class Partner:
    """The program at the other end of a conversation."""

    def __init__(self, process):
        self.process = process
        self.code = self.err = None  # known when it has ended

    def ask(self, line, patience=PATIENCE, end='\n'):
        """Returns the answer; it is empty when the program has ended."""
        self.process.stdin.write((line + end).encode())
        self.process.stdin.flush()
        answered, _, _ = select.select([self.process.stdout], [], [], patience)
        check(answered, f'no answer to {line!r} after {patience} s')
        return self.process.stdout.readline().decode()


class Case:
    """What a test works with."""

    def __init__(self, name, directory, programs, table):
        self.dir = directory
        self.table = table  # a file with the solved game, for all tests: to be read only
        self.random = random.Random(int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], 'big'))
        kept = {name: value for name, value in os.environ.items() if name.endswith('SAN_OPTIONS')}
        self.environment = {**kept, 'PATH': f'{programs}:{os.environ["PATH"]}', 'HOME': str(directory),
                            'LC_ALL': 'C', 'TABLE': str(table)}

    def start(self, command, env=None, **options):
        """Starts a program (a list) or a line for the shell (a string)."""
        if isinstance(command, str):
            command = ['sh', '-c', command]
        return subprocess.Popen(command, cwd=self.dir, env={**self.environment, **(env or {})},
                                start_new_session=True, **options)

    def run(self, command, input=b'', env=None, terminal=None, patience=PATIENCE):
        """Runs to the end. With terminal='out' or 'err' that stream is a terminal, otherwise a pipe."""
        streams = {'out': subprocess.PIPE, 'err': subprocess.PIPE}
        if terminal:
            master, streams[terminal] = os.openpty()
        # Nothing to type at a terminal: its output is read to the end before any input could be written.
        stdin = subprocess.DEVNULL if terminal else subprocess.PIPE
        process = self.start(command, env, stdin=stdin, stdout=streams['out'], stderr=streams['err'])
        shown = b''
        try:
            if terminal:
                os.close(streams[terminal])
                shown = read_terminal(master, patience)
            out, err = process.communicate(None if terminal else input, timeout=patience)
        except (subprocess.TimeoutExpired, TimeoutError):
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            Outcome(command, None, out or shown, err or shown).check(False, f'not done after {patience} s')
        finally:
            if terminal:
                os.close(master)
        printed = {'out': out, 'err': err}
        if terminal:
            printed[terminal] = shown
        return Outcome(command, process.returncode, printed['out'], printed['err'])

    @contextlib.contextmanager
    def converse(self, command):
        """Starts a program that answers each line with one."""
        pipe = subprocess.PIPE
        with self.start(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
            partner = Partner(process)
            try:
                yield partner
                _, err = process.communicate(timeout=PATIENCE)
                partner.code, partner.err = process.returncode, err.decode()
            finally:
                process.kill()

    def write(self, name, content):
        """Makes a file, and the directories it needs, in the test's directory; returns its path."""
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def damaged(self, parts):
        """Copies of the table, one after the other, with a bit changed where this part of the file begins. What
        lies behind the head is checked only when it is asked for."""
        whole = self.table.read_bytes()
        for part in range(1, parts):
            changed = bytearray(whole)
            changed[len(whole) * part // parts] ^= 1
            yield self.write('damaged.dat', bytes(changed))

    def files(self):
        return sorted(os.listdir(self.dir))


def read_terminal(master, patience):
    """All that is printed to a terminal until the last program there has ended."""
    shown = b''
    end = time.monotonic() + patience
    while select.select([master], [], [], max(0, end - time.monotonic()))[0]:
        try:
            piece = os.read(master, 1 << 16)
        except OSError:  # how Linux says that nobody holds the other side any more
            return shown
        if not piece:
            return shown
        shown += piece
    raise TimeoutError


def tests_of(modules, wanted):
    """The tests of the modules, in the order in which they are written; if any are wanted, only those."""
    return [function for module in modules for name, function in vars(module).items()
            if name.startswith('test_') and (not wanted or any(part in name for part in wanted))]


def closed_outputs():
    """What the shell takes to give a program a standard output that cannot be written to."""
    full = pathlib.Path('/dev/full')
    return ['>&-'] + (['>/dev/full'] if full.is_char_device() else [])


def run_tests(tests, directory, programs, table):
    """Runs the tests and prints TAP (see testanything.org); returns whether nothing failed."""
    print(f'1..{len(tests)}', flush=True)
    passed = True
    for number, test in enumerate(tests, 1):
        own = pathlib.Path(directory, f'{number:02}-{test.__name__}')
        own.mkdir()
        name = test.__doc__.splitlines()[0].rstrip('.').replace('#', '')
        begin = time.monotonic()
        try:
            test(Case(test.__name__, own, programs, table))
            verdict, remark, details = 'ok', '', ''
        except Skip as reason:
            verdict, remark, details = 'ok', f' # SKIP {reason}', ''
        except Failure as failure:
            verdict, remark, details = 'not ok', '', str(failure)
        except Exception:  # the test itself is at fault: say where
            verdict, remark, details = 'not ok', '', traceback.format_exc()
        passed = passed and verdict == 'ok'
        print(f'{verdict} {number} - {name}{remark}')
        for line in details.splitlines():
            print(f'# {line}')
        print(f'# {test.__name__}: {time.monotonic() - begin:.2f} s', flush=True)
    return passed


def main(modules, usage):
    """Runs the tests of the modules as the command line tells; returns whether all was well."""
    if len(sys.argv) < 3:
        sys.exit(usage)
    sys.stdout.reconfigure(encoding='utf-8', errors='backslashreplace')
    # What a shell ignores for programs in the background, or nohup, the programs under test would ignore as well.
    for number in signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTSTP:
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    with tempfile.TemporaryDirectory(prefix='neutreeko-test-') as name:
        directory = pathlib.Path(name)
        # Copies, so that neutreeko does not find the table that belongs to the build it came from.
        programs = directory / 'bin'
        programs.mkdir()
        for source, program in zip(sys.argv[1:3], ('neutreeko-solve', 'neutreeko')):
            shutil.copy(source, programs / program)
        table = directory / 'solved.dat'
        if subprocess.run([programs / 'neutreeko-solve', '--quiet', '-o', table]).returncode:
            print('Bail out! neutreeko-solve makes no table')
            return False
        table.chmod(0o444)
        return run_tests(tests_of(modules, sys.argv[3:]), directory, programs, table)
