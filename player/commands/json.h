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

/* Adds an item, which may be NULL, and takes it over. When that fails *array, too, becomes NULL, so that no
 * array lacks an item unnoticed. */
void json_add(json_t **array, json_t *item);

/* Prints the object in a line of its own and lets go of it. False after a complaint, for NULL too; of an
 * output that cannot be written to flush_output tells. */
bool print_json(json_t *object);

#endif
