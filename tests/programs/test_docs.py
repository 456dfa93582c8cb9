"""The documents and transcripts are right: README, CONTRIBUTING, CHANGELOG, docs/**/*.md, and the help texts.

  - In blocks of code, a line that begins with `$ ` is run by a shell (a line that ends with a backslash continues in
    the next), and must print the lines up to the next one or the end of the block. The commands of one document run one
    after the other in a directory of their own. A line `...` stands for any lines, and seconds for any seconds.
  - The examples of the help texts, which are also those of the man pages, end with exit status 0.
  - Wherever else scripts, neutreeko or neutreeko-solve are called, in a block or between backquotes, the script, the
    sub-command and the options exist.
  - A link to a file of the project leads to one, and to a heading if it names one; a link [`name`](file) to a C file
    leads to one whose code, not only its comments, has this name.
  - Names of the library, and in the explanation of the method all names of more than one word, are in the code."""

import re
import shlex
import shutil
import subprocess
import sys

import pytest

from conftest import ROOT, examples_of_help

SECONDS = re.compile(r' *\b\d+(\.\d+)? (s|ms|µs|ns)\b')
SPAN = re.compile(r'`([^`]+)`')
CALL = re.compile(r'(?:^\s*(?:\$ )?|\| |&& )(?:mpirun -n \w+ )?'
                  r'(scripts/\w+|(?:build/\w+/)?neutreeko(?:-solve)?)((?: [^\s|<>&;#…]+)*)(?=$|\s)')
LINK = re.compile(r'\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)')
NAME = re.compile(r'(?i)\bnk_\w+(?!\w|\*)')
EXPLAINED_NAME = re.compile(r'(?<![\w./-])[a-z]+_\w+(?![\w.]|/)')
COMMENT = re.compile(r'/\*.*?\*/', re.S)
CODE_LINK = re.compile(r'\[`(\w+)(?:\(\))?`\]\(([^)\s]+\.[ch])\)')
DOCUMENTS = [*ROOT.glob('*.md'), *ROOT.glob('docs/**/*.md')]
TEXTS = {str(path.relative_to(ROOT)): path.read_text(encoding='utf-8') for path in sorted(DOCUMENTS)}
# A block of code, between fences or, after an empty line, indented by four.
BLOCK = re.compile(r'^ {0,3}```.*\n((?:.*\n)*?) {0,3}```$|(?<=\n\n)( {4}.*\n(?:(?: {4}.*)?\n)*)', re.M)


def blocks(text):
    return [fenced or re.sub('^ {4}', '', indented, flags=re.M) for fenced, indented in BLOCK.findall(text)]


# ---- what is run ----


def sessions(text):
    """The commands of all blocks, each with the text that it is shown to print."""
    for block in blocks(text):
        parts = re.split(r'^\$ (.*)\n', block.replace('\\\n', ''), flags=re.M)
        yield from zip(parts[1::2], parts[2::2])


def masked(text):
    """As compared: without blanks at the ends, and with all seconds alike."""
    return '\n'.join(SECONDS.sub(r' # \2', line.rstrip()) for line in text.splitlines()).rstrip('\n') + '\n'


def is_shown(printed, shown):
    parts = re.split(r'^ *\.\.\. *\n', masked(shown), flags=re.M)
    return re.fullmatch(r'(?:.*\n)*?'.join(map(re.escape, parts)), masked(printed))


@pytest.fixture
def checkout(t):
    """A checkout as scripts/run leaves it: the programs, the table, and scripts/run without its set-up."""
    programs = t.table.parent
    for name in 'solver/neutreeko-solve', 'player/neutreeko':
        # A copy finds the table here, not that of its own build.
        shutil.copy(programs / name.split('/')[1], t.write(f'build/{name}', b''))
    _, _, start = (ROOT / 'scripts/run').read_text(encoding='utf-8').partition('\nunlock\n')
    assert start.strip()
    t.write('scripts/run', f'#!/usr/bin/env bash\nset -eu\nroot={shlex.quote(str(t.dir))}\n{start}').chmod(0o755)
    shutil.copy(t.table, t.write('data/perfect_move.dat', b''))
    t.environment.update(PATH=f'{t.dir}/build/player:{t.dir}/build/solver:{t.environment["PATH"]}', LC_ALL='C.UTF-8')
    del t.environment['NEUTREEKO_TABLE']
    return t


SESSIONS = {}  # the documents with these commands: a translation has those of its original
for document, text in TEXTS.items():
    SESSIONS.setdefault(tuple(command for command, _ in sessions(text)), []).append(document)
SESSIONS.pop((), None)


@pytest.mark.parametrize('commands', SESSIONS, ids=[documents[-1] for documents in SESSIONS.values()])
def test_commands_print_what_is_shown(checkout, commands):
    shown = [[text for _, text in sessions(TEXTS[name])] for name in SESSIONS[commands]]
    for command, *alternatives in zip(commands, *shown):
        ended = checkout.run(f'{{ {command}\n}} 2>&1').expect(0)
        missing = [text for text in alternatives if not is_shown(ended.out, text)]
        assert not missing, f'$ {command}\n{ended.out[:3000]}'


# ---- examples of help texts, which are those of the man pages ----

def test_examples_of_help(checkout):
    """The examples, without their explanations, run; a line that ends with | continues in the next."""
    for name in '7x7.dat', '4x4.dat':
        shutil.copy(checkout.table, checkout.write(name, b''))
    checkout.solve('small.dat', '--board 3x3')
    for name in 'game.txt', '.local/state/neutreeko/games/one.txt':
        checkout.write(name, '1. b1-c1 c2-c3\n')
    checkout.run('neutreeko match --record match.txt --games 2 rules random').expect(0)
    checkout.write('positions', '1w1w1/2b2/5/2w2/1b1b1 b\n')
    for command in (
        '',
        ' play',
        ' query',
        ' review',
        ' line',
        ' puzzle',
        ' match',
        ' tournament',
        ' engine',
        ' export',
        ' doctor',
        '-solve',
    ):
        text = examples_of_help(checkout, f'neutreeko{command}')
        shown = [
            re.split(' {2,}', line[2:])[0]
            for line in text.replace('|\n    ', '| ').splitlines()
            if re.match(r'  \S', line)
        ]
        assert shown
        for line in shown:  # smaller, so that none takes long
            line = (
                line.replace('7x7', '4x4').replace('--games 1000', '--games 10').replace('alphabeta:6', 'alphabeta:2')
            )
            checkout.run(line, 'quit\n', {'NEUTREEKO_TABLE': 'small.dat'} if command == ' export' else None).expect(0)


# ---- what is only named ----

def test_what_is_called_exists(t):
    """Scripts, sub-commands and options that documents name."""
    pieces = [
        piece
        for text in TEXTS.values()
        for piece in [*blocks(text), *(span.replace('\n', ' ') for span in SPAN.findall(BLOCK.sub('', text)))]
    ]
    calls = {match.groups() for piece in pieces for line in piece.splitlines() for match in CALL.finditer(line)}
    assert len(calls) > 100
    for program, words in calls:
        assert not program.startswith('scripts/') or (ROOT / program).is_file(), program
        if program == 'scripts/run' or not program.startswith('scripts/'):
            command = re.match('[a-z]*', words.lstrip())[0] if not program.endswith('-solve') else ''
            shown = t.run(f'neutreeko{"-solve" * program.endswith("-solve")} {command} --help').expect(0).out
            for option in re.findall(r'(?<=\s)--?[a-z][a-z-]*', words):
                assert option in ('--help', '--version') or re.search(
                    rf'(?<![\w-]){option}(?![\w-])', shown
                ), f'{program}{words}: {option}'


# ---- links ----


def slugs(text):
    """What GitHub makes of the headings."""
    return {re.sub(r'[^\w\- ]', '', title.lower()).replace(' ', '-')
            for title in re.findall(r'^#+ (.*?) *$', re.sub(r'^```.*?^```', '', text, flags=re.M | re.S), re.M)}


@pytest.mark.parametrize('name', TEXTS)
def test_links(name):
    path, text = ROOT / name, TEXTS[name]
    for target in LINK.findall(BLOCK.sub('', text)):
        if not re.match(r'\w+:', target):
            file, _, heading = target.partition('#')
            place = path.parent / file if file else path
            assert place.exists(), target
            assert not heading or heading in slugs(place.read_text(encoding='utf-8')), target
    for symbol, target in CODE_LINK.findall(text):
        assert re.search(rf'\b{symbol}\b', code_of(path.parent / target)), f'{symbol} in {target}'


# ---- names in code font ----

def code_of(path):
    """A C file without its comments."""
    return COMMENT.sub(' ', path.read_text(encoding='utf-8'))


@pytest.fixture(scope='module')
def names_of_code():
    folders = 'common', 'solver', 'player', 'library', 'include', 'web', 'tests'
    files = [path for folder in folders for path in (ROOT / folder).rglob('*.[ch]')]
    return {name for path in files for name in re.findall(r'\w+', code_of(path))}


@pytest.mark.parametrize('name', TEXTS)
def test_names_are_in_the_code(names_of_code, name):
    pattern = EXPLAINED_NAME if name.startswith('docs/HOW.') else NAME
    found = {symbol for span in SPAN.findall(BLOCK.sub('', TEXTS[name])) for symbol in pattern.findall(span)}
    assert found or not name.startswith('docs/HOW.')
    # The name of a set that is not in the code: HOW.md says which structure holds it.
    assert found - names_of_code <= {'checked_states'}


# ---- what is generated ----

def test_keys_of_json_are_those_of_the_schemas():
    subprocess.run([sys.executable, ROOT / 'docs/schema.py', '--check'], check=True)
