#include "solver/checkpoint.h"

#include "common/file.h"
#include "common/format.h"
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
#include <zlib.h>

/* The file `state`; numbers are little-endian. A list of the positions decided in 0 .. ply plies (u64 each)
 * follows, then for each slice the size of its file and the XXH3-64 of it (u64), then the XXH3-64 of all
 * before it. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8, /* u32 */
    AT_RULES = 12,  /* width, height, pieces, row, win: a byte each; 3 bytes of zero */
    AT_PLY = 20,    /* u32 */
    AT_SLICES = 24, /* u32 */
    HEADER_BYTES = 28,
    VERSION = 1,
    SLICE_BYTES = 16, /* in the list */
    CHUNK = 1 << 15   /* bytes of a slice that are treated at once, before compression */
};
static const uint8_t magic[8] = {0x89, 'N', 'K', 'C', '\r', '\n', 0x1a, '\n'};

struct nk_checkpoint {
    char *directory;
    int lock; /* the directory, locked, or -1 */
    struct nk_rules rules;
    uint32_t slices;
    uint64_t slice_bytes;
    int seconds;
    time_t last; /* when the last one was saved, or tried */

    int ply; /* of what it holds, or -1 */
    uint64_t by_distance[NK_MAX_PLIES + 1];
    uint64_t *files;  /* [slices][2] size and checksum of the files that count */
    uint64_t *saving; /* [slices][2] of those being saved */
};

static char *name_of(const struct nk_checkpoint *checkpoint, const char *name)
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
    return name_of(checkpoint, name);
}

static enum nk_status no_memory(struct nk_error *error)
{
    return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the checkpoint");
}

/* After fopen, which allocates too. */
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
    return HEADER_BYTES + 8 * ((size_t)ply + 1) + SLICE_BYTES * (size_t)slices + 8;
}

/* Reads the state from its `size` bytes. */
static enum nk_status read_state(struct nk_checkpoint *checkpoint, const uint8_t *bytes, size_t size,
                                 struct nk_error *error)
{
    uint8_t rules[5];
    const char *directory = checkpoint->directory;
    if (size < HEADER_BYTES + 8 || memcmp(bytes, magic, sizeof magic) != 0 ||
        XXH3_64bits(bytes, size - 8) != nk_get64(bytes + size - 8))
        return nk_fail(error, NK_E_CORRUPT, 0,
                       NK_PATH "/state: damaged, or no checkpoint: remove it, or name another directory",
                       NK_PATH_OF(directory));
    if (nk_get32(bytes + AT_VERSION) != VERSION)
        return nk_fail(error, NK_E_CORRUPT, 0,
                       NK_PATH "/state: a checkpoint of version %llu; this program reads %d",
                       NK_PATH_OF(directory), (unsigned long long)nk_get32(bytes + AT_VERSION), (int)VERSION);
    put_rules(&checkpoint->rules, rules);
    if (memcmp(bytes + AT_RULES, rules, sizeof rules) != 0) {
        const enum nk_win win = bytes[AT_RULES + 4] < NK_WIN_RULES ? bytes[AT_RULES + 4] : NK_WIN_LINE;
        return nk_fail(error, NK_E_CORRUPT, 0,
                       NK_PATH ": a checkpoint of another game: --board %dx%d --pieces %d --row %d --win %s: "
                               "finish that one, or name another directory",
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
    for (uint32_t i = 0; i < 2 * slices; i++, bytes += 8)
        checkpoint->files[i] = nk_get64(bytes);
    checkpoint->ply = (int)ply;
    return NK_OK;
}

static enum nk_status find_state(struct nk_checkpoint *checkpoint, struct nk_error *error)
{
    const size_t most = state_bytes(checkpoint->slices, NK_MAX_PLIES);
    enum nk_status status = NK_OK;
    char *path = name_of(checkpoint, "state");
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
                     : read_state(checkpoint, bytes, size, error);
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
    char *path = name_of(checkpoint, "state");
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
        for (uint32_t i = 0; i < 2 * checkpoint->slices; i++, at += 8)
            nk_put64(at, checkpoint->files[i]);
        nk_put64(at, XXH3_64bits(bytes, size - 8));
        status = nk_file_write(path, bytes, size, error);
    }
    free(bytes);
    free(path);
    return status;
}

/* ---- the directory ---- */

/* Whether a name is that of a slice. */
static bool is_slice(const char *name)
{
    int end = 0;
    (void)sscanf(name, "slice-%*5[0-9].ply-%*3[0-9]%n", &end);
    return end && !name[end];
}

/* Removes the slices that are not of this ply, and files that were being written when a run was killed. */
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

/* An empty file that says that the directory was made by a run, perhaps by one that was killed since. */
static const char made_name[] = ".made";

/* One run at a time: rank 0 stands for all. */
static enum nk_status lock(struct nk_checkpoint *checkpoint, struct nk_error *error)
{
    const bool made = mkdir(checkpoint->directory, 0777) == 0;
    if (!made && errno != EEXIST)
        return nk_fail(error, NK_E_WRITE, 0, "cannot make the directory " NK_PATH ": %s",
                       NK_PATH_OF(checkpoint->directory), strerror(errno));
    checkpoint->lock = open(checkpoint->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (checkpoint->lock < 0)
        return nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(checkpoint->directory),
                       strerror(errno));
    if (flock(checkpoint->lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return nk_fail(error, NK_E_WRITE, 0, NK_PATH ": another run uses this directory",
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
                                         .files = calloc(2 * (size_t)slices, sizeof *checkpoint->files),
                                         .saving = calloc(2 * (size_t)slices, sizeof *checkpoint->saving)};
    enum nk_status status = NK_OK;
    if (!checkpoint->directory || !checkpoint->files || !checkpoint->saving)
        status = no_memory(error);
    if (!status && nk_comm_rank() == 0)
        status = lock(checkpoint, error);
    if (!status && !(status = find_state(checkpoint, error)))
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

/* A slice's file on its way in or out. */
struct passage {
    z_stream stream;
    XXH3_state_t *checksum;
    uint8_t *packed, *plain; /* [CHUNK] each */
};

static bool passage_begin(struct passage *passage)
{
    *passage =
        (struct passage){.checksum = XXH3_createState(), .packed = malloc(CHUNK), .plain = malloc(CHUNK)};
    if (!passage->checksum || !passage->packed || !passage->plain)
        return false;
    XXH3_64bits_reset(passage->checksum);
    return true;
}

static void passage_end(struct passage *passage)
{
    XXH3_freeState(passage->checksum);
    free(passage->packed);
    free(passage->plain);
}

static enum nk_status deflate_slice(struct nk_checkpoint *checkpoint, struct passage *passage,
                                    uint64_t file[2], struct nk_writer *writer, nk_give *give, void *context,
                                    struct nk_error *error)
{
    z_stream *stream = &passage->stream;
    enum nk_status status = NK_OK;
    file[0] = 0;
    for (uint64_t offset = 0; offset < checkpoint->slice_bytes && !status;) {
        const uint64_t left = checkpoint->slice_bytes - offset;
        const size_t length = left < CHUNK ? (size_t)left : CHUNK;
        give(context, offset, passage->plain, length);
        offset += length;
        stream->next_in = passage->plain;
        stream->avail_in = (uInt)length;
        do {
            stream->next_out = passage->packed;
            stream->avail_out = CHUNK;
            (void)deflate(stream, length == left ? Z_FINISH : Z_NO_FLUSH);
            const size_t got = CHUNK - stream->avail_out;
            XXH3_64bits_update(passage->checksum, passage->packed, got);
            file[0] += got;
            status = nk_writer_append(writer, passage->packed, got, error);
        } while (!status && !stream->avail_out);
    }
    file[1] = XXH3_64bits_digest(passage->checksum);
    return status;
}

enum nk_status nk_checkpoint_save(struct nk_checkpoint *checkpoint, int ply, uint32_t slice, nk_give *give,
                                  void *context, struct nk_error *error)
{
    struct passage passage;
    struct nk_writer *writer;
    enum nk_status status;
    char *path = path_of_slice(checkpoint, slice, ply);
    if (!passage_begin(&passage) || !path || deflateInit(&passage.stream, Z_BEST_SPEED) != Z_OK) {
        status = no_memory(error);
    } else {
        if (!(status = nk_writer_open(path, &writer, error))) {
            status = deflate_slice(checkpoint, &passage, &checkpoint->saving[2 * (size_t)slice], writer, give,
                                   context, error);
            if (status)
                nk_writer_abandon(writer);
            else
                status = nk_writer_close(writer, NULL, error);
        }
        deflateEnd(&passage.stream);
    }
    passage_end(&passage);
    free(path);
    return status;
}

/* NK_E_CORRUPT when what the file holds is not a slice, NK_E_MEMORY. */
static enum nk_status inflate_slice(const struct nk_checkpoint *checkpoint, struct passage *passage,
                                    uint32_t slice, FILE *file, nk_take *take, void *context)
{
    z_stream *stream = &passage->stream;
    uint64_t bytes = 0, offset = 0;
    int state = Z_OK;
    size_t got;
    while ((got = fread(passage->packed, 1, CHUNK, file)) > 0) {
        bytes += got;
        XXH3_64bits_update(passage->checksum, passage->packed, got);
        stream->next_in = passage->packed;
        stream->avail_in = (uInt)got;
        do {
            stream->next_out = passage->plain;
            stream->avail_out = CHUNK;
            state = inflate(stream, Z_NO_FLUSH);
            if (state == Z_BUF_ERROR)
                state = Z_OK; /* it wants more bytes */
            if (state == Z_MEM_ERROR)
                return NK_E_MEMORY;
            const size_t length = CHUNK - stream->avail_out;
            if ((state != Z_OK && state != Z_STREAM_END) || length > checkpoint->slice_bytes - offset ||
                !take(context, offset, passage->plain, length))
                return NK_E_CORRUPT;
            offset += length;
        } while (state == Z_OK && (stream->avail_in || !stream->avail_out));
        if (stream->avail_in)
            return NK_E_CORRUPT; /* bytes after the end */
    }
    const uint64_t *expected = &checkpoint->files[2 * (size_t)slice];
    return state == Z_STREAM_END && offset == checkpoint->slice_bytes && bytes == expected[0] &&
                   XXH3_64bits_digest(passage->checksum) == expected[1]
               ? NK_OK
               : NK_E_CORRUPT;
}

enum nk_status nk_checkpoint_load(const struct nk_checkpoint *checkpoint, uint32_t slice, nk_take *take,
                                  void *context, struct nk_error *error)
{
    struct passage passage;
    enum nk_status status = NK_OK;
    char *path = path_of_slice(checkpoint, slice, checkpoint->ply);
    FILE *file = NULL;
    if (!passage_begin(&passage) || !path || inflateInit(&passage.stream) != Z_OK) {
        status = no_memory(error);
    } else {
        if (!(file = fopen(path, "rbe")))
            status = cannot_open(path, error);
        else if ((status = inflate_slice(checkpoint, &passage, slice, file, take, context)) && ferror(file))
            status = nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(path), strerror(errno));
        else if (status == NK_E_CORRUPT)
            status = nk_fail(error, status, 0,
                             NK_PATH ": damaged: remove the directory to begin anew, or name another",
                             NK_PATH_OF(path));
        else if (status)
            status = no_memory(error);
        inflateEnd(&passage.stream);
    }
    if (file)
        fclose(file);
    passage_end(&passage);
    free(path);
    return status;
}

/* ---- the whole ---- */

enum nk_status nk_checkpoint_commit(struct nk_checkpoint *checkpoint, int ply, const uint64_t *by_distance,
                                    enum nk_status saved, struct nk_error *error)
{
    struct nk_checkpoint next = *checkpoint;
    enum nk_status status = saved;
    bool all = nk_comm_all(!saved);
    if (all) {
        nk_comm_sum(checkpoint->saving, 2 * (size_t)checkpoint->slices);
        next.ply = ply;
        memcpy(next.by_distance, by_distance, ((size_t)ply + 1) * sizeof *by_distance);
        next.files = checkpoint->saving;
        next.saving = checkpoint->files;
        if (nk_comm_rank() == 0)
            status = write_state(&next, error);
        all = nk_comm_all(!status);
    }
    if (all)
        *checkpoint = next;
    else if (!status)
        status = nk_fail(error, NK_E_WRITE, 0, "another rank could not save its part");
    checkpoint->last = now();
    memset(checkpoint->saving, 0, 2 * (size_t)checkpoint->slices * sizeof *checkpoint->saving);
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
