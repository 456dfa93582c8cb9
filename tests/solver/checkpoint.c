/* Interrupted analyses: resumed at every ply, with damaged checkpoints, on another board, on a full disk. */

#include "tests/support.h"

#include "common/file.h"
#include "common/table_format.h"
#include "solver/checkpoint.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

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

/* Solves in a process that ends at `ply` and leaves its checkpoint in "saved". */
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

/* Resumes from "saved" with these options and compares the solution. */
static void check_resume(const struct solved *expected, struct nk_solve_options options, const char *what,
                         int ply)
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

Test(checkpoint, resumes_from_every_ply)
{
    static const struct {
        struct board board;
        int step;
    } runs[] = {
        {{5, 5, 3, 3, NK_WIN_LINE}, 1},
        {{3, 3, 4, 3, NK_WIN_LINE}, 1}, /* with stalemates */
        {{8, 8, 2, 2, NK_WIN_LINE}, 1},
        {{7, 5, 3, 3, NK_WIN_DIAGONAL}, 19}, /* several slices */
    };
    for (size_t i = 0; i < COUNT(runs); i++) {
        struct solved s = solve_board(runs[i].board);
        for (int ply = 1; ply <= (int)s.solution->summary.longest; ply += runs[i].step) {
            interrupt_at(s.index, ply); /* this run itself resumed from the previous ply */
            const uint64_t *by_distance;
            struct nk_checkpoint *checkpoint = open_saved(s.index, 0);
            cr_assert_eq(nk_checkpoint_ply(checkpoint, &by_distance), (ply - 1) / 2 * 2);
            nk_checkpoint_close(checkpoint);
            check_resume(&s, (struct nk_solve_options){.threads = 1 + ply % 3, .warn = never_warn},
                         board_text(runs[i].board).s, ply);
        }
        remove_saved(s.index);
        solved_free(&s);
    }
}

/* Tries to resume from "saved". Nothing in it may change. */
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

/* Changes every byte of a file, and truncates the file to every length. */
static void check_damage(const struct nk_index *index, const char *path)
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
        cr_assert_eq(try(index, &error), NK_E_CORRUPT, "%s: truncated to %zu", path, at);
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

Test(checkpoint, rejects_all_damage)
{
    struct nk_index *index = index_of((struct board){3, 3, 3, 3, NK_WIN_LINE});
    interrupt_at(index, 3);
    check_damage(index, "saved/slice-00000.ply-002");
    cr_assert_eq(try(index, NULL), NK_OK);
    interrupt_at(index, 3);
    check_damage(index, "saved/state");
    nk_index_free(index);
}

/* A slice that is complete, but not the one in the state. */
Test(checkpoint, rejects_a_slice_of_another_ply)
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

/* ---- slices of any contents ---- */

enum { LARGE = (3 << 20) + 5 }; /* many chunks and a part of one */

static void produce_all(void *context, uint64_t offset, uint8_t *bytes, size_t length)
{
    memcpy(bytes, (const uint8_t *)context + offset, length);
}

static bool consume_all(void *context, uint64_t offset, const uint8_t *bytes, size_t length)
{
    cr_assert_leq(offset + length, LARGE);
    cr_assert_arr_eq(bytes, (const uint8_t *)context + offset, length);
    return true;
}

static bool reject_all(void *context, uint64_t offset, const uint8_t *bytes, size_t length)
{
    (void)context, (void)offset, (void)bytes, (void)length;
    return false;
}

/* Zeros, which compress to almost nothing, and noise, which compression makes longer. */
Test(checkpoint, keeps_large_slices)
{
    static const uint64_t sizes[] = {LARGE, 3 << 20, 1 << 20, 1};
    const struct nk_rules rules = rules_of(STANDARD);
    const uint64_t decided = 1;
    uint8_t *slices[2] = {calloc(LARGE, 1), malloc(LARGE)};
    uint64_t random = 1;
    cr_assert(slices[0] && slices[1]);
    for (size_t i = 0; i < LARGE; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        slices[1][i] = (uint8_t)(random >> 56);
    }
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct nk_checkpoint *checkpoint;
        struct nk_error error;
        cr_assert(!nk_checkpoint_open("saved", &rules, 2, sizes[i], 0, &checkpoint, NULL));
        for (uint32_t s = 0; s < 2; s++)
            cr_assert(!nk_checkpoint_save(checkpoint, 0, s, produce_all, slices[s], NULL));
        cr_assert(!nk_checkpoint_commit(checkpoint, 0, &decided, NK_OK, NULL));
        nk_checkpoint_close(checkpoint);
        cr_assert(!nk_checkpoint_open("saved", &rules, 2, sizes[i], 0, &checkpoint, NULL));
        for (uint32_t s = 0; s < 2; s++) {
            cr_assert(!nk_checkpoint_load(checkpoint, s, consume_all, slices[s], &error), "%s", error.text);
            cr_assert_eq(nk_checkpoint_load(checkpoint, s, reject_all, NULL, NULL), NK_E_CORRUPT);
        }
        nk_checkpoint_remove(checkpoint);
        nk_checkpoint_close(checkpoint);
    }
    free(slices[0]);
    free(slices[1]);
}

/* ---- invalid contents with correct checksums ---- */

/* The file `state`, as solver/checkpoint.c has it. */
enum { AT_VERSION = 8, AT_WIN = 16, AT_PLY = 20, AT_SLICES = 24, HEADER = 28 };

static void write_state(struct bytes state)
{
    nk_put64(state.data + state.size - 8, XXH3_64bits(state.data, state.size - 8));
    write_bytes("saved/state", state.data, state.size);
}

Test(checkpoint, rejects_an_invalid_state)
{
    /* The size agrees with the ply, unless the size is what is wrong. */
    static const struct {
        int at;
        uint32_t value;
        size_t size;
        const char *message;
    } cases[] = {
        {AT_VERSION, 2, 76, "saved/state: a checkpoint of version 2; this program reads version 1"},
        {AT_WIN, NK_WIN_RULES, 76, "saved: a checkpoint of another game: --board 3x3 "},
        {AT_PLY, 1, 68, "saved/state: damaged: 1 slices after 1 plies, expected 1"},
        {AT_PLY, 4, 76, "saved/state: damaged: 1 slices after 4 plies, expected 1"},
        {AT_PLY, NK_MAX_PLIES + 1, 76, "saved/state: damaged: 1 slices after 508 plies, expected 1"},
        {AT_PLY, UINT32_MAX - 1, 44, "saved/state: damaged: 1 slices after 4294967294 plies, expected 1"},
        {AT_SLICES, 0, 60, "saved/state: damaged: 0 slices after 2 plies, expected 1"},
        {AT_SLICES, UINT32_MAX, 76, "saved/state: damaged: 4294967295 slices after 2 plies, expected 1"},
    };
    struct nk_index *index = index_of((struct board){3, 3, 3, 3, NK_WIN_LINE});
    interrupt_at(index, 3);
    struct bytes state = read_bytes("saved/state");
    cr_assert_eq(state.size, 76);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nk_error error;
        uint8_t changed[76];
        memcpy(changed, state.data, sizeof changed);
        nk_put32(changed + cases[i].at, cases[i].value);
        write_state((struct bytes){changed, cases[i].size});
        cr_assert_eq(try(index, &error), NK_E_CORRUPT, "%s", cases[i].message);
        cr_assert(strstr(error.text, cases[i].message), "%s", error.text);
    }
    write_state(state);
    cr_assert_eq(try(index, NULL), NK_OK);
    free(state.data);
    nk_index_free(index);
}

/* Writes these codes as the only slice of a checkpoint, with `more` bytes after its end. */
static void write_slice(struct bytes state, const char *path, const uint8_t *codes, size_t length,
                        size_t more)
{
    uLongf packed_length = compressBound(length);
    uint8_t *packed = calloc(packed_length + more, 1);
    cr_assert(packed && compress(packed, &packed_length, codes, length) == Z_OK);
    packed_length += more;
    write_bytes(path, packed, packed_length);
    nk_put64(state.data + state.size - 24, packed_length);
    nk_put64(state.data + state.size - 16, XXH3_64bits(packed, packed_length));
    write_state(state);
    free(packed);
}

static struct bytes unpacked_slice(const char *path, const struct nk_index *index)
{
    uLongf length = (uLongf)index->configurations * NK_LANES;
    struct bytes packed = read_bytes(path), codes = {malloc(length + 1), length};
    cr_assert(codes.data && uncompress(codes.data, &length, packed.data, packed.size) == Z_OK);
    cr_assert_eq(length, codes.size);
    free(packed.data);
    return codes;
}

Test(checkpoint, rejects_an_invalid_slice)
{
    static const char path[] = "saved/slice-00000.ply-002";
    struct nk_error error;
    struct nk_index *index = index_of((struct board){3, 3, 3, 3, NK_WIN_LINE});
    interrupt_at(index, 3);
    struct bytes state = read_bytes("saved/state"), codes = unpacked_slice(path, index);
    write_slice(state, path, codes.data, codes.size, 0);
    cr_assert_eq(try(index, &error), NK_OK, "unchanged: %s", error.text);
    interrupt_at(index, 3);
    for (size_t at = 0; at < codes.size; at += 89) {
        /* Positions in which the game is over are known without a checkpoint, and no loss can be of a later ply. */
        const uint8_t right = codes.data[at], wrong[] = {nk_code_loss(0), nk_code_loss(4), UINT8_MAX};
        for (size_t i = 0; i < COUNT(wrong); i++) {
            if (wrong[i] == right)
                continue;
            codes.data[at] = wrong[i];
            write_slice(state, path, codes.data, codes.size, 0);
            cr_assert_eq(try(index, &error), NK_E_CORRUPT, "byte %zu: %d instead of %d", at, wrong[i], right);
            cr_assert(strstr(error.text, "slice-00000.ply-002: damaged"), "%s", error.text);
        }
        codes.data[at] = right;
    }
    for (size_t length = codes.size - 1; length <= codes.size + 1; length += 2) {
        write_slice(state, path, codes.data, length, 0);
        cr_assert_eq(try(index, &error), NK_E_CORRUPT, "%zu bytes instead of %zu", length, codes.size);
    }
    static const size_t more[] = {1, 1 << 21}; /* in the same chunk and in later ones */
    for (size_t i = 0; i < COUNT(more); i++) {
        write_slice(state, path, codes.data, codes.size, more[i]);
        cr_assert_eq(try(index, &error), NK_E_CORRUPT, "%zu bytes too many", more[i]);
    }
    free(codes.data);
    free(state.data);
    nk_index_free(index);
}

/* Pretends that the losses of two plies came after those of 504: the next ones are beyond the limit of a table. */
Test(checkpoint, rejects_too_long_a_game)
{
    enum { LAST = NK_MAX_PLIES - 1 };
    struct nk_error error;
    struct nk_index *index = index_of(STANDARD);
    interrupt_at(index, 3);
    struct bytes old = read_bytes("saved/state"), codes = unpacked_slice("saved/slice-00000.ply-002", index);
    struct bytes state = {calloc(HEADER + 8 * (LAST + 1) + 16 + 8, 1), HEADER + 8 * (LAST + 1) + 16 + 8};
    cr_assert(state.data);
    memcpy(state.data, old.data, HEADER);
    nk_put32(state.data + AT_PLY, LAST);
    for (size_t ply = 0; ply <= LAST; ply++)
        nk_put64(state.data + HEADER + 8 * ply, 1);
    for (size_t i = 0; i < codes.size; i++)
        if (codes.data[i] == nk_code_loss(2))
            codes.data[i] = nk_code_loss(LAST);
    write_slice(state, "saved/slice-00000.ply-506", codes.data, codes.size, 0);
    cr_assert_eq(try(index, &error), NK_E_LIMIT);
    cr_assert_str_eq(error.text,
                     "a game on this board lasts longer than the 507 plies that a table can hold");
    free(codes.data);
    free(state.data);
    free(old.data);
    nk_index_free(index);
}

/* A directory or a symbolic link has the name of a file. */
Test(checkpoint, rejects_what_is_not_a_file)
{
    static const char *const names[] = {"saved/state", "saved/slice-00000.ply-002"};
    struct nk_error error;
    struct nk_index *index = index_of((struct board){3, 3, 3, 3, NK_WIN_LINE});
    for (size_t i = 0; i < COUNT(names); i++) {
        char message[80];
        interrupt_at(index, 3);
        struct bytes kept = read_bytes(names[i]);
        cr_assert(!remove(names[i]) && !mkdir(names[i], 0777));
        cr_assert_eq(try(index, &error), NK_E_READ);
        snprintf(message, sizeof message, "%s: Is a directory", names[i]);
        cr_assert_str_eq(error.text, message);
        cr_assert(!rmdir(names[i]) && !symlink("loop", "saved/loop") && !rename("saved/loop", names[i]) &&
                  !symlink("loop", "saved/loop"));
        cr_assert_eq(try(index, &error), NK_E_READ);
        snprintf(message, sizeof message, "%s: Too many levels of symbolic links", names[i]);
        cr_assert_str_eq(error.text, message);
        cr_assert(!remove(names[i]) && !remove("saved/loop"));
        write_bytes(names[i], kept.data, kept.size);
        free(kept.data);
    }
    cr_assert_eq(try(index, NULL), NK_OK);
    nk_index_free(index);
}

Test(checkpoint, rejects_another_game)
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
    check_resume(&s, (struct nk_solve_options){0}, "after the other games", 9);
    solved_free(&s);
    nk_index_free(index);
}

Test(checkpoint, locks_the_directory)
{
    struct nk_index *index = index_of(STANDARD);
    struct nk_checkpoint *first = open_saved(index, 0), *second;
    struct nk_error error;
    cr_assert_eq(nk_solve_checkpoint(index, "saved", 0, &second, &error), NK_E_WRITE);
    cr_assert_str_eq(error.text, "saved: another run uses this directory: wait for it, or name another one");
    nk_checkpoint_close(first);
    nk_checkpoint_close(open_saved(index, 0));
    nk_index_free(index);
}

Test(checkpoint, rejects_what_is_not_a_directory)
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

/* Other files stay. */
Test(checkpoint, removes_only_its_own_files)
{
    struct nk_index *index = index_of(STANDARD);
    cr_assert(!mkdir("saved", 0777));
    write_bytes("saved/notes", "mine", 4);
    write_bytes("saved/slice-of-cake", "mine", 4);
    write_bytes("saved/slice-00000.ply-002.old", "mine", 4);
    write_bytes("saved/.new-1-0.old", "mine", 4);
    write_bytes("saved/.new-1-0", "left over", 9);
    interrupt_at(index, 9);
    cr_assert_eq(files_in("saved"), 6, "these, state and a slice, and no unfinished file");
    write_bytes("saved/.new-2-0", "left over", 9);
    struct nk_checkpoint *checkpoint = open_saved(index, 0);
    nk_checkpoint_remove(checkpoint);
    nk_checkpoint_close(checkpoint);
    cr_assert_eq(files_in("saved"), 4);
    nk_index_free(index);
}

/* A directory that existed before stays, even if it is empty and the run was interrupted. */
Test(checkpoint, keeps_an_existing_directory)
{
    struct nk_index *index = index_of(STANDARD);
    cr_assert(!mkdir("saved", 0777));
    for (int interrupted = 0; interrupted < 2; interrupted++) {
        if (interrupted)
            interrupt_at(index, 9);
        struct nk_checkpoint *checkpoint = open_saved(index, 0);
        nk_checkpoint_remove(checkpoint);
        nk_checkpoint_close(checkpoint);
        cr_assert_eq(files_in("saved"), 0);
        cr_assert(!access("saved", F_OK), "the directory should be there");
    }
    cr_assert(!rmdir("saved"));
    interrupt_at(index, 9);
    remove_saved(index); /* created by a run that was interrupted */
    interrupt_at(index, 1);
    remove_saved(index); /* before it saved anything */
    nk_index_free(index);
}

/* Files that another process is writing into the directory stay. */
Test(checkpoint, keeps_files_of_other_writers)
{
    static const char text[] = "a table";
    struct nk_index *index = index_of(STANDARD);
    struct nk_writer *writer;
    cr_assert(!mkdir("saved", 0777));
    cr_assert(!nk_writer_open("saved/table.dat", &writer, NULL));
    cr_assert(!nk_writer_append(writer, text, sizeof text, NULL));
    interrupt_at(index, 9);
    cr_assert_eq(files_in("saved"), 3, "the file that is being written, state and a slice");
    struct nk_checkpoint *checkpoint = open_saved(index, 0);
    nk_checkpoint_remove(checkpoint);
    nk_checkpoint_close(checkpoint);
    cr_assert_eq(files_in("saved"), 1);
    cr_assert(!nk_writer_close(writer, NULL, NULL));
    struct bytes table = read_bytes("saved/table.dat");
    cr_assert(table.size == sizeof text && memcmp(table.data, text, sizeof text) == 0);
    cr_assert_eq(files_in("saved"), 1);
    free(table.data);
    nk_index_free(index);
}

static void sweep_all(const char *path)
{
    DIR *directory = opendir(path);
    for (const struct dirent *entry; directory && (entry = readdir(directory));)
        nk_file_sweep(dirfd(directory), entry->d_name);
    if (directory)
        closedir(directory);
}

/* A writer does not lose its file at any moment of another process's sweep. */
Test(checkpoint, sweeps_during_writes)
{
    enum { FILES = 20000 };
    struct nk_error error;
    cr_assert(!mkdir("saved", 0777));
    const pid_t writer = getpid(), child = fork();
    if (child == 0) {
        while (getppid() == writer)
            sweep_all("saved");
        _exit(0);
    }
    cr_assert_gt(child, 0);
    for (int i = 0; i < FILES; i++)
        cr_assert(!nk_file_write("saved/file", &i, sizeof i, &error), "file %d: %s", i, error.text);
    cr_assert(!kill(child, SIGKILL) && waitpid(child, NULL, 0) == child);
    sweep_all("saved"); /* a file that the other sweep was about to remove when it was killed */
    cr_assert_eq(files_in("saved"), 1);
}

static void count_warning(void *context, const struct nk_error *error)
{
    int *count = context;
    cr_assert_eq(error->status, NK_E_WRITE);
    cr_assert(strstr(error->text, "cannot write saved/") && strstr(error->text, "File too large"), "%s",
              error->text);
    (*count)++;
}

/* The disk is full at some place. The analysis continues, and the previous checkpoint stays valid. */
Test(checkpoint, continues_on_a_full_disk)
{
    struct rlimit unlimited;
    struct solved s = solve_board(STANDARD);
    cr_assert(!getrlimit(RLIMIT_FSIZE, &unlimited));
    signal(SIGXFSZ, SIG_IGN);
    for (size_t limit = 0; limit < 20000; limit = 3 * limit / 2 + 1) {
        const struct rlimit limited = {limit, unlimited.rlim_max};
        struct nk_solution *solution;
        int warnings = 0;
        interrupt_at(s.index, 9);
        const bool has_callback = limit != 1; /* the callback may be NULL */
        struct nk_solve_options options = {.warn = has_callback ? count_warning : NULL,
                                           .context = &warnings,
                                           .checkpoint = open_saved(s.index, 0)};
        cr_assert(!setrlimit(RLIMIT_FSIZE, &limited));
        const enum nk_status status = nk_solve(s.index, &options, &solution, NULL);
        cr_assert(!setrlimit(RLIMIT_FSIZE, &unlimited));
        cr_assert(!status && (warnings > 0) == has_callback, "%zu bytes: %d warnings", limit, warnings);
        check_same(solution, &s, "a full disk", 9);
        nk_solution_free(solution);
        nk_checkpoint_close(options.checkpoint);
        cr_assert_eq(files_in("saved"), 3, "state, a slice and the mark of a created directory");
        check_resume(&s, (struct nk_solve_options){.warn = never_warn}, "after a full disk", 9);
    }
    solved_free(&s);
}
