#include "solver/checkpoint.h"

#include "common/file.h"
#include "common/table_format.h"
#include "solver/comm.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

/* The header of the file `state`; numbers are little-endian. After it come the number of positions decided in 0..ply
 * plies (u64 each), for each slice the size and the XXH3-64 of its file (u64 each), and the XXH3-64 of all bytes
 * before. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8, /* u32 */
    AT_RULES = 12,  /* width, height, pieces, row, win: a byte each; 3 bytes of zero */
    AT_PLY = 20,    /* u32 */
    AT_SLICES = 24, /* u32 */
    HEADER_BYTES = 28,
    VERSION = 1,
    SLICE_SUM_BYTES = 16
};
static const uint8_t magic[8] = {0x89, 'N', 'K', 'C', '\r', '\n', 0x1a, '\n'};

struct nk_checkpoint {
    char *directory;
    int lock; /* file descriptor of the directory, locked; -1 except in process 0 */
    struct nk_rules rules;
    uint32_t slices;
    uint64_t slice_bytes;
    int seconds;
    time_t last; /* monotonic time of the last attempt to save, or of opening */

    int ply; /* or -1 */
    uint64_t by_distance[NK_MAX_PLIES + 1];
    struct nk_slice_sum *files; /* [slices] of the last checkpoint */
    /* [slices] of the next one; zero for the slices of other processes until the commit. */
    struct nk_slice_sum *saving;
};

static char *path_in(const struct nk_checkpoint *checkpoint, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", checkpoint->directory, name) < 0 ? NULL : path;
}

enum { SLICE_NAME = 40 };

static void name_slice(uint32_t slice, int ply, char name[SLICE_NAME])
{
    snprintf(name, SLICE_NAME, "slice-%05u.ply-%03d", (unsigned)slice, ply);
}

static char *path_of_slice(const struct nk_checkpoint *checkpoint, uint32_t slice, int ply)
{
    char name[SLICE_NAME];
    name_slice(slice, ply, name);
    return path_in(checkpoint, name);
}

static enum nk_status no_memory(struct nk_error *error)
{
    return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the checkpoint");
}

/* Reports a failure of fopen, which also allocates memory. */
static enum nk_status cannot_open(const char *path, struct nk_error *error)
{
    return errno == ENOMEM ? no_memory(error)
                           : nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(path), strerror(errno));
}

static time_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
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

static size_t state_bytes(uint32_t slices, int ply)
{
    return HEADER_BYTES + 8 * ((size_t)ply + 1) + SLICE_SUM_BYTES * (size_t)slices + 8;
}

/* Reads the `size` bytes of the file `state`. */
static enum nk_status parse_state(struct nk_checkpoint *checkpoint, const uint8_t *bytes, size_t size,
                                  struct nk_error *error)
{
    uint8_t rules[5];
    const char *directory = checkpoint->directory;
    if (size < HEADER_BYTES + 8 || memcmp(bytes, magic, sizeof magic) != 0 ||
        XXH3_64bits(bytes, size - 8) != nk_get64(bytes + size - 8))
        return nk_fail(error, NK_E_CORRUPT, 0,
                       NK_PATH "/state: damaged, or not a checkpoint: remove it, or name another directory",
                       NK_PATH_OF(directory));
    if (nk_get32(bytes + AT_VERSION) != VERSION)
        return nk_fail(error, NK_E_CORRUPT, 0,
                       NK_PATH "/state: a checkpoint of version %llu; this program reads version %d",
                       NK_PATH_OF(directory), (unsigned long long)nk_get32(bytes + AT_VERSION), (int)VERSION);
    put_rules(&checkpoint->rules, rules);
    if (memcmp(bytes + AT_RULES, rules, sizeof rules) != 0) {
        const enum nk_win win = bytes[AT_RULES + 4] < NK_WIN_RULES ? bytes[AT_RULES + 4] : NK_WIN_LINE;
        return nk_fail(error, NK_E_CORRUPT, 0,
                       NK_PATH ": a checkpoint of another game: --board %dx%d --pieces %d --row %d --win %s: "
                               "finish that analysis, or name another directory",
                       NK_PATH_OF(directory), bytes[AT_RULES], bytes[AT_RULES + 1], bytes[AT_RULES + 2],
                       bytes[AT_RULES + 3], nk_win_name(win));
    }
    const uint32_t ply = nk_get32(bytes + AT_PLY), slices = nk_get32(bytes + AT_SLICES);
    if (slices != checkpoint->slices || ply > NK_MAX_PLIES || ply % 2 ||
        size != state_bytes(slices, (int)ply))
        return nk_fail(error, NK_E_CORRUPT, 0,
                       NK_PATH "/state: damaged: %llu slices after %llu plies, expected %llu",
                       NK_PATH_OF(directory), (unsigned long long)slices, (unsigned long long)ply,
                       (unsigned long long)checkpoint->slices);
    bytes += HEADER_BYTES;
    for (uint32_t p = 0; p <= ply; p++, bytes += 8)
        checkpoint->by_distance[p] = nk_get64(bytes);
    for (uint32_t s = 0; s < slices; s++, bytes += SLICE_SUM_BYTES)
        checkpoint->files[s] = (struct nk_slice_sum){nk_get64(bytes), nk_get64(bytes + 8)};
    checkpoint->ply = (int)ply;
    return NK_OK;
}

/* Reads the file `state`, if there is one. */
static enum nk_status load_state(struct nk_checkpoint *checkpoint, struct nk_error *error)
{
    const size_t most = state_bytes(checkpoint->slices, NK_MAX_PLIES);
    enum nk_status status = NK_OK;
    char *path = path_in(checkpoint, "state");
    uint8_t *bytes = malloc(most + 1);
    FILE *file = path && bytes ? fopen(path, "rbe") : NULL;
    if (!path || !bytes) {
        status = no_memory(error);
    } else if (!file) {
        if (errno != ENOENT)
            status = cannot_open(path, error);
    } else {
        const size_t size = fread(bytes, 1, most + 1, file);
        status = ferror(file)
                     ? nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(path), strerror(errno))
                     : parse_state(checkpoint, bytes, size, error);
    }
    if (file)
        fclose(file);
    free(bytes);
    free(path);
    return status;
}

static enum nk_status write_state(const struct nk_checkpoint *checkpoint, struct nk_error *error)
{
    const size_t size = state_bytes(checkpoint->slices, checkpoint->ply);
    uint8_t *bytes = calloc(size, 1);
    char *path = path_in(checkpoint, "state");
    enum nk_status status;
    if (!bytes || !path) {
        status = no_memory(error);
    } else {
        memcpy(bytes + AT_MAGIC, magic, sizeof magic);
        nk_put32(bytes + AT_VERSION, VERSION);
        put_rules(&checkpoint->rules, bytes + AT_RULES);
        nk_put32(bytes + AT_PLY, (uint32_t)checkpoint->ply);
        nk_put32(bytes + AT_SLICES, checkpoint->slices);
        uint8_t *at = bytes + HEADER_BYTES;
        for (int p = 0; p <= checkpoint->ply; p++, at += 8)
            nk_put64(at, checkpoint->by_distance[p]);
        for (uint32_t s = 0; s < checkpoint->slices; s++, at += SLICE_SUM_BYTES) {
            nk_put64(at, checkpoint->files[s].size);
            nk_put64(at + 8, checkpoint->files[s].checksum);
        }
        nk_put64(at, XXH3_64bits(bytes, size - 8));
        status = nk_file_write(path, bytes, size, error);
    }
    free(bytes);
    free(path);
    return status;
}

/* ---- the directory ---- */

/* Whether this is the name of a slice file. */
static bool is_slice(const char *name)
{
    int end = 0;
    (void)sscanf(name, "slice-%*5[0-9].ply-%*3[0-9]%n", &end);
    return end && !name[end];
}

/* Removes the slice files of all plies but this one, and unfinished files of killed runs. */
static void sweep(const struct nk_checkpoint *checkpoint, int ply)
{
    char keep[SLICE_NAME];
    name_slice(0, ply, keep);
    const char *suffix = keep + strcspn(keep, ".");
    DIR *directory = opendir(checkpoint->directory);
    for (const struct dirent *entry; directory && (entry = readdir(directory));) {
        const char *name = entry->d_name;
        if (is_slice(name) && strcmp(name + strcspn(name, "."), suffix) != 0)
            (void)unlinkat(dirfd(directory), name, 0);
        nk_file_sweep(dirfd(directory), name);
    }
    if (directory)
        closedir(directory);
}

/* An empty file that marks the directory as created by a run, also if that run has been killed. */
static const char made_name[] = ".made";

/* Locks the directory against other runs. Only process 0 does this, for all processes. */
static enum nk_status lock(struct nk_checkpoint *checkpoint, struct nk_error *error)
{
    const bool made = mkdir(checkpoint->directory, 0777) == 0;
    if (!made && errno != EEXIST)
        return nk_fail(error, NK_E_WRITE, 0, "cannot create the directory " NK_PATH ": %s",
                       NK_PATH_OF(checkpoint->directory), strerror(errno));
    checkpoint->lock = open(checkpoint->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (checkpoint->lock < 0)
        return nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(checkpoint->directory),
                       strerror(errno));
    if (flock(checkpoint->lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return nk_fail(error, NK_E_WRITE, 0,
                       NK_PATH ": another run uses this directory: wait for it, or name another one",
                       NK_PATH_OF(checkpoint->directory));
    if (made) {
        const int file = openat(checkpoint->lock, made_name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (file >= 0)
            close(file);
    }
    return NK_OK;
}

enum nk_status nk_checkpoint_open(const char *directory, const struct nk_rules *rules, uint32_t slices,
                                  uint64_t slice_bytes, int seconds, struct nk_checkpoint **out,
                                  struct nk_error *error)
{
    struct nk_checkpoint *checkpoint = calloc(1, sizeof *checkpoint);
    if (!checkpoint)
        return no_memory(error);
    *checkpoint = (struct nk_checkpoint){.directory = strdup(directory),
                                         .lock = -1,
                                         .rules = *rules,
                                         .slices = slices,
                                         .slice_bytes = slice_bytes,
                                         .seconds = seconds,
                                         .last = now(),
                                         .ply = -1,
                                         .files = calloc(slices, sizeof *checkpoint->files),
                                         .saving = calloc(slices, sizeof *checkpoint->saving)};
    enum nk_status status = NK_OK;
    if (!checkpoint->directory || !checkpoint->files || !checkpoint->saving)
        status = no_memory(error);
    if (!status && nk_comm_rank() == 0)
        status = lock(checkpoint, error);
    if (!status && !(status = load_state(checkpoint, error)))
        *out = checkpoint;
    else
        nk_checkpoint_close(checkpoint);
    return status;
}

void nk_checkpoint_close(struct nk_checkpoint *checkpoint)
{
    if (!checkpoint)
        return;
    if (checkpoint->lock >= 0)
        close(checkpoint->lock);
    free(checkpoint->directory);
    free(checkpoint->files);
    free(checkpoint->saving);
    free(checkpoint);
}

int nk_checkpoint_ply(const struct nk_checkpoint *checkpoint, const uint64_t **by_distance)
{
    *by_distance = checkpoint->by_distance;
    return checkpoint->ply;
}

bool nk_checkpoint_due(const struct nk_checkpoint *checkpoint)
{
    return now() - checkpoint->last >= checkpoint->seconds;
}

/* ---- slices ---- */

enum nk_status nk_checkpoint_save(struct nk_checkpoint *checkpoint, int ply, uint32_t slice,
                                  nk_produce *produce, void *context, struct nk_error *error)
{
    char *path = path_of_slice(checkpoint, slice, ply);
    if (!path)
        return no_memory(error);
    const enum nk_status status = nk_slice_file_write(path, checkpoint->slice_bytes, produce, context,
                                                      &checkpoint->saving[slice], error);
    free(path);
    return status;
}

enum nk_status nk_checkpoint_load(const struct nk_checkpoint *checkpoint, uint32_t slice, nk_consume *consume,
                                  void *context, struct nk_error *error)
{
    char *path = path_of_slice(checkpoint, slice, checkpoint->ply);
    if (!path)
        return no_memory(error);
    const enum nk_status status =
        nk_slice_file_read(path, checkpoint->slice_bytes, consume, context, &checkpoint->files[slice], error);
    free(path);
    return status;
}

enum nk_status nk_checkpoint_commit(struct nk_checkpoint *checkpoint, int ply, const uint64_t *by_distance,
                                    enum nk_status saved, struct nk_error *error)
{
    struct nk_checkpoint next = *checkpoint;
    enum nk_status status = saved;
    bool is_complete = nk_comm_all(!saved);
    if (is_complete) {
        nk_comm_sum((uint64_t *)checkpoint->saving, 2 * (size_t)checkpoint->slices);
        next.ply = ply;
        memcpy(next.by_distance, by_distance, ((size_t)ply + 1) * sizeof *by_distance);
        next.files = checkpoint->saving;
        next.saving = checkpoint->files;
        if (nk_comm_rank() == 0)
            status = write_state(&next, error);
        is_complete = nk_comm_all(!status);
    }
    if (is_complete)
        *checkpoint = next;
    else if (!status)
        status = nk_fail(error, NK_E_WRITE, 0, "another process could not save its part");
    checkpoint->last = now();
    memset(checkpoint->saving, 0, checkpoint->slices * sizeof *checkpoint->saving);
    if (nk_comm_rank() == 0)
        sweep(checkpoint, checkpoint->ply);
    return status;
}

void nk_checkpoint_remove(struct nk_checkpoint *checkpoint)
{
    if (nk_comm_rank() == 0) {
        (void)unlinkat(checkpoint->lock, "state", 0);
        sweep(checkpoint, -1);
        if (unlinkat(checkpoint->lock, made_name, 0) == 0)
            (void)rmdir(checkpoint->directory);
    }
}
