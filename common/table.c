#include "table.h"

#include "format.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

struct nk_table {
    struct nk_index *index;
    struct nk_summary summary;
    int file;             /* or -1, and then: */
    char *name;           /* of the file, for complaints */
    const uint8_t *bytes; /* the table in memory */
    uint64_t size;
    uint32_t blocks;              /* of codes; as many of traps follow */
    uint8_t *head;                /* header and list, as in the file */
    const uint8_t *list;          /* [2 * blocks] ends and checksums */
    _Atomic(uint8_t *) *unpacked; /* [2 * blocks] codes, then traps; NULL until first asked for */

    /* A table too large to be kept unpacked keeps the blocks that were asked for last; `bounded` guards all
     * this. */
    bool is_bounded;
    pthread_mutex_t bounded;
    uint32_t *kept;    /* [MAX_KEPT] the blocks that are there */
    uint16_t *holders; /* [2 * blocks] who reads the block just now: it must stay */
    uint32_t kept_count, oldest;
};

enum { MAX_KEPT = (64 << 20) / NK_BLOCK_ENTRIES }; /* 64 MiB of blocks */

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
            return nk_fail(error, NK_E_CORRUPT, 0, "the table ends at byte %u, expected %u bytes",
                           (unsigned long long)offset, (unsigned long long)table->size);
        to += got;
        offset += (uint64_t)got;
        length -= (size_t)got;
    }
    return NK_OK;
}

/* ---- opening ---- */

static enum nk_status read_header(struct nk_table *table, uint8_t header[NK_HEADER_BYTES],
                                  struct nk_error *error)
{
    enum nk_status status;
    const size_t have = table->size < NK_HEADER_BYTES ? (size_t)table->size : NK_HEADER_BYTES;
    memset(header, 0, NK_HEADER_BYTES);
    if ((status = fetch(table, 0, have, header, error)))
        return status;
    if (!have)
        return nk_fail(error, NK_E_NOT_TABLE, 0, "the file is empty");
    if (memcmp(header, nk_magic, have < sizeof nk_magic ? have : sizeof nk_magic) != 0)
        return nk_fail(error, NK_E_NOT_TABLE, 0, "not a table of this program: it does not begin as one");
    if (have < NK_HEADER_BYTES)
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: %d bytes, but a table has a header of %d", (int)have,
                       (int)NK_HEADER_BYTES);
    const uint32_t version = nk_get32(header + NK_AT_VERSION);
    if (version != NK_FORMAT_VERSION)
        return nk_fail(error, NK_E_NOT_TABLE, 0,
                       "a table of format version %u; this program reads version %d",
                       (unsigned long long)version, (int)NK_FORMAT_VERSION);
    const uint64_t size = nk_get64(header + NK_AT_SIZE);
    if (size != table->size)
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: %u bytes, but its header says %u",
                       (unsigned long long)table->size, (unsigned long long)size);
    return NK_OK;
}

/* Reads header and list again, as one piece, for the checksum covers both. */
static enum nk_status read_list(struct nk_table *table, const uint8_t header[NK_HEADER_BYTES],
                                struct nk_error *error)
{
    table->blocks = nk_get32(header + NK_AT_BLOCKS);
    if (nk_head_bytes(table->blocks) > table->size)
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: a list of %u blocks does not fit into %u bytes",
                       (unsigned long long)table->blocks, (unsigned long long)table->size);
    const size_t length = (size_t)nk_head_bytes(table->blocks);
    table->head = malloc(length);
    if (!table->head)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the table's list of blocks");
    table->list = table->head + NK_HEADER_BYTES;
    enum nk_status status = fetch(table, 0, length, table->head, error);
    if (status)
        return status;
    memset(table->head + NK_AT_CHECKSUM, 0, 8);
    if (XXH3_64bits(table->head, length) != nk_get64(header + NK_AT_CHECKSUM))
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: the checksum of the header does not agree");
    return NK_OK;
}

/* From here on the header is what some writer wrote; that it makes sense is still to be checked. */
static enum nk_status read_meaning(struct nk_table *table, const uint8_t header[NK_HEADER_BYTES],
                                   struct nk_error *error)
{
    struct nk_rules rules;
    struct nk_error why;
    if (nk_rules_make(&rules, header[NK_AT_WIDTH], header[NK_AT_HEIGHT], header[NK_AT_PIECES],
                      header[NK_AT_ROW], (enum nk_win)header[NK_AT_WIN], &why))
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: %s", why.text);
    if (nk_index_make(&rules, &table->index))
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the index of the board");
    const uint64_t entries = nk_get64(header + NK_AT_ENTRIES);
    if (entries != table->index->entries || nk_get32(header + NK_AT_BLOCK) != NK_BLOCK_ENTRIES ||
        table->blocks != (entries + NK_BLOCK_ENTRIES - 1) / NK_BLOCK_ENTRIES)
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: %u entries in %u blocks, expected %u entries",
                       (unsigned long long)entries, (unsigned long long)table->blocks,
                       (unsigned long long)table->index->entries);
    uint64_t end = nk_head_bytes(table->blocks);
    for (uint32_t b = 0; b < 2 * table->blocks; b++) {
        const uint64_t next = nk_get64(table->list + (size_t)b * NK_BLOCK_BYTES + NK_BLOCK_END);
        if (next < end + (b < table->blocks) || next - end > compressBound(NK_BLOCK_ENTRIES) ||
            next > table->size)
            return nk_fail(error, NK_E_CORRUPT, 0, "damaged: block %u ends at byte %u, beginning at %u",
                           (unsigned long long)b, (unsigned long long)next, (unsigned long long)end);
        end = next;
    }
    if (end != table->size)
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: the last block ends at byte %u of %u",
                       (unsigned long long)end, (unsigned long long)table->size);
    table->unpacked = calloc((size_t)table->blocks * 2, sizeof *table->unpacked);
    if (!table->unpacked)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the table's blocks");
    if (table->blocks > MAX_KEPT) {
        table->kept = malloc(MAX_KEPT * sizeof *table->kept);
        table->holders = calloc((size_t)table->blocks * 2, sizeof *table->holders);
        if (!table->kept || !table->holders || pthread_mutex_init(&table->bounded, NULL))
            return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the table's blocks");
        table->is_bounded = true;
    }
    table->summary = (struct nk_summary){
        .placements = nk_get64(header + NK_AT_PLACEMENTS),
        .legal = nk_get64(header + NK_AT_LEGAL),
        .wins = nk_get64(header + NK_AT_WINS),
        .losses = nk_get64(header + NK_AT_LOSSES),
        .draws = nk_get64(header + NK_AT_DRAWS),
        .stuck = nk_get64(header + NK_AT_STUCK),
        .longest = nk_get32(header + NK_AT_LONGEST),
    };
    return NK_OK;
}

static enum nk_status open_source(int file, const uint8_t *bytes, uint64_t size, struct nk_table **out,
                                  struct nk_error *error)
{
    uint8_t header[NK_HEADER_BYTES];
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
    if ((status = read_header(table, header, error)) || (status = read_list(table, header, error)) ||
        (status = read_meaning(table, header, error))) {
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
        return nk_fail(error, NK_E_READ, 0, "%f: %s", path, strerror(errno));
    if (fstat(file, &about) || !S_ISREG(about.st_mode)) {
        close(file);
        return nk_fail(error, NK_E_READ, 0, "%f: not a regular file", path);
    }
    enum nk_status status = open_source(file, NULL, (uint64_t)about.st_size, table, &why);
    if (status)
        return nk_fail(error, status, 0, "%f: %s", path, why.text);
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
        for (uint32_t b = 0; b < 2 * table->blocks; b++)
            free(atomic_load_explicit(&table->unpacked[b], memory_order_relaxed));
    free(table->unpacked);
    free(table->kept);
    free(table->holders);
    if (table->is_bounded)
        pthread_mutex_destroy(&table->bounded);
    free(table->name);
    free(table->head);
    nk_index_free(table->index);
    free(table);
}

const struct nk_rules *nk_table_rules(const struct nk_table *table)
{
    return &table->index->rules;
}

const struct nk_index *nk_table_index(const struct nk_table *table)
{
    return table->index;
}

const struct nk_summary *nk_table_summary(const struct nk_table *table)
{
    return &table->summary;
}

uint64_t nk_table_codes_checksum(const struct nk_table *table)
{
    return nk_get64(table->head + NK_AT_CODES);
}

/* ---- blocks ---- */

/* Where a block lies in the file. */
static uint64_t block_begin(const struct nk_table *table, uint32_t block, size_t *length)
{
    const uint8_t *entry = table->list + (size_t)block * NK_BLOCK_BYTES;
    const uint64_t begin =
        block ? nk_get64(entry - NK_BLOCK_BYTES + NK_BLOCK_END) : nk_head_bytes(table->blocks);
    *length = (size_t)(nk_get64(entry + NK_BLOCK_END) - begin);
    return begin;
}

static enum nk_status unpack(const struct nk_table *table, uint32_t block, uint8_t *bytes, size_t expected,
                             struct nk_error *error)
{
    size_t length;
    const uint64_t begin = block_begin(table, block, &length);
    const uint64_t checksum = nk_get64(table->list + (size_t)block * NK_BLOCK_BYTES + NK_BLOCK_CHECKSUM);
    uint8_t *packed = malloc(length + 1);
    if (!packed)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for a block of the table");
    enum nk_status status = fetch(table, begin, length, packed, error);
    if (!status && XXH3_64bits(packed, length) != checksum)
        status = nk_fail(error, NK_E_CORRUPT, 0, "damaged: the checksum of block %u does not agree",
                         (unsigned long long)block);
    uLongf unpacked = (uLongf)expected;
    if (!status && (uncompress(bytes, &unpacked, packed, (uLong)length) != Z_OK || unpacked != expected))
        status = nk_fail(error, NK_E_CORRUPT, 0, "damaged: block %u does not unpack to %u bytes",
                         (unsigned long long)block, (unsigned long long)expected);
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
        free(fresh);
        return nk_fail(error, status, 0, table->name ? "%f: %s" : "%s%s", table->name ? table->name : "",
                       why.text);
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

/* A block's `expected` bytes, unpacked when first asked for; they stay until let_go. */
static enum nk_status hold(struct nk_table *table, uint32_t block, size_t expected, const uint8_t **bytes,
                           struct nk_error *error)
{
    return table->is_bounded ? hold_for_now(table, block, expected, bytes, error)
                             : hold_for_ever(table, block, expected, bytes, error);
}

static void let_go(struct nk_table *table, uint32_t block)
{
    if (!table->is_bounded)
        return;
    pthread_mutex_lock(&table->bounded);
    table->holders[block]--;
    pthread_mutex_unlock(&table->bounded);
}

static size_t entries_in(const struct nk_table *table, uint32_t block)
{
    const uint64_t left = table->index->entries - (uint64_t)block * NK_BLOCK_ENTRIES;
    return left < NK_BLOCK_ENTRIES ? (size_t)left : NK_BLOCK_ENTRIES;
}

enum nk_status nk_table_code(struct nk_table *table, uint64_t entry, uint8_t *code, struct nk_error *error)
{
    const uint32_t block = (uint32_t)(entry / NK_BLOCK_ENTRIES);
    const uint8_t *codes = NULL;
    const enum nk_status status = hold(table, block, entries_in(table, block), &codes, error);
    if (status)
        return status;
    *code = codes[entry % NK_BLOCK_ENTRIES];
    let_go(table, block);
    return NK_OK;
}

bool nk_table_has_traps(const struct nk_table *table)
{
    size_t first_length;
    const uint64_t begin = block_begin(table, table->blocks, &first_length);
    return begin < table->size;
}

enum nk_status nk_table_trap(struct nk_table *table, struct nk_position position, uint8_t *trap,
                             struct nk_error *error)
{
    const uint64_t entry = nk_index_entry(table->index, position);
    const uint32_t block = (uint32_t)(entry / NK_BLOCK_ENTRIES);
    const size_t place = entry % NK_BLOCK_ENTRIES;
    const uint8_t *codes = NULL, *traps = NULL;
    size_t length;
    enum nk_status status = hold(table, block, entries_in(table, block), &codes, error);
    if (status)
        return status;
    (void)block_begin(table, table->blocks + block, &length);
    if (codes[place] != NK_CODE_DRAW || !length) {
        *trap = 0;
    } else {
        const size_t draws = nk_count_draws(codes, entries_in(table, block));
        status = hold(table, table->blocks + block, draws, &traps, error);
        if (!status) {
            *trap = traps[nk_count_draws(codes, place)];
            let_go(table, table->blocks + block);
        }
    }
    let_go(table, block);
    return status;
}

/* ---- values ---- */

/* The distance of a win: one ply more than that of the successor that is lost soonest. */
static enum nk_status win_distance(struct nk_table *table, struct nk_position position, int *plies,
                                   struct nk_error *error)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(&table->index->rules, position, moves);
    uint8_t least = UINT8_MAX;
    bool lost = false;
    for (int m = 0; m < count; m++) {
        uint8_t code;
        const uint64_t entry = nk_index_entry(table->index, nk_position_after(position, moves[m]));
        const enum nk_status status = nk_table_code(table, entry, &code, error);
        if (status)
            return status;
        if (code >= NK_CODE_LOSS && code <= least) {
            least = code;
            lost = true;
        }
    }
    if (!lost)
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: a position is marked won that no move wins");
    *plies = 2 * (least - NK_CODE_LOSS) + 1;
    return NK_OK;
}

enum nk_status nk_table_value(struct nk_table *table, struct nk_position position, struct nk_value *value,
                              struct nk_error *error)
{
    uint8_t code;
    struct nk_value read = {NK_DRAW, 0};
    enum nk_status status = nk_table_code(table, nk_index_entry(table->index, position), &code, error);
    if (status)
        return status;
    if (code >= NK_CODE_LOSS) {
        read.result = NK_LOSS;
        read.plies = 2 * (code - NK_CODE_LOSS);
    } else if (code == NK_CODE_WIN) {
        read.result = NK_WIN;
        if ((status = win_distance(table, position, &read.plies, error)))
            return status;
    }
    *value = read;
    return NK_OK;
}

bool nk_value_better(struct nk_value a, struct nk_value b)
{
    if (a.result != b.result)
        return a.result > b.result;
    return a.result == NK_WIN ? a.plies < b.plies : a.plies > b.plies;
}

enum nk_status nk_table_moves(struct nk_table *table, struct nk_position position,
                              struct nk_move_value moves[NK_MAX_MOVES], int *count, struct nk_error *error)
{
    struct nk_move legal[NK_MAX_MOVES];
    const int n = nk_position_moves(&table->index->rules, position, legal);
    for (int m = 0; m < n; m++) {
        struct nk_value reply;
        const enum nk_status status =
            nk_table_value(table, nk_position_after(position, legal[m]), &reply, error);
        if (status)
            return status;
        const struct nk_move_value entry = {
            legal[m], {(enum nk_result) - reply.result, reply.result == NK_DRAW ? 0 : reply.plies + 1}};
        int at = m;
        for (; at > 0 && nk_value_better(entry.value, moves[at - 1].value); at--)
            moves[at] = moves[at - 1];
        moves[at] = entry;
    }
    *count = n;
    return NK_OK;
}
