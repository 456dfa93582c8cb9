#include "solver/analysis.h"
#include "solver/comm.h"

#include <stdlib.h>
#include <string.h>

void nk_solution_free(struct nk_solution *solution)
{
    if (!solution)
        return;
    if (solution->analysis) {
        free(solution->analysis->squares);
        free(solution->analysis->codes);
        free(solution->analysis);
    }
    free(solution->part);
    free(solution);
}

uint32_t nk_solution_parts(const struct nk_solution *solution)
{
    return (solution->analysis->index->orbit_count + NK_PART_CLASSES - 1) / NK_PART_CLASSES;
}

/* Orbits that are packed at once. */
enum { TOGETHER = 8 };

struct packing {
    const struct nk_analysis *a;
    uint32_t first, end; /* orbits of this rank */
    uint8_t *entries;    /* of the first orbit on */
};

/* From codes by mover, which pay no heed to overlaps, to the entries of the index: those of a few orbits. */
static void pack(void *context, uint32_t item, int number)
{
    (void)number;
    const struct packing *packing = context;
    const struct nk_analysis *a = packing->a;
    const uint32_t first = packing->first + item * TOGETHER;
    const uint32_t count = packing->end - first < TOGETHER ? packing->end - first : TOGETHER;
    const uint8_t *codes = a->codes + (size_t)(first / NK_LANES) * a->rows * NK_LANES + first % NK_LANES;
    uint8_t *entry[TOGETHER], *end[TOGETHER];
    uint64_t other[TOGETHER];
    for (uint32_t i = 0; i < count; i++) {
        entry[i] = packing->entries + (size_t)(item * TOGETHER + i) * a->index->per_orbit;
        end[i] = entry[i] + a->index->per_orbit;
        other[i] = a->squares[a->index->orbits[a->first_class + first + i].images[0]];
    }
    for (uint32_t r = 0; r < a->rows; r++, codes += NK_LANES)
        for (uint32_t i = 0; i < count; i++)
            if (entry[i] != end[i]) {
                *entry[i] = codes[i]; /* overwritten by the next one if the sides overlap: cheaper than to
                                         branch */
                entry[i] += !(a->squares[r] & other[i]);
            }
}

/* The rank that has the codes of a part. */
static int owner_of(const struct nk_analysis *a, uint32_t part)
{
    const uint32_t slices = (a->index->orbit_count + NK_LANES - 1) / NK_LANES;
    int rank = 0;
    while (nk_first_slice(slices, rank + 1) <= part * NK_PART_CLASSES / NK_LANES)
        rank++;
    return rank;
}

void nk_solution_part(struct nk_solution *solution, uint32_t part, const uint8_t **codes, uint64_t *count)
{
    const struct nk_analysis *a = solution->analysis;
    const struct nk_index *index = a->index;
    const int owner = owner_of(a, part);
    const uint32_t left = index->orbit_count - part * NK_PART_CLASSES;
    const uint32_t orbits = left < NK_PART_CLASSES ? left : NK_PART_CLASSES;
    *count = (uint64_t)orbits * index->per_orbit;
    *codes = NULL;
    if (nk_comm_rank() == owner) {
        const uint32_t first = part * NK_PART_CLASSES - a->first_class;
        nk_parallel(a->threads, (orbits + TOGETHER - 1) / TOGETHER, pack,
                    &(struct packing){a, first, first + orbits, solution->part});
    }
    if (nk_comm_rank() == owner && owner)
        nk_comm_send(solution->part, *count);
    if (nk_comm_rank() == 0 && owner)
        nk_comm_receive(owner, solution->part, *count);
    if (nk_comm_rank() == 0)
        *codes = solution->part;
}

enum nk_status nk_solution_codes(struct nk_solution *solution, uint8_t **out, struct nk_error *error)
{
    const bool is_first = nk_comm_rank() == 0;
    uint8_t *all = is_first ? malloc(solution->analysis->index->entries) : NULL, *at = all;
    enum nk_status status = NK_OK;
    if (!nk_comm_all(all || !is_first))
        status = nk_fail(error, NK_E_MEMORY, 0, "out of memory for the solution");
    for (uint32_t part = 0; part < nk_solution_parts(solution) && !status; part++) {
        const uint8_t *codes;
        uint64_t count;
        nk_solution_part(solution, part, &codes, &count);
        if (all && codes) { /* on rank 0 */
            memcpy(at, codes, count);
            at += count;
        }
    }
    if (status)
        free(all);
    else
        *out = all;
    return status;
}
