"""neutreeko play at a terminal."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

import pytest

import game
import oracle
from conftest import PATIENCE, WON_IN_1
from game import DRAWN, Follower

ESCAPE = re.compile(r'\x1b\[[0-9;?]*[A-Za-z]|\x1b[()=>][AB0]?|[\r\a\b]')


class Terminal:
    """A terminal with a program at it."""

    def __init__(self, t, command, rows=24, columns=80, **environment):
        self.master, self.slave = pty.openpty()
        self.resize(rows, columns)
        self.settings = termios.tcgetattr(self.slave)
        self.shown = ''  # all of it
        self.seen = 0    # how much of it has been looked for
        self.process = t.start(command, {'TERM': 'xterm', **environment}, stdin=self.slave, stdout=self.slave,
                               stderr=self.slave, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))

    def close(self):
        for file in {self.slave, self.master} - {None}:
            os.close(file)
        self.master = self.slave = None

    def resize(self, rows, columns):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))

    def read(self, patience):
        if not select.select([self.master], [], [], patience)[0]:
            return False
        self.shown += os.read(self.master, 1 << 16).decode('utf-8', 'backslashreplace')
        return True

    def type(self, text):
        os.write(self.master, text.encode())

    def until(self, condition, message):
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, f'{message}; the last is {ESCAPE.sub("", self.shown)[self.seen:]!r}'
            self.read(0.01)

    def wait_for(self, text):
        """Returns what is shown up to the text, without escapes, from where the last wait ended."""
        def found():
            plain = ESCAPE.sub('', self.shown)
            at = plain.find(text, self.seen)
            # An escape at the end may not be whole yet.
            return at >= 0 and '\x1b' not in plain[:at + len(text)]
        self.until(found, f'{text!r} is not shown')
        plain = ESCAPE.sub('', self.shown)
        begin, self.seen = self.seen, plain.find(text, self.seen) + len(text)
        return plain[begin:self.seen - len(text)]

    def prompt(self, prompt='Black> '):
        """Waits until the program waits: until its prompt is the last that is shown."""
        shown = self.wait_for(prompt)
        while self.read(0.02):
            pass
        if ESCAPE.sub('', self.shown).find(prompt, self.seen) >= 0:  # libedit shows a line once more when it likes to
            shown += self.prompt(prompt)
        return shown

    def say(self, typed, *answers, prompt='Black> '):
        """Types a line and waits for the answers and the prompt; returns what is shown after the answers."""
        self.type(typed + '\r')
        for answer in answers:
            self.wait_for(answer)
        return self.prompt(prompt)

    def wait_for_editing(self):
        self.until(lambda: not termios.tcgetattr(self.slave)[3] & termios.ICANON, 'lines are not edited')

    def end(self, code, typed=''):
        """Waits for the program's end; the terminal has to be as it was found."""
        self.type(typed)
        self.until(lambda: self.process.poll() is not None, 'the program does not end')
        while self.read(0):
            pass
        assert self.process.returncode == code and termios.tcgetattr(self.slave) == self.settings


@contextlib.contextmanager
def terminal(t, *arguments, script=None, ready='Black> ', end=None, **options):
    """neutreeko play at a terminal, run by a shell's script as "$@" if there is one; `end` is typed when all is done."""
    command = ['neutreeko', 'play', *arguments]
    at = Terminal(t, ['sh', '-c', script, 'sh', *command] if script else command, **options)
    try:
        if ready:
            at.begin = at.prompt(ready)
        yield at
        if end:
            at.end(0, end)
    finally:
        at.process.kill()
        at.process.wait()
        at.close()


def test_game(t):
    """A game with its boards, to the end and into another one."""
    follower = Follower()
    with terminal(t, '--seed', '1', end='q\r') as at:
        rest = follower.follow(at.begin.splitlines())
        while not any(' row:' in line or ' draw:' in line for line in rest):
            move = t.random.choice(follower.legal())
            follower.play(move)
            at.type(move + '\r')
            rest = follower.follow(at.wait_for('> ').splitlines())
        at.say('b1-c1', 'b1-c1: the game is over.', prompt='Game over> ')
        at.say('new', 'New game.')


# ---- signals ----

@pytest.mark.parametrize('typed', ['', 'b1-', 'b1\t'])
def test_interrupted_at_the_prompt(t, typed):
    with terminal(t) as at:
        at.type(typed)
        at.wait_for_editing()
        at.end(130, '\x03')


def test_interrupted_while_thinking(t):
    with terminal(t, '--white', 'minimax:20') as at:
        at.type('b1-c1\r')
        at.wait_for('White plays ')
        at.end(130, '\x03')


@pytest.mark.parametrize('number', [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_ended_by_signals(t, number):
    with terminal(t, script='ulimit -c 0; exec "$@"') as at:
        at.process.send_signal(number)
        at.end(-number)


@pytest.mark.parametrize('ignored, TERM', [(False, 'xterm'), (True, 'xterm'), (True, 'dumb')])
def test_hung_up(t, ignored, TERM):
    """When the terminal goes away, so does the program; if it ignores the signal, as under nohup, that ends the input."""
    with terminal(t, script=('trap "" HUP; ' if ignored else '') + 'exec "$@" 2>messages', TERM=TERM) as at:
        at.close()
        code = at.process.wait(PATIENCE)
    messages = t.read('messages').decode()
    assert 'play: Input/output error' not in messages
    assert code == int('cannot write to standard output' in messages) or (code == -signal.SIGHUP and not ignored)


@pytest.mark.parametrize('TERM', ['xterm', 'dumb'])
def test_orphaned(t, TERM):
    """Left behind in the background by a shell that has gone, it cannot read its terminal: an end of input."""
    with terminal(t, TERM=TERM, ready=None, script="""sh -c 'set -m
{ while kill -0 $$; do sleep 0.01; done 2>/dev/null; "$@"; echo "$?" >status; } & exit' sh "$@"; exec sleep 60""") as at:
        at.until(lambda: at.type('\r') or (t.dir / 'status').exists() and t.read('status'), 'it does not end')
    assert t.read('status') == b'0\n'


def test_ignored_signals(t):
    """What was ignored when it began stays ignored: Ctrl-Z, Ctrl-C and a change of size."""
    with terminal(t, script='trap "" TSTP INT WINCH; exec "$@"', end='quit\r') as at:
        at.wait_for_editing()
        at.type('\x1a\x03')
        at.resize(30, 70)
        at.say('moves', 'No moves yet.')


@pytest.mark.parametrize('TERM', ['xterm', 'dumb'])
def test_end_by_control_d(t, TERM):
    with terminal(t, TERM=TERM, end='\x04') as at:
        at.say('b1-c1', 'White plays')
        assert TERM != 'dumb' or termios.tcgetattr(at.slave) == at.settings


def test_stopped(t):
    """Ctrl-Z stops it with the terminal restored; continued, it goes on."""
    with terminal(t, script='set -m; "$@"; echo stopped; stty -a; fg >/dev/null', end='quit\r') as at:
        at.type('\x1a')
        at.wait_for('stopped')
        settings = at.wait_for('Black> ')
        assert all(re.search(rf'(?<!-)\b{setting}\b', settings) for setting in ('icanon', 'echo', 'icrnl', 'opost'))
        at.wait_for_editing()
        at.say('b1-c1', 'White plays')


# ---- editing ----

def test_editing_and_completion(t):
    """Lines are edited; the tab key completes moves and words, if there is something to; the history comes back."""
    with terminal(t, '--white', 'human', '--seed', '1', end='\x15quit\r') as at:
        at.say('mover\x7f\x7fes', 'No moves yet.')
        at.say('oves\x01m\x05', 'No moves yet.')
        at.say('mo\t', 'No moves yet.')
        at.say('r\td', 'No move to redo.')
        at.type('h\t')
        at.wait_for('hint   help')
        at.wait_for('Black> ')
        at.say('i\t', 'b1-c1  draws')
        at.type('d1\t\t')
        at.wait_for('  d1-d4')
        assert 'd1-e1' in at.wait_for('Black> ')
        at.say('e2\t', ' 2  . . w .[b]', prompt='White> ')
        at.say('undo', 'Taken back: d1-e2.')
        at.say('B1C\t', ' 1  . +[b]b .', prompt='White> ')
        at.say('undo')
        at.say('\x1b[A\x1b[A', 'b1-c1', prompt='White> ')  # the history: undo, then the move
        at.say('zz\t\x15sav\tgame one.txt', 'Saved as game one.txt.', prompt='White> ')
        at.say('save a-name-of-many-letters\t.txt', 'Saved as a-name-of-many-letters.txt.', prompt='White> ')
        at.say('xy\tz', "Unknown move or command 'xyz'.", prompt='White> ')
        at.say('resign', prompt='Game over> ')
        at.say('b1\t-c1', 'b1-c1: the game is over.', prompt='Game over> ')


@pytest.mark.parametrize('locale, typed', [('C.UTF-8', 'mo\u00e9\u65e5\x7f\x7fves'), ('C', 'mo\u00e9\u65e5ves')])
def test_letters_of_several_bytes(t, locale, typed):
    """In a locale of several bytes a letter, the backspace key takes a letter; in others such bytes are passed over."""
    with terminal(t, LC_ALL=locale, end='quit\r') as at:
        at.wait_for_editing()
        at.say(typed, 'No moves yet.')


def test_strange_input(t):
    """A line longer than any other is cut, and is not a move; strange keys do no harm."""
    with terminal(t, columns=200, end='\x15quit\r') as at:
        at.wait_for_editing()
        line = 'b1-c1' + 5000 * ' ' + 'x'
        for begin in range(0, len(line), 500):  # as much as the terminal holds for its reader
            at.type(line[begin:begin + 500])
            while at.read(0.05):
                pass
        at.say('', "Invalid move 'b1-c1?'")
        for _ in range(200):
            at.type(t.random.choice(['\t', '\x1b[A', '\x1b[B', '\x1b[D', '\xe9', 'b', '1', '\x7f', '\x0b', '\x17']))
            at.read(0)
        at.type('\x15\r')
        at.wait_for('Black> ')


# ---- screens ----

@pytest.mark.parametrize('arguments, line, text, advice', [
    ([], 'resign', 'Black resigns: White wins.', True),
    (['--white', 'level:9'], 'resign', 'Black resigns: White wins.', False),
    (['--white', 'human'], 'resign', 'Black resigns: White wins.', False),
    (['--white', 'human'], '\r'.join(game.cycle(oracle.START) * 2), DRAWN, False),
    (['--start', WON_IN_1], 'd1-c1', 'Three in a row: Black wins. Congratulations!', False),
    (['--start', WON_IN_1, '--white', 'human'], 'd1-c1', 'Three in a row: Black wins.', False),
    (['--start', '5/5/2b2/1b2b/ww1w1 b'], 'c3-e5', 'Three in a row: White wins.', True)])
def test_end_of_the_game(t, arguments, line, text, advice):
    """How a game ends is printed, and a gentler opponent for those only who have lost to the perfect player."""
    with terminal(t, '--seed', '1', *arguments, end='quit\r') as at:
        said = at.say(line, prompt='Game over> ').splitlines()
        assert text in said and "Next: 'undo', 'new', 'save FILE' or 'quit'." in said
        assert ("This opponent never makes a mistake; try 'against level:3'." in said) == advice


def test_over_from_the_start(t):
    with terminal(t, '--start', '2www/5/5/5/b1b1b b', ready='Game over> ', end='quit\r') as at:
        assert 'Type a move' not in at.begin and 'Three in a row: White wins.' in at.begin.splitlines()


@pytest.mark.parametrize('columns', [80, 20])
def test_screen(t, columns):
    """A whole turn, with hints, fits 80 columns and 24 rows; at 20 columns lines break between words; sizes may change."""
    with terminal(t, '--hints', '--seed', '2', columns=columns, end='quit\r') as at:
        screens = [at.begin.split('\n')]
        for line in 'help', 'b1-b3', 'b1-c1', 'hint', 'c1-a1', 'moves', 'undo', 'h\t\x15':
            if line != 'hint' or columns == 80:  # a table, which does not break
                screens.append(at.say(line).split('\n')[1:])
        for lines in screens:
            assert max(map(len, lines)) <= columns and (len(lines) <= 24 or columns == 20)
        at.type('hint')
        for columns in 10, 1, 200, 80:
            at.resize(24, columns)
            time.sleep(0.02)
        at.say('', 'draws')


@pytest.mark.parametrize('arguments, environment, coloured', [
    ([], {}, True), ([], {'NO_COLOR': ''}, True), ([], {'NO_COLOR': '1'}, False), (['--no-color'], {}, False),
    ([], {'TERM': 'dumb'}, False), ([], {'TERM': 'nonsense', 'rows': 0, 'columns': 0}, None), ([], {'TERM': ''}, None),
    ([], {'TERM': None, 'rows': 0, 'columns': 0}, None)])
def test_colours(t, arguments, environment, coloured):
    """There is colour unless something forbids it; a dumb terminal sees no escapes; unknown ones do no harm."""
    with terminal(t, *arguments, end='quit\r', **environment) as at:
        at.say('b1-c1', 'White plays')
    assert coloured is None or bool(re.search(r'\x1b\[[0-9;]*m', at.shown)) == coloured
    assert environment.get('TERM') != 'dumb' or '\x1b' not in at.shown


def test_one_end_at_a_terminal(t):
    """With only one end at a terminal lines are neither edited nor prompted for."""
    assert 'Black> ' not in t.run_at_terminal(['neutreeko', 'play'], 'stdout').expect(0).out
    with terminal(t, script='"$@" | cat', ready=None) as at:
        at.wait_for('a b c d e')
        at.type('b1-c1\nquit\n')
        at.wait_for('White plays')
        at.end(0)
        assert 'Black> ' not in at.shown
