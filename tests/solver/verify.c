/* The verifier finds every error in a table, and none in a correct one. */

#include "solver/store.h"
#include "solver/verify.h"
#include "tests/seal.h"
#include "tests/support.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

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

static void find_wrong_codes(struct board board, uint64_t step)
{
    AUTO_SOLVED s = solve_board(board);
    const int most = NK_CODE_LOSS + (int)s.solution->summary.longest / 2 + 2;
    for (uint64_t entry = 0; entry < s.index->entries; entry += is_thorough() ? 1 : step) {
        for (int wrong = 0; wrong <= most; wrong++)
            if (wrong != s.codes[entry])
                find_wrong_code(&s, entry, (uint8_t)wrong);
        find_wrong_code(&s, entry, 255);
    }
}

Test(verify, finds_every_wrong_code_of_small_boards)
{
    find_wrong_codes((struct board){3, 3, 3, 3, NK_WIN_LINE}, 5);
    find_wrong_codes((struct board){3, 3, 2, 2, NK_WIN_LINE}, 3);
    find_wrong_codes((struct board){3, 3, 4, 3, NK_WIN_LINE}, 3); /* with positions without a move */
    find_wrong_codes((struct board){3, 3, 4, 4, NK_WIN_LINE}, 3);
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

/* The codes are compared even where the header has distances that no code of the table has. */
Test(verify, finds_every_wrong_code_among_long_distances)
{
    enum { LONG = 400 };
    AUTO_SOLVED s = solve_board((struct board){3, 3, 3, 3, NK_WIN_LINE});
    struct nk_error error;
    s.solution->summary.longest = LONG;
    reject(&s, &error, "a distance that does not occur");
    cr_assert_str_eq(error.text, "the table is wrong: plies at most: 400 in its header, counted 7");
    for (uint64_t entry = 0; entry < s.index->entries; entry += is_thorough() ? 1 : 7)
        for (int wrong = 0; wrong <= UINT8_MAX; wrong += wrong < 6 ? 1 : 83)
            if (wrong != s.codes[entry])
                find_wrong_code(&s, entry, (uint8_t)wrong);
}

/* ---- memory, and interrupted verifications ---- */

/* A table of a board in memory, and the expected counts. */
struct checked {
    struct solved solved;
    struct bytes bytes;
    struct nk_table *table;
};

static struct checked checked_board(struct board board)
{
    struct checked c = {.solved = solve_board(board)};
    c.bytes = table_bytes(&c.solved);
    c.table = open_bytes(c.bytes);
    return c;
}

static void checked_free(struct checked *c)
{
    nk_table_close(c->table);
    free(c->bytes.data);
    solved_free(&c->solved);
}

#define CHECKED AUTO(checked_free) struct checked

static enum nk_status check_with(const struct checked *c, const struct nk_verify_options *options,
                                 struct nk_error *error)
{
    struct nk_verified verified;
    struct nk_directory directory = {0};
    enum nk_status status =
        options->directory ? nk_directory_open(options->directory, &directory, error) : NK_OK;
    if (!status)
        status = nk_verify(c->table, options, &verified, error);
    nk_directory_close(&directory);
    if (!status)
        cr_assert_arr_eq(verified.by_distance, c->solved.solution->by_distance, sizeof verified.by_distance);
    return status;
}

Test(verify, works_with_little_memory)
{
    CHECKED c = checked_board((struct board){6, 5, 3, 3, NK_WIN_LINE});
    int few = 0, enough = 0;
    for (uint64_t memory = 4 << 20; memory <= 16 << 20; memory += 3 << 20) {
        struct nk_error error;
        const struct nk_verify_options options = {.memory = memory};
        const enum nk_status status = check_with(&c, &options, &error);
        cr_assert(!status || (status == NK_E_MEMORY && !enough), "%s", error.text);
        few += status != NK_OK;
        enough += !status;
    }
    cr_assert(few && enough > 1, "%d sizes are too little", few);
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
static bool verify_and_die(const struct checked *c, uint64_t memory, int reports)
{
    int result;
    const struct nk_progress_sink sink = {die, &reports};
    const struct nk_verify_options options = {
        .threads = 1, .memory = memory, .directory = "saved", .progress = &sink};
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (!child)
        _exit(check_with(c, &options, NULL) ? 2 : 1);
    cr_assert_eq(waitpid(child, &result, 0), child);
    cr_assert(WIFEXITED(result) && WEXITSTATUS(result) < 2);
    return WEXITSTATUS(result) == 1;
}

/* With large and with small batches, and the rest with others. */
Test(verify, resumes_wherever_it_was_killed)
{
    const uint64_t little = 5 << 20, much = 64 << 20;
    CHECKED c = checked_board((struct board){6, 5, 3, 3, NK_WIN_LINE});
    int resumed = 0;
    for (int reports = 1; !verify_and_die(&c, reports % 2 ? little : much, reports);
         reports += is_thorough() ? 3 : 7, resumed++) {
        struct nk_error error;
        const struct nk_verify_options options = {.memory = reports % 4 < 2 ? little : much,
                                                  .directory = "saved"};
        if (reports % 5 == 0)
            verify_and_die(&c, little, 2);
        cr_assert(!check_with(&c, &options, &error), "after %d reports: %s", reports, error.text);
        cr_assert(access("saved", F_OK), "the directory stays");
    }
    cr_assert(resumed > 2, "killed %d times only", resumed);
}

Test(verify, rejects_the_state_of_another_table)
{
    CHECKED c = checked_board((struct board){3, 4, 3, 3, NK_WIN_LINE});
    CHECKED other = checked_board((struct board){4, 3, 3, 3, NK_WIN_LINE});
    const struct nk_verify_options options = {.directory = "saved"};
    struct nk_error error;
    verify_and_die(&c, 0, 3);
    cr_assert_eq(check_with(&other, &options, &error), NK_E_CORRUPT);
    cr_assert(strstr(error.text, "saved/verify-state: the verification of another table"), "%s", error.text);
    cr_assert(!check_with(&c, &options, &error), "%s", error.text);
}

/* Flips a bit of each byte of a file in turn. */
static void damage_each_byte(const struct checked *c, const char *path)
{
    const struct nk_verify_options options = {.directory = "saved"};
    AUTO_BYTES file = read_bytes(path);
    for (size_t at = 0; at < file.size; at += at < 64 || file.size - at < 64 ? 1 : 61) {
        struct nk_error error;
        file.data[at] ^= 0x10;
        write_bytes(path, file.data, file.size);
        cr_assert_eq(check_with(c, &options, &error), NK_E_CORRUPT, "%s, byte %zu", path, at);
        cr_assert(strstr(error.text, path), "%s", error.text);
        file.data[at] ^= 0x10;
    }
    write_bytes(path, file.data, file.size);
}

Test(verify, rejects_a_damaged_state)
{
    CHECKED c = checked_board((struct board){4, 4, 3, 3, NK_WIN_LINE});
    const struct nk_verify_options options = {.directory = "saved"};
    struct nk_error error;
    verify_and_die(&c, 0, 3);
    damage_each_byte(&c, "saved/verify-state");
    damage_each_byte(&c, "saved/verify.0");
    cr_assert(!check_with(&c, &options, &error), "%s", error.text);
}

Test(verify, uses_a_directory_once_at_a_time)
{
    CHECKED c = checked_board((struct board){3, 3, 2, 2, NK_WIN_LINE});
    const struct nk_verify_options options = {.directory = "saved"};
    struct nk_error error;
    cr_assert_eq(mkdir("saved", 0777), 0);
    const int other = open("saved", O_RDONLY | O_DIRECTORY);
    cr_assert_eq(flock(other, LOCK_EX), 0);
    cr_assert_eq(check_with(&c, &options, &error), NK_E_WRITE);
    cr_assert(strstr(error.text, "another run uses this directory"), "%s", error.text);
    close(other);
    cr_assert(!check_with(&c, &options, &error), "%s", error.text);
    cr_assert_eq(rmdir("saved"), 0, "it was not made by a run, so it stays, empty");
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

/* ---- tables that cannot be read, or that no solver writes ---- */

static void expect_error(struct bytes bytes, const char *message)
{
    AUTO_TABLE *table = open_bytes(bytes);
    struct nk_verified verified;
    struct nk_error error;
    cr_assert_eq(nk_verify(table, &(struct nk_verify_options){.threads = 0}, &verified, &error), NK_E_CORRUPT,
                 "%s", message);
    cr_assert_str_eq(error.text, message);
}

Test(verify, reports_damage)
{
    AUTO_SOLVED s = solve_board((struct board){3, 3, 3, 3, NK_WIN_LINE});
    AUTO_BYTES bytes = table_bytes(&s);
    const struct {
        size_t at;
        const char *message;
    } cases[] = {{nk_list_end(1) + 10, "damaged: the checksum of block 0 does not agree"},
                 {bytes.size - 1, "damaged: the checksum of block 1 does not agree"},
                 {NK_AT_CODES, "the table is wrong: the checksum of all codes does not agree"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        bytes.data[cases[i].at] ^= 1;
        seal_header(bytes.data, bytes.size);
        expect_error(bytes, cases[i].message);
        bytes.data[cases[i].at] ^= 1;
    }
}

/* A block of traps for a board without draws. */
Test(verify, finds_traps_without_draws)
{
    AUTO_SOLVED s = solve_board((struct board){3, 3, 2, 2, NK_WIN_LINE});
    s.traps = NULL;
    AUTO_BYTES bytes = table_bytes(&s);
    uLongf length = compressBound(0);
    cr_assert_eq(nk_get32(bytes.data + NK_AT_BLOCKS), 1);
    bytes.data = realloc(bytes.data, bytes.size + length);
    cr_assert_eq(compress(bytes.data + bytes.size, &length, (const Bytef *)"", 0), Z_OK);
    bytes.size += length;
    nk_put64(bytes.data + NK_HEADER_BYTES + NK_BLOCK_BYTES + NK_BLOCK_END, bytes.size);
    seal(bytes.data, bytes.size);
    expect_error(bytes, "damaged: block 1 holds traps, but block 0 has no draws");
}
