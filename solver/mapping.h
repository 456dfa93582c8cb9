/* Zeroed memory in large pages, if the system has them. */
#ifndef NK_MAPPING_H
#define NK_MAPPING_H

#include "common/status.h"

#include <stdint.h>

/* Returns NK_E_MEMORY (also for more than can be addressed), with a message in *error (may be NULL). The caller frees the memory with nk_unmap, which accepts
 * NULL. */
enum nk_status nk_map(uint64_t bytes, void **memory, struct nk_error *error);
void nk_unmap(void *memory, uint64_t bytes);

#endif
