/* The search without a table. */

#include "player/search.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(search, .fini = close_board);

/* And wins and losses that are near have the distances of the table. */
Test(search, alpha_beta_gives_the_scores_of_minimax, .init = open_standard)
{
    const struct nk_rules *rules = nk_table_rules(table);
    uint64_t random = 1, plain = 0, pruned = 0;
    int seen = 0;
    for (int i = 0; i < 200; i++) {
        const struct nk_position position = random_position(&random);
        const struct nk_value value = value_of(position);
        for (int plies = 1; plies <= (i % 50 ? 3 : 4); plies++) {
            int a[NK_MAX_MOVES], b[NK_MAX_MOVES], best = -NK_SCORE_WIN;
            const int count = nk_search(rules, position, plies, false, a, &plain);
            cr_assert_eq(nk_search(rules, position, plies, true, b, &pruned), count);
            for (int m = 0; m < count; m++) {
                cr_assert_eq(a[m], b[m]);
                best = a[m] > best ? a[m] : best;
            }
            if (value.result == NK_DRAW || value.plies > plies)
                continue;
            seen++;
            cr_assert_eq(best,
                         value.result == NK_WIN ? NK_SCORE_WIN - value.plies : value.plies - NK_SCORE_WIN);
        }
    }
    cr_assert(pruned < plain / 2 && seen > 100, "%d", seen);
}

/* Stops after some questions. */
static bool is_enough(void *context)
{
    int *left = context;
    return (*left)-- == 0;
}

/* A search that is stopped has the scores of a smaller depth, one that is not has those of the whole depth. */
Test(search, that_is_stopped_has_completed_a_depth, .init = open_standard)
{
    enum { PLIES = 5, RUNS = 8 };
    struct nk_position start;
    const struct nk_rules *rules = nk_table_rules(table);
    int scores[PLIES + 1][NK_MAX_MOVES], found[NK_MAX_MOVES], last = 0;
    cr_assert(nk_rules_start(rules, &start));
    for (int plies = 1; plies <= PLIES; plies++)
        (void)nk_search(rules, start, plies, true, scores[plies], NULL);
    for (int run = 0; run < RUNS; run++) {
        int questions = run < RUNS - 1 ? run : -1, depth = 0;
        const struct nk_stop stop = {is_enough, &questions};
        const int count = nk_search_until(rules, start, PLIES, run % 2, &stop, found);
        for (int plies = 1; plies <= PLIES; plies++)
            if (memcmp(found, scores[plies], (size_t)count * sizeof *found) == 0)
                depth = plies;
        cr_assert(depth >= 1 && (run < RUNS - 1 || depth == PLIES), "%d", depth);
        last = run ? last : depth;
    }
    cr_assert_lt(last, PLIES);
}

/* A 4x4 board has 24 orthogonal and 18 diagonal lines of two squares. Other winning conditions have no lines. On the
 * standard board a piece in the corner has 3 lines, and one in the middle 12, one of them through the corner. */
Test(search, evaluation_counts_the_lines_of_the_rule, .init = open_standard)
{
    static const struct {
        struct board board;
        int corner, inside, both; /* what a piece there is worth, and the first one against the second */
    } cases[] = {
        {{5, 5, 3, 3, NK_WIN_LINE}, 3, 12, 3 - 1 - (12 - 1)}, {{4, 4, 2, 2, NK_WIN_LINE}, 3, 8, 3 - 8},
        {{4, 4, 2, 2, NK_WIN_ORTHOGONAL}, 2, 4, 2 - 4},       {{4, 4, 2, 2, NK_WIN_DIAGONAL}, 1, 4, 1 - 4},
        {{5, 5, 3, 3, NK_WIN_EQUIDISTANT}, 0, 0, 0},          {{5, 5, 3, 3, NK_WIN_CENTRE}, 0, 0, 0}};
    struct nk_position start;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct nk_rules rules = rules_of(cases[i].board);
        const uint64_t corner = nk_bit(0), inside = nk_bit(2 * rules.width + 2);
        cr_assert_eq(nk_evaluate(&rules, (struct nk_position){corner, 0}), cases[i].corner);
        cr_assert_eq(nk_evaluate(&rules, (struct nk_position){inside, 0}), cases[i].inside);
        cr_assert_eq(nk_evaluate(&rules, (struct nk_position){corner, inside}), cases[i].both);
    }
    cr_assert(nk_rules_start(nk_table_rules(table), &start));
    cr_assert_eq(nk_evaluate(nk_table_rules(table), start), 0, "the start is symmetric");
}

/* On a 3x3 board with four pieces per side, one square is empty. A search to the end agrees with the table, in which
 * stalemate is a draw. */
Test(search, stalemate_is_a_draw)
{
    enum { PLIES = 8 };
    int stalemates = 0;
    open_board((struct board){3, 3, 4, 4, NK_WIN_LINE});
    const struct nk_rules *rules = nk_table_rules(table);
    for (struct nk_position p = {0}; next_placement(rules, &p);) {
        int scores[NK_MAX_MOVES];
        struct nk_move moves[NK_MAX_MOVES], replies[NK_MAX_MOVES];
        (void)nk_position_moves(rules, p, moves);
        const int count = goes_on(rules, p) ? nk_search(rules, p, PLIES, true, scores, NULL) : 0;
        for (int m = 0; m < count; m++) {
            cr_assert_eq(value_of_move(p, moves[m]).result, NK_DRAW);
            stalemates += !nk_position_moves(rules, nk_position_after(p, moves[m]), replies);
            cr_assert_lt(abs(scores[m]), NK_SCORE_WIN - PLIES);
        }
    }
    cr_assert_gt(stalemates, 0);
}
