#include "player/line_input.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Reads ahead if no bytes are left. Returns false at the end of the input. */
static bool has_bytes(struct nk_line_input *in)
{
    if (in->begin < in->end || in->ended)
        return in->begin < in->end;
    ssize_t got;
    do
        got = read(in->file, in->bytes, sizeof in->bytes);
    while (got < 0 && errno == EINTR);
    in->begin = 0;
    in->end = got > 0 ? (size_t)got : 0;
    in->failed = got < 0;
    in->ended = got <= 0;
    return got > 0;
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
