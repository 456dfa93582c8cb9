"""The scripts: when they install, configure and build again. What stands in for other programs only notes its calls."""

import os
import shutil
import subprocess

import pytest

from conftest import ROOT

STAND_INS = {
    'apt-get': '',
    'dpkg-query': 'echo installed gcc',
    'meson': '[ "$1" != setup ] || mkdir -p "$2/meson-private"',
    'ninja': '',
    'npm': 'mkdir -p node_modules',
    'python': '',
    'sudo': 'exec "$@"',
}


@pytest.fixture
def setup(tmp_path):
    """Runs functions of a copy of scripts/setup, or another script; returns the calls of the stand-ins so far."""
    for folder in 'scripts', 'bin', 'web':
        (tmp_path / folder).mkdir()
    for name in 'setup', 'test':
        shutil.copy(ROOT / 'scripts' / name, tmp_path / 'scripts')
    for name in 'package.json', 'package-lock.json':
        (tmp_path / 'web' / name).write_text('{}')
    for name, action in STAND_INS.items():
        program = tmp_path / 'bin' / name
        program.write_text(f'#!/bin/sh\necho {name} "$@" >>"{tmp_path}/calls"\n{action}\n')
        program.chmod(0o755)

    def run(command, **variables):
        environment = {**os.environ, 'PATH': f'{tmp_path}/bin:{os.environ["PATH"]}', 'PYTHON': 'python', **variables}
        script = f'. "{tmp_path}/scripts/setup" && {command}'
        subprocess.run(['bash', '-c', script], env=environment, check=True, capture_output=True)
        return (tmp_path / 'calls').read_text().replace(f'{tmp_path}/', '').splitlines()

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


def test_missing_packages_are_installed(setup):
    installed, = [call for call in setup('require build') if call.startswith('apt-get')]
    assert 'meson' in installed.split()
    assert 'gcc' not in installed.split()


def test_what_cannot_be_installed_may_be_there(setup):
    calls = setup('echo false >>"$root/bin/apt-get" && require build && meson --version')
    assert any(call.startswith('apt-get') for call in calls)
    assert calls[-1] == 'meson --version'


def test_a_test_in_c_needs_no_browser(setup):
    calls = setup('"$root/scripts/test" opponents')
    assert not any('nodejs' in call.split() for call in calls)
    assert not any(call.startswith('npm') for call in calls)
    assert any(call.startswith('meson test') for call in calls)


@pytest.mark.parametrize('arguments', ['', 'web_page', 'thorough', 'rules npm', '--suite thorough'])
def test_the_tests_of_the_page_need_browsers(setup, arguments):
    calls = setup(f'"$root/scripts/test" {arguments}')
    assert any({'nodejs', 'chromium-headless-shell'} <= set(call.split()) for call in calls)
    assert any(call.startswith('npm ci') for call in calls)


def test_node_modules_are_installed_once(setup):
    setup('install_node_modules modules web')
    assert len(setup('install_node_modules modules web')) == 1


@pytest.mark.parametrize('name', ['package.json', 'package-lock.json'])
def test_other_node_modules_are_installed(setup, name):
    setup('install_node_modules modules web')
    assert len(setup(f'echo 1 >"$root/web/{name}" && install_node_modules modules web')) == 2


def test_a_build_directory_is_made_once(setup):
    setup('configure build -Da=b')
    assert len(setup('configure build -Da=b')) == 1


def test_a_feature_is_added_to_a_build_directory(setup):
    setup('configure build -Da=b')
    assert setup('configure build -Da=b tests')[1:] == ['meson configure build -Dtests=enabled']


def test_a_feature_stays(setup):
    setup('configure build && echo "tests = enabled" >"$root/build/meson-private/cmd_line.txt"')
    assert len(setup('configure build tests && configure build')) == 1


@pytest.mark.parametrize('variable, value', [
    ('CC', 'cc -m32'), ('CFLAGS', '-O0'), ('CPPFLAGS', '-DX'), ('LDFLAGS', '-s'), ('PKG_CONFIG_PATH', '/none'),
])
def test_a_build_directory_for_another_variable_is_made_again(setup, variable, value):
    """What a compiler is called with is part of the build directory."""
    setup('configure build', **{variable: ''})
    assert setup('configure build', **{variable: value})[1].startswith('meson setup build')


def test_a_build_directory_with_other_options_is_made_again(setup):
    setup('configure build -Da=b')
    assert setup('configure build -Da=c')[1].startswith('meson setup build')
