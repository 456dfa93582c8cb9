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
