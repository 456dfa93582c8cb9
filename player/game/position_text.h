/* Positions as people write them: the one reader for arguments, options and lines of a file.
 *
 * A text is "[POSITION] [MOVE]...": a position in the notation of nk_position_parse, moves, or moves that are played
 * from the position. Blanks, a byte order mark at the beginning, and a comment from '#' on are skipped. */
#ifndef NK_POSITION_TEXT_H
#define NK_POSITION_TEXT_H

#include "common/game/position.h"

/* Whether a text contains nothing but what is skipped. */
bool nk_position_text_is_blank(const char *text);

/* Whether a text begins with a move, which is played from a position before the text. */
bool nk_position_text_begins_with_move(const struct nk_rules *rules, const char *text);

/* Reads a text. *position and *to_move are the result; a text that begins with a move continues from what they are
 * before. Errors: NK_E_SYNTAX and NK_E_POSITION as nk_position_parse, and NK_E_MOVE for an illegal move, which the
 * message names. */
enum nk_status nk_position_text_read(const struct nk_rules *rules, const char *text,
                                     struct nk_position *position, enum nk_colour *to_move,
                                     struct nk_error *error);

#endif
