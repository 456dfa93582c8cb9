/* The engine protocol, specified in docs/FORMATS.md: another program sends commands, the engine answers. */
#ifndef NK_ENGINE_H
#define NK_ENGINE_H

#include "common/table/lookup.h"

#include <stdio.h>

/* Reads commands from the file descriptor `in` and writes the answers to `out`, flushing them after each command, until
 * `quit` or the end of the input. The same seed and commands give the same answers. NK_E_READ, NK_E_WRITE or
 * NK_E_MEMORY, with the reason in *error (may be NULL); an error in a command is an answer, not a failure. */
enum nk_status nk_engine_run(struct nk_table *table, uint64_t seed, int in, FILE *out,
                             struct nk_error *error);

#endif
