/* Sides, results and ends of games as text. nk_value_format and nk_end_format are declared in neutreeko.h. */
#ifndef NK_DESCRIBE_H
#define NK_DESCRIBE_H

#include "player/game.h"

/* "Black" or "White". */
const char *nk_colour_name(enum nk_colour colour);

/* "win", "draw" or "loss". */
const char *nk_result_name(enum nk_result result);

/* "none", "row", "repetition", "stuck" or "resigned": the names in JSON output. */
const char *nk_end_name(enum nk_end end);

#endif
