"""End-to-end tests of neutreeko match, many games between two opponents.

Usage: python3 tests/match.py PATH/neutreeko-solve PATH/neutreeko [NAME...]

Prints TAP; exit status 0 only when every test passed. With a NAME, or several, only those tests run whose
function's name contains it. Needs nothing beyond Python's standard library.
"""

import json
import re
import sys

sys.dont_write_bytecode = True  # leave no __pycache__ among the sources

import cli_harness
from cli_harness import check, equal

BLACK_WINS_IN_1 = '5/5/2w2/1w2w/bb1b1 b'  # d1-c1
WHITE_WINS_IN_1 = '5/5/2b2/1b2b/ww1w1 w'
OVER = '5/5/2w2/1w1w1/bbb2 w'
KEYS = ['a', 'b', 'games', 'a_wins', 'draws', 'b_wins', 'mean_plies', 'a_thrown', 'b_thrown', 'seconds']


def match(t, *arguments):
    """What the match came to, without the seconds."""
    outcome = t.run(['neutreeko', 'match', '--table', t.table, '--json', *map(str, arguments)])
    outcome.expect(0, err='')
    outcome.check(outcome.out.count('\n') == 1 and outcome.out.endswith('\n'), 'not one line')
    found = json.loads(outcome.out)
    equal(list(found), KEYS, 'keys')
    whole = [found[key] for key in KEYS[2:6] + KEYS[7:9]]
    check(all(type(number) is int and number >= 0 for number in whole), f'not all whole: {found}')
    check(found['seconds'] >= 0 and found['mean_plies'] > 0, f'seconds or plies: {found}')
    equal(found['a_wins'] + found['draws'] + found['b_wins'], found['games'], 'wins and draws together')
    del found['seconds']
    return found


# ---- usage ----

def test_match_help(t):
    """--help prints to standard output and describes every opponent but people"""
    for option in '--help', '-h':
        text = t.run(f'neutreeko match {option}')
        text.expect(0, ['Usage: neutreeko match', '--games', '--start', '--seed'], '')
        for name in 'random', 'rules', 'minimax:N', 'alphabeta:N', 'level:N', 'weakest', 'perfect':
            text.check(f'\n  {name} ' in text.out, f'{name} is missing')
        text.check('human' not in text.out, 'people are mentioned')


def test_match_usage_errors(t):
    """What makes no sense is refused with exit status 2 and a word about it"""
    for arguments, complaint in (
            ('', 'two opponents'),
            ('perfect', 'two opponents'),
            ('perfect random rules', "'rules'"),
            ('perfect nobody', "'nobody'"),
            ('nobody perfect', "'nobody'"),
            ('perfect ""', "''"),
            ('perfect Perfect', "'Perfect'"),
            ('human perfect', "'human'"),
            ('perfect human', "'human'"),
            ('perfect level', 'from 1 to 9'),
            ('perfect level:', 'from 1 to 9'),
            ('perfect level:0', 'from 1 to 9'),
            ('perfect level:10', 'from 1 to 9'),
            ('perfect level:-1', 'from 1 to 9'),
            ('perfect level:3x', 'from 1 to 9'),
            ('perfect minimax:0', 'from 1 to 20'),
            ('perfect alphabeta:21', 'from 1 to 20'),
            ('perfect alphabeta:99999999999999999999', 'from 1 to 20'),
            ('perfect random:3', 'unexpected number'),
            ('--games 0 perfect random', '--games'),
            ('--games -1 perfect random', '--games'),
            ('--games 100000001 perfect random', '--games'),
            ('--games 99999999999999999999999 perfect random', '--games'),
            ('--games ten perfect random', '--games'),
            ('--games 10x perfect random', '--games'),
            ('--games 1e3 perfect random', '--games'),
            ('--games " 1" perfect random', '--games'),
            ('--games "" perfect random', '--games'),
            ('--games', '--games'),
            ('--threads 0 perfect random', '--threads'),
            ('--threads 257 perfect random', '--threads'),
            ('--max-plies 0 perfect random', '--max-plies'),
            ('--max-plies 4294967297 perfect random', '--max-plies'),
            ('--seed -1 perfect random', '--seed'),
            ('--seed 18446744073709551616 perfect random', '--seed'),
            ('--nonsense perfect random', '--nonsense'),
            ('--start nowhere perfect random', "'nowhere'"),
            ('--start "" perfect random', "''"),
            ('--start Drawn perfect random', "'Drawn'"),
            ('--start "5/5/2w2/1w1w1/bbb2" perfect random', 'character 19'),
            ('--start "5/5/2w2/1w1w1/bbb2 b" perfect random', 'already won'),
            ('--start "5/5/2w2/1w1w1/bb3 w" perfect random', '2 pieces'),
            (f'--start "{OVER}" perfect random', 'the game is over in this position')):
        refused = t.run(f'neutreeko match --table "$TABLE" {arguments}')
        refused.expect(2, '', [complaint, 'neutreeko match --help'])


def test_match_table_errors(t):
    """A missing table, a damaged one and a full disk are failures with exit status 1"""
    t.run('neutreeko match --table missing.dat perfect random').expect(1, '', 'missing.dat')
    damaged = bytearray(t.table.read_bytes())
    for at in range(10000, len(damaged), 100):
        damaged[at] ^= 0x10
    t.write('damaged.dat', bytes(damaged))
    for threads in 1, 5:
        for arguments in ('perfect random', 'random random', '--start drawn random random',
                          '--start random rules rules'):
            failed = t.run(f'neutreeko match --table damaged.dat --threads {threads} {arguments}')
            failed.expect(1, '', 'damaged.dat: damaged')
    for closed in cli_harness.closed_outputs():
        for form in '', '--json':
            t.run(f'neutreeko match --table "$TABLE" {form} --games 1 perfect random {closed}').expect(
                1, '', 'cannot write')


# ---- results ----

def test_match_same_games(t):
    """The same seed gives the same games, whatever the number of threads; another seed gives others"""
    for arguments in (['level:3', 'rules', '--games', 101],
                      ['random', 'random', '--start', 'random', '--games', 200],
                      ['perfect', 'level:5', '--start', 'drawn', '--games', 200]):
        reference = match(t, *arguments, '--seed', 7, '--threads', 1)
        for threads in 2, 5, 200:
            found = match(t, *arguments, '--seed', 7, '--threads', threads)
            equal(found, reference, f'with {threads} threads')
        equal(match(t, *arguments, '--seed', 7), reference, 'with as many threads as it likes')
        check(match(t, *arguments, '--seed', 8) != reference, 'seeds 7 and 8 give the same')
        equal(match(t, *arguments), match(t, *arguments, '--seed', 0), 'without a seed')


def test_match_every_game_its_own(t):
    """The two games of a pair have chances of their own"""
    found = [match(t, 'random', 'random', '--games', 2, '--seed', seed) for seed in range(20)]
    check(any(pair['a_wins'] != pair['b_wins'] for pair in found), 'games of a pair mirror each other')


def test_match_colours(t):
    """A is Black in the first game, then colours alternate"""
    for position, winner, loser in (BLACK_WINS_IN_1, 'a', 'b'), (WHITE_WINS_IN_1, 'b', 'a'):
        for games in 1, 2, 11, 12:
            found = match(t, 'perfect', 'perfect', '--start', position, '--games', games)
            expected = {'a': 'perfect', 'b': 'perfect', 'games': games, 'draws': 0, 'mean_plies': 1,
                        f'{winner}_wins': (games + 1) // 2, f'{loser}_wins': games // 2,
                        'a_thrown': 0, 'b_thrown': 0}
            equal(found, expected, f'{games} games that the first move wins')


def test_match_given_away(t):
    """A win or a draw given away is counted for the side that did it"""
    # The weakest has a win in 1 and turns it into a loss; perfect then wins.
    for found, weakest, perfect in (
            (match(t, 'weakest', 'perfect', '--start', BLACK_WINS_IN_1, '--games', 1), 'a', 'b'),
            (match(t, 'perfect', 'weakest', '--start', WHITE_WINS_IN_1, '--games', 1), 'b', 'a')):
        equal(found[f'{perfect}_wins'], 1, f'wins of perfect: {found}')
        equal((found[f'{weakest}_thrown'], found[f'{perfect}_thrown']), (1, 0), f'given away: {found}')
    # From a drawn position nobody loses who has not given a draw away, and once is enough against perfect.
    for name in 'random', 'rules', 'level:4':
        found = match(t, 'perfect', name, '--start', 'drawn', '--games', 200)
        equal(found['b_thrown'], found['a_wins'], f'what {name} gave away: {found}')
    found = match(t, 'random', 'random', '--start', 'drawn', '--games', 200)
    check(found['a_thrown'] >= found['b_wins'] and found['b_thrown'] >= found['a_wins'], f'random: {found}')


def test_match_perfect(t):
    """perfect never loses and never gives anything away, from the start and from drawn positions"""
    for name in 'random', 'rules', 'level:1', 'weakest', 'level:9', 'perfect':
        for start in [], ['--start', 'drawn']:
            found = match(t, 'perfect', name, '--games', 300, *start)
            equal((found['b_wins'], found['a_thrown']), (0, 0), f'perfect against {name} {start}: {found}')
            found = match(t, name, 'perfect', '--games', 100, '--seed', 3, *start)
            equal((found['a_wins'], found['b_thrown']), (0, 0), f'{name} against perfect {start}: {found}')
            if name == 'perfect':
                equal(found['draws'], 100, 'draws between perfect and itself')


def test_match_random_starts(t):
    """Random positions come in pairs and are what most positions are: decided"""
    found = match(t, 'perfect', 'perfect', '--start', 'random', '--games', 2000)
    equal(found['a_wins'], found['b_wins'], 'wins of either side of the same positions')
    # Of all positions that are not over, 96.9 % are wins or losses.
    check(0.95 < (found['a_wins'] + found['b_wins']) / 2000 < 0.985, f'decided: {found}')
    odd = match(t, 'perfect', 'perfect', '--start', 'random', '--games', 1)
    equal(odd['games'], 1, 'games of half a pair')


def test_match_max_plies(t):
    """A game that grows too long is a draw; one that ends just then is not"""
    found = match(t, 'perfect', 'perfect', '--max-plies', 3, '--games', 10)
    equal((found['draws'], found['mean_plies']), (10, 3), 'draws and plies')
    found = match(t, 'perfect', 'perfect', '--max-plies', 1, '--games', 10, '--start', BLACK_WINS_IN_1)
    equal((found['draws'], found['mean_plies']), (0, 1), 'draws and plies')


def test_match_opponents(t):
    """Every opponent plays"""
    for name in ('random', 'rules', 'minimax:1', 'minimax:2', 'alphabeta:1', 'alphabeta:3', 'level:1',
                 'level:9', 'weakest'):
        found = match(t, name, 'random', '--games', 4)
        equal((found['a'], found['b']), (name, 'random'), 'names')
    equal(match(t, 'minimax:2', 'level:2', '--games', 20)['games'], 20, 'games')


def test_match_search_agrees(t):
    """Minimax and alpha-beta are the same opponent at different speed"""
    slow = match(t, 'minimax:3', 'level:5', '--games', 20, '--start', 'drawn')
    fast = match(t, 'alphabeta:3', 'level:5', '--games', 20, '--start', 'drawn')
    equal({**fast, 'a': 'minimax:3'}, slow, 'games')


def test_match_text(t):
    """The text tells the same as the JSON"""
    arguments = ['level:2', 'level:4', '--games', '150', '--start', 'drawn', '--seed', '9']
    found = match(t, *arguments)
    text = t.run(['neutreeko', 'match', '--table', t.table, *arguments]).expect(0, err='').out
    number = r' +(\d+) +([\d.]+) % +(\d+)\n'
    first = re.match(r'150 games, ([\d.]+) plies on average, in [\d.]+ s\n', text)
    check(first and first[1] == f'{found["mean_plies"]:.1f}', f'first line: {text}')
    for side in 'ab':
        line = re.search(rf'\n{side.upper()}  {found[side]}{number}', text)
        check(line, f'no line for {side}: {text}')
        wins, thrown = found[f'{side}_wins'], found[f'{side}_thrown']
        equal(line.groups(), (str(wins), f'{wins / 1.5:.1f}', str(thrown)), f'the line for {side}')
    draws = found['draws']
    check(re.search(rf'\n   draws +{draws} +{draws / 1.5:.1f} %\n$', text), f'draws: {text}')


if __name__ == '__main__':
    sys.exit(0 if cli_harness.main([sys.modules[__name__]], __doc__) else 1)
