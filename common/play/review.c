/* The review of a game: its mistakes and better moves. */

#include "common/play/choose.h"
#include "common/play/describe.h"

static enum nk_mark mark_of(enum nk_result before, enum nk_result after)
{
    if (after >= before)
        return NK_MARK_NONE;
    return before == NK_WIN && after == NK_LOSS ? NK_MARK_BLUNDER : NK_MARK_MISTAKE;
}

static int plies_lost(struct nk_value before, struct nk_value after)
{
    if (before.result != after.result)
        return 0;
    return before.result == NK_WIN ? after.plies - before.plies : before.plies - after.plies;
}

/* Reviews the move at a ply. */
static enum nk_status review_move(struct nk_table *table, const struct nk_game *game, int ply,
                                  struct nk_reviewed *reviewed, struct nk_error *error)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    const struct nk_move move = nk_game_move_at(game, ply);
    int count = 0;
    const enum nk_status status = nk_game_moves(table, game, ply, moves, &count, error);
    if (status)
        return status;
    *reviewed = (struct nk_reviewed){
        .move = move,
        .side = nk_game_to_move_at(game, ply),
        .before = moves[0].value,
        .after = moves[nk_move_find(moves, sizeof *moves, count, move)].value,
        .better = move,
    };
    reviewed->mark = mark_of(reviewed->before.result, reviewed->after.result);
    reviewed->plies_lost = plies_lost(reviewed->before, reviewed->after);
    if (nk_has_better(reviewed))
        reviewed->better = moves[0].move;
    return NK_OK;
}

enum nk_status nk_review(struct nk_table *table, const struct nk_game *game, struct nk_reviewed reviewed[],
                         struct nk_error *error)
{
    enum nk_status status = nk_game_check_board(game, nk_table_rules(table), error);
    for (int ply = 0; ply < nk_game_plies(game) && !status; ply++)
        status = review_move(table, game, ply, &reviewed[ply], error);
    return status;
}
