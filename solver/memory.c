#include "solver/memory.h"

#include "common/system.h"
#include "solver/lanes.h"
#include "solver/mapping.h"

#include <string.h>

/* Precedes the memory of an allocation. */
struct nk_block {
    _Alignas(nk_lanes) struct nk_block *next;
    uint64_t bytes; /* with this */
};

/* From this size on, memory is mapped: the system zeroes it when it is used, and has large pages for it. */
enum { MAPPED = 1 << 20 };

void *nk_memory_get(struct nk_memory *memory, uint64_t count, size_t size)
{
    const uint64_t alignment = sizeof(nk_lanes);
    const uint64_t bytes = sizeof(struct nk_block) + (count * size + alignment - 1) / alignment * alignment;
    void *block = NULL;
    memory->bytes += bytes;
    if (memory->is_plan)
        return NULL;
    if (bytes >= MAPPED) {
        (void)nk_map(bytes, &block, NULL);
    } else if ((block = nk_system_allocate_aligned((size_t)alignment, (size_t)bytes))) {
        memset(block, 0, (size_t)bytes);
    }
    if (!block) {
        memory->has_failed = true;
        return NULL;
    }
    struct nk_block *first = block;
    *first = (struct nk_block){memory->blocks, bytes};
    memory->blocks = first;
    return first + 1;
}

void nk_memory_clear(struct nk_memory *memory)
{
    for (struct nk_block *block = memory->blocks, *next; block; block = next) {
        next = block->next;
        if (block->bytes >= MAPPED)
            nk_unmap(block, block->bytes);
        else
            nk_system_free_aligned(block);
    }
    *memory = (struct nk_memory){0};
}
