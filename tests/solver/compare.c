/* Every position of every kind of board against the slow reference. */

#include "tests/solver/reference.h"
#include "tests/solver/support.h"

#include <criterion/criterion.h>

static struct nk_text checked; /* the board that check_board is at, for the messages */

/* A value as the reference has it. */
static int merit(struct nk_value value)
{
    return value.result == NK_WIN    ? REF_WON - value.plies
           : value.result == NK_LOSS ? value.plies - REF_WON
                                     : 0;
}

/* Compares the value of every position, and counts them. */
static void check_values(struct nk_table *table, const struct ref_solution *reference,
                         struct nk_summary *summary, uint64_t by_plies[NK_MAX_PLIES + 1])
{
    const struct nk_rules *rules = nk_table_rules(table);
    for (struct nk_position p = {0}; next_placement(rules, &p); summary->placements++) {
        struct nk_value value;
        const size_t number = ref_number(reference, p.mover, p.other);
        const int expected = reference->values[number];
        cr_assert_eq(expected == REF_ILLEGAL, nk_position_check(rules, p, NK_BLACK, NULL) != NK_OK);
        if (expected == REF_ILLEGAL)
            continue;
        cr_assert(!nk_table_value(table, p, &value, NULL), "%s: %s: %d, not %d", checked.s,
                  position_text(rules, p).s, merit(value), expected);
        cr_assert(merit(value) == expected, "%s: %s: %d, not %d", checked.s, position_text(rules, p).s,
                  merit(value), expected);
        summary->legal++;
        summary->wins += value.result == NK_WIN;
        summary->losses += value.result == NK_LOSS;
        summary->draws += value.result == NK_DRAW;
        summary->stalemates +=
            value.result == NK_DRAW && reference->first_child[number] == reference->first_child[number + 1];
        if (value.plies > (int)summary->longest)
            summary->longest = (uint32_t)value.plies;
        by_plies[value.plies] += value.result != NK_DRAW;
    }
}

/* What a move to a position of this value is worth. */
static int value_before(int after)
{
    return after > 0 ? 1 - after : after < 0 ? -1 - after : 0;
}

/* The moves of a position: those of the reference, worth what it says, best first, equal ones in the usual order. */
static void check_moves_of(struct nk_table *table, const struct ref_solution *reference, struct nk_position p)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    struct nk_move legal[NK_MAX_MOVES];
    int count, place = 0, last = 0; /* among the legal moves */
    const size_t number = ref_number(reference, p.mover, p.other);
    const size_t first = reference->first_child[number], end = reference->first_child[number + 1];
    const struct nk_rules *rules = nk_table_rules(table);
    cr_assert(!nk_table_moves(table, p, moves, &count, NULL));
    cr_assert_eq(count, nk_position_moves(rules, p, legal));
    cr_assert_eq((size_t)count, end - first, "%s", position_text(rules, p).s);
    for (int m = 0; m < count; m++, last = place) {
        const struct nk_position after = nk_position_after(p, moves[m].move);
        const size_t next = ref_number(reference, after.mover, after.other);
        int found = 0;
        for (size_t c = first; c < end; c++)
            found += reference->children[c] == next;
        cr_assert_eq(found, 1, "%s", position_text(rules, p).s);
        cr_assert(merit(moves[m].value) == value_before(reference->values[next]), "%s: %s", checked.s,
                  position_text(rules, p).s);
        for (place = 0; place < count && !nk_move_equal(legal[place], moves[m].move);)
            place++;
        cr_assert_lt(place, count);
        /* So no move is there twice. */
        cr_assert(!m || merit(moves[m - 1].value) > merit(moves[m].value) ||
                      (merit(moves[m - 1].value) == merit(moves[m].value) && last < place),
                  "%s: not in order", position_text(rules, p).s);
    }
}

/* The first entry of a position that takes so many plies, UINT64_MAX if there is none. */
static uint64_t first_of_plies(struct nk_table *table, const struct nk_index *index, uint32_t plies)
{
    for (uint64_t entry = 0; entry < index->entries; entry++) {
        const struct nk_position position = nk_index_position(index, entry);
        struct nk_value value;
        if (nk_rules_won(&index->rules, position.mover))
            continue;
        cr_assert(!nk_table_value(table, position, &value, NULL));
        if (value.result != NK_DRAW && value.plies == (int)plies)
            return entry;
    }
    return UINT64_MAX;
}

static void check_board(struct nk_board board)
{
    /* The numbers of the enums agree. */
    const struct ref_board same = {board.width, board.height, board.pieces, board.row_length,
                                   (enum ref_win)board.win};
    struct ref_solution *reference = ref_solve(same);
    AUTO_SOLVED s = solve_board(board);
    AUTO_TABLE *table = open_solved(&s);
    checked = nk_board_name(&board);
    for (int loaded = 0; loaded < 2; loaded++) {
        struct nk_summary summary = {0};
        uint64_t by_plies[NK_MAX_PLIES + 1] = {0};
        check_values(table, reference, &summary, by_plies);
        cr_assert(same_summary(&s.solution->summary, &summary), "%s", checked.s);
        cr_assert_arr_eq(s.solution->by_plies, by_plies, sizeof by_plies, "%s", checked.s);
        cr_assert_eq(s.solution->example, first_of_plies(table, s.index, summary.longest), "%s", checked.s);
        const bool is_quick = !loaded || board.width < 5;
        for (uint64_t entry = 0; is_quick && entry < s.index->entries; entry++) {
            const struct nk_position position = nk_index_position(s.index, entry);
            if (!nk_rules_won(&s.rules, position.mover))
                check_moves_of(table, reference, position);
        }
        cr_assert(!nk_table_load(table, NULL));
    }
    ref_free(reference);
}

TestSuite(compare, .init = enter_directory, .fini = leave_directory, .timeout = 900);

Test(compare, some_boards)
{
    static const struct nk_board boards[] = {
        {5, 5, 3, 3, NK_WIN_LINE}, {5, 5, 3, 3, NK_WIN_CENTRE}, {8, 8, 2, 2, NK_WIN_LINE},
        {8, 3, 3, 3, NK_WIN_LINE}, {5, 4, 3, 3, NK_WIN_LINE},   {4, 5, 3, 2, NK_WIN_LINE},
        {4, 4, 4, 3, NK_WIN_LINE}, {7, 5, 2, 2, NK_WIN_CENTRE}, {5, 5, 2, 2, NK_WIN_CENTRE},
    };
    const size_t few = is_thorough() ? 0 : COUNT(boards) - 1;
    for (size_t i = few; i < COUNT(boards); i++)
        check_board(boards[i]);
}

/* Every game on every board, upright and lying, of at most so many placements. */
Test(compare, every_small_board)
{
    const uint64_t most = is_thorough() ? 200000 : 20000;
    int games = 0;
    for (int pieces = NK_MIN_PIECES; pieces <= NK_MAX_PIECES; pieces++)
        for (int size = 0; size < 64; size++)
            for (int row = 2; row <= pieces; row++)
                for (int win = 0; win < NK_WIN_RULES; win++) {
                    const struct nk_board board = {size % 8 + 1, size / 8 + 1, pieces, row, (enum nk_win)win};
                    struct nk_rules rules;
                    if (nk_rules_init(&rules, &board, NULL) || nk_index_placements(&rules) > most)
                        continue;
                    check_board(board);
                    games++;
                }
    cr_assert_gt(games, 40);
}
