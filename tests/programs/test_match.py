"""neutreeko match: many games between two opponents."""

import re

import pytest

from conftest import FAIR_17, WON_IN_1
from test_terminal import terminal

WHITE_WINS_IN_1 = '5/5/2b2/1b2b/ww1w1 w'


def match(t, *arguments):
    """What the match came to, without the seconds and the seed."""
    found, = t.run(['neutreeko', 'match', '--json', *map(str, arguments)]).expect(0, err='').json()
    assert found.pop('seconds') >= 0
    assert found.pop('seed') >= 0
    assert found['complete']
    assert found['mean_plies'] > 0
    assert found['a_wins'] + found['draws'] + found['b_wins'] == found['games']
    return found


def test_mistakes(t):
    """A mistake or a blunder is counted for the side that made it."""
    # The weakest has a win in 1 and turns it into a loss; perfect then wins.
    for players, start, weakest, perfect in (
        ('weakest perfect', WON_IN_1, 'a', 'b'),
        ('perfect weakest', WHITE_WINS_IN_1, 'b', 'a'),
    ):
        found = match(t, *players.split(), '--start', start, '--count', 1)
        assert [found[f'{weakest}_blunders'], found[f'{perfect}_wins'], found['a_blunders'] + found['b_blunders'],
                found['a_mistakes'] + found['b_mistakes']] == [1, 1, 1, 0]
    # From a drawn position nobody loses without a mistake, and one is enough against perfect.
    for name in 'random', 'level:4', 'perfect':
        found = match(t, 'perfect', name, '--start', 'drawn', '--count', 60)
        assert (found['b_wins'], found['a_mistakes'], found['a_blunders']) == (0, 0, 0)
        assert (found['b_mistakes'], found['b_blunders']) == (found['a_wins'], 0)
        assert name != 'perfect' or found['draws'] == 60


def test_random_starts(t):
    """Random positions come in pairs and are what most positions are: decided."""
    found = match(t, 'perfect', 'perfect', '--start', 'random', '--count', 200, '--seed', 1)
    assert found['a_wins'] == found['b_wins']
    # Of all positions that are not over, 96.9 % are wins or losses.
    assert 0.95 < (found['a_wins'] + found['b_wins']) / 200 < 0.985


def test_no_start_position(t):
    """Four pieces on a 3x3 board have two in a row unless they are in the corners, where only one side can be."""
    t.solve('t.dat', '--board 3x3 --pieces 4 --row 2')
    drawn = "none of the 5 legal positions of this board is a draw in which the game continues; use 'standard' or"
    for start, message in (
            ('random', 'no start position found in 10000000 tries'), ('drawn', drawn),
            ('fair', 'this board has no fair starts')):
        t.run(f'neutreeko match --table t.dat --start {start} random random').expect(1, '', message)


def test_no_start_position_without_moves(t):
    """A draw in which the side to move has no move is not a start position, and is not searched for."""
    t.solve('t.dat', '--board 3x3 --pieces 4')  # all of its draws are such
    t.run('neutreeko match --table t.dat --start drawn random random').expect(1, '', 'no drawn start position: ')


@pytest.mark.parametrize(
    'step, games, least, most', [(3, 40, 75, 101), pytest.param(1, 1000, 65, 80, marks=pytest.mark.thorough)]
)
def test_levels(t, step, games, least, most):
    """Each level scores 65 to 80 % against the one below (docs/GAME.md); far more against the one three below."""
    names = ['random', *(f'level:{number}' for number in range(1, 16)), 'perfect'][::step]
    for below, name in zip(names, names[1:]):
        found = match(t, name, below, '--start', 'drawn', '--count', games, '--seed', 1)
        assert least <= 100 * (found['a_wins'] + found['draws'] / 2) / games < most, name


def test_seed(t):
    """The same seed gives the same games, whatever the number of threads, and another one others."""
    arguments = ['level:7', 'perfect', '--count', 40, '--seed']
    alone = match(t, *arguments, 9, '--threads', 1, '--record', '-o', 'alone.txt')
    shared = match(t, *arguments, 9, '--threads', 60, '--record', '-o', 'shared.txt')
    assert alone == shared == match(t, *arguments, 9)
    assert t.read('alone.txt') == t.read('shared.txt')
    assert match(t, *arguments, 0) != alone


def test_record(t):
    """--record writes all games in order, in which the sides alternate, with the results that are counted."""
    found = match(t, 'level:7', 'perfect', '--count', 40, '--seed', 9, '--record', '-o', 'games.txt')
    assert re.findall(r'\[Round "(.*)"]\n.*\n\[Black "(.*)"]', t.read('games.txt').decode()) == [
        (str(n + 1), ('level:7', 'perfect')[n % 2]) for n in range(40)]
    summary, = t.run('neutreeko review --json games.txt').expect(0, err='').json()
    a = next(player for player in summary['players'] if player['name'] == 'level:7')
    assert (summary['reviewed'], summary['unfinished']) == (40, 0)
    assert found['draws'] > 0
    assert (a['wins'], a['draws'], a['losses']) == (found['a_wins'], found['draws'], found['b_wins'])
    assert (a['mistakes'], a['blunders']) == (found['a_mistakes'], found['a_blunders'])


def test_the_text_has_the_length_and_the_seed(t):
    """The report as text has the seed, too."""
    arguments = ['perfect', 'perfect', '--start', WON_IN_1, '--count', '2', '--seed', '18446744073709551615']
    t.run(['neutreeko', 'match', *arguments]).expect(
        0, [', 0.5 moves (1.0 plies) on average, in ', ' s, seed 18446744073709551615\n'], '')


def test_games_begin_at_drawn_positions(t):
    """Without --start, each pair of games begins at a random drawn position."""
    arguments = ['perfect', 'level:3', '--count', 6, '--seed', 1]
    assert match(t, *arguments) == match(t, *arguments, '--start', 'drawn')


def test_games_of_the_standard_start(t):
    """With --start standard, every game begins at the start of the game, which needs no header."""
    written = t.run('neutreeko match perfect level:3 --count 2 --start standard --record -o -')
    assert '[Start' not in written.expect(0, err='').out


def test_games_are_printed_instead_of_the_result(t):
    """Or written to a file, and then the result is printed."""
    command = 'neutreeko match --seed 1 --count 3 random rules'
    printed = t.run(f'{command} --record').expect(0, err='').out
    assert printed.count('[Event ') == len(re.findall(r'^\[Date "\d{4}\.\d\d\.\d\d"]$', printed, re.M)) == 3
    assert 'games won' not in printed
    assert t.run(f'{command} --record -o games.txt').expect(0, '3 games, ', '').out.count('[Event ') == 0
    assert t.read('games.txt').decode() == printed


@pytest.mark.parametrize('start, fewest, most', [('fair:17', 1, 1), ('fair', 20, 30)])
def test_games_of_fair_starts(t, start, fewest, most):
    """A number is the start of every game; `fair` begins each pair of games at one of many."""
    t.run(f'neutreeko match --record -o games.txt --start {start} --count 60 random random').expect(0, err='')
    starts = re.findall(r'^\[Start "(.*)"\]$', t.read('games.txt').decode(), re.M)
    assert len(starts) == 60
    assert starts[::2] == starts[1::2]
    assert fewest <= len(set(starts)) <= most
    assert start == 'fair' or starts[0] == FAIR_17


def test_players_have_the_names_that_were_given(t):
    """In records, which outlive the version that gives a level its name, easy is level:5."""
    command = 'neutreeko match --count 2 --seed 1 easy random'
    assert re.search(r'^A  easy  ', t.run(f'{command} --record -o games.txt').expect(0, err='').out, re.M)
    found, = t.run(f'{command} --json').expect(0, err='').json()
    assert (found['a'], found['b']) == ('easy', 'random')
    assert b'[Black "level:5"]' in t.read('games.txt')


@pytest.mark.parametrize('command, progress, expected', [
    ('match random rules --json --threads 60 --record -o games.txt', r'playing: (?!0\.0 )\S+ %',
     r'"games": [1-9]\d*, "complete": false, '),
    ('match alphabeta:20 rules --json', 'playing: ', r'"games": 0, "complete": false, .*"mean_plies": null, '),
    ('match alphabeta:20 rules', 'playing: ', '0 games in '),
])
def test_interrupted(t, command, progress, expected):
    """Ctrl-C ends the games, even a long search, and prints the result so far. A terminal shows the progress; the
    record has the games that are counted."""
    name, *arguments = command.split()
    with terminal(t, *arguments, '--count', '1000000', command=name, ready=None) as at:
        at.until(lambda: re.search(progress, at.shown), 'no progress is shown')
        at.end(130, '\x03')
    assert re.search(expected, at.shown)
    assert re.search(r'neutreeko match: interrupted after [\d,]+ of 1,000,000 games', at.shown.replace('\r\n', ' '))
    if 'record' in command:
        assert len(re.findall(rb'\[Round "', t.read('games.txt'))) == int(re.search(r'"games": (\d+)', at.shown)[1])
