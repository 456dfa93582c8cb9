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

from conftest import CYCLE, DRAWN, PATIENCE, WON_IN_1

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

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.process.kill()
        self.process.wait()
        self.close()

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
    with Terminal(t, ['sh', '-c', script, 'sh', *command] if script else command, **options) as at:
        if ready:
            at.begin = at.prompt(ready)
        yield at
        if end:
            at.end(0, end)


# ---- signals ----

def test_interrupted_at_the_prompt(t):
    """Ctrl-C clears what was typed, wherever the cursor is; on an empty line it ends the program."""
    with terminal(t, LC_ALL='C.UTF-8') as at:
        for typed in 'b1-', 'mo\u00e9\u65e5\x01', 'b1\tc1-c':
            at.type(typed)
            at.wait_for(typed[:2])
            while at.read(0.05):
                pass
            at.type('\x03')
            at.wait_for('^C')
            at.prompt()
        at.say('mo\u00e9\u65e5\x7f\x7fves', 'No moves yet.')  # the backspace key takes letters, not bytes
        at.end(130, '\x03')


@pytest.mark.parametrize('command, number, code', [
    *((command, number, -number) for command in ('play', 'explore') for number in (signal.SIGTERM, signal.SIGHUP)),
    ('play', signal.SIGQUIT, -signal.SIGQUIT), ('explore', signal.SIGINT, 130)])
def test_ended_by_signals(t, command, number, code):
    with Terminal(t, ['sh', '-c', f'ulimit -c 0; exec neutreeko {command}']) as at:
        at.wait_for({'play': 'Black> ', 'explore': 'q quit'}[command])
        at.process.send_signal(number)
        at.end(code)


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
        at.say('over\x7f\x7fes\x01m\x05', 'No moves yet.')
        at.say('mo\t', 'No moves yet.')
        at.say('r\td', 'No move to redo.')
        at.type('h\t')
        at.wait_for('help   hint')
        at.wait_for('Black> ')
        at.say('i\t all', 'b1-c1  draws')
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
        for name in 'folder/inner.txt', 'folder/.hidden', 'folder/a\x1bb', '.dot':
            t.write(name, '')
        at.type('load \t')
        assert sorted(at.wait_for('White> ').split()[-4:]) == ['a-name-of-many-letters.txt', 'folder/', 'game', 'one.txt']
        at.say('fo\t\t', 'Loaded folder/inner.txt.')
        at.say('load game\t', 'Loaded game one.txt.', prompt='White> ')
        at.say('save! game\t', 'Saved as game one.txt.', prompt='White> ')
        at.type('against \t')
        assert sorted(at.wait_for('White> ').split()[-8:]) == [
            'alphabeta:', 'human', 'level:', 'minimax:', 'perfect', 'random', 'rules', 'weakest']
        at.say('h\t', 'Black (b): human. White (w): human.', prompt='White> ')
        at.say('resign', prompt='Game over> ')
        at.say('b1\t-c1', 'b1-c1: the game is over.', prompt='Game over> ')


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


# ---- screens ----

@pytest.mark.parametrize('arguments, line, text, advice', [
    ([], 'resign', 'Black resigns: White wins.', True),
    (['--white', 'level:9'], 'resign', 'Black resigns: White wins.', False),
    (['--white', 'human'], 'resign', 'Black resigns: White wins.', False),
    (['--white', 'human'], '\r'.join(CYCLE * 2), DRAWN, False),
    (['--start', WON_IN_1], 'd1-c1', 'Three in a row: Black wins. Congratulations!', False),
    (['--start', WON_IN_1, '--white', 'human'], 'd1-c1', 'Three in a row: Black wins.', False),
    (['--start', '5/5/2b2/1b2b/ww1w1 b'], 'c3-e5', 'Three in a row: White wins.', True)])
def test_end_of_the_game(t, arguments, line, text, advice):
    """How a game ends is printed, and a gentler opponent for those only who have lost to the perfect player."""
    with terminal(t, '--seed', '1', *arguments, end='quit\r') as at:
        said = at.say(line, prompt='Game over> ').splitlines()
        assert text in said and "Next: 'review', 'undo', 'new', 'save FILE' or 'quit'." in said
        assert ("This opponent never makes a mistake; try 'against level:3'." in said) == advice


def test_over_from_the_start(t):
    with terminal(t, '--start', '2bbb/5/5/5/w1w1w w', ready='Game over> ', end='quit\r') as at:
        assert 'Type a move' not in at.begin and 'Three in a row: Black wins.' in at.begin.splitlines()


@pytest.mark.parametrize('columns', [80, 20])
def test_screen(t, columns):
    """A whole turn, with hints, fits 80 columns and 24 rows; at 20 columns lines break between words; sizes may change."""
    with terminal(t, '--hints', '--seed', '2', columns=columns, end='quit\r') as at:
        screens = [at.begin.split('\n')]
        for line in 'help', 'b1-b3', 'b1-c1', 'hint', 'hint', 'hint', 'hint all', 'c1-a1', 'moves', 'undo', 'h\t\x15':
            if line != 'hint all' or columns == 80:  # a table, which does not break
                screens.append(at.say(line).split('\n')[1:])
        for lines in screens:
            assert max(map(len, lines)) <= columns and (len(lines) <= 24 or columns == 20)
        at.type('hint')
        for columns in 10, 1, 200, 80:
            at.resize(24, columns)
            time.sleep(0.02)
        at.say(' all', 'draws')


@pytest.mark.parametrize('arguments, environment, coloured', [
    ([], {}, True), (['--no-color'], {}, False), ([], {'TERM': 'dumb'}, False),
    ([], {'TERM': 'nonsense', 'rows': 0, 'columns': 0}, None), ([], {'TERM': None, 'rows': 0, 'columns': 0}, None)])
def test_colours(t, arguments, environment, coloured):
    """There is colour unless something forbids it; a dumb terminal sees no escapes and keeps its settings; unknown ones do
    no harm. Ctrl-D ends the program."""
    with terminal(t, *arguments, end='\x04', **environment) as at:
        at.say('b1-c1', 'White plays')
        dumb = environment.get('TERM') == 'dumb'
        assert not dumb or ('\x1b' not in at.shown and termios.tcgetattr(at.slave) == at.settings)
    assert coloured is None or bool(re.search(r'\x1b\[[0-9;]*m', at.shown)) == coloured


def test_one_end_at_a_terminal(t):
    """With only the input at a terminal there is a prompt, but no editing, with only the output at one neither."""
    assert 'Black> ' not in t.run_at_terminal(['neutreeko', 'play'], 'stdout').expect(0).out
    with terminal(t, script='"$@" | tee log', ready=None) as at:
        at.wait_for('Black> ')
        assert termios.tcgetattr(at.slave) == at.settings
        at.type('b1-b3\rb1-c1\r')
        at.wait_for('White plays')
        at.wait_for('Black> ')
        at.end(0, 'quit\r')
    log = t.read('log').decode()
    assert 'Black plays b1-c1.\n' in log and '\x1b' not in log


# ---- the state directory ----

GAMES = '.local/state/neutreeko/games'


def recorded(t, directory=GAMES):
    return sorted((t.dir / directory).glob('*')) if (t.dir / directory).exists() else []


@pytest.mark.parametrize('state', ['', 'relative', 'absolute'])
def test_recorded(t, state):
    """Each game is recorded after each move, and only what a person plays at a terminal."""
    environment = {'XDG_STATE_HOME': str(t.dir / 'state') if state == 'absolute' else state}
    directory = 'state/neutreeko/games' if state == 'absolute' else GAMES
    t.run(['neutreeko', 'play'], 'b1-c1\n', env=environment).expect(0)
    t.run('neutreeko play --black random --white random', env=environment).expect(0)
    assert not recorded(t, directory)
    with terminal(t, '--white', 'minimax:20', **environment) as at:
        at.say('new', 'New game.')
        assert not recorded(t, directory)
        at.type('b1-c1\r')
        at.wait_for('White plays ')
        game, = recorded(t, directory)
        assert '[White "minimax:20"]\n[Black "human"]\n[Result "*"]' in game.read_text() and '\n1. b1-c1\n*\n' in game.read_text()
        at.end(130, '\x03')
    assert recorded(t, directory) == [game] and game.parent.stat().st_mode & 0o777 == 0o700


def test_resume(t):
    """--resume continues the last game, with its opponent; what is changed then replaces it."""
    resume = ['neutreeko', 'play', '--resume']
    t.run(resume).expect(1, '', f'neutreeko play: no game to resume: none is recorded in {t.dir}/{GAMES}')
    t.run(resume, env={'HOME': None}).expect(1, '', 'none is recorded in the state directory, because HOME is not set')
    with terminal(t, '--no-record', end='q\r') as at:
        at.say('b1-c1', 'White plays')
    assert not recorded(t)
    t.write(f'{GAMES}/old.txt', 'b1-c1\n')
    os.utime(t.dir / GAMES / 'old.txt', (1, 1))
    with terminal(t, '--white', 'level:2', '--seed', '1', end='q\r') as at:
        at.say('b1-c1', 'White plays')
        at.say('resign', prompt='Game over> ')
        at.say('undo', 'Resignation taken back.')
        at.say('d1-d4', 'White plays')
        moves = at.say('moves')
        at.say('new', 'New game.')
    game, = set(recorded(t)) - {t.dir / GAMES / 'old.txt'}
    text = game.read_text()
    t.run(resume, 'moves\n').expect(0, ["against 'level:2'", *moves.split()[1:7]], '')
    assert game.read_text() == text  # nothing has changed
    # Two that resume the same game do not overwrite each other's.
    with terminal(t, '--resume', end='q\r') as one, terminal(t, '--resume', end='q\r') as two:
        one.say('undo', 'Taken back')
        two.say('resign', prompt='Game over> ')
        one.say('undo', 'Taken back')
        one.say('d1-c1', 'White plays')
    assert ["'neutreeko play --resume' continues this game." in at.shown for at in (one, two)] == [True, False]
    new = set(recorded(t)) - {t.dir / GAMES / 'old.txt'}
    assert game not in new and sorted('resign' in path.read_text() for path in new) == [False, True]
    t.write(f'{GAMES}/z.txt', 'nonsense')
    t.run(resume).expect(1, '', 'z.txt: line 1, character 1: move 1 (Black): ')


@pytest.mark.parametrize('script, reason', [
    ('HOME=/dev/null "$@"', 'cannot create the directory /dev/null/.local: Not a directory'),
    ('unset HOME; "$@"', 'neither XDG_STATE_HOME nor HOME names a directory'),
    ('ulimit -f 0; "$@"', 'File too large')])
def test_not_recorded(t, script, reason):
    """A game that cannot be recorded goes on, after a single note."""
    with terminal(t, '--white', 'level:2', script=script, end='q\r', columns=200) as at:
        at.say('b1-c1', 'the game goes on, but is not recorded: ', 'White plays')
        at.say('undo', 'Taken back')
        assert at.shown.count('is not recorded') == 1 and reason in at.shown
    assert not recorded(t)


# ---- explore ----

@pytest.mark.parametrize('rows, columns, last', [(24, 80, 'q'), (12, 40, '\x04')])
def test_explore(t, rows, columns, last):
    """The keys choose a move, play it, take it back and flip the board; every frame fits and shows the position."""
    def frame(at, key):
        at.type(key)
        shown = at.wait_for('q quit')
        assert shown.count('\n') < rows and max(map(len, shown.splitlines())) <= columns
        return shown
    with Terminal(t, ['neutreeko', 'explore', '--no-color'], rows, columns) as at:
        at.wait_for('q quit')
        assert '> b1-b4  loses in 22' in frame(at, '\x1b[B') + frame(at, '\x1b[B')
        assert 'a1-' not in frame(at, '\x1b[H') and '> d1-c1  draws' in frame(at, '\x1bOB')
        played = frame(at, '\r')
        assert '1w1w1/2b2/5/2w2/1bb2 w' in played and 'White to move draws' in played
        assert '> d1-c1  draws' in frame(at, '\x1b[D') and 'e d c b a' in frame(at, 'f')
        assert 'take a move back' in frame(at, '?')
        at.end(0, last)
