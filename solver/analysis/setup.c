/* The steps before the first pass and after the last one. */
#include "solver/analysis/pass.h"

static void init_undecided(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    const nk_lanes *occupied = a->occupied + (size_t)slice * NK_MAX_SQUARES;
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    const nk_lanes not_won = nk_columns_by_win(a->index, a->share.first_slice + slice, a->won, false);
    for (uint32_t r = 0; r < a->rows; r++) {
        const nk_lanes legal =
            a->won[r] ? nk_no_lanes : nk_columns_avoiding(not_won, occupied, a->index->squares[r]);
        worker->undecided[r] = next.rows[r] = legal;
        uint64_t left = nk_rules_neighbours(&a->index->rules, a->index->squares[r]);
        for (; left && nk_lanes_any(&next.rows[r]); left &= left - 1)
            nk_lanes_and(&next.rows[r], &occupied[nk_first(left)]);
        next.nonempty[r] = nk_lanes_any(&next.rows[r]);
    }
}

static void decide_finished(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    const nk_lanes *occupied = a->occupied + (size_t)slice * NK_MAX_SQUARES;
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    const nk_lanes won = nk_columns_by_win(a->index, a->share.first_slice + slice, a->won, true);
    for (uint32_t r = 0; r < a->rows; r++) {
        if (next.nonempty[r])
            nk_lanes_or(&worker->undecided[r], &next.rows[r]);
        next.rows[r] = a->won[r] ? nk_no_lanes : nk_columns_avoiding(won, occupied, a->index->squares[r]);
        next.nonempty[r] = nk_lanes_any(&next.rows[r]);
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
const struct nk_step nk_decide_draws = {.run = decide_draws, .is_recorded = true, .is_last = true};
