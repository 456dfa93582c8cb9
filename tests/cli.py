"""End-to-end tests of neutreeko-solve and neutreeko, as a user meets them.

Usage: python3 tests/cli.py PATH/neutreeko-solve PATH/neutreeko [NAME...]

Prints TAP; exit status 0 only when every test passed. With a NAME, or several, only those tests run whose
function's name contains it. Needs nothing beyond Python's standard library.
"""

import sys

sys.dont_write_bytecode = True  # leave no __pycache__ among the sources

import cli_boards
import cli_harness
import cli_query
import cli_solve
import cli_tables


if __name__ == '__main__':
    sys.exit(0 if cli_harness.main([cli_solve, cli_boards, cli_query, cli_tables], __doc__) else 1)
