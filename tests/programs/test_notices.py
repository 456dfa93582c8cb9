"""packaging/notices.py prints the licences of what artifacts contain of other projects."""

import subprocess
import sys

import pytest

from conftest import ROOT

OWNERS = {
    'wheel': ['Yann Collet'],
    'wheel-windows': ['Jean-loup Gailly', 'Yann Collet', 'mingw-w64 project'],
    'npm': ['Nuxi', 'Rich Felker', 'Vitaly Puzrin', 'Yann Collet'],
    'page': ['Google LLC', 'Nuxi', 'Rich Felker', 'Vitaly Puzrin', 'Yann Collet'],
}


def notices(artifact):
    command = [sys.executable, ROOT / 'packaging/notices.py', artifact]
    return subprocess.run(command, check=True, capture_output=True, text=True, encoding='utf-8').stdout


@pytest.mark.parametrize('artifact', OWNERS)
def test_the_owners_are_named(artifact):
    printed = notices(artifact)
    assert [owner for owner in OWNERS[artifact] if owner not in printed] == []


def test_every_licence_is_of_an_artifact():
    printed = ''.join(map(notices, OWNERS))
    texts = {path.name: path.read_text(encoding='utf-8') for path in (ROOT / 'packaging/notices').iterdir()}
    assert [name for name, text in texts.items() if text not in printed] == []


def test_an_unknown_artifact_is_refused():
    command = [sys.executable, ROOT / 'packaging/notices.py', 'x']
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert 'expected one of' in done.stderr
