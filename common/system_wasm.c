#include "system.h"

#include <stdlib.h>
#include <string.h>

/* Of what differs between systems, WebAssembly has these; without files, it needs no others (NK_HAS_FILES). */

int nk_system_processors(void)
{
    return 1;
}

void *nk_system_map(size_t bytes)
{
    enum { ALIGNMENT = 64 };
    const size_t size = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *memory = size >= bytes ? aligned_alloc(ALIGNMENT, size) : NULL;
    return memory ? memset(memory, 0, size) : NULL;
}

void nk_system_unmap(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}
