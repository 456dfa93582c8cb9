/* Values and games in JSON, for the commands that print it. */
#ifndef NK_COMMANDS_JSON_H
#define NK_COMMANDS_JSON_H

#include "common/json_stdout.h"
#include "common/table.h"
#include "player/game.h"

/* Adds "result" and "distance" to an object: "win", 13. The distance is in plies, null for a draw. */
void json_add_value(struct nk_json *json, struct nk_value value);

/* Adds "reason", "winner" and "position" to an object: nk_end_name; null where nobody has won; the position in
 * which the game has ended. */
void json_add_end(struct nk_json *json, const struct nk_game *game);

/* Adds a position or a move as a string. */
void json_add_position(struct nk_json *json, const char *key, const struct nk_rules *rules,
                       struct nk_position position, enum nk_colour to_move);
void json_add_move(struct nk_json *json, const char *key, const struct nk_rules *rules, struct nk_move move);

/* "black" or "white". */
const char *colour_json(enum nk_colour colour);

#endif
