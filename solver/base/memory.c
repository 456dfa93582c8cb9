#include "solver/base/memory.h"

#include "common/system/system.h"
#include "solver/base/row_bits.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALIGNMENT = _Alignof(nk_row_bits),
    MAPPED = 1 << 21 /* from this size on, memory is mapped: a large page of the system has as many bytes */
};

static void set_pointer(const struct nk_array *array, void *pointer)
{
    memcpy(array->place, &pointer, sizeof pointer); /* a pointer of any type */
}

void nk_memory_list(struct nk_memory *memory, void *place, uint64_t count, size_t size)
{
    assert(memory->count < NK_MAX_ARRAYS);
    const uint64_t bytes = count * size + ALIGNMENT;
    memory->arrays[memory->count++] = (struct nk_array){.place = place, .bytes = bytes};
    memory->bytes += bytes;
}

bool nk_memory_allocate(struct nk_memory *memory)
{
    for (int i = 0; i < memory->count; i++) {
        struct nk_array *array = &memory->arrays[i];
        if (array->allocated)
            continue;
        if (array->bytes < MAPPED)
            array->allocated = calloc(1, (size_t)array->bytes);
        else if (array->bytes <= SIZE_MAX)
            array->allocated = nk_system_map((size_t)array->bytes);
        if (!array->allocated)
            return false;
        const uintptr_t misaligned = (uintptr_t)array->allocated % ALIGNMENT;
        set_pointer(array, (char *)array->allocated + (misaligned ? ALIGNMENT - misaligned : 0));
    }
    return true;
}

void nk_memory_free(struct nk_memory *memory)
{
    for (int i = 0; i < memory->count; i++) {
        const struct nk_array *array = &memory->arrays[i];
        if (!array->allocated)
            continue;
        if (array->bytes < MAPPED)
            free(array->allocated);
        else
            nk_system_unmap(array->allocated, (size_t)array->bytes);
        set_pointer(array, NULL);
    }
    *memory = (struct nk_memory){0};
}
