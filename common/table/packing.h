/* Codes packed two or three to a byte, as a table stores them before compression (docs/FORMATS.md). Most codes are
 * among a few, so packing leaves a third to a half of the bytes for zlib, whose time is most of what writing and
 * verifying a table take. */
#ifndef NK_PACKING_H
#define NK_PACKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most bytes that so many packed codes need: two to a byte, with none of them listed. */
#define NK_PACK_BOUND(count) (16 + ((count) + 1) / 2 + (count))

/* Packs codes[] to packed[], which has room for NK_PACK_BOUND(count) bytes. Returns how many it has. The same codes
 * make the same bytes on every machine. */
size_t nk_pack(const uint8_t *codes, size_t count, uint8_t *packed);

/* Unpacks `length` bytes to codes[], which has room for `count` codes. Returns whether they are the packed form of so
 * many codes; codes[] is undefined otherwise. */
bool nk_unpack(const uint8_t *packed, size_t length, uint8_t *codes, size_t count);

#endif
