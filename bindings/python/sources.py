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


def resolve(directory, name):
    """The files in a list of the meson.build of a directory, such as `other_sources + files('x.c', 'y.c')`."""
    text = (TOP / directory / 'meson.build').read_text(encoding='utf-8')
    others, files = re.search(rf'^{name} = ((?:\w+ \+ )*)files\((.*?)\)', text, re.M | re.S).groups()
    return [file for other in re.findall(r'\w+', others) for file in resolve(directory, other)] + re.findall(r"'(\S+)'", files)


def sources():
    """What library/meson.build extracts from both libraries, and its own file."""
    library = (TOP / 'library/meson.build').read_text(encoding='utf-8')
    found = [TOP / 'library/neutreeko.c']
    for directory, name in re.findall(r'(\w+)_lib\.extract_objects\((\w+)\)', library):
        found += [TOP / directory / file for file in resolve(directory, name)]
    return found


def copy(table):
    target = pathlib.Path(os.environ['MESON_DIST_ROOT']) / 'source'
    others = [TOP / name for name in ('LICENSE', 'meson.build', 'common/meson.build', 'library/meson.build',
                                      'player/meson.build', 'include/neutreeko.h')]
    for path in [*sources(), *others, *TOP.glob('common/*.h'), *TOP.glob('player/*.h')]:
        place = target / path.relative_to(TOP)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)
    (target / 'data').mkdir()
    shutil.copy(table, target / 'data/perfect_move.dat')
    date = os.environ.get('SOURCE_DATE_EPOCH')
    for path in target.rglob('*') if date else ():
        os.utime(path, (int(date), int(date)))


if sys.argv[1] == 'version':
    print(re.search(r"^  version: '(.*)'", (TOP / 'meson.build').read_text(encoding='utf-8'), re.M)[1])
elif sys.argv[1] == 'list':
    print(*sources(), sep='\n')
else:
    copy(sys.argv[2])
