/* The steps before the first pass and after the last one. */
#include "solver/pass.h"

#include <string.h>

static void init_undecided(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    const nk_lanes *occupied = a->occupied + (size_t)slice * NK_MAX_SQUARES;
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    nk_lanes not_won = nk_no_lanes; /* columns in which the other side has not won */
    for (uint32_t c = slice * NK_LANES; c < a->share.orbits && c < (slice + 1) * NK_LANES; c++)
        if (!a->won[a->index->orbits[a->share.first_orbit + c].images[0]])
            not_won.word[c % NK_LANES / 64] |= nk_bit(c % 64);

    for (uint32_t r = 0; r < a->rows; r++) {
        nk_lanes legal = a->won[r] ? nk_no_lanes : not_won;
        for (uint64_t left = a->index->squares[r]; left; left &= left - 1)
            nk_lanes_andnot(&legal, &occupied[nk_first(left)]);
        worker->undecided[r] = next.rows[r] = legal;
        uint64_t left = nk_rules_neighbours(&a->index->rules, a->index->squares[r]);
        for (; left && nk_lanes_any(&next.rows[r]); left &= left - 1)
            nk_lanes_and(&next.rows[r], &occupied[nk_first(left)]);
        next.nonempty[r] = nk_lanes_any(&next.rows[r]);
    }
}

static void decide_finished(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    for (uint32_t r = 0; r < a->rows; r++)
        if (next.nonempty[r])
            nk_lanes_or(&worker->undecided[r], &next.rows[r]);
    memset(next.rows, 0, a->rows * sizeof *next.rows);
    memset(next.nonempty, 0, a->rows);
    for (uint32_t c = slice * NK_LANES; c < a->share.orbits && c < (slice + 1) * NK_LANES; c++) {
        const uint32_t other = a->index->orbits[a->share.first_orbit + c].images[0];
        if (!a->won[other])
            continue;
        for (uint32_t r = 0; r < a->rows; r++) {
            if (a->won[r] || a->index->squares[r] & a->index->squares[other])
                continue;
            next.rows[r].word[c % NK_LANES / 64] |= nk_bit(c % 64);
            next.nonempty[r] = 1;
        }
    }
}

static void decide_draws(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    for (uint32_t r = 0; r < a->rows; r++) {
        next.rows[r] = worker->undecided[r];
        next.nonempty[r] = nk_lanes_any(&next.rows[r]);
    }
}

const struct nk_step nk_init_undecided = {.run = init_undecided};
const struct nk_step nk_decide_finished = {.run = decide_finished};
const struct nk_step nk_decide_draws = {.run = decide_draws};
