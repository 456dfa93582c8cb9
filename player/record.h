/* Writing the record of a game; include/neutreeko.h describes the format. */
#ifndef NK_RECORD_H
#define NK_RECORD_H

#include "player/game.h"

#include <stdio.h>

/* Writes the record of the game so far to a stream. NK_E_MEMORY; NK_E_WRITE if the stream failed. The caller checks
 * fflush or fclose, because the stream may still buffer the record. */
enum nk_status nk_record_write(const struct nk_game *game, FILE *stream, struct nk_error *error);

#endif
