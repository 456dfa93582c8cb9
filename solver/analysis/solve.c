/* What solving a board takes, and solving it in memory (nk_table_solve). */

#include "solver/analysis/analysis.h"

#include "common/system/system.h"
#include "common/table/table.h"
#include "solver/analysis/traps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what solving takes ---- */

/* The bytes of losses with so many entries. On the boards of docs/BOARDS.md with three in a row and 3, 4 and 5 pieces
 * it has about 0.43, 0.21 and 0.09 bytes for each entry: the more pieces, the more bits are in a word. */
static uint64_t losses_bytes(const struct nk_index *index, uint64_t entries)
{
    return (entries >> (index->rules.board.pieces - 2)) + (1 << 16);
}

struct nk_plan nk_plan(const struct nk_index *index, const struct nk_cluster *cluster, enum nk_layout layout,
                       int threads, bool with_traps)
{
    const struct nk_slice_range range = nk_cluster_largest_range(cluster, index);
    const bool has_files = layout != NK_IN_MEMORY;
    const int sets_in_files = (layout >= NK_ONE_SET_IN_FILE) + (layout >= NK_SETS_IN_FILES);
    struct nk_analysis analysis;
    struct nk_codes codes;
    nk_analysis_describe(&analysis, index, cluster, range, threads, layout);
    nk_codes_describe(&codes, index, range, threads);

    const uint64_t own_losses =
        losses_bytes(index, (uint64_t)range.slices * NK_SLICE_COLUMNS * index->per_orbit);
    /* From files, each thread reads a part of the losses of one slice at a time. */
    const uint64_t read_losses = own_losses / (range.slices + 1) * (uint64_t)codes.threads;
    const uint64_t losses = has_files ? read_losses : own_losses;

    /* Boards with 3, 4 and 5 pieces usually have about 3 %, 0.2 % and 0.01 % of draws; this is at least as many. */
    const uint64_t draws = index->entries >> (3 * index->rules.board.pieces - 4);
    const uint64_t adding_traps = with_traps ? nk_traps_memory(index, 0, threads) : 0;
    const uint64_t computing_traps = with_traps ? nk_traps_memory(index, draws, threads) : 0;

    const uint64_t analysing = analysis.memory.bytes + losses;
    /* When the trap values are computed, all slices of the losses have been released. */
    const uint64_t writing =
        codes.memory.bytes + nk_greatest(codes.slices_memory.bytes + losses + adding_traps, computing_traps);
    const uint64_t set = nk_slice_count(index) * (uint64_t)index->configurations * sizeof(nk_row_bits);
    return (struct nk_plan){
        .layout = layout,
        .analysing = analysing,
        .writing = writing,
        .memory = nk_greatest(analysing, writing),
        .disk = (has_files ? losses_bytes(index, index->entries) : 0) + (uint64_t)sets_in_files * set,
    };
}

/* ---- solving in memory ---- */

/* What all of it takes at its peak: the index, and the codes while they are computed. */
static uint64_t memory_of(const struct nk_index *index, int threads)
{
    enum { FEW_ENTRIES = 1 << 16 }; /* so few can all be draws without taking much */
    const struct nk_plan plan = nk_plan(index, NULL, NK_IN_MEMORY, threads, true);
    const uint64_t draws = nk_least(index->entries, FEW_ENTRIES);
    const uint64_t blocks = 2 * (uint64_t)nk_block_count(index->entries) * sizeof(void *);
    const uint64_t writing = nk_greatest(plan.writing, nk_traps_memory(index, draws, threads));
    return nk_index_memory(index) + nk_greatest(plan.analysing, writing + index->entries + blocks);
}

enum nk_status nk_solve_memory(const struct nk_board *board, int threads, uint64_t *bytes,
                               struct nk_error *error)
{
    struct nk_rules rules;
    struct nk_index index;
    const enum nk_status status = nk_rules_init(&rules, board, error);
    if (status)
        return status;
    nk_index_init_sizes(&rules, &index);
    *bytes = memory_of(&index, threads);
    return NK_OK;
}

/* ---- the two steps of solving ---- */

enum nk_status nk_find_losses(struct nk_losses *losses, const struct nk_analysis_options *options,
                              nk_pass_done *done, void *context, uint64_t *sent, struct nk_error *error)
{
    const struct nk_losses_state *state = &losses->state;
    struct nk_analysis *analysis = NULL;
    if (state->is_complete)
        return NK_OK;
    enum nk_status status = nk_analysis_new(losses, options, &analysis, error);
    while (!status && !(status = nk_analysis_pass(analysis, error)) && !state->is_complete)
        status = done(context, state->ply, state->by_plies[state->ply], error);
    if (!status && sent)
        *sent = nk_analysis_sent(analysis);
    nk_analysis_free(analysis);
    return status;
}

enum nk_status nk_find_codes(struct nk_losses *losses, int threads, struct nk_traps *traps,
                             nk_take_codes *take, void *context, struct nk_error *error)
{
    struct nk_codes *codes = NULL;
    uint64_t taken = 0, count;
    enum nk_status status = nk_codes_new(losses, threads, &codes, error);
    for (uint32_t part = 0; !status && part < nk_codes_parts(codes); part++) {
        const uint8_t *some;
        status = nk_codes_part(codes, part, &some, &count, error);
        if (status || !some)
            continue;
        nk_traps_add(traps, some, count);
        taken += count;
        status = take(context, some, count, (double)taken / (double)losses->index->entries, error);
    }
    nk_codes_free(codes);
    return status;
}

/* ---- nk_table_solve ---- */

struct solving {
    struct nk_index *index;
    int threads;
    uint64_t memory;             /* the bytes to use, or 0 for what is available */
    nk_solve_progress *progress; /* or NULL */
    void *context;
    struct nk_solve_state state; /* for progress */
    struct nk_losses *losses;
    uint8_t *codes, *trap_values;
    uint64_t taken; /* codes */
};

/* Checks that the needed bytes are not more than those to use. */
static enum nk_status require_memory(const struct solving *solving, uint64_t needed, struct nk_error *error)
{
    /* Every program may need as much as this: asking the system takes as long as solving a small board. */
    enum { LITTLE = 64 << 20 };
    uint64_t most = solving->memory;
    if (!most && needed > LITTLE)
        most = nk_system_available_memory();
    if (!most || most > SIZE_MAX)
        most = SIZE_MAX;
    if (needed <= most)
        return NK_OK;
    return nk_fail(error, NK_E_MEMORY, 0,
                   "solving this board needs %" PRIu64 " MiB of memory, but %" PRIu64 " MiB are %s",
                   (needed + (1 << 20) - 1) >> 20, most >> 20, solving->memory ? "allowed" : "available");
}

/* Reports how far it is. NK_E_STOPPED if it is to stop. */
static enum nk_status report(const struct solving *solving, struct nk_error *error)
{
    return !solving->progress || solving->progress(solving->context, &solving->state)
               ? NK_OK
               : nk_fail(error, NK_E_STOPPED, 0, "solving was stopped");
}

static enum nk_status report_pass(void *context, int ply, uint64_t decided, struct nk_error *error)
{
    struct solving *solving = context;
    solving->state.ply = ply;
    solving->state.decided = decided;
    return report(solving, error);
}

/* Decides all positions. */
static enum nk_status analyse(struct solving *solving, struct nk_error *error)
{
    const struct nk_analysis_options options = {.threads = solving->threads};
    const enum nk_status status = nk_losses_new(solving->index, NULL, NULL, &solving->losses, error);
    return status ? status : nk_find_losses(solving->losses, &options, report_pass, solving, NULL, error);
}

/* Copies the codes: half of what follows the analysis. */
static enum nk_status take_codes(void *context, const uint8_t *codes, uint64_t count, double done,
                                 struct nk_error *error)
{
    struct solving *solving = context;
    memcpy(solving->codes + solving->taken, codes, (size_t)count);
    solving->taken += count;
    solving->state.done = done / 2;
    return report(solving, error);
}

static bool report_traps(void *context, double done)
{
    struct solving *solving = context;
    solving->state.done = (1 + done) / 2;
    return !report(solving, NULL);
}

/* Computes the trap values: the other half. The codes have shown how many draws there are, so that the memory for their
 * trap values is known; it was not counted before if they are unusually many. */
static enum nk_status find_traps(struct solving *solving, struct nk_traps *traps, struct nk_error *error)
{
    const struct nk_progress_sink sink = {report_traps, solving};
    const struct nk_index *index = solving->index;
    const uint64_t draws = nk_count_draws(solving->codes, (size_t)index->entries);
    enum nk_status status = require_memory(
        solving, nk_index_memory(index) + index->entries + nk_traps_memory(index, draws, solving->threads),
        error);
    if (status)
        return status;
    status = nk_traps_compute(traps, solving->threads, &sink, &solving->trap_values);
    if (status == NK_E_STOPPED)
        return nk_fail(error, NK_E_STOPPED, 0, "solving was stopped");
    return status ? nk_fail_memory(error) : NK_OK;
}

/* Fills in all results. */
static enum nk_status solve(struct solving *solving, struct nk_error *error)
{
    struct nk_traps *traps = NULL;
    enum nk_status status = analyse(solving, error);
    if (status)
        return status;
    solving->codes = calloc((size_t)solving->index->entries, 1);
    if (!solving->codes || nk_traps_new(solving->index, &traps))
        return nk_fail_memory(error);
    status = nk_find_codes(solving->losses, solving->threads, traps, take_codes, solving, error);
    if (!status)
        status = find_traps(solving, traps, error);
    nk_traps_free(traps);
    return status;
}

enum nk_status nk_table_solve(const struct nk_board *board, int threads, uint64_t memory,
                              nk_solve_progress *progress, void *context, struct nk_table **table,
                              struct nk_error *error)
{
    struct solving solving = {.threads = threads, .memory = memory, .progress = progress, .context = context};
    struct nk_summary summary;
    struct nk_rules rules;
    struct nk_index counts;
    enum nk_status status = nk_rules_init(&rules, board, error);
    if (status)
        return status;
    nk_index_init_sizes(&rules, &counts);
    if ((status = require_memory(&solving, memory_of(&counts, threads), error)))
        return status;
    if (nk_index_new(&rules, &solving.index))
        return nk_fail_memory(error);
    status = solve(&solving, error);
    if (!status)
        summary = nk_losses_summary(solving.losses);
    nk_losses_free(solving.losses);
    if (!status)
        return nk_table_from_codes(solving.index, &summary, solving.codes, solving.trap_values, table, error);
    free(solving.trap_values);
    free(solving.codes);
    nk_index_free(solving.index);
    return status;
}
