#include "common/base/status.h"

#include "common/base/strbuf.h"

#include <string.h>

const char *nk_status_name(enum nk_status status)
{
    static const char *const names[] = {
        [NK_OK] = "ok",
        [NK_E_MEMORY] = "memory",
        [NK_E_RULES] = "rules",
        [NK_E_SYNTAX] = "syntax",
        [NK_E_POSITION] = "position",
        [NK_E_MOVE] = "move",
        [NK_E_READ] = "read",
        [NK_E_WRITE] = "write",
        [NK_E_NOT_TABLE] = "not_table",
        [NK_E_CORRUPT] = "corrupt",
        [NK_E_LIMIT] = "limit",
        [NK_E_BUSY] = "busy",
        [NK_E_UNSUPPORTED] = "unsupported",
        [NK_E_EXISTS] = "exists",
        [NK_E_STOPPED] = "stopped",
    };
    return (size_t)status < sizeof names / sizeof names[0] ? names[status] : NULL;
}

void nk_error_record(struct nk_error *error, enum nk_status status, size_t at, const char *format, ...)
{
    if (!error)
        return;
    struct nk_strbuf text = {error->text, sizeof error->text, 0};
    va_list arguments;
    va_start(arguments, format);
    nk_strbuf_add_list(&text, format, arguments);
    va_end(arguments);
    error->status = status;
    error->at = at;
}

enum { LONGEST_PATH = 100 };

const char *nk_path_dots(const char *path)
{
    return strlen(path) > LONGEST_PATH ? "..." : "";
}

const char *nk_path_end(const char *path)
{
    const size_t length = strlen(path);
    if (length <= LONGEST_PATH)
        return length ? path : "''";
    const char *end = path + length - LONGEST_PATH;
    for (int skipped = 0; skipped < 3 && ((unsigned char)*end & 0xc0) == 0x80; skipped++)
        end++; /* the rest of a character whose beginning is left out */
    return end;
}
