/* A conversation with another program, line by line. docs/engine.md is its specification. */
#ifndef NK_ENGINE_H
#define NK_ENGINE_H

#include "common/table.h"

#include <stdio.h>

/* Answers the lines of `in` on `out`, each at once, until `quit` or the end. The same seed and lines get the
 * same answers. NK_E_READ, NK_E_WRITE, NK_E_MEMORY, with the reason in *error (may be NULL). */
enum nk_status nk_engine_converse(struct nk_table *table, uint64_t seed, FILE *in, FILE *out,
                                  struct nk_error *error);

#endif
