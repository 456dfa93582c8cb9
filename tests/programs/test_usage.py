"""What all commands share: help texts, arguments that are rejected, colours, output that cannot be written."""

import re

import pytest

from conftest import OVER, START, WON_IN_1

COMMANDS = ['neutreeko', 'neutreeko-solve', *(f'neutreeko {name}' for name in (
    'play', 'query', 'review', 'puzzle', 'match', 'engine', 'export', 'names'))]


@pytest.fixture(autouse=True)
def small_table_for_puzzles(t, request):
    """In which they are found at once."""
    if 'puzzle --' in request.node.name:
        t.load('--board 4x4')


@pytest.mark.parametrize('command', COMMANDS)
def test_help(t, command):
    """Every help text fits into 79 columns, has the same layout and describes each option once."""
    shown = t.run(f'{command} --help').expect(0, f'Usage: {command} ', '').out
    for line in shown.splitlines():
        assert len(line) <= 79
    if command != 'neutreeko' and not command.endswith('-solve'):
        for asked in 'help', '--help':
            assert t.run(command.replace(' ', f' {asked} ')).expect(0, err='').out == shown
    assert re.findall(r'^  -[hV], (--\w+) ', shown, re.M)[-2:] == ['--help', '--version']
    assert re.search(r'\n\nExamples:\n.*\n\n(\w+ o|O)ptions:\n.*\n\nExit status: ', shown, re.S)
    if command == 'neutreeko':
        assert re.findall('^  ([a-z]+) ', shown.split('Commands:\n')[1], re.M) == [
            *(name[10:] for name in COMMANDS[2:-1]),
            'help',
            'names',
        ]


def options_of_help(shown):
    return re.findall(r'^ +(?:-., )?--([a-z-]+)', shown, re.M)


@pytest.mark.parametrize('command', COMMANDS)
def test_short_help_fits_on_a_screen(t, command):
    """-h prints the usage and all options, or commands, on 24 lines of 80 columns."""
    shown = t.run(f'{command} -h').expect(0, f'Usage: {command} ', '').out
    long = t.run(f'{command} --help').out
    assert options_of_help(shown) == options_of_help(long)
    assert shown.count('\n') <= 24
    assert max(map(len, shown.splitlines())) <= 80
    assert shown.endswith(f"\n'{command} --help' describes all of this, with examples.\n")
    assert 'Examples' not in shown
    if command == 'neutreeko':
        assert re.findall('^  ([a-z]+)  ', shown, re.M) == re.findall('^  ([a-z]+)  ', long.split('Commands:')[1], re.M)
    elif not command.endswith('-solve'):
        assert t.run(command.replace(' ', ' -h ')).expect(0, err='').out == shown


def test_short_help_has_the_first_part_of_descriptions(t):
    shown = t.run('neutreeko match -h').out
    assert re.search('--record +Print the games instead of the result$', shown, re.M)
    assert "Print the games instead of the result, for 'neutreeko\n" in t.run('neutreeko match --help').out


@pytest.mark.parametrize('command', COMMANDS)
def test_help_follows_the_width_of_the_terminal(t, command):
    """Only words that are longer do not fit; nothing is missing. A wide terminal shows what a pipe gets."""
    def shown(columns):
        return t.run_at_terminal(f'{command} --help', 'stdout', columns=columns).expect(0).out
    plain = t.run(f'{command} --help').out
    narrow = shown(30)
    for line in narrow.splitlines():
        label = re.match(' +(-., )?--[a-z-]+ [^ ]+$', line)
        assert len(line) <= 30 or label or ' ' not in line.strip() or line.startswith('Usage: '), line
    assert narrow.split() == plain.split()
    assert shown(200) == plain


def test_help_on_a_narrow_terminal_keeps_paragraphs_and_lists(t):
    def shown(command, columns=60):
        return t.run_at_terminal(f'neutreeko {command} --help', 'stdout', columns=columns).expect(0).out
    assert f'\n      --board-style ascii|unicode\n{26 * " "}Draw pieces as letters, b and w,\n' in shown('play')
    assert '\n      --board-style ascii|unicode\n      Draw pieces as letters, b and w,\n' in shown('play', 40)
    play, match = shown('play'), shown('match')
    assert '\n  neutreeko play --side white\n      play White\n' in play
    assert '\n      play a stronger opponent; also medium, hard and\n      perfect\n' in play
    assert '\n  neutreeko play --load match.txt --game 2\n      continue a game of an archive\n' in play
    for text in (
        'Play many games between two opponents and count the results.\nA is Black in the first game; then the sides ',
        '\n\nExamples:\n  neutreeko match perfect level:4\n',
        '\n  level:N      (1 to 15) overlooks what is far ahead; the\n               last is almost perfect\n',
        '\n  a           the player that is Black in the first game\n',
    ):
        assert text in match
    assert '; for each: ply, side, move, result, plies\n' in shown('query', 80)
    assert f'is over;\n{12 * " "}for each: move' in shown('query', 80)


def test_a_seed_that_has_an_effect_is_accepted(t):
    for asked in 'fair', 'drawn', 'RANDOM', '"Fair d2-d5"', '--svg fair', '- <fair.txt':
        t.write('fair.txt', 'fair\n')
        command = f'neutreeko query --seed 1 {asked}'
        assert t.run(command).expect(0).err == t.run(command).err


def test_help_and_version_of_programs(t):
    """Without a command, and with help alone, neutreeko prints its help text."""
    for command in 'neutreeko', 'neutreeko help', 'neutreeko help help':
        assert t.run(command).expect(0, err='').out == t.run('neutreeko --help').out
    for program in 'neutreeko', 'neutreeko-solve':
        shown = t.run(f'{program} --version').expect(0, err='').out
        assert re.match(rf'{program} .*\d+\.\d+\.\d+\n', shown)
        assert t.run(f'{program} -V').expect(0, err='').out == shown


def test_version_has_the_table(t):
    """That which commands would use, and the width of vectors."""
    def shown(command):
        return t.run(command).expect(0, err='').out.splitlines()[1:]

    t.without_table()
    vectors = shown('neutreeko --version')[1]
    assert vectors in ('vectors: 16 bytes', 'vectors: 32 bytes', 'vectors: 64 bytes')
    assert shown('neutreeko --version') == ['table: solved at start', vectors]
    assert shown('neutreeko query --table x.dat -V') == ['table: x.dat', vectors]
    path = t.load()
    assert shown('neutreeko --version') == [f'table: {path}', vectors]


# Command lines, and what the error message contains.
REJECTED = r'''
neutreeko nonsense                                     | neutreeko: unknown command 'nonsense'\n
neutreeko qurey                                        | unknown command 'qurey'; did you mean 'query'?
neutreeko help play more                               | unexpected argument 'more'
neutreeko --help play more                             | unexpected argument 'more'
neutreeko --help nonsense                              | unknown command 'nonsense'
neutreeko names more                                   | unexpected argument 'more'
neutreeko --json query | unknown option '--json'; the options of a command follow its name
neutreeko solve | unknown command 'solve': the solver is the program neutreeko-solve
neutreeko export -o positions.js | 'positions.js' ends like no format: name it .csv, .jsonl or .npy
neutreeko help --nonsense | unknown option '--nonsense'; the options of a command follow its name\n
neutreeko-solve -x                                     | unknown option '-x'\n
neutreeko-solve --version=1                            | option '--version' takes no argument
neutreeko-solve --no-verify-the-whole-table-of-it      | unknown option '--no-verify-the-whole-table-of-it'\n
neutreeko-solve --=t.dat                               | option '--' is ambiguous: --board or --pieces
neutreeko-solve --fow 2                                | unknown option '--fow'; did you mean '--row'?
neutreeko query --tabel=t.dat                          | unknown option '--tabel'; did you mean '--table'?
neutreeko query --table                                | option '--table' requires an argument, FILE
neutreeko query --json=yes                             | option '--json' takes no argument
neutreeko play --s 3                                   | option '--s' is ambiguous: --side or --start
neutreeko play --start=1w1w1/2b2/5/2w2/1b1b1 b | contains a space: put it between quotes
neutreeko query 1w1w1/2b2/5/2w2/1b1b1 b | the position '1w1w1/2b2/5/2w2/1b1b1 b' contains a space: put it between quotes
neutreeko query 8/B6W/3b4 B | the position '8/B6W/3b4 B' contains a space
neutreeko query 7W/2w5/4B3 W | the position '7W/2w5/4B3 W' contains a space
neutreeko query 8/b6w/3W4 w | the position '8/b6w/3W4 w' contains a space
neutreeko query --force                                | --force requires --output
neutreeko query --svg -o p.svg --json                     | --svg cannot be combined with --json
neutreeko query --svg -o p.svg b1-c1 START                | --svg draws a single position; unexpected argument 'START'
neutreeko query --svg -o p.svg -                          | not lines of standard input
neutreeko query --line b1-c1 b1-c1                     | illegal move 'b1-c1'
neutreeko query --seed 1                               | --seed requires --line or a random position
neutreeko query --seed 1 --json b1-c1                  | --seed requires --line or a random position
neutreeko query --line --svg -o p.svg                     | --svg cannot be combined with --line
neutreeko match --json --record rules random         | --json cannot be combined with --record without --output FILE
neutreeko-solve --json -o -                            | --json cannot be combined with --output -
neutreeko-solve --verbose -o -                         | --verbose cannot be combined with --output -
neutreeko puzzle --draw --plies 3                      | --draw cannot be combined with --plies
neutreeko puzzle --plies 4                             | a win takes an odd number of plies
neutreeko play --against nobody                        | unknown opponent 'nobody'
neutreeko play --against random:3                      | unexpected number after 'random'
neutreeko-solve --win center | expected line, orthogonal, diagonal, equidistant or centre; did you mean 'centre'?
neutreeko query --color=alway                          | expected auto, always or never; did you mean 'always'?
neutreeko match m rules                                | unknown opponent 'm'; did you mean 'medium'?
neutreeko play --game 2                                | --game requires --load
neutreeko play --start b1                              | invalid move 'b1'
neutreeko match human perfect | 'human' cannot play here: expected an opponent that chooses its own moves
neutreeko match --count 0 perfect random               | --count '0': expected a number from 1 to 100,000,000
neutreeko match --force perfect random                 | --force requires --output
neutreeko match -o x perfect random                    | --output requires --record
neutreeko match --start "5/5/2w2/1w1w1/bbb2" random random   | character 19
neutreeko match --start "5/5/2w2/1w1w1/bbb2 w" random random | the game is over in this position
neutreeko match perfect                                | expected two opponents
neutreeko match perfect rules random                   | unexpected argument 'random'
neutreeko export                                       | missing --output FILE
neutreeko export -o x.csv --format jsonl               | 'x.csv' is the name of a file in another format
neutreeko export -o x.JSONL --format csv               | in another format
neutreeko export -o x.csv --format xml                 | expected csv, jsonl or npy
neutreeko-solve -o a.dat stray.dat                     | unexpected argument 'stray.dat'
neutreeko-solve --check t.dat --board 5x5              | --check cannot be combined with --board
neutreeko-solve --check t.dat --checkpoint saved       | --check cannot be combined with --checkpoint
neutreeko-solve --board 6x6                            | is for the standard game: specify another with --output
neutreeko-solve -o t.dat --board 2x5                   | a board of 2x5: expected width and height 3 to 8
neutreeko-solve -o t.dat --board 3x3 --pieces 5         | 5 pieces per side fill the board of 3x3
neutreeko-solve -o t.dat --row 4                       | a row length of 4: expected 2 to 3
neutreeko-solve -o t.dat --win equidistant --pieces 4  | equidistant needs 3 pieces per side, not 4
neutreeko-solve -o t.dat --board 6x5 --win centre      | centre needs odd sizes from 5, not 6x5
neutreeko-solve -o t.dat --win centre --row 2          | centre has no winning lines: the row length must be 3
neutreeko-solve -o t.dat --board 5                     | --board '5': expected width x height, as in 7x7
neutreeko-solve -o t.dat --memory 5X                   | --memory '5X': expected a size, as in 800M or 12G
'''


# Those that fail only when they are carried out.
FAILING = r'''
neutreeko query --json - <&-                           | standard input
neutreeko query --svg -o missing/p.svg                    | missing/p.svg: No such file
neutreeko query --table ""                             | No such file
neutreeko-solve --verify -o -                          | standard output is not a regular file, so --verify
neutreeko-solve -o missing/t.dat                       | missing/t.dat: No such file
neutreeko-solve -o /                                   | is a directory
neutreeko-solve -o ""                                  | empty
neutreeko-solve -o t.dat --checkpoint /dev/null        | /dev/null: Not a directory
neutreeko-solve -o t.dat --checkpoint a/b              | cannot create the directory a/b: No such file
neutreeko-solve -o t.dat --board 8x8 --pieces 4 --memory 1G | this board needs
neutreeko-solve -o missing/t.dat --board 8x8 --pieces 4 --memory 1G | missing/t.dat: No such file
neutreeko-solve --check missing                        | missing: No such file
neutreeko-solve --check / --json                       | /: not a regular file
'''


@pytest.mark.parametrize('command', COMMANDS)
def test_default_number_is_accepted(t, command):
    """The help text states no number that the command would refuse."""
    text = re.sub(r'\s+', ' ', t.run(f'{command} --help').expect(0).out)
    for option, number in re.findall(r'--([a-z-]+) [A-Z]+ [^(]*\(default: (\d+)\)', text):
        assert t.run(f'{command} --{option} {number} --nonsense').expect(2).err.count(option) == 0, option


@pytest.mark.parametrize('code, lines', [(2, REJECTED), (1, FAILING)], ids=[2, 1])
def test_rejected(t, code, lines):
    """What a command does not know or cannot do is rejected with a message, and nothing is written."""
    for line in lines.strip().splitlines():
        arguments, message = (part.strip() for part in line.split(' | '))
        command = re.match('neutreeko-solve|neutreeko( (?!nonsense|qurey|help|solve)[a-z]+)?', arguments)[0]
        failed = t.run(arguments).expect(
            code, '', [message.replace('\\n', '\n'), f"Try '{command} --help'" if code == 2 else '']
        )
        assert failed.err.startswith(command + ': ')
        assert failed.err.count('\n') <= 2
    assert t.files() == []


# Options that take a number, a size or a word; what they do not take, besides nothing; the bounds.
NUMBERS = '''
neutreeko-solve -o t.dat | --board     | 5 x5 5x 5y5 5x5x5 -x5 :x5 10x5 5x55 | 4X4
neutreeko-solve -o t.dat | --pieces    | 1 6 100 |
neutreeko-solve -o t.dat | --win       | lines Line |
neutreeko-solve -o t.dat --board 3x3 | --threads | 0 257 | 256
neutreeko-solve -o t.dat --board 3x3 | --memory  | 0 0G G -1 +1 1GB 5X | 900000000
neutreeko-solve -o t.dat --board 3x3 | --memory  | 999999999999999999999 18014398509481984K 16777216T | 16777215T
neutreeko match rules random --count 2 | --threads | 0 257 | 256
neutreeko match rules random | --count | 0 100000001 |
neutreeko query --line   | --seed      | -1 +1 1x 0x1 1.5 18446744073709551616 | 007 18446744073709551615
neutreeko puzzle --plies 1 | --count   | 0 1001 | 1000
neutreeko puzzle --seed 1 | --plies    | 0 -1 508 4294967301 | 1
'''


@pytest.mark.parametrize('line', NUMBERS.strip().splitlines())
def test_numbers(t, line):
    """A number, size or word that an option does not take is rejected; the bounds are accepted."""
    command, option, wrong, right = (part.strip() for part in line.split('|'))
    for argument in ['', *wrong.split()]:
        t.run([*command.split(), option, argument]).expect(2, '', [f"{option} '{argument}': expected ", '--help'])
    assert t.files() == []
    for argument in right.split():
        t.run(f'{command} {option} {argument}').expect(0, err='')


@pytest.mark.parametrize('command', [
    'neutreeko --help',
    'neutreeko --version',
    'neutreeko help query',
    'neutreeko query --help',
    'neutreeko-solve --help',
    'neutreeko-solve --version',
    'neutreeko-solve --board 3x3 --force -o t.dat',
    'neutreeko-solve --board 3x3 --force -o t.dat --json',
    'neutreeko-solve --board 3x3 -o -',
    'neutreeko-solve --board 3x3 -o - --quiet',
    'neutreeko-solve --check small.dat',
    'neutreeko query',
    'neutreeko query --json',
    'neutreeko query --svg',
    'neutreeko export --table small.dat -o -',
    'neutreeko match --count 1 --record rules random',
    'yes 1w1w1/2b2/5/2w2/1b1b1_b | neutreeko query -',
    'echo b1-c1 | neutreeko review',
    'neutreeko query --line',
    'neutreeko puzzle --draw',
    'neutreeko match --count 1 rules random',
    'echo b1-c1 | neutreeko play',
    'echo ping | neutreeko engine',
])
def test_output_fails(t, command):
    """Output that cannot be written is a failure with one line on standard error, also in the midst of the input."""
    if 'small.dat' in command:
        t.solve('small.dat', '--board 3x3')
    name = re.search(r'neutreeko(-solve| [a-z]+)?', command.replace('help ', '')).group()
    for closed, reason in ('>/dev/full', 'cannot write standard output: No space left'), ('>&-', 'standard output'):
        ended = t.run(f'{command} {closed}').expect(1, '', reason)
        assert ended.err.startswith(f'{name}: ')
        assert ended.err.count('\n') == 1


@pytest.mark.parametrize('command', [
    'neutreeko-solve --board 3x3 -o',
    'neutreeko export --table small.dat -o',
    'neutreeko match --seed 1 --count 20 rules random --record -o',
])
def test_hyphen_is_standard_output(t, command):
    """A file named - is standard output, which gets the bytes of the file and nothing else."""
    t.solve('small.dat', '--board 3x3')
    t.run(f'{command} written').expect(0, err='')
    printed = t.run(f'{command} -').expect(0, err='').out_bytes
    assert printed == t.read('written')
    assert t.files() == ['small.dat', 'written']


@pytest.mark.parametrize('command', [
    'puzzle --table t.dat --draw',
    'review empty.txt',
    'review --game 2 game.txt',
    'export --table t.dat --result draw -o draws.csv',
    'play --resume',
    'play --load game.txt --game 2',
    'play --table t.dat --start fair',
    'match --table t.dat --start drawn random random',
    'query --table t.dat drawn',
])
def test_nothing_found(t, command):
    """Where there is none of what is asked for, every command says so, prints nothing else and ends with status 1."""
    t.solve('t.dat', '--board 3x3 --pieces 2 --win orthogonal')
    t.write('empty.txt', '# no game\n')
    t.write('game.txt', 'b1-c1\n')
    failed = t.run(f'neutreeko {command}').expect(1, '')
    assert re.match(r"neutreeko [a-z]+: (\S+: )?((there is|this board has) )?no ", failed.err)
    assert 'draws.csv' not in t.files()


ANSWERS = [
    'neutreeko query',
    'neutreeko query --json b1-c1 fair:3',
    'neutreeko query --line --seed 1',
    'neutreeko query --tree 2',
    'neutreeko query --svg b1-c1',
    'printf "b1-c1\\nb1-b4\\n" | neutreeko query --json -',
    'neutreeko review game.txt',
    'neutreeko review --json game.txt game.txt',
    'neutreeko review --record game.txt',
]


@pytest.mark.parametrize('command', ANSWERS)
def test_output_file_has_what_standard_output_gets(t, command):
    t.write('game.txt', '1. b1-c1 c2-c3 2. c1-a1\n')
    printed = t.run(command).expect(0, err='').out_bytes
    assert printed
    t.run(f'{command} -o x').expect(0, '', '')
    assert t.read('x') == printed
    assert t.run(f'{command} -o -').expect(0, err='').out_bytes == printed


def test_output_file_has_the_answers_to_valid_lines(t):
    command = "printf 'b1-c1\nx\nb5-c5 b1-c1\n' | neutreeko query --json -"
    printed = t.run(command).expect(1, err='').out
    assert printed.count('\n') == 3
    t.run(f'{command} -o x').expect(1, '', '')
    assert t.read('x').decode() == printed


@pytest.mark.parametrize('command, code', [
    ('query --svg nonsense', 2),
    ('query --svg b1-c1 fair:3', 2),
    ('review missing.txt', 1),
    ('review empty.txt', 1),
])
def test_output_file_stays_if_there_is_no_answer(t, command, code):
    t.write('empty.txt', '')
    t.write('x', 'letter')
    t.run(f'neutreeko {command} --force -o x').expect(code, '')
    assert (t.read('x'), t.files()) == (b'letter', ['empty.txt', 'x'])


def test_a_game_can_be_replaced_by_its_study(t):
    t.write('game.txt', '1. b1-c1 c2-c3 2. c1-a1\n')
    study = t.run('neutreeko review --record game.txt').out_bytes
    t.run('neutreeko review --record --force -o game.txt game.txt').expect(0, '', '')
    assert t.read('game.txt') == study


@pytest.mark.parametrize('command', [
    f"query --line '{START}' '{OVER}'",
    'puzzle --draw',
    'puzzle --draw --count 3 --answer',
    'play --against random',
    'play',
])
def test_random_seed_is_printed(t, command):
    """With it, the output is the same."""
    first = t.run(f'neutreeko {command}', 'b1-c1\n').expect(0, err='').out
    line, = re.findall(r'^Random seed: \d+ \(see --seed\)\n', first, re.M)
    again = t.run(f'neutreeko {command} --seed {line.split()[2]}', 'b1-c1\n').expect(0, err='').out
    assert again.strip() == first.replace(line, '').strip()


def test_random_seed_of_a_game_of_people_is_not_printed(t):
    assert 'seed' not in t.run('neutreeko play --against human').expect(0, err='').out


@pytest.mark.parametrize(
    'command', ['query', 'puzzle --draw --answer --seed 48', 'play --against human'])
def test_styles(t, command):
    """At a terminal there are colours, and circles if the locale has them, unless something forbids them (see
    no-color.org)."""
    def style(more='', **env):
        env = {'TERM': 'xterm', 'LC_ALL': 'C.UTF-8', **env}
        shown = t.run_at_terminal(f'neutreeko {command} {more}', 'stdout', env).expect(0, err='').out
        board = ''.join(re.findall('(?m)^ [1-5] .*$', re.sub(r'\033\[[0-9;]*m', '', shown)))
        assert re.sub('[ 1-5.]', '', board) in ('wwbwbb', '\u25cb\u25cb\u25cf\u25cb\u25cf\u25cf')
        return '\033[' in shown, 'b' not in board
    assert style() == style(NO_COLOR='') == style('--board-style unicode', LC_ALL='C') == (True, True)
    assert style('--board-style ascii') == style(LC_ALL='C') == (True, False)
    assert style('--color=never') == style(NO_COLOR='1') == (False, True)
    assert (
        style(NO_COLOR='1', LC_ALL='C')
        == style(TERM='dumb')
        == style(TERM='')
        == style(TERM=None)
        == (False, False)
    )
    printed = t.run(f'neutreeko {command}', env={'TERM': 'xterm', 'LC_ALL': 'C.UTF-8'}).expect(0).out
    assert printed.isascii()
    assert '\033' not in printed


@pytest.mark.parametrize(
    'command', ['query', 'query --line', 'puzzle --draw', 'play --against human', 'review game.txt'])
def test_colours_in_a_pipe(t, command):
    """--color=always has them everywhere."""
    t.write('game.txt', 'b1-b4 d5-d2')
    assert '\033[' in t.run(f'neutreeko {command} --color=always').expect(0, err='').out
    assert '\033' not in t.run(f'neutreeko {command} --color=auto').expect(0, err='').out


def test_pieces_are_not_in_the_colours_of_results(t):
    shown = t.run('neutreeko query --color=always --board-style ascii').expect(0).out
    assert set(re.findall(r'\033\[([0-9;]*)m[bw]\b', shown)) == {'1;35', '1;36'}


@pytest.mark.parametrize('command, shown', [
    (f"match --count 2000 --start '{WON_IN_1}' perfect perfect", ['2,000 games, ', '   draws ', '  1,']),
    ('review one.txt /dev/null', ['1 game, 1 move, 1 unfinished\n']),
    ('match --count 1 --seed 1 rules random', ['1 game, ']),
])
def test_numbers_for_people(t, command, shown):
    """Large ones have commas, and what there is one of is in the singular."""
    t.write('one.txt', 'b1-c1\n')
    found = t.run(f'neutreeko {command}').expect(0)
    for text in shown:
        assert text in found.out + found.err
    assert not re.search(r'(?<!seed )(?<!seed: )(?<![.\w])\d{5,}', found.out + found.err)


def test_messages_are_broken_between_words(t):
    """At a terminal, which would break them within words; elsewhere a message is a line."""
    command = ['neutreeko', 'match', 'nobody', 'perfect']
    shown = t.run_at_terminal(command, 'stderr').expect(2).err
    plain = t.run(command).expect(2).err
    assert max(map(len, shown.splitlines())) <= 80 < max(map(len, plain.splitlines()))
    assert shown.split() == plain.split()


@pytest.mark.parametrize('command', [
    "query 'b1b2/ww1w1/5/2b2/5 b'",
    'query --line --seed 1',
    'review game.txt',
    'review game.txt game.txt',
    'puzzle --draw --seed 1',
    'match --seed 1 --count 4 perfect level:9',
])
def test_narrow_terminal(t, command):
    """At 40 columns only words that are longer do not fit."""
    t.write('game.txt', '1. b1-c1 c2-c3 2. c1-a1 b5-c5 3. a1-b2')
    shown = t.run_at_terminal(f'neutreeko {command}', 'stdout', {'TERM': 'dumb'}, columns=40).expect(0).out
    for line in shown.splitlines():
        assert len(line) <= 40 or ' ' not in line.strip(), line
    plain = t.run(f'neutreeko {command}').expect(0).out
    times = r'in [\d.]+ s,'
    assert re.sub(times, '', shown).split() == re.sub(times, '', plain).split()


@pytest.mark.parametrize('command, colours', [
    (f"query '{START}' '{WON_IN_1}'", {('32', 'win'), ('33', 'draw'), ('31', 'lose')}),
    ('query --line --seed 1 b1-c1 c2-c3 c1-a1', {('32', 'win'), ('31', 'lose')}),
    ('review game.txt', {('33', 'draw'), ('31', 'loss')}),
])
def test_coloured_results(t, command, colours):
    """In lists of moves and in reviews wins are green, draws yellow and losses red, with the same text as without."""
    t.write('game.txt', 'b1-c1 c2-c3 c1-a1')
    shown = t.run_at_terminal(f'neutreeko {command}', 'stdout', {'TERM': 'xterm'}).expect(0, err='').out
    assert set(re.findall(r'\033\[([0-9;]*)m(win|lose|loss|draw)', shown)) == colours
    assert re.sub(r'\033\[[0-9;]*m', '', shown) == t.run(f'neutreeko {command}').out


def test_environment(t):
    """What the programs print depends neither on the locale nor on the time zone, the terminal, HOME or the umask."""
    programs = t.environment['PATH'].split(':')[0]
    for command in (
        'neutreeko query',
        'neutreeko match --seed 1 --count 3 --json rules random',
        'neutreeko-solve --board 4x4 --force -o t.dat --quiet',
    ):
        answers = [t.run(f'{programs}/{command}'.split(), env=env, umask=umask) for env, umask in (
            ({}, 0o22),
            ({'LC_ALL': 'C.UTF-8'}, 0o77),
            ({'LC_ALL': 'de_DE.UTF-8', 'LANG': 'tr_TR'}, 0o77),
            ({'HOME': None, 'LC_ALL': None, 'PATH': None, 'TZ': 'Pacific/Kiritimati', 'TERM': 'nonsense'}, 0o77),
        )]
        assert len({(answer.code, answer.err, re.sub('seconds": [0-9.]+', '', answer.out)) for answer in answers}) == 1


@pytest.mark.parametrize('command', ['query --table', 'play --load', 'review'])
def test_an_empty_name_of_a_file_is_visible(t, command):
    t.run(['neutreeko', *command.split(), '']).expect(1, '', f"neutreeko {command.split()[0]}: '': No such file")
