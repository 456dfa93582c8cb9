#!/usr/bin/env python3
"""Usage: packaging/document.py DOCUMENT NAME OUTPUT INSTALLED...

Write a document as it is installed under NAME: links to files of the project that are not among INSTALLED, the names of
all installed documents, become plain text. A picture that is not among them is an error."""

import pathlib
import posixpath
import re
import sys

LINK = re.compile(r'(!?)\[((?:[^\]\[]|\[[^\]]*\])*)\]\(([^)\s]+)\)')


def main():
    document, name, output, *installed = sys.argv[1:]

    def keep_or_drop(match):
        target = match[3].partition('#')[0]
        place = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
        if match[1] and place not in installed:
            sys.exit(f'document.py: {document} shows {place}, which is not installed: see docs/meson.build')
        return match[0] if re.match(r'\w+:', target) or not target or place in installed else match[2]

    text = pathlib.Path(document).read_text(encoding='utf-8')
    pathlib.Path(output).write_text(LINK.sub(keep_or_drop, text), encoding='utf-8')


if __name__ == '__main__':
    main()
