/* Solving a board: its losses, the codes that follow from them, what all of it takes, and nk_table_solve. */

#include "solver/analysis/analysis.h"

#include "common/system/system.h"
#include "common/table/table.h"
#include "solver/analysis/traps.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- losses ---- */

enum nk_status nk_find_losses(struct nk_losses *losses, const struct nk_analysis_options *options,
                              nk_pass_done *done, void *context, uint64_t *sent, struct nk_error *error)
{
    const struct nk_losses_state *state = &losses->state;
    struct nk_analysis *analysis = NULL;
    if (state->is_complete)
        return NK_OK;
    enum nk_status status = nk_analysis_new(losses, options, &analysis, error);
    while (!status && !(status = nk_analysis_pass(analysis, error)) && !state->is_complete)
        status = done(context, state->ply, state->by_plies[state->ply], error);
    if (!status && sent)
        *sent = nk_analysis_sent(analysis);
    nk_analysis_free(analysis);
    return status;
}

/* ---- codes ---- */

/* The codes of all entries of a solved board (common/table/table.h): filled in by slices from its losses, and handed
 * out in parts by orbit, as a table has them. */
struct codes {
    const struct nk_index *index;
    struct nk_losses *losses;
    struct nk_slice_range range; /* of this process */
    int threads;
    struct nk_memory memory; /* of all arrays */
    bool *won;               /* [configurations] whether it wins */
    size_t columns;          /* of a slice: NK_SLICE_COLUMNS; fewer where the only slice has fewer */
    uint8_t *slices;         /* [threads][columns][index->per_orbit] */
    uint8_t *rows;           /* [threads][64][columns] scratch of fill_slice */
    uint8_t *received;       /* the codes of a part of another process */
    uint32_t first, filled;  /* the slices of the range whose codes are in `slices` */
};

/* The orbits of a part, but for the last one: a divisor of the columns, so no part has orbits of two slices. */
enum { PART_ORBITS = 64 };

/* Describes the codes of a range of slices and adds the arrays that they need, without allocating them. At most
 * `threads` threads work on them, 0 for one per processor. */
static void describe_codes(struct codes *c, const struct nk_index *index, const struct nk_cluster *cluster,
                           struct nk_slice_range range, int threads)
{
    *c = (struct codes){.index = index, .range = range, .threads = nk_analysis_threads(&range, threads)};
    c->columns = (size_t)nk_least(NK_SLICE_COLUMNS, index->orbit_count);
    const uint64_t columns = (uint64_t)c->threads * c->columns;
    nk_memory_add(&c->memory, &c->won, index->configurations, sizeof *c->won);
    nk_memory_add(&c->memory, &c->slices, columns * index->per_orbit, sizeof *c->slices);
    nk_memory_add(&c->memory, &c->rows, columns * 64, sizeof *c->rows);
    if (cluster)
        nk_memory_add(&c->memory, &c->received, (uint64_t)PART_ORBITS * index->per_orbit,
                      sizeof *c->received);
}

/* ---- the codes of slices ---- */

/* The codes of 64 rows of a slice that follow each other. */
struct filled_rows {
    uint8_t *codes; /* [64][columns] */
    size_t columns;
};

/* Sets the codes of a row of a slice, where it has bits. */
static bool set_codes(void *context, uint8_t code, uint32_t row, const nk_row_bits *bits)
{
    const struct filled_rows *rows = context;
    uint8_t *row_codes = rows->codes + row % 64 * rows->columns;
    for (uint32_t words = nk_row_words(bits); words; words &= words - 1) {
        const int w = nk_first(words);
        for (uint64_t left = bits->word[w]; left; left &= left - 1)
            row_codes[(size_t)w * 64 + (size_t)nk_first(left)] = code;
    }
    return true;
}

/* Copies the codes of 64 rows to the entries, where entry[c] is the next one of a column. Configurations of the mover
 * that overlap the other side have none. */
static void copy_rows(const struct codes *c, const struct filled_rows *rows, uint32_t word,
                      uint32_t first_orbit, uint32_t orbits, uint8_t **entry)
{
    for (uint32_t i = 0; i < orbits; i++) {
        const uint64_t other = nk_index_canonical_squares(c->index, first_orbit + i);
        const uint8_t *column = rows->codes + i;
        uint8_t *next = entry[i];
        for (uint64_t left = nk_index_apart(c->index, other, word); left; left &= left - 1)
            *next++ = column[(size_t)nk_first(left) * rows->columns];
        entry[i] = next;
    }
}

/* Fills in the codes of a slice, 64 rows at a time, which stay in the cache. */
static enum nk_status read_codes(const struct codes *c, uint32_t slice, struct filled_rows rows,
                                 uint8_t *codes, struct nk_losses_reader *reader, struct nk_error *error)
{
    const struct nk_index *index = c->index;
    const uint32_t orbits = nk_columns_in(index, slice);
    const nk_row_bits won = nk_columns_by_win(index, slice, c->won, true);
    nk_row_bits occupied[NK_MAX_SQUARES];
    uint8_t *entry[NK_SLICE_COLUMNS];
    enum nk_status status = NK_OK;
    nk_fill_occupied(index, slice, occupied);
    for (uint32_t i = 0; i < orbits; i++)
        entry[i] = codes + (size_t)i * index->per_orbit;
    for (uint32_t w = 0; w < index->words && !status; w++) {
        const uint32_t end = (uint32_t)nk_least(index->configurations, w * 64 + 64);
        memset(rows.codes, NK_CODE_WIN, 64 * rows.columns);
        for (uint32_t r = w * 64; r < end; r++) { /* the losses of no plies are not recorded */
            const nk_row_bits finished = nk_legal_in_row(index, c->won, occupied, won, r);
            (void)set_codes(&rows, nk_loss_to_code(0), r, &finished);
        }
        status = nk_losses_read_rows(reader, end, set_codes, &rows, error);
        copy_rows(c, &rows, w, slice * NK_SLICE_COLUMNS, orbits, entry);
    }
    return status;
}

static void fill_slice(void *context, uint32_t item, int worker)
{
    (void)worker;
    struct codes *c = context;
    struct nk_losses_reader *reader;
    struct nk_error error;
    const uint32_t slice = c->range.first_slice + c->first + item;
    const struct filled_rows rows = {c->rows + (size_t)item * 64 * c->columns, c->columns};
    uint8_t *codes = c->slices + (size_t)item * c->columns * c->index->per_orbit;
    enum nk_status status = nk_losses_open(c->losses, slice, NK_CODE_DRAW, UINT8_MAX, &reader, &error);
    if (!status) {
        status = read_codes(c, slice, rows, codes, reader, &error);
        nk_losses_close(reader);
    }
    if (status)
        nk_losses_set_error(c->losses, &error);
    nk_losses_release(c->losses, slice);
}

/* Fills in the codes of a slice of the range and of those after it, as many as there are threads. */
static enum nk_status fill_slices(struct codes *c, uint32_t slice, struct nk_error *error)
{
    if (slice < c->first + c->filled) /* parts are requested in order */
        return NK_OK;
    c->first = slice;
    c->filled = (uint32_t)nk_least((uint32_t)c->threads, c->range.slices - slice);
    nk_parallel(c->threads, c->filled, fill_slice, c);
    return nk_losses_error(c->losses, error);
}

/* ---- the codes of parts ---- */

/* The process whose range has a slice. */
static int owner_of(const struct codes *c, uint32_t slice)
{
    int process = 0;
    while (nk_cluster_first_slice(c->losses->cluster, c->index, process + 1) <= slice)
        process++;
    return process;
}

/* The codes in parts that follow each other: all processes request all parts in order and once, since the losses
 * release what is read. Process 0 receives the `count` codes, valid until the next call; the others NULL. */
static enum nk_status next_part(struct codes *c, uint32_t first_orbit, const uint8_t **codes, uint64_t *count,
                                struct nk_error *error)
{
    const struct nk_index *index = c->index;
    const struct nk_cluster *cluster = c->losses->cluster;
    const int owner = owner_of(c, first_orbit / NK_SLICE_COLUMNS);
    uint8_t *part = c->received;
    *count = nk_least(index->orbit_count - first_orbit, PART_ORBITS) * index->per_orbit;
    *codes = NULL;
    if (nk_cluster_process(cluster) == owner) {
        const uint32_t first = first_orbit - c->range.first_orbit;
        const enum nk_status status = fill_slices(c, first / NK_SLICE_COLUMNS, error);
        if (status)
            return status;
        part = c->slices + (size_t)(first - c->first * NK_SLICE_COLUMNS) * index->per_orbit;
    }
    if (cluster)
        cluster->gather(owner, part, (size_t)*count);
    if (nk_cluster_is_first(cluster))
        *codes = part;
    return NK_OK;
}

enum nk_status nk_find_codes(struct nk_losses *losses, int threads, struct nk_traps *traps,
                             nk_take_codes *take, void *context, struct nk_error *error)
{
    const struct nk_index *index = losses->index;
    struct codes codes;
    uint64_t taken = 0;
    describe_codes(&codes, index, losses->cluster, nk_cluster_range(losses->cluster, index), threads);
    codes.losses = losses;
    enum nk_status status = nk_memory_allocate(&codes.memory) ? NK_OK : nk_fail_memory(error);
    if (!status)
        nk_index_fill_won(index, codes.won);
    for (uint32_t first = 0; first < index->orbit_count && !status; first += PART_ORBITS) {
        const uint8_t *some = NULL;
        uint64_t count = 0;
        status = next_part(&codes, first, &some, &count, error);
        if (status || !some)
            continue;
        taken += count;
        nk_traps_add(traps, first, (uint32_t)(count / index->per_orbit), some, codes.threads);
        status = take(context, some, count, (double)taken / (double)index->entries, error);
    }
    nk_memory_free(&codes.memory);
    return status;
}

/* ---- what solving takes ---- */

/* The bytes of losses with so many entries. On the boards of docs/BOARDS.md with three in a row and 3, 4 and 5 pieces
 * it has about 0.43, 0.21 and 0.09 bytes for each entry: the more pieces, the more bits are in a word. */
static uint64_t losses_bytes(const struct nk_index *index, uint64_t entries)
{
    return (entries >> (index->rules.board.pieces - 2)) + (1 << 16);
}

struct nk_plan nk_plan(const struct nk_index *index, const struct nk_cluster *cluster, enum nk_layout layout,
                       int threads, bool with_traps)
{
    const struct nk_slice_range range = nk_cluster_largest_range(cluster, index);
    const bool has_files = layout != NK_IN_MEMORY;
    const int sets_in_files = (layout >= NK_ONE_SET_IN_FILE) + (layout >= NK_SETS_IN_FILES);
    struct nk_analysis analysis;
    struct codes codes;
    nk_analysis_describe(&analysis, index, cluster, range, threads, layout);
    describe_codes(&codes, index, cluster, range, threads);

    const uint64_t own_losses =
        losses_bytes(index, (uint64_t)range.slices * NK_SLICE_COLUMNS * index->per_orbit);
    /* From files, each thread reads the losses of one slice at a time. */
    const uint64_t read_losses = own_losses / (range.slices + 1) * (uint64_t)codes.threads;
    const uint64_t losses = has_files ? read_losses : own_losses;

    /* Boards with 3, 4 and 5 pieces usually have about 3 %, 0.2 % and 0.01 % of draws; this is at least as many. */
    const uint64_t draws = index->entries >> (3 * index->rules.board.pieces - 4);
    const uint64_t adding_traps = with_traps ? nk_traps_memory(index, 0, threads) : 0;
    const uint64_t computing_traps = with_traps ? nk_traps_memory(index, draws, threads) : 0;

    /* Lists of positions, each with room for up to twice as many: one of all, and two of those of this process. */
    const uint64_t listed = nk_sparse_limit(index, cluster, layout);
    const uint64_t lists =
        2 * sizeof(uint64_t) * (listed + 2 * listed * range.slices / nk_slice_count(index));
    const uint64_t analysing = analysis.memory.bytes + lists + losses;
    /* When the trap values are computed, all slices of the losses have been released. */
    const uint64_t writing = nk_greatest(codes.memory.bytes + losses + adding_traps, computing_traps);
    const uint64_t set = nk_slice_count(index) * (uint64_t)index->configurations * sizeof(nk_row_bits);
    return (struct nk_plan){
        .layout = layout,
        .analysing = analysing,
        .writing = writing,
        .memory = nk_greatest(analysing, writing),
        .disk = (has_files ? losses_bytes(index, index->entries) : 0) + (uint64_t)sets_in_files * set,
    };
}

/* ---- solving in memory ---- */

/* What all of it takes at its peak: the index, and the codes while they are computed. */
static uint64_t memory_of(const struct nk_index *index, int threads)
{
    enum { FEW_ENTRIES = 1 << 17 }; /* so few can all be draws without taking much */
    const struct nk_plan plan = nk_plan(index, NULL, NK_IN_MEMORY, threads, true);
    const uint64_t draws = index->entries <= FEW_ENTRIES ? index->entries : 0;
    const uint64_t blocks = 2 * (uint64_t)nk_block_count(index->entries) * sizeof(void *);
    const uint64_t writing = nk_greatest(plan.writing, nk_traps_memory(index, draws, threads));
    return nk_index_memory(index) + nk_greatest(plan.analysing, writing + index->entries + blocks);
}

enum nk_status nk_solve_memory(const struct nk_board *board, int threads, uint64_t *bytes,
                               struct nk_error *error)
{
    assert(bytes);
    struct nk_rules rules;
    struct nk_index index;
    const enum nk_status status = nk_rules_init(&rules, board, error);
    if (status)
        return status;
    nk_index_init_sizes(&rules, &index);
    *bytes = memory_of(&index, threads);
    return NK_OK;
}

struct solving {
    struct nk_index *index;
    int threads;
    uint64_t memory;             /* the bytes to use, or 0 for what is available */
    nk_solve_progress *progress; /* or NULL */
    void *context;
    struct nk_solve_state state; /* for progress */
    struct nk_losses *losses;
    uint8_t *codes;
    uint64_t taken; /* codes */
    struct nk_traps *traps;
    uint8_t *trap_values;
};

/* Checks that the needed bytes are not more than those to use. */
static enum nk_status require_memory(const struct solving *solving, uint64_t needed, struct nk_error *error)
{
    uint64_t most = solving->memory;
    if (!most && needed > NK_LITTLE_MEMORY)
        most = nk_system_available_memory();
    if (!most || most > SIZE_MAX)
        most = SIZE_MAX;
    if (needed <= most)
        return NK_OK;
    const struct nk_size available = nk_size_of(most);
    return nk_fail(error, NK_E_MEMORY, 0,
                   "solving this board needs %" PRIu64 " MiB of memory, but %" PRIu64 " %s are %s",
                   (needed + (1 << 20) - 1) >> 20, available.number, available.unit,
                   solving->memory ? "allowed" : "available");
}

/* Reports how far it is. NK_E_STOPPED if it is to stop. */
static enum nk_status report(const struct solving *solving, struct nk_error *error)
{
    return !solving->progress || solving->progress(solving->context, &solving->state)
               ? NK_OK
               : nk_fail(error, NK_E_STOPPED, 0, "solving was stopped");
}

static enum nk_status report_pass(void *context, int ply, uint64_t decided, struct nk_error *error)
{
    struct solving *solving = context;
    solving->state.ply = ply;
    solving->state.decided = decided;
    return report(solving, error);
}

/* Copies the codes: half of what follows the analysis. */
static enum nk_status take_codes(void *context, const uint8_t *codes, uint64_t count, double done,
                                 struct nk_error *error)
{
    struct solving *solving = context;
    memcpy(solving->codes + solving->taken, codes, (size_t)count);
    solving->taken += count;
    solving->state.done = done / 2;
    return report(solving, error);
}

static bool report_traps(void *context, double done)
{
    struct solving *solving = context;
    solving->state.done = (1 + done) / 2;
    return !report(solving, NULL);
}

/* The other half are the trap values, whose memory was not counted before if they are unusually many. */
static enum nk_status find_traps(struct solving *solving, struct nk_error *error)
{
    const struct nk_progress_sink progress = {report_traps, solving};
    const struct nk_index *index = solving->index;
    const uint64_t bytes = nk_traps_memory(index, nk_traps_draws(solving->traps), solving->threads);
    enum nk_status status = require_memory(solving, nk_index_memory(index) + index->entries + bytes, error);
    if (status)
        return status;
    status = nk_traps_compute(solving->traps, solving->threads, &progress, &solving->trap_values);
    if (status == NK_E_STOPPED)
        return nk_fail(error, NK_E_STOPPED, 0, "solving was stopped");
    return status ? nk_fail_memory(error) : NK_OK;
}

/* Fills in all results. */
static enum nk_status solve(struct solving *solving, struct nk_error *error)
{
    const struct nk_analysis_options options = {.threads = solving->threads};
    enum nk_status status = nk_losses_new(solving->index, NULL, NULL, &solving->losses, error);
    if (!status)
        status = nk_find_losses(solving->losses, &options, report_pass, solving, NULL, error);
    if (status)
        return status;
    solving->codes = calloc((size_t)solving->index->entries, 1);
    if (!solving->codes || nk_traps_new(solving->index, &solving->traps))
        return nk_fail_memory(error);
    status = nk_find_codes(solving->losses, solving->threads, solving->traps, take_codes, solving, error);
    return status || !solving->traps ? status : find_traps(solving, error);
}

enum nk_status nk_table_solve(const struct nk_board *board, int threads, uint64_t memory,
                              nk_solve_progress *progress, void *context, struct nk_table **table,
                              struct nk_error *error)
{
    assert(table);
    struct solving solving = {.threads = threads, .memory = memory, .progress = progress, .context = context};
    struct nk_summary summary;
    struct nk_rules rules;
    struct nk_index counts;
    enum nk_status status = nk_rules_init(&rules, board, error);
    if (status)
        return status;
    nk_index_init_sizes(&rules, &counts);
    if ((status = require_memory(&solving, memory_of(&counts, threads), error)))
        return status;
    if (!(solving.index = nk_index_new(&rules)))
        return nk_fail_memory(error);
    status = solve(&solving, error);
    if (!status)
        summary = nk_losses_summary(solving.losses);
    nk_traps_free(solving.traps);
    nk_losses_free(solving.losses);
    if (!status)
        status =
            nk_table_from_codes(solving.index, &summary, solving.codes, solving.trap_values, table, error);
    if (status) {
        free(solving.trap_values);
        free(solving.codes);
        nk_index_free(solving.index);
    }
    return status;
}
