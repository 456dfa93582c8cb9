#include "player/ending.h"

#include "player/display.h"

#include <stdio.h>

void nk_end_words(const struct nk_game *game, char text[NK_END_TEXT])
{
    enum nk_colour winner = NK_BLACK;
    const enum nk_end end = nk_game_end(game, &winner);
    const char *mover = nk_colour_name(nk_game_to_move(game));
    switch (end) {
    case NK_END_ROW:
        snprintf(text, NK_END_TEXT, "%s wins.", nk_colour_name(winner));
        break;
    case NK_END_RESIGNED:
        snprintf(text, NK_END_TEXT, "%s resigns: %s wins.", mover, nk_colour_name(winner));
        break;
    case NK_END_REPETITION:
        snprintf(text, NK_END_TEXT, "A draw: the position has occurred three times.");
        break;
    case NK_END_STUCK:
        snprintf(text, NK_END_TEXT, "A draw: %s has no move.", mover);
        break;
    case NK_END_NONE:
        snprintf(text, NK_END_TEXT, "The game is not over: %s is to move.", mover);
        break;
    }
}

const char *nk_end_name(enum nk_end end)
{
    static const char *const names[] = {
        [NK_END_NONE] = "none",   [NK_END_ROW] = "row",           [NK_END_REPETITION] = "repetition",
        [NK_END_STUCK] = "stuck", [NK_END_RESIGNED] = "resigned",
    };
    return names[end];
}
