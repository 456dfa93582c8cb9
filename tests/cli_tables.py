"""Which table neutreeko takes, and that a damaged one never leads to a wrong answer."""

import os
import shutil

import cli_game as game
import cli_solve
from cli_harness import Skip, check, equal

DRAW = '"result": "draw"'
FOREIGN = b'a letter to a friend\n' * 100


def test_table_named(t):
    """--table wins over NEUTREEKO_TABLE, which wins over the places where a table may lie"""
    good = t.table.read_bytes()
    t.write('good.dat', good)
    t.write('foreign.dat', FOREIGN)
    foreign, named = {'NEUTREEKO_TABLE': 'foreign.dat'}, {'NEUTREEKO_TABLE': 'good.dat'}
    t.run('neutreeko query --json', env=named).expect(0, DRAW, '')
    t.run('neutreeko query --json', env=foreign).expect(1, '', 'foreign.dat')
    t.run('neutreeko query --json --table good.dat', env=foreign).expect(0, DRAW, '')
    t.run('neutreeko query --json --table=good.dat', env=foreign).expect(0, DRAW, '')
    t.run('neutreeko query --json --table foreign.dat', env=named).expect(1, '', 'foreign.dat')
    t.write('.local/share/neutreeko/perfect_move.dat', FOREIGN)
    t.run('neutreeko query --json', env=named).expect(0, DRAW, '')


def test_table_named_is_missing(t):
    """A table that was named is not silently replaced by another"""
    t.write('.local/share/neutreeko/perfect_move.dat', t.table.read_bytes())
    t.run('neutreeko query').expect(0, err='')
    complaint = ['missing.dat', 'No such file']
    t.run('neutreeko query --table missing.dat').expect(1, '', complaint)
    t.run('neutreeko query', env={'NEUTREEKO_TABLE': 'missing.dat'}).expect(1, '', complaint)
    t.run('neutreeko query --table ""').expect(1, '', 'No such file')
    t.run('neutreeko query', env={'NEUTREEKO_TABLE': ''}).expect(0, err='')  # as if it were not set


def expect_order(t, program, places, env):
    """The table is taken from the first of these places where there is one, whether it is good or not."""
    for rank, place in enumerate(places):
        for other in places:
            (t.dir / other).unlink(missing_ok=True)
        t.write(place, t.table.read_bytes())
        t.run([program, 'query', '--json'], env=env).expect(0, DRAW, '')
        for other in places[rank + 1:]:
            t.write(other, t.table.read_bytes())
        t.write(place, FOREIGN)
        t.run([program, 'query', '--json'], env=env).expect(1, '', place)


def test_table_places(t):
    """A table is looked for in XDG_DATA_HOME, then in each of XDG_DATA_DIRS"""
    name = 'neutreeko/perfect_move.dat'
    expect_order(t, 'neutreeko', [f'own/{name}', f'first/{name}', f'second/{name}'],
                 {'XDG_DATA_HOME': str(t.dir / 'own'), 'XDG_DATA_DIRS': f'{t.dir}/first:{t.dir}/second'})


def test_table_default_places(t):
    """Without XDG_DATA_HOME it is looked for in ~/.local/share"""
    name = 'neutreeko/perfect_move.dat'
    for unset in {}, {'XDG_DATA_HOME': ''}:
        expect_order(t, 'neutreeko', [f'.local/share/{name}', f'first/{name}'],
                     {'XDG_DATA_DIRS': f'{t.dir}/first', **unset})


def test_table_beside_build(t):
    """A program run from its build directory takes the checkout's table first"""
    (t.dir / 'checkout/build/player').mkdir(parents=True)
    program = t.dir / 'checkout/build/player/neutreeko'
    shutil.copy(shutil.which('neutreeko', path=t.environment['PATH']), program)
    places = ['checkout/data/perfect_move.dat', '.local/share/neutreeko/perfect_move.dat']
    expect_order(t, program, places, {})


def test_table_nowhere(t):
    """Without any table it lists where it has looked and tells how to make one"""
    env = {'XDG_DATA_HOME': '/nowhere/own', 'XDG_DATA_DIRS': '/nowhere/first:/nowhere/second'}
    lost = t.run('neutreeko query', env=env)
    installed = [f'{place}/share/neutreeko/perfect_move.dat' for place in ('/usr', '/usr/local')]
    if lost.code == 0 and any(map(os.path.exists, installed)):
        raise Skip('a table is installed on this machine')
    lost.expect(1, '', [f'{place}/neutreeko/perfect_move.dat\n' for place in
                        ('/nowhere/own', '/nowhere/first', '/nowhere/second')])
    lost.expect(1, '', ['neutreeko-solve', '--table', 'NEUTREEKO_TABLE'])
    places = [lost.err.index(f'/nowhere/{name}/') for name in ('own', 'first', 'second')]
    equal(places, sorted(places), 'order of the places in the list')


def test_table_advice_works(t):
    """The command that is advised for a broken table mends it, even one with an awkward name"""
    for name in 'broken.dat', "it's broken.dat", '-broken.dat':
        t.write(name, FOREIGN)
        query = ['neutreeko', 'query', '--json', f'--table={name}']
        broken = t.run(query).expect(1, '', 'neutreeko-solve -o')
        advice = broken.err[broken.err.index('neutreeko-solve -o'):].strip()
        t.run(advice).expect(0, err='')
        t.run(query).expect(0, DRAW, '')


def test_table_damaged(t):
    """A file that is missing, no table, cut short or too long is refused; the message names it"""
    good = t.table.read_bytes()
    t.write('empty.dat', b'')
    t.write('foreign.dat', FOREIGN)
    t.write('long.dat', good + b'\0')
    t.write('zeros.dat', bytes(len(good)))
    (t.dir / 'directory.dat').mkdir()
    os.mkfifo(t.dir / 'pipe.dat')
    for name in t.files() + ['missing.dat', 'empty.dat/below.dat']:
        t.run(['neutreeko', 'query', '--table', name], patience=10).expect(1, '', name)
    lengths = [1, 7, 8, 111, 112, 113, len(good) // 2, len(good) - 1]
    for length in lengths + t.random.sample(range(len(good)), 20):
        t.write('short.dat', good[:length])
        t.run('neutreeko query --table short.dat').expect(1, '', 'short.dat')


def test_table_flipped_bits(t):
    """With any byte changed the answers are the right ones, or there is an error that names the table"""
    good = t.table.read_bytes()
    text = ''.join(f'{game.fen(game.random_position(t.random))}\n' for _ in range(60)).encode()
    right = t.run(['neutreeko', 'query', '--table', t.table, '--json', '-'], text).expect(0, err='').out_bytes
    noticed = 0
    for place in [*range(cli_solve.HEADER), *t.random.sample(range(len(good)), 120)]:
        bad = bytearray(good)
        bad[place] ^= t.random.randrange(1, 256)
        t.write('flipped.dat', bad)
        told = t.run(['neutreeko', 'query', '--table', 'flipped.dat', '--json', '-'], text)
        if told.code == 0:
            told.check(told.out_bytes == right, f'byte {place} was changed, and the answers are wrong')
        else:
            told.check(right.startswith(told.out_bytes), f'byte {place} was changed, and an answer is wrong')
            told.expect(1, err='flipped.dat')
            noticed += 1
    check(noticed, 'no change has been noticed')


def test_table_replaced(t):
    """A table that is replaced or removed serves those to the end who have begun to ask it"""
    questions = [game.fen(game.random_position(t.random)) for _ in range(60)]
    right = t.run(['neutreeko', 'query', '--table', t.table, '--json', *questions]).expect(0, err='').out
    table = t.write('t.dat', t.table.read_bytes())
    with t.converse(['neutreeko', 'query', '--table', table, '--json', '-']) as partner:
        answers = [partner.ask(question) for question in questions[:20]]
        t.run('neutreeko-solve --quiet -o t.dat').expect(0, '', '')
        answers += [partner.ask(question) for question in questions[20:40]]
        table.unlink()
        answers += [partner.ask(question) for question in questions[40:]]
    equal(partner.code, 0, 'exit status')
    check(''.join(answers) == right, 'the answers differ from those of an undisturbed table')


def test_table_cut_short_meanwhile(t):
    """A table that is cut short while it is asked leads to an error, never to a wrong answer or a crash"""
    questions = [game.fen(game.random_position(t.random)) for _ in range(60)]
    right = t.run(['neutreeko', 'query', '--table', t.table, '--json', *questions]).expect(0, err='').out
    table = t.write('t.dat', t.table.read_bytes())
    with t.converse(['neutreeko', 'query', '--table', table, '--json', '-']) as partner:
        answers = partner.ask(questions[0])
        os.truncate(table, 3000)
        for question in questions[1:]:
            answer = partner.ask(question)
            answers += answer
            if not answer:
                break
    check(right.startswith(answers), 'an answer is wrong')
    equal(partner.code, 1, 'exit status')
    check('t.dat' in partner.err, f'the complaint does not name the table: {partner.err}')
