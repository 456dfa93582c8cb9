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
    """How many single tests passed and failed, in TAP's lines, in the last line of pytest, or as one; and the skips."""
    output = test['stdout'] or ''
    lines = re.findall(r'^(not )?ok\b(?!.*# *(?i:skip|todo))', output, re.M)
    last = re.findall(r'^(?:=+ )?(\d+ \w+(?:, \d+ \w+)*) in [\d.]+s\b', output, re.M)
    numbers = dict((word.rstrip('s'), int(number)) for number, word in re.findall(r'(\d+) (\w+)', (last or [''])[-1]))
    failed = lines.count('not ') + numbers.get('failed', 0) + numbers.get('error', 0)
    skips = re.findall(r'^(?:\s*ok\b.*# *(?i:skip|todo).*|SKIPPED \[\d+\] .*)', output, re.M)
    passed = lines.count('') + numbers.get('passed', 0) + (test['result'] == 'OK' and not (lines or last or skips))
    is_bad = test['result'] not in ('OK', 'SKIP')
    return passed, max(failed, is_bad), skips or ['all of it'] * (test['result'] == 'SKIP')


build, suite = [*sys.argv[1:], ''][:2]
logs = [line for path in glob.glob(f'{build}/meson-logs/testlog*.json') for line in open(path, encoding='utf-8')]
ran = {test['name'].split(' / ')[-1]: test for test in map(json.loads, logs)}
missing = []
for test in json.loads(subprocess.check_output(['meson', 'introspect', '--tests', build])):
    suites = [name for name in ('soak', 'thorough', 'quick') if name == 'quick' or f':{name}' in ''.join(test['suite'])]
    missing += [f'{test["name"]}: did not run'] * (suite == suites[0] and test['name'] not in ran)
for name, skip in [(name, skip) for name in ran if suite for skip in count(ran[name])[2]]:
    missing += [f'{name}: skipped: {skip}'] * (not any(why in skip for why in PERMITTED))
passed, failed = (sum(count(test)[which] for test in ran.values()) for which in (0, 1))
repeat = [f'To repeat: meson test -C {build} -v {name}' for name in ran if count(ran[name])[1]]
print(*missing, *repeat, f'{passed} passed, {failed + len(missing)} failed', sep='\n')
sys.exit(failed + len(missing) > 0 or passed == 0)
