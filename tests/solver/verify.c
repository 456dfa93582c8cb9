/* The verifier finds every error in a table, and none in a correct one. */

#include "solver/store.h"
#include "solver/trap.h"
#include "solver/verify.h"
#include "tests/seal.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(verify, .init = enter_directory, .fini = leave_directory, .timeout = 600);

/* The result of the verifier for the table of these codes and traps, which are as solved but for what a test changed. */
static enum nk_status verdict(const struct solved *s, int threads, struct nk_verified *verified,
                              struct nk_error *error)
{
    AUTO_BYTES bytes = table_bytes(s);
    AUTO_TABLE *table = open_bytes(bytes);
    const enum nk_status status =
        nk_verify(table, &(struct nk_verify_options){.threads = threads}, verified, error);
    return status;
}

/* The same without traps, which must be rejected; error->text is the reason. */
static void reject(struct solved *s, struct nk_error *error, const char *what)
{
    struct nk_verified verified;
    struct solved without = *s;
    without.traps = NULL;
    cr_assert_eq(verdict(&without, 0, &verified, error), NK_E_CORRUPT, "%s is accepted", what);
    cr_assert_eq(error->status, NK_E_CORRUPT);
}

/* ---- correct tables ---- */

Test(verify, accepts_correct_tables)
{
    static const struct board boards[] = {
        {3, 3, 4, 3, NK_WIN_LINE},        {3, 3, 4, 4, NK_WIN_LINE},   {4, 3, 3, 3, NK_WIN_LINE},
        {4, 3, 5, 3, NK_WIN_ORTHOGONAL},  {5, 5, 2, 2, NK_WIN_CENTRE}, {5, 5, 3, 3, NK_WIN_LINE},
        {5, 5, 3, 3, NK_WIN_EQUIDISTANT}, {8, 8, 2, 2, NK_WIN_LINE},
    };
    for (size_t i = 0; i < (is_thorough() ? COUNT(boards) : COUNT(boards) - 2); i++) {
        AUTO_SOLVED s = solve_board(boards[i]);
        struct nk_verified verified;
        struct nk_error error;
        cr_assert(!verdict(&s, 0, &verified, &error), "%s: %s", board_text(boards[i]).s, error.text);
        cr_assert(!memcmp(&verified.summary, &s.solution->summary, sizeof verified.summary));
        cr_assert(!memcmp(verified.by_distance, s.solution->by_distance, sizeof verified.by_distance));
    }
}

/* ---- one wrong code ---- */

/* Gives an entry a wrong code. The message names a position, though it may be another one whose value depends on it. */
static void find_wrong_code(struct solved *s, uint64_t entry, uint8_t wrong)
{
    const uint8_t right = s->codes[entry];
    struct nk_error error;
    s->codes[entry] = wrong;
    reject(s, &error, position_text(&s->rules, nk_index_position(s->index, entry)).s);
    cr_assert(!strncmp(error.text, "the table is wrong: ", 20) && strchr(error.text, '/'), "%s", error.text);
    s->codes[entry] = right;
}

Test(verify, finds_every_wrong_code)
{
    static const struct {
        struct board board;
        uint64_t step;
        uint32_t longest; /* in the header; 0: the distance that occurs */
    } cases[] = {
        {{3, 3, 3, 3, NK_WIN_LINE}, 5, 0},
        {{3, 3, 3, 3, NK_WIN_LINE}, 7, 400},
        {{3, 3, 2, 2, NK_WIN_LINE}, 3, 0},
        {{3, 3, 4, 3, NK_WIN_LINE}, 3, 0}, /* with positions without a move */
        {{3, 3, 4, 4, NK_WIN_LINE}, 3, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO_SOLVED s = solve_board(cases[i].board);
        const int most = NK_CODE_LOSS + (int)s.solution->summary.longest / 2 + 2;
        if (cases[i].longest)
            s.solution->summary.longest = cases[i].longest;
        for (uint64_t entry = 0; entry < s.index->entries; entry += is_thorough() ? 1 : cases[i].step)
            for (int wrong = 0; wrong <= UINT8_MAX; wrong += wrong < most ? 1 : 83)
                if (wrong != s.codes[entry])
                    find_wrong_code(&s, entry, (uint8_t)wrong);
    }
}

/* Even the message does not depend on the number of threads, of which each may find one of two faults. */
Test(verify, threads_of_every_number_agree)
{
    AUTO_SOLVED s = solve_board((struct board){4, 3, 3, 3, NK_WIN_LINE});
    free(s.traps);
    s.traps = NULL; /* the wrong codes may have more draws */
    for (uint64_t entry = 0; entry + 100 < s.index->entries; entry += 297) {
        struct nk_verified verified;
        struct nk_error expected, error;
        s.codes[entry] ^= 1;
        s.codes[entry + 100] ^= 2;
        verdict(&s, 1, &verified, &expected);
        for (int threads = 2; threads <= 8; threads += 3) {
            cr_assert_eq(verdict(&s, threads, &verified, &error), NK_E_CORRUPT);
            cr_assert_str_eq(error.text, expected.text);
        }
        s.codes[entry] ^= 1;
        s.codes[entry + 100] ^= 2;
    }
}

/* ---- interrupted verifications ---- */

static struct solved solved;
static struct nk_table *table; /* of the board */

static void open_board(struct board board)
{
    solved = solve_board(board);
    table = open_table(&solved);
}

static enum nk_status check_with(const struct nk_verify_options *options, struct nk_error *error)
{
    struct nk_verified verified;
    struct nk_directory directory = {0};
    enum nk_status status =
        options->directory ? nk_directory_open(options->directory, &directory, error) : NK_OK;
    if (!status)
        status = nk_verify(table, options, &verified, error);
    nk_directory_close(&directory);
    if (!status)
        cr_assert_arr_eq(verified.by_distance, solved.solution->by_distance, sizeof verified.by_distance);
    return status;
}

/* In several batches, of which compressed rows are kept in memory. */
Test(verify, works_with_little_memory)
{
    open_board((struct board){6, 5, 3, 3, NK_WIN_LINE});
    struct nk_error error;
    cr_assert_eq(check_with(&(struct nk_verify_options){.memory = 4 << 20}, &error), NK_E_MEMORY);
    cr_assert(!check_with(&(struct nk_verify_options){.memory = 8 << 20}, &error), "%s", error.text);
}

/* On a board with many draws, the traps take more memory than all else. */
Test(verify, counts_the_memory_of_traps)
{
    open_board((struct board){4, 4, 4, 4, NK_WIN_LINE});
    struct nk_error error;
    uint32_t draws = 0;
    for (uint64_t entry = 0; entry < solved.index->entries; entry++)
        draws += solved.codes[entry] == NK_CODE_DRAW;
    /* Without their moves. */
    const uint64_t too_little = nk_traps_memory(solved.index, draws, 0, 1);
    const struct nk_verify_options options = {.threads = 1, .memory = too_little};
    cr_assert_eq(check_with(&options, &error), NK_E_MEMORY);
    cr_assert(strstr(error.text, "verifying this table takes") && !strstr(error.text, "checkpoint"), "%s",
              error.text);
    free(solved.traps);
    solved.traps = NULL;
    AUTO_BYTES bytes = table_bytes(&solved);
    AUTO_TABLE *without = open_bytes(bytes);
    struct nk_verified verified;
    cr_assert(!nk_verify(without, &options, &verified, &error), "%s", error.text);
}

/* Ends the process at some time during the verification. */
static void die(void *context, double done)
{
    int *left = context;
    cr_assert(done >= 0 && done <= 1);
    if (!--*left)
        _exit(0);
}

/* Starts a verification that saves its state in "saved" as often as it can, and ends it after `reports` reports of
 * progress. Returns whether it ended before. */
static bool verify_and_die(uint64_t memory, int reports)
{
    int result;
    const struct nk_progress_sink sink = {die, &reports};
    const struct nk_verify_options options = {
        .threads = 1, .memory = memory, .directory = "saved", .progress = &sink};
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (!child)
        _exit(check_with(&options, NULL) ? 2 : 1);
    cr_assert_eq(waitpid(child, &result, 0), child);
    cr_assert(WIFEXITED(result) && WEXITSTATUS(result) < 2);
    return WEXITSTATUS(result) == 1;
}

/* With large and with small batches, and the rest with others. */
Test(verify, resumes_wherever_it_was_killed)
{
    const uint64_t little = 5 << 20, much = 64 << 20;
    open_board((struct board){6, 5, 3, 3, NK_WIN_LINE});
    int resumed = 0;
    for (int reports = 1; !verify_and_die(reports % 2 ? little : much, reports);
         reports += is_thorough() ? 3 : 9, resumed++) {
        struct nk_error error;
        const struct nk_verify_options options = {.memory = reports % 4 < 2 ? little : much,
                                                  .directory = "saved"};
        if (reports % 5 == 0)
            verify_and_die(little, 2);
        cr_assert(!check_with(&options, &error), "after %d reports: %s", reports, error.text);
        cr_assert(access("saved", F_OK), "the directory stays");
    }
    cr_assert(resumed > 2, "killed %d times only", resumed);
}

/* A bit of each byte of a file in turn, but for some in the middle. */
Test(verify, rejects_a_damaged_state)
{
    static const char *const paths[] = {"saved/verify-state", "saved/verify.0"};
    open_board((struct board){4, 4, 3, 3, NK_WIN_LINE});
    const struct nk_verify_options options = {.directory = "saved"};
    struct nk_error error;
    verify_and_die(0, 3);
    for (size_t i = 0; i < COUNT(paths); i++) {
        AUTO_BYTES file = read_bytes(paths[i]);
        for (size_t at = 0; at < file.size; at += at < 64 || file.size - at < 64 ? 1 : 61) {
            file.data[at] ^= 0x10;
            write_bytes(paths[i], file.data, file.size);
            cr_assert_eq(check_with(&options, &error), NK_E_CORRUPT, "%s, byte %zu", paths[i], at);
            cr_assert(strstr(error.text, paths[i]), "%s", error.text);
            file.data[at] ^= 0x10;
        }
        write_bytes(paths[i], file.data, file.size);
    }
    cr_assert(!check_with(&options, &error), "%s", error.text);
}

/* ---- wrong traps ---- */

Test(verify, finds_every_wrong_trap)
{
    AUTO_SOLVED s = solve_board((struct board){3, 3, 3, 3, NK_WIN_LINE});
    uint8_t *trap = s.traps;
    for (uint64_t entry = 0; entry < s.index->entries; entry++) {
        if (s.codes[entry] != NK_CODE_DRAW)
            continue;
        const struct text own = position_text(&s.rules, nk_index_position(s.index, entry));
        for (int change = -1; change <= 1; change += 2) {
            struct nk_verified verified;
            struct nk_error error;
            *trap = (uint8_t)(*trap + change);
            cr_assert_eq(verdict(&s, 0, &verified, &error), NK_E_CORRUPT, "%s", own.s);
            cr_assert(strstr(error.text, own.s), "%s: %s", own.s, error.text);
            *trap = (uint8_t)(*trap - change);
        }
        trap++;
    }
}

/* ---- wrong counts ---- */

Test(verify, finds_wrong_counts)
{
    AUTO_SOLVED s = solve_board((struct board){3, 3, 4, 3, NK_WIN_LINE});
    struct nk_summary *summary = &s.solution->summary;
    const struct nk_summary right = *summary;
    static const char *const names[] = {"legal positions",      "wins",         "losses", "draws",
                                        "draws without a move", "plies at most"};
    for (int change = -1; change <= 1; change += 2)
        for (size_t i = 0; i < COUNT(names); i++) {
            struct nk_error error;
            uint64_t *const counts[] = {&summary->legal, &summary->wins, &summary->losses, &summary->draws,
                                        &summary->stalemates};
            if (i < COUNT(counts))
                *counts[i] += (uint64_t)change;
            else
                summary->longest += (uint32_t)change;
            reject(&s, &error, names[i]);
            cr_assert(strstr(error.text, names[i]), "%s: not about %s", error.text, names[i]);
            *summary = right;
        }
}

/* ---- a wrong checksum ---- */

Test(verify, finds_a_wrong_checksum_of_all_codes)
{
    AUTO_SOLVED s = solve_board((struct board){3, 3, 3, 3, NK_WIN_LINE});
    AUTO_BYTES bytes = table_bytes(&s);
    struct nk_verified verified;
    struct nk_error error;
    bytes.data[NK_AT_CODES] ^= 1;
    seal_header(bytes.data, bytes.size);
    AUTO_TABLE *wrong = open_bytes(bytes);
    cr_assert_eq(nk_verify(wrong, &(struct nk_verify_options){0}, &verified, &error), NK_E_CORRUPT);
    cr_assert_str_eq(error.text, "the table is wrong: the checksum of all codes does not agree");
}
