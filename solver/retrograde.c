#include "solver/retrograde.h"

#include "solver/analysis.h"
#include "solver/comm.h"

#include <stdlib.h>
#include <string.h>

static void clear_fresh(void *context, uint32_t slice, int number)
{
    (void)number;
    struct nk_analysis *a = context;
    memset(a->fresh + (size_t)slice * a->rows, 0, a->rows * sizeof *a->fresh);
    memset(a->fresh_any + (size_t)slice * a->rows, 0, a->rows);
}

void nk_hand_over_all(struct nk_analysis *a)
{
    const uint32_t words = (a->orbits + 63) / 64;
    const bool is_alone = nk_comm_size() == 1;
    const uint32_t rounds = is_alone ? 1 : nk_exchange_rounds(&a->exchange);
    nk_parallel(a->threads, a->slices, clear_fresh, a);
    for (uint32_t round = 0; round < rounds; round++) {
        const struct nk_source *own = round < a->slices ? &a->sources[round] : NULL;
        a->handed = is_alone ? a->sources : a->exchange.sources;
        a->handed_count =
            is_alone ? (int)a->slices
                     : nk_exchange_round(&a->exchange, round, own ? own->rows : NULL, own ? own->any : NULL);
        nk_parallel(a->threads, words, a->kernels->hand_over, a);
    }
}

/* Does a step for every slice of all ranks. Returns how many positions it decided. */
static uint64_t each_slice(struct nk_analysis *a, nk_work *step)
{
    uint64_t decided = 0;
    nk_parallel(a->threads, a->slices, step, a);
    for (uint32_t s = 0; s < a->slices; s++)
        decided += a->decided[s];
    nk_comm_sum(&decided, 1);
    return decided;
}

/* The first entry among those decided last, which `fresh` still holds. */
static uint64_t find_example(const struct nk_analysis *a)
{
    const struct nk_index *index = a->index;
    uint64_t first = UINT64_MAX;
    /* Entries go by orbit of the other side, which is the row. */
    for (uint32_t c = 0; c < index->orbit_count && first == UINT64_MAX; c++)
        for (int g = 0; g < index->rules.symmetries; g++)
            for (uint32_t m = 0; m < a->orbits; m++) {
                const uint32_t row = index->orbits[c].images[g];
                const nk_lanes *lanes = &a->fresh[(size_t)(m / NK_LANES) * a->rows + row];
                if (m % 64 == 0 && !lanes->word[m % NK_LANES / 64]) {
                    m += 63;
                } else if (lanes->word[m % NK_LANES / 64] & nk_bit(m % 64)) {
                    const uint32_t mover = index->orbits[a->first_class + m].images[0];
                    const uint64_t entry =
                        nk_index_entry(index, (struct nk_position){a->squares[mover], a->squares[row]});
                    first = entry < first ? entry : first;
                }
            }
    return nk_comm_min(first);
}

static void note(struct nk_summary *summary, int ply, uint64_t decided)
{
    *(ply % 2 ? &summary->wins : &summary->losses) += decided;
    summary->longest = (uint32_t)ply;
}

static enum nk_status analyse(struct nk_analysis *a, const struct nk_solve_options *options,
                              struct nk_solution *solution, struct nk_error *error)
{
    struct nk_summary *summary = &solution->summary;
    uint64_t *by_distance = solution->by_distance;
    int ply = 0, from = -1;
    summary->stalemates = each_slice(a, nk_open_positions);
    uint64_t decided = each_slice(a, nk_finished_positions);
    if (a->checkpoint) {
        const uint64_t *saved;
        from = nk_checkpoint_ply(a->checkpoint, &saved);
        for (; ply < from; ply++)
            note(summary, ply, by_distance[ply] = saved[ply]);
        if (from >= 0) {
            const enum nk_status status = nk_resume_analysis(a, from, error);
            if (status)
                return status;
            decided = saved[from];
        }
    }
    for (; decided; ply++) {
        if (ply > NK_MAX_PLIES)
            return nk_fail(error, NK_E_LIMIT, 0,
                           "a game on this board lasts longer than the %d plies that a table can hold",
                           (int)NK_MAX_PLIES);
        by_distance[ply] = decided;
        note(summary, ply, decided);
        if (options->progress)
            options->progress(options->context, ply, decided);
        if (a->checkpoint && ply % 2 == 0 && ply != from)
            nk_save_analysis(a, options, ply, by_distance);
        nk_hand_over_all(a);
        a->code = ply % 2 ? nk_code_loss(ply + 1) : NK_CODE_WIN;
        decided = each_slice(a, a->kernels->pass);
    }
    solution->example = find_example(a);
    summary->draws = summary->stalemates + each_slice(a, nk_draw_the_rest);
    summary->legal = summary->wins + summary->losses + summary->draws;
    summary->placements = a->index->placements;
    solution->sent = a->exchange.sent;
    nk_comm_sum(&solution->sent, 1);
    return NK_OK;
}

enum nk_status nk_solve_checkpoint(const struct nk_index *index, const char *directory, int seconds,
                                   struct nk_checkpoint **checkpoint, struct nk_error *error)
{
    return nk_checkpoint_open(directory, &index->rules, (index->orbit_count + NK_LANES - 1) / NK_LANES,
                              (uint64_t)index->configurations * NK_LANES, seconds, checkpoint, error);
}

enum nk_status nk_solve(const struct nk_index *index, const struct nk_solve_options *options,
                        struct nk_solution **out, struct nk_error *error)
{
    const struct nk_kernels *kernels = nk_find_kernels(options->vector_bytes);
    const int threads = options->threads > 0 ? options->threads : nk_processors();
    if (!kernels)
        return nk_fail(error, NK_E_RULES, 0, "this machine has no vectors of %d bytes",
                       options->vector_bytes);
    struct nk_solution *solution = calloc(1, sizeof *solution);
    struct nk_analysis *a = calloc(1, sizeof *a);
    if (solution) {
        solution->analysis = a;
        solution->part = malloc((size_t)NK_PART_CLASSES * index->per_orbit);
    }
    const uint64_t bytes = nk_solve_memory(index, threads, nk_comm_size());
    const bool addressable = (size_t)bytes == bytes; /* not so a large board where addresses have 32 bits */
    const bool begun = addressable && solution && a && solution->part && nk_begin_analysis(a, index, threads);
    enum nk_status status;
    if (nk_comm_all(begun)) { /* where one rank has no memory, none begins */
        a->kernels = kernels;
        a->checkpoint = options->checkpoint;
        status = analyse(a, options, solution, error);
    } else {
        status = nk_fail(error, NK_E_MEMORY, 0, "out of memory for the analysis of this board");
    }
    if (a)
        nk_end_analysis(a);
    if (!solution)
        free(a);
    if (status)
        nk_solution_free(solution);
    else
        *out = solution;
    return status;
}
