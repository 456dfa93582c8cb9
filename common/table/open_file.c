/* Tables in files and from standard input. */

#include "common/table/table.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { CHUNK = 1 << 14 };
static_assert((int)CHUNK >= (int)NK_HEADER_BYTES, "the first chunk has the header");

/* ---- files ---- */

struct file {
    int descriptor;
    char path[];
};

static enum nk_status read_file(void *context, uint64_t offset, uint8_t *bytes, size_t length,
                                struct nk_error *error)
{
    const struct file *file = context;
    while (length) {
        const ptrdiff_t got = nk_system_read_at(file->descriptor, bytes, length, offset);
        if (got < 0)
            return nk_fail(error, NK_E_READ, 0, "cannot read the table: %s", nk_system_error(errno).s);
        if (got == 0)
            return nk_table_damaged(error, "the file ends at byte %" PRIu64 ", expected %zu more", offset,
                                    length);
        bytes += got;
        offset += (uint64_t)got;
        length -= (size_t)got;
    }
    return NK_OK;
}

static void close_file(void *context)
{
    struct file *file = context;
    close(file->descriptor);
    free(file);
}

/* Opens the table in a file that is open for reading; the table closes it, or this function if it fails. `path` and
 * `advice` are for messages. */
static enum nk_status open_descriptor(int descriptor, const char *path, const char *advice,
                                      struct nk_table **table, struct nk_error *error)
{
    struct stat about = {0}; /* of no regular file, in case that nothing is known about it */
    (void)fstat(descriptor, &about);
    if (!S_ISREG(about.st_mode)) {
        close(descriptor);
        return nk_fail(error, NK_E_READ, 0, NK_PATH ": not a regular file%s", NK_PATH_OF(path), advice);
    }
    const size_t path_size = strlen(path) + 1;
    struct file *file = malloc(sizeof *file + path_size);
    if (!file) {
        close(descriptor);
        return nk_fail_memory(error);
    }
    file->descriptor = descriptor;
    memcpy(file->path, path, path_size);
    const struct nk_table_source source = {.context = file,
                                           .name = file->path,
                                           .size = (uint64_t)about.st_size,
                                           .read = read_file,
                                           .close = close_file};
    return nk_table_open_source(source, table, error);
}

static enum nk_status open_path(const char *path, const char *advice, struct nk_table **table,
                                struct nk_error *error)
{
    const int descriptor = nk_system_open(path, O_RDONLY);
    if (descriptor < 0)
        return nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(path), nk_system_error(errno).s);
    return open_descriptor(descriptor, path, advice, table, error);
}

enum nk_status nk_table_open(const char *path, struct nk_table **table, struct nk_error *error)
{
    assert(path && table);
    return open_path(path, "", table, error);
}

/* ---- standard input ---- */

static const char input_name[] = "standard input";

static enum nk_status fail_to_read(struct nk_error *error)
{
    return nk_fail(error, NK_E_READ, 0, "%s: %s", input_name, nk_system_error(errno).s);
}

/* Fills a chunk unless the input ends before. Sets *length to the bytes that were read. */
static enum nk_status read_chunk(uint8_t bytes[CHUNK], size_t *length, struct nk_error *error)
{
    *length = 0;
    while (*length < CHUNK) {
        const unsigned left = (unsigned)(CHUNK - *length); /* Windows has no size_t here */
        const ptrdiff_t got = read(STDIN_FILENO, bytes + *length, left);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_to_read(error);
        if (got == 0)
            break;
        *length += (size_t)got;
    }
    return NK_OK;
}

/* The most bytes that are worth reading: one more than the table claims to have, none if it is not a table. */
static uint64_t worth_reading(const uint8_t *first, size_t length)
{
    if (length < NK_HEADER_BYTES || memcmp(first, nk_table_signature, sizeof nk_table_signature) != 0)
        return length;
    const uint64_t claimed = nk_get64(first + NK_AT_SIZE);
    return claimed < UINT64_MAX ? claimed + 1 : claimed;
}

/* Copies the input to an open file. */
static enum nk_status copy_input(int file, struct nk_error *error)
{
    uint8_t bytes[CHUNK];
    uint64_t copied = 0, most = UINT64_MAX;
    size_t length;
    do {
        const enum nk_status status = read_chunk(bytes, &length, error);
        if (status)
            return status;
        if (!copied)
            most = worth_reading(bytes, length);
        if (!nk_file_write_at(file, bytes, length, copied))
            return nk_fail(error, NK_E_WRITE, 0, "cannot write a temporary file with the table of %s: %s",
                           input_name, nk_system_error(errno).s);
        copied += length;
    } while (length == CHUNK && copied < most);
    return NK_OK;
}

/* Opens standard input, or a copy of it if it is not a file. */
static enum nk_status open_input(int *file, struct nk_error *error)
{
    struct stat about = {0};
    if (fstat(STDIN_FILENO, &about))
        return fail_to_read(error);
    if (S_ISREG(about.st_mode)) {
        *file = dup(STDIN_FILENO);
        return *file < 0 ? fail_to_read(error) : NK_OK;
    }
    *file = nk_system_create_unnamed(NULL);
    if (*file < 0)
        return nk_fail(error, NK_E_WRITE, 0, "%s: cannot make a copy: %s", input_name,
                       nk_system_error(errno).s);
    const enum nk_status status = copy_input(*file, error);
    if (status)
        close(*file);
    return status;
}

enum nk_status nk_table_open_path_or_input(const char *path, struct nk_table **table, struct nk_error *error)
{
    int file;
    if (!nk_file_is_standard(path))
        return open_path(path, "; standard input, -, may be a pipe", table, error);
    const enum nk_status status = open_input(&file, error);
    return status ? status : open_descriptor(file, input_name, "", table, error);
}

/* ---- digest ---- */

enum nk_status nk_table_digest(struct nk_table *table, struct nk_file_digest *file, struct nk_error *error)
{
    const struct nk_table_source *source = &table->source;
    uint8_t bytes[CHUNK];
    enum nk_status status = NK_OK;
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return nk_fail_memory(error);
    XXH3_64bits_reset(state);
    for (uint64_t at = 0; at < source->size && !status; at += CHUNK) {
        const uint64_t left = source->size - at;
        const size_t length = left < CHUNK ? (size_t)left : CHUNK;
        status = source->read(source->context, at, bytes, length, error);
        if (!status)
            XXH3_64bits_update(state, bytes, length);
    }
    if (!status)
        *file = (struct nk_file_digest){source->size, XXH3_64bits_digest(state)};
    XXH3_freeState(state);
    return status;
}

/* ---- the default table ---- */

char *nk_table_default_path(void)
{
    return nk_system_user_path("XDG_DATA_HOME", "/.local/share", "perfect_move.dat");
}
