#include "common/program/report.h"

#include "common/base/strbuf.h"

#include <assert.h>
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

/* ---- suggestions ---- */

enum { LONGEST_NAME = 30 }; /* a longer text is not similar to any name */

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* How many letters are inserted, removed, replaced, or exchanged with the next one, from one text to the other. */
static int edit_distance(const char *a, const char *b)
{
    int rows[3][LONGEST_NAME + 1]; /* of the last letters of a: distances to the beginnings of b */
    int *before = rows[0], *last = rows[1], *now = rows[2];
    const int length = (int)strlen(b);
    for (int j = 0; j <= length; j++)
        last[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        now[0] = i;
        for (int j = 1; j <= length; j++) {
            now[j] = smaller(smaller(last[j], now[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
        int *oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return last[length];
}

void nk_suggest(struct nk_suggestion *suggestion, const char *name)
{
    const size_t typed = strlen(suggestion->typed), length = strlen(name);
    assert(length > 1 && length <= LONGEST_NAME);
    if (!typed || typed > LONGEST_NAME)
        return;
    /* The beginning of a name is closest to it. */
    const int distance =
        strncmp(name, suggestion->typed, typed) == 0 ? 0 : edit_distance(suggestion->typed, name);
    if (distance > 1 + (int)length / 4 || (suggestion->name && distance >= suggestion->distance))
        return;
    suggestion->name = name;
    suggestion->distance = distance;
}
