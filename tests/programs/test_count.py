"""tests/count.py, which counts the tests, notices those that did not run."""

import importlib.util

import pytest
from conftest import ROOT

specification = importlib.util.spec_from_file_location('count', ROOT / 'tests/count.py')
count = importlib.util.module_from_spec(specification)
specification.loader.exec_module(count)
FILE = ROOT / 'tests/common/example.c'


def outcome(stdout='', result='OK'):
    return {'name': 'neutreeko / example', 'stdout': stdout, 'result': result}


def gaps(monkeypatch, ran, configured=(), existing=(), chosen='quick'):
    """What is missing among invented tests."""
    monkeypatch.setattr(count, 'introspect', lambda build: dict(configured))
    monkeypatch.setattr(count, 'find_existing', lambda: dict(existing))
    return list(count.find_gaps('build', ran, chosen))


@pytest.mark.parametrize('test, expected', [
    (outcome('1..3\nok 1 - a\nok 2 - b # SKIP no need\nnot ok 3 - c\n', 'FAIL'), (1, 1)),
    (outcome('1..2\nok 1 - a\nok 2 - b\n'), (2, 0)),
    (outcome('1..2\nok 1 - a\n', 'ERROR'), (1, 1)),
    (outcome('..\n12 passed, 1 skipped, 3 deselected in 1.50s\n'), (12, 0)),
    (outcome('2 failed, 12 passed, 1 error in 1.50s\n', 'FAIL'), (12, 3)),
    (outcome('', 'FAIL'), (0, 1)),
    (outcome(''), (1, 0)),
])
def test_single_tests_are_counted(test, expected):
    assert count.count(test) == expected


@pytest.mark.parametrize('test', [
    outcome('1..1\nok 1 - a # SKIP no such program\n'),
    outcome('    ok 1 - a # skip no such program\n1..1\nok 1 - b\n'),
    outcome('SKIPPED [1] tests/test_a.py:1: no such program\n1 skipped in 0.01s\n'),
    outcome('', 'SKIP'),
])
def test_a_skip_is_a_failure(monkeypatch, test):
    found, = gaps(monkeypatch, {'example': test})
    assert found.startswith('example: skipped without permission: ')


def test_some_skips_are_permitted(monkeypatch):
    stdout = '1..1\nok 1 - a # SKIP cannot become another user\n'
    assert gaps(monkeypatch, {'example': outcome(stdout)}) == []


def test_a_file_that_no_test_runs(monkeypatch):
    configured = {'example': ('quick', {FILE})}
    existing = {FILE: {'quick', 'thorough'}}
    found, = gaps(monkeypatch, {'example': outcome()}, configured, existing)
    assert found.startswith('tests/common/example.c: no test of the suite "thorough"')


def test_what_is_thorough_may_run_in_the_suite_soak(monkeypatch):
    configured = {'example-thorough': ('soak', {FILE})}
    assert gaps(monkeypatch, {}, configured, {FILE: {'thorough'}}) == []


def test_named_tests_do_not_need_the_others(monkeypatch):
    assert gaps(monkeypatch, {}, {}, {FILE: {'quick'}}, chosen='named') == []


@pytest.mark.parametrize('suite, found', [('quick', []), ('thorough', []), ('soak', [
    'tests/common/example.c: no test of the suite "any" that meson has configured runs it'
])])
def test_a_test_of_the_page_may_be_quick_or_thorough(monkeypatch, suite, found):
    assert gaps(monkeypatch, {}, {'example': (suite, {FILE})}, {FILE: {'any'}}, chosen='other') == found


def test_a_configured_test_that_did_not_run(monkeypatch):
    configured = {'example': ('quick', set()), 'more': ('thorough', set())}
    assert gaps(monkeypatch, {}, configured) == ['example: configured, but it did not run']
    assert gaps(monkeypatch, {}, configured, chosen='named') == []


@pytest.mark.parametrize('path, suites', [
    ('tests/common/game/rules.c', {'quick'}),
    ('tests/common/table/table.c', {'quick', 'thorough'}),
    ('tests/fuzz/engine.c', {'quick'}),
    ('tests/programs/test_usage.py', {'quick'}),
    ('tests/programs/test_export.py', {'quick', 'thorough'}),
    ('tests/programs/test_install.py', {'thorough'}),
    ('tests/web/engine.mjs', {'any', 'thorough'}),
    ('tests/web/study.mjs', {'any'}),
    ('tests/web/browsers.mjs', {'soak'}),
    ('bindings/npm/check.mjs', {'thorough'}),
    ('bindings/python/check.py', {'quick', 'thorough'}),
])
def test_the_suites_of_a_file(path, suites):
    assert count.find_existing()[ROOT / path] == suites


@pytest.mark.parametrize('path', ['tests/support.c', 'tests/web/pages.mjs', 'tests/fuzz/replay.c'])
def test_files_that_tests_share_have_none(path):
    assert not count.find_existing().get(ROOT / path)
