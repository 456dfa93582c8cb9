/* The same solution with every vector width and number of threads, and the estimate of its memory. */

#include "solver/analysis/kernel.h"
#include "solver/solve.h"
#include "tests/solver/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Solves again and expects the same. */
static void solve_alike(const struct solved *usual, struct nk_analysis_options options, const char *what,
                        int number)
{
    struct nk_losses *log;
    cr_assert(!nk_losses_new(usual->index, NULL, NULL, &log, NULL), "%s: %d", what, number);
    cr_assert(!run_passes(log, &options, NULL), "%s: %d", what, number);
    cr_assert(is_same_solution(usual, log), "%s: %d", what, number);
    nk_losses_free(log);
}

Test(solve, vectors_of_16_bytes_are_everywhere_and_of_8_nowhere)
{
    cr_assert_not_null(nk_find_kernel(16));
    cr_assert_null(nk_find_kernel(8));
}

/* 5x3, 6x5 and 7x5 have several slices. */
Test(solve, vectors_and_threads_of_every_number_agree)
{
    static const struct nk_board boards[] = {
        {5, 3, 5, 3, NK_WIN_ORTHOGONAL}, {3, 3, 4, 3, NK_WIN_LINE}, {5, 5, 3, 3, NK_WIN_LINE},
        {6, 5, 3, 3, NK_WIN_ORTHOGONAL}, {4, 4, 4, 4, NK_WIN_LINE}, {8, 8, 2, 2, NK_WIN_LINE},
        {7, 5, 3, 3, NK_WIN_LINE},
    };
    for (size_t i = 0; i < (is_thorough() ? COUNT(boards) : 2); i++) {
        AUTO_SOLVED usual = solve_board(boards[i]);
        for (int bytes = 16; bytes <= 64; bytes *= 2) {
            const struct nk_kernel *kernel = nk_find_kernel(bytes);
            if (kernel)
                solve_alike(&usual, (struct nk_analysis_options){.kernel = kernel}, "bytes", bytes);
        }
        for (int threads = 1; threads <= (is_thorough() ? 9 : 3); threads += 2)
            solve_alike(&usual, (struct nk_analysis_options){.threads = threads}, "threads", threads);
    }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

/* Solves a board and computes its codes. Returns how much the peak of the memory rose, in KiB. */
static uint64_t memory_to_solve(const struct nk_index *index, int threads)
{
    const struct nk_analysis_options options = {.threads = threads};
    struct nk_losses *log;
    struct nk_codes *codes;
    struct rusage before, after;
    CHECK(!getrusage(RUSAGE_SELF, &before));
    CHECK(!nk_losses_new(index, NULL, NULL, &log, NULL));
    CHECK(!run_passes(log, &options, NULL));
    CHECK(!nk_codes_new(log, threads, &codes, NULL));
    for (uint32_t part = 0; part < nk_codes_parts(codes); part++) {
        const uint8_t *some;
        uint64_t count;
        CHECK(!nk_codes_part(codes, part, &some, &count, NULL));
    }
    CHECK(!getrusage(RUSAGE_SELF, &after));
    return (uint64_t)(after.ru_maxrss - before.ru_maxrss);
}

/* The estimate is an upper bound, except for what the system takes for threads and large pages, and less than twice
 * the memory taken, which a new process measures. The log alone takes more than the system. */
Test(solve, estimates_its_memory)
{
    enum { SYSTEM = 4096 };
    AUTO_INDEX *index = index_of((struct nk_board){7, 6, 3, 3, NK_WIN_LINE});
    for (int threads = 1; threads <= (is_thorough() ? 4 : 1); threads *= 4) {
        const uint64_t estimate = nk_plan(index, NULL, NK_IN_MEMORY, threads, false).memory / 1024;
        int status;
        const pid_t child = fork();
        if (child == 0) {
            const uint64_t taken = memory_to_solve(index, threads);
            CHECK(taken < estimate + SYSTEM);
            CHECK(estimate < 2 * taken);
            _exit(0);
        }
        cr_assert(child > 0);
        cr_assert(waitpid(child, &status, 0) == child);
        cr_assert_eq(status, 0, "%d threads: estimated %llu KiB", threads, (unsigned long long)estimate);
    }
}

#endif
