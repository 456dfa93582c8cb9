"""Other boards: what cannot be, tables that tell their board, positions of another one."""

import json
import re

from cli_harness import check, equal


def test_boards_that_cannot_be(t):
    """A game that cannot be is rejected with an error message, and nothing is written"""
    for game, complaint in (
            ('--board 2x5', 'a board of 2x5: expected width and height 3 to 8'),
            ('--board 5x9', 'a board of 5x9: expected width and height 3 to 8'),
            ('--board 5x55', "--board '5x55': expected width x height, as in 7x7"),
            ('--board 5', "--board '5': expected width x height"),
            ('--pieces 1', "--pieces '1': expected a number from 2 to 5"),
            ('--pieces 6', "--pieces '6': expected a number from 2 to 5"),
            ('--pieces three', "--pieces 'three': expected a number"),
            ('--board 3x3 --pieces 5', '5 pieces per side'),
            ('--row 4', 'a row length of 4: expected 2 to 3'),
            ('--row 1', "--row '1': expected a number from 2 to 5"),
            ('--win most', "--win 'most': expected line|orthogonal|diagonal|equidistant|centre"),
            ('--win centre --board 6x6', 'centre needs odd sizes from 5, not 6x6'),
            ('--win centre --board 3x3', 'centre needs odd sizes from 5, not 3x3'),
            ('--win equidistant --pieces 4', 'equidistant needs 3 pieces per side, not 4'),
            ('--threads 0', "--threads '0': expected"),
            ('--memory 5X', "--memory '5X': expected a size")):
        t.run(f'neutreeko-solve {game} -o t.dat').expect(2, '', [complaint, 'neutreeko-solve --help'])
    t.run('neutreeko-solve --board 6x6').expect(2, '', 'is for the standard game: specify another file with --output')
    t.run('neutreeko-solve --board 8x8 --pieces 5 -o t.dat').expect(1, '', 'this board needs')
    equal(t.files(), [], 'files')


def test_boards_win_rules(t):
    """Each winning condition that --win accepts is the one of the table"""
    rules = re.search(r'--win (\S+)', t.run('neutreeko-solve --help').expect(0).out)[1].split('|')
    equal(len(rules), 5, 'number of winning conditions')
    for rule in rules:
        summary = t.run(f'neutreeko-solve --json --win {rule} -o t.dat').expect(0, err='')
        equal(json.loads(summary.out)['win'], rule, 'winning condition')


def test_boards_of_too_many_draws(t):
    """A board with too many draws for traps gets a table without, as with --no-traps"""
    for more, name in ('', 'a.dat'), ('--no-traps', 'b.dat'):
        t.run(f'neutreeko-solve --board 5x5 --pieces 4 --row 4 --quiet {more} -o {name}').expect(0, '', '')
    check((t.dir / 'a.dat').read_bytes() == (t.dir / 'b.dat').read_bytes(), 'the tables differ')


def test_boards_without_start(t):
    """Where the board has no start position the commands ask for one, and go on from the one named"""
    t.run('neutreeko-solve --board 6x4 -o t.dat --quiet').expect(0, '', '')
    named = "'bbw3/w5/6/3w1b b'"
    missing = 'the board of this table has no start position: specify a position'
    for command, begin in ('query', ''), ('line', ''), ('play', '--start '), ('match random random', '--start '):
        told = t.run(f'neutreeko {command} --table t.dat')
        told.check(told.code in (1, 2) and missing in told.err and not told.out, 'not refused')
        t.run(f'neutreeko {command} --table t.dat {begin}{named}').expect(0)


def test_boards_of_tables(t):
    """A table tells its board; a position of another one is rejected"""
    t.run('neutreeko-solve --win centre -o centre.dat --quiet').expect(0, '', '')
    start = json.loads(t.run('neutreeko query --json --table centre.dat').expect(0).out)
    equal(start['position'], '2w2/b3b/5/w3w/2b2 b', 'start position')
    equal(start['result'], 'draw', 'its worth')

    t.run('neutreeko-solve --board 7x7 --pieces 2 -o t.dat --quiet').expect(0, '', '')
    found = json.loads(t.run("neutreeko query --json --table t.dat '7/6b/7/7/7/1w2w2/b6 b'").expect(0).out)
    check(any('g' in move['move'] for move in found['moves']), 'no move to the file g')
    other = "'1w1w1/2b2/5/2w2/1b1b1 b'"
    for command in f'query --table t.dat {other}', f'line --table t.dat {other}', f'play --table t.dat --start {other}':
        t.run(f'neutreeko {command}').expect(2, '', ' for a 7x7 board with 2 pieces per side: character 6')
    t.run("neutreeko query '2w1w2/7/3b3/7/3w3/7/2b1b2 b' --table \"$TABLE\"").expect(
        2, '', ' for a 5x5 board with 3 pieces per side: character ')
