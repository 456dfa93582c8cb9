/* Values and games in JSON, for the commands that print it. */
#ifndef NK_COMMANDS_JSON_H
#define NK_COMMANDS_JSON_H

#include "common/json_stdout.h"
#include "common/table.h"
#include "player/describe.h"

/* Adds "result" and "distance" to an object: "win", 13. The distance is in plies, null for a draw. */
void json_add_value(struct nk_json *json, struct nk_value value);

/* Adds "reason", "winner" and "position" to an object: nk_end_name; null where nobody has won; the position in
 * which the game has ended. */
void json_add_end(struct nk_json *json, const struct nk_game *game);

#endif
