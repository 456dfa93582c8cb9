#include "solver/analysis/solution.h"

#include "common/system/parallel.h"
#include "common/system/system.h"
#include "solver/analysis/slide.h"

#include <stdlib.h>
#include <string.h>

/* A part has this many orbits: the codes of a row for them share a cache line. */
enum { PART_ORBITS = 64 };

int nk_solution_threads(const struct nk_share *share, int threads)
{
    if (threads <= 0)
        threads = nk_system_processors();
    /* For a single slice, starting threads would take longer than they save. */
    return (uint32_t)threads < share->slices ? threads : share->slices ? (int)share->slices : 1;
}

void nk_solution_list(struct nk_solution *solution, const struct nk_index *index, struct nk_share share,
                      int threads)
{
    *solution =
        (struct nk_solution){.index = index, .share = share, .threads = nk_solution_threads(&share, threads)};
    const uint64_t codes = (uint64_t)solution->threads * index->configurations * NK_LANES;
    nk_memory_list(&solution->memory, &solution->won, index->configurations, sizeof *solution->won);
    nk_memory_list(&solution->memory, &solution->part, (uint64_t)PART_ORBITS * index->per_orbit, 1);
    nk_memory_list(&solution->codes_memory, &solution->codes, codes, sizeof *solution->codes);
}

struct nk_solution *nk_solution_new(const struct nk_index *index, struct nk_log *log, int threads)
{
    struct nk_solution *solution = malloc(sizeof *solution);
    if (!solution)
        return NULL;
    nk_solution_list(solution, index, nk_cluster_share(index), threads);
    solution->log = log;
    solution->owns_log = !log;
    if (!nk_memory_allocate(&solution->memory) || (!log && nk_log_open(NULL, index, &solution->log, NULL))) {
        nk_solution_free(solution);
        return NULL;
    }
    for (uint32_t r = 0; r < index->configurations; r++)
        solution->won[r] = nk_rules_won(&index->rules, index->squares[r]);
    return solution;
}

void nk_solution_free(struct nk_solution *solution)
{
    if (!solution)
        return;
    if (solution->owns_log)
        nk_log_close(solution->log);
    nk_memory_free(&solution->memory);
    nk_memory_free(&solution->codes_memory);
    free(solution);
}

/* ---- the codes of slices ---- */

static void set_codes(uint8_t *codes, uint32_t row, const nk_lanes *lanes, uint8_t code)
{
    for (uint32_t w = 0; w < NK_LANE_WORDS; w++)
        for (uint64_t left = lanes->word[w]; left; left &= left - 1)
            codes[(size_t)row * NK_LANES + (size_t)w * 64 + (size_t)nk_first(left)] = code;
}

static bool set_recorded(void *codes, uint8_t code, uint32_t row, const nk_lanes *lanes)
{
    set_codes(codes, row, lanes, code);
    return true;
}

/* The losses of no plies, which the log does not have. */
static void set_finished(const struct nk_solution *solution, uint32_t slice, uint8_t *codes)
{
    const struct nk_index *index = solution->index;
    const nk_lanes won = nk_columns_by_win(index, slice, solution->won, true);
    nk_lanes occupied[NK_MAX_SQUARES];
    nk_fill_occupied(index, slice, occupied);
    for (uint32_t r = 0; r < index->configurations; r++) {
        const nk_lanes finished =
            solution->won[r] ? nk_no_lanes : nk_columns_avoiding(won, occupied, index->squares[r]);
        set_codes(codes, r, &finished, nk_code_loss(0));
    }
}

static void fill_slice(void *context, uint32_t item, int worker)
{
    (void)worker;
    struct nk_solution *solution = context;
    struct nk_error error;
    const uint32_t slice = solution->first + item;
    const size_t bytes = (size_t)solution->index->configurations * NK_LANES;
    uint8_t *codes = solution->codes + item * bytes;
    memset(codes, NK_CODE_WIN, bytes);
    set_finished(solution, solution->share.first_slice + slice, codes);
    if (nk_log_read(solution->log, solution->share.first_slice + slice, NK_CODE_DRAW, UINT8_MAX, set_recorded,
                    codes, &error))
        nk_log_fail(solution->log, &error);
    nk_log_release(solution->log, solution->share.first_slice + slice);
}

/* Fills in the codes of a slice of the share and of those after it, as many as there are threads. */
static enum nk_status fill_slices(struct nk_solution *solution, uint32_t slice, struct nk_error *error)
{
    const uint32_t most = (uint32_t)solution->threads, left = solution->share.slices - slice;
    if (slice < solution->first + solution->filled) /* parts are requested in order */
        return NK_OK;
    if (!nk_memory_allocate(&solution->codes_memory))
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the codes of the table");
    solution->first = slice;
    solution->filled = left < most ? left : most;
    nk_parallel(solution->threads, solution->filled, fill_slice, solution);
    return nk_log_failure(solution->log, error);
}

/* ---- parts ---- */

uint32_t nk_solution_parts(const struct nk_solution *solution)
{
    return (solution->index->orbit_count + PART_ORBITS - 1) / PART_ORBITS;
}

/* Rows are packed some at a time, for one orbit after the other: what is read of them stays in the cache. */
enum { PACKED_ROWS = 32 };

struct packing {
    const struct nk_solution *solution;
    uint32_t first, end;  /* orbits of the share */
    uint32_t item_orbits; /* that one item of work packs */
    uint8_t *entries;     /* receives the codes; begins with those of the first orbit */
};

/* Copies the codes of rows of an orbit, leaving out the configurations of the mover that overlap the other side. What
 * is left is in the order of the entries. Returns where the next code belongs, at most `end`. */
static uint8_t *pack_rows(const uint64_t *squares, uint32_t rows, uint64_t other, const uint8_t *codes,
                          uint8_t *entry, const uint8_t *end)
{
    for (uint32_t r = 0; r < rows && entry != end; r++) {
        /* If the sides overlap the next code overwrites this one: faster than a branch. */
        *entry = codes[(size_t)r * NK_LANES];
        entry += !(squares[r] & other);
    }
    return entry;
}

static void pack(void *context, uint32_t item, int worker)
{
    (void)worker;
    const struct packing *packing = context;
    const struct nk_solution *solution = packing->solution;
    const struct nk_index *index = solution->index;
    const uint32_t first = packing->first + item * packing->item_orbits, left = packing->end - first;
    const uint32_t count = left < packing->item_orbits ? left : packing->item_orbits;
    const uint8_t *codes = solution->codes +
                           (size_t)(first / NK_LANES - solution->first) * index->configurations * NK_LANES +
                           first % NK_LANES;
    uint8_t *const entries = packing->entries + (size_t)(first - packing->first) * index->per_orbit;
    uint8_t *entry[PART_ORBITS];
    uint64_t other[PART_ORBITS];
    for (uint32_t i = 0; i < count; i++) {
        entry[i] = entries + (size_t)i * index->per_orbit;
        other[i] = index->squares[index->orbits[solution->share.first_orbit + first + i].images[0]];
    }
    for (uint32_t r = 0; r < index->configurations; r += PACKED_ROWS) {
        const uint32_t more = index->configurations - r, rows = more < PACKED_ROWS ? more : PACKED_ROWS;
        for (uint32_t next = PACKED_ROWS; next < 2 * PACKED_ROWS && next < more; next++)
            __builtin_prefetch(codes + (size_t)(r + next) * NK_LANES);
        for (uint32_t i = 0; i < count; i++)
            entry[i] = pack_rows(index->squares + r, rows, other[i], codes + (size_t)r * NK_LANES + i,
                                 entry[i], entries + (size_t)(i + 1) * index->per_orbit);
    }
}

/* Copies the codes of the orbits from `first` to before `end`, of the share, to solution->part. */
static void pack_part(const struct nk_solution *solution, uint32_t first, uint32_t end)
{
    const uint32_t orbits = end - first, threads = (uint32_t)solution->threads;
    struct packing packing = {solution, first, end, (orbits + threads - 1) / threads, solution->part};
    nk_parallel(solution->threads, (orbits + packing.item_orbits - 1) / packing.item_orbits, pack, &packing);
}

enum nk_status nk_solution_part(struct nk_solution *solution, uint32_t part, const uint8_t **codes,
                                uint64_t *count, struct nk_error *error)
{
    const struct nk_index *index = solution->index;
    const int owner = nk_cluster_owner(index, part * PART_ORBITS / NK_LANES);
    const bool is_owner = nk_cluster_process() == owner, is_first = nk_cluster_is_first();
    const uint32_t left = index->orbit_count - part * PART_ORBITS;
    const uint32_t orbits = left < PART_ORBITS ? left : PART_ORBITS;
    enum nk_status status = NK_OK;
    *count = (uint64_t)orbits * index->per_orbit;
    *codes = NULL;
    if (!status && is_owner) {
        const uint32_t first = part * PART_ORBITS - solution->share.first_orbit;
        if (!(status = fill_slices(solution, first / NK_LANES, error)))
            pack_part(solution, first, first + orbits);
        if (first + orbits ==
            solution->share.orbits) { /* the caller may need the memory for the trap values */
            nk_memory_free(&solution->codes_memory);
            solution->filled = 0;
        }
    }
    if (status)
        return status;
    nk_cluster_gather(owner, solution->part, (size_t)*count);
    if (is_first)
        *codes = solution->part;
    return NK_OK;
}
