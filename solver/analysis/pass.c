#include "solver/analysis/pass.h"

#include <assert.h>
#include <string.h>

struct run {
    struct nk_analysis *a;
    const struct nk_step *step;
    uint8_t code; /* of what a recorded step decides */
};

static uint32_t slice_in_order(const struct nk_analysis *a, uint32_t item)
{
    return a->is_backward ? a->share.slices - 1 - item : item;
}

/* Loads the rows that a step uses. */
static enum nk_status load(const struct run *run, uint32_t slice, struct nk_worker *worker,
                           struct nk_error *error)
{
    const struct nk_analysis *a = run->a;
    enum nk_status status =
        nk_sliced_set_load(&a->undecided, slice, worker->undecided_buffer, &worker->undecided, error);
    if (!status && run->step->uses_almost_win)
        status =
            nk_sliced_set_load(&a->almost_win, slice, worker->almost_win_buffer, &worker->almost_win, error);
    return status;
}

/* Stores the rows that a step may have changed. */
static enum nk_status store(const struct run *run, uint32_t slice, const struct nk_worker *worker,
                            struct nk_error *error)
{
    const struct nk_analysis *a = run->a;
    const bool is_pass = run->step->is_pass;
    if (run->step->is_last)
        return NK_OK;
    enum nk_status status =
        nk_sliced_set_store(&a->undecided, slice, worker->undecided,
                            is_pass ? nk_slice_of(a, &a->next, slice).nonempty : NULL, error);
    if (!status && run->step->uses_almost_win)
        status = nk_sliced_set_store(&a->almost_win, slice, worker->almost_win,
                                     is_pass ? nk_slice_of(a, &a->frontier, slice).nonempty : NULL, error);
    return status;
}

static void run_slice(void *context, uint32_t item, int thread)
{
    const struct run *run = context;
    struct nk_analysis *a = run->a;
    struct nk_worker *worker = &a->workers[thread];
    struct nk_error error;
    const uint32_t slice = slice_in_order(a, item), ahead = item + (uint32_t)a->threads;
    if (ahead < a->share.slices) {
        nk_sliced_set_prefetch(&a->undecided, slice_in_order(a, ahead));
        if (run->step->uses_almost_win)
            nk_sliced_set_prefetch(&a->almost_win, slice_in_order(a, ahead));
    }
    enum nk_status status = load(run, slice, worker, &error);
    if (!status) {
        const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
        run->step->run(a, slice, worker);
        a->decided[slice] = a->kernel->decide(a, slice, worker, &a->examples[slice]);
        if (run->step->is_recorded)
            nk_log_append(a->log, run->code, a->share.first_slice + slice, next.rows, next.nonempty);
        status = store(run, slice, worker, &error);
    }
    if (status)
        nk_log_fail(a->log, &error);
}

static uint64_t run_all(struct run *run)
{
    struct nk_analysis *a = run->a;
    uint64_t decided = 0;
    nk_parallel(a->threads, a->share.slices, run_slice, run);
    a->is_backward = !a->is_backward; /* the page cache still has some of the slices at this end */
    a->example = UINT64_MAX;
    for (uint32_t s = 0; s < a->share.slices; s++) {
        decided += a->decided[s];
        a->example = a->examples[s] < a->example ? a->examples[s] : a->example;
    }
    a->example = nk_cluster_min(a->example);
    nk_cluster_sum(&decided, 1);
    return decided;
}

uint64_t nk_run_step(struct nk_analysis *a, const struct nk_step *step)
{
    assert(!step->is_recorded);
    return run_all(&(struct run){.a = a, .step = step});
}

uint64_t nk_record_step(struct nk_analysis *a, const struct nk_step *step, uint8_t code)
{
    assert(step->is_recorded);
    return run_all(&(struct run){a, step, code});
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
    const uint32_t rounds = nk_exchange_rounds(a->index);
    nk_parallel(a->threads, a->share.slices, clear_frontier, a);
    for (uint32_t round = 0; round < rounds; round++) {
        nk_exchange_round(&a->exchange, round, a->own);
        nk_parallel(a->threads, a->share.slices, a->kernel->transpose, a);
    }
}
