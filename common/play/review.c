/* The review of a game: its mistakes and better moves. */

#include "common/play/review.h"

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

enum nk_status nk_reviewer_begin(struct nk_reviewer *reviewer, struct nk_table *table,
                                 const struct nk_game *game, const struct nk_stop *stop,
                                 struct nk_error *error)
{
    reviewer->game = game;
    reviewer->added = reviewer->ply = 0;
    return nk_history_begin(&reviewer->history, table, game, stop, error);
}

void nk_reviewer_clear(struct nk_reviewer *reviewer)
{
    nk_history_clear(&reviewer->history);
}

/* Adds the position before the next move to the history, unless that has been done. */
static enum nk_status add_position(struct nk_reviewer *reviewer, struct nk_error *error)
{
    if (reviewer->added > reviewer->ply)
        return NK_OK;
    const enum nk_status status = nk_history_add(&reviewer->history, reviewer->game, reviewer->ply, error);
    reviewer->added += !status;
    return status;
}

enum nk_status nk_reviewer_next(struct nk_reviewer *reviewer, struct nk_reviewed *reviewed,
                                struct nk_error *error)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    const struct nk_game *game = reviewer->game;
    const int ply = reviewer->ply;
    const enum nk_colour mover = nk_game_to_move_at(game, ply);
    int count;
    enum nk_status status = add_position(reviewer, error);
    if (status || (status = nk_history_moves(&reviewer->history, nk_game_position_at(game, ply), mover, moves,
                                             &count, error)))
        return status;
    const struct nk_move move = nk_game_move_at(game, ply);
    struct nk_reviewed result = {
        .move = move,
        .side = mover,
        .before = moves[0].value,
        .after = moves[nk_move_find(moves, sizeof *moves, count, move)].value,
        .better = move,
        .exact = reviewer->history.exact,
    };
    result.mark = mark_of(result.before.result, result.after.result);
    result.plies_lost = plies_lost(result.before, result.after);
    if (result.mark != NK_MARK_NONE || result.plies_lost)
        result.better = moves[0].move;
    *reviewed = result;
    reviewer->ply++;
    return NK_OK;
}

enum nk_status nk_reviewer_value(struct nk_reviewer *reviewer, struct nk_value *value, bool *exact,
                                 struct nk_error *error)
{
    struct nk_value found = {NK_DRAW, 0};
    enum nk_status status = add_position(reviewer, error);
    if (!status && nk_game_occurrences_at(reviewer->game, reviewer->ply) < 3)
        status = nk_history_value_at(&reviewer->history, reviewer->game, reviewer->ply, &found, error);
    if (status)
        return status;
    *value = found;
    *exact = reviewer->history.exact;
    return NK_OK;
}

/* What the callback of nk_review needs to know. */
struct question {
    bool (*go_on)(void *context, int reviewed);
    void *context;
    int reviewed;
    bool stopped;
};

static bool is_stop_wanted(void *context)
{
    struct question *question = context;
    question->stopped = question->stopped || !question->go_on(question->context, question->reviewed);
    return question->stopped;
}

enum nk_status nk_review(struct nk_table *table, const struct nk_game *game, struct nk_reviewed reviewed[],
                         int *count, bool (*go_on)(void *context, int reviewed), void *context,
                         struct nk_error *error)
{
    struct nk_reviewer reviewer;
    struct question question = {.go_on = go_on, .context = context};
    const struct nk_stop stop = {is_stop_wanted, &question};
    enum nk_status status = nk_reviewer_begin(&reviewer, table, game, go_on ? &stop : NULL, error);
    while (!status && question.reviewed < nk_game_plies(game) && !(go_on && is_stop_wanted(&question))) {
        status = nk_reviewer_next(&reviewer, &reviewed[question.reviewed], error);
        question.reviewed += !status && !question.stopped;
    }
    nk_reviewer_clear(&reviewer);
    if (!status)
        *count = question.reviewed;
    return status;
}

enum nk_status nk_game_value_until(struct nk_table *table, const struct nk_game *game,
                                   const struct nk_stop *stop, struct nk_value *value, bool *exact,
                                   struct nk_error *error)
{
    struct nk_history history;
    struct nk_value found = {NK_DRAW, 0};
    const int ply = nk_game_plies(game);
    const bool is_over = nk_game_end(game, NULL) == NK_END_REPETITION;
    enum nk_status status = is_over ? nk_history_begin(&history, table, game, stop, error)
                                    : nk_history_init(&history, table, game, ply, stop, error);
    if (!is_over && !status)
        status = nk_history_value_at(&history, game, ply, &found, error);
    if (!status)
        *value = found;
    if (!status && exact)
        *exact = history.exact;
    nk_history_clear(&history);
    return status;
}

enum nk_status nk_game_value(struct nk_table *table, const struct nk_game *game, struct nk_value *value,
                             bool *exact, struct nk_error *error)
{
    return nk_game_value_until(table, game, NULL, value, exact, error);
}
