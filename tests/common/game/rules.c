/* The rules against an independent statement of them. */

#include "tests/support.h"

#include <criterion/criterion.h>
#include <string.h>

Test(rules, the_smallest_and_the_largest_boards_are_possible)
{
    static const struct nk_board possible[] = {
        {3, 3, 2, 2, NK_WIN_LINE},   {8, 8, 5, 5, NK_WIN_DIAGONAL},    {3, 8, 5, 2, NK_WIN_ORTHOGONAL},
        {3, 3, 4, 4, NK_WIN_LINE},   {8, 3, 3, 3, NK_WIN_EQUIDISTANT}, {5, 7, 2, 2, NK_WIN_CENTRE},
        {7, 5, 5, 5, NK_WIN_CENTRE},
    };
    for (size_t i = 0; i < COUNT(possible); i++) {
        struct nk_rules rules;
        cr_assert(!nk_rules_init(&rules, &possible[i], NULL), "case %zu", i);
        cr_assert(nk_board_equal(&rules.board, &possible[i]), "case %zu", i);
    }
}

/* All but the last are next to a possible one. */
Test(rules, smaller_and_larger_boards_are_impossible)
{
    static const struct nk_board impossible[] = {
        {2, 3, 2, 2, NK_WIN_LINE},        {3, 2, 2, 2, NK_WIN_LINE},   {9, 8, 2, 2, NK_WIN_LINE},
        {8, 9, 2, 2, NK_WIN_LINE},        {5, 5, 1, 1, NK_WIN_LINE},   {8, 8, 6, 5, NK_WIN_LINE},
        {3, 3, 5, 3, NK_WIN_LINE},        {5, 5, 3, 1, NK_WIN_LINE},   {5, 5, 3, 4, NK_WIN_LINE},
        {5, 5, 3, 3, (enum nk_win)(-1)},  {5, 5, 3, 3, NK_WIN_RULES},  {5, 5, 4, 3, NK_WIN_EQUIDISTANT},
        {5, 5, 3, 2, NK_WIN_EQUIDISTANT}, {5, 5, 3, 2, NK_WIN_CENTRE}, {5, 6, 3, 3, NK_WIN_CENTRE},
        {6, 5, 3, 3, NK_WIN_CENTRE},      {3, 5, 2, 2, NK_WIN_CENTRE}, {5, 3, 2, 2, NK_WIN_CENTRE},
        {-5, -5, 3, 3, NK_WIN_LINE},
    };
    for (size_t i = 0; i < COUNT(impossible); i++) {
        struct nk_rules rules = {.board = {.width = 77}};
        cr_assert_eq(nk_rules_init(&rules, &impossible[i], NULL), NK_E_RULES, "case %zu", i);
        cr_assert_eq(rules.board.width, 77, "case %zu", i);
    }
}

Test(rules, every_condition_has_a_name)
{
    for (int win = 0; win < NK_WIN_RULES; win++)
        cr_assert_eq((int)nk_win_named(nk_win_name((enum nk_win)win)), win);
    cr_assert_eq((int)nk_win_named("nonsense"), NK_WIN_RULES);
}

/* By combinatorics. tests/solver/compare.c compares the moves and the winning configurations with a second statement of
 * the rules. */
Test(rules, have_a_start_and_winning_configurations)
{
    static const struct {
        struct nk_board board;
        const char *start; /* NULL: there is none */
        int won;
    } games[] = {
        {{5, 5, 3, 3, NK_WIN_LINE}, "1w1w1/2b2/5/2w2/1b1b1 b", 48},
        {{5, 5, 3, 3, NK_WIN_EQUIDISTANT}, "1w1w1/2b2/5/2w2/1b1b1 b", 72},
        {{5, 5, 3, 3, NK_WIN_CENTRE}, "2w2/b3b/5/w3w/2b2 b", 276},
        {{5, 5, 3, 2, NK_WIN_LINE}, NULL, 1336},
        {{5, 5, 4, 3, NK_WIN_LINE}, NULL, 1028},
        {{5, 6, 3, 3, NK_WIN_LINE}, NULL, 62},
        {{6, 5, 3, 3, NK_WIN_LINE}, NULL, 62},
        {{7, 7, 3, 3, NK_WIN_LINE}, "2w1w2/7/3b3/7/3w3/7/2b1b2 b", 120},
        {{8, 8, 3, 3, NK_WIN_LINE}, NULL, 168},
    };
    for (size_t i = 0; i < COUNT(games); i++) {
        const struct nk_rules rules = rules_of(games[i].board);
        const struct nk_text board = nk_board_name(&games[i].board);
        struct nk_position start = {1, 2};
        int won = 0;
        cr_assert_eq(nk_rules_start(&rules, &start), games[i].start != NULL, "%s", board.s);
        cr_assert(games[i].start ? !strcmp(position_text(&rules, start).s, games[i].start)
                                 : start.mover == 1 && start.other == 2,
                  "%s", board.s);
        for (uint64_t pieces = 0; next_configuration(&rules, &pieces);)
            won += nk_rules_won(&rules, pieces);
        cr_assert_eq(won, games[i].won, "%s: %d", board.s, won);
    }
}

/* Each of the others differs from the first in one number. */
Test(rules, boards_are_equal_if_all_their_numbers_are)
{
    static const struct nk_board boards[] = {{5, 5, 3, 3, NK_WIN_LINE}, {6, 5, 3, 3, NK_WIN_LINE},
                                             {5, 6, 3, 3, NK_WIN_LINE}, {5, 5, 4, 3, NK_WIN_LINE},
                                             {5, 5, 3, 2, NK_WIN_LINE}, {5, 5, 3, 3, NK_WIN_CENTRE}};
    for (size_t i = 0; i < COUNT(boards); i++)
        for (size_t j = 0; j < COUNT(boards); j++)
            cr_assert_eq(nk_board_equal(&boards[i], &boards[j]), i == j, "%zu, %zu", i, j);
}

/* As many moves lead to the positions of a board as there are, each from a position in which it is legal. Of the slides
 * that lead to a position, the moves are those from positions that are not over. */
Test(rules, every_move_is_found_in_reverse, .timeout = 600)
{
    static const struct nk_board boards[] = {{3, 3, 4, 3, NK_WIN_LINE}, {3, 5, 3, 3, NK_WIN_LINE}};
    for (size_t i = 0; i < COUNT(boards); i++) {
        const struct nk_rules rules = rules_of(boards[i]);
        int64_t more = 0; /* moves than reversed ones */
        for (struct nk_position p = {0}; next_placement(&rules, &p);) {
            struct nk_move moves[NK_MAX_MOVES], reverse[NK_MAX_REVERSE_MOVES];
            const int count =
                nk_rules_won(&rules, p.mover) ? 0 : nk_position_reverse_slides(&rules, p, reverse);
            more += nk_rules_won(&rules, p.mover) ? 0 : nk_position_moves(&rules, p, moves);
            for (int m = 0; m < count; m++) {
                const struct nk_position before = nk_position_before(p, reverse[m]);
                if (!goes_on(&rules, before))
                    continue;
                more--;
                cr_assert(!nk_move_check(&rules, before, NK_BLACK, reverse[m], NULL), "%s: %d-%d",
                          position_text(&rules, p).s, reverse[m].from, reverse[m].to);
                cr_assert(same_position(nk_position_after(before, reverse[m]), p), "%s: %d-%d",
                          position_text(&rules, p).s, reverse[m].from, reverse[m].to);
            }
        }
        cr_assert_eq(more, 0, "%s", nk_board_name(&boards[i]).s);
    }
}
