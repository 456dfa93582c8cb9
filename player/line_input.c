#include "player/line_input.h"

bool nk_line_read(FILE *in, char text[NK_LINE_BYTES + 1], size_t *length)
{
    int c;
    size_t count = 0;
    while ((c = getc(in)) != EOF && c != '\n') {
        if (count < NK_LINE_BYTES)
            text[count] = (char)c;
        count += count <= NK_LINE_BYTES;
    }
    const bool any = c != EOF || count;
    while (count && count <= NK_LINE_BYTES && text[count - 1] == '\r')
        count--;
    text[count <= NK_LINE_BYTES ? count : NK_LINE_BYTES] = '\0';
    *length = count;
    return any;
}
