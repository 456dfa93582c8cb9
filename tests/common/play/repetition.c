/* Values in games in which positions repeat: a move to a position that has occurred twice is a draw, and a win after
 * which the opponent can move to such a position is one as well. */

#include "common/play/play.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>

/* ---- the rule, by comparing with every earlier ply ---- */

/* How often a position has occurred in a game up to a ply, with the side to move that the ply after it has. */
static int occurred(const struct nk_game *game, int ply, struct nk_position position)
{
    int times = 0;
    for (int earlier = ply - 1; earlier >= 0; earlier -= 2)
        times += nk_position_equal(nk_game_position_at(game, earlier), position);
    return times;
}

/* The value of a move at a ply of a game, to the side that makes it. */
static struct nk_value by_the_rule(const struct nk_game *game, int ply, struct nk_move move)
{
    const struct nk_value draw = {NK_DRAW, 0};
    struct nk_move replies[NK_MAX_MOVES];
    const struct nk_position position = nk_game_position_at(game, ply);
    const struct nk_position after = nk_position_after(position, move);
    const struct nk_value value = value_of_move(position, move);
    const int count = nk_position_moves(nk_table_rules(table), after, replies);
    if (occurred(game, ply, after) >= 2)
        return draw;
    for (int m = 0; m < count && value.result == NK_WIN; m++) {
        const struct nk_position reached = nk_position_after(after, replies[m]);
        const bool is_now = nk_position_equal(reached, position);
        if (occurred(game, ply - 1, reached) + is_now >= 2)
            return draw;
    }
    return value;
}

/* ---- games that repeat ---- */

enum { MOST_PLIES = 48 };

/* A move that goes back where there is one, in seven of eight cases; else one that keeps the result, or any. */
static void shuffle(struct nk_game *game, uint64_t *random)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    int count;
    const int plies = nk_game_plies(game);
    const struct nk_position position = nk_game_position(game);
    cr_assert(!nk_table_moves(table, position, moves, &count, NULL));
    const int among = nk_random_below(random, 4) ? moves_to(position, moves[0].value.result) : count;
    struct nk_move move = moves[nk_random_below(random, (uint32_t)among)].move;
    if (plies >= 2 && nk_random_below(random, 8)) {
        const struct nk_move own = nk_game_move_at(game, plies - 2), back = {own.to, own.from};
        if (nk_move_equal(moves[nk_move_find(moves, sizeof *moves, count, back)].move, back))
            move = back;
    }
    cr_assert(!nk_game_play(game, move, NULL));
}

static struct nk_game *repeating_game(uint64_t *random)
{
    struct nk_game *game;
    struct nk_position start;
    do
        start = random_position(random);
    while (value_of(start).result == NK_DRAW);
    cr_assert(!nk_game_new(nk_table_rules(table), start, NK_BLACK, &game, NULL));
    while (nk_game_plies(game) < MOST_PLIES && !nk_game_end(game, NULL))
        shuffle(game, random);
    return game;
}

/* What nk_choices, nk_game_value, nk_explain and nk_review return for the current position and one of its moves.
 * Returns how many of the values differ from those of the table. */
static int expect_rule(struct nk_game *game, const struct nk_reviewed *reviewed)
{
    struct nk_choice choices[NK_MAX_MOVES];
    struct nk_explanation why;
    struct nk_value value;
    const int ply = nk_game_plies(game);
    const struct nk_move played = nk_game_move_at(game, ply);
    int count, changed = 0;
    cr_assert(!nk_choices(table, game, choices, &count, NULL));
    for (int m = 0; m < count; m++) {
        cr_assert(same_value(choices[m].value, by_the_rule(game, ply, choices[m].move)));
        cr_assert(!m || !nk_value_better(choices[m].value, choices[m - 1].value));
        changed += !same_value(choices[m].value, value_of_move(nk_game_position(game), choices[m].move));
    }
    cr_assert(!nk_game_value(table, game, &value, NULL));
    cr_assert(same_value(value, choices[0].value));
    cr_assert(!nk_explain(table, game, ply, played, &why, NULL));
    cr_assert(same_value(why.before, value));
    cr_assert(same_value(why.value, by_the_rule(game, ply, played)));
    cr_assert(same_value(reviewed->before, why.before));
    cr_assert(same_value(reviewed->after, why.value));
    cr_assert(nk_move_equal(reviewed->better, why.best));
    return changed;
}

/* The replies that nk_explain counts are the choices after the move. */
static void expect_replies(struct nk_game *game)
{
    struct nk_choice replies[NK_MAX_MOVES];
    struct nk_explanation why;
    int count, results[3] = {0};
    const int ply = nk_game_plies(game);
    cr_assert(!nk_explain(table, game, ply, nk_game_move_at(game, ply), &why, NULL));
    cr_assert(nk_game_redo(game));
    if (!nk_game_end(game, NULL)) {
        cr_assert(!nk_choices(table, game, replies, &count, NULL));
        for (int m = 0; m < count; m++)
            results[replies[m].value.result + 1]++;
        cr_assert_eq(why.losing, results[0]);
        cr_assert_eq(why.holding, results[1]);
        cr_assert_eq(why.winning, results[2]);
    }
    cr_assert(nk_game_undo(game));
}

Test(repetition, values_follow_the_rule, .init = open_4x4, .fini = close_board)
{
    uint64_t random = 6;
    int changed = 0;
    for (int n = 0; n < 200; n++) {
        AUTO_GAME *game = repeating_game(&random);
        struct nk_reviewed reviewed[MOST_PLIES];
        cr_assert(!nk_review(table, game, reviewed, NULL));
        while (nk_game_undo(game)) {
            changed += expect_rule(game, &reviewed[nk_game_plies(game)]);
            expect_replies(game);
        }
    }
    cr_assert_gt(changed, 100);
}

Test(repetition, the_third_occurrence_is_a_draw, .init = open_4x4, .fini = close_board)
{
    uint64_t random = 7;
    int ended = 0;
    while (ended < 20) {
        AUTO_GAME *game = repeating_game(&random);
        struct nk_value value;
        if (nk_game_end(game, NULL) != NK_END_REPETITION)
            continue;
        cr_assert(!nk_game_value(table, game, &value, NULL));
        cr_assert_eq(value.result, NK_DRAW);
        ended++;
    }
}

/* ---- the perfect player ---- */

/* A perfect player that has lost repeats a position for the third time if it can; one that wins does not let the
 * opponent do so if another win is left. */
Test(repetition, the_perfect_player_uses_and_avoids_it, .init = open_4x4, .fini = close_board)
{
    uint64_t random = 8;
    int used = 0, avoided = 0;
    for (int n = 0; n < 1000; n++) {
        AUTO_GAME *game = repeating_game(&random);
        while (nk_game_undo(game)) {
            struct nk_move move;
            const struct nk_position position = nk_game_position(game);
            const struct nk_value in_table = value_of(position);
            struct nk_value value;
            cr_assert(!nk_game_value(table, game, &value, NULL));
            if (same_value(value, in_table) || in_table.result == NK_DRAW)
                continue;
            cr_assert(!nk_choose(table, game, &random, &move, NULL));
            used += in_table.result == NK_LOSS && nk_game_repeats_at(game, nk_game_plies(game), move) == 2;
            cr_assert(in_table.result != NK_LOSS || nk_game_repeats_at(game, nk_game_plies(game), move) == 2);
            cr_assert(value.result != NK_WIN ||
                      by_the_rule(game, nk_game_plies(game), move).result == NK_WIN);
            avoided += value.result == NK_WIN;
        }
    }
    cr_assert_gt(used, 20);
    cr_assert_gt(avoided, 20);
}

/* Where nothing is won, the perfect player moves to a position that has occurred least, also if all have occurred. */
Test(repetition, the_perfect_player_repeats_as_little_as_it_can, .fini = close_board)
{
    uint64_t random = 9;
    int repeated = 0;
    open_board((struct nk_board){3, 3, 4, 4, NK_WIN_LINE});
    for (int n = 0; n < 1000; n++) {
        AUTO_GAME *game = NULL;
        cr_assert(!nk_game_new(nk_table_rules(table), random_position(&random), NK_BLACK, &game, NULL));
        while (!nk_game_end(game, NULL)) {
            struct nk_choice choices[NK_MAX_MOVES];
            struct nk_move move;
            int count, least = 3, most = 0;
            cr_assert(!nk_choices(table, game, choices, &count, NULL));
            for (int m = 0; m < count; m++) {
                least = choices[m].repeats < least ? choices[m].repeats : least;
                most = choices[m].repeats > most ? choices[m].repeats : most;
            }
            cr_assert(!nk_choose(table, game, &random, &move, NULL));
            cr_assert_eq(nk_game_repeats_at(game, nk_game_plies(game), move), least);
            repeated += least > 0 && most > least;
            cr_assert(!nk_game_play(game, choices[nk_random_below(&random, (uint32_t)count)].move, NULL));
        }
    }
    cr_assert_gt(repeated, 9);
}

/* Plays the game to its end with the perfect player on both sides, and expects that each move has the value that the
 * one before it promised. */
static void play_itself(struct nk_game *game, uint64_t *random)
{
    struct nk_value promised, now;
    struct nk_move move;
    cr_assert(!nk_game_value(table, game, &promised, NULL));
    cr_assert(same_value(promised, value_of(nk_game_position(game))));
    while (!nk_game_end(game, NULL)) {
        cr_assert(!nk_choose(table, game, random, &move, NULL));
        cr_assert(!nk_game_play(game, move, NULL));
        cr_assert(!nk_game_value(table, game, &now, NULL));
        cr_assert(same_value(value_before(now), promised));
        promised = now;
    }
}

Test(repetition, the_perfect_player_loses_neither_a_result_nor_a_ply, .init = open_standard,
     .fini = close_board)
{
    uint64_t random = 9;
    cr_assert(!nk_table_load(table, NULL)); /* which is faster for so many questions */
    for (int n = 0; n < 2000; n++) {
        AUTO_GAME *game = NULL;
        cr_assert(!nk_game_new(nk_table_rules(table), random_position(&random), NK_BLACK, &game, NULL));
        play_itself(game, &random);
    }
}
