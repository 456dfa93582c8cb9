#include "solver/analysis/analysis.h"

#include "common/system/system.h"
#include "common/table/table.h"

#include <stdlib.h>
#include <string.h>

/* ---- what solving takes ---- */

/* The bytes of losses with so many entries. On the boards of docs/BOARDS.md with three in a row and 3, 4 and 5 pieces
 * it has about 0.43, 0.21 and 0.09 bytes for each entry: the more pieces, the more bits are in a word. */
static uint64_t losses_bytes(const struct nk_index *index, uint64_t entries)
{
    return (entries >> (index->rules.board.pieces - 2)) + (1 << 16);
}

uint64_t nk_plan_traps(const struct nk_index *index, uint64_t draws, int threads)
{
    if (index->entries > NK_MAX_TRAP_ENTRIES)
        return 0;
    if (draws > NK_MAX_TRAPS)
        draws = 0; /* they are only counted */
    return nk_traps_memory(index, (uint32_t)draws, nk_traps_usual_moves(index, draws), threads);
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

struct nk_plan nk_plan(const struct nk_index *index, const struct nk_cluster *cluster, enum nk_layout layout,
                       int threads, bool with_traps)
{
    const struct nk_slice_range range = nk_cluster_largest_range(cluster, index);
    const bool has_files = layout != NK_IN_MEMORY;
    const int sets_in_files = (layout >= NK_ONE_SET_IN_FILE) + (layout >= NK_SETS_IN_FILES);
    struct nk_analysis analysis;
    struct nk_codes codes;
    nk_analysis_list(&analysis, index, cluster, range, threads, layout);
    nk_codes_list(&codes, index, range, threads);

    const uint64_t own_losses =
        losses_bytes(index, (uint64_t)range.slices * NK_SLICE_COLUMNS * index->per_orbit);
    /* From files, each thread reads a part of the losses of one slice at a time. */
    const uint64_t read_losses = own_losses / (range.slices + 1) * (uint64_t)codes.threads;
    const uint64_t losses = has_files ? read_losses : own_losses;

    /* Boards with 3, 4 and 5 pieces usually have about 3 %, 0.2 % and 0.01 % of draws; this is at least as many. */
    const uint64_t draws = index->entries >> (3 * index->rules.board.pieces - 4);
    const uint64_t adding_traps = with_traps ? nk_plan_traps(index, 0, threads) : 0;
    const uint64_t computing_traps = with_traps ? nk_plan_traps(index, draws, threads) : 0;

    const uint64_t analysing = analysis.memory.bytes + losses;
    /* When the trap values are computed, all slices of the losses have been released. */
    const uint64_t writing =
        codes.memory.bytes + greater(codes.slices_memory.bytes + losses + adding_traps, computing_traps);
    const uint64_t set = nk_slice_count(index) * (uint64_t)index->configurations * sizeof(nk_row_bits);
    return (struct nk_plan){
        .layout = layout,
        .analysing = analysing,
        .writing = writing,
        .memory = greater(analysing, writing),
        .disk = (has_files ? losses_bytes(index, index->entries) : 0) + (uint64_t)sets_in_files * set,
    };
}

/* ---- solving in memory ---- */

/* What all of it takes at its peak: the index, and the codes while they are computed. */
static uint64_t memory_of(const struct nk_index *index, int threads)
{
    enum { FEW_ENTRIES = 1 << 16 }; /* so few can all be draws without taking much */
    const struct nk_plan plan = nk_plan(index, NULL, NK_IN_MEMORY, threads, true);
    const uint64_t draws = index->entries < FEW_ENTRIES ? index->entries : FEW_ENTRIES;
    const uint64_t blocks = 2 * (uint64_t)nk_block_count(index->entries) * sizeof(void *);
    const uint64_t writing = greater(plan.writing, nk_plan_traps(index, draws, threads));
    return nk_index_memory(index) + greater(plan.analysing, writing + index->entries + blocks);
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

/* Checks that `needed` bytes are not more than `most`, which are those to use, or 0 for what is available. */
static enum nk_status require_memory(uint64_t needed, uint64_t most, struct nk_error *error)
{
    /* Every program may need as much as this: asking the system takes as long as solving a small board. */
    enum { LITTLE = 64 << 20 };
    const uint64_t available = most ? most : needed > LITTLE ? nk_system_available_memory() : 0;
    if ((!available || needed <= available) && needed <= SIZE_MAX)
        return NK_OK;
    return nk_fail(error, NK_E_MEMORY, 0,
                   "solving this board needs %" PRIu64 " MiB of memory, but %" PRIu64 " MiB are %s",
                   (needed + (1 << 20) - 1) >> 20, (available ? available : SIZE_MAX) >> 20,
                   most ? "allowed" : "available");
}

/* The same for the trap values, when the codes have shown the number of draws, which may be unusual. */
static enum nk_status require_trap_memory(const struct nk_index *index, const uint8_t *codes, int threads,
                                          uint64_t most, struct nk_error *error)
{
    const uint64_t draws = nk_count_draws(codes, (size_t)index->entries);
    const uint64_t traps = nk_plan_traps(index, draws, threads);
    return require_memory(nk_index_memory(index) + index->entries + traps, most, error);
}

struct solving {
    const struct nk_index *index;
    int threads;
    uint64_t memory;             /* the bytes to use, or 0 */
    nk_solve_progress *progress; /* or NULL */
    void *context;
    struct nk_solve_state state; /* for progress */
    struct nk_losses *losses;
    uint8_t *codes, *trap_values;
};

/* Reports how far it is. NK_E_STOPPED if it is to stop. */
static enum nk_status report(const struct solving *solving, struct nk_error *error)
{
    return !solving->progress || solving->progress(solving->context, &solving->state)
               ? NK_OK
               : nk_fail(error, NK_E_STOPPED, 0, "solving was stopped");
}

static enum nk_status analyse(struct solving *solving, struct nk_error *error)
{
    const struct nk_analysis_options options = {.threads = solving->threads};
    struct nk_analysis *analysis = NULL;
    enum nk_status status = nk_losses_new(solving->index, NULL, NULL, &solving->losses, error);
    if (!status)
        status = nk_analysis_new(solving->losses, &options, &analysis, error);
    while (!status && !solving->losses->state.is_complete) {
        const struct nk_losses_state *state = &solving->losses->state;
        if ((status = nk_analysis_pass(analysis, error)) || state->is_complete)
            break;
        solving->state.ply = state->ply;
        solving->state.decided = state->by_plies[state->ply];
        status = report(solving, error);
    }
    nk_analysis_free(analysis);
    return status;
}

/* Codes take half of what follows the analysis, and trap values the other half. */
static enum nk_status copy_codes(struct solving *solving, struct nk_traps *traps, struct nk_error *error)
{
    struct nk_codes *codes = NULL;
    uint64_t copied = 0, count;
    enum nk_status status = nk_codes_new(solving->losses, solving->threads, &codes, error);
    for (uint32_t part = 0; !status && part < nk_codes_parts(codes); part++, copied += count) {
        const uint8_t *some;
        if ((status = nk_codes_part(codes, part, &some, &count, error)))
            break;
        memcpy(solving->codes + copied, some, (size_t)count);
        nk_traps_add(traps, some, count);
        solving->state.done = (double)(copied + count) / (double)solving->index->entries / 2;
        status = report(solving, error);
    }
    nk_codes_free(codes);
    return status;
}

static bool report_traps(void *context, double done)
{
    struct solving *solving = context;
    solving->state.done = (1 + done) / 2;
    return !report(solving, NULL);
}

/* Computes the codes and the trap values. */
static enum nk_status fill(struct solving *solving, struct nk_error *error)
{
    const struct nk_progress_sink sink = {report_traps, solving};
    struct nk_traps *traps = NULL;
    solving->codes = malloc((size_t)solving->index->entries);
    if (!solving->codes || nk_traps_new(solving->index, &traps))
        return nk_fail_memory(error);
    enum nk_status status = copy_codes(solving, traps, error);
    if (!status)
        status =
            require_trap_memory(solving->index, solving->codes, solving->threads, solving->memory, error);
    if (!status) {
        status = nk_traps_compute(traps, solving->threads, &sink, &solving->trap_values);
        if (status == NK_E_MEMORY)
            (void)nk_fail_memory(error);
        else if (status)
            (void)nk_fail(error, status, 0, "solving was stopped");
    }
    nk_traps_free(traps);
    return status;
}

enum nk_status nk_table_solve(const struct nk_board *board, int threads, uint64_t memory,
                              nk_solve_progress *progress, void *context, struct nk_table **table,
                              struct nk_error *error)
{
    struct solving solving = {.threads = threads, .memory = memory, .progress = progress, .context = context};
    struct nk_rules rules;
    struct nk_index counts, *index;
    struct nk_summary summary;
    enum nk_status status = nk_rules_init(&rules, board, error);
    if (status)
        return status;
    nk_index_init_sizes(&rules, &counts);
    if ((status = require_memory(memory_of(&counts, threads), memory, error)))
        return status;
    if (nk_index_new(&rules, &index))
        return nk_fail_memory(error);
    solving.index = index;
    status = analyse(&solving, error);
    if (!status) {
        summary = nk_losses_summary(solving.losses);
        status = fill(&solving, error);
    }
    nk_losses_free(solving.losses);
    if (!status)
        return nk_table_from_codes(index, &summary, solving.codes, solving.trap_values, table, error);
    free(solving.trap_values);
    free(solving.codes);
    nk_index_free(index);
    return status;
}
