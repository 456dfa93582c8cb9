#include "solver/verify/stored_rows.h"

#include "common/system/file.h"
#include "common/system/system.h"
#include "common/table/packing.h"
#include "solver/verify/errors.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_in_file(const struct nk_stored_rows *rows)
{
    return NK_HAS_FILES && rows->file >= 0;
}

uint64_t nk_stored_rows_memory(const struct nk_index *index)
{
    return index->orbit_count * sizeof(struct nk_stored_row) + index->entries / 5 * 2;
}

enum nk_status nk_stored_rows_open(struct nk_stored_rows *rows, const struct nk_index *index,
                                   const char *path, struct nk_error *error)
{
    *rows = (struct nk_stored_rows){.index = index, .file = -1};
    if (NK_HAS_FILES && path && (rows->file = nk_system_create_unnamed(path)) < 0)
        return nk_fail(error, NK_E_WRITE, 0,
                       "cannot create a temporary file in the directory of " NK_PATH ": %s", NK_PATH_OF(path),
                       strerror(errno));
    rows->rows = calloc(index->orbit_count, sizeof *rows->rows);
    return rows->rows ? NK_OK : nk_fail_memory(error);
}

void nk_stored_rows_close(struct nk_stored_rows *rows)
{
    for (uint32_t orbit = 0; rows->rows && orbit < rows->index->orbit_count; orbit++)
        free(rows->rows[orbit].bytes);
    free(rows->rows);
    if (is_in_file(rows))
        close(rows->file);
    *rows = (struct nk_stored_rows){.file = -1};
}

enum nk_status nk_stored_rows_put(struct nk_stored_rows *rows, uint32_t orbit, const uint8_t *row,
                                  uint8_t *packed, struct nk_error *error)
{
    const size_t length = nk_pack(row, rows->index->per_orbit, packed);
    if (is_in_file(rows)) {
        const uint64_t offset = atomic_fetch_add(&rows->end, length);
        rows->rows[orbit] = (struct nk_stored_row){.offset = offset, .length = length};
        if (nk_file_write_at(rows->file, packed, length, offset))
            return NK_OK;
        return nk_fail(error, NK_E_WRITE, 0, "cannot write the temporary file of the verification: %s",
                       strerror(errno));
    }
    uint8_t *bytes = malloc(length);
    if (!bytes)
        return nk_fail_memory(error);
    memcpy(bytes, packed, length);
    rows->rows[orbit] = (struct nk_stored_row){.bytes = bytes, .length = length};
    return NK_OK;
}

enum nk_status nk_stored_rows_get(const struct nk_stored_rows *rows, uint32_t orbit, uint8_t *row,
                                  uint8_t *packed, struct nk_error *error)
{
    const struct nk_stored_row *stored = &rows->rows[orbit];
    if (is_in_file(rows) && !nk_file_read_at(rows->file, packed, stored->length, stored->offset))
        return nk_fail(error, NK_E_READ, 0, "cannot read the temporary file of the verification: %s",
                       errno ? strerror(errno) : "it has become shorter");
    const uint8_t *bytes = is_in_file(rows) ? packed : stored->bytes;
    if (nk_unpack(bytes, stored->length, row, rows->index->per_orbit))
        return NK_OK;
    return nk_fail(error, NK_E_CORRUPT, 0, "the temporary data of the verification are damaged");
}
