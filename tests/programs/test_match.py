"""neutreeko match, many games between two opponents."""

import re

import pytest

from conftest import WON_IN_1

WHITE_WINS_IN_1 = '5/5/2b2/1b2b/ww1w1 w'
KEYS = ['a', 'b', 'games', 'a_wins', 'draws', 'b_wins', 'mean_plies', 'a_thrown', 'b_thrown', 'seconds']


def match(t, *arguments):
    """What the match came to, without the seconds."""
    found, = t.run(['neutreeko', 'match', '--json', *map(str, arguments)]).expect(0, err='').json()
    assert list(found) == KEYS
    assert all(type(found[key]) is int and found[key] >= 0 for key in KEYS[2:6] + KEYS[7:9])
    assert found.pop('seconds') >= 0 and found['mean_plies'] > 0
    assert found['a_wins'] + found['draws'] + found['b_wins'] == found['games']
    return found


@pytest.mark.parametrize('arguments', [
    ['level:3', 'rules', '--games', 31], ['random', 'random', '--start', 'random', '--games', 50],
    ['perfect', 'level:5', '--start', 'drawn', '--games', 50]])
def test_same_games(t, arguments):
    """The same seed gives the same games, whatever the number of threads; another seed gives others."""
    reference = match(t, *arguments, '--seed', 7, '--threads', 1)
    assert [match(t, *arguments, '--seed', 7, *threads) for threads in (['--threads', 2], ['--threads', 60], [])] == [
        reference] * 3
    assert match(t, *arguments, '--seed', 8) != reference
    assert match(t, *arguments) == match(t, *arguments, '--seed', 0)


def test_games_of_a_pair_differ(t):
    found = [match(t, 'random', 'random', '--games', 2, '--seed', seed) for seed in range(20)]
    assert any(pair['a_wins'] != pair['b_wins'] for pair in found)


def test_colours(t):
    """A is Black in the first game, then colours alternate."""
    for position, winner, loser in (WON_IN_1, 'a', 'b'), (WHITE_WINS_IN_1, 'b', 'a'):
        for games in 1, 2, 11, 12:
            assert match(t, 'perfect', 'perfect', '--start', position, '--games', games) == {
                'a': 'perfect', 'b': 'perfect', 'games': games, 'draws': 0, 'mean_plies': 1, 'a_thrown': 0, 'b_thrown': 0,
                f'{winner}_wins': (games + 1) // 2, f'{loser}_wins': games // 2}


def test_thrown_away(t):
    """A win or a draw thrown away is counted for the side that did it."""
    # The weakest has a win in 1 and turns it into a loss; perfect then wins.
    for found, weakest, perfect in (
            (match(t, 'weakest', 'perfect', '--start', WON_IN_1, '--games', 1), 'a', 'b'),
            (match(t, 'perfect', 'weakest', '--start', WHITE_WINS_IN_1, '--games', 1), 'b', 'a')):
        assert (found[f'{perfect}_wins'], found[f'{weakest}_thrown'], found[f'{perfect}_thrown']) == (1, 1, 0)
    # From a drawn position nobody loses who has not thrown a draw away, and once is enough against perfect.
    for name in 'random', 'rules', 'level:4':
        found = match(t, 'perfect', name, '--start', 'drawn', '--games', 60)
        assert found['b_thrown'] == found['a_wins']
    found = match(t, 'random', 'random', '--start', 'drawn', '--games', 100)
    assert found['a_thrown'] >= found['b_wins'] and found['b_thrown'] >= found['a_wins']


@pytest.mark.parametrize('games', [20, pytest.param(300, marks=pytest.mark.thorough)])
@pytest.mark.parametrize('name', ['random', 'rules', 'minimax:2', 'alphabeta:3', 'level:1', 'level:9', 'weakest', 'perfect'])
def test_perfect(t, name, games):
    """perfect never loses and never throws anything away, from the start and from drawn positions."""
    for start in [], ['--start', 'drawn']:
        found = match(t, 'perfect', name, '--games', games, *start)
        assert (found['a'], found['b'], found['b_wins'], found['a_thrown']) == ('perfect', name, 0, 0)
        found = match(t, name, 'perfect', '--games', games // 2, '--seed', 3, *start)
        assert (found['a_wins'], found['b_thrown']) == (0, 0) and (name != 'perfect' or found['draws'] == games // 2)


def test_random_starts(t):
    """Random positions come in pairs and are what most positions are: decided."""
    found = match(t, 'perfect', 'perfect', '--start', 'random', '--games', 2000)
    assert found['a_wins'] == found['b_wins']
    # Of all positions that are not over, 96.9 % are wins or losses.
    assert 0.95 < (found['a_wins'] + found['b_wins']) / 2000 < 0.985
    assert match(t, 'perfect', 'perfect', '--start', 'random', '--games', 1)['games'] == 1


def test_no_drawn_positions(t):
    t.solve('t.dat', '--board 3x3 --pieces 2 --row 2')
    t.run('neutreeko match --table t.dat --start drawn random random').expect(1, '', 'no drawn start position: with optimal ')


def test_max_plies(t):
    """A game that grows too long is a draw; one that ends just then is not."""
    found = match(t, 'perfect', 'perfect', '--max-plies', 3, '--games', 10)
    assert (found['draws'], found['mean_plies']) == (10, 3)
    found = match(t, 'perfect', 'perfect', '--max-plies', 1, '--games', 10, '--start', WON_IN_1)
    assert (found['draws'], found['mean_plies']) == (0, 1)


def test_text(t):
    """The text shows the same as the JSON."""
    arguments = ['level:2', 'level:4', '--games', '50', '--start', 'drawn', '--seed', '9']
    found = match(t, *arguments)
    text = t.run(['neutreeko', 'match', *arguments]).expect(0, err='').out
    assert re.match(rf'50 games, {found["mean_plies"]:.1f} plies on average, in [\d.]+ s\n', text)
    for side in 'ab':
        line = re.search(rf'\n{side.upper()}  {found[side]} +(\d+) +([\d.]+) % +(\d+)\n', text)
        wins = found[f'{side}_wins']
        assert line.groups() == (str(wins), f'{wins * 2:.1f}', str(found[f'{side}_thrown']))
    assert re.search(rf'\n   draws +{found["draws"]} +{found["draws"] * 2:.1f} %\n$', text)
