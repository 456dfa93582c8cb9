#include "solver/verify_store.h"

#include "common/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

/* The file `verify-state`; numbers are little-endian. After the counts (u64 each) come the items of the complete rows:
 * offset in `verify-rows` (u64), bytes there (u32) and their XXH3-64; then the XXH3-64 of all bytes before. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8, /* u32 */
    AT_PHASE = 12,  /* u32 */
    AT_ROWS = 16,   /* u32: complete in this phase */
    AT_ITEMS = 20,  /* u32: rows that are listed */
    AT_TABLE = 24,  /* u64: the checksum of the table's header and list of blocks */
    AT_COUNTS = 32,
    HEADER_BYTES = AT_COUNTS + 8 * NK_VERIFY_COUNTS,
    ITEM_BYTES = 20,
    VERSION = 1,
    PHASES = 2
};
static const uint8_t magic[8] = {0x89, 'N', 'K', 'V', '\r', '\n', 0x1a, '\n'};
static const char state_name[] = "verify-state", rows_name[] = "verify-rows";
static const char made_name[] = ".made"; /* marks a directory as created by a run */

struct row {
    uint64_t offset; /* in the file */
    uint32_t length;
    uint64_t checksum;
};

struct nk_verify_store {
    uint32_t row_count;
    size_t row_bytes;
    uint64_t checksum;     /* of the table */
    uint8_t *raw;          /* [row_count][row_bytes] if rows are not compressed, otherwise NULL */
    uint8_t **packed;      /* [row_count] compressed rows in memory, or NULL */
    struct row *rows;      /* [row_count] */
    char *directory;       /* or NULL */
    int lock, file;        /* file descriptors of the directory and of `verify-rows`, or -1 */
    _Atomic(uint64_t) end; /* of the file */
};

static enum nk_status no_memory(struct nk_error *error)
{
    return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the verification");
}

static enum nk_status fail(const struct nk_verify_store *store, enum nk_status status, const char *name,
                           const char *reason, struct nk_error *error)
{
    return nk_fail(error, status, 0, NK_PATH "/%s: %s", NK_PATH_OF(store->directory), name, reason);
}

/* ---- rows ---- */

static enum nk_status write_file(struct nk_verify_store *store, const uint8_t *bytes, size_t length,
                                 uint64_t offset, struct nk_error *error)
{
    while (length) {
        const ssize_t done = pwrite(store->file, bytes, length, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return fail(store, NK_E_WRITE, rows_name, strerror(errno), error);
        bytes += done;
        offset += (uint64_t)done;
        length -= (size_t)done;
    }
    return NK_OK;
}

static enum nk_status read_file(const struct nk_verify_store *store, const struct row *row, uint8_t *bytes,
                                struct nk_error *error)
{
    for (size_t at = 0; at < row->length;) {
        const ssize_t done = pread(store->file, bytes + at, row->length - at, (off_t)(row->offset + at));
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return fail(store, NK_E_READ, rows_name, strerror(errno), error);
        if (!done)
            return fail(store, NK_E_CORRUPT, rows_name, "damaged: it is too short", error);
        at += (size_t)done;
    }
    if (XXH3_64bits(bytes, row->length) != row->checksum)
        return fail(store, NK_E_CORRUPT, rows_name, "damaged: the checksum of a row does not agree", error);
    return NK_OK;
}

/* Compresses a row; the caller frees the result. Returns NULL if memory runs out. zlib looks for
 * runs only: for distances of wins this is faster than looking for other matches, and the rows are no larger. */
static uint8_t *pack(const uint8_t *bytes, size_t count, size_t *length)
{
    z_stream stream = {0};
    if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS, MAX_MEM_LEVEL, Z_RLE) != Z_OK)
        return NULL;
    const size_t room = deflateBound(&stream, (uLong)count);
    uint8_t *packed = malloc(room);
    if (packed) {
        stream.next_in = (z_const Bytef *)bytes;
        stream.avail_in = (uInt)count;
        stream.next_out = packed;
        stream.avail_out = (uInt)room;
        (void)deflate(&stream, Z_FINISH); /* cannot fail: there is room */
        *length = room - stream.avail_out;
    }
    (void)deflateEnd(&stream);
    return packed;
}

enum nk_status nk_verify_store_put(struct nk_verify_store *store, uint32_t row_number, const uint8_t *bytes,
                                   struct nk_error *error)
{
    struct row *row = &store->rows[row_number];
    if (store->raw) {
        memcpy(store->raw + row_number * store->row_bytes, bytes, store->row_bytes);
        return NK_OK;
    }
    size_t length;
    uint8_t *packed = pack(bytes, store->row_bytes, &length);
    if (!packed)
        return no_memory(error);
    row->length = (uint32_t)length;
    if (store->file < 0) {
        uint8_t *shrunk = realloc(packed, length);
        if (shrunk)
            packed = shrunk;
        store->packed[row_number] = packed;
        return NK_OK;
    }
    row->checksum = XXH3_64bits(packed, length);
    row->offset = atomic_fetch_add(&store->end, length);
    const enum nk_status status = write_file(store, packed, length, row->offset, error);
    free(packed);
    return status;
}

static enum nk_status unpack(const struct nk_verify_store *store, const uint8_t *packed, size_t length,
                             uint8_t *bytes, struct nk_error *error)
{
    uLongf made = (uLongf)store->row_bytes;
    const int state = uncompress(bytes, &made, packed, (uLong)length);
    if (state == Z_MEM_ERROR)
        return no_memory(error);
    if (state != Z_OK || made != store->row_bytes)
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: a row of the verification does not uncompress");
    return NK_OK;
}

enum nk_status nk_verify_store_get(const struct nk_verify_store *store, uint32_t row_number, uint8_t *bytes,
                                   struct nk_error *error)
{
    const struct row *row = &store->rows[row_number];
    if (store->raw) {
        memcpy(bytes, store->raw + row_number * store->row_bytes, store->row_bytes);
        return NK_OK;
    }
    if (store->packed[row_number])
        return unpack(store, store->packed[row_number], row->length, bytes, error);
    uint8_t *packed = malloc(row->length);
    if (!packed)
        return no_memory(error);
    enum nk_status status = read_file(store, row, packed, error);
    if (!status)
        status = unpack(store, packed, row->length, bytes, error);
    free(packed);
    return status;
}

/* ---- the state ---- */

static uint32_t items_of(const struct nk_verify_store *store, const struct nk_verify_state *state)
{
    return state->phase ? store->row_count : state->rows;
}

/* Reads the items of the state, and where the last row in the file ends. */
static void parse_items(struct nk_verify_store *store, const uint8_t *item, uint32_t items)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < items; i++, item += ITEM_BYTES) {
        struct row *row = &store->rows[i];
        *row = (struct row){
            .offset = nk_get64(item), .length = nk_get32(item + 8), .checksum = nk_get64(item + 12)};
        end = row->offset + row->length > end ? row->offset + row->length : end;
    }
    store->end = end;
}

static enum nk_status parse_state(struct nk_verify_store *store, const uint8_t *bytes, size_t size,
                                  struct nk_verify_state *state, struct nk_error *error)
{
    static const char damaged[] = "damaged, or not of this version: remove it, or name another directory";
    if (size < HEADER_BYTES + 8 || memcmp(bytes, magic, sizeof magic) != 0 ||
        nk_get32(bytes + AT_VERSION) != VERSION)
        return fail(store, NK_E_CORRUPT, state_name, damaged, error);
    /* Before the checksum, as the state of a larger table is not read completely. */
    if (nk_get64(bytes + AT_TABLE) != store->checksum)
        return fail(store, NK_E_CORRUPT, state_name,
                    "the verification of another table, or of this one before it was changed: remove it, or "
                    "name another directory",
                    error);
    state->phase = nk_get32(bytes + AT_PHASE);
    state->rows = nk_get32(bytes + AT_ROWS);
    const uint32_t items = nk_get32(bytes + AT_ITEMS);
    if (XXH3_64bits(bytes, size - 8) != nk_get64(bytes + size - 8) || state->phase >= PHASES ||
        state->rows > store->row_count || items != items_of(store, state) ||
        size != HEADER_BYTES + ITEM_BYTES * (size_t)items + 8)
        return fail(store, NK_E_CORRUPT, state_name, damaged, error);
    for (size_t i = 0; i < NK_VERIFY_COUNTS; i++)
        state->counts[i] = nk_get64(bytes + AT_COUNTS + 8 * i);
    parse_items(store, bytes + HEADER_BYTES, items);
    return NK_OK;
}

/* Reads the state, if there is one. */
static enum nk_status load_state(struct nk_verify_store *store, struct nk_verify_state *state,
                                 struct nk_error *error)
{
    const size_t most = HEADER_BYTES + ITEM_BYTES * (size_t)store->row_count + 8;
    enum nk_status status = NK_OK;
    const int descriptor = openat(store->lock, state_name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return errno == ENOENT ? NK_OK : fail(store, NK_E_READ, state_name, strerror(errno), error);
    FILE *file = fdopen(descriptor, "rb");
    uint8_t *bytes = malloc(most + 1);
    if (!file || !bytes) {
        status = no_memory(error);
    } else {
        const size_t size = fread(bytes, 1, most + 1, file);
        status = ferror(file) ? fail(store, NK_E_READ, state_name, strerror(errno), error)
                              : parse_state(store, bytes, size, state, error);
    }
    if (file)
        fclose(file);
    else
        close(descriptor);
    free(bytes);
    return status;
}

enum nk_status nk_verify_store_save(struct nk_verify_store *store, const struct nk_verify_state *state,
                                    struct nk_error *error)
{
    if (!store->directory)
        return NK_OK;
    const uint32_t items = items_of(store, state);
    const size_t size = HEADER_BYTES + ITEM_BYTES * (size_t)items + 8;
    uint8_t *bytes = calloc(size, 1);
    char *path;
    if (asprintf(&path, "%s/%s", store->directory, state_name) < 0)
        path = NULL;
    enum nk_status status;
    if (!bytes || !path) {
        status = no_memory(error);
    } else if (fsync(store->file)) {
        status = fail(store, NK_E_WRITE, rows_name, strerror(errno), error);
    } else {
        memcpy(bytes + AT_MAGIC, magic, sizeof magic);
        nk_put32(bytes + AT_VERSION, VERSION);
        nk_put32(bytes + AT_PHASE, state->phase);
        nk_put32(bytes + AT_ROWS, state->rows);
        nk_put32(bytes + AT_ITEMS, items);
        nk_put64(bytes + AT_TABLE, store->checksum);
        for (size_t i = 0; i < NK_VERIFY_COUNTS; i++)
            nk_put64(bytes + AT_COUNTS + 8 * i, state->counts[i]);
        uint8_t *at = bytes + HEADER_BYTES;
        for (uint32_t i = 0; i < items; i++, at += ITEM_BYTES) {
            nk_put64(at, store->rows[i].offset);
            nk_put32(at + 8, store->rows[i].length);
            nk_put64(at + 12, store->rows[i].checksum);
        }
        nk_put64(at, XXH3_64bits(bytes, size - 8));
        status = nk_file_write(path, bytes, size, error);
    }
    free(bytes);
    free(path);
    return status;
}

/* ---- the directory ---- */

static enum nk_status lock(struct nk_verify_store *store, struct nk_error *error)
{
    const bool made = mkdir(store->directory, 0777) == 0;
    if (!made && errno != EEXIST)
        return nk_fail(error, NK_E_WRITE, 0, "cannot create the directory " NK_PATH ": %s",
                       NK_PATH_OF(store->directory), strerror(errno));
    store->lock = open(store->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (store->lock < 0)
        return nk_fail(error, NK_E_READ, 0, NK_PATH ": %s", NK_PATH_OF(store->directory), strerror(errno));
    if (flock(store->lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return nk_fail(error, NK_E_WRITE, 0,
                       NK_PATH ": another run uses this directory: wait for it, or name another one",
                       NK_PATH_OF(store->directory));
    if (made) {
        const int file = openat(store->lock, made_name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (file >= 0)
            close(file);
    }
    return NK_OK;
}

/* Removes unfinished files of killed runs. */
static void sweep(const struct nk_verify_store *store)
{
    DIR *directory = opendir(store->directory);
    for (const struct dirent *entry; directory && (entry = readdir(directory));)
        nk_file_sweep(dirfd(directory), entry->d_name);
    if (directory)
        closedir(directory);
}

/* Opens the file of the rows, and cuts off what was written after the state was saved. */
static enum nk_status open_rows(struct nk_verify_store *store, struct nk_error *error)
{
    struct stat about;
    store->file = openat(store->lock, rows_name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (store->file < 0 || fstat(store->file, &about))
        return fail(store, NK_E_WRITE, rows_name, strerror(errno), error);
    if ((uint64_t)about.st_size < store->end)
        return fail(store, NK_E_CORRUPT, rows_name, "damaged: it is too short", error);
    if (ftruncate(store->file, (off_t)store->end))
        return fail(store, NK_E_WRITE, rows_name, strerror(errno), error);
    return NK_OK;
}

static enum nk_status open_directory(struct nk_verify_store *store, struct nk_verify_state *state,
                                     struct nk_error *error)
{
    enum nk_status status;
    if ((status = lock(store, error)) || (status = load_state(store, state, error)) ||
        (status = open_rows(store, error)))
        return status;
    sweep(store);
    return NK_OK;
}

enum nk_status nk_verify_store_new(const struct nk_index *index, uint64_t checksum, const char *directory,
                                   bool is_packed, struct nk_verify_state *state,
                                   struct nk_verify_store **out, struct nk_error *error)
{
    struct nk_verify_store *store = calloc(1, sizeof *store);
    if (!store)
        return no_memory(error);
    store->lock = store->file = -1;
    store->row_count = index->orbit_count;
    store->row_bytes = index->per_orbit;
    store->checksum = checksum;
    store->rows = calloc(index->orbit_count, sizeof *store->rows);
    store->packed = calloc(index->orbit_count, sizeof *store->packed);
    if (!is_packed && !directory && index->entries <= SIZE_MAX)
        store->raw = malloc((size_t)index->entries);
    store->directory = directory ? strdup(directory) : NULL;
    enum nk_status status = NK_OK;
    if (!store->rows || !store->packed || (directory ? !store->directory : !is_packed && !store->raw))
        status = no_memory(error);
    else if (directory)
        status = open_directory(store, state, error);
    if (status)
        nk_verify_store_free(store);
    else
        *out = store;
    return status;
}

void nk_verify_store_free(struct nk_verify_store *store)
{
    if (!store)
        return;
    for (uint32_t i = 0; store->packed && i < store->row_count; i++)
        free(store->packed[i]);
    free(store->packed);
    free(store->rows);
    free(store->raw);
    free(store->directory);
    if (store->file >= 0)
        close(store->file);
    if (store->lock >= 0)
        close(store->lock);
    free(store);
}

void nk_verify_store_remove(struct nk_verify_store *store)
{
    if (!store->directory)
        return;
    (void)unlinkat(store->lock, state_name, 0);
    (void)unlinkat(store->lock, rows_name, 0);
    if (unlinkat(store->lock, made_name, 0) == 0)
        (void)rmdir(store->directory);
}
