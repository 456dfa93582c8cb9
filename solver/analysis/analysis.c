#include "solver/analysis/analysis.h"

#include "solver/cluster/comm.h"

#include <string.h>

static void describe_columns(struct nk_analysis *a)
{
    const struct nk_index *index = a->index;
    const struct nk_orbit *orbits = index->orbits + a->share.first_orbit;
    for (uint32_t s = 0; s < a->share.slices; s++)
        nk_occupied(index, a->share.first_slice + s, a->occupied + (size_t)s * NK_MAX_SQUARES);
    for (uint32_t c = 0; c < a->share.orbits; c++)
        for (uint32_t i = 0; i < NK_SMALLER; i++)
            if (orbits[c].size <= (uint32_t)index->rules.symmetries >> (i + 1))
                a->smaller[c / NK_LANES * NK_SMALLER + i].word[c % NK_LANES / 64] |= nk_bit(c % 64);
}

/* `next` and `frontier` are used in any order, the other two sets slice by slice. */
static void allocate(struct nk_analysis *a, bool has_set_files)
{
    struct nk_memory *memory = &a->memory;
    const uint64_t slices = a->share.slices, rows = slices * a->rows, threads = (uint64_t)a->threads;
    const uint64_t buffer_rows = has_set_files ? a->rows : 0;
    nk_slides_init(a->index, &a->slides, memory);
    const uint64_t stationary_count = a->slides.stationary_count;
    a->occupied = nk_memory_get(memory, slices * NK_MAX_SQUARES, sizeof *a->occupied);
    a->smaller = nk_memory_get(memory, slices * NK_SMALLER, sizeof *a->smaller);
    a->next.rows = nk_memory_get(memory, rows, sizeof *a->next.rows);
    a->next.nonempty = nk_memory_get(memory, rows, 1);
    a->frontier.rows = nk_memory_get(memory, rows, sizeof *a->frontier.rows);
    a->frontier.nonempty = nk_memory_get(memory, rows, 1);
    if (!has_set_files) {
        nk_lanes *undecided = nk_memory_get(memory, rows, sizeof *undecided);
        nk_lanes *almost_win = nk_memory_get(memory, rows, sizeof *almost_win);
        a->undecided = (struct nk_ordered_set){undecided, a->rows, -1};
        a->almost_win = (struct nk_ordered_set){almost_win, a->rows, -1};
    }
    a->decided = nk_memory_get(memory, slices, sizeof *a->decided);
    a->examples = nk_memory_get(memory, slices, sizeof *a->examples);
    a->own_sources = nk_memory_get(memory, slices, sizeof *a->own_sources);
    a->workers = nk_memory_get(memory, threads, sizeof *a->workers);
    nk_lanes *escapes = nk_memory_get(memory, threads * a->rows, sizeof *escapes);
    uint8_t *active = nk_memory_get(memory, threads * stationary_count, 1);
    nk_lanes *undecided = nk_memory_get(memory, threads * buffer_rows, sizeof *undecided);
    nk_lanes *almost_win = nk_memory_get(memory, threads * buffer_rows, sizeof *almost_win);
    for (uint64_t w = 0; nk_memory_is_ready(memory) && w < threads; w++)
        a->workers[w] = (struct nk_worker){.escapes = escapes + w * a->rows,
                                           .active = active + w * stationary_count,
                                           .undecided_buffer = undecided + w * buffer_rows,
                                           .almost_win_buffer = almost_win + w * buffer_rows};
    if (nk_comm_size() > 1)
        nk_exchange_init(a->index, &a->exchange, memory);
}

static enum nk_status open_set_files(struct nk_analysis *a, struct nk_error *error)
{
    const char *directory = a->log->directory.path;
    const int number = 2 * nk_comm_rank();
    const enum nk_status status =
        nk_ordered_set_open(&a->undecided, directory, number, a->share.slices, a->rows, error);
    if (status)
        return status;
    return nk_ordered_set_open(&a->almost_win, directory, number + 1, a->share.slices, a->rows, error);
}

enum nk_status nk_analysis_init(struct nk_analysis *a, struct nk_solution *solution, bool has_set_files,
                                struct nk_error *error)
{
    *a = (struct nk_analysis){.index = solution->index,
                              .rows = solution->index->configurations,
                              .share = solution->share,
                              .won = solution->won,
                              .log = solution->log,
                              .threads = solution->threads};
    allocate(a, has_set_files);
    if (a->memory.has_failed)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the analysis of this board");
    for (uint32_t s = 0; s < a->share.slices; s++) {
        const struct nk_bitset next = nk_slice_of(a, &a->next, s);
        a->own_sources[s] = (struct nk_source){a->share.first_slice + s, next.rows, next.nonempty};
    }
    describe_columns(a);
    return has_set_files ? open_set_files(a, error) : NK_OK;
}

void nk_analysis_clear(struct nk_analysis *a)
{
    nk_ordered_set_close(&a->undecided);
    nk_ordered_set_close(&a->almost_win);
    nk_memory_clear(&a->memory);
}

uint64_t nk_analysis_memory(const struct nk_index *index, int threads, bool has_set_files)
{
    const struct nk_share share = nk_largest_share(index);
    struct nk_analysis a = {.memory = {.is_plan = true},
                            .index = index,
                            .rows = index->configurations,
                            .share = share,
                            .threads = nk_solution_threads(&share, threads)};
    allocate(&a, has_set_files);
    return a.memory.bytes;
}
