"""The package as its users import it."""

import concurrent.futures
import contextlib
import copy
import ctypes
import decimal
import gc
import importlib.metadata
import json
import os
import pathlib
import pickle
import random
import re
import signal
import subprocess
import sys
import threading

import numpy
import pytest

import neutreeko
from neutreeko import (
    ArgumentError, Board, Error, GameRecord, InvalidError, PerfectPlayer, Position, Result, Rules, Table, TableError,
    Value)

PACKAGE = pathlib.Path(neutreeko.__file__)
START = '1w1w1/2b2/5/2w2/1b1b1 b'
OVER = '5/5/2w2/1w1w1/bbb2 w'
TOP = pathlib.Path(__file__).resolve().parents[1]
EXAMPLES = TOP / 'examples'


@pytest.fixture(scope='module')
def table():
    with Table() as solved:
        yield solved


@pytest.fixture
def table_file():
    """The standard table that neutreeko-solve has written."""
    if 'TABLE' not in os.environ:
        pytest.skip('needs the table of neutreeko-solve, which the project builds')
    return pathlib.Path(os.environ['TABLE'])


@pytest.fixture(scope='module')
def small():
    """Of the standard board, the values of all positions take a second."""
    return Table.solve('4x4')


@pytest.fixture(scope='module')
def values(small):
    return small.values()


def game_of(table, moves, start=None):
    """A game of which moves have been played."""
    game = table.game(start)
    for move in moves.split():
        game.play(move)
    return game


# ---- fair starts ----

def test_fair_starts(table, small):
    starts = table.fair_starts()
    assert len(starts) == 180
    assert table.fair_start(17) == starts[16] == Position('5/5/w4/1b1w1/1wb1b b')
    assert small.fair_start(2) == small.fair_starts()[1] == small.position('4/w3/b3/wbwb b')
    for number in 0, 181, 1 << 64:
        with pytest.raises(InvalidError, match='numbered from 1'):
            table.fair_start(number)


def test_named_positions(table):
    fair = table.fair_start(17)
    assert [table.position(name) for name in ('standard', 'fair:17')] == [table.start, fair]
    assert table.value('fair:17') == table.value(fair)
    assert table.game('fair:17').start == fair
    assert list(table.rules.texts(table.rules.positions(['standard', 'fair:17']))) == [START, fair.text]
    assert table.read_game('[Start "fair:17"]').start == fair


def test_named_positions_without_a_table():
    assert Position('standard').text == START
    with pytest.raises(InvalidError, match='fair starts need the rules of a table'):
        Position('fair:17')


# ---- positions ----

def test_positions(table):
    start = table.start
    assert start.text == START
    assert start == table.position(START.upper())
    assert start == Rules().start
    assert (start.mover, start.other, start.to_move) == (1 << 1 | 1 << 3 | 1 << 17, 1 << 7 | 1 << 21 | 1 << 23, 'black')
    assert hash(start) == hash(table.position(START))
    assert start != table.position(START[:-1] + 'w')
    assert start != START
    assert Position.of_masks(start.mover, start.other, rules=table.rules) == start
    assert start.moves()[:3] == ['b1-b4', 'b1-c1', 'b1-a1']
    assert len(start.moves()) == 14
    after = start.play('B1C1')
    assert after.text == '1w1w1/2b2/5/2w2/2bb1 w'
    assert (after.mover, after.to_move) == (start.other, 'white')
    assert table.position(OVER).moves() == []
    with pytest.raises(AttributeError):
        start.mover = 0


def test_a_position_equals_nothing_of_another_kind():
    for thing in START, None, 1, Rules(), Position(START, Rules(Board(win='orthogonal'))):
        assert Position(START) != thing


def test_the_side_to_move_distinguishes_positions():
    black = Position(START)
    white = Position.of_masks(black.mover, black.other, 'white')
    assert white != black
    assert len({white, black}) == 2


def test_positions_have_no_order():
    for thing in Position(START), START:
        with pytest.raises(TypeError, match="'<' not supported"):
            sorted([Position(START), thing])


def test_the_least_and_the_largest_distance_have_a_text():
    assert str(Value(Result.LOSS, 0)) == 'loses in 0 moves'
    assert str(Value(Result.WIN, 507)) == 'wins in 254 moves'
    with pytest.raises(InvalidError, match='expected 0 to 507'):
        str(Value(Result.WIN, 508))
    with pytest.raises(ArgumentError, match='expected int, not NoneType'):
        str(Value(Result.WIN, None))


def test_a_result_is_a_text_that_compares_as_a_number():
    assert [f'{result} {result!s}' for result in Result] == ['loss loss', 'draw draw', 'win win']
    assert json.dumps(Value(Result.WIN, 3)._asdict()) == '{"result": "win", "plies": 3}'
    assert Result.WIN == 'win' != Result.LOSS
    assert {'draw': 1}[Result.DRAW] == 1
    assert sorted([Result.WIN, Result.LOSS, Result.DRAW]) == ['loss', 'draw', 'win']
    assert 'loss' < Result.DRAW <= Result.DRAW < Result.WIN >= Result.WIN > 'draw'
    assert [Result(number) for number in (-1, 0, 1)] == list(Result)
    assert [result.number for result in Result] == [-1, 0, 1]
    with pytest.raises(ValueError, match="'won' is not a valid Result"):
        Result('won')


def test_a_result_equals_its_number_in_an_array():
    numbers = numpy.array([1, 0, -1, 1], 'i1')
    assert (numbers == Result.WIN).tolist() == (Result.WIN == numbers).tolist() == [True, False, False, True]
    assert (numbers != Result.LOSS).tolist() == [True, True, False, True]
    assert (numbers > Result.DRAW).tolist() == (numbers >= Result.WIN).tolist() == [True, False, False, True]
    assert (numbers <= Result.DRAW).tolist() == (numbers < Result.WIN).tolist() == [False, True, True, False]
    assert numbers[1] == Result.DRAW != numbers[2]


@pytest.mark.parametrize('call', [
    lambda table: table.puzzles(-4),
    lambda table: table.puzzles(5, -4),
    lambda table: table.puzzles(5, seed=-4),
    lambda table: PerfectPlayer(-4),
    lambda table: table.values(result=-4),
    lambda table: table.game().best_line(-4),
    lambda table: str(Value(Result.WIN, -4)),
])
def test_a_number_out_of_range_is_in_the_message(table, call):
    with pytest.raises(InvalidError, match='expected .*, not -4$') as raised:
        call(table)
    assert raised.value.at == 0


def test_rules_are_equal_if_their_boards_are():
    assert Rules(Board(win='diagonal')) == Rules(Board(win='diagonal'))
    assert Rules(Board(win='diagonal')) != Rules()
    assert len({Rules(), Rules(Board(win='diagonal')), Rules()}) == 2


def test_other_boards():
    rules = Rules(Board(4, 3, 2, 2, 'orthogonal'))
    assert rules.board == (4, 3, 2, 2, 'orthogonal')
    assert str(Board(7, 6, 4, 3, 'diagonal')) == '7x6, 4 pieces, row 3, diagonal'
    assert str(rules.position('b1b1/4/1w1w w')) == ' 3  b . b .\n 2  . . . .\n 1  . w . w\n    a b c d'
    assert rules.position('b1b1/4/1w1w w').moves() == [
        'b1-b3',
        'b1-d3',
        'b1-c1',
        'b1-a1',
        'b1-a2',
        'd1-d3',
        'd1-c1',
        'd1-b3',
    ]
    assert rules.position('b1b1/4/1w1w w').play('b1-d3').text == 'b1bw/4/3w b'
    with pytest.raises(InvalidError, match="'most': expected line, orthogonal, diagonal, equidistant or centre$"):
        Rules(Board(win='most'))
    for board in Board(9, 9), Board(pieces=6), Board(1 << 40), Board(5, -1 << 40), Board(pieces=1 << 64):
        with pytest.raises(InvalidError, match='expected'):
            Rules(board)


@pytest.mark.parametrize(
    'text, message, at',
    [
        (START + 'x', 'expected', 24),
        ('\0', 'zero', 1),
        (START + '\0', 'zero', 24),
        ('\u00e9', '', 1),
        ('\ud800', '', 1),
        ('1' * 10**7, '', 2),
        ('1w1w1/\u2060x', 'x', 8),
        (OVER[:-1] + 'b', 'already won', 0),
    ],
    ids=range(8),
)
def test_invalid_positions(table, text, message, at):
    for function in table.value, table.moves, table.trap, table.game, table.position:
        with pytest.raises(InvalidError) as raised:
            function(text)
        assert message in str(raised.value)
        assert raised.value.at == at or not message


@pytest.mark.parametrize('thing', [None, START.encode(), 5, [], object()])
def test_what_is_no_text(table, thing):
    for function in table.position, table.start.play, table.game().play, table.read_game:
        with pytest.raises(ArgumentError, match='expected str, not ' + type(thing).__name__):
            function(thing)
    for function in table.value, table.moves:
        with pytest.raises(ArgumentError, match='position: expected str or Position, not ' + type(thing).__name__):
            function(thing)


def test_messages_name_the_text_and_the_place(table):
    for text, message in (
        ('1w1w1/x', "invalid position '1w1w1/x': character 7: found 'x', expected b, w or a number of empty squares"),
        ('5/5/5/5/5 b', "invalid position '5/5/5/5/5 b': Black has 0 pieces, expected 3"),
        ('fair:181', "invalid position 'fair:181': the fair starts of this board are numbered from 1 to 180"),
        ('1' * 1000, f"invalid position '{'1' * 57}...': character 6: "),
    ):
        with pytest.raises(InvalidError, match='^' + re.escape(message)):
            table.value(text)
    for play in table.start.play, table.game().play:
        with pytest.raises(InvalidError, match="^invalid move 'b1-z9': character 4: found 'z', expected a file, a-e$"):
            play('b1-z9')
        with pytest.raises(InvalidError, match="^illegal move 'b1-b2': the piece slides until"):
            play('b1-b2')


def test_start_of_a_board_without_one():
    """The libraries propose a position only if they are asked to."""
    with pytest.raises(InvalidError, match='no start position: specify a position'):
        Rules(Board(4, 4)).start
    with Table() as opened:
        assert opened.suggested_start() == opened.start


def test_text_of_a_table(table):
    assert str(table) == ('5x5, 3 pieces, row 3, line: 3,468,080 positions, '
                          '2,473,028 won, 890,392 lost, 104,660 drawn; at most 51 plies')


def test_invalid_masks_and_positions_of_another_board(table):
    with pytest.raises(InvalidError, match='White has already won'):
        Position.of_masks(7, 7 << 10, 'white', table.rules)
    for mover, other in ((0, 0), (-1, 2), (1 << 64, 2), (2, 1 << 64), (7, 7)):
        with pytest.raises(InvalidError):
            Position.of_masks(mover, other, rules=table.rules)
    for board, text in (Board(6, 6), 'wbwb2/w5/b5/6/6/6 w'), (Board(win='diagonal'), START):
        with pytest.raises(InvalidError, match=f"'{board}', expected '5x5, 3 pieces, row 3, line'"):
            table.value(Rules(board).position(text))


# ---- numbers and arrays that are none of the library's ----

@pytest.mark.parametrize('number', [7.0, numpy.float32(7), decimal.Decimal(7), '7'], ids=repr)
@pytest.mark.parametrize(
    'function',
    [
        lambda table, number: Position.of_masks(number, 56),
        lambda table, number: Position.of_masks(56, number),
        lambda table, number: Rules(Board(number, 7)),
        lambda table, number: Rules(Board(7, number)),
        lambda table, number: Rules(Board(pieces=number)),
        lambda table, number: Rules(Board(row_length=number)),
        lambda table, number: str(Value(Result.WIN, number)),
        lambda table, number: table.fair_start(number),
        lambda table, number: table.puzzles(7, number),
        lambda table, number: table.game().best_line(number),
        lambda table, number: table.puzzles(number),
        lambda table, number: table.puzzles(7, seed=number),
        lambda table, number: table.game().opponent_move('random', number),
        lambda table, number: PerfectPlayer(number),
    ],
    ids=range(14),
)
def test_what_is_no_integer(table, function, number):
    with pytest.raises(ArgumentError, match='expected int, not ' + type(number).__name__):
        function(table, number)


def test_integers_of_numpy_are_integers(table, small):
    start = table.start
    assert Position.of_masks(numpy.uint64(start.mover), numpy.int32(start.other)) == start
    assert table.fair_start(numpy.int8(17)) == table.fair_start(17)
    assert small.puzzles(numpy.uint16(7), numpy.int8(2), numpy.uint64(3)) == small.puzzles(7, 2, 3)


# ---- values ----

def test_values_of_a_position(table):
    assert table.value(START) == (Result.DRAW, None)
    assert str(table.value(START)) == 'draws'
    assert table.best_moves(START) == ['b1-c1', 'd1-c1']
    longest = '5/b4/1w3/w1b2/b3w b'
    assert table.value(longest) == Value(Result.WIN, 51)
    assert str(table.value(longest)) == 'wins in 26 moves'
    assert table.moves(longest)[0] == ('a1-d1', (Result.WIN, 51))
    assert table.moves(OVER) == []
    assert table.value(OVER) == (Result.LOSS, 0)
    assert table.best_moves(OVER) == []
    assert table.trap('5/5/w4/5/bbwbw b') == 236
    assert table.trap('w4/w4/5/5/bbwb1 b') == 0
    assert table.trap(OVER) is None
    assert table.board == (5, 5, 3, 3, 'line')
    assert table.summary == (3542000, 3468080, 2473028, 890392, 104660, 0, 51)


def test_all_values(small, values):
    counted = [(values['result'] == result).sum() for result in (Result.WIN, Result.LOSS, Result.DRAW)]
    assert [len(values), *counted, values['plies'].max()] == [
        getattr(small.summary, name) for name in ('legal', 'wins', 'losses', 'draws', 'longest')]
    assert values.itemsize == 32
    assert not values['plies'][values['result'] == Result.DRAW].any()
    order = values['mover'] << 16 | values['other']
    assert (order[1:] > order[:-1]).all()


def test_the_values_of_one_result_may_be_asked_for(small, values):
    for result, number in (Result.DRAW, 0), ('loss', -1), ('win', 1):
        found = small.values(result=result)
        assert found.size > 0
        assert numpy.array_equal(found, values[values['result'] == number])


def test_unique_values(small, values):
    """One of each set of symmetric positions, with the number of the others."""
    unique = small.values(unique=True)
    assert len(unique) == 19253
    assert unique['symmetric'].sum() == len(values)
    assert not values['best'].any()
    assert numpy.array_equal(numpy.bincount(values['plies']),
                             numpy.bincount(unique['plies'], unique['symmetric']).astype(int))
    wins = small.values(best=True, unique=True, result='win')
    assert wins['best'].all()
    wins['best'] = 0
    assert numpy.array_equal(wins, unique[unique['result'] == 1])
    for n in random.Random(1).sample(range(len(unique)), 200):
        mover, other, _, _, plies, result, trap = unique[n].item()
        position = Position.of_masks(mover, other, rules=small.rules)
        assert small.value(position) == (Result(result), None if result == 0 else plies)
        assert small.trap(position) == (trap if result == 0 else None)


def test_threads(small, values):
    """Threads read a table at once, and play games of their own and one together."""
    start = small.suggested_start()
    shared = small.game(start)

    def work(seed):
        player = PerfectPlayer(seed)
        game = small.game(start)
        while game.end is None and len(game.moves) < 60:
            game.play(player.choose(game))
            try:
                shared.play(random.Random(seed).choice(shared.position.moves() or ['a1-a2']))
            except InvalidError:
                shared.undo()
            assert shared.review() is not None
        return small.values()

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for found in pool.map(work, range(2)):
            assert numpy.array_equal(found, values)


# ---- games ----

def test_a_good_move_has_no_mark_and_no_better_move(table):
    game = table.game()
    game.play('b1-c1')
    draw = Result.DRAW, None
    assert game.review() == [(1, 'b1-c1', 'black', table.start, draw, draw, None, None, 0)]


def test_a_win_that_is_delayed_loses_plies(table):
    game = table.game('1w3/5/bbw2/w4/b4 w')
    game.play('b5-e2')
    delayed, = game.review()
    assert (delayed.before.plies, delayed.after.plies, delayed.mark, delayed.better, delayed.plies_lost) == (
        5, 27, None, 'c3-b2', 22)


def test_a_win_that_becomes_a_loss_is_a_blunder(table):
    game = game_of(table, 'd1-e1', '5/5/2w2/1w2w/bb1b1 b')
    blunder, = game.review()
    assert (blunder.before, blunder.after.result, blunder.mark, blunder.better) == (
        Value(Result.WIN, 1), 'loss', '??', 'd1-c1')


def test_game(table):
    game = game_of(table, 'b1-c1 c2-c3 c1-a1')
    assert (game.start.text, game.moves, game.end, game.winner) == (START, ['b1-c1', 'c2-c3', 'c1-a1'], None, None)
    assert game.value() == (Result.WIN, 7)
    assert game.choices()[0].value == (Result.WIN, 7)
    assert [choice.trap for choice in table.game('fair:66').choices()[:4]] == [0, 234, 234, None]
    mistake = game.review()[2]
    before = Position('1w1w1/2b2/2w2/5/2bb1 b')
    assert mistake == (3, 'c1-a1', 'black', before, (Result.DRAW, None), (Result.LOSS, 8), '?', 'c1-a3', 0)
    assert game.undo()
    assert game.undo()
    assert game.redo()
    assert game.start == table.start
    assert game.moves == ['b1-c1', 'c2-c3']
    assert repr(game) == '<Game 1w1w1/2b2/2w2/5/2bb1 b, 2 moves>'
    assert table.read_game(str(game)).moves == game.moves
    assert table.game().record() == '[Result "*"]\n[Board "5x5, 3 pieces, row 3, line"]\n\n*\n'
    game.resign()
    assert (game.end, game.winner, game.choices()) == ('resigned', 'white', [])
    for ask in (lambda: game.play('c1-a3')), game.opponent_move, (lambda: PerfectPlayer().choose(game)):
        with pytest.raises(InvalidError, match=r'^the game is over\. Black resigns: White wins\.$'):
            ask()
    with pytest.raises(InvalidError, match='line 2') as raised:
        table.read_game('b1-c1\nb5-y')
    assert raised.value.at == 10


# ---- faults ----

def test_tables_that_cannot_be_opened(tmp_path, table_file):
    damaged = tmp_path / 'damaged.dat'
    content = table_file.read_bytes()
    for bad, message in ((b'', ''), (b'a letter', 'not a table'), (content[:-1], 'damaged')):
        damaged.write_bytes(bad)
        with pytest.raises(TableError, match=message):
            Table(damaged)
    damaged.write_bytes(content[:-20] + bytes(20))
    with Table(damaged) as table, pytest.raises(TableError, match='damaged'):
        table.values(result='win')  # loads also the trap values, which are at the end
    with pytest.raises(TableError, match='gelöscht: No such file'):
        Table(tmp_path / 'gelöscht')
    for thing in b'x\0y', 'x\0y':
        with pytest.raises(InvalidError, match='^path: unexpected zero character$'):
            Table(thing)


def test_solved_table():
    """Without a file the standard game is solved; with one, what is in it counts."""
    solved = Table()
    assert (solved.board, solved.path) == (Board(), None)
    assert (solved.summary.wins, solved.summary.losses, solved.summary.longest) == (2473028, 890392, 51)
    assert repr(solved) == '<Table solved, 5x5, 3 pieces, row 3, line>'
    assert pickle.loads(pickle.dumps(solved)).value(START) == solved.value(START)


def test_solve_a_board():
    orthogonal = Table.solve('4X3', pieces=4, win='orthogonal', threads=256)
    assert orthogonal.board == Board(4, 3, 4, 3, 'orthogonal')
    assert Table.solve('4x3', pieces=2).board.row_length == 2
    assert Table.solve('3x7', pieces=3, win='equidistant').board.row_length == 3
    assert Table.solve(win='centre').board == Board(win='centre')
    assert Table.solve('3x4', row=2).board == Board(3, 4, 3, 2)
    assert Table.solve(Board(4, 4)).summary.legal == pickle.loads(pickle.dumps(Table.solve(Board(4, 4)))).summary.legal
    for board in '4', '4x', '4xb', '44x4':
        with pytest.raises(InvalidError, match=f"^board: expected .*, or width x height as in 6x6, not '{board}'$"):
            Table.solve(board)
    for wrong, message in (
        ({'board': '9x4'}, 'a board of 9x4: expected width and height 3 to 8'),
        ({'pieces': 9}, '9 pieces per side: expected 2 to 5'),
        ({'win': 'x'}, "a winning condition of 'x': expected line"),
        ({'threads': -1}, 'threads: expected 0 to 256, not -1'),
        ({'threads': 257}, 'threads: expected 0 to 256, not 257'),
        ({'memory': -1}, 'memory: expected a number of bytes, not -1'),
        ({'memory': 1 << 64}, 'memory: expected a number of bytes, not 18446744073709551616'),
        ({'board': 5}, 'board: expected Board, not int'),
        ({'progress': 5}, 'progress: expected a function, not int'),
        ({'pieces': '3'}, 'pieces: expected int, not str'),
        ({'board': Board(), 'pieces': 4}, 'pieces, row and win go with a size, such as 6x6'),
        ({'board': Board(), 'row': 2}, 'pieces, row and win go with a size, such as 6x6'),
    ):
        with pytest.raises((InvalidError, ArgumentError), match=f'^{message}'):
            Table.solve(**{'board': '4x4', **wrong})
    with pytest.raises(neutreeko.OutOfMemoryError, match='needs 2 MiB of memory, but 1 MiB are allowed'):
        Table.solve(memory=1 << 20)
    with pytest.raises(neutreeko.OutOfMemoryError):
        Table.solve('5x5', pieces=4, win='centre', memory=1 << 20)  # a row of 4, as no line wins


def test_progress_of_solving():
    """Each ply is reported once, then the rest of the work; what the function raises ends it."""
    reports = []
    Table.solve(progress=reports.append)
    plies = [report for report in reports if not report.done]
    assert [report.ply for report in plies] == list(range(52))
    assert sum(report.decided for report in plies) == 2473028 + 890392
    assert reports[-1].done > 0.9

    def fail(report):
        if report.ply == 7:
            raise KeyError(report.ply)

    with pytest.raises(KeyError, match='7'):
        Table.solve(progress=fail)


def test_interrupt_of_solving():
    """Ctrl-C ends it, and other threads run meanwhile."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # a script ignores it in the background
    ran = []

    def interrupt():
        ran.append(1)
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.2, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        Table.solve('7x6')
    timer.join()
    assert ran
    signal.signal(signal.SIGINT, handler)


def test_use_after_close():
    table = Table()
    game, start, rules = table.game(), table.start, table.rules
    table.close()
    table.close()
    assert (table.closed, repr(table)) == (True, '<Table solved, 5x5, 3 pieces, row 3, line, closed>')
    for call in (
        lambda: table.value(START),
        lambda: table.moves(START),
        lambda: table.trap(START),
        table.values,
        table.load,
        lambda: table.summary,
        game.value,
        game.choices,
        game.review,
        lambda: PerfectPlayer().choose(game),
    ):
        with pytest.raises(ValueError, match='the table is closed'):
            call()
    game.play('b1-c1')
    assert start.play('b1-c1') == game.position
    assert rules.board == Board()


def test_garbage_in_any_order():
    """Games, positions and tables that refer to each other in circles are freed without a crash."""
    for n in range(6):
        parts = [Table.solve('4x4')]
        start = parts[0].suggested_start()
        parts += [parts[0].game(start), start, parts[0].rules, PerfectPlayer(n)]
        parts[1].circle = parts
        parts[0].circle = parts[1]
        random.Random(n).shuffle(parts)
        kept = parts.pop() if n % 2 else None
        del parts
        gc.collect()
        if isinstance(kept, neutreeko.Game):
            kept.play(kept.position.moves()[0])
        elif isinstance(kept, Position):
            assert kept.moves()


SECONDS = 300  # only what waits for a thread that is not there takes so long, also on a busy machine


def in_a_child(check):
    """Whether `check` returns true in a process made by fork, which is killed if it hangs."""
    child = os.fork()
    if not child:
        signal.alarm(SECONDS)
        status = 1
        try:
            status = int(not check())
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


def test_threads_of_a_child(table):
    """A thread of the child, not only the one that has forked, can change a game."""
    game, played = table.game(), []

    def play_in_a_thread():
        thread = threading.Thread(target=lambda: played.append(game.play('b1-c1')), daemon=True)
        thread.start()
        thread.join()
        return played

    assert in_a_child(play_in_a_thread)


def test_child_repairs_its_tables(monkeypatch):
    """Which matters for a table that is too large to keep all of its blocks."""
    repaired = []

    class Spy:
        def __getattr__(self, name):
            return repaired.append if name == 'nk_table_after_fork' else getattr(library, name)

    with Table() as table:
        library = neutreeko.lib
        monkeypatch.setattr(neutreeko, 'lib', Spy())
        assert in_a_child(lambda: table._c in repaired)
        assert repaired == []


def test_a_closed_table_does_not_disturb_a_child(monkeypatch):
    closed, faults = Table.solve('3x3'), []
    closed.close()
    monkeypatch.setattr(sys, 'unraisablehook', faults.append)
    assert in_a_child(lambda: not faults)


class HeapInfo(ctypes.Structure):
    """What mallinfo2 of the GNU C library returns."""
    _fields_ = [(name, ctypes.c_size_t) for name in (
        'arena', 'ordblks', 'smblks', 'hblks', 'hblkhd', 'usmblks', 'fsmblks', 'uordblks', 'fordblks', 'keepcost')]


def test_texts_and_lists_are_freed(table):
    """What the library returns for the caller to free is freed: 100 times take up no more memory than 10."""
    heap = getattr(ctypes.CDLL(None), 'mallinfo2', None)
    if not heap:
        pytest.skip('only the GNU C library reports how much is allocated')
    heap.restype = HeapInfo
    game = table.game()
    game.play('b1-c1')

    def use(times):
        for _ in range(times):
            table.fair_starts()
            game.record()
            table.write_record(table.read_record('1. b1-c1 {a comment}'))
        gc.collect()
        return heap().uordblks

    before = use(10)
    assert use(100) - before < 3000


def use_after_fork(table, game, player):
    """Whether all that the parent's threads were using can be used in a child."""
    moves = game.moves
    reviewed = [entry.move for entry in game.review()]
    game.play(player.choose(game))
    played = game.moves
    game.undo()
    recorded = table.read_game(game.record()).moves
    draws = table.value(START).result == Result.DRAW
    return reviewed == moves and played[:-1] == moves and recorded == moves and draws


@pytest.mark.filterwarnings('ignore:.*multi-threaded.*:DeprecationWarning')
def test_fork_under_load():
    """A child can use what threads of its parent were using, and gets no game that is half changed."""
    to_and_fro = 'b1-b4', 'd5-d2', 'b4-b1', 'd2-d5'
    with Table() as table:
        game, player, end = table.game(), PerfectPlayer(1), threading.Event()

        def repeat(action):
            while not end.is_set():
                action()

        def change():
            for move in to_and_fro:
                game.play(move)
            while game.undo():
                pass

        actions = change, game.review, game.review, lambda: table.moves(START), lambda: player.choose(table.game())
        with concurrent.futures.ThreadPoolExecutor(len(actions)) as pool:
            running = [pool.submit(repeat, action) for action in actions]
            try:
                for _ in range(5):
                    assert in_a_child(lambda: use_after_fork(table, game, player))
            finally:
                end.set()
        for one in running:
            one.result()


@pytest.mark.filterwarnings('ignore:.*multi-threaded.*:DeprecationWarning')
def test_fork_waits_for_a_change(table, monkeypatch):
    """A fork while another thread changes a game gives the child the game after the change."""
    call, changing, forking = neutreeko._call, threading.Event(), threading.Event()

    def change_during_fork(*arguments):
        changing.set()
        assert forking.wait(SECONDS)
        call(*arguments)

    def is_changed_in_a_child(game):
        assert changing.wait(SECONDS)
        return in_a_child(lambda: game.moves == ['b1-c1'])

    os.register_at_fork(before=forking.set)  # the latest is called first, so the package has not yet begun to wait
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        for _ in range(10):
            game = table.game()
            changing.clear()
            forking.clear()
            forked = pool.submit(is_changed_in_a_child, game)
            with monkeypatch.context() as patch:
                patch.setattr(neutreeko, '_call', change_during_fork)
                game.play('b1-c1')
            assert forked.result()


def test_a_fork_waits_for_every_change(table, monkeypatch):
    game, entered = table.game(), []

    class Spy(contextlib.nullcontext):
        def __enter__(self):
            entered.append(len(game.moves))

    monkeypatch.setattr(neutreeko, '_changing', Spy())
    for change in (lambda: game.play('b1-c1')), game.undo, game.redo, (lambda: game.goto(0)), game.resign:
        change()
    assert entered == [0, 1, 0, 1, 0]


def copies(thing):
    return copy.copy(thing), copy.deepcopy(thing), pickle.loads(pickle.dumps(thing))


def test_positions_and_values_are_copied(table):
    larger = Rules(Board(6, 6)).position('5b/w5/6/6/3bw1/w1b3 b')
    for thing in table.start, larger, larger.rules, table.rules, table.value(START), table.moves(START):
        for found in copies(thing):
            assert found == thing
    assert len({found for thing in (table.start, larger) for found in copies(thing)}) == 2


def test_a_copy_of_a_game_is_a_game_of_its_own(table):
    game = game_of(table, 'b5-c5 b1-c1 c5-a5', '1w1w1/2b2/5/2w2/1b1b1 w')
    game.undo()
    for found in (game.copy(), *copies(game)):
        assert (found.start, found.moves, found.end) == (game.start, game.moves, None)
        found.resign()
        assert (found.copy().end, found.copy().winner, game.end) == ('resigned', 'black', None)
        assert found.value() == game.value()


def test_a_copy_of_a_table_is_the_table_in_its_file(tmp_path, monkeypatch, table_file):
    (tmp_path / 'a.dat').write_bytes(table_file.read_bytes())
    monkeypatch.chdir(tmp_path)
    opened = Table('a.dat')
    kept = pickle.dumps([opened, opened.game()])
    monkeypatch.chdir('/')
    found, game = pickle.loads(kept)
    opened.close()
    assert found.path == str(tmp_path / 'a.dat')
    assert found.value(START) == game.value()
    with pytest.raises(InvalidError, match='closed'):
        pickle.dumps(opened)


def test_the_better_value_is_the_greater_one(table):
    ordered = [Value(Result.LOSS, 0), Value(Result.LOSS, 2), Value(Result.LOSS, 8), Value(Result.DRAW, None),
               Value(Result.WIN, 51), Value(Result.WIN, 1)]
    for n, one in enumerate(ordered):
        for m, other in enumerate(ordered):
            assert (one < other, one <= other, one > other, one >= other) == (n < m, n <= m, n > m, n >= m)
    for name in '__lt__', '__le__', '__gt__', '__ge__':  # a tuple has another order
        assert getattr(ordered[0], name)(tuple(ordered[1])) is NotImplemented
    for text in START, '1wbb1/1wbw1/5/5/5 b', '5/b4/1w3/w1b2/b3w b':
        moves = table.moves(text)
        assert sorted((value for _, value in moves), reverse=True) == [value for _, value in moves]


def test_best_moves_of_an_array_of_a_board_that_is_not_square():
    wide = Table.solve('4x3', pieces=2)
    for row in wide.values(best=True)[::7]:
        position = Position.of_masks(row['mover'], row['other'], rules=wide.rules)
        assert sorted(wide.rules.best_moves(row)) == sorted(wide.best_moves(position))
    corner = {'mover': 1 | 1 << 1 | 1 << 41, 'other': 1 << 4 | 1 << 9 | 1 << 17, 'best': 1 << 8 * 2 + 6}
    assert Rules(Board(7, 6)).best_moves(corner) == ['g6-a6']


# ---- records ----

RECORD = """\
[Event "club"]
[Date "2026.11.27"]
[Round "3"]
[White "A \\"B\\""]
[Black "perfect"]
[Result "1-0"]
[Board "5x5, 3 pieces, row 3, line"]

{the start}
1. b1-c1! c2-c3 {b5-c5 loses}
  (1... b5-c5?! $14 2. c4-a2 {an idea}
    (2. c4-e2))
2. resign
  (2. c1-a1?)
{Black resigns: White wins.}
1-0
"""
HEADERS = {'event': 'club', 'date': '2026.11.27', 'round': '3', 'black': 'perfect', 'white': 'A "B"', 'result': '1-0'}


def test_a_record_keeps_all_that_it_has(table):
    record = table.read_record(RECORD)
    assert record.start == table.start
    assert record.headers == HEADERS
    assert record.tree == [
        (None, None, None, 'the start', False),
        (0, 'b1-c1', '!', None, False),
        (1, 'c2-c3', None, 'b5-c5 loses', True),
        (1, 'b5-c5', '?! $14', None, False),
        (3, 'c4-a2', None, 'an idea', False),
        (3, 'c4-e2', None, None, False),
        (2, 'c1-a1', '?', None, False),
    ]
    assert table.write_record(record) == RECORD


def test_a_record_in_any_letters_is_read_to_its_end(table):
    record = '[White "É. 黒"]\n{第一局} b1-c1 {überlegt} b5-c5 c4-e2'
    game, read = table.read_game(record), table.read_record(record)
    assert game.moves == ['b1-c1', 'b5-c5', 'c4-e2']
    assert game.headers['white'] == read.headers['white'] == 'É. 黒'
    assert [(node.move, node.comment) for node in read.tree] == [
        (None, '第一局'), ('b1-c1', 'überlegt'), ('b5-c5', None), ('c4-e2', None)]
    assert table.read_record(table.write_record(read)) == read


def test_a_record_is_made_of_nodes(table):
    node = neutreeko.RecordNode
    start = '5/5/2b2/1b2b/ww1w1 w'
    text = table.write_record(GameRecord(start, [node(None, None), node(0, 'D1C1')], {'black': 'x' * 399}))
    read = table.read_record(text)
    assert read == (table.position(start), [node(None, None), node(0, 'd1-c1')], {'black': 'x' * 303, 'result': '1-0'})


@pytest.mark.parametrize('nodes, headers, message', [
    ([(0, 'b1-c1')], {}, r'tree\[0\]: expected the start'),
    ([(None, None), (1, 'b1-c1')], {}, r'tree\[1\]\.parent: expected the number of an earlier node, not 1'),
    ([(None, None), (-1, 'b1-c1')], {}, r'tree\[1\]\.parent: expected .*, not -1'),
    ([(None, None), (0, 'b1-b2')], {}, r"tree\[1\]: illegal move 'b1-b2': the piece slides"),
    ([(None, None), (0, 'b1-c1', '!!!')], {}, r'tree\[1\]: .*mark'),
    ([(None, None)], {'player': 'x'}, "headers: expected the keys event, .*, result, not 'player'"),
    ([(None, None)], {'result': 'won'}, r"headers\.result: expected \*, 0-1, 1-0 or 1/2-1/2, not 'won'"),
])
def test_what_is_wrong_with_a_record_is_named(table, nodes, headers, message):
    tree = [neutreeko.RecordNode(*one) for one in nodes]
    with pytest.raises(InvalidError, match=message):
        table.write_record(GameRecord(table.start, tree, headers))


def test_a_game_keeps_its_headers(table):
    game = table.read_game(RECORD)
    assert game.headers == HEADERS
    assert (game.moves, game.end) == (['b1-c1', 'c2-c3'], 'resigned')
    for found in (game.copy(), *copies(game)):
        assert found.headers == HEADERS
        found.headers['white'] = 'another'
        assert game.headers == HEADERS
    new = table.game()
    assert new.headers == {}
    new.headers['white'] = 'me'
    assert '[White "me"]\n[Result "*"]' in new.record()


# A game that has been won, one that has been resigned and one that the players have agreed to be a draw.
FINISHED = ('1. b1-c1 b5-c5 2. c4-e2 c2-e4 3. e2-e1 0-1', '1. b1-c1 b5-c5 2. c4-e2 resign 0-1',
            '1. b1-c1 b5-c5 2. c4-e2 c2-e4 1/2-1/2')


@pytest.mark.parametrize('step', [lambda game: game.goto(2), lambda game: [game.undo() for _ in game.moves[2:]]],
                         ids=['goto', 'undo'])
@pytest.mark.parametrize('record', FINISHED)
def test_a_finished_game_that_is_stepped_back_in_is_open_again(table, record, step):
    game = table.read_game(f'[White "a"]\n{record}')
    step(game)
    if len(game.moves) > 2:  # undone first is the resignation
        game.undo()
    assert game.best_line() == ['c4-e2', 'c2-e4', 'e2-e1']
    for found in (game.copy(), *copies(game), table.read_game(game.record())):
        assert (found.moves, found.end) == (['b1-c1', 'b5-c5'], None)
        assert found.headers == {'white': 'a', 'result': '*'}


@pytest.mark.parametrize('record, end, winner', [
    ('1. b1-c1 1-0', 'stated', 'white'),
    ('1. b1-c1 0-1', 'stated', 'black'),
    ('1. b1-c1 1/2-1/2', 'stated', None),
    ('1. b1-c1 {Black wins on time} 0-1', 'time', 'black'),
    ('1. b1-c1 {Black resigns} 1-0', 'resigned', 'white'),
    ('1. b1-c1 {Draw by agreement.} 1/2-1/2', 'agreed', None),
])
def test_a_game_has_the_result_of_its_record(table, record, end, winner):
    game = table.read_game(record)
    for found in (game, game.copy(), *copies(game), table.read_game(game.record())):
        assert (found.end, found.winner, found.moves) == (end, winner, ['b1-c1'])
    with pytest.raises(InvalidError, match=r'^the game is over\. '):
        game.play('b5-c5')
    assert game.undo()
    assert (game.end, game.winner, game.moves, game.headers['result']) == (None, None, ['b1-c1'], '*')
    game.play('b5-c5')
    assert game.record().endswith('\n1. b1-c1 b5-c5\n*\n')


def test_a_game_that_goes_on_after_a_repetition_is_copied_and_explained(table):
    moves = 2 * ['b1-b4', 'd5-d2', 'b4-b1', 'd2-d5'] + ['b1-c1']
    with pytest.warns(UserWarning, match='^line 1, character 49: the game goes on after') as warned:
        game = table.read_game(' '.join(moves))
    assert warned[0].filename == __file__
    for found in (game, game.copy(), *copies(game)):
        assert (found.moves, found.end) == (moves, None)
    assert all(game.why(one.ply - 1, one.move).value == one.after for one in game.review())


def test_a_record_that_goes_on_after_a_repetition_is_written(table):
    with pytest.warns(UserWarning, match='third occurrence'):
        record = table.read_record(' '.join(2 * ['b1-b4', 'd5-d2', 'b4-b1', 'd2-d5'] + ['b1-c1']))
        assert table.read_record(table.write_record(record)).tree == record.tree


def test_what_does_not_change_a_game_keeps_its_result(table):
    game = table.read_game('1. b1-c1 1/2-1/2')
    assert not game.redo()
    assert not game.goto(2)
    assert game.goto(1)
    with pytest.raises(InvalidError):
        game.play('b1-a1')
    assert game.headers['result'] == '1/2-1/2'


def test_a_result_that_the_user_states_ends_with_a_move_or_a_step(table):
    game = table.game()
    for change in (lambda: game.play('b1-c1')), game.undo, game.redo, (lambda: game.goto(0)):
        game.headers['result'] = '1/2-1/2'
        change()
        assert game.headers['result'] == '*'


def test_a_player_is_copied_with_its_state(table):
    player = PerfectPlayer(7)
    game = table.game()
    player.choose(game)
    found = [[again.choose(game) for _ in range(20)] for again in copies(player)]
    expected = [player.choose(game) for _ in range(20)]
    assert found == 3 * [expected]
    assert len(set(expected)) > 1


@pytest.mark.parametrize('call, message', [
    (lambda table: Table('\ud800'), 'path: '),
    (lambda table: Table(5), r'path: expected str or os\.PathLike, not int'),
    (lambda table: Rules('5x5'), 'board: '),
    (lambda table: Position('x', 'y'), 'rules: '),
    (lambda table: Position.of_masks(1, 2, 'red'), "a side to move of 'red': expected black or white"),
    (lambda table: str(Value(5, 3)), 'result: expected loss, draw or win, not 5'),
    (lambda table: table.values(result='won'), "result: expected loss, draw or win, not 'won'"),
    (lambda table: table.read_record(b''), 'record: expected str'),
    (lambda table: table.write_record('x'), 'record: '),
    (lambda table: table.write_record(GameRecord(table.start, 5, {})), r'record\.tree: '),
    (lambda table: table.write_record(GameRecord(table.start, [START], {})), r'tree\[0\]: '),
    (lambda table: table.write_record(GameRecord(table.start, [], {'white': 5})), r'headers\.white: '),
    (lambda table: table.rules.texts([1, [2]]), 'positions: '),
    (lambda table: table.rules.best_moves(1), 'listed: '),
    (lambda table: table.rules.best_moves({'mover': 7, 'other': 7168, 'best': 1 << 24}), 'best: 16777216 has moves'),
    (lambda table: table.game().why(None, 'b1-c1'), 'ply: expected int, not NoneType'),
    (lambda table: table.game().opponent_move(1), 'opponent: '),
    (lambda table: table.game().opponent_move('human'), "'human' cannot play here"),
    (lambda table: PerfectPlayer(1).choose(table), 'game: '),
    (lambda table: PerfectPlayer(1 << 64), r'seed: expected a number from 0 to 2\*\*64 - 1, not 18446744073709551616'),
])
def test_errors_are_of_the_library(table, call, message):
    with pytest.raises(Error, match=f'^{message}'):
        call(table)


def test_puzzles_have_the_plies_of_the_command(small):
    assert small.puzzles(seed=3) == small.puzzles(5, 1, seed=3) != small.puzzles(7, seed=3)
    assert {puzzle.position.to_move for puzzle in small.puzzles(count=20, seed=3)} == {'black', 'white'}


# ---- going to a ply, and reasons ----

def test_goto(table):
    game = game_of(table, 'b1-c1 c2-c3 c1-a3')
    game.resign()
    assert game.goto(3)
    assert game.end == 'resigned'
    for ply in 1, 0, 3, 2:
        assert game.goto(ply)
        assert (len(game.moves), game.end) == (ply, None)
    for ply in -1, 4, 1 << 40:
        assert game.goto(ply) is False
    assert len(game.moves) == 2
    game.resign()
    assert game.goto(3) is False
    with pytest.raises(ArgumentError, match='ply: expected int, not float'):
        game.goto(1.0)


def test_why_a_move_gives_a_win_away(table):
    game = table.game('5/5/2w2/1w2w/bb1b1 b')
    why = game.why(0, 'd1-e1')
    assert (why.move, why.value.result, why.before, why.best) == ('d1-e1', Result.LOSS, (Result.WIN, 1), 'd1-c1')
    assert why.gives is Result.WIN
    assert not why.only
    assert why.next == game.position.play('d1-e1')
    assert len(why.line) == why.value.plies - 1
    assert why.replies == (16, 13, 0, 3)
    assert why.only_reply is None
    assert game.moves == []


def test_why_a_move_is_the_only_one(small):
    for puzzle in small.puzzles(7, 3, seed=1):
        why = small.game(puzzle.position).why(0, puzzle.answer)
        assert (why.only, why.gives, why.best) == (True, None, puzzle.answer)


def test_why_names_the_only_reply_that_keeps_a_draw(table):
    why = table.game('5/1bw2/w4/2b1b/3w1 w').why(0, 'c4-a2')
    assert (why.replies, why.only_reply) == ((18, 17, 1, 0), 'b4-b1')


def test_why_names_what_a_move_threatens_and_prevents(table):
    why = table.read_game('b1-c1 b5-c5').why(2, 'c4-e2')
    assert (why.threat.move, why.threat.plies, why.threat.line) == ('e2-e1', 1, ['e2-e1'])
    assert (why.prevented.move, why.prevented.plies, len(why.prevented.line)) == ('c2-e4', 3, 3)


def test_why_knows_the_moves_before(table):
    game = game_of(table, 'b1-b4 c2-a2 b4-b1 a2-e2 b1-b4 e2-a2 b4-b1 a2-e2 b1-b4 e2-a2')
    ply = len(game.moves) - 1
    why = game.why(ply, game.moves[-1])
    assert game.end == 'repetition'
    assert why.repeats
    with pytest.raises(InvalidError, match='^the game is over. Draw by threefold repetition.$'):
        game.why(ply + 1, 'b4-b1')
    assert (why.line, why.replies.total, why.threat, why.prevented) == ([], 0, None, None)
    game.goto(2)
    assert game.why(ply, why.move) == why
    for ply in -1, 11, 1 << 40:
        with pytest.raises(InvalidError, match=f'the game has no ply {ply}'):
            game.why(ply, 'b1-b4')


# ---- the rest ----

def test_the_overview_fits_on_a_screen_and_names_everything():
    overview = neutreeko.__doc__
    assert overview.count('\n') < 45
    for name in neutreeko.__all__:
        assert re.search(rf'\b{name}\b', overview) or name == '__version__', name


def test_version():
    assert neutreeko.__version__.count('.') == 2
    defined = {name for name, one in vars(neutreeko).items() if getattr(one, '__module__', '') == 'neutreeko'}
    public = {name for name in defined if name[0] != '_' and name != 'on_solve_progress'}
    assert {*neutreeko.__all__} == {*public, 'PositionLike', '__version__'}
    for name in {*neutreeko.__all__} - {'PositionLike', '__version__'}:
        assert getattr(neutreeko, name).__doc__, name
    if 'THOROUGH' in os.environ:  # and installed
        assert {re.match(r'\w+', one)[0] for one in importlib.metadata.requires('neutreeko')} == {'cffi', 'numpy'}


def test_examples_of_the_readme(capsys):
    examples = re.findall(r'^```python\n(.*?)^```$', (TOP / 'README.md').read_text(encoding='utf-8'), re.M | re.S)
    assert len(examples) == 1
    exec(examples[0], {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ['draws', 'b1-c1 draws']
    assert lines[-1] == '13114'


def run_example(name, *arguments):
    """The lines that an example prints."""
    environment = {**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)}
    command = [sys.executable, EXAMPLES / name, *arguments]
    return subprocess.run(command, check=True, env=environment, capture_output=True, text=True).stdout.splitlines()


def test_example_of_an_environment(table):
    lines = run_example('environment.py', '1')
    found = {name: float(regret) for name, regret in (re.fullmatch(r'(\w+): regret (\S+) a move', line).groups()
                                                      for line in lines)}
    assert found['perfect'] == 0
    assert 0.1 < found['random'] < 2


def test_the_reward_of_an_environment_is_the_regret():
    space = {'__name__': 'environment'}
    exec((EXAMPLES / 'environment.py').read_text(encoding='utf-8'), space)
    environment = space['Environment']('perfect')
    for position, move, expected in ((START, 'b1-c1', 0), (START, 'b1-b4', -1), ('5/5/2w2/1w2w/bb1b1 b', 'd1-c1', 0)):
        observation, info = environment.reset(seed=1, options={'position': position})
        action = next(action for action, one in info['moves'].items() if one == move)
        assert sorted(info['moves'].values()) == sorted(info['game'].position.moves())
        assert observation.shape == (2, 5, 5)
        assert observation.sum() == 6
        observation, reward, terminated, truncated, info = environment.step(action)
        assert (reward, terminated, truncated) == (expected, position != START, False)
        assert (info['moves'] == {}) == terminated
    observation, _ = environment.reset(options={'position': START})
    assert [numpy.argwhere(side).tolist() for side in observation] == [
        [[0, 1], [0, 3], [3, 2]], [[1, 2], [4, 1], [4, 3]]]
    with pytest.raises(ValueError, match=r'expected one of \[\d'):
        environment.step(24)
    environment.game.resign()
    with pytest.raises(ValueError, match=r'expected one of \[\]'):
        environment.step(0)


def test_a_seed_repeats_an_episode_of_an_environment():
    space = {'__name__': 'environment'}
    exec((EXAMPLES / 'environment.py').read_text(encoding='utf-8'), space)
    environment = space['Environment']('random')

    def episode(seed):
        _, info = environment.reset(seed=seed)
        while info['moves'] and len(info['game'].moves) < 20:
            *_, info = environment.step(min(info['moves']))
        return info['game'].record()

    assert episode(7) == episode(7) != episode(8)


@pytest.mark.skipif(not (TOP / 'tag.py').exists(), reason='needs the sources that a wheel is made of')
def test_a_wheel_is_tagged_for_the_newest_of_its_symbols():
    space = {'__name__': 'tag', '__file__': str(TOP / 'tag.py')}
    exec((TOP / 'tag.py').read_text(encoding='utf-8'), space)
    space['run'] = lambda *_: ''.join(f'    0x0 0x00 0 GLIBC_2.{version}\n' for version in ('2.5', '34', '4'))
    assert space['manylinux'](PACKAGE, 'x86_64') == 'manylinux_2_34_x86_64'


@pytest.mark.skipif(not (TOP / 'sources.py').exists(), reason='needs the sources that a wheel is made of')
@pytest.mark.parametrize('processor, widths', [('x86_64', ['16', '32 -mavx2']), ('aarch64', ['16'])])
def test_vectors_are_of_the_processor(tmp_path, processor, widths):
    (tmp_path / 'sources.json').write_text('{"widths": ["16", "32 -mavx2"]}')
    command = [sys.executable, TOP / 'sources.py', 'widths', tmp_path / 'sources.json', processor]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines() == widths


@pytest.mark.skipif('THOROUGH' not in os.environ, reason='takes seconds')
def test_example_of_distances():
    lines = run_example('distances.py')
    assert lines[0] == '3,468,080 positions of Neutreeko, 104,660 of them draws'
    assert lines[1] == 'loss in  0 plies:    72,436'
    assert lines[-1] == 'win  in 51 plies:         8'


def test_the_package_has_its_licences():
    assert 'MIT License' in PACKAGE.with_name('LICENSE').read_text(encoding='utf-8')
    assert 'Yann Collet' in PACKAGE.with_name('THIRD-PARTY.txt').read_text(encoding='utf-8')


# ---- the habits of Python ----

BOARD = """\
 5  . w . w .
 4  . . b . .
 3  . . . . .
 2  . . w . .
 1  . b . b .
    a b c d e"""


def test_printing_a_position_shows_the_board(table):
    assert str(table.start) == BOARD


def circles(picture, fill):
    """The file and the rank of each circle of a colour in the picture of a board of 5 ranks."""
    found = re.findall(rf'<circle cx="(\d+)" cy="(\d+)" r="15" fill="{fill}"', picture)
    assert {(int(x) % 40, int(y) % 40) for x, y in found} == {(20, 20)}
    return {('abcde'[int(x) // 40], 5 - int(y) // 40) for x, y in found}


def test_a_notebook_shows_a_picture_of_a_position():
    position = Rules(Board(4, 5)).position('b3/w3/4/2wb/b2w w')
    picture = position._repr_svg_()
    assert f'<title>{position.text}</title>' in picture
    assert re.match('<svg .* width="160" height="200"', picture)
    assert picture.count('<rect ') == 20
    assert circles(picture, '#222') == {('a', 5), ('d', 2), ('a', 1)}
    assert circles(picture, '#fff') == {('a', 4), ('c', 2), ('d', 1)}


def test_what_repr_shows_can_be_pasted(table):
    larger = neutreeko.Rules(neutreeko.Board(6, 6))
    for thing in (table.start, table.rules, table.value(START), neutreeko.Side.WHITE, larger,
                  larger.position('5b/w5/6/6/3bw1/w1b3 b'), table.moves(START), table.game().play('b1-c1')):
        assert eval(repr(thing), vars(neutreeko)) == thing


def test_play_returns_what_happened(table):
    played = table.game('5/5/2w2/1w2w/bb1b1 b').play('d1-c1')
    assert played.move == 'd1-c1'
    assert played.side is neutreeko.Side.BLACK
    assert played.position.text == '5/5/2w2/1w2w/bbb2 w'
    assert played.end is neutreeko.End.WON
    assert played.winner is neutreeko.Side.BLACK


def test_a_side_equals_its_name_and_knows_its_opponent(table):
    assert table.start.to_move is neutreeko.Side.BLACK
    assert table.start.to_move == 'black'
    assert table.start.to_move.other is neutreeko.Side.WHITE


def test_many_positions_are_read_and_written(small, values):
    rules, values = small.rules, values[::97]
    texts = rules.texts(values)
    assert texts[0] == Position.of_masks(values['mover'][0], values['other'][0], rules=rules).text
    read = rules.positions(texts)
    assert (read['mover'] == values['mover']).all()
    assert (read['other'] == values['other']).all()
    assert not read['to_move'].any()


def test_every_square_of_the_largest_board_may_have_a_piece():
    rules, text = Rules(Board(8, 8)), 'w6b/8/8/b6w/8/8/8/w6b b'
    assert rules.texts(rules.positions([text])).tolist() == [text]
    assert rules.position(text).play('a5-a7').text == 'w6b/b7/8/7w/8/8/8/w6b w'


def test_many_positions_keep_their_shape(table):
    texts = [[START, START[:-1] + 'w'], [START[:-1] + 'w', OVER], [OVER, START]]
    read = table.rules.positions(texts)
    assert read['to_move'].tolist() == [[0, 1], [1, 1], [1, 0]]
    assert table.rules.texts(read).tolist() == texts
    assert table.rules.texts(read.T).tolist() == numpy.transpose(texts).tolist()  # in another order in memory


def test_the_first_invalid_text_of_many_is_named(table):
    with pytest.raises(InvalidError, match=r"^texts\[1\]: invalid position '.*': character 8: found 'x'") as raised:
        table.rules.positions([START, '1w1w1/\u2060x', 'x'])
    assert raised.value.at == 8


@pytest.mark.parametrize(
    'texts', [[START, START + '\0'], [START, START + '\0x'], numpy.array([START, START + '\0x'])], ids=range(3))
def test_a_zero_in_one_of_many_texts_is_rejected(table, texts):
    with pytest.raises(InvalidError, match=r'^texts\[1\]: unexpected zero character') as raised:
        table.rules.positions(texts)
    assert raised.value.at == 24


@pytest.mark.parametrize('thing', [5, START.encode(), None])
def test_one_of_many_that_is_no_text_is_rejected(table, thing):
    with pytest.raises(ArgumentError, match=r'^texts\[1\]: expected str, not ' + type(thing).__name__):
        table.rules.positions([START, thing])


@pytest.mark.parametrize('kind', ['i1', '<i2', '>i4', '<i8', '>u8', '?'])
def test_the_side_to_move_may_be_of_any_width(table, kind):
    texts = [START, START[:-1] + 'w', START[:-1] + 'w', START]
    read = table.rules.positions(texts)
    assert table.rules.texts(read.astype([('mover', '>u8'), ('other', '<i4'), ('to_move', kind)])).tolist() == texts


@pytest.mark.parametrize('kind', ['<f8', 'S1', 'S0', 'V0', 'O', ('u1', (0,)), ('u1', (2,))], ids=repr)
@pytest.mark.parametrize('field', range(3))
def test_a_field_of_positions_that_is_no_integer_is_rejected(table, kind, field):
    fields = [['mover', '<u8'], ['other', '<u8'], ['to_move', 'u1']]
    fields[field][1] = kind
    with pytest.raises(ArgumentError, match=f'expected an integer as {fields[field][0]}'):
        table.rules.texts(numpy.zeros(3, [tuple(one) for one in fields]))


@pytest.mark.parametrize('thing', [None, [], START, [(7, 56, 0)], numpy.zeros(3), numpy.zeros(3, [('mover', 'u8')])])
def test_what_is_no_array_of_positions_is_rejected(table, thing):
    with pytest.raises(ArgumentError, match='expected an array with the fields mover and other'):
        table.rules.texts(thing)


@pytest.mark.parametrize('field, number, message', [
    ('mover', -1, f'mover of -1, expected 0 to {(1 << 64) - 1}'),
    ('other', -2, f'other of -2, expected 0 to {(1 << 64) - 1}'),
    ('to_move', -1, 'to_move of -1, expected 0 to 1'),
    ('to_move', 2, 'to_move of 2, expected 0 to 1'),
    ('mover', 7, 'two pieces are on one square'),
])
def test_the_first_invalid_position_of_many_is_named(table, field, number, message):
    positions = table.rules.positions([START, START]).astype([('mover', '<i8'), ('other', '<i8'), ('to_move', '<i8')])
    positions[field][1] = number
    if number == 7:
        positions['other'][1] = 7
    with pytest.raises(InvalidError, match=f'^position 1: {message}'):
        table.rules.texts(positions)


def test_no_positions_have_no_texts(table):
    assert table.rules.texts(table.rules.positions([])).tolist() == []


def test_every_opponent_plays_legal_moves_the_same_from_the_same_seed(table):
    game = table.game()
    opponents = neutreeko.opponents()
    assert opponents[0].name == 'perfect'
    assert table.game('5/b4/1w3/w1b2/b3w b').opponent_move() == 'a1-d1'  # the perfect one's
    assert len({opponent.about for opponent in opponents}) == len(opponents)
    for name, _, offered_as in opponents:
        move = game.opponent_move(name, seed=7)
        assert move in table.start.moves()
        assert move == game.opponent_move(name, seed=7) == game.opponent_move(offered_as or name, seed=7)
    offered = [opponent.offered_as for opponent in opponents if opponent.offered_as]
    assert offered == ['perfect', 'hard', 'medium', 'easy', 'beginner']


def test_without_a_seed_chance_decides(table, small):
    assert len({table.game().opponent_move('random') for _ in range(40)}) > 1
    assert len({small.puzzles(7)[0].position for _ in range(3)}) > 1
    assert len({PerfectPlayer().choose(table.game()) for _ in range(40)}) > 1


@pytest.mark.parametrize('plies, result', [(1, Result.WIN), (7, Result.WIN), (None, Result.DRAW)])
def test_only_the_answer_solves_a_puzzle(small, plies, result):
    puzzles = small.puzzles(plies, 5, seed=3, draw=plies is None)
    assert len({puzzle.position for puzzle in puzzles}) == 5
    for position, answer in puzzles:
        first, second, *_ = small.moves(position)
        assert first == (answer, (result, plies))
        assert second.value.result < result


@pytest.mark.parametrize('arguments, draw', [((-1,), False), ((4,), False), ((509,), False), ((5,), True)])
def test_puzzles_are_of_a_distance_or_draws(table, arguments, draw):
    with pytest.raises(InvalidError, match='^plies: expected '):
        table.puzzles(*arguments, draw=draw)


def test_every_result_is_true(table):
    assert all(Result)
    game = table.game()
    assert game.why(0, 'b1-b4').gives
    assert not game.why(0, 'b1-c1').gives


def test_there_are_no_puzzles_of_a_distance_that_no_win_has(small):
    assert small.puzzles(35, 5) == small.puzzles(507, 1 << 60) == small.puzzles(5, 0) == []


def test_undone_moves_are_listed_until_another_is_played(table):
    game = game_of(table, 'b1-c1 c2-c3 c1-a3')
    assert game.undone == []
    game.goto(1)
    assert (game.moves, game.undone) == (['b1-c1'], ['c2-c3', 'c1-a3'])
    game.play('b5-c5')
    assert game.undone == []


def test_repetitions_are_counted_up_to_the_current_position(table):
    game = table.game()
    counted = []
    for move in 'b1-b4 c2-a2 b4-b1 a2-e2 b1-b4 e2-a2 b4-b1 a2-e2'.split():
        game.play(move)
        counted.append(game.repetitions)
    assert counted == [1, 1, 1, 1, 1, 2, 2, 2]
    assert {(choice.move, choice.repeats) for choice in game.choices() if choice.repeats} == {('b1-b4', 1)}
    game.goto(5)
    assert game.repetitions == 1


def test_the_best_line_leads_to_the_end(table):
    game = table.game('5/b4/1w3/w1b2/b3w b')
    line = game.best_line()
    assert len(line) == 51
    for move in line:
        played = game.play(move)
    assert played.winner == 'black'
    assert len(game_of(table, 'b1-b4 d5-c5').best_line()) == 20  # of the loser


def test_the_best_line_of_a_draw_is_short(table):
    game = table.game()
    assert len(game.best_line()) == 8
    assert game.best_line(0) == []
    assert game.moves == []


def test_a_win_that_a_repetition_draws_has_no_line(table):
    game = game_of(table, 'c4-c5 d5-a2 b1-b4 a2-d5 b4-b1 d5-e4 c5-c3')
    assert table.value(game.position).result == 'win', 'but the opponent can repeat a position for the third time'
    assert game.best_line(0) == []
