"""What C defines, and a text for people or another language has to state as well, is the same there."""

import json
import re

import pytest

from conftest import ROOT


@pytest.fixture
def names(t):
    found, = t.run('neutreeko names').expect(0, err='').json()
    return found


def read(path):
    return (ROOT / path).read_text(encoding='utf-8')


def words(text, pattern):
    """The quoted words, in one kind of quotes or the other, of the only place that matches."""
    found, = re.findall(pattern, text, re.S)
    return re.findall(r'[\'"`](.*?)[\'"`]', found)


def test_winning_conditions(t, names):
    wins = [win['name'] for win in names['wins']]
    assert [win['name'] for win in names['wins'] if win['lines']] == ['line', 'orthogonal', 'diagonal']
    assert '|'.join(wins) in t.run('neutreeko-solve --help').expect(0).out
    assert words(read('web/engine/api.ts'), r'\n  win: ([^;]*);') == wins
    assert words(read('bindings/python/neutreeko/__init__.py'), r'`win` is (.*?)"""') == wins
    assert json.loads(read('docs/schema/solve.json'))['properties']['win']['enum'] == wins
    for language in 'en', 'ja':
        assert re.findall(r'^  win_(\w+):', read(f'web/page/texts/{language}.ts'), re.M) == wins


def test_ends(names):
    ends = names['ends']
    assert words(read('web/engine/api.ts'), r'interface End \{\n  reason: ([^;]*);') == ends
    assert words(read('bindings/python/neutreeko/__init__.py'), r'How a game has ended\."""(.*?)\n\n') == ends


def test_bounds_of_boards(t, names):
    board = names['board']
    declared = read('web/engine/api.ts')
    helped = t.run('neutreeko-solve --help').expect(0).out
    assert 'width and height, {min} to {max} each'.format(**board['side']) in helped
    assert 'pieces per side, {min} to {max}'.format(**board['pieces']) in helped
    assert 'Squares, {min} to {max}.'.format(**board['side']) in declared
    assert 'Of each side, {min} to {max}.'.format(**board['pieces']) in declared


def test_opponents(names):
    forms = [kind['form'] for kind in names['opponents']]
    for name in names['ranking']:
        assert re.sub(r'\d+', 'N', name) in forms
    assert [kind['form'] for kind in names['opponents'] if kind['human']] == ['human']


def test_page_has_texts_for_names_of_opponents(names):
    texts = [read(f'web/page/texts/{language}.ts') for language in ('en', 'ja')]
    for kind in names['opponents']:
        for text in texts if kind['same_as'] else []:
            assert len(re.findall(rf"^  named_{kind['form']}: '", text, re.M)) == 1
