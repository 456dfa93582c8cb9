#include "head.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static enum nk_status complain_of_entries(uint64_t entries, uint32_t blocks, struct nk_error *error)
{
    return nk_fail(error, NK_E_CORRUPT, 0, "damaged: %llu entries in %llu blocks do not belong to this board",
                   (unsigned long long)entries, (unsigned long long)blocks);
}

/* The board of a header, and whether the counts can be those of this board: all that the header shows without
 * the list of blocks and without an index, both of which take memory and time. */
static enum nk_status read_rules(const uint8_t *header, struct nk_rules *rules, struct nk_error *error)
{
    static const uint8_t zero[NK_AT_LONGEST - NK_AT_ZERO];
    struct nk_error why;
    if (nk_rules_init(rules, header[NK_AT_WIDTH], header[NK_AT_HEIGHT], header[NK_AT_PIECES],
                      header[NK_AT_ROW_LENGTH], (enum nk_win)header[NK_AT_WIN], &why))
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: %s", why.text);
    if (memcmp(header + NK_AT_ZERO, zero, sizeof zero) != 0)
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: bytes %d to %d of the header are not zero",
                       (int)NK_AT_ZERO, (int)NK_AT_LONGEST - 1);
    const uint64_t placements = nk_index_placements(rules), entries = nk_get64(header + NK_AT_ENTRIES);
    const uint32_t blocks = nk_get32(header + NK_AT_BLOCKS);
    if (nk_get64(header + NK_AT_PLACEMENTS) != placements)
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: %llu placements, but this board has %llu",
                       (unsigned long long)nk_get64(header + NK_AT_PLACEMENTS),
                       (unsigned long long)placements);
    if (entries > placements || entries < placements / (uint64_t)rules->symmetries ||
        nk_get32(header + NK_AT_BLOCK) != NK_BLOCK_ENTRIES ||
        blocks != (entries + NK_BLOCK_ENTRIES - 1) / NK_BLOCK_ENTRIES)
        return complain_of_entries(entries, blocks, error);
    return NK_OK;
}

enum nk_status nk_head_measure(const uint8_t *header, uint64_t size, size_t *length, struct nk_error *error)
{
    if (!size)
        return nk_fail(error, NK_E_NOT_TABLE, 0, "the file is empty");
    if (memcmp(header, nk_magic, size < sizeof nk_magic ? (size_t)size : sizeof nk_magic) != 0)
        return nk_fail(error, NK_E_NOT_TABLE, 0, "not a table of this program: it does not begin as one");
    if (size < NK_HEADER_BYTES)
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: %d bytes, but a table has a header of %d", (int)size,
                       (int)NK_HEADER_BYTES);
    const uint32_t version = nk_get32(header + NK_AT_VERSION);
    if (version != NK_FORMAT_VERSION)
        return nk_fail(error, NK_E_NOT_TABLE, 0,
                       "a table of format version %llu; this program reads version %d",
                       (unsigned long long)version, (int)NK_FORMAT_VERSION);
    const uint64_t size_said = nk_get64(header + NK_AT_SIZE);
    if (size_said != size)
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: %llu bytes, but its header says %llu",
                       (unsigned long long)size, (unsigned long long)size_said);
    struct nk_rules rules;
    const enum nk_status status = read_rules(header, &rules, error);
    if (status)
        return status;
    const uint32_t blocks = nk_get32(header + NK_AT_BLOCKS);
    if (nk_head_bytes(blocks) > size)
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: a list of %llu blocks does not fit into %llu bytes",
                       (unsigned long long)blocks, (unsigned long long)size);
    *length = (size_t)nk_head_bytes(blocks);
    return NK_OK;
}

static const uint8_t *list_entry(const struct nk_head *head, uint32_t block)
{
    return head->bytes + NK_HEADER_BYTES + (size_t)block * NK_BLOCK_BYTES;
}

/* The checksum covers itself as zero. */
static enum nk_status check_head(uint8_t *bytes, size_t length, struct nk_error *error)
{
    const uint64_t checksum = nk_get64(bytes + NK_AT_CHECKSUM);
    memset(bytes + NK_AT_CHECKSUM, 0, 8);
    const bool agrees =
        nk_head_bytes(nk_get32(bytes + NK_AT_BLOCKS)) == length && XXH3_64bits(bytes, length) == checksum;
    nk_put64(bytes + NK_AT_CHECKSUM, checksum);
    return agrees ? NK_OK
                  : nk_fail(error, NK_E_CORRUPT, 0, "damaged: the checksum of the header does not agree");
}

/* From here on the header is what some writer wrote; that it makes sense is still to be checked. */
static enum nk_status read_header(struct nk_head *head, struct nk_error *error)
{
    const uint8_t *header = head->bytes;
    const uint64_t entries = nk_get64(header + NK_AT_ENTRIES);
    struct nk_rules rules;
    const enum nk_status status = read_rules(header, &rules, error);
    if (status)
        return status;
    if (nk_index_new(&rules, &head->index))
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory for the index of the board");
    if (entries != head->index->entries)
        return complain_of_entries(entries, head->blocks, error);
    head->summary = (struct nk_summary){
        .placements = nk_get64(header + NK_AT_PLACEMENTS),
        .legal = nk_get64(header + NK_AT_LEGAL),
        .wins = nk_get64(header + NK_AT_WINS),
        .losses = nk_get64(header + NK_AT_LOSSES),
        .draws = nk_get64(header + NK_AT_DRAWS),
        .stalemates = nk_get64(header + NK_AT_STALEMATES),
        .longest = nk_get32(header + NK_AT_LONGEST),
    };
    return NK_OK;
}

enum nk_status nk_head_check_list(const uint8_t *bytes, uint64_t from, uint64_t to, uint64_t size,
                                  struct nk_error *error)
{
    const uint32_t blocks = nk_get32(bytes + NK_AT_BLOCKS);
    const uint64_t length = nk_head_bytes(blocks);
    from = from < NK_HEADER_BYTES ? NK_HEADER_BYTES : from;
    uint64_t end = from == NK_HEADER_BYTES ? length : nk_get64(bytes + from - NK_BLOCK_BYTES + NK_BLOCK_END);
    for (uint64_t at = from; at + NK_BLOCK_BYTES <= to; at += NK_BLOCK_BYTES) {
        const uint64_t b = (at - NK_HEADER_BYTES) / NK_BLOCK_BYTES,
                       next = nk_get64(bytes + at + NK_BLOCK_END);
        if (next < end + (b < blocks) || next - end > NK_MAX_PACKED || next > size)
            return nk_fail(error, NK_E_CORRUPT, 0, "damaged: block %llu ends at byte %llu, beginning at %llu",
                           (unsigned long long)b, (unsigned long long)next, (unsigned long long)end);
        end = next;
    }
    if (to == length && end != size)
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: the last block ends at byte %llu of %llu",
                       (unsigned long long)end, (unsigned long long)size);
    return NK_OK;
}

enum nk_status nk_head_read(struct nk_head *head, uint8_t *bytes, size_t length, uint64_t size,
                            struct nk_error *error)
{
    *head = (struct nk_head){.bytes = bytes, .blocks = nk_get32(bytes + NK_AT_BLOCKS)};
    enum nk_status status;
    if ((status = check_head(bytes, length, error)) || (status = read_header(head, error)))
        return status;
    return nk_head_check_list(bytes, 0, length, size, error);
}

void nk_head_free(struct nk_head *head)
{
    nk_index_free(head->index);
    free(head->bytes);
}

uint64_t nk_head_block(const struct nk_head *head, uint32_t block, size_t *length)
{
    const uint8_t *entry = list_entry(head, block);
    const uint64_t begin =
        block ? nk_get64(entry - NK_BLOCK_BYTES + NK_BLOCK_END) : nk_head_bytes(head->blocks);
    *length = (size_t)(nk_get64(entry + NK_BLOCK_END) - begin);
    return begin;
}

enum nk_status nk_head_check_block(const struct nk_head *head, uint32_t block, const uint8_t *packed,
                                   struct nk_error *error)
{
    size_t length;
    (void)nk_head_block(head, block, &length);
    if (XXH3_64bits(packed, length) != nk_get64(list_entry(head, block) + NK_BLOCK_CHECKSUM))
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: the checksum of block %llu does not agree",
                       (unsigned long long)block);
    return NK_OK;
}

enum nk_status nk_head_check_codes(const struct nk_head *head, uint32_t block, const uint8_t *codes,
                                   struct nk_error *error)
{
    size_t length;
    const uint32_t traps = head->blocks + block;
    const bool has_draws = nk_count_draws(codes, nk_head_entries(head, block)) > 0;
    (void)nk_head_block(head, traps, &length);
    if (length && !has_draws)
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: block %llu holds traps, but block %llu has no draws",
                       (unsigned long long)traps, (unsigned long long)block);
    if (!length && has_draws && nk_head_has_traps(head))
        return nk_fail(error, NK_E_CORRUPT, 0, "damaged: block %llu holds no traps, but block %llu has draws",
                       (unsigned long long)traps, (unsigned long long)block);
    return NK_OK;
}

bool nk_head_has_traps(const struct nk_head *head)
{
    size_t length;
    return nk_head_block(head, head->blocks, &length) < nk_get64(head->bytes + NK_AT_SIZE);
}

size_t nk_head_entries(const struct nk_head *head, uint32_t block)
{
    const uint64_t left = head->index->entries - (uint64_t)block * NK_BLOCK_ENTRIES;
    return left < NK_BLOCK_ENTRIES ? (size_t)left : NK_BLOCK_ENTRIES;
}
