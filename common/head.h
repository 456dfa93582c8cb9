/* The head of a table, its header and the list of its blocks, read and checked: all there is in the file but
 * the blocks themselves. For those who bring the blocks to memory (common/blocks.c, web/blocks.c). */
#ifndef NK_HEAD_H
#define NK_HEAD_H

#include "format.h"

struct nk_head {
    struct nk_index *index;
    struct nk_summary summary;
    uint32_t blocks; /* of codes; as many of traps follow */
    uint8_t *bytes;  /* header and list, as in the file */
};

/* From the first bytes of a table of `size` bytes, all of them or NK_HEADER_BYTES: how long header and list
 * are, at most `size`. The counts are those that a table of this board can have, so that no file that claims
 * others costs memory or time. NK_E_NOT_TABLE, NK_E_CORRUPT. */
enum nk_status nk_head_measure(const uint8_t *header, uint64_t size, size_t *length, struct nk_error *error);

/* Checks the entries of the list that lie between two offsets of the file, both those of an entry or of an
 * end of the header or the list: a reader that does so while it reads stops where a sparse file has a hole.
 * `bytes` hold header and list up to `to`. NK_E_CORRUPT. */
enum nk_status nk_head_check_list(const uint8_t *bytes, uint64_t from, uint64_t to, uint64_t size,
                                  struct nk_error *error);

/* Reads the `length` bytes of header and list. They must come from malloc and belong to *head from now on;
 * the caller hands that to nk_head_free, even after a failure. NK_E_CORRUPT, NK_E_MEMORY. */
enum nk_status nk_head_read(struct nk_head *head, uint8_t *bytes, size_t length, uint64_t size,
                            struct nk_error *error);
void nk_head_free(struct nk_head *head);

/* Where a block lies in the file; block < 2 * head->blocks. */
uint64_t nk_head_block(const struct nk_head *head, uint32_t block, size_t *length);

/* NK_OK when these are the bytes of the block, compressed as they are in the file, else NK_E_CORRUPT. */
enum nk_status nk_head_check_block(const struct nk_head *head, uint32_t block, const uint8_t *packed,
                                   struct nk_error *error);

/* To be called with the `codes` of every block of codes when it has been unpacked: NK_E_CORRUPT unless its
 * block of traps is empty exactly where it has no draws, or the table no traps. */
enum nk_status nk_head_check_codes(const struct nk_head *head, uint32_t block, const uint8_t *codes,
                                   struct nk_error *error);

/* True when some block of traps is not empty. */
bool nk_head_has_traps(const struct nk_head *head);

/* Entries in a block of codes. */
size_t nk_head_entries(const struct nk_head *head, uint32_t block);

#endif
