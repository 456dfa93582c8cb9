/* The solution: published totals, and the same result with every vector width and number of threads. */

#include "common/table_format.h"
#include "solver/plan.h"
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

TestSuite(solve, .init = enter_directory, .fini = leave_directory);

/* ---- the standard game, as published ---- */

static void note_progress(void *context, int ply, uint64_t decided)
{
    ((uint64_t *)context)[ply] += decided;
}

Test(solve, published_totals)
{
    AUTO_INDEX *index = index_of(STANDARD);
    struct nk_solution *solution;
    uint64_t reported[NK_MAX_PLIES + 1] = {0};
    const struct nk_solve_options options = {.progress = note_progress, .context = reported};
    static const struct nk_summary published = {.placements = 3542000,
                                                .legal = 3468080,
                                                .wins = 2473028,
                                                .losses = 890392,
                                                .draws = 104660,
                                                .stalemates = 0,
                                                .longest = 51};
    /* As a search without a table finds them. */
    static const uint64_t nearest[] = {72436, 701124, 200952, 969880, 148756, 293772};
    cr_assert(!nk_solve(index, &options, &solution, NULL));
    cr_assert(!memcmp(&solution->summary, &published, sizeof published));
    cr_assert(!memcmp(solution->by_distance, nearest, sizeof nearest));
    cr_assert_eq(solution->by_distance[51], 8);
    cr_assert(!memcmp(reported, solution->by_distance, sizeof reported));
    nk_solution_free(solution);
}

/* data/perfect_move.sum has the checksum of the finished file. The checksum of the codes does not depend on the
 * compression. */
Test(solve, file_has_the_recorded_checksum)
{
    AUTO_SOLVED s = solve_board(STANDARD);
    const struct nk_file file = write_table(&s, "perfect_move.dat");
    AUTO_BYTES table = read_bytes("perfect_move.dat");
    AUTO_BYTES record = read_bytes(SOURCE_ROOT "/data/perfect_move.sum");
    char line[40];
    cr_assert_eq(nk_get64(table.data + NK_AT_CODES), XXH3_64bits(s.codes, s.index->entries));
    cr_assert_eq(nk_get64(table.data + NK_AT_CODES), UINT64_C(0x441299f29a5aa0f0));
    if (strstr(zlibVersion(), "zlib-ng"))
        cr_skip("zlib-ng compresses the same codes to other bytes");
    snprintf(line, sizeof line, "%016" PRIx64 "  perfect_move.dat\n", file.checksum);
    cr_assert_str_eq(line, (char *)record.data);
}

/* ---- vector widths, threads and memory ---- */

/* Solves again and expects the same, unless this processor has no such vectors. */
static void solve_alike(const struct solved *usual, struct nk_solve_options options)
{
    struct nk_solution *solution;
    const enum nk_status status = nk_solve(usual->index, &options, &solution, NULL);
    if (status != NK_E_RULES || options.vector_bytes <= 16)
        cr_assert(!status && is_same_solution(usual, solution), "vectors of %d bytes, %d threads",
                  options.vector_bytes, options.threads);
}

/* 6x5 and 7x5 have several slices. */
Test(solve, vectors_and_threads_of_every_number_agree)
{
    static const struct board boards[] = {
        {5, 5, 3, 3, NK_WIN_LINE}, {3, 3, 4, 3, NK_WIN_LINE}, {6, 5, 3, 3, NK_WIN_ORTHOGONAL},
        {4, 4, 4, 4, NK_WIN_LINE}, {8, 8, 2, 2, NK_WIN_LINE}, {7, 5, 3, 3, NK_WIN_LINE},
    };
    for (size_t i = 0; i < (is_thorough() ? COUNT(boards) : COUNT(boards) / 2); i++) {
        AUTO_SOLVED usual = solve_board(boards[i]);
        for (int bytes = 16; bytes <= 64; bytes *= 2)
            solve_alike(&usual, (struct nk_solve_options){.vector_bytes = bytes});
        for (int threads = 1; threads <= (is_thorough() ? 9 : 3); threads += 2)
            solve_alike(&usual, (struct nk_solve_options){.threads = threads});
    }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

/* Solves a board and computes its codes. Returns how much the peak of the memory rose, in KiB. */
static uint64_t memory_to_solve(const struct nk_index *index, int threads)
{
    const struct nk_solve_options options = {.threads = threads};
    struct nk_solution *solution;
    struct rusage before, after;
    CHECK(!getrusage(RUSAGE_SELF, &before) && !nk_solve(index, &options, &solution, NULL));
    for (uint32_t part = 0; part < nk_solution_parts(solution); part++) {
        const uint8_t *codes;
        uint64_t count;
        CHECK(!nk_solution_part(solution, part, &codes, &count, NULL));
    }
    CHECK(!getrusage(RUSAGE_SELF, &after));
    return (uint64_t)(after.ru_maxrss - before.ru_maxrss);
}

/* The estimate is an upper bound, except for what the system takes for threads and large pages, and less than twice
 * the memory taken, which a new process measures. */
Test(solve, estimates_its_memory)
{
    static const struct board boards[] = {
        {6, 5, 3, 3, NK_WIN_LINE}, {6, 6, 3, 3, NK_WIN_LINE}, {7, 5, 3, 3, NK_WIN_LINE}};
    enum { SYSTEM = 4096 };
    for (size_t i = 0; i < (is_thorough() ? COUNT(boards) : 1); i++)
        for (int threads = 1; threads <= 4; threads *= 4) {
            AUTO_INDEX *index = index_of(boards[i]);
            const uint64_t estimate = nk_plan(index, NK_IN_MEMORY, threads, false).memory / 1024;
            int status;
            const pid_t child = fork();
            if (child == 0) {
                const uint64_t taken = memory_to_solve(index, threads);
                CHECK(taken < estimate + SYSTEM && estimate < 2 * taken);
                _exit(0);
            }
            cr_assert(child > 0 && waitpid(child, &status, 0) == child);
            cr_assert_eq(status, 0, "%s, %d threads: estimated %llu KiB", board_text(boards[i]).s, threads,
                         (unsigned long long)estimate);
        }
}

#endif

Test(solve, rejects_unknown_vector_widths)
{
    static const int unknown[] = {-64, -1, 1, 8, 15, 17, 24, 48, 65, 128};
    AUTO_INDEX *index = index_of((struct board){3, 3, 2, 2, NK_WIN_LINE});
    for (size_t i = 0; i < COUNT(unknown); i++) {
        const struct nk_solve_options options = {.vector_bytes = unknown[i]};
        struct nk_solution *none = NULL;
        cr_assert(nk_solve(index, &options, &none, NULL) == NK_E_RULES && !none, "%d bytes", unknown[i]);
    }
}
