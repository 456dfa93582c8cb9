"""neutreeko play through pipes."""

import collections
import json
import re
import subprocess

import cli_game
from cli_harness import PATIENCE, check, equal
from play_game import Follower, board_lines, cycle

DRAWN = 'Draw by threefold repetition.'
DRAWN_START = '1w1w1/2b2/5/2w2/1b1b1 b'
NONSENSE = 'zz'  # a line whose answer is known: when it comes, all before it has been said


def play(case, *arguments):
    return ['neutreeko', 'play', '--table', str(case.table), *arguments]


class Talk:
    """A conversation with neutreeko play, its complaints among its other lines."""

    def __init__(self, case, *arguments):
        self.process = case.start(play(case, *arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
        self.begin = self.hear()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.communicate()

    def hear(self):
        lines = []
        self.process.stdin.write(NONSENSE + '\n')
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith(f"Unknown move or command '{NONSENSE}'"):
                return lines
            lines.append(line.rstrip('\n'))
        check(False, f'the program has ended; its last lines: {lines}')

    def say(self, line):
        """Returns what is said to it."""
        self.process.stdin.write(line + '\n')
        return self.hear()

    def leave(self, line='quit'):
        out, _ = self.process.communicate(line + '\n', timeout=PATIENCE)
        equal(self.process.returncode, 0, 'exit status')
        return out


def play_to_the_end(case, choose, *arguments):
    """Plays the moves chosen for the person from their names; returns the conversation's last words."""
    game = Follower()
    with Talk(case, *arguments) as talk:
        rest = game.follow(talk.begin)
        while not any(' wins.' in line or line.startswith('Draw') for line in rest):
            rest = game.follow(talk.say(choose(sorted(cli_game.moves(game.position)))))
        talk.leave()
    return game, rest


def test_games_to_the_end(case):
    """A person's games against every opponent, of both colours, go by the rules to the end"""
    opponents = ('random', 'rules', 'minimax:2', 'alphabeta:3', 'level:1', 'level:5', 'weakest', 'perfect')
    for number, opponent in enumerate(opponents * 2):
        own, other = ('black', 'white') if number < len(opponents) else ('white', 'black')
        game, rest = play_to_the_end(case, case.random.choice, f'--{own}', 'human', f'--{other}', opponent,
                                     '--seed', str(number))
        if cli_game.is_over(game.position):
            winner = {'w': 'Black', 'b': 'White'}[game.position.to_move]
            cheer = ' Congratulations!' if winner.lower() == own else ''
            equal(rest, [f'Three in a row: {winner} wins.{cheer}'], 'the last words')
        else:
            equal(rest, [DRAWN], 'the last words')


def test_perfect_never_loses(case):
    """The perfect player wins or draws against a random one, from both sides"""
    for number in range(20):
        own, other = ('black', 'white') if number % 2 else ('white', 'black')
        game, rest = play_to_the_end(case, case.random.choice, f'--{own}', 'human', f'--{other}', 'perfect')
        check(f'{own.capitalize()} wins.' not in rest[0], f'the perfect player has lost: {rest}')


def test_seed(case):
    """The same seed makes the same game, another one another"""
    command = play(case, '--black', 'random', '--white', 'random', '--seed')
    games = [case.run([*command, seed]).expect(0, err='').out for seed in ('1', '1', '2', str(2 ** 64 - 1))]
    equal(games[0], games[1], 'the second game')
    equal(len(set(games)), 3, 'different games')


def test_without_people(case):
    """Without people a game is played through and printed"""
    result = case.run(play(case, '--black', 'perfect', '--white', 'random', '--seed', '5')).expect(0, err='')
    game = Follower()
    rest = game.follow(result.out.splitlines())
    equal(rest, ['Black (b): perfect. White (w): random.', 'Three in a row: Black wins.'], 'the other lines')
    check(cli_game.is_over(game.position), 'the game is not over')
    case.run(play(case, '--black', 'perfect', '--white', 'perfect')).expect(0, 'Draw by ', '')


def test_wrong_moves(case):
    """Every kind of wrong move is refused with its reason, and the game goes on"""
    reasons = {
        'b1-b3': 'b1-b3: the piece slides until something stops it: on b4, not b3.',
        'B1B3': 'b1-b3: the piece slides until something stops it: on b4, not b3.',
        '1b3b': 'b1-b3: the piece slides until something stops it: on b4, not b3.',
        'a1-a2': 'a1-a2: there is no piece on a1.',
        'c2-c3': "c2-c3: the piece on c2 is not Black's.",
        'b1-c3': 'b1-c3: b1 and c3 are not on one line: a piece slides in a straight line.',
        'b1-c2': 'b1-c2: the piece on b1 is blocked in that direction.',
        'b1': "Invalid move 'b1': the text ends, expected a file, a-e.",
        'b1-f1': "Invalid move 'b1-f1': found 'f', expected a file, a-e.",
        'b1-b6': "Invalid move 'b1-b6': found '6', expected a rank, 1-5.",
        'b1-b1': "Invalid move 'b1-b1': a move from a square to itself.",
        'b1-c1x': "Invalid move 'b1-c1x': found 'x', expected the end of the text.",
        '11': "Invalid move '11': found '1', expected a file, a-e.",
    }
    with Talk(case) as talk:
        for typed, reason in reasons.items():
            equal(talk.say(typed), [reason], f'the answer to {typed}')
        game = Follower()
        game.follow(talk.say('b1 - c1'))
        equal(game.plies, 2, 'moves after the first right one')
        talk.leave()
    case.run(play(case), b'b1-b3\n').expect(0, err='b1-b3: the piece slides')


def test_words(case):
    """Words may be shortened; unknown, ambiguous and incomplete ones are refused"""
    answers = {
        'foo': ["Unknown move or command 'foo'. 'help' lists the commands."],
        'r': ["'r' is ambiguous: redo or resign."],
        'he': None,
        'undo': ['No move of yours to take back.'],
        'redo': ['No move to redo.'],
        'mo': ['No moves yet.'],
        'moves now': ["'moves' takes no argument."],
        'save': ["Missing file name: type 'save FILE'."],
        'helpx': ["Unknown move or command 'helpx'. 'help' lists the commands."],
        '': [],
        '  ': [],
    }
    with Talk(case) as talk:
        for typed, answer in answers.items():
            heard = talk.say(typed)
            if answer is not None:
                equal(heard, answer, f'the answer to {typed!r}')
        text = ' '.join(talk.say('HELP'))
        for word in 'hint undo redo board flip moves resign new against save quit help'.split():
            check(f' {word} ' in text, f'the help does not tell of {word}')
        equal(talk.say('?'), talk.say('help'), 'the answer to ?')
        equal(talk.say('board')[1:-1], board_lines(cli_game.START), 'the board')
        equal(talk.say('flip')[1:-1], board_lines(cli_game.START, flip=True), 'the flipped board')
        equal(talk.say('fl')[1:-1], board_lines(cli_game.START), 'the board flipped twice')
        equal(talk.leave('q'), '', 'the answer to q')


def test_hint(case):
    """'hint' tells of each move what query tells, best first"""
    answer = json.loads(case.run(['neutreeko', 'query', '--json', '--table', case.table]).expect(0).out)
    with Talk(case) as talk:
        heard = [line.split(None, 1) for line in talk.say('hint')]
        talk.leave()
    equal(heard, [[move['move'], cli_game.value_words(move)] for move in answer['moves']], 'the hints')


def test_hints(case):
    """--hints values the position and tells what a move has given away"""
    with Talk(case, '--hints', '--seed', '1', '--white', 'human') as talk:
        equal(talk.begin[-1], 'Black draws with optimal play; 2 of 14 moves keep the draw.', 'the value of the start')
        heard = talk.say('b1-c1')
        check('b1-c1 keeps the draw.' in heard, f'no praise in {heard}')
        talk.say('undo')
        heard = talk.say('b1-a1')
        blame = "Mistake: b1-a1 throws away the draw: it loses in 6 plies. Best: b1-c1. ('undo' takes the move back.)"
        check(blame in heard, f'no blame in {heard}')
        check(heard[-1].startswith('White wins in 5 plies with optimal play; '), f'no value in {heard}')
        talk.leave()
    # No word on a move that a program is about to make.
    for first, words in (('human', 1), ('perfect', 0)):
        told = case.run(play(case, '--hints', '--black', first, '--white', 'human', '--start', DRAWN_START))
        equal(told.expect(0, err='').out.count('Black draws with optimal play'), words, 'words on the first move')


def outlook(answer, side):
    """What --hints says of a position that is not over."""
    if answer['result'] == 'loss':
        return f'{side} {cli_game.value_words(answer)} with optimal play.'
    moves = len(answer['moves'])
    keep = sum(move['result'] == answer['result'] for move in answer['moves'])
    keeping = ('every move keeps' if keep == moves else f'only 1 of {moves} moves keeps' if keep == 1
               else f'{keep} of {moves} moves keep')
    return f"{side} {cli_game.value_words(answer)} with optimal play; {keeping} the {answer['result']}."


def judgement(answer, move, wins):
    """What --hints says of a move, or None; `wins`: the move ends the game."""
    name, words, best, before = move['move'], cli_game.value_words(move), answer['moves'][0]['move'], answer['result']
    if move['result'] != before:
        kind = 'Blunder' if (before, move['result']) == ('win', 'loss') else 'Mistake'
        return f"{kind}: {name} throws away the {before}: it {words}. Best: {best}. ('undo' takes the move back.)"
    if move['distance'] != answer['distance']:
        return f'{name} {words}; {best} {"wins faster" if before == "win" else "loses later"}.'
    if answer['moves'][-1]['result'] != before and not wins:
        return f'{name} keeps the {before}.'
    return None


def test_every_hint(case):
    """The words on a position and on each of its moves are what query tells of them"""
    positions = [cli_game.START]
    while len(positions) < 25:
        position = cli_game.random_position(case.random)
        if cli_game.moves(position):
            positions.append(position)
    kinds = collections.Counter()
    for position in positions:
        start = cli_game.fen(position)
        side = {'b': 'Black', 'w': 'White'}[position.to_move]
        answer = json.loads(case.run(['neutreeko', 'query', '--json', '--table', case.table, start]).expect(0).out)
        with Talk(case, '--hints', '--start', start, '--white', 'human') as talk:
            equal(talk.begin[-1], outlook(answer, side), f'the outlook on {start}')
            for move in answer['moves']:
                wins = cli_game.is_over(cli_game.moves(position)[move['move']])
                heard = talk.say(move['move'])
                equal(heard[0], f'{side} plays {move["move"]}.', 'the move')
                equal(heard[1] or None, judgement(answer, move, wins), f'the judgement on {move} in {start}')
                kinds[re.sub(r'\w\d-\w\d|\d+', '', heard[1]).split(' it ')[0][:24]] += 1
                equal(talk.say('undo')[-1], outlook(answer, side), 'the outlook once more')
            talk.leave()
    # To give a win or a draw away, to dawdle and to hurry into a loss, to keep something, to change nothing.
    check(len(kinds) >= 6, f'kinds of judgements: {kinds}')


def play_on(talk, case, turns):
    """Plays so many turns of both sides; returns what each led to, or None when the game has ended."""
    game = Follower()
    game.follow(talk.begin)
    history = [(game.position, game.last)]
    for _ in range(turns):
        game.follow(talk.say(case.random.choice(sorted(cli_game.moves(game.position)))))
        history.append((game.position, game.last))
        if cli_game.is_over(game.position):
            return None
    return history


def test_undo_and_redo(case):
    """'undo' and 'redo' go from one turn of the person to another, of both colours"""
    for colour, other in (('black', 'white'), ('white', 'black')):
        history = None
        for seed in range(100):
            if history:
                break
            with Talk(case, f'--{colour}', 'human', f'--{other}', 'random', '--seed', str(seed)) as talk:
                history = play_on(talk, case, 4)
                if not history:
                    continue
                for position, last in reversed(history[:-1]):
                    heard = talk.say('undo')
                    check(heard[0].startswith('Taken back: '), f'{heard[0]!r}')
                    equal(heard[2:8], board_lines(position, last), 'the board after undo')
                equal(talk.say('undo'), ['No move of yours to take back.'], 'one undo too many')
                for position, last in history[1:]:
                    heard = talk.say('redo')
                    check(heard[0].startswith('Redone: '), f'{heard[0]!r}')
                    equal(heard[2:8], board_lines(position, last), 'the board after redo')
                equal(talk.say('redo'), ['No move to redo.'], 'one redo too many')
                talk.leave()
        check(history, 'no game was long enough')


def test_repetition(case):
    """The third occurrence of a position is a draw, announced before, undone and redone"""
    moves = cycle(cli_game.START)
    game = Follower()
    with Talk(case, '--white', 'human') as talk:
        heard = []
        for move in (moves * 2)[:-1]:
            check(not any('draw:' in line for line in heard), f'a draw too soon: {heard}')
            heard = talk.say(move)
            rest = game.follow(heard)
            warning = ['This position has occurred twice; the third time is a draw.']
            equal(rest, warning if game.plies >= 4 else [], f'what is said after {game.plies} moves')
        hints = [line.strip() for line in talk.say('hint')]
        check(f'{moves[3]}  draws (3rd time)' in hints, f'no warning in the hints {hints}')
        for _ in range(3):
            equal(game.follow(talk.say(moves[3])), [DRAWN], 'the end')
            equal(talk.say(moves[0]), [f'{moves[0]}: the game is over.'], 'a move after the end')
            equal(talk.say('hint'), ['The game is over.'], 'a hint after the end')
            equal(talk.say('resign'), ['The game is over.'], 'to resign after the end')
            equal(talk.say('undo')[0], f'Taken back: {moves[3]}.', 'undo')
            equal(talk.say('redo')[-1], DRAWN, 'the end after redo')
            talk.say('undo')
            game = Follower(cli_game.START)
            for move in moves[:3]:
                game.play(move)
        talk.leave()


def test_resign_and_new(case):
    """A person may resign, take that back, and begin another game"""
    with Talk(case) as talk:
        equal(talk.say('resign'), ['Black resigns: White wins.'], 'the answer to resign')
        equal(talk.say('b1-c1'), ['b1-c1: the game is over.'], 'a move after that')
        talk.say('undo')
        game = Follower()
        game.follow(talk.say('b1-c1'))
        equal(game.plies, 2, 'moves after the resignation was taken back')
        heard = talk.say('new')
        equal(heard[2:8], board_lines(cli_game.START), 'the board of a new game')
        equal(talk.say('moves'), ['No moves yet.'], 'the moves of a new game')
        talk.leave()


def test_another_opponent(case):
    """'against' changes the opponent in the middle of a game"""
    def move(game):
        """A move that does not end the game."""
        return next(move for move, after in sorted(cli_game.moves(game.position).items())
                    if not cli_game.is_over(after))

    game = Follower()
    with Talk(case, '--white', 'human') as talk:
        game.follow(talk.say('b1-c1'))
        equal(talk.say('against weakest'), ["You play White (w) against 'weakest'."], 'the answer to against')
        game.follow(talk.say(move(game)))
        equal(game.plies, 3, 'moves with the new opponent')
        equal(talk.say('against human'), ['Black (b): human. White (w): human.'], 'after against human')
        game.follow(talk.say(move(game)))
        equal(game.plies, 4, 'moves after that')
        equal(talk.say('against random'), ["You play Black (b) against 'random'."], "Black's opponent")
        answer = talk.say('against nobody')[0]
        check(answer.startswith("unknown opponent 'nobody'"), f'the answer to against nobody is {answer}')
        check('  level:N ' in '\n'.join(talk.say('against')), 'the opponents are not listed')
        talk.leave()


def test_start(case):
    """--start begins there; White may begin; a game may be over from the start"""
    position = cli_game.Position(cli_game.START.black, cli_game.START.white, 'w')
    start = cli_game.fen(position)
    with Talk(case, '--start', start, '--white', 'human', '--black', 'random', '--flip') as talk:
        game = Follower(position)
        game.follow(talk.begin)
        move = min(cli_game.moves(position))
        game.follow(talk.say(move))
        equal(game.plies, 2, 'moves after the first')
        listed = [line.split() for line in talk.say('moves')]
        equal(listed, [['1.', '...', move], ['2.', game.last]], 'the moves')
        path = case.dir / 'game.txt'
        talk.say(f'save {path}')
        text = path.read_text()
        check(f'\nstart {start}\n' in text, f'no start in {text!r}')
        talk.leave()
    case.run(play(case, '--start', '2www/5/5/5/b1b1b b')).expect(0, 'Three in a row: White wins.', '')
    case.run(play(case, '--start', 'nonsense')).expect(2, '', "invalid position 'nonsense'")


def test_save_too_large(case):
    """A game that is larger than a file may be is not saved, and play goes on"""
    case.run('ulimit -f 0; neutreeko play --table "$TABLE"', input=b'save game.txt\nquit\n').expect(
        0, err='Not saved: cannot write game.txt: File too large.')
    equal(case.files(), [], 'the files')


def test_save(case):
    """A saved game can be read again, and takes the place of saved games only"""
    game = Follower()
    with Talk(case, '--seed', '4') as talk:
        for _ in range(3):
            game.follow(talk.say(min(cli_game.moves(game.position))))
            if cli_game.is_over(game.position):
                break
        moves = ' '.join(talk.say('moves'))
        case.write('letter.txt', b'Dear friend')
        case.write('short.txt', b'# Neutree')
        case.write('empty.txt', b'')
        for name, answer in (
                ('one.txt', 'Saved as one.txt.'),
                (' a name with blanks.txt ', 'Saved as a name with blanks.txt.'),
                ('one.txt', 'Saved as one.txt.'),
                ('letter.txt', 'Not saved: letter.txt exists and is not a saved game.'),
                ('short.txt', 'Not saved: short.txt exists and is not a saved game.'),
                ('empty.txt', 'Saved as empty.txt.'),
                ('/dev/full', 'Not saved: cannot write /dev/full: No space left on device.'),
                ('no/where.txt', 'Not saved: cannot create no/where.txt'),
                ('.', 'Not saved: . is a directory, expected the name of a file.'),
                ('x' * 5000, 'Not saved: ')):
            heard = talk.say('save ' + name)
            check(len(heard) == 1 and heard[0].startswith(answer), f'the answer to save {name} is {heard}')
        talk.leave()
    equal(case.files(), ['a name with blanks.txt', 'empty.txt', 'letter.txt', 'one.txt', 'short.txt'], 'the files')
    equal((case.dir / 'letter.txt').read_bytes(), b'Dear friend', 'the other file')
    equal((case.dir / 'short.txt').read_bytes(), b'# Neutree', 'the short file')
    text = (case.dir / 'one.txt').read_text()
    check(text.startswith('# Neutreeko\n# Black: human\n# White: perfect\n'), f'the head of {text!r}')
    written = [line for line in text.splitlines() if not line.startswith('#')]
    equal(' '.join(written).split(), moves.split(), 'the moves written')
    case.run(['neutreeko', 'review', '--table', case.table, 'one.txt']).expect(0, game.last, '')


def test_colours_and_pipes(case):
    """Through a pipe there is neither prompt nor colour"""
    result = case.run(play(case, '--hints'), b'b1-c1\nhint\nmoves\nquit\n', env={'TERM': 'xterm'})
    result.expect(0, err='')
    check('\033' not in result.out and '>' not in result.out, 'a prompt or a colour')


def test_end_of_input(case):
    """The end of input is a clean end, with and without a last line end, before and in a game"""
    for text in (b'', b'\n', b'b1-c1', b'b1-c1\n', b'resign\n', b'quit', b'\r\nb1-c1\r\n'):
        result = case.run(play(case), text).expect(0, err='')
        equal(result.out.count('plays'), 2 if b'b1' in text else 0, f'moves played after {text!r}')


def test_strange_input(case):
    """Bytes of any kind and lines of any length do no harm"""
    random = case.random
    pieces = [b'b1-c1', b'1b1c', b'hint', b'undo', b'redo', b'save', b'new', b'flip', b'resign', b'moves',
              b'\n', b' ', b'\0', b'\033[2J', b'\x7f', b'\xff\xfe', b'a' * 5000, b'%s%n']
    for _ in range(10):
        text = b'\n'.join(b''.join(random.choices(pieces, k=random.randrange(4))) for _ in range(300))
        result = case.run(play(case, '--hints'), text).expect(0)
        strange = {c for c in result.out + result.err if ord(c) < 32 or ord(c) == 127} - {'\n'}
        result.check(not strange, f'{strange} are printed')
    case.run(play(case), b'b1-c1\0\n').expect(0, err="Invalid move 'b1-c1?'")
    case.run(play(case), b'\tagainst\tlevel:3\t\n').expect(0, "against 'level:3'", '')
    case.run(play(case), b'b1-c1' + b' ' * 5000 + b'x\n').expect(0, err="Invalid move ")


def test_input_fails(case):
    """Standard input that cannot be read is a failure"""
    case.run(f'neutreeko play --table "$TABLE" <.').expect(1, err='neutreeko play: cannot read standard input: Is a directory')


def test_damaged_table(case):
    """With one bit of the table changed, what is said is as before up to a word on the damage"""
    talks = (([], b'b1-c1\n'), (['--white', 'human'], b'hint\nb1-c1\nhint\n'), (['--hints'], b'b1-c1\n'),
             (['--black', 'level:9', '--white', 'weakest'], b''))
    whole = [case.run(play(case, '--seed', '1', *options), text).expect(0, err='').out for options, text in talks]
    refused = [0] * len(talks)
    for path in case.damaged(40):
        for number, (options, text) in enumerate(talks):
            talk = case.run(play(case, '--seed', '1', '--table', path, *options), text)
            if talk.code:
                talk.expect(1, err=['neutreeko play: ', 'damaged.dat: damaged'])
                talk.check(whole[number].startswith(talk.out.removesuffix('\n')), 'not what is said before')
                refused[number] += 1
            else:
                equal(talk.expect(0, err='').out, whole[number], f'the talk with {options}')
    check(all(0 < count < 39 for count in refused), f'refused: {refused}')


def test_output_lost(case):
    """A full disk at standard output is a failure"""
    for command in ('echo b1-c1 | neutreeko play', 'neutreeko play --black random --white random'):
        case.run(f'{command} --table "$TABLE" >/dev/full').expect(1, err='cannot write to standard output')


def test_stats(case):
    """--stats tells on standard error what searches visit, more without pruning"""
    visited = {}
    for name in ('minimax:3', 'alphabeta:3', 'perfect'):
        result = case.run(play(case, '--stats', '--white', name, '--seed', '1'), b'b1-c1\n').expect(0)
        told = re.fullmatch(r'White visited (\d+) positions\.\n', result.err)
        visited[name] = int(told[1]) if told else 0
        result.check(told or not result.err, 'what it visited is not told')
    check(visited['minimax:3'] > visited['alphabeta:3'] > visited['perfect'] == 0, f'{visited}')


def test_bad_options(case):
    """Wrong options are refused with status 2 and a word about the right ones"""
    for arguments, complaint in (
            (['--black', 'nobody'], "unknown opponent 'nobody'"), (['--white', 'level:0'], 'from 1 to 9'),
            (['--white', 'minimax'], 'requires a number'), (['--white', 'perfect:3'], 'unexpected number'),
            (['--seed', '-1'], "--seed '-1': expected a number"), (['--seed', '1x'], "--seed '1x': expected a number"),
            (['--seed', str(2 ** 64)], 'expected a number from 0 to 18446744073709551615'), (['--seed'], 'requires an argument'),
            (['--four-character', 'third'], "--four-character 'third': expected first|second"), (['--nonsense'], None),
            (['--four-character', 'first', '--white', 'human'], '--four-character cannot be combined with --white'), (['-x'], None),
            (['more'], "unexpected argument 'more'"), (['--start', 'b1'], "invalid position 'b1'")):
        case.run(play(case, *arguments)).expect(2, '', [complaint] if complaint else None).expect(
            2, '', "Try 'neutreeko play --help'")
    case.run(['neutreeko', 'play', '--table', 'nowhere.dat']).expect(1, '', 'nowhere.dat')
    case.run(['neutreeko', 'play', '--help']).expect(0, ['Usage: neutreeko play', 'level:N', 'Exit'], '')


def test_other_games(case):
    """Other boards and other ways to win are played by their own rules"""
    def solve(name, arguments):
        case.run(f'neutreeko-solve --quiet -o {name} {arguments}').expect(0)
        return ['neutreeko', 'play', '--table', name]

    small = solve('small.dat', '--board 4x4')
    case.run(small).expect(1, '', 'has no start position: specify a position')
    result = case.run([*small, '--black', 'random', '--start', 'w1w1/1b2/2w1/b1b1 b'])
    result.expect(0, ['    a b c d\n', 'Black plays'], '')
    for win, goal in (('centre', 'a piece on the centre square'),
                      ('equidistant', 'one of your pieces exactly halfway between the other two'),
                      ('orthogonal', 'three of your pieces in an unbroken line, not diagonal'),
                      ('diagonal', 'three of your pieces in an unbroken diagonal line')):
        other = solve(f'{win}.dat', f'--win {win}')
        result = case.run([*other, '--white', 'human', '--hints'], b'help\nc1-a1\n').expect(0, err=None)
        result.check(f'you win with {goal}.' in result.out, 'the goal is not told')
        words = case.run([*other, '--black', 'perfect', '--white', 'weakest', '--seed', '1']).expect(0, err='').out
        row = 'Three in a row: ' if win in ('orthogonal', 'diagonal') else ''
        equal(words.splitlines()[-1], f'{row}Black wins.', f'the end where {win} wins')
    full = solve('full.dat', '--board 3x3 --pieces 4 --row 3')
    case.run([*full, '--hints', '--start', 'bbw/wwb/1wb b'], b'hint\nc1-a1\n').expect(
        0, 'Draw: Black has no legal moves.', ['The game is over.', 'c1-a1: the game is over.'])
