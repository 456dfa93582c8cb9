/* Sides, results and ends of games as text and in JSON. nk_value_text and nk_end_text are declared in
 * neutreeko.h. */
#ifndef NK_DESCRIBE_H
#define NK_DESCRIBE_H

#include "common/base/json_writer.h"
#include "common/game/game.h"

/* "black" or "white", as in JSON output. */
const char *nk_colour_key(enum nk_colour colour);

/* "win", "draw" or "loss". */
const char *nk_result_name(enum nk_result result);

/* "none", "won", "repetition", "stalemate" or "resigned": the names in JSON output. */
const char *nk_end_name(enum nk_end end);

/* "", "?" or "??". */
const char *nk_mark_text(enum nk_mark mark);

/* Add a position or a move as a string to an object, or to an array with NULL for the key. */
void nk_json_position(struct nk_json *json, const char *key, const struct nk_rules *rules,
                      struct nk_position position, enum nk_colour to_move);
void nk_json_move(struct nk_json *json, const char *key, const struct nk_rules *rules, struct nk_move move);

#endif
