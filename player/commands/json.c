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

void json_add_end(struct nk_json *json, const struct nk_game *game)
{
    enum nk_colour winner = NK_BLACK;
    const enum nk_end end = nk_game_end(game, &winner);
    const bool won = end == NK_END_WON || end == NK_END_RESIGNED;
    nk_json_string(json, "reason", nk_end_name(end));
    nk_json_string(json, "winner", won ? nk_colour_key(winner) : NULL);
    nk_json_position(json, "position", nk_game_rules(game), nk_game_position(game), nk_game_to_move(game));
}
