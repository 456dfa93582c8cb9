"""neutreeko match: many games between two opponents, or between each two of several."""

import csv
import re

import pytest

from conftest import WON_IN_1
from test_terminal import terminal

WHITE_WINS_IN_1 = '5/5/2b2/1b2b/ww1w1 w'


def match(t, *arguments):
    """What the match of two came to."""
    found, = tournament(t, *arguments)['matches']
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
        found = match(t, *players.split(), '--start', start, '--games', 1)
        assert [found[f'{weakest}_blunders'], found[f'{perfect}_wins'], found['a_blunders'] + found['b_blunders'],
                found['a_mistakes'] + found['b_mistakes']] == [1, 1, 1, 0]
    # From a drawn position nobody loses without a mistake, and one is enough against perfect.
    for name in 'random', 'level:4', 'perfect':
        found = match(t, 'perfect', name, '--start', 'drawn', '--games', 60)
        assert (found['b_wins'], found['a_mistakes'], found['a_blunders']) == (0, 0, 0)
        assert (found['b_mistakes'], found['b_blunders']) == (found['a_wins'], 0)
        assert name != 'perfect' or found['draws'] == 60


def test_random_starts(t):
    """Random positions come in pairs and are what most positions are: decided."""
    found = match(t, 'perfect', 'perfect', '--start', 'random', '--games', 2000)
    assert found['a_wins'] == found['b_wins']
    # Of all positions that are not over, 96.9 % are wins or losses.
    assert 0.95 < (found['a_wins'] + found['b_wins']) / 2000 < 0.985


def test_no_start_position(t):
    """Four pieces on a 3x3 board have two in a row unless they are in the corners, where only one side can be."""
    t.solve('t.dat', '--board 3x3 --pieces 4 --row 2')
    drawn = 'none of the 5 legal positions of this board is a draw in which the game continues; use --start standard or'
    for start, message in ('random', 'no start position found in 10000000 tries'), ('drawn', drawn):
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
        found = match(t, name, below, '--start', 'drawn', '--games', games, '--seed', 1)
        assert least <= 100 * (found['a_wins'] + found['draws'] / 2) / games < most, name


def test_max_plies(t):
    """A game that grows too long is a draw; one that ends just then is not."""
    for arguments, plies, draws in ((('--start', 'standard'), 3, 10), (('--start', WON_IN_1), 1, 0)):
        found = match(t, 'perfect', 'perfect', '--max-plies', plies, '--games', 10, *arguments)
        assert (found['draws'], found['mean_plies']) == (draws, plies)


def test_record(t):
    """The same seed gives the same games, whatever the number of threads; --save writes all in order, with the
    results."""
    arguments = ['level:7', 'perfect', '--games', 40, '--start', 'drawn', '--max-plies', 12, '--seed']
    found = match(t, *arguments, 9, '--threads', 1, '--save', 'one.txt')
    assert match(t, *arguments, 9, '--threads', 60, '--save', 'two.txt') == found == match(t, *arguments, 9)
    assert match(t, *arguments, 0) != found
    text = t.read('one.txt').decode()
    assert t.read('two.txt').decode() == text
    assert re.findall(r'\[Round "(.*)"]\n.*\n\[Black "(.*)"]', text) == [
        (str(n + 1), arguments[n % 2]) for n in range(40)
    ]
    summary, = t.run('neutreeko review --json one.txt').expect(0, err='').json()
    a = next(player for player in summary['players'] if player['name'] == 'level:7')
    assert (summary['reviewed'], summary['unfinished']) == (40, 0)
    assert found['draws'] > 0
    assert (a['wins'], a['draws'], a['losses']) == (found['a_wins'], found['draws'], found['b_wins'])
    assert (a['mistakes'], a['blunders']) == (found['a_mistakes'], found['a_blunders'])
    for name, message in (
        ('/dev/full', 'cannot write /dev/full: No space left on device'),
        ('none/x', 'cannot create none/x: No such file'),
    ):
        t.run(['neutreeko', 'match', 'random', 'random', '--games', '3', '--save', name]).expect(1, '', message)
    t.run('ulimit -f 1; neutreeko match random random --games 300 --force --save one.txt').expect(
        1, '', 'cannot write one.txt: File too large'
    )
    assert t.read('one.txt').decode() == text
    assert t.files() == ['one.txt', 'two.txt']


MATCHES = [['perfect', 'level:3'], ['perfect', 'level:3', 'random']]


def played(t, *arguments):
    """What is printed as JSON, without the seconds."""
    found, = t.run(['neutreeko', 'match', '--json', '--games', '6', *arguments]).expect(0, err='').json()
    del found['seconds']
    return found


@pytest.mark.parametrize('players', MATCHES)
def test_seeds_differ(t, players):
    """Without --seed, every run has another seed."""
    assert played(t, *players)['seed'] != played(t, *players)['seed']


@pytest.mark.parametrize('players', MATCHES)
def test_a_printed_seed_repeats_the_games(t, players):
    """The seed that a run prints gives the same result again."""
    first = played(t, *players)
    assert played(t, *players, '--seed', str(first['seed'])) == first


@pytest.mark.parametrize('players', MATCHES)
def test_the_text_has_the_seed(t, players):
    """The report as text has the seed, too."""
    t.run(['neutreeko', 'match', *players, '--games', '2', '--seed', '18446744073709551615']).expect(
        0, ' s, seed 18446744073709551615\n', ''
    )


@pytest.mark.parametrize('players', MATCHES)
def test_games_begin_at_drawn_positions(t, players):
    """Without --start, each pair of games begins at a random drawn position, with two opponents and with more."""
    options = [*players, '--seed', '1']
    assert played(t, *options) == played(t, *options, '--start', 'drawn')


@pytest.mark.parametrize('players', MATCHES)
def test_games_of_the_standard_start(t, players):
    """With --start standard, every game begins at the start of the game, which needs no header."""
    written = t.run(['neutreeko', 'match', *players, '--games', '2', '--start', 'standard', '--save', '-'])
    assert '[Start' not in written.expect(0, err='').out


@pytest.mark.parametrize('players', MATCHES)
def test_longest_game(t, players):
    """--max-plies ends the games."""
    t.run(['neutreeko', 'match', *players, '--max-plies', '1', '--save', 'games.txt']).expect(0, err='')
    assert {len(game['moves']) for game in t.run('neutreeko review --json games.txt').json()[0]['games']} == {1}


def test_record_of_a_tournament(t):
    """The file has all games of all matches, which take turns, with their players."""
    t.run('neutreeko match perfect level:3 random --games 4 --save games.txt').expect(0, err='')
    found, = t.run('neutreeko review --json games.txt').expect(0, err='').json()
    pairs = [('level:3', 'perfect'), ('random', 'perfect'), ('random', 'level:3')]
    assert [(game['white'], game['black']) for game in found['games']] == [
        pair[::-1] if number % 2 else pair for number in range(4) for pair in pairs
    ]


def test_record_of_a_tournament_counts(t):
    """The recorded games have the results of the tournament."""
    rated = tournament(t, 'perfect', 'level:3', 'random', '--games', 20, '--save', 'games.txt')
    found, = t.run('neutreeko review --json games.txt').expect(0, err='').json()
    for player in found['players']:
        one = next(one for one in rated['players'] if one['name'] == player['name'])
        for key in 'games', 'wins', 'draws', 'losses', 'mistakes', 'blunders':
            assert one[key] == player[key], key
        assert one['points'] == player['wins'] + player['draws'] / 2


# ---- tournaments ----

def tournament(t, *arguments):
    """The ratings and results, without the seconds and the seed."""
    found, = t.run(['neutreeko', 'match', '--json', *map(str, arguments)]).expect(0, err='').json()
    assert found.pop('seconds') >= 0
    assert found.pop('seed') >= 0
    assert found['complete']
    return found


def test_tournament(t):
    """Every two players play their match. The ratings are the same with any number of threads."""
    players = ['level:3', 'rules', 'level:4', 'level:5']
    found = tournament(t, *players, '--games', 50, '--seed', 3, '--threads', 2)
    assert found == tournament(t, *players, '--games', 50, '--seed', 3, '--threads', 1)
    assert found['games'] == 300
    assert [(one['a'], one['b']) for one in found['matches']] == [
        (a, b) for b in players for a in players[:players.index(b)]]
    for one in found['matches']:
        played = match(t, one['a'], one['b'], '--start', 'drawn', '--games', 50, '--seed', 3)
        assert played == one
    elo = [one['elo'] for one in found['players']]
    assert abs(sum(elo)) < 1e-3
    assert elo == sorted(elo, reverse=True)


@pytest.mark.parametrize('players', [['perfect', 'level:3'], ['perfect', 'level:3', 'random']])
def test_csv(t, players):
    """A line for each player has the numbers of the JSON output; a missing value is empty."""
    command = ['neutreeko', 'match', '--games', '10', '--seed', '1', *players]
    lines = list(csv.DictReader(t.run([*command, '--csv']).expect(0, err='').out.splitlines()))
    assert [line['name'] for line in lines] == players
    assert int(lines[0]['games']) == 10 * len(lines) - 10
    assert lines[0]['elo_high'] == ''
    found, = t.run([*command, '--json']).expect(0, err='').json()
    assert [line['name'] for line in lines] == [one['name'] for one in found['players']]
    for line, one in zip(lines, found['players']):
        for key in 'wins', 'draws', 'losses', 'mistakes', 'blunders':
            assert int(line[key]) == one[key], key
        assert float(line['points']) == one['points']
        for key in 'elo', 'elo_low', 'elo_high':
            assert (float(line[key]) if line[key] else None) == one[key], key


def test_tournament_text(t):
    """A player who has won all games has no upper bound, in JSON neither; the anchor has the rating 0."""
    command = 'neutreeko match level:2 perfect level:3 --games 20 --seed 0'
    shown = t.run(command).expect(0, err='').out
    assert re.sub(r'in [\d.]+ s', 'in # s', shown) == """\
3 players, 60 games in # s, seed 0

      player           Elo    95 % interval    points   games
   1  perfect          +463    +284    +inf   100.0 %      40
   2  level:3           -92    -inf     +30    42.5 %      40
   3  level:2          -371    -inf    -229     7.5 %      40

inf: no bound, because one side won all of the games.

Points of the player in the row, in per cent:

                       1   2   3
   1  perfect          . 100 100
   2  level:3          0   .  85
   3  level:2          0  15   .
"""
    found = tournament(t, *command.split()[2:], '--anchor', 'level:3')
    assert [
        [value and round(value) for value in (player['elo_low'], player['elo'], player['elo_high'], player['games'])]
        for player in found['players']
    ] == [[284, 554, None, 40], [0, 0, 0, 40], [-475, -280, -85, 40]]
    assert found['anchor'] == 'level:3'


def test_anchor_by_another_name(t):
    """easy is level:5, whichever of the names is used for the player and for the anchor."""
    assert tournament(t, 'easy', 'random', 'rules', '--games', '2', '--anchor', 'level:5')['anchor'] == 'easy'
    assert tournament(t, 'level:5', 'random', 'rules', '--games', '2', '--anchor', 'easy')['anchor'] == 'level:5'


def test_players_have_the_names_that_were_given(t):
    """In records, which outlive the version that gives a level its name, easy is level:5."""
    command = 'neutreeko match --games 2 --seed 1 easy random'
    assert re.search(r'^A  easy  ', t.run(f'{command} --save games.txt').expect(0, err='').out, re.M)
    found, = t.run(f'{command} --json').expect(0, err='').json()
    assert {player['name'] for player in found['players']} == {'easy', 'random'}
    assert [(one['a'], one['b']) for one in found['matches']] == [('easy', 'random')]
    assert {line.split(',')[0] for line in t.run(f'{command} --csv').out.splitlines()} == {'name', 'easy', 'random'}
    assert b'[Black "level:5"]' in t.read('games.txt')


@pytest.mark.parametrize(
    'command, rows, progress, expected, lines',
    [
        (
            'match random rules --json --threads 60 --save games.txt',
            24,
            r'playing: (?!0\.0 )\S+ %',
            r'"games": [1-9]\d*, "complete": false, ',
            '',
        ),
        (
            'match alphabeta:20 rules --json',
            24,
            'playing: ',
            r'"games": 0, "complete": false, .*"mean_plies": null, ',
            '',
        ),
        ('match alphabeta:20 rules', 24, 'playing: ', '0 games in ', ''),
        ('match random rules level:1', 3, r'J[1-9][\d,]* of ', r'3 players, [\d,]+ games in ', '1'),
        ('match random rules alphabeta:20', 5, ' % ', r'3 players, ', '4'),
        ('match random rules level:1 --start random --json', 24, ' % ', r'"games": \d+, "complete": false, ', '5'),
    ],
)
def test_interrupted(t, command, rows, progress, expected, lines):
    """Ctrl-C ends the games, even a long search, and prints the result so far. A terminal shows the progress, and as
    many lines of the ratings as fit; the record has the games that are counted."""
    name, *arguments = command.split()
    has_two = len(re.split(' --', command)[0].split()) == 3
    with terminal(t, *arguments, '--games', '1000000', command=name, ready=None, rows=rows) as at:
        at.until(lambda: re.search(progress, at.shown), 'no progress is shown')
        at.end(130, '\x03')
    assert re.search(expected, at.shown)
    assert set(re.findall(r'\x1b\[(\d+)A', at.shown)) == set(lines)
    of = '1,000,000' if has_two else '3,000,000'
    assert re.search(rf'neutreeko match: interrupted after [\d,]+ of {of} games', at.shown.replace('\r\n', ' '))
    if 'record' in command:
        assert len(re.findall(rb'\[Round "', t.read('games.txt'))) == int(re.search(r'"games": (\d+)', at.shown)[1])


def test_no_live_ratings(t):
    """A terminal that cannot move its cursor shows no ratings in between."""
    command = 'neutreeko match random rules level:1 --games 400'
    shown = t.run_at_terminal(command, 'stderr', {'TERM': 'dumb'}).expect(0).err
    assert '\x1b' not in shown
    assert 'of 1,200 games' not in shown
