/* The review of a game: its mistakes and better moves. */

#include "player/history.h"

static enum nk_mark mark_of(enum nk_result before, enum nk_result after)
{
    if (after >= before)
        return NK_MARK_NONE;
    return before == NK_WIN && after == NK_LOSS ? NK_MARK_BLUNDER : NK_MARK_ERROR;
}

static int plies_lost(struct nk_value before, struct nk_value after)
{
    if (before.result != after.result)
        return 0;
    return before.result == NK_WIN ? after.plies - before.plies : before.plies - after.plies;
}

enum nk_status nk_review(struct nk_table *table, const struct nk_game *game, int ply,
                         struct nk_reviewed *reviewed, struct nk_error *error)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    int count;
    const enum nk_status status = nk_history_moves_at(table, game, ply, NULL, moves, &count, error);
    if (status)
        return status;
    const struct nk_move move = nk_game_move_at(game, ply);
    struct nk_reviewed result = {
        .move = move,
        .mover = nk_game_to_move_at(game, ply),
        .before = moves[0].value,
        .after = moves[nk_move_find(moves, sizeof *moves, count, move)].value,
        .better = move,
    };
    result.mark = mark_of(result.before.result, result.after.result);
    result.plies_lost = plies_lost(result.before, result.after);
    if (result.mark != NK_MARK_NONE || result.plies_lost)
        result.better = moves[0].move;
    *reviewed = result;
    return NK_OK;
}
