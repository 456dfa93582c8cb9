#!/usr/bin/env python3
"""Usage: packaging/docs/check.py DIRECTORY...

Check the references that were generated in the directories: each has an index.html, all pages have a text, and
every link to a file or to a place in it leads there. Print each fault as "file: message", then the numbers of pages and
links; exit status 1 if there are faults."""

import html.parser
import pathlib
import sys
import urllib.parse

LINKS = {'a': 'href', 'area': 'href', 'link': 'href', 'script': 'src', 'img': 'src', 'iframe': 'src'}
NOT_TEXT = {'script', 'style', 'title'}


class Page(html.parser.HTMLParser):
    """What a page has: its links, the places that links may lead to, and the length of its text."""

    def __init__(self, path):
        super().__init__()
        self.links, self.places, self.length, self.inside = [], set(), 0, []
        self.feed(path.read_text(encoding='utf-8'))
        self.close()

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.places |= {values[name] for name in ('id', 'name') if values.get(name)}
        if values.get(LINKS.get(tag)):
            self.links.append(values[LINKS[tag]])
        if tag in NOT_TEXT:
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data):
        if not self.inside:
            self.length += len(data.strip())


def faults_of_link(path, link, pages):
    url = urllib.parse.urlsplit(link)
    if url.scheme or url.netloc:
        return
    target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
    if target.is_dir():
        target /= 'index.html'
    place = urllib.parse.unquote(url.fragment)
    if not target.is_file():
        yield f'{link}: expected a file'
    elif place and target in pages and place not in pages[target].places:
        yield f'{link}: expected this place in {target.name}'


def faults_of_page(path, pages):
    if not pages[path].length:
        yield 'expected a text'
    for link in sorted({*pages[path].links}):
        yield from faults_of_link(path, link, pages)


def main():
    if not sys.argv[1:]:
        sys.exit('check.py: expected directories')
    found = False
    for directory in map(pathlib.Path, sys.argv[1:]):
        pages = {path: Page(path) for path in sorted(directory.resolve().rglob('*.html'))}
        faults = [f'{path}: {fault}' for path in pages for fault in faults_of_page(path, pages)]
        if not (directory / 'index.html').is_file():
            faults.append(f'{directory}: expected index.html')
        found = found or bool(faults)
        print(*faults, sep='\n', end='\n' * bool(faults))
        links = sum(len(page.links) for page in pages.values())
        print(f'{directory.name}: {len(pages)} pages, {links} links, {len(faults)} faults')
    sys.exit(found)


main()
