#include "player/terminal/print.h"

#include "common/system/system.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

/* The columns of a terminal; INT_MAX for any other stream. */
static int width(FILE *stream)
{
    return nk_system_is_terminal(stream) ? nk_system_screen_size(stream).columns : INT_MAX;
}

/* The columns that the first `length` bytes of a text take up: none for the escape sequences of colours. */
static int count_columns(const char *text, size_t length)
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

void terminal_print(FILE *stream, int indent, const char *text)
{
    const int columns = width(stream);
    int column = 0;
    if (columns == INT_MAX) {
        fputs(text, stream);
        return;
    }
    if (indent > columns / 2)
        indent = columns / 2;
    while (*text) {
        const int spaces = (int)strspn(text, " ");
        const int word = (int)strcspn(text + spaces, " \n");
        const int shown = count_columns(text + spaces, (size_t)word);
        if (word && column && column + spaces + shown > columns) {
            fprintf(stream, "\n%*s%.*s", indent, "", word, text + spaces);
            column = indent + shown;
        } else {
            fprintf(stream, "%.*s", spaces + word, text);
            column += spaces + shown;
        }
        text += spaces + word;
        if (*text == '\n') {
            putc(*text++, stream);
            column = 0;
        }
    }
}

void terminal_printf(int indent, const char *format, ...)
{
    static char text[1 << 15]; /* a path may be long */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    terminal_print(stdout, indent, text);
}

void terminal_print_columns(const char *texts, size_t size, int count)
{
    enum { MARGIN = 2, GAP = 3 };
    int widest = 1;
    for (int t = 0; t < count; t++) {
        const char *text = texts + (size_t)t * size;
        const int columns = count_columns(text, strlen(text));
        widest = columns > widest ? columns : widest;
    }
    int across = nk_system_is_terminal(stdout) ? (width(stdout) - MARGIN + GAP) / (widest + GAP) : 1;
    if (across < 1)
        across = 1;
    const int down = (count + across - 1) / across;
    for (int y = 0; y < down; y++)
        for (int t = y; t < count; t += down) {
            const bool last = t + down >= count;
            const char *text = texts + (size_t)t * size;
            printf("%*s%s%*s", t == y ? MARGIN : GAP, "", text,
                   last ? 0 : widest - count_columns(text, strlen(text)), "");
            if (last)
                putchar('\n');
        }
}
