/* Trap values, computed by a second program from the definition: over all drawn positions instead of entries. */

#include "solver/analysis/traps.h"
#include "solver/solve.h"
#include "solver/verify/traps.h"
#include "tests/solver/reference.h"
#include "tests/solver/support.h"
#include "tests/table_format.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(trap, .init = enter_directory, .fini = leave_directory, .timeout = 600);

enum { ONE = 1 << 16 }; /* probability 1 */

/* U of solver/base/trap_values.h for a drawn position, from V of those that its moves lead to. */
static uint32_t loss_chance(const struct ref_solution *reference, size_t position,
                            const uint32_t *reply_chance)
{
    uint64_t sum = 0, moves = 0;
    for (size_t i = reference->first_child[position]; i < reference->first_child[position + 1]; i++) {
        const uint32_t child = reference->children[i];
        const bool is_draw = reference->values[child] == REF_DRAWN;
        const bool is_unseen = !is_draw && REF_WON - reference->values[child] + 1 > NK_SIGHT;
        sum += is_draw ? reply_chance[child] : is_unseen ? ONE : 0;
        moves += is_draw || is_unseen;
    }
    return moves ? (uint32_t)(sum * 15 / 16 / moves) : 0;
}

/* V for a drawn position. */
static uint32_t greatest(const struct ref_solution *reference, size_t position, const uint32_t *loss_chances)
{
    uint32_t best = 0;
    for (size_t i = reference->first_child[position]; i < reference->first_child[position + 1]; i++)
        if (loss_chances[reference->children[i]] > best)
            best = loss_chances[reference->children[i]];
    return best;
}

static void check_board(struct nk_board board)
{
    AUTO_SOLVED s = solve_board(board);
    AUTO_TABLE *table = open_table(&s);
    struct ref_solution *reference = ref_solve((struct ref_board){board.width, board.height, board.pieces,
                                                                  board.row_length, (enum ref_win)board.win});
    const size_t positions = reference->count * reference->count;
    uint32_t *u = calloc(positions, sizeof *u), *v = calloc(positions, sizeof *v); /* 0 unless drawn */
    for (int round = 0; round < 2 * NK_TRAP_ROUNDS; round++)
        for (size_t p = 0; p < positions; p++)
            if (reference->values[p] == REF_DRAWN)
                *(round % 2 ? &u[p] : &v[p]) =
                    round % 2 ? loss_chance(reference, p, v) : greatest(reference, p, u);
    for (struct nk_position p = {0}; next_placement(&s.rules, &p);) {
        const size_t number = ref_number(reference, p.mover, p.other);
        uint8_t trap;
        if (reference->values[number] != REF_DRAWN)
            continue;
        cr_assert(!nk_table_trap(table, p, &trap, NULL));
        cr_assert_eq(trap, u[number] / (ONE / 256), "%s: %s", nk_board_name(&board).s,
                     position_text(&s.rules, p).s);
    }
    ref_free(reference);
    free(u);
    free(v);
}

Test(trap, agrees_with_its_definition)
{
    static const struct nk_board boards[] = {
        {4, 4, 3, 3, NK_WIN_LINE}, {4, 3, 5, 3, NK_WIN_ORTHOGONAL}, {3, 3, 3, 3, NK_WIN_LINE},
        {3, 3, 4, 3, NK_WIN_LINE}, /* the only draws are stalemates */
        {3, 3, 4, 4, NK_WIN_LINE}, /* everything is drawn */
        {5, 4, 3, 3, NK_WIN_LINE}, {4, 4, 4, 3, NK_WIN_LINE},       {5, 5, 3, 3, NK_WIN_LINE},
    };
    for (size_t i = 0; i < (is_thorough() ? COUNT(boards) : COUNT(boards) - 3); i++)
        check_board(boards[i]);
}

/* A draw in every entry is enough for rounds with several threads. */
Test(trap, threads_agree)
{
    AUTO_INDEX *index = index_of((struct nk_board){5, 4, 3, 3, NK_WIN_LINE});
    uint8_t *codes = malloc(index->entries);
    memset(codes, CODE_DRAW, index->entries);
    for (uint64_t entry = 0; entry < index->entries; entry += 10)
        codes[entry] = CODE_WIN;
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
    cr_assert_gt(nk_plan_traps(many_draws, NK_MAX_TRAPS, 1), nk_plan_traps(many_draws, 0, 1));
    cr_assert_eq(nk_plan_traps(many_draws, NK_MAX_TRAPS + 1, 1), nk_plan_traps(many_draws, 0, 1));
    cr_assert(many_draws->entries > NK_MAX_TRAPS);
    cr_assert(many_entries->entries > NK_MAX_TRAP_ENTRIES);
    memset(codes, CODE_LOSS, without_draws->entries);
    cr_assert_null(traps_of(without_draws, codes, 0));
    memset(codes, CODE_DRAW, NK_MAX_TRAPS + 1);
    cr_assert_null(traps_of(many_draws, codes, 0));
    struct solution solution = {.summary = {.placements = many_draws->placements}};
    const struct solved with_traps = {
        .index = many_draws, .solution = &solution, .codes = codes, .traps = codes};
    AUTO_TABLE *table = open_table(&with_traps);
    struct nk_error error;
    struct nk_trap_check *check;
    uint8_t *nearest = calloc(many_draws->per_orbit + 1, 1);
    cr_assert(!nk_trap_check_new(many_draws, &check, NULL));
    for (uint32_t orbit = 0; orbit < many_draws->orbit_count; orbit++)
        nk_trap_check_add(check, orbit, codes + (uint64_t)orbit * many_draws->per_orbit, nearest);
    cr_assert_eq(nk_trap_check_run(check, table, 1, &error), NK_E_CORRUPT);
    cr_assert_str_eq(error.text, "the table is wrong: it has trap values, but the board has none");
    nk_trap_check_free(check);
    free(nearest);
    cr_assert_null(traps_of(many_entries, codes, 0), "the codes must not be read");
    free(codes);
}
