"""Tests of neutreeko play, as a person at a terminal, a script at a pipe and another program meet it.

Usage: python3 tests/play.py PATH/neutreeko-solve PATH/neutreeko [NAME...]

Prints TAP; exit status 0 only when every test passed. With a NAME, or several, only those tests run whose
function's name contains it. Needs nothing beyond Python's standard library.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # leave no __pycache__ among the sources

import cli_harness
import play_pipe
import play_protocol
import play_terminal


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.stdout.reconfigure(encoding='utf-8', errors='backslashreplace')
    with tempfile.TemporaryDirectory(prefix='neutreeko-play-') as name:
        directory = pathlib.Path(name)
        # Copies, so that neutreeko does not find the table that belongs to the build it came from.
        programs = directory / 'bin'
        programs.mkdir()
        for source, program in zip(sys.argv[1:3], ('neutreeko-solve', 'neutreeko')):
            shutil.copy(source, programs / program)
        table = directory / 'solved.dat'
        if subprocess.run([programs / 'neutreeko-solve', '--quiet', '-o', table]).returncode:
            print('Bail out! neutreeko-solve makes no table')
            return False
        tests = cli_harness.tests_of([play_pipe, play_terminal, play_protocol], sys.argv[3:])
        return cli_harness.run_tests(tests, directory, programs, table)


if __name__ == '__main__':
    sys.exit(0 if main() else 1)
