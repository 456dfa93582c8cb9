/* Zeroed memory, in large pages or in a file. */
#ifndef NK_MAPPING_H
#define NK_MAPPING_H

#include "common/status.h"

#include <stddef.h>

/* Maps new memory: in large pages if `directory` is NULL, otherwise in a file there, which has no name any more when
 * this function returns. Its space is reserved, and free when the mapping and the process end. `number` distinguishes
 * the mappings of all processes. NK_E_MEMORY or NK_E_WRITE, with a message in *error (may be NULL). The caller frees it
 * with nk_unmap, which accepts NULL. */
enum nk_status nk_map(const char *directory, int number, size_t bytes, void **memory, struct nk_error *error);
void nk_unmap(void *memory, size_t bytes);

/* Begins to read a part of a mapped file from the disk. */
void nk_map_prefetch(void *memory, size_t bytes);

#endif
