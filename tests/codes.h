/* All codes of a solved board, and its traps, for tests that need them at once. */
#ifndef CODES_H
#define CODES_H

#include "solver/solution.h"
#include "solver/trap.h"

#include <stdlib.h>
#include <string.h>

/* The caller frees *codes. */
static inline enum nk_status all_codes(struct nk_solution *solution, uint8_t **codes, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    uint8_t *at = *codes = malloc(solution->index->entries);
    if (!at)
        return NK_E_MEMORY;
    for (uint32_t part = 0; part < nk_solution_parts(solution) && !status; part++) {
        const uint8_t *some;
        uint64_t count;
        if (!(status = nk_solution_part(solution, part, &some, &count, error))) {
            memcpy(at, some, count);
            at += count;
        }
    }
    if (status)
        free(*codes);
    return status;
}

/* The caller frees *values. */
static inline enum nk_status traps_of(const struct nk_index *index, const uint8_t *codes, int threads,
                                      uint8_t **values)
{
    struct nk_traps *traps;
    enum nk_status status = nk_traps_new(index, &traps);
    nk_traps_add(traps, codes, index->entries);
    if (!status)
        status = nk_traps_compute(traps, threads, NULL, values);
    nk_traps_free(traps);
    return status;
}

#endif
