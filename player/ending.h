/* How a game ended, as people and programs read it. */
#ifndef NK_ENDING_H
#define NK_ENDING_H

#include "player/game.h"

/* Writes a sentence: "Black wins.", "White resigns: Black wins.", "A draw: the position has occurred three
 * times.", "A draw: White has no move.", "The game is not over: White is to move." */
enum { NK_END_TEXT = 64 };
void nk_end_words(const struct nk_game *game, char text[NK_END_TEXT]);

/* "none", "row", "repetition", "stuck" or "resigned". */
const char *nk_end_name(enum nk_end end);

#endif
