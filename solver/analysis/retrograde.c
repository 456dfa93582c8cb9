#include "solver/analysis/retrograde.h"

#include "common/base/status.h"
#include "solver/cluster/cluster.h"
#include "solver/analysis/kernel.h"
#include "solver/analysis/pass.h"

#include <assert.h>
#include <string.h>

/* ---- resuming ---- */

/* A slice that is being restored. */
struct slice {
    struct nk_bitset next;
    const nk_lanes *undecided;
    uint32_t rows;
};

/* Adds recorded losses to `next`. They must be undecided; those that are recorded twice make the counts wrong. */
static bool add_losses(void *context, uint8_t code, uint32_t row, const nk_lanes *lanes)
{
    (void)code;
    const struct slice *slice = context;
    nk_lanes wrong = *lanes;
    nk_lanes_andnot(&wrong, &slice->undecided[row]);
    if (nk_lanes_any(&wrong)) /* maybe even a column that does not exist */
        return false;
    nk_lanes_or(&slice->next.rows[row], lanes);
    slice->next.nonempty[row] = 1;
    return true;
}

static void read_losses(struct nk_analysis *a, uint32_t slice, const struct nk_worker *worker, uint8_t first,
                        uint8_t last)
{
    struct slice context = {nk_slice_of(a, &a->next, slice), worker->undecided, a->rows};
    struct nk_error error;
    if (nk_log_read(a->log, a->share.first_slice + slice, first, last, add_losses, &context, &error))
        nk_log_fail(a->log, &error);
}

/* Adds to `next`, which has the losses of ply 0, those of all plies before the last, or up to an odd one. */
static void read_earlier_losses(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    read_losses(a, slice, worker, nk_code_loss(2), (uint8_t)(nk_code_loss(a->log->state.ply + 1) - 1));
}

/* Sets `next` to the losses of the last ply. The frontier, which are all wins, becomes `almost_win`. */
static void read_last_losses(struct nk_analysis *a, uint32_t slice, struct nk_worker *worker)
{
    const struct nk_bitset next = nk_slice_of(a, &a->next, slice);
    const uint8_t last = nk_code_loss(a->log->state.ply);
    memcpy(worker->almost_win, nk_slice_of(a, &a->frontier, slice).rows, a->rows * sizeof *next.rows);
    memset(next.rows, 0, a->rows * sizeof *next.rows);
    memset(next.nonempty, 0, a->rows);
    read_losses(a, slice, worker, last, last);
}

static const struct nk_step restore_earlier_losses = {.run = read_earlier_losses},
                            restore_last_losses = {.run = read_last_losses, .uses_almost_win = true};

/* Runs a step, which must decide as many positions as were recorded for the plies first, first + 2, ... to `last`. */
static bool restore(struct nk_analysis *a, const struct nk_step *step, int first, int last)
{
    uint64_t expected = 0;
    for (int ply = first; ply <= last; ply += 2)
        expected += a->log->state.by_plies[ply];
    return nk_run_step(a, step) == expected;
}

/* Restores the state after the ply of the log from that after nk_decide_finished. The log has the losses only. One pass
 * finds all wins from them, since a win of at most d plies is a position with a move to a loss of at most d - 1 plies.
 * After wins the frontier then has those of earlier plies as well, instead of `almost_win`; the next pass decides the
 * same. `finished` is what nk_decide_finished decided. */
static enum nk_status resume(struct nk_analysis *a, uint64_t finished, struct nk_error *error)
{
    const int ply = a->log->state.ply;
    bool agrees = finished == a->log->state.by_plies[0];
    if (ply > 0) {
        agrees = restore(a, &restore_earlier_losses, 0, ply - 1) && agrees;
        nk_transpose_frontier(a);
        agrees = restore(a, &a->kernel->find_wins, 1, ply) && agrees;
    }
    if (ply > 0 && ply % 2 == 0) {
        nk_transpose_frontier(a);
        agrees = restore(a, &restore_last_losses, ply, ply) && agrees;
    }
    const enum nk_status status = nk_log_failure(a->log, error);
    if (status || agrees)
        return status;
    return nk_fail(error, NK_E_CORRUPT, 0,
                   NK_PATH
                   ": the log contradicts the rules: remove the directory to start over, or name another one",
                   NK_PATH_OF(a->log->directory.path));
}

/* ---- the analysis ---- */

/* Fills in the counts of a solution. */
static void summarise(struct nk_solution *solution, const struct nk_log_state *state)
{
    struct nk_summary *summary = &solution->summary;
    for (int ply = 0; ply <= state->ply; ply++)
        *(ply % 2 ? &summary->wins : &summary->losses) += state->by_plies[ply];
    memcpy(solution->by_plies, state->by_plies, sizeof solution->by_plies);
    solution->example = state->example;
    summary->longest = (uint32_t)state->ply;
    summary->stalemates = state->stalemates;
    summary->draws = state->draws;
    summary->legal = summary->wins + summary->losses + summary->draws;
    summary->placements = solution->index->placements;
}

/* Decides the positions of a ply. A loss in more plies than a table can hold has no code and is not recorded. */
static uint64_t find_next(struct nk_analysis *a, int ply)
{
    struct nk_step unrecorded = a->kernel->find_losses;
    unrecorded.is_recorded = false;
    if (ply % 2)
        return nk_run_step(a, &a->kernel->find_wins);
    if (ply > NK_MAX_PLIES)
        return nk_run_step(a, &unrecorded);
    return nk_record_step(a, &a->kernel->find_losses, nk_code_loss(ply));
}

/* Continues from the state of the log to its end. */
static enum nk_status analyse(struct nk_analysis *a, const struct nk_solve_options *options,
                              struct nk_error *error)
{
    struct nk_log_state state = a->log->state;
    enum nk_status status = NK_OK;
    const int resumed_ply = state.ply;
    state.stalemates = nk_run_step(a, &nk_init_undecided);
    uint64_t decided = nk_run_step(a, &nk_decide_finished);
    if (resumed_ply >= 0) {
        if ((status = resume(a, decided, error)))
            return status;
        decided = state.by_plies[resumed_ply];
        a->example = state.example;
    }
    for (int ply = resumed_ply > 0 ? resumed_ply : 0; decided; ply++) {
        if (ply > NK_MAX_PLIES)
            return nk_fail(error, NK_E_LIMIT, 0,
                           "a game on this board lasts longer than the %d plies that a table can hold",
                           (int)NK_MAX_PLIES);
        state.ply = ply;
        state.by_plies[ply] = decided;
        state.example = a->example;
        if (options->progress)
            options->progress(options->context, ply, decided);
        if (ply != resumed_ply && (status = nk_log_commit(a->log, &state, error)))
            return status;
        nk_transpose_frontier(a);
        decided = find_next(a, ply + 1);
    }
    if (state.ply < 0) { /* nothing is decided */
        state.ply = 0;
        state.example = UINT64_MAX;
    }
    state.draws = nk_record_step(a, &nk_decide_draws, NK_CODE_DRAW);
    state.is_complete = true;
    return nk_log_commit(a->log, &state, error);
}

/* Allocates the analysis and runs it. */
static enum nk_status run(struct nk_solution *solution, const struct nk_solve_options *options,
                          struct nk_error *error)
{
    struct nk_analysis a = {0};
    enum nk_status status = nk_analysis_init(&a, solution, options->set_files, error);
    if (!status) {
        a.kernel = options->kernel ? options->kernel : nk_find_kernel(0);
        status = analyse(&a, options, error);
    }
    if (!status) {
        solution->sent = a.exchange.sent;
        nk_cluster_sum(&solution->sent, 1);
    }
    nk_analysis_clear(&a);
    return status;
}

enum nk_status nk_solve(const struct nk_index *index, const struct nk_solve_options *options,
                        struct nk_solution **out, struct nk_error *error)
{
    struct nk_solution *solution = nk_solution_new(index, options->log, options->threads);
    enum nk_status status =
        solution ? NK_OK : nk_fail(error, NK_E_MEMORY, 0, "out of memory for the analysis of this board");
    if (!status && !solution->log->state.is_complete)
        status = run(solution, options, error);
    if (status) {
        nk_solution_free(solution);
    } else {
        summarise(solution, &solution->log->state);
        *out = solution;
    }
    return status;
}
