/* The file of one slice in a checkpoint: bytes compressed by zlib. Different files can be written and read by several
 * threads at once. */
#ifndef NK_SLICE_FILE_H
#define NK_SLICE_FILE_H

#include "common/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a checkpoint records of a file. */
struct nk_slice_sum {
    uint64_t size, checksum; /* in bytes; XXH3-64 */
};

/* Writes the next `length` bytes of a slice, those from `offset` on, into `bytes`. */
typedef void nk_produce(void *context, uint64_t offset, uint8_t *bytes, size_t length);

/* Receives the next `length` bytes of a slice, those from `offset` on. Returns false if they cannot be right. */
typedef bool nk_consume(void *context, uint64_t offset, const uint8_t *bytes, size_t length);

/* Compresses the `length` bytes of a slice into a new file, which replaces a former one when it is complete. Returns
 * NK_E_WRITE or NK_E_MEMORY, with a message in *error (may be NULL). */
enum nk_status nk_slice_file_write(const char *path, uint64_t length, nk_produce *produce, void *context,
                                   struct nk_slice_sum *sum, struct nk_error *error);

/* Reads a slice of `length` bytes. Returns NK_E_CORRUPT if the file is not the one with this sum or `consume` rejects
 * its contents, NK_E_READ, or NK_E_MEMORY, with a message in *error (may be NULL). `consume` can have received bytes
 * of a damaged file by then. */
enum nk_status nk_slice_file_read(const char *path, uint64_t length, nk_consume *consume, void *context,
                                  const struct nk_slice_sum *sum, struct nk_error *error);

#endif
