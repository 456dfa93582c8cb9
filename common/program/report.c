#include "common/program/report.h"

#include "common/base/strbuf.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

/* ---- messages ---- */

enum { MESSAGE = 1000 }; /* bytes; a longer message is cut */

static void report(const char *name, const char *format, va_list arguments)
{
    char text[MESSAGE], escaped[MESSAGE * (NK_ESCAPED - 1)];
    vsnprintf(text, sizeof text, format, arguments);
    nk_strbuf_add_escaped(&(struct nk_strbuf){escaped, sizeof escaped, 0}, text);
    /* One call prints the whole message, so that those of several processes do not mix. */
    fprintf(stderr, "%s: %s\n", name, escaped);
}

void nk_report(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(name, format, arguments);
    va_end(arguments);
}

int nk_usage_error(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(name, format, arguments);
    va_end(arguments);
    fprintf(stderr, "Try '%s --help' for more information.\n", name);
    return EXIT_USAGE;
}

/* ---- output ---- */

void nk_print_escaped(FILE *stream, const char *text)
{
    char escaped[NK_ESCAPED];
    while (*text) {
        text = nk_escape_first(text, escaped);
        fputs(escaped, stream);
    }
}

bool nk_flush_output(const char *name)
{
    static bool reported;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    if (!reported)
        nk_report(name, "cannot write to standard output: %s", strerror(errno));
    reported = true;
    return false;
}

const char *nk_quote(const char *text, char out[NK_QUOTED_TEXT])
{
    static const char dots[] = "...";
    char *end = out, *const most = out + NK_QUOTED_TEXT - sizeof dots;
    while (*text) {
        char escaped[NK_ESCAPED];
        text = nk_escape_first(text, escaped);
        if (end + strlen(escaped) > most) {
            end = nk_put_text(end, dots);
            break;
        }
        end = nk_put_text(end, escaped);
    }
    *end = '\0';
    return out;
}
