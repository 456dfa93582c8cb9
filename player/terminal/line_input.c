#include "player/terminal/line_input.h"

#include "common/base/chars.h"
#include "common/system/system.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Reads bytes after those that have been read ahead. There is room. */
static void read_more(struct nk_line_input *in)
{
    ssize_t got;
    do
        got = read(in->file, in->bytes + in->end, (unsigned)(sizeof in->bytes - in->end));
    while (got < 0 && errno == EINTR);
    in->end += got > 0 ? (size_t)got : 0;
    in->failed = got < 0 ? errno : 0;
    in->ended = got <= 0;
}

/* Reads ahead if no bytes are left. Returns false at the end of the input. */
static bool has_bytes(struct nk_line_input *in)
{
    if (in->begin == in->end && !in->ended) {
        in->begin = in->end = 0;
        read_more(in);
    }
    return in->begin < in->end;
}

void nk_line_read_ahead(struct nk_line_input *in)
{
    memmove(in->bytes, in->bytes + in->begin, in->end - in->begin);
    in->end -= in->begin;
    in->begin = 0;
    if (!in->ended && in->end < sizeof in->bytes && nk_system_has_input(in->file))
        read_more(in);
}

bool nk_line_is_ahead(const struct nk_line_input *in, const char *word)
{
    const char *line = in->bytes + in->begin, *const end = in->bytes + in->end, *next;
    for (; line < end; line = next + 1) {
        next = memchr(line, '\n', (size_t)(end - line));
        if (!next)
            return false;
        const char *last = next;
        while (line < last && nk_is_blank(*line))
            line++;
        while (line < last && (nk_is_blank(last[-1]) || nk_is_line_end(last[-1])))
            last--;
        if ((size_t)(last - line) == strlen(word) && memcmp(line, word, strlen(word)) == 0)
            return true;
    }
    return false;
}

static const char *find_newline(const struct nk_line_input *in)
{
    return memchr(in->bytes + in->begin, '\n', in->end - in->begin);
}

bool nk_line_is_ready(const struct nk_line_input *in)
{
    return find_newline(in);
}

bool nk_line_read(struct nk_line_input *in)
{
    size_t count = 0;
    bool is_long = false, any = false;
    const char *newline = NULL;
    while (!newline && has_bytes(in)) {
        const char *bytes = in->bytes + in->begin;
        newline = find_newline(in);
        const size_t more = newline ? (size_t)(newline - bytes) : in->end - in->begin;
        const size_t kept = more <= NK_LINE_BYTES - count ? more : NK_LINE_BYTES - count;
        memcpy(in->text + count, bytes, kept);
        count += kept;
        is_long |= kept < more;
        in->begin += more + (newline != NULL);
        any = true;
    }
    while (!is_long && count && in->text[count - 1] == '\r')
        count--;
    in->text[count] = '\0';
    in->length = count + is_long;
    return any;
}
