/* What is known of a position: for neutreeko query and its pictures. */
#ifndef NK_ANSWER_H
#define NK_ANSWER_H

#include "common/table/table.h"

/* A position, its result, and its moves, best first. */
struct answer {
    struct nk_position position;
    enum nk_colour to_move;
    struct nk_value value;
    struct nk_move_value moves[NK_MAX_MOVES];
    int count;
};

/* Sets the result and the moves of answer->position. Errors as nk_table_value. */
enum nk_status answer_find(struct nk_table *table, struct answer *answer, struct nk_error *error);

/* The state of the game, as "Black to move wins in 5 plies.", without a line end. */
enum { ANSWER_TEXT = 128 };
void answer_format(const struct answer *answer, char text[ANSWER_TEXT]);

#endif
