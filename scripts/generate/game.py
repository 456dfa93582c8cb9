"""Generates docs/GAME.md, and the pictures of docs/HOW.md and docs/GAME.md, from the output of the programs.

Usage: python3 scripts/generate/game.py [--check] SOLVE NEUTREEKO FACTS

With --check it writes nothing, prints TAP, and fails if a file differs from what it would write. A plot contains its
gnuplot script in a comment at the end, so checking does not need gnuplot.
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import textwrap

DOCS = pathlib.Path(__file__).resolve().parents[2] / 'docs'
OPENINGS = DOCS.parent / 'data/openings.json'  # from scripts/generate/openings.py
START = '1w1w1/2b2/5/2w2/1b1b1 b'
TINY = ['--board', '3x3', '--pieces', '2', '--win', 'orthogonal']

# ---- positions as text ----


def squares(position):
    """The side to move, and the ranks from the top as lists of 'b', 'w' and '.'."""
    ranks, side = position.split()
    for run in range(1, 9):
        ranks = ranks.replace(str(run), '.' * run)
    return side, [list(rank) for rank in ranks.split('/')]


def text(side, ranks):
    found = '/'.join(map(''.join, ranks))
    for run in range(8, 0, -1):  # many times faster than a regular expression
        found = found.replace('.' * run, str(run))
    return f'{found} {side}'


def place(square, height):
    return height - int(square[1:]), ord(square[0]) - ord('a')


def after(position, move):
    side, ranks = squares(position)
    (top, left), (to_top, to_left) = (place(square, len(ranks)) for square in move.split('-'))
    ranks[to_top][to_left], ranks[top][left] = ranks[top][left], '.'
    return text('w' if side == 'b' else 'b', ranks)


def images(position):
    """The position under all symmetries of a square board."""
    side, ranks = squares(position)
    found = []
    for _ in range(2):
        for _ in range(4):
            found.append(text(side, ranks))
            ranks = [*zip(*ranks[::-1])]
        ranks = ranks[::-1]
    return set(found)


def canonical(position):
    """The same for all positions that are equal under symmetry."""
    return min(images(position))


# ---- pictures ----


def svg(width, height, parts):
    return '\n'.join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                      f'viewBox="0 0 {width} {height}" font-family="sans-serif">',
                      '<defs><marker id="tip" markerWidth="5" markerHeight="5" refX="3.5" refY="2.5" orient="auto">'
                      '<path d="M0,0 L5,2.5 L0,5 z" fill="#d55e00"/></marker></defs>',
                      f'<rect width="{width}" height="{height}" fill="#ffffff"/>', *parts, '</svg>']) + '\n'


def label(x, y, words, size=12, anchor='middle', colour='#333333'):
    return f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def board(x, y, position, cell, moves=()):
    """A board with its top left corner at x, y and an arrow for each move."""
    _, ranks = squares(position)
    height, width = len(ranks), len(ranks[0])
    parts = [f'<g transform="translate({x} {y})">']
    for top in range(height):
        for left in range(width):
            shade = '#e9dcc0' if (top + left) % 2 else '#f6efdf'
            parts.append(f'<rect x="{left * cell}" y="{top * cell}" width="{cell}" height="{cell}" fill="{shade}"/>')
            if ranks[top][left] != '.':
                fill = {'b': '#222222', 'w': '#ffffff'}[ranks[top][left]]
                parts.append(f'<circle cx="{(left + 0.5) * cell:g}" cy="{(top + 0.5) * cell:g}" r="{cell * 0.36:g}" '
                             f'fill="{fill}" stroke="#222222"/>')
    parts.append(f'<rect width="{width * cell}" height="{height * cell}" fill="none" stroke="#8a7a55"/>')
    for move in moves:
        (top, left), (to_top, to_left) = (place(square, height) for square in move.split('-'))
        parts.append(f'<line x1="{(left + 0.5) * cell:g}" y1="{(top + 0.5) * cell:g}" x2="{(to_left + 0.5) * cell:g}" '
                     f'y2="{(to_top + 0.5) * cell:g}" stroke="#d55e00" stroke-width="{max(2, cell // 10)}" '
                     'marker-end="url(#tip)"/>')
    return '\n'.join(parts + ['</g>'])


def strip(start, moves, columns, captions):
    """A game as a series of boards; each shows the next move, with a caption above the board."""
    cell, parts, position = 16, [], start
    boards = moves + [None]
    step_x, step_y = 5 * cell + 16, 5 * cell + 30
    for n, move in enumerate(boards):
        x, y = 8 + n % columns * step_x, 22 + n // columns * step_y
        parts.append(label(x + 2.5 * cell, y - 6, captions[n], 11))
        parts.append(board(x, y, position, cell, [move] if move else []))
        if move:
            position = after(position, move)
    return svg(columns * step_x, -(-len(boards) // columns) * step_y + 8, parts)


def plot(script):
    """The gnuplot script of a plot. It is bytes, to distinguish it from text files."""
    return ('set terminal svg size 900,420 dynamic font "sans-serif,14" background "#ffffff"\n'
            'set border 3\nset tics nomirror out\nset grid lc rgb "#dddddd" lw 1\n' + script).encode()


# ---- the programs ----


class Programs:
    def __init__(self, solve, neutreeko, facts, directory):
        self.solve_program, self.neutreeko, self.facts_program = solve, neutreeko, facts
        self.directory = directory

    def run(self, *command, given=''):
        return subprocess.run(command, input=given, check=True, stdout=subprocess.PIPE, text=True).stdout

    def solve(self, name, *options):
        table = str(self.directory / name)
        return table, json.loads(self.run(self.solve_program, *options, '--output', table, '--json'))

    def query(self, table, positions):
        given = ''.join(position + '\n' for position in positions)
        lines = self.run(self.neutreeko, 'query', '--table', table, '--json', '-', given=given)
        return [json.loads(line) for line in lines.splitlines()]

    def line(self, table, position):
        return json.loads(
            self.run(self.neutreeko, 'query', '--line', '--table', table, '--seed', '1', '--json', position))

    def draws(self, table):
        """The rows of the drawn positions, one of each symmetric set."""
        path = self.directory / 'draws.csv'
        self.run(self.neutreeko, 'export', '--table', table, '--unique', '--result', 'draw', '--output', str(path))
        with open(path, encoding='utf-8', newline='') as file:
            return list(csv.DictReader(file))

    def count_fair_starts(self, table):
        return int(self.run(self.facts_program, table, 'fair'))

    def facts(self, table):
        return json.loads(self.run(self.facts_program, table))


def moves_with(answer, result):
    return [move for move in answer['moves'] if move['result'] == result]


# ---- docs/HOW.md ----


def configurations():
    """The configurations of one side on the tiny board, in the solver's order: by mask, with a1 as bit 0."""
    return [mask for mask in range(1 << 9) if bin(mask).count('1') == 2]


def both(black, white):
    """The position of the tiny board with these masks, Black to move."""
    return text('b', [['b' if black >> square & 1 else 'w' if white >> square & 1 else '.'
                       for square in range(3 * rank, 3 * rank + 3)] for rank in (2, 1, 0)])


def explain(programs):
    table, summary = programs.solve('tiny.dat', *TINY)
    won = {mask for mask in configurations() for step, files in ((1, 0o333), (3, 0o777))
           if mask & mask >> step & files}  # adjacent, without wrapping around the edge
    legal = [both(black, white) for black in configurations() for white in configurations()
             if not black & white and black not in won]
    answers = dict(zip(legal, programs.query(table, legal)))
    counts = [0] * len(summary['by_plies'])
    for answer in answers.values():
        counts[answer['plies']] += 1
    if counts != summary['by_plies']:
        sys.exit(f'scripts/generate/game.py: {counts} by distance, but the solver printed {summary["by_plies"]}')
    yield 'images/how-layers.svg', layers(answers, counts)
    yield 'images/how-matrix.svg', matrix(answers)


def layers(answers, counts, most=6, cell=22):
    """A row for each ply: its positions up to symmetry, with the best moves."""
    parts, y, step = [], 12, 3 * cell + 18
    for ply, count in enumerate(counts):
        kinds = {}
        for position, answer in answers.items():
            if answer['plies'] == ply:
                kinds.setdefault(canonical(position), (position, answer))
        colour = '#0072b2' if ply % 2 else '#d55e00'
        parts.append(label(10, y + 20, str(ply), 20, 'start', colour))
        parts.append(label(10, y + 38, 'almost_win' if ply % 2 else 'checked_states', 13, 'start', colour))
        parts.append(label(10, y + 56, f'+ {count}', 13, 'start'))
        for n, (position, answer) in enumerate(list(kinds.values())[:most]):
            best = [move['move'] for move in answer['moves'] if move['plies'] == ply]
            parts.append(board(130 + n * step, y, position, cell, best))
        if len(kinds) > most:
            parts.append(label(130 + most * step, y + 40, f'… + {len(kinds) - most}', 14, 'start'))
        y += 3 * cell + 20
    return svg(130 + most * step + 60, y, parts)


def matrix(answers, cell=7):
    """The whole game: a row for each configuration of the side to move, a column for each orbit of the opponent's."""
    shades = ['#d55e00', '#9fd0ee', '#e98b4a', '#56a5d8', '#f3b98f', '#0072b2', '#7a3300']
    rows, columns, parts = configurations(), {}, []
    for mask in rows:  # the first configuration of an orbit is the canonical one
        columns.setdefault(canonical(both(0, mask)), mask)
    side, across, down = 3 * cell, 3 * cell + 14, 3 * cell + 3
    for c, other in enumerate(columns.values()):
        parts.append(board(side + 24 + c * across, 10, both(0, other), cell))
    for r, mover in enumerate(rows):
        y = side + 20 + r * down
        parts.append(board(10, y, both(mover, 0), cell))
        for c, other in enumerate(columns.values()):
            answer = answers.get(both(mover, other))
            ply = answer['plies'] if answer else None
            words = '×' if mover & other else '' if ply is None else str(ply)
            fill = '#ffffff' if mover & other else '#dddddd' if ply is None else shades[ply]
            x = side + 24 + c * across
            parts.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{fill}" stroke="#999999"/>')
            parts.append(label(x + side / 2, y + side / 2 + 4, words, 12,
                               colour='#ffffff' if ply in (0, 5, 6) else '#333333'))
    return svg(side + 24 + len(columns) * across, side + 20 + len(rows) * down + 8, parts)


# ---- docs/GAME.md ----


def percent(part, whole):
    return f'{100 * part / whole:.1f} %'


def worth(value):
    return 'draw' if value['result'] == 'draw' else f"{value['result']} in {value['plies']}"


def number(n):
    words = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'.split()
    return words[n] if n < len(words) else str(n)


def listed(moves):
    return ', '.join(f"`{move['move']}`" for move in moves)


def best_moves(answer):
    """The moves that keep the value of the position."""
    return [move for move in answer['moves']
            if (move['result'], move['plies']) == (answer['result'], answer['plies'])]


def narrow_path(programs, table):
    """The answers from the start while all drawing moves are equal under symmetry, and the first answer after them."""
    position, path = START, []
    while True:
        answer, = programs.query(table, [position])
        holding = [move['move'] for move in moves_with(answer, 'draw')]
        if len({canonical(after(position, move)) for move in holding}) != 1:
            return path, answer
        path.append(answer)
        position = after(position, holding[0])


def describe(programs):
    table, summary = programs.solve('standard.dat')
    facts = programs.facts(table)
    extremes = {name: programs.query(table, [facts[name]['first']])[0]
                for name in ('all_win', 'all_lose', 'only_hold', 'only_win_latest', 'trap', 'zugzwang')}
    for name, answer in extremes.items():
        to_find = name in ('only_hold', 'only_win_latest', 'trap')
        best = [move['move'] for move in best_moves(answer) if to_find]
        picture = svg(200, 200, [board(10, 10, answer['position'], 36, best)])
        yield f'images/game-{name.replace("_", "-")}.svg', picture
    sections = [totals(summary, facts), first_moves(programs, table)]
    path, fork = narrow_path(programs, table)
    moves = [best_moves(answer)[0]['move'] for answer in path]
    captions = [f'{n}. {move}' for n, move in enumerate(moves, 1)] + ['?']
    yield 'images/game-path.svg', strip(START, moves, 9, captions)
    sections.append(corridor(path, fork))
    strategies = json.loads(OPENINGS.read_text(encoding='utf-8'))
    yield 'images/game-openings.svg', cards(strategies['white'])
    sections.append(holding(programs, table, strategies))
    longest = programs.line(table, summary['longest_example'])
    moves = [move['move'] for move in longest['moves']]
    captions = [f'{n}. {move}' for n, move in enumerate(moves, 1)] + ['#']
    yield 'images/game-longest.svg', strip(summary['longest_example'], moves, 9, captions)
    sections.append(longest_win(programs, table, summary, moves))
    yield 'images/game-distances.svg', plot_distances(summary['by_plies'])
    yield 'images/game-only.svg', plot_only(summary['by_plies'], facts['only_win'])
    sections += [distances(summary, facts), turns(facts), one_sided(facts, extremes), tricky(facts, extremes)]
    fair, picture = fair_starts(programs, table)
    sections.append(fair)
    yield 'images/game-fair.svg', picture
    yield 'GAME.md', filled('\n\n'.join(sections)) + '\n' + strength()


def strength():
    """The part of GAME.md that scripts/docs strength writes, as it is."""
    mark = '<!-- Generated by scripts/docs strength -->'
    return mark + (DOCS / 'GAME.md').read_text(encoding='utf-8').partition(mark)[2]


def filled(page):
    """The page with its paragraphs wrapped."""
    return '\n\n'.join(block if block[0] in '#|!' else textwrap.fill(block, 120, break_on_hyphens=False)
                       for block in page.split('\n\n')) + '\n'


def totals(summary, facts):
    legal, moves = summary['legal'], facts['moves']
    lines = '\n'.join(f'| {n} | {count:,} |' for n, count in enumerate(facts['lines'], 1))
    average = sum(n * count for n, count in enumerate(moves)) / (legal - moves[0])
    return f'''# The game in numbers

This page shows what the solution says about the game. To look at a position, use
`neutreeko query '{summary['longest_example']}'` or the editor of the browser version (`scripts/web`).
`scripts/docs` generates this text and its pictures from the table.

[Values](FORMATS.md#values) are for the side to move, with optimal play and distances in plies. Symmetric positions
count separately. Arrows in the pictures show the best moves.

| legal positions | {legal:,} | |
|---|---|---|
| wins | {summary['wins']:,} | {percent(summary['wins'], legal)} |
| losses | {summary['losses']:,} | {percent(summary['losses'], legal)} |
| draws | {summary['draws']:,} | {percent(summary['draws'], legal)} |

In {moves[0]:,} of them the game is over: the opponent has a winning line. In all others the side to move has
{average:.1f} legal moves on average, at most {len(moves) - 1} and at least
{next(n for n, count in enumerate(moves) if n and count)}.

Games from the start position reach {facts['placements']:,} of these positions, each with Black and with White to move
({facts['reached']:,} in all); the other {legal - facts['placements']:,} cannot be reached.

To test a move generator: from the start position there are so many lines of N moves, where a line ends when a side has
won, and repetitions do not count.

| N | lines |
|---|---|
{lines}'''


def first_moves(programs, table):
    start, = programs.query(table, [START])
    answers = programs.query(table, [after(START, move['move']) for move in start['moves']])
    rows = [f"| `{move['move']}` | {worth(move)} | {listed(best_moves(answer))} |"
            for move, answer in zip(start['moves'], answers)]
    holding = moves_with(start, 'draw')
    kinds = {canonical(after(START, move['move'])) for move in holding}
    return '\n'.join([f'''## The {number(len(start['moves']))} first moves

| move | result for Black | White's best replies |
|---|---|---|''', *rows, f'''
{number(len(holding)).capitalize()} moves keep the
draw{'' if len(kinds) > 1 else ', and they are mirror images of each other'}.'''])


def corridor(path, fork):
    rows = []
    for n, answer in enumerate(path):
        others = [move['plies'] for move in moves_with(answer, 'loss')]
        rows.append(f"| {n + 1} | {listed(moves_with(answer, 'draw'))} | "
                    f"{len(answer['moves'])} | {max(others)} |")
    return '\n'.join([f'''## The opening

For the first {len(path)} plies, the side to move has only one move, up to symmetry, that does not lose:

![The only moves of the opening](images/game-path.svg)

| ply | keeps the draw | of moves | longest loss of the others |
|---|---|---|---|''', *rows, f'''
Then {'White' if len(path) % 2 else 'Black'} is the first to have a choice:
{number(len(moves_with(fork, 'draw')))} of {number(len(fork['moves']))} moves keep the draw in `{fork['position']}`:
{listed(moves_with(fork, 'draw'))}.'''])


def mistakes(programs, table, strategy, first):
    """The positions after mistakes of the opponent when a side plays by its strategy, up to symmetry, with the plies to
    its win, shortest first. `first` has the position in which the opponent makes the first move, if it does."""
    reached = sorted({canonical(after(position, move)) for position, move in strategy.items()} | first)
    given = {}
    for position, answer in zip(reached, programs.query(table, reached)):
        for move in answer['moves']:
            found = canonical(after(position, move['move']))
            if move['result'] == 'loss':
                given[found] = move['plies'] - 1
            else:
                assert found in strategy, f'{position} {move["move"]}'
    return dict(sorted(given.items(), key=lambda item: (item[1], item[0])))


def cards(strategy, columns=4, cell=24):
    """A board with its move for each position of a strategy."""
    step_x, step_y = 5 * cell + 24, 5 * cell + 36
    parts = []
    for n, (position, move) in enumerate(strategy.items()):
        x, y = 12 + n % columns * step_x, 26 + n // columns * step_y
        parts += [label(x + 2.5 * cell, y - 8, move), board(x, y, position, cell, [move])]
    return svg(columns * step_x, -(-len(strategy) // columns) * step_y + 4, parts)


def holding(programs, table, strategies):
    white = list(strategies['won'].values())
    black = list(mistakes(programs, table, strategies['black'], set()).values())
    soon = sum(plies <= 3 for plies in white)
    return f'''## What White has to know

As long as Black keeps the draw, **{number(len(strategies['white']))} positions** are all that White has to know to keep
it from the start position, up to symmetry: after the move of each and any reply that keeps the draw, another of them is
on the board. No strategy has fewer; Black has to know {len(strategies['black'])}. `scripts/docs openings` finds and
proves both numbers.

![The positions that White has to know](images/game-openings.svg)

When Black makes a mistake, on the first move too, {len(white)} positions can arise, up to symmetry, all won for White:
{soon} of them within three plies, the longest in {white[-1]}. When White errs against Black's strategy, there are
{len(black):,}, the longest won in {black[-1]} plies.

Both strategies can be checked by hand: data/openings.json has them, with the move of each position, and as `won` those
{len(white)}, with the plies. `jq -r '.white | keys[]' data/openings.json | neutreeko query -` prints the boards and all
moves; so it does for `.black` and `.won`.'''


def longest_win(programs, table, summary, moves):
    count, same = summary['by_plies'][-1], len(images(summary['longest_example']))
    position, seen = summary['longest_example'], []
    for move in moves:
        seen.append(position)
        position = after(position, move)
    asked = programs.query(table, seen)
    winner, loser = asked[::2], asked[1::2]
    only = sum(len(moves_with(answer, 'win')) == 1 for answer in winner)
    fastest, slowest = (sum(len(best_moves(answer)) == 1 for answer in side) for side in (winner, loser))
    return f'''## The longest win

{number(count).capitalize()} positions{' (all equal under symmetry)' if count == same else ''} are won in
{summary['longest']} plies. `neutreeko query --line --seed 1 '{summary['longest_example']}'` prints a best line:

![The longest win, move by move](images/game-longest.svg)

The winner makes {len(winner)} moves. {only} of them are the only winning move, and {fastest} are the only fastest one.
The loser makes {len(loser)} moves, of which {slowest} are the only ones that delay the loss longest.'''


def distances(summary, facts):
    counts, decided, rows = summary['by_plies'], sum(summary['by_plies']), []
    for ply in [*range(8), *range(9, len(counts) - 1, 12), len(counts) - 1]:
        rows.append(f"| {ply} | {'win' if ply % 2 else 'loss'} | {counts[ply]:,} | "
                    f"{100 * sum(counts[:ply + 1]) / decided:.2f} % |")
    holding, drawn, only = facts['holding'], summary['draws'], sum(facts['only_win'])
    return '\n'.join(['''## Distances

![Positions by distance](images/game-distances.svg)

| plies | result | positions | cumulative share of wins and losses |
|---|---|---|---|''', *rows, f'''
The longer the win, the more often only one move wins. The share of won positions with a single winning move:

![Share of wins with a single winning move](images/game-only.svg)

In total there are {only:,} such positions, {percent(only, summary['wins'])} of all wins. Draws are more difficult:
in {percent(holding[1], drawn)} of the drawn positions only one move keeps the draw.

| moves that keep the draw | drawn positions |
|---|---|''', *(f'| {n} | {count:,} |' for n, count in enumerate(holding) if count)])


def turns(facts):
    table = facts['turns']
    names = ['loses', 'draws', 'wins']
    rows = [f'| {names[mover]} | ' + ' | '.join(f'{table[mover][other]:,}' for other in (2, 1, 0)) + ' |'
            for mover in (2, 1, 0)]
    worst = facts['zugzwang']
    return '\n'.join(['''## Tempo and zugzwang

This table compares each unfinished placement with the same placement with the other side to move:

| side to move | opponent to move instead: wins | draws | loses |
|---|---|---|---|''', *rows, f'''
In {percent(table[2][2], sum(map(sum, table)))} of them either side wins if it is to move. The rarest case is mutual
zugzwang: in {table[0][0]:,} positions either side loses if it is to move. The longest such loss takes
{worst['value']} plies (`{worst['first']}` and {worst['positions'] - 1} more):

![The side to move loses](images/game-zugzwang.svg)'''])


def one_sided(facts, extremes):
    win, lose = facts['all_win'], facts['all_lose']
    return f'''## Extreme positions

**All moves win**, with the most moves: {win['value']} moves, in {win['positions']:,} positions such as
`{win['first']}`.

![All moves win](images/game-all-win.svg)

**All moves lose**, with the most moves: {lose['value']} moves, in {lose['positions']:,} positions such as
`{lose['first']}`, which is lost in {number(extremes['all_lose']['plies'])} plies.

![All moves lose](images/game-all-lose.svg)'''


def tricky(facts, extremes):
    win, hold, trap = facts['only_win_latest'], facts['only_hold'], facts['trap']
    losses = [move['plies'] for move in moves_with(extremes['trap'], 'loss')]
    return f'''## The most difficult positions

**Only one move wins and all others lose**, with the longest distance: {win['value']} plies,
{listed(moves_with(extremes['only_win_latest'], 'win'))} of {len(extremes['only_win_latest']['moves'])} moves, in
{win['positions']:,} positions such as `{win['first']}`.

![Only one move wins and all others lose](images/game-only-win-latest.svg)

**Only one move draws and all others lose**, with the most moves: {listed(moves_with(extremes['only_hold'], 'draw'))}
of {hold['value']}, in {hold['positions']:,} positions such as `{hold['first']}`.

![Only one move draws and all others lose](images/game-only-hold.svg)

**The best trap** is `{trap['first']}` (in {trap['positions']:,} positions). Its trap value is {trap['value']} of 256:
the probability that a side to move that sees seven plies ahead and otherwise plays at random loses to a perfect
opponent ([HOW.md](HOW.md#the-trap-value)). Of {len(extremes['trap']['moves'])} moves {len(losses)} lose, in
{min(losses)} to {max(losses)} plies.

![The best trap](images/game-trap.svg)'''


def exchanged(position):
    """The placement with the colours exchanged, and with the same side to move."""
    ranks, side = position.split()
    return f"{ranks.translate(str.maketrans('bw', 'wb'))} {side}"


def by_definition(draws):
    """How many placements, one of each symmetric set, fulfil the conditions of a fair start one after the other; and
    all those that fulfil the last one."""
    rows = {canonical(row['position']): (len(row['best_moves'].split()), int(row['trap'])) for row in draws}
    turned = {position: rows.get(canonical(exchanged(position))) for position in rows}
    drawn = [position for position in rows if turned[position]]
    free = [position for position in drawn if min(rows[position][0], turned[position][0]) >= 2]
    close = [position for position in free if abs(rows[position][1] - turned[position][1]) <= 16]
    return [len(found) for found in (drawn, free, close)], set(close)


def fair_starts(programs, table):
    counts, close = by_definition(programs.draws(table))
    starts = [answer['position'] for answer in programs.query(table, [f'fair:{n + 1}' for n in range(counts[2])])]
    if programs.count_fair_starts(table) != counts[2] or not close.issuperset(map(canonical, starts)):
        sys.exit('scripts/generate/game.py: the fair starts are not those of the definition')
    shown = [1, *range(20, counts[2], 20), counts[2]]
    parts, cell = [], 16
    for n, chosen in enumerate(shown):
        x, y = 8 + n % 5 * 110, 22 + n // 5 * 110
        parts.append(label(x + 2.5 * cell, y - 6, f'fair:{chosen}', 11))
        parts.append(board(x, y, starts[chosen - 1], cell))
    return f'''## Fair starts

From the standard start position, both sides have [only one correct line](#the-opening) for many moves, which can be
memorised. A *fair start* is another position to begin with: one of each set of symmetric placements that fulfil these
conditions.

| condition | placements that also fulfil those above |
|---|---|
| drawn with either side to move | {counts[0]} |
| either side, if it is to move, has at least two moves that keep the draw | {counts[1]} |
| the [trap values](HOW.md#the-trap-value) with either side to move differ by at most 16 of 256 | {counts[2]} |

Black moves first. Exchanging the colours gives another fair start, or a position that is symmetric to one. The fair
starts are numbered, in an order that [`nk_fair_starts`](../include/neutreeko.h) documents, so a number always means
the same position. `fair:17` is a position in all commands, `neutreeko play --start fair` begins at a random one, and
`neutreeko match --start fair` begins each pair of games at one:

![Some fair starts](images/game-fair.svg)''', svg(5 * 110 + 8, 22 + -(-len(shown) // 5) * 110, parts)


def plot_distances(counts):
    data = ''.join(f'{ply} {count}\n' for ply, count in enumerate(counts))
    return plot(f'''$counts << EOD
{data}EOD
set xrange [-1:{len(counts)}]
set logscale y
set format y "10^{{%L}}"
set xlabel "plies to the end of the game with optimal play"
set ylabel "positions"
set style fill solid
set boxwidth 0.8
set key top right
plot $counts using (int($1) % 2 ? $1 : NaN):2 with boxes lc rgb "#0072B2" title "wins", \\
     $counts using (int($1) % 2 ? NaN : $1):2 with boxes lc rgb "#D55E00" title "losses"
''')


def plot_only(counts, only):
    data = ''.join(f'{ply} {100 * only[ply] / counts[ply]:.2f}\n' for ply in range(1, len(counts), 2))
    return plot(f'''$share << EOD
{data}EOD
set xrange [-1:{len(counts)}]
set yrange [0:100]
set xlabel "distance of the win in plies"
set ylabel "positions with a single winning move (%)"
set style fill solid
set boxwidth 1.6
unset key
plot $share with boxes lc rgb "#0072B2"
''')


# ---- writing and checking ----

MADE_FROM = '<!-- Made by gnuplot from:\n'


def expected(content):
    """The expected content of a file; for a plot, its expected end."""
    return content if isinstance(content, str) else MADE_FROM + content.decode() + '-->\n'


def write(path, content):
    made = expected(content)
    if not isinstance(content, str):
        drawn = subprocess.run(['gnuplot'], input=content, check=True, stdout=subprocess.PIPE)
        made = drawn.stdout.decode() + made
    path.parent.mkdir(exist_ok=True)
    path.write_text(made, encoding='utf-8')


def check(path, content):
    """None, or a description of the difference."""
    if not path.exists():
        return 'it does not exist'
    found, wanted = path.read_text(encoding='utf-8'), expected(content)
    if not isinstance(content, str):
        found = MADE_FROM + found.partition(MADE_FROM)[2]
    for n, (have, want) in enumerate(zip(found.splitlines() + [''], wanted.splitlines() + ['']), 1):
        if have != want:
            return f'line {n}: found {have[:200]!r}, expected {want[:200]!r}'
    return None if found == wanted else 'the end of the file differs'


def main(arguments):
    checking = arguments[:1] == ['--check']
    if len(arguments) != 3 + checking:
        print(__doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as directory:
        programs = Programs(*arguments[checking:], pathlib.Path(directory))
        pages = dict([*explain(programs), *describe(programs)])
    failed = 0
    if checking:
        print(f'1..{len(pages)}')
    for n, (name, content) in enumerate(pages.items(), 1):
        if not checking:
            write(DOCS / name, content)
            continue
        wrong = check(DOCS / name, content)
        failed += bool(wrong)
        print(f"{'not ' if wrong else ''}ok {n} - docs/{name} is what scripts/docs generates")
        if wrong:
            print(f'# {wrong}; rebuild it with scripts/docs')
    return int(failed > 0)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
