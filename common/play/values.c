/* Values in a game, and what follows from them: the perfect move, the best line, the explanation of a move, and the
 * review of a game. */

#include "common/play/play.h"

#include <assert.h>

enum nk_status nk_check_board(const struct nk_table *table, const struct nk_game *game,
                              struct nk_error *error)
{
    const struct nk_board *own = &nk_game_rules(game)->board, *board = &nk_table_rules(table)->board;
    return nk_board_equal(own, board)
               ? NK_OK
               : nk_fail(error, NK_E_RULES, 0, "a game of another board: %s; the table has %s",
                         nk_board_options(own).s, nk_board_options(board).s);
}

/* ---- values in a game ---- */

/* A point of a game: the position at a ply, or that after a possible move from it. Such a move need not be counted
 * among the occurrences of positions: two more plies, by different sides, cannot restore the position after it. */
struct point {
    const struct nk_game *game;
    int ply;
    struct nk_position position;
    enum nk_colour to_move;
};

static struct point point_at(const struct nk_game *game, int ply)
{
    return (struct point){game, ply, nk_game_position_at(game, ply), nk_game_to_move_at(game, ply)};
}

static struct point point_after(struct point point, struct nk_move move)
{
    return (struct point){point.game, point.ply, nk_position_after(point.position, move),
                          nk_colour_other(point.to_move)};
}

/* Whether a position after a move occurs for the third time, which ends the game. */
static bool ends(struct point after)
{
    return nk_game_occurrences(after.game, after.ply, after.position, after.to_move) >= 2;
}

/* Whether the side to move has a move that ends the game by repetition. */
static bool can_repeat(struct point point)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(nk_game_rules(point.game), point.position, moves);
    for (int m = 0; m < count; m++)
        if (ends(point_after(point, moves[m])))
            return true;
    return false;
}

/* Lists the legal moves at a point with their values there, in the order of nk_table_moves. *count is their number, 0
 * if there are none. The boards of the game and the table must be the same. A side that can repeat a position does not
 * lose, and has no better move, since it loses in the table. */
static enum nk_status list_moves(struct nk_table *table, struct point point,
                                 struct nk_move_value moves[NK_MAX_MOVES], int *count, struct nk_error *error)
{
    struct nk_move_value found[NK_MAX_MOVES];
    struct nk_move legal[NK_MAX_MOVES];
    int n = 0;
    const enum nk_status status = nk_table_moves(table, point.position, found, &n, error);
    if (status)
        return status;
    *count = n;
    if (!nk_game_has_repeated(point.game, point.ply)) {
        for (int m = 0; m < n; m++)
            moves[m] = found[m];
        return NK_OK;
    }
    nk_position_moves(nk_table_rules(table), point.position, legal);
    for (int m = 0; m < n; m++) {
        const struct point after = point_after(point, legal[m]);
        struct nk_value value = found[nk_move_find(found, sizeof *found, n, legal[m])].value;
        if (ends(after) || (value.result == NK_WIN && can_repeat(after)))
            value = (struct nk_value){NK_DRAW, 0};
        nk_move_values_insert(moves, m, legal[m], value);
    }
    return NK_OK;
}

enum nk_status nk_game_value(struct nk_table *table, const struct nk_game *game, struct nk_value *value,
                             struct nk_error *error)
{
    assert(table && game && value);
    struct nk_move_value moves[NK_MAX_MOVES];
    int count = 0;
    enum nk_status status = nk_check_board(table, game, error);
    if (status)
        return status;
    if (nk_game_end(game, NULL) == NK_END_REPETITION) {
        *value = (struct nk_value){NK_DRAW, 0};
        return NK_OK;
    }
    if ((status = list_moves(table, point_at(game, nk_game_plies(game)), moves, &count, error)))
        return status;
    if (!count)
        return nk_table_value(table, nk_game_position(game), value, error);
    *value = moves[0].value;
    return NK_OK;
}

/* ---- the choice of a move, for the terminal, the engine protocol, matches and the page ---- */

enum nk_status nk_choices(struct nk_table *table, const struct nk_game *game,
                          struct nk_choice choices[NK_MAX_MOVES], int *count, struct nk_error *error)
{
    assert(table && game && choices && count);
    struct nk_move_value moves[NK_MAX_MOVES];
    int n = 0;
    enum nk_status status = nk_check_board(table, game, error);
    if (!status && nk_game_end(game, NULL) == NK_END_NONE)
        status = list_moves(table, point_at(game, nk_game_plies(game)), moves, &n, error);
    for (int m = 0; m < n && !status; m++) {
        struct nk_choice *choice = &choices[m];
        *choice = (struct nk_choice){.move = moves[m].move, .value = moves[m].value};
        choice->repeats = nk_game_repeats_at(game, nk_game_plies(game), choice->move);
        if (choice->value.result == NK_DRAW)
            status = nk_table_trap(table, nk_position_after(nk_game_position(game), choice->move),
                                   &choice->trap, error);
    }
    if (!status)
        *count = n;
    return status;
}

/* Scores a choice among those of the same value; the highest score is chosen. A draw scores its trap value minus 256
 * (more than any trap value) for each occurrence. A win scores lower the more replies delay it longest, a loss higher
 * the more replies do not keep the opponent's win. */
static enum nk_status score_choice(struct nk_table *table, const struct nk_game *game,
                                   const struct nk_choice *choice, int *score, struct nk_error *error)
{
    struct nk_move_value replies[NK_MAX_MOVES];
    int count = 0;
    *score = 0;
    if (choice->value.result == NK_DRAW) {
        *score = choice->trap - 256 * choice->repeats;
        return NK_OK;
    }
    const struct point after = point_after(point_at(game, nk_game_plies(game)), choice->move);
    const enum nk_status status = list_moves(table, after, replies, &count, error);
    for (int m = 0; m < count; m++)
        if (choice->value.result == NK_WIN)
            *score -= replies[m].value.plies == replies[0].value.plies;
        else
            *score += replies[m].value.result != NK_WIN;
    return status;
}

enum nk_status nk_choose(struct nk_table *table, const struct nk_game *game, uint64_t *random,
                         struct nk_move *move, struct nk_error *error)
{
    assert(table && game && random && move);
    struct nk_choice choices[NK_MAX_MOVES];
    struct nk_selection selection = {0};
    struct nk_move chosen = {0, 0};
    int count = 0, equal = 0;
    enum nk_status status = nk_choices(table, game, choices, &count, error);
    if (status || (status = nk_game_check_open(game, error)))
        return status;
    while (equal < count && !nk_value_better(choices[0].value, choices[equal].value))
        equal++;
    for (int m = 0; m < equal; m++) {
        int score = 0;
        if (equal > 1 && (status = score_choice(table, game, &choices[m], &score, error)))
            return status;
        if (nk_keep_best_at_random(&selection, score, random))
            chosen = choices[m].move;
    }
    *move = chosen;
    return NK_OK;
}

int nk_shown_plies(struct nk_value value, bool is_brief)
{
    return value.result == NK_DRAW || (is_brief && value.plies > NK_SHORT_LINE) ? NK_SHORT_LINE : value.plies;
}

enum nk_status nk_play_best_line(struct nk_table *table, struct nk_game *game, int plies, uint64_t *random,
                                 struct nk_error *error)
{
    struct nk_move move = {0, 0};
    enum nk_status status = NK_OK;
    for (int n = 0; n < plies && !status && nk_game_end(game, NULL) == NK_END_NONE; n++)
        if (!(status = nk_choose(table, game, random, &move, error)))
            status = nk_game_play(game, move, error);
    return status;
}

enum nk_status nk_tree_add_best_line(struct nk_table *table, struct nk_tree *tree, int number, int plies,
                                     uint64_t *random, struct nk_error *error)
{
    enum nk_status status = NK_OK;
    for (int n = 0; n < plies && !status; n++) {
        const struct nk_game *game;
        struct nk_move move = {0, 0};
        if ((status = nk_tree_at(tree, number, &game, error)) || nk_game_end(game, NULL) != NK_END_NONE)
            break;
        if (!(status = nk_choose(table, game, random, &move, error)))
            status = nk_tree_add(tree, number, move, &number, error);
    }
    return status;
}

/* ---- explanations ---- */

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

/* Compares the values after a move, in the table, with those after the side to move, before or after it, has passed. */
static enum nk_status find_threats(struct nk_table *table, struct nk_position position,
                                   struct nk_position after, struct nk_explanation *why,
                                   struct nk_error *error)
{
    const struct nk_position positions[] = {after, nk_position_after_pass(after),
                                            nk_position_after_pass(position)};
    int plies[3]; /* of a win, 0 for any other value */
    for (int i = 0; i < 3; i++) {
        struct nk_value value;
        const enum nk_status status = nk_table_value(table, positions[i], &value, error);
        if (status)
            return status;
        plies[i] = value.result == NK_WIN ? value.plies : 0;
    }
    why->threat = plies[1];
    /* If the opponent wins no later than it would have by the threat, the move does not stop it. */
    why->prevented = plies[0] && plies[0] <= plies[2] ? 0 : plies[2];
    return NK_OK;
}

/* Lists the replies to a move and what it threatens, unless it ends the game. */
static enum nk_status look_ahead(struct nk_table *table, struct point point, struct nk_move move,
                                 struct nk_explanation *why, struct nk_error *error)
{
    struct nk_move_value replies[NK_MAX_MOVES];
    const struct point after = point_after(point, move);
    int count = 0;
    enum nk_status status;
    if (why->repeats || nk_rules_won(nk_table_rules(table), after.position.other))
        return NK_OK;
    if ((status = list_moves(table, after, replies, &count, error)) ||
        (status = find_threats(table, point.position, after.position, why, error)))
        return status;
    count_replies(replies, count, why);
    return NK_OK;
}

enum nk_status nk_explain(struct nk_table *table, const struct nk_game *game, int ply, struct nk_move move,
                          struct nk_explanation *why, struct nk_error *error)
{
    assert(table && game && why);
    struct nk_move_value moves[NK_MAX_MOVES];
    struct nk_explanation found = {.before = {NK_DRAW, 0}};
    int count = 0;
    enum nk_status status = nk_check_board(table, game, error);
    if (!status && (ply < 0 || ply > nk_game_plies_with_undone(game)))
        return nk_fail(error, NK_E_MOVE, 0, "the game has no ply %d", ply);
    if (status ||
        (status = nk_move_check(nk_game_rules(game), nk_game_position_at(game, ply),
                                nk_game_to_move_at(game, ply), move, error)) ||
        (status = list_moves(table, point_at(game, ply), moves, &count, error)))
        return status;
    found.repeats = ends(point_after(point_at(game, ply), move));
    compare_with_best(moves, count, move, &found);
    if ((status = look_ahead(table, point_at(game, ply), move, &found, error)))
        return status;
    *why = found;
    return NK_OK;
}

/* ---- reviews ---- */

enum nk_mark nk_mark_of(enum nk_result before, enum nk_result after)
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
    const enum nk_status status = list_moves(table, point_at(game, ply), moves, &count, error);
    if (status)
        return status;
    *reviewed = (struct nk_reviewed){
        .move = move,
        .side = nk_game_to_move_at(game, ply),
        .before = moves[0].value,
        .after = moves[nk_move_find(moves, sizeof *moves, count, move)].value,
        .better = move,
    };
    reviewed->mark = nk_mark_of(reviewed->before.result, reviewed->after.result);
    reviewed->plies_lost = plies_lost(reviewed->before, reviewed->after);
    if (nk_has_better(reviewed))
        reviewed->better = moves[0].move;
    return NK_OK;
}

enum nk_status nk_review(struct nk_table *table, const struct nk_game *game, struct nk_reviewed reviewed[],
                         struct nk_error *error)
{
    assert(table && game && (reviewed || !nk_game_plies(game)));
    enum nk_status status = nk_check_board(table, game, error);
    for (int ply = 0; ply < nk_game_plies(game) && !status; ply++)
        status = review_move(table, game, ply, &reviewed[ply], error);
    return status;
}
