#include "common/table/open.h"

#include "common/table/blocks.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { FIRST_CHUNK = 1 << 16 }; /* bytes of the list to read at first: whole items */

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
    const struct nk_board board = nk_get_board(bytes);
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

/* ---- the list ---- */

/* Checks the items of the blocks from `first` to before `last`; those before them are correct. */
static enum nk_status check_items(const struct nk_table *table, uint32_t first, uint32_t last,
                                  struct nk_error *error)
{
    for (uint32_t block = first; block < last; block++) {
        const uint64_t begin = nk_table_block_begin(table, block),
                       end = nk_table_block_begin(table, block + 1);
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

/* Compares the checksum of header and list, which covers itself as zero. */
static enum nk_status check_checksum(const struct nk_table *table, uint64_t expected, struct nk_error *error)
{
    nk_put64(table->bytes + NK_AT_CHECKSUM, 0);
    if (XXH3_64bits(table->bytes, (size_t)nk_list_end(table->block_count)) != expected)
        return nk_table_damaged(error, "the checksum of the header does not match");
    return NK_OK;
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
        (status = parse_header(table, header, error)) || (status = read_list(table, error)) ||
        (status = check_checksum(table, header->checksum, error)))
        return status;
    table->has_traps = nk_table_block_begin(table, table->block_count) < size;
    return NK_OK;
}

static enum nk_status make_index(struct nk_table *table, const struct header *header, struct nk_error *error)
{
    if (nk_index_new(&header->rules, &table->index))
        return nk_fail_memory(error);
    if (header->entries != table->index->entries)
        return wrong_entries(header->entries, table->block_count, error);
    table->index->rules.table = table;
    table->index->rules.fair_start = nk_fair_start;
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
        status = nk_table_blocks_new(table, &why);
    if (status) {
        (void)nk_table_fail(table, status, why.text, error);
        nk_table_close(table);
        return status;
    }
    *out = table;
    return NK_OK;
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
    index->rules.table = table;
    index->rules.fair_start = nk_fair_start;
    const enum nk_status status = nk_table_blocks_new(table, error);
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
    nk_table_blocks_free(table);
    free(atomic_load_explicit(&table->values, memory_order_relaxed));
    free(atomic_load_explicit(&table->fair, memory_order_relaxed));
    nk_index_free(table->index);
    free(table->bytes);
    free(table->codes);
    free(table->traps);
    free(table);
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
    const struct nk_table_source source = {.context = (void *)bytes, .size = size, .read = read_memory};
    return nk_table_open_source(source, table, error);
}
