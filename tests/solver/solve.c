/* The solution: published totals, and the same result with every vector width and number of threads. */

#include "common/table_format.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>
#include <zlib.h>

/* ---- the standard game, as published ---- */

Test(solve, published_totals)
{
    struct solved s = solve_board(STANDARD);
    const struct nk_summary *summary = &s.solution->summary;
    cr_assert_eq(summary->placements, 3542000);
    cr_assert_eq(summary->legal, 3468080);
    cr_assert_eq(summary->wins, 2473028);
    cr_assert_eq(summary->losses, 890392);
    cr_assert_eq(summary->draws, 104660);
    cr_assert_eq(summary->stalemates, 0);
    cr_assert_eq(summary->longest, 51);
    cr_assert_eq(s.solution->by_distance[0], 72436);
    cr_assert_eq(s.solution->by_distance[51], 8);
    solved_free(&s);
}

Test(solve, start_is_a_draw_with_two_drawing_moves, .init = enter_directory, .fini = leave_directory)
{
    struct solved s = solve_board(STANDARD);
    struct nk_position start;
    struct nk_table *table;
    struct nk_value value;
    struct nk_move_value moves[NK_MAX_MOVES];
    int count;
    write_table(&s, "table.dat");
    cr_assert(!nk_table_open("table.dat", &table, NULL));
    cr_assert(nk_rules_start(&s.rules, &start));
    cr_assert(!nk_table_value(table, start, &value, NULL));
    cr_assert(value.result == NK_DRAW && value.plies == 0);
    cr_assert(!nk_table_moves(table, start, moves, &count, NULL));
    cr_assert_eq(count, 14);
    for (int m = 0; m < count; m++) {
        char text[NK_MOVE_TEXT];
        nk_move_print(&s.rules, moves[m].move, text);
        if (m < 2)
            cr_assert_str_eq(text, m ? "d1-c1" : "b1-c1");
        cr_assert_eq(moves[m].value.result, m < 2 ? NK_DRAW : NK_LOSS, "%s", text);
    }
    nk_table_close(table);
    solved_free(&s);
}

/* data/perfect_move.sum has the checksum of the finished file. The checksum of the codes does not depend on the
 * compression. */
Test(solve, file_has_the_recorded_checksum, .init = enter_directory, .fini = leave_directory)
{
    struct solved s = solve_board(STANDARD);
    const struct nk_file file = write_table(&s, "perfect_move.dat");
    struct bytes table = read_bytes("perfect_move.dat");
    struct bytes record = read_bytes(SOURCE_ROOT "/data/perfect_move.sum");
    char line[40];
    cr_assert_eq(nk_get64(table.data + NK_AT_CODES), XXH3_64bits(s.codes, s.index->entries));
    cr_assert_eq(nk_get64(table.data + NK_AT_CODES), UINT64_C(0x441299f29a5aa0f0));
    if (strstr(zlibVersion(), "zlib-ng"))
        cr_skip("zlib-ng compresses the same codes to other bytes");
    snprintf(line, sizeof line, "%016" PRIx64 "  perfect_move.dat\n", file.checksum);
    cr_assert_str_eq(line, (char *)record.data);
    free(record.data);
    free(table.data);
    solved_free(&s);
}

/* ---- vector widths ---- */

Test(solve, vectors_of_every_width_agree, .init = enter_directory, .fini = leave_directory)
{
    static const struct board boards[] = {
        {5, 5, 3, 3, NK_WIN_LINE}, {4, 3, 3, 3, NK_WIN_LINE}, {3, 3, 4, 3, NK_WIN_LINE},
        {8, 8, 2, 2, NK_WIN_LINE}, {4, 4, 5, 4, NK_WIN_LINE}, {6, 5, 3, 3, NK_WIN_ORTHOGONAL},
    };
    for (size_t i = 0; i < COUNT(boards); i++) {
        struct solved usual = solve_board(boards[i]);
        const struct nk_file file = write_table(&usual, "usual.dat");
        for (int bytes = 16; bytes <= 64; bytes *= 2) {
            struct solved other = usual;
            const struct nk_solve_options options = {.vector_bytes = bytes};
            const enum nk_status status = nk_solve(usual.index, &options, &other.solution, NULL);
            cr_assert(!status || (bytes > 16 && status == NK_E_RULES), "%d bytes", bytes);
            if (status)
                continue;
            cr_assert(!nk_solution_codes(other.solution, &other.codes, NULL));
            cr_assert_arr_eq(other.codes, usual.codes, usual.index->entries);
            cr_assert_arr_eq(other.solution->by_distance, usual.solution->by_distance,
                             sizeof usual.solution->by_distance);
            cr_assert_eq(write_table(&other, "other.dat").checksum, file.checksum, "%s: %d bytes",
                         board_text(boards[i]).s, bytes);
            nk_solution_free(other.solution);
            free(other.codes);
        }
        solved_free(&usual);
    }
}

/* ---- threads and memory ---- */

Test(solve, threads_of_every_number_agree)
{
    static const struct board boards[] = {
        {5, 5, 3, 3, NK_WIN_LINE}, {8, 8, 2, 2, NK_WIN_LINE}, {4, 4, 4, 4, NK_WIN_LINE},
        {3, 3, 4, 3, NK_WIN_LINE}, {7, 5, 3, 3, NK_WIN_LINE},
    };
    for (size_t i = 0; i < COUNT(boards); i++) {
        struct solved s = solve_board(boards[i]);
        for (int threads = 1; threads <= 9; threads += 2) {
            const struct nk_solve_options options = {.threads = threads};
            struct nk_solution *other;
            uint8_t *codes;
            cr_assert(!nk_solve(s.index, &options, &other, NULL));
            cr_assert(!nk_solution_codes(other, &codes, NULL));
            cr_assert_arr_eq(codes, s.codes, s.index->entries, "%s: %d threads", board_text(boards[i]).s,
                             threads);
            cr_assert_arr_eq(other->by_distance, s.solution->by_distance, sizeof other->by_distance);
            nk_solution_free(other);
            free(codes);
        }
        solved_free(&s);
    }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

/* The peak of the memory for solving a board, in KiB, measured in a new process. */
static uint64_t solve_in_child(const struct nk_index *index, int threads)
{
    struct rusage before, after;
    int status;
    const pid_t child = fork();
    if (child == 0) {
        const struct nk_solve_options options = {.threads = threads};
        struct nk_solution *solution;
        uint64_t taken = 0;
        const bool solved = !getrusage(RUSAGE_SELF, &before) && !nk_solve(index, &options, &solution, NULL) &&
                            !getrusage(RUSAGE_SELF, &after);
        if (solved)
            taken = (uint64_t)(after.ru_maxrss - before.ru_maxrss);
        write_bytes("taken", &taken, sizeof taken);
        _exit(!solved);
    }
    cr_assert(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    struct bytes bytes = read_bytes("taken");
    uint64_t taken;
    memcpy(&taken, bytes.data, sizeof taken);
    free(bytes.data);
    return taken;
}

/* The estimate is an upper bound, except for what the system takes for threads and large pages, and less than twice
 * the memory taken. */
Test(solve, estimates_its_memory, .init = enter_directory, .fini = leave_directory)
{
    static const struct board boards[] = {{6, 6, 3, 3, NK_WIN_LINE}, {7, 5, 3, 3, NK_WIN_LINE}};
    enum { SYSTEM = 4096 };
    for (size_t i = 0; i < COUNT(boards); i++)
        for (int threads = 1; threads <= 4; threads *= 4) {
            const struct nk_rules rules = rules_of(boards[i]);
            struct nk_index *index;
            cr_assert(!nk_index_new(&rules, &index));
            const uint64_t estimate = nk_solve_memory(index, threads, 1) / 1024;
            const uint64_t taken = solve_in_child(index, threads);
            cr_assert(taken < estimate + SYSTEM && estimate < 2 * taken, "%s: estimate %llu KiB, taken %llu",
                      board_text(boards[i]).s, (unsigned long long)estimate, (unsigned long long)taken);
            nk_index_free(index);
        }
}

#endif

Test(solve, rejects_unknown_vector_widths)
{
    struct solved s = solve_board((struct board){3, 3, 2, 2, NK_WIN_LINE});
    for (int bytes = -64; bytes <= 256; bytes++) {
        const struct nk_solve_options options = {.vector_bytes = bytes};
        struct nk_solution *none = NULL;
        if (bytes != 0 && bytes != 16 && bytes != 32 && bytes != 64)
            cr_assert(nk_solve(s.index, &options, &none, NULL) == NK_E_RULES && !none);
    }
    solved_free(&s);
}

/* ---- progress ---- */

struct progress {
    int plies;
    uint64_t decided[NK_MAX_PLIES + 1];
};

static void note_progress(void *context, int ply, uint64_t decided)
{
    struct progress *progress = context;
    cr_assert_eq(ply, progress->plies);
    progress->decided[progress->plies++] = decided;
}

Test(solve, reports_each_ply)
{
    const struct nk_rules rules = rules_of(STANDARD);
    struct nk_index *index;
    struct nk_solution *solution;
    struct progress progress = {0};
    const struct nk_solve_options options = {.progress = note_progress, .context = &progress};
    cr_assert(!nk_index_new(&rules, &index) && !nk_solve(index, &options, &solution, NULL));
    cr_assert_eq(progress.plies, 52);
    cr_assert_arr_eq(progress.decided, solution->by_distance, sizeof progress.decided);
    nk_solution_free(solution);
    nk_index_free(index);
}
