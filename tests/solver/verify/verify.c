/* The verifier finds every error in a table, and none in a correct one. */

#include "solver/analysis/analysis.h"
#include "solver/analysis/traps.h"
#include "solver/verify/verify.h"
#include "tests/seal.h"
#include "tests/solver/support.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(verify, .init = enter_directory, .fini = leave_directory, .timeout = 600);

/* The result of the verifier for a table. If it is accepted, it must have the counts of the solution. */
static enum nk_status verdict_on(struct bytes bytes, const struct solved *s, struct nk_verify_options options,
                                 struct nk_error *error)
{
    AUTO_TABLE *table = open_bytes(bytes);
    struct nk_verified found;
    const enum nk_status status = nk_verify(table, &options, &found, error);
    if (!status) {
        cr_assert(same_summary(&found.summary, &s->solution->summary));
        cr_assert(!memcmp(found.by_plies, s->solution->by_plies, sizeof found.by_plies));
    }
    return status;
}

/* The result for the table of these codes and traps, which are as solved but for what a test changed. */
static enum nk_status verdict(const struct solved *s, struct nk_verify_options options,
                              struct nk_error *error)
{
    AUTO_BYTES bytes = table_bytes(s);
    return verdict_on(bytes, s, options, error);
}

/* Expects a status and, in the message and a newline, a text. */
static void expect(enum nk_status expected, const char *text, const struct solved *s,
                   struct nk_verify_options options)
{
    struct nk_error error = {0};
    const enum nk_status status = verdict(s, options, &error);
    strncat(error.text, "\n", sizeof error.text - strlen(error.text) - 1);
    cr_assert(status == expected, "%s: %d, %s", text, status, error.text);
    cr_assert(strstr(error.text, text), "%s: %d, %s", text, status, error.text);
}

static const struct nk_verify_options usual = {0};

/* With one thread and so much memory; rows may be in a file of the directory of the path, unless it is NULL. */
static struct nk_verify_options limited(uint64_t memory, const char *path)
{
    return (struct nk_verify_options){.threads = 1, .memory = memory, .path = path};
}

/* A correct table is accepted. The message for another one names a position, though it may be another one whose value
 * depends on it. Wrong codes may have more draws, so these tables have no traps. */
Test(verify, finds_every_wrong_code)
{
    static const struct nk_board boards[] = {
        {3, 3, 3, 3, NK_WIN_LINE},
        {3, 3, 2, 2, NK_WIN_LINE},
        {3, 3, 4, 3, NK_WIN_LINE}, /* with positions without a move */
        {3, 3, 4, 4, NK_WIN_LINE},
    };
    for (size_t i = 0; i < COUNT(boards); i++) {
        AUTO_SOLVED s = solve_without_traps(boards[i]);
        const int most = CODE_LOSS + (int)s.solution->summary.longest / 2 + 2;
        expect(NK_OK, "", &s, usual);
        for (uint64_t entry = 0; entry < s.index->entries; entry += is_thorough() ? 1 : 13) {
            const uint8_t right = s.codes[entry];
            for (int wrong = 0; wrong <= UINT8_MAX; wrong += wrong < most ? 1 : 83) {
                s.codes[entry] = (uint8_t)wrong;
                if (wrong != right)
                    expect(NK_E_CORRUPT, "/", &s, usual);
            }
            s.codes[entry] = right;
        }
    }
}

/* Expects a text about an entry, whose code is replaced. */
static void expect_of(struct solved *s, uint64_t entry, uint8_t code, const char *why)
{
    const uint8_t right = s->codes[entry];
    char text[256];
    snprintf(text, sizeof text, "the table is wrong: %s: %s\n",
             nk_position_text(&s->rules, nk_index_position(s->index, entry), NK_BLACK).s, why);
    s->codes[entry] = code;
    expect(NK_E_CORRUPT, text, s, usual);
    s->codes[entry] = right;
}

/* Of the first position that is not over, on which no earlier one depends and which is won; of the first that is not
 * legal, and the first that is over; and of one of the latest losses, on which no other loss depends. */
Test(verify, says_what_is_wrong)
{
    AUTO_SOLVED s = solve_without_traps((struct nk_board){3, 3, 3, 3, NK_WIN_LINE});
    const uint8_t latest = code_of_loss((int)s.solution->summary.longest);
    uint64_t first = 0, illegal = 0, over = 0, loss = 0;
    while (!goes_on(&s.rules, nk_index_position(s.index, first)))
        first++;
    while (!nk_rules_won(&s.rules, nk_index_position(s.index, illegal).mover))
        illegal++;
    while (s.codes[over] != CODE_LOSS)
        over++;
    while (s.codes[loss] != latest)
        loss++;
    expect_of(&s, first, CODE_DRAW, "marked a draw, but a move leads to a loss");
    expect_of(&s, first, CODE_LOSS, "marked a loss of 0 plies, but not over");
    expect_of(&s, first, CODE_LOSS + 1, "marked a loss, but not every move leads to a win");
    expect_of(&s, illegal, CODE_DRAW, "illegal, as the mover has already won, but has a value");
    expect_of(&s, over, CODE_DRAW, "over, but not marked a loss of 0 plies");
    expect_of(&s, loss, latest + 1, "marked a loss in another number of plies than its moves lead to");
}

/* Even the message does not depend on the number of threads, of which each may find one of two faults: they are in
 * different groups. */
Test(verify, threads_of_every_number_agree)
{
    AUTO_SOLVED s = solve_without_traps((struct nk_board){5, 4, 3, 3, NK_WIN_LINE});
    const uint64_t group = (uint64_t)NK_VERIFY_GROUP * s.index->per_orbit;
    for (uint64_t entry = 0; entry + group < s.index->entries; entry += 10007) {
        struct nk_error error, other;
        s.codes[entry] ^= 1;
        s.codes[entry + group] ^= 2;
        AUTO_BYTES bytes = table_bytes(&s);
        verdict_on(bytes, &s, (struct nk_verify_options){.threads = 1}, &error);
        for (int threads = 2; threads <= 8; threads += 3) {
            const struct nk_verify_options options = {.threads = threads};
            cr_assert_eq(verdict_on(bytes, &s, options, &other), NK_E_CORRUPT);
            cr_assert_str_eq(other.text, error.text, "%d threads", threads);
        }
        s.codes[entry] ^= 1;
        s.codes[entry + group] ^= 2;
    }
}

#ifndef SANITIZED /* which would take most of the time of all tests here, and look at threads on smaller boards */

/* Their rows are hashed in order, whichever thread has read them first. */
Test(verify, threads_accept_a_table_of_many_groups)
{
    AUTO_SOLVED s = solve_without_traps((struct nk_board){6, 5, 3, 3, NK_WIN_LINE});
    AUTO_BYTES bytes = table_bytes(&s);
    for (int run = 0; run < 8; run++) {
        struct nk_error error = {0};
        const enum nk_status status = verdict_on(bytes, &s, (struct nk_verify_options){.threads = 8}, &error);
        cr_assert_eq(status, NK_OK, "%s", error.text);
    }
}

#endif

Test(verify, finds_every_wrong_trap)
{
    AUTO_SOLVED s = solve_board((struct nk_board){3, 3, 3, 3, NK_WIN_LINE});
    uint8_t *trap = s.traps;
    expect(NK_OK, "", &s, usual);
    for (uint64_t entry = 0; entry < s.index->entries; entry++)
        if (s.codes[entry] == CODE_DRAW) {
            const struct nk_text own = position_text(&s.rules, nk_index_position(s.index, entry));
            const uint8_t right = *trap;
            for (int change = -1; change <= 1; change += 2) {
                *trap = (uint8_t)(right + change);
                expect(NK_E_CORRUPT, own.s, &s, usual);
            }
            *trap++ = right;
        }
}

/* Threads compare the values of different blocks. */
Test(verify, finds_a_wrong_trap_in_the_last_block)
{
    AUTO_SOLVED s = solve_board((struct nk_board){4, 4, 3, 3, NK_WIN_LINE});
    const uint64_t draws = nk_count_draws(s.codes, s.index->entries);
    uint64_t entry = s.index->entries - 1;
    while (s.codes[entry] != CODE_DRAW)
        entry--;
    cr_assert_geq(entry, TABLE_BLOCK_CODES);
    const struct nk_text own = position_text(&s.rules, nk_index_position(s.index, entry));
    expect(NK_OK, "", &s, (struct nk_verify_options){.threads = 3});
    s.traps[draws - 1]++;
    expect(NK_E_CORRUPT, own.s, &s, (struct nk_verify_options){.threads = 3});
}

Test(verify, finds_wrong_counts_and_checksums)
{
    AUTO_SOLVED s = solve_without_traps((struct nk_board){3, 3, 4, 3, NK_WIN_LINE});
    struct nk_summary *summary = &s.solution->summary;
    struct {
        const char *name;
        uint64_t *count;
    } counts[] = {{"legal positions", &summary->legal},
                  {"wins", &summary->wins},
                  {"losses", &summary->losses},
                  {"draws", &summary->draws},
                  {"draws without a move", &summary->stalemates}};
    for (size_t i = 0; i < COUNT(counts); i++) {
        ++*counts[i].count;
        expect(NK_E_CORRUPT, counts[i].name, &s, usual);
        --*counts[i].count;
    }
    summary->longest++;
    expect(NK_E_CORRUPT, "plies at most", &s, usual);
    summary->longest--;
    AUTO_BYTES bytes = table_bytes(&s);
    struct nk_verified verified;
    struct nk_error error;
    bytes.data[TABLE_AT_CODES_CHECKSUM] ^= 1;
    seal_header(bytes.data, bytes.size);
    AUTO_TABLE *wrong = open_bytes(bytes);
    cr_assert_eq(nk_verify(wrong, &usual, &verified, &error), NK_E_CORRUPT);
    cr_assert_str_eq(error.text, "the table is wrong: the checksum of all codes does not match");
}

/* ---- memory ---- */

/* On a board with many draws, the traps take more memory than all else. */
Test(verify, counts_the_memory)
{
    AUTO_SOLVED s = solve_board((struct nk_board){4, 3, 4, 4, NK_WIN_LINE});
    const uint32_t draws = (uint32_t)nk_count_draws(s.codes, s.index->entries);
    const uint64_t memory = nk_traps_memory(s.index, draws, 1); /* without what the threads need */
    expect(NK_E_MEMORY, " MiB are allowed\n", &s, limited(memory, NULL));
    drop_traps(&s);
    expect(NK_OK, "", &s, limited(memory, NULL));
}

/* With so much memory, a multiple of 2^32 groups could be examined at once, more than 32 bits can count. */
Test(verify, takes_any_amount_of_memory)
{
    AUTO_SOLVED s = solve_without_traps((struct nk_board){3, 3, 2, 2, NK_WIN_LINE});
    const uint64_t group = s.index->configurations * sizeof(struct nk_group_bytes) + NK_VERIFY_GROUP;
    for (uint64_t groups = UINT64_C(1) << 32; groups < (UINT64_C(1) << 32) + 100; groups++)
        expect(NK_OK, "", &s, limited(groups * group, NULL));
    expect(NK_OK, "", &s, limited(UINT64_MAX, NULL));
}

/* A board whose rows take more memory than one batch of a single group does. */
static const struct nk_board large = {5, 4, 3, 3, NK_WIN_LINE};

/* Enough for one group, with the rows in memory or in a file, and not. */
static const uint64_t with_rows = 7 << 16, with_file = 1 << 18, too_little = 1 << 17;

/* The files of the current directory that this process has open and that have no name. */
static int unnamed_files(void)
{
    char path[PATH_MAX], here[PATH_MAX];
    int count = 0;
    DIR *open = opendir("/proc/self/fd");
    cr_assert(open);
    cr_assert(getcwd(here, sizeof here));
    for (const struct dirent *entry; (entry = readdir(open));) {
        const ssize_t length = readlinkat(dirfd(open), entry->d_name, path, sizeof path - 1);
        path[length > 0 ? length : 0] = '\0';
        count += strncmp(path, here, strlen(here)) == 0 && strstr(path, " (deleted)");
    }
    closedir(open);
    return count;
}

/* Counts the reports of progress during which there is a file without a name. */
static bool look_for_file(void *context, double done)
{
    int *count = context;
    cr_assert(done >= 0);
    cr_assert(done <= 1);
    *count += unnamed_files();
    return true;
}

static int reports_with_file(const struct solved *s, uint64_t memory)
{
    int count = 0;
    const struct nk_progress_sink sink = {look_for_file, &count};
    expect(NK_OK, "", s,
           (struct nk_verify_options){.threads = 1, .memory = memory, .path = "t.dat", .progress = &sink});
    return count;
}

Test(verify, with_little_memory_uses_a_file_in_the_directory)
{
    AUTO_SOLVED s = solve_without_traps(large);
    cr_assert(reports_with_file(&s, with_file) > 0);
    cr_assert_eq(files_in("."), 0);
}

Test(verify, with_much_memory_uses_no_file)
{
    AUTO_SOLVED s = solve_without_traps(large);
    cr_assert_eq(reports_with_file(&s, 64 << 20), 0);
}

Test(verify, without_a_directory_keeps_all_in_memory)
{
    AUTO_SOLVED s = solve_without_traps(large);
    expect(NK_OK, "", &s, limited(with_rows, NULL));
    expect(NK_E_MEMORY, " KiB are allowed\n", &s, limited(with_file, NULL));
}

Test(verify, keeps_all_in_memory_where_no_file_can_be_created)
{
    AUTO_SOLVED s = solve_without_traps(large);
    expect(NK_OK, "", &s, limited(with_rows, "missing/t.dat"));
    expect(NK_E_MEMORY,
           " KiB are allowed; cannot create a temporary file in the directory of missing/t.dat: No such file",
           &s, limited(with_file, "missing/t.dat"));
}

Test(verify, rejects_too_little_memory)
{
    AUTO_SOLVED s = solve_without_traps(large);
    expect(NK_E_MEMORY, " KiB are allowed\n", &s, limited(too_little, "t.dat"));
}

static bool count_report(void *context, double done)
{
    (void)done;
    ++*(int *)context;
    return true;
}

/* With less memory it fails, so one group fills it; each is a batch, for which the whole table is read. */
Test(verify, with_the_least_memory_examines_one_group_at_a_time)
{
    AUTO_SOLVED s = solve_without_traps(large);
    const int groups = ((int)s.index->orbit_count + NK_VERIFY_GROUP - 1) / NK_VERIFY_GROUP;
    const int reports_of_batch =
        (groups + 7) / 8 + 1; /* of eight groups that are read, and one that is checked */
    uint64_t least = with_rows, refused = too_little;
    int reports = 0;
    const struct nk_progress_sink sink = {count_report, &reports};
    while (least - refused > 1) {
        const uint64_t memory = refused + (least - refused) / 2;
        const enum nk_status status = verdict(&s, limited(memory, NULL), NULL);
        *(status ? &refused : &least) = memory;
    }
    expect(NK_OK, "", &s, (struct nk_verify_options){.threads = 1, .memory = least, .progress = &sink});
    cr_assert_eq(reports, 2 * groups * reports_of_batch);
}

/* Even the message does not depend on the batches. Wrong distances of losses are found in the second phase. */
Test(verify, any_memory_finds_the_same)
{
    AUTO_SOLVED s = solve_without_traps(large);
    for (uint64_t entry = 0; entry + 50000 < s.index->entries; entry += 100003) {
        struct nk_error error;
        const uint64_t change = s.codes[entry] > CODE_LOSS ? 2 : 1;
        s.codes[entry] ^= (uint8_t)change;
        s.codes[entry + 50000] ^= 1;
        verdict(&s, usual, &error);
        expect(NK_E_CORRUPT, error.text, &s, limited(with_file, "t.dat"));
        s.codes[entry] ^= (uint8_t)change;
        s.codes[entry + 50000] ^= 1;
    }
}

/* Ends the process after so many reports of progress. */
static bool die(void *context, double done)
{
    int *left = context;
    (void)done;
    if (!--*left)
        raise(SIGKILL);
    return true;
}

/* Verifies in a process that ends itself after so many reports. Returns whether there were as many. */
static bool is_killed(const struct solved *s, int reports)
{
    int result;
    const struct nk_progress_sink sink = {die, &reports};
    struct nk_verify_options options = limited(with_file, "t.dat");
    options.progress = &sink;
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (!child)
        _exit((int)verdict(s, options, NULL));
    cr_assert_eq(waitpid(child, &result, 0), child);
    cr_assert(WIFSIGNALED(result) || WEXITSTATUS(result) == NK_OK);
    return WIFSIGNALED(result);
}

Test(verify, leaves_nothing_when_it_is_killed)
{
    AUTO_SOLVED s = solve_without_traps(large);
    int kills = 0;
    while (is_killed(&s, 1 + 9 * kills)) {
        cr_assert_eq(files_in("."), 0);
        kills++;
    }
    cr_assert_eq(files_in("."), 0);
    cr_assert_gt(kills, 1);
}
