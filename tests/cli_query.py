"""What neutreeko query promises: right answers about every position, and a clear word about what is none."""

import json
import pathlib
import re
import socket
import subprocess

import cli_game as game
from cli_harness import Failure, check, equal

START = '1w1w1/2b2/5/2w2/1b1b1 b'
OVER = '5/5/2w2/1w1w1/bbb2 w'  # Black has its row
WON_IN_1 = '5/5/2w2/1w2w/bb1b1 b'  # d1-c1


def query(t, *arguments, **options):
    return t.run(['neutreeko', 'query', '--table', t.table, *arguments], **options)


def objects(outcome, count):
    """The JSON objects of the output: so many, one a line, in text that is valid UTF-8."""
    found = []
    outcome.check(outcome.out == '' or outcome.out.endswith('\n'), 'the last line has no end')
    for line in outcome.out_bytes.split(b'\n')[:-1]:
        try:
            found.append(json.loads(line.decode('utf-8')))
        except ValueError as error:
            raise Failure(f'a line of the output is not JSON: {error}\n{line[:300]!r}') from None
    outcome.check(len(found) == count, f'{len(found)} objects, expected {count}')
    return found


def expect_shape(answer):
    """Exactly the documented keys and kinds of value."""
    def is_value(value):
        return (value['distance'] is None if value['result'] == 'draw'
                else value['result'] in ('win', 'loss') and type(value['distance']) is int)
    equal(list(answer), ['position', 'result', 'distance', 'moves'], 'keys of the answer')
    check(is_value(answer), f'result and distance do not fit: {answer}')
    for move in answer['moves']:
        equal(list(move), ['move', 'result', 'distance'], 'keys of a move')
        check(is_value(move), f'result and distance do not fit: {move}')


def ask(t, positions):
    """The answers about many positions, in their order."""
    outcome = query(t, '--json', '-', input=''.join(f'{position}\n' for position in positions).encode())
    outcome.expect(0, err='')
    return objects(outcome, len(positions))


# ---- usage ----

def test_neutreeko_help_and_version(t):
    """neutreeko --help and --version print to standard output"""
    for option in '--help', '-h':
        t.run(f'neutreeko {option}').expect(0, ['Usage: neutreeko COMMAND', 'query'], '')
        t.run(f'neutreeko query {option}').expect(0, ['Usage: neutreeko query', '--json', '--table'], '')
    version = t.run('neutreeko --version').expect(0, err='')
    version.check(re.fullmatch(r'neutreeko .*\d+\.\d+\.\d+\n', version.out), 'not a version')


def test_neutreeko_usage_errors(t):
    """neutreeko refuses what it does not know with exit status 2 and says where help is"""
    for arguments, complaint, advice in (
            ('', 'command', 'neutreeko --help'),
            ('nonsense', "'nonsense'", 'neutreeko --help'),
            ('""', "''", 'neutreeko --help'),
            ('--nonsense', "'--nonsense'", 'neutreeko --help'),
            ('query --nonsense', '--nonsense', 'neutreeko query --help'),
            ('query -z', "'z'", 'neutreeko query --help'),
            ('query --table', '--table', 'neutreeko query --help'),
            ('query --json=yes', '--json', 'neutreeko query --help')):
        t.run(f'neutreeko {arguments}').expect(2, '', [complaint, advice])


def test_help_texts(t):
    """Every help text fits into 79 columns, describes each option once, and has the same layout"""
    commands = re.findall(r'^  ([a-z]+) ', t.run('neutreeko --help').out.split('Commands:\n')[1], re.M)
    equal(len(commands), 7, 'number of commands')
    for command in 'neutreeko', 'neutreeko-solve', *(f'neutreeko {name}' for name in commands):
        shown = t.run(f'{command} --help').expect(0, f'Usage: {command} ', '')
        shown.check(all(len(line) <= 79 for line in shown.out.splitlines()), 'a line is longer than 79 characters')
        shown.check(re.search(r'\n\nExamples:\n.*\n\nOptions:\n.*\n\nExit status: ', shown.out, re.S), 'other sections')
        section = re.search(r'\nOptions:\n(.*?)\n\n', shown.out, re.S)[1]
        options = re.findall(r'^ +(?:-., )?--([a-z-]+)', section, re.M)
        shown.check(len(options) == len(set(options)) and 'help' in options, f'options {options}')


def test_defaults_in_help(t):
    """The help texts print the defaults"""
    for command, option, default in (('neutreeko-solve', 'board', '5x5'), ('neutreeko-solve', 'pieces', '3'),
                                     ('neutreeko-solve', 'win', 'line'), ('neutreeko-solve', 'checkpoint-every', '180'),
                                     ('neutreeko-solve', 'output', 'data/perfect_move.dat'),
                                     ('neutreeko match', 'games', '100'), ('neutreeko match', 'max-plies', '1000'),
                                     ('neutreeko puzzle', 'plies', '5'), ('neutreeko play', 'black', 'human'),
                                     ('neutreeko play', 'white', 'perfect')):
        text = ' '.join(t.run(f'{command} --help').expect(0).out.split())
        entry = re.search(rf'--{option} [^ ]+ ((?:(?! --[a-z]).)*?)\(default: ([^)]*)\)', text)
        equal(entry and entry[2], default, f'default of {command} --{option}')


# ---- answers ----

def test_query_start(t):
    """Without a position it answers about the start: a draw, by b1-c1 and d1-c1 only"""
    answer, = objects(query(t, '--json').expect(0, err=''), 1)
    expect_shape(answer)
    equal((answer['position'], answer['result'], answer['distance']), (START, 'draw', None), 'the position')
    equal(len(answer['moves']), 14, 'number of moves')
    results = [(move['move'], move['result']) for move in answer['moves']]
    equal(results[:2], [('b1-c1', 'draw'), ('d1-c1', 'draw')], 'first moves')
    check(all(result == 'loss' for _, result in results[2:]), f'the other moves do not all lose: {results}')
    distances = [move['distance'] for move in answer['moves'][2:]]
    equal(distances, sorted(distances, reverse=True), 'distances of the losing moves')


def test_query_text(t):
    """As text it says the same as in JSON, under a board"""
    positions = [START, WON_IN_1, OVER] + [game.fen(game.random_position(t.random)) for _ in range(40)]
    for position, answer in zip(positions, ask(t, positions)):
        text = query(t, position).expect(0, err='')
        lines = text.out.splitlines()
        equal(lines[0], position, 'first line')
        board = [line.split() for line in lines if re.match(' [1-5] ', line)]
        ranks = re.sub('[1-5]', lambda empty: '.' * int(empty[0]), position[:-2]).split('/')
        wanted = [[number, *rank] for number, rank in zip('54321', ranks)]
        text.check(board == wanted, 'the board is not that of the position')
        text.check('    a b c d e' in lines, 'no files under the board')
        side, other = ('Black', 'White') if position.endswith('b') else ('White', 'Black')
        if answer['moves']:
            text.expect(0, f'{side} to move {game.value_words(answer)}')
        else:
            text.expect(0, f'The game is over: {other} has won.')
        moves = re.findall(r'^  (\S+)  (draws|(?:wins|loses) in \d+ \w+)$', text.out, re.MULTILINE)
        equal(moves, [(move['move'], game.value_words(move)) for move in answer['moves']], 'moves as text')


def test_query_start_text(t):
    """The start as text is what query prints by default"""
    equal(query(t).expect(0, err='').out, query(t, START).expect(0, err='').out, 'output')


def test_query_notations(t):
    """A position may be given with a space, with _, after a colon, in small letters or capitals"""
    wanted, = ask(t, [START])
    for text in (START, START.replace(' ', '_'), START.upper(), '1W1w1/2B2/5/2W2/1b1B1_b',
                 'b:.b.b...w.........b...w.w.', 'B:.B.B...W.........B...W.W.', '1w1w1/2b2/32/2w2/1b1b1 b'):
        equal(objects(query(t, '--json', text).expect(0, err=''), 1), [wanted], f'answer to {text}')
    for _ in range(20):
        position = game.random_position(t.random)
        one, other = ask(t, [game.fen(position), game.squares_in_order(position)])
        equal(other, one, f'answer to {game.squares_in_order(position)}')


def test_query_several(t):
    """Several positions are answered in their order; options may stand anywhere"""
    positions = [WON_IN_1, START, OVER, WON_IN_1]
    answers = objects(query(t, *positions, '--json').expect(0, err=''), 4)
    equal([answer['position'] for answer in answers], positions, 'positions')
    text = query(t, *positions, '--', START).expect(0, err='').out
    equal(re.findall('^.*/.*$', text, re.MULTILINE), positions + [START], 'positions as text')


def test_query_over(t):
    """A finished position is a loss in 0 plies and has no moves"""
    for position in OVER, 'b3w/1b2w/b3w/5/5 b', 'b3w/1b3/2b2/1w3/2w2 w':
        answer, = ask(t, [position])
        equal(answer, {'position': position, 'result': 'loss', 'distance': 0, 'moves': []}, 'answer')


def test_query_random_positions(t):
    """2,000 random positions: the moves are the legal ones, best first, and agree with what they lead to"""
    positions = [game.START] + [game.random_position(t.random) for _ in range(2000)]
    successors = {position: game.moves(position) for position in positions}
    known = {position: game.fen(position) for position in positions}
    for after in successors.values():
        known.update((position, game.fen(position)) for position in after.values())
    answers = dict(zip(known, ask(t, known.values())))
    for position, text in known.items():
        answer = answers[position]
        equal(answer['position'], text, 'position of the answer')
        legal = successors.get(position) or game.moves(position)
        equal({move['move'] for move in answer['moves']}, set(legal), f'legal moves of {text}')
        equal(len(answer['moves']), len(legal), f'number of moves of {text}')
        order = [game.worth(move) for move in answer['moves']]
        equal(order, sorted(order, reverse=True), f'order of the moves of {text}')
        own = {key: answer[key] for key in ('result', 'distance')}
        best = {key: answer['moves'][0][key] for key in own} if order else {'result': 'loss', 'distance': 0}
        equal(own, best, f'worth of {text} and of its best move')
    for position in positions:
        expect_shape(answers[position])
        for move in answers[position]['moves']:
            after = answers[successors[position][move['move']]]
            equal({'move': move['move'], **game.value_before(after)}, move,
                  f'{known[position]}: worth of {move["move"]} and of what it leads to')


def test_query_stuck(t):
    """A side without a move has a draw, and no moves are told"""
    t.run('neutreeko-solve --quiet --board 3x3 --pieces 4 --row 3 -o full.dat').expect(0)
    query(t, '--table', 'full.dat', 'bbw/wwb/1wb b').expect(0, '\nDraw: Black has no legal moves.\n', '')
    answer, = objects(query(t, '--json', '--table', 'full.dat', 'bbw/wwb/1wb b').expect(0, err=''), 1)
    equal(answer, {'position': 'bbw/wwb/1wb b', 'result': 'draw', 'distance': None, 'moves': []}, 'answer')


# ---- where the table is ----

def test_query_places(t):
    """A table that nobody names is looked for where the environment says; the places are told, each once"""
    own, home = 'neutreeko/perfect_move.dat', f'{t.dir}/.local/share/neutreeko/perfect_move.dat'
    usual = [f'/usr/local/share/{own}', f'/usr/share/{own}']
    many = [f'/nowhere/{n}' for n in range(30)]
    for environment, places in (
            ({}, [home, *usual]),
            ({'HOME': ''}, usual),
            ({'HOME': None}, usual),
            ({'XDG_DATA_HOME': '', 'XDG_DATA_DIRS': ''}, [home, *usual]),
            ({'XDG_DATA_HOME': '/nowhere', 'NEUTREEKO_TABLE': ''}, [f'/nowhere/{own}', *usual]),
            ({'XDG_DATA_DIRS': '/nowhere::/nowhere:/usr/share:'}, [home, f'/nowhere/{own}', f'/usr/share/{own}']),
            ({'XDG_DATA_DIRS': ':'.join(many)}, [home] + [f'{place}/{own}' for place in many[:15]])):
        taken = ''.join(f'-u {name} ' for name, value in environment.items() if value is None)
        given = {name: value for name, value in environment.items() if value is not None}
        lost = t.run(f'env {taken} neutreeko query', env=given).expect(1, '', ['no table of the solved game',
                                                                              'neutreeko-solve -o FILE'])
        told = re.findall('^  (.*)$', lost.err, re.M)
        equal(told[:len(places)], places, f'places with {environment}')
        check(len(told) <= 16 and len(set(told)) == len(told), f'places with {environment}: {told}')


# ---- standard input ----

def test_query_input_lines(t):
    """From standard input come lines with any ends; empty ones are passed over"""
    text = f'\n{START}\n\n{WON_IN_1}\r\n\r\n{OVER}'
    answers = objects(query(t, '--json', '-', input=text.encode()).expect(0, err=''), 3)
    equal([answer['position'] for answer in answers], [START, WON_IN_1, OVER], 'positions')
    words = query(t, '-', input=text.encode()).expect(0, err='').out
    equal(words, query(t, START, WON_IN_1, OVER).out, 'output as text')
    for nothing in b'', b'\n', b'\r\n\n':
        query(t, '-', input=nothing).expect(0, '', '')
        query(t, '--json', '-', input=nothing).expect(0, '', '')


def test_query_input_between(t):
    """- stands for the positions of standard input among those of the command line"""
    outcome = query(t, '--json', OVER, '-', OVER, input=f'{START}\n'.encode()).expect(0, err='')
    answers = objects(outcome, 3)
    equal([answer['position'] for answer in answers], [OVER, START, OVER], 'positions')


def test_query_conversation(t):
    """Each answer leaves at once, so that a program at both ends can converse"""
    with t.converse(['neutreeko', 'query', '--table', t.table, '--json', '-']) as partner:
        for position in START, 'nonsense', OVER:
            answer = json.loads(partner.ask(position, 10))
            equal(answer.get('position', answer.get('input')), position, 'position of the answer')
    equal(partner.code, 1, 'exit status')


def test_query_conversation_in_pieces(t):
    """A line is answered also when the beginning of the next one came with it"""
    with t.converse(['neutreeko', 'query', '--table', t.table, '--json', '-']) as partner:
        for sent, position in (f'{START}\n{OVER[:7]}', START), (f'{OVER[7:]}\n', OVER), (f'{START}\n\n\r', START):
            answer = json.loads(partner.ask(sent, 10, end=''))
            equal(answer['position'], position, f'position of the answer to {sent!r}')
    equal(partner.code, 0, 'exit status')


def test_query_many(t):
    """Many answers are written together: 3,000 lines of input take no 100 writes of output"""
    positions = [game.fen(game.random_position(t.random)) for _ in range(3000)]
    questions = t.write('questions', ''.join(f'{position}\n' for position in positions).encode())
    for option in [], ['--json']:
        writes = []  # each arrives as a message of its own
        near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with near, questions.open('rb') as file:
            with t.start(['neutreeko', 'query', '--table', t.table, '-', *option], stdin=file, stdout=far) as process:
                far.close()
                while written := near.recv(1 << 20):
                    writes.append(written)
        equal(process.returncode, 0, 'exit status')
        equal(len(re.findall(b'^(?:{"position": "|)((?:[1-5bw]+/){4}[1-5bw]+ [bw])', b''.join(writes), re.MULTILINE)),
              len(positions), 'number of answers')
        check(len(writes) < 100, f'{len(writes)} writes')


def test_query_input_failures(t):
    """Standard input that cannot be read is a failure; in particular the table is never taken for it"""
    for line in 'neutreeko query --table "$TABLE" - <&-', 'neutreeko query --table "$TABLE" - <.':
        t.run(line).expect(1, '', 'standard input')
        t.run(f'{line} --json').expect(1, '', 'standard input')


def test_query_moves(t):
    """Moves lead on from the position before them, or from the start; a wrong one is refused"""
    led, = objects(query(t, '--json', 'b1-c1', '5B5C').expect(0, err=''), 1)
    equal((led['position'], led['result'], led['distance']), ('2ww1/2b2/5/2w2/2bb1 b', 'win', 3), 'answer')
    two = objects(query(t, '--json', led['position'], 'c4-e2', START, 'b1-c1', 'b5-c5').expect(0, err=''), 2)
    equal([answer['position'] for answer in two], ['2ww1/5/5/2w1b/2bb1 w', led['position']], 'positions')
    both = objects(query(t, '--json', 'b1-c1', '-', input=START.encode()).expect(0, err=''), 2)
    equal([answer['position'][-1] for answer in both], ['w', 'b'], 'sides to move')
    for moves, complaint in ((['b1-c1', 'b1-c1'], "illegal move 'b1-c1': there is no piece on b1"),
                             (['b1-b2', 'b5-c5'], "illegal move 'b1-b2': the piece slides until"),
                             ([OVER, 'a3-b3'], "illegal move 'a3-b3': the game is over"),
                             (['b1-c1', 'b5c9'], "invalid position 'b5c9'")):
        query(t, *moves).expect(2, err=complaint)


# ---- invalid positions ----

MALFORMED = [  # and the character that is at fault; 0: no single one
    ('', 1),
    ('nonsense', 1),
    (' ' + START, 1),
    ('1w1w1/2b2/5/2w2/1b1b1', 22),
    ('1w1w1/2b2/5/2w2/1b1b1 ', 23),
    ('1w1w1/2b2/5/2w2/1b1b1b', 22),
    ('1w1w1/2b2/5/2w2/1b1b1\tb', 22),
    ('1w1w1/2b2/5/2w2/1b1b1 x', 23),
    ('1w1w1/2b2/5/2w2/1b1b1 bw', 24),
    (START + ' ', 24),
    (START + '\n', 24),
    (START + ' 0 1', 24),
    ('1w1w1/2b2/5/2w2/', 17),
    ('1w1w1/2b2/5/2w2 b', 16),
    ('1w1w1/2b2/5/2w2/1b1b1/5 b', 22),
    ('1w1w/2b2/5/2w2/1b1b1 b', 5),
    ('1w1w1/2b2/5/2w2/1b1b b', 21),
    ('6/1w1w1/2b2/2w2/1b1b1 b', 1),
    ('1w1w1/2b3/5/2w2/1b1b1 b', 7),
    ('1w1w11/2b2/5/2w2/1b1b1 b', 6),
    ('1w1w1/2b2/0/2w2/1b1b1 b', 11),
    ('1w1w1/2b2//2w2/1b1b1 b', 11),
    ('1w1w1/2b2/5/2k2/1b1b1 b', 14),
    ('1w1w1/2b2/-5/2w2/1b1b1 b', 11),
    ('1w1w1/2b2/99999999999999999999/2w2/1b1b1 b', 11),
    ('1w1w1/2b2/5/2\u00e92/1b1b1 b', 14),
    ('x:.b.b...w.........b...w.w.', 1),
    (':.b.b...w.........b...w.w.', 1),
    ('b:.b.b...w.........b...w.w', 27),
    ('b:.b.b...w.........b...w.w..', 28),
    ('b:.b.b...w....x....b...w.w.', 15),
    ('b:', 3),
    ('5/5/5/5/5 b', 0),
    ('1w1w1/2b2/5/2w2/1b3 b', 0),
    ('1w1w1/2b2/5/2w2/1bbb1 b', 0),
    ('1w1w1/2b2/5/5/1b1b1 b', 0),
    ('1w1w1/2b2/5/2w1w/1b1b1 b', 0),
    (OVER[:-1] + 'b', 0),
    ('www2/5/5/5/bbb2 b', 0),
    ('www2/5/5/5/bbb2 w', 0),
]


def test_query_malformed(t):
    """Invalid positions are rejected with exit status 2, naming the position and the wrong character"""
    for text, character in MALFORMED:
        for option in [], ['--json']:
            refused = query(t, *option, text.encode())
            quoted = f"'{text}'" if text.isascii() and text.isprintable() else ''
            refused.expect(2, '', ['neutreeko query: ', quoted])
            named = re.findall(r'character (\d+)', refused.err)
            refused.check(named == ([str(character)] if character else []),
                          f'names character {named}, expected {character or "none"}')


def test_query_impossible(t):
    """A well-formed position that cannot occur is rejected with the reason"""
    for text, reason in (('5/5/5/5/5 b', 'Black has 0 pieces'),
                         ('1w1w1/2b2/5/2w2/1b3 b', 'Black has 2 pieces'),
                         ('1w1w1/2b2/5/5/1b1b1 b', 'White has 2 pieces'),
                         (OVER[:-1] + 'b', 'Black has already won')):
        query(t, text).expect(2, '', [text, reason])


def test_query_malformed_among_others(t):
    """One bad position does not keep the others from being answered"""
    words = query(t, START, 'nonsense', OVER).expect(2, [START, OVER], "'nonsense'")
    equal(words.out, query(t, START, OVER).out, 'output')
    query(t, '-', input=f'{START}\nnonsense\n{OVER}\n'.encode()).expect(2, [START, OVER], "'nonsense'")
    answers = objects(query(t, '--json', START, 'nonsense', OVER).expect(2, err="'nonsense'"), 2)
    equal([answer['position'] for answer in answers], [START, OVER], 'positions')


def test_query_malformed_json(t):
    """With --json a bad line gets an object with "input" and "error" in its place; exit status 1"""
    for text, character in MALFORMED:
        if text.strip() == '' or text.endswith('\n'):
            continue  # as lines these are something else
        outcome = query(t, '--json', '-', input=f'{START}\n{text}\n{OVER}\n'.encode()).expect(1, err='')
        before, refused, after = objects(outcome, 3)
        equal((before['position'], after['position']), (START, OVER), 'the answers around it')
        equal(list(refused), ['input', 'error'], 'keys')
        equal(len(refused['input']), len(text), f'length of the input given back for {text!r}')
        if text.isascii():
            equal(refused['input'], text, 'input')
        named = re.findall(r'character (\d+)', refused['error'])
        equal(named, [str(character)] if character else [], f'character named in {refused["error"]!r}')


def test_query_garbage(t):
    """Lines of any length with any bytes leave one valid JSON object each, and the good ones their answer"""
    bad = [b'x' * 1000000, b'1' * 1000000, b'b:' + b'.' * 1000000, START.encode() + b' ' * 1000000,
           START.encode() + b'\0', b'\0', b'\0' * 1000, START.encode()[:5] + b'\0' + START.encode(),
           b'\xff\xfe', b'\xc0\xaf', b'\xed\xa0\x80', b'\xf4\x90\x80\x80', b'\xe2\x82', b'1w\xe9',
           b'"\\\x01\x1b[31m\x7f', '\u2028\U0001f600'.encode()]
    for _ in range(200):
        line = bytes(t.random.choices(range(256), k=t.random.randrange(1, 60)))
        bad.append(line.replace(b'\n', b'?').replace(b'\r', b'?'))
    text = b''.join(line + b'\n' + START.encode() + b'\n' for line in bad)
    answers = objects(query(t, '--json', '-', input=text).expect(1, err=''), 2 * len(bad))
    for line, refused, answer in zip(bad, answers[::2], answers[1::2]):
        check('error' in refused, f'{line[:80]!r} has been answered')
        equal(answer.get('position'), START, f'position of the answer after {line[:80]!r}')
    query(t, '-', input=text).expect(2)


def test_query_long_lines(t):
    """A line may have 65,536 bytes; a longer one is rejected, is skipped, and is not kept in memory"""
    text = START.encode()
    for length, reason in (65536, 'character 24'), (65537, 'line too long: expected at most 65536 bytes'):
        line = text + b' ' * (length - len(text))
        for end in b'', b'\n':
            query(t, '-', input=line + end).expect(2, '', reason)
        answers = objects(query(t, '--json', '-', input=line + b'\n' + text + b'\n' + line).expect(1, err=''), 3)
        check(all(reason in answers[n]['error'] for n in (0, 2)), f'the errors are {answers}')
        check(answers[0]['input'] == line.decode()[:65536], 'the input is not given back')
        equal(answers[1]['position'], START, 'position of the answer between them')
    for end in '\r\n', '\r\r\n':
        answered = query(t, '--json', '-', input=f'{START}{end}{end}{OVER}{end}'.encode()).expect(0, err='')
        equal(len(objects(answered, 2)), 2, 'answers')
    pipe = subprocess.PIPE
    with t.start(['neutreeko', 'query', '--table', t.table, '-'], stdin=pipe, stdout=pipe, stderr=pipe) as process:
        for _ in range(100):
            process.stdin.write(b'x' * 1000000)
        status = pathlib.Path(f'/proc/{process.pid}/status')
        peak = int(re.search(r'VmHWM:\s*(\d+) kB', status.read_text())[1]) if status.exists() else 0
        out, err = process.communicate(b'\n' + text)
    check(b'line too long: expected at most 65536 bytes' in err and text in out, f'it said {err}')
    check(peak < 80000, f'{peak} kB for a line of 100 MB')


def test_query_complaint_is_safe_to_print(t):
    """A complaint stays one short line, whatever bytes it speaks of, and cannot control a terminal"""
    for text in b'1w\x1b[31m\x07', b'two\nlines', b'\x9b31m', b'x' * 100000, b'1\r2', b'\xff\xfe':
        refused = query(t, text).expect(2, '')
        refused.check(refused.err.encode() == refused.err_bytes, 'is not UTF-8')
        refused.check(refused.err[-1:] == '\n' and refused.err[:-1].isprintable(), 'is not one line of text')
        refused.check(len(refused.err) < 1000, 'is longer than anyone will read')


# ---- the terminal and other ends of the output ----

def test_query_colour(t):
    """Colour is for terminals only, and not with NO_COLOR, TERM=dumb, --no-color or --json"""
    def colours(*options, terminal='out', **env):
        answer = query(t, *options, terminal=terminal, env={'TERM': 'xterm', **env}).expect(0, err='')
        return '\033[' in answer.out
    check(colours(), 'no colour on a terminal')
    check(colours(NO_COLOR=''), 'an empty NO_COLOR must count as none (see no-color.org)')
    check(not colours(terminal=None), 'colour in a pipe')
    check(not colours(NO_COLOR='1'), 'colour in spite of NO_COLOR')
    check(not colours(TERM='dumb'), 'colour in spite of TERM=dumb')
    check(not colours(TERM=''), 'colour on an unknown terminal')
    check(not colours('--no-color'), 'colour in spite of --no-color')
    check(not colours('--json'), 'colour in JSON')
    check(not query(t, terminal='out').expect(0).out.count('\033'), 'colour without TERM')


def test_query_output_fails(t):
    """An answer, help or version that cannot be printed is a failure, told on standard error"""
    for arguments in ('query --table "$TABLE"', 'query --table "$TABLE" --json', '--help', '--version',
                      'query --help'):
        for closed in '>/dev/full', '>&-':
            t.run(f'neutreeko {arguments} {closed}').expect(1, '', 'neutreeko')


def test_query_output_fails_on_the_way(t):
    """When the output fails, it does not go on to the end of its input"""
    t.write('many', f'{START}\n'.encode() * 1000)
    failed = t.run('neutreeko query --table "$TABLE" - <many >/dev/full').expect(1, '', 'No space left')
    equal(failed.err.count('\n'), 1, 'lines on standard error')


def test_query_reader_goes_away(t):
    """A reader that has seen enough is no reason for a complaint"""
    t.write('many', f'{START}\n'.encode() * 5000)
    for option in '', '--json':
        short = t.run(f'neutreeko query --table "$TABLE" {option} - <many | head -n 1').expect(0, START, '')
        equal(short.out.count('\n'), 1, 'lines')
