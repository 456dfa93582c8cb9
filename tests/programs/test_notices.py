"""packaging/notices.py prints the licences of what artifacts contain of other projects."""

import functools
import json
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


@functools.cache
def notices(artifact):
    command = [sys.executable, ROOT / 'packaging/notices.py', artifact]
    return subprocess.run(command, check=True, capture_output=True, text=True, encoding='utf-8').stdout


def paragraphs(text):
    return {' '.join(paragraph.split()) for paragraph in text.split('\n\n')}


@pytest.mark.parametrize('artifact', OWNERS)
def test_the_owners_are_named(artifact):
    printed = notices(artifact)
    assert [owner for owner in OWNERS[artifact] if owner not in printed] == []


def test_every_licence_is_of_an_artifact():
    printed = paragraphs(''.join(map(notices, OWNERS)))
    texts = {path.name: path.read_text(encoding='utf-8') for path in (ROOT / 'packaging/notices').iterdir()}
    assert [name for name, text in texts.items() if not paragraphs(text) <= printed] == []


@pytest.mark.parametrize('artifact', OWNERS)
def test_terms_that_several_have_are_printed_once(artifact):
    printed = notices(artifact)
    permission = 'Permission is hereby granted, free of charge, to any person'
    assert printed.count(permission) == (permission in printed)


def test_a_licence_refers_to_the_terms_above():
    musl = notices('page').partition('\nmusl, ')[2].partition('\npako, ')[0].splitlines()
    assert musl[3:] == ['Copyright (C) 2005-2019 Rich Felker and many other contributors', '',
                        '(Here follow the terms that are printed above for lean-qr.)']


def test_the_bill_of_materials_has_what_the_notices_have():
    command = [sys.executable, ROOT / 'packaging/notices.py', '--sbom', '1.2.3']
    bill = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    parts = {part['bom-ref']: part for part in bill['components']}
    contained = {one['ref']: one['dependsOn'] for one in bill['dependencies']}
    assert bill['metadata']['component']['version'] == '1.2.3'
    assert len(parts) == len(bill['components'])
    assert contained['neutreeko'] == [f'neutreeko:{name}' for name in [*OWNERS, 'linux', 'windows']]
    for artifact in OWNERS:
        described = [parts[name]['description'] for name in contained[f'neutreeko:{artifact}']]
        assert [text for text in described if f'{text}\n---' not in notices(artifact)] == []
        assert len(described) == notices(artifact).count('\n---')
    assert parts['pako']['purl'] == f"pkg:npm/pako@{parts['pako']['version']}"
    assert parts['zlib1g-dev']['purl'] == 'pkg:deb/debian/zlib1g-dev'


@pytest.mark.parametrize('artifact, archive, error', [
    ('linux', '/x/usr/lib/aarch64-linux-gnu/libc.a(printf.o)', ''),
    ('linux', '/usr/lib/gcc/x86_64-linux-gnu/12/libgcc.a(x.o)\n/usr/lib/x86_64-linux-gnu/libc.a(printf.o)', ''),
    ('linux', '/usr/lib/x86_64-linux-gnu/libc.a(printf.o)\n/usr/lib/x86_64-linux-gnu/libx.a(x.o)', 'libx.a, of which'),
    ('linux', '/usr/lib/x86_64-linux-gnu/crt1.o', 'expected maps'),
    ('page', '     2e1      1e2        f         /usr/lib/wasm32-wasi/libc.a(errno.o)', ''),
    ('page', '     2e1      1e2        f         /usr/lib/wasm32-wasi/libm.a(sin.o)', 'libm.a, of which'),
    ('wheel', '     2e1      1e2        f         /usr/lib/wasm32-wasi/libc.a(errno.o)', 'libc.a, of which'),
])
def test_what_is_linked_has_a_notice(tmp_path, artifact, archive, error):
    (tmp_path / 'map').write_text(f'Archive member included to satisfy reference\n\n{archive}\n')
    command = [sys.executable, ROOT / 'packaging/notices.py', artifact, tmp_path / 'map']
    done = subprocess.run(command, capture_output=True, text=True)
    assert error in done.stderr
    assert ('notices.py:' in done.stderr) == bool(error)  # without the packages, their licences cannot be printed


def test_an_unknown_artifact_is_refused():
    command = [sys.executable, ROOT / 'packaging/notices.py', 'x']
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert 'expected one of' in done.stderr
