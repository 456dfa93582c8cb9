"""count.py BUILD [quick | thorough | soak | named]: prints "N passed, N failed" of the single tests in the last run of
`meson test`; fails if one failed or none ran; with a suite, also if one did not run or its skip is not permitted."""
import glob
import json
import re
import sys

# Why a test may be skipped: scripts/setup installs what the others need.
PERMITTED = ('cannot become another user', 'only root can give a file away', 'takes seconds',
             'the compiler has added its own symbols')


def count(test):
    """How many single tests passed and failed, in TAP's lines, in the last line of pytest, or as one; and the skips."""
    output = test['stdout'] or ''
    lines = re.findall(r'^(not )?ok\b(?!.*# *(?i:skip|todo))', output, re.M)
    skips = re.findall(r'^(?:\s*ok\b.*# *(?i:skip|todo).*|SKIPPED \[\d+\] .*)', output, re.M)
    last = re.findall(r'^(?:=+ )?(\d+ \w+(?:, \d+ \w+)*) in [\d.]+s\b', output, re.M)[-1:]
    passed = lines.count('') + sum(map(int, re.findall(r'(\d+) passed', ''.join(last))))
    failed = lines.count('not ') + sum(map(int, re.findall(r'(\d+) (?:failed|error)', ''.join(last))))
    is_single = test['result'] == 'OK' and not (lines or last or skips)
    is_bad = test['result'] not in ('OK', 'SKIP')
    whole = ['all of it'] if test['result'] == 'SKIP' else []
    return passed + is_single, max(failed, is_bad), skips or whole


build, suite = [*sys.argv[1:], ''][:2]
logs = [line for path in glob.glob(f'{build}/meson-logs/testlog*.json') for line in open(path, encoding='utf-8')]
counts = {test['name'].split(' / ')[-1]: count(test) for test in map(json.loads, logs)}
wrong = [f'{name}: skipped: {skip}' for name, (_, _, skips) in counts.items() for skip in skips
         if suite and not any(why in skip for why in PERMITTED)]
for test in json.load(open(f'{build}/meson-info/intro-tests.json', encoding='utf-8')):
    longest = next((name for name in ('soak', 'thorough') if f'neutreeko:{name}' in test['suite']), 'quick')
    if suite == longest and test['name'] not in counts:
        wrong.append(f'{test["name"]}: did not run')
repeat = [f'To repeat: meson test -C {build} -v {name}' for name, (_, failed, _) in counts.items() if failed]
passed = sum(passed for passed, _, _ in counts.values())
failed = sum(failed for _, failed, _ in counts.values()) + len(wrong)
print(*wrong, *repeat, f'{passed} passed, {failed} failed', sep='\n')
sys.exit(failed > 0 or passed == 0)
