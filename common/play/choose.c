/* Values in a game, and the choice of the perfect move: for the terminal, the engine protocol, matches and the page. */

#include "common/play/choose.h"

#include "common/play/random.h"

/* ---- the rule ---- */

/* What has happened before a position: the plies of a game up to `ply` and, for the replies to a move, the position
 * after it, which occurs next. */
struct history {
    const struct nk_game *game;
    int ply;
    struct nk_position next; /* with `to_move` to move; no pieces if there is none */
    enum nk_colour to_move;
};

/* Whether a position would occur for the third time, which ends the game. */
static bool ends(const struct history *history, struct nk_position position, enum nk_colour to_move)
{
    const bool is_next = history->to_move == to_move && nk_position_equal(history->next, position);
    return nk_game_occurrences(history->game, history->ply, position, to_move) + is_next >= 2;
}

/* Whether the side to move has a move that ends the game by repetition. */
static bool can_repeat(const struct history *history, struct nk_position position, enum nk_colour to_move)
{
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(nk_game_rules(history->game), position, moves);
    for (int m = 0; m < count; m++)
        if (ends(history, nk_position_after(position, moves[m]), nk_colour_other(to_move)))
            return true;
    return false;
}

/* The value of a move to a position, of which `value` is the one in the table. A side that can repeat a position
 * does not lose: it has no better move, since it loses in the table. */
static struct nk_value value_in_game(const struct history *history, struct nk_position after,
                                     enum nk_colour opponent, struct nk_value value)
{
    const struct nk_value draw = {NK_DRAW, 0};
    if (ends(history, after, opponent) || (value.result == NK_WIN && can_repeat(history, after, opponent)))
        return draw;
    return value;
}

/* Lists the moves of a position with their values after what is past. The order of moves with equal values is the one
 * that nk_table_moves gives to its own. */
static enum nk_status list_moves(struct nk_table *table, const struct history *history,
                                 struct nk_position position, enum nk_colour to_move,
                                 struct nk_move_value moves[NK_MAX_MOVES], int *count, struct nk_error *error)
{
    struct nk_move_value found[NK_MAX_MOVES];
    struct nk_move legal[NK_MAX_MOVES];
    int n = 0;
    const enum nk_status status = nk_table_moves(table, position, found, &n, error);
    if (status)
        return status;
    *count = n;
    if (!nk_game_has_repeated(history->game, history->ply)) {
        for (int m = 0; m < n; m++)
            moves[m] = found[m];
        return NK_OK;
    }
    nk_position_moves(nk_table_rules(table), position, legal);
    for (int m = 0; m < n; m++) {
        const struct nk_value value = found[nk_move_find(found, sizeof *found, n, legal[m])].value;
        nk_move_values_insert(
            moves, m, legal[m],
            value_in_game(history, nk_position_after(position, legal[m]), nk_colour_other(to_move), value));
    }
    return NK_OK;
}

enum nk_status nk_game_moves(struct nk_table *table, const struct nk_game *game, int ply,
                             struct nk_move_value moves[NK_MAX_MOVES], int *count, struct nk_error *error)
{
    const struct history history = {.game = game, .ply = ply};
    return list_moves(table, &history, nk_game_position_at(game, ply), nk_game_to_move_at(game, ply), moves,
                      count, error);
}

enum nk_status nk_game_replies(struct nk_table *table, const struct nk_game *game, int ply,
                               struct nk_move move, struct nk_move_value replies[NK_MAX_MOVES], int *count,
                               struct nk_error *error)
{
    const struct nk_position next = nk_position_after(nk_game_position_at(game, ply), move);
    const enum nk_colour opponent = nk_colour_other(nk_game_to_move_at(game, ply));
    const struct history history = {.game = game, .ply = ply, .next = next, .to_move = opponent};
    return list_moves(table, &history, next, opponent, replies, count, error);
}

enum nk_status nk_game_value(struct nk_table *table, const struct nk_game *game, struct nk_value *value,
                             struct nk_error *error)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    int count = 0;
    enum nk_status status = nk_game_check_board(game, nk_table_rules(table), error);
    if (status)
        return status;
    if (nk_game_end(game, NULL) == NK_END_REPETITION) {
        *value = (struct nk_value){NK_DRAW, 0};
        return NK_OK;
    }
    if ((status = nk_game_moves(table, game, nk_game_plies(game), moves, &count, error)))
        return status;
    if (!count)
        return nk_table_value(table, nk_game_position(game), value, error);
    *value = moves[0].value;
    return NK_OK;
}

/* ---- the choice of a move ---- */

enum nk_status nk_choices(struct nk_table *table, const struct nk_game *game,
                          struct nk_choice choices[NK_MAX_MOVES], int *count, struct nk_error *error)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    int n = 0;
    enum nk_status status = nk_game_check_board(game, nk_table_rules(table), error);
    if (!status)
        status = nk_game_moves(table, game, nk_game_plies(game), moves, &n, error);
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
    const enum nk_status status =
        nk_game_replies(table, game, nk_game_plies(game), choice->move, replies, &count, error);
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
    struct nk_choice choices[NK_MAX_MOVES];
    struct nk_selection selection = {0};
    struct nk_move chosen = {0, 0};
    int count = 0, equal = 0;
    enum nk_status status = nk_choices(table, game, choices, &count, error);
    if (status)
        return status;
    while (equal < count && !nk_value_better(choices[0].value, choices[equal].value))
        equal++;
    for (int m = 0; m < equal; m++) {
        int score = 0;
        if (equal > 1 && (status = score_choice(table, game, &choices[m], &score, error)))
            return status;
        if (nk_select(&selection, score, random))
            chosen = choices[m].move;
    }
    *move = chosen;
    return NK_OK;
}
