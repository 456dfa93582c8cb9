#!/usr/bin/env python3
"""Tags a wheel for all that it works with: tag.py WHEEL DIRECTORY

Write the wheel to DIRECTORY, with a tag for the oldest Python that pyproject.toml requires and all later ones, since
the module uses only the stable ABI of that version (neutreeko/meson.build), and on Linux for the oldest C library that
has the functions that the module calls."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# Every Linux that a manylinux tag names has these; of zlib, what has a version is too new for the oldest.
COMMON = re.compile(r'(libc|libm|libdl|libpthread|ld-linux[-\w]*)\.so\.\d|libz\.so\.1')
OLDEST_LIBC = 17  # of 2.17, the oldest that current tools accept


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def oldest_python():
    required = re.search(r"^requires-python = '>= 3\.(\d+)'$", (HERE / 'pyproject.toml').read_text(), re.M)
    return f'cp3{required[1]}'


def manylinux(module, machine):
    """The platform of a module: the libraries that it needs and the versions of their symbols decide."""
    headers = run('objdump', '-p', module)
    unknown = [name for name in re.findall(r'NEEDED +(\S+)', headers) if not COMMON.fullmatch(name)]
    if unknown:
        sys.exit(f'tag.py: {module.name} needs {unknown[0]}, which not every Linux has')
    versions = re.findall(r'^    0x\w+ 0x\w+ \d+ (\S+)$', headers, re.M)
    others = [version for version in versions if not re.fullmatch(r'GLIBC_2(\.\d+)+', version)]
    if others:
        sys.exit(f'tag.py: {module.name} needs symbols of {others[0]}, which not every Linux has')
    newest = max([OLDEST_LIBC, *(int(version.split('.')[1]) for version in versions)])
    return f'manylinux_2_{newest}_{machine}'


def retag(unpacked):
    platform, = (tag.split('-')[2] for tag in re.findall(r'^Tag: (\S+)$', wheel_file(unpacked).read_text(), re.M))
    if platform.startswith('linux_'):
        platform = manylinux(*unpacked.glob('neutreeko/_native*.so'), platform.removeprefix('linux_'))
    text = re.sub(r'^Tag: .*$', f'Tag: {oldest_python()}-abi3-{platform}', wheel_file(unpacked).read_text(), flags=re.M)
    wheel_file(unpacked).write_text(text)


def wheel_file(unpacked):
    path, = unpacked.glob('*.dist-info/WHEEL')
    return path


def main():
    wheel, directory = sys.argv[1:]
    os.umask(0o022)
    with tempfile.TemporaryDirectory(prefix='neutreeko-wheel-') as place:
        run(sys.executable, '-m', 'wheel', 'unpack', '--dest', place, wheel)
        unpacked, = pathlib.Path(place).iterdir()
        retag(unpacked)
        run(sys.executable, '-m', 'wheel', 'pack', '--dest-dir', directory, unpacked)


if __name__ == '__main__':
    main()
