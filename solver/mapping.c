#include "solver/mapping.h"

#include "common/system.h"

#include <inttypes.h>

enum nk_status nk_map(uint64_t bytes, void **memory, struct nk_error *error)
{
    void *mapped = bytes <= SIZE_MAX ? nk_system_map((size_t)bytes) : NULL;
    if (!mapped)
        return nk_fail(error, NK_E_MEMORY, 0, "out of memory: cannot map %" PRIu64 " MiB", bytes >> 20);
    *memory = mapped;
    return NK_OK;
}

void nk_unmap(void *memory, uint64_t bytes)
{
    nk_system_unmap(memory, (size_t)bytes);
}
