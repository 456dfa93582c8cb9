#include "solver/pass.h"

#include "solver/comm.h"
#include "solver/kernel.h"
#include "solver/mapping.h"

#include <string.h>

struct run {
    struct nk_analysis *a;
    nk_step *step;
    uint8_t code;
};

static uint32_t slice_in_order(const struct nk_analysis *a, uint32_t item)
{
    return a->is_backward ? a->share.slices - 1 - item : item;
}

/* Begins to read a slice of the sets that are in files. `almost_win` is for losses only. */
static void prefetch(const struct nk_analysis *a, uint32_t slice, uint8_t code)
{
    nk_map_prefetch(nk_rows_of(a, &a->undecided, slice), a->rows * sizeof(nk_lanes));
    if (code != NK_CODE_WIN)
        nk_map_prefetch(nk_rows_of(a, &a->almost_win, slice), a->rows * sizeof(nk_lanes));
}

static void run_slice(void *context, uint32_t item, int worker)
{
    const struct run *run = context;
    const uint32_t slice = slice_in_order(run->a, item), ahead = item + (uint32_t)run->a->threads;
    if (run->a->has_set_files && ahead < run->a->share.slices)
        prefetch(run->a, slice_in_order(run->a, ahead), run->code);
    const struct nk_bitset next = nk_slice_of(run->a, &run->a->next, slice);
    run->step(run->a, slice, &run->a->workers[worker], run->code);
    run->a->decided[slice] = run->a->kernel->decide(run->a, slice, &run->a->examples[slice]);
    if (run->code != NK_CODE_WIN)
        nk_log_append(run->a->log, run->code, run->a->share.first_slice + slice, next.rows, next.nonempty);
}

uint64_t nk_run_step(struct nk_analysis *a, nk_step *step, uint8_t code)
{
    uint64_t decided = 0;
    nk_parallel(a->threads, a->share.slices, run_slice, &(struct run){a, step, code});
    a->is_backward = !a->is_backward; /* the page cache still has some of the slices at this end */
    a->example = UINT64_MAX;
    for (uint32_t s = 0; s < a->share.slices; s++) {
        decided += a->decided[s];
        a->example = a->examples[s] < a->example ? a->examples[s] : a->example;
    }
    a->example = nk_comm_min(a->example);
    nk_comm_sum(&decided, 1);
    return decided;
}

static void clear_frontier(void *context, uint32_t slice, int worker)
{
    (void)worker;
    const struct nk_analysis *a = context;
    const struct nk_bitset frontier = nk_slice_of(a, &a->frontier, slice);
    for (uint32_t r = 0; r < a->rows; r++)
        if (frontier.nonempty[r])
            frontier.rows[r] = nk_no_lanes;
    memset(frontier.nonempty, 0, a->rows);
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
        nk_parallel(a->threads, words, a->kernel->transpose, a);
    }
}
