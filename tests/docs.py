"""Tests that the documents tell what is so: README, CONTRIBUTING, CHANGELOG and docs/**/*.md.

Usage: python3 tests/docs.py PATH/neutreeko-solve PATH/neutreeko [DOCUMENT...]

Of each document:
  - In blocks of code, a line that begins with `$ ` is run by a shell (a line that ends with a backslash goes on in
    the next), and must print the lines up to the next one or the end of the block. The commands of one document run
    one after the other in a directory of their own. A line `...` stands for any lines, and seconds for any seconds.
  - Wherever else scripts, neutreeko or neutreeko-solve are called, in a block or between backquotes, the script, the
    sub-command and the options exist.
  - A link to a file of the project leads to one, and to a heading if it names one; a link [`name`](file) to a C file
    leads to where that function, structure, constant or member is defined.

Prints TAP.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PATIENCE = 60
SECONDS = re.compile(r' *\b\d+(\.\d+)? (s|ms|µs|ns)\b')
SPAN = re.compile(r'`([^`]+)`')
CALL = re.compile(r'(?:^\s*(?:\$ )?|\| |&& )(?:mpirun -n \w+ )?'
                  r'(scripts/\w+|(?:build/\w+/)?neutreeko(?:-solve)?)((?: [^\s|<>&;#…]+)*)(?=$|\s)')
LINK = re.compile(r'\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)')
CODE_LINK = re.compile(r'\[`(\w+)(?:\(\))?`\]\(([^)\s]+\.[ch])\)')


def documents():
    return [*sorted(ROOT.glob('*.md')), *sorted(ROOT.glob('docs/**/*.md'))]


def parted(text):
    """The blocks of code, fenced or indented by four, each without its frame; and the text without them."""
    found, prose, fenced, indented, before = [], [], False, False, ''
    for line in text.splitlines():
        if re.match(' {0,3}```', line):
            fenced = not fenced
            if fenced:
                found.append([])
        elif fenced:
            found[-1].append(line)
        else:
            begins = line.startswith('    ') and not before.strip()
            if begins and not indented:
                found.append([])
            indented = begins or indented and (line.startswith('    ') or not line)
            if indented:
                found[-1].append(line[4:])
            else:
                prose.append(line)
        before = line
    return ['\n'.join(block).rstrip('\n') for block in found], '\n'.join(prose)


def blocks(text):
    return parted(text)[0]


def prose(text):
    return parted(text)[1]


# ---- what is run ----


def sessions(text):
    """The commands of all blocks, each with the lines that it is shown to print."""
    found = []
    for block in blocks(text):
        shown = None
        lines = iter(block.splitlines())
        for line in lines:
            if line.startswith('$ '):
                command = line[2:]
                while command.endswith('\\'):
                    command = command[:-1] + next(lines, '')
                shown = []
                found.append((command, shown))
            elif shown is not None:
                shown.append(line)
    return found


def masked(lines):
    """As compared: without blanks at the ends, and with all seconds alike."""
    return '\n'.join(SECONDS.sub(r' # \2', line.rstrip()) for line in lines).rstrip('\n') + '\n'


def is_shown(printed, shown):
    parts = re.split(r'^ *\.\.\. *\n', masked(shown), flags=re.M)
    return re.fullmatch(r'(?:.*\n)*?'.join(map(re.escape, parts)), masked(printed))


def make_workshop(directory, solve, neutreeko):
    """A checkout as scripts/run leaves it: the programs, the table, and scripts/run without its set-up."""
    for program, place in (solve, 'build/solver/neutreeko-solve'), (neutreeko, 'build/player/neutreeko'):
        (directory / place).parent.mkdir(parents=True)
        shutil.copy(program, directory / place)  # a copy finds the table here, not that of its own build
    set_up, _, start = (ROOT / 'scripts/run').read_text(encoding='utf-8').partition('\nunlock\n')
    if not start.strip():
        raise ValueError('scripts/run has no line "unlock"')
    script = directory / 'scripts/run'
    script.parent.mkdir()
    root = shlex.quote(str(directory))
    script.write_text(f'#!/usr/bin/env bash\nset -eu\nroot={root}\n{start}', encoding='utf-8')
    script.chmod(0o755)
    (directory / 'data').mkdir()
    subprocess.run([directory / 'build/solver/neutreeko-solve', '--quiet'], cwd=directory, check=True)


def run_shown(text, directory):
    path = f'{directory}/build/player:{directory}/build/solver:{os.environ["PATH"]}'
    kept = {name: value for name, value in os.environ.items() if name.endswith('SAN_OPTIONS')}
    for command, shown in sessions(text):
        try:
            done = subprocess.run(['sh', '-c', command], cwd=directory, stdin=subprocess.DEVNULL, timeout=PATIENCE,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  env={**kept, 'PATH': path, 'HOME': str(directory), 'LC_ALL': 'C.UTF-8'})
        except subprocess.TimeoutExpired:
            yield f'$ {command}\nstill runs after {PATIENCE} s'
            continue
        printed = done.stdout.decode('utf-8', 'replace')
        if done.returncode:
            yield f'$ {command}\nexit status {done.returncode}, printed:\n{printed[:600]}'
        elif not is_shown(printed.splitlines(), shown):
            yield f'$ {command}\nprinted:\n{printed[:3000]}'


# ---- what is only named ----


class Helps:
    def __init__(self, directory):
        self.programs = {'neutreeko': directory / 'build/player/neutreeko',
                         'neutreeko-solve': directory / 'build/solver/neutreeko-solve'}
        self.known = {}

    def of(self, *command):
        if command not in self.known:
            program, *rest = command
            done = subprocess.run([self.programs[program], *rest, '--help'], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True)
            self.known[command] = done.stdout if done.returncode == 0 else None
        return self.known[command]


def calls(text):
    for piece in blocks(text) + [span.replace('\n', ' ') for span in SPAN.findall(prose(text))]:
        for line in piece.splitlines():
            for match in CALL.finditer(line):
                yield match[1], match[2].split()


def check_calls(text, helps):
    for program, words in calls(text):
        line = ' '.join([program, *words])
        if program.startswith('scripts/') and not (ROOT / program).is_file():
            yield f'{line}: there is no {program}'
        if program.startswith('scripts/') and program != 'scripts/run':
            continue
        command = ['neutreeko-solve' if program.endswith('-solve') else 'neutreeko']
        if command == ['neutreeko'] and words and re.fullmatch(r'[a-z]+', words[0]):
            command.append(words.pop(0))
        about = helps.of(*command)
        if about is None:
            yield f'{line}: there is no {" ".join(command)}'
            continue
        options = {'--help', *re.findall(r'(?<!\w)--?[a-z][a-z-]*', about)}
        if len(command) == 1:
            options.add('--version')
        for word in words:
            option = word.split('=')[0]
            if re.match(r'--?[a-z]', option) and option not in options:
                yield f'{line}: {" ".join(command)} --help knows no {option}'


# ---- links ----


def slugs(text):
    """What GitHub makes of the headings."""
    return {re.sub(r'[^\w\- ]', '', title.lower()).replace(' ', '-')
            for title in re.findall(r'^#+ (.*?) *$', re.sub(r'^```.*?^```', '', text, flags=re.M | re.S), re.M)}


def is_defined(name, source):
    return any(re.search(form.replace('NAME', re.escape(name)), source, re.M) for form in (
        r'^\w[\w \*]*\bNAME\([^;{]*\)\s*\{',  # a function
        r'^(?:\w[\w ]* )?(?:struct|enum) NAME \{',
        r'^\} NAME;',
        r'^#define NAME\b',
        r'^\s+NAME(?: = [^,]*)?,',  # a constant of an enumeration
        r'^enum \{(?:.*,)? NAME(?: = [^,]*)?(?:,| \})',
        r'^\w[\w \*]*\bNAME\[.*\] = ',  # a table
        r'^\s+\w[\w \*]*\bNAME(?:\[[^;]*\])?;',  # a member
    ))


def check_links(path, text):
    for target in LINK.findall(prose(text)):
        if re.match(r'\w+:', target):
            continue
        file, _, heading = target.partition('#')
        place = path.parent / file if file else path
        if not place.exists():
            yield f'{target}: there is no such file'
        elif heading and heading not in slugs(place.read_text(encoding='utf-8')):
            yield f'{target}: there is no such heading'
    for name, target in CODE_LINK.findall(text):
        place = path.parent / target
        if place.exists() and not is_defined(name, place.read_text(encoding='utf-8')):
            yield f'{target} does not define {name}'


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    sys.stdout.reconfigure(encoding='utf-8')
    results = []
    with tempfile.TemporaryDirectory(prefix='neutreeko-shown-') as scratch:
        for path in documents():
            name = str(path.relative_to(ROOT))
            if arguments[2:] and name not in arguments[2:]:
                continue
            text = path.read_text(encoding='utf-8')
            directory = pathlib.Path(scratch, name.replace('/', '-'))
            make_workshop(directory, *arguments[:2])
            if sessions(text):
                results.append((f'{name}: commands print what is shown', [*run_shown(text, directory)]))
            results.append((f'{name}: what is called exists', [*check_calls(text, Helps(directory))]))
            results.append((f'{name}: links lead somewhere', [*check_links(path, text)]))
    print(f'1..{len(results)}')
    for number, (name, wrong) in enumerate(results, 1):
        print(f"{'not ' if wrong else ''}ok {number} - {name}")
        for line in '\n'.join(wrong).splitlines():
            print(f'# {line}')
    return int(any(wrong for _, wrong in results))


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
