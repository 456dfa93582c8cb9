"""Bundles the page, its styles and scripts, the WebAssembly module and the table into one file.

Usage: python3 bundle.py --page FILE --wasm FILE --table FILE --output FILE [--depfile FILE]

Replaces <link rel="stylesheet" href="x.css"> and <script type="module" src="x.js"></script> in the page by the content
of these files. A page opened from a file may not import modules, so all modules become one script: each one except the
first is a function that returns its exports. Supported are, at the beginning of a line,

    import { a, b } from './x.js';
    export function a    export async function a    export class a    export const a

All other imports and exports are errors, and so are circular imports. A Content-Security-Policy allows only these
scripts and styles, and no requests.
"""

import argparse
import base64
import hashlib
import os
import re
import zlib

IMPORT = re.compile(r"^import\s+(\{[\w\s,]+\})\s+from\s+'(\./[^']+)';$", re.M)
EXPORT = re.compile(r'^export\s+((?:async\s+)?function|class|const)\s+(\w+)', re.M)
UNSUPPORTED = re.compile(r'^(?:import\b(?!\()|export\b).*', re.M)

STYLE = re.compile(r'<link\s+rel="stylesheet"\s+href="([^"]+)"\s*/?>')
SCRIPT = re.compile(r'<script\s+type="module"\s+src="([^"]+)"\s*></script>')
CHARSET = re.compile(r'<meta\s+charset="utf-8"\s*/?>', re.I)


class BundleError(Exception):
    pass


class Reader:
    """Reads files and records their paths."""

    def __init__(self):
        self.paths = []

    def bytes(self, path):
        self.paths.append(path)
        with open(path, 'rb') as file:
            return file.read()

    def text(self, path):
        return self.bytes(path).decode('utf-8').replace('\r\n', '\n')


class Modules:
    """Combines a module and all its imports into one script. Each module follows its own imports."""

    def __init__(self, reader, first):
        self.reader = reader
        self.variables = {}  # by path: the variable that contains the exports of the module
        self.script = ''
        self.importers = []  # the modules that are being read
        body, _ = self.read(first)
        self.script += body

    def read(self, path):
        """Returns the text of the module without imports and exports, and the names of the exports."""
        if path in self.importers:
            raise BundleError(f'{path} imports itself: ' + ' -> '.join(self.importers))
        self.importers.append(path)
        text = self.reader.text(path)
        names = [match[2] for match in EXPORT.finditer(text)]
        text = EXPORT.sub(r'\1 \2', text)
        text = IMPORT.sub(lambda match: f'const {match[1]} = {self.variable_of(path, match[2])};', text)
        unsupported = UNSUPPORTED.search(text)
        if unsupported:
            raise BundleError(f'{path}: cannot bundle "{unsupported[0]}"; see bundle.py for the supported forms')
        self.importers.pop()
        return text, names

    def variable_of(self, importer, name):
        path = os.path.normpath(os.path.join(os.path.dirname(importer), name))
        if path not in self.variables:
            body, names = self.read(path)
            variable = self.variables[path] = f'module{len(self.variables)}'
            self.script += f'const {variable} = (() => {{\n{body}return {{ {", ".join(names)} }};\n}})();\n'
        return self.variables[path]


def inline(text, what):
    """Returns the text and its checksum for the policy, which covers everything between the tags."""
    if re.search(r'</(?:script|style)|<!--', text, re.I):
        raise BundleError(f'{what} contains "</script", "</style" or "<!--", which would end the element')
    return text, "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def find(pattern, page, path):
    found = list(pattern.finditer(page))
    if len(found) != 1:
        raise BundleError(f'{path}: found {len(found)} times, expected once: {pattern.pattern}')
    return found[0]


def data(name, content):
    return f'<script type="text/plain" id="{name}">{base64.b64encode(content).decode()}</script>\n'


def bundle(reader, page_path, wasm_path, table_path):
    folder = os.path.dirname(page_path)
    page = reader.text(page_path)
    style_name, script_name = find(STYLE, page, page_path)[1], find(SCRIPT, page, page_path)[1]
    style, style_hash = inline('\n' + reader.text(os.path.join(folder, style_name)), style_name)
    script, script_hash = inline('\n' + Modules(reader, os.path.join(folder, script_name)).script, script_name)
    policy = ("default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
              f"script-src 'wasm-unsafe-eval' {script_hash}; style-src {style_hash}")
    replacements = {
        CHARSET: f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{policy}">',
        STYLE: f'<style>{style}</style>',
        SCRIPT: data('neutreeko-wasm', zlib.compress(reader.bytes(wasm_path), 9)) +
                data('neutreeko-table', reader.bytes(table_path)) + f'<script type="module">{script}</script>',
    }
    for pattern, replacement in replacements.items():
        match = find(pattern, page, page_path)
        page = page[:match.start()] + replacement + page[match.end():]
    return page


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    for option in '--page', '--wasm', '--table', '--output':
        parser.add_argument(option, required=True)
    parser.add_argument('--depfile')
    arguments = parser.parse_args()
    reader = Reader()
    try:
        page = bundle(reader, arguments.page, arguments.wasm, arguments.table)
    except (BundleError, OSError) as error:
        raise SystemExit(f'bundle.py: {error}') from None
    with open(arguments.output, 'w', encoding='utf-8', newline='\n') as file:
        file.write(page)
    if arguments.depfile:
        with open(arguments.depfile, 'w', encoding='utf-8') as file:
            file.write(f'{arguments.output}: ' + ' '.join(path.replace(' ', r'\ ') for path in reader.paths) + '\n')


main()
