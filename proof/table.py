#!/usr/bin/env python3
"""Writes what `neutreeko export` prints as a term for Coq.

Usage: neutreeko export -o - | table.py BOARD [pictures | changes N]

BOARD is a name as in docs/BOARDS.md, such as 4x4/3/diagonal. The first form writes the table that Checker.v reads, and
how many lines there were. Every line has to be what `neutreeko export` prints for a position with Black to move, and
none may have a position again. A missing position gets a code that is always wrong, so that Coq accepts the lines only
if they are, with their number, all legal positions. `pictures` writes an example instead, with the values of all these
positions and pictures of the board, `changes` one with N changes of each kind, all of which must be rejected.
"""

import itertools
import random
import re
import sys

MISSING = 127
DRAW = 63
CODES_IN_INTEGER = 9
LINES = {'line': 'any_direction', 'orthogonal': 'orthogonal', 'diagonal': 'diagonal'}
EMPTY = {ord(digit): '.' * int(digit) for digit in '12345678'}
HEADER = 'position,to_move,result,plies,best_moves,trap,symmetric\n'
LINE = re.compile(r'([1-8bw/]+) b,black,(?:(win|loss),(\d+)|(draw),),[a-h1-8 -]*,\d*,\d+\n')


def read_positions():
    """Each position as the ranks from the top, such as '.b../..w./...', with its result and distance."""
    if next(sys.stdin, '') != HEADER:
        sys.exit(f'table.py: line 1: expected {HEADER}')
    for number, line in enumerate(sys.stdin, 2):
        found = LINE.fullmatch(line)
        if not found:
            sys.exit(f'table.py: line {number}: expected a position with Black to move and its value, not {line}')
        squares, decided, plies, drawn = found.groups()
        yield squares.translate(EMPTY), decided or drawn, int(plies or 0)


def code_of(result, plies):
    return {'loss': plies, 'draw': DRAW, 'win': 127 - plies}[result]


def result_of(code):
    return 'draw' if code == DRAW else 'loss' if code < DRAW else 'win'


def read_codes(name):
    """A row for each configuration of the side to move, with a code for each of the opponent, both in Coq's order; and
    the number of lines."""
    size, pieces, *_ = name.split('/')
    width, height = map(int, size.split('x'))
    numbers = {}
    for squares in itertools.combinations(range(width * height), int(pieces)):
        letters = ['b' if square in squares else '.' for square in range(width * height)]
        ranks = [''.join(letters[begin : begin + width]) for begin in range(0, width * height, width)]
        numbers['/'.join(reversed(ranks))] = len(numbers)
    codes = [[MISSING] * len(numbers) for _ in numbers]
    lines = 0
    for ranks, result, plies in read_positions():
        mover, other = ranks.replace('w', '.'), ranks.replace('b', '.').replace('w', 'b')
        row, place = codes[numbers[mover]], numbers[other]
        if row[place] != MISSING:
            sys.exit(f'table.py: the position {ranks} is there twice')
        row[place] = code_of(result, plies)
        lines += 1
    return codes, lines


def integers_of(row):
    for begin in range(0, len(row), CODES_IN_INTEGER):
        yield sum(code << (7 * i) for i, code in enumerate(row[begin : begin + CODES_IN_INTEGER]))


def print_table(name):
    size, pieces, *win = name.split('/')
    win = win[0] if win else 'line'
    lines = f'({LINES[win]} {min(3, int(pieces))})' if win in LINES else win
    codes, count = read_codes(name)
    print('Require Import NArith Uint63 PArray.\nFrom Proof Require Import Neutreeko.')
    print(f'Definition board := make_board {size.replace("x", " ")} {pieces} {lines}.')
    print(f'Definition lines := {count}%N.\nLocal Open Scope uint63_scope.')
    for number, row in enumerate(codes):  # one array of all rows would take much longer to compile
        print(f'Definition row{number} := [|{";".join(map(hex, integers_of(row)))}|0|].')
    print(f'Definition rows := [|{";".join(f"row{number}" for number in range(len(codes)))}| [| | 0 |] |].')


def print_example(module, computed, expected):
    print('Require Import List String Uint63 PArray.')
    print(f'From Proof Require Import Game Checker Examples Changes {module}.')
    print('Import ListNotations.\nLocal Open Scope string_scope.')
    print(f'Definition computed := Eval vm_compute in {computed}.')
    print(f'Example example : computed = {expected}.\nProof. reflexivity. Qed.')


def print_pictures(module):
    positions = list(read_positions())
    pictures = ('["' + ranks.replace('/', '"; "') + '"]' for ranks, _, _ in positions)
    values = ({'loss': f'Lost {n}', 'draw': 'Drawn', 'win': f'Won {n}'}[result] for _, result, n in positions)
    computed = f'map (value_in board rows) (map picture [{"; ".join(pictures)}])'
    print_example(module, computed, f'[{"; ".join(values)}]')


def changed_code(choice, old, result):
    """Another code of this result: half of the time, with a distance of two plies more or less."""
    if result == 'draw':
        return DRAW
    odd = result == 'win'
    near = [max(old - 2, 0), min(old + 2, MISSING)] if result_of(old) == result and choice.random() < 0.5 else []
    far = [code_of(result, plies) for plies in range(odd, 60, 2)]
    return choice.choice([code for code in near or far if code not in (old, MISSING) and result_of(code) == result])


def print_changes(name, module, count):
    choice = random.Random(1)
    places = {'win': [], 'draw': [], 'loss': []}
    for number, row in enumerate(read_codes(name)[0]):
        for i, code in enumerate(row):
            if code != MISSING:
                places[result_of(code)].append((number, i, code))
    changes = [
        (number, i, changed_code(choice, old, after))
        for before, after in itertools.product(places, places)
        if (before, after) != ('draw', 'draw')
        for number, i, old in choice.sample(places[before], count)
    ]
    written = '; '.join(f'({number}, {i}, {code})' for number, i, code in changes)
    print_example(module, f'accepted_changes board rows [{written}]%uint63', '[]')


def main():
    name, *form = sys.argv[1:]
    module = f'Table_{name.replace("/", "_")}'
    if not form:
        print_table(name)
    elif form == ['pictures']:
        print_pictures(module)
    else:
        print_changes(name, module, int(form[1]))


main()
