#include "solver/analysis.h"

#include "solver/comm.h"

#include <stdlib.h>
#include <string.h>

/* Allocates zeroed lanes. A process may have no slices, but no allocation is empty. */
static void *new_lanes(size_t count)
{
    void *lanes = aligned_alloc(sizeof(nk_lanes), (count + 1) * sizeof(nk_lanes));
    if (lanes)
        memset(lanes, 0, count * sizeof(nk_lanes));
    return lanes;
}

static bool init_set(struct nk_bitset *set, size_t rows, bool has_nonempty)
{
    set->rows = new_lanes(rows);
    set->nonempty = has_nonempty ? calloc(rows + 1, 1) : NULL;
    return set->rows && (set->nonempty || !has_nonempty);
}

static void clear_set(struct nk_bitset *set)
{
    free(set->rows);
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
        for (uint64_t left = a->squares[orbits[c].images[0]]; left; left &= left - 1)
            a->occupied[(size_t)slice * NK_MAX_SQUARES + (size_t)nk_first(left)].word[word] |= nk_bit(c % 64);
    }
}

static bool init_workers(struct nk_analysis *a)
{
    for (int w = 0; w < a->threads; w++) {
        struct nk_worker *worker = &a->workers[w];
        worker->escapes = new_lanes(a->rows);
        worker->active = new_lanes(a->slides.stationary_count / sizeof(nk_lanes) + 1);
        if (!worker->escapes || !worker->active)
            return false;
    }
    return true;
}

bool nk_analysis_init(struct nk_analysis *a, struct nk_solution *solution)
{
    const struct nk_index *index = solution->index;
    const size_t slices = solution->share.slices, rows = slices * index->configurations;
    memset(a, 0, sizeof *a);
    a->index = index;
    a->rows = index->configurations;
    a->share = solution->share;
    a->squares = solution->squares;
    a->won = solution->won;
    a->log = solution->log;
    a->threads = solution->threads;
    if (nk_slides_init(index, &a->slides))
        return false;
    a->occupied = new_lanes(slices * NK_MAX_SQUARES);
    a->smaller = new_lanes(slices * NK_SMALLER);
    const bool has_sets = init_set(&a->undecided, rows, false) && init_set(&a->next, rows, true) &&
                          init_set(&a->frontier, rows, true) && init_set(&a->almost_win, rows, false);
    a->workers = calloc((size_t)a->threads, sizeof *a->workers);
    a->decided = calloc(slices + 1, sizeof *a->decided);
    a->own_sources = calloc(slices + 1, sizeof *a->own_sources);
    if (!a->occupied || !a->smaller || !has_sets || !a->workers || !a->decided || !a->own_sources ||
        !init_workers(a))
        return false;
    for (uint32_t s = 0; s < a->share.slices; s++) {
        const struct nk_bitset next = nk_slice_of(a, &a->next, s);
        a->own_sources[s] = (struct nk_source){a->share.first_slice + s, next.rows, next.nonempty};
    }
    describe_columns(a);
    return nk_comm_size() == 1 || nk_exchange_init(index, &a->exchange) == NK_OK;
}

void nk_analysis_clear(struct nk_analysis *a)
{
    nk_slides_clear(&a->slides);
    free(a->occupied);
    free(a->smaller);
    clear_set(&a->undecided);
    clear_set(&a->next);
    clear_set(&a->frontier);
    clear_set(&a->almost_win);
    for (int w = 0; a->workers && w < a->threads; w++) {
        free(a->workers[w].escapes);
        free(a->workers[w].active);
    }
    free(a->workers);
    free(a->decided);
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
