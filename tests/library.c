/* libneutreeko as a program outside sees it: the shared library, and no header but its own. */

#include "include/neutreeko.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

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

Test(library, version_and_rules)
{
    struct nk_rules *seven, *other = NULL;
    struct nk_move moves[NK_MAX_MOVES];
    struct nk_position start;
    struct nk_error error;
    const struct nk_board board = {7, 7, 3, 3, NK_WIN_LINE}, nine = {9, 9, 3, 3, NK_WIN_LINE};
    cr_assert_str_eq(nk_version(), NK_VERSION);
    cr_assert(nk_rules_start(nk_table_rules(table), &start));
    cr_assert_eq(nk_position_moves(nk_table_rules(table), start, moves), 14);
    cr_assert_eq(nk_rules_new(&board, &seven, &error), NK_OK);
    cr_assert_eq(nk_rules_board(seven).width, 7);
    nk_rules_free(seven);
    cr_assert_eq(nk_rules_new(&nine, &other, &error), NK_E_RULES);
    cr_assert(error.status == NK_E_RULES && !other);
    nk_rules_free(NULL);
}

Test(library, a_table_in_memory)
{
    static unsigned char bytes[1 << 20];
    struct nk_table *other;
    struct nk_position start;
    struct nk_value value;
    FILE *file = fopen(getenv("NEUTREEKO_TABLE"), "rb");
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    cr_assert_eq(nk_table_open_bytes(bytes, size - 1, &other, NULL), NK_E_CORRUPT);
    cr_assert(!nk_table_open_bytes(bytes, size, &other, NULL) && !nk_table_load(other, NULL));
    cr_assert(nk_rules_start(nk_table_rules(other), &start) && !nk_table_value(other, start, &value, NULL));
    cr_assert_eq(value.result, NK_DRAW);
    nk_table_close(other);
}

/* By numbers of entries. Those by configurations are what `neutreeko export` writes: tests/programs/test_export.py. */
Test(library, all_positions)
{
    struct nk_position position = {1, 2};
    uint64_t all = 0;
    cr_assert(!nk_table_entry(table, nk_table_entries(table), &position) && position.mover == 1);
    for (uint64_t n = 0; n < nk_table_entries(table); n++) {
        const unsigned positions = nk_table_entry(table, n, &position);
        all += positions;
        cr_assert(!positions || !nk_position_check(nk_table_rules(table), position, NK_BLACK, NULL));
    }
    cr_assert_eq(all, nk_table_summary(table)->legal);
}
