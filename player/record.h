/* A game as text:
 *
 *     # A hash sign begins a comment, here or after other words.
 *     start 1w1w1/2b2/5/2w2/1b1b1 b
 *     1. b1-c1 b5-c5
 *     2. c4-a2 resign
 *
 * The line `start` may be missing when the game began from the board's own start position. Then come the
 * moves, Black's and White's in turn, in any notation of nk_move_parse, between blanks or line ends; move
 * numbers such as `1.` are skipped, whatever they count. `resign` says that the side to move gave up.
 */
#ifndef NK_RECORD_H
#define NK_RECORD_H

#include "player/game.h"

#include <stdio.h>

/* Reads the `length` bytes of a record. NK_E_SYNTAX, NK_E_POSITION, NK_E_MOVE or NK_E_MEMORY; then *error
 * (may be NULL) tells the line and the character in its text and, for a move, which one it is and why it
 * cannot be played; error->at is the character counted from the beginning of the record. The caller hands the
 * game to nk_game_free. */
enum nk_status nk_record_read(const char *text, size_t length, const struct nk_rules *rules,
                              struct nk_game **game, struct nk_error *error);

/* The game so far as a record, its end in a comment. The caller frees it. NULL when memory runs out. */
char *nk_record_text(const struct nk_game *game);

/* Writes the same to a stream. NK_E_WRITE when the stream has failed; what the stream still holds back is for
 * the caller's fflush or fclose to check. NK_E_MEMORY. */
enum nk_status nk_record_write(const struct nk_game *game, FILE *stream, struct nk_error *error);

#endif
