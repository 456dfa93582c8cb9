/* The rules against an independent statement of them. */

#include "tests/support.h"

#include <criterion/criterion.h>
#include <string.h>

/* Every win rule, squares and both kinds of rectangles, the smallest and the largest. */
static const struct board boards[] = {
    {3, 3, 4, 3, NK_WIN_LINE},       {4, 3, 5, 3, NK_WIN_ORTHOGONAL},  {3, 8, 3, 3, NK_WIN_LINE},
    {5, 5, 3, 3, NK_WIN_LINE},       {8, 8, 3, 3, NK_WIN_DIAGONAL},    {6, 4, 4, 3, NK_WIN_DIAGONAL},
    {8, 8, 3, 3, NK_WIN_ORTHOGONAL}, {7, 4, 3, 3, NK_WIN_EQUIDISTANT}, {7, 5, 2, 2, NK_WIN_CENTRE},
};

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

Test(rules, are_equal_when_everything_is)
{
    static const struct board others[] = {{5, 5, 3, 3, NK_WIN_LINE}, {6, 5, 3, 3, NK_WIN_LINE},
                                          {5, 6, 3, 3, NK_WIN_LINE}, {5, 5, 4, 3, NK_WIN_LINE},
                                          {5, 5, 3, 2, NK_WIN_LINE}, {5, 5, 3, 3, NK_WIN_ORTHOGONAL}};
    struct nk_rules standard;
    nk_rules_standard(&standard);
    for (size_t i = 0; i < COUNT(others); i++) {
        const struct nk_rules rules = rules_of(others[i]);
        cr_assert_eq(nk_rules_equal(&standard, &rules), i == 0, "%s", board_text(others[i]).s);
    }
    cr_assert_str_eq(nk_win_name(NK_WIN_EQUIDISTANT), "equidistant");
}

/* ---- start positions ---- */

Test(rules, start_positions)
{
    static const struct {
        struct board board;
        const char *black, *white; /* or NULL: there is none */
    } starts[] = {
        {{5, 5, 3, 3, NK_WIN_LINE}, "b1 d1 c4", "b5 d5 c2"},
        {{5, 5, 3, 3, NK_WIN_EQUIDISTANT}, "b1 d1 c4", "b5 d5 c2"},
        {{5, 5, 3, 3, NK_WIN_CENTRE}, "c1 a4 e4", "c5 a2 e2"},
        {{7, 7, 3, 3, NK_WIN_LINE}, "c1 e1 d5", "c7 e7 d3"},
        {{5, 5, 3, 2, NK_WIN_LINE}, NULL, NULL},
        {{5, 5, 4, 3, NK_WIN_LINE}, NULL, NULL},
        {{7, 5, 3, 3, NK_WIN_LINE}, NULL, NULL},
        {{6, 6, 3, 3, NK_WIN_LINE}, NULL, NULL},
    };
    for (size_t i = 0; i < COUNT(starts); i++) {
        const struct nk_rules rules = rules_of(starts[i].board);
        const struct text board = board_text(starts[i].board);
        struct nk_position start = {1, 2};
        cr_assert_eq(nk_rules_start(&rules, &start), starts[i].black != NULL, "%s", board.s);
        cr_assert_eq(start.mover, starts[i].black ? squares_of(&rules, starts[i].black) : 1, "%s", board.s);
        cr_assert_eq(start.other, starts[i].white ? squares_of(&rules, starts[i].white) : 2, "%s", board.s);
    }
}

/* ---- what wins ---- */

/* How many configurations win, by combinatorics. tests/solver/compare.c compares each with the slow solver's. */
Test(rules, winning_configurations)
{
    static const struct {
        struct board board;
        int won, all;
    } cases[] = {
        {{5, 5, 3, 3, NK_WIN_LINE}, 48, 2300},        {{5, 5, 3, 3, NK_WIN_ORTHOGONAL}, 30, 2300},
        {{5, 5, 3, 3, NK_WIN_DIAGONAL}, 18, 2300},    {{8, 8, 3, 3, NK_WIN_LINE}, 168, 41664},
        {{8, 3, 3, 3, NK_WIN_LINE}, 38, 2024},        {{6, 4, 4, 4, NK_WIN_DIAGONAL}, 6, 10626},
        {{5, 5, 3, 3, NK_WIN_EQUIDISTANT}, 72, 2300}, {{7, 5, 2, 2, NK_WIN_CENTRE}, 34, 595},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct nk_rules rules = rules_of(cases[i].board);
        int won = 0, all = 0;
        for (uint64_t pieces = 0; next_configuration(&rules, &pieces); all++)
            won += nk_rules_won(&rules, pieces);
        cr_assert_eq(won, cases[i].won, "%s: %d", board_text(cases[i].board).s, won);
        cr_assert_eq(all, cases[i].all, "%s: %d", board_text(cases[i].board).s, all);
    }
}

/* ---- symmetries ---- */

/* Each takes squares to different squares, keeps what wins, and is unlike the others. */
static void check_symmetry(const struct nk_rules *rules, int g)
{
    uint64_t reached = 0;
    for (int s = 0; s < rules->squares; s++) {
        const int image = rules->image[g][s];
        reached |= nk_bit(image);
        cr_assert(g || image == s, "symmetry 0 is not the identity");
        cr_assert_eq(rules->image[rules->inverse[g]][image], s);
    }
    cr_assert_eq(reached, rules->board);
    for (int h = 0; h < g; h++)
        cr_assert(memcmp(rules->image[g], rules->image[h], (size_t)rules->squares), "two are the same");
    for (uint64_t pieces = 0; next_configuration(rules, &pieces);) {
        const uint64_t image = nk_rules_image(rules, g, pieces);
        uint64_t expected = 0;
        for (int s = 0; s < rules->squares; s++)
            expected |= (pieces >> s & 1) << rules->image[g][s];
        cr_assert(image == expected && nk_rules_won(rules, image) == nk_rules_won(rules, pieces));
    }
}

Test(rules, symmetries)
{
    for (size_t i = 0; i < COUNT(boards); i++) {
        const struct nk_rules rules = rules_of(boards[i]);
        cr_assert_eq(rules.symmetries, rules.width == rules.height ? 8 : 4);
        for (int g = 0; g < rules.symmetries; g++)
            check_symmetry(&rules, g);
    }
}
