"""End-to-end tests of neutreeko engine, the line protocol for other programs (docs/engine.md).

Usage: python3 tests/engine.py PATH/neutreeko-solve PATH/neutreeko [NAME...]

Prints TAP; exit status 0 only when every test passed. With a NAME, or several, only those tests run whose
function's name contains it. Needs nothing beyond Python's standard library.
"""

import collections
import contextlib
import os
import pathlib
import re
import select
import subprocess
import sys

sys.dont_write_bytecode = True  # leave no __pycache__ among the sources

import cli_game as game
import cli_harness
from cli_harness import PATIENCE, check, equal
from cli_query import ask

DOCUMENT = pathlib.Path(__file__).resolve().parent.parent / 'docs' / 'engine.md'
START = game.fen(game.START)
OVER = '5/5/2w2/1w1w1/bbb2 w'
# White goes to and fro between a2 and e2; with e2-a2 the position occurs for the third time.
TO_AND_FRO = 'b1-b4 c2-a2 b4-b1 a2-e2 b1-b4 e2-a2 b4-b1 a2-e2 b1-b4'
LONGEST_LINE = 65536

OPPONENTS = ['random', 'rules', 'minimax:1', 'minimax:2', 'alphabeta:1', 'alphabeta:3', 'level:1', 'level:9',
             'weakest', 'perfect']

ANSWER = re.compile(rb'(id|param|wait|ready|pong|done|info|error)( [a-z]+(=([^ "=]+|"[^"]*"))?)*')


class Engine:
    """An engine in conversation."""

    def __init__(self, process):
        self.process = process
        self.rest = b''  # answers not yet looked at

    def send(self, *lines):
        for line in lines:
            self.process.stdin.write((line if isinstance(line, bytes) else line.encode()) + b'\n')
        self.process.stdin.flush()

    def line(self):
        """The next line of its answers."""
        while b'\n' not in self.rest:
            ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
            check(ready, f'no answer after {PATIENCE} s')
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            check(piece, 'the engine has gone')
            self.rest += piece
        line, self.rest = self.rest.split(b'\n', 1)
        check(ANSWER.fullmatch(line), f'no answer of the documented form: {line!r}')
        return line.decode('ascii')

    def ask(self, *lines):
        """The answers to these lines."""
        self.send(*lines, 'ping')
        answers = []
        while (line := self.line()) != 'pong':
            answers.append(line)
        return answers

    def done(self, *lines):
        """The last of the answers to these lines, which must be a move: {'move': ..., 'result': ...}."""
        return values(self.ask(*lines)[-1], 'done')


@contextlib.contextmanager
def engine(t, *arguments, table=None):
    """An engine that must not end before it is told to, and then without a complaint."""
    pipe = subprocess.PIPE
    with t.start(['neutreeko', 'engine', '--table', table or t.table, *arguments],
                 stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            yield Engine(process)
            out, err = process.communicate(b'quit\n', timeout=PATIENCE)
            equal((process.returncode, out, err), (0, b'', b''), 'how the engine ends')
        finally:
            process.kill()


def values(line, word):
    """What an info or done line says."""
    check(line.split()[0] == word, f'expected {word}, found {line}')
    found = dict(argument.split('=') for argument in line.split()[1:])
    expected = ['move', 'result'] + (['distance'] if found.get('result') != 'draw' else [])
    equal(list(found), expected, f'the arguments in: {line}')
    found['distance'] = int(found['distance']) if 'distance' in found else None
    return found


def session(t, text, *arguments, **options):
    """What the engine answers to all of this input."""
    return t.run(['neutreeko', 'engine', '--table', t.table, *arguments], input=text, **options)


def pos(position, moves=()):
    return f'pos pos="{position}" moves="{" ".join(moves)}"'


# ---- beginning and end ----

def test_engine_usage(t):
    """--help prints to standard output; a wrong option gets exit status 2, a missing table 1"""
    for option in '--help', '-h':
        t.run(f'neutreeko engine {option}').expect(0, ['Usage: neutreeko engine', '--seed', '--table'], '')
    for arguments, complaint in (('--nonsense', '--nonsense'), ('-z', "'z'"), ('--seed', '--seed'),
                                 ('--seed x', "'x'"), ('--seed -1', "'-1'"), ('--seed ""', '--seed'),
                                 ('--seed 99999999999999999999', '--seed'), ('--table', '--table'),
                                 ('think', "'think'"), ('""', "''")):
        t.run(f'neutreeko engine {arguments}').expect(2, '', [complaint, 'neutreeko engine --help'])
    t.run('neutreeko engine --table missing.dat', input=b'go\n').expect(1, '', 'missing.dat')


def test_engine_end(t):
    """It ends at quit, and at the end of the input after the last line, with exit status 0"""
    for text, out in ((b'', b''), (b'quit\n', b''), (b'quit', b''), (b'\n\n \n\t\n\r\n', b''),
                      (b'ping\n', b'pong\n'), (b'ping', b'pong\n'), (b'ping\r\n', b'pong\n'),
                      (b'ping\r', b'pong\n'), (b'ping\nquit\nping\n', b'pong\n'),
                      (b'ping\r\nquit\r\n', b'pong\n'), (b' \tping\t \nping', b'pong\npong\n')):
        outcome = session(t, text).expect(0, err='')
        equal(outcome.out_bytes, out, f'the answers to {text!r}')


def test_engine_streams_fail(t):
    """It ends with exit status 1 when its output cannot be written or its input cannot be read"""
    for closed in cli_harness.closed_outputs():
        t.run(f'echo ping | neutreeko engine --table "$TABLE" {closed}').expect(1, '', 'cannot write')
    t.run('neutreeko engine --table "$TABLE" <.').expect(1, '', 'cannot read')
    gone = t.run('yes ping | neutreeko engine --table "$TABLE" | head -n 1')
    gone.check(gone.out == 'pong\n', 'not one pong')


# ---- what the document says ----

def test_engine_handshake(t):
    """hub, set-param, init go as documented, and show the parameter as it is"""
    with engine(t) as e:
        hello = e.ask('hub')
        equal(len(hello), 3, 'lines')
        check(re.fullmatch(r'id name=Neutreeko version=\d+\.\d+\.\d+', hello[0]), hello[0])
        equal(hello[1:], ['param name=opponent value=perfect type=string', 'wait'], 'the rest')
        equal(e.ask('set-param name=opponent value=level:4'), [], 'answer to set-param')
        equal(e.ask('init'), ['ready'], 'answer to init')
        for name in OPPONENTS:
            equal(e.ask(f'set-param value="{name}" name="opponent"'), [], f'answer to {name}')
            shown = e.ask('new-game', 'hub')[1]
            equal(shown, f'param name=opponent value={name} type=string', 'the parameter')


def test_engine_document_session(t):
    """The session printed in docs/engine.md is one that really takes place"""
    text = DOCUMENT.read_text(encoding='utf-8')
    exchange = re.search(r'\n```\n(> .*?)```\n', text, re.S)[1].splitlines()
    arguments = re.search(r'session started with `neutreeko engine (.*?)`', text)[1].split()
    with engine(t, *arguments) as e:
        for line in exchange:
            if line.startswith('> '):
                e.send(line[2:])
            else:
                equal(e.line(), line, 'the next line of the session')


def errors():
    """Lines that are wrong, with the message that each gets."""
    many = ' '.join(f'a{i}=1' for i in range(17))
    no_opponent = ("unknown opponent '{}': expected human, random, rules, minimax:N, alphabeta:N, level:N, "
                   "weakest or perfect")
    return (
        ('foo', 'unknown command foo'),
        ('PING', 'unknown command PING'),
        ('hub=1', 'unknown command hub=1'),
        ('"ping"', "unknown command 'ping'"),
        ('\x7f\x01é', 'unknown command ????'),
        ('x' * 1000, 'unknown command ' + 'x' * 40),
        ('ping foo', 'ping takes no arguments'),
        ('quit now', 'quit takes no arguments'),
        ('stop x=1', 'stop takes no arguments'),
        ('hub hub', 'hub takes no arguments'),
        ('init a', 'init takes no arguments'),
        ('new-game a', 'new-game takes no arguments'),
        ('ponder-hit a', 'ponder-hit takes no arguments'),
        (f'level {many}', 'too many arguments: expected at most 16'),
        ('level =b', 'invalid argument =b: expected name or name=value'),
        ('level "b"', "invalid argument 'b': expected name or name=value"),
        ('level a"b', "invalid argument a'b: expected name or name=value"),
        ('pos pos="', 'invalid value of pos: missing closing quote'),
        ('pos pos="x y', 'invalid value of pos: missing closing quote'),
        ('pos pos="x"y', 'invalid value of pos: expected a space after it, found y'),
        ('pos pos=x=y', 'invalid value of pos: expected a space after it, found ='),
        ('pos pos=x"y"', "invalid value of pos: expected a space after it, found '"),
        ('pos pos=', 'missing value after pos='),
        ('pos pos= moves=', 'missing value after pos='),
        ('pos move=b1-c1', 'unknown argument of pos: move'),
        ('set-param foo=bar', 'unknown argument of set-param: foo'),
        ('pos pos', 'missing value of pos: expected pos=...'),
        ('pos pos=1 pos=1', 'repeated argument pos'),
        ('set-param', 'set-param requires name=... and value=...'),
        ('set-param name=opponent', 'set-param requires name=... and value=...'),
        ('set-param value=perfect', 'set-param requires name=... and value=...'),
        ('set-param name=level value=1', 'unknown parameter level: expected opponent'),
        ('set-param name="" value=1', 'unknown parameter : expected opponent'),
        ('set-param name=opponent value=foo', no_opponent.format('foo')),
        ('set-param name=opponent value=""', no_opponent.format('')),
        ('set-param name=opponent value=human', "invalid opponent 'human': the engine has to choose the moves"),
        ('set-param name=opponent value=level:0', "'level' requires a number from 1 to 9, as in level:4"),
        ('set-param name=opponent value=level:10', "'level' requires a number from 1 to 9, as in level:4"),
        ('set-param name=opponent value=level', "'level' requires a number from 1 to 9, as in level:4"),
        ('set-param name=opponent value=minimax:99999999999999999999', None),
        ('pos pos=5/5/2w2/1w1w1/bbb2',
         'invalid position: character 19: the text ends, expected a space and the side to move'),
        ('pos pos=""', None),
        ('pos pos="5/5/2w2/1w1w1/bbb2 b"', 'illegal position: Black has already won and cannot be the one to move'),
        ('pos pos="5/5/5/1w1w1/bbb2 w"', 'illegal position: White has 2 pieces, expected 3'),
        ('pos moves="b1-c1 b1-c1"', 'move 2, b1-c1: there is no piece on b1'),
        ('pos moves="b1-c1 c1-a1"', "move 2, c1-a1: the piece on c1 is not White's"),
        ('pos moves="b1-b3"', 'move 1, b1-b3: the piece slides until something stops it: on b4, not b3'),
        ('pos moves="b1-c1 ?"', None),
        ('pos moves="b1-c1,b5-c5"', None),
        ('pos moves="' + 'b' * 5000 + '"', None),
        (f'pos pos="{OVER}" moves=b3-c2', 'move 1, b3-c2: the game is over'),
        (f'pos moves="{TO_AND_FRO} e2-a2 b4-b1"', 'move 11, b4-b1: the game is over'),
        ('go fast', 'invalid arguments of go: expected think, ponder or analyze'),
        ('go think analyze', 'invalid arguments of go: expected think, ponder or analyze'),
        ('go think=1', 'invalid arguments of go: expected think, ponder or analyze'),
        (f'level {"x" * (LONGEST_LINE - 5)}', f'line too long: expected at most {LONGEST_LINE} bytes'),
        ('go\0think', 'unexpected byte 0 at character 3'),
        ('\0', 'unexpected byte 0 at character 1'),
        ('ping\0', 'unexpected byte 0 at character 5'),
    )


def test_engine_errors(t):
    """Each documented error is answered by its message in one line, and changes nothing"""
    found = []
    with engine(t) as e:
        equal(e.ask('set-param name=opponent value=level:4', pos('1wbb1/1wbw1/5/5/5 b')), [], 'answer')
        state = e.ask('go analyze')[:-1]
        for line, message in errors():
            answers = e.ask(line)
            equal(len(answers), 1, f'number of answers to {line[:80]!r}: {answers}')
            match = re.fullmatch(r'error message="([ !#-~]*)"', answers[0])
            check(match, f'no error in answer to {line[:80]!r}: {answers}')
            if message is not None:
                equal(match[1], message, f'message to {line[:80]!r}')
            found.append(match[1])
            equal(e.ask('hub')[1], 'param name=opponent value=level:4 type=string', 'the parameter')
            equal(e.ask('go analyze')[:-1], state, f'the position after {line[:80]!r}')
        for position, moves in ((OVER, ''), (START, TO_AND_FRO + ' e2-a2')):
            found.append(re.fullmatch('error message="(.*)"', *e.ask(pos(position, [moves]), 'go'))[1])
    equal(found[-2:], ['the game is over. Black wins.',
                       'the game is over. Draw by threefold repetition.'], 'ends of games')
    elsewhere = 'board without a start position', 'damaged table', 'out of memory'
    table = re.search(r'## Errors.*?\n\|---\|---\|\n(.*?)\n\n', DOCUMENT.read_text(encoding='utf-8'), re.S)[1]
    for what, message in re.findall(r'^\| (.*?) \| (.*?) \|$', table, re.M):
        if what not in elsewhere:
            begin = message.strip('`').removesuffix('...')
            check(any(text.startswith(begin) for text in found), f'documented but never said: {message}')


def test_engine_damaged_table(t):
    """A damaged table is an error to answer, not an end"""
    damaged = bytearray(t.table.read_bytes())
    for at in range(10000, len(damaged), 100):
        damaged[at] ^= 0x10
    errors = 0
    with engine(t, table=t.write('damaged.dat', bytes(damaged))) as e:
        for _ in range(20):
            position = game.random_position(t.random)
            if not game.is_over(position):
                answers = e.ask(pos(game.fen(position)), 'go')
                errors += len(answers) == 1 and 'damaged.dat: damaged' in answers[0]
    check(errors, 'the damage was never noticed')


def test_engine_refuses_or_is_right(t):
    """With one bit of the table changed it answers as before, or tells of the damage; and all opponents do"""
    talks, seen = [], collections.Counter()
    while len(talks) < 6:
        position = game.random_position(t.random)
        if game.moves(position):
            name = ('perfect', 'level:9', 'weakest')[len(talks) % 3]
            text = f'set-param name=opponent value={name}\n{pos(game.fen(position))}\ngo analyze\n'.encode()
            talks.append((name, text, session(t, text, '--seed', '1').expect(0, err='').out))
    for path in t.damaged(24):
        for name, text, right in talks:
            said = session(t, text, '--seed', '1', '--table', path).expect(0, err='').out
            if said != right:
                check(re.fullmatch(rf'error message="{path}: damaged[^"\n]*"\n', said), f'the answer: {said}')
            seen[name, said == right] += 1
    equal(len(seen), 6, f'answers and refusals: {seen}')


def test_engine_without_start(t):
    """On a board without a start there is no position before pos names one; new-game forgets it"""
    t.run('neutreeko-solve --quiet --board 4x4 -o small.dat').expect(0)
    with engine(t, table='small.dat') as e:
        for _ in range(2):
            equal(e.ask('go'), ['error message="the position is not set: use pos"'], 'the answer to go')
            equal(e.ask('pos moves="a1-a4"'),
                  ['error message="this board has no start position: set a position with pos="'], 'the answer to pos')
            check(e.done('pos pos="w1w1/1b2/2w1/b1b1 b"', 'go'), 'no move')
            equal(e.ask('new-game'), [], 'the answer to new-game')


# ---- answers ----

def test_engine_silence(t):
    """Commands without an answer have none"""
    with engine(t) as e:
        for line in ('pos', f'pos pos="{START}"', 'pos moves=""', 'pos moves="  b1-c1  b5-c5 "',
                     f'pos pos="{OVER}"', f'pos pos={START.replace(" ", "_")}', 'new-game',
                     'pos pos=B:.B.B...W.........B...W.W.', 'pos moves="B1C1\t5B5C"', 'level',
                     'level infinite', 'level moves=9 time=291.587 inc=0', 'level depth=10', 'level  x  y ',
                     'stop', 'ponder-hit', '', ' ', '\t', '\r'):
            equal(e.ask(line), [], f'answer to {line!r}')


def test_engine_values(t):
    """go analyze tells every move and what it is worth; go think and go ponder choose a best one"""
    positions = []
    while len(positions) < 300:
        position = game.random_position(t.random)
        if game.moves(position):
            positions.append(position)
    with engine(t) as e:
        for position, answer in zip(positions, ask(t, [game.fen(position) for position in positions])):
            *info, done = e.ask(pos(game.fen(position)), 'go analyze')
            told = [values(line, 'info') for line in info]
            equal(told, answer['moves'], f'moves of {game.fen(position)}')
            for choice in values(done, 'done'), e.done('go think'), e.done('go ponder'), e.done('go'):
                check(choice in told, f'a move of its own: {choice}')
                equal((choice['result'], choice['distance']), (answer['result'], answer['distance']),
                      f'worth of the move chosen in {game.fen(position)}')


def test_engine_repetition(t):
    """A third occurrence is seen in the moves, and only in them"""
    with engine(t) as e:
        moves = TO_AND_FRO.split()
        told = {line['move']: line['result'] for line in
                (values(line, 'info') for line in e.ask(pos(START, moves), 'go analyze')[:-1])}
        equal({move: result for move, result in told.items() if result != 'loss'}, {'e2-a2': 'draw'},
              'moves that save White')
        equal(e.done('go')['move'], 'e2-a2', 'the move that saves White')
        equal(e.done(pos(START, moves[:5]), 'go')['result'], 'loss', 'White, one occurrence earlier')
        position = game.START
        for move in moves:
            position = game.moves(position)[move]
        equal(e.done(pos(game.fen(position)), 'go')['result'], 'loss', 'White, without the moves')


def test_engine_new_game(t):
    """new-game goes back to the start and forgets the moves"""
    with engine(t) as e:
        at_start = e.ask('go analyze')[:-1]
        check(e.ask(f'pos moves="{TO_AND_FRO}"', 'go analyze')[:-1] != at_start, 'pos changes nothing')
        equal(e.ask('new-game', 'go analyze')[:-1], at_start, 'after new-game')
        equal(e.ask('pos moves="b1-c1"', 'pos', 'go analyze')[:-1], at_start, 'after pos without arguments')


def test_engine_opponents(t):
    """Every opponent makes legal moves"""
    with engine(t) as e:
        for name in OPPONENTS:
            equal(e.ask(f'set-param name=opponent value={name}'), [], f'answer to {name}')
            for _ in range(10):
                position = game.random_position(t.random)
                moves = game.moves(position)
                if moves:
                    choice = e.done(pos(game.fen(position)), 'go')['move']
                    check(choice in moves, f'{name} plays {choice} in {game.fen(position)}')


def test_engine_seed(t):
    """The same seed and commands give the same answers, another seed or none gives others"""
    text = b'set-param name=opponent value=random\n' + 40 * b'go\n'
    equal(session(t, text, '--seed', '5').out, session(t, text, '--seed', '5').out, 'answers with one seed')
    answers = {session(t, text, *seed).out for seed in (['--seed', '5'], ['--seed', '6'], [], [])}
    equal(len(answers), 4, 'different sequences of answers')


# ---- games ----

class Referee:
    """A game between two engines, by rules of its own."""

    def __init__(self, black, white):
        self.engines = {'b': black, 'w': white}
        self.position = game.START
        self.moves = []
        self.seen = collections.Counter([self.position])

    def end(self):
        if game.is_over(self.position):
            return f'the game is over. {"Black" if self.position.to_move == "w" else "White"} wins.'
        if self.seen[self.position] == 3:
            return 'the game is over. Draw by threefold repetition.'
        return None

    def play(self):
        """Returns the positions, first to last."""
        positions = [self.position]
        while not self.end():
            check(len(self.moves) < 3000, 'a game without an end')
            legal = game.moves(self.position)
            move = self.engines[self.position.to_move].done(pos(START, self.moves), 'go think')['move']
            check(move in legal, f'{move} is not legal in {game.fen(self.position)}')
            self.moves.append(move)
            self.position = legal[move]
            self.seen[self.position] += 1
            positions.append(self.position)
        for e in self.engines.values():
            said = e.ask(pos(START, self.moves), 'go')
            equal(said, [f'error message="{self.end()}"'], 'what an engine says at the end')
        return positions


def test_engine_games(t):
    """Two engines play 100 games: legal moves, the same end for both, perfect never lowers its result"""
    rivals = ['perfect', 'level:9', 'rules', 'level:2', 'random']
    ends = collections.Counter()
    by_perfect = []  # positions before and after its moves
    with engine(t, '--seed', '1') as a, engine(t, '--seed', '2') as b:
        for number in range(100):
            rival = rivals[number // 2 % len(rivals)]
            equal(b.ask(f'set-param name=opponent value={rival}', 'new-game'), [], 'answer')
            referee = Referee(a, b) if number % 2 == 0 else Referee(b, a)
            positions = referee.play()
            perfect = 'bw'[number % 2]
            by_perfect += [pair for pair in zip(positions, positions[1:])
                           if pair[0].to_move == perfect or rival == 'perfect']
            ends[referee.end().removeprefix('the game is over. ')] += 1
            lost = game.is_over(referee.position) and referee.position.to_move == perfect
            check(not lost, f'perfect loses to {rival}: {" ".join(referee.moves)}')
            if rival == 'perfect':
                check(not game.is_over(referee.position), 'perfect against perfect is no draw')
    before = ask(t, [game.fen(first) for first, _ in by_perfect])
    after = ask(t, [game.fen(second) for _, second in by_perfect])
    for first, second in zip(before, after):
        kept = game.value_before(second)['result']
        equal(kept, first['result'], f'what perfect made of {first["position"]}')
    check(ends['Draw by threefold repetition.'] >= 20, f'hardly any repetition: {ends}')
    check(min(ends['Black wins.'], ends['White wins.']) >= 20, f'hardly any wins: {ends}')


# ---- what no program should send ----

def expect_survival(t, text, what):
    """All this input, then a ping: nothing but answers, the last of them a pong."""
    outcome = session(t, text + b'\nping\n').expect(0, err='')
    lines = outcome.out_bytes.split(b'\n')
    outcome.check(lines[-1] == b'' and lines[-2] == b'pong', f'no pong after {what}')
    for line in lines[:-1]:
        outcome.check(ANSWER.fullmatch(line), f'after {what}, not of the documented form: {line[:200]!r}')
    return lines[:-2]


def test_engine_long_lines(t):
    """A line may have 65,536 bytes; a longer one is one error, however long it is"""
    too_long = f'error message="line too long: expected at most {LONGEST_LINE} bytes"'.encode()
    for length in LONGEST_LINE - 1, LONGEST_LINE, LONGEST_LINE + 1, 100_000, 1_000_000, 10_000_000:
        for begin, end in (b'level ', b''), (b'level ', b'\r'):
            # A carriage return at the very end counts for nothing, if it is not itself too much.
            text = begin + b'x' * (length - len(begin)) + (end if length < LONGEST_LINE else b'')
            answers = expect_survival(t, text, f'a line of {length} bytes')
            expected = [too_long] if length > LONGEST_LINE else []
            equal(answers, expected, f'answers to a line of {length} bytes')
    for text in b'x' * 1_000_000, b'\0' * 1_000_000, b'"' * 1_000_000, b'pos moves="' + b'b1-b4 ' * 200_000:
        answer = session(t, text).expect(0, err='').out_bytes
        equal(answer, too_long + b'\n', 'answer to a long line without an end')
    equal(expect_survival(t, b' ' * LONGEST_LINE, 'many blanks'), [], 'answers to blanks')


def test_engine_long_game(t):
    """A game as long as a line holds is a game"""
    with engine(t) as e:
        position, seen, moves = game.START, collections.Counter([game.START]), []
        while len(pos(START, moves)) + 6 < LONGEST_LINE:
            free = [(move, after) for move, after in game.moves(position).items()
                    if not game.is_over(after) and seen[after] < 2]
            check(free, 'the way is blocked: take another')
            move, position = t.random.choice(sorted(free, key=lambda option: option[0]))
            moves.append(move)
            seen[position] += 1
        e.done(pos(START, moves), 'go')


def test_engine_half_lines(t):
    """A line may arrive in pieces, and its end may be missing"""
    with engine(t) as e:
        for piece in b'p', b'in', b'g\npi', b'ng', b'\n':
            e.process.stdin.write(piece)
            e.process.stdin.flush()
        equal([e.line(), e.line()], ['pong', 'pong'], 'answers')
    for text in b'pos moves="b1-c1', b'go', b'go thi', b'set-param name=', b'\0', b'"', b'pos pos="\r':
        outcome = session(t, text).expect(0, err='')
        outcome.check(re.fullmatch('(done|error) .*\n', outcome.out), 'not one answer')


def test_engine_bytes(t):
    """Random bytes never end it"""
    for number in range(40):
        length = t.random.choice([1, 10, 1000, 100_000])
        alphabet = t.random.choice([bytes(range(256)), bytes(range(128)), b'\0\n', b'"= \n\r\tpos',
                                    b'\xff\xc0\n\x80'])
        expect_survival(t, bytes(t.random.choices(alphabet, k=length)), f'random bytes, session {number}')


def test_engine_nonsense(t):
    """Commands thrown together at random never end it"""
    commands = ['hub', 'init', 'set-param', 'new-game', 'pos', 'level', 'go', 'stop', 'ponder-hit', 'ping']
    words = commands + [
        'think', 'analyze', 'ponder', 'name', 'value', 'name=opponent', 'value=level:3', 'value=random',
        'value=rules', 'value=weakest', f'pos="{START}"', f'pos="{OVER}"', 'pos=', 'pos=8/8/8',
        'pos="w:bbbwww..................."', 'moves=', 'moves="b1-c1"', 'moves="b1-c1 b5-c5"',
        f'moves="{TO_AND_FRO}"', f'moves="{TO_AND_FRO} e2-a2"', 'moves="-"', 'moves="a1-a1"', 'moves="z9-z9"',
        'b1-c1', '"', '=', '""', '\0', '\r', 'é', '\x1b[2J', 'x' * 300]
    for number in range(20):
        lines = []
        for _ in range(300):
            # Mostly a command first, and sometimes without the blank.
            parts = [t.random.choice(commands if t.random.random() < 0.8 else words)]
            parts += t.random.choices(words, k=t.random.choice([0, 0, 1, 1, 2, 3, 20]))
            lines.append((' ' if t.random.random() < 0.9 else '').join(parts))
        answers = expect_survival(t, '\n'.join(lines).encode(), f'nonsense, session {number}')
        check({b'error', b'done', b'pong'} <= {line.split()[0] for line in answers}, 'too little sense in it')


if __name__ == '__main__':
    sys.exit(0 if cli_harness.main([sys.modules[__name__]], __doc__) else 1)
