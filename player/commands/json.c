#include "player/commands/json.h"

#include "common/notation.h"
#include "player/describe.h"

json_t *distance_json(struct nk_value value)
{
    return value.result == NK_DRAW ? json_null() : json_integer(value.plies);
}

json_t *value_json(struct nk_value value)
{
    return json_pack("{s:s, s:o}", "result", nk_result_name(value.result), "distance", distance_json(value));
}

const char *colour_json(enum nk_colour colour)
{
    return colour == NK_BLACK ? "black" : "white";
}

json_t *end_json(const struct nk_game *game)
{
    char position[NK_POSITION_TEXT];
    enum nk_colour winner = NK_BLACK;
    const enum nk_end end = nk_game_end(game, &winner);
    const bool won = end == NK_END_WON || end == NK_END_RESIGNED;
    nk_position_print(nk_game_rules(game), nk_game_position(game), nk_game_to_move(game), position);
    return json_pack("{s:s, s:s?, s:s}", "reason", nk_end_name(end), "winner",
                     won ? colour_json(winner) : NULL, "position", position);
}

void json_add(json_t **array, json_t *item)
{
    if (json_array_append_new(*array, item) == 0)
        return;
    json_decref(*array);
    *array = NULL;
}

bool print_json(json_t *object)
{
    const bool printed = object && json_dumpf(object, stdout, JSON_REAL_PRECISION(6)) == 0;
    if (printed)
        putchar('\n');
    else if (!ferror(stdout)) /* of which flush_output tells */
        fputs("neutreeko: out of memory\n", stderr);
    json_decref(object);
    return printed;
}
