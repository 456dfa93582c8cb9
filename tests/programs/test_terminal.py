"""neutreeko play at a terminal."""

import contextlib
import errno
import fcntl
import os
import re
import select
import signal
import struct
import termios
import time

import pytest

from conftest import CYCLE, DRAWN, PATIENCE, START, WON_IN_1
from test_faults import ALL, faulty, fewer, reported

SILENCE = 20  # seconds; a program that shows nothing for so long, also on a busy machine, waits for something else
ESCAPE = re.compile(r'\x1b\[[0-9;?]*[A-Za-z]|\x1b[()=>][AB0]?|[\r\a\b]')


class Terminal(contextlib.AbstractContextManager):
    """A terminal with a program at it."""

    def __init__(self, t, command, rows=24, columns=80, **environment):
        self.master, self.slave = (open(file, 'r+b', buffering=0) for file in os.openpty())
        self.resize(rows, columns)
        self.settings = termios.tcgetattr(self.slave)
        self.shown = ''  # all of it
        self.seen = 0    # how much of it has been looked for
        self.process = t.start(command, {'TERM': 'xterm', **environment}, stdin=self.slave, stdout=self.slave,
                               stderr=self.slave, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))

    def __exit__(self, *failure):
        self.process.kill()
        self.process.wait()
        self.close()

    def close(self):
        self.slave.close()
        self.master.close()

    def resize(self, rows, columns):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))

    def read(self, patience):
        if not select.select([self.master], [], [], patience)[0]:
            return False
        self.shown += self.master.read(1 << 16).decode('utf-8', 'backslashreplace')
        return True

    def type(self, text):
        self.master.write(text.encode())

    def unseen(self):
        """What is shown since the last wait, without escapes, up to one that is not whole yet."""
        return ESCAPE.sub('', self.shown).partition('\x1b')[0][self.seen:]

    def until(self, condition, message):
        begin = last = time.monotonic()
        while not condition():
            if self.read(0.01):
                last = time.monotonic()
            assert condition() or time.monotonic() < min(begin + PATIENCE, last + SILENCE), (
                f'{message}; the last is {self.unseen()!r}, the exit status {self.process.poll()}')

    def wait_for(self, text):
        """Returns what is shown up to the text from where the last wait ended."""
        self.until(lambda: text in self.unseen(), f'{text!r} is not shown')
        shown = self.unseen()[:self.unseen().find(text)]
        self.seen += len(shown) + len(text)
        return shown

    def prompt(self, prompt='Black> '):
        """Waits until the program waits: until its prompt is the last that is shown."""
        shown = self.wait_for(prompt)
        while self.read(0.02):
            pass
        if prompt in self.unseen():  # libedit shows a line once more when it likes to
            shown += self.prompt(prompt)
        return shown

    def say(self, typed, *answers, prompt='Black> '):
        """Types a line and waits for the answers and the prompt; returns what is shown after the answers."""
        self.type(typed + '\r')
        for answer in answers:
            self.wait_for(answer)
        return self.prompt(prompt)

    def end(self, code, typed=''):
        """Waits for the program's end, with any status for None; the terminal has to be as it was found."""
        self.type(typed)
        self.until(lambda: self.process.poll() is not None, 'the program does not end')
        while self.read(0):
            pass
        assert code in (None, self.process.returncode)
        assert termios.tcgetattr(self.slave) == self.settings


READY = 'Black> '


@contextlib.contextmanager
def terminal(t, *arguments, command='play', script='exec "$@"', ready=READY, end=None, **options):
    """The program at a terminal, run as "$@" by a shell's script; it waits when it shows `ready`. `end`: what is typed
    at last."""
    with Terminal(t, ['sh', '-c', script, 'sh', 'neutreeko', command, *arguments], **options) as at:
        if ready:
            at.begin = at.prompt(ready)
        yield at
        if end:
            at.end(0, end)


def test_a_person_is_told_what_to_type(t):
    """The example is a legal move."""
    with terminal(t) as at:
        example, = re.findall("Type a move such as ([a-e][1-5]-[a-e][1-5]), 'hint' or 'help'.", at.begin)
    assert example in [move['move'] for move in t.ask([START])[0]['moves']]


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
        at.say('mo\u00e9\u65e5\x7f\x7fves', 'c4-a4')  # the backspace key takes letters, not bytes
        at.end(130, '\x03')


@pytest.mark.parametrize('number', [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT])
def test_ended_by_signals(t, number):
    with terminal(t, script='ulimit -c 0; exec "$@"') as at:
        at.process.send_signal(number)
        at.end(130 if number == signal.SIGINT else -number)


@pytest.mark.parametrize('ignored, TERM', [(False, 'xterm'), (True, 'xterm'), (True, 'dumb')])
def test_hung_up(t, ignored, TERM):
    """When the terminal goes away, so does the program; if it ignores the signal, as under nohup, that ends the
    input."""
    script = ('trap "" HUP; ' if ignored else '') + 'exec "$@" 2>messages'
    with terminal(t, script=script, TERM=TERM) as at:
        at.close()
        code = at.process.wait(PATIENCE)
    messages = t.read('messages').decode()
    assert 'Input/output error' not in messages.replace('cannot write standard output: Input/output error', '')
    assert code == int('cannot write standard output' in messages) or (code == -signal.SIGHUP and not ignored)


def test_empty_line_shows_the_board(t):
    with terminal(t, end='q\r') as at:
        at.say('', '    a b c d e')


def test_stopped(t):
    """Ctrl-Z stops it with the terminal restored; continued, it goes on."""
    with terminal(t, script='set -m; "$@"; echo stopped; stty -a; fg >/dev/null', end='q\r') as at:
        at.type('\x1a')
        at.wait_for('stopped')
        settings = at.wait_for(READY)
        for setting in 'icanon', 'echo', 'icrnl', 'opost':
            assert re.search(rf'(?<!-)\b{setting}\b', settings)
        at.say('b1-c1', 'White plays')


# ---- editing ----

BLACK, WHITE, OVER_NOW = 'Black> ', 'White> ', 'Game over> '
EDITED = (  # what is typed, what is shown then, and the prompt after it
    ('over\x7f\x7fes\x01m\x05\r', 'c4-a4', BLACK),
    ('mo\t\r', 'c4-a4', BLACK),
    ('r\td\r', 'No move to redo.', BLACK),
    ('h\t', 'help      hint      history', BLACK),
    ('in\t all\r', 'b1-c1  draws', BLACK),
    ('d1\t\t', 'd1-d4   d1-e1   d1-e2', BLACK),
    ('e\x02\t', 'd1-d4   d1-e1   d1-e2', BLACK),  # of what is before the cursor
    ('\x062\t\r', ' 2  . . w .[b]', WHITE),
    ('undo\r', 'Taken back: d1-e2.', BLACK),
    ('B1C\t\r', ' 1  . +[b]b .', WHITE),
    ('undo\r', 'Taken back: b1-c1.', BLACK),
    ('\x1b[A\x1b[A\r', ' 1  . +[b]b .', WHITE),  # the history: undo, then the move
    ('zz\t\x15sav\tgame one.txt\r', 'Saved as game one.txt.', WHITE),
    ('save a-name-of-many-letters\t.txt\r', 'Saved as a-name-of-many-letters.txt.', WHITE),
    (
        'load \t',
        'a-name-of-many-letters.txt   accents/                     folder/ '
        '                     game one.txt                 link                         many/\n',
        WHITE,
    ),
    ('fo\t\t\r', 'Loaded folder/inner.txt.', BLACK),
    ('load game\t\r', 'Loaded game one.txt.', WHITE),
    ('load .\t', '.dot      .local/', WHITE),
    ('\x15load nowhere/\t\x15load many/\t\x15load accents/\t', '\u00e8b   \u00e9a', WHITE),
    ('\u00e9\t\r', 'Not loaded: accents/\u00e9a: no game', WHITE),
    ('\x15save --force game\t\r', 'Saved as game one.txt.', WHITE),
    (
        'zz a\t\x15n a\t\x15re a\t\x15flip a\t\x15against \t',
        'alphabeta:   beginner     easy         hard         human        level:       medium       minimax:     '
        'perfect      random       rules        weakest',
        WHITE,
    ),
    ('hu\t\r', 'Black (b): human. White (w): human.', WHITE),
    ('resign!\r', 'White resigns: Black wins.', OVER_NOW),
    ('b1\t-c1\r', 'The game is over.', OVER_NOW),
)


def test_editing_and_completion(t):
    """Lines are edited; the tab key completes moves and words, if there is something to; the history comes back."""
    t.write('folder/inner.txt', '*')
    for name in 'folder/.hidden', 'folder/a\x1bb', '.dot', 'accents/\u00e9a', 'accents/\u00e8b':
        t.write(name, '')
    for number in range(501):
        t.write(f'many/{number}', '')
    (t.dir / 'link').symlink_to('nowhere')
    with terminal(
        t, '--against', 'human', '--board-style', 'ascii', columns=200, LC_ALL='C.UTF-8', end='\x15quit\r'
    ) as at:
        for typed, answer, prompt in EDITED:
            at.type(typed)
            at.wait_for(answer)
            at.prompt(prompt)
        assert '499' not in at.shown  # too many completions


def test_strange_input(t):
    """A line longer than any other is cut, and is not a move; strange keys do no harm."""
    with terminal(t, columns=200, end='\x15quit\r') as at:
        for piece in ['b1-c1' + 495 * ' ', *10 * [500 * ' '], 'x\t']:  # as much as the terminal holds for its reader
            at.type(piece)
            while at.read(0.05):
                pass
        at.say('', "Invalid move 'b1-c1?'")
        for _ in range(200):
            at.type(t.random.choice(['\t', '\x1b[A', '\x1b[B', '\x1b[D', '\xe9', 'b', '1', '\x7f', '\x0b', '\x17']))
            at.read(0)


# ---- screens ----

@pytest.mark.parametrize('arguments, line, text, advice', [
    (['--against', 'perfect'], 'resign!', 'Black resigns: White wins.', True),
    (['--against', 'level:9'], 'resign!', 'Black resigns: White wins.', False),
    (['--against', 'human'], 'resign!', 'Black resigns: White wins.', False),
    (['--against', 'human'], '\r'.join(CYCLE * 2), DRAWN, False),
    (['--start', WON_IN_1], 'd1-c1', 'Three in a row: Black wins. Congratulations!', False),
    (['--start', WON_IN_1, '--against', 'human'], 'd1-c1', 'Three in a row: Black wins.', False),
    (['--start', '5/5/2b2/1b2b/ww1w1 b', '--against', 'perfect'], 'c3-e5', 'Three in a row: White wins.', True)])
def test_end_of_the_game(t, arguments, line, text, advice):
    """How a game ends is printed, and a gentler opponent for those only who have lost to the perfect player."""
    with terminal(t, '--seed', '1', *arguments, end='quit\r') as at:
        said = at.say(line, prompt=OVER_NOW).splitlines()
        assert text in said
        assert "Next: 'review', 'undo', 'new', 'save FILE' or 'quit'." in said
        assert ("This opponent never makes a mistake; try 'against easy'." in said) == advice


def test_game_that_is_over_when_it_begins(t):
    """There is neither a move to type nor one to take back."""
    t.solve('full.dat', '--board 3x3 --pieces 4 --row 3')
    with terminal(t, '--table', 'full.dat', '--start', 'bbw/wwb/1wb b', ready=OVER_NOW, end='quit\r') as at:
        assert "Type a command such as 'help'." in at.begin
        assert "Next: 'new', 'load FILE' or 'quit'." in at.begin
        at.say('help', 'Type one of these commands (', prompt=OVER_NOW)


@pytest.mark.parametrize('arguments, typed, question, done', [
    ([], 'res', 'Resign this game?', 'Black resigns: White wins.'),
    ([], 'n', 'End this game and begin a new one?', 'New game.'),
    (['--against', 'human'], 'draw', 'Do both players agree to a draw?', 'Draw by agreement.'),
    (['--against', 'human'], 'res b', 'Does Black resign this game?', 'Black resigns: White wins.'),
    (['--against', 'human', '--start', '1b1b1/2w2/5/2b2/1w1w1 w'], 'res w', 'Does White resign this game?',
     'White resigns: Black wins.'),
])
def test_end_of_a_game_is_confirmed(t, arguments, typed, question, done):
    """A command that would end the game asks, and only 'yes' runs it."""
    with terminal(t, *arguments, ready='> ', end='\x04') as at:
        at.say('b1-c1', prompt='> ')
        at.say(typed, question, prompt='yes or no> ')
        at.say('no', 'The game continues.', prompt='> ')
        at.say(typed, question, prompt='yes or no> ')
        at.say('', 'The game continues.', prompt='> ')
        at.say(typed, question, prompt='yes or no> ')
        at.type('y      \r')  # as long as what was typed
        at.wait_for(done)
        at.prompt('> ')


def test_game_without_moves_is_ended_without_a_question(t):
    with terminal(t, end='quit\r') as at:
        at.say('b1-c1', 'White plays')
        at.say('new!', 'New game.')
        at.say('new', 'New game.')


def test_completion_of_file_names_as_in_a_shell(t):
    t.write('home/my game.txt', 'b1-c1')
    with terminal(t, columns=400, end='quit\r', HOME=str(t.dir / 'home')) as at:  # the path is in one line
        at.say('load ~/my\t', f'Loaded {t.dir}/home/my game.txt.')
        at.say('load "home/my\t"', 'Loaded home/my game.txt.')


@pytest.mark.parametrize('columns', [80, 21])
def test_screen(t, columns):
    """A whole turn, with hints, fits 80 columns and 24 rows; at 21 columns lines break between words; sizes may
    change."""
    with terminal(t, '--hints', '--seed', '2', columns=columns, end='quit\r') as at:
        assert max(map(len, at.begin.split('\n'))) <= columns
        for line in 'help', 'b1-b3', 'b1-c1', 'hint', 'hint', 'hint', 'c1-a1', 'moves', 'undo', 'h\t\x15':
            lines = at.say(line).split('\n')[1:]
            assert max(map(len, lines)) <= columns
            assert len(lines) <= 24 or columns == 21
        at.type('hint')
        for columns in 10, 1, 200, 80:
            at.resize(24, columns)
            time.sleep(0.02)
        at.say(' all', 'draws')


def test_lists_have_as_many_columns_as_fit(t):
    with terminal(t, columns=23, end='quit\r') as at:
        assert re.search(r'\n  \S{5}   \S{5}   \S{5}\s', at.say('moves'))


@pytest.mark.parametrize('arguments, environment, coloured', [
    ([], {}, True),
    (['--color=never'], {}, False),
    ([], {'TERM': 'dumb'}, False),
    ([], {'TERM': 'nonsense', 'rows': 0, 'columns': 0}, None),
    ([], {'TERM': None, 'rows': 0, 'columns': 0}, None),
])
def test_colours(t, arguments, environment, coloured):
    """There is colour unless something forbids it; a dumb terminal sees no escapes and keeps its settings; unknown ones
    do no harm. Ctrl-D ends the program."""
    with terminal(t, *arguments, end='\x04', **environment) as at:
        at.say('b1-c1', 'White plays')
        dumb = environment.get('TERM') == 'dumb'
        assert not dumb or ('\x1b' not in at.shown and termios.tcgetattr(at.slave) == at.settings)
    assert coloured is None or bool(re.search(r'\x1b\[[0-9;]*m', at.shown)) == coloured


def test_one_end_at_a_terminal(t):
    """With only the input at a terminal there is a prompt, but no editing, with only the output at one neither."""
    assert BLACK not in t.run_at_terminal(['neutreeko', 'play'], 'stdout').expect(0).out
    with terminal(t, script='"$@" | tee log') as at:
        assert termios.tcgetattr(at.slave) == at.settings
        at.say('b1-b3\rb1-c1', 'White plays')
        at.end(0, 'quit\r')
    log = t.read('log').decode()
    assert 'Black plays b1-c1.\n' in log
    assert '\x1b' not in log


# ---- the state directory ----

GAMES = '.local/state/neutreeko/games'


def recorded(t, directory=GAMES):
    return sorted((t.dir / directory).glob('*'))


@pytest.mark.parametrize('state, directory', [('relative', GAMES), ('{}/state', 'state/neutreeko/games')])
def test_recorded(t, state, directory):
    """Each game is recorded after each move, and only what a person plays at a terminal."""
    environment = {'XDG_STATE_HOME': state.format(t.dir)}
    t.run(['neutreeko', 'play'], 'b1-c1\n', env=environment).expect(0)
    with terminal(t, '--no-record', end='q\r', **environment) as at:
        at.say('b1-c1', 'White plays')
    with terminal(t, '--against', 'minimax:20', **environment) as at:
        at.say('new', 'New game.')
        assert not recorded(t, directory)
        at.type('b1-c1\r')
        at.wait_for('White plays ')
        game, = recorded(t, directory)
        assert re.search(r'\[White "minimax:20"]\n\[Black "human"]\n(.*\n)*1. b1-c1\n\*\n', game.read_text())
        at.end(130, '\x03')
    assert recorded(t, directory) == [game]
    assert game.parent.stat().st_mode & 0o777 == 0o700


RESUME = ['neutreeko', 'play', '--resume']


def test_no_game_to_resume(t):
    """The message says where there is none."""
    t.run(RESUME).expect(1, '', f'neutreeko play: no game to resume: no unfinished one is recorded in {t.dir}/{GAMES}')
    t.run(RESUME, env={'HOME': None}).expect(
        1, '', 'no unfinished one is recorded in the state directory, because HOME is not set')


def test_resume(t):
    """--resume continues the last game, with its opponent. Other files in the directory are not games."""
    os.utime(t.write(f'{GAMES}/old.txt', 'b1-c1\n'), (1, 1))
    with terminal(t, '--against', 'level:1', '--seed', '1', end='q\r') as at:
        at.say('b1-c1', 'White plays')
        at.say('resign!', prompt=OVER_NOW)
        at.say('undo', 'Resignation taken back.')
        moves = at.say('history')
        at.say('new!', 'New game.')
    for name in '.hidden.txt', 'note', 'a.text', 'folder.txt/file':
        t.write(f'{GAMES}/{name}', 'nonsense')
    (t.dir / GAMES / 'link.txt').symlink_to('nowhere')
    before = recorded(t)
    t.run(RESUME, 'history\n').expect(0, ['against beginner (level:1).', *moves.split()[1:4]], '')
    assert recorded(t) == before


def test_two_that_resume_a_game_record_both(t):
    """What is changed takes the place of the game, and not of what the other has changed."""
    game = t.write(f'{GAMES}/game.txt', 'b1-c1 b5-c5\n')
    with terminal(t, '--resume', end='q\r') as one, terminal(t, '--resume', end='q\r') as two:
        one.say('undo', 'Taken back')
        two.say('resign!', prompt=OVER_NOW)
        one.say('d1-c1', 'White plays')
    assert ["'neutreeko play --resume' continues this game." in at.shown for at in (one, two)] == [True, False]
    assert not game.exists()
    assert sorted('resign' in path.read_text() for path in recorded(t)) == [False, True]


def test_what_is_not_a_game_is_not_resumed(t):
    t.write(f'{GAMES}/z.txt', 'nonsense')
    t.run(RESUME).expect(1, '', 'z.txt: line 1, character 1: there is no game: ')


def test_finished_game_is_not_resumed(t):
    """The last of the others is, or none."""
    t.write(f'{GAMES}/over.txt', f'[Start "{WON_IN_1}"]\nd1-c1 0-1\n')
    t.run(RESUME).expect(1, '', 'no game to resume: no unfinished one is recorded in')
    os.utime(t.write(f'{GAMES}/old.txt', 'b1-c1 c2-c3\n'), (1, 1))
    os.utime(t.write(f'{GAMES}/older.txt', 'b1-b2\n'), (0.9, 0.9))
    t.run(RESUME, 'history\n').expect(0, '1. b1-c1 c2-c3', '')


@pytest.mark.parametrize('script, reason', [
    ('HOME=/dev/null "$@"', 'cannot create the directory /dev/null/.local: Not a directory'),
    ('unset HOME; "$@"', 'neither XDG_STATE_HOME nor HOME names a directory'),
    ('ulimit -f 0; "$@"', 'File too large')])
def test_not_recorded(t, script, reason):
    """A game that cannot be recorded goes on, after a single note."""
    with terminal(t, '--against', 'level:2', script=script, end='q\r', columns=200) as at:
        at.say('b1-c1', 'the game continues, but is not recorded: ', 'White plays')
        at.say('undo', 'Taken back')
        assert at.shown.count('is not recorded') == 1
        assert reason in at.shown
    assert not recorded(t)


# ---- faults ----

needs_faults = pytest.mark.skipif('FAULTS' not in os.environ, reason='there is no library for faults')


def faulty_terminal(t, fault, *arguments, **options):
    """With the fault in the program, but not in the shell that starts it."""
    script = f'LD_PRELOAD={fault.pop("LD_PRELOAD")} exec "$@"'
    return terminal(t, *arguments, script=script, ready=None, **fault, **options)


@needs_faults
@pytest.mark.parametrize('density', [4, pytest.param(ALL, marks=pytest.mark.thorough)])
def test_out_of_memory(t, density):
    """Whichever allocation fails, the program goes on or ends with a message, and with the terminal as it was. Not with
    libedit, which crashes."""
    def runs_well(number):
        with faulty_terminal(
            t, faulty(t, 'alloc', number, code=errno.ENOMEM), '--color=never', TERM='dumb', columns=200
        ) as at:
            at.end(None, 'b1-c1\rnew\rd1-c1\rq\r')
        code = at.process.returncode
        return code == 0 or code == 1 and ('out of memory' in at.shown or 'no table' in at.shown)
    assert runs_well(0)
    numbers, _ = reported(t)
    assert len(numbers) > 10
    assert [number for number in fewer(numbers, density) if not runs_well(number)] == []


@needs_faults
@pytest.mark.parametrize('number, code', [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 130)])
def test_ended_while_it_saves(t, number, code):
    with faulty_terminal(t, faulty(t, 'fsync', 1, number_of_signal=number), TERM='dumb') as at:
        at.end(code, 'save game.txt\n')
    assert t.files() == []
