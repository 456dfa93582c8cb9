"""The rules and the complete solution of the board game Neutreeko.

A position is a text, as in '1w1w1/2b2/5/2w2/1b1b1 b' (the ranks from the highest to the lowest, then the side to move),
or a `Position`. 'standard' is the start position and, with a table, 'fair:17' a fair start by its number. A move is a
text, as in 'b1-c1'. Sides, results and ends of games, such as `Side.BLACK` and `Result.WIN`, equal their texts, 'black'
and 'win'. Values are from the view of the side to move; distances are in plies (moves by one side) and assume optimal
play. What there is not is None: compare numbers, which may be 0, with `is None`::

    with neutreeko.Table() as table:
        print(table.value(table.start))

The classes, each with a help text of its own, such as `help(neutreeko.Table)`::

    Table            the solved game: values, moves, puzzles, fair starts; makes games; `SolveProgress` of its solving
    Game             moves with undo, values with repetition, opponents, review, explanations
    PerfectPlayer    chooses perfect moves; `opponents()` lists the others as `Opponent`
    Position         a position (as an argument also a text: `PositionLike`), `Side` to move
    Rules, Board     the rules of a board, without a table

    Value, Result    of a position or a move, in `MoveValue` and `Choice`
    Played, End      what a move did, and how a game has ended
    Reviewed         a move, judged
    Why              what a move does: `Replies`, and each `Win` that it threatens or prevents
    Puzzle, Summary  of `Table.puzzles`, of `Table.summary`
    GameRecord       a game with headers, variations and comments, each move a `RecordNode`

    Error            of which all errors are: `ArgumentError`, `InvalidError`, `OutOfMemoryError`, `TableError`

Any number of threads may use a `Table`, a `Game` or a `PerfectPlayer`. A process made by `os.fork` or `multiprocessing`
may use those of its parent, whatever other threads were doing with them at that moment. A thread that was inside a call
is lost to the child, as is the call's result."""

from __future__ import annotations

import collections.abc
import contextlib
import enum
import json
import operator
import os
import sys
import threading
import warnings
import weakref
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple, Type, Union

from neutreeko._native import ffi, lib

if TYPE_CHECKING:  # functions import what few programs need: NumPy takes longer than solving the game
    import numpy
    import numpy.typing

__all__ = ['ArgumentError', 'Board', 'Choice', 'End', 'Error', 'Game', 'GameRecord', 'InvalidError', 'MoveValue',
           'Opponent', 'OutOfMemoryError', 'PerfectPlayer', 'Played', 'Position', 'PositionLike', 'Puzzle',
           'RecordNode', 'Replies', 'Result', 'Reviewed', 'Rules', 'Side', 'SolveProgress', 'Summary', 'Table',
           'TableError', 'Value', 'Why', 'Win', '__version__', 'opponents']

__version__: str = ffi.string(lib.nk_version()).decode()


def _names() -> Any:
    """The names that the library uses, in the order of its enumerations, and its limits."""
    text = lib.nk_names()
    if text == ffi.NULL:
        raise MemoryError('out of memory for the names')
    try:
        return json.loads(ffi.string(text))
    finally:
        lib.free(text)


_NAMES = _names()
_WINS: List[str] = [win['name'] for win in _NAMES['wins']]
_LINE_WINS = [win['name'] for win in _NAMES['wins'] if win['lines']]
_OFFERED: Dict[str, str] = {'perfect': 'perfect',
                            **{one['same_as']: one['form'] for one in _NAMES['opponents'] if one['same_as']}}
_MARKS: List[Optional[str]] = [None, *_NAMES['marks']]


# ---- errors ----

class Error(Exception):
    """An error of the library, with its message: the errors of all functions are of one of the following kinds."""


class ArgumentError(Error, TypeError):
    """An argument is of a wrong type."""


class OutOfMemoryError(Error, MemoryError):
    """Memory has run out."""


class InvalidError(Error, ValueError):
    """A position, a move, a record, a board or another argument is invalid, or the table is closed.

    `at` is the character of the text at which it is, from 1, or 0."""

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.at = at


class TableError(Error):
    """A table cannot be read, is damaged, or is not a table."""


def _call(function: Any, *arguments: Any) -> None:
    """Calls a function of the library that may fail, and raises its error."""
    error = ffi.new('struct nk_error *')
    status = function(*arguments, error)
    if status == lib.NK_OK:
        return
    message = ffi.string(error.text).decode('utf-8', 'replace')
    if status == lib.NK_E_MEMORY:
        raise OutOfMemoryError(message)
    if status in (lib.NK_E_RULES, lib.NK_E_SYNTAX, lib.NK_E_POSITION, lib.NK_E_MOVE):
        raise InvalidError(message, error.at)
    raise TableError(message)


def _require(thing: Any, kind: type, what: str) -> Any:
    """The argument, which has to be of a type."""
    if not isinstance(thing, kind):
        raise ArgumentError(f'{what}: expected {kind.__name__}, not {type(thing).__name__}')
    return thing


def _quoted(text: str) -> str:
    """A text for a message, cut if it is long."""
    most = 60
    return repr(text if len(text) <= most else f'{text[:most - 3]}...')


def _listed(choices: List[str]) -> str:
    """As in 'a, b or c'."""
    return f'{", ".join(choices[:-1])} or {choices[-1]}'


def _read(what: str, function: Any, rules: Any, text: str, *results: Any) -> None:
    """Has the library read a text, which a message quotes, with the place at which it is invalid."""
    given = _text(text, what)
    try:
        _call(function, rules, given, *results)
    except InvalidError as error:
        raise _invalid(what, text, error) from None


def _invalid(what: str, text: str, error: InvalidError, where: str = '') -> InvalidError:
    """The error of a text with the text and the place in it."""
    place = f'character {error.at}: ' if error.at else ''
    return InvalidError(f'{where}invalid {what} {_quoted(text)}: {place}{error}', error.at)


@contextlib.contextmanager
def _of_move(move: str) -> Iterator[None]:
    """Names the move in an error."""
    try:
        yield
    except InvalidError as error:
        raise InvalidError(f'illegal move {_quoted(move)}: {error}') from None


def _text(text: str, what: str) -> bytes:
    """A text for the library, which reads up to the first zero."""
    _require(text, str, what)
    if '\0' in text:
        raise InvalidError(f'{what}: unexpected zero character', text.index('\0') + 1)
    return text.encode('utf-8', 'replace')


def _integer(number: Any, what: str) -> int:
    """An integer, which may be one of NumPy. The library would be given any other number truncated."""
    try:
        return operator.index(number)
    except TypeError:
        raise ArgumentError(f'{what}: expected int, not {type(number).__name__}') from None


def _string(text: Any) -> str:
    """The string in an nk_text."""
    return str(ffi.string(text.s).decode())


# ---- processes made by fork ----

# Held while a game changes, which takes microseconds. A fork waits for it, so that the child gets no game half changed.
_changing = threading.RLock()
# What needs _after_fork in the child.
_shared: 'weakref.WeakSet[Any]' = weakref.WeakSet()


def _before_fork() -> None:
    _changing.acquire()


def _after_fork_in_parent() -> None:
    _changing.release()


def _after_fork_in_child() -> None:
    """Replaces the locks, which threads that do not exist in the child may hold."""
    global _changing
    _changing = threading.RLock()
    for thing in _shared:
        thing._after_fork()


if hasattr(os, 'register_at_fork'):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child)


# ---- values ----

class _Name(str, enum.Enum):
    """A name of the library, which equals its text."""

    def __str__(self) -> str:
        return str(self.value)

    def __repr__(self) -> str:
        return f'{type(self).__name__}.{self.name}'


_NUMBERS = {'loss': -1, 'draw': 0, 'win': 1}


class Result(_Name):
    """The result of a position for a side. A better result is greater. The arrays that `Table.values` returns
    have its number instead, and can be compared with it."""
    LOSS = 'loss'
    DRAW = 'draw'
    WIN = 'win'

    # NumPy leaves comparisons to this class: a text would differ from every number of an array.
    __array_ufunc__ = None

    @classmethod
    def _missing_(cls, value: object) -> Optional[Result]:
        return next((result for result in cls if result.number == value), None)

    @property
    def number(self) -> int:
        """1 for a win, 0 for a draw, -1 for a loss."""
        return _NUMBERS[self.value]

    def _compare(self, compare: Callable[[Any, Any], Any], other: Any) -> Any:
        if isinstance(other, str) and other in _NUMBERS:
            return compare(self.number, Result(other).number)
        # NumPy is there if `other` belongs to it; another thread may be importing it.
        loaded = sys.modules.get('numpy')
        kinds = getattr(loaded, 'ndarray', ()), getattr(loaded, 'number', ())
        return compare(self.number, other) if isinstance(other, kinds) else NotImplemented

    def __eq__(self, other: Any) -> Any:
        return self._compare(operator.eq, other)

    def __ne__(self, other: Any) -> Any:
        return self._compare(operator.ne, other)

    def __lt__(self, other: Any) -> Any:
        return self._compare(operator.lt, other)

    def __le__(self, other: Any) -> Any:
        return self._compare(operator.le, other)

    def __gt__(self, other: Any) -> Any:
        return self._compare(operator.gt, other)

    def __ge__(self, other: Any) -> Any:
        return self._compare(operator.ge, other)

    def __hash__(self) -> int:
        return str.__hash__(self)


class Side(_Name):
    """A side. Black moves first."""
    BLACK = 'black'
    WHITE = 'white'

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.WHITE if self is Side.BLACK else Side.BLACK


class End(_Name):
    """How a game has ended."""
    WON = 'won'
    REPETITION = 'repetition'
    STALEMATE = 'stalemate'
    RESIGNED = 'resigned'
    TIME = 'time'
    AGREED = 'agreed'
    STATED = 'stated'


_SIDES: List[Side] = list(Side)
_ENDS: List[Optional[End]] = [None, *End]
assert [side.value for side in Side] == _NAMES['sides']
assert [end.value for end in End] == _NAMES['ends']


class Value(NamedTuple):
    """A result and the distance to the end of the game in plies, which is None for a draw.

    The better value is the greater one, for the side to which it refers: a better result, a faster win or a slower
    loss."""
    result: Result
    plies: Optional[int]

    @property
    def _worth(self) -> Tuple[int, int]:
        number = Result(self.result).number
        return number, -number * (self.plies or 0)

    def __lt__(self, other: Any) -> bool:
        if not isinstance(other, Value):
            return NotImplemented
        return self._worth < other._worth

    def __le__(self, other: Any) -> bool:
        if not isinstance(other, Value):
            return NotImplemented
        return self._worth <= other._worth

    def __gt__(self, other: Any) -> bool:
        if not isinstance(other, Value):
            return NotImplemented
        return self._worth > other._worth

    def __ge__(self, other: Any) -> bool:
        if not isinstance(other, Value):
            return NotImplemented
        return self._worth >= other._worth

    def __str__(self) -> str:
        plies = 0 if self.result == Result.DRAW else _integer(self.plies, 'plies')
        if not 0 <= plies <= lib.NK_MAX_PLIES:
            raise InvalidError(f'plies: expected 0 to {lib.NK_MAX_PLIES}, not {plies}')
        return _string(lib.nk_value_text(ffi.new('struct nk_value *', (_result(self.result).number, plies))[0]))


class MoveValue(NamedTuple):
    """A move and its value for the side that makes it; the distance includes the move."""
    move: str
    value: Value


class Choice(NamedTuple):
    """A move in a game.

    `repeats` is how often the position after the move has occurred; 2 means that the move ends the game as a draw.
    `trap`: for a draw, the probability in 256ths that an imperfect opponent loses after the move; otherwise None."""
    move: str
    value: Value
    repeats: int
    trap: Optional[int]


class Played(NamedTuple):
    """What a move did: the side that made it, the position after it, how it ended the game (None if it did not), and
    the winner, if there is one."""
    move: str
    side: Side
    position: Position
    end: Optional[End]
    winner: Optional[Side]


class Opponent(NamedTuple):
    """An opponent that `Game.opponent_move` knows, with a description. A few of all strengths have another name for
    people, as 'level:1' is 'beginner', under which `Game.opponent_move` knows them, too."""
    name: str
    about: str
    offered_as: Optional[str]


class Puzzle(NamedTuple):
    """A position in which only one of several moves, the answer, wins or, if it is drawn, does not lose."""
    position: Position
    answer: str


class Reviewed(NamedTuple):
    """A move of a game, judged.

    `ply` is the number of the move, from 1, `position` the one in which it was played. `before` is the value of the
    position, `after` that of the move, both for the side that made it. `mark` is '?' for a mistake, which lowers the
    result by one step, '??' for a blunder, from a win to a loss, and otherwise None. `better` is a best move, or None
    if the move is as good. `plies_lost`: by how much a win is delayed or a loss hastened."""
    ply: int
    move: str
    side: Side
    position: Position
    before: Value
    after: Value
    mark: Optional[str]
    better: Optional[str]
    plies_lost: int


class Win(NamedTuple):
    """A forced win: its first move, the distance in plies and the best line."""
    move: str
    plies: int
    line: List[str]


class Replies(NamedTuple):
    """The number of replies to a move, and how many of them lose, draw and win for the opponent."""
    total: int
    losing: int
    holding: int
    winning: int


class Why(NamedTuple):
    """What a move does, for the side that makes it.

    `value` is that of the move, `before` that of the position, `next` the position after the move. `gives` is the
    result that the move loses, or None. `best` is a best move, the move itself if no other is better. `only`: every
    other move loses the win or the draw that this one keeps. `repeats`: it ends the game by threefold repetition.
    `threat` is the win of the same side if the opponent could pass, `prevented` that of the opponent which the move
    prevents or delays; None if there is none or the move ends the game. `line` is the best line after the move, in a
    drawn game its first moves. `only_reply` is the only one of several replies that keeps the opponent's result, or
    None."""
    move: str
    value: Value
    before: Value
    next: Position
    gives: Optional[Result]
    best: str
    only: bool
    repeats: bool
    threat: Optional[Win]
    prevented: Optional[Win]
    line: List[str]
    replies: Replies
    only_reply: Optional[str]


class RecordNode(NamedTuple):
    """A move of a game or of a variation; the first node of a tree is the start, without a parent and a move.

    `parent` is the number of the node before it, from 0: the first of several nodes with the same parent continues the
    line, the others begin variations. `marks` is a text such as '?! $14'. `resigned`: the side to move then resigned,
    and the moves after it are alternatives to that."""
    parent: Optional[int]
    move: Optional[str]
    marks: Optional[str] = None
    comment: Optional[str] = None
    resigned: bool = False


class GameRecord(NamedTuple):
    """A game with variations, marks and comments: the nodes of its tree, each after its parent, and its headers (see
    `Game.headers`)."""
    start: Position
    tree: List[RecordNode]
    headers: Dict[str, str]


class Summary(NamedTuple):
    """Numbers of positions; `longest` is the longest distance in plies."""
    placements: int
    legal: int
    wins: int
    losses: int
    draws: int
    stalemates: int
    longest: int


class Board(NamedTuple):
    """A variant of the game: `win` is 'line', 'orthogonal', 'diagonal', 'equidistant' or 'centre'."""
    width: int = 5
    height: int = 5
    pieces: int = 3
    row_length: int = 3
    win: str = 'line'

    def __str__(self) -> str:
        return f'{self.width}x{self.height}, {self.pieces} pieces, row {self.row_length}, {self.win}'


def _result(result: Any) -> Result:
    try:
        return Result(result)
    except ValueError:
        raise InvalidError(f'result: expected {_listed(list(Result))}, not {result!r}') from None


def _c_board(board: Board) -> Any:
    _require(board, Board, 'board')
    if board.win not in _WINS:
        raise InvalidError(f'a winning condition of {board.win!r}: expected {_listed(_WINS)}')
    # What an int cannot hold is as wrong as the largest that it can hold.
    numbers = [min(max(_integer(number, field), -1), (1 << 31) - 1)
               for field, number in zip(board._fields[:4], board)]
    return ffi.new('struct nk_board *', (*numbers, _WINS.index(board.win)))


def _value(value: Any) -> Value:
    return Value(Result(value.result), None if value.result == lib.NK_DRAW else value.plies)


# ---- rules and positions ----

_DIRECTIONS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]  # clockwise from north


def _integers(positions: numpy.typing.NDArray[Any], name: str, most: int) -> numpy.typing.NDArray[Any]:
    """A field of an array of positions, one integer from 0 to `most` for each."""
    import numpy
    if name not in (positions.dtype.names or ()):
        raise ArgumentError(f'positions: expected an array with the fields mover and other, not of {positions.dtype}')
    field = positions[name]
    if field.dtype.kind not in 'biu' or field.shape != positions.shape:
        raise ArgumentError(f'positions: expected an integer as {name}, not {positions.dtype[name]}')
    wrong = numpy.flatnonzero((field < 0) | (field > most))
    if wrong.size:
        raise InvalidError(f'position {wrong[0]}: {name} of {field.flat[wrong[0]]}, expected 0 to {most}')
    return field


class Rules:
    """The rules of a board; of the standard game by default."""

    def __init__(self, board: Board = Board()) -> None:
        rules = ffi.new('struct nk_rules **')
        _call(lib.nk_rules_new, _c_board(board), rules)
        self._c = ffi.gc(rules[0], lib.nk_rules_free)
        self._owner: Any = None

    @classmethod
    def _of_table(cls, table: Any) -> Rules:
        rules = cls.__new__(cls)
        rules._c = lib.nk_table_rules(table)
        rules._owner = table  # the rules are part of it
        return rules

    def __repr__(self) -> str:
        return f'Rules({self.board!r})'

    def __reduce__(self) -> Any:
        return Rules, (self.board,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self.board == other.board

    def __hash__(self) -> int:
        return hash(self.board)

    @property
    def board(self) -> Board:
        """The variant of the game."""
        board = lib.nk_rules_board(self._c)
        return Board(board.width, board.height, board.pieces, board.row_length, _WINS[board.win])

    @property
    def start(self) -> Position:
        """The position in which a game begins. InvalidError if the board has none: see `Table.suggested_start`."""
        position = ffi.new('struct nk_position *')
        if not lib.nk_rules_start(self._c, position):
            raise InvalidError('this board has no start position: specify a position')
        return Position.of_masks(position.mover, position.other, rules=self)

    def position(self, text: str) -> Position:
        """Reads a legal position. InvalidError if it is not one."""
        return Position(text, self)

    def positions(self, texts: Any) -> numpy.typing.NDArray[Any]:
        """Reads many legal positions, from a list or an array of texts, into a structured array of `mover`, `other`
        (see `Position`) and `to_move`, 0 for Black and 1 for White. InvalidError, with the number of the first text
        that is not one."""
        import numpy
        given = numpy.asarray(texts, object)
        read = numpy.array([_text(text, f'texts[{n}]') for n, text in enumerate(given.flat)], bytes)
        padded = read.astype(f'S{read.itemsize + 1}')
        masks = numpy.zeros(given.shape + (2,), '<u8')
        to_move = numpy.zeros(given.shape, 'u1')
        done = ffi.new('size_t *')
        try:
            _call(lib.nk_positions_parse, self._c, ffi.from_buffer(padded), padded.itemsize, given.size,
                  ffi.from_buffer('struct nk_position[]', masks, require_writable=True),
                  ffi.from_buffer('uint8_t[]', to_move, require_writable=True), done)
        except InvalidError as error:
            raise _invalid('position', given.flat[done[0]], error, f'texts[{done[0]}]: ') from None
        found = numpy.zeros(given.shape, [('mover', '<u8'), ('other', '<u8'), ('to_move', 'u1')])
        found['mover'], found['other'], found['to_move'] = masks[..., 0], masks[..., 1], to_move
        return found

    def texts(self, positions: numpy.typing.NDArray[Any]) -> numpy.typing.NDArray[Any]:
        """The texts of many positions: of what `positions` returns or, with Black to move, of what `Table.values`
        returns. InvalidError, with the number of the first position that is not legal."""
        import numpy
        try:
            given = numpy.asarray(positions)
        except ValueError:
            raise ArgumentError('positions: expected an array of positions') from None
        fields = [_integers(given, name, (1 << 64) - 1) for name in ('mover', 'other')]
        masks = numpy.stack(fields, -1).astype('<u8', 'C')
        has_side = 'to_move' in (given.dtype.names or ())
        to_move = (_integers(given, 'to_move', 1) if has_side else numpy.zeros(given.shape)).astype('u1', 'C')
        texts = numpy.zeros(given.shape, f'S{ffi.sizeof("struct nk_text")}')
        done = ffi.new('size_t *')
        try:
            _call(lib.nk_positions_text, self._c, ffi.from_buffer('struct nk_position[]', masks),
                  ffi.from_buffer('uint8_t[]', to_move), given.size,
                  ffi.from_buffer('struct nk_text[]', texts, require_writable=True), done)
        except InvalidError as error:
            raise InvalidError(f'position {done[0]}: {error}') from None
        return texts.astype(f'U{numpy.char.str_len(texts).max(initial=1)}')

    def best_moves(self, listed: Any) -> List[str]:
        """The moves that `best` has, a field of an item of the array that `Table.values` returns."""
        width, height = self.board[:2]
        try:
            mover, other, best = (int(listed[field]) for field in ('mover', 'other', 'best'))
        except (IndexError, KeyError, TypeError, ValueError):
            raise ArgumentError('listed: expected an item of the array that Table.values returns') from None
        pieces = [square for square in range(width * height) if mover >> square & 1]
        if best >> len(_DIRECTIONS) * len(pieces):
            raise InvalidError(f'best: {best} has moves of more than {len(pieces)} pieces')
        found = []
        for bit in range(best.bit_length()):
            if not best >> bit & 1:
                continue
            begin, (dx, dy) = pieces[bit // len(_DIRECTIONS)], _DIRECTIONS[bit % len(_DIRECTIONS)]
            x, y = begin % width, begin // width
            while (0 <= x + dx < width and 0 <= y + dy < height
                   and not (mover | other) >> x + dx + width * (y + dy) & 1):
                x, y = x + dx, y + dy
            found.append(self._move_text(ffi.new('struct nk_move *', (begin, x + width * y))[0]))
        return found

    def _accept(self, position: PositionLike) -> Position:
        if isinstance(position, str):
            return self.position(position)
        if not isinstance(position, Position):
            raise ArgumentError(f'position: expected str or Position, not {type(position).__name__}')
        if position.rules is not self and position.rules.board != self.board:
            raise InvalidError(f"the position is on another board: '{position.rules.board}', expected '{self.board}'")
        return position

    def _move(self, text: str) -> Any:
        move = ffi.new('struct nk_move *')
        _read('move', lib.nk_move_parse, self._c, text, move)
        return move[0]

    def _move_text(self, move: Any) -> str:
        return _string(lib.nk_move_text(self._c, move))


class Position:
    """A legal position, which does not change.

    `mover` and `other` are bit masks of the squares of the side to move and of its opponent: square a1 is bit 0, and
    the bit of a square is file + width * rank. `str` is the board, `text` the position as one line."""

    __slots__ = '_rules', '_mover', '_other', '_to_move'

    def __init__(self, text: str, rules: Optional[Rules] = None) -> None:
        """Reads a legal position, of the standard board by default. InvalidError if it is not one."""
        rules = _rules(rules)
        position, to_move = ffi.new('struct nk_position *'), ffi.new('enum nk_colour *')
        _read('position', lib.nk_position_parse, rules._c, text, position, to_move)
        self._set(rules, position.mover, position.other, _SIDES[to_move[0]])

    @classmethod
    def of_masks(cls, mover: int, other: int, to_move: str = Side.BLACK, rules: Optional[Rules] = None) -> Position:
        """The position with these bit masks, which is checked."""
        if to_move not in _SIDES:
            raise InvalidError(f'a side to move of {to_move!r}: expected black or white')
        mover, other = _integer(mover, 'mover'), _integer(other, 'other')
        if not 0 <= mover < 1 << 64 or not 0 <= other < 1 << 64:
            raise InvalidError('a bit mask of squares: expected 0 to 2**64 - 1')
        rules = _rules(rules)
        position = cls.__new__(cls)
        position._set(rules, mover, other, Side(to_move))
        _call(lib.nk_position_check, rules._c, position._c, _SIDES.index(position.to_move))
        return position

    def _set(self, rules: Rules, mover: int, other: int, to_move: Side) -> None:
        self._rules, self._mover, self._other, self._to_move = rules, mover, other, to_move

    @property
    def rules(self) -> Rules:
        """The rules of its board."""
        return self._rules

    @property
    def mover(self) -> int:
        """The squares of the side to move."""
        return self._mover

    @property
    def other(self) -> int:
        """The squares of its opponent."""
        return self._other

    @property
    def to_move(self) -> Side:
        """The side to move."""
        return self._to_move

    def __reduce__(self) -> Any:
        return Position, (self.text, self.rules)

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: Any) -> Position:
        return self

    @property
    def _c(self) -> Any:
        return ffi.new('struct nk_position *', (self.mover, self.other))[0]

    @property
    def _key(self) -> Tuple[Board, int, int, str]:
        return self.rules.board, self.mover, self.other, self.to_move

    @property
    def text(self) -> str:
        """The position as one line: the ranks from the highest to the lowest, then the side to move."""
        return _string(lib.nk_position_text(self.rules._c, self._c, _SIDES.index(self.to_move)))

    def __str__(self) -> str:
        width, height = self.rules.board[:2]
        squares = self._squares()
        lines = [f' {rank + 1}  ' + ' '.join(squares[rank * width:(rank + 1) * width])
                 for rank in reversed(range(height))]
        return '\n'.join([*lines, '    ' + ' '.join('abcdefgh'[:width])])

    def __repr__(self) -> str:
        rules = '' if self.rules.board == Board() else f', {self.rules!r}'
        return f'Position({self.text!r}{rules})'

    def _squares(self) -> str:
        """The pieces on all squares: 'b', 'w' or '.'."""
        width, height = self.rules.board[:2]
        mover = self.to_move.value[0]
        other = self.to_move.other.value[0]
        return ''.join(mover if self.mover >> square & 1 else other if self.other >> square & 1 else '.'
                       for square in range(width * height))

    def _repr_svg_(self) -> str:
        """The picture that notebooks show."""
        width, height = self.rules.board[:2]
        size = 40
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * size}" height="{height * size}" role="img">'
                 f'<title>{self.text}</title>']
        for square, piece in enumerate(self._squares()):
            x, y = square % width * size, (height - 1 - square // width) * size
            parts.append(f'<rect x="{x}" y="{y}" width="{size}" height="{size}" fill="#eee" stroke="#888"/>')
            if piece != '.':
                fill = '#222' if piece == 'b' else '#fff'
                parts.append(f'<circle cx="{x + size // 2}" cy="{y + size // 2}" r="{size * 3 // 8}" fill="{fill}" '
                             'stroke="#222"/>')
        return ''.join(parts) + '</svg>'

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def moves(self) -> List[str]:
        """The legal moves, ordered by the square of the piece, then by the direction, clockwise from north."""
        moves = ffi.new('struct nk_move[]', lib.NK_MAX_MOVES)
        count = lib.nk_position_moves(self.rules._c, self._c, moves)
        return [self.rules._move_text(moves[m]) for m in range(count)]

    def play(self, move: str) -> Position:
        """The position after a move. InvalidError if the move is illegal."""
        c_move = self.rules._move(move)
        with _of_move(move):
            _call(lib.nk_move_check, self.rules._c, self._c, _SIDES.index(self.to_move), c_move)
        after = self.mover ^ 1 << getattr(c_move, 'from') ^ 1 << c_move.to
        return Position.of_masks(self.other, after, self.to_move.other, self.rules)


PositionLike = Union[str, Position]

_standard_rules: Optional[Rules] = None


def _standard() -> Rules:
    """The rules of the standard game."""
    global _standard_rules
    _standard_rules = _standard_rules or Rules()
    return _standard_rules


def _rules(rules: Optional[Rules]) -> Rules:
    """The rules given, by default those of the standard game."""
    if rules is None:
        return _standard()
    _require(rules, Rules, 'rules')
    return rules


# ---- opponents ----

def opponents() -> List[Opponent]:
    """The opponents of `Game.opponent_move`, strongest first."""
    found: List[Opponent] = []
    name, about = ffi.new('struct nk_text *'), ffi.new('struct nk_text *')
    while lib.nk_opponent_ranked(len(found), name, about):
        found.append(Opponent(_string(name), _string(about), _OFFERED.get(_string(name))))
    return found


def _seed(seed: Optional[int]) -> Any:
    """The state of a random generator, which is random itself without a seed."""
    if seed is None:
        seed = int.from_bytes(os.urandom(8), 'little')
    seed = _integer(seed, 'seed')
    if not 0 <= seed < 1 << 64:
        raise InvalidError(f'seed: expected a number from 0 to 2**64 - 1, not {seed}')
    return ffi.new('uint64_t *', seed)


# ---- the table ----

class SolveProgress(NamedTuple):
    """How far `Table.solve` is."""
    ply: int  # the distance of the positions that were decided last
    decided: int  # how many of them
    done: float  # 0 until all positions are decided; then the share of the rest of the work, up to 1


class _Solving:
    """What the library gets for its reports."""

    def __init__(self, progress: Optional[Callable[[SolveProgress], object]]) -> None:
        self.progress = progress
        self.error: Optional[BaseException] = None


def _stop_solving(kind: Type[BaseException], error: BaseException, trace: Any) -> None:
    ffi.from_handle(trace.tb_frame.f_locals['context']).error = error


def on_solve_progress(context: Any, state: Any) -> bool:
    """The library calls it in the thread that solves, so that Ctrl-C is noticed here."""
    progress = ffi.from_handle(context).progress
    if progress is not None:
        progress(SolveProgress(state.ply, state.decided, state.done))
    return True


ffi.def_extern(error=False, onerror=_stop_solving)(on_solve_progress)


def _solve(board: Board, threads: int, memory: int,
           progress: Optional[Callable[[SolveProgress], object]]) -> Any:
    threads, memory = _integer(threads, 'threads'), _integer(memory, 'memory')
    if not 0 <= threads <= 256:
        raise InvalidError(f'threads: expected 0 to 256, not {threads}')
    if not 0 <= memory < 1 << 64:
        raise InvalidError(f'memory: expected a number of bytes, not {memory}')
    solving = _Solving(progress)
    handle = ffi.new_handle(solving)
    table = ffi.new('struct nk_table **')
    try:
        _call(lib.nk_table_solve, _c_board(board), threads, memory, lib.on_solve_progress, handle, table)
    except TableError:
        if solving.error is None:
            raise
    if solving.error is not None:
        raise solving.error
    return table[0]


class Table:
    """The solved game: the values of all positions of a board.

    `Table()` solves the standard game, in about 10 milliseconds; `Table.solve` solves any board, and `Table(path)`
    opens the table in a file that neutreeko-solve has written. A table is closed by `close`, at the end of a `with`
    statement, or when nothing refers to it. Games on it can be played after that, but not evaluated. A pickle of an
    open table has its path or, without one, its board, which is solved again."""

    def __init__(self, path: Union[str, 'os.PathLike[str]', None] = None) -> None:
        if path is None:
            self._take(_solve(Board(), 1, 0, None), None)
            return
        if not isinstance(path, (str, bytes, os.PathLike)):
            raise ArgumentError(f'path: expected str or os.PathLike, not {type(path).__name__}')
        try:
            name = os.fsencode(path)
        except UnicodeEncodeError as error:
            raise InvalidError(f'path: {error}') from None
        if b'\0' in name:
            raise InvalidError('path: unexpected zero character')
        table = ffi.new('struct nk_table **')
        _call(lib.nk_table_open, name, table)
        self._take(table[0], os.path.abspath(name))

    @classmethod
    def solve(cls, board: Union[str, Board] = '5x5', *, pieces: int = 3, row: Optional[int] = None,
              win: str = 'line', threads: int = 0, memory: int = 0,
              progress: Optional[Callable[[SolveProgress], object]] = None) -> Table:
        """Solves a board in memory: a `Board`, or the size as in '6x6' with the pieces per side, the row length (3, or
        `pieces` if that is less or no line wins) and the winning condition. Uses at most `threads` threads, 0 for one
        per processor, and at most `memory` bytes, 0 for what is available; OutOfMemoryError if it needs more. Calls
        `progress`, if given, after each ply and often during the rest of the work; an exception that it raises, or
        Ctrl-C, ends the work. Other threads can run meanwhile."""
        if isinstance(board, str):
            size = board.lower().split('x')
            if len(size) != 2 or not all(number.isdecimal() and len(number) == 1 for number in size):
                raise InvalidError(f'board: expected a Board, or width x height as in 6x6, not {_quoted(board)}')
            if row is None:
                row = min(_integer(pieces, 'pieces'), 3) if win in _LINE_WINS else pieces
            board = Board(int(size[0]), int(size[1]), pieces, row, win)
        elif (pieces, row, win) != (3, None, 'line'):
            raise InvalidError('pieces, row and win go with a size, such as 6x6: a Board has them')
        if progress is not None and not callable(progress):
            raise ArgumentError(f'progress: expected a function, not {type(progress).__name__}')
        table = cls.__new__(cls)
        table._take(_solve(board, threads, memory, progress), None)
        return table

    def _take(self, table: Any, path: Optional[bytes]) -> None:
        self._path = path
        # Games and rules refer to this as well, so that it is closed after them.
        self._c: Any = ffi.gc(table, lib.nk_table_close)
        self.rules = Rules._of_table(self._c)
        _shared.add(self)

    def __reduce__(self) -> Any:
        self._open()
        return (Table.solve, (self.board,)) if self._path is None else (Table, (self._path,))

    @property
    def path(self) -> Optional[str]:
        """The file of the table; None for one that was solved."""
        return None if self._path is None else os.fsdecode(self._path)

    def _after_fork(self) -> None:
        if self._c is not None:
            lib.nk_table_after_fork(self._c)

    def close(self) -> None:
        """Closes the table. Closing it again has no effect."""
        self._c = None

    @property
    def closed(self) -> bool:
        """Whether the table is closed."""
        return self._c is None

    def __repr__(self) -> str:
        state = ', closed' if self.closed else ''
        return f'<Table {self.path or "solved"}, {self.board}{state}>'

    def __str__(self) -> str:
        count = self.summary
        return (f'{self.board}: {count.legal:,} positions, '
                f'{count.wins:,} won, {count.losses:,} lost, {count.draws:,} drawn; at most {count.longest} plies')

    def __enter__(self) -> Table:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: object, trace: object) -> None:
        self.close()

    def _open(self) -> Any:
        table = self._c
        if table is None:
            raise InvalidError('the table is closed')
        return table

    @property
    def board(self) -> Board:
        """The variant of the game."""
        return self.rules.board

    @property
    def start(self) -> Position:
        """The position in which a game begins. InvalidError if the board has none: see `suggested_start`."""
        return self.rules.start

    def suggested_start(self) -> Position:
        """The start position or, on a board without one, the position at which the commands begin: a symmetric one that
        is drawn or, where none is found, takes long to win."""
        found = ffi.new('struct nk_position *')
        _call(lib.nk_suggested_start, self._open(), found)
        return Position.of_masks(found.mover, found.other, rules=self.rules)

    @property
    def summary(self) -> Summary:
        """Numbers of positions."""
        summary = lib.nk_table_summary(self._open())
        return Summary(*(getattr(summary, name) for name in Summary._fields))

    def position(self, text: str) -> Position:
        """Reads a legal position."""
        return self.rules.position(text)

    def load(self) -> None:
        """Loads all of the table into memory, which makes everything else faster. `values` does so too."""
        _call(lib.nk_table_load, self._open())

    def value(self, position: PositionLike) -> Value:
        """The value of a position."""
        value = ffi.new('struct nk_value *')
        _call(lib.nk_table_value, self._open(), self.rules._accept(position)._c, value)
        return _value(value)

    def moves(self, position: PositionLike) -> List[MoveValue]:
        """The legal moves with their values, best first."""
        moves, count = ffi.new('struct nk_move_value[]', lib.NK_MAX_MOVES), ffi.new('int *')
        _call(lib.nk_table_moves, self._open(), self.rules._accept(position)._c, moves, count)
        return [MoveValue(self.rules._move_text(moves[m].move), _value(moves[m].value)) for m in range(count[0])]

    def best_moves(self, position: PositionLike) -> List[str]:
        """All moves with the best value."""
        moves = self.moves(position)
        return [move for move, value in moves if value == moves[0].value]

    def trap(self, position: PositionLike) -> Optional[int]:
        """The trap value of a drawn position: the probability in 256ths that the side to move loses to the perfect
        player if it looks only a few plies ahead. None if the position is not drawn."""
        trap = ffi.new('uint8_t *')
        accepted = self.rules._accept(position)
        _call(lib.nk_table_trap, self._open(), accepted._c, trap)
        return int(trap[0]) if self.value(accepted).result == Result.DRAW else None

    def fair_start(self, number: int) -> Position:
        """The fair start with a number, from 1: a position that is drawn with either side to move, with the same
        prospects for both (see nk_fair_starts in include/neutreeko.h). InvalidError if there is none. 'fair:17' is
        another way to write number 17, wherever a position is read."""
        number = _integer(number, 'number')
        if not 0 < number < 1 << 64:
            raise InvalidError(f'fair start {number}: they are numbered from 1')
        found = ffi.new('struct nk_position *')
        _call(lib.nk_fair_start, self._open(), number, found)
        return Position.of_masks(found.mover, found.other, rules=self.rules)

    def fair_starts(self) -> List[Position]:
        """All fair starts: number n is item n - 1. Much faster than `fair_start` for each."""
        starts = ffi.new('struct nk_position **')
        count = ffi.new('uint64_t *')
        _call(lib.nk_fair_starts, self._open(), starts, count)
        try:
            return [
                Position.of_masks(starts[0][n].mover, starts[0][n].other, rules=self.rules) for n in range(count[0])
            ]
        finally:
            lib.free(starts[0])

    def puzzles(self, plies: Optional[int] = None, count: int = 1, seed: Optional[int] = None, *,
                draw: bool = False) -> List[Puzzle]:
        """Different puzzles in which only one move wins in so many plies, an odd number, by default 5, or, with `draw`
        instead, only one keeps a draw; fewer than `count` if there are fewer, and an empty list if there are none,
        where `neutreeko puzzle` fails because it has nothing to print. The same seed gives the same puzzles as
        `neutreeko puzzle`, the first of them for a smaller `count`."""
        if draw and plies is not None:
            raise InvalidError(f'plies: expected None for draws, not {plies}')
        plies = 5 if plies is None and not draw else plies
        if not draw and (plies is None or not 0 < _integer(plies, 'plies') <= lib.NK_MAX_PLIES or plies % 2 == 0):
            raise InvalidError(f'plies: expected an odd number, 1 to {lib.NK_MAX_PLIES}, or draw=True, not {plies}')
        count = min(_integer(count, 'count'), self.summary.legal)
        if count < 0:
            raise InvalidError(f'count: expected at least 0, not {count}')
        found, number = ffi.new('struct nk_puzzle[]', count), ffi.new('size_t *')
        _call(lib.nk_puzzles, self._open(), plies or 0, _seed(seed), found, count, number)
        return [Puzzle(Position.of_masks(one.position.mover, one.position.other, _SIDES[one.to_move], self.rules),
                       self.rules._move_text(one.answer)) for one in found[0:number[0]]]

    def values(self, *, best: bool = False, unique: bool = False,
               result: Optional[str] = None) -> numpy.typing.NDArray[Any]:
        """All legal positions as a structured array of 32 bytes each, in the order of `mover`, then of `other`::

            mover      the bit mask of the squares of the side to move (see Position)
            other      that of its opponent
            best       with `best`, the best moves (see Rules.best_moves): bit 8 * p + d for piece p of the side to
                       move, in the order of their squares, and direction d, clockwise from north, both from 0
            symmetric  the number of positions that are symmetric to this one, itself included
            plies      the distance, 0 for a draw
            result     1 win, 0 draw, -1 loss: equal to a Result
            trap       see the method trap

        With `unique`, only the first of all positions that are symmetric to each other; with `result`, only those with
        this one. `best` takes several times as long."""
        import concurrent.futures
        import numpy
        table = self._open()
        flags = (lib.NK_LIST_BEST if best else 0) | (lib.NK_LIST_UNIQUE if unique else 0)
        if result is not None:
            results = {Result.LOSS: lib.NK_LIST_LOSSES, Result.DRAW: lib.NK_LIST_DRAWS, Result.WIN: lib.NK_LIST_WINS}
            flags |= results[_result(result)]
        _call(lib.nk_table_load, table)
        configurations = lib.nk_table_configurations(table)
        most = lib.nk_table_summary(table).placements // configurations
        positions = numpy.zeros((configurations, most), [
            ('mover', '<u8'), ('other', '<u8'), ('best', '<u8'), ('symmetric', '<u4'), ('plies', '<u2'),
            ('result', 'i1'), ('trap', 'u1'),
        ])
        assert positions.itemsize == ffi.sizeof('struct nk_listed_position')

        def fill(configuration: int) -> Any:
            count = ffi.new('uint32_t *')
            place = ffi.from_buffer('struct nk_listed_position[]', positions[configuration], require_writable=True)
            _call(lib.nk_table_positions, table, configuration, flags, place, count)
            return positions[configuration, :count[0]]

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return numpy.concatenate(list(pool.map(fill, range(configurations))))

    def game(self, start: Optional[PositionLike] = None) -> Game:
        """A game from a position, by default the start position."""
        position = self.start if start is None else self.rules._accept(start)
        game = ffi.new('struct nk_game **')
        _call(lib.nk_game_new, self.rules._c, position._c, _SIDES.index(position.to_move), game)
        return Game(self, game[0])

    def read_game(self, record: str) -> Game:
        """Reads a game from its record, as `Game.record` returns it, without variations, marks and comments. What is
        read otherwise than it is written, such as a result that contradicts the board, gives a UserWarning."""
        text = _text(record, 'record')
        headers, game = ffi.new('struct nk_headers *'), ffi.new('struct nk_game **')
        _call(lib.nk_record_read, text, len(text), self.rules._c, headers, game)
        read = Game(self, game[0])
        read.headers = _headers(headers)
        _warn(headers)
        return read

    def read_record(self, record: str) -> GameRecord:
        """Reads a record with its headers, variations, marks and comments."""
        text = _text(record, 'record')
        headers, tree = ffi.new('struct nk_headers *'), ffi.new('struct nk_tree **')
        _call(lib.nk_record_read_tree, text, len(text), self.rules._c, headers, tree)
        c_tree = ffi.gc(tree[0], lib.nk_tree_free)
        nodes = []
        for number in range(lib.nk_tree_count(c_tree)):
            node = lib.nk_tree_node(c_tree, number)
            marks, comment = (ffi.string(text).decode() or None for text in (node.marks, node.comment))
            move = self.rules._move_text(node.move) if number else None
            nodes.append(RecordNode(node.parent if number else None, move, marks, comment, bool(node.resigned)))
        game = ffi.new('struct nk_game **')
        _call(lib.nk_tree_game, c_tree, 0, game)
        _warn(headers)
        return GameRecord(Game(self, game[0]).start, nodes, _headers(headers))

    def write_record(self, record: GameRecord) -> str:
        """Writes a record, which `read_record` and `neutreeko review` read. Every move has to be legal; white space in
        comments becomes single spaces. The result is that of the game or, if it is not over, that of the headers."""
        start, nodes, headers = _require(record, GameRecord, 'record')
        nodes = _require(nodes, collections.abc.Sequence, 'record.tree')
        position = self.rules._accept(start)
        tree = ffi.new('struct nk_tree **')
        _call(lib.nk_tree_new, self.rules._c, position._c, _SIDES.index(position.to_move), tree)
        c_tree = ffi.gc(tree[0], lib.nk_tree_free)
        for number, node in enumerate(nodes):
            self._add_node(c_tree, number, node)
        return _owned(lib.nk_record_tree_text(c_tree, _c_headers(headers)))

    def _add_node(self, tree: Any, number: int, node: RecordNode) -> None:
        where = f'tree[{number}]'
        parent, move, marks, comment, resigned = _require(node, RecordNode, where)
        if number and not 0 <= _integer(parent, f'{where}.parent') < number:
            raise InvalidError(f'{where}.parent: expected the number of an earlier node, not {parent}')
        if not number and (parent, move) != (None, None):
            raise InvalidError(f'{where}: expected the start, without a parent and a move')
        text = _require(move, str, f'{where}.move') if number else ''
        symbols = _text(marks or '', f'{where}.marks').split()
        comments = _text(comment or '', f'{where}.comment')
        try:
            if number:
                c_move = self.rules._move(text)
                with _of_move(text):
                    _call(lib.nk_tree_go_on, tree, parent, c_move, ffi.new('int *'))
            if resigned:
                _call(lib.nk_tree_resign, tree, number)
            for mark in symbols:
                _call(lib.nk_tree_mark, tree, number, mark)
        except InvalidError as error:
            raise InvalidError(f'{where}: {error}') from None
        _call(lib.nk_tree_comment, tree, number, comments)


# ---- records ----

_OUTCOMES = [ffi.string(lib.nk_outcome_text(outcome)).decode()
             for outcome in range(lib.NK_OUTCOME_OPEN, lib.NK_OUTCOME_DRAW + 1)]


def _texts(c: Any) -> Dict[str, Any]:
    """The places of the texts in a struct nk_headers."""
    return {'event': c.event, 'date': c.date, 'round': c.round, 'black': c.players[0], 'white': c.players[1]}


def _headers(c: Any) -> Dict[str, str]:
    """What a struct nk_headers has."""
    found = {name: ffi.string(text).decode() for name, text in _texts(c).items()}
    return {**{name: text for name, text in found.items() if text}, 'result': _OUTCOMES[c.outcome]}


def _warn(c: Any) -> None:
    """Warns of what a record says and the game that was read does not."""
    if c.warning[0] != b'\0':
        warnings.warn(ffi.string(c.warning).decode(), stacklevel=3)


def _c_headers(headers: Dict[str, str]) -> Any:
    """The struct nk_headers of the headers, which are checked."""
    c = ffi.new('struct nk_headers *')
    texts = _texts(c)
    for name, text in _require(headers, dict, 'headers').items():
        if name == 'result' and text in _OUTCOMES:
            c.outcome = _OUTCOMES.index(text)
        elif name == 'result':
            raise InvalidError(f'headers.result: expected {_listed(_OUTCOMES)}, not {text!r}')
        elif name not in texts:
            raise InvalidError(f'headers: expected the keys {", ".join([*texts, "result"])}, not {name!r}')
        else:
            lib.nk_header_set(texts[name], _text(text, f'headers.{name}'))
    return c


def _owned(text: Any) -> str:
    """A text that the library has allocated."""
    if text == ffi.NULL:
        raise OutOfMemoryError('out of memory for the record')
    try:
        return str(ffi.string(text).decode())
    finally:
        lib.free(text)


# ---- games ----

def _game_of(table: Table, start: Position, moves: List[str], end: Optional[End], winner: Optional[Side],
             headers: Dict[str, str]) -> Game:
    """What a copy or a pickle of a game makes."""
    game = table.game(start)
    for move in moves:
        lib.nk_game_go_on(game._c)
        game.play(move)
    if end and not game.end:  # the board does not show it
        outcome = _OUTCOMES.index('1/2-1/2') if winner is None else 1 + _SIDES.index(winner)
        _call(lib.nk_game_finish, game._c, _ENDS.index(end), outcome)
    game.headers = headers
    return game


class Game:
    """A game: its moves, its end, undo and redo. `Table.game` and `Table.read_game` make one.

    `headers` are those of the record from which it was read, which `record` writes: texts under the keys event, date,
    round, black and white, the names of the players, and result: '1-0' if White has won, '0-1', '1/2-1/2' or '*', which
    it is after a move and a step. A longer text than 303 bytes is cut.

    Values in a game take repetition into account: a move to a position that has occurred twice is a draw, and a win
    after which the opponent can move to such a position is one as well."""

    def __init__(self, table: Table, c: Any) -> None:
        self._table = table
        self._rules = table.rules
        self.headers: Dict[str, str] = {}
        # The game uses the rules of the table until it is freed.
        self._c = ffi.gc(c, lambda game, owner=table.rules: lib.nk_game_free(game))
        self._lock = threading.RLock()
        _shared.add(self)

    def _after_fork(self) -> None:
        self._lock = threading.RLock()

    @property
    def position(self) -> Position:
        """The current position."""
        with self._lock:
            return self._position_at(lib.nk_game_plies(self._c))

    def _position_at(self, ply: int) -> Position:
        position = lib.nk_game_position_at(self._c, ply)
        found = Position.__new__(Position)
        found._set(self._rules, position.mover, position.other, _SIDES[lib.nk_game_to_move_at(self._c, ply)])
        return found

    @property
    def start(self) -> Position:
        """The position in which the game began."""
        with self._lock:
            return self._position_at(0)

    @property
    def moves(self) -> List[str]:
        """The moves that were played and not undone."""
        with self._lock:
            return self._moves(0, lib.nk_game_plies(self._c))

    @property
    def undone(self) -> List[str]:
        """The moves that were undone, in the order of `redo`."""
        with self._lock:
            return self._moves(lib.nk_game_plies(self._c), lib.nk_game_plies_with_undone(self._c))

    def _moves(self, begin: int, end: int) -> List[str]:
        return [self._rules._move_text(lib.nk_game_move_at(self._c, ply)) for ply in range(begin, end)]

    @property
    def repetitions(self) -> int:
        """How often the current position has occurred, this time included; the third time is a draw."""
        with self._lock:
            positions = [self._position_at(ply) for ply in range(lib.nk_game_plies(self._c) + 1)]
        return positions.count(positions[-1])

    @property
    def end(self) -> Optional[End]:
        """How the game has ended; None while it is not over."""
        with self._lock:
            end: int = lib.nk_game_end(self._c, ffi.NULL)
            return _ENDS[end]

    def _require_open(self) -> None:
        if self.end is not None:
            raise InvalidError(f'the game is over. {_string(lib.nk_end_text(self._c))}')

    @property
    def winner(self) -> Optional[Side]:
        """The side that has won, if there is one."""
        winner = ffi.new('enum nk_colour *', len(_SIDES))
        with self._lock:
            lib.nk_game_end(self._c, winner)
        return _SIDES[winner[0]] if winner[0] < len(_SIDES) else None

    def __str__(self) -> str:
        return self.record()

    def __repr__(self) -> str:
        return f'<Game {self.position.text}, {len(self.moves)} moves>'

    def copy(self) -> Game:
        """Another game with the same moves, without those that are undone, and headers, as a pickle has it."""
        make, given = self.__reduce__()
        copied: Game = make(*given)
        return copied

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Game:
        return self.copy()

    def __reduce__(self) -> Any:
        with self._lock:
            return _game_of, (self._table, self.start, self.moves, self.end, self.winner, dict(self.headers))

    def _moved(self) -> None:
        """A result that was read holds where the game was read."""
        if 'result' in self.headers:
            self.headers['result'] = '*'

    def play(self, move: str) -> Played:
        """Plays a move, discards undone moves and returns what it did. InvalidError if it is illegal or the game is
        over."""
        with self._lock, _changing:
            c_move = self._rules._move(move)
            self._require_open()
            side = self.position.to_move
            with _of_move(move):
                _call(lib.nk_game_play, self._c, c_move)
            self._moved()
            return Played(self._rules._move_text(c_move), side, self.position, self.end, self.winner)

    def undo(self) -> bool:
        """Undoes the last move; False if there is none."""
        with self._lock, _changing:
            return self._step(lib.nk_game_undo)

    def redo(self) -> bool:
        """Plays the last undone move again; False if there is none."""
        with self._lock, _changing:
            return self._step(lib.nk_game_redo)

    def _step(self, function: Any) -> bool:
        """Undoes or redoes a move, if there is one."""
        moved = bool(function(self._c))
        if moved:
            self._moved()
        return moved

    def goto(self, ply: int) -> bool:
        """Goes to the position after `ply` moves, played or undone; False if there is none. Going back undoes a
        resignation."""
        ply = _integer(ply, 'ply')
        with self._lock, _changing:
            if not 0 <= ply <= lib.nk_game_plies_with_undone(self._c):
                return False
            while lib.nk_game_plies(self._c) > ply:
                self._step(lib.nk_game_undo)
            while lib.nk_game_plies(self._c) < ply and self._step(lib.nk_game_redo):
                pass
            return bool(lib.nk_game_plies(self._c) == ply)

    def resign(self) -> None:
        """The side to move resigns."""
        with self._lock, _changing:
            lib.nk_game_resign(self._c)

    def record(self) -> str:
        """The game as text, which `Table.read_game` and `neutreeko review` read, with `headers` and the board."""
        headers = _c_headers(self.headers)
        with self._lock:
            return _owned(lib.nk_record_text(self._c, headers))

    def value(self) -> Value:
        """The value of the current position in this game."""
        value = ffi.new('struct nk_value *')
        with self._lock:
            _call(lib.nk_game_value, self._table._open(), self._c, value)
        return _value(value)

    def choices(self) -> List[Choice]:
        """The legal moves with their values in this game, best first; none if the game is over."""
        choices, count = ffi.new('struct nk_choice[]', lib.NK_MAX_MOVES), ffi.new('int *')
        table = self._table._open()
        with self._lock:
            if self.end is None:
                _call(lib.nk_choices, table, self._c, choices, count)
        return [Choice(self._rules._move_text(choice.move), _value(choice.value), choice.repeats,
                       choice.trap if choice.value.result == lib.NK_DRAW else None) for choice in choices[0:count[0]]]

    def opponent_move(self, name: str = 'perfect', seed: Optional[int] = None) -> str:
        """The move of an opponent, such as 'level:3' (see `opponents`), without playing it. The same seed gives the
        same move. InvalidError if there is no such opponent or the game is over."""
        move = ffi.new('struct nk_move *')
        table = self._table._open()
        text = _text(name, 'opponent')
        with self._lock:
            self._require_open()
            _call(lib.nk_opponent_move, table, self._c, text, _seed(seed), move)
        return self._rules._move_text(move[0])

    def best_line(self, plies: int = 8) -> List[str]:
        """The best line from the current position: to the end of the game if it is won or lost, or else its first
        `plies` moves, as `neutreeko query --line --seed 0`."""
        if _integer(plies, 'plies') < 0:
            raise InvalidError(f'plies: expected at least 0, not {plies}')
        game = self.copy()
        player = PerfectPlayer(0)
        line: List[str] = []
        most = plies if game.value().result == Result.DRAW else lib.NK_MAX_PLIES
        while game.end is None and len(line) < most:
            line.append(player.choose(game))
            game.play(line[-1])
        return line

    def review(self) -> List[Reviewed]:
        """All moves of the game, judged."""
        table = self._table._open()
        with self._lock:
            moves = lib.nk_game_plies(self._c)
            reviewed = ffi.new('struct nk_reviewed[]', max(moves, 1))
            _call(lib.nk_review, table, self._c, reviewed)
            positions = [self._position_at(ply) for ply in range(moves)]
        found = []
        for ply, (one, position) in enumerate(zip(reviewed, positions), 1):
            move, better = self._rules._move_text(one.move), self._rules._move_text(one.better)
            found.append(Reviewed(ply, move, _SIDES[one.side], position, _value(one.before), _value(one.after),
                                  _MARKS[one.mark], better if better != move else None, one.plies_lost))
        return found

    def why(self, ply: int, move: str) -> Why:
        """Explains a legal move after the first `ply` moves, played or undone, as for `goto`: for a `Reviewed`, after
        `ply - 1`. InvalidError if it is illegal or the ply does not exist."""
        ply = _integer(ply, 'ply')
        table, c_move = self._table._open(), self._rules._move(move)
        c = ffi.new('struct nk_explanation *')
        with self._lock:
            if not 0 <= ply <= lib.nk_game_plies_with_undone(self._c):
                raise InvalidError(f'the game has no ply {ply}')
            before = self._position_at(ply)
            after = _game_of(self._table, self.start, self._moves(0, ply), None, None, {})
            if ply < lib.nk_game_plies_with_undone(self._c):
                lib.nk_game_go_on(after._c)  # as this game does
            after.play(move)
            with _of_move(move):
                _call(lib.nk_explain, table, self._c, ply, c_move, c)
        value, found = _value(c.value), _value(c.before)
        replies = Replies(*(getattr(c, 'replies' if name == 'total' else name) for name in Replies._fields))
        position = after.position
        return Why(self._rules._move_text(c_move), value, found, position,
                   found.result if value.result < found.result else None, self._rules._move_text(c.best), bool(c.only),
                   bool(c.repeats), self._win(c.threat, position.other, position.mover),
                   self._win(c.prevented, before.other, before.mover), after.best_line(), replies,
                   self._rules._move_text(c.only_reply) if c.has_only_reply else None)

    def _win(self, plies: int, mover: int, other: int) -> Optional[Win]:
        """The win in so many plies that the side to move has in a position; None for 0."""
        if not plies:
            return None
        line = self._table.game(Position.of_masks(mover, other, rules=self._rules)).best_line()
        return Win(line[0], plies, line)


class PerfectPlayer:
    """Chooses perfect moves: it never lowers the result, wins as fast as possible and sets traps in drawn positions.

    Ties are broken at random; the same seed (0 to 2**64 - 1) gives the same moves in the same games, and without one
    they differ."""

    def __init__(self, seed: Optional[int] = None) -> None:
        self._random = _seed(seed)
        self._lock = threading.Lock()
        _shared.add(self)

    def _after_fork(self) -> None:
        self._lock = threading.Lock()

    def __reduce__(self) -> Any:
        """A copy makes the same moves as this one from here on."""
        with self._lock:
            return PerfectPlayer, (int(self._random[0]),)

    def choose(self, game: Game) -> str:
        """Chooses a move in a game, without playing it. InvalidError if the game is over."""
        move = ffi.new('struct nk_move *')
        table = _require(game, Game, 'game')._table._open()
        with self._lock, game._lock:
            _call(lib.nk_choose, table, game._c, self._random, move)
        return game._rules._move_text(move[0])
