/* Positions as people write them: the one reader for arguments, options and lines of a file.
 *
 * A text is "[POSITION] [MOVE]...": a position, moves, or moves that are played from the position. A position is in the
 * notation of nk_position_parse or a fair start: `fair:N` is number N, `fair` a random one. Blanks, a byte order mark
 * at the beginning, and a comment from '#' on are skipped. */
#ifndef NK_POSITION_TEXT_H
#define NK_POSITION_TEXT_H

#include "common/table/table.h"

/* Whether a text contains nothing but what is skipped. */
bool nk_position_text_is_blank(const char *text);

/* Whether a text begins with a move, which is played from a position before the text. */
bool nk_position_text_begins_with_move(const struct nk_rules *rules, const char *text);

/* What a random fair start is chosen with. */
struct nk_fair_choice {
    uint64_t random; /* the state of nk_random */
    uint64_t number; /* of the one that was chosen last; 0 before */
};

/* Reads a text. *position and *to_move are the result; a text that begins with a move continues from what they are
 * before. Errors: NK_E_SYNTAX and NK_E_POSITION as nk_position_parse, NK_E_MOVE for an illegal move, which the
 * message names, and those of nk_fair_start. */
enum nk_status nk_position_text_read(struct nk_table *table, const char *text, struct nk_fair_choice *fair,
                                     struct nk_position *position, enum nk_colour *to_move,
                                     struct nk_error *error);

#endif
