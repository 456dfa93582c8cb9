"""Finds the fewest positions in which a side has to know a move to keep the draw from the start position, as long as
the opponent also keeps it, and writes them to data/openings.json, with the positions that White wins if Black errs.

Usage: python3 scripts/generate/openings.py [--check] SOLVE NEUTREEKO

A strategy has one move for each position in which its side is to move, up to symmetry; it is closed: after that move
and any reply that keeps the draw, the position is in the strategy again. clingo finds a closed strategy with the fewest
positions, and proves that none has fewer. With --check nothing is written: the file must have a closed strategy of that
size for each side.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import game

DATA = pathlib.Path(__file__).resolve().parents[2] / 'data/openings.json'
# Of each position of the strategy one move is chosen; what can follow it belongs to the strategy.
RULES = '''1 {play(P, M) : move(P, M)} 1 :- known(P).
known(Q) :- play(P, M), after(P, M, Q).
#minimize {1, P : known(P)}.
#show play/2.
'''


def keeping(programs, table, positions):
    """For each position the moves that keep the draw, with the positions that they lead to."""
    answers = programs.query(table, positions)
    return {position: {move['move']: game.canonical(game.after(position, move['move']))
                       for move in answer['moves'] if move['result'] == 'draw'}
            for position, answer in zip(positions, answers)}


def successors(programs, table, positions):
    """For each position and each move that keeps the draw, the positions after all replies that keep it."""
    moves = keeping(programs, table, positions)
    replies = keeping(programs, table, sorted({after for found in moves.values() for after in found.values()}))
    return {position: {move: sorted(set(replies[after].values())) for move, after in found.items()}
            for position, found in moves.items()}


def roots(programs, table, side):
    """The positions in which the side makes its first move."""
    if side == 'black':
        return [game.canonical(game.START)]
    return sorted(set(keeping(programs, table, [game.START])[game.START].values()))


def graph(programs, table, side):
    """The successors of all positions that some strategy of the side reaches."""
    found, new = {}, roots(programs, table, side)
    while new:
        found.update(successors(programs, table, new))
        reached = {after for position in new for places in found[position].values() for after in places}
        new = sorted(reached - set(found))
    return found


def is_closed(programs, table, side, strategy):
    known = successors(programs, table, sorted(strategy))
    reached = {after for position, move in strategy.items() for after in known[position][move]}
    return reached | set(roots(programs, table, side)) <= set(strategy)


def smallest(programs, table, side):
    positions = graph(programs, table, side)
    numbers = {position: n for n, position in enumerate(positions)}
    moves = [(position, move) for position in positions for move in positions[position]]
    facts = [f'known({numbers[position]}).' for position in roots(programs, table, side)]
    for n, (position, move) in enumerate(moves):
        facts.append(f'move({numbers[position]}, {n}).')
        facts += [f'after({numbers[position]}, {n}, {numbers[after]}).' for after in positions[position][move]]
    command = ['clingo', '--opt-strategy=usc', '--quiet=1', '--outf=2', '-']
    # Its exit status shows what it has found.
    done = subprocess.run(command, input=RULES + '\n'.join(facts), stdout=subprocess.PIPE, text=True, check=False)
    answer = json.loads(done.stdout)
    assert answer['Result'] == 'OPTIMUM FOUND', answer['Result']
    chosen = answer['Call'][0]['Witnesses'][-1]['Value']
    return dict(sorted(moves[int(play[play.index(',') + 1:-1])] for play in chosen))


def main(arguments):
    checking = arguments[0] == '--check'
    with tempfile.TemporaryDirectory() as directory:
        programs = game.Programs(*arguments[-2:], None, pathlib.Path(directory))
        table, _ = programs.solve('standard.dat')
        found = {side: smallest(programs, table, side) for side in ('white', 'black')}
        if not checking:
            found['won'] = game.mistakes(programs, table, found['white'], {game.canonical(game.START)})
            DATA.write_text(json.dumps(found, indent=1) + '\n', encoding='utf-8')
            return
        written = json.loads(DATA.read_text(encoding='utf-8'))
        for side, strategy in found.items():
            assert len(written[side]) == len(strategy), (side, len(strategy))
            assert is_closed(programs, table, side, written[side]), side
        assert written['won'] == game.mistakes(programs, table, written['white'], {game.canonical(game.START)})


if __name__ == '__main__':
    main(sys.argv[1:])
