/* The tables of solved boards contain the solution. */

#include "common/play/play.h"
#include "common/system/system.h"
#include "common/table/table.h"
#include "tests/solver/support.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <string.h>

TestSuite(solved, .init = enter_directory, .fini = leave_directory, .timeout = 600);

static const struct nk_board boards[] = {
    {3, 3, 4, 4, NK_WIN_LINE}, {4, 4, 3, 3, NK_WIN_LINE}, {4, 3, 5, 3, NK_WIN_ORTHOGONAL}};

/* A table of these contents can be opened in several ways; what it then has is compared with the contents. */
static void expect_contents(struct nk_table *table, const struct contents *contents)
{
    cr_assert_str_empty(table_difference(table, contents).s, "%s",
                        nk_board_name(&contents->index->rules.board).s);
}

static void solve_all(void (*check)(struct contents contents))
{
    for (size_t i = 0; i < COUNT(boards); i++) {
        AUTO_SOLVED solved = solve_board(boards[i]);
        check(contents_of(&solved));
    }
}

static void read_from_file(struct contents contents)
{
    AUTO_TABLE *table = open_contents(&contents);
    expect_contents(table, &contents);
}

Test(solved, table_is_read_from_a_file)
{
    solve_all(read_from_file);
}

static void read_from_memory(struct contents contents)
{
    AUTO_BYTES bytes = contents_bytes(&contents);
    AUTO_TABLE *table = open_bytes(bytes);
    expect_contents(table, &contents);
}

Test(solved, table_is_read_from_memory)
{
    solve_all(read_from_memory);
}

static void load_and_erase(struct contents contents)
{
    AUTO_BYTES bytes = contents_bytes(&contents);
    AUTO_TABLE *table = open_bytes(bytes);
    cr_assert(!nk_table_load(table, NULL));
    memset(bytes.data, 0, bytes.size);
    expect_contents(table, &contents);
}

Test(solved, loaded_table_does_not_need_its_bytes)
{
    solve_all(load_and_erase);
}

static void leave_out_traps(struct contents contents)
{
    contents.traps = NULL;
    read_from_file(contents);
}

Test(solved, table_without_traps_has_none)
{
    solve_all(leave_out_traps);
}

/* ---- threads ---- */

struct readers {
    struct nk_table *table;
    const struct solved *solved;
    uint32_t loading; /* the first of them load the table before they read */
    _Atomic uint64_t wrong;
};

/* All want the same blocks at the same moment. */
static void read_in_thread(void *context, uint32_t number, int worker)
{
    enum { READS = 3000 };
    struct readers *r = context;
    const struct nk_index *index = r->solved->index;
    uint64_t random = 0;
    (void)worker;
    if (number < r->loading)
        r->wrong += nk_table_load(r->table, NULL) != NK_OK;
    for (int i = 0; i < READS; i++) {
        const struct nk_position position = nk_index_position(index, nk_random(&random) % index->entries);
        struct nk_value value = {NK_WIN, 0};
        if (nk_rules_won(&index->rules, position.mover))
            continue;
        r->wrong += nk_table_value(r->table, position, &value, NULL) != NK_OK;
        r->wrong += code_of(value) != r->solved->codes[nk_index_entry(index, position)];
    }
}

static void check_threads(uint32_t loading)
{
    enum { THREADS = 8 };
    AUTO_SOLVED solved = solve_board(STANDARD);
    AUTO_TABLE *table = open_solved(&solved);
    struct readers readers = {.table = table, .solved = &solved, .loading = loading};
    nk_parallel(THREADS, THREADS, read_in_thread, &readers);
    cr_assert_eq(readers.wrong, 0, "%llu wrong", (unsigned long long)readers.wrong);
}

Test(solved, threads_share_one_table)
{
    check_threads(0);
}

Test(solved, threads_read_while_some_load_the_table)
{
    check_threads(3);
}
