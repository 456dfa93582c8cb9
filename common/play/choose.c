/* The choice of the perfect move: for the terminal, the engine protocol, matches and the page. */

#include "common/play/choose.h"

#include "common/play/history.h"
#include "common/play/random.h"

/* The choices of a game whose history is given. */
static enum nk_status list_choices(struct nk_history *history, const struct nk_game *game,
                                   struct nk_choice choices[NK_MAX_MOVES], int *count, struct nk_error *error)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    const struct nk_position position = nk_game_position(game);
    enum nk_status status = nk_history_moves(history, position, nk_game_to_move(game), moves, count, error);
    if (status)
        return status;
    for (int m = 0; m < *count && !status; m++) {
        struct nk_choice *choice = &choices[m];
        *choice = (struct nk_choice){.move = moves[m].move, .value = moves[m].value};
        choice->repeats = nk_game_repeats(game, choice->move);
        choice->exact = history->exact;
        if (choice->value.result == NK_DRAW)
            status = nk_table_trap(history->table, nk_position_after(position, choice->move), &choice->trap,
                                   error);
    }
    return status;
}

enum nk_status nk_choices_until(struct nk_table *table, const struct nk_game *game,
                                const struct nk_stop *stop, struct nk_choice choices[NK_MAX_MOVES],
                                int *count, struct nk_error *error)
{
    struct nk_history history;
    int n = 0;
    enum nk_status status = nk_history_init(&history, table, game, nk_game_plies(game), stop, error);
    if (!status && !(status = list_choices(&history, game, choices, &n, error)))
        *count = n;
    nk_history_clear(&history);
    return status;
}

enum nk_status nk_choices(struct nk_table *table, const struct nk_game *game,
                          struct nk_choice choices[NK_MAX_MOVES], int *count, struct nk_error *error)
{
    return nk_choices_until(table, game, NULL, choices, count, error);
}

/* Scores a choice among those of the same value; the highest score is chosen. A draw scores its trap value minus 256
 * (more than any trap value) for each occurrence. A win scores lower the more replies delay it longest, a loss higher
 * the more replies do not keep the opponent's win. */
static enum nk_status score_choice(struct nk_history *history, const struct nk_game *game,
                                   const struct nk_choice *choice, int *score, struct nk_error *error)
{
    struct nk_move_value replies[NK_MAX_MOVES];
    int count = 0;
    *score = 0;
    if (choice->value.result == NK_DRAW) {
        *score = choice->trap - 256 * choice->repeats;
        return NK_OK;
    }
    const enum nk_status status =
        nk_history_replies(history, game, nk_game_plies(game), choice->move, replies, &count, error);
    for (int m = 0; m < count; m++)
        if (choice->value.result == NK_WIN)
            *score -= replies[m].value.plies == replies[0].value.plies;
        else
            *score += replies[m].value.result != NK_WIN;
    return status;
}

/* Chooses one of the choices with the best value and the highest score, each with the same probability. */
static enum nk_status choose_among(struct nk_history *history, const struct nk_game *game, uint64_t *random,
                                   struct nk_move *move, struct nk_error *error)
{
    struct nk_choice choices[NK_MAX_MOVES];
    struct nk_selection selection = {0};
    int count = 0, equal = 0;
    enum nk_status status = list_choices(history, game, choices, &count, error);
    if (status)
        return status;
    while (equal < count && !nk_value_better(choices[0].value, choices[equal].value))
        equal++;
    for (int m = 0; m < equal; m++) {
        int score = 0;
        if (equal > 1 && (status = score_choice(history, game, &choices[m], &score, error)))
            return status;
        if (nk_select(&selection, score, random))
            *move = choices[m].move;
    }
    return NK_OK;
}

enum nk_status nk_choose_until(struct nk_table *table, const struct nk_game *game, uint64_t *random,
                               const struct nk_stop *stop, struct nk_move *move, struct nk_error *error)
{
    struct nk_history history;
    enum nk_status status = nk_history_init(&history, table, game, nk_game_plies(game), stop, error);
    if (!status)
        status = choose_among(&history, game, random, move, error);
    nk_history_clear(&history);
    return status;
}

enum nk_status nk_choose(struct nk_table *table, const struct nk_game *game, uint64_t *random,
                         struct nk_move *move, struct nk_error *error)
{
    return nk_choose_until(table, game, random, NULL, move, error);
}
