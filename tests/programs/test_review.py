"""neutreeko review and line: what they print about games."""

import re
import signal

import pytest

import oracle
from conftest import CYCLE, DRAWN, FAIR_17, OVER, PATIENCE, START, WON_IN_1

MISTAKES_TEXT = """\
1w1w1/2b2/5/2w2/1b1b1 b

  ply  side   move   before       after
    1  Black  b1-c1  draw         draw
    2  White  c2-c3  draw         draw
    3  Black  c1-a3  draw         draw
    4  White  d5-d2  draw         loss in 2    ?   b5-c5 draws
    5  Black  d1-a1  win in 2     draw         ?   c4-a2 wins in 2 moves
    6  White  d2-a2  draw         draw
    7  Black  c4-b3  draw         loss in 3    ?   a1-b2 draws
    8  White  b5-e2  win in 3     win in 14        c3-b2 wins 11 moves sooner
    9  Black  b3-b1  loss in 13   loss in 2        a1-b2 loses 11 moves later
   10  White  c3-a5  win in 2     loss in 1    ??  c3-b2 wins in 2 moves
   11  Black  a3-c1  win in 1     win in 1

Black wins.

        moves    ?   ??  moves lost
Black       6    2    0          11
White       5    1    1          11
"""

MOVES = re.findall(r'^ +\d+  \w+  (\S+)', MISTAKES_TEXT, re.M)


def run(t, command, *arguments, **options):
    return t.run(['neutreeko', command, *arguments], **options)


def review_all(t, record, *names):
    """The reviews in JSON of games that are good, in a text or in files."""
    found, = run(t, 'review', '--json', *names, input=record).expect(0, err='').json()
    return found['games']


def what_was_played(game):
    """Of a review in JSON, without the names of the players and what is added to the moves."""
    return {key: value for key, value in game.items() if key not in ('black', 'white', 'tree')}


def review(t, record):
    game, = review_all(t, record)
    return what_was_played(game)


def write_records(t, records):
    """Writes each to a file, for one review of all; returns their names."""
    return [t.write(f'{number}.txt', record).name for number, record in enumerate(records)]


# ---- review: good games ----

def test_each_kind_of_error(t):
    """review marks each kind of error, and only those; as text and as JSON."""
    assert run(t, 'review', input=' '.join(MOVES)).expect(0, err='').out == MISTAKES_TEXT
    found = review(t, ' '.join(MOVES))
    value = lambda one: 'draw' if one['result'] == 'draw' else f'{one["result"]} in {(one["plies"] + 1) // 2}'
    for move, line in zip(found['moves'], MISTAKES_TEXT.splitlines()[3:]):
        assert line.startswith(f'{move["ply"]:5}  {move["side"].title()}  {move["move"]}  {value(move["before"]):11}  '
                               f'{value(move["after"]):11}  {move["mark"] or "":2}  {move["better"] or ""}'.rstrip())
        assert f' {move["plies_lost"] // 2} moves ' in line or move['plies_lost'] == 0
    assert found['summary'] == {'black': {'moves': 6, 'mistakes': 2, 'blunders': 0, 'plies_lost': 22},
                                'white': {'moves': 5, 'mistakes': 1, 'blunders': 1, 'plies_lost': 22}}
    end, = t.ask([' '.join(MOVES)])
    assert (found['start'], found['end']) == (
        START, {'reason': 'won', 'winner': 'black', 'position': end['position'], 'result': 'loss', 'plies': 0})


def test_invalid_utf_8_in_a_name(t):
    """It is what query prints for invalid UTF-8 in a line."""
    found, = run(t, 'review', '--json', input=b'[White "a\xff"]\nb1-c1\n').expect(0).json()
    assert found['games'][0]['white'] == 'a\ufffd'


@pytest.mark.parametrize('record, reason, winner, text', [
    (' '.join(MOVES), 'won', 'black', 'Black wins.'),
    (' '.join(MOVES[:4]) + ' resign', 'resigned', 'white',
     'Black resigns: White wins.\nBlack resigned a position that wins in 2 moves with optimal play.'),
    ('resign', 'resigned', 'white',
     'Black resigns: White wins.\nBlack resigned a position that draws with optimal play.'),
    (' '.join(MOVES[:4]), None, None,
     'The game is not over: Black is to move.\nBlack wins in 2 moves with optimal play.'),
    ('b1-c1 c2-c3 c1-a1 {Black resigns} 1-0', 'resigned', 'white',
     'Black resigns: White wins.\nWhite wins in 4 moves with optimal play.'),
    ('b1-c1 c2-c3 c1-a1 {White wins on time} 1-0', 'time', 'white',
     'White wins on time.\nWhite wins in 4 moves with optimal play.'),
    (' '.join(CYCLE * 2), 'repetition', None, DRAWN),
    ('start 5/5/2w2/1w1w1/bbb2 w', 'won', 'black', 'No moves.\n\nBlack wins.'),
    ('*', None, None, 'No moves.\n\nThe game is not over: Black is to move.')])
def test_ends(t, record, reason, winner, text):
    """review prints how a game ended: row, resignation, repetition, not at all, over before it began."""
    end = review(t, record)['end']
    assert (end['reason'], end['winner']) == (reason, winner)
    run(t, 'review', input=record).expect(0, f'\n{text}\n', '')


def test_spellings(t):
    """review reads moves in every notation, with numbers, comments, blanks and any line ends."""
    expected = review(t, ' '.join(MOVES[:4]))
    rest = 'b1-c1 c2-c3 c1-a3 d5-d2'
    records = (
        'B1-C1 C2-C3 C1-A3 D5-D2',
        'b1c1 C2C3 1C3A 5D2D',
        '1.b1-c1 1...c2-c3 2.c1-a3 ... 999999999999999999999. 7. d5-d2 8.',
        'b1-c1\r\nc2-c3\r\r\nc1-a3\n\nd5-d2\r',
        '\N{BYTE ORDER MARK}\t b1-c1\tc2-c3 \f c1-a3\v\n  d5-d2 \t *',
        f'# with \x07 and \N{SNOWMAN}#resign\n\n  START\t {START.replace(" ", "_")} \t # here\r\n{rest}#',
        '[Event "any"] [White "a \\\\ \\" b"]# comment\n\n'
        f'[Start  "{START}"][Unknown ""]\n[Board "5x5, 3 pieces, row 3, line"]{rest} *',
        f'[White "{chr(0xe9) * 90}"]\r\n[black "\x1b[2J"]\r[RESULT "*"]\n{rest}',
        f'start b:.b.b...w.........b...w.w.#\n{rest}',
        '{one} b1-c1{two}c2-c3 {of\ntwo ; # lines} c1-a3;three } {\n1... d5-d2;',
        '{\n[White "a"]\n}\n; [Result "1-0"]\nb1-c1 c2-c3 c1-a3 d5-d2',
        '# comment\n' * 26000 + rest.ljust(1000),
        # As other programs write them.
        f'[Variant "neutreeko"]\n[SetUp "1"]\n[FEN "{START} - - 0 1"]\n\n{rest} *',
        f'[Start "{START}"]\n[FEN "{START.upper()}"]\n{rest}',
        '1. b1-c1! $1 c2-c3?? (1... b5-c5 {(} (d5-c5 ; )\n2. c1-a3)) 2. c1-a3!? ( b1 is empty ) !? d5-d2 *',
        '1) b1-c1, c2-c3 2) c1-a3, d5-d2',
        '1 b1-c1 2 c2-c3 3 c1-a3 4 d5-d2',
        '% [Result "1-0"]\nb1\u2011c1\u00a0c2\u2212c3\u200b c1\u2060-a3\n%(\nd5-d2',
        '(' * 10000 + 'b1-b4' + ')' * 10000 + rest,
        rest + ' {' + 'x' * 250000 + '}',
        '\uff11\uff0e\uff42\uff11\uff0d\uff43\uff11\u3000\uff43\uff12c3\u30002. \uff23\uff11\uff0dA3\uff0cd5-d2 \uff0a',
        '1. b1\u2192c1 1\u2026 c2\u2192c3 2.\u2026 c1-a3 d5-d2',
        '> [White "a"]\n> [My-Tag_1 "x"]\n>> 1. b1-c1 c2-c3\n> 2. c1-a3 d5-d2',
        '[Board "12"]\n```pgn\n1. b1-c1 c2-c3 2. c1-a3 d5-d2 * *\n```\n',
        '[Board "?"]\r\nb1-c1 c2-c3 c1-a3 d5-d2 *\r\n\x1a',
        'b1-c1 c2-c3 c1-a3 d5-d2\n\x1a\0\0',
    )
    found = review_all(t, '', *write_records(t, records))
    for record, game in zip(records, found, strict=True):
        assert what_was_played(game) == expected, record[:100]
    assert review(t, 'b1-c1\n1... Resign # done')['end']['reason'] == 'resigned'


# ---- review: variations, comments and marks ----

ANNOTATED = '{a} b1-c1!? {b} (1. d1-c1 b5-c5 $14 (d5-c5 {c})) c2-c3 c1-a1 resign (c3-a3)'


def test_tree(t):
    """review --json prints the variations, comments and marks that were read."""
    keys = 'parent', 'move', 'marks', 'comment', 'resigned'
    assert [tuple(item[key] for key in keys) for item in review_all(t, ANNOTATED)[0]['tree']] == [
        (None, None, None, 'a', False),
        (0, 'b1-c1', '!?', 'b', False),
        (0, 'd1-c1', None, None, False),
        (2, 'b5-c5', '$14', None, False),
        (2, 'd5-c5', None, 'c', False),
        (1, 'c2-c3', None, None, False),
        (5, 'c1-a1', None, None, True),
        (6, 'c3-a3', None, None, False)]
    assert review_all(t, 'b1-c1 c2-c3')[0]['tree'] is None
    assert len(review_all(t, 'b1-c1 resign (c2-c3)')[0]['tree']) == 3


def test_record(t):
    """review --record annotates the games and keeps what was written; it reads what it has printed as the same."""
    text = run(t, 'review', '--record', input=f'[White "a"]\n{ANNOTATED} 0-1 b1-c1 *').expect(0, err='').out
    assert text == '''\
[White "a"]
[Result "0-1"]
[Board "5x5, 3 pieces, row 3, line"]

{a}
1. b1-c1!? {b draws}
  (1. d1-c1 b5-c5 $14
    (1... d5-c5 {c}))
1... c2-c3 {draws}
2. c1-a1? {loses in 4 moves}
  (2. c1-a3 {draws} 2... b5-c5 3. d1-d4 c5-b4 4. d4-c5 d5-d1 5. a3-a5 b4-b5)
2... resign
  (2... c3-a3)
{White resigns: Black wins.}
0-1

[Result "*"]
[Board "5x5, 3 pieces, row 3, line"]

1. b1-c1 {draws}
*
'''
    run(t, 'review', '--record', input=text).expect(0, text, '')
    for expected, printed in zip(review_all(t, f'{ANNOTATED} 0-1'), review_all(t, text)):
        assert printed['moves'] == expected['moves']


def test_the_mark_of_a_review_replaces_that_of_the_record(t):
    run(t, 'review', '--record', input='b1-c1 c2-c3 c1-a1 ?? $14').expect(0, '2. c1-a1 $14 ? {loses in 4 moves}\n', '')


def test_record_of_mistakes(t):
    """Each move that review marks, or that loses plies, has the better line, to the end of a game that is decided."""
    text = run(t, 'review', '--record', input=' '.join(MOVES)).expect(0, err='').out
    found, = review_all(t, text)
    plain, = review_all(t, ' '.join(MOVES))
    assert found['moves'] == plain['moves']
    node = 0
    for move in found['moves']:
        first, *others = [n for n, item in enumerate(found['tree']) if item['parent'] == node]
        assert found['tree'][first]['marks'] == move['mark']
        assert [found['tree'][n]['move'] for n in others] == ([move['better']] if move['better'] else [])
        if others and move['before']['plies']:
            line = [others[0]]
            while following := [n for n, item in enumerate(found['tree']) if item['parent'] == line[-1]]:
                line += following
            assert len(line) == move['before']['plies']
        node = first


def test_opening_book(t):
    """A book of nested variations, with marks such as <09> for the moves to the end, is read in full."""
    opening = t.query('--tree', '10').expect(0, err='').out
    book = re.sub(r'\{loses in (\d+) moves?\}', lambda value: f'<{int(value[1]):02}>', opening)
    book = re.sub(r'\n *', ' ', book.split('}', 1)[1])
    expected, = review_all(t, opening)
    found, = review_all(t, book)
    assert [item['move'] for item in found['tree']] == [item['move'] for item in expected['tree']]
    marked = [item['comment'] for item in found['tree'] if item['comment']]
    assert len(marked) == opening.count('{') - 1 > 100
    assert all(re.fullmatch(r'<\d\d>', mark) for mark in marked)


@pytest.mark.parametrize('record, expected', [
    ('1. b1 c1 c2 - c3!? 2.c1\u2014 a3', 'b1-c1 c2-c3 c1-a3'),
    ('b1\tc1 (b1 b4) c2 c3', 'b1-c1 c2-c3'),
    ('b1\uff0dc1\u3001c2\u3000c3', 'b1-c1 c2-c3'),
    ('(1) b1 -> c1 c2 x c3\x1a', 'b1-c1 c2-c3'),
    ('1: b1:c1 c2~c3 2: c1_a3', 'b1-c1 c2-c3 c1-a3'),
    ('b1 to c1, C2 To C3; c1 to a3', 'b1-c1 c2-c3'),
    ('1. b1/c1 c2\u301cc3\u2009c1\u202fa3', 'b1-c1 c2-c3 c1-a3'),
    ('// by Ada\nb1-c1 c2-c3\n//\nc1-a3', 'b1-c1 c2-c3 c1-a3'),
    ('| 1. | b1-c1 | c2-c3 |\n| 2. | c1-a3 | |', 'b1-c1 c2-c3 c1-a3'),
    ('* b1-c1\n>  *  2. c2-c3\n* *', 'b1-c1 c2-c3'),
])
def test_moves_with_blanks(t, record, expected):
    found = review(t, record)
    assert ' '.join(move['move'] for move in found['moves']) == expected


@pytest.mark.parametrize('record, marks, comment', [
    ('b1-c1$4 c2-c3 *', '??', None),
    ('b1-c1!$14 c2-c3 *', '! $14', None),
    ('b1-c1<12>c2-c3 *', None, '<12>'),
    ('b1-c1<br>1... c2-c3 *', None, '<br>'),
])
def test_marks_directly_behind_a_move(t, record, marks, comment):
    found, = review_all(t, record)
    assert (found['tree'][1]['marks'], found['tree'][1]['comment']) == (marks, comment)
    assert found['tree'][2]['move'] == 'c2-c3'


@pytest.mark.parametrize('header, value', [
    (r'[White "The "Open""]', 'The "Open"'),
    (r'[White "a \"b\" "c" " ]', 'a "b" "c" '),
    (r'[White "a"][Black "b"]', 'a'),
    (r'[ White "a"]', 'a'),
])
def test_quotation_marks_in_a_header(t, header, value):
    """Many programs write no backslash before them."""
    game, = review_all(t, f'{header}\nb1-c1')
    assert game['white'] == value


def test_a_better_move_where_a_position_has_occurred_three_times(t):
    """The game goes on, and so does the record with its values."""
    moves = 'c4-a4 b5-b2 d1-e2 b2-b5 e2-d1 b5-b2 d1-e2 b2-b5 e2-d1 b5-c5'
    printed = run(t, 'review', '--record', input=moves).expect(0, err='goes on').out
    assert '5... b5-c5?? {loses in 11 moves}\n  (5... c2-c5 {wins in 1 move})' in printed


# ---- review: results that the board does not show ----

STATED = (
    ('b1-c1 c2-c3 1-0', 'stated', 'white'),
    ('b1-c1 c2-c3 0-1', 'stated', 'black'),
    ('b1-c1 c2-c3 \u00bd\u2013\u00bd', 'stated', None),
    ('b1-c1 c2-c3 1 - 0', 'stated', 'white'),
    ('b1-c1 c2-c3 0 : 1', 'stated', 'black'),
    ('b1-c1 c2-c3 1/2 :\u00a01/2', 'stated', None),
    ('[Result "0 \u2013 1"]\nb1-c1', 'stated', 'black'),
    ('[Result "1-0"]\nb1-c1 c2-c3 *', 'stated', 'white'),
    ('[Result "*"]\nb1-c1 c2-c3 0-1', 'stated', 'black'),
    ('[Result "1-0"]\n[Termination "time forfeit"]\n\nb1-c1 c2-c3 1-0', 'time', 'white'),
    ('b1-c1 c2-c3 {White, by time forfeit} 0-1', 'time', 'black'),
    ('b1-c1 c2-c3 {what a move this time} 1-0', 'stated', 'white'),
    ('b1-c1 c2-c3 {Black resigns} 1-0', 'resigned', 'white'),
    ('b1-c1 c2-c3 {White resigned.}', 'resigned', 'black'),
    ('b1-c1 c2-c3 {Black resigns} 0-1', 'stated', 'black'),
    ('b1-c1 c2-c3\nBlack resigns.\nc1-a3 1-0', 'stated', 'white'),
    ('b1-c1 Black wins c2-c3', None, None),
    ('b1-c1 c2-c3\nBlack resigns. 1-0', 'resigned', 'white'),
    ('b1-c1 c2-c3 White resigned', 'resigned', 'black'),
    ('b1-c1 c2-c3 White wins on time: 1-0', 'time', 'white'),
    ('b1-c1 c2-c3 draw agreed\n1/2-1/2', 'agreed', None),
    ('[Termination "Ada won by resignation"]\nb1-c1 c2-c3 c1-a3 1-0', 'resigned', 'white'),
    ('[Termination "By agreement"]\n\nb1-c1 c2-c3 1/2-1/2', 'agreed', None),
    ('[Termination "normal"]\nb1-c1 c2-c3 *', None, None),
    ('b1-c1 c2-c3 Black wins (b5-c5)', 'stated', 'black'),
    ('b1-c1 c2-c3\nwhite won on time, they say', 'time', 'white'),
    ('b1-c1 c2-c3 Black wins in 3 moves', None, None),
    ('b1-c1 c2-c3\nBlack lost on time', 'time', 'white'),
    ('b1-c1 c2-c3 White lost.', 'stated', 'black'),
    ('Result: 0-1\nb1-c1 c2-c3', 'stated', 'black'),
    ('b1-c1 c2-c3\nDraw', 'stated', None),
    ('b1-c1 (d1-c1 White wins) c2-c3', None, None),
    ('b1-c1 c2-c3 resigns.', 'resigned', 'white'),
    ('b1-c1 c2-c3 draw', 'stated', None),
    ('b1-c1 c2-c3 Draw by agreement.', 'agreed', None),
    ('b1-c1 c2-c3 by agreement\u00a01/2-1/2', 'agreed', None),
    ('b1-c1 c2-c3 1-0, Black resigned', 'resigned', 'white'),
    ('b1-c1 c2-c3 0-1 resigns', 'resigned', 'black'),
    ('b1-c1 c2-c3 0-1 on time', 'time', 'black'),
    ('b1-c1 {c2-c3} c2-c3', None, None),
    ('b1-c1 c2-c3 1-0\n(on time)\nWhite wins on time', 'time', 'white'),
    ('b1-c1 c2-c3 1-0 by resignation', 'resigned', 'white'),
    ('b1-c1 c2-c3=20\r\n1-0=20', 'stated', 'white'),
)


def test_stated_ends(t):
    """A result is kept whatever the board shows, with its reason; --record writes it so that it is read again."""
    names = write_records(t, [record for record, _, _ in STATED])
    games = review_all(t, '', *names)
    written = run(t, 'review', '--record', *names).expect(0, err='').out
    for (record, reason, winner), game, again, text in zip(
            STATED, games, review_all(t, written), re.split(r'^(?=\[Result )', written, flags=re.M)[1:], strict=True):
        end = game['end']
        assert (end['reason'], end['winner']) == (reason, winner), record
        assert again['end'] == end, record
        assert reason or 'Termination' not in text, record


WARNED = (
    *((f'b1-c1 {sign}\nc2-c3 *', 1, 7, 'this is not a move: it is skipped', None)
      for sign in ('\u00b1', '\u2213', '\u221e', '=', '+-', '-+', '--', '+', ':---:', '====', 'White:',
                   '\u2022', '/', '\U0001f642')),
    ('[Result "1:0"]\nb1-c1 = 1:0 1:0', 2, 7, 'this is not a move: it is skipped', 'stated'),
    *((text, 1, 7, 'the signs around this move are skipped', None)
      for text in ('b1-c1 **c2-c3** *', 'b1-c1 \u201cc2-c3\u201d.', 'b1-c1 c2-c3+', 'b1-c1 `\uff43\uff12-c\uff13`')),
    ('b1-c1 D 0.5-0.5', 1, 7, 'this is not a move: it is skipped', 'stated'),
    ('b1-c1 = c2-c3 +-\nN *', 1, 7, 'this is not a move: it is skipped (and 2 more)', None),
    ('[Result "2-0"]\nb1-c1', 1, 10, 'the header Result is ignored: expected 1-0, 0-1, 1/2-1/2 or *', None),
    ('[Result "1-0"]\nb1-c1 0-1', 2, 7, 'the result differs from the one before, which is ignored', 'stated'),
    ('b1-c1 Black wins 1-0', 1, 18, 'the result differs from the one before, which is ignored', 'stated'),
    ('b1-c1 1-0 0-1', 1, 11, 'the result differs from the one before, which is ignored', 'stated'),
    ('["b1-c1", "c2-c3"]', 1, 1, 'the signs around this move are skipped (and 1 more)', None),
    ('[\n"b1-c1",\n"c2-c3"\n]', 1, 1, 'this is not a move: it is skipped (and 3 more)', None),
    ('[["b1-c1", "c2-c3"], ["c1-a3"]]', 1, 1, 'the signs around this move are skipped (and 2 more)', None),
    ('[b1-c1, c2-c3]', 1, 1, 'the signs around this move are skipped (and 1 more)', None),
    ('b1-c1; c2-c3; 2. c1-a3', 1, 6, 'these moves are skipped: a comment begins here', None),
    *((f'{line}\nb1-c1 c2-c3', 1, 1, 'this line is not a part of a game: it is skipped', None)
      for line in ('Game 2, 2024-05-01', 'Black: Ada', '\u5148\u624b', 'Game #1', 'Round; {1}')),
    ('* Game\nb1-c1', 1, 3, 'this line is not a part of a game: it is skipped', None),
    ('*by Ada*\nb1-c1', 1, 2, 'this line is not a part of a game: it is skipped', None),
    ('b1-c1 (b1-b4\nDraw\n) c2-c3', 2, 1, 'this line is not a part of a game: it is skipped', None),
    (' > Ben wrote:\nb1-c1', 1, 4, 'this line is not a part of a game: it is skipped', None),
    ('b1-c1\n\u221e *', 2, 1, 'this is not a move: it is skipped', None),
    ('b1-c1 c2-c3\nThanks, Ben!', 2, 1, 'this line is not a part of a game: it is skipped', None),
    ('b1-c1 1-0\nThanks!', 2, 1, 'this line is not a part of a game: it is skipped', 'stated'),
    (f'[Result "1-0"]\nstart {OVER}\n', 1, 10, 'the result 1-0 is ignored: Black wins', 'won'),
    ('resign 0-1\n', 1, 8, 'the result 0-1 is ignored: Black resigns: White wins', 'resigned'),
    (' '.join(MOVES) + ' 1/2-1/2', 1, 67, 'the result 1/2-1/2 is ignored: Black wins', 'won'),
    (' '.join(CYCLE * 2) + '\nb1-c1', 2, 1,
     'the game goes on after the third occurrence of a position, which is a draw', None),
    (' '.join(CYCLE * 2) + ' resign', 1, 49, "'resign' is ignored: Draw by threefold repetition", 'repetition'),
    (' '.join(CYCLE * 3), 1, 49,
     'the game goes on after the third occurrence of a position, which is a draw (and 3 more)',
     'repetition'),
)


def test_warnings(t):
    """What contradicts the game is ignored, with a warning that says where it is."""
    names = write_records(t, [record for record, *_ in WARNED])
    found, = run(t, 'review', '--json', *names).expect(0, err=''.join(
        f'neutreeko review: {name}: line {line}, character {character}: {warning}\n'
        for name, (_, line, character, warning, _) in zip(names, WARNED))).json()
    assert [game['end']['reason'] for game in found['games']] == [reason for *_, reason in WARNED]


# ---- review: bad games ----

BAD = (
    ('b1-c1 1-0 b1-c1\nc2-c9', 2, 5, "move 2 (White): invalid move 'c2-c9': found '9', expected a rank, 1-5"),
    ('# b1-c1\r\nresignation', 2, 1, "move 1 (Black): invalid move 'resignation': found 'r'"),
    # What may be a part of a game is not skipped.
    ('fair:17\nb1-c1', 1, 1, "move 1 (Black): invalid move 'fair:17'"),
    ('4b/3wb/w3b/5/w4 b\nb1-b4', 1, 3, "move 1 (Black): invalid move '4b/3wb/w3b/5/w4'"),
    ('wbbw. w\nb1-b4', 1, 1, "move 1 (Black): invalid move 'wbbw.'"),
    ('bl-cl\nb1-b4', 1, 2, "move 1 (Black): invalid move 'bl-cl'"),
    ('move c9-c1\nb1-b4', 1, 1, "move 1 (Black): invalid move 'move'"),
    ('Black b1-d1-c4 White b5-d5-c2', 1, 2, "move 1 (Black): invalid move 'Black': found 'l', expected a rank, 1-5; "
     "a game begins with moves, such as b1-c1, or with 'start POSITION'\n"),
    ('b1-d1-c4', 1, 6, "move 1 (Black): invalid move 'b1-d1-c4': found '-', expected the end of the text\n"),
    ('b1-c1 move', 1, 7, "move 2 (White): invalid move 'move': found 'm', expected a file, a-e\n"),
    ('b1-c1 \1', 1, 7, "move 2 (White): invalid move '???': found byte 1"),
    ('hello\nworld', 1, 1, 'there is no game: expected moves, such as b1-c1'),
    ('[]', 1, 1, 'there is no game: expected moves, such as b1-c1'),
    ('b1-c1 1-0 !', 1, 11, 'there is no game: expected moves, such as b1-c1'),
    ('b1-c1=20 c2-c3', 1, 6, "move 1 (Black): invalid move 'b1-c1=20': found '='"),
    ('+- =', 1, 1, 'there is no game: expected moves, such as b1-c1'),
    ('b1-c1 1-0 (d1-c1)', 1, 11, 'unexpected text after the result of the game'),
    ('b1-c1\rc2-c3\r\n\rb', 4, 2, "move 3 (Black): invalid move 'b': found the end"),
    ('b1-c1 Moves:c2-c3', 1, 7, "move 2 (White): invalid move 'Moves:c2-c3'"),
    ('1-1', 1, 2, "move 1 (Black): invalid move '1-1': found '-'"),
    ('http://a/#moves=b1c1', 1, 1, "move 1 (Black): invalid move 'http://a/': this is a link of the page: open it "
     'there, or copy the position from there\n'),
    ('b1-c1\nc2-\0c3', 2, 4, 'unexpected byte 0'),
    ('b1-c1\0 c2-c3', 1, 6, 'unexpected byte 0'),
    ('[Board "\0"]\nb1-c1', 1, 9, 'the game is on another board'),
    ('start', 1, 6, 'start position: found the end, expected b, w or a number'),
    ('\nstart 1w1w1/2b2/5/2w2/1b1b1 b b1-c1', 2, 31, "start position: found 'b', expected the end"),
    (f'b1-c1\n start {START}', 2, 2, "unexpected 'start': it must be the first entry"),
    (' '.join(MOVES) + '\ne2-e1', 2, 1, "move 12 (White): illegal move 'e2-e1': the game is over"),
    (' '.join(MOVES) + '\n resign', 2, 2, "unexpected 'resign': the game is over"),
    *((record, 1, character, 'expected a header such as [White "perfect"]') for record, character in (
        ('[White', 7),
        ('[White perfect]', 8),
        ('[White "a\n"]', 10),
        ('[White "a" b]', 12),
        (r'[White "\"]', 12),
        ('[White "a"', 11),
        ('[White "a" [Black "b"]', 12),
    )),
    ('[Start "x"]', 1, 9, "start position: found 'x'"),
    (f'[Start "{START}"]\n[Start "{START}"]', 2, 2, 'repeated header Start'),
    ('[Board "4×4"]', 1, 9,
     "the game is on another board: '4??4', expected '5x5, 3 pieces, row 3, line', the board of the table"),
    (f'start {OVER[:-1]}b', 1, 7, 'start position: '),
    ('b1-c1 {one}\n c2-c3 {two\n; # three', 2, 8, "unterminated comment: expected '}'"),
    ('# 図\n{é日本} b1-c1 b9', 2, 14, "move 2 (White): invalid move 'b9': found '9', expected a rank, 1-5"),
    ('b1-c1 ｂ５-ｃ9', 1, 11, "move 2 (White): invalid move '??????-???9': found '9'"),
    ('b1-c1 {日本} 1-0 b1-c9', 1, 20, "move 1 (Black): invalid move 'b1-c9': found '9'"),
    ('{日本}[Start "１w1w1/2b2/5/2w2/1b1b1 x"]', 1, 35, "start position: found 'x'"),
    ('b1-c1 }', 1, 7, "move 2 (White): invalid move '}': found '}'"),
    ('1' * (1 << 18), 1, 2, f"move 1 (Black): invalid move '{63 * '1'}': found '1', expected a file, a-e"),
    ('(' * 10000 + 'b1-c1', 1, 1, "unterminated variation: expected ')'"),
    ('(' * (1 << 18), 1, 1, "unterminated variation: expected ')'"),
    (')' * (1 << 18), 1, 1, "unexpected ')': no variation is open"),
    ('[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]', 1, 7, "start position: found 'r'"),
    (f'[Start "{START}"]\n[FEN "1b1b1/2w2/5/2b2/1w1w1 w"]', 2, 7, 'the headers have different start positions'),
    (f'[FEN "{START}"]\n[FEN "{START}"]', 2, 2, 'repeated header FEN'),
    ('[SetUp "1"]\nb1-c1', 2, 1, 'the header SetUp promises a start position: expected [FEN "POSITION"]'),
    ('[Variant "Chess960"]\nb1-c1', 1, 11, "another game: 'Chess960', expected 'Neutreeko'"),
    ('1. e4 e5', 1, 4, "move 1 (Black): illegal move 'e4 e5': there is no piece on e4"),
    ('1. e4 Nf6', 1, 6, "move 1 (Black): invalid move 'e4': found the end, expected a file, a-e"),
    ('b1\u2026c1', 1, 3, "move 1 (Black): invalid move 'b1???c1': found U+2026, expected a file, a-e"),
    ('b1-c1 [White "a"]', 1, 7, 'another game begins here, expected one game'),
)


def test_bad_games(t):
    """An invalid or illegal move is reported with its number, its line and character, and the reason."""
    names = write_records(t, [record for record, *_ in BAD])
    refused = run(t, 'review', *names).expect(1)
    assert run(t, 'review', '--json', *names).expect(1).err == refused.err
    for name, (_, line, character, text), shown in zip(names, BAD, refused.err.splitlines(keepends=True), strict=True):
        assert shown.startswith(f'neutreeko review: {name}: line {line}, character {character}: {text}')


@pytest.mark.parametrize('encoding', ['utf-16-le', 'utf-16-be'])
def test_utf_16(t, encoding):
    """What Windows PowerShell writes with '>' is named, with what to do, in records, positions and the protocol."""
    text = '\ufeffb1-c1 c2-c3\r\n'.encode(encoding)
    remedy = "the text is in UTF-16, as Windows PowerShell writes it with '>': save it as UTF-8"
    run(t, 'review', input=text).expect(1, '', f'neutreeko review: standard input: {remedy}\n')
    assert remedy in t.run('neutreeko query -', text).expect(1).err
    answer = t.run('neutreeko engine', text).expect(0, err='').out.splitlines()[0]
    assert answer == f'error message="{remedy}"'


def test_lists_of_moves(t):
    """Each line with a list of moves is a game."""
    text = '["b1-c1", "c2-c3"]\n["b1-b4"]\n'
    games = run(t, 'review', '--json', input=text).expect(0).json()[0]['games']
    assert [[move['move'] for move in game['moves']] for game in games] == [['b1-c1', 'c2-c3'], ['b1-b4']]


ARCHIVE = (f'[White "Zo\u00eb"]\n[Black "x\\"\x1b[2J\u009bx"]\n{" ".join(MOVES)} 0-1\n'
           '[White "Zo\u00eb"]\n\nb1-c1 1/2-1/2\n')


def test_summary_of_a_player(t):
    """What each player has done in all games; test_match.py compares it with what a match counts."""
    t.write('games.txt', ARCHIVE)
    found, = run(t, 'review', '--json', 'games.txt').expect(0, err='').json()
    assert (found['reviewed'], found['unfinished'], found['invalid']) == (2, 0, 0)
    assert {'name': 'Zo\u00eb', 'games': 2, 'wins': 0, 'draws': 1, 'losses': 1, 'moves': 5, 'mistakes': 1,
            'blunders': 1, 'plies_lost': 22, 'accuracy': 60} in found['players']


def test_summary_as_text(t):
    t.write('games.txt', ARCHIVE)
    assert run(t, 'review', 'games.txt').expect(0, err='').out == """\
2 games, 12 moves

   games     won   drawn    lost    moves      ?     ??  accuracy  player
       2       0       1       1        5      1      1    60.0 %  Zo\u00eb
       1       0       1       0        1      0      0   100.0 %  ?
       1       1       0       0        6      2      0    60.0 %  x"\ufffd[2J\ufffd\ufffdx

   games   Black   drawn   White  opening
       1       0       1       0  b1-c1
       1       1       0       0  b1-c1 c2-c3
"""
    assert run(t, 'review', '--game', '1', 'games.txt').expect(0, err='').out == MISTAKES_TEXT


def test_openings_are_counted_up_to_symmetry(t):
    t.write('games.txt', '\n[Round ""]\n'.join(
        ['b1-c1 b5-c5 1-0', 'd1-c1 d5-c5 1-0', 'c4-c3 d5-c5 0-1', 'c4-c3 b5-c5 1/2-1/2', 'd1-c1', 'b1-c1 c2-c3',
         'b1-c1 0-1']))
    found, = run(t, 'review', '--json', 'games.txt').expect(0, err='').json()
    assert [tuple(opening.values()) for opening in found['openings']] == [
        (['b1-c1'], 2, 1, 0, 0), (['b1-c1', 'b5-c5'], 2, 0, 0, 2), (['c4-c3', 'b5-c5'], 2, 1, 1, 0),
        (['b1-c1', 'c2-c3'], 1, 0, 0, 0)]


def test_games_without_an_opening_as_text(t):
    exchanged = START.translate(str.maketrans('bw', 'wb'))
    t.write('games.txt', f'[White "a"]\n*\n[White "b"]\n[Start "{exchanged}"]\nb1-c1 1-0\n')
    shown = run(t, 'review', 'games.txt').expect(0, err='').out
    assert shown.startswith('2 games, 1 move, 1 unfinished\n')
    assert shown.partition('opening\n')[2] == (
        '       1       0       0       0  (no moves)\n'
        '       1       0       0       1  (another start position)\n'
    )


def test_many_players_and_openings(t):
    """Each first move with each reply has a player; one game begins with the sides exchanged and has no
    moves, so it has no opening, and its player no accuracy."""
    pairs = [f'{move["move"]} {reply["move"]}' for move in t.ask([START])[0]['moves']
             for reply in t.ask([f'{START} {move["move"]}'])[0]['moves']]
    exchanged = START.translate(str.maketrans('bw', 'wb'))
    t.write('many.txt', f'[White "idle"]\n[Start "{exchanged}"]\n*\n' + ''.join(
        f'[White "{number}"]\n{pair}\n*\n' for number, pair in enumerate(pairs)))
    many, = run(t, 'review', '--json', 'many.txt').expect(0, err='').json()
    assert len(many['players']) == len(pairs) + 2
    assert [opening['games'] for opening in many['openings'] if opening['moves'] is None] == [1]
    assert [one['accuracy'] for one in many['players'] if one['name'] == 'idle'] == [None]


def test_a_file_that_cannot_be_read_does_not_keep_others_from_being_reviewed(t):
    t.write('single.txt', ' '.join(MOVES))
    run(t, 'review', 'none.txt', 'single.txt').expect(1, '1 game, 11 moves\n', 'none.txt: No such file')


# Four games in two files, the second one of which is invalid.
FILES = {'a.txt': '[White "a"]\nb1-c1\n[White "b"]\nb1-b3\n', 'b.txt': '[White "c"]\nb1-b4\n[White "d"]\nd1-c1\n'}


@pytest.fixture
def files(t):
    for name, text in FILES.items():
        t.write(name, text)
    return t


def json_of(t, *arguments, code=0):
    found, = run(t, 'review', '--json', *arguments).expect(code).json()
    return found


def test_json_lists_every_game(files):
    """The JSON object of several files lists and counts the valid games of all of them, in their order, and the
    others."""
    found = json_of(files, 'a.txt', 'b.txt', code=1)
    assert [(game['white'], game['moves'][0]['move']) for game in found['games']] == [
        ('a', 'b1-c1'),
        ('c', 'b1-b4'),
        ('d', 'd1-c1'),
    ]
    assert (found['reviewed'], found['unfinished'], found['invalid'], len(found['players'])) == (3, 3, 1, 4)


def test_json_of_a_single_game_has_the_same_keys(files):
    """The object of a single game has the keys of that of many."""
    files.write('single.txt', 'b1-c1')
    assert json_of(files, 'single.txt').keys() == json_of(files, 'b.txt').keys()


def test_json_of_a_game_without_names(files):
    """Without headers, the names of the players are null."""
    files.write('single.txt', 'b1-c1')
    found = json_of(files, 'single.txt')
    game, = found['games']
    assert (game['black'], game['white']) == (None, None)
    assert [player['name'] for player in found['players']] == [None]


def test_a_long_name_is_cut(files):
    """A name has 303 bytes at most, and leaves the others as they are."""
    files.write('single.txt', f'[White "a"]\n[Black "{"b" * 304}"]\nb1-c1')
    game, = json_of(files, 'single.txt')['games']
    assert (game['black'], game['white']) == ('b' * 303, 'a')


@pytest.mark.parametrize('number, name', [(1, 'a'), (3, 'c'), (4, 'd')])
def test_game_counts_through_all_files(files, number, name):
    """--game N chooses among the games of all files, of which it counts the invalid ones as well."""
    found = json_of(files, '--game', str(number), 'a.txt', 'b.txt', code=number > 1)
    assert [game['white'] for game in found['games']] == [name]


@pytest.mark.parametrize('openings, rarer', [(20, ''), (21, '     ...  and 1 rarer opening\n')])
def test_twenty_openings_are_listed(t, openings, rarer):
    pairs = [f'{first} {reply["move"]}' for first in ('b1-c1', 'b1-b4')
             for reply in t.ask([f'{START} {first}'])[0]['moves']]
    t.write('games.txt', ''.join(f'[Event "Neutreeko game"]\n{pair}\n*\n'
                                 for pair in [*pairs[:openings], pairs[openings - 1]]))
    listed = run(t, 'review', 'games.txt').expect(0, err='').out.partition('opening\n')[2]
    assert listed.startswith('       2 ')  # the one with the most games, which was the last
    assert listed.count(' b1-') == 20
    assert listed.endswith(rarer)
    assert listed.count('\n') == 20 + bool(rarer)


def test_a_game_begins_where_its_header_says(t):
    """A position, or the number of a fair start."""
    assert review(t, f'[FEN "{OVER}"]')['start'] == OVER
    assert review(t, '[Start "fair:17"]\ne1-d1')['start'] == FAIR_17


@pytest.mark.parametrize('end', ['\n', '\r\n', '\r'])
def test_every_line_end_is_counted_once(t, end):
    """The line of an invalid game is its line in the archive, with the line ends of every system."""
    t.write('archive.txt', end.join(['[White "a"]', 'b1-c1', '', '[White "b"]', 'b1-b3', '']))
    run(t, 'review', 'archive.txt').expect(1, err='archive.txt: line 5, character 1: move 1 (Black): ')


@pytest.mark.thorough
@pytest.mark.parametrize('length, message', [(64 << 20, 'too long to be read back'), ((64 << 20) + 1, 'for a game')])
def test_longest_game(t, length, message):
    """A game of 64 MiB is read, but not written with the comments of a review; no longer one is read."""
    t.write('archive.txt', 'b1-c1 {'.ljust(length - 1, 'x') + '}')
    run(t, 'review', '--record', 'archive.txt').expect(1, '', ['more than 64 MiB, too long', message])


def test_invalid_games_are_counted(t):
    t.write('archive.txt', '[White "a"]\nb1-b3\n[White "b"]\nb1-b3\n[White "c"]\n*\n')
    run(t, 'review', 'archive.txt').expect(1, '2 invalid, which are not counted')


def with_a_bad_game(t):
    """Writes four games, of which the second one is invalid, to a file, and returns its name."""
    good = '[White "a"]\n\n1. b1-c1\n*\n'
    return t.write('archive.txt', f'{good}\n[White "b"]\n1. b1-b3\n[White "c"]\n*\n{good}').name


def test_bad_archives(t):
    """An invalid game and a missing file are reported, the game with its line, and the others are counted."""
    archive = with_a_bad_game(t)
    shown = run(t, 'review', 'none.txt', archive).expect(
        1, '3 games, 2 moves, 3 unfinished, 1 invalid, which is not counted\n'
    )
    assert shown.err == (
        'neutreeko review: none.txt: No such file or directory\n'
        'neutreeko review: archive.txt: line 7, character 4: move 1 (Black): illegal move '
        "'b1-b3': the piece slides until something stops it: on b4, not b3\n"
    )
    run(t, 'review', '--game', '3', archive).expect(1, 'No moves.', 'line 7')


def test_missing_games(t):
    """How many games there are is said where there are fewer, but not of an invalid game or a missing file."""
    archive = with_a_bad_game(t)
    for game, name in ('2', archive), ('1', 'none.txt'):
        assert 'there' not in run(t, 'review', '--game', game, name).expect(1, '').err
    run(t, 'review', '--game', '5', archive).expect(1, '', 'there is no game 5, only 4 games')
    run(t, 'review', '--game', '2', input='b1-c1').expect(1, '', 'there is no game 2, only 1 game\n')


@pytest.mark.thorough
def test_long_archive(t):
    """After many games, one that is too long is reported with its line."""
    t.write('long.txt', '[White "a"]\n\n1. b1-c1\n*\n' * 60000 + '[White "a"]\n' + f'{"#" * 99}\n' * 700000)
    run(t, 'review', 'long.txt').expect(
        1, '60,000 games, 60,000 moves, 60,000 unfinished', 'line 240001: more than 64 MiB, too long for a game'
    )


def test_odd_files(t):
    """Files that hold no game, or are not files, are rejected with their names."""
    t.write('garbage', t.random.randbytes(1 << 18))
    for name, text in ('missing', 'No such file'), ('garbage', 'line '):
        refused = run(t, 'review', name).expect(1, '', ['neutreeko review: ', name, text])
        assert refused.err.count('\n') == 1
    t.run('neutreeko review <&-').expect(1, '', 'standard input: ')
    for text in '', '\n{only a comment}\n', '<12>\n', '(a comment)', '1;b1-c1;c2-c3\n2.\n', '{"moves": ["b1-c1"]}':
        refused = run(t, 'review', input=text).expect(1, '', 'no game, only blanks or comments, which begin with #, ')
        assert refused.err.endswith(', as JSON does\n')


# ---- line ----

def test_line(t):
    """Each move of a line is a best one; wins take as long as promised, draws end in repetition; review agrees."""
    value = lambda answer: (answer['result'], answer['plies'])
    results = set()
    for number in range(8):
        start = oracle.random_position(t.random) if number else oracle.START
        arguments = oracle.fen(start), '--seed', str(number)
        found, = run(t, 'query', '--line', '--json', *arguments).expect(0, err='').json()
        names = [move['move'] for move in found['moves']]
        answers = t.ask(' '.join([oracle.fen(start), *names[:ply]]) for ply in range(len(names) + 1))
        assert (found['position'], value(found)) == (oracle.fen(start), value(answers[0]))
        assert found['moves'] == [
            {
                'ply': ply + 1,
                'side': {'b': 'black', 'w': 'white'}[answer['position'][-1]],
                'move': name,
                'result': answer['result'],
                'plies': answer['plies'],
            }
            for ply, (name, answer) in enumerate(zip(names, answers))
        ]
        for name, answer in zip(names, answers):
            assert name in [best['move'] for best in answer['moves'] if value(best) == value(answer)]
        results.add((found['result'], found['end']['reason']))
        assert found['result'] == 'draw' or len(names) == found['plies']
        assert found['end']['position'] == answers[-1]['position']
        reviewed = review(t, f"start {found['position']}\n{' '.join(names)}")
        assert (reviewed['start'], [move['move'] for move in reviewed['moves']]) == (found['position'], names)
        for move in reviewed['moves']:
            assert (move['mark'], move['plies_lost']) == (None, 0)
        assert {key: reviewed['end'][key] for key in found['end']} == found['end']
    assert results == {('win', 'won'), ('loss', 'won'), ('draw', 'repetition')}


def test_lines_of_several_positions(t):
    """Each position has a line of its own, as if it were the only one; those of standard input have numbers."""
    line = ['query', '--line', '--json', '--seed', '4']
    lines = run(t, *line, START, 'b1-c1', OVER).expect(0, err='').json()
    alone = [run(t, *line, *words).json()[0] for words in ([START, 'b1-c1'], [OVER])]
    assert lines == alone
    numbered = t.run(['neutreeko', *line, '-'], f'{START} b1-c1\n\n{OVER}\n').expect(0, err='').json()
    assert [answer.pop('line') for answer in numbered] == [1, 3]
    assert numbered == alone


def test_line_text(t):
    """A line as text: positions, numbered moves with distances, the end."""
    longest = 'w4/5/1b3/2w2/bw1b1 b'
    run(t, 'query', '--line', longest, '--seed', '1').expect(
        0,
        [
            longest + '\n\n 5  w . . . .\n',
            '\nBlack to move wins in 26 moves (51 plies) with optimal play.\n',
            '\n    1  Black  a1-a4  wins in 26 moves (51 plies)\n',
            '\n\nBlack wins.\n',
        ],
        '',
    )
    run(t, 'query', '--line', WON_IN_1, '--seed', '1').expect(0, '\n 1  b b[b]+ .\n    a b c d e\n\nBlack wins.\n', '')
    assert run(t, 'query', '--line', OVER).expect(0, OVER, '').out.endswith('    a b c d e\n\nBlack wins.\n')


def test_json_of_invalid_games_alone(t):
    """The answer of a program that reads it is a JSON object, whatever the games are."""
    reviewed, = run(t, 'review', '--json', input='b1-z9\n').expect(1, err='line 1, character 4').json()
    assert reviewed['games'] == []
    assert [reviewed[key] for key in ('reviewed', 'invalid')] == [0, 1]
