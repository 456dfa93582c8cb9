#include "player/display.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool nk_use_colour(FILE *stream)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    return isatty(fileno(stream)) && !(no_color && *no_color) && term && *term && strcmp(term, "dumb") != 0;
}

enum paint { PAINT_EMPTY, PAINT_BLACK, PAINT_WHITE, PAINT_LAST };

static void put_painted(FILE *stream, char c, enum paint paint, bool colour)
{
    static const char *const codes[] = {
        [PAINT_EMPTY] = "2", [PAINT_BLACK] = "1;31", [PAINT_WHITE] = "1;36", [PAINT_LAST] = "1;33"};
    if (colour)
        fprintf(stream, "\033[%sm%c\033[0m", codes[paint], c);
    else
        fputc(c, stream);
}

void nk_show_board(FILE *stream, const struct nk_rules *rules, struct nk_position position,
                   enum nk_colour to_move, struct nk_look look)
{
    const uint64_t black = to_move == NK_BLACK ? position.mover : position.other;
    const uint64_t white = to_move == NK_BLACK ? position.other : position.mover;
    const uint64_t from = look.last ? nk_bit(look.last->from) : 0;
    const uint64_t to = look.last ? nk_bit(look.last->to) : 0;
    for (int y = rules->height - 1; y >= 0; y--) {
        const int rank = look.flip ? rules->height - 1 - y : y;
        bool marked = false; /* the previous square is where the last move ended */
        fputs((const char[]){' ', (char)('1' + rank), ' ', '\0'}, stream);
        for (int x = 0; x < rules->width; x++) {
            const uint64_t square = nk_bit(rules->width * rank + (look.flip ? rules->width - 1 - x : x));
            if (marked || square == to)
                put_painted(stream, marked ? ']' : '[', PAINT_LAST, look.colour);
            else
                fputc(' ', stream);
            marked = square == to;
            if (black & square)
                put_painted(stream, 'b', PAINT_BLACK, look.colour);
            else if (white & square)
                put_painted(stream, 'w', PAINT_WHITE, look.colour);
            else if (square == from)
                put_painted(stream, '+', PAINT_LAST, look.colour);
            else
                put_painted(stream, '.', PAINT_EMPTY, look.colour);
        }
        if (marked)
            put_painted(stream, ']', PAINT_LAST, look.colour);
        fputc('\n', stream);
    }
    fputs("   ", stream);
    for (int x = 0; x < rules->width; x++)
        fputs((const char[]){' ', (char)('a' + (look.flip ? rules->width - 1 - x : x)), '\0'}, stream);
    fputc('\n', stream);
}
