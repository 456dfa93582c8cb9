/* Trap values, computed by a second program from the definition: over all drawn positions instead of entries. */

#include "common/table_format.h"
#include "solver/trap.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(trap, .init = enter_directory, .fini = leave_directory, .timeout = 600);

enum { ONE = 1 << 16 }; /* probability 1 */

/* A drawn position and the results of its moves. */
struct draw {
    struct nk_position position;
    uint32_t to[NK_MAX_MOVES]; /* the draws that its drawing moves lead to */
    uint32_t drawing, unseen;
    uint32_t loss_chance;  /* U of solver/trap.h */
    uint32_t reply_chance; /* V */
};

static struct nk_value value_of(struct nk_table *table, struct nk_position position)
{
    struct nk_value value;
    cr_assert(!nk_table_value(table, position, &value, NULL));
    return value;
}

static size_t place_of(const struct nk_index *index, struct nk_position position)
{
    return (size_t)nk_index_rank(index, position.mover) * index->configurations +
           nk_index_rank(index, position.other);
}

static void list_moves(struct nk_table *table, struct draw *draw, const uint32_t *number)
{
    const struct nk_index *index = nk_table_index(table);
    struct nk_move moves[NK_MAX_MOVES];
    const int count = nk_position_moves(&index->rules, draw->position, moves);
    for (int m = 0; m < count; m++) {
        const struct nk_position after = nk_position_after(draw->position, moves[m]);
        const struct nk_value value = value_of(table, after);
        if (value.result == NK_DRAW)
            draw->to[draw->drawing++] = number[place_of(index, after)];
        else if (value.plies + 1 > NK_SIGHT)
            draw->unseen++;
    }
}

static void compute_traps(struct draw *draws, size_t count)
{
    for (int round = 0; round < NK_TRAP_ROUNDS; round++) {
        for (size_t n = 0; n < count; n++) {
            draws[n].reply_chance = 0;
            for (uint32_t i = 0; i < draws[n].drawing; i++)
                if (draws[draws[n].to[i]].loss_chance > draws[n].reply_chance)
                    draws[n].reply_chance = draws[draws[n].to[i]].loss_chance;
        }
        for (size_t n = 0; n < count; n++) {
            uint64_t sum = (uint64_t)draws[n].unseen * ONE;
            for (uint32_t i = 0; i < draws[n].drawing; i++)
                sum += draws[draws[n].to[i]].reply_chance;
            const uint32_t moves = draws[n].drawing + draws[n].unseen;
            draws[n].loss_chance = moves ? (uint32_t)(sum * 15 / 16 / moves) : 0;
        }
    }
}

static void check_board(struct board board)
{
    AUTO_SOLVED s = solve_board(board);
    AUTO_TABLE *table = open_table(&s);
    const size_t count = s.solution->summary.draws;
    struct draw *draws = calloc(count, sizeof *draws);
    uint32_t *number = calloc((size_t)s.index->configurations * s.index->configurations, sizeof *number);
    size_t listed = 0;
    cr_assert(draws && number);
    for (struct nk_position p = {0}; next_placement(&s.rules, &p);)
        if (!nk_rules_won(&s.rules, p.mover) && value_of(table, p).result == NK_DRAW) {
            draws[listed].position = p;
            number[place_of(s.index, p)] = (uint32_t)listed++;
        }
    cr_assert_eq(listed, count);
    for (size_t n = 0; n < count; n++)
        list_moves(table, &draws[n], number);
    compute_traps(draws, count);
    for (size_t n = 0; n < count; n++) {
        uint8_t trap;
        cr_assert(!nk_table_trap(table, draws[n].position, &trap, NULL));
        cr_assert_eq(trap, draws[n].loss_chance / (ONE / 256), "%s: %s", board_text(board).s,
                     position_text(&s.rules, draws[n].position).s);
    }
    free(number);
    free(draws);
}

Test(trap, agrees_with_its_definition)
{
    static const struct board boards[] = {
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
    AUTO_INDEX *index = index_of((struct board){5, 4, 3, 3, NK_WIN_LINE});
    uint8_t *codes = malloc(index->entries);
    memset(codes, NK_CODE_DRAW, index->entries);
    for (uint64_t entry = 0; entry < index->entries; entry += 10)
        codes[entry] = NK_CODE_WIN;
    uint8_t *alone = traps_of(index, codes, 1), *together = traps_of(index, codes, 3);
    cr_assert_arr_eq(together, alone, nk_count_draws(codes, index->entries));
    free(together);
    free(alone);
    free(codes);
}

Test(trap, none_without_draws_and_beyond_the_bounds)
{
    AUTO_INDEX *without_draws = index_of((struct board){3, 3, 2, 2, NK_WIN_LINE});
    AUTO_INDEX *many_draws = index_of((struct board){5, 5, 4, 4, NK_WIN_LINE});
    AUTO_INDEX *many_entries = index_of((struct board){7, 7, 4, 3, NK_WIN_LINE});
    uint8_t *codes = calloc(many_draws->entries, 1);
    cr_assert(many_draws->entries > NK_MAX_TRAPS && many_entries->entries > NK_MAX_TRAP_ENTRIES);
    memset(codes, NK_CODE_LOSS, without_draws->entries);
    cr_assert_null(traps_of(without_draws, codes, 0));
    memset(codes, NK_CODE_DRAW, NK_MAX_TRAPS + 1);
    cr_assert_null(traps_of(many_draws, codes, 0));
    cr_assert_null(traps_of(many_entries, codes, 0), "the codes must not be read");
    free(codes);
}
