"""Tests of what the libraries define and call, as nm sees it.

Usage: python3 tests/symbols.py NM LIBRARY... SOLVER_LIBRARY

Prints TAP. Skips everything where the compiler has put in code of its own, as for sanitizers and coverage.
"""

import re
import subprocess
import sys

# With or without underscores before and _chk or _unlocked after.
PRINTS_OR_EXITS = {
    'printf', 'vprintf', 'fprintf', 'vfprintf', 'dprintf', 'vdprintf', 'puts', 'fputs', 'putc', 'fputc',
    'putchar', 'fwrite', 'perror', 'psignal', 'syslog', 'err', 'warn', 'error', 'stdout', 'stderr',
    'exit', 'Exit', 'quick_exit', 'abort', 'atexit', 'raise', 'kill',
}
INSTRUMENTED = re.compile(r'_*(asan|ubsan|tsan|msan|sanitizer|gcov|llvm_prof|llvm_gcov)_')


class Symbol:
    def __init__(self, line):
        fields = [field.strip() for field in line.split('|')]
        self.name, self.kind, self.section = fields[0], fields[2], fields[-1]

    def is_external(self):
        return self.kind.isupper() and self.kind != 'U'

    def is_writable(self):
        """Tables of addresses are filled in when a program starts and then closed: they count as constant."""
        return self.kind in 'bBdDsSgGC' and not self.section.startswith('.data.rel.ro')

    def prints_or_exits(self):
        plain = re.sub(r'(_chk|_unlocked)$', '', self.name.lstrip('_').removeprefix('IO_'))
        return self.kind == 'U' and plain in PRINTS_OR_EXITS


def symbols_of(nm, library):
    output = subprocess.run([nm, '--format=sysv', library], check=True, capture_output=True, text=True).stdout
    rows = [line for line in output.splitlines() if line.count('|') == 6]
    return [Symbol(row) for row in rows if not row.startswith('Name ')]


def main():
    nm, *quiet, solver = sys.argv[1:]
    libraries = {library: symbols_of(nm, library) for library in (*quiet, solver)}
    everything = [symbol for symbols in libraries.values() for symbol in symbols]
    if any(INSTRUMENTED.match(symbol.name) for symbol in everything):
        print('1..0 # SKIP the compiler has added its own symbols')
        return
    tests = {
        'every library defines functions':
            [library for library, symbols in libraries.items() if not any(map(Symbol.is_external, symbols))],
        'every external symbol begins with nk_':
            [s.name for s in everything if s.is_external() and not s.name.startswith('nk_')],
        'no library has variables':
            [s.name for s in everything if s.is_writable()],
        'only the library of the solver may print or end the program':
            [s.name for library in quiet for s in libraries[library] if s.prints_or_exits()],
    }
    print(f'1..{len(tests)}')
    for number, (name, offenders) in enumerate(tests.items(), 1):
        print(f'{"not ok" if offenders else "ok"} {number} - {name}')
        for offender in offenders:
            print(f'# {offender}')


main()
