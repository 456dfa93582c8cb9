#include "common/base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>

void nk_strbuf_add_list(struct nk_strbuf *text, const char *format, va_list arguments)
{
    const bool has_room = text->length < text->size;
    char *end = has_room ? text->bytes + text->length : NULL;
    const int length = vsnprintf(end, has_room ? text->size - text->length : 0, format, arguments);
    if (length > 0)
        text->length += (size_t)length;
}

void nk_strbuf_add(struct nk_strbuf *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    nk_strbuf_add_list(text, format, arguments);
    va_end(arguments);
}

struct nk_text nk_text_of(const char *format, ...)
{
    struct nk_text text = {""};
    va_list arguments;
    va_start(arguments, format);
    nk_strbuf_add_list(&(struct nk_strbuf){text.s, sizeof text.s, 0}, format, arguments);
    va_end(arguments);
    return text;
}

/* The second byte shows whether a sequence is overlong, a surrogate or above U+10FFFF. */
size_t nk_utf8_length(const char *bytes)
{
    const unsigned char *text = (const unsigned char *)bytes;
    const unsigned first = text[0];
    const size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (!length || text[1] < least || text[1] > most)
        return 0;
    for (size_t i = 2; i < length; i++)
        if (text[i] < 0x80 || text[i] > 0xbf)
            return 0;
    return length;
}

size_t nk_visible_length(const char *text)
{
    const unsigned char first = (unsigned char)text[0], second = (unsigned char)text[first != '\0'];
    if (first < 0x80)
        return first >= ' ' && first != 0x7f;
    return first == 0xc2 && second < 0xa0 ? 0 : nk_utf8_length(text);
}

const char *nk_escape_first(const char *text, char escaped[NK_ESCAPED])
{
    static const char digits[] = "0123456789ABCDEF";
    const unsigned char first = (unsigned char)*text;
    const size_t length = nk_visible_length(text);
    if (length) {
        memcpy(escaped, text, length);
        escaped[length] = '\0';
        return text + length;
    }
    memcpy(escaped, (const char[NK_ESCAPED]){'\\', 'x', digits[first >> 4], digits[first & 15], '\0'},
           NK_ESCAPED);
    return text + 1;
}

const char *nk_replace_first(const char *text, char replaced[NK_ESCAPED])
{
    const size_t length = nk_visible_length(text);
    memcpy(replaced, length ? text : NK_REPLACEMENT, length ? length : sizeof NK_REPLACEMENT - 1);
    replaced[length ? length : sizeof NK_REPLACEMENT - 1] = '\0';
    return text + (length ? length : 1);
}

void nk_strbuf_add_escaped(struct nk_strbuf *text, const char *outside)
{
    char escaped[NK_ESCAPED] = "";
    while (*outside) {
        size_t visible = 0; /* which are added at once: to format each character takes long */
        for (size_t length; (length = nk_visible_length(outside + visible));)
            visible += length;
        nk_strbuf_add(text, "%.*s", (int)visible, outside);
        if (!*(outside += visible))
            return;
        outside = nk_escape_first(outside, escaped);
        nk_strbuf_add(text, "%s", escaped);
    }
}

bool nk_grow(char **text, size_t *room, size_t needed)
{
    if (needed <= *room)
        return true;
    const size_t wanted = needed < 2 * *room ? 2 * *room : needed;
    char *grown = realloc(*text, wanted);
    if (!grown)
        return false;
    *text = grown;
    *room = wanted;
    return true;
}
