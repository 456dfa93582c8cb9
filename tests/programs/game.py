"""Follows what neutreeko play prints with the rules of oracle."""

import re

import oracle

PLAYED = re.compile(r'(Black|White) plays (\S+)\.$')
BOARD_END = {'    a b c d e': False, '    e d c b a': True}  # whether it is seen from White's side
DRAWN = 'Draw by threefold repetition.'


def board_lines(position, last=None, flip=False):
    """The board as it should be printed; `last` is the name of the move that led to it."""
    marked, left = (last[3:], last[:2]) if last else (None, None)
    lines = []
    files = range(4, -1, -1) if flip else range(5)
    for rank in range(5) if flip else range(4, -1, -1):
        text = f' {rank + 1} '
        before = False
        for file in files:
            name = oracle.square_name((file, rank))
            text += ']' if before else '[' if name == marked else ' '
            before = name == marked
            letter = oracle.letter(position, (file, rank))
            text += '+' if name == left and letter == '.' else letter
        lines.append(text + (']' if before else ''))
    return lines + ['    ' + ' '.join('abcde'[file] for file in files)]


class Follower:
    """A game as printed so far. Every move has to be legal and every board right."""

    def __init__(self, position=oracle.START):
        self.position, self.last, self.plies = position, None, 0

    def play(self, move):
        self.position = oracle.moves(self.position)[move]
        self.last = move
        self.plies += 1

    def legal(self):
        return sorted(oracle.moves(self.position))

    def follow(self, lines):
        """Takes the lines that were printed; returns those that are neither moves nor boards."""
        rest = []
        for number, line in enumerate(lines):
            played = PLAYED.match(line)
            if played:
                assert played[1] == {'b': 'Black', 'w': 'White'}[self.position.to_move]
                self.play(played[2])
            elif line in BOARD_END:
                assert lines[number - 5:number + 1] == board_lines(self.position, self.last, BOARD_END[line])
                rest = rest[:-5]
            elif line:
                rest.append(line)
        return rest


def cycle(position):
    """Four moves that lead back to the position."""
    def search(at, moves):
        if len(moves) == 4:
            return moves if at == position else None
        return next(filter(None, (search(after, moves + [move]) for move, after in oracle.moves(at).items())), None)
    return search(position, [])
