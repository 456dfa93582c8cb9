"""neutreeko engine, the line protocol for other programs (docs/FORMATS.md)."""

import contextlib
import re
import select
import signal

import pytest

import oracle
from conftest import FAIR_17, LONGEST_LINE, OVER, ROOT, START

DOCUMENT = (ROOT / 'docs/FORMATS.md').read_text(encoding='utf-8')
# White goes to and fro between a2 and e2; with e2-a2 the position occurs for the third time.
TO_AND_FRO = 'b1-b4 c2-a2 b4-b1 a2-e2 b1-b4 e2-a2 b4-b1 a2-e2 b1-b4'
ANSWER = re.compile(r'(id|param|wait|ready|pong|done|info|state|error)( [a-z_]+(=([^ "=]+|"[^"]*"))?)*')


@contextlib.contextmanager
def engine(t, *arguments):
    """An engine that must not end before it is told to, and then without a message."""
    def ask(*lines):
        """The answers to these lines, each of the documented form."""
        e.write(b''.join(line.encode() + b'\n' for line in lines))
        answers = e.lines('ping', 'pong')
        for answer in answers:
            assert ANSWER.fullmatch(answer), answers
        return answers
    with t.talk(['neutreeko', 'engine', *arguments]) as e:
        e.ask, e.done = ask, lambda *lines: values(
            ask(*lines)[-1], 'done'
        )  # the last of the answers, which must be a move
        yield e
        e.end(b'quit\n').expect(0, '', '')


def values(line, word):
    """What an info or done line contains."""
    first, *arguments = line.split()
    found = dict(argument.split('=') for argument in arguments)
    assert first == word
    assert list(found) == ['move', 'result'] + ['plies'] * (found.get('result') != 'draw')
    found['plies'] = int(found['plies']) if 'plies' in found else None
    return found


def session(t, text, *arguments):
    """What the engine answers to all of this input."""
    return t.run(['neutreeko', 'engine', *arguments], text).expect(0, err='').out


def pos(position, moves=()):
    return f'pos pos="{position}" moves="{" ".join(moves)}"'


# ---- beginning, end, document ----

def test_end(t):
    """It ends at quit, and at the end of the input after the last line; a line may arrive in pieces."""
    for text, out in (
        ('', ''),
        ('\n\n \n\t\n\r\n', ''),
        ('ping\r\nquit\r\nping\n', 'pong\n'),
        (' \tping\t \nping', 'pong\npong\n'),
    ):
        assert session(t, text) == out, text
    with engine(t) as e:
        for piece in b'p', b'in', b'g\npi', b'ng', b'\n':
            e.write(piece)
        assert [e.line(), e.line()] == ['pong', 'pong']
    for text in 'pos moves="b1-c1', 'go', '\0', 'pos pos="\r':
        assert re.fullmatch('(done|error) .*\n', session(t, text)), text


def test_document_session(t):
    """The session printed in docs/FORMATS.md is one that really takes place."""
    with engine(t, *re.search(r'session\s+started\s+with `neutreeko engine (.*?)`', DOCUMENT)[1].split()) as e:
        for line in re.search(r'\n```\n(> .*?)```\n', DOCUMENT, re.S)[1].splitlines():
            if line.startswith('> '):
                e.write(line[2:].encode() + b'\n')
            else:
                assert e.line() == line


SPACE = "invalid value of 'pos': expected a space after it, found "
GO = "invalid arguments of 'go': expected think, ponder or analyze"
ERRORS = (  # lines that are wrong, with the message that each gets
    ('foo', "unknown command 'foo'"),
    ('"ping"', "unknown command ''ping''"),
    ('\x7f\x01é', "unknown command '????'"),
    ('x' * 1000, f"unknown command '{'x' * 40}'"),
    *(
        (f'{name} x=1', f"'{name}' takes no arguments")
        for name in ('ping', 'quit', 'stop', 'state', 'hub', 'init', 'new-game', 'ponder-hit')
    ),
    ('level ' + ' '.join(f'a{i}=1' for i in range(17)), 'too many arguments: expected at most 16'),
    ('level =b', "invalid argument '=b': expected name or name=value"),
    ('level a"b', "invalid argument 'a'b': expected name or name=value"),
    ('pos pos="x y', "invalid value of 'pos': missing closing quote"),
    ('pos pos="x"y', SPACE + "'y'"),
    ('pos pos=x=y', SPACE + "'='"),
    ('pos pos= moves=', "missing value after 'pos='"),
    ('pos move=b1-c1', "unknown argument 'move' of 'pos'"),
    ('pos pos', "missing value of 'pos': expected pos=..."),
    ('pos pos=1 pos=1', "repeated argument 'pos'"),
    ('set-param name=opponent', "'set-param' requires name=... and value=..."),
    ('set-param name=level value=1', "unknown parameter 'level': expected opponent"),
    ('set-param name=opponent value=levl:4', "unknown opponent 'levl:4'; did you mean 'level:4'?"),
    ('set-param name=opponent value=human',
     "'human' cannot play here: expected an opponent that chooses its own moves"),
    ('set-param name=opponent value=level:16', "'level:16': expected level with a number from 1 to 15, as in level:4"),
    ('pos pos=5/5/2w2/1w1w1/bbb2',
     'invalid position: character 19: found the end, expected a space and the side to move'),
    ('pos pos="5/5/2w2/1w1w1/bbb2 b"', 'illegal position: Black has already won and cannot be the one to move'),
    ('pos pos=fair', 'invalid position: character 5: found the end, expected :N, the number of a fair start'),
    ('pos pos="https://a/n.html#start=fair"',
     'invalid position: this is a link of the page: open it there, or copy the position from there'),
    ('pos moves="b1-c1 b1-c1"', "move 2: illegal move 'b1-c1': there is no piece on b1"),
    ('pos moves="b1-c1 c1-a1"', "move 2: illegal move 'c1-a1': the piece on c1 is not White's"),
    ('pos moves="b1-z9"', "move 1: invalid move 'b1-z9': character 4: found 'z', expected a file, a-e"),
    ('pos moves="b1-c1,b5-c5"', None),
    ('pos moves="' + 'b' * 5000 + '"', None),
    (f'pos pos="{OVER}" moves=b3-c2', "move 1: illegal move 'b3-c2': the game is over. Black wins."),
    (f'pos moves="{TO_AND_FRO} e2-a2 b4-b1"',
     "move 11: illegal move 'b4-b1': the game is over. Draw by threefold repetition."),
    ('go fast', GO),
    ('go think analyze', GO),
    ('go think=1', GO),
    (f'level {"x" * (LONGEST_LINE - 5)}', 'line too long: expected at most 64 KiB'),
    ('日go\0think', 'unexpected byte 0 at character 4'),
)


def test_errors(t):
    """Each error is answered by its message in one line, and changes nothing."""
    with engine(t) as e:
        assert e.ask('set-param name=opponent value=level:4', pos('1wbb1/1wbw1/5/5/5 b')) == []
        state = e.ask('hub', 'go analyze')[1:-1]
        for line, message in ERRORS:
            answer, = e.ask(line)
            match = re.fullmatch(r'error message="([ !#-~]*)"', answer)
            assert match, (line[:80], answer)
            assert message in (None, match[1]), (line[:80], answer)
            assert e.ask('hub', 'go analyze')[1:-1] == state, line[:80]
        for position, moves, end in (
            (OVER, '', 'Black wins.'),
            (START, TO_AND_FRO + ' e2-a2', 'Draw by threefold repetition.'),
        ):
            assert e.ask(pos(position, [moves]), 'go') == [f'error message="the game is over. {end}"']


def test_silence(t):
    """Commands without an answer have none; new-game and pos without arguments go back to the start, with the same
    opponent."""
    with engine(t) as e:
        at_start = e.ask('go analyze')[:-1]
        for line in (
            'pos',
            f'pos pos="{START}"',
            'pos moves=""',
            'pos moves="  b1-c1  b5-c5 "',
            f'pos pos="{OVER}"',
            f'pos pos={START.replace(" ", "_")}',
            'pos moves="B1C1\t5B5C"',
            'level',
            'level  x  y ',
            'level ' + ' '.join('abcdefghijklmnop'),
            'level moves=9 time=291.587 inc=0',
            'stop',
            'ponder-hit',
            '',
            '\t',
            '\r',
        ):
            assert e.ask(line) == [], line
        for back in 'new-game', 'pos':
            assert e.ask('pos moves="b1-c1"', 'go analyze')[:-1] != at_start == e.ask(back, 'go analyze')[:-1]
        for name in 'random', 'rules', 'minimax:2', 'alphabeta:3', 'level:15', 'easy', 'weakest', 'perfect':
            assert e.ask(f'set-param value="{name}" name="opponent"') == []
            assert e.ask('new-game', 'hub')[1] == f'param name=opponent value={name} type=string'


def test_board_without_start(t):
    t.solve('small.dat', '--board 4x4')
    with engine(t, '--table', 'small.dat') as e:
        assert e.ask('pos moves="a1-a4"') == [
            'error message="this board has no start position: set a position with pos="'
        ]
        assert e.done('pos pos="w1w1/1b2/2w1/b1b1 b"', 'go')
        assert e.ask('new-game') == []
        for line in 'go', 'state':
            assert e.ask(line) == ['error message="the position is not set: use \'pos\'"']


# ---- moves ----

def test_values(t):
    """go analyze prints every move and what it is worth; go think and go ponder choose a best one."""
    positions = [
        position for position in (oracle.random_position(t.random) for _ in range(50)) if oracle.moves(position)
    ]
    with engine(t) as e:
        for position, answer in zip(positions, t.ask(map(oracle.fen, positions))):
            *info, done = e.ask(pos(oracle.fen(position)), 'go analyze')
            printed = [values(line, 'info') for line in info]
            assert printed == answer['moves']
            for choice in values(done, 'done'), e.done('go think'), e.done('go ponder'), e.done('go'):
                assert choice in printed
                assert (choice['result'], choice['plies']) == (answer['result'], answer['plies'])


REPEATED = (  # a position, the moves from it, the best result then, and the only moves that have it
    (START, TO_AND_FRO, 'draw', ['e2-a2']),
    ('3b1/b4/2w2/5/1wwb1 w', 'c1-e3 a4-c2 e3-c1 c2-a4 c1-e3 a4-c2', 'draw', ['e3-c1']),  # the opponent can repeat
    ('1bw2/5/3bw/4b/1w3 w', 'e3-e5 d3-c4 e5-e3 c4-d3 e3-e5 d3-c4 e5-e3', 'win', ['e2-d3']),
)


def test_state_lists_the_legal_moves(t):
    """state prints the position, the side to move and the legal moves, without their values."""
    with engine(t) as e:
        for _ in range(20):
            position = oracle.random_position(t.random)
            answer, = e.ask(pos(oracle.fen(position)), 'state')
            listed = re.fullmatch('state pos="(.*)" to_move=(black|white) moves="(.*)"', answer)
            assert listed[1] == oracle.fen(position)
            assert listed[2][0] == oracle.fen(position)[-1]
            assert sorted(listed[3].split()) == sorted(oracle.moves(position))


@pytest.mark.parametrize('position, moves, end', [
    (OVER, '', 'to_move=white reason=won winner=black'),
    (OVER.translate(str.maketrans('bw', 'wb')), '', 'to_move=black reason=won winner=white'),
    (START, TO_AND_FRO + ' e2-a2', 'to_move=black reason=repetition'),
])
def test_state_after_the_end(t, position, moves, end):
    with engine(t) as e:
        assert re.fullmatch(f'state pos=".*" {end} moves=""', e.ask(pos(position, [moves]), 'state')[0])


def test_characters_of_people(t):
    """A byte order mark, dashes and no-break spaces are read as what they stand for."""
    with engine(t) as e:
        assert e.ask('\ufeffpos moves="b1\u2013c1\u00a0b5\u2011c5"', 'go') == e.ask('pos moves="b1-c1 b5-c5"', 'go')


def test_repetition(t):
    """Values and choices depend on the positions that have occurred twice in the moves, and only on those."""
    with engine(t) as e:
        for position, moves, result, best in REPEATED:
            *info, done = e.ask(pos(position, [moves]), 'go analyze')
            printed = [values(line, 'info') for line in info]
            assert [line['move'] for line in printed if line['result'] == result] == best
            assert values(done, 'done') == e.done('go') == printed[0]
        assert e.done(pos(START, TO_AND_FRO.split()[:5]), 'go')['result'] == 'loss'  # one occurrence earlier


def test_moves_with_numbers(t):
    """Moves may have the numbers of a record, which count for nothing."""
    with engine(t) as e:
        plain, numbered = (e.ask(f'pos moves="{moves}"', 'state') for moves in (
            'b1-c1 b5-c5 c4-a2', '1. b1-c1 1... b5-c5 2.c4-a2'))
    assert plain == numbered


def test_seed(t):
    """The same seed and commands give the same answers, another seed or none gives others."""
    text = 'set-param name=opponent value=random\n' + 40 * 'go\n'
    answers = [session(t, text, *seed) for seed in (['--seed', '5'], ['--seed', '5'], ['--seed', '6'], [], [])]
    assert answers[0] == answers[1]
    assert len(set(answers)) == 4


def test_stop(t):
    """A search that would take years ends at stop and quit, with a legal move; the order is kept."""
    think = b'set-param name=opponent value=alphabeta:20\ngo think\n'
    with engine(t, '--seed', '1') as e:
        e.write(think + b'ping\nstop now\nstopp\nquit 1\n \nstop\0\nsto')  # what is not quite the command
        assert not select.select([e.process.stdout], [], [], 0.1)[0]
        e.write(b'p \r\nset-param name=opponent value=perfect\ngo\n')
        first, pong, *errors, second = (e.line() for _ in range(7))
        assert values(first, 'done')['move'] in oracle.moves(oracle.START)
        assert pong == 'pong'
        for error in errors:
            assert error.startswith('error ')
        assert values(second, 'done')['result'] == 'draw'  # not stopped any more, and it is perfect
    for end in b'quit\n', b' quit', b'ping\nquit\nping\n':
        shown = session(t, think.replace(b'alphabeta', b'minimax') + end).splitlines()
        assert values(shown[0], 'done')
        assert shown[1:] == ['pong'] * (b'ping' in end)
    # A file has all lines at once, here more than fit into memory, and an end.
    t.write('lines', think.replace(b'20', b'6') + b'\n' * 70000 + b'ping\n')
    answers = t.run('neutreeko engine <lines').expect(0, err='').out.splitlines()
    assert [answer.split()[0] for answer in answers] == ['done', 'pong']


def test_end_of_input(t):
    """The end of the input leaves a search alone: however long the pipe stays open, the same seed and commands give the
    same answer. Nobody waits for the answer whose reader has gone, and that search ends."""
    text = b'set-param name=opponent value=alphabeta:6\ngo think\n'
    with engine(t, '--seed', '1') as e:
        e.write(text)
        slow = e.line()
    assert values(slow, 'done')['move'] in oracle.moves(oracle.START)
    assert session(t, text, '--seed', '1') == slow + '\n'
    with t.talk(['neutreeko', 'engine']) as e:
        e.write(text.replace(b':6', b':20'))
        e.process.stdin.close()
        e.process.stdout.close()
        assert e.process.wait(20) == -signal.SIGPIPE


def test_long_lines(t):
    """A line may have 65,536 bytes; a longer one is one error, however long it is."""
    for length in LONGEST_LINE - 1, LONGEST_LINE, LONGEST_LINE + 1, 10_000_000:
        # A carriage return at the very end counts for nothing.
        text = b'level ' + b'x' * (length - 6) + b'\r'
        assert session(t, text + b'\nping\n').count('line too long') == (length > LONGEST_LINE)
