"""Follows what neutreeko play prints with the rules of cli_game."""

import re

import cli_game
from cli_harness import check, equal

PLAYED = re.compile(r'(Black|White) plays (\S+)\.$')
BOARD_END = {'    a b c d e': False, '    e d c b a': True}  # whether it is seen from White's side


def board_lines(position, last=None, flip=False):
    """The board as it should be printed; `last` is the name of the move that led to it."""
    marked, left = (last[3:], last[:2]) if last else (None, None)
    lines = []
    files = range(4, -1, -1) if flip else range(5)
    for rank in range(5) if flip else range(4, -1, -1):
        text = f' {rank + 1} '
        before = False
        for file in files:
            name = cli_game.square_name((file, rank))
            text += ']' if before else '[' if name == marked else ' '
            before = name == marked
            letter = cli_game.letter(position, (file, rank))
            text += '+' if name == left and letter == '.' else letter
        lines.append(text + (']' if before else ''))
    return lines + ['    ' + ' '.join('abcde'[file] for file in files)]


class Follower:
    """A game as told so far. Every move told has to be legal and every board right."""

    def __init__(self, position=cli_game.START):
        self.position = position
        self.last = None
        self.plies = 0

    def play(self, move):
        legal = cli_game.moves(self.position)
        check(move in legal, f'{move} is against the rules in {cli_game.fen(self.position)}')
        self.position = legal[move]
        self.last = move
        self.plies += 1

    def follow(self, lines):
        """Takes the lines that were printed; returns those that are neither moves nor boards."""
        rest = []
        for number, line in enumerate(lines):
            told = PLAYED.match(line)
            if told:
                equal(told[1], {'b': 'Black', 'w': 'White'}[self.position.to_move], f'who plays {told[2]}')
                self.play(told[2])
            elif line in BOARD_END:
                equal(lines[number - 5:number + 1], board_lines(self.position, self.last, BOARD_END[line]),
                      'the board')
                rest = rest[:-5]
            elif line:
                rest.append(line)
        return rest


def cycle(position):
    """Four moves that lead back to the position."""
    def search(at, moves):
        if len(moves) == 4:
            return moves if at == position else None
        return next(filter(None, (search(after, moves + [move])
                                  for move, after in cli_game.moves(at).items())), None)
    return search(position, [])
