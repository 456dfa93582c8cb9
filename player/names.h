/* Sides and values as people read them. */
#ifndef NK_NAMES_H
#define NK_NAMES_H

#include "common/table.h"

/* "Black" or "White". */
const char *nk_colour_name(enum nk_colour colour);

/* Writes "wins in 13 plies", "draws" or "loses in 1 ply". */
enum { NK_VALUE_TEXT = 32 };
void nk_value_words(struct nk_value value, char text[NK_VALUE_TEXT]);

/* "win", "draw" or "loss". */
const char *nk_result_name(enum nk_result result);

#endif
