/* The checkpoint of an analysis: what it keeps, and interrupted analyses that are resumed from it. */

#include "tests/solver/support.h"

#include "common/system/system.h"
#include "solver/analysis/losses.h"
#include "tests/table_format.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

TestSuite(checkpoint, .init = enter_directory, .fini = leave_directory);

static struct nk_index *board;

static struct nk_losses *open_saved(void)
{
    struct nk_losses *losses;
    struct nk_error error;
    cr_assert(!open_losses("saved", board, &losses, &error), "%s", error.text);
    return losses;
}

/* ---- rows ---- */

static bool copy_row(void *context, uint8_t code, uint32_t row, const nk_row_bits *bits)
{
    ((nk_row_bits *)context)[row] = *bits;
    return code == code_of_loss(2);
}

/* Words with no, some and all bytes, and gaps that need one to three bytes. */
Test(checkpoint, keeps_all_rows)
{
    static const uint32_t gaps[] = {1, 2, 127, 128, 129, 300, 16384, 16385, 20000};
    static const uint64_t words[] = {0, 1, UINT64_C(255) << 56, UINT64_C(0x0100ff00a5000080), UINT64_MAX};
    board = index_of((struct nk_board){7, 7, 4, 3, NK_WIN_LINE});
    const size_t count = board->configurations, size = count * sizeof(nk_row_bits);
    nk_row_bits *rows = calloc(1, size), *read = malloc(size);
    uint8_t *nonempty = calloc(count, 1);
    for (size_t r = 0, i = 0; r < count; r += gaps[i++ % COUNT(gaps)]) {
        nonempty[r] = 1;
        for (size_t w = 0; w < NK_ROW_WORDS; w++)
            rows[r].word[w] = words[(i / COUNT(gaps) + w * i + 1) % COUNT(words)];
    }
    struct nk_losses *losses = open_saved();
    for (uint32_t slice = 0; slice < 3; slice += 2)
        nk_losses_append(losses, code_of_loss(2), slice, rows, nonempty);
    cr_assert(!nk_losses_commit(losses, &(struct nk_losses_state){.ply = 2}, NULL));
    close_losses(losses);
    losses = open_saved();
    for (uint32_t slice = 0; slice < 3; slice += 2) {
        memset(read, 0, size);
        cr_assert(!nk_losses_read(losses, slice, CODE_DRAW, UINT8_MAX, copy_row, read, NULL));
        cr_assert_arr_eq(read, rows, size);
    }
    close_losses(losses);
    nk_index_free(board);
    free(rows);
    free(read);
    free(nonempty);
}

/* A reader may keep an array of no more columns than the board has. */
Test(checkpoint, rejects_columns_that_do_not_exist)
{
    static const struct nk_board boards[] = {{3, 3, 3, 3, NK_WIN_LINE}, {8, 3, 3, 3, NK_WIN_LINE}};
    for (size_t i = 0; i < COUNT(boards); i++) {
        board = index_of(boards[i]);
        const uint32_t last = nk_slice_count(board) - 1, columns = nk_columns_in(board, last);
        nk_row_bits *rows = calloc(board->configurations, sizeof *rows), read[1];
        uint8_t *nonempty = calloc(board->configurations, 1);
        struct nk_losses *losses = open_saved();
        struct nk_error error;
        nonempty[0] = 1;
        cr_assert(columns < NK_SLICE_COLUMNS, "slice %u of %zu is full", last, i);
        for (uint32_t column = columns - 1; column <= columns; column++) {
            rows[0].word[column / 64] = UINT64_C(1) << column % 64;
            nk_losses_append(losses, code_of_loss(2), last, rows, nonempty);
            cr_assert(!nk_losses_commit(losses, &(struct nk_losses_state){.ply = 2}, NULL));
            const enum nk_status status =
                nk_losses_read(losses, last, CODE_DRAW, UINT8_MAX, copy_row, read, &error);
            cr_assert_eq(status, column < columns ? NK_OK : NK_E_CORRUPT, "%zu %u: %d", i, column, status);
        }
        nk_checkpoint_remove(losses->storage);
        close_losses(losses);
        nk_index_free(board);
        free(rows);
        free(nonempty);
    }
}

/* Nor one of more rows. Of so few rows, the first byte of a section is the number of the first one. */
Test(checkpoint, rejects_rows_that_do_not_exist)
{
    board = index_of((struct nk_board){3, 3, 3, 3, NK_WIN_LINE});
    const uint32_t count = board->configurations;
    nk_row_bits *rows = calloc(count + 1, sizeof *rows);
    uint8_t *nonempty = calloc(count, 1);
    struct nk_losses *losses;
    cr_assert_lt(count, 128);
    cr_assert(!nk_losses_new(board, NULL, NULL, &losses, NULL));
    rows[0].word[0] = nonempty[0] = 1;
    nk_losses_append(losses, code_of_loss(2), 0, rows, nonempty);
    for (uint32_t row = count - 1; row <= count; row++) {
        *losses->bytes[1] = (uint8_t)row;
        cr_assert_eq(nk_losses_read(losses, 0, CODE_DRAW, UINT8_MAX, copy_row, rows, NULL),
                     row < count ? NK_OK : NK_E_CORRUPT, "row %u", row);
    }
    nk_losses_free(losses);
    nk_index_free(board);
    free(rows);
    free(nonempty);
}

/* ---- interrupted analyses ---- */

/* Records a row of a pass that is not committed. */
static void append_more(struct nk_losses *losses, int ply)
{
    nk_row_bits *rows = calloc(board->configurations, sizeof *rows);
    uint8_t *nonempty = calloc(board->configurations, 1);
    CHECK(rows);
    CHECK(nonempty);
    memset(rows, 0xff, sizeof *rows);
    nonempty[0] = 1;
    nk_losses_append(losses, code_of_loss(ply + ply % 2), 0, rows, nonempty);
}

/* Solves in a process that ends before it decides `ply`, or while it does so, and leaves its checkpoint in "saved". */
static void interrupt(int ply, bool has_begun)
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        static const enum nk_layout layouts[] = {NK_LOSSES_IN_FILES, NK_ONE_SET_IN_FILE, NK_SETS_IN_FILES};
        const struct nk_analysis_options options = {.threads = 1 + ply % 2,
                                                    .layout = layouts[ply % 3],
                                                    .sparse_limit = sparse_limits[ply % SPARSE_LIMITS]};
        struct nk_analysis *analysis;
        struct nk_losses *losses;
        CHECK(!open_losses("saved", board, &losses, NULL));
        CHECK(!nk_analysis_new(losses, &options, &analysis, NULL));
        do
            CHECK(!nk_analysis_pass(analysis, NULL));
        while (losses->state.ply < ply - 1);
        if (has_begun)
            append_more(losses, ply);
        _exit(0);
    }
    cr_assert(child > 0, "ply %d", ply);
    cr_assert(waitpid(child, &status, 0) == child, "ply %d", ply);
    cr_assert(status == 0, "ply %d", ply);
}

/* Resumes from "saved" and compares the solution. */
static void check_resume(const struct solved *expected)
{
    const struct nk_analysis_options options = {0};
    struct nk_error error;
    struct nk_losses *losses = open_saved();
    cr_assert(!run_passes(losses, &options, &error), "%s", error.text);
    cr_assert(is_same_solution(expected, losses));
    close_losses(losses);
}

static void expect_same(const struct solved *s, enum nk_layout layout, uint64_t sparse_limit)
{
    const struct nk_analysis_options options = {.layout = layout, .sparse_limit = sparse_limit};
    struct nk_losses *losses = open_saved();
    cr_assert(!run_passes(losses, &options, NULL), "layout %d, limit %d", layout, (int)sparse_limit);
    cr_assert(is_same_solution(s, losses), "layout %d, limit %d", layout, (int)sparse_limit);
    nk_checkpoint_remove(losses->storage);
    close_losses(losses);
}

/* Sets in files are in memory during sparse passes, and written again if a dense one follows. */
Test(checkpoint, sparse_passes_agree_with_sets_in_files)
{
    static const struct {
        struct nk_board board;
        int first; /* of the limits */
    } cases[] = {{{5, 3, 5, 3, NK_WIN_ORTHOGONAL}, 1}, {{5, 5, 3, 3, NK_WIN_LINE}, 3}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO_SOLVED s = solve_board(cases[i].board);
        board = s.index;
        for (int n = cases[i].first; n < SPARSE_LIMITS; n++) {
            expect_same(&s, NK_SETS_IN_FILES, sparse_limits[n]);
            expect_same(&s, NK_ONE_SET_IN_FILE, sparse_limits[n]);
        }
    }
}

/* Before a dense pass, and before a sparse one. */
Test(checkpoint, a_set_that_cannot_be_read_is_an_error)
{
    board = index_of((struct nk_board){5, 5, 3, 3, NK_WIN_LINE});
    for (int n = 1; n <= 2; n++) {
        const struct nk_analysis_options options = {.layout = NK_SETS_IN_FILES,
                                                    .sparse_limit = sparse_limits[n]};
        struct nk_analysis *analysis;
        struct nk_error error = {0};
        struct nk_losses *losses = open_saved();
        cr_assert(!nk_analysis_new(losses, &options, &analysis, NULL));
        cr_assert(!nk_analysis_pass(analysis, NULL));
        cr_assert_eq(ftruncate(analysis->undecided.file, 0), 0);
        cr_assert_eq(nk_analysis_pass(analysis, &error), NK_E_READ, "%d: %s", n, error.text);
        cr_assert(strstr(error.text, "cannot read the file of a set of positions"), "%s", error.text);
        nk_analysis_free(analysis);
        nk_checkpoint_remove(losses->storage);
        close_losses(losses);
    }
    nk_index_free(board);
}

/* Each run resumes from where the one before was interrupted, the last one from the complete record. */
Test(checkpoint, resumes_from_every_ply, .timeout = 600)
{
    static const struct nk_board boards[] = {
        {5, 5, 3, 3, NK_WIN_LINE},
        {3, 3, 4, 3, NK_WIN_LINE}, /* with stalemates */
        {8, 8, 2, 2, NK_WIN_LINE},
        {8, 3, 3, 3, NK_WIN_LINE}, /* two slices */
    };
    for (size_t i = 0; i < COUNT(boards); i++) {
        AUTO_SOLVED s = solve_board(boards[i]);
        board = s.index;
        struct nk_losses *losses;
        for (int ply = 1; ply <= (int)s.solution->summary.longest; ply += is_thorough() ? 1 : 3) {
            interrupt(ply, true);
            losses = open_saved();
            cr_assert_eq(losses->state.ply, ply - 1);
            close_losses(losses);
        }
        check_resume(&s);
        check_resume(&s);
        losses = open_saved();
        nk_checkpoint_remove(losses->storage);
        nk_checkpoint_remove(losses->storage); /* of what is not there */
        close_losses(losses);
        cr_assert_eq(rmdir("saved"), 0, "the directory that an interrupted run created is empty");
    }
}

/* ---- damage ---- */

/* Tries to resume from "saved", and expects this status and message. After a failure nothing there has changed. */
static void try(enum nk_status expected, const char *message)
{
    const struct nk_analysis_options options = {0};
    struct nk_losses *losses;
    struct nk_error error = {0};
    const int files = files_in("saved");
    enum nk_status status = open_losses("saved", board, &losses, &error);
    if (!status) {
        status = run_passes(losses, &options, &error);
        close_losses(losses);
    }
    cr_assert(status == expected, "%s: %d, %s", message, status, error.text);
    cr_assert(strstr(error.text, message), "%s: %d, %s", message, status, error.text);
    cr_assert(!status || files_in("saved") == files);
}

/* The file `state` of solver/checkpoint.c, after ply 2 of a board with one slice. */
enum {
    MAGIC = 8,
    AT_VERSION = MAGIC,
    AT_NUMBERS = 12,
    AT_WIN = 20,
    AT_COMPLETE = 24,
    AT_PLY = 32,
    AT_STALEMATES = 40,
    AT_BY_PLIES = 64,
    AT_LOSSES = AT_BY_PLIES + 8 * (NK_MAX_PLIES + 1) + 32, /* the section; that of draws is before it */
    SIZE = AT_LOSSES + 32 + 8,
    LARGER = SIZE + 32 * ((NK_MAX_PLIES + 1) / 2 - 1) /* after more plies than there can be */
};

static void write_state(const uint8_t *state, size_t size)
{
    uint8_t sealed[LARGER];
    memcpy(sealed, state, size);
    put64(sealed + size - 8, XXH3_64bits(state, size - 8));
    write_bytes("saved/state", sealed, size);
}

/* Leaves a checkpoint after ply 2. */
static void interrupt_early(void)
{
    board = index_of((struct nk_board){3, 3, 3, 3, NK_WIN_LINE});
    interrupt(3, false);
}

/* The rows of that checkpoint. */
static struct bytes saved_rows(void)
{
    const struct bytes rows = read_bytes("saved/log.0");
    memmove(rows.data, rows.data + MAGIC, rows.size - MAGIC);
    return (struct bytes){rows.data, rows.size - MAGIC};
}

/* Writes rows and right checksums of them, as the losses of two plies. */
static void write_rows(struct bytes state, const uint8_t *rows, size_t length)
{
    put64(state.data + AT_LOSSES, length);
    put64(state.data + AT_LOSSES + 8, XXH3_64bits(rows, length));
    put64(state.data + AT_LOSSES + 24, 0);
    write_bytes("saved/log.0", rows, length);
    write_state(state.data, state.size);
}

/* Changes every byte of a file, and cuts it there; all of that is noticed. */
static void damage_each_byte(const char *path)
{
    AUTO_BYTES file = read_bytes(path);
    for (size_t at = 0; at < file.size; at++) {
        write_bytes(path, file.data, at);
        try(NK_E_CORRUPT, path);
        file.data[at] ^= 1 << at % 8;
        write_bytes(path, file.data, file.size);
        try(NK_E_CORRUPT, path);
        file.data[at] ^= 1 << at % 8;
    }
    write_bytes(path, file.data, file.size);
    try(NK_OK, "");
}

Test(checkpoint, rejects_damage_of_its_state)
{
    interrupt_early();
    damage_each_byte("saved/state");
}

/* It has no more than the rows. */
Test(checkpoint, rejects_damage_of_its_log)
{
    interrupt_early();
    AUTO_BYTES state = read_bytes("saved/state"), rows = saved_rows();
    write_rows(state, rows.data, rows.size);
    damage_each_byte("saved/log.0");
}

/* Rows that are changed, cut or followed by others, of no column or of one that does not exist. */
Test(checkpoint, rejects_other_rows_with_right_checksums)
{
    static const uint8_t more[][4] = {{0, 1, 1, 1}, {84, 1, 1, 1}, {255, 255, 255, 255}};
    uint8_t longer[1000];
    interrupt_early();
    AUTO_BYTES state = read_bytes("saved/state"), rows = saved_rows();
    for (size_t at = 0; at < rows.size; at++) {
        write_rows(state, rows.data, at);
        try(NK_E_CORRUPT, "");
        rows.data[at] ^= 1 << at % 8;
        write_rows(state, rows.data, rows.size);
        try(NK_E_CORRUPT, "");
        rows.data[at] ^= 1 << at % 8;
    }
    for (size_t i = 0; i < COUNT(more); i++) {
        memcpy(longer, rows.data, rows.size);
        memcpy(longer + rows.size, more[i], sizeof more[i]);
        write_rows(state, longer, rows.size + sizeof more[i]);
        try(NK_E_CORRUPT, "");
    }
    write_rows(state, rows.data, rows.size);
    try(NK_OK, "");
}

Test(checkpoint, reports_that_its_log_is_missing)
{
    interrupt_early();
    cr_assert(!remove("saved/log.0"));
    try(NK_E_READ, "saved/log.0");
}

Test(checkpoint, rejects_an_invalid_state)
{
    static const char contradicts[] = "saved: the record contradicts the rules",
                      damaged[] = "saved/state: damaged";
    /* Each differs from the board of the last checkpoint in one number. */
    static const struct nk_board others[] = {{3, 3, 4, 3, NK_WIN_LINE},
                                             {4, 4, 4, 3, NK_WIN_LINE},
                                             {4, 3, 3, 3, NK_WIN_LINE},
                                             {4, 3, 4, 4, NK_WIN_LINE},
                                             {4, 3, 4, 3, NK_WIN_DIAGONAL}};
    static const struct {
        int at;
        uint32_t value;
        const char *message;
        size_t size;
    } cases[] = {
        {AT_VERSION, 1, "saved/state: a checkpoint of version 1; this program reads version 3", SIZE},
        {AT_NUMBERS, 513, damaged, SIZE},
        {AT_WIN, NK_WIN_RULES, "saved: a checkpoint of another game: --board 3x3 ", SIZE},
        {AT_WIN, NK_WIN_DIAGONAL, " --pieces 3 --row 3 --win diagonal: finish that analysis", SIZE},
        {AT_COMPLETE, 2, damaged, SIZE},
        {AT_PLY, 4, damaged, SIZE},
        {AT_PLY, NK_MAX_PLIES + 1, damaged, LARGER},
        {AT_PLY + 4, UINT32_MAX, damaged, SIZE},
        {AT_PLY, 2, damaged, SIZE - 1},
        {AT_PLY, 2, damaged, SIZE - 64 - 8},
        /* A section that cannot be in the file, and a file that is not there. */
        {AT_LOSSES + 4, 1 << 30, "saved/log.0: damaged", SIZE},
        {AT_LOSSES + 28, 1, "saved/log.0: damaged", SIZE},
        {AT_LOSSES - 4, 1, "saved/log.0: damaged", SIZE}, /* an empty one, behind which the next would be */
        {AT_LOSSES + 16, 7, "saved/log.7: No such file", SIZE},
        /* Counts that are not those of the rules. */
        {AT_STALEMATES, 1, contradicts, SIZE},
        {AT_BY_PLIES, 147, contradicts, SIZE},
        {AT_BY_PLIES + 16, 99, contradicts, SIZE},
    };
    interrupt_early();
    AUTO_BYTES state = read_bytes("saved/state");
    cr_assert_eq(state.size, SIZE);
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint8_t changed[LARGER] = {0};
        memcpy(changed, state.data, SIZE);
        put32(changed + cases[i].at, cases[i].value);
        write_state(changed, cases[i].size);
        try(cases[i].at == AT_LOSSES + 16 ? NK_E_READ : NK_E_CORRUPT, cases[i].message);
    }
    write_state(state.data, state.size);
    try(NK_OK, "");
    cr_assert(!remove("saved/state"));
    nk_index_free(board);
    board = index_of((struct nk_board){4, 3, 4, 3, NK_WIN_LINE});
    interrupt(1, false);
    AUTO_BYTES first = read_bytes("saved/state");
    put32(first.data + AT_BY_PLIES, 0);
    write_state(first.data, first.size);
    try(NK_E_CORRUPT, contradicts);
    for (size_t i = 0; i < COUNT(others); i++) {
        nk_index_free(board);
        board = index_of(others[i]);
        try(NK_E_CORRUPT, "another game: --board 4x3 --pieces 4 --row 3 --win line: finish that analysis");
    }
}

/* ---- the directory ---- */

Test(checkpoint, removes_the_directory_that_it_created)
{
    board = index_of(STANDARD);
    close_losses(open_saved());
    cr_assert_eq(access("saved/log.0", F_OK), 0, "it is not empty");
    cr_assert(!remove("saved/log.0"));
    cr_assert(!rmdir("saved"));
    struct nk_losses *losses = open_saved();
    nk_checkpoint_remove(losses->storage);
    close_losses(losses);
    cr_assert_eq(access("saved", F_OK), -1);
    nk_index_free(board);
}

/* What has the name of a file of a checkpoint and is none, such as one that is too short, is refused and stays. */
static void keep_foreign_file(const char *path, const char *content, size_t size)
{
    write_bytes(path, content, size);
    try(NK_E_CORRUPT, "not a file of a checkpoint: name another directory");
    AUTO_BYTES kept = read_bytes(path);
    cr_assert_eq(kept.size, size);
    cr_assert_arr_eq(kept.data, content, size);
    cr_assert(!remove(path));
}

/* Files of others stay, one that another process is writing among them, and a directory that existed before. */
Test(checkpoint, locks_the_directory_and_removes_only_its_own_files)
{
    static const char *const others[] = {"saved/notes", "saved/log",   "saved/log.0.old",
                                         "saved/log.x", "saved/log.1", "saved/.new-1-0"};
    static const char *const own[] = {"saved/state", "saved/log.0"};
    struct nk_writer *writer;
    struct nk_losses *second;
    struct nk_error error;
    board = index_of(STANDARD);
    cr_assert(!mkdir("saved", 0777));
    for (size_t i = 0; i < COUNT(others); i++)
        write_bytes(others[i], "mine", 4);
    cr_assert(!symlink("nowhere", "saved/log.4")); /* it cannot be read */
    write_bytes("saved/log.3", "\x89NKC\r\n\x1a\nleft over", MAGIC + 9);
    for (size_t i = 0; i < COUNT(own); i++) {
        keep_foreign_file(own[i], "mine", 4);
        for (size_t length = 1; length < MAGIC; length++)
            keep_foreign_file(own[i], "\x89NKC\r\n\x1a", length);
    }
    cr_assert(!nk_writer_open("saved/table.dat", true, &writer, NULL));
    interrupt(5, true);
    struct nk_losses *first = open_saved();
    cr_assert_eq(open_losses("saved", board, &second, &error), NK_E_BUSY);
    cr_assert_str_eq(error.text, "saved: another run uses this directory: wait for it, or name another one");
    nk_checkpoint_remove(first->storage);
    close_losses(first);
    cr_assert(!nk_writer_commit(writer, NULL, NULL));
    cr_assert_eq(files_in("saved"), COUNT(others) + 2, "these, the link and the table");
    cr_assert(!remove("saved/log.4"));
    for (size_t i = 0; i < COUNT(others); i++)
        cr_assert(!remove(others[i]));
}
