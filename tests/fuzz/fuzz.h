/* What the fuzz targets share. Each target is a function that libFuzzer calls with bytes of its choice;
 * replay.c makes an ordinary program of it that takes them from files. A target ends the program when a
 * property does not hold. */
#ifndef FUZZ_H
#define FUZZ_H

#include "common/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))

_Noreturn static inline void fuzz_fail(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The text of an error is one line of plain characters. */
static inline void check_error(const struct nk_error *error, enum nk_status status)
{
    CHECK(error->status == status && error->text[0]);
    for (const char *c = error->text; *c; c++)
        CHECK(*c >= ' ' && *c <= '~');
}

/* What takes long is done for one input in so many, in addition to what is done for all; a replay does it for
 * each, so whatever a fuzzer finds can be seen again. */
static inline bool is_thorough(const uint8_t *data, size_t size, unsigned one_in)
{
#ifdef NK_REPLAY
    (void)data, (void)size, (void)one_in;
    return true;
#else
    return XXH3_64bits(data, size) % one_in == 0;
#endif
}

#endif
