"""neutreeko play through pipes, for people, and for programs with --four-character."""

import collections
import contextlib
import re
import subprocess

import pytest

import game
import oracle
from conftest import START
from game import DRAWN, Follower, board_lines

NONSENSE = 'zz'  # a line whose answer is known: when it comes, all before it has been printed


class Player:
    """neutreeko play in conversation, its messages among its other lines."""

    def __init__(self, talk):
        self.talk = talk
        self.begin = self.hear()

    def hear(self):
        lines = []
        self.talk.write(f'{NONSENSE}\n'.encode())
        while not (line := self.talk.line()).startswith(f"Unknown move or command '{NONSENSE}'"):
            assert line or self.talk.process.poll() is None, f'the program has ended; its last lines: {lines}'
            lines.append(line)
        return lines

    def say(self, line):
        """Returns what is printed in answer."""
        self.talk.write(f'{line}\n'.encode())
        return self.hear()


@contextlib.contextmanager
def player(t, *arguments):
    with t.talk(['neutreeko', 'play', *arguments], stderr=subprocess.STDOUT) as talk:
        yield Player(talk)
        assert talk.end(b'quit\n').expect(0).out == ''


def play(t, *arguments, input='', **options):
    return t.run(['neutreeko', 'play', *arguments], input, **options)


# ---- games ----

@pytest.mark.parametrize('opponent', ['random', 'rules', 'minimax:2', 'alphabeta:3', 'level:1', 'weakest', 'perfect'])
@pytest.mark.parametrize('own, other', [('black', 'white'), ('white', 'black')])
def test_games(t, own, other, opponent):
    """A person's game against every opponent goes by the rules to the end, and perfect does not lose it."""
    follower = Follower()
    with player(t, f'--{own}', 'human', f'--{other}', opponent, '--seed', '1') as p:
        rest = follower.follow(p.begin)
        while not any(' wins.' in line or line.startswith('Draw') for line in rest):
            rest = follower.follow(p.say(t.random.choice(follower.legal())))
    if oracle.is_over(follower.position):
        winner = {'w': 'Black', 'b': 'White'}[follower.position.to_move]
        assert rest == [f'Three in a row: {winner} wins.' + ' Congratulations!' * (winner.lower() == own)]
        assert opponent != 'perfect' or winner.lower() == other
    else:
        assert rest == [DRAWN]


def test_without_people(t):
    """Without people a game is played through and printed; the same seed makes the same game."""
    games = [play(t, '--black', 'random', '--white', 'random', '--seed', seed).expect(0, err='').out
             for seed in ('1', '1', '2', str(2 ** 64 - 1))]
    assert games[0] == games[1] and len(set(games)) == 3
    follower = Follower()
    lines = play(t, '--black', 'perfect', '--white', 'random', '--seed', '5').expect(0, err='').out.splitlines()
    assert follower.follow(lines) == ['Black (b): perfect. White (w): random.', 'Three in a row: Black wins.']
    assert oracle.is_over(follower.position)
    play(t, '--black', 'perfect', '--white', 'perfect').expect(0, DRAWN, '')


def test_undo_and_redo(t):
    """'undo' and 'redo' go from one turn of the person to another, of both colours."""
    for arguments in (['--white', 'random', '--seed', '4'], ['--black', 'random', '--white', 'human', '--seed', '4']):
        follower = Follower()
        with player(t, *arguments) as p:
            follower.follow(p.begin)
            history = [(follower.position, follower.last)]
            while len(history) < 5:
                quiet = [move for move, after in sorted(oracle.moves(follower.position).items()) if not oracle.is_over(after)]
                follower.follow(p.say(t.random.choice(quiet)))
                history.append((follower.position, follower.last))
                assert not oracle.is_over(follower.position), 'take another seed'
            for positions, command, word, last in ((history[-2::-1], 'undo', 'Taken back: ', 'No move of yours to take back.'),
                                                   (history[1:], 'redo', 'Redone: ', 'No move to redo.')):
                for position, move in positions:
                    heard = p.say(command)
                    assert heard[0].startswith(word) and heard[2:8] == board_lines(position, move)
                assert p.say(command) == [last]


def test_repetition(t):
    """The third occurrence of a position is a draw, announced before, undone and redone."""
    moves = game.cycle(oracle.START)
    follower = Follower()
    with player(t, '--white', 'human') as p:
        for move in (moves * 2)[:-1]:
            warning = ['This position has occurred twice; the third time is a draw.']
            assert follower.follow(p.say(move)) == (warning if follower.plies >= 4 else [])
        assert f'{moves[3]}  draws (3rd time)' in [line.strip() for line in p.say('hint')]
        assert follower.follow(p.say(moves[3])) == [DRAWN]
        assert p.say(moves[0]) == [f'{moves[0]}: the game is over.']
        assert p.say('hint') == p.say('resign') == ['The game is over.']
        assert p.say('undo')[0] == f'Taken back: {moves[3]}.' and p.say('redo')[-1] == DRAWN


def test_resign_new_against(t):
    """A person may resign, take that back, begin another game, and change the opponent in the midst of one."""
    with player(t, '--seed', '1') as p:
        assert p.say('resign') == ['Black resigns: White wins.'] and p.say('b1-c1') == ['b1-c1: the game is over.']
        p.say('undo')
        follower = Follower()
        follower.follow(p.say('b1-c1'))
        assert follower.plies == 2
        assert p.say('new')[2:8] == board_lines(oracle.START) and p.say('moves') == ['No moves yet.']
    follower = Follower()
    with player(t, '--white', 'human', '--seed', '1') as p:
        def move(plies):
            follower.follow(p.say(next(move for move, after in sorted(oracle.moves(follower.position).items())
                                       if not oracle.is_over(after))))
            assert follower.plies == plies
        move(1)
        assert p.say('against weakest') == ["You play White (w) against 'weakest'."]
        move(3)
        assert p.say('against human') == ['Black (b): human. White (w): human.']
        move(4)
        assert p.say('against random') == ["You play Black (b) against 'random'."]
        assert p.say('against nobody')[0].startswith("unknown opponent 'nobody'")
        assert '  level:N ' in '\n'.join(p.say('against'))


def test_start(t):
    """--start begins there; White may begin; a game may be over from the start."""
    position = oracle.START._replace(to_move='w')
    start = oracle.fen(position)
    with player(t, '--start', start, '--white', 'human', '--black', 'random', '--flip') as p:
        follower = Follower(position)
        follower.follow(p.begin)
        move = follower.legal()[0]
        follower.follow(p.say(move))
        assert [line.split() for line in p.say('moves')] == [['1.', '...', move], ['2.', follower.last]]
        p.say('save game.txt')
    assert f'\nstart {start}\n' in t.read('game.txt').decode()
    play(t, '--start', '2www/5/5/5/b1b1b b').expect(0, 'Three in a row: White wins.', '')


# ---- messages ----

def test_wrong_moves(t):
    """Every kind of wrong move is rejected with its reason, and the game goes on."""
    slides = 'b1-b3: the piece slides until something stops it: on b4, not b3.'
    with player(t) as p:
        for typed, answer in {
            'b1-b3': slides, 'B1B3': slides, '1b3b': slides,
            'a1-a2': 'a1-a2: there is no piece on a1.', 'c2-c3': "c2-c3: the piece on c2 is not Black's.",
            'b1-c3': 'b1-c3: b1 and c3 are not on one line: a piece slides in a straight line.',
            'b1-c2': 'b1-c2: the piece on b1 is blocked in that direction.',
            'b1': "Invalid move 'b1': the text ends, expected a file, a-e.",
            'b1-f1': "Invalid move 'b1-f1': found 'f', expected a file, a-e.",
            'b1-b6': "Invalid move 'b1-b6': found '6', expected a rank, 1-5.",
            'b1-b1': "Invalid move 'b1-b1': a move from a square to itself.",
            'b1-c1x': "Invalid move 'b1-c1x': found 'x', expected the end of the text.",
            '11': "Invalid move '11': found '1', expected a file, a-e.",
            'foo': "Unknown move or command 'foo'. 'help' lists the commands.", 'r': "'r' is ambiguous: redo or resign.",
            'undo': 'No move of yours to take back.', 'redo': 'No move to redo.', 'mo': 'No moves yet.',
            'moves now': "'moves' takes no argument.", 'save': "Missing file name: type 'save FILE'.",
            'helpx': "Unknown move or command 'helpx'. 'help' lists the commands.",
        }.items():
            assert p.say(typed) == [answer], typed
        assert p.say('') == p.say('  ') == []
        text = ' '.join(p.say('HELP'))
        assert all(f' {word} ' in text for word in 'hint undo redo board flip moves resign new against save quit help'.split())
        assert p.say('?') == p.say('help')
        assert p.say('board')[1:-1] == board_lines(oracle.START)
        assert p.say('flip')[1:-1] == board_lines(oracle.START, flip=True) and p.say('fl')[1:-1] == board_lines(oracle.START)
        follower = Follower()
        follower.follow(p.say('b1 - c1'))
        assert follower.plies == 2
    play(t, input='b1-b3\nq\nb1-c1\n').expect(0, err='b1-b3: the piece slides')


def outlook(answer, side):
    """What --hints prints about a position that is not over."""
    if answer['result'] == 'loss':
        return f'{side} {oracle.value_words(answer)} with optimal play.'
    moves = len(answer['moves'])
    keep = sum(move['result'] == answer['result'] for move in answer['moves'])
    keeping = ('every move keeps' if keep == moves else f'only 1 of {moves} moves keeps' if keep == 1
               else f'{keep} of {moves} moves keep')
    return f"{side} {oracle.value_words(answer)} with optimal play; {keeping} the {answer['result']}."


def judgement(answer, move, wins):
    """What --hints prints about a move, or None; `wins`: the move ends the game."""
    name, words, best, before = move['move'], oracle.value_words(move), answer['moves'][0]['move'], answer['result']
    if move['result'] != before:
        kind = 'Blunder' if (before, move['result']) == ('win', 'loss') else 'Mistake'
        return f"{kind}: {name} throws away the {before}: it {words}. Best: {best}. ('undo' takes the move back.)"
    if move['distance'] != answer['distance']:
        return f'{name} {words}; {best} {"wins faster" if before == "win" else "loses later"}.'
    if answer['moves'][-1]['result'] != before and not wins:
        return f'{name} keeps the {before}.'
    return None


@pytest.mark.parametrize('count', [8, pytest.param(25, marks=pytest.mark.thorough)])
def test_hints(t, count):
    """The text about a position and about each of its moves is what query prints about them."""
    positions = [oracle.START] + [position for position in (oracle.random_position(t.random) for _ in range(count))
                                  if oracle.moves(position)]
    kinds = collections.Counter()
    for position, answer in zip(positions, t.ask(map(oracle.fen, positions))):
        side = {'b': 'Black', 'w': 'White'}[position.to_move]
        with player(t, '--hints', '--start', oracle.fen(position), '--white', 'human') as p:
            assert p.begin[-1] == outlook(answer, side)
            assert [line.split(None, 1) for line in p.say('hint')] == [
                [move['move'], oracle.value_words(move)] for move in answer['moves']]
            for move in answer['moves']:
                heard = p.say(move['move'])
                assert heard[0] == f'{side} plays {move["move"]}.'
                assert (heard[1] or None) == judgement(answer, move, oracle.is_over(oracle.moves(position)[move['move']]))
                kinds[re.sub(r'\w\d-\w\d|\d+', '', heard[1]).split(' it ')[0][:24]] += 1
                assert p.say('undo')[-1] == outlook(answer, side)
    # To throw a win or a draw away, to win late and to lose early, to keep something, to change nothing.
    assert len(kinds) >= 6, kinds
    # Nothing about a move that a program is about to make.
    for first, count in (('human', 1), ('perfect', 0)):
        shown = play(t, '--hints', '--black', first, '--white', 'human', '--start', START).expect(0, err='')
        assert shown.out.count('Black draws with optimal play') == count


def test_save(t):
    """A saved game can be read again, and takes the place of saved games only."""
    follower = Follower()
    with player(t, '--seed', '4') as p:
        for _ in range(3):
            follower.follow(p.say(follower.legal()[0]))
        moves = ' '.join(p.say('moves'))
        for name, content in ('letter.txt', 'Dear friend'), ('short.txt', '# Neutree'), ('empty.txt', ''):
            t.write(name, content)
        for name, answer in (
                ('one.txt', 'Saved as one.txt.'), (' a name with blanks.txt ', 'Saved as a name with blanks.txt.'),
                ('one.txt', 'Saved as one.txt.'), ('letter.txt', 'Not saved: letter.txt exists and is not a saved game.'),
                ('short.txt', 'Not saved: short.txt exists and is not a saved game.'), ('empty.txt', 'Saved as empty.txt.'),
                ('/dev/full', 'Not saved: cannot write /dev/full: No space left on device.'),
                ('no/where.txt', 'Not saved: cannot create no/where.txt'), ('x' * 5000, 'Not saved: '),
                ('.', 'Not saved: . is a directory, expected the name of a file.')):
            heard, = p.say(f'save {name}')
            assert heard.startswith(answer)
    assert t.files() == ['a name with blanks.txt', 'empty.txt', 'letter.txt', 'one.txt', 'short.txt']
    assert t.read('letter.txt') == b'Dear friend' and t.read('short.txt') == b'# Neutree'
    text = t.read('one.txt').decode()
    assert text.startswith('# Neutreeko\n# Black: human\n# White: perfect\n')
    assert ' '.join(line for line in text.splitlines() if line[0] != '#').split() == moves.split()
    t.run('neutreeko review one.txt').expect(0, follower.last, '')
    t.run('ulimit -f 0; neutreeko play', 'save game.txt\nquit\n').expect(
        0, err='Not saved: cannot write game.txt: File too large.')
    assert 'game.txt' not in t.files()


def test_stats(t):
    """--stats prints on standard error what searches visit, more without pruning."""
    shown = [play(t, '--stats', '--white', name, input='b1-c1\n').expect(0).err for name in ('minimax:3', 'alphabeta:3', 'perfect')]
    slow, fast = (int(re.fullmatch(r'White visited (\d+) positions\.\n', err)[1]) for err in shown[:2])
    assert slow > fast > 0 and shown[2] == ''


def test_other_boards(t):
    """Other boards and other ways to win are played by their own rules."""
    t.solve('small.dat', '--board 4x4')
    play(t, '--table', 'small.dat', '--black', 'random', '--start', 'w1w1/1b2/2w1/b1b1 b').expect(
        0, ['    a b c d\n', 'Black plays'], '')
    for win, goal in (('centre', 'a piece on the centre square'),
                      ('equidistant', 'one of your pieces exactly halfway between the other two'),
                      ('orthogonal', 'three of your pieces in an unbroken line, not diagonal'),
                      ('diagonal', 'three of your pieces in an unbroken diagonal line')):
        t.solve('other.dat', f'--win {win}')
        play(t, '--table', 'other.dat', '--white', 'human', '--hints', input='help\nc1-a1\n').expect(0, f'you win with {goal}.')
        shown = play(t, '--table', 'other.dat', '--black', 'perfect', '--white', 'weakest', '--seed', '1').expect(0, err='').out
        assert shown.splitlines()[-1] == ('Three in a row: ' if win in ('orthogonal', 'diagonal') else '') + 'Black wins.'
    t.solve('full.dat', '--board 3x3 --pieces 4 --row 3')
    play(t, '--table', 'full.dat', '--hints', '--start', 'bbw/wwb/1wb b', input='hint\nc1-a1\n').expect(
        0, 'Draw: Black has no legal moves.', ['The game is over.', 'c1-a1: the game is over.'])


# ---- input ----

def test_input(t):
    """The end of input is a clean end; bytes of any kind and lines of any length do no harm; no prompt, no colour."""
    for text in '', '\n', 'b1-c1', 'b1-c1\n', 'resign\n', 'quit', '\r\nb1-c1\r\n':
        ended = play(t, '--hints', input=text, env={'TERM': 'xterm'}).expect(0, err='')
        assert ended.out.count('plays') == 2 * ('b1' in text) and '\033' not in ended.out and '>' not in ended.out
    pieces = [b'b1-c1', b'1b1c', b'hint', b'undo', b'redo', b'save', b'new', b'flip', b'resign', b'moves',
              b'\n', b' ', b'\0', b'\033[2J', b'\x7f', b'\xff\xfe', b'a' * 5000, b'%s%n']
    for _ in range(5):
        text = b'\n'.join(b''.join(t.random.choices(pieces, k=t.random.randrange(4))) for _ in range(300))
        ended = play(t, '--hints', input=text).expect(0)
        assert {c for c in ended.out + ended.err if ord(c) < 32 or ord(c) == 127} <= {'\n'}
    play(t, input=b'b1-c1\0\n').expect(0, err="Invalid move 'b1-c1?'")
    play(t, input='\tagainst\tlevel:3\t\n').expect(0, "against 'level:3'", '')
    play(t, input='b1-c1' + ' ' * 5000 + 'x\n').expect(0, err='Invalid move ')
    t.run('neutreeko play <.').expect(1, err='neutreeko play: cannot read standard input: Is a directory')


# ---- four characters, for programs ----

def four_characters(move):
    return (move[1] + move[0] + move[4] + move[3]).upper()


def play_four(t, side, choose, seed=0):
    """Plays the other side by `choose`, which gets the position and how often each has occurred, and checks
    all that is printed by our own rules, without threefold repetition. Returns the verdict and that counter."""
    position, plies = oracle.START, 0
    occurred = collections.Counter([position])
    with t.talk(['neutreeko', 'play', '--four-character', side, '--seed', str(seed)]) as talk:
        while not oracle.is_over(position) and plies < 300:
            legal = oracle.moves(position)
            if (plies % 2 == 0) == (side == 'first'):
                position = {four_characters(move): after for move, after in legal.items()}[talk.line()]
            else:
                move = choose(position, occurred)
                talk.write(t.random.choice([str.upper, str.lower])(four_characters(move)).encode() + b'\n')
                position = legal[move]
            plies += 1
            occurred[position] += 1
        verdict = talk.line()
        talk.end().expect(0, '', '')
    lost = plies % 2 == (side == 'first')  # the last move was the program's
    assert verdict == ('Draw' if not oracle.is_over(position) else 'You Lose' if lost else 'You Win')
    return verdict, occurred


@pytest.mark.parametrize('side', ['first', 'second'])
def test_four_characters(t, side):
    """Games against random moves go by the rules to the right verdict; one that repeats is a draw after 300 moves."""
    for seed in range(8):
        assert play_four(t, side, lambda position, _: t.random.choice(sorted(oracle.moves(position))), seed)[0] != 'You Win'

    def most_frequent(position, occurred):
        answer, = t.ask([oracle.fen(position)])
        drawing = [move['move'] for move in answer['moves'] if move['result'] == 'draw']
        return max(drawing, key=lambda move: occurred[oracle.moves(position)[move]])
    verdict, occurred = play_four(t, side, most_frequent)
    assert (verdict, sum(occurred.values())) == ('Draw', 301) and max(occurred.values()) > 3


def test_four_characters_input(t):
    """An illegal move loses at once; the end of input is an end without a verdict; line ends do not matter."""
    for line in '1B3B', '1A1B', '2C3C', '1B1B', '9Z9Z', 'b1-c1', 'B1C1', 'no', '1B1C1', '1B1', '1B 1C', '\0':
        assert play(t, '--four-character', 'second', input=f'{line}\nmore\n').expect(0, err='').out == 'You Lose\n', line
    for side, text, count in (('second', '', 0), ('second', '1B1C', 1), ('second', '1b1c\r\n', 1),
                              ('second', '\n\n 1B1c \n\n', 1), ('first', '', 1)):
        assert len(play(t, '--four-character', side, input=text).expect(0, err='').out.splitlines()) == count
    t.run('neutreeko play --four-character second <.').expect(1, '', 'cannot read standard input: Is a directory')
