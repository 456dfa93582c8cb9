/* Writing files whole, and the standard streams. */
#ifndef NK_FILE_H
#define NK_FILE_H

#include "status.h"

/* Writes a file. It appears under its name whole, on disk, or not at all: it is written beside it, flushed
 * and renamed. A name that stands for a device or a pipe is written to directly. NK_E_WRITE with the reason
 * in *error (may be NULL), NK_E_MEMORY. */
NK_API enum nk_status nk_file_write(const char *path, const void *bytes, size_t length,
                                    struct nk_error *error);

/* For the beginning of a program: where standard input, output or error is closed, puts something there that
 * fails when it is used, so that no file opened later is taken for it. */
NK_API void nk_file_fill_standard(void);

#endif
