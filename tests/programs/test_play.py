"""neutreeko play through pipes."""

import contextlib
import re
import subprocess

import pytest

import oracle
from conftest import CYCLE, DRAWN, START, START_BOARD, WON_IN_1


@contextlib.contextmanager
def player(t, *arguments):
    """neutreeko play in conversation, its messages among its other lines. It has printed all its answers when it prints
    that to a line which it does not know."""
    def say(line=None):
        """Returns what is printed in answer."""
        p.write(b'' if line is None else f'{line}\n'.encode())
        return p.lines('zz', "Unknown move or command 'zz'")
    with t.talk(['neutreeko', 'play', *arguments], stderr=subprocess.STDOUT) as p:
        p.say, p.begin = say, say()
        yield p
        assert p.end(b'quit\n').expect(1).out == ''  # because of the nonsense


def play(t, *arguments, input='', **options):
    return t.run(['neutreeko', 'play', *arguments], input, **options)


class Follower:
    """A game as printed so far. Every move has to be legal."""

    def __init__(self, position=oracle.START):
        self.position, self.moves = position, []

    def follow(self, lines):
        """Takes the lines that were printed; returns those that are neither moves nor boards."""
        rest = []
        for line in lines:
            played = re.match(r'(Black|White) plays (\S+)\.$', line)
            if played:
                assert played[1] == {'b': 'Black', 'w': 'White'}[self.position.to_move]
                self.moves.append(played[2])
                self.position = oracle.moves(self.position)[played[2]]
            elif line and not re.match(' [1-5] |    [a-e] ', line):
                rest.append(line)
        return rest

    def choose(self, random):
        """A move that does not end the game."""
        return random.choice(
            sorted(move for move, after in oracle.moves(self.position).items() if not oracle.is_over(after))
        )


@pytest.mark.parametrize(
    'own, opponent', [('black', 'random'), ('white', 'level:1'), ('black', 'perfect'), ('white', 'perfect')]
)
def test_games(t, own, opponent):
    """A person's game goes by the rules to the end, and perfect does not lose it."""
    other = 'white' if own == 'black' else 'black'
    follower = Follower()
    with player(t, '--side', own, '--against', opponent, '--seed', '1') as p:
        rest = follower.follow(p.begin)
        while not any(' wins.' in line or line == DRAWN for line in rest):
            rest = follower.follow(p.say(t.random.choice(sorted(oracle.moves(follower.position)))))
    if oracle.is_over(follower.position):
        winner = {'w': 'Black', 'b': 'White'}[follower.position.to_move]
        assert rest == [f'Three in a row: {winner} wins.' + ' Congratulations!' * (winner.lower() == own)]
        assert opponent != 'perfect' or winner.lower() == other


@pytest.mark.parametrize('arguments', ['--against random', '--against random --side white'])
def test_undo_and_redo(t, arguments):
    """'undo' and 'redo' go from one turn of the person to another, and print its board again."""
    follower = Follower()
    with player(t, *arguments.split(), '--seed', '4') as p:
        follower.follow(p.begin)
        boards = [p.begin[-8:]]
        while len(boards) < 5:
            heard = p.say(follower.choose(t.random))
            assert not follower.follow(heard), 'take another seed'
            boards.append(heard[-8:])
        for shown, command, word, last in ((boards[-2::-1], 'undo', 'Taken back: ', 'No move of yours to take back.'),
                                           (boards[1:], 'redo', 'Redone: ', 'No move to redo.')):
            for board in shown:
                heard = p.say(command)
                assert heard[0].startswith(word)
                assert heard[1:] == board
            assert p.say(command) == [last]


def test_repetition(t):
    """The third occurrence of a position is announced before."""
    with player(t, '--against', 'human') as p:
        warned = [
            'This position has occurred twice; the third time is a draw.' in p.say(move) for move in (CYCLE * 2)[:-1]
        ]
        assert warned == [False] * 3 + [True] * 4
        p.say('undo')
        assert re.search(rf'\n  {CYCLE[2]}  \w.* \(2nd time\)\n', '\n'.join(p.say('hint all')))
        p.say(CYCLE[2])
        assert f'{CYCLE[3]}  draws (3rd time)' in [line.strip() for line in p.say('hint all')]
        assert p.say(CYCLE[3])[-1] == DRAWN
        assert p.say('b1-b4') == p.say('hint') == p.say('resign') == ['The game is over.']
        assert p.say('undo')[0] == f'Taken back: {CYCLE[3]}.'
        assert p.say('redo')[-1] == DRAWN


def test_resign_new_against(t):
    """A person may resign, take that back, begin another game, and change the opponent in the midst of one."""
    with player(t, '--seed', '1') as p:
        assert p.say('resign') == ['Black resigns: White wins.']
        assert p.say('b1-c1') == ['The game is over.']
        for line in 'undo', 'b1-c1', 'undo', 'd1-d4':  # which ends what can be redone
            assert len(p.say(line)) > 1
        assert p.say('redo') == ['No move to redo.']
        assert p.say('new')[1:] == ['', *START_BOARD.splitlines()] + ['']
        assert p.say('history') == ['No moves yet.']
        for typed, answer, plays in (
                ('against human', 'Black (b): human. White (w): human.', 1),
                ('against weakest', "You play White (w) against weakest.", 2)):
            assert p.say(typed) == [answer]
            assert sum(' plays ' in line for line in p.say('b1-c1' if plays == 1 else 'b5-a5')) == plays
        assert p.say('against nobody')[0].startswith("unknown opponent 'nobody'")
        assert p.say('against levl:3') == ["unknown opponent 'levl:3'; did you mean 'level:3'?"]
        assert '  level:N ' in '\n'.join(p.say('against'))


def test_moves_as_people_paste_them(t):
    """With numbers, and in full-width letters."""
    with player(t, '--against', 'human') as p:
        for line in '1. b1-c1', '1... b5c5', '2.\uff43\uff14\uff0d\uff41\uff12':
            assert len(p.say(line)) > 1
        assert ' '.join(p.say('history')).split() == ['1.', 'b1-c1', 'b5-c5', '2.', 'c4-a2']


def test_ends_that_the_board_does_not_show(t):
    """A side may resign when the other is to move, and two people may agree to a draw; undo takes it back, and the
    record has it."""
    with player(t, '--against', 'human') as p:
        p.say('b1-c1')
        assert p.say('resign black') == ['Black resigns: White wins.']
        assert p.say('resign') == p.say('draw') == ['The game is over.']
        assert p.say('save one.txt') == ['Saved as one.txt.']
        assert p.say('undo')[0] == 'Resignation taken back.'
        assert p.say('resign whit') == ['White resigns: Black wins.']
        p.say('undo')
        assert p.say('resign red') == [
            "Unknown argument 'red': type 'resign', 'resign black' or 'resign white'."
        ]
        assert p.say('draw') == ['Draw by agreement.']
        assert p.say('save two.txt') == ['Saved as two.txt.']
        assert p.say('undo')[0] == 'Agreement taken back.'
        assert p.say('c2-c3')
    for name, end in ('one.txt', '1. b1-c1\n{Black resigns: White wins.}\n1-0\n'), (
            'two.txt', '1. b1-c1\n{Draw by agreement.}\n1/2-1/2\n'):
        assert t.read(name).decode().endswith('\n\n' + end)
    with player(t, '--load', 'one.txt') as p:
        assert 'Black resigns: White wins.' in p.begin
    with player(t, '--against', 'easy') as p:
        assert p.say('draw') == ['Only two people can agree to a draw.']
        assert p.say('resign white') == ['White is not played by a person.']


def test_loss_on_time_is_taken_back(t):
    t.write('game.txt', '[Termination "time forfeit"]\n\nb1-c1 c2-c3 1-0')
    with player(t, '--load', 'game.txt', '--against', 'human') as p:
        assert p.begin[-1] == 'White wins on time.'
        assert p.say('undo')[0] == 'The end of the game is taken back.'
        assert p.say('undo')[0] == 'Taken back: c2-c3.'


@pytest.mark.parametrize('start', ['fair', 'drawn', 'random', 'Drawn'])
def test_random_start(t, start):
    """A random position is named; the same seed gives the same one, another seed another."""
    def begun(seed):
        played = play(t, '--start', start, '--seed', str(seed), '--side', 'black')
        return re.search(r"using the (?:position|fair start) '(.*)'\n", played.expect(0).err)[1]
    assert begun(1) == begun(1) != begun(2)
    answer, = t.ask([begun(3)])
    assert answer['to_move'] == 'black'
    assert answer['moves']
    assert start == 'random' or answer['result'] == 'draw'


def test_moves_are_listed_without_their_values(t):
    """'moves' lists the legal ones; 'history' has those of the game."""
    with player(t, '--against', 'human') as p:
        assert p.say('history') == ['No moves yet.']
        p.say('b1-b4')
        listed = p.say('moves')
        assert sorted(listed) == [f'  {move}' for move in sorted(oracle.moves(oracle.moves(oracle.START)['b1-b4']))]
        assert p.say('history') == ['   1. b1-b4 ']
        p.say('resign')
        assert p.say('moves') == ['The game is over.']


def test_start(t):
    """--start begins there; White may begin."""
    start = START[:-1] + 'w'
    with player(t, '--start', start, '--side', 'white', '--against', 'random') as p:
        heard = ' '.join(p.say('b5-c5'))
        assert '    a b c d e' in p.begin
        assert '    e d c b a' in p.say('flip')
        assert ' '.join(p.say('history')).split() == [
            '1.',
            '...',
            'b5-c5',
            '2.',
            re.search(r'Black plays (\S+)\.', heard)[1],
        ]
        p.say('save game.txt')
    assert f'\n[Start "{start}"]\n' in t.read('game.txt').decode()
    ended = play(t, '--load', 'game.txt', '--against', 'human', input='new\nb5-c5\n')
    ended.expect(0, ['New game.', 'White plays b5-c5.'], '')


# ---- messages ----

def test_wrong_moves(t):
    """Every kind of wrong move is rejected with its reason, and the game goes on."""
    slides = "Illegal move 'b1-b3': the piece slides until something stops it: on b4, not b3."
    with player(t) as p:
        for typed, answer in {
            'b1-b3': slides,
            '1b3b': slides,
            'c2-c3': "Illegal move 'c2-c3': the piece on c2 is not Black's.",
            'b1y': "Invalid move 'b1y': character 3: found 'y', expected a file, a-e.",
            '11': "Invalid move '11': character 2: found '1', expected a file, a-e.",
            'foo': "Unknown move or command 'foo'. 'help' lists the commands.",
            'file:///n.html#moves=': "'file:///n.html#moves=': this is a link of the page: open it there, or copy the "
                                     'position from there.',
            'r': "'r' is ambiguous: redo, review or resign.",
            'hist': 'No moves yet.',
            'moves now': "'moves' takes no argument.",
            'moves!': "'moves' takes no exclamation mark.",
            'load': "Missing file name: type 'load FILE'.",
            'hint x': "Unknown argument 'x': type 'hint' or 'hint all'.",
            'helpx': "Unknown move or command 'helpx'. 'help' lists the commands.",
            'b1' + 40 * 'y': f"Invalid move 'b1{29 * 'y'}': character 3: found 'y', expected a file, a-e.",
        }.items():
            assert p.say(typed) == [answer], typed
        assert p.say('  ') == []
        assert {*'hint undo redo board flip moves review resign new against save load quit help'.split()} <= {
            *' '.join(p.say('?')).split()
        }
        board = p.say('board')
        assert board == ['', *START_BOARD.splitlines()] + ['']
        assert p.say('flip') == ['', *board[5:0:-1], '    e d c b a', '']
        assert p.say('FL') == board
    # What a script sends in vain is a failure, even if the rest is carried out.
    for line in 'b1-b3', 'foo', 'redo', 'save', 'load none.txt', 'against nobody':
        play(t, input=f'{line}\nb1-c1\nq\n').expect(1, 'White plays ')


HINTS = """\
White wins in 3 moves with optimal play; 2 of 14 moves keep the win.
White plays b5-e2.
b5-e2 wins in 14 moves; c3-b2 wins faster.
Black loses in 13 moves with optimal play.
Black plays b3-b1.
b3-b1 loses in 2 moves; a1-b2 loses later.
White wins in 2 moves with optimal play; 3 of 15 moves keep the win.
White plays c3-a5.
Blunder: c3-a5 doesn't keep the win: it loses in 1 move. Best: c3-b2. ('undo' takes the move back.)
Black wins in 1 move with optimal play; 4 of 8 moves keep the win.
Black plays b1-e4.
Mistake: b1-e4 doesn't keep the win: it draws. Best: a3-c1. ('undo' takes the move back.)
White draws with optimal play; 2 of 11 moves keep the draw.
Taken back: b1-e4.
Black wins in 1 move with optimal play; 4 of 8 moves keep the win.
Black plays a3-c1.
Three in a row: Black wins.
"""
ALL_WIN = """\
White wins in 2 moves with optimal play; every move keeps the win.
White plays a3-a5.
Black loses in 1 move with every move.
"""


def test_hints(t):
    """Comments of kinds that README.md does not show, and on no move that a program is about to make."""
    for position, shown in ('1w3/5/bbw2/w4/b4 w', HINTS), ('2w2/2w2/w4/4b/b3b w', ALL_WIN):
        typed = re.sub(r'\S+ plays (\S+)\.|(T)aken.*|.+', lambda line: line[1] or 'undo' * bool(line[2]), shown)
        out = (
            play(t, '--hints', '--against', 'human', '--start', position, input=typed.replace('\n\n', '\n'))
            .expect(0, err='')
            .out
        )
        assert re.sub(r'^( [1-5] .*|    a b c d e|Black .b.: .*)?\n', '', out, flags=re.M) == shown
    assert (
        'Black draws'
        not in play(t, '--hints', '--against', 'perfect', '--side', 'white').expect(0, 'White draws', '').out
    )
    play(t, '--hints', '--start', WON_IN_1).expect(0, 'only 1 of 8 moves keeps the win.', '')


def test_save(t):
    """A saved game takes the place of another file only with --force; what cannot be saved is said."""
    t.write('empty.txt', '')
    with player(t) as p:
        p.say('b1-c1')
        for line, answer in (
            ('save one.txt', 'Saved as one.txt.'),
            ('save  a name with blanks.txt ', 'Saved as a name with blanks.txt.'),
            ('save one.txt', 'Not saved: one.txt exists: choose another file, or replace it with --force.'),
            ('save --force one.txt', 'Saved as one.txt.'),
            ('save', 'Saved as one.txt.'),
            ('save --forced', 'Saved as --forced.'),
            ('save empty.txt', 'Not saved: empty.txt exists: choose another file, or replace it with --force.'),
            ('save /dev/full', 'Not saved: cannot write /dev/full: No space left on device.'),
            ('save no/where.txt', 'Not saved: cannot create no/where.txt'),
            ('save ' + 'x' * 5000, 'Not saved: '),
            ('save ~/' + 'x' * 4090, 'Not saved: '),
            ('load ~/' + 'x' * 4090, 'Not loaded: '),
            ('save .', 'Not saved: . is a directory, expected the name of a file.'),
        ):
            heard, = p.say(line)
            assert heard.startswith(answer), line
        p.say('new')  # another game, which must not take the place of the first
        assert p.say('save') == [
            "This game has no file yet: 'save' again writes it to game.txt, 'save FILE' to another."
        ]
    assert t.files() == ['--forced', 'a name with blanks.txt', 'empty.txt', 'one.txt']


def test_saved_game_has_its_players_and_moves(t):
    with player(t, '--seed', '4') as p:
        p.say('b1-c1')
        moves = ' '.join(p.say('history')).split()
        p.say('save one.txt')
    headers, text = t.read('one.txt').decode().split('\n\n')
    assert re.fullmatch(r'''\[Event "Neutreeko game"]
\[Date "\d{4}\.\d\d\.\d\d"]
\[White "level:1"]
\[Black "human"]
\[Result "(.*)"]
\[Board "5x5, 3 pieces, row 3, line"]''', headers)[1] == text.split()[-1]
    assert ' '.join(text.splitlines()[:-1]).split() == moves
    t.run('neutreeko review one.txt').expect(0, moves[2], '')


def test_save_on_a_full_disk(t):
    t.run('ulimit -f 0; neutreeko play', 'save game.txt\nquit\n').expect(
        1, err='Not saved: cannot write game.txt: File too large.')
    assert 'game.txt' not in t.files()


def test_proposed_file_name_is_new(t):
    """'save' without a name proposes one, and takes it when it is typed again."""
    t.write('game.txt', '')
    t.write('game-2.txt', '')
    with player(t) as p:
        p.say('b1-c1')
        assert p.say('save')[0].endswith("'save' again writes it to game-3.txt, 'save FILE' to another.")
        assert p.say('save') == ['Saved as game-3.txt.']


def test_proposed_file_name_is_for_one_game(t):
    with player(t) as p:
        p.say('save')
        p.say('new')
        assert p.say('save')[0].startswith('This game has no file yet')


@pytest.mark.parametrize('typed, name', [
    ('"my game.txt"', 'my game.txt'),
    ("'my game.txt'", 'my game.txt'),
    ('~/game.txt', 'home/game.txt'),
    ("'~/game.txt'", None),  # a directory that does not exist
    ('~game.txt', '~game.txt'),
    ('"game.txt', '"game.txt'),
])
def test_file_names_as_in_a_shell(t, typed, name):
    (t.dir / 'home').mkdir()
    typing = f'save {typed}\nsave {typed}\nload {typed}\n'  # again in the same file
    play(t, input=typing, env={'HOME': str(t.dir / 'home')}).expect(0 if name else 1)
    files = [path.relative_to(t.dir).as_posix() for path in t.dir.rglob('*') if path.is_file()]
    assert files == [name] * bool(name)


@pytest.mark.parametrize('typed, move', [('B1', 'b1-a2'), ('1b', 'b1-a2'), ('b1-', 'b1-a2'), ('c4', 'c4-a4')])
def test_one_square_is_not_a_move(t, typed, move):
    """The answer has a move of this piece."""
    play(t, input=typed).expect(1, err=f"'{typed}' is one square: type both squares, as {move}.\n")


def test_exit_leaves(t):
    assert 'plays' not in play(t, input='exit\nb1-c1\n').expect(0, err='').out


@pytest.mark.parametrize('content, players, plies', [
    ('# Neutreeko\n# Black: human\n# White: level:3\nb1-c1\n', 'You play Black (b) against beginner (level:1).', 2),
    ('[White "Ada"]\n[Black "weakest"]\n\n1. b1-c1 c2-c3 (c2-a2) 2. c1-a3 *\n',
        'You play White (w) against weakest.', 3),
    ('[Event "Club"]\n[White "random"]\n[Black "rules"]\nb1-c1 c2-c3\n',
        'You play Black (b) against beginner (level:1).', 2),
    ('[White "level:1"]\nb1-c1! c2-c3\n', 'You play Black (b) against beginner (level:1).', 2),
    (f'[Black "human"]\n[Start "{WON_IN_1}"]\nd1-c1 0-1\n', 'Black (b): human. White (w): human.', 1)])
def test_load(t, content, players, plies):
    """A loaded game goes on where it was, against the same opponent, no matter who wrote it."""
    t.write('game.txt', content)
    left = 'neutreeko play: game.txt: only the moves are loaded and saved, not comments, marks and variations'
    lost = [left] * any(sign in content for sign in '#(!')
    with player(t, '--load', 'game.txt') as p:
        assert p.begin[:1 + len(lost)] == [*lost, players]
        assert len(re.findall(r'\w\d-\w\d', ' '.join(p.say('history')))) == plies
        assert p.say('load game.txt')[:2 + len(lost)] == [*lost, 'Loaded game.txt.', players]
        p.say('undo')
        p.say('save open.txt')
    saved = t.read('open.txt').decode()
    assert '[Event "Neutreeko game"]' in saved
    assert '[Result "*"]' in saved
    assert ('[White "Ada"]' in saved) == ('Ada' in content)
    assert '"rules"' not in saved  # whose place the user has taken


@pytest.mark.parametrize('arguments, shown', [
    ('', 'You play Black (b) against beginner (level:1).'),
    ('--against easy', 'You play Black (b) against easy (level:5).'),
    ('--against level:12', 'You play Black (b) against hard (level:12).'),
    ('--against perfect --side white', 'You play White (w) against perfect.'),
    ('--side black', 'You play Black (b) against beginner (level:1).'),
    ('--against human', 'Black (b): human. White (w): human.'),
])
def test_choice_of_the_opponent_and_the_side(t, arguments, shown):
    play(t, *arguments.split()).expect(0, shown + '\n', '')


@pytest.mark.parametrize('arguments, shown', [
    ('--against hard', 'You play White (w) against hard (level:12).'),
    ('--side white', 'You play White (w) against weakest.'),
    ('--side black', 'You play Black (b) against weakest.'),
    ('--side black --against rules', 'You play Black (b) against rules.'),
])
def test_choice_of_the_opponent_of_a_loaded_game(t, arguments, shown):
    """What is named takes the place of what the file names."""
    t.write('game.txt', '[White "Ada"]\n[Black "weakest"]\n\n1. b1-c1\n')
    play(t, '--load', 'game.txt', *arguments.split()).expect(0, shown + '\n', '')


def test_side_in_a_loaded_game_of_people_is_played_against_the_default_opponent(t):
    t.write('game.txt', '[White "Ada"]\n[Black "Ben"]\n\n1. b1-c1\n')
    play(t, '--load', 'game.txt').expect(0, 'Black (b): human. White (w): human.\n', '')
    play(t, '--load', 'game.txt', '--side', 'white').expect(0, 'You play White (w) against beginner (level:1).\n', '')


def test_person_of_a_loaded_game_of_programs_is_to_move(t):
    t.write('game.txt', '[White "random"]\n[Black "rules"]\n\n1. b1-c1\n')
    play(t, '--load', 'game.txt', '--against', 'easy').expect(0, 'You play White (w) against easy (level:5).\n', '')


def test_another_game_has_the_players_of_its_file(t):
    """--against is for the first game only. A new game begins as that of the file did."""
    t.write('game.txt', '[White "Ada"]\n[Black "weakest"]\n\n1. b1-c1\n')
    with player(t, '--against', 'easy') as p:
        assert p.say('load game.txt')[:2] == ['Loaded game.txt.', 'You play White (w) against weakest.']
        assert any(line.startswith('Black plays ') for line in p.say('new'))


def test_standard_opponent_can_be_beaten(t):
    """Rules of thumb beat it in most games, and random moves in some."""
    for name, least, most in ('rules', 70, 100), ('random', 3, 30):
        outcome = t.run(f'neutreeko match --json --seed 1 --start standard --count 100 {name} beginner')
        score, = outcome.expect(0, err='').json()
        assert least <= score['a_wins'] <= most


def test_load_one_of_several(t):
    """--game N loads the N-th game of a file, and counts invalid ones."""
    t.write('many.txt', '[Round "1"]\nb1-c1\n[Round "2"]\nb1-b3\n[Round "3"]\nb1-b4\nc2-c1\n')
    play(t, '--load', 'many.txt', '--game', '1', input='history\n').expect(0, '1. b1-c1 ', '')
    play(t, '--load', 'many.txt', '--game', '3', input='history\n').expect(0, '1. b1-b4 c2-c1', '')
    play(t, '--load', 'many.txt', '--game', '4').expect(1, '', 'there is no game 4, only 3 games')


@pytest.mark.parametrize('content, reason', [
    (None, 'No such file or directory'),
    ('[White "a"]\nb1-c1\n[White "b"]\n',
     "there are several games: choose one with 'neutreeko play --load FILE --game N'"),
    ('b1-c1\nb1-c1', "line 2, character 1: move 2 (White): illegal move 'b1-c1': there is no piece on b1"),
])
def test_not_loaded(t, content, reason):
    """What cannot be loaded changes nothing."""
    if content:
        t.write('bad.txt', content)
    play(t, '--load', 'bad.txt').expect(1, '', f'neutreeko play: bad.txt: {reason}')
    with player(t) as p:
        assert p.say('load bad.txt') == [f'Not loaded: bad.txt: {reason}.']
        assert p.say('history') == ['No moves yet.']


def test_hint_in_steps(t):
    """The piece, the move, the reason, and then all moves; another position begins again."""
    with player(t, '--start', WON_IN_1, '--against', 'human') as p:
        steps = [
            ["Move the piece on d1. ('hint' again shows the move.)"],
            ["Play d1-c1. ('hint' again explains it.)"],
            [
                'd1-c1 wins in 1 move with optimal play. It is the only move that wins.',
                "('hint' again lists all moves.)",
            ],
        ]
        assert [p.say('hint') for _ in steps] == steps
        moves = p.say('hint')
        assert moves[0] == '  d1-c1  wins in 1 move'
        assert p.say('hint') == p.say('hint all') == moves
        assert len(p.say('a1-a5')) > 1
        assert p.say('hint')[0].startswith('Move the piece on ')


@pytest.mark.parametrize('position, moves, sentences', [
    ('1w1w1/2b2/2w2/5/2bb1 b', '', [
        "It is the only move that doesn't lose.",
        'It stops White from winning in 2 moves.',
        'It threatens to win in 5 moves.',
        "White's only reply that doesn't lose is b5-c5.",
    ]),
    (START, '', ['b1-c1 draws with optimal play.\n']),
    ('4w/4b/5/b2b1/2ww1 w', '', ['It threatens to win in 1 move.', "13 of Black's 15 replies lose."]),
    ('2b2/4b/1b3/4w/1w2w w', '', [
        'e1-c1 wins in 3 moves',
        'It threatens to win in 1 move.\nIt stops Black from winning in 2 moves.\n',
    ]),
    ('4w/5/2w2/2w2/b1bb1 b', 'a1-a5 e5-e1 a5-a1 e1-e5 a1-a5 e5-e1 a5-a1 ',
     ['e1-e5 draws', 'It draws by threefold repetition.']),
    ('1ww2/1bb2/5/2w2/3b1 b', '', [' Every move loses; this one delays the loss longest.\n']),
    ('2bwb/3w1/5/w2b1/5 b', '', [' Every move loses; none delays the loss longer.\n']),
])
def test_reasons(t, position, moves, sentences):
    typed = moves.replace(' ', '\n') + 'hint\n' * 3
    play(t, '--start', position, '--against', 'human', input=typed).expect(0, sentences, '')


def hints_of(t, position, *arguments):
    typed = 'hint\n' * 3
    return play(t, '--against', 'human', '--start', position, *arguments, input=typed).expect(0, err='').out


def test_nearer_of_a_threat_and_what_is_stopped_comes_first(t):
    assert 'It threatens to win in 1 move.\nIt stops White from winning in 5 moves.\n' in hints_of(
        t, 'b4/2w2/4w/wb3/3b1 b')
    assert "It stops White from winning in 2 moves.\nIt threatens to win in 5 moves.\n" in hints_of(
        t, '1w1w1/2b2/2w2/5/2bb1 b')


def test_win_is_not_a_threat_of_its_own(t):
    """A move that wins in 2 moves threatens to win in 1, which says nothing more."""
    position, move = '2w2/2w2/w4/4b/b3b w', 'wins in 2 moves'
    shown = hints_of(t, position)
    assert move in shown
    assert 'threatens' not in shown


@pytest.mark.parametrize('position, moves', [('b4/2ww1/4w/5/2b1b b', '1 move'), ('b4/w1b2/5/2ww1/b4 b', '2 moves')])
def test_no_move_is_advised_if_all_lose_equally(t, position, moves):
    shown = hints_of(t, position, '--hints')
    assert f'Black loses in {moves} with every move.\n' in shown
    assert f"Every move loses in {moves}: none is better than another. ('hint' again lists them.)\n" in shown
    assert 'Move the piece' not in shown
    answer, = t.ask([position])
    assert shown.count(f'  loses in {moves}\n') == 2 * len(answer['moves'])


def test_review_at_the_prompt(t):
    shown = play(t, '--against', 'human', input='review\nb1-b4\nreview\n').expect(0, 'No moves yet.', '').out
    assert shown.endswith(t.run('neutreeko review', 'b1-b4').out)


GOALS = {
    'centre': 'a piece on the centre square',
    'equidistant': 'one of your pieces exactly halfway between the other two',
    'orthogonal': 'three of your pieces in an unbroken line, not diagonal',
    'diagonal': 'three of your pieces in an unbroken diagonal line',
}


@pytest.mark.parametrize('win', GOALS)
def test_other_ways_to_win(t, win):
    t.solve('t.dat', f'--win {win} ' + ('--pieces 2' if win == 'centre' else '--board 4x4'))
    play(t, '--table', 't.dat', '--against', 'human', input='help\n').expect(0, f'you win with {GOALS[win]}.')
    puzzle, = t.run('neutreeko puzzle --table t.dat --plies 1 --answer --json').expect(0).json()
    shown = play(t, '--table', 't.dat', '--against', 'human', '--start', puzzle['position'], input=puzzle['answer'])
    end = f'{puzzle["to_move"].capitalize()} wins.'
    row = 'Three in a row: ' if win in ('orthogonal', 'diagonal') else ''
    assert shown.expect(0, err='').out.splitlines()[-1] == row + end


def test_other_boards(t):
    """A board of another size; a side without a legal move has a draw."""
    t.solve('small.dat', '--board 4x5')
    play(t, '--table', 'small.dat', '--against', 'random', '--side', 'white', '--start', 'w1w1/1b2/4/2w1/b1b1 b',
         input='flip\n').expect(0, ['    a b c d\n', 'Black plays', '    d c b a\n'], '')
    t.solve('full.dat', '--board 3x3 --pieces 4 --row 3')
    play(t, '--table', 'full.dat', '--hints', '--start', 'bbw/wwb/1wb b', input='hint\nc1-a1\n').expect(
        1, 'Draw: Black has no legal moves.', 'The game is over.\nThe game is over.')
    play(t, '--table', 'full.dat', '--start', 'bbw/bbw/ww1 b', input='hint\n' * 3).expect(
        0, 'b2-c1 loses in 1 move with optimal play. It is the only legal move.\n', '')


# ---- input ----

def test_byte_0_is_reported(t):
    play(t, input=b'\0\n').expect(1, err="Unknown move or command '\\x00'.")


def test_input(t):
    """The end of input is a clean end; bytes of any kind and lines of any length do no harm; no prompt, no colour."""
    for text in '', 'b1-c1', 'resign\n', 'quit', '\r\nb1-c1\r\n', '\tagainst\trules\t\nb1-c1':
        ended = play(t, '--hints', input=text, env={'TERM': 'xterm'}).expect(0, err='')
        assert ended.out.count('plays') == 2 * ('b1' in text)
        assert '\033' not in ended.out
        assert '>' not in ended.out
    pieces = [b'b1-c1', b'1b1c', b'hint', b'undo', b'redo', b'save', b'new', b'flip', b'resign', b'moves',
              b'\n', b' ', b'\0', b'\033[2J', b'\x7f', b'\xff\xfe', b'a' * 5000, b'%s%n']
    text = b'\n'.join(b''.join(t.random.choices(pieces, k=t.random.randrange(4))) for _ in range(300))
    ended = play(t, '--hints', input=text).expect(1)
    assert {c for c in ended.out + ended.err if ord(c) < 32 or ord(c) == 127} <= {'\n'}
    play(t, input=b'b1-c1' + b' ' * 5000 + b'x\n').expect(1, err="Invalid move 'b1-c1?'")
    t.run('neutreeko play </proc/self/mem').expect(
        1, err='neutreeko play: cannot read standard input: Input/output error')
