#include "solver/analysis/analysis.h"

static void describe_columns(struct nk_analysis *a)
{
    const struct nk_index *index = a->index;
    const struct nk_orbit *orbits = index->orbits + a->share.first_orbit;
    for (uint32_t s = 0; s < a->share.slices; s++)
        nk_fill_occupied(index, a->share.first_slice + s, a->occupied + (size_t)s * NK_MAX_SQUARES);
    for (uint32_t c = 0; c < a->share.orbits; c++)
        for (uint32_t i = 0; i < NK_SMALL_ORBITS; i++)
            if (orbits[c].size <= (uint32_t)index->rules.symmetries >> (i + 1))
                a->small_orbits[c / NK_LANES * NK_SMALL_ORBITS + i].word[c % NK_LANES / 64] |= nk_bit(c % 64);
}

static bool is_almost_win_in_file(const struct nk_analysis *a)
{
    return a->set_files >= 1;
}

static bool is_undecided_in_file(const struct nk_analysis *a)
{
    return a->set_files >= 2;
}

/* `next` and `frontier` are used in any order, the other two sets slice by slice. */
void nk_analysis_list(struct nk_analysis *a, const struct nk_index *index, struct nk_share share, int threads,
                      int set_files)
{
    struct nk_memory *memory = &a->memory;
    *a = (struct nk_analysis){.index = index,
                              .rows = index->configurations,
                              .share = share,
                              .threads = nk_solution_threads(&share, threads),
                              .set_files = set_files};
    const uint64_t slices = share.slices, rows = slices * a->rows, workers = (uint64_t)a->threads;
    nk_slides_list(index, &a->slides, memory);
    nk_memory_list(memory, &a->occupied, slices * NK_MAX_SQUARES, sizeof *a->occupied);
    nk_memory_list(memory, &a->small_orbits, slices * NK_SMALL_ORBITS, sizeof *a->small_orbits);
    nk_memory_list(memory, &a->next.rows, rows, sizeof *a->next.rows);
    nk_memory_list(memory, &a->next.nonempty, rows, sizeof *a->next.nonempty);
    nk_memory_list(memory, &a->frontier.rows, rows, sizeof *a->frontier.rows);
    nk_memory_list(memory, &a->frontier.nonempty, rows, sizeof *a->frontier.nonempty);
    nk_memory_list(memory, &a->decided, slices, sizeof *a->decided);
    nk_memory_list(memory, &a->examples, slices, sizeof *a->examples);
    nk_memory_list(memory, &a->own, slices, sizeof *a->own);
    nk_memory_list(memory, &a->workers, workers, sizeof *a->workers);
    nk_memory_list(memory, &a->escapes, workers * a->rows, sizeof *a->escapes);
    nk_memory_list(memory, &a->active, workers * a->slides.stationary_count, sizeof *a->active);
    if (is_undecided_in_file(a))
        nk_memory_list(memory, &a->undecided_buffers, workers * a->rows, sizeof *a->undecided_buffers);
    else
        nk_memory_list(memory, &a->undecided.rows, rows, sizeof *a->undecided.rows);
    if (is_almost_win_in_file(a))
        nk_memory_list(memory, &a->almost_win_buffers, workers * a->rows, sizeof *a->almost_win_buffers);
    else
        nk_memory_list(memory, &a->almost_win.rows, rows, sizeof *a->almost_win.rows);
    nk_exchange_list(index, &a->exchange, memory);
}

static void fill_workers(struct nk_analysis *a)
{
    for (size_t w = 0; w < (size_t)a->threads; w++) {
        struct nk_worker *worker = &a->workers[w];
        worker->escapes = a->escapes + w * a->rows;
        worker->active = a->active + w * a->slides.stationary_count;
        if (is_undecided_in_file(a))
            worker->undecided_buffer = a->undecided_buffers + w * a->rows;
        if (is_almost_win_in_file(a))
            worker->almost_win_buffer = a->almost_win_buffers + w * a->rows;
    }
}

/* Begins a set whose rows are in memory, or in a file with that number. */
static enum nk_status begin_set(const struct nk_analysis *a, struct nk_sliced_set *set, bool is_in_file,
                                int number, struct nk_error *error)
{
    if (is_in_file)
        return nk_sliced_set_open(set, a->log->directory.path, number, a->share.slices, a->rows, error);
    *set = nk_sliced_set_in_memory(set->rows, a->rows);
    return NK_OK;
}

enum nk_status nk_analysis_init(struct nk_analysis *a, struct nk_solution *solution, int set_files,
                                struct nk_error *error)
{
    const int number = 2 * nk_cluster_process();
    nk_analysis_list(a, solution->index, solution->share, solution->threads, set_files);
    a->won = solution->won;
    a->log = solution->log;
    if (!nk_memory_allocate(&a->memory))
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the analysis of this board");
    nk_slides_fill(a->index, &a->slides);
    nk_exchange_fill(&a->exchange);
    describe_columns(a);
    fill_workers(a);
    for (uint32_t s = 0; s < a->share.slices; s++) {
        const struct nk_bitset next = nk_slice_of(a, &a->next, s);
        a->own[s] = (struct nk_source){a->share.first_slice + s, next.rows, next.nonempty};
    }
    const enum nk_status status = begin_set(a, &a->undecided, is_undecided_in_file(a), number, error);
    return status ? status : begin_set(a, &a->almost_win, is_almost_win_in_file(a), number + 1, error);
}

void nk_analysis_clear(struct nk_analysis *a)
{
    nk_sliced_set_close(&a->undecided);
    nk_sliced_set_close(&a->almost_win);
    nk_memory_free(&a->memory);
}
