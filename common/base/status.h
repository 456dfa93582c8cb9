/* Recording of errors; include/neutreeko.h has the statuses. */
#ifndef NK_STATUS_H
#define NK_STATUS_H

#include "include/neutreeko.h"

/* nk_fail(error, status, at, format, ...) records a failure in *error (may be NULL) and has the value
 * `status`, so that a caller can write `return nk_fail(...)`. The format is that of nk_strbuf_add; a text
 * that is too long is cut. It is a macro because the analyzers that read one file at a time must see which
 * value it has. */
#define nk_fail(error, status, ...) (nk_error_record(error, status, __VA_ARGS__), (enum nk_status)(status))

__attribute__((format(printf, 4, 5))) void nk_error_record(struct nk_error *error, enum nk_status status,
                                                           size_t at, const char *format, ...);

/* Records NK_E_MEMORY in *error (may be NULL), with the one message for it, and has the value NK_E_MEMORY. Where there
 * is advice, such as an option that takes less memory, nk_fail has a message of its own. */
#define nk_fail_memory(error) nk_fail(error, NK_E_MEMORY, 0, "out of memory")

/* The name of a status in JSON: "ok", "memory", "rules", ...; NULL if there is no such status. */
const char *nk_status_name(enum nk_status status);

/* The name of a file in a message, as in nk_fail(error, status, 0, NK_PATH ": %s", NK_PATH_OF(path), reason).
 * Of a long name the message has only the end, after dots, because the end distinguishes it from others. */
#define NK_PATH "%s%s"
#define NK_PATH_OF(path) nk_path_dots(path), nk_path_end(path)

const char *nk_path_dots(const char *path); /* "..." or "" */
const char *nk_path_end(const char *path);

#endif
