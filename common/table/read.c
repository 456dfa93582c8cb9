/* The header and the list of a table, its blocks and which of them are in memory, then opening and closing. */

#include "common/table/table.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#ifdef __wasm__ /* has one thread and no pthread.h */
typedef char pthread_mutex_t;
#define PTHREAD_MUTEX_INITIALIZER 0
#define pthread_mutex_lock(mutex) ((void)(mutex))
#define pthread_mutex_unlock(mutex) ((void)(mutex))
#define pthread_mutex_destroy(mutex) ((void)(mutex))
#else
#include <pthread.h>
#endif

enum nk_status nk_table_fail(const struct nk_table *table, enum nk_status status, const char *reason,
                             struct nk_error *error)
{
    const char *name = table->source.name;
    return name ? nk_fail(error, status, 0, NK_PATH ": %s", NK_PATH_OF(name), reason)
                : nk_fail(error, status, 0, "%s", reason);
}

/* ---- what a table has ---- */

const struct nk_rules *nk_table_rules(const struct nk_table *table)
{
    assert(table);
    return &table->index->rules;
}

const struct nk_summary *nk_table_summary(const struct nk_table *table)
{
    assert(table);
    return &table->summary;
}

/* ---- the list of the blocks ---- */

/* Where a compressed block is in the file. */
struct stored_block {
    uint64_t begin, end, checksum;
};

/* Finds a block, block < 2 * blocks. */
static struct stored_block find_block(const struct nk_table *table, uint32_t block)
{
    const uint8_t *item = table->bytes + NK_HEADER_BYTES + (size_t)block * NK_ITEM_BYTES;
    return (struct stored_block){.begin = block ? nk_get64(item - NK_ITEM_BYTES + NK_ITEM_END)
                                                : nk_list_end(table->block_count),
                                 .end = nk_get64(item + NK_ITEM_END),
                                 .checksum = nk_get64(item + NK_ITEM_CHECKSUM)};
}

/* Whether a block has nothing: one of trap values without draws, or in a table without trap values. */
static bool block_is_empty(const struct nk_table *table, uint32_t block)
{
    if (table->codes)
        return !atomic_load_explicit(&table->blocks[block], memory_order_relaxed);
    const struct stored_block found = find_block(table, block);
    return found.begin == found.end;
}

size_t nk_table_block_entries(const struct nk_table *table, uint32_t block)
{
    const uint64_t left = table->index->entries - (uint64_t)block * NK_BLOCK_ENTRIES;
    return left < NK_BLOCK_ENTRIES ? (size_t)left : NK_BLOCK_ENTRIES;
}

/* ---- the header ---- */

/* What a header has besides what the table keeps. */
struct header {
    struct nk_rules rules;
    uint64_t entries;  /* the exact number has not been checked against the board */
    uint64_t checksum; /* XXH3-64 of header and list */
};

static enum nk_status wrong_entries(uint64_t entries, uint32_t blocks, struct nk_error *error)
{
    return nk_table_damaged(error, "%" PRIu64 " entries in %u blocks do not belong to this board", entries,
                            blocks);
}

/* Checks what shows whether this is a table of this version and as long as its header states. `size` is that of the
 * file, of which `bytes` are the first NK_HEADER_BYTES, or all. */
static enum nk_status check_signature(const uint8_t *bytes, uint64_t size, struct nk_error *error)
{
    if (!size)
        return nk_fail(error, NK_E_NOT_TABLE, 0, "not a table: the file is empty");
    if (memcmp(bytes, nk_table_signature,
               size < sizeof nk_table_signature ? (size_t)size : sizeof nk_table_signature) != 0)
        return nk_fail(
            error, NK_E_NOT_TABLE, 0,
            "not a table: expected a file made by neutreeko-solve, which begins with its signature");
    if (size < NK_HEADER_BYTES)
        return nk_table_damaged(error, "%d bytes, but a table has a header of %d", (int)size,
                                (int)NK_HEADER_BYTES);
    const uint32_t version = nk_get32(bytes + NK_AT_VERSION);
    if (version != NK_FORMAT_VERSION)
        return nk_fail(error, NK_E_NOT_TABLE, 0,
                       "a table of format version %u, but this program reads version %d: make a new one with "
                       "neutreeko-solve",
                       version, (int)NK_FORMAT_VERSION);
    const uint64_t stated = nk_get64(bytes + NK_AT_SIZE);
    if (stated != size)
        return nk_table_damaged(error, "%" PRIu64 " bytes, but its header says %" PRIu64, size, stated);
    return NK_OK;
}

/* Reads the board, and checks the counts against it as far as that needs neither the list nor an index, which
 * take memory and time. */
static enum nk_status parse_header(struct nk_table *table, struct header *header, struct nk_error *error)
{
    const uint8_t *bytes = table->bytes;
    const uint64_t size = table->source.size;
    static const uint8_t zero[NK_AT_LONGEST - NK_AT_ZERO];
    struct nk_error why;
    enum nk_status status = check_signature(bytes, size, error);
    if (status)
        return status;
    const struct nk_board board = {bytes[NK_AT_WIDTH], bytes[NK_AT_HEIGHT], bytes[NK_AT_PIECES],
                                   bytes[NK_AT_ROW_LENGTH], (enum nk_win)bytes[NK_AT_WIN]};
    if (nk_rules_init(&header->rules, &board, &why))
        return nk_table_damaged(error, "%s", why.text);
    if (memcmp(bytes + NK_AT_ZERO, zero, sizeof zero) != 0)
        return nk_table_damaged(error, "bytes %d to %d of the header are not zero", (int)NK_AT_ZERO,
                                (int)NK_AT_LONGEST - 1);
    table->summary = (struct nk_summary){
        .placements = nk_get64(bytes + NK_AT_PLACEMENTS),
        .legal = nk_get64(bytes + NK_AT_LEGAL),
        .wins = nk_get64(bytes + NK_AT_WINS),
        .losses = nk_get64(bytes + NK_AT_LOSSES),
        .draws = nk_get64(bytes + NK_AT_DRAWS),
        .stalemates = nk_get64(bytes + NK_AT_STALEMATES),
        .longest = nk_get32(bytes + NK_AT_LONGEST),
    };
    header->entries = nk_get64(bytes + NK_AT_ENTRIES);
    table->block_count = nk_get32(bytes + NK_AT_BLOCKS);
    table->codes_checksum = nk_get64(bytes + NK_AT_CODES_CHECKSUM);
    header->checksum = nk_get64(bytes + NK_AT_CHECKSUM);
    const uint64_t placements = nk_index_placements(&header->rules), entries = header->entries;
    if (table->summary.placements != placements)
        return nk_table_damaged(error, "%" PRIu64 " placements, but this board has %" PRIu64,
                                table->summary.placements, placements);
    if (entries > placements || entries < placements / (uint64_t)header->rules.symmetries ||
        nk_get32(bytes + NK_AT_BLOCK_ENTRIES) != NK_BLOCK_ENTRIES ||
        table->block_count != (entries + NK_BLOCK_ENTRIES - 1) / NK_BLOCK_ENTRIES)
        return wrong_entries(entries, table->block_count, error);
    if (nk_list_end(table->block_count) > size)
        return nk_table_damaged(error, "a list of %u blocks does not fit into %" PRIu64 " bytes",
                                table->block_count, size);
    return NK_OK;
}

/* ---- reading the list ---- */

enum { FIRST_CHUNK = 1 << 16 }; /* bytes of the list to read at first: whole items */

/* Checks the items of the blocks from `first` to before `last`; those before them are correct. */
static enum nk_status check_items(const struct nk_table *table, uint32_t first, uint32_t last,
                                  struct nk_error *error)
{
    for (uint32_t block = first; block < last; block++) {
        const struct stored_block found = find_block(table, block);
        if (found.end < found.begin + (block < table->block_count) ||
            found.end - found.begin > NK_MAX_COMPRESSED || found.end > table->source.size)
            return nk_table_damaged(error, "block %u begins at byte %" PRIu64 " and ends at byte %" PRIu64,
                                    block, found.begin, found.end);
        if (block + 1 == 2 * table->block_count && found.end != table->source.size)
            return nk_table_damaged(error, "the last block ends at byte %" PRIu64 " of %" PRIu64, found.end,
                                    table->source.size);
    }
    return NK_OK;
}

/* Reads the list behind the header, twice as much each time, and checks it on the way: the list of a file
 * with a hole is found wrong before it takes much memory, however long it is. */
static enum nk_status read_list(struct nk_table *table, struct nk_error *error)
{
    const size_t end = (size_t)nk_list_end(table->block_count);
    enum nk_status status = NK_OK;
    for (size_t at = NK_HEADER_BYTES, chunk; at < end && !status; at += chunk) {
        chunk = at < FIRST_CHUNK ? FIRST_CHUNK : at;
        chunk = chunk < end - at ? chunk : end - at;
        uint8_t *more = realloc(table->bytes, at + chunk);
        if (!more)
            return nk_fail_memory(error);
        table->bytes = more;
        if (!(status = table->source.read(table->source.context, at, more + at, chunk, error)))
            status = check_items(table, (uint32_t)((at - NK_HEADER_BYTES) / NK_ITEM_BYTES),
                                 (uint32_t)((at + chunk - NK_HEADER_BYTES) / NK_ITEM_BYTES), error);
    }
    return status;
}

/* ---- memory for the blocks ---- */

/* The blocks in memory of a table that is too large to keep every block. */
struct nk_block_cache {
    /* Guards all of this, and the freeing of blocks; locked while a block is acquired. */
    pthread_mutex_t mutex;
    uint64_t bytes;    /* of all blocks in memory */
    uint16_t *lengths; /* [2 * blocks] bytes of each block in memory */
    uint32_t oldest, count;
    uint32_t order[]; /* [2 * blocks] a ring: those in memory, in the order in which they were read */
};

/* Takes the memory for the list of the blocks in memory. The header has been read. NK_E_MEMORY. */
static enum nk_status new_blocks(struct nk_table *table, struct nk_error *error)
{
    const size_t blocks = (size_t)table->block_count * 2;
    assert(blocks > 0); /* every board has entries */
    table->blocks = calloc(blocks, sizeof *table->blocks);
    if (!table->blocks)
        return nk_fail_memory(error);
    if (!nk_table_is_large(table))
        return NK_OK;
    table->cache = calloc(1, sizeof *table->cache + blocks * sizeof *table->cache->order);
    if (!table->cache)
        return nk_fail_memory(error);
    table->cache->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    table->cache->lengths = malloc(blocks * sizeof *table->cache->lengths);
    return table->cache->lengths ? NK_OK : nk_fail_memory(error);
}

/* Also frees the blocks that were read. */
static void free_blocks(struct nk_table *table)
{
    if (table->blocks && !table->codes)
        for (uint32_t b = 0; b < 2 * table->block_count; b++)
            free(atomic_load_explicit(&table->blocks[b], memory_order_relaxed));
    free(table->blocks);
    if (table->cache) {
        pthread_mutex_destroy(&table->cache->mutex);
        free(table->cache->lengths);
    }
    free(table->cache);
}

/* ---- reading a block ---- */

/* Checks of an uncompressed block of codes that its block of trap values is empty if it has no draws, and only
 * then, or in a table without traps. */
static enum nk_status check_traps_block(const struct nk_table *table, uint32_t block, const uint8_t *codes,
                                        struct nk_error *error)
{
    const uint32_t traps = table->block_count + block;
    const bool is_empty = block_is_empty(table, traps);
    const bool has_draws = memchr(codes, NK_CODE_DRAW, nk_table_block_entries(table, block));
    if (!is_empty && !has_draws)
        return nk_table_damaged(error, "block %u holds traps, but block %u has no draws", traps, block);
    if (is_empty && has_draws && table->has_traps)
        return nk_table_damaged(error, "block %u holds no traps, but block %u has draws", traps, block);
    return NK_OK;
}

static enum nk_status wrong_stream(const struct nk_table *table, uint32_t block, size_t expected,
                                   struct nk_error *error)
{
    return nk_table_damaged(error, "block %u is not a zlib stream of %zu %s", block, expected,
                            block < table->block_count ? "packed codes" : "trap values");
}

/* Reads a block, which is not empty, and uncompresses it to stream[]: `expected` packed codes or trap values. */
static enum nk_status read_stream(const struct nk_table *table, uint32_t block, size_t expected,
                                  uint8_t *stream, size_t *length, struct nk_error *error)
{
    const struct nk_table_source *source = &table->source;
    const struct stored_block found = find_block(table, block);
    const size_t compressed_length = (size_t)(found.end - found.begin);
    const size_t room = block < table->block_count ? NK_MAX_PACKED : expected;
    uint8_t *compressed = malloc(compressed_length);
    enum nk_status status =
        compressed ? source->read(source->context, found.begin, compressed, compressed_length, error)
                   : nk_fail_memory(error);
    if (!status && XXH3_64bits(compressed, compressed_length) != found.checksum)
        status = nk_table_damaged(error, "the checksum of block %u does not match", block);
    else if (!status && (status = nk_uncompress(compressed, compressed_length, stream, room, length)))
        (void)(status == NK_E_MEMORY ? nk_fail_memory(error) : wrong_stream(table, block, expected, error));
    free(compressed);
    return status;
}

/* Reads a block of codes, packed to packed[] and unpacked to codes[]. */
static enum nk_status read_codes(const struct nk_table *table, uint32_t block, uint8_t *packed,
                                 size_t *packed_length, uint8_t *codes, struct nk_error *error)
{
    const size_t entries = nk_table_block_entries(table, block);
    const enum nk_status status = read_stream(table, block, entries, packed, packed_length, error);
    if (status)
        return status;
    return nk_unpack(packed, *packed_length, codes, entries) ? check_traps_block(table, block, codes, error)
                                                             : wrong_stream(table, block, entries, error);
}

/* This and all functions below name the table in errors. */
enum nk_status nk_table_read_codes(const struct nk_table *table, uint32_t block, uint8_t *codes,
                                   struct nk_error *error)
{
    size_t length;
    struct nk_error why;
    uint8_t *packed = malloc(NK_MAX_PACKED); /* too large for a small stack */
    const enum nk_status status =
        packed ? read_codes(table, block, packed, &length, codes, &why) : nk_fail_memory(&why);
    free(packed);
    return status ? nk_table_fail(table, status, why.text, error) : NK_OK;
}

/* Reads a block of codes to new memory: the codes or, of a large table, the packed ones, whose length it sets. */
static enum nk_status read_codes_block(struct nk_table *table, uint32_t block, uint8_t **bytes,
                                       size_t *length, struct nk_error *error)
{
    struct nk_error why;
    uint8_t *packed = malloc(NK_MAX_PACKED), *codes = malloc(nk_table_block_entries(table, block));
    const enum nk_status status =
        packed && codes ? read_codes(table, block, packed, length, codes, &why) : nk_fail_memory(&why);
    *bytes = table->cache ? packed : codes;
    free(table->cache ? codes : packed);
    return status ? nk_table_fail(table, status, why.text, error) : NK_OK;
}

/* Reads a block of trap values to new memory: one for each draw of its block of codes. */
static enum nk_status read_traps_block(struct nk_table *table, uint32_t block, uint8_t **bytes,
                                       size_t *length, struct nk_error *error)
{
    const uint32_t codes_block = block - table->block_count;
    uint8_t unpacked[NK_BLOCK_ENTRIES];
    const uint8_t *codes = NULL;
    struct nk_error why;
    enum nk_status status = nk_table_block_codes(table, codes_block, unpacked, &codes, error);
    if (status)
        return status;
    const size_t draws = nk_count_draws(codes, nk_table_block_entries(table, codes_block));
    *bytes = malloc(draws + 1); /* there may be none */
    status = *bytes ? read_stream(table, block, draws, *bytes, length, &why) : nk_fail_memory(&why);
    if (!status && *length != draws)
        status = wrong_stream(table, block, draws, &why);
    return status ? nk_table_fail(table, status, why.text, error) : NK_OK;
}

/* Reads a block that is not empty: its uncompressed bytes, but in a large table the packed codes. Sets *length to the
 * bytes that a large table keeps. */
static enum nk_status read_block(struct nk_table *table, uint32_t block, uint8_t **bytes, size_t *length,
                                 struct nk_error *error)
{
    *bytes = NULL;
    const enum nk_status status = block < table->block_count
                                      ? read_codes_block(table, block, bytes, length, error)
                                      : read_traps_block(table, block, bytes, length, error);
    if (status) {
        free(*bytes);
        return status;
    }
    uint8_t *const shorter = table->cache ? realloc(*bytes, *length + 1) : NULL;
    *bytes = shorter ? shorter : *bytes;
    return NK_OK;
}

/* ---- the blocks in memory ---- */

/* Frees the oldest blocks until there is room for so many bytes. The cache is locked. */
static void make_room(struct nk_table *table, size_t length)
{
    struct nk_block_cache *cache = table->cache;
    for (; cache->count && cache->bytes + length > NK_MOST_CACHED; cache->count--) {
        const uint32_t block = cache->order[cache->oldest];
        cache->oldest = (cache->oldest + 1) % (2 * table->block_count);
        cache->bytes -= cache->lengths[block];
        free(atomic_exchange_explicit(&table->blocks[block], NULL, memory_order_relaxed));
    }
}

/* Adds a block that is in memory, or will be, as the newest. */
static void add_newest(struct nk_table *table, uint32_t block)
{
    struct nk_block_cache *cache = table->cache;
    cache->order[(cache->oldest + cache->count++) % (2 * table->block_count)] = block;
    cache->bytes += cache->lengths[block];
}

/* Takes over the bytes of a block, unless another thread has read the same block in the meantime; returns those that
 * stay. The cache is locked. */
static uint8_t *keep(struct nk_table *table, uint32_t block, uint8_t *bytes, size_t length)
{
    uint8_t *present = atomic_load_explicit(&table->blocks[block], memory_order_acquire);
    if (!present && table->cache) {
        make_room(table, length);
        table->cache->lengths[block] = (uint16_t)length;
        add_newest(table, block);
    }
    if (!present && atomic_compare_exchange_strong_explicit(&table->blocks[block], &present, bytes,
                                                            memory_order_acq_rel, memory_order_acquire))
        return bytes;
    free(bytes);
    return present;
}

static void lock(struct nk_table *table)
{
    if (table->cache)
        pthread_mutex_lock(&table->cache->mutex);
}

static void unlock(struct nk_table *table)
{
    if (table->cache)
        pthread_mutex_unlock(&table->cache->mutex);
}

/* Sets *bytes to a block that is not empty, as it is kept, and leaves the cache locked, so that the block stays: the
 * caller unlocks it soon, unless this fails. */
static enum nk_status acquire(struct nk_table *table, uint32_t block, const uint8_t **bytes,
                              struct nk_error *error)
{
    lock(table);
    uint8_t *present = atomic_load_explicit(&table->blocks[block], memory_order_acquire);
    if (!present) {
        size_t length = 0;
        unlock(table);
        const enum nk_status status = read_block(table, block, &present, &length, error);
        if (status)
            return status;
        lock(table);
        present = keep(table, block, present, length);
    }
    *bytes = present;
    return NK_OK;
}

enum nk_status nk_table_block_codes(struct nk_table *table, uint32_t block,
                                    uint8_t unpacked[NK_BLOCK_ENTRIES], const uint8_t **codes,
                                    struct nk_error *error)
{
    const uint8_t *bytes = NULL;
    const enum nk_status status = acquire(table, block, &bytes, error);
    if (status)
        return status;
    *codes = table->cache ? unpacked : bytes;
    if (table->cache)
        (void)nk_unpack(bytes, table->cache->lengths[block], unpacked, nk_table_block_entries(table, block));
    unlock(table);
    return NK_OK;
}

enum nk_status nk_table_code(struct nk_table *table, uint64_t entry, uint8_t *code, struct nk_error *error)
{
    const uint32_t block = (uint32_t)(entry / NK_BLOCK_ENTRIES);
    const size_t place = entry % NK_BLOCK_ENTRIES;
    const uint8_t *bytes =
        table->cache ? NULL : atomic_load_explicit(&table->blocks[block], memory_order_acquire);
    if (bytes) { /* the codes, which stay in memory */
        *code = bytes[place];
        return NK_OK;
    }
    const enum nk_status status = acquire(table, block, &bytes, error);
    if (status)
        return status;
    *code = table->cache ? nk_packed_code(bytes, nk_table_block_entries(table, block), place) : bytes[place];
    unlock(table);
    return NK_OK;
}

enum nk_status nk_table_block_traps(struct nk_table *table, uint32_t block, size_t first, size_t count,
                                    uint8_t *traps, struct nk_error *error)
{
    const uint32_t traps_block = table->block_count + block;
    const uint8_t *bytes = NULL;
    if (block_is_empty(table, traps_block)) {
        memset(traps, 0, count);
        return NK_OK;
    }
    const enum nk_status status = acquire(table, traps_block, &bytes, error);
    if (status)
        return status;
    memcpy(traps, bytes + first, count);
    unlock(table);
    return NK_OK;
}

/* The thread that locked the cache does not exist in the child, so what it changed may be half done for ever. blocks[]
 * is whole at every moment: complete bytes, whose length is known, are put there, and taken from there before they are
 * freed, by one atomic operation. All else follows from it. */
void nk_table_after_fork(struct nk_table *table)
{
    assert(table);
    struct nk_block_cache *cache = table->cache;
    if (!cache)
        return;
    cache->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    cache->bytes = 0;
    cache->count = 0;
    for (uint32_t block = 0; block < 2 * table->block_count; block++)
        if (atomic_load_explicit(&table->blocks[block], memory_order_relaxed))
            add_newest(table, block);
}

/* ---- opening and closing ---- */

static enum nk_status read_header_and_list(struct nk_table *table, struct header *header,
                                           struct nk_error *error)
{
    const uint64_t size = table->source.size;
    enum nk_status status;
    table->bytes = malloc(NK_HEADER_BYTES);
    if (!table->bytes)
        return nk_fail_memory(error);
    if ((status = table->source.read(table->source.context, 0, table->bytes,
                                     size < NK_HEADER_BYTES ? (size_t)size : NK_HEADER_BYTES, error)) ||
        (status = parse_header(table, header, error)) || (status = read_list(table, error)))
        return status;
    nk_put64(table->bytes + NK_AT_CHECKSUM, 0); /* as which the checksum covers itself */
    if (XXH3_64bits(table->bytes, (size_t)nk_list_end(table->block_count)) != header->checksum)
        return nk_table_damaged(error, "the checksum of the header does not match");
    table->has_traps = find_block(table, table->block_count).begin < size;
    return NK_OK;
}

/* Takes the index, by whose rules texts then name the fair starts of this table. */
static void set_index(struct nk_table *table, struct nk_index *index)
{
    table->index = index;
    index->rules.table = table;
    index->rules.fair_start = nk_fair_start;
}

static enum nk_status make_index(struct nk_table *table, const struct header *header, struct nk_error *error)
{
    struct nk_index *index = nk_index_new(&header->rules);
    if (!index)
        return nk_fail_memory(error);
    set_index(table, index);
    return header->entries == index->entries ? NK_OK
                                             : wrong_entries(header->entries, table->block_count, error);
}

static void close_source(const struct nk_table_source *source)
{
    if (source->close)
        source->close(source->context);
}

enum nk_status nk_table_open_source(struct nk_table_source source, struct nk_table **out,
                                    struct nk_error *error)
{
    struct header header;
    struct nk_error why;
    struct nk_table *table = calloc(1, sizeof *table);
    if (!table) {
        close_source(&source);
        return nk_fail_memory(error);
    }
    table->source = source;
    enum nk_status status = read_header_and_list(table, &header, &why);
    if (!status)
        status = make_index(table, &header, &why);
    if (!status)
        status = new_blocks(table, &why);
    if (status) {
        (void)nk_table_fail(table, status, why.text, error);
        nk_table_close(table);
        return status;
    }
    *out = table;
    return NK_OK;
}

static enum nk_status read_memory(void *context, uint64_t offset, uint8_t *bytes, size_t length,
                                  struct nk_error *error)
{
    (void)error;
    if (length)
        memcpy(bytes, (const uint8_t *)context + offset, length);
    return NK_OK;
}

enum nk_status nk_table_open_bytes(const void *bytes, size_t size, struct nk_table **table,
                                   struct nk_error *error)
{
    assert((bytes || !size) && table);
    const struct nk_table_source source = {.context = (void *)bytes, .size = size, .read = read_memory};
    return nk_table_open_source(source, table, error);
}

/* Points to the blocks of a table that has its codes in memory. */
static void point_to_codes(struct nk_table *table)
{
    uint8_t *traps = table->traps;
    for (uint32_t block = 0; block < table->block_count; block++) {
        uint8_t *codes = table->codes + (size_t)block * NK_BLOCK_ENTRIES;
        const size_t draws = traps ? nk_count_draws(codes, nk_table_block_entries(table, block)) : 0;
        atomic_init(&table->blocks[block], codes);
        atomic_init(&table->blocks[table->block_count + block], draws ? traps : NULL);
        traps = traps ? traps + draws : NULL;
    }
}

enum nk_status nk_table_from_codes(struct nk_index *index, const struct nk_summary *summary, uint8_t *codes,
                                   uint8_t *traps, struct nk_table **out, struct nk_error *error)
{
    const uint32_t block_count = nk_block_count(index->entries);
    assert(block_count > 0); /* every board has entries */
    struct nk_table *table = calloc(1, sizeof *table);
    if (table)
        table->blocks = calloc((size_t)block_count * 2, sizeof *table->blocks);
    if (!table || !table->blocks) {
        free(table);
        return nk_fail_memory(error);
    }
    set_index(table, index);
    table->summary = *summary;
    table->codes = codes;
    table->traps = traps;
    table->has_traps = traps;
    table->block_count = block_count;
    table->codes_checksum = XXH3_64bits(codes, (size_t)index->entries);
    point_to_codes(table);
    *out = table;
    return NK_OK;
}

void nk_table_close(struct nk_table *table)
{
    if (!table)
        return;
    close_source(&table->source);
    free_blocks(table);
    free(atomic_load_explicit(&table->values, memory_order_relaxed));
    free(atomic_load_explicit(&table->fair, memory_order_relaxed));
    nk_index_free(table->index);
    free(table->bytes);
    free(table->codes);
    free(table->traps);
    free(table);
}
