#!/usr/bin/env python3
"""The manual pages of the functions of libneutreeko, one for each, from their comments in the header.

functions.py list HEADER                    print the names of the functions
functions.py write HEADER DIRECTORY SCDOC   write NAME.3 for each to the directory, with the program scdoc"""

import pathlib
import re
import subprocess
import sys
import textwrap

from page import WIDTH, escaped, running

# The result and the parameters of a function that is exported or, up to its body, of one that is inline.
EXPORTED = r'NK_API ([^;{]*?\b(nk_\w+)\([^;{]*\));'
INLINE = r'static inline ([^;{]*?\b(nk_\w+)\([^;{]*\))\n\{'
GROUP = re.compile(rf'^/\* ((?:(?!\*/).)*)\*/\n((?:(?:{EXPORTED}|{INLINE})\n?)+)', re.M | re.S)
SECTION = re.compile(r'^/\* ---- [^\n]* ----(?:\n \*\n((?:(?!\*/).)*)| )\*/', re.M | re.S)
FUNCTION = re.compile(rf'{EXPORTED}|{INLINE}', re.S)


def wrapped(prototype):
    """The lines of a prototype, which is broken between parameters only."""
    begin, parameters = ' '.join(prototype.split()).split('(', 1)
    whole = re.sub('(?<!,) ', '\0', f'{begin}({parameters}')
    found = textwrap.wrap(whole, WIDTH, subsequent_indent=' ' * min(len(begin) + 1, 30))
    return [line.replace('\0', ' ') for line in found]


def lines_of(comment):
    return [re.sub(r'^ \* ?', '', line).rstrip() for line in comment.rstrip().splitlines()]


def groups(header):
    """For each comment on functions: its lines, those that introduce its section, and the names and prototypes of the
    functions by name."""
    text = pathlib.Path(header).read_text(encoding='utf-8')
    sections = list(SECTION.finditer(text))
    for group in GROUP.finditer(text):
        section = [found for found in sections if found.start() < group.start()][-1]
        prototypes = {one or two: wrapped((exported or inline) + ';')
                      for exported, one, inline, two in FUNCTION.findall(group[2])}
        yield lines_of(group[1]), lines_of(section[1] or ''), prototypes


def first_sentence(lines):
    text = re.split(r'[.:](?: |$)', ' '.join(lines))[0]
    return text if text.startswith('"') else text[0].lower() + text[1:]


def page(name, lines, section, prototypes, known):
    mentioned = set(re.findall(r'\bnk_\w+', ' '.join(lines))) & known | prototypes.keys()
    others = ''.join(f', *{escaped(other)}*(3)' for other in sorted(mentioned - {name}))
    notes = f'# NOTES\n\n{running(section)}' if section else ''
    synopsis = [f'  {line}' for prototype in prototypes.values() for line in prototype]
    return f'''{name}(3) "" "Neutreeko"

# NAME

{', '.join(escaped(function) for function in prototypes)} - {escaped(first_sentence(lines))}

# SYNOPSIS

*#include <neutreeko.h>*

{running(synopsis)}# DESCRIPTION

{running(lines)}{notes}# SEE ALSO

*libneutreeko*(3){others}
'''


def main():
    command, header, *rest = sys.argv[1:]
    found = list(groups(header))
    known = {name for *_, prototypes in found for name in prototypes}
    if command == 'list':
        print(*sorted(known), sep='\n')
        return
    directory, scdoc = rest
    for lines, section, prototypes in found:
        for name in prototypes:
            text = page(name, lines, section, prototypes, known)
            done = subprocess.run([scdoc], input=text, check=True, capture_output=True, text=True)
            pathlib.Path(directory, f'{name}.3').write_text(done.stdout, encoding='utf-8')


if __name__ == '__main__':
    main()
