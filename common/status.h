/* How a function says what went wrong: include/neutreeko.h has the statuses. */
#ifndef NK_STATUS_H
#define NK_STATUS_H

#include "include/neutreeko.h"

/* Records a failure in *error (may be NULL) and returns `status`, so that a caller can write
 * `return nk_fail(...)`. The format is that of nk_text_add. What is too long is cut. */
enum nk_status nk_fail(struct nk_error *error, enum nk_status status, size_t at, const char *format, ...);

#endif
