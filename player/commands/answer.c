#include "player/commands/query.h"

#include <stdio.h>

enum nk_status answer_find(struct nk_table *table, struct answer *answer, struct nk_error *error)
{
    const enum nk_status status = nk_table_value(table, answer->position, &answer->value, error);
    return status ? status : nk_table_moves(table, answer->position, answer->moves, &answer->count, error);
}

void answer_format(const struct answer *answer, char text[ANSWER_TEXT])
{
    const char *mover = nk_colour_name(answer->to_move);
    if (answer->count)
        snprintf(text, ANSWER_TEXT, "%s to move %s%s.", mover, nk_value_text(answer->value).s,
                 answer->value.result == NK_DRAW ? " with optimal play" : "");
    else if (answer->value.result == NK_LOSS)
        snprintf(text, ANSWER_TEXT, "The game is over: %s has won.",
                 nk_colour_name(nk_colour_other(answer->to_move)));
    else
        snprintf(text, ANSWER_TEXT, "Draw: %s has no legal moves.", mover);
}
