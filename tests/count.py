"""Counts single tests: count.py BUILD [quick | thorough | soak | named]

Prints how to repeat the tests that failed in the last run of `meson test` in BUILD, and "N passed, N failed". Fails if
a test failed or none ran. With a second argument, each of these counts as a failure too: a test that was skipped
without permission and, unless only named tests ran, a file with tests that no configured test runs, and a configured
test of that suite that did not run."""

import ast
import glob
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]

# Why a test may be skipped: all other reasons are failures, because scripts/setup installs what the tests need.
PERMITTED = (
    'cannot become another user',             # the tests run as a user
    'only root can give a file away',         # the same
    'takes seconds',                          # of the thorough suite
    'a table is installed on this machine',   # where the package is installed
    'the compiler has added its own symbols', # by flags in the environment
)


# ---- what ran ----

def read_log(build):
    """The tests that the last run started, as meson describes them, by name."""
    tests = {}
    for path in glob.glob(f'{build}/meson-logs/testlog*.json'):
        with open(path, encoding='utf-8') as log:
            for line in log:
                test = json.loads(line)
                tests[test['name'].split(' / ')[-1]] = test
    return tests


def count(test):
    """How many single tests passed and failed."""
    good = test['result'] in ('OK', 'EXPECTEDFAIL')
    skipped = test['result'] == 'SKIP'
    output = test['stdout'] or ''
    if re.search(r'^1\.\.\d+', output, re.M):
        lines = re.findall(r'^(not )?ok\b(?!.*# *(?i:skip|todo))', output, re.M)
        bad = sum(1 for refused in lines if refused)
        return len(lines) - bad, bad if good or skipped else max(bad, 1)
    counts = re.findall(r'^(?:=+ )?(\d+ \w+(?:, \d+ \w+)*) in [\d.]+s\b', output, re.M)  # of pytest
    if counts:
        numbers = {word.rstrip('s'): int(number) for number, word in re.findall(r'(\d+) (\w+)', counts[-1])}
        bad = numbers.get('failed', 0) + numbers.get('error', 0)
        return numbers.get('passed', 0), bad if good else max(bad, 1)
    return (0, 0) if skipped else (int(good), int(not good))


def find_skips(test):
    """What was skipped, with the reasons."""
    output = test['stdout'] or ''
    if test['result'] == 'SKIP':
        return [test['name']]
    return (re.findall(r'^\s*ok\b.*# *(?i:skip|todo).*', output, re.M)
            + re.findall(r'^SKIPPED \[\d+\] .*', output, re.M))


# ---- what exists ----

def is_marked(node):
    return any(re.search(r'mark\.thorough|\bTHOROUGH\b', ast.unparse(decorator)) for decorator in node.decorator_list)


def suites_of_python(path):
    """The suites in which a file has tests."""
    tree = ast.parse(path.read_text(encoding='utf-8'))
    assignments = [ast.unparse(node) for node in tree.body if isinstance(node, ast.Assign)]
    if any(text.startswith('pytestmark') and 'thorough' in text for text in assignments):
        return {'thorough'}
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith('test')]
    return {'thorough' if is_marked(node) else 'quick' for node in tests}


def suites_of(path, pattern, thorough):
    """The same of other files. They have tests if they match `pattern`, which try more if the file has `thorough`."""
    text = path.read_text(encoding='utf-8')
    if not re.search(pattern, text, re.M):
        return set()
    return {'quick', 'thorough'} if thorough in text else {'quick'}


C_TEST = r'^(Test|ParameterizedTest|Theory)\(|^int LLVMFuzzerTestOneInput\(.*\)$'
WEB_TEST = r'^ *(test|onPage)\('


def find_existing():
    """The suites in which the files of the project have tests."""
    suites = {path: suites_of_python(path) for path in (ROOT / 'tests').rglob('test_*.py')}
    for path in (ROOT / 'tests').rglob('*.c'):
        suites[path] = suites_of(path, C_TEST, 'is_thorough()')
    scripts = {path: path.read_text(encoding='utf-8') for path in (ROOT / 'tests/web').glob('*.mjs')}
    imported = {name for text in scripts.values() for name in re.findall(r"from '\./(.+)'", text)}
    for path in scripts:
        if path.name not in imported:  # those are what the tests share
            found = suites_of(path, WEB_TEST, 'THOROUGH')
            # The page's tests are in either suite.
            suites[path] = {'any' if suite == 'quick' else suite for suite in found}
    suites[ROOT / 'bindings/python/check.py'] = {'quick', 'thorough'}
    suites[ROOT / 'bindings/npm/check.mjs'] = {'thorough'}
    for name in ('browsers', 'walk'):
        suites[ROOT / f'tests/web/{name}.mjs'] = {'soak'}
    suites[ROOT / 'scripts/generate/game.py'] = {'quick'}
    return suites


# ---- what is configured ----

def introspect(build):
    """The configured tests: for each name, its suite and the files that it reaches."""
    about = json.loads(subprocess.check_output(['meson', 'introspect', '--tests', '--targets', build]))
    sources = {name: {source for group in target['target_sources'] for source in group.get('sources', [])}
               for target in about['targets'] for name in target['filename']}
    tests = {}
    for test in about['tests']:
        # Tests of the page run as bundles (tests/web/bundle.mjs).
        arguments = {os.path.normpath(os.path.join(build, argument)) for argument in test['cmd']}
        arguments = {re.sub(r'^.*/bundles/(?=\w+\.mjs$)', f'{ROOT}/tests/web/', argument) for argument in arguments}
        reached = arguments.union(*(sources.get(argument, set()) for argument in arguments))
        names = {name.rpartition(':')[2] for name in test['suite']}
        suite = next((suite for suite in ('soak', 'thorough') if suite in names), 'quick')
        tests[test['name']] = suite, {pathlib.Path(path) for path in reached}
    return tests


def find_gaps(build, ran, chosen):
    """What was not tested although it exists."""
    configured = introspect(build)
    for path, suites in sorted(find_existing().items() if chosen != 'named' else ()):
        for suite in sorted(suites):
            # The longest of the thorough ones are in "soak".
            fitting = {'thorough': {'thorough', 'soak'}, 'any': {'quick', 'thorough'}}.get(suite, {suite})
            if not any(path in reached for of, reached in configured.values() if of in fitting):
                yield f'{path.relative_to(ROOT)}: no test of the suite "{suite}" that meson has configured runs it'
    for name, (suite, _) in configured.items():
        if suite == chosen and name not in ran:
            yield f'{name}: configured, but it did not run'
    for name, test in ran.items():
        for skip in find_skips(test):
            if not any(reason in skip for reason in PERMITTED):
                yield f'{name}: skipped without permission: {skip}'


def main(build, chosen=None):
    ran = read_log(build)
    passed = failed = 0
    to_repeat = []
    for name, test in ran.items():
        good, bad = count(test)
        passed += good
        failed += bad
        if test['result'] not in ('OK', 'EXPECTEDFAIL', 'SKIP'):
            to_repeat.append(name)
    if to_repeat:
        print(f'To repeat what failed: meson test -C {build} --verbose', *to_repeat)
    for gap in find_gaps(os.path.abspath(build), ran, chosen) if chosen else ():
        print(gap)
        failed += 1
    print(f'{passed} passed, {failed} failed')
    return failed > 0 or passed == 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
