#include "solver/retrograde.h"

#include "solver/comm.h"
#include "solver/kernel.h"
#include "solver/pass.h"
#include "solver/resume.h"

#include <stdlib.h>

/* The lowest entry of a position in the frontier, or UINT64_MAX. */
static uint64_t find_example(const struct nk_analysis *a)
{
    const struct nk_index *index = a->index;
    uint64_t first = UINT64_MAX;
    /* Entries are sorted by orbit of the other side, which is the row: the first orbit with a position has the lowest
     * entry. */
    for (uint32_t c = 0; c < index->orbit_count && first == UINT64_MAX; c++)
        for (int g = 0; g < index->rules.symmetries; g++)
            for (uint32_t m = 0; m < a->share.orbits; m++) {
                const uint32_t row = index->orbits[c].images[g];
                const nk_lanes *lanes = &nk_rows_of(a, &a->frontier, m / NK_LANES)[row];
                if (m % 64 == 0 && !lanes->word[m % NK_LANES / 64]) {
                    m += 63;
                } else if (lanes->word[m % NK_LANES / 64] & nk_bit(m % 64)) {
                    const uint32_t mover = index->orbits[a->share.first_orbit + m].images[0];
                    const uint64_t entry =
                        nk_index_entry(index, (struct nk_position){a->squares[mover], a->squares[row]});
                    first = entry < first ? entry : first;
                }
            }
    return nk_comm_min(first);
}

static void count(struct nk_solution *solution, int ply, uint64_t decided)
{
    solution->by_distance[ply] = decided;
    *(ply % 2 ? &solution->summary.wins : &solution->summary.losses) += decided;
    solution->summary.longest = (uint32_t)ply;
}

static void save(struct nk_analysis *a, const struct nk_solve_options *options, int ply,
                 const uint64_t *by_distance)
{
    struct nk_error error;
    if (!nk_save_is_due(a))
        return;
    if (!nk_save_analysis(a, ply, by_distance, &error)) {
        if (options->saved)
            options->saved(options->context, ply);
    } else if (options->warn) {
        options->warn(options->context, &error);
    }
}

/* Restores the state of the checkpoint, if there is one, and counts its plies. *ply is then the last of them and
 * *decided the positions that it decided; otherwise both stay. */
static enum nk_status resume(struct nk_analysis *a, struct nk_solution *solution, int *ply, uint64_t *decided,
                             struct nk_error *error)
{
    const uint64_t *by_distance;
    const int saved = a->checkpoint ? nk_checkpoint_ply(a->checkpoint, &by_distance) : -1;
    if (saved < 0)
        return NK_OK;
    for (int p = 0; p < saved; p++)
        count(solution, p, by_distance[p]);
    *ply = saved;
    *decided = by_distance[saved];
    return nk_resume_analysis(a, saved, error);
}

static enum nk_status analyse(struct nk_analysis *a, const struct nk_solve_options *options,
                              struct nk_solution *solution, struct nk_error *error)
{
    struct nk_summary *summary = &solution->summary;
    int resumed_ply = -1;
    summary->stalemates = nk_run_step(a, nk_init_undecided, NK_CODE_DRAW);
    uint64_t decided = nk_run_step(a, nk_decide_finished, nk_code_loss(0));
    const enum nk_status status = resume(a, solution, &resumed_ply, &decided, error);
    if (status)
        return status;
    for (int ply = resumed_ply > 0 ? resumed_ply : 0; decided; ply++) {
        if (ply > NK_MAX_PLIES)
            return nk_fail(error, NK_E_LIMIT, 0,
                           "a game on this board lasts longer than the %d plies that a table can hold",
                           (int)NK_MAX_PLIES);
        count(solution, ply, decided);
        if (options->progress)
            options->progress(options->context, ply, decided);
        if (a->checkpoint && ply % 2 == 0 && ply != resumed_ply)
            save(a, options, ply, solution->by_distance);
        nk_transpose_frontier(a);
        decided = nk_run_step(a, a->kernel->pass, ply % 2 ? nk_code_loss(ply + 1) : NK_CODE_WIN);
    }
    solution->example = find_example(a);
    summary->draws = summary->stalemates + nk_run_step(a, nk_decide_draws, NK_CODE_DRAW);
    summary->legal = summary->wins + summary->losses + summary->draws;
    summary->placements = a->index->placements;
    solution->sent = a->exchange.sent;
    nk_comm_sum(&solution->sent, 1);
    return NK_OK;
}

uint64_t nk_solve_memory(const struct nk_index *index, int threads, int size)
{
    return nk_solution_memory(index, size) +
           nk_analysis_memory(index, threads > 0 ? threads : nk_processors(), size);
}

enum nk_status nk_solve_checkpoint(const struct nk_index *index, const char *directory, int seconds,
                                   struct nk_checkpoint **checkpoint, struct nk_error *error)
{
    return nk_checkpoint_open(directory, &index->rules, nk_slice_count(index),
                              (uint64_t)index->configurations * NK_LANES, seconds, checkpoint, error);
}

enum nk_status nk_solve(const struct nk_index *index, const struct nk_solve_options *options,
                        struct nk_solution **out, struct nk_error *error)
{
    const struct nk_kernel *kernel = nk_find_kernel(options->vector_bytes);
    if (!kernel)
        return nk_fail(error, NK_E_RULES, 0, "this machine has no vectors of %d bytes",
                       options->vector_bytes);
    const int threads = options->threads > 0 ? options->threads : nk_processors();
    const uint64_t bytes = nk_solve_memory(index, threads, nk_comm_size());
    const bool is_addressable =
        (size_t)bytes == bytes; /* false for a large board where addresses have 32 bits */
    struct nk_solution *solution = is_addressable ? nk_solution_new(index, threads) : NULL;
    struct nk_analysis a = {0};
    const bool is_allocated = solution && nk_analysis_init(&a, solution);
    enum nk_status status;
    if (nk_comm_all(is_allocated)) { /* if one process lacks memory, none continues */
        a.kernel = kernel;
        a.checkpoint = options->checkpoint;
        status = analyse(&a, options, solution, error);
    } else {
        status = nk_fail(error, NK_E_MEMORY, 0, "out of memory for the analysis of this board");
    }
    nk_analysis_clear(&a);
    if (status)
        nk_solution_free(solution);
    else
        *out = solution;
    return status;
}
