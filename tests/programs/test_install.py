"""An installation: everything is used from where it was installed, as another program or person would."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import tty

import pytest

from conftest import ROOT, START, Case
from test_terminal import Terminal

pytestmark = pytest.mark.thorough
FILES = '''
    bin/neutreeko bin/neutreeko-solve include/neutreeko.h share/neutreeko/perfect_move.dat
    lib/libneutreeko.a lib/libneutreeko.so lib/libneutreeko.so.1 lib/libneutreeko.so.1.0.0 lib/pkgconfig/neutreeko.pc
    share/bash-completion/completions/neutreeko share/bash-completion/completions/neutreeko-solve
    share/fish/vendor_completions.d/neutreeko.fish share/fish/vendor_completions.d/neutreeko-solve.fish
    share/zsh/site-functions/_neutreeko share/doc/neutreeko/examples/opponent.c
    share/doc/neutreeko/examples/probe.c share/doc/neutreeko/examples/statistics.c
    share/man/man1/neutreeko.1 share/man/man1/neutreeko-solve.1 share/man/man3/libneutreeko.3 share/man/man5/perfect_move.dat.5
'''.split()
PAGE = {'share/neutreeko/neutreeko.html', 'share/applications/neutreeko.desktop', 'share/icons/hicolor/scalable/apps/neutreeko.svg',
        'share/metainfo/local.neutreeko.neutreeko.metainfo.xml'}
COMMANDS = ['play', 'query', 'explore', 'review', 'line', 'puzzle', 'match', 'tournament', 'engine', 'export', 'doctor']
FILES += [f'share/man/man1/neutreeko-{command}.1' for command in COMMANDS]
DOCUMENTS = ['LICENSE', 'README.md', 'README.ja.md', 'CHANGELOG.md', 'docs/distances.svg', 'docs/images/explore-light-desktop.png',
             *(str(path.relative_to(ROOT)) for form in ('*.md', 'images/*.svg', 'schema/*') for path in ROOT.glob(f'docs/{form}'))]
FILES += [f'share/doc/neutreeko/{name}' for name in DOCUMENTS]


def meson(*arguments, **variables):
    subprocess.run([os.environ.get('MESON', 'meson'), *arguments], env={**os.environ, 'DESTDIR': '', **variables}, check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def files_below(directory):
    return {str(path.relative_to(directory)) for path in directory.rglob('*') if path.is_symlink() or not path.is_dir()}


@pytest.fixture(scope='session')
def installed():
    """The prefix of an installation, made after a staged one was checked and removed; uninstalled at the end."""
    with tempfile.TemporaryDirectory(prefix='neutreeko-install-') as name:
        build, prefix, stage = (pathlib.Path(name, part) for part in ('build', 'opt', 'stage'))
        meson('setup', build, ROOT, '--prefix=/usr', '--libdir=lib', '--buildtype=plain', '-Dtests=disabled', '-Dbench=disabled')
        meson('install', '-C', build, '--destdir', stage)
        expected = {file for file in FILES if shutil.which('scdoc') or '/man/' not in file}
        if (build / 'web/neutreeko.html').exists() or (ROOT / 'web/neutreeko.html').exists():
            expected |= PAGE
        if (build / 'solver/neutreeko-solve-mpi').exists():
            expected.add('bin/neutreeko-solve-mpi')
        assert files_below(stage / 'usr') == expected
        assert all(str(stage).encode() not in path.read_bytes() for path in stage.rglob('*') if path.is_file())
        assert 'prefix=/usr\n' in (stage / 'usr/lib/pkgconfig/neutreeko.pc').read_text()
        meson('compile', '-C', build, '--ninja-args=uninstall', DESTDIR=str(stage))
        assert files_below(stage) == set()
        meson('configure', build, f'--prefix={prefix}')
        meson('install', '-C', build)
        assert files_below(prefix) == expected
        yield prefix
        meson('compile', '-C', build, '--ninja-args=uninstall')
        assert files_below(prefix) == set()


@pytest.fixture
def t(t, installed):
    """With what a user of an unusual prefix sets for the linker and pkg-config."""
    case = Case('install', t.dir, installed / 'bin', installed / 'share/neutreeko/perfect_move.dat')
    case.environment.update(PKG_CONFIG_PATH=f'{installed}/lib/pkgconfig', LD_LIBRARY_PATH=f'{installed}/lib')
    del case.environment['NEUTREEKO_TABLE']
    return case


# ---- library ----

C, CXX = ['cc', '-std=c11', '-D_POSIX_C_SOURCE=200809L'], ['c++', '-std=c++11', '-x', 'c++']


def flags(t, *options):
    return t.run(['pkg-config', *options, 'neutreeko']).expect(0, err='').out.split()


def compile_program(t, source, name, compiler=C, static=()):
    """Compiles a program with the installed library as its user would; returns the program."""
    t.run([*compiler, '-pthread', '-Wall', '-Wextra', '-Wpedantic', '-Werror', *flags(t, '--cflags'), source, '-x', 'none',
           *flags(t, '--libs', *static), *(f'-{option.strip("-")}' for option in static), '-o', name]).expect(0)
    return t.dir / name


@pytest.mark.parametrize('compiler, static', [(C, []), (C, ['--static']), (CXX, [])])
def test_examples(t, installed, compiler, static):
    """The examples work as C with both libraries and as C++: they answer as the programs do, from the installed table."""
    # Which is also found where the environment names other places.
    examples = installed / 'share/doc/neutreeko/examples'
    answer, = t.query('--json', env={'XDG_DATA_HOME': '/nowhere', 'XDG_DATA_DIRS': '/nowhere'}).expect(0, err='').json()
    assert t.query('--json').expect(0, err='').json() == [answer]
    plies = {'win': 'wins in {} plies', 'loss': 'loses in {} plies', 'draw': 'draws'}
    probe = compile_program(t, examples / 'probe.c', 'probe', compiler, static)
    assert t.run([probe, START]).expect(0, err='').out.splitlines() == ['Black draws'] + [
        f'{move["move"]} {plies[move["result"]].format(move["distance"])}' for move in answer['moves']]
    t.run([probe, 'nonsense']).expect(1, '', 'probe: found')
    t.run([probe], env={'NEUTREEKO_TABLE': 'missing'}).expect(1, '', 'missing: No such file')
    opponent = compile_program(t, examples / 'opponent.c', 'opponent', compiler, static)
    game = t.run([opponent], 'nonsense\nc4-c2\nc4-e4\n').expect(0, ['nonsense: found', 'c4-c2: the piece slides until'], '')
    assert game.out.endswith('White wins.\nPly 1, c4-e4: b1-c1 was better.\n')
    counts = t.run([compile_program(t, examples / 'statistics.c', 'statistics', compiler, static)]).expect(0, err='').out
    assert counts.startswith('positions 3468080\ndraws 104660\n') and counts.endswith('wins in 51: 8\n')


def test_header_and_symbols(t, installed):
    """The header compiles alone in C99 and C++11; the library exports its functions only, and the list for Debian has them."""
    header, library = installed / 'include/neutreeko.h', installed / 'lib/libneutreeko.so'
    for compiler in ['cc', '-std=c99', '-x', 'c'], CXX:
        t.run([*compiler, '-fsyntax-only', '-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Werror', header]).expect(0)
    exported = [line.split()[-1] for line in t.run(['nm', '-D', '--defined-only', library]).expect(0).out.splitlines()]
    assert sorted(exported) == sorted(re.findall(r'^NK_API [^;]*?\b(nk_\w+)\(', header.read_text(), re.M))
    symbols = (ROOT / 'packaging/debian/libneutreeko1.symbols').read_text(encoding='utf-8')
    assert sorted(exported) == sorted(re.findall(r'^ (nk_\w+)@Base ', symbols, re.M))
    assert re.search(r'SONAME\s+libneutreeko.so.1\n', t.run(['objdump', '-p', library]).expect(0).out)


def test_subproject(t, installed):
    """A program of another meson project, with this one among its subprojects, gets the library as a dependency."""
    t.write('meson.build', "project('parent', 'c')\n"
            "executable('probe', 'probe.c', dependencies: dependency('neutreeko', fallback: 'neutreeko'))\n")
    shutil.copy(ROOT / 'examples/probe.c', t.dir)
    (t.dir / 'subprojects').mkdir()
    (t.dir / 'subprojects/neutreeko').symlink_to(ROOT)
    meson('setup', t.dir / 'build', t.dir, '-Dneutreeko:tests=disabled', '-Dneutreeko:bench=disabled',
          '--force-fallback-for=neutreeko')
    meson('compile', '-C', t.dir / 'build', 'probe')
    t.run([t.dir / 'build/probe', START], env={'NEUTREEKO_TABLE': f'{installed}/share/neutreeko/perfect_move.dat'}).expect(
        0, 'Black draws\n', '')


# ---- manual and completion ----

def options_of(t, command):
    groups = re.findall(r'^(?:\w+ o|O)ptions:\n((?: .*\n)+)', t.run(f'{command} --help').expect(0).out, re.M)
    return set(re.findall(r'^ +(?:-., )?(--[a-z-]+)', ''.join(groups), re.M))


def test_links_of_documents(installed):
    """Every relative link of an installed document leads to an installed file."""
    links = [path.parent / target for path in (installed / 'share/doc/neutreeko').rglob('*.md')
             for target in re.findall(r'\]\((?!\w+:)([^)\s#]+)', path.read_text(encoding='utf-8'))]
    assert len(links) > 30 and [link for link in links if not link.exists()] == []


@pytest.mark.skipif(not shutil.which('scdoc') or not shutil.which('man'), reason='there is no scdoc or no man')
def test_manual(t, installed):
    """man shows every page; those of the programs describe every command and option; the example of the library works."""
    def page(section, name):
        env = {'MANPATH': f'{installed}/share/man', 'MANPAGER': 'cat', 'MANWIDTH': '100', 'LC_ALL': 'C.UTF-8'}
        return re.sub('.\b', '', t.run(['man', '--warnings', section, name], env=env).expect(0, err='').out)
    shown = page('1', 'neutreeko')
    listed = re.findall(r'^  ([a-z]+) ', t.run('neutreeko --help').out.split('Commands:\n')[1], re.M)
    assert listed == [*COMMANDS, 'help'] and all(f'neutreeko-{command}(1)' in shown for command in COMMANDS)
    for name in 'neutreeko', 'neutreeko-solve', *(f'neutreeko-{command}' for command in COMMANDS):
        command = name if name.endswith('-solve') else name.replace('-', ' ')
        shown = page('1', name)
        assert options_of(t, command) <= set(re.findall(r'--[a-z-]+', shown)) and '\nEXAMPLES\n' in shown
        for example in re.findall(r'^  (\S.*)', t.run(f'{command} --help').out.split('Examples:\n')[1].split('\n\n')[0], re.M):
            assert example in shown
    assert 'signature 89 4E 4B 54' in page('5', 'perfect_move.dat')
    example = re.search(r'^( +)#include <neutreeko\.h>\n +#include <stdio.*?^\1\}\n', page('3', 'libneutreeko'), re.M | re.S)
    t.run([compile_program(t, t.write('example.c', example[0]), 'example')]).expect(0, 'draws\n', '')


COMPLETED = {  # what is typed before the tab key, and the end of the line after it
    'neutreeko rev': 'review ', 'neutreeko help pu': 'puzzle ', 'neutreeko --v': '--version ', 'neutreeko play --hi': '--hints ',
    'neutreeko play --white lev': 'level:', 'neutreeko play --four-character f': 'first ', 'neutreeko match per': 'perfect ',
    'neutreeko match --start ra': 'random ', 'neutreeko query b1-b': 'b1-b4 ', 'neutreeko query b1-c1 b5-c': 'b5-c5 ',
    'neutreeko review --table gam': 'game.txt ', 'neutreeko-solve --win ort': 'orthogonal ',
    'neutreeko-solve --checkpoint half': 'half/', 'neutreeko-solve --no-t': '--no-traps ',
}
BASH = '/usr/share/bash-completion/bash_completion'
SHELLS = {  # how each is started, its file for beginning, in which Ctrl-T gets the line written to a file
    'bash': (['bash', '--noprofile', '--rcfile', 'rc', '-i'], 'rc', f'''. {BASH}
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


@pytest.mark.parametrize('shell', SHELLS)
def test_completion_at_the_prompt(t, installed, shell):
    """A shell at a terminal completes commands, options, opponents, moves and files."""
    if not shutil.which(shell) or not os.path.exists(BASH):
        pytest.skip(f'there is no {shell} or no bash-completion')
    command, name, start = SHELLS[shell]
    for file, content in {name: start, 'game.txt': '', 'lines': '', 'half/file': ''}.items():
        t.write(file, content)
    with Terminal(t, command, XDG_DATA_DIRS=f'{installed}/share', ZDOTDIR=str(t.dir), PREFIX=str(installed), TERM='dumb') as at:
        tty.setraw(at.slave)  # what is typed before the shell reads must not be taken for editing
        for number, typed in enumerate([None, *COMPLETED], 1):
            if typed:
                at.type(f'{typed}\t\x14\x15')
            at.until(lambda: len(t.read('lines').splitlines()) == number, typed)
    lines = t.read('lines').decode().splitlines()[1:]
    assert lines == [typed.rpartition(' ')[0] + ' ' + end for typed, end in COMPLETED.items()]


@pytest.mark.skipif(not shutil.which('fish'), reason='there is no fish')
def test_fish(t, installed):
    """fish offers the same, and every option of every command."""
    t.write('game.txt', b'')
    t.write('half/file', b'')
    commands = ['neutreeko-solve', *(f'neutreeko {name}' for name in [*COMMANDS, 'help'])]
    wanted = {typed: {end.strip()} for typed, end in COMPLETED.items()}
    wanted['neutreeko play --white lev'] = {f'level:{n}' for n in range(1, 16)}
    wanted.update({f'{command} --': options_of(t, command) for command in commands})
    wanted.update({'neutreeko match --start ': {'drawn', 'random'}, 'neutreeko play --seed ': set()})
    script = ''.join(f'source {installed}/share/fish/vendor_completions.d/{name}.fish\n' for name in ('neutreeko', 'neutreeko-solve'))
    shown = t.run(['fish', '--no-config', '-c', script + ''.join(f"complete -C '{typed}'; echo .\n" for typed in wanted)],
                  env={'XDG_DATA_DIRS': f'{installed}/share:/usr/share'}).expect(0, '\tPrint the result of each move', '').out
    offered = [{line.split('\t')[0] for line in part.splitlines()} for part in re.split(r'^\.\n', shown, flags=re.M)]
    assert dict(zip(wanted, offered)) == wanted
