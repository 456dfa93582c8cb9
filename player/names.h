/* Sides and values as people read them. */
#ifndef NK_NAMES_H
#define NK_NAMES_H

#include "common/table.h"

/* "Black" or "White". */
const char *nk_colour_name(enum nk_colour colour);

/* "win", "draw" or "loss". */
const char *nk_result_name(enum nk_result result);

#endif
