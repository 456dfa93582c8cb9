"""The rules of Neutreeko once more, as plainly as can be, to judge by them what the programs say.

A board is the text of its ranks from 5 to 1, with a space after each and a border of spaces before and after them: six
characters on, or back, is the same file of the next rank."""

import re
from typing import NamedTuple

STEPS = -7, -6, -5, -1, 1, 5, 6, 7


class Position(NamedTuple):
    board: str  # of 'b', 'w', '.' and spaces
    to_move: str  # 'b' or 'w'


def position(ranks, to_move):
    return Position(f'{"":6}{ranks} {"":6}', to_move)


START = position('.w.w. ..b.. ..... ..w.. .b.b.', 'b')


def opponent(side):
    return 'w' if side == 'b' else 'b'


def has_line(board, side):
    return any(
        board[square : square + 2 * step + 1 : step] == 3 * side for step in STEPS[4:] for square in range(len(board))
    )


def is_over(position):
    return has_line(position.board, opponent(position.to_move))


def name(square):
    return 'abcde'[square % 6] + '654321'[square // 6]


def moves(position):
    """The positions that the legal moves lead to, each under the name of its move."""
    found = {}
    pieces = [
        square for square, piece in enumerate(position.board) if piece == position.to_move and not is_over(position)
    ]
    for origin in pieces:
        for step in STEPS:
            end = origin
            while position.board[end + step] == '.':
                end += step
            if end != origin:
                moved = list(position.board)
                moved[origin], moved[end] = '.', position.to_move
                found[f'{name(origin)}-{name(end)}'] = Position(''.join(moved), opponent(position.to_move))
    return found


def fen(position):
    """As 1w1w1/2b2/5/2w2/1b1b1 b."""
    return re.sub(r'\.+', lambda empty: str(len(empty[0])), '/'.join(position.board.split())) + ' ' + position.to_move


def random_position(random):
    """A legal position: the side to move has not won already. The other side may have."""
    while True:
        squares = ''.join(random.sample('bbbwww' + 19 * '.', 25))
        found = position(' '.join(squares[rank:rank + 5] for rank in range(0, 25, 5)), random.choice('bw'))
        if not has_line(found.board, found.to_move):
            return found
