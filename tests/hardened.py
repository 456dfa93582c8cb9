"""The programs are built as they should be to make the best of a fault that no test has found.

usage: hardened.py READELF PROGRAM..."""

import os
import re
import subprocess
import sys


def readelf(*arguments):
    return subprocess.run([sys.argv[1], '-W', *arguments], check=True, capture_output=True, text=True).stdout


def checks(program):
    header, segments = readelf('-h', program), readelf('-l', program)
    dynamic, symbols = readelf('-d', program), readelf('--dyn-syms', program)
    stack = re.search(r'GNU_STACK.*', segments)
    yield 'is position-independent', re.search(r'Type:\s+DYN', header)
    yield 'has relocations that become read-only', 'GNU_RELRO' in segments
    yield 'binds all symbols at once', re.search(r'BIND_NOW|FLAGS.*\bNOW\b', dynamic)
    yield 'has no executable stack', stack and not re.search(r'\bRWE\b|\bE\b', stack.group())
    yield 'has no segment both writable and executable', not re.search(r'LOAD.*RWE', segments)
    yield 'guards its stacks', '__stack_chk_fail' in symbols
    yield 'checks copies and prints (fortify)', re.search(r'__\w+_chk\b', symbols.replace('__stack_chk_fail', ''))
    yield 'runs with the rights of the user who starts it', not os.stat(program).st_mode & 0o6000


def main():
    results = [(program, what, found) for program in sys.argv[2:] for what, found in checks(program)]
    print(f'1..{len(results)}')
    for number, (program, what, found) in enumerate(results, 1):
        print(f'{"ok" if found else "not ok"} {number} - {os.path.basename(program)} {what}')
    return all(found for _, _, found in results)


if __name__ == '__main__':
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(0 if main() else 1)
