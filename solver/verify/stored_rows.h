/* What the first phase of the verifier (verify.c) finds and the second one needs: a row of bytes for each orbit, in
 * memory or in a temporary file. The rows are packed (common/table/packing.h), which takes about two fifths of their
 * bytes. */
#ifndef NK_STORED_ROWS_H
#define NK_STORED_ROWS_H

#include "common/game/index.h"

#include <stddef.h>

struct nk_stored_row {
    uint8_t *bytes;  /* in memory, or NULL */
    uint64_t offset; /* in the file */
    size_t length;
};

struct nk_stored_rows {
    const struct nk_index *index;
    struct nk_stored_row *rows; /* [orbits] */
    int file;                   /* -1: the rows are in memory */
    _Atomic uint64_t end;       /* of the file */
};

/* The bytes that all rows are expected to take: packed, most have three bytes to one. */
uint64_t nk_stored_rows_memory(const struct nk_index *index);

/* Begins with no rows. `path` is that of a file in whose directory the temporary file is created, which has no name and
 * ends with the process, or NULL for rows in memory. The index must outlive the rows. The caller frees them with
 * nk_stored_rows_close, also after a failure. NK_E_MEMORY; NK_E_WRITE if the file cannot be created. */
enum nk_status nk_stored_rows_open(struct nk_stored_rows *rows, const struct nk_index *index,
                                   const char *path, struct nk_error *error);

/* Frees all rows and removes the file. Accepts rows that were closed. */
void nk_stored_rows_close(struct nk_stored_rows *rows);

/* Stores the row of an orbit, `per_orbit` bytes; and reads one that was stored. `packed` is scratch with room for
 * NK_PACK_BOUND(per_orbit) bytes. Several threads may do this at once, for different rows. NK_E_MEMORY and NK_E_WRITE;
 * NK_E_READ, and NK_E_CORRUPT if what is read is not what was stored. */
enum nk_status nk_stored_rows_put(struct nk_stored_rows *rows, uint32_t orbit, const uint8_t *row,
                                  uint8_t *packed, struct nk_error *error);
enum nk_status nk_stored_rows_get(const struct nk_stored_rows *rows, uint32_t orbit, uint8_t *row,
                                  uint8_t *packed, struct nk_error *error);

#endif
