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

static bool copy_row(void *context, uint8_t code, uint32_t row, const nk_lanes *lanes)
{
    ((nk_lanes *)context)[row] = *lanes;
    return code == nk_code_loss(2);
}

/* Words with no, some and all bytes, and gaps that need one to three bytes. */
Test(log, keeps_all_rows)
{
    static const uint32_t gaps[] = {1, 2, 127, 128, 129, 300, 16384, 16385, 20000};
    static const uint64_t words[] = {0, 1, UINT64_C(255) << 56, UINT64_C(0x0100ff00a5000080), UINT64_MAX};
    board = index_of((struct board){7, 7, 4, 3, NK_WIN_LINE});
    const size_t count = board->configurations, size = count * sizeof(nk_lanes);
    nk_lanes *rows = calloc(1, size), *none = calloc(1, size), *read = malloc(size);
    uint8_t *nonempty = calloc(count, 1);
    for (size_t r = 0, i = 0; r < count; r += gaps[i++ % COUNT(gaps)]) {
        nonempty[r] = 1;
        for (size_t w = 0; w < NK_LANE_WORDS; w++)
            rows[r].word[w] = words[(i / COUNT(gaps) + w * i + 1) % COUNT(words)];
    }
    struct nk_log *log = open_saved();
    for (uint32_t slice = 0; slice < 3; slice += 2)
        nk_log_append(log, nk_code_loss(2), slice, rows, nonempty);
    cr_assert(!nk_log_commit(log, nk_code_loss(2), &(struct nk_log_state){.ply = 2}, NULL));
    nk_log_close(log);
    log = open_saved();
    cr_assert_eq(log->state.ply, 2);
    for (uint32_t slice = 0; slice < 3; slice++) {
        memset(read, 0, size);
        cr_assert(!nk_log_read(log, slice, NK_CODE_DRAW, UINT8_MAX, copy_row, read, NULL));
        cr_assert_arr_eq(read, slice == 1 ? none : rows, size);
    }
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

/* Tries to resume from "saved", and expects this status and message. After a failure nothing there has changed. */
static void try(enum nk_status expected, const char *message)
{
    struct nk_solve_options options = {0};
    struct nk_solution *solution = NULL;
    struct nk_error error = {0};
    const int files = files_in("saved");
    enum nk_status status = nk_log_open("saved", board, &options.log, &error);
    if (!status) {
        status = nk_solve(board, &options, &solution, &error);
        nk_solution_free(solution);
        nk_log_close(options.log);
    }
    cr_assert(status == expected && strstr(error.text, message), "%s: %d, %s", message, status, error.text);
    cr_assert(!status || files_in("saved") == files);
}

/* Changes every byte of the files, truncates them to every length, and removes one. */
Test(log, rejects_all_damage)
{
    static const char *const paths[] = {"saved/state", "saved/log.0"};
    AUTO_SOLVED s = solve_board((struct board){3, 3, 3, 3, NK_WIN_LINE});
    board = s.index;
    interrupt_at(5);
    for (size_t i = 0; i < COUNT(paths); i++) {
        AUTO_BYTES file = read_bytes(paths[i]);
        for (size_t at = 0; at < file.size; at++) {
            file.data[at] ^= 1 << at % 8;
            write_bytes(paths[i], file.data, file.size);
            try(NK_E_CORRUPT, paths[i]);
            file.data[at] ^= 1 << at % 8;
            write_bytes(paths[i], file.data, at);
            try(NK_E_CORRUPT, paths[i]);
        }
        write_bytes(paths[i], file.data, file.size);
    }
    cr_assert(!rename("saved/log.0", "log"));
    try(NK_E_READ, "saved/log.0");
    cr_assert(!rename("log", "saved/log.0"));
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
    SIZE = AT_LOSSES + 32 + 8,
    LARGER = SIZE + 32 * ((NK_MAX_PLIES + 1) / 2 - 1) /* after more plies than there can be */
};

/* Leaves a checkpoint after ply 2. */
static void interrupt_early(void)
{
    board = index_of((struct board){3, 3, 3, 3, NK_WIN_LINE});
    interrupt_at(3);
}

static void write_state(struct bytes state)
{
    nk_put64(state.data + state.size - 8, XXH3_64bits(state.data, state.size - 8));
    write_bytes("saved/state", state.data, state.size);
}

Test(log, rejects_an_invalid_state)
{
    static const char contradicts[] = "saved: the log contradicts the rules";
    static const struct {
        int at;
        uint32_t value;
        const char *message; /* NULL: that the state is damaged */
        size_t size;
    } cases[] = {
        {AT_VERSION, 1, "saved/state: a checkpoint of version 1; this program reads version 3", SIZE},
        {AT_NUMBERS, 513, NULL, SIZE},
        {AT_WIN, NK_WIN_RULES, "saved: a checkpoint of another game: --board 3x3 ", SIZE},
        {AT_WIN, NK_WIN_DIAGONAL, " --pieces 3 --row 3 --win diagonal: finish that analysis", SIZE},
        {AT_COMPLETE, 2, NULL, SIZE},
        {AT_PLY, 4, NULL, SIZE},
        {AT_PLY, NK_MAX_PLIES + 1, NULL, LARGER},
        {AT_PLY + 4, UINT32_MAX, NULL, SIZE},
        {AT_PLY, 2, NULL, SIZE - 1},
        {AT_PLY, 2, NULL, SIZE - 32},
        {AT_PLY, 2, NULL, SIZE - 64 - 8},
        /* A section that cannot be in the file, and a file that is not there. */
        {AT_LOSSES + 4, 1 << 30, "saved/log.0: damaged", SIZE},
        {AT_LOSSES + 28, 1, "saved/log.0: damaged", SIZE},
        {AT_LOSSES + 16, 7, "saved/log.7: No such file", SIZE},
        /* Counts that are not those of the rules. */
        {AT_PLY, 3, contradicts, SIZE},
        {AT_DISTANCES, 147, contradicts, SIZE},
        {AT_DISTANCES + 8, 625, contradicts, SIZE},
        {AT_DISTANCES + 16, 99, contradicts, SIZE},
    };
    interrupt_early();
    AUTO_BYTES state = read_bytes("saved/state");
    cr_assert_eq(state.size, SIZE);
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint8_t changed[LARGER] = {0};
        memcpy(changed, state.data, SIZE);
        nk_put32(changed + cases[i].at, cases[i].value);
        write_state((struct bytes){changed, cases[i].size});
        try(cases[i].at == AT_LOSSES + 16 ? NK_E_READ : NK_E_CORRUPT,
            cases[i].message ? cases[i].message : "saved/state: damaged");
    }
    write_state(state);
    try(NK_OK, "");
}

/* A log in which all wins so far have the largest distance: what else there is would have a larger one. */
Test(log, ends_before_a_distance_that_no_table_can_hold)
{
    interrupt_early();
    struct nk_log *log = open_saved();
    struct nk_log_state state = log->state;
    state.by_distance[NK_MAX_PLIES] = 624 + 168;
    state.by_distance[1] = 0;
    state.ply = NK_MAX_PLIES;
    cr_assert(!nk_log_commit(log, NK_CODE_WIN, &state, NULL));
    nk_log_close(log);
    try(NK_E_LIMIT, "lasts longer than the 507 plies");
}

/* Writes rows with right checksums, as the losses of two plies. */
static void try_rows(enum nk_status expected, struct bytes state, const uint8_t *rows, size_t length)
{
    nk_put64(state.data + AT_LOSSES, length);
    nk_put64(state.data + AT_LOSSES + 8, XXH3_64bits(rows, length));
    write_bytes("saved/log.0", rows, length);
    write_state(state);
    try(expected, "");
}

Test(log, rejects_invalid_rows)
{
    static const uint8_t more[][4] = {{0, 1, 1, 1}, {84, 1, 1, 1}, {255, 255, 255, 255}};
    uint8_t rows[1000];
    interrupt_early();
    AUTO_BYTES state = read_bytes("saved/state"), right = read_bytes("saved/log.0");
    memcpy(rows, right.data, right.size);
    for (size_t bit = 0; bit < 8 * right.size; bit++) {
        rows[bit / 8] ^= 1 << bit % 8;
        try_rows(NK_E_CORRUPT, state, rows, right.size);
        rows[bit / 8] ^= 1 << bit % 8;
    }
    for (size_t length = 1; length < right.size; length++)
        try_rows(NK_E_CORRUPT, state, rows, length);
    for (size_t i = 0; i < COUNT(more); i++) {
        memcpy(rows + right.size, more[i], sizeof more[i]);
        try_rows(NK_E_CORRUPT, state, rows, right.size + sizeof more[i]);
    }
    try_rows(NK_OK, state, rows, right.size);
}

/* ---- the directory ---- */

Test(log, locks_the_directory_and_removes_what_it_made)
{
    board = index_of(STANDARD);
    interrupt_at(1); /* before the first ply was saved */
    struct nk_log *first = open_saved(), *second;
    struct nk_error error;
    cr_assert_eq(nk_log_open("saved", board, &second, &error), NK_E_WRITE);
    cr_assert_str_eq(error.text, "saved: another run uses this directory: wait for it, or name another one");
    nk_log_close(first);
    remove_saved();
    cr_assert(access("saved", F_OK));
}

/* Files of others stay, one that another process is writing among them, and a directory that existed before. */
Test(log, removes_only_its_own_files)
{
    static const char *const others[] = {"saved/notes", "saved/log", "saved/log.0.old", "saved/log.x",
                                         "saved/.new-1-0"};
    char unfinished[40];
    struct nk_writer *writer;
    board = index_of(STANDARD);
    snprintf(unfinished, sizeof unfinished, "saved/.new-%016llx-0",
             (unsigned long long)XXH3_64bits("state", strlen("state")));
    cr_assert(!mkdir("saved", 0777));
    for (size_t i = 0; i < COUNT(others); i++)
        write_bytes(others[i], "mine", 4);
    write_bytes(unfinished, "left over", 9);
    write_bytes("saved/log.3", "left over", 9);
    cr_assert(!nk_writer_open("saved/table.dat", &writer, NULL));
    interrupt_at(5);
    cr_assert_eq(files_in("saved"), COUNT(others) + 4, "these, the table, state and two files of the log");
    remove_saved();
    cr_assert(!nk_writer_close(writer, NULL, NULL));
    for (size_t i = 0; i < COUNT(others); i++)
        cr_assert(!remove(others[i]));
    cr_assert(!remove("saved/table.dat"));
    remove_saved();
    cr_assert_eq(files_in("saved"), 0);
}
