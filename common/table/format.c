#include "common/table/format.h"

#include <string.h>
#include <xxhash.h>

void nk_table_put_block(uint8_t *header, uint32_t block, uint64_t end, uint64_t checksum)
{
    uint8_t *item = header + NK_HEADER_BYTES + (size_t)block * NK_ITEM_BYTES;
    nk_put64(item + NK_ITEM_END, end);
    nk_put64(item + NK_ITEM_CHECKSUM, checksum);
}

void nk_table_put_header(uint8_t *header, const struct nk_rules *rules, const struct nk_summary *summary,
                         uint64_t entries, uint64_t size, uint64_t codes_checksum)
{
    const uint32_t blocks = nk_block_count(entries);
    memcpy(header + NK_AT_SIGNATURE, nk_table_signature, sizeof nk_table_signature);
    nk_put32(header + NK_AT_VERSION, NK_FORMAT_VERSION);
    header[NK_AT_WIDTH] = (uint8_t)rules->board.width;
    header[NK_AT_HEIGHT] = (uint8_t)rules->board.height;
    header[NK_AT_PIECES] = (uint8_t)rules->board.pieces;
    header[NK_AT_ROW_LENGTH] = (uint8_t)rules->board.row_length;
    header[NK_AT_WIN] = (uint8_t)rules->board.win;
    nk_put32(header + NK_AT_LONGEST, summary->longest);
    nk_put64(header + NK_AT_PLACEMENTS, summary->placements);
    nk_put64(header + NK_AT_LEGAL, summary->legal);
    nk_put64(header + NK_AT_WINS, summary->wins);
    nk_put64(header + NK_AT_LOSSES, summary->losses);
    nk_put64(header + NK_AT_DRAWS, summary->draws);
    nk_put64(header + NK_AT_STALEMATES, summary->stalemates);
    nk_put64(header + NK_AT_ENTRIES, entries);
    nk_put64(header + NK_AT_SIZE, size);
    nk_put32(header + NK_AT_BLOCK_ENTRIES, NK_BLOCK_ENTRIES);
    nk_put32(header + NK_AT_BLOCKS, blocks);
    nk_put64(header + NK_AT_CODES_CHECKSUM, codes_checksum);
    nk_put64(header + NK_AT_CHECKSUM,
             XXH3_64bits(header, (size_t)nk_list_end(blocks))); /* itself still zero */
}
