#!/usr/bin/env python3
"""Usage: packaging/notices.py ARTIFACT

Print the licences of what an artifact, wheel or npm, contains besides this project, from packaging/notices."""

import pathlib
import sys

TEXTS = pathlib.Path(__file__).with_name('notices')
NAMES = {
    'musl': 'musl, the C library in the WebAssembly modules, by way of wasi-libc',
    'pako': 'pako, which uncompresses tables in browsers',
    'xxhash': 'xxHash, the checksums of tables',
}
ARTIFACTS = {'wheel': ['xxhash'], 'npm': ['musl', 'pako', 'xxhash']}


def main():
    if sys.argv[1:] not in [[artifact] for artifact in ARTIFACTS]:
        sys.exit(f'notices.py: expected one of {", ".join(ARTIFACTS)}')
    sys.stdout.reconfigure(encoding='utf-8', newline='\n')
    for name in ARTIFACTS[sys.argv[1]]:
        print(f'{NAMES[name]}\n{"-" * len(NAMES[name])}\n\n{(TEXTS / f"{name}.txt").read_text(encoding="utf-8")}')


if __name__ == '__main__':
    main()
