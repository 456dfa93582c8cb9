"""Tests of neutreeko play, as a person at a terminal, a script at a pipe and another program meet it.

Usage: python3 tests/play.py PATH/neutreeko-solve PATH/neutreeko [NAME...]

Prints TAP; exit status 0 only when every test passed. With a NAME, or several, only those tests run whose
function's name contains it. Needs nothing beyond Python's standard library.
"""

import sys

sys.dont_write_bytecode = True  # leave no __pycache__ among the sources

import cli_harness
import play_pipe
import play_protocol
import play_terminal


if __name__ == '__main__':
    sys.exit(0 if cli_harness.main([play_pipe, play_terminal, play_protocol], __doc__) else 1)
