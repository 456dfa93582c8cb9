/* The directory of a log: its lock, its state and its files. */
#include "solver/log.h"

#include "common/file.h"
#include "solver/comm.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* The header of the file `state`; numbers are little-endian. After it come the number of positions decided in 0..ply
 * plies (u64 each), then for each code that was recorded and each slice the length, the checksum, the rank and the
 * offset of its section (u64 each), and the XXH3-64 of all bytes before. The codes are those of the losses of 2, 4, ...
 * plies, up to `ply`, and that of draws if the log is complete. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,     /* u32 */
    AT_RULES = 12,      /* width, height, pieces, row length, win: a byte each */
    AT_COMPLETE = 17,   /* u8; then 2 bytes of zero */
    AT_PLY = 20,        /* u32 */
    AT_SLICES = 24,     /* u32; then 4 bytes of zero */
    AT_STALEMATES = 32, /* u64 */
    AT_DRAWS = 40,      /* u64 */
    AT_EXAMPLE = 48,    /* u64 */
    HEADER_BYTES = 56,
    VERSION = 2,
    SECTION_BYTES = 32
};
static const uint8_t magic[8] = {0x89, 'N', 'K', 'C', '\r', '\n', 0x1a, '\n'};

static enum nk_status no_memory(struct nk_error *error)
{
    return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the log of the analysis");
}

/* ---- the state ---- */

static void put_rules(const struct nk_rules *rules, uint8_t bytes[5])
{
    bytes[0] = (uint8_t)rules->width;
    bytes[1] = (uint8_t)rules->height;
    bytes[2] = (uint8_t)rules->pieces;
    bytes[3] = (uint8_t)rules->row_length;
    bytes[4] = (uint8_t)rules->win;
}

/* The code after `code` whose positions such a log has, in the order of their recording; 0 after the last one. */
static uint8_t next_code(const struct nk_log_state *state, uint8_t code)
{
    if (code != NK_CODE_DRAW && code < nk_code_loss(state->ply))
        return (uint8_t)(code + 1);
    return code != NK_CODE_DRAW && state->is_complete ? NK_CODE_DRAW : 0;
}

static size_t state_bytes(const struct nk_log_state *state, uint32_t slices)
{
    const size_t codes = (size_t)state->ply / 2 + state->is_complete;
    return HEADER_BYTES + 8 * ((size_t)state->ply + 1) + SECTION_BYTES * codes * slices + 8;
}

static enum nk_status check_header(const struct nk_log *log, const uint8_t *bytes, size_t size,
                                   struct nk_error *error)
{
    uint8_t rules[5];
    if (size < HEADER_BYTES + 8 || memcmp(bytes, magic, sizeof magic) != 0 ||
        XXH3_64bits(bytes, size - 8) != nk_get64(bytes + size - 8))
        return nk_fail(error, NK_E_CORRUPT, 0,
                       NK_PATH "/state: damaged, or not a checkpoint: remove it, or name another directory",
                       NK_PATH_OF(log->directory));
    if (nk_get32(bytes + AT_VERSION) != VERSION)
        return nk_fail(error, NK_E_CORRUPT, 0,
                       NK_PATH "/state: a checkpoint of version %llu; this program reads version %d",
                       NK_PATH_OF(log->directory), (unsigned long long)nk_get32(bytes + AT_VERSION),
                       (int)VERSION);
    put_rules(&log->index->rules, rules);
    if (memcmp(bytes + AT_RULES, rules, sizeof rules) == 0)
        return NK_OK;
    const enum nk_win win = bytes[AT_RULES + 4] < NK_WIN_RULES ? bytes[AT_RULES + 4] : NK_WIN_LINE;
    return nk_fail(error, NK_E_CORRUPT, 0,
                   NK_PATH ": a checkpoint of another game: --board %dx%d --pieces %d --row %d --win %s: "
                           "finish that analysis, or name another directory",
                   NK_PATH_OF(log->directory), bytes[AT_RULES], bytes[AT_RULES + 1], bytes[AT_RULES + 2],
                   bytes[AT_RULES + 3], nk_win_name(win));
}

/* Reads the `size` bytes of the file `state`. */
static enum nk_status parse_state(struct nk_log *log, const uint8_t *bytes, size_t size,
                                  struct nk_error *error)
{
    struct nk_log_state *state = &log->state;
    enum nk_status status = check_header(log, bytes, size, error);
    if (status)
        return status;
    const uint32_t ply = nk_get32(bytes + AT_PLY), slices = nk_get32(bytes + AT_SLICES);
    const bool is_complete = bytes[AT_COMPLETE] == 1;
    const struct nk_log_state read = {.is_complete = is_complete,
                                      .ply = ply > NK_MAX_PLIES ? NK_MAX_PLIES : (int)ply,
                                      .stalemates = nk_get64(bytes + AT_STALEMATES),
                                      .draws = nk_get64(bytes + AT_DRAWS),
                                      .example = nk_get64(bytes + AT_EXAMPLE)};
    if (slices != log->slices || ply > NK_MAX_PLIES || (ply % 2 && !is_complete) ||
        size != state_bytes(&read, slices))
        return nk_fail(error, NK_E_CORRUPT, 0,
                       NK_PATH "/state: damaged: %llu slices after %llu plies, expected %llu",
                       NK_PATH_OF(log->directory), (unsigned long long)slices, (unsigned long long)ply,
                       (unsigned long long)log->slices);
    bytes += HEADER_BYTES;
    *state = read;
    for (uint32_t p = 0; p <= ply; p++, bytes += 8)
        state->by_distance[p] = nk_get64(bytes);
    for (uint8_t code = NK_CODE_LOSS; (code = next_code(state, code));) {
        nk_log_begin(log, code);
        if ((status = nk_log_failure(log, error)))
            return status;
        for (uint32_t s = 0; s < slices; s++, bytes += SECTION_BYTES)
            log->sections[code][s] = (struct nk_section){.length = nk_get64(bytes),
                                                         .checksum = nk_get64(bytes + 8),
                                                         .rank = nk_get64(bytes + 16),
                                                         .offset = nk_get64(bytes + 24)};
    }
    return NK_OK;
}

static char *path_in(const struct nk_log *log, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", log->directory, name) < 0 ? NULL : path;
}

/* Reads the file `state`, if there is one. *checksum receives that of its bytes, or 0. */
static enum nk_status load_state(struct nk_log *log, uint64_t *checksum, struct nk_error *error)
{
    const size_t most =
        state_bytes(&(struct nk_log_state){.is_complete = true, .ply = NK_MAX_PLIES}, log->slices);
    enum nk_status status = NK_OK;
    char *path = path_in(log, "state");
    uint8_t *bytes = malloc(most + 1);
    FILE *file = path && bytes ? fopen(path, "rbe") : NULL;
    *checksum = 0;
    if (!path || !bytes || (!file && errno == ENOMEM)) {
        status = no_memory(error);
    } else if (file) {
        const size_t size = fread(bytes, 1, most + 1, file);
        *checksum = XXH3_64bits(bytes, size);
        status = ferror(file)
                     ? nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(path), strerror(errno))
                     : parse_state(log, bytes, size, error);
    } else if (errno != ENOENT) {
        status = nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(path), strerror(errno));
    }
    if (file)
        fclose(file);
    free(bytes);
    free(path);
    return status;
}

static void fill_state(const struct nk_log *log, const struct nk_log_state *state, uint8_t *bytes,
                       size_t size)
{
    memcpy(bytes + AT_MAGIC, magic, sizeof magic);
    nk_put32(bytes + AT_VERSION, VERSION);
    put_rules(&log->index->rules, bytes + AT_RULES);
    bytes[AT_COMPLETE] = state->is_complete;
    nk_put32(bytes + AT_PLY, (uint32_t)state->ply);
    nk_put32(bytes + AT_SLICES, log->slices);
    nk_put64(bytes + AT_STALEMATES, state->stalemates);
    nk_put64(bytes + AT_DRAWS, state->draws);
    nk_put64(bytes + AT_EXAMPLE, state->example);
    uint8_t *at = bytes + HEADER_BYTES;
    for (int p = 0; p <= state->ply; p++, at += 8)
        nk_put64(at, state->by_distance[p]);
    for (uint8_t code = NK_CODE_LOSS; (code = next_code(state, code));)
        for (uint32_t s = 0; s < log->slices; s++, at += SECTION_BYTES) {
            const struct nk_section *section = &log->sections[code][s];
            nk_put64(at, section->length);
            nk_put64(at + 8, section->checksum);
            nk_put64(at + 16, section->rank);
            nk_put64(at + 24, section->offset);
        }
    nk_put64(at, XXH3_64bits(bytes, size - 8));
}

static enum nk_status write_state(const struct nk_log *log, const struct nk_log_state *state,
                                  struct nk_error *error)
{
    const size_t size = state_bytes(state, log->slices);
    uint8_t *bytes = calloc(size, 1);
    char *path = path_in(log, "state");
    enum nk_status status = no_memory(error);
    if (bytes && path) {
        fill_state(log, state, bytes, size);
        status = nk_file_write(path, bytes, size, error);
    }
    free(bytes);
    free(path);
    return status;
}

/* Flushes this process's file of a code to the disk. There is none if nothing was appended to it. */
static enum nk_status flush(const struct nk_log *log, uint8_t code, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    char *path = nk_log_path(log, code, (uint64_t)nk_comm_rank());
    const int file = path && log->end ? open(path, O_WRONLY | O_CLOEXEC) : -1;
    if (!path)
        status = no_memory(error);
    else if (log->end && (file < 0 || fsync(file)))
        status =
            nk_fail(error, NK_E_WRITE, 0, "cannot write " NK_PATH ": %s", NK_PATH_OF(path), strerror(errno));
    if (file >= 0)
        close(file);
    free(path);
    return status;
}

enum nk_status nk_log_agree(enum nk_status status, struct nk_error *error)
{
    if (nk_comm_all(!status))
        return NK_OK;
    return status ? status
                  : nk_fail(error, NK_E_WRITE, 0, "another process could not use its part of the log");
}

enum nk_status nk_log_commit(struct nk_log *log, uint8_t code, const struct nk_log_state *state,
                             struct nk_error *error)
{
    enum nk_status status = nk_log_failure(log, error);
    if (!status && log->directory)
        status = flush(log, code, error);
    if ((status = nk_log_agree(status, error)))
        return status;
    if (log->directory) {
        /* What this process knows of the sections of others is zero. */
        if (log->sections[code])
            nk_comm_sum((uint64_t *)log->sections[code], log->slices * sizeof(struct nk_section) / 8);
        if (nk_comm_rank() == 0)
            status = write_state(log, state, error);
        if ((status = nk_log_agree(status, error)))
            return status;
    }
    log->state = *state;
    return NK_OK;
}

/* ---- the directory ---- */

/* Whether this is the name of a file with a set, or with positions that the state does not have. */
static bool is_left_over(const struct nk_log_state *state, const char *name)
{
    char ply[4];
    int end = 0;
    (void)sscanf(name, "undecided.%*9[0-9]%n", &end);
    if (!end)
        (void)sscanf(name, "almost-win.%*9[0-9]%n", &end);
    if (end && !name[end])
        return true;
    end = 0;
    (void)sscanf(name, "draws.%*9[0-9]%n", &end);
    if (end && !name[end])
        return !state->is_complete;
    end = 0;
    (void)sscanf(name, "ply-%3[0-9].%*9[0-9]%n", ply, &end);
    return end && !name[end] && strtol(ply, NULL, 10) > state->ply;
}

/* Removes the files that do not belong to the state, and unfinished files of killed runs. */
static void sweep(const struct nk_log *log, const struct nk_log_state *state)
{
    DIR *directory = opendir(log->directory);
    for (const struct dirent *entry; directory && (entry = readdir(directory));) {
        if (is_left_over(state, entry->d_name))
            (void)unlinkat(dirfd(directory), entry->d_name, 0);
        nk_file_sweep(dirfd(directory), entry->d_name);
    }
    if (directory)
        closedir(directory);
}

/* An empty file that marks the directory as created by a run, also if that run has been killed. */
static const char made_name[] = ".made";

/* Locks the directory against other runs. Only process 0 does this, for all processes. */
static enum nk_status lock(struct nk_log *log, struct nk_error *error)
{
    const bool made = mkdir(log->directory, 0777) == 0;
    if (!made && errno != EEXIST)
        return nk_fail(error, NK_E_WRITE, 0, "cannot create the directory " NK_PATH ": %s",
                       NK_PATH_OF(log->directory), strerror(errno));
    log->lock = open(log->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (log->lock < 0)
        return nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(log->directory), strerror(errno));
    if (flock(log->lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return nk_fail(error, NK_E_WRITE, 0,
                       NK_PATH ": another run uses this directory: wait for it, or name another one",
                       NK_PATH_OF(log->directory));
    if (made) {
        const int file = openat(log->lock, made_name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (file >= 0)
            close(file);
    }
    return NK_OK;
}

static enum nk_status open_directory(struct nk_log *log, struct nk_error *error)
{
    uint64_t checksum = 0;
    enum nk_status status = nk_comm_rank() == 0 ? lock(log, error) : NK_OK;
    if (!(status = nk_log_agree(status, error)))
        status = nk_log_agree(load_state(log, &checksum, error), error);
    if (!status && !nk_comm_same(checksum))
        status = nk_fail(error, NK_E_READ, 0,
                         "the processes find different logs in " NK_PATH
                         ": use a directory that all of them share",
                         NK_PATH_OF(log->directory));
    if (!status && nk_comm_rank() == 0)
        sweep(log, &log->state);
    return status;
}

enum nk_status nk_log_open(const char *directory, const struct nk_index *index, struct nk_log **out,
                           struct nk_error *error)
{
    struct nk_log *log = calloc(1, sizeof *log);
    enum nk_status status = NK_OK;
    if (log) {
        log->index = index;
        log->slices = (index->orbit_count + NK_LANES - 1) / NK_LANES;
        log->state.ply = -1;
        log->lock = -1;
        log->directory = directory ? strdup(directory) : NULL;
    }
    if (!log || (directory && !log->directory))
        status = no_memory(error);
    if (directory && !(status = nk_log_agree(status, error)))
        status = open_directory(log, error);
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
    for (int code = 0; code < 256; code++) {
        for (uint32_t s = 0; log->sections[code] && s < log->slices; s++)
            free(log->sections[code][s].bytes);
        free(log->sections[code]);
    }
    if (log->lock >= 0)
        close(log->lock);
    free(log->directory);
    free(log);
}

void nk_log_remove(struct nk_log *log)
{
    if (nk_comm_rank() != 0 || !log->directory)
        return;
    (void)unlinkat(log->lock, "state", 0);
    sweep(log, &(struct nk_log_state){.ply = -1});
    if (unlinkat(log->lock, made_name, 0) == 0)
        (void)rmdir(log->directory);
}
