/* The search without a table. */

#include "common/play/play.h"
#include "tests/player/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Searches random positions of the open table with and without pruning. Wins and losses that are near have the
 * distances of the table, and nothing else is taken for one. Returns how many there were. */
static int expect_scores(uint64_t *plain, uint64_t *pruned)
{
    uint64_t random = 1;
    int seen = 0;
    for (int i = 0; i < 200; i++) {
        const struct nk_position position = random_position(&random);
        const struct nk_value value = value_of(position);
        for (int plies = 1; plies <= (i % 50 ? 3 : 4); plies++) {
            int a[NK_MAX_MOVES], b[NK_MAX_MOVES], best = -NK_SCORE_WIN;
            const int count = nk_search(nk_table_rules(table), position, plies, false, NULL, a, plain);
            cr_assert_eq(nk_search(nk_table_rules(table), position, plies, true, NULL, b, pruned), count);
            for (int m = 0; m < count; m++) {
                cr_assert_eq(a[m], b[m]);
                best = a[m] > best ? a[m] : best;
            }
            const bool is_near = value.result != NK_DRAW && value.plies <= plies;
            cr_assert(is_near ? best == value.result * (NK_SCORE_WIN - value.plies)
                              : !count || abs(best) < NK_SCORE_WIN - plies);
            seen += is_near;
        }
    }
    return seen;
}

Test(search, alpha_beta_gives_the_scores_of_minimax_in_half_of_the_positions, .init = open_standard,
     .fini = close_board)
{
    uint64_t plain = 0, pruned = 0;
    const int seen = expect_scores(&plain, &pruned);
    cr_assert(pruned < plain / 2, "%d", seen);
    cr_assert(seen > 100, "%d", seen);
}

/* On a 3x3 board with four pieces per side, one square is empty and all is drawn, often by stalemate. */
Test(search, alpha_beta_gives_the_scores_of_minimax_where_moves_are_few)
{
    uint64_t plain = 0, pruned = 0;
    open_board((struct nk_board){3, 3, 4, 4, NK_WIN_LINE});
    cr_assert_eq(expect_scores(&plain, &pruned), 0);
    close_board();
}

/* Stops after some questions. */
static bool is_enough(void *context)
{
    int *left = context;
    return (*left)-- == 0;
}

/* A search that is stopped has the scores of a smaller depth, one that is not has those of the whole depth. */
Test(search, that_is_stopped_has_completed_a_depth)
{
    enum { PLIES = 5, RUNS = 8 };
    const struct nk_rules rules = rules_of(STANDARD);
    struct nk_position start;
    int scores[PLIES + 1][NK_MAX_MOVES], found[NK_MAX_MOVES], last = PLIES;
    cr_assert(nk_rules_start(&rules, &start));
    for (int plies = 1; plies <= PLIES; plies++)
        (void)nk_search(&rules, start, plies, true, NULL, scores[plies], NULL);
    for (int run = RUNS; run-- > 0;) {
        int questions = run < RUNS - 1 ? run : -1, depth = PLIES;
        const struct nk_stop stop = {is_enough, &questions};
        const int count = nk_search(&rules, start, PLIES, run % 2, &stop, found, NULL);
        while (depth && memcmp(found, scores[depth], (size_t)count * sizeof *found) != 0)
            depth--;
        cr_assert(depth, "%d", depth);
        cr_assert((run < RUNS - 1 || depth == PLIES), "%d", depth);
        last = depth;
    }
    cr_assert_lt(last, PLIES);
}

/* A 4x4 board has 24 orthogonal and 18 diagonal lines of two squares. Other winning conditions have no lines. On the
 * standard board a piece in the corner has 3 lines, and one in the middle 12, one of them through the corner. */
Test(search, evaluation_counts_the_lines_of_the_rule)
{
    static const struct {
        struct nk_board board;
        int corner, both; /* what a piece there is worth, alone and against one in the middle */
    } cases[] = {{{5, 5, 3, 3, NK_WIN_LINE}, 3, 3 - 1 - (12 - 1)}, {{4, 4, 2, 2, NK_WIN_LINE}, 3, 3 - 8},
                 {{4, 4, 2, 2, NK_WIN_ORTHOGONAL}, 2, 2 - 4},      {{4, 4, 2, 2, NK_WIN_DIAGONAL}, 1, 1 - 4},
                 {{5, 5, 3, 3, NK_WIN_EQUIDISTANT}, 0, 0},         {{5, 5, 3, 3, NK_WIN_CENTRE}, 0, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct nk_rules rules = rules_of(cases[i].board);
        const uint64_t corner = nk_bit(0), inside = nk_bit(2 * rules.board.width + 2);
        cr_assert_eq(nk_evaluate(&rules, (struct nk_position){corner, 0}), cases[i].corner);
        cr_assert_eq(nk_evaluate(&rules, (struct nk_position){corner, inside}), cases[i].both);
    }
}
