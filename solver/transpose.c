/* The transposition of `next`, by mover, into `frontier`, by other (see analysis.h). */
#include "solver/pass.h"

#include "solver/comm.h"

#include <assert.h>
#include <string.h>

/* With fewer words than this in a block of 64 x 64 bits, copying single bits is faster than transposing the block. */
enum { FEW_WORDS = 16 };

/* Transposes a block of bits: bit j of word i becomes bit i of word j. Swaps quarters of ever smaller blocks. */
NK_INLINE void transpose_block(uint64_t block[64])
{
    uint64_t low = UINT32_MAX;
    for (uint32_t size = 32; size; size /= 2, low ^= low << size)
        for (uint32_t top = 0; top < 64; top += 2 * size)
            for (uint32_t i = top; i < top + size; i++) {
                const uint64_t swap = (block[i] >> size ^ block[i + size]) & low;
                block[i] ^= swap << size;
                block[i + size] ^= swap;
            }
}

/* Atomic, since threads that fill other words of the same row set the same flag. */
NK_INLINE void set_flag(uint8_t *flag)
{
    __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
}

/* A column word of `frontier`: 64 orbits of the mover, or fewer at the end. */
struct target {
    uint64_t *word; /* of row 0 */
    uint8_t *nonempty;
    uint32_t orbits;
};

/* Transposes the rows of a source for one image of each orbit's canonical configuration. rows[i] is the row of that
 * image of orbit i, and `symmetry` takes the image to the canonical configuration. */
NK_INLINE void transpose_source(const struct nk_index *index, const struct nk_source *source,
                                const uint32_t rows[64], int symmetry, const struct target *target)
{
    const uint64_t *from[64] = {0}; /* the rows that are not empty */
    uint8_t column[64] = {0};       /* their bits in the target's word */
    uint32_t filled = 0;
    for (uint32_t i = 0; i < target->orbits; i++) {
        from[filled] = source->rows[rows[i]].word;
        column[filled] = (uint8_t)i;
        filled += source->nonempty[rows[i]] != 0;
    }
    assert(filled <= target->orbits);
    for (uint32_t w = 0; filled && w < NK_LANE_WORDS; w++) {
        uint64_t block[64] = {0}, columns = 0;
        uint32_t words = 0;
        for (uint32_t i = 0; i < filled; i++) {
            columns |= block[column[i]] = from[i][w];
            words += from[i][w] != 0;
        }
        if (!columns)
            continue;
        const struct nk_orbit *others = &index->orbits[((size_t)source->slice * NK_LANE_WORDS + w) * 64];
        if (words < FEW_WORDS) {
            for (uint32_t i = 0; i < filled; i++)
                for (uint64_t left = from[i][w]; left; left &= left - 1) {
                    const uint32_t other = others[nk_first(left)].images[symmetry];
                    target->word[(size_t)other * NK_LANE_WORDS] |= nk_bit(column[i]);
                    set_flag(&target->nonempty[other]);
                }
            continue;
        }
        transpose_block(block);
        for (; columns; columns &= columns - 1) {
            const uint32_t other = others[nk_first(columns)].images[symmetry];
            target->word[(size_t)other * NK_LANE_WORDS] |= block[nk_first(columns)];
            set_flag(&target->nonempty[other]);
        }
    }
}

/* Transposes a->sources into one column word of `frontier`. */
NK_INLINE void transpose(void *context, uint32_t word, int worker, int vector_bytes)
{
    (void)worker, (void)vector_bytes;
    const struct nk_analysis *a = context;
    const struct nk_index *index = a->index;
    const struct nk_orbit *movers = &index->orbits[a->share.first_orbit + word * 64];
    const uint32_t left = a->share.orbits - word * 64;
    const uint32_t *local_row =
        a->exchange.local_row; /* NULL in a single process, whose rows are configurations */
    const size_t first = (size_t)(word / NK_LANE_WORDS) * a->rows;
    const struct target target = {(uint64_t *)(a->frontier + first) + word % NK_LANE_WORDS,
                                  a->frontier_nonempty + first, left < 64 ? left : 64};
    /* All symmetries, even if several take the same configuration to the canonical one: they take the configuration
     * of the other side to different ones. */
    for (int g = 0; g < index->rules.symmetries; g++) {
        uint32_t rows[64] = {0};
        for (uint32_t i = 0; i < target.orbits; i++)
            rows[i] = local_row ? local_row[movers[i].images[g]] : movers[i].images[g];
        for (uint32_t s = 0; s < a->source_count; s++)
            transpose_source(index, &a->sources[s], rows, index->rules.inverse[g], &target);
    }
}

NK_DEFINE_KERNELS(nk_transpose, transpose)

static void clear_frontier(void *context, uint32_t slice, int worker)
{
    (void)worker;
    struct nk_analysis *a = context;
    memset(a->frontier + (size_t)slice * a->rows, 0, a->rows * sizeof *a->frontier);
    memset(a->frontier_nonempty + (size_t)slice * a->rows, 0, a->rows);
}

void nk_transpose_frontier(struct nk_analysis *a)
{
    const uint32_t words = (a->share.orbits + 63) / 64;
    const bool is_single = nk_comm_size() == 1;
    const uint32_t rounds = is_single ? 1 : nk_exchange_rounds(&a->exchange);
    nk_parallel(a->threads, a->share.slices, clear_frontier, a);
    for (uint32_t round = 0; round < rounds; round++) {
        if (is_single) {
            a->sources = a->own_sources;
            a->source_count = a->share.slices;
        } else {
            const struct nk_source *own = round < a->share.slices ? &a->own_sources[round] : NULL;
            a->sources = a->exchange.sources;
            a->source_count = (uint32_t)nk_exchange_round(&a->exchange, round, own ? own->rows : NULL,
                                                          own ? own->nonempty : NULL);
        }
        nk_parallel(a->threads, words, a->kernels->transpose, a);
    }
}
