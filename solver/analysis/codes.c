/* The codes of a solved board: filled in by slices from the losses, and handed out in parts by orbit, as a table has
 * them. */

#include "solver/analysis/analysis.h"

#include "common/system/system.h"

#include <stdlib.h>
#include <string.h>

/* A part has this many orbits: the codes of a row for them range a cache line. */
enum { PART_ORBITS = 64 };

void nk_codes_describe(struct nk_codes *c, const struct nk_index *index, struct nk_slice_range range,
                       int threads)
{
    *c = (struct nk_codes){.index = index, .range = range, .threads = nk_analysis_threads(&range, threads)};
    const uint64_t codes = (uint64_t)c->threads * index->configurations * NK_SLICE_COLUMNS;
    nk_memory_add(&c->memory, &c->won, index->configurations, sizeof *c->won);
    nk_memory_add(&c->memory, &c->part, (uint64_t)PART_ORBITS * index->per_orbit, 1);
    nk_memory_add(&c->slices_memory, &c->slices, codes, sizeof *c->slices);
}

enum nk_status nk_codes_new(struct nk_losses *losses, int threads, struct nk_codes **out,
                            struct nk_error *error)
{
    struct nk_codes *c = malloc(sizeof *c);
    if (!c)
        return nk_fail_memory(error);
    nk_codes_describe(c, losses->index, nk_cluster_range(losses->cluster, losses->index), threads);
    c->losses = losses;
    if (!nk_memory_allocate(&c->memory)) {
        nk_codes_free(c);
        return nk_fail_memory(error);
    }
    nk_fill_won(losses->index, c->won);
    *out = c;
    return NK_OK;
}

void nk_codes_free(struct nk_codes *c)
{
    if (!c)
        return;
    nk_memory_free(&c->memory);
    nk_memory_free(&c->slices_memory);
    free(c);
}

/* ---- the codes of slices ---- */

/* Sets the codes of a row of a slice, where it has bits. */
static bool set_codes(void *codes, uint8_t code, uint32_t row, const nk_row_bits *bits)
{
    uint8_t *row_codes = (uint8_t *)codes + (size_t)row * NK_SLICE_COLUMNS;
    for (uint32_t w = 0; w < NK_ROW_WORDS; w++)
        for (uint64_t left = bits->word[w]; left; left &= left - 1)
            row_codes[(size_t)w * 64 + (size_t)nk_first(left)] = code;
    return true;
}

/* The losses of no plies, which are not recorded. */
static void set_finished(const struct nk_codes *c, uint32_t slice, uint8_t *codes)
{
    const struct nk_index *index = c->index;
    const nk_row_bits won = nk_columns_by_win(index, slice, c->won, true);
    nk_row_bits occupied[NK_MAX_SQUARES];
    nk_fill_occupied(index, slice, occupied);
    for (uint32_t r = 0; r < index->configurations; r++) {
        const nk_row_bits finished =
            c->won[r] ? nk_no_bits : nk_columns_avoiding(won, occupied, index->squares[r]);
        (void)set_codes(codes, nk_loss_to_code(0), r, &finished);
    }
}

static void fill_slice(void *context, uint32_t item, int worker)
{
    (void)worker;
    struct nk_codes *c = context;
    struct nk_error error;
    const uint32_t slice = c->first + item;
    const size_t bytes = (size_t)c->index->configurations * NK_SLICE_COLUMNS;
    uint8_t *codes = c->slices + item * bytes;
    memset(codes, NK_CODE_WIN, bytes);
    set_finished(c, c->range.first_slice + slice, codes);
    if (nk_losses_read(c->losses, c->range.first_slice + slice, NK_CODE_DRAW, UINT8_MAX, set_codes, codes,
                       &error))
        nk_losses_set_error(c->losses, &error);
    nk_losses_release(c->losses, c->range.first_slice + slice);
}

/* Fills in the codes of a slice of the range and of those after it, as many as there are threads. */
static enum nk_status fill_slices(struct nk_codes *c, uint32_t slice, struct nk_error *error)
{
    if (slice < c->first + c->filled) /* parts are requested in order */
        return NK_OK;
    if (!nk_memory_allocate(&c->slices_memory))
        return nk_fail_memory(error);
    c->first = slice;
    c->filled = (uint32_t)nk_least((uint32_t)c->threads, c->range.slices - slice);
    nk_parallel(c->threads, c->filled, fill_slice, c);
    return nk_losses_error(c->losses, error);
}

/* ---- parts ---- */

uint32_t nk_codes_parts(const struct nk_codes *c)
{
    return (c->index->orbit_count + PART_ORBITS - 1) / PART_ORBITS;
}

/* Rows are packed some at a time, for one orbit after the other: what is read of them stays in the cache. */
enum { PACKED_ROWS = 32 };

struct packing {
    const struct nk_codes *codes;
    uint32_t first, end;  /* orbits of the range */
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
        *entry = codes[(size_t)r * NK_SLICE_COLUMNS];
        entry += !(squares[r] & other);
    }
    return entry;
}

static void pack(void *context, uint32_t item, int worker)
{
    (void)worker;
    const struct packing *packing = context;
    const struct nk_codes *c = packing->codes;
    const struct nk_index *index = c->index;
    const uint32_t first = packing->first + item * packing->item_orbits;
    const uint32_t count = (uint32_t)nk_least(packing->item_orbits, packing->end - first);
    const uint8_t *codes =
        c->slices + (size_t)(first / NK_SLICE_COLUMNS - c->first) * index->configurations * NK_SLICE_COLUMNS +
        first % NK_SLICE_COLUMNS;
    uint8_t *const entries = packing->entries + (size_t)(first - packing->first) * index->per_orbit;
    uint8_t *entry[PART_ORBITS];
    uint64_t other[PART_ORBITS];
    for (uint32_t i = 0; i < count; i++) {
        entry[i] = entries + (size_t)i * index->per_orbit;
        other[i] = nk_index_canonical_squares(index, c->range.first_orbit + first + i);
    }
    for (uint32_t r = 0; r < index->configurations; r += PACKED_ROWS) {
        const uint32_t more = index->configurations - r, rows = (uint32_t)nk_least(PACKED_ROWS, more);
        for (uint32_t next = PACKED_ROWS; next < 2 * PACKED_ROWS && next < more; next++)
            __builtin_prefetch(codes + (size_t)(r + next) * NK_SLICE_COLUMNS);
        for (uint32_t i = 0; i < count; i++)
            entry[i] = pack_rows(index->squares + r, rows, other[i], codes + (size_t)r * NK_SLICE_COLUMNS + i,
                                 entry[i], entries + (size_t)(i + 1) * index->per_orbit);
    }
}

/* Copies the codes of the orbits from `first` to before `end`, of the range, to c->part. */
static void pack_part(const struct nk_codes *c, uint32_t first, uint32_t end)
{
    const uint32_t orbits = end - first, threads = (uint32_t)c->threads;
    struct packing packing = {c, first, end, (orbits + threads - 1) / threads, c->part};
    nk_parallel(c->threads, (orbits + packing.item_orbits - 1) / packing.item_orbits, pack, &packing);
}

/* The process whose range has a slice. */
static int owner_of(const struct nk_codes *c, uint32_t slice)
{
    int process = 0;
    while (nk_cluster_first_slice(c->losses->cluster, c->index, process + 1) <= slice)
        process++;
    return process;
}

enum nk_status nk_codes_part(struct nk_codes *c, uint32_t part, const uint8_t **codes, uint64_t *count,
                             struct nk_error *error)
{
    const struct nk_index *index = c->index;
    const struct nk_cluster *cluster = c->losses->cluster;
    const int owner = owner_of(c, part * PART_ORBITS / NK_SLICE_COLUMNS);
    const uint32_t orbits = (uint32_t)nk_least(index->orbit_count - part * PART_ORBITS, PART_ORBITS);
    *count = (uint64_t)orbits * index->per_orbit;
    *codes = NULL;
    if (nk_cluster_process(cluster) == owner) {
        const uint32_t first = part * PART_ORBITS - c->range.first_orbit;
        const enum nk_status status = fill_slices(c, first / NK_SLICE_COLUMNS, error);
        if (status)
            return status;
        pack_part(c, first, first + orbits);
        if (first + orbits == c->range.orbits) { /* the caller may need the memory for the trap values */
            nk_memory_free(&c->slices_memory);
            c->filled = 0;
        }
    }
    if (cluster)
        cluster->gather(owner, c->part, (size_t)*count);
    if (nk_cluster_is_first(cluster))
        *codes = c->part;
    return NK_OK;
}
