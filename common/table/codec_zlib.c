/* Compression with zlib. */

#include "common/table/table.h"

#include <zlib.h>

/* The settings of zlib that make a small file in little time (docs/HOW.md has the alternatives). In packed codes only
 * runs of the same byte are worth finding, so Z_RLE is the fastest strategy and makes the smallest files, and the level
 * does not matter. The window holds a block, and the little memory for symbols makes the Huffman codes change within
 * it. */
enum { LEVEL = 1, STRATEGY = Z_RLE, WINDOW_BITS = 14, MEMORY_LEVEL = 6 };

enum nk_status nk_compress(const uint8_t *bytes, size_t length, uint8_t *compressed,
                           size_t *compressed_length)
{
    z_stream stream = {
        .next_in = (z_const Bytef *)bytes,
        .avail_in = (uInt)length,
        .next_out = compressed,
        .avail_out = (uInt)nk_compress_bound(length),
    };
    if (deflateInit2(&stream, LEVEL, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL, STRATEGY) != Z_OK)
        return NK_E_MEMORY;
    /* Not all implementations of zlib need no more memory. */
    const int state = deflate(&stream, Z_FINISH);
    deflateEnd(&stream);
    if (state != Z_STREAM_END)
        return NK_E_MEMORY;
    *compressed_length = stream.total_out;
    return NK_OK;
}

/* uncompress2() would be shorter, but not every zlib that the Python package is for has it. */
enum nk_status nk_uncompress(const uint8_t *compressed, size_t compressed_length, uint8_t *bytes, size_t room,
                             size_t *length)
{
    z_stream stream = {
        .next_in = (z_const Bytef *)compressed,
        .avail_in = (uInt)compressed_length,
        .next_out = bytes,
        .avail_out = (uInt)room,
    };
    if (inflateInit(&stream) != Z_OK)
        return NK_E_MEMORY;
    const int state = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    if (state == Z_MEM_ERROR)
        return NK_E_MEMORY;
    if (state != Z_STREAM_END || stream.avail_in > 0)
        return NK_E_CORRUPT;
    *length = stream.total_out;
    return NK_OK;
}
