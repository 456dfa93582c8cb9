"""End-to-end tests of what neutreeko tells about games: review, line and puzzle.

Usage: python3 tests/review.py PATH/neutreeko-solve PATH/neutreeko [NAME...]

Prints TAP; exit status 0 only when every test passed. With a NAME, or several, only those tests run whose
function's name contains it. Needs nothing beyond Python's standard library.
"""

import json
import os
import re
import sys

sys.dont_write_bytecode = True  # leave no __pycache__ among the sources

import cli_game as game
import cli_harness
from cli_harness import check, equal
from cli_query import ask, objects

START = game.fen(game.START)

# Each kind of error. The third column is what follows the columns 'before' and 'after' in the review.
ERRORS = (
    ('b1-c1', ('draw', None), ('draw', None), None, None, 0),
    ('c2-c3', ('draw', None), ('draw', None), None, None, 0),
    ('c1-a3', ('draw', None), ('draw', None), None, None, 0),
    ('d5-d2', ('draw', None), ('loss', 4), '?', 'b5-c5', 0),
    ('d1-a1', ('win', 3), ('draw', None), '?', 'c4-a2', 0),
    ('d2-a2', ('draw', None), ('draw', None), None, None, 0),
    ('c4-b3', ('draw', None), ('loss', 6), '?', 'a1-b2', 0),
    ('b5-e2', ('win', 5), ('win', 27), None, 'c3-b2', 22),
    ('b3-b1', ('loss', 26), ('loss', 4), None, 'a1-b2', 22),
    ('c3-a5', ('win', 3), ('loss', 2), '??', 'c3-b2', 0),
    ('a3-c1', ('win', 1), ('win', 1), None, None, 0))

ERRORS_TEXT = """\
1w1w1/2b2/5/2w2/1b1b1 b

  ply  side   move   before       after
    1  Black  b1-c1  draw         draw
    2  White  c2-c3  draw         draw
    3  Black  c1-a3  draw         draw
    4  White  d5-d2  draw         loss in 4    ?   b5-c5 draws
    5  Black  d1-a1  win in 3     draw         ?   c4-a2 wins in 3 plies
    6  White  d2-a2  draw         draw
    7  Black  c4-b3  draw         loss in 6    ?   a1-b2 draws
    8  White  b5-e2  win in 5     win in 27        c3-b2 wins 22 plies sooner
    9  Black  b3-b1  loss in 26   loss in 4        a1-b2 loses 22 plies later
   10  White  c3-a5  win in 3     loss in 2    ??  c3-b2 wins in 3 plies
   11  Black  a3-c1  win in 1     win in 1

Black wins.

        moves    ?   ??  plies wasted
Black       6    2    0            22
White       5    1    1            22
"""

MOVES = [row[0] for row in ERRORS]


def run(t, command, *arguments, **options):
    return t.run(['neutreeko', command, '--table', t.table, *arguments], **options)


def review(t, record):
    """The review in JSON of a game that is good."""
    found, = objects(run(t, 'review', '--json', input=record.encode()).expect(0, err=''), 1)
    return found


def line(t, *arguments):
    found, = objects(run(t, 'line', '--json', *arguments).expect(0, err=''), 1)
    return found


def positions_of(start, moves):
    """Every position of a game, the first and the last included."""
    positions = [start]
    for move in moves:
        positions.append(game.moves(positions[-1])[move])
    return positions


def answers_about(t, positions):
    return ask(t, [game.fen(position) for position in positions])


def colour(position):
    return 'black' if position.to_move == 'b' else 'white'


def value_of(answer):
    return {'result': answer['result'], 'distance': answer['distance']}


def random_start(random):
    while True:
        position = game.random_position(random)
        if not game.is_over(position):
            return position


def random_game(random, start, plies):
    """Moves by chance, to the end of the game at most; of three moves one looks for a row."""
    moves, seen = [], [start]
    while len(moves) < plies and not game.is_over(seen[-1]) and seen.count(seen[-1]) < 3:
        options = game.moves(seen[-1])
        rows = [move for move in options if game.is_over(options[move])]
        moves.append(random.choice(rows if rows and random.random() < 1 / 3 else sorted(options)))
        seen.append(options[moves[-1]])
    return moves


def expected_review(start, moves, answers):
    """What the review must be by the answers about each position of a game that nobody resigns."""
    positions = positions_of(start, moves)
    repeated = positions.count(positions[-1]) == 3
    summary = {side: dict.fromkeys(('moves', 'errors', 'blunders', 'plies_wasted'), 0) for side in ('black', 'white')}
    reviewed = []
    for ply, move in enumerate(moves):
        before, after = value_of(answers[ply]), game.value_before(answers[ply + 1])
        if repeated and ply == len(moves) - 1:
            after = {'result': 'draw', 'distance': None}
        fall = ['loss', 'draw', 'win'].index(before['result']) - ['loss', 'draw', 'win'].index(after['result'])
        mark = '??' if fall == 2 else '?' if fall == 1 else None
        wasted = abs((before['distance'] or 0) - (after['distance'] or 0)) if fall == 0 else 0
        better = answers[ply]['moves'][0]['move'] if mark or wasted else None
        side = colour(positions[ply])
        reviewed.append({'ply': ply + 1, 'side': side, 'move': move, 'before': before, 'after': after,
                         'mark': mark, 'better': better, 'plies_wasted': wasted})
        for key, count in ('moves', 1), ('errors', mark == '?'), ('blunders', mark == '??'), ('plies_wasted', wasted):
            summary[side][key] += count
    last = positions[-1]
    won = game.is_over(last)
    end = {'reason': 'row' if won else 'repetition' if repeated else 'none',
           'winner': colour(last._replace(to_move='w' if last.to_move == 'b' else 'b')) if won else None,
           'position': game.fen(last),
           **({'result': 'draw', 'distance': None} if repeated else value_of(answers[-1]))}
    return {'start': game.fen(start), 'moves': reviewed, 'summary': summary, 'end': end}


# ---- review: good games ----

def test_review_each_kind_of_error(t):
    """review marks each kind of error, and only those; as text and as JSON"""
    t.write('game.txt', ' '.join(MOVES).encode())
    words = run(t, 'review', 'game.txt').expect(0, err='')
    equal(words.out, ERRORS_TEXT, 'the review')
    found, = objects(run(t, 'review', '--json', 'game.txt').expect(0, err=''), 1)
    equal([(row['move'], tuple(row['before'].values()), tuple(row['after'].values()), row['mark'], row['better'],
            row['plies_wasted']) for row in found['moves']], list(ERRORS), 'moves in JSON')
    answers = answers_about(t, positions_of(game.START, MOVES))
    equal(found, expected_review(game.START, MOVES, answers), 'the review by the answers of query')


def test_review_agrees_with_query(t):
    """review tells of every move of 30 games what query tells of the positions"""
    games, asked = [], []
    for number in range(30):
        start = random_start(t.random) if number % 3 else game.START
        games.append((start, random_game(t.random, start, 40)))
        asked += positions_of(*games[-1])
    answers = answers_about(t, asked)
    for start, moves in games:
        own, answers = answers[:len(moves) + 1], answers[len(moves) + 1:]
        equal(review(t, f'start {game.fen(start)}\n{" ".join(moves)}\n'), expected_review(start, moves, own),
              f'review of {game.fen(start)} {" ".join(moves)}')


def test_review_ends(t):
    """review tells how a game ended: row, resignation, repetition, not at all, over before it began"""
    for record, reason, winner, words in (
            (' '.join(MOVES), 'row', 'black', 'Black wins.'),
            (' '.join(MOVES[:4]) + ' resign', 'resigned', 'white',
             'Black resigns: White wins.\nBlack resigned a position that wins in 3 plies with optimal play.'),
            ('resign', 'resigned', 'white',
             'Black resigns: White wins.\nBlack resigned a position that draws with optimal play.'),
            (' '.join(MOVES[:4]), 'none', None,
             'The game is not over: Black is to move.\nBlack wins in 3 plies with optimal play.'),
            ('b1-b4 d5-d2 b4-b1 d2-d5 ' * 2, 'repetition', None, 'Draw by threefold repetition.'),
            ('start 5/5/2w2/1w1w1/bbb2 w', 'row', 'black', 'No moves.\n\nBlack wins.'),
            ('', 'none', None, 'No moves.\n\nThe game is not over: Black is to move.')):
        found = review(t, record)
        equal((found['end']['reason'], found['end']['winner']), (reason, winner), f'end of {record}')
        run(t, 'review', input=record.encode()).expect(0, f'\n{words}\n', '')


def test_review_third_occurrence(t):
    """A lost position that occurs for the third time is a draw, and no mistake of the side that saves it"""
    start = game.moves(game.START)['b1-b4']
    moves = ['d5-d2', 'b4-b1', 'd2-d5', 'b1-b4'] * 2
    found = review(t, f'start {game.fen(start)}\n{" ".join(moves)}')
    equal(found, expected_review(start, moves, answers_about(t, positions_of(start, moves))), 'the review')
    last = found['moves'][-1]
    equal((found['moves'][3]['after'], last['before']['result'], last['after']['result'], last['mark']),
          ({'result': 'loss', 'distance': 22}, 'draw', 'draw', None), 'the first b1-b4, and the last')
    refused = run(t, 'review', input=f'start {game.fen(start)}\n{" ".join(moves)} d5-d2'.encode())
    refused.expect(1, '', 'line 2, character 49: move 9 (White): the game is over')


def test_review_spellings(t):
    """review reads moves in every notation, with numbers, comments, blanks and any line ends"""
    expected = review(t, ' '.join(MOVES[:6]))
    for record in (
            'B1-C1 C2-C3 C1-A3 D5-D2 D1-A1 D2-A2',
            'b1c1 C2C3 1C3A 5D2D d1A1 2d2a',
            '1. b1-c1 c2-c3 2. c1-a3 d5-d2 3. d1-a1 d2-a2',
            '1.b1-c1 1...c2-c3 2.c1-a3 ... d5-d2 999999999999999999999. 7. d1-a1 d2-a2 8.',
            'b1-c1\nc2-c3\n\n\nc1-a3\nd5-d2\nd1-a1\nd2-a2\n',
            'b1-c1 c2-c3\r\nc1-a3 d5-d2\r\nd1-a1 d2-a2\r\n',
            'b1-c1 c2-c3\rc1-a3 d5-d2\rd1-a1 d2-a2\r',
            '\t b1-c1\tc2-c3 \f c1-a3\v\nd5-d2 \n  d1-a1 d2-a2 \t',
            '\N{BYTE ORDER MARK}b1-c1 c2-c3 c1-a3 d5-d2 d1-a1 d2-a2',
            '# a comment\n# with \x07 and \N{SNOWMAN}\r\nb1-c1 # c1-b1\nc2-c3#resign\n'
            'c1-a3 d5-d2 ##\r#\nd1-a1 d2-a2 # end',
            f'start {START}\nb1-c1 c2-c3 c1-a3 d5-d2 d1-a1 d2-a2',
            f'# first\n\n  START\t {START.replace(" ", "_")} \t # here\r\nb1-c1 c2-c3 c1-a3 d5-d2 d1-a1 d2-a2',
            f'start {game.squares_in_order(game.START)}#\nb1-c1 c2-c3 c1-a3 d5-d2 d1-a1 d2-a2'):
        equal(review(t, record), expected, f'review of {record!r}')
    for record in 'b1-c1 resign', 'b1-c1 RESIGN', 'b1-c1\n1... Resign # done':
        equal(review(t, record)['end']['reason'], 'resigned', f'end of {record!r}')


def test_review_layout(t):
    """Every review fits into 80 columns, and its columns stand below each other"""
    for _ in range(10):
        start = random_start(t.random)
        record = f'start {game.fen(start)}\n' + ' '.join(random_game(t.random, start, 30))
        text = run(t, 'review', input=record.encode()).expect(0, err='').out
        rows = text.split('\n')
        check(max(map(len, rows)) <= 80, f'a line is longer than 80 columns:\n{text}')
        check(not any(row != row.rstrip() for row in rows), f'blanks at the end of a line:\n{text}')
        value = r'(?:draw|(?:win|loss) in \d+)'
        for row in rows[3:rows.index('', 3)]:
            check(re.fullmatch(rf' *\d+  (Black|White)  \w\d-\w\d  (?=.{{13}}\w){value} +{value}'
                               r'(?: +(\?\?|\?)? +\w\d-\w\d (draws|wins .+|loses .+))?', row), f'odd line {row!r}')


# ---- review: bad games ----

def expect_complaint(t, record, line, character, text):
    record = record if isinstance(record, bytes) else record.encode()
    for form in (), ('--json',):
        refused = run(t, 'review', *form, input=record)
        refused.expect(1, '', f'neutreeko review: standard input: line {line}, character {character}: {text}')
        refused.check(refused.err.count('\n') == 1, 'more than one line of complaint')


def test_review_syntax_errors(t):
    """An invalid move is reported with its line and character"""
    for record, line, character, text in (
            ('b1-c1 c2-c9', 1, 11, "move 2 (White): found '9', expected a rank, 1-5"),
            ('b1-c1\n\n  c2-f3', 3, 6, "move 2 (White): found 'f', expected a file, a-e"),
            ('1. b1-c1\n1...c2c3x', 2, 9, "move 2 (White): found 'x', expected the end of the text"),
            ('b1', 1, 3, 'move 1 (Black): the text ends, expected a file, a-e'),
            ('b1-', 1, 4, 'move 1 (Black): the text ends'),
            ('b1 - c1', 1, 3, 'move 1 (Black): the text ends'),
            ('b1-c1,c2-c3', 1, 6, "move 1 (Black): found ','"),
            ('b1-b1', 1, 1, 'move 1 (Black): a move from a square to itself'),
            ('# b1-c1\r\nresigned', 2, 1, "move 1 (Black): found 'r'"),
            ('b1-c1\rc2-c3\r\n\r5', 4, 2, 'move 3 (Black): the text ends'),
            ('1-0', 1, 2, "move 1 (Black): found '-'"),
            (b'b1-c1 \xc3\xa9', 1, 7, 'move 2 (White): found byte 195'),
            (b'\xef\xbb\xbfx', 1, 1, "move 1 (Black): found 'x'"),
            (b'b1-c1\nc2-\0c3', 2, 4, 'unexpected byte 0'),
            (b'\0', 1, 1, 'unexpected byte 0'),
            (b'b1-c1\x1b[2J', 1, 6, 'move 1 (Black): found byte 27'),
            ('start', 1, 6, 'start position: the text ends, expected b, w or a number'),
            ('start  # none', 1, 8, 'start position: the text ends'),
            ('start 1w1w1/2b2/5/2w2/1b1b1', 1, 28, 'start position: the text ends, expected a space and the side'),
            ('start 1w1w1/2b2/5/2w2/1b1b1 x', 1, 29, "start position: found 'x', expected the side to move"),
            ('\nstart 1w1w1/2b2/5/2w2/1b1b1 b b1-c1', 2, 30, "start position: found ' ', expected the end"),
            ('start 1w1w1/2b3/5/2w2/1b1b1 b', 1, 13, 'start position: rank 4 has 6 squares, expected 5'),
            ('start 1w1w1/2b2/5/2w2/1b3 b', 1, 7, 'start position: Black has 2 pieces, expected 3'),
            ('start bbb2/5/5/5/www2 b', 1, 7, 'start position: Black has already won'),
            ('start ' + 'b' * 5000, 1, 12, "start position: found 'b', expected / before"),
            (b'start 1w1\0', 1, 10, 'unexpected byte 0'),
            (f'start {START}\nstart {START}', 2, 1, "unexpected 'start': it must be the first entry"),
            (f'b1-c1\n start {START}', 2, 2, "unexpected 'start': it must be the first entry"),
            ('b1-' + 'c' * 5000, 1, 5, "move 1 (Black): found 'c', expected a rank")):
        expect_complaint(t, record, line, character, text)


def test_review_illegal_moves(t):
    """An illegal move is told with its number, its place and why"""
    for record, line, character, text in (
            ('b1-c1\nc2-d2', 2, 1, 'move 2 (White): the piece slides until something stops it: on e2, not d2'),
            ('b1-b5', 1, 1, 'move 1 (Black): the piece slides until something stops it: on b4, not b5'),
            ('1. b5-c5', 1, 4, "move 1 (Black): the piece on b5 is not Black's"),
            ('1. b1-c1 1...b1-c1', 1, 14, 'move 2 (White): there is no piece on b1'),
            ('b1-c3', 1, 1, 'move 1 (Black): b1 and c3 are not on one line'),
            ('b1-c1 b5-c5 c1-d1', 1, 13, 'move 3 (Black): the piece on c1 is blocked in that direction'),
            (' '.join(MOVES) + '\ne2-e1', 2, 1, 'move 12 (White): the game is over'),
            (' '.join(MOVES) + '\nresign', 2, 1, "unexpected 'resign': the game is over"),
            ('resign\nresign', 2, 1, "unexpected 'resign': the game is over"),
            ('resign b1-c1', 1, 8, 'move 1 (Black): the game is over'),
            ('start 5/5/2w2/1w1w1/bbb2 w\nb2-a3', 2, 1, 'move 1 (White): the game is over')):
        expect_complaint(t, record, line, character, text)


def test_review_odd_files(t):
    """Files that hold no game, or are no files, are rejected with their names"""
    t.write('garbage', t.random.randbytes(1 << 20))
    t.write('letters', b'x' * (1 << 20))
    t.write('zeros', bytes(1 << 20))
    t.write('large', b'# long\n' * 200000)
    (t.dir / 'directory').mkdir()
    for name, text in (('missing', 'No such file'), ('directory', 'directory: Is a directory'), ('', 'No such file'),
                       ('garbage', 'line '), ('letters', "line 1, character 1: move 1 (Black): found 'x'"),
                       ('zeros', 'line 1, character 1: unexpected byte 0'), ('large', 'more than 1048576 bytes'),
                       ('/dev/zero', 'more than 1048576 bytes'), (t.table, 'line ')):
        refused = run(t, 'review', name, patience=10).expect(1, '', ['neutreeko review: ', str(name), text])
        refused.check(refused.err.count('\n') == 1, 'more than one line of complaint')
    run(t, 'review', '.', patience=10).expect(1, '', 'Is a directory')
    t.run('neutreeko review --table "$TABLE" <&-').expect(1, '', 'standard input: ')
    t.run('neutreeko review --table "$TABLE" - <directory').expect(1, '', 'standard input: Is a directory')
    t.write('empty', b'')
    for name in 'empty', '/dev/null':
        run(t, 'review', name).expect(0, 'No moves.', '')
    if os.geteuid():
        t.write('closed', b'').chmod(0)
        run(t, 'review', 'closed').expect(1, '', 'closed: Permission denied')


def test_review_full_size(t):
    """A file of the largest size that is read may hold a game"""
    record = b'# comment\n' * 104000 + ' '.join(MOVES).encode()
    found, = objects(run(t, 'review', '--json', input=record.ljust(1 << 20)).expect(0, err=''), 1)
    equal(len(found['moves']), len(MOVES), 'moves')


def test_review_damaged_games(t):
    """However a record is damaged, the answer is a review or a complaint with line and character"""
    record = f'# game\nstart {START}\n1. b1-c1 c2-c3\n2. c1-a3 d5-d2\nd1-a1 resign\n'.encode()
    reviewed = 0
    for _ in range(150):
        bad = bytearray(record)
        for _ in range(t.random.randint(1, 3)):
            place = t.random.randrange(len(bad))
            change = t.random.randrange(3)
            if change == 0:
                bad[place] = t.random.choice(b'abcde12345-.# \r\n\0\xffstartB:/')
            elif change == 1:
                del bad[place:place + t.random.randint(1, 8)]
            else:
                bad[place:place] = bad[t.random.randrange(len(bad)):][:8]
        ended = run(t, 'review', input=bytes(bad))
        if ended.code == 0:
            reviewed += 1
            ended.expect(0, ['1w1w1' if b'start' not in bad else ' moves '], '')
        else:
            ended.expect(1, '')
            ended.check(re.match(r'neutreeko review: standard input: line \d+, character \d+: .', ended.err),
                        f'no line and character for {bytes(bad)!r}')
    check(0 < reviewed < 150, f'{reviewed} of 150 damaged records were reviewed: nothing has been tested')


# ---- usage of all three ----

def test_usage(t):
    """review, line and puzzle have a help, refuse what they do not know with 2, and name a missing table"""
    for command in 'review', 'line', 'puzzle':
        for option in '--help', '-h':
            shown = t.run(f'neutreeko {command} {option}').expect(
                0, [f'Usage: neutreeko {command} ', 'Examples:', '--json', '--table', 'Exit status'], '')
            shown.check(shown.out.index('Examples:') < shown.out.index('Options:'), 'the examples do not come first')
        for arguments in ('--nonsense', '-z', '--table', '--json=yes', '--seed' if command != 'review' else '--table',
                          'one two' if command != 'puzzle' else 'one'):
            t.run(f'neutreeko {command} {arguments}').expect(2, '', ['neutreeko ', f'neutreeko {command} --help'])
        t.run(f'neutreeko {command}').expect(1, '', ['no table', 'neutreeko-solve'])
        t.run(f'neutreeko {command} --table missing.dat').expect(1, '', 'missing.dat')
        t.run(f'neutreeko {command} --help >/dev/full').expect(1, '')
    t.run('neutreeko --help').expect(0, ['  review ', '  line ', '  puzzle '], '')


def test_output_fails(t):
    """What cannot be printed is a failure"""
    t.write('game.txt', ' '.join(MOVES).encode())
    for command in ('review game.txt', 'review --json game.txt', 'line', 'line --json', 'line --record', 'puzzle',
                    'puzzle --json --answer'):
        for closed in '>/dev/full', '>&-':
            t.run(f'neutreeko {command} --table "$TABLE" {closed}').expect(1, '', 'cannot write to standard output')


def test_seeds(t):
    """--seed takes any number of 64 bits and nothing else"""
    for command in 'line', 'puzzle':
        for seed in '0', '1', '007', str(2**64 - 1):
            run(t, command, '--seed', seed).expect(0, err='')
        for seed in '', '-1', '+1', ' 1', '1 ', '1x', '0x1', 'one', '1.5', str(2**64), '9' * 40:
            run(t, command, '--seed', seed).expect(2, '', f"--seed '{seed}': expected a number from 0 to 18446744073709551615")


def test_damaged_table(t):
    """With one bit of the table changed, what is told is as before, or the damage is"""
    t.write('game.txt', ' '.join(MOVES).encode())
    commands = ['review game.txt', 'review --json game.txt', 'line --seed 5', 'line --seed 5 5/b4/1w3/w1b2/b3w_b',
                'line 5/5/2w2/1w2w/bb1b1_b']
    whole = {command: t.run(f'neutreeko {command} --table "$TABLE"').expect(0, err='').out for command in commands}
    refused = dict.fromkeys(commands, 0)
    for path in t.damaged(40):
        for command in commands:
            told = t.run(f'neutreeko {command} --table {path}')
            if told.code == 0:
                equal(told.expect(0, err='').out, whole[command], f'{command} with {path}')
            else:
                told.expect(1, '', [f'neutreeko {command.split()[0]}: ', 'damaged.dat: damaged'])
                refused[command] += 1
    check(all(0 < count < 39 for count in refused.values()), f'refused: {refused}')
    path, = t.damaged(2)
    t.run(f'neutreeko puzzle --table {path}').expect(1, '', ['neutreeko puzzle: ', 'damaged.dat: damaged'])


def test_colours(t):
    """Boards have colours on a terminal, unless --no-color forbids them"""
    for command in 'line', 'puzzle':
        for options, coloured in ([], True), (['--no-color'], False):
            shown = run(t, command, '--seed', '1', *options, terminal='out', env={'TERM': 'xterm'}).expect(0, err='')
            equal('\033[' in shown.out, coloured, f'colours of {command} with {options}')


# ---- line ----

def test_line_is_best_play(t):
    """In 100 lines each move is a best one; wins take as long as promised, draws end in repetition"""
    lines, asked, drawn = [], [], 0
    for number in range(100):
        start = random_start(t.random) if number else game.START
        found = line(t, '--seed', str(number), game.fen(start))
        positions = positions_of(start, [move['move'] for move in found['moves']])
        lines.append((found, positions))
        asked += positions
    answers = answers_about(t, asked)
    for found, positions in lines:
        own, answers = answers[:len(positions)], answers[len(positions):]
        moves = found['moves']
        text = json.dumps(found)
        equal(list(found), ['position', 'result', 'distance', 'moves', 'end'], 'keys')
        equal((found['position'], value_of(found)), (game.fen(positions[0]), value_of(own[0])), f'head of {text}')
        equal([move['ply'] for move in moves], list(range(1, len(moves) + 1)), f'plies of {text}')
        for ply, move in enumerate(moves):
            equal(list(move), ['ply', 'side', 'move', 'result', 'distance'], 'keys of a move')
            equal((move['side'], value_of(move)), (colour(positions[ply]), value_of(own[ply])), f'{move} in {text}')
            best = [option['move'] for option in own[ply]['moves'] if value_of(option) == value_of(own[ply])]
            check(move['move'] in best, f'{move} is none of {best} in {text}')
        end = found['end']
        equal(end['position'], game.fen(positions[-1]), f'last position of {text}')
        if found['result'] == 'draw':
            drawn += 1
            equal((end['reason'], end['winner']), ('repetition', None), f'end of {text}')
            equal(positions.count(positions[-1]), 3, f'occurrences of the last position of {text}')
            check(all(positions[:-1].count(position) < 3 for position in positions), f'goes on too long: {text}')
        else:
            winner = colour(positions[0 if found['result'] == 'win' else 1])
            equal((end['reason'], end['winner']), ('row', winner), f'end of {text}')
            equal(len(moves), found['distance'], f'plies of {text}')
    check(drawn > 1, 'no drawn position among them')


def test_line_words(t):
    """A line as text: positions, numbered moves with distances, the end"""
    shown = run(t, 'line', 'w4/5/1b3/2w2/bw1b1 b', '--seed', '1').expect(0, err='')
    rows = shown.out.splitlines()
    shown.check(rows[0] == 'w4/5/1b3/2w2/bw1b1 b' and rows[2] == ' 5  w . . . .', 'does not begin with the position')
    shown.check('Black to move wins in 51 plies with optimal play.' in rows, 'does not tell what it is worth')
    shown.check('    1  Black  a1-a4  wins in 51 plies' in rows, 'no first move')
    shown.check(re.search(r'^   51  Black  \w\d-\w\d  wins in 1 ply$', shown.out, re.MULTILINE), 'no last move')
    shown.check(rows[-1] == 'Black wins.', 'does not tell how it ends')
    run(t, 'line').expect(0, [START, 'Black to move draws', 'Draw by threefold repetition.\n'], '')
    over = run(t, 'line', '5/5/2w2/1w1w1/bbb2 w').expect(0, '5/5/2w2/1w1w1/bbb2 w', '')
    over.check(over.out.endswith('\n\nBlack wins.\n') and 'to move' not in over.out, 'odd words')
    equal(line(t, '5/5/2w2/1w1w1/bbb2 w'), {
        'position': '5/5/2w2/1w1w1/bbb2 w', 'result': 'loss', 'distance': 0, 'moves': [],
        'end': {'reason': 'row', 'winner': 'black', 'position': '5/5/2w2/1w1w1/bbb2 w'}}, 'line of a game that is over')


def test_line_seed(t):
    """The same seed shows the same line; other seeds show others"""
    position = 'b4/5/1w3/2b2/wb1w1 w'
    lines = [run(t, 'line', position, '--seed', str(seed)).out for seed in range(12)]
    equal([run(t, 'line', position, '--seed', str(seed)).out for seed in range(12)], lines, 'the lines once more')
    check(len(set(lines)) > 1, 'twelve seeds, one line')


def test_line_record(t):
    """What --record prints is a game that review finds no fault with"""
    for number in range(20):
        start = random_start(t.random) if number else game.START
        arguments = game.fen(start), '--seed', str(number)
        record = run(t, 'line', '--record', *arguments).expect(0, err='').out
        equal('start' in record, start != game.START, f'start position in {record!r}')
        found, played = review(t, record), line(t, *arguments)
        equal(found['start'], played['position'], f'start of {record!r}')
        equal([move['move'] for move in found['moves']], [move['move'] for move in played['moves']], 'moves')
        check(all(move['mark'] is None and move['plies_wasted'] == 0 for move in found['moves']),
              f'a perfect game has faults: {record!r}')
        equal({key: found['end'][key] for key in played['end']}, played['end'], 'end')
    run(t, 'line', '--record', '--json').expect(2, '', '--record cannot be combined with --json')
    for form in [], ['--json'], ['--record']:
        run(t, 'line', START, START, *form).expect(2, '', f"unexpected argument '{START}'")


def test_line_no_position(t):
    """line rejects invalid positions"""
    for position, text in (('', 'character 1: the text ends'), ('nonsense', "character 1: found 'n'"),
                           (START[:-2], 'the side to move'), ('bbb2/5/5/5/www2 b', 'Black has already won'),
                           ('bb3/5/5/5/wwb2 b', 'White has 2 pieces')):
        run(t, 'line', position).expect(2, '', ['neutreeko line: ', ' for a 5x5 board with 3 pieces per side: ', text])


# ---- puzzle ----

def puzzles(t, *arguments, count=1):
    return objects(run(t, 'puzzle', '--json', '--answer', *arguments, '--count', str(count)).expect(0, err=''), count)


def parse(text):
    """The position of a text as game.fen writes it."""
    board, side = text.split()
    sides = {'b': set(), 'w': set()}
    for rank, row in enumerate(reversed(board.split('/'))):
        for digit in '12345':
            row = row.replace(digit, '.' * int(digit))
        for file, letter in enumerate(row):
            if letter != '.':
                sides[letter].add((file, rank))
    return game.Position(frozenset(sides['b']), frozenset(sides['w']), side)


def images(position):
    """The position's images under the board's symmetries, colours apart, as masks of mover and other."""
    last = game.SIDE - 1
    turns = [lambda f, r: (f, r), lambda f, r: (last - r, f), lambda f, r: (last - f, last - r),
             lambda f, r: (r, last - f), lambda f, r: (last - f, r), lambda f, r: (f, last - r),
             lambda f, r: (r, f), lambda f, r: (last - r, last - f)]
    return {tuple(frozenset(turn(*square) for square in side) for side in (position.mover, position.other))
            for turn in turns}


def has_single_move(answer):
    """Whether a single move keeps what the position, a win or a draw, is worth, and others do not."""
    kept = [move for move in answer['moves'] if move['result'] == answer['result']]
    return len(kept) == 1 and len(answer['moves']) > 1


def expect_single_moves(t, found, result, distance):
    for puzzle, answer in zip(found, ask(t, [puzzle['position'] for puzzle in found])):
        equal(list(puzzle), ['position', 'side', 'result', 'distance', 'answer'], 'keys')
        equal((value_of(puzzle), value_of(answer)), ({'result': result, 'distance': distance},) * 2, f'{puzzle}')
        equal(puzzle['side'], colour(parse(puzzle['position'])), f'side of {puzzle}')
        check(has_single_move(answer), f'{puzzle} has not exactly one good move: {answer}')
        equal(puzzle['answer'], answer['moves'][0]['move'], f'answer of {puzzle}')


def expect_different(found):
    seen = set()
    for puzzle in found:
        position = parse(puzzle['position'])
        check((position.mover, position.other) not in seen, f'{puzzle} occurs twice, perhaps turned')
        seen |= images(position)


def test_puzzle_wins(t):
    """In every puzzle exactly one move wins, in as many plies as asked for"""
    for plies in 1, 3, 7, 13, 39:
        for seed in 1, 2:
            found = puzzles(t, '--plies', str(plies), '--seed', str(seed), count=20)
            expect_single_moves(t, found, 'win', plies)
            expect_different(found)
    expect_single_moves(t, puzzles(t), 'win', 5)


def test_puzzle_saves(t):
    """With --save exactly one move holds the draw and all others lose"""
    for seed in range(4):
        found = puzzles(t, '--save', '--seed', str(seed), count=20)
        expect_single_moves(t, found, 'draw', None)
        expect_different(found)


def test_puzzle_many(t):
    """A thousand puzzles are all different, of both colours and turned in every way"""
    found = puzzles(t, '--plies', '5', '--seed', '5', count=1000)
    expect_single_moves(t, found, 'win', 5)
    expect_different(found)
    check(400 < sum(puzzle['side'] == 'black' for puzzle in found) < 600, 'one colour is preferred')
    pieces = [sum(len(parse(puzzle['position']).other & {square}) for puzzle in found) for square in game.SQUARES]
    for f, r in game.SQUARES:
        near, far = pieces[f + 5 * r], pieces[(4 - f) + 5 * (4 - r)]
        check(abs(near - far) < 6 * (near + far + 1) ** 0.5, f'the board is not turned by chance: {pieces}')


def test_puzzle_complete(t):
    """All puzzles of a distance that has few are there, each once"""
    known = []
    for seed in range(8):
        found = line(t, '--seed', str(seed), 'w4/5/1b3/2w2/bw1b1 b')
        known += positions_of(parse(found['position']), [move['move'] for move in found['moves']])
    answers = [answer for answer in answers_about(t, known) if answer['moves'] and has_single_move(answer)]
    for plies in 33, 31, 51:
        shown = run(t, 'puzzle', '--json', '--plies', str(plies), '--count', '1000')
        shown.expect(0, err='up to symmetry')
        found = objects(shown, shown.out.count('\n'))
        expect_different(found)
        every = {(parse(puzzle['position']).mover, parse(puzzle['position']).other) for puzzle in found}
        unique = [answer for answer in answers if answer['result'] == 'win' and answer['distance'] == plies]
        for answer in unique:
            check(images(parse(answer['position'])) & every, f'{answer["position"]} is missing among the puzzles')
        check(unique or plies != 51, 'nothing has been compared')


def test_puzzle_words(t):
    """A puzzle as text: position, board, who moves and what is asked; the answer only with --answer"""
    for arguments, question in (('--plies 7', 'wins in 7 plies: find the only winning move.'),
                                ('--plies 1', 'wins in 1 ply: find the only winning move.'),
                                ('--save', 'only one move doesn\'t lose. Find it.')):
        asked, = objects(t.run(f'neutreeko puzzle --table "$TABLE" --seed 9 --json {arguments}').expect(0, err=''), 1)
        check('answer' not in asked, f'the answer without --answer: {asked}')
        shown = t.run(f'neutreeko puzzle --table "$TABLE" --seed 9 {arguments}').expect(0, err='')
        rows = shown.out.splitlines()
        shown.check(rows[0] == asked['position'] and rows[2].startswith(' 5  ') and rows[7] == '    a b c d e',
                    'no position or no board')
        equal(re.sub(' to move:? ', ' to move ', rows[-1]), f'{asked["side"].title()} to move {question}', 'the question')
        check('nswer' not in shown.out, f'the answer without --answer: {shown.out}')
        answered, = objects(t.run(f'neutreeko puzzle --table "$TABLE" --seed 9 --json --answer {arguments}'), 1)
        t.run(f'neutreeko puzzle --table "$TABLE" --seed 9 --answer {arguments}').expect(
            0, f'\n\nAnswer: {answered["answer"]}\n', '')
    several = t.run('neutreeko puzzle --table "$TABLE" --count 3 --answer').expect(
        0, ['Puzzle 1: ', '\n\nPuzzle 2: ', '\n\nPuzzle 3: ', '\n\nAnswer 1: '], '')
    equal([row[:9] for row in several.out.splitlines()[-3:]], ['Answer 1:', 'Answer 2:', 'Answer 3:'], 'last lines')


def test_puzzle_seed(t):
    """The same seed shows the same puzzles; other seeds, and none, show others"""
    expect_different([puzzles(t, '--seed', str(seed))[0] for seed in range(8)])
    for arguments in (), ('--count', '7'), ('--save', '--count', '2'):
        first = run(t, 'puzzle', '--seed', '11', *arguments).out
        equal(run(t, 'puzzle', '--seed', '11', *arguments).out, first, 'once more')
        check(run(t, 'puzzle', '--seed', '12', *arguments).out != first, 'another seed, the same puzzles')
    check(run(t, 'puzzle', '--count', '3').out != run(t, 'puzzle', '--count', '3').out, 'the same without a seed')


def test_puzzle_impossible(t):
    """What cannot be is told: no such distance, fewer than asked for, odd usage"""
    for plies in 53, 99, 507:
        run(t, 'puzzle', '--plies', str(plies)).expect(
            1, '', [f'no position has a single winning move, in {plies} plies', 'take 51 plies'])
    for form in (), ('--json',):
        few = run(t, 'puzzle', '--plies', '51', '--count', '3', *form)
        few.expect(0, 'w', 'only 1 position, up to symmetry, has a single winning move, in 51 plies')
    for board, arguments, code, complaint in (
            ('3x3 --pieces 3 --row 3', '--save --count 1000', 0,
             'only 22 positions, up to symmetry, have a single move that does not lose'),
            ('3x3 --pieces 2 --row 2', '--save', 1, 'no position has a single move that does not lose'),
            ('3x3 --pieces 2 --row 2', '--plies 1 --count 2', 0,
             'only 1 position, up to symmetry, has a single winning move, in 1 ply'),
            ('3x3 --pieces 2 --row 2', '--plies 3', 1,
             'no position has a single winning move, in 3 plies; the longest such wins take 1 ply'),
            ('3x3 --pieces 4 --row 4', '--plies 1', 1, 'no position has a single winning move, in 1 ply')):
        t.run(f'neutreeko-solve --quiet --board {board} -o small.dat').expect(0)
        told = t.run(f'neutreeko puzzle --table small.dat --json {arguments}').expect(code)
        equal(told.err, f'neutreeko puzzle: {complaint}\n', f'what is told about {board}')
        equal(told.out.count('\n'), {'22': 22, '1': 1}.get(complaint.split()[1], 0), f'puzzles of {board}')
    for arguments, complaint in (('--plies 2', 'odd number'), ('--plies 506', 'odd number'), ('--plies 0', '--plies'),
                                 ('--plies -1', '--plies'), ('--plies x', '--plies'), ('--plies 508', '--plies'),
                                 ('--plies 4294967301', '--plies'), ('--count 0', '--count'), ('--count 1001', '1000'),
                                 ('--count ""', '--count'), ('--save --plies 3', '--save cannot be combined with --plies'),
                                 ('--plies 3 --save', '--save cannot be combined with --plies'), ('--save=1', '--save')):
        t.run(f'neutreeko puzzle --table "$TABLE" {arguments}').expect(2, '', [complaint, 'puzzle --help'])


if __name__ == '__main__':
    sys.exit(0 if cli_harness.main([sys.modules[__name__]], __doc__) else 1)
