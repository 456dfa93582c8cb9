/* The same solution with every vector width and number of threads, tables that are solved in memory, and the estimates
 * of what solving takes. */

#include "solver/analysis/analysis.h"
#include "solver/analysis/traps.h"
#include "tests/solver/support.h"
#include "tests/table_format.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

/* Solves again and expects the same. */
static void solve_alike(const struct solved *usual, struct nk_analysis_options options, const char *what,
                        int number)
{
    struct nk_losses *losses;
    cr_assert(!nk_losses_new(usual->index, NULL, NULL, &losses, NULL), "%s: %d", what, number);
    cr_assert(!run_passes(losses, &options, NULL), "%s: %d", what, number);
    cr_assert(is_same_solution(usual, losses), "%s: %d", what, number);
    nk_losses_free(losses);
}

Test(solve, vectors_of_16_bytes_are_everywhere_and_of_8_nowhere)
{
    cr_assert_not_null(nk_find_kernel(16));
    cr_assert_null(nk_find_kernel(8));
}

/* 5x3 and 6x5 have several slices. */
Test(solve, vectors_and_threads_of_every_number_agree)
{
    static const struct nk_board boards[] = {
        {5, 3, 5, 3, NK_WIN_ORTHOGONAL}, {3, 3, 4, 3, NK_WIN_LINE}, {5, 5, 3, 3, NK_WIN_LINE},
        {6, 5, 3, 3, NK_WIN_ORTHOGONAL}, {4, 4, 4, 4, NK_WIN_LINE}, {8, 8, 2, 2, NK_WIN_LINE},
    };
    for (size_t i = is_thorough() ? 2 : 0; i < (is_thorough() ? COUNT(boards) : 2); i++) {
        AUTO_SOLVED usual = solve_board(boards[i]);
        for (int bytes = 16; bytes <= 64; bytes *= 2) {
            const struct nk_kernel *kernel = nk_find_kernel(bytes);
            if (kernel)
                solve_alike(&usual, (struct nk_analysis_options){.kernel = kernel}, "bytes", bytes);
        }
        for (int threads = 1; threads <= (is_thorough() ? 9 : 3); threads += 2)
            solve_alike(&usual, (struct nk_analysis_options){.threads = threads}, "threads", threads);
    }
    cr_assert_eq(nk_analysis_threads(&(struct nk_slice_range){.slices = 3}, 8), 3);
}

Test(solve, sparse_and_dense_passes_agree)
{
    static const struct {
        struct nk_board board;
        int first; /* of the limits */
    } cases[] = {
        {{3, 3, 4, 3, NK_WIN_LINE}, 1}, {{5, 3, 5, 3, NK_WIN_ORTHOGONAL}, 1}, {{5, 5, 3, 3, NK_WIN_LINE}, 3},
        {{4, 4, 4, 4, NK_WIN_LINE}, 1}, {{8, 8, 2, 2, NK_WIN_LINE}, 1},       {{8, 3, 3, 3, NK_WIN_LINE}, 1},
    };
    for (size_t i = is_thorough() ? 3 : 0; i < (is_thorough() ? COUNT(cases) : 3); i++) {
        AUTO_SOLVED usual = solve_board(cases[i].board);
        for (int n = cases[i].first; n < SPARSE_LIMITS; n++)
            solve_alike(&usual, (struct nk_analysis_options){.sparse_limit = sparse_limits[n]}, "limit", n);
    }
}

/* The values are the same, but dense passes to the end take much longer. */
Test(solve, passes_are_dense_at_first_and_sparse_at_last)
{
    AUTO_INDEX *index = index_of((struct nk_board){5, 5, 3, 3, NK_WIN_LINE});
    const struct nk_analysis_options options = {.threads = 1};
    struct nk_analysis *analysis;
    struct nk_losses *losses;
    cr_assert(!nk_losses_new(index, NULL, NULL, &losses, NULL));
    cr_assert(!nk_analysis_new(losses, &options, &analysis, NULL));
    while (!losses->state.is_complete) {
        cr_assert(!nk_analysis_pass(analysis, NULL));
        cr_expect(losses->state.ply > 3 || !analysis->is_sparse);
    }
    cr_expect(analysis->is_sparse);
    nk_analysis_free(analysis);
    nk_losses_free(losses);
}

/* ---- nk_table_solve ---- */

/* The codes, counts and trap values are those of a table that was written; on smaller boards also every answer, read
 * block by block and loaded. */
static void expect_solved(const struct solved *usual, int threads)
{
    const struct nk_text name = nk_board_name(&usual->rules.board);
    const struct contents contents = contents_of(usual);
    const uint64_t entries = usual->index->entries, draws = usual->solution->summary.draws;
    struct nk_table *table;
    struct nk_code_reader reader = {0};
    uint8_t *codes = malloc(entries), *traps = calloc(draws + 1, 1);
    cr_assert(!nk_table_solve(&usual->rules.board, threads, 0, NULL, NULL, &table, NULL), "%s", name.s);
    cr_assert(same_summary(nk_table_summary(table), &contents.summary), "%s", name.s);
    cr_assert_eq(table->codes_checksum, XXH3_64bits(usual->codes, entries), "%s", name.s);
    cr_assert(!nk_table_codes(table, &reader, 0, entries, codes, NULL), "%s", name.s);
    cr_assert_arr_eq(codes, usual->codes, entries, "%s", name.s);
    size_t entry_draws = 0;
    for (uint32_t block = 0; block < table->block_count; block++) {
        const uint8_t *some = codes + (size_t)block * TABLE_BLOCK_CODES;
        const size_t count = count_draws(some, nk_table_block_entries(table, block));
        cr_assert(!nk_table_block_traps(table, block, 0, count, traps + entry_draws, NULL), "%s", name.s);
        entry_draws += count;
    }
    cr_assert(!entry_draws || !memcmp(traps, usual->traps, entry_draws), "%s", name.s);
    for (int loaded = 0; loaded <= 1 && entries < 50000; loaded++) {
        cr_assert_str_empty(table_difference(table, &contents).s, "%s", name.s);
        cr_assert(!nk_table_load(table, NULL), "%s", name.s);
    }
    free(traps);
    free(codes);
    nk_table_close(table);
}

/* Of all kinds: with and without draws, with several slices and blocks, and where threads compute the trap values. */
Test(solve, table_in_memory_is_that_which_is_written)
{
    static const struct nk_board boards[] = {
        {7, 3, 3, 3, NK_WIN_ORTHOGONAL}, {5, 3, 5, 3, NK_WIN_DIAGONAL}, {3, 3, 3, 3, NK_WIN_LINE},
        {3, 3, 2, 2, NK_WIN_LINE},       {5, 5, 2, 2, NK_WIN_CENTRE},   {3, 3, 4, 4, NK_WIN_LINE},
    };
    for (size_t i = 0; i < COUNT(boards); i++) {
        AUTO_SOLVED usual = solve_board(boards[i]);
        expect_solved(&usual, i % 2 ? 1 : 3);
    }
}

struct seen {
    int plies, stops_after; /* reports of a ply, and of how many it stops; negative: of the last reports */
    uint64_t decided;
    double done;
    bool has_stopped; /* nothing is reported after that */
};

static bool see(void *context, const struct nk_solve_state *state)
{
    struct seen *seen = context;
    cr_assert(!seen->has_stopped);
    cr_assert(state->done >= seen->done);
    if (state->done == 0) {
        cr_assert_eq(state->ply, seen->plies);
        seen->plies++;
        seen->decided += state->decided;
    }
    seen->done = state->done;
    seen->has_stopped =
        seen->stops_after < 0 ? state->done * 100 >= -seen->stops_after : seen->plies == seen->stops_after;
    return !seen->has_stopped;
}

/* 52 plies from 0 to 51 decide all positions but the draws. */
Test(solve, reports_every_ply_and_the_rest_of_the_work)
{
    struct seen seen = {.stops_after = -1000};
    struct nk_table *table;
    cr_assert(!nk_table_solve(NULL, 1, 0, see, &seen, &table, NULL));
    cr_assert_eq(seen.plies, 52);
    cr_assert_eq(seen.decided, 2473028 + 890392);
    cr_assert_gt(seen.done, 0.9);
    nk_table_close(table);
}

/* In the analysis, while the codes are copied, and while the trap values are computed. */
Test(solve, stops_when_its_caller_wants_it)
{
    static const int stops[] = {1, 20, -10, -80};
    for (size_t i = 0; i < COUNT(stops); i++) {
        struct seen seen = {.stops_after = stops[i]};
        struct nk_error error;
        struct nk_table *table = NULL;
        cr_assert_eq(nk_table_solve(NULL, 1, 0, see, &seen, &table, &error), NK_E_STOPPED, "%d", stops[i]);
        cr_assert_str_eq(error.text, "solving was stopped");
        cr_assert_null(table);
        cr_assert_eq(seen.plies, stops[i] < 0 ? 52 : stops[i]);
    }
}

/* On the second board, each thread takes more. */
Test(solve, needs_as_much_memory_as_it_states)
{
    static const struct nk_board small = {4, 4, 3, 3, NK_WIN_LINE};
    static const struct nk_board *const boards[] = {NULL, &small};
    struct nk_error error;
    struct nk_table *table;
    uint64_t bytes;
    for (int threads = 1; threads <= 2; threads++) {
        const struct nk_board *board = boards[threads - 1];
        cr_assert(!nk_solve_memory(board, threads, &bytes, NULL));
        cr_assert_eq(nk_table_solve(board, threads, bytes - 1, NULL, NULL, &table, &error), NK_E_MEMORY,
                     "%d threads", threads);
        cr_assert_not_null(strstr(error.text, "needs"), "%s", error.text);
        cr_assert(!nk_table_solve(board, threads, bytes, NULL, NULL, &table, NULL), "%d threads", threads);
        nk_table_close(table);
    }
}

/* Where many positions are draws, their trap values need more, which shows only when the draws have been counted. */
Test(solve, needs_more_memory_for_many_draws)
{
    const struct nk_board board = {5, 4, 3, 3, NK_WIN_DIAGONAL};
    struct nk_error error;
    struct nk_table *table;
    cr_assert(!nk_table_solve(&board, 2, 0, NULL, NULL, &table, NULL));
    const struct nk_index *index = table->index;
    const size_t draws = nk_count_draws(table->codes, (size_t)index->entries);
    const uint64_t needed = nk_index_memory(index) + index->entries + nk_traps_memory(index, draws, 2);
    nk_table_close(table);
    cr_assert_eq(nk_table_solve(&board, 2, needed - 1, NULL, NULL, &table, &error), NK_E_MEMORY);
    cr_assert_not_null(strstr(error.text, "needs"), "%s", error.text);
    cr_assert(!nk_table_solve(&board, 2, needed, NULL, NULL, &table, NULL));
    nk_table_close(table);
}

/* Both figures are in the message; nothing was allocated, or this would take minutes and gigabytes. */
Test(solve, too_little_memory_is_reported_at_once)
{
    struct nk_error error;
    struct nk_table *table;
    const struct nk_board large = {8, 8, 4, 3, NK_WIN_LINE};
    cr_assert_eq(nk_table_solve(&large, 1, UINT64_C(5000) << 20, NULL, NULL, &table, &error), NK_E_MEMORY);
    cr_assert_str_eq(error.text, "solving this board needs 46803 MiB of memory, but 5000 MiB are allowed");
    cr_assert_eq(nk_table_solve(NULL, 1, 1500, NULL, NULL, &table, &error), NK_E_MEMORY);
    cr_assert_str_eq(strstr(error.text, ", but"), ", but 1 KiB are allowed");
}

Test(solve, rejects_a_board_that_does_not_exist)
{
    struct nk_table *table;
    const struct nk_board wide = {9, 5, 3, 3, NK_WIN_LINE};
    uint64_t bytes;
    cr_assert_eq(nk_table_solve(&wide, 1, 0, NULL, NULL, &table, NULL), NK_E_RULES);
    cr_assert_eq(nk_solve_memory(&wide, 1, &bytes, NULL), NK_E_RULES);
}

/* ---- memory that runs out ---- */

/* Each allocation fails in turn. Where one only saves memory, solving goes on without it. */
Test(solve, frees_everything_when_memory_runs_out)
{
    const struct nk_board board = {4, 3, 3, 3, NK_WIN_LINE};
    int failures = 0;
    bool is_reached = true;
    for (long n = 0; is_reached; n++) {
        struct nk_table *table = NULL;
        struct nk_error error;
        const long others = unfreed_blocks;
        fail_after(n);
        const enum nk_status status = nk_table_solve(&board, 1, 0, NULL, NULL, &table, &error);
        is_reached = end_failing();
        nk_table_close(table);
        cr_assert_eq(unfreed_blocks, others, "allocation %ld", n);
        cr_assert(!status || status == NK_E_MEMORY, "allocation %ld: %d", n, status);
        cr_assert(!status == (table != NULL), "allocation %ld", n);
        cr_assert(!status || strstr(error.text, "memory"), "allocation %ld: %s", n, error.text);
        failures += status == NK_E_MEMORY;
    }
    cr_assert_gt(failures, 20);
}

/* No known board has such games, so the analysis is made to believe that it is at the last ply that has a code. */
Test(solve, a_game_that_is_too_long_is_an_error)
{
    AUTO_INDEX *index = index_of((struct nk_board){4, 4, 3, 3, NK_WIN_LINE});
    const struct nk_analysis_options options = {.threads = 1};
    struct nk_analysis *analysis;
    struct nk_losses *losses;
    struct nk_error error;
    cr_assert(!nk_losses_new(index, NULL, NULL, &losses, NULL));
    cr_assert(!nk_analysis_new(losses, &options, &analysis, NULL));
    for (int ply = 0; ply < 2; ply++)
        cr_assert(!nk_analysis_pass(analysis, NULL));
    losses->state.ply = NK_MAX_PLIES;
    cr_assert_eq(nk_analysis_pass(analysis, &error), NK_E_LIMIT);
    cr_assert_str_eq(error.text,
                     "a game on this board lasts longer than the 507 plies that a table can hold");
    nk_analysis_free(analysis);
    nk_losses_free(losses);
}

/* From files, each thread reads the losses of a slice, besides the codes that they lead to. */
Test(solve, plans_the_losses_of_a_slice_for_each_thread)
{
    enum { THREADS = 3 };
    AUTO_INDEX *index = index_of((struct nk_board){6, 5, 3, 3, NK_WIN_LINE});
    const struct nk_analysis_options options = {.threads = 1};
    struct nk_losses *losses;
    cr_assert(!nk_losses_new(index, NULL, NULL, &losses, NULL));
    cr_assert(!run_passes(losses, &options, NULL));
    const uint64_t recorded = nk_losses_bytes(losses) / nk_slice_count(index);
    const uint64_t codes = (uint64_t)index->per_orbit * NK_SLICE_COLUMNS;
    const struct nk_plan one = nk_plan(index, NULL, NK_LOSSES_IN_FILES, 1, false);
    const struct nk_plan all = nk_plan(index, NULL, NK_LOSSES_IN_FILES, THREADS, false);
    cr_assert_geq(all.writing - one.writing, (THREADS - 1) * (codes + recorded));
    nk_losses_free(losses);
}

/* Of boards with three pieces, about 3 % of the positions are draws. */
Test(solve, plans_the_memory_for_trap_values)
{
    AUTO_INDEX *index = index_of((struct nk_board){6, 5, 3, 3, NK_WIN_LINE});
    const struct nk_plan plan = nk_plan(index, NULL, NK_LOSSES_IN_FILES, 1, true);
    cr_assert_geq(plan.memory, nk_traps_memory(index, index->entries * 3 / 100, 1));
}

#ifndef SANITIZED

static enum nk_status drop_codes(void *context, const uint8_t *codes, uint64_t count, double done,
                                 struct nk_error *error)
{
    (void)context;
    (void)codes;
    (void)count;
    (void)done;
    (void)error;
    return NK_OK;
}

/* Solves a board and computes its codes. Returns how much the peak of the memory rose, in KiB. */
static uint64_t memory_to_solve(const void *board_index, int threads)
{
    const struct nk_index *index = board_index;
    const struct nk_analysis_options options = {.threads = threads};
    struct nk_losses *losses;
    struct rusage before, after;
    CHECK(!getrusage(RUSAGE_SELF, &before));
    CHECK(!nk_losses_new(index, NULL, NULL, &losses, NULL));
    CHECK(!run_passes(losses, &options, NULL));
    CHECK(!nk_find_codes(losses, threads, NULL, drop_codes, NULL, NULL));
    CHECK(!getrusage(RUSAGE_SELF, &after));
    return (uint64_t)(after.ru_maxrss - before.ru_maxrss);
}

enum { SYSTEM = 4096 }; /* KiB for threads and large pages */

/* Runs `taken` in a new process, which measures what it takes in KiB, and expects the estimate to be an upper bound,
 * except for what the system takes, and less than twice the memory taken and that. */
static void expect_estimate(uint64_t (*taken)(const void *board, int threads), const void *board, int threads,
                            uint64_t estimate)
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        const uint64_t peak = taken(board, threads);
        if (peak > estimate + SYSTEM || estimate > 2 * (peak + SYSTEM))
            fprintf(stderr, "%s: estimated %llu KiB, took %llu\n", nk_board_name(board).s,
                    (unsigned long long)estimate, (unsigned long long)peak);
        CHECK(peak <= estimate + SYSTEM);
        CHECK(estimate <= 2 * (peak + SYSTEM));
        _exit(0);
    }
    cr_assert(child > 0);
    cr_assert(waitpid(child, &status, 0) == child);
    cr_assert_eq(status, 0, "%d threads: estimated %llu KiB", threads, (unsigned long long)estimate);
}

Test(solve, estimates_its_memory)
{
    AUTO_INDEX *index = index_of((struct nk_board){7, 6, 3, 3, NK_WIN_LINE});
    const int threads = is_thorough() ? 4 : 1;
    expect_estimate(memory_to_solve, index, threads,
                    nk_plan(index, NULL, NK_IN_MEMORY, threads, false).memory / 1024);
}

static uint64_t memory_of_table(const void *board, int threads)
{
    struct rusage before, after;
    struct nk_table *table;
    CHECK(!getrusage(RUSAGE_SELF, &before));
    CHECK(!nk_table_solve(board, threads, 0, NULL, NULL, &table, NULL));
    CHECK(!getrusage(RUSAGE_SELF, &after));
    return (uint64_t)(after.ru_maxrss - before.ru_maxrss);
}

Test(solve, estimates_the_memory_of_a_table)
{
    static const struct nk_board boards[] = {{6, 5, 3, 3, NK_WIN_ORTHOGONAL},
                                             {5, 5, 4, 4, NK_WIN_LINE},
                                             {7, 6, 3, 3, NK_WIN_LINE},
                                             {6, 4, 4, 3, NK_WIN_LINE}};
    uint64_t bytes;
    for (size_t i = is_thorough() ? 2 : 0; i < (is_thorough() ? COUNT(boards) : 2); i++) {
        cr_assert(!nk_solve_memory(&boards[i], 1, &bytes, NULL));
        expect_estimate(memory_of_table, &boards[i], 1, bytes / 1024);
    }
}

#endif
