/* Every position of every kind of board against the slow reference. */

#include "tests/solver/reference.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <string.h>

static struct text checked; /* the board that check_board is at, for the messages */

static struct nk_value reference_value(const struct ref_solution *reference, struct nk_position position)
{
    const struct ref_value value = ref_value_of(reference, position.mover, position.other);
    return (struct nk_value){value.result == REF_WIN    ? NK_WIN
                             : value.result == REF_LOSS ? NK_LOSS
                                                        : NK_DRAW,
                             value.plies};
}

/* Compares the value of every position, and counts them. */
static void check_values(struct nk_table *table, const struct ref_solution *reference,
                         struct nk_summary *summary, uint64_t by_distance[NK_MAX_PLIES + 1])
{
    const struct nk_rules *rules = nk_table_rules(table);
    for (struct nk_position p = {0}; next_placement(rules, &p); summary->placements++) {
        struct nk_value value;
        const bool illegal = ref_value_of(reference, p.mover, p.other).result == REF_ILLEGAL;
        cr_assert_eq(illegal, nk_position_check(rules, p, NK_BLACK, NULL) != NK_OK);
        if (illegal)
            continue;
        const struct nk_value expected = reference_value(reference, p);
        cr_assert(!nk_table_value(table, p, &value, NULL) && same_value(value, expected),
                  "%s: %s: %d in %d, not %d in %d", checked.s, position_text(rules, p).s, value.result,
                  value.plies, expected.result, expected.plies);
        const bool is_draw = expected.result == NK_DRAW;
        summary->legal++;
        summary->wins += expected.result == NK_WIN;
        summary->losses += expected.result == NK_LOSS;
        summary->draws += is_draw;
        summary->stalemates += is_draw && !ref_moves(reference, p.mover, p.other);
        summary->longest =
            expected.plies > (int)summary->longest ? (uint32_t)expected.plies : summary->longest;
        by_distance[expected.plies] += !is_draw;
    }
}

/* How good a value is to the side that chooses. */
static int merit(struct nk_value value)
{
    return value.result == NK_WIN ? 1000 - value.plies : value.result == NK_LOSS ? value.plies - 1000 : 0;
}

/* The moves of a position: those of the reference, worth what it says, best first, equal ones in the usual order. */
static void check_moves_of(struct nk_table *table, const struct ref_solution *reference, struct nk_position p)
{
    const struct nk_rules *rules = nk_table_rules(table);
    struct nk_move_value moves[NK_MAX_MOVES];
    struct nk_move legal[NK_MAX_MOVES];
    int count, places[NK_MAX_MOVES]; /* among the legal moves */
    uint64_t seen = 0;
    cr_assert(!nk_table_moves(table, p, moves, &count, NULL));
    cr_assert_eq(count, nk_position_moves(rules, p, legal));
    cr_assert_eq((size_t)count, ref_moves(reference, p.mover, p.other), "%s", position_text(rules, p).s);
    for (int m = 0; m < count; m++) {
        const struct nk_position after = nk_position_after(p, moves[m].move);
        const struct nk_value reply = reference_value(reference, after);
        const struct nk_value value = {(enum nk_result) - reply.result, reply.result ? reply.plies + 1 : 0};
        cr_assert_eq(ref_moves_to(reference, p.mover, p.other, after.mover, after.other), 1, "%s",
                     position_text(rules, p).s);
        cr_assert(same_value(moves[m].value, value), "%s: %s", checked.s, position_text(rules, p).s);
        for (places[m] = 0; !nk_move_equal(legal[places[m]], moves[m].move);)
            cr_assert_lt(++places[m], count);
        seen |= nk_bit(places[m]);
        cr_assert(!m || merit(moves[m - 1].value) > merit(value) ||
                      (same_value(moves[m - 1].value, value) && places[m - 1] < places[m]),
                  "%s: not in order", position_text(rules, p).s);
    }
    cr_assert_eq(seen, nk_bit(count) - 1);
}

/* One position of each kind. */
static void check_moves(struct nk_table *table, const struct ref_solution *reference)
{
    const struct nk_index *index = nk_table_index(table);
    for (uint64_t entry = 0; entry < index->entries; entry++) {
        const struct nk_position position = nk_index_position(index, entry);
        if (!nk_rules_won(&index->rules, position.mover))
            check_moves_of(table, reference, position);
    }
}

static void check_board(struct board board)
{
    /* The numbers of the enums agree. */
    const struct ref_board same = {board.width, board.height, board.pieces, board.row_length,
                                   (enum ref_win)board.win};
    struct ref_solution *reference = ref_solve(same);
    AUTO_SOLVED s = solve_board(board);
    AUTO_TABLE *table = open_table(&s);
    checked = board_text(board);
    for (int loaded = 0; loaded < 2; loaded++) {
        struct nk_summary summary = {0};
        uint64_t by_distance[NK_MAX_PLIES + 1] = {0};
        check_values(table, reference, &summary, by_distance);
        cr_assert_arr_eq(&s.solution->summary, &summary, sizeof summary, "%s", checked.s);
        cr_assert_arr_eq(s.solution->by_distance, by_distance, sizeof by_distance, "%s", checked.s);
        if (!loaded || board.width < 5) /* on larger boards that takes long */
            check_moves(table, reference);
        cr_assert(!nk_table_load(table, NULL));
    }
    ref_free(reference);
}

TestSuite(compare, .init = enter_directory, .fini = leave_directory, .timeout = 900);

Test(compare, some_boards)
{
    static const struct board boards[] = {
        {5, 5, 3, 3, NK_WIN_LINE}, {5, 5, 3, 3, NK_WIN_CENTRE}, {8, 8, 2, 2, NK_WIN_LINE},
        {8, 3, 3, 3, NK_WIN_LINE}, {5, 4, 3, 3, NK_WIN_LINE},   {4, 5, 3, 2, NK_WIN_LINE},
        {4, 4, 4, 3, NK_WIN_LINE}, {7, 5, 2, 2, NK_WIN_CENTRE}, {5, 5, 2, 2, NK_WIN_CENTRE},
    };
    const size_t few = is_thorough() ? 0 : COUNT(boards) - 1;
    for (size_t i = few; i < COUNT(boards); i++)
        check_board(boards[i]);
}

/* Every game with so many pieces on every board, upright and lying, of at most so many placements. */
static void check_small_boards(int pieces, uint64_t placements)
{
    int games = 0;
    for (int width = NK_MIN_SIDE; width <= NK_MAX_SIDE; width++)
        for (int height = NK_MIN_SIDE; height <= NK_MAX_SIDE; height++)
            for (int row = 2; row <= pieces; row++)
                for (int win = 0; win < NK_WIN_RULES; win++) {
                    const struct board board = {width, height, pieces, row, (enum nk_win)win};
                    struct nk_rules rules;
                    if (nk_rules_init(&rules, width, height, pieces, row, board.win, NULL) ||
                        nk_index_placements(&rules) > placements)
                        continue;
                    check_board(board);
                    games++;
                }
    cr_assert_gt(games, 10);
}

/* In processes of their own. */
Test(compare, every_small_board_of_2_pieces)
{
    check_small_boards(2, is_thorough() ? 100000 : 20000);
}

Test(compare, every_small_board_of_3_pieces)
{
    check_small_boards(3, is_thorough() ? 200000 : 20000);
}

Test(compare, every_small_board_of_4_pieces)
{
    check_small_boards(4, is_thorough() ? 100000 : 40000);
}

Test(compare, every_small_board_of_5_pieces)
{
    check_small_boards(5, is_thorough() ? 100000 : 20000);
}
