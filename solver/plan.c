#include "solver/plan.h"

#include "common/parallel.h"
#include "solver/analysis.h"
#include "solver/trap.h"

/* The bytes of a log with so many entries. On the boards of docs/BOARDS.md with three in a row and 3, 4 and 5 pieces it
 * has about 0.43, 0.21 and 0.09 bytes for each entry: the more pieces, the more bits are in a word. */
static uint64_t log_bytes(const struct nk_index *index, uint64_t entries)
{
    return (entries >> (index->rules.pieces - 2)) + (1 << 16);
}

struct nk_plan nk_plan(const struct nk_index *index, enum nk_layout layout, int threads, int size,
                       bool with_traps)
{
    const uint64_t slices = (nk_slice_count(index) + (uint64_t)size - 1) / (uint64_t)size;
    const uint64_t set = slices * index->configurations * sizeof(nk_lanes);
    const uint64_t own_log = log_bytes(index, slices * NK_LANES * index->per_orbit);
    if (threads <= 0)
        threads = nk_processors();
    const uint64_t readers = (uint64_t)threads < slices ? (uint64_t)threads : slices;
    /* Of sets in files, each thread has a slice in memory. */
    const uint64_t analysis = nk_analysis_memory(index, threads, size) -
                              (layout == NK_SETS_IN_FILES ? 2 * (slices - readers) * (set / slices) : 0);
    /* From files, each thread reads a part of the log of one slice at a time. */
    const uint64_t log = layout == NK_IN_MEMORY ? own_log : own_log / (slices + 1) * readers;
    /* Traps are computed when all slices of the log have been released. */
    const uint64_t traps = with_traps ? nk_traps_memory(index, threads) : 0;
    const uint64_t writing = nk_solution_memory(index, threads, size) + (traps > log ? traps : log);
    return (struct nk_plan){
        .memory = (analysis + log > writing ? analysis + log : writing) + index->configurations,
        .disk = (layout == NK_IN_MEMORY ? 0 : log_bytes(index, index->entries)) +
                (layout == NK_SETS_IN_FILES ? 2 * set * (uint64_t)size : 0),
    };
}
