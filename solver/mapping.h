/* Zeroed memory for sets of positions, in large pages or in a file. */
#ifndef NK_MAPPING_H
#define NK_MAPPING_H

#include "common/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Maps new memory. NK_E_MEMORY, with a message in *error (may be NULL). The caller frees it with nk_unmap. */
enum nk_status nk_map_memory(size_t bytes, void **memory, struct nk_error *error);

/* The same for a file in a directory, which is removed from the directory at once: its space is reserved here, and free
 * when the mapping and the process end. Also NK_E_WRITE. */
enum nk_status nk_map_file(const char *directory, const char *name, size_t bytes, void **memory,
                           struct nk_error *error);

/* NULL is allowed. */
void nk_unmap(void *memory, size_t bytes);

/* Begins to read a part of a mapped file from the disk. */
void nk_map_prefetch(void *memory, size_t bytes);

#endif
