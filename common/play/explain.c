#include "common/play/choose.h"

/* Whether, of several moves sorted best first, only the first keeps a win or a draw. */
static bool has_only_move(const struct nk_move_value moves[], int count)
{
    return count > 1 && moves[0].value.result != NK_LOSS && moves[1].value.result < moves[0].value.result;
}

static void compare_with_best(const struct nk_move_value moves[], int count, struct nk_move move,
                              struct nk_explanation *why)
{
    const int played = nk_move_find(moves, sizeof *moves, count, move);
    why->before = moves[0].value;
    why->value = moves[played].value;
    why->best = nk_value_better(why->before, why->value) ? moves[0].move : move;
    why->only = played == 0 && has_only_move(moves, count);
}

static void count_replies(const struct nk_move_value replies[], int count, struct nk_explanation *why)
{
    why->replies = count;
    for (int m = 0; m < count; m++) {
        why->losing += replies[m].value.result == NK_LOSS;
        why->holding += replies[m].value.result == NK_DRAW;
        why->winning += replies[m].value.result == NK_WIN;
    }
    why->has_only_reply = has_only_move(replies, count);
    if (why->has_only_reply)
        why->only_reply = replies[0].move;
}

/* The plies of a win; 0 for any other value. */
static int plies_of_win(struct nk_value value)
{
    return value.result == NK_WIN ? value.plies : 0;
}

/* Compares the values after a move, in the table, with those after the side to move, before or after it, has passed. */
static enum nk_status find_threats(struct nk_table *table, struct nk_position position,
                                   struct nk_position after, struct nk_explanation *why,
                                   struct nk_error *error)
{
    const struct nk_position positions[] = {after, nk_position_after_pass(after),
                                            nk_position_after_pass(position)};
    int plies[3];
    for (int i = 0; i < 3; i++) {
        struct nk_value value;
        const enum nk_status status = nk_table_value(table, positions[i], &value, error);
        if (status)
            return status;
        plies[i] = plies_of_win(value);
    }
    why->threat = plies[1];
    /* If the opponent wins no later than it would have by the threat, the move does not stop it. */
    why->prevented = plies[0] && plies[0] <= plies[2] ? 0 : plies[2];
    return NK_OK;
}

/* Lists the replies to a move and what it threatens, unless it ends the game. */
static enum nk_status look_ahead(struct nk_table *table, const struct nk_game *game, int ply,
                                 struct nk_move move, struct nk_explanation *why, struct nk_error *error)
{
    struct nk_move_value replies[NK_MAX_MOVES];
    const struct nk_position position = nk_game_position_at(game, ply);
    const struct nk_position after = nk_position_after(position, move);
    int count = 0;
    enum nk_status status;
    if (why->repeats || nk_rules_won(nk_table_rules(table), after.other))
        return NK_OK;
    if ((status = nk_game_replies(table, game, ply, move, replies, &count, error)) ||
        (status = find_threats(table, position, after, why, error)))
        return status;
    count_replies(replies, count, why);
    return NK_OK;
}

enum nk_status nk_explain(struct nk_table *table, const struct nk_game *game, int ply, struct nk_move move,
                          struct nk_explanation *why, struct nk_error *error)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    struct nk_explanation found = {.before = {NK_DRAW, 0}};
    int count = 0;
    enum nk_status status = nk_game_check_board(game, nk_table_rules(table), error);
    if (!status && (ply < 0 || ply > nk_game_plies_with_undone(game)))
        return nk_fail(error, NK_E_MOVE, 0, "the game has no ply %d", ply);
    if (status ||
        (status = nk_move_check(nk_game_rules(game), nk_game_position_at(game, ply),
                                nk_game_to_move_at(game, ply), move, error)) ||
        (status = nk_game_moves(table, game, ply, moves, &count, error)))
        return status;
    found.repeats = nk_game_repeats_at(game, ply, move) == 2;
    compare_with_best(moves, count, move, &found);
    if ((status = look_ahead(table, game, ply, move, &found, error)))
        return status;
    *why = found;
    return NK_OK;
}
