"""packaging/notices.py prints the licences of what artifacts contain of other projects."""

import contextlib
import functools
import importlib.util
import io
import json
import sys
from unittest import mock

import pytest

from conftest import ROOT

OWNERS = {
    'wheel': ['Yann Collet'],
    'wheel-windows': ['Jean-loup Gailly', 'Yann Collet', 'mingw-w64 project'],
    'npm': ['Nuxi', 'Rich Felker', 'Vitaly Puzrin', 'Yann Collet'],
    'page': ['Google LLC', 'Nuxi', 'Rich Felker', 'Vitaly Puzrin', 'Yann Collet'],
}


SPECIFICATION = importlib.util.spec_from_file_location('notices', ROOT / 'packaging/notices.py')
SCRIPT = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(SCRIPT)


@functools.cache
def notices(*arguments):
    """What the script prints, in this process: to start Python takes longer than all else."""
    printed = io.TextIOWrapper(io.BytesIO(), encoding='ascii')
    with mock.patch.object(sys, 'argv', ['notices.py', *arguments]), contextlib.redirect_stdout(printed):
        SCRIPT.main()
        printed.flush()
    return printed.buffer.getvalue().decode()


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
    bill = json.loads(notices('--sbom', '1.2.3'))
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
    # Without the packages, their licences cannot be printed.
    refused = pytest.raises(SystemExit, match=error) if error else contextlib.suppress(FileNotFoundError)
    with refused:
        notices(artifact, str(tmp_path / 'map'))


def test_an_unknown_artifact_is_refused():
    with pytest.raises(SystemExit, match='expected one of'):
        notices('x')
