#include "solver/solution.h"

#include "common/parallel.h"
#include "solver/comm.h"

#include <stdlib.h>
#include <string.h>

/* A part has this many orbits: the codes of a row for them share a cache line. */
enum { PART_ORBITS = 64 };

struct nk_solution *nk_solution_new(const struct nk_index *index, int threads)
{
    struct nk_solution *solution = calloc(1, sizeof *solution);
    if (!solution)
        return NULL;
    const struct nk_share share = nk_share_of(index, nk_comm_rank(), nk_comm_size());
    const size_t rows = (size_t)share.slices * index->configurations;
    solution->index = index;
    solution->share = share;
    /* One thread works on a slice; for a single slice, starting threads would take longer than they save. */
    solution->threads = (uint32_t)threads < share.slices ? threads : share.slices ? (int)share.slices : 1;
    solution->squares = malloc(index->configurations * sizeof *solution->squares);
    solution->codes =
        calloc(rows + 1, NK_LANES); /* a process may have no slices, but no allocation is empty */
    solution->part = malloc((size_t)PART_ORBITS * index->per_orbit);
    if (!solution->squares || !solution->codes || !solution->part) {
        nk_solution_free(solution);
        return NULL;
    }
    uint64_t squares = nk_bit(index->rules.pieces) - 1;
    for (uint32_t r = 0; r < index->configurations; r++, squares = nk_index_next(squares))
        solution->squares[r] = squares;
    return solution;
}

void nk_solution_free(struct nk_solution *solution)
{
    if (!solution)
        return;
    free(solution->squares);
    free(solution->codes);
    free(solution->part);
    free(solution);
}

uint64_t nk_solution_memory(const struct nk_index *index, int size)
{
    const uint64_t slices = (nk_slice_count(index) + (uint64_t)size - 1) / (uint64_t)size;
    return slices * index->configurations * NK_LANES + (uint64_t)PART_ORBITS * index->per_orbit +
           sizeof(uint64_t) * index->configurations;
}

uint32_t nk_solution_parts(const struct nk_solution *solution)
{
    return (solution->index->orbit_count + PART_ORBITS - 1) / PART_ORBITS;
}

/* The orbits that one item of work packs. */
enum { PACKED_ORBITS = 8 };

struct packing {
    const struct nk_solution *solution;
    uint32_t first, end; /* orbits of the share */
    uint8_t *entries;    /* receives the codes; begins with those of the first orbit */
};

/* Copies the codes of a few orbits, leaving out the configurations of the mover that overlap the other side. What is
 * left is in the order of the entries. */
static void pack(void *context, uint32_t item, int worker)
{
    (void)worker;
    const struct packing *packing = context;
    const struct nk_solution *solution = packing->solution;
    const struct nk_index *index = solution->index;
    const uint32_t first = packing->first + item * PACKED_ORBITS;
    const uint32_t count = packing->end - first < PACKED_ORBITS ? packing->end - first : PACKED_ORBITS;
    const uint8_t *codes =
        solution->codes + (size_t)(first / NK_LANES) * index->configurations * NK_LANES + first % NK_LANES;
    uint8_t *entry[PACKED_ORBITS], *end[PACKED_ORBITS];
    uint64_t other[PACKED_ORBITS];
    for (uint32_t i = 0; i < count; i++) {
        entry[i] = packing->entries + (size_t)(item * PACKED_ORBITS + i) * index->per_orbit;
        end[i] = entry[i] + index->per_orbit;
        other[i] = solution->squares[index->orbits[solution->share.first_orbit + first + i].images[0]];
    }
    for (uint32_t r = 0; r < index->configurations; r++, codes += NK_LANES)
        for (uint32_t i = 0; i < count; i++)
            if (entry[i] != end[i]) {
                /* If the sides overlap the next code overwrites this one: faster than a branch. */
                *entry[i] = codes[i];
                entry[i] += !(solution->squares[r] & other[i]);
            }
}

/* The process that has the codes of a part. */
static int owner_of(const struct nk_index *index, uint32_t part)
{
    const uint32_t slice = part * PART_ORBITS / NK_LANES;
    int rank = 0;
    while (nk_share_of(index, rank + 1, nk_comm_size()).first_slice <= slice)
        rank++;
    return rank;
}

void nk_solution_part(struct nk_solution *solution, uint32_t part, const uint8_t **codes, uint64_t *count)
{
    const struct nk_index *index = solution->index;
    const int owner = owner_of(index, part);
    const uint32_t left = index->orbit_count - part * PART_ORBITS;
    const uint32_t orbits = left < PART_ORBITS ? left : PART_ORBITS;
    *count = (uint64_t)orbits * index->per_orbit;
    *codes = NULL;
    if (nk_comm_rank() == owner) {
        const uint32_t first = part * PART_ORBITS - solution->share.first_orbit;
        nk_parallel(solution->threads, (orbits + PACKED_ORBITS - 1) / PACKED_ORBITS, pack,
                    &(struct packing){solution, first, first + orbits, solution->part});
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
    uint8_t *all = is_first ? malloc(solution->index->entries) : NULL, *at = all;
    *out = NULL;
    if (!nk_comm_all(all || !is_first)) {
        free(all);
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the solution");
    }
    for (uint32_t part = 0; part < nk_solution_parts(solution); part++) {
        const uint8_t *codes;
        uint64_t count;
        nk_solution_part(solution, part, &codes, &count);
        if (all && codes) { /* `all` is for the analysers: codes are NULL except in process 0 */
            memcpy(at, codes, count);
            at += count;
        }
    }
    *out = all;
    return NK_OK;
}
