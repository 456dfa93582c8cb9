/* What several commands read from their command lines. */
#ifndef NK_ARGUMENTS_H
#define NK_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

/* Reads the decimal number given with an option ("--plies"). Complains to stderr in the name of `command` and
 * returns false when it is none or not within least..most. */
bool read_number(const char *command, const char *option, const char *text, uint64_t least, uint64_t most,
                 uint64_t *number);

/* A seed that differs from run to run. */
uint64_t fresh_seed(void);

#endif
