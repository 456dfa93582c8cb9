#include "strbuf.h"

#include <string.h>

static void append(struct nk_strbuf *text, const char *piece, size_t length)
{
    if (text->length + 1 < text->size) {
        const size_t room = text->size - 1 - text->length;
        memcpy(text->bytes + text->length, piece, length < room ? length : room);
    }
    text->length += length;
}

static void append_number(struct nk_strbuf *text, unsigned long long value)
{
    char digits[20];
    size_t first = sizeof digits;
    do
        digits[--first] = (char)('0' + value % 10);
    while (value /= 10);
    append(text, digits + first, sizeof digits - first);
}

void nk_strbuf_add_list(struct nk_strbuf *text, const char *format, va_list arguments)
{
    for (const char *f = format; *f; f++) {
        const char *literal = f;
        while (*f && *f != '%')
            f++;
        append(text, literal, (size_t)(f - literal));
        if (!*f)
            break;
        switch (*++f) {
        case 's': {
            const char *s = va_arg(arguments, const char *);
            append(text, s, strlen(s));
            break;
        }
        case 'c': {
            const char c = (char)va_arg(arguments, int);
            append(text, &c, 1);
            break;
        }
        case 'd': {
            const int d = va_arg(arguments, int);
            if (d < 0)
                append(text, "-", 1);
            append_number(text, d < 0 ? -(unsigned long long)d : (unsigned long long)d);
            break;
        }
        case 'u':
            append_number(text, va_arg(arguments, unsigned));
            break;
        case 'z': /* zu */
            f++;
            append_number(text, va_arg(arguments, size_t));
            break;
        case 'l': /* lu or llu */
            if (*++f == 'u') {
                append_number(text, va_arg(arguments, unsigned long));
            } else {
                f++;
                append_number(text, va_arg(arguments, unsigned long long));
            }
            break;
        default:
            append(text, f, 1);
        }
    }
    if (text->size)
        text->bytes[text->length < text->size ? text->length : text->size - 1] = '\0';
}

void nk_strbuf_add(struct nk_strbuf *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    nk_strbuf_add_list(text, format, arguments);
    va_end(arguments);
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
