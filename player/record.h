/* A game as text: include/neutreeko.h tells the form. */
#ifndef NK_RECORD_H
#define NK_RECORD_H

#include "player/game.h"

#include <stdio.h>

/* Writes the record of the game so far to a stream. NK_E_WRITE when the stream has failed; what the stream
 * still holds back is for the caller's fflush or fclose to check. NK_E_MEMORY. */
enum nk_status nk_record_write(const struct nk_game *game, FILE *stream, struct nk_error *error);

#endif
