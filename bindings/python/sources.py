#!/usr/bin/env python3
"""The sources of libneutreeko for the module, from the list that the project's meson writes (common/meson.build).

sources.py write LIST VERSION TOP KERNEL WIDTH... -- FILE...
    write this list: the version, the C file that is compiled for each width of vectors, the widths and arguments for
    x86-64, and the other C files, by their paths from TOP
sources.py version            print the version of the project
sources.py list LIST SYSTEM   print the paths of the C files for a system, as meson calls it, the kernel first
sources.py widths LIST CPU    print a line for each width of vectors on a processor: the bytes, and arguments
sources.py copy LIST          copy all that the module is built from into a source distribution that meson is making"""

import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
DISTRIBUTED = HERE / 'source'
TOP = DISTRIBUTED if DISTRIBUTED.is_dir() else HERE.parents[1]
LIST = 'sources.json'  # in a source distribution


def write(target, version, top, kernel, *rest):
    end = rest.index('--')
    text = json.dumps({
        'version': version,
        'kernel': os.path.relpath(kernel, top),
        'widths': rest[:end],
        'sources': sorted({os.path.relpath(file, top) for file in rest[end + 1:]}),
    }, indent=1) + '\n'
    pathlib.Path(target).write_text(text, encoding='utf-8')


def read(path):
    return json.loads(pathlib.Path(path).read_text(encoding='utf-8'))


def version():
    """What the project's meson.build declares, which has not been configured yet."""
    if DISTRIBUTED.is_dir():
        return read(DISTRIBUTED / LIST)['version']
    introspect = [*shlex.split(os.environ['MESONINTROSPECT']), '--projectinfo', TOP / 'meson.build']
    return json.loads(subprocess.run(introspect, check=True, stdout=subprocess.PIPE).stdout)['version']


def list_for(path, system):
    other = 'posix' if system == 'windows' else 'windows'
    listed = read(path)
    return [TOP / source for source in [listed['kernel'], *listed['sources']] if not source.endswith(f'_{other}.c')]


def widths_for(path, cpu):
    """Every processor has vectors of 16 bytes."""
    return read(path)['widths'] if cpu == 'x86_64' else ['16']


def copy(path):
    target = pathlib.Path(os.environ['MESON_DIST_ROOT']) / 'source'
    listed = read(path)
    sources = [TOP / source for source in [listed['kernel'], *listed['sources']]]
    headers = [*TOP.glob('common/**/*.h'), *TOP.glob('solver/**/*.h'), TOP / 'include/neutreeko.h']
    notices = [TOP / 'packaging/notices.py', *TOP.glob('packaging/notices/*.txt')]
    for file in [TOP / 'LICENSE', *notices, *sources, *headers]:
        place = target / file.relative_to(TOP)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, place)
    shutil.copy(path, target / LIST)
    date = os.environ.get('SOURCE_DATE_EPOCH')
    for file in target.rglob('*') if date else ():
        os.utime(file, (int(date), int(date)))


command, arguments = sys.argv[1], sys.argv[2:]
if command == 'write':
    write(*arguments)
elif command == 'version':
    print(version())
elif command == 'list':
    print(*list_for(*arguments), sep='\n')
elif command == 'widths':
    print(*widths_for(*arguments), sep='\n')
else:
    copy(*arguments)
