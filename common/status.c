#include "status.h"

#include <stdarg.h>
#include <string.h>

/* snprintf would do, but the WebAssembly build must not import anything, and snprintf brings stdio with it.
 */

static size_t append(char *text, size_t used, size_t size, const char *piece, size_t length)
{
    size_t room = size - 1 - used;
    if (length > room)
        length = room;
    memcpy(text + used, piece, length);
    return used + length;
}

static size_t append_number(char *text, size_t used, size_t size, unsigned long long value)
{
    char digits[20];
    size_t first = sizeof digits;
    do
        digits[--first] = (char)('0' + value % 10);
    while (value /= 10);
    return append(text, used, size, digits + first, sizeof digits - first);
}

enum nk_status nk_fail(struct nk_error *error, enum nk_status status, size_t at, const char *format, ...)
{
    if (!error)
        return status;
    error->status = status;
    error->at = at;
    size_t used = 0;
    const size_t size = sizeof error->text;
    va_list arguments;
    va_start(arguments, format);
    for (const char *f = format; *f; f++) {
        if (*f != '%') {
            used = append(error->text, used, size, f, 1);
            continue;
        }
        switch (*++f) {
        case 's': {
            const char *s = va_arg(arguments, const char *);
            used = append(error->text, used, size, s, strlen(s));
            break;
        }
        case 'f': {
            const size_t most = 100;
            const char *name = va_arg(arguments, const char *);
            const size_t length = strlen(name);
            if (length > most)
                used = append(error->text, used, size, "...", 3);
            const char *shown = length > most ? name + length - most : name;
            used = append(error->text, used, size, shown, strlen(shown));
            break;
        }
        case 'c': {
            char c = (char)va_arg(arguments, int);
            used = append(error->text, used, size, &c, 1);
            break;
        }
        case 'd': {
            int d = va_arg(arguments, int);
            if (d < 0)
                used = append(error->text, used, size, "-", 1);
            used = append_number(error->text, used, size,
                                 d < 0 ? -(unsigned long long)d : (unsigned long long)d);
            break;
        }
        case 'u':
            used = append_number(error->text, used, size, va_arg(arguments, unsigned long long));
            break;
        default:
            used = append(error->text, used, size, f, 1);
        }
    }
    va_end(arguments);
    error->text[used] = '\0';
    return status;
}
