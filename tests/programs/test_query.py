"""neutreeko query: right answers about every position, and a clear message about what is not one."""

import json
import pathlib
import re
import socket
import xml.etree.ElementTree

import pytest

import oracle
from conftest import LONGEST_LINE, OVER, START, WON_IN_1


def test_several(t):
    """Positions of the command line and, for -, of standard input, with any line ends, are answered in their order."""
    text = f'\n{START}\n\n{WON_IN_1}\r\n\r\n{OVER}'
    answers = t.query('--json', OVER, '-', '--', OVER, input=text).expect(0, err='').json()
    assert [answer['position'] for answer in answers] == [OVER, START, WON_IN_1, OVER, OVER]
    assert t.query('-', input=text).out == t.query(START, WON_IN_1, OVER).out
    for empty in '', '\r\n\n':
        t.query('-', input=empty).expect(0, '', '')


@pytest.mark.parametrize('count', [500, pytest.param(2000, marks=pytest.mark.thorough)])
def test_random_positions(t, count):
    """Of random positions the moves are the legal ones, best first, and agree with what they lead to.

    With those, they are more than the 5,000 lines after which query loads the whole table."""
    asked = {oracle.fen(position): position for position in (oracle.random_position(t.random) for _ in range(count))}
    known = dict(asked)
    for position in asked.values():
        known.update((oracle.fen(after), after) for after in oracle.moves(position).values())
    assert len(known) > 5000
    answers = dict(zip(known, t.ask(known)))
    for text, position in known.items():
        answer = answers[text]
        legal = oracle.moves(position)
        assert list(answer) == ['position', 'result', 'distance', 'moves'] and answer['position'] == text
        assert sorted(move['move'] for move in answer['moves']) == sorted(legal)
        worth = [{'win': 1, 'draw': 0, 'loss': -1}[move['result']] / (1 + (move['distance'] or 0)) for move in answer['moves']]
        assert worth == sorted(worth, reverse=True)
        best = answer['moves'][0] if legal else {'result': 'loss', 'distance': 0}
        assert (answer['result'], answer['distance']) == (best['result'], best['distance'])
        for move in answer['moves'] if text in asked else []:
            after = answers[oracle.fen(legal[move['move']])]
            assert move == {
                'move': move['move'], 'result': {'win': 'loss', 'draw': 'draw', 'loss': 'win'}[after['result']],
                'distance': None if after['result'] == 'draw' else after['distance'] + 1}


def test_no_legal_moves(t):
    """A side without a move has a draw, and no moves are printed; a finished position is a loss in 0 plies."""
    t.solve('full.dat', '--board 3x3 --pieces 4 --row 3')
    t.query('--table', 'full.dat', 'bbw/wwb/1wb b').expect(0, '\nDraw: Black has no legal moves.\n', '')
    t.query(OVER).expect(0, 'The game is over: Black has won.', '')
    answer, = t.query('--json', '--table', 'full.dat', 'bbw/wwb/1wb b').expect(0, err='').json()
    assert answer == {'position': 'bbw/wwb/1wb b', 'result': 'draw', 'distance': None, 'moves': []}
    for position in OVER, 'b3w/1b2w/b3w/5/5 b', 'b3w/1b3/2b2/1w3/2w2 w':
        assert t.ask([position]) == [{'position': position, 'result': 'loss', 'distance': 0, 'moves': []}]


WRITTEN = [f'  {START}', f'{START} \t ', f'\ufeff{START}', f'{START} # the start', START.replace(' ', ' \t'), f'{START}\r',
           START.replace(' ', '_'), START.upper(), 'B:.B.b...W.........B...W.w.', '1w1w1/2b2/32/2w2/1b1b1 b']


def test_one_reader(t):
    """Arguments and lines may have any notation, blanks, a byte order mark, comments, and moves after the position."""
    start, = t.ask([START])
    led, = t.query('--json', START, 'b1-c1', 'b5-c5').json()
    assert t.query('--json', *WRITTEN).expect(0, err='').json() == [start] * len(WRITTEN)
    for text in WRITTEN:
        assert t.query('--json', '-', input=f'{text}\n\n  # a comment\n \t\n').expect(0, err='').json() == [start], text
    for text in f'{START} b1-c1 5B5C', 'b1-c1 b5c5', ' b1-c1\tb5-c5 # after two moves':
        assert t.query('--json', text).expect(0, err='').json() == [led], text
        assert t.ask([text]) == [led]
        for command in 'line --json', 'match --json --games 1 perfect perfect --start':
            t.run(['neutreeko', *command.split(), text]).expect(0, err='').json()
        t.run(['neutreeko', 'play', '--start', text]).expect(0, ' 2  . . w . .', '')


def test_moves(t):
    """Moves lead on from the position before them, or from the start; an illegal one is rejected."""
    led, = t.query('--json', 'b1-c1', '5B5C').expect(0, err='').json()
    assert (led['position'], led['result'], led['distance']) == ('2ww1/2b2/5/2w2/2bb1 b', 'win', 3)
    two = t.query('--json', led['position'], 'c4-e2', START, 'b1-c1', 'b5-c5').expect(0, err='').json()
    assert [answer['position'] for answer in two] == ['2ww1/5/5/2w1b/2bb1 w', led['position']]
    both = t.query('--json', 'b1-c1', '-', input=START).expect(0, err='').json()
    assert [answer['position'][-1] for answer in both] == ['w', 'b']
    for moves, complaint in ((['b1-c1', 'b1-c1'], "illegal move 'b1-c1': there is no piece on b1"),
                             (['b1-b2', 'b5-c5'], "illegal move 'b1-b2': the piece slides until"),
                             ([OVER, 'a3-b3'], "illegal move 'a3-b3': the game is over"),
                             ([START[:-2], 'x'], 'character 22'), ([START[:-2], ''], 'character 22'),
                             (['b1-c1', 'b5c9'], "invalid position 'b5c9'")):
        t.query(*moves).expect(2, err=complaint)
    t.query('-', input=f'{START}\nb1-c1 b1-c1\n').expect(1, START, "line 2: illegal move 'b1-c1'")


# ---- a program at the other end ----

def test_conversation(t):
    """Each answer leaves at once, also when the beginning of the next line came with its question."""
    with t.talk(['neutreeko', 'query', '--json', '-']) as talk:
        for position in START, 'nonsense', OVER:
            answer = json.loads(talk.ask(position))
            assert answer.get('line', 2) == 2
            assert answer.get('position', answer.get('input')) == position
        for sent, position in (f'{START}\n{OVER[:7]}', START), (f'{OVER[7:]}\n', OVER), (f'{START}\n\n\r', START):
            talk.write(sent.encode())
            assert json.loads(talk.line())['position'] == position
        talk.end().expect(1, '', '')


@pytest.mark.parametrize('form', [[], ['--json']])
def test_many(t, form):
    """Many answers are written together: 3,000 lines of input take less than 100 writes of output."""
    positions = [oracle.fen(oracle.random_position(t.random)) for _ in range(3000)]
    questions = t.write('questions', '\n'.join(positions))
    writes = []  # each arrives as a message of its own
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with near, questions.open('rb') as file, t.start(['neutreeko', 'query', '-', *form], stdin=file, stdout=far):
        far.close()
        while written := near.recv(1 << 20):
            writes.append(written)
    answered = re.findall(b'(?:[1-5bw]+/){4}[1-5bw]+ [bw]', b''.join(writes))
    assert [text.decode() for text in answered] == positions and len(writes) < 100


def test_input_fails(t):
    """Standard input that cannot be read is a failure; in particular the table is never taken for it."""
    for redirected in '<&-', '<.':
        for form in '', '--json':
            t.run(f'neutreeko query {form} - {redirected}').expect(1, '', 'standard input')


# ---- invalid positions ----

MALFORMED = [  # and the character that is wrong; 0: no single one. tests/common/notation.c has more
    ('', 1), ('nonsense', 1), (' ' + START + '\tx', 26), (START[:-2], 22), (START[:-1] + '\t x', 25), (START + ' 0 1', 25),
    (START + ' b1-c1 b5', 33), (OVER[:-1] + 'b', 0), ('1w1w1/2b2/5/2\u00e92/1b1b1 b', 14),
    ('1w\x1b[31m\x07', 3), ('x' * 60000, 1), ('1\r2', 2), ('\udc9b31m', 1), ('1w\udcff\udcfe', 3)]


@pytest.mark.parametrize('text, character', MALFORMED, ids=range(len(MALFORMED)))
def test_malformed(t, text, character):
    """An invalid position is reported with its character, in one line that cannot control a terminal, or in an object
    with "input" and "error"; the others are answered all the same. The status is 2, of standard input 1."""
    others = t.query(START, OVER).out
    argument = text.encode(errors='surrogateescape')
    lines = b'\n'.join([START.encode(), argument, OVER.encode()])
    refused = [t.query(START, argument, OVER).expect(2, others)]
    if text:
        refused.append(t.query('-', input=lines).expect(1, others, 'query: line 2: '))
        before, error, after = t.query('--json', '-', input=lines).expect(1, err='').json()
        assert (before['position'], after['position'], list(error)) == (START, OVER, ['line', 'input', 'error'])
        assert error['line'] == 2 and len(error['input']) == len(text) and (error['input'] == text or not text.isascii())
        assert re.findall(r'character (\d+)', error['error']) == [str(character)] * (character > 0)
    assert t.query('--json', argument).expect(2, '').err == t.query(argument).err
    for failed in refused:
        assert failed.err[-1:] == '\n' and failed.err[:-1].isprintable() and len(failed.err) < 1000
        assert failed.err.startswith('neutreeko query: ') and failed.err.encode() == failed.err_bytes  # UTF-8
        assert re.findall(r'character (\d+)', failed.err) == [str(character)] * (character > 0)
        assert f"'{text}'" in failed.err or not text.isprintable() or not text.isascii() or len(text) > 100


def test_garbage(t):
    """Lines of any length with any bytes get one valid JSON object each, and the good ones their answer."""
    bad = [b'x' * 1000000, b'1' * 1000000, b'b:' + b'.' * 1000000, START.encode() + b' ' * 1000000,
           START.encode() + b'\0', b'\0', b'\0' * 1000, START.encode()[:5] + b'\0' + START.encode(),
           b'\xff\xfe', b'\xc0\xaf', b'\xed\xa0\x80', b'\xf4\x90\x80\x80', b'\xe2\x82', b'1w\xe9',
           b'"\\\x01\x1b[31m\x7f', '\u2028\U0001f600'.encode()]
    bad += [bytes(t.random.choices(sorted({*range(256)} - {*b'\n\r#'}), k=t.random.randrange(1, 60))) for _ in range(200)]
    text = b''.join(line + b'\n' + START.encode() + b'\n' for line in bad)
    answers = t.query('--json', '-', input=text).expect(1, err='').json()
    assert len(answers) == 2 * len(bad)
    assert all('error' in refused and answer.get('position') == START for refused, answer in zip(answers[::2], answers[1::2]))
    assert t.query('-', input=text).expect(1).err.count('\n') == len(bad)


def test_long_lines(t):
    """A line may have 65,536 bytes; a longer one is rejected, is skipped, and is not kept in memory."""
    text = START.encode()
    for length, reason in (LONGEST_LINE, 'character 65535'), (LONGEST_LINE + 1, 'line too long: expected at most 65536 bytes'):
        line = text + b' ' * (length - len(text) - 2) + b'??'
        t.query('-', input=line).expect(1, '', ['query: line 1: ', reason])
        refused, answer, last = t.query('--json', '-', input=line + b'\n' + text + b'\n' + line).expect(1, err='').json()
        assert reason in refused['error'] and reason in last['error'] and answer['position'] == START
        assert refused['input'] == line.decode()[:LONGEST_LINE]
    with t.talk(['neutreeko', 'query', '-']) as talk:
        for _ in range(30):
            talk.write(b'x' * 1000000)
        status = pathlib.Path(f'/proc/{talk.process.pid}/status')
        peak = int(re.search(r'VmHWM:\s*(\d+) kB', status.read_text())[1]) if status.exists() else 0
        talk.end(b'\n' + text).expect(1, START, reason)
    assert peak < 24000 or 'ASAN_OPTIONS' in t.environment


@pytest.mark.parametrize('board, position', [('', START), ('', OVER), ('--board 8x3 --pieces 2 --row 2', '')])
def test_picture(t, board, position):
    """--svg draws every piece, and every move with its value from piece to square."""
    if board:
        t.solve('other.dat', board)
        t.environment['NEUTREEKO_TABLE'] = 'other.dat'
    t.query('--svg', 'p.svg', *filter(None, [position])).expect(0, '', None if board else '')
    answer, = t.query('--json', *filter(None, [position])).expect(0).json()
    svg = xml.etree.ElementTree.fromstring(t.read('p.svg'))
    ranks = re.sub(r'\d', lambda empty: '.' * int(empty[0]), answer['position'][:-2]).split('/')
    at = lambda square: (90 + 100 * (ord(square[0]) - 97), 90 + 100 * (len(ranks) - int(square[1])))
    assert {(int(c.get('cx')), int(c.get('cy'))): c.get('class')[0] for c in svg.findall('.//{*}circle[@class]')} == {
        (90 + 100 * x, 90 + 100 * y): piece for y, rank in enumerate(ranks) for x, piece in enumerate(rank) if piece != '.'}
    groups = [group for group in svg.findall('.//{*}g') if group.get('class', '').startswith('move')]
    assert len(groups) == len(answer['moves'])
    drawn = {group[0].text[:5]: group for group in groups}
    for move in answer['moves']:
        title, line, _, label, text = group = drawn[move['move']]
        assert (int(line.get('x2')), int(line.get('y2'))) == at(move['move'][3:])
        assert all(abs(int(line.get(f'{axis}1')) - at(move['move'])[n]) <= 33 for n, axis in enumerate('xy'))
        assert text.text == (f'{move["result"][0].upper()}{move["distance"]}' if move['distance'] else 'D')
        best = all(move[key] == answer['moves'][0][key] for key in ('result', 'distance'))
        assert group.get('class').split()[1:] == [move['result'], *['best'] * best]
    assert len({(group[3].get('x'), group[3].get('y')) for group in groups}) == len(groups)


def test_picture_file(t):
    """A picture replaces pictures only, unless --force is given."""
    for first in START, WON_IN_1:
        t.query('--svg', 'p.svg', first).expect(0, '', '')
    for other in b'<svg/>', t.read('p.svg').replace(b'query', b'QUERY'):
        t.write('q.svg', other)
        t.query('--svg', 'q.svg').expect(1, '', 'q.svg exists and is not a picture of neutreeko: choose another file, or replace it with --force')
        assert t.read('q.svg') == other
    t.query('--svg', 'q.svg', '--force', WON_IN_1).expect(0, '', '')
    assert t.read('q.svg') == t.read('p.svg')
    t.query('--svg', 'nowhere/p.svg').expect(1, '', 'nowhere/p.svg')
    assert t.files() == ['p.svg', 'q.svg']
