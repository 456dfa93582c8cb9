"""How the programs and libraries are built, as readelf and nm see it."""

import os
import re
import subprocess

import pytest

from conftest import ROOT, given

BUILT = 'common/libneutreeko.a', 'common/libcommon.a', 'solver/libsolver.a'
LIBRARIES = os.environ.get('LIBRARIES', ':'.join(f'{ROOT}/build/{path}' for path in BUILT)).split(':')
# With or without underscores before and _chk or _unlocked after.
PRINTS_OR_EXITS = {
    'printf', 'vprintf', 'fprintf', 'vfprintf', 'dprintf', 'vdprintf', 'puts', 'fputs', 'putc', 'fputc',
    'putchar', 'fwrite', 'perror', 'psignal', 'syslog', 'err', 'warn', 'error', 'stdout', 'stderr',
    'exit', 'Exit', 'quick_exit', 'abort', 'atexit', 'raise', 'kill',
}


def inspect(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.skipif(
    'HARDENED' not in os.environ, reason='the build is not hardened: sanitizers, no optimisation, no ELF'
)
@pytest.mark.parametrize(
    'variable, path', [('NEUTREEKO_SOLVE', 'build/solver/neutreeko-solve'), ('NEUTREEKO', 'build/player/neutreeko')]
)
def test_hardened(variable, path):
    """The programs make the best of a fault that no test has found."""
    program = given(variable, path)
    header, segments, dynamic, symbols = (
        inspect('readelf', '-W', option, program) for option in ('-h', '-l', '-d', '--dyn-syms')
    )
    assert re.search(r'Type:\s+DYN', header)  # position-independent
    assert 'GNU_RELRO' in segments
    assert re.search(r'BIND_NOW|FLAGS.*\bNOW\b', dynamic)
    assert not re.search(r'\bRWE\b|\bE\b', re.search(r'GNU_STACK.*', segments)[0])
    assert not re.search(r'LOAD.*RWE', segments)
    assert '__stack_chk_fail' in symbols
    assert re.search(r'__\w+_chk\b', symbols.replace('__stack_chk_fail', ''))
    assert not os.stat(program).st_mode & 0o6000


def test_symbols():
    """The libraries define functions that begin with nk_ and no variables; only the solver's may print or exit."""
    for path in LIBRARIES:
        rows = [
            [field.strip() for field in line.split('|')]
            for line in inspect('nm', '--format=sysv', path).splitlines()
            if line.count('|') == 6 and not line.startswith('Name ')
        ]
        symbols = [(name, kind, section) for name, _, kind, *_, section in rows]
        if any(
            re.match(r'_*(asan|ubsan|tsan|msan|sanitizer|gcov|llvm_prof|llvm_gcov)_', name) for name, _, _ in symbols
        ):
            pytest.skip('the compiler has added its own symbols')
        external = [name for name, kind, _ in symbols if kind.isupper() and kind != 'U']
        assert external
        assert [name for name in external if not name.startswith('nk_')] == []
        # Tables of addresses are filled in when a program starts and then closed: they count as constant.
        assert [name for name, kind, section in symbols
                if kind in 'bBdDsSgGC' and not section.startswith('.data.rel.ro')] == []
        called = {
            re.sub(r'(_chk|_unlocked)$', '', name.lstrip('_').removeprefix('IO_'))
            for name, kind, _ in symbols
            if kind == 'U'
        }
        assert 'solver' in path or not called & PRINTS_OR_EXITS


def test_library_has_neither_checkpoints_nor_processes():
    """Solving in memory opens no checkpoint and starts no MPI: they are the program's, as the verifier is."""
    for path in (path for path in LIBRARIES if 'solver' not in path):
        names = {line.split()[-1] for line in inspect('nm', path).splitlines() if line}
        assert 'nk_table_solve' in names
        assert [name for name in names if re.match(r'MPI_|nk_(checkpoint|cluster_begin|verify)', name)] == []


def test_headers():
    """Each header compiles alone."""
    headers = [path for folder in ('include', 'common', 'solver', 'player') for path in ROOT.glob(f'{folder}/**/*.h')]
    inspect(*'cc -std=gnu17 -D_GNU_SOURCE -fsyntax-only -Wall -Wextra -Werror -x c -I'.split(), ROOT, *headers)
