/* Interrupted analyses: gone on from at every ply, damaged, of another board, without room. */

#include "support.h"

#include "common/file.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(checkpoint, .init = enter_directory, .fini = leave_directory);

static void stop_at(void *context, int ply, uint64_t decided)
{
    const int *last = context;
    (void)decided;
    if (ply == *last)
        _exit(0);
}

static void never_warn(void *context, const struct nk_error *error)
{
    (void)context;
    cr_assert(false, "%s", error->text);
}

/* Solves in a process that ends when it comes to `ply`, and leaves its checkpoint in "saved". */
static void interrupt_at(const struct nk_index *index, int ply)
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        struct nk_solution *solution;
        struct nk_solve_options options = {.progress = stop_at, .context = &ply};
        if (!nk_solve_checkpoint(index, "saved", 0, &options.checkpoint, NULL))
            nk_solve(index, &options, &solution, NULL);
        _exit(1);
    }
    cr_assert(child > 0 && waitpid(child, &status, 0) == child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "ply %d", ply);
}

static struct nk_checkpoint *open_saved(const struct nk_index *index, int seconds)
{
    struct nk_checkpoint *checkpoint;
    struct nk_error error;
    cr_assert(!nk_solve_checkpoint(index, "saved", seconds, &checkpoint, &error), "%s", error.text);
    return checkpoint;
}

static void check_same(struct nk_solution *solution, const struct solved *expected, const char *what, int ply)
{
    uint8_t *codes;
    cr_assert(!nk_solution_codes(solution, &codes, NULL));
    cr_assert_arr_eq(codes, expected->codes, expected->index->entries, "%s: ply %d", what, ply);
    cr_assert_arr_eq(solution->by_distance, expected->solution->by_distance, sizeof solution->by_distance);
    cr_assert_arr_eq(&solution->summary, &expected->solution->summary, sizeof solution->summary);
    cr_assert_eq(solution->example, expected->solution->example);
    free(codes);
}

/* Goes on from "saved" with these options and compares the solution. */
static void go_on(const struct solved *expected, struct nk_solve_options options, const char *what, int ply)
{
    struct nk_solution *solution;
    struct nk_error error;
    options.checkpoint = open_saved(expected->index, 1000);
    cr_assert(!nk_solve(expected->index, &options, &solution, &error), "%s: ply %d: %s", what, ply,
              error.text);
    check_same(solution, expected, what, ply);
    nk_checkpoint_close(options.checkpoint);
    nk_solution_free(solution);
}

static void remove_saved(const struct nk_index *index)
{
    struct nk_checkpoint *checkpoint = open_saved(index, 0);
    nk_checkpoint_remove(checkpoint);
    nk_checkpoint_close(checkpoint);
    cr_assert_neq(access("saved", F_OK), 0, "the directory should be gone");
}

Test(checkpoint, goes_on_from_every_ply)
{
    static const struct {
        struct board board;
        int step;
    } runs[] = {
        {{5, 5, 3, 3, NK_WIN_LINE}, 1},
        {{3, 3, 4, 3, NK_WIN_LINE}, 1}, /* with positions without a move */
        {{8, 8, 2, 2, NK_WIN_LINE}, 1},
        {{7, 5, 3, 3, NK_WIN_DIAGONAL}, 19}, /* several slices */
    };
    for (size_t i = 0; i < COUNT(runs); i++) {
        struct solved s = solve_board(runs[i].board);
        for (int ply = 1; ply <= (int)s.solution->summary.longest; ply += runs[i].step) {
            interrupt_at(s.index, ply); /* having gone on itself from the ply before */
            const uint64_t *by_distance;
            struct nk_checkpoint *checkpoint = open_saved(s.index, 0);
            cr_assert_eq(nk_checkpoint_ply(checkpoint, &by_distance), (ply - 1) / 2 * 2);
            nk_checkpoint_close(checkpoint);
            go_on(&s, (struct nk_solve_options){.threads = 1 + ply % 3, .warn = never_warn},
                  board_text(runs[i].board).s, ply);
        }
        remove_saved(s.index);
        solved_free(&s);
    }
}

static struct nk_index *index_of(struct board board)
{
    const struct nk_rules rules = rules_of(board);
    struct nk_index *index;
    cr_assert(!nk_index_make(&rules, &index));
    return index;
}

/* Tries to go on from "saved". Nothing in it may change. */
static enum nk_status try(const struct nk_index *index, struct nk_error *error)
{
    struct nk_solve_options options = {0};
    struct nk_solution *solution = NULL;
    const int files = files_in("saved");
    enum nk_status status = nk_solve_checkpoint(index, "saved", 1000, &options.checkpoint, error);
    if (!status) {
        status = nk_solve(index, &options, &solution, error);
        nk_checkpoint_close(options.checkpoint);
        if (!status)
            nk_solution_free(solution);
    }
    if (status)
        cr_assert_eq(files_in("saved"), files);
    return status;
}

/* Every byte of a file changed, and the file cut at every length. */
static void damage(const struct nk_index *index, const char *path)
{
    struct nk_error error;
    struct bytes file = read_bytes(path);
    for (size_t at = 0; at < file.size; at++) {
        file.data[at] ^= 1 << at % 8;
        write_bytes(path, file.data, file.size);
        cr_assert_eq(try(index, &error), NK_E_CORRUPT, "%s: byte %zu", path, at);
        cr_assert(strstr(error.text, path), "%s", error.text);
        file.data[at] ^= 1 << at % 8;
        write_bytes(path, file.data, at);
        cr_assert_eq(try(index, &error), NK_E_CORRUPT, "%s: cut at %zu", path, at);
    }
    file.data[file.size] = 0;
    write_bytes(path, file.data, file.size + 1);
    cr_assert_eq(try(index, &error), NK_E_CORRUPT, "%s: a byte too many", path);
    cr_assert(!remove(path));
    const bool is_state = strstr(path, "state") != NULL;
    cr_assert_eq(try(index, &error), is_state ? NK_OK : NK_E_READ, "%s: missing", path);
    write_bytes(path, file.data, file.size);
    free(file.data);
}

Test(checkpoint, refuses_all_damage)
{
    struct nk_index *index = index_of((struct board){3, 3, 3, 3, NK_WIN_LINE});
    interrupt_at(index, 3);
    damage(index, "saved/slice-00000.ply-002");
    cr_assert_eq(try(index, NULL), NK_OK);
    interrupt_at(index, 3);
    damage(index, "saved/state");
    nk_index_free(index);
}

/* A slice that is whole, but not what the state says. */
Test(checkpoint, refuses_a_slice_of_another_ply)
{
    struct nk_error error;
    struct nk_index *index = index_of(STANDARD);
    interrupt_at(index, 5);
    struct bytes old = read_bytes("saved/slice-00000.ply-004");
    interrupt_at(index, 9);
    write_bytes("saved/slice-00000.ply-008", old.data, old.size);
    cr_assert_eq(try(index, &error), NK_E_CORRUPT);
    cr_assert(strstr(error.text, "slice-00000.ply-008: damaged"), "%s", error.text);
    free(old.data);
    nk_index_free(index);
}

Test(checkpoint, refuses_another_game)
{
    static const struct board others[] = {
        {5, 4, 3, 3, NK_WIN_LINE}, {4, 5, 3, 3, NK_WIN_LINE},       {5, 5, 4, 3, NK_WIN_LINE},
        {5, 5, 3, 2, NK_WIN_LINE}, {5, 5, 3, 3, NK_WIN_ORTHOGONAL},
    };
    struct nk_index *index = index_of(STANDARD);
    interrupt_at(index, 9);
    for (size_t i = 0; i < COUNT(others); i++) {
        struct nk_index *other = index_of(others[i]);
        struct nk_error error;
        cr_assert_eq(try(other, &error), NK_E_CORRUPT);
        cr_assert(strstr(error.text, "another game: --board 5x5 --pieces 3 --row 3 --win line"), "%s",
                  error.text);
        nk_index_free(other);
    }
    struct solved s = solve_board(STANDARD);
    go_on(&s, (struct nk_solve_options){0}, "after all that", 9);
    solved_free(&s);
    nk_index_free(index);
}

Test(checkpoint, is_for_one_run_at_a_time)
{
    struct nk_index *index = index_of(STANDARD);
    struct nk_checkpoint *first = open_saved(index, 0), *second;
    struct nk_error error;
    cr_assert_eq(nk_solve_checkpoint(index, "saved", 0, &second, &error), NK_E_WRITE);
    cr_assert_str_eq(error.text, "saved: another run uses this directory");
    nk_checkpoint_close(first);
    nk_checkpoint_close(open_saved(index, 0));
    nk_index_free(index);
}

Test(checkpoint, refuses_what_is_no_directory)
{
    struct nk_index *index = index_of(STANDARD);
    struct nk_checkpoint *checkpoint;
    struct nk_error error;
    write_bytes("file", "", 0);
    cr_assert_eq(nk_solve_checkpoint(index, "file", 0, &checkpoint, &error), NK_E_READ);
    cr_assert_str_eq(error.text, "file: Not a directory");
    cr_assert_eq(nk_solve_checkpoint(index, "missing/saved", 0, &checkpoint, &error), NK_E_WRITE);
    nk_index_free(index);
}

/* What it did not put there stays. */
Test(checkpoint, removes_only_its_own)
{
    struct nk_index *index = index_of(STANDARD);
    cr_assert(!mkdir("saved", 0777));
    write_bytes("saved/notes", "mine", 4);
    write_bytes("saved/slice-of-cake", "mine", 4);
    write_bytes("saved/.new-1-0", "left over", 9);
    interrupt_at(index, 9);
    cr_assert_eq(files_in("saved"), 4, "state and a slice beside them, and nothing left over");
    struct nk_checkpoint *checkpoint = open_saved(index, 0);
    nk_checkpoint_remove(checkpoint);
    nk_checkpoint_close(checkpoint);
    cr_assert_eq(files_in("saved"), 2);
    nk_index_free(index);
}

static void count_warning(void *context, const struct nk_error *error)
{
    int *count = context;
    cr_assert_eq(error->status, NK_E_WRITE);
    cr_assert(strstr(error->text, "cannot write saved/") && strstr(error->text, "File too large"), "%s",
              error->text);
    (*count)++;
}

/* The disk is full at one place or another; the analysis goes on, and so does what was saved before. */
Test(checkpoint, goes_on_without_room)
{
    struct rlimit unlimited;
    struct solved s = solve_board(STANDARD);
    cr_assert(!getrlimit(RLIMIT_FSIZE, &unlimited));
    signal(SIGXFSZ, SIG_IGN);
    for (size_t room = 0; room < 20000; room = 3 * room / 2 + 1) {
        const struct rlimit limit = {room, unlimited.rlim_max};
        struct nk_solution *solution;
        int warnings = 0;
        interrupt_at(s.index, 9);
        struct nk_solve_options options = {
            .warn = count_warning, .context = &warnings, .checkpoint = open_saved(s.index, 0)};
        cr_assert(!setrlimit(RLIMIT_FSIZE, &limit));
        const enum nk_status status = nk_solve(s.index, &options, &solution, NULL);
        cr_assert(!setrlimit(RLIMIT_FSIZE, &unlimited));
        cr_assert(!status && warnings > 0, "%zu bytes: %d warnings", room, warnings);
        check_same(solution, &s, "a full disk", 9);
        nk_solution_free(solution);
        nk_checkpoint_close(options.checkpoint);
        cr_assert_eq(files_in("saved"), 2);
        go_on(&s, (struct nk_solve_options){.warn = never_warn}, "after a full disk", 9);
    }
    solved_free(&s);
}
