/* The game: moves and the reasons why they are illegal, repetition, undo and redo. */

#include "tests/player/support.h"

#include <criterion/criterion.h>
#include <string.h>

Test(game, resigning_ends_it_until_it_is_undone)
{
    AUTO_GAME *game = begin_game(NULL, standard_start);
    for (enum nk_colour winner, opponent = NK_BLACK; opponent <= NK_WHITE; opponent++) {
        play_moves(game, opponent == NK_BLACK ? "b1-c1 b5-c5" : "b5-c5 c1-a1");
        nk_game_undo(game);
        nk_game_resign(game);
        cr_assert(nk_game_end(game, &winner) == NK_END_RESIGNED);
        cr_assert(winner == opponent);
        cr_assert(!nk_game_redo(game));
        cr_assert(nk_game_undo(game));
        cr_assert_eq(nk_game_end(game, NULL), NK_END_NONE);
    }
}

/* The first ones no text can describe, but a program can construct them. */
Test(game, illegal_moves_are_rejected_with_the_reason)
{
    static const struct {
        struct nk_move move;
        const char *reason;
    } cases[] = {
        {{25, 0}, "expected 0 to 24"}, {{1, 25}, "expected 0 to 24"}, {{21, 16}, "not Black's"},
        {{10, 15}, "no piece"},        {{1, 12}, "not on one line"},  {{1, 11}, "on b4, not b3"},
        {{17, 18}, "on e4, not d4"},   {{17, 21}, "blocked"},
    };
    AUTO_GAME *game = begin_game(NULL, standard_start);
    const struct nk_position start = nk_game_position(game);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nk_error error;
        cr_assert_eq(nk_move_check(nk_game_rules(game), start, NK_BLACK, cases[i].move, &error), NK_E_MOVE);
        cr_assert(strstr(error.text, cases[i].reason), "%s", error.text);
        cr_assert_eq(nk_game_play(game, cases[i].move, NULL), NK_E_MOVE);
    }
    cr_assert_eq(nk_game_plies(game), 0);
    cr_assert(!nk_move_check(nk_game_rules(game), start, NK_BLACK, (struct nk_move){17, 12}, NULL));
}

Test(game, no_move_is_legal_after_a_line)
{
    const struct nk_rules rules = rules_of(STANDARD);
    const struct nk_position won = {11 << 5, 7 << 10};
    struct nk_error error;
    cr_assert_eq(nk_move_check(&rules, won, NK_BLACK, (struct nk_move){5, 0}, &error), NK_E_MOVE);
    cr_assert_str_eq(error.text, "the game is over");
}

/* Up to a ply, with other moves thereafter. The game is longer than there is room for at first; White moves first. */
Test(game, is_copied)
{
    AUTO_GAME *game = begin_game(NULL, "1w1w1/2b2/5/2w2/1b1b1 w"), *copy;
    play_moves(game,
               "d5-d2 b1-c1 d2-e2 c4-d3 e2-d2 d3-e2 d2-e1 e2-c4 b5-b1 d1-d5 c2-c3 d5-a5 e1-d1 a5-b4 c3-c2 "
               "b4-b2 c2-c3 c1-c2 b1-a2 c4-e2");
    cr_assert(!nk_game_prefix(game, 6, &copy, NULL));
    cr_assert(nk_game_plies(copy) == 6);
    cr_assert(nk_game_plies_with_undone(copy) == 6);
    for (int ply = 0; ply <= 6; ply++) {
        cr_assert(same_position(nk_game_position_at(copy, ply), nk_game_position_at(game, ply)));
        cr_assert(nk_game_to_move_at(copy, ply) == nk_game_to_move_at(game, ply));
    }
    play_moves(copy, "c2-c5");
    cr_assert_eq(nk_game_plies(game), 20);
    cr_assert_eq(nk_game_occurrences_at(copy, 7), 1);
}

Test(game, third_occurrence_is_a_draw_and_can_be_taken_back)
{
    AUTO_GAME *game = begin_game(NULL, "4w/2wb1/1w3/2b2/b4 b");
    const struct nk_move last = {4, 24}; /* e1-e5 */
    struct nk_error error;
    play_moves(game, "a1-a5 e5-e1 a5-a1 e1-e5 a1-a5 e5-e1 a5-a1");
    cr_assert_eq(nk_game_repeats_at(game, 7, last), 2);
    play_moves(game, "e1-e5");
    cr_assert_eq(nk_game_end(game, NULL), NK_END_REPETITION);
    cr_assert_eq(nk_game_occurrences_at(game, 8), 3);
    cr_assert_eq(nk_game_play(game, last, &error), NK_E_MOVE);
    cr_assert_str_eq(error.text, "the game is over. Draw by threefold repetition.");
    cr_assert(nk_game_undo(game));
    cr_assert(nk_game_end(game, NULL) == NK_END_NONE);
    cr_assert(nk_game_redo(game));
    cr_assert(nk_game_end(game, NULL) == NK_END_REPETITION);
    nk_game_go_on(game);
    cr_assert(nk_game_end(game, NULL) == NK_END_NONE);
    while (nk_game_undo(game))
        ;
    cr_assert_eq(nk_game_plies(game), 0);
    /* Another game, which does not go on. */
    play_moves(game, "a1-a5 e5-e1 a5-a1 e1-e5 a1-a5 e5-e1 a5-a1 e1-e5");
    cr_assert(nk_game_end(game, NULL) == NK_END_REPETITION);
}

Test(game, colours_exchanged_are_another_position)
{
    AUTO_GAME *game = begin_game(NULL, "4w/2wb1/1w3/2b2/b4 b");
    const struct nk_position start = nk_game_position(game);
    cr_assert_eq(nk_game_occurrences(game, 0, start, NK_BLACK), 1);
    cr_assert_eq(nk_game_occurrences(game, 0, start, NK_WHITE), 0);
}

/* Whatever was undone, and replaced by other moves, neither occurs nor hides what does. */
Test(game, positions_that_were_undone_do_not_occur)
{
    AUTO_GAME *game = begin_game(NULL, "4w/2wb1/1w3/2b2/b4 b");
    play_moves(game, "a1-a5 e5-e1 a5-a1 e1-e5");
    cr_assert_eq(nk_game_occurrences_at(game, 4), 2);
    nk_game_undo(game);
    play_moves(game, "e1-b1 a1-a5 b1-e1 a5-a1 e1-e5");
    cr_assert_eq(nk_game_occurrences_at(game, 8), 2);
}

/* Each allocation for one more move than there is room for at first fails in turn; then the move is played all the
 * same. */
Test(game, is_as_before_when_memory_for_a_move_runs_out)
{
    const struct nk_move move = {16, 6};
    int failures = 0;
    bool is_reached = true;
    for (long n = 0; is_reached; n++) {
        AUTO_GAME *game = begin_game(NULL, "1w1w1/2b2/5/2w2/1b1b1 w");
        play_moves(
            game,
            "d5-d2 b1-c1 d2-e2 c4-d3 e2-d2 d3-e2 d2-e1 e2-c4 b5-b1 d1-d5 c2-c3 d5-a5 e1-d1 a5-b4 c3-c2");
        const struct nk_position before = nk_game_position(game);
        struct nk_error error = {.text = ""};
        fail_after(n);
        const enum nk_status status = nk_game_play(game, move, &error);
        is_reached = end_failing();
        if (is_reached) {
            failures++;
            cr_assert_eq(status, NK_E_MEMORY);
            cr_assert(strstr(error.text, "memory"));
            cr_assert_eq(nk_game_plies(game), 15);
            cr_assert(same_position(nk_game_position(game), before));
            cr_assert(!nk_game_play(game, move, &error));
        }
        cr_assert_eq(nk_game_plies(game), 16);
        play_moves(game, "c2-c3 c1-c2"); /* of the new room */
    }
    cr_assert_eq(failures, 2);
}
