#!/usr/bin/env python3
"""Usage: packaging/man/page.py NAME MORE PROGRAM [COMMAND]

Print the manual page of a program or of a command of neutreeko in the language of scdoc. Its text comes from the help
text, which the program prints from the table that it parses options with, and from the file MORE, whose sections
continue those of the same name or come before the last ones; MORE may be missing."""

import pathlib
import re
import subprocess
import sys
import textwrap

WIDTH = 69  # of literal lines, with which a page has 80 columns
LAST = ['EXIT STATUS', 'ENVIRONMENT', 'FILES', 'EXAMPLES', 'SEE ALSO']


def escaped(text):
    return re.sub(r'([\\_*+.#~`<>[-])', r'\\\1', text)


def inline(text):
    """Running text, with options in bold."""
    return re.sub(r"(?<![\w-])(\\-\\-[a-z\\-]*[a-z])", r'*\1*', escaped(text))


def synopsis(usage, name):
    def word(match):
        return f'_{match[0]}_' if match[0].isupper() else f'*{escaped(match[0])}*'
    return f'*{escaped(name)}*' + re.sub(r'-|[A-Za-z]+', word, usage.removeprefix(name).replace('...', r'\.\.\.'))


def label(text):
    """The left part of an entry: "-o, --output FILE" or "minimax:N"."""
    def word(match):
        return f'_{escaped(match[0])}_' if match.start() and not match[0].startswith('-') else f'*{escaped(match[0])}*'
    return re.sub(r'[^ ,]+', word, text)


def entries(lines):
    """The entries of a list with two columns: pairs of a label and a text."""
    found = []
    for line in lines:
        match = re.match(r' {2,6}(\S.*?)(?: {2,}(.*))?$', line)
        if match and len(line) - len(line.lstrip()) <= 6:
            found.append([match[1], match[2] or ''])
        else:
            found[-1][1] += ' ' + line.strip()
    return ''.join(f'{label(name)}\n\t{inline(text.strip())}\n\n' for name, text in found)


def pages(text):
    """The list of commands, each as the name of its page."""
    return re.sub(r'^\*([a-z]+)\*$', r'*neutreeko\-\1*(1)', text, flags=re.M)


def narrow(line):
    """A literal line as several of at most WIDTH columns: what follows its first wide gap is wrapped as a column."""
    column = re.match(r'( *\S.*?\S {2,})?', line).end()
    return textwrap.wrap(line, WIDTH, subsequent_indent=' ' * column, break_long_words=False) or ['']


def running(lines):
    """Paragraphs and, where lines are indented, literal text."""
    out, literal = [], False
    for line in lines:
        if line.startswith('  ') != literal:
            literal = not literal
            out.append('```' if not literal else '\n```')
            if not literal:
                out.append('')
        out += [short.replace('\\', '\\\\') for short in narrow(line[2:])] if literal else [inline(line)]
    return '\n'.join(out + (['```'] if literal else [])) + '\n\n'


def parse_help(text):
    """The sections of the page by heading, without NAME."""
    sections = {'SYNOPSIS': '', 'DESCRIPTION': ''}
    usage, *lines = text.splitlines()
    sections['SYNOPSIS'] = usage.removeprefix('Usage: ')
    rest = 'DESCRIPTION'
    for part in re.split(r'\n\n', '\n'.join(lines)):
        first, *others = part.splitlines()
        is_list = others and all(line.startswith('  ') for line in others)
        if is_list and re.fullmatch('(?:[A-Z][a-z]+ o|O)ptions:', first):
            title = f'## {first[:-1]}\n\n' if first != 'Options:' else ''
            sections['OPTIONS'] = sections.get('OPTIONS', '') + title + entries(others)
            rest = 'NOTES'
        elif first == 'Examples:':
            sections['EXAMPLES'] = running(others)
        elif is_list and re.fullmatch('[A-Z][a-z]+:', first):
            sections[first[:-1].upper()] = entries(others)
        elif first.startswith('Exit status: '):
            sections['EXIT STATUS'] = running([first.removeprefix('Exit status: '), *others])
        else:
            sections[rest] = sections.get(rest, '') + running([first, *others])
    return sections


def main():
    name, more, program, *command = sys.argv[1:]
    def shown(*words):
        return subprocess.run([program, *words, '--help'], check=True, capture_output=True, text=True).stdout
    text = shown(*command)
    if command:
        about = re.search(rf'^  {command[0]} +(.*(?:\n {{6,}}.*)*)', shown(), re.M)[1]
    else:
        about = text.split('\n', 1)[1].split('.\n', 1)[0]
    about = ' '.join(about.split())
    sections = {'NAME': f'{escaped(name)} - {escaped(about[0].lower() + about[1:])}\n\n', **parse_help(text)}
    if not command and 'COMMANDS' in sections:
        sections['COMMANDS'] = pages(sections['COMMANDS'])
    called = ' '.join(['neutreeko', *command]) if command else name
    sections['SYNOPSIS'] = synopsis(sections['SYNOPSIS'], called) + '\n\n'
    if command:
        sections['SEE ALSO'] = '*neutreeko*(1)\n\n'
    if pathlib.Path(more).exists():
        added = pathlib.Path(more).read_text(encoding='utf-8')
        for title, body in re.findall(r'^# ([A-Z ]+)\n\n(.*?)(?=^# |\Z)', added, re.M | re.S):
            sections[title] = sections.get(title, '') + body.rstrip('\n') + '\n\n'
    order = [title for title in sections if title not in LAST] + [title for title in LAST if title in sections]
    print(f'{name.upper()}(1) "" "Neutreeko"\n')
    for title in order:
        print(f'# {title}\n\n{sections[title]}', end='')


if __name__ == '__main__':
    main()
