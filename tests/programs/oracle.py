"""The rules of Neutreeko once more, as plainly as can be, to judge by them what the programs say.

A square is a pair (file, rank), both from 0: a1 is (0, 0), e5 is (4, 4).
"""

from typing import NamedTuple

SIDE = 5
STEPS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
SQUARES = [(file, rank) for rank in range(SIDE) for file in range(SIDE)]
BOARD = frozenset(SQUARES)
ROWS = {frozenset((file + i * df, rank + i * dr) for i in range(3))
        for file, rank in SQUARES for df, dr in STEPS
        if 0 <= file + 2 * df < SIDE and 0 <= rank + 2 * dr < SIDE}


class Position(NamedTuple):
    black: frozenset
    white: frozenset
    to_move: str  # 'b' or 'w'

    @property
    def mover(self):
        return self.black if self.to_move == 'b' else self.white

    @property
    def other(self):
        return self.white if self.to_move == 'b' else self.black


def is_over(position):
    return position.other in ROWS


def moves(position):
    """The positions that the legal moves lead to, each under the name of its move."""
    found = {}
    if is_over(position):
        return found
    empty = BOARD - position.mover - position.other
    for origin in position.mover:
        for df, dr in STEPS:
            file, rank = origin
            while (file + df, rank + dr) in empty:
                file, rank = file + df, rank + dr
            if (file, rank) != origin:
                moved = position.mover - {origin} | {(file, rank)}
                found[f'{square_name(origin)}-{square_name((file, rank))}'] = (
                    Position(moved, position.white, 'w') if position.to_move == 'b'
                    else Position(position.black, moved, 'b'))
    return found


def square_name(square):
    return 'abcde'[square[0]] + '12345'[square[1]]


def letter(position, square):
    return 'b' if square in position.black else 'w' if square in position.white else '.'


def fen(position):
    """As 1w1w1/2b2/5/2w2/1b1b1 b."""
    ranks = []
    for rank in reversed(range(SIDE)):
        text = ''.join(letter(position, (file, rank)) for file in range(SIDE))
        for empty in range(SIDE, 0, -1):
            text = text.replace('.' * empty, str(empty))
        ranks.append(text)
    return '/'.join(ranks) + ' ' + position.to_move


def random_position(random):
    """A legal position: the side to move has not won already. The other side may have."""
    while True:
        squares = random.sample(SQUARES, 6)
        position = Position(frozenset(squares[:3]), frozenset(squares[3:]), random.choice('bw'))
        if position.mover not in ROWS:
            return position


START = Position(frozenset({(1, 0), (3, 0), (2, 3)}), frozenset({(1, 4), (3, 4), (2, 1)}), 'b')
