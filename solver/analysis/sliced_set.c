#include "solver/analysis/sliced_set.h"

#include "common/system/file.h"
#include "common/system/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rows are written in groups of a few pages of the page cache. */
enum { GROUP = 256 };

static bool is_in_memory(const struct nk_sliced_set *set)
{
    return !NK_HAS_FILES || set->rows;
}

enum nk_status nk_sliced_set_open(struct nk_sliced_set *set, const char *directory, size_t slices,
                                  size_t rows_per_slice, struct nk_error *error)
{
    /* A process may have no slices, but nothing that is reserved is empty. */
    const uint64_t bytes = ((uint64_t)slices * rows_per_slice + 1) * sizeof(nk_row_bits);
    char *path;
    *set = (struct nk_sliced_set){.rows_per_slice = rows_per_slice, .file = -1};
    if (!NK_HAS_FILES || asprintf(&path, "%s/set", directory) < 0)
        return nk_fail_memory(error);
    set->file = nk_system_create_unnamed(path);
    free(path);
    return set->file >= 0 && nk_system_reserve(set->file, bytes)
               ? NK_OK
               : nk_fail(error, NK_E_WRITE, 0, "cannot write a file in " NK_PATH ": %s",
                         NK_PATH_OF(directory), strerror(errno));
}

void nk_sliced_set_close(struct nk_sliced_set *set)
{
    if (NK_HAS_FILES && set->rows_per_slice && set->file >= 0)
        close(set->file);
    *set = (struct nk_sliced_set){0};
}

static uint64_t offset_of(const struct nk_sliced_set *set, size_t slice, size_t row)
{
    return ((uint64_t)slice * set->rows_per_slice + row) * sizeof(nk_row_bits);
}

void nk_sliced_set_prefetch(const struct nk_sliced_set *set, size_t slice)
{
    if (!is_in_memory(set))
        nk_system_prefetch(set->file, offset_of(set, slice, 0), set->rows_per_slice * sizeof(nk_row_bits));
}

enum nk_status nk_sliced_set_load(const struct nk_sliced_set *set, size_t slice, nk_row_bits *buffer,
                                  nk_row_bits **rows, struct nk_error *error)
{
    *rows = is_in_memory(set) ? set->rows + slice * set->rows_per_slice : buffer;
    if (is_in_memory(set) || nk_file_read_at(set->file, buffer, set->rows_per_slice * sizeof(nk_row_bits),
                                             offset_of(set, slice, 0)))
        return NK_OK;
    return nk_fail(error, NK_E_READ, 0, "cannot read the file of a set of positions: %s", strerror(errno));
}

enum nk_status nk_sliced_set_store(const struct nk_sliced_set *set, size_t slice, const nk_row_bits *rows,
                                   const uint8_t *changed, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    size_t begin = 0; /* of the rows to be written next */
    for (size_t row = 0; !is_in_memory(set) && !status && row < set->rows_per_slice; row += GROUP) {
        const size_t left = set->rows_per_slice - row, end = row + (left < GROUP ? left : GROUP);
        const bool is_changed = !changed || memchr(changed + row, 1, end - row);
        if (is_changed && end < set->rows_per_slice)
            continue;
        const size_t until = is_changed ? end : row;
        if (begin < until && !nk_file_write_at(set->file, rows + begin, (until - begin) * sizeof(nk_row_bits),
                                               offset_of(set, slice, begin)))
            status = nk_fail(error, NK_E_WRITE, 0, "cannot write the file of a set of positions: %s",
                             strerror(errno));
        begin = end;
    }
    return status;
}
