"""The documents and transcripts are right: README, CONTRIBUTING, CHANGELOG, docs/**/*.md, and the help texts.

  - In blocks of code, a line that begins with `$ ` is run by a shell (lines that begin with `> ` continue it, and a
    line that ends with a backslash continues in the next), and must print the lines up to the next one or the end of
    the block. The commands of one document run one after the other in a directory of their own, in which the document's
    Python programs are. A line `...` stands for any lines, and seconds for any seconds.
  - All other blocks consist of commands, which end with exit status 0, or are listed here with a reason: no example is
    overlooked.
  - The examples of the help texts, which are also those of the man pages, end with exit status 0.
  - Wherever else scripts, neutreeko or neutreeko-solve are called, in a block or between backquotes, the script, the
    sub-command and the options exist.
  - A link to a file of the project leads to one, and to a heading if it names one; a link [`name`](file) to a C file
    leads to one whose code, not only its comments, has this name.
  - The definitions that docs/TRUST.md shows are in the proof.
  - Names of the library, and in the explanation of the method all names of more than one word, are in the code."""

import functools
import importlib.util
import json
import os
import re
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
# A Python program, whose first line names its file.
PYTHON_PROGRAM = re.compile(r'^```python\n# (\w+\.py): .*\n((?:.*\n)*?)```$', re.M)
# A block of code, between fences or, after an empty line, indented by four.
BLOCK = re.compile(r'^ {0,3}```.*\n((?:.*\n)*?) {0,3}```$|(?<=\n\n)( {4}.*\n(?:(?: {4}.*)?\n)*)', re.M)


def blocks(text):
    return [fenced or re.sub('^ {4}', '', indented, flags=re.M) for fenced, indented in BLOCK.findall(text)]


# ---- what is run ----


def sessions(text):
    """The commands of all blocks, each with the text that it is shown to print."""
    for block in blocks(text):
        parts = re.split(r'^\$ (.*\n(?:> .*\n)*)', block.replace('\\\n', ''), flags=re.M)
        yield from zip([command.replace('\n> ', '\n').rstrip('\n') for command in parts[1::2]], parts[2::2])


def masked(text):
    """As compared: without spaces at the ends, and with all seconds alike."""
    return '\n'.join(SECONDS.sub(r' # \2', line.rstrip()) for line in text.splitlines()).rstrip('\n') + '\n'


def is_shown(printed, shown):
    parts = re.split(r'^ *\.\.\. *\n', masked(shown), flags=re.M)
    return re.fullmatch(r'(?:.*\n)*?'.join(map(re.escape, parts)), masked(printed))


@pytest.fixture
def installation(t):
    """The programs and the table as scripts/install leaves them."""
    for name in 'neutreeko-solve', 'neutreeko':
        shutil.copy(t.table.parent / name, t.write(f'.local/bin/{name}', b''))
    shutil.copy(t.table, t.write('.local/share/neutreeko/perfect_move.dat', b''))
    (t.dir / '.local/bin/python3').symlink_to(sys.executable)
    t.environment.update(PATH=f'{t.dir}/.local/bin:{t.environment["PATH"]}', LC_ALL='C.UTF-8')
    return t


SESSIONS = {}  # the documents with these commands: a translation has those of its original
for document, text in TEXTS.items():
    SESSIONS.setdefault(tuple(command for command, _ in sessions(text)), []).append(document)
SESSIONS.pop((), None)


@pytest.mark.parametrize('commands', SESSIONS, ids=[documents[-1] for documents in SESSIONS.values()])
def test_commands_print_what_is_shown(installation, commands):
    shown = [[text for _, text in sessions(TEXTS[name])] for name in SESSIONS[commands]]
    for name, program in PYTHON_PROGRAM.findall(TEXTS[SESSIONS[commands][0]]):
        installation.write(name, program)
    for command, *alternatives in zip(commands, *shown):
        ended = installation.run(f'{{ {command}\n}} 2>&1').expect(0)
        missing = [text for text in alternatives if not is_shown(ended.out, text)]
        assert not missing, f'$ {command}\n{ended.out[:3000]}'


# ---- examples without their output ----

# Blocks that are not commands, by their first line.
NOT_COMMANDS = {
    'CONTRIBUTING.md': {
        'common/   the foundation of libneutreeko; each folder has one header for the others': 'the source layout',
    },
    'docs/FORMATS.md': {
        '[White "perfect"]': 'a record',
        'neutreeko engine [--seed N] [--table FILE]': 'a synopsis',
        '> hub': 'a session, which test_engine.py replays',
        'entry = orbit * C(squares - pieces, pieces) + number': 'a formula',
    },
    'docs/BOARDS.md': {
        '                                                  minimum     median    maximum': 'measurements',
        'threads                     1     2     4     8    16': 'measurements',
        'sent by all processes together = (P x S x R + 8 x W) x (N - 1) / N bytes': 'a formula',
    },
    'docs/TRUST.md': {
        'Fixpoint lost_within (n : nat) (p : position) : Prop :=': 'definitions',
        'Definition lost (n : nat) (p : position) := lost_within n p /\\ forall m, m < n -> ~ lost_within m p.':
            'definitions',
    },
}
# Commands that this test does not run. Those that end with * stand for all that begin so.
NOT_RUN = {
    'scripts/*': 'installs packages and builds; test_install.py runs scripts/install, and .ci/run most others',
    'meson *': 'builds; test_install.py does the same',
    'ninja -C build': 'builds',
    'sudo *': 'changes the system',
    'build/tests/compare *': 'a test in C',
    '/usr/bin/python3 -m pytest *': 'runs this test',
    '/usr/bin/python3 -m pip wheel *': 'builds; bindings/python/check.py does the same',
    "git ls-files '*.[ch]' | xargs clang-format -i": 'changes the sources; .ci/run checks the format',
    'cc docs/examples/*': 'needs an installed library; test_install.py does the same',
    'mpirun *': 'needs MPI; test_mpi.py runs the program',
    'neutreeko play --resume': 'needs a game that was recorded at a terminal; test_terminal.py has one',
}


def is_listed(command):
    return any(command == name or name.endswith('*') and command.startswith(name[:-1]) for name in NOT_RUN)


def commands_without_output(document):
    """The lines of all blocks without sessions, without their explanations."""
    found = []
    for block in blocks(TEXTS[document]):
        if not re.search(r'^\$ ', block, re.M) and block.splitlines()[0] not in NOT_COMMANDS.get(document, {}):
            lines = re.sub(r'\\\n *', '', block.strip('\n')).splitlines()
            found += [re.split(' {2,}', line)[0] for line in lines]
    return found


def prepare_examples(installation):
    """The files that examples read."""
    for name in 'game.txt', '.local/state/neutreeko/games/one.txt':
        installation.write(name, '1. b1-c1 c2-c3\n')
    for name in 'match.txt', 'games.txt':
        installation.run(f'neutreeko match --force --record -o {name} --count 2 rules random').expect(0)
    installation.write('positions.txt', '1w1w1/2b2/5/2w2/1b1b1 b\n')
    shutil.copy(installation.table, installation.write('my.dat', b''))
    installation.solve('small.dat', '--board 4x3')


def run_example(installation, line):
    """Runs it with less work, so that none takes long, and without the files that earlier examples have written."""
    line = line.replace('7x7', '4x4').replace('--count 1000', '--count 10').replace('alphabeta:6', 'alphabeta:2')
    for name in re.findall(r'(?:-o|--output)[ =]([\w.-]+)', line):
        (installation.dir / name).unlink(missing_ok=True)
    line = re.sub('neutreeko-solve(?! -)', 'neutreeko-solve --force', line)  # writes the table of the installation
    line = re.sub(r'^neutreeko (export|puzzle)', r'neutreeko \1 --table small.dat', line)
    installation.run(line, 'quit\n').expect(0)


WITH_EXAMPLES = [name for name in TEXTS if commands_without_output(name)]


@pytest.mark.parametrize('document', WITH_EXAMPLES)
def test_examples_run(installation, document):
    prepare_examples(installation)
    for command in commands_without_output(document):
        if not is_listed(command):
            run_example(installation, command)


# ---- examples of help texts, which are those of the man pages ----

def test_examples_of_help(installation):
    """The examples, without their explanations, run; a line that ends with | continues in the next."""
    prepare_examples(installation)
    for name in '7x7.dat', '4x4.dat':
        shutil.copy(installation.table, installation.write(name, b''))
    for command in ('', ' play', ' query', ' review', ' puzzle', ' match', ' engine', ' export', ' names', '-solve'):
        text = examples_of_help(installation, f'neutreeko{command}')
        shown = [
            re.split(' {2,}', line[2:])[0]
            for line in text.replace('|\n    ', '| ').splitlines()
            if re.match(r'  \S', line)
        ]
        assert shown
        for line in shown:
            run_example(installation, line)


# ---- what is only named ----

def test_what_is_called_exists(t):
    """Scripts, sub-commands and options that documents name."""
    pieces = [
        piece
        for text in TEXTS.values()
        for piece in [*blocks(text), *(span.replace('\n', ' ') for span in SPAN.findall(BLOCK.sub('', text)))]
    ]
    calls = {match.groups() for piece in pieces for line in piece.splitlines() for match in CALL.finditer(line)}
    assert len(calls) > 80
    help_of = functools.cache(lambda command: t.run(f'{command} --help').expect(0).out)
    for program, words in calls:
        assert not program.startswith('scripts/') or (ROOT / program).is_file(), program
        if program == 'scripts/run' or not program.startswith('scripts/'):
            command = re.match('[a-z]*', words.lstrip())[0] if not program.endswith('-solve') else ''
            shown = help_of(f'neutreeko{"-solve" * program.endswith("-solve")} {command}')
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
        # Forges have the releases of a project two levels above its documents.
        if not re.match(r'\w+:', target) and target != '../../releases/latest':
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
    folders = 'common', 'solver', 'player', 'include', 'web', 'tests'
    files = [path for folder in folders for path in (ROOT / folder).rglob('*.[ch]')]
    return {name for path in files for name in re.findall(r'\w+', code_of(path))}


@pytest.mark.parametrize('name', TEXTS)
def test_names_are_in_the_code(names_of_code, name):
    pattern = EXPLAINED_NAME if name.startswith('docs/HOW.') else NAME
    found = {symbol for span in SPAN.findall(BLOCK.sub('', TEXTS[name])) for symbol in pattern.findall(span)}
    assert found or not name.startswith('docs/HOW.')
    # The name of a set that is not in the code: HOW.md says which structure holds it.
    assert found - names_of_code <= {'checked_states'}


# ---- definitions of the proof ----

DEFINITIONS = re.findall(r'^```coq\n(.*?)^```$', TEXTS['docs/TRUST.md'], re.M | re.S)


@pytest.mark.parametrize('shown', DEFINITIONS, ids=[text.split()[1] for text in DEFINITIONS])
def test_definitions_are_in_the_proof(shown):
    assert any(shown in path.read_text(encoding='utf-8') for path in (ROOT / 'proof').glob('*.v'))


# ---- what is generated ----

@pytest.mark.parametrize('paragraph', ['All processes need the same options:\n--board and --win.', 'Note:\nText.'])
def test_a_paragraph_of_a_help_text_is_not_taken_for_a_list(paragraph):
    """A heading of a list in a man page is a line of its own, and the lines after it are indented."""
    specification = importlib.util.spec_from_file_location('page', ROOT / 'packaging/man/page.py')
    page = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(page)
    sections = page.parse_help(f'Usage: x\nPrint.\n\nGame options:\n  --seed N  Set the seed\n\n{paragraph}\n')
    assert list(sections) == ['SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'NOTES']
    assert '## Game options\n\n*\\-\\-seed* _N_\n\tSet the seed\n' in sections['OPTIONS']


def test_tables_of_boards_are_those_of_the_record():
    subprocess.run([sys.executable, ROOT / 'scripts/generate/board_tables.py', '--check'], check=True)


def test_a_board_that_is_solved_replaces_what_was_recorded_of_it(t, programs):
    """In a copy of the tree, where a program that prints what it is told stands for gnuplot."""
    measured = {'solve_seconds', 'total_seconds', 'verify_seconds', 'machine'}
    kept, solved = json.loads((ROOT / 'data/boards.json').read_bytes())[2:4]  # 3x5/3 and 4x4/3
    for program in 'solver/neutreeko-solve', 'player/neutreeko':
        t.write(f'build/{program}', (programs / program.rpartition('/')[2]).read_bytes()).chmod(0o755)
    t.write('bin/gnuplot', '#!/bin/sh\nexec cat\n').chmod(0o755)
    t.write('docs/distances.svg', '')
    t.write('data/boards.json', json.dumps([solved | {'wins': 0}, kept]))
    t.write('scripts/generate/boards.py', (ROOT / 'scripts/generate/boards.py').read_bytes())
    t.run([sys.executable, 'scripts/generate/boards.py', '4x4/3'],
          env={'PATH': f'{t.dir}/bin:{t.environment["PATH"]}'}).expect(0, '', '4x4/3\n')
    first, second = json.loads(t.read('data/boards.json'))
    assert first == kept
    assert second == {**solved, **{key: second.get(key) for key in measured}}
    drawing = t.read('docs/distances.svg').decode().splitlines()
    rows = [f'{plies} {count}' for plies, count in enumerate(solved['by_plies']) if count]
    begin = drawing.index('$b0 << EOD')
    assert drawing[begin + 1:begin + 2 + len(rows)] == [*rows, 'EOD']
    assert [os.listdir(t.dir / part) for part in ('data', 'docs')] == [['boards.json'], ['distances.svg']]
