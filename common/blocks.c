#include "blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

struct nk_table {
    struct nk_head head;
    int file;             /* or -1, and then: */
    char *name;           /* of the file, for complaints */
    const uint8_t *bytes; /* the table in memory */
    uint64_t size;
    _Atomic(uint8_t *) *unpacked; /* [2 * blocks] codes, then traps; NULL until first asked for */

    /* A table too large to be kept unpacked keeps the blocks that were asked for last; `bounded` guards all
     * this. */
    bool is_bounded;
    pthread_mutex_t bounded;
    uint32_t *kept;    /* [MAX_KEPT] the blocks that are there */
    uint16_t *holders; /* [2 * blocks] who reads the block just now: it must stay */
    uint32_t kept_count, oldest;
};

enum {
    MAX_KEPT = (64 << 20) / NK_BLOCK_ENTRIES, /* 64 MiB of blocks */
    FIRST_STEP = 1 << 16                      /* bytes of header and list to read at first: whole entries */
};

/* ---- bytes, from the file or from memory ---- */

static enum nk_status fetch(const struct nk_table *table, uint64_t offset, size_t length, uint8_t *to,
                            struct nk_error *error)
{
    if (table->file < 0) {
        if (length)
            memcpy(to, table->bytes + offset, length);
        return NK_OK;
    }
    while (length) {
        const ssize_t got = pread(table->file, to, length, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return nk_fail(error, NK_E_READ, 0, "cannot read the table: %s", strerror(errno));
        if (got == 0)
            return nk_fail(error, NK_E_CORRUPT, 0, "the table ends at byte %llu, expected %llu bytes",
                           (unsigned long long)offset, (unsigned long long)table->size);
        to += got;
        offset += (uint64_t)got;
        length -= (size_t)got;
    }
    return NK_OK;
}

/* ---- opening ---- */

/* Reads header and list, twice as much each time: what is not as it must be is found before much memory is
 * taken, however long the list of a file with holes may be. */
static enum nk_status read_list(const struct nk_table *table, size_t length, uint8_t **bytes,
                                struct nk_error *error)
{
    enum nk_status status = NK_OK;
    for (size_t at = 0, step; at < length && !status; at += step) {
        step = at ? at : FIRST_STEP;
        step = step < length - at ? step : length - at;
        uint8_t *more = realloc(*bytes, at + step);
        if (!more)
            return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the table's list of blocks");
        *bytes = more;
        if (!(status = fetch(table, at, step, more + at, error)))
            status = nk_head_check_list(more, at, at + step, table->size, error);
    }
    return status;
}

static enum nk_status read_head(struct nk_table *table, struct nk_error *error)
{
    uint8_t header[NK_HEADER_BYTES], *bytes = NULL;
    size_t length;
    enum nk_status status;
    const size_t have = table->size < NK_HEADER_BYTES ? (size_t)table->size : NK_HEADER_BYTES;
    if ((status = fetch(table, 0, have, header, error)) ||
        (status = nk_head_measure(header, table->size, &length, error)))
        return status;
    if ((status = read_list(table, length, &bytes, error))) {
        free(bytes);
        return status;
    }
    return nk_head_read(&table->head, bytes, length, table->size, error);
}

static enum nk_status make_room(struct nk_table *table, struct nk_error *error)
{
    const size_t blocks = (size_t)table->head.blocks * 2;
    table->unpacked = calloc(blocks, sizeof *table->unpacked);
    if (!table->unpacked)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the table's blocks");
    if (table->head.blocks <= MAX_KEPT)
        return NK_OK;
    table->kept = malloc(MAX_KEPT * sizeof *table->kept);
    table->holders = calloc(blocks, sizeof *table->holders);
    if (!table->kept || !table->holders || pthread_mutex_init(&table->bounded, NULL))
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the table's blocks");
    table->is_bounded = true;
    return NK_OK;
}

static enum nk_status open_source(int file, const uint8_t *bytes, uint64_t size, struct nk_table **out,
                                  struct nk_error *error)
{
    enum nk_status status;
    struct nk_table *table = calloc(1, sizeof *table);
    if (!table) {
        if (file >= 0)
            close(file);
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory");
    }
    table->file = file;
    table->bytes = bytes;
    table->size = size;
    if ((status = read_head(table, error)) || (status = make_room(table, error))) {
        nk_table_close(table);
        return status;
    }
    *out = table;
    return NK_OK;
}

enum nk_status nk_table_open_bytes(const void *bytes, size_t size, struct nk_table **table,
                                   struct nk_error *error)
{
    return open_source(-1, bytes, size, table, error);
}

enum nk_status nk_table_open(const char *path, struct nk_table **table, struct nk_error *error)
{
    struct nk_error why;
    struct stat about;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(path), strerror(errno));
    if (fstat(file, &about) || !S_ISREG(about.st_mode)) {
        close(file);
        return nk_fail(error, NK_E_READ, 0, NK_PATH ": not a regular file", NK_PATH_OF(path));
    }
    enum nk_status status = open_source(file, NULL, (uint64_t)about.st_size, table, &why);
    if (status)
        return nk_fail(error, status, 0, NK_PATH ": %s", NK_PATH_OF(path), why.text);
    (*table)->name = strdup(path); /* without it, complaints lack the name */
    return NK_OK;
}

void nk_table_close(struct nk_table *table)
{
    if (!table)
        return;
    if (table->file >= 0)
        close(table->file);
    if (table->unpacked)
        for (uint32_t b = 0; b < 2 * table->head.blocks; b++)
            free(atomic_load_explicit(&table->unpacked[b], memory_order_relaxed));
    free(table->unpacked);
    free(table->kept);
    free(table->holders);
    if (table->is_bounded)
        pthread_mutex_destroy(&table->bounded);
    free(table->name);
    nk_head_free(&table->head);
    free(table);
}

const struct nk_head *nk_table_head(const struct nk_table *table)
{
    return &table->head;
}

/* ---- blocks ---- */

static enum nk_status unpack(const struct nk_table *table, uint32_t block, uint8_t *bytes, size_t expected,
                             struct nk_error *error)
{
    size_t length;
    const uint64_t begin = nk_head_block(&table->head, block, &length);
    uint8_t *packed = malloc(length + 1);
    if (!packed)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for a block of the table");
    enum nk_status status = fetch(table, begin, length, packed, error);
    if (!status)
        status = nk_head_check_block(&table->head, block, packed, error);
    uLongf unpacked = (uLongf)expected;
    uLong used = (uLong)length;
    const int state = status ? Z_OK : uncompress2(bytes, &unpacked, packed, &used);
    if (state == Z_MEM_ERROR)
        status = nk_fail(error, NK_E_MEMORY, 0, "out of memory for a block of the table");
    else if (!status && (state != Z_OK || unpacked != expected))
        status = nk_fail(error, NK_E_CORRUPT, 0, "damaged: block %llu does not unpack to %llu bytes",
                         (unsigned long long)block, (unsigned long long)expected);
    else if (!status && used != length)
        status = nk_fail(error, NK_E_CORRUPT, 0, "damaged: block %llu goes on for %llu bytes after its end",
                         (unsigned long long)block, (unsigned long long)(length - used));
    else if (!status && block < table->head.blocks)
        status = nk_head_check_codes(&table->head, block, bytes, error);
    free(packed);
    return status;
}

static enum nk_status unpack_new(const struct nk_table *table, uint32_t block, size_t expected,
                                 uint8_t **bytes, struct nk_error *error)
{
    struct nk_error why;
    uint8_t *fresh = malloc(expected);
    enum nk_status status = fresh ? unpack(table, block, fresh, expected, &why)
                                  : nk_fail(&why, NK_E_MEMORY, 0, "out of memory for a block of the table");
    if (status) {
        const char *name = table->name ? table->name : "";
        free(fresh);
        return nk_fail(error, status, 0, NK_PATH "%s%s", NK_PATH_OF(name), *name ? ": " : "", why.text);
    }
    *bytes = fresh;
    return NK_OK;
}

/* Two threads may unpack the same block; one result is kept. */
static enum nk_status hold_for_ever(struct nk_table *table, uint32_t block, size_t expected,
                                    const uint8_t **bytes, struct nk_error *error)
{
    uint8_t *kept = atomic_load_explicit(&table->unpacked[block], memory_order_acquire);
    if (!kept) {
        uint8_t *fresh;
        const enum nk_status status = unpack_new(table, block, expected, &fresh, error);
        if (status)
            return status;
        if (atomic_compare_exchange_strong_explicit(&table->unpacked[block], &kept, fresh,
                                                    memory_order_acq_rel, memory_order_acquire))
            kept = fresh;
        else
            free(fresh);
    }
    *bytes = kept;
    return NK_OK;
}

/* Finds a place for one more block, if need be that of an old one that nobody holds. There are more places
 * than threads that could hold them. */
static uint32_t place_for_one_more(struct nk_table *table)
{
    if (table->kept_count < MAX_KEPT)
        return table->kept_count++;
    while (table->holders[table->kept[table->oldest]])
        table->oldest = (table->oldest + 1) % MAX_KEPT;
    const uint32_t place = table->oldest;
    free(atomic_exchange_explicit(&table->unpacked[table->kept[place]], NULL, memory_order_relaxed));
    table->oldest = (place + 1) % MAX_KEPT;
    return place;
}

static enum nk_status hold_for_now(struct nk_table *table, uint32_t block, size_t expected,
                                   const uint8_t **bytes, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    pthread_mutex_lock(&table->bounded);
    uint8_t *there = atomic_load_explicit(&table->unpacked[block], memory_order_relaxed);
    if (!there && !(status = unpack_new(table, block, expected, &there, error))) {
        table->kept[place_for_one_more(table)] = block;
        atomic_store_explicit(&table->unpacked[block], there, memory_order_relaxed);
    }
    if (!status) {
        table->holders[block]++;
        *bytes = there;
    }
    pthread_mutex_unlock(&table->bounded);
    return status;
}

enum nk_status nk_table_hold(struct nk_table *table, uint32_t block, size_t expected, const uint8_t **bytes,
                             struct nk_error *error)
{
    return table->is_bounded ? hold_for_now(table, block, expected, bytes, error)
                             : hold_for_ever(table, block, expected, bytes, error);
}

void nk_table_let_go(struct nk_table *table, uint32_t block)
{
    if (!table->is_bounded)
        return;
    pthread_mutex_lock(&table->bounded);
    table->holders[block]--;
    pthread_mutex_unlock(&table->bounded);
}

enum nk_status nk_table_code(struct nk_table *table, uint64_t entry, uint8_t *code, struct nk_error *error)
{
    const uint32_t block = (uint32_t)(entry / NK_BLOCK_ENTRIES);
    const uint8_t *codes = NULL;
    const enum nk_status status =
        nk_table_hold(table, block, nk_head_entries(&table->head, block), &codes, error);
    if (status)
        return status;
    *code = codes[entry % NK_BLOCK_ENTRIES];
    nk_table_let_go(table, block);
    return NK_OK;
}
