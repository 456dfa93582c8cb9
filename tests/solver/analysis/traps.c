/* Trap values, compared with those of the reference: of all drawn positions instead of entries. */

#include "solver/analysis/analysis.h"
#include "solver/analysis/traps.h"
#include "tests/solver/reference.h"
#include "tests/solver/support.h"
#include "tests/table_format.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(trap, .init = enter_directory, .fini = leave_directory, .timeout = 600);

static void check_board(struct nk_board board)
{
    AUTO_SOLVED s = solve_board(board);
    AUTO_TABLE *table = open_solved(&s);
    struct ref_solution *reference = ref_solve((struct ref_board){board.width, board.height, board.pieces,
                                                                  board.row_length, (enum ref_win)board.win});
    uint8_t *traps = ref_traps(reference);
    for (struct nk_position p = {0}; next_placement(&s.rules, &p);) {
        const size_t number = ref_number(reference, p.mover, p.other);
        uint8_t trap;
        if (reference->values[number] != REF_DRAWN)
            continue;
        cr_assert(!nk_table_trap(table, p, &trap, NULL));
        cr_assert_eq(trap, traps[number], "%s: %s", nk_board_name(&board).s, position_text(&s.rules, p).s);
    }
    ref_free(reference);
    free(traps);
}

Test(trap, agrees_with_the_reference)
{
    static const struct nk_board boards[] = {
        {4, 4, 3, 3, NK_WIN_LINE}, {4, 3, 5, 3, NK_WIN_ORTHOGONAL},
        {3, 3, 3, 3, NK_WIN_LINE}, {3, 3, 4, 3, NK_WIN_LINE},       /* the only draws are stalemates */
        {3, 3, 4, 4, NK_WIN_LINE},                                  /* everything is drawn */
        {5, 5, 3, 3, NK_WIN_LINE}, {5, 3, 5, 3, NK_WIN_ORTHOGONAL}, /* of two slices */
    };
    const size_t few = COUNT(boards) - 2;
    for (size_t i = is_thorough() ? few : 0; i < (is_thorough() ? COUNT(boards) : few); i++)
        check_board(boards[i]);
}

/* Draws in most entries are enough for rounds with several threads; some losses are seen, others are not. */
Test(trap, threads_agree)
{
    AUTO_INDEX *index = index_of((struct nk_board){6, 3, 3, 3, NK_WIN_LINE});
    uint8_t *codes = malloc(index->entries);
    memset(codes, CODE_DRAW, index->entries);
    for (uint64_t entry = 0; entry < index->entries; entry += 10)
        codes[entry] = entry % 20 ? CODE_WIN : code_of_loss(entry % 40 ? 4 : 6);
    uint8_t *alone = traps_of(index, codes, 1), *together = traps_of(index, codes, 3);
    cr_assert_arr_eq(together, alone, count_draws(codes, index->entries));
    free(together);
    free(alone);
    free(codes);
}

Test(trap, none_without_draws_and_beyond_the_bounds)
{
    AUTO_INDEX *without_draws = index_of((struct nk_board){3, 3, 2, 2, NK_WIN_LINE});
    AUTO_INDEX *many_draws = index_of((struct nk_board){5, 5, 4, 4, NK_WIN_LINE});
    AUTO_INDEX *many_entries = index_of((struct nk_board){7, 7, 4, 3, NK_WIN_LINE});
    uint8_t *codes = calloc(many_draws->entries + 1, 1);
    cr_assert_gt(nk_traps_memory(many_draws, NK_MAX_TRAPS, 1), nk_traps_memory(many_draws, 0, 1));
    cr_assert_eq(nk_traps_memory(many_draws, NK_MAX_TRAPS + 1, 1), nk_traps_memory(many_draws, 0, 1));
    cr_assert(many_draws->entries > NK_MAX_TRAPS);
    cr_assert(many_entries->entries > NK_MAX_TRAP_ENTRIES);
    memset(codes, CODE_LOSS, without_draws->entries);
    cr_assert_null(traps_of(without_draws, codes, 0));
    memset(codes, CODE_DRAW, NK_MAX_TRAPS + 1);
    cr_assert_null(traps_of(many_draws, codes, 0));
    cr_assert_null(traps_of(many_entries, codes, 0), "the codes must not be read");
    free(codes);
}
