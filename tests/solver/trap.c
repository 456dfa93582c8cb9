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
    struct nk_error error;
    cr_assert(!nk_table_value(table, position, &value, &error), "%s", error.text);
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
    struct solved s = solve_board(board);
    struct nk_table *table;
    const size_t count = s.solution->summary.draws;
    struct draw *draws = calloc(count, sizeof *draws);
    uint32_t *number = calloc((size_t)s.index->configurations * s.index->configurations, sizeof *number);
    size_t listed = 0;
    cr_assert(draws && number);
    write_table(&s, "table.dat");
    cr_assert(!nk_table_open("table.dat", &table, NULL));
    for (struct nk_position p = {0}; next_placement(&s.rules, &p);) {
        uint8_t trap = 77;
        if (nk_rules_won(&s.rules, p.mover))
            continue;
        if (value_of(table, p).result == NK_DRAW) {
            draws[listed].position = p;
            number[place_of(s.index, p)] = (uint32_t)listed++;
        } else {
            cr_assert(!nk_table_trap(table, p, &trap, NULL) && trap == 0, "%s is not a draw",
                      position_text(&s.rules, p).s);
        }
    }
    cr_assert_eq(listed, count);
    for (size_t n = 0; n < count; n++)
        list_moves(table, &draws[n], number);
    compute_traps(draws, count);
    for (size_t n = 0; n < count; n++) {
        uint8_t trap;
        cr_assert(!nk_table_trap(table, draws[n].position, &trap, NULL));
        cr_assert_eq(trap, draws[n].loss_chance / (ONE / 256), "%s",
                     position_text(&s.rules, draws[n].position).s);
    }
    nk_table_close(table);
    free(number);
    free(draws);
    solved_free(&s);
}

Test(trap, standard_board)
{
    check_board(STANDARD);
}

Test(trap, other_boards)
{
    check_board((struct board){5, 4, 3, 3, NK_WIN_LINE});
    check_board((struct board){4, 4, 3, 3, NK_WIN_LINE});
    check_board((struct board){4, 4, 4, 3, NK_WIN_LINE});
    check_board((struct board){4, 3, 5, 3, NK_WIN_ORTHOGONAL});
    check_board((struct board){3, 3, 3, 3, NK_WIN_LINE});
    check_board((struct board){3, 3, 4, 3, NK_WIN_LINE}); /* the only draws are stalemates */
    check_board((struct board){3, 3, 4, 4, NK_WIN_LINE}); /* everything is drawn */
}

Test(trap, nothing_is_drawn)
{
    struct solved s = solve_board((struct board){3, 3, 2, 2, NK_WIN_LINE});
    cr_assert_null(s.traps);
    cr_assert_eq(s.solution->summary.draws, 0);
    solved_free(&s);
}

/* 6x6 has enough draws for rounds with several threads. */
Test(trap, threads_of_every_number_agree)
{
    static const struct board boards[] = {
        {6, 6, 3, 3, NK_WIN_LINE}, {5, 5, 3, 3, NK_WIN_LINE}, {4, 3, 5, 3, NK_WIN_ORTHOGONAL}};
    for (size_t i = 0; i < COUNT(boards); i++) {
        struct solved s = solve_board(boards[i]);
        const size_t draws = nk_count_draws(s.codes, s.index->entries);
        for (int threads = 1; threads <= 3; threads++) {
            uint8_t *traps;
            cr_assert(!nk_traps(s.index, s.codes, threads, &traps));
            cr_assert_arr_eq(traps, s.traps, draws, "%s: %d threads", board_text(boards[i]).s, threads);
            free(traps);
        }
        solved_free(&s);
    }
}

Test(trap, none_beyond_the_bounds)
{
    const struct nk_rules many_draws = rules_of((struct board){5, 5, 4, 4, NK_WIN_LINE});
    const struct nk_rules many_entries = rules_of((struct board){7, 7, 4, 3, NK_WIN_LINE});
    struct nk_index *index;
    cr_assert(!nk_index_new(&many_draws, &index));
    uint8_t *codes = calloc(index->entries, 1);
    uint8_t *traps = codes;
    cr_assert(codes && index->entries > NK_MAX_TRAPS);
    memset(codes, NK_CODE_DRAW, NK_MAX_TRAPS + 1);
    cr_assert(!nk_traps(index, codes, 0, &traps) && !traps);
    nk_index_free(index);
    cr_assert(!nk_index_new(&many_entries, &index));
    cr_assert(index->entries > NK_MAX_TRAP_ENTRIES);
    traps = codes;
    cr_assert(!nk_traps(index, codes, 0, &traps) && !traps, "the codes must not be read");
    nk_index_free(index);
    free(codes);
}
