/* The rows of a set of positions that is used slice by slice, in order: in memory, or in a file that is read and
 * written with plain calls. (Mapped into memory it takes twice as long: the pages of a large file come and go with a
 * fault each.) All errors have a message in *error (may be NULL). */
#ifndef NK_SLICED_SET_H
#define NK_SLICED_SET_H

#include "common/base/status.h"
#include "solver/base/row_bits.h"

#include <stddef.h>

struct nk_sliced_set {
    nk_row_bits *rows; /* [slices][rows_per_slice], which outlive the set; NULL for a set in a file */
    size_t rows_per_slice;
    int file; /* -1 for a set in memory */
};

/* Creates an empty set in a file without a name, in the directory: its space is reserved here, and free again when the
 * file is closed with nk_sliced_set_close or the process ends. NK_E_MEMORY, NK_E_WRITE. */
enum nk_status nk_sliced_set_open(struct nk_sliced_set *set, const char *directory, size_t slices,
                                  size_t rows_per_slice, struct nk_error *error);

/* Accepts a zeroed set, one in memory, and one that was not opened. */
void nk_sliced_set_close(struct nk_sliced_set *set);

/* The functions below may be called by several threads at once, for different slices. */

/* Begins to read a slice from the disk. */
void nk_sliced_set_prefetch(const struct nk_sliced_set *set, size_t slice);

/* Sets *rows to the rows of a slice: those in memory, or a copy in `buffer`, [rows_per_slice]. NK_E_READ. */
enum nk_status nk_sliced_set_load(const struct nk_sliced_set *set, size_t slice, nk_row_bits *buffer,
                                  nk_row_bits **rows, struct nk_error *error);

/* Saves what was changed in the rows of a slice that were loaded. Rows whose element of `changed` is zero have not been
 * changed; NULL stands for changes in any row. NK_E_WRITE. */
enum nk_status nk_sliced_set_store(const struct nk_sliced_set *set, size_t slice, const nk_row_bits *rows,
                                   const uint8_t *changed, struct nk_error *error);

#endif
