#include "common/program/report.h"

#include "common/base/strbuf.h"
#include "common/system/system.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

/* ---- messages ---- */

enum { MESSAGE = 1000 }; /* bytes; a longer message is cut */

/* Replaces spaces by line ends so that words are not broken at the edge of a terminal, unless they are longer than its
 * lines. */
static void break_lines(char *text, int columns)
{
    int column = 0; /* where a word begins */
    char *space = NULL;
    for (char *word = text; *word;) {
        const size_t length = strcspn(word, " ");
        int width = 0;
        for (size_t i = 0; i < length; i++)
            width += ((unsigned char)word[i] & 0xc0) != 0x80; /* the first byte of a character */
        if (space && column + width > columns) {
            *space = '\n';
            column = 0;
        }
        column += width + 1;
        space = word[length] ? word + length : NULL;
        word += length + (space != NULL);
    }
}

static void print_report(const char *name, const char *format, va_list arguments)
{
    char text[MESSAGE], line[2 * MESSAGE * (NK_ESCAPED - 1)];
    struct nk_strbuf buffer = {line, sizeof line, 0};
    vsnprintf(text, sizeof text, format, arguments);
    nk_strbuf_add(&buffer, "%s: ", name);
    nk_strbuf_add_escaped(&buffer, text);
    if (nk_system_is_terminal(stderr))
        break_lines(line, nk_system_screen_size(stderr).columns);
    /* One call prints the whole message, so that those of several processes do not mix. */
    fprintf(stderr, "%s\n", line);
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
