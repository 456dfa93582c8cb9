/* Values and games in JSON, for the commands that print it. */
#ifndef NK_VALUES_H
#define NK_VALUES_H

#include "common/table.h"
#include "player/game.h"

#include <jansson.h>

/* The distance as a number of plies, null for a draw. NULL when memory runs out, as all of these. */
json_t *distance_json(struct nk_value value);

/* {"result": "win", "distance": 13} */
json_t *value_json(struct nk_value value);

/* {"reason": "row", "winner": "black", "position": "..."}: nk_end_name; null where nobody has won; where the
 * game stands. */
json_t *end_json(const struct nk_game *game);

/* "black" or "white". */
const char *colour_json(enum nk_colour colour);

/* Prints the object in a line of its own and lets go of it. False for NULL, and when it cannot be printed. */
bool print_json(json_t *object);

#endif
