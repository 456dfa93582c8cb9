#include "solver/checkpoint/log.h"

#include "common/game/index.h"
#include "common/system/file.h"
#include "solver/cluster/cluster.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* The most of a row: its gap, its mask, and nine for each word. */
    ROW_BYTES = 5 + 1 + 9 * NK_LANE_WORDS,
    LAST_CODE = UINT8_MAX
};
static_assert((int)ROW_BYTES <= (int)NK_SECTION_PADDING, "decoding may read beyond a section");

const struct nk_store_names nk_log_names = {"state", "log"};

static enum nk_status no_memory(struct nk_error *error)
{
    return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the log of the analysis");
}

/* ---- rows ---- */

/* A section has the positions of one code in one slice: for each row that has some, in ascending order,
 *   gap        from the row before, less 1 (from row -1 for the first one): 7 bits in a byte, the lowest first; all
 *              bytes but the last have their highest bit set
 *   mask       a byte with a bit for each 64-bit word of the row that is not zero
 *   words      for each of them a byte with a bit for each of its bytes that is not zero, and these bytes */

/* Writes at most ROW_BYTES bytes. Returns the end. */
static uint8_t *encode_row(uint8_t *at, uint32_t gap, const nk_lanes *lanes)
{
    static const uint64_t LOW_BITS = 0x7f7f7f7f7f7f7f7f; /* of each byte */
    for (; gap > 127; gap >>= 7)
        *at++ = (uint8_t)(gap | 128);
    *at++ = (uint8_t)gap;
    uint8_t *const mask = at++;
    *mask = 0;
    for (int w = 0; w < NK_LANE_WORDS; w++) {
        const uint64_t word = lanes->word[w];
        if (!word)
            continue;
        *mask |= (uint8_t)(1 << w);
        /* The highest bit of each byte that is not zero; and these bits as one byte: 8 b + 7 (8 - b) is 56 + b. */
        const uint64_t nonzero = (((word & LOW_BITS) + LOW_BITS) | word) & ~LOW_BITS;
        *at++ = (uint8_t)((nonzero >> 7) * 0x0102040810204080 >> 56);
        for (uint64_t left = nonzero; left; left &= left - 1)
            *at++ = (uint8_t)(word >> (__builtin_ctzll(left) - 7));
    }
    return at;
}

/* The inverse of encode_row: reads at most ROW_BYTES bytes, and adds the gap to *row. */
static const uint8_t *decode_row(const uint8_t *at, uint64_t *row, nk_lanes *lanes)
{
    uint64_t gap = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        gap |= (uint64_t)(*at & 127) << shift;
        if (*at++ < 128)
            break;
    }
    *row += gap;
    const uint8_t mask = *at++;
    for (int w = 0; w < NK_LANE_WORDS; w++) {
        uint64_t word = 0;
        if (mask >> w & 1)
            for (uint32_t bytes = *at++; bytes; bytes &= bytes - 1)
                word |= (uint64_t)*at++ << 8 * __builtin_ctz(bytes);
        lanes->word[w] = word;
    }
    return at;
}

/* ---- sections ---- */

static struct nk_section *section_of(const struct nk_log *log, int code, uint32_t slice)
{
    const int place = code == NK_CODE_DRAW ? 0 : code - NK_CODE_LOSS;
    return &log->store.sections[(size_t)place * log->slices + slice];
}

void nk_log_fail(struct nk_log *log, const struct nk_error *error)
{
    if (!atomic_exchange(&log->has_failed, true))
        log->error = *error;
}

enum nk_status nk_log_failure(const struct nk_log *log, struct nk_error *error)
{
    return atomic_load(&log->has_failed) ? nk_fail(error, log->error.status, 0, "%s", log->error.text)
                                         : NK_OK;
}

/* Encodes the rows of a section into new memory. Returns NULL if there are none, or after a failure. */
static uint8_t *encode(struct nk_log *log, const nk_lanes *rows, const uint8_t *nonempty, size_t *length)
{
    enum { FIRST_SIZE = 1 << 16 };
    struct nk_error error;
    uint8_t *bytes = NULL;
    size_t used = 0, size = 0;
    uint32_t next = 0; /* row */
    for (uint32_t row = 0; row < log->index->configurations; row++) {
        if (!nonempty[row])
            continue;
        if (size - used <= ROW_BYTES) {
            size = size ? 2 * size : FIRST_SIZE;
            uint8_t *larger = realloc(bytes, size);
            if (!larger) {
                (void)no_memory(&error);
                nk_log_fail(log, &error);
                free(bytes);
                return NULL;
            }
            bytes = larger;
        }
        used = (size_t)(encode_row(bytes + used, row - next, &rows[row]) - bytes);
        next = row + 1;
    }
    *length = used;
    return bytes;
}

void nk_log_append(struct nk_log *log, uint8_t code, uint32_t slice, const nk_lanes *rows,
                   const uint8_t *nonempty)
{
    struct nk_error error;
    size_t length = 0;
    uint8_t *bytes = encode(log, rows, nonempty, &length);
    if (bytes && nk_store_put(&log->store, section_of(log, code, slice), bytes, length, &error))
        nk_log_fail(log, &error);
    free(bytes);
}

/* Returns false if the bytes or, for `visit`, the rows cannot be right. */
static bool visit_rows(const uint8_t *bytes, size_t length, uint8_t code, uint32_t rows, nk_log_visit *visit,
                       void *context)
{
    const uint8_t *at = bytes, *end = bytes + length;
    nk_lanes lanes;
    for (uint64_t row = 0; at < end; row++) {
        at = decode_row(at, &row, &lanes);
        if (at > end || row >= rows || !visit(context, code, (uint32_t)row, &lanes))
            return false;
    }
    return true;
}

enum nk_status nk_log_read(const struct nk_log *log, uint32_t slice, uint8_t first, uint8_t last,
                           nk_log_visit *visit, void *context, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    for (int code = first; code <= last && !status; code++) {
        const struct nk_section *section = section_of(log, code, slice);
        uint8_t *bytes;
        if (code == NK_CODE_LOSS || !section->length ||
            (status = nk_store_get(&log->store, section, &bytes, error)))
            continue;
        if (!visit_rows(bytes, (size_t)section->length, (uint8_t)code, log->index->configurations, visit,
                        context))
            status = nk_store_damaged(&log->store, section, error);
        nk_store_release(&log->store, bytes);
    }
    return status;
}

void nk_log_release(struct nk_log *log, uint32_t slice)
{
    for (uint64_t s = slice; s < log->store.section_count; s += log->slices) {
        free(log->store.sections[s].bytes);
        log->store.sections[s].bytes = NULL;
    }
}

uint64_t nk_log_bytes(const struct nk_log *log)
{
    uint64_t bytes = 0;
    for (uint64_t s = 0; s < log->store.section_count; s++)
        bytes += log->store.sections[s].length;
    return bytes;
}

/* ---- the state ---- */

/* The places of the state's numbers in the store. */
enum {
    AT_RULES, /* width, height, pieces, row length, win: a byte each from the lowest */
    AT_COMPLETE,
    AT_PLY,
    AT_STALEMATES,
    AT_DRAWS,
    AT_EXAMPLE,
    AT_BY_PLIES,
    STATE_NUMBERS = AT_BY_PLIES + NK_MAX_PLIES + 1
};

static uint64_t pack_rules(const struct nk_rules *rules)
{
    return (uint64_t)rules->board.width | (uint64_t)rules->board.height << 8 |
           (uint64_t)rules->board.pieces << 16 | (uint64_t)rules->board.row_length << 24 |
           (uint64_t)rules->board.win << 32;
}

static void encode_state(const struct nk_log *log, const struct nk_log_state *state, uint64_t *numbers)
{
    numbers[AT_RULES] = pack_rules(&log->index->rules);
    numbers[AT_COMPLETE] = state->is_complete;
    numbers[AT_PLY] = (uint64_t)state->ply;
    numbers[AT_STALEMATES] = state->stalemates;
    numbers[AT_DRAWS] = state->draws;
    numbers[AT_EXAMPLE] = state->example;
    memcpy(numbers + AT_BY_PLIES, state->by_plies, sizeof state->by_plies);
}

/* The inverse of encode_state, for numbers that check_numbers has accepted. */
static void decode_state(const uint64_t *numbers, struct nk_log_state *state)
{
    state->is_complete = numbers[AT_COMPLETE];
    state->ply = (int)numbers[AT_PLY];
    state->stalemates = numbers[AT_STALEMATES];
    state->draws = numbers[AT_DRAWS];
    state->example = numbers[AT_EXAMPLE];
    memcpy(state->by_plies, numbers + AT_BY_PLIES, sizeof state->by_plies);
}

/* The sections that a state has after a ply. */
static uint64_t sections_of(const struct nk_log *log, int ply)
{
    return (uint64_t)(ply / 2 + 1) * log->slices;
}

/* Sends all processes the places of the sections of a code. A process has zeros for the sections of others before. */
static void share_sections(struct nk_log *log, uint8_t code)
{
    enum { PART = 64 };
    uint64_t numbers[PART][NK_SECTION_NUMBERS];
    for (uint32_t first = 0; first < log->slices; first += PART) {
        struct nk_section *sections = section_of(log, code, first);
        const uint32_t left = log->slices - first, count = left < PART ? left : PART;
        for (uint32_t i = 0; i < count; i++)
            nk_section_encode(&sections[i], numbers[i]);
        nk_cluster_sum(numbers[0], (size_t)count * NK_SECTION_NUMBERS);
        for (uint32_t i = 0; i < count; i++)
            nk_section_decode(numbers[i], &sections[i]);
    }
}

enum nk_status nk_log_flush(struct nk_log *log, uint8_t code, struct nk_error *error)
{
    enum nk_status status = nk_log_failure(log, error);
    if (!status)
        status = nk_store_flush(&log->store, error);
    status = nk_cluster_agree(status, error);
    if (!status && log->directory.path)
        share_sections(log, code);
    return status;
}

enum nk_status nk_log_commit(struct nk_log *log, const struct nk_log_state *state, struct nk_error *error)
{
    const struct nk_log_state last = log->state;
    enum nk_status status = nk_cluster_agree(nk_log_failure(log, error), error);
    if (status)
        return status;
    log->state = *state;
    encode_state(log, state, log->store.numbers);
    if (nk_cluster_is_first())
        status = nk_store_save(&log->store, sections_of(log, state->ply), error);
    if ((status = nk_cluster_agree(status, error)))
        log->state = last;
    return status;
}

/* Checks the numbers of the state that was read. */
static enum nk_status check_numbers(const struct nk_log *log, struct nk_error *error)
{
    const uint64_t *numbers = log->store.numbers;
    const uint64_t rules = numbers[AT_RULES], win = rules >> 32;
    if (rules != pack_rules(&log->index->rules)) {
        char options[NK_BOARD_NAME];
        nk_board_options(&(struct nk_board){rules & 255, rules >> 8 & 255, rules >> 16 & 255,
                                            rules >> 24 & 255,
                                            win < NK_WIN_RULES ? (enum nk_win)win : NK_WIN_LINE},
                         options);
        return nk_fail(error, NK_E_CORRUPT, 0,
                       NK_PATH ": a checkpoint of another game: %s: finish that analysis, or name another "
                               "directory",
                       NK_PATH_OF(log->directory.path), options);
    }
    if (numbers[AT_COMPLETE] > 1 || numbers[AT_PLY] > NK_MAX_PLIES ||
        (uint64_t)log->store.found != sections_of(log, (int)numbers[AT_PLY]))
        return nk_store_damaged(&log->store, NULL, error);
    return NK_OK;
}

/* Continues, in all processes, from the state in the directory, if there is one; `status` is that of reading it. */
static enum nk_status resume(struct nk_log *log, enum nk_status status, struct nk_error *error)
{
    const bool has_state = log->store.found >= 0;
    if (!status && has_state)
        status = check_numbers(log, error);
    if ((status = nk_cluster_agree(status, error)))
        return status;
    if (has_state)
        decode_state(log->store.numbers, &log->state);
    if (!nk_cluster_same(log->store.checksum))
        return nk_fail(error, NK_E_READ, 0,
                       "the processes find different logs in " NK_PATH
                       ": use a directory that all of them share",
                       NK_PATH_OF(log->directory.path));
    return nk_cluster_agree(nk_store_begin(&log->store, error), error);
}

enum nk_status nk_log_open(const char *directory, const struct nk_index *index, struct nk_log **out,
                           struct nk_error *error)
{
    const bool has_files = NK_HAS_FILES && directory;
    struct nk_log *log = calloc(1, sizeof *log);
    enum nk_status status = log ? NK_OK : no_memory(error);
    if (log && has_files)
        status = (nk_cluster_is_first() ? nk_directory_open : nk_directory_join)(directory, &log->directory,
                                                                                 error);
    if (has_files)
        status = nk_cluster_agree(status, error);
    if (log && !status) {
        log->index = index;
        log->slices = nk_slice_count(index);
        log->state.ply = -1;
        log->store = (struct nk_store){
            .directory = log->directory.path,
            .names = nk_log_names,
            .process = (uint64_t)nk_cluster_process(),
            .number_count = STATE_NUMBERS,
            .section_count = (uint64_t)(LAST_CODE - NK_CODE_LOSS + 1) * log->slices,
        };
        status = nk_store_open(&log->store, error);
        if (has_files)
            status = resume(log, status, error);
    }
    if (status)
        nk_log_close(log);
    else
        *out = log;
    return status;
}

void nk_log_close(struct nk_log *log)
{
    if (!log)
        return;
    nk_store_clear(&log->store);
    if (NK_HAS_FILES)
        nk_directory_close(&log->directory);
    free(log);
}

void nk_log_remove(struct nk_log *log)
{
    if (nk_cluster_is_first())
        nk_store_remove(&log->store);
}
