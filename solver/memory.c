#include "solver/memory.h"

#include "common/system.h"
#include "solver/lanes.h"

#include <stdlib.h>

/* Precedes the memory of an allocation. */
struct nk_block {
    _Alignas(nk_lanes) struct nk_block *next;
    void *allocated; /* what was allocated, of which this is a part */
    uint64_t bytes;
};

/* From this size on, memory is mapped: the system has large pages for it. */
enum { MAPPED = 1 << 20 };

void *nk_memory_get(struct nk_memory *memory, uint64_t count, size_t size)
{
    const uint64_t bytes = 2 * sizeof(struct nk_block) + count * size; /* one of the two for aligning */
    void *allocated = NULL;
    memory->bytes += bytes;
    if (memory->is_plan)
        return NULL;
    if (bytes < MAPPED)
        allocated = calloc(1, (size_t)bytes);
    else if (bytes <= SIZE_MAX)
        allocated = nk_system_map((size_t)bytes);
    if (!allocated) {
        memory->has_failed = true;
        return NULL;
    }
    const uintptr_t alignment = sizeof(struct nk_block), past = (uintptr_t)allocated % alignment;
    struct nk_block *block = (void *)((char *)allocated + (past ? alignment - past : 0));
    *block = (struct nk_block){memory->blocks, allocated, bytes};
    memory->blocks = block;
    return block + 1;
}

void nk_memory_clear(struct nk_memory *memory)
{
    for (const struct nk_block *block = memory->blocks, *next; block; block = next) {
        next = block->next;
        if (block->bytes < MAPPED)
            free(block->allocated);
        else
            nk_system_unmap(block->allocated, (size_t)block->bytes);
    }
    *memory = (struct nk_memory){0};
}
