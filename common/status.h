/* How a function says what went wrong: include/neutreeko.h has the statuses. */
#ifndef NK_STATUS_H
#define NK_STATUS_H

#include "include/neutreeko.h"

/* nk_fail(error, status, at, format, ...) records a failure in *error (may be NULL) and is `status`, so that
 * a caller can write `return nk_fail(...)`. The format is that of nk_strbuf_add. What is too long is cut. A
 * macro, because the analyzers that read one file at a time must see that a failure is not taken back. */
#define nk_fail(error, status, ...)                     \
    __extension__({                                     \
        const enum nk_status nk_failed = (status);      \
        nk_error_record(error, nk_failed, __VA_ARGS__); \
        nk_failed;                                      \
    })

void nk_error_record(struct nk_error *error, enum nk_status status, size_t at, const char *format, ...);

#endif
