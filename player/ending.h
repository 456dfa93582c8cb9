/* How a game ended, as people and programs read it. */
#ifndef NK_ENDING_H
#define NK_ENDING_H

#include "player/game.h"

/* "none", "row", "repetition", "stuck" or "resigned". */
const char *nk_end_name(enum nk_end end);

#endif
