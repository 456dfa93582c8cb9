/* Rows of bits. A set of positions is a bit matrix with one row for every configuration of one side, and one column for
 * every orbit of configurations of the other side. Columns are divided into slices of NK_SLICE_COLUMNS; a nk_row_bits
 * is one row of a slice. */
#ifndef NK_ROW_BITS_H
#define NK_ROW_BITS_H

#include "common/game/index.h"

#include <stdbool.h>
#include <stdint.h>

enum { NK_SLICE_COLUMNS = 512, NK_ROW_WORDS = NK_SLICE_COLUMNS / 64 };

/* A bit for each column of a slice. */
typedef struct {
    _Alignas(NK_SLICE_COLUMNS / 8) uint64_t word[NK_ROW_WORDS];
} nk_row_bits;

static const nk_row_bits nk_no_bits = {{0}};

/* The slices of a whole matrix. */
static inline uint32_t nk_slice_count(const struct nk_index *index)
{
    return (index->orbit_count + NK_SLICE_COLUMNS - 1) / NK_SLICE_COLUMNS;
}

static inline void nk_row_and(nk_row_bits *bits, const nk_row_bits *mask)
{
    for (int w = 0; w < NK_ROW_WORDS; w++)
        bits->word[w] &= mask->word[w];
}

static inline void nk_row_andnot(nk_row_bits *bits, const nk_row_bits *mask)
{
    for (int w = 0; w < NK_ROW_WORDS; w++)
        bits->word[w] &= ~mask->word[w];
}

static inline void nk_row_or(nk_row_bits *bits, const nk_row_bits *more)
{
    for (int w = 0; w < NK_ROW_WORDS; w++)
        bits->word[w] |= more->word[w];
}

/* Whether any bit is set. */
static inline bool nk_row_any(const nk_row_bits *bits)
{
    uint64_t any = 0;
    for (int w = 0; w < NK_ROW_WORDS; w++)
        any |= bits->word[w];
    return any;
}

#endif
