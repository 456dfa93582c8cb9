"""neutreeko play --four-character: another program at the other end of the pipe."""

import collections
import json

import cli_game
from cli_harness import check, equal

VERDICTS = {'You Win', 'You Lose', 'Draw'}


def four_characters(move):
    return (move[1] + move[0] + move[4] + move[3]).upper()


def play_game(case, side, choose, seed=0):
    """Plays the other side by `choose`, which gets the position and how often each has occurred, and checks
    all that is said by our own rules, without threefold repetition. Returns the verdict and how often each
    position has occurred."""
    position = cli_game.START
    occurred = collections.Counter([position])
    plies = 0
    with case.converse(['neutreeko', 'play', '--four-character', side, '--seed', str(seed), '--table',
                        case.table]) as partner:
        answer = None
        while True:
            legal = {four_characters(move): after for move, after in cli_game.moves(position).items()}
            over = cli_game.is_over(position) or plies >= 300
            if over or (plies % 2 == 0) == (side == 'first'):
                answer = partner.process.stdout.readline().decode().rstrip('\n')
                if over:
                    break
                check(answer in legal, f'{answer!r} is no legal move in {cli_game.fen(position)}')
                position = legal[answer]
            else:
                move = choose(position, occurred)
                text = case.random.choice([str.upper, str.lower])(four_characters(move))
                partner.process.stdin.write(text.encode() + b'\n')
                partner.process.stdin.flush()
                position = cli_game.moves(position)[move]
            plies += 1
            occurred[position] += 1
    equal((partner.code, partner.err), (0, ''), 'exit status and standard error')
    if cli_game.is_over(position):
        lost = plies % 2 == (1 if side == 'first' else 0)  # the last move was the program's
        equal(answer, 'You Lose' if lost else 'You Win', 'the verdict')
    else:
        equal(answer, 'Draw', 'the verdict')
    return answer, occurred


def test_first_and_second(case):
    """Games of both sides against random moves go by the rules to the right verdict"""
    def any_move(position, _):
        return case.random.choice(sorted(cli_game.moves(position)))

    for side in ('first', 'second'):
        for seed in range(15):
            answer, _ = play_game(case, side, any_move, seed)
            check(answer != 'You Win', 'the perfect player has lost')


class Table:
    """Asks neutreeko query for the moves that hold a draw."""

    def __init__(self, case):
        self.partner = case.converse(['neutreeko', 'query', '--json', '--table', case.table, '-'])

    def __enter__(self):
        self.asked = self.partner.__enter__()
        return self

    def __exit__(self, *error):
        return self.partner.__exit__(*error)

    def drawing(self, position):
        answer = json.loads(self.asked.ask(cli_game.fen(position)))
        return [move['move'] for move in answer['moves'] if move['result'] == 'draw']


def test_draws(case):
    """A game that repeats its positions goes on, and is a draw only after 300 moves"""
    with Table(case) as table:
        def most_frequent(position, occurred):
            after = cli_game.moves(position)
            return max(table.drawing(position), key=lambda move: occurred[after[move]])

        for side in ('first', 'second'):
            for seed in range(3):
                answer, occurred = play_game(case, side, most_frequent, seed)
                equal((answer, sum(occurred.values())), ('Draw', 301), 'the verdict and the number of positions')
                check(max(occurred.values()) > 3, 'no position has occurred more than three times')


def test_against_the_rules(case):
    """A move against the rules loses at once"""
    for line in ('1B3B', '1A1B', '2C3C', '1B1B', '9Z9Z', 'b1-c1', 'B1C1', 'no', '1B1C1', '1B1', '1B 1C',
                 '\0'):
        result = case.run(['neutreeko', 'play', '--four-character', 'second', '--table', case.table],
                          line.encode() + b'\nmore\n').expect(0, err='')
        equal(result.out, 'You Lose\n', f'the answer to {line!r}')


def test_end_of_input(case):
    """The end of input is an end without a verdict; empty lines and kinds of line ends do not matter"""
    arguments = ['neutreeko', 'play', '--four-character', 'second', '--table', case.table]
    equal(case.run(arguments).expect(0, err='').out, '', 'the answer to nothing')
    for text in (b'1B1C', b'1b1c\r\n', b'\n\n 1B1c \n\n'):
        lines = case.run(arguments, text).expect(0, err='').out.splitlines()
        equal(len(lines), 1, f'answers to {text}')
    arguments[3] = 'first'
    lines = case.run(arguments).expect(0, err='').out.splitlines()
    equal(len(lines), 1, 'lines before the first answer')
    case.run(f"neutreeko play --four-character first --table '{case.table}' >/dev/full").expect(
        1, err='cannot write to standard output')


def test_streams_fail(case):
    """Input that cannot be read, and a verdict or a move that cannot be written, are failures"""
    for line, complaint in (('second <.', 'cannot read standard input: Is a directory'),
                            ('second >/dev/full <line', 'cannot write to standard output'),
                            ('first >/dev/full', 'cannot write to standard output')):
        case.write('line', b'nonsense\n')
        case.run(f'neutreeko play --table "$TABLE" --four-character {line}').expect(1, '', complaint)


def test_damaged_table(case):
    """A damaged table is told of, and no move is made up"""
    refused = 0
    for path in case.damaged(24):
        ended = case.run(['neutreeko', 'play', '--four-character', 'first', '--seed', '1', '--table', path])
        if ended.code:
            ended.expect(1, '', ['neutreeko play: ', 'damaged.dat: damaged'])
            refused += 1
    check(0 < refused < 23, f'refused: {refused}')


def two_of_them(case, table):
    """What the first and the second say in their game against each other."""
    # Who has the last word may find the other gone, and tee must not go too.
    script = f"""trap '' PIPE; rm -f there back; mkfifo there back
neutreeko play --four-character second --table '{table}' <there >back &
tee second <back | neutreeko play --four-character first --table '{table}' | tee there first >/dev/null
wait"""
    case.run(script).expect(0)
    return [(case.dir / name).read_text().splitlines() for name in ('first', 'second')]


def test_two_of_them(case):
    """Two of them play each other to a draw after 300 moves, and on a board that is won for Black to that end"""
    first, second = two_of_them(case, case.table)
    equal((len(first), first[-1]), (151, 'Draw'), 'moves of the first, and the verdict on the second')
    equal((len(second), second[-1]), (151, 'Draw'), 'moves of the second, and the verdict on the first')
    equal(VERDICTS & {*first, *second}, {'Draw'}, 'the verdicts')
    case.run('neutreeko-solve --quiet --win equidistant -o won.dat').expect(0)
    first, second = two_of_them(case, 'won.dat')
    equal((len(first), first[-1], len(second)), (7, 'You Lose', 6), 'moves of 11 plies, and the verdict on the second')
    equal(second[-1], 'You Win', 'the verdict on the first')
