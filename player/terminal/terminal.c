#include "player/terminal/terminal.h"

#include "common/base/chars.h"
#include "common/base/strbuf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void terminal_add_word(struct terminal_words *found, const char *word, const char *end)
{
    found->too_many |= found->count == TERMINAL_MAX_WORDS;
    if (!found->too_many)
        snprintf(found->words[found->count++], TERMINAL_WORD, "%s%s", word, end);
}

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
