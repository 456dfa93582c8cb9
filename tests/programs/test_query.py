"""neutreeko query: right answers about every position, and a clear message about what is not one."""

import json
import pathlib
import re
import socket
import xml.etree.ElementTree

import pytest

import oracle
from conftest import FAIR_17, LONGEST_LINE, OVER, START, START_BOARD, WON_IN_1


def test_several(t):
    """Positions of the command line or, for -, of standard input, with any line ends, are answered in their order."""
    text = f'\n{START}\n\n{WON_IN_1}\r\n\r\n{OVER}'
    answers = t.query('--json', '--', OVER, START, OVER).expect(0, err='').json()
    assert [answer['position'] for answer in answers] == [OVER, START, OVER]
    assert t.query('-', input=text).out == t.query(START, WON_IN_1, OVER).out


def test_each_move_has_its_value(t):
    moves = '  b1-c1  draws\n  d1-c1  draws\n  b1-b4  loses in 11 moves\n  d1-d4  loses in 11 moves\n'
    t.query().expect(0, f'\nBlack to move draws with optimal play.\n\n{moves}  b1-a2  loses in 5 moves\n', '')


@pytest.mark.parametrize('start, plies', [
    ([], 4), ([START, 'b1-c1'], 3), (['5/b4/1w3/w1b2/b3w b'], 3), ([WON_IN_1], 2)])
def test_tree(t, start, plies):
    """query --tree has all best moves of each position, and those that lower the result with a refutation."""
    text = t.query('--tree', str(plies), *start).expect(0, err='').out
    found, = t.run(['neutreeko', 'review', '--json'], input=text).expect(0, err='').json()
    game, = found['games']
    tree, rank = game['tree'], {'win': 1, 'draw': 0, 'loss': -1}

    def after(number):
        return [n for n, item in enumerate(tree) if item['parent'] == number]

    def nodes_of_refutation(number, left):
        """A mistake, and a single line that follows it, of so many plies or to the end of the game."""
        line = [number]
        while following := after(line[-1]):
            line += following
        assert tree[number]['comment'].startswith(('loses in', 'draws'))
        loses = re.match(r'loses in (\d+)', tree[number]['comment'])
        assert len(line) == 1 + min(left or 1, 2 * int(loses[1]) - 1 if loses else plies)
        assert [tree[n]['parent'] for n in line[1:]] == line[:-1]
        return line

    def nodes_of(number, moves):
        """A node of the main lines, which is reached by these moves, and all after it."""
        answer, = t.ask([' '.join([game['start'], *moves])])
        if len(moves) == plies or not answer['moves']:
            assert not after(number)
            return [number]
        values = {move['move']: move for move in answer['moves']}
        drops = {move: rank[answer['result']] - rank[value['result']] for move, value in values.items()}
        best = {move for move, value in values.items() if all(value[key] == answer[key] for key in ('result', 'plies'))}
        assert {tree[n]['move'] for n in after(number)} == best | {move for move, drop in drops.items() if drop}
        nodes = [number]
        for n in after(number):
            move = tree[n]['move']
            assert tree[n]['marks'] == [None, '?', '??'][drops[move]]
            nodes += nodes_of_refutation(n, plies - len(moves) - 1) if drops[move] else nodes_of(n, [*moves, move])
        return nodes
    assert sorted(nodes_of(0, [])) == list(range(len(tree)))


def test_tree_of_several_positions(t):
    """Several trees are the games of a file; one that is too large is an error."""
    text = t.query('--tree', '1', WON_IN_1, START).expect(0, err='').out
    assert t.run(['neutreeko', 'review', '--json'], input=text).expect(0).json()[0]['reviewed'] == 2
    t.query('--tree', '20', OVER).expect(0, '{The game is over: Black has won.}', '')
    t.solve('full.dat', '--board 3x3 --pieces 4 --row 4')
    t.query('--table', 'full.dat', '--tree', '20').expect(
        1, '', 'the tree has more than 131072 moves: expected a smaller --tree\n')
    t.query('--tree', '21').expect(2)


def test_random_positions(t):
    """Of random positions the moves are the legal ones, best first, and agree with what they lead to.

    With those, they are more lines than a hundredth of the table's entries, after which query loads all of it."""
    asked = {}  # the positions after each move
    for position in (oracle.random_position(t.random) for _ in range(500)):
        asked[oracle.fen(position)] = {move: oracle.fen(after) for move, after in oracle.moves(position).items()}
    known = dict.fromkeys([*asked, *(after for legal in asked.values() for after in legal.values())])
    assert len(known) > 5000
    answers = dict(zip(known, t.ask(known)))
    for text, legal in asked.items():
        answer = answers[text]
        assert list(answer) == ['position', 'to_move', 'result', 'plies', 'moves']
        assert answer['position'] == text
        assert sorted(move['move'] for move in answer['moves']) == sorted(legal)
        worth = [
            {'win': 1, 'draw': 0, 'loss': -1}[move['result']] / (1 + (move['plies'] or 0))
            for move in answer['moves']
        ]
        assert worth == sorted(worth, reverse=True)
        best = answer['moves'][0] if legal else {'result': 'loss', 'plies': 0}
        assert (answer['result'], answer['plies']) == (best['result'], best['plies'])
        for move in answer['moves']:
            after = answers[legal[move['move']]]
            assert move == {
                'move': move['move'],
                'result': {'win': 'loss', 'draw': 'draw', 'loss': 'win'}[after['result']],
                'plies': None if after['result'] == 'draw' else after['plies'] + 1,
            }


def test_no_legal_moves(t):
    """A side without a move has a draw, and no moves are printed; a finished position is a loss in 0 plies."""
    t.solve('full.dat', '--board 3x3 --pieces 4 --row 3')
    full = '--table', 'full.dat', 'bbw/wwb/1wb b'
    t.query(*full).expect(0, '\nDraw: Black has no legal moves.\n', '')
    t.query(*full[:2], 'wwb/bbw/1bw w').expect(0, '\nDraw: White has no legal moves.\n', '')
    assert t.query('--json', *full).json() == [
        {'position': full[2], 'to_move': 'black', 'result': 'draw', 'plies': None, 'moves': []}]
    t.query(OVER).expect(0, 'The game is over: Black has won.', '')
    t.query(OVER.translate(str.maketrans('bw', 'wb'))).expect(0, 'The game is over: White has won.', '')
    assert t.ask([OVER]) == [
        {'position': OVER, 'to_move': 'white', 'result': 'loss', 'plies': 0, 'moves': []}]


WRITTEN = [
    f'  {START}',
    f'{START} \t ',
    f'\ufeff{START}',
    f'{START}# the start',
    START.replace(' ', ' \t'),
    f'{START}\r',
    START.replace(' ', '_'),
    START.upper(),
    'B:.B.b...W.........B...W.w.',
    '1w1w1/2b2/32/2w2/1b1b1 b',
]


def test_one_reader(t):
    """Arguments and lines may have any notation, blanks, a byte order mark, comments, and moves after the position."""
    start, = t.ask([START])
    assert t.query('--json', *WRITTEN).expect(0, err='').json() == [start] * len(WRITTEN)
    for text in WRITTEN:
        lines = f'{text}\n\n  # a comment\n \t\n'
        assert t.query('--json', '-', input=lines).expect(0, err='').json() == [{'line': 1, **start}], text
    led, = t.query('--json', START, 'b1-c1', 'b5-c5').json()
    assert (led['position'], led['result'], led['plies']) == ('2ww1/2b2/5/2w2/2bb1 b', 'win', 3)
    for text in f'{START} b1-c1 5B5C', 'b1-c1 b5c5', ' b1-c1\tb5-c5 # after two moves':
        assert t.query('--json', text).json() == t.ask([text]) == [led]
        for command in 'query --line --json', 'match --json --count 1 perfect perfect --start':
            t.run(['neutreeko', *command.split(), text]).expect(0, err='').json()
        t.run(['neutreeko', 'play', '--start', text]).expect(0, ' 2  . . w . .', '')


@pytest.mark.parametrize('command', ['query --json', 'query --line --json --seed 1'])
def test_standard_is_the_start(t, command):
    named, = t.run(f'neutreeko {command} standard b1-c1').expect(0, err='').json()
    assert [named] == t.run(f'neutreeko {command} b1-c1').expect(0, err='').json()


@pytest.mark.parametrize('options', [[], ['--line', '--seed', '1']])
def test_empty_line_is_between_two_answers(t, options):
    one, other = (t.query(*options, position).expect(0, err='').out for position in (WON_IN_1, OVER))
    assert t.query(*options, WON_IN_1, OVER).expect(0, err='').out == f'{one}\n{other}'


@pytest.mark.parametrize('arguments', [['-', 'b1-c1'], ['b1-c1', '-'], ['-', '-']])
def test_standard_input_is_the_only_argument(t, arguments):
    t.query(*arguments).expect(2, '', '- (standard input) cannot be combined with other arguments')


def test_moves(t):
    """Moves lead on from the position before them, or from the start; an illegal one is rejected."""
    found = t.query('--json', 'b1-c1', OVER, START, 'b1-c1', '5B5C').expect(0, err='').json()
    assert [answer['position'] for answer in found] == ['1w1w1/2b2/5/2w2/2bb1 w', OVER, '2ww1/2b2/5/2w2/2bb1 b']
    for moves, complaint in (
        (['b1-c1', 'b1-c1'], "illegal move 'b1-c1': there is no piece on b1"),
        (['b1-b2', 'b5-c5'], "illegal move 'b1-b2': the piece slides until"),
        ([OVER, 'a3-b3'], "illegal move 'a3-b3': the game is over"),
        ([START[:-2], 'x'], 'character 22'),
        ([START[:-2], ''], 'character 22'),
        (['\u3000' + START + 'x'], 'character 25'),
        (['b1-c1', 'b5c9'], "invalid move 'b5c9': character 4: found '9'"),
        (['1. e4 e5'], "illegal move 'e4-e5': there is no piece on e4"),
        (['b1', 'c1'], "character 3: found the end, expected a file, a-e, as in b1-c1 or, quoted, 'b1 c1'\n"),
        (['b1x'], "found the end, expected a file, a-e\n"),
    ):
        t.query(*moves).expect(2, err=complaint)
    for numbered in ['1 b1-c1 2) b5-c5'], ['1.', 'b1-c1', 'b5-c5', '2.']:
        assert t.query(*numbered).out == t.query('b1-c1', 'b5-c5').out
    t.query('-', input='b1-c1\n日\0').expect(1, err='character 2: unexpected byte 0\n')
    assert re.match(f"{START}(?s:.*)line 2: illegal move 'b1-c1'",
                    t.run('neutreeko query - 2>&1', f'{START}\nb1-c1 b1-c1\n').expect(1).out)
    t.query('b1 - c1 b5').expect(2, '', "invalid move 'b5': character 3: found the end")


def test_no_position(t):
    """Where standard input has none, this is said, and nothing is written."""
    for text in '', '\r\n\n', '\n# a comment\n':
        t.query('--json', '-o', 'a.json', '-', input=text).expect(1, '', 'there is no position in standard input\n')
        assert not (t.dir / 'a.json').exists()
    assert t.query('-', input='x\n').expect(1, '').err.count('\n') == 1


@pytest.mark.parametrize('name', ['b.txt', 'g1.txt', 'positions', '5.txt', '5'])
def test_a_file_is_not_a_position(t, name):
    """What may be meant as the name of a file is rejected with the way to read one."""
    t.write(name, START)
    t.query(name).expect(2, '', 'are read with: neutreeko query - <FILE')


BOARD = f'{START_BOARD}\nBlack to move'


@pytest.mark.parametrize('text', [
    START.upper(),
    START + ' - - 0 1',
    START + ' 1.',
    START + ',',
    '.w.w./..b../...../..w../.b.b. b',
    '.w.w...b.........w...b.b. b',
    BOARD,
    ' 1  . b . b .\n 2  . . w . .\n 3  . . . . .\n 4  . . b . .\n 5  . w . w .\n    e d c b a\nb',
    BOARD.replace('w', '\u25cb').replace(' b ', ' \u25cf '),
    re.sub(r'^ \d| +a b.*$', '', BOARD, flags=re.M),
    '\ufeff\u2060' + START.replace(' ', '\u00a0'),
])
def test_positions_as_people_paste_them(t, text):
    t.query(text + ' b1-c1').expect(0, '1w1w1/2b2/5/2w2/2bb1 w\n', '')


@pytest.mark.parametrize('text', ['B1-c1, b5-c5', 'b1\u2011c1\u00a0b5\u2212c5', '1. b1-c1 b5-c5', '1) b1\u2060c1 b5c5',
                                  '\uff11\uff0e\uff42\uff11\uff0d\uff43\uff11\u3000b5\u2192c5',
                                  '1.b1\u2013c1 \u200bb5\u2014c5', '\ufeffb1-c1 1... b5-c5',
                                  'b1,c1 b5,c5', 'b1, c1, 1... b5 c5', '1. b1 - c1 b5 to c5'])
def test_moves_as_people_paste_them(t, text):
    t.query(text).expect(0, '2ww1/2b2/5/2w2/2bb1 b\n', '')


@pytest.mark.parametrize('character', ['\u202e', '\u2066', '\u200f', '\u061c'])
def test_the_direction_of_writing_stays(t, character):
    """Characters that change it are escaped wherever a message quotes them; their neighbours are shown."""
    refused = t.query(f'a{character}\u3042b').expect(2, '')
    escaped = ''.join(f'\\x{byte:02X}' for byte in character.encode())
    assert f"'a{escaped}\u3042b'" in refused.err


# ---- a program at the other end ----

def test_conversation(t):
    """Each answer leaves at once, also when the beginning of the next line came with its question."""
    with t.talk(['neutreeko', 'query', '--json', '-']) as talk:
        for position in START, 'nonsense', OVER:
            answer = json.loads(talk.ask(position))
            assert answer.get('position', answer.get('input')) == position
        for sent, position in (f'{START}\n{OVER[:7]}', START), (f'{OVER[7:]}\n', OVER), (f'{START}\n\n\r', START):
            talk.write(sent.encode())
            assert json.loads(talk.line())['position'] == position
        talk.end().expect(1, '', '')


def test_many(t):
    """Many answers are written together: 3,000 lines of input take less than 100 writes of output."""
    questions = t.write('questions', f'{START}\n' * 3000)
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)  # in which each write is a message
    with near, questions.open('rb') as file, t.start(['neutreeko', 'query', '--json', '-'], stdin=file, stdout=far):
        far.close()
        writes = list(iter(lambda: near.recv(1 << 20), b''))
    assert b''.join(writes).count(b'\n') == 3000
    assert len(writes) < 100


# ---- invalid positions ----

MALFORMED = [  # and the character of the position or move, 0 if there is none; tests/common/game/notation.c has more
    ('nonsense', 1),
    (' ' + START + '\tx', 1),
    (START[:-2], 22),
    (START[:-2] + '   x', 25),
    (START + ' b1-c1 b5', 3),
    (OVER[:-1] + 'b', 0),
    ('1w1w1/2b2/5/2\u00e92/1b1b1 b', 14),
    ('1w\x1b[31m\x07', 3),
    ('x' * 60000, 1),
    ('1w\udcff\udcfe', 3),
]


def test_malformed(t):
    """An invalid position is reported with its character, in one line that cannot control a terminal, or in an object
    with "input" and "error"; the others are answered all the same. The status is 2, of standard input 1."""
    others = t.query(START, OVER).out
    t.query('').expect(2, '', 'character 1')
    t.query('1w1w1/2b2').expect(2, '', "'1w1w1/2b2'")
    for text, character in MALFORMED:
        argument = text.encode(errors='surrogateescape')
        lines = b'\n'.join([START.encode(), argument, OVER.encode()])
        before, error, after = t.query('--json', '-', input=lines).expect(1, err='').json()
        assert (before['position'], after['position'], list(error)) == (START, OVER, ['line', 'input', 'error'])
        assert error['line'] == 2
        assert len(error['input']) == len(text)
        assert error['input'] == text or not text.isascii()
        failed = [
            t.query(START, argument, OVER).expect(2, others).err,
            t.query('-', input=lines).expect(1, others, 'line 2: ').err,
        ]
        assert t.query('--json', argument).expect(2, '').err == failed[0]
        for message in failed:
            assert message.startswith('neutreeko query: ')
            assert message.endswith('\n')
            assert len(message) < 1000
            assert ''.join(message.splitlines()).isprintable()
        for message in *failed, error['error']:
            assert re.findall(r'character (\d+)', message) == [str(character)] * (character > 0)


def test_garbage(t):
    """Lines of any length with any bytes get one valid JSON object each, and the good ones their answer."""
    bad = [b'x' * 1000000, b'b:' + b'.' * 1000000, START.encode() + b'\0', b'\0' * 1000, b'\xff\xfe', b'\xc0\xaf',
           b'\xed\xa0\x80', b'\xe2\x82', b'1w\xe9', b'"\\\x01\x1b[31m\x7f', '\u2028\U0001f600'.encode()]
    bad += [
        bytes(t.random.choices(sorted({*range(256)} - {*b'\n\r#'}), k=t.random.randrange(1, 60))) for _ in range(200)
    ]
    text = b''.join(line + b'\n' + START.encode() + b'\n' for line in bad)
    answers = t.query('--json', '-', input=text).expect(1, err='').json()
    assert len(answers) == 2 * len(bad)
    for refused, answer in zip(answers[::2], answers[1::2]):
        assert 'error' in refused
        assert answer['position'] == START
    assert t.query('-', input=text).expect(1).err.count('\n') == len(bad)


def test_long_lines(t):
    """A line may have 65,536 bytes; a longer one is rejected, is skipped, and is not kept in memory."""
    text = START.encode()
    for length, reason in (LONGEST_LINE, "invalid move '??'"), (
        LONGEST_LINE + 1,
        'line too long: expected at most 64 KiB',
    ):
        line = text + b' ' * (length - len(text) - 2) + b'??'
        refused, answer, last = (
            t.query('--json', '-', input=line + b'\n' + text + b'\n' + line).expect(1, err='').json()
        )
        assert reason in refused['error']
        assert reason in last['error']
        assert answer['position'] == START
        assert refused['input'] == line.decode()[:LONGEST_LINE]
    with t.talk(['neutreeko', 'query', '-']) as talk:
        for _ in range(30):
            talk.write(b'x' * 1000000)
        status = pathlib.Path(f'/proc/{talk.process.pid}/status')
        peak = int(re.search(r'VmHWM:\s*(\d+) kB', status.read_text())[1]) if status.exists() else 0
        talk.end(b'\n' + text).expect(1, START, reason)
    assert peak < 24000 or 'ASAN_OPTIONS' in t.environment


@pytest.mark.parametrize(
    'board, position', [('', START), ('', OVER), ('--board 8x3 --pieces 2 --row 2', '3b4/8/w1b3w1 b')]
)
def test_picture(t, board, position):
    """--svg draws every piece, and every move with its value from piece to square."""
    t.solve('t.dat', board)
    t.query('--table', 't.dat', '--svg', '-o', 'p.svg', position).expect(0, '', '')
    answer, = t.query('--table', 't.dat', '--json', position).expect(0).json()
    svg = xml.etree.ElementTree.fromstring(t.read('p.svg'))
    ranks = re.sub(r'\d', lambda empty: '.' * int(empty[0]), position[:-2]).split('/')
    assert sorted(
        (c.get('cx'), c.get('cy'), c.get('class')[0]) for c in svg.iterfind('.//{*}circle[@class]')
    ) == sorted(
        (f'{90 + 100 * x}', f'{90 + 100 * y}', piece)
        for y, rank in enumerate(ranks)
        for x, piece in enumerate(rank)
        if piece != '.'
    )
    drawn = [(group[0].text[:5], group[1].get('x2'), group[1].get('y2'), group[4].text, group.get('class'))
             for group in svg.iterfind('.//{*}g') if group.get('class', '').startswith('move')]
    best = lambda move: all(move[key] == answer['moves'][0][key] for key in ('result', 'plies'))
    assert drawn == [  # the best ones last, on top of the others
        (move['move'], f'{90 + 100 * "abcdefgh".index(move["move"][3])}',
         f'{90 + 100 * (len(ranks) - int(move["move"][4]))}',
         f'{move["result"][0].upper()}{((move["plies"] or 0) + 1) // 2 or ""}',
         f'move {move["result"]}{" best" * best(move)}')
        for move in reversed(answer['moves'])
    ]


def test_texts_of_a_picture(t):
    """The position is the title, as the state of the game is the description; both are below the board as well."""
    shown = t.query('--svg', 'b1-b4').expect(0, err='').out
    svg = xml.etree.ElementTree.fromstring(shown)
    position, state = re.search(r'^(.* w)\n(?s:.*)^(White to move .*)$', t.query('b1-b4').out, re.M).groups()
    assert [svg.find(f'{{*}}{name}').text for name in ('title', 'desc')] == [position, state]
    assert [text.text for text in svg.findall('{*}text')[-3:]] == [
        state, position, 'W: wins, D: draws, L: loses, in moves']


def test_results_in_a_picture_differ_in_colours_and_dashes(t):
    """And the best moves are bold."""
    svg = xml.etree.ElementTree.fromstring(t.query('--svg', 'b1-c1', 'c2-c3', 'c1-a3', 'd5-d2').expect(0, err='').out)
    groups = svg.findall('{*}g')
    styles = {(group.get('class').split()[1], *(part.get(key) for part in (group[1], group[3])
                                                for key in ('stroke', 'stroke-dasharray'))) for group in groups}
    assert styles == {('win', *['#15702f', None] * 2), ('draw', *['#6b6b6b', '9 4'] * 2),
                      ('loss', *['#b3261e', '2 4'] * 2)}
    for group in groups:
        is_best = group.get('class').endswith('best')
        assert (group[1].get('stroke-width'), group[4].get('font-weight')) == (
            ('5', 'bold') if is_best else ('2', None))


def test_files_are_named_below_the_squares_and_ranks_on_the_left(t):
    t.solve('t.dat', '--board 4x6')
    svg = xml.etree.ElementTree.fromstring(t.query('--table', 't.dat', '--svg').expect(0).out)
    assert svg.get('viewBox') == '0 0 480 730'
    places = {text.text: (int(text.get('x')), int(text.get('y'))) for text in svg.iterfind('.//{*}text')}
    assert [places[name] for name in 'abd'] == [(90, 660), (190, 660), (390, 660)]
    assert [places[name] for name in '126'] == [(20, 595), (20, 495), (20, 95)]


def test_lines_begin_at_the_edge_of_the_piece(t):
    """The line of a move in a picture begins at the edge of the piece and leads to the square, also along diagonals."""
    svg = xml.etree.ElementTree.fromstring(t.query('--svg').expect(0, err='').out)
    radius = {int(c.get('r')) for c in svg.iterfind('.//{*}circle[@class]')}.pop()
    for group in svg.iterfind('.//{*}g'):
        move = group[0].text[:5]
        centre = complex(90 + 100 * 'abcde'.index(move[0]), 90 + 100 * (5 - int(move[1])))
        begin, end = (complex(int(group[1].get(f'x{n}')), int(group[1].get(f'y{n}'))) for n in '12')
        assert abs(abs(begin - centre) - radius) < 1, move
        assert abs(abs(end - begin) + radius - abs(end - centre)) < 1, move


def test_lines_have_numbers(t):
    """With --json, the answer to a line of standard input has its number, as an error does; blank lines count."""
    answers = t.query('--json', '-', input='b1-c1\n# comment\n\nb1-b2\nb1-b4\n').expect(1, err='').json()
    assert [answer['line'] for answer in answers] == [1, 4, 5]


def test_a_fair_start_is_a_position(t):
    expected, = t.ask([f'{FAIR_17} e1-d1'])
    found = t.query('--json', '-', input='fair:17 e1-d1 # a comment\n').expect(0, err='').json()
    assert found == [{'line': 1, **expected}]


def test_a_random_fair_start_has_its_number(t):
    """A seed determines it."""
    asked = [t.run(f'neutreeko query --line --json --seed {seed} fair').expect(0) for seed in range(10)]
    names = [re.fullmatch(r".* using the fair start '(fair:\d+)'.*\n", one.err)[1] for one in asked]
    assert len(set(names)) > 5
    known = t.query('--json', *names).expect(0, err='').json()
    assert [one.json()[0]['position'] for one in asked] == [answer['position'] for answer in known]
    lines = t.query('--json', '--seed', '1', '-', input='fair\n' * 10).expect(0).json()
    assert len({answer['position'] for answer in lines}) > 5
