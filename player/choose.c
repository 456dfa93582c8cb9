/* The choice of a move from the table. Every part of the program that plays perfectly asks here. */

#include "common/table.h"
#include "player/game.h"

#include "player/random.h"

/* The replies to a move, as far as the history of the game and the table tell. */
struct replies {
    int count;
    int longest;     /* replies that delay a lost game to the full */
    int mistakes;    /* replies that give a won game away */
    int repetitions; /* replies that complete a third occurrence */
};

static bool repeats_thrice(const struct nk_game *game, struct nk_position position, enum nk_colour to_move)
{
    return nk_game_occurrences(game, position, to_move) >= 2;
}

/* Looks at the replies in the position after a move of the side to move. */
static enum nk_status look_at_replies(struct nk_table *table, const struct nk_game *game,
                                      struct nk_position after, struct replies *replies,
                                      struct nk_error *error)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    const enum nk_status status = nk_table_moves(table, after, moves, &replies->count, error);
    if (status)
        return status;
    replies->longest = replies->mistakes = replies->repetitions = 0;
    for (int m = 0; m < replies->count; m++) {
        replies->longest += moves[m].value.plies == moves[0].value.plies;
        replies->mistakes += moves[m].value.result != NK_WIN;
        replies->repetitions +=
            repeats_thrice(game, nk_position_after(after, moves[m].move), nk_game_to_move(game));
    }
    return NK_OK;
}

/* What repetition makes of a move: a third occurrence is a draw, and so is what the reply can or must make
 * one. */
static enum nk_status weigh_repetition(struct nk_table *table, const struct nk_game *game,
                                       struct nk_option *option, struct nk_error *error)
{
    const struct nk_position after = nk_position_after(nk_game_position(game), option->move);
    struct replies replies = {0};
    option->repeats = nk_game_repeats(game, option->move);
    bool drawn = option->repeats >= 2;
    if (nk_rules_won(nk_game_rules(game), after.other))
        drawn = false; /* the row comes first */
    else if (!drawn && option->value.result != NK_DRAW && nk_game_plies(game) > 4) {
        const enum nk_status status = look_at_replies(table, game, after, &replies, error);
        if (status)
            return status;
        drawn = option->value.result == NK_WIN ? replies.repetitions > 0
                                               : replies.count && replies.repetitions == replies.count;
    }
    if (drawn)
        option->value = (struct nk_value){NK_DRAW, 0};
    return NK_OK;
}

enum nk_status nk_options(struct nk_table *table, const struct nk_game *game,
                          struct nk_option options[NK_MAX_MOVES], int *count, struct nk_error *error)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    const struct nk_position position = nk_game_position(game);
    int n;
    enum nk_status status = nk_table_moves(table, position, moves, &n, error);
    if (status)
        return status;
    for (int m = 0; m < n; m++) {
        struct nk_option option = {.move = moves[m].move, .value = moves[m].value};
        const bool drawn = option.value.result == NK_DRAW;
        if ((status = weigh_repetition(table, game, &option, error)))
            return status;
        if (drawn &&
            (status = nk_table_trap(table, nk_position_after(position, option.move), &option.trap, error)))
            return status;
        int at = m;
        for (; at > 0 && nk_value_better(option.value, options[at - 1].value); at--)
            options[at] = options[at - 1];
        options[at] = option;
    }
    *count = n;
    return NK_OK;
}

/* How desirable an option is among those of the same value; more is better. */
static enum nk_status desire(struct nk_table *table, const struct nk_game *game,
                             const struct nk_option *option, int *desire, struct nk_error *error)
{
    if (option->value.result == NK_DRAW) {
        *desire = option->trap - 256 * option->repeats;
        return NK_OK;
    }
    struct replies replies;
    const struct nk_position after = nk_position_after(nk_game_position(game), option->move);
    const enum nk_status status = look_at_replies(table, game, after, &replies, error);
    if (!status)
        *desire = option->value.result == NK_WIN ? -replies.longest : replies.mistakes;
    return status;
}

enum nk_status nk_choose(struct nk_table *table, const struct nk_game *game, uint64_t *random,
                         struct nk_move *move, struct nk_error *error)
{
    struct nk_option options[NK_MAX_MOVES];
    int count, best = 0, alike = 0;
    enum nk_status status = nk_options(table, game, options, &count, error);
    if (status)
        return status;
    for (int m = 0; m < count && !nk_value_better(options[0].value, options[m].value); m++) {
        int wish;
        if ((status = desire(table, game, &options[m], &wish, error)))
            return status;
        if (alike && wish < best)
            continue;
        alike = alike && wish == best ? alike + 1 : 1;
        best = wish;
        /* The n-th of those alike replaces the one chosen so far with chance 1/n. */
        if (nk_random_below(random, (uint32_t)alike) == 0)
            *move = options[m].move;
    }
    return NK_OK;
}
