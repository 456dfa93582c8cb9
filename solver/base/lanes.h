/* Rows of bits. A set of positions is a bit matrix with one row for every configuration of one side, and one column for
 * every orbit of configurations of the other side. Columns are divided into slices of NK_LANES; a nk_lanes is one row
 * of a slice. */
#ifndef NK_LANES_H
#define NK_LANES_H

#include "common/game/index.h"

#include <stdbool.h>
#include <stdint.h>

enum { NK_LANES = 512, NK_LANE_WORDS = NK_LANES / 64 };

/* A bit for each column of a slice. */
typedef struct {
    _Alignas(NK_LANES / 8) uint64_t word[NK_LANE_WORDS];
} nk_lanes;

static const nk_lanes nk_no_lanes = {{0}};

/* The slices of a whole matrix. */
static inline uint32_t nk_slice_count(const struct nk_index *index)
{
    return (index->orbit_count + NK_LANES - 1) / NK_LANES;
}

static inline void nk_lanes_and(nk_lanes *lanes, const nk_lanes *mask)
{
    for (int w = 0; w < NK_LANE_WORDS; w++)
        lanes->word[w] &= mask->word[w];
}

static inline void nk_lanes_andnot(nk_lanes *lanes, const nk_lanes *mask)
{
    for (int w = 0; w < NK_LANE_WORDS; w++)
        lanes->word[w] &= ~mask->word[w];
}

static inline void nk_lanes_or(nk_lanes *lanes, const nk_lanes *more)
{
    for (int w = 0; w < NK_LANE_WORDS; w++)
        lanes->word[w] |= more->word[w];
}

/* Whether any bit is set. */
static inline bool nk_lanes_any(const nk_lanes *lanes)
{
    uint64_t any = 0;
    for (int w = 0; w < NK_LANE_WORDS; w++)
        any |= lanes->word[w];
    return any;
}

#endif
