#include "solver/solve.h"

#include "solver/analysis/codes.h"
#include "solver/analysis/traps.h"

/* ---- what solving takes ---- */

/* The bytes of losses with so many entries. On the boards of docs/BOARDS.md with three in a row and 3, 4 and 5 pieces it
 * has about 0.43, 0.21 and 0.09 bytes for each entry: the more pieces, the more bits are in a word. */
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
