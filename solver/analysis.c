#include "solver/analysis.h"

#include "solver/comm.h"

#include <stdlib.h>
#include <string.h>

static void *new_lanes(size_t count)
{
    void *lanes = aligned_alloc(sizeof(nk_lanes), (count + 1) * sizeof(nk_lanes)); /* a rank may have none */
    if (lanes)
        memset(lanes, 0, count * sizeof(nk_lanes));
    return lanes;
}

void nk_end_analysis(struct nk_analysis *a)
{
    nk_slides_free(&a->slides);
    free(a->won);
    free(a->occupied);
    free(a->small);
    free(a->open);
    free(a->found);
    free(a->fresh);
    free(a->almost_win);
    free(a->found_any);
    free(a->fresh_any);
    for (int w = 0; a->workers && w < a->threads; w++) {
        free(a->workers[w].escapes);
        free(a->workers[w].bench);
        free(a->workers[w].wanted);
    }
    free(a->workers);
    free(a->decided);
    free(a->sources);
    nk_exchange_free(&a->exchange);
    free(a->errors);
}

static void describe_columns(struct nk_analysis *a)
{
    const struct nk_index *index = a->index;
    const struct nk_orbit *orbits = index->orbits + a->first_class;
    for (uint32_t c = 0; c < a->orbits; c++) {
        const uint32_t slice = c / NK_LANES, word = c % NK_LANES / 64;
        if (orbits[c].size < (uint32_t)index->rules.symmetries)
            a->small[slice].word[word] |= nk_bit(c % 64);
        for (uint64_t left = a->squares[orbits[c].images[0]]; left; left &= left - 1)
            a->occupied[(size_t)slice * NK_MAX_SQUARES + (size_t)nk_first(left)].word[word] |= nk_bit(c % 64);
    }
}

static void describe_rows(struct nk_analysis *a)
{
    uint64_t squares = nk_bit(a->index->rules.pieces) - 1;
    for (uint32_t r = 0; r < a->rows; r++, squares = nk_index_next(squares)) {
        a->squares[r] = squares;
        a->won[r] = nk_rules_won(&a->index->rules, squares);
    }
}

static bool begin_workers(struct nk_analysis *a)
{
    for (int w = 0; w < a->threads; w++) {
        struct nk_worker *worker = &a->workers[w];
        worker->escapes = new_lanes(a->rows);
        worker->bench = new_lanes(sizeof *worker->bench / sizeof(nk_lanes));
        worker->wanted = new_lanes(a->slides.groups / sizeof(nk_lanes) + 1);
        if (!worker->escapes || !worker->bench || !worker->wanted)
            return false;
    }
    return true;
}

bool nk_begin_analysis(struct nk_analysis *a, const struct nk_index *index, int threads)
{
    const uint32_t all = (index->orbit_count + NK_LANES - 1) / NK_LANES;
    const uint32_t first = nk_first_slice(all, nk_comm_rank()),
                   next = nk_first_slice(all, nk_comm_rank() + 1);
    a->index = index;
    a->rows = index->configurations;
    a->slices = next - first;
    a->first_class = first * NK_LANES;
    a->orbits = next == all ? index->orbit_count - a->first_class : a->slices * NK_LANES;
    if (!a->slices)
        a->orbits = 0;
    /* A slice is work for one; on a board with a single one, starting threads would take longer than it
     * saves. */
    a->threads = (uint32_t)threads < a->slices ? threads : (int)a->slices;
    a->threads = a->threads ? a->threads : 1;
    const size_t all_rows = (size_t)a->slices * a->rows;
    if (nk_slides_make(index, &a->slides))
        return false;
    a->squares = malloc(a->rows * sizeof *a->squares);
    a->won = malloc(a->rows);
    a->occupied = new_lanes((size_t)a->slices * NK_MAX_SQUARES);
    a->small = new_lanes(a->slices);
    a->open = new_lanes(all_rows);
    a->found = new_lanes(all_rows);
    a->fresh = new_lanes(all_rows);
    a->almost_win = new_lanes(all_rows);
    a->found_any = calloc(all_rows + 1, 1);
    a->fresh_any = calloc(all_rows + 1, 1);
    a->codes = calloc(all_rows + 1, NK_LANES);
    a->workers = calloc((size_t)a->threads, sizeof *a->workers);
    a->decided = calloc((size_t)a->slices + 1, sizeof *a->decided);
    a->sources = calloc((size_t)a->slices + 1, sizeof *a->sources);
    a->errors = calloc((size_t)a->slices + 1, sizeof *a->errors);
    if (!a->squares || !a->won || !a->occupied || !a->small || !a->open || !a->found || !a->fresh ||
        !a->almost_win || !a->found_any || !a->fresh_any || !a->codes || !a->workers || !a->decided ||
        !a->sources || !a->errors || !begin_workers(a))
        return false;
    for (uint32_t s = 0; s < a->slices; s++)
        a->sources[s] =
            (struct nk_source){first + s, a->found + (size_t)s * a->rows, a->found_any + (size_t)s * a->rows};
    describe_rows(a);
    describe_columns(a);
    return nk_comm_size() == 1 || nk_exchange_make(index, &a->exchange) == NK_OK;
}

uint64_t nk_solution_memory(const struct nk_index *index, int ranks)
{
    const uint64_t all_slices = (index->orbit_count + NK_LANES - 1) / NK_LANES;
    const uint64_t slices = (all_slices + (uint64_t)ranks - 1) / (uint64_t)ranks;
    return slices * index->configurations * NK_LANES + (uint64_t)NK_PART_CLASSES * index->per_orbit;
}

uint64_t nk_solve_memory(const struct nk_index *index, int threads, int ranks)
{
    const uint64_t rows = index->configurations;
    const uint64_t all_slices = (index->orbit_count + NK_LANES - 1) / NK_LANES;
    const uint64_t slices = (all_slices + (uint64_t)ranks - 1) / (uint64_t)ranks;
    const uint64_t matrix = slices * rows * sizeof(nk_lanes);
    const uint64_t workers = (uint64_t)(threads > 0 ? threads : nk_processors());
    return nk_solution_memory(index, ranks) + 4 * matrix + 2 * slices * rows /* sets and flags */
           + nk_slides_memory(index) + rows * 9 +
           workers * (rows * sizeof(nk_lanes) + rows + sizeof(struct nk_bench)) +
           slices * (NK_MAX_SQUARES + 1) * sizeof(nk_lanes) + nk_exchange_memory(rows, ranks);
}
