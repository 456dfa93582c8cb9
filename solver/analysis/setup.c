/* The steps before the first pass and after the last one. */
#include "solver/analysis/pass.h"

/* The legal positions of a row in which nobody has won. `not_won` are the columns in which the other side has not. */
static nk_lanes legal_in(const struct nk_analysis *a, const nk_lanes *occupied, nk_lanes not_won,
                         uint32_t row)
{
    return a->won[row] ? nk_no_lanes : nk_columns_avoiding(not_won, occupied, a->index->squares[row]);
}

/* Those of the legal positions of a row that have no legal move: all neighbours are occupied. */
static nk_lanes stalemates_in(const struct nk_analysis *a, const nk_lanes *occupied, nk_lanes legal,
                              uint32_t row)
{
    uint64_t left = nk_rules_neighbours(&a->index->rules, a->index->squares[row]);
    for (; left && nk_lanes_any(&legal); left &= left - 1)
        nk_lanes_and(&legal, &occupied[nk_first(left)]);
    return legal;
}

static void init_undecided(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    const nk_lanes *occupied = a->occupied + (size_t)slice * NK_MAX_SQUARES;
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    const nk_lanes not_won = nk_columns_by_win(a->index, a->share.first_slice + slice, a->won, false);
    for (uint32_t r = 0; r < a->rows; r++) {
        worker->undecided[r] = legal_in(a, occupied, not_won, r);
        next.rows[r] = stalemates_in(a, occupied, worker->undecided[r], r);
        next.nonempty[r] = nk_lanes_any(&next.rows[r]);
    }
}

static void decide_finished(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    const nk_lanes *occupied = a->occupied + (size_t)slice * NK_MAX_SQUARES;
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    const nk_lanes won = nk_columns_by_win(a->index, a->share.first_slice + slice, a->won, true);
    (void)worker;
    for (uint32_t r = 0; r < a->rows; r++) {
        next.rows[r] = a->won[r] ? nk_no_lanes : nk_columns_avoiding(won, occupied, a->index->squares[r]);
        next.nonempty[r] = nk_lanes_any(&next.rows[r]);
    }
}

static void decide_draws(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    const nk_lanes *occupied = a->occupied + (size_t)slice * NK_MAX_SQUARES;
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    const nk_lanes not_won = nk_columns_by_win(a->index, a->share.first_slice + slice, a->won, false);
    for (uint32_t r = 0; r < a->rows; r++) {
        next.rows[r] = stalemates_in(a, occupied, legal_in(a, occupied, not_won, r), r);
        nk_lanes_or(&next.rows[r], &worker->undecided[r]);
        next.nonempty[r] = nk_lanes_any(&next.rows[r]);
    }
}

const struct nk_step nk_init_undecided = {.run = init_undecided};
const struct nk_step nk_decide_finished = {.run = decide_finished};
const struct nk_step nk_decide_draws = {.run = decide_draws, .is_recorded = true, .is_last = true};
