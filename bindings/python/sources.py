#!/usr/bin/env python3
"""Sources of libneutreeko for the module: those that library/meson.build takes from common/ and player/.

sources.py version    print the version of the project
sources.py list       print the paths of the C files
sources.py copy TABLE copy all that the module is built from into a source distribution that meson is making"""

import os
import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE / 'source' if (HERE / 'source').is_dir() else HERE.parents[1]


def lists(directory):
    """The lists of files in the meson.build of a directory, by name."""
    text = (TOP / directory / 'meson.build').read_text(encoding='utf-8')
    return {name: re.findall(r"'(\w+\.c)'", files)
            for name, files in re.findall(r'^(\w+_sources) = (?:\w+ \+ )?files\((.*?)\)', text, re.M | re.S)}


def sources():
    common, player = lists('common'), lists('player')
    return [TOP / 'library/neutreeko.c',
            *(TOP / 'common' / name for name in common['portable_sources'] + common['common_library_sources']),
            *(TOP / 'player' / name for name in player['game_sources'] + player['player_library_sources'])]


def copy(table):
    target = pathlib.Path(os.environ['MESON_DIST_ROOT']) / 'source'
    others = [TOP / name for name in ('LICENSE', 'meson.build', 'common/meson.build', 'player/meson.build',
                                      'include/neutreeko.h')]
    for path in [*sources(), *others, *TOP.glob('common/*.h'), *TOP.glob('player/*.h')]:
        place = target / path.relative_to(TOP)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)
    (target / 'data').mkdir()
    shutil.copy(table, target / 'data/perfect_move.dat')


if sys.argv[1] == 'version':
    print(re.search(r"^  version: '(.*)'", (TOP / 'meson.build').read_text(encoding='utf-8'), re.M)[1])
elif sys.argv[1] == 'list':
    print(*sources(), sep='\n')
else:
    copy(sys.argv[2])
