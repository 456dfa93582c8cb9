#include "status.h"

#include "strbuf.h"

#include <string.h>

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
        return path;
    const char *end = path + length - LONGEST_PATH;
    for (int skipped = 0; skipped < 3 && ((unsigned char)*end & 0xc0) == 0x80; skipped++)
        end++; /* the rest of a character whose beginning is left out */
    return end;
}
