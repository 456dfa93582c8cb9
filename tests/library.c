/* libneutreeko as a program outside sees it: the shared library, and no header but its own. */

#include "include/neutreeko.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct nk_table *table;

static void find_table(void)
{
    struct nk_error error;
    cr_assert_eq(nk_table_find(&table, &error), NK_OK, "%s", error.text);
}

static void close_table(void)
{
    nk_table_close(table);
}

TestSuite(library, .init = find_table, .fini = close_table);

static struct nk_position start_of(const struct nk_rules *rules)
{
    struct nk_position start = {0, 0};
    cr_assert(nk_rules_start(rules, &start));
    return start;
}

Test(library, version)
{
    cr_assert_str_eq(nk_version(), NK_VERSION);
}

Test(library, rules_without_a_table)
{
    struct nk_rules *standard, *other = NULL;
    struct nk_error error;
    cr_assert_eq(nk_rules_new(NULL, &standard, &error), NK_OK);
    const struct nk_board board = nk_rules_board(standard),
                          from_table = nk_rules_board(nk_table_rules(table));
    cr_assert(memcmp(&board, &from_table, sizeof board) == 0, "the table is of the standard game");
    struct nk_move moves[NK_MAX_MOVES];
    cr_assert_eq(nk_position_moves(standard, start_of(standard), moves), 14);
    nk_rules_free(standard);

    const struct nk_board seven = {7, 7, 3, 3, NK_WIN_LINE}, nine = {9, 9, 3, 3, NK_WIN_LINE};
    cr_assert_eq(nk_rules_new(&seven, &other, &error), NK_OK);
    cr_assert_eq(nk_rules_board(other).width, 7);
    nk_rules_free(other);
    other = NULL;
    cr_assert_eq(nk_rules_new(&nine, &other, &error), NK_E_RULES);
    cr_assert_eq(error.status, NK_E_RULES);
    cr_assert_null(other);
    nk_rules_free(NULL);
}

static void check_same_values(struct nk_table *other)
{
    for (uint64_t n = 0; n < nk_table_entries(table); n += 97) {
        struct nk_position position;
        struct nk_value a, b;
        if (!nk_table_entry(other, n, &position))
            continue;
        cr_assert_eq(nk_table_value(table, position, &a, NULL), NK_OK);
        cr_assert_eq(nk_table_value(other, position, &b, NULL), NK_OK);
        cr_assert(a.result == b.result && a.plies == b.plies);
    }
}

Test(library, a_table_in_memory)
{
    struct nk_table *other;
    struct nk_error error;
    FILE *file = fopen(getenv("NEUTREEKO_TABLE"), "rb");
    static unsigned char bytes[1 << 20];
    cr_assert(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    cr_assert_eq(nk_table_open_bytes(bytes, size, &other, &error), NK_OK, "%s", error.text);
    check_same_values(other);
    cr_assert_eq(nk_table_load(other, &error), NK_OK, "%s", error.text);
    check_same_values(other);
    nk_table_close(other);
    cr_assert_eq(nk_table_open_bytes(bytes, size - 1, &other, &error), NK_E_CORRUPT);
    cr_assert_eq(nk_table_open_bytes("a letter to a friend", 20, &other, &error), NK_E_NOT_TABLE);
}

Test(library, entries_are_all_positions)
{
    struct nk_position position = {1, 2};
    uint64_t sum = 0;
    for (uint64_t n = 0; n < nk_table_entries(table); n++) {
        const unsigned positions = nk_table_entry(table, n, &position);
        sum += positions;
        cr_assert(!positions || !nk_position_check(nk_table_rules(table), position, NK_BLACK, NULL));
    }
    cr_assert_eq(sum, nk_table_summary(table)->legal);
    position = (struct nk_position){1, 2};
    cr_assert_eq(nk_table_entry(table, nk_table_entries(table), &position), 0);
    cr_assert_eq(nk_table_entry(table, UINT64_MAX, &position), 0);
    cr_assert(position.mover == 1 && position.other == 2);
}

/* Whether a move is in direction d, clockwise from north, on the standard board. */
static bool is_in_direction(struct nk_move move, int d)
{
    static const int files[] = {0, 1, 1, 1, 0, -1, -1, -1}, ranks[] = {1, 1, 0, -1, -1, -1, 0, 1};
    const int f = move.to % 5 - move.from % 5, r = move.to / 5 - move.from / 5;
    return (f > 0) - (f < 0) == files[d] && (r > 0) - (r < 0) == ranks[d];
}

static void check_row(const struct nk_row *row)
{
    struct nk_move_value moves[NK_MAX_MOVES];
    struct nk_value value;
    uint8_t trap;
    int count, best = 0;
    cr_assert(!nk_position_check(nk_table_rules(table), row->position, NK_BLACK, NULL));
    cr_assert(!nk_table_value(table, row->position, &value, NULL));
    cr_assert(!nk_table_trap(table, row->position, &trap, NULL));
    cr_assert(!nk_table_moves(table, row->position, moves, &count, NULL));
    cr_assert(row->result == (int)value.result && row->plies == value.plies && row->trap == trap);
    while (best < count && !nk_value_better(moves[0].value, moves[best].value))
        best++;
    cr_assert_eq(__builtin_popcountll(row->best), best);
    for (int m = 0; m < best; m++) {
        const uint64_t before = row->position.mover & ((UINT64_C(1) << moves[m].move.from) - 1);
        bool found = false;
        for (int d = 0; d < NK_DIRECTIONS; d++)
            found |=
                row->best >> (8 * __builtin_popcountll(before) + d) & 1 && is_in_direction(moves[m].move, d);
        cr_assert(found);
    }
}

Test(library, rows_are_all_positions)
{
    const uint64_t legal = nk_table_summary(table)->legal;
    static struct nk_row rows[2000], first[2000];
    struct nk_position last = {0, 0};
    uint64_t sum = 0, sum_of_first = 0, weights = 0;
    uint32_t count;
    cr_assert_eq(nk_table_load(table, NULL), NK_OK);
    for (uint32_t c = 0; c < nk_table_configurations(table); c++) {
        const bool with_best = c % 8 == 0; /* the best moves take longer than all the rest */
        cr_assert(!nk_table_rows(table, c, with_best ? NK_ROWS_BEST : 0, rows, &count, NULL));
        for (uint32_t i = 0; i < count; i++) {
            const struct nk_position position = rows[i].position;
            cr_assert(position.mover > last.mover ||
                      (position.mover == last.mover && position.other > last.other));
            last = position;
            if (with_best && i % 29 == 0)
                check_row(&rows[i]);
        }
        sum += count;
        cr_assert(!nk_table_rows(table, c, NK_ROWS_DISTINCT, first, &count, NULL));
        for (uint32_t i = 0; i < count; i++) {
            cr_assert_eq(first[i].best, 0);
            weights += first[i].symmetric;
        }
        sum_of_first += count;
    }
    cr_assert_eq(sum, legal);
    cr_assert_eq(weights, legal);
    cr_assert_eq(sum_of_first, 434500, "the positions that are not symmetric to each other");
    cr_assert(!nk_table_rows(table, nk_table_configurations(table), 0, rows, &count, NULL) && count == 0);
}
