#include "solver/analysis.h"

#include "common/system.h"
#include "solver/comm.h"
#include "solver/mapping.h"

#include <stdlib.h>
#include <string.h>

/* Allocates zeroed lanes. A process may have no slices, but no allocation is empty. */
static void *new_lanes(size_t count)
{
    void *lanes = nk_system_allocate_aligned(sizeof(nk_lanes), (count + 1) * sizeof(nk_lanes));
    if (lanes)
        memset(lanes, 0, count * sizeof(nk_lanes));
    return lanes;
}

/* Bytes of the rows of a set. A process may have no slices, but no mapping is empty. */
static size_t set_bytes(const struct nk_analysis *a)
{
    return ((size_t)a->share.slices * a->rows + 1) * sizeof(nk_lanes);
}

/* `next` and `frontier` are used in any order, the other two slice by slice. `directory` is NULL for sets in memory. */
static enum nk_status init_sets(struct nk_analysis *a, const char *directory, struct nk_error *error)
{
    const size_t slices = a->share.slices, bytes = set_bytes(a);
    const int number = 2 * nk_comm_rank();
    enum nk_status status;
    a->next.nonempty = calloc(bytes / sizeof(nk_lanes), 1);
    a->frontier.nonempty = calloc(bytes / sizeof(nk_lanes), 1);
    if (!a->next.nonempty || !a->frontier.nonempty)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the sets of positions");
    if (!(status = nk_map(bytes, (void **)&a->next.rows, error)) &&
        !(status = nk_map(bytes, (void **)&a->frontier.rows, error)) &&
        !(status = nk_ordered_set_init(&a->undecided, directory, number, slices, a->rows, error)))
        status = nk_ordered_set_init(&a->almost_win, directory, number + 1, slices, a->rows, error);
    return status;
}

static void clear_set(const struct nk_analysis *a, struct nk_bitset *set)
{
    nk_unmap(set->rows, set_bytes(a));
    free(set->nonempty);
}

static void describe_columns(struct nk_analysis *a)
{
    const struct nk_index *index = a->index;
    const struct nk_orbit *orbits = index->orbits + a->share.first_orbit;
    for (uint32_t c = 0; c < a->share.orbits; c++) {
        const uint32_t slice = c / NK_LANES, word = c % NK_LANES / 64;
        for (uint32_t i = 0; i < NK_SMALLER; i++)
            if (orbits[c].size <= (uint32_t)index->rules.symmetries >> (i + 1))
                a->smaller[slice * NK_SMALLER + i].word[word] |= nk_bit(c % 64);
        for (uint64_t left = a->index->squares[orbits[c].images[0]]; left; left &= left - 1)
            a->occupied[(size_t)slice * NK_MAX_SQUARES + (size_t)nk_first(left)].word[word] |= nk_bit(c % 64);
    }
}

static bool init_workers(struct nk_analysis *a, bool has_set_files)
{
    for (int w = 0; w < a->threads; w++) {
        struct nk_worker *worker = &a->workers[w];
        if (has_set_files && (!(worker->undecided_buffer = new_lanes(a->rows)) ||
                              !(worker->almost_win_buffer = new_lanes(a->rows))))
            return false;
        worker->escapes = new_lanes(a->rows);
        worker->active = new_lanes(a->slides.stationary_count / sizeof(nk_lanes) + 1);
        if (!worker->escapes || !worker->active)
            return false;
    }
    return true;
}

/* Allocates all but the sets. */
static bool allocate(struct nk_analysis *a, bool has_set_files)
{
    const size_t slices = a->share.slices;
    if (nk_slides_init(a->index, &a->slides))
        return false;
    a->occupied = new_lanes(slices * NK_MAX_SQUARES);
    a->smaller = new_lanes(slices * NK_SMALLER);
    a->workers = calloc((size_t)a->threads, sizeof *a->workers);
    a->decided = calloc(slices + 1, sizeof *a->decided);
    a->examples = calloc(slices + 1, sizeof *a->examples);
    a->own_sources = calloc(slices + 1, sizeof *a->own_sources);
    return a->occupied && a->smaller && a->workers && a->decided && a->examples && a->own_sources &&
           init_workers(a, has_set_files) &&
           (nk_comm_size() == 1 || nk_exchange_init(a->index, &a->exchange) == NK_OK);
}

enum nk_status nk_analysis_init(struct nk_analysis *a, struct nk_solution *solution, bool has_set_files,
                                struct nk_error *error)
{
    const struct nk_index *index = solution->index;
    memset(a, 0, sizeof *a);
    a->index = index;
    a->rows = index->configurations;
    a->share = solution->share;
    a->won = solution->won;
    a->log = solution->log;
    a->threads = solution->threads;
    if (!allocate(a, has_set_files))
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the analysis of this board");
    const enum nk_status status = init_sets(a, has_set_files ? a->log->directory.path : NULL, error);
    if (status)
        return status;
    for (uint32_t s = 0; s < a->share.slices; s++) {
        const struct nk_bitset next = nk_slice_of(a, &a->next, s);
        a->own_sources[s] = (struct nk_source){a->share.first_slice + s, next.rows, next.nonempty};
    }
    describe_columns(a);
    return NK_OK;
}

void nk_analysis_clear(struct nk_analysis *a)
{
    nk_slides_clear(&a->slides);
    nk_system_free_aligned(a->occupied);
    nk_system_free_aligned(a->smaller);
    clear_set(a, &a->next);
    clear_set(a, &a->frontier);
    nk_ordered_set_clear(&a->undecided);
    nk_ordered_set_clear(&a->almost_win);
    for (int w = 0; a->workers && w < a->threads; w++) {
        nk_system_free_aligned(a->workers[w].undecided_buffer);
        nk_system_free_aligned(a->workers[w].almost_win_buffer);
        nk_system_free_aligned(a->workers[w].escapes);
        nk_system_free_aligned(a->workers[w].active);
    }
    free(a->workers);
    free(a->decided);
    free(a->examples);
    free(a->own_sources);
    nk_exchange_clear(&a->exchange);
}

uint64_t nk_analysis_memory(const struct nk_index *index, int threads, int size)
{
    const uint64_t rows = index->configurations;
    const uint64_t slices = (nk_slice_count(index) + (uint64_t)size - 1) / (uint64_t)size;
    const uint64_t sets = 4 * slices * rows * sizeof(nk_lanes), nonempty = 2 * slices * rows;
    const uint64_t worker = rows * sizeof(nk_lanes) + rows;
    return sets + nonempty + nk_slides_memory(index) + rows + (uint64_t)threads * worker +
           slices * (NK_MAX_SQUARES + NK_SMALLER) * sizeof(nk_lanes) + nk_exchange_memory(rows, size);
}
