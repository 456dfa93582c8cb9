/* The four-character protocol of neutreeko engine. */
#ifndef NK_FOUR_CHARACTER_H
#define NK_FOUR_CHARACTER_H

#include "common/table/table.h"

/* Plays one game by the four-character protocol from the start, perfectly, with this program on the side `own`. Returns
 * the exit status. */
int four_character_play(struct nk_table *table, enum nk_colour own);

#endif
