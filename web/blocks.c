#include "web/blocks.h"

#include "common/blocks.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct nk_table {
    struct nk_head head;
    uint8_t *codes;  /* [entries] */
    uint8_t **traps; /* [blocks] */
    uint32_t taken;  /* blocks that are there */
};

static enum nk_status check_blocks(const struct nk_head *head, const uint8_t *bytes, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    for (uint32_t b = 0; !status && b < 2 * head->blocks; b++) {
        size_t length;
        const uint64_t begin = nk_head_block(head, b, &length);
        status = nk_head_check_block(head, b, bytes + begin, error);
    }
    return status;
}

static enum nk_status read_head(struct nk_head *head, const uint8_t *bytes, size_t size,
                                struct nk_error *error)
{
    size_t length;
    const enum nk_status status = nk_head_measure(bytes, size, &length, error);
    if (status)
        return status;
    uint8_t *copy = malloc(length);
    if (!copy)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the table's list of blocks");
    memcpy(copy, bytes, length);
    return nk_head_read(head, copy, length, size, error);
}

static enum nk_status make_room(struct nk_table *table, struct nk_error *error)
{
    table->codes = malloc((size_t)table->head.index->entries);
    table->traps = calloc(table->head.blocks, sizeof *table->traps);
    if (!table->codes || !table->traps)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the table's blocks");
    return NK_OK;
}

enum nk_status web_table_begin(const uint8_t *bytes, size_t size, struct nk_table **out,
                               struct nk_error *error)
{
    enum nk_status status;
    struct nk_table *table = calloc(1, sizeof *table);
    if (!table)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory");
    if ((status = read_head(&table->head, bytes, size, error)) ||
        (status = check_blocks(&table->head, bytes, error)) || (status = make_room(table, error))) {
        nk_table_close(table);
        return status;
    }
    *out = table;
    return NK_OK;
}

void nk_table_close(struct nk_table *table)
{
    if (!table)
        return;
    for (uint32_t b = 0; table->traps && b < table->head.blocks; b++)
        free(table->traps[b]);
    free(table->traps);
    free(table->codes);
    nk_head_free(&table->head);
    free(table);
}

static uint8_t *codes_of(const struct nk_table *table, uint32_t block)
{
    return table->codes + (size_t)block * NK_BLOCK_ENTRIES;
}

enum nk_status web_table_take(struct nk_table *table, uint32_t block, const uint8_t *bytes, size_t length,
                              struct nk_error *error)
{
    const uint32_t blocks = table->head.blocks;
    const uint32_t of = block % blocks; /* the block of codes, or the one that the traps belong to */
    size_t expected = nk_head_entries(&table->head, of), packed;
    if (block != table->taken)
        return nk_fail(error, NK_E_CORRUPT, 0, "block %llu out of turn", (unsigned long long)block);
    (void)nk_head_block(&table->head, block, &packed);
    if (block >= blocks) /* nk_head_check_codes has seen to it that it is empty only where it has to be */
        expected = packed ? nk_count_draws(codes_of(table, of), expected) : 0;
    if (length != expected)
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: block %llu does not unpack to %llu bytes",
                       (unsigned long long)block, (unsigned long long)expected);
    uint8_t *to = codes_of(table, of);
    if (block >= blocks && !(to = table->traps[of] = malloc(length + 1)))
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for a block of the table");
    memcpy(to, bytes, length);
    const enum nk_status status =
        block < blocks ? nk_head_check_codes(&table->head, block, to, error) : NK_OK;
    table->taken += !status;
    return status;
}

enum nk_status web_table_finish(const struct nk_table *table, struct nk_error *error)
{
    if (table->taken != 2 * table->head.blocks)
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: %llu blocks, expected %llu",
                       (unsigned long long)table->taken, 2 * (unsigned long long)table->head.blocks);
    if (XXH3_64bits(table->codes, (size_t)table->head.index->entries) != nk_table_codes_checksum(table))
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: the checksum of the codes does not agree");
    return NK_OK;
}

const struct nk_head *nk_table_head(const struct nk_table *table)
{
    return &table->head;
}

enum nk_status nk_table_hold(struct nk_table *table, uint32_t block, size_t expected, const uint8_t **bytes,
                             struct nk_error *error)
{
    (void)expected;
    (void)error;
    const uint32_t blocks = table->head.blocks;
    *bytes = block < blocks ? codes_of(table, block) : table->traps[block - blocks];
    return NK_OK;
}

void nk_table_let_go(struct nk_table *table, uint32_t block)
{
    (void)table;
    (void)block;
}

enum nk_status nk_table_code(struct nk_table *table, uint64_t entry, uint8_t *code, struct nk_error *error)
{
    (void)error;
    *code = table->codes[entry];
    return NK_OK;
}
