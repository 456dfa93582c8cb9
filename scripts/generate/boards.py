"""Solves and verifies boards, and writes data/boards.json and docs/distances.svg.

Usage: scripts/docs boards [NAME... | all]

Boards that are not solved this time keep their recorded results. Without arguments, all boards that take at most a few
minutes each are solved; `all` takes hours, 16 GiB of memory and 60 GB in TMPDIR. A name is WxH/PIECES[/rowK][/RULE],
such as 5x5/3, 5x5/4/row4 or 5x5/3/diagonal.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
names = sys.argv[1:]
record = ROOT / 'data/boards.json'
usual = '''3x3/3 3x4/3 3x5/3 4x4/3 4x5/3 4x6/3 5x5/3 5x5/3/orthogonal 5x5/3/diagonal 5x5/3/equidistant 5x5/3/centre
    4x4/4 4x4/4/row4 5x6/3 5x7/3 6x6/3 5x5/4 5x5/4/row4 6x7/3 7x7/3 7x7/3/centre 5x5/5 6x6/4 8x8/3'''.split()
large = ['7x8/3', '7x7/4']
huge = ['6x6/5', '7x8/4', '8x8/4']  # with logs and sets in files, and without trap values
drawn = ['4x4/3', '5x5/3', '6x6/3', '7x7/3', '8x8/3']  # in the picture
colours = ['#000000', '#D55E00', '#009E73', '#0072B2', '#CC79A7']  # distinguishable with colour blindness

# Published results; a different result is an error.
published = {
    '4x4/3': {'legal': 153296, 'wins': 105320, 'losses': 40004, 'draws': 7972, 'longest': 33},
    '5x5/3': {'legal': 3468080, 'wins': 2473028, 'losses': 890392, 'draws': 104660, 'longest': 51,
              'start_value': ['draw', None]},
    '6x6/3': {'draws': 1331196, 'longest': 72},
    '7x7/3': {'wins': 205791944, 'losses': 64178768, 'draws': 7884008, 'longest': 130, 'start_value': ['draw', None]},
    '5x5/3/orthogonal': {'draws': 234232, 'longest': 66, 'start_value': ['win', 43]},
    '5x5/3/diagonal': {'draws': 53728, 'longest': 68, 'start_value': ['win', 33]},
    '5x5/3/equidistant': {'draws': 6424, 'longest': 43, 'start_value': ['win', 11]},
    '5x5/3/centre': {'draws': 24620, 'longest': 40, 'start_value': ['draw', None]},
}


def fail(message, status=1):
    print(f'scripts/docs boards: {message}', file=sys.stderr)
    sys.exit(status)


def options(name):
    match = re.fullmatch(r'(\dx\d)/(\d)(?:/row(\d))?(?:/([a-z]+))?', name)
    if not match:
        fail(f"'{name}': expected a board such as 5x5/3, 5x5/4/row4 or 5x5/3/diagonal, or 'all'", 2)
    given = zip(['--board', '--pieces', '--row', '--win'], match.groups())
    return [word for option, value in given if value for word in (option, value)]


def name_of(board):
    row = '' if board['row_length'] == min(3, board['pieces']) else f"/row{board['row_length']}"
    return f"{board['board']}/{board['pieces']}{row}" + ('' if board['win'] == 'line' else '/' + board['win'])


def run(program, *arguments):
    done = subprocess.run([ROOT / 'build' / program, *arguments, '--json'], capture_output=True, text=True)
    if done.returncode:
        fail(f"{program} {' '.join(arguments)}: {done.stderr.strip() or done.returncode}")
    return json.loads(done.stdout)


def machine():
    with open('/proc/cpuinfo', encoding='ascii') as file:
        about = dict(re.findall(r'^(\S[^\t:]*)\s*: (.*)$', file.read(), re.M))
    cores = len(os.sched_getaffinity(0))
    return f"{cores} core{'s' * (cores > 1)}, {about.get('model name', 'unknown processor')}" + (
        f" (family {about['cpu family']}, model {about['model']})" if 'cpu family' in about else '')


def solve(name, directory):
    table = directory + '/table.dat'
    files = ['--checkpoint', directory + '/files'] if name in huge else []
    board = run('solver/neutreeko-solve', *options(name), '--output', table, *files, *['--no-traps'] * bool(files))
    for key in 'version', 'table', 'verified':
        del board[key]
    found = run('solver/neutreeko-solve', '--check', table)
    board['verify_seconds'] = found['total_seconds']
    for key in 'legal', 'wins', 'losses', 'draws', 'stalemates', 'longest', 'by_plies':
        if found[key] != board[key]:
            fail(f'{name}: {key}: the analysis printed {board[key]}, the verifier {found[key]}')
    if board.get('start'):
        value = run('player/neutreeko', 'query', '--table', table, board['start'])
        board['start_value'] = [value['result'], value['plies']]
    board['machine'] = machine()
    for key, value in published.get(name_of(board), {}).items():
        if board.get(key, value) != value:
            fail(f'{name}: {key}: computed {board[key]}, published {value}')
    return board


def draw(boards):
    plot = [r'''set terminal svg size 900,520 dynamic font "sans-serif,14" background "#ffffff"
set logscale y
set format y "10^{%L}"
set xlabel "plies to the end of the game with optimal play (lines: wins, dots: losses)"
set ylabel "positions"
set border 3
set tics nomirror out
set grid lc rgb "#dddddd" lw 1
set yrange [1:]
set rmargin 8
unset key''']
    curves = []
    for colour, name in zip(colours, drawn):
        if name not in boards:
            continue
        distances = boards[name]['by_plies']
        block = '$b' + str(len(curves) // 2)
        plot.append(f'{block} << EOD')
        plot += [f'{plies} {count}' for plies, count in enumerate(distances) if count]
        plot.append('EOD')
        plot.append(f'set label "{name}" at {len(distances) - 1},{distances[-1]} offset 0.6,0 tc rgb "{colour}"')
        curves.append(f'{block} using 1:(int($1) % 2 ? $2 : NaN) every 2::1 with lines lw 2 lc rgb "{colour}"')
        curves.append(f'{block} using 1:(int($1) % 2 ? NaN : $2) with points pt 7 ps 0.35 lc rgb "{colour}"')
    if curves:
        plot.append('plot ' + ', '.join(curves))
        svg = subprocess.run(['gnuplot'], input='\n'.join(plot) + '\n', check=True, stdout=subprocess.PIPE, text=True)
        write(ROOT / 'docs/distances.svg', svg.stdout)


def write(path, text):
    new = path.with_suffix('.new')
    new.write_text(text, encoding='utf-8')
    new.replace(path)


boards = {}
if record.exists():
    boards = {name_of(board): board for board in json.loads(record.read_text(encoding='utf-8'))}
names = usual + large + huge if names == ['all'] else names or usual
for name in names:
    options(name)
for name in names:
    print(name, file=sys.stderr)
    with tempfile.TemporaryDirectory() as directory:
        board = solve(name, directory)
    boards[name_of(board)] = board
    boards = dict(sorted(boards.items(), key=lambda item: (item[1]['placements'], item[0])))
    write(record, '[\n' + ',\n'.join(map(json.dumps, boards.values())) + '\n]\n')
draw(boards)
