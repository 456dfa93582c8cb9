"""Writes the C code of the module neutreeko._native: cdef.py HEADER OUTPUT."""

import re
import sys

import cffi

header, output = sys.argv[1:]
with open(header, encoding='utf-8') as file:
    text = file.read()
text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
text = re.sub(r'^#ifdef __cplusplus.*?^#endif', '', text, flags=re.M | re.S)
text = re.sub(r'^#.*\n', '', text, flags=re.M)
text = re.sub(r'^static inline .*?^}', '', text, flags=re.M | re.S)
text = text.replace('NK_API ', '')
text = re.sub(r'\[NK_\w+\](?=[,)])', '[]', text)  # of parameters, in which the size has no effect
text = re.sub(r'(NK_\w+) = [^,}\n]*NK_[^,}\n]*', r'\1 = ...', text)  # the compiler computes these
text += '\nvoid free(void *);\n'
text += 'extern "Python" bool on_solve_progress(void *, const struct nk_solve_state *);\n'

builder = cffi.FFI()
builder.cdef(text)
builder.set_source('neutreeko._native', '#include <stdlib.h>\n#include <neutreeko.h>\n')
builder.emit_c_code(output)
