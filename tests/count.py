"""count.py BUILD [quick | thorough | soak | named]: prints "N passed, N failed" of the single tests in the last run of
`meson test`; fails if one failed or none ran. With a suite, also if a test was skipped without permission, or one that
is configured for the suite did not run."""
import glob
import json
import re
import subprocess
import sys

# Why a test may be skipped: scripts/setup installs what the others need.
PERMITTED = ('cannot become another user', 'only root can give a file away', 'takes seconds',
             'a table is installed on this machine', 'the compiler has added its own symbols')


def count(test):
    """How many single tests passed and failed, and the skips: by the lines of TAP, by the last line of pytest, or as
    one."""
    output = test['stdout'] or ''
    lines = re.findall(r'^(not )?ok\b(?!.*# *(?i:skip|todo))', output, re.M)
    skips = re.findall(r'^(?:\s*ok\b.*# *(?i:skip|todo).*|SKIPPED \[\d+\] .*)', output, re.M)
    passed, failed = lines.count(''), lines.count('not ')
    last = re.findall(r'^(?:=+ )?(\d+ \w+(?:, \d+ \w+)*) in [\d.]+s\b', output, re.M)[-1:]
    for number, word in re.findall(r'(\d+) (passed|failed|errors?)', ''.join(last)):
        if word == 'passed':
            passed += int(number)
        else:
            failed += int(number)
    if test['result'] == 'SKIP' and not skips:
        skips = ['all of it']
    if test['result'] == 'OK' and not (lines or last or skips):
        passed = 1
    if test['result'] not in ('OK', 'SKIP') and not failed:
        failed = 1
    return passed, failed, skips


def suite_of(test):
    """A test in several suites belongs to the longest."""
    return next((name for name in ('soak', 'thorough') if f':{name}' in ''.join(test['suite'])), 'quick')


build, suite = [*sys.argv[1:], ''][:2]
logs = [line for path in glob.glob(f'{build}/meson-logs/testlog*.json') for line in open(path, encoding='utf-8')]
counts = {test['name'].split(' / ')[-1]: count(test) for test in map(json.loads, logs)}
wrong = []
for test in json.loads(subprocess.check_output(['meson', 'introspect', '--tests', build])):
    if suite_of(test) == suite and test['name'] not in counts:
        wrong.append(f'{test["name"]}: did not run')
for name, (_, _, skips) in counts.items():
    for skip in skips:
        if suite and not any(why in skip for why in PERMITTED):
            wrong.append(f'{name}: skipped: {skip}')
repeat = [f'To repeat: meson test -C {build} -v {name}' for name, (_, failed, _) in counts.items() if failed]
passed = sum(passed for passed, _, _ in counts.values())
failed = sum(failed for _, failed, _ in counts.values()) + len(wrong)
print(*wrong, *repeat, f'{passed} passed, {failed} failed', sep='\n')
sys.exit(failed > 0 or passed == 0)
