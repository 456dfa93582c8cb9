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

static const uint8_t *list_item(const struct nk_table *table, uint32_t block)
{
    return table->bytes + NK_HEADER_BYTES + (size_t)block * NK_ITEM_BYTES;
}

static uint64_t block_end(const struct nk_table *table, uint32_t block)
{
    return nk_get64(list_item(table, block) + NK_ITEM_END);
}

/* Where a compressed block begins in the file; block < 2 * blocks. */
static uint64_t block_begin(const struct nk_table *table, uint32_t block)
{
    return block ? block_end(table, block - 1) : nk_list_end(table->block_count);
}

static size_t block_length(const struct nk_table *table, uint32_t block)
{
    return (size_t)(block_end(table, block) - block_begin(table, block));
}

bool nk_table_block_is_empty(const struct nk_table *table, uint32_t block)
{
    return table->codes ? !atomic_load_explicit(&table->blocks[block], memory_order_relaxed)
                        : !block_length(table, block);
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
        const uint64_t begin = block_begin(table, block), end = block_begin(table, block + 1);
        if (end < begin + (block < table->block_count) || end - begin > NK_MAX_COMPRESSED ||
            end > table->source.size)
            return nk_table_damaged(error, "block %u begins at byte %" PRIu64 " and ends at byte %" PRIu64,
                                    block, begin, end);
        if (block + 1 == 2 * table->block_count && end != table->source.size)
            return nk_table_damaged(error, "the last block ends at byte %" PRIu64 " of %" PRIu64, end,
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
    pthread_mutex_t mutex; /* guards all of this, and the freeing of blocks */
    uint32_t cached[NK_MOST_CACHED];
    uint32_t count, oldest;
    uint16_t pins[]; /* [2 * blocks] how many threads have acquired the block: it must stay */
};

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

/* Takes the memory for the list of the blocks in memory. The header has been read, or the table has codes, and then has
 * all blocks. NK_E_MEMORY. */
static enum nk_status new_blocks(struct nk_table *table, struct nk_error *error)
{
    const size_t blocks = (size_t)table->block_count * 2;
    assert(blocks > 0); /* every board has entries */
    table->blocks = calloc(blocks, sizeof *table->blocks);
    if (!table->blocks)
        return nk_fail_memory(error);
    if (table->codes)
        point_to_codes(table);
    if (table->codes || !nk_table_is_large(table))
        return NK_OK;
    table->cache = calloc(1, sizeof *table->cache + blocks * sizeof *table->cache->pins);
    if (!table->cache)
        return nk_fail_memory(error);
    table->cache->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    return NK_OK;
}

/* Also frees the blocks that were read. */
static void free_blocks(struct nk_table *table)
{
    if (table->blocks && !table->codes)
        for (uint32_t b = 0; b < 2 * table->block_count; b++)
            free(atomic_load_explicit(&table->blocks[b], memory_order_relaxed));
    free(table->blocks);
    if (table->cache)
        pthread_mutex_destroy(&table->cache->mutex);
    free(table->cache);
}

/* ---- reading a block ---- */

static enum nk_status acquire(struct nk_table *table, uint32_t block, const uint8_t **bytes,
                              struct nk_error *error);

/* The uncompressed length of a block that is not empty: of trap values, the number of draws in the block of codes. */
static enum nk_status expected_length(struct nk_table *table, uint32_t block, size_t *length,
                                      struct nk_error *error)
{
    const uint32_t blocks = table->block_count, codes_block = block % blocks;
    const uint8_t *codes = NULL;
    *length = nk_table_block_entries(table, codes_block);
    if (block < blocks)
        return NK_OK;
    const enum nk_status status = acquire(table, codes_block, &codes, error);
    if (status)
        return status;
    assert(codes);
    *length = nk_count_draws(codes, *length);
    nk_table_release(table, codes_block);
    return NK_OK;
}

/* Checks of an uncompressed block of codes that its block of trap values is empty if it has no draws, and only
 * then, or in a table without traps. */
static enum nk_status check_traps_block(const struct nk_table *table, uint32_t block, const uint8_t *codes,
                                        struct nk_error *error)
{
    const uint32_t traps = table->block_count + block;
    const size_t length = block_length(table, traps);
    const bool has_draws = memchr(codes, NK_CODE_DRAW, nk_table_block_entries(table, block));
    if (length && !has_draws)
        return nk_table_damaged(error, "block %u holds traps, but block %u has no draws", traps, block);
    if (!length && has_draws && table->has_traps)
        return nk_table_damaged(error, "block %u holds no traps, but block %u has draws", traps, block);
    return NK_OK;
}

/* Uncompresses a block of codes. NK_E_CORRUPT or NK_E_MEMORY, without a message; so does the next function. */
static enum nk_status uncompress_codes(const uint8_t *compressed, size_t length, uint8_t *codes, size_t count)
{
    const size_t most = NK_PACK_BOUND(NK_BLOCK_ENTRIES);
    uint8_t *packed = malloc(most); /* too large for a small stack */
    size_t packed_length;
    if (!packed)
        return NK_E_MEMORY;
    enum nk_status status = nk_uncompress(compressed, length, packed, most, &packed_length);
    if (!status && !nk_unpack(packed, packed_length, codes, count))
        status = NK_E_CORRUPT;
    free(packed);
    return status;
}

static enum nk_status uncompress_traps(const uint8_t *compressed, size_t length, uint8_t *traps, size_t count)
{
    size_t found;
    const enum nk_status status = nk_uncompress(compressed, length, traps, count, &found);
    if (status)
        return status;
    return found == count ? NK_OK : NK_E_CORRUPT;
}

/* Checks and uncompresses the `length` bytes of a block of the file to `expected` codes or trap values. */
static enum nk_status uncompress_block(const struct nk_table *table, uint32_t block,
                                       const uint8_t *compressed, size_t length, uint8_t *bytes,
                                       size_t expected, struct nk_error *error)
{
    const bool has_codes = block < table->block_count;
    if (XXH3_64bits(compressed, length) != nk_get64(list_item(table, block) + NK_ITEM_CHECKSUM))
        return nk_table_damaged(error, "the checksum of block %u does not match", block);
    const enum nk_status status =
        (has_codes ? uncompress_codes : uncompress_traps)(compressed, length, bytes, expected);
    if (status == NK_E_MEMORY)
        return nk_fail_memory(error);
    if (status)
        return nk_table_damaged(error, "block %u is not a zlib stream of %zu %s", block, expected,
                                has_codes ? "packed codes" : "trap values");
    return has_codes ? check_traps_block(table, block, bytes, error) : NK_OK;
}

/* Reads a block, which is not empty, and uncompresses it to its `expected` codes or trap values. */
static enum nk_status read_to(const struct nk_table *table, uint32_t block, uint8_t *bytes, size_t expected,
                              struct nk_error *error)
{
    const size_t length = block_length(table, block);
    uint8_t *compressed = malloc(length);
    if (!compressed)
        return nk_fail_memory(error);
    enum nk_status status =
        table->source.read(table->source.context, block_begin(table, block), compressed, length, error);
    if (!status)
        status = uncompress_block(table, block, compressed, length, bytes, expected, error);
    free(compressed);
    return status;
}

static enum nk_status read_block(struct nk_table *table, uint32_t block, uint8_t **bytes,
                                 struct nk_error *error)
{
    size_t expected;
    enum nk_status status = expected_length(table, block, &expected, error);
    if (status)
        return status;
    uint8_t *fresh = malloc(expected + 1); /* a block of trap values may be empty */
    status = fresh ? read_to(table, block, fresh, expected, error) : nk_fail_memory(error);
    if (status)
        free(fresh);
    else
        *bytes = fresh;
    return status;
}

enum nk_status nk_table_read_codes(const struct nk_table *table, uint32_t block, uint8_t *codes,
                                   struct nk_error *error)
{
    struct nk_error why;
    const enum nk_status status = read_to(table, block, codes, nk_table_block_entries(table, block), &why);
    return status ? nk_table_fail(table, status, why.text, error) : NK_OK;
}

/* Takes over the bytes of a block, unless another thread has read the same block in the meantime; returns
 * those that stay. */
static uint8_t *keep(struct nk_table *table, uint32_t block, uint8_t *bytes)
{
    uint8_t *present = NULL;
    if (atomic_compare_exchange_strong_explicit(&table->blocks[block], &present, bytes, memory_order_acq_rel,
                                                memory_order_acquire))
        return bytes;
    free(bytes);
    return present;
}

/* ---- the blocks in memory ---- */

/* Finds a place for one more block, if need be that of an old one that no thread has acquired. Returns NK_MOST_CACHED
 * if all blocks are acquired. */
static uint32_t evict(struct nk_table *table)
{
    struct nk_block_cache *cache = table->cache;
    if (cache->count < NK_MOST_CACHED)
        return cache->count++;
    for (int tried = 0; cache->pins[cache->cached[cache->oldest]]; tried++) {
        if (tried == NK_MOST_CACHED)
            return NK_MOST_CACHED;
        cache->oldest = (cache->oldest + 1) % NK_MOST_CACHED;
    }
    const uint32_t place = cache->oldest;
    free(atomic_exchange_explicit(&table->blocks[cache->cached[place]], NULL, memory_order_relaxed));
    cache->oldest = (place + 1) % NK_MOST_CACHED;
    return place;
}

/* Pins a block that is in memory and returns it, or NULL. The cache is locked. */
static const uint8_t *pin(struct nk_table *table, uint32_t block)
{
    const uint8_t *present = atomic_load_explicit(&table->blocks[block], memory_order_relaxed);
    if (present)
        table->cache->pins[block]++;
    return present;
}

/* Takes over the bytes of a block, and pins it. NULL, without the bytes, if there is no place for it. */
static const uint8_t *keep_cached(struct nk_table *table, uint32_t block, uint8_t *bytes)
{
    struct nk_block_cache *cache = table->cache;
    pthread_mutex_lock(&cache->mutex);
    const bool is_new = !atomic_load_explicit(&table->blocks[block], memory_order_relaxed);
    const uint32_t place = is_new ? evict(table) : 0;
    if (place == NK_MOST_CACHED) {
        pthread_mutex_unlock(&cache->mutex);
        free(bytes);
        return NULL;
    }
    if (is_new)
        cache->cached[place] = block;
    (void)keep(table, block, bytes);
    const uint8_t *present = pin(table, block);
    pthread_mutex_unlock(&cache->mutex);
    return present;
}

static enum nk_status acquire_cached(struct nk_table *table, uint32_t block, const uint8_t **bytes,
                                     struct nk_error *error)
{
    struct nk_block_cache *cache = table->cache;
    pthread_mutex_lock(&cache->mutex);
    const uint8_t *present = pin(table, block);
    pthread_mutex_unlock(&cache->mutex);
    if (!present) {
        uint8_t *fresh;
        const enum nk_status status = read_block(table, block, &fresh, error);
        if (status)
            return status;
        present = keep_cached(table, block, fresh);
        if (!present)
            return nk_fail(error, NK_E_MEMORY, 0,
                           "no memory for one more block: all of the table's are in use");
    }
    *bytes = present;
    return NK_OK;
}

static enum nk_status acquire(struct nk_table *table, uint32_t block, const uint8_t **bytes,
                              struct nk_error *error)
{
    if (table->cache)
        return acquire_cached(table, block, bytes, error);
    uint8_t *present = atomic_load_explicit(&table->blocks[block], memory_order_acquire);
    if (!present) {
        const enum nk_status status = read_block(table, block, &present, error);
        if (status)
            return status;
        present = keep(table, block, present);
    }
    *bytes = present;
    return NK_OK;
}

enum nk_status nk_table_acquire(struct nk_table *table, uint32_t block, const uint8_t **bytes,
                                struct nk_error *error)
{
    struct nk_error why;
    const enum nk_status status = acquire(table, block, bytes, &why);
    return status ? nk_table_fail(table, status, why.text, error) : NK_OK;
}

/* The threads that locked the cache or acquired blocks do not exist in the child, so what they changed may be half done
 * for ever. blocks[] is whole at every moment: complete bytes are put there, and taken from there before they are
 * freed, by one atomic operation. All else follows from it. */
void nk_table_after_fork(struct nk_table *table)
{
    assert(table);
    struct nk_block_cache *cache = table->cache;
    if (!cache)
        return;
    const uint32_t blocks = 2 * table->block_count;
    cache->mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    cache->count = 0;
    cache->oldest = 0;
    for (uint32_t block = 0; block < blocks; block++) {
        cache->pins[block] = 0;
        if (!atomic_load_explicit(&table->blocks[block], memory_order_relaxed))
            continue;
        assert(cache->count < NK_MOST_CACHED);
        cache->cached[cache->count++] = block;
    }
}

void nk_table_release(struct nk_table *table, uint32_t block)
{
    if (!table->cache)
        return;
    pthread_mutex_lock(&table->cache->mutex);
    table->cache->pins[block]--;
    pthread_mutex_unlock(&table->cache->mutex);
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
    table->has_traps = block_begin(table, table->block_count) < size;
    return NK_OK;
}

static enum nk_status numbered_start(void *table, uint64_t number, struct nk_position *position,
                                     struct nk_error *error)
{
    return nk_fair_start(table, number, position, error);
}

/* Gives a meaning to numbers of fair starts where the rules of this table are used. */
static void number_starts(struct nk_table *table)
{
    table->index->rules.numbered_start = numbered_start;
    table->index->rules.numbered_context = table;
}

static enum nk_status make_index(struct nk_table *table, const struct header *header, struct nk_error *error)
{
    if (nk_index_new(&header->rules, &table->index))
        return nk_fail_memory(error);
    if (header->entries != table->index->entries)
        return wrong_entries(header->entries, table->block_count, error);
    number_starts(table);
    return NK_OK;
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

enum nk_status nk_table_from_codes(struct nk_index *index, const struct nk_summary *summary, uint8_t *codes,
                                   uint8_t *traps, struct nk_table **out, struct nk_error *error)
{
    struct nk_table *table = calloc(1, sizeof *table);
    if (!table) {
        nk_index_free(index);
        free(codes);
        free(traps);
        return nk_fail_memory(error);
    }
    table->index = index;
    table->summary = *summary;
    table->codes = codes;
    table->traps = traps;
    table->has_traps = traps;
    table->block_count = nk_block_count(index->entries);
    table->codes_checksum = XXH3_64bits(codes, (size_t)index->entries);
    number_starts(table);
    const enum nk_status status = new_blocks(table, error);
    if (status)
        nk_table_close(table);
    else
        *out = table;
    return status;
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
