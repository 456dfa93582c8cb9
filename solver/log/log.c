#include "solver/log/log.h"

#include "common/game/index.h"
#include "common/system/file.h"
#include "common/system/system.h"
#include "solver/cluster/cluster.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum {
    /* The most of a row: its gap, its mask, and nine for each word. */
    ROW_BYTES = 5 + 1 + 9 * NK_ROW_WORDS,
    SECTION_PADDING = 128, /* zeros after a section that is read from a file */
    LAST_CODE = UINT8_MAX
};
static_assert((int)ROW_BYTES <= (int)SECTION_PADDING, "decoding may read beyond a section");

/* All files begin with the signature; one that does not is not touched. In a file with rows, the sections follow. The
 * state has little-endian numbers: the version (u32), the number of numbers (u32), these (u64 each), the numbers of
 * each section (u64 each), and the XXH3-64 of all bytes before. */
enum { AT_VERSION = 8, AT_NUMBERS = 12, HEADER_BYTES = 16, SECTION_NUMBERS = 4, VERSION = 3 };
static const uint8_t signature[8] = {0x89, 'N', 'K', 'C', '\r', '\n', 0x1a, '\n'};
static_assert(sizeof(struct nk_log_section) == sizeof(uint64_t[SECTION_NUMBERS]),
              "sections are added up as numbers");

/* The names of the files: the state, and the rows of process P with the suffix .P. */
static const char state_name[] = "state", rows_name[] = "log";

static bool is_in_files(const struct nk_log *log)
{
    return NK_HAS_FILES && log->directory.path;
}

/* ---- errors ---- */

/* For a failed operation on a file of the directory; errno is the reason. */
static enum nk_status file_failed(const struct nk_log *log, enum nk_status status, const char *name,
                                  struct nk_error *error)
{
    if (errno == ENOMEM)
        return nk_fail_memory(error);
    return nk_fail(error, status, 0, "%s" NK_PATH "/%s: %s", status == NK_E_WRITE ? "cannot write " : "",
                   NK_PATH_OF(log->directory.path), name, strerror(errno));
}

static enum nk_status damaged(const struct nk_log *log, const char *name, struct nk_error *error)
{
    if (!is_in_files(log))
        return nk_fail(error, NK_E_CORRUPT, 0, "the log of the analysis is damaged in memory");
    return nk_fail(error, NK_E_CORRUPT, 0, NK_PATH "/%s: damaged: name another directory to start over",
                   NK_PATH_OF(log->directory.path), name);
}

static enum nk_status foreign(const struct nk_log *log, const char *name, struct nk_error *error)
{
    return nk_fail(error, NK_E_CORRUPT, 0, NK_PATH "/%s: not a file of a checkpoint: name another directory",
                   NK_PATH_OF(log->directory.path), name);
}

void nk_log_set_error(struct nk_log *log, const struct nk_error *error)
{
    if (!atomic_exchange(&log->has_failed, true))
        log->error = *error;
}

enum nk_status nk_log_error(const struct nk_log *log, struct nk_error *error)
{
    return atomic_load(&log->has_failed) ? nk_fail(error, log->error.status, 0, "%s", log->error.text)
                                         : NK_OK;
}

/* ---- files ---- */

struct name {
    char text[40];
};

static struct name rows_file(uint64_t process)
{
    struct name name;
    snprintf(name.text, sizeof name.text, "%s.%llu", rows_name, (unsigned long long)process);
    return name;
}

bool nk_log_has_name(const char *name)
{
    int end = 0;
    if (strcmp(name, state_name) == 0)
        return true;
    if (strncmp(name, rows_name, sizeof rows_name - 1) == 0)
        (void)sscanf(name + sizeof rows_name - 1, ".%*9[0-9]%n", &end);
    return end && !name[sizeof rows_name - 1 + (size_t)end];
}

static bool has_signature(const char *bytes, size_t length)
{
    return length >= sizeof signature && memcmp(bytes, signature, sizeof signature) == 0;
}

/* Whether an open file begins with the signature. */
static enum nk_status check_signature(const struct nk_log *log, const char *name, int file,
                                      struct nk_error *error)
{
    char first[sizeof signature] = {0};
    if (file < 0 || (!nk_file_read_at(file, first, sizeof first, 0) && errno))
        return file_failed(log, NK_E_READ, name, error);
    return has_signature(first, sizeof first) ? NK_OK : foreign(log, name, error);
}

/* Whether a file is one of a checkpoint. */
static bool is_own(const struct nk_log *log, const char *name)
{
    const int file = nk_directory_open_file(log->directory.path, name, O_RDONLY);
    const bool is = check_signature(log, name, file, NULL) == NK_OK;
    if (file >= 0)
        close(file);
    return is;
}

/* Reads a part of a file, or all of it for *length == WHOLE, which receives its length, into memory that the caller
 * frees, with zeros after it. A negative `file` could not be opened. */
static const uint64_t WHOLE = UINT64_MAX;
static enum nk_status read_part(const struct nk_log *log, const char *name, int file, uint64_t offset,
                                uint64_t *length, uint8_t **bytes, struct nk_error *error)
{
    struct stat about = {0};
    *bytes = NULL;
    if (file < 0)
        return file_failed(log, NK_E_READ, name, error);
    (void)fstat(file, &about); /* does not fail for an open file */
    const uint64_t size = (uint64_t)about.st_size;
    if (*length == WHOLE)
        *length = size;
    if (offset > size || *length > size - offset)
        return damaged(log, name, error);
    if (*length <= SIZE_MAX - SECTION_PADDING) /* not where addresses have 32 bits */
        *bytes = calloc((size_t)*length + SECTION_PADDING, 1);
    if (!*bytes)
        return nk_fail_memory(error);
    if (nk_file_read_at(file, *bytes, (size_t)*length, offset))
        return NK_OK;
    return errno ? file_failed(log, NK_E_READ, name, error) : damaged(log, name, error);
}

/* Opens the file with the rows of this process. */
static enum nk_status open_own_file(struct nk_log *log, struct nk_error *error)
{
    const uint64_t process = (uint64_t)nk_cluster_process();
    const struct name name = rows_file(process);
    struct stat about = {0};
    uint64_t end = 0;
    for (uint64_t s = 0; s < log->section_count; s++) {
        const struct nk_log_section *section = &log->sections[s];
        if (section->process == process && section->offset + section->length > end)
            end = section->offset + section->length;
    }
    log->own_file = nk_directory_open_file(log->directory.path, name.text, end ? O_RDWR : O_RDWR | O_CREAT);
    log->end = end ? end : sizeof signature;
    if (log->own_file < 0)
        return file_failed(log, end ? NK_E_READ : NK_E_WRITE, name.text, error);
    (void)fstat(log->own_file, &about); /* does not fail for an open file */
    if (end) /* what is appended must follow the sections, and these were in the file when the state was saved */
        return end > (uint64_t)about.st_size ? damaged(log, name.text, error) : NK_OK;
    if (about.st_size == 0 && !nk_file_write_at(log->own_file, signature, sizeof signature, 0))
        return file_failed(log, NK_E_WRITE, name.text, error);
    return check_signature(log, name.text, log->own_file, error);
}

/* ---- rows ---- */

/* A section has the positions of one code in one slice: for each row that has some, in ascending order,
 *   gap        from the row before, less 1 (from row -1 for the first one): 7 bits in a byte, the lowest first; all
 *              bytes but the last have their highest bit set
 *   mask       a byte with a bit for each 64-bit word of the row that is not zero
 *   words      for each of them a byte with a bit for each of its bytes that is not zero, and these bytes */

/* Writes at most ROW_BYTES bytes. Returns the end. */
static uint8_t *encode_row(uint8_t *at, uint32_t gap, const nk_row_bits *bits)
{
    static const uint64_t LOW_BITS = 0x7f7f7f7f7f7f7f7f; /* of each byte */
    for (; gap > 127; gap >>= 7)
        *at++ = (uint8_t)(gap | 128);
    *at++ = (uint8_t)gap;
    uint8_t *const mask = at++;
    *mask = 0;
    for (int w = 0; w < NK_ROW_WORDS; w++) {
        const uint64_t word = bits->word[w];
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
static const uint8_t *decode_row(const uint8_t *at, uint64_t *row, nk_row_bits *bits)
{
    uint64_t gap = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        gap |= (uint64_t)(*at & 127) << shift;
        if (*at++ < 128)
            break;
    }
    *row += gap;
    const uint8_t mask = *at++;
    for (int w = 0; w < NK_ROW_WORDS; w++) {
        uint64_t word = 0;
        if (mask >> w & 1)
            for (uint32_t bytes = *at++; bytes; bytes &= bytes - 1)
                word |= (uint64_t)*at++ << 8 * __builtin_ctz(bytes);
        bits->word[w] = word;
    }
    return at;
}

/* ---- sections ---- */

static uint64_t section_at(const struct nk_log *log, int code, uint32_t slice)
{
    const int place = code == NK_CODE_DRAW ? 0 : code - NK_CODE_LOSS;
    return (uint64_t)place * log->slices + slice;
}

/* Encodes the rows of a section into new memory. Returns NULL if there are none, or after a failure. */
static uint8_t *encode(struct nk_log *log, const nk_row_bits *rows, const uint8_t *nonempty, size_t *length)
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
                (void)nk_fail_memory(&error);
                nk_log_set_error(log, &error);
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

/* Keeps the bytes of a section in the own file, or in memory. Takes or frees them. */
static enum nk_status put(struct nk_log *log, uint64_t at, uint8_t *bytes, size_t length,
                          struct nk_error *error)
{
    struct nk_log_section *section = &log->sections[at];
    *section = (struct nk_log_section){.length = length};
    if (!is_in_files(log)) {
        uint8_t *fitting = realloc(bytes, length + 1);
        if (fitting)
            bytes = fitting;
        log->bytes[at] = bytes;
        return NK_OK;
    }
    section->checksum = XXH3_64bits(bytes, length);
    section->process = (uint64_t)nk_cluster_process();
    section->offset = atomic_fetch_add(&log->end, length);
    const bool written = nk_file_write_at(log->own_file, bytes, length, section->offset);
    const int why = errno;
    free(bytes);
    errno = why;
    return written ? NK_OK : file_failed(log, NK_E_WRITE, rows_file(section->process).text, error);
}

void nk_log_append(struct nk_log *log, uint8_t code, uint32_t slice, const nk_row_bits *rows,
                   const uint8_t *nonempty)
{
    struct nk_error error;
    size_t length = 0;
    uint8_t *bytes = encode(log, rows, nonempty, &length);
    if (bytes && put(log, section_at(log, code, slice), bytes, length, &error))
        nk_log_set_error(log, &error);
}

/* Reads a section from a file into memory that the caller frees. */
static enum nk_status read_section(const struct nk_log *log, const struct nk_log_section *section,
                                   uint8_t **bytes, struct nk_error *error)
{
    const struct name name = rows_file(section->process);
    uint64_t length = section->length;
    const bool is_own = section->process == (uint64_t)nk_cluster_process();
    const int file =
        is_own ? log->own_file : nk_directory_open_file(log->directory.path, name.text, O_RDONLY);
    enum nk_status status = read_part(log, name.text, file, section->offset, &length, bytes, error);
    if (!status && XXH3_64bits(*bytes, (size_t)length) != section->checksum)
        status = damaged(log, name.text, error);
    if (status)
        free(*bytes);
    if (!is_own && file >= 0)
        close(file);
    return status;
}

/* Returns false if the bytes or, for `visit`, the rows cannot be right. */
static bool visit_rows(const uint8_t *bytes, size_t length, uint8_t code, uint32_t rows, nk_log_visit *visit,
                       void *context)
{
    const uint8_t *at = bytes, *end = bytes + length;
    nk_row_bits bits;
    for (uint64_t row = 0; at < end; row++) {
        at = decode_row(at, &row, &bits);
        if (at > end || row >= rows || !visit(context, code, (uint32_t)row, &bits))
            return false;
    }
    return true;
}

enum nk_status nk_log_read(const struct nk_log *log, uint32_t slice, uint8_t first, uint8_t last,
                           nk_log_visit *visit, void *context, struct nk_error *error)
{
    for (int code = first; code <= last; code++) {
        const uint64_t at = section_at(log, code, slice);
        const struct nk_log_section *section = &log->sections[at];
        uint8_t *bytes = is_in_files(log) ? NULL : log->bytes[at];
        if (code == NK_CODE_LOSS || !section->length)
            continue;
        enum nk_status status = is_in_files(log) ? read_section(log, section, &bytes, error) : NK_OK;
        if (status)
            return status;
        if (!visit_rows(bytes, (size_t)section->length, (uint8_t)code, log->index->configurations, visit,
                        context))
            status = damaged(log, rows_file(section->process).text, error);
        if (is_in_files(log))
            free(bytes);
        if (status)
            return status;
    }
    return NK_OK;
}

void nk_log_release(struct nk_log *log, uint32_t slice)
{
    for (uint64_t s = slice; !is_in_files(log) && s < log->section_count; s += log->slices) {
        free(log->bytes[s]);
        log->bytes[s] = NULL;
    }
}

uint64_t nk_log_bytes(const struct nk_log *log)
{
    uint64_t bytes = 0;
    for (uint64_t s = 0; s < log->section_count; s++)
        bytes += log->sections[s].length;
    return bytes;
}

/* ---- the state ---- */

/* The places of its numbers in the file. */
enum {
    AT_RULES, /* width, height, pieces, row length, win: a byte each from the lowest; zero without a state */
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
static uint64_t sections_of(const struct nk_log *log, uint64_t ply)
{
    return (ply / 2 + 1) * log->slices;
}

static void put_numbers(uint8_t *at, const uint64_t *numbers, uint64_t count)
{
    for (uint64_t n = 0; n < count; n++)
        nk_put64(at + 8 * n, numbers[n]);
}

static void get_numbers(const uint8_t *at, uint64_t *numbers, uint64_t count)
{
    for (uint64_t n = 0; n < count; n++)
        numbers[n] = nk_get64(at + 8 * n);
}

/* Replaces the file. */
static enum nk_status save_state(const struct nk_log *log, const struct nk_log_state *state,
                                 struct nk_error *error)
{
    const uint64_t section_numbers = SECTION_NUMBERS * sections_of(log, (uint64_t)state->ply);
    const size_t size = HEADER_BYTES + 8 * (STATE_NUMBERS + (size_t)section_numbers) + 8;
    uint64_t numbers[STATE_NUMBERS];
    char *path;
    if (asprintf(&path, "%s/%s", log->directory.path, state_name) < 0)
        return nk_fail_memory(error);
    uint8_t *bytes = malloc(size), *at = bytes;
    enum nk_status status = bytes ? NK_OK : nk_fail_memory(error);
    if (bytes) {
        encode_state(log, state, numbers);
        memcpy(at, signature, sizeof signature);
        nk_put32(at + AT_VERSION, VERSION);
        nk_put32(at + AT_NUMBERS, STATE_NUMBERS);
        at += HEADER_BYTES;
        put_numbers(at, numbers, STATE_NUMBERS);
        at += sizeof(uint64_t[STATE_NUMBERS]);
        put_numbers(at, (const uint64_t *)log->sections, section_numbers);
        nk_put64(bytes + size - 8, XXH3_64bits(bytes, size - 8));
        status = nk_file_write(path, true, bytes, size, error);
    }
    free(bytes);
    free(path);
    return status;
}

enum nk_status nk_log_commit(struct nk_log *log, const struct nk_log_state *state, struct nk_error *error)
{
    const int code = state->is_complete ? NK_CODE_DRAW : nk_code_loss(state->ply);
    const bool has_sections = state->is_complete || state->ply % 2 == 0; /* wins are not recorded */
    enum nk_status status = nk_log_error(log, error);
    if (!status && is_in_files(log)) {
        if (has_sections && !nk_system_flush(log->own_file))
            return file_failed(log, NK_E_WRITE, rows_file((uint64_t)nk_cluster_process()).text, error);
        /* All sections are in one process each: their sums are all of them, and all of them have been flushed. */
        if (has_sections)
            nk_cluster_sum((uint64_t *)&log->sections[section_at(log, code, 0)],
                           SECTION_NUMBERS * (size_t)log->slices);
        if (nk_cluster_is_first())
            status = save_state(log, state, error);
    }
    if (!status)
        log->state = *state;
    return status;
}

/* Checks the numbers of the state that was read with so many sections. */
static enum nk_status check_numbers(const struct nk_log *log, const uint64_t *numbers, uint64_t sections,
                                    struct nk_error *error)
{
    const uint64_t rules = numbers[AT_RULES], win = rules >> 32;
    if (rules != pack_rules(&log->index->rules)) {
        const struct nk_board other = {rules & 255, rules >> 8 & 255, rules >> 16 & 255, rules >> 24 & 255,
                                       win < NK_WIN_RULES ? (enum nk_win)win : NK_WIN_LINE};
        return nk_fail(error, NK_E_CORRUPT, 0,
                       NK_PATH ": a checkpoint of another game: %s: finish that analysis, or name another "
                               "directory",
                       NK_PATH_OF(log->directory.path), nk_board_options(&other).s);
    }
    if (numbers[AT_COMPLETE] > 1 || numbers[AT_PLY] > NK_MAX_PLIES ||
        sections != sections_of(log, numbers[AT_PLY]))
        return damaged(log, state_name, error);
    return NK_OK;
}

/* Fills in the numbers and the sections from the bytes of the file. */
static enum nk_status parse_state(struct nk_log *log, const uint8_t *bytes, size_t size, uint64_t *numbers,
                                  struct nk_error *error)
{
    const size_t least = HEADER_BYTES + 8 * STATE_NUMBERS + 8;
    if (!has_signature((const char *)bytes, size))
        return foreign(log, state_name, error);
    if (size < HEADER_BYTES + 8 || XXH3_64bits(bytes, size - 8) != nk_get64(bytes + size - 8))
        return damaged(log, state_name, error);
    if (nk_get32(bytes + AT_VERSION) != VERSION)
        return nk_fail(error, NK_E_CORRUPT, 0,
                       NK_PATH "/%s: a checkpoint of version %llu; this program reads version %d",
                       NK_PATH_OF(log->directory.path), state_name,
                       (unsigned long long)nk_get32(bytes + AT_VERSION), (int)VERSION);
    if (nk_get32(bytes + AT_NUMBERS) != STATE_NUMBERS || size < least ||
        (size - least) % sizeof(struct nk_log_section))
        return damaged(log, state_name, error);
    get_numbers(bytes + HEADER_BYTES, numbers, STATE_NUMBERS);
    const uint64_t sections = (size - least) / sizeof(struct nk_log_section);
    const enum nk_status status = check_numbers(log, numbers, sections, error);
    if (!status)
        get_numbers(bytes + HEADER_BYTES + sizeof(uint64_t[STATE_NUMBERS]), (uint64_t *)log->sections,
                    SECTION_NUMBERS * sections);
    return status;
}

/* Reads the state that a former run left in the directory, if there is one. */
static enum nk_status read_state(struct nk_log *log, uint64_t *numbers, struct nk_error *error)
{
    uint64_t size = WHOLE;
    uint8_t *bytes;
    const int file = nk_directory_open_file(log->directory.path, state_name, O_RDONLY);
    if (file < 0 && errno == ENOENT)
        return NK_OK;
    enum nk_status status = read_part(log, state_name, file, 0, &size, &bytes, error);
    if (!status)
        status = parse_state(log, bytes, (size_t)size, numbers, error);
    if (file >= 0)
        close(file);
    free(bytes);
    return status;
}

struct nk_summary nk_log_summary(const struct nk_log *log)
{
    const struct nk_log_state *state = &log->state;
    struct nk_summary summary = {.placements = log->index->placements,
                                 .draws = state->draws,
                                 .stalemates = state->stalemates,
                                 .longest = (uint32_t)state->ply};
    for (int ply = 0; ply <= state->ply; ply++)
        *(ply % 2 ? &summary.wins : &summary.losses) += state->by_plies[ply];
    summary.legal = summary.wins + summary.losses + summary.draws;
    return summary;
}

/* ---- opening ---- */

/* Opens the directory, and continues from its state. */
static enum nk_status open_directory(struct nk_log *log, const char *path, struct nk_error *error)
{
    uint64_t numbers[STATE_NUMBERS] = {0};
    const bool is_first_process = nk_cluster_is_first();
    enum nk_status status =
        (is_first_process ? nk_directory_open : nk_directory_join)(path, &log->directory, error);
    if (!status && is_first_process)
        status = read_state(log, numbers, error);
    if (status)
        return status;
    /* The others have zeros. They touch the directory only after the first process has locked it. */
    nk_cluster_sum(numbers, STATE_NUMBERS);
    nk_cluster_sum((uint64_t *)log->sections, SECTION_NUMBERS * (size_t)log->section_count);
    if (numbers[AT_RULES])
        decode_state(numbers, &log->state);
    return open_own_file(log, error);
}

enum nk_status nk_log_open(const char *directory, const struct nk_index *index, struct nk_log **out,
                           struct nk_error *error)
{
    struct nk_log *log = calloc(1, sizeof *log);
    if (!log)
        return nk_fail_memory(error);
    log->index = index;
    log->slices = nk_slice_count(index);
    log->section_count = (uint64_t)(LAST_CODE - NK_CODE_LOSS + 1) * log->slices;
    log->state.ply = -1;
    log->own_file = -1;
    log->sections = calloc((size_t)log->section_count, sizeof *log->sections);
    log->bytes = directory ? NULL : calloc((size_t)log->section_count, sizeof *log->bytes);
    enum nk_status status = log->sections && (log->bytes || directory) ? NK_OK : nk_fail_memory(error);
    if (!status && NK_HAS_FILES && directory)
        status = open_directory(log, directory, error);
    if (status)
        nk_log_close(log);
    else
        *out = log;
    return status;
}

static void close_own_file(struct nk_log *log)
{
    if (NK_HAS_FILES && log->own_file >= 0)
        close(log->own_file);
    log->own_file = -1;
}

void nk_log_close(struct nk_log *log)
{
    if (!log)
        return;
    for (uint64_t s = 0; log->bytes && s < log->section_count; s++)
        free(log->bytes[s]);
    free(log->bytes);
    free(log->sections);
    close_own_file(log);
    if (NK_HAS_FILES)
        nk_directory_close(&log->directory);
    free(log);
}

void nk_log_remove(struct nk_log *log)
{
    close_own_file(log); /* where few files can be open, there must be room for those that are checked */
    DIR *directory = is_in_files(log) && nk_cluster_is_first() ? opendir(log->directory.path) : NULL;
    /* The state first, or nothing: without its sections it would be damaged. */
    const bool removes =
        directory && (nk_directory_remove_file(log->directory.path, state_name) || errno == ENOENT);
    for (const struct dirent *entry; removes && (entry = readdir(directory));)
        if (nk_log_has_name(entry->d_name) && is_own(log, entry->d_name))
            (void)nk_directory_remove_file(log->directory.path, entry->d_name);
    if (directory)
        closedir(directory);
}
