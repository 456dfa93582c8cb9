"""Fair starts as positions of the commands, in matches, and in the engine protocol."""

import re

import pytest

from conftest import START

# Number 17 in the order that include/neutreeko.h defines.
FAIR_17 = '5/5/w4/1b1w1/1wb1b b'
NO_FAIR = '--board 3x3 --pieces 2 --row 2'


def recorded(t, start, games):
    """The positions in which the games of a match begin."""
    match = f'neutreeko match --force --record -o games.txt --start {start} --count {games} random random'
    t.run(match).expect(0, err='')
    found = re.findall(r'^\[Start "(.*)"\]$', t.read('games.txt').decode(), re.M)
    assert len(found) == games
    return found


def test_query(t):
    """A number stands for its position, and moves may follow, as an argument or a line of standard input."""
    assert t.query('--json', 'fair:17').expect(0, err='').json() == t.ask([FAIR_17])
    assert t.query('--json', 'fair:17 e1-d1').expect(0, err='').json() == t.ask([f'{FAIR_17} e1-d1'])
    assert t.query('--json', 'fair:17', 'e1-d1').expect(0, err='').json() == t.ask([f'{FAIR_17} e1-d1'])
    known, = t.ask([FAIR_17])
    assert t.query('--json', '-', input='fair:17 # a comment\n').expect(0, err='').json() == [{'line': 1, **known}]


@pytest.mark.parametrize('text, message', [
    ('fair:181', 'fair start 181: this board has only 180'),
    ('fair:17 b1', "invalid move 'b1'"),
    (f'fair:17 {START}', f"invalid move '{START.split()[0]}'"),
])
def test_invalid(t, text, message):
    t.query(text).expect(2, '', message)


def test_random(t):
    """The number of a random one is printed, and means the position; a seed determines it."""
    line = ['neutreeko', 'query', '--line', '--json', '--seed', '3']
    first = t.run([*line, 'fair']).expect(0, err="using the fair start 'fair:")
    name = re.search(r'fair:\d+', first.err).group()
    found, = first.json()
    assert t.ask([found['position']])[0]['position'] == t.query('--json', name).json()[0]['position']
    assert t.run([*line, 'fair']).err == first.err
    others = {t.run(['neutreeko', 'query', '--line', '--seed', str(seed), 'fair']).err for seed in range(10)}
    assert len(others) > 5


def test_play(t):
    t.run('neutreeko play --start fair:17').expect(0, ' 2  . b . w .', '')


def test_match(t):
    """A number is the start of every game; `fair` begins each pair of games at one of many."""
    assert set(recorded(t, 'fair:17', 4)) == {FAIR_17}
    starts = recorded(t, 'fair', 200)
    assert starts[::2] == starts[1::2]
    assert len(set(starts)) > 50


def test_match_begins_at_fair_starts(t):
    """All of them are in the list of the numbers."""
    names = [f'fair:{number}' for number in range(1, 181)]
    listed = {answer['position'] for answer in t.query('--json', *names).expect(0, err='').json()}
    assert len(listed) == 180
    assert set(recorded(t, 'fair', 400)) <= listed


def test_engine(t):
    def ask(*lines):
        return t.run('neutreeko engine', ''.join(f'{line}\n' for line in lines)).expect(0, err='').out
    assert ask('pos pos=fair:17', 'go analyze') == ask(f'pos pos="{FAIR_17}"', 'go analyze')
    assert ask('pos pos=standard', 'state') == ask('pos', 'state')
    assert ask('pos pos=fair:181') == (
        'error message="illegal position: fair start 181: this board has only 180"\n')


@pytest.mark.parametrize('record', ['[Start "fair:17"]', '[SetUp "1"]\n[FEN "Fair:17"]', 'start fair:17'])
def test_record(t, record):
    reviewed, = t.run('neutreeko review --json', f'{record}\ne1-d1\n').expect(0, err='').json()
    assert reviewed['games'][0]['start'] == FAIR_17


def test_record_of_the_start(t):
    reviewed, = t.run('neutreeko review --json', '[Start "standard"]\nb1-c1\n').expect(0, err='').json()
    assert reviewed['games'][0]['start'] == START


def test_board_without_any(t):
    t.solve('t.dat', NO_FAIR)
    t.run('neutreeko match --table t.dat --start fair random random').expect(1, '', 'this board has no fair starts')
    t.query('--table', 't.dat', 'fair').expect(1, '', 'this board has no fair starts')


def test_table_without_traps(t):
    t.solve('t.dat', '--board 4x4 --no-traps')
    for command in 'query fair:1', 'match --start fair random random', 'play --start fair:1':
        name, *rest = command.split()
        t.run(['neutreeko', name, '--table', 't.dat', *rest]).expect(1, '', 'no trap values')
