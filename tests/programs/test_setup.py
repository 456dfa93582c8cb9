"""scripts/setup: when it installs or configures again. What stands in for npm and meson only notes its calls."""

import os
import shutil
import subprocess

import pytest

from conftest import ROOT

STAND_INS = {
    'npm': 'mkdir -p node_modules',
    'meson': 'mkdir -p "$2" && touch "$2/build.ninja"',
}


@pytest.fixture
def setup(tmp_path):
    """Runs functions of a copy of scripts/setup; returns the calls of the stand-ins so far."""
    for folder in 'scripts', 'bin':
        (tmp_path / folder).mkdir()
    shutil.copy(ROOT / 'scripts/setup', tmp_path / 'scripts')
    for name, action in STAND_INS.items():
        program = tmp_path / 'bin' / name
        program.write_text(f'#!/bin/sh\n{action}\necho {name} "$@" >>"{tmp_path}/calls"\n')
        program.chmod(0o755)

    def run(command, **variables):
        environment = {**os.environ, 'PATH': f'{tmp_path}/bin:{os.environ["PATH"]}', **variables}
        script = f'. "{tmp_path}/scripts/setup" && {command}'
        subprocess.run(['bash', '-c', script], env=environment, check=True, capture_output=True)
        return (tmp_path / 'calls').read_text().splitlines()

    return run


def scripts(command, *arguments):
    return subprocess.run([ROOT / 'scripts' / command, *arguments], capture_output=True, text=True, timeout=20)


@pytest.mark.parametrize('name', ['install', 'test', 'check', 'bench', 'docs', 'release', 'web'])
@pytest.mark.parametrize('option', ['--help', '-h'])
def test_a_script_describes_itself(name, option):
    """Without building anything first."""
    done = scripts(name, option)
    assert (done.returncode, done.stderr) == (0, '')
    assert done.stdout.startswith(f'Usage: scripts/{name} [')
    assert '#' not in done.stdout


@pytest.mark.parametrize('name, kind', [
    ('check', 'part'), ('bench', 'argument'), ('docs', 'part'), ('release', 'artifact'),
])
def test_a_script_rejects_an_unknown_argument(name, kind):
    done = scripts(name, 'lent')
    assert (done.returncode, done.stdout) == (2, '')
    assert f"scripts/{name}: unknown {kind} 'lent': expected one of " in done.stderr


def test_a_part_of_the_checks_describes_itself():
    assert scripts('check', 'lint', '--help').stdout.startswith('Usage: scripts/check lint\n')


def quietly(command):
    script = f'. "{ROOT}/scripts/setup" && quietly {command} && echo passed'
    return subprocess.run(['bash', '-c', script], capture_output=True, text=True, input='typed')


def test_what_succeeds_is_quiet():
    done = quietly('sh -c "echo out; echo err >&2; cat"')
    assert (done.returncode, done.stdout, done.stderr) == (0, 'passed\n', '')


def test_what_fails_is_shown_and_fails():
    done = quietly('sh -c "echo out; echo err >&2; cat; exit 3"')
    assert (done.returncode, done.stdout, done.stderr) == (1, '', 'out\nerr\n')


def installing(package='{"one": "1.0.0"}', lock='{"integrity": "sha512-A"}'):
    """Installs what these two files list."""
    return f"""
        mkdir -p "$root/list"
        printf %s '{package}' >"$root/list/package.json"
        printf %s '{lock}' >"$root/list/package-lock.json"
        install_node_modules "$root/modules" "$root/list" """


def test_node_modules_are_installed_once(setup):
    setup(installing())
    assert len(setup(installing())) == 1


@pytest.mark.parametrize('now', [
    {'package': '{"one": "1.0.1"}'}, {'package': '{}'}, {'lock': '{"integrity": "sha512-B"}'},
])
def test_other_node_modules_are_installed(setup, now):
    """Another version, one module less, or another file for the same version."""
    setup(installing())
    assert len(setup(installing(**now))) == 2


def test_a_build_directory_is_configured_once(setup):
    setup('configure build -Dtests=enabled')
    assert len(setup('configure build -Dtests=enabled')) == 1


@pytest.mark.parametrize('variable, value', [
    ('CC', 'cc -m32'), ('CFLAGS', '-O0'), ('CPPFLAGS', '-DX'), ('LDFLAGS', '-s'), ('PKG_CONFIG_PATH', '/none'),
])
def test_a_change_of_a_variable_configures_again(setup, variable, value):
    """What a compiler is called with is part of the build directory."""
    setup('configure build', **{variable: ''})
    assert len(setup('configure build', **{variable: value})) == 2


def test_a_change_of_an_option_configures_again(setup):
    setup('configure build -Dtests=enabled')
    assert len(setup('configure build -Dtests=disabled')) == 2
