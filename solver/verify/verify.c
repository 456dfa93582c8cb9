/* How the verifier works. The codes of an orbit, a row, belong to positions in which a canonical configuration of the
 * other side does not move. A move leads from them to positions in which this configuration is to move: these have one
 * entry in nearly every row of the table. So the orbits are processed in batches of groups. For each batch the whole
 * table is read once, in order, and what is needed from each row is copied to `after`, by configuration of the other
 * side, with the orbits of a group in neighbouring bytes (scatter). Then all moves against the orbits of a group
 * are examined at once (nk_group_check).
 *
 * This happens twice. The first phase, `measure`, reads the codes of the table, and stores the distances of wins that
 * it finds, a row for each row of the table. The second one, `check`, reads these rows instead. */

#include "solver/verify/verify.h"

#include "common/system/system.h"
#include "common/table/table.h"
#include "solver/analysis/traps.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { GROUP = NK_VERIFY_GROUP };
static_assert((int)GROUP == 64, "a group has as many rows as nk_index_apart has bits: tiles are square");

struct verify_worker {
    struct nk_group_bytes *bytes; /* [index->words * GROUP] scratch for a group, by configuration */
    uint8_t *rows;                /* [GROUP][stride] of the table */
    uint8_t *packed;              /* [NK_PACK_BOUND(per_orbit)] */
    struct nk_code_reader reader;
    struct nk_findings findings;
};

struct verifier {
    struct nk_table *table;
    const struct nk_index *index;
    const struct nk_verify_options *options;
    const struct nk_verify_kernel *kernel;
    enum nk_verify_phase phase;
    int threads;
    size_t stride;       /* bytes of a row in memory: one after the last is read, but never used */
    uint32_t groups;     /* of all orbits */
    uint32_t batch_size; /* groups at most */
    uint32_t first_group, end_group; /* of the batch */
    uint32_t first_item;             /* the group that is item 0 of the present work */
    double done, work;               /* rows of all phases, for the progress */

    bool *won;                     /* [configurations] */
    struct verify_worker *workers; /* [threads]; the next ones are their scratch */
    struct nk_group_bytes *bytes;
    uint8_t *rows, *packed;
    struct nk_memory memory; /* of the arrays above */

    struct nk_group_bytes *after;  /* [batch_size][configurations] */
    struct nk_memory after_memory; /* is freed first */

    /* What `measure` finds: the codes of the nearest losses of wins, otherwise 0. */
    struct nk_stored_rows nearest;

    /* The checksum of all codes: `measure` adds the rows of one group after the other. */
    XXH3_state_t *checksum;
    uint32_t in_checksum; /* groups */
    pthread_mutex_t mutex;
    pthread_cond_t is_added; /* a group */

    struct nk_traps *traps;
    const uint8_t *right;       /* the trap values of all draws */
    _Atomic uint32_t *draws_in; /* [blocks of codes + 1]; then how many are before each */
};

/* ---- failures ---- */

/* Records in *error (may be NULL) that the value of an entry is wrong, with its position and the reason. Returns
 * NK_E_CORRUPT. */
static enum nk_status disagree(const struct nk_index *index, uint64_t entry, const char *why,
                               struct nk_error *error)
{
    return nk_fail(error, NK_E_CORRUPT, 0, "the table is wrong: %s: %s",
                   nk_position_text(&index->rules, nk_index_position(index, entry), NK_BLACK).s, why);
}

/* Records a failure at an entry, unless there is one at a lower entry. */
static void record_failure(struct nk_first_failure *first, uint64_t entry, const struct nk_error *error)
{
    if (entry < first->entry)
        *first = (struct nk_first_failure){entry, *error};
}

void nk_first_failure_disagree(struct nk_first_failure *first, const struct nk_index *index, uint64_t entry,
                               const char *why)
{
    struct nk_error error;
    if (entry >= first->entry)
        return;
    (void)disagree(index, entry, why, &error);
    record_failure(first, entry, &error);
}

/* The failure at the lowest entry of any thread. */
static enum nk_status first_failure(const struct verifier *v, struct nk_error *error)
{
    const struct nk_first_failure *first = &v->workers[0].findings.failure;
    for (int t = 1; t < v->threads; t++)
        if (v->workers[t].findings.failure.entry < first->entry)
            first = &v->workers[t].findings.failure;
    return first->entry == NK_NO_FAILURE ? NK_OK
                                         : nk_fail(error, first->error.status, 0, "%s", first->error.text);
}

/* ---- work in threads ---- */

/* Does `work` for the groups from `first` on, some at a time: then it reports progress, and stops after a failure.
 * `cost` is that of a row, in units of `v->work`. */
static enum nk_status for_groups(struct verifier *v, uint32_t first, uint32_t end, nk_work *work, int cost,
                                 struct nk_error *error)
{
    const uint32_t most = 8 * (uint32_t)v->threads;
    enum nk_status status = NK_OK;
    for (uint32_t count; !status && first < end; first += count) {
        count = (uint32_t)nk_least(most, end - first);
        v->first_item = first;
        nk_parallel(v->threads, count, work, v);
        v->done += (double)count * cost;
        nk_progress_report(v->options->progress, v->done < v->work ? v->done / v->work : 1);
        status = first_failure(v, error);
    }
    return status;
}

static uint32_t end_of_group(const struct verifier *v, uint32_t group)
{
    return (uint32_t)nk_least((uint64_t)(group + 1) * GROUP, v->index->orbit_count);
}

/* Records a failure at a row. Returns whether there is none. */
static bool succeeds(const struct verifier *v, struct verify_worker *w, uint32_t orbit, enum nk_status status,
                     const struct nk_error *error)
{
    if (status)
        record_failure(&w->findings.failure, (uint64_t)orbit * v->index->per_orbit, error);
    return !status;
}

/* Reads a row of the table. Returns false after a failure, which is recorded; so do the next functions. */
static bool read_row(const struct verifier *v, struct verify_worker *w, uint32_t orbit, uint8_t *row)
{
    const uint32_t length = v->index->per_orbit;
    struct nk_error error;
    const enum nk_status status =
        nk_table_codes(v->table, &w->reader, (uint64_t)orbit * length, length, row, &error);
    return succeeds(v, w, orbit, status, &error);
}

/* Reads a row of what `measure` has found. */
static bool read_nearest(const struct verifier *v, struct verify_worker *w, uint32_t orbit, uint8_t *row)
{
    struct nk_error error;
    return succeeds(v, w, orbit, nk_stored_rows_get(&v->nearest, orbit, row, w->packed, &error), &error);
}

/* Stores a row of that. */
static bool store_nearest(struct verifier *v, struct verify_worker *w, uint32_t orbit, const uint8_t *row)
{
    struct nk_error error;
    return succeeds(v, w, orbit, nk_stored_rows_put(&v->nearest, orbit, row, w->packed, &error), &error);
}

/* What a group of the batch needs after moves: [configurations]. */
static struct nk_group_bytes *after_group(const struct verifier *v, uint32_t group)
{
    return v->after + (size_t)(group - v->first_group) * v->index->configurations;
}

/* ---- reading all rows for a batch ---- */

/* Replaces codes by the values of moves to their positions. */
static void replace_by_values(uint8_t *codes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        codes[i] = codes[i] < NK_CODE_LOSS ? codes[i] : (uint8_t)(NK_LOSS_CODE_PLUS_VALUE - codes[i]);
}

/* Copies the rows of a group, which have a byte for each configuration that does not overlap their own, to the places
 * of these among all configurations. The others get any byte of the row. */
static void spread(const struct verifier *v, const uint64_t others[GROUP], const uint8_t *rows[GROUP],
                   struct nk_group_bytes *values)
{
    struct nk_group_bytes bytes[GROUP];
    const struct nk_group_bytes *tile[GROUP];
    for (int o = 0; o < GROUP; o++)
        tile[o] = &bytes[o];
    for (uint32_t w = 0; w < v->index->words; w++) {
        for (int o = 0; o < GROUP; o++) {
            uint64_t apart = nk_index_apart(v->index, others[o], w);
            const uint8_t *row = rows[o];
            /* What comes next in so many rows, the processor does not foresee. */
            __builtin_prefetch(row + GROUP);
            for (int i = 0; i < GROUP; i++, apart >>= 1) {
                bytes[o].orbit[i] = *row;
                row += apart & 1; /* no branch: which ones overlap is irregular */
            }
            rows[o] = row;
        }
        v->kernel->transpose(tile, values + (size_t)w * GROUP);
    }
}

/* Copies what a group of the batch needs from the rows of another one, `values`: the positions in which an orbit of the
 * batch is to move against one of the images of a row's configuration. The symmetry that takes this image to the row
 * also takes the orbit's configuration to that of an entry in the row. It is the same for all rows: so they are copied
 * together, as a tile with a row for each orbit, which is transposed. (Several symmetries take a symmetric
 * configuration to the same image. The last one counts: the positions are equivalent, and each entry is checked.) */
static void scatter(const struct verifier *v, uint32_t from, const struct nk_group_bytes *values,
                    uint32_t group)
{
    const struct nk_index *index = v->index;
    const struct nk_orbit *rows = index->orbits + (size_t)from * GROUP;
    const struct nk_orbit *orbits = index->orbits + (size_t)group * GROUP;
    const uint32_t row_count = end_of_group(v, from) - from * GROUP;
    const uint32_t orbit_count = end_of_group(v, group) - group * GROUP;
    struct nk_group_bytes *after = after_group(v, group);
    const struct nk_group_bytes *tile[GROUP];
    struct nk_group_bytes transposed[GROUP];
    for (int g = 0; g < index->rules.symmetries; g++) {
        const int transform = index->rules.inverse[g];
        for (uint32_t o = 0; o < GROUP; o++)
            tile[o] = &values[o < orbit_count ? orbits[o].images[transform] : 0];
        for (uint32_t r = 0; r < row_count; r++)
            __builtin_prefetch(&after[rows[r].images[g]], 1);
        v->kernel->transpose(tile, transposed);
        for (uint32_t r = 0; r < row_count; r++)
            after[rows[r].images[g]] = transposed[r];
    }
}

static void scatter_group(void *context, uint32_t item, int worker)
{
    const struct verifier *v = context;
    const struct nk_index *index = v->index;
    struct verify_worker *w = &v->workers[worker];
    const uint32_t from = v->first_item + item, first = from * GROUP, count = end_of_group(v, from) - first;
    const uint8_t *rows[GROUP];
    uint64_t others[GROUP];
    for (uint32_t o = 0; o < count; o++) {
        uint8_t *row = w->rows + o * v->stride;
        if (!(v->phase == NK_MEASURE ? read_row : read_nearest)(v, w, first + o, row))
            return;
        if (v->phase == NK_MEASURE)
            replace_by_values(row, index->per_orbit);
    }
    for (uint32_t o = 0; o < GROUP; o++) {
        const uint32_t row = o < count ? o : 0; /* of the last group, which may have fewer, any */
        rows[o] = w->rows + row * v->stride;
        others[o] = nk_index_canonical_squares(index, first + row);
    }
    spread(v, others, rows, w->bytes);
    for (uint32_t group = v->first_group; group < v->end_group; group++)
        scatter(v, from, w->bytes, group);
}

/* ---- checking the rows of a group ---- */

/* Adds the rows of a group, which are in w->rows, to the checksum after those of all earlier groups: 0 rows after a
 * failure. */
static void add_to_checksum(struct verifier *v, const struct verify_worker *w, uint32_t group, uint32_t rows)
{
    (void)pthread_mutex_lock(&v->mutex);
    while (v->in_checksum < group)
        (void)pthread_cond_wait(&v->is_added, &v->mutex);
    for (uint32_t o = 0; o < rows; o++)
        (void)XXH3_64bits_update(v->checksum, w->rows + o * v->stride, v->index->per_orbit);
    v->in_checksum++;
    (void)pthread_cond_broadcast(&v->is_added);
    (void)pthread_mutex_unlock(&v->mutex);
}

static void check_group(void *context, uint32_t item, int worker)
{
    struct verifier *v = context;
    struct verify_worker *w = &v->workers[worker];
    const uint32_t number = v->first_item + item, first = number * GROUP;
    struct nk_group group = {.phase = v->phase,
                             .index = v->index,
                             .kernel = v->kernel,
                             .won = v->won,
                             .first = first,
                             .count = end_of_group(v, number) - first,
                             .after = after_group(v, number),
                             .best = w->bytes,
                             .findings = &w->findings};
    bool is_read = true;
    for (uint32_t o = 0; o < group.count && is_read; o++) {
        group.codes[o] = w->rows + o * v->stride;
        is_read = read_row(v, w, first + o, group.codes[o]);
    }
    if (v->phase == NK_MEASURE)
        add_to_checksum(v, w, number, is_read ? group.count : 0);
    if (!is_read)
        return;
    nk_group_check(&group);
    for (uint32_t o = 0; v->phase == NK_MEASURE && o < group.count; o++)
        if (!store_nearest(v, w, first + o, group.codes[o]))
            return;
}

/* ---- memory ---- */

static void add_arrays(struct verifier *v)
{
    struct nk_memory *memory = &v->memory;
    const uint64_t configurations = v->index->configurations, workers = (uint64_t)v->threads;
    nk_memory_add(memory, &v->won, configurations, sizeof *v->won);
    nk_memory_add(memory, &v->workers, workers, sizeof *v->workers);
    nk_memory_add(memory, &v->bytes, workers * v->index->words * GROUP, sizeof *v->bytes);
    nk_memory_add(memory, &v->rows, workers * GROUP, v->stride);
    nk_memory_add(memory, &v->packed, workers, NK_PACK_BOUND((size_t)v->index->per_orbit));
}

/* The bytes that comparing the trap values takes, when the rows that are stored are no longer needed. */
static uint64_t trap_memory(const struct verifier *v)
{
    const struct nk_index *index = v->index;
    if (!v->table->has_traps)
        return 0;
    /* The header counts the positions of an entry separately. */
    const double positions = (double)nk_table_summary(v->table)->draws;
    const uint64_t draws = (uint64_t)(positions * (double)index->entries / (double)index->placements);
    return v->memory.bytes + nk_traps_memory(index, draws, v->threads);
}

uint64_t nk_verify_usual_memory(const struct nk_index *index)
{
    return index->entries + (64 << 20);
}

/* Opens the rows in memory, or in a file where memory is short: otherwise they would take more than half of it. Then it
 * chooses the size of the batches. */
static enum nk_status plan(struct verifier *v, struct nk_error *error)
{
    const uint64_t fixed = v->memory.bytes, group = v->index->configurations * sizeof *v->after + GROUP;
    const uint64_t allowed = v->options->memory, rows = nk_stored_rows_memory(v->index);
    const bool is_short = allowed && allowed < fixed + 2 * rows;
    struct nk_error why = {0};
    const bool in_file =
        is_short && v->options->path && !nk_stored_rows_open(&v->nearest, v->index, v->options->path, &why);
    const uint64_t stored = in_file ? v->index->orbit_count * sizeof *v->nearest.rows : rows;
    const uint64_t needed = nk_greatest(fixed + stored + group, trap_memory(v));
    const struct nk_size most = nk_size_of(allowed);
    if (allowed && allowed < needed)
        return nk_fail(error, NK_E_MEMORY, 0,
                       "verifying this table takes %" PRIu64 " MiB of memory, but %" PRIu64
                       " %s are allowed%s%s",
                       (needed >> 20) + 1, most.number, most.unit, why.text[0] ? "; " : "", why.text);
    const uint64_t wanted = allowed ? allowed : fixed + nk_verify_usual_memory(v->index);
    const uint64_t batch = (nk_greatest(wanted, needed) - fixed - stored) / group;
    v->batch_size = (uint32_t)nk_least(batch, v->groups);
    if (in_file)
        return NK_OK;
    nk_stored_rows_close(&v->nearest); /* one whose file could not be created */
    return nk_stored_rows_open(&v->nearest, v->index, NULL, error);
}

/* Allocates all arrays, fills the constant ones, and gives the workers theirs. */
static enum nk_status allocate(struct verifier *v, struct nk_error *error)
{
    const struct nk_index *index = v->index;
    nk_memory_add(&v->after_memory, &v->after, (uint64_t)v->batch_size * index->configurations,
                  sizeof *v->after);
    v->checksum = XXH3_createState();
    if (!v->checksum || !nk_memory_allocate(&v->memory) || !nk_memory_allocate(&v->after_memory))
        return nk_fail_memory(error);
    (void)XXH3_64bits_reset(v->checksum);
    nk_index_fill_won(index, v->won);
    for (size_t t = 0; t < (size_t)v->threads; t++) {
        struct verify_worker *w = &v->workers[t];
        w->findings.failure.entry = NK_NO_FAILURE;
        w->bytes = v->bytes + t * index->words * GROUP;
        w->rows = v->rows + t * GROUP * v->stride;
        w->packed = v->packed + t * NK_PACK_BOUND((size_t)index->per_orbit);
    }
    return NK_OK;
}

/* ---- the phases ---- */

static enum nk_status run_phases(struct verifier *v, struct nk_error *error)
{
    enum { HEAVY = 4 }; /* what checking a row costs, if reading and scattering it costs 1 */
    const uint32_t batches = (v->groups + v->batch_size - 1) / v->batch_size;
    enum nk_status status = NK_OK;
    v->work = 2.0 * v->groups * (batches + HEAVY);
    for (v->phase = NK_MEASURE; !status && v->phase <= NK_CHECK; v->phase++)
        for (v->first_group = 0; !status && v->first_group < v->groups; v->first_group = v->end_group) {
            v->end_group = (uint32_t)nk_least(v->first_group + v->batch_size, v->groups);
            status = for_groups(v, 0, v->groups, scatter_group, 1, error);
            if (!status)
                status = for_groups(v, v->first_group, v->end_group, check_group, HEAVY, error);
        }
    nk_memory_free(&v->after_memory);
    return status;
}

/* ---- the header ---- */

/* Adds up what the threads have found. */
static void sum_up(const struct verifier *v, struct nk_verified *found)
{
    struct nk_summary *summary = &found->summary;
    for (int t = 0; t < v->threads; t++) {
        const struct nk_findings *f = &v->workers[t].findings;
        for (int code = NK_CODE_LOSS; code <= UINT8_MAX; code++) {
            uint64_t *by_plies = &found->by_plies[2 * (size_t)(code - NK_CODE_LOSS)];
            by_plies[0] += f->codes[code];
            by_plies[1] += f->nearest[code];
        }
        found->by_plies[1] -= f->illegal;
        summary->draws += f->codes[NK_CODE_DRAW];
        summary->stalemates += f->stalemates;
    }
    for (int plies = 0; plies <= NK_MAX_PLIES; plies++) {
        *(plies % 2 ? &summary->wins : &summary->losses) += found->by_plies[plies];
        if (found->by_plies[plies])
            summary->longest = (uint32_t)plies;
    }
    summary->placements = v->index->placements;
    summary->legal = summary->wins + summary->losses + summary->draws;
    found->codes_checksum = v->table->codes_checksum;
}

/* Compares the counts in the header with those of the codes. Opening a table has already checked the number of
 * placements. */
static enum nk_status compare_counts(const struct nk_summary *header, const struct nk_summary *found,
                                     struct nk_error *error)
{
    const struct {
        const char *name;
        uint64_t found, header;
    } counts[] = {
        {"legal positions", found->legal, header->legal},
        {"wins", found->wins, header->wins},
        {"losses", found->losses, header->losses},
        {"draws", found->draws, header->draws},
        {"draws without a move", found->stalemates, header->stalemates},
        {"plies at most", found->longest, header->longest},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i].found != counts[i].header)
            return nk_fail(error, NK_E_CORRUPT, 0,
                           "the table is wrong: %s: %" PRIu64 " in its header, counted %" PRIu64,
                           counts[i].name, counts[i].header, counts[i].found);
    return NK_OK;
}

/* ---- trap values ---- */

/* Counts the draws of a row, w->rows, by block. */
static void count_draws(const struct verifier *v, const struct verify_worker *w, uint32_t orbit)
{
    const uint8_t *codes = w->rows, *const end = codes + v->index->per_orbit;
    for (uint64_t entry = (uint64_t)orbit * v->index->per_orbit; codes < end;) {
        const uint64_t left = NK_BLOCK_ENTRIES - entry % NK_BLOCK_ENTRIES;
        const size_t length = (size_t)nk_least(left, (uint64_t)(end - codes));
        atomic_fetch_add(&v->draws_in[entry / NK_BLOCK_ENTRIES], (uint32_t)nk_count_draws(codes, length));
        codes += length;
        entry += length;
    }
}

static void add_group_to_traps(void *context, uint32_t item, int worker)
{
    struct verifier *v = context;
    struct verify_worker *w = &v->workers[worker];
    const uint32_t group = v->first_item + item;
    for (uint32_t orbit = group * GROUP; orbit < end_of_group(v, group); orbit++)
        if (read_row(v, w, orbit, w->rows)) {
            nk_traps_add(v->traps, orbit, 1, w->rows, 1);
            count_draws(v, w, orbit);
        }
}

/* The entry of a draw of a block. */
static enum nk_status entry_of_draw(const struct verifier *v, uint32_t block, uint32_t draw, uint64_t *entry,
                                    struct nk_error *error)
{
    uint8_t code = 0;
    enum nk_status status = NK_OK;
    uint64_t left = draw + 1;
    for (*entry = (uint64_t)block * NK_BLOCK_ENTRIES; !status; ++*entry) {
        status = nk_table_code(v->table, *entry, &code, error);
        if (code == NK_CODE_DRAW && !--left)
            break;
    }
    return status;
}

/* Compares the trap values of a block with the right ones. */
static void compare_block(void *context, uint32_t block, int worker)
{
    const struct verifier *v = context;
    uint8_t stored[NK_BLOCK_ENTRIES];
    uint64_t entry = (uint64_t)block * NK_BLOCK_ENTRIES;
    uint32_t draw = 0;
    struct nk_error error;
    const uint32_t first = v->draws_in[block], draws = v->draws_in[block + 1] - first;
    enum nk_status status = nk_table_block_traps(v->table, block, 0, draws, stored, &error);
    while (!status && draw < draws && stored[draw] == v->right[first + draw])
        draw++;
    if (!status && draw < draws && !(status = entry_of_draw(v, block, draw, &entry, &error)))
        status = disagree(v->index, entry, "the trap value does not follow from the table", &error);
    if (status)
        record_failure(&v->workers[worker].findings.failure, entry, &error);
}

/* Compares the values of all draws with those that the solver computes from the codes. */
static enum nk_status compare_values(struct verifier *v, struct nk_error *error)
{
    uint8_t *values;
    uint32_t before = 0;
    if (nk_traps_compute(v->traps, v->threads, NULL, &values))
        return nk_fail_memory(error);
    if (!values)
        return nk_fail(error, NK_E_CORRUPT, 0,
                       "the table is wrong: it has trap values, but the board has none");
    for (uint32_t block = 0; block <= v->table->block_count; block++) {
        const uint32_t draws = v->draws_in[block];
        v->draws_in[block] = before;
        before += draws;
    }
    v->right = values;
    nk_parallel(v->threads, v->table->block_count, compare_block, v);
    free(values);
    return first_failure(v, error);
}

/* Compares the trap values, if the table has any. */
static enum nk_status compare_traps(struct verifier *v, struct nk_error *error)
{
    nk_stored_rows_close(&v->nearest);
    if (!v->table->has_traps)
        return NK_OK;
    v->draws_in = calloc(v->table->block_count + 1, sizeof *v->draws_in);
    if (!v->draws_in || nk_traps_new(v->index, &v->traps))
        return nk_fail_memory(error);
    const enum nk_status status = for_groups(v, 0, v->groups, add_group_to_traps, 0, error);
    return status ? status : compare_values(v, error);
}

/* ---- all of it ---- */

const struct nk_verify_kernel *nk_verify_find_kernel(int vector_bytes)
{
    const int bytes = nk_vector_bytes(vector_bytes);
    return NK_KERNEL_FOR(bytes, nk_verify_kernel);
}

enum nk_status nk_verify(struct nk_table *table, const struct nk_verify_options *options,
                         struct nk_verified *verified, struct nk_error *error)
{
    const struct nk_index *index = table->index;
    struct nk_verified found = {0};
    struct verifier v = {.table = table,
                         .index = index,
                         .options = options,
                         .kernel = options->kernel ? options->kernel : nk_verify_find_kernel(0),
                         .threads = options->threads > 0 ? options->threads : nk_system_processors(),
                         .stride = (size_t)index->per_orbit + 1,
                         .groups = (index->orbit_count + GROUP - 1) / GROUP,
                         .nearest.file = -1,
                         .mutex = PTHREAD_MUTEX_INITIALIZER,
                         .is_added = PTHREAD_COND_INITIALIZER};
    add_arrays(&v);
    enum nk_status status = plan(&v, error);
    if (!status)
        status = allocate(&v, error);
    if (!status)
        status = run_phases(&v, error);
    if (!status) {
        sum_up(&v, &found);
        status = compare_counts(nk_table_summary(table), &found.summary, error);
    }
    if (!status && XXH3_64bits_digest(v.checksum) != table->codes_checksum)
        status =
            nk_fail(error, NK_E_CORRUPT, 0, "the table is wrong: the checksum of all codes does not match");
    if (!status)
        status = compare_traps(&v, error);
    nk_traps_free(v.traps);
    free(v.draws_in);
    (void)XXH3_freeState(v.checksum);
    nk_memory_free(&v.memory);
    nk_memory_free(&v.after_memory);
    nk_stored_rows_close(&v.nearest);
    if (!status)
        *verified = found;
    return status;
}
