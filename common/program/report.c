#include "common/program/report.h"

#include "common/base/strbuf.h"
#include "common/system/system.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

/* ---- lines ---- */

int nk_count_columns(const char *text, size_t length)
{
    int columns = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\033')
            while (i + 1 < length && text[i] != 'm')
                i++;
        else
            columns += ((unsigned char)text[i] & 0xc0) != 0x80; /* not within a character of UTF-8 */
    }
    return columns;
}

void nk_strbuf_add_wrapped(struct nk_strbuf *out, int columns, int indent, const char *text)
{
    int column = 0;
    while (*text) {
        const int spaces = (int)strspn(text, " ");
        const int word = (int)strcspn(text + spaces, " \n");
        const int shown = nk_count_columns(text + spaces, (size_t)word);
        if (word && column && column + spaces + shown > columns) {
            nk_strbuf_add(out, "\n%*s%.*s", indent, "", word, text + spaces);
            column = indent + shown;
        } else {
            nk_strbuf_add(out, "%.*s", spaces + word, text);
            column += spaces + shown;
        }
        text += spaces + word;
        if (*text == '\n') {
            nk_strbuf_add(out, "\n");
            text++;
            column = 0;
        }
    }
}

/* ---- messages ---- */

enum { MESSAGE = 1000 }; /* bytes; a longer message is cut */

static void print_report(const char *name, const char *format, va_list arguments)
{
    char text[MESSAGE], line[2 * MESSAGE * (NK_ESCAPED - 1)], wrapped[sizeof line];
    const char *shown = line;
    struct nk_strbuf buffer = {line, sizeof line, 0}, lines = {wrapped, sizeof wrapped, 0};
    vsnprintf(text, sizeof text, format, arguments);
    nk_strbuf_add(&buffer, "%s: ", name);
    nk_strbuf_add_escaped(&buffer, text);
    if (nk_system_is_terminal(stderr)) {
        nk_strbuf_add_wrapped(&lines, nk_system_screen_size(stderr).columns, 0, line);
        shown = wrapped;
    }
    /* One call prints the whole message, so that those of several processes do not mix. */
    fprintf(stderr, "%s\n", shown);
}

void nk_report(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_report(name, format, arguments);
    va_end(arguments);
}

int nk_usage_error(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_report(name, format, arguments);
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
        nk_report(name, "cannot write standard output: %s", strerror(errno));
    reported = true;
    return false;
}

struct nk_text nk_quote(const char *text)
{
    static const char dots[] = "...";
    struct nk_text quoted = {.s = ""};
    char *end = quoted.s, *const most = quoted.s + sizeof quoted.s - sizeof dots;
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
    return quoted;
}

/* ---- numbers ---- */

struct nk_text nk_group_digits(uint64_t number)
{
    char digits[NK_NUMBER_TEXT];
    const int length = (int)(nk_put_number(digits, number) - digits);
    struct nk_text text = {0};
    char *out = text.s;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return text;
}

const char *nk_plural(uint64_t number)
{
    return number == 1 ? "" : "s";
}
