/* Tables from standard input, and what identifies the file of a table. Only for programs. */

#include "common/table/open.h"
#include "common/table/lookup.h"

#include "common/system/system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { CHUNK = 1 << 14 };
static_assert((int)CHUNK >= (int)NK_HEADER_BYTES, "the first chunk has the header");

static const char input_name[] = "standard input";

/* ---- standard input ---- */

static enum nk_status fail_to_read(struct nk_error *error)
{
    return nk_fail(error, NK_E_READ, 0, "%s: %s", input_name, strerror(errno));
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

/* The most bytes that are worth reading: one more than the table claims to have, none if there is no table. */
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
                           input_name, strerror(errno));
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
    *file = S_ISREG(about.st_mode) ? dup(STDIN_FILENO) : nk_system_create_unnamed();
    if (*file < 0)
        return nk_fail(error, NK_E_READ, 0, "%s: cannot make a copy: %s", input_name, strerror(errno));
    if (S_ISREG(about.st_mode))
        return NK_OK;
    const enum nk_status status = copy_input(*file, error);
    if (status)
        close(*file);
    return status;
}

enum nk_status nk_table_open_named(const char *path, struct nk_table **table, struct nk_error *error)
{
    int file;
    if (!nk_file_is_standard(path))
        return nk_table_open(path, table, error);
    const enum nk_status status = open_input(&file, error);
    return status ? status : nk_table_open_descriptor(file, input_name, table, error);
}

/* ---- digest ---- */

enum nk_status nk_table_digest(struct nk_table *table, struct nk_file_digest *file, struct nk_error *error)
{
    const struct nk_table_source *source = &table->source;
    uint8_t bytes[CHUNK];
    enum nk_status status = NK_OK;
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory");
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
