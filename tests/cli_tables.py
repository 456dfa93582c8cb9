"""Which table neutreeko takes, and that a damaged one never leads to a wrong answer."""

import os
import re
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


def advised_command(failed):
    """The command in the advice of an error message, or None."""
    command = re.search('with: (neutreeko-solve .*)', failed.err)
    return command and command[1]


def test_table_advice_works(t):
    """The command that is advised for a damaged table rebuilds it, whatever its name and its board are"""
    boards = ['', '--board 4x4', '--board 3x3 --pieces 2', '--win diagonal', '--board 4x3 --pieces 4 --row 3']
    for name, board in zip(["broken.dat", "it's broken.dat", '-broken.dat', 'd.dat', 'e.dat'], boards):
        t.run(['neutreeko-solve', '--quiet', *board.split(), f'--output={name}']).expect(0, '', '')
        good = (t.dir / name).read_bytes()
        for damaged in good[:-1], good[:113], good + b'x', good[:120] + bytes([good[120] ^ 1]) + good[121:]:
            t.write(name, damaged)
            broken = t.run(['neutreeko', 'query', '--json', f'--table={name}'])
            t.run(advised_command(broken.expect(1, '', 'Rebuild the table with: '))).expect(0, err='')
            check((t.dir / name).read_bytes() == good, f'another table than before: {broken.err}')


def test_table_advice_is_safe(t):
    """No advice leads to the loss of a file that is not a table, nor to a table of another board"""
    good = t.table.read_bytes()
    other = bytearray(good)
    other[13] = 4  # the height of the board, which no longer fits the number of placements
    version = good[:8] + b'\2' + good[9:]
    for content in FOREIGN, b'', b'# Neutreeko', good[:20], bytes(other), version:
        t.write('file', content)
        failed = t.run('neutreeko query --table file').expect(1, '', 'file')
        equal(advised_command(failed), 'neutreeko-solve -o FILE', f'advice in {failed.err!r}')


def test_table_damaged_block(t):
    """Every command that meets a damaged block after opening the table says how to rebuild it"""
    good = t.table.read_bytes()
    t.write('game.txt', b'1. b1-c1 b5-c5')
    begin = 112 + 32 * int.from_bytes(good[92:96], 'little')  # of the blocks, behind the header and the list
    t.write('t.dat', good[:begin] + bytes(byte ^ 1 for byte in good[begin:]))
    advice = "Rebuild the table with: neutreeko-solve -o 't.dat'\n"
    for command in ('query', 'line', 'puzzle', 'match --games 2 perfect random', 'match --games 2 --start drawn rules rules',
                    'review game.txt', 'play --black perfect --white perfect', 'play --hints', 'play --four-character first'):
        name, *rest = command.split()
        t.run(['neutreeko', name, '--table', 't.dat', *rest]).expect(1, None, [f'neutreeko {name}: ', 't.dat', advice])
    hint = t.run('neutreeko play --table t.dat', input=b'hint\n').expect(1, None, advice)
    hint.check(hint.err.count('\n') == 2, 'more than two lines of errors')


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
