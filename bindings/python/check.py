#!/usr/bin/env python3
"""Builds the package and tests it, with the Python that runs this: check.py BUILD SOURCES TABLE [ARCHIVE | installed]

Without `installed`, imports the package from the build directory, for which an archive of libneutreeko need not be
compiled again. With it, builds the source distribution, from that the wheel, both in BUILD/dist, and tests what depends
on being installed, in an environment of its own, and the types. PROJECT_URL in the environment is where the project is
published, for the metadata."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
MESON = os.environ.get('MESON', 'meson')
os.environ['PYTHONDONTWRITEBYTECODE'] = '1'
# The tests of what depends on how the package was built and installed: what it finds and opens.
INSTALLED = 'example_of or licences or table or version'


def run(*command, **options):
    return subprocess.run(command, check=True, stdin=subprocess.DEVNULL, **options)


def quietly(*command, **options):
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options
    )
    if done.returncode:
        sys.exit(f'{done.stdout}{command[0]} failed')


def test(python, tests, directory, *chosen, **environment):
    options = '-q', '-rs', '-p', 'no:cacheprovider', *chosen
    run(python, '-m', 'pytest', *options, tests, cwd=directory, env={**os.environ, **environment})


def from_build(build, sources, table, archive=''):
    native = build.with_name(f'{build.name}.ini')
    native.write_text(f"[binaries]\npython = '{sys.executable}'\n")
    if not (build / 'build.ninja').exists():
        # The time goes into the library; what cffi writes is quick enough as it is.
        given = f'-Dsources={sources}', f'-Dlibrary={archive}', '-Dc_args=-O0'
        # Meson also cleans the build in which it is started, here that of the project.
        quietly(MESON, 'setup', '--native-file', native, build, HERE, *given, cwd=native.parent)
    quietly('ninja', '-C', build)
    test(sys.executable, HERE / 'tests', build, PYTHONPATH=str(build), TABLE=str(table))


def find_wheel(wheel, place):
    """An index offers the wheel to the oldest and the newest version of Python, and so to all between them."""
    platform = wheel.stem.split('-')[-1]
    assert platform.startswith('manylinux_2_') or sys.platform != 'linux', platform
    for version in '3.9', '3.14':
        quietly(
            sys.executable, '-m', 'pip', 'download', '--no-index', '--no-deps', '--only-binary=:all:',
            f'--find-links={wheel.parent}', f'--platform={platform}', f'--python-version={version}',
            f'--dest={place / version}', 'neutreeko'
        )
        assert (place / version / wheel.name).exists(), version


def look_at_module(module):
    """It is hardened as the programs are, and exports its initialization only: another copy of the library, which the
    process may have, keeps its functions."""
    symbols = run('nm', '-D', module, stdout=subprocess.PIPE, text=True).stdout
    assert re.findall(r' [A-TV-Zi] (\w+)$', symbols, re.M) == ['PyInit__native'], symbols
    assert '__stack_chk_fail' in symbols, symbols
    assert re.search(r' __\w+_chk\b', symbols), symbols
    assert 'BIND_NOW' in run('readelf', '-d', module, stdout=subprocess.PIPE, text=True).stdout


def as_installed(build, sources, table):
    dist = build / 'dist'
    shutil.rmtree(dist, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix='neutreeko-python-') as name:
        top = pathlib.Path(name)
        os.environ.setdefault('SOURCE_DATE_EPOCH', '1700000000')
        # Files in a source distribution have the date of the commit.
        os.environ['GIT_COMMITTER_DATE'] = f"@{os.environ['SOURCE_DATE_EPOCH']} +0000"
        # meson makes distributions of a repository only.
        shutil.copytree(
            HERE.parents[1], top / 'checkout', ignore=shutil.ignore_patterns('build*', '.git', '__pycache__', 'data')
        )
        (top / 'checkout/build/common').mkdir(parents=True)
        shutil.copy(sources, top / 'checkout/build/common/sources.json')
        if url := os.environ.get('PROJECT_URL'):
            with open(top / 'checkout/bindings/python/pyproject.toml', 'a', encoding='utf-8') as about:
                about.write(f"\n[project.urls]\nSource = '{url}'\n")
        git = ['git', '-C', top / 'checkout', '-c', 'user.name=x', '-c', 'user.email=x@example.org']
        quietly(*git, 'init', '-q')
        quietly(*git, 'add', 'bindings')
        quietly(*git, 'commit', '-qm', 'x')
        quietly(
            sys.executable, '-m', 'build', '--no-isolation', '--outdir', dist, '--sdist',
            top / 'checkout/bindings/python'
        )
        sdist, = dist.glob('*.tar.gz')
        with tarfile.open(sdist) as packed:
            # So that each build has the same bytes; meson-python gives files of a repository the date 0.
            assert {file.mtime for file in packed} <= {0, int(os.environ['SOURCE_DATE_EPOCH'])}, sdist
        shutil.unpack_archive(sdist, top / 'unpacked')
        source = top / 'unpacked' / sdist.name.removesuffix('.tar.gz')
        quietly(
            sys.executable, '-m', 'pip', 'wheel', '--no-build-isolation', '--no-index', '--no-deps',
            '--wheel-dir', top / 'built', source
        )
        built, = (top / 'built').iterdir()
        quietly(sys.executable, source / 'tag.py', built, dist)
        wheel, = dist.glob('*.whl')
        find_wheel(wheel, top / 'found')
        files = {path for path in zipfile.ZipFile(wheel).namelist() if '.dist-info/' not in path}
        assert files == {f'neutreeko/{file}' for file in (
            'LICENSE', 'THIRD-PARTY.txt', '__init__.py', '_native.abi3.so', '_native.pyi', 'py.typed')}, files
        # It has the pip of the system, which takes seconds to copy.
        quietly(sys.executable, '-m', 'venv', '--without-pip', '--system-site-packages', top / 'env')
        python = top / 'env/bin/python'
        quietly(python, '-m', 'pip', 'install', '--no-index', wheel)
        module, = (top / 'env').glob('lib/*/site-packages/neutreeko/_native.abi3.so')
        look_at_module(module)
        shutil.copytree(source / 'tests', top / 'test/tests')
        shutil.copytree(source / 'examples', top / 'test/examples')
        quietly(
            sys.executable, '-m', 'mypy', '--strict', '--cache-dir', os.devnull, '--python-executable', python,
            '-p', 'neutreeko', cwd=top
        )
        test(python, 'tests', top / 'test', '-k', INSTALLED, THOROUGH='1', TABLE=str(table))
        print(f'{sdist.name}: {sdist.stat().st_size:,} bytes, {wheel.name}: {wheel.stat().st_size:,} bytes')


paths = [pathlib.Path(path).absolute() for path in sys.argv[1:] if path != 'installed']
if 'installed' in sys.argv[4:]:
    as_installed(*paths)
else:
    from_build(*paths)
