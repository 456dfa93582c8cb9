/* The memory of a structure. All of it is freed together; and the code that allocates also plans: it then adds up what it
 * would allocate, so that an estimate cannot differ from what is used. */
#ifndef NK_MEMORY_H
#define NK_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed, this is empty. For one thread at a time. */
struct nk_memory {
    bool is_plan;    /* nothing is allocated */
    bool has_failed; /* some allocation has */
    uint64_t bytes;  /* of all allocations */
    struct nk_block *blocks;
};

/* Returns zeroed memory for `count` elements of `size` bytes, aligned for nk_lanes (solver/lanes.h) and in large pages if
 * it is large and the system has them. NULL in a plan, and after a failure, which is recorded. */
void *nk_memory_get(struct nk_memory *memory, uint64_t count, size_t size);

/* Whether everything was allocated: there is memory to fill. */
static inline bool nk_memory_is_ready(const struct nk_memory *memory)
{
    return !memory->is_plan && !memory->has_failed;
}

/* Frees all of it. */
void nk_memory_clear(struct nk_memory *memory);

#endif
