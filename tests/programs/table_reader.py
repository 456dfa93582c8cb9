"""Reads a table as docs/FORMATS.md describes it, and uses nothing else of the project. A set of squares is a bit
mask."""

import itertools
import math
import zlib

WIN, DRAW, LOSS = 0, 1, 2
# Where numbers are in the header.
ENTRIES, SIZE, BLOCK_CODES, BLOCKS, CODES_CHECKSUM = map(slice, (72, 80, 88, 92, 96), (80, 88, 92, 96, 104))
HEADER, ITEM = 112, 16  # bytes; the list after the header has an item for each block of codes and of trap values
DIRECTIONS = [(file, rank) for file in (-1, 0, 1) for rank in (-1, 0, 1) if file or rank]


def number(table, place):
    return int.from_bytes(table[place], 'little')


def begin_of_blocks(table):
    return HEADER + 2 * ITEM * number(table, BLOCKS)


def damaged(table):
    """The content of a table with wrong bytes in all blocks."""
    begin = begin_of_blocks(table)
    return table[:begin] + table[begin:].translate(bytes(byte ^ 1 for byte in range(256)))


def unpack(packed, count):
    """The codes of a block."""
    per_byte = packed[0]
    base = {2: 16, 3: 6}[per_byte]
    end = base + (count + per_byte - 1) // per_byte
    others = iter(packed[end:])
    codes = []
    for number in packed[base:end]:
        for _ in range(per_byte):
            number, digit = divmod(number, base)
            if len(codes) < count:
                codes.append(packed[1 + digit] if digit < base - 1 else next(others))
    assert next(others, None) is None, 'a code more'
    return codes


class Table:
    def __init__(self, path):
        self.bytes = path.read_bytes()
        assert self.bytes[:8] == b'\x89NKT\r\n\x1a\n'
        assert number(self.bytes, slice(8, 12)) == 2
        self.width, self.height, self.pieces = self.bytes[12:15]
        self.squares = self.width * self.height
        self.per_orbit = math.comb(self.squares - self.pieces, self.pieces)
        self.codes = list(self.read_codes())
        self.transforms = [self.transform(number) for number in range(8 if self.width == self.height else 4)]
        self.number_orbits()

    def read_codes(self):
        """The codes of all entries."""
        entries, in_block, blocks = (number(self.bytes, place) for place in (ENTRIES, BLOCK_CODES, BLOCKS))
        begin = begin_of_blocks(self.bytes)
        for block in range(blocks):
            item = HEADER + ITEM * block
            end = number(self.bytes, slice(item, item + 8))
            yield from unpack(zlib.decompress(self.bytes[begin:end]), min(in_block, entries - block * in_block))
            begin = end

    def transform(self, number):
        """Where each square goes."""
        squares = []
        for square in range(self.squares):
            rank, file = divmod(square, self.width)
            file = self.width - 1 - file if number & 1 else file
            rank = self.height - 1 - rank if number & 2 else rank
            squares.append(file * self.width + rank if number & 4 else rank * self.width + file)
        return squares

    def number_orbits(self):
        """For each configuration the number of its orbit, and a transform that makes it canonical."""
        self.orbits, self.to_canonical = {}, {}
        count = 0
        masks = sorted(sum(1 << s for s in c) for c in itertools.combinations(range(self.squares), self.pieces))
        for mask in masks:
            if mask in self.orbits:
                continue
            for transform in self.transforms:
                inverse = [transform.index(square) for square in range(self.squares)]
                image = moved(mask, transform)
                self.orbits[image] = count
                self.to_canonical[image] = inverse
            count += 1

    def code(self, mover, other):
        """The code of a position; the sides are sets of squares."""
        transform = self.to_canonical[other]
        mover, other_image = moved(mover, transform), moved(other, transform)
        free = [square for square in range(self.squares) if not other_image >> square & 1]
        places = [place for place, square in enumerate(free) if mover >> square & 1]
        number = sum(math.comb(place, count) for count, place in enumerate(places, 1))
        return self.codes[self.orbits[other] * self.per_orbit + number]

    def positions_after(self, mover, other):
        """After each move, with the opponent to move."""
        occupied = mover | other
        for start in squares_of(mover):
            for d_file, d_rank in DIRECTIONS:
                rank, file = divmod(start, self.width)
                stop = start
                while (0 <= file + d_file < self.width and 0 <= rank + d_rank < self.height
                       and not occupied >> (rank + d_rank) * self.width + file + d_file & 1):
                    file, rank = file + d_file, rank + d_rank
                    stop = rank * self.width + file
                if stop != start:
                    yield other, mover ^ 1 << start ^ 1 << stop

    def value(self, mover, other):
        """The result for the side to move and the distance in plies."""
        code = self.code(mover, other)
        if code == DRAW:
            return 'draw', None
        if code >= LOSS:
            return 'loss', 2 * (code - LOSS)
        losses = [after for after in (self.code(*p) for p in self.positions_after(mover, other)) if after >= LOSS]
        return 'win', 2 * (min(losses) - LOSS) + 1


def squares_of(mask):
    return [square for square in range(mask.bit_length()) if mask >> square & 1]


def moved(mask, transform):
    return sum(1 << transform[square] for square in squares_of(mask))
