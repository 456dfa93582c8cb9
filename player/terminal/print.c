#include "player/terminal/print.h"

#include "common/program/report.h"
#include "common/system/system.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The columns of a terminal; INT_MAX for any other stream. */
static int width(FILE *stream)
{
    return nk_system_is_terminal(stream) ? nk_system_screen_size(stream).columns : INT_MAX;
}

void terminal_print(FILE *stream, int indent, const char *text)
{
    const int columns = width(stream), most = columns / 2;
    struct nk_strbuf lines = {NULL, 0, 0};
    char *wrapped = NULL;
    if (indent > most)
        indent = most;
    if (columns < INT_MAX) {
        nk_strbuf_add_wrapped(&lines, columns, indent, text);
        wrapped = malloc(lines.length + 1);
    }
    if (wrapped)
        nk_strbuf_add_wrapped(&(struct nk_strbuf){wrapped, lines.length + 1, 0}, columns, indent, text);
    fputs(wrapped ? wrapped : text, stream);
    free(wrapped);
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
        const int columns = nk_count_columns(text, strlen(text));
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
                   last ? 0 : widest - nk_count_columns(text, strlen(text)), "");
            if (last)
                putchar('\n');
        }
}
