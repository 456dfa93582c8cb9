/* What the fuzz targets share. Each target is a function that libFuzzer calls with bytes of its choice;
 * replay.c makes an ordinary program of it that takes them from files. A target ends the program when a
 * property does not hold. */
#ifndef FUZZ_H
#define FUZZ_H

#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Bytes to be freed, just as many as there are, so that a sanitizer sees who reads beyond. */
static inline uint8_t *copy_of(const void *data, size_t size)
{
    uint8_t *bytes = malloc(size ? size : 1);
    CHECK(bytes);
    return size ? memcpy(bytes, data, size) : bytes;
}

/* Whether a status is an error. It is then one of `allowed`, of which each is a bit, at a character of a text of
 * `length` characters, at its end or at none, and its text is one line of plain characters. */
static inline bool has_failed(enum nk_status status, const struct nk_error *error, unsigned allowed,
                              size_t length)
{
    if (!status)
        return false;
    CHECK((1U << status & allowed));
    CHECK(error->status == status);
    CHECK(error->text[0]);
    CHECK(error->at <= length + 1);
    for (const char *c = error->text; *c; c++) {
        CHECK(*c >= ' ');
        CHECK(*c <= '~');
    }
    return true;
}

/* The rules of one of at most 8 boards, which are always the same. */
static inline const struct nk_rules *choose_rules(uint8_t choice, const struct nk_board boards[],
                                                  size_t count)
{
    static struct nk_rules made[8];
    struct nk_rules *rules = &made[choice % count];
    if (!rules->board.width)
        *rules = rules_of(boards[choice % count]);
    return rules;
}

/* What takes long is done for one input in so many, in addition to what is done for all; a replay does it for
 * each, so whatever a fuzzer finds can be seen again. */
static inline bool is_chosen(const uint8_t *data, size_t size, unsigned one_in)
{
#ifdef NK_REPLAY
    (void)data;
    (void)size;
    (void)one_in;
    return true;
#else
    return XXH3_64bits(data, size) % one_in == 0;
#endif
}

#endif
