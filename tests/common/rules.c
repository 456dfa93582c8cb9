/* The rules against an independent statement of them. */

#include "tests/support.h"

#include <criterion/criterion.h>
#include <string.h>

/* ---- which boards there are ---- */

static bool possible(int width, int height, int pieces, int row, int win)
{
    if (width < 3 || width > 8 || height < 3 || height > 8 || pieces < 2 || pieces > 5 ||
        2 * pieces >= width * height || row < 2 || row > pieces || win < 0 || win > 4)
        return false;
    if (win == NK_WIN_EQUIDISTANT)
        return pieces == 3 && row == 3;
    if (win == NK_WIN_CENTRE)
        return row == pieces && (width == 5 || width == 7) && (height == 5 || height == 7);
    return true;
}

static void check_limits(int width, int height, int pieces, int row, int win)
{
    struct nk_rules none, rules;
    struct nk_error error = {0};
    memset(&none, 0x5a, sizeof none);
    memcpy(&rules, &none, sizeof none);
    const enum nk_status status = nk_rules_init(&rules, width, height, pieces, row, (enum nk_win)win, &error);
    cr_assert_eq(status, possible(width, height, pieces, row, win) ? NK_OK : NK_E_RULES,
                 "%dx%d, %d pieces, row %d, win %d", width, height, pieces, row, win);
    if (!status)
        cr_assert(rules.width == width && rules.height == height && rules.pieces == pieces &&
                  rules.row_length == row && (int)rules.win == win && rules.squares == width * height);
    else
        cr_assert(error.status == NK_E_RULES && error.text[0] && !memcmp(&rules, &none, sizeof none));
}

Test(rules, limits)
{
    for (int width = -1; width <= 10; width++)
        for (int height = -1; height <= 10; height++)
            for (int pieces = -1; pieces <= 7; pieces++)
                for (int row = -1; row <= 7; row++)
                    for (int win = -1; win <= 6; win++)
                        check_limits(width, height, pieces, row, win);
}

Test(rules, say_what_is_wrong)
{
    static const struct {
        struct board board;
        const char *words;
    } wrong[] = {
        {{2, 5, 3, 3, NK_WIN_LINE}, "a board of 2x5: expected width and height 3 to 8"},
        {{5, 9, 3, 3, NK_WIN_LINE}, "a board of 5x9: expected width and height 3 to 8"},
        {{5, 5, 1, 1, NK_WIN_LINE}, "1 pieces per side: expected 2 to 5"},
        {{5, 5, 6, 3, NK_WIN_LINE}, "6 pieces per side: expected 2 to 5"},
        {{3, 3, 5, 3, NK_WIN_LINE}, "5 pieces per side fill the board of 3x3"},
        {{5, 5, 3, 4, NK_WIN_LINE}, "a row length of 4: expected 2 to 3"},
        {{5, 5, 3, 1, NK_WIN_LINE}, "a row length of 1: expected 2 to 3"},
        {{5, 5, 4, 4, NK_WIN_EQUIDISTANT}, "equidistant needs 3 pieces per side, not 4"},
        {{6, 5, 3, 3, NK_WIN_CENTRE}, "centre needs odd sizes from 5, not 6x5"},
        {{3, 3, 3, 3, NK_WIN_CENTRE}, "centre needs odd sizes from 5, not 3x3"},
        {{5, 5, 3, 2, NK_WIN_CENTRE}, "centre has no winning lines"},
        {{5, 5, 3, 2, NK_WIN_EQUIDISTANT}, "equidistant has no winning lines"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        const struct board b = wrong[i].board;
        struct nk_rules rules;
        struct nk_error error;
        cr_assert(nk_rules_init(&rules, b.width, b.height, b.pieces, b.row_length, b.win, &error));
        cr_assert(!strncmp(error.text, wrong[i].words, strlen(wrong[i].words)), "%s, not %s", error.text,
                  wrong[i].words);
    }
}

/* Where games start, and how many configurations win, by combinatorics; different games, many in one thing only. That the
 * symmetries are some, tests/common/index.c and tests/solver/compare.c show. */
Test(rules, of_some_games)
{
    static const struct {
        struct board board;
        const char *start; /* NULL: there is none */
        int won, all;
    } games[] = {
        {{5, 5, 3, 3, NK_WIN_LINE}, "1w1w1/2b2/5/2w2/1b1b1 b", 48, 2300},
        {{5, 5, 3, 3, NK_WIN_ORTHOGONAL}, "1w1w1/2b2/5/2w2/1b1b1 b", 30, 2300},
        {{5, 5, 3, 3, NK_WIN_DIAGONAL}, "1w1w1/2b2/5/2w2/1b1b1 b", 18, 2300},
        {{5, 5, 3, 3, NK_WIN_EQUIDISTANT}, "1w1w1/2b2/5/2w2/1b1b1 b", 72, 2300},
        {{5, 5, 3, 3, NK_WIN_CENTRE}, "2w2/b3b/5/w3w/2b2 b", 276, 2300},
        {{5, 5, 3, 2, NK_WIN_LINE}, NULL, 1336, 2300},
        {{5, 5, 4, 3, NK_WIN_LINE}, NULL, 1028, 12650},
        {{5, 6, 3, 3, NK_WIN_LINE}, NULL, 62, 4060},
        {{6, 5, 3, 3, NK_WIN_LINE}, NULL, 62, 4060},
        {{7, 7, 3, 3, NK_WIN_LINE}, "2w1w2/7/3b3/7/3w3/7/2b1b2 b", 120, 18424},
        {{8, 8, 3, 3, NK_WIN_LINE}, NULL, 168, 41664},
        {{8, 3, 3, 3, NK_WIN_LINE}, NULL, 38, 2024},
        {{6, 4, 4, 4, NK_WIN_DIAGONAL}, NULL, 6, 10626},
        {{7, 5, 2, 2, NK_WIN_CENTRE}, NULL, 34, 595},
    };
    for (size_t i = 0; i < COUNT(games); i++) {
        const struct nk_rules rules = rules_of(games[i].board);
        const struct text board = board_text(games[i].board);
        struct nk_position start = {1, 2};
        int won = 0, all = 0;
        cr_assert_eq(nk_rules_start(&rules, &start), games[i].start != NULL, "%s", board.s);
        cr_assert(games[i].start ? !strcmp(position_text(&rules, start).s, games[i].start)
                                 : start.mover == 1 && start.other == 2,
                  "%s", board.s);
        for (uint64_t pieces = 0; next_configuration(&rules, &pieces); all++)
            won += nk_rules_won(&rules, pieces);
        cr_assert(won == games[i].won && all == games[i].all, "%s: %d of %d", board.s, won, all);
        cr_assert_eq(rules.symmetries, rules.width == rules.height ? 8 : 4);
        for (int g = 1; g < rules.symmetries; g++)
            for (int h = 0; h < g; h++)
                cr_assert(memcmp(rules.image[g], rules.image[h], (size_t)rules.squares), "two are the same");
        for (size_t j = 0; j < COUNT(games); j++) {
            const struct nk_rules other = rules_of(games[j].board);
            cr_assert_eq(nk_rules_equal(&rules, &other), i == j, "%s", board.s);
        }
    }
    cr_assert_str_eq(nk_win_name(NK_WIN_EQUIDISTANT), "equidistant");
}

/* As many moves lead to the positions of a board as there are, each from a position in which it is legal. tests/solver/compare.c
 * compares the moves with a second statement of the rules. */
Test(rules, moves, .timeout = 600)
{
    static const struct board boards[] = {
        {3, 3, 4, 3, NK_WIN_LINE}, {3, 3, 4, 4, NK_WIN_LINE}, {4, 3, 3, 3, NK_WIN_LINE},
        {3, 5, 3, 3, NK_WIN_LINE}, {5, 5, 3, 3, NK_WIN_LINE}, {8, 8, 2, 2, NK_WIN_LINE},
    };
    for (size_t i = 0; i < (is_thorough() ? COUNT(boards) : COUNT(boards) - 2); i++) {
        const struct nk_rules rules = rules_of(boards[i]);
        int64_t more = 0; /* moves than reverse moves */
        for (struct nk_position p = {0}; next_placement(&rules, &p);) {
            struct nk_move moves[NK_MAX_MOVES], reverse[NK_MAX_REVERSE_MOVES];
            const int count = nk_position_reverse_moves(&rules, p, reverse);
            more += (nk_rules_won(&rules, p.mover) ? 0 : nk_position_moves(&rules, p, moves)) - count;
            for (int m = 0; m < count; m++) {
                const struct nk_position before = nk_position_before(p, reverse[m]);
                cr_assert(goes_on(&rules, before) &&
                              !nk_move_check(&rules, before, NK_BLACK, reverse[m], NULL) &&
                              same_position(nk_position_after(before, reverse[m]), p),
                          "%s: %d-%d", position_text(&rules, p).s, reverse[m].from, reverse[m].to);
            }
        }
        cr_assert_eq(more, 0, "%s", board_text(boards[i]).s);
    }
}
