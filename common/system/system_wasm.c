/* What WebAssembly needs of common/system/system.h: it has neither files nor threads. */

#include "common/system/system.h"

#include <stdlib.h>
#include <string.h>

/* There is one thread. */
struct nk_text nk_system_error(int number)
{
    return nk_text_of("%s", strerror(number));
}

/* ---- the streams of the C library, which snprintf refers to, but does not use ---- */

enum { WASI_NOT_SUPPORTED = 52 };

int32_t __imported_wasi_snapshot_preview1_fd_close(int32_t file);
int32_t __imported_wasi_snapshot_preview1_fd_seek(int32_t file, int64_t offset, int32_t from,
                                                  int32_t position);
int32_t __imported_wasi_snapshot_preview1_fd_write(int32_t file, int32_t pieces, int32_t count,
                                                   int32_t written);

int32_t __imported_wasi_snapshot_preview1_fd_close(int32_t file)
{
    (void)file;
    return WASI_NOT_SUPPORTED;
}

int32_t __imported_wasi_snapshot_preview1_fd_seek(int32_t file, int64_t offset, int32_t from,
                                                  int32_t position)
{
    (void)file;
    (void)offset;
    (void)from;
    (void)position;
    return WASI_NOT_SUPPORTED;
}

int32_t __imported_wasi_snapshot_preview1_fd_write(int32_t file, int32_t pieces, int32_t count,
                                                   int32_t written)
{
    (void)file;
    (void)pieces;
    (void)count;
    (void)written;
    return WASI_NOT_SUPPORTED;
}

/* ---- the machine ---- */

int nk_system_processors(void)
{
    return 1;
}

uint64_t nk_system_available_memory(void)
{
    return 0; /* unknown */
}

void *nk_system_allocate(size_t bytes)
{
    return calloc(1, bytes);
}

void nk_system_free(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}
