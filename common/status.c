#include "strbuf.h"

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
