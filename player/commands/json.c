#include "player/commands/json.h"

#include "player/describe.h"

void json_add_value(struct nk_json *json, struct nk_value value)
{
    nk_json_string(json, "result", nk_result_name(value.result));
    if (value.result == NK_DRAW)
        nk_json_null(json, "distance");
    else
        nk_json_integer(json, "distance", value.plies);
}

void json_add_position(struct nk_json *json, const char *key, const struct nk_rules *rules,
                       struct nk_position position, enum nk_colour to_move)
{
    char text[NK_POSITION_TEXT];
    nk_position_print(rules, position, to_move, text);
    nk_json_string(json, key, text);
}

void json_add_move(struct nk_json *json, const char *key, const struct nk_rules *rules, struct nk_move move)
{
    char text[NK_MOVE_TEXT];
    nk_move_print(rules, move, text);
    nk_json_string(json, key, text);
}

const char *colour_json(enum nk_colour colour)
{
    return colour == NK_BLACK ? "black" : "white";
}

void json_add_end(struct nk_json *json, const struct nk_game *game)
{
    enum nk_colour winner = NK_BLACK;
    const enum nk_end end = nk_game_end(game, &winner);
    const bool won = end == NK_END_WON || end == NK_END_RESIGNED;
    nk_json_string(json, "reason", nk_end_name(end));
    nk_json_string(json, "winner", won ? colour_json(winner) : NULL);
    json_add_position(json, "position", nk_game_rules(game), nk_game_position(game), nk_game_to_move(game));
}
