/* Sets of positions in files. */

#include "solver/analysis/sliced_set.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <string.h>

/* Rows are written in groups, and the last group of these is not full. */
enum { SLICES = 2, ROWS = 600 };

static struct nk_sliced_set set;
static nk_row_bits rows[ROWS], buffer[ROWS];

static void begin(void)
{
    enter_directory();
    memset(rows, 0, sizeof rows);
    cr_assert(!nk_sliced_set_open(&set, ".", SLICES, ROWS, NULL));
}

static void end(void)
{
    nk_sliced_set_close(&set);
    leave_directory();
}

TestSuite(sliced_set, .init = begin, .fini = end, .timeout = 60);

static const nk_row_bits *load(size_t slice)
{
    nk_row_bits *loaded;
    memset(buffer, 0x55, sizeof buffer);
    cr_assert(!nk_sliced_set_load(&set, slice, buffer, &loaded, NULL));
    return loaded;
}

static void store(size_t slice, const uint8_t *changed)
{
    cr_assert(!nk_sliced_set_store(&set, slice, rows, changed, NULL));
}

Test(sliced_set, is_empty_at_first)
{
    for (size_t slice = 0; slice < SLICES; slice++)
        cr_assert_arr_eq(load(slice), rows, sizeof rows, "slice %zu", slice);
}

Test(sliced_set, has_a_single_row_that_was_changed)
{
    for (size_t row = 0; row < ROWS; row++) {
        uint8_t changed[ROWS] = {0};
        changed[row] = 1;
        rows[row].word[0] = row + 1;
        store(1, changed);
        cr_assert_eq(load(1)[row].word[0], row + 1, "row %zu", row);
    }
    cr_assert_arr_eq(load(1), rows, sizeof rows);
}

Test(sliced_set, has_all_rows_if_any_may_have_changed)
{
    for (size_t row = 0; row < ROWS; row++)
        rows[row].word[NK_ROW_WORDS - 1] = row + 1;
    store(0, NULL);
    cr_assert_arr_eq(load(0), rows, sizeof rows);
}

Test(sliced_set, keeps_the_other_slices)
{
    static const nk_row_bits empty[ROWS];
    rows[0].word[0] = 1;
    rows[ROWS - 1].word[0] = 2;
    store(0, NULL);
    cr_assert_arr_eq(load(1), empty, sizeof empty);
}

Test(sliced_set, leaves_no_file)
{
    cr_assert_eq(files_in("."), 0);
}

Test(sliced_set, names_a_directory_that_does_not_exist)
{
    struct nk_sliced_set other;
    struct nk_error error;
    cr_assert_eq(nk_sliced_set_open(&other, "missing", SLICES, ROWS, &error), NK_E_WRITE);
    cr_assert_str_eq(error.text, "cannot write a file in missing: No such file or directory");
    nk_sliced_set_close(&other);
}
