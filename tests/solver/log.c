/* The log of an analysis: what it keeps, and interrupted analyses that are resumed from it. */

#include "tests/support.h"

#include "common/file.h"
#include "common/table_format.h"
#include "solver/log.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

TestSuite(log, .init = enter_directory, .fini = leave_directory);

static struct nk_index *board;

static struct nk_log *open_saved(void)
{
    struct nk_log *log;
    struct nk_error error;
    cr_assert(!nk_log_open("saved", board, &log, &error), "%s", error.text);
    return log;
}

/* Removes what the log has in its directory. */
static void remove_saved(void)
{
    struct nk_log *log = open_saved();
    nk_log_remove(log);
    nk_log_close(log);
}

/* ---- rows ---- */

struct rows {
    nk_lanes *rows;
    uint8_t *nonempty;
    uint32_t seen;
};

static bool compare_row(void *context, uint8_t code, uint32_t row, const nk_lanes *lanes)
{
    struct rows *rows = context;
    for (; rows->seen < row; rows->seen++)
        cr_assert(!rows->nonempty[rows->seen], "row %u is missing", rows->seen);
    cr_assert(rows->nonempty[row], "row %u should not be there", row);
    cr_assert_eq(code, nk_code_loss(2));
    cr_assert_arr_eq(lanes, &rows->rows[row], sizeof *lanes);
    rows->seen++;
    return true;
}

/* Rows with one bit to all of them, and gaps of all lengths that need one to three bytes. */
static struct rows some_rows(uint32_t count, uint64_t random)
{
    struct rows some = {calloc(count, sizeof *some.rows), calloc(count, 1), 0};
    cr_assert(some.rows && some.nonempty);
    for (uint32_t r = 0, gap = 1; r < count; r += gap) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        for (int w = 0; w < NK_LANE_WORDS; w++) {
            const uint64_t byte = UINT64_C(255) << (random >> 53 & 56);
            const uint64_t words[] = {0, nk_bit(r % 64), byte & random, random, UINT64_MAX};
            some.rows[r].word[w] = words[(random >> (20 + 4 * w)) % COUNT(words)];
        }
        some.rows[r].word[r % NK_LANE_WORDS] |= 1;
        some.nonempty[r] = 1;
        gap = random >> 60 == 0 ? 20000 : random >> 59 == 2 ? 200 : (uint32_t)(random >> 62) + 1;
    }
    return some;
}

Test(log, keeps_all_rows)
{
    board = index_of((struct board){7, 7, 4, 3, NK_WIN_LINE});
    struct rows some = some_rows(board->configurations, 1);
    for (int in_directory = 0; in_directory < 2; in_directory++) {
        struct nk_log *log;
        cr_assert(!nk_log_open(in_directory ? "saved" : NULL, board, &log, NULL));
        for (uint32_t slice = 0; slice < 3; slice += 2)
            nk_log_append(log, nk_code_loss(2), slice, some.rows, some.nonempty);
        cr_assert(!nk_log_commit(log, nk_code_loss(2), &(struct nk_log_state){.ply = 2}, NULL));
        if (in_directory) {
            nk_log_close(log);
            log = open_saved();
        }
        cr_assert_eq(log->state.ply, 2);
        for (uint32_t slice = 0; slice < 3; slice++) {
            some.seen = 0;
            cr_assert(!nk_log_read(log, slice, NK_CODE_DRAW, UINT8_MAX, compare_row, &some, NULL));
            cr_assert_eq(some.seen > 0, slice != 1);
        }
        nk_log_close(log);
    }
    free(some.rows);
    free(some.nonempty);
}

/* ---- interrupted analyses ---- */

static void stop_at(void *context, int ply, uint64_t decided)
{
    const int *last = context;
    (void)decided;
    if (ply == *last)
        _exit(0);
}

/* Solves in a process that ends after deciding `ply`, and leaves its log in "saved". */
static void interrupt_at(int ply)
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        struct nk_solution *solution;
        struct nk_solve_options options = {
            .progress = stop_at, .context = &ply, .threads = 1 + ply % 3, .has_set_files = ply % 2};
        if (!nk_log_open("saved", board, &options.log, NULL))
            nk_solve(board, &options, &solution, NULL);
        _exit(1);
    }
    cr_assert(child > 0 && waitpid(child, &status, 0) == child && status == 0, "ply %d", ply);
}

/* Resumes from "saved" and compares the solution. */
static void check_resume(const struct solved *expected, const char *what)
{
    struct nk_solution *solution;
    struct nk_error error;
    struct nk_solve_options options = {.log = open_saved()};
    cr_assert(!nk_solve(board, &options, &solution, &error), "%s: %s", what, error.text);
    cr_assert(is_same_solution(expected, solution), "%s", what);
    nk_log_close(options.log);
}

/* Each run resumes from where the one before was interrupted. */
Test(log, resumes_from_every_ply, .timeout = 600)
{
    static const struct {
        struct board board;
        int step;
    } runs[] = {
        {{5, 5, 3, 3, NK_WIN_LINE}, 4},
        {{3, 3, 4, 3, NK_WIN_LINE}, 1}, /* with stalemates */
        {{8, 8, 2, 2, NK_WIN_LINE}, 1},
        {{8, 3, 3, 3, NK_WIN_LINE}, 3}, /* two slices */
    };
    for (size_t i = 0; i < COUNT(runs); i++) {
        AUTO_SOLVED s = solve_board(runs[i].board);
        board = s.index;
        for (int ply = 1; ply <= (int)s.solution->summary.longest; ply += is_thorough() ? 1 : runs[i].step) {
            interrupt_at(ply);
            struct nk_log *log = open_saved();
            cr_assert_eq(log->state.ply, ply - 1);
            nk_log_close(log);
        }
        check_resume(&s, board_text(runs[i].board).s);
        check_resume(&s, "the complete log");
        remove_saved();
    }
}

/* ---- damage ---- */

/* Tries to resume from "saved". After a failure nothing in it has changed. */
static enum nk_status try(struct nk_error *error)
{
    struct nk_solve_options options = {0};
    struct nk_solution *solution = NULL;
    const int files = files_in("saved");
    enum nk_status status = nk_log_open("saved", board, &options.log, error);
    if (!status) {
        status = nk_solve(board, &options, &solution, error);
        if (!status)
            nk_solution_free(solution);
        nk_log_close(options.log);
    }
    if (status)
        cr_assert_eq(files_in("saved"), files);
    return status;
}

static void reject(enum nk_status expected, const char *message, const char *what)
{
    struct nk_error error;
    cr_assert_eq(try(&error), expected, "%s", what);
    cr_assert(strstr(error.text, message), "%s: %s", what, error.text);
}

/* Changes every byte of a file, and truncates the file to every length. */
static void check_damage(const char *path)
{
    AUTO_BYTES file = read_bytes(path);
    for (size_t at = 0; at < file.size; at++) {
        file.data[at] ^= 1 << at % 8;
        write_bytes(path, file.data, file.size);
        reject(NK_E_CORRUPT, path, "a changed byte");
        file.data[at] ^= 1 << at % 8;
        write_bytes(path, file.data, at);
        reject(NK_E_CORRUPT, path, "truncated");
    }
    cr_assert(!remove(path) && !mkdir(path, 0777));
    reject(NK_E_READ, path, "a directory");
    cr_assert(!rmdir(path));
    if (!strstr(path, "state"))
        reject(NK_E_READ, path, "missing");
    write_bytes(path, file.data, file.size);
}

Test(log, rejects_all_damage)
{
    AUTO_SOLVED s = solve_board((struct board){3, 3, 3, 3, NK_WIN_LINE});
    board = s.index;
    interrupt_at(5);
    check_damage("saved/log.0");
    check_damage("saved/state");
    check_resume(&s, "after the damage");
}

/* The file `state`, as solver/store.c and struct nk_log_state have it, after ply 2 of a board with one slice. */
enum {
    AT_VERSION = 8,
    AT_NUMBERS = 12,
    AT_WIN = 20,
    AT_COMPLETE = 24,
    AT_PLY = 32,
    AT_DISTANCES = 64,
    AT_LOSSES = AT_DISTANCES + 8 * (NK_MAX_PLIES + 1) + 32, /* the section; that of draws is before it */
    SIZE = AT_LOSSES + 32 + 8
};

static void write_state(struct bytes state)
{
    nk_put64(state.data + state.size - 8, XXH3_64bits(state.data, state.size - 8));
    write_bytes("saved/state", state.data, state.size);
}

Test(log, rejects_an_invalid_state)
{
    static const struct {
        int at;
        uint32_t value;
        size_t size;
        const char *message;
    } cases[] = {
        {AT_VERSION, 1, SIZE, "saved/state: a checkpoint of version 1; this program reads version 3"},
        {AT_NUMBERS, 513, SIZE, "saved/state: damaged"},
        {AT_WIN, NK_WIN_RULES, SIZE, "saved: a checkpoint of another game: --board 3x3 "},
        {AT_COMPLETE, 2, SIZE, "saved/state: damaged"},
        {AT_PLY, 4, SIZE, "saved/state: damaged"},
        {AT_PLY + 4, UINT32_MAX, SIZE, "saved/state: damaged"},
        {AT_PLY, 2, SIZE - 32, "saved/state: damaged"},
        {AT_PLY, 2, SIZE - 1, "saved/state: damaged"},
        {AT_PLY, 2, SIZE - 64 - 8, "saved/state: damaged"},
        /* A section that cannot be in the file, and a file that is not there. */
        {AT_LOSSES + 4, 1 << 30, SIZE, "saved/log.0: damaged"},
        {AT_LOSSES + 28, 1, SIZE, "saved/log.0: damaged"},
        {AT_LOSSES + 16, 7, SIZE, "saved/log.7: No such file"},
        /* Counts that are not those of the rules. */
        {AT_PLY, 3, SIZE, "saved: the log contradicts the rules"},
        {AT_DISTANCES, 147, SIZE, "saved: the log contradicts the rules"},
        {AT_DISTANCES + 8, 625, SIZE, "saved: the log contradicts the rules"},
        {AT_DISTANCES + 16, 99, SIZE, "saved: the log contradicts the rules"},
    };
    board = index_of((struct board){3, 3, 3, 3, NK_WIN_LINE});
    interrupt_at(3);
    AUTO_BYTES state = read_bytes("saved/state");
    cr_assert_eq(state.size, SIZE);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nk_error error;
        uint8_t changed[SIZE];
        memcpy(changed, state.data, sizeof changed);
        nk_put32(changed + cases[i].at, cases[i].value);
        write_state((struct bytes){changed, cases[i].size});
        cr_assert(try(&error), "%s", cases[i].message);
        cr_assert(strstr(error.text, cases[i].message), "%s", error.text);
    }
    write_state(state);
    cr_assert_eq(try(NULL), NK_OK);
}

/* Writes these bytes, and `more` after them, as the losses of two plies. */
static enum nk_status try_rows(struct bytes state, struct bytes rows, struct bytes more)
{
    uint8_t *section = state.data + AT_LOSSES, bytes[1000];
    const size_t length = rows.size + more.size;
    cr_assert_leq(length, sizeof bytes);
    memcpy(bytes, rows.data, rows.size);
    memcpy(bytes + rows.size, more.data, more.size);
    nk_put64(section, length);
    nk_put64(section + 8, XXH3_64bits(bytes, length));
    write_bytes("saved/log.0", bytes, length);
    write_state(state);
    return try(NULL);
}

/* Rows with right checksums that cannot be right. */
Test(log, rejects_invalid_rows)
{
    static uint8_t rows_after[][4] = {{0, 1, 1, 1}, {84, 1, 1, 1}, {255, 255, 255, 255}};
    static const struct bytes none = {(uint8_t *)"", 0};
    board = index_of((struct board){3, 3, 3, 3, NK_WIN_LINE});
    interrupt_at(3);
    AUTO_BYTES state = read_bytes("saved/state"), rows = read_bytes("saved/log.0");
    for (size_t at = 0; at < rows.size; at++)
        for (int bit = 0; bit < 8; bit++) {
            rows.data[at] ^= 1 << bit;
            cr_assert_eq(try_rows(state, rows, none), NK_E_CORRUPT, "byte %zu, bit %d", at, bit);
            rows.data[at] ^= 1 << bit;
        }
    for (size_t length = 1; length < rows.size; length++)
        cr_assert_eq(try_rows(state, (struct bytes){rows.data, length}, none), NK_E_CORRUPT);
    for (size_t i = 0; i < COUNT(rows_after); i++)
        cr_assert_eq(try_rows(state, rows, (struct bytes){rows_after[i], 4}), NK_E_CORRUPT);
    cr_assert_eq(try_rows(state, rows, none), NK_OK);
}

/* ---- the directory ---- */

Test(log, locks_the_directory)
{
    board = index_of(STANDARD);
    struct nk_log *first = open_saved(), *second;
    struct nk_error error;
    cr_assert_eq(nk_log_open("saved", board, &second, &error), NK_E_WRITE);
    cr_assert_str_eq(error.text, "saved: another run uses this directory: wait for it, or name another one");
    nk_log_close(first);
    nk_log_close(open_saved());
}

Test(log, removes_the_directory_that_it_made)
{
    board = index_of(STANDARD);
    interrupt_at(1); /* before the first ply was saved */
    remove_saved();
    cr_assert(access("saved", F_OK));
}

/* Files of others stay, one that another process is writing among them, and a directory that existed before. */
Test(log, removes_only_its_own_files)
{
    static const char *const others[] = {"saved/notes", "saved/log", "saved/log.0.old", "saved/log.x",
                                         "saved/.new-1-0"};
    char unfinished[40];
    board = index_of(STANDARD);
    struct nk_writer *writer;
    cr_assert(!mkdir("saved", 0777));
    for (size_t i = 0; i < COUNT(others); i++)
        write_bytes(others[i], "mine", 4);
    snprintf(unfinished, sizeof unfinished, "saved/.new-%016llx-0",
             (unsigned long long)XXH3_64bits("state", strlen("state")));
    write_bytes(unfinished, "left over", 9);
    write_bytes("saved/log.3", "left over", 9);
    cr_assert(!nk_writer_open("saved/table.dat", &writer, NULL) &&
              !nk_writer_append(writer, "mine", 4, NULL));
    interrupt_at(5);
    cr_assert_eq(files_in("saved"), COUNT(others) + 4, "these, the table, state and two files of the log");
    remove_saved();
    cr_assert(!nk_writer_close(writer, NULL, NULL));
    AUTO_BYTES table = read_bytes("saved/table.dat");
    cr_assert_str_eq((char *)table.data, "mine");
    for (size_t i = 0; i < COUNT(others); i++)
        cr_assert(!remove(others[i]));
    cr_assert_eq(files_in("saved"), 1);
    cr_assert(!remove("saved/table.dat"));
    remove_saved();
    cr_assert_eq(files_in("saved"), 0);
}
