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

void nk_show_board(FILE *stream, const struct nk_rules *rules, struct nk_position position,
                   enum nk_colour to_move, bool colour)
{
    const uint64_t black = to_move == NK_BLACK ? position.mover : position.other;
    for (int rank = rules->height - 1; rank >= 0; rank--) {
        fprintf(stream, " %d ", rank + 1);
        for (int file = 0; file < rules->width; file++) {
            const uint64_t bit = nk_bit(file + rules->width * rank);
            if (!((position.mover | position.other) & bit))
                fputs(colour ? " \033[2m.\033[0m" : " .", stream);
            else if (black & bit)
                fputs(colour ? " \033[1;31mb\033[0m" : " b", stream);
            else
                fputs(colour ? " \033[1;36mw\033[0m" : " w", stream);
        }
        fputc('\n', stream);
    }
    fputs("   ", stream);
    for (int file = 0; file < rules->width; file++)
        fprintf(stream, " %c", 'a' + file);
    fputc('\n', stream);
}

const char *nk_colour_name(enum nk_colour colour)
{
    return colour == NK_BLACK ? "Black" : "White";
}

void nk_value_words(struct nk_value value, char text[NK_VALUE_TEXT])
{
    if (value.result == NK_DRAW)
        snprintf(text, NK_VALUE_TEXT, "draws");
    else
        snprintf(text, NK_VALUE_TEXT, "%s in %d %s", value.result == NK_WIN ? "wins" : "loses", value.plies,
                 value.plies == 1 ? "ply" : "plies");
}

const char *nk_result_name(enum nk_result result)
{
    return result == NK_WIN ? "win" : result == NK_LOSS ? "loss" : "draw";
}
