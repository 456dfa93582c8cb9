"""neutreeko play at a terminal."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

import cli_game
from cli_harness import PATIENCE, Failure, check, equal, printable, shorten
from play_game import Follower, cycle
from play_pipe import DRAWN, play

COLOUR = re.compile(r'\x1b\[[0-9;]*m')
ESCAPE = re.compile(r'\x1b\[[0-9;?]*[A-Za-z]|\x1b[()=>][AB0]?|[\r\a\b]')


class Terminal:
    """A terminal with a program at it."""

    def __init__(self, case, command, rows=24, columns=80, **environment):
        self.master, self.slave = pty.openpty()
        self.resize(rows, columns)
        self.found = termios.tcgetattr(self.slave)
        self.shown = ''  # all of it
        self.seen = 0    # how much of it has been looked for
        self.process = case.start(command, {'TERM': 'xterm', **environment},
                                  stdin=self.slave, stdout=self.slave, stderr=self.slave,
                                  preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.wait()
        os.close(self.slave)
        os.close(self.master)

    def resize(self, rows, columns):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))

    def read(self, patience):
        if not select.select([self.master], [], [], patience)[0]:
            return False
        self.shown += os.read(self.master, 1 << 16).decode('utf-8', 'backslashreplace')
        return True

    def type(self, text):
        os.write(self.master, text.encode())

    def enter(self, line):
        self.type(line + '\r')

    def wait_for(self, text):
        """Returns what is shown up to the text, its escapes taken out, from where the last wait ended."""
        end = time.monotonic() + PATIENCE
        while True:
            plain = ESCAPE.sub('', self.shown)
            at = plain.find(text, self.seen)
            # An escape at the end may not be whole yet.
            if at >= 0 and '\x1b' not in plain[:at + len(text)]:
                before = plain[self.seen:at]
                self.seen = at + len(text)
                return before
            if not self.read(max(0, end - time.monotonic())):
                raise Failure(f'{text!r} is not shown; the last is {printable(shorten(plain[self.seen:]))!r}')

    def wait_for_prompt(self, prompt='Black> '):
        """Waits until the program waits: until its prompt is the last that is shown."""
        shown = self.wait_for(prompt)
        while self.read(0.02):
            pass
        plain = ESCAPE.sub('', self.shown)
        if plain.find(prompt, self.seen) >= 0:  # libedit shows a line once more when it likes to
            shown += self.wait_for_prompt(prompt)
        return shown

    def wait_for_editing(self):
        """Waits until the program has taken the editing of lines from the terminal."""
        end = time.monotonic() + PATIENCE
        while termios.tcgetattr(self.slave)[3] & termios.ICANON:
            check(time.monotonic() < end, 'lines are not edited')
            self.read(0.01)

    def end(self, code):
        """Waits for the program's end; the terminal has to be as it was found."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            check(time.monotonic() < end, 'the program does not end')
            self.read(0.01)
        while self.read(0):
            pass
        equal(self.process.returncode, code, 'exit status')
        equal(termios.tcgetattr(self.slave), self.found, 'the settings of the terminal')


def test_game_at_a_terminal(case):
    """A game at a terminal, with its boards, to the end and into another one"""
    game = Follower()
    with Terminal(case, play(case, '--seed', '1')) as terminal:
        game.follow(terminal.wait_for_prompt().splitlines())
        while True:
            move = case.random.choice(sorted(cli_game.moves(game.position)))
            game.play(move)
            terminal.enter(move)
            lines = terminal.wait_for('> ').splitlines()
            rest = game.follow(lines)
            if any(' row:' in line or ' draw:' in line for line in rest):
                break
        if 'Three in a row: White wins.' in rest:
            check(any("'against level:3'" in line for line in rest), 'no gentler opponent is named')
        terminal.enter('b1-c1')
        terminal.wait_for('b1-c1: the game is over.')
        terminal.enter('new')
        terminal.wait_for('New game.')
        terminal.enter('q')
        terminal.end(0)


def test_interrupted_at_the_prompt(case):
    """Ctrl-C at the prompt restores the terminal and ends with 130, with and without something typed"""
    for typed in ('', 'b1-', 'b1\t'):
        with Terminal(case, play(case)) as terminal:
            terminal.wait_for_prompt()
            terminal.type(typed)
            terminal.wait_for_editing()
            terminal.type('\x03')
            terminal.end(130)


def test_interrupted_while_thinking(case):
    """Ctrl-C while the program thinks restores the terminal and ends with 130"""
    with Terminal(case, play(case, '--white', 'minimax:20')) as terminal:
        terminal.wait_for_prompt()
        terminal.enter('b1-c1')
        terminal.wait_for('White plays ')
        terminal.type('\x03')
        terminal.end(130)


def test_ended_by_signals(case):
    """SIGTERM, SIGHUP and SIGQUIT end it with the terminal restored"""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        with Terminal(case, ['sh', '-c', 'ulimit -c 0; exec "$@"', 'sh', *play(case)]) as terminal:
            terminal.wait_for_prompt()
            terminal.process.send_signal(number)
            terminal.end(-number)


def test_hung_up(case):
    """When the terminal goes away, the program does too"""
    terminal = Terminal(case, play(case))
    terminal.wait_for_prompt()
    os.close(terminal.slave)
    os.close(terminal.master)
    try:
        code = terminal.process.wait(PATIENCE)
        check(code in (0, -signal.SIGHUP), f'it ended with {code}')
    finally:
        terminal.process.kill()


def test_hung_up_but_kept_alive(case):
    """When the terminal goes away from a program that ignores the signal, as under nohup, that is an end of input"""
    for environment in {}, {'TERM': 'dumb'}:
        terminal = Terminal(case, ['sh', '-c', 'trap "" HUP; exec "$@" 2>complaints', 'sh', *play(case)], **environment)
        terminal.wait_for_prompt()
        os.close(terminal.slave)
        os.close(terminal.master)
        try:
            terminal.process.wait(PATIENCE)
        finally:
            terminal.process.kill()
        told = (case.dir / 'complaints').read_text()
        check('play: Input/output error' not in told, f'a complaint about the input: {told}')
        equal(terminal.process.returncode, int('cannot write to standard output' in told), f'exit status with {told!r}')


def test_orphaned(case):
    """Left behind in the background by a shell that has gone, it cannot read its terminal: an end of input"""
    script = """sh -c 'set -m; { while kill -0 $$; do sleep 0.01; done 2>/dev/null; "$@"; echo "$?" >status; } & exit' \\
        sh "$@"; exec sleep 60"""
    for environment in {}, {'TERM': 'dumb'}:
        with Terminal(case, ['sh', '-c', script, 'sh', *play(case)], **environment) as terminal:
            end = time.monotonic() + PATIENCE
            while not (case.dir / 'status').exists() or not (case.dir / 'status').read_text():
                check(time.monotonic() < end, 'it does not end')
                terminal.type('\r')
                terminal.read(0.01)
            equal((case.dir / 'status').read_text(), '0\n', 'exit status')
            (case.dir / 'status').unlink()


def test_ignored_signals(case):
    """What was ignored when it began stays ignored: Ctrl-Z, Ctrl-C and a change of size"""
    with Terminal(case, ['sh', '-c', 'trap "" TSTP INT WINCH; exec "$@"', 'sh', *play(case)]) as terminal:
        terminal.wait_for_prompt()
        terminal.wait_for_editing()
        terminal.type('\x1a\x03')
        terminal.resize(30, 70)
        terminal.enter('moves')
        terminal.wait_for('No moves yet.')
        terminal.enter('quit')
        terminal.end(0)


def test_end_by_control_d(case):
    """Ctrl-D is a clean end"""
    for dumb in (False, True):
        with Terminal(case, play(case), **({'TERM': 'dumb'} if dumb else {})) as terminal:
            terminal.wait_for_prompt()
            terminal.enter('b1-c1')
            terminal.wait_for('White plays')
            terminal.wait_for_prompt()
            if dumb:
                equal(termios.tcgetattr(terminal.slave), terminal.found, 'the settings of a dumb terminal')
            terminal.type('\x04')
            terminal.end(0)


def test_stopped(case):
    """Ctrl-Z stops it with the terminal restored; continued, it goes on"""
    script = 'set -m; "$@"; echo stopped; stty -a; fg >/dev/null'
    with Terminal(case, ['sh', '-c', script, 'sh', *play(case)]) as terminal:
        terminal.wait_for_prompt()
        terminal.type('\x1a')
        terminal.wait_for('stopped')
        settings = terminal.wait_for('Black> ')
        for setting in ('icanon', 'echo', 'icrnl', 'opost'):
            check(re.search(rf'(?<!-)\b{setting}\b', settings), f'{setting} is not set while stopped')
        terminal.wait_for_editing()
        terminal.enter('b1-c1')
        terminal.wait_for('White plays')
        terminal.enter('quit')
        terminal.end(0)


def test_editing_and_completion(case):
    """Lines are edited; the tab key completes moves and words; the history comes back"""
    with Terminal(case, play(case, '--white', 'human', '--seed', '1')) as terminal:
        def say(typed, *answers, prompt='Black> '):
            terminal.enter(typed)
            for answer in answers:
                terminal.wait_for(answer)
            terminal.wait_for_prompt(prompt)

        terminal.wait_for_prompt()
        say('mover\x7f\x7fes', 'No moves yet.')
        say('oves\x01m\x05', 'No moves yet.')
        say('mo\t', 'No moves yet.')
        say('r\td', 'No move to redo.')
        terminal.type('h\t')
        terminal.wait_for('hint   help')
        terminal.wait_for('Black> ')
        say('i\t', 'b1-c1  draws')
        terminal.type('d1\t\t')
        terminal.wait_for('  d1-d4')
        check('d1-e1' in terminal.wait_for('Black> '), 'not every move is offered')
        say('e2\t', ' 2  . . w .[b]', prompt='White> ')
        terminal.enter('undo')
        terminal.wait_for('Taken back: d1-e2.')
        terminal.wait_for_prompt()
        say('B1C\t', ' 1  . +[b]b .', prompt='White> ')
        terminal.enter('undo')
        terminal.wait_for_prompt()
        say('\x1b[A\x1b[A', 'b1-c1', prompt='White> ')  # the history: undo, then the move
        terminal.enter('zz\t\x15sav\tgame one.txt')
        terminal.wait_for('Saved as game one.txt.')
        terminal.wait_for_prompt('White> ')
        terminal.type('\x15quit\r')
        terminal.end(0)


def test_letters_of_several_bytes(case):
    """In a locale of several bytes a letter, the backspace key takes a letter; in others such bytes are passed over"""
    for locale, typed in (('C.UTF-8', 'mo\u00e9\u65e5\x7f\x7fves'), ('C', 'mo\u00e9\u65e5ves')):
        with Terminal(case, play(case), LC_ALL=locale) as terminal:
            terminal.wait_for_prompt()
            terminal.wait_for_editing()
            terminal.enter(typed)
            terminal.wait_for('No moves yet.')
            terminal.wait_for_prompt()
            terminal.enter('quit')
            terminal.end(0)


def test_completion_has_nothing_to_say(case):
    """After a long text, after what begins no word, and when the game is over, the tab key leaves the line as it is"""
    with Terminal(case, play(case)) as terminal:
        terminal.wait_for_prompt()
        terminal.enter('save a-name-of-many-letters\t.txt')
        terminal.wait_for('Saved as a-name-of-many-letters.txt.')
        terminal.wait_for_prompt()
        terminal.enter('xy\tz')
        terminal.wait_for("Unknown move or command 'xyz'.")
        terminal.wait_for_prompt()
        terminal.enter('resign')
        terminal.wait_for_prompt('Game over> ')
        terminal.enter('b1\t-c1')
        terminal.wait_for('b1-c1: the game is over.')
        terminal.wait_for_prompt('Game over> ')
        terminal.enter('q')
        terminal.end(0)


def test_long_line(case):
    """A line longer than any other is cut, and no move"""
    with Terminal(case, play(case), columns=200) as terminal:
        terminal.wait_for_prompt()
        terminal.wait_for_editing()
        line = 'b1-c1' + 5000 * ' ' + 'x'
        for at in range(0, len(line), 500):  # as much as the terminal holds for its reader
            terminal.type(line[at:at + 500])
            while terminal.read(0.05):
                pass
        terminal.enter('')
        terminal.wait_for("Invalid move 'b1-c1?'")
        terminal.wait_for_prompt()
        terminal.enter('quit')
        terminal.end(0)


def test_words_at_the_end(case):
    """How a game ends is told; who has lost to the perfect player is told of a gentler one, and nobody else"""
    near = '5/5/2w2/1w2w/bb1b1 b'  # Black wins by d1-c1
    gentler = "This opponent never makes a mistake; try 'against level:3'."
    for arguments, line, words, advice in (
            ([], 'resign', 'Black resigns: White wins.', True),
            (['--white', 'level:9'], 'resign', 'Black resigns: White wins.', False),
            (['--white', 'human'], 'resign', 'Black resigns: White wins.', False),
            (['--white', 'human'], '\r'.join(cycle(cli_game.START) * 2), DRAWN, False),
            (['--start', near], 'd1-c1', 'Three in a row: Black wins. Congratulations!', False),
            (['--start', near, '--white', 'human'], 'd1-c1', 'Three in a row: Black wins.', False),
            (['--start', near[:-1].replace('b', 'x').replace('w', 'b').replace('x', 'w') + 'b', '--white', 'perfect'],
             None, 'Three in a row: White wins.', True)):
        with Terminal(case, play(case, '--seed', '1', *arguments)) as terminal:
            if line:
                terminal.wait_for_prompt()
                terminal.enter(line)
            else:
                lost = case.run(['neutreeko', 'query', '--table', case.table, arguments[1]]).expect(0)
                terminal.wait_for_prompt()
                terminal.enter(re.findall(r'^  (\w\d-\w\d)  loses in 2 plies$', lost.out, re.M)[0])
            said = terminal.wait_for_prompt('Game over> ').splitlines()
            check(words in said, f'{words!r} is not among {said}')
            equal(gentler in said, advice, f'advice after {arguments} {line}')
            check("Next: 'undo', 'new', 'save FILE' or 'quit'." in said, f'no advice on what to do now in {said}')
            terminal.enter('quit')
            terminal.end(0)


def test_over_from_the_start(case):
    """A game that is over before it begins asks for no move"""
    with Terminal(case, play(case, '--start', '2www/5/5/5/b1b1b b')) as terminal:
        said = terminal.wait_for_prompt('Game over> ')
        check('Type a move' not in said and 'Three in a row: White wins.' in said, f'what is said: {said}')
        terminal.enter('quit')
        terminal.end(0)


def test_screen(case):
    """A whole turn, with hints, fits 80 columns and 24 rows, and so does every help"""
    with Terminal(case, play(case, '--hints', '--seed', '2')) as terminal:
        screens = [terminal.wait_for_prompt()]
        for line in ('b1-c1', 'hint', 'help', 'c1-a1', 'hint', 'moves', 'undo'):
            terminal.enter(line)
            screens.append(terminal.wait_for_prompt())
        for screen in screens:
            lines = screen.split('\n')
            check(len(lines) <= 24, f'{len(lines)} rows: {lines}')
            check(max(map(len, lines)) <= 80, f'{max(map(len, lines))} columns: {lines}')
        terminal.enter('quit')
        terminal.end(0)


def test_narrow_screen(case):
    """At 20 columns boards stay whole and sentences break between words; a change of size does no harm"""
    with Terminal(case, play(case, '--hints', '--seed', '2'), columns=20) as terminal:
        for line in ('', 'help', 'b1-b3', 'b1-c1', 'c1-a1', 'moves', 'undo', 'h\t\x15'):
            if line:
                terminal.enter(line)
            lines = terminal.wait_for_prompt().split('\n')[bool(line):]
            check(max(map(len, lines)) <= 20, f'a line is too long: {lines}')
        terminal.type('hint')
        for columns in (10, 1, 200, 80):
            terminal.resize(24, columns)
            time.sleep(0.02)
        terminal.enter('')
        terminal.wait_for('draws')
        terminal.enter('quit')
        terminal.end(0)


def test_colour(case):
    """There is colour unless --no-color, NO_COLOR or TERM=dumb forbids it; a dumb terminal sees no escapes"""
    for arguments, environment, coloured in (
            ([], {}, True), ([], {'NO_COLOR': ''}, True), ([], {'NO_COLOR': '1'}, False),
            (['--no-color'], {}, False), ([], {'TERM': 'dumb'}, False)):
        with Terminal(case, play(case, *arguments), **environment) as terminal:
            terminal.wait_for_prompt()
            terminal.enter('b1-c1')
            terminal.wait_for('White plays')
            terminal.wait_for_prompt()
            terminal.enter('quit')
            terminal.end(0)
            equal(bool(COLOUR.search(terminal.shown)), coloured, f'colours with {arguments} {environment}')
            if environment.get('TERM') == 'dumb':
                check('\x1b' not in terminal.shown, 'escapes at a dumb terminal')


def test_strange_terminals(case):
    """An unknown terminal, one without a size, and strange keys do no harm"""
    for program, environment in ([], {'TERM': 'nonsense'}), ([], {'TERM': ''}), (['env', '-u', 'TERM'], {}):
        with Terminal(case, program + play(case), rows=0, columns=0, **environment) as terminal:
            terminal.wait_for_prompt()
            terminal.enter('b1-c1')
            terminal.wait_for('White plays')
            terminal.enter('quit')
            terminal.end(0)
    with Terminal(case, play(case)) as terminal:
        terminal.wait_for_prompt()
        keys = ['\t', '\x1b[A', '\x1b[B', '\x1b[D', '\xe9', 'b', '1', '\x7f', '\x0b', '\x17']
        for _ in range(200):
            terminal.type(case.random.choice(keys))
            terminal.read(0)
        terminal.type('\x15')
        terminal.enter('')
        terminal.wait_for('Black> ')
        terminal.type('\x15')
        terminal.enter('quit')
        terminal.end(0)


def test_one_end_at_a_terminal(case):
    """With only one end at a terminal lines are neither edited nor prompted for"""
    result = case.run(play(case), terminal='out').expect(0)
    check('Black> ' not in result.out, 'a prompt')
    with Terminal(case, ['sh', '-c', '"$@" | cat', 'sh', *play(case)]) as terminal:
        terminal.wait_for('a b c d e')
        terminal.type('b1-c1\nquit\n')
        terminal.wait_for('White plays')
        terminal.end(0)
        check('Black> ' not in terminal.shown, 'a prompt')
