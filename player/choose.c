/* The choice of a move. Every part of the program that plays perfectly asks here. */

#include "player/history.h"
#include "player/random.h"

static enum nk_status options_in(struct nk_history *history, const struct nk_game *game,
                                 struct nk_option options[NK_MAX_MOVES], int *count, struct nk_error *error)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    const struct nk_position position = nk_game_position(game);
    enum nk_status status = nk_history_moves(history, position, nk_game_to_move(game), moves, count, error);
    for (int m = 0; m < *count && !status; m++) {
        struct nk_option *option = &options[m];
        *option = (struct nk_option){.move = moves[m].move, .value = moves[m].value};
        option->repeats = nk_game_repeats(game, option->move);
        if (option->value.result == NK_DRAW)
            status = nk_table_trap(history->table, nk_position_after(position, option->move), &option->trap,
                                   error);
    }
    return status;
}

enum nk_status nk_options(struct nk_table *table, const struct nk_game *game,
                          struct nk_option options[NK_MAX_MOVES], int *count, struct nk_error *error)
{
    struct nk_history history;
    int n = 0;
    enum nk_status status = nk_history_init(&history, table, game, nk_game_plies(game), NULL, error);
    if (!status && !(status = options_in(&history, game, options, &n, error)))
        *count = n;
    nk_history_clear(&history);
    return status;
}

int nk_options_find(const struct nk_option options[], int count, struct nk_move move)
{
    int found = 0;
    while (found < count - 1 && !nk_move_equal(options[found].move, move))
        found++;
    return found;
}

/* The replies to a move. Only a position that occurs for the second time by it adds to the history. */
static enum nk_status find_replies(struct nk_history *history, const struct nk_game *game,
                                   const struct nk_option *option, struct nk_move_value replies[NK_MAX_MOVES],
                                   int *count, struct nk_error *error)
{
    struct nk_history longer = {0};
    enum nk_status status = NK_OK;
    if (option->repeats == 1)
        status = nk_history_init(&longer, history->table, game, nk_game_plies(game), &option->move, error);
    if (!status)
        status = nk_history_moves(option->repeats == 1 ? &longer : history,
                                  nk_position_after(nk_game_position(game), option->move),
                                  nk_colour_other(nk_game_to_move(game)), replies, count, error);
    nk_history_clear(&longer);
    return status;
}

/* How desirable an option is among those of the same value; more is better. Replies that delay a lost game to
 * the full count against a win, replies that give a won game away count for a loss. */
static enum nk_status desire(struct nk_history *history, const struct nk_game *game,
                             const struct nk_option *option, int *desire, struct nk_error *error)
{
    struct nk_move_value replies[NK_MAX_MOVES];
    int count = 0;
    *desire = 0;
    if (option->value.result == NK_DRAW) {
        *desire = option->trap - 256 * option->repeats;
        return NK_OK;
    }
    const enum nk_status status = find_replies(history, game, option, replies, &count, error);
    for (int m = 0; m < count && !status; m++)
        if (option->value.result == NK_WIN)
            *desire -= replies[m].value.plies == replies[0].value.plies;
        else
            *desire += replies[m].value.result != NK_WIN;
    return status;
}

/* One of the best options: the most desirable or, where several are, one of them by chance. */
static enum nk_status choose_among(struct nk_history *history, const struct nk_game *game, uint64_t *random,
                                   struct nk_move *move, struct nk_error *error)
{
    struct nk_option options[NK_MAX_MOVES];
    int count = 0, best = 0, alike = 0;
    enum nk_status status = options_in(history, game, options, &count, error);
    for (int m = 0; !status && m < count && !nk_value_better(options[0].value, options[m].value); m++) {
        int wish;
        if ((status = desire(history, game, &options[m], &wish, error)) || (alike && wish < best))
            continue;
        alike = alike && wish == best ? alike + 1 : 1;
        best = wish;
        /* The n-th of those alike replaces the one chosen so far with chance 1/n. */
        if (nk_random_below(random, (uint32_t)alike) == 0)
            *move = options[m].move;
    }
    return status;
}

enum nk_status nk_choose(struct nk_table *table, const struct nk_game *game, uint64_t *random,
                         struct nk_move *move, struct nk_error *error)
{
    struct nk_history history;
    enum nk_status status = nk_history_init(&history, table, game, nk_game_plies(game), NULL, error);
    if (!status)
        status = choose_among(&history, game, random, move, error);
    nk_history_clear(&history);
    return status;
}
