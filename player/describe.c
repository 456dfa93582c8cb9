#include "player/describe.h"

#include "common/strbuf.h"

const char *nk_colour_key(enum nk_colour colour)
{
    return colour == NK_BLACK ? "black" : "white";
}

const char *nk_result_name(enum nk_result result)
{
    return result == NK_WIN ? "win" : result == NK_LOSS ? "loss" : "draw";
}

const char *nk_end_name(enum nk_end end)
{
    static const char *const names[] = {
        [NK_END_NONE] = "none",       [NK_END_WON] = "row",           [NK_END_REPETITION] = "repetition",
        [NK_END_STALEMATE] = "stuck", [NK_END_RESIGNED] = "resigned",
    };
    return names[end];
}

void nk_json_position(struct nk_json *json, const char *key, const struct nk_rules *rules,
                      struct nk_position position, enum nk_colour to_move)
{
    char text[NK_POSITION_TEXT];
    nk_position_print(rules, position, to_move, text);
    nk_json_string(json, key, text);
}

void nk_json_move(struct nk_json *json, const char *key, const struct nk_rules *rules, struct nk_move move)
{
    char text[NK_MOVE_TEXT];
    nk_move_print(rules, move, text);
    nk_json_string(json, key, text);
}

void nk_value_format(struct nk_value value, char text[NK_VALUE_TEXT])
{
    struct nk_strbuf buffer = {text, NK_VALUE_TEXT, 0};
    if (value.result == NK_DRAW)
        nk_strbuf_add(&buffer, "draws");
    else
        nk_strbuf_add(&buffer, "%s in %d %s", value.result == NK_WIN ? "wins" : "loses", value.plies,
                      value.plies == 1 ? "ply" : "plies");
}

void nk_end_format(const struct nk_game *game, char text[NK_END_TEXT])
{
    enum nk_colour winner = NK_BLACK;
    const enum nk_end end = nk_game_end(game, &winner);
    const char *to_move = nk_colour_name(nk_game_to_move(game));
    struct nk_strbuf buffer = {text, NK_END_TEXT, 0};
    switch (end) {
    case NK_END_WON:
        nk_strbuf_add(&buffer, "%s wins.", nk_colour_name(winner));
        break;
    case NK_END_RESIGNED:
        nk_strbuf_add(&buffer, "%s resigns: %s wins.", to_move, nk_colour_name(winner));
        break;
    case NK_END_REPETITION:
        nk_strbuf_add(&buffer, "Draw by threefold repetition.");
        break;
    case NK_END_STALEMATE:
        nk_strbuf_add(&buffer, "Draw: %s has no legal moves.", to_move);
        break;
    case NK_END_NONE:
        nk_strbuf_add(&buffer, "The game is not over: %s is to move.", to_move);
        break;
    }
}
