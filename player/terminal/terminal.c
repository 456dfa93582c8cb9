#include "player/terminal/terminal.h"

#include "common/base/chars.h"
#include "common/base/strbuf.h"
#include "common/system/system.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

void terminal_add_word(struct terminal_words *found, const char *word, const char *end)
{
    found->too_many |= found->count == TERMINAL_MAX_WORDS;
    if (!found->too_many)
        snprintf(found->words[found->count++], TERMINAL_WORD, "%s%s", word, end);
}

/* ---- reading ---- */

void terminal_clean(char *line)
{
    const char *begin = line + nk_byte_order_mark_length(line, strlen(line));
    begin += strspn(begin, NK_BLANKS NK_LINE_ENDS);
    size_t length = strlen(begin);
    while (length && (nk_is_blank(begin[length - 1]) || nk_is_line_end(begin[length - 1])))
        length--;
    memmove(line, begin, length);
    line[length] = '\0';
    for (char *c = line; *c; c++)
        if (*c == '\t')
            *c = ' ';
}

/* Whether the stream is a device, as a disconnected terminal still is although isatty denies it. */
static bool is_device(FILE *stream)
{
    struct stat about = {0};
    fstat(fileno(stream), &about);
    return S_ISCHR(about.st_mode);
}

enum nk_status terminal_read_input(char buffer[TERMINAL_LINE], const char **line, struct nk_error *error)
{
    size_t length = 0;
    int c;
    *line = NULL;
    while ((c = getc(stdin)) != EOF && c != '\n') {
        static const char zero[] = "\\x00"; /* as messages print it */
        if (length >= TERMINAL_LINE - sizeof zero)
            buffer[length - 1] = '?';
        else if (c)
            buffer[length++] = (char)c;
        else
            length = (size_t)(nk_put_text(buffer + length, zero) - buffer);
    }
    if (c == EOF && ferror(stdin) && (errno != EIO || !is_device(stdin)))
        return nk_fail(error, NK_E_READ, 0, "cannot read standard input: %s", strerror(errno));
    if (c == EOF && (ferror(stdin) || !length))
        return NK_OK;
    buffer[length] = '\0';
    terminal_clean(buffer);
    *line = buffer;
    return NK_OK;
}

/* ---- printing ---- */

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
