#!/usr/bin/env python3
"""Usage: doxygen_filter.py HEADER

Print a header as Doxygen reads it. In the header, plain comments describe what follows them, up to the next blank line,
or the member before them; a heading such as "---- rules ----" begins a group."""

import re
import sys

with open(sys.argv[1], encoding='utf-8') as file:
    text = file.read()
# Names with an asterisk are not emphasised; the lines that are indented more are code.
text = re.sub(r'^( \*|/\*) ?(?! {4}).*', lambda line: re.sub(r'(?<=[ (])\*(?=\w)', r'\\*', line[0]), text, flags=re.M)
# What only the header uses.
text = re.sub(r'^#if defined\(__GNUC__\)\n(?s:.*?)^#endif\n\n|^#define NK_QUOTE.*\n', '', text, flags=re.M)
out, in_group = [], False
for paragraph in text.split('\n\n'):
    heading = re.match(r'/\* ---- (?:the )?(\w+)(.*?) ----(.*)\*/$', paragraph, re.S)
    if heading:
        title = (heading[1] + heading[2]).capitalize() + heading[3]
        out.append('/** @} */' * in_group + f'/** @defgroup {heading[1]} {title}\n@{{ */')
        in_group = True
        continue
    if '#endif' in paragraph and in_group:
        paragraph, in_group = f'/** @}} */ {paragraph}', False
    paragraph = re.sub(
        r'^( *)/\* (libneutreeko: )?',
        lambda match: f'{match[1]}/** ' + '@file\n * @brief ' * bool(match[2]),
        paragraph,
        flags=re.M,
    )
    paragraph = re.sub(r'(?<=[\w;,{}])(\s+)/\*\*? ', r'\1/**< ', paragraph)
    comment, end, rest = paragraph.partition('*/\n')
    several = any(rest.startswith(begin) and rest.count(begin) > 1 for begin in ('NK_API', '#define'))
    if comment.startswith('/** ') and several:
        paragraph = f'{comment}*/\n/** @{{ */\n{rest}\n/** @}} */'
    out.append(paragraph)
print('\n\n'.join(out), end='')
