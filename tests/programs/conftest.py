"""What the tests of the programs share.

A test that takes `t` gets a directory of its own, in which everything it runs starts, and an environment that contains
nothing of the user's, with the solved game in the default place. The programs are those that meson names in the
environment, or those of build/."""

import contextlib
import fcntl
import functools
import hashlib
import json
import os
import pathlib
import random
import re
import select
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios

import pytest

# The files of tests are compiled once for a build; without one, they leave no __pycache__ among the sources.
sys.pycache_prefix = os.environ.get('BYTECODE')
sys.dont_write_bytecode = sys.pycache_prefix is None
ROOT = pathlib.Path(__file__).resolve().parents[2]

# Newer versions of Meson set the options of sanitizers for every build; one that is hardened has none.
SANITIZED = 'ASAN_OPTIONS' in os.environ and 'HARDENED' not in os.environ
# Seconds; only a program that hangs takes so long, also on a busy machine. While mutants are tried, many hang.
PATIENCE = int(os.environ.get('PATIENCE', 120000)) / 1000
START = '1w1w1/2b2/5/2w2/1b1b1 b'
START_BOARD = """\
 5  . w . w .
 4  . . b . .
 3  . . . . .
 2  . . w . .
 1  . b . b .
    a b c d e
"""
FAIR_17 = '5/5/w4/1b1w1/1wb1b b'  # in the order that include/neutreeko.h defines
OVER = '5/5/2w2/1w1w1/bbb2 w'  # Black has its line
WON_IN_1 = '5/5/2w2/1w2w/bb1b1 b'  # by d1-c1
CYCLE = ['b1-b4', 'd5-d2', 'b4-b1', 'd2-d5']  # from the start back to it
DRAWN = 'Draw by threefold repetition.'
LONGEST_LINE = 65536


def given(variable, path):
    """A part of the build that is tested."""
    return pathlib.Path(os.environ.get(variable) or ROOT / path).absolute()


def closed(schema):
    """A schema that rejects keys that it does not describe, as those of docs/schema do not."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        **{key: closed(part) for key, part in schema.items()},
        **({'additionalProperties': False} if 'properties' in schema else {}),
    }


@functools.cache
def validator(name):
    import jsonschema  # which takes a tenth of a second, and most modules do not need it
    schema = json.loads((ROOT / f'docs/schema/{name}.json').read_text(encoding='utf-8'))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(closed(schema))


class Outcome:
    """How a program ended: exit status (negative: the signal that killed it) and what it printed."""

    def __init__(self, command, code, out, err):
        self.command = command if isinstance(command, str) else shlex.join(map(os.fsdecode, command))
        self.code, self.out_bytes, self.err_bytes = code, out, err
        self.out, self.err = (text.decode('utf-8', 'backslashreplace') for text in (out, err))

    def __str__(self):
        return (f'$ {self.command[:1500]}\nexit status:     {self.code}\n'
                f'standard output: {self.out[:1500]!a}\nstandard error:  {self.err[:1500]!a}')

    def expect(self, code, out=None, err=None):
        """The empty string stands for no output at all; any other text, or each of several, must occur."""
        assert self.code == code, f'expected {code}\n{self}'
        for name, found, expected in ('output', self.out, out), ('error', self.err, err):
            assert expected != '' or found == '', f'standard {name} is not empty\n{self}'
            for text in [expected] if isinstance(expected, str) else expected or []:
                assert text in found, f'no {text!r} in standard {name}\n{self}'
        return self

    def json(self):
        """The JSON objects of the output, one a line, in text that is valid UTF-8. They fit the schema of the command,
        of many objects a hundred; the version is left out."""
        assert self.out == '' or self.out.endswith('\n'), self
        found = [json.loads(line.decode('utf-8')) for line in self.out_bytes.split(b'\n')[:-1]]
        name = re.search(r'neutreeko(?:-(solve)| (\w+))', self.command)
        for value in found[::len(found) // 100 + 1]:
            validator(name[1] or name[2]).validate(value)
        return [{key: value for key, value in item.items() if key != 'version'} for item in found]


class Talk:
    """A program in conversation."""

    def __init__(self, process):
        self.process, self.write = process, process.stdin.write

    def line(self):
        """The next line that it prints, without its end; nothing when it has ended."""
        assert select.select([self.process.stdout], [], [], PATIENCE)[0], f'no answer after {PATIENCE} s'
        return self.process.stdout.readline().decode('utf-8', 'backslashreplace').removesuffix('\n')

    def ask(self, line):
        self.write(f'{line}\n'.encode())
        return self.line()

    def lines(self, question, answer):
        """All lines up to the answer, or its beginning, to the question."""
        self.write(f'{question}\n'.encode())
        found = [self.line()]
        while not found[-1].startswith(answer):
            assert found[-1] or self.process.poll() is None, f'the program has ended; its last lines: {found}'
            found.append(self.line())
        return found[:-1]

    def end(self, last=b''):
        """Closes its input and waits for its end."""
        out, err = self.process.communicate(last, timeout=PATIENCE)
        return Outcome(self.process.args, self.process.returncode, out, err or b'')


class Case:
    """What a test works with."""

    def __init__(self, name, directory, programs, table):
        self.dir = directory
        self.table = table  # the solved game, for all tests: to be read only
        self.random = random.Random(int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], 'big'))
        kept = {name: value for name, value in os.environ.items() if name.endswith(('SAN_OPTIONS', 'MALLOC_PERTURB_'))}
        self.environment = {
            **kept,
            'PATH': f'{programs}:{os.environ["PATH"]}',
            'HOME': str(directory),
            'LC_ALL': 'C',
            'TZ': 'UTC',
            'TABLE': str(table),  # for commands that name it
            'XDG_DATA_HOME': f'{directory}.table',
        }
        # In the default place, where it is found faster than the game is solved.
        place = pathlib.Path(f'{directory}.table/neutreeko')
        if not place.exists():  # a test of installed programs has two of these
            place.mkdir(parents=True)
            (place / 'perfect_move.dat').symlink_to(table)

    def start(self, command, env=None, **options):
        """Starts a program (a list) or a line for the shell (a string). A variable that is None is unset."""
        environment = {name: value for name, value in {**self.environment, **(env or {})}.items() if value is not None}
        if isinstance(command, str):  # a shell takes as long to start as the program
            is_plain = re.fullmatch(r'neutreeko[\w \'"./,:=+-]*', command)
            command = shlex.split(command) if is_plain else ['sh', '-c', command]
        return subprocess.Popen(command, cwd=self.dir, env=environment, start_new_session=True, **options)

    def run(self, command, input=b'', env=None, patience=PATIENCE, **options):
        """Runs to the end."""
        pipe = subprocess.PIPE
        with self.start(command, env, stdin=pipe, **{'stdout': pipe, 'stderr': pipe, **options}) as process:
            try:
                out, err = process.communicate(input.encode() if isinstance(input, str) else input, patience)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise
        return Outcome(command, process.returncode, out or b'', err or b'')

    def run_at_terminal(self, command, stream, env=None, columns=80):
        """Runs with one of stdout and stderr at a terminal, whose ends of lines are plain, and nothing to read."""
        master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('4H', 24, columns, 0, 0))
        pipes = {'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, stream: slave}
        with self.start(command, env, stdin=subprocess.DEVNULL, **pipes) as process:
            os.close(slave)
            shown = b''
            with contextlib.suppress(OSError):  # how Linux reports that nobody has the other side open
                while select.select([master], [], [], PATIENCE)[0]:
                    shown += os.read(master, 1 << 16)
            os.close(master)
            shown = shown.replace(b'\r\n', b'\n')
            printed = {'stdout': process.stdout, 'stderr': process.stderr}
            out, err = (shown if name == stream else printed[name].read() for name in printed)
        return Outcome(command, process.returncode, out, err)

    @contextlib.contextmanager
    def talk(self, command, env=None, **options):
        pipe = subprocess.PIPE  # nothing is read ahead: what `line` does not return, `end` does
        with self.start(
            command, env, **{'stdin': pipe, 'stdout': pipe, 'stderr': pipe, 'bufsize': 0, **options}
        ) as process:
            try:
                yield Talk(process)
            finally:
                process.kill()

    def without_table(self):
        """The game is solved: the default place is in the test's directory, and empty."""
        del self.environment['XDG_DATA_HOME']
        return self

    def load(self, options=''):
        """Writes a table to the default place, which is outside the test's directory; the program then loads it."""
        self.environment['XDG_DATA_HOME'] = f'{self.dir}.data'
        path = pathlib.Path(f'{self.dir}.data/neutreeko/perfect_move.dat')
        path.parent.mkdir(parents=True, exist_ok=True)
        self.solve(path, options)
        self.environment['TABLE'] = str(path)
        return path

    def write(self, name, content):
        """Makes a file, and the directories that it needs, in the test's directory; returns its path."""
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def read(self, name):
        return (self.dir / name).read_bytes()

    def files(self):
        return sorted(os.listdir(self.dir))

    def solve(self, name, arguments=''):
        """Makes a table of another board; returns its content."""
        self.run(f'neutreeko-solve --quiet --force -o {name} {arguments}').expect(0, '', '')
        return self.read(name)

    def query(self, *arguments, **options):
        return self.run(['neutreeko', 'query', *arguments], **options)

    def ask(self, positions):
        """What query answers about the positions, without the numbers of their lines."""
        positions = list(positions)
        found = (
            self.query('--json', '-', input=''.join(f'{position}\n' for position in positions)).expect(0, err='').json()
        )
        assert [answer.pop('line') for answer in found] == list(range(1, len(positions) + 1))
        return found


def examples_of_help(t, command):
    """The examples in the help text of a command, with their explanations."""
    _, _, rest = t.run(f'{command} --help').expect(0).out.partition('\nExamples:\n')
    assert rest
    return rest.partition('\n\n')[0]


@pytest.fixture(scope='session', autouse=True)
def surroundings():
    """What programs inherit: no ignored signals, as from nohup, and a usual umask."""
    for number in signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTSTP, signal.SIGTERM:
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    os.umask(0o022)


@pytest.fixture(scope='session')
def programs(surroundings):
    """A directory with copies of the programs, which do not find the table of the build that they came from."""
    with tempfile.TemporaryDirectory(prefix='neutreeko-bin-') as name:
        os.chmod(name, 0o755)
        for variable, path in (
            ('NEUTREEKO_SOLVE', 'solver/neutreeko-solve'),
            ('NEUTREEKO', 'player/neutreeko'),
            ('NEUTREEKO_SOLVE_MPI', 'solver/neutreeko-solve-mpi'),
        ):
            if not path.endswith('mpi') or given(variable, f'build/{path}').exists():
                shutil.copy(given(variable, f'build/{path}'), name)
        yield pathlib.Path(name)


@pytest.fixture(scope='session')
def table(programs):
    path = programs / 'solved.dat'
    if made := os.environ.get('TABLE'):  # by the same program, when it was built
        shutil.copy(made, path)
    else:
        subprocess.run([programs / 'neutreeko-solve', '--quiet', '-o', path], check=True)
    path.chmod(0o444)
    return path


@pytest.fixture
def t(request, programs, table):
    with tempfile.TemporaryDirectory(prefix='neutreeko-test-') as name:
        directory = pathlib.Path(name) / 'test'
        directory.mkdir()
        os.chmod(name, 0o755)
        yield Case(request.node.name, directory, programs, table)
