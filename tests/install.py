"""Tests of an installation: everything is used from where it was installed, as another program or person would.

Usage: python3 tests/install.py MESON [NAME...]

Builds and installs in a directory of its own. Prints TAP. With a NAME, or several, only those tests run whose
function's name contains it.
"""

import contextlib
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tty

sys.dont_write_bytecode = True  # leave no __pycache__ among the sources

import cli_harness
from cli_harness import PATIENCE, Failure, Skip, check, equal

SOURCE = pathlib.Path(__file__).resolve().parent.parent
START = '1w1w1/2b2/5/2w2/1b1b1 b'
BASH_COMPLETION = pathlib.Path('/usr/share/bash-completion/bash_completion')

ALWAYS = '''
    bin/neutreeko bin/neutreeko-solve include/neutreeko.h
    lib/libneutreeko.a lib/libneutreeko.so lib/libneutreeko.so.0 lib/libneutreeko.so.0.0.0 lib/pkgconfig/neutreeko.pc
    share/neutreeko/perfect_move.dat
    share/bash-completion/completions/neutreeko share/bash-completion/completions/neutreeko-solve
    share/fish/vendor_completions.d/neutreeko.fish share/fish/vendor_completions.d/neutreeko-solve.fish
    share/zsh/site-functions/_neutreeko
    share/doc/neutreeko/LICENSE share/doc/neutreeko/README.md
    share/doc/neutreeko/engine.md share/doc/neutreeko/perfect_move.md
    share/doc/neutreeko/examples/opponent.c share/doc/neutreeko/examples/probe.c
    share/doc/neutreeko/examples/statistics.c
'''.split()
PAGES = ['man1/neutreeko.1', 'man1/neutreeko-solve.1', 'man3/libneutreeko.3', 'man5/perfect_move.dat.5']


class Build:
    """A build directory, and what is made with it."""

    def __init__(self, meson, directory):
        self.meson = meson
        self.dir = directory / 'build'
        self.prefix = directory / 'opt'
        self.stage = directory / 'stage'

    def run(self, *arguments, **variables):
        environment = {name: value for name, value in os.environ.items() if name != 'DESTDIR'}
        outcome = subprocess.run([self.meson, *arguments], env={**environment, **variables}, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if outcome.returncode:
            raise Failure(f'meson {" ".join(map(str, arguments))}\n{outcome.stdout[-2000:]}')

    def ninja(self, *targets, **variables):
        self.run('compile', '-C', self.dir, *(f'--ninja-args={target}' for target in targets), **variables)

    def files(self):
        """What should be installed, according to what there is to make it with."""
        made = ['share/neutreeko/neutreeko.html'] if (self.dir / 'web/neutreeko.html').exists() else []
        return sorted(ALWAYS + made + ([f'share/man/{page}' for page in PAGES] if shutil.which('scdoc') else []))


def files_below(directory):
    return sorted(str(path.relative_to(directory)) for path in directory.rglob('*')
                  if path.is_symlink() or not path.is_dir())


def beside_the_prefix(test):
    """The test, told what a user of an unusual prefix tells the linker and pkg-config."""
    @functools.wraps(test)
    def run(t):
        t.environment.update(PKG_CONFIG_PATH=f'{build.prefix}/lib/pkgconfig', LD_LIBRARY_PATH=f'{build.prefix}/lib')
        test(t)
    return run


def need(program):
    if not shutil.which(program):
        raise Skip(f'there is no {program}')


def read(path):
    return path.read_text(encoding='utf-8')


# ---- where things are ----

def test_staged(t):
    """With DESTDIR all goes below it, knows nothing of it, and is gone after ninja uninstall"""
    build.ninja('install', DESTDIR=str(build.stage))
    equal(files_below(build.stage / 'usr'), build.files(), 'files in the stage')
    for path in build.stage.rglob('*'):
        if path.is_file():
            content = path.read_bytes()
            check(str(build.stage).encode() not in content, f'{path} contains the name of the stage')
    check('prefix=/usr\n' in read(build.stage / 'usr/lib/pkgconfig/neutreeko.pc'), 'another prefix in neutreeko.pc')
    build.ninja('uninstall', DESTDIR=str(build.stage))
    equal(os.listdir(build.stage) if build.stage.exists() else [], [], 'what uninstall has left')


def test_installed(t):
    """Another prefix gets the same files"""
    build.run('configure', build.dir, f'--prefix={build.prefix}')
    build.ninja('install')
    equal(files_below(build.prefix), build.files(), 'files below the prefix')


# ---- programs ----

def test_programs(t):
    """The programs find the installed table by themselves"""
    answer = t.run('neutreeko query --json').expect(0, '"result": "draw"', '')
    equal(len(json.loads(answer.out)['moves']), 14, 'moves at the start')
    t.run('neutreeko play', input=b'b1-c1\n').expect(0, 'White plays c2-c3')
    t.run(['neutreeko-solve', '--check', build.prefix / 'share/neutreeko/perfect_move.dat']).expect(0)
    alone = t.run('neutreeko query --json', env={'XDG_DATA_HOME': '/nowhere', 'XDG_DATA_DIRS': '/nowhere'})
    equal(alone.out, answer.out, 'with no other table to be had')


# ---- library ----

def config(t, *arguments):
    return t.run(['pkg-config', *arguments, 'neutreeko']).expect(0, err='').out.split()


def compile_example(t, compiler, name, *flags, static=False):
    """Compiles an installed example as its user would; returns the program."""
    need(compiler[0])
    program = t.dir / f'{name}-{compiler[0]}{"-static" if static else ""}'
    source = build.prefix / f'share/doc/neutreeko/examples/{name}.c'
    libraries = config(t, '--static', '--libs') if static else config(t, '--libs')
    t.run([*compiler, '-pthread', '-Wall', '-Wextra', '-Wpedantic', '-Werror', *config(t, '--cflags'), source,
           '-x', 'none', *libraries, *flags, *(['-static'] if static else []), '-o', program]).expect(0)
    return program


C = ['cc', '-std=c11', '-D_POSIX_C_SOURCE=200809L']
CXX = ['c++', '-std=c++11', '-x', 'c++']


def every_kind(t, name):
    """An example as C and as C++ with the shared library, and with the static one."""
    return [[compile_example(t, C, name)], [compile_example(t, CXX, name)], [compile_example(t, C, name, static=True)]]


def test_probe(t):
    """The probe, in C and C++, shared and static, answers as neutreeko query does"""
    for position in START, '1b1w1/2b2/5/2w2/1b1w1 b':
        answer = json.loads(t.run(['neutreeko', 'query', '--json', position]).out)
        verbs = {'win': 'wins', 'loss': 'loses', 'draw': 'draws'}

        def words(value):
            plies = value['distance']
            return verbs[value['result']] + (f' in {plies} pl{"y" if plies == 1 else "ies"}' if plies else '')
        expected = [f'Black {words(answer)}'] + [f'{move["move"]} {words(move)}' for move in answer['moves']]
        for program in every_kind(t, 'probe'):
            equal(t.run([*program, position]).expect(0, err='').out.splitlines(), expected, f'answer of {program}')
    for program in every_kind(t, 'probe'):
        t.run([*program, 'nonsense']).expect(1, '', 'probe: found')
        t.run(program, env={'NEUTREEKO_TABLE': 'missing'}).expect(1, '', 'missing: No such file')


def test_opponent(t):
    """The opponent asks again after nonsense, wins against a bad beginning, and reviews the game"""
    for program in every_kind(t, 'opponent'):
        t.run(program).expect(0, 'The game is not over: Black is to move.\n', '')
        game = t.run(program, input=b'nonsense\nc4-c2\nc4-e4\n').expect(0, err='').out.splitlines()
        check(game[0].startswith('nonsense: found'), f'no complaint about nonsense: {game}')
        check(game[1].startswith('c4-c2: the piece slides until'), f'no complaint about c4-c2: {game}')
        equal(game[3:], ['White wins.', 'Ply 1, c4-e4: b1-c1 was better.'], 'the end')


def test_statistics(t):
    """The statistics of four threads over one table are those of the solver, in C and C++, shared and static"""
    summary = json.loads(t.run('neutreeko-solve --json -o t.dat').expect(0).out)
    for program in every_kind(t, 'statistics'):
        lines = t.run(program).expect(0, err='').out.splitlines()
        counts = {'wins': 0, 'losses': 0}
        longest = 0
        for line in lines[2:]:
            kind, plies, positions = re.fullmatch(r'(\w+) in (\d+): (\d+)', line).groups()
            counts[kind] += int(positions)
            longest = max(longest, int(plies))
        equal(lines[:2], [f'positions {summary["legal"]}', f'draws {summary["draws"]}'], 'positions and draws')
        equal((counts['wins'], counts['losses'], longest),
              (summary['wins'], summary['losses'], summary['longest']), 'wins, losses, longest')


def test_symbols(t):
    """The library exports the functions of its header, those of tests/library.symbols, and nothing else"""
    listed = read(SOURCE / 'tests/library.symbols').split()
    library = build.prefix / 'lib/libneutreeko.so'
    shown = t.run(['nm', '-D', '--defined-only', library]).expect(0).out.splitlines()
    equal(sorted(line.split()[-1] for line in shown), listed, 'symbols')
    declared = re.findall(r'^NK_API [^;]*?\b(nk_\w+)\(', read(build.prefix / 'include/neutreeko.h'), re.M)
    equal(sorted(declared), listed, 'functions in the header')
    soname = re.search(r'SONAME\s+(\S+)', t.run(['objdump', '-p', library]).expect(0).out)
    equal(soname and soname[1], 'libneutreeko.so.0', 'soname')


def test_header(t):
    """The header stands alone, in C99 and C++11, strictly read"""
    t.write('alone.c', b'#include <neutreeko.h>\n#include <neutreeko.h>\nint main(void) { return 0; }\n')
    for compiler in ['cc', '-std=c99'], ['c++', '-std=c++11', '-x', 'c++']:
        need(compiler[0])
        t.run([*compiler, '-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Werror', *config(t, '--cflags'),
               '-c', 'alone.c', '-o', 'alone.o']).expect(0)


def test_subproject(t):
    """A program of another meson project, with this one among its subprojects, gets the library as a dependency"""
    t.write('meson.build', b"project('parent', 'c')\n"
            b"executable('probe', 'probe.c', dependencies: dependency('neutreeko', fallback: 'neutreeko'))\n")
    shutil.copy(SOURCE / 'examples/probe.c', t.dir)
    (t.dir / 'subprojects').mkdir()
    (t.dir / 'subprojects/neutreeko').symlink_to(SOURCE)
    build.run('setup', t.dir / 'build', t.dir, '-Dneutreeko:tests=disabled', '-Dneutreeko:bench=disabled',
              '--force-fallback-for=neutreeko')
    build.run('compile', '-C', t.dir / 'build', 'probe')
    table = build.prefix / 'share/neutreeko/perfect_move.dat'
    t.run([t.dir / 'build/probe', START], env={'NEUTREEKO_TABLE': str(table)}).expect(0, 'Black draws\n', '')


# ---- manual ----

def page(t, name, section):
    need('scdoc')
    need('man')
    shown = t.run(['man', '--warnings', section, name],
                  env={'MANPATH': str(build.prefix / 'share/man'), 'MANPAGER': 'cat', 'MANWIDTH': '100',
                       'LC_ALL': 'C.UTF-8'})
    return re.sub('.\b', '', shown.expect(0, err='').out)


def test_manual(t):
    """man shows every page, and those of the programs speak of every command and option"""
    commands = re.findall(r'^  ([a-z]+) ', re.search(r'Commands:\n(.*?)\n\n', t.run('neutreeko --help').out, re.S)[1],
                          re.M)
    shown = page(t, 'neutreeko', '1')
    equal([command for command in commands if not re.search(rf'^ +{command}\b', shown, re.M)], [], 'missing commands')
    shown = page(t, 'neutreeko-solve', '1')
    options = set(re.findall(r'^ +(?:-., )?(--[a-z-]+)', t.run('neutreeko-solve --help').out, re.M))
    check(len(options) > 10, f'only {options} in the help')
    equal(sorted(options - set(re.findall(r'--[a-z-]+', shown))), [], 'missing options')
    check('signature 89 4E 4B 54' in page(t, 'perfect_move.dat', '5'), 'no signature in perfect_move.dat(5)')


def test_manual_example(t):
    """The program in libneutreeko(3) compiles and tells what the start is worth"""
    shown = page(t, 'libneutreeko', '3')
    program = re.search(r'^( +)#include <neutreeko\.h>\n +#include <stdio.*?^\1\}\n', shown, re.M | re.S)
    check(program, 'no program in the page')
    t.write('example.c', program[0].encode())
    t.run(['cc', '-Wall', '-Wextra', '-Werror', 'example.c', *config(t, '--cflags', '--libs'), '-o', 'example']).expect(0)
    t.run('./example').expect(0, 'draws\n', '')


# ---- completion ----

EXPECTED = {  # what is typed before the tab key, and the line after it
    'neutreeko rev': 'neutreeko review ',
    'neutreeko --v': 'neutreeko --version ',
    'neutreeko play --hi': 'neutreeko play --hints ',
    'neutreeko play --white lev': 'neutreeko play --white level:',
    'neutreeko play --white wea': 'neutreeko play --white weakest ',
    'neutreeko play --four-character f': 'neutreeko play --four-character first ',
    'neutreeko match per': 'neutreeko match perfect ',
    'neutreeko match --start ra': 'neutreeko match --start random ',
    'neutreeko query b1-b': 'neutreeko query b1-b4 ',
    'neutreeko query b1-c1 b5-c': 'neutreeko query b1-c1 b5-c5 ',
    'neutreeko review --table gam': 'neutreeko review --table game.txt ',
    'neutreeko review ga': 'neutreeko review game.txt ',
    'neutreeko-solve --win ort': 'neutreeko-solve --win orthogonal ',
    'neutreeko-solve --checkpoint half': 'neutreeko-solve --checkpoint half/',
    'neutreeko-solve -o gam': 'neutreeko-solve -o game.txt ',
    'neutreeko-solve --no-t': 'neutreeko-solve --no-traps ',
}


def complete_at_prompt(t, shell, environment):
    """What a shell at a terminal makes of each line of EXPECTED; Ctrl-T, set up before, has it written to `lines`."""
    t.write('game.txt', b'')
    (t.dir / 'half').mkdir()
    lines = t.dir / 'lines'
    lines.touch()
    master, slave = os.openpty()
    tty.setraw(slave)  # what is typed before the shell reads must not be taken for editing
    process = t.start(shell, {**environment, 'LINES_FILE': str(lines), 'TERM': 'dumb'}, stdin=slave, stdout=slave,
                      stderr=slave)
    os.close(slave)
    os.set_blocking(master, False)
    shown = b''

    def wait_for(count):
        nonlocal shown
        end = time.monotonic() + PATIENCE
        while len(read(lines).splitlines()) < count:
            check(time.monotonic() < end and process.poll() is None, f'{shell[0]} does not answer: {shown[-500:]!r}')
            with contextlib.suppress(OSError):
                shown += os.read(master, 1 << 16)
            time.sleep(0.01)
    try:
        wait_for(1)  # the shell is there
        for number, typed in enumerate(EXPECTED, 2):
            os.write(master, f'{typed}\t\x14\x15'.encode())
            wait_for(number)
    finally:
        process.kill()
        process.wait()
        os.close(master)
    return dict(zip(EXPECTED, read(lines).splitlines()[1:]))


def test_bash_completion(t):
    """bash at a terminal completes commands, options, opponents, moves and files"""
    if not BASH_COMPLETION.exists():
        raise Skip(f'there is no {BASH_COMPLETION}')
    t.write('rc', f'''. {BASH_COMPLETION}
bind -x '"\\C-t": printf "%s\\n" "$READLINE_LINE" >>"$LINES_FILE"'
bind 'set bell-style none'
echo ready >>"$LINES_FILE"
'''.encode())
    found = complete_at_prompt(t, ['bash', '--noprofile', '--rcfile', 'rc', '-i'],
                               {'XDG_DATA_DIRS': str(build.prefix / 'share')})
    equal(found, EXPECTED, 'completed lines')


def test_zsh_completion(t):
    """zsh at a terminal completes the same"""
    need('zsh')
    t.write('.zshrc', f'''fpath=({build.prefix}/share/zsh/site-functions $fpath)
autoload -Uz compinit && compinit -u -D
unsetopt beep
write-line() {{ print -r -- "$BUFFER" >>$LINES_FILE }}
zle -N write-line
bindkey -e
bindkey '^T' write-line
echo ready >>$LINES_FILE
'''.encode())
    found = complete_at_prompt(t, ['zsh', '-d', '-i'], {'ZDOTDIR': str(t.dir)})
    equal(found, EXPECTED, 'completed lines')


def options_of_all(t):
    """The options of each command line, as its help text lists them."""
    commands = re.findall(r'^  ([a-z]+) ', t.run('neutreeko --help').out.split('Commands:\n')[1], re.M)
    found = {}
    for command in 'neutreeko-solve', *(f'neutreeko {name}' for name in commands):
        section = t.run(f'{command} --help').expect(0).out.split('\nOptions:\n')[1].split('\n\n')[0]
        found[command] = sorted(re.findall(r'^ +(?:-., )?(--[a-z-]+)', section, re.M))
        check('--help' in found[command] and len(found[command]) > 2, f'only {found[command]} in the help of {command}')
    return found


def test_options_completed(t):
    """bash and fish offer every option of every command, and every word to choose from"""
    share = build.prefix / 'share'
    words = {'neutreeko-solve --win ': ['line', 'orthogonal', 'diagonal', 'equidistant', 'centre'],
             'neutreeko match --start ': ['drawn', 'random'], 'neutreeko play --four-character ': ['first', 'second'],
             'neutreeko play --seed ': [], 'neutreeko-solve --board ': []}
    expected = {**{f'{command} --': options for command, options in options_of_all(t).items()},
                **{line: sorted(found) for line, found in words.items()}}
    shells = {}
    if shutil.which('fish'):
        shells['fish'] = ['fish', '--no-config', '-c', ''.join(
            f'source {share}/fish/vendor_completions.d/{name}.fish\n' for name in ('neutreeko', 'neutreeko-solve')) +
            ''.join(f"complete -C '{line}'; echo .\n" for line in expected)]
    if BASH_COMPLETION.exists():
        shells['bash'] = ['bash', '-c', f'. {BASH_COMPLETION}; . {share}/bash-completion/completions/neutreeko\n' + ''.join(
            f'COMP_LINE="{line}" COMP_POINT={len(line)}; COMP_WORDS=({line[:-2] if line.endswith("--") else line} '
            f'{"--" if line.endswith("--") else chr(39) * 2}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMPREPLY=()\n'
            '_neutreeko; printf "%s\\n" "${COMPREPLY[@]}"; echo .\n' for line in expected)]
    for shell, command in shells.items():
        out = t.run(command).expect(0, err='').out
        for (line, wanted), offered in zip(expected.items(), re.split(r'^\.\n', out, flags=re.M)):
            equal(sorted(found.split('\t')[0] for found in offered.splitlines() if found), wanted, f'{shell}: offered after {line!r}')
        equal(len(re.findall(r'^\.$', out, re.M)), len(expected), f'{shell}: answers')


def test_fish_completion(t):
    """fish offers the same, and a word about it"""
    need('fish')
    t.write('game.txt', b'')
    (t.dir / 'half').mkdir()
    script = ''.join(f"complete -C '{typed}'; echo .\n" for typed in EXPECTED)
    outcome = t.run(['fish', '--no-config', '-c',
                     f'source {build.prefix}/share/fish/vendor_completions.d/neutreeko.fish\n'
                     f'source {build.prefix}/share/fish/vendor_completions.d/neutreeko-solve.fish\n{script}'],
                    env={'XDG_DATA_DIRS': f'{build.prefix}/share:/usr/share'})
    outcome.expect(0, err='')
    for (typed, expected), offered in zip(EXPECTED.items(), re.split(r'^\.\n', outcome.out, flags=re.M)):
        words = [line.split('\t')[0] for line in offered.splitlines()]
        expected = expected.rsplit(' ', 2)[-2 if expected.endswith(' ') else -1]
        if expected == 'level:':
            equal(words, [f'level:{n}' for n in range(1, 10)], f'offered after {typed!r}')
        else:
            equal(words, [expected], f'offered after {typed!r}')
    check('\tPrint the result of each move of a game, and mark mistakes\n' in outcome.out, 'commands without descriptions')


# ---- the end ----

def test_uninstalled(t):
    """ninja uninstall leaves nothing"""
    build.ninja('uninstall')
    equal(os.listdir(build.prefix) if build.prefix.exists() else [], [], 'what is left')


def main():
    global build
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.stdout.reconfigure(encoding='utf-8', errors='backslashreplace')
    module = sys.modules[__name__]
    with tempfile.TemporaryDirectory(prefix='neutreeko-install-') as name:
        directory = pathlib.Path(name)
        build = Build(sys.argv[1], directory)
        build.run('setup', build.dir, SOURCE, '--prefix=/usr', '--libdir=lib', '--buildtype=plain',
                  '-Dtests=disabled', '-Dbench=disabled')
        build.ninja()
        wanted = sys.argv[2:] and ['installed', *sys.argv[2:]]
        tests = [beside_the_prefix(test) for test in cli_harness.tests_of([module], wanted)]
        return cli_harness.run_tests(tests, directory, build.prefix / 'bin', None)


if __name__ == '__main__':
    sys.exit(0 if main() else 1)
