"""An installation: everything is used from where it was installed, as another program or person would."""

import pathlib
import re
import shlex
import shutil
import subprocess
import tty

import pytest

from conftest import ROOT, START, Case, examples_of_help
from test_terminal import Terminal

pytestmark = pytest.mark.thorough


class Installation:
    """What scripts/install does in a clone of the sources for a person with an empty home."""

    def __init__(self, directory):
        self.clone, self.home = directory / 'clone', directory / 'home'
        shutil.copytree(ROOT, self.clone, ignore=shutil.ignore_patterns('build*', '.git', 'data', '__pycache__'))
        self.home.mkdir()
        self.environment = {'HOME': str(self.home), 'PATH': '/usr/bin:/bin', 'LC_ALL': 'C.UTF-8', 'SHELL': '/bin/zsh',
                            'CFLAGS': '-O0'}  # half of the time would be that of the optimizer
        self.messages = self.install()

    def run(self, *command):
        return subprocess.run(command, cwd=self.home, env=self.environment, capture_output=True, text=True, check=True)

    def install(self):
        """Installs, and returns the messages."""
        return self.run(self.clone / 'scripts/install').stderr.replace(f'{self.clone}/', '')


@pytest.fixture(scope='session')
def installation(tmp_path_factory):
    return Installation(tmp_path_factory.mktemp('install'))


@pytest.fixture
def installed(installation):
    """The prefix of the installation."""
    return installation.home / '.local'


@pytest.fixture
def libraries(installed):
    """The directory of the library, whose name depends on the system."""
    return next(installed.glob('lib/**/libneutreeko.so')).parent


@pytest.fixture
def t(t, installed, libraries):
    """With what a user of an unusual prefix sets for pkg-config."""
    case = Case('install', t.dir, installed / 'bin', t.table)
    case.environment.update(PKG_CONFIG_PATH=f'{libraries}/pkgconfig')
    return case


def test_install_from_a_clone(installation):
    """scripts/install needs the sources only: the commands of README.md, a program that uses the library, and zsh's
    completion then work with the lines that it prints."""
    home, messages, run = installation.home, installation.messages, installation.run
    for step in 'configuring build', 'building in build', f'installing the programs in {home}':
        assert f'scripts/install: {step}' in messages
    lines = dict(re.findall(r'^    (?:export )?([A-Za-z_]+)=\(?"(\$HOME/[^":]*)[":].*$', messages, re.M))
    places = {name: place.replace('$HOME', str(home)) for name, place in lines.items()}
    assert (pathlib.Path(places['fpath']) / '_neutreeko').exists()
    installation.environment['PATH'] = f'{places["PATH"]}:/usr/bin:/bin'
    assert 'export PATH' not in installation.install()
    installation.environment['PKG_CONFIG_PATH'] = places['PKG_CONFIG_PATH']
    examples = home / '.local/share/doc/neutreeko/docs/examples'
    run('sh', '-c', f'cc {examples}/probe.c $(pkg-config --cflags --libs neutreeko) -o probe')
    assert 'Black draws' in run('./probe').stdout
    assert 'Black to move draws' in run('neutreeko', 'query').stdout


def compile_program(t, source, compiler='cc -std=c99 -D_POSIX_C_SOURCE=200809L', static=''):
    """Compiles a program with the installed library as its user would; returns the program."""
    t.run(
        f'{compiler} -pthread -Wall -Wextra -Wpedantic -Wconversion -Werror $(pkg-config --cflags neutreeko) {source} '
        f'-x none $(pkg-config --libs {static} neutreeko) {static[1:]} -o program'
    ).expect(0)
    return t.dir / 'program'


@pytest.mark.parametrize('options', [{}, {'static': '--static'}, {'compiler': 'c++ -std=c++11 -x c++'}])
def test_examples(t, installed, options):
    """The examples work as C with both libraries and as C++: they answer as the programs do."""
    examples = installed / 'share/doc/neutreeko/docs/examples'
    answer, = t.query('--json').expect(0, err='').json()
    texts = {'win': 'wins in {}', 'loss': 'loses in {}', 'draw': 'draws'}
    moves = lambda plies: f'{(plies + 1) // 2} move{"s" * (plies > 2)}'
    probe = compile_program(t, examples / 'probe.c', **options)
    assert t.run([probe, START]).expect(0, err='').out.splitlines() == ['Black draws'] + [
        f'{move["move"]} {texts[move["result"]].format(moves(move["plies"] or 0))}' for move in answer['moves']]
    t.run([probe, 'nonsense']).expect(1, '', 'probe: found')
    game = t.run([compile_program(t, examples / 'opponent.c', **options)], 'nonsense\nc4-c2\nc4-e4\n').expect(
        0, ['nonsense: found', 'c4-c2: the piece slides until'], '')
    assert game.out.endswith('White wins.\nPly 1, c4-e4: b1-c1 was better.\n')
    statistics = compile_program(t, examples / 'statistics.c', **options)
    if not options:  # it looks at all positions, which takes a second
        counts = t.run([statistics]).expect(0, err='').out
        assert counts.startswith('positions 3468080\ndraws 104660\n')
        assert counts.endswith('wins in 51: 8\n')


def test_symbols(t, installed, libraries):
    """The library exports the functions of its header only."""
    library = libraries / 'libneutreeko.so'
    exported = sorted(re.findall(r'\S+$', t.run(['nm', '-D', '--defined-only', library]).expect(0).out, re.M))
    header = (installed / 'include/neutreeko.h').read_text(encoding='utf-8')
    assert sorted(re.findall(r'^NK_API [^;]*?\b(nk_\w+)\(', header, re.M)) == exported
    assert re.search(r'SONAME\s+libneutreeko.so.1\n', t.run(['objdump', '-p', library]).expect(0).out)


def test_documents(installed):
    """Every relative link of an installed document leads to an installed file; those to headings are still there."""
    links = [path.parent / target for path in (installed / 'share/doc/neutreeko').rglob('*.md')
             for target in re.findall(r'\]\((?!\w+:)([^)\s#]+)', path.read_text(encoding='utf-8'))]
    assert len(links) > 30
    assert [link for link in links if not link.exists()] == []
    assert '[Play](#play)' in (installed / 'share/doc/neutreeko/README.md').read_text(encoding='utf-8')


def test_what_is_installed_does_not_depend_on_tools(installed):
    """Man pages are, and the page is not, whether or not clang and npm are there."""
    assert sorted(path.name for path in (installed / 'share').iterdir()) == [
        'bash-completion', 'doc', 'fish', 'man', 'neutreeko', 'zsh']
    assert sorted(path.name for path in (installed / 'bin').iterdir()) == ['neutreeko', 'neutreeko-solve']


@pytest.fixture(scope='session')
def man_pages(installation):
    """By name, as shown without the preprocessors that `man` runs by default on some systems only, and without hyphens
    and wider blanks at the ends of lines, which depend on the version of groff."""
    place = installation.home / '.local/share/man'
    env = {**installation.environment, 'MANPATH': str(place), 'MANPAGER': 'cat', 'MANWIDTH': '80', 'MANROFFSEQ': '',
           'MANOPT': '--no-hyphenation --no-justification'}
    pages = {}
    for path in place.glob('man[135]/*'):
        command = ['man', '--warnings', path.suffix[1:], path.stem]
        shown = subprocess.run(command, env=env, capture_output=True, encoding='utf-8', check=True)
        assert shown.stderr == ''
        pages[path.name] = re.sub('.\b', '', shown.stdout)
    return pages


def commands_of(t):
    return re.findall(r'^  ([a-z]+) ', t.run('neutreeko --help').out.split('Commands:\n')[1], re.M)


def test_every_command_has_a_man_page(t, man_pages):
    for command in commands_of(t):
        assert f'neutreeko-{command} - ' in man_pages[f'neutreeko-{command}.1']
        assert f'neutreeko-{command}(1)' in man_pages['neutreeko.1']


def test_man_page_lists_the_commands_of_the_prompt(t, man_pages):
    """It has the list that `help` prints at the prompt."""
    listed = re.findall(r'^  ([a-z]+) ', t.run('neutreeko play', 'help\n').expect(0).out, re.M)
    section = man_pages['neutreeko-play.1'].partition('\nCOMMANDS\n')[2]
    assert len(listed) > 10
    assert re.findall(r'^ {7}([a-z]+)\b', section, re.M)[:len(listed)] == listed


def test_man_pages_have_the_examples_of_the_help_texts(t, man_pages):
    for command in 'neutreeko', 'neutreeko-solve', *(f'neutreeko {name}' for name in commands_of(t) if name != 'help'):
        shown = ' '.join(man_pages[f'{command.replace(" ", "-")}.1'].split())
        for line in re.findall(r'^ +(\S.*)', examples_of_help(t, command), re.M):
            # An explanation may have a line of its own, which is wrapped again.
            assert line.split('  ')[0] in shown


def test_man_pages_fit_80_columns(man_pages):
    assert {name.rpartition('.')[2] for name in man_pages} == {'1', '3', '5'}
    for name, page in man_pages.items():
        for line in page.splitlines():
            assert len(line) <= 80, f'{name}: {line}'


def test_man_page_of_the_format(man_pages):
    assert 'signature 89 4E 4B 54' in man_pages['perfect_move.dat.5']


def test_every_function_has_a_man_page(installed, man_pages):
    header = (installed / 'include/neutreeko.h').read_text(encoding='utf-8')
    functions = re.findall(r'^(?:NK_API|static inline) [^;{]*?\b(nk_\w+)\(', header, re.M)
    assert len(functions) > 50
    for function in functions:
        page = ' '.join(re.sub('\u2010\n *', '', man_pages[f'{function}.3']).split())
        assert re.search(rf'NAME [^-]*\b{function}\b[^-]* - \w', page), function
        assert re.search(rf'SYNOPSIS [^.]*\.h> .*\b{function}\(.*DESCRIPTION \w', page), function


def test_man_page_of_a_function_has_its_errors(man_pages):
    """Also those that the header states for its section."""
    assert 'NK_E_NOT_TABLE' in man_pages['nk_table_open.3']
    assert 'NK_E_READ' in man_pages['nk_table_value.3']


def test_man_page_of_the_library_lists_functions_by_purpose(man_pages):
    assert re.search(r'^ +nk_table_load\n +load a table', man_pages['libneutreeko.3'], re.M)


def test_example_in_the_man_page_of_the_library(t, man_pages):
    page = man_pages['libneutreeko.3']
    example = re.search(r'^( +)#include <neutreeko\.h>\n +#include <stdio.*?^\1\}\n', page, re.M | re.S)
    t.run([compile_program(t, t.write('example.c', example[0]))]).expect(0, 'draws\n', '')


COMPLETED = {  # what is typed before the tab key, and the end of the line after it
    'neutreeko rev': 'review ',
    'neutreeko help pu': 'puzzle ',
    'neutreeko --v': '--version ',
    'neutreeko na': 'names ',
    'neutreeko play --hi': '--hints ',
    'neutreeko play --against lev': 'level:',
    'neutreeko play --against minimax:19': 'minimax:19 ',
    'neutreeko play --color n': 'never ',
    'neutreeko match per': 'perfect ',
    'neutreeko query b1-c1 b5-c': 'b5-c5 ',
    'neutreeko match --start dr': 'drawn ',
    'neutreeko match --start fair:': 'fair:',
    'neutreeko play --start fair:': 'fair:',
    'neutreeko play --start ran': 'random ',
    'neutreeko query fair:': 'fair:',
    'neutreeko export -o gam': 'game.txt ',
    'neutreeko export --format js': 'jsonl ',
    'neutreeko play --load gam': 'game.txt ',
    'neutreeko review --table gam': 'game.txt ',
    'neutreeko-solve --win ort': 'orthogonal ',
    'neutreeko-solve --checkpoint half': 'half/',
}
SHELLS = {  # how each is started, its file for beginning, in which Ctrl-T gets the line written to a file
    'bash': (['bash', '--noprofile', '--rcfile', 'rc', '-i'], 'rc', '''. /usr/share/bash-completion/bash_completion
bind -x '"\\C-t": printf "%s\\n" "$READLINE_LINE" >>lines'
bind 'set bell-style none'
echo ready >>lines
'''),
    'zsh': (['zsh', '-d', '-i'], '.zshrc', '''fpath=($PREFIX/share/zsh/site-functions $fpath)
autoload -Uz compinit && compinit -u -D
unsetopt beep
write-line() { print -r -- "$BUFFER" >>lines }
zle -N write-line
bindkey -e
bindkey '^T' write-line
echo ready >>lines
''')}


@pytest.mark.parametrize('shell', [*SHELLS, 'fish'])
def test_completion(t, installed, shell):
    """A shell completes commands, options, opponents, moves and files."""
    for file in 'game.txt', 'lines', 'half/file', 'half.txt':
        t.write(file, '')
    if shell == 'fish':  # which lists what it offers
        script = ''.join(
            f'source {installed}/share/fish/vendor_completions.d/{name}.fish\n'
            for name in ('neutreeko', 'neutreeko-solve')
        )
        script += ''.join(f"echo (complete -C '{typed}' | cut -f 1)\n" for typed in COMPLETED)
        offered = (
            t.run(['fish', '--no-config', '-c', script], env={'XDG_DATA_DIRS': '/usr/share'}).expect(0).out.splitlines()
        )
        levels = ' '.join(f'level:{n}' for n in range(1, 16))
        assert offered == [end.strip().replace('level:', levels) for end in COMPLETED.values()]
        return
    command, name, start = SHELLS[shell]
    t.write(name, start)
    with Terminal(
        t, command, XDG_DATA_DIRS=f'{installed}/share', ZDOTDIR=str(t.dir), PREFIX=str(installed), TERM='dumb'
    ) as at:
        tty.setraw(at.slave)  # what is typed before the shell reads must not be taken for editing
        for number, typed in enumerate([None, *COMPLETED], 1):
            if typed:
                at.type(f'{typed}\t\x14\x15')
            at.until(lambda: len(t.read('lines').splitlines()) == number, typed)
    lines = t.read('lines').decode().splitlines()[1:]
    assert lines == [typed.rpartition(' ')[0] + ' ' + end for typed, end in COMPLETED.items()]


def test_an_installation_is_removed_after_another_one(installation):
    """Also one in a directory with a blank, where a program can be compiled, and without the sources, which another
    installation has been made from. This is the last test, as none of both is left."""
    run, first, second = installation.run, installation.home / '.local', installation.home / 'number 2'
    (first / 'bin/mine').write_text('')
    installation.environment.pop('PKG_CONFIG_PATH', None)  # another one has all compiled again
    run(installation.clone / 'scripts/install', second)
    installation.environment['PKG_CONFIG_PATH'] = str(second / 'lib/pkgconfig')
    options = shlex.split(run('pkg-config', '--cflags', '--libs', 'neutreeko').stdout)
    run('cc', second / 'share/doc/neutreeko/docs/examples/probe.c', *options, '-o', 'second')
    assert 'Black draws' in run('./second').stdout
    run('sh', first / 'share/neutreeko/uninstall')
    assert [str(path.relative_to(first)) for path in first.rglob('*')] == ['bin', 'bin/mine']
    assert 'draws' in run(second / 'bin/neutreeko', 'query').stdout
    run('sh', second / 'share/neutreeko/uninstall')
    assert not second.exists() or not list(second.iterdir())
