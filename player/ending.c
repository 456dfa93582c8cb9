#include "player/ending.h"

#include "common/strbuf.h"
#include "player/names.h"

void nk_end_format(const struct nk_game *game, char text[NK_END_TEXT])
{
    enum nk_colour winner = NK_BLACK;
    const enum nk_end end = nk_game_end(game, &winner);
    const char *mover = nk_colour_name(nk_game_to_move(game));
    struct nk_strbuf words = {text, NK_END_TEXT, 0};
    switch (end) {
    case NK_END_WON:
        nk_strbuf_add(&words, "%s wins.", nk_colour_name(winner));
        break;
    case NK_END_RESIGNED:
        nk_strbuf_add(&words, "%s resigns: %s wins.", mover, nk_colour_name(winner));
        break;
    case NK_END_REPETITION:
        nk_strbuf_add(&words, "A draw: the position has occurred three times.");
        break;
    case NK_END_STALEMATE:
        nk_strbuf_add(&words, "A draw: %s has no move.", mover);
        break;
    case NK_END_NONE:
        nk_strbuf_add(&words, "The game is not over: %s is to move.", mover);
        break;
    }
}

const char *nk_end_name(enum nk_end end)
{
    static const char *const names[] = {
        [NK_END_NONE] = "none",       [NK_END_WON] = "row",           [NK_END_REPETITION] = "repetition",
        [NK_END_STALEMATE] = "stuck", [NK_END_RESIGNED] = "resigned",
    };
    return names[end];
}
