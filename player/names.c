#include "player/names.h"

#include "common/strbuf.h"

const char *nk_colour_name(enum nk_colour colour)
{
    return colour == NK_BLACK ? "Black" : "White";
}

void nk_value_format(struct nk_value value, char text[NK_VALUE_TEXT])
{
    struct nk_strbuf words = {text, NK_VALUE_TEXT, 0};
    if (value.result == NK_DRAW)
        nk_strbuf_add(&words, "draws");
    else
        nk_strbuf_add(&words, "%s in %d %s", value.result == NK_WIN ? "wins" : "loses", value.plies,
                      value.plies == 1 ? "ply" : "plies");
}

const char *nk_result_name(enum nk_result result)
{
    return result == NK_WIN ? "win" : result == NK_LOSS ? "loss" : "draw";
}
