"""neutreeko match and tournament: many games between opponents."""

import os
import re
import signal
import subprocess

import pytest

from conftest import PATIENCE, WON_IN_1, Outcome, read_terminal

WHITE_WINS_IN_1 = '5/5/2b2/1b2b/ww1w1 w'
KEYS = ['a', 'b', 'games', 'complete', 'a_wins', 'draws', 'b_wins', 'mean_plies', 'a_mistakes', 'a_blunders',
        'b_mistakes', 'b_blunders', 'seconds']


def match(t, *arguments):
    """What the match came to, without the seconds."""
    found, = t.run(['neutreeko', 'match', '--json', *map(str, arguments)]).expect(0, err='').json()
    assert list(found) == KEYS
    assert found.pop('seconds') >= 0 and found['mean_plies'] > 0
    assert found.pop('complete')
    assert found['a_wins'] + found['draws'] + found['b_wins'] == found['games']
    return found


def test_seed(t):
    """The same seed gives the same games, whatever the number of threads; another seed gives others."""
    arguments = 'level:3', 'rules', '--games', 31
    reference = match(t, *arguments, '--seed', 7, '--threads', 1)
    assert match(t, *arguments, '--seed', 7, '--threads', 60) == match(t, *arguments, '--seed', 7) == reference
    assert match(t, *arguments, '--seed', 8) != reference and match(t, *arguments) == match(t, *arguments, '--seed', 0)


def test_games_of_a_pair_differ(t):
    pairs = (match(t, 'random', 'random', '--games', 2, '--seed', seed) for seed in range(20))
    assert any(pair['a_wins'] != pair['b_wins'] for pair in pairs)


def test_colours(t):
    """A is Black in the first game, then colours alternate."""
    for position, winner, loser in (WON_IN_1, 'a', 'b'), (WHITE_WINS_IN_1, 'b', 'a'):
        for games in 1, 2, 11, 12:
            assert match(t, 'perfect', 'perfect', '--start', position, '--games', games) == {
                'a': 'perfect', 'b': 'perfect', 'games': games, 'draws': 0, 'mean_plies': 1,
                'a_mistakes': 0, 'a_blunders': 0, 'b_mistakes': 0, 'b_blunders': 0,
                f'{winner}_wins': (games + 1) // 2, f'{loser}_wins': games // 2}


def test_mistakes(t):
    """A mistake or a blunder is counted for the side that made it."""
    # The weakest has a win in 1 and turns it into a loss; perfect then wins.
    for found, weakest, perfect in (
            (match(t, 'weakest', 'perfect', '--start', WON_IN_1, '--games', 1), 'a', 'b'),
            (match(t, 'perfect', 'weakest', '--start', WHITE_WINS_IN_1, '--games', 1), 'b', 'a')):
        assert (found[f'{perfect}_wins'], found[f'{weakest}_blunders'], found[f'{weakest}_mistakes'],
                found[f'{perfect}_blunders'] + found[f'{perfect}_mistakes']) == (1, 1, 0, 0)
    # From a drawn position nobody loses without a mistake, and one is enough against perfect.
    for name in 'random', 'rules', 'level:4':
        found = match(t, 'perfect', name, '--start', 'drawn', '--games', 60)
        assert (found['b_mistakes'], found['b_blunders']) == (found['a_wins'], 0)
    found = match(t, 'random', 'random', '--start', 'drawn', '--games', 100)
    assert (found['a_mistakes'] + found['a_blunders'] >= found['b_wins'] and
            found['b_mistakes'] + found['b_blunders'] >= found['a_wins'])


@pytest.mark.parametrize('games', [20, pytest.param(300, marks=pytest.mark.thorough)])
@pytest.mark.parametrize('name', ['random', 'rules', 'minimax:2', 'alphabeta:3', 'level:1', 'level:15', 'weakest', 'perfect'])
def test_perfect(t, name, games):
    """perfect never loses and never throws anything away, from the start and from drawn positions."""
    for start in [], ['--start', 'drawn']:
        found = match(t, 'perfect', name, '--games', games, *start)
        assert (found['a'], found['b'], found['b_wins'], found['a_mistakes'], found['a_blunders']) == ('perfect', name, 0, 0, 0)
        found = match(t, name, 'perfect', '--games', games // 2, '--seed', 3, *start)
        assert (found['a_wins'], found['b_mistakes'], found['b_blunders']) == (0, 0, 0) and (name != 'perfect' or found['draws'] == games // 2)


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


def test_record(t):
    """--record writes all games, in order whatever the number of threads, with the results that were counted."""
    arguments = ['level:7', 'perfect', '--games', 40, '--start', 'drawn', '--seed', 9, '--max-plies', 12]
    found = match(t, *arguments, '--threads', 1, '--record', 'one.txt')
    assert match(t, *arguments, '--threads', 7, '--record', 'two.txt') == found == match(t, *arguments)
    text = t.read('one.txt').decode()
    assert t.read('two.txt').decode() == text
    assert re.findall(r'\[Round "(.*)"]', text) == [str(n + 1) for n in range(40)]
    assert re.findall(r'\[Black "(.*)"]', text) == ['level:7', 'perfect'] * 20
    summary, = t.run('neutreeko review --json one.txt').expect(0, err='').json()
    a = next(player for player in summary['players'] if player['name'] == 'level:7')
    assert (summary['games'], summary['unfinished']) == (40, 0) and found['draws'] > 0
    assert (a['wins'], a['draws'], a['losses']) == (found['a_wins'], found['draws'], found['b_wins'])
    assert (a['mistakes'], a['blunders']) == (found['a_mistakes'], found['a_blunders'])
    t.write('letter.txt', 'Dear friend')
    for name, message in (('letter.txt', '--record: letter.txt exists and does not contain games of this program'),
                          ('/dev/full', 'cannot write /dev/full: No space left on device'), ('none/x', 'cannot create none/x: No such file')):
        t.run(['neutreeko', 'match', 'random', 'random', '--games', '3', '--record', name]).expect(1, '', message)
    t.run('ulimit -f 1; neutreeko match random random --games 300 --record one.txt').expect(1, '', 'cannot write one.txt: File too large')
    assert t.read('one.txt').decode() == text and t.files() == ['letter.txt', 'one.txt', 'two.txt']


def test_interrupted(t):
    """Ctrl-C ends the match with the result of the games that were played; on a terminal the progress is shown."""
    pipe = subprocess.PIPE
    master, slave = os.openpty()
    with t.start('exec neutreeko match --json --games 5000000 --max-plies 20 random random', stdout=pipe,
                 stderr=slave) as process:
        os.close(slave)
        shown = b''
        while not re.search(b'playing: (?!0.0 )', shown):
            shown += os.read(master, 1000)
        process.send_signal(signal.SIGINT)
        out = process.communicate(timeout=PATIENCE)[0]
        shown += read_terminal(master)
    os.close(master)
    found, = Outcome('neutreeko match', process.returncode, out, shown).expect(130, None, 'neutreeko match: interrupted after ').json()
    assert not found['complete'] and 0 < found['games'] < 5000000
    assert found['a_wins'] + found['draws'] + found['b_wins'] == found['games']


def test_text(t):
    """The text shows the same as the JSON."""
    arguments = ['level:2', 'level:4', '--games', '50', '--start', 'drawn', '--seed', '9']
    found = match(t, *arguments)
    text = t.run(['neutreeko', 'match', *arguments]).expect(0, err='').out
    assert re.match(rf'50 games, {found["mean_plies"]:.1f} plies on average, in [\d.]+ s\n', text)
    for side in 'ab':
        line = re.search(rf'\n{side.upper()}  {found[side]} +(\d+) +([\d.]+) % +(\d+) +(\d+)\n', text)
        wins = found[f'{side}_wins']
        assert line.groups() == (str(wins), f'{wins * 2:.1f}', str(found[f'{side}_mistakes']), str(found[f'{side}_blunders']))
    assert re.search(rf'\n   draws +{found["draws"]} +{found["draws"] * 2:.1f} %\n$', text)


# ---- tournaments ----

PLAYERS = ['level:3', 'rules', 'level:4', 'level:5']


def tournament(t, *arguments):
    """The ratings and results, without the seconds."""
    found, = t.run(['neutreeko', 'tournament', '--json', *map(str, arguments)]).expect(0, err='').json()
    assert found.pop('seconds') >= 0 and found['complete']
    assert found['games'] == sum(one['games'] for one in found['matches'])
    return found


def test_tournament(t):
    """Every two players play their match. By the ratings, each player is expected to score the points that it has scored;
    a unique solution. The ratings are the same with any number of threads."""
    found = tournament(t, *PLAYERS, '--games', 50, '--seed', 3, '--threads', 2)
    assert found == tournament(t, *PLAYERS, '--games', 50, '--seed', 3, '--threads', 1)
    assert [(one['a'], one['b']) for one in found['matches']] == [
        (a, b) for b in PLAYERS for a in PLAYERS[:PLAYERS.index(b)]]
    expected = dict.fromkeys(PLAYERS, 0)
    elo = {one['name']: one['elo'] for one in found['players']}
    for one in found['matches']:
        a, b = one['a'], one['b']
        played = match(t, a, b, '--start', 'drawn', '--games', 50, '--seed', 3)
        played['plies'] = round(played.pop('mean_plies') * 50)
        assert played == one
        expected[a] += 50 / (1 + 10 ** ((elo[b] - elo[a]) / 400))
        expected[b] += 50 / (1 + 10 ** ((elo[a] - elo[b]) / 400))
    for one in found['players']:
        assert one['games'] == 150 and abs(one['points'] - expected[one['name']]) < 1e-3
        assert one['elo_low'] < one['elo'] < one['elo_high']
    assert abs(sum(elo.values())) < 1e-3
    assert [one['elo'] for one in found['players']] == sorted(elo.values(), reverse=True)


def test_tournament_anchor(t):
    """The anchor has the rating 0. A player who has won all games has no upper bound."""
    found = tournament(t, 'random', 'perfect', 'level:5', '--games', 20, '--anchor', 'random', '--start', 'random')
    ratings = {one['name']: [one[key] for key in ('elo_low', 'elo', 'elo_high')] for one in found['players']}
    assert found['anchor'] == 'random' and ratings['random'] == [0, 0, 0]
    found = tournament(t, 'perfect', 'random', '--games', 20)
    assert [one['elo_high'] is None for one in found['players']] == [True, False]
    assert [one['elo_low'] is None for one in found['players']] == [False, True]


def test_tournament_text(t):
    """The text shows the same as the JSON."""
    arguments = ['random', 'perfect', 'level:3', '--games', '20']
    found = tournament(t, *arguments)
    text = t.run(['neutreeko', 'tournament', *arguments]).expect(0, err='').out
    lines = text.splitlines()
    assert re.fullmatch(r'3 players, 60 games in [\d.]+ s', lines[0])
    for place, one in enumerate(found['players']):
        low, high = ('inf' if one[key] is None else f'{round(one[key]):+}' for key in ('elo_low', 'elo_high'))
        line = lines[3 + place].replace('+inf', 'inf').replace('-inf', 'inf').split()
        assert line == [str(place + 1), one['name'], f'{round(one["elo"]):+}', low, high, f'{one["points"] / 0.4:.1f}', '%', '40']
    assert 'inf: the games set no bound' in text
    names = [one['name'] for one in found['players']]
    points = {(one['a'], one['b']): one['a_wins'] + one['draws'] / 2 for one in found['matches']}
    points.update({(b, a): 20 - won for (a, b), won in points.items()})
    for place, a in enumerate(names):
        cells = ['.' if a == b else f'{points[a, b] * 5:.0f}' for b in names]
        assert lines[place - 3].split() == [str(place + 1), a, *cells]


def test_tournament_interrupted(t):
    """Ctrl-C ends the tournament, even a long search, and prints the ratings so far. Only a terminal shows them in between."""
    for more, expected in ('alphabeta:20', r'Interrupted after \d+ of 3000000 games\.\n3 players, '), ('', r'Interrupted after \d+ of 1000000 games\.\n2 players, \d+ games in '), (
            '--json', '{"version": 1, "games": \\d+, "complete": false, '):
        master, slave = os.openpty()
        with t.talk(f'exec neutreeko tournament random rules --games 1000000 {more}', {'TERM': 'xterm'}, stderr=slave) as run:
            os.close(slave)
            os.read(master, 1)
            run.process.send_signal(signal.SIGINT)
            assert re.match(expected, run.end().expect(130).out)
        os.close(master)
    for term, live in ('dumb', False), ('xterm', True):
        shown = t.run_at_terminal('neutreeko tournament random rules --games 400', 'stderr', {'TERM': term}).expect(0)
        assert ('\x1b[' in shown.err) == live == ('of 400 games' in shown.err) and '\x1b' not in shown.out
